#include "CLinux.h"
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static struct termios saved;
static atomic_int isTaken, setsClusters;

// Another screen, no wrapping, mouse wheel by SGR 1006, no cursor, an own title kept on a stack; how it is with
// mode 2027 is asked.
static const char begin[] = "\x1b[?1049h\x1b[?7l\x1b[?1000h\x1b[?1006h\x1b[?25l\x1b[22;0t\x1b[?2027$p\x1b[2J";
static const char end[] = "\x1b[?2026l\x1b[0m\x1b[?1006l\x1b[?1000l\x1b[?7h\x1b[?25h\x1b[23;0t\x1b[?1049l";
static const char clusters[] = "\x1b[?2027h";
static const char noClusters[] = "\x1b[?2027l";
// What ends a process by itself.
static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT, SIGSYS, SIGXCPU,
                              SIGUSR1, SIGUSR2, SIGALRM};

// A terminal that takes nothing for a second is told nothing.
static void say(const char *text, size_t size) {
    while (size > 0) {
        struct pollfd output = {STDOUT_FILENO, POLLOUT, 0};
        if (poll(&output, 1, 1000) <= 0) return;
        ssize_t count = write(STDOUT_FILENO, text, size);
        if (count <= 0) return;
        text += count;
        size -= (size_t)count;
    }
}

static void enter(void) {
    struct termios raw = saved;
    raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR);
    raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    say(begin, sizeof begin - 1);
}

static void leave(void) {
    if (atomic_exchange(&setsClusters, 0)) say(noClusters, sizeof noClusters - 1);
    say(end, sizeof end - 1);
    tcsetattr(STDIN_FILENO, TCSANOW, &saved);
}

static void crashed(int number) {
    if (atomic_exchange(&isTaken, 0)) leave();
    signal(number, SIG_DFL);
    raise(number);
}

static void stopped(int number) {
    if (!atomic_load(&isTaken)) return;
    leave();
    // The default action stops the process here; it goes on after SIGCONT.
    struct sigaction before, usual;
    memset(&usual, 0, sizeof usual);
    usual.sa_handler = SIG_DFL;
    sigaction(SIGTSTP, &usual, &before);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    raise(SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &set, 0);
    sigaction(SIGTSTP, &before, 0);
    enter();
    raise(SIGWINCH);
    (void)number;
}

int freshet_takeTerminal(void) {
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &saved) != 0) return -1;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    action.sa_handler = crashed;
    for (size_t index = 0; index < sizeof crashes / sizeof crashes[0]; index++)
        sigaction(crashes[index], &action, 0);
    action.sa_handler = stopped;
    sigaction(SIGTSTP, &action, 0);
    atomic_store(&isTaken, 1);
    enter();
    return 0;
}

void freshet_giveTerminalBack(void) {
    if (atomic_exchange(&isTaken, 0)) leave();
}

void freshet_setGraphemeClusters(void) {
    if (!atomic_load(&isTaken)) return;
    atomic_store(&setsClusters, 1);
    say(clusters, sizeof clusters - 1);
}

void freshet_terminalSize(int *columns, int *rows) {
    struct winsize size;
    *columns = 80;
    *rows = 24;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return;
    *columns = size.ws_col;
    *rows = size.ws_row;
}

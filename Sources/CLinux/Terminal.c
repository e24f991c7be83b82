#include "CLinux.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static struct termios saved;
// Whether the terminal is ours: until the end, and now.
static atomic_int isTaken, isEntered;
// Counts what happens to the terminal; open from the first use on.
static atomic_int events = -1;

// An own title is kept on a stack.
static const char pushTitle[] = "\x1b[22;0t";
// Another screen, no wrapping, mouse wheel by SGR 1006, marks around what is pasted, no cursor.
static const char begin[] = "\x1b[?1049h\x1b[?7l\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[?25l\x1b[2J";
static const char end[] = "\x1b[?2026l\x1b[0m\x1b[?2004l\x1b[?1006l\x1b[?1000l\x1b[?7h\x1b[?25h\x1b[23;0t\x1b[?1049l";
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
    if (!atomic_exchange(&isEntered, 1)) say(pushTitle, sizeof pushTitle - 1);
    say(begin, sizeof begin - 1);
}

static void leave(void) {
    if (!atomic_exchange(&isEntered, 0)) return;
    say(end, sizeof end - 1);
    tcsetattr(STDIN_FILENO, TCSANOW, &saved);
}

static void crashed(int number) {
    if (atomic_exchange(&isTaken, 0)) leave();
    signal(number, SIG_DFL);
    raise(number);
}

static void happened(int number) {
    int before = errno;
    eventfd_write(atomic_load(&events), number == SIGCONT ? FRESHET_TERMINAL_CONTINUED : FRESHET_TERMINAL_RESIZED);
    errno = before;
}

static void stopped(int number) {
    if (!atomic_load(&isTaken)) return;
    int before = errno;
    leave();
    // The default action stops the process here, until SIGCONT.
    struct sigaction own, usual;
    memset(&usual, 0, sizeof usual);
    usual.sa_handler = SIG_DFL;
    sigaction(SIGTSTP, &usual, &own);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    raise(SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &set, 0);
    sigaction(SIGTSTP, &own, 0);
    errno = before;
    (void)number;
}

static void handle(int number, void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    action.sa_handler = handler;
    sigaction(number, &action, 0);
}

int freshet_isInForeground(void) { return tcgetpgrp(STDIN_FILENO) == getpgrp(); }

int freshet_canDraw(void) { return atomic_load(&isEntered) && freshet_isInForeground(); }

int freshet_takeTerminal(void) {
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &saved) != 0)
        return FRESHET_NO_TERMINAL;
    if (!freshet_isInForeground()) {
        // So that it can be said, on a terminal that stops what writes in the background.
        signal(SIGTTOU, SIG_IGN);
        return FRESHET_IN_BACKGROUND;
    }
    if (atomic_load(&events) < 0) {
        int counter = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (counter < 0) return FRESHET_NO_TERMINAL;
        atomic_store(&events, counter);
    }
    for (size_t index = 0; index < sizeof crashes / sizeof crashes[0]; index++) handle(crashes[index], crashed);
    handle(SIGTSTP, stopped);
    handle(SIGCONT, happened);
    handle(SIGWINCH, happened);
    atomic_store(&isTaken, 1);
    enter();
    return atomic_load(&events);
}

int freshet_takeTerminalAgain(void) {
    if (!atomic_load(&isTaken)) return 0;
    if (freshet_isInForeground()) {
        enter();
        return 1;
    }
    // The terminal does so to a thread that takes signals, and threads of queues take none.
    kill(getpid(), SIGTTOU);
    return 0;
}

uint64_t freshet_terminalEvents(void) {
    eventfd_t count = 0;
    return eventfd_read(atomic_load(&events), &count) == 0 ? count : 0;
}

void freshet_giveTerminalBack(void) {
    if (atomic_exchange(&isTaken, 0)) leave();
}

void freshet_terminalSize(int *columns, int *rows) {
    struct winsize size;
    *columns = 80;
    *rows = 24;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return;
    *columns = size.ws_col;
    *rows = size.ws_row;
}

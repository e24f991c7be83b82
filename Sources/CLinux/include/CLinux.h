// What Glibc's Swift module leaves out, or imports only as a macro.
#pragma once
#include <stdint.h>
#include <sys/socket.h>

/// Standard input or output is no terminal.
#define FRESHET_NO_TERMINAL -1
/// The terminal belongs to another job of the shell.
#define FRESHET_IN_BACKGROUND -2

/// Takes the terminal of standard input and output for a full screen: no echo, no lines, another
/// screen. Given back at the end of the process, however it ends, and while it is stopped.
///
/// Returns a descriptor that can be read when something has happened to the terminal, or why it
/// cannot be taken.
int freshet_takeTerminal(void);

/// Its window may have another size.
#define FRESHET_TERMINAL_RESIZED 1
/// The process was stopped, and goes on.
#define FRESHET_TERMINAL_CONTINUED 0x100000000

/// Reads what has happened to the terminal since the last call: sums of the above.
uint64_t freshet_terminalEvents(void);

/// Takes the terminal again after the process was stopped; in the background the process is stopped instead.
///
/// Returns whether the terminal is taken.
int freshet_takeTerminalAgain(void);

/// Whether the terminal of standard input is that of this job of the shell.
int freshet_isInForeground(void);

/// Whether the screen is this process's: it was taken, and not left since because of a stop.
int freshet_canDraw(void);

/// Gives the terminal back as it was.
void freshet_giveTerminalBack(void);

/// The size of the terminal in characters; 80 by 24 where it does not say.
void freshet_terminalSize(int *columns, int *rows);

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/timerfd.h>

/// accept4(2): takes a connection, non-blocking and closed on exec.
int freshet_accept(int listener, struct sockaddr *address, socklen_t *size);

/// openat2(2): opens `path` below the folder `root`, never outside it, whatever links say.
/// -1 with ENOSYS where the kernel has no such call.
int freshet_openBeneath(int root, const char *path);

/// statx(2): when a file was made, in nanoseconds since 1970; 0 where the file system does not know.
int64_t freshet_birthTime(int descriptor);

/// malloc_trim(3): gives the system back what the allocator keeps of memory that was freed.
void freshet_returnMemory(void);

/// statfs(2): the kind of the file system that a file is on, by its magic number; -1 where it does not
/// say.
int64_t freshet_fileSystem(const char *path);

/// adjtimex(2): 1 when the system says that its clock is synchronized, 0 when it says that it is not,
/// -1 when it does not say.
int freshet_clockState(void);

/// sched_getaffinity(2): how many processors the calling thread may run on.
int freshet_processorCount(void);

/// Has blocks of at least this many bytes given back to the system when they are freed (mallopt(3)).
void freshet_returnLargeBlocks(size_t size);
#endif

// What Glibc's Swift module leaves out, or imports only as a macro.
#pragma once
#include <stdint.h>
#include <sys/socket.h>
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

/// malloc_trim(3): gives the system back what the allocator keeps of memory that was freed.
void freshet_returnMemory(void);

/// Has blocks of at least this many bytes given back to the system when they are freed (mallopt(3)).
void freshet_returnLargeBlocks(size_t size);
#endif

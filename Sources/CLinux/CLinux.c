#define _GNU_SOURCE
#include "CLinux.h"
#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

int freshet_accept(int listener, struct sockaddr *address, socklen_t *size) {
    return accept4(listener, address, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int freshet_openBeneath(int root, const char *path) {
#ifdef SYS_openat2
    // struct open_how, <linux/openat2.h>; RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS
    struct { uint64_t flags, mode, resolve; } how = {
        .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK, .mode = 0, .resolve = 0x08 | 0x02};
    return (int)syscall(SYS_openat2, root, path, &how, sizeof how);
#else
    errno = ENOSYS;
    return -1;
#endif
}

#ifdef __GLIBC__
#include <malloc.h>

void freshet_returnMemory(void) { malloc_trim(0); }

void freshet_returnLargeBlocks(size_t size) { mallopt(M_MMAP_THRESHOLD, (int)size); }
#else
void freshet_returnMemory(void) {}
void freshet_returnLargeBlocks(size_t size) {}
#endif
#endif

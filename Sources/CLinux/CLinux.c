#define _GNU_SOURCE
#include "CLinux.h"
#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
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

int freshet_processorCount(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    // The machine has more processors than the set has room for.
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

int64_t freshet_birthTime(int descriptor) {
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_BTIME, &status) != 0) return 0;
    if (!(status.stx_mask & STATX_BTIME)) return 0;
    return status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}

#include <sys/timex.h>
#include <sys/vfs.h>

int64_t freshet_fileSystem(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (int64_t)(uint32_t)status.f_type : -1;
}

int freshet_clockState(void) {
    struct timex state = {.modes = 0};
    int result = adjtimex(&state);
    if (result < 0) return -1;
    return result == TIME_ERROR || (state.status & STA_UNSYNC) ? 0 : 1;
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

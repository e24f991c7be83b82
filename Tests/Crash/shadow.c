// Keeps what a folder would hold after a power cut, while a program writes to it; loaded with
// LD_PRELOAD.
//
// The folder SHADOW_OF has a shadow, SHADOW. A file's bytes come into the shadow when they are
// synced, and names when the folder is synced. What was written and not synced is there only by
// chance: each write with a probability of SHADOW_SPILL percent, cut at a sector at random, as a
// disk may have written it by itself.
//
// Faults: while the file SHADOW_FAULT exists, its first word says which system call fails there:
//   sync    fsync and fdatasync fail with EIO, and what was not synced yet never is
//   write   writes that make a file longer fail with ENOSPC
//   input   every write fails with EIO
// SHADOW_DROP=log: SQLite's syncs of the write-ahead log do nothing, as its commits have none with
// synchronous=NORMAL. It calls fdatasync; the server itself calls fsync.
// SHADOW_SLOW: microseconds that each sync takes.
// SHADOW_ROOM: bytes of the disk, on which there is nothing but the folder.
// SHADOW_STOP=n: the process is killed before it changes a name in the folder for the n-th time.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wformat-truncation"

struct range { off_t start, end; };

struct file {
    char name[64];
    struct range *dirty;
    int count, room;
    int durable;  // whether its name is in the shadow
};

static struct file files[64];
static int file_count;
static int descriptors[4096];  // number of the file + 1; -1: the folder itself
static char folder[PATH_MAX], shadow[PATH_MAX], fault[PATH_MAX];
static int spill, drop_log, slow, stop;
static off_t room;
static unsigned long long seed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int inside;

static int (*real_open)(const char *, int, ...);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int), (*real_fdatasync)(int), (*real_close)(int);
static int (*real_rename)(const char *, const char *), (*real_unlink)(const char *);
static int (*real_rmdir)(const char *);
static int (*real_fstatvfs)(int, struct statvfs *);

__attribute__((constructor)) static void start(void) {
    real_open = dlsym(RTLD_NEXT, "open");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite");
    real_write = dlsym(RTLD_NEXT, "write");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_close = dlsym(RTLD_NEXT, "close");
    real_rename = dlsym(RTLD_NEXT, "rename");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_rmdir = dlsym(RTLD_NEXT, "rmdir");
    real_fstatvfs = dlsym(RTLD_NEXT, "fstatvfs");
    const char *value = getenv("SHADOW_OF");
    if (!value || !getenv("SHADOW")) return;
    snprintf(folder, sizeof folder, "%s", value);
    snprintf(shadow, sizeof shadow, "%s", getenv("SHADOW"));
    if ((value = getenv("SHADOW_FAULT"))) snprintf(fault, sizeof fault, "%s", value);
    if ((value = getenv("SHADOW_SPILL"))) spill = atoi(value);
    if ((value = getenv("SHADOW_SLOW"))) slow = atoi(value);
    if ((value = getenv("SHADOW_ROOM"))) room = atoll(value);
    if ((value = getenv("SHADOW_STOP"))) stop = atoi(value);
    if ((value = getenv("SHADOW_DROP"))) drop_log = !strcmp(value, "log");
    seed = (value = getenv("SHADOW_SEED")) ? strtoull(value, 0, 10) * 2 + 1 : 1;
}

static unsigned draw(void) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(seed >> 33);
}

// What fails at the moment: 's', 'w', 'i' or 0.
static int failing(void) {
    if (!fault[0]) return 0;
    int descriptor = real_open(fault, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return 0;
    char first = 0;
    if (read(descriptor, &first, 1) != 1) first = 0;
    real_close(descriptor);
    return first;
}

// The name of a file directly in the folder, or NULL.
static const char *name_of(const char *path) {
    size_t length = strlen(folder);
    if (!length || strncmp(path, folder, length) || path[length] != '/') return NULL;
    const char *name = path + length + 1;
    if (strchr(name, '/') || strstr(name, ".sock") || strlen(name) >= 64) return NULL;
    return *name ? name : NULL;
}

static struct file *find(const char *name) {
    for (int i = 0; i < file_count; i++) if (!strcmp(files[i].name, name)) return &files[i];
    if (file_count == 64) abort();
    struct file *file = &files[file_count++];
    memset(file, 0, sizeof *file);
    snprintf(file->name, sizeof file->name, "%s", name);
    char path[PATH_MAX * 2];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", shadow, name);
    file->durable = !stat(path, &status);
    return file;
}

// Bytes of the disk that are free.
static off_t free_room(void) {
    off_t used = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < file_count; i++) {
        char path[PATH_MAX * 2];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        if (!stat(path, &status)) used += status.st_size;
    }
    pthread_mutex_unlock(&lock);
    return used < room ? room - used : 0;
}

// Where a file's shadow is: without a name as long as the folder was not synced.
static void place(const struct file *file, char *path, size_t size) {
    snprintf(path, size, "%s/%s%s", shadow, file->durable ? "" : ".unnamed-", file->name);
}

static struct file *of(int descriptor) {
    if (descriptor < 0 || descriptor >= 4096 || descriptors[descriptor] <= 0) return NULL;
    return &files[descriptors[descriptor] - 1];
}

// Copies a range of the file as it is into its shadow.
static void copy(const char *source, const char *target, off_t start, off_t end) {
    int from = real_open(source, O_RDONLY | O_CLOEXEC);
    int to = real_open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    static __thread char buffer[1 << 16];
    while (from >= 0 && to >= 0 && start < end) {
        size_t wanted = end - start < (off_t)sizeof buffer ? end - start : sizeof buffer;
        ssize_t count = pread(from, buffer, wanted, start);
        if (count <= 0 || real_pwrite(to, buffer, count, start) != count) break;
        start += count;
    }
    if (from >= 0) real_close(from);
    if (to >= 0) real_close(to);
}

static void note(struct file *file, off_t start, off_t end) {
    if (spill && draw() % 100 < (unsigned)spill) {
        // The disk wrote some of it by itself, whole sectors.
        char source[PATH_MAX * 2], target[PATH_MAX * 2];
        snprintf(source, sizeof source, "%s/%s", folder, file->name);
        place(file, target, sizeof target);
        off_t sectors = (end - start) / 512;
        off_t cut = sectors && draw() % 3 == 0 ? start + 512 * (draw() % (sectors + 1)) : end;
        copy(source, target, start, cut);
    }
    if (file->count == file->room) {
        file->room = file->room ? file->room * 2 : 64;
        file->dirty = realloc(file->dirty, file->room * sizeof *file->dirty);
    }
    file->dirty[file->count++] = (struct range){start, end};
}

static void synced(struct file *file) {
    char source[PATH_MAX * 2], target[PATH_MAX * 2];
    snprintf(source, sizeof source, "%s/%s", folder, file->name);
    place(file, target, sizeof target);
    int to = real_open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    struct stat status;
    if (to >= 0 && !stat(source, &status)) {
        struct stat old;
        if (!fstat(to, &old) && old.st_size != status.st_size) real_ftruncate(to, status.st_size);
    }
    if (to >= 0) real_close(to);
    for (int i = 0; i < file->count; i++)
        copy(source, target, file->dirty[i].start, file->dirty[i].end);
    file->count = 0;
}

// The names are as they are in the folder now.
static void names_synced(void) {
    for (int i = 0; i < file_count; i++) {
        struct file *file = &files[i];
        char path[PATH_MAX * 2], old[PATH_MAX * 2], new[PATH_MAX * 2];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", folder, file->name);
        snprintf(new, sizeof new, "%s/%s", shadow, file->name);
        snprintf(old, sizeof old, "%s/.unnamed-%s", shadow, file->name);
        int exists = !stat(path, &status);
        if (exists && !file->durable) {
            if (real_rename(old, new)) {
                int empty = real_open(new, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
                if (empty >= 0) real_close(empty);
            }
            file->durable = 1;
        } else if (!exists && file->durable) {
            real_unlink(new);
            file->durable = 0;
            file->count = 0;
        }
    }
}

static void opened(int descriptor, const char *path) {
    if (descriptor < 0 || descriptor >= 4096 || !folder[0]) return;
    pthread_mutex_lock(&lock);
    const char *name = name_of(path);
    descriptors[descriptor] = !strcmp(path, folder) ? -1 : name ? (int)(find(name) - files) + 1 : 0;
    pthread_mutex_unlock(&lock);
}

static int open_any(const char *path, int flags, mode_t mode) {
    int descriptor = real_open(path, flags, mode);
    if (!inside) {
        // A file that is emptied while it is opened is not used here.
        opened(descriptor, path);
    }
    return descriptor;
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    va_end(list);
    return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    va_end(list);
    return open_any(path, flags, mode);
}

int close(int descriptor) {
    if (descriptor >= 0 && descriptor < 4096) descriptors[descriptor] = 0;
    return real_close(descriptor);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    struct file *file = of(descriptor);
    if (!file) return real_pwrite(descriptor, bytes, count, offset);
    int fails = failing();
    struct stat status;
    if (fails == 'i') { errno = EIO; return -1; }
    if (fails == 'w' && !fstat(descriptor, &status) && offset + (off_t)count > status.st_size) {
        errno = ENOSPC;
        return -1;
    }
    if (room && !fstat(descriptor, &status)) {
        off_t growth = offset + (off_t)count - status.st_size;
        if (growth > 0 && growth > free_room()) { errno = ENOSPC; return -1; }
    }
    pthread_mutex_lock(&lock);
    ssize_t written = real_pwrite(descriptor, bytes, count, offset);
    if (written > 0) note(file, offset, offset + written);
    pthread_mutex_unlock(&lock);
    return written;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    struct file *file = of(descriptor);
    if (!file) return real_write(descriptor, bytes, count);
    off_t offset = lseek(descriptor, 0, SEEK_CUR);
    ssize_t written = pwrite(descriptor, bytes, count, offset);
    if (written > 0) lseek(descriptor, offset + written, SEEK_SET);
    return written;
}

int ftruncate(int descriptor, off_t length) {
    struct file *file = of(descriptor);
    int result = real_ftruncate(descriptor, length);
    if (file && !result) {
        pthread_mutex_lock(&lock);
        note(file, length, length);
        pthread_mutex_unlock(&lock);
    }
    return result;
}

int ftruncate64(int descriptor, off_t length) { return ftruncate(descriptor, length); }

int fstatvfs(int descriptor, struct statvfs *status) {
    int result = real_fstatvfs(descriptor, status);
    if (room && !result && descriptor >= 0 && descriptor < 4096 && descriptors[descriptor]) {
        status->f_frsize = 1;
        status->f_bavail = free_room();
    }
    return result;
}

int fstatvfs64(int descriptor, struct statvfs64 *status) {
    return fstatvfs(descriptor, (struct statvfs *)status);
}

static int sync_any(int descriptor, int (*real)(int), int dropped) {
    if (descriptor < 0 || descriptor >= 4096 || !descriptors[descriptor]) return real(descriptor);
    struct file *file = of(descriptor);
    if (slow) usleep(slow);
    if (failing() == 's') {
        // Linux forgets what it could not write: a later sync succeeds without it.
        pthread_mutex_lock(&lock);
        if (file) file->count = 0;
        pthread_mutex_unlock(&lock);
        errno = EIO;
        return -1;
    }
    if (file && dropped && strstr(file->name, "-wal")) return 0;
    pthread_mutex_lock(&lock);
    if (file) synced(file); else names_synced();
    pthread_mutex_unlock(&lock);
    return 0;
}

int fsync(int descriptor) { return sync_any(descriptor, real_fsync, 0); }
int fdatasync(int descriptor) { return sync_any(descriptor, real_fdatasync, drop_log); }

// Called before a name in the folder is changed.
static void step(const char *path) {
    if (stop && !strncmp(path, folder, strlen(folder)) && --stop == 0) raise(SIGKILL);
}

int rmdir(const char *path) {
    step(path);
    return real_rmdir(path);
}

int unlink(const char *path) {
    step(path);
    const char *name = name_of(path);
    if (name) {
        pthread_mutex_lock(&lock);
        find(name);
        pthread_mutex_unlock(&lock);
    }
    return real_unlink(path);
}

int rename(const char *old, const char *new) {
    // Only the restoring of backups renames here, after which no shadow is asked for.
    step(old);
    return real_rename(old, new);
}

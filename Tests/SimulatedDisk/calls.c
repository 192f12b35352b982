// The system calls that change files. These functions replace those of the C library in the whole program, including
// libsqlcipher and the Swift runtime. Calls for files that are not on the disk go to the kernel.
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { DESCRIPTORS_MAX = 1 << 16 };

// The file or folder of the disk that each descriptor refers to.
static uint32_t nodes[DESCRIPTORS_MAX];

static uint32_t node_of(int descriptor) {
    return is_alive && descriptor >= 0 && descriptor < DESCRIPTORS_MAX ? nodes[descriptor] : 0;
}

static uint32_t file_of(int descriptor) {
    uint32_t node = node_of(descriptor);
    return node != 0 && disk->nodes[node].kind == FILE_NODE ? node : 0;
}

static int failing(int error) {
    disk_unlock();
    errno = error;
    return -1;
}

static int64_t place_of(int folder, const char *path, uint32_t *parent, char leaf[NAME_BYTES]) {
    if (!is_alive) return -1;
    return resolve(node_of(folder), path, parent, leaf);
}

// MARK: Opening

static int opened(int folder, const char *path, int flags, mode_t mode) {
    uint32_t parent = 0;
    char leaf[NAME_BYTES];
    if (!is_alive) return (int)syscall(SYS_openat, folder, path, flags, mode);
    // Fails, because threads that set their names through this path would take a quarter of the time at the end of a
    // process.
    if (strncmp(path, "/proc/thread-self/", 18) == 0) {
        errno = ENOENT;
        return -1;
    }
    disk_lock();
    int64_t node = place_of(folder, path, &parent, leaf);
    int makes = node == 0 && flags & O_CREAT;
    int error = makes ? begin(MAKING) : 0;
    if (error != 0) return failing(error);
    int descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
    int failure = errno;
    if (descriptor >= 0) {
        if (makes) {
            node = make_node(FILE_NODE);
            char object[PATH_BYTES];
            object_path((uint32_t)node, 0, object);
            if (syscall(SYS_linkat, folder, path, AT_FDCWD, object, 0) != 0) give_up("a file cannot be kept");
            struct name_change change = {1, {{parent, (uint32_t)node, ""}}};
            memcpy(change.parts[0].text, leaf, NAME_BYTES);
            note_name_change(change);
        } else if (node > 0 && flags & O_TRUNC && disk->nodes[node].kind == FILE_NODE) {
            note_change((uint32_t)node, RESIZED, 0, 0, NULL);
        }
        if (descriptor < DESCRIPTORS_MAX) nodes[descriptor] = node > 0 ? (uint32_t)node : 0;
    }
    disk_unlock();
    errno = failure;
    return descriptor;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE) { \
        va_list arguments; \
        va_start(arguments, flags); \
        mode = va_arg(arguments, mode_t); \
        va_end(arguments); \
    }
#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        MODE(flags) \
        return opened(AT_FDCWD, path, flags, mode); \
    }
#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        MODE(flags) \
        return opened(folder, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int close(int descriptor) {
    if (descriptor >= 0 && descriptor < DESCRIPTORS_MAX) nodes[descriptor] = 0;
    return (int)syscall(SYS_close, descriptor);
}

// MARK: Bytes

// Must be called with the lock held, and releases it.
static ssize_t written(uint32_t node, int descriptor, const void *bytes, size_t count, int64_t offset) {
    int64_t end = offset + (int64_t)count;
    int error = begin(end > disk->nodes[node].size ? GROWING : WRITING);
    if (error != 0 && !disk->plan.writes_half) return failing(error);
    if (error != 0) count /= 2;
    ssize_t result = syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    int failure = errno;
    if (result > 0) note_change(node, WRITTEN, offset, result, bytes);
    if (error != 0) return failing(error);
    disk_unlock();
    errno = failure;
    return result;
}

#define PWRITE(name, offset_type) \
    ssize_t name(int descriptor, const void *bytes, size_t count, offset_type offset) { \
        uint32_t node = file_of(descriptor); \
        if (node == 0) return syscall(SYS_pwrite64, descriptor, bytes, count, offset); \
        disk_lock(); \
        return written(node, descriptor, bytes, count, offset); \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    uint32_t node = file_of(descriptor);
    if (node == 0) return syscall(SYS_write, descriptor, bytes, count);
    disk_lock();
    int64_t offset = syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
    ssize_t result = written(node, descriptor, bytes, count, offset);
    if (result > 0) syscall(SYS_lseek, descriptor, offset + result, SEEK_SET);
    return result;
}

static int resized(int descriptor, int64_t size) {
    uint32_t node = file_of(descriptor);
    if (node == 0) return (int)syscall(SYS_ftruncate, descriptor, size);
    disk_lock();
    int error = begin(size > disk->nodes[node].size ? GROWING : WRITING);
    if (error != 0) return failing(error);
    expect_erased_part(node, size, INT64_MAX - size);
    int result = (int)syscall(SYS_ftruncate, descriptor, size);
    int failure = errno;
    if (result == 0) note_change(node, RESIZED, 0, size, NULL);
    disk_unlock();
    errno = failure;
    return result;
}

int ftruncate(int descriptor, off_t size) {
    return resized(descriptor, size);
}

int ftruncate64(int descriptor, off64_t size) {
    return resized(descriptor, size);
}

// Returns an errno. No space is really reserved, because bytes that were never written read as zeros anyway.
static int allocated(int descriptor, int mode, int64_t offset, int64_t count) {
    uint32_t node = file_of(descriptor);
    if (node == 0) return syscall(SYS_fallocate, descriptor, mode, offset, count) == 0 ? 0 : errno;
    disk_lock();
    int is_hole = (mode & FALLOC_FL_PUNCH_HOLE) != 0;
    int grows = !is_hole && !(mode & FALLOC_FL_KEEP_SIZE) && offset + count > disk->nodes[node].size;
    int error = begin(is_hole ? WRITING : GROWING);
    if (error == 0 && is_hole) expect_erased_part(node, offset, count);
    if (error == 0 && is_hole && syscall(SYS_fallocate, descriptor, mode, offset, count) != 0) error = errno;
    if (error == 0 && grows && syscall(SYS_ftruncate, descriptor, offset + count) != 0) error = errno;
    if (error == 0 && is_hole) note_change(node, ZEROED, offset, count, NULL);
    if (error == 0 && grows) note_change(node, GROWN, offset, count, NULL);
    disk_unlock();
    return error;
}

#define FALLOCATE(name, posix_name, offset_type) \
    int name(int descriptor, int mode, offset_type offset, offset_type count) { \
        int error = allocated(descriptor, mode, offset, count); \
        if (error == 0) return 0; \
        errno = error; \
        return -1; \
    } \
    int posix_name(int descriptor, offset_type offset, offset_type count) { \
        return allocated(descriptor, 0, offset, count); \
    }
FALLOCATE(fallocate, posix_fallocate, off_t)
FALLOCATE(fallocate64, posix_fallocate64, off64_t)

// MARK: Syncing

static int synced(int descriptor) {
    uint32_t node = node_of(descriptor);
    if (node == 0) return (int)syscall(SYS_fdatasync, descriptor);
    disk_lock();
    int error = begin(SYNCING);
    const struct disk_plan *plan = &disk->plan;
    int drops_one = plan->dropped_site != 0 && plan->dropped_site != DISK_ALL_SITES;
    uint64_t site = plan->finds_sites || drops_one ? find_site() : 0;
    int is_file = disk->nodes[node].kind == FILE_NODE;
    if (error != 0) {
        if (is_file) lose_data(node);
        return failing(error);
    }
    if (plan->dropped_site == 0 || (drops_one && plan->dropped_site != site)) {
        if (is_file) sync_data(node);
        else sync_names(node);
    } else if (drops_one && plan->end_behind_drop != 0 && disk->drops++ == plan->drops_before_end) {
        disk->plan.end_at_operation = disk->operations + plan->end_behind_drop;
    }
    disk_unlock();
    return 0;
}

int fsync(int descriptor) {
    return synced(descriptor);
}

int fdatasync(int descriptor) {
    return synced(descriptor);
}

// MARK: Names

static int named(long result, struct name_change change) {
    int failure = errno;
    if (result == 0) note_name_change(change);
    disk_unlock();
    errno = failure;
    return (int)result;
}

static struct name_change one_name(uint32_t parent, const char *leaf, uint32_t node) {
    struct name_change change = {1, {{parent, node, ""}}};
    memcpy(change.parts[0].text, leaf, NAME_BYTES);
    return change;
}

static int made_folder(int folder, const char *path, mode_t mode) {
    uint32_t parent = 0;
    char leaf[NAME_BYTES];
    if (!is_alive) return (int)syscall(SYS_mkdirat, folder, path, mode);
    disk_lock();
    if (place_of(folder, path, &parent, leaf) != 0) {
        int result = (int)syscall(SYS_mkdirat, folder, path, mode), failure = errno;
        disk_unlock();
        errno = failure;
        return result;
    }
    int error = begin(MAKING);
    if (error != 0) return failing(error);
    long result = syscall(SYS_mkdirat, folder, path, mode);
    return named(result, one_name(parent, leaf, result == 0 ? make_node(FOLDER) : 0));
}

int mkdir(const char *path, mode_t mode) {
    return made_folder(AT_FDCWD, path, mode);
}

int mkdirat(int folder, const char *path, mode_t mode) {
    return made_folder(folder, path, mode);
}

static int removed(int folder, const char *path, int flags) {
    uint32_t parent = 0;
    char leaf[NAME_BYTES];
    if (!is_alive) return (int)syscall(SYS_unlinkat, folder, path, flags);
    disk_lock();
    int64_t node = place_of(folder, path, &parent, leaf);
    if (node <= 0) {
        int result = (int)syscall(SYS_unlinkat, folder, path, flags), failure = errno;
        disk_unlock();
        errno = failure;
        return result;
    }
    int error = begin(NAMING);
    if (error != 0) return failing(error);
    expect_erased_head(parent, leaf, (uint32_t)node);
    return named(syscall(SYS_unlinkat, folder, path, flags), one_name(parent, leaf, 0));
}

int unlink(const char *path) {
    return removed(AT_FDCWD, path, 0);
}

int unlinkat(int folder, const char *path, int flags) {
    return removed(folder, path, flags);
}

int rmdir(const char *path) {
    return removed(AT_FDCWD, path, AT_REMOVEDIR);
}

static int moved(int from, const char *path, int to, const char *new_path, int keeps) {
    uint32_t parent = 0, new_parent = 0;
    char leaf[NAME_BYTES], new_leaf[NAME_BYTES];
    if (!is_alive) {
        return (int)(keeps ? syscall(SYS_linkat, from, path, to, new_path, 0)
                           : syscall(SYS_renameat2, from, path, to, new_path, 0));
    }
    disk_lock();
    int64_t node = place_of(from, path, &parent, leaf);
    int64_t target = place_of(to, new_path, &new_parent, new_leaf);
    if ((node > 0) != (target >= 0) && node != 0) give_up("a file was moved from or to the simulated disk");
    int error = node > 0 ? begin(NAMING) : 0;
    if (error != 0) return failing(error);
    long result = keeps ? syscall(SYS_linkat, from, path, to, new_path, 0)
                        : syscall(SYS_renameat2, from, path, to, new_path, 0);
    struct name_change change = one_name(new_parent, new_leaf, (uint32_t)node);
    if (!keeps) {
        change.count = 2;
        change.parts[1].folder = parent;
        memcpy(change.parts[1].text, leaf, NAME_BYTES);
    }
    if (node > 0) return named(result, change);
    int failure = errno;
    disk_unlock();
    errno = failure;
    return (int)result;
}

int rename(const char *path, const char *new_path) {
    return moved(AT_FDCWD, path, AT_FDCWD, new_path, 0);
}

int renameat(int from, const char *path, int to, const char *new_path) {
    return moved(from, path, to, new_path, 0);
}

int linkat(int from, const char *path, int to, const char *new_path, int flags) {
    (void)flags;
    return moved(from, path, to, new_path, 1);
}

// MARK: Time

// Shortens waits, because the store does some of its work only after it has been idle for a second. All its conditions
// use the monotonic clock.
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end) {
    struct timespec now, soon = *end;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t left = (int64_t)(end->tv_sec - now.tv_sec) * 1000000000 + (end->tv_nsec - now.tv_nsec);
    if (is_alive && disk->plan.hurry > 0 && left > 0) {
        int64_t shorter = (int64_t)now.tv_nsec + left / disk->plan.hurry;
        soon.tv_sec = now.tv_sec + shorter / 1000000000;
        soon.tv_nsec = shorter % 1000000000;
    }
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &soon);
}

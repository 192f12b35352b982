// Records, in order, what the program that loads this library with LD_PRELOAD does to the files of a folder. From the
// record a test computes what a disk may contain if the power fails at any moment.
//
//   RECORDED_FOLDER  the files in this folder or below it are recorded
//   RECORD           the file for the records: each has a header (below), then up to two paths and the written bytes
//
// The record of a call is complete before the call returns. The record of a sync contains the length that the file had
// when the sync began. Everything recorded before that length is durable.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPENED = 1, CLOSED, WRITTEN, RESIZED, SYNCED, RENAMED, LINKED, REMOVED, MADE_FOLDER, ZEROED, GROWN };

struct header {
    uint32_t kind;
    int32_t descriptor;
    int64_t first, second;
    uint32_t path_bytes, other_path_bytes;
    int64_t data_bytes;
};

enum { DESCRIPTORS_MAX = 1 << 16, PATH_BYTES = 4096 };

static const char *folder = "";
static int record = -1;
static int64_t length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic char is_tracked[DESCRIPTORS_MAX];

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("RECORD");
    const char *value = getenv("RECORDED_FOLDER");
    if (path == NULL || value == NULL) return;
    folder = value;
    record = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
}

static int tracks(int descriptor) {
    return descriptor >= 0 && descriptor < DESCRIPTORS_MAX && is_tracked[descriptor];
}

static int is_below(const char *path) {
    size_t count = strlen(folder);
    return count > 0 && strncmp(path, folder, count) == 0 && (path[count] == '/' || path[count] == 0);
}

static void note_bytes(
    enum kind kind, int descriptor, int64_t first, int64_t second, const char *path, const char *other,
    const void *data, size_t data_bytes) {
    int before = errno;
    struct header header = {
        kind, descriptor, first, second, (uint32_t)strlen(path), (uint32_t)strlen(other), (int64_t)data_bytes};
    struct iovec parts[4] = {
        {&header, sizeof header}, {(void *)path, header.path_bytes}, {(void *)other, header.other_path_bytes},
        {(void *)data, data_bytes}};
    size_t count = sizeof header + header.path_bytes + header.other_path_bytes + data_bytes;
    pthread_mutex_lock(&lock);
    if (syscall(SYS_writev, record, parts, 4) != (long)count) _exit(99);
    length += (int64_t)count;
    pthread_mutex_unlock(&lock);
    errno = before;
}

static void note(
    enum kind kind, int descriptor, int64_t first, int64_t second, const char *path, const char *other) {
    note_bytes(kind, descriptor, first, second, path, other, NULL, 0);
}

static int64_t length_now(void) {
    pthread_mutex_lock(&lock);
    int64_t now = length;
    pthread_mutex_unlock(&lock);
    return now;
}

static void path_of(int descriptor, char *path) {
    char link[64];
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long count = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_BYTES - 1);
    path[count < 0 ? 0 : count] = 0;
    errno = before;
}

static void full_path(int descriptor, const char *path, char *full) {
    if (*path == '/' || descriptor == AT_FDCWD) {
        snprintf(full, PATH_BYTES, "%s", path);
        return;
    }
    char base[PATH_BYTES];
    path_of(descriptor, base);
    snprintf(full, PATH_BYTES, "%.2000s/%.2000s", base, path);
}

// Finds the replaced function at the first call. errno does not change.
#define ORIGINAL(name) \
    static __typeof__(&name) original; \
    if (original == NULL) { \
        int before = errno; \
        original = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        errno = before; \
    }

static int opened(int descriptor, int flags) {
    if (descriptor < 0 || descriptor >= DESCRIPTORS_MAX || record < 0) return descriptor;
    char path[PATH_BYTES];
    path_of(descriptor, path);
    if (is_below(path)) {
        note(OPENED, descriptor, (flags & O_CREAT) != 0, (flags & O_TRUNC) != 0, path, "");
        is_tracked[descriptor] = 1;
    }
    return descriptor;
}

static mode_t mode_of(int flags, va_list arguments) {
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        ORIGINAL(name) \
        va_list arguments; \
        va_start(arguments, flags); \
        mode_t mode = mode_of(flags, arguments); \
        va_end(arguments); \
        return opened(original(path, flags, mode), flags); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int folder_descriptor, const char *path, int flags, ...) { \
        ORIGINAL(name) \
        va_list arguments; \
        va_start(arguments, flags); \
        mode_t mode = mode_of(flags, arguments); \
        va_end(arguments); \
        return opened(original(folder_descriptor, path, flags, mode), flags); \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int descriptor) {
    ORIGINAL(close)
    if (tracks(descriptor)) {
        is_tracked[descriptor] = 0;
        note(CLOSED, descriptor, 0, 0, "", "");
    }
    return original(descriptor);
}

static int made_folder(int result, const char *path) {
    if (result == 0 && is_below(path)) note(MADE_FOLDER, -1, 0, 0, path, "");
    return result;
}

int mkdir(const char *path, mode_t mode) {
    ORIGINAL(mkdir)
    return made_folder(original(path, mode), path);
}

int mkdirat(int descriptor, const char *path, mode_t mode) {
    ORIGINAL(mkdirat)
    char full[PATH_BYTES];
    full_path(descriptor, path, full);
    return made_folder(original(descriptor, path, mode), full);
}

static int removed(int result, const char *path) {
    if (result == 0 && is_below(path)) note(REMOVED, -1, 0, 0, path, "");
    return result;
}

int rmdir(const char *path) {
    ORIGINAL(rmdir)
    return removed(original(path), path);
}

int unlink(const char *path) {
    ORIGINAL(unlink)
    return removed(original(path), path);
}

int unlinkat(int descriptor, const char *path, int flags) {
    ORIGINAL(unlinkat)
    char full[PATH_BYTES];
    full_path(descriptor, path, full);
    return removed(original(descriptor, path, flags), full);
}

int rename(const char *path, const char *new_path) {
    ORIGINAL(rename)
    int result = original(path, new_path);
    if (result == 0 && is_below(new_path)) note(RENAMED, -1, 0, 0, path, new_path);
    return result;
}

int renameat(int from, const char *path, int to, const char *new_path) {
    ORIGINAL(renameat)
    char full[PATH_BYTES], new_full[PATH_BYTES];
    full_path(from, path, full);
    full_path(to, new_path, new_full);
    int result = original(from, path, to, new_path);
    if (result == 0 && is_below(new_full)) note(RENAMED, -1, 0, 0, full, new_full);
    return result;
}

int linkat(int from, const char *path, int to, const char *new_path, int flags) {
    ORIGINAL(linkat)
    char full[PATH_BYTES], new_full[PATH_BYTES];
    full_path(from, path, full);
    full_path(to, new_path, new_full);
    int result = original(from, path, to, new_path, flags);
    if (result == 0 && is_below(new_full)) note(LINKED, -1, 0, 0, full, new_full);
    return result;
}

#define SYNC(name) \
    int name(int descriptor) { \
        ORIGINAL(name) \
        int64_t began = length_now(); \
        int result = original(descriptor); \
        if (result == 0 && tracks(descriptor)) note(SYNCED, descriptor, began, 0, "", ""); \
        return result; \
    }
SYNC(fsync)
SYNC(fdatasync)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    ORIGINAL(write)
    ssize_t written = original(descriptor, bytes, count);
    if (written > 0 && tracks(descriptor)) {
        int64_t end = lseek(descriptor, 0, SEEK_CUR);
        note_bytes(WRITTEN, descriptor, end - written, 0, "", "", bytes, (size_t)written);
    }
    return written;
}

#define PWRITE(name, offset_type) \
    ssize_t name(int descriptor, const void *bytes, size_t count, offset_type offset) { \
        ORIGINAL(name) \
        ssize_t written = original(descriptor, bytes, count, offset); \
        if (written > 0 && tracks(descriptor)) { \
            note_bytes(WRITTEN, descriptor, offset, 0, "", "", bytes, (size_t)written); \
        } \
        return written; \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define FTRUNCATE(name, offset_type) \
    int name(int descriptor, offset_type size) { \
        ORIGINAL(name) \
        int result = original(descriptor, size); \
        if (result == 0 && tracks(descriptor)) note(RESIZED, descriptor, size, 0, "", ""); \
        return result; \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define FALLOCATE(name, offset_type) \
    int name(int descriptor, int mode, offset_type offset, offset_type count) { \
        ORIGINAL(name) \
        int result = original(descriptor, mode, offset, count); \
        if (result == 0 && tracks(descriptor)) { \
            note(mode & FALLOC_FL_PUNCH_HOLE ? ZEROED : GROWN, descriptor, offset, count, "", ""); \
        } \
        return result; \
    }
FALLOCATE(fallocate, off_t)
FALLOCATE(fallocate64, off64_t)

#define POSIX_FALLOCATE(name, offset_type) \
    int name(int descriptor, offset_type offset, offset_type count) { \
        ORIGINAL(name) \
        int result = original(descriptor, offset, count); \
        if (result == 0 && tracks(descriptor)) note(GROWN, descriptor, offset, count, "", ""); \
        return result; \
    }
POSIX_FALLOCATE(posix_fallocate, off_t)
POSIX_FALLOCATE(posix_fallocate64, off64_t)

// Bytes that a test writes and knows again, quick also where Swift is built for debugging.
#include "disk.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t disk_read_durable(const char *path, void *bytes, size_t count, int64_t offset) {
    uint32_t folder = 0;
    char leaf[NAME_BYTES], object[PATH_BYTES];
    disk_lock();
    int64_t node = resolve(0, path, &folder, leaf);
    ssize_t result = -1;
    if (node > 0 && disk->nodes[node].kind == FILE_NODE) {
        object_path((uint32_t)node, 1, object);
        int descriptor = (int)syscall(SYS_openat, AT_FDCWD, object, O_RDONLY | O_CLOEXEC);
        result = descriptor < 0 ? 0 : syscall(SYS_pread64, descriptor, bytes, count, offset);
        if (descriptor >= 0) syscall(SYS_close, descriptor);
    }
    disk_unlock();
    return result;
}

void disk_fill(uint64_t seed, uint64_t place, void *bytes, size_t count) {
    unsigned char *target = bytes;
    for (size_t index = 0; index < count; index++) {
        uint64_t word = (place + index) / 8;
        uint64_t mixed = (seed + word * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
        target[index] = (unsigned char)((mixed ^ mixed >> 32) >> (place + index) % 8 * 8);
    }
}

uint64_t disk_hash(const void *bytes, size_t count) {
    const unsigned char *source = bytes;
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t index = 0; index < count; index++) hash = (hash ^ source[index]) * 0x100000001b3;
    return hash;
}

int disk_holds(const void *bytes, size_t count, const void *others, size_t other_count) {
    return memmem(bytes, count, others, other_count) != NULL;
}

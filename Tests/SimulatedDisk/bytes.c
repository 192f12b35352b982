// Writes and recognizes the bytes of tests. This is C code because it must be fast also where Swift is built for
// debugging.
#include "disk.h"

#include <fcntl.h>
#include <stdlib.h>
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
        if (descriptor < 0) result = 0;
        else if (bytes == NULL) result = syscall(SYS_lseek, descriptor, 0, SEEK_END);
        else result = syscall(SYS_pread64, descriptor, bytes, count, offset);
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

enum { CHAINS = 1 << 16 };

static uint32_t chain_of(const char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return (uint32_t)(word * 0x9e3779b97f4a7c15 >> 48);
}

ssize_t disk_find(const void *bytes, size_t count, const void *needles, size_t needle_count) {
    static uint32_t firsts[CHAINS];
    uint32_t *nexts = calloc(needle_count + 1, sizeof *nexts);
    if (nexts == NULL) give_up("there is no memory for what is looked for");
    memset(firsts, 0, sizeof firsts);
    const char *sought = needles, *source = bytes;
    for (size_t index = 0; index < needle_count; index++) {
        uint32_t chain = chain_of(sought + index * DISK_NEEDLE_BYTES);
        nexts[index + 1] = firsts[chain];
        firsts[chain] = (uint32_t)index + 1;
    }
    ssize_t found = -1;
    for (size_t place = 0; found < 0 && place + DISK_NEEDLE_BYTES <= count; place++) {
        for (uint32_t index = firsts[chain_of(source + place)]; index != 0; index = nexts[index]) {
            const char *needle = sought + (index - 1) * (size_t)DISK_NEEDLE_BYTES;
            if (memcmp(source + place, needle, DISK_NEEDLE_BYTES) == 0) found = (ssize_t)index - 1;
        }
    }
    free(nexts);
    return found;
}

// The bytes of files: writes that are not durable yet, and the effect of a sync on them.
#include "disk.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static size_t room_for(size_t count) {
    if (disk->change_count == 0) disk->arena_used = 0;
    if (disk->arena_used + count > ARENA_BYTES) {
        // The data is in the order in which it was written, so each piece only moves to a lower position.
        size_t used = 0;
        for (size_t index = 0; index < disk->change_count; index++) {
            struct change *change = &disk->changes[index];
            if (change->kind != WRITTEN) continue;
            memmove(arena + used, arena + change->data, (size_t)change->count);
            change->data = used;
            used += (size_t)change->count;
        }
        disk->arena_used = used;
    }
    if (disk->arena_used + count > ARENA_BYTES) give_up("too much was written to the simulated disk without a sync");
    size_t place = disk->arena_used;
    disk->arena_used += count;
    return place;
}

void note_change(uint32_t node, enum change_kind kind, int64_t offset, int64_t count, const void *bytes) {
    if (disk->change_count == CHANGES_MAX) give_up("the simulated disk has too many changes");
    size_t data = 0;
    if (kind == WRITTEN) {
        data = room_for((size_t)count);
        memcpy(arena + data, bytes, (size_t)count);
    }
    disk->changes[disk->change_count++] = (struct change){node, (uint8_t)kind, 0, offset, count, data};
    int64_t *size = &disk->nodes[node].size;
    if (kind == RESIZED) {
        *size = count;
    } else if (kind != ZEROED && *size < offset + count) {
        *size = offset + count;
    }
}

static int open_durable(uint32_t node) {
    char path[PATH_BYTES];
    object_path(node, 1, path);
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) give_up("a file of the simulated disk cannot be opened");
    return descriptor;
}

static void write_all(int descriptor, const char *bytes, int64_t count, int64_t offset) {
    while (count > 0) {
        long written = syscall(SYS_pwrite64, descriptor, bytes, count, offset);
        if (written <= 0) give_up("a file of the simulated disk cannot be written");
        bytes += written;
        count -= written;
        offset += written;
    }
}

static void grow(int descriptor, int64_t size) {
    off_t end = (off_t)syscall(SYS_lseek, descriptor, 0, SEEK_END);
    if (end < size) syscall(SYS_ftruncate, descriptor, size);
}

void apply_change(int descriptor, const struct change *change, int64_t start, int64_t count) {
    static const char zeros[4096];
    switch ((enum change_kind)change->kind) {
    case WRITTEN:
        write_all(descriptor, arena + change->data + start, count, change->offset + start);
        break;
    case RESIZED:
        syscall(SYS_ftruncate, descriptor, change->count);
        break;
    case GROWN:
        grow(descriptor, change->offset + change->count);
        break;
    case ZEROED: {
        int64_t end = (int64_t)syscall(SYS_lseek, descriptor, 0, SEEK_END);
        if (end > change->offset + change->count) end = change->offset + change->count;
        for (int64_t place = change->offset; place < end; place += (int64_t)sizeof zeros) {
            int64_t part = end - place < (int64_t)sizeof zeros ? end - place : (int64_t)sizeof zeros;
            write_all(descriptor, zeros, part, place);
        }
        break;
    }
    }
}

void sync_data(uint32_t node) {
    int descriptor = -1;
    size_t left = 0;
    for (size_t index = 0; index < disk->change_count; index++) {
        const struct change *change = &disk->changes[index];
        if (change->node != node || change->is_lost) {
            disk->changes[left++] = *change;
            continue;
        }
        if (descriptor < 0) descriptor = open_durable(node);
        apply_change(descriptor, change, 0, change->count);
    }
    disk->change_count = left;
    if (descriptor >= 0) syscall(SYS_close, descriptor);
}

// Does what Linux does after a failed write to the device: the data stays in the page cache, and no later sync tries to
// write it again.
void lose_data(uint32_t node) {
    for (size_t index = 0; index < disk->change_count; index++) {
        if (disk->changes[index].node == node) disk->changes[index].is_lost = 1;
    }
}

// Cuts the power: durable data remains, and of all other changes any part may remain.
#include "disk.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t state;

// SplitMix64.
static uint64_t draw(void) {
    uint64_t mixed = state += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

static uint64_t below(uint64_t bound) {
    return bound == 0 ? 0 : draw() % bound;
}

// MARK: Names

// Chooses the name changes that survive. In random order of three models: all changes up to a point, as with a file
// system journal; all changes of a folder before its first lost one; or any changes.
static void settle_names(enum disk_luck luck) {
    static uint8_t is_missing[NODES_MAX];
    memset(is_missing, 0, sizeof is_missing);
    uint64_t order = below(3);
    size_t end = (size_t)below(disk->name_change_count + 1);
    for (size_t index = 0; index < disk->name_change_count; index++) {
        const struct name_change *change = &disk->name_changes[index];
        int stays = luck == DISK_SOME || luck == DISK_EVERYTHING;
        if (luck == DISK_SOME && order == 0) stays = index < end;
        if (luck == DISK_SOME && order != 0) stays = (int)below(2);
        for (uint32_t part = 0; order == 1 && part < change->count; part++) {
            stays = stays && !is_missing[change->parts[part].folder];
        }
        if (stays) {
            apply_name_change(change, &disk->durable);
        }
        for (uint32_t part = 0; !stays && part < change->count; part++) {
            is_missing[change->parts[part].folder] = 1;
        }
    }
    disk->name_change_count = 0;
}

// MARK: Bytes

static void apply_some(int descriptor, const struct change *change, int64_t sector) {
    uint64_t chance = below(4);
    if (chance == 0 || (chance == 1 && change->kind != WRITTEN)) {
        apply_change(descriptor, change, 0, change->count);
        return;
    }
    if (chance != 1) return;
    for (int64_t start = 0; start < change->count;) {
        int64_t end = ((change->offset + start) / sector + 1) * sector - change->offset;
        if (end > change->count) end = change->count;
        if (below(2)) apply_change(descriptor, change, start, end - start);
        start = end;
    }
}

static void copy_file(int source, int target) {
    static char bytes[1 << 16];
    int64_t size = (int64_t)syscall(SYS_lseek, source, 0, SEEK_END);
    syscall(SYS_ftruncate, target, 0);
    syscall(SYS_ftruncate, target, size);
    for (int64_t place = 0;;) {
        // Keeps holes as holes.
        place = (int64_t)syscall(SYS_lseek, source, place, SEEK_DATA);
        if (place < 0) break;
        long count = syscall(SYS_pread64, source, bytes, sizeof bytes, place);
        if (count <= 0) break;
        if (syscall(SYS_pwrite64, target, bytes, count, place) != count) abort();
        place += count;
    }
}

static void settle_file(uint32_t node, enum disk_luck luck) {
    char durable[PATH_BYTES], seen[PATH_BYTES];
    object_path(node, 1, durable);
    object_path(node, 0, seen);
    int target = (int)syscall(SYS_openat, AT_FDCWD, seen, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    int source = (int)syscall(SYS_openat, AT_FDCWD, durable, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (target < 0 || source < 0) abort();
    int64_t sector = below(2) ? 512 : 4096;
    const struct change *newest = NULL;
    for (size_t index = 0; index < disk->change_count; index++) {
        const struct change *change = &disk->changes[index];
        if (change->node != node) continue;
        if (luck == DISK_EVERYTHING) apply_change(source, change, 0, change->count);
        if (luck == DISK_SOME) apply_some(source, change, sector);
        newest = change;
    }
    if (luck == DISK_NEWEST && newest != NULL) apply_change(source, newest, 0, newest->count);
    copy_file(source, target);
    disk->nodes[node].size = (int64_t)syscall(SYS_lseek, target, 0, SEEK_END);
    syscall(SYS_close, source);
    syscall(SYS_close, target);
}

static void settle_files(enum disk_luck luck) {
    static uint8_t is_changed[NODES_MAX];
    memset(is_changed, 0, sizeof is_changed);
    for (size_t index = 0; index < disk->change_count; index++) is_changed[disk->changes[index].node] = 1;
    for (uint32_t node = 0; node < NODES_MAX; node++) {
        if (is_changed[node]) settle_file(node, luck);
    }
    disk->change_count = 0;
    disk->arena_used = 0;
}

// MARK: The tree that programs see

static void remove_tree(void) {
    char path[PATH_BYTES];
    for (size_t index = 0; index < disk->seen.count; index++) {
        const struct name *name = &disk->seen.all[index];
        if (disk->nodes[name->node].kind == FILE_NODE && full_path(&disk->seen, name, path)) {
            syscall(SYS_unlinkat, AT_FDCWD, path, 0);
        }
    }
    // Removes nested folders, beginning with the innermost.
    for (int depth = 0; depth < 8; depth++) {
        for (size_t index = disk->seen.count; index-- > 0;) {
            const struct name *name = &disk->seen.all[index];
            if (disk->nodes[name->node].kind == FOLDER && full_path(&disk->seen, name, path)) {
                syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
            }
        }
    }
}

static void make_tree(void) {
    char path[PATH_BYTES], object[PATH_BYTES];
    // The contents of a folder without a name are gone.
    for (int is_dropped = 1; is_dropped;) {
        is_dropped = 0;
        for (size_t index = disk->durable.count; index-- > 0;) {
            if (full_path(&disk->durable, &disk->durable.all[index], path)) continue;
            disk->durable.all[index] = disk->durable.all[--disk->durable.count];
            is_dropped = 1;
        }
    }
    for (int depth = 0; depth < 8; depth++) {
        for (size_t index = 0; index < disk->durable.count; index++) {
            const struct name *name = &disk->durable.all[index];
            if (disk->nodes[name->node].kind != FOLDER || !full_path(&disk->durable, name, path)) continue;
            syscall(SYS_mkdirat, AT_FDCWD, path, 0700);
        }
    }
    for (size_t index = 0; index < disk->durable.count; index++) {
        const struct name *name = &disk->durable.all[index];
        if (disk->nodes[name->node].kind != FILE_NODE || !full_path(&disk->durable, name, path)) continue;
        object_path(name->node, 0, object);
        if (syscall(SYS_linkat, AT_FDCWD, object, AT_FDCWD, path, 0) != 0) abort();
    }
}

static void forget_nameless(void) {
    static uint8_t is_named[NODES_MAX];
    memset(is_named, 0, sizeof is_named);
    is_named[ROOT] = 1;
    for (size_t index = 0; index < disk->durable.count; index++) is_named[disk->durable.all[index].node] = 1;
    char path[PATH_BYTES];
    for (uint32_t node = ROOT + 1; node < NODES_MAX; node++) {
        if (is_named[node] || disk->nodes[node].kind == NO_NODE) continue;
        for (int is_durable = 0; disk->nodes[node].kind == FILE_NODE && is_durable < 2; is_durable++) {
            object_path(node, is_durable, path);
            syscall(SYS_unlinkat, AT_FDCWD, path, 0);
        }
        disk->nodes[node].kind = NO_NODE;
    }
}

void disk_cut_power(uint64_t seed, enum disk_luck luck) {
    state = seed;
    remove_tree();
    settle_names(luck);
    settle_files(luck);
    make_tree();
    forget_nameless();
    memcpy(&disk->seen, &disk->durable, sizeof disk->seen);
}

// Checks that data is overwritten before it leaves the disk, so that nothing of it remains in unused parts of the disk.
#include "disk.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Returns whether the path that the program sees as `folder`/`leaf`, relative to the disk, begins with the prefix.
static int is_below(const char *prefix, uint32_t folder, const char *leaf) {
    char path[PATH_BYTES];
    struct name name = {folder, 0, ""};
    snprintf(name.text, NAME_BYTES, "%s", leaf);
    if (prefix == NULL || !full_path(&disk->seen, &name, path)) return 0;
    return strncmp(path + disk->root_bytes, prefix, strlen(prefix)) == 0;
}

static int is_zero(uint32_t node, int64_t offset, int64_t count) {
    static const char zeros[1 << 12];
    char path[PATH_BYTES], bytes[sizeof zeros];
    object_path(node, 1, path);
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    int is_so = 1;
    while (descriptor >= 0 && is_so && count > 0) {
        // Holes read as zeros, so they are skipped.
        int64_t data = (int64_t)syscall(SYS_lseek, descriptor, offset, SEEK_DATA);
        if (data < 0 || data - offset >= count) break;
        count -= data - offset;
        offset = data;
        size_t part = count < (int64_t)sizeof bytes ? (size_t)count : sizeof bytes;
        long read = syscall(SYS_pread64, descriptor, bytes, part, offset);
        if (read <= 0) break;
        is_so = memcmp(bytes, zeros, (size_t)read) == 0;
        offset += read;
        count -= read;
    }
    if (descriptor >= 0) syscall(SYS_close, descriptor);
    return is_so;
}

void expect_erased_head(uint32_t folder, const char *leaf, uint32_t node) {
    const struct disk_plan *plan = &disk->plan;
    if (plan->heads_erased_in == NULL || disk->nodes[node].kind != FILE_NODE) return;
    if (!is_below(plan->heads_erased_in, folder, leaf) || is_zero(node, 0, plan->head_bytes)) return;
    give_up("a file was removed before its beginning was overwritten durably");
}

void expect_erased_part(uint32_t node, int64_t offset, int64_t count) {
    const char *prefix = disk->plan.cuts_erased_in;
    if (prefix == NULL || is_zero(node, offset, count)) return;
    for (size_t index = 0; index < disk->seen.count; index++) {
        const struct name *name = &disk->seen.all[index];
        if (name->node != node || !is_below(prefix, name->folder, name->text)) continue;
        give_up("a part of a file was given up before it was overwritten durably");
    }
}

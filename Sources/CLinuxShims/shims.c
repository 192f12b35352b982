#define _GNU_SOURCE
#include "CLinuxShims.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <unistd.h>

// Values of the kernel's asm-generic/socket.h, for C libraries that are older than the running kernel.
#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

int ghost_peer_credentials(int descriptor, uid_t *user, gid_t *group, pid_t *process) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) {
        return errno;
    }
    if (length != sizeof credentials) {
        return EINVAL;
    }
    *user = credentials.uid;
    *group = credentials.gid;
    *process = credentials.pid;
    return 0;
}

int ghost_peer_groups(int descriptor, gid_t *groups, size_t *count) {
    socklen_t length = (socklen_t)(*count * sizeof(gid_t));
    int failed = getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups, &length) != 0;
    int error = errno;
    *count = length / sizeof(gid_t);
    return failed ? error : 0;
}

int ghost_refuse_passed_descriptors(int descriptor) {
    int off = 0;
    if (setsockopt(descriptor, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof off) != 0) {
        return errno;
    }
    return 0;
}

int ghost_hold_file(const char *path) {
    return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

void ghost_begin_write_back(int descriptor) {
    sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE);
}

void ghost_start_writing(int descriptor) {
    sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

ssize_t ghost_read_cached(int descriptor, void *bytes, size_t byte_count, int64_t offset) {
    struct iovec part = {bytes, byte_count};
    return preadv2(descriptor, &part, 1, offset, RWF_NOWAIT);
}

int64_t ghost_next_data(int descriptor, int64_t offset) {
    return lseek(descriptor, offset, SEEK_DATA);
}

void ghost_punch_hole(int descriptor, int64_t offset, int64_t byte_count) {
    fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, byte_count);
}

int ghost_sync_file_system(int descriptor) {
    return syncfs(descriptor);
}

int ghost_rename_to_free_name(int folder, const char *name, const char *new_name) {
    return renameat2(folder, name, folder, new_name, RENAME_NOREPLACE);
}

int ghost_disable_dumping(void) {
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
        return errno;
    }
    return 0;
}

void ghost_limit_allocator(int arenas_max, int trim_threshold_bytes, int mmap_threshold_bytes) {
    mallopt(M_ARENA_MAX, arenas_max);
    mallopt(M_TRIM_THRESHOLD, trim_threshold_bytes);
    mallopt(M_MMAP_THRESHOLD, mmap_threshold_bytes);
}

void ghost_release_freed_pages(void) {
    malloc_trim(0);
}

// Releases only segments that were never writable. Relocations create private copies of pages in the others, which
// would be lost.
static int release_code_pages_of(struct dl_phdr_info *object, size_t size, void *total) {
    (void)size;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || (segment->p_flags & PF_W)) {
            continue;
        }
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = object->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        if (madvise((void *)start, end - start, MADV_DONTNEED) == 0) {
            *(size_t *)total += end - start;
        }
    }
    return 0;
}

size_t ghost_release_code_pages(void) {
    size_t total = 0;
    dl_iterate_phdr(release_code_pages_of, &total);
    return total;
}

int ghost_boot_timer_open(void) {
    return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
}

int ghost_boot_timer_set(int descriptor, int64_t microseconds) {
    struct itimerspec when = {
        .it_value = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000},
    };
    return timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &when, NULL) == 0 ? 0 : errno;
}

int64_t ghost_synchronized_time(void) {
    struct timex clock = {0};
    int state = adjtimex(&clock);
    if (state < 0 || state == TIME_ERROR || (clock.status & STA_UNSYNC)) {
        return 0;
    }
    int64_t fraction = clock.status & STA_NANO ? clock.time.tv_usec / 1000 : clock.time.tv_usec;
    return (int64_t)clock.time.tv_sec * 1000000 + fraction;
}

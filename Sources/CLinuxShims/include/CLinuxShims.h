// Linux calls that Swift cannot import: variadic functions, and types that glibc declares only with _GNU_SOURCE.
// Functions that return a plain status return 0 or an errno, unless their comment describes another result.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Gets the user, group and process that called connect() on the other end of a connected stream socket (unix(7),
// SO_PEERCRED).
int ghost_peer_credentials(int descriptor, uid_t *user, gid_t *group, pid_t *process);

// Gets the supplementary groups of the peer at connect() (SO_PEERGROUPS, Linux 4.13). `count` is the capacity of
// `groups` on entry and the number of groups on return. Returns ERANGE if they do not fit; `count` is then the number
// of groups.
int ghost_peer_groups(int descriptor, gid_t *groups, size_t *count);

// Rejects file descriptors that a peer tries to pass (SO_PASSRIGHTS, Linux 6.16). Older kernels return ENOPROTOOPT.
int ghost_refuse_passed_descriptors(int descriptor);

// Opens a handle on a file itself, without following symbolic links (open(2), O_PATH). While it is open, no other file
// can get the same inode number. Returns the descriptor, or -1 with errno set.
int ghost_hold_file(const char *path);

// Waits for writes of the file that are in progress, and starts to write its dirty pages (sync_file_range(2)). Calling
// it every few MiB limits the time of a later fdatasync. It does not make anything durable.
void ghost_begin_write_back(int descriptor);

// Starts to write the file's dirty pages without waiting, for threads that must not be delayed.
void ghost_start_writing(int descriptor);

// Reads a part of a file from the page cache without waiting for the disk (preadv2(2), RWF_NOWAIT). Returns the number
// of bytes, or -1 if nothing is cached or the file system does not support this.
ssize_t ghost_read_cached(int descriptor, void *bytes, size_t byte_count, int64_t offset);

// Returns the offset of the first byte at or after `offset` that is not in a hole of the file (lseek(2), SEEK_DATA). On
// a file system without holes this is `offset` itself. Returns -1 with ENXIO if only a hole follows.
int64_t ghost_next_data(int descriptor, int64_t offset);

// Frees the disk space of a part of a file, which reads as zeros afterwards (fallocate(2), FALLOC_FL_PUNCH_HOLE). Does
// nothing on a file system that does not support this.
void ghost_punch_hole(int descriptor, int64_t offset, int64_t byte_count);

// Makes everything durable that was written to the descriptor's file system (syncfs(2)). Returns -1 with errno set on
// failure.
int ghost_sync_file_system(int descriptor);

// Renames a file within a folder unless the new name exists (renameat2(2), RENAME_NOREPLACE). Returns -1 on failure,
// with EEXIST if the name exists, and with EINVAL if the file system does not support this.
int ghost_rename_to_free_name(int folder, const char *name, const char *new_name);

// Prevents core dumps, ptrace and /proc/<pid>/mem by other processes of the same user (prctl(PR_SET_DUMPABLE, 0)).
int ghost_disable_dumping(void);

// Limits the number of the allocator's arenas, and sets the thresholds for returning freed memory to the system
// (mallopt(3)).
void ghost_limit_allocator(int arenas_max, int trim_threshold_bytes, int mmap_threshold_bytes);

// Returns unused pages of the heap to the system (malloc_trim(3)).
void ghost_release_freed_pages(void);

// Releases the pages with the code of the program and its libraries, which are never written (madvise(2),
// MADV_DONTNEED). Pages that are needed again are mapped again from the page cache; pages that only the start needed
// are not. Returns the number of bytes for which this was done.
size_t ghost_release_code_pages(void);

// Creates a timer descriptor that becomes readable at a set time (timerfd_create(2), CLOCK_BOOTTIME). Time in which the
// machine sleeps counts. Returns -1 with errno set on failure.
int ghost_boot_timer_open(void);

// Sets the time of a timer descriptor in microseconds since the boot; 0 for never (timerfd_settime(2)).
int ghost_boot_timer_set(int descriptor, int64_t microseconds);

// Returns the wall clock in microseconds since 1970 if the kernel reports that a time service keeps it synchronized
// (adjtimex(2)). Returns 0 if it is not synchronized, or if the daemon is not allowed to ask.
int64_t ghost_synchronized_time(void);

#ifdef __cplusplus
}
#endif

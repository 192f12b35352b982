// The few Linux calls that Swift cannot reach: variadic functions, and types that glibc hides without _GNU_SOURCE.
// Every function returns 0, or the errno of the call that failed.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// unix(7), SO_PEERCRED: who called connect() on the other side of a connected stream socket.
int ghost_peer_credentials(int descriptor, uid_t *user, gid_t *group, pid_t *process);

// SO_PEERGROUPS (Linux 4.13): the supplementary groups of the peer at connect(). `count` holds the capacity of
// `groups` on entry and the number of groups on return; ERANGE means that it did not fit and `count` says how many
// there are.
int ghost_peer_groups(int descriptor, gid_t *groups, size_t *count);

// SO_PASSRIGHTS (Linux 6.16): refuses file descriptors that a peer tries to pass. Older kernels answer ENOPROTOOPT.
int ghost_refuse_passed_descriptors(int descriptor);

// open(2), O_PATH: a handle on the file of that name itself, symbolic links not followed, which keeps its inode number from
// being given to another file. -1 on failure.
int ghost_hold_file(const char *path);

// sync_file_range(2): waits for what of a file is on its way to the disk, and starts writing what is dirty. Called every
// few MiB it bounds what a later fdatasync has to wait for. Proves nothing.
void ghost_begin_write_back(int descriptor);

// The same without waiting for what is on its way: for who must not be held up.
void ghost_start_writing(int descriptor);

// preadv2(2), RWF_NOWAIT: reads what the page cache has of a part of a file. -1 where it has none of it, and where the
// file system cannot tell.
ssize_t ghost_read_cached(int descriptor, void *bytes, size_t byte_count, int64_t offset);

// lseek(2), SEEK_DATA: the first byte from `offset` on that is not in a hole of the file, which reads as zeros. Where
// the file system knows no holes that is `offset` itself. -1 with ENXIO when only a hole comes before the end.
int64_t ghost_next_data(int descriptor, int64_t offset);

// fallocate(2), FALLOC_FL_PUNCH_HOLE: gives the room of a part of a file back, which reads as zeros from then on. What
// a file system does not offer is not done.
void ghost_punch_hole(int descriptor, int64_t offset, int64_t byte_count);

// syncfs(2): makes durable all that was written on the file system of a descriptor. -1 on failure.
int ghost_sync_file_system(int descriptor);

// renameat2(2), RENAME_NOREPLACE: renames within a folder, unless something has the name. -1 on failure: with EEXIST where
// something has it, with EINVAL where the file system cannot do that.
int ghost_rename_to_free_name(int folder, const char *name, const char *new_name);

// prctl(PR_SET_DUMPABLE, 0): no core dump, no ptrace and no /proc/<pid>/mem by processes of the same user.
int ghost_disable_dumping(void);

// mallopt(3): few arenas, and freed memory goes back to the system early.
void ghost_limit_allocator(int arenas_max, int trim_threshold_bytes, int mmap_threshold_bytes);

// malloc_trim(3): pages of the heap that hold nothing go back to the system.
void ghost_release_freed_pages(void);

// madvise(2), MADV_DONTNEED, on the program's code and that of its libraries, which is only read: pages that are needed
// again come back from the page cache, pages that only the start needed stay away. Returns the bytes it was done for.
size_t ghost_release_code_pages(void);

// timerfd_create(2), CLOCK_BOOTTIME: a descriptor that can be read once its time has come; time in which the machine
// sleeps counts. -1 on failure.
int ghost_boot_timer_open(void);

// timerfd_settime(2): when its time comes, in microseconds since the machine was started; 0 for never.
int ghost_boot_timer_set(int descriptor, int64_t microseconds);

// adjtimex(2): the wall clock in microseconds since 1970 where the kernel says that a time service keeps it; 0 where none
// does, or where the daemon may not ask.
int64_t ghost_synchronized_time(void);

#ifdef __cplusplus
}
#endif

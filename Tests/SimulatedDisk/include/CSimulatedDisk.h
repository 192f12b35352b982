// A disk on which nothing is durable until it is synced. It replaces the system calls of the program it is linked into
// (docs/decisions/2026-11-23-simulated-disk.md). Files below `<folder>/disk` are on it, and all others are not
// affected.
//
// The program's first process creates the disk and never touches a file on it. Each life of the tested code is a
// process of its own, which ends where the plan says. Then the power may be cut.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What must happen in a life. With zeros, nothing happens.
struct disk_plan {
    // The process ends before its nth operation.
    uint64_t end_at_operation;
    // The process ends before its nth sync, or after it.
    uint64_t end_at_sync;
    int32_t ends_behind_sync;
    // The nth operation that can fail does so with this error. ENOSPC counts only operations that need space.
    uint64_t fail_at;
    int32_t error;
    // All later operations fail too.
    int32_t fails_for_ever;
    // A failing write has written the first half of its bytes.
    int32_t writes_half;
    // The syncs that do nothing: those of one place in the program, or all. 0 means none.
    uint64_t dropped_site;
    // For one such place: the process ends this many operations after the nth sync that did nothing. 0 means that it
    // does not end.
    uint64_t end_behind_drop, drops_before_end;
    // Records for each sync the place in the program that requested it.
    int32_t finds_sites;
    // Files in this folder or below it (a path on the disk such as `/folder/`) must have their first bytes durably
    // overwritten with zeros before their last name is removed. NULL means no such folder.
    const char *heads_erased_in;
    int64_t head_bytes;
    // The same must hold for bytes of files in this folder that are truncated or made a hole.
    const char *cuts_erased_in;
    // Waits with a time limit are shortened by this factor. 0 leaves them unchanged.
    int32_t hurry;
};

#define DISK_ALL_SITES UINT64_MAX

// The exit statuses of a life, in addition to 0 for a body that returned 0.
#define DISK_LIFE_ENDED 77  // the plan ended it
#define DISK_LIFE_STOPPED 78  // the store stopped by itself
#define DISK_LIFE_FAILED 79  // `disk_failure` returns the reason

// How many of the changes that are not durable survive a power cut. DISK_NEWEST keeps the last change of each file and
// no name.
enum disk_luck { DISK_NOTHING, DISK_SOME, DISK_EVERYTHING, DISK_NEWEST };

// Creates an empty disk in an empty folder. Returns 0, or an errno.
int disk_make(const char *folder);
// Empties the disk.
int disk_format(void);

// Runs `body` in a new process. Returns the wait status of waitpid(2), or -1.
int disk_live(const struct disk_plan *plan, int (*body)(void *), void *context);
// The numbers of operations and syncs in the last life.
uint64_t disk_operations(void);
uint64_t disk_syncs(void);
uint64_t disk_fallible(void);

// Discards changes that are not durable, in any order and also in part.
void disk_cut_power(uint64_t seed, enum disk_luck luck);

// Words that outlive a life. disk_format sets them to 0.
#define DISK_LEDGER_WORDS 1024
uint64_t disk_ledger_get(size_t word);
void disk_ledger_set(size_t word, uint64_t value);
// Replaces a word by `value` if that is larger. Any number of threads may do this at the same time.
void disk_ledger_raise(size_t word, uint64_t value);
void disk_ledger_add(size_t word, uint64_t value);
void disk_ledger_mark(size_t word, uint64_t bits);

// Ends the life with a message for people.
void disk_fail(const char *text) __attribute__((noreturn));
// Ends the life at once.
void disk_end(int status) __attribute__((noreturn));
const char *disk_failure(void);

// The places in the program that requested a sync while places were recorded.
size_t disk_site_count(void);
uint64_t disk_site(size_t index, uint64_t *count, const char **text);

// Reads the durable bytes of a file on the disk, whatever was written to the file since then. Returns the number of
// bytes read, or -1. With NULL for `bytes` it returns how many bytes there are.
ssize_t disk_read_durable(const char *path, void *bytes, size_t count, int64_t offset);

// Bytes for tests: those of a seed from a position on, and a short hash of any bytes.
void disk_fill(uint64_t seed, uint64_t place, void *bytes, size_t count);
uint64_t disk_hash(const void *bytes, size_t count);
// Returns the index of the first needle that the bytes contain, or -1. The needles have DISK_NEEDLE_BYTES each and
// follow one another.
#define DISK_NEEDLE_BYTES 16
ssize_t disk_find(const void *bytes, size_t count, const void *needles, size_t needle_count);

// A disk of which nothing is durable until it is synced, under the system calls of the program it is linked into
// (docs/decisions/2026-11-23-simulated-disk.md). Files below `<folder>/disk` are on it; all others are left alone.
//
// The program's first process makes the disk and never touches a file on it. Each life of what is tested is a process
// of its own, which ends where the plan says so; then the power may be cut.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What is to happen in a life. Zeros: nothing.
struct disk_plan {
    // The process ends before its nth operation.
    uint64_t end_at_operation;
    // The same before its nth sync, or behind it.
    uint64_t end_at_sync;
    int32_t ends_behind_sync;
    // The nth operation that can fails with this error: ENOSPC where room is needed, others anywhere.
    uint64_t fail_at;
    int32_t error;
    // And so do all that come after it.
    int32_t fails_for_ever;
    // A write that fails has written the first half.
    int32_t writes_half;
    // What is called a sync and is none: that of one place in the program, or all. 0: every sync is one.
    uint64_t dropped_site;
    // With one place: the process ends so many operations behind the nth sync that was none. 0: it does not.
    uint64_t end_behind_drop, drops_before_end;
    // Notes of each sync where in the program it is asked for.
    int32_t finds_sites;
    // Files right below or deeper in this folder, named from the disk on (`/folder/`), have their first bytes
    // overwritten with zeros, durably, before their last name goes. NULL: none.
    const char *heads_erased_in;
    int64_t head_bytes;
    // What of files in this folder is cut off or made a hole is that before.
    const char *cuts_erased_in;
    // Waits with a time limit are so many times as short; 0: as they are.
    int32_t hurry;
};

#define DISK_ALL_SITES UINT64_MAX

// How a life ended, beside 0 for what its body returned well.
#define DISK_LIFE_ENDED 77  // where the plan said so
#define DISK_LIFE_STOPPED 78  // the store stopped by itself
#define DISK_LIFE_FAILED 79  // `disk_failure` tells of what

// How much of what is not durable a power cut leaves. The newest: of each file its last change, and no name.
enum disk_luck { DISK_NOTHING, DISK_SOME, DISK_EVERYTHING, DISK_NEWEST };

// Makes an empty disk in an empty folder. 0, or an errno.
int disk_make(const char *folder);
// The same disk, empty again.
int disk_format(void);

// Runs `body` in a process of its own. The wait status of waitpid(2), or -1.
int disk_live(const struct disk_plan *plan, int (*body)(void *), void *context);
// Of the last life.
uint64_t disk_operations(void);
uint64_t disk_syncs(void);
uint64_t disk_fallible(void);

// Everything that is not durable may go, in any order and part of it.
void disk_cut_power(uint64_t seed, enum disk_luck luck);

// Words that outlive a life; they are 0 after disk_format.
#define DISK_LEDGER_WORDS 1024
uint64_t disk_ledger_get(size_t word);
void disk_ledger_set(size_t word, uint64_t value);
// The larger of both, whoever else does the same.
void disk_ledger_raise(size_t word, uint64_t value);
void disk_ledger_add(size_t word, uint64_t value);
void disk_ledger_mark(size_t word, uint64_t bits);

// Ends the life with words for people.
void disk_fail(const char *text) __attribute__((noreturn));
// Ends the life at once.
void disk_end(int status) __attribute__((noreturn));
const char *disk_failure(void);

// The places in the program that asked for a sync while they were looked for.
size_t disk_site_count(void);
uint64_t disk_site(size_t index, uint64_t *count, const char **text);

// What lies durably in a file of the disk, whatever was written to it since: how many bytes were read, or -1.
// NULL for `bytes`: how many there are.
ssize_t disk_read_durable(const char *path, void *bytes, size_t count, int64_t offset);

// Bytes for tests: those of a seed from a place on, and a short name for any.
void disk_fill(uint64_t seed, uint64_t place, void *bytes, size_t count);
uint64_t disk_hash(const void *bytes, size_t count);
// The first of some needles, of DISK_NEEDLE_BYTES each and one behind the other, that bytes hold; -1: none.
#define DISK_NEEDLE_BYTES 16
ssize_t disk_find(const void *bytes, size_t count, const void *needles, size_t needle_count);

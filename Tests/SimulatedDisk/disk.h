// Declarations that the files of the simulated disk share. All of it is used with one lock held, and by one process at
// a time.
#pragma once
#define _GNU_SOURCE
#include "include/CSimulatedDisk.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    NODES_MAX = 1 << 14,
    NAMES_MAX = 1 << 12,
    CHANGES_MAX = 1 << 17,
    NAME_CHANGES_MAX = 1 << 13,
    SITES_MAX = 512,
    NAME_BYTES = 96,
    PATH_BYTES = 4096,
    SITE_BYTES = 512,
    ROOT = 1,
};
#define ARENA_BYTES ((size_t)1 << 30)

enum node_kind { NO_NODE, FOLDER, FILE_NODE };

struct node {
    uint8_t kind;
    int64_t size;  // as the program sees it
};

struct name {
    uint32_t folder, node;
    char text[NAME_BYTES];
};

struct names {
    size_t count;
    struct name all[NAMES_MAX];
};

enum change_kind { WRITTEN, RESIZED, ZEROED, GROWN };

// A change of a file's bytes.
struct change {
    uint32_t node;
    uint8_t kind;
    uint8_t is_lost;  // its sync failed, so no later sync makes it durable
    int64_t offset, count;
    size_t data;  // the offset of the written bytes in the arena
};

// Names that are added, removed or changed together. A node of 0 removes the name.
struct name_change {
    uint32_t count;
    struct name parts[2];
};

struct shared {
    struct disk_plan plan;
    uint64_t operations, syncs, fallible, drops;
    char folder[PATH_BYTES];  // <folder>
    char root[PATH_BYTES];    // <folder>/disk
    size_t root_bytes;
    struct node nodes[NODES_MAX];
    struct names seen, durable;
    size_t change_count;
    struct change changes[CHANGES_MAX];
    size_t name_change_count;
    struct name_change name_changes[NAME_CHANGES_MAX];
    size_t arena_used;
    char failure[PATH_BYTES];
    _Atomic uint64_t ledger[DISK_LEDGER_WORDS];
    size_t site_count;
    struct {
        uint64_t hash, count;
        char text[SITE_BYTES];
    } sites[SITES_MAX];
};

extern struct shared *disk;
extern char *arena;
extern int is_alive;  // true in a process that uses the disk

// disk.c
void disk_lock(void);
void disk_unlock(void);
enum operation { WRITING, GROWING, SYNCING, NAMING, MAKING };
// Counts an operation, and ends the process if the plan says so. Returns 0, or the errno with which the operation must
// fail.
int begin(enum operation operation);
void end_life(int status) __attribute__((noreturn));
void give_up(const char *why) __attribute__((noreturn));
uint32_t make_node(enum node_kind kind);
// The path of the file that stores a node's bytes, whatever names the node has: as the program sees them, or as they
// are durable.
void object_path(uint32_t node, int is_durable, char path[PATH_BYTES]);

// names.c
// Returns the node of `path`, 0 if the path does not exist yet, or -1 if it is not on the disk.
int64_t resolve(uint32_t start, const char *path, uint32_t *folder, char leaf[NAME_BYTES]);
uint32_t find_name(const struct names *names, uint32_t folder, const char *text);
void set_name(struct names *names, uint32_t folder, const char *text, uint32_t node);
void note_name_change(struct name_change change);
void apply_name_change(const struct name_change *change, struct names *names);
void sync_names(uint32_t folder);
int full_path(const struct names *names, const struct name *name, char path[PATH_BYTES]);

// data.c
void note_change(uint32_t node, enum change_kind kind, int64_t offset, int64_t count, const void *bytes);
void sync_data(uint32_t node);
void lose_data(uint32_t node);
// Applies a part of a change to an open file with the durable bytes.
void apply_change(int descriptor, const struct change *change, int64_t start, int64_t count);

// erasures.c
// Ends the process if data leaves the disk that should have been overwritten before, and was not durably overwritten.
void expect_erased_head(uint32_t folder, const char *leaf, uint32_t node);
void expect_erased_part(uint32_t node, int64_t offset, int64_t count);

// sites.c
uint64_t find_site(void);

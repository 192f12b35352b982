// What the files of the simulated disk share. Everything is used under the one lock, in one process at a time.
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

// Of a file's bytes.
struct change {
    uint32_t node;
    uint8_t kind;
    uint8_t is_lost;  // a sync of it failed: no later one makes it durable
    int64_t offset, count;
    size_t data;  // of what was written, in the arena
};

// Names that come, go or change together. A node of 0: the name goes.
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
extern int is_alive;  // in a life

// disk.c
void disk_lock(void);
void disk_unlock(void);
enum operation { WRITING, GROWING, SYNCING, NAMING, MAKING };
// Counts an operation, and ends the life where it is to end. The errno to fail with, or 0.
int begin(enum operation operation);
void end_life(int status) __attribute__((noreturn));
void give_up(const char *why) __attribute__((noreturn));
uint32_t make_node(enum node_kind kind);
// Where a file's bytes are kept, whatever names it has: as the program sees them, and as they are durable.
void object_path(uint32_t node, int is_durable, char path[PATH_BYTES]);

// names.c
// The node of `path`, 0 where nothing has that name yet, -1 where it is not on the disk.
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
// Applies a part of a change to an open file that holds what is durable.
void apply_change(int descriptor, const struct change *change, int64_t start, int64_t count);

// erasures.c
// Ends the life where something goes from the disk that was to be overwritten before, and is not durably.
void expect_erased_head(uint32_t folder, const char *leaf, uint32_t node);
void expect_erased_part(uint32_t node, int64_t offset, int64_t count);

// sites.c
uint64_t find_site(void);

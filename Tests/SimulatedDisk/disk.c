// The disk itself, in memory that outlives the processes that use it, and the start and end of these processes.
#include "disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIFE_SECONDS_MAX = 600 };

struct shared *disk;
char *arena;
int is_alive;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void disk_lock(void) {
    pthread_mutex_lock(&mutex);
}

void disk_unlock(void) {
    pthread_mutex_unlock(&mutex);
}

static void *shared_memory(size_t count) {
    void *memory = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static int make_folder(const char *name) {
    char path[PATH_BYTES + 16];
    snprintf(path, sizeof path, "%s/%s", disk->folder, name);
    return syscall(SYS_mkdirat, AT_FDCWD, path, 0700) == 0 || errno == EEXIST ? 0 : errno;
}

int disk_make(const char *folder) {
    disk = shared_memory(sizeof *disk);
    arena = shared_memory(ARENA_BYTES);
    if (disk == NULL || arena == NULL) return ENOMEM;
    snprintf(disk->folder, sizeof disk->folder, "%s", folder);
    snprintf(disk->root, sizeof disk->root, "%s/disk", folder);
    disk->root_bytes = strlen(disk->root);
    int error = make_folder("disk");
    if (error == 0) error = make_folder("seen");
    if (error == 0) error = make_folder("durable");
    return error == 0 ? disk_format() : error;
}

// Removes everything in a folder, including files that a process which ended by an error left without a record.
static void empty_folder(const char *path) {
    DIR *folder = opendir(path);
    if (folder == NULL) return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char below[PATH_BYTES];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (snprintf(below, sizeof below, "%s/%s", path, entry->d_name) >= (int)sizeof below) continue;
        if (syscall(SYS_unlinkat, AT_FDCWD, below, 0) == 0) continue;
        empty_folder(below);
        syscall(SYS_unlinkat, AT_FDCWD, below, AT_REMOVEDIR);
    }
    closedir(folder);
}

int disk_format(void) {
    // After this no file has a name, so the power cut removes all of them.
    disk->durable.count = 0;
    disk->name_change_count = 0;
    disk->nodes[ROOT].kind = FOLDER;
    disk_cut_power(0, DISK_NOTHING);
    empty_folder(disk->root);
    for (size_t word = 0; word < DISK_LEDGER_WORDS; word++) disk->ledger[word] = 0;
    return 0;
}

uint32_t make_node(enum node_kind kind) {
    for (uint32_t node = ROOT + 1; node < NODES_MAX; node++) {
        if (disk->nodes[node].kind == NO_NODE) {
            disk->nodes[node] = (struct node){kind, 0};
            return node;
        }
    }
    give_up("the simulated disk has too many files");
}

void object_path(uint32_t node, int is_durable, char path[PATH_BYTES]) {
    snprintf(path, PATH_BYTES, "%.4000s/%s/%u", disk->folder, is_durable ? "durable" : "seen", node);
}

// MARK: Operations

int begin(enum operation operation) {
    disk->operations += 1;
    const struct disk_plan *plan = &disk->plan;
    if (disk->operations == plan->end_at_operation) end_life(DISK_LIFE_ENDED);
    if (operation == SYNCING) {
        disk->syncs += 1;
        if (disk->syncs == plan->end_at_sync) {
            if (!plan->ends_behind_sync) end_life(DISK_LIFE_ENDED);
            disk->plan.end_at_operation = disk->operations + 1;
        }
    }
    if (plan->error == 0 || (plan->error == ENOSPC && operation != GROWING && operation != MAKING)) return 0;
    disk->fallible += 1;
    int fails = disk->fallible == plan->fail_at || (plan->fails_for_ever && disk->fallible > plan->fail_at);
    return plan->fail_at != 0 && fails ? plan->error : 0;
}

uint64_t disk_operations(void) {
    return disk->operations;
}

uint64_t disk_syncs(void) {
    return disk->syncs;
}

uint64_t disk_fallible(void) {
    return disk->fallible;
}

// MARK: Lives

struct life {
    int (*body)(void *);
    void *context;
};

static void *run_life(void *life) {
    disk_end(((struct life *)life)->body(((struct life *)life)->context));
}

int disk_live(const struct disk_plan *plan, int (*body)(void *), void *context) {
    disk->plan = *plan;
    disk->operations = disk->syncs = disk->fallible = disk->drops = 0;
    disk->failure[0] = 0;
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        // A process that hangs counts as a failure.
        alarm(LIFE_SECONDS_MAX);
        is_alive = 1;
        // The body needs a new thread. The Swift runtime remembers the id of a thread that has waited, and after a fork
        // the current thread has a different id, for which the runtime's locks would not work.
        struct life life = {body, context};
        pthread_t thread;
        if (pthread_create(&thread, NULL, run_life, &life) != 0) give_up("a thread cannot be made");
        pthread_join(thread, NULL);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return status;
}

void end_life(int status) {
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

void give_up(const char *why) {
    snprintf(disk->failure, sizeof disk->failure, "%s", why);
    end_life(DISK_LIFE_FAILED);
}

// Takes the lock first, so that the operation of another thread is done and recorded completely, or not at all.
void disk_end(int status) {
    disk_lock();
    end_life(status);
}

void disk_fail(const char *text) {
    disk_lock();
    give_up(text);
}

const char *disk_failure(void) {
    return disk->failure;
}

uint64_t disk_ledger_get(size_t word) {
    return disk->ledger[word];
}

void disk_ledger_set(size_t word, uint64_t value) {
    disk->ledger[word] = value;
}

void disk_ledger_raise(size_t word, uint64_t value) {
    uint64_t present = disk->ledger[word];
    while (present < value && !atomic_compare_exchange_weak(&disk->ledger[word], &present, value)) {
    }
}

void disk_ledger_add(size_t word, uint64_t value) {
    disk->ledger[word] += value;
}

void disk_ledger_mark(size_t word, uint64_t bits) {
    disk->ledger[word] |= bits;
}

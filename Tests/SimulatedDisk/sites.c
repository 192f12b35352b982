// Finds the place in the program that requests a sync: the first two functions on the stack that are not helpers of all
// syncs.
#include "disk.h"

#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Parts of the mangled names of functions that every sync goes through.
static const char *const helpers[] = {
    "withoutInterruption", "SegmentFileC4sync", "SegmentFileC5erase", "StateDirectoryV4sync",
    "StateDirectoryV6rename", "JournalFolderV4sync", "OwnedDescriptorV", "withUnsafe", "find_site", "synced", "fsync",
    "fdatasync", "WriterC7perform", "administer", "exchangeFiles", "withKeyring", "withLock", "mapped", "TR", "TA",
};

struct function {
    uintptr_t start;
    const char *text;
};

static struct function *functions;
static size_t function_count;
static uintptr_t base;

static int is_before(const void *left, const void *right) {
    uintptr_t a = ((const struct function *)left)->start, b = ((const struct function *)right)->start;
    return a < b ? -1 : a > b;
}

// Reads the symbols of the program itself, including hidden ones, which dladdr(3) does not return.
static void read_symbols(void) {
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) return;
    const char *file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    syscall(SYS_close, descriptor);
    if (file == MAP_FAILED) return;
    const ElfW(Ehdr) *header = (const void *)file;
    const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
    for (int index = 0; index < header->e_shnum; index++) {
        if (sections[index].sh_type != SHT_SYMTAB) continue;
        const ElfW(Sym) *symbols = (const void *)(file + sections[index].sh_offset);
        const char *texts = file + sections[sections[index].sh_link].sh_offset;
        size_t count = sections[index].sh_size / sizeof *symbols;
        functions = calloc(count, sizeof *functions);
        for (size_t place = 0; functions != NULL && place < count; place++) {
            if ((symbols[place].st_info & 15) != STT_FUNC || symbols[place].st_value == 0) continue;
            functions[function_count++] = (struct function){symbols[place].st_value, texts + symbols[place].st_name};
        }
    }
    if (function_count > 0) qsort(functions, function_count, sizeof *functions, is_before);
}

static int note_base(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    (void)context;
    base = object->dlpi_addr;
    return 1;  // the program comes first
}

// Returns `NULL` for an address outside of the program.
static const char *function_at(const void *address) {
    uintptr_t place = (uintptr_t)address - base;
    size_t low = 0, high = function_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (functions[middle].start <= place) low = middle + 1;
        else high = middle;
    }
    // An address far after the last function belongs to a library.
    if (low == 0 || (low == function_count && place - functions[low - 1].start > 1 << 20)) return NULL;
    return functions[low - 1].text;
}

static int is_helper(const char *text) {
    for (size_t index = 0; index < sizeof helpers / sizeof *helpers; index++) {
        size_t count = strlen(helpers[index]), length = strlen(text);
        // Helpers with two letters are kinds of thunks, which are at the end of a mangled name.
        int is_end = length > 2 && strcmp(text + length - 2, helpers[index]) == 0;
        if (count == 2 ? is_end : strstr(text, helpers[index]) != NULL) return 1;
    }
    return 0;
}

uint64_t find_site(void) {
    if (functions == NULL) {
        dl_iterate_phdr(note_base, NULL);
        read_symbols();
    }
    void *frames[48];
    int count = backtrace(frames, 48);
    char text[SITE_BYTES] = "";
    size_t used = 0;
    int found = 0;
    uint64_t hash = 0xcbf29ce484222325;
    for (int index = 0; index < count && found < 2; index++) {
        const char *function = function_at((const char *)frames[index] - 1);
        if (function == NULL || is_helper(function)) continue;
        found += 1;
        for (const char *byte = function; *byte != 0; byte++) hash = (hash ^ (uint8_t)*byte) * 0x100000001b3;
        int more = snprintf(text + used, sizeof text - used, "%s%s", used == 0 ? "" : " ", function);
        used += (size_t)more < sizeof text - used ? (size_t)more : 0;
    }
    for (size_t index = 0; index < disk->site_count; index++) {
        if (disk->sites[index].hash == hash) {
            disk->sites[index].count += 1;
            return hash;
        }
    }
    if (disk->site_count < SITES_MAX) {
        disk->sites[disk->site_count].hash = hash;
        disk->sites[disk->site_count].count = 1;
        memcpy(disk->sites[disk->site_count++].text, text, sizeof text);
    }
    return hash;
}

size_t disk_site_count(void) {
    return disk->site_count;
}

uint64_t disk_site(size_t index, uint64_t *count, const char **text) {
    *count = disk->sites[index].count;
    *text = disk->sites[index].text;
    return disk->sites[index].hash;
}

#include "CWipedMemory.h"

#include <features.h>

/*
 * Memory that is freed is overwritten first, whoever frees it: SQLite's pages, Swift's strings and arrays, buffers of the
 * network. So texts do not outlive their use in the heap, and a locked store leaves next to nothing behind
 * (docs/decisions/2026-11-22-wiped-memory.md).
 *
 * free and realloc of this program stand before those of the C library. Blocks that were mapped on their own go back to
 * the kernel, which hands out zeros, and are left alone. Where another allocator was loaded in place of the C library's,
 * or a sanitizer is, theirs are used as they are.
 */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_OWN_ALLOCATOR 1
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_OWN_ALLOCATOR)

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern void *malloc(size_t byte_count);
extern void *__libc_malloc(size_t byte_count);
extern void *__libc_realloc(void *memory, size_t byte_count);
extern void __libc_free(void *memory);

/* Up to here a loop over words is quicker than a call. */
#define LOOPED_BYTES_MAX 192

/* From here on it is worth while to look for pages that are free. */
#define LARGE_BYTES_MIN ((size_t)128 << 10)

static atomic_uint large_blocks_freed;

unsigned ghost_large_blocks_freed(void) { return atomic_load_explicit(&large_blocks_freed, memory_order_relaxed); }

/* Two names for one function; the compiler takes them for two functions unless it has to look. */
static void *(*volatile const program_malloc)(size_t) = malloc;
static void *(*volatile const library_malloc)(size_t) = __libc_malloc;

static inline int is_c_library_in_use(void) { return program_malloc == library_malloc; }

/* The C library keeps a block's size and three flags in the word before it; the second flag is of blocks mapped alone. */
#define FLAGS_OF_BLOCK ((size_t)7)

static inline int is_mapped_alone(const void *memory) { return (((const size_t *)memory)[-1] & 2) != 0; }

/* What malloc_usable_size tells of a block that was not mapped alone: its size without that word. */
static inline size_t usable_byte_count(const void *memory) {
    return (((const size_t *)memory)[-1] & ~FLAGS_OF_BLOCK) - sizeof(size_t);
}

static inline void wipe(void *memory) {
    size_t byte_count = usable_byte_count(memory);
    if (byte_count > LOOPED_BYTES_MAX) {
        memset(memory, 0, byte_count);
        if (byte_count >= LARGE_BYTES_MIN) {
            atomic_fetch_add_explicit(&large_blocks_freed, 1, memory_order_relaxed);
        }
    } else {
        volatile uint64_t *words = memory;
        for (size_t index = 0; index < byte_count / sizeof *words; index++) {
            words[index] = 0;
        }
    }
    /* Whatever comes later, the zeros are wanted. */
    __asm__ volatile("" : : "r"(memory) : "memory");
}

void free(void *memory) {
    if (memory == NULL) {
        return;
    }
    if (!is_c_library_in_use()) {
        void (*next)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, "free");
        if (next != NULL) {
            next(memory);
        }
        return;
    }
    if (!is_mapped_alone(memory)) {
        wipe(memory);
    }
    __libc_free(memory);
}

void *realloc(void *memory, size_t byte_count) {
    if (!is_c_library_in_use()) {
        void *(*next)(void *, size_t) = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
        return next != NULL ? next(memory, byte_count) : NULL;
    }
    if (memory != NULL && byte_count == 0) {
        free(memory);
        return NULL;
    }
    if (memory == NULL || is_mapped_alone(memory)) {
        return __libc_realloc(memory, byte_count);
    }
    size_t had = usable_byte_count(memory);
    /* What the C library's own leaves behind where it moves or cuts a block is not wiped. */
    if (byte_count <= had && byte_count >= had / 2) {
        return memory;
    }
    void *resized = __libc_malloc(byte_count);
    if (resized != NULL) {
        memcpy(resized, memory, had < byte_count ? had : byte_count);
        free(memory);
    }
    return resized;
}

#else

unsigned ghost_large_blocks_freed(void) { return 0; }

#endif

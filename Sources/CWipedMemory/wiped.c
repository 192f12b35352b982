#include "CWipedMemory.h"

#include <features.h>

/*
 * Replaces free and realloc of the C library, so that all freed memory is overwritten: SQLite's pages, Swift's strings
 * and arrays, network buffers. Texts do not stay in the heap after their use, and a locked store leaves next to nothing
 * in memory (docs/decisions/2026-11-22-wiped-memory.md).
 *
 * Blocks that were mapped separately are not overwritten, because the kernel gets them back and clears their pages
 * before they are used again. If another allocator or a sanitizer replaces the C library's allocator, its functions are
 * used unchanged.
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

/* The size up to which a loop over words is faster than a call of memset. */
#define LOOPED_BYTES_MAX 192

/* The size from which a freed block is counted, because free pages may then be worth returning to the system. */
#define LARGE_BYTES_MIN ((size_t)128 << 10)

static atomic_uint large_blocks_freed;

unsigned ghost_large_blocks_freed(void) { return atomic_load_explicit(&large_blocks_freed, memory_order_relaxed); }

/*
 * Both names refer to the same function if the C library's allocator is in use. The compiler assumes that they differ,
 * so the pointers are volatile to make it compare them.
 */
static void *(*volatile const program_malloc)(size_t) = malloc;
static void *(*volatile const library_malloc)(size_t) = __libc_malloc;

static inline int is_c_library_in_use(void) { return program_malloc == library_malloc; }

/* The C library stores a block's size and three flags in the word before it. The second flag marks a mapped block. */
#define FLAGS_OF_BLOCK ((size_t)7)

static inline int is_mapped_alone(const void *memory) { return (((const size_t *)memory)[-1] & 2) != 0; }

/* Returns the same as malloc_usable_size for a block that was not mapped separately: its size without that word. */
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
    /* Prevents the compiler from removing the writes. */
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
    /* Do not call the C library's realloc, which does not wipe memory when it moves or shortens a block. */
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

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CWipedMemory.h"

/* Built together with Sources/CWipedMemory. Frees blocks in every possible way and checks the bytes that remain. */

/* The allocator writes its own data into the first bytes of a free block. */
#define LIST_BYTES 16
#define MARK 0xAB

static const char *const ways[] = {"free", "realloc to nothing", "realloc to more", "realloc to less"};

static void give_back(int way, void *block, size_t byte_count) {
    void *moved = NULL;
    switch (way) {
    case 0: free(block); return;
    case 1: moved = realloc(block, 0); break;
    case 2: moved = realloc(block, 3 * byte_count); break;
    default: moved = realloc(block, byte_count / 4); break;
    }
    if (way == 1 ? moved != NULL : (moved == NULL || *(unsigned char *)moved != MARK)) {
        printf("%s of %zu bytes gives another block than it should\n", ways[way], byte_count);
    }
}

int main(void) {
    static const size_t sizes[] = {64, 100, 192, 200, 1000, 5000, 60000};
    for (int way = 0; way < 4; way++) {
        for (size_t index = 0; index < sizeof sizes / sizeof *sizes; index++) {
            unsigned char *block = malloc(sizes[index]);
            size_t usable = malloc_usable_size(block);
            memset(block, MARK, usable);
            volatile unsigned char *left = block;
            give_back(way, block, sizes[index]);
            size_t count = 0;
            for (size_t place = LIST_BYTES; place < usable; place++) {
                count += left[place] == MARK;
            }
            if (count > 0) {
                printf("%s of %zu bytes leaves %zu of them\n", ways[way], sizes[index], count);
            }
        }
    }
    unsigned before = ghost_large_blocks_freed();
    mallopt(M_MMAP_THRESHOLD, 2 << 20);
    free(malloc(100));
    free(malloc(1 << 20));
    if (ghost_large_blocks_freed() != before + 1) {
        printf("large blocks that are freed are miscounted\n");
    }
    return 0;
}

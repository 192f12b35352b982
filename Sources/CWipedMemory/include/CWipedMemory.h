#pragma once

/* Linking it is enough for memory to be wiped. */

/* How many large blocks (at least 128 KiB) of the heap were freed since the start, modulo 2^32; stays 0 where another
 * allocator is in use. */
unsigned ghost_large_blocks_freed(void);

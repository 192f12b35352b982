#pragma once

/* Linking this library is enough: no function needs to be called for memory to be wiped. */

/* Returns the number of large heap blocks (at least 128 KiB) freed since the start, modulo 2^32. It stays 0 if another
 * allocator is in use. */
unsigned ghost_large_blocks_freed(void);

#pragma once
/* Without this define sqlite3.h hides sqlite3_key and sqlite3_rekey. */
#define SQLITE_HAS_CODEC 1
#include <sqlite3.h>

/*
 * The head of SQLCipher 3.4.1's table of cryptographic functions, which the library exports a pointer to and its
 * header leaves out (sqlcipher_provider in its crypto.h). Other versions lay it out otherwise.
 */
typedef struct {
    int (*activate)(void *context);
    int (*deactivate)(void *context);
    const char *(*name)(void *context);
    int (*add_random)(void *context, void *bytes, int byte_count);
    int (*random)(void *context, void *bytes, int byte_count);
    int (*hmac)(void *context, unsigned char *key, int key_bytes, unsigned char *first, int first_bytes,
                unsigned char *second, int second_bytes, unsigned char *output);
    int (*kdf)(void *context, const unsigned char *password, int password_bytes, unsigned char *salt, int salt_bytes,
               int rounds, int key_bytes, unsigned char *key);
    int (*cipher)(void *context, int mode, unsigned char *key, int key_bytes, unsigned char *iv, unsigned char *input,
                  int input_bytes, unsigned char *output);
    int (*set_cipher)(void *context, const char *name);
    const char *(*get_cipher)(void *context);
    int (*get_key_bytes)(void *context);
    int (*get_iv_bytes)(void *context);
    int (*get_block_bytes)(void *context);
    int (*get_hmac_bytes)(void *context);
    int (*copy_context)(void *target, void *source);
    int (*compare_contexts)(void *one, void *other);
    int (*make_context)(void **context);
    int (*free_context)(void **context);
} ghost_sqlcipher_provider_3_4;

/*
 * The operations of an open database file (https://www.sqlite.org/c3ref/io_methods.html) with some of them replaced, and
 * what the replacements need to know. SQLite sees `methods`.
 */
typedef struct {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *original;
    int page_bytes;
    /* Not 0: the file stays as it is. */
    int is_preserved;
    /* Counts the whole pages that are read. */
    unsigned long long *pages_read;
    /* What ends reads of pages; null for nothing. */
    void *cutoff;
    /* Frames of a WAL that wait for the end of their commit, from where in the file; null where none do. */
    unsigned char *gathered;
    int gathered_bytes;
    sqlite3_int64 gathered_at;
    /* Behind the last write. */
    sqlite3_int64 written_to;
    /* Where frames are missing that could not be written; -1 for nowhere. */
    sqlite3_int64 lost_at;
    /* The page that comes next is the last of its commit. */
    int ends_commit;
} ghost_guarded_io_methods;

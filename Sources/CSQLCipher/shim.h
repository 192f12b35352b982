#pragma once
/* sqlite3.h declares sqlite3_key and sqlite3_rekey only with this define. */
#define SQLITE_HAS_CODEC 1
#include <sqlite3.h>

/*
 * The beginning of SQLCipher 3.4.1's table of cryptographic functions (sqlcipher_provider in its crypto.h). The library
 * exports a pointer to the table, but its public header does not declare the type. Other versions have another layout.
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
 * The methods of an open database file (https://www.sqlite.org/c3ref/io_methods.html), some of them replaced, and the
 * state of the replacements. SQLite uses a pointer to `methods`.
 */
typedef struct {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *original;
    int page_bytes;
    /* Not 0 if the file must not be changed. */
    int is_preserved;
    /* The counter of whole pages read. */
    unsigned long long *pages_read;
    /* The StatementCutoff that can interrupt reads of pages; null for none. */
    void *cutoff;
    /* The buffer for WAL frames that wait for the end of their commit, their size and their offset in the file. Null
     * for a file without buffering. */
    unsigned char *gathered;
    int gathered_bytes;
    sqlite3_int64 gathered_at;
    /* The offset after the last write; -1 if unknown. */
    sqlite3_int64 written_to;
    /* The offset at which frames are missing because they could not be written; -1 if none are. */
    sqlite3_int64 lost_at;
    /* Not 0 if the next page is the last of its commit. */
    int ends_commit;
} ghost_guarded_io_methods;

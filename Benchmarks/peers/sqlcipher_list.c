// Lists the newest 100 messages of a conversation in this very process, on the system's SQLCipher: the floor for what
// the daemon does over its socket. Tables, page format, statements and rows are those of the daemon
// (Sources/StoreEngine/Database/Schema.swift, CipherProfile in Sources/SQLCipher/Connection).
//
// usage: sqlcipher_list create DATABASE CONVERSATIONS MESSAGES TEXTS_FILE
//        sqlcipher_list list DATABASE CONVERSATIONS WARM_UP_SECONDS SECONDS
#define _GNU_SOURCE
#define SQLITE_HAS_CODEC 1
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ROWS = 100,
    COLUMNS = 16,
    TEXTS_MAX = 64,
    TEXT_BYTES_MAX = 4096,
    ID_BYTES = 37,
    SAMPLES_MAX = 4000000,
};

static const char KEY[] = "x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'";

static const char SCHEMA[] =
    "CREATE TABLE conversations (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
    " session_id TEXT NOT NULL UNIQUE);"
    "CREATE TABLE messages (conversation INTEGER NOT NULL REFERENCES conversations (number) ON DELETE CASCADE,"
    " timestamp INTEGER NOT NULL, sequence INTEGER NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL,"
    " sender TEXT NOT NULL, recipient TEXT NOT NULL, status INTEGER NOT NULL, is_outgoing INTEGER NOT NULL,"
    " is_read INTEGER NOT NULL, attachment_url TEXT, attachment_type TEXT, reply_to TEXT,"
    " created_at INTEGER NOT NULL, edited_at INTEGER,"
    " PRIMARY KEY (conversation, timestamp, sequence)) WITHOUT ROWID;"
    "CREATE UNIQUE INDEX messages_by_id ON messages (id);";

static const char LIST[] =
    "SELECT m.conversation, m.timestamp, m.sequence, m.id, m.text, m.sender, m.recipient, m.status, m.is_outgoing,"
    " m.is_read, m.attachment_url, m.attachment_type, m.reply_to, m.created_at, m.edited_at, c.id"
    " FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number"
    " WHERE c.number = ?1 ORDER BY m.timestamp DESC, m.sequence DESC LIMIT ?2";

// What a caller would get: every column copied out of the library.
struct row {
    int64_t integers[COLUMNS];
    char texts[COLUMNS][TEXT_BYTES_MAX / COLUMNS];
};

static sqlite3 *database;
static struct row page[ROWS];

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, database ? sqlite3_errmsg(database) : "no database");
    exit(1);
}

static void execute(const char *statement) {
    if (sqlite3_exec(database, statement, NULL, NULL, NULL) != SQLITE_OK) fail(statement);
}

static sqlite3_stmt *prepare(const char *text) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, text, -1, &statement, NULL) != SQLITE_OK) fail(text);
    return statement;
}

static void open_database(const char *path) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
    if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK) fail("open");
    if (sqlite3_key(database, KEY, (int)sizeof KEY - 1) != SQLITE_OK) fail("key");
    // Unknown to SQLCipher 3, which ignores it; in 4 it resets the page size, so it comes first.
    execute("PRAGMA cipher_compatibility = 3");
    execute("PRAGMA cipher_page_size = 2048");
    execute("PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON");
}

static void conversation_id(char *id, unsigned number) {
    snprintf(id, ID_BYTES, "01980000-0000-7000-8000-%012x", number);
}

static unsigned read_texts(const char *path, char texts[TEXTS_MAX][TEXT_BYTES_MAX]) {
    FILE *file = fopen(path, "r");
    unsigned count = 0;
    if (file == NULL) fail("texts file");
    while (count < TEXTS_MAX && fgets(texts[count], TEXT_BYTES_MAX, file) != NULL) {
        texts[count][strcspn(texts[count], "\n")] = 0;
        count++;
    }
    fclose(file);
    if (count == 0) fail("the texts file is empty");
    return count;
}

static void create_conversations(unsigned conversations) {
    sqlite3_stmt *insert = prepare("INSERT INTO conversations VALUES (?1, ?2, ?3)");
    for (unsigned number = 0; number < conversations; number++) {
        char id[ID_BYTES], session[32];
        conversation_id(id, number);
        snprintf(session, sizeof session, "bench-01234567-%07u", number);
        sqlite3_bind_int64(insert, 1, number + 1);
        sqlite3_bind_text(insert, 2, id, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(insert, 3, session, -1, SQLITE_TRANSIENT);
        if (sqlite3_step(insert) != SQLITE_DONE) fail("insert a conversation");
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
}

static void create(unsigned conversations, unsigned messages, const char *texts_file) {
    static char texts[TEXTS_MAX][TEXT_BYTES_MAX];
    unsigned text_count = read_texts(texts_file, texts);
    execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    execute(SCHEMA);
    execute("BEGIN");
    create_conversations(conversations);
    sqlite3_stmt *insert = prepare("INSERT INTO messages VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'bench-own-session', 1, ?7, 0,"
                                   " NULL, NULL, NULL, ?2, NULL)");
    for (unsigned number = 0; number < messages; number++) {
        char id[ID_BYTES], session[32];
        snprintf(id, sizeof id, "%08x-%04x-7%03x-9000-000000000000", 0x01990000 + (number >> 28),
                 number >> 12 & 0xffff, number & 0xfff);
        snprintf(session, sizeof session, "bench-01234567-%07u", number % conversations);
        sqlite3_bind_int64(insert, 1, number % conversations + 1);
        sqlite3_bind_int64(insert, 2, INT64_C(1760000000000000) + number);
        sqlite3_bind_int64(insert, 3, number);
        sqlite3_bind_text(insert, 4, id, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(insert, 5, texts[number % text_count], -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 6, session, -1, SQLITE_TRANSIENT);
        sqlite3_bind_int64(insert, 7, number % 2 == 0);
        if (sqlite3_step(insert) != SQLITE_DONE) fail("insert a message");
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

static void copy_row(sqlite3_stmt *select, struct row *row) {
    for (int column = 0; column < COLUMNS; column++) {
        if (sqlite3_column_type(select, column) == SQLITE_INTEGER) {
            row->integers[column] = sqlite3_column_int64(select, column);
        } else if (sqlite3_column_type(select, column) == SQLITE_TEXT) {
            const unsigned char *text = sqlite3_column_text(select, column);
            size_t bytes = (size_t)sqlite3_column_bytes(select, column);
            memcpy(row->texts[column], text, bytes < sizeof row->texts[column] ? bytes : sizeof row->texts[column]);
        }
    }
}

static void list_one(sqlite3_stmt *lookup, sqlite3_stmt *select, unsigned conversation) {
    char id[ID_BYTES];
    conversation_id(id, conversation);
    sqlite3_bind_text(lookup, 1, id, -1, SQLITE_STATIC);
    if (sqlite3_step(lookup) != SQLITE_ROW) fail("no such conversation");
    sqlite3_bind_int64(select, 1, sqlite3_column_int64(lookup, 0));
    sqlite3_reset(lookup);
    sqlite3_bind_int(select, 2, ROWS);
    int rows = 0;
    while (sqlite3_step(select) == SQLITE_ROW && rows < ROWS) copy_row(select, &page[rows++]);
    sqlite3_reset(select);
    if (rows != ROWS) fail("a conversation has fewer than 100 messages");
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static int compare_samples(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void list(unsigned conversations, double warm_up_seconds, double seconds) {
    execute("PRAGMA query_only = ON; PRAGMA wal_autocheckpoint = 0");
    sqlite3_stmt *lookup = prepare("SELECT number FROM conversations WHERE id = ?1");
    sqlite3_stmt *select = prepare(LIST);
    uint64_t *samples = malloc(SAMPLES_MAX * sizeof *samples);
    if (samples == NULL) fail("malloc");
    uint64_t count_from = now() + (uint64_t)(warm_up_seconds * 1e9);
    uint64_t count_until = count_from + (uint64_t)(seconds * 1e9);
    uint64_t random = 1;
    size_t count = 0;
    for (;;) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t start = now();
        list_one(lookup, select, (unsigned)((random >> 33) % conversations));
        uint64_t end = now();
        if (end > count_until || count == SAMPLES_MAX) break;
        if (start >= count_from) samples[count++] = end - start;
    }
    if (count == 0) fail("nothing was measured");
    qsort(samples, count, sizeof *samples, compare_samples);
    printf("p50_nanoseconds %llu lists %zu\n", (unsigned long long)samples[count / 2], count);
}

int main(int argc, char **argv) {
    if (argc == 6 && strcmp(argv[1], "create") == 0) {
        open_database(argv[2]);
        create((unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]), argv[5]);
    } else if (argc == 6 && strcmp(argv[1], "list") == 0) {
        open_database(argv[2]);
        list((unsigned)atoi(argv[3]), atof(argv[4]), atof(argv[5]));
    } else {
        fputs("usage: sqlcipher_list create DATABASE CONVERSATIONS MESSAGES TEXTS_FILE\n"
              "       sqlcipher_list list DATABASE CONVERSATIONS WARM_UP_SECONDS SECONDS\n", stderr);
        return 2;
    }
    return 0;
}

// Gets messages, and lists the newest 100 of a conversation, in one process with the system's SQLCipher. This is the
// lowest possible cost of what the daemon does over its socket. Tables, page format, page cache, statements and rows
// are those of the daemon (Sources/StoreEngine/Schema/Schema.swift, CipherProfile in Sources/SQLCipher/Connection).
//
// usage: sqlcipher_reads create DATABASE CONVERSATIONS MESSAGES TEXTS_FILE
//        sqlcipher_reads list DATABASE CONVERSATIONS WARM_UP_SECONDS SECONDS
//        sqlcipher_reads get DATABASE MESSAGES WARM_UP_SECONDS SECONDS
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
    COLUMNS = 20,
    // This many consecutive messages belong to the same conversation.
    MESSAGES_IN_A_ROW = 10,
    MESSAGES_PER_COMMIT = 100000,
    TEXTS_MAX = 64,
    TEXT_BYTES_MAX = 4096,
    COPIED_TEXT_BYTES_MAX = 256,
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
    " created_at INTEGER NOT NULL, edited_at INTEGER, reactions BLOB, timer INTEGER, expires_at INTEGER,"
    " attachments INTEGER,"
    " PRIMARY KEY (conversation, timestamp, sequence)) WITHOUT ROWID;"
    "CREATE UNIQUE INDEX messages_by_id ON messages (id);";

#define MESSAGE_COLUMNS \
    "m.conversation, m.timestamp, m.sequence, m.id, m.text, m.sender, m.recipient, m.status, m.is_outgoing," \
    " m.is_read, m.attachment_url, m.attachment_type, m.reply_to, m.created_at, m.edited_at, m.reactions, m.timer," \
    " m.expires_at, m.attachments, c.id"

static const char GET[] =
    "SELECT " MESSAGE_COLUMNS " FROM messages AS m INDEXED BY messages_by_id"
    " CROSS JOIN conversations AS c ON c.number = m.conversation WHERE m.id = ?1";

static const char LIST[] =
    "SELECT " MESSAGE_COLUMNS " FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number"
    " WHERE c.number = ?1 ORDER BY m.timestamp DESC, m.sequence DESC LIMIT ?2";

// The row that a caller would get: every column, copied out of the library.
struct row {
    int64_t integers[COLUMNS];
    char texts[COLUMNS][COPIED_TEXT_BYTES_MAX];
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
    // SQLCipher 3 does not know this pragma and ignores it. In SQLCipher 4 it resets the page size, so it must come
    // first.
    execute("PRAGMA cipher_compatibility = 3");
    execute("PRAGMA cipher_page_size = 2048");
    execute("PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON");
}

static void message_id(char *id, unsigned number) {
    snprintf(id, ID_BYTES, "%08x-%04x-7%03x-9000-000000000000", 0x01990000 + (number >> 28), number >> 12 & 0xffff,
             number & 0xfff);
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
    // A lost database is simply created again, so no sync is needed. A large cache keeps the page that each
    // conversation is written to.
    execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144");
    execute(SCHEMA);
    execute("BEGIN");
    create_conversations(conversations);
    sqlite3_stmt *insert = prepare("INSERT INTO messages VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'bench-own-session', 1, ?7, 0,"
                                   " NULL, NULL, NULL, ?2, NULL, NULL, NULL, NULL, NULL)");
    for (unsigned number = 0; number < messages; number++) {
        char id[ID_BYTES], session[32];
        unsigned conversation = number / MESSAGES_IN_A_ROW % conversations;
        if (number > 0 && number % MESSAGES_PER_COMMIT == 0) execute("COMMIT; BEGIN");
        message_id(id, number);
        snprintf(session, sizeof session, "bench-01234567-%07u", conversation);
        sqlite3_bind_int64(insert, 1, conversation + 1);
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

struct reads {
    sqlite3_stmt *lookup, *select;
};

static void list_one(struct reads reads, unsigned conversation) {
    char id[ID_BYTES];
    conversation_id(id, conversation);
    sqlite3_bind_text(reads.lookup, 1, id, -1, SQLITE_STATIC);
    if (sqlite3_step(reads.lookup) != SQLITE_ROW) fail("no such conversation");
    sqlite3_bind_int64(reads.select, 1, sqlite3_column_int64(reads.lookup, 0));
    sqlite3_reset(reads.lookup);
    sqlite3_bind_int(reads.select, 2, ROWS);
    int rows = 0;
    while (sqlite3_step(reads.select) == SQLITE_ROW && rows < ROWS) copy_row(reads.select, &page[rows++]);
    sqlite3_reset(reads.select);
    if (rows != ROWS) fail("a conversation has fewer than 100 messages");
}

static void get_one(struct reads reads, unsigned message) {
    char id[ID_BYTES];
    message_id(id, message);
    sqlite3_bind_text(reads.select, 1, id, -1, SQLITE_STATIC);
    if (sqlite3_step(reads.select) != SQLITE_ROW) fail("no such message");
    copy_row(reads.select, &page[0]);
    sqlite3_reset(reads.select);
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

// Repeatedly reads one of `count` items, each with the same probability.
static void measure(void (*read_one)(struct reads, unsigned), struct reads reads, unsigned count,
                    double warm_up_seconds, double seconds) {
    uint64_t *samples = malloc(SAMPLES_MAX * sizeof *samples);
    if (samples == NULL) fail("malloc");
    uint64_t count_from = now() + (uint64_t)(warm_up_seconds * 1e9);
    uint64_t count_until = count_from + (uint64_t)(seconds * 1e9);
    uint64_t random = 1;
    size_t sample_count = 0;
    for (;;) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t start = now();
        read_one(reads, (unsigned)((random >> 33) % count));
        uint64_t end = now();
        if (end > count_until || sample_count == SAMPLES_MAX) break;
        if (start >= count_from) samples[sample_count++] = end - start;
    }
    if (sample_count == 0) fail("nothing was measured");
    qsort(samples, sample_count, sizeof *samples, compare_samples);
    printf("p50_nanoseconds %llu reads %zu\n", (unsigned long long)samples[sample_count / 2], sample_count);
}

static void measure_reads(char **argv) {
    unsigned count = (unsigned)atoi(argv[3]);
    double warm_up_seconds = atof(argv[4]), seconds = atof(argv[5]);
    execute("PRAGMA query_only = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -8192");
    if (strcmp(argv[1], "list") == 0) {
        struct reads lists = {prepare("SELECT number FROM conversations WHERE id = ?1"), prepare(LIST)};
        measure(list_one, lists, count, warm_up_seconds, seconds);
    } else {
        struct reads gets = {NULL, prepare(GET)};
        measure(get_one, gets, count, warm_up_seconds, seconds);
    }
}

int main(int argc, char **argv) {
    if (argc == 6 && strcmp(argv[1], "create") == 0) {
        open_database(argv[2]);
        create((unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]), argv[5]);
    } else if (argc == 6 && (strcmp(argv[1], "list") == 0 || strcmp(argv[1], "get") == 0)) {
        open_database(argv[2]);
        measure_reads(argv);
    } else {
        fputs("usage: sqlcipher_reads create DATABASE CONVERSATIONS MESSAGES TEXTS_FILE\n"
              "       sqlcipher_reads list DATABASE CONVERSATIONS WARM_UP_SECONDS SECONDS\n"
              "       sqlcipher_reads get DATABASE MESSAGES WARM_UP_SECONDS SECONDS\n", stderr);
        return 2;
    }
    return 0;
}

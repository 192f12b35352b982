// The least work of a local server that stores what it acknowledges, encrypted: one thread, epoll, a Unix stream
// socket. The requests that arrive in one turn become one record, with as many bytes as in ghoststored's journal
// (proto-docs/JOURNAL.md). The record is sealed, written over zeros that are already on the disk, and synced before any
// of the requests is answered. There is no database, no decoding, no ordering and no recovery.
//
// usage: journal_floor SOCKET FILE FILE_BYTES RECORD_BYTES REQUEST_RECORD_BYTES RESPONSE_BYTES RESULT_FIELD
//   RECORD_BYTES          the size of a record's content without its requests
//   REQUEST_RECORD_BYTES  the size of each request in the content
#define _GNU_SOURCE
#include "local_server.h"
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <sys/epoll.h>
#include <unistd.h>

enum {
    EVENTS_MAX = 256,
    CONNECTIONS_MAX = 4096,
    REQUEST_BYTES_MAX = 64 << 10,
    RECORD_CONTENT_MAX = 1 << 20,
    // The bytes of a record: the authenticated head and the nonce, then the content and its tag.
    HEAD_BYTES = 32,
    NONCE_BYTES = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
    TAG_BYTES = crypto_aead_xchacha20poly1305_ietf_ABYTES,
    FIRST_OFFSET = 4096,
};

struct connection {
    size_t received;
    uint8_t *request;
};

// The state of the journal: the offset of the next record, and the number of the previous one.
struct journal {
    int file;
    off_t end, offset;
    size_t record_bytes, request_record_bytes;
    uint64_t number;
    uint8_t key[crypto_aead_xchacha20poly1305_ietf_KEYBYTES];
    uint8_t record[HEAD_BYTES + NONCE_BYTES + RECORD_CONTENT_MAX + TAG_BYTES];
};

static struct connection connections[CONNECTIONS_MAX];
static struct journal journal;
static uint8_t response[FRAME_BYTES_MAX];
static size_t response_bytes;
// The connections whose request arrived completely in this turn.
static int whole[CONNECTIONS_MAX];
static int whole_count;

static void open_journal(const char *path, off_t byte_count) {
    static uint8_t zeros[256 << 10];
    journal.file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (journal.file < 0) fail("journal");
    for (off_t offset = 0; offset < byte_count; offset += (off_t)sizeof zeros) {
        if (pwrite(journal.file, zeros, sizeof zeros, offset) != (ssize_t)sizeof zeros) fail("fill the journal");
    }
    if (fsync(journal.file) != 0) fail("fsync");
    journal.end = byte_count;
    journal.offset = FIRST_OFFSET;
    crypto_aead_xchacha20poly1305_ietf_keygen(journal.key);
}

static void write_record(size_t content_bytes) {
    uint8_t *record = journal.record, *nonce = record + HEAD_BYTES, *content = nonce + NONCE_BYTES;
    uint8_t *tag = content + content_bytes;
    size_t record_bytes = HEAD_BYTES + NONCE_BYTES + content_bytes + TAG_BYTES;
    journal.number++;
    memcpy(record, &content_bytes, 4);
    memcpy(record + 8, &journal.number, sizeof journal.number);
    randombytes_buf(nonce, NONCE_BYTES);
    crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
        content, tag, NULL, content, content_bytes, record, HEAD_BYTES, NULL, nonce, journal.key);
    if (journal.offset + (off_t)record_bytes > journal.end) journal.offset = FIRST_OFFSET;
    if (pwrite(journal.file, record, record_bytes, journal.offset) != (ssize_t)record_bytes) fail("pwrite");
    if (fdatasync(journal.file) != 0) fail("fdatasync");
    journal.offset += (off_t)((record_bytes + 7) & ~(size_t)7);
    memcpy(record + 16, tag, TAG_BYTES);
}

static size_t frame_bytes(const struct connection *connection) {
    const uint8_t *head = connection->request;
    if (connection->received < FRAME_LENGTH_BYTES) return SIZE_MAX;
    return FRAME_LENGTH_BYTES + ((size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3]);
}

// Makes the complete requests durable, in as few records as possible, and answers them.
static void finish_turn(void) {
    int room = (int)((RECORD_CONTENT_MAX - journal.record_bytes) / journal.request_record_bytes);
    for (int first = 0; first < whole_count; first += room) {
        int count = whole_count - first < room ? whole_count - first : room;
        uint8_t *content = journal.record + HEAD_BYTES + NONCE_BYTES + journal.record_bytes;
        for (int index = 0; index < count; index++) {
            const struct connection *connection = &connections[whole[first + index]];
            size_t bytes = frame_bytes(connection), room_bytes = journal.request_record_bytes;
            memcpy(content + (size_t)index * room_bytes, connection->request, bytes < room_bytes ? bytes : room_bytes);
        }
        write_record(journal.record_bytes + (size_t)count * journal.request_record_bytes);
        for (int index = 0; index < count; index++) {
            int client = whole[first + index];
            copy_id(response, connections[client].request);
            connections[client].received = 0;
            // A response is smaller than a socket's buffer, and its reader waits for it, so one call sends all of it.
            if (send(client, response, response_bytes, MSG_NOSIGNAL) != (ssize_t)response_bytes) close(client);
        }
    }
    whole_count = 0;
}

static void accept_one(int poll, int listener) {
    int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (client < 0) return;
    if (client >= CONNECTIONS_MAX) {
        close(client);
        return;
    }
    struct connection *connection = &connections[client];
    connection->received = 0;
    if (connection->request == NULL) connection->request = malloc(REQUEST_BYTES_MAX);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = client};
    if (connection->request == NULL || epoll_ctl(poll, EPOLL_CTL_ADD, client, &event) != 0) fail("accept");
}

// Every client waits for its response before it sends the next request, so no bytes follow a complete request.
static void receive(int client) {
    struct connection *connection = &connections[client];
    ssize_t count =
        recv(client, connection->request + connection->received, REQUEST_BYTES_MAX - connection->received, 0);
    if (count <= 0) {
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        close(client);
        return;
    }
    connection->received += (size_t)count;
    if (connection->received == frame_bytes(connection)) {
        whole[whole_count++] = client;
    } else if (connection->received == REQUEST_BYTES_MAX) {
        close(client);
    }
}

static void serve(int listener) {
    int poll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    if (poll < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event) != 0) fail("epoll");
    for (;;) {
        struct epoll_event events[EVENTS_MAX];
        int count = epoll_wait(poll, events, EVENTS_MAX, -1);
        if (count < 0 && errno != EINTR) fail("epoll_wait");
        for (int index = 0; index < count; index++) {
            if (events[index].data.fd == listener) {
                accept_one(poll, listener);
            } else {
                receive(events[index].data.fd);
            }
        }
        finish_turn();
    }
}

int main(int argc, char **argv) {
    if (argc != 8) {
        fputs("usage: journal_floor SOCKET FILE FILE_BYTES RECORD_BYTES REQUEST_RECORD_BYTES RESPONSE_BYTES"
              " RESULT_FIELD\n", stderr);
        return 2;
    }
    long file_bytes = atol(argv[3]);
    journal.record_bytes = strtoul(argv[4], NULL, 10);
    journal.request_record_bytes = strtoul(argv[5], NULL, 10);
    response_bytes = strtoul(argv[6], NULL, 10);
    unsigned long result_field = strtoul(argv[7], NULL, 10);
    if (file_bytes < FIRST_OFFSET + (long)sizeof journal.record || file_bytes % (256 << 10) != 0 ||
        journal.record_bytes > RECORD_CONTENT_MAX / 2 || journal.request_record_bytes < 1 ||
        journal.request_record_bytes > RECORD_CONTENT_MAX / 2 || response_bytes < HEADER_END ||
        response_bytes > FRAME_BYTES_MAX || result_field < RESULT_FIELD_MIN || result_field > RESULT_FIELD_MAX) {
        fputs("a size or the field is out of range\n", stderr);
        return 2;
    }
    if (sodium_init() < 0) fail("sodium_init");
    open_journal(argv[2], file_bytes);
    prepare_response(response, response_bytes, (unsigned)result_field);
    serve(listen_on(argv[1]));
}

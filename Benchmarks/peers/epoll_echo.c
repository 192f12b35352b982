// The least a local server can do: one thread, epoll, a Unix stream socket. It reads requests of a fixed size and
// answers each with a frame of a fixed size that repeats the request's id, so that the same driver takes it for an
// answer of ghoststored.
//
// usage: epoll_echo SOCKET REQUEST_BYTES RESPONSE_BYTES
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    EVENTS_MAX = 256,
    CONNECTIONS_MAX = 4096,
    // Frame length (4), then field 1 with an id of 4 bytes (5).
    ID_END = 9,
    // Tag of field 122, length-delimited (2), and its length as a varint of 3 bytes.
    HEADER_END = ID_END + 5,
    FRAME_BYTES_MAX = 1 << 20,
};

struct connection {
    size_t received;
    uint8_t *request;
};

static struct connection connections[CONNECTIONS_MAX];
static uint8_t response[FRAME_BYTES_MAX];
static size_t request_bytes;
static size_t response_bytes;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void prepare_response(void) {
    uint32_t length = (uint32_t)(response_bytes - 4);
    uint32_t content = (uint32_t)(response_bytes - HEADER_END);
    uint8_t header[HEADER_END] = {
        length >> 24, length >> 16, length >> 8, length, 0x08, 0, 0, 0, 0,
        0xd2, 0x07, 0x80 | (content & 0x7f), 0x80 | (content >> 7 & 0x7f), content >> 14 & 0x7f,
    };
    memset(response, 'x', sizeof response);
    memcpy(response, header, sizeof header);
}

static int listen_on(const char *path) {
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (listener < 0) fail("socket");
    if (strlen(path) >= sizeof address.sun_path) {
        fputs("the socket path is too long\n", stderr);
        exit(2);
    }
    strcpy(address.sun_path, path);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
    if (listen(listener, 1024) != 0) fail("listen");
    return listener;
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
    if (connection->request == NULL) connection->request = malloc(request_bytes);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = client};
    if (connection->request == NULL || epoll_ctl(poll, EPOLL_CTL_ADD, client, &event) != 0) fail("accept");
}

static void answer(int client) {
    struct connection *connection = &connections[client];
    ssize_t count = recv(client, connection->request + connection->received, request_bytes - connection->received, 0);
    if (count <= 0) {
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        close(client);
        return;
    }
    connection->received += (size_t)count;
    if (connection->received < request_bytes) return;
    connection->received = 0;
    memcpy(response + 4, connection->request + 4, ID_END - 4);
    // An answer is far smaller than a socket's buffer, and its reader waits for it.
    if (send(client, response, response_bytes, MSG_NOSIGNAL) != (ssize_t)response_bytes) close(client);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fputs("usage: epoll_echo SOCKET REQUEST_BYTES RESPONSE_BYTES\n", stderr);
        return 2;
    }
    request_bytes = strtoul(argv[2], NULL, 10);
    response_bytes = strtoul(argv[3], NULL, 10);
    if (request_bytes < ID_END || request_bytes > FRAME_BYTES_MAX || response_bytes < HEADER_END ||
        response_bytes > FRAME_BYTES_MAX) {
        fputs("sizes must be between 14 and 1048576 bytes\n", stderr);
        return 2;
    }
    prepare_response();
    int listener = listen_on(argv[1]);
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
                answer(events[index].data.fd);
            }
        }
    }
}

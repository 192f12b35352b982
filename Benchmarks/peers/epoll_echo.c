// The least work that a local server can do: one thread, epoll, a Unix stream socket. It reads requests of a fixed size
// and answers each with a frame of a fixed size that repeats the request's id, so the driver of the bench accepts the
// frame as a response of ghoststored.
//
// usage: epoll_echo SOCKET REQUEST_BYTES RESPONSE_BYTES RESULT_FIELD
#define _GNU_SOURCE
#include "local_server.h"
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

enum {
    EVENTS_MAX = 256,
    CONNECTIONS_MAX = 4096,
};

struct connection {
    size_t received;
    uint8_t *request;
};

static struct connection connections[CONNECTIONS_MAX];
static uint8_t response[FRAME_BYTES_MAX];
static size_t request_bytes;
static size_t response_bytes;

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
    copy_id(response, connection->request);
    // A response is smaller than a socket's buffer, and its reader waits for it, so one call sends all of it.
    if (send(client, response, response_bytes, MSG_NOSIGNAL) != (ssize_t)response_bytes) close(client);
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fputs("usage: epoll_echo SOCKET REQUEST_BYTES RESPONSE_BYTES RESULT_FIELD\n", stderr);
        return 2;
    }
    request_bytes = strtoul(argv[2], NULL, 10);
    response_bytes = strtoul(argv[3], NULL, 10);
    unsigned long result_field = strtoul(argv[4], NULL, 10);
    if (request_bytes < ID_END || request_bytes > FRAME_BYTES_MAX || response_bytes < HEADER_END ||
        response_bytes > FRAME_BYTES_MAX || result_field < RESULT_FIELD_MIN || result_field > RESULT_FIELD_MAX) {
        fputs("sizes must be between 14 and 1048576 bytes, the field between 16 and 2047\n", stderr);
        return 2;
    }
    prepare_response(response, response_bytes, (unsigned)result_field);
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

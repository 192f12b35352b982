// Code that the servers share: listening, and frames that the driver of the bench accepts as responses of ghoststored.
#ifndef LOCAL_SERVER_H
#define LOCAL_SERVER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

enum {
    FRAME_LENGTH_BYTES = 4,
    // The length of the frame, then field 1 with an id of 4 bytes (5 bytes in all).
    ID_END = FRAME_LENGTH_BYTES + 5,
    // The tag of the result (2 bytes), which is length-delimited, and its length as a varint of 3 bytes.
    HEADER_END = ID_END + 5,
    FRAME_BYTES_MAX = 1 << 20,
    // The fields whose tag has two bytes.
    RESULT_FIELD_MIN = 16,
    RESULT_FIELD_MAX = 2047,
};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

// Prepares a response of this size, in which only the id is missing.
static void prepare_response(uint8_t *response, size_t byte_count, unsigned result_field) {
    uint32_t length = (uint32_t)(byte_count - FRAME_LENGTH_BYTES);
    uint32_t content = (uint32_t)(byte_count - HEADER_END);
    unsigned tag = result_field << 3 | 2;
    uint8_t header[HEADER_END] = {
        length >> 24, length >> 16, length >> 8, length, 0x08, 0, 0, 0, 0,
        0x80 | (tag & 0x7f), tag >> 7, 0x80 | (content & 0x7f), 0x80 | (content >> 7 & 0x7f), content >> 14 & 0x7f,
    };
    memset(response, 'x', byte_count);
    memcpy(response, header, sizeof header);
}

// Copies field 1 of the request to the response.
static void copy_id(uint8_t *response, const uint8_t *request) {
    memcpy(response + FRAME_LENGTH_BYTES, request + FRAME_LENGTH_BYTES, ID_END - FRAME_LENGTH_BYTES);
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

#endif

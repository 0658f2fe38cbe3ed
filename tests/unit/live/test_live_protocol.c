// SPDX-License-Identifier: MIT
// What the server of the live page takes and refuses: examples of RFC 6455, requests of strangers,
// and bytes of chance.
#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "live/request.h"
#include "live/websocket.h"
#include "math/rng.h"

#define TOKEN "0123456789abcdef0123456789abcdef"

// RFC 6455, 1.3.
static void handshake(void **state) {
    (void)state;
    char accept[RB_SOCKET_ACCEPT];
    rb_socket_accept("dGhlIHNhbXBsZSBub25jZQ==", 24, accept);
    ENSURE(strcmp(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") == 0);
}

// RFC 6455, 5.7: "Hello", masked; in pieces of every length it is not there yet.
static void frames_of_clients(void **state) {
    (void)state;
    const unsigned char hello[] = {0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d,
                                   0x7f, 0x9f, 0x4d, 0x51, 0x58};
    for (size_t size = 0; size <= sizeof hello; size++) {
        unsigned char bytes[sizeof hello];
        RbSocketFrame frame;
        memcpy(bytes, hello, sizeof hello);
        ENSURE(rb_socket_read(bytes, size, &frame) == RB_SOCKET_GOOD);
        ENSURE(frame.used == (size < sizeof hello ? 0 : sizeof hello));
        if (frame.used > 0) ENSURE(frame.size == 5 && memcmp(frame.data, "Hello", 5) == 0);
    }
}

static RbSocketError read_head(int first, int second, int third, int fourth) {
    unsigned char bytes[14] = {(unsigned char)first, (unsigned char)second, (unsigned char)third,
                               (unsigned char)fourth};
    RbSocketFrame frame;
    return rb_socket_read(bytes, sizeof bytes, &frame);
}

static void wrong_frames(void **state) {
    (void)state;
    ENSURE(read_head(0x81, 0x05, 0, 0) == RB_SOCKET_BROKEN);       // no mask
    ENSURE(read_head(0xc1, 0x85, 0, 0) == RB_SOCKET_BROKEN);       // extension
    ENSURE(read_head(0x83, 0x85, 0, 0) == RB_SOCKET_BROKEN);       // opcode
    ENSURE(read_head(0x8b, 0x85, 0, 0) == RB_SOCKET_BROKEN);       // control opcode
    ENSURE(read_head(0x09, 0x85, 0, 0) == RB_SOCKET_BROKEN);       // ping in pieces
    ENSURE(read_head(0x89, 0xfe, 0, 126) == RB_SOCKET_BROKEN);     // long ping
    ENSURE(read_head(0x81, 0xfe, 0, 5) == RB_SOCKET_BROKEN);       // not the shortest form
    ENSURE(read_head(0x82, 0x85, 0, 0) == RB_SOCKET_UNWANTED);     // binary
    ENSURE(read_head(0x01, 0x85, 0, 0) == RB_SOCKET_TOO_LARGE);    // in pieces
    ENSURE(read_head(0x81, 0xff, 0, 0) == RB_SOCKET_TOO_LARGE);    // 64 bits of length
    ENSURE(read_head(0x81, 0xfe, 0x10, 1) == RB_SOCKET_TOO_LARGE); // 4097
    ENSURE(read_head(0x81, 0xfe, 0x10, 0) == RB_SOCKET_GOOD);      // 4096, to come
}

// Whatever comes, a frame lies inside of it and is not longer than promised.
static void chance(void **state) {
    (void)state;
    RbRng rng = rb_rng(5);
    for (int i = 0; i < 100000; i++) {
        unsigned char bytes[64];
        size_t size = rb_rng_bits(&rng) % (sizeof bytes + 1);
        for (size_t k = 0; k < size; k++) bytes[k] = (unsigned char)rb_rng_bits(&rng);
        if (i % 2 && size > 1) bytes[0] = 0x81, bytes[1] |= 0x80;
        RbSocketFrame frame;
        rb_socket_read(bytes, size, &frame);
        ENSURE(frame.used <= size && frame.size <= RB_SOCKET_LONGEST);
        if (frame.used > 0) ENSURE(frame.data + frame.size == bytes + frame.used);
    }
}

static void heads_of_the_server(void **state) {
    (void)state;
    unsigned char head[RB_SOCKET_HEAD];
    ENSURE(rb_socket_head(RB_SOCKET_BINARY, 125, head) == 2 && head[0] == 0x82 && head[1] == 125);
    ENSURE(rb_socket_head(RB_SOCKET_BINARY, 256, head) == 4 && head[1] == 126 && head[2] == 1);
    ENSURE(rb_socket_head(RB_SOCKET_BINARY, 65536, head) == 10 && head[1] == 127 && head[7] == 1);
}

static RbRequestAnswer ask(const char *path, const char *fields) {
    char text[1000];
    RbRequestKey key;
    int size = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\n%s\r\n\r\n", path, fields);
    for (int part = 0; part < size; part++)
        ENSURE(rb_request_judge(text, (size_t)part, TOKEN, 8080, &key) == RB_REQUEST_UNFINISHED);
    return rb_request_judge(text, (size_t)size, TOKEN, 8080, &key);
}

static void requests(void **state) {
    (void)state;
    const char *host = "Host: 127.0.0.1:8080";
    const char *socket =
        "host: localhost:8080\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    ENSURE(ask("/" TOKEN "/", host) == RB_REQUEST_PAGE);
    ENSURE(ask("/" TOKEN "/socket", socket) == RB_REQUEST_SOCKET);
    ENSURE(ask("/" TOKEN "/socket", host) == RB_REQUEST_BAD);
    ENSURE(ask("/" TOKEN "/../x", host) == RB_REQUEST_UNKNOWN);
    ENSURE(ask("/" TOKEN, host) == RB_REQUEST_FORBIDDEN);
    ENSURE(ask("/", host) == RB_REQUEST_FORBIDDEN);
    ENSURE(ask("/0123456789abcdef0123456789abcdee/", host) == RB_REQUEST_FORBIDDEN);
    ENSURE(ask("/" TOKEN "/", "Host: evil.example:8080") == RB_REQUEST_FORBIDDEN);
    ENSURE(ask("/" TOKEN "/", "Accept: */*") == RB_REQUEST_FORBIDDEN);
    ENSURE(ask("/" TOKEN "/", "Host: 127.0.0.1:8080\r\nHost: 127.0.0.1:8080") ==
           RB_REQUEST_FORBIDDEN);
    ENSURE(ask("/" TOKEN "/", "Host: 127.0.0.1:8080\r\nOrigin: http://127.0.0.1:8080") ==
           RB_REQUEST_PAGE);
    ENSURE(ask("/" TOKEN "/", "Host: 127.0.0.1:8080\r\nOrigin: http://evil.example") ==
           RB_REQUEST_FORBIDDEN);
    ENSURE(ask("/" TOKEN "/", "nonsense") == RB_REQUEST_BAD);
    ENSURE(ask("nonsense", host) == RB_REQUEST_FORBIDDEN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handshake),           cmocka_unit_test(frames_of_clients),
        cmocka_unit_test(wrong_frames),        cmocka_unit_test(chance),
        cmocka_unit_test(heads_of_the_server), cmocka_unit_test(requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// The server of the live page with real sockets: browsers that read, that never read, that leave in
// the middle, and that send nonsense. Whoever publishes must never wait for them.
#include "testing.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "live/server.h"
#include "math/rng.h"

enum { FRAME = 200000, MANY = 2000 };

typedef struct Served {
    RbHeap heap;
    RbArena arena;
    RbDiag diag;
    RbLiveServer *server;
    unsigned char *frame;
} Served;

static void open_server(Served *s) {
    *s = (Served){.heap = rb_heap(NULL)};
    s->arena = rb_arena(&s->heap);
    s->diag = rb_diag(&s->arena);
    s->frame = rb_new_array(&s->arena, unsigned char, FRAME);
    s->frame[0] = RB_LIVE_FRAME;
    ENSURE(rb_live_server_open(0, &s->diag, &s->server) == RB_OK);
    ENSURE(rb_live_server_serve(s->server, (RbBlob){(const unsigned char *)"page", 4}, &s->diag) ==
           RB_OK);
}

static void close_server(Served *s) {
    rb_live_server_close(s->server);
    rb_arena_free(&s->arena);
}

// Reads give up after five seconds.
static int knock(const Served *s) {
    int port = rb_live_server_port(s->server), one = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval patience = {.tv_sec = 5};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(one, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(one, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    ENSURE(connect(one, (struct sockaddr *)&at, sizeof at) == 0);
    return one;
}

// A browser that has asked for the socket.
static int join(const Served *s) {
    const char *token = strstr(rb_live_server_address(s->server), "//");
    token = strchr(token + 2, '/');
    int port = rb_live_server_port(s->server), one = knock(s);
    char head[1000];
    int length = snprintf(head, sizeof head,
                          "GET %ssocket HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: Upgrade\r\n"
                          "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                          token, port);
    ENSURE(send(one, head, (size_t)length, MSG_NOSIGNAL) == length);
    return one;
}

// Read so many bytes; false: the server has closed.
static bool read_all(int one, unsigned char *bytes, size_t size) {
    for (size_t n = 0; n < size;) {
        ssize_t got = recv(one, bytes + n, size - n, 0);
        if (got <= 0) return false;
        n += (size_t)got;
    }
    return true;
}

static void read_head(int one) {
    char last[4] = {0};
    while (memcmp(last, "\r\n\r\n", 4) != 0) {
        memmove(last, last + 1, 3);
        ENSURE(read_all(one, (unsigned char *)last + 3, 1));
    }
}

// The number in the next frame's message; the message has its own size.
static uint32_t read_frame(const Served *s, int one) {
    unsigned char head[10];
    ENSURE(read_all(one, head, 10) && head[0] == 0x82 && head[1] == 127);
    ENSURE(read_all(one, s->frame, FRAME));
    return rb_get_u32(s->frame + 4);
}

static void publish(Served *s, uint32_t number) {
    rb_put_u32(s->frame, RB_LIVE_FRAME);
    rb_put_u32(s->frame + 4, number);
    for (int k = 0; k < 1000000; k++) {
        if (rb_live_server_publish(s->server, RB_LIVE_FRAME, (RbBlob){s->frame, FRAME})) return;
    }
    fail_msg("nothing can be published");
}

// 400 MB for a browser that takes nothing: what it does not take is not kept, and another one gets
// the newest.
static void a_browser_that_never_reads(void **state) {
    (void)state;
    Served s;
    open_server(&s);
    int sleeper = join(&s);
    for (uint32_t i = 1; i <= MANY; i++) publish(&s, i);
    int reader = join(&s);
    read_head(reader);
    ENSURE(read_frame(&s, reader) == MANY);
    publish(&s, MANY + 1);
    ENSURE(read_frame(&s, reader) == MANY + 1);
    close(sleeper);
    close(reader);
    close_server(&s);
}

static void browsers_that_leave(void **state) {
    (void)state;
    Served s;
    open_server(&s);
    for (uint32_t i = 1; i <= 50; i++) {
        int one = join(&s);
        publish(&s, i);
        if (i % 2 == 0) read_head(one);
        close(one); // with a frame under way
    }
    int reader = join(&s);
    read_head(reader);
    ENSURE(read_frame(&s, reader) == 50);
    close(reader);
    close_server(&s);
}

// 1,000 frames of random bytes; a good browser beside them goes on.
static void nonsense(void **state) {
    (void)state;
    Served s;
    RbRng rng = rb_rng(7);
    open_server(&s);
    int good = join(&s);
    read_head(good);
    for (int i = 0; i < 40; i++) {
        int one = join(&s);
        read_head(one);
        for (int k = 0; k < 25; k++) {
            unsigned char bytes[64];
            size_t size = 2 + (size_t)rb_rng_int(&rng, 60);
            for (size_t n = 0; n < size; n++) bytes[n] = (unsigned char)rb_rng_int(&rng, 256);
            if (k % 3 == 0) bytes[0] = 0x81, bytes[1] = (unsigned char)(0x80 | (size - 2));
            if (send(one, bytes, size, MSG_NOSIGNAL) < 0) break;
        }
        close(one);
    }
    publish(&s, 3);
    ENSURE(read_frame(&s, good) == 3);
    close(good);
    close_server(&s);
}

// They take all places and say nothing, or not enough; whoever has the address still gets in.
static void silent_connections(void **state) {
    (void)state;
    enum { SILENT = 40 };
    Served s;
    int silent[SILENT];
    open_server(&s);
    int early = join(&s);
    read_head(early);
    for (int i = 0; i < SILENT; i++) {
        silent[i] = knock(&s);
        if (i % 2) ENSURE(send(silent[i], "GET /", 5, MSG_NOSIGNAL) == 5);
    }
    int late = join(&s);
    read_head(late);
    publish(&s, 5);
    ENSURE(read_frame(&s, early) == 5 && read_frame(&s, late) == 5);
    for (int i = 0; i < SILENT; i++) close(silent[i]);
    close(early);
    close(late);
    close_server(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_browser_that_never_reads),
        cmocka_unit_test(browsers_that_leave),
        cmocka_unit_test(nonsense),
        cmocka_unit_test(silent_connections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

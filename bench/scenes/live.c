// SPDX-License-Identifier: MIT
// bench_live: what streaming costs: the billiards as fast as possible, alone and watched by a browser
// that takes every frame. CPU time of the thread that runs; the server has its own.
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "rattleback/rattleback.h"

typedef struct Watcher {
    pthread_t thread;
    char address[200];
    size_t bytes;
    volatile int stop;
} Watcher;

static void send_text(int one, const char *text) {
    unsigned char head[6] = {0x81, (unsigned char)(0x80 | strlen(text)), 0, 0, 0, 0};
    if (send(one, head, 6, MSG_NOSIGNAL) != 6) return;
    if (send(one, text, strlen(text), MSG_NOSIGNAL) < 0) return;
}

// Joins, and takes what comes until the server lets it go.
static void *watch(void *argument) {
    Watcher *w = argument;
    int port = atoi(strrchr(w->address, ':') + 1), one = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    char head[1000];
    int length = snprintf(head, sizeof head,
                          "GET %ssocket HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: Upgrade\r\n"
                          "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                          strchr(strstr(w->address, "//") + 2, '/'), port);
    static char room[1 << 20];
    if (connect(one, (struct sockaddr *)&at, sizeof at) != 0) return NULL;
    if (send(one, head, (size_t)length, MSG_NOSIGNAL) != length) return NULL;
    if (recv(one, room, sizeof room, 0) <= 0) return NULL; // the answer to the request
    send_text(one, "{\"do\":\"join\"}");
    for (ssize_t got; (got = recv(one, room, sizeof room, 0)) > 0;) {
        w->bytes += (size_t)got;
        room[got < (ssize_t)sizeof room ? got : got - 1] = 0;
        if (memmem(room, (size_t)got, "\"finished\"", 10)) w->stop = 1;
    }
    close(one);
    return NULL;
}

static void begin_watch(void *user, const char *address) {
    Watcher *w = user;
    snprintf(w->address, sizeof w->address, "%s", address);
    pthread_create(&w->thread, NULL, watch, w);
}

static double thread_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static RbModel *open_scene(RbContext *c) {
    RbSceneBuilder *b;
    RbModel *model;
    if (rb_builder_open(c, "billiards", &b) != RB_OK || rb_builder_finish(b, &model) != RB_OK)
        exit(1);
    return model;
}

static double alone(void) {
    RbContext *c = rb_context_create(NULL);
    RbModel *m = open_scene(c);
    RbSimOptions o = rb_model_options(m);
    double begin = thread_seconds();
    if (rb_simulate(c, m, &o, NULL) != RB_OK) exit(1);
    double used = thread_seconds() - begin;
    rb_context_free(c);
    return used;
}

static double watched(size_t *bytes) {
    RbContext *c = rb_context_create(NULL);
    RbModel *m = open_scene(c);
    Watcher w = {0};
    RbLiveOptions o = rb_live_options_default(m);
    o.speed = 0;
    o.sim.interrupt = &w.stop;
    o.ready = begin_watch;
    o.user = &w;
    double begin = thread_seconds();
    if (rb_live(c, m, &o, NULL) != RB_OK) exit(1);
    double used = thread_seconds() - begin;
    pthread_join(w.thread, NULL);
    *bytes = w.bytes;
    rb_context_free(c);
    return used;
}

int main(void) {
    double least[2] = {1e9, 1e9};
    size_t bytes = 0;
    for (int i = 0; i < 5; i++) {
        double a = alone(), b = watched(&bytes);
        if (a < least[0]) least[0] = a;
        if (b < least[1]) least[1] = b;
    }
    printf("billiards, 5 s: alone %.3f s, watched %.3f s (%+.1f %%), %.0f kB sent\n", least[0],
           least[1], 100 * (least[1] / least[0] - 1), 1e-3 * (double)bytes);
    return 0;
}

// SPDX-License-Identifier: MIT
#include "live/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "live/request.h"

enum {
    GUESTS = 16,            // connections at once
    WAITING = 64,           // messages from browsers that nobody has taken yet
    LONGEST_REQUEST_S = 10, // a request that is not whole by then is dropped
};

typedef struct Buffer {
    unsigned char *bytes;
    size_t size, capacity;
} Buffer;

// What was published last of one kind.
typedef struct Box {
    Buffer message;
    uint64_t version;
} Box;

// One connection: first a request, then perhaps a socket.
typedef struct Guest {
    int file;          // -1: free
    bool socket, last; // last: closed when everything is sent
    double since;
    unsigned char in[RB_REQUEST_LONGEST];
    size_t in_size;
    Buffer out;
    size_t sent;
    unsigned char control[2 + RB_SOCKET_CONTROL]; // goes next; a newer one replaces it
    size_t control_size;
    uint64_t seen[RB_LIVE_KINDS];
} Guest;

struct RbLiveServer {
    int listener, port, wake[2];
    char token[RB_LIVE_TOKEN + 1], address[RB_LIVE_TOKEN + 64];
    Buffer page;
    pthread_t thread;
    bool serving;
    Guest guests[GUESTS]; // of the thread
    pthread_mutex_t lock; // of the rest; never held while waiting for a browser
    pthread_cond_t news;
    bool ending;
    Box boxes[RB_LIVE_KINDS];
    char (*waiting)[RB_SOCKET_LONGEST + 1];
    int first_waiting, waiting_count;
};

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool make_room(Buffer *b, size_t size) {
    if (size <= b->capacity) return true;
    unsigned char *more = realloc(b->bytes, size + size / 2);
    if (!more) return false;
    b->bytes = more;
    b->capacity = size + size / 2;
    return true;
}

static void wake_thread(RbLiveServer *s) {
    if (write(s->wake[1], "", 1) < 0) return; // the pipe is full: it will wake up
}

// -------------------------------------------------------------------------------------------------
// what the other thread calls

static RbStatus fail(RbDiag *diag, const char *what) {
    return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "the live page cannot be served: %s: %s", what,
                   strerror(errno));
}

static bool make_token(char token[RB_LIVE_TOKEN + 1]) {
    unsigned char bytes[RB_LIVE_TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

// SOCK_CLOEXEC: programs that are started do not keep the port.
static bool listen_here(RbLiveServer *s, int port) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t size = sizeof here;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s->listener < 0) return false;
    setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (bind(s->listener, (struct sockaddr *)&here, sizeof here) != 0) return false;
    if (listen(s->listener, GUESTS) != 0) return false;
    if (getsockname(s->listener, (struct sockaddr *)&here, &size) != 0) return false;
    s->port = ntohs(here.sin_port);
    return true;
}

RbStatus rb_live_server_open(int port, RbDiag *diag, RbLiveServer **out) {
    RbLiveServer *s = *out = calloc(1, sizeof *s);
    if (!s) return fail(diag, "memory");
    s->listener = s->wake[0] = s->wake[1] = -1;
    for (int i = 0; i < GUESTS; i++) s->guests[i].file = -1;
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->news, &monotonic);
    pthread_condattr_destroy(&monotonic);
    s->waiting = calloc(WAITING, sizeof *s->waiting);
    RbStatus status = RB_OK;
    if (!s->waiting)
        status = fail(diag, "memory");
    else if (!make_token(s->token))
        status = fail(diag, "random numbers");
    else if (pipe2(s->wake, O_CLOEXEC | O_NONBLOCK) != 0 || !listen_here(s, port))
        status = fail(diag, "127.0.0.1");
    snprintf(s->address, sizeof s->address, "http://127.0.0.1:%d/%s/", s->port, s->token);
    if (status == RB_OK) return RB_OK;
    rb_live_server_close(s);
    *out = NULL;
    return status;
}

static void *serve(void *server);

// Signals are for the thread that runs the model.
RbStatus rb_live_server_serve(RbLiveServer *s, RbBlob page, RbDiag *diag) {
    if (!make_room(&s->page, page.size)) return fail(diag, "memory");
    memcpy(s->page.bytes, page.bytes, page.size);
    s->page.size = page.size;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    errno = pthread_create(&s->thread, NULL, serve, s);
    s->serving = errno == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return s->serving ? RB_OK : fail(diag, "thread");
}

void rb_live_server_close(RbLiveServer *s) {
    if (!s) return;
    pthread_mutex_lock(&s->lock);
    s->ending = true;
    pthread_mutex_unlock(&s->lock);
    if (s->serving) {
        wake_thread(s);
        pthread_join(s->thread, NULL);
    }
    for (int i = 0; i < GUESTS; i++) {
        if (s->guests[i].file >= 0) close(s->guests[i].file);
        free(s->guests[i].out.bytes);
    }
    const int files[] = {s->listener, s->wake[0], s->wake[1]};
    for (int i = 0; i < 3; i++) {
        if (files[i] >= 0) close(files[i]);
    }
    for (int i = 0; i < RB_LIVE_KINDS; i++) free(s->boxes[i].message.bytes);
    free(s->page.bytes);
    free(s->waiting);
    pthread_cond_destroy(&s->news);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

const char *rb_live_server_address(const RbLiveServer *s) {
    return s->address;
}

int rb_live_server_port(const RbLiveServer *s) {
    return s->port;
}

bool rb_live_server_publish(RbLiveServer *s, RbLiveKind kind, RbBlob message) {
    Box *box = &s->boxes[kind];
    if (pthread_mutex_trylock(&s->lock) != 0) return false;
    bool good = make_room(&box->message, message.size);
    if (good) {
        memcpy(box->message.bytes, message.bytes, message.size);
        box->message.size = message.size;
        box->version++;
    }
    pthread_mutex_unlock(&s->lock);
    if (good) wake_thread(s);
    return good;
}

bool rb_live_server_take(RbLiveServer *s, char text[RB_SOCKET_LONGEST + 1]) {
    pthread_mutex_lock(&s->lock);
    bool any = s->waiting_count > 0;
    if (any) {
        memcpy(text, s->waiting[s->first_waiting], sizeof *s->waiting);
        s->first_waiting = (s->first_waiting + 1) % WAITING;
        s->waiting_count--;
    }
    pthread_mutex_unlock(&s->lock);
    return any;
}

void rb_live_server_wait(RbLiveServer *s, double seconds) {
    double until = seconds_now() + seconds;
    struct timespec t = {.tv_sec = (time_t)until};
    t.tv_nsec = (long)(1e9 * (until - (double)t.tv_sec));
    pthread_mutex_lock(&s->lock);
    if (s->waiting_count == 0) pthread_cond_timedwait(&s->news, &s->lock, &t);
    pthread_mutex_unlock(&s->lock);
}

// -------------------------------------------------------------------------------------------------
// guests: what they send

static void drop(Guest *g) {
    close(g->file);
    free(g->out.bytes);
    *g = (Guest){.file = -1};
}

// A free place, or that of the one who has been silent for longest: whoever has the token of the
// page is never shut out by those who do not. NULL: all have the token.
static Guest *find_place(RbLiveServer *s) {
    Guest *oldest = NULL;
    for (int i = 0; i < GUESTS; i++) {
        Guest *g = &s->guests[i];
        if (g->file < 0) return g;
        if (!g->socket && !g->last && (!oldest || g->since < oldest->since)) oldest = g;
    }
    if (oldest) drop(oldest);
    return oldest;
}

static void welcome(RbLiveServer *s) {
    int file = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (file < 0) return;
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    Guest *place = find_place(s);
    if (!place) {
        close(file);
        return;
    }
    place->file = file;
    place->since = seconds_now();
}

// A message for the model; if too many wait already it is lost.
static void keep_message(RbLiveServer *s, const RbSocketFrame *frame) {
    pthread_mutex_lock(&s->lock);
    if (s->waiting_count < WAITING) {
        char *to = s->waiting[(s->first_waiting + s->waiting_count++) % WAITING];
        memcpy(to, frame->data, frame->size);
        to[frame->size] = 0;
        pthread_cond_signal(&s->news);
    }
    pthread_mutex_unlock(&s->lock);
}

static void send_control(Guest *g, RbSocketOpcode opcode, const unsigned char *data, size_t size) {
    size_t head = rb_socket_head(opcode, size, g->control);
    if (size > 0) memcpy(g->control + head, data, size);
    g->control_size = head + size;
}

static void say_goodbye(Guest *g, int reason) {
    send_control(g, RB_SOCKET_CLOSE,
                 (unsigned char[]){(unsigned char)(reason >> 8), (unsigned char)reason}, 2);
    g->last = true;
}

static void read_frames(RbLiveServer *s, Guest *g) {
    size_t at = 0;
    while (!g->last) {
        RbSocketFrame frame;
        RbSocketError error = rb_socket_read(g->in + at, g->in_size - at, &frame);
        if (error != RB_SOCKET_GOOD) say_goodbye(g, (int)error);
        if (error != RB_SOCKET_GOOD || frame.used == 0) break;
        at += frame.used;
        if (frame.opcode == RB_SOCKET_TEXT) keep_message(s, &frame);
        if (frame.opcode == RB_SOCKET_PING) send_control(g, RB_SOCKET_PONG, frame.data, frame.size);
        if (frame.opcode == RB_SOCKET_CLOSE) say_goodbye(g, 1000);
    }
    g->in_size -= at;
    memmove(g->in, g->in + at, g->in_size);
}

static bool answer(Guest *g, const char *head, const Buffer *body) {
    size_t length = strlen(head), size = body ? body->size : 0;
    if (!make_room(&g->out, length + size)) return false;
    memcpy(g->out.bytes, head, length);
    if (size > 0) memcpy(g->out.bytes + length, body->bytes, size);
    g->out.size = length + size;
    return true;
}

static bool refuse(Guest *g, int code) {
    const char *why = code == RB_REQUEST_FORBIDDEN ? "Forbidden"
                      : code == RB_REQUEST_UNKNOWN ? "Not Found"
                      : code == RB_REQUEST_METHOD  ? "Method Not Allowed"
                                                   : "Bad Request";
    char head[256];
    snprintf(head, sizeof head,
             "HTTP/1.1 %d %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\nConnection: "
             "close\r\n\r\n%s\n",
             code, why, strlen(why) + 1, why);
    g->last = true;
    return answer(g, head, NULL);
}

static bool send_page(RbLiveServer *s, Guest *g) {
    char head[400];
    snprintf(head, sizeof head,
             "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %zu\r\n"
             "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\n"
             "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
             s->page.size);
    g->last = true;
    return answer(g, head, &s->page);
}

static bool open_socket(Guest *g, RbRequestKey key) {
    char head[256], accept[RB_SOCKET_ACCEPT];
    rb_socket_accept(key.text, key.length, accept);
    snprintf(head, sizeof head,
             "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Accept: %s\r\n\r\n",
             accept);
    g->socket = true;
    g->in_size = 0; // a client must not send before it was answered
    return answer(g, head, NULL);
}

static bool read_request(RbLiveServer *s, Guest *g) {
    RbRequestKey key;
    RbRequestAnswer judged =
        rb_request_judge((const char *)g->in, g->in_size, s->token, s->port, &key);
    if (judged == RB_REQUEST_UNFINISHED) return true;
    if (judged == RB_REQUEST_PAGE) return send_page(s, g);
    return judged == RB_REQUEST_SOCKET ? open_socket(g, key) : refuse(g, (int)judged);
}

// False: the guest has gone.
static bool hear(RbLiveServer *s, Guest *g) {
    ssize_t got = recv(g->file, g->in + g->in_size, sizeof g->in - g->in_size, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (got <= 0) return false;
    if (g->last) return true; // nobody listens any more
    g->in_size += (size_t)got;
    if (!g->socket) return read_request(s, g);
    read_frames(s, g);
    return true;
}

// -------------------------------------------------------------------------------------------------
// guests: what they get

// The first kind of which the guest does not have the newest. False: no memory.
static bool pick_news(RbLiveServer *s, Guest *g) {
    bool good = true;
    pthread_mutex_lock(&s->lock);
    for (int k = 0; k < RB_LIVE_KINDS; k++) {
        const Box *box = &s->boxes[k];
        if (g->seen[k] == box->version) continue;
        unsigned char head[RB_SOCKET_HEAD];
        size_t length = rb_socket_head(RB_SOCKET_BINARY, box->message.size, head);
        good = make_room(&g->out, length + box->message.size);
        if (!good) break;
        memcpy(g->out.bytes, head, length);
        memcpy(g->out.bytes + length, box->message.bytes, box->message.size);
        g->out.size = length + box->message.size;
        g->seen[k] = box->version;
        break;
    }
    pthread_mutex_unlock(&s->lock);
    return good;
}

// Between two messages: what goes next. False: no memory.
static bool load(RbLiveServer *s, Guest *g) {
    g->sent = g->out.size = 0;
    if (g->control_size > 0) {
        if (!make_room(&g->out, g->control_size)) return false;
        memcpy(g->out.bytes, g->control, g->control_size);
        g->out.size = g->control_size;
        g->control_size = 0;
        return true;
    }
    return !g->socket || g->last || pick_news(s, g);
}

// As much as goes without waiting. False: the guest has gone, or has got all that it will.
static bool speak(RbLiveServer *s, Guest *g) {
    for (;;) {
        if (g->sent == g->out.size && !load(s, g)) return false;
        if (g->sent == g->out.size) return !g->last;
        ssize_t sent = send(g->file, g->out.bytes + g->sent, g->out.size - g->sent, MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return true;
        if (sent <= 0) return false;
        g->sent += (size_t)sent;
    }
}

// What is still unread when a connection is closed would make the answer unreadable.
static void let_go(Guest *g) {
    char rest[4096];
    shutdown(g->file, SHUT_WR);
    for (int i = 0; i < 16 && recv(g->file, rest, sizeof rest, 0) > 0; i++) continue;
    drop(g);
}

static void attend(RbLiveServer *s, Guest *g, short events) {
    bool there = !(events & (POLLERR | POLLNVAL));
    if (there && (events & (POLLIN | POLLHUP))) there = hear(s, g);
    if (there && !g->socket && !g->last) there = seconds_now() - g->since < LONGEST_REQUEST_S;
    if (there) there = speak(s, g);
    if (!there) let_go(g);
}

// -------------------------------------------------------------------------------------------------
// the thread

static bool wait_for_anything(RbLiveServer *s, struct pollfd polls[GUESTS + 2]) {
    polls[0] = (struct pollfd){.fd = s->listener, .events = POLLIN};
    polls[1] = (struct pollfd){.fd = s->wake[0], .events = POLLIN};
    for (int i = 0; i < GUESTS; i++) {
        const Guest *g = &s->guests[i];
        short events = (short)(POLLIN | (g->sent < g->out.size ? POLLOUT : 0));
        polls[2 + i] = (struct pollfd){.fd = g->file, .events = events};
    }
    poll(polls, GUESTS + 2, 1000);
    char bytes[64];
    while (read(s->wake[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes) continue;
    pthread_mutex_lock(&s->lock);
    bool ending = s->ending;
    pthread_mutex_unlock(&s->lock);
    return !ending;
}

// The last news reach those who read them.
static void part(RbLiveServer *s) {
    double until = seconds_now() + 0.5;
    for (bool busy = true; busy && seconds_now() < until;) {
        busy = false;
        for (int i = 0; i < GUESTS; i++) {
            Guest *g = &s->guests[i];
            if (g->file < 0 || !g->socket) continue;
            if (!speak(s, g))
                drop(g);
            else
                busy |= g->sent < g->out.size;
        }
        if (busy) poll(NULL, 0, 10);
    }
}

static void *serve(void *server) {
    RbLiveServer *s = server;
    struct pollfd polls[GUESTS + 2];
    while (wait_for_anything(s, polls)) {
        for (int i = 0; i < GUESTS; i++) {
            Guest *g = &s->guests[i];
            if (g->file >= 0 && g->file == polls[2 + i].fd) attend(s, g, polls[2 + i].revents);
        }
        if (polls[0].revents & POLLIN) welcome(s);
    }
    part(s);
    return NULL;
}

// SPDX-License-Identifier: MIT
#include "export/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

extern char **environ;

enum { PATIENCE = 120 }; // [s] for one answer: a machine may be busy

struct RbBrowser {
    RbArena *arena;
    pid_t process;   // 0: none
    int to, from;    // pipes; -1: closed
    char folder[64]; // of its settings; "": none
    int last;        // number of the last call
    const char *session;
    char *buffer; // what was read and not yet looked at
    size_t used, capacity;
};

// ---- starting and ending

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk) {
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

// Its helpers are of its group. They end a little later, and one that still writes would make the folder again.
static void end_helpers(pid_t group) {
    for (int i = 0; i < 200 && kill(-group, SIGKILL) == 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

void rb_browser_close(RbBrowser *b) {
    if (b->to >= 0) close(b->to);
    if (b->from >= 0) close(b->from);
    b->to = b->from = -1;
    if (b->process > 0) {
        kill(b->process, SIGTERM);
        for (int i = 0; i < 200 && waitpid(b->process, NULL, WNOHANG) == 0; i++) {
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
            if (i == 150) kill(b->process, SIGKILL);
        }
        end_helpers(b->process);
    }
    b->process = 0;
    for (int i = 0; b->folder[0] && i < 100 && access(b->folder, F_OK) == 0; i++) {
        if (i > 0) nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        nftw(b->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    }
    b->folder[0] = 0;
}

static void close_later(void *browser) {
    rb_browser_close(browser);
}

static bool is_program(const char *folder, size_t length, const char *name, char *path,
                       size_t size) {
    int written = snprintf(path, size, "%.*s/%s", (int)length, folder, name);
    return written > 0 && (size_t)written < size && access(path, X_OK) == 0;
}

// The first of these on the search path.
static bool find_program(char *path, size_t size) {
    static const char *const names[] = {"chromium-headless-shell", "chromium", "chromium-browser",
                                        "google-chrome"};
    const char *search = getenv("PATH");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (const char *p = search ? search : "/usr/bin"; *p;) {
            size_t length = strcspn(p, ":");
            if (length > 0 && is_program(p, length, names[i], path, size)) return true;
            p += length + (p[length] == ':');
        }
    }
    return false;
}

// Its pipes are the descriptors 3 (what it reads) and 4 (what it writes).
static int start(RbBrowser *b, char *program, int read_end, int write_end) {
    char settings[96];
    snprintf(settings, sizeof settings, "--user-data-dir=%s", b->folder);
    char *arguments[] = {program,
                         "--headless",
                         "--remote-debugging-pipe",
                         "--no-first-run",
                         "--hide-scrollbars",
                         "--disable-dev-shm-usage",
                         "--use-angle=gl-egl",
                         "--ignore-gpu-blocklist",
                         "--enable-unsafe-swiftshader",
                         "--force-color-profile=srgb",
                         settings,
                         geteuid() == 0 ? "--no-sandbox" : "--no-pings",
                         NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, read_end, 3);
    posix_spawn_file_actions_adddup2(&actions, write_end, 4);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t own_group;
    posix_spawnattr_init(&own_group);
    posix_spawnattr_setflags(&own_group, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&own_group, 0);
    int code = posix_spawn(&b->process, program, &actions, &own_group, arguments, environ);
    posix_spawnattr_destroy(&own_group);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0) b->process = 0;
    return code;
}

// Two pipes (sockets, which tell of a reader that is gone without a signal) whose ends are far from 3 and 4, so that copying one end does not overwrite another.
static bool open_pipes(int ends[4]) {
    for (int i = 0; i < 4; i++) ends[i] = -1;
    int pair[2];
    for (int k = 0; k < 2; k++) {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
        for (int i = 0; i < 2; i++) {
            ends[2 * k + i] = fcntl(pair[i], F_DUPFD_CLOEXEC, 10);
            close(pair[i]);
        }
    }
    return ends[0] >= 0 && ends[1] >= 0 && ends[2] >= 0 && ends[3] >= 0;
}

static RbStatus launch(RbBrowser *b, RbDiag *diag) {
    char program[256];
    int ends[4];
    if (!find_program(program, sizeof program))
        return rb_fail(
            diag, RB_ERROR_USAGE, RB_NOWHERE,
            "pictures are made with chromium, which is not installed: install the package "
            "chromium-headless-shell or chromium");
    const char *place = getenv("TMPDIR");
    snprintf(b->folder, sizeof b->folder, "%.40s/rattleback-XXXXXX",
             place && place[0] ? place : "/tmp");
    if (!mkdtemp(b->folder)) {
        b->folder[0] = 0;
        return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "cannot make a folder for chromium: %s",
                       strerror(errno));
    }
    bool piped = open_pipes(ends);
    int code = piped ? start(b, program, ends[0], ends[3]) : errno;
    if (ends[0] >= 0) close(ends[0]);
    if (ends[3] >= 0) close(ends[3]);
    b->to = ends[1], b->from = ends[2];
    if (code == 0) return RB_OK;
    return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "cannot start %s: %s", program, strerror(code));
}

// ---- the protocol: messages of JSON, each with a zero behind it

static RbStatus lost(RbDiag *diag, const char *what) {
    return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "chromium %s", what);
}

static RbStatus send_message(RbBrowser *b, const RbText *message, RbDiag *diag) {
    size_t size = (size_t)message->count + 1, done = 0;
    while (done < size) {
        ssize_t n = send(b->to, message->data + done, size - done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return lost(diag, "has ended");
        done += (size_t)n;
    }
    return RB_OK;
}

// The next message, which lives until the next call.
static RbStatus receive(RbBrowser *b, RbDiag *diag, char **message) {
    size_t looked = 0;
    for (;;) {
        char *end = memchr(b->buffer + looked, 0, b->used - looked);
        if (end) {
            *message = b->buffer;
            return RB_OK;
        }
        looked = b->used;
        if (b->used + 65536 > b->capacity) {
            char *larger = rb_arena_push(b->arena, 2 * b->capacity + 131072, 1);
            if (b->used > 0) memcpy(larger, b->buffer, b->used);
            b->buffer = larger;
            b->capacity = 2 * b->capacity + 131072;
        }
        struct pollfd wait = {.fd = b->from, .events = POLLIN};
        int ready = poll(&wait, 1, 1000 * PATIENCE);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return lost(diag, "does not answer");
        ssize_t n = read(b->from, b->buffer + b->used, b->capacity - b->used);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return lost(diag, "has ended; is it whole, and are there memory and room in /tmp?");
        b->used += (size_t)n;
    }
}

static void forget(RbBrowser *b) {
    size_t size = strlen(b->buffer) + 1;
    memmove(b->buffer, b->buffer + size, b->used - size);
    b->used -= size;
}

// Call a method and wait for its answer; what else comes is passed over. parameters: JSON without its braces.
static RbStatus call(RbBrowser *b, const char *method, const char *parameters, RbDiag *diag,
                     char **answer) {
    RbArena *arena = rb_arena_child(b->arena);
    RbText t = rb_text(arena);
    rb_text_printf(&t, "{\"id\":%d,\"method\":\"%s\"", ++b->last, method);
    if (b->session) rb_text_printf(&t, ",\"sessionId\":\"%s\"", b->session);
    rb_text_add(&t, ",\"params\":{");
    rb_text_add(&t, parameters);
    rb_text_add(&t, "}}");
    RbStatus status = send_message(b, &t, diag);
    rb_arena_free(arena);
    char start[32];
    snprintf(start, sizeof start, "{\"id\":%d,", b->last);
    while (status == RB_OK) {
        status = receive(b, diag, answer);
        if (status == RB_OK && strncmp(*answer, start, strlen(start)) == 0) return RB_OK;
        if (status == RB_OK) forget(b);
    }
    return status;
}

// The text behind "name":" in an answer.
static const char *field(const char *answer, const char *name, RbArena *arena) {
    char key[48];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *p = strstr(answer, key);
    if (!p) return NULL;
    p += strlen(key);
    return rb_arena_bytes(arena, p, strcspn(p, "\""));
}

RbStatus rb_browser_open(RbArena *arena, RbDiag *diag, RbBrowser **out) {
    RbBrowser *b = *out = rb_new(arena, RbBrowser);
    *b = (RbBrowser){.arena = arena, .to = -1, .from = -1};
    rb_arena_defer(arena, close_later, b);
    RB_TRY(launch(b, diag));
    char *answer;
    RB_TRY(call(b, "Target.createTarget", "\"url\":\"about:blank\"", diag, &answer));
    const char *target = field(answer, "targetId", arena);
    forget(b);
    if (!target) return lost(diag, "does not open a page");
    const char *parameters = rb_arena_printf(arena, "\"targetId\":\"%s\",\"flatten\":true", target);
    RB_TRY(call(b, "Target.attachToTarget", parameters, diag, &answer));
    const char *session = field(answer, "sessionId", arena);
    forget(b);
    if (!session) return lost(diag, "does not open a page");
    b->session = session;
    return RB_OK;
}

// *out is NULL if there is no answer, and then *wrong may say why.
static RbStatus ask(RbBrowser *b, const char *expression, RbArena *arena, RbDiag *diag,
                    const char **out, const char **wrong) {
    RbText t = rb_text(b->arena);
    rb_text_add(&t, "\"returnByValue\":true,\"awaitPromise\":true,\"expression\":\"");
    rb_text_add_json(&t, expression);
    rb_text_add(&t, "\"");
    char *answer;
    RB_TRY(call(b, "Runtime.evaluate", t.data, diag, &answer));
    *out = field(answer, "value", arena);
    *wrong = strstr(answer, "exceptionDetails") ? field(answer, "description", arena) : NULL;
    if (*wrong) *out = NULL;
    forget(b);
    return RB_OK;
}

RbStatus rb_browser_ask(RbBrowser *b, const char *expression, RbArena *arena, RbDiag *diag,
                        const char **out) {
    const char *wrong;
    RB_TRY(ask(b, expression, arena, diag, out, &wrong));
    if (*out) return RB_OK;
    return rb_fail(diag, RB_ERROR_INTERNAL, RB_NOWHERE, "the page failed: %s",
                   wrong ? wrong : "it has no such answer");
}

RbStatus rb_browser_print(RbBrowser *b, RbArena *arena, RbDiag *diag, const char **pdf) {
    char *answer;
    RB_TRY(call(b, "Page.printToPDF", "\"printBackground\":true,\"preferCSSPageSize\":true", diag,
                &answer));
    *pdf = field(answer, "data", arena);
    forget(b);
    return *pdf ? RB_OK : lost(diag, "cannot print the page");
}

RbStatus rb_browser_load(RbBrowser *b, const char *url, const char *ready, RbDiag *diag) {
    RbText t = rb_text(b->arena);
    char *answer;
    rb_text_add(&t, "\"url\":\"");
    rb_text_add_json(&t, url);
    rb_text_add(&t, "\"");
    RB_TRY(call(b, "Page.navigate", t.data, diag, &answer));
    forget(b);
    const char *state = NULL, *wrong,
               *question = rb_arena_printf(b->arena, "String(Boolean(%s))", ready);
    for (int i = 0; i < 20 * PATIENCE && !(state && strcmp(state, "true") == 0); i++) {
        if (i > 0) nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        RB_TRY(ask(b, question, b->arena, diag, &state, &wrong)); // while it loads there is none
    }
    return state && strcmp(state, "true") == 0 ? RB_OK
                                               : lost(diag, "does not get ready to show the page");
}

// SPDX-License-Identifier: MIT
// Preloaded by test_memory.sh: malloc, calloc and realloc of the whole process, of which the call
// number FAIL_N answers NULL. With FAIL_COUNT set, the number of calls is written to that file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *(*next_malloc)(size_t), *(*next_realloc)(void *, size_t),
    *(*next_calloc)(size_t, size_t);
static void (*next_free)(void *);
static long wanted = -1, count;
static int starting;

// For what dlsym itself asks for.
static char early[65536];
static size_t early_used;

static int is_early(const void *p) {
    return (const char *)p >= early && (const char *)p < early + sizeof early;
}

static void *take_early(size_t size) {
    void *p = early + early_used;
    early_used += (size + 15) & ~(size_t)15;
    return early_used <= sizeof early ? p : NULL;
}

// False while the real functions are being looked up.
static int ready(void) {
    if (next_malloc) return 1;
    if (starting) return 0;
    starting = 1;
    next_free = dlsym(RTLD_NEXT, "free");
    next_realloc = dlsym(RTLD_NEXT, "realloc");
    next_calloc = dlsym(RTLD_NEXT, "calloc");
    const char *n = getenv("FAIL_N");
    wanted = n ? atol(n) : -1;
    next_malloc = dlsym(RTLD_NEXT, "malloc");
    return 1;
}

static int fails(void) {
    if (__sync_add_and_fetch(&count, 1) != wanted) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) {
    if (!ready()) return take_early(size);
    return fails() ? NULL : next_malloc(size);
}

void *calloc(size_t n, size_t size) {
    if (!ready()) return take_early(n * size);
    return fails() ? NULL : next_calloc(n, size);
}

void *realloc(void *p, size_t size) {
    if (!ready()) return take_early(size);
    if (size > 0 && fails()) return NULL;
    if (!is_early(p)) return next_realloc(p, size);
    void *copy = next_malloc(size);
    return copy ? memcpy(copy, p, size) : NULL;
}

void free(void *p) {
    if (p && !is_early(p) && ready()) next_free(p);
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("FAIL_COUNT");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    char text[32];
    if (file < 0) return;
    int length = snprintf(text, sizeof text, "%ld\n", count);
    if (write(file, text, (size_t)length) < 0) abort();
    close(file);
}

// SPDX-License-Identifier: MIT
// The state of an instance as bytes: its mode and times, the values that were given before the run,
// and the save of the run.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"

typedef struct Head {
    char magic[8];
    uint64_t mode, ended, event_due;
    uint64_t given, bytes; // how many values were given; size of the save, 0: no run
    double start, stop, tolerance, last_time;
} Head;

typedef struct Given {
    uint64_t reference, length; // of the text behind it, with its 0; 0: a number
    double value;
} Given;

static const char magic[8] = "RBFMU02";

static size_t length_of(const FmuVariable *v) {
    return v->text ? strlen(v->text) + 1 : 0;
}

static size_t size_of_given(const Fmu *f, uint64_t *count) {
    size_t size = 0;
    *count = 0;
    for (size_t i = 0; i < f->variable_count; i++) {
        if (!f->variables[i].given) continue;
        size += sizeof(Given) + length_of(&f->variables[i]);
        ++*count;
    }
    return size;
}

static unsigned char *put(unsigned char *to, const void *from, size_t size) {
    if (size > 0) memcpy(to, from, size);
    return to + size;
}

static unsigned char *put_given(const Fmu *f, unsigned char *to) {
    for (size_t i = 0; i < f->variable_count; i++) {
        const FmuVariable *v = &f->variables[i];
        Given g = {i, length_of(v), v->value};
        if (!v->given) continue;
        to = put(to, &g, sizeof g);
        to = put(to, v->text, length_of(v));
    }
    return to;
}

FmuStatus fmu_get_state(Fmu *f, FmuState **state) {
    const void *bytes = NULL;
    size_t size = 0;
    if (f->run && f->mode != FMU_FAILED) {
        if (fmu_place(f) != FMU_OK) return FMU_ERROR;
        if (fmu_check(f, rb_run_save(f->run, &f->saved)) != FMU_OK) return FMU_ERROR;
        bytes = rb_saved_bytes(f->saved, &size);
    }
    Head head = {.mode = f->mode,
                 .ended = f->ended,
                 .event_due = f->event_due,
                 .bytes = size,
                 .start = f->start,
                 .stop = f->stop,
                 .tolerance = f->tolerance,
                 .last_time = f->last_time};
    memcpy(head.magic, magic, sizeof magic);
    size_t total = sizeof head + size_of_given(f, &head.given) + size;
    FmuState *s = realloc(*state, sizeof *s + total);
    if (!s) return fmu_fail(f, "there is no memory for a state");
    s->size = total;
    unsigned char *to = put(s->bytes, &head, sizeof head);
    put(put_given(f, to), bytes, size);
    *state = s;
    return FMU_OK;
}

// -------------------------------------------------------------------------------------------------
// back

typedef struct Reader {
    const unsigned char *at, *end;
} Reader;

static bool take(Reader *r, void *to, size_t size) {
    if ((size_t)(r->end - r->at) < size) return false;
    memcpy(to, r->at, size);
    r->at += size;
    return true;
}

// Are these the values that are given now?
static bool same_given(const Fmu *f, const unsigned char *bytes, size_t size, uint64_t count) {
    uint64_t own;
    if (size_of_given(f, &own) != size || own != count) return false;
    unsigned char *mine = malloc(size + 1);
    if (!mine) return false;
    put_given(f, mine);
    bool same = memcmp(mine, bytes, size) == 0;
    free(mine);
    return same;
}

// Go over the values; with `f` they are taken.
static bool read_given(Reader *r, uint64_t count, size_t variables, Fmu *f) {
    for (uint64_t i = 0; i < count; i++) {
        Given g;
        if (!take(r, &g, sizeof g) || g.reference >= variables) return false;
        if ((size_t)(r->end - r->at) < g.length) return false;
        if (g.length > 0 && r->at[g.length - 1] != 0) return false;
        if (f) {
            FmuVariable *v = &f->variables[g.reference];
            v->given = true;
            v->value = g.value;
            v->text = g.length > 0 ? strdup((const char *)r->at) : NULL;
        }
        r->at += g.length;
    }
    return true;
}

static bool is_mode(uint64_t mode) {
    return mode == FMU_INSTANTIATED || mode == FMU_INITIALIZING || mode == FMU_STEPPING ||
           mode == FMU_AT_EVENT || mode == FMU_CONTINUOUS || mode == FMU_TERMINATED || mode == FMU_FAILED;
}

static bool same_number(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

FmuStatus fmu_set_state(Fmu *f, const FmuState *state) {
    Head head;
    Reader r = {state->bytes, state->bytes + state->size};
    bool good = take(&r, &head, sizeof head) && memcmp(head.magic, magic, sizeof magic) == 0 &&
                is_mode(head.mode);
    const unsigned char *given = r.at;
    good = good && read_given(&r, head.given, f->variable_count, NULL) &&
           (uint64_t)(r.end - r.at) == head.bytes;
    if (!good) return fmu_fail(f, "these bytes are no state of this FMU");
    size_t given_size = (size_t)(r.at - given);
    bool same = same_given(f, given, given_size, head.given) && same_number(head.start, f->start) &&
                same_number(head.stop, f->stop) && same_number(head.tolerance, f->tolerance);
    if (!same || head.bytes == 0) {
        if (fmu_reload(f) != FMU_OK) return FMU_ERROR;
        read_given(&(Reader){given, given + given_size}, head.given, f->variable_count, f);
    }
    f->start = head.start;
    f->stop = head.stop;
    f->tolerance = head.tolerance;
    if (head.bytes > 0) {
        if (fmu_start(f) != FMU_OK) return FMU_ERROR;
        if (fmu_check(f, rb_run_restore_bytes(f->run, r.at, head.bytes)) != FMU_OK)
            return FMU_ERROR;
        if (f->exchange && fmu_open_exchange(f) != FMU_OK) return FMU_ERROR;
    }
    f->mode = (FmuMode)head.mode;
    f->event_due = head.event_due != 0;
    f->ended = head.ended != 0;
    f->step_start = f->last_time = head.last_time;
    return FMU_OK;
}

// -------------------------------------------------------------------------------------------------
// bytes of the master

void fmu_free_state(void **state) {
    if (!state) return;
    free(*state);
    *state = NULL;
}

FmuStatus fmu_write_state(Fmu *f, const FmuState *s, void *bytes, size_t size) {
    if (!s || !bytes) return fmu_fail(f, "an argument is NULL");
    if (size < s->size) return fmu_fail(f, "the state has %zu bytes, not %zu", s->size, size);
    memcpy(bytes, s->bytes, s->size);
    return FMU_OK;
}

FmuStatus fmu_read_state(Fmu *f, const void *bytes, size_t size, FmuState **state) {
    if (!bytes || size > SIZE_MAX / 2) return fmu_fail(f, "these bytes are no state of this FMU");
    FmuState *s = realloc(*state, sizeof *s + size);
    if (!s) return fmu_fail(f, "there is no memory for a state");
    s->size = size;
    memcpy(s->bytes, bytes, size);
    *state = s;
    return FMU_OK;
}

// SPDX-License-Identifier: MIT
#include "translate/array_text.h"

#include <ctype.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

typedef struct Reader {
    const char *at;
    RbArena *arena;
    RB_ARRAY(double) values;
    const char *wrong;
} Reader;

static bool accept(Reader *r, char c) {
    while (isspace((unsigned char)*r->at)) r->at++;
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static void fail(Reader *r, const char *why) {
    if (!r->wrong) r->wrong = why;
}

static void number(Reader *r) {
    while (isspace((unsigned char)*r->at)) r->at++;
    size_t length = strcspn(r->at, ",;]}");
    const char *end = r->at + length;
    while (end > r->at && isspace((unsigned char)end[-1])) end--;
    double value;
    if (!rb_number_parse(r->at, end, &value)) {
        fail(r, rb_arena_printf(r->arena, "'%.*s' is not a number", (int)(end - r->at), r->at));
        return;
    }
    rb_array_push(&r->values, r->arena, value);
    r->at += length;
}

// Numbers with commas between; answers how many.
static int row(Reader *r) {
    int count = 0;
    do {
        number(r);
        count++;
    } while (!r->wrong && accept(r, ','));
    return count;
}

static void same_length(Reader *r, int *columns, int count) {
    if (*columns >= 0 && *columns != count)
        fail(r, rb_arena_printf(r->arena, "the rows of the matrix have %d and %d columns", *columns,
                                count));
    *columns = count;
}

// [ row { ; row } ]
static void matrix(Reader *r, RbArrayText *array) {
    array->rank = 2;
    array->dims[1] = -1;
    do {
        same_length(r, &array->dims[1], row(r));
        array->dims[0]++;
    } while (!r->wrong && accept(r, ';'));
    if (!accept(r, ']')) fail(r, "a matrix ends with ']'");
}

// { number, ... } or { { ... }, ... }
static void braces(Reader *r, RbArrayText *array) {
    array->rank = 1;
    array->dims[1] = -1;
    if (accept(r, '}')) return;
    if (!accept(r, '{')) {
        array->dims[0] = row(r);
        if (!accept(r, '}')) fail(r, "a vector ends with '}'");
        return;
    }
    array->rank = 2;
    do {
        if (array->dims[0] > 0 && !accept(r, '{'))
            fail(r, "each row of the matrix begins with '{'");
        same_length(r, &array->dims[1], r->wrong ? array->dims[1] : row(r));
        if (!accept(r, '}')) fail(r, "each row of the matrix ends with '}'");
        array->dims[0]++;
    } while (!r->wrong && accept(r, ','));
    if (!accept(r, '}')) fail(r, "a matrix ends with '}}'");
}

const char *rb_array_parse(const char *text, RbArena *arena, RbArrayText *array) {
    Reader r = {.at = text, .arena = arena};
    *array = (RbArrayText){0};
    if (accept(&r, '['))
        matrix(&r, array);
    else if (accept(&r, '{'))
        braces(&r, array);
    else
        fail(&r, "an array begins with '{' or '['");
    while (isspace((unsigned char)*r.at)) r.at++;
    if (*r.at) fail(&r, rb_arena_printf(arena, "'%s' is left over behind the array", r.at));
    array->values = r.values.data ? r.values.data : rb_new_array(arena, double, 1);
    return r.wrong;
}

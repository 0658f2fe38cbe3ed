// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/assert.h"
#include "base/number.h"

RbText rb_text(RbArena *arena) {
    RbText text = {.arena = arena};
    rb_array_reserve(&text, arena, 64);
    return text;
}

void rb_text_add_bytes(RbText *text, const char *bytes, size_t length) {
    if (length >= (size_t)(INT32_MAX - text->count)) rb_heap_fail(text->arena->heap);
    rb_array_reserve(text, text->arena, text->count + (int)length + 1);
    if (length > 0)
        memcpy(text->data + text->count, bytes, length); // of nothing there may be no pointer
    text->count += (int)length;
    text->data[text->count] = 0;
}

void rb_text_add(RbText *text, const char *more) {
    rb_text_add_bytes(text, more, strlen(more));
}

// Only %s, %d, %c and %%?
static bool is_plain(const char *format) {
    for (const char *c = strchr(format, '%'); c; c = strchr(c + 2, '%')) {
        if (c[1] != 's' && c[1] != 'd' && c[1] != 'c' && c[1] != '%') return false;
    }
    return true;
}

static void add_int(RbText *text, int value) {
    char digits[12], *first = digits + sizeof digits;
    unsigned rest = value < 0 ? 0U - (unsigned)value : (unsigned)value;
    do *--first = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (value < 0) *--first = '-';
    rb_text_add_bytes(text, first, (size_t)(digits + sizeof digits - first));
}

// Generated code is written with such formats, megabytes of it. (A library that we are linked with
// teaches printf to print its own numbers, by which the C library's becomes several times slower.)
static void print_plain(RbText *text, const char *format, va_list arguments) {
    for (const char *c = strchr(format, '%'); c; c = strchr(format, '%')) {
        rb_text_add_bytes(text, format, (size_t)(c - format));
        if (c[1] == 's') {
            const char *more = va_arg(arguments, const char *);
            rb_text_add(text, more ? more : "(null)");
        } else if (c[1] == 'd') {
            add_int(text, va_arg(arguments, int));
        } else {
            char one = c[1] == 'c' ? (char)va_arg(arguments, int) : '%';
            rb_text_add_bytes(text, &one, 1);
        }
        format = c + 2;
    }
    rb_text_add(text, format);
}

static void print_any(RbText *text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    RB_ASSERT(length >= 0);
    rb_array_reserve(text, text->arena, text->count + length + 1);
    vsnprintf(text->data + text->count, (size_t)length + 1, format, arguments);
    text->count += length;
}

void rb_text_printf(RbText *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (is_plain(format))
        print_plain(text, format, arguments);
    else
        print_any(text, format, arguments);
    va_end(arguments);
}

void rb_text_add_json(RbText *text, const char *value) {
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\') {
            rb_text_printf(text, "\\%c", *c);
        } else if (*c == '\n') {
            rb_text_add(text, "\\n");
        } else if (*c == '\t') {
            rb_text_add(text, "\\t");
        } else if ((unsigned char)*c < 0x20) {
            rb_text_printf(text, "\\u%04x", (unsigned)(unsigned char)*c);
        } else {
            rb_text_add_bytes(text, c, 1);
        }
    }
}

void rb_text_add_double(RbText *text, double value) {
    char number[RB_NUMBER_SIZE];
    rb_text_add_bytes(text, number, (size_t)rb_number_print(value, number));
}

bool rb_text_ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

// Levenshtein distance by rows, where letters that have changed places are one edit; names longer than a row are
// simply "far".
int rb_text_edit_distance(const char *a, const char *b, int limit) {
    enum { ROW = 128 };
    int rows[3][ROW]; // after i, i - 1 and i - 2 letters of a
    int *row = rows[0], *one_up = rows[1], *two_up = rows[2];
    size_t length = strlen(b);
    if (length >= ROW || strlen(a) >= ROW) return limit + 1;
    for (size_t j = 0; j <= length; j++) row[j] = (int)j;
    for (size_t i = 1; a[i - 1]; i++) {
        int *oldest = two_up;
        two_up = one_up, one_up = row, row = oldest;
        row[0] = (int)i;
        for (size_t j = 1; j <= length; j++) {
            int change = one_up[j - 1] + (a[i - 1] != b[j - 1]);
            int edit = (row[j - 1] < one_up[j] ? row[j - 1] : one_up[j]) + 1;
            row[j] = change < edit ? change : edit;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && two_up[j - 2] + 1 < row[j]) row[j] = two_up[j - 2] + 1;
        }
    }
    return row[length] <= limit ? row[length] : limit + 1;
}

void rb_text_try_near(RbNear *near, const char *candidate) {
    int length = (int)strlen(near->wanted);
    int far = length / 3 + 1; // edits; more make another word
    bool element = length > 0 && strncmp(near->wanted, candidate, (size_t)length) == 0 &&
                   candidate[length] == '['; // of the array that was named
    if (length == 1 && !element && strcasecmp(near->wanted, candidate) != 0) return;
    int distance = element ? 1 : rb_text_edit_distance(near->wanted, candidate, far);
    if (distance > far || (near->name && distance >= near->distance)) return;
    near->name = candidate;
    near->distance = distance;
}

const char *rb_text_near_question(const RbNear *near, const char *before, RbArena *arena) {
    return near->name ? rb_arena_printf(arena, "; did you mean '%s%s'?", before, near->name) : "";
}

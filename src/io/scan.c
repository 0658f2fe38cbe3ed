// SPDX-License-Identifier: MIT
#include "io/scan.h"

#include <limits.h>
#include <string.h>

#include "base/number.h"

enum { LONGEST_SHOWN = 40 };

RbScan rb_scan(RbBytes bytes, const char *file) {
    const char *text = bytes.data ? (const char *)bytes.data : "";
    return (RbScan){
        .file = file, .next = text, .end = text + bytes.size, .line_start = text, .line = 1};
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

// Is a backslash at p the end of the line? Answers the length of the mark, or 0.
static int line_join(const RbScan *s, const char *p) {
    if (!s->joins_lines || *p != '\\') return 0;
    if (p + 1 < s->end && p[1] == '\n') return 2;
    return p + 2 < s->end && p[1] == '\r' && p[2] == '\n' ? 3 : 0;
}

static void skip_blanks(RbScan *s) {
    while (s->next < s->end) {
        int join = line_join(s, s->next);
        if (join == 0 && !is_blank(*s->next)) return;
        s->next += join > 0 ? join : 1;
        if (join > 0) {
            s->line++;
            s->line_start = s->next;
        }
    }
}

static RbWord word_from(const RbScan *s, const char *text, const char *stop) {
    ptrdiff_t length = stop - text, column = text - s->line_start + 1;
    return (RbWord){text,
                    length < INT_MAX ? (int)length : INT_MAX,
                    {s->file, s->line, column < INT_MAX ? (int)column : INT_MAX}};
}

RbWord rb_scan_word(RbScan *s) {
    skip_blanks(s);
    const char *start = s->next;
    while (s->next < s->end && !is_blank(*s->next) && *s->next != '\n' && !line_join(s, s->next)) {
        s->next++;
    }
    return word_from(s, start, s->next);
}

RbWord rb_scan_rest(RbScan *s) {
    skip_blanks(s);
    const char *start = s->next;
    const char *newline = memchr(start, '\n', (size_t)(s->end - start));
    s->next = newline ? newline : s->end;
    const char *stop = s->next;
    while (stop > start && is_blank(stop[-1])) stop--;
    return word_from(s, start, stop);
}

bool rb_scan_next_line(RbScan *s) {
    while (s->next < s->end) {
        rb_scan_word(s); // keeps count of joined lines
        if (s->next < s->end && *s->next == '\n') {
            s->next++;
            s->line++;
            s->line_start = s->next;
            return s->next < s->end;
        }
    }
    return false;
}

RbWord rb_scan_word_anywhere(RbScan *s) {
    RbWord word = rb_scan_word(s);
    while (word.length == 0 && rb_scan_next_line(s)) word = rb_scan_word(s);
    return word;
}

bool rb_word_is(RbWord word, const char *text) {
    return strlen(text) == (size_t)word.length && memcmp(word.text, text, (size_t)word.length) == 0;
}

bool rb_word_is_anycase(RbWord word, const char *text) {
    if (strlen(text) != (size_t)word.length) return false;
    for (int i = 0; i < word.length; i++) {
        char c = word.text[i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != text[i]) return false;
    }
    return true;
}

// ---- numbers ----

bool rb_word_double(RbWord word, double *value) {
    return rb_number_parse(word.text, word.text + word.length, value);
}

bool rb_word_int(RbWord word, int *value) {
    const char *p = word.text, *end = word.text + word.length;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    int64_t sum = 0;
    if (p == end) return false;
    for (; p < end; p++) {
        if (*p < '0' || *p > '9') return false;
        sum = 10 * sum + (*p - '0');
        if (sum > INT_MAX) return false;
    }
    *value = (int)(negative ? -sum : sum);
    return true;
}

const char *rb_word_shown(RbWord word, RbArena *arena) {
    bool cut = word.length > LONGEST_SHOWN;
    int length = cut ? LONGEST_SHOWN : word.length;
    char *copy = rb_arena_push(arena, (size_t)length + 4, 1);
    for (int i = 0; i < length; i++) {
        unsigned char c = (unsigned char)word.text[i];
        copy[i] = c < 32 || c >= 127 ? '?' : (char)c;
    }
    if (cut) memcpy(copy + length, "...", 3);
    return copy;
}

void rb_text_add_number(RbText *text, double value) {
    char number[RB_NUMBER_SIZE];
    rb_text_add_bytes(text, number, (size_t)rb_number_print(value, number));
}

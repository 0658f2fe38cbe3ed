// SPDX-License-Identifier: MIT
#include "io/scan.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 400, LONGEST_SHOWN = 40 };

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

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// A decimal number in pieces: value = mantissa * 10^exponent, if no digit had to be left out.
typedef struct Decimal {
    bool negative;
    bool exact; // mantissa holds all digits and is below 2^53
    uint64_t mantissa;
    int exponent;
} Decimal;

static const char *take_digits(const char *p, const char *end, Decimal *d, bool after_point,
                               int *count) {
    for (; p < end && is_digit(*p); p++, (*count)++) {
        if (d->mantissa > (UINT64_C(1) << 53) / 10 - 1) d->exact = false;
        if (!d->exact) continue;
        d->mantissa = 10 * d->mantissa + (uint64_t)(*p - '0');
        d->exponent -= after_point;
    }
    return p;
}

static const char *take_exponent(const char *p, const char *end, Decimal *d) {
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end || !is_digit(*p)) return NULL;
    int value = 0;
    for (; p < end && is_digit(*p); p++) {
        if (value < 100000) value = 10 * value + (*p - '0');
    }
    d->exponent += negative ? -value : value;
    return p;
}

static bool parse_decimal(const char *p, const char *end, Decimal *d) {
    *d = (Decimal){.exact = true};
    d->negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    int digits = 0;
    p = take_digits(p, end, d, false, &digits);
    if (p < end && *p == '.') p = take_digits(p + 1, end, d, true, &digits);
    if (digits == 0) return false;
    if (p < end && (*p == 'e' || *p == 'E')) p = take_exponent(p + 1, end, d);
    return p == end;
}

// The C library's reader in the C locale, whatever locale the program has set.
static double read_by_library(RbWord word) {
    char text[LONGEST_NUMBER + 1];
    memcpy(text, word.text, (size_t)word.length);
    text[word.length] = 0;
    locale_t c =
        newlocale(LC_ALL_MASK, "C", (locale_t)0); // glibc keeps this one: nothing is allocated
    double value = c ? strtod_l(text, NULL, c) : NAN;
    if (c) freelocale(c);
    return value;
}

static bool special_value(RbWord word, double *value) {
    bool sign = word.length > 0 && (word.text[0] == '-' || word.text[0] == '+');
    RbWord name = {word.text + sign, word.length - sign, word.at};
    bool nan = rb_word_is_anycase(name, "nan");
    bool inf = rb_word_is_anycase(name, "inf") || rb_word_is_anycase(name, "infinity");
    *value = nan ? NAN : sign && word.text[0] == '-' ? -INFINITY : INFINITY;
    return nan || inf;
}

// Mantissa and power of ten are exact doubles for exponents up to 22, so one operation rounds once:
// correctly.
bool rb_word_double(RbWord word, double *value) {
    static const double TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    Decimal d;
    if (!parse_decimal(word.text, word.text + word.length, &d)) return special_value(word, value);
    if (d.exact && d.exponent >= -22 && d.exponent <= 22) {
        double m = (double)d.mantissa;
        m = d.exponent < 0 ? m / TENS[-d.exponent] : m * TENS[d.exponent];
        *value = d.negative ? -m : m;
        return true;
    }
    if (word.length > LONGEST_NUMBER) return false;
    *value = read_by_library(word);
    return true;
}

bool rb_word_int(RbWord word, int *value) {
    const char *p = word.text, *end = word.text + word.length;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    int64_t sum = 0;
    if (p == end) return false;
    for (; p < end; p++) {
        if (!is_digit(*p)) return false;
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

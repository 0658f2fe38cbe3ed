// SPDX-License-Identifier: MIT
#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---- reading

// A decimal number: digits times 10^exponent, the first 19 significant digits of it.
typedef struct Decimal {
    uint64_t digits;
    int exponent;
    bool exact; // there were no more digits
} Decimal;

static const char *scan_digits(const char *p, const char *end, Decimal *d, bool fraction,
                               int *seen) {
    for (; p < end && *p >= '0' && *p <= '9'; p++, ++*seen) {
        if (d->digits < UINT64_C(1000000000000000000)) {
            d->digits = 10 * d->digits + (uint64_t)(*p - '0');
            d->exponent -= fraction;
        } else {
            d->exact = d->exact && *p == '0';
            d->exponent += !fraction;
        }
    }
    return p;
}

static const char *scan_exponent(const char *p, const char *end, Decimal *d) {
    enum { FAR = 100000 }; // beyond any double; keeps the sum from overflowing
    if (p == end || (*p != 'e' && *p != 'E')) return p;
    const char *start = p++;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end || *p < '0' || *p > '9') return start;
    int exponent = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        if (exponent < FAR) exponent = 10 * exponent + (*p - '0');
    }
    d->exponent += negative ? -exponent : exponent;
    return p;
}

// The C library decides the hard cases. Written as digits and exponent, the number has no decimal
// point, so the locale does not matter. More than 19 digits: halfway cases need up to 767 of them,
// so the text itself is read; a text that is even longer is cut, which leaves less than one unit in
// the last place.
static double read_slowly(const Decimal *d, const char *text, const char *end) {
    char copy[1100];
    size_t length = (size_t)(end - text);
    if (d->exact || length >= sizeof copy) {
        snprintf(copy, sizeof copy, "%llue%d", (unsigned long long)d->digits, d->exponent);
        return strtod(copy, NULL);
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    char *dot = strchr(copy, '.');
    if (dot) *dot = localeconv()->decimal_point[0];
    return strtod(copy, NULL);
}

// Exact if both factors are: at most 53 bits of digits and a power of ten up to 10^22, one rounding
// (W. D. Clinger, How to read floating point numbers accurately, 1990).
static bool read_quickly(const Decimal *d, double *value) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!d->exact || d->digits >> 53 != 0 || d->exponent < -22 || d->exponent > 22) return false;
    double digits = (double)d->digits;
    *value = d->exponent < 0 ? digits / powers[-d->exponent] : digits * powers[d->exponent];
    return true;
}

static bool is_word(const char *text, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - text) == length && strncasecmp(text, word, length) == 0;
}

bool rb_number_parse(const char *text, const char *end, double *value) {
    bool negative = text < end && *text == '-';
    const char *start = text;
    if (text < end && (*text == '-' || *text == '+')) start++;
    Decimal d = {.exact = true};
    int seen = 0;
    const char *p = scan_digits(start, end, &d, false, &seen);
    if (p < end && *p == '.') p = scan_digits(p + 1, end, &d, true, &seen);
    if (seen > 0) p = scan_exponent(p, end, &d);
    if (seen > 0 && p == end) {
        if (!read_quickly(&d, value)) *value = read_slowly(&d, start, end);
    } else if (is_word(start, end, "nan")) {
        *value = NAN;
    } else if (is_word(start, end, "inf") || is_word(start, end, "infinity")) {
        *value = INFINITY;
    } else {
        return false;
    }
    if (negative) *value = -*value;
    return true;
}

// ---- printing

// Digits d of |value| = d[0].d[1]d[2]... * 10^exponent, rounded to 17 places.
static int seventeen_digits(double value, char digits[18]) {
    char text[40];
    snprintf(text, sizeof text, "%.16e",
             fabs(value)); // d?dddddddddddddddde+xx, ? the point of the locale
    digits[0] = text[0];
    memcpy(digits + 1, text + 2, 16);
    digits[17] = 0;
    return (int)strtol(text + 19, NULL, 10);
}

// Round decimal digits to fewer places, up or down; true if a carry made them 1000...
static bool round_digits(const char digits[18], int places, bool up, char rounded[18]) {
    memcpy(rounded, digits, (size_t)places);
    rounded[places] = 0;
    if (!up) return false;
    int i = places - 1;
    for (; i >= 0 && rounded[i] == '9'; i--) rounded[i] = '0';
    if (i >= 0) {
        rounded[i]++;
        return false;
    }
    rounded[0] = '1';
    return true;
}

static double value_of(const char *digits, int places, int exponent) {
    Decimal d = {.exponent = exponent - places + 1, .exact = true};
    for (int i = 0; i < places; i++) d.digits = 10 * d.digits + (uint64_t)(digits[i] - '0');
    double value;
    if (!read_quickly(&d, &value)) value = read_slowly(&d, NULL, NULL);
    return value;
}

static char *put(char *to, const char *bytes, int count) {
    memcpy(to, bytes, (size_t)count);
    return to + count;
}

static char *put_zeros(char *to, int count) {
    for (int i = 0; i < count; i++) *to++ = '0';
    return to;
}

// Digits without trailing zeros, laid out as %g does with 17 places.
static char *lay_out(char *to, const char *digits, int count, int exponent) {
    if (exponent < -4 || exponent >= 17) {
        *to++ = digits[0];
        if (count > 1) *to++ = '.';
        to = put(to, digits + 1, count - 1);
        return to + sprintf(to, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    }
    if (exponent < 0) {
        to = put_zeros(put(to, "0.", 2), -exponent - 1);
        return put(to, digits, count);
    }
    int whole = exponent + 1;
    if (count <= whole) return put_zeros(put(to, digits, count), whole - count);
    to = put(to, digits, whole);
    *to++ = '.';
    return put(to, digits + whole, count - whole);
}

// Replace the 17 digits by fewer if these read back as the value.
static bool shorten(double value, char digits[18], int places, bool up, int *exponent) {
    char rounded[18];
    bool carried = round_digits(digits, places, up, rounded);
    if (value_of(rounded, places, *exponent + carried) != fabs(value)) return false;
    memcpy(digits, rounded, sizeof rounded);
    *exponent += carried;
    return true;
}

// If a number of 15 or 16 places reads back as the value, it is found by rounding the 17 places,
// which are far closer to the value than such numbers are to each other; only after a 5 at the end
// both directions must be tried, because it was rounded itself. Fifteen places always come back as
// they were, so fewer only matter for the smallest numbers, which have fewer bits.
static char *print_finite(char *to, double value) {
    char digits[18];
    int exponent = seventeen_digits(value, digits), count = 17;
    for (int places = fabs(value) < DBL_MIN ? 1 : 15; places <= 16 && count == 17; places++) {
        bool up = digits[places] >= '5';
        if (shorten(value, digits, places, up, &exponent) ||
            (digits[places] == '5' && shorten(value, digits, places, !up, &exponent))) {
            count = places;
        }
    }
    while (count > 1 && digits[count - 1] == '0') count--;
    return lay_out(to, digits, count, exponent);
}

int rb_number_print(double value, char text[RB_NUMBER_SIZE]) {
    char *to = text;
    if (signbit(value) && !isnan(value)) *to++ = '-';
    if (isnan(value)) {
        to = put(to, "nan", 3);
    } else if (isinf(value)) {
        to = put(to, "inf", 3);
    } else if (fabs(value) < 1e9 && value == floor(value)) {
        to += sprintf(to, "%d", (int)fabs(value));
    } else {
        to = print_finite(to, value);
    }
    *to = 0;
    return (int)(to - text);
}

// SPDX-License-Identifier: MIT
// Doubles as text: bits come back, text is shortest, the C library agrees.
#include "testing.h"

#include <float.h>
#include <locale.h>
#include <string.h>

#include "base/number.h"
#include "math/rng.h"

static double parse(const char *text) {
    double value;
    ENSURE(rb_number_parse(text, text + strlen(text), &value));
    return value;
}

static void prints_as_one_would_write_them(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-12, "-12"},
        {0.1, "0.1"},
        {1.0 / 3, "0.3333333333333333"},
        {0.001, "0.001"},
        {0.0001, "0.0001"},
        {0.00001, "1e-05"},
        {1e9, "1000000000"},
        {123456.75, "123456.75"},
        {1e17, "1e+17"},
        {1.5e300, "1.5e+300"},
        {-2.5e-7, "-2.5e-07"},
        {5e-324, "5e-324"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {NAN, "nan"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {9007199254740993.0, "9007199254740992"},
        {0.1 + 0.2, "0.30000000000000004"},
        {9.9999999999999995, "10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[RB_NUMBER_SIZE];
        assert_int_equal(rb_number_print(cases[i].value, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}

static int significant_digits(const char *text) {
    int count = 0;
    for (const char *c = text; *c && *c != 'e'; c++)
        count += (*c > '0' && *c <= '9') || (*c == '0' && count > 0);
    return count;
}

// Random bits: what is printed reads back with the same bits, by us and by the C library, and no
// shorter text of %g does.
static void random_bits_come_back(void **state) {
    (void)state;
    RbRng rng = rb_rng(7);
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = rb_rng_bits(&rng);
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (i % 3 == 0) value = floor(rb_rng_unit(&rng) * 1e6) / 1000;
        if (isnan(value)) continue;
        char text[RB_NUMBER_SIZE], shorter[400];
        int length = rb_number_print(value, text);
        ENSURE(length < RB_NUMBER_SIZE);
        back = parse(text);
        ENSURE(memcmp(&back, &value, sizeof back) == 0);
        ENSURE(strtod(text, NULL) == value);
        int places = significant_digits(text);
        if (places < 2 || strchr(text, '.') == NULL) continue;
        snprintf(shorter, sizeof shorter, "%.*g", places - 1, value);
        if (strtod(shorter, NULL) == value) print_error("%s could be %s\n", text, shorter);
        ENSURE(strtod(shorter, NULL) != value);
    }
}

static void reads_what_others_write(void **state) {
    (void)state;
    ENSURE(parse("+1.5") == 1.5 && parse(".5") == 0.5 && parse("5.") == 5 && parse("1E3") == 1000);
    ENSURE(parse("00000000000000000000000001") == 1 && parse("1e-400") == 0 &&
           parse("1e400") == INFINITY);
    ENSURE(parse("1e999999999999") == INFINITY && parse("0e999999999999") == 0);
    ENSURE(isnan(parse("NaN")) && parse("-Infinity") == -INFINITY && parse("INF") == INFINITY);
    ENSURE(signbit(parse("-0.0")));
    // Halfway between 1 and the next double, and just above it.
    ENSURE(parse("1.00000000000000011102230246251565404236316680908203125") == 1);
    ENSURE(parse("1.00000000000000011102230246251565404236316680908203126") == 1 + DBL_EPSILON);
    ENSURE(parse("12345678901234567890123") == 12345678901234567890123.0);
    static const char *const wrong[] = {"",    "-",    "+",    ".",       "e5",    "1e",
                                        "1e+", "1x",   "0x10", "1 ",      " 1",    "1,5",
                                        "--1", "nanx", "na",   "infinit", "1.2.3", "1e5.5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double value;
        ENSURE(!rb_number_parse(wrong[i], wrong[i] + strlen(wrong[i]), &value));
    }
}

// Long texts of digits agree with the C library, which rounds correctly.
static void long_numbers_round_correctly(void **state) {
    (void)state;
    RbRng rng = rb_rng(11);
    for (int i = 0; i < 20000; i++) {
        char text[64];
        int length = 0, digits = 1 + (int)(rb_rng_unit(&rng) * 35);
        for (int k = 0; k < digits; k++) {
            if (k == 3) text[length++] = '.';
            text[length++] = (char)('0' + (int)(rb_rng_unit(&rng) * 10));
        }
        length += sprintf(text + length, "e%d", (int)(rb_rng_unit(&rng) * 80) - 40);
        ENSURE(parse(text) == strtod(text, NULL));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_as_one_would_write_them),
        cmocka_unit_test(random_bits_come_back),
        cmocka_unit_test(reads_what_others_write),
        cmocka_unit_test(long_numbers_round_correctly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

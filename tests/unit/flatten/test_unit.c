// SPDX-License-Identifier: MIT
// Unit strings: relations between units that hold in the SI.
#include "testing.h"

#include <string.h>

#include "flatten/unit.h"

static RbUnit parse(const char *text) {
    RbUnit u;
    if (!rb_unit_parse(text, &u)) print_error("not a unit: %s\n", text);
    ENSURE(rb_unit_parse(text, &u));
    return u;
}

static void same(const char *a, const char *b) {
    RbUnit x = parse(a), y = parse(b);
    if (!rb_unit_equal(&x, &y)) print_error("%s is not %s\n", a, b);
    ENSURE(rb_unit_equal(&x, &y));
}

static void derived_units_follow_from_base_units(void **state) {
    (void)state;
    same("N", "kg.m/s2");
    same("J", "N.m");
    same("W", "J/s");
    same("W", "V.A");
    same("V", "W/A");
    same("Ohm", "V/A");
    same("S", "1/Ohm");
    same("F", "C/V");
    same("H", "Wb/A");
    same("T", "Wb/m2");
    same("Pa", "N/m2");
    same("Hz", "s-1");
    same("N.m/rad", "N.m");
    same("J/(kg.K)", "m2.s-2.K-1");
}

static void prefixes_and_other_units_have_factors(void **state) {
    (void)state;
    ENSURE_NEAR(parse("mm").factor, 1e-3, 1e-18);
    ENSURE_NEAR(parse("kg").factor, 1, 0);
    ENSURE_NEAR(parse("mg").factor, 1e-6, 1e-20);
    ENSURE_NEAR(parse("km/h").factor, 1 / 3.6, 1e-15);
    ENSURE_NEAR(parse("mm2").factor, 1e-6, 1e-20);
    ENSURE_NEAR(parse("A.h").factor, 3600, 0);
    ENSURE_NEAR(parse("bar").factor, 1e5, 0);
    ENSURE_NEAR(parse("uF").factor, 1e-6, 1e-20);
    ENSURE_NEAR(parse("min").factor, 60, 0); // not milli-inch
    ENSURE_NEAR(parse("deg").factor, 3.14159265358979323846 / 180, 1e-17);
}

static void what_is_no_unit_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",   "xyz", "m/",   "m..s", "/s",
                                      "(m", "m)",  "kmin", "m^2",  "m s"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        RbUnit u;
        if (rb_unit_parse(bad[i], &u)) print_error("accepted: '%s'\n", bad[i]);
        ENSURE(!rb_unit_parse(bad[i], &u));
    }
}

static void units_are_printed_in_base_units(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbText out = rb_text(&f.arena);
    RbUnit u = parse("N.m"), one = parse("rad"), per = parse("1/s");
    rb_unit_print(&u, &out);
    rb_text_add(&out, " | ");
    rb_unit_print(&one, &out);
    rb_text_add(&out, " | ");
    rb_unit_print(&per, &out);
    assert_string_equal(out.data, "m2.kg/s2 | 1 | 1/s");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derived_units_follow_from_base_units),
        cmocka_unit_test(prefixes_and_other_units_have_factors),
        cmocka_unit_test(what_is_no_unit_is_refused),
        cmocka_unit_test(units_are_printed_in_base_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

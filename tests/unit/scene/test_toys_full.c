// SPDX-License-Identifier: MIT
// label: full
// A minute of the lever escapement; dominoes fall one after another.
#include "escapement.h"

static void escapement_ticks_for_a_minute(void **state) {
    (void)state;
    ensure_escapement(60);
}

static void dominoes_fall_in_order(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    rb_scene_dominoes(s.scene);
    stand_record(&s, 0.005);
    stand_run(&s, 1, 1e-6);
    double before = 0;
    for (int k = 1; k <= 6; k++) {
        char name[32];
        int count, i = 0;
        snprintf(name, sizeof name, "domino%d.r[3]", k);
        const double *t = stand_series(&s, "time", &count), *z = stand_series(&s, name, &count);
        while (i < count && z[i] > 0.02) i++; // from 0.024
        ENSURE(i < count);
        ENSURE(t[i] > before);
        before = t[i];
    }
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapement_ticks_for_a_minute),
        cmocka_unit_test(dominoes_fall_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// label: normal
// A lever escapement, a tippe top, cards that lean on each other, a roller on two rails.
#include "escapement.h"

static void escapement_ticks(void **state) {
    (void)state;
    ensure_escapement(4.2);
}

// Jellett's integral: the angular momentum about the centre of mass times the way from there to the point
// that touches is constant for any force at that point of a sphere. Until the stem touches.
static void tippe_top_turns_over(void **state) {
    (void)state;
    const double R = 0.02, m = 0.02, a = 0.3 * 0.02, across = 131.0 / 350 * m * R * R,
                 along = 0.4 * m * R * R;
    Stand s;
    stand_open_case(&s, "tippe-top");
    stand_record(&s, 0.01);
    stand_run(&s, 3, s.options.tolerance);
    const double *Q[4], *w[3];
    int count;
    for (int k = 0; k < 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "top.Q[%d]", k + 1);
        Q[k] = stand_series(&s, name, &count);
        snprintf(name, sizeof name, "top.w[%d]", k + 1);
        if (k < 3) w[k] = stand_series(&s, name, &count);
    }
    const double *friction = stand_series(&s, "energy.friction", &count);
    double first = 0, lowest = 1;
    int compared = 0;
    for (int i = 0; i < count; i++) {
        double q[4] = {Q[0][i], Q[1][i], Q[2][i], Q[3][i]};
        Vec3 axis = q_rotate(q_load(q), v3(0, 0, 1)), spin = v3(w[0][i], w[1][i], w[2][i]);
        Vec3 L = v3_axpy(v3_scale(across, spin), (along - across) * v3_dot(spin, axis), axis);
        double jellett = v3_dot(L, v3_axpy(v3(0, 0, -R), a, axis));
        if (i == 0) first = jellett;
        lowest = fmin(lowest, axis.z);
        if (lowest > -0.75) { // the stem touches at -0.81
            ENSURE_NEAR(jellett, first, 1e-3 * fabs(first));
            compared++;
        }
        ENSURE(i == 0 || friction[i] >= friction[i - 1] - 1e-9);
    }
    ENSURE(compared > 150);
    ENSURE(lowest < -0.75); // it stood at 0.995
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-5);
    stand_close(&s);
}

// They need friction of at least half the tangent of their angle: 0.4 is enough at 0.3 rad, not at 0.8.
static void cards_lean(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Stand s;
        stand_open(&s);
        rb_scene_cards(s.scene, k ? 0.8 : 0.3);
        stand_run(&s, k ? 0.2 : 2, 1e-6);
        double x = stand_state(&s, "left.r[1]"), z = stand_state(&s, "left.r[3]");
        if (k) {
            ENSURE(z < 0.025); // from 0.031
        } else {
            stand_run(&s, 10, 1e-6);
            ENSURE_NEAR(stand_state(&s, "left.r[1]"), x, 1e-7);
            ENSURE_NEAR(stand_state(&s, "left.r[3]"), z, 1e-7);
        }
        stand_close(&s);
    }
}

static void roller_rests_on_rails(void **state) {
    (void)state;
    Stand s;
    stand_open_case(&s, "rails");
    int roller = rb_scene_find(s.scene, "roller");
    for (int k = 0; k < 2; k++) {
        RbScenePair pair = {rb_scene_find(s.scene, k ? "rail2" : "rail1"), roller};
        rb_array_push(&s.scene->contact_results, s.scene->arena, pair);
    }
    stand_run(&s, 5, 1e-8);
    double one = stand_result(&s, "contact(rail1,roller).normal_force"),
           two = stand_result(&s, "contact(rail2,roller).normal_force"), both = one + two;
    double weight = M_PI / 4 * 0.01 * 0.5 * 8000 * 9.81; // without the rounding of its edges
    ENSURE_NEAR(one / both, 0.5, 1e-6);
    ENSURE_NEAR(both, weight, 0.1 * weight);
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapement_ticks),
        cmocka_unit_test(tippe_top_turns_over),
        cmocka_unit_test(cards_lean),
        cmocka_unit_test(roller_rests_on_rails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

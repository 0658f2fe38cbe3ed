// SPDX-License-Identifier: MIT
// label: normal
// What holds in reality holds by default: boxes on an incline and on each other, with the materials and
// laws that a user gets who chooses none.
#include "stand.h"

static const double g = 9.81;  // [m/s2]
static const double mu = 0.5;  // steel on steel
static const double degree = M_PI / 180;

static double box_drifts_on_incline(const char *solver) {
    Stand s;
    stand_open(&s);
    rb_scene_box_on_incline(s.scene, 10 * degree, V3_ZERO);
    s.options.solver = solver;
    stand_run(&s, 1, 1e-5);
    Vec3 early = stand_vector(&s, "box", "r");
    stand_run(&s, 60, 1e-5);
    double drift = v3_distance(stand_vector(&s, "box", "r"), early);
    // The bristle gives once, by less than its length.
    ENSURE(v3_distance(early, m3_mul_vec(m3_rotation(v3(0, 1, 0), 10 * degree), v3(0, 0, 0.05))) <
           1e-5);
    stand_close(&s);
    return drift;
}

static void box_stays_on_an_incline(void **state) {
    (void)state;
    double islands = box_drifts_on_incline("islands"), cvode = box_drifts_on_incline("cvode");
    print_message("box on 10 degrees: drift to 60 s %.1e m, %.1e m with cvode\n", islands, cvode);
    ENSURE(islands < 1e-9);
    ENSURE(cvode < 1e-9);
}

// The regularised law is there for who asks for it, and creeps as it says: tan(10 deg)/mu of the largest
// friction.
static void regularised_friction_creeps(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    RbPairLaw *law = stand_law(&s, "Steel", "Steel");
    law->friction = RB_FRICTION_SLIDING;
    rb_scene_box_on_incline(s.scene, 10 * degree, V3_ZERO);
    stand_run(&s, 1, 1e-7);
    double v = v3_norm(stand_vector(&s, "box", "v"));
    print_message("regularised: creeps at %.3f mm/s\n", 1e3 * v);
    ENSURE_NEAR(rb_friction_coefficient(law, v), tan(10 * degree), 1e-5);
    ENSURE(v > 1e-3);
    stand_close(&s);
}

// s = v t + (sin a - mu cos a) g t²/2.
static void box_slides_as_coulomb_says(void **state) {
    (void)state;
    const double a = 0.6, v0 = 0.5, t = 0.1;
    Stand s;
    stand_open(&s);
    rb_scene_box_on_incline(s.scene, a, v3(v0, 0, 0));
    stand_run(&s, t, 1e-7);
    Vec3 r = m3_tmul_vec(m3_rotation(v3(0, 1, 0), a), stand_vector(&s, "box", "r"));
    double way = v0 * t + 0.5 * (sin(a) - mu * cos(a)) * g * t * t;
    print_message("slide: %.3e beside the closed form\n", r.x / way - 1);
    ENSURE_NEAR(r.x / way, 1, 1e-4);
    ENSURE_NEAR(r.y, 0, 1e-6);
    stand_close(&s);
}

static void stack_of_ten_stands(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    rb_scene_stack(s.scene);
    s.options.tolerance = 1e-5;
    stand_record(&s, 10);
    stand_run(&s, 60, 1e-5);
    double drift = 0;
    for (int i = 1; i <= 10; i++) {
        for (int k = 1; k <= 3; k++) {
            char name[32];
            int count, times;
            snprintf(name, sizeof name, "box%d.r[%d]", i, k);
            const double *r = stand_series(&s, name, &count), *time = stand_series(&s, "time", &times);
            int from = count - 1;
            while (from > 0 && time[from] > 30 + 1e-9) from--;
            ENSURE(from < count - 1);
            drift = fmax(drift, fabs(r[count - 1] - r[from]));
        }
        char box[16];
        snprintf(box, sizeof box, "box%d", i);
        ENSURE_NEAR(stand_vector(&s, box, "r").z, 0.1 * (i - 0.5), 2e-6);
    }
    print_message("stack of ten: drift from 30 to 60 s %.1e m, %ld steps\n", drift,
                  (long)s.summary.steps);
    ENSURE(drift < 1e-9);
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_stays_on_an_incline),
        cmocka_unit_test(regularised_friction_creeps),
        cmocka_unit_test(box_slides_as_coulomb_says),
        cmocka_unit_test(stack_of_ten_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

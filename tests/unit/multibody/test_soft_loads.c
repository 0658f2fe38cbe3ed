// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (test_soft_parts runs the same code: contacts, and frames that hold molecules)
// What soft bodies carry, until it has come to rest.
#include "soft_run.h"

static void put_box_on_block(SoftRun *s, double youngs_modulus, double mass) {
    open_rest(s, RB_SOFT_SURFACES, RB_SOFT_SPRINGS);
    s->soft->materials.data[0].youngs_modulus = youngs_modulus;
    add_box(s, "load", v3(0.08, 0.02, 0.08), v3(0.02, 0.09, 0.02), mass);
    open_model(s);
    s->r.options.stop_time = 2.5;
    go(s);
    print_message("box at %.9f m, %.1e m/s\n", last(s, "load.r[1]"), last(s, "load.v[1]"));
    ENSURE_NEAR(last(s, "load.r[1]"), 0.02, 1e-3); // without the bristles it has slid off by then
}

// With surfaces, too, a box on top stays there. On the softer block it rocks at 13 rad/s, far below the connections' 400 rad/s, and what is slow is damped little: each
// swing of 0.46 s is smaller than the one before, but after 2.5 s it still rocks. On the stiffer one it has come to rest.
static void a_box_stays_on_a_soft_block(void **state) {
    (void)state;
    const double weight = 9.81 * 1000 * 8 * 8e-6;
    SoftRun s;
    put_box_on_block(&s, 5e4, 0.05);
    const double *v = run_series(&s.r, "load.v[1]");
    for (int i = 60; i + 92 < (int)s.r.result->row_count; i += 46)
        ENSURE(largest(v, i + 46, i + 92) < 0.8 * largest(v, i, i + 46));
    ENSURE_NEAR(last(&s, "block.contact_force[2]"), weight, 1e-5 * weight);
    run_close(&s.r);

    put_box_on_block(&s, 2e5, 0.03);
    ENSURE(fabs(last(&s, "load.v[1]")) < 1e-5);
    ENSURE_NEAR(last(&s, "block.contact_force[2]"), weight, 1e-6 * weight);
    run_close(&s.r);
}

// A rigid box hangs on a soft bar that hangs on the world: the bar is as long as its weights make it, and a sensor above feels both.
static void a_box_hangs_on_a_soft_bar(void **state) {
    (void)state;
    SoftRun s;
    begin(&s, DOWN);
    const int m = 3, n = 13;
    const double a = 0.01, E = 2e5, mass = 0.02;
    add_material(&s, E, 1, RB_SOFT_COROTATED);
    s.soft->materials.data[0].poisson = 0; // so that held ends need not contract
    int box = add_box(&s, "box", v3(0.04, 0.04, 0.04), v3(a, -0.02, a), mass);
    add_soft(&s, "bar", (Block){.n = {m, n, m}, .a = a, .radius = 0.4 * a, .low = {0, 0, 0}}, 0);
    for (int i = 0; i < s.soft->molecules.count; i++) {
        double y = s.soft->molecules.data[i].r.y;
        RbSceneHold hold = {i, y < 1e-9 ? box : 0};
        if (y < 1e-9 || y > (n - 1) * a - 1e-9)
            rb_array_push(&s.scene->soft.holds, s.scene->arena, hold);
    }
    open_model(&s);
    s.r.options.stop_time = 2;
    go(&s);
    double area = (m - 1) * (m - 1) * a * a, length = (n - 1) * a;
    double own = 1000 * area * length, stretch = (mass + 0.5 * own) * 9.81 * length / (E * area);
    double sunk = -0.02 - last(&s, "box.r[2]");
    print_message("a bar of %.3f kg carries %.3f kg: longer by %.6f m, expected %.6f m\n", own,
                  mass, sunk, stretch);
    ENSURE_NEAR(sunk / stretch, 1, 0.02); // strains of 4 % in a law that is linear in stretches
    ENSURE(fabs(last(&s, "box.v[2]")) < 1e-6);
    run_close(&s.r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_stays_on_a_soft_block),
        cmocka_unit_test(a_box_hangs_on_a_soft_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

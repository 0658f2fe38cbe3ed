// SPDX-License-Identifier: MIT
// Contacts over patches that begin inside a crowd: conservation of energy is the oracle.
// label: normal
// sanitizers: full
#include "run_scene.h"

static const char *elastic =
    "\"restitution\": 1.0, \"sliding_friction\": 0, \"rolling_resistance\": 0";
static int seed;

enum { ROW = 20 };

// A row without gravity, end on end with gaps of rounding, whose first body moves into it: contacts begin while they are in
// a crowd already, at depths at which a patch has no moments yet. Some are turned, so that edges and rims begin.
static void let_row(RbScene *s) {
    RbRng rng = rb_rng((uint64_t)seed);
    double h = 0.05, tilt = seed % 2 ? 0 : 1e-6;
    s->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
    for (int i = 0; i < ROW; i++) {
        RbShape shape = i % 2 ? rb_shape_cylinder(3, 0.055, h) : rb_shape_box(v3(0.06, 0.05, h));
        Vec3 r =
            v3(rb_rng_range(&rng, -0.004, 0.004), 0, i * h + rb_rng_range(&rng, -1e-17, 1e-17));
        RbSceneObject o = rb_solid(rb_arena_printf(s->arena, "part%d", i), shape, "Steel");
        o.object.moves_freely = true;
        o.object.pose =
            (Pose){r, m3_rotation(rb_rng_direction(&rng), tilt * rb_rng_range(&rng, 0, 1))};
        o.object.velocity = v3(0, 0, i == 0 ? 2 : 0);
        rb_scene_add(s, o);
    }
}

// [1] What of the energy is lost or made, wherever nothing is stored in contacts.
static double part_lost(double tolerance) {
    Run r;
    open_with_pair(&r, NULL, let_row, elastic, "islands", tolerance, 0.005);
    r.options.output_interval = 2.5e-4;
    go(&r);
    run_read(&r);
    const double *kinetic = run_series(&r, "energy.kinetic"),
                 *stored = run_series(&r, "energy.elastic");
    int n = (int)r.result->row_count, free_rows = 0;
    double worst = 0;
    for (int i = 0; i < n; i++) {
        if (stored[i] > 1e-9 * kinetic[0]) continue;
        worst = fmax(worst, fabs(kinetic[i] + stored[i] - kinetic[0]) / kinetic[0]);
        free_rows++;
    }
    ENSURE(free_rows > 1);
    run_close(&r);
    return worst;
}

static void energy_stays_where_contacts_begin(void **state) {
    (void)state;
    double worst[2] = {0};
    for (seed = 1; seed <= 3; seed++) {
        worst[0] = fmax(worst[0], part_lost(1e-4));
        worst[1] = fmax(worst[1], part_lost(1e-5));
    }
    print_message("3 rows: off by at most %.2g of the energy at 1e-4, %.2g at 1e-5\n", worst[0],
                  worst[1]);
    ENSURE(worst[0] < 30e-4 && worst[1] < 30e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_stays_where_contacts_begin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

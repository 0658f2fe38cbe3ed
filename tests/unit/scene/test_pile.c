// SPDX-License-Identifier: MIT
// Crowds of balls in Modelica (docs/theory/crowds.md): an array of parts takes kicks as the scene in C does, with the same bits; its
// account of energies closes.
// label: normal
#include <stdlib.h>

#include "sim/run_scene.h"
#include "translate/run_model.h"

enum { COUNT = 48 };

// As in Pile.mo.
static void pour(RbScene *s) {
    const double pitch = 0.05001;
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    rb_scene_add(s, rb_solid("floor", rb_shape_halfspace(), "Steel"));
    for (int i = 0; i < COUNT; i++) {
        int layer = i / 16;
        Vec3 r = v3(i % 4 * pitch + layer * 0.008, i / 4 % 4 * pitch + layer * 0.006,
                    0.0251 + layer * 0.049 + 7 * i % 11 * 0.00002);
        rb_scene_add_free(s, rb_arena_printf(s->arena, "ball%d", i), rb_shape_sphere(0.05), "Steel",
                          r, v3(0, 0, -0.5 * layer), V3_ZERO);
    }
}

static void run_in_modelica(Run *r, const char *class, double tolerance, double stop_time) {
    model_open(r, "Pile.mo", class);
    r->options.solver = "islands";
    r->options.tolerance = tolerance;
    r->options.stop_time = stop_time;
    r->options.output_interval = 0;
    model_go(r);
}

static void same_bits_as_in_c(void **state) {
    (void)state;
    Run scene, model, beside, watched;
    open_scene(&scene, NULL, pour, "islands", 1e-5, 0.03);
    go(&scene);
    run_in_modelica(&model, "Pile.Poured", 1e-5, 0.03);
    run_in_modelica(&beside, "Pile.Beside", 1e-5, 0.03);
    run_in_modelica(&watched, "Pile.Watched", 1e-5, 0.03);
    size_t size = 13 * COUNT * sizeof(double);
    ENSURE(memcmp(run_now(&scene)->x, run_now(&model)->x, size) == 0);
    ENSURE(memcmp(run_now(&scene)->x, run_now(&beside)->x, size) == 0);
    // The same work, but for the rows.
    ENSURE(labs((long)(scene.summary.evaluations - model.summary.evaluations)) < 100);
    print_message("CPU time %.3f s in C, %.3f s in Modelica\n", scene.summary.cpu_time,
                  model.summary.cpu_time);
    // A sensor wants to see contacts: no kicks, and other steps.
    print_message("%ld evaluations, %ld with a sensor\n", model.summary.evaluations,
                  watched.summary.evaluations);
    ENSURE(memcmp(run_now(&scene)->x, run_now(&watched)->x, size) != 0);
    run_close(&watched);
    run_close(&beside);
    run_close(&model);
    run_close(&scene);
}

// The bound of sim/test_crowd_kicks: 100 tolerances of the energy that the balls fall with.
static void the_account_closes(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Run r;
        double tolerance = k ? 1e-6 : 1e-5, worst = 0;
        run_in_modelica(&r, "Pile.Poured", tolerance, 0.03);
        const double *residual = run_series(&r, "energy.residual");
        for (int i = 0; i < (int)r.result->row_count; i++) worst = fmax(worst, fabs(residual[i]));
        double all = run_series(&r, "energy.potential")[0];
        print_message("%.2g of the energy\n", worst / all);
        ENSURE(worst < 100 * tolerance * all);
        ENSURE(model_last(&r, "energy.contact_damping") > 0.01 * all); // there were blows
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_as_in_c),
        cmocka_unit_test(the_account_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

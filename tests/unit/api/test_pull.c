// SPDX-License-Identifier: MIT
// Pulling at a body of a run, against closed forms.
#include "testing.h"

#include <math.h>
#include <string.h>

#include "rattleback/rattleback.h"

typedef struct Pulled {
    RbContext *context;
    RbModel *model;
    RbRun *run;
    int object;
} Pulled;

// A free body without gravity; the box turns about all axes alike.
static void open_body(Pulled *p, RbSolidKind kind, const char *solver) {
    RbSceneBuilder *b;
    *p = (Pulled){.context = rb_context_create(NULL)};
    ENSURE(rb_builder_create(p->context, "pulled", &b) == RB_OK);
    ENSURE(rb_builder_gravity(b, (double[]){0, 0, 0}) == RB_OK);
    RbSolid solid = rb_solid_default("body", kind, "Steel");
    for (int i = 0; i < 3; i++) solid.lengths[i] = 0.1;
    solid.diameter = 0.1;
    solid.smoothing = 0;
    solid.free = true;
    ENSURE(rb_builder_add_solid(b, &solid, &p->object) == RB_OK);
    ENSURE(rb_builder_finish(b, &p->model) == RB_OK);
    RbSimOptions o = rb_model_options(p->model);
    o.stop_time = 10;
    o.tolerance = 1e-10;
    o.solver = solver;
    ENSURE(rb_run_open(p->context, p->model, &o, &p->run) == RB_OK);
}

static void close_body(Pulled *p) {
    ENSURE(rb_run_close(p->run, NULL) == RB_OK);
    rb_context_free(p->context);
}

static double kinetic(const Pulled *p) {
    RbRunEnergy e;
    ENSURE(rb_run_energy(p->run, &e) == RB_OK);
    return e.kinetic;
}

// x = X (1 - cos(w t)) towards X; the work from outside is the kinetic energy.
static void a_pulled_body_swings_about_the_place(void **state) {
    (void)state;
    const char *const solvers[] = {"cvode", "islands", "dp5"};
    const RbSolidKind kinds[] = {RB_SOLID_SPHERE, RB_SOLID_BOX};
    for (int i = 0; i < 6; i++) {
        Pulled p;
        RbObjectMotion m;
        double place[3] = {0.3, -0.2, 0.1}, none[3] = {0}, k = 800, t = 0.37, input;
        open_body(&p, kinds[i / 3], solvers[i % 3]);
        ENSURE(rb_run_object(p.run, "body") == p.object && rb_run_object(p.run, "nobody") == -1);
        ENSURE(strcmp(rb_run_object_name(p.run, p.object), "body") == 0);
        ENSURE(strcmp(rb_run_object_name(p.run, 0), "world") == 0);
        ENSURE(!rb_run_object_name(p.run, -1) && !rb_run_object_name(p.run, 1000));
        ENSURE(rb_run_step(p.run, RB_UNTIL_TIME, 0.5, NULL) == RB_OK);
        ENSURE(rb_run_pull(p.run, p.object, none, place, k, 0) == RB_OK);
        ENSURE(rb_run_step(p.run, RB_UNTIL_TIME, 0.5 + t, NULL) == RB_OK);
        ENSURE(rb_run_motion(p.run, p.object, &m) == RB_OK);
        double volume = i / 3 == 0 ? 4 * acos(-1) / 3 * pow(0.05, 3) : pow(0.1, 3);
        double w = sqrt(k / (8000 * volume)); // density of steel in the table of materials
        for (int c = 0; c < 3; c++)
            ENSURE(fabs(m.position[c] - place[c] * (1 - cos(w * t))) < 1e-7);
        ENSURE(rb_run_get_named(p.run, "energy.input", &input) == RB_OK);
        ENSURE(fabs(input - kinetic(&p)) < 1e-6 * kinetic(&p) && input > 0);
        // Let go: it flies on with the speed that it has.
        ENSURE(rb_run_pull(p.run, 0, NULL, NULL, 0, 0) == RB_OK);
        double before = kinetic(&p);
        ENSURE(rb_run_step(p.run, RB_UNTIL_TIME, 2, NULL) == RB_OK);
        ENSURE(fabs(kinetic(&p) - before) < 1e-9 * before);
        close_body(&p);
    }
}

// Where a point of the body is: r + R c, with R from the quaternion w, x, y, z.
static void place_of(const RbObjectMotion *m, const double c[3], double out[3]) {
    const double *q = m->rotation;
    double R[3][3] = {{1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                       2 * (q[1] * q[3] + q[0] * q[2])},
                      {2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                       2 * (q[2] * q[3] - q[0] * q[1])},
                      {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                       1 - 2 * (q[1] * q[1] + q[2] * q[2])}};
    for (int i = 0; i < 3; i++) {
        out[i] = m->position[i];
        for (int k = 0; k < 3; k++) out[i] += R[i][k] * c[k];
    }
}

// Pulled at a corner it turns and swings; the energy of the spring and of the body together stay.
static void a_corner_is_pulled_by_a_spring(void **state) {
    (void)state;
    Pulled p;
    double corner[3] = {0.05, 0.05, 0.05}, place[3] = {0.2, 0.1, -0.1}, k = 2000, moved = 0;
    open_body(&p, RB_SOLID_BOX, "cvode");
    ENSURE(rb_run_pull(p.run, p.object, corner, place, k, 0) == RB_OK);
    double all = 0.5 * k * (0.15 * 0.15 + 0.05 * 0.05 + 0.15 * 0.15);
    for (int i = 1; i <= 20; i++) {
        RbObjectMotion m;
        double at[3], stored = 0;
        ENSURE(rb_run_step(p.run, RB_UNTIL_TIME, 0.05 * i, NULL) == RB_OK);
        ENSURE(rb_run_motion(p.run, p.object, &m) == RB_OK);
        place_of(&m, corner, at);
        for (int c = 0; c < 3; c++) stored += 0.5 * k * (at[c] - place[c]) * (at[c] - place[c]);
        ENSURE(fabs(stored + kinetic(&p) - all) < 1e-6 * all);
        moved = fmax(moved, fabs(m.angular_velocity[0]));
    }
    ENSURE(moved > 1); // it has turned
    close_body(&p);
}

// The next run of the model begins without it.
static void a_pull_ends_with_its_run(void **state) {
    (void)state;
    Pulled p;
    double none[3] = {0}, place[3] = {1, 0, 0};
    open_body(&p, RB_SOLID_SPHERE, "cvode");
    RbSimOptions o = rb_model_options(p.model);
    o.stop_time = 10;
    ENSURE(rb_run_pull(p.run, p.object, none, place, 100, 0) == RB_OK);
    ENSURE(rb_run_step(p.run, RB_UNTIL_TIME, 0.5, NULL) == RB_OK);
    ENSURE(kinetic(&p) > 0);
    ENSURE(rb_run_close(p.run, NULL) == RB_OK);
    ENSURE(rb_run_open(p.context, p.model, &o, &p.run) == RB_OK);
    ENSURE(rb_run_step(p.run, RB_UNTIL_TIME, 0.5, NULL) == RB_OK);
    ENSURE(kinetic(&p) == 0);
    close_body(&p);
}

static void wrong_pulls_are_refused(void **state) {
    (void)state;
    Pulled p;
    double none[3] = {0}, odd[3] = {0, NAN, 0};
    open_body(&p, RB_SOLID_SPHERE, "cvode");
    ENSURE(rb_run_pull(p.run, 77, none, none, 1, 1) == RB_ERROR_USAGE);
    ENSURE(rb_run_pull(p.run, -1, none, none, 1, 1) == RB_ERROR_USAGE);
    ENSURE(rb_run_pull(p.run, p.object, NULL, none, 1, 1) == RB_ERROR_USAGE);
    ENSURE(rb_run_pull(p.run, p.object, odd, none, 1, 1) == RB_ERROR_USAGE);
    ENSURE(rb_run_pull(p.run, p.object, none, odd, 1, 1) == RB_ERROR_USAGE);
    ENSURE(rb_run_pull(p.run, p.object, none, none, -1, 1) == RB_ERROR_USAGE);
    ENSURE(rb_run_pull(p.run, p.object, none, none, 1, INFINITY) == RB_ERROR_USAGE);
    ENSURE(rb_run_pull(NULL, p.object, none, none, 1, 1) == RB_ERROR_USAGE);
    close_body(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pulled_body_swings_about_the_place),
        cmocka_unit_test(a_corner_is_pulled_by_a_spring),
        cmocka_unit_test(a_pull_ends_with_its_run),
        cmocka_unit_test(wrong_pulls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

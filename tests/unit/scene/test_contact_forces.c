// SPDX-License-Identifier: MIT
// What results tell of a contact adds up, also where a patch leans: pressure along its normal and friction are the force, force and torque at the point are what changes the momentum of the body.
#include "math/rng.h"
#include "stand.h"

enum { BLOWS = 6 };
static const double side = 0.1, density = 8000; // [m], [kg/m3] steel

static void add_tetrahedron(Stand *s) {
    static const Vec3 corners[] = {
        {0.09, 0, -0.1}, {-0.08, 0.07, -0.1}, {-0.05, -0.08, -0.1}, {0.02, 0.01, 0}};
    RbShape shape;
    ENSURE(rb_shape_hull(corners, 4, 0, "hull", RB_NOWHERE, &s->f.arena, s->f.scratch, &s->f.diag,
                         &shape) == RB_OK);
    rb_scene_add(s->scene, rb_solid("hull", shape, "Steel"));
}

// A cube that falls on the upper corner of a tetrahedron, or on what is beside it.
static void open_blow(Stand *s, double mu, RbRng *rng) {
    stand_open(s);
    s->scene->gravity = (RbGravity){.kind = RB_GRAVITY_NONE};
    s->options.solver = "islands";
    RbPairLaw *law = stand_law(s, "Steel", "Steel");
    law->restitution = 0.5, law->mu_k = mu, law->mu_r = 0;
    stand_soften(s, "Steel", 1e9);
    add_tetrahedron(s);
    Vec3 r = {rb_rng_range(rng, -0.04, 0.04), rb_rng_range(rng, -0.04, 0.04), 0.09};
    int cube = rb_scene_add_free(s->scene, "cube", rb_shape_box(v3(side, side, side)), "Steel", r,
                                 v3(0.3, 0, -1), v3_scale(2, rb_rng_direction(rng)));
    s->scene->objects.data[cube].object.pose.R =
        m3_rotation(rb_rng_direction(rng), rb_rng_range(rng, 0, 3));
    rb_array_push(&s->scene->contact_results, &s->f.arena, ((RbScenePair){1, cube}));
}

typedef struct Rows {
    int count;
    const double *time, *normal_force, *friction_force;
    const double *normal[3], *force[3], *torque[3], *point[3], *r[3], *v[3], *w[3];
} Rows;

static const double *series(Stand *s, const char *name, int axis, int *count) {
    char text[64];
    snprintf(text, sizeof text, axis < 0 ? "%s" : "%s[%d]", name, axis + 1);
    return stand_series(s, text, count);
}

static Rows rows_of(Stand *s) {
    Rows r;
    r.time = series(s, "time", -1, &r.count);
    r.normal_force = series(s, "contact(hull,cube).normal_force", -1, &r.count);
    r.friction_force = series(s, "contact(hull,cube).friction_force", -1, &r.count);
    for (int k = 0; k < 3; k++) {
        r.normal[k] = series(s, "contact(hull,cube).normal", k, &r.count);
        r.force[k] = series(s, "contact(hull,cube).force", k, &r.count);
        r.torque[k] = series(s, "contact(hull,cube).torque", k, &r.count);
        r.point[k] = series(s, "contact(hull,cube).point", k, &r.count);
        r.r[k] = series(s, "cube.r", k, &r.count);
        r.v[k] = series(s, "cube.v", k, &r.count);
        r.w[k] = series(s, "cube.w", k, &r.count);
    }
    return r;
}

static Vec3 at(const double *const x[3], int row) {
    return v3(x[0][row], x[1][row], x[2][row]);
}

// Of the largest force: what is beyond pressure, which must be friction.
static double parts_add_up(const Rows *r, double mu) {
    double worst = 0, most = 0;
    for (int i = 0; i < r->count; i++) {
        Vec3 rest = v3_axpy(at(r->force, i), -r->normal_force[i], at(r->normal, i));
        worst = fmax(worst, fabs(v3_norm(rest) - r->friction_force[i]));
        most = fmax(most, v3_norm(at(r->force, i)));
        if (r->normal_force[i] > 0) ENSURE_NEAR(v3_norm(at(r->normal, i)), 1, 1e-12);
        ENSURE(r->friction_force[i] <= mu * r->normal_force[i] * (1 + 1e-9) + 1e-9);
    }
    ENSURE(most > 0);
    return worst / most;
}

// Impulse and its moment about the middle, by trapezoids, against what they change.
static double changes_momentum(const Rows *r) {
    const double m = density * side * side * side, I = m * side * side / 6;
    Vec3 p = V3_ZERO, L = V3_ZERO;
    for (int i = 1; i < r->count; i++) {
        double dt = r->time[i] - r->time[i - 1];
        for (int k = i - 1; k <= i; k++) {
            Vec3 arm = v3_sub(at(r->point, k), at(r->r, k)), f = at(r->force, k);
            p = v3_axpy(p, 0.5 * dt, f);
            L = v3_axpy(L, 0.5 * dt, v3_add(v3_cross(arm, f), at(r->torque, k)));
        }
    }
    int end = r->count - 1;
    Vec3 dp = v3_scale(m, v3_sub(at(r->v, end), at(r->v, 0)));
    Vec3 dL = v3_scale(I, v3_sub(at(r->w, end), at(r->w, 0)));
    return fmax(v3_norm(v3_sub(p, dp)) / v3_norm(dp),
                v3_norm(v3_sub(L, dL)) / (side * v3_norm(dp)));
}

static void forces_add_up(void **state) {
    (void)state;
    RbRng rng = rb_rng(5);
    double parts = 0, momentum = 0;
    for (int i = 0; i < BLOWS; i++) {
        Stand s;
        double mu = i % 2 ? 0.3 : 0;
        open_blow(&s, mu, &rng);
        stand_record(&s, 5e-6);
        stand_run(&s, 0.05, 1e-8);
        Rows r = rows_of(&s);
        parts = fmax(parts, parts_add_up(&r, mu));
        momentum = fmax(momentum, changes_momentum(&r));
        stand_close(&s);
    }
    print_message("parts %.1e of the largest force, momentum %.1e\n", parts, momentum);
    ENSURE(parts < 1e-12);
    ENSURE(momentum < 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(forces_add_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

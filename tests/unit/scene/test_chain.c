// SPDX-License-Identifier: MIT
// label: normal
// A blow that runs through balls in a row: against a chain of Hertz springs integrated here, and
// the mass that a contact feels against closed forms.
#include "stand.h"

enum { BALLS = 7 };
static const double d = 0.05, speed = 1; // [m], [m/s]

static double mass(void) {
    return 8000 * M_PI / 6 * d * d * d;
}

// ---- the chain by itself: m x'' = forces K δ^1.5 of the neighbours, Runge-Kutta of order 4

static void chain_rates(const double *y, double *dy) {
    double K = 4.0 / 3 * (2e11 / (2 * (1 - 0.09))) * sqrt(d / 4);
    for (int i = 0; i < BALLS; i++) {
        dy[i] = y[BALLS + i];
        dy[BALLS + i] = 0;
    }
    for (int i = 0; i + 1 < BALLS; i++) {
        double depth = d - (y[i + 1] - y[i]), force = depth > 0 ? K * depth * sqrt(depth) : 0;
        dy[BALLS + i] -= force / mass();
        dy[BALLS + i + 1] += force / mass();
    }
}

static void chain(double gap, double *v) {
    enum { N = 2 * BALLS };
    double y[N] = {0}, k[4][N], z[N], h = 2e-8;
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    for (int i = 0; i < BALLS; i++) y[i] = i * (d + gap);
    y[BALLS] = speed;
    for (int n = 0; n < 50000; n++) { // 1 ms
        for (int j = 0; j < 4; j++) {
            for (int i = 0; i < N; i++) z[i] = y[i] + (j ? h * part[j] * k[j - 1][i] : 0);
            chain_rates(z, k[j]);
        }
        for (int j = 0; j < 4; j++) {
            for (int i = 0; i < N; i++) y[i] += h / 6 * weight[j] * k[j][i];
        }
    }
    for (int i = 0; i < BALLS; i++) v[i] = y[BALLS + i];
}

// ---- the same as a scene

static void run_row(Stand *s, double gap, double e, const char *solver) {
    stand_open(s);
    s->options.solver = solver;
    s->scene->gravity = (RbGravity){.kind = RB_GRAVITY_NONE};
    RbPairLaw *law = stand_law(s, "Steel", "Steel");
    law->restitution = e;
    law->mu_k = law->mu_r = 0;
    for (int i = 0; i < BALLS; i++) {
        const char *name = rb_arena_printf(s->scene->arena, "ball%d", i);
        rb_scene_add_free(s->scene, name, rb_shape_sphere(d), "Steel", v3(i * (d + gap), 0, 0),
                          v3(i == 0 ? speed : 0, 0, 0), V3_ZERO);
    }
    stand_run(s, 1e-3, 1e-9);
}

static double velocity(Stand *s, int i) {
    char name[32];
    snprintf(name, sizeof name, "ball%d.v[1]", i);
    return stand_state(s, name);
}

static void elastic_row_is_a_chain_of_springs(void **state) {
    (void)state;
    const double gaps[] = {0, 1e-8, 1e-6};
    static const char *const solvers[] = {"islands", "cvode"};
    for (int k = 0; k < 6; k++) {
        double want[BALLS], energy = 0, before = 0.5 * mass() * speed * speed;
        Stand s;
        chain(gaps[k % 3], want);
        run_row(&s, gaps[k % 3], 1, solvers[k / 3]);
        for (int i = 0; i < BALLS; i++) {
            double v = velocity(&s, i);
            ENSURE_NEAR(v, want[i], 1e-5);
            energy += 0.5 * mass() * v * v;
        }
        print_message("gap %g m, %s: the last leaves at %.6f m/s, energy %.2g off\n", gaps[k % 3],
                      solvers[k / 3], velocity(&s, BALLS - 1), energy / before - 1);
        ENSURE_NEAR(energy / before, 1, 1e-6);
        ENSURE(velocity(&s, BALLS - 1) > 0.98 * speed);
        stand_close(&s);
    }
}

// With e < 1 what comes out depends on the blow, not on how the contacts began: a gap of 10 nm is
// no gap.
static void damped_row_does_not_ask_how_it_began(void **state) {
    (void)state;
    double energy[2] = {0};
    for (int k = 0; k < 2; k++) {
        Stand s;
        run_row(&s, k ? 1e-10 : 0, 0.8, "islands");
        for (int i = 0; i < BALLS; i++) energy[k] += velocity(&s, i) * velocity(&s, i);
        stand_close(&s);
    }
    print_message("e = 0.8: %.4f of the energy is left\n", energy[0]);
    ENSURE_NEAR(energy[1] / energy[0], 1, 1e-4);
    ENSURE(energy[0] < 0.8 && energy[0] > pow(0.8, 2 * (BALLS - 1)));
}

// ---- the mass that a contact feels: restitution as typed where bodies turn or are held

// A beam, free or on a hinge at its middle, is hit by a ball across its face, far from its middle:
// the point that was hit leaves the ball with e of the speed.
static double hit_beam(double e, bool hinged) {
    Stand s;
    stand_open(&s);
    s.scene->gravity = (RbGravity){.kind = RB_GRAVITY_NONE};
    RbPairLaw *law = stand_law(&s, "Steel", "Steel");
    law->restitution = e;
    law->mu_k = law->mu_r = 0;
    double x = 0.15, r = 0.02, gap = 1e-6;
    RbShape shape = rb_shape_box(v3(0.4, 0.04, 0.04));
    if (hinged) {
        RbSceneObject beam = rb_solid("beam", shape, "Steel");
        beam.object.parent = RB_NONE;
        int object = rb_scene_add(s.scene, beam);
        rb_scene_add_joint(s.scene,
                           rb_scene_joint("hinge", RB_JOINT_REVOLUTE, 0, object, v3(0, 0, 1)));
    } else {
        rb_scene_add_free(s.scene, "beam", shape, "Steel", V3_ZERO, V3_ZERO, V3_ZERO);
    }
    rb_scene_add_free(s.scene, "ball", rb_shape_sphere(2 * r), "Steel", v3(x, -0.02 - r - gap, 0),
                      v3(0, speed, 0), V3_ZERO);
    stand_run(&s, 4e-4, 1e-9);
    ENSURE(s.contact_count == 2 || e == 0); // without bounce they may still touch
    double turn = stand_state(&s, hinged ? "hinge.w" : "beam.w[3]") * x;
    double beam = turn + (hinged ? 0 : stand_state(&s, "beam.v[2]"));
    double parting = beam - stand_state(&s, "ball.v[2]");
    stand_close(&s);
    return parting / speed;
}

static void restitution_is_as_typed_where_bodies_turn(void **state) {
    (void)state;
    const double es[] = {0, 0.1, 0.5, 0.9, 1};
    for (int i = 0; i < 5; i++) {
        for (int hinged = 0; hinged < 2; hinged++) ENSURE_NEAR(hit_beam(es[i], hinged), fmax(es[i], 5e-3), 1.5e-3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastic_row_is_a_chain_of_springs),
        cmocka_unit_test(damped_row_does_not_ask_how_it_began),
        cmocka_unit_test(restitution_is_as_typed_where_bodies_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// How a contact over a patch changes as either body is moved, turned, sped up or spun, and as its bristle bends, against central differences of the contact itself in
// that very direction. What is compared with knows nothing of which motions are joint ones.
#include "../collide/place.h"
#include "contact/evaluate.h"
#include "contact/variation.h"

enum { POSES = 300, RATES = 16 };

typedef struct Two {
    RbShape shape[2];
    RbCore core[2];
    RbElement elements[2];
    RbContactSetup setup;
    RbMoving at[2];
    RbBristle bristle;
    RbContactState state;
    double depth; // [m]
} Two;

static Mat3 leaning(RbRng *rng, double angle) {
    return m3_rotation(rb_rng_direction(rng), angle);
}

// The second one anyhow, or the first one's face on its own but for a small tilt, off its middle.
static Pose place_of(Two *t, RbRng *rng, bool flush) {
    t->depth = pow(10, rb_rng_range(rng, -5, -4));
    if (!flush) {
        Placement place = random_placement(&t->core[0], &t->core[1], rng);
        place.X_AB.r = v3_axpy(place.X_AB.r, -t->depth, place.normal);
        return place.X_AB;
    }
    double up = 0.5 * (t->shape[0].lengths.z + t->shape[1].lengths.z) - t->depth;
    Mat3 about = m3_rotation(v3(0, 0, 1), rb_rng_range(rng, 0, 1));
    return (Pose){v3(rb_rng_range(rng, -0.03, 0.03), rb_rng_range(rng, -0.03, 0.03), up),
                  m3_mul(leaning(rng, rb_rng_range(rng, 0, 1e-5)), about)};
}

static void open_two(Two *t, RbRng *rng, bool flush) {
    *t = (Two){.state = {.b = 1, .patch = true}};
    RbContactLaw *law = &t->state.law;
    for (int i = 0; i < 2; i++) {
        t->shape[i] = rb_shape_box(v3(rb_rng_range(rng, 0.05, 0.2), rb_rng_range(rng, 0.05, 0.2),
                                      rb_rng_range(rng, 0.05, 0.2)));
        t->core[i] = rb_shape_core(&t->shape[i]);
        t->elements[i] = (RbElement){.shape = &t->shape[i],
                                     .core = &t->core[i],
                                     .X_BS = POSE_IDENTITY,
                                     .X_BC = t->core[i].frame,
                                     .body = i,
                                     .thickness = 0.05};
        t->at[i].V.w = v3_scale(rb_rng_range(rng, 0, 5), rb_rng_direction(rng));
        t->at[i].V.v = v3_scale(0.1, rb_rng_direction(rng));
    }
    t->setup = (RbContactSetup){
        .elements = t->elements, .element_count = 2, .options = rb_contact_options()};
    *law =
        (RbContactLaw){.modulus = 1e9, .exponent = 1.5, .mass = 1, .pair = rb_pair_law_default()};
    law->radius = rb_contact_radius(&t->shape[0], &t->shape[1]);
    law->stiffness = 4.0 / 3 * law->modulus * sqrt(law->radius);
    law->pair.mu_k = 0.3, law->pair.restitution = 0.5;
    law->pair.friction = RB_FRICTION_BRISTLE;
    law->dissipation = rb_restitution_dissipation(0.5, law->pair.v_small);
    // all of it somewhere else in the world
    Pose X = {rb_rng_direction(rng), leaning(rng, 2)};
    t->at[0].X = X, t->at[1].X = pose_mul(X, place_of(t, rng, flush));
    double L = law->pair.bristle_length;
    t->bristle = (RbBristle){v3_scale(0.5 * L, rb_rng_direction(rng)), 0.3 * L};
    rb_contact_evaluate(&t->setup, &t->at[0], &t->at[1], &t->bristle, &t->state);
}

// Wrenches on both about their origins, and rates of the bristle.
static void answer(const Two *t, double out[RATES]) {
    RbContactState c = t->state;
    rb_contact_evaluate(&t->setup, &t->at[0], &t->at[1], &t->bristle, &c);
    for (int i = 0; i < 2; i++) {
        double sign = i ? 1 : -1;
        Vec3 arm = v3_sub(c.point_W, t->at[i].X.r);
        v3_store(out + 6 * i, v3_scale(sign, v3_add(c.t_W, v3_cross(arm, c.f_W))));
        v3_store(out + 6 * i + 3, v3_scale(sign, c.f_W));
    }
    v3_store(out + 12, c.bristle_rate.slide_W);
    out[15] = c.bristle_rate.twist;
}

static void numbers(const RbContactResponse *r, double out[RATES]) {
    v3_store(out, r->on_a.t), v3_store(out + 3, r->on_a.f);
    v3_store(out + 6, r->on_b.t), v3_store(out + 9, r->on_b.f);
    v3_store(out + 12, r->bristle_rate.slide_W);
    out[15] = r->bristle_rate.twist;
}

// A random direction of one kind: places, turns, velocities, spins of a and of b; bristle.
typedef enum Kind { PLACE, TURN, SPEED, SPIN, BRISTLE, KINDS } Kind;

static void move(Two *t, Kind kind, int body, Vec3 d, double h) {
    RbMoving *m = &t->at[body];
    if (kind == PLACE) m->X.r = v3_axpy(m->X.r, h, d);
    if (kind == TURN) m->X.R = m3_mul(m3_rotation(d, h), m->X.R);
    if (kind == SPEED) m->V.v = v3_axpy(m->V.v, h, d);
    if (kind == SPIN) m->V.w = v3_axpy(m->V.w, h, d);
    if (kind == BRISTLE) t->bristle.slide_W = v3_axpy(t->bristle.slide_W, h, d);
}

static RbContactResponse slope(const RbContactVariation *v, Kind kind, int body, Vec3 d) {
    Motion shift = {V3_ZERO, d}, turn = {d, V3_ZERO}, m = kind % 2 ? turn : shift;
    RbSide side = body ? RB_SIDE_B : RB_SIDE_A;
    if (kind == BRISTLE) return rb_contact_vary_bristle(v, (RbBristle){d, 0});
    return rb_contact_vary(v, side, kind < SPEED ? m : MOTION_ZERO, kind < SPEED ? MOTION_ZERO : m);
}

// By how much they differ, of the largest of forces (torques over 0.1 m), and of rates.
static double off(const double a[RATES], const double b[RATES]) {
    double most[2] = {0}, apart[2] = {0};
    for (int i = 0; i < RATES; i++) {
        double scale = i < 12 && i % 6 < 3 ? 10 : 1;
        most[i >= 12] = fmax(most[i >= 12], scale * fabs(b[i]));
        apart[i >= 12] = fmax(apart[i >= 12], scale * fabs(a[i] - b[i]));
    }
    return fmax(apart[0] / most[0], most[1] > 0 ? apart[1] / most[1] : 0);
}

static double compare(const Two *t, const RbContactVariation *v, Kind kind, int body, Vec3 d) {
    const double steps[KINDS] = {1e-3 * t->depth, 1e-3 * t->depth / 0.1, 1e-7, 1e-6,
                                 1e-4 * t->state.law.pair.bristle_length};
    double up[RATES], down[RATES], got[RATES], h = steps[kind];
    Two more = *t, less = *t;
    move(&more, kind, body, d, h), move(&less, kind, body, d, -h);
    answer(&more, up), answer(&less, down);
    for (int i = 0; i < RATES; i++) up[i] = (up[i] - down[i]) / (2 * h);
    RbContactResponse r = slope(v, kind, body, d);
    numbers(&r, got);
    return off(got, up);
}

// Steps of 1e-3 of the depth, along other axes than those of the contact: what they leave is 1e-6 but for facets that come into sight.
static void slopes_are_those_of_the_contact(void **state) {
    (void)state;
    static const char *const names[] = {"shift", "turn", "velocity", "spin", "bristle"};
    static const double bounds[KINDS] = {2e-4, 2e-4, 1e-5, 1e-5, 1e-5};
    RbRng rng = rb_rng(7);
    double worst[KINDS] = {0};
    for (int i = 0; i < POSES; i++) {
        static Two t;
        RbContactVariation v;
        open_two(&t, &rng, i % 2);
        rb_contact_variation(&t.setup, &t.state, t.at, &v);
        for (int k = 0; k < 2 * KINDS; k++) {
            double e = compare(&t, &v, (Kind)(k / 2), k % 2, rb_rng_direction(&rng));
            worst[k / 2] = fmax(worst[k / 2], e);
            ENSURE(e < bounds[k / 2]);
        }
    }
    for (int k = 0; k < KINDS; k++) print_message("%s: %.1e\n", names[k], worst[k]);
}

// A box that slides and spins on a plate that leans anyhow, nanometres deep and tilted as little: nothing changes as it moves along the plate, and it presses no more as it turns about the plate's normal. Steps of differences are picometres, of which rounding makes
// ways along the normal, 1e-5 of them and more; of these as much of the stiffness would be left.
static void slides_leave_the_pressure_alone(void **state) {
    (void)state;
    RbRng rng = rb_rng(11);
    double worst[2] = {0};
    for (int i = 0; i < POSES; i++) {
        static Two t;
        RbContactVariation v;
        open_two(&t, &rng, true);
        t.shape[0] = rb_shape_box(v3(4, 3, 0.2));
        t.core[0] = rb_shape_core(&t.shape[0]), t.elements[0].X_BC = t.core[0].frame;
        double depth = pow(10, rb_rng_range(&rng, -9, -8)), side = t.shape[1].lengths.z;
        Mat3 tilt = leaning(&rng, depth), about = m3_rotation(v3(0, 0, 1), i % 2);
        Pose on = {v3(0.5 * i / POSES, 0.3, 0.1 + 0.5 * side - depth), m3_mul(tilt, about)};
        t.at[1].X = pose_mul(t.at[0].X, on);
        Mat3 R = t.at[0].X.R;
        Vec3 along = m3_column(R, i % 2), up = m3_column(R, 2);
        t.at[0].V = MOTION_ZERO;
        t.at[1].V = (Motion){V3_ZERO, v3_scale(0.5, along)};
        rb_contact_evaluate(&t.setup, &t.at[0], &t.at[1], &t.bristle, &t.state);
        rb_contact_variation(&t.setup, &t.state, t.at, &v);
        RbContactResponse sinks = slope(&v, PLACE, 1, up), slides = slope(&v, PLACE, 1, along);
        RbContactResponse spins = slope(&v, TURN, 1, up);
        double stiff = v3_norm(sinks.on_b.f);
        double off[] = {fmax(v3_norm(slides.on_b.f), 10 * v3_norm(slides.on_b.t)),
                        10 * fabs(v3_dot(spins.on_b.f, up))};
        for (int k = 0; k < 2; k++) {
            worst[k] = fmax(worst[k], off[k] / stiff);
            ENSURE(off[k] < 1e-11 * stiff);
        }
    }
    print_message("of the stiffness: slide %.1e, spin %.1e\n", worst[0], worst[1]);
}

// A cube of 0.1 mm on a plate, as deep as one of steel sinks in by its weight and deeper: force and torque are proportional to ways along the normal and to tilts. A step that
// lets go of the plate on one side found half of either.
static void shallow_contacts_are_as_stiff(void **state) {
    (void)state;
    const double depths[] = {1e-10, 1e-12, 1e-13, 1e-14};
    double sinks[4], tilts[4];
    for (int i = 0; i < 4; i++) {
        static Two t;
        RbRng rng = rb_rng(5);
        RbContactVariation v;
        open_two(&t, &rng, true);
        t.shape[0] = rb_shape_box(v3(0.1, 0.1, 0.01)),
        t.shape[1] = rb_shape_box(v3(1e-4, 1e-4, 1e-4));
        for (int k = 0; k < 2; k++) {
            t.core[k] = rb_shape_core(&t.shape[k]), t.elements[k].X_BC = t.core[k].frame;
            t.at[k] = (RbMoving){.X = POSE_IDENTITY};
        }
        t.at[1].X.r = v3(0.01, 0.02, 0.005 + 5e-5 - depths[i]);
        rb_contact_evaluate(&t.setup, &t.at[0], &t.at[1], &t.bristle, &t.state);
        rb_contact_variation(&t.setup, &t.state, t.at, &v);
        sinks[i] = slope(&v, PLACE, 1, v3(0, 0, 1)).on_b.f.z;
        tilts[i] = slope(&v, TURN, 1, v3(1, 0, 0)).on_b.t.x;
        print_message("%.0e m deep: %.4g N/m, %.4g N m\n", depths[i], sinks[i], tilts[i]);
        ENSURE_NEAR(sinks[i] / sinks[0], 1, 0.01);
        ENSURE_NEAR(tilts[i] / tilts[0], 1, 0.01);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(slopes_are_those_of_the_contact),
                                       cmocka_unit_test(slides_leave_the_pressure_alone),
                                       cmocka_unit_test(shallow_contacts_are_as_stiff)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// One contact, of all convex shapes, with damping, friction and a bent bristle: force, torque and the rates of the bristle in the mirror image of a pose are the
// mirror images of those in it; turned and moved together with the bodies; and opposite with the bodies exchanged.
#include "../collide/place.h"
#include "collide/patch_round.h"
#include "contact/evaluate.h"
#include "contact/pair.h"

enum { POSES = REPEATS(1500, 300), POINTS = 14 };

typedef struct Body {
    RbShape shape;
    RbCore core;
} Body;

typedef struct Pair {
    Body body[2], image[2]; // image: in x = 0 of the shape's own frame
    RbMoving at[2];
    RbBristle bristle; // along the first normal: nothing
    RbContactLaw law;
} Pair;

// On b, about the origin of the world; rates of the bristle.
typedef struct Answer {
    Vec3 f, t, slide, n;
    double twist;
} Answer;

// ORDER kinds of bodies: box, cylinder, cone, capsule, beam, ball, ellipsoid, hull
static RbShape random_shape(Fixture *f, RbRng *rng, RbShape *image) {
    double x = rb_rng_range(rng, 0.05, 0.2), y = rb_rng_range(rng, 0.05, 0.2),
           z = rb_rng_range(rng, 0.05, 0.2);
    Vec3 points[2][POINTS];
    RbShape hull;
    switch (rb_rng_int(rng, 8)) {
        case 0: return *image = rb_shape_box(v3(x, y, z));
        case 1: return *image = rb_shape_cylinder(3, x, z);
        case 2: return *image = rb_shape_cone(3, x, z, 0.4 * x);
        case 3: return *image = rb_shape_capsule(3, x, z);
        case 4: return *image = rb_shape_beam(1, x, y, z);
        case 5: return *image = rb_shape_sphere(x);
        case 6: return *image = rb_shape_ellipsoid(v3(x, y, z));
        default: break;
    }
    for (int i = 0; i < POINTS; i++) {
        points[0][i] = v3_mul(v3(x, y, z), rb_rng_direction(rng));
        points[1][i] = v3_mul(v3(-1, 1, 1), points[0][i]);
    }
    for (int i = 0; i < 2; i++)
        ENSURE(rb_shape_hull(points[i], POINTS, 1e-3, "hull", (RbPos){0}, &f->arena, f->scratch,
                             &f->diag, i ? image : &hull) == RB_OK);
    return hull;
}

static Pair random_pair(Fixture *f, RbRng *rng) {
    Pair p = {.law = {.modulus = 1e9, .exponent = 1.5, .mass = 1, .pair = rb_pair_law_default()}};
    for (int i = 0; i < 2; i++) {
        p.body[i].shape = random_shape(f, rng, &p.image[i].shape);
        p.body[i].core = rb_shape_core(&p.body[i].shape);
        p.image[i].core = rb_shape_core(&p.image[i].shape);
        p.at[i].V.w = v3_scale(rb_rng_range(rng, 0, 20), rb_rng_direction(rng));
        p.at[i].V.v = rb_rng_direction(rng);
    }
    Placement place = random_placement(&p.body[0].core, &p.body[1].core, rng);
    double depth = pow(10, rb_rng_range(rng, -5, -3.3));
    p.at[0].X = POSE_IDENTITY;
    p.at[1].X = place.X_AB;
    p.at[1].X.r = v3_axpy(p.at[1].X.r, -depth, place.normal);
    double L = p.law.pair.bristle_length;
    p.bristle = (RbBristle){
        v3_scale(L * rb_rng_unit(rng), v3_unit(v3_cross(place.normal, rb_rng_direction(rng)))),
        L * rb_rng_range(rng, -0.5, 0.5)};
    p.law.radius = rb_contact_radius(&p.body[0].shape, &p.body[1].shape);
    p.law.stiffness = 4.0 / 3 * p.law.modulus * sqrt(p.law.radius);
    p.law.pair.mu_k = 0.3, p.law.pair.mu_r = 0.01, p.law.pair.restitution = 0.5;
    p.law.twist = 0.589;
    p.law.dissipation = rb_restitution_dissipation(0.5, p.law.pair.v_small);
    p.law.pair.friction = RB_FRICTION_BRISTLE;
    return p;
}

// x becomes Q x + shift; bodies[1] is the second one.
static Answer answer(const Pair *p, Mat3 Q, Vec3 shift, bool swapped) {
    double side = m3_det(Q) > 0 ? 1 : -1;
    RbElement elements[2];
    RbMoving at[2];
    for (int i = 0; i < 2; i++) {
        int of = swapped ? 1 - i : i;
        const Body *b = side > 0 ? &p->body[of] : &p->image[of];
        elements[i] = (RbElement){.shape = &b->shape,
                                  .core = &b->core,
                                  .X_BS = POSE_IDENTITY,
                                  .X_BC = b->core.frame,
                                  .thickness = 0.05};
        const RbMoving *from = &p->at[of];
        at[i] = (RbMoving){{v3_add(shift, m3_mul_vec(Q, from->X.r)),
                            m3_mul(m3_mul(Q, from->X.R), m3_diagonal(v3(side, 1, 1)))},
                           {v3_scale(side, m3_mul_vec(Q, from->V.w)), m3_mul_vec(Q, from->V.v)}};
    }
    RbContactSetup setup = {
        .elements = elements, .element_count = 2, .options = rb_contact_options()};
    RbContactState c = {.a = 0, .b = 1, .law = p->law};
    c.patch = !rb_pair_is_smooth(&setup, 0, 1);
    double opposite = swapped ? -1 : 1;
    // slip of b against a is opposite to that of a against b; so is the normal, and their product, the twist, is not
    RbBristle bristle = {v3_scale(opposite, m3_mul_vec(Q, p->bristle.slide_W)),
                         c.patch ? side * p->bristle.twist : 0};
    rb_contact_evaluate(&setup, &at[0], &at[1], &bristle, &c);
    Vec3 t = v3_add(c.t_W, v3_cross(v3_sub(c.point_W, shift), c.f_W));
    return (Answer){.f = v3_scale(opposite, m3_tmul_vec(Q, c.f_W)),
                    .t = v3_scale(opposite * side, m3_tmul_vec(Q, t)),
                    .slide = v3_scale(opposite, m3_tmul_vec(Q, c.bristle_rate.slide_W)),
                    .n = v3_scale(opposite, m3_tmul_vec(Q, c.motion.n_W)),
                    .twist = side * c.bristle_rate.twist};
}

static double off(const Answer *a, const Answer *b) {
    double force = v3_norm(a->f), speed = v3_norm(a->slide) + fabs(a->twist);
    return fmax((v3_distance(a->f, b->f) + v3_distance(a->t, b->t) / 0.1) / force,
                (v3_distance(a->slide, b->slide) + fabs(a->twist - b->twist)) / speed);
}

static bool has_round_patch(const Pair *p) {
    return rb_has_round_patch(&p->body[0].core, &p->body[1].core);
}

// Patches of round bodies are sums over lines, whose places change: one of 1,500 poses (a hull on a cone) is off by 2.8e-5. Of
// others the search for the normal leaves 1e-7.
static void wrenches_of_images_are_images(void **state) {
    (void)state;
    static const char *const names[] = {"mirrored", "turned", "moved", "exchanged"};
    const double bound = 1e-5;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(3);
    double worst[2] = {0};
    int beyond[2] = {0};
    const Mat3 I = m3_diagonal(v3(1, 1, 1));
    for (int i = 0; i < POSES; i++) {
        Pair p = random_pair(&f, &rng);
        int round = has_round_patch(&p);
        Vec3 n = rb_rng_direction(&rng);
        Answer is = answer(&p, I, V3_ZERO, false);
        Answer images[4] = {answer(&p, m3_sub(I, m3_scale(2, m3_outer(n, n))), V3_ZERO, false),
                            answer(&p, m3_rotation(n, 1 + rb_rng_unit(&rng)), V3_ZERO, false),
                            answer(&p, I, v3_scale(0.7, n), false), answer(&p, I, V3_ZERO, true)};
        ENSURE(v3_norm(is.f) > 0);
        for (int k = 0; k < 4; k++) {
            double d = off(&is, &images[k]);
            if (!(d <= bound))
                print_message("pose %d, %s on %s, %s: off by %g\n", i,
                              rb_shape_kind_name(p.body[1].shape.kind),
                              rb_shape_kind_name(p.body[0].shape.kind), names[k], d);
            worst[round] = fmax(worst[round], d);
            beyond[round] += !(d <= bound);
        }
    }
    print_message("%d poses: off by at most %.2g, with round patches %.2g\n", POSES, worst[0],
                  worst[1]);
    ENSURE(beyond[0] == 0);
    ENSURE(beyond[1] <= 0.001 * POSES && worst[1] < 1e-2);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrenches_of_images_are_images)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

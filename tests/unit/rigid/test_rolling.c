// SPDX-License-Identifier: MIT
// A ball on a plane: tree dynamics and contact law together. The gap is r - z, so no distance code
// is involved.
#include "trees.h"

#include "contact/law.h"
#include "rigid/force.h"
#include "rigid/force_gravity.h"

// Where the ball, body 1, touches the plane, which is the world.
typedef struct Touch {
    Vec3 r_W; // [m]
    double depth;
} Touch;

static RbContactMotion touch_motion(const RbKin *kin, Touch touch) {
    Vec3 n = v3(0, 0, 1);
    Motion ball = mo_shift(kin->bodies[1].V, v3_sub(touch.r_W, kin->bodies[1].X.r));
    double parting = v3_dot(ball.v, n);
    return (RbContactMotion){.n_W = n,
                             .depth = touch.depth,
                             .depth_rate = -parting,
                             .slip_W = v3_axpy(ball.v, -parting, n),
                             .spin_W = ball.w};
}

static RbContactForce push(const RbContactLaw *law, const RbKin *kin, Touch touch,
                           const RbContactMotion *motion, Wrench *forces) {
    RbContactForce force = rb_contact_force(law, motion);
    Vec3 f = v3_axpy(force.friction_W, force.normal, motion->n_W);
    rb_force_add(kin, forces, 1, touch.r_W, f, force.torque_W);
    return force;
}

typedef struct Ball {
    Fixture f;
    RbTree tree;
    RbKin kin;
    RbDyn dyn;
    RbGravity gravity;
    RbContactLaw law;
    double radius;
    RbContactForce force;
    double potential;
} Ball;

static void ball_open(Ball *b, double mu_k, double mu_r, double e) {
    fixture_open(&b->f);
    b->radius = 0.03;
    double m = 0.2, I = 0.4 * m * b->radius * b->radius;
    b->tree = rb_tree(&b->f.arena);
    RbJoint free = {.name = "ball", .kind = RB_JOINT_FREE, .F = POSE_IDENTITY};
    rb_tree_add(&b->tree, &b->f.arena, "ball", 0, free, ri_from_com(m, V3_ZERO, s3_diagonal(I)));
    b->kin = rb_kin(&b->tree, &b->f.arena);
    b->dyn = rb_dyn(&b->tree, &b->f.arena);
    b->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    RbPairLaw pair = rb_pair_law_default();
    pair.mu_k = mu_k;
    pair.mu_r = mu_r;
    pair.restitution = e;
    RbContactScene scene = {.reduction = 1e-3,
                            .max_damping = 100}; // soft enough for an explicit method
    RbElastic elastic = {1e10, 0.3};
    RbContactMaterial material = rb_contact_material(&pair, elastic, elastic);
    b->law = rb_contact_law(&material, b->radius, &scene, (RbBlow){.mass = m});
}

// State: q (7), v (6), dissipated by damping, friction, rolling.
static void ball_rates(void *model, double t, const double *x, double *dx) {
    (void)t;
    Ball *b = model;
    const double *v = x + 7;
    rb_kin_positions(&b->tree, x, &b->kin);
    rb_dyn_factor(&b->tree, &b->kin, NULL, &b->dyn);
    rb_kin_velocities(&b->tree, v, &b->kin);
    Wrench forces[2] = {WRENCH_ZERO, WRENCH_ZERO};
    RbLedger ledger = {0};
    rb_force_gravity(&b->gravity, &b->tree, &b->kin, forces, &ledger);
    b->potential = ledger.potential;

    Vec3 centre = b->kin.bodies[1].X.r;
    Touch touch = {v3(centre.x, centre.y, 0), b->radius - centre.z};
    RbContactMotion motion = touch_motion(&b->kin, touch);
    b->force = push(&b->law, &b->kin, touch, &motion, forces);
    rb_tree_rates(&b->tree, x, v, dx);
    rb_dyn_solve(&b->tree, &b->kin, NULL, NULL, forces, &b->dyn, dx + 7);
    dx[13] = b->force.damping_power;
    dx[14] = b->force.friction_power;
    dx[15] = b->force.rolling_power;
}

static double total_energy(Ball *b, const double *x) {
    double dx[16];
    ball_rates(b, 0, x, dx);
    return rb_kinetic_energy(&b->tree, &b->kin) + b->potential + b->force.elastic_energy + x[13] +
           x[14] + x[15];
}

static double rest_height(const Ball *b) {
    return b->radius - pow(0.2 * 9.81 / b->law.stiffness, 2.0 / 3);
}

// Without rolling resistance the angular momentum about the contact point stays: a sliding ball
// ends up rolling with the part 1/(1 + 2/5 (r/h)²) of its speed, h being the height of its centre
// (5/7 for a hard ball), after the time 2 v / (7 mu g).
static void sliding_ball_ends_up_rolling(void **state) {
    (void)state;
    Ball b;
    ball_open(&b, 0.4, 0, 0.5);
    double h = rest_height(&b), x[MAX_STATE] = {0, 0, h, 1, 0, 0, 0, 1};
    double before = total_energy(&b, x), reach = 2 * 1 / (7 * 0.4 * 9.81);
    double end = 1 / (1 + 0.4 * b.radius * b.radius / (h * h));
    ENSURE_NEAR(end, 5.0 / 7, 2e-3);
    integrate(ball_rates, &b, 16, 0, 0.5 * reach, 200, x);
    ENSURE_NEAR(x[7], 1 - 0.4 * 9.81 * 0.5 * reach, 1e-6); // Coulomb
    integrate(ball_rates, &b, 16, 0, 2.5 * reach, 1000, x);
    ENSURE_NEAR(x[7], end, 1e-6);
    ENSURE_NEAR(x[7 + 4] * h, end, 1e-6);
    ENSURE_NEAR(x[2], h, 1e-9);
    ENSURE_NEAR(total_energy(&b, x), before, 1e-9);
    ENSURE_NEAR(x[14], 0.5 * 0.2 * (1 - end), 1e-6); // friction takes 2/7 of the energy
    fixture_close(&b.f);
}

// A ball that rolls against the torque M = mu_r r N decelerates by M h / (I + m h²).
static void rolling_resistance_slows_down(void **state) {
    (void)state;
    Ball b;
    ball_open(&b, 0.8, 0.02, 0.5);
    double h = rest_height(&b), r = b.radius,
           x[MAX_STATE] = {0, 0, h, 1, 0, 0, 0, 1, 0, 0, 0, 1 / h};
    double before = total_energy(&b, x);
    integrate(ball_rates, &b, 16, 0, 0.5, 2000, x);
    ENSURE_NEAR(x[7], 1 - 0.5 * 0.02 * r * 9.81 * h / (0.4 * r * r + h * h),
                1e-4); // regularised friction slips a little
    ENSURE_NEAR(total_energy(&b, x), before, 1e-9);
    ENSURE(x[15] > 0);
    fixture_close(&b.f);
}

// A ball that drops, bounces and spins: the ledger balances through impacts.
static void energy_balances_through_impacts(void **state) {
    (void)state;
    Ball b;
    ball_open(&b, 0.3, 0.01, 0.7);
    double x[MAX_STATE] = {0, 0, 0.05, 1, 0, 0, 0, 0.3, 0.1, 0, 5, -20, 3};
    double before = total_energy(&b, x);
    integrate(ball_rates, &b, 16, 0, 0.4, 4000, x);
    ENSURE(x[13] > 1e-4 && x[14] > 1e-4 && x[15] > 0);
    ENSURE_NEAR(total_energy(&b, x), before,
                1e-7); // fixed steps run across the starts of contact, where the force has a kink
    fixture_close(&b.f);
}

// A block on an incline below the friction angle, held by a bristle: it settles and then stays, for
// as long as one likes.
typedef struct Block {
    Ball ball;
    double tilt;
} Block;

static void block_rates(void *model, double t, const double *x, double *dx) {
    (void)t;
    Block *b = model;
    Ball *ball = &b->ball;
    rb_kin_positions(&ball->tree, x, &ball->kin);
    rb_dyn_factor(&ball->tree, &ball->kin, NULL, &ball->dyn);
    rb_kin_velocities(&ball->tree, x + 7, &ball->kin);
    Wrench forces[2] = {WRENCH_ZERO, WRENCH_ZERO};
    RbLedger ledger = {0};
    rb_force_gravity(&ball->gravity, &ball->tree, &ball->kin, forces, &ledger);
    // Force through the centre: the ball cannot turn, like a block on three feet.
    Vec3 centre = ball->kin.bodies[1].X.r;
    Touch touch = {centre, ball->radius - centre.z};
    RbContactMotion motion = touch_motion(&ball->kin, touch);
    motion.bristle_W = v3_load(x + 13);
    push(&ball->law, &ball->kin, touch, &motion, forces);
    rb_tree_rates(&ball->tree, x, x + 7, dx);
    rb_dyn_solve(&ball->tree, &ball->kin, NULL, NULL, forces, &ball->dyn, dx + 7);
    Vec3 mean = v3_scale(0.5, ball->kin.bodies[1].V.w); // of ball and plane
    v3_store(dx + 13, rb_contact_bristle_rate(&ball->law, &motion, mean).slide_W);
}

static void sticking_block_stays_on_the_incline(void **state) {
    (void)state;
    Block b = {.tilt = atan(0.25)}; // friction 0.5: half of the limit
    ball_open(&b.ball, 0.5, 0, 0.3); // what returns with less leaves a blow more slowly
    b.ball.law.pair.friction = RB_FRICTION_BRISTLE;
    b.ball.gravity = rb_gravity_uniform(9.81, v3(sin(b.tilt), 0, -cos(b.tilt)));
    double x[MAX_STATE] = {0, 0, rest_height(&b.ball), 1};
    integrate(block_rates, &b, 16, 0, 0.5, 1000, x);
    double settled = x[0];
    ENSURE(settled > 0 && settled < 1e-5);
    integrate(block_rates, &b, 16, 0, 1.5, 3000, x);
    ENSURE_NEAR(x[0], settled, 1e-12);
    ENSURE_NEAR(x[7], 0, 1e-12);
    fixture_close(&b.ball.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_ball_ends_up_rolling),
        cmocka_unit_test(rolling_resistance_slows_down),
        cmocka_unit_test(energy_balances_through_impacts),
        cmocka_unit_test(sticking_block_stays_on_the_incline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

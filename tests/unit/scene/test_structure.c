// SPDX-License-Identifier: MIT
// Structure that changes in a run: attach, release, lock, unlock, replace, remove, add, against
// closed forms and the balances of momentum.
#include "stand.h"

#include "base/file.h"
#include "math/rng.h"
#include "multibody/mechanism.h"

static int add_block(Stand *s, const char *name, double mass, Vec3 r, Vec3 v) {
    RbSceneObject o =
        rb_body(name, (RbMassProperties){.mass = mass, .I_CM = m3_diagonal(v3(0.1, 0.2, 0.3))});
    o.object.moves_freely = true;
    o.object.pose.r = r;
    o.object.velocity = v;
    return rb_scene_add(s->scene, o);
}

static void open_space(Stand *s) {
    stand_open(s);
    s->scene->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
}

static RbSceneAction action(double time, RbSceneActionKind kind, const char *a, const char *b) {
    return (RbSceneAction){.time = time, .kind = kind, .a = a, .b = b};
}

static double last(Stand *s, const char *name) {
    int count;
    const double *values = stand_series(s, name, &count);
    return values[count - 1];
}

// Two blocks of 1 and 3 kg fly past each other at 2 m, 1 and -1 m/s, and are attached when they are
// side by side. Momentum: v = -0.5 m/s; angular momentum about the common centre of mass (1.5 m and
// 0.5 m away): 1*1.5*1.5 + 3*0.5*0.5 = 3 kg m2/s, moments 0.3 + 0.3 + 2.25 + 0.75 = 3.6 kg m2.
static void attached_blocks_keep_their_momenta(void **state) {
    (void)state;
    Stand s;
    open_space(&s);
    add_block(&s, "a", 1, v3(-1, 1, 0), v3(1, 0, 0));
    add_block(&s, "b", 3, v3(1, -1, 0), v3(-1, 0, 0));
    rb_scene_add_action(s.scene, action(1, RB_SCENE_ATTACH, "a", "b"));
    stand_run(&s, 3, 1e-10);
    ENSURE(s.summary.segments == 2);
    double w = -3 / 3.6, angle = 2 * w; // of a: body with the free motion
    ENSURE_NEAR(stand_vector(&s, "a", "w").z, w, 1e-12);
    Vec3 centre = v3(-0.5 * 2, -0.5, 0), arm = v3(-1.5 * sin(angle), 1.5 * cos(angle), 0);
    Vec3 a = v3_add(centre, arm), b = v3_axpy(centre, -1.0 / 3, arm);
    ENSURE_NEAR(stand_vector(&s, "a", "r").x, a.x, 1e-8);
    ENSURE_NEAR(stand_vector(&s, "a", "r").y, a.y, 1e-8);
    ENSURE_NEAR(stand_result(&s, "b.r_abs[1]"), b.x, 1e-8);
    ENSURE_NEAR(stand_result(&s, "b.r_abs[2]"), b.y, 1e-8);
    // Energy before: 0.5 + 1.5; after: 0.5*4*0.25 + 0.5*3.6*w^2.
    ENSURE_NEAR(stand_result(&s, "energy.kinetic"), 0.5 + 1.8 * w * w, 1e-8);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-8);
    stand_close(&s);
}

// A dumbbell spins with 2 rad/s and is released after a quarter turn: the halves fly straight on,
// each with the velocity of its centre, still spinning.
static void released_halves_fly_straight_on(void **state) {
    (void)state;
    Stand s;
    open_space(&s);
    int a = add_block(&s, "a", 1, v3(1, 0, 0), v3(0, 2, 0));
    s.scene->objects.data[a].object.angular_velocity = v3(0, 0, 2);
    RbSceneObject b =
        rb_body("b", (RbMassProperties){.mass = 1, .I_CM = m3_diagonal(v3(0.1, 0.2, 0.3))});
    b.object.parent = a;
    b.object.pose.r = v3(-2, 0, 0);
    b.object.assembly_root = true;
    rb_scene_add(s.scene, b);
    rb_scene_add_action(s.scene, action(M_PI / 4, RB_SCENE_RELEASE, "b", NULL));
    stand_run(&s, M_PI / 4 + 1, 1e-10);
    // After the quarter turn a is at (0, 1) moving with (-2, 0), b at (0, -1) with (2, 0).
    ENSURE_NEAR(stand_result(&s, "a.r_abs[1]"), -2, 1e-7);
    ENSURE_NEAR(stand_result(&s, "a.r_abs[2]"), 1, 1e-7);
    ENSURE_NEAR(stand_result(&s, "b.r_abs[1]"), 2, 1e-7);
    ENSURE_NEAR(stand_result(&s, "b.r_abs[2]"), -1, 1e-7);
    ENSURE_NEAR(stand_vector(&s, "b", "w").z, 2, 1e-9);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-9);
    stand_close(&s);
}

static int add_pendulum(Stand *s, double phi) {
    RbSceneObject o = rb_body("rod", (RbMassProperties){.mass = 2,
                                                        .r_CM = v3(0, -0.5, 0),
                                                        .I_CM = m3_diagonal(v3(0.2, 0.01, 0.2))});
    o.object.parent = -1;
    int rod = rb_scene_add(s->scene, o);
    RbObjectJoint hinge = rb_scene_joint("hinge", RB_JOINT_REVOLUTE, 0, rod, v3(0, 0, 1));
    hinge.q[0] = phi;
    rb_scene_add_joint(s->scene, hinge);
    s->scene->gravity = rb_gravity_uniform(9.81, v3(0, -1, 0));
    return rod;
}

// A pendulum that is locked at t = 1 stays for 2 s and goes on from rest at its angle: the same as
// another one that starts from there.
static void locked_pendulum_starts_again_from_rest(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    add_pendulum(&s, 1);
    stand_run(&s, 1, 1e-11);
    double at_lock = stand_state(&s, "hinge.phi");
    stand_close(&s);
    stand_open(&s);
    add_pendulum(&s, at_lock);
    stand_run(&s, 1.5, 1e-11);
    double want = stand_state(&s, "hinge.phi");
    stand_close(&s);
    stand_open(&s);
    add_pendulum(&s, 1);
    rb_scene_add_action(s.scene, action(1, RB_SCENE_LOCK, "hinge", NULL));
    rb_scene_add_action(s.scene, action(3, RB_SCENE_UNLOCK, "hinge", NULL));
    stand_run(&s, 4.5, 1e-11);
    ENSURE(s.summary.segments == 3);
    ENSURE_NEAR(stand_state(&s, "hinge.phi"), want, 1e-8);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-8);
    stand_close(&s);
}

// A pendulum breaks off: its centre of mass goes on as a thrown stone, with its spin.
static void broken_joint_lets_go(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    add_pendulum(&s, 1);
    stand_run(&s, 1, 1e-11);
    double phi = stand_state(&s, "hinge.phi"), w = stand_state(&s, "hinge.w");
    stand_close(&s);
    stand_open(&s);
    add_pendulum(&s, 1);
    rb_scene_add_action(s.scene, action(1, RB_SCENE_BREAK, "hinge", NULL));
    stand_record(&s, 0.5);
    stand_run(&s, 2, 1e-11);
    // Centre of mass at (0.5 sin phi, -0.5 cos phi); the origin of the rod 0.5 m from it, turned on by w.
    Vec3 r = v3(0.5 * sin(phi) + 0.5 * cos(phi) * w,
                -0.5 * cos(phi) + 0.5 * sin(phi) * w - 0.5 * 9.81, 0);
    double end = phi + w;
    ENSURE_NEAR(last(&s, "rod.r_abs[1]"), r.x - 0.5 * sin(end), 1e-8);
    ENSURE_NEAR(last(&s, "rod.r_abs[2]"), r.y + 0.5 * cos(end), 1e-8);
    ENSURE_NEAR(last(&s, "energy.impacts"), 0, 1e-12);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-8);
    stand_close(&s);
}

// The falling rod is replaced to slide along its guide: with the momentum along it that it had, and
// the pull of gravity along the guide from then on.
static void hinge_becomes_a_guide(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    int rod = add_pendulum(&s, 1);
    (void)rod;
    rb_scene_add_action(s.scene, (RbSceneAction){.time = 1,
                                                 .kind = RB_SCENE_REPLACE,
                                                 .a = "hinge",
                                                 .joint = RB_JOINT_PRISMATIC,
                                                 .n = v3(1, 0, 0)});
    stand_run(&s, 1, 1e-11);
    stand_close(&s);
    stand_open(&s);
    add_pendulum(&s, 1);
    stand_run(&s, 1, 1e-11);
    double phi = stand_state(&s, "hinge.phi"), w = stand_state(&s, "hinge.w");
    stand_close(&s);
    double vx = 0.5 * cos(phi) * w; // of the centre of mass at (0.5 sin phi, -0.5 cos phi)
    stand_open(&s);
    add_pendulum(&s, 1);
    rb_scene_add_action(s.scene, (RbSceneAction){.time = 1,
                                                 .kind = RB_SCENE_REPLACE,
                                                 .a = "hinge",
                                                 .joint = RB_JOINT_PRISMATIC,
                                                 .n = v3(1, 0, 0)});
    stand_run(&s, 3, 1e-11);
    ENSURE_NEAR(stand_state(&s, "hinge.v"), vx, 1e-8); // gravity acts across
    ENSURE_NEAR(stand_state(&s, "hinge.s"), 2 * vx, 1e-8);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-8);
    stand_close(&s);
}

static void parts_come_and_go(void **state) {
    (void)state;
    Stand s;
    open_space(&s);
    add_block(&s, "a", 1, v3(0, 0, 0), v3(1, 0, 0));
    add_block(&s, "b", 2, v3(0, 5, 0), v3(0, 1, 0));
    int late = add_block(&s, "late", 4, v3(0, 0, 0), v3(0, 0, 0));
    s.scene->objects.data[late].absent = true;
    rb_scene_add_action(s.scene, action(1, RB_SCENE_REMOVE, "b", NULL));
    rb_scene_add_action(s.scene, (RbSceneAction){.time = 2,
                                                 .kind = RB_SCENE_ADD,
                                                 .a = "late",
                                                 .pose = {v3(7, 0, 0), M3_IDENTITY},
                                                 .velocity = {V3_ZERO, v3(0, 0, 3)}});
    stand_record(&s, 0.5);
    stand_run(&s, 4, 1e-9);
    ENSURE_NEAR(stand_vector(&s, "a", "r").x, 4, 1e-9);
    ENSURE_NEAR(stand_vector(&s, "late", "r").z, 6, 1e-9);
    ENSURE_NEAR(stand_vector(&s, "late", "r").x, 7, 1e-9);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-9);
    int count;
    const double *b = stand_series(&s, "b.r_abs[2]", &count), *t = stand_series(&s, "time", &count);
    for (int i = 0; i < count; i++) {
        if (t[i] < 1) ENSURE_NEAR(b[i], 5 + t[i], 1e-9);
        if (t[i] > 1) ENSURE(isnan(b[i]));
    }
    stand_close(&s);
}

// ---- properties

enum { LINKS = 5 };

// A chain of links in space, each with another kind of joint, no root held.
static void add_chain(Stand *s, RbRng *rng) {
    const RbJointKind kinds[] = {RB_JOINT_REVOLUTE, RB_JOINT_UNIVERSAL, RB_JOINT_PLANAR,
                                 RB_JOINT_SPHERICAL};
    static const char *const names[] = {"l0", "l1", "l2", "l3", "l4"}, *const joints[] = {
                                                                           "j0", "j1", "j2", "j3"};
    int before = add_block(s, names[0], 1, v3(0, 0, 0), v3(0.1, 0.2, -0.1));
    s->scene->objects.data[before].object.angular_velocity = v3(0.3, -0.2, 0.5);
    for (int i = 1; i < LINKS; i++) {
        RbSceneObject o =
            rb_body(names[i], (RbMassProperties){.mass = 1 + 0.3 * i,
                                                 .r_CM = v3(0.3, 0.1, 0),
                                                 .I_CM = m3_diagonal(v3(0.1, 0.15, 0.2))});
        o.object.parent = -1;
        int link = rb_scene_add(s->scene, o);
        RbObjectJoint j = rb_scene_joint(joints[i - 1], kinds[i - 1], before, link, v3(0, 0, 1));
        j.n2 = v3(1, 0, 0);
        for (int k = 0; k < rb_joint_v_count(j.kind); k++) j.v[k] = rb_rng_range(rng, -1, 1);
        if (i % 2) { // drawn the other way
            j.a = link;
            j.b = before;
        }
        rb_scene_add_joint(s->scene, j);
        before = link;
    }
}

static const char *link_name(int i) {
    static const char *const names[] = {"l0", "l1", "l2", "l3", "l4"};
    return names[i];
}

// Two frames on each link beside its origin: where all three are tells how it is turned.
static void add_markers(Stand *s) {
    static const char *const x[] = {"x0", "x1", "x2", "x3", "x4"}, *const y[] = {"y0", "y1", "y2",
                                                                                 "y3", "y4"};
    for (int i = 0; i < LINKS; i++) {
        int link = rb_scene_find(s->scene, link_name(i));
        rb_scene_add(s->scene, rb_frame_object(x[i], link, (Pose){v3(1, 0, 0), M3_IDENTITY}));
        rb_scene_add(s->scene, rb_frame_object(y[i], link, (Pose){v3(0, 1, 0), M3_IDENTITY}));
    }
}

static RbSceneAction flip(double time, const char *a, const char *b, const char *c) {
    RbSceneAction x = action(time, RB_SCENE_FLIP, a, b);
    x.c = c;
    return x;
}

static RbSceneAction random_replacement(RbRng *rng, double time, const char *joint) {
    const RbJointKind kinds[] = {RB_JOINT_REVOLUTE, RB_JOINT_CYLINDRICAL, RB_JOINT_UNIVERSAL,
                                 RB_JOINT_SPHERICAL, RB_JOINT_PLANAR};
    RbSceneAction a = action(time, RB_SCENE_REPLACE, joint, NULL);
    a.joint = kinds[rb_rng_int(rng, 5)];
    a.n = rb_rng_direction(rng);
    a.n2 = rb_rng_direction(rng);
    return a;
}

// The chain takes the loose block, passes it on from link to link, and lets it go.
static RbSceneAction random_hold(RbRng *rng, double t, int *held) {
    int was = *held, link = rb_rng_int(rng, LINKS);
    if (was < 0) {
        *held = link;
        return action(t, RB_SCENE_ATTACH, link_name(link), "block");
    }
    if (link == was) {
        *held = -1;
        return link % 2 ? action(t, RB_SCENE_RELEASE, link_name(was), "block")
                        : action(t, RB_SCENE_RELEASE, "block", NULL);
    }
    *held = link;
    return link % 2 ? action(t, RB_SCENE_MOVE, "block", link_name(link))
                    : flip(t, link_name(link), "block", link_name(was));
}

// Lock, unlock, replace, flip, attach, pass on and release at random.
static void add_random_actions(Stand *s, RbRng *rng, int count, double step) {
    static const char *const joints[] = {"j0", "j1", "j2", "j3"};
    bool locked[4] = {0};
    int held = -1;
    for (int i = 0; i < count; i++) {
        double t = step * (i + 1);
        int what = rb_rng_int(rng, 4), j = rb_rng_int(rng, 4), k = (j + 1 + rb_rng_int(rng, 3)) % 5;
        if (what == 0) {
            rb_scene_add_action(
                s->scene, action(t, locked[j] ? RB_SCENE_UNLOCK : RB_SCENE_LOCK, joints[j], NULL));
            locked[j] = !locked[j];
        } else if (what == 1 && !locked[j])
            rb_scene_add_action(s->scene, random_replacement(rng, t, joints[j]));
        else if (what == 2)
            rb_scene_add_action(s->scene, flip(t, link_name(j), NULL, link_name(k)));
        else
            rb_scene_add_action(s->scene, random_hold(rng, t, &held));
    }
}

// Momentum at the end, and the largest linear and angular ones of a part.
static Wrench momentum_of(Stand *s, double largest[2]) {
    RbRunningSegment *stage = rb_sim_stage(&s->sim);
    const Mechanism *m = stage->system->parts[0].instance->self;
    const RbTree *tree = &m->structure.tree;
    RbKin kin = rb_kin(tree, &s->f.scratch);
    rb_kin_positions(tree, stage->now.x, &kin);
    rb_kin_velocities(tree, stage->now.x + tree->nq, &kin);
    for (int i = 1; i < tree->bodies.count; i++) {
        Wrench p = wr_shift(ri_mul(kin.bodies[i].I, kin.bodies[i].V), kin.bodies[i].X.r);
        largest[0] = fmax(largest[0], v3_norm(p.f));
        largest[1] = fmax(largest[1], v3_norm(p.t));
    }
    return rb_momentum(tree, &kin);
}

// Rows on both sides of an event have the same time: nothing jumps but speeds.
static void ensure_continuous(Stand *s) {
    static const char *const names[] = {"l0", "l1", "l2", "l3", "l4", "x0", "x1", "x2",
                                        "x3", "x4", "y0", "y1", "y2", "y3", "y4", "block"};
    int count;
    const double *t = stand_series(s, "time", &count);
    for (int i = 0; i < 16; i++) {
        for (int k = 1; k <= 3; k++) {
            char name[32];
            snprintf(name, sizeof name, "%s.r_abs[%d]", names[i], k);
            const double *r = stand_series(s, name, &count);
            for (int row = 1; row < count; row++) {
                if (t[row] == t[row - 1]) ENSURE_NEAR(r[row], r[row - 1], 1e-12);
            }
        }
    }
}

static void random_actions_conserve_momenta(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 10; seed++) {
        RbRng rng = rb_rng(seed);
        Stand s;
        open_space(&s);
        add_chain(&s, &rng);
        add_block(&s, "block", 2, v3(1, 1, 1), v3(-0.2, 0.1, 0.3));
        add_markers(&s);
        double largest[2] = {0, 0};
        stand_run(&s, 1e-9, 1e-11);
        Wrench before = momentum_of(&s, largest);
        add_random_actions(&s, &rng, 100, 0.01);
        stand_record(&s, 0.05);
        s.options.solver = "dp5"; // BDF at this tolerance is worse by its starts after each action
        stand_run(&s, 1.1, 1e-11);
        ENSURE(s.summary.segments == 101);
        Wrench after = momentum_of(&s, largest);
        double f = v3_distance(before.f, after.f), t = v3_distance(before.t, after.t);
        ENSURE(f < 1e-9 * largest[0]);
        ENSURE(t < 1e-9 * largest[1]);
        int count;
        const double *removed = stand_series(&s, "energy.removed", &count);
        ENSURE_NEAR(removed[count - 1], 0, 1e-9);
        ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-7);
        ensure_continuous(&s);
        stand_close(&s);
    }
}

// The end that carries the motion of a free chain is a matter of description: a chain of every kind of
// joint that is flipped, and flipped back, moves like one that is left alone.
static void flipped_chain_moves_the_same(void **state) {
    (void)state;
    static const char *const names[] = {"l0", "l1", "l2", "l3", "l4", "x3", "y4"};
    double want[7][3];
    for (int flips = 0; flips <= 2; flips++) {
        RbRng rng = rb_rng(5);
        Stand s;
        open_space(&s);
        add_chain(&s, &rng);
        add_markers(&s);
        if (flips > 0) rb_scene_add_action(s.scene, flip(0.5, "l4", NULL, "l0"));
        if (flips > 1) rb_scene_add_action(s.scene, flip(1, "l0", NULL, "l4"));
        stand_record(&s, 0.5);
        stand_run(&s, 2, 1e-11);
        ENSURE(s.summary.segments == flips + 1);
        for (int i = 0; i < 7; i++) {
            for (int k = 0; k < 3; k++) {
                char name[32];
                snprintf(name, sizeof name, "%s.r_abs[%d]", names[i], k + 1);
                if (flips == 0) want[i][k] = stand_result(&s, name);
                ENSURE_NEAR(stand_result(&s, name), want[i][k], 1e-8);
            }
        }
        if (flips > 0) ENSURE_NEAR(last(&s, "energy.impacts"), 0, 1e-12);
        stand_close(&s);
    }
}

// An arm that walks: held at its base, then at its tip, then at its base again. Between the changes it
// moves like an arm that was drawn from that end.
static void add_arm(Stand *s) {
    add_block(s, "base", 1, v3(0, 0, 0), V3_ZERO);
    RbSceneObject tip = rb_body("tip", (RbMassProperties){.mass = 2,
                                                          .r_CM = v3(0, -0.5, 0),
                                                          .I_CM = m3_diagonal(v3(0.2, 0.01, 0.2))});
    tip.object.parent = -1;
    int b = rb_scene_add(s->scene, tip);
    RbObjectJoint hinge = rb_scene_joint("hinge", RB_JOINT_REVOLUTE, 1, b, v3(0, 0, 1));
    hinge.q[0] = 1;
    rb_scene_add_joint(s->scene, hinge);
    s->scene->gravity = rb_gravity_uniform(9.81, v3(0, -1, 0));
    rb_scene_add_action(s->scene, action(0, RB_SCENE_ATTACH, "world", "base"));
}

static void arm_walks(void **state) {
    (void)state;
    Stand s;
    // Held by its base it is the pendulum of add_pendulum.
    stand_open(&s);
    add_pendulum(&s, 1);
    stand_run(&s, 1, 1e-11);
    double phi = stand_state(&s, "hinge.phi"), w = stand_state(&s, "hinge.w");
    stand_close(&s);
    stand_open(&s);
    add_arm(&s);
    rb_scene_add_action(s.scene, flip(1, "tip", "world", "base"));
    stand_record(&s, 0.5);
    stand_run(&s, 1.5, 1e-11);
    // Then the tip stands where it was, and the base hangs on it by its centre of mass: it turns with the
    // speed that the balance about the hinge asks for, from 0.3 kg m2 at rest.
    ENSURE_NEAR(last(&s, "tip.angles[3]"), phi, 1e-9);
    ENSURE_NEAR(stand_state(&s, "hinge.phi"), phi, 1e-8);
    ENSURE_NEAR(stand_state(&s, "hinge.w"), 0, 1e-8);
    // All that the pendulum had is lost: 0.5 (0.2 + 2 0.25) w^2.
    ENSURE_NEAR(last(&s, "energy.impacts"), 0.35 * w * w, 1e-8);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-8);
    stand_close(&s);
}

// Two blocks as one body, and as two that are attached at the start.
static void assembled_is_the_same_as_made_in_one(void **state) {
    (void)state;
    double want[3] = {0};
    for (int how = 0; how < 2; how++) {
        Stand s;
        open_space(&s);
        int a = add_block(&s, "a", 1, v3(0, 0, 0), v3(0, 0, 0));
        s.scene->objects.data[a].object.angular_velocity = v3(0.3, 1, -0.2);
        int b = add_block(&s, "b", 3, v3(1, 0.5, 0), v3_cross(v3(0.3, 1, -0.2), v3(1, 0.5, 0)));
        s.scene->objects.data[b].object.angular_velocity = v3(0.3, 1, -0.2);
        if (how == 0) {
            s.scene->objects.data[b].object.moves_freely = false;
            s.scene->objects.data[b].object.parent = a;
        } else
            rb_scene_add_action(s.scene, action(0, RB_SCENE_ATTACH, "a", "b"));
        stand_record(&s, 1);
        stand_run(&s, 3, 1e-11);
        for (int k = 0; k < 3; k++) {
            char name[32];
            snprintf(name, sizeof name, "b.r_abs[%d]", k + 1);
            if (how == 0) want[k] = stand_result(&s, name);
            ENSURE_NEAR(stand_result(&s, name), want[k], 1e-8);
        }
        if (how == 1) ENSURE_NEAR(last(&s, "energy.impacts"), 0, 1e-14);
        stand_close(&s);
    }
}

// ---- contact

// A ball falls on the ground, or through it if an action has switched contact off.
static void contact_rests_where_an_action_says_so(void **state) {
    (void)state;
    for (int off = 0; off <= 1; off++) {
        Stand s;
        stand_open(&s);
        rb_scene_add(s.scene, rb_solid("ground", rb_shape_box(v3(4, 0.2, 4)), "Steel"));
        RbSceneObject ball = rb_solid("ball", rb_shape_sphere(0.2), "Steel");
        ball.object.moves_freely = true;
        ball.object.pose.r = v3(0, 1.2, 0);
        rb_scene_add(s.scene, ball);
        add_block(&s, "other", 1, v3(9, 0, 0), V3_ZERO);
        add_block(&s, "third", 1, v3(9, 1, 0), V3_ZERO);
        RbSceneAction hold = action(0.1, RB_SCENE_ATTACH, "other", "third");
        hold.no_contact = off;
        rb_scene_add_action(s.scene, hold);
        rb_scene_add_action(s.scene, action(0.6, RB_SCENE_RELEASE, "other", "third"));
        stand_run(&s, 0.55, 1e-8);
        // Free fall reaches the ground at sqrt(2/9.81) = 0.4515 s.
        double fallen = 1.2 - 0.5 * 9.81 * 0.55 * 0.55;
        if (off) ENSURE_NEAR(stand_vector(&s, "ball", "r").y, fallen, 1e-7);
        if (!off) ENSURE(stand_vector(&s, "ball", "r").y > fallen + 0.1);
        ENSURE(s.contact_count == (off ? 0 : 2));
        stand_close(&s);
    }
}

// ---- checkpoints

static RbBytes contents(Stand *s, const char *file) {
    RbBytes bytes;
    ENSURE(rb_file_read(file, 0, &s->f.arena, &s->f.diag, &bytes) == RB_OK);
    return bytes;
}

static void prepare_resumed(Stand *s) {
    RbRng rng = rb_rng(3);
    open_space(s);
    add_chain(s, &rng);
    add_block(s, "block", 2, v3(1, 1, 1), v3(-0.2, 0.1, 0.3));
    add_random_actions(s, &rng, 40, 0.03);
    stand_record(s, 0.05);
    s->options.stop_time = 1.5;
    s->options.tolerance = 1e-8;
    s->options.checkpoint_interval = 0.4;
    s->options.checkpoint_file = s->checkpoint;
}

// What holds what goes through a checkpoint: the rest of the run has the same bits.
static void resumed_run_is_the_same(void **state) {
    (void)state;
    Stand whole, again;
    prepare_resumed(&whole);
    ENSURE(stand_go(&whole) == RB_OK);
    ENSURE(whole.summary.checkpoints > 1);
    prepare_resumed(&again);
    RbBytes journal = contents(&whole, whole.journal);
    ENSURE(rb_file_write(again.journal, journal.data, journal.size, &again.f.diag) == RB_OK);
    again.options.resume_file = whole.checkpoint;
    RbStatus status = stand_go(&again);
    if (status != RB_OK) print_error("%s\n", fixture_message(&again.f, 0));
    ENSURE(status == RB_OK);
    ENSURE(again.summary.state_hash == whole.summary.state_hash);
    stand_close(&again);
    stand_close(&whole);
}

// ---- memory

// What a run needs at most if it ends after so many of 10,000 changes.
static size_t memory_of_changes(int changes) {
    Stand s;
    stand_open(&s);
    add_pendulum(&s, 1);
    for (int i = 0; i < 10000; i++)
        rb_scene_add_action(s.scene, action(1e-4 * (i + 1), i % 2 ? RB_SCENE_UNLOCK : RB_SCENE_LOCK,
                                            "hinge", NULL));
    stand_run(&s, 1e-4 * (changes + 0.5), 1e-6);
    ENSURE(s.summary.segments == changes + 1);
    size_t needed = s.f.heap.peak;
    stand_close(&s);
    return needed;
}

// A segment gives back what the one before the last had: not one byte more for 9,990 changes more.
static void changes_do_not_grow_memory(void **state) {
    (void)state;
    size_t few = memory_of_changes(10), many = memory_of_changes(10000);
    if (many != few) print_error("%zu, then %zu\n", few, many);
    ENSURE(many == few);
}

// ---- messages

static void expect_failure(RbSceneAction a, const char *want) {
    Stand s;
    open_space(&s);
    add_block(&s, "a", 1, v3(-1, 1, 0), v3(1, 0, 0));
    add_block(&s, "b", 3, v3(1, -1, 0), v3(-1, 0, 0));
    RbSceneObject lid =
        rb_body("lid", (RbMassProperties){.mass = 1, .I_CM = m3_diagonal(v3(1, 1, 1))});
    lid.object.parent = -1;
    int object = rb_scene_add(s.scene, lid);
    rb_scene_add_joint(s.scene, rb_scene_joint("hinge", RB_JOINT_REVOLUTE, 0, object, v3(0, 0, 1)));
    a.time = 0.5;
    rb_scene_add_action(s.scene, a);
    s.options.stop_time = 1;
    ENSURE(stand_go(&s) != RB_OK);
    bool found = false;
    for (int i = 0; i < s.f.diag.messages.count; i++) {
        const char *text = fixture_message(&s.f, i);
        if (strstr(text, want)) found = true;
        if (!found) print_error("%s\n", text);
    }
    ENSURE(found);
    stand_close(&s);
}

static void actions_that_cannot_be_are_reported(void **state) {
    (void)state;
    RbSceneAction far = action(0, RB_SCENE_ATTACH, "a", "b");
    far.max_distance = 0.01;
    expect_failure(
        far, "cannot attach 'a' and 'b': they are 2.23607 m apart, more than the 0.01 m allowed");
    RbSceneAction fast = action(0, RB_SCENE_ATTACH, "a", "b");
    fast.require_rest = true;
    expect_failure(fast, "they move against each other at 2 m/s and 0 rad/s");
    expect_failure(action(0, RB_SCENE_ATTACH, "a", "a"),
                   "this action is about 'a' twice: it wants two parts");
    expect_failure(action(0, RB_SCENE_RELEASE, "a", "b"),
                   "'a' and 'b' are to be released from each other, but no action attaches them");
    expect_failure(action(0, RB_SCENE_RELEASE, "a", NULL), "'a' is free");
    expect_failure(action(0, RB_SCENE_REMOVE, "lid", NULL),
                   "cannot remove 'lid': joint 'hinge' needs 'lid'");
    expect_failure(action(0, RB_SCENE_MOVE, "a", "b"), "'a' is not attached to anything");
    RbSceneAction chain = action(0, RB_SCENE_FLIP, "a", NULL);
    chain.c = "b";
    expect_failure(chain,
                   "cannot flip 'a' and 'b': there is no chain of joints between 'a' and 'b'");
    chain = (RbSceneAction){.kind = RB_SCENE_FLIP, .a = "lid", .c = "world"};
    expect_failure(chain, "'lid' hangs on the world: say what it holds on to");
    chain = (RbSceneAction){.kind = RB_SCENE_FLIP, .a = "lid", .b = "a", .c = "world"};
    expect_failure(chain, "'world' does not hold the chain");
    expect_failure(action(0, RB_SCENE_UNLOCK, "hinge", NULL), "joint 'hinge' is not locked");
    expect_failure(action(0, RB_SCENE_ADD, "a", NULL), "'a' is there already");
    expect_failure(action(0, RB_SCENE_LOCK, "hing", NULL),
                   "an action names the joint 'hing', which does not exist; did you mean 'hinge'?");
}

// Before anything runs, whatever the time at which the run starts.
static void actions_before_the_start_are_reported(void **state) {
    (void)state;
    for (int kind = RB_SCENE_ATTACH; kind <= RB_SCENE_REMOVE; kind++) {
        Stand s;
        open_space(&s);
        add_block(&s, "a", 1, v3(-1, 1, 0), v3(1, 0, 0));
        add_block(&s, "b", 3, v3(1, -1, 0), v3(-1, 0, 0));
        add_pendulum(&s, 1);
        bool joint = rb_scene_is_about_joint((RbSceneActionKind)kind);
        rb_scene_add_action(s.scene, action(2, RB_SCENE_ATTACH, "a", "b"));
        rb_scene_add_action(s.scene, action(0.5, (RbSceneActionKind)kind, joint ? "hinge" : "a",
                                            joint || kind == RB_SCENE_REMOVE ? NULL : "b"));
        s.options.start_time = 1;
        s.options.stop_time = 3;
        ENSURE(stand_go(&s) == RB_ERROR_MODEL);
        ENSURE(strstr(fixture_message(&s.f, 0),
                      "an action is due at t = 0.5 s, before the start at t = 1 s"));
        stand_close(&s);
    }
}

static void expect_contradiction(RbSceneAction x, RbSceneAction y, const char *want) {
    Stand s;
    open_space(&s);
    add_block(&s, "a", 1, v3(-1, 1, 0), v3(1, 0, 0));
    add_block(&s, "b", 3, v3(1, -1, 0), v3(-1, 0, 0));
    add_pendulum(&s, 1);
    rb_scene_add_action(s.scene, x);
    rb_scene_add_action(s.scene, y);
    s.options.stop_time = 1;
    ENSURE(stand_go(&s) == RB_ERROR_ASSERTION);
    ENSURE(s.sim.time == 0.5);
    const char *text = fixture_message(&s.f, 0);
    if (!strstr(text, want)) print_error("%s\n", text);
    ENSURE(strstr(text, want) != NULL);
    stand_close(&s);
}

static void contradictions_are_reported(void **state) {
    (void)state;
    expect_contradiction(
        action(0.5, RB_SCENE_ATTACH, "a", "b"), action(0.5, RB_SCENE_RELEASE, "b", "a"),
        "at t = 0.5 s: two actions at one instant contradict each other: attach 'a' "
        "and 'b', and release 'b' and 'a'");
    expect_contradiction(action(0.5, RB_SCENE_LOCK, "hinge", NULL),
                         action(0.5, RB_SCENE_UNLOCK, "hinge", NULL),
                         "contradict each other: lock 'hinge', and unlock 'hinge'");
    expect_contradiction(action(0.5, RB_SCENE_ATTACH, "a", "b"),
                         action(0.5, RB_SCENE_REMOVE, "b", NULL),
                         "contradict each other: attach 'a' and 'b', and remove 'b'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attached_blocks_keep_their_momenta),
        cmocka_unit_test(released_halves_fly_straight_on),
        cmocka_unit_test(locked_pendulum_starts_again_from_rest),
        cmocka_unit_test(hinge_becomes_a_guide),
        cmocka_unit_test(broken_joint_lets_go),
        cmocka_unit_test(parts_come_and_go),
        cmocka_unit_test(random_actions_conserve_momenta),
        cmocka_unit_test(flipped_chain_moves_the_same),
        cmocka_unit_test(arm_walks),
        cmocka_unit_test(assembled_is_the_same_as_made_in_one),
        cmocka_unit_test(contact_rests_where_an_action_says_so),
        cmocka_unit_test(resumed_run_is_the_same),
        cmocka_unit_test(changes_do_not_grow_memory),
        cmocka_unit_test(actions_that_cannot_be_are_reported),
        cmocka_unit_test(actions_before_the_start_are_reported),
        cmocka_unit_test(contradictions_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

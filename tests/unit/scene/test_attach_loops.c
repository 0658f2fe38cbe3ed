// SPDX-License-Identifier: MIT
// Attachments that close loops, and are released again: the impact against the nearest speeds that all joints allow, in maximal
// coordinates; momenta, energy and poses of what floats afterwards.
#include "resume.h"

#include "math/rng.h"
#include "multibody/mechanism.h"
#include "rigid/maximal.h"

enum { LINKS = 7, JOINTS = LINKS - 1, UNKNOWNS = 6 * LINKS };

static const char *const links[LINKS] = {"l0", "l1", "l2", "l3", "l4", "l5", "l6"},
                         *const ends[LINKS] = {"e0", "e1", "e2", "e3", "e4", "e5", "e6"},
                         *const joints[JOINTS] = {"j0", "j1", "j2", "j3", "j4", "j5"};

static Pose random_pose(RbRng *rng) {
    return (Pose){v3_scale(0.5, rb_rng_direction(rng)), m3_rotation(rb_rng_direction(rng), 1.3)};
}

static RbSceneObject random_link(RbRng *rng, const char *name) {
    Mat3 I = m3_diagonal(v3(rb_rng_range(rng, 0.1, 0.15), 0.12, rb_rng_range(rng, 0.1, 0.15)));
    return rb_body(name, (RbMassProperties){.mass = rb_rng_range(rng, 0.5, 3),
                                            .r_CM = v3_scale(0.3, rb_rng_direction(rng)),
                                            .I_CM = I});
}

static void add_joint(Stand *s, RbRng *rng, int i, int parent_end, int link) {
    const RbJointKind kinds[] = {RB_JOINT_REVOLUTE, RB_JOINT_UNIVERSAL, RB_JOINT_SPHERICAL,
                                 RB_JOINT_CYLINDRICAL, RB_JOINT_PLANAR};
    RbObjectJoint j = rb_scene_joint(joints[i], kinds[rb_rng_int(rng, 5)], parent_end, link,
                                     rb_rng_direction(rng));
    j.n2 = v3_perpendicular(j.n);
    for (int k = 0; k < rb_joint_v_count(j.kind); k++) j.v[k] = rb_rng_range(rng, -1, 1);
    if (j.kind == RB_JOINT_REVOLUTE) j.q[0] = rb_rng_range(rng, -1, 1);
    rb_scene_add_joint(s->scene, j);
}

// A tree of links in free motion, with a frame at the end of each, in which the next ones hang.
static void add_tree(Stand *s, RbRng *rng) {
    stand_open(s);
    s->scene->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
    int end[LINKS];
    for (int i = 0; i < LINKS; i++) {
        RbSceneObject o = random_link(rng, links[i]);
        o.object.parent = i == 0 ? o.object.parent : -1;
        o.object.moves_freely = i == 0;
        if (i == 0) o.object.velocity = rb_rng_direction(rng);
        if (i == 0) o.object.angular_velocity = rb_rng_direction(rng);
        int link = rb_scene_add(s->scene, o);
        end[i] = rb_scene_add(s->scene, rb_frame_object(ends[i], link, random_pose(rng)));
        if (i > 0) add_joint(s, rng, i - 1, end[rb_rng_int(rng, i)], link);
    }
}

static RbSceneAction action(double time, RbSceneActionKind kind, const char *a, const char *b) {
    return (RbSceneAction){.time = time, .kind = kind, .a = a, .b = b};
}

// ---- what a stand has come to

typedef struct State {
    Pose X[LINKS], E[LINKS];
    MaxBody bodies[LINKS + 1]; // 0: the world
} State;

static State state_of(Stand *s) {
    State out = {0};
    RbRunningSegment *stage = rb_sim_stage(&s->sim);
    const Mechanism *m = stage->system->parts[0].instance->self;
    const RbTree *tree = &m->structure.tree;
    RbKin kin = rb_kin(tree, &s->f.scratch);
    rb_kin_positions(tree, stage->now.x, &kin);
    rb_kin_velocities(tree, stage->now.x + tree->nq, &kin);
    for (int i = 0; i < LINKS; i++) {
        int object = rb_scene_find(s->scene, links[i]);
        const RbMassProperties *mass = &s->scene->objects.data[object].object.mass;
        Pose X = rb_frame_pose(&kin, m->structure.frame[object]);
        Motion V = rb_frame_velocity(&kin, m->structure.frame[object]);
        Vec3 d = m3_mul_vec(X.R, mass->r_CM);
        out.X[i] = X;
        out.E[i] = rb_frame_pose(&kin, m->structure.frame[rb_scene_find(s->scene, ends[i])]);
        out.bodies[i + 1] = (MaxBody){.m = mass->mass,
                                      .I = m3_mul(m3_mul(X.R, mass->I_CM), m3_transpose(X.R)),
                                      .r = v3_add(X.r, d),
                                      .v = v3_add(V.v, v3_cross(V.w, d)),
                                      .w = V.w};
    }
    return out;
}

static Wrench momentum_of(const State *x) {
    Wrench sum = WRENCH_ZERO;
    for (int i = 1; i <= LINKS; i++) {
        const MaxBody *b = &x->bodies[i];
        Vec3 p = v3_scale(b->m, b->v);
        sum.f = v3_add(sum.f, p);
        sum.t = v3_add(sum.t, v3_add(m3_mul_vec(b->I, b->w), v3_cross(b->r, p)));
    }
    return sum;
}

static double energy_of(const State *x) {
    double sum = 0;
    for (int i = 1; i <= LINKS; i++) {
        const MaxBody *b = &x->bodies[i];
        sum += 0.5 * (b->m * v3_norm2(b->v) + v3_dot(b->w, m3_mul_vec(b->I, b->w)));
    }
    return sum;
}

// ---- the oracle

static int number_of(const Stand *s, int object) { // of the link that an object is, or belongs to
    const RbObject *o = &s->scene->objects.data[object].object;
    return o->name[1] - '0';
}

static void enter_joint(MaxSystem *x, RbJointKind kind, const MaxJoint *j) {
    bool fixed = kind == RB_JOINT_FIXED, planar = kind == RB_JOINT_PLANAR,
         slides = kind == RB_JOINT_CYLINDRICAL, round = kind == RB_JOINT_SPHERICAL;
    if (kind == RB_JOINT_UNIVERSAL) {
        max_hold(x, j, true, true, false, false);
        max_turn(x, j, j->n, j->n2);
        return;
    }
    max_hold(x, j, !slides, !planar, !round, fixed);
}

static MaxSystem enter(const Stand *s, const State *from, const RbSceneAction *attached,
                       int count) {
    MaxSystem x = {.body_count = LINKS + 1};
    memcpy(x.bodies, from->bodies, sizeof from->bodies);
    for (int k = 0; k < JOINTS; k++) {
        const RbObjectJoint *j = &s->scene->joints.data[k];
        int a = number_of(s, j->a), b = number_of(s, j->b);
        MaxJoint joint = {a + 1, b + 1, from->E[a], from->X[b], v3_unit(j->n), v3_unit(j->n2)};
        enter_joint(&x, j->kind, &joint);
    }
    for (int k = 0; k < count; k++) {
        int a = attached[k].a[1] - '0', b = attached[k].b[1] - '0';
        MaxJoint joint = {a + 1, b + 1, from->X[a], from->X[b], v3(0, 0, 1), v3(1, 0, 0)};
        // What is turned to each other: rows about three axes of the world.
        for (int i = 0; i < 3; i++) {
            x.equations[x.equation_count++] = (MaxEquation){
                MAX_SLIDE, joint.i, joint.j, .e = v3_axis(i), .pi = joint.B.r, .pj = joint.B.r};
            x.equations[x.equation_count++] =
                (MaxEquation){MAX_SPEED, joint.i, joint.j, .e = v3_axis(i)};
        }
    }
    return x;
}

static double rate_of(const MaxSystem *x, const MaxEquation *q) {
    if (q->kind != MAX_SPEED) return max_rate(x, q);
    return v3_dot(q->e, v3_sub(x->bodies[q->j].w, x->bodies[q->i].w));
}

static double *speed(MaxBody *b, int k) {
    return k < 3 ? &(&b->v.x)[k] : &(&b->w.x)[k - 3];
}

// M^-1 times a row.
static void over_mass(const MaxSystem *x, const double *row, double *out) {
    for (int i = 0; i < LINKS; i++) {
        const MaxBody *b = &x->bodies[i + 1];
        Vec3 w = m3_mul_vec(m3_inverse(b->I), v3_load(row + 6 * i + 3));
        for (int k = 0; k < 3; k++) out[6 * i + k] = row[6 * i + k] / b->m;
        v3_store(out + 6 * i + 3, w);
    }
}

static double dot(const double *a, const double *b) {
    double sum = 0;
    for (int k = 0; k < UNKNOWNS; k++) sum += a[k] * b[k];
    return sum;
}

// The speeds nearest to the present ones, in the metric of kinetic energy, that all equations allow: the part along each row is
// taken away, after those before it (Gram and Schmidt, twice; rows that say nothing new are left out).
static void project(MaxSystem *x) {
    static double rows[MAX_EQUATIONS][UNKNOWNS], over[MAX_EQUATIONS][UNKNOWNS];
    MaxSystem unit = *x;
    double v[UNKNOWNS];
    int count = 0;
    for (int k = 0; k < UNKNOWNS; k++) v[k] = *speed(&x->bodies[1 + k / 6], k % 6);
    for (int i = 1; i <= LINKS; i++) unit.bodies[i].v = unit.bodies[i].w = V3_ZERO;
    for (int r = 0; r < x->equation_count; r++) {
        double *row = rows[count];
        for (int k = 0; k < UNKNOWNS; k++) {
            *speed(&unit.bodies[1 + k / 6], k % 6) = 1;
            row[k] = rate_of(&unit, &x->equations[r]);
            *speed(&unit.bodies[1 + k / 6], k % 6) = 0;
        }
        over_mass(x, row, over[count]);
        double size = sqrt(dot(row, over[count])), left = size;
        for (int twice = 0; twice < 3; twice++) {
            for (int q = 0; q < count; q++) {
                double by = dot(row, over[q]);
                for (int k = 0; k < UNKNOWNS; k++) row[k] -= by * rows[q][k];
            }
            over_mass(x, row, over[count]);
            left = sqrt(dot(row, over[count]));
        }
        if (left < 1e-7 * size) continue;
        for (int k = 0; k < UNKNOWNS; k++) row[k] /= left, over[count][k] /= left;
        double by = dot(row, v);
        for (int k = 0; k < UNKNOWNS; k++) v[k] -= by * over[count][k];
        count++;
    }
    for (int k = 0; k < UNKNOWNS; k++) *speed(&x->bodies[1 + k / 6], k % 6) = v[k];
}

// ---- tests

static const double now = 1e-9; // [s]

static double difference(const State *x, const MaxBody *y) {
    double most = 0, size = 0;
    for (int i = 1; i <= LINKS; i++) {
        most = fmax(most, v3_distance(x->bodies[i].v, y[i].v));
        most = fmax(most, v3_distance(x->bodies[i].w, y[i].w));
        size = fmax(size, fmax(v3_norm(y[i].v), v3_norm(y[i].w)));
    }
    return most / (1 + size);
}

static bool are_neighbours(const Stand *s, int a, int b) {
    for (int k = 0; k < JOINTS; k++) {
        const RbObjectJoint *j = &s->scene->joints.data[k];
        int x = number_of(s, j->a), y = number_of(s, j->b);
        if ((x == a && y == b) || (x == b && y == a)) return true;
    }
    return false;
}

// Two pairs of links, all different, with more than one joint between them.
static void choose(const Stand *s, RbRng *rng, RbSceneAction *attach) {
    int order[LINKS];
    do {
        for (int i = 0; i < LINKS; i++) order[i] = i;
        for (int i = LINKS - 1; i > 0; i--) {
            int k = rb_rng_int(rng, i + 1), kept = order[i];
            order[i] = order[k], order[k] = kept;
        }
    } while (are_neighbours(s, order[0], order[1]) || are_neighbours(s, order[2], order[3]));
    for (int k = 0; k < 2; k++)
        attach[k] = action(0, RB_SCENE_ATTACH, links[order[2 * k]], links[order[2 * k + 1]]);
}

static void impacts_through_loops(void **state) {
    (void)state;
    double worst = 0;
    for (unsigned seed = 1; seed <= REPEATS(300, 30); seed++) {
        RbRng rng = rb_rng(seed), again = rng;
        RbSceneAction attach[2];
        Stand s, t;
        add_tree(&s, &rng);
        stand_run(&s, now, 1e-10);
        State before = state_of(&s);
        add_tree(&t, &again);
        choose(&t, &again, attach);
        int count = 1 + (int)(seed % 2);
        for (int k = 0; k < count; k++) rb_scene_add_action(t.scene, attach[k]);
        stand_run(&t, now, 1e-10);
        State after = state_of(&t);
        MaxSystem want = enter(&s, &before, attach, count);
        project(&want);
        double off = difference(&after, want.bodies);
        if (!(off < 1e-6)) fail_msg("seed %u: off by %g", seed, off);
        worst = fmax(worst, off);
        stand_close(&s);
        stand_close(&t);
    }
    print_message("worst %.2g of the largest speed\n", worst);
}

static double opened(const State *x, const State *y, const RbSceneAction *pair) {
    int a = pair->a[1] - '0', b = pair->b[1] - '0';
    Pose was = pose_relative(x->X[a], x->X[b]), is = pose_relative(y->X[a], y->X[b]);
    return v3_distance(was.r, is.r) +
           sqrt(v3_norm2(v3_sub(was.R.x, is.R.x)) + v3_norm2(v3_sub(was.R.y, is.R.y)));
}

// Closed at 0, opened at 0.2 s: nothing is lost or turned but in the impact.
static void loops_float_and_open(void **state) {
    (void)state;
    double worst[3] = {0};
    for (unsigned seed = 1001; seed <= REPEATS(1040, 1005); seed++) {
        RbRng rng = rb_rng(seed);
        RbSceneAction attach[2];
        Stand s;
        add_tree(&s, &rng);
        choose(&s, &rng, attach);
        rb_scene_add_action(s.scene, attach[0]);
        stand_run(&s, now, 1e-10);
        State first = state_of(&s);
        stand_run(&s, 0.2, 1e-10);
        State closed = state_of(&s);
        rb_scene_add_action(s.scene, action(0.2, RB_SCENE_RELEASE, attach[0].a, attach[0].b));
        stand_run(&s, 0.4, 1e-10);
        State last = state_of(&s);
        assert_int_equal(s.summary.segments, 3);
        Wrench p = momentum_of(&first), q = momentum_of(&last);
        double E = energy_of(&first), size = 1 + v3_norm(p.f) + v3_norm(p.t);
        worst[0] = fmax(worst[0], (v3_distance(p.f, q.f) + v3_distance(p.t, q.t)) / size);
        worst[1] = fmax(worst[1], fabs(energy_of(&last) - E) / E);
        worst[2] = fmax(worst[2], opened(&first, &closed, &attach[0]));
        ENSURE_NEAR(energy_of(&closed), E, 1e-6 * E);
        stand_close(&s);
    }
    print_message("momentum %.2g, energy %.2g, gap %.2g m\n", worst[0], worst[1], worst[2]);
    ENSURE(worst[0] < 1e-7 && worst[1] < 1e-7 && worst[2] < 1e-7);
}

static void ensure_refused(RbSceneAction x, const char *why) {
    RbRng rng = rb_rng(7);
    Stand s;
    add_tree(&s, &rng);
    const RbObjectJoint *first = &s.scene->joints.data[0];
    x.a = links[number_of(&s, first->a)], x.b = links[number_of(&s, first->b)];
    rb_scene_add_action(s.scene, x);
    s.options.stop_time = 1;
    ENSURE(stand_go(&s) != RB_OK);
    ENSURE(strstr(fixture_message(&s.f, 0), why));
    stand_close(&s);
}

static void neighbours_are_refused(void **state) {
    (void)state;
    ensure_refused((RbSceneAction){.kind = RB_SCENE_ATTACH},
                   "joint 'j0' is between them, and would have to be locked");
}

static void build_arms(Stand *s, const void *argument) {
    RbSceneAction attach[2];
    RbRng rng = rb_rng(*(const unsigned *)argument);
    add_tree(s, &rng);
    choose(s, &rng, attach);
    attach[0].time = 0.1;
    rb_scene_add_action(s->scene, attach[0]);
    rb_scene_add_action(s->scene, action(0.3, RB_SCENE_RELEASE, attach[0].a, attach[0].b));
    s->options.stop_time = 0.5;
    s->options.tolerance = 1e-8;
}

static void resumed_runs_are_the_same(void **state) {
    (void)state;
    for (unsigned seed = 21; seed <= 23; seed++)
        ENSURE(resume_is_identical(build_arms, &seed, 0.07) > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_through_loops),
        cmocka_unit_test(loops_float_and_open),
        cmocka_unit_test(neighbours_are_refused),
        cmocka_unit_test(resumed_runs_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

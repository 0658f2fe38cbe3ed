// SPDX-License-Identifier: MIT
#include "collide/sweep.h"

#include "collide/distance.h"
#include "geom/support.h"

enum {
    MAX_STEPS =
        1000, // distance queries; a dozen is usual, grazing contacts of spinning bodies need more
    TRIALS = 12, // how closely a step is fitted to what can be proved
};

static const double RELATIVE_TOLERANCE = 1e-11; // of the size

Pose rb_motion_pose(Pose X, RbMotion motion, double t) {
    Pose moved = {v3_axpy(X.r, t, motion.v), X.R};
    double speed = v3_norm(motion.w);
    if (!(speed * fabs(t) > 0)) return moved;
    Quat turn = q_rotation(v3_scale(1 / speed, motion.w), speed * t);
    moved.R = m3_mul(q_matrix(turn), X.R);
    return moved;
}

// Half lengths of a box around the core in frame C; polytopes are asked vertex by vertex instead.
static Vec3 core_box(const RbCore *core) {
    Vec3 h = core->h;
    switch (core->kind) {
        case RB_CORE_SEGMENT: return v3(0, 0, h.z);
        case RB_CORE_CYLINDER:
        case RB_CORE_FRUSTUM: return v3(h.x, h.x, h.z);
        case RB_CORE_BEAM: return v3(h.x + h.y, h.y, h.z);
        case RB_CORE_BOX:
        case RB_CORE_ELLIPSOID: return h;
        case RB_CORE_POINT:
        case RB_CORE_POLYTOPE:
        case RB_CORE_HALFSPACE:
        case RB_CORE_KIND_COUNT: break;
    }
    return V3_ZERO;
}

// Largest distance of a point of the core from the line through the origin of the shape along the
// unit vector `axis` (zero: from the origin itself), frame of the shape. The radius does not count:
// a sphere looks the same however it turns.
static double reach_from_axis(const RbCore *core, Vec3 axis) {
    double reach = 0;
    int count = core->kind == RB_CORE_POLYTOPE ? core->polytope->vertex_count : 8;
    Vec3 h = core_box(core);
    for (int i = 0; i < count; i++) {
        Vec3 p = core->kind == RB_CORE_POLYTOPE
                     ? core->polytope->vertices[i]
                     : v3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
        p = pose_point(core->frame, p);
        reach = fmax(reach, v3_norm(v3_axpy(p, -v3_dot(p, axis), axis)));
    }
    return reach;
}

// One body at the present time, and how fast its points can move.
typedef struct Side {
    const RbSweepBody *body;
    Pose X;       // now
    double spin;  // [rad/s]
    double reach; // [m] of its core from the axis that it turns about
    double size;  // [m] of its core from its origin
} Side;

static Side side_of(const RbSweepBody *body) {
    Vec3 axis = v3_unit(body->motion.w);
    return (Side){
        .body = body,
        .X = body->X,
        .spin = v3_norm(body->motion.w),
        .reach = reach_from_axis(body->core, m3_tmul_vec(body->X.R, axis)),
        .size = reach_from_axis(body->core, V3_ZERO),
    };
}

static bool is_halfspace(const Side *side) {
    return side->body->core->kind == RB_CORE_HALFSPACE;
}

// A direction n that keeps the bodies apart now. It may turn with one of them: the face of a
// turning body then stays the separating plane.
typedef struct Separation {
    const Side *a, *b;
    const Side *base; // positions and velocities are taken relative to its origin
    Vec3 n;           // from a to b, unit vector
    Vec3 turn;        // [rad/s] angular velocity of n: zero, or that of the base
} Separation;

// How far a body reaches along n after h seconds, to first order in h. With y = c + v h + p, c and
// v relative to the base,
//     n . y  ->  (n + h turn x n) . (c + p) + h n . (v + w x p) = (n + h turn x n) . c + h n . v +
//     (n + h (turn - w) x n) . p .
// The largest value over all points p of the core is a support value. The sphere around the core
// adds its radius at any time.
static double extent(const Separation *s, const Side *side, Vec3 n, double h) {
    const RbSweepBody *body = side->body;
    Vec3 c = v3_sub(side->X.r, s->base->X.r), v = v3_sub(body->motion.v, s->base->body->motion.v);
    Vec3 m = v3_axpy(n, h, v3_cross(v3_sub(s->turn, body->motion.w), n));
    Vec3 p = body->core->frame.r;
    if (!is_halfspace(side)) { // of which n is the normal: its origin will do
        Vec3 m_C = m3_tmul_vec(body->core->frame.R, m3_tmul_vec(side->X.R, m));
        Vec3 p_C = rb_core_support(body->core, v3_scale(1 / v3_norm(m_C), m_C), NULL);
        p = pose_point(body->core->frame, p_C);
    }
    return v3_dot(v3_axpy(n, h, v3_cross(s->turn, n)), c) + h * v3_dot(n, v) +
           v3_dot(m, m3_mul_vec(side->X.R, p)) + body->core->radius;
}

// Distance along n after h seconds, to first order. Concave in h, being a minimum of linear
// functions.
static double straight_distance(const Separation *s, double h) {
    return -extent(s, s->b, v3_neg(s->n), h) - extent(s, s->a, s->n, h);
}

// [m/s2] Bound of the second derivative of n . y over h seconds. If n rests only the circles count
// on which the points go round, perpendicular to w. If n turns with the base nothing of the base
// moves, and the other body has
//     |n'' . y| + 2 |n' . y'| + |n . y''|,   |y| <= |c| + |v| h + size,   |y'| <= |v| + spin reach,
//     |y''| <= spin^2 reach.
static double bend_of(const Separation *s, const Side *side, double h) {
    double circle = side->spin * side->reach;
    double turn = v3_norm(s->turn);
    if (turn == 0) return circle * v3_norm(v3_cross(s->n, side->body->motion.w));
    if (side == s->base) return 0;
    double c = v3_distance(side->X.r, s->base->X.r);
    double v = v3_distance(side->body->motion.v, s->base->body->motion.v);
    return turn * turn * (c + v * h + side->size) + 2 * turn * (v + circle) + side->spin * circle;
}

// Do the bodies certainly stay `keep` apart for h seconds? They are at least as far apart as the
// smaller one of the first-order values at both ends (the function is concave), less what second
// order can take away.
static bool stays_apart(const Separation *s, double now, double keep, double h) {
    double bend = bend_of(s, s->a, h) + bend_of(s, s->b, h);
    return fmin(now, straight_distance(s, h)) - 0.5 * bend * h * h >= keep;
}

// The longest step from `sure` on that stays_apart proves, by doubling and halving.
static double extend_step(const Separation *s, double keep, double sure, double longest) {
    double now = straight_distance(s, 0), good = sure, bad = INFINITY;
    for (int i = 0; i < TRIALS && good < longest && bad > good * (1 + 1e-3); i++) {
        double h = fmin(bad < INFINITY ? 0.5 * (good + bad) : 2 * good, longest);
        *(stays_apart(s, now, keep, h) ? &good : &bad) = h;
    }
    return good;
}

// A step during all of which the bodies stay at least `keep` apart. To begin with: along the
// resting n their distance shrinks at most by `closing` per second.
static double safe_step(const Side *a, const Side *b, Vec3 n, double keep, double longest) {
    Separation resting = {a, b, a, n, V3_ZERO};
    double closing = v3_dot(n, v3_sub(a->body->motion.v, b->body->motion.v)) +
                     a->reach * v3_norm(v3_cross(n, a->body->motion.w)) +
                     b->reach * v3_norm(v3_cross(n, b->body->motion.w));
    double now = straight_distance(&resting, 0);
    if (!(now > keep)) return 0;
    if (!(closing > 0)) return longest;
    double sure = fmin((now - keep) / closing, longest);
    double step = extend_step(&resting, keep, sure, longest);
    if (is_halfspace(a) || is_halfspace(b)) return step; // it reaches to infinity along all other n
    for (int k = 0; k < 2; k++) {
        const Side *base = k ? b : a;
        Separation turning = {a, b, base, n, base->body->motion.w};
        if (base->spin > 0) step = fmax(step, extend_step(&turning, keep, sure, longest));
    }
    return step;
}

double rb_sweep_tolerance(const RbCore *a, const RbCore *b) {
    double size = fmax(isfinite(a->size) ? a->size : 0, isfinite(b->size) ? b->size : 0);
    return fmax(RELATIVE_TOLERANCE * size, 1e-300);
}

static bool is_usable(const RbSweepBody *s) {
    bool turns = v3_norm(s->motion.w) > 0;
    return v3_finite(s->X.r) && v3_finite(s->motion.v) && v3_finite(s->motion.w) &&
           !(turns && s->core->kind == RB_CORE_HALFSPACE);
}

// The normal of a half-space is exact; that of the gap may be off by rounding, along which a
// half-space reaches to infinity.
static Vec3 exact_normal(const Side *a, const Side *b, Vec3 n) {
    const Side *plane = is_halfspace(a) ? a : is_halfspace(b) ? b : NULL;
    if (!plane) return n;
    Vec3 up = m3_mul_vec(plane->X.R, m3_column(plane->body->core->frame.R, 2));
    return plane == a ? up : v3_neg(up);
}

static bool is_decided(RbSweep *sweep, double duration, double tolerance) {
    if (sweep->distance <= tolerance)
        sweep->status = RB_SWEEP_HIT;
    else if (sweep->time >= duration)
        sweep->status = RB_SWEEP_MISS;
    else if (sweep->steps >= MAX_STEPS)
        sweep->status = RB_SWEEP_UNDECIDED;
    else
        return false;
    return true;
}

RbSweep rb_sweep(const RbSweepBody *a, const RbSweepBody *b, double duration, double tolerance) {
    RbSweep sweep = {.status = RB_SWEEP_INVALID};
    if (!is_usable(a) || !is_usable(b)) return sweep;
    Side A = side_of(a), B = side_of(b);
    RbPairMemory memory = {0};
    double t = 0;
    for (;;) {
        A.X = rb_motion_pose(a->X, a->motion, t);
        B.X = rb_motion_pose(b->X, b->motion, t);
        RbGap gap;
        rb_distance(a->core, b->core, pose_relative(A.X, B.X), &memory, &gap);
        if (gap.status == RB_GAP_INVALID) return sweep;
        gap = rb_gap_in_world(gap, A.X);
        sweep.time = t;
        sweep.distance = gap.distance;
        sweep.normal = gap.normal;
        sweep.point = v3_lerp(gap.point_a, gap.point_b, 0.5);
        sweep.steps++;
        if (is_decided(&sweep, duration, tolerance)) return sweep;
        Vec3 n = exact_normal(&A, &B, gap.normal);
        double step = safe_step(&A, &B, n, 0.5 * tolerance, duration - t);
        t = fmin(t + fmax(step, 1e-15 * t), duration); // beyond rounding a contact has no time
    }
}

RbAabb rb_sweep_aabb(const RbSweepBody *body, double duration) {
    Pose end = {v3_axpy(body->X.r, duration, body->motion.v), body->X.R};
    if (body->core->kind == RB_CORE_HALFSPACE || v3_norm(body->motion.w) == 0) {
        return rb_aabb_union(rb_aabb_of_core(body->core, body->X),
                             rb_aabb_of_core(body->core, end));
    }
    double reach = reach_from_axis(body->core, V3_ZERO) + body->core->radius;
    RbAabb path = rb_aabb_add_point((RbAabb){body->X.r, body->X.r}, end.r);
    return rb_aabb_grow(path, reach);
}

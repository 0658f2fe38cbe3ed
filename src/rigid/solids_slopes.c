// SPDX-License-Identifier: MIT
#include "rigid/solids_slopes.h"

// ORDER RbSolidsSlopes.by
enum { TURN, SHIFT = 3, SPIN = 6, SPEED = 9, TWIST = 12, SLIDE = 15 };

static RbSolidsSlope evaluate(const RbSolidsForce *e, RbMeshOverlap *work,
                              const RbSolidsPlace *place) {
    RbContactPowers powers = {0};
    RbSolidsResult r = rb_solids_evaluate(e, work, place, &powers);
    return (RbSolidsSlope){r.torque, r.force, r.twist_rate, r.slide_rate};
}

static void add(RbSolidsSlope *to, double factor, const RbSolidsSlope *s) {
    to->torque = v3_axpy(to->torque, factor, s->torque);
    to->force = v3_axpy(to->force, factor, s->force);
    to->twist_rate = v3_axpy(to->twist_rate, factor, s->twist_rate);
    to->slide_rate = v3_axpy(to->slide_rate, factor, s->slide_rate);
}

// input: along or about the axis.
static RbSolidsPlace moved(RbSolidsPlace p, int input, Vec3 axis, double h) {
    Vec3 step = v3_scale(h, axis);
    switch (input - input % 3) {
        case TURN:
            p.X.R = m3_mul(m3_rotation(axis, h), p.X.R);
            p.X.r = v3_add(p.X.r, v3_cross(step, p.X.r));
            break;
        case SHIFT: p.X.r = v3_add(p.X.r, step); break;
        case SPIN: p.motion.w = v3_add(p.motion.w, step); break;
        case SPEED: p.motion.v = v3_add(p.motion.v, step); break;
        case TWIST: p.motion.twist = v3_add(p.motion.twist, step); break;
        default: p.motion.slide = v3_add(p.motion.slide, step);
    }
    return p;
}

// Steps small against what decides: the depth, the speed where friction turns, the bristle.
static void find_steps(const RbSolidsForce *e, const RbMeshOverlap *work, double steps[6]) {
    const RbVolumeLaw *l = &e->volume;
    double size = rb_solids_size(e), depth = 1e-6 * size, speed, bristle = 1;
    if (e->law == RB_SOLIDS_VOLUME) {
        depth = work->area > 0 ? work->volume / work->area : 0;
        speed =
            l->sticks ? fmin(l->slip_speed, l->bristle_length / l->bristle_time) : l->slip_speed;
        bristle = l->bristle_length;
    } else
        speed = e->polygonal.slip_speed > 0 ? e->polygonal.slip_speed : 1;
    double shift = fmax(1e-4 * depth, 1e-11 * size);
    steps[0] = shift / size; // ORDER of the inputs
    steps[1] = shift;
    // damping turns from one side to the other within this part of the speed of a blow, which is small at rest
    if (e->law == RB_SOLIDS_VOLUME && l->dissipation.dry > 0)
        speed = fmin(speed, 0.1 * l->dissipation.width * l->v_small);
    steps[2] = 1e-3 * speed / size;
    steps[3] = 1e-3 * speed;
    steps[4] = 1e-3 * bristle / size;
    steps[5] = 1e-3 * bristle;
}

// Axes of shifts and turns, and a step for each. What slides over a face does not change its depth: there a step may be longer, and must be, as forces
// have rounding over their depth, which over a step as small as the depth would be a stiffness along the way on which bodies move far.
typedef struct Ways {
    Vec3 axis[3];
    double step[6]; // ORDER inputs: turns, shifts
} Ways;

static Ways find_ways(const RbMeshOverlap *work, double shift, double size) {
    const double most = 1e-6; // of the size
    Vec3 n = V3_ZERO;
    for (int k = 0; k < work->points.count; k++)
        n = v3_axpy(n, work->points.data[k].volume, work->points.data[k].way);
    n = v3_unit_or(n, v3_axis(2));
    Vec3 u = v3_perpendicular(n);
    Ways w = {.axis = {u, v3_cross(n, u), n}};
    for (int i = 0; i < 6; i++) {
        double across = work->points.count > 0 ? 0 : 1; // what of a step goes deeper, at most
        for (int k = 0; k < work->points.count && across < 1; k++) {
            const RbOverlapPoint *p = &work->points.data[k];
            Vec3 way = w.axis[i % 3];
            if (i < SHIFT) way = v3_scale(1 / size, v3_cross(way, p->x));
            across = fmax(across, fabs(v3_dot(way, p->way)));
        }
        double h = across > 0 ? fmin(shift / across, most * size) : most * size;
        w.step[i] = (i < SHIFT ? 1 / size : 1) * fmax(shift, h);
    }
    return w;
}

// Places cost a cut each: there one side must do, which is off by a part of 1e-4 where the force bends over its depth.
static void add_places(const RbSolidsForce *e, RbMeshOverlap *work, double shift,
                       RbSolidsSlopes *out) {
    Ways w = find_ways(work, shift, rb_solids_size(e));
    for (int i = SPIN - 1; i >= 0; i--) {
        int first = i - i % 3;
        double h = w.step[i], axis[3];
        RbSolidsPlace p = moved(out->place, first, w.axis[i % 3], h);
        RbSolidsSlope s = evaluate(e, work, &p);
        add(&s, -1, &out->now);
        v3_store(axis, w.axis[i % 3]);
        for (int k = 0; k < 3; k++) add(&out->by[first + k], axis[k] / h, &s);
    }
}

void rb_solids_slopes(const RbSolidsForce *e, const RbSolidsMemory *memory, RbMeshOverlap *work,
                      const RbKin *kin, RbSolidsSlopes *out) {
    double steps[6];
    *out =
        (RbSolidsSlopes){.element = e, .memory = *memory, .place = rb_solids_place(e, memory, kin)};
    out->now = evaluate(e, work, &out->place);
    find_steps(e, work, steps);
    for (int i = RB_SOLIDS_INPUTS - 1; i >= SPIN; i--) { // first those that leave the overlap alone
        double h = steps[i / 3];
        if (i >= TWIST && !rb_solids_stick(e)) continue;
        for (int sign = -1; sign <= 1; sign += 2) {
            RbSolidsPlace p = moved(out->place, i, v3_axis(i % 3), sign * h);
            RbSolidsSlope s = evaluate(e, work, &p);
            add(&out->by[i], sign / (2 * h), &s);
        }
    }
    add_places(e, work, steps[1], out);
}

// ---- directions of the bodies ----

// The values at a place nearby, by the slopes.
static RbSolidsSlope linear(const RbSolidsSlopes *s, const RbSolidsPlace *p) {
    const RbSolidsPlace *q = &s->place;
    Mat3 R = m3_mul(p->X.R, m3_transpose(q->X.R)); // turned by a small angle
    Vec3 turn = v3_scale(0.5, v3(R.z.y - R.y.z, R.x.z - R.z.x, R.y.x - R.x.y));
    Vec3 inputs[4] = {turn, v3_sub(v3_sub(p->X.r, q->X.r), v3_cross(turn, q->X.r)),
                      v3_sub(p->motion.w, q->motion.w), v3_sub(p->motion.v, q->motion.v)};
    RbSolidsSlope out = s->now;
    for (int i = 0; i < TWIST; i++) {
        double x[3];
        v3_store(x, inputs[i / 3]);
        add(&out, x[i % 3], &s->by[i]);
    }
    return out;
}

// From the frame of a to the two bodies.
static RbSolidsChange spread(const RbSolidsForce *e, const RbKin *kin, const RbSolidsSlope *s) {
    Pose Xa = rb_frame_pose(kin, e->a);
    Vec3 f = m3_mul_vec(Xa.R, s->force), t = m3_mul_vec(Xa.R, s->torque);
    Wrench w = {t, f}, opposite = {v3_neg(t), v3_neg(f)};
    return (RbSolidsChange){wr_shift(opposite, v3_sub(Xa.r, kin->bodies[e->a.body].X.r)),
                            wr_shift(w, v3_sub(Xa.r, kin->bodies[e->b.body].X.r)), s->slide_rate,
                            s->twist_rate};
}

static RbSolidsChange displaced(const RbSolidsSlopes *s, RbKin *kin, int side, Motion place,
                                Motion velocity, double h) {
    RbBodyKin *body = &kin->bodies[side ? s->element->b.body : s->element->a.body], before = *body;
    double angle = h * v3_norm(place.w);
    if (angle != 0) body->X.R = m3_mul(m3_rotation(v3_scale(h / angle, place.w), angle), body->X.R);
    body->X.r = v3_axpy(body->X.r, h, place.v);
    body->V = mo_axpy(body->V, h, velocity);
    RbSolidsPlace there = rb_solids_place(s->element, &s->memory, kin);
    RbSolidsSlope values = linear(s, &there);
    RbSolidsChange out = spread(s->element, kin, &values);
    *body = before;
    return out;
}

static Wrench slope(Wrench plus, Wrench minus, double h) {
    Wrench d = wr_sub(plus, minus);
    return (Wrench){v3_scale(0.5 / h, d.t), v3_scale(0.5 / h, d.f)};
}

RbSolidsChange rb_solids_vary(const RbSolidsSlopes *s, RbKin *kin, int side, Motion place,
                              Motion velocity) {
    double most = fmax(fmax(v3_norm(place.w), v3_norm(place.v)),
                       fmax(v3_norm(velocity.w), v3_norm(velocity.v)));
    if (!(most > 0)) return (RbSolidsChange){0};
    double h = 1e-5 / most; // of a metre, a radian, and these per second
    RbSolidsChange p = displaced(s, kin, side, place, velocity, h),
                   m = displaced(s, kin, side, place, velocity, -h);
    return (RbSolidsChange){slope(p.on_a, m.on_a, h), slope(p.on_b, m.on_b, h),
                            v3_scale(0.5 / h, v3_sub(p.slide_rate, m.slide_rate)),
                            v3_scale(0.5 / h, v3_sub(p.twist_rate, m.twist_rate))};
}

RbSolidsChange rb_solids_vary_bristle(const RbSolidsSlopes *s, const RbKin *kin, int axis) {
    return spread(s->element, kin, &s->by[axis < 3 ? SLIDE + axis : TWIST + axis - 3]);
}

// SPDX-License-Identifier: MIT
// Where the ellipsoid is the unit ball, D = (1 - r²)/2 is 0 on its surface, and l D is the depth in metres there, l = r/|y/a| along the
// ray from the centre. With the weight f = (l D)³/r the integral over what is shared, W = ∫ f dV, is by rays that over the
// pieces of the triangles of -away l³ D⁴/(4 r³), and its gradient is f over the same pieces.
#include "collide/round_press.h"

#include <math.h>

#include "collide/press_points.h"

// Of U = E* c √W, with which a paraboloid on a plane has Hertz's (8/15) E* √R δ^2.5: there W = π R δ⁵/10.
static const double ENERGY = 0.9515328619481447; // (8/15) √(10/π)

void rb_round_press_open(RbMeshOverlap *o, const RbFlatFaces *flat) {
    RbArena *arena = o->cut.arena;
    o->flat = *flat;
    o->pressed_number[0] = rb_new_array(arena, int, o->flat.count);
    o->pressed_stamp[0] = rb_new_array(arena, unsigned, o->flat.count);
    rb_array_reserve(&o->pressed, arena, o->faces.capacity);
}

void rb_round_press_clear(RbMeshOverlap *o) {
    o->pressed.count = 0;
    o->round_bulk = 0;
    o->cut.stamp++;
}

static Vec3 from_ball(const RbRoundPiece *p, Vec3 y) {
    return pose_point(p->X, v3_mul(p->semi, y));
}

static Vec3 place(const RbRoundPiece *p, double x0, double x1) {
    return v3_axpy(v3_axpy(v3_scale(p->away, p->n), x0, p->axes[0]), x1, p->axes[1]);
}

static double depth_at(const RbRoundPiece *p, const double x[2]) {
    double r = hypot(x[0], x[1]);
    return fmax(0, 0.5 * (p->radius - r) * (p->radius + r));
}

void rb_round_press_start(RbMeshOverlap *o, RbRoundPiece *p) {
    int number = o->flat.of[p->triangle];
    Vec3 e = p->semi, y = place(p, p->middle[0], p->middle[1]), x = from_ball(p, y);
    if (o->pressed_stamp[0][number] != o->cut.stamp) {
        const RbFlatFace *flat = &o->flat.faces[number];
        o->pressed_stamp[0][number] = o->cut.stamp;
        o->pressed_number[0][number] = o->pressed.count;
        RbPressedFace new = {.region = o->faces.count,
                             .origin = x,
                             .n = flat->n,
                             .axes = {flat->along, v3_cross(flat->n, flat->along)}};
        rb_array_push(&o->pressed, o->cut.arena, new);
    }
    p->sums = &o->pressed.data[o->pressed_number[0][number]];
    p->bulk = &o->round_bulk;
    p->stretch = v3_norm(v3_mul(v3(e.y * e.z, e.z * e.x, e.x * e.y), p->n));
    p->y = y;
    for (int i = 0; i < 2; i++) p->q[i] = v3_dot(p->sums->axes[i], v3_sub(x, p->sums->origin));
    p->depth = depth_at(p, p->middle);
}

// Gauss' rule on 0 to 1. (With six points the energy of a ball a tenth of its radius deep was off by 8e-6 where a side runs through.)
enum { POINTS = 8 };
static const double gauss_x[POINTS] = {
    0.019855071751231856, 0.10166676129318664, 0.23723379504183550, 0.40828267875217511,
    0.59171732124782489,  0.76276620495816450, 0.89833323870681336, 0.98014492824876814};
static const double gauss_w[POINTS] = {
    0.050614268145188130, 0.11119051722668724, 0.15685332293894364, 0.18134189168918099,
    0.18134189168918099,  0.15685332293894364, 0.11119051722668724, 0.050614268145188130};

// One place with its area in the ball; `scale` [m] is the depth over D.
static void add_place(const RbRoundPiece *p, double depth, double r, double scale, double area,
                      const double q[2]) {
    RbPressedFace *s = p->sums;
    double d = scale * depth, d3 = d * d * d, real = p->stretch * area, w = d3 / r * real;
    s->of.s += w;
    s->of.area += real;
    for (int i = 0; i < 2; i++) s->of.sq[i] += w * q[i];
    s->of.sqq[0] += w * q[0] * q[0];
    s->of.sqq[1] += w * q[0] * q[1];
    s->of.sqq[2] += w * q[1] * q[1];
    *p->bulk -= p->semi.x * p->semi.y * p->semi.z * p->away * d3 * depth / (4 * r * r * r) * area;
}

// The triangle from the middle to a bit of the border at e, which is `wide` times its distance: by rays, along which D is a sum of
// what is never negative.
static void add_ray(const RbRoundPiece *p, const double e[2], double border_depth, double wide) {
    const double least = 1e-30;
    double u[2] = {e[0] - p->middle[0], e[1] - p->middle[1]};
    double arch = 0.5 * (u[0] * u[0] + u[1] * u[1]);
    Vec3 to = v3_axpy(v3_scale(u[0], p->axes[0]), u[1], p->axes[1]);
    Vec3 way = m3_mul_vec(p->X.R, v3_mul(p->semi, to));
    double q_to[2] = {v3_dot(p->sums->axes[0], way), v3_dot(p->sums->axes[1], way)};
    for (int k = 0; k < POINTS; k++) {
        double t = gauss_x[k];
        double depth = (1 - t) * p->depth + t * border_depth + t * (1 - t) * arch;
        double q[2] = {p->q[0] + t * q_to[0], p->q[1] + t * q_to[1]};
        double r = sqrt(fmax(least, 1 - 2 * depth));
        double scale = r / fmax(least, v3_norm(v3_div(v3_axpy(p->y, t, to), p->semi)));
        add_place(p, depth, r, scale, gauss_w[k] * t * wide, q);
    }
}

void rb_round_press_side(const RbRoundPiece *p, const double from[2], const double to[2]) {
    const double *c = p->middle;
    double wide = (from[0] - c[0]) * (to[1] - c[1]) - (from[1] - c[1]) * (to[0] - c[0]);
    for (int i = 0; i < POINTS; i++) {
        double t = gauss_x[i];
        double e[2] = {from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])};
        add_ray(p, e, depth_at(p, e), gauss_w[i] * wide);
    }
}

void rb_round_press_arc(const RbRoundPiece *p, const double from[2], double angle) {
    const double widest = 1.05; // [rad]
    int panels = 1 + (int)(angle / widest);
    double part = angle / panels, start = atan2(from[1], from[0]), R = p->radius;
    for (int i = 0; i < panels * POINTS; i++) {
        double turn = start + part * (i / POINTS + gauss_x[i % POINTS]);
        double e[2] = {R * cos(turn), R * sin(turn)};
        double wide = R * R - p->middle[0] * e[0] - p->middle[1] * e[1];
        add_ray(p, e, 0, gauss_w[i % POINTS] * part * wide);
    }
}

// Each face presses with f over √W, and B leaves it along its own normal at the centre of that pressure.
void rb_round_press_end(RbMeshOverlap *o, Pose X) {
    if (!(o->round_bulk > 0)) return;
    double root = sqrt(o->round_bulk);
    o->stored = ENERGY * root;
    for (int i = 0; i < o->pressed.count; i++) {
        RbPressedFace *p = &o->pressed.data[i];
        if (!(p->of.s > 0)) continue;
        Vec3 x = v3_axpy(v3_axpy(p->origin, p->of.sq[0] / p->of.s, p->axes[0]),
                         p->of.sq[1] / p->of.s, p->axes[1]);
        Vec3 y = v3_div(m3_tmul_vec(X.R, v3_sub(x, X.r)), o->round);
        p->rolls = true;
        p->at = x;
        p->way = v3_unit_or(m3_mul_vec(X.R, v3_neg(v3_div(y, o->round))), p->n);
        rb_press_face(o, p, 0.5 * ENERGY / root * p->of.s);
    }
}

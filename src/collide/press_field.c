// SPDX-License-Identifier: MIT
#include "collide/press_field.h"

#include <math.h>

#include "collide/point.h"

// Σ t⁻⁴, and how it grows.
typedef struct Inside {
    double sum;
    Vec3 slope; // of the sum, over -4
} Inside;

static const double least = 1e-60; // [m] on a face: as deep as there

// A face that is t over the place, which grows by slope.
static void add(Inside *in, double t, Vec3 slope) {
    double one = 1 / fmax(t, least), one2 = one * one, one4 = one2 * one2;
    in->sum += one4, in->slope = v3_axpy(in->slope, one4 * one, slope);
}

static void add_both(Inside *in, double half, double at, Vec3 axis) {
    add(in, half - at, v3_neg(axis)), add(in, half + at, axis);
}

static double end(const Inside *in, Vec3 *slope) {
    double depth = 1 / sqrt(sqrt(in->sum)), depth2 = depth * depth;
    *slope = v3_scale(-depth2 * depth2 * depth, in->slope);
    return -depth;
}

// A round side of radius R at the place, s from its axis: (R² - s²)/2R, which does not bend on the axis.
static void add_side(Inside *in, double R, Vec3 s) {
    add(in, (R * R - v3_norm2(s)) / (2 * R), v3_scale(-1 / R, s));
}

// Across the slanted side; its radius falls along z.
static void add_slant(Inside *in, Vec3 h, Vec3 p) {
    double fall = (h.x - h.y) / (2 * h.z), cosine = 1 / sqrt(1 + fall * fall);
    double R = h.x - fall * (p.z + h.z), s2 = p.x * p.x + p.y * p.y;
    Vec3 slope = {-p.x / R, -p.y / R, -0.5 * fall * (1 + s2 / (R * R))};
    add(in, cosine * (R * R - s2) / (2 * R), v3_scale(cosine, slope));
}

static void add_faces(Inside *in, const RbPolytope *t, Vec3 p) {
    for (int f = 0; f < t->face_count; f++) {
        Vec3 n = t->face_normals[f];
        add(in, t->face_offsets[f] - v3_dot(n, p), v3_neg(n));
    }
}

static double bounded(double x, double by) {
    return fmax(-by, fmin(by, x));
}

double rb_press_field(const RbCore *core, Vec3 p, Vec3 *slope) {
    if (core->kind == RB_CORE_HALFSPACE) return *slope = v3(0, 0, 1), p.z;
    double d = rb_core_point(core, p, slope);
    Inside in = {0};
    if (d >= 0) return d;
    Vec3 h = core->h;
    switch (core->kind) {
        case RB_CORE_BOX:
            for (int k = 0; k < 3; k++) add_both(&in, v3_get(h, k), v3_get(p, k), v3_axis(k));
            break;
        case RB_CORE_POLYTOPE: add_faces(&in, core->polytope, p); break;
        case RB_CORE_FRUSTUM: add_slant(&in, h, p), add_both(&in, h.z, p.z, v3(0, 0, 1)); break;
        case RB_CORE_CYLINDER:
            add_side(&in, h.x, v3(p.x, p.y, 0)), add_both(&in, h.z, p.z, v3(0, 0, 1));
            break;
        case RB_CORE_BEAM:
            add_side(&in, h.y, v3(p.x - bounded(p.x, h.x), p.y, 0));
            add_both(&in, h.z, p.z, v3(0, 0, 1));
            break;
        default: return d;
    }
    return end(&in, slope);
}

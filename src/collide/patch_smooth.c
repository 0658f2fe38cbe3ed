// SPDX-License-Identifier: MIT
#include "collide/patch_smooth.h"

#include <math.h>

// ---- which sheets the closest point lies on

static double along_of(const RbSheet *s, Vec3 p) {
    return v3_dot(v3_sub(p, s->c), s->axis);
}

// How far the point lies from the surface that the sheet is a part of, and outside of its outline.
typedef struct Off {
    double over, beside; // [m]
} Off;

static Off off_end(const RbSheet *s, Vec3 p) {
    Vec3 d = v3_sub(p, s->c);
    double x = fabs(v3_dot(d, s->e1)), y = v3_dot(d, s->e2), out = fmax(0, x - s->straight);
    return (Off){fabs(v3_dot(d, v3_cross(s->e1, s->e2))), sqrt(out * out + y * y) - s->r0};
}

static Off off_flat(const RbSheet *s, Vec3 p) {
    double along = along_of(s, p), x = v3_dot(v3_sub(p, s->c), s->e1);
    double over = v3_dot(v3_sub(p, s->c), v3_cross(s->e1, s->axis));
    return (Off){fabs(over), fmax(fabs(x) - s->high, fmax(-along, along - s->length))};
}

static Off off_side(const RbSheet *s, Vec3 p) {
    double along = along_of(s, p), radius = s->r0 + (s->r1 - s->r0) * along / s->length;
    Vec3 d = v3_axpy(v3_sub(p, s->c), -along, s->axis);
    double beside = fmax(-along, along - s->length);
    if (s->high < 3) beside = fmax(beside, -v3_dot(d, s->e1)); // half of a side
    return (Off){fabs(v3_norm(d) - radius), beside};
}

static bool is_on(const RbSheet *s, Vec3 p, double close) {
    Off off = s->kind == RB_SHEET_END    ? off_end(s, p)
              : s->kind == RB_SHEET_FLAT ? off_flat(s, p)
                                         : off_side(s, p);
    return off.over < close && off.beside < close;
}

// ---- borders

bool rb_smooth_border(RbOverlapAlong *overlap, const void *curve, double depth, double start,
                      double *out) {
    enum { LOOKS = 12 };
    const double near = 3e-6, most = 30;                // of the depth: one more secant will do
    double u = start * start, last = 0, w_last = depth; // secants over the square of the way
    for (int i = 0; i < LOOKS; i++) {
        double w = overlap(curve, sqrt(u));
        if (!(w < depth)) return false;
        double next = w == 0 ? u : u - w * (u - last) / (w - w_last);
        if (fabs(w) < near * depth) return *out = sqrt(next), true;
        if (!(next > u / most && next < u * most)) next = w > 0 ? u * most : u / most;
        last = u, w_last = w, u = next;
    }
    return false;
}

// ---- the patch

bool rb_patch_smooth(const RbDepthField *f, const RbSheet *sheets, int count, Vec3 at, double size,
                     double thin, RbRoundSums *sums) {
    const double close = 1e-9, shallow = 0.3; // of the size; of the gap
    const RbSheet *on[2] = {0};
    int found = 0;
    Vec3 m;
    RbSmooth s = {.field = f, .at = at, .depth = rb_depth_at(f, at, &m)};
    double gap = f->radius - s.depth;
    if (!f->near) return false; // pieces are not known
    if (f->deep || !(s.depth > 0) || s.depth > shallow * gap || s.depth > 0.25 * thin) return false;
    for (int i = 0; i < count; i++) {
        if (!is_on(&sheets[i], at, close * size)) continue;
        if (found == 2) return false;
        on[found++] = &sheets[i];
    }
    if (found == 0) return false;
    s.near = sqrt(s.depth * gap);
    s.piece = rb_near_piece(f->near, at);
    if (s.piece < 0) return false;
    if (found == 1) return rb_smooth_inside(&s, on[0], sums);
    if (on[0]->kind == RB_SHEET_END && on[1]->kind != RB_SHEET_END)
        return rb_smooth_edge(&s, on[0], on[1], sums);
    if (on[1]->kind == RB_SHEET_END && on[0]->kind != RB_SHEET_END)
        return rb_smooth_edge(&s, on[1], on[0], sums);
    return false;
}

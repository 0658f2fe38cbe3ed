// SPDX-License-Identifier: MIT
#include "collide/patch_rim.h"

#include <math.h>

#include "collide/gauss_points.h"
#include "collide/line_sums.h"

static const double pi = 3.14159265358979324;

typedef struct Rim {
    const RbDepthField *f;
    const RbSheet *side;
    Vec3 c, up;      // middle; unit vector along the axis, into the body
    double r, grows; // [m] radius, and by how much that grows along the axis
    double depth;    // [m] by which it overlaps at most
} Rim;

// Overlap falls along a line from the rim on, wherever there is some: m is no farther from n than the cores' gap allows, and the line must not be farther from across
// that. So what overlaps of a line begins at the rim, and has a border that moves smoothly from line to line.
static bool find_rim(const RbDepthField *f, const RbSheet *s, Rim *rim) {
    const double stands = 0.995, shallow = 0.3, falls = 0.5;
    if (f->deep || f->planar || s->kind != RB_SHEET_SIDE) return false;
    double r = f->radius, along = v3_dot(s->axis, f->away), depth = f->depth;
    bool far = along < 0;
    double slant = (far ? s->r0 - s->r1 : s->r1 - s->r0) / s->length;
    *rim = (Rim){.f = f, .side = s, .depth = depth, .grows = slant};
    rim->c = far ? v3_axpy(s->c, s->length, s->axis) : s->c;
    rim->up = far ? v3_neg(s->axis) : s->axis, rim->r = far ? s->r1 : s->r0;
    if (!(fabs(along) > stands) || !(depth < shallow * (r - depth)) || !(rim->r > 0)) return false;
    // cosines and sines of the angles from n: of m, and of the line that is farthest
    double cm = (r - depth) / r, sm = sqrt(1 - cm * cm), across = sqrt(fmax(0, 1 - along * along));
    double ct = (fabs(along) - fabs(slant) * across) / sqrt(1 + slant * slant),
           st = sqrt(fmax(0, 1 - ct * ct));
    double least = ct * cm - st * sm;
    return least > falls && depth < 0.5 * least * s->length;
}

static bool is_of(const Rim *rim, const RbRimArc *arc) {
    return v3_distance(arc->c, rim->c) < 1e-9 * rim->r;
}

// Lines over edges and corners bend by little.
static bool is_shallow(const Rim *rim) {
    return rim->depth < 0.02 * rim->f->radius;
}

// Within what overlaps lines hardly lead away from a bound that the rim passes: by a way of x = steep depth, on which another piece is closer. That turns m by x/r over an
// area of x depth/2.
static bool is_along(const Rim *rim, const RbRimArc *arc, double area) {
    const double fine = 1e-11;
    double x = (arc->steep + fabs(rim->grows)) * rim->depth;
    return x * x * rim->depth < fine * rim->f->radius * area;
}

// ---- a line

// An arc of the rim. over: the number of its piece in the field's `near`; -1: lines stay over it.
typedef struct Arc {
    const RbNearPiece *piece;
    int over;
    Vec3 n;
} Arc;

// How far behind the rim the overlap of the line there ends, along the axis, as if the piece went on for ever. out: radial unit vector.
static double overlap_behind(const Rim *rim, const RbNearPiece *piece, Vec3 out) {
    Vec3 p = v3_axpy(rim->c, rim->r, out), t = v3_axpy(rim->up, rim->grows, out);
    double r = rim->f->radius, a = 0, b = 0, c = -r * r;
    if (piece->kind == RB_NEAR_FACE) {
        double over = v3_dot(piece->across[0], p) - piece->at[0];
        return fmax(0, r - over) / v3_dot(piece->across[0], t);
    }
    if (piece->kind == RB_NEAR_CORNER) {
        Vec3 away = v3_sub(p, piece->across[0]);
        a = v3_norm2(t), b = v3_dot(away, t), c += v3_norm2(away);
    } else {
        for (int k = 0; k < 2; k++) {
            double x = v3_dot(piece->across[k], p) - piece->at[k], dx = v3_dot(piece->across[k], t);
            a += dx * dx, b += x * dx, c += x * x;
        }
    }
    return c < 0 ? -c / (b + sqrt(b * b - a * c)) : 0;
}

static void add_place(const Rim *rim, const RbNearPiece *piece, Vec3 p, double dA,
                      RbRoundSums *sums) {
    Vec3 m;
    double w = rim->f->radius - rb_near_piece_distance(piece, p, &m);
    rb_add_piece(sums, p, m, dA, w > 0 ? w : 0);
}

// It passes to another piece before its overlap ends.
static void add_mixed_line(const Rim *rim, Vec3 out, double weight, RbRoundSums *sums) {
    const RbSheet *s = rim->side;
    RbLine l = rb_sheet_line(s, atan2(v3_dot(out, s->e2), v3_dot(out, s->e1)));
    rb_add_line(rim->f, &l, weight, sums);
}

// Over a face the overlap is linear along a line. Beside an edge or a corner it bends by (depth/radius)², or, if it leads across that, by depth/radius.
static const RbGaussPoints *rule_along(const Rim *rim, RbNearKind kind) {
    if (kind == RB_NEAR_FACE) return &rb_gauss_two;
    if (!is_shallow(rim)) return &rb_gauss_6;
    return rim->grows == 0 ? &rb_gauss_two : &rb_gauss_3;
}

// weight: across lines.
static void add_line(const Rim *rim, const Arc *arc, Vec3 out, double weight, RbRoundSums *sums) {
    const RbNearPiece *piece = arc->piece;
    Vec3 p = v3_axpy(rim->c, rim->r, out);
    double behind = overlap_behind(rim, piece, out), grows = rim->grows * behind;
    Vec3 way = v3_scale(behind, v3_axpy(rim->up, rim->grows, out));
    if (arc->over >= 0 && !rb_near_is_over(rim->f->near, arc->over, v3_add(p, way))) {
        add_mixed_line(rim, out, weight, sums);
        return;
    }
    const RbGaussPoints *rule = rule_along(rim, piece->kind);
    double dA = 0.5 * weight * behind * sqrt(1 + rim->grows * rim->grows);
    for (int k = 0; k < rule->count; k++) {
        double part = 0.5 * (1 + rb_gauss_at(rule, k));
        double share = rb_gauss_weight(rule, k) * dA * (rim->r + grows * part);
        add_place(rim, piece, v3_axpy(p, part, way), share, sums);
    }
}

// ---- lines below an arc

static double height_at(const Rim *rim, const RbNearPiece *piece, int k, Vec3 out) {
    return v3_dot(piece->across[k], v3_axpy(rim->c, rim->r, out)) - piece->at[k];
}

// Over a face the overlap of the rim is a wave of the angle.
static const RbGaussPoints *rule_over_face(const Rim *rim, const RbNearPiece *piece, Vec3 from,
                                           Vec3 mid, Vec3 to) {
    const double small = 0.2; // [rad]
    double r = rim->f->radius, w = r - height_at(rim, piece, 0, mid),
           change = fabs(r - height_at(rim, piece, 0, from) - w) +
                    fabs(r - height_at(rim, piece, 0, to) - w);
    return v3_distance(from, to) < small && change < 0.1 * w ? &rb_gauss_4 : &rb_gauss_6;
}

// Beside an edge the square of the distance y from it counts, y = y0 + y1 v + y2 v² for v from -1 to 1: where the rim runs along it what lines add up to is of twice
// the degree.
static const RbGaussPoints *rule_beside_edge(const Rim *rim, const RbNearPiece *piece, Vec3 from,
                                             Vec3 mid, Vec3 to) {
    double a = height_at(rim, piece, 1, from), y0 = height_at(rim, piece, 1, mid),
           b = height_at(rim, piece, 1, to);
    double y1 = 0.5 * (b - a), y2 = 0.5 * (a + b) - y0;
    double high = fabs(2 * y1 * y2) + y2 * y2,
           low = fabs(2 * y0 * y1) + fabs(y1 * y1 + 2 * y0 * y2);
    if (high > 3e-3 * low) return &rb_gauss_16;
    if (high > 5e-4 * low || !is_shallow(rim)) return &rb_gauss_8;
    double up = 0.5 * (height_at(rim, piece, 0, from) + height_at(rim, piece, 0, to)) -
                height_at(rim, piece, 0, mid);
    bool straight = high < 2e-4 * low && fabs(up) < 1e-5 * rim->depth;
    return straight && rim->depth < 1e-3 * rim->f->radius ? &rb_gauss_4 : &rb_gauss_6;
}

static const RbGaussPoints *rule_of(const Rim *rim, const RbNearPiece *piece, Vec3 from, Vec3 mid,
                                    Vec3 to) {
    switch (piece->kind) {
        case RB_NEAR_FACE: return rule_over_face(rim, piece, from, mid, to);
        case RB_NEAR_EDGE: return rule_beside_edge(rim, piece, from, mid, to);
        default: return is_shallow(rim) ? &rb_gauss_6 : &rb_gauss_8;
    }
}

// What lines add up to is analytic up to the ends of a part, also where the overlap vanishes, since it does so linearly. Lines are at tangents of a quarter of the
// angle, so that no sine is needed.
static void add_part(const Rim *rim, const Arc *arc, Vec3 from, Vec3 to, RbRoundSums *sums) {
    const double narrow = 0.87; // cosine of the widest angle
    Vec3 mid = rb_rim_arc_middle(arc->n, from, to), ahead = v3_cross(arc->n, mid);
    if (!(v3_dot(from, to) > narrow)) {
        add_part(rim, arc, from, mid, sums);
        add_part(rim, arc, mid, to, sums);
        return;
    }
    const RbGaussPoints *rule = rule_of(rim, arc->piece, from, mid, to);
    if (arc->over >= 0) rule = rule->count < rb_gauss_8.count ? &rb_gauss_8 : &rb_gauss_16;
    double quarter = 0.5 * v3_dot(ahead, v3_sub(to, from)) / (1 + v3_dot(mid, to));
    for (int k = 0; k < rule->count; k++) {
        double v = quarter * rb_gauss_at(rule, k), part = 1 / (1 + v * v);
        Vec3 out = v3_axpy(v3_scale((1 - v * v) * part, mid), 2 * v * part, ahead);
        add_line(rim, arc, out, 2 * quarter * part * rb_gauss_weight(rule, k), sums);
    }
}

// ---- lines that pass to other pieces

// How far the end of the overlap of a line is inside of the bounds of the piece that its arc is over.
static double inside(const Rim *rim, const Arc *arc, Vec3 out) {
    const RbNearHull *h = rim->f->near;
    const RbNearPiece *piece = &h->pieces[arc->over];
    double behind = overlap_behind(rim, arc->piece, out), least = INFINITY;
    Vec3 p = v3_axpy(v3_axpy(rim->c, behind, rim->up), rim->r + rim->grows * behind, out);
    for (int k = piece->first; k < piece->first + piece->count; k++) {
        const RbNearBound *b = &h->bounds[h->needs[k] / 2];
        double above = v3_dot(b->n, p) - b->at;
        least = fmin(least, h->needs[k] % 2 ? -above : above);
    }
    return least;
}

static Vec3 turned(const Arc *arc, Vec3 out, double angle) {
    return v3_axpy(v3_scale(cos(angle), out), sin(angle), v3_cross(arc->n, out));
}

// Where it passes a bound, between two angles from `out`: false position, halved where an end stays.
static double passes(const Rim *rim, const Arc *arc, Vec3 out, double low, double in_low,
                     double high, double in_high) {
    double fine = 1e-10 * (high - low);
    for (int i = 0, side = 0; i < 60 && high - low > fine; i++) {
        double part = fmin(0.999, fmax(0.001, in_low / (in_low - in_high)));
        double at = low + (i % 4 == 3 ? 0.5 : part) * (high - low),
               in = inside(rim, arc, turned(arc, out, at));
        if ((in > 0) == (in_low > 0)) {
            low = at, in_low = in;
            if (side > 0) in_high *= 0.5;
            side = 1;
        } else {
            high = at, in_high = in;
            if (side < 0) in_low *= 0.5;
            side = -1;
        }
    }
    return 0.5 * (low + high);
}

// Lines of an arc over a piece whose bounds they may cross: in parts between those whose overlap ends at a bound. Slivers are next to the ends of the arc, where the rim
// passes a bound itself.
static void add_crossed(const Rim *rim, Arc arc, const RbRimArc *a, RbRoundSums *sums) {
    enum { LOOKS = 8 };
    const double aside = 0.41421356237309503; // what is symmetric may touch a bound in the middle
    double whole = atan2(v3_dot(a->n, v3_cross(a->from, a->to)), v3_dot(a->from, a->to));
    if (whole < 0) whole += 2 * pi; // half a turn, but for rounding
    double fine = 1e-9 * whole, last = fine, in_last = 0;
    Vec3 from = a->from;
    arc.over =
        rb_near_piece(rim->f->near, v3_axpy(rim->c, rim->r, turned(&arc, from, aside * whole)));
    for (int i = 0; i <= LOOKS && arc.over >= 0; i++) {
        double at = fine + (whole - 2 * fine) * i / LOOKS,
               in = inside(rim, &arc, turned(&arc, a->from, at));
        if (i > 0 && (in > 0) != (in_last > 0)) {
            Vec3 to = turned(&arc, a->from, passes(rim, &arc, a->from, last, in_last, at, in));
            add_part(rim, &arc, from, to, sums);
            from = to;
        }
        last = at, in_last = in;
    }
    add_part(rim, &arc, from, a->to, sums);
}

static void add_arc(const Rim *rim, const RbRimArc *a, bool along, RbRoundSums *sums) {
    Arc arc = {&a->piece, -1, a->n};
    bool ahead = v3_dot(a->n, v3_cross(a->from, a->to)) > 0 || v3_dot(a->from, a->to) < 0;
    if (!ahead) return; // nothing, but for rounding
    if (along)
        add_part(rim, &arc, a->from, a->to, sums);
    else
        add_crossed(rim, arc, a, sums);
}

bool rb_patch_rim(const RbDepthField *f, const RbSheet *side, const RbRimArcs *arcs,
                  RbRoundSums *sums) {
    Rim rim;
    bool along[RB_RIM_ARCS_MAX];
    if (!arcs->complete || !find_rim(f, side, &rim)) return false;
    for (int i = 0; i < arcs->count; i++) {
        along[i] = is_along(&rim, &arcs->arc[i], sums->area);
        if (!along[i] && !f->near && is_of(&rim, &arcs->arc[i])) return false;
    }
    for (int i = 0; i < arcs->count; i++) {
        if (is_of(&rim, &arcs->arc[i])) add_arc(&rim, &arcs->arc[i], along[i], sums);
    }
    return true;
}

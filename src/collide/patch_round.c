// SPDX-License-Identifier: MIT
#include "collide/patch_round.h"

#include <math.h>

#include "collide/point.h"
#include "collide/sheet.h"
#include "geom/support.h"

enum {
    BREAKS_MAX = 16,
    SLICES = 16,
    FEW = 8,
    NODES = 6,
    CUTS_MAX = 3,
    LOOKS = 16,
    SCAN = 12,
    GRADES = 6,
    RIM = 24,
    ZONES_MAX = 6
};

// Points and weights of Gauss and Legendre on [-1, 1]; the negative half mirrors them.
static const double slice_at[SLICES / 2] = {
    0.095012509837637441, 0.28160355077925892, 0.45801677765722737, 0.61787624440264377,
    0.755404408355003,    0.86563120238783176, 0.9445750230732326,  0.98940093499164994};
static const double slice_weight[SLICES / 2] = {
    0.18945061045506847, 0.18260341504492361,  0.16915651939500256,  0.14959598881657682,
    0.12462897125553395, 0.095158511682492897, 0.062253523938647776, 0.027152459411754058};
static const double few_at[FEW / 2] = {0.1834346424956498, 0.52553240991632899, 0.79666647741362674,
                                       0.96028985649753623};
static const double few_weight[FEW / 2] = {0.36268378337836199, 0.31370664587788729,
                                           0.22238103445337447, 0.10122853629037626};
static const double node_at[NODES / 2] = {0.23861918608319693, 0.66120938646626459,
                                          0.93246951420315205};
static const double node_weight[NODES / 2] = {0.46791393457269126, 0.36076157304813861,
                                              0.1713244923791705};
static const double pi = 3.14159265358979324;

// ---- the other body: how deep points are

typedef struct Field {
    const RbCore *core;
    double radius; // [m] of both spheres
    bool planar;   // over all of the round body it is the half-space n . p <= offset
    Vec3 n;
    double offset;
} Field;

// Overlap at p, and the direction in which it falls. Frame of the field's core.
static double overlap(const Field *f, Vec3 p, Vec3 *m) {
    if (f->planar) {
        *m = f->n;
        return f->radius - (v3_dot(f->n, p) - f->offset);
    }
    return f->radius - rb_core_point(f->core, p, m);
}

// A box is a half-space for what stays over one of its faces.
static void find_plane(Field *f, const RbCore *round, Pose X) {
    if (f->core->kind == RB_CORE_HALFSPACE) f->planar = true, f->n = v3(0, 0, 1);
    if (f->core->kind != RB_CORE_BOX) return;
    double low[3], high[3];
    const double h[3] = {f->core->h.x, f->core->h.y, f->core->h.z};
    for (int i = 0; i < 3; i++) {
        Vec3 d = m3_tmul_vec(X.R, v3_axis(i));
        high[i] = v3_get(pose_point(X, rb_core_support(round, d, NULL)), i);
        low[i] = v3_get(pose_point(X, rb_core_support(round, v3_neg(d), NULL)), i);
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double side = low[k] > 0 ? 1 : -1;
        if (low[k] <= 0 && high[k] >= 0) continue;
        if (low[i] < -h[i] || high[i] > h[i] || low[j] < -h[j] || high[j] > h[j]) continue;
        f->planar = true, f->n = v3_scale(side, v3_axis(k)), f->offset = h[k];
        return;
    }
}

// ---- where the form of the overlap changes along a line

static int add_break(double *b, int count, const RbLine *l, double s) {
    if (s > l->s0 && s < l->s1 && count < BREAKS_MAX - 1) b[count++] = s;
    return count;
}

static int add_plane(double *b, int count, const RbLine *l, int axis, double h) {
    double o = v3_get(l->o, axis), t = v3_get(l->t, axis);
    if (fabs(t) < 1e-14) return count;
    count = add_break(b, count, l, (h - o) / t);
    return add_break(b, count, l, (-h - o) / t);
}

// Where the line meets the cylinder about z through (x, 0).
static int add_circle(double *b, int count, const RbLine *l, double x, double radius) {
    double ox = l->o.x - x, oy = l->o.y, A = l->t.x * l->t.x + l->t.y * l->t.y;
    double B = ox * l->t.x + oy * l->t.y, C = ox * ox + oy * oy - radius * radius;
    if (A < 1e-28 || B * B < A * C) return count;
    double root = sqrt(B * B - A * C);
    count = add_break(b, count, l, (-B - root) / A);
    return add_break(b, count, l, (-B + root) / A);
}

// The side of a frustum in the half plane (s, z) through its axis: from the rim at the bottom up.
static Vec3 frustum_side(Vec3 h) {
    return v3_unit(v3(h.y - h.x, 0, 2 * h.z));
}

// Where the line meets the cone that stands upright on the side at the rim (radius, z): beyond it the rim
// is closest. d_s (s - radius) + d_z (z - z_rim) = 0, squared; what the square adds does no harm.
static int add_rim(double *b, int count, const RbLine *l, Vec3 d, double radius, double z) {
    double e = d.x * radius - d.z * (l->o.z - z), slope = -d.z * l->t.z, dd = d.x * d.x;
    double A = dd * (l->t.x * l->t.x + l->t.y * l->t.y) - slope * slope;
    double B = dd * (l->o.x * l->t.x + l->o.y * l->t.y) - e * slope;
    double C = dd * (l->o.x * l->o.x + l->o.y * l->o.y) - e * e;
    double q = B * B - A * C;
    if (q < 0) return count;
    double root = B + copysign(sqrt(q), B); // -root/A and -C/root: neither cancels
    if (A != 0) count = add_break(b, count, l, -root / A);
    return root != 0 ? add_break(b, count, l, -C / root) : count;
}

static void sort(double *b, int count) {
    for (int i = 1; i < count; i++) {
        double x = b[i];
        int j = i;
        for (; j > 0 && b[j - 1] > x; j--) b[j] = b[j - 1];
        b[j] = x;
    }
}

static int breaks_of(const Field *f, const RbLine *l, double *b) {
    Vec3 h = f->core->h;
    int count = 0;
    b[count++] = l->s0;
    switch (f->core->kind) {
        case RB_CORE_BOX:
            for (int i = 0; i < 3; i++) count = add_plane(b, count, l, i, v3_get(h, i));
            break;
        case RB_CORE_SEGMENT: count = add_plane(b, count, l, 2, h.z); break;
        case RB_CORE_CYLINDER:
            count = add_plane(b, count, l, 2, h.z);
            count = add_circle(b, count, l, 0, h.x);
            break;
        case RB_CORE_FRUSTUM:
            count = add_plane(b, count, l, 2, h.z);
            count = add_circle(b, count, l, 0, h.x);
            count = add_circle(b, count, l, 0, h.y);
            count = add_rim(b, count, l, frustum_side(h), h.x, -h.z);
            count = add_rim(b, count, l, frustum_side(h), h.y, h.z);
            break;
        case RB_CORE_BEAM:
            count = add_plane(b, count, l, 0, h.x);
            count = add_plane(b, count, l, 1, h.y);
            count = add_plane(b, count, l, 2, h.z);
            count = add_circle(b, count, l, -h.x, h.y);
            count = add_circle(b, count, l, h.x, h.y);
            break;
        default:
            for (int i = 1; i < 6; i++)
                count = add_break(b, count, l, l->s0 + i * (l->s1 - l->s0) / 6);
    }
    b[count++] = l->s1;
    sort(b, count);
    return count;
}

// ---- the part of a line that overlaps

typedef struct Wet {
    double most; // [m] largest overlap along the line; where it is negative, about that
    int form;    // what bounds it: lines whose parts are bounded alike have the same
    bool rough;  // parts end where the form of the overlap changes next, not where it vanishes
    bool from_inside, to_inside; // it begins and ends between the ends of the line
    int count;
    double from[BREAKS_MAX], to[BREAKS_MAX];
} Wet;

typedef struct Place {
    double s, w, slope;
} Place;

static Place place_at(const Field *f, const RbLine *l, double s) {
    Vec3 m;
    double w = overlap(f, v3_axpy(l->o, s, l->t), &m);
    return (Place){s, w, -v3_dot(m, l->t)};
}

// Between a place without overlap and one with it. Overlap is concave, so Newton's tangents stop short
// of the border, and come nearer with each.
static double border(const Field *f, const RbLine *l, Place dry, Place wet, bool rough) {
    if (rough) return dry.s;
    double tiny = 1e-13 * fabs(wet.s - dry.s);
    for (int i = 0; i < 40 && dry.w < 0; i++) {
        double step = -dry.w / dry.slope, left = wet.s - dry.s;
        if (!(step * left > 0) || fabs(step) > fabs(left)) step = 0.5 * left;
        dry = place_at(f, l, dry.s + step);
        if (fabs(step) < tiny) break;
        if (dry.w > 0) return dry.s;
    }
    return dry.s;
}

// The deepest place between two that rise towards each other.
static Place summit(const Field *f, const RbLine *l, Place a, Place b) {
    Place c = a.w > b.w ? a : b;
    for (int i = 0; i < 24; i++) {
        double t = a.slope / (a.slope - b.slope);
        t = fmin(0.9, fmax(0.1, t));
        c = place_at(f, l, a.s + t * (b.s - a.s));
        if (c.w > 0 && i > 2) break; // inside is enough
        if (fabs(c.slope) < 1e-9 || fabs(b.s - a.s) < 1e-14) break;
        if (c.slope > 0)
            a = c;
        else
            b = c;
    }
    return c;
}

static void add_wet(Wet *w, double from, double to) {
    if (to > from) w->from[w->count] = from, w->to[w->count++] = to;
}

static void wet_between(const Field *f, const RbLine *l, Place a, Place b, Wet *out) {
    out->most = fmax(out->most, fmax(a.w, b.w));
    if (a.w > 0 && b.w > 0) {
        add_wet(out, a.s, b.s);
    } else if (a.w > 0) {
        add_wet(out, a.s, border(f, l, b, a, out->rough));
    } else if (b.w > 0) {
        add_wet(out, border(f, l, a, b, out->rough), b.s);
    } else if (a.slope > 0 && b.slope < 0) {
        Place c = summit(f, l, a, b);
        out->most = fmax(out->most, c.w);
        if (c.w > 0) add_wet(out, border(f, l, a, c, out->rough), border(f, l, b, c, out->rough));
    }
}

// Its ends, rims and side.
static int frustum_piece(Vec3 h, Vec3 p) {
    Vec3 d = frustum_side(h);
    double s = sqrt(p.x * p.x + p.y * p.y);
    if (p.z < -h.z && s < h.x) return 0;
    if (p.z > h.z && s < h.y) return 1;
    if (d.x * (s - h.x) + d.z * (p.z + h.z) < 0) return 2;
    return d.x * (s - h.y) + d.z * (p.z - h.z) > 0 ? 3 : 4;
}

// Over which piece of the other body a point is: faces, edges and corners of a box, ends, rims and side.
static int piece_under(const Field *f, Vec3 p) {
    Vec3 h = f->core->h;
    int z = (p.z > h.z) - (p.z < -h.z) + 1;
    switch (f->core->kind) {
        case RB_CORE_BOX:
            return z + 3 * ((p.x > h.x) - (p.x < -h.x) + 1) + 9 * ((p.y > h.y) - (p.y < -h.y) + 1);
        case RB_CORE_CYLINDER: return z + 3 * (p.x * p.x + p.y * p.y > h.x * h.x);
        case RB_CORE_FRUSTUM: return frustum_piece(h, p);
        case RB_CORE_BEAM: {
            int x = (p.x > h.x) - (p.x < -h.x) + 1;
            double over = fmax(0, fabs(p.x) - h.x);
            return z + 3 * x + 9 * (over * over + p.y * p.y > h.y * h.y);
        }
        default: return 0;
    }
}

// Ends of the line that overlap, and the pieces of the other body that its parts are over, one after the other.
static int form_of(const Field *f, const RbLine *l, const Wet *w) {
    int before = -1;
    unsigned form = 1u + 2u * w->from_inside + 4u * w->to_inside;
    for (int i = 0; !f->planar && i < w->count; i++) {
        int piece = piece_under(f, v3_axpy(l->o, 0.5 * (w->from[i] + w->to[i]), l->t));
        if (piece != before) form = 31 * form + 8u * (unsigned)piece;
        before = piece;
    }
    return (int)(form & 0x7fffffff);
}

// rough: how deep and of which form is all that is asked.
static Wet wet_part(const Field *f, const RbLine *l, bool rough) {
    Wet out = {.most = -(double)INFINITY, .rough = rough};
    double b[BREAKS_MAX];
    int count = 2;
    b[0] = l->s0, b[1] = l->s1;
    if (!f->planar) count = breaks_of(f, l, b);
    Place last = place_at(f, l, b[0]);
    for (int i = 1; i < count; i++) {
        Place next = place_at(f, l, b[i]);
        int before = out.count;
        wet_between(f, l, last, next, &out);
        if (out.count > before) {
            if (before == 0) out.from_inside = i > 1 || !(last.w > 0);
            out.to_inside = i < count - 1 || !(next.w > 0);
        }
        last = next;
    }
    if (rough && out.count > 0) out.form = form_of(f, l, &out);
    return out;
}

// ---- integrals

typedef struct Sums {
    Vec3 origin, u, v; // frame of the field's core
    double area, volume, square, x, y, xx, xy, yy;
    Wrench volume_slope, square_slope; // by a motion of the field, about the origin
} Sums;

// Shares of a point: of the area, V and W, and of their slopes by w.
typedef struct Shares {
    double area, volume, square, by_volume, by_square;
} Shares;

static void add_point(Sums *s, Vec3 p, Vec3 m, Shares k) {
    Vec3 r = v3_sub(p, s->origin), arm = v3_cross(r, m);
    double x = v3_dot(r, s->u), y = v3_dot(r, s->v);
    s->area += k.area, s->volume += k.volume, s->square += k.square;
    s->x += k.volume * x, s->y += k.volume * y;
    s->xx += k.volume * x * x, s->xy += k.volume * x * y, s->yy += k.volume * y * y;
    s->volume_slope.f = v3_axpy(s->volume_slope.f, k.by_volume, m);
    s->volume_slope.t = v3_axpy(s->volume_slope.t, k.by_volume, arm);
    s->square_slope.f = v3_axpy(s->square_slope.f, k.by_square, m);
    s->square_slope.t = v3_axpy(s->square_slope.t, k.by_square, arm);
}

static void add_line(const Field *f, const RbLine *l, double weight, Sums *sums) {
    Wet wet = wet_part(f, l, false);
    for (int i = 0; i < wet.count; i++) {
        double mid = 0.5 * (wet.from[i] + wet.to[i]), half = 0.5 * (wet.to[i] - wet.from[i]);
        for (int k = 0; k < NODES; k++) {
            double s = mid + (k % 2 ? half : -half) * node_at[k / 2];
            double dA = weight * half * node_weight[k / 2] * (l->j0 + l->j1 * s);
            Vec3 p = v3_axpy(l->o, s, l->t), m;
            double w = fmax(0, overlap(f, p, &m));
            add_point(sums, p, m, (Shares){dA, dA * w, dA * w * w, dA, 2 * dA * w});
        }
    }
}

static double most_of(const Field *f, const RbSheet *sheet, double tau) {
    RbLine l = rb_sheet_line(sheet, tau);
    return wet_part(f, &l, true).most;
}

// Where along the sheet the overlap ends, between a line that has some and one that has none: false
// position, at first in the square of the way, as overlap falls over a round back, and halves.
static double end_of(const Field *f, const RbSheet *sheet, double start, double most, double out,
                     double most_out) {
    double in = start, most_in = most;
    for (int i = 0, side = 0; i < 50; i++) {
        double part = most_in / (most_in - most_out);
        if (i < 2) part = sqrt(part);
        if (i > 6 && i % 2) part = 0.5; // a knee
        double tau = in + fmin(0.999, fmax(0.001, part)) * (out - in),
               here = most_of(f, sheet, tau);
        if (here > 0) {
            in = tau, most_in = here;
            if (side > 0) most_out *= 0.5;
            side = 1;
        } else {
            out = tau, most_out = here;
            if (side < 0) most_in *= 0.5;
            side = -1;
        }
        if (fabs(here) < 1e-10 * most || fabs(out - in) < 1e-8 * fabs(out - start)) return tau;
    }
    return in;
}

// At both ends of its part that overlaps the integrand falls as a power of the way left: the sine makes
// it smooth.
static void add_panel(const Field *f, const RbSheet *sheet, double from, double to, bool narrow,
                      Sums *sums) {
    double mid = 0.5 * (from + to), half = 0.5 * (to - from);
    const double *at = narrow ? few_at : slice_at, *weight = narrow ? few_weight : slice_weight;
    for (int k = 0; k < (narrow ? FEW : SLICES); k++) {
        double angle = 0.5 * pi * (k % 2 ? 1 : -1) * at[k / 2];
        RbLine l = rb_sheet_line(sheet, mid + half * sin(angle));
        add_line(f, &l, half * 0.5 * pi * cos(angle) * weight[k / 2], sums);
    }
}

static int form_at(const Field *f, const RbSheet *sheet, double tau) {
    RbLine l = rb_sheet_line(sheet, tau);
    return wet_part(f, &l, true).form;
}

// Between two lines, where others are bounded differently: the integrand has kinks there.
static int add_cuts(const Field *f, const RbSheet *sheet, double from, int form, double to,
                    int at_end, double fine, double *cuts, int count) {
    for (int i = 0; i < CUTS_MAX && form != at_end; i++) {
        double same = from, other = to;
        while (other - same > fine) {
            double mid = 0.5 * (same + other);
            if (form_at(f, sheet, mid) == form)
                same = mid;
            else
                other = mid;
        }
        cuts[count++] = from = other;
        form = form_at(f, sheet, from);
    }
    return count;
}

// Between two lines, the one with the most overlap, or one that has some: the golden section.
static double deepest_line(const Field *f, const RbSheet *sheet, double a, double b, double *most) {
    const double part = 0.6180339887498949;
    double c = b - part * (b - a), d = a + part * (b - a);
    double at_c = most_of(f, sheet, c), at_d = most_of(f, sheet, d);
    for (int i = 0; i < 16 && !(fmax(at_c, at_d) > 0); i++) {
        if (at_c > at_d) {
            b = d, d = c, at_d = at_c;
            c = b - part * (b - a), at_c = most_of(f, sheet, c);
        } else {
            a = c, c = d, at_c = at_d;
            d = a + part * (b - a), at_d = most_of(f, sheet, d);
        }
    }
    *most = fmax(at_c, at_d);
    return at_c > at_d ? c : d;
}

// A line with overlap: where the closest point is, at an end of the sheet (the base of a cone that lies,
// whose closest point is the apex), and any where a side stands upright on an edge of another body, perhaps none of
// those that are looked at.
static double first_line(const Field *f, const RbSheet *sheet, double *most) {
    const double tries[] = {sheet->guess, sheet->high, sheet->low};
    double best = sheet->guess, step = (sheet->high - sheet->low) / SCAN;
    for (int i = 0; i < 3; i++) {
        *most = most_of(f, sheet, tries[i]);
        if (*most > 0) return tries[i];
    }
    if (f->planar) return best;
    *most = most_of(f, sheet, best);
    for (int i = 0; i < SCAN && !(*most > 0); i++) {
        double tau = sheet->low + step * (i + 0.5), here = most_of(f, sheet, tau);
        if (here > *most) best = tau, *most = here;
    }
    double reach = sheet->kind == RB_SHEET_FLAT ? step : step * fmax(sheet->r0, sheet->r1);
    if (*most > 0 || *most < -reach) return best; // a step of the scan cannot bring as much
    return deepest_line(f, sheet, fmax(sheet->low, best - step), fmin(sheet->high, best + step),
                        most);
}

// Lines at which the form of the overlap is looked at, in their order; if they are graded, panels end
// there too.
typedef struct Stops {
    bool graded;
    int count;
    double at[LOOKS + 1];
} Stops;

static Stops even_stops(double from, double to) {
    const double near = 1e-4; // of the way: so close to an end lines are not looked at
    Stops s = {.count = LOOKS + 1};
    for (int i = 0; i <= LOOKS; i++) {
        double part = fmin(1 - near, fmax(near, (double)i / LOOKS));
        s.at[i] = from + part * (to - from);
    }
    return s;
}

// The lines of a pointed cone share its apex: once that overlaps all of them do, those that face the
// other body far more than the rest.
static bool shares_apex(const Field *f, const RbSheet *sheet) {
    if (sheet->kind != RB_SHEET_SIDE || sheet->r1 > 0) return false;
    Vec3 m;
    return overlap(f, v3_axpy(sheet->c, sheet->length, sheet->axis), &m) > 0;
}

// Four times as far from the line that faces the other body with each.
static Stops graded_stops(const RbSheet *sheet) {
    Stops s = {.graded = true, .count = 2 * GRADES + 1};
    double part = 1;
    for (int i = 0; i < GRADES; i++, part *= 0.25) {
        s.at[i] = part * sheet->low;
        s.at[2 * GRADES - i] = part * sheet->high;
    }
    return s;
}

// ---- zones of a sheet

// Lines that overlap, one beside the other. Ends and flat sides have one zone, as they are convex; a round
// side has more, where its end lies across a bar: one at each place where its rim crosses the bar.
typedef struct Zone {
    double line, most;              // one that overlaps, and how far
    double before, after;           // where to look for its borders
    double most_before, most_after; // there
} Zone;

// Of the end of a line that is nearer to the other body.
static double rim_overlap(const Field *f, const RbSheet *sheet, double tau, bool far_end) {
    RbLine l = rb_sheet_line(sheet, tau);
    Vec3 m;
    return overlap(f, v3_axpy(l.o, far_end ? l.s1 : l.s0, l.t), &m);
}

// The deepest place of the rim between two, with one in between that is deeper.
static double rim_summit(const Field *f, const RbSheet *sheet, double a, double b, bool far_end) {
    const double part = 0.6180339887498949;
    double c = b - part * (b - a), d = a + part * (b - a);
    double at_c = rim_overlap(f, sheet, c, far_end), at_d = rim_overlap(f, sheet, d, far_end);
    for (int i = 0; i < 20 && !(fmax(at_c, at_d) > 0); i++) {
        if (at_c > at_d) {
            b = d, d = c, at_d = at_c;
            c = b - part * (b - a), at_c = rim_overlap(f, sheet, c, far_end);
        } else {
            a = c, c = d, at_c = at_d;
            d = a + part * (b - a), at_d = rim_overlap(f, sheet, d, far_end);
        }
    }
    return at_c > at_d ? c : d;
}

// Lines that overlap at the rim, one for each of its summits, in their order.
static int rim_lines(const Field *f, const RbSheet *sheet, double guess, double *lines) {
    double w[RIM + 1], step = (sheet->high - sheet->low) / RIM;
    bool far_end = rim_overlap(f, sheet, guess, true) > rim_overlap(f, sheet, guess, false);
    for (int i = 0; i <= RIM; i++) w[i] = rim_overlap(f, sheet, sheet->low + i * step, far_end);
    int count = 0;
    for (int i = 0; i <= RIM && count < ZONES_MAX - 1; i++) {
        if ((i > 0 && w[i - 1] > w[i]) || (i < RIM && w[i + 1] >= w[i])) continue;
        double a = fmax(sheet->low, sheet->low + (i - 1) * step),
               b = fmin(sheet->high, sheet->low + (i + 1) * step);
        double tau = w[i] > 0 ? sheet->low + i * step : rim_summit(f, sheet, a, b, far_end);
        if (rim_overlap(f, sheet, tau, far_end) > 0) lines[count++] = tau;
    }
    return count;
}

// The line with the least overlap between two, among those that are looked at.
static double driest(const Field *f, const RbSheet *sheet, double a, double b, double *most) {
    double best = 0.5 * (a + b);
    *most = most_of(f, sheet, best);
    for (int i = 1; i<FEW && * most> 0; i++) {
        double tau = a + (b - a) * i / FEW, here = most_of(f, sheet, tau);
        if (here < *most) best = tau, *most = here;
    }
    return best;
}

static int find_zones(const Field *f, const RbSheet *sheet, Zone *zones) {
    double most, guess = first_line(f, sheet, &most), lines[ZONES_MAX];
    int count = 0, zone_count = 0;
    if (sheet->kind == RB_SHEET_SIDE && !f->planar) count = rim_lines(f, sheet, guess, lines);
    if (most > 0) lines[count++] = guess;
    sort(lines, count);
    double before = sheet->low, most_before = most_of(f, sheet, before);
    for (int i = 0; i < count; i++) {
        Zone z = {.line = lines[i], .before = before, .after = sheet->high};
        z.most_before = most_before;
        if (i < count - 1) {
            z.after = driest(f, sheet, lines[i], lines[i + 1], &z.most_after);
            if (z.most_after > 0) continue; // the next line is of the same zone
        } else {
            z.most_after = most_of(f, sheet, z.after);
        }
        z.most = most_of(f, sheet, z.line);
        if (z.most > 0) zones[zone_count++] = z;
        before = z.after, most_before = z.most_after;
    }
    return zone_count;
}

static void add_zone(const Field *f, const RbSheet *sheet, const Zone *z, Sums *sums) {
    const double narrow = 0.1; // of the way: half as many lines will do
    const double fine = 1e-6;  // of the way: a kink that far beside its place does no harm
    double cuts[LOOKS * (CUTS_MAX + 1) + 2];
    double from = z->most_before > 0
                      ? z->before
                      : end_of(f, sheet, z->line, z->most, z->before, z->most_before);
    double to =
        z->most_after > 0 ? z->after : end_of(f, sheet, z->line, z->most, z->after, z->most_after);
    int count = 0;
    cuts[count++] = from;
    Stops stops = shares_apex(f, sheet) ? graded_stops(sheet) : even_stops(from, to);
    int form = form_at(f, sheet, stops.at[0]);
    for (int i = 1; i < stops.count; i++) {
        double last = stops.at[i - 1], stop = stops.at[i];
        double way = stops.graded ? stop - last : to - from;
        int next = form_at(f, sheet, stop);
        count = add_cuts(f, sheet, last, form, stop, next, fine * way, cuts, count);
        if (stops.graded && i < stops.count - 1) cuts[count++] = stop;
        form = next;
    }
    cuts[count++] = to;
    for (int i = 1; i < count; i++) {
        bool is_narrow = !stops.graded && cuts[i] - cuts[i - 1] < narrow * (to - from);
        add_panel(f, sheet, cuts[i - 1], cuts[i], is_narrow, sums);
    }
}

static void add_sheet(const Field *f, const RbSheet *sheet, Sums *sums) {
    Zone zones[ZONES_MAX];
    int count = find_zones(f, sheet, zones);
    for (int i = 0; i < count; i++) add_zone(f, sheet, &zones[i], sums);
}

// A capsule is its axis: across it the overlap falls as y²/(2 R), which is integrated here.
static void add_axis(const Field *f, const RbLine *l, double R, Sums *sums) {
    Wet wet = wet_part(f, l, false);
    double width = sqrt(2 * R);
    for (int i = 0; i < wet.count; i++) {
        double mid = 0.5 * (wet.from[i] + wet.to[i]), half = 0.5 * (wet.to[i] - wet.from[i]);
        for (int k = 0; k < SLICES; k++) {
            double angle = 0.5 * pi * (k % 2 ? 1 : -1) * slice_at[k / 2];
            double ds = half * 0.5 * pi * cos(angle) * slice_weight[k / 2];
            Vec3 p = v3_axpy(l->o, mid + half * sin(angle), l->t), m;
            double w = fmax(0, overlap(f, p, &m)), dA = 2 * width * sqrt(w) * ds;
            add_point(sums, p, m,
                      (Shares){dA, 2.0 / 3 * dA * w, 8.0 / 15 * dA * w * w, dA, 4.0 / 3 * dA * w});
        }
    }
}

// ---- the patch

static bool is_round(const RbCore *c) {
    return c->kind == RB_CORE_SEGMENT || rb_has_sheets(c);
}

bool rb_has_round_patch(const RbCore *a, const RbCore *b) {
    bool smooth = a->kind == RB_CORE_POINT || a->kind == RB_CORE_ELLIPSOID ||
                  b->kind == RB_CORE_POINT || b->kind == RB_CORE_ELLIPSOID;
    return !smooth && (is_round(a) || is_round(b));
}

// Over the surface of which body: a capsule before the others, then the smaller one.
static int round_one(const RbCore *const core[2]) {
    if (is_round(core[0]) != is_round(core[1])) return is_round(core[1]);
    bool thin[2] = {core[0]->kind == RB_CORE_SEGMENT, core[1]->kind == RB_CORE_SEGMENT};
    if (thin[0] != thin[1]) return thin[1];
    return core[1]->size < core[0]->size;
}

// Lines of a disc run across the way it leans to a plane, so that along each the overlap is constant;
// otherwise with the edges of a box, or across the line of centres. (The way it leans turns fast where it
// is nearly parallel, which must not change the lines.)
static Vec3 order_of(const Field *f, Pose X_FR, Vec3 towards) {
    if (f->planar) return towards;
    if (f->core->kind != RB_CORE_BOX) return X_FR.r;
    Vec3 z = v3_abs(m3_column(X_FR.R, 2));
    return v3_axis(z.x <= z.y && z.x <= z.z ? 0 : z.y <= z.z ? 1 : 2);
}

static void integrate(const RbCore *round, Pose X_FR, const Field *f, Vec3 towards, Vec3 at,
                      double R, Sums *sums) {
    if (round->kind == RB_CORE_SEGMENT) {
        Vec3 z = m3_column(X_FR.R, 2);
        RbLine l = {.o = X_FR.r, .t = z, .s0 = -round->h.z, .s1 = round->h.z, .j0 = 1};
        add_axis(f, &l, R, sums);
        return;
    }
    RbSheet sheets[RB_SHEETS_MAX];
    int count = rb_sheets(round, X_FR, towards, at, order_of(f, X_FR, towards), sheets);
    for (int i = 0; i < count; i++) add_sheet(f, &sheets[i], sums);
}

static Wrench to_frame(Mat3 R, double sign, Wrench w) {
    return (Wrench){m3_mul_vec(R, v3_scale(sign, w.t)), m3_mul_vec(R, v3_scale(sign, w.f))};
}

// Radius of two parallel capsules as one on a plane.
static double joint_radius(const RbCore *round, const RbCore *other) {
    bool both = other->kind == RB_CORE_SEGMENT;
    return both ? round->radius * other->radius / (round->radius + other->radius) : round->radius;
}

void rb_patch_round(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out) {
    const RbCore *const core[2] = {a, b};
    const Pose X[2] = {a->frame, pose_mul(X_AB, b->frame)};
    int r = round_one(core), o = 1 - r;
    const RbCore *round = core[r], *other = core[o];
    Pose X_FR = pose_relative(X[o], X[r]);
    Field f = {.core = other, .radius = a->radius + b->radius};
    find_plane(&f, round, X_FR);
    Mat3 R = X[o].R;
    Vec3 towards = m3_tmul_vec(R, v3_scale(r ? -1 : 1, out->n));
    Vec3 at = pose_unpoint(X[o], r ? gap->point_b : gap->point_a);
    at = v3_axpy(at, -round->radius, towards);
    Sums s = {.origin = pose_unpoint(X[o], out->origin),
              .u = m3_tmul_vec(R, out->u),
              .v = m3_tmul_vec(R, out->v)};
    integrate(round, X_FR, &f, towards, at, joint_radius(round, other), &s);
    out->exact = true;
    if (!(s.square > 0)) return;
    out->area = s.area, out->volume = s.volume, out->square = s.square;
    out->x = s.x / s.volume, out->y = s.y / s.volume;
    out->xx = s.xx / s.volume, out->xy = s.xy / s.volume, out->yy = s.yy / s.volume;
    // m leads from the field to the round body: if the field is B, a shift of B along m adds overlap
    double sign = r ? -1 : 1;
    out->volume_slope = to_frame(R, sign, s.volume_slope);
    out->square_slope = to_frame(R, sign, s.square_slope);
}

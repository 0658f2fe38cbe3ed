// SPDX-License-Identifier: MIT
#include "collide/patch_rim.h"

#include <math.h>

#include "collide/gauss_points.h"
#include "collide/line_sums.h"

enum { BOUNDS_MAX = 48, BREAKS_MAX = 2 * BOUNDS_MAX + 4, ROOTS_MAX = 8, CUTS_MAX = ROOTS_MAX + 4 };

static const double pi = 3.14159265358979324;
// Of the way between two breaks, where a part is looked at: what is symmetric may touch a bound in the middle.
static const double ASIDE = 0.41421356237309503;

typedef struct Rim {
    const RbDepthField *f;
    const RbSheet *side;
    Vec3 c, up;      // middle; unit vector along the axis, into the body
    double r, grows; // [m] radius, and by how much that grows along the axis
    double depth;    // [m] by which it overlaps at most
    bool upright;    // what overlaps of a line is over one piece
} Rim;

// Overlap falls along a line from the rim on, wherever there is some: m is no farther from n than the cores' gap allows, and the line must not be farther from across
// that. So what overlaps of a line begins at the rim, and has a border that moves smoothly from line to line.
static bool find_rim(const RbDepthField *f, const RbSheet *s, Rim *rim) {
    const double stands = 0.995, shallow = 0.3, falls = 0.5;
    if (!f->near || f->deep || f->planar || s->kind != RB_SHEET_SIDE) return false;
    if (f->near->bound_count > BOUNDS_MAX) return false;
    double r = f->radius, along = v3_dot(s->axis, f->near->n),
           depth = f->near->most - f->near->least - r;
    bool far = along < 0;
    double slant = (far ? s->r0 - s->r1 : s->r1 - s->r0) / s->length;
    *rim = (Rim){.f = f, .side = s, .depth = depth, .grows = slant};
    rim->c = far ? v3_axpy(s->c, s->length, s->axis) : s->c;
    rim->up = far ? v3_neg(s->axis) : s->axis, rim->r = far ? s->r1 : s->r0;
    if (!(fabs(along) > stands) || !(depth < shallow * (r - depth)) || !(rim->r > 0)) return false;
    // cosines and sines of the angles from n: of m, and of the line that is farthest
    double cm = (r - depth) / r, sm = sqrt(1 - cm * cm), across = sqrt(fmax(0, 1 - along * along));
    double ct = (fabs(along) - fabs(slant) * across) / sqrt(1 + slant * slant),
           st = sqrt(1 - ct * ct);
    double least = ct * cm - st * sm;
    return least > falls && depth < 0.5 * least * s->length;
}

// Lines over edges and corners bend by little.
static bool is_shallow(const Rim *rim) {
    return rim->depth < 0.02 * rim->f->radius;
}

// Lines run along a bound: within what overlaps they hardly lead away from it.
static bool is_along(const Rim *rim, const RbNearBound *bound) {
    const double fine = 1e-6;
    double steep = fabs(v3_dot(bound->n, rim->up)) + fabs(rim->grows);
    return steep * rim->depth < fine * rim->r;
}

static bool is_upright(const Rim *rim) {
    const RbNearHull *h = rim->f->near;
    bool upright = true;
    for (int i = 0; i < h->bound_count && upright; i++) upright = is_along(rim, &h->bounds[i]);
    return upright;
}

// ---- waves of the angle

// c0 + c1 cos(tau) + s1 sin(tau) + c2 cos(2 tau) + s2 sin(2 tau)
typedef struct Wave {
    double c0, c1, s1, c2, s2;
} Wave;

// n . p - at along the rim, or so far behind it.
static Wave height_wave(const Rim *rim, Vec3 n, double at, double behind) {
    double r = rim->r + rim->grows * behind;
    return (Wave){.c0 = v3_dot(n, rim->c) - at + behind * v3_dot(n, rim->up),
                  .c1 = r * v3_dot(n, rim->side->e1),
                  .s1 = r * v3_dot(n, rim->side->e2)};
}

static void take_square(Wave *w, Wave a) {
    w->c0 -= a.c0 * a.c0 + 0.5 * (a.c1 * a.c1 + a.s1 * a.s1);
    w->c1 -= 2 * a.c0 * a.c1, w->s1 -= 2 * a.c0 * a.s1;
    w->c2 -= 0.5 * (a.c1 - a.s1) * (a.c1 + a.s1), w->s2 -= a.c1 * a.s1;
}

// Positive where the rim overlaps over that piece.
static Wave overlap_wave(const Rim *rim, const RbNearPiece *piece) {
    double r = rim->f->radius;
    Vec3 d;
    Wave w = {.c0 = r * r};
    switch (piece->kind) {
        case RB_NEAR_FACE: return height_wave(rim, v3_neg(piece->across[0]), -piece->at[0] - r, 0);
        case RB_NEAR_EDGE:
            for (int k = 0; k < 2; k++)
                take_square(&w, height_wave(rim, piece->across[k], piece->at[k], 0));
            break;
        case RB_NEAR_CORNER:
            d = v3_sub(rim->c, piece->across[0]);
            w.c0 -= v3_norm2(d) + rim->r * rim->r;
            w.c1 = -2 * rim->r * v3_dot(d, rim->side->e1);
            w.s1 = -2 * rim->r * v3_dot(d, rim->side->e2);
            break;
    }
    return w;
}

// Angles from -pi to pi at which a wave without c2 and s2 vanishes.
static int crossings(const Wave *w, double tau[2]) {
    double most = sqrt(w->c1 * w->c1 + w->s1 * w->s1);
    if (!(fabs(w->c0) < most)) return 0;
    double mid = atan2(w->s1, w->c1), half = acos(-w->c0 / most);
    tau[0] = mid - half < -pi ? mid - half + 2 * pi : mid - half;
    tau[1] = mid + half > pi ? mid + half - 2 * pi : mid + half;
    return 2;
}

// A wave over a part of the circle: a polynomial of v = tan((tau - mid)/2)/width, from -1 to 1, over what is positive.
typedef struct Quartic {
    double mid, width, a[5];
} Quartic;

static Quartic quartic_of(const Wave *w, double from, double to) {
    Quartic q = {.mid = 0.5 * (from + to), .width = tan(0.25 * (to - from))};
    double c = cos(q.mid), s = sin(q.mid), cc = (c - s) * (c + s), ss = 2 * c * s, t = q.width;
    double c1 = w->c1 * c + w->s1 * s, s1 = w->s1 * c - w->c1 * s;
    double c2 = w->c2 * cc + w->s2 * ss, s2 = w->s2 * cc - w->c2 * ss;
    q.a[0] = w->c0 + c1 + c2;
    q.a[1] = t * (2 * s1 + 4 * s2);
    q.a[2] = t * t * (2 * w->c0 - 6 * c2);
    q.a[3] = t * t * t * (2 * s1 - 4 * s2);
    q.a[4] = t * t * t * t * (w->c0 - c1 + c2);
    return q;
}

static double quartic_at(const Quartic *q, double v, double *rate) {
    const double *a = q->a;
    *rate = a[1] + v * (2 * a[2] + v * (3 * a[3] + v * 4 * a[4]));
    return a[0] + v * (a[1] + v * (a[2] + v * (a[3] + v * a[4])));
}

// The only one between two places: tangents, and halves.
static double only_root(const Quartic *q, double low, double high, bool rises) {
    double v = 0.5 * (low + high), rate;
    for (int i = 0; i < 50; i++) {
        double at = quartic_at(q, v, &rate), next = v - at / rate;
        if ((at > 0) == rises)
            high = v;
        else
            low = v;
        bool inside = next > low && next < high;
        if (inside && fabs(next - v) < 1e-10) return next;
        if (high - low < 1e-14) break;
        v = inside ? next : 0.5 * (low + high);
    }
    return v;
}

// By the signs of its Bernstein coefficients b: none of them changes, there is no root; one does, there is one.
static int find_roots(const Quartic *q, const double b[5], double low, double high, int halvings,
                      double *tau, int count) {
    int changes = 0;
    for (int i = 1; i < 5; i++) changes += (b[i] > 0) != (b[i - 1] > 0);
    if (changes == 0 || count == ROOTS_MAX) return count;
    if (changes == 1) {
        tau[count++] = q->mid + 2 * atan(q->width * only_root(q, low, high, b[4] > 0));
        return count;
    }
    if (halvings == 0) return count; // it but touches zero
    double left[5], right[5], rest[5], mid = 0.5 * (low + high);
    for (int i = 0; i < 5; i++) rest[i] = b[i];
    for (int i = 0; i < 5; i++) {
        left[i] = rest[0], right[4 - i] = rest[4 - i];
        for (int k = 0; k < 4 - i; k++) rest[k] = 0.5 * (rest[k] + rest[k + 1]);
    }
    count = find_roots(q, left, low, mid, halvings - 1, tau, count);
    return find_roots(q, right, mid, high, halvings - 1, tau, count);
}

// Where the wave vanishes between two angles.
static int wave_roots(const Wave *w, double from, double to, double *tau) {
    Quartic q = quartic_of(w, from, to);
    const double *a = q.a, even = a[0] + a[2] + a[4], odd = a[1] + a[3];
    const double b[5] = {even - odd, a[0] - 0.5 * (a[1] - a[3]) - a[4], a[0] - a[2] / 3 + a[4],
                         a[0] + 0.5 * (a[1] - a[3]) - a[4], even + odd};
    return find_roots(&q, b, -1, 1, 20, tau, 0);
}

// ---- arcs of the rim

// An angle at which the rim passes a bound of a piece; -1: none.
typedef struct Break {
    double tau;
    int bound;
} Break;

// The part of the rim that is over one piece.
typedef struct Arc {
    int piece;
    Break from, to;
} Arc;

static Vec3 radial(const Rim *rim, double tau) {
    return v3_axpy(v3_scale(cos(tau), rim->side->e1), sin(tau), rim->side->e2);
}

static int insert_break(Break b, Break *all, int count) {
    int place = count++;
    for (; place > 0 && all[place - 1].tau > b.tau; place--) all[place] = all[place - 1];
    all[place] = b;
    return count;
}

// Bounds of pieces, and where the rim leaves the cap in which it may overlap.
static int find_breaks(const Rim *rim, Break *out) {
    const RbNearHull *h = rim->f->near;
    double low = rim->side->low, high = rim->side->high, tau[2];
    int count = 0;
    out[count++] = (Break){low, -1};
    for (int i = -1; i < h->bound_count; i++) {
        RbNearBound b = i < 0 ? (RbNearBound){h->n, h->most} : h->bounds[i];
        Wave w = height_wave(rim, b.n, b.at, 0);
        int n = crossings(&w, tau);
        for (int k = 0; k < n; k++) {
            if (tau[k] > low && tau[k] < high) count = insert_break((Break){tau[k], i}, out, count);
        }
    }
    out[count++] = (Break){high, -1};
    return count;
}

static int find_arcs(const Rim *rim, Arc *out) {
    Break breaks[BREAKS_MAX];
    int n = find_breaks(rim, breaks), count = 0, last = -1;
    for (int i = 1; i < n; i++) {
        double at = breaks[i - 1].tau + ASIDE * (breaks[i].tau - breaks[i - 1].tau);
        if (!(breaks[i].tau > breaks[i - 1].tau)) continue;
        int piece = rb_near_piece(rim->f->near, v3_axpy(rim->c, rim->r, radial(rim, at)));
        if (piece >= 0 && piece == last)
            out[count - 1].to = breaks[i]; // it is of other pieces
        else if (piece >= 0)
            out[count++] = (Arc){piece, breaks[i - 1], breaks[i]};
        last = piece;
    }
    return count;
}

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

// Where the end of the overlap passes the bound that the rim passes there: between both lines have overlap over two pieces.
static double passes_behind(const Rim *rim, const RbNearPiece *piece, Break b) {
    const double fine = 1e-6;
    if (b.bound < 0) return b.tau;
    const RbNearBound *bound = &rim->f->near->bounds[b.bound];
    double tau = b.tau, at[2];
    if (is_along(rim, bound)) return tau;
    for (int i = 0; i < 4; i++) {
        double behind = overlap_behind(rim, piece, radial(rim, tau));
        Wave w = height_wave(rim, bound->n, bound->at, behind);
        if (crossings(&w, at) == 0) return tau;
        double first = remainder(at[0] - b.tau, 2 * pi), second = remainder(at[1] - b.tau, 2 * pi);
        double next = b.tau + (fabs(first) < fabs(second) ? first : second);
        if (fabs(next - tau) < fine * fabs(next - b.tau)) return next;
        tau = next;
    }
    return tau;
}

static void add_place(const Rim *rim, int piece, Vec3 p, double dA, RbRoundSums *sums) {
    Vec3 m;
    double w = rim->f->radius - rb_near_piece_distance(rim->f->near, piece, p, &m);
    rb_add_piece(sums, p, m, dA, w > 0 ? w : 0);
}

// A line whose overlap stays over one piece, along which it is linear, but for parts of (depth/radius)². weight: across lines.
static void add_line(const Rim *rim, int piece, double tau, double weight, RbRoundSums *sums) {
    const RbNearHull *near = rim->f->near;
    const RbNearPiece *over = &near->pieces[piece];
    Vec3 out = radial(rim, tau), p = v3_axpy(rim->c, rim->r, out);
    double behind = overlap_behind(rim, over, out), grows = rim->grows * behind;
    Vec3 way = v3_scale(behind, v3_axpy(rim->up, rim->grows, out));
    if (!rim->upright && !rb_near_is_over(near, piece, v3_add(p, way))) {
        RbLine l = rb_sheet_line(rim->side, tau);
        rb_add_line(rim->f, &l, weight, sums);
        return;
    }
    double dA = 0.5 * weight * behind * sqrt(1 + rim->grows * rim->grows);
    if (over->kind == RB_NEAR_FACE || (is_shallow(rim) && rim->grows == 0)) {
        for (int k = -1; k <= 1; k += 2) {
            double part = 0.5 * (1 + k * rb_gauss_2);
            add_place(rim, piece, v3_axpy(p, part, way), dA * (rim->r + grows * part), sums);
        }
        return;
    }
    for (int k = 0; k < rb_gauss_6.count; k++) {
        double part = 0.5 * (1 + rb_gauss_at(&rb_gauss_6, k));
        double share = rb_gauss_weight(&rb_gauss_6, k) * dA * (rim->r + grows * part);
        add_place(rim, piece, v3_axpy(p, part, way), share, sums);
    }
}

// What lines add up to is analytic up to the ends of a part, also where the overlap vanishes, since it does so linearly. w: the overlap there.
static const RbGaussPoints *rule_of(const Rim *rim, RbNearKind kind, const Wave *w, double width) {
    const double small = 0.2; // [rad]
    if (kind != RB_NEAR_FACE) return is_shallow(rim) ? &rb_gauss_6 : &rb_gauss_8;
    double change = width * (fabs(w->c1) + fabs(w->s1));
    return width < small && change < 0.1 * w->c0 ? &rb_gauss_4 : &rb_gauss_6;
}

// Along an edge the rim's distance from it bends, and what lines add up to is of twice the degree.
static bool runs_along(RbNearKind kind, const Wave *w, double from, double to) {
    if (kind != RB_NEAR_EDGE) return false;
    Quartic q = quartic_of(w, from, to);
    return fabs(q.a[3]) + fabs(q.a[4]) > 0.02 * (fabs(q.a[1]) + fabs(q.a[2]));
}

static void add_part(const Rim *rim, int piece, const Wave *w, double from, double to,
                     RbRoundSums *sums) {
    const double wide = 0.5; // [rad]
    RbNearKind kind = rim->f->near->pieces[piece].kind;
    bool along = runs_along(kind, w, from, to);
    const RbGaussPoints *rule = along ? &rb_gauss_8 : rule_of(rim, kind, w, to - from);
    int parts = (1 + (int)((to - from) / wide)) * (along ? 2 : 1);
    double half = 0.5 * (to - from) / parts;
    for (int i = 0; i < parts; i++) {
        double mid = from + half * (2 * i + 1);
        for (int k = 0; k < rule->count; k++) {
            double tau = mid + half * rb_gauss_at(rule, k);
            add_line(rim, piece, tau, half * rb_gauss_weight(rule, k), sums);
        }
    }
}

static int insert(double tau, double from, double to, double *all, int count) {
    if (!(tau > from && tau < to)) return count;
    int place = count++;
    for (; place > 0 && all[place - 1] > tau; place--) all[place] = all[place - 1];
    all[place] = tau;
    return count;
}

// A part of an arc that is no wider than the roots of a wave ask for. behind: breaks of lines.
static void add_some(const Rim *rim, int piece, double from, double to, const double behind[2],
                     RbRoundSums *sums) {
    double cuts[CUTS_MAX], roots[ROOTS_MAX];
    Wave w = overlap_wave(rim, &rim->f->near->pieces[piece]);
    int n = wave_roots(&w, from, to, roots), count = 0;
    cuts[count++] = from;
    for (int i = 0; i < n; i++) count = insert(roots[i], from, to, cuts, count);
    for (int i = 0; i < 2; i++) count = insert(behind[i], from, to, cuts, count);
    cuts[count++] = to;
    for (int i = 1; i < count; i++) {
        double at = cuts[i - 1] + ASIDE * (cuts[i] - cuts[i - 1]), c = cos(at), s = sin(at);
        double over = w.c0 + w.c1 * c + w.s1 * s + w.c2 * (c - s) * (c + s) + 2 * w.s2 * c * s;
        if (over > 0) add_part(rim, piece, &w, cuts[i - 1], cuts[i], sums);
    }
}

static void add_arc(const Rim *rim, const Arc *arc, RbRoundSums *sums) {
    const double wide = 1; // [rad]
    const RbNearPiece *piece = &rim->f->near->pieces[arc->piece];
    double from = arc->from.tau, way = arc->to.tau - from;
    const double behind[2] = {passes_behind(rim, piece, arc->from),
                              passes_behind(rim, piece, arc->to)};
    int parts = 1 + (int)(way / wide);
    for (int i = 0; i < parts; i++)
        add_some(rim, arc->piece, from + way * i / parts, from + way * (i + 1) / parts, behind,
                 sums);
}

bool rb_patch_rim(const RbDepthField *f, const RbSheet *side, RbRoundSums *sums) {
    Rim rim;
    Arc arcs[BREAKS_MAX];
    if (!find_rim(f, side, &rim)) return false;
    rim.upright = is_upright(&rim);
    int count = find_arcs(&rim, arcs);
    for (int i = 0; i < count; i++) add_arc(&rim, &arcs[i], sums);
    return true;
}

// SPDX-License-Identifier: MIT
// Over a face the overlap is linear, so that all moments are those of monomials up to the third degree, and these are integrals around the border:
//     (i + j + 2) ∫ x^i y^j dA = ∮ x^i y^j (x dy - y dx)
// Two points are exact on a straight side. The border is that of two convex figures, the polygon and the outline: from where the polygon leaves the outline it goes on
// along that, counter-clockwise, to where the polygon comes back.
#include <math.h>

#include "collide/flat_sums.h"
#include "collide/gauss_points.h"

typedef struct Flat {
    double x, y;
} Flat;

static Flat minus(Flat a, Flat b) {
    return (Flat){a.x - b.x, a.y - b.y};
}

static double dot(Flat a, Flat b) {
    return a.x * b.x + a.y * b.y;
}

static double cross(Flat a, Flat b) {
    return a.x * b.y - a.y * b.x;
}

static double norm(Flat a) {
    return sqrt(dot(a, a));
}

static Flat unit(Flat a) {
    double far = norm(a);
    return (Flat){a.x / far, a.y / far};
}

// ---- what bounds both

// Straight, or around the middle of a disc of the outline, counter-clockwise.
typedef struct Stretch {
    Flat p, q;
    int disc; // -1: straight
} Stretch;

enum { STRETCHES_MAX = 4 * RB_FLAT_CELL_CORNERS_MAX };

// A disc is a stadium without length, whose last half faces the polygon.
typedef struct Border {
    const RbFlatCell *cell;
    const RbFlatOutline *outline;
    Flat disc[2], along; // middles of the discs; unit vector from the first to the last
    double r, length;
    int count;
    Stretch stretches[STRETCHES_MAX];
} Border;

static void add_stretch(Border *b, Flat p, Flat q, int disc) {
    if (b->count < STRETCHES_MAX) b->stretches[b->count++] = (Stretch){p, q, disc};
}

static Flat corner(const RbFlatCell *c, int i) {
    return (Flat){c->x[i], c->y[i]};
}

static void set_discs(Border *b) {
    const RbFlatOutline *o = b->outline;
    int last = o->discs - 1;
    b->disc[0] = (Flat){o->x[0], o->y[0]}, b->disc[1] = (Flat){o->x[last], o->y[last]};
    Flat way = minus(b->disc[1], b->disc[0]);
    b->r = o->r, b->length = norm(way);
    for (int i = 0; i < b->cell->count && last == 0; i++) {
        Flat d = minus(corner(b->cell, i), b->disc[0]);
        way.x += d.x, way.y += d.y;
    }
    b->along = norm(way) > 0 ? unit(way) : (Flat){1, 0};
}

// ---- along the outline: below the straight line from disc to disc, around the last disc, above, around the first one

typedef enum Place { BELOW, AROUND_LAST, ABOVE, AROUND_FIRST, PLACES } Place;

static Place place_of(const Border *b, Flat p) {
    Flat d = minus(p, b->disc[0]);
    double at = dot(b->along, d);
    if (at >= b->length) return AROUND_LAST;
    if (at <= 0) return AROUND_FIRST;
    return cross(b->along, d) < 0 ? BELOW : ABOVE;
}

// Where it begins.
static Flat start_of(const Border *b, Place at) {
    Flat c = b->disc[at == AROUND_LAST || at == ABOVE];
    double side = at == BELOW || at == AROUND_LAST ? b->r : -b->r;
    return (Flat){c.x + side * b->along.y, c.y - side * b->along.x};
}

static int disc_of(Place at) {
    return at == AROUND_LAST ? 1 : at == AROUND_FIRST ? 0 : -1;
}

// Is all of the outline in the polygon, but for rounding?
static bool is_covered(const Border *b) {
    const RbFlatCell *c = b->cell;
    for (int i = 0, j = c->count - 1; i < c->count; j = i++) {
        Flat d = minus(corner(c, i), corner(c, j));
        double first = -cross(d, minus(b->disc[0], corner(c, j))),
               last = -cross(d, minus(b->disc[1], corner(c, j)));
        if (!(fmax(first, last) <= (1e-9 - 1) * b->r * norm(d))) return false;
    }
    return true;
}

// Where the way from p on begins: at the end of a place it does in the next one.
static Place place_after(const Border *b, Flat p) {
    Place at = place_of(b, p), next = (at + 1) % PLACES;
    return norm(minus(start_of(b, next), p)) < 1e-12 * b->r ? next : at;
}

// Is q behind p, in the same place, so that the way leads around all of the outline?
static bool is_behind(const Border *b, Place at, Flat p, Flat q) {
    Flat way = minus(q, p), c = b->disc[at == AROUND_LAST], out = minus(p, c), to = minus(q, c);
    if (at == BELOW) return dot(b->along, way) < 0;
    if (at == ABOVE) return dot(b->along, way) > 0;
    if (dot(out, to) > 0) return cross(out, to) < 0;
    double across = cross(b->along, way); // from end to end of half a turn
    return at == AROUND_LAST ? across < 0 : across > 0;
}

// Counter-clockwise from p to q. Where these are the same but for rounding that is nothing, or all of it.
static void add_outline(Border *b, Flat p, Flat q) {
    bool same = norm(minus(q, p)) < 1e-9 * b->r;
    if (same && !is_covered(b)) {
        add_stretch(b, p, q, -1);
        return;
    }
    Place at = place_after(b, p), last = place_of(b, q);
    if (at != last || same || is_behind(b, at, p, q)) {
        do {
            Place next = (at + 1) % PLACES;
            Flat end = start_of(b, next);
            add_stretch(b, p, end, disc_of(at));
            at = next, p = end;
        } while (at != last);
    }
    add_stretch(b, p, q, disc_of(at));
}

static void add_whole_outline(Border *b) {
    for (Place at = 0; at < PLACES; at++)
        add_stretch(b, start_of(b, at), start_of(b, (at + 1) % PLACES), disc_of(at));
}

// ---- along the polygon

// The part of the side from corner j to corner i that is inside of the outline. False: none. in: are its ends?
static bool side_inside(const Border *b, int j, int i, const bool in[2], double t[2]) {
    t[0] = 0, t[1] = 1;
    if (in[0] && in[1]) return true;
    Flat p = corner(b->cell, j), d = minus(corner(b->cell, i), p);
    double chord[2];
    bool meets = rb_outline_chord(b->outline, p.x, p.y, d.x, d.y, chord);
    if (!in[0] && !in[1]) {
        t[0] = fmax(chord[0], 0), t[1] = fmin(chord[1], 1);
        return meets && t[1] > t[0];
    }
    // one end is inside: it crosses, or that end alone is on the outline
    if (!in[0]) t[0] = meets ? fmin(fmax(chord[0], 0), 1) : 1;
    if (!in[1]) t[1] = meets ? fmin(fmax(chord[1], 0), 1) : 0;
    return true;
}

// Polygon and outline.
static void go_around(Border *b) {
    const RbFlatCell *c = b->cell;
    bool in[RB_FLAT_CELL_CORNERS_MAX], left = false, entered = false;
    Flat first = {0}, from = {0};
    for (int i = 0; i < c->count; i++) in[i] = rb_from_middle(b->outline, c->x[i], c->y[i]) <= b->r;
    for (int i = 0, j = c->count - 1; i < c->count; j = i++) {
        double t[2];
        if (!side_inside(b, j, i, (const bool[]){in[j], in[i]}, t)) continue;
        Flat start = corner(c, j), d = minus(corner(c, i), start);
        Flat p = {start.x + t[0] * d.x, start.y + t[0] * d.y},
             q = {start.x + t[1] * d.x, start.y + t[1] * d.y};
        if (!in[j] && left) add_outline(b, from, p);
        if (!in[j] && !left) first = p, entered = true;
        add_stretch(b, p, q, -1);
        left = !in[i];
        if (left) from = q;
    }
    if (left && entered) add_outline(b, from, first);
    if (b->count == 0 && is_covered(b)) add_whole_outline(b);
}

// ---- integrals around the border

// ∮ x^i y^j (x dy - y dx)
typedef struct Around {
    double one, x, y, xx, xy, yy, xxx, xxy, xyy, yyy;
} Around;

// swept: x dy - y dx.
static void add_bit(Around *k, Flat p, double swept) {
    double x = swept * p.x, y = swept * p.y, xx = x * p.x, xy = x * p.y, yy = y * p.y;
    k->one += swept, k->x += x, k->y += y, k->xx += xx, k->xy += xy, k->yy += yy;
    k->xxx += xx * p.x, k->xxy += xx * p.y, k->xyy += yy * p.x, k->yyy += yy * p.y;
}

static void add_straight(Around *k, Flat p, Flat q) {
    double swept = 0.5 * cross(p, q);
    for (int i = -1; i <= 1; i += 2) {
        double t = 0.5 * (1 + i * rb_gauss_2);
        add_bit(k, (Flat){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)}, swept);
    }
}

// Around c, from one unit vector to another, less than half a turn. Places are at tangents of a quarter of the angle, so that no sine is needed.
static void add_arc(Around *k, Flat c, double r, Flat from, Flat to) {
    const double narrow = 0.765; // cosine of the widest angle for eight points
    Flat both = {from.x + to.x, from.y + to.y}, mid = unit(both);
    if (!(dot(from, to) > narrow)) {
        add_arc(k, c, r, from, mid);
        add_arc(k, c, r, mid, to);
        return;
    }
    double quarter = norm(minus(to, from)) / (2 + norm(both));
    for (int i = 0; i < rb_gauss_8.count; i++) {
        double v = quarter * rb_gauss_at(&rb_gauss_8, i), part = 1 / (1 + v * v);
        double cosine = (1 - v * v) * part, sine = 2 * v * part;
        Flat out = {cosine * mid.x - sine * mid.y, cosine * mid.y + sine * mid.x};
        Flat p = {c.x + r * out.x, c.y + r * out.y};
        double turn = 2 * quarter * part * rb_gauss_weight(&rb_gauss_8, i);
        add_bit(k, p, r * turn * dot(p, out));
    }
}

// The middle of an arc of at most half a turn.
static Flat middle_of(Flat from, Flat to) {
    if (dot(from, to) > 0) return unit((Flat){from.x + to.x, from.y + to.y});
    return unit((Flat){to.y - from.y, from.x - to.x});
}

static void add_around(const Border *b, const Stretch *s, Flat about, RbRimArcs *rim, Around *k) {
    if (s->disc < 0) {
        add_straight(k, minus(s->p, about), minus(s->q, about));
        return;
    }
    Flat c = b->disc[s->disc], from = unit(minus(s->p, c)), to = unit(minus(s->q, c));
    if (!(cross(from, to) > 0) && dot(from, to) > 0) return; // nothing, but for rounding
    Flat mid = middle_of(from, to);
    add_arc(k, minus(c, about), b->r, from, mid);
    add_arc(k, minus(c, about), b->r, mid, to);
    rb_add_rim_arc(b->cell, b->outline, s->disc < b->outline->discs ? s->disc : 0, s->p.x, s->p.y,
                   s->q.x, s->q.y, rim);
}

static void take(const RbFlatCell *c, Around m, RbFlatSums *k) {
    double w = c->w + c->wx * k->x0 + c->wy * k->y0, wx = c->wx, wy = c->wy;
    m.one /= 2, m.x /= 3, m.y /= 3, m.xx /= 4, m.xy /= 4, m.yy /= 4;
    m.xxx /= 5, m.xxy /= 5, m.xyy /= 5, m.yyy /= 5;
    k->area = m.one, k->volume = w * m.one + wx * m.x + wy * m.y;
    k->x = w * m.x + wx * m.xx + wy * m.xy, k->y = w * m.y + wx * m.xy + wy * m.yy;
    k->square = w * k->volume + wx * k->x + wy * k->y;
    k->xx = w * m.xx + wx * m.xxx + wy * m.xxy;
    k->xy = w * m.xy + wx * m.xxy + wy * m.xyy;
    k->yy = w * m.yy + wx * m.xyy + wy * m.yyy;
    // all of it falls along one normal
    k->by_volume.up = (RbFlatComponent){m.one, m.x, m.y};
    k->by_square.up = (RbFlatComponent){2 * k->volume, 2 * k->x, 2 * k->y};
}

void rb_flat_face_sum(const RbFlatCell *c, const RbFlatOutline *o, RbRimArcs *rim, RbFlatSums *k) {
    Border b;
    Around around = {0};
    Flat about = {0};
    b.cell = c, b.outline = o, b.count = 0;
    if (o->discs > 0) {
        set_discs(&b);
        go_around(&b);
    } else {
        for (int i = 0, j = c->count - 1; i < c->count; j = i++)
            add_stretch(&b, corner(c, j), corner(c, i), -1);
    }
    if (b.count == 0) return;
    // Moments are about a place next to all of it, so that nothing is lost: where it is steep the overlap is large anywhere else.
    for (int i = 0; i < b.count; i++)
        about.x += b.stretches[i].p.x / b.count, about.y += b.stretches[i].p.y / b.count;
    k->x0 = about.x, k->y0 = about.y;
    for (int i = 0; i < b.count; i++) add_around(&b, &b.stretches[i], about, rim, &around);
    take(c, around, k);
}

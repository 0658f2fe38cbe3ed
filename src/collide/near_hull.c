// SPDX-License-Identifier: MIT
#include "collide/near_hull.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "geom/support.h"

enum { VERTICES_MAX = 8192, REACHES_MAX = 12 };

// ---- how far a cap extends

// No point of the body below n . p = top has d . p beyond the result, since d . p = (d - k n) . p + k n . p for any k >= 0.
static double extent_by(const RbCore *body, Pose X, Vec3 n, double top, Vec3 d, double k) {
    Vec3 along = v3_axpy(d, -k, n);
    Vec3 far = rb_core_support(body, m3_tmul_vec(X.R, along), NULL);
    return v3_dot(along, pose_point(X, far)) + k * top;
}

// The k that is best for a ball of the body's size.
static double steepness(const RbCore *body, double height) {
    double k = sqrt(0.25 * body->size / height);
    return k < 1 ? 1 : k < 1e4 ? k : 1e4;
}

double rb_cap_extent(const RbCore *body, Pose X, Vec3 n, double low, double top, Vec3 d) {
    double whole = extent_by(body, X, n, top, d, 0),
           part = extent_by(body, X, n, top, d, steepness(body, top - low));
    return part < whole ? part : whole;
}

// ---- corners in the cap, their edges and faces

// One bit for each vertex.
typedef struct Cap {
    uint64_t bits[VERTICES_MAX / 64];
} Cap;

static bool is_in(const Cap *cap, int vertex) {
    return cap->bits[vertex / 64] >> (vertex % 64) & 1;
}

// How far the body's cap extends along d.
typedef struct Reach {
    Vec3 d;
    double low, high;
} Reach;

// What is collected.
typedef struct Search {
    const RbPolytope *t;
    const RbCore *body;
    Pose X;
    double steep;
    RbNearHull *h;
    Cap cap;
    int corner_count, edge_count, face_count;
    int corners[RB_NEAR_CORNERS_MAX], edges[RB_NEAR_EDGES_MAX], faces[RB_NEAR_FACES_MAX];
    // Of edge i: 4 i and 4 i + 1 out of its faces, 4 i + 2 and 4 i + 3 along it at its ends. Is the body's cap above, below, or on both sides?
    RbNearBound bounds[RB_NEAR_BOUNDS_MAX];
    signed char side[RB_NEAR_BOUNDS_MAX];
    int kept[RB_NEAR_BOUNDS_MAX]; // its number among those that are needed, or -1
    int need_count;
    Reach reach[REACHES_MAX]; // the first ones: bodies with parallel edges have few others
    int reach_count;
} Search;

static bool find_corners(Search *s, double low) {
    const RbPolytope *t = s->t;
    RbNearHull *h = s->h;
    double top = -(double)INFINITY;
    for (int i = 0; i < t->vertex_count; i++) {
        double at = v3_dot(h->n, t->vertices[i]);
        if (at > top) top = at;
    }
    if (!(low > top)) return false;
    double margin = 1e-12 * (fabs(top) + fabs(low));
    h->least = low - h->radius - margin, h->most = top + h->radius + margin;
    memset(s->cap.bits, 0, sizeof s->cap.bits[0] * (size_t)(t->vertex_count / 64 + 1));
    for (int i = 0; i < t->vertex_count; i++) {
        if (v3_dot(h->n, t->vertices[i]) < h->least) continue;
        if (s->corner_count == RB_NEAR_CORNERS_MAX) return false;
        s->cap.bits[i / 64] |= (uint64_t)1 << (i % 64);
        s->corners[s->corner_count++] = i;
    }
    return true;
}

static bool find_edges(Search *s) {
    const RbPolytope *t = s->t;
    for (int i = 0; i < t->edge_count; i++) {
        if (!is_in(&s->cap, t->edges[i][0]) && !is_in(&s->cap, t->edges[i][1])) continue;
        if (s->edge_count == RB_NEAR_EDGES_MAX) return false;
        s->edges[s->edge_count++] = i;
    }
    return true;
}

static bool find_faces(Search *s) {
    for (int i = 0; i < 2 * s->edge_count; i++) {
        int face = s->t->edge_faces[s->edges[i / 2]][i % 2], k = 0;
        while (k < s->face_count && s->faces[k] != face) k++;
        if (k < s->face_count) continue;
        if (k == RB_NEAR_FACES_MAX) return false;
        s->faces[s->face_count++] = face;
    }
    return true;
}

// ---- where they end

static void set_bound(Search *s, int i, Vec3 n, double at, double low, double high) {
    s->bounds[i] = (RbNearBound){n, at, 0};
    s->side[i] = low >= at ? 1 : high <= at ? -1 : 0;
    s->kept[i] = -1;
}

// Directions that are the same, or opposite, but for rounding share it, with a margin for that.
static Reach reach_along(Search *s, Vec3 d) {
    const double same = 1 - 1e-15, off = 1e-7; // the cosine of an angle that is less than that
    const RbNearHull *h = s->h;
    for (int i = 0; i < s->reach_count; i++) {
        const Reach *r = &s->reach[i];
        double along = v3_dot(r->d, d);
        if (along > same) return *r;
        if (along < -same) return (Reach){d, -r->high, -r->low};
    }
    double margin = off * (s->body->size + v3_norm(s->X.r));
    Reach r = {.d = d};
    r.high = extent_by(s->body, s->X, h->n, h->most, d, s->steep) + margin;
    r.low = -extent_by(s->body, s->X, h->n, h->most, v3_neg(d), s->steep) - margin;
    if (s->reach_count < REACHES_MAX) s->reach[s->reach_count++] = r;
    return r;
}

static void find_bounds(Search *s) {
    const RbPolytope *t = s->t;
    for (int i = 0; i < s->edge_count; i++) {
        int edge = s->edges[i];
        Vec3 a = t->vertices[t->edges[edge][0]], b = t->vertices[t->edges[edge][1]];
        Vec3 n = t->face_normals[t->edge_faces[edge][0]],
             m = t->face_normals[t->edge_faces[edge][1]], along = v3_unit(v3_sub(b, a));
        double turn = v3_dot(v3_cross(n, m), along) > 0 ? 1 : -1;
        Vec3 d[3] = {v3_unit(v3_scale(turn, v3_cross(along, n))),
                     v3_unit(v3_scale(-turn, v3_cross(along, m))), along};
        for (int k = 0; k < 3; k++) {
            Reach r = reach_along(s, d[k]);
            set_bound(s, 4 * i + k, d[k], v3_dot(d[k], a), r.low, r.high);
            if (k == 2) set_bound(s, 4 * i + 3, along, v3_dot(along, b), r.low, r.high);
        }
    }
}

// ---- pieces

static void begin_piece(Search *s, RbNearKind kind, int id) {
    RbNearHull *h = s->h;
    h->pieces[h->count] = (RbNearPiece){.kind = kind, .id = id, .first = s->need_count};
}

// The piece needs what is above that bound, or below. False: the body's cap is on the other side.
static bool add_need(Search *s, int bound, bool below) {
    RbNearHull *h = s->h;
    int side = below ? -s->side[bound] : s->side[bound];
    if (side != 0) return side > 0;
    if (s->kept[bound] < 0) {
        s->kept[bound] = h->bound_count;
        h->bounds[h->bound_count++] = s->bounds[bound];
    }
    h->needs[s->need_count++] = 2 * s->kept[bound] + below;
    return true;
}

static void end_piece(Search *s, bool is_near) {
    RbNearPiece *p = &s->h->pieces[s->h->count];
    if (!is_near) s->need_count = p->first;
    p->count = s->need_count - p->first;
    s->h->count += is_near;
}

static void add_faces(Search *s) {
    for (int i = 0; i < s->face_count; i++) {
        int face = s->faces[i];
        bool is_near = true;
        begin_piece(s, RB_NEAR_FACE, face);
        for (int k = 0; k < 2 * s->edge_count && is_near; k++) {
            if (s->t->edge_faces[s->edges[k / 2]][k % 2] == face)
                is_near = add_need(s, 4 * (k / 2) + k % 2, true);
        }
        RbNearPiece *p = &s->h->pieces[s->h->count];
        p->across[0] = s->t->face_normals[face], p->at[0] = s->t->face_offsets[face];
        end_piece(s, is_near);
    }
}

static void add_edges(Search *s) {
    for (int i = 0; i < s->edge_count; i++) {
        int edge = s->edges[i], face = s->t->edge_faces[edge][0];
        const int *ends = s->t->edges[edge];
        begin_piece(s, RB_NEAR_EDGE, edge);
        bool is_near = add_need(s, 4 * i, false) && add_need(s, 4 * i + 1, false);
        if (is_near && is_in(&s->cap, ends[0])) is_near = add_need(s, 4 * i + 2, false);
        if (is_near && is_in(&s->cap, ends[1])) is_near = add_need(s, 4 * i + 3, true);
        RbNearPiece *p = &s->h->pieces[s->h->count];
        p->across[0] = s->bounds[4 * i].n, p->at[0] = s->bounds[4 * i].at;
        p->across[1] = s->t->face_normals[face], p->at[1] = s->t->face_offsets[face];
        end_piece(s, is_near);
    }
}

static void add_corners(Search *s) {
    for (int i = 0; i < s->corner_count; i++) {
        int corner = s->corners[i];
        bool is_near = true;
        begin_piece(s, RB_NEAR_CORNER, corner);
        for (int k = 0; k < 2 * s->edge_count && is_near; k++) {
            if (s->t->edges[s->edges[k / 2]][k % 2] == corner)
                is_near = add_need(s, 4 * (k / 2) + 2 + k % 2, k % 2 == 0);
        }
        s->h->pieces[s->h->count].across[0] = s->t->vertices[corner];
        end_piece(s, is_near);
    }
}

static bool near_polytope(const RbPolytope *t, const RbCore *body, Pose X, RbNearHull *h) {
    Search s;
    s.t = t, s.body = body, s.X = X, s.h = h;
    s.corner_count = s.edge_count = s.face_count = s.need_count = s.reach_count = 0;
    if (t->vertex_count >= VERTICES_MAX) return false;
    Vec3 lowest = rb_core_support(body, m3_tmul_vec(X.R, v3_neg(h->n)), NULL);
    double low = v3_dot(h->n, pose_point(X, lowest));
    if (!find_corners(&s, low) || !find_edges(&s) || !find_faces(&s)) return false;
    s.steep = steepness(body, h->most - low);
    find_bounds(&s);
    add_faces(&s);
    add_edges(&s);
    add_corners(&s);
    return true;
}

// Vertex i is on the upper side of x, y and z by its bits; faces -x, +x, -y and so on.
static bool near_box(Vec3 half, const RbCore *body, Pose X, RbNearHull *h) {
    static const int edges[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                     {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    static const int edge_faces[12][2] = {{2, 4}, {3, 4}, {2, 5}, {3, 5}, {0, 4}, {1, 4},
                                          {0, 5}, {1, 5}, {0, 2}, {1, 2}, {0, 3}, {1, 3}};
    static const Vec3 normals[6] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                    {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    Vec3 vertices[8];
    const double offsets[6] = {half.x, half.x, half.y, half.y, half.z, half.z};
    for (int i = 0; i < 8; i++)
        vertices[i] =
            v3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    RbPolytope t = {.vertex_count = 8,
                    .vertices = vertices,
                    .face_count = 6,
                    .face_normals = normals,
                    .face_offsets = offsets,
                    .edge_count = 12,
                    .edges = edges,
                    .edge_faces = edge_faces};
    return near_polytope(&t, body, X, h);
}

bool rb_near_hull(const RbCore *core, const RbCore *body, Pose X, Vec3 n, double radius,
                  RbNearHull *out) {
    out->n = n, out->radius = radius, out->straight = 0, out->count = out->bound_count = 0;
    if (core->kind == RB_CORE_BOX) return near_box(core->h, body, X, out);
    if (core->kind == RB_CORE_POLYTOPE) return near_polytope(core->polytope, body, X, out);
    return false;
}

// ---- a point

static bool is_over(const RbNearHull *h, const RbNearPiece *piece, Vec3 p) {
    for (int k = piece->first; k < piece->first + piece->count; k++) {
        Vec3 rise;
        double above = rb_near_beyond(h, &h->bounds[h->needs[k] / 2], p, &rise);
        if ((h->needs[k] % 2 ? -above : above) < 0) return false;
    }
    return true;
}

int rb_near_piece(const RbNearHull *h, Vec3 p) {
    for (int i = 0; i < h->count && v3_dot(h->n, p) < h->most; i++) {
        const RbNearPiece *piece = &h->pieces[i];
        Vec3 m;
        bool flat = piece->kind == RB_NEAR_FACE || piece->kind == RB_NEAR_SIDE,
             behind = flat && !(rb_near_piece_distance(piece, p, &m) > 0);
        if (!behind && is_over(h, piece, p)) return i;
    }
    return -1;
}

bool rb_near_is_over(const RbNearHull *h, int piece, Vec3 p) {
    return is_over(h, &h->pieces[piece], p);
}

double rb_near_distance(const RbNearHull *h, Vec3 p, Vec3 *m) {
    int piece = rb_near_piece(h, p);
    if (piece >= 0) return rb_near_piece_distance(&h->pieces[piece], p, m);
    *m = h->n;
    return v3_dot(h->n, p) - h->least;
}

// ---- a line

// Grows along it from `at`, linearly.
typedef struct Ramp {
    double at, rate;
} Ramp;

static inline Ramp ramp(const RbLine *l, Vec3 n, double from) {
    return (Ramp){v3_dot(n, l->o) - from, v3_dot(n, l->t)};
}

// Leaves of the part what is above, or below, or on the border.
static inline void keep(RbNearPart *p, Ramp r, bool below) {
    if (r.rate == 0) {
        if (below ? r.at > 0 : r.at < 0) p->end = p->start;
        return;
    }
    double s = -r.at / r.rate;
    if ((r.rate > 0) != below) {
        if (s > p->start) p->start = s;
    } else if (s < p->end) {
        p->end = s;
    }
}

// Does x² + y² + ... become less than radius², from at2 on?
static inline bool comes_near(double at2, double mixed, double rate2, double radius) {
    double beyond = at2 - radius * radius;
    return beyond <= 0 || mixed * mixed > rate2 * beyond;
}

// The ways from the piece to the line, and what of that is in front of a face. False: wet ones alone are asked for, and it is not.
static inline bool set_away(const RbNearPiece *piece, const RbLine *l, double radius, bool wet,
                            RbNearPart *p) {
    Vec3 d = piece->across[0];
    if (piece->kind == RB_NEAR_CORNER) {
        p->from = v3_sub(l->o, d), p->rate = l->t;
        return !wet || comes_near(v3_norm2(p->from), v3_dot(p->from, p->rate), 1, radius);
    }
    Ramp x = ramp(l, d, piece->at[0]);
    if (piece->kind == RB_NEAR_FACE) {
        double first = x.at + x.rate * p->start, last = x.at + x.rate * p->end;
        if (wet && first > radius && last > radius) return false;
        keep(p, x, false);
        p->from = v3_scale(x.at, d), p->rate = v3_scale(x.rate, d);
        return true;
    }
    Vec3 e = piece->across[1];
    Ramp y = ramp(l, e, piece->at[1]);
    if (wet && !comes_near(x.at * x.at + y.at * y.at, x.at * x.rate + y.at * y.rate,
                           x.rate * x.rate + y.rate * y.rate, radius))
        return false;
    p->from = v3_axpy(v3_scale(x.at, d), y.at, e);
    p->rate = v3_axpy(v3_scale(x.rate, d), y.rate, e);
    return true;
}

int rb_near_parts(const RbNearHull *h, const RbLine *l, bool wet, RbNearPart *out, int max) {
    int count = 0;
    RbNearPart whole = {.start = l->s0, .end = l->s1};
    keep(&whole, ramp(l, h->n, h->most), true);
    if (!(whole.end > whole.start)) return 0;
    for (int i = 0; i < h->count && count < max; i++) {
        const RbNearPiece *piece = &h->pieces[i];
        RbNearPart p = {.start = whole.start, .end = whole.end, .piece = i, .kind = piece->kind};
        if (!set_away(piece, l, h->radius, wet, &p)) continue;
        for (int k = piece->first; k < piece->first + piece->count && p.end > p.start; k++) {
            const RbNearBound *b = &h->bounds[h->needs[k] / 2];
            keep(&p, ramp(l, b->n, b->at), h->needs[k] % 2);
        }
        if (!(p.end > p.start)) continue;
        int place = count++;
        for (; place > 0 && out[place - 1].start > p.start; place--) out[place] = out[place - 1];
        out[place] = p;
    }
    return count;
}

// SPDX-License-Identifier: MIT
#include "collide/gjk.h"

#include <float.h>

#include "geom/support.h"

// --- nearest point of a simplex
// -----------------------------------------------------------------------------------------

// Barycentric coordinates of the nearest point, of vertices i[0..count-1] of the simplex.
typedef struct Nearest {
    int count;
    int i[3];
    double weight[3];
    Vec3 v;
} Nearest;

static Nearest on_vertex(const RbSimplex *s, int i) {
    return (Nearest){1, {i}, {1.0}, s->w[i]};
}

static Nearest on_edge(const RbSimplex *s, int i, int j) {
    Vec3 e = v3_sub(s->w[j], s->w[i]);
    double length2 = v3_norm2(e), t = -v3_dot(s->w[i], e);
    if (!(t > 0)) return on_vertex(s, i);
    if (!(t < length2)) return on_vertex(s, j);
    t /= length2;
    return (Nearest){2, {i, j}, {1 - t, t}, v3_axpy(s->w[i], t, e)};
}

static Nearest nearer(Nearest a, Nearest b) {
    return v3_norm2(b.v) < v3_norm2(a.v) ? b : a;
}

static Nearest on_triangle_edges(const RbSimplex *s, int i, int j, int k) {
    return nearer(nearer(on_edge(s, i, j), on_edge(s, j, k)), on_edge(s, k, i));
}

// The foot of the origin on the plane lies inside the triangle if it is on the inner side of all
// three edges; the signed areas are the barycentric coordinates. Otherwise one of the edges carries
// the nearest point.
static Nearest on_triangle(const RbSimplex *s, int i, int j, int k) {
    Vec3 a = s->w[i], b = s->w[j], c = s->w[k];
    Vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
    double n2 = v3_norm2(n);
    double wa = v3_dot(n, v3_cross(b, c)), wb = v3_dot(n, v3_cross(c, a)),
           wc = v3_dot(n, v3_cross(a, b));
    if (!(n2 > 0) || !(wa > 0 && wb > 0 && wc > 0)) return on_triangle_edges(s, i, j, k);
    double sum = wa + wb + wc;
    Nearest out = {3, {i, j, k}, {wa / sum, wb / sum, wc / sum}, V3_ZERO};
    out.v = v3_scale(v3_dot(n, a) / n2,
                     n); // along the normal: more exact than the weighted sum of long vectors
    return out;
}

// Is the origin on the other side of the plane (i, j, k) than vertex l? True also if the four are
// coplanar.
static bool beyond(const RbSimplex *s, int i, int j, int k, int l) {
    Vec3 n = v3_cross(v3_sub(s->w[j], s->w[i]), v3_sub(s->w[k], s->w[i]));
    double origin = -v3_dot(n, s->w[i]), inner = v3_dot(n, v3_sub(s->w[l], s->w[i]));
    return inner > 0 ? origin < 0 : inner < 0 ? origin > 0 : true;
}

static bool on_tetrahedron(const RbSimplex *s, Nearest *out) {
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    bool outside = false;
    for (int f = 0; f < 4; f++) {
        const int *v = faces[f];
        if (!beyond(s, v[0], v[1], v[2], v[3])) continue;
        Nearest near = on_triangle(s, v[0], v[1], v[2]);
        *out = outside ? nearer(*out, near) : near;
        outside = true;
    }
    return !outside;
}

static void keep(RbSimplex *s, const Nearest *near) {
    RbSimplex old = *s;
    s->count = near->count;
    for (int k = 0; k < near->count; k++) {
        int i = near->i[k];
        s->w[k] = old.w[i], s->a[k] = old.a[i], s->b[k] = old.b[i];
        s->va[k] = old.va[i], s->vb[k] = old.vb[i];
        s->weight[k] = near->weight[k];
    }
}

bool rb_simplex_reduce(RbSimplex *s, Vec3 *v) {
    Nearest near;
    switch (s->count) {
        case 1: near = on_vertex(s, 0); break;
        case 2: near = on_edge(s, 0, 1); break;
        case 3: near = on_triangle(s, 0, 1, 2); break;
        default:
            if (on_tetrahedron(s, &near)) {
                *v = V3_ZERO;
                return true;
            }
    }
    keep(s, &near);
    *v = near.v;
    return false;
}

// --- two cores
// ------------------------------------------------------------------------------------------------------------

enum { GJK_ROUNDS_MAX = 128 };

static void push_support(RbSimplex *s, RbPlaced *a, RbPlaced *b, Vec3 n) {
    int k = s->count++;
    s->a[k] = rb_placed_support(a, n);
    s->b[k] = rb_placed_support(b, v3_neg(n));
    s->w[k] = v3_sub(s->b[k], s->a[k]);
    s->va[k] = a->vertex, s->vb[k] = b->vertex;
}

RbGjk rb_gjk(RbPlaced *a, RbPlaced *b, Vec3 direction) {
    RbGjk g = {.lower = -DBL_MAX};
    push_support(&g.simplex, a, b, v3_unit_or(direction, v3(0, 0, 1)));
    g.simplex.weight[0] = 1.0;
    g.v = g.simplex.w[0];
    g.upper = v3_norm(g.v);
    return g;
}

RbGjk rb_gjk_vertices(RbPlaced *a, RbPlaced *b, const int vertices[][2], int count) {
    RbGjk g = {.lower = -DBL_MAX};
    const RbPolytope *pa = a->core->polytope, *pb = b->core->polytope;
    RbSimplex *s = &g.simplex;
    for (int k = 0; k < count; k++) {
        int i = vertices[k][0], j = vertices[k][1];
        if (i < 0 || i >= pa->vertex_count || j < 0 || j >= pb->vertex_count)
            continue; // another shape's memory
        s->a[s->count] = a->at_home ? pa->vertices[i] : pose_point(a->X, pa->vertices[i]);
        s->b[s->count] = b->at_home ? pb->vertices[j] : pose_point(b->X, pb->vertices[j]);
        s->w[s->count] = v3_sub(s->b[s->count], s->a[s->count]);
        s->va[s->count] = i, s->vb[s->count++] = j;
        a->vertex = i, b->vertex = j;
    }
    if (s->count == 0) return rb_gjk(a, b, v3(0, 0, 1));
    g.overlap = rb_simplex_reduce(s, &g.v);
    g.upper = v3_norm(g.v);
    return g;
}

static bool is_repeated(const RbSimplex *s) {
    Vec3 w = s->w[s->count - 1];
    for (int k = 0; k < s->count - 1; k++) {
        if (w.x == s->w[k].x && w.y == s->w[k].y && w.z == s->w[k].z) return true;
    }
    return false;
}

// One support point more. False if the simplex stays: the bounds agree to the tolerance, or no
// point is nearer.
static bool gjk_round(RbGjk *g, RbPlaced *a, RbPlaced *b, double tolerance, double tiny) {
    Vec3 n = v3_scale(1.0 / g->upper, g->v), v;
    RbSimplex before = g->simplex;
    push_support(&g->simplex, a, b, n);
    double lower = v3_dot(n, g->simplex.w[g->simplex.count - 1]), gap = g->upper - lower;
    g->lower = fmax(g->lower, lower);
    g->done = gap <= tiny || is_repeated(&g->simplex);
    if (!g->done && gap > tolerance * g->upper) {
        g->overlap = rb_simplex_reduce(&g->simplex, &v);
        double upper = v3_norm(v);
        bool refuted =
            upper == 0 && g->lower > tiny; // the tetrahedron is flat: a plane separates the cores
        g->overlap = g->overlap && !refuted;
        if (!refuted && upper < g->upper) {
            g->v = v;
            g->upper = upper;
            return true;
        }
        g->done = true; // rounding has the last word
    }
    g->simplex = before;
    return false;
}

void rb_gjk_run(RbGjk *g, RbPlaced *a, RbPlaced *b, double tolerance, double scale) {
    double tiny = 4 * DBL_EPSILON * scale; // [m]
    while (!g->done && !g->overlap && g->rounds++ < GJK_ROUNDS_MAX) {
        if (!(g->upper > tiny))
            g->overlap = true;
        else if (!gjk_round(g, a, b, tolerance, tiny))
            return;
    }
}

static Vec3 weighted(const RbSimplex *s, const Vec3 *p) {
    Vec3 sum = V3_ZERO;
    for (int k = 0; k < s->count; k++) sum = v3_axpy(sum, s->weight[k], p[k]);
    return sum;
}

Vec3 rb_gjk_point_a(const RbGjk *g) {
    return weighted(&g->simplex, g->simplex.a);
}
Vec3 rb_gjk_point_b(const RbGjk *g) {
    return weighted(&g->simplex, g->simplex.b);
}

// --- where the nearest point does not tell the normal
// ----------------------------------------------------------------------------------------------------------------

// Unit vector towards the foot of the origin on the point, line or plane of some vertices.
static Vec3 foot_direction(const RbSimplex *s, const int i[3], int count) {
    Vec3 p = s->w[i[0]];
    if (count == 1) return v3_unit(p);
    Vec3 e = v3_sub(s->w[i[1]], p);
    if (count == 2) {
        Vec3 n = v3_unit(v3_axpy(p, -v3_dot(p, e) / v3_norm2(e), e));
        return v3_unit(v3_axpy(n, -v3_dot(n, e) / v3_norm2(e), e)); // what rounding left along e
    }
    Vec3 n = rb_across(e, v3_sub(s->w[i[2]], p));
    return v3_dot(n, p) < 0 ? v3_neg(n) : n;
}

// Least of n . w; NaN if n is (of vertices that coincide).
static double least_along(const RbSimplex *s, Vec3 n) {
    double least = v3_dot(n, s->w[0]);
    for (int k = 1; k < s->count; k++) {
        double along = v3_dot(n, s->w[k]);
        if (along < least) least = along;
    }
    return least;
}

// Distance of a face; n: direction of the foot, along which that of a needle is more exact.
static double nearest_on(const RbSimplex *s, const int i[3], int count, Vec3 n) {
    Nearest near = count == 1   ? on_vertex(s, i[0])
                   : count == 2 ? on_edge(s, i[0], i[1])
                                : on_triangle(s, i[0], i[1], i[2]);
    return near.count == 3 ? v3_dot(n, s->w[i[0]]) : v3_norm(near.v);
}

// Keeps the face of the simplex (corner, edge, triangle) that carries the point nearest to the origin.
// Where rounding hides which one it is, several faces have points that are near enough, and several
// have normals that keep the whole simplex away; the right one has both, so the difference of the two
// distances is least. Returns its normal; distance [m]: of its nearest point.
static Vec3 agreeing_face(RbSimplex *s, double *distance) {
    double least = INFINITY;
    Nearest best = {.count = 0};
    for (unsigned set = 1; set < (1U << s->count) && set < 15; set++) {
        Nearest face = {.count = 0};
        for (int k = 0; k < s->count; k++) {
            if (set >> k & 1) face.i[face.count++] = k;
        }
        face.v = foot_direction(s, face.i, face.count);
        double upper = nearest_on(s, face.i, face.count, face.v),
               gap = upper - least_along(s, face.v);
        if (gap < least) least = gap, best = face, *distance = upper;
    }
    keep(s, &best);
    return best.v;
}

void rb_gjk_widen(RbGjk *g, RbPlaced *a, RbPlaced *b, double scale) {
    double tiny = 4 * DBL_EPSILON * scale, nearest = INFINITY, widest = -INFINITY; // [m]
    RbSimplex s = g->simplex, points = s;
    Vec3 normal = g->v, v;
    for (int round = 0; round < GJK_ROUNDS_MAX && nearest - widest > tiny; round++) {
        double upper = INFINITY;
        Vec3 n = agreeing_face(&s, &upper);
        if (upper <= nearest + tiny) points = s; // of equals the later: its normal fits better
        nearest = fmin(nearest, upper);
        push_support(&s, a, b, n);
        double lower = v3_dot(n, s.w[s.count - 1]);
        if (lower > widest) widest = lower, normal = n;
        if (is_repeated(&s)) break;
    }
    if (!(widest > 0)) return;
    rb_simplex_reduce(&points, &v); // for its weights
    g->simplex = points;
    g->v = v3_scale(widest, normal);
    g->upper = g->lower = widest;
}

// --- a point and a polytope
// -------------------------------------------------------------------------------------------------

static void push_vertex(RbSimplex *s, const RbPolytope *t, Vec3 p, int i) {
    int k = s->count++;
    s->va[k] = i;
    s->w[k] = v3_sub(t->vertices[i], p);
}

static bool has_vertex(const RbSimplex *s, int i) {
    for (int k = 0; k < s->count; k++) {
        if (s->va[k] == i) return true;
    }
    return false;
}

bool rb_polytope_project(const RbPolytope *t, Vec3 p, Vec3 *closest, int vertices[3], int *count) {
    RbCore core = {.kind = RB_CORE_POLYTOPE, .polytope = t};
    RbSimplex s = {.count = 0};
    int at = 0;
    rb_core_support(&core, p, &at);
    push_vertex(&s, t, p, at);
    s.weight[0] = 1.0;
    Vec3 v = s.w[0];
    for (int rounds = 0; rounds < GJK_ROUNDS_MAX; rounds++) {
        rb_core_support(&core, v3_neg(v), &at); // nearest the point along v
        double length2 = v3_norm2(v);
        double progress = length2 - v3_dot(v, v3_sub(t->vertices[at], p));
        if (has_vertex(&s, at) || !(progress > 0)) break;
        RbSimplex before = s;
        push_vertex(&s, t, p, at);
        Vec3 next;
        if (rb_simplex_reduce(&s, &next)) {
            *closest = p;
            return false;
        }
        if (!(v3_norm2(next) < length2)) {
            s = before;
            break;
        }
        v = next;
    }
    *closest = v3_add(p, v);
    *count = s.count;
    for (int k = 0; k < s.count; k++) vertices[k] = s.va[k];
    return v.x != 0 || v.y != 0 || v.z != 0;
}

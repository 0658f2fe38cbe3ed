// SPDX-License-Identifier: MIT
// The triangles of a plane are a chain: sides that run both ways cancel, and the border that is left winds around each place
// once, once backwards or not at all, however many triangles lay on each other there. What is within it once is divided into
// triangles that face as the plane does, what is within it once backwards into such that face the other way.
#include <math.h>
#include <stdlib.h>

#include "geom/predicate.h"
#include "geom/tidy.h"
#include "geom/triangulate.h"
#include "math/dd.h"

// A side of the border.
typedef struct Side {
    int from, to;
    int times;   // > 0
    int edge;    // of the mesh
    int left;    // how often the border winds around what is beside it
    bool passed; // by a loop
} Side;

typedef struct Plane {
    RbTidy *t;
    Vec3 n;      // unit
    double d;    // [m]
    int axes[2]; // coordinates in which it is seen, n towards the eye
    bool *member;
    Side *border;
    int border_count;
} Plane;

// ---- what lies in the plane ----

static Vec3 normal_of(const RbTidy *t, const int v[3]) {
    return v3_cross(v3_sub(t->x[v[1]], t->x[v[0]]), v3_sub(t->x[v[2]], t->x[v[0]]));
}

// Of needles, whose sides are a million million times as long as they are wide, rounding left nothing of it in double.
static Vec3 precise_normal(const RbTidy *t, const int v[3]) {
    RbDd3 o = dd3(t->x[v[0]]);
    RbDd3 n = dd3_cross(dd3_sub(dd3(t->x[v[1]]), o), dd3_sub(dd3(t->x[v[2]]), o));
    return dd3_double(n);
}

static void set_plane(Plane *p, int triangle) {
    const int *v = p->t->triangles[triangle].v;
    Vec3 n = precise_normal(p->t, v), a = v3_abs(n);
    int axis = a.x >= a.y && a.x >= a.z ? 0 : a.y >= a.z ? 1 : 2;
    bool turned = v3_get(n, axis) < 0;
    p->n = v3_unit(n);
    p->d = v3_dot(p->n, p->t->x[v[0]]);
    p->axes[turned] = (axis + 1) % 3;
    p->axes[!turned] = (axis + 2) % 3;
}

static void find_members(Plane *p) {
    for (int i = 0; i < p->t->count; i++) {
        const int *v = p->t->triangles[i].v;
        p->member[i] = true;
        for (int k = 0; k < 3; k++)
            p->member[i] &= fabs(v3_dot(p->n, p->t->x[v[k]]) - p->d) <= p->t->tol;
    }
}

// The largest triangle says best where the plane is; -1: there is none.
static int largest_member(const Plane *p) {
    int largest = -1;
    double most = -1;
    for (int i = 0; i < p->t->count; i++) {
        double area = p->member[i] ? v3_norm2(normal_of(p->t, p->t->triangles[i].v)) : -1;
        if (area > most) most = area, largest = i;
    }
    return largest;
}

// ---- its border ----

static void find_border(Plane *p, const RbMeshEdges *edges, RbArena *scratch) {
    RbMesh mesh = rb_tidy_mesh(p->t);
    p->border = rb_new_array(scratch, Side, edges->edge_count);
    p->border_count = 0;
    for (int e = 0; e < edges->edge_count; e++) {
        uint64_t key = edges->halves[edges->start[e]].key;
        int low = (int)(key >> 32), high = (int)(uint32_t)key, times = 0;
        for (int i = edges->start[e]; i < edges->start[e + 1]; i++) {
            if (!p->member[edges->halves[i].triangle]) continue;
            times += rb_half_edge_forward(&mesh, edges->halves[i]) ? 1 : -1;
        }
        if (times > 0)
            p->border[p->border_count++] =
                (Side){.from = low, .to = high, .times = times, .edge = e};
        else if (times < 0)
            p->border[p->border_count++] =
                (Side){.from = high, .to = low, .times = -times, .edge = e};
    }
}

static double at(const Plane *p, int vertex, int axis) {
    return v3_get(p->t->x[vertex], p->axes[axis]);
}

// A corner of the border that lies within a side of it, or -1.
static int corner_within(const Plane *p, const Side *s) {
    for (int i = 0; i < p->border_count; i++) {
        int m = p->border[i].from; // a side begins at every corner
        if (rb_tidy_is_within(p->t, m, s->from, s->to)) return m;
    }
    return -1;
}

// Sides are divided at corners that lie within them, each triangle at most once. Answers how many were; -1: no room.
static int divide_sides(Plane *p, const RbMeshEdges *edges, RbArena scratch) {
    bool *used = rb_new_array(&scratch, bool, p->t->count);
    int divided = 0;
    for (int i = 0; i < p->border_count; i++) {
        const Side *s = &p->border[i];
        int first = edges->start[s->edge], end = edges->start[s->edge + 1];
        int m = corner_within(p, s);
        bool free = m >= 0;
        for (int k = first; k < end; k++) free = free && !used[edges->halves[k].triangle];
        if (!free) continue;
        if (p->t->count + end - first > p->t->room) return -1;
        for (int k = first; k < end; k++) used[edges->halves[k].triangle] = true;
        rb_tidy_divide(p->t, edges, s->edge, m);
        divided++;
    }
    return divided;
}

static int turn_to(const Plane *p, const Side *s, int vertex) {
    double a[2], b[2], c[2];
    for (int k = 0; k < 2; k++)
        a[k] = at(p, s->from, k), b[k] = at(p, s->to, k), c[k] = at(p, vertex, k);
    return rb_orient2d(a, b, c);
}

static bool cross_each_other(const Plane *p, const Side *s, const Side *f) {
    return turn_to(p, s, f->from) * turn_to(p, s, f->to) < 0 &&
           turn_to(p, f, s->from) * turn_to(p, f, s->to) < 0;
}

// How far a vertex is to the left of a side, times its length, in double-double: in double nearly parallel sides would cross
// anywhere, even beyond their ends.
static double far_left(const Plane *p, const Side *s, int vertex) {
    RbDd a[2], b[2];
    for (int k = 0; k < 2; k++) {
        a[k] = dd_two_sum(at(p, s->to, k), -at(p, s->from, k));
        b[k] = dd_two_sum(at(p, vertex, k), -at(p, s->from, k));
    }
    return dd_double(dd_sub(dd_mul(a[0], b[1]), dd_mul(a[1], b[0])));
}

// Where two sides cross there becomes a vertex, and one of them is divided there. Answers how many were; -1: no room.
static int divide_crossing(Plane *p, const RbMeshEdges *edges) {
    RbTidy *t = p->t;
    for (int i = 0; i < p->border_count; i++) {
        const Side *s = &p->border[i];
        for (int k = 0; k < i; k++) {
            const Side *f = &p->border[k];
            if (!cross_each_other(p, s, f)) continue;
            int more = edges->start[s->edge + 1] - edges->start[s->edge];
            if (t->vertex_count == t->vertex_room || t->count + more > t->room) return -1;
            double a = far_left(p, f, s->from), b = far_left(p, f, s->to);
            t->x[t->vertex_count] = v3_lerp(t->x[s->from], t->x[s->to], a / (a - b));
            rb_tidy_divide(t, edges, s->edge, t->vertex_count++);
            return 1;
        }
    }
    return 0;
}

// How often the border winds around what is to the left of a side: what a ray from its middle crosses, along the axis that
// is more across it.
static int winding(const Plane *p, const Side *s) {
    double along[2], middle[2];
    for (int k = 0; k < 2; k++) {
        along[k] = at(p, s->to, k) - at(p, s->from, k);
        middle[k] = 0.5 * (at(p, s->to, k) + at(p, s->from, k));
    }
    int ray = fabs(along[1]) >= fabs(along[0]) ? 0 : 1, other = 1 - ray, sum = 0;
    int sense = ray == 0 ? 1 : -1; // of a side that goes up along the other axis
    for (int i = 0; i < p->border_count; i++) {
        const Side *f = &p->border[i];
        double u = at(p, f->from, other), w = at(p, f->to, other);
        if (f == s || (u > middle[other]) == (w > middle[other])) continue;
        double part = (middle[other] - u) / (w - u);
        double where = at(p, f->from, ray) + part * (at(p, f->to, ray) - at(p, f->from, ray));
        if (where > middle[ray]) sum += w > u ? sense * f->times : -sense * f->times;
    }
    bool ray_is_right = (along[other] > 0) == (sense > 0);
    return ray_is_right ? sum + s->times : sum;
}

// ---- triangles from it ----

// The part of the border of what is covered once (backwards: from behind), its sides with that to their left.
static int part_of_border(const Plane *p, bool backwards, Side *part) {
    int count = 0;
    for (int i = 0; i < p->border_count; i++) {
        Side s = p->border[i];
        int right = s.left - s.times;
        if (backwards ? right == -1 : s.left == 1)
            part[count++] =
                (Side){.from = backwards ? s.to : s.from, .to = backwards ? s.from : s.to};
    }
    return count;
}

static double direction(const Plane *p, int from, int to) {
    return atan2(at(p, to, 1) - at(p, from, 1), at(p, to, 0) - at(p, from, 0));
}

// The side that goes on from s around what is to its left, or NULL.
static Side *next_side(const Plane *p, const Side *s, Side *part, int count) {
    Side *best = NULL;
    double back = direction(p, s->to, s->from), least = INFINITY;
    for (int i = 0; i < count; i++) {
        if (part[i].from != s->to || part[i].passed) continue;
        double turn = back - direction(p, part[i].from, part[i].to); // clockwise from where s came
        if (turn <= 0) turn += 2 * M_PI;
        if (turn < least) least = turn, best = &part[i];
    }
    return best;
}

// Loops of sides; points are their first ends. Answers how many, -1 if one is open.
static int follow_loops(const Plane *p, Side *part, int count, int *points, int *start) {
    int loops = 0, at_point = 0;
    for (int i = 0; i < count; i++) {
        if (part[i].passed) continue;
        start[loops++] = at_point;
        for (Side *s = &part[i]; s;) {
            s->passed = true;
            points[at_point++] = s->from;
            if (s->to == part[i].from) break;
            s = next_side(p, s, part, count);
            if (!s) return -1;
        }
    }
    start[loops] = at_point;
    return loops;
}

typedef struct Fresh {
    RbTriangle *triangles;
    int count, room;
} Fresh;

static bool add_part(const Plane *p, bool backwards, Fresh *out, RbArena scratch) {
    Side *part = rb_new_array(&scratch, Side, p->border_count);
    int count = part_of_border(p, backwards, part);
    int *points = rb_new_array(&scratch, int, count);
    int *start = rb_new_array(&scratch, int, (size_t)count + 1);
    int loops = follow_loops(p, part, count, points, start);
    if (loops < 0) return false;
    double(*x)[2] = (double(*)[2])rb_new_array(&scratch, double, 2 * (size_t)count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) x[i][k] = at(p, points[i], k);
    RbPolygon polygon = {(const double(*)[2])x, start, loops};
    RbTriangle *triangles = rb_new_array(&scratch, RbTriangle, rb_triangulate_room(&polygon));
    int made = rb_triangulate(&polygon, triangles, scratch);
    for (int i = 0; i < made; i++) {
        const int *v = triangles[i].v;
        int a = points[v[0]], b = points[v[1]], c = points[v[2]];
        if (a == b || b == c || c == a) continue; // along a bridge
        if (out->count == out->room) return false;
        out->triangles[out->count++] = (RbTriangle){{a, backwards ? c : b, backwards ? b : c}};
    }
    return true;
}

static bool replace_members(Plane *p, RbArena scratch) {
    RbTidy *t = p->t;
    int others = 0;
    double before = 0, after = 0;
    for (int i = 0; i < p->border_count; i++) {
        Side *s = &p->border[i];
        s->left = winding(p, s);
        if (s->left > 1 || s->left < 0 || s->left - s->times < -1) return false;
    }
    for (int i = 0; i < t->count; i++) others += !p->member[i];
    Fresh fresh = {.room = t->room - others};
    fresh.triangles = rb_new_array(&scratch, RbTriangle, fresh.room);
    for (int backwards = 0; backwards < 2; backwards++)
        if (!add_part(p, backwards, &fresh, scratch)) return false;
    for (int i = 0; i < t->count; i++)
        if (p->member[i]) before += v3_norm(normal_of(t, t->triangles[i].v));
    for (int i = 0; i < fresh.count; i++) after += v3_norm(normal_of(t, fresh.triangles[i].v));
    if (!(after < (1 - 1e-9) * before)) return false;
    for (int i = 0, kept = 0; i < t->count; i++)
        if (!p->member[i]) t->triangles[kept++] = t->triangles[i];
    for (int i = 0; i < fresh.count; i++) t->triangles[others + i] = fresh.triangles[i];
    t->count = others + fresh.count;
    return true;
}

bool rb_tidy_net_plane(RbTidy *t, int triangle, RbArena scratch) {
    enum { ROUNDS = 256 };
    Plane p = {.t = t, .member = rb_new_array(&scratch, bool, t->room)};
    set_plane(&p, triangle);
    find_members(&p);
    int largest = largest_member(&p);
    if (largest < 0) return false;
    set_plane(&p, largest);
    for (int round = 0; round < ROUNDS; round++) {
        RbArena s = scratch;
        RbMesh mesh = rb_tidy_mesh(t);
        RbMeshEdges edges = rb_mesh_edges(&mesh, &s);
        find_members(&p);
        find_border(&p, &edges, &s);
        int divided = divide_sides(&p, &edges, s);
        if (divided == 0) divided = divide_crossing(&p, &edges);
        if (divided == 0) return replace_members(&p, s);
        if (divided < 0) return false;
    }
    return false;
}

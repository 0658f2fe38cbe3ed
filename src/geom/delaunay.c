// SPDX-License-Identifier: MIT
#include "geom/delaunay.h"

#include "base/array.h"
#include "base/map.h"
#include "base/sort.h"
#include "math/rng.h"

static const double MOVED = 1e-5; // [mean distance] of points, for the predicates
static const double AROUND = 3e3; // [size of all points] of the tetrahedron that is there first
enum { NONE = -1 };

// face k is opposite to v[k]
typedef struct Tet {
    int v[4];
    int beside[4]; // tetrahedron behind face k
    bool gone;
    int mark; // last point whose cavity it was looked at for
} Tet;

// Seen from inside, the corners of face k go round so that (them, v[k]) is right-handed.
static const int face[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};

typedef struct Hole {
    int v[3]; // of a face, with the point right-handed
    int behind;
} Hole;

typedef struct Mesh {
    Vec3 *p; // scaled and moved; the last four are around all
    RB_ARRAY(Tet) tets;
    RB_ARRAY(int) free;  // numbers that may be used again
    RB_ARRAY(int) stack; // tetrahedra of the cavity
    RB_ARRAY(Hole) holes;
    RbMap open; // by the two ends of an edge: face that waits for its neighbour
    RbArena *arena;
    int last;
} Mesh;

static long double orient(const Vec3 *p, int a, int b, int c, int d) {
    long double ax = p[b].x - (long double)p[a].x, ay = p[b].y - (long double)p[a].y,
                az = p[b].z - (long double)p[a].z, bx = p[c].x - (long double)p[a].x,
                by = p[c].y - (long double)p[a].y, bz = p[c].z - (long double)p[a].z,
                cx = p[d].x - (long double)p[a].x, cy = p[d].y - (long double)p[a].y,
                cz = p[d].z - (long double)p[a].z;
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

// Positive: e is inside the sphere through the right-handed a, b, c, d.
static long double in_sphere(const Vec3 *p, const int v[4], int e) {
    long double m[4][4];
    for (int i = 0; i < 4; i++) {
        long double x = p[v[i]].x - (long double)p[e].x, y = p[v[i]].y - (long double)p[e].y,
                    z = p[v[i]].z - (long double)p[e].z;
        m[i][0] = x, m[i][1] = y, m[i][2] = z, m[i][3] = x * x + y * y + z * z;
    }
    long double xy[4][4];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) xy[i][k] = m[i][0] * m[k][1] - m[k][0] * m[i][1];
    long double abc = m[0][2] * xy[1][2] - m[1][2] * xy[0][2] + m[2][2] * xy[0][1],
                bcd = m[1][2] * xy[2][3] - m[2][2] * xy[1][3] + m[3][2] * xy[1][2],
                cda = m[2][2] * xy[3][0] + m[3][2] * xy[0][2] + m[0][2] * xy[2][3],
                dab = m[3][2] * xy[0][1] + m[0][2] * xy[1][3] + m[1][2] * xy[3][0];
    return -((m[3][3] * abc - m[0][3] * bcd) + (m[1][3] * cda - m[2][3] * dab));
}

static int new_tet(Mesh *m, Tet t) {
    if (m->free.count > 0) {
        int number = m->free.data[--m->free.count];
        m->tets.data[number] = t;
        return number;
    }
    rb_array_push(&m->tets, m->arena, t);
    return m->tets.count - 1;
}

// The tetrahedron that a point is in, by walking towards it.
static int find(const Mesh *m, int point) {
    int at = m->last;
    for (int steps = 0; steps <= m->tets.count; steps++) {
        const Tet *t = &m->tets.data[at];
        int next = NONE;
        for (int i = 0; i < 4 && next == NONE; i++) {
            int k = (i + steps) % 4; // no face is always the first: that could go in a circle
            const int *f = face[k];
            if (orient(m->p, t->v[f[0]], t->v[f[1]], t->v[f[2]], point) < 0) next = t->beside[k];
        }
        if (next == NONE) return at;
        at = next;
    }
    return NONE;
}

static void add_hole(Mesh *m, const Tet *t, int k) {
    const int *f = face[k];
    rb_array_push(&m->holes, m->arena,
                  ((Hole){{t->v[f[0]], t->v[f[1]], t->v[f[2]]}, t->beside[k]}));
}

// All that contain the point in their spheres, beginning with the one it is in; and the faces around them.
static bool dig(Mesh *m, int point, int start) {
    m->stack.count = m->holes.count = 0;
    m->tets.data[start].mark = point;
    m->tets.data[start].gone = true;
    rb_array_push(&m->stack, m->arena, start);
    for (int i = 0; i < m->stack.count; i++) {
        Tet t = m->tets.data[m->stack.data[i]];
        for (int k = 0; k < 4; k++) {
            int b = t.beside[k];
            if (b != NONE && m->tets.data[b].mark != point) {
                m->tets.data[b].mark = point;
                m->tets.data[b].gone = in_sphere(m->p, m->tets.data[b].v, point) > 0;
                if (m->tets.data[b].gone) rb_array_push(&m->stack, m->arena, b);
            }
            if (b == NONE || !m->tets.data[b].gone) add_hole(m, &t, k);
        }
    }
    // Rounding: a face that the point does not see. The start sees all of its own.
    for (int i = 0; i < m->holes.count; i++) {
        const int *v = m->holes.data[i].v;
        if (!(orient(m->p, v[0], v[1], v[2], point) > 0)) return false;
    }
    return true;
}

// Two new tetrahedra share the face from an edge of the hole to the point.
static void link_edge(Mesh *m, int tet, int k, int a, int b) {
    uint64_t key = (uint64_t)(a < b ? a : b) << 32 | (uint32_t)(a < b ? b : a);
    uint64_t *other = rb_map_find(&m->open, key);
    if (!other || *other == UINT64_MAX) {
        rb_map_set(&m->open, m->arena, key, (uint64_t)(4 * tet + k));
        return;
    }
    int t = (int)(*other / 4), side = (int)(*other % 4);
    m->tets.data[tet].beside[k] = t;
    m->tets.data[t].beside[side] = tet;
    *other = UINT64_MAX;
}

static void fill(Mesh *m, int point) {
    for (int i = 0; i < m->stack.count; i++) rb_array_push(&m->free, m->arena, m->stack.data[i]);
    for (int i = 0; i < m->holes.count; i++) {
        Hole h = m->holes.data[i];
        Tet t = {.v = {h.v[0], h.v[1], h.v[2], point},
                 .beside = {NONE, NONE, NONE, h.behind},
                 .mark = point};
        int number = new_tet(m, t);
        for (int k = 0; h.behind != NONE && k < 4;
             k++) { // the one behind knows it as its neighbour
            const Tet *b = &m->tets.data[h.behind];
            int v = b->v[k];
            if (v != h.v[0] && v != h.v[1] && v != h.v[2])
                m->tets.data[h.behind].beside[k] = number;
        }
        link_edge(m, number, 0, h.v[1], h.v[2]);
        link_edge(m, number, 1, h.v[0], h.v[2]);
        link_edge(m, number, 2, h.v[0], h.v[1]);
        m->last = number;
    }
}

typedef struct Order {
    uint64_t key;
    int point;
} Order;

static int compare_order(const void *a, const void *b) {
    const Order *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return (p->point > q->point) - (p->point < q->point);
}

static uint64_t spread(uint64_t x) { // two bits free after each
    uint64_t out = 0;
    for (int i = 0; i < 20; i++) out |= (x >> i & 1) << 3 * i;
    return out;
}

// One after another along a curve that fills space: the walk to the next is short.
static Order *sort_points(const Vec3 *p, int count, RbArena *arena) {
    Order *order = rb_new_array(arena, Order, count);
    for (int i = 0; i < count; i++) {
        double scale = 1 << 19;
        order[i] = (Order){spread((uint64_t)((p[i].x + 0.5) * scale)) |
                               spread((uint64_t)((p[i].y + 0.5) * scale)) << 1 |
                               spread((uint64_t)((p[i].z + 0.5) * scale)) << 2,
                           i};
    }
    rb_sort_items(order, count, sizeof *order, compare_order);
    return order;
}

bool rb_delaunay(const Vec3 *points, int count, RbArena *keep, RbArena scratch, RbDelaunay *out) {
    *out = (RbDelaunay){0};
    if (count < 4) return false;
    Vec3 low = points[0], high = low;
    for (int i = 0; i < count; i++) low = v3_min(low, points[i]), high = v3_max(high, points[i]);
    double size = v3_max_abs(v3_sub(high, low)), moved = MOVED / cbrt(count);
    Vec3 middle = v3_lerp(low, high, 0.5);
    Mesh m = {.p = rb_new_array(&scratch, Vec3, count + 4), .arena = &scratch};
    RbRng rng = rb_rng(17);
    for (int i = 0; i < count; i++) {
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = rb_rng_range(&rng, -moved, moved);
        m.p[i] = v3_add(v3_scale(1 / (1.01 * size), v3_sub(points[i], middle)), v3_load(d));
    }
    m.p[count] = v3(-AROUND, -AROUND, -AROUND), m.p[count + 1] = v3(3 * AROUND, -AROUND, -AROUND);
    m.p[count + 2] = v3(-AROUND, 3 * AROUND, -AROUND);
    m.p[count + 3] = v3(-AROUND, -AROUND, 3 * AROUND);
    m.last = new_tet(
        &m,
        (Tet){{count, count + 1, count + 2, count + 3}, {NONE, NONE, NONE, NONE}, .mark = NONE});
    const Order *order = sort_points(m.p, count, &scratch);
    for (int i = 0; i < count; i++) {
        int start = find(&m, order[i].point);
        if (start == NONE || !dig(&m, order[i].point, start)) return false;
        fill(&m, order[i].point);
    }
    out->tets = rb_arena_push_array(keep, sizeof *out->tets, (size_t)m.tets.count, alignof(int));
    for (int i = 0; i < m.tets.count; i++) {
        const Tet *t = &m.tets.data[i];
        bool whole = !t->gone;
        for (int k = 0; k < 4; k++) whole = whole && t->v[k] < count;
        if (!whole) continue;
        for (int k = 0; k < 4; k++) out->tets[out->count][k] = t->v[k];
        out->count++;
    }
    return out->count > 0;
}

double rb_circumradius(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    Vec3 u = v3_sub(b, a), v = v3_sub(c, a), w = v3_sub(d, a);
    double six = v3_dot(u, v3_cross(v, w));
    Vec3 sum = v3_add(
        v3_scale(v3_norm2(u), v3_cross(v, w)),
        v3_add(v3_scale(v3_norm2(v), v3_cross(w, u)), v3_scale(v3_norm2(w), v3_cross(u, v))));
    return six == 0 ? INFINITY : v3_norm(sum) / (2 * fabs(six));
}

// SPDX-License-Identifier: MIT
#include "geom/plate_mesh.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"

// Side k goes from v[k] to v[k + 1]; n[k] is the triangle beyond it, or -1.
typedef struct Facet {
    int v[3], n[3];
} Facet;

typedef struct Point {
    double x[2];
} Point;

typedef struct Plane {
    RbArena *arena;
    RB_ARRAY(Point) points;
    RB_ARRAY(Facet) facets;
    RB_ARRAY(int) side_start; // sides of the polygon, divided: points from, to
    RB_ARRAY(int) side_end;
} Plane;

static const double *at(const Plane *p, int i) {
    return p->points.data[i].x;
}

static double area2(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Positive: d is inside the circle through a, b, c, which run counter-clockwise; by the size of its terms.
static double in_circle(const double *a, const double *b, const double *c, const double *d) {
    double ax = a[0] - d[0], ay = a[1] - d[1], bx = b[0] - d[0], by = b[1] - d[1], cx = c[0] - d[0],
           cy = c[1] - d[1];
    double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    double sum = aa * (bx * cy - by * cx) + bb * (cx * ay - cy * ax) + cc * (ax * by - ay * bx);
    double scale = aa * (fabs(bx * cy) + fabs(by * cx)) + bb * (fabs(cx * ay) + fabs(cy * ax)) +
                   cc * (fabs(ax * by) + fabs(ay * bx));
    return scale > 0 ? sum / scale : 0;
}

static int side_to(const Facet *f, int neighbour) {
    return f->n[0] == neighbour ? 0 : f->n[1] == neighbour ? 1 : 2;
}

static void point_back(Plane *p, int from, int before, int now) {
    if (from >= 0) p->facets.data[from].n[side_to(&p->facets.data[from], before)] = now;
}

// Triangles a b c and b a d become a d c and d b c.
static void flip(Plane *p, int t, int k) {
    Facet *f = &p->facets.data[t], old = *f;
    int u = old.n[k];
    Facet *g = &p->facets.data[u], other = *g;
    int j = side_to(&other, t), a = old.v[k], b = old.v[(k + 1) % 3], c = old.v[(k + 2) % 3],
        d = other.v[(j + 2) % 3];
    *f = (Facet){{a, d, c}, {other.n[(j + 1) % 3], u, old.n[(k + 2) % 3]}};
    *g = (Facet){{d, b, c}, {other.n[(j + 2) % 3], old.n[(k + 1) % 3], t}};
    point_back(p, f->n[0], u, t);
    point_back(p, g->n[1], t, u);
}

// Is the side not one of Delaunay's?
static bool is_wrong(const Plane *p, int t, int k) {
    const double least = 1e-10; // four points on a circle stay as they are
    const Facet *f = &p->facets.data[t];
    if (f->n[k] < 0) return false;
    const Facet *g = &p->facets.data[f->n[k]];
    int d = g->v[(side_to(g, t) + 2) % 3];
    return in_circle(at(p, f->v[0]), at(p, f->v[1]), at(p, f->v[2]), at(p, d)) > least;
}

static void flip_all(Plane *p) {
    bool more = true;
    for (int pass = 0; more && pass < 100; pass++) {
        more = false;
        for (int t = 0; t < p->facets.count; t++)
            for (int k = 0; k < 3; k++) {
                if (!is_wrong(p, t, k)) continue;
                flip(p, t, k);
                more = true;
            }
    }
}

// The side of triangle t opposite to a new point, and what its flip makes wrong.
static void flip_around(Plane *p, int t, int point) {
    const Facet *f = &p->facets.data[t];
    int k = f->v[0] == point ? 1 : f->v[1] == point ? 2 : 0, u = f->n[k];
    if (!is_wrong(p, t, k)) return;
    flip(p, t, k);
    flip_around(p, t, point);
    flip_around(p, u, point);
}

// ---- what the polygon gives

static void link_sides(Plane *p) {
    RbMap open = {0};
    for (int t = 0; t < p->facets.count; t++)
        for (int k = 0; k < 3; k++) {
            Facet *f = &p->facets.data[t];
            uint64_t a = (uint64_t)f->v[k], b = (uint64_t)f->v[(k + 1) % 3];
            uint64_t *found = rb_map_find(&open, b << 32 | a);
            f->n[k] = found ? (int)(*found / 3) : -1;
            if (found)
                p->facets.data[*found / 3].n[*found % 3] = t;
            else
                rb_map_set(&open, p->arena, a << 32 | b, 3 * (uint64_t)t + (uint64_t)k);
        }
}

static void take_polygon(Plane *p, const RbPolygon *polygon) {
    RbArena scratch = *rb_arena_child(p->arena);
    RbTriangle *triangles = rb_new_array(p->arena, RbTriangle, rb_triangulate_room(polygon));
    int count = rb_triangulate(polygon, triangles, scratch);
    for (int i = 0; i < polygon->loop_start[polygon->loop_count]; i++)
        rb_array_push(&p->points, p->arena, ((Point){{polygon->x[i][0], polygon->x[i][1]}}));
    for (int i = 0; i < count; i++) {
        const int *v = triangles[i].v;
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue; // along a bridge to a hole
        rb_array_push(&p->facets, p->arena, ((Facet){{v[0], v[1], v[2]}, {-1, -1, -1}}));
    }
    link_sides(p);
}

// A point on a side of the polygon, in the triangle that has it.
static void divide_side(Plane *p, int a, int b, Point x) {
    int point = p->points.count, u = p->facets.count;
    for (int t = 0; t < u; t++)
        for (int k = 0; k < 3; k++) {
            Facet old = p->facets.data[t];
            if (old.v[k] != a || old.v[(k + 1) % 3] != b) continue;
            int c = old.v[(k + 2) % 3], beyond = old.n[(k + 1) % 3];
            rb_array_push(&p->points, p->arena, x);
            rb_array_push(&p->facets, p->arena, ((Facet){{point, b, c}, {-1, beyond, t}}));
            p->facets.data[t] = (Facet){{a, point, c}, {-1, u, old.n[(k + 2) % 3]}};
            point_back(p, beyond, t, u);
            flip_around(p, t, point), flip_around(p, u, point);
            return;
        }
}

static void divide_sides(Plane *p, const RbPolygon *polygon, double size) {
    for (int loop = 0; loop < polygon->loop_count; loop++) {
        int first = polygon->loop_start[loop], end = polygon->loop_start[loop + 1];
        for (int i = first; i < end; i++) {
            int b = i + 1 < end ? i + 1 : first, from = i;
            double dx = at(p, b)[0] - at(p, i)[0], dy = at(p, b)[1] - at(p, i)[1];
            int pieces = (int)ceil(hypot(dx, dy) / size - 0.2);
            for (int k = 1; k < pieces; k++) {
                double part = (double)k / pieces;
                Point x = {{polygon->x[i][0] + part * dx, polygon->x[i][1] + part * dy}};
                int now = p->points.count;
                divide_side(p, from, b, x);
                rb_array_push(&p->side_start, p->arena, from);
                rb_array_push(&p->side_end, p->arena, now);
                from = now;
            }
            rb_array_push(&p->side_start, p->arena, from);
            rb_array_push(&p->side_end, p->arena, b);
        }
    }
}

// ---- inside

static double distance2_to_side(const double *a, const double *b, const double *x) {
    double d[2] = {b[0] - a[0], b[1] - a[1]}, r[2] = {x[0] - a[0], x[1] - a[1]};
    double along = (d[0] * r[0] + d[1] * r[1]) / (d[0] * d[0] + d[1] * d[1]);
    along = fmin(1, fmax(0, along));
    return pow(r[0] - along * d[0], 2) + pow(r[1] - along * d[1], 2);
}

static bool is_near_a_side(const Plane *p, Point x, double least) {
    for (int i = 0; i < p->side_start.count; i++)
        if (distance2_to_side(at(p, p->side_start.data[i]), at(p, p->side_end.data[i]), x.x) <
            least * least)
            return true;
    return false;
}

// The triangle that has a point well inside; -1: none.
static int facet_at(const Plane *p, Point x) {
    for (int t = 0; t < p->facets.count; t++) {
        const int *v = p->facets.data[t].v;
        const double *a = at(p, v[0]), *b = at(p, v[1]), *c = at(p, v[2]);
        double least = 1e-9 * area2(a, b, c);
        if (area2(a, b, x.x) > least && area2(b, c, x.x) > least && area2(c, a, x.x) > least)
            return t;
    }
    return -1;
}

static void add_inside(Plane *p, Point x) {
    int t = facet_at(p, x), u = p->facets.count, point = p->points.count;
    if (t < 0) return;
    Facet old = p->facets.data[t];
    rb_array_push(&p->points, p->arena, x);
    rb_array_push(&p->facets, p->arena,
                  ((Facet){{old.v[1], old.v[2], point}, {old.n[1], u + 1, t}}));
    rb_array_push(&p->facets, p->arena, ((Facet){{old.v[2], old.v[0], point}, {old.n[2], t, u}}));
    p->facets.data[t] = (Facet){{old.v[0], old.v[1], point}, {old.n[0], u, u + 1}};
    point_back(p, old.n[1], t, u), point_back(p, old.n[2], t, u + 1);
    for (int k = 0; k < 3; k++) flip_around(p, k == 0 ? t : u + k - 1, point);
}

static void bounds_of(const Plane *p, double low[2], double high[2]) {
    for (int k = 0; k < 2; k++) low[k] = high[k] = at(p, 0)[k];
    for (int i = 0; i < p->points.count; i++)
        for (int k = 0; k < 2; k++)
            low[k] = fmin(low[k], at(p, i)[k]), high[k] = fmax(high[k], at(p, i)[k]);
}

static void fill(Plane *p, double size) {
    const double height = 0.8660254037844386, apart = 0.6; // in sizes: of a triangle, from sides
    double low[2], high[2];
    bounds_of(p, low, high);
    int rows = (int)((high[1] - low[1]) / (height * size)),
        columns = (int)((high[0] - low[0]) / size) + 1;
    double rest = 0.5 * (high[1] - low[1] - rows * height * size);
    for (int i = 0; i <= rows; i++)
        for (int k = 0; k <= columns; k++) {
            Point x = {
                {low[0] + (k + (i % 2 ? 0.5 : 0.0)) * size, low[1] + rest + i * height * size}};
            if (!is_near_a_side(p, x, apart * size)) add_inside(p, x);
        }
}

// ---- points to the middle of their neighbours

typedef struct Star {
    double sum[2];
    int count;
    bool inside;
} Star;

static void smooth(Plane *p, RbArena scratch) {
    Star *stars = rb_new_array(&scratch, Star, p->points.count);
    for (int i = 0; i < p->points.count; i++) stars[i].inside = true;
    for (int i = 0; i < p->side_start.count; i++) stars[p->side_start.data[i]].inside = false;
    for (int t = 0; t < p->facets.count; t++)
        for (int k = 0; k < 3; k++) { // each neighbour comes twice
            Star *s = &stars[p->facets.data[t].v[k]];
            for (int j = 1; j < 3; j++) {
                const double *x = at(p, p->facets.data[t].v[(k + j) % 3]);
                s->sum[0] += x[0], s->sum[1] += x[1], s->count++;
            }
        }
    for (int i = 0; i < p->points.count; i++)
        for (int k = 0; k < 2 && stars[i].inside; k++) {
            double *x = &p->points.data[i].x[k], before = *x;
            *x = stars[i].sum[k] / stars[i].count, stars[i].sum[k] = before;
        }
    for (bool more = true; more;) { // where a triangle turned over all go back
        more = false;
        for (int t = 0; t < p->facets.count; t++) {
            const int *v = p->facets.data[t].v;
            if (area2(at(p, v[0]), at(p, v[1]), at(p, v[2])) > 0) continue;
            for (int k = 0; k < 3; k++) {
                if (!stars[v[k]].inside) continue;
                memcpy(p->points.data[v[k]].x, stars[v[k]].sum, sizeof stars[v[k]].sum);
                stars[v[k]].inside = false, more = true;
            }
        }
    }
}

// ---- in all

static double polygon_area(const RbPolygon *polygon) {
    double sum = 0;
    for (int i = 0; i < polygon->loop_count; i++) sum += 0.5 * rb_polygon_area2(polygon, i);
    return sum;
}

double rb_plate_size(const RbPolygon *polygon, int most) {
    double round = 0, area = polygon_area(polygon);
    for (int loop = 0; loop < polygon->loop_count; loop++) {
        int first = polygon->loop_start[loop], end = polygon->loop_start[loop + 1];
        for (int i = first; i < end; i++) {
            const double *a = polygon->x[i], *b = polygon->x[i + 1 < end ? i + 1 : first];
            round += hypot(b[0] - a[0], b[1] - a[1]);
        }
    }
    return fmax(area / round, sqrt(area / (0.433 * most)));
}

RbPlaneMesh rb_plane_mesh(const RbPolygon *polygon, double size, RbArena *keep, RbArena scratch) {
    enum { PASSES = 4 };
    Plane p = {.arena = rb_arena_child(keep)};
    take_polygon(&p, polygon);
    flip_all(&p);
    divide_sides(&p, polygon, size);
    fill(&p, size);
    for (int i = 0; i < PASSES; i++) {
        smooth(&p, scratch);
        flip_all(&p);
    }
    RbPlaneMesh out = {.count = p.points.count, .triangle_count = p.facets.count};
    out.x = rb_arena_push_array(keep, sizeof *out.x, (size_t)out.count + 1, alignof(double));
    out.triangles = rb_new_array(keep, RbTriangle, out.triangle_count + 1);
    for (int i = 0; i < out.count; i++) memcpy(out.x[i], at(&p, i), sizeof *out.x);
    for (int i = 0; i < out.triangle_count; i++)
        memcpy(out.triangles[i].v, p.facets.data[i].v, sizeof out.triangles[i].v);
    rb_arena_free(p.arena);
    return out;
}

// ---- layers

typedef struct Layers {
    RbArena *keep;
    RB_ARRAY(Vec3) nodes;
    int (*tets)[RB_TET_NODES];
    int count;
} Layers;

static void add_tet(Layers *l, int a, int b, int c, int d) {
    const Vec3 *x = l->nodes.data;
    double six = v3_dot(v3_cross(v3_sub(x[b], x[a]), v3_sub(x[c], x[a])), v3_sub(x[d], x[a]));
    int *tet = l->tets[l->count++];
    tet[0] = a, tet[1] = b, tet[2] = six > 0 ? c : d, tet[3] = six > 0 ? d : c;
}

// Diagonals of the sides start at the smaller numbers below, so that neighbours fit.
static void add_prism(Layers *l, const RbTriangle *triangle, int below, int above) {
    int a = triangle->v[0], b = triangle->v[1], c = triangle->v[2], swap;
    if (a > b) swap = a, a = b, b = swap;
    if (b > c) swap = b, b = c, c = swap;
    if (a > b) swap = a, a = b, b = swap;
    add_tet(l, below + a, below + b, below + c, above + c);
    add_tet(l, below + a, below + b, above + b, above + c);
    add_tet(l, below + a, above + a, above + b, above + c);
}

static void add_middles(Layers *l, RbArena scratch) {
    static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    RbMap middle = {0};
    for (int i = 0; i < l->count; i++)
        for (int k = 0; k < 6; k++) {
            int a = l->tets[i][edge[k][0]], b = l->tets[i][edge[k][1]], swap;
            if (a > b) swap = a, a = b, b = swap;
            uint64_t key = (uint64_t)a << 32 | (uint64_t)b, *found = rb_map_find(&middle, key);
            l->tets[i][4 + k] = found ? (int)*found : l->nodes.count;
            if (found) continue;
            rb_map_set(&middle, &scratch, key, (uint64_t)l->nodes.count);
            rb_array_push(&l->nodes, l->keep, v3_lerp(l->nodes.data[a], l->nodes.data[b], 0.5));
        }
}

RbTetMesh rb_plate_mesh(const RbPlaneMesh *plane, double height, int layers, int order,
                        RbArena *keep, RbArena scratch) {
    Layers l = {.keep = keep};
    size_t count = 3 * (size_t)layers * (size_t)plane->triangle_count;
    l.tets = rb_arena_push_array(keep, sizeof *l.tets, count + 1, alignof(int));
    for (int k = 0; k <= layers; k++)
        for (int i = 0; i < plane->count; i++)
            rb_array_push(&l.nodes, keep, v3(plane->x[i][0], plane->x[i][1], height * k / layers));
    for (int k = 0; k < layers; k++)
        for (int i = 0; i < plane->triangle_count; i++)
            add_prism(&l, &plane->triangles[i], plane->count * k, plane->count * (k + 1));
    if (order == 2) add_middles(&l, scratch);
    return (RbTetMesh){.nodes = l.nodes.data,
                       .node_count = l.nodes.count,
                       .tets = (const int(*)[RB_TET_NODES])l.tets,
                       .tet_count = l.count,
                       .order = order};
}

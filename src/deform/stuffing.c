// SPDX-License-Identifier: MIT
#include "deform/stuffing.h"

#include "base/map.h"
#include "base/sort.h"
#include "deform/element.h"
#include "deform/placing.h"
#include "geom/moments.h"

static const double ON_SURFACE = 1e-6; // [spacing] nearer is on it
static const double SNAP = 0.3; // [edge] points of the grid nearer to the surface are moved onto it
enum { POINTS_MOST = 20000000 };

typedef struct StuffGrid {
    const RbMesh *mesh;
    double a; // [m]
    Vec3 low;
    int n[3];
    double
        *depth; // [m] per point: below the surface; only its sign is right further away than a cube
    Vec3 *r;    // [m] per point
    RbArena *arena;
} StuffGrid;

static int number(const StuffGrid *g, int x, int y, int z) {
    return (x * g->n[1] + y) * g->n[2] + z;
}

// ---- depth

// Distance of a point from a triangle (C. Ericson, Real-time collision detection, 5.1.5).
static double triangle_distance(Vec3 p, Vec3 a, Vec3 b, Vec3 c) {
    Vec3 ab = v3_sub(b, a), ac = v3_sub(c, a), ap = v3_sub(p, a);
    double d1 = v3_dot(ab, ap), d2 = v3_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return v3_norm(ap);
    Vec3 bp = v3_sub(p, b);
    double d3 = v3_dot(ab, bp), d4 = v3_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return v3_norm(bp);
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return v3_norm(v3_axpy(ap, -d1 / (d1 - d3), ab));
    Vec3 cp = v3_sub(p, c);
    double d5 = v3_dot(ab, cp), d6 = v3_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return v3_norm(cp);
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return v3_norm(v3_axpy(ap, -d2 / (d2 - d6), ac));
    double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6) {
        double t = (d4 - d3) / (d4 - d3 + d5 - d6);
        return v3_norm(v3_axpy(bp, -t, v3_sub(c, b)));
    }
    double scale = 1 / (va + vb + vc);
    return v3_norm(v3_axpy(v3_axpy(ap, -vb * scale, ab), -vc * scale, ac));
}

// Points of the grid between two places along an axis, by their numbers.
static void range(const StuffGrid *g, int axis, double low, double high, int out[2]) {
    double from = (low - v3_get(g->low, axis)) / g->a, to = (high - v3_get(g->low, axis)) / g->a;
    out[0] = (int)fmax(0, ceil(from));
    out[1] = (int)fmin(g->n[axis] - 1, floor(to));
}

static void find_distances(StuffGrid *g) {
    double reach = 2 * g->a;
    for (int t = 0; t < g->mesh->triangle_count; t++) {
        const int *v = g->mesh->triangles[t].v;
        Vec3 a = g->mesh->vertices[v[0]], b = g->mesh->vertices[v[1]], c = g->mesh->vertices[v[2]];
        Vec3 low = v3_min(a, v3_min(b, c)), high = v3_max(a, v3_max(b, c));
        int x[3][2];
        for (int k = 0; k < 3; k++)
            range(g, k, v3_get(low, k) - reach, v3_get(high, k) + reach, x[k]);
        for (int i = x[0][0]; i <= x[0][1]; i++)
            for (int j = x[1][0]; j <= x[1][1]; j++)
                for (int k = x[2][0]; k <= x[2][1]; k++) {
                    double *depth = &g->depth[number(g, i, j, k)];
                    *depth = fmin(*depth, triangle_distance(g->r[number(g, i, j, k)], a, b, c));
                }
    }
}

typedef struct Crossing {
    int line;
    double x;
} Crossing;

static int compare_crossings(const void *a, const void *b) {
    const Crossing *p = a, *q = b;
    if (p->line != q->line) return p->line < q->line ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

typedef RB_ARRAY(Crossing) Crossings;

// Where a line along x through (y, z) goes through a triangle; false: nowhere.
static bool cross(Vec3 a, Vec3 b, Vec3 c, double y, double z, double *x) {
    double wa = (b.y - y) * (c.z - z) - (c.y - y) * (b.z - z),
           wb = (c.y - y) * (a.z - z) - (a.y - y) * (c.z - z),
           wc = (a.y - y) * (b.z - z) - (b.y - y) * (a.z - z), sum = wa + wb + wc;
    if (sum == 0 || wa * sum < 0 || wb * sum < 0 || wc * sum < 0) return false;
    *x = (wa * a.x + wb * b.x + wc * c.x) / sum;
    return true;
}

// Points with an odd number of triangles before them, along lines that pass beside the points by a little, and so beside the edges
// and corners of drawn parts.
static void find_signs(StuffGrid *g) {
    Crossings all = {0};
    double dy = 1.2345e-7 * g->a, dz = 2.3456e-7 * M_PI * g->a;
    for (int t = 0; t < g->mesh->triangle_count; t++) {
        const int *v = g->mesh->triangles[t].v;
        Vec3 a = g->mesh->vertices[v[0]], b = g->mesh->vertices[v[1]], c = g->mesh->vertices[v[2]];
        int y[2], z[2];
        range(g, 1, fmin(a.y, fmin(b.y, c.y)) - g->a, fmax(a.y, fmax(b.y, c.y)) + g->a, y);
        range(g, 2, fmin(a.z, fmin(b.z, c.z)) - g->a, fmax(a.z, fmax(b.z, c.z)) + g->a, z);
        for (int j = y[0]; j <= y[1]; j++)
            for (int k = z[0]; k <= z[1]; k++) {
                Crossing hit = {.line = j * g->n[2] + k};
                if (cross(a, b, c, g->low.y + j * g->a + dy, g->low.z + k * g->a + dz, &hit.x))
                    rb_array_push(&all, g->arena, hit);
            }
    }
    rb_sort_items(all.data, all.count, sizeof *all.data, compare_crossings);
    int at = 0;
    for (int line = 0; line < g->n[1] * g->n[2]; line++) {
        int end = at, before = at;
        while (end < all.count && all.data[end].line == line) end++;
        for (int i = 0; i < g->n[0]; i++) {
            while (before < end && all.data[before].x < g->low.x + i * g->a) before++;
            double *depth = &g->depth[i * g->n[1] * g->n[2] + line];
            if ((before - at) % 2 == 0) *depth = -*depth;
            if (fabs(*depth) < ON_SURFACE * g->a) *depth = 0;
        }
        at = end;
    }
}

static RbStatus make_grid(StuffGrid *g, const char *name, RbPos at, RbDiag *diag) {
    const RbMesh *m = g->mesh;
    Vec3 low = m->vertices[0], high = low;
    for (int i = 0; i < m->vertex_count; i++)
        low = v3_min(low, m->vertices[i]), high = v3_max(high, m->vertices[i]);
    double points = 1;
    g->low = low;
    for (int k = 0; k < 3; k++) {
        double cells = ceil((v3_get(high, k) - v3_get(low, k)) / g->a - ON_SURFACE);
        points *= cells + 1;
        g->n[k] = (int)fmin(cells, POINTS_MOST) + 1;
    }
    if (!(points <= POINTS_MOST))
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "a grid of %g m in '%s' has %.3g points, more than %d: make it coarser",
                       g->a, name, points, POINTS_MOST);
    g->depth = rb_new_array(g->arena, double, (size_t)points);
    g->r = rb_new_array(g->arena, Vec3, (size_t)points);
    for (int i = 0; i < (int)points; i++) {
        int x = i / (g->n[1] * g->n[2]), y = i / g->n[2] % g->n[1], z = i % g->n[2];
        g->r[i] = v3_axpy(low, g->a, v3(x, y, z));
        g->depth[i] = 2 * g->a;
    }
    find_distances(g);
    find_signs(g);
    return RB_OK;
}

// ---- tetrahedra

typedef struct Stuffed {
    StuffGrid *g;
    RB_ARRAY(Vec3) cuts; // behind the points of the grid
    RbMap cut_of;        // by the two ends
    RB_ARRAY(RbSoftTet) tets;
    int points;
} Stuffed;

static uint64_t pair_key(int a, int b) {
    return a < b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
}

static Vec3 place(const Stuffed *s, int vertex) {
    return vertex < s->points ? s->g->r[vertex] : s->cuts.data[vertex - s->points];
}

static double fraction(const StuffGrid *g, int a, int b) { // from a to b, where the depth is zero
    return g->depth[a] / (g->depth[a] - g->depth[b]);
}

static int cut_edge(Stuffed *s, int a, int b) {
    uint64_t key = pair_key(a, b), *known = rb_map_find(&s->cut_of, key);
    if (known) return (int)*known;
    if (a > b) return cut_edge(s, b, a); // the same place from either end
    int vertex = s->points + s->cuts.count;
    rb_array_push(&s->cuts, s->g->arena, v3_lerp(s->g->r[a], s->g->r[b], fraction(s->g, a, b)));
    rb_map_set(&s->cut_of, s->g->arena, key, (uint64_t)vertex);
    return vertex;
}

static void add_tet(Stuffed *s, int a, int b, int c, int d) {
    Vec3 o = place(s, a);
    double six =
        v3_dot(v3_cross(v3_sub(place(s, b), o), v3_sub(place(s, c), o)), v3_sub(place(s, d), o));
    RbSoftTet t = {.node = {a, b, c, d}, .nodes = 4};
    if (six < 0) t.node[2] = d, t.node[3] = c;
    if (fabs(six) < 1e-9 * s->g->a * s->g->a * s->g->a) return; // flat: it has no volume to fill
    rb_array_push(&s->tets, s->g->arena, t);
}

// The base is a, b, c, d in a circle; its diagonal starts at the smallest number.
static void add_pyramid(Stuffed *s, int apex, int a, int b, int c, int d) {
    int ac = a < c ? a : c, bd = b < d ? b : d;
    if (ac < bd)
        add_tet(s, apex, a, b, c), add_tet(s, apex, a, c, d);
    else
        add_tet(s, apex, b, c, d), add_tet(s, apex, b, d, a);
}

// Triangles v[0 .. 2] and v[3 .. 5]: the diagonals of the three sides start at their smallest numbers (J. Dompierre and others, How to
// subdivide pyramids, prisms and hexahedra into tetrahedra, 1999).
static void add_prism(Stuffed *s, const int v[6]) {
    static const int turned[6][6] = {{0, 1, 2, 3, 4, 5}, {1, 2, 0, 4, 5, 3}, {2, 0, 1, 5, 3, 4},
                                     {3, 5, 4, 0, 2, 1}, {4, 3, 5, 1, 0, 2}, {5, 4, 3, 2, 1, 0}};
    int least = 0, w[6];
    for (int i = 1; i < 6; i++) least = v[i] < v[least] ? i : least;
    for (int i = 0; i < 6; i++) w[i] = v[turned[least][i]];
    int one = w[1] < w[5] ? w[1] : w[5], other = w[2] < w[4] ? w[2] : w[4];
    add_tet(s, w[0], w[4], w[5], w[3]);
    if (one < other)
        add_tet(s, w[0], w[1], w[2], w[5]), add_tet(s, w[0], w[1], w[5], w[4]);
    else
        add_tet(s, w[0], w[1], w[2], w[4]), add_tet(s, w[0], w[4], w[2], w[5]);
}

// Is a point in the solid? Slow; for tetrahedra all of whose corners are on the surface.
static bool is_inside(const StuffGrid *g, Vec3 p) {
    int before = 0;
    for (int t = 0; t < g->mesh->triangle_count; t++) {
        const int *v = g->mesh->triangles[t].v;
        const Vec3 *at = g->mesh->vertices;
        double x;
        if (cross(at[v[0]], at[v[1]], at[v[2]], p.y, p.z, &x) && x < p.x) before++;
    }
    return before % 2 == 1;
}

static void add_if_inside(Stuffed *s, const int v[4]) {
    Vec3 middle = V3_ZERO;
    // not in the middle: lines through it would meet the edges of drawn parts
    const double weight[4] = {0.2413, 0.2571, 0.2647, 0.2369};
    for (int i = 0; i < 4; i++) middle = v3_axpy(middle, weight[i], place(s, v[i]));
    if (is_inside(s->g, middle)) add_tet(s, v[0], v[1], v[2], v[3]);
}

// A tetrahedron of the grid, without what is outside.
static void clip(Stuffed *s, const int v[4]) {
    int in[4], on[4], out[4], ins = 0, ons = 0, outs = 0;
    for (int i = 0; i < 4; i++) {
        double depth = s->g->depth[v[i]];
        if (depth > 0)
            in[ins++] = v[i];
        else if (depth < 0)
            out[outs++] = v[i];
        else
            on[ons++] = v[i];
    }
    if (ins == 0 && outs > 0) return;
    if (ins == 0) {
        add_if_inside(s, v);
    } else if (outs == 0) {
        add_tet(s, v[0], v[1], v[2], v[3]);
    } else if (ins == 1) {
        int w[3] = {0};
        for (int i = 0; i < ons; i++) w[i] = on[i];
        for (int i = 0; i < outs; i++) w[ons + i] = cut_edge(s, in[0], out[i]);
        add_tet(s, in[0], w[0], w[1], w[2]);
    } else if (ins == 2 && outs == 1) {
        add_pyramid(s, on[0], in[0], in[1], cut_edge(s, in[1], out[0]), cut_edge(s, in[0], out[0]));
    } else if (ins == 2) {
        add_prism(s, (int[]){in[0], cut_edge(s, in[0], out[0]), cut_edge(s, in[0], out[1]), in[1],
                             cut_edge(s, in[1], out[0]), cut_edge(s, in[1], out[1])});
    } else {
        add_prism(s, (int[]){in[0], in[1], in[2], cut_edge(s, in[0], out[0]),
                             cut_edge(s, in[1], out[0]), cut_edge(s, in[2], out[0])});
    }
}

// ORDER tetrahedra.c: paths from corner 0 to corner 7.
static const int paths[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
static const int step[14][3] = {{1, 0, 0},   {0, 1, 0},   {0, 0, 1},   {1, 1, 0},   {1, 0, 1},
                                {0, 1, 1},   {1, 1, 1},   {-1, 0, 0},  {0, -1, 0},  {0, 0, -1},
                                {-1, -1, 0}, {-1, 0, -1}, {0, -1, -1}, {-1, -1, -1}};

static bool in_grid(const StuffGrid *g, int x, int y, int z) {
    return x >= 0 && y >= 0 && z >= 0 && x < g->n[0] && y < g->n[1] && z < g->n[2];
}

// Points near the surface are moved onto it, to where one of their edges is cut: no slivers are left.
static void snap(StuffGrid *g) {
    for (int i = 0; i < g->n[0] * g->n[1] * g->n[2]; i++) {
        int x = i / (g->n[1] * g->n[2]), y = i / g->n[2] % g->n[1], z = i % g->n[2], best = -1;
        double least = SNAP;
        for (int k = 0; k < 14 && g->depth[i] != 0; k++) {
            if (!in_grid(g, x + step[k][0], y + step[k][1], z + step[k][2])) continue;
            int j = number(g, x + step[k][0], y + step[k][1], z + step[k][2]);
            if (!(g->depth[i] * g->depth[j] < 0) || !(fraction(g, i, j) < least)) continue;
            least = fraction(g, i, j);
            best = j;
        }
        if (best < 0) continue;
        g->r[i] = v3_lerp(g->r[i], g->r[best], least);
        g->depth[i] = 0;
    }
}

static void cut_cubes(Stuffed *s) {
    const StuffGrid *g = s->g;
    for (int x = 0; x + 1 < g->n[0]; x++)
        for (int y = 0; y + 1 < g->n[1]; y++)
            for (int z = 0; z + 1 < g->n[2]; z++)
                for (int p = 0; p < 6; p++) {
                    int v[4];
                    for (int i = 0; i < 4; i++) {
                        int c = paths[p][i];
                        v[i] = number(g, x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
                    }
                    clip(s, v);
                }
}

static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

static void add_middles(Stuffed *s) {
    RbMap middle_of = {0};
    for (int i = 0; i < s->tets.count; i++) {
        RbSoftTet *t = &s->tets.data[i];
        for (int k = 0; k < 6; k++) {
            int a = t->node[edge[k][0]], b = t->node[edge[k][1]];
            uint64_t key = pair_key(a, b), *known = rb_map_find(&middle_of, key);
            t->node[4 + k] = known ? (int)*known : s->points + s->cuts.count;
            if (known) continue;
            rb_map_set(&middle_of, s->g->arena, key, (uint64_t)(s->points + s->cuts.count));
            rb_array_push(&s->cuts, s->g->arena, v3_lerp(place(s, a), place(s, b), 0.5));
        }
        t->nodes = 10;
    }
}

// ---- into the scene

static void add_molecule(RbSoftScene *scene, const RbStuffing *o, RbPos at, Vec3 r) {
    rb_soft_scene_add_molecule(scene, &(RbMolecule){.r = r,
                                                    .v = o->velocity,
                                                    .radius = o->radius,
                                                    .friction = o->friction,
                                                    .material = o->material,
                                                    .fixed = o->fixed,
                                                    .at = at});
}

static void add_elements(RbSoftScene *scene, const RbStuffing *o, RbPos at, StuffGrid *g,
                         RbSoftFillReport *out) {
    Stuffed s = {.g = g, .points = g->n[0] * g->n[1] * g->n[2]};
    snap(g);
    cut_cubes(&s);
    if (scene->materials.data[o->material].order == 2) add_middles(&s);
    int count = s.points + s.cuts.count, next = 0;
    int *number_of = rb_new_array(g->arena, int, count);
    for (int i = 0; i < s.tets.count; i++)
        for (int k = 0; k < s.tets.data[i].nodes; k++) number_of[s.tets.data[i].node[k]] = 1;
    for (int i = 0; i < count; i++) {
        if (number_of[i] == 0) continue;
        number_of[i] = next++;
        add_molecule(scene, o, at, place(&s, i));
    }
    for (int i = 0; i < s.tets.count; i++) {
        RbSoftTet t = s.tets.data[i];
        RbElementPoint point[1];
        Vec3 rest[4];
        for (int k = 0; k < 4; k++) rest[k] = place(&s, t.node[k]);
        if (rb_element_points(rest, 4, point)) out->volume += point[0].volume;
        for (int k = 0; k < t.nodes; k++) t.node[k] = number_of[t.node[k]];
        rb_soft_scene_add_tet(scene, &t);
    }
    out->molecules = next;
    out->elements = s.tets.count;
}

static void add_points(RbSoftScene *scene, const RbStuffing *o, RbPos at, const StuffGrid *g,
                       RbSoftFillReport *out) {
    int points = g->n[0] * g->n[1] * g->n[2];
    bool *inside = rb_new_array(g->arena, bool, points);
    for (int i = 0; i < points; i++) inside[i] = g->depth[i] >= 0;
    RbPlacing placing = {{g->n[0], g->n[1], g->n[2]}, g->a, g->low, inside, o->placement};
    const Vec3 *r = rb_placing_points(&placing, g->arena, &out->molecules);
    for (int i = 0; i < out->molecules; i++) add_molecule(scene, o, at, r[i]);
}

RbStatus rb_stuff(RbSoftScene *scene, const char *name, RbPos at, const RbMesh *mesh,
                  const RbStuffing *o, RbArena scratch, RbDiag *diag, RbSoftFillReport *out) {
    StuffGrid g = {.mesh = mesh, .a = o->spacing, .arena = &scratch};
    *out = (RbSoftFillReport){.solid_volume = rb_moments_of_mesh(mesh).volume};
    RB_TRY(make_grid(&g, name, at, diag));
    rb_soft_scene_add_object(scene, name, at);
    bool springs = scene->materials.data[o->material].model == RB_SOFT_SPRINGS;
    if (!springs && o->placement > RB_SOFT_CUBIC)
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "'%s' is of elements, which fill it on a cubic grid: body-centred and random "
                       "placements are for springs",
                       name);
    scene->objects.data[scene->objects.count - 1].placement = springs ? o->placement : 0;
    if (springs)
        add_points(scene, o, at, &g, out);
    else
        add_elements(scene, o, at, &g, out);
    scene->objects.data[scene->objects.count - 1].volume = out->solid_volume;
    if (out->molecules > 0) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, at,
                   "a grid of %g m has no point inside '%s': make it finer", g.a, name);
}

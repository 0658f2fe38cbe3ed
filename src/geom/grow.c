// SPDX-License-Identifier: MIT
#include "geom/grow.h"

#include "geom/mesh_weld.h"

#define SCATTER  0.15 // of the growth
#define ENOUGH   0.5  // in units of the growth: more than the scatter
#define FLATTEST 1e-3 // sine of half the angle of a wedge whose faces still grow

typedef struct Grow {
    const RbSkin *skin;
    const RbMesh *mesh;
    double tol;
    const int *place;     // of each vertex: the first vertex there
    const int *start;     // of the triangles of each place, those of all vertices that are there
    const int *triangles; // of the places
    Vec3 *move;           // of each place, in units of the growth
    int *touched;         // of each place: a triangle that it lies on, plus one
} Grow;

static void find_places(Grow *g, int *welded, RbArena *scratch) {
    const RbMesh *m = g->mesh;
    int corners = 3 * m->triangle_count;
    int *start = rb_new_array(scratch, int, (size_t)m->vertex_count + 2);
    int *triangles = rb_new_array(scratch, int, corners);
    g->place = rb_mesh_weld(m, g->tol, scratch, welded);
    for (int i = 0; i < corners; i++) start[g->place[m->triangles[i / 3].v[i % 3]] + 2]++;
    for (int v = 0; v < m->vertex_count; v++) start[v + 2] += start[v + 1];
    for (int i = 0; i < corners; i++)
        triangles[start[g->place[m->triangles[i / 3].v[i % 3]] + 1]++] = i / 3;
    g->start = start;
    g->triangles = triangles;
}

// ---- along the normals ----

// The normals of the triangles around a place, each direction once: one that is split into many triangles counts no more
// than one that is not.
static int collect_normals(const Grow *g, int place, const Vec3 *normals, Vec3 *out) {
    int count = 0;
    for (int i = g->start[place]; i < g->start[place + 1]; i++) {
        Vec3 n = normals[g->triangles[i]];
        bool seen = false;
        for (int k = 0; k < count && !seen; k++) seen = v3_dot(n, out[k]) > 0.999999;
        if (!seen) out[count++] = n;
    }
    return count;
}

// The normal that has least of a direction.
static int least_along(const Vec3 *n, int count, Vec3 d) {
    int least = 0;
    for (int i = 1; i < count; i++)
        if (v3_dot(n[i], d) < v3_dot(n[least], d)) least = i;
    return least;
}

// The point of the convex hull of the normals that is nearest to the origin. It lies in a triangle of three of them: the
// one that is farthest behind replaces a corner, until none is (Gilbert, Johnson and Keerthi 1988).
static Vec3 nearest_in_hull(const Vec3 *n, int count) {
    enum { ROUNDS = 64 };
    Vec3 corners[3] = {n[0], n[0], n[0]}, w = n[0];
    for (int round = 0; round < ROUNDS; round++) {
        Vec3 fresh = n[least_along(n, count, w)], nearest = w;
        int replaced = -1;
        if (v3_dot(fresh, w) >= 0.99 * v3_norm2(w)) break;
        for (int k = 0; k < 3; k++) {
            Vec3 tried[3] = {corners[0], corners[1], corners[2]};
            tried[k] = fresh;
            Vec3 x = rb_triangle_nearest(tried);
            if (v3_norm2(x) < v3_norm2(nearest)) nearest = x, replaced = k;
        }
        if (replaced < 0) break;
        corners[replaced] = fresh;
        w = nearest;
    }
    return w;
}

// Where a place moves so that all of its faces do, by about one: the sum of the normals may point into the solid, as at
// the base of a flat pyramid. The point w of their convex hull that is nearest to the origin has n . w >= w . w for all of
// them. Where there is none, on saddles, the sum. *part: how far the face that moves least does.
static Vec3 direction_out(const Vec3 *n, int count, double *part) {
    Vec3 sum = V3_ZERO;
    *part = 1;
    for (int i = 0; i < count; i++) sum = v3_add(sum, n[i]);
    Vec3 along = v3_norm2(sum) > 1e-12 ? v3_unit(sum) : V3_ZERO;
    if (count == 0 || v3_dot(n[least_along(n, count, along)], along) >= ENOUGH) return along;
    Vec3 w = nearest_in_hull(n, count);
    double length = v3_norm(w), least = v3_dot(n[least_along(n, count, w)], w) / length;
    if (!(least > FLATTEST)) return along;
    double far = fmin(1 / least, RB_GROW_FARTHEST);
    *part = far * least;
    return v3_scale(far / length, w);
}

static double scatter(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) * 0x1p-23 - 1;
}

static void move_along_normals(Grow *g, double sign, unsigned seed, RbArena scratch) {
    const RbMesh *m = g->mesh;
    Vec3 *normals = rb_new_array(&scratch, Vec3, m->triangle_count);
    for (int t = 0; t < m->triangle_count; t++) {
        const int *v = m->triangles[t].v;
        normals[t] = v3_unit(v3_cross(v3_sub(m->vertices[v[1]], m->vertices[v[0]]),
                                      v3_sub(m->vertices[v[2]], m->vertices[v[0]])));
    }
    Vec3 *around = rb_new_array(&scratch, Vec3, 3 * (size_t)m->triangle_count);
    for (int v = 0; v < m->vertex_count; v++) {
        Vec3 noise = v3(scatter(&seed), scatter(&seed), scatter(&seed));
        double part;
        if (g->place[v] != v) continue;
        int count = collect_normals(g, v, normals, around);
        Vec3 out = direction_out(around, count, &part);
        g->move[v] = v3_axpy(out, sign * part * SCATTER, noise);
    }
}

// ---- places that lie on a triangle which does not end there ----

static void corners_from(const Grow *g, int triangle, Vec3 p, Vec3 out[3]) {
    const int *v = g->mesh->triangles[triangle].v;
    for (int k = 0; k < 3; k++) out[k] = v3_sub(g->mesh->vertices[v[k]], p);
}

static bool lies_on(const Grow *g, int place, int triangle) {
    const int *v = g->mesh->triangles[triangle].v;
    Vec3 corners[3];
    for (int k = 0; k < 3; k++)
        if (g->place[v[k]] == place) return false;
    corners_from(g, triangle, g->mesh->vertices[place], corners);
    return v3_norm(rb_triangle_nearest(corners)) <= g->tol;
}

static int find_touched(const Grow *g, int place, int *stack) {
    const RbMeshTree *tree = &g->skin->tree;
    Vec3 p = g->mesh->vertices[place];
    int count = 0;
    stack[count++] = 0;
    while (count > 0) {
        const RbMeshNode *n = &tree->nodes[stack[--count]];
        Vec3 off = v3_sub(v3_abs(v3_sub(p, n->centre)), n->half);
        if (off.x > g->tol || off.y > g->tol || off.z > g->tol) continue;
        for (int i = 0; i < n->count; i++)
            if (lies_on(g, place, tree->triangles[n->first + i]))
                return tree->triangles[n->first + i] + 1;
        if (n->count > 0) continue;
        stack[count++] = n->right;
        stack[count++] = n->left;
    }
    return 0;
}

static bool find_all_touched(Grow *g, RbArena scratch) {
    int *stack = rb_new_array(&scratch, int, (size_t)g->skin->tree.depth + 2);
    bool any = false;
    for (int v = 0; v < g->mesh->vertex_count; v++) {
        if (g->place[v] == v) g->touched[v] = find_touched(g, v, stack);
        any |= g->touched[v] > 0;
    }
    return any;
}

// How a triangle moves at a place on it: by the areas opposite its corners.
static Vec3 move_on(const Grow *g, int triangle, Vec3 p) {
    const int *v = g->mesh->triangles[triangle].v;
    Vec3 x[3], sum = V3_ZERO;
    double total = 0;
    corners_from(g, triangle, p, x);
    for (int k = 0; k < 3; k++) {
        double weight = v3_norm(v3_cross(x[(k + 1) % 3], x[(k + 2) % 3]));
        sum = v3_axpy(sum, weight, g->move[g->place[v[k]]]);
        total += weight;
    }
    return v3_scale(1 / total, sum);
}

// Places may lie on triangles whose corners lie on others, hence several times.
static void move_together(Grow *g) {
    enum { ROUNDS = 64 };
    for (int round = 0; round < ROUNDS; round++) {
        for (int v = 0; v < g->mesh->vertex_count; v++)
            if (g->touched[v] > 0) g->move[v] = move_on(g, g->touched[v] - 1, g->mesh->vertices[v]);
    }
}

Vec3 *rb_grow(const RbSkin *s, const RbGrowth *growth, bool *touches, RbArena *keep,
              RbArena scratch) {
    int welded = 0, n = s->mesh.vertex_count;
    Vec3 *x = rb_new_array(keep, Vec3, n);
    Grow g = {.skin = s,
              .mesh = &s->mesh,
              .tol = growth->tol,
              .move = rb_new_array(&scratch, Vec3, n),
              .touched = rb_new_array(&scratch, int, n)};
    find_places(&g, &welded, &scratch);
    move_along_normals(&g, copysign(1, growth->by), growth->seed, scratch);
    bool lies = find_all_touched(&g, scratch);
    if (lies) move_together(&g);
    for (int v = 0; v < n; v++) x[v] = v3_axpy(s->mesh.vertices[v], growth->by, g.move[g.place[v]]);
    *touches = lies || welded > 0;
    return x;
}

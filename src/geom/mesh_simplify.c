// SPDX-License-Identifier: MIT
// A vertex v goes by sliding into a neighbour u: allowed if u lies within the tolerance of the planes of
// all triangles of v (new triangles then do too, as their other corners lie in such a plane), no triangle
// turns over, and the surface stays a surface (v and u have exactly two neighbours in common).
#include "geom/mesh_make.h"

// Why a vertex cannot go: no neighbour lies in all of its planes, or the surface would touch itself.
typedef enum Stay { MAY_GO, BY_ITS_TRIANGLES, BY_ITS_NEIGHBOURS } Stay;

typedef struct Simplify {
    const Vec3 *x;
    int vertex_count;
    RbTriangle *triangles; // a removed one has v[0] < 0
    int triangle_count;
    double tol;
    double longest;    // [m] of new sides
    double *error;     // [m] by which the surface at a vertex has moved
    int *start, *list; // triangles of each vertex
    bool *busy;        // its triangles were changed in this round
    Stay *stays;       // nothing has changed since it was found that it cannot go
    int *seen, look;   // the last look at neighbours that saw a vertex
} Simplify;

#define ROUNDING 1e-12 // of the size: what is that far from a plane lies in it

enum { RING = 64 }; // vertices with more neighbours stay

static void list_triangles(Simplify *s) {
    for (int v = 0; v <= s->vertex_count + 1; v++) s->start[v] = 0;
    for (int t = 0; t < s->triangle_count; t++) {
        if (s->triangles[t].v[0] < 0) continue;
        for (int k = 0; k < 3; k++) s->start[s->triangles[t].v[k] + 2]++;
    }
    for (int v = 0; v <= s->vertex_count; v++) s->start[v + 1] += s->start[v];
    for (int t = 0; t < s->triangle_count; t++) {
        if (s->triangles[t].v[0] < 0) continue;
        for (int k = 0; k < 3; k++) s->list[s->start[s->triangles[t].v[k] + 1]++] = t;
    }
}

static bool has(const RbTriangle *t, int v) {
    return t->v[0] == v || t->v[1] == v || t->v[2] == v;
}

// The neighbours of a vertex; -1 if there are too many. They have seen = look.
static int neighbours(Simplify *s, int v, int *out) {
    int n = 0;
    s->seen[v] = ++s->look;
    for (int i = s->start[v]; i < s->start[v + 1]; i++) {
        for (int k = 0; k < 3; k++) {
            int u = s->triangles[s->list[i]].v[k];
            if (s->seen[u] == s->look) continue;
            if (n == RING) return -1;
            s->seen[u] = s->look;
            out[n++] = u;
        }
    }
    s->seen[v] = 0;
    return n;
}

static Vec3 normal_of(const Simplify *s, const RbTriangle *t) {
    Vec3 a = s->x[t->v[0]];
    return v3_cross(v3_sub(s->x[t->v[1]], a), v3_sub(s->x[t->v[2]], a));
}

static RbTriangle with(RbTriangle t, int v, int u) {
    for (int k = 0; k < 3; k++) {
        if (t.v[k] == v) t.v[k] = u;
    }
    return t;
}

static double longest2(const Simplify *s, const RbTriangle *t) {
    double best = 0;
    for (int k = 0; k < 3; k++) {
        best = fmax(best, v3_norm2(v3_sub(s->x[t->v[k]], s->x[t->v[(k + 1) % 3]])));
    }
    return best;
}

// Worst shape (height over longest side) of the new triangles, or -1 if v may not slide into u.
// *moved is how far the surface would move.
static double quality(const Simplify *s, int v, int u, double *moved) {
    double worst = INFINITY;
    *moved = 0;
    for (int i = s->start[v]; i < s->start[v + 1]; i++) {
        const RbTriangle *t = &s->triangles[s->list[i]];
        if (has(t, u)) continue;
        Vec3 n = normal_of(s, t);
        double size = v3_norm(n);
        if (size > 0) *moved = fmax(*moved, fabs(v3_dot(n, v3_sub(s->x[u], s->x[v]))) / size);
        if (*moved + s->error[v] > s->tol) return -1;
        RbTriangle fresh = with(*t, v, u);
        double side2 = longest2(s, &fresh);
        if (side2 > s->longest * s->longest) return -1;
        Vec3 m = normal_of(s, &fresh);
        if (!(v3_dot(n, m) > 0.5 * size * v3_norm(m)) && size > 0) return -1;
        worst = fmin(worst, v3_norm(m) / side2);
    }
    return worst;
}

static bool may_join(Simplify *s, const int *a, int na, int u) {
    int b[RING], nb = neighbours(s, u, b), common = 0;
    for (int i = 0; i < na; i++) common += s->seen[a[i]] == s->look;
    return nb >= 0 && common == 2 && na + nb > 6; // a tetrahedron stays
}

static void slide(Simplify *s, int v, int u, double moved) {
    for (int i = s->start[v]; i < s->start[v + 1]; i++) {
        RbTriangle *t = &s->triangles[s->list[i]];
        for (int k = 0; k < 3; k++) s->busy[t->v[k]] = true;
        if (has(t, u))
            t->v[0] = -1;
        else
            *t = with(*t, v, u);
    }
    for (int i = s->start[u]; i < s->start[u + 1]; i++) {
        const RbTriangle *t = &s->triangles[s->list[i]];
        for (int k = 0; k < 3 && t->v[0] >= 0; k++) s->busy[t->v[k]] = true;
    }
    s->error[u] = fmax(s->error[u], s->error[v] + moved);
}

static bool try_vertex(Simplify *s, int v) {
    int ring[RING], n = neighbours(s, v, ring), best = -1;
    double best_quality = 1e-4, best_moved = 0;
    Stay why = BY_ITS_TRIANGLES;
    for (int i = 0; i < n; i++) {
        if (s->busy[ring[i]]) return false;
    }
    for (int i = 0; i < n; i++) {
        double moved, q = quality(s, v, ring[i], &moved);
        if (!(q > best_quality)) continue;
        why = BY_ITS_NEIGHBOURS;
        if (!may_join(s, ring, n, ring[i])) continue;
        best = ring[i];
        best_quality = q;
        best_moved = moved;
    }
    s->stays[v] = best < 0 ? why : MAY_GO;
    if (best < 0) return false;
    slide(s, v, best, best_moved);
    return true;
}

// Vertices of all triangles that were changed are busy.
static void look_again(Simplify *s) {
    for (int t = 0; t < s->triangle_count; t++) {
        const int *v = s->triangles[t].v;
        if (v[0] < 0 || !(s->busy[v[0]] || s->busy[v[1]] || s->busy[v[2]])) continue;
        for (int k = 0; k < 3; k++) {
            if (s->busy[v[k]] || s->stays[v[k]] == BY_ITS_NEIGHBOURS) s->stays[v[k]] = MAY_GO;
        }
    }
}

static RbMesh compact(const Simplify *s, RbArena *keep, RbArena scratch) {
    RbMeshBuilder b = rb_mesh_builder(keep);
    int *number = rb_new_array(&scratch, int, s->vertex_count);
    for (int t = 0; t < s->triangle_count; t++) {
        const int *v = s->triangles[t].v;
        if (v[0] < 0) continue;
        for (int k = 0; k < 3; k++) {
            if (number[v[k]] == 0) number[v[k]] = rb_mesh_add_vertex(&b, s->x[v[k]]) + 1;
        }
        rb_mesh_add_triangle(&b, number[v[0]] - 1, number[v[1]] - 1, number[v[2]] - 1);
    }
    return rb_mesh_finish(&b);
}

static double size_of(const RbMesh *mesh) {
    double most = 0;
    for (int i = 0; i < mesh->vertex_count; i++) {
        most = fmax(most, v3_max_abs(v3_sub(mesh->vertices[i], mesh->vertices[0])));
    }
    return most;
}

RbMesh rb_mesh_simplify(const RbMesh *mesh, double tol, RbArena *keep, RbArena scratch) {
    return rb_mesh_thin(mesh, tol, INFINITY, keep, scratch);
}

RbMesh rb_mesh_thin(const RbMesh *mesh, double tol, double longest, RbArena *keep,
                    RbArena scratch) {
    int nv = mesh->vertex_count, nt = mesh->triangle_count;
    Simplify s = {.x = mesh->vertices,
                  .vertex_count = nv,
                  .triangles = rb_new_array(&scratch, RbTriangle, nt),
                  .triangle_count = nt,
                  .tol = tol,
                  .longest = longest,
                  .error = rb_new_array(&scratch, double, nv),
                  .start = rb_new_array(&scratch, int, (size_t)nv + 3),
                  .list = rb_new_array(&scratch, int, 3 * (size_t)nt),
                  .busy = rb_new_array(&scratch, bool, nv),
                  .stays = rb_new_array(&scratch, Stay, nv),
                  .seen = rb_new_array(&scratch, int, nv)};
    for (int t = 0; t < nt; t++) s.triangles[t] = mesh->triangles[t];
    for (int removed = 1; removed > 0;) {
        removed = 0;
        look_again(&s);
        list_triangles(&s);
        for (int v = 0; v < nv; v++) s.busy[v] = s.start[v] == s.start[v + 1];
        for (int v = 0; v < nv; v++)
            removed += !s.busy[v] && s.stays[v] == MAY_GO && try_vertex(&s, v);
    }
    RbMesh out = compact(&s, keep, scratch);
    return rb_mesh_delaunay(&out, fmin(tol, ROUNDING * size_of(&out)), keep, scratch);
}

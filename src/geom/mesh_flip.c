// SPDX-License-Identifier: MIT
// Edges between two triangles of one plane are turned until no corner lies in the circle of its neighbour
// (Lawson): the smallest angles become as large as the outline allows. Sides are numbered 3 t + k: from
// v[k] to v[k + 1] of triangle t.
#include "geom/mesh_edges.h"
#include "geom/mesh_make.h"

typedef struct Flips {
    const Vec3 *x;
    RbTriangle *triangles;
    int *twin; // of each side: the side of the neighbour, or -1
    double tol;
    RB_ARRAY(int) queue;
} Flips;

static int next_side(int side) {
    return side % 3 == 2 ? side - 2 : side + 1;
}

static int from(const Flips *f, int side) {
    return f->triangles[side / 3].v[side % 3];
}

static void join(Flips *f, int side, int twin) {
    f->twin[side] = twin;
    f->twin[twin] = side;
}

static void find_twins(Flips *f, const RbMesh *mesh, RbArena *scratch) {
    RbMeshEdges edges = rb_mesh_edges(mesh, scratch);
    for (int i = 0; i < 3 * mesh->triangle_count; i++) f->twin[i] = -1;
    for (int e = 0; e < edges.edge_count; e++) {
        const RbHalfEdge *h = &edges.halves[edges.start[e]];
        if (edges.start[e + 1] - edges.start[e] != 2) continue;
        if (rb_half_edge_forward(mesh, h[0]) == rb_half_edge_forward(mesh, h[1])) continue;
        join(f, 3 * h[0].triangle + h[0].side, 3 * h[1].triangle + h[1].side);
    }
}

// The four corners around a side: from a to b, c to its left, d to its right.
typedef struct Corners {
    int a, b, c, d;
} Corners;

static Corners corners(const Flips *f, int side) {
    int other = f->twin[side];
    return (Corners){from(f, side), from(f, other), from(f, next_side(next_side(side))),
                     from(f, next_side(next_side(other)))};
}

static Vec3 area2(const Flips *f, int a, int b, int c) {
    return v3_cross(v3_sub(f->x[b], f->x[a]), v3_sub(f->x[c], f->x[a]));
}

// Sine and cosine of the angle at corner c between a and b, times the lengths of its sides.
static void angle(const Flips *f, int c, int a, int b, double *sine, double *cosine) {
    *sine = v3_norm(area2(f, c, a, b));
    *cosine = v3_dot(v3_sub(f->x[a], f->x[c]), v3_sub(f->x[b], f->x[c]));
}

// One plane, a convex outline, and a circle that holds the fourth corner?
static bool wants_flip(const Flips *f, Corners q) {
    Vec3 left = area2(f, q.a, q.b, q.c), right = area2(f, q.b, q.a, q.d);
    double height = fabs(v3_dot(left, v3_sub(f->x[q.d], f->x[q.a]))),
           back = fabs(v3_dot(right, v3_sub(f->x[q.c], f->x[q.a])));
    if (!(height <= f->tol * v3_norm(left)) || !(back <= f->tol * v3_norm(right))) return false;
    Vec3 n = v3_add(left, right), one = area2(f, q.a, q.d, q.c), two = area2(f, q.d, q.b, q.c);
    double least = 1e-9 * v3_norm2(n);
    if (!(v3_dot(one, n) > least) || !(v3_dot(two, n) > least)) return false;
    double sc, cc, sd, cd;
    angle(f, q.c, q.a, q.b, &sc, &cc);
    angle(f, q.d, q.a, q.b, &sd, &cd);
    return sc * cd + cc * sd < -1e-9 * (sc + fabs(cc)) * (sd + fabs(cd));
}

// Is there a side from c to d already? Then a new one would have four triangles.
static bool are_joined(const Flips *f, int side_of_c, int d) {
    int at = side_of_c;
    do {
        if (from(f, next_side(at)) == d) return true;
        at = f->twin[next_side(next_side(at))]; // the next side that leaves c
        if (at < 0) return true;
    } while (at != side_of_c);
    return false;
}

static void flip(Flips *f, int side, Corners q) {
    int t = side / 3, u = f->twin[side] / 3, other = f->twin[side];
    int bc = f->twin[next_side(side)], ca = f->twin[next_side(next_side(side))],
        ad = f->twin[next_side(other)], db = f->twin[next_side(next_side(other))];
    const int around[4] = {ad, db, bc, ca};
    f->triangles[t] = (RbTriangle){{q.a, q.d, q.c}};
    f->triangles[u] = (RbTriangle){{q.d, q.b, q.c}};
    join(f, 3 * t, ad);
    join(f, 3 * t + 2, ca);
    join(f, 3 * u, db);
    join(f, 3 * u + 1, bc);
    join(f, 3 * t + 1, 3 * u + 2);
    for (int k = 0; k < 4; k++) f->queue.data[f->queue.count++] = around[k];
}

static bool has_neighbours(const Flips *f, int side) {
    int t = side / 3, u = f->twin[side] / 3;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            int at = f->twin[3 * (i ? u : t) + k];
            if (at < 0) return false;
            if ((at / 3 == t || at / 3 == u) && at != side && f->twin[at] != side) return false;
        }
    }
    return true;
}

RbMesh rb_mesh_delaunay(const RbMesh *mesh, double tol, RbArena *keep, RbArena scratch) {
    int sides = 3 * mesh->triangle_count, left = 100 * sides; // flips at most
    RbMesh out = *mesh;
    Flips f = {.x = mesh->vertices,
               .triangles = rb_new_array(keep, RbTriangle, mesh->triangle_count),
               .twin = rb_new_array(&scratch, int, sides),
               .tol = tol};
    for (int t = 0; t < mesh->triangle_count; t++) f.triangles[t] = mesh->triangles[t];
    find_twins(&f, mesh, &scratch);
    for (int i = 0; i < sides; i++) rb_array_push(&f.queue, &scratch, sides - 1 - i);
    while (f.queue.count > 0) {
        int side = f.queue.data[--f.queue.count];
        if (f.twin[side] < 0 || !has_neighbours(&f, side)) continue;
        Corners q = corners(&f, side);
        if (!wants_flip(&f, q) || are_joined(&f, next_side(next_side(side)), q.d)) continue;
        if (left-- == 0) break;
        rb_array_reserve(&f.queue, &scratch, f.queue.count + 4);
        flip(&f, side, q);
    }
    out.triangles = f.triangles;
    return out;
}

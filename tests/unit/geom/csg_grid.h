// SPDX-License-Identifier: MIT
// csg_grid.h: an oracle of constructive geometry. Solids made of boxes with whole numbers for corners are sets of unit
// cells; volume, area and Euler's characteristic of what is made of them are counted, exactly. Around an edge or a vertex
// in which cells meet without a common face each keeps faces, edges and vertices of its own.
#pragma once

#include <string.h>

#include "csg_cases.h"

enum { GRID = 7 }; // cells in each direction; the outer ones stay empty

typedef struct Grid {
    bool full[GRID][GRID][GRID];
} Grid;

typedef struct GridCount {
    int volume, area, euler;
} GridCount;

// ---- counting

// Boundary faces, numbered by cell and direction: 2 axis + (1: towards higher coordinates).
typedef struct GridFaces {
    const Grid *g;
    int parent[GRID * GRID * GRID * 6 * 4]; // union-find over their corners
} GridFaces;

static bool grid_full(const Grid *g, const int c[3]) {
    for (int k = 0; k < 3; k++)
        if (c[k] < 0 || c[k] >= GRID) return false;
    return g->full[c[0]][c[1]][c[2]];
}

static int grid_face(const int c[3], int axis, int up) {
    return ((c[0] * GRID + c[1]) * GRID + c[2]) * 6 + 2 * axis + up;
}

static bool grid_is_face(const Grid *g, const int c[3], int axis, int up) {
    int other[3] = {c[0], c[1], c[2]};
    other[axis] += up ? 1 : -1;
    return grid_full(g, c) && !grid_full(g, other);
}

// Corner of a face by what it has along the two other axes.
static int grid_corner(int face, int axis, const int high[3]) {
    return 4 * face + 2 * high[(axis + 1) % 3] + high[(axis + 2) % 3];
}

static int grid_root(int *parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// Two faces share an edge along `along`; the ends of that are corners of both, given as what they are relative to the
// cells of the faces.
static void grid_join(GridFaces *f, const int a[3], int axis_a, int up_a, const int b[3],
                      int axis_b, int up_b, int along, const int corner[3]) {
    for (int end = 0; end < 2; end++) {
        int ha[3], hb[3];
        for (int k = 0; k < 3; k++) {
            int x = k == along ? a[k] + end : corner[k];
            ha[k] = x - a[k];
            hb[k] = x - b[k];
        }
        int i = grid_root(f->parent, grid_corner(grid_face(a, axis_a, up_a), axis_a, ha)),
            j = grid_root(f->parent, grid_corner(grid_face(b, axis_b, up_b), axis_b, hb));
        f->parent[i > j ? i : j] = i > j ? j : i;
    }
}

// From the face of cell c in the direction (axis, up) go over its side at `high` along `other`: within the solid to the
// cell that is there, or around the edge of c. Edges of the surface are met twice this way, once from each face.
static void grid_cross_side(GridFaces *f, const int c[3], int axis, int up, int other, int high) {
    int step = high ? 1 : -1, out = up ? 1 : -1, along = 3 - axis - other;
    int beside[3] = {c[0], c[1], c[2]}, over[3], corner[3] = {c[0], c[1], c[2]};
    beside[other] += step;
    for (int k = 0; k < 3; k++) over[k] = beside[k];
    over[axis] += out;
    corner[axis] = c[axis] + up;
    corner[other] = c[other] + high;
    if (!grid_full(f->g, beside)) // a convex edge of c, whatever is beyond it
        grid_join(f, c, axis, up, c, other, high, along, corner);
    else if (!grid_full(f->g, over)) // on in the plane
        grid_join(f, c, axis, up, beside, axis, up, along, corner);
    else // a wall
        grid_join(f, c, axis, up, over, other, !high, along, corner);
}

static GridCount grid_count(const Grid *g) {
    static GridFaces f;
    GridCount n = {0};
    f.g = g;
    for (int i = 0; i < (int)(sizeof f.parent / sizeof *f.parent); i++) f.parent[i] = i;
    int corners = 0;
    for (int pass = 0; pass < 2; pass++) { // join; count
        for (int i = 0; i < GRID * GRID * GRID; i++) {
            int c[3] = {i / GRID / GRID, i / GRID % GRID, i % GRID};
            n.volume += pass == 0 && grid_full(g, c);
            for (int d = 0; d < 6; d++) {
                int axis = d / 2, up = d % 2;
                if (!grid_is_face(g, c, axis, up)) continue;
                n.area += pass == 0;
                for (int s = 0; s < 4; s++) {
                    if (pass == 0)
                        grid_cross_side(&f, c, axis, up, (axis + 1 + s / 2) % 3, s % 2);
                    else
                        corners += f.parent[4 * grid_face(c, axis, up) + s] ==
                                   4 * grid_face(c, axis, up) + s;
                }
            }
        }
    }
    n.euler = corners - 2 * n.area + n.area; // four sides of each face, each shared by two
    return n;
}

// ---- random boxes

typedef struct GridBox {
    int low[3], high[3];
} GridBox;

static GridBox grid_box(RbRng *rng) {
    GridBox b;
    for (int k = 0; k < 3; k++) {
        int i = 1 + rb_rng_int(rng, GRID - 1), j = 1 + rb_rng_int(rng, GRID - 2);
        j += j >= i; // two of 1 to GRID - 1
        b.low[k] = i < j ? i : j;
        b.high[k] = i < j ? j : i;
    }
    return b;
}

static bool grid_contains(const GridBox *b, const int c[3]) {
    bool in = true;
    for (int k = 0; k < 3; k++) in = in && c[k] >= b->low[k] && c[k] < b->high[k];
    return in;
}

static void grid_combine(Grid *a, RbCsg operation, const Grid *b) {
    for (int i = 0; i < GRID * GRID * GRID; i++) {
        bool *p = &a->full[i / GRID / GRID][i / GRID % GRID][i % GRID],
             q = b->full[i / GRID / GRID][i / GRID % GRID][i % GRID];
        *p = operation == RB_CSG_UNION        ? *p || q
             : operation == RB_CSG_DIFFERENCE ? *p && !q
                                              : *p && q;
    }
}

static Grid grid_of_box(const GridBox *b) {
    Grid g;
    for (int i = 0; i < GRID * GRID * GRID; i++) {
        int c[3] = {i / GRID / GRID, i / GRID % GRID, i % GRID};
        g.full[c[0]][c[1]][c[2]] = grid_contains(b, c);
    }
    return g;
}

static RbMesh grid_mesh_of_box(const GridBox *b, RbArena *arena) {
    Vec3 size = v3(b->high[0] - b->low[0], b->high[1] - b->low[1], b->high[2] - b->low[2]);
    Pose X = {v3_axpy(v3(b->low[0], b->low[1], b->low[2]), 0.5, size), M3_IDENTITY};
    return csg_case_moved(csg_case_box(arena, size), X, arena);
}

// ---- chains of operations

static int grid_results, grid_off;

// A solid and what is known about it.
typedef struct GridSolid {
    Grid grid;
    RbMesh mesh;
} GridSolid;

typedef struct GridChain {
    Fixture f;
    RbRng rng;
    int number;
    Pose all; // every third chain is turned as a whole: faces coincide up to rounding
} GridChain;

static GridSolid grid_random_box(GridChain *c) {
    GridBox b = grid_box(&c->rng);
    RbMesh m = grid_mesh_of_box(&b, &c->f.arena);
    return (GridSolid){grid_of_box(&b), csg_case_moved(m, c->all, &c->f.arena)};
}

// Combine b with a, and compare. What is off by area or Euler's characteristic is counted; volumes must be right. Answers
// whether all is.
static bool grid_operate(GridChain *c, GridSolid *a, RbCsg operation, const GridSolid *b) {
    RbMesh out;
    RbMeshReport r = {0};
    ENSURE(rb_csg(operation, &a->mesh, "a", &b->mesh, "b", RB_NOWHERE, &c->f.arena, c->f.scratch,
                  &c->f.diag, &out) == RB_OK);
    grid_combine(&a->grid, operation, &b->grid);
    GridCount want = grid_count(&a->grid);
    grid_results++;
    a->mesh = out;
    if (out.triangle_count > 0) r = rb_mesh_check(&out, c->f.scratch);
    ENSURE(out.triangle_count == 0 || (r.closed && r.oriented && r.unused_vertices == 0));
    int euler = r.vertex_count - r.edge_count + r.triangle_count;
    bool right = fabs(r.area - want.area) <= 1e-10 && euler == want.euler;
    if (!right || !(fabs(r.volume - want.volume) <= 1e-11))
        print_error("chain %d: volume %.15g (%d), area %.15g (%d), Euler %d (%d)\n", c->number,
                    r.volume, want.volume, r.area, want.area, euler, want.euler);
    ENSURE(fabs(r.volume - want.volume) <= 1e-11);
    grid_off += !right;
    return right;
}

static RbCsg grid_operation(RbRng *rng) { // more of those that leave something
    int k = rb_rng_int(rng, 5);
    return k < 2 ? RB_CSG_UNION : k < 4 ? RB_CSG_DIFFERENCE : RB_CSG_INTERSECTION;
}

static void grid_chain_open(GridChain *c, int number, uint64_t seed) {
    *c = (GridChain){.number = number, .rng = rb_rng(seed), .all = POSE_IDENTITY};
    fixture_open(&c->f);
    if (number % 3 == 2) c->all = pose(rb_rng_direction(&c->rng), rb_rng_orientation(&c->rng));
}

// Boxes, and solids of two boxes, one after the other. A chain ends with a result that is not right.
static inline void grid_check(int first, int count) {
    enum { STEPS = 7 };
    for (int i = first; i < first + count; i++) {
        GridChain c;
        grid_chain_open(&c, i, (uint64_t)i * 7919 + 5);
        bool right = true;
        GridSolid a = grid_random_box(&c);
        for (int s = 0; s < STEPS && a.mesh.triangle_count > 0 && right; s++) {
            GridSolid b = grid_random_box(&c), other = grid_random_box(&c);
            if (rb_rng_int(&c.rng, 2)) right = grid_operate(&c, &b, grid_operation(&c.rng), &other);
            if (right && b.mesh.triangle_count > 0)
                right = grid_operate(&c, &a, grid_operation(&c.rng), &b);
        }
        fixture_close(&c.f);
    }
}

// Of at most `most` cells in each direction.
static GridSolid grid_small_box(GridChain *c, int most) {
    GridBox b;
    for (int k = 0; k < 3; k++) {
        int width = 1 + rb_rng_int(&c->rng, most);
        b.low[k] = 1 + rb_rng_int(&c->rng, GRID - 1 - width);
        b.high[k] = b.low[k] + width;
    }
    RbMesh m = grid_mesh_of_box(&b, &c->f.arena);
    return (GridSolid){grid_of_box(&b), csg_case_moved(m, c->all, &c->f.arena)};
}

// Small boxes added and taken away: most such solids meet themselves in edges and vertices. False: one was not right, or
// nothing is left.
static bool grid_heap(GridChain *c, GridSolid *out) {
    enum { BOXES = 10 };
    *out = grid_small_box(c, 3);
    for (int i = 0; i < BOXES; i++) {
        GridSolid b = grid_small_box(c, 2);
        RbCsg operation = rb_rng_int(&c->rng, 3) ? RB_CSG_UNION : RB_CSG_DIFFERENCE;
        if (!grid_operate(c, out, operation, &b) || out->mesh.triangle_count == 0) return false;
    }
    return true;
}

// Pairs of solids that both meet themselves, and each other in faces, edges and vertices.
static inline void grid_check_heaps(int first, int count) {
    for (int i = first; i < first + count; i++) {
        GridChain c;
        GridSolid a, b;
        grid_chain_open(&c, i, (uint64_t)i * 104729 + 77);
        if (grid_heap(&c, &a) && grid_heap(&c, &b))
            grid_operate(&c, &a, (RbCsg)rb_rng_int(&c.rng, 3), &b);
        fixture_close(&c.f);
    }
}

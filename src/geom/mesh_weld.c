// SPDX-License-Identifier: MIT
// Vertices in one cell of a grid, or in neighbouring cells, are compared; cells share buckets.
#include "geom/mesh_weld.h"

#include <string.h>

#include "base/hash.h"

// A cell is larger than the tolerance, so that a vertex mostly needs to look into its own cell
// only.
enum { CELL_FACTOR = 8 };

typedef struct Weld {
    const RbMesh *mesh;
    double tol;  // [m]
    double cell; // [m] size of the cells; 0: each place is a cell
    int *newest; // of each bucket of cells: its newest vertex, plus one
    int *older;  // next vertex in the same bucket, plus one
    uint64_t mask;
} Weld;

// Cells are numbered by doubles, so that no coordinate is too large: far out, where the next double
// is farther away than tol, a vertex has its cell for itself. Adding 0 turns -0 into 0.
static Vec3 cell_of(const Weld *w, Vec3 p) {
    if (!(w->cell > 0)) return v3(p.x + 0.0, p.y + 0.0, p.z + 0.0);
    return v3(floor(p.x / w->cell) + 0.0, floor(p.y / w->cell) + 0.0, floor(p.z / w->cell) + 0.0);
}

static uint64_t cell_hash(double x, double y, double z) {
    double cell[3] = {x, y, z};
    uint64_t bits[3];
    memcpy(bits, cell, sizeof bits);
    return rb_hash_mix(rb_hash_mix(rb_hash_mix(bits[0]) ^ bits[1]) ^ bits[2]);
}

// The first vertex so far within tol of p in a bucket, or -1.
static int find_in_bucket(const Weld *w, uint64_t hash, Vec3 p) {
    int best = -1;
    for (int i = w->newest[hash & w->mask]; i > 0; i = w->older[i - 1]) {
        if (v3_distance(w->mesh->vertices[i - 1], p) <= w->tol) best = i - 1;
    }
    return best;
}

// In all cells that the box of half edge tol around p touches: one or two along each axis.
static int find_near(const Weld *w, Vec3 p, Vec3 low, Vec3 high) {
    int best = -1;
    for (int i = 0; i < 8; i++) {
        bool x = i & 1, y = i & 2, z = i & 4;
        if ((x && high.x == low.x) || (y && high.y == low.y) || (z && high.z == low.z)) continue;
        uint64_t hash = cell_hash(x ? high.x : low.x, y ? high.y : low.y, z ? high.z : low.z);
        int found = find_in_bucket(w, hash, p);
        if (found >= 0 && (best < 0 || found < best)) best = found;
    }
    return best;
}

static void remember(Weld *w, int vertex, Vec3 cell) {
    int *newest = &w->newest[cell_hash(cell.x, cell.y, cell.z) & w->mask];
    w->older[vertex] = *newest;
    *newest = vertex + 1;
}

int *rb_mesh_weld(const RbMesh *mesh, double tol, RbArena *scratch, int *welded) {
    Weld w = {.mesh = mesh, .tol = tol, .cell = CELL_FACTOR * tol};
    size_t buckets = 1;
    while (buckets < (size_t)mesh->vertex_count) buckets *= 2;
    w.mask = buckets - 1;
    w.newest = rb_new_array(scratch, int, buckets);
    int *first = rb_new_array(scratch, int, mesh->vertex_count);
    w.older = rb_new_array(scratch, int, mesh->vertex_count);
    for (int i = 0; i < mesh->vertex_count; i++) {
        first[i] = i;
        if (!v3_finite(mesh->vertices[i])) continue;
        Vec3 p = mesh->vertices[i], reach = v3(tol, tol, tol);
        Vec3 low = cell_of(&w, v3_sub(p, reach)), high = cell_of(&w, v3_add(p, reach));
        int near = find_near(&w, p, low, high);
        if (near >= 0) {
            first[i] = near;
            (*welded)++;
        } else {
            bool one = low.x == high.x && low.y == high.y && low.z == high.z; // p is in it, too
            remember(&w, i, one ? low : cell_of(&w, p));
        }
    }
    return first;
}

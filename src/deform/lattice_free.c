// SPDX-License-Identifier: MIT
// Molecules that stand anyhow. What the body fills is found from tetrahedra between them (geom/delaunay.h), without the large ones at its outside: each molecule has a quarter of those
// around it, and of the surface a third of its triangles.
#include <string.h>

#include "base/map.h"
#include "base/sort.h"
#include "deform/calibrate.h"
#include "deform/lattice_parts.h"
#include "geom/delaunay.h"

static const double NEAR = 3e-3; // rb_calibrate: 1e-2 and 1e-3 are worse
static const double CUT_OFF = 2.1; // [mean distance] of connections
static const double LARGE = 1.4; // [median] spheres of tetrahedra that fill nothing, at the outside

typedef struct Region {
    const RbMolecule *molecules;
    int count;
    RbDelaunay d;
    int (*beside)[4]; // behind the face opposite to a corner; -1: nothing
    double *radius;   // [m] of the sphere of each
    bool *gone;
    Vec3 *area;
    double *volume;
} Region;

static const int face[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}}; // ORDER delaunay.c

static Vec3 corner(const Region *g, int tet, int k) {
    return g->molecules[g->d.tets[tet][k]].r;
}

static int compare_doubles(const void *a, const void *b) {
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

static double median(const double *values, int count, RbArena scratch) {
    double *sorted = rb_new_array(&scratch, double, count);
    memcpy(sorted, values, (size_t)count * sizeof(double));
    rb_sort_items(sorted, count, sizeof(double), compare_doubles);
    return sorted[count / 2];
}

// A face by its corners: 21 bits each.
static uint64_t face_key(const int *t, int k) {
    uint64_t v[3];
    for (int i = 0; i < 3; i++) v[i] = (uint64_t)t[face[k][i]];
    for (int i = 0; i < 3; i++) { // in order
        uint64_t a = v[i % 2], b = v[i % 2 + 1];
        v[i % 2] = a < b ? a : b, v[i % 2 + 1] = a < b ? b : a;
    }
    return v[0] << 42 | v[1] << 21 | v[2];
}

static void find_neighbours(Region *g, RbArena *scratch) {
    RbMap open = {0};
    g->beside = rb_arena_push_array(scratch, sizeof *g->beside, (size_t)g->d.count, alignof(int));
    for (int i = 0; i < g->d.count; i++) {
        for (int k = 0; k < 4; k++) {
            uint64_t key = face_key(g->d.tets[i], k), *other = rb_map_find(&open, key);
            g->beside[i][k] = -1;
            if (!other) {
                rb_map_set(&open, scratch, key, (uint64_t)(4 * i + k));
                continue;
            }
            g->beside[i][k] = (int)(*other / 4);
            g->beside[*other / 4][*other % 4] = i;
        }
    }
}

static bool is_open(const Region *g, int tet) {
    for (int k = 0; k < 4; k++)
        if (g->beside[tet][k] < 0 || g->gone[g->beside[tet][k]]) return true;
    return false;
}

// From the outside inwards, as long as they are large.
static void peel(Region *g, RbArena scratch) {
    double most = LARGE * median(g->radius, g->d.count, scratch);
    for (bool any = true; any;) {
        any = false;
        for (int i = 0; i < g->d.count; i++) {
            if (g->gone[i] || !(g->radius[i] > most) || !is_open(g, i)) continue;
            g->gone[i] = any = true;
        }
    }
}

static void share_out(Region *g) {
    for (int i = 0; i < g->d.count; i++) {
        if (g->gone[i]) continue;
        Vec3 a = corner(g, i, 0), u = v3_sub(corner(g, i, 1), a), v = v3_sub(corner(g, i, 2), a),
             w = v3_sub(corner(g, i, 3), a);
        double volume = v3_dot(v3_cross(u, v), w) / 6;
        for (int k = 0; k < 4; k++) {
            int b = g->beside[i][k];
            g->volume[g->d.tets[i][k]] += volume / 4;
            if (b >= 0 && !g->gone[b]) continue;
            const int *f = face[k]; // seen from inside: outwards it is the other way round
            Vec3 o = corner(g, i, f[0]);
            Vec3 twice = v3_cross(v3_sub(corner(g, i, f[2]), o), v3_sub(corner(g, i, f[1]), o));
            for (int n = 0; n < 3; n++) {
                Vec3 *area = &g->area[g->d.tets[i][f[n]]];
                *area = v3_axpy(*area, 1.0 / 6, twice);
            }
        }
    }
}

// False: they fill nothing, as in a plane.
static bool find_region(Region *g, RbArena *keep, RbArena *scratch) {
    Vec3 *r = rb_new_array(scratch, Vec3, g->count);
    for (int i = 0; i < g->count; i++) r[i] = g->molecules[i].r;
    if (g->count >= 1 << 21 || !rb_delaunay(r, g->count, keep, *scratch, &g->d)) return false;
    g->radius = rb_new_array(scratch, double, g->d.count);
    g->gone = rb_new_array(scratch, bool, g->d.count);
    for (int i = 0; i < g->d.count; i++)
        g->radius[i] =
            rb_circumradius(corner(g, i, 0), corner(g, i, 1), corner(g, i, 2), corner(g, i, 3));
    find_neighbours(g, scratch);
    peel(g, *scratch);
    share_out(g);
    return true;
}

// [m] Side of the cube that a molecule inside has, in the mean; of all, if none is inside.
static double mean_spacing(const Region *g, double otherwise) {
    double all = 0, inside = 0;
    int count = 0;
    for (int i = 0; i < g->count; i++) {
        all += g->volume[i];
        if (v3_norm2(g->area[i]) > 0) continue;
        inside += g->volume[i];
        count++;
    }
    double a = cbrt(count > 0 ? inside / count : all / g->count);
    return a > otherwise ? a : otherwise;
}

// ---- connections

typedef struct Collector {
    RbArena *arena;
    double reach;
    RB_ARRAY(RbBond) bonds;
} Collector;

static void keep_bond(void *user, int i, int j, double distance) {
    Collector *c = user;
    if (distance <= c->reach) rb_array_push(&c->bonds, c->arena, (RbBond){i, j, 0, distance});
}

// k = c/l times the share of the ends, so that the sum of k l² is 6 V: Young's modulus in the mean.
static void guess(RbLattice *l, double volume, double inner) {
    double sum = 0;
    for (int i = 0; i < l->bond_count; i++) {
        RbBond *b = &l->bonds[i];
        double share = 0.5 * (l->volume[b->a] + l->volume[b->b]) / inner;
        b->k = fmax(share, 0.1) / b->length;
        sum += b->k * b->length * b->length;
    }
    for (int i = 0; i < l->bond_count; i++) l->bonds[i].k *= 6 * volume / sum;
}

void rb_lattice_free(const RbMolecule *m, int count, RbArena *keep, RbArena scratch, RbLattice *l) {
    Region g = {.molecules = m,
                .count = count,
                .area = rb_new_array(&scratch, Vec3, count),
                .volume = l->volume};
    l->placement = RB_SOFT_RANDOM;
    l->at = NULL;
    l->count = count;
    bool solid = find_region(&g, keep, &scratch);
    double volume = 0;
    for (int i = 0; i < count; i++) volume += l->volume[i];
    solid = solid && volume > 0.1 * count * pow(l->spacing, 3) / 6; // not a crumpled sheet
    if (solid) l->spacing = mean_spacing(&g, l->spacing);
    for (int i = 0; i < count && !solid; i++) {
        l->volume[i] = 4.0 / 3 * M_PI * m[i].radius * m[i].radius * m[i].radius;
        volume = (i == 0 ? 0 : volume) + l->volume[i];
    }
    Collector c = {keep, CUT_OFF * l->spacing, {0}};
    RbLatticeCells cells = rb_lattice_cells(m, count, c.reach, &scratch);
    for (int i = 0; i < count; i++) rb_lattice_visit(&cells, i, keep_bond, &c);
    l->bonds = c.bonds.data;
    l->bond_count = c.bonds.count;
    rb_sort_items(l->bonds, l->bond_count, sizeof *l->bonds, rb_lattice_compare_bonds);
    guess(l, volume, solid ? pow(l->spacing, 3) : volume / count);
    if (solid)
        l->unbalanced =
            rb_calibrate(m, count, g.area, l->spacing, NEAR, l->bonds, l->bond_count, scratch);
}

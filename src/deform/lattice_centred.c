// SPDX-License-Identifier: MIT
// Molecules on a body-centred grid: whole cubes of side a with a molecule in the middle. Places are counted in a/2; corners of cubes and their middles differ by an
// odd number along each axis. The energy is put together cube by cube, so that tension is exact; middles are not connected with each other.
#include "base/sort.h"
#include "deform/lattice_parts.h"

static const double DIAGONAL = 0.6,
                    EDGE = 0.2; // [E a] of one cube; an edge inside has four of them

static const double MOVED = 3.0 / 16; // of an edge in a free face to the opposite one: bending

// ---- the axes of a grid that is turned: from two diagonals of a cube, whose cosine is 1/3

typedef struct Axes {
    const RbMolecule *molecules;
    double reach; // [m]
    Vec3 first, axis[3];
    bool found;
} Axes;

static void keep_diagonal(void *user, int i, int j, double distance) {
    Axes *x = user;
    if (x->found || distance > x->reach) return;
    Vec3 u = v3_unit(v3_sub(x->molecules[j].r, x->molecules[i].r));
    double c = v3_dot(u, x->first);
    if (c < 0) u = v3_neg(u);
    if (fabs(fabs(c) - 1.0 / 3) > RB_ON_GRID) return;
    Vec3 face = v3_unit(v3_add(x->first, u)),
         up = v3_unit(v3_sub(x->first, u)); // (1, 1, 0), (0, 0, 1)
    Vec3 other = v3_cross(face, up);        // (1, -1, 0)
    x->axis[0] = v3_unit(v3_add(face, other));
    x->axis[1] = v3_unit(v3_sub(face, other));
    x->axis[2] = v3_cross(x->axis[0], x->axis[1]);
    x->found = true;
}

static bool find_axes(const RbMolecule *m, int count, RbNearest nearest, RbArena scratch,
                      Vec3 axis[3]) {
    Axes x = {.molecules = m, .reach = (1 + RB_ON_GRID) * nearest.distance};
    RbLatticeCells c = rb_lattice_cells(m, count, x.reach, &scratch);
    x.first = v3_unit(v3_sub(m[nearest.j].r, m[nearest.i].r));
    for (int i = 0; i < count && !x.found; i++) rb_lattice_visit(&c, i, keep_diagonal, &x);
    for (int k = 0; k < 3; k++) axis[k] = x.axis[k];
    return x.found;
}

// ---- cubes

// Of the cube whose low corner is at a place: eight corners and the middle; false: one is missing.
static bool find_cube(const RbLattice *l, const int at[3], int node[9]) {
    for (int i = 0; i < 9; i++) {
        int place[3];
        for (int k = 0; k < 3; k++) place[k] = at[k] + (i == 8 ? 1 : 2 * (i >> k & 1));
        node[i] = rb_lattice_find(l, place);
        if (node[i] < 0) return false;
    }
    return true;
}

typedef struct Centred {
    const RbMolecule *molecules;
    RbLattice *l;
    double a;
    Vec3 axis[3];
    RB_ARRAY(RbBond) bonds;
    RbArena *arena;
} Centred;

static void add_bond(Centred *c, int a, int b, double k) {
    double length = v3_distance(c->molecules[a].r, c->molecules[b].r);
    rb_array_push(&c->bonds, c->arena, ((RbBond){a < b ? a : b, a < b ? b : a, k * c->a, length}));
}

// On which sides of a cube there is no other.
static void find_open_sides(const RbLattice *l, const int at[3], bool open[3][2]) {
    int other[9];
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2; side++) {
            int next[3] = {at[0], at[1], at[2]};
            next[axis] += side ? 2 : -2;
            open[axis][side] = !find_cube(l, next, other);
        }
    }
}

// As in lattice.c: a little of the edges in a free face is moved to the opposite one.
static double edge_weight(int corner, int along, const bool open[3][2]) {
    double weight = 1;
    for (int axis = 0; axis < 3; axis++) {
        int side = corner >> axis & 1;
        if (axis != along) weight += (open[axis][!side] - open[axis][side]) * MOVED;
    }
    return weight;
}

static void add_cube(Centred *c, const int at[3], const int node[9]) {
    double volume = c->a * c->a * c->a;
    bool open[3][2];
    find_open_sides(c->l, at, open);
    RbLatticeCell cell;
    for (int i = 0; i < 9; i++) cell.molecule[i] = node[i];
    rb_array_push(&c->l->cells, c->arena, cell);
    c->l->volume[node[8]] += volume / 2;
    for (int i = 0; i < 8; i++) {
        c->l->volume[node[i]] += volume / 16;
        add_bond(c, node[i], node[8], DIAGONAL);
        for (int axis = 0; axis < 3; axis++)
            if (!(i >> axis & 1))
                add_bond(c, node[i], node[i | 1 << axis], EDGE * edge_weight(i, axis, open));
    }
}

// Those of several cubes add up.
static void merge(Centred *c) {
    int count = 0;
    rb_sort_items(c->bonds.data, c->bonds.count, sizeof(RbBond), rb_lattice_compare_bonds);
    for (int i = 0; i < c->bonds.count; i++) {
        RbBond *b = &c->bonds.data[i];
        if (count > 0 && rb_lattice_compare_bonds(b, &c->bonds.data[count - 1]) == 0)
            c->bonds.data[count - 1].k += b->k;
        else
            c->bonds.data[count++] = *b;
    }
    c->bonds.count = count;
}

// Cubes with corners that are an even (0) or odd (1) number of half spacings from the first molecule; false: not all molecules belong to one.
static bool add_cubes(Centred *c, int odd) {
    RbLattice *l = c->l;
    c->bonds.count = l->cells.count = 0;
    for (int i = 0; i < l->count; i++) l->volume[i] = 0;
    for (int i = 0; i < l->count; i++) {
        int node[9];
        if ((l->at[i][0] & 1) == odd && find_cube(l, l->at[i], node)) add_cube(c, l->at[i], node);
    }
    for (int i = 0; i < l->count; i++)
        if (!(l->volume[i] > 0)) return false;
    return true;
}

static bool is_centred(const RbLattice *l) {
    for (int i = 0; i < l->count; i++)
        for (int k = 1; k < 3; k++)
            if ((l->at[i][k] & 1) != (l->at[i][0] & 1)) return false;
    return true;
}

bool rb_lattice_centred(const RbMolecule *m, int count, RbNearest nearest, RbArena *keep,
                        RbArena scratch, RbLattice *out) {
    Centred c = {.molecules = m,
                 .l = out,
                 .a = nearest.distance * 2 / sqrt(3),
                 .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                 .arena = keep};
    if (!rb_lattice_locate(m, count, c.a / 2, c.axis, keep, out) &&
        !(find_axes(m, count, nearest, scratch, c.axis) &&
          rb_lattice_locate(m, count, c.a / 2, c.axis, keep, out)))
        return false;
    if (!is_centred(out) || (!add_cubes(&c, 0) && !add_cubes(&c, 1))) return false;
    merge(&c);
    out->spacing = c.a;
    out->bonds = c.bonds.data;
    out->bond_count = c.bonds.count;
    return true;
}

// SPDX-License-Identifier: MIT
#include "deform/lattice.h"

#include "base/sort.h"
#include "deform/lattice_parts.h"

static const double SAME_PLACE = 1e-6; // [radius]
enum { HALF = 13, GRID_LIMIT = 1 << 20 };

// Half of the 26 neighbours: the first nonzero component is positive. 3 along axes, 6 face, 4 body
// diagonals.
static const int direction[HALF][3] = {
    {1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0}, {1, 0, 1},   {1, 0, -1},
    {0, 1, 1}, {0, 1, -1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1},
};

typedef struct Grid {
    const RbMolecule *molecules;
    int count;
    double a;     // [m]
    Vec3 axis[3]; // unit vectors along which the molecules stand
    int (*at)[3];
    RbGridPoint *sorted;
    double (*k)[HALF]; // per molecule and direction: stiffness / (E a)
    double *volume;    // [a3]
} Grid;

static int compare_points(const void *a, const void *b) {
    const RbGridPoint *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return (p->molecule > q->molecule) - (p->molecule < q->molecule);
}

static uint64_t key_of(const int at[3]) {
    uint64_t key = 0;
    for (int i = 0; i < 3; i++) key = key << 21 | (uint64_t)(at[i] + GRID_LIMIT);
    return key;
}

// ---- spacing: molecules sorted into cells of the size of a sphere

static int compare_keys(const void *a, const void *b) {
    return compare_points(a, b);
}

static void cell_of(Vec3 r, Vec3 low, double size, int cell[3]) {
    cell[0] = (int)floor((r.x - low.x) / size);
    cell[1] = (int)floor((r.y - low.y) / size);
    cell[2] = (int)floor((r.z - low.z) / size);
}

static int first_with(const RbGridPoint *sorted, int count, uint64_t key) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

RbLatticeCells rb_lattice_cells(const RbMolecule *m, int count, double size, RbArena *scratch) {
    RbLatticeCells c = {m, count, m[0].r, size, rb_new_array(scratch, RbGridPoint, count)};
    Vec3 high = m[0].r;
    for (int i = 0; i < count; i++) c.low = v3_min(c.low, m[i].r), high = v3_max(high, m[i].r);
    double widest = v3_max_abs(v3_sub(high, c.low));
    if (widest > size * (GRID_LIMIT / 2)) c.size = widest / (GRID_LIMIT / 2);
    for (int i = 0; i < count; i++) {
        int cell[3];
        cell_of(m[i].r, c.low, c.size, cell);
        c.sorted[i] = (RbGridPoint){key_of(cell), i};
    }
    rb_sort_items(c.sorted, count, sizeof *c.sorted, compare_keys);
    return c;
}

void rb_lattice_visit(const RbLatticeCells *c, int i, RbLatticeVisit *visit, void *user) {
    int cell[3];
    cell_of(c->molecules[i].r, c->low, c->size, cell);
    for (int k = 0; k < 27; k++) {
        int next[3] = {cell[0] + k / 9 - 1, cell[1] + k / 3 % 3 - 1, cell[2] + k % 3 - 1};
        uint64_t key = key_of(next);
        for (int p = first_with(c->sorted, c->count, key); p < c->count && c->sorted[p].key == key;
             p++) {
            int j = c->sorted[p].molecule;
            if (j > i) visit(user, i, j, v3_distance(c->molecules[i].r, c->molecules[j].r));
        }
    }
}

static void keep_nearest(void *user, int i, int j, double distance) {
    RbNearest *n = user;
    if (distance < n->distance) *n = (RbNearest){distance, i, j};
}

// The smallest distance of two molecules, INFINITY if they are all further apart than `size`.
static RbNearest find_spacing(const RbMolecule *m, int count, double size, RbArena scratch) {
    RbLatticeCells c = rb_lattice_cells(m, count, size, &scratch);
    RbNearest nearest = {INFINITY, 0, 0};
    for (int i = 0; i < count; i++) rb_lattice_visit(&c, i, keep_nearest, &nearest);
    if (!(nearest.distance <= c.size)) nearest.distance = INFINITY;
    return nearest;
}

// ---- the grid

bool rb_lattice_locate(const RbMolecule *m, int count, double spacing, const Vec3 axis[3],
                       RbArena *keep, RbLattice *out) {
    out->at = rb_arena_push_array(keep, sizeof *out->at, (size_t)count, alignof(int));
    out->sorted = rb_new_array(keep, RbGridPoint, count);
    out->count = count;
    for (int i = 0; i < count; i++) {
        Vec3 d = v3_scale(1 / spacing, v3_sub(m[i].r, m[0].r));
        for (int k = 0; k < 3; k++) {
            double u = v3_dot(axis[k], d);
            if (!(fabs(u) < GRID_LIMIT / 2) || fabs(u - round(u)) > RB_ON_GRID) return false;
            out->at[i][k] = (int)round(u);
        }
        out->sorted[i] = (RbGridPoint){key_of(out->at[i]), i};
    }
    rb_sort_items(out->sorted, count, sizeof *out->sorted, compare_points);
    return true;
}

// The molecule at a grid point plus an offset, or -1.
static int at_offset(const Grid *g, const int at[3], int x, int y, int z) {
    const int point[3] = {at[0] + x, at[1] + y, at[2] + z};
    uint64_t key = key_of(point);
    int i = first_with(g->sorted, g->count, key);
    return i < g->count && g->sorted[i].key == key ? g->sorted[i].molecule : -1;
}

// Adds to the connection of two molecules of a cell.
static void add_bond(Grid *g, int a, int b, double k) {
    int d[3], sign = 0;
    for (int i = 0; i < 3; i++) d[i] = g->at[b][i] - g->at[a][i];
    for (int i = 0; i < 3 && sign == 0; i++) sign = (d[i] > 0) - (d[i] < 0);
    for (int n = 0; n < HALF; n++) {
        if (direction[n][0] == sign * d[0] && direction[n][1] == sign * d[1] &&
            direction[n][2] == sign * d[2])
            g->k[sign > 0 ? a : b][n] += k;
    }
}

// How many coordinates of two grid points differ.
static int kind_of(const Grid *g, int a, int b) {
    int kind = 0;
    for (int i = 0; i < 3; i++) kind += g->at[a][i] != g->at[b][i];
    return kind;
}

// The weight of a connection of corners i and j in a cube whose neighbours are missing on some sides: what lies in a
// free face counts 7/8, what lies in the face opposite to it 9/8. Without that a bar of m molecules would be too stiff
// in bending by 1/(m-1)² (docs/theory/soft.md).
static double weight_in_cube(int i, int j, const bool open[3][2]) {
    double weight = 1;
    for (int axis = 0; axis < 3; axis++) {
        int side = i >> axis & 1;
        if (side != (j >> axis & 1)) continue; // it leads from one of these faces to the other
        weight += (open[axis][!side] - open[axis][side]) / 8.0;
    }
    return weight;
}

static void add_square(Grid *g, const int corner[4], double k) {
    for (int i = 0; i < 4; i++) {
        g->volume[corner[i]] += 0.25;
        for (int j = i + 1; j < 4; j++) add_bond(g, corner[i], corner[j], k);
    }
}

// The corners of the cube whose low corner is at a point; false: one is missing.
static bool find_cube(const Grid *g, const int at[3], int corner[8]) {
    for (int i = 0; i < 8; i++) {
        corner[i] = at_offset(g, at, i & 1, i >> 1 & 1, i >> 2 & 1);
        if (corner[i] < 0) return false;
    }
    return true;
}

// On which sides of a cube there is no other.
static void find_open_sides(const Grid *g, const int at[3], bool open[3][2]) {
    int other[8];
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2; side++) {
            int next[3] = {at[0], at[1], at[2]};
            next[axis] += side ? 1 : -1;
            open[axis][side] = !find_cube(g, next, other);
        }
    }
}

static void add_cubes(Grid *g, int neighbours, RbArena *keep, RbLattice *out) {
    const double k18[] = {0, 0.1, 0.2, 0}, k26[] = {0, 2.0 / 15, 2.0 / 15, 0.1};
    const double *k = neighbours == 26 ? k26 : k18;
    int corner[8];
    bool open[3][2];
    for (int n = 0; n < g->count; n++) {
        if (!find_cube(g, g->at[n], corner)) continue;
        find_open_sides(g, g->at[n], open);
        RbLatticeCell cell = {0};
        for (int i = 0; i < 8; i++) cell.molecule[i] = corner[i];
        rb_array_push(&out->cells, keep, cell);
        for (int i = 0; i < 8; i++) {
            g->volume[corner[i]] += 0.125;
            for (int j = i + 1; j < 8; j++) {
                double stiffness = k[kind_of(g, corner[i], corner[j])] * weight_in_cube(i, j, open);
                if (stiffness > 0) add_bond(g, corner[i], corner[j], stiffness);
            }
        }
    }
}

// Squares that are no face of a cube, normal to each axis.
static void add_squares(Grid *g) {
    int cube[8];
    for (int i = 0; i < g->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            int u[3] = {0}, v[3] = {0}, below[3] = {g->at[i][0], g->at[i][1], g->at[i][2]};
            u[(axis + 1) % 3] = v[(axis + 2) % 3] = 1;
            below[axis]--;
            const int corner[] = {i, at_offset(g, g->at[i], u[0], u[1], u[2]),
                                  at_offset(g, g->at[i], v[0], v[1], v[2]),
                                  at_offset(g, g->at[i], u[0] + v[0], u[1] + v[1], u[2] + v[2])};
            if (corner[1] < 0 || corner[2] < 0 || corner[3] < 0) continue;
            if (find_cube(g, g->at[i], cube) || find_cube(g, below, cube)) continue;
            add_square(g, corner, 0.375);
        }
    }
}

// Neighbours along an axis that share no square; diagonals that have none are as in a sheet.
static void add_lines(Grid *g) {
    for (int i = 0; i < g->count; i++) {
        for (int n = 0; n < 9; n++) {
            int j = at_offset(g, g->at[i], direction[n][0], direction[n][1], direction[n][2]);
            if (j < 0 || g->k[i][n] > 0) continue;
            g->k[i][n] = n < 3 ? 1 : 0.375;
            if (n < 3) g->volume[i] += 0.5, g->volume[j] += 0.5;
        }
    }
}

int rb_lattice_compare_bonds(const void *a, const void *b) {
    const RbBond *p = a, *q = b;
    return p->a != q->a ? p->a - q->a : p->b - q->b;
}

static void collect_bonds(const Grid *g, RbArena *keep, RbLattice *out) {
    int count = 0;
    for (int i = 0; i < g->count; i++)
        for (int n = 0; n < HALF; n++) count += g->k[i][n] > 0;
    out->bonds = rb_new_array(keep, RbBond, count);
    for (int i = 0; i < g->count; i++) {
        for (int n = 0; n < HALF; n++) {
            if (!(g->k[i][n] > 0)) continue;
            int j = at_offset(g, g->at[i], direction[n][0], direction[n][1], direction[n][2]);
            out->bonds[out->bond_count++] =
                (RbBond){i < j ? i : j, i < j ? j : i, g->k[i][n] * g->a,
                         v3_distance(g->molecules[i].r, g->molecules[j].r)};
        }
    }
    rb_sort_items(out->bonds, out->bond_count, sizeof *out->bonds, rb_lattice_compare_bonds);
    for (int i = 0; i < g->count; i++) out->volume[i] = g->volume[i] * g->a * g->a * g->a;
}

// The axes of a grid that is turned: one through the nearest two molecules, and another of as near ones that is upright on it.
typedef struct Axes {
    const RbMolecule *molecules;
    double reach; // [m]
    Vec3 first, second;
    bool found;
} Axes;

static void keep_upright(void *user, int i, int j, double distance) {
    Axes *x = user;
    if (x->found || distance > x->reach) return;
    Vec3 u = v3_scale(1 / distance, v3_sub(x->molecules[j].r, x->molecules[i].r));
    double along = v3_dot(u, x->first);
    if (fabs(along) > RB_ON_GRID) return;
    x->second = v3_unit(v3_axpy(u, -along, x->first));
    x->found = true;
}

static void find_axes(Grid *g, RbNearest nearest, RbArena scratch) {
    const RbMolecule *m = g->molecules;
    Axes x = {.molecules = m, .reach = (1 + RB_ON_GRID) * g->a};
    RbLatticeCells c = rb_lattice_cells(m, g->count, x.reach, &scratch);
    x.first = v3_unit(v3_sub(m[nearest.j].r, m[nearest.i].r));
    for (int i = 0; i < g->count && !x.found; i++) rb_lattice_visit(&c, i, keep_upright, &x);
    g->axis[0] = x.first;
    g->axis[1] = x.found ? x.second : v3_perpendicular(x.first); // a chain
    g->axis[2] = v3_cross(g->axis[0], g->axis[1]);
}

static bool connect_grid(const RbMolecule *m, int count, int neighbours, RbNearest nearest,
                         RbArena *keep, RbArena scratch, RbLattice *out) {
    Grid g = {.molecules = m, .count = count, .a = out->spacing};
    g.axis[0] = v3(1, 0, 0), g.axis[1] = v3(0, 1, 0), g.axis[2] = v3(0, 0, 1);
    if (!rb_lattice_locate(m, count, g.a, g.axis, keep, out)) {
        find_axes(&g, nearest, scratch);
        if (!rb_lattice_locate(m, count, g.a, g.axis, keep, out)) return false;
    }
    g.at = out->at;
    g.sorted = out->sorted;
    g.k = rb_arena_push_array(&scratch, sizeof *g.k, (size_t)count, alignof(double));
    g.volume = rb_new_array(&scratch, double, count);
    add_cubes(&g, neighbours, keep, out);
    add_squares(&g);
    add_lines(&g);
    collect_bonds(&g, keep, out);
    return true;
}

int rb_lattice_find(const RbLattice *l, const int at[3]) {
    uint64_t key = key_of(at);
    int i = first_with(l->sorted, l->count, key);
    return i < l->count && l->sorted[i].key == key ? l->sorted[i].molecule : -1;
}

// ---- the whole

// The widest that neighbours may stand apart: some radii, so that a molecule that was forgotten
// somewhere is found.
static const double LOOSE = 4; // [largest radius]

static RbStatus check_neighbours(const RbMolecule *m, int count, const RbLattice *l,
                                 const char *name, RbArena scratch, RbDiag *diag) {
    bool *connected = rb_new_array(&scratch, bool, count);
    for (int i = 0; i < l->bond_count; i++)
        connected[l->bonds[i].a] = connected[l->bonds[i].b] = true;
    for (int i = 0; i < count; i++) {
        if (connected[i]) continue;
        return rb_fail(diag, RB_ERROR_MODEL, m[i].at,
                       "a molecule of '%s' at (%g, %g, %g) m has no neighbour; the others stand %g "
                       "m apart",
                       name, m[i].r.x, m[i].r.y, m[i].r.z, l->spacing);
    }
    return RB_OK;
}

static const char *const placement_names[] = {"", "a cubic grid", "a body-centred grid", ""};

// ORDER RbSoftPlacement
static RbStatus place(const RbMolecule *m, int count, const RbLatticeRule *rule, RbNearest nearest,
                      RbArena *keep, RbArena scratch, RbDiag *diag, RbLattice *out) {
    RbSoftPlacement wanted = rule->placement;
    bool any = wanted == RB_SOFT_PLACED_AS_FOUND;
    if ((any || wanted == RB_SOFT_CUBIC) &&
        connect_grid(m, count, rule->neighbours, nearest, keep, scratch, out))
        out->placement = RB_SOFT_CUBIC;
    else if ((any || wanted == RB_SOFT_BODY_CENTRED) &&
             rb_lattice_centred(m, count, nearest, keep, scratch, out))
        out->placement = RB_SOFT_BODY_CENTRED;
    else if (any || wanted == RB_SOFT_RANDOM)
        rb_lattice_free(m, count, keep, scratch, out);
    else
        return rb_fail(diag, RB_ERROR_MODEL, m[0].at,
                       "the molecules of '%s' do not stand on %s, as its placement says; leave it "
                       "out, and the connections follow from where they stand",
                       rule->name, placement_names[wanted]);
    return RB_OK;
}

RbStatus rb_lattice_connect(const RbMolecule *m, int count, const RbLatticeRule *rule,
                            RbArena *keep, RbArena scratch, RbDiag *diag, RbLattice *out) {
    double radius = 0;
    for (int i = 0; i < count; i++) radius = fmax(radius, m[i].radius);
    *out = (RbLattice){.spacing = 2 * radius, .volume = rb_new_array(keep, double, count)};
    if (count == 1) { // a ball that does not deform
        out->placement = RB_SOFT_CUBIC;
        out->volume[0] = 4.0 / 3 * M_PI * radius * radius * radius;
        return RB_OK;
    }
    RbNearest nearest = find_spacing(m, count, LOOSE * radius, scratch);
    if (nearest.distance <= SAME_PLACE * radius) {
        const RbMolecule *second = &m[nearest.j];
        return rb_fail(diag, RB_ERROR_MODEL, second->at,
                       "two molecules of '%s' stand at one place, (%g, %g, %g) m", rule->name,
                       second->r.x, second->r.y, second->r.z);
    }
    if (isfinite(nearest.distance)) {
        out->spacing = nearest.distance;
        RB_TRY(place(m, count, rule, nearest, keep, scratch, diag, out));
    }
    return check_neighbours(m, count, out, rule->name, scratch, diag);
}

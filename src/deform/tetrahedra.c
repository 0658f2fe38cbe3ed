// SPDX-License-Identifier: MIT
#include "deform/tetrahedra.h"

// Corners 0 to 7 of a cube, bits x, y, z: each path from 0 to 7 along edges is a tetrahedron; all are right-handed.
static const int paths[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

// The molecule at a point of a cube, counted in spacings from its corner; -1: there is none.
static int molecule_at(const RbLattice *l, const int corner[3], const int offset[3]) {
    const int at[3] = {corner[0] + offset[0], corner[1] + offset[1], corner[2] + offset[2]};
    return rb_lattice_find(l, at);
}

static void corner_of(int number, int size, int out[3]) {
    for (int k = 0; k < 3; k++) out[k] = size * (number >> k & 1);
}

// False: a molecule of the cube is missing.
static bool cut_cube(const RbLattice *l, const int corner[3], int order, int path,
                     int node[RB_ELEMENT_NODES]) {
    int at[4][3];
    for (int i = 0; i < 4; i++) {
        corner_of(paths[path][i], order, at[i]);
        node[i] = molecule_at(l, corner, at[i]);
        if (node[i] < 0) return false;
    }
    for (int k = 0; order == 2 && k < 6; k++) {
        int middle[3];
        for (int n = 0; n < 3; n++) middle[n] = (at[edge[k][0]][n] + at[edge[k][1]][n]) / 2;
        node[4 + k] = molecule_at(l, corner, middle);
        if (node[4 + k] < 0) return false;
    }
    return true;
}

static bool cut_all(const RbLattice *l, const int corner[3], int order,
                    int node[6][RB_ELEMENT_NODES]) {
    for (int i = 0; i < 6; i++)
        if (!cut_cube(l, corner, order, i, node[i])) return false;
    return true;
}

static RbStatus check_covered(const bool *used, const RbMolecule *m, int count, int order,
                              const char *name, RbDiag *diag) {
    for (int i = 0; i < count; i++) {
        if (used[i]) continue;
        return rb_fail(diag, RB_ERROR_MODEL, m[i].at,
                       "the molecule of '%s' at (%g, %g, %g) m belongs to no element; %s", name,
                       m[i].r.x, m[i].r.y, m[i].r.z,
                       order == 2
                           ? "elements with ten nodes need an odd number of molecules along each "
                             "axis of a cubic grid"
                           : "elements are cut out of cubes of molecules on a grid");
    }
    return RB_OK;
}

// [of the volume] What a node has: equal parts, or in the ratio of the diagonal of the consistent mass matrix.
static double share_of(int nodes, int node) {
    if (nodes == 4) return 0.25;
    return node < 4 ? 1.0 / 36 : 4.0 / 27;
}

RbStatus rb_tetrahedra_of_grid(const RbLattice *l, const RbMolecule *m, int count, int order,
                               const char *name, RbArena *keep, RbArena scratch, RbDiag *diag,
                               RbTetrahedra *out) {
    bool *used = rb_new_array(&scratch, bool, count);
    *out = (RbTetrahedra){.nodes = order == 2 ? 10 : 4, .share = l->volume};
    if (l->at) {
        out->node = rb_arena_push_array(keep, sizeof *out->node, 6 * (size_t)count, alignof(int));
        int low[3] = {INT32_MAX, INT32_MAX, INT32_MAX};
        for (int i = 0; i < 3 * count; i++)
            low[i % 3] = l->at[i / 3][i % 3] < low[i % 3] ? l->at[i / 3][i % 3] : low[i % 3];
        for (int i = 0; i < count; i++) {
            const int *at = l->at[i];
            bool begins = order == 1 || ((at[0] - low[0]) % 2 == 0 && (at[1] - low[1]) % 2 == 0 &&
                                         (at[2] - low[2]) % 2 == 0);
            if (!begins || !cut_all(l, at, order, out->node + out->count)) continue;
            for (int k = 0; k < 6; k++)
                for (int n = 0; n < out->nodes; n++) used[out->node[out->count + k][n]] = true;
            out->count += 6;
        }
    }
    return check_covered(used, m, count, order, name, diag);
}

RbStatus rb_tetrahedra_given(const RbSoftScene *s, const RbSoftObject *o, RbArena *keep,
                             RbDiag *diag, RbTetrahedra *out) {
    const RbSoftTet *tets = s->tets.data + o->tet;
    *out = (RbTetrahedra){.nodes = tets[0].nodes, .count = o->tet_count};
    out->node = rb_arena_push_array(keep, sizeof *out->node, (size_t)o->tet_count, alignof(int));
    out->share = rb_new_array(keep, double, o->count);
    for (int i = 0; i < o->tet_count; i++) {
        RbElementPoint points[RB_ELEMENT_POINTS];
        Vec3 rest[RB_ELEMENT_NODES];
        double volume = 0;
        for (int n = 0; n < out->nodes; n++) {
            out->node[i][n] = tets[i].node[n];
            rest[n] = s->molecules.data[o->first + tets[i].node[n]].r;
        }
        if (!rb_element_points(rest, out->nodes, points))
            return rb_fail(diag, RB_ERROR_MODEL, o->at,
                           "element %d of '%s' is flat or turned inside out", i + 1, o->name);
        for (int k = 0; k < (out->nodes == 4 ? 1 : 4); k++) volume += points[k].volume;
        for (int n = 0; n < out->nodes; n++)
            out->share[tets[i].node[n]] += share_of(out->nodes, n) * volume;
    }
    return RB_OK;
}

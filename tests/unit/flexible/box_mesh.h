// SPDX-License-Identifier: MIT
// box_mesh.h: meshes of tetrahedra for tests.
#pragma once

#include "geom/tet_mesh.h"

// ---- a box from the origin, cut into bricks of six tetrahedra. Sets: x0, x1, y0, y1, z0, z1, its faces

static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

// Corners 0 to 7 of a brick, bits x, y, z: each path from 0 to 7 along edges is a tetrahedron.
static const int paths[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

typedef struct Box {
    int n[3];  // nodes along each axis
    int order; // nodes per brick
} Box;

static inline int box_node(const Box *b, const int at[3]) {
    return at[0] + b->n[0] * (at[1] + b->n[1] * at[2]);
}

static inline void cut_brick(const Box *b, const int corner[3], const int path[4], int *node) {
    int at[4][3], middle[3];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) at[i][k] = corner[k] + b->order * (path[i] >> k & 1);
        node[i] = box_node(b, at[i]);
    }
    for (int e = 0; b->order == 2 && e < 6; e++) {
        for (int k = 0; k < 3; k++) middle[k] = (at[edge[e][0]][k] + at[edge[e][1]][k]) / 2;
        node[4 + e] = box_node(b, middle);
    }
}

static inline RbNodeSet box_face(const Box *b, int axis, bool high, RbArena *keep) {
    static const char *const names[3][2] = {{"x0", "x1"}, {"y0", "y1"}, {"z0", "z1"}};
    int u = (axis + 1) % 3, v = (axis + 2) % 3, count = 0;
    int *node = rb_new_array(keep, int, b->n[u] * b->n[v]);
    for (int i = 0; i < b->n[u] * b->n[v]; i++) {
        int at[3];
        at[axis] = high ? b->n[axis] - 1 : 0, at[u] = i % b->n[u], at[v] = i / b->n[u];
        node[count++] = box_node(b, at);
    }
    return (RbNodeSet){names[axis][high], node, count};
}

static inline RbTetMesh box_mesh(Vec3 size, const int bricks[3], int order, RbArena *keep) {
    Box b = {.order = order};
    for (int k = 0; k < 3; k++) b.n[k] = order * bricks[k] + 1;
    int count = b.n[0] * b.n[1] * b.n[2], total = bricks[0] * bricks[1] * bricks[2];
    Vec3 *nodes = rb_new_array(keep, Vec3, count);
    for (int i = 0; i < count; i++) {
        Vec3 at = v3(i % b.n[0], i / b.n[0] % b.n[1], i / b.n[0] / b.n[1]);
        nodes[i] = v3_mul(size, v3_div(at, v3(b.n[0] - 1, b.n[1] - 1, b.n[2] - 1)));
    }
    int(*tets)[RB_TET_NODES] =
        rb_arena_push_array(keep, sizeof *tets, 6 * (size_t)total, alignof(int));
    for (int i = 0; i < 6 * total; i++) {
        int brick = i / 6, x = brick % bricks[0], y = brick / bricks[0] % bricks[1];
        int corner[3] = {order * x, order * y, order * (brick / bricks[0] / bricks[1])};
        cut_brick(&b, corner, paths[i % 6], tets[i]);
    }
    RbNodeSet *sets = rb_new_array(keep, RbNodeSet, 6);
    for (int i = 0; i < 6; i++) sets[i] = box_face(&b, i / 2, i % 2, keep);
    return (RbTetMesh){nodes, count, (const int(*)[RB_TET_NODES])tets, 6 * total, order, sets,
                       6,     NULL};
}

// SPDX-License-Identifier: MIT
// Which joints matter for the equations of a cut.
#include <string.h>

#include "rigid/loop.h"

// How many of the ends of a cut hang on each body.
typedef struct Ends {
    RbPathKind kind;
    int *hanging; // per body
    int count;
} Ends;

static void add_end(const RbTree *tree, int body, Ends *ends) {
    ends->count++;
    for (; body > 0; body = tree->bodies.data[body].parent) {
        ends->hanging[body]++;
        if (ends->kind == RB_PATH_YIELDS && rb_tree_joint(tree, body)->kind == RB_JOINT_FREE) return;
    }
}

static Ends ends_of(const RbLoopCut *cut, const RbTree *tree, RbPathKind kind, int *hanging) {
    Ends ends = {kind, hanging, 0};
    memset(hanging, 0, (size_t)tree->bodies.count * sizeof *hanging);
    add_end(tree, cut->hold.kind == RB_HOLD_WHEEL ? 0 : cut->a.body, &ends);
    add_end(tree, cut->b.body, &ends);
    if (cut->hold.kind != RB_HOLD_BETWEEN) return ends;
    add_end(tree, cut->c.body, &ends);
    add_end(tree, 0, &ends); // along the axes of the world
    return ends;
}

// Modes move the frames of a flexible body against each other, also where all ends hang on it.
static bool is_on_path(const RbTree *tree, const Ends *ends, int body) {
    bool all = ends->hanging[body] == ends->count && rb_tree_joint(tree, body)->modes == 0;
    if (ends->kind == RB_PATH_MOVES && all) return false;
    return ends->hanging[body] > 0;
}

static RbCutPath path_of(const RbLoopCut *cut, const RbTree *tree, RbPathKind kind, int *hanging,
                         RbArena *arena) {
    RB_ARRAY(int) bodies = {0}, speeds = {0};
    Ends ends = ends_of(cut, tree, kind, hanging);
    for (int i = 1; i < tree->bodies.count; i++) {
        if (!is_on_path(tree, &ends, i)) continue;
        const RbJoint *joint = rb_tree_joint(tree, i);
        rb_array_push(&bodies, arena, i);
        for (int k = 0; k < rb_joint_nv(joint); k++)
            rb_array_push(&speeds, arena, joint->v + k);
    }
    return (RbCutPath){{bodies.data, bodies.count}, speeds.data, speeds.count};
}

// The entries of each speed, by row.
static void turn_round(RbPathRows *rows, int row_count, int nv, RbArena *arena) {
    int *by_speed = rb_new_array(arena, int, nv + 2), *next = by_speed + 1;
    RbPathEntry *entries = rb_new_array(arena, RbPathEntry, rows->start[row_count]);
    for (int k = 0; k < row_count; k++) {
        const RbCutPath *path = &rows->paths[rows->cut[k]];
        for (int i = 0; i < path->speed_count; i++) by_speed[path->speeds[i] + 2]++;
    }
    for (int v = 0; v < nv; v++) by_speed[v + 2] += by_speed[v + 1];
    for (int k = 0; k < row_count; k++) {
        const RbCutPath *path = &rows->paths[rows->cut[k]];
        for (int i = 0; i < path->speed_count; i++)
            entries[next[path->speeds[i]]++] = (RbPathEntry){k, rows->start[k] + i};
    }
    rows->by_speed = by_speed;
    rows->entries = entries;
}

RbPathRows rb_path_rows(const RbLoops *loops, const RbTree *tree, RbPathKind kind, RbArena *arena) {
    RbCutPath *paths = rb_new_array(arena, RbCutPath, loops->count);
    int *cut = rb_new_array(arena, int, loops->kept_count);
    int *start = rb_new_array(arena, int, loops->kept_count + 1);
    int *hanging = rb_new_array(arena, int, tree->bodies.count);
    for (int c = 0; c < loops->count; c++) {
        paths[c] = path_of(&loops->cuts[c], tree, kind, hanging, arena);
        for (int k = loops->kept_start[c]; k < loops->kept_start[c + 1]; k++) {
            cut[k] = c;
            start[k + 1] = start[k] + paths[c].speed_count;
        }
    }
    RbPathRows rows = {.paths = paths, .cut = cut, .start = start};
    turn_round(&rows, loops->kept_count, tree->nv, arena);
    return rows;
}

void rb_path_rows_product(const RbPathRows *rows, RbCutRange speeds, int first, int count,
                          const double *x, const double *y, double *K) {
    memset(K, 0, (size_t)count * (size_t)count * sizeof *K);
    for (int v = speeds.first; v < speeds.end; v++) {
        const RbPathEntry *from = rows->entries + rows->by_speed[v],
                          *end = rows->entries + rows->by_speed[v + 1];
        for (const RbPathEntry *j = from; j < end; j++) {
            double *column = K + (j->row - first) * count;
            for (const RbPathEntry *i = j; i < end; i++)
                column[i->row - first] += x[i->at] * y[j->at];
        }
    }
    for (int j = 0; j < count; j++) {
        for (int i = 0; i < j; i++) K[i + count * j] = K[j + count * i];
    }
}

// SPDX-License-Identifier: MIT
// States near a loop are put on it (docs/theory/loops.md, section 7).
#include <math.h>
#include <string.h>

#include "math/lu.h"
#include "rigid/loop.h"

// Of lengths against the size of the loop, of angles; of speeds against those that there are.
static const double closed = 1e-13, far = 1e-2;

RbLoopNear rb_loop_near(const RbLoops *loops, const RbTree *tree, RbArena *arena) {
    int k = loops->kept_count, n = tree->nv;
    RbPathRows reach = rb_path_rows(loops, tree, RB_PATH_MOVES, arena);
    return (RbLoopNear){.kin = rb_kin(tree, arena),
                        .reach = reach,
                        .G = rb_new_array(arena, double, reach.start[k]),
                        .WG = rb_new_array(arena, double, reach.start[k]),
                        .per_speed = rb_new_array(arena, double, n),
                        .K = rb_new_array(arena, double, k *k),
                        .pivot = rb_new_array(arena, int, k),
                        .g = rb_new_array(arena, double, k),
                        .dg = rb_new_array(arena, double, k),
                        .weight = rb_new_array(arena, double, n),
                        .step = rb_new_array(arena, double, n),
                        .dq = rb_new_array(arena, double, tree->nq)};
}

// The branch that is looked at.
typedef struct Branch {
    const RbLoops *loops;
    RbCutRange range;
    const RbTree *tree;
    RbSpan span;
    RbCutRange speeds;
    int first, count; // kept rows
    RbLoopNear *near;
} Branch;

// One row of G, and of W GT.
static void store_row(const Branch *b, const RbLoopCut *cut, const RbCutRow *row, int k,
                      double scale) {
    RbLoopNear *n = b->near;
    const RbCutPath *path = &n->reach.paths[n->reach.cut[k]];
    double *G = n->G + n->reach.start[k], *WG = n->WG + n->reach.start[k];
    rb_cut_row_speeds(cut, row, b->tree, &n->kin, b->span, n->per_speed);
    for (int i = 0; i < path->speed_count; i++) {
        G[i] = scale * n->per_speed[path->speeds[i]];
        WG[i] = n->weight[path->speeds[i]] * G[i];
    }
}

// What is left of the equations and of their rates, lengths divided by the size of the loop; and G if wanted.
static void measure(const Branch *b, bool matrix) {
    for (int c = b->range.first; c < b->range.end; c++) {
        const RbLoopCut *cut = &b->loops->cuts[c];
        RbCutRow rows[RB_CUT_MAX_ROWS];
        rb_cut_rows(cut, &b->near->kin, rows);
        for (int k = b->loops->kept_start[c]; k < b->loops->kept_start[c + 1]; k++) {
            const RbCutRow *row = &rows[b->loops->kept[k] % RB_CUT_MAX_ROWS];
            double scale = v3_norm2(row->on_b.f) > 0 ? 1 / cut->size : 1;
            b->near->g[k] = scale * row->g;
            b->near->dg[k] = scale * row->dg;
            if (matrix) store_row(b, cut, row, k, scale);
        }
    }
}

static double largest(const Branch *b, const double *rest) {
    double most = 0;
    for (int k = b->first; k < b->first + b->count; k++) most = fmax(most, fabs(rest[k]));
    return most;
}

// Steps count in radians and in sizes of the loop.
static void weigh(const Branch *b) {
    double size = b->loops->cuts[b->range.first].size;
    for (int i = b->span.first; i < b->span.end; i++) {
        const RbJoint *joint = rb_tree_joint(b->tree, i);
        for (int k = 0; k < rb_joint_nv(joint); k++) {
            bool length = rb_joint_is_length(joint, k);
            b->near->weight[joint->v + k] = length ? size * size : 1;
        }
    }
}

static bool factor(const Branch *b) {
    const RbLoopNear *n = b->near;
    rb_path_rows_product(&n->reach, b->speeds, b->first, b->count, n->G, n->WG, n->K);
    return rb_lu_factor(b->count, n->K, n->pivot, RB_LU_NOISE);
}

// The smallest step that takes away what is left, as far as G tells; rest becomes something else.
static void find_step(const Branch *b, double *rest) {
    RbLoopNear *n = b->near;
    double *y = rest + b->first;
    rb_lu_solve(b->count, n->K, n->pivot, y);
    for (int k = b->speeds.first; k < b->speeds.end; k++) n->step[k] = 0;
    for (int i = 0; i < b->count; i++) {
        const RbCutPath *path = &n->reach.paths[n->reach.cut[b->first + i]];
        const double *WG = n->WG + n->reach.start[b->first + i];
        for (int k = 0; k < path->speed_count; k++) n->step[path->speeds[k]] -= y[i] * WG[k];
    }
}

static double largest_speed(const Branch *b, const double *v) {
    double most = 0;
    for (int k = b->speeds.first; k < b->speeds.end; k++)
        most = fmax(most, fabs(v[k]) / sqrt(b->near->weight[k]));
    return most;
}

// Each step leaves about `far` of what there was, or much less (*share): G is that of the start.
static bool approach_positions(const Branch *b, double *q, const double *v, double *share) {
    enum { TRIALS = 12 };
    double rest = largest(b, b->near->g);
    for (int i = 0; i < TRIALS && rest > closed; i++) {
        double before = rest;
        find_step(b, b->near->g);
        rb_tree_advance_in(b->tree, b->span, b->near->step, b->near->dq, q);
        rb_kin_places_in(b->tree, b->span, q, &b->near->kin);
        rb_kin_velocities_in(b->tree, b->span, v, &b->near->kin);
        measure(b, false);
        rest = largest(b, b->near->g);
        *share = rest / before;
        if (!(rest < 0.5 * before)) return rest < 100 * closed;
    }
    return rest <= closed;
}

// The rates are measured; a step leaves of them what one of the positions left of these.
static void approach_speeds(const Branch *b, double share, double *v) {
    enum { TRIALS = 4 };
    double least = closed * largest_speed(b, v), rest = largest(b, b->near->dg);
    for (int i = 0; i < TRIALS && rest > least; i++) {
        if (i > 0) {
            rb_kin_velocities_in(b->tree, b->span, v, &b->near->kin);
            measure(b, false);
        }
        find_step(b, b->near->dg);
        for (int k = b->speeds.first; k < b->speeds.end; k++) v[k] += b->near->step[k];
        rest *= share;
    }
}

bool rb_loops_approach_in(const RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                          RbLoopNear *near, double *q, double *v) {
    Branch b = {.loops = loops, .range = range, .tree = tree, .span = span, .near = near};
    b.speeds = rb_loops_speeds(tree, span);
    b.first = loops->kept_start[range.first];
    b.count = loops->kept_start[range.end] - b.first;
    if (b.count == 0) return false;
    rb_kin_places_in(tree, span, q, &near->kin);
    rb_kin_velocities_in(tree, span, v, &near->kin);
    weigh(&b);
    measure(&b, true);
    double places = largest(&b, near->g), speeds = largest(&b, near->dg), share = far;
    if (!(places < far)) return false;
    if (places <= closed && speeds <= closed * largest_speed(&b, v)) return false;
    if (!factor(&b) || !approach_positions(&b, q, v, &share)) return false;
    approach_speeds(&b, share, v);
    return true;
}

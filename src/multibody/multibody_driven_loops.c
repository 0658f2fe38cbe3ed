// SPDX-License-Identifier: MIT
// Driven joints in kinematic loops (docs/theory/loops.md, section 6). With all joints free and the loops
// held, accelerations are affine in what drives them,
//     dv_e = a_0 + B tau_e,     B = what a unit of each drive does to the driven joints
// so the equations see tau_e = M dv_e + h with M = B^-1 and h = -B^-1 a_0, as without loops. B is
// singular if loops tie two driven joints together, or leave one no motion.
#include <math.h>
#include <string.h>

#include "math/lu.h"
#include "multibody/mechanism.h"

// Of the driven coordinates, those of a group; returns how many.
static int driven_in(const Mechanism *m, int group, int *list) {
    RbSpan span = rb_mechanism_span(m, group);
    const RbTree *tree = &m->structure.tree;
    const RbJoint *last = rb_tree_joint(tree, span.end - 1);
    int first = rb_tree_joint(tree, span.first)->v, count = 0;
    int end = last->v + rb_joint_v_count(last->kind);
    for (int i = 0; i < m->members->driven.count; i++) {
        int v = m->members->driven.data[i].tree_v;
        if (v >= first && v < end) list[count++] = i;
    }
    return count;
}

void rb_driven_open_loops(const Mechanism *m, MechanismWork *w, RbArena *arena) {
    int n = m->members->driven.count;
    if (m->structure.loops.count == 0) return;
    w->yield = rb_new_array(arena, double, 2 * n * n + 1);
    w->yield_unit = rb_new_array(arena, double, 2 * m->structure.tree.nv + 1);
    w->yield_pivot = rb_new_array(arena, int, 2 * n + 1);
}

static double speed_of(const Mechanism *m, int driven, const double *v) {
    return v[m->members->driven.data[driven].tree_v];
}

// Accelerations of a branch with its loops and what is in w->tau.
static RbEvalStatus accelerate(const Mechanism *m, const RbEval *full, int group,
                               MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    RbSpan span = rb_mechanism_span(m, group);
    rb_dyn_factor_in(tree, span, &w->kin, NULL, &w->dyn);
    rb_dyn_solve_in(tree, span, &w->kin, NULL, w->tau, w->forces, &w->dyn, full->dx + tree->nq);
    return rb_mechanism_hold_loops(m, full, span, w);
}

// B by columns, after accelerate at the same positions.
static void find_yield(const Mechanism *m, int group, const int *list, int count,
                       MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    double *unit = w->yield_unit, *dv = unit + tree->nv;
    memset(unit, 0, (size_t)tree->nv * sizeof *unit);
    for (int k = 0; k < count; k++) {
        int v = m->members->driven.data[list[k]].tree_v;
        unit[v] = 1;
        rb_dyn_solve_at_rest_in(tree, rb_mechanism_span(m, group), &w->kin, NULL, unit, &w->dyn,
                                dv);
        rb_mechanism_project(m, group, w, dv);
        unit[v] = 0;
        for (int i = 0; i < count; i++) w->yield[i + count * k] = speed_of(m, list[i], dv);
    }
}

// How much of what it is without the loops the least motion must be.
static const double STIFF = 1e-10;

static RbEvalStatus see_group(const Mechanism *m, const RbEval *full, int group, MechanismWork *w) {
    int *list = w->yield_pivot + m->members->driven.count, n = m->members->driven.count;
    int count = driven_in(m, group, list);
    if (count == 0) return RB_EVAL_OK;
    RbSpan span = rb_mechanism_span(m, group);
    RbEvalStatus status = accelerate(m, full, group, w);
    if (status != RB_EVAL_OK) return status;
    // The forces of the loops belong to the drives that are not known yet.
    memcpy(w->forces + span.first, w->before_loops + span.first,
           (size_t)(span.end - span.first) * sizeof *w->forces);
    find_yield(m, group, list, count, w);
    if (!rb_lu_factor(count, w->yield, w->yield_pivot, STIFF))
        return rb_eval_retry(full,
                             "joint '%s' is driven in a kinematic loop that leaves it, or it and "
                             "other driven joints of the loop together, no motion of their own: "
                             "drive fewer of its joints",
                             rb_member(m->members, m->members->driven.data[list[0]].member)->path);
    const double *dv = full->dx + m->structure.tree.nq;
    double *column = w->yield + n * n;
    for (int k = 0; k <= count; k++) {
        for (int i = 0; i < count; i++) column[i] = k < count ? i == k : -speed_of(m, list[i], dv);
        rb_lu_solve(count, w->yield, w->yield_pivot, column);
        for (int i = 0; i < count; i++) {
            int row = w->place[list[i]];
            if (k < count)
                w->M[row * n + w->place[list[k]]] = column[i];
            else
                w->h[row] = column[i];
        }
    }
    return RB_EVAL_OK;
}

RbEvalStatus rb_driven_see_loops(const Mechanism *m, const RbEval *full, MechanismWork *w) {
    RbEvalStatus status = RB_EVAL_OK;
    for (int g = 0; g < m->group_count && status == RB_EVAL_OK; g++) {
        if (rb_mechanism_has_loop(m, g)) status = see_group(m, full, g, w);
    }
    return status;
}

RbEvalStatus rb_driven_hold_loops(const Mechanism *m, const RbEval *full, MechanismWork *w) {
    RbEvalStatus status = RB_EVAL_OK;
    for (int g = 0; g < m->group_count && status == RB_EVAL_OK; g++) {
        if (!rb_mechanism_has_loop(m, g)) continue;
        int *list = w->yield_pivot + m->members->driven.count, count = driven_in(m, g, list);
        for (int i = 0; i < count; i++)
            w->tau[m->members->driven.data[list[i]].tree_v] += w->drive[list[i]];
        status = accelerate(m, full, g, w);
        for (int i = 0; i < count; i++)
            w->tau[m->members->driven.data[list[i]].tree_v] -= w->drive[list[i]];
    }
    return status;
}

// --- the start -----------------------------------------------------------------------------------

// Where the equations start the driven joints stays; the others close the loops around them.
static RbStatus close_group(const Mechanism *m, int group, MechanismWork *w, RbArena *arena,
                            RbDiag *diag) {
    const RbTree *tree = &m->structure.tree;
    RbLoops loops = m->structure.loops; // which equations are kept stays as it is
    loops.kept = rb_new_array(arena, int, RB_CUT_MAX_ROWS *loops.count + 1);
    loops.kept_start = rb_new_array(arena, int, loops.count + 1);
    bool *fixed = rb_new_array(arena, bool, tree->nv + 1);
    for (int i = 0; i < m->members->driven.count; i++)
        fixed[m->members->driven.data[i].tree_v] = true;
    RbLoopStart start = {w->full, w->full + tree->nq, fixed, fixed};
    RbLoopReport found;
    return rb_loops_close(&loops, m->cuts[group], tree, rb_mechanism_span(m, group), start, *arena,
                          diag, &found);
}

void rb_driven_close_loops(const Mechanism *m, RbEvent *event) {
    MechanismWork *w = event->workspace;
    if (!m->own || m->structure.loops.count == 0) return;
    int *list = w->yield_pivot + m->members->driven.count;
    RbArena *arena = rb_arena_child(m->members->arena);
    RbDiag diag = rb_diag(arena);
    rb_driven_states(m, event->x, w);
    for (int g = 0; g < m->group_count; g++) {
        if (!rb_mechanism_has_loop(m, g) || driven_in(m, g, list) == 0) continue;
        if (close_group(m, g, w, arena, &diag) == RB_OK) continue;
        rb_event_fail(event, "%s",
                      diag.messages.count > 0 ? diag.messages.data[0].text : "a loop stays open");
        break;
    }
    for (int i = 0; i < m->own_count; i++) event->x[i] = w->full[m->own[i]];
    rb_arena_free(arena);
}

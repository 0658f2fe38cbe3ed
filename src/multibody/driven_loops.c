// SPDX-License-Identifier: MIT
// Driven joints in kinematic loops (docs/theory/loops.md, section 6). With all joints free and the loops
// held, accelerations are affine in what drives them,
//     dv_e = a_0 + B tau_e,     B = what a unit of each drive does to the driven joints
// That is what the equations see. B has no inverse if loops tie driven joints to each other: then as
// many of these can be accelerated at will as there are freedoms, and the others follow.
#include <math.h>
#include <string.h>

#include "multibody/driven.h"

// Of the driven coordinates, those of a group; returns how many.
static int driven_in(const Mechanism *m, int group, int *list) {
    RbSpan span = rb_mechanism_span(m, group);
    const RbTree *tree = &m->structure.tree;
    const RbJoint *last = rb_tree_joint(tree, span.end - 1);
    int first = rb_tree_joint(tree, span.first)->v, count = 0;
    int end = last->v + rb_joint_nv(last);
    for (int i = 0; i < m->members->driven.count; i++) {
        int v = m->members->driven.data[i].tree_v;
        if (m->members->driven.data[i].body == 0) continue;
        if (v >= first && v < end) list[count++] = i;
    }
    return count;
}

void rb_driven_open_loops(const Mechanism *m, MechanismWork *w, RbArena *arena) {
    if (!m->members->any_looped) return;
    w->driven.yield_unit = rb_new_array(arena, double, 2 * m->structure.tree.nv + 1);
    w->driven.yield_list = rb_new_array(arena, int, m->members->driven.count + 1);
    w->driven.start_seen = rb_new_array(arena, double, 2 * m->members->driven.count + 1);
    w->driven.start_wish = rb_new_array(arena, double, 2 * m->members->driven.count + 1);
    w->driven.start_said = rb_new_array(arena, bool, 2 * m->members->driven.count + 1);
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

// The same with other drives, after accelerate at the same positions.
static void accelerate_again(const Mechanism *m, const RbEval *full, int group, MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    rb_dyn_solve_in(tree, rb_mechanism_span(m, group), &w->kin, NULL, w->tau, w->forces, &w->dyn,
                    full->dx + tree->nq);
    rb_mechanism_hold_again(m, full, group, w);
}

// B, after accelerate at the same positions.
static void find_yield(const Mechanism *m, int group, const int *list, int count,
                       MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    const DrivenCoordinate *driven = m->members->driven.data;
    double *unit = w->driven.yield_unit, *dv = unit + tree->nv;
    memset(unit, 0, (size_t)tree->nv * sizeof *unit);
    for (int k = 0; k < count; k++) {
        unit[driven[list[k]].tree_v] = 1;
        rb_dyn_solve_at_rest_in(tree, rb_mechanism_span(m, group), &w->kin, NULL, unit, &w->dyn,
                                dv);
        rb_mechanism_project(m, group, w, dv);
        unit[driven[list[k]].tree_v] = 0;
        for (int i = 0; i < count; i++)
            w->driven.M[w->driven.place[list[i]] * w->dyn.driven_count + w->driven.place[list[k]]] =
                dv[driven[list[i]].tree_v];
    }
}

static RbEvalStatus see_group(const Mechanism *m, const RbEval *full, int group, MechanismWork *w) {
    int *list = w->driven.yield_list, count = driven_in(m, group, list);
    RbSpan span = rb_mechanism_span(m, group);
    RbEvalStatus status = accelerate(m, full, group, w);
    if (status != RB_EVAL_OK) return status;
    if (rb_mechanism_has_loop(m, group)) // its forces belong to drives that are not known yet
        memcpy(w->forces + span.first, w->loops.before + span.first,
               (size_t)(span.end - span.first) * sizeof *w->forces);
    find_yield(m, group, list, count, w);
    for (int i = 0; i < count; i++)
        w->driven.h[w->driven.place[list[i]]] =
            full->dx[m->structure.tree.nq + m->members->driven.data[list[i]].tree_v];
    return RB_EVAL_OK;
}

bool rb_driven_is_looped(const Mechanism *m, int group) {
    if (!m->members->any_looped) return false;
    for (int i = 0; i < m->members->driven.count; i++) {
        const DrivenCoordinate *c = &m->members->driven.data[i];
        if (c->looped && c->body > 0 && m->groups.of[c->body] == group) return true;
    }
    return false;
}

RbEvalStatus rb_driven_see_loops(const Mechanism *m, const RbEval *full, MechanismWork *w) {
    RbEvalStatus status = RB_EVAL_OK;
    for (int g = 0; g < m->groups.count && status == RB_EVAL_OK; g++) {
        if (rb_driven_is_looped(m, g) && !rb_driven_is_solved(m, w, g))
            status = see_group(m, full, g, w);
    }
    return status;
}

static double force_on(const MechanismWork *w, int i) {
    return w->driven.push ? w->driven.drive[i] + w->driven.push[i] : w->driven.drive[i];
}

RbEvalStatus rb_driven_hold_loops(const Mechanism *m, const RbEval *full, MechanismWork *w) {
    RbEvalStatus status = RB_EVAL_OK;
    for (int g = 0; g < m->groups.count && status == RB_EVAL_OK; g++) {
        if ((full->groups && !full->groups[g]) || rb_driven_is_solved(m, w, g)) continue;
        bool looped = rb_driven_is_looped(m, g);
        if (!rb_mechanism_has_loop(m, g) && !looped) continue;
        int *list = w->driven.yield_list, count = looped ? driven_in(m, g, list) : 0;
        for (int i = 0; i < count; i++)
            w->tau[m->members->driven.data[list[i]].tree_v] += force_on(w, list[i]);
        if (looped && w->driven.seen && rb_mechanism_has_loop(m, g))
            accelerate_again(m, full, g, w);
        else
            status = accelerate(m, full, g, w);
        for (int i = 0; i < count; i++)
            w->tau[m->members->driven.data[list[i]].tree_v] -= force_on(w, list[i]);
    }
    return status;
}

// --- the start -----------------------------------------------------------------------------------

// Close the loops of a group around what is held of the driven joints, where the equations start it, and
// the others that the user has fixed. held: coordinates, then speeds.
static RbStatus close_group(const Mechanism *m, RbEvent *event, int group, const bool *held,
                            RbArena *arena, RbDiag *diag) {
    const RbTree *tree = &m->structure.tree;
    MechanismWork *w = event->workspace;
    RbLoops loops = m->structure.loops; // which equations are kept stays as it is
    loops.kept = rb_new_array(arena, int, RB_CUT_MAX_ROWS *loops.count + 1);
    loops.kept_start = rb_new_array(arena, int, loops.count + 1);
    bool *q_fixed = rb_new_array(arena, bool, tree->nv + 1);
    bool *v_fixed = rb_new_array(arena, bool, tree->nv + 1);
    rb_mechanism_find_fixed(m, q_fixed, v_fixed);
    for (int i = 0, n = m->members->driven.count; i < n; i++) {
        q_fixed[m->members->driven.data[i].tree_v] = held[i];
        v_fixed[m->members->driven.data[i].tree_v] = held[n + i];
    }
    rb_driven_states(m, event->x, w);
    RbLoopStart start = {w->driven.full, w->driven.full + tree->nq, q_fixed, v_fixed,
                         .measure = !m->loops.knows_lengths};
    RbLoopReport found;
    return rb_loops_close(&loops, m->loops.cuts[group], tree, rb_mechanism_span(m, group), start,
                          *arena, diag, &found);
}

// Start values that the mechanism wished to change in vain: the equations say them. True: there is another one.
static bool find_said(const Mechanism *m, MechanismWork *w) {
    bool any = false;
    for (int k = 0; k < 2 * m->members->driven.count; k++) {
        double step = w->driven.start_wish[k] - w->driven.start_seen[k];
        if (w->driven.start_said[k] ||
            !(fabs(w->driven.inputs[k] - w->driven.start_seen[k]) < 1e-6 * fabs(step)))
            continue;
        any = w->driven.start_said[k] = true;
    }
    return any;
}

// What is held first: what the user has fixed or the equations say, then what the equations have moved, then the others as
// they are declared.
static int rank_of(const Mechanism *m, const MechanismWork *w, int i, bool speed) {
    const DrivenCoordinate *c = &m->members->driven.data[i];
    const RbJoint *joint = rb_tree_joint(&m->structure.tree, c->body);
    const RbObjectJoint *given = &m->scene->joints.data[joint->object_joint];
    int k = speed ? m->members->driven.count + i : i;
    if ((speed ? given->v_held : given->q_held)[c->coordinate] || w->driven.start_said[k]) return 0;
    double start = speed ? given->v[c->coordinate] : given->q[c->coordinate];
    // Where the loop was closed first is not what the equations want.
    double closed = speed ? m->structure.v[c->tree_v] : m->structure.q[c->tree_q];
    return w->driven.inputs[k] != start && w->driven.inputs[k] != closed ? 1 : 2;
}

// Remembers what is wished for, so that the next pass sees whether the equations follow.
static bool wish(MechanismWork *w, RbEvent *event, int k, int variable, double value) {
    w->driven.start_seen[k] = w->driven.inputs[k];
    w->driven.start_wish[k] = value;
    if (value == w->driven.inputs[k]) return true;
    w->driven.start_wished = true;
    return rb_event_start(event, variable, value);
}

// Driven joints that follow others in the loop start where it puts them.
static bool move_followers(const Mechanism *m, RbEvent *event, int group) {
    MechanismWork *w = event->workspace;
    int nq = m->structure.tree.nq, n = m->members->driven.count;
    for (int i = 0; i < n; i++) {
        const DrivenCoordinate *c = &m->members->driven.data[i];
        if (m->groups.of[c->body] != group) continue;
        double q = w->driven.full[c->tree_q], v = w->driven.full[nq + c->tree_v];
        if (wish(w, event, i, c->q, q) && wish(w, event, n + i, c->v, v)) continue;
        rb_event_fail(event,
                      "the equations start joint '%s' where it does not close its loop, and it is "
                      "none of their states: start it at %.10g with the speed %.10g",
                      rb_member(m->members, c->member)->path, q, v);
        return false;
    }
    return true;
}

// Joint i cannot start as the equations say, since others in its loop are held.
static void fail_said(const Mechanism *m, RbEvent *event, int i, bool speed, const bool *held,
                      const char *why) {
    const MechanismWork *w = event->workspace;
    const DrivenCoordinate *driven = m->members->driven.data;
    int first = speed ? m->members->driven.count : 0;
    RbArena scratch = *m->members->arena;
    RbText others = rb_text(&scratch);
    for (int k = 0; k < m->members->driven.count; k++) {
        if (!held[first + k] || m->groups.of[driven[k].body] != m->groups.of[driven[i].body] ||
            rank_of(m, w, k, speed) == 2)
            continue;
        rb_text_printf(&others, "%s'%s' at %.10g", others.count > 0 ? ", " : ", beside ",
                       rb_member(m->members, driven[k].member)->path, w->driven.inputs[first + k]);
    }
    const RbMember *member = rb_member(m->members, driven[i].member);
    rb_event_fail_at(event, member->at,
                     "what is fixed or asked for at the start contradicts itself: %s of '%s' is "
                     "%.10g%s: %s",
                     speed ? "the speed" : "the coordinate", member->path,
                     w->driven.inputs[first + i], others.count > 0 ? others.data : "", why);
}

// Hold as many coordinates, and then speeds, as the loops allow.
static bool close_driven(const Mechanism *m, RbEvent *event, int group, RbArena *arena,
                         RbArena *texts) {
    const MechanismWork *w = event->workspace;
    int n = m->members->driven.count;
    bool *held = rb_new_array(arena, bool, 2 * n + 1);
    RbDiag diag = rb_diag(texts);
    for (int i = 0; i < 2 * n; i++) held[i] = true;
    if (close_group(m, event, group, held, arena, &diag) == RB_OK) return true;
    for (int i = 0; i < 2 * n; i++) held[i] = false;
    for (int turn = 0; turn < 6; turn++) {
        bool speed = turn >= 3;
        for (int i = 0; i < n; i++) {
            int k = speed ? n + i : i;
            if (m->groups.of[m->members->driven.data[i].body] != group) continue;
            if (rank_of(m, w, i, speed) != turn % 3) continue;
            diag = rb_diag(texts);
            held[k] = true;
            held[k] = close_group(m, event, group, held, arena, &diag) == RB_OK;
            if (held[k] || !w->driven.start_said[k]) continue;
            fail_said(m, event, i, speed, held, diag.messages.data[0].text);
            return false;
        }
    }
    diag = rb_diag(texts);
    if (close_group(m, event, group, held, arena, &diag) == RB_OK)
        return move_followers(m, event, group);
    rb_event_fail(event, "%s",
                  diag.messages.count > 0 ? diag.messages.data[0].text : "a loop stays open");
    return false;
}

void rb_driven_start_loops(const Mechanism *m, RbSegment *g) {
    for (int i = 0; m->first && m->driven.own && i < m->members->driven.count; i++) {
        const DrivenCoordinate *c = &m->members->driven.data[i];
        if (c->body == 0) continue;
        int group = m->groups.of[c->body];
        bool closed = c->looped && rb_mechanism_has_loop(m, group);
        if (!closed && !rb_mechanism_has_starts(m, group)) continue;
        rb_segment_start_of(g, c->q, m->structure.q[c->tree_q]);
        rb_segment_start_of(g, c->v, m->structure.v[c->tree_v]);
    }
}

bool rb_driven_close_loops(const Mechanism *m, RbEvent *event) {
    MechanismWork *w = event->workspace;
    if (!rb_driven_has_loops(m)) return false;
    bool said = find_said(m, w);
    if (event->pass > 1 && !said) return false;
    w->driven.start_wished = false;
    RbArena *arena = rb_arena_child(m->members->arena);
    RbArena *texts = rb_arena_child(m->members->arena); // of messages, which are written while arena is in use
    for (int g = 0; g < m->groups.count; g++) {
        if (!rb_mechanism_has_loop(m, g) || !rb_driven_is_looped(m, g)) continue;
        if (!close_driven(m, event, g, arena, texts)) break;
        for (int i = 0; i < m->driven.own_count; i++)
            event->x[i] = w->driven.full[m->driven.own[i]];
    }
    rb_mechanism_keep_lengths(m);
    rb_arena_free(texts);
    rb_arena_free(arena);
    return w->driven.start_wished;
}

// --- states on the loops -------------------------------------------------------------------------

bool rb_driven_has_loops(const Mechanism *m) {
    return m->driven.own && m->structure.loops.count > 0 && m->members->any_looped;
}

void rb_driven_open_near(const Mechanism *m, MechanismWork *w, RbArena *arena) {
    if (!rb_driven_has_loops(m)) return;
    w->driven.loop_near = rb_loop_near(&m->structure.loops, &m->structure.tree, arena);
    w->driven.loop_states =
        rb_new_array(arena, double, m->structure.tree.nq + m->structure.tree.nv);
}

// Coordinates and speeds of the whole tree, if those of the equations are states of these.
static bool load_states(const Mechanism *m, const RbProjection *p, double *x) {
    for (int i = 0; i < m->driven.own_count; i++) x[m->driven.own[i]] = p->x[i];
    for (int i = 0; i < m->members->driven.count; i++) {
        const DrivenCoordinate *c = &m->members->driven.data[i];
        if (c->body == 0) continue;
        if (!rb_projection_value(p, c->q, &x[c->tree_q]) ||
            !rb_projection_value(p, c->v, &x[m->structure.tree.nq + c->tree_v]))
            return false;
    }
    return true;
}

static void store_states(const Mechanism *m, const RbProjection *p, const double *x) {
    for (int i = 0; i < m->driven.own_count; i++) p->x[i] = x[m->driven.own[i]];
    for (int i = 0; i < m->members->driven.count; i++) {
        const DrivenCoordinate *c = &m->members->driven.data[i];
        if (c->body == 0) continue;
        rb_projection_move(p, c->q, x[c->tree_q]);
        rb_projection_move(p, c->v, x[m->structure.tree.nq + c->tree_v]);
    }
}

bool rb_driven_project(const Mechanism *m, RbProjection *p) {
    MechanismWork *w = p->workspace;
    if (!m->loops.closed) return false;
    const RbTree *tree = &m->structure.tree;
    const RbLoops *loops = &m->structure.loops;
    double *q = w->driven.loop_states, *v = q + tree->nq;
    bool moved = false;
    if (!load_states(m, p, q)) return false;
    for (int g = 0; g < m->groups.count; g++) {
        if (!rb_mechanism_has_loop(m, g) || !rb_driven_is_looped(m, g)) continue;
        RbSpan span = rb_mechanism_span(m, g);
        if (!rb_loops_approach_in(loops, m->loops.cuts[g], tree, span, &w->driven.loop_near, q, v))
            continue;
        p->rate = fmax(p->rate, rb_loops_rate(loops, m->loops.cuts[g], tree, span, v));
        moved = true;
    }
    if (moved) store_states(m, p, q);
    return moved;
}

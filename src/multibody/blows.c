// SPDX-License-Identifier: MIT
// Changes of structure and joints that belong to the equations (docs/theory/restructuring.md, section
// 4): these take part in a blow with whatever drives them, and are locked by the mode of their row. The
// equations are asked how they answer to a push.
#include <math.h>
#include <string.h>

#include "math/lu.h"
#include "component/segment.h"
#include "multibody/driven.h"
#include "multibody/restructure.h"

// A discrete value for each driven coordinate.
typedef enum DrivenMode {
    MODE_FREE,
    MODE_LOCKED,
    MODE_CAUGHT,  // locked as soon as a blow has stopped it
    MODE_DRIFTS,  // its joint is gone, and nothing behind it has inertia: it keeps its speed
    MODE_UNLOADED // its joint is gone: what drives it goes on alone
} DrivenMode;

static int joint_of(const Mechanism *m, int i) {
    return m->members->joint_of[m->members->driven.data[i].member];
}

static DrivenMode mode_of(const Mechanism *m, const double *discrete, int i) {
    return (DrivenMode)(int)discrete[m->driven.modes + i];
}

void rb_driven_end_row(const Mechanism *m, const RbEval *e, const DrivenRow *row, int i, double *A,
                       double *b) {
    const MechanismWork *w = e->workspace;
    int n = row->count, coordinate = row->coordinates[i];
    DrivenMode mode = mode_of(m, e->discrete, coordinate);
    memset(A + n, 0, (size_t)n * sizeof *A);
    A[n + i] = -1;
    if (mode == MODE_FREE || mode == MODE_CAUGHT) return;
    bool first = (mode == MODE_UNLOADED) == row->looped; // the inputs a come first without loops
    memset(A, 0, 2 * (size_t)n * sizeof *A);
    A[first ? i : n + i] = 1;
    *b = mode == MODE_UNLOADED && w->driven.push ? w->driven.push[coordinate] : 0;
}

void rb_driven_declare_modes(Mechanism *m, RbSegment *g, const double *old) {
    int from = m->driven.modes;
    for (int i = 0; m->members && m->members->locks && i < m->members->driven.count; i++) {
        int index =
            rb_segment_discrete(g, &(RbDiscreteSpec){"mode of a joint", old ? old[from + i] : 0, "",
                                                     "", .hidden = true});
        rb_segment_whole(g, index, 1, 1, MODE_UNLOADED);
        if (i == 0) m->driven.modes = index;
    }
}

// ---- pushes

static void push(void *workspace, bool on) {
    MechanismWork *w = workspace;
    w->driven.push = on ? w->driven.pushes : NULL;
}

void rb_driven_push(const Mechanism *m, MechanismWork *w) {
    const DrivenCoordinate *driven = m->members->driven.data;
    int n = w->dyn.driven_count;
    for (int i = 0; w->driven.push && i < m->members->driven.count; i++) {
        if (w->driven.place[i] < 0) continue;
        if (!driven[i].looped) w->driven.h[w->driven.place[i]] -= w->driven.push[i];
        for (int k = 0; driven[i].looped && k < m->members->driven.count; k++) {
            if (driven[k].looped && w->driven.place[k] >= 0 &&
                m->groups.of[driven[k].body] == m->groups.of[driven[i].body])
                w->driven.h[w->driven.place[i]] +=
                    w->driven.M[w->driven.place[i] * n + w->driven.place[k]] * w->driven.push[k];
        }
    }
}

// Accelerations of the driven coordinates if they are pushed.
static RbEvalStatus answer(const Mechanism *m, RbEvent *event, double *a) {
    MechanismWork *w = event->workspace;
    w->driven.push = w->driven.pushes;
    RbEvalStatus status = rb_event_evaluate(event);
    w->driven.push = NULL;
    memcpy(a, w->driven.accelerations, (size_t)m->members->driven.count * sizeof *a);
    return status;
}

static void push_nothing(const Mechanism *m, MechanismWork *w) {
    memset(w->driven.pushes, 0, (size_t)m->members->driven.count * sizeof *w->driven.pushes);
}

// ---- joints that are locked

// What stops those that are caught: with Lambda the accelerations per push, and what the blow does to
// them alone, Lambda P = -(v + dv). Answers the first that no push moves, RB_NONE: there is none.
typedef struct Catch {
    int *list, count;    // driven coordinates
    double *rest;        // accelerations without a push
    double *a;           // with one
    double *lambda, *dv; // by columns; becomes P
    int *pivot;
} Catch;

static Catch open_catch(const Mechanism *m, const double *discrete, RbArena *arena) {
    int n = m->members->driven.count;
    Catch c = {.list = rb_new_array(arena, int, n + 1)};
    for (int i = 0; m->members->locks && i < n; i++) {
        if (mode_of(m, discrete, i) == MODE_CAUGHT) c.list[c.count++] = i;
    }
    c.rest = rb_new_array(arena, double, n + 1);
    c.a = rb_new_array(arena, double, n + 1);
    c.lambda = rb_new_array(arena, double, c.count *c.count + 1);
    c.dv = rb_new_array(arena, double, c.count + 1);
    c.pivot = rb_new_array(arena, int, c.count + 1);
    return c;
}

static RbEvalStatus find_answers(const Mechanism *m, RbEvent *event, Catch *c) {
    MechanismWork *w = event->workspace;
    const double *v = w->driven.inputs + m->members->driven.count;
    RbEvalStatus status = RB_EVAL_OK;
    memcpy(w->driven.pushes, m->driven.blow,
           (size_t)m->members->driven.count * sizeof *w->driven.pushes);
    status = answer(m, event, c->a);
    for (int i = 0; i < c->count; i++)
        c->dv[i] = -(v[c->list[i]] + c->a[c->list[i]] - c->rest[c->list[i]]);
    for (int k = 0; k < c->count && status == RB_EVAL_OK; k++) {
        push_nothing(m, w);
        w->driven.pushes[c->list[k]] = 1;
        status = answer(m, event, c->a);
        for (int i = 0; i < c->count; i++)
            c->lambda[i + c->count * k] = c->a[c->list[i]] - c->rest[c->list[i]];
    }
    return status;
}

// A push that moves a joint far less than it would without what drives it finds its motion prescribed.
static int find_prescribed(const Mechanism *m, const MechanismWork *w, const Catch *c) {
    const double least = 1e-9;
    for (int k = 0; k < c->count; k++) {
        int i = c->list[k];
        double M = w->driven.M[w->driven.place[i] * w->dyn.driven_count + w->driven.place[i]];
        double alone = m->members->driven.data[i].looped ? M : 1 / M;
        if (!(fabs(c->lambda[k + c->count * k]) > least * fabs(alone))) return i;
    }
    return RB_NONE;
}

static bool stop_caught(const Mechanism *m, RbEvent *event, Catch *c) {
    MechanismWork *w = event->workspace;
    RbEvalStatus status = find_answers(m, event, c);
    int bad = status == RB_EVAL_OK ? find_prescribed(m, w, c) : c->list[0];
    if (bad == RB_NONE && !rb_lu_factor(c->count, c->lambda, c->pivot, RB_LU_NOISE))
        bad = c->list[0];
    if (bad != RB_NONE) {
        const RbMember *member = rb_member(m->members, m->members->driven.data[bad].member);
        rb_event_fail_at(event, m->driven.caught_by ? m->driven.caught_by->at : member->at,
                         "cannot lock '%s': the equations prescribe its motion", member->path);
        return false;
    }
    rb_lu_solve(c->count, c->lambda, c->pivot, c->dv);
    return true;
}

// Speeds that are states are zero without a rounding left.
static void hold_caught(const Mechanism *m, RbEvent *event, const Catch *c) {
    for (int k = 0; k < c->count; k++) {
        event->discrete[m->driven.modes + c->list[k]] = MODE_LOCKED;
        rb_event_reinit(event, m->members->driven.data[c->list[k]].v, 0);
    }
}

// ---- the blow

// What the drives put in, as impulses: it is on its way to, or comes from, what is behind them.
static double work_of_drives(const Mechanism *m, const MechanismWork *w, const double *v,
                             const double *rest, const double *torque) {
    double work = 0;
    for (int i = 0; i < m->members->driven.count; i++) {
        double dv = w->driven.accelerations[i] - rest[i];
        work += (w->driven.drive[i] - torque[i]) * (v[i] + 0.5 * dv);
    }
    return work;
}

static bool is_blow(const Mechanism *m) {
    for (int i = 0; i < m->members->driven.count; i++) {
        if (m->driven.blow[i] != 0) return true;
    }
    return false;
}

// Carries out a blow of w->pushes; returns what the drives have put in.
static double strike(const Mechanism *m, RbEvent *event, const Catch *c, RbArena *arena) {
    MechanismWork *w = event->workspace;
    int n = m->members->driven.count;
    double *v = rb_new_array(arena, double, n + 1), *torque = rb_new_array(arena, double, n + 1);
    memcpy(v, w->driven.inputs + n, (size_t)n * sizeof *v);
    push_nothing(m, w);
    double *rest = c->rest;
    answer(m, event, rest);
    memcpy(torque, w->driven.drive, (size_t)n * sizeof *torque);
    memcpy(w->driven.pushes, m->driven.blow, (size_t)n * sizeof *w->driven.pushes);
    for (int k = 0; k < c->count; k++) w->driven.pushes[c->list[k]] += c->dv[k];
    if (rb_event_blow(event, push) != RB_EVAL_OK) return 0;
    double work = work_of_drives(m, w, v, rest, torque);
    hold_caught(m, event, c);
    return work;
}

void rb_driven_blow(Mechanism *m, RbEvent *event) {
    MechanismWork *w = event->workspace;
    if (!m->driven.own || !m->change.was_changed || m->members->driven.count == 0) return;
    RbArena arena = rb_arena(m->arena->heap);
    Catch c = open_catch(m, event->discrete, &arena);
    if (c.count == 0 && !is_blow(m)) {
        rb_arena_free(&arena);
        return;
    }
    double before = rb_mechanism_energy(m, event);
    push_nothing(m, w);
    answer(m, event, c.rest);
    if (c.count == 0 || stop_caught(m, event, &c)) {
        double work = strike(m, event, &c, &arena);
        rb_event_evaluate(event);
        double lost = before - rb_mechanism_energy(m, event) + work;
        m->account.impact += lost;
        m->account.driven_work = work;
        event->discrete[m->account.structure_energy[STRUCTURE_IMPACT]] += lost;
        event->discrete[m->account.structure_energy[STRUCTURE_DRIVES]] -= work;
    }
    rb_arena_free(&arena);
}

// ---- what is left to be held

// What is a rounding of the momentum beyond a joint is none.
static double impulse_along(Wrench before, Wrench after, Motion S) {
    const double noise = 1e-13;
    double size = v3_norm(before.f) * v3_norm(S.v) + v3_norm(before.t) * v3_norm(S.w);
    double impulse = wr_power(wr_sub(before, after), S);
    return fabs(impulse) > noise * size ? impulse : 0;
}

void rb_driven_note_blow(Mechanism *m, const RbKin *kin, Wrench *before, RbArena scratch) {
    const RbTree *tree = &m->structure.tree;
    Wrench *after = rb_new_array(&scratch, Wrench, tree->bodies.count);
    for (int body = 1; body < tree->bodies.count; body++)
        after[body] = ri_mul(kin->bodies[body].I, kin->bodies[body].V);
    for (int body = tree->bodies.count - 1; body > 0; body--) {
        int parent = tree->bodies.data[body].parent;
        before[parent] = wr_add(before[parent], wr_shift(before[body], kin->bodies[body].d));
        after[parent] = wr_add(after[parent], wr_shift(after[body], kin->bodies[body].d));
    }
    for (int i = 0; i < m->members->driven.count; i++) {
        const DrivenCoordinate *c = &m->members->driven.data[i];
        bool moves = c->body > 0 && !c->looped;
        m->driven.blow[i] =
            moves ? impulse_along(before[c->body], after[c->body], kin->S[c->tree_v]) : 0;
    }
}

// ---- lock, unlock, break

bool rb_driven_lock(Mechanism *m, RbEvent *event, int joint, const RbSceneAction *action,
                    const char **why) {
    for (int i = 0; i < m->members->driven.count; i++) {
        if (joint_of(m, i) != joint) continue;
        DrivenMode mode = mode_of(m, event->discrete, i);
        *why = mode == MODE_LOCKED || mode == MODE_CAUGHT ? "it is locked" : "it is not there";
        if (mode != MODE_FREE) return false;
        event->discrete[m->driven.modes + i] = MODE_CAUGHT;
    }
    m->driven.caught_by = action;
    return true;
}

bool rb_driven_unlock(const Mechanism *m, RbEvent *event, int joint, const char **why) {
    for (int i = 0; i < m->members->driven.count; i++) {
        if (joint_of(m, i) != joint) continue;
        *why = "it is not locked";
        if (mode_of(m, event->discrete, i) != MODE_LOCKED) return false;
        event->discrete[m->driven.modes + i] = MODE_FREE;
    }
    return true;
}

// Can the equations go on without a load, whatever acts on what is left? Then something behind the joint
// has inertia, or its motion is prescribed.
static bool goes_on_alone(const Mechanism *m, RbEvent *event, int i) {
    MechanismWork *w = event->workspace;
    event->discrete[m->driven.modes + i] = MODE_UNLOADED;
    push_nothing(m, w);
    w->driven.pushes[i] = 1;
    w->driven.push = w->driven.pushes;
    RbEvalStatus status = rb_event_evaluate(event);
    w->driven.push = NULL;
    return status == RB_EVAL_OK;
}

void rb_driven_part(const Mechanism *m, RbEvent *event) {
    for (int i = 0; m->driven.own && m->members->locks && i < m->members->driven.count; i++) {
        DrivenMode mode = mode_of(m, event->discrete, i);
        if (!m->change.arrangement.gone[joint_of(m, i)]) continue;
        if (mode == MODE_DRIFTS || mode == MODE_UNLOADED) continue;
        bool alone = goes_on_alone(m, event, i);
        event->discrete[m->driven.modes + i] = alone ? MODE_UNLOADED : MODE_DRIFTS;
    }
}

// SPDX-License-Identifier: MIT
// A mechanism some of whose joints belong to the equations. Their coordinates come as inputs; the
// states of the component are those of all other joints, so that the vectors of the tree are put
// together from both.
#include <string.h>

#include "component/segment.h"
#include "multibody/driven.h"
#include "multibody/matter.h"
#include "multibody/sensing.h"

// --- start of a segment --------------------------------------------------------------------------

static bool is_driven(const Mechanism *m, int body) {
    return rb_tree_joint(&m->structure.tree, body)->owner == RB_OWNED_BY_EQUATIONS;
}

static bool is_own(const Mechanism *m, int body) {
    return rb_tree_joint(&m->structure.tree, body)->owner == RB_OWNED_BY_COMPONENT;
}

static void place_driven(Mechanism *m) {
    const RbTree *tree = &m->structure.tree;
    for (int i = 0; i < m->members->driven.count; i++) {
        DrivenCoordinate *c = &m->members->driven.data[i];
        const char *name = rb_member(m->members, c->member)->path;
        c->body = 0; // it may be gone
        for (int body = 1; body < tree->bodies.count; body++) {
            const RbJoint *joint = rb_tree_joint(tree, body);
            if (!is_driven(m, body) || strcmp(joint->name, name) != 0) continue;
            c->tree_q = joint->q + c->coordinate;
            c->tree_v = joint->v + c->coordinate;
            c->body = body;
        }
    }
}

// Coordinates of joints with one axis mean the same from either end; those of others do not, and the
// equations know them as they are drawn.
static RbStatus refuse_reexpressed(const Mechanism *m, RbSegment *segment) {
    const RbTree *tree = &m->structure.tree;
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        if (joint->owner != RB_OWNED_BY_EQUATIONS || !joint->reexpressed) continue;
        return rb_fail(segment->diag, RB_ERROR_MODEL, joint->at,
                       "joint '%s' leads towards the world, and equations drive it or speak of its "
                       "coordinates: draw it the other way round",
                       joint->name);
    }
    return RB_OK;
}

RbStatus rb_driven_start(Mechanism *m, RbSegment *segment) {
    const RbTree *tree = &m->structure.tree;
    RbArena *arena = segment->arena;
    m->driven.own = NULL;
    m->driven.own_count = 0;
    if (!m->members || m->members->driven.count + m->members->moved.count == 0) return RB_OK;
    RB_TRY(refuse_reexpressed(m, segment));
    place_driven(m);
    if (!m->driven.blow)
        m->driven.blow = rb_new_array(m->members->arena, double, m->members->driven.count + 1);
    rb_moved_place(m);
    rb_driven_find_row_groups(m, arena);
    m->driven.own = rb_new_array(arena, int, tree->nq + tree->nv + 1);
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *j = rb_tree_joint(tree, i);
        for (int k = 0; is_own(m, i) && k < rb_joint_nq(j); k++)
            m->driven.own[m->driven.own_count++] = j->q + k;
    }
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *j = rb_tree_joint(tree, i);
        for (int k = 0; is_own(m, i) && k < rb_joint_nv(j); k++)
            m->driven.own[m->driven.own_count++] = tree->nq + j->v + k;
    }
    m->driven.own_place = rb_new_array(arena, int, tree->nq + tree->nv + 1);
    for (int i = 0; i < tree->nq + tree->nv; i++) m->driven.own_place[i] = -1;
    for (int i = 0; i < m->driven.own_count; i++) m->driven.own_place[m->driven.own[i]] = i;
    return RB_OK;
}

void rb_driven_open(const Mechanism *m, MechanismWork *w, RbArena *arena) {
    if (!m->driven.own) return;
    const RbTree *tree = &m->structure.tree;
    int full = tree->nq + tree->nv + rb_mechanism_tail(m), n = m->members->driven.count;
    w->driven.full = rb_new_array(arena, double, full + 1);
    w->driven.full_rates = rb_new_array(arena, double, full + 1);
    w->driven.inputs = rb_new_array(arena, double, rb_members_input_count(m->members) + 1);
    w->driven.inputs_before = rb_new_array(arena, double, rb_members_signals_at(m->members) + 1);
    rb_moved_open(m, w, arena);
    w->driven.M = rb_new_array(arena, double, n *n + 1);
    w->driven.h = rb_new_array(arena, double, n + 1);
    w->driven.added = rb_new_array(arena, double, tree->nv + 1);
    w->driven.solved = rb_new_array(arena, bool, m->members->rows.count + 1);
    w->driven.held_tau = rb_new_array(arena, double, n + 1);
    w->driven.drive = rb_new_array(arena, double, n + 1);
    w->driven.accelerations = rb_new_array(arena, double, n + 1);
    w->driven.pushes = rb_new_array(arena, double, n + 1);
    rb_driven_open_loops(m, w, arena);
    w->driven.inverse = rb_inverse(tree, arena);
    w->driven.place = rb_new_array(arena, int, n + 1);
    for (int i = 0; i < n; i++) {
        w->driven.place[i] = RB_NONE;
        for (int k = 0; m->members->driven.data[i].body > 0 && k < w->dyn.driven_count; k++) {
            if (w->dyn.driven[k] == m->members->driven.data[i].tree_v) w->driven.place[i] = k;
        }
    }
}

// --- vectors -------------------------------------------------------------------------------------

// What comes from the equations: driven coordinates, and speeds if they are known, and moved parts.
static void assemble_inputs(const Mechanism *m, const double *inputs, bool speeds,
                            const double *moved, double *full) {
    int n = m->members->driven.count, nq = m->structure.tree.nq;
    for (int i = 0; i < n; i++) {
        const DrivenCoordinate *c = &m->members->driven.data[i];
        if (c->body == 0) continue;
        full[c->tree_q] = inputs[i];
        full[nq + c->tree_v] = speeds ? inputs[n + i] : 0;
    }
    rb_moved_load(m, moved, full);
}

const double *rb_driven_assemble(const Mechanism *m, const double *x, const double *inputs,
                                 bool speeds, const double *moved, double *full) {
    if (!m->driven.own) return x;
    for (int i = 0; i < m->driven.own_count; i++) full[m->driven.own[i]] = x[i];
    assemble_inputs(m, inputs, speeds, moved, full);
    return full;
}

static void copy_tail(const Mechanism *m, const double *from, double *to) {
    memcpy(to, from, (size_t)rb_mechanism_tail(m) * sizeof *to);
}

const double *rb_driven_states(const Mechanism *m, const double *x, MechanismWork *w) {
    if (!m->driven.own) return x;
    int joints = m->structure.tree.nq + m->structure.tree.nv;
    rb_driven_assemble(m, x, w->driven.inputs, true,
                       w->driven.inputs + rb_members_moved_at(m->members), w->driven.full);
    copy_tail(m, x + m->driven.own_count, w->driven.full + joints);
    return w->driven.full;
}

// The own states among count ones of the tree, into its vector or out of it.
static void copy_own(const Mechanism *m, int first, int count, const double *x, double *tree,
                     double *dx) {
    for (int i = first; i < first + count; i++) {
        int place = m->driven.own_place[i];
        if (place < 0) continue;
        if (x)
            tree[i] = x[place];
        else
            dx[place] = tree[i];
    }
}

// The same of the joints that are evaluated.
static void copy_evaluated(const Mechanism *m, const RbEval *e, const double *x, double *tree,
                           double *dx) {
    int nq = m->structure.tree.nq;
    if (!e->groups) copy_own(m, 0, nq + m->structure.tree.nv, x, tree, dx);
    for (int k = 0; e->groups && k < e->group_count; k++) {
        const GroupStates *g = &m->groups.states[e->group_list[k]];
        copy_own(m, g->q, g->nq, x, tree, dx);
        copy_own(m, nq + g->v, g->nv, x, tree, dx);
    }
}

const double *rb_driven_group_states(const Mechanism *m, int group, const double *x,
                                     MechanismWork *w) {
    if (!m->driven.own) return x;
    const GroupStates *g = &m->groups.states[group];
    int nq = m->structure.tree.nq, joints = nq + m->structure.tree.nv;
    // None of its joints is driven: they stand together among the states, too.
    if (g->nq > 0)
        memcpy(w->driven.full + g->q, x + m->driven.own_place[g->q], (size_t)g->nq * sizeof *x);
    if (g->nv > 0)
        memcpy(w->driven.full + nq + g->v, x + m->driven.own_place[nq + g->v],
               (size_t)g->nv * sizeof *x);
    for (int k = m->sticking.start[group];
         m->sticking.count > 0 && k < m->sticking.start[group + 1]; k++) {
        const Bristle *b = &m->sticking.bristles[m->sticking.list[k]];
        memcpy(w->driven.full + joints + b->at, x + m->driven.own_count + b->at,
               (size_t)b->count * sizeof *x);
    }
    return w->driven.full;
}

void rb_driven_group_rates(const Mechanism *m, int group, const MechanismWork *w, double *dx) {
    const GroupStates *g = &m->groups.states[group];
    int nq = m->structure.tree.nq, joints = nq + m->structure.tree.nv;
    const double *rates = w->driven.full_rates;
    if (g->nq > 0) memcpy(dx + m->driven.own_place[g->q], rates + g->q, (size_t)g->nq * sizeof *dx);
    if (g->nv > 0)
        memcpy(dx + m->driven.own_place[nq + g->v], rates + nq + g->v, (size_t)g->nv * sizeof *dx);
    for (int k = m->sticking.start[group];
         m->sticking.count > 0 && k < m->sticking.start[group + 1]; k++) {
        const Bristle *b = &m->sticking.bristles[m->sticking.list[k]];
        memcpy(dx + m->driven.own_count + b->at, w->driven.full_rates + joints + b->at,
               (size_t)b->count * sizeof *dx);
    }
}

// --- evaluation ----------------------------------------------------------------------------------

static bool is_evaluated(const RbEval *e, int group) {
    return !e->groups || e->groups[group];
}

// What springs and stops in the driven joints of a group exert acts beside what the equations do.
static void take_own_forces(const Mechanism *m, int group, MechanismWork *w) {
    const GroupStates *g = &m->groups.states[group];
    for (int k = 0; k < w->dyn.driven_count; k++) {
        int v = w->dyn.driven[k];
        if (v >= g->v && v < g->v + g->nv) w->driven.h[k] -= w->tau[v];
    }
}

// Then nobody follows, and no loop ties joints to each other.
static bool all_are_driven(const Mechanism *m, const MechanismWork *w) {
    return w->dyn.driven_count == m->structure.tree.nv && !m->members->any_looped;
}

// tau = M a + h. Where all joints are driven M is the mass matrix, which composite bodies give in one
// sweep; otherwise what is left of it when the others follow, and in loops what these leave.
static RbEvalStatus see_joints(const Mechanism *m, const RbEval *full, MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    if (!all_are_driven(m, w)) {
        for (int g = 0; g < m->groups.count; g++) {
            if (!is_evaluated(full, g) || m->driven.row_of_group[g] < 0 ||
                rb_driven_is_looped(m, g) || rb_driven_is_solved(m, w, g))
                continue;
            rb_dyn_affine_in(tree, rb_mechanism_span(m, g), &w->kin, NULL, w->tau, w->forces,
                             &w->dyn, NULL, w->driven.M, w->driven.h);
            take_own_forces(m, g, w);
        }
        return rb_driven_see_loops(m, full, w);
    }
    rb_mass_matrix(tree, &w->kin, &w->driven.inverse, w->driven.M);
    rb_bias_forces(tree, &w->kin, w->forces, &w->driven.inverse, w->driven.h);
    for (int i = 0; i < tree->nv; i++) w->driven.h[i] -= w->tau[i];
    return RB_EVAL_OK;
}

RbEval rb_driven_full(const RbEval *e, const MechanismWork *w) {
    RbEval f = *e;
    f.x = w->driven.full;
    f.dx = w->driven.full_rates;
    f.want |= RB_WANT_DERIVATIVES;
    return f;
}

static RbEvalStatus compute(const Mechanism *m, const RbEval *e) {
    MechanismWork *w = e->workspace;
    int joints = m->structure.tree.nq + m->structure.tree.nv;
    copy_evaluated(m, e, e->x, w->driven.full, NULL);
    assemble_inputs(m, w->driven.inputs, true, w->driven.inputs + rb_members_moved_at(m->members),
                    w->driven.full);
    copy_tail(m, e->x + m->driven.own_count, w->driven.full + joints);
    RbEval f = rb_driven_full(e, w);
    w->driven.seen = false;
    memset(w->driven.solved, 0, (size_t)m->members->rows.count * sizeof *w->driven.solved);
    RbEvalStatus status = rb_mechanism_forces(m, &f, w);
    if (status == RB_EVAL_OK) w->ledger.input -= rb_moved_power(m, w);
    return status;
}

// Nothing is asked for but what the equations hand over: what acts is that of the last evaluation.
static bool only_listens(const RbEval *e) {
    return e->want == 0;
}

// What the driven joints see, for those who ask.
static RbEvalStatus see(const Mechanism *m, const RbEval *e) {
    MechanismWork *w = e->workspace;
    if (w->driven.seen || w->sensing.probe || only_listens(e)) return RB_EVAL_OK;
    RbEval f = rb_driven_full(e, w);
    RbEvalStatus status = see_joints(m, &f, w);
    rb_driven_push(m, w);
    w->driven.seen = true;
    return status;
}

RbEvalStatus rb_driven_load(const Mechanism *m, const RbEval *e, bool first, const double *inputs) {
    MechanismWork *w = e->workspace;
    int signals_at = rb_members_signals_at(m->members), signals = m->members->inputs.count;
    size_t size = (size_t)(signals_at + signals) * sizeof *inputs;
    if (w->sensing.probe) return RB_EVAL_OK;
    if (!first && memcmp(w->driven.inputs, inputs, size) == 0) return RB_EVAL_OK;
    memcpy(w->driven.inputs, inputs, size);
    memcpy(w->sensing.signals, inputs + signals_at, (size_t)signals * sizeof *inputs);
    return only_listens(e) ? RB_EVAL_OK : compute(m, e);
}

// The same where signals are not known yet; no contact depends on them.
static RbEvalStatus load_motion(const Mechanism *m, const RbEval *e, const double *inputs) {
    MechanismWork *w = e->workspace;
    int signals_at = rb_members_signals_at(m->members), signals = m->members->inputs.count;
    if (w->sensing.probe) return RB_EVAL_OK;
    memcpy(w->driven.inputs, inputs, (size_t)signals_at * sizeof *inputs);
    memset(w->driven.inputs + signals_at, 0, (size_t)signals * sizeof *inputs);
    memset(w->sensing.signals, 0, (size_t)signals * sizeof *w->sensing.signals);
    return only_listens(e) ? RB_EVAL_OK : compute(m, e);
}

// Nothing is seen of a joint that is gone.
static double matrix(const MechanismWork *w, int i, int k) {
    if (w->driven.place[i] < 0 || w->driven.place[k] < 0) return 0;
    return w->driven.M[w->driven.place[i] * w->dyn.driven_count + w->driven.place[k]];
}

static double bias(const MechanismWork *w, int i) {
    return w->driven.place[i] < 0 ? 0 : w->driven.h[w->driven.place[i]];
}

RbEvalStatus rb_driven_affine(const Mechanism *m, const RbEval *e, int function,
                              const double *inputs, double *A, double *b) {
    int number = function - rb_members_first_row(m->members);
    const DrivenRow *row = &m->members->rows.data[number];
    MechanismWork *w = e->workspace;
    RbEvalStatus status = rb_driven_load(m, e, function == 0, inputs);
    if (status == RB_EVAL_OK) status = see(m, e);
    w->driven.solved[number] = false;
    int columns = row->count * (m->members->locks ? 2 : 1);
    for (int i = 0; i < row->count; i++) {
        for (int k = 0; k < row->count; k++)
            A[i * columns + k] = matrix(w, row->coordinates[i], row->coordinates[k]);
        b[i] = bias(w, row->coordinates[i]);
        if (m->members->locks) rb_driven_end_row(m, e, row, i, A + i * columns, &b[i]);
    }
    return status;
}

// The joints of a group that no row has accelerated yet: with those of the equations moved by these, or
// with none of them. Loops are held afterwards.
static void move_group(const Mechanism *m, int group, MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    RbSpan span = rb_mechanism_span(m, group);
    double *dv = w->driven.full_rates + tree->nq;
    if (m->driven.row_of_group[group] >= 0) {
        rb_dyn_affine_finish_in(tree, span, &w->kin, w->tau, w->forces, &w->dyn, dv);
    } else if (!rb_mechanism_has_loop(m, group)) {
        rb_dyn_factor_in(tree, span, &w->kin, NULL, &w->dyn);
        rb_dyn_solve_in(tree, span, &w->kin, NULL, w->tau, w->forces, &w->dyn, dv);
    }
}

// What drives the joints of a row, from their accelerations.
static void find_drive(const DrivenRow *row, MechanismWork *w, const double *a,
                       const double *taus) {
    for (int r = 0; r < row->count; r++) {
        int i = row->coordinates[r];
        w->driven.drive[i] = row->looped && w->driven.place[i] >= 0 ? taus[i] : bias(w, i);
        for (int k = 0; k < row->count && !row->looped; k++)
            w->driven.drive[i] += matrix(w, i, row->coordinates[k]) * a[row->coordinates[k]];
    }
}

// All other joints follow; what the drives put in is input.
static RbEvalStatus move(const Mechanism *m, const RbEval *e, MechanismWork *w, const double *a,
                         const double *taus) {
    const RbTree *tree = &m->structure.tree;
    int n = m->members->driven.count;
    bool all_solved = true;
    double *dv = w->driven.full_rates + tree->nq;
    for (int r = 0; r < m->members->rows.count; r++) all_solved = all_solved && w->driven.solved[r];
    RbEvalStatus status = all_solved ? RB_EVAL_OK : see(m, e);
    for (int r = 0; r < m->members->rows.count; r++) {
        if (!w->driven.solved[r]) find_drive(&m->members->rows.data[r], w, a, taus);
    }
    for (int i = 0; i < n; i++) {
        if (w->driven.place[i] >= 0) dv[m->members->driven.data[i].tree_v] = a[i];
        w->ledger.input += w->driven.drive[i] * w->driven.inputs[n + i];
    }
    for (int g = 0; g < m->groups.count && tree->bodies.count > 1; g++) {
        if (!is_evaluated(e, g)) continue;
        rb_tree_rates_in(tree, rb_mechanism_span(m, g), w->driven.full, w->driven.full + tree->nq,
                         w->driven.full_rates);
        if (!all_are_driven(m, w) && !rb_driven_is_solved(m, w, g) && !rb_driven_is_looped(m, g))
            move_group(m, g, w);
    }
    if (all_are_driven(m, w) && !all_solved) rb_kin_accelerations(tree, dv, &w->kin);
    return status;
}

static RbEvalStatus evaluate_contact(const Mechanism *m, const RbEval *e, const double *inputs,
                                     double *outputs) {
    RbEvalStatus status = load_motion(m, e, inputs);
    if (status != RB_EVAL_OK) return status;
    rb_members_contact_values(m, e, rb_moved_forces(m, e->workspace, outputs));
    return status;
}

static RbEvalStatus evaluate_row(const Mechanism *m, const RbEval *e, int number, const double *a,
                                 double *outputs) {
    const DrivenRow *row = &m->members->rows.data[number];
    MechanismWork *w = e->workspace;
    RbEvalStatus status = see(m, e);
    w->driven.solved[number] = false;
    for (int i = 0; i < row->count; i++) {
        outputs[i] = bias(w, row->coordinates[i]);
        for (int k = 0; k < row->count; k++)
            outputs[i] += matrix(w, row->coordinates[i], row->coordinates[k]) * a[k];
    }
    return status;
}

// Derivatives of own states, once all accelerations are known.
static RbEvalStatus evaluate_motion(const Mechanism *m, const RbEval *e, const double *a) {
    MechanismWork *w = e->workspace;
    memcpy(w->sensing.moved_accelerations, a + m->members->driven.count,
           (size_t)(MOVED_ACCELERATIONS * m->members->moved.count) * sizeof *a);
    if (w->sensing.probe || only_listens(e)) return RB_EVAL_OK;
    memcpy(w->driven.accelerations, a, (size_t)m->members->driven.count * sizeof *a);
    double before = w->ledger.input; // what is not that of drives
    RbEvalStatus status = move(
        m, e, w, a, a + m->members->driven.count + MOVED_ACCELERATIONS * m->members->moved.count);
    if (status != RB_EVAL_OK) return status;
    RbEval f = rb_driven_full(e, w);
    status = rb_driven_hold_loops(m, &f, w);
    if (status != RB_EVAL_OK) return status;
    rb_mechanism_bristle_rates(m, &f, w);
    if (m->soft) rb_mechanism_soft_rates(m, &f, w);
    copy_evaluated(m, e, NULL, w->driven.full_rates, e->dx);
    copy_tail(m, w->driven.full_rates + m->structure.tree.nq + m->structure.tree.nv,
              e->dx + m->driven.own_count);
    rb_mechanism_account(m, e, w);
    w->ledger.input = before;
    return RB_EVAL_OK;
}

// ORDER functions in members/drive.c
RbEvalStatus rb_driven_evaluate(const Mechanism *m, const RbEval *e, int function,
                                const double *inputs, double *outputs) {
    int row = function - rb_members_first_row(m->members), rows = m->members->rows.count;
    if (row < 0) return evaluate_contact(m, e, inputs, outputs);
    bool motion = function == rb_members_motion(m->members);
    if (row >= rows && !motion) return rb_driven_solve(m, e, row - rows, inputs, outputs);
    RbEvalStatus status = rb_driven_load(m, e, function == 0, inputs);
    if (status != RB_EVAL_OK) return status;
    const double *a = inputs + rb_members_input_count(m->members);
    return motion ? evaluate_motion(m, e, a) : evaluate_row(m, e, row, a, outputs);
}

// Within its reach everything depends on everything: the equations lie between.
void rb_driven_couplings(const Mechanism *m, const RbReach *r, RbCouplings *c) {
    const Members *members = m->members;
    for (int i = 0; i < r->count; i++) {
        int state = r->states[i];
        for (int k = 0; k < r->count; k++) rb_couplings_derivative_state(c, state, r->states[k]);
        for (int k = 0; k < members->driven.count; k++) {
            const DrivenCoordinate *d = &members->driven.data[k];
            rb_couplings_derivative_input(c, state, d->q);
            rb_couplings_derivative_input(c, state, d->v);
            rb_couplings_derivative_input(c, state, d->a);
            rb_couplings_output_state(c, d->tau, state);
        }
        for (int k = 0; k < members->moved.count; k++) {
            const MovedPart *p = &members->moved.data[k];
            for (int j = 0; j < MOVED_INPUTS; j++)
                rb_couplings_derivative_input(c, state, p->inputs[j]);
            for (int j = 0; j < MOVED_OUTPUTS; j++)
                rb_couplings_output_state(c, p->outputs[j], state);
        }
    }
}

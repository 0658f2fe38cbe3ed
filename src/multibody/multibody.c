// SPDX-License-Identifier: MIT
#include "multibody/multibody.h"

#include <math.h>
#include <string.h>

#include "component/instance.h"
#include "component/saver.h"
#include "component/workspace.h"
#include "contact/pair.h"
#include "multibody/step_look.h"
#include "multibody/crowd.h"
#include "multibody/driven.h"
#include "multibody/matter.h"
#include "multibody/restructure.h"
#include "multibody/sensing.h"
#include "multibody/touching_solids.h"
#include "rigid/modes.h"

// Inputs of joint forces, in their order.
static int declare_inputs(const RbScene *s, RbBuild *build, int *inputs) {
    int count = 0;
    for (int i = 0; i < s->joint_forces.count; i++) {
        const RbSceneJointForce *f = &s->joint_forces.data[i];
        if (!f->input) continue;
        RbVariableSpec spec = {.name = f->input,
                               .kind = RB_VARIABLE_INPUT,
                               .description = "force or torque in a joint"};
        inputs[count++] = rb_build_variable(build, &spec);
    }
    return count;
}

static RbStatus build(void *self, RbBuild *build) {
    Mechanism *m = self;
    m->arena = build->arena;
    if (build->gathered) {
        m->members = rb_new(build->arena, Members);
        *m->members = (Members){.arena = build->arena, .gathered = build->gathered};
        rb_members_declare_knobs(m, build);
        return rb_members_build(m->members, build);
    }
    m->scene = rb_build_data(build);
    if (!m->scene) return RB_ERROR_MODEL;
    rb_mechanism_declare_knobs(m, build);
    int *inputs = rb_new_array(build->arena, int, m->scene->joint_forces.count + 1);
    int input_count = declare_inputs(m->scene, build, inputs);
    rb_build_function(build, &(RbFunctionSpec){.name = "motion",
                                               .input_count = input_count,
                                               .inputs = inputs,
                                               .level = RB_LEVEL_ACCELERATION,
                                               .after = RB_NONE,
                                               .derivative = RB_NONE,
                                               .state_derivatives = true});
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *segment) {
    return rb_mechanism_start(self, segment);
}
static void couplings(void *self, RbCouplings *c) {
    const Mechanism *m = self;
    if (!m->members) {
        rb_mechanism_couplings(m, c);
        return;
    }
    RbReach reach = rb_mechanism_reach(m, c);
    if (m->driven.own) rb_driven_couplings(m, &reach, c);
    rb_members_couplings(m, &reach, c);
}
static RbEvalStatus jacobian(void *self, const RbEval *e, double *values) {
    const Mechanism *m = self;
    RbEval full = *e;
    if (m->driven.own)
        full.x = ((const MechanismWork *)e->workspace)->driven.full; // of groups beside equations
    return rb_mechanism_jacobian(m, &full, values);
}
static void record(void *self, const RbEval *e, double *results) {
    rb_mechanism_record(self, e, results);
}

static void draw(void *self, RbDrawing *drawing) {
    rb_mechanism_draw(self, drawing);
}
static void show(void *self, const RbEval *e, RbPicture *picture) {
    rb_mechanism_show(self, e, picture);
}

static double inspect(void *self, const RbStepView *step, int *indicator, int *sign) {
    double contact = rb_mechanism_inspect(self, step, indicator, sign);
    RbStepView view = *step;
    view.t1 = fmin(step->t1, contact);
    double solids = view.t1 > view.t0 ? rb_mechanism_inspect_solids(self, &view) : INFINITY;
    double soft =
        ((const Mechanism *)self)->soft ? rb_mechanism_inspect_soft(self, &view) : INFINITY;
    if (fmin(solids, soft) >= contact) return contact;
    *indicator = RB_NONE;
    return fmin(solids, soft);
}

static void links(void *self, RbLinks *l) {
    rb_mechanism_links(self, l);
}
static bool watch(void *self, const RbStepView *step, RbWatch *found) {
    return rb_mechanism_watch(self, step, found);
}

static double watched(void *self, const RbStepView *step, const RbWatch *w, double time) {
    return rb_mechanism_watched(self, step, w, time);
}

// --------------------------------------------------------------------------------------------------
// workspace

static void forget_history(MechanismWork *w) {
    w->contact.slots.version = -1;
    w->step.end_time = w->step.nearest_time = -INFINITY;
}

static void open_workspace(void *self, void *workspace, RbWorkspaceMemory *memory) {
    const Mechanism *m = self;
    MechanismWork *w = workspace;
    RbArena *arena = memory->arena;
    const RbTree *tree = &m->structure.tree;
    int n = tree->bodies.count;
    w->kin = rb_kin(tree, arena);
    w->dyn = rb_dyn(tree, arena);
    w->forces = rb_new_array(arena, Wrench, n);
    w->contact.presses = rb_new_array(arena, Wrench, n);
    w->moving = rb_new_array(arena, RbMoving, n);
    w->step.wanted = rb_new_array(arena, bool, n);
    w->step.speed = rb_new_array(arena, double, n);
    w->step.balls = rb_new_array(arena, StepBall, n);
    w->step.at_start = rb_new_array(arena, RbMoving, n);
    w->step.at_end = rb_new_array(arena, RbMoving, n);
    w->tau = rb_new_array(arena, double, tree->nv);
    w->step.x = rb_new_array(arena, double, tree->nq + tree->nv + rb_mechanism_tail(m));
    w->surface = rb_new_array(arena, double, rb_mechanism_surface_room(m) + 1);
    w->slopes.tangents = rb_tangents(tree, arena);
    w->slopes.response = rb_new_array(arena, double, tree->nv);
    for (int k = 0; k < 2; k++) w->slopes.sides[k] = rb_new_array(arena, double, 6 * tree->nv);
    w->slopes.first_state = rb_new_array(arena, int, m->groups.count);
    w->slopes.element_forces = rb_new_array(arena, Wrench, n);
    w->moving[0] = (RbMoving){w->kin.bodies[0].X, w->kin.bodies[0].V};
    rb_driven_open(m, w, arena);
    if (m->members) {
        w->sensing.signals = rb_new_array(arena, double, m->members->inputs.count + 1);
        w->sensing.sensed = rb_kin(tree, arena);
        w->sensing.sensed_states = rb_new_array(arena, double, tree->nq + tree->nv + 1);
    }
    w->solids.closest = rb_new_array(arena, RbMeshMemory, m->scene->solids.count);
    w->solids.memory = rb_new_array(arena, RbSolidsMemory, m->scene->solids.count);
    w->solids.results = rb_new_array(arena, RbSolidsResult, m->scene->solids.count);
    rb_mechanism_open_overlaps(m, w, arena);
    rb_mechanism_open_soft(m, w, arena);
    rb_slot_index_open(m, &w->contact.slots, arena);
    rb_mechanism_open_loops(m, w, arena);
    rb_driven_open_near(m, w, arena);
    w->due.list = rb_new_array(arena, const RbSceneAction *,
                               m->scene->actions.count + rb_mechanism_step_count(m->scene) + 1);
    w->step.placed = rb_new_array(arena, Placed, m->groups.count);
    forget_history(w);
    if (!m->contact.setup) return;
    w->contact.states = rb_new_array(arena, RbContactState, m->contact.setup->slot_count);
    w->contact.bristles = rb_new_array(arena, RbBristle, m->contact.setup->slot_count);
    w->contact.search = rb_contact_work(m->contact.setup, arena);
    rb_mechanism_open_near(m, w, arena);
    rb_kicks_open(m, w, arena);
}

static void reset_workspace(void *self, void *workspace) {
    const Mechanism *m = self;
    MechanismWork *w = workspace;
    forget_history(w);
    memset(w->solids.closest, 0, (size_t)m->scene->solids.count * sizeof *w->solids.closest);
    if (!m->contact.setup) return;
    memset(w->contact.states, 0, (size_t)m->contact.setup->slot_count * sizeof *w->contact.states);
    rb_mechanism_forget_crowds(m, w);
}

// -------------------------------------------------------------------------------------------------
// evaluation

void rb_mechanism_move_in(const Mechanism *m, RbSpan span, const double *x, MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    if (rb_mechanism_is_ball(m, span)) {
        rb_ball_move(m, span.first, x, w);
        return;
    }
    rb_kin_places_in(tree, span, x, &w->kin);
    rb_kin_velocities_in(tree, span, x + tree->nq, &w->kin);
    for (int i = span.first; i < span.end; i++)
        w->moving[i] = (RbMoving){w->kin.bodies[i].X, w->kin.bodies[i].V};
}

void rb_mechanism_move_group(const Mechanism *m, int group, const double *x, MechanismWork *w) {
    rb_mechanism_move_in(m, rb_mechanism_span(m, group), rb_driven_group_states(m, group, x, w), w);
}

void rb_mechanism_move(const Mechanism *m, const double *x, MechanismWork *w) {
    rb_mechanism_move_in(m, rb_tree_span(&m->structure.tree), x, w);
}

static void add_joint_force(const Mechanism *m, const RbEval *e, int i, MechanismWork *w) {
    RbJointForce f = m->forces.joint_forces[i];
    if (m->forces.joint_bodies[i] == 0) return; // the joint is locked
    f.time = rb_mechanism_force_time(m, e);
    if (m->forces.joint_inputs[i] != RB_NONE && w->joint_inputs)
        f.given = w->joint_inputs[m->forces.joint_inputs[i]];
    rb_force_joint(&f, e->x, e->x + m->structure.tree.nq, w->tau, &w->ledger);
}

// One force element between bodies, or at a joint.
static void add_element(const Mechanism *m, const RbEval *e, ForceKind kind, int i,
                        MechanismWork *w) {
    switch (kind) {
        case FORCE_SPRING:
            rb_force_spring(&m->forces.springs[i], &w->kin, w->forces, &w->ledger);
            return;
        case FORCE_BUSHING:
            rb_force_bushing(&m->forces.bushings[i], &w->kin, w->forces, &w->ledger);
            return;
        case FORCE_WORLD_FORCE:
            rb_force_world(&m->forces.world_forces[i], rb_mechanism_force_time(m, e), &w->kin,
                           w->forces, &w->ledger);
            return;
        case FORCE_JOINT_FORCE: add_joint_force(m, e, i, w); return;
        case FORCE_SOLIDS: rb_mechanism_push_solids(m, e, i, w); return;
    }
}

static void add_all_elements(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    const RbScene *s = m->scene;
    const int counts[] = {s->springs.count, s->bushings.count, s->world_forces.count,
                          s->joint_forces.count, s->solids.count}; // ORDER ForceKind
    for (int kind = 0; kind < 5; kind++) {
        for (int i = 0; i < counts[kind]; i++) add_element(m, e, (ForceKind)kind, i, w);
    }
}

// Elements link the groups they connect, so both ends are there.
static void add_elements_of_groups(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    for (int k = 0; k < e->group_count; k++) {
        int g = e->group_list[k];
        for (int i = m->forces.start[g]; i < m->forces.start[g + 1]; i++)
            add_element(m, e, m->forces.list[i].kind, m->forces.list[i].index, w);
    }
}

static void add_pull(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    RbWorldForce pull;
    if (rb_mechanism_pulls(m, e, &pull))
        rb_force_world(&pull, e->time, &w->kin, w->forces, &w->ledger);
}

// All of them, or those of the groups wanted.
static void add_elements(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    if (e->groups)
        add_elements_of_groups(m, e, w);
    else
        add_all_elements(m, e, w);
    if (m->forces.pull.object > 0) add_pull(m, e, w);
}

// Are accelerations asked for, or only what forces and distances there are?
static bool moves(const RbEval *e) {
    return (e->want & (RB_WANT_DERIVATIVES | RB_WANT_RESULTS)) != 0;
}

// Place the bodies of some branches and forget the forces on them.
static void prepare(const Mechanism *m, const RbEval *e, RbSpan span, MechanismWork *w) {
    if (span.first == span.end) return;
    if (rb_mechanism_is_ball(m, span)) {
        rb_ball_move(m, span.first, e->x, w);
        rb_ball_weigh(m, span.first, w);
        return;
    }
    const RbTree *tree = &m->structure.tree;
    int first = rb_tree_joint(tree, span.first)->v;
    const RbJoint *last = rb_tree_joint(tree, span.end - 1);
    int end = last->v + rb_joint_nv(last);
    rb_mechanism_move_in(m, span, e->x, w);
    memset(w->forces + span.first, 0, (size_t)(span.end - span.first) * sizeof *w->forces);
    memset(w->tau + first, 0, (size_t)(end - first) * sizeof *w->tau);
    if (tree->modals.count > 0) rb_modes_account_in(tree, span, &w->kin, &w->ledger);
    // What a field of the model does is part of the account.
    if (!moves(e) && m->scene->gravity.kind != RB_GRAVITY_FUNCTION) return;
    rb_kin_inertias_in(tree, span, &w->kin);
    rb_force_gravity_in(&m->gravity, span, &w->kin, w->forces, &w->ledger);
}

static RbEvalStatus accelerate(const Mechanism *m, const RbEval *e, RbSpan span, MechanismWork *w) {
    if (span.first == span.end) return RB_EVAL_OK;
    if (rb_mechanism_is_ball(m, span)) {
        rb_ball_accelerate(m, e, span.first, w);
        return RB_EVAL_OK;
    }
    const RbTree *tree = &m->structure.tree;
    rb_tree_rates_in(tree, span, e->x, e->x + tree->nq, e->dx);
    rb_dyn_factor_in(tree, span, &w->kin, NULL, &w->dyn);
    rb_dyn_solve_in(tree, span, &w->kin, NULL, w->tau, w->forces, &w->dyn, e->dx + tree->nq);
    return rb_mechanism_hold_loops(m, e, span, w);
}

static const char *name_of(const Mechanism *m, int element) {
    return m->contact.setup->elements[element].side.object;
}

// A step that was too long has led to where squares of numbers are none any more: that says nothing about bodies and shapes.
static bool is_astray(const Mechanism *m, const RbEval *e) {
    const RbTree *tree = &m->structure.tree;
    for (int i = 0; i < tree->nq + tree->nv; i++)
        if (!(fabs(e->x[i]) < 1e100)) return true;
    return false;
}

static RbEvalStatus check_depth(const Mechanism *m, const RbEval *e, RbTooDeep deep) {
    if (deep.a < 0) return RB_EVAL_OK;
    if (isnan(deep.depth) && is_astray(m, e)) return RB_EVAL_RETRY;
    RbPos at = rb_mechanism_declared(m, deep.a, deep.b);
    char text[RB_TOO_DEEP_SIZE];
    if (isnan(deep.depth))
        return rb_eval_retry_at(e, at, NO_DISTANCE, name_of(m, deep.a), name_of(m, deep.b),
                                e->time);
    return rb_eval_retry_at(e, at, "%s",
                            rb_mechanism_too_deep(m, e->discrete + m->contact.slots, deep, text));
}

// Contacts of all bodies, or of the branches wanted.
static RbEvalStatus add_contacts(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    if (!m->contact.setup) return RB_EVAL_OK;
    rb_mechanism_run_belts(m, e->time, w);
    const double *slots = e->discrete + m->contact.slots;
    const RbBristle *bristles = m->sticking.count > 0 ? w->contact.bristles : NULL;
    if (!e->groups) {
        return check_depth(m, e,
                           rb_contacts_evaluate(m->contact.setup, slots, bristles, w->moving, NULL,
                                                w->contact.states, w->forces, &w->powers));
    }
    rb_slot_index_update(m, e->discrete, &w->contact.slots);
    for (int k = 0; k < e->group_count; k++) {
        RbSpan span = rb_mechanism_span(m, e->group_list[k]);
        int count = rb_slot_index_gather(&w->contact.slots, span, w->contact.slots.list);
        RbEvalStatus status =
            check_depth(m, e,
                        rb_contacts_evaluate_slots(m->contact.setup, slots, w->contact.slots.list,
                                                   count, bristles, w->moving, w->contact.states,
                                                   w->forces, &w->powers));
        if (status != RB_EVAL_OK) return status;
    }
    return RB_EVAL_OK;
}

// Branch number i of what is evaluated: all of them at once, or those of one group after another.
static RbSpan span_of(const Mechanism *m, const RbEval *e, int i) {
    return e->groups ? rb_mechanism_span(m, e->group_list[i]) : rb_tree_span(&m->structure.tree);
}

// Functions of the model that have no value where they were asked for one.
static RbEvalStatus check_functions(const Mechanism *m, const RbEval *e) {
    for (int i = 0; i < m->scene->functions.count; i++) {
        const RbSceneFunction *f = &m->scene->functions.data[i];
        const char *why = f->value->why(f->value->user);
        if (why) return rb_eval_retry(e, "%s cannot be computed: %s", f->name, why);
    }
    return RB_EVAL_OK;
}

// While it is asked what a force between two bodies does.
static RbEvalStatus press(const Mechanism *m, MechanismWork *w) {
    for (int i = 1; i < m->structure.tree.bodies.count; i++)
        w->forces[i] = wr_add(w->forces[i], w->contact.press[i]);
    return RB_EVAL_OK;
}

RbEvalStatus rb_mechanism_forces(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    int spans = e->groups ? e->group_count : m->structure.tree.bodies.count > 1;
    w->ledger = (RbLedger){0};
    w->powers = (RbContactPowers){0};
    for (int i = 0; i < spans; i++) prepare(m, e, span_of(m, e, i), w);
    rb_mechanism_load_bristles(m, e, w);
    w->solids.too_deep = RB_NONE;
    if (w->contact.press) return press(m, w);
    add_elements(m, e, w);
    if (m->members && !rb_mechanism_is_apart(m, e)) rb_members_add_forces(m, w);
    if (m->grains) rb_mechanism_add_grain_loads(m, e, w);
    RbEvalStatus soft = m->soft ? rb_mechanism_soft_forces(m, e, w) : RB_EVAL_OK;
    if (soft != RB_EVAL_OK) return soft;
    RbEvalStatus status = rb_mechanism_check_solids(m, e, w);
    if (status == RB_EVAL_OK) status = add_contacts(m, e, w);
    return status == RB_EVAL_OK ? check_functions(m, e) : status;
}

void rb_mechanism_account(const Mechanism *m, const RbEval *e, const MechanismWork *w) {
    e->dq[Q_DAMPING] = w->powers.damping;
    e->dq[Q_FRICTION] = w->powers.friction;
    e->dq[Q_ROLLING] = w->powers.rolling;
    e->dq[Q_DAMPERS] = w->ledger.dissipated;
    e->dq[Q_INPUT] = w->ledger.input + w->powers.driven;
    e->dq[Q_FALSE_WORK] = w->powers.from_nothing;
    e->dq[Q_PRESSING] = w->powers.pressing;
    rb_mechanism_pair_powers(m, e);
    rb_mechanism_turn_rates(m, e, w);
}

// Contacts that equations look at, before anything is known of signals.
static RbEvalStatus sense_contacts(const Mechanism *m, const RbEval *e, double *outputs) {
    MechanismWork *w = e->workspace;
    memset(w->sensing.signals, 0, (size_t)m->members->inputs.count * sizeof *w->sensing.signals);
    RbEvalStatus status = rb_mechanism_forces(m, e, w);
    if (status == RB_EVAL_OK) rb_members_contact_values(m, e, outputs);
    return status;
}

// Groups move by forces alone.
static RbEvalStatus evaluate_motion(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    int spans = e->groups ? e->group_count : m->structure.tree.bodies.count > 1;
    RbEvalStatus status = rb_mechanism_forces(m, e, w);
    if (status != RB_EVAL_OK) return status;
    if (moves(e)) {
        for (int i = 0; i < spans && status == RB_EVAL_OK; i++)
            status = accelerate(m, e, span_of(m, e, i), w);
        if (status != RB_EVAL_OK) return status;
        rb_mechanism_bristle_rates(m, e, w);
        if (m->soft) rb_mechanism_soft_rates(m, e, w);
    }
    rb_mechanism_account(m, e, w);
    return RB_EVAL_OK;
}

// The same beside equations, whose joints are not among the states of the component.
static RbEvalStatus evaluate_apart(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    if (!m->driven.own) return evaluate_motion(m, e, w);
    RbEval f = *e;
    for (int k = 0; k < e->group_count; k++)
        f.x = rb_driven_group_states(m, e->group_list[k], e->x, w);
    f.dx = w->driven.full_rates;
    RbEvalStatus status = evaluate_motion(m, &f, w);
    if (moves(e)) {
        for (int k = 0; k < e->group_count; k++)
            rb_driven_group_rates(m, e->group_list[k], w, e->dx);
    }
    return status;
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *inputs,
                             double *outputs) {
    const Mechanism *m = self;
    MechanismWork *w = e->workspace;
    if (rb_mechanism_is_apart(m, e)) return evaluate_apart(m, e, w);
    int motion = m->members ? rb_members_motion(m->members) : 0;
    if (m->members && m->members->paths.count > 0 && function >= m->members->path_functions)
        return rb_members_follow(m, e, function, outputs);
    if (m->members && function > motion)
        return rb_members_sense(m, e, function - motion - 1, inputs, outputs);
    if (m->driven.own) return rb_driven_evaluate(m, e, function, inputs, outputs);
    if (m->members && function < rb_members_first_row(m->members))
        return sense_contacts(m, e, outputs);
    w->joint_inputs = inputs;
    if (m->members)
        memcpy(w->sensing.signals, inputs, (size_t)m->members->inputs.count * sizeof *inputs);
    RbEval all = *e;
    if (m->members && m->members->sensors.count > 0) { // accelerations may be asked for
        all.want |= RB_WANT_DERIVATIVES;
        e = &all;
    }
    return evaluate_motion(m, e, w);
}

static RbEvalStatus affine(void *self, const RbEval *e, int function, const double *inputs,
                           double *A, double *b) {
    return rb_driven_affine(self, e, function, inputs, A, b);
}

static RbEvalStatus shape_indicators(const Mechanism *m, const RbEval *e, double *z) {
    MechanismWork *w = e->workspace;
    // Indicators are asked for at states that were accepted: no smaller step will help here.
    RbTooDeep deep =
        rb_contacts_too_deep(m->contact.setup, e->discrete + m->contact.slots, w->contact.states);
    char text[RB_TOO_DEEP_SIZE];
    if (deep.a >= 0)
        return rb_eval_fail_at(
            e, rb_mechanism_declared(m, deep.a, deep.b), "%s",
            rb_mechanism_too_deep(m, e->discrete + m->contact.slots, deep, text));
    RbTooDeep bad =
        rb_contacts_indicators(m->contact.setup, &w->contact.search, e->discrete + m->contact.slots,
                               w->contact.states, w->moving, z);
    if (bad.a >= 0)
        return rb_eval_fail_at(e, rb_mechanism_declared(m, bad.a, bad.b), NO_DISTANCE,
                               name_of(m, bad.a), name_of(m, bad.b), e->time);
    w->step.nearest = z[1] + m->contact.setup->options.touch;
    w->step.nearest_time = e->time;
    return RB_EVAL_OK;
}

static RbEvalStatus indicators(void *self, const RbEval *e, double *z) {
    const Mechanism *m = self;
    if (m->forces.solids_indicators != RB_NONE)
        rb_mechanism_solids_indicators(m, e, z + m->forces.solids_indicators);
    return m->contact.setup ? shape_indicators(m, e, z) : RB_EVAL_OK;
}

// -----------------------------------------------------------------------------------------------------
// events

typedef struct Teller {
    const Mechanism *mechanism;
    RbEvent *event;
    bool sticks; // a contact that sticks came or went: other states
} Teller;

// Two parts touch, and nothing says how.
static void tell_no_law(const Teller *t, const RbContactChange *c, RbPos at) {
    const RbContactSetup *s = t->mechanism->contact.setup;
    const RbContactSide *x = &s->elements[c->a].side, *y = &s->elements[c->b].side;
    const char *one = rb_contact_title(x), *two = rb_contact_title(y);
    const RbSolidMaterial *soft = rb_contact_lacks_modulus(s, c->a, c->b);
    if (soft)
        rb_event_fail_at(t->event, soft->at, RB_NO_MODULUS " of " PAIR_OF ": " RB_GIVE_MODULUS,
                         soft->name, soft->elastic.youngs_modulus, x->object, one, y->object, two);
    else
        rb_event_fail_at(t->event, at,
                         PAIR_OF
                         " touch, but there are no contact data for these materials: " RB_ADD_PAIR,
                         x->object, one, y->object, two, one, two);
}

static double mass_of(const Mechanism *m, int element) {
    int body = m->contact.setup->elements[element].body;
    double mass = body > 0 ? m->structure.tree.bodies.data[body].inertia.m : 0;
    return mass > 0 ? mass : (double)INFINITY;
}

// An overlap at the start is energy that nobody has put in: what rests sinks in by a little, but bodies that were placed in each other are thrown apart, higher than they are
// large. Forces grow about with the power 3/2 of the depth, from their weight on.
static void warn_of_overlap(const Teller *t, const RbContactChange *c, RbPos at) {
    const double g = 9.81; // [m/s2]
    const Mechanism *m = t->mechanism;
    const RbElement *a = &m->contact.setup->elements[c->a], *b = &m->contact.setup->elements[c->b];
    double mass = fmin(mass_of(m, c->a), mass_of(m, c->b));
    if (!isfinite(mass)) return;
    double rests = rb_contact_reference_depth(m->contact.setup, c->a, c->b, mass, g);
    double height = 0.4 * rests * pow(-c->distance / rests, 2.5);
    if (!(height > fmin(a->core->size, b->core->size))) return;
    rb_warn(
        m->diag, at,
        "'%s' and '%s' overlap by %.3g m at the start: they are thrown apart, with some %.0f m/s; "
        "place them apart",
        a->side.object, b->side.object, -c->distance, sqrt(2 * g * height));
}

static void tell(void *user, const RbContactChange *c) {
    Teller *t = user;
    const RbContactSetup *s = t->mechanism->contact.setup;
    const RbContactMaterial *material = rb_contact_material_of(s, c->a, c->b);
    if (rb_pair_friction(s, c->a, c->b) == RB_FRICTION_BRISTLE) t->sticks = true;
    const char *a = s->elements[c->a].side.object, *b = s->elements[c->b].side.object;
    for (int i = 0; i < 2; i++) {
        int body = s->elements[i == 0 ? c->a : c->b].body;
        if (body > 0) t->event->restart_groups[t->mechanism->groups.of[body]] = true;
    }
    RbPos at = s->elements[s->elements[c->b].body > 0 ? c->b : c->a].side.at;
    if (!c->starts) {
        rb_event_log(t->event, "contact of '%s' and '%s' ends at %.6g m/s", a, b, -c->speed);
        return;
    }
    if (!material) tell_no_law(t, c, at);
    double limit = rb_contacts_deepest(s, c->a, c->b);
    if (t->event->initial && -c->distance > limit && material &&
        material->law.response == RB_RESPONSE_ELASTIC) {
        rb_event_fail_at(
            t->event, at,
            "'%s' and '%s' overlap by %g m at the start, more than the elastic law can "
            "describe (%g m): place them apart",
            a, b, -c->distance, limit);
    }
    if (t->event->initial && c->distance < 0) {
        warn_of_overlap(t, c, at);
        rb_event_log(t->event, "'%s' and '%s' overlap by %.6g m at the start", a, b, -c->distance);
    }
    double speed = c->speed == 0 ? 0 : c->speed; // not -0
    rb_event_log(t->event, "contact of '%s' and '%s' starts at %.6g m/s", a, b, speed);
}

static double effective_mass(void *user, int a, int b, Vec3 point_W, Vec3 n_W) {
    const Teller *t = user;
    const RbElement *e = t->mechanism->contact.setup->elements;
    return rb_mechanism_effective_mass(t->mechanism, t->event, e[a].body, e[b].body, point_W, n_W);
}

static bool was_told(const Mechanism *m, double code) {
    for (int i = 0; i < m->contact.told_count; i++) {
        if (m->contact.told[i] == code) return true;
    }
    return m->contact.told_count == MAX_TOLD;
}

// Faces that meet are held by one force at the centre of their patch. That is a model with limits,
// which the user should know once for each pair.
static void tell_if_flat(Mechanism *m, RbEvent *event, int slot) {
    const RbContactSetup *s = m->contact.setup;
    const MechanismWork *w = event->workspace;
    const double *slots = event->discrete + m->contact.slots;
    int a, b;
    double code = slots[RB_SLOT_SIZE * slot];
    if (!rb_slot_pair(s, slots, slot, &a, &b) || was_told(m, code)) return;
    if (rb_pair_has_patch(s, a, b) || !rb_contacts_face_to_face(s, a, b, w->moving)) return;
    m->contact.told[m->contact.told_count++] = code;
    rb_event_log(event,
                 "'%s' and '%s' meet face to face: their contact is approximate, one force at "
                 "the centre of the patch",
                 s->elements[a].side.object, s->elements[b].side.object);
}

// Energy at the start of the first segment: what the account is balanced against.
static void set_energy_start(const Mechanism *m, RbEvent *event) {
    event->discrete[m->account.energy_start] = rb_mechanism_energy(m, event);
    RbStoredEnergy stored = rb_mechanism_stored(m, event->workspace);
    event->discrete[m->account.pressed_start] = stored.pressed;
    event->discrete[m->account.lent_start] = stored.lent;
}

// All pairs of bodies are looked at.
static int update_contacts(Mechanism *m, RbEvent *event, Teller *teller) {
    MechanismWork *w = event->workspace;
    int changes = 0;
    rb_mechanism_move(m, rb_driven_states(m, event->x, w), w);
    if (!rb_contacts_update(m->contact.setup, &w->contact.search,
                            event->discrete + m->contact.slots, w->moving, tell, effective_mass,
                            teller, &changes)) {
        rb_event_fail(event, "more than %d contacts at once", m->contact.setup->slot_count);
    }
    if (changes > 0) event->discrete[m->contact.slot_version] += 1;
    rb_mechanism_forget_crowds(m, w); // their near pairs are gone
    for (int i = 0; i < m->contact.setup->slot_count; i++) tell_if_flat(m, event, i);
    return changes;
}

// The pair that was watched, and no other: the index of slots is corrected instead of made anew.
static int update_pair(Mechanism *m, RbEvent *event, Teller *teller) {
    MechanismWork *w = event->workspace;
    double *slots = event->discrete + m->contact.slots;
    int a, b;
    PairEvent kind = rb_mechanism_watch_pair(m, event->watch, &a, &b);
    double limit = kind == PAIR_NEARS ? m->crowd.skin : rb_contacts_limit(m->contact.setup);
    for (int k = 0; k < 2; k++) {
        int group = event->watch->groups[k];
        if (group != RB_NONE) rb_mechanism_move_group(m, group, event->x, w);
    }
    rb_slot_index_update(m, event->discrete, &w->contact.slots);
    int slot = rb_slot_index_find(m, &w->contact.slots, slots, a, b);
    bool touched = slot != RB_SLOT_NONE;
    if (!touched) slot = rb_slot_index_free(m, &w->contact.slots);
    RbContactChange change;
    if (!rb_contacts_update_pair(m->contact.setup, slots, w->moving, a, b, touched, slot, limit,
                                 effective_mass, teller, &change))
        return 0;
    if (slot == RB_SLOT_NONE) {
        rb_event_fail(event, "more than %d contacts at once", m->contact.setup->slot_count);
        return 0;
    }
    (touched ? rb_slot_index_remove : rb_slot_index_add)(m, &w->contact.slots, slot, a, b);
    event->discrete[m->contact.slot_version] += 1;
    w->contact.slots.version = event->discrete[m->contact.slot_version];
    if (kind == PAIR_NEARS) return 1; // no contact yet
    tell(teller, &change);
    if (!touched) tell_if_flat(m, event, slot);
    return 1;
}

// More near pairs change nothing: they have no forces. Fewer may be two islands.
static RbRestart renew_crowd(const Mechanism *m, RbEvent *event) {
    bool parted;
    rb_mechanism_renew_crowd(m, event, &parted);
    return parted ? RB_RESTART : RB_NO_RESTART;
}

static RbRestart contact_event(Mechanism *m, RbEvent *event) {
    if (event->pass > 0) return RB_NO_RESTART;
    RbRestart solids = rb_mechanism_solids_event(m, event);
    if (!m->contact.setup || rb_mechanism_watches_solids(event->watch)) return solids;
    if (event->watch && event->watch->what == CROWD_RENEWS) return renew_crowd(m, event);
    if (event->watch && event->watch->what % EVENT_KINDS == CROWD_LEAVES) {
        rb_event_because(event, "a contact that can stick is in a crowd no more");
        return RB_FULL_RESTART;
    }
    Teller teller = {m, event, false};
    int changes =
        event->watch ? update_pair(m, event, &teller) : update_contacts(m, event, &teller);
    if (teller.sticks) {
        rb_event_because(event, "a contact that can stick begins or ends");
        return RB_FULL_RESTART;
    }
    // An event without a change is a grazing: the indicator only touched zero.
    return changes > 0 && solids == RB_NO_RESTART ? RB_RESTART : solids;
}

// A step of the search for a start at rest.
static RbRestart rest_event(Mechanism *m, RbEvent *event) {
    if (event->pass > 0) return RB_NO_RESTART;
    rb_mechanism_brake_rest(m, event->rest->ended);
    if (event->rest->ended) {
        rb_mechanism_settle_rest(m, event);
        rb_mechanism_check_rest(m, event);
        set_energy_start(m, event);
        rb_mechanism_start_turns(m, event);
        return RB_NO_RESTART;
    }
    if (!rb_mechanism_follow_rest(m, event)) return RB_NO_RESTART;
    RbRestart restart = contact_event(m, event);
    rb_mechanism_settle_rest(m, event);
    return restart;
}

static RbRestart at_event(void *self, RbEvent *event) {
    Mechanism *m = self;
    if (event->rest) return m->scene->steady_start ? rest_event(m, event) : RB_NO_RESTART;
    rb_kicks_keep_histories(m, event);
    rb_mechanism_note_calm(m, event);
    // Again once the contacts are known, and no more: warm starts change its last bits.
    bool starts = event->initial && (event->pass <= 1 || !m->loops.closed);
    if (starts && m->first) set_energy_start(m, event);
    if (event->initial) {
        m->loops.closed = !m->first || !rb_driven_close_loops(m, event);
        if (m->first && m->loops.closed) rb_mechanism_check_starts(m, event);
        if (m->first && event->pass == 0) rb_mechanism_check_speeds(m, event);
        if (event->pass == 0 && m->first) rb_mechanism_tell_passing(m, event);
        if (event->pass == 0 && m->first) rb_mechanism_tell_unresolved(m, event);
        if (event->pass == 0) rb_driven_blow(m, event);
        if (event->pass <= 1) rb_mechanism_settle_account(m, event);
        if (event->pass <= 1) rb_mechanism_settle_renewal(m, event);
        rb_mechanism_listen(m, event);
        if (starts) rb_mechanism_start_turns(m, event);
    }
    rb_mechanism_note_renewal(m, event);
    rb_driven_look_for_jumps(m, event);
    bool jumps = !event->watch && rb_mechanism_pass_phase(m, event);
    if (!event->initial && !event->watch && rb_mechanism_act(m, event)) return RB_FULL_RESTART;
    RbRestart restart = contact_event(m, event);
    jumps |= !event->watch && rb_mechanism_pass_phase(m, event); // a motion that has just begun
    if (jumps && restart < RB_RESTART) restart = RB_RESTART;
    if (m->soft && restart < RB_RESTART) restart = rb_mechanism_soft_event(m, event);
    if (restart < RB_FULL_RESTART && rb_mechanism_advance_grains(m, event)) restart = RB_RESTART;
    if (!event->time_event || !rb_mechanism_pass_break(m, event, restart == RB_RESTART))
        return restart;
    return restart > RB_RESTART ? restart : RB_RESTART;
}

static void save(void *self, RbSaver *saver) {
    rb_mechanism_save_shapes(self, saver);
    rb_mechanism_save_structure(self, saver);
    rb_mechanism_save_bristles(self, saver);
    rb_mechanism_save_soft(self, saver);
    rb_mechanism_save_grains(self, saver);
}
// Members make their scene when the segment starts, which follows at once: so long the checkpoint waits.
static bool restore(void *self, RbLoader *loader) {
    Mechanism *m = self;
    if (!m->members) return rb_mechanism_restore(m, loader);
    m->renewal.waiting = rb_new(m->members->arena, RbLoader);
    *m->renewal.waiting = *loader;
    return true;
}

static RbStatus renew(void *self, RbSegment *segment) {
    return rb_mechanism_renew(self, segment);
}

static bool crowd(void *self, const int *groups, int count, double tolerance) {
    Mechanism *m = self;
    m->crowd.tolerance = tolerance;
    return rb_mechanism_is_enough(m, m->crowd.linked, groups, count) &&
           rb_mechanism_may_crowd(m, groups, count);
}

static bool apart(void *self, bool *of_equations) {
    return rb_mechanism_apart(self, of_equations);
}

static bool project(void *self, RbProjection *projection) {
    return rb_driven_project(self, projection);
}

static bool advances(void *self, const int *groups, int count, double tolerance) {
    return rb_crowd_advances(self, groups, count, tolerance);
}

static RbEvalStatus advance(void *self, RbAdvance *a) {
    return check_depth(self, a->eval, rb_crowd_advance(self, a));
}

static const RbIslandTable island_table = {links, watch, watched, crowd, apart, advances, advance};

static bool suspect(void *self, const RbEval *e, int state, RbPos *at, char *text, size_t size) {
    return rb_mechanism_suspect(self, e, state, at, text, size);
}

static bool doubt(void *self, const RbEval *e, const RbAccuracy *accuracy, RbPos *at, char *text,
                  size_t size) {
    return rb_mechanism_doubt(self, e, accuracy, at, text, size);
}

const RbComponentType rb_multibody = {
    .version = RB_COMPONENT_VERSION,
    .name = "Multibody",
    .description = "bodies on joints with force elements and elastic contact",
    .memory = sizeof(Mechanism),
    .roles = rb_multibody_roles,
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .affine = affine,
    .couplings = couplings,
    .project = project,
    .jacobian = jacobian,
    .indicators = indicators,
    .inspect = inspect,
    .islands = &island_table,
    .at_event = at_event,
    .record = record,
    .draw = draw,
    .show = show,
    .open_workspace = open_workspace,
    .reset_workspace = reset_workspace,
    .save = save,
    .restore = restore,
    .suspect = suspect,
    .renew = renew,
    .doubt = doubt,
};

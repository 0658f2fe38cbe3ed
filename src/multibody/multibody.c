// SPDX-License-Identifier: MIT
#include "multibody/multibody.h"

#include <math.h>
#include <string.h>

#include "component/workspace.h"
#include "multibody/mechanism.h"

static RbStatus build(void *self, RbBuild *build) {
    Mechanism *m = self;
    m->scene = rb_build_data(build);
    rb_build_function(build, &(RbFunctionSpec){.name = "motion",
                                               .level = RB_LEVEL_ACCELERATION,
                                               .after = RB_NONE,
                                               .derivative = RB_NONE,
                                               .state_derivatives = true});
    return m->scene ? RB_OK : RB_ERROR_MODEL;
}

static RbStatus start_segment(void *self, RbSegment *segment) {
    return rb_mechanism_start(self, segment);
}
static void couplings(void *self, RbCouplings *c) {
    rb_mechanism_couplings(self, c);
}
static void record(void *self, const RbEval *e, double *results) {
    rb_mechanism_record(self, e, results);
}

static double inspect(void *self, const RbStepView *step, int *indicator, int *sign) {
    return rb_mechanism_inspect(self, step, indicator, sign);
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

static void open_workspace(void *self, void *workspace, RbWorkspaceMemory *memory) {
    const Mechanism *m = self;
    MechanismWork *w = workspace;
    RbArena *arena = memory->arena;
    const RbTree *tree = &m->structure.tree;
    int n = tree->bodies.count;
    w->kin = rb_kin(tree, arena);
    w->dyn = rb_dyn(tree, arena);
    w->forces = rb_new_array(arena, Wrench, n);
    w->moving = rb_new_array(arena, RbMoving, n);
    w->wanted = rb_new_array(arena, bool, n);
    w->speed = rb_new_array(arena, double, n);
    w->balls = rb_new_array(arena, StepBall, n);
    w->at_start = rb_new_array(arena, RbMoving, n);
    w->at_end = rb_new_array(arena, RbMoving, n);
    w->tau = rb_new_array(arena, double, tree->nv);
    w->x = rb_new_array(arena, double, tree->nq + tree->nv + 3 * m->bristle_count);
    w->slot_version = -1;
    w->slot_start = rb_new_array(arena, int, n + 1);
    if (m->contacts) {
        w->contacts = rb_new_array(arena, RbContactState, m->contacts->slot_count);
        w->slot_list = rb_new_array(arena, int, m->contacts->slot_count);
    }
    if (m->contacts) w->bristles = rb_new_array(arena, Vec3, m->contacts->slot_count);
}

static void reset_workspace(void *self, void *workspace) {
    const Mechanism *m = self;
    MechanismWork *w = workspace;
    w->slot_version = -1;
    if (m->contacts) memset(w->contacts, 0, (size_t)m->contacts->slot_count * sizeof *w->contacts);
}

// -------------------------------------------------------------------------------------------------
// evaluation

void rb_mechanism_move_in(const Mechanism *m, RbSpan span, const double *x, MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    rb_kin_positions_in(tree, span, x, &w->kin);
    rb_kin_velocities_in(tree, span, x + tree->nq, &w->kin);
    w->moving[0] = (RbMoving){w->kin.bodies[0].X, w->kin.bodies[0].V};
    for (int i = span.first; i < span.end; i++)
        w->moving[i] = (RbMoving){w->kin.bodies[i].X, w->kin.bodies[i].V};
}

void rb_mechanism_move(const Mechanism *m, const double *x, MechanismWork *w) {
    rb_mechanism_move_in(m, rb_tree_span(&m->structure.tree), x, w);
}

// Is the body part of what is evaluated?
static bool wanted(const Mechanism *m, const RbEval *e, int body) {
    return !e->groups || (body > 0 && e->groups[m->group[body]]);
}

// Force elements between bodies. Elements link the groups they connect, so one end tells for both.
static void add_elements(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    const RbScene *s = m->scene;
    const double *q = e->x, *v = e->x + m->structure.tree.nq;
    for (int i = 0; i < s->springs.count; i++) {
        const RbSpring *f = &m->springs[i];
        if (wanted(m, e, f->a.body) || wanted(m, e, f->b.body))
            rb_force_spring(f, &w->kin, w->forces, &w->ledger);
    }
    for (int i = 0; i < s->bushings.count; i++) {
        const RbBushing *f = &m->bushings[i];
        if (wanted(m, e, f->a.body) || wanted(m, e, f->b.body))
            rb_force_bushing(f, &w->kin, w->forces, &w->ledger);
    }
    for (int i = 0; i < s->world_forces.count; i++) {
        const RbWorldForce *f = &m->world_forces[i];
        if (wanted(m, e, f->apply.body)) rb_force_world(f, e->time, &w->kin, w->forces, &w->ledger);
    }
    for (int i = 0; i < s->joint_forces.count; i++) {
        if (wanted(m, e, m->joint_bodies[i]))
            rb_force_joint(&m->joint_forces[i], q, v, w->tau, &w->ledger);
    }
}

// Place the bodies of some branches and forget the forces on them.
static void prepare(const Mechanism *m, const RbEval *e, RbSpan span, MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    int first = rb_tree_joint(tree, span.first)->v;
    const RbJoint *last = rb_tree_joint(tree, span.end - 1);
    int end = last->v + rb_joint_v_count(last->kind);
    rb_mechanism_move_in(m, span, e->x, w);
    memset(w->forces + span.first, 0, (size_t)(span.end - span.first) * sizeof *w->forces);
    memset(w->tau + first, 0, (size_t)(end - first) * sizeof *w->tau);
    rb_force_gravity_in(&m->scene->gravity, span, &w->kin, w->forces, &w->ledger);
}

static void accelerate(const Mechanism *m, const RbEval *e, RbSpan span, MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    rb_tree_rates_in(tree, span, e->x, e->x + tree->nq, e->dx);
    rb_dyn_factor_in(tree, span, &w->kin, NULL, &w->dyn);
    rb_dyn_solve_in(tree, span, &w->kin, NULL, w->tau, w->forces, &w->dyn, e->dx + tree->nq);
}

static const char too_deep[] = "'%s' and '%s' penetrate each other by %g m, more than the elastic "
                               "law can describe (%g m); the impact is "
                               "too hard for these materials and shapes";

static const char *name_of(const Mechanism *m, int element) {
    return m->contacts->elements[element].side.object;
}

static RbEvalStatus check_depth(const Mechanism *m, const RbEval *e, RbTooDeep deep) {
    if (deep.a < 0) return RB_EVAL_OK;
    return rb_eval_retry(e, too_deep, name_of(m, deep.a), name_of(m, deep.b), deep.depth,
                         deep.limit);
}

// Contacts of all bodies, or of the branches wanted.
static RbEvalStatus add_contacts(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    if (!m->contacts) return RB_EVAL_OK;
    const double *slots = e->discrete + m->slots;
    rb_mechanism_load_bristles(m, e->x, w);
    const Vec3 *bristles = m->bristle_count > 0 ? w->bristles : NULL;
    if (!e->groups) {
        return check_depth(m, e,
                           rb_contacts_evaluate(m->contacts, slots, bristles, w->moving, NULL,
                                                w->contacts, w->forces, &w->powers));
    }
    rb_mechanism_index_slots(m, e->discrete, w);
    for (int k = 0; k < e->group_count; k++) {
        RbSpan span = rb_mechanism_span(m, e->group_list[k]);
        int first = w->slot_start[span.first], count = w->slot_start[span.end] - first;
        RbEvalStatus status = check_depth(
            m, e,
            rb_contacts_evaluate_slots(m->contacts, slots, w->slot_list + first, count, bristles,
                                       w->moving, w->contacts, w->forces, &w->powers));
        if (status != RB_EVAL_OK) return status;
    }
    return RB_EVAL_OK;
}

// Branch number i of what is evaluated: all of them at once, or those of one group after another.
static RbSpan span_of(const Mechanism *m, const RbEval *e, int i) {
    return e->groups ? rb_mechanism_span(m, e->group_list[i]) : rb_tree_span(&m->structure.tree);
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *inputs,
                             double *outputs) {
    (void)function, (void)inputs, (void)outputs;
    const Mechanism *m = self;
    MechanismWork *w = e->workspace;
    int spans = e->groups ? e->group_count : m->structure.tree.bodies.count > 1;
    w->ledger = (RbLedger){0};
    w->powers = (RbContactPowers){0};
    for (int i = 0; i < spans; i++) prepare(m, e, span_of(m, e, i), w);
    add_elements(m, e, w);
    RbEvalStatus status = add_contacts(m, e, w);
    if (status != RB_EVAL_OK) return status;
    if (!(e->want & (RB_WANT_DERIVATIVES | RB_WANT_RESULTS)))
        return RB_EVAL_OK; // distances are all that is asked for
    for (int i = 0; i < spans; i++) accelerate(m, e, span_of(m, e, i), w);
    rb_mechanism_bristle_rates(m, w, e->dx + m->structure.tree.nq + m->structure.tree.nv);
    e->dq[Q_DAMPING] = w->powers.damping;
    e->dq[Q_FRICTION] = w->powers.friction;
    e->dq[Q_ROLLING] = w->powers.rolling;
    e->dq[Q_DAMPERS] = w->ledger.dissipated;
    e->dq[Q_INPUT] = w->ledger.input;
    return RB_EVAL_OK;
}

static RbEvalStatus indicators(void *self, const RbEval *e, double *z) {
    const Mechanism *m = self;
    MechanismWork *w = e->workspace;
    // Indicators are asked for at states that were accepted: no smaller step will help here.
    RbTooDeep deep = rb_contacts_too_deep(m->contacts, e->discrete + m->slots, w->contacts);
    if (deep.a >= 0)
        return rb_eval_fail(e, too_deep, name_of(m, deep.a), name_of(m, deep.b), deep.depth,
                            deep.limit);
    rb_contacts_indicators(m->contacts, e->discrete + m->slots, w->contacts, w->moving, z);
    return RB_EVAL_OK;
}

// -----------------------------------------------------------------------------------------------------
// events

typedef struct Teller {
    const Mechanism *mechanism;
    RbEvent *event;
    bool sticks; // a contact that sticks came or went: other states
} Teller;

// Under which name the table of pairs knows it.
static const char *contact_name(const RbElement *e) {
    return e->side.contact ? e->side.contact : e->side.solid;
}

static void tell(void *user, const RbContactChange *c) {
    Teller *t = user;
    const RbContactSetup *s = t->mechanism->contacts;
    const RbContactMaterial *material = rb_contact_material_of(s, c->a, c->b);
    if (material && material->law.friction == RB_FRICTION_BRISTLE) t->sticks = true;
    const char *a = s->elements[c->a].side.object, *b = s->elements[c->b].side.object;
    for (int i = 0; i < 2; i++) {
        int body = s->elements[i == 0 ? c->a : c->b].body;
        if (body > 0) t->event->restart_groups[t->mechanism->group[body]] = true;
    }
    if (!c->starts) {
        rb_event_log(t->event, "contact of '%s' and '%s' ends at %.6g m/s", a, b, -c->speed);
        return;
    }
    if (!material) {
        const char *one = contact_name(&s->elements[c->a]), *two = contact_name(&s->elements[c->b]);
        rb_event_fail(t->event,
                      "'%s' (%s) and '%s' (%s) touch, but there are no contact data for these "
                      "materials: add the pair [\"%s\", \"%s\"] to a material file",
                      a, one, b, two, one, two);
    }
    if (t->event->initial && c->distance < 0) {
        rb_event_log(t->event, "'%s' and '%s' overlap by %.6g m at the start", a, b, -c->distance);
    }
    rb_event_log(t->event, "contact of '%s' and '%s' starts at %.6g m/s", a, b, c->speed);
}

static bool was_told(const Mechanism *m, double code) {
    for (int i = 0; i < m->told_count; i++) {
        if (m->told[i] == code) return true;
    }
    return m->told_count == MAX_TOLD;
}

// Faces that meet are held by one force at the centre of their patch. That is a model with limits,
// which the user should know once for each pair.
static void tell_flat_contacts(Mechanism *m, RbEvent *event) {
    const RbContactSetup *s = m->contacts;
    const MechanismWork *w = event->workspace;
    const double *slots = event->discrete + m->slots;
    for (int i = 0, a, b; i < s->slot_count; i++) {
        double code = slots[RB_SLOT_SIZE * i];
        if (!rb_slot_pair(s, slots, i, &a, &b) || was_told(m, code)) continue;
        if (!rb_contacts_face_to_face(s, a, b, w->moving)) continue;
        m->told[m->told_count++] = code;
        rb_event_log(event,
                     "'%s' and '%s' meet face to face: their contact is approximate, one force at "
                     "the centre of the patch",
                     s->elements[a].side.object, s->elements[b].side.object);
    }
}

// Energy at the start of the first segment: what the account is balanced against.
static void set_energy_start(const Mechanism *m, RbEvent *event) {
    const MechanismWork *w = event->workspace;
    event->discrete[m->energy_start] =
        rb_kinetic_energy(&m->structure.tree, &w->kin) + w->ledger.potential + w->powers.elastic;
}

static RbRestart at_event(void *self, RbEvent *event) {
    Mechanism *m = self;
    MechanismWork *w = event->workspace;
    if (event->initial && m->first) set_energy_start(m, event); // again once the contacts are known
    if (!m->contacts || event->pass > 0) return RB_NO_RESTART;
    int changes = 0;
    Teller teller = {m, event, false};
    rb_mechanism_move(m, event->x, w);
    if (!rb_contacts_update(m->contacts, event->discrete + m->slots, w->moving, tell, &teller,
                            &changes)) {
        rb_event_fail(event, "more than %d contacts at once", m->contacts->slot_count);
    }
    if (changes > 0) event->discrete[m->slot_version] += 1;
    tell_flat_contacts(m, event);
    if (teller.sticks) return RB_FULL_RESTART;
    // An event without a change is a grazing: the indicator only touched zero.
    return changes > 0 ? RB_RESTART : RB_NO_RESTART;
}

static void save(void *self, RbSaver *saver) {
    rb_mechanism_save_bristles(self, saver);
}
static bool restore(void *self, RbLoader *loader) {
    return rb_mechanism_restore_bristles(self, loader);
}

const RbComponentType rb_multibody = {
    .version = RB_COMPONENT_VERSION,
    .name = "Multibody",
    .description = "bodies on joints with force elements and elastic contact",
    .memory = sizeof(Mechanism),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .couplings = couplings,
    .indicators = indicators,
    .inspect = inspect,
    .links = links,
    .watch = watch,
    .watched = watched,
    .at_event = at_event,
    .record = record,
    .open_workspace = open_workspace,
    .reset_workspace = reset_workspace,
    .save = save,
    .restore = restore,
};

// SPDX-License-Identifier: MIT
#include "multibody/multibody.h"

#include <math.h>
#include <string.h>

#include "component/workspace.h"
#include "multibody/mechanism.h"

static RbStatus build(void *self, RbBuild *build) {
    Mechanism *m = self;
    m->scene = rb_build_data(build);
    rb_build_function(build, &(RbFunctionSpec){.name = "motion", .level = RB_LEVEL_ACCELERATION, .after = RB_NONE,
                                               .derivative = RB_NONE, .state_derivatives = true});
    return m->scene ? RB_OK : RB_ERROR_MODEL;
}

static RbStatus start_segment(void *self, RbSegment *segment) { return rb_mechanism_start(self, segment); }
static void couplings(void *self, RbCouplings *c) { rb_mechanism_couplings(self, c); }
static void record(void *self, const RbEval *e, double *results) { rb_mechanism_record(self, e, results); }

static double inspect(void *self, const RbStep *step, int *indicator, int *sign) {
    return rb_mechanism_inspect(self, step, indicator, sign);
}

// -------------------------------------------------------------------------------------------------- workspace

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
    w->at_start = rb_new_array(arena, RbMoving, n);
    w->at_end = rb_new_array(arena, RbMoving, n);
    w->tau = rb_new_array(arena, double, tree->nv);
    w->dv = rb_new_array(arena, double, tree->nv);
    w->x = rb_new_array(arena, double, tree->nq + tree->nv + 3 * m->bristle_count);
    if (m->contacts) w->contacts = rb_new_array(arena, RbContactState, m->contacts->slot_count);
    if (m->contacts) w->bristles = rb_new_array(arena, Vec3, m->contacts->slot_count);
}

static void reset_workspace(void *self, void *workspace) {
    const Mechanism *m = self;
    MechanismWork *w = workspace;
    if (m->contacts) memset(w->contacts, 0, (size_t)m->contacts->slot_count * sizeof *w->contacts);
}

// ------------------------------------------------------------------------------------------------- evaluation

void rb_mechanism_move(const Mechanism *m, const double *x, MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    rb_kin_positions(tree, x, &w->kin);
    rb_kin_velocities(tree, x + tree->nq, &w->kin);
    for (int i = 0; i < tree->bodies.count; i++) w->moving[i] = (RbMoving){w->kin.bodies[i].X, w->kin.bodies[i].V};
}

static void add_forces(const Mechanism *m, const RbEval *e, MechanismWork *w) {
    const RbScene *s = m->scene;
    const RbTree *tree = &m->structure.tree;
    const double *q = e->x, *v = e->x + tree->nq;
    rb_force_gravity(&s->gravity, tree, &w->kin, w->forces, &w->ledger);
    for (int i = 0; i < s->springs.count; i++) rb_force_spring(&m->springs[i], &w->kin, w->forces, &w->ledger);
    for (int i = 0; i < s->bushings.count; i++) rb_force_bushing(&m->bushings[i], &w->kin, w->forces, &w->ledger);
    for (int i = 0; i < s->world_forces.count; i++) {
        rb_force_world(&m->world_forces[i], e->time, &w->kin, w->forces, &w->ledger);
    }
    for (int i = 0; i < s->joint_forces.count; i++) rb_force_joint(&m->joint_forces[i], q, v, w->tau, &w->ledger);
}

static const char too_deep[] = "'%s' and '%s' penetrate each other by %g m, more than the elastic law can describe (%g m); the impact is "
                               "too hard for these materials and shapes";

static const char *name_of(const Mechanism *m, int element) { return m->contacts->elements[element].side.object; }

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *inputs, double *outputs) {
    (void)function, (void)inputs, (void)outputs;
    const Mechanism *m = self;
    MechanismWork *w = e->workspace;
    const RbTree *tree = &m->structure.tree;
    w->ledger = (RbLedger){0};
    w->powers = (RbContactPowers){0};
    memset(w->forces, 0, (size_t)tree->bodies.count * sizeof *w->forces);
    memset(w->tau, 0, (size_t)tree->nv * sizeof *w->tau);
    rb_mechanism_move(m, e->x, w);
    add_forces(m, e, w);
    if (m->contacts) {
        rb_mechanism_load_bristles(m, e->x, w);
        RbTooDeep deep = rb_contacts_evaluate(m->contacts, e->discrete + m->slots,
                                              m->bristle_count > 0 ? w->bristles : NULL, w->moving, NULL, w->contacts,
                                              w->forces, &w->powers);
        if (deep.a >= 0) {
            return rb_eval_retry(e, too_deep, name_of(m, deep.a), name_of(m, deep.b), deep.depth, deep.limit);
        }
    }
    if (!(e->want & (RB_WANT_DERIVATIVES | RB_WANT_RESULTS))) return RB_EVAL_OK; // distances are all that is asked for
    rb_tree_rates(tree, e->x, e->x + tree->nq, e->dx);
    rb_dyn_factor(tree, &w->kin, NULL, &w->dyn);
    rb_dyn_solve(tree, &w->kin, NULL, w->tau, w->forces, &w->dyn, e->dx + tree->nq);
    rb_mechanism_bristle_rates(m, w, e->dx + tree->nq + tree->nv);
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
    if (deep.a >= 0) return rb_eval_fail(e, too_deep, name_of(m, deep.a), name_of(m, deep.b), deep.depth, deep.limit);
    rb_contacts_indicators(m->contacts, e->discrete + m->slots, w->contacts, w->moving, z);
    return RB_EVAL_OK;
}

// ----------------------------------------------------------------------------------------------------- events

typedef struct Teller {
    const Mechanism *mechanism;
    RbEvent *event;
    bool sticks; // a contact that sticks came or went: other states
} Teller;

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
        rb_event_fail(t->event, "'%s' (%s) and '%s' (%s) touch, but there are no contact data for these materials: add the "
                                "pair to a material file",
                      a, s->elements[c->a].side.solid, b, s->elements[c->b].side.solid);
    }
    if (t->event->initial && c->distance < 0) {
        rb_event_log(t->event, "'%s' and '%s' overlap by %.6g m at the start", a, b, -c->distance);
    }
    rb_event_log(t->event, "contact of '%s' and '%s' starts at %.6g m/s", a, b, c->speed);
}

// Energy at the start of the first segment: what the account is balanced against.
static void set_energy_start(const Mechanism *m, RbEvent *event) {
    const MechanismWork *w = event->workspace;
    event->discrete[m->energy_start] =
        rb_kinetic_energy(&m->structure.tree, &w->kin) + w->ledger.potential + w->powers.elastic;
}

static RbRestart at_event(void *self, RbEvent *event) {
    const Mechanism *m = self;
    MechanismWork *w = event->workspace;
    if (event->initial && m->first) set_energy_start(m, event); // again once the contacts are known
    if (!m->contacts || event->pass > 0) return RB_NO_RESTART;
    int changes = 0;
    Teller teller = {m, event, false};
    rb_mechanism_move(m, event->x, w);
    if (!rb_contacts_update(m->contacts, event->discrete + m->slots, w->moving, tell, &teller, &changes)) {
        rb_event_fail(event, "more than %d contacts at once", m->contacts->slot_count);
    }
    if (teller.sticks) return RB_FULL_RESTART;
    // An event without a change is a grazing: the indicator only touched zero.
    return changes > 0 ? RB_RESTART : RB_NO_RESTART;
}

static void save(void *self, RbSaver *saver) { rb_mechanism_save_bristles(self, saver); }
static bool restore(void *self, RbLoader *loader) { return rb_mechanism_restore_bristles(self, loader); }

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
    .at_event = at_event,
    .record = record,
    .open_workspace = open_workspace,
    .reset_workspace = reset_workspace,
    .save = save,
    .restore = restore,
};

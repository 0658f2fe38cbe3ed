// SPDX-License-Identifier: MIT
// Results: the energy account, the pose of every moving object, and the contacts of chosen pairs.
#include <string.h>

#include "component/segment.h"
#include "contact/evaluate.h"
#include "multibody/crowd.h"
#include "multibody/driven.h"
#include "multibody/matter.h"
#include "multibody/restructure.h"
#include "multibody/sensing.h"
#include "multibody/touching_solids.h"

enum { PAIR_RESULTS = 17 }; // numbers per chosen pair

static bool moves(const Mechanism *m, int object) {
    bool part = m->scene->objects.data[object].object.feature != RB_FEATURE_NONE;
    bool there = m->structure.frame[object].body > 0 || rb_mechanism_has_moved(m, object);
    return there && (part || !m->scene->modelica_names);
}

// The position of a part that moves freely is a state.
static bool has_position_state(const Mechanism *m, int object) {
    const RbJoint *joint = rb_tree_joint(&m->structure.tree, m->structure.frame[object].body);
    return m->scene->modelica_names && joint->kind == RB_JOINT_FREE &&
           strcmp(joint->name, m->scene->objects.data[object].object.name) == 0;
}

static void declare(RbSegment *g, const char *object, const char *name, const char *unit,
                    const char *text) {
    const char *full = rb_arena_printf(g->arena, "%s.%s", object, name);
    rb_segment_result(g, &(RbResultSpec){full, unit, text});
}

static void declare_vector(RbSegment *g, const char *object, const char *name, const char *unit,
                           const char *text) {
    for (int k = 1; k <= 3; k++) {
        const char *full = rb_arena_printf(g->arena, "%s.%s[%d]", object, name, k);
        rb_segment_result(g, &(RbResultSpec){full, unit, text});
    }
}

// Names are made once, not in every segment.
static void declare_object(const Mechanism *m, RbSegment *g, int object, int first,
                           const char *unit, const char *text) {
    const char **names = m->change.names + OBJECT_RESULTS * object + first;
    bool modelica = m->scene->modelica_names, place = first == 0;
    const char *what = place ? (modelica ? "r_0" : "r_abs") : modelica ? "angles_0" : "angles";
    for (int k = 0; k < 3; k++) {
        if (!names[k])
            names[k] = rb_arena_printf(m->scene->arena, "%s.%s[%d]",
                                       m->scene->objects.data[object].object.name, what, k + 1);
        rb_segment_result(g, &(RbResultSpec){names[k], unit, text});
    }
}

const char *rb_mechanism_pair_name(const Mechanism *m, int pair, RbArena *arena) {
    const RbScene *s = m->scene;
    const RbScenePair *p = &s->contact_results.data[pair];
    return rb_arena_printf(arena, "contact(%s,%s)", s->objects.data[p->a].object.name,
                           s->objects.data[p->b].object.name);
}

// ORDER record_reversed. Coordinates of joints that lead towards the world.
static void declare_reversed(const Mechanism *m, RbSegment *g) {
    const RbTree *tree = &m->structure.tree;
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *j = rb_tree_joint(tree, i);
        if (!j->reexpressed) continue;
        for (int k = 0; k < rb_joint_q_count(j->kind); k++)
            declare(g, j->name, rb_joint_q_label(j->kind, k).name,
                    rb_joint_q_label(j->kind, k).unit, "of the joint as it is drawn");
        for (int k = 0; k < rb_joint_v_count(j->kind); k++)
            declare(g, j->name, rb_joint_v_label(j->kind, k).name,
                    rb_joint_v_label(j->kind, k).unit, "of the joint as it is drawn");
    }
}

static double *record_reversed(const Mechanism *m, const RbEval *e, double *out) {
    const RbTree *tree = &m->structure.tree;
    const double *x = rb_driven_states(m, e->x, e->workspace);
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *j = rb_tree_joint(tree, i);
        if (!j->reexpressed) continue;
        int nq = rb_joint_q_count(j->kind), nv = rb_joint_v_count(j->kind);
        memcpy(out, x + j->q, (size_t)nq * sizeof *out);
        memcpy(out + nq, x + tree->nq + j->v, (size_t)nv * sizeof *out);
        rb_joint_reverse_coordinates(j, out, out + nq);
        out += nq + nv;
    }
    return out;
}

// ORDER rb_mechanism_record
void rb_mechanism_declare_results(const Mechanism *m, RbSegment *g) {
    const RbScene *s = m->scene;
    declare(g, "energy", "kinetic", "J", "of all bodies");
    declare(g, "energy", "potential", "J", "in gravity and springs");
    declare(g, "energy", "elastic", "J", "in contacts");
    rb_segment_result(g, &(RbResultSpec){"energy.residual", "J", "what is missing in the balance",
                                         .integral = true});
    rb_segment_result(g, &(RbResultSpec){"energy.contact_false_work", "J",
                                         "brought in by contact laws that have no potential",
                                         .integral = true});
    rb_segment_result(g, &(RbResultSpec){"energy.contact_misfit", "J",
                                         "of it brought in by patches that are summed up roughly",
                                         .integral = true});
    for (int i = 1; i < s->objects.count; i++) {
        if (!moves(m, i)) continue;
        if (!has_position_state(m, i) && !s->objects.data[i].in_equations)
            declare_object(m, g, i, 0, "m", "position in the world");
        declare_object(m, g, i, 3, "rad", "Cardan angles x, y, z");
    }
    declare_reversed(m, g);
    rb_mechanism_declare_loops(m, g);
    if (m->members) rb_members_declare_results(m, g);
    if (m->members) rb_members_declare_published(m, g);
    for (int i = 0; i < s->contact_results.count; i++) {
        const char *pair = rb_mechanism_pair_name(m, i, g->arena);
        declare(g, pair, "penetration", "m", "depth, 0 without contact");
        declare(g, pair, "penetration_rate", "m/s", "of the depth");
        declare(g, pair, "slip", "m/s", "tangential speed");
        declare(g, pair, "normal_force", "N", "pressure, along the normal");
        declare(g, pair, "friction_force", "N", "tangential force");
        declare_vector(g, pair, "point", "m", "where the force acts");
        declare_vector(g, pair, "normal", "1",
                       "along which it presses, from the first object to the second");
        declare_vector(g, pair, "force", "N", "on the second object: pressure and friction");
        declare_vector(g, pair, "torque", "N.m", "on the second object, about the point");
    }
    rb_mechanism_declare_flexible(m, g);
    rb_mechanism_declare_grain_results(m, g);
    if (m->soft) rb_mechanism_declare_soft_results(m, g);
}

static double *put(double *out, Vec3 v) {
    v3_store(out, v);
    return out + 3;
}

RbEnergyBalance rb_mechanism_balance(const Mechanism *m, const RbEval *e) {
    const MechanismWork *w = e->workspace;
    double kinetic = rb_mechanism_kinetic(m, w), potential = rb_mechanism_potential(m, w);
    RbStoredEnergy stored = rb_mechanism_stored(m, w);
    double now = kinetic + potential + stored.elastic;
    double lost = e->q[Q_DAMPING] + e->q[Q_FRICTION] + e->q[Q_ROLLING] + e->q[Q_DAMPERS];
    for (int k = 0; k < rb_mechanism_structure_energies(m); k++)
        lost += e->discrete[m->account.structure_energy[k]];
    lost += rb_mechanism_soft_lost(m, e);
    double made = e->q[Q_FALSE_WORK] + stored.lent - e->discrete[m->account.lent_start];
    double brought = e->q[Q_INPUT] + made + rb_driven_jump_energy(m, e->discrete);
    return (RbEnergyBalance){
        .kinetic = kinetic,
        .potential = potential,
        .elastic = stored.elastic,
        .residual = now + lost - brought - e->discrete[m->account.energy_start],
        .false_work = made,
        .misfit = e->q[Q_PRESSING] + stored.pressed - e->discrete[m->account.pressed_start],
        .lost = lost,
        .supplied = brought};
}

static double *record_energies(const Mechanism *m, const RbEval *e, double *out) {
    RbEnergyBalance b = rb_mechanism_balance(m, e);
    *out++ = b.kinetic;
    *out++ = b.potential;
    *out++ = b.elastic;
    *out++ = b.residual;
    *out++ = b.false_work;
    *out++ = b.misfit;
    return out;
}

// +1: these are the two objects in this order; -1: in the other one; 0: others.
static int order_of(const RbScenePair *pair, int a, int b) {
    if (pair->a == a && pair->b == b) return 1;
    return pair->a == b && pair->b == a ? -1 : 0;
}

// The deepest contact of two objects, whichever of them comes first in it; sign as in order_of, 0: there is none.
static RbContactState find_contact(const Mechanism *m, const RbEval *e, const RbScenePair *pair,
                                   int *sign) {
    const MechanismWork *w = e->workspace;
    RbContactState found = {0};
    int a, b;
    *sign = 0;
    for (int i = 0; m->contact.setup && i < m->contact.setup->slot_count; i++) {
        if (!rb_slot_pair(m->contact.setup, e->discrete + m->contact.slots, i, &a, &b)) continue;
        int order = order_of(pair, m->contact.owners[a], m->contact.owners[b]);
        if (order == 0 || (*sign != 0 && found.motion.depth >= w->contact.states[i].motion.depth))
            continue;
        found = w->contact.states[i];
        *sign = order;
    }
    for (int i = 0; *sign == 0 && i < m->scene->solids.count; i++) {
        int order = order_of(pair, m->scene->solids.data[i].a, m->scene->solids.data[i].b);
        if (order == 0 || !rb_mechanism_solids_touch(m, e->discrete, i)) continue;
        found = rb_mechanism_solids_contact(m, w, i);
        *sign = order;
    }
    return found;
}

static double *record_pair(const Mechanism *m, const RbEval *e, const RbScenePair *pair,
                           double *out) {
    int sign;
    RbContactState found = find_contact(m, e, pair, &sign), *c = &found;
    if (sign == 0) {
        for (int i = 0; i < PAIR_RESULTS; i++) *out++ = 0;
        return out;
    }
    *out++ = c->motion.depth;
    *out++ = c->motion.depth_rate;
    *out++ = v3_norm(c->motion.slip_W);
    RbContactParts parts = rb_contact_parts(c);
    *out++ = parts.normal;
    *out++ = v3_norm(parts.friction_W);
    out = put(out, c->point_W);
    out = put(out, v3_scale(sign, parts.n_W));
    out = put(out, v3_scale(sign, c->f_W));
    return put(out, v3_scale(sign, c->t_W));
}

void rb_mechanism_record(const Mechanism *m, const RbEval *e, double *out) {
    const RbScene *s = m->scene;
    const MechanismWork *w = e->workspace;
    out = record_energies(m, e, out);
    for (int i = 1; i < s->objects.count; i++) {
        if (!moves(m, i)) continue;
        Pose X = rb_frame_pose(&w->kin, m->structure.frame[i]);
        if (!has_position_state(m, i) && !s->objects.data[i].in_equations) out = put(out, X.r);
        out = put(out, q_to_cardan(q_from_matrix(X.R)));
    }
    out = record_reversed(m, e, out);
    out = rb_mechanism_record_loops(m, e, out);
    if (m->members) out = rb_members_record(m, e, out);
    if (m->members) out = rb_members_record_published(m, e, out);
    for (int i = 0; i < s->contact_results.count; i++)
        out = record_pair(m, e, &s->contact_results.data[i], out);
    out = rb_mechanism_record_flexible(m, w, out);
    out = rb_mechanism_record_grains(m, e, out);
    if (m->soft) rb_mechanism_record_soft(m, w, out);
}

static void add_lost(const Mechanism *m, const RbEval *e, int a, int b, double lost) {
    for (int i = 0; i < m->scene->contact_results.count; i++) {
        if (order_of(&m->scene->contact_results.data[i], a, b) != 0) e->dq[Q_COUNT + i] += lost;
    }
}

static void add_power(const Mechanism *m, const RbEval *e, int slot) {
    const MechanismWork *w = e->workspace;
    int a, b;
    if (rb_slot_pair(m->contact.setup, e->discrete + m->contact.slots, slot, &a, &b))
        add_lost(m, e, m->contact.owners[a], m->contact.owners[b], w->contact.states[slot].lost);
}

static void add_solids_power(const Mechanism *m, const RbEval *e, int pair) {
    const MechanismWork *w = e->workspace;
    const RbSceneSolids *s = &m->scene->solids.data[pair];
    if (rb_mechanism_solids_touch(m, e->discrete, pair))
        add_lost(m, e, s->a, s->b, w->solids.results[pair].lost);
}

// Of the contacts that were evaluated just now: all, or those of some groups.
void rb_mechanism_pair_powers(const Mechanism *m, const RbEval *e) {
    MechanismWork *w = e->workspace;
    int pairs = m->scene->contact_results.count;
    for (int i = 0; i < pairs; i++) e->dq[Q_COUNT + i] = 0;
    if (m->members) rb_members_contact_powers(m, e, e->dq + Q_COUNT + pairs);
    if (pairs == 0) return;
    if (!e->groups) {
        for (int i = 0; m->contact.setup && i < m->contact.setup->slot_count; i++)
            add_power(m, e, i);
        for (int i = 0; i < m->scene->solids.count; i++) add_solids_power(m, e, i);
        return;
    }
    for (int k = 0; k < e->group_count; k++) {
        int g = e->group_list[k];
        for (int i = m->forces.start[g]; i < m->forces.start[g + 1]; i++) {
            if (m->forces.list[i].kind == FORCE_SOLIDS)
                add_solids_power(m, e, m->forces.list[i].index);
        }
        if (!m->contact.setup) continue;
        RbSpan span = rb_mechanism_span(m, g);
        int count = rb_slot_index_gather(&w->contact.slots, span, w->contact.slots.list);
        for (int i = 0; i < count; i++) add_power(m, e, w->contact.slots.list[i]);
    }
}

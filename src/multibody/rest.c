// SPDX-License-Identifier: MIT
// A start at rest (docs/theory/rest.md): what bodies do at the end of each step of the search (src/sim/rest.c). Speeds are zero
// again. Bodies that nothing can hold, and those that the user has given a speed, are left as they are. At the end forces must
// balance.
#include <math.h>
#include <string.h>

#include "multibody/driven.h"
#include "multibody/matter.h"
#include "multibody/touching_solids.h"

// Of the reach of a body: no step is longer (nor in radians), and so far one may fall until something catches it.
static const double LONGEST_WAY = 0.2, DEEPEST_FALL = 0.01;
static const double ACCURACY = 1e-8; // of the weight

typedef struct RestSearch {
    int group_count, body_count;
    double *start;  // coordinates and speeds of the tree, as they were given
    Vec3 *given;    // [m] per body: its place at the start
    Pose *last;     // per body: after the last step
    bool *left;     // per group: it stays as it was given
    int *root;      // per group: groups that hold each other have one
    bool *anchored; // per group that is a root: something else holds them
    bool *was_held; // per group: something did, after one of the steps
} RestSearch;

// ---- who takes part

static void tell_left(const Mechanism *m, int body, const char *why) {
    const RbTreeBody *b = &m->structure.tree.bodies.data[body];
    rb_warn(m->diag, m->objects[m->structure.supers[body].root].at, "'%s' %s", b->name, why);
}

static bool moves(const Mechanism *m, int body, const double *v) {
    const RbJoint *joint = rb_tree_joint(&m->structure.tree, body);
    for (int k = 0; k < rb_joint_nv(joint); k++)
        if (v[joint->v + k] != 0) return joint->owner == RB_OWNED_BY_COMPONENT;
    return false;
}

static void open_search(Mechanism *m, const double *full, const MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    int n = tree->nq + tree->nv, bodies = tree->bodies.count;
    RestSearch *r = m->rest = rb_new(m->arena, RestSearch);
    r->group_count = m->groups.count;
    r->start = rb_new_array(m->arena, double, n + 1);
    r->given = rb_new_array(m->arena, Vec3, bodies);
    r->last = rb_new_array(m->arena, Pose, bodies);
    r->left = rb_new_array(m->arena, bool, m->groups.count + 1);
    r->root = rb_new_array(m->arena, int, m->groups.count + 1);
    r->anchored = rb_new_array(m->arena, bool, m->groups.count + 1);
    r->was_held = rb_new_array(m->arena, bool, m->groups.count + 1);
    memcpy(r->start, full, (size_t)n * sizeof *full);
    for (int i = 1; i < bodies; i++) {
        r->last[i] = w->kin.bodies[i].X;
        r->given[i] = r->last[i].r;
        if (r->left[m->groups.of[i]] || !moves(m, i, full + tree->nq)) continue;
        r->left[m->groups.of[i]] = true;
        tell_left(m, i, "has a speed at the start: it starts as it was given, not at rest");
    }
}

static int root_of(const RestSearch *r, int group) {
    while (r->root[group] != group) group = r->root[group];
    return group;
}

// Two bodies hold each other; 0 is the world.
static void tie(const Mechanism *m, int a, int b) {
    RestSearch *r = m->rest;
    if (a == 0 || b == 0) {
        if (a + b > 0) r->anchored[root_of(r, m->groups.of[a + b])] = true;
        return;
    }
    int one = root_of(r, m->groups.of[a]), two = root_of(r, m->groups.of[b]);
    r->root[two] = one;
    r->anchored[one] = r->anchored[one] || r->anchored[two];
}

// Rods, constraints and joints that close loops.
static void tie_cuts(const Mechanism *m) {
    for (int i = 0; i < m->structure.loops.count; i++) {
        const RbLoopCut *cut = &m->structure.loops.cuts[i];
        tie(m, cut->a.body, cut->b.body);
        if (cut->hold.kind == RB_HOLD_BETWEEN) tie(m, cut->c.body, cut->b.body);
    }
}

static void tie_contacts(const Mechanism *m, const double *slots) {
    int a, b;
    for (int i = 0; m->contact.setup && i < m->contact.setup->slot_count; i++) {
        if (rb_slot_pair(m->contact.setup, slots, i, &a, &b))
            tie(m, m->contact.setup->elements[a].body, m->contact.setup->elements[b].body);
    }
}

static void tie_elements(const Mechanism *m, const double *discrete) {
    for (int i = 0; i < m->scene->springs.count; i++)
        tie(m, m->forces.springs[i].a.body, m->forces.springs[i].b.body);
    for (int i = 0; i < m->scene->bushings.count; i++)
        tie(m, m->forces.bushings[i].a.body, m->forces.bushings[i].b.body);
    for (int i = 0; i < m->scene->world_forces.count; i++)
        tie(m, m->forces.world_forces[i].apply.body, 0);
    for (int i = 0; i < m->scene->solids.count; i++) {
        if (rb_mechanism_solids_touch(m, discrete, i))
            tie(m, m->forces.solids[i].a.body, m->forces.solids[i].b.body);
    }
}

// Which groups are held by the world, by others that are, or by equations?
static void find_anchors(const Mechanism *m, const double *discrete) {
    RestSearch *r = m->rest;
    const RbTree *tree = &m->structure.tree;
    for (int g = 0; g < m->groups.count; g++) {
        r->root[g] = g;
        r->anchored[g] = m->grains || m->soft || (m->groups.reached && m->groups.reached[g]);
    }
    for (int i = 1; i < tree->bodies.count; i++) {
        if (tree->bodies.data[i].parent == 0 && rb_tree_joint(tree, i)->kind != RB_JOINT_FREE)
            tie(m, 0, i);
    }
    tie_cuts(m);
    tie_elements(m, discrete);
    tie_contacts(m, discrete + m->contact.slots);
    for (int g = 0; g < m->groups.count; g++) r->was_held[g] |= r->anchored[root_of(r, g)];
}

// Bodies that have fallen further than somebody who sets them down misses.
static void leave_falling(const Mechanism *m, const MechanismWork *w) {
    RestSearch *r = m->rest;
    for (int i = 1; i < m->structure.tree.bodies.count; i++) {
        int group = m->groups.of[i];
        double reach = isfinite(m->contact.reach[i]) ? m->contact.reach[i] : 0;
        double fallen = v3_norm(v3_sub(w->kin.bodies[i].X.r, r->given[i]));
        if (r->left[group] || r->anchored[root_of(r, group)] || fallen <= DEEPEST_FALL * reach)
            continue;
        r->left[group] = true;
        tell_left(
            m, i,
            r->was_held[group]
                ? "finds no rest on what it touches, where it would slide or tip over: it "
                  "starts where it was put, not at rest; let something hold it, or start "
                  "without steadyStart"
                : "touches nothing that could hold it: it starts where it was put, and falls");
    }
}

// ---- states

static int place_of(const Mechanism *m, int state) {
    return m->driven.own ? m->driven.own_place[state] : state;
}

// A state of the tree; left: it is as it was given.
static void set_state(const Mechanism *m, const RbEvent *event, int state, bool held, bool given) {
    int place = place_of(m, state), nq = m->structure.tree.nq;
    if (place < 0) return; // of the equations
    if (given)
        event->x[place] = m->rest->start[state];
    else if (state >= nq)
        event->x[place] = 0;
    event->rest->held[place] = held || given;
}

// Coordinate k of a body stays: of its joint, or of its place if it moves freely.
static bool stays(const Mechanism *m, int body, int k) {
    const RbJoint *joint = rb_tree_joint(&m->structure.tree, body);
    int direct = rb_joint_ndirect(joint);
    if (joint->modes > 0) return false;
    if (joint->object_joint >= 0) // of a quaternion all or nothing
        return m->scene->joints.data[joint->object_joint].q_held[k < direct ? k : direct];
    const RbObject *o = &m->scene->objects.data[m->structure.supers[body].root].object;
    return joint->kind == RB_JOINT_FREE && (k < 3 ? o->r_held[k] : o->angles_held);
}

static void set_states(const Mechanism *m, const RbEvent *event) {
    const RbTree *tree = &m->structure.tree;
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        bool given = m->rest->left[m->groups.of[i]];
        for (int k = 0; k < rb_joint_nq(joint); k++)
            set_state(m, event, joint->q + k, stays(m, i, k), given);
        for (int k = 0; k < rb_joint_nv(joint); k++)
            set_state(m, event, tree->nq + joint->v + k, stays(m, i, k), given);
    }
    int joints =
        m->driven.own ? m->driven.own_count : tree->nq + tree->nv; // soft bodies stay as they are
    for (int i = m->sticking.states; i < rb_mechanism_tail(m); i++)
        event->rest->held[joints + i] = true;
}

// ---- what happens after a step

// How far a body has turned, in radians, and moved, in its reach, if it has one.
static double way_of(Pose from, Pose to, double reach) {
    const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double turned = 0;
    for (int k = 0; k < 3; k++) {
        Vec3 d = v3_sub(m3_mul_vec(to.R, axes[k]), m3_mul_vec(from.R, axes[k]));
        turned += v3_dot(d, d);
    }
    double moved = reach > 0 && isfinite(reach) ? v3_norm(v3_sub(to.r, from.r)) / reach : 0;
    return moved + sqrt(0.5 * turned);
}

// What low restitution brakes on the way out would hold bodies where they are: the search does without it.
static void brake_pair(RbContactMaterial *pair, bool on) {
    if (!on) {
        pair->dissipation.b = 0;
    } else if (pair->dissipation.a > 0) {
        pair->dissipation = rb_restitution_dissipation(pair->law.restitution, pair->law.v_small);
    }
}

void rb_mechanism_brake_rest(Mechanism *m, bool on) {
    RbContactSetup *s = m->contact.setup;
    for (int k = 0; s && k < s->material_count * s->material_count; k++)
        if (s->pair_known[k]) brake_pair(&s->pairs[k], on);
    for (int i = 0; i < m->scene->solids.count; i++) {
        RbVolumeLaw *law = &m->forces.solids[i].volume;
        if (m->forces.solids[i].law != RB_SOLIDS_VOLUME) continue;
        if (on) {
            rb_volume_law_prepare(law);
        } else {
            law->dissipation.b = 0;
        }
    }
}

bool rb_mechanism_follow_rest(Mechanism *m, RbEvent *event) {
    MechanismWork *w = event->workspace;
    const double *full = rb_driven_states(m, event->x, w);
    rb_mechanism_move(m, full, w);
    if (!m->rest) open_search(m, full, w);
    const RestSearch *r = m->rest;
    for (int i = 1; i < m->structure.tree.bodies.count; i++) {
        if (way_of(r->last[i], w->kin.bodies[i].X, m->contact.reach[i]) > LONGEST_WAY)
            event->rest->too_far = true;
    }
    return !event->rest->too_far;
}

void rb_mechanism_settle_rest(const Mechanism *m, RbEvent *event) {
    MechanismWork *w = event->workspace;
    find_anchors(m, event->discrete);
    leave_falling(m, w);
    set_states(m, event);
    rb_mechanism_move(m, rb_driven_states(m, event->x, w), w);
    for (int i = 1; i < m->structure.tree.bodies.count; i++) m->rest->last[i] = w->kin.bodies[i].X;
}

// ---- the balance

typedef struct Imbalance {
    int body;
    Vec3 force, torque; // about the centre of mass
    double share;       // of the weight
    bool turns;         // by the torque
} Imbalance;

// extent: of the mechanism [m]. Torques on what has hardly a size are seen against a thousandth of it: they are of roundings.
static Imbalance imbalance_of(const Mechanism *m, const MechanismWork *w, int body,
                              double extent) {
    const RbBodyKin *k = &w->kin.bodies[body];
    Imbalance left = {.body = body};
    double mass = k->I.m, g = v3_norm(rb_gravity_field(&m->scene->gravity, k->X.r));
    if (!(mass > 0)) return left;
    Vec3 centre = v3_scale(1 / mass, k->I.h);
    Wrench f = ri_mul(k->I, k->A);
    left.force = f.f;
    left.torque = v3_sub(f.t, v3_cross(centre, f.f));
    double reach =
        fmax(m->contact.lever[body], // of meshes
             m->contact.reach[body] > 0 && isfinite(m->contact.reach[body]) ? m->contact.reach[body]
                                                                            : v3_norm(centre));
    reach = fmax(reach, 1e-3 * extent);
    double lever = reach > 0 ? v3_norm(left.torque) / reach : 0;
    left.turns = lever > v3_norm(left.force);
    left.share = fmax(v3_norm(left.force), lever) / (mass * (g > 0 ? g : 9.81));
    return left;
}

void rb_mechanism_check_rest(const Mechanism *m, RbEvent *event) {
    const MechanismWork *w = event->workspace;
    Imbalance worst = {0};
    double extent = 0;
    for (int i = 1; i < m->structure.tree.bodies.count; i++)
        extent = fmax(extent, v3_norm(w->kin.bodies[i].X.r));
    for (int i = 1; i < m->structure.tree.bodies.count; i++) {
        if (m->rest->left[m->groups.of[i]] ||
            rb_tree_joint(&m->structure.tree, i)->owner == RB_OWNED_BY_INPUTS)
            continue;
        Imbalance left = imbalance_of(m, w, i, extent);
        if (left.share > worst.share) worst = left;
    }
    if (worst.share <= ACCURACY) return;
    bool turns = worst.turns;
    Vec3 v = turns ? worst.torque : worst.force;
    rb_event_fail_at(
        event, m->objects[m->structure.supers[worst.body].root].at,
        "no start at rest was found: a %s of (%.6g, %.6g, %.6g) %s, %.3g of its weight, "
        "is left over on '%s': let something hold it, or start without steadyStart",
        turns ? "torque" : "force", v.x, v.y, v.z, turns ? "N.m" : "N", worst.share,
        m->structure.tree.bodies.data[worst.body].name);
}

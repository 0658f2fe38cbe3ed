// SPDX-License-Identifier: MIT
// Structure that changes while the mechanism runs: how coordinates and speeds of the next segment
// follow from places and momenta (docs/theory/restructuring.md), and the account.
#include <math.h>
#include <string.h>

#include "component/segment.h"
#include "multibody/driven.h"
#include "multibody/matter.h"
#include "multibody/restructure.h"
#include "multibody/touching_solids.h"

// -------------------------------------------------------------------------------------------------
// the arrangement

// As the scene describes it, in memory that lasts as long as the component.
void rb_mechanism_arrange_anew(Mechanism *m) {
    const RbScene *s = m->scene;
    RbArrangement *r = &m->change.arrangement;
    if (m->change.arranged != s) {
        m->change.arranged = s;
        *r = rb_arrangement(NULL, 0, NULL, 0, s->arena);
        r->object_count = s->objects.count;
        r->own_count = s->joints.count;
        r->capacity = s->joints.count + s->objects.count;
        r->objects = rb_new_array(s->arena, RbObject, r->object_count);
        r->absent = rb_new_array(s->arena, bool, r->object_count);
        r->joints = rb_new_array(s->arena, RbObjectJoint, r->capacity);
        r->gone = rb_new_array(s->arena, bool, r->capacity);
        r->broken = rb_new_array(s->arena, bool, r->capacity);
        r->locked = rb_new_array(s->arena, RbLockedJoint, r->capacity);
        m->change.places.X = rb_new_array(s->arena, Pose, r->object_count);
        m->change.places.V = rb_new_array(s->arena, Motion, r->object_count);
        m->change.has_moved = rb_new_array(s->arena, bool, r->object_count);
        m->change.scales = rb_new_array(s->arena, BodyScale, r->object_count);
        m->change.names = rb_new_array(s->arena, const char *, OBJECT_RESULTS * r->object_count);
    }
    r->joint_count = r->own_count;
    for (int i = 0; i < r->object_count; i++) {
        r->objects[i] = s->objects.data[i].object;
        r->absent[i] = s->objects.data[i].absent;
        m->change.has_moved[i] = false;
        m->change.scales[i] = (BodyScale){0};
    }
    for (int j = 0; j < r->own_count; j++) {
        r->joints[j] = s->joints.data[j];
        r->locked[j] = (RbLockedJoint){0};
        r->broken[j] = false;
        r->gone[j] = r->absent[r->joints[j].a] || r->absent[r->joints[j].b];
    }
    // Joints in which forces act are not the ones to be cut where there are loops.
    for (int i = 0; i < s->joint_forces.count; i++)
        r->joints[s->joint_forces.data[i].joint].keep = true;
}

void rb_mechanism_find_places(const RbStructure *s, const double *q, const double *v, RbKin *kin,
                              RbPlaces *places) {
    rb_kin_positions(&s->tree, q, kin);
    rb_kin_velocities(&s->tree, v, kin);
    for (int i = 0; i < s->object_count; i++) {
        if (s->absent[i]) continue;
        Pose X = rb_frame_pose(kin, s->frame[i]);
        // Rotation matrices are made exact again: what they lack would double with every change, since
        // A (AT B) is used for B.
        places->X[i] = pose(X.r, q_from_matrix(X.R));
        places->V[i] = rb_frame_velocity(kin, s->frame[i]);
    }
}

// Where parts that come later are relative to each other: as if all were there.
static RbStatus place_absent(Mechanism *m, RbSegment *g) {
    RbArena scratch = g->scratch;
    RbArrangement all = m->change.arrangement;
    RbStructure s;
    bool some = false;
    all.absent = rb_new_array(&scratch, bool, all.object_count);
    all.gone = rb_new_array(&scratch, bool, all.capacity);
    for (int i = 0; i < all.object_count; i++) some |= m->change.arrangement.absent[i];
    if (!some) return RB_OK;
    RbArena keep = rb_arena(g->arena->heap);
    RbStatus status = rb_structure_build(&all, &keep, scratch, g->diag, &s);
    if (status == RB_OK) {
        RbKin kin = rb_kin(&s.tree, &keep);
        rb_mechanism_find_places(&s, s.q, s.v, &kin, &m->change.places);
    }
    rb_arena_free(&keep);
    return status;
}

RbStatus rb_mechanism_arrange(Mechanism *m, RbSegment *g) {
    if (!m->first) return RB_OK;
    m->change.changed = false;
    m->contact.off = false;
    double start = m->change.saved ? -(double)INFINITY : g->time; // what is saved has its past
    RB_TRY(rb_mechanism_check_actions(m->scene, start, g->scratch, g->diag));
    rb_mechanism_arrange_anew(m);
    rb_mechanism_adopt_lengths(m);
    return m->change.saved ? rb_mechanism_adopt_saved(m, g) : place_absent(m, g);
}

// -------------------------------------------------------------------------------------------------
// from places to coordinates, from momenta to speeds

// Frame of a body in the world, from the place of an object that is part of it.
static Pose body_pose(const Mechanism *m, int body) {
    const RbStructure *s = &m->structure;
    if (body == 0) return POSE_IDENTITY;
    int root = s->supers[body].root;
    RbFrame frame = s->frame[root];
    if (frame.body != body) frame.X_BF = s->split_frame[body]; // half of a body, welded to another
    return pose_mul(m->change.places.X[root], pose_inverse(frame.X_BF));
}

static void find_coordinates(Mechanism *m) {
    const RbTree *tree = &m->structure.tree;
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        Pose F = pose_mul(body_pose(m, tree->bodies.data[i].parent), joint->F);
        rb_joint_coordinates(joint, pose_relative(F, body_pose(m, i)), m->structure.q + joint->q);
    }
}

// With the molecules that it holds.
static RigidInertia inertia_of(const Mechanism *m, int object) {
    const RbObject *o = &m->change.arrangement.objects[object];
    RigidInertia sum = rb_mechanism_held(m, object);
    if (o->has_mass)
        sum = ri_add(sum, ri_from_com(o->mass.mass, o->mass.r_CM, s3_from_matrix(o->mass.I_CM)));
    return ri_rotate(m->change.places.X[object].R, sum);
}

// Momentum of every object just before, summed up in its body, and its energy. World components,
// about the origins of the bodies.
static double collect_momenta(const Mechanism *m, const RbKin *kin, Wrench *momenta) {
    const RbStructure *s = &m->structure;
    double energy = 0;
    for (int i = 1; i < s->object_count; i++) {
        if (s->absent[i]) continue;
        RigidInertia I = inertia_of(m, i);
        int body = s->frame[i].body;
        Vec3 d = v3_sub(m->change.places.X[i].r, kin->bodies[body].X.r);
        energy += ri_kinetic_energy(I, m->change.places.V[i]);
        momenta[body] = wr_add(momenta[body], wr_shift(ri_mul(I, m->change.places.V[i]), d));
    }
    return energy;
}

// Speeds of joints that equations drive stay as they are: the equations have not been asked yet what
// they make of the impulse that this takes (rb_driven_blow).
static RbJointMode *hold_driven(Mechanism *m, RbArena *arena) {
    const RbTree *tree = &m->structure.tree;
    RbJointMode *modes = rb_new_array(arena, RbJointMode, tree->bodies.count);
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        if (joint->owner != RB_OWNED_BY_EQUATIONS) continue;
        modes[i] = RB_MODE_PRESCRIBED;
        memcpy(m->structure.v + joint->v, m->change.arrangement.joints[joint->object_joint].v,
               (size_t)rb_joint_v_count(joint->kind) * sizeof(double));
    }
    return modes;
}

// The speeds of the new structure that have the old momenta: whatever joins or locks does no work on
// motions that stay possible, so M v = sum of J_iT (I_i V_i).
static RbStatus find_speeds(Mechanism *m, RbSegment *g, double *impact) {
    const RbTree *tree = &m->structure.tree;
    RbArena scratch = g->scratch;
    RbKin kin = rb_kin(tree, &scratch);
    RbDyn dyn = rb_dyn(tree, &scratch);
    Wrench *momenta = rb_new_array(&scratch, Wrench, tree->bodies.count);
    double *tau = rb_new_array(&scratch, double, tree->nv);
    rb_kin_positions(tree, m->structure.q, &kin);
    double before = collect_momenta(m, &kin, momenta);
    for (int i = tree->bodies.count - 1; i > 0; i--) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        for (int k = 0; k < rb_joint_v_count(joint->kind); k++)
            tau[joint->v + k] = wr_power(momenta[i], kin.S[joint->v + k]);
        int parent = tree->bodies.data[i].parent;
        momenta[parent] = wr_add(momenta[parent], wr_shift(momenta[i], kin.bodies[i].d));
    }
    RbJointMode *modes = hold_driven(m, &scratch);
    int bad = rb_dyn_factor(tree, &kin, modes, &dyn);
    if (bad) {
        return rb_segment_fail(g, "joint '%s' moves nothing that has inertia",
                               rb_tree_joint(tree, bad)->name);
    }
    rb_dyn_solve_at_rest(tree, &kin, modes, tau, &dyn, m->structure.v);
    rb_mechanism_stop_loops(m, &kin, &dyn, scratch, m->structure.v);
    rb_kin_velocities(tree, m->structure.v, &kin);
    *impact = before - rb_kinetic_energy(tree, &kin);
    if (!m->driven.own) return RB_OK;
    memset(momenta, 0, (size_t)tree->bodies.count * sizeof *momenta);
    collect_momenta(m, &kin, momenta);
    rb_driven_note_blow(m, &kin, momenta, scratch);
    return RB_OK;
}

RbStatus rb_mechanism_resettle(Mechanism *m, RbSegment *g, double *impact) {
    *impact = m->account.driven_work = 0;
    m->change.was_changed = m->change.changed;
    m->change.changed = false;
    if (!m->change.was_changed) return RB_OK;
    find_coordinates(m);
    return find_speeds(m, g, impact);
}

// -------------------------------------------------------------------------------------------------
// the account

void rb_mechanism_declare_structure(Mechanism *m, RbSegment *g, double impact) {
    if (!rb_scene_acts(m->scene)) return;
    for (int i = 0; i < m->structure.object_count; i++)
        m->change.has_moved[i] |= m->structure.frame[i].body > 0;
    int count;
    const double *old = m->first ? NULL : rb_segment_old_discrete(g, &count);
    double lost = old ? old[m->account.structure_energy[STRUCTURE_IMPACT]] : 0;
    double removed = old ? old[m->account.structure_energy[STRUCTURE_REMOVED]] : 0;
    rb_mechanism_declare_actions(m, g, old);
    m->account.structure_energy[STRUCTURE_IMPACT] = rb_segment_discrete(
        g, &(RbDiscreteSpec){"energy.impacts", lost + impact, "J", "lost when parts were joined"});
    m->account.structure_energy[STRUCTURE_REMOVED] = rb_segment_discrete(
        g, &(RbDiscreteSpec){"energy.removed", removed, "J", "taken away with parts and contacts"});
    if (!m->driven.own) return;
    double drives = old ? old[m->account.structure_energy[STRUCTURE_DRIVES]] : 0;
    m->account.structure_energy[STRUCTURE_DRIVES] = rb_segment_discrete(
        g, &(RbDiscreteSpec){"energy.drives", drives, "J", "handed over to drives by impacts"});
    rb_driven_declare_modes(m, g, old);
}

bool rb_mechanism_has_moved(const Mechanism *m, int object) {
    return m->change.has_moved[object] && !m->change.arrangement.absent[object];
}

RbStoredEnergy rb_mechanism_stored(const Mechanism *m, const MechanismWork *w) {
    RbSolidsStore meshes = rb_mechanism_stored_in_solids(m, w);
    return (RbStoredEnergy){w->powers.elastic + meshes.exactly + meshes.nearly,
                            w->powers.pressed + meshes.exactly, meshes.nearly};
}

double rb_mechanism_energy(const Mechanism *m, const RbEvent *event) {
    const MechanismWork *w = event->workspace;
    return rb_mechanism_kinetic(m, w) + rb_mechanism_potential(m, w) +
           rb_mechanism_stored(m, w).elastic;
}

void rb_mechanism_settle_account(Mechanism *m, RbEvent *event) {
    if (!m->change.was_changed) return;
    double *d = event->discrete;
    d[m->account.structure_energy[STRUCTURE_REMOVED]] =
        m->account.removed_before + m->account.energy_before - rb_mechanism_energy(m, event) -
        m->account.impact + m->account.driven_work;
    RbStoredEnergy stored = rb_mechanism_stored(m, event->workspace);
    d[m->account.pressed_start] = m->account.pressed_before + stored.pressed;
    d[m->account.lent_start] = m->account.lent_before + stored.lent;
}

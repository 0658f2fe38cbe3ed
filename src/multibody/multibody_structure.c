// SPDX-License-Identifier: MIT
// Structure that changes while the mechanism runs: actions of the scene, and how coordinates and
// speeds of the next segment follow from places and momenta (docs/theory/restructuring.md).
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "component/segment.h"
#include "multibody/mechanism.h"

// -------------------------------------------------------------------------------------------------
// the arrangement

static RbStatus unknown_name(RbDiag *diag, const RbSceneAction *action, const char *what,
                             RbNear *near, RbArena scratch) {
    return rb_fail(diag, RB_ERROR_MODEL, action->at,
                   "an action names the %s '%s', which does not exist%s", what, near->wanted,
                   rb_text_near_question(near, "", &scratch));
}

static RbStatus check_object(const RbScene *s, const RbSceneAction *action, const char *name,
                             RbArena scratch, RbDiag *diag) {
    if (rb_scene_find(s, name) >= 0) return RB_OK;
    RbNear near = {.wanted = name};
    for (int i = 0; i < s->objects.count; i++)
        rb_text_try_near(&near, s->objects.data[i].object.name);
    return unknown_name(diag, action, "object", &near, scratch);
}

static RbStatus check_joint(const RbScene *s, const RbSceneAction *action, RbArena scratch,
                            RbDiag *diag) {
    if (rb_scene_find_joint(s, action->a) >= 0) return RB_OK;
    RbNear near = {.wanted = action->a};
    for (int i = 0; i < s->joints.count; i++) rb_text_try_near(&near, s->joints.data[i].name);
    return unknown_name(diag, action, "joint", &near, scratch);
}

static bool is_about_joint(RbSceneActionKind kind) {
    return kind == RB_SCENE_LOCK || kind == RB_SCENE_UNLOCK || kind == RB_SCENE_REPLACE;
}

// Names are checked before the run, not when the action comes.
static RbStatus check_actions(const RbScene *s, RbArena scratch, RbDiag *diag) {
    RbStatus worst = RB_OK;
    for (int i = 0; i < s->actions.count; i++) {
        const RbSceneAction *action = &s->actions.data[i];
        RbStatus status = is_about_joint(action->kind)
                              ? check_joint(s, action, scratch, diag)
                              : check_object(s, action, action->a, scratch, diag);
        if (status == RB_OK && action->b)
            status = check_object(s, action, action->b, scratch, diag);
        if (status != RB_OK) worst = status;
    }
    return worst;
}

// As the scene describes it, in memory that lasts as long as the component.
static void arrange_anew(Mechanism *m) {
    const RbScene *s = m->scene;
    RbArrangement *r = &m->arrangement;
    if (m->arranged != s) {
        m->arranged = s;
        *r = rb_arrangement(NULL, 0, NULL, 0, s->arena);
        r->object_count = s->objects.count;
        r->own_count = s->joints.count;
        r->capacity = s->joints.count + s->objects.count;
        r->objects = rb_new_array(s->arena, RbObject, r->object_count);
        r->absent = rb_new_array(s->arena, bool, r->object_count);
        r->joints = rb_new_array(s->arena, RbObjectJoint, r->capacity);
        r->gone = rb_new_array(s->arena, bool, r->capacity);
        r->locked = rb_new_array(s->arena, RbLockedJoint, r->capacity);
        m->places.X = rb_new_array(s->arena, Pose, r->object_count);
        m->places.V = rb_new_array(s->arena, Motion, r->object_count);
    }
    r->joint_count = r->own_count;
    for (int i = 0; i < r->object_count; i++) {
        r->objects[i] = s->objects.data[i].object;
        r->absent[i] = s->objects.data[i].absent;
    }
    for (int j = 0; j < r->own_count; j++) {
        r->joints[j] = s->joints.data[j];
        r->locked[j] = (RbLockedJoint){0};
        r->gone[j] = r->absent[r->joints[j].a] || r->absent[r->joints[j].b];
    }
    // Joints in which forces act are not the ones to be cut where there are loops.
    for (int i = 0; i < s->joint_forces.count; i++)
        r->joints[s->joint_forces.data[i].joint].keep = true;
}

static void find_places(const RbStructure *s, const double *q, const double *v, RbKin *kin,
                        RbPlaces *places) {
    rb_kin_positions(&s->tree, q, kin);
    rb_kin_velocities(&s->tree, v, kin);
    for (int i = 0; i < s->object_count; i++) {
        if (s->absent[i]) continue;
        places->X[i] = rb_frame_pose(kin, s->frame[i]);
        places->V[i] = rb_frame_velocity(kin, s->frame[i]);
    }
}

// Where parts that come later are relative to each other: as if all were there.
static RbStatus place_absent(Mechanism *m, RbSegment *g) {
    RbArena scratch = g->scratch;
    RbArrangement all = m->arrangement;
    RbStructure s;
    bool some = false;
    all.absent = rb_new_array(&scratch, bool, all.object_count);
    all.gone = rb_new_array(&scratch, bool, all.capacity);
    for (int i = 0; i < all.object_count; i++) some |= m->arrangement.absent[i];
    if (!some) return RB_OK;
    RbArena keep = rb_arena(g->arena->heap);
    RbStatus status = rb_structure_build(&all, &keep, scratch, g->diag, &s);
    if (status == RB_OK) {
        RbKin kin = rb_kin(&s.tree, &keep);
        find_places(&s, s.q, s.v, &kin, &m->places);
    }
    rb_arena_free(&keep);
    return status;
}

RbStatus rb_mechanism_arrange(Mechanism *m, RbSegment *g) {
    if (!m->first) return RB_OK;
    m->changed = false;
    RB_TRY(check_actions(m->scene, g->scratch, g->diag));
    if (!m->restored_structure) {
        arrange_anew(m);
        RB_TRY(place_absent(m, g));
    }
    m->restored_structure = false;
    return RB_OK;
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
    return pose_mul(m->places.X[root], pose_inverse(frame.X_BF));
}

static void find_coordinates(Mechanism *m) {
    const RbTree *tree = &m->structure.tree;
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        Pose F = pose_mul(body_pose(m, tree->bodies.data[i].parent), joint->F);
        rb_joint_coordinates(joint, pose_relative(F, body_pose(m, i)), m->structure.q + joint->q);
    }
}

static RigidInertia inertia_of(const RbObject *o, Pose X) {
    if (!o->has_mass) return (RigidInertia){0};
    return ri_rotate(X.R, ri_from_com(o->mass.mass, o->mass.r_CM, s3_from_matrix(o->mass.I_CM)));
}

// Momentum of every object just before, summed up in its body, and its energy. World components,
// about the origins of the bodies.
static double collect_momenta(const Mechanism *m, const RbKin *kin, Wrench *momenta) {
    const RbStructure *s = &m->structure;
    double energy = 0;
    for (int i = 1; i < s->object_count; i++) {
        if (s->absent[i]) continue;
        RigidInertia I = inertia_of(&m->arrangement.objects[i], m->places.X[i]);
        int body = s->frame[i].body;
        Vec3 d = v3_sub(m->places.X[i].r, kin->bodies[body].X.r);
        energy += ri_kinetic_energy(I, m->places.V[i]);
        momenta[body] = wr_add(momenta[body], wr_shift(ri_mul(I, m->places.V[i]), d));
    }
    return energy;
}

// Speeds of joints that equations drive stay as they are; what holds them takes the impulse.
static RbJointMode *hold_driven(Mechanism *m, RbArena *arena) {
    const RbTree *tree = &m->structure.tree;
    RbJointMode *modes = rb_new_array(arena, RbJointMode, tree->bodies.count);
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        if (joint->owner != RB_OWNED_BY_EQUATIONS) continue;
        modes[i] = RB_MODE_PRESCRIBED;
        memcpy(m->structure.v + joint->v, m->arrangement.joints[joint->object_joint].v,
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
    return RB_OK;
}

RbStatus rb_mechanism_resettle(Mechanism *m, RbSegment *g, double *impact) {
    *impact = 0;
    m->was_changed = m->changed;
    m->changed = false;
    if (!m->was_changed) return RB_OK;
    find_coordinates(m);
    return find_speeds(m, g, impact);
}

// -------------------------------------------------------------------------------------------------
// the account

static double old_value(const RbSegment *g, int index) {
    int count;
    const double *old = rb_segment_old_discrete(g, &count);
    return old && index < count ? old[index] : 0;
}

void rb_mechanism_declare_structure(Mechanism *m, RbSegment *g, double impact) {
    if (m->scene->actions.count == 0) return;
    double next = m->first ? 0 : old_value(g, m->next_action);
    double lost = m->first ? 0 : old_value(g, m->structure_energy[STRUCTURE_IMPACT]);
    double removed = m->first ? 0 : old_value(g, m->structure_energy[STRUCTURE_REMOVED]);
    m->next_action_before = m->next_action;
    m->next_action =
        rb_segment_discrete(g, &(RbDiscreteSpec){"next action", next, "", "", .hidden = true});
    for (int i = 0; i < m->scene->actions.count; i++) {
        double on = m->first ? 0 : old_value(g, m->next_action_before + 1 + i);
        rb_segment_discrete(g,
                            &(RbDiscreteSpec){"action was asked for", on, "", "", .hidden = true});
    }
    m->structure_energy[STRUCTURE_IMPACT] = rb_segment_discrete(
        g, &(RbDiscreteSpec){"energy.impacts", lost + impact, "J", "lost when parts were joined"});
    m->structure_energy[STRUCTURE_REMOVED] = rb_segment_discrete(
        g, &(RbDiscreteSpec){"energy.removed", removed, "J", "taken away with parts and contacts"});
    if (next < m->scene->actions.count)
        rb_segment_time_event(g, m->scene->actions.data[(int)next].time);
}

static double energy_now(const Mechanism *m, const RbEvent *event) {
    const MechanismWork *w = event->workspace;
    return rb_kinetic_energy(&m->structure.tree, &w->kin) + w->ledger.potential + w->powers.elastic;
}

void rb_mechanism_settle_account(Mechanism *m, RbEvent *event) {
    if (!m->was_changed) return;
    double *d = event->discrete;
    d[m->structure_energy[STRUCTURE_REMOVED]] =
        m->removed_before + m->energy_before - energy_now(m, event) - m->impact;
}

// -------------------------------------------------------------------------------------------------
// actions

static const char *const verbs[] = {"attach",  "release", "lock", "unlock",
                                    "replace", "remove",  "add"}; // ORDER RbSceneActionKind

// What the coordinates of joints were, as a guess for those that come back.
static void note_coordinates(Mechanism *m, const double *x) {
    const RbTree *tree = &m->structure.tree;
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        if (joint->object_joint < 0) continue;
        RbObjectJoint *own = &m->arrangement.joints[joint->object_joint];
        memcpy(own->q, x + joint->q, (size_t)rb_joint_q_count(joint->kind) * sizeof *own->q);
        memcpy(own->v, x + tree->nq + joint->v,
               (size_t)rb_joint_v_count(joint->kind) * sizeof *own->v);
        rb_joint_reverse_coordinates(joint, own->q, own->v);
    }
}

static bool check_distance(const Mechanism *m, const RbSceneAction *action, int a, int b,
                           RbArena *text, const char **why) {
    double distance = v3_distance(m->places.X[a].r, m->places.X[b].r);
    Motion V = m->places.V[a], W = m->places.V[b];
    double speed = v3_norm(v3_sub(mo_shift(V, v3_sub(m->places.X[b].r, m->places.X[a].r)).v, W.v));
    double spin = v3_norm(v3_sub(V.w, W.w));
    if (action->max_distance > 0 && distance > action->max_distance) {
        *why = rb_arena_printf(text, "they are %.6g m apart, more than the %.6g m allowed",
                               distance, action->max_distance);
        return false;
    }
    if (action->require_rest && (speed > 1e-6 || spin > 1e-6)) {
        *why = rb_arena_printf(text, "they move against each other at %.6g m/s and %.6g rad/s",
                               speed, spin);
        return false;
    }
    return true;
}

static bool carry_out(Mechanism *m, const RbSceneAction *action, RbArena *text, const char **why) {
    RbArrangement *r = &m->arrangement;
    const RbScene *s = m->scene;
    int a = is_about_joint(action->kind) ? rb_scene_find_joint(s, action->a)
                                         : rb_scene_find(s, action->a);
    int b = action->b ? rb_scene_find(s, action->b) : -1;
    switch (action->kind) {
        case RB_SCENE_ATTACH:
            return check_distance(m, action, a, b, text, why) &&
                   rb_arrange_attach(r, a, b, &m->places, text, why);
        case RB_SCENE_RELEASE: return rb_arrange_release(r, a, b, &m->places, text, why);
        case RB_SCENE_LOCK: return rb_arrange_lock(r, a, &m->places, text, why);
        case RB_SCENE_UNLOCK: return rb_arrange_unlock(r, a, text, why);
        case RB_SCENE_REPLACE:
            return rb_arrange_replace(r, a, action->joint, action->n, action->n2, &m->places, text,
                                      why);
        case RB_SCENE_REMOVE: return rb_arrange_remove(r, a, text, why);
        case RB_SCENE_ADD:
            return rb_arrange_add(r, a, action->pose, action->velocity, &m->places, text, why);
    }
    return false;
}

static void log_action(const RbSceneAction *action, const RbEvent *event) {
    rb_event_log(event, "%s '%s'%s%s%s", verbs[action->kind], action->a, action->b ? " and '" : "",
                 action->b ? action->b : "", action->b ? "'" : "");
}

double rb_mechanism_next_time(const Mechanism *m, const double *discrete) {
    const RbScene *s = m->scene;
    int next = s->actions.count > 0 ? (int)discrete[m->next_action] : 0;
    double action = next < s->actions.count ? s->actions.data[next].time : INFINITY;
    return m->has_time ? fmin(action, discrete[m->break_until]) : action;
}

// Places and coordinates just before.
static void note_state(Mechanism *m, RbEvent *event) {
    MechanismWork *w = event->workspace;
    const double *x = rb_driven_states(m, event->x, w);
    find_places(&m->structure, x, x + m->structure.tree.nq, &w->kin, &m->places);
    note_coordinates(m, x);
}

static bool perform(Mechanism *m, RbEvent *event, const RbSceneAction *action, RbArena *text) {
    const char *why = "";
    if (carry_out(m, action, text, &why)) {
        log_action(action, event);
        return true;
    }
    rb_event_fail(event, "cannot %s '%s'%s%s%s: %s", verbs[action->kind], action->a,
                  action->b ? " and '" : "", action->b ? action->b : "", action->b ? "'" : "", why);
    return false;
}

// Whose time has come, or whose signal has risen. Remembers both.
static bool *due_actions(Mechanism *m, RbEvent *event, MechanismWork *w) {
    const RbScene *s = m->scene;
    double *d = event->discrete;
    int next = (int)d[m->next_action];
    for (int i = 0; i < s->actions.count; i++) {
        const RbSceneAction *action = &s->actions.data[i];
        double *was = &d[m->next_action + 1 + i];
        double now = action->signal ? w->signals[action->signal - 1] > 0.5 : 0;
        w->due[i] = action->signal ? now > *was : i >= next && action->time <= event->time;
        *was = now;
    }
    while (next < s->actions.count && s->actions.data[next].time <= event->time) next++;
    d[m->next_action] = next;
    event->next_time = rb_mechanism_next_time(m, d);
    return w->due;
}

bool rb_mechanism_act(Mechanism *m, RbEvent *event) {
    const RbScene *s = m->scene;
    MechanismWork *w = event->workspace;
    if (s->actions.count == 0) return false;
    bool *due = due_actions(m, event, w);
    bool any = false, failed = false;
    for (int i = 0; i < s->actions.count; i++) any |= due[i];
    if (!any) return false;
    RbArena text = rb_arena(s->arena->heap);
    m->energy_before = energy_now(m, event);
    m->removed_before = event->discrete[m->structure_energy[STRUCTURE_REMOVED]];
    note_state(m, event);
    for (int i = 0; i < s->actions.count && !failed; i++) {
        if (due[i]) failed = !perform(m, event, &s->actions.data[i], &text);
    }
    rb_arena_free(&text);
    m->changed = true;
    return true;
}

// -------------------------------------------------------------------------------------------------
// checkpoints

static void save_pose(RbSaver *saver, Pose X) {
    rb_save_doubles(saver, &X.r.x, 3);
    rb_save_doubles(saver, &X.R.x.x, 3);
    rb_save_doubles(saver, &X.R.y.x, 3);
    rb_save_doubles(saver, &X.R.z.x, 3);
}

static bool load_pose(RbLoader *loader, Pose *X) {
    return rb_load_doubles(loader, &X->r.x, 3) && rb_load_doubles(loader, &X->R.x.x, 3) &&
           rb_load_doubles(loader, &X->R.y.x, 3) && rb_load_doubles(loader, &X->R.z.x, 3);
}

static void save_joint(RbSaver *saver, const RbObjectJoint *j, bool gone, const RbLockedJoint *l) {
    const double numbers[] = {j->kind, j->a,    j->b,        j->n.x, j->n.y, j->n.z, j->n2.x,
                              j->n2.y, j->n2.z, j->has_base, gone,   l->is,  l->kind};
    rb_save_doubles(saver, numbers, 13);
    rb_save_doubles(saver, j->q, RB_JOINT_MAX_Q);
    rb_save_doubles(saver, j->v, RB_JOINT_MAX_V);
    rb_save_doubles(saver, l->q, RB_JOINT_MAX_Q);
    save_pose(saver, j->pose);
    save_pose(saver, j->base);
}

static bool load_joint(RbLoader *loader, RbObjectJoint *j, bool *gone, RbLockedJoint *l) {
    double n[13];
    if (!rb_load_doubles(loader, n, 13)) return false;
    j->kind = (RbJointKind)n[0], j->a = (int)n[1], j->b = (int)n[2];
    j->n = v3_load(n + 3), j->n2 = v3_load(n + 6);
    j->has_base = n[9] != 0, *gone = n[10] != 0;
    l->is = n[11] != 0, l->kind = (RbJointKind)n[12];
    return rb_load_doubles(loader, j->q, RB_JOINT_MAX_Q) &&
           rb_load_doubles(loader, j->v, RB_JOINT_MAX_V) &&
           rb_load_doubles(loader, l->q, RB_JOINT_MAX_Q) && load_pose(loader, &j->pose) &&
           load_pose(loader, &j->base);
}

void rb_mechanism_save_structure(const Mechanism *m, RbSaver *saver) {
    const RbArrangement *r = &m->arrangement;
    rb_save_int(saver, m->scene->actions.count);
    if (m->scene->actions.count == 0) return;
    rb_save_int(saver, r->joint_count);
    for (int i = 0; i < r->object_count; i++) {
        const RbObject *o = &r->objects[i];
        const double numbers[] = {o->parent, o->moves_freely, r->absent[i]};
        rb_save_doubles(saver, numbers, 3);
        save_pose(saver, o->pose);
        rb_save_doubles(saver, &o->velocity.x, 3);
        rb_save_doubles(saver, &o->angular_velocity.x, 3);
        save_pose(saver, m->places.X[i]);
    }
    for (int j = 0; j < r->joint_count; j++)
        save_joint(saver, &r->joints[j], r->gone[j], &r->locked[j]);
}

static bool load_object(RbLoader *loader, RbObject *o, bool *absent, Pose *place) {
    double n[3];
    if (!rb_load_doubles(loader, n, 3)) return false;
    o->parent = (int)n[0], o->moves_freely = n[1] != 0, *absent = n[2] != 0;
    return load_pose(loader, &o->pose) && rb_load_doubles(loader, &o->velocity.x, 3) &&
           rb_load_doubles(loader, &o->angular_velocity.x, 3) && load_pose(loader, place);
}

bool rb_mechanism_restore_structure(Mechanism *m, RbLoader *loader) {
    int64_t actions, joints;
    if (!rb_load_int(loader, &actions)) return false;
    if (actions == 0) return true;
    if (!m->scene || actions != m->scene->actions.count) return false;
    arrange_anew(m);
    RbArrangement *r = &m->arrangement;
    if (!rb_load_int(loader, &joints) || joints < r->own_count || joints > r->capacity)
        return false;
    for (int i = 0; i < r->object_count; i++) {
        if (!load_object(loader, &r->objects[i], &r->absent[i], &m->places.X[i])) return false;
    }
    for (int j = 0; j < joints; j++) {
        if (j >= r->own_count) r->joints[j] = (RbObjectJoint){.name = "attachment"};
        if (!load_joint(loader, &r->joints[j], &r->gone[j], &r->locked[j])) return false;
        if (r->joints[j].a < 0 || r->joints[j].a >= r->object_count || r->joints[j].b < 0 ||
            r->joints[j].b >= r->object_count)
            return false;
    }
    r->joint_count = (int)joints;
    m->restored_structure = true;
    return true;
}

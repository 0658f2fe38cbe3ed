// SPDX-License-Identifier: MIT
// Parameters of parts, joints and forces that are changed while the mechanism runs: the scene is made again from
// their values, and the next segment goes on with it from the present states, as a run would that starts there.
// What would change which states there are is refused, and so is what is read at the start only.
#include <string.h>

#include "component/segment.h"
#include "multibody/matter.h"
#include "multibody/restructure.h"

// ------------------------------------------------------------------------------------------------------
// does the new scene have the states of the old one?

static RbStatus refuse(RbDiag *diag, const char *name, const char *why) {
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "'%s' %s", name, why);
}

static bool same_pose(Pose a, Pose b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static RbStatus compare_object(const RbSceneObject *was, const RbSceneObject *is, RbDiag *diag) {
    const RbObject *a = &was->object, *b = &is->object;
    if (was->absent != is->absent)
        return refuse(diag, b->name,
                      "would come or go; Actions.Add and Actions.Remove do that during a run");
    if (a->parent == b->parent && a->moves_freely == b->moves_freely &&
        strcmp(a->name, b->name) == 0 && was->by_surface == is->by_surface)
        return RB_OK;
    return refuse(diag, b->name,
                  "would be held in another way; Actions.Attach, Release and Lock do that during a "
                  "run, or start one with an override");
}

static RbStatus compare_joint(const RbObjectJoint *was, const RbObjectJoint *is, RbDiag *diag) {
    if (was->kind == is->kind && was->a == is->a && was->b == is->b && was->owner == is->owner &&
        was->hold.kind == is->hold.kind)
        return RB_OK;
    return refuse(diag, is->name, "would be another joint; start a run with an override");
}

// Actions that are past, and how far programs are, is known by number.
static RbStatus compare_actions(const RbScene *was, const RbScene *is, RbDiag *diag) {
    bool same = was->actions.count == is->actions.count && was->paths.count == is->paths.count &&
                was->programs.count == is->programs.count &&
                rb_mechanism_step_count(was) == rb_mechanism_step_count(is);
    for (int i = 0; same && i < is->actions.count; i++)
        same = was->actions.data[i].time == is->actions.data[i].time &&
               was->actions.data[i].kind == is->actions.data[i].kind;
    if (same) return RB_OK;
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "actions, programs and their times are read when a run starts; start one with "
                   "an override");
}

static bool same_counts(const RbScene *a, const RbScene *b) {
    return a->objects.count == b->objects.count && a->joints.count == b->joints.count &&
           a->springs.count == b->springs.count && a->bushings.count == b->bushings.count &&
           a->world_forces.count == b->world_forces.count &&
           a->joint_forces.count == b->joint_forces.count && a->solids.count == b->solids.count &&
           a->contact_results.count == b->contact_results.count;
}

static bool same_molecules(const RbSoftScene *a, const RbSoftScene *b) {
    if (!a || !b) return a == b;
    bool same = a->molecules.count == b->molecules.count && a->objects.count == b->objects.count &&
                a->tets.count == b->tets.count && a->materials.count == b->materials.count &&
                a->detection == b->detection && a->resolution == b->resolution &&
                a->neighbours == b->neighbours;
    for (int i = 0; same && i < a->molecules.count; i++)
        same = memcmp(&a->molecules.data[i].r, &b->molecules.data[i].r, sizeof(Vec3)) == 0 &&
               a->molecules.data[i].fixed == b->molecules.data[i].fixed;
    return same;
}

// Loops are closed at the start: what is placed otherwise would open them.
static RbStatus compare_loops(const RbScene *was, const RbScene *is, RbDiag *diag) {
    for (int i = 0; i < is->objects.count; i++) {
        const RbObject *a = &was->objects.data[i].object, *b = &is->objects.data[i].object;
        if (!b->moves_freely && !same_pose(a->pose, b->pose))
            return refuse(diag, b->name,
                          "would be elsewhere, and the loop that it is in would open; start a run "
                          "with an override, which closes it");
    }
    for (int i = 0; i < is->joints.count; i++) {
        const RbObjectJoint *a = &was->joints.data[i], *b = &is->joints.data[i];
        bool same = same_pose(a->pose, b->pose) && same_pose(a->base, b->base) &&
                    memcmp(&a->n, &b->n, sizeof a->n) == 0 &&
                    memcmp(&a->n2, &b->n2, sizeof a->n2) == 0 && a->hold.length == b->hold.length &&
                    a->hold.share == b->hold.share;
        if (!same)
            return refuse(diag, b->name,
                          "is in a loop, or closes one, which would open; start a run with an "
                          "override, which closes it");
    }
    return RB_OK;
}

static RbStatus compare(const Mechanism *m, const RbScene *is, RbDiag *diag) {
    const RbScene *was = m->scene;
    if (was->grains.count > 0 || is->grains.count > 0)
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "grains read the parameters of parts when a run starts; start one with an "
                       "override");
    if (!same_counts(was, is))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "there would be other parts, joints, forces or pairs of surfaces; start a "
                       "run with an override");
    for (int i = 0; i < is->objects.count; i++)
        RB_TRY(compare_object(&was->objects.data[i], &is->objects.data[i], diag));
    for (int i = 0; i < is->joints.count; i++)
        RB_TRY(compare_joint(&was->joints.data[i], &is->joints.data[i], diag));
    RB_TRY(compare_actions(was, is, diag));
    if (!same_molecules(was->soft.bodies, is->soft.bodies))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "a soft body would have other molecules, or begin elsewhere; start a run "
                       "with an override");
    return m->structure.loops.count > 0 ? compare_loops(was, is, diag) : RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// what actions have made of the old one

static bool object_was_changed(const RbObject *now, const RbObject *said) {
    return now->parent != said->parent || now->moves_freely != said->moves_freely ||
           !same_pose(now->pose, said->pose);
}

static bool joint_was_changed(const RbObjectJoint *now, const RbObjectJoint *said) {
    return now->kind != said->kind || now->a != said->a || now->b != said->b ||
           now->has_base != said->has_base || !same_pose(now->pose, said->pose) ||
           !same_pose(now->base, said->base);
}

static void keep_object(Mechanism *m, const Mechanism *old, int i) {
    const RbObject *now = &old->change.arrangement.objects[i];
    RbObject *to = &m->change.arrangement.objects[i];
    m->change.arrangement.absent[i] = old->change.arrangement.absent[i];
    m->change.has_moved[i] = old->change.has_moved[i];
    m->change.places.X[i] = old->change.places.X[i];
    m->change.places.V[i] = old->change.places.V[i];
    if (!object_was_changed(now, &old->scene->objects.data[i].object)) return;
    to->parent = now->parent, to->moves_freely = now->moves_freely, to->pose = now->pose;
}

static void keep_joint(Mechanism *m, const Mechanism *old, int j) {
    const RbArrangement *from = &old->change.arrangement;
    const RbObjectJoint *now = &from->joints[j];
    RbObjectJoint *to = &m->change.arrangement.joints[j];
    m->change.arrangement.gone[j] = from->gone[j];
    m->change.arrangement.broken[j] = from->broken[j];
    m->change.arrangement.locked[j] = from->locked[j];
    bool own = j < from->own_count;
    if (own && to->hold.measured) to->hold.length = now->hold.length;
    if (own && !from->locked[j].is && !joint_was_changed(now, &old->scene->joints.data[j])) return;
    RbObjectJoint said = *to;
    *to = *now;
    if (own) to->name = said.name, to->hold = said.hold;
}

static void adopt(Mechanism *m, const RbScene *scene) {
    Mechanism old = *m;
    m->scene = scene;
    rb_mechanism_arrange_anew(m);
    for (int i = 0; i < old.change.arrangement.object_count; i++) keep_object(m, &old, i);
    for (int j = 0; j < old.change.arrangement.joint_count; j++) keep_joint(m, &old, j);
    m->change.arrangement.joint_count = old.change.arrangement.joint_count;
}

// ------------------------------------------------------------------------------------------------------

// Masses and inertias of the new scene make sense.
static RbStatus check_bodies(Mechanism *m, const RbScene *scene, RbSegment *g) {
    Mechanism was = *m;
    RbStructure s;
    adopt(m, scene);
    RbStatus status = rb_mechanism_collect_objects(m, g);
    if (status == RB_OK)
        status = rb_structure_build(&m->change.arrangement, g->arena, g->scratch, g->diag, &s);
    if (status == RB_OK &&
        (s.tree.nq != was.structure.tree.nq || s.tree.nv != was.structure.tree.nv))
        status = rb_fail(g->diag, RB_ERROR_USAGE, RB_NOWHERE,
                         "the mechanism would have other states; start a run with an override");
    if (status == RB_OK)
        status = rb_dyn_check(&s.tree, s.q, s.loops.count == 0, g->scratch, g->diag);
    *m = was;
    return status;
}

static RbStatus make_scene(Mechanism *m, RbSegment *g, RbScene **scene) {
    RB_TRY(rb_members_scene(m->members, g, scene));
    RB_TRY(compare(m, *scene, g->diag));
    return check_bodies(m, *scene, g);
}

// Scenes are in memory of their own; the one before the last is not looked at any more.
static void use_scene(Mechanism *m, const RbScene *scene, RbArena *arena) {
    if (m->renewal.next_scene) rb_arena_free(m->renewal.next_arena); // nobody has used it
    m->renewal.next_scene = scene;
    m->renewal.next_arena = arena;
}

RbStatus rb_mechanism_renew(Mechanism *m, RbSegment *g) {
    if (!m->members || g->instance->member_changes == m->renewal.member_changes) return RB_OK;
    Members *members = m->members, was = *members;
    int count = members->contacts.count;
    RbArena scratch = g->scratch;
    ContactSensor *sensors = rb_new_array(&scratch, ContactSensor, count + 1);
    for (int i = 0; i < count; i++) sensors[i] = members->contacts.data[i];
    RbScene *scene;
    RbSegment trial = *g;
    trial.scratch = scratch;
    members->arena = rb_arena_child(m->arena);
    RbArena *own = members->arena;
    RbStatus status = make_scene(m, &trial, &scene);
    if (status == RB_OK) {
        members->arena = was.arena;
        m->renewal.member_changes = g->instance->member_changes;
        use_scene(m, scene, own);
        return RB_OK;
    }
    *members = was;
    for (int i = 0; i < count; i++) members->contacts.data[i] = sensors[i];
    rb_arena_free(own);
    return status;
}

void rb_mechanism_forget_renewal(Mechanism *m, const RbSegment *g) {
    if (m->renewal.next_scene) rb_arena_free(m->renewal.next_arena);
    m->renewal.next_scene = NULL;
    m->renewal.member_changes = g->instance->member_changes;
    m->renewal.was = false;
}

void rb_mechanism_take_renewed(Mechanism *m) {
    m->renewal.was = m->renewal.next_scene != NULL;
    if (!m->renewal.next_scene) return;
    adopt(m, m->renewal.next_scene);
    if (m->renewal.last_arena) rb_arena_free(m->renewal.last_arena);
    m->renewal.last_arena = m->renewal.scene_arena;
    m->renewal.scene_arena = m->renewal.next_arena;
    m->renewal.next_scene = NULL;
    rb_mechanism_renew_soft(m);
}

void rb_mechanism_note_renewal(Mechanism *m, const RbEvent *event) {
    if (!m->renewal.next_scene || event->initial || event->pass > 0) return;
    RbStoredEnergy stored = rb_mechanism_stored(m, event->workspace);
    m->account.energy_before =
        event->discrete[m->account.energy_start] - rb_mechanism_energy(m, event);
    m->account.pressed_before = event->discrete[m->account.pressed_start] - stored.pressed;
    m->account.lent_before = event->discrete[m->account.lent_start] - stored.lent;
}

void rb_mechanism_settle_renewal(const Mechanism *m, RbEvent *event) {
    if (!m->renewal.was) return;
    RbStoredEnergy stored = rb_mechanism_stored(m, event->workspace);
    event->discrete[m->account.energy_start] =
        m->account.energy_before + rb_mechanism_energy(m, event);
    event->discrete[m->account.pressed_start] = m->account.pressed_before + stored.pressed;
    event->discrete[m->account.lent_start] = m->account.lent_before + stored.lent;
}

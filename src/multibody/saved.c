// SPDX-License-Identifier: MIT
// What holds what goes through a checkpoint. It is read before the first segment begins; what the
// scene of a Modelica model is made of is known only then.
#include <string.h>

#include "component/segment.h"
#include "multibody/restructure.h"

struct SavedStructure {
    RbArrangement r; // what is saved of it
    bool *has_moved;
    Pose *places;
    bool contact_off;
};

static int count_acts(const RbScene *s) {
    return s->actions.count + rb_mechanism_step_count(s);
}

// ---- write

static void save_pose(RbSaver *saver, Pose X) {
    rb_save_doubles(saver, &X.r.x, 3);
    rb_save_doubles(saver, &X.R.x.x, 3);
    rb_save_doubles(saver, &X.R.y.x, 3);
    rb_save_doubles(saver, &X.R.z.x, 3);
}

static void save_joint(RbSaver *saver, const RbArrangement *r, int i) {
    const RbObjectJoint *j = &r->joints[i];
    const RbLockedJoint *l = &r->locked[i];
    const double numbers[] = {j->kind,    j->a,    j->b,    j->n.x,      j->n.y,
                              j->n.z,     j->n2.x, j->n2.y, j->n2.z,     j->has_base,
                              r->gone[i], l->is,   l->kind, r->broken[i]};
    rb_save_doubles(saver, numbers, 14);
    rb_save_doubles(saver, j->q, RB_JOINT_MAX_Q);
    rb_save_doubles(saver, j->v, RB_JOINT_MAX_V);
    rb_save_doubles(saver, l->q, RB_JOINT_MAX_Q);
    save_pose(saver, j->pose);
    save_pose(saver, j->base);
}

// Lengths that rods had at the start.
static void save_lengths(const Mechanism *m, RbSaver *saver) {
    for (int j = 0; j < m->scene->joints.count; j++) {
        if (m->scene->joints.data[j].hold.measured)
            rb_save_doubles(saver, &m->change.arrangement.joints[j].hold.length, 1);
    }
}

void rb_mechanism_save_structure(const Mechanism *m, RbSaver *saver) {
    const RbArrangement *r = &m->change.arrangement;
    int acts = count_acts(m->scene);
    save_lengths(m, saver);
    rb_save_int(saver, acts);
    if (acts == 0) return;
    rb_save_int(saver, r->object_count);
    rb_save_int(saver, r->joint_count);
    rb_save_int(saver, m->contact.off);
    for (int i = 0; i < r->object_count; i++) {
        const RbObject *o = &r->objects[i];
        const double numbers[] = {o->parent, o->moves_freely, r->absent[i], m->change.has_moved[i]};
        rb_save_doubles(saver, numbers, 4);
        save_pose(saver, o->pose);
        rb_save_doubles(saver, &o->velocity.x, 3);
        rb_save_doubles(saver, &o->angular_velocity.x, 3);
        save_pose(saver, m->change.places.X[i]);
    }
    for (int j = 0; j < r->joint_count; j++) save_joint(saver, r, j);
}

// ---- read

static bool load_pose(RbLoader *loader, Pose *X) {
    return rb_load_doubles(loader, &X->r.x, 3) && rb_load_doubles(loader, &X->R.x.x, 3) &&
           rb_load_doubles(loader, &X->R.y.x, 3) && rb_load_doubles(loader, &X->R.z.x, 3);
}

static bool is_index(double x, int count) {
    return x >= 0 && x < count && x == (int)x;
}

static bool load_joint(RbLoader *loader, SavedStructure *s, int i) {
    RbObjectJoint *j = &s->r.joints[i];
    RbLockedJoint *l = &s->r.locked[i];
    double n[14];
    if (!rb_load_doubles(loader, n, 14)) return false;
    if (!is_index(n[0], RB_JOINT_KIND_COUNT) || !is_index(n[12], RB_JOINT_KIND_COUNT) ||
        !is_index(n[1], s->r.object_count) || !is_index(n[2], s->r.object_count))
        return false;
    j->kind = (RbJointKind)n[0], j->a = (int)n[1], j->b = (int)n[2];
    j->n = v3_load(n + 3), j->n2 = v3_load(n + 6);
    j->has_base = n[9] != 0, s->r.gone[i] = n[10] != 0;
    l->is = n[11] != 0, l->kind = (RbJointKind)n[12];
    s->r.broken[i] = n[13] != 0;
    return rb_load_doubles(loader, j->q, RB_JOINT_MAX_Q) &&
           rb_load_doubles(loader, j->v, RB_JOINT_MAX_V) &&
           rb_load_doubles(loader, l->q, RB_JOINT_MAX_Q) && load_pose(loader, &j->pose) &&
           load_pose(loader, &j->base);
}

static bool load_object(RbLoader *loader, SavedStructure *s, int i) {
    RbObject *o = &s->r.objects[i];
    double n[4];
    if (!rb_load_doubles(loader, n, 4) || (n[0] != -1 && !is_index(n[0], s->r.object_count)))
        return false;
    o->parent = (int)n[0], o->moves_freely = n[1] != 0;
    s->r.absent[i] = n[2] != 0, s->has_moved[i] = n[3] != 0;
    return load_pose(loader, &o->pose) && rb_load_doubles(loader, &o->velocity.x, 3) &&
           rb_load_doubles(loader, &o->angular_velocity.x, 3) && load_pose(loader, &s->places[i]);
}

static bool load_lengths(Mechanism *m, RbLoader *loader) {
    const RbScene *s = m->scene;
    m->loops.saved_lengths = NULL;
    for (int j = 0; j < s->joints.count; j++) {
        if (!s->joints.data[j].hold.measured) continue;
        if (!m->loops.saved_lengths)
            m->loops.saved_lengths = rb_new_array(m->arena, double, s->joints.count);
        if (!rb_load_doubles(loader, &m->loops.saved_lengths[j], 1) ||
            !(m->loops.saved_lengths[j] > 0))
            return false;
    }
    return true;
}

void rb_mechanism_adopt_lengths(Mechanism *m) {
    m->loops.knows_lengths = m->loops.saved_lengths != NULL;
    for (int j = 0; m->loops.saved_lengths && j < m->change.arrangement.own_count; j++) {
        if (m->loops.saved_lengths[j] > 0)
            m->change.arrangement.joints[j].hold.length = m->loops.saved_lengths[j];
    }
    m->loops.saved_lengths = NULL;
}

bool rb_mechanism_restore_structure(Mechanism *m, RbLoader *loader) {
    int64_t acts, objects, joints, contact_off, limit = 1 << 20;
    m->change.saved = NULL;
    if (!load_lengths(m, loader)) return false;
    if (!rb_load_int(loader, &acts)) return false;
    if (acts == 0) return true;
    if (!rb_load_int(loader, &objects) || !rb_load_int(loader, &joints) ||
        !rb_load_int(loader, &contact_off) || objects < 0 || objects > limit || joints < 0 ||
        joints > limit)
        return false;
    SavedStructure *s = m->change.saved = rb_new(m->arena, SavedStructure);
    s->contact_off = contact_off != 0;
    s->r = (RbArrangement){.objects = rb_new_array(m->arena, RbObject, (int)objects),
                           .object_count = (int)objects,
                           .absent = rb_new_array(m->arena, bool, (int)objects),
                           .joints = rb_new_array(m->arena, RbObjectJoint, (int)joints),
                           .gone = rb_new_array(m->arena, bool, (int)joints),
                           .broken = rb_new_array(m->arena, bool, (int)joints),
                           .locked = rb_new_array(m->arena, RbLockedJoint, (int)joints),
                           .joint_count = (int)joints};
    s->has_moved = rb_new_array(m->arena, bool, (int)objects);
    s->places = rb_new_array(m->arena, Pose, (int)objects);
    for (int i = 0; i < objects; i++) {
        if (!load_object(loader, s, i)) return false;
    }
    for (int j = 0; j < joints; j++) {
        if (!load_joint(loader, s, j)) return false;
    }
    return true;
}

// ---- use

// What changes in a run; names, masses and positions in the text are those of the scene.
static void adopt_joint(RbArrangement *r, const RbArrangement *saved, int j) {
    const RbObjectJoint *from = &saved->joints[j];
    RbObjectJoint *to = &r->joints[j];
    if (j >= r->own_count) *to = (RbObjectJoint){.name = "attachment"};
    RbObjectJoint was = *to;
    *to = *from;
    to->name = was.name, to->at = was.at, to->owner = was.owner, to->can_collide = was.can_collide;
    to->hold = was.hold;
    memcpy(to->q_held, was.q_held, sizeof to->q_held);
    memcpy(to->v_held, was.v_held, sizeof to->v_held);
    to->keep = was.keep;
    r->gone[j] = saved->gone[j];
    r->broken[j] = saved->broken[j];
    r->locked[j] = saved->locked[j];
}

RbStatus rb_mechanism_adopt_saved(Mechanism *m, RbSegment *g) {
    const SavedStructure *s = m->change.saved;
    RbArrangement *r = &m->change.arrangement;
    m->change.saved = NULL;
    if (s->r.object_count != r->object_count || s->r.joint_count < r->own_count ||
        s->r.joint_count > r->capacity)
        return rb_fail(g->diag, RB_ERROR_IO, RB_NOWHERE,
                       "the checkpoint has %d parts and %d joints, the model %d and %d",
                       s->r.object_count, s->r.joint_count, r->object_count, r->own_count);
    m->contact.off = s->contact_off;
    for (int i = 0; i < r->object_count; i++) {
        const RbObject *from = &s->r.objects[i];
        RbObject *to = &r->objects[i];
        to->parent = from->parent, to->moves_freely = from->moves_freely;
        to->pose = from->pose;
        to->velocity = from->velocity, to->angular_velocity = from->angular_velocity;
        r->absent[i] = s->r.absent[i];
        m->change.has_moved[i] = s->has_moved[i];
        m->change.places.X[i] = s->places[i];
    }
    for (int j = 0; j < s->r.joint_count; j++) adopt_joint(r, &s->r, j);
    r->joint_count = s->r.joint_count;
    return RB_OK;
}

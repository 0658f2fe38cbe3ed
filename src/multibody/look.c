// SPDX-License-Identifier: MIT
// What a scene shows between two steps: motions, momentum, contacts.
#include "multibody/grains.h"
#include "multibody/touching_solids.h"

bool rb_multibody_motion(const void *self, const void *workspace, int object, RbFrameMotion *out) {
    const Mechanism *m = self;
    const MechanismWork *w = workspace;
    if (object < 0 || object >= m->scene->objects.count) return false;
    RbFrame frame = m->structure.frame[object];
    *out = (RbFrameMotion){rb_frame_pose(&w->kin, frame), rb_frame_velocity(&w->kin, frame)};
    return true;
}

Wrench rb_multibody_momentum(const void *self, const void *workspace) {
    const Mechanism *m = self;
    const MechanismWork *w = workspace;
    Wrench p = rb_momentum(&m->structure.tree, &w->kin);
    if (!m->grains) return p;
    Wrench q = rb_cloud_momentum(m->grains->cloud);
    return (Wrench){v3_add(p.t, q.t), v3_add(p.f, q.f)};
}

int rb_multibody_contacts(const void *self, const void *workspace, const double *discrete,
                          RbArena *arena, RbContactLook **out) {
    const Mechanism *m = self;
    const MechanismWork *w = workspace;
    RB_ARRAY(RbContactLook) found = {0};
    int a, b;
    for (int i = 0; m->contact.setup && i < m->contact.setup->slot_count; i++) {
        if (!rb_slot_pair(m->contact.setup, discrete + m->contact.slots, i, &a, &b)) continue;
        RbContactLook c = {m->contact.owners[a], m->contact.owners[b], &w->contact.states[i]};
        rb_array_push(&found, arena, c);
    }
    for (int i = 0; i < m->scene->solids.count; i++) {
        if (!rb_mechanism_solids_touch(m, discrete, i)) continue;
        RbContactState *state = rb_new(arena, RbContactState);
        *state = rb_mechanism_solids_contact(m, w, i);
        RbContactLook c = {m->scene->solids.data[i].a, m->scene->solids.data[i].b, state};
        rb_array_push(&found, arena, c);
    }
    *out = found.data;
    return found.count;
}

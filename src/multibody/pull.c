// SPDX-License-Identifier: MIT
// Somebody outside pulls at a body, as with a mouse: a force element that is not part of the scene and
// may come and go between two steps.
#include <string.h>

#include "multibody/mechanism.h"

static Wrench pull_law(double t, const RbFrameMotion *apply, const RbFrameMotion *axes,
                       void *user) {
    (void)t, (void)axes;
    const RbPull *p = user;
    Vec3 f = v3_scale(p->stiffness, v3_sub(p->target, apply->X.r));
    return (Wrench){.t = V3_ZERO, .f = v3_axpy(f, -p->damping, apply->V.v)};
}

bool rb_mechanism_pulls(const Mechanism *m, const RbEval *e, RbWorldForce *out) {
    if (m->forces.pull.object <= 0) return false;
    RbFrame frame = m->structure.frame[m->forces.pull.object];
    if (frame.body == 0) return false; // it stands still
    bool wanted = !e->groups;
    for (int k = 0; e->groups && k < e->group_count; k++)
        wanted |= e->group_list[k] == m->groups.of[frame.body];
    if (!wanted) return false;
    frame.X_BF = (Pose){pose_point(frame.X_BF, m->forces.pull.point), M3_IDENTITY};
    *out = (RbWorldForce){.apply = frame,
                          .axes = {.X_BF = POSE_IDENTITY},
                          .law = pull_law,
                          .user = (void *)(uintptr_t)&m->forces.pull};
    return true;
}

bool rb_multibody_pull(void *self, const RbPull *pull) {
    Mechanism *m = self;
    if (pull->object < 0 || pull->object >= m->scene->objects.count) return false;
    m->forces.pull = *pull;
    return true;
}

int rb_multibody_find(const void *self, const char *name) {
    const Mechanism *m = self;
    for (int i = 1; i < m->scene->objects.count; i++) {
        if (strcmp(m->scene->objects.data[i].object.name, name) == 0) return i;
    }
    return -1;
}

const char *rb_multibody_object_name(const void *self, int object) {
    const Mechanism *m = self;
    bool is_there = object >= 0 && object < m->scene->objects.count;
    return is_there ? m->scene->objects.data[object].object.name : NULL;
}

// SPDX-License-Identifier: MIT
// A body on a joint at the world goes through everything that is fixed in the world, unless the joint says otherwise:
// parts on both sides of a joint usually overlap there. Whoever hangs a pendulum before a wall should know.
#include "multibody/driven.h"

static RbAabb box_of(const MechanismWork *w, const RbElement *e) {
    Pose X = e->body == 0 ? e->X_BS : pose_mul(w->moving[e->body].X, e->X_BS);
    return rb_aabb_of_core(e->core, X);
}

// Does something of the body reach into the box of an element at the start?
static bool is_in(const Mechanism *m, const MechanismWork *w, int body, const RbElement *fixed) {
    RbAabb there = box_of(w, fixed);
    for (int k = m->element_start[body]; k < m->element_start[body + 1]; k++) {
        const RbElement *e = &m->contacts->elements[m->element_list[k]];
        if (rb_aabb_overlap(box_of(w, e), there)) return true;
    }
    return false;
}

static bool is_forbidden(const Mechanism *m, int a, int b) {
    return !rb_structure_may_collide(&m->structure, m->owners[a], m->owners[b]);
}

// The first part of the world that is apart from the body and that it will pass; -1: none.
static int find_passed(const Mechanism *m, const MechanismWork *w, int body) {
    int own = m->element_list[m->element_start[body]];
    for (int k = m->element_start[0]; k < m->element_start[1]; k++) {
        int fixed = m->element_list[k];
        const RbElement *e = &m->contacts->elements[fixed];
        if (is_forbidden(m, own, fixed) && !is_in(m, w, body, e)) return fixed;
    }
    return -1;
}

void rb_mechanism_tell_passing(const Mechanism *m, const RbEvent *event) {
    MechanismWork *w = event->workspace;
    if (!m->contacts) return;
    rb_mechanism_move(m, rb_driven_states(m, event->x, w), w);
    for (int i = 1; i < m->structure.tree.bodies.count; i++) {
        const RbTreeBody *b = &m->structure.tree.bodies.data[i];
        if (b->parent != 0 || b->joint.kind == RB_JOINT_FREE ||
            m->structure.supers[i].can_collide || m->element_start[i] == m->element_start[i + 1])
            continue;
        int passed = find_passed(m, w, i);
        if (passed < 0) continue;
        const RbElement *own = &m->contacts->elements[m->element_list[m->element_start[i]]];
        rb_warn(
            m->diag, m->scene->objects.data[m->owners[passed]].object.at,
            "'%s' would go through '%s': it hangs on the world by a joint, and both sides of a "
            "joint "
            "do not touch; let the joint have canCollide = true, or say that one of them is not "
            "collidable",
            own->side.object, m->contacts->elements[passed].side.object);
    }
}

// SPDX-License-Identifier: MIT
// Bodies that stand for those of Modelica.Mechanics.MultiBody show their motion under the names that
// these have: v_0, w_a and frame_a.r_0, in a body inside of a part with a shape if that has one.
#include <string.h>

#include "component/segment.h"
#include "multibody/driven.h"
#include "multibody/sensing.h"

// ORDER Rattleback.MultiBody.Parts: 1: a body, 2: a part that has one; 0: no names are wanted.
static int publishes(const Members *m, int i) {
    const RbMember *member = rb_member(m, i);
    const RbValueSpec *values = rb_multibody_roles[member->role].values;
    for (int k = 0; member->role == ROLE_BODY && values[k].name; k++) {
        if (strcmp(values[k].name, "publish") == 0) return (int)member->known[k];
    }
    return 0;
}

// The velocity of a body that moves freely is a state, of one that equations look at theirs.
static bool shows_velocity(const Mechanism *m, int i) {
    const RbMember *member = rb_member(m->members, i);
    RbFrame frame = m->structure.frame[m->members->object_of[member->sets[0]]];
    if (member->wanted[0] || member->wanted[1] || frame.body == 0) return false;
    const RbJoint *joint = rb_tree_joint(&m->structure.tree, frame.body);
    return joint->kind != RB_JOINT_FREE || strcmp(joint->name, member->path) != 0;
}

static void declare_vector(RbSegment *g, const char *path, const char *inside, const char *name,
                           const char *unit) {
    for (int k = 1; k <= 3; k++) {
        const char *full = rb_arena_printf(g->arena, "%s.%s%s[%d]", path, inside, name, k);
        rb_segment_result(g, &(RbResultSpec){full, unit, ""});
    }
}

// The coordinates of a joint that has them under the names of the standard library.
static int free_joint(const Mechanism *m, int i) {
    const RbMember *member = rb_member(m->members, i);
    const RbTree *tree = &m->structure.tree;
    if (member->role != ROLE_FREE || !member->has_variable[0]) return 0;
    for (int body = 1; body < tree->bodies.count; body++) {
        if (rb_tree_joint(tree, body)->object_joint == m->members->joint_of[i]) return body;
    }
    return 0;
}

// ORDER rb_members_record_published
void rb_members_declare_published(const Mechanism *m, RbSegment *g) {
    for (int i = 0; i < m->members->gathered->count; i++) {
        if (free_joint(m, i) > 0) {
            declare_vector(g, rb_member(m->members, i)->path, "", "r_rel_a", "m");
            declare_vector(g, rb_member(m->members, i)->path, "", "v_rel_a", "m/s");
        }
        int how = publishes(m->members, i);
        const char *path = rb_member(m->members, i)->path, *inside = how == 2 ? "body." : "";
        if (how == 0) continue;
        if (shows_velocity(m, i)) declare_vector(g, path, "", "v_0", "m/s");
        declare_vector(g, path, inside, "w_a", "rad/s");
        declare_vector(g, path, inside, "frame_a.r_0", "m");
    }
}

double *rb_members_record_published(const Mechanism *m, const RbEval *e, double *out) {
    MechanismWork *w = e->workspace;
    const double *x = rb_driven_states(m, e->x, w);
    for (int i = 0; i < m->members->gathered->count; i++) {
        int body = free_joint(m, i);
        if (body > 0) {
            const RbJoint *joint = rb_tree_joint(&m->structure.tree, body);
            memcpy(out, x + joint->q, 3 * sizeof *out);
            memcpy(out + 3, x + m->structure.tree.nq + joint->v, 3 * sizeof *out);
            out += 6;
        }
        if (publishes(m->members, i) == 0) continue;
        RbFrame frame =
            m->structure.frame[m->members->object_of[rb_member(m->members, i)->sets[0]]];
        Pose X = rb_frame_pose(&w->kin, frame);
        Motion V = rb_frame_velocity(&w->kin, frame);
        if (shows_velocity(m, i)) {
            v3_store(out, V.v);
            out += 3;
        }
        v3_store(out, m3_tmul_vec(X.R, V.w));
        v3_store(out + 3, X.r);
        out += 6;
    }
    return out;
}

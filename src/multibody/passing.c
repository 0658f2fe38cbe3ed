// SPDX-License-Identifier: MIT
// A body on a joint at the world goes through everything that is fixed in the world, unless the joint says otherwise:
// parts on both sides of a joint usually overlap there. Whoever hangs a pendulum before a wall should know.
#include <math.h>

#include "geom/support.h"
#include "multibody/driven.h"
#include "multibody/touching_solids.h"

// A joint by which a body hangs on the world, in the world.
typedef struct Hanger {
    RbJointKind kind;
    Vec3 o, n; // a point of its axis, and its direction
} Hanger;

static bool find_hanging_cut(const Mechanism *m, const MechanismWork *w, int body, Hanger *out) {
    const RbLoops *loops = &m->structure.loops;
    for (int i = 0; i < loops->count; i++) {
        const RbLoopCut *cut = &loops->cuts[i];
        bool joins =
            (cut->a.body == body && cut->b.body == 0) || (cut->a.body == 0 && cut->b.body == body);
        if (!joins || cut->hold.kind != RB_HOLD_NONE || cut->can_collide) continue;
        Pose X = rb_frame_pose(&w->kin, cut->a);
        *out = (Hanger){cut->kind, X.r, m3_mul_vec(X.R, cut->n)};
        return true;
    }
    return false;
}

// A joint of the tree, or one that closes a loop; false: the body hangs on none across which nothing touches.
static bool find_hanger(const Mechanism *m, const MechanismWork *w, int body, Hanger *out) {
    if (body == 0) return false;
    const RbTreeBody *b = &m->structure.tree.bodies.data[body];
    if (b->parent != 0 || b->joint.kind == RB_JOINT_FREE || m->structure.supers[body].can_collide)
        return find_hanging_cut(m, w, body, out);
    const RbJoint *joint = &b->joint;
    *out = (Hanger){joint->kind, joint->F.r, m3_mul_vec(joint->F.R, joint->n)};
    return true;
}

static Pose pose_of(const MechanismWork *w, const RbElement *e) {
    return e->body == 0 ? e->X_BS : pose_mul(w->moving[e->body].X, e->X_BS);
}

static RbAabb box_of(const MechanismWork *w, const RbElement *e) {
    return rb_aabb_of_core(e->core, pose_of(w, e));
}

// Does something of the body reach into the box of an element at the start?
static bool is_in(const Mechanism *m, const MechanismWork *w, int body, const RbElement *fixed) {
    RbAabb there = box_of(w, fixed);
    for (int k = m->contact.element_start[body]; k < m->contact.element_start[body + 1]; k++) {
        const RbElement *e = &m->contact.setup->elements[m->contact.element_list[k]];
        if (rb_aabb_overlap(box_of(w, e), there)) return true;
    }
    return false;
}

// ---- where a joint lets something come

typedef struct Range {
    double low, high; // [m]
} Range;

static bool have_no_common(Range a, Range b) {
    return a.high <= b.low || b.high <= a.low;
}

// A shape or a surface, in the world.
typedef struct Form {
    const RbCore *core; // or:
    const RbMesh *mesh;
    Pose X;
} Form;

static Range core_along(Form p, Vec3 n) {
    Pose X = pose_mul(p.X, p.core->frame);
    Vec3 d = m3_tmul_vec(X.R, n);
    double high = v3_dot(d, rb_core_support(p.core, d, NULL)),
           low = v3_dot(d, rb_core_support(p.core, v3_neg(d), NULL)), at = v3_dot(n, X.r);
    return (Range){at + low - p.core->radius, at + high + p.core->radius};
}

// Distances from a line through o, not less and not more: a convex body is as far away as some plane beside it.
static Range core_around(Form p, Vec3 o, Vec3 n) {
    enum { PLANES = 64 };
    const double step = 6.283185307179586 / PLANES;
    Vec3 u = v3_perpendicular(n), v = v3_cross(n, u);
    Range r = {0, 0};
    for (int i = 0; i < PLANES; i++) {
        Vec3 d = v3_axpy(v3_scale(cos(i * step), u), sin(i * step), v);
        Range here = core_along(p, d);
        double at = v3_dot(d, o);
        r = (Range){fmax(r.low, here.low - at), fmax(r.high, here.high - at)};
    }
    return (Range){r.low, r.high / cos(0.5 * step)};
}

static Range mesh_along(Form p, Vec3 n) {
    Range r = {INFINITY, -INFINITY};
    for (int i = 0; i < p.mesh->vertex_count; i++) {
        double h = v3_dot(n, pose_point(p.X, p.mesh->vertices[i]));
        r = (Range){fmin(r.low, h), fmax(r.high, h)};
    }
    return r;
}

// Distances from a line through o.
static Range mesh_around(Form p, Vec3 o, Vec3 n) {
    Range r = {INFINITY, 0};
    for (int t = 0; t < p.mesh->triangle_count; t++) {
        Vec3 x[3];
        for (int k = 0; k < 3; k++) {
            Vec3 d = v3_sub(pose_point(p.X, p.mesh->vertices[p.mesh->triangles[t].v[k]]), o);
            x[k] = v3_axpy(d, -v3_dot(n, d), n);
            r.high = fmax(r.high, v3_norm(x[k]));
        }
        double nearest = v3_norm(rb_triangle_nearest(x));
        r.low = isfinite(nearest) ? fmin(r.low, nearest) : 0;
    }
    return r;
}

static Range along(Form p, Vec3 n) {
    return p.mesh ? mesh_along(p, n) : core_along(p, n);
}

static Range around(Form p, Vec3 o, Vec3 n) {
    return p.mesh ? mesh_around(p, o, n) : core_around(p, o, n);
}

// What turns about a line stays within a ball around a point of it, what slides along a plane at its height.
static bool can_reach_ground(const Hanger *joint, Form body, Form ground) {
    Pose X = pose_mul(ground.X, ground.core->frame);
    Vec3 o = joint->o, n = joint->n, up = m3_column(X.R, 2);
    if (joint->kind == RB_JOINT_REVOLUTE) {
        Range heights = along(body, n);
        double at = v3_dot(n, o), far = fmax(fabs(heights.low - at), fabs(heights.high - at));
        return v3_dot(up, v3_sub(o, X.r)) < hypot(far, around(body, o, n).high);
    }
    const double level = 1e-9;
    return joint->kind != RB_JOINT_PRISMATIC || fabs(v3_dot(n, up)) > level ||
           along(body, up).low < v3_dot(up, X.r);
}

// What turns keeps its heights and distances from the axis, what slides its outline across it.
static bool can_reach(const Hanger *joint, Form body, Form fixed) {
    if (!fixed.mesh && fixed.core->kind == RB_CORE_HALFSPACE)
        return can_reach_ground(joint, body, fixed);
    Vec3 o = joint->o, n = joint->n;
    if (joint->kind == RB_JOINT_REVOLUTE)
        return !have_no_common(along(body, n), along(fixed, n)) &&
               !have_no_common(around(body, o, n), around(fixed, o, n));
    if (joint->kind != RB_JOINT_PRISMATIC) return true;
    Vec3 u = v3_perpendicular(n), v = v3_cross(n, u);
    return !have_no_common(along(body, u), along(fixed, u)) &&
           !have_no_common(along(body, v), along(fixed, v));
}

static bool shapes_can_reach(const Mechanism *m, const MechanismWork *w, const Hanger *joint,
                             int body, const RbElement *fixed) {
    for (int k = m->contact.element_start[body]; k < m->contact.element_start[body + 1]; k++) {
        const RbElement *e = &m->contact.setup->elements[m->contact.element_list[k]];
        Form own = {.core = e->core, .X = pose_of(w, e)},
             other = {.core = fixed->core, .X = pose_of(w, fixed)};
        if (can_reach(joint, own, other)) return true;
    }
    return false;
}

static bool is_forbidden(const Mechanism *m, int a, int b) {
    return !rb_structure_may_collide(&m->structure, m->contact.owners[a], m->contact.owners[b]);
}

// The first part of the world that is apart from the body and that it will pass; -1: none.
static int find_passed(const Mechanism *m, const MechanismWork *w, const Hanger *joint, int body) {
    int own = m->contact.element_list[m->contact.element_start[body]];
    for (int k = m->contact.element_start[0]; k < m->contact.element_start[1]; k++) {
        int fixed = m->contact.element_list[k];
        const RbElement *e = &m->contact.setup->elements[fixed];
        if (is_forbidden(m, own, fixed) && !is_in(m, w, body, e) &&
            shapes_can_reach(m, w, joint, body, e))
            return fixed;
    }
    return -1;
}

static void tell(const Mechanism *m, const char *own, int passed) {
    const RbObject *o = &m->scene->objects.data[passed].object;
    rb_warn(m->diag, o->at,
            "'%s' would go through '%s': it hangs on the world by a joint, and both sides of a "
            "joint "
            "do not touch; let the joint have canCollide = true, or say that one of them is not "
            "collidable",
            own, o->name);
}

static void tell_of_shapes(const Mechanism *m, const MechanismWork *w) {
    for (int i = 1; i < m->structure.tree.bodies.count; i++) {
        Hanger joint;
        if (m->contact.element_start[i] == m->contact.element_start[i + 1] ||
            !find_hanger(m, w, i, &joint))
            continue;
        int passed = find_passed(m, w, &joint, i);
        if (passed < 0) continue;
        const RbElement *own =
            &m->contact.setup->elements[m->contact.element_list[m->contact.element_start[i]]];
        tell(m, own->side.object, m->contact.owners[passed]);
    }
}

// ---- parts that touch by their surfaces

static RbAabb box_of_mesh(const RbMesh *mesh, Pose X) {
    RbAabb box = RB_AABB_EMPTY;
    for (int i = 0; i < mesh->vertex_count; i++)
        box = rb_aabb_add_point(box, pose_point(X, mesh->vertices[i]));
    return box;
}

static bool will_pass(const Mechanism *m, const MechanismWork *w, const Hanger *joint, int pair) {
    const RbSolidsForce *f = &m->forces.solids[pair];
    Form a = {.mesh = &f->skin_a->mesh, .X = rb_frame_pose(&w->kin, f->a)},
         b = {.mesh = &f->skin_b->mesh, .X = rb_frame_pose(&w->kin, f->b)};
    return !rb_aabb_overlap(box_of_mesh(a.mesh, a.X), box_of_mesh(b.mesh, b.X)) &&
           (f->a.body > 0 ? can_reach(joint, a, b) : can_reach(joint, b, a));
}

// Of each body once.
static void tell_of_surfaces(const Mechanism *m, const MechanismWork *w) {
    const RbScene *s = m->scene;
    const bool *absent = m->change.arrangement.absent;
    int told = 0;
    if (!s->contact) return;
    for (int i = 0; i < s->solids.count; i++) {
        const RbSceneSolids *given = &s->solids.data[i];
        int a = m->forces.solids[i].a.body, b = m->forces.solids[i].b.body, body = a > 0 ? a : b;
        bool of_world = a == 0 || b == 0;
        Hanger joint;
        if (!given->by_rule || !of_world || body == told || !find_hanger(m, w, body, &joint) ||
            absent[given->a] || absent[given->b] ||
            rb_structure_may_collide(&m->structure, given->a, given->b) ||
            !will_pass(m, w, &joint, i))
            continue;
        tell(m, s->objects.data[a > 0 ? given->a : given->b].object.name,
             a > 0 ? given->b : given->a);
        told = body;
    }
}

void rb_mechanism_tell_passing(const Mechanism *m, const RbEvent *event) {
    MechanismWork *w = event->workspace;
    if (!m->contact.setup && m->scene->solids.count == 0) return;
    rb_mechanism_move(m, rb_driven_states(m, event->x, w), w);
    if (m->contact.setup) tell_of_shapes(m, w);
    tell_of_surfaces(m, w);
}

// SPDX-License-Identifier: MIT
// Members that hold two frames without carrying one of them: rods, constraints and wheels
// (docs/theory/loops.md, section 8).
#include <math.h>
#include <string.h>

#include "component/segment.h"
#include "members/members_build.h"

static RbReading reading_of(const SceneBuild *b, int i) {
    return (RbReading){b->m, b->segment, i};
}

static RbObjectJoint hold_of(RbHold hold, int a, int c, const RbReading *r) {
    RbObjectJoint j = rb_scene_joint("", RB_JOINT_FREE, a, c, V3_ZERO);
    j.hold = hold;
    j.can_collide = rb_read_number(r, "canCollide", 0) != 0;
    return j;
}

// --- masses on a line ----------------------------------------------------------------------------

static int add_mass(SceneBuild *b, int i, const char *name, double m, Vec3 r_CM, Vec3 moments) {
    const RbMember *member = rb_member(b->m, i);
    RbSceneObject o = {
        .object = rb_object(rb_arena_printf(b->m->arena, "%s.%s", member->path, name), -1)};
    o.object.at = member->at;
    o.object.feature = RB_FEATURE_SOLID;
    o.object.has_mass = o.object.ideal = true;
    o.object.mass = (RbMassProperties){
        .mass = m,
        .r_CM = r_CM,
        .I_CM = m3_from_columns(v3(moments.x, 0, 0), v3(0, moments.y, 0), v3(0, 0, moments.z))};
    return rb_making_new_object(b, o);
}

// At a share of the line: a point that moves freely, but for that. Nothing turns it, so its moments may be anything.
static int add_point_between(SceneBuild *b, int i, double m, double share) {
    RbReading r = reading_of(b, i);
    int point = add_mass(b, i, "mass", m, V3_ZERO, v3(m, m, m));
    RbObject *o = &b->scene->objects.data[point].object;
    o->parent = 0;
    o->moves_freely = true;
    RbHold hold = {.kind = RB_HOLD_BETWEEN, .third = rb_making_object(b, i, 1), .share = share};
    RbObjectJoint j = hold_of(hold, rb_making_object(b, i, 0), point, &r);
    j.can_collide = true;
    j.name = "mass";
    return rb_making_hold(b, i, j);
}

// --- rods ----------------------------------------------------------------------------------------

// Somebody else is connected to this frame.
static bool is_connected(const SceneBuild *b, int member, int frame) {
    int set = rb_member(b->m, member)->sets[frame];
    for (int i = 0; set >= 0 && i < b->m->gathered->count; i++) {
        const RbMember *other = rb_member(b->m, i);
        for (int k = 0; i != member && k < other->set_count; k++) {
            if (other->sets[k] == set) return true;
        }
    }
    return false;
}

// A universal joint between frame_a and the rod, a ball at its end.
static RbStatus add_universal_rod(SceneBuild *b, int i, RbHold hold) {
    RbReading r = reading_of(b, i);
    const RbMember *member = rb_member(b->m, i);
    Vec3 n1 = rb_read_vector(&r, "n1_a"), along = rb_read_vector(&r, "rRod_ia");
    Vec3 across = v3_cross(v3_unit(n1), v3_unit(along));
    if (!(v3_norm(across) > 1e-5))
        return rb_fail(b->segment->diag, RB_ERROR_MODEL, member->at,
                       "n1_a of '%s' is (%g, %g, %g) and its rod rRod_ia (%g, %g, %g): axis 1 of "
                       "the universal joint needs a direction across the rod",
                       member->path, n1.x, n1.y, n1.z, along.x, along.y, along.z);
    int frame_a = rb_making_object(b, i, 0), frame_b = rb_making_object(b, i, 1);
    if (!is_connected(b, i, 2)) { // nobody asks how the rod is turned
        hold.kind = RB_HOLD_DISTANCE;
        b->m->joint_of[i] = rb_making_hold(b, i, hold_of(hold, frame_a, frame_b, &r));
        return RB_OK;
    }
    int rod = rb_making_object(b, i, 2);
    RbObjectJoint joint = rb_scene_joint("", RB_JOINT_UNIVERSAL, frame_a, rod, n1);
    joint.n2 = across;
    b->m->carried_by[i] = rb_making_joint(b, i, joint);
    hold.kind = RB_HOLD_TIP;
    RbObjectJoint tip = hold_of(hold, rod, frame_b, &r);
    tip.n = along;
    b->m->joint_of[i] = rb_making_hold(b, i, tip);
    return RB_OK;
}

// Balls at both ends; a mass is a point in the middle.
static RbStatus add_spherical_rod(SceneBuild *b, int i, RbHold hold) {
    RbReading r = reading_of(b, i);
    double m = rb_read_number(&r, "m", 0);
    int frame_a = rb_making_object(b, i, 0), frame_b = rb_making_object(b, i, 1);
    if (m < 0)
        return rb_fail(b->segment->diag, RB_ERROR_MODEL, rb_member(b->m, i)->at,
                       "m of the rod '%s' is %g kg; it must not be negative",
                       rb_member(b->m, i)->path, m);
    if (m > 0) b->m->carried_by[i] = add_point_between(b, i, m, 0.5);
    hold.kind = RB_HOLD_DISTANCE;
    b->m->joint_of[i] = rb_making_hold(b, i, hold_of(hold, frame_a, frame_b, &r));
    return RB_OK;
}

RbStatus rb_making_rod(SceneBuild *b, int i) {
    RbReading r = reading_of(b, i);
    const RbMember *member = rb_member(b->m, i);
    bool universal = rb_member_size(b->m, i, "n1_a") > 0;
    bool measured = rb_read_number(&r, "computeRodLength", 0) != 0;
    double length =
        universal ? v3_norm(rb_read_vector(&r, "rRod_ia")) : rb_read_number(&r, "rodLength", 0);
    if (!measured && !(length > 0))
        return rb_fail(b->segment->diag, RB_ERROR_MODEL, member->at,
                       "the length of the rod '%s' is %g m; it must be positive: give %s",
                       member->path, length, universal ? "rRod_ia" : "rodLength");
    RbHold hold = {.length = measured ? 0 : length, .measured = measured};
    return universal ? add_universal_rod(b, i, hold) : add_spherical_rod(b, i, hold);
}

// --- constraints ---------------------------------------------------------------------------------

void rb_making_constraint(SceneBuild *b, int i) {
    // ORDER turns of the classes in Rattleback.Joints.Constraints
    static const RbJointKind turns[] = {RB_JOINT_SPHERICAL, RB_JOINT_UNIVERSAL, RB_JOINT_REVOLUTE,
                                        RB_JOINT_PRISMATIC};
    RbReading r = reading_of(b, i);
    RbHold hold = {.kind = RB_HOLD_LOCKS,
                   .turns = turns[(int)rb_read_number(&r, "turns", 0) & 3],
                   .locked = {rb_read_number(&r, "x_locked", 1) != 0,
                              rb_read_number(&r, "y_locked", 1) != 0,
                              rb_read_number(&r, "z_locked", 1) != 0}};
    int frame_a = rb_making_object(b, i, 0), frame_b = rb_making_object(b, i, 1);
    RbObjectJoint j = hold_of(hold, frame_a, frame_b, &r);
    bool universal = hold.turns == RB_JOINT_UNIVERSAL;
    j.n = rb_read_vector(&r, universal ? "n_a" : "n");
    if (universal) j.n2 = rb_read_vector(&r, "n_b");
    b->m->joint_of[i] = rb_making_hold(b, i, j);
}

// --- wheels --------------------------------------------------------------------------------------

// Angles about z, y and x of the turned frame, one after the other.
static Quat q_from_zyx(Vec3 a) {
    Quat z = {cos(0.5 * a.x), 0, 0, sin(0.5 * a.x)}, y = {cos(0.5 * a.y), 0, sin(0.5 * a.y), 0},
         x = {cos(0.5 * a.z), sin(0.5 * a.z), 0, 0};
    return q_mul(q_mul(z, y), x);
}

// Angular velocity in the world at these angles and rates.
static Vec3 spin_of_zyx(Vec3 a, Vec3 rate) {
    Vec3 y = v3(-sin(a.x), cos(a.x), 0);
    Vec3 x = v3(cos(a.x) * cos(a.y), sin(a.x) * cos(a.y), -sin(a.y));
    return v3_add(v3(0, 0, rate.x), v3_add(v3_scale(rate.y, y), v3_scale(rate.z, x)));
}

// It stands on the ground and rolls, so nothing is left to be closed.
static RbStatus start_wheel(const SceneBuild *b, int i, double radius, RbObjectJoint *j) {
    RbReading r = reading_of(b, i);
    Vec3 angles = rb_read_vector(&r, "angles.start");
    Quat q = q_from_zyx(angles);
    Vec3 axis = q_rotate(q, v3(0, 1, 0)), up = v3(0, 0, 1), p = v3_axpy(up, -axis.z, axis);
    if (!(v3_norm(p) > 1e-6))
        return rb_fail(b->segment->diag, RB_ERROR_MODEL, rb_member(b->m, i)->at,
                       "the wheel '%s' lies flat on the ground at the start, where it cannot roll: "
                       "change angles.start",
                       rb_member(b->m, i)->path);
    Vec3 w = spin_of_zyx(angles, rb_read_vector(&r, "der_angles.start"));
    Vec3 to_ground = v3_scale(-radius, v3_unit(p));
    Vec3 place =
        v3(rb_read_number(&r, "x.start", 0), rb_read_number(&r, "y.start", 0), -to_ground.z);
    v3_store(j->q, place);
    q_store(j->q + 3, q);
    v3_store(j->v, v3_neg(v3_cross(w, to_ground)));
    v3_store(j->v + 3, w);
    return RB_OK;
}

static void weigh_wheel(SceneBuild *b, int i, int frame) {
    RbReading r = reading_of(b, i);
    double m = rb_read_number(&r, "m", 0), about = rb_read_number(&r, "I_axis", 0),
           across = rb_read_number(&r, "I_long", 0);
    if (rb_member_size(b->m, i, "m") == 0) return;
    const char *name = rb_arena_printf(b->m->arena, "%s.body", rb_member(b->m, i)->path);
    RbSceneObject o = {.object = rb_object(name, frame)};
    o.object.at = rb_member(b->m, i)->at;
    o.object.feature = RB_FEATURE_SOLID;
    o.object.has_mass = true;
    o.object.mass = (RbMassProperties){
        .mass = m, .I_CM = m3_from_columns(v3(across, 0, 0), v3(0, about, 0), v3(0, 0, across))};
    rb_making_new_object(b, o);
}

// The ground is the plane z = 0 of the world.
RbStatus rb_making_wheel(SceneBuild *b, int i) {
    RbReading r = reading_of(b, i);
    bool carries = rb_wheel_carries(rb_member(b->m, i));
    double radius = rb_read_number(&r, "radius", 0);
    if (!(radius > 0))
        return rb_fail(b->segment->diag, RB_ERROR_MODEL, rb_member(b->m, i)->at,
                       "the radius of the wheel '%s' is %g m; it must be positive",
                       rb_member(b->m, i)->path, radius);
    int frame = rb_making_object(b, i, 0);
    RbHold hold = {
        .kind = RB_HOLD_WHEEL,
        .length = radius,
        .locked = {true, rb_read_number(&r, "lateralSlidingConstraint", 1) != 0, carries}};
    if (carries) {
        RbObjectJoint joint = rb_scene_joint("", RB_JOINT_FREE, 0, frame, V3_ZERO);
        joint.can_collide = true;
        RB_TRY(start_wheel(b, i, radius, &joint));
        b->m->carried_by[i] = rb_making_joint(b, i, joint);
        weigh_wheel(b, i, frame);
    }
    RbObjectJoint j = hold_of(hold, 0, frame, &r);
    j.n2 = v3(0, 1, 0);
    j.can_collide = true;
    b->m->joint_of[i] = rb_making_hold(b, i, j);
    return RB_OK;
}

// --- lines with masses on them --------------------------------------------------------------------

bool rb_line_has_mass(const RbMember *line) {
    const RbValueSpec *values = rb_multibody_roles[ROLE_LINE].values;
    for (int k = 0; values[k].name; k++) {
        if (strcmp(values[k].name, "hasMass") == 0) return line->known[k] != 0;
    }
    return false;
}

// At a distance from one end: a stick on a ball there, that points to the other end.
static void add_stick(SceneBuild *b, int i, int end, double m, double distance) {
    RbReading r = reading_of(b, i);
    double size = distance != 0 ? distance : 1;
    int stick = add_mass(b, i, end ? "mass_b" : "mass_a", m, v3(distance, 0, 0),
                         v3(1e-2 * m * size * size, 0, 0));
    rb_making_joint(b, i,
                    rb_scene_joint(end ? "mass_b" : "mass_a", RB_JOINT_SPHERICAL,
                                   rb_making_object(b, i, end), stick, V3_ZERO));
    RbHold hold = {
        .kind = RB_HOLD_LOCKS, .turns = RB_JOINT_SPHERICAL, .locked = {false, true, true}};
    RbObjectJoint j = hold_of(hold, stick, rb_making_object(b, i, 1 - end), &r);
    j.n = v3(1, 0, 0);
    j.can_collide = true;
    j.name = end ? "mass_b" : "mass_a";
    b->m->joint_of[i] = rb_making_hold(b, i, j);
}

static RbStatus check_mass(const SceneBuild *b, int i, const char *name, double m) {
    if (m >= 0) return RB_OK;
    return rb_fail(b->segment->diag, RB_ERROR_MODEL, rb_member(b->m, i)->at,
                   "%s of '%s' is %g kg; it must not be negative", name, rb_member(b->m, i)->path,
                   m);
}

RbStatus rb_making_line(SceneBuild *b, int i) {
    RbReading r = reading_of(b, i);
    double m = rb_read_number(&r, "m", 0), share = rb_read_number(&r, "lengthFraction", 0.5);
    double masses[] = {rb_read_number(&r, "m_a", 0), rb_read_number(&r, "m_b", 0)};
    rb_making_object(b, i, 0);
    rb_making_object(b, i, 1);
    RB_TRY(check_mass(b, i, "m", m));
    RB_TRY(check_mass(b, i, "m_a", masses[0]));
    RB_TRY(check_mass(b, i, "m_b", masses[1]));
    if (!(share >= 0 && share <= 1))
        return rb_fail(b->segment->diag, RB_ERROR_MODEL, rb_member(b->m, i)->at,
                       "lengthFraction of '%s' is %g; it must be between 0 (at frame_a) and 1 (at "
                       "frame_b)",
                       rb_member(b->m, i)->path, share);
    if (m > 0) b->m->joint_of[i] = add_point_between(b, i, m, share);
    if (masses[0] > 0) add_stick(b, i, 0, masses[0], rb_read_number(&r, "L_a", 0));
    if (masses[1] > 0) add_stick(b, i, 1, masses[1], rb_read_number(&r, "L_b", 0));
    return RB_OK;
}

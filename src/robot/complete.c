// SPDX-License-Identifier: MIT
// What a description leaves open: inertias, stops, joints that move nothing.
#include <math.h>

#include "io/mesh_file.h"
#include "robot/robot.h"

// [rad/s] of what hangs on a joint in the spring of its stop
static const double stop_frequency = 200;

// ---- inertias

static RbMassProperties sum_of(RbMassProperties a, RbMassProperties b) {
    RbMassProperties s = {.mass = a.mass + b.mass};
    if (!(s.mass > 0)) return a;
    s.r_CM = v3_scale(1 / s.mass, v3_axpy(v3_scale(a.mass, a.r_CM), b.mass, b.r_CM));
    s.I_CM = m3_add(a.I_CM, b.I_CM);
    Vec3 d[2] = {v3_sub(a.r_CM, s.r_CM), v3_sub(b.r_CM, s.r_CM)};
    double m[2] = {a.mass, b.mass};
    for (int i = 0; i < 2; i++) {
        Mat3 x = m3_skew(d[i]);
        s.I_CM = m3_add(s.I_CM, m3_scale(-m[i], m3_mul(x, x)));
    }
    return s;
}

static RbMassProperties moved(RbMassProperties m, Pose X) {
    m.r_CM = pose_point(X, m.r_CM);
    m.I_CM = m3_rotate_tensor(X.R, m.I_CM);
    return m;
}

static RbStatus of_geom(const RbRobotGeom *g, RbArena *arena, RbArena scratch, RbDiag *diag,
                        RbMassProperties *out) {
    RbShape shape = g->shape;
    if (g->mesh) {
        RbMeshFileOptions options = rb_mesh_file_options();
        options.scale = g->scale;
        RB_TRY(rb_shape_from_file(g->mesh, options, g->name, g->from->at, arena, scratch, diag,
                                  &shape));
    }
    if (shape.kind == RB_SHAPE_HALFSPACE) return RB_OK;
    if (g->mass > 0)
        RB_TRY(rb_mass_from_mass(&shape, g->mass, g->name, g->from->at, diag, out));
    else if (g->density > 0)
        RB_TRY(rb_mass_from_density(&shape, g->density, g->name, g->from->at, diag, out));
    *out = moved(*out, g->pose);
    return RB_OK;
}

static bool has_collision(const RbRobot *robot, int body) {
    for (int i = 0; i < robot->geoms.count; i++)
        if (robot->geoms.data[i].body == body && robot->geoms.data[i].touches) return true;
    return false;
}

// From collision shapes, or from what is seen if there are none.
static RbStatus find_inertia(RbRobot *robot, int body, RbArena *arena, RbArena scratch,
                             RbDiag *diag) {
    RbRobotBody *b = &robot->bodies.data[body];
    bool touching = has_collision(robot, body);
    for (int i = 0; i < robot->geoms.count; i++) {
        const RbRobotGeom *g = &robot->geoms.data[i];
        RbMassProperties part = {0};
        if (g->body != body || (touching && !g->touches && !b->wants_shapes)) continue;
        RB_TRY(of_geom(g, arena, scratch, diag, &part));
        b->inertia = sum_of(b->inertia, part);
    }
    return RB_OK;
}

static RbStatus find_inertias(RbRobot *robot, RbArena *arena, RbArena scratch, RbDiag *diag) {
    for (int i = 0; i < robot->bodies.count; i++) {
        RbRobotBody *b = &robot->bodies.data[i];
        if (b->has_inertia || rb_robot_is_held(robot, i)) continue;
        RB_TRY(find_inertia(robot, i, arena, scratch, diag));
        if (b->inertia.mass > 0 && !b->wants_shapes) {
            rb_warn(diag, b->from->at,
                    "'%s' has no inertia; it gets that of its shapes, with the density of water: "
                    "%g kg",
                    b->name, b->inertia.mass);
            rb_xml_approximated(b->from, "no inertia: that of its shapes, 1000 kg/m3");
        }
    }
    return RB_OK;
}

// ---- what hangs on a joint

// All that hangs on a body, in its frame, joints at zero. Bodies stand behind their parents.
static RbMassProperties *subtrees(const RbRobot *robot, RbArena *arena) {
    RbMassProperties *all = rb_new_array(arena, RbMassProperties, robot->bodies.count);
    for (int i = 0; i < robot->bodies.count; i++) all[i] = robot->bodies.data[i].inertia;
    for (int i = robot->bodies.count - 1; i >= 0; i--) {
        const RbRobotBody *b = &robot->bodies.data[i];
        if (b->parent >= 0) all[b->parent] = sum_of(all[b->parent], moved(all[i], b->pose));
    }
    return all;
}

static double moved_by(const RbRobotJoint *j, RbMassProperties m) {
    if (j->kind == RB_ROBOT_SLIDE) return m.mass + j->armature;
    Vec3 arm = v3_cross(j->axis, v3_sub(m.r_CM, j->point));
    return v3_dot(j->axis, m3_mul_vec(m.I_CM, j->axis)) + m.mass * v3_norm2(arm) + j->armature;
}

// A stiffness that is chosen need not look exact.
static double two_digits(double value) {
    double unit = value > 0 ? pow(10, floor(log10(value)) - 1) : 1;
    return round(value / unit) * unit;
}

// A joint that moves no mass would have any acceleration.
static void hold_idle_joints(RbRobot *robot, const RbMassProperties *all, RbDiag *diag) {
    for (int i = 0; i < robot->joints.count; i++) {
        RbRobotJoint *j = &robot->joints.data[i];
        double inertia = moved_by(j, all[j->body]);
        j->stop = two_digits(inertia * stop_frequency * stop_frequency);
        j->held = !(inertia > 0);
        if (!j->held) continue;
        rb_warn(diag, j->from->at,
                "'%s' moves nothing that has a mass; it is held. Give '%s' an inertia or a shape",
                j->name, robot->bodies.data[j->body].name);
        rb_xml_approximated(j->from, "held, since it moves no mass");
    }
}

RbStatus rb_robot_complete(RbRobot *robot, RbArena *arena, RbArena scratch, RbDiag *diag) {
    RB_TRY(find_inertias(robot, arena, scratch, diag));
    hold_idle_joints(robot, subtrees(robot, arena), diag);
    return RB_OK;
}

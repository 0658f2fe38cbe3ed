// SPDX-License-Identifier: MIT
#include "rigid/sensor.h"

static Vec3 separation(const RbSensor *s, const RbKin *kin) {
    return v3_sub(rb_frame_pose(kin, s->object).r, rb_frame_pose(kin, s->origin).r);
}

RbSensorPositions rb_sensor_positions(const RbSensor *s, const RbKin *kin) {
    Pose object = rb_frame_pose(kin, s->object), origin = rb_frame_pose(kin, s->origin);
    Vec3 r = v3_sub(object.r, origin.r);
    return (RbSensorPositions){m3_tmul_vec(rb_frame_pose(kin, s->axes).R, r),
                               q_to_cardan(q_from_matrix(pose_relative(origin, object).R)),
                               v3_norm(r)};
}

// In a frame that turns with w the derivative of a vector r is dr/dt - w x r.
static Vec3 seen_velocity(const RbSensor *s, const RbKin *kin, Vec3 r) {
    Vec3 v = v3_sub(rb_frame_velocity(kin, s->object).v, rb_frame_velocity(kin, s->origin).v);
    return v3_sub(v, v3_cross(kin->bodies[s->observer.body].V.w, r));
}

RbSensorVelocities rb_sensor_velocities(const RbSensor *s, const RbKin *kin) {
    Mat3 R = rb_frame_pose(kin, s->axes).R;
    Vec3 r = separation(s, kin), v = seen_velocity(s, kin, r);
    Vec3 w = v3_sub(kin->bodies[s->object.body].V.w, kin->bodies[s->origin.body].V.w);
    return (RbSensorVelocities){m3_tmul_vec(R, v), m3_tmul_vec(R, w), v3_dot(v, v3_unit(r))};
}

// Twice: a' = a - z x r - w x (w x r) - 2 w x v', and z' = z_rel - w x w_rel. The distance L = |r|
// has L L'' = r.a' + v'.v' - L'L'.
RbSensorAccelerations rb_sensor_accelerations(const RbSensor *s, const RbKin *kin) {
    Mat3 R = rb_frame_pose(kin, s->axes).R;
    const RbBodyKin *observer = &kin->bodies[s->observer.body];
    Vec3 w = observer->V.w, r = separation(s, kin), v = seen_velocity(s, kin, r);
    Vec3 a =
        v3_sub(rb_frame_acceleration(kin, s->object).v, rb_frame_acceleration(kin, s->origin).v);
    a = v3_sub(a, v3_cross(observer->A.w, r));
    a = v3_sub(a, v3_cross(w, v3_axpy(v3_cross(w, r), 2, v)));

    const RbBodyKin *object = &kin->bodies[s->object.body], *origin = &kin->bodies[s->origin.body];
    Vec3 w_rel = v3_sub(object->V.w, origin->V.w), z_rel = v3_sub(object->A.w, origin->A.w);
    Vec3 z = v3_sub(z_rel, v3_cross(w, w_rel));

    double distance = v3_norm(r), rate = v3_dot(v, v3_unit(r));
    double second = distance > 0 ? (v3_dot(r, a) + v3_dot(v, v) - rate * rate) / distance : 0;
    return (RbSensorAccelerations){m3_tmul_vec(R, a), m3_tmul_vec(R, z), second};
}

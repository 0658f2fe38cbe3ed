// SPDX-License-Identifier: MIT
#include "rigid/force_world.h"

static RbFrameMotion motion_of(const RbKin *kin, RbFrame frame) {
    return (RbFrameMotion){rb_frame_pose(kin, frame), rb_frame_velocity(kin, frame)};
}

// What the law does to both is work from outside: it may be a motor.
static Wrench apply_law(const RbWorldForce *e, double t, const RbKin *kin, Wrench *forces,
                        RbLedger *ledger) {
    RbFrameMotion a = motion_of(kin, e->apply), b = motion_of(kin, e->axes);
    Wrench w = e->law(t, &a, &b, e->user);
    rb_force_add(kin, forces, e->apply.body, a.X.r, w.f, w.t);
    rb_force_add(kin, forces, e->axes.body, a.X.r, v3_neg(w.f), v3_neg(w.t));
    Motion there = {b.V.w, v3_add(b.V.v, v3_cross(b.V.w, v3_sub(a.X.r, b.X.r)))};
    ledger->input += wr_power(w, a.V) - wr_power(w, there);
    return w;
}

Wrench rb_force_world(const RbWorldForce *e, double t, const RbKin *kin, Wrench *forces,
                      RbLedger *ledger) {
    if (e->law) return apply_law(e, t, kin, forces, ledger);
    Mat3 R = rb_frame_pose(kin, e->axes).R;
    Vec3 f = e->force ? m3_mul_vec(R, e->force(t, e->user)) : V3_ZERO;
    Vec3 torque = e->torque ? m3_mul_vec(R, e->torque(t, e->user)) : V3_ZERO;
    rb_force_add(kin, forces, e->apply.body, rb_frame_pose(kin, e->apply).r, f, torque);
    Wrench applied = {torque, f};
    ledger->input += wr_power(applied, rb_frame_velocity(kin, e->apply));
    return applied;
}

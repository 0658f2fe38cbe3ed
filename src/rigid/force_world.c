// SPDX-License-Identifier: MIT
#include "rigid/force_world.h"

Wrench rb_force_world(const RbWorldForce *e, double t, const RbKin *kin, Wrench *forces,
                      RbLedger *ledger) {
    Mat3 R = rb_frame_pose(kin, e->axes).R;
    Vec3 f = e->force ? m3_mul_vec(R, e->force(t, e->user)) : V3_ZERO;
    Vec3 torque = e->torque ? m3_mul_vec(R, e->torque(t, e->user)) : V3_ZERO;
    rb_force_add(kin, forces, e->apply.body, rb_frame_pose(kin, e->apply).r, f, torque);
    Wrench applied = {torque, f};
    ledger->input += wr_power(applied, rb_frame_velocity(kin, e->apply));
    return applied;
}

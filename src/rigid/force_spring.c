// SPDX-License-Identifier: MIT
#include "rigid/force_spring.h"

RbSpringResult rb_force_spring(const RbSpring *e, const RbKin *kin, Wrench *forces,
                               RbLedger *ledger) {
    Vec3 ra = rb_frame_pose(kin, e->a).r, rb = rb_frame_pose(kin, e->b).r, line = v3_sub(rb, ra);
    Vec3 v = v3_sub(rb_frame_velocity(kin, e->b).v, rb_frame_velocity(kin, e->a).v);
    RbSpringResult out = {.length = v3_norm(line)};
    Vec3 n = v3_unit(line);
    double stretch = out.length - e->nominal_length;
    out.rate = v3_dot(v, n);
    double damping = rb_characteristic(&e->damper, out.rate);
    out.tension = e->nominal_force + rb_characteristic(&e->spring, stretch) + damping;
    out.force_W = v3_scale(-out.tension, n);
    rb_force_add(kin, forces, e->b.body, rb, out.force_W, V3_ZERO);
    rb_force_add(kin, forces, e->a.body, ra, v3_neg(out.force_W), V3_ZERO);
    ledger->potential +=
        e->nominal_force * stretch + rb_characteristic_integral(&e->spring, stretch);
    ledger->dissipated += damping * out.rate;
    return out;
}

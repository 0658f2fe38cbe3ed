// SPDX-License-Identifier: MIT
#include "rigid/force_contact.h"

static Motion velocity_at(const RbKin *kin, int body, Vec3 r_W) {
    const RbBodyKin *b = &kin->bodies[body];
    return mo_shift(b->V, v3_sub(r_W, b->X.r));
}

RbContactMotion rb_contact_motion(const RbKin *kin, const RbContactPoint *p) {
    Motion one = velocity_at(kin, p->body_1, p->r_W), two = velocity_at(kin, p->body_2, p->r_W);
    Vec3 v = v3_sub(two.v, one.v);
    double parting = v3_dot(v, p->n_W);
    return (RbContactMotion){.n_W = p->n_W,
                             .depth = p->depth,
                             .depth_rate = -parting,
                             .slip_W = v3_axpy(v, -parting, p->n_W),
                             .spin_W = v3_sub(two.w, one.w)};
}

RbContactResult rb_force_contact(const RbContactLaw *law, const RbKin *kin, const RbContactPoint *p,
                                 const Vec3 *bristle_W, Wrench *forces) {
    RbContactResult out = {.motion = rb_contact_motion(kin, p)};
    if (bristle_W) out.motion.bristle_W = *bristle_W;
    out.force = rb_contact_force(law, &out.motion);
    out.force_W = v3_axpy(out.force.friction_W, out.force.normal, p->n_W);
    rb_force_add(kin, forces, p->body_2, p->r_W, out.force_W, out.force.torque_W);
    rb_force_add(kin, forces, p->body_1, p->r_W, v3_neg(out.force_W), v3_neg(out.force.torque_W));
    return out;
}

Vec3 rb_force_contact_bristle_rate(const RbContactLaw *law, const RbKin *kin,
                                   const RbContactPoint *p, Vec3 bristle_W) {
    RbContactMotion motion = rb_contact_motion(kin, p);
    motion.bristle_W = bristle_W;
    Vec3 mean = v3_scale(0.5, v3_add(kin->bodies[p->body_1].V.w, kin->bodies[p->body_2].V.w));
    return rb_contact_bristle_rate(law, &motion, mean);
}

// SPDX-License-Identifier: MIT
#include "rigid/force_gravity.h"

RbGravity rb_gravity_uniform(double g, Vec3 n) {
    return (RbGravity){.kind = RB_GRAVITY_UNIFORM, .g = v3_scale(g, v3_unit(n))};
}

RbGravity rb_gravity_point(double mue) {
    return (RbGravity){.kind = RB_GRAVITY_POINT, .mue = mue};
}

Vec3 rb_gravity_field(const RbGravity *gravity, Vec3 r) {
    if (gravity->kind == RB_GRAVITY_UNIFORM) return gravity->g;
    double distance = v3_norm(r);
    if (gravity->kind == RB_GRAVITY_NONE || !(distance > 0)) return V3_ZERO;
    return v3_scale(-gravity->mue / (distance * distance), v3_scale(1 / distance, r));
}

double rb_gravity_potential(const RbGravity *gravity, Vec3 r) {
    if (gravity->kind == RB_GRAVITY_UNIFORM) return -v3_dot(gravity->g, r);
    double distance = v3_norm(r);
    if (gravity->kind == RB_GRAVITY_NONE || !(distance > 0)) return 0;
    return -gravity->mue / distance;
}

void rb_force_gravity_in(const RbGravity *gravity, RbSpan span, const RbKin *kin, Wrench *forces,
                         RbLedger *ledger) {
    if (gravity->kind == RB_GRAVITY_NONE) return;
    for (int i = span.first; i < span.end; i++) {
        RigidInertia I = kin->bodies[i].I;
        if (!(I.m > 0)) continue;
        Vec3 centre = v3_add(kin->bodies[i].X.r, ri_com(I));
        Vec3 g = rb_gravity_field(gravity, centre);
        forces[i] = wr_add(forces[i], (Wrench){v3_cross(I.h, g), v3_scale(I.m, g)});
        ledger->potential += I.m * rb_gravity_potential(gravity, centre);
    }
}

// SPDX-License-Identifier: MIT
#include "rigid/force_gravity.h"

#include <math.h>

RbGravity rb_gravity_uniform(double g, Vec3 n) {
    return (RbGravity){.kind = RB_GRAVITY_UNIFORM, .g = v3_scale(g, v3_unit(n))};
}

RbGravity rb_gravity_point(double mue) {
    return (RbGravity){.kind = RB_GRAVITY_POINT, .mue = mue};
}

Vec3 rb_gravity_field(const RbGravity *gravity, Vec3 r) {
    if (gravity->kind == RB_GRAVITY_UNIFORM) return gravity->g;
    if (gravity->kind == RB_GRAVITY_FUNCTION) return gravity->function(gravity->user, r);
    double distance = v3_norm(r);
    if (gravity->kind == RB_GRAVITY_NONE || !(distance > 0)) return V3_ZERO;
    return v3_scale(-gravity->mue / (distance * distance), v3_scale(1 / distance, r));
}

double rb_gravity_potential(const RbGravity *gravity, Vec3 r) {
    if (gravity->kind == RB_GRAVITY_UNIFORM) return -v3_dot(gravity->g, r);
    double distance = v3_norm(r);
    if (gravity->kind != RB_GRAVITY_POINT || !(distance > 0)) return 0;
    return -gravity->mue / distance;
}

// -mu r/|r|³ varied; a function by central differences, over a way that suits the place.
Vec3 rb_gravity_slope(const RbGravity *gravity, Vec3 r, Vec3 along) {
    double distance = v3_norm(r), length = v3_norm(along);
    if (!rb_gravity_varies(gravity) || !(length > 0)) return V3_ZERO;
    if (gravity->kind == RB_GRAVITY_FUNCTION) {
        double h = 1e-5 * fmax(1, distance) / length;
        Vec3 ahead = gravity->function(gravity->user, v3_axpy(r, h, along)),
             behind = gravity->function(gravity->user, v3_axpy(r, -h, along));
        return v3_scale(0.5 / h, v3_sub(ahead, behind));
    }
    if (!(distance > 0)) return V3_ZERO;
    Vec3 n = v3_scale(1 / distance, r);
    return v3_scale(-gravity->mue / (distance * distance * distance),
                    v3_axpy(along, -3 * v3_dot(n, along), n));
}

// The weight of a part at `com` from the origin of its body, in the axes of the world.
static Vec3 weigh(const RbGravity *gravity, double m, Vec3 com, const RbBodyKin *b,
                  RbLedger *ledger) {
    Vec3 centre = v3_add(b->X.r, com), g = rb_gravity_field(gravity, centre);
    ledger->potential += m * rb_gravity_potential(gravity, centre);
    if (gravity->kind == RB_GRAVITY_FUNCTION)
        ledger->input += m * v3_dot(g, v3_add(b->V.v, v3_cross(b->V.w, com)));
    return g;
}

void rb_force_gravity_in(const RbGravity *gravity, RbSpan span, const RbKin *kin, Wrench *forces,
                         RbLedger *ledger) {
    if (gravity->kind == RB_GRAVITY_NONE) return;
    for (int i = span.first; i < span.end; i++) {
        const RbBodyKin *b = &kin->bodies[i];
        const RbGravityPart *parts;
        int count = rb_gravity_parts(gravity, i, &parts);
        for (int k = 0; k < count; k++) {
            Vec3 com = m3_mul_vec(b->X.R, parts[k].r_CM);
            Vec3 f = v3_scale(parts[k].m, weigh(gravity, parts[k].m, com, b, ledger));
            forces[i] = wr_add(forces[i], (Wrench){v3_cross(com, f), f});
        }
        if (count > 0 || !(b->I.m > 0)) continue;
        Vec3 g = weigh(gravity, b->I.m, ri_com(b->I), b, ledger);
        forces[i] = wr_add(forces[i], (Wrench){v3_cross(b->I.h, g), v3_scale(b->I.m, g)});
    }
}

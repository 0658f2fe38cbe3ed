// SPDX-License-Identifier: MIT
#include "rigid/force_bushing.h"

// Law along one axis. The torques of three angles at once have no potential (see the theory page):
// what springs do beyond the stored energy is booked as input, of either sign, which keeps the
// balance exact.
typedef struct Axis {
    double value;   // force or torque
    double damping; // its part that depends on the rate
    double energy;
} Axis;

static Axis along(double nominal, const RbCharacteristic *spring, const RbCharacteristic *damper,
                  double x, double rate) {
    Axis axis = {.damping = rb_characteristic(damper, rate),
                 .energy = nominal * x + rb_characteristic_integral(spring, x)};
    axis.value = nominal + rb_characteristic(spring, x) + axis.damping;
    return axis;
}

// `rate` is what the dampers get, which for small angles is the angular velocity.
static Vec3 three(Vec3 nominal, const RbCharacteristic *spring, const RbCharacteristic *damper,
                  Vec3 x, Vec3 rate, double *energy, Vec3 *damping) {
    double value[3], damped[3];
    for (int i = 0; i < 3; i++) {
        Axis axis =
            along(v3_get(nominal, i), &spring[i], &damper[i], v3_get(x, i), v3_get(rate, i));
        value[i] = axis.value;
        damped[i] = axis.damping;
        *energy += axis.energy;
    }
    *damping = v3_load(damped);
    return v3_load(value);
}

// Small angles: R_ab is nearly 1 + skew(angles). dR_ab/dt = skew(w) R_ab gives their exact
// derivatives.
static Vec3 small_angles(Mat3 R, Vec3 w, Vec3 *moving) {
    *moving = v3(w.x * R.y.y - w.y * R.x.y, w.y * R.z.z - w.z * R.y.z, w.z * R.x.x - w.x * R.z.x);
    return v3(R.z.y, R.x.z, R.y.x);
}

// Cardan angles; their derivatives from w = al' x + be' (Rx y) + ga' (Rx Ry z).
static Vec3 cardan_angles(Mat3 R, Vec3 w, Vec3 *moving) {
    Vec3 angles = q_to_cardan(q_from_matrix(R));
    double sa = sin(angles.x), ca = cos(angles.x), sb = sin(angles.y), cb = cos(angles.y);
    *moving =
        v3(w.x + (sa * w.y - ca * w.z) * sb / cb, ca * w.y + sa * w.z, (-sa * w.y + ca * w.z) / cb);
    return angles;
}

// Moments about the three axes of the Cardan angles, as one vector: M1 x + M2 (Rx y) + M3 (Rx Ry
// z).
static Vec3 cardan_torque(Vec3 angles, Vec3 M) {
    double sa = sin(angles.x), ca = cos(angles.x), sb = sin(angles.y), cb = cos(angles.y);
    return v3(M.x + sb * M.z, ca * M.y - sa * cb * M.z, sa * M.y + ca * cb * M.z);
}

static Vec3 torque_of(const RbBushing *e, Vec3 angles, Vec3 M) {
    return e->large_angles ? cardan_torque(angles, M) : M;
}

// Force and torque of a law that is a function.
static Vec3 ask(const RbBushing *e, const RbBushingResult *at, Vec3 *torque) {
    double state[12];
    v3_store(state, at->r);
    v3_store(state + 3, at->v);
    v3_store(state + 6, at->angles);
    v3_store(state + 9, at->angle_rates);
    *torque = e->law(e->torque_user, state);
    return e->law(e->force_user, state);
}

RbBushingResult rb_force_bushing(const RbBushing *e, const RbKin *kin, Wrench *forces,
                                 RbLedger *ledger) {
    Pose Xa = rb_frame_pose(kin, e->a), Xb = rb_frame_pose(kin, e->b), Xab = pose_relative(Xa, Xb);
    Motion Va = rb_frame_velocity(kin, e->a), Vb = rb_frame_velocity(kin, e->b);
    Vec3 line = v3_sub(Xb.r, Xa.r);
    Vec3 v_W = v3_sub(v3_sub(Vb.v, Va.v), v3_cross(Va.w, line)),
         w = m3_tmul_vec(Xa.R, v3_sub(Vb.w, Va.w));
    RbBushingResult out = {.r = Xab.r, .v = m3_tmul_vec(Xa.R, v_W)};
    Vec3 moving;
    out.angles =
        e->large_angles ? cardan_angles(Xab.R, w, &moving) : small_angles(Xab.R, w, &moving);
    out.angle_rates = e->large_angles ? moving : w;

    double energy = 0;
    Vec3 M, damping = V3_ZERO, M_damping = V3_ZERO;
    if (e->law)
        out.force = ask(e, &out, &M);
    else {
        out.force = three(e->nominal_force, e->spring, e->damper, out.r, out.v, &energy, &damping);
        M = three(e->nominal_torque, e->angular_spring, e->angular_damper, out.angles,
                  out.angle_rates, &energy, &M_damping);
    }
    out.torque = torque_of(e, out.angles, M);
    Vec3 f_W = m3_mul_vec(Xa.R, out.force), t_W = m3_mul_vec(Xa.R, out.torque);
    rb_force_add(kin, forces, e->b.body, Xb.r, v3_neg(f_W), v3_neg(t_W));
    rb_force_add(kin, forces, e->a.body, Xb.r, f_W, t_W); // at the same point: no net torque
    ledger->potential += energy;
    if (e->law) {
        ledger->input -= v3_dot(out.force, out.v) + v3_dot(out.torque, w);
    } else {
        Vec3 elastic = v3_sub(M, M_damping);
        ledger->dissipated +=
            v3_dot(damping, out.v) + v3_dot(torque_of(e, out.angles, M_damping), w);
        ledger->input += v3_dot(elastic, moving) - v3_dot(torque_of(e, out.angles, elastic), w);
    }
    return out;
}

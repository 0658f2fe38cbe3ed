// SPDX-License-Identifier: MIT
#include "contact/slopes.h"

#include "math/regular.h"

// ---- normal direction: K δⁿ times a factor, or K δⁿ + D δ'; zero or constant slopes where a limit
// acts

// A function that is smooth for a depth above zero, by central differences.
static void slopes_of_function(const RbContactLaw *law, const RbContactMotion *m,
                               RbContactSlopes *out) {
    const double part = 1e-6, slow = 1e-3; // [m/s]
    RbPress p = {m->depth, m->depth_rate, law->radius, law->modulus, law->mass}, less = p, more = p;
    double depth = part * m->depth, rate = part * (fabs(m->depth_rate) + slow);
    more.depth += depth, less.depth -= depth;
    out->normal_depth = 0.5 / depth *
                        (law->pair.normal_force(&more, law->pair.user) -
                         law->pair.normal_force(&less, law->pair.user));
    more = less = p;
    more.depth_rate += rate, less.depth_rate -= rate;
    out->normal_rate = 0.5 / rate *
                       (law->pair.normal_force(&more, law->pair.user) -
                        law->pair.normal_force(&less, law->pair.user));
}

static void normal_slopes(const RbContactLaw *law, const RbContactMotion *m, RbContactSlopes *out) {
    if (law->pair.normal == RB_NORMAL_FUNCTION) {
        slopes_of_function(law, m, out);
        return;
    }
    double n = law->exponent, slope = law->stiffness * n * pow(m->depth, n - 1);
    double elastic = law->stiffness * pow(m->depth, n);
    if (law->pair.normal == RB_NORMAL_SPRING_DAMPER) {
        double damping = law->damping * m->depth_rate;
        bool limited = fabs(damping) > elastic;
        out->normal_depth = limited ? slope * (damping > 0 ? 2 : 0) : slope;
        out->normal_rate = limited ? 0 : law->damping;
    } else if (law->pair.damping == RB_DAMPING_FLORES) {
        out->normal_depth = slope * (1 + law->damping * m->depth_rate);
        out->normal_rate = elastic * law->damping;
    } else if (law->dissipation.a > 0) {
        double by[2], energy = elastic * m->depth / (n + 1);
        double factor = rb_contact_damping_factor(law, m->depth_rate, energy, by);
        out->normal_depth = slope * factor + elastic * by[1] * elastic; // dU = K δⁿ dδ
        out->normal_rate = elastic * by[0];
    } else {
        out->normal_depth = slope;
    }
}

// ---- vectors of the form -N c(|v|) v: derivative -N (c 1 + c'/|v| v vT)

static Mat3 along_and_across(double N, double c, double c_slope_over_speed, Vec3 v) {
    Mat3 outer = m3_scale(c_slope_over_speed, m3_outer(v, v));
    return m3_scale(-N, m3_add(m3_diagonal(v3(c, c, c)), outer));
}

// c = mu/reg(s) and c'/s; reg' / s = (2 - s/m)/m below the threshold has no singularity.
static Mat3 regularised(double N, double mu, double threshold, Vec3 v) {
    double s = v3_norm(v), reg = rb_regular(s, threshold);
    double reg_slope_over_s = s >= threshold ? 1 / s : (2 - s / threshold) / threshold;
    return along_and_across(N, mu / reg, -mu * reg_slope_over_s / (reg * reg), v);
}

static bool at_limit(const RbPairLaw *p, double N, double speed) {
    return p->friction == RB_FRICTION_STATIC &&
           rb_friction_coefficient(p, speed) * N > p->max_friction;
}

// Force per normal force and speed, with the limit of the static law.
static double ratio(const RbPairLaw *p, double N, double speed) {
    double mu = at_limit(p, N, speed) ? p->max_friction / N : rb_friction_coefficient(p, speed);
    return mu / speed;
}

// Static law and curve: c(s) by a central difference of a smooth function of one variable.
static Mat3 by_difference(const RbPairLaw *p, double N, Vec3 v) {
    double s = v3_norm(v), h = 1e-5 * s;
    if (!(s > 0)) { // static: linear at rest; curve: flat
        double tiny = 1e-9 * p->v_small, c = ratio(p, N, tiny);
        return along_and_across(N, c, 0, v);
    }
    double slope = (ratio(p, N, s + h) - ratio(p, N, s - h)) / (2 * h);
    return along_and_across(N, ratio(p, N, s), slope / s, v);
}

// The bristle's force has several cases; its two matrices by central differences along the
// coordinate axes.
static void bristle_slopes(const RbContactLaw *law, const RbContactMotion *m,
                           RbContactSlopes *out) {
    double h_slip = 1e-7 * fmax(v3_norm(m->slip_W),
                                law->pair.bristle_length / fmax(law->pair.bristle_time, 1e-6));
    double h_bristle = 1e-6 * law->pair.bristle_length;
    Vec3 slip[3], bristle[3];
    for (int i = 0; i < 3; i++) {
        RbContactMotion a = *m, b = *m;
        a.slip_W = v3_axpy(m->slip_W, -h_slip, v3_axis(i));
        b.slip_W = v3_axpy(m->slip_W, h_slip, v3_axis(i));
        Vec3 change =
            v3_sub(rb_contact_force(law, &b).friction_W, rb_contact_force(law, &a).friction_W);
        slip[i] = v3_scale(0.5 / h_slip, change);
        a = b = *m;
        a.bristle_W = v3_axpy(m->bristle_W, -h_bristle, v3_axis(i));
        b.bristle_W = v3_axpy(m->bristle_W, h_bristle, v3_axis(i));
        change = v3_sub(rb_contact_force(law, &b).friction_W, rb_contact_force(law, &a).friction_W);
        bristle[i] = v3_scale(0.5 / h_bristle, change);
    }
    out->friction_slip = m3_from_columns(slip[0], slip[1], slip[2]);
    out->friction_bristle = m3_from_columns(bristle[0], bristle[1], bristle[2]);
}

// T = -mu N rho w/reg(W), W = |(w, v/rho)|, rho as the root of the depth.
static void twist_slopes(const RbContactLaw *law, const RbContactMotion *m, double N,
                         RbContactSlopes *out) {
    double rho = rb_contact_point_twist(law, m), least = law->pair.w_small;
    if (!(rho > 0)) return;
    double full = law->pair.mu_k * N * rho, spin = v3_dot(m->n_W, m->spin_W);
    double slip = v3_norm(m->slip_W) / rho, all = sqrt(spin * spin + slip * slip);
    double reg = rb_regular(all, least);
    double slope = all >= least ? 1 / all : (2 - all / least) / least; // reg'/W
    double by_all = full * spin * slope / (reg * reg);                 // dT/dW over W
    out->twist = -full * spin / reg;
    out->twist_spin = by_all * spin - full / reg;
    out->twist_slip = v3_scale(by_all / (rho * rho), m->slip_W);
    out->twist_depth = 0.5 / m->depth * (out->twist - by_all * slip * slip);
}

RbContactSlopes rb_contact_slopes(const RbContactLaw *law, const RbContactMotion *m) {
    RbContactSlopes out = {0};
    RbContactForce f = rb_contact_force(law, m);
    const RbPairLaw *p = &law->pair;
    if (p->normal == RB_NORMAL_USER || !(f.normal > 0)) return out;
    normal_slopes(law, m, &out);
    bool limited = at_limit(p, f.normal, v3_norm(m->slip_W));
    if (!limited) out.friction_normal = v3_scale(1 / f.normal, f.friction_W);
    out.torque_normal = v3_scale(1 / f.normal, f.torque_W);
    out.torque_spin = regularised(f.normal, p->mu_r * law->radius, p->w_small, m->spin_W);
    twist_slopes(law, m, f.normal, &out);
    if (p->friction == RB_FRICTION_SLIDING) {
        out.friction_slip = regularised(f.normal, p->mu_k, p->v_small, m->slip_W);
    } else if (p->friction == RB_FRICTION_BRISTLE) {
        bristle_slopes(law, m, &out);
    } else {
        out.friction_slip = by_difference(p, f.normal, m->slip_W);
    }
    return out;
}

// SPDX-License-Identifier: MIT
#include "contact/kick.h"

#include <math.h>

#include "math/regular.h"

bool rb_law_kicks(const RbContactMaterial *m) {
    const RbPairLaw *p = &m->law;
    if (p->response == RB_RESPONSE_NONE) return true;
    bool slides = p->friction == RB_FRICTION_AUTO || p->friction == RB_FRICTION_SLIDING;
    return p->response == RB_RESPONSE_ELASTIC && p->normal == RB_NORMAL_HERTZ &&
           p->damping != RB_DAMPING_FLORES && m->dissipation.b == 0 && slides;
}

static double elastic_force(const RbContactLaw *law, double depth) {
    return law->stiffness * depth * sqrt(depth);
}

// ---- along the normal

// Mean pressure: that at the rate in the middle of the kick, by Newton's method.
static double pressure(const RbContactLaw *law, const RbKickMotion *k, double *middle) {
    enum { TRIES = 6 };
    double depth = k->motion.depth, rate = k->motion.depth_rate;
    double elastic = elastic_force(law, depth), energy = 0.4 * elastic * depth;
    double half = 0.5 * k->duration * k->by_normal * elastic; // [m/s]
    double r = rate - half, factor = 1, slopes[2];
    for (int i = 0; law->dissipation.a > 0 && i < TRIES; i++) {
        factor = rb_contact_damping_factor(law, r, energy, slopes);
        double slope = fmax(0, slopes[0]), miss = r - rate + half * factor;
        double change = -miss / (1 + half * slope);
        r += change;
        factor = fmax(0, factor + slope * change);
        if (fabs(miss) <= 1e-5 * half) break; // what is left is its square
    }
    *middle = r;
    return elastic * factor;
}

// ---- what decays

double rb_kick_part_lost(double s, double fall, double small) {
    if (s > small && fall <= s - small) return fall / s;
    double from = fmin(s, small), decay = fall - (s - from);
    double first = from * exp(-decay / rb_regular(from, small));
    double lost = -expm1(-decay / rb_regular(0.5 * (from + first), small));
    return s > small ? 1 - small / s * (1 - lost) : lost;
}

// The impulse of a torque that takes this part of a spin, and the energy it takes.
static Vec3 brake(Vec3 *spin, double lost, double by_spin, double *taken) {
    Vec3 impulse = v3_scale(-lost / by_spin, *spin);
    *taken += 0.5 * v3_norm2(*spin) * lost * (2 - lost) / by_spin;
    *spin = v3_scale(1 - lost, *spin);
    return impulse;
}

static Vec3 roll(const RbContactLaw *law, const RbKickMotion *k, double push, Vec3 *spin,
                 double *taken) {
    double speed = v3_norm(*spin);
    if (!(law->pair.mu_r > 0 && speed > 0)) return V3_ZERO;
    double fall = law->pair.mu_r * law->radius * push * k->by_spin;
    return brake(spin, rb_kick_part_lost(speed, fall, law->pair.w_small), k->by_spin, taken);
}

// Twisting, which sliding takes away.
static Vec3 twist(const RbContactLaw *law, const RbKickMotion *k, double push, double slip,
                  Vec3 *spin, double *taken) {
    double arm = rb_contact_point_twist(law, &k->motion), about = v3_dot(k->motion.n_W, *spin);
    if (!(arm > 0) || about == 0) return V3_ZERO;
    double fall = law->pair.mu_k * push * arm * k->by_spin, slide = slip / arm, lost = 0;
    for (int i = 0; i < 2; i++) { // by the spin in the middle
        double middle = (1 - 0.5 * lost) * about, all = sqrt(middle * middle + slide * slide);
        lost = -expm1(-fall / rb_regular(all, law->pair.w_small));
    }
    Vec3 turning = v3_scale(about, k->motion.n_W), rest = v3_sub(*spin, turning);
    Vec3 impulse = brake(&turning, lost, k->by_spin, taken);
    *spin = v3_add(rest, turning);
    return impulse;
}

// ---- all of it

RbKick rb_kick(const RbContactLaw *law, const RbKickMotion *k) {
    const RbContactMotion *m = &k->motion;
    RbKick out = {0};
    double middle, N = pressure(law, k, &middle), push = N * k->duration; // [N s]
    if (!(k->duration > 0)) return out;
    out.damping = (N - elastic_force(law, m->depth)) * middle * k->duration;
    out.force_W = v3_scale(N, m->n_W);
    Vec3 spin = m->spin_W;
    Vec3 turned = roll(law, k, 0.5 * push, &spin, &out.rolling);
    double slip = v3_norm(m->slip_W), lost = 0;
    if (slip > 0 && law->pair.mu_k > 0) {
        lost = rb_kick_part_lost(slip, law->pair.mu_k * push * k->by_slip, law->pair.v_small);
        double impulse = lost / k->by_slip;
        out.force_W = v3_axpy(out.force_W, -impulse / k->duration, m->slip_W);
        out.friction = 0.5 * slip * slip * lost * (2 - lost) / k->by_slip;
    }
    turned = v3_add(turned, twist(law, k, push, (1 - 0.5 * lost) * slip, &spin, &out.friction));
    turned = v3_add(turned, roll(law, k, 0.5 * push, &spin, &out.rolling));
    out.torque_W = v3_scale(1 / k->duration, turned);
    return out;
}

RbKickRates rb_kick_rates(const RbContactLaw *law, const RbKickMotion *k) {
    double N = elastic_force(law, k->motion.depth);
    double blow = sqrt(k->motion.depth_rate * k->motion.depth_rate +
                       0.8 * N * k->motion.depth * k->by_normal);
    double slip = v3_norm(k->motion.slip_W);
    return (RbKickRates){.slip =
                             law->pair.mu_k * N * k->by_slip / rb_regular(slip, law->pair.v_small),
                         .normal = (law->dissipation.a + law->dissipation.rise) * N * k->by_normal /
                                   fmax(blow, 1e-300)};
}

// x^(1/5) to half a per cent, which is enough for a plan: a fifth of the exponent, and a line for the rest.
static double fifth_root(double x) {
    static const double powers[] = {1, 1.1486983549970351, 1.3195079107728942, 1.5157165665103982,
                                    1.7411011265922482}; // of two by fifths
    int exponent;
    double part = frexp(x, &exponent); // from 0.5 to 1
    int whole = (exponent + 5000) / 5 - 1000;
    return ldexp((0.7445 + 0.2601 * part) * powers[exponent - 5 * whole], whole);
}

// E = m v²/2 is 2/5 K d^(5/2) at the greatest depth d; the frequency is that of the slope 3/2 K sqrt(d).
double rb_kick_frequency(const RbContactLaw *law, double depth, double rate, double *speed) {
    double by_mass = 1 / law->mass;
    double stored = depth > 0 ? 0.4 * elastic_force(law, depth) * depth : 0;
    double energy = 0.5 * law->mass * rate * rate + stored;
    *speed = sqrt(2 * energy * by_mass);
    return sqrt(1.5 * law->stiffness * by_mass * fifth_root(2.5 * energy / law->stiffness));
}

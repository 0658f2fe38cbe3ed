// SPDX-License-Identifier: MIT
#include "contact/law.h"

#include "math/regular.h"

RbPairLaw rb_pair_law_default(void) {
    return (RbPairLaw){.friction = RB_FRICTION_AUTO,
                       .restitution = 1,
                       .twist = 1,
                       .v_small = 0.01,
                       .w_small = 0.01,
                       .v_static = 0.01,
                       .exponent = 1.5,
                       .max_friction = (double)INFINITY,
                       .bristle_length = 1e-5,
                       .bristle_time = 1e-3};
}

double rb_contact_modulus(RbElastic a, RbElastic b) {
    return 1 / ((1 - a.poissons_ratio * a.poissons_ratio) / a.youngs_modulus +
                (1 - b.poissons_ratio * b.poissons_ratio) / b.youngs_modulus);
}

RbContactMaterial rb_contact_material(const RbPairLaw *law, RbElastic solid_1, RbElastic solid_2) {
    return (RbContactMaterial){*law, solid_1, solid_2,
                               rb_restitution_dissipation(law->restitution, law->v_small)};
}

RbContactLaw rb_contact_law(const RbContactMaterial *material, double R_geo,
                            const RbContactScene *scene, RbBlow blow) {
    const RbPairLaw *pair = &material->law;
    RbContactLaw law = {.pair = *pair, .radius = R_geo, .mass = blow.mass};
    if (pair->friction == RB_FRICTION_AUTO) law.pair.friction = RB_FRICTION_SLIDING;
    if (pair->normal == RB_NORMAL_SPRING_DAMPER) {
        law.stiffness = scene->reduction * pair->stiffness;
        law.exponent = pair->exponent;
        law.damping = scene->reduction * pair->damper;
    } else {
        law.modulus =
            scene->reduction * rb_contact_modulus(material->elastic_1, material->elastic_2);
        law.stiffness = (4.0 / 3) * law.modulus * sqrt(R_geo);
        law.exponent = 1.5;
        law.twist = pair->twist * 0.58904862254808623; // 3 pi/16: mean radius of Hertz's pressure
        if (blow.mass > 0) law.dissipation = material->dissipation;
        if (pair->damping == RB_DAMPING_FLORES)
            law.damping = rb_restitution_flores(pair->restitution, blow.speed, pair->v_small,
                                                scene->max_damping);
    }
    return law;
}

// ---- normal direction

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

double rb_contact_damping_factor(const RbContactLaw *law, double rate, double energy,
                                 double slopes[2]) {
    double v = sqrt(rate * rate + 2 * energy / law->mass);
    double factor = rb_dissipation_factor(&law->dissipation, rate, v, slopes);
    if (slopes && v > 0) { // v dv = δ' dδ' + dU/m
        slopes[0] += slopes[1] * rate / v;
        slopes[1] /= law->mass * v;
    }
    return factor;
}

static double force_of_function(const RbContactLaw *law, double depth, double rate) {
    RbPress p = {depth, rate, law->radius, law->modulus, law->mass};
    double force = depth > 0 ? law->pair.normal_force(&p, law->pair.user) : 0;
    return force < 0 ? 0 : force; // what is no number stays so
}

double rb_contact_elastic(const RbContactLaw *law, const RbContactMotion *m) {
    if (!(m->depth > 0)) return 0;
    if (law->pair.normal == RB_NORMAL_FUNCTION) return force_of_function(law, m->depth, 0);
    double power = law->exponent == 1.5 ? m->depth * sqrt(m->depth) : pow(m->depth, law->exponent);
    return law->stiffness * power;
}

// Its integral over the depth, as that over u with depth δ u²: exact for powers of half an integer up to
// 4, by five points of Gauss and Legendre.
static double energy_of_function(const RbContactLaw *law, double depth) {
    static const double at[5] = {0.046910077030668004, 0.23076534494715845, 0.5,
                                 0.76923465505284155, 0.95308992296933200},
                        weight[5] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                     0.23931433524968324, 0.11846344252809454};
    double sum = 0;
    for (int i = 0; i < 5; i++)
        sum += weight[i] * 2 * at[i] * force_of_function(law, depth * at[i] * at[i], 0);
    return depth * sum;
}

static void press_by_function(const RbContactLaw *law, const RbContactMotion *m,
                              RbContactForce *out) {
    double elastic = rb_contact_elastic(law, m);
    out->elastic_energy = energy_of_function(law, m->depth);
    out->normal = force_of_function(law, m->depth, m->depth_rate);
    out->damping_power = (out->normal - elastic) * m->depth_rate;
}

// The elastic part has a potential; all the rest of the force is dissipation, also where the force
// is cut off at zero.
static void press(const RbContactLaw *law, const RbContactMotion *m, RbContactForce *out) {
    if (!(m->depth > 0)) return;
    double elastic = rb_contact_elastic(law, m);
    out->elastic_energy = elastic * m->depth / (law->exponent + 1);
    if (law->pair.normal == RB_NORMAL_SPRING_DAMPER) {
        out->normal = elastic + clamp(law->damping * m->depth_rate, -elastic, elastic);
    } else if (law->pair.damping == RB_DAMPING_FLORES) {
        out->normal = fmax(0, elastic * (1 + law->damping * m->depth_rate));
    } else if (law->dissipation.a > 0) {
        out->normal =
            elastic * rb_contact_damping_factor(law, m->depth_rate, out->elastic_energy, NULL);
    } else {
        out->normal = elastic;
    }
    out->damping_power = (out->normal - elastic) * m->depth_rate;
}

// ---- friction

// 1 below 0, 0 above 1, smooth in between.
static double fall(double x) {
    double y = clamp(x, 0, 1);
    return 1 - y * y * (3 - 2 * y);
}

// mu_s below v_static, mu_k above; the jump is spread over a tenth of v_static to both sides, for
// the integrator's sake.
static double static_coefficient(const RbPairLaw *p, double speed) {
    const double width = 0.1;
    double x = (speed / p->v_static - (1 - width)) / (2 * width);
    return (p->mu_k + (p->mu_s - p->mu_k) * fall(x)) * speed / rb_regular(speed, p->v_small);
}

// (2 mu* - mu_k) x²/(x⁴ + 1) + mu_k - mu_k/(x² + 1), x = v/v_static, with mu* chosen so that the
// maximum is about mu_s.
static double curve_coefficient(const RbPairLaw *p, double speed) {
    double x = speed / p->v_static, x2 = x * x, ratio = p->mu_k / p->mu_s;
    double mu = p->mu_s > 0 ? p->mu_s * (1 - 0.09 * ratio * ratio * ratio * ratio) : 0;
    double peak = x2 < 1 ? x2 / (x2 * x2 + 1) : 1 / (x2 + 1 / x2); // no overflow
    return (2 * mu - p->mu_k) * peak + p->mu_k * (1 - 1 / (x2 + 1));
}

double rb_friction_coefficient(const RbPairLaw *p, double speed) {
    switch (p->friction) {
        case RB_FRICTION_STATIC: return static_coefficient(p, speed);
        case RB_FRICTION_CURVE: return curve_coefficient(p, speed);
        case RB_FRICTION_BRISTLE: return speed > 0 ? p->mu_k : 0;
        default: return p->mu_k * speed / rb_regular(speed, p->v_small);
    }
}

// Bristle s in the tangent plane; it yields once |s| nears its length L. With L fixed the force mu
// N s / L can never exceed mu N, whatever the normal force does.
//     ds/dt = v - alpha(|s|) max(0, s.v) s / L²     alpha: 0 below 0.7 L, 1 from L on
// so |s| = L is never passed, a load below 0.7 mu N is held without any creep, and in sliding s
// turns into the direction of v.
static Vec3 in_plane(Vec3 v, Vec3 n) {
    return v3_axpy(v, -v3_dot(v, n), n);
}

// As one vector, of which that of twisting is the part along the normal.
static Vec3 bristle_of(const RbContactMotion *m) {
    return v3_axpy(in_plane(m->bristle_W, m->n_W), m->bristle_twist, m->n_W);
}

// Slip, and along the normal that of twisting, at the mean distance of the pressure.
static inline Vec3 all_slip(const RbContactMotion *m) {
    return m->twist_radius > 0
               ? v3_axpy(m->slip_W, m->twist_radius * v3_dot(m->n_W, m->spin_W), m->n_W)
               : m->slip_W;
}

// The tangent plane need not turn as w_plane says. What of s has left it counts for nothing, and fades as the bodies turn against
// each other.
RbBristle rb_contact_bristle_rate(const RbContactLaw *law, const RbContactMotion *m, Vec3 w_plane) {
    const double elastic_part = 0.7;
    Vec3 s = bristle_of(m), slip = all_slip(m);
    double L = law->pair.bristle_length;
    double alpha = 1 - fall((v3_norm(s) / L - elastic_part) / (1 - elastic_part));
    Vec3 rate = v3_axpy(slip, -alpha * fmax(0, v3_dot(s, slip)) / (L * L), s);
    double twist = v3_dot(rate, m->n_W), outside = v3_dot(m->bristle_W, m->n_W);
    double spin = v3_norm(m->spin_W), fading = spin * spin / (spin + 1); // [1/s] smooth at rest
    Vec3 slide = v3_axpy(rate, -twist - fading * outside, m->n_W);
    return (RbBristle){v3_add(slide, v3_cross(w_plane, m->bristle_W)), twist};
}

// mu N (s + T v) / L, no longer than mu N. With the rate of s in place of the slip v the force of a
// sliding contact would lag behind it, and a spinning disc would whirl.
static Vec3 bristle_force(const RbContactLaw *law, const RbContactMotion *m, Vec3 slip,
                          double normal) {
    Vec3 u = v3_scale(1 / law->pair.bristle_length,
                      v3_axpy(bristle_of(m), law->pair.bristle_time, slip));
    double length = v3_norm(u);
    return v3_scale(-law->pair.mu_k * normal / fmax(1, length), u);
}

static Vec3 friction_force(const RbContactLaw *law, const RbContactMotion *m, Vec3 slip,
                           double normal) {
    const RbPairLaw *p = &law->pair;
    if (p->friction == RB_FRICTION_BRISTLE) return bristle_force(law, m, slip, normal);
    double speed = v3_norm(slip);
    if (!(speed > 0)) return V3_ZERO;
    double force = rb_friction_coefficient(p, speed) * normal;
    if (p->friction == RB_FRICTION_STATIC) force = fmin(force, p->max_friction);
    return v3_scale(-force / speed, slip);
}

double rb_contact_point_twist(const RbContactLaw *law, const RbContactMotion *m) {
    if (m->twist_radius > 0 || !(m->depth > 0)) return 0;
    return law->twist * sqrt(law->radius * m->depth);
}

// Twisting at a point: -mu N rho w/reg(|(w, v/rho)|), w about the normal. Sliding at v takes it away, as it
// does for a patch. It has its own threshold: at rho = 0.1 mm from the centre slip is slow.
static void twist_at_point(const RbContactLaw *law, const RbContactMotion *m, RbContactForce *out) {
    double arm = rb_contact_point_twist(law, m), spin = v3_dot(m->n_W, m->spin_W);
    if (!(arm > 0)) return;
    double slip = v3_norm(m->slip_W) / arm, all = sqrt(spin * spin + slip * slip);
    double torque = law->pair.mu_k * out->normal * arm * spin / rb_regular(all, law->pair.w_small);
    out->torque_W = v3_axpy(out->torque_W, -torque, m->n_W);
    out->friction_power += torque * spin;
}

void rb_contact_rub(const RbContactLaw *law, const RbContactMotion *m, RbContactForce *out) {
    if (!(out->normal > 0)) return;
    Vec3 slip = all_slip(m), force = friction_force(law, m, slip, out->normal);
    double spin = v3_norm(m->spin_W);
    double resistance =
        law->pair.mu_r * law->radius * out->normal / rb_regular(spin, law->pair.w_small);
    out->friction_W = force;
    out->torque_W = v3_axpy(out->torque_W, -resistance, m->spin_W);
    out->friction_power = -v3_dot(force, slip);
    out->rolling_power = resistance * spin * spin;
    twist_at_point(law, m, out);
    if (!(m->twist_radius > 0)) return;
    double twist = v3_dot(force, m->n_W); // what resists twisting is a torque
    out->friction_W = v3_axpy(force, -twist, m->n_W);
    out->torque_W = v3_axpy(out->torque_W, twist * m->twist_radius, m->n_W);
}

static RbContactForce force_of_user(const RbPairLaw *pair, const RbContactMotion *m) {
    RbTouch touch = {.depth = m->depth, .depth_rate = m->depth_rate};
    v3_store(touch.normal, m->n_W);
    v3_store(touch.slip, m->slip_W);
    v3_store(touch.spin, m->spin_W);
    RbTouchForce f = {0};
    pair->user_law(&touch, pair->user, &f);
    return (RbContactForce){.normal = fmax(0, f.normal),
                            .friction_W = v3_load(f.friction),
                            .torque_W = v3_load(f.torque),
                            .elastic_energy = f.elastic_energy,
                            .damping_power = f.damping_power,
                            .friction_power = f.friction_power,
                            .rolling_power = f.rolling_power};
}

RbContactForce rb_contact_force(const RbContactLaw *law, const RbContactMotion *m) {
    RbContactForce out = {0};
    if (law->pair.response != RB_RESPONSE_ELASTIC) return out;
    if (law->pair.normal == RB_NORMAL_USER) return force_of_user(&law->pair, m);
    if (law->pair.normal == RB_NORMAL_FUNCTION && m->depth > 0)
        press_by_function(law, m, &out);
    else
        press(law, m, &out);
    rb_contact_rub(law, m, &out);
    return out;
}

bool rb_pair_law_forgets(const RbPairLaw *pair) {
    if (pair->response != RB_RESPONSE_ELASTIC) return true;
    bool at_start = pair->normal == RB_NORMAL_HERTZ && pair->damping == RB_DAMPING_FLORES;
    return !at_start && pair->normal != RB_NORMAL_USER && pair->friction != RB_FRICTION_BRISTLE;
}

// SPDX-License-Identifier: MIT
// Force laws against closed forms: Hertz impact, delivered restitution, the table of Flores,
// friction curves, energy balance, sticking.
#include "testing.h"

#include "contact/impact.h"
#include "contact/slopes.h"
#include "math/regular.h"
#include "math/rng.h"

static const double least = 5e-3; // what e = 0 returns with: less lets go ever more slowly

static const RbElastic steel = {2.0e11, 0.3}, wood = {1.1e10, 0.4};
static const double pi = 3.14159265358979324;

// ---- an integrator of our own for one coordinate: Runge-Kutta of order 4, fixed steps

typedef struct Result {
    double time, depth, force, restitution;
} Result;

static double pressure(const RbContactLaw *law, double depth, double rate) {
    RbContactMotion m = {.n_W = {0, 0, 1}, .depth = depth, .depth_rate = rate};
    return rb_contact_force(law, &m).normal;
}

static Result integrate_impact(const RbContactLaw *law, double m, double v, double h) {
    Result out = {0};
    double x = 0, y = v, t = 0;
    for (;;) {
        double k1 = y, l1 = -pressure(law, x, y) / m;
        double k2 = y + h / 2 * l1, l2 = -pressure(law, x + h / 2 * k1, k2) / m;
        double k3 = y + h / 2 * l2, l3 = -pressure(law, x + h / 2 * k2, k3) / m;
        double k4 = y + h * l3, l4 = -pressure(law, x + h * k3, k4) / m;
        double x1 = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4),
               y1 = y + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
        out.depth = fmax(out.depth, x1);
        out.force = fmax(out.force, pressure(law, x1, y1));
        if (x1 <= 0) {
            out.time = t + h * x / (x - x1);
            out.restitution = -y1 / v;
            return out;
        }
        t += h;
        x = x1;
        y = y1;
    }
}

// Two equal steel balls, radius 0.1 m, density 8000, 1 m/s: Hertz (Johnson, Contact Mechanics,
// section 11.4):
//     depth = (15 m v² / (16 sqrt(R) E*))^(2/5),   time = 2.9432 depth/v,
//     force = 4/3 E* sqrt(R) depth^(3/2)
static void hertz_impact_of_two_spheres(void **state) {
    (void)state;
    double r = 0.1, m = 8000 * 4.0 / 3 * pi * r * r * r / 2, v = 1, R = r / 2,
           E = 2.0e11 / (1 - 0.09) / 2;
    double depth = pow(15 * m * v * v / (16 * sqrt(R) * E), 0.4), time = 2.94327 * depth / v;
    double force = 4.0 / 3 * E * sqrt(R) * pow(depth, 1.5);
    RbPairLaw pair = rb_pair_law_default();
    RbContactScene scene = rb_contact_scene();
    RbContactMaterial material = rb_contact_material(&pair, steel, steel);
    RbContactLaw law = rb_contact_law(&material, R, &scene, (RbBlow){.mass = m, .speed = v});
    ENSURE_NEAR(rb_contact_modulus(steel, steel), E, 1e-4);
    Result got = integrate_impact(&law, m, v, time / 20000);
    ENSURE_NEAR(got.time, time, 1e-5 * time);
    ENSURE_NEAR(got.depth, depth, 1e-6 * depth);
    ENSURE_NEAR(got.force, force, 1e-6 * force);
    ENSURE_NEAR(got.restitution, 1, 1e-8);
    RbImpact closed = rb_contact_impact_elastic(law.stiffness, law.exponent, m, v),
             run = rb_contact_impact(&law, m, v);
    ENSURE_NEAR(closed.contact_time, time, 2e-6 * time);
    ENSURE_NEAR(closed.peak_depth, depth, 1e-14);
    ENSURE_NEAR(closed.peak_force, force, 1e-10 * force);
    ENSURE_NEAR(run.contact_time, closed.contact_time, 1e-7 * time);
    ENSURE_NEAR(run.peak_depth, closed.peak_depth, 1e-7 * depth);
    ENSURE_NEAR(run.peak_force, closed.peak_force, 1e-4 * force); // largest of the visited points
    ENSURE_NEAR(run.restitution, 1, 1e-7);
}

// The reduction factor stretches the impact and leaves the bounce as it is.
static void reduction_factor_softens(void **state) {
    (void)state;
    RbPairLaw pair = rb_pair_law_default();
    pair.restitution = 0.6;
    RbContactScene scene = rb_contact_scene();
    RbContactMaterial material = rb_contact_material(&pair, steel, steel);
    RbContactLaw hard = rb_contact_law(&material, 0.05, &scene, (RbBlow){.mass = 1});
    scene.reduction = 1e-4;
    RbContactLaw soft = rb_contact_law(&material, 0.05, &scene, (RbBlow){.mass = 1});
    RbImpact a = rb_contact_impact(&hard, 1, 1), b = rb_contact_impact(&soft, 1, 1);
    ENSURE_NEAR(b.peak_depth / a.peak_depth, pow(1e4, 0.4), 1e-5 * pow(1e4, 0.4));
    ENSURE_NEAR(b.contact_time / a.contact_time, pow(1e4, 0.4), 1e-5 * pow(1e4, 0.4));
    ENSURE_NEAR(a.restitution, 0.6, 1e-6);
    ENSURE_NEAR(b.restitution, 0.6, 1e-6);
}

// ---- restitution

// The law as a differential equation of its own: U = y², m = 1, so that y obeys
//     dy/dt = x/2,   dx/dt = -y f,   f = 1 + a c - q²/(1 + q) >= 0, q = max(0, -b c),   c = x/sqrt(x² + 2 y²)
// (time scaled by N), from x = 1, y = 0 until y is zero again, or nothing is left of the force.
static double push_factor(const RbDissipation *d, double x, double y) {
    double c = x / sqrt(x * x + 2 * y * y);
    double q = fmax(0, -d->b * c);
    double dry = d->dry > 0 ? d->dry * c / sqrt(c * c + d->width * d->width) : 0;
    return 1 + d->a * c - q * q / (1 + q) + dry;
}

// exponent: of U in the force, 3/5 for Hertz's law, 1/2 for a face; peak: largest force over that without damping.
static double blow_by_steps(RbDissipation d, double exponent, double *peak) {
    double x = 1, y = 0;
    *peak = 0;
    for (;;) {
        double k[4], l[4], part[4] = {0, 0.5, 0.5, 1};
        double h = 2e-4 * fmax(fabs(x), y) / sqrt(1 + d.b);
        for (int i = 0; i < 4; i++) {
            double u = x + (i ? h * part[i] * k[i - 1] : 0),
                   w = y + (i ? h * part[i] * l[i - 1] : 0);
            k[i] = -w * fmax(0, push_factor(&d, u, w));
            l[i] = 0.5 * u;
        }
        double x1 = x + h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]),
               y1 = y + h / 6 * (l[0] + 2 * l[1] + 2 * l[2] + l[3]);
        if (y1 <= 0 || push_factor(&d, x1, y1) <= 0) return -x1;
        x = x1;
        y = y1;
        *peak = fmax(*peak, pow(2 * y * y, exponent) * push_factor(&d, x, y));
    }
}

static double returned_by_steps(RbDissipation d) {
    double peak;
    return blow_by_steps(d, 0.6, &peak);
}

static void dissipation_is_solved(void **state) {
    (void)state;
    const double ab[][2] = {{0.001, 0}, {0.1, 0}, {0.5, 0}, {1, 0},   {1.2, 0},
                            {2, 0},     {2, 0.3}, {2, 10},  {2, 200}};
    for (size_t i = 0; i < sizeof ab / sizeof *ab; i++) {
        double e = returned_by_steps((RbDissipation){.a = ab[i][0], .b = ab[i][1]}),
               mine = rb_dissipation_returned(&(RbDissipation){.a = ab[i][0], .b = ab[i][1]});
        ENSURE_NEAR(mine / e, 1, 1e-4);
        RbDissipation d = rb_restitution_dissipation(mine, 0.01);
        ENSURE_NEAR(d.a / ab[i][0], 1, 1e-9);
        ENSURE_NEAR(d.b, ab[i][1], 1e-8 * (1 + ab[i][1]));
    }
    for (double e = least; e < 1; e += 0.001) {
        RbDissipation d = rb_restitution_dissipation(e, 0.01);
        ENSURE_NEAR(rb_dissipation_returned(&d), e, 1e-11);
    }
    // Nearly elastic: e = 1 - 2/3 a, the integral of c² from -1 to 1.
    for (double loss = 1e-4; loss > 1e-9; loss /= 10)
        ENSURE_NEAR(rb_restitution_dissipation(1 - loss, 0.01).a / (1.5 * loss), 1,
                    2 * loss + 1e-7);
    RbDissipation none = rb_restitution_dissipation(1, 0.01),
                  all = rb_restitution_dissipation(0, 0.01);
    ENSURE(none.a == 0 && none.b == 0 && none.rise == 0 && rb_dissipation_returned(&none) == 1);
    ENSURE_NEAR(rb_dissipation_returned(&all), least, 1e-4);
}

// What settles under a load returns with the same, from less of a, and takes energy at every c; at c = 0 a load is damped with half of critical damping.
static void settling_returns_as_typed(void **state) {
    (void)state;
    const double typed[] = {0.2, 0.25, 0.6, 0.95};
    for (int i = 0; i < 4; i++) {
        double ratio = i % 2 ? 300 : 1e4, h = 1e-9;
        RbDissipation d = rb_restitution_settling(typed[i], 0.01, ratio),
                      plain = rb_restitution_dissipation(typed[i], 0.01);
        ENSURE(d.dry > 0 && d.dry < 1 && d.a <= plain.a && d.b <= plain.b);
        ENSURE_NEAR(rb_dissipation_returned(&d), typed[i], 1e-11);
        ENSURE_NEAR(returned_by_steps(d) / typed[i], 1, 2e-4);
        for (double c = -1; c <= 1; c += 0.001)
            ENSURE(fmax(-1, push_factor(&d, c, sqrt(0.5 * (1 - c * c))) - 1) * c >= 0);
        ENSURE_NEAR(d.dry * rb_dry_part(&d, h) / h, sqrt(ratio), 1e-6 * sqrt(ratio));
    }
    ENSURE(rb_restitution_settling(1, 0.01, 1e4).dry == 0);
}

// No damping at any speed is no damping.
static void elastic_is_elastic_at_any_speed(void **state) {
    (void)state;
    RbPairLaw pair = rb_pair_law_default();
    RbContactScene scene = rb_contact_scene();
    RbContactMaterial material = rb_contact_material(&pair, steel, wood);
    RbContactLaw law = rb_contact_law(&material, 0.05, &scene, (RbBlow){.mass = 1});
    for (double rate = -10; rate < 10; rate += 0.1) {
        RbContactMotion m = {.n_W = {0, 0, 1}, .depth = 1e-5, .depth_rate = rate * rate * rate};
        RbContactForce f = rb_contact_force(&law, &m);
        ENSURE(f.damping_power == 0);
        ENSURE_NEAR(f.normal / (law.stiffness * pow(1e-5, 1.5)), 1, 1e-14);
    }
}

// Over restitution, speed, radius, mass and material; with the integrator above where it is quick,
// otherwise with the library's.
static void restitution_is_delivered_as_typed(void **state) {
    (void)state;
    const double es[] = {0, 0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1},
                 speeds[] = {0.05, 0.2, 1, 5, 30}; // [m/s]
    RbRng rng = rb_rng(3);
    RbContactScene scene = rb_contact_scene();
    for (size_t i = 0; i < sizeof es / sizeof *es; i++) {
        for (size_t j = 0; j < sizeof speeds / sizeof *speeds; j++) {
            RbPairLaw pair = rb_pair_law_default();
            pair.restitution = es[i];
            double R = 0.001 * pow(1000, rb_rng_unit(&rng)), m = 1e-3 * pow(1e4, rb_rng_unit(&rng));
            RbElastic solid = rb_rng_int(&rng, 2) ? steel : wood;
            RbContactMaterial material = rb_contact_material(&pair, solid, wood);
            RbContactLaw law = rb_contact_law(&material, R, &scene, (RbBlow){.mass = m});
            RbImpact impact = rb_contact_impact(&law, m, speeds[j]);
            ENSURE_NEAR(impact.restitution, fmax(es[i], least), 1e-3);
            if (es[i] < 0.3) continue;
            ENSURE_NEAR(
                integrate_impact(&law, m, speeds[j], impact.contact_time / 20000).restitution,
                es[i], 1e-6);
        }
    }
}

// However little comes back, first touch has no spike: a ball presses with 1.09 times what it would without damping at most, a face with 1.24 times, and
// what the library says of a blow of balls is what the steps above say.
static void low_restitution_has_no_spike(void **state) {
    (void)state;
    const double es[] = {0, 0.001, 0.01, 0.05, 0.1, 0.2};
    RbContactScene scene = rb_contact_scene();
    for (size_t i = 0; i < sizeof es / sizeof *es; i++) {
        RbPairLaw pair = rb_pair_law_default();
        pair.restitution = es[i];
        RbContactMaterial material = rb_contact_material(&pair, steel, steel);
        RbContactLaw law = rb_contact_law(&material, 0.05, &scene, (RbBlow){.mass = 0.3});
        double round, face, e = blow_by_steps(law.dissipation, 0.6, &round);
        blow_by_steps(law.dissipation, 0.5, &face);
        ENSURE_NEAR(e, fmax(es[i], least), 1e-3);
        ENSURE(round > 1 && round < 1.1);
        ENSURE(face > 1.2 && face < 1.25);
        RbImpact blow = rb_contact_impact(&law, 0.3, 1),
                 elastic = rb_contact_impact_elastic(law.stiffness, law.exponent, 0.3, 1);
        ENSURE_NEAR(blow.restitution, fmax(es[i], least), 1e-3);
        ENSURE_NEAR(blow.peak_force / elastic.peak_force, round, 2e-3);
        print_message("e %5.3f: peak force over that without damping: ball %.3f, face %.3f\n", es[i],
                      round, face);
    }
}

// What N = K δⁿ (1 + d δ') returns with: a (1 + e) = ln((1 + a)/(1 - a e)), a = d v.
static double frozen_damping_returns(double a) {
    double low = 1e-3, high = fmin(1, 1 / a);
    for (int i = 0; i < 100; i++) {
        double e = 0.5 * (low + high);
        if (a * (1 + e) > log((1 + a) / (1 - a * e))) {
            low = e;
        } else {
            high = e;
        }
    }
    return low;
}

// Table of docs/theory/contact-law.md: what the formula of Flores delivers.
static void flores_delivers_less(void **state) {
    (void)state;
    const double table[][2] = {
        {0.1, 0.0694}, {0.3, 0.2562}, {0.5, 0.4704}, {0.7, 0.6832}, {0.9, 0.8939}};
    RbContactScene scene = rb_contact_scene();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        RbPairLaw pair = rb_pair_law_default();
        pair.restitution = table[i][0];
        pair.damping = RB_DAMPING_FLORES;
        RbContactMaterial material = rb_contact_material(&pair, steel, wood);
        RbContactLaw law = rb_contact_law(&material, 0.1, &scene, (RbBlow){1, 1});
        ENSURE_NEAR(law.damping, 8 * (1 - table[i][0]) / (5 * table[i][0]), 1e-9); // v >> v_small
        double e = frozen_damping_returns(law.damping);
        ENSURE_NEAR(rb_contact_impact(&law, 1, 1).restitution, e, 1e-6);
        ENSURE_NEAR(e, table[i][1], 5e-5);
    }
    // Slow contacts: eqs 7.11 to 7.13 with the cap.
    ENSURE_NEAR(rb_restitution_flores(0.7, 0, 0.01, 2000), 2000, 0);
    double v = 0.005, e_reg = 0.7 + (0.001 - 0.7) * 0.1; // exp(ln(0.01)/2) = 0.1
    ENSURE_NEAR(rb_restitution_flores(0.7, v, 0.01, 1e9),
                1.6 * (1 - e_reg) / (e_reg * rb_regular(v, 0.01)), 1e-9);
}

// Blows below v_small lose more and more.
static void slow_contacts_do_not_bounce(void **state) {
    (void)state;
    RbPairLaw pair = rb_pair_law_default();
    pair.restitution = 0.7;
    RbContactScene scene = rb_contact_scene();
    RbContactMaterial material = rb_contact_material(&pair, steel, wood);
    RbContactLaw law = rb_contact_law(&material, 0.05, &scene, (RbBlow){.mass = 0.1});
    double before = 0.7 + 1e-7;
    for (double v = 0.05; v > 1e-4; v /= 1.3) {
        double e = rb_contact_impact(&law, 0.1, v).restitution;
        ENSURE(e <= before);
        if (0.7 * v > 0.01) ENSURE_NEAR(e, 0.7, 1e-6); // it never becomes slow
        before = e + 1e-7;
    }
    ENSURE_NEAR(before, 0.2484, 1e-3); // a = 2
}

// ---- all laws: never pulling, and power of the forces = - d(elastic)/dt - dissipated

static RbContactMotion random_motion(RbRng *rng) {
    RbContactMotion m = {.n_W = rb_rng_direction(rng),
                         .depth = rb_rng_range(rng, -1e-4, 1e-3),
                         .depth_rate = rb_rng_range(rng, -2, 2)};
    Vec3 v = rb_rng_direction(rng);
    double size = pow(10, rb_rng_range(rng, -4, 0));
    m.slip_W = v3_scale(size, v3_axpy(v, -v3_dot(v, m.n_W), m.n_W));
    m.spin_W = v3_scale(size, rb_rng_direction(rng));
    Vec3 s = rb_rng_direction(rng);
    m.bristle_W = v3_scale(rb_rng_range(rng, 0, 1e-6), v3_axpy(s, -v3_dot(s, m.n_W), m.n_W));
    return m;
}

static RbPairLaw random_pair(RbRng *rng) {
    RbPairLaw pair = rb_pair_law_default();
    pair.normal = (RbNormalLaw)rb_rng_int(rng, 2);
    pair.friction = (RbFrictionLaw)rb_rng_int(rng, 4);
    pair.restitution = rb_rng_unit(rng);
    pair.mu_k = 0.3;
    pair.mu_s = 0.45;
    pair.mu_r = 0.01;
    pair.stiffness = 1e7;
    pair.exponent = rb_rng_range(rng, 1, 2);
    pair.damper = 1e3;
    return pair;
}

static void power_and_energy_balance(void **state) {
    (void)state;
    RbRng rng = rb_rng(7);
    RbContactScene scene = rb_contact_scene();
    for (int i = 0; i < 5000; i++) {
        RbPairLaw pair = random_pair(&rng);
        RbContactMaterial material = rb_contact_material(&pair, steel, wood);
        RbContactLaw law = rb_contact_law(
            &material, 0.05, &scene, (RbBlow){rb_rng_range(&rng, 0, 2), rb_rng_range(&rng, 0, 2)});
        RbContactMotion m = random_motion(&rng);
        RbContactForce f = rb_contact_force(&law, &m);
        ENSURE(f.normal >= 0 && f.elastic_energy >= 0 && f.damping_power >= 0 &&
               f.rolling_power >= 0);
        if (m.depth <= 0) ENSURE(f.normal == 0);
        double over = pair.friction == RB_FRICTION_CURVE ? 0.02 : 1e-12; // mu* is an approximation
        ENSURE(v3_norm(f.friction_W) <= fmax(pair.mu_k, pair.mu_s) * f.normal * (1 + over));
        ENSURE_NEAR(v3_dot(f.friction_W, m.n_W), 0, 1e-12 * (1 + f.normal));
        if (pair.friction != RB_FRICTION_BRISTLE) ENSURE(f.friction_power >= 0);
        if (m.depth < 1e-6) continue;
        double h = 1e-9, stored[2];
        for (int k = 0; k < 2; k++) {
            RbContactMotion near = m;
            near.depth += (k ? h : -h) * m.depth_rate;
            stored[k] = rb_contact_force(&law, &near).elastic_energy;
        }
        // Forces on body 2: n normal + friction; its relative velocity: -n depth_rate + slip.
        double power = -f.normal * m.depth_rate + v3_dot(f.friction_W, m.slip_W) +
                       v3_dot(f.torque_W, m.spin_W);
        double change = (stored[1] - stored[0]) / (2 * h);
        ENSURE_NEAR(power, -change - f.damping_power - f.friction_power - f.rolling_power,
                    1e-6 * (1 + fabs(power) + fabs(change)));
    }
}

// The change of the force along a random direction: slopes against a central difference.
static void slopes_are_derivatives(void **state) {
    (void)state;
    RbRng rng = rb_rng(8);
    RbContactScene scene = rb_contact_scene();
    for (int i = 0; i < 5000; i++) {
        RbPairLaw pair = random_pair(&rng);
        if (rb_rng_int(&rng, 4) == 0) pair.max_friction = 1;
        RbContactMaterial material = rb_contact_material(&pair, steel, wood);
        RbContactLaw law = rb_contact_law(
            &material, 0.05, &scene, (RbBlow){rb_rng_range(&rng, 0, 2), rb_rng_range(&rng, 0, 2)});
        RbContactMotion m = random_motion(&rng);
        if (m.depth < 1e-5) continue;
        RbContactMotion d = random_motion(&rng);
        Vec3 slip = v3_axpy(d.slip_W, -v3_dot(d.slip_W, m.n_W), m.n_W); // stays in the plane
        double h = 1e-6, depth = 1e-3 * d.depth;
        RbContactForce f[2];
        for (int k = 0; k < 2; k++) {
            double s = k ? h : -h;
            RbContactMotion x = m;
            x.depth += s * depth;
            x.depth_rate += s * d.depth_rate;
            x.slip_W = v3_axpy(m.slip_W, s * v3_norm(m.slip_W), slip);
            x.spin_W = v3_axpy(m.spin_W, s * v3_norm(m.spin_W), d.spin_W);
            x.bristle_W = v3_axpy(m.bristle_W, s, d.bristle_W);
            f[k] = rb_contact_force(&law, &x);
        }
        RbContactSlopes g = rb_contact_slopes(&law, &m);
        double dN = g.normal_depth * depth + g.normal_rate * d.depth_rate;
        Vec3 df = v3_add(v3_scale(dN, g.friction_normal),
                         m3_mul_vec(g.friction_slip, v3_scale(v3_norm(m.slip_W), slip)));
        df = v3_add(df, m3_mul_vec(g.friction_bristle, d.bristle_W));
        Vec3 dt = v3_add(v3_scale(dN, g.torque_normal),
                         m3_mul_vec(g.torque_spin, v3_scale(v3_norm(m.spin_W), d.spin_W)));
        double twist = g.twist_spin * v3_norm(m.spin_W) * v3_dot(m.n_W, d.spin_W) +
                       g.twist_depth * depth + v3_norm(m.slip_W) * v3_dot(g.twist_slip, slip);
        dt = v3_axpy(dt, twist, m.n_W);
        double N = f[0].normal, tol = 1e-4 * (N + fabs(dN)) + 1e-6;
        ENSURE_NEAR((f[1].normal - f[0].normal) / (2 * h), dN, 1e-6 * (N + fabs(dN)) + 1e-6);
        Vec3 got = v3_scale(0.5 / h, v3_sub(f[1].friction_W, f[0].friction_W));
        ENSURE_NEAR(v3_distance(got, df), 0, tol);
        got = v3_scale(0.5 / h, v3_sub(f[1].torque_W, f[0].torque_W));
        ENSURE_NEAR(v3_distance(got, dt), 0, 1e-2 * tol);
    }
}

// ---- friction

static void friction_follows_its_curves(void **state) {
    (void)state;
    RbPairLaw p = rb_pair_law_default();
    p.mu_k = 0.3;
    p.mu_s = 0.5;
    ENSURE_NEAR(rb_friction_coefficient(&p, 1), 0.3, 1e-15);
    ENSURE_NEAR(rb_friction_coefficient(&p, 0.002), 0.3 * 0.002 / rb_regular(0.002, 0.01), 1e-15);
    p.friction = RB_FRICTION_STATIC;
    p.v_static = 0.1;
    ENSURE_NEAR(rb_friction_coefficient(&p, 0.08), 0.5, 1e-15);
    ENSURE_NEAR(rb_friction_coefficient(&p, 0.12), 0.3, 1e-15);
    ENSURE_NEAR(rb_friction_coefficient(&p, 0.1), 0.4, 1e-15);
    p.friction = RB_FRICTION_CURVE;
    double most = 0;
    for (double v = 0; v < 1; v += 1e-4) most = fmax(most, rb_friction_coefficient(&p, v));
    ENSURE_NEAR(most, 0.5, 0.01); // the constant 0.09 is an approximation
    ENSURE_NEAR(rb_friction_coefficient(&p, 100), 0.3, 1e-5);
    ENSURE_NEAR(rb_friction_coefficient(&p, 0), 0, 0);
    // At x = 1: (2 mu* - mu_k)/2 + mu_k - mu_k/2 = mu*
    ENSURE_NEAR(rb_friction_coefficient(&p, 0.1), 0.5 * (1 - 0.09 * pow(0.6, 4)), 1e-15);
}

static void friction_force_can_be_limited(void **state) {
    (void)state;
    RbPairLaw p = rb_pair_law_default();
    p.normal = RB_NORMAL_SPRING_DAMPER;
    p.friction = RB_FRICTION_STATIC;
    p.stiffness = 1e6;
    p.exponent = 1;
    p.damper = 1e9; // limited to the elastic force
    p.mu_k = p.mu_s = 0.5;
    p.max_friction = 20;
    RbContactScene scene = rb_contact_scene();
    RbContactMaterial material = rb_contact_material(&p, steel, steel);
    RbContactLaw law = rb_contact_law(&material, 1, &scene, (RbBlow){1, 1});
    RbContactMotion m = {.n_W = {0, 0, 1}, .depth = 1e-4, .slip_W = {3, 4, 0}};
    RbContactForce f = rb_contact_force(&law, &m);
    ENSURE_NEAR(f.normal, 100, 1e-12);
    ENSURE_NEAR(f.friction_W.x, -12, 1e-12);
    ENSURE_NEAR(f.friction_W.y, -16, 1e-12);
    m.depth_rate = 1;
    ENSURE_NEAR(rb_contact_force(&law, &m).normal, 200, 1e-12);
    m.depth_rate = -1;
    ENSURE_NEAR(rb_contact_force(&law, &m).normal, 0, 1e-12);
}

// A block of 1 kg is pushed by a constant tangential force: below the limit it stays (regularised
// friction would creep at 2 mm/s), above it accelerates as Coulomb says. Semi-implicit steps of the
// small system (bristle, speed).
static double push_block(double load, double time, double h, double *speed) {
    RbPairLaw p = rb_pair_law_default();
    p.friction = RB_FRICTION_BRISTLE;
    p.mu_k = 0.5;
    RbContactScene scene = rb_contact_scene();
    RbContactMaterial material = rb_contact_material(&p, steel, steel);
    RbContactLaw law = rb_contact_law(&material, 0.05, &scene, (RbBlow){1, 0});
    double weight = 9.81, depth = pow(weight / law.stiffness, 2.0 / 3), x = 0, v = 0;
    RbContactMotion m = {.n_W = {0, 0, 1}, .depth = depth};
    for (int i = 0; i < (int)(time / h); i++) {
        m.slip_W = v3(v, 0, 0);
        Vec3 rate = rb_contact_bristle_rate(&law, &m, V3_ZERO).slide_W;
        m.bristle_W = v3_axpy(m.bristle_W, h, rate);
        v += h * (load + rb_contact_force(&law, &m).friction_W.x);
        x += h * v;
    }
    *speed = v;
    return x;
}

static void bristle_holds_and_slips(void **state) {
    (void)state;
    double limit = 0.5 * 9.81, speed, settled = push_block(0.4 * limit, 1, 1e-5, &speed);
    ENSURE_NEAR(speed, 0, 1e-12);
    ENSURE_NEAR(push_block(0.4 * limit, 3, 1e-5, &speed), settled, 1e-12);
    ENSURE_NEAR(settled, 0.4e-5, 1e-12); // 0.4 of the bristle's length
    push_block(2 * limit, 0.1, 1e-6, &speed);
    ENSURE_NEAR(speed, 0.1 * limit, 1e-2);
}

static void implied_figures(void **state) {
    (void)state;
    RbPairLaw p = rb_pair_law_default();
    p.mu_k = 0.5;
    double v = rb_contact_creep_speed(&p);
    ENSURE_NEAR(v / rb_regular(v, p.v_small), 0.5, 1e-12);
    p.friction = RB_FRICTION_BRISTLE;
    ENSURE_NEAR(rb_contact_creep_speed(&p), 0, 0);
    p.friction = RB_FRICTION_SLIDING;
    p.mu_k = 0;
    ENSURE_NEAR(rb_contact_creep_speed(&p), 0, 0);
    // Linear spring with a little damping: half a period, and the peak of a sine.
    p.normal = RB_NORMAL_SPRING_DAMPER;
    p.stiffness = 1e4;
    p.exponent = 1;
    RbContactScene scene = rb_contact_scene();
    RbContactMaterial material = rb_contact_material(&p, steel, steel);
    RbContactLaw law = rb_contact_law(&material, 1, &scene, (RbBlow){1, 1});
    RbImpact impact = rb_contact_impact(&law, 2, 0.3);
    ENSURE_NEAR(impact.contact_time, pi * sqrt(2 / 1e4), 1e-7);
    ENSURE_NEAR(impact.peak_depth, 0.3 * sqrt(2 / 1e4), 1e-9);
}

static void user_sets_everything(const RbTouch *touch, void *user, RbTouchForce *force) {
    force->normal = *(double *)user * fmax(0, touch->depth);
}

static void other_responses(void **state) {
    (void)state;
    double k = 5e5;
    RbPairLaw p = rb_pair_law_default();
    RbContactScene scene = rb_contact_scene();
    p.normal = RB_NORMAL_USER;
    p.user_law = user_sets_everything;
    p.user = &k;
    RbContactMotion m = {.n_W = {0, 0, 1}, .depth = 1e-3};
    RbContactMaterial material = rb_contact_material(&p, steel, steel);
    RbContactLaw law = rb_contact_law(&material, 1, &scene, (RbBlow){1, 1});
    ENSURE_NEAR(rb_contact_force(&law, &m).normal, 500, 1e-12);
    law.pair.response = RB_RESPONSE_OBSERVER;
    ENSURE_NEAR(rb_contact_force(&law, &m).normal, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hertz_impact_of_two_spheres),
        cmocka_unit_test(reduction_factor_softens),
        cmocka_unit_test(dissipation_is_solved),
        cmocka_unit_test(settling_returns_as_typed),
        cmocka_unit_test(elastic_is_elastic_at_any_speed),
        cmocka_unit_test(restitution_is_delivered_as_typed),
        cmocka_unit_test(low_restitution_has_no_spike),
        cmocka_unit_test(flores_delivers_less),
        cmocka_unit_test(slow_contacts_do_not_bounce),
        cmocka_unit_test(power_and_energy_balance),
        cmocka_unit_test(slopes_are_derivatives),
        cmocka_unit_test(friction_follows_its_curves),
        cmocka_unit_test(friction_force_can_be_limited),
        cmocka_unit_test(bristle_holds_and_slips),
        cmocka_unit_test(implied_figures),
        cmocka_unit_test(other_responses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

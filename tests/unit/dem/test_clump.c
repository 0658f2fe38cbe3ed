// SPDX-License-Identifier: MIT
// Clumps of spheres against rigid-body mechanics: the free top (Jacobi), impacts with a wall by impulses, statics, rolling,
// conservation, and what is refused.
#include "clumps.h"

#include <string.h>

// ---- the free asymmetric top

// sn, cn, dn by the arithmetic-geometric mean, descending (Abramowitz and Stegun 16.4).
static void jacobi(double u, double m, double *sn, double *cn, double *dn) {
    double a[16] = {1}, c[16] = {sqrt(m)}, b = sqrt(1 - m);
    int n = 0;
    for (; fabs(c[n]) > 1e-16 && n < 14; n++) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
    }
    double phi = ldexp(a[n] * u, n), before = phi;
    for (; n > 0; n--) {
        before = phi;
        phi = 0.5 * (phi + asin(c[n] * sin(phi) / a[n]));
    }
    *sn = sin(phi), *cn = cos(phi), *dn = *cn / cos(before - phi);
}

// Angular velocity along the principal axes, I1 < I2 < I3, that begins without a part along the second one
// (Landau and Lifshitz, Mechanics, section 37).
static Vec3 top(Vec3 I, Vec3 w0, double t) {
    double E2 = I.x * w0.x * w0.x + I.z * w0.z * w0.z;
    double L2 = I.x * I.x * w0.x * w0.x + I.z * I.z * w0.z * w0.z;
    ENSURE(L2 > E2 * I.y); // of the two cases
    double rate = sqrt((I.z - I.y) * (L2 - E2 * I.x) / (I.x * I.y * I.z)), sn, cn, dn;
    double m = (I.y - I.x) * (E2 * I.z - L2) / ((I.z - I.y) * (L2 - E2 * I.x));
    jacobi(rate * t, m, &sn, &cn, &dn);
    return v3(sqrt((E2 * I.z - L2) / (I.x * (I.z - I.x))) * cn,
              sqrt((E2 * I.z - L2) / (I.y * (I.z - I.y))) * sn,
              sqrt((L2 - E2 * I.x) / (I.z * (I.z - I.x))) * dn);
}

// The orientation that this angular velocity leads to, by the classical Runge-Kutta method.
static Quat top_turned(Vec3 I, Vec3 w0, Quat q, double until, int steps) {
    double h = until / steps;
    for (int k = 0; k < steps; k++) {
        Vec3 a = top(I, w0, k * h), b = top(I, w0, (k + 0.5) * h), c = top(I, w0, (k + 1) * h);
        Quat k1 = q_derivative(q, a), at = q;
        double *to = &at.w, *from = &q.w;
#define MOVE(by, rate)                                                                             \
    for (int n = 0; n < 4; n++) to[n] = from[n] + (by) * (&(rate).w)[n]
        MOVE(h / 2, k1);
        Quat k2 = q_derivative(at, b);
        MOVE(h / 2, k2);
        Quat k3 = q_derivative(at, b);
        MOVE(h, k3);
        Quat k4 = q_derivative(at, c);
        for (int n = 0; n < 4; n++)
            from[n] += h / 6 * ((&k1.w)[n] + 2 * (&k2.w)[n] + 2 * (&k3.w)[n] + (&k4.w)[n]);
    }
    return q_unit(q);
}

typedef struct Spun {
    double spin, turn, momentum, energy; // errors, of 1
} Spun;

static Spun spin_top(double h, double until) {
    Fixture f;
    fixture_open(&f);
    const RbClump *pebble = form(&f, 3, PEBBLE);
    RbCloud *cloud = cloud_of(&f.arena, GLASS, h, 1);
    RbGrainClump c = clump_at(cloud, pebble, GLASS, v3(1, 2, 3), (Quat){0.5, 0.5, 0.5, -0.5});
    Quat q0 = q_mul(c.q, pebble->axes);
    Vec3 w0 = v3(9, 0, 12);
    c.w = q_rotate(q0, w0);
    rb_cloud_add_clump(cloud, c);
    rb_cloud_start(cloud);
    Vec3 l = cloud->bodies.data[0].l;
    double energy = rb_cloud_ledger(cloud).turning;
    run(cloud, lround(until / h));
    const RbGrainBody *b = &cloud->bodies.data[0];
    Vec3 moments = b->moments, want = top(moments, w0, until);
    Quat turned = top_turned(moments, w0, q0, until, 4000);
    Spun s = {v3_distance(q_unrotate(b->q, b->w), want) / 15,
              2 * v3_norm(q_vector(q_mul(q_conj(turned), b->q))), v3_distance(b->l, l) / v3_norm(l),
              fabs(rb_cloud_ledger(cloud).turning / energy - 1)};
    fixture_close(&f);
    return s;
}

static void test_free_top(void **state) {
    (void)state;
    double until = 2; // five turns
    Spun coarse = spin_top(2e-4, until), fine = spin_top(1e-4, until);
    print_message("top: spin %.2e -> %.2e, turn %.2e -> %.2e, energy %.2e -> %.2e\n", coarse.spin,
                  fine.spin, coarse.turn, fine.turn, coarse.energy, fine.energy);
    ENSURE_NEAR(log2(coarse.spin / fine.spin), 2, 0.1);
    ENSURE_NEAR(log2(coarse.turn / fine.turn), 2, 0.1);
    ENSURE(fine.spin < 1e-4 && fine.turn < 1e-3);
    ENSURE(coarse.momentum == 0 && fine.momentum == 0); // nothing acts on it
}

// ---- a clump of one sphere is the sphere

static void add_ball(RbCloud *cloud, Fixture *f, bool clump, RbGrain g) {
    if (!clump) {
        rb_cloud_add(cloud, g);
        return;
    }
    const double sphere[4] = {3, 4, 5, g.radius}; // wherever it was typed
    RbGrainClump c = clump_at(cloud, form(f, 1, sphere), GLASS, g.r, (Quat){0.6, 0.8, 0, 0});
    c.v = g.v, c.w = g.w;
    rb_cloud_add_clump(cloud, c);
}

static RbCloud *balls(Fixture *f, bool clumps) {
    Stuff s = GLASS;
    s.pair.rolling = 0.05;
    RbCloud *cloud = cloud_of(&f->arena, s, 1e-5, 1);
    cloud->options.gravity = v3(1, 0, -9.81);
    add_ground(cloud, &f->arena);
    for (int k = 0; k < 4; k++) {
        RbGrain g =
            grain(s, 0.005, v3(0.003 * k, 0.001 * k, 0.0052 + 0.0101 * k), v3(0.1, 0, -0.2));
        g.w = v3(3, 2 * k, 1);
        add_ball(cloud, f, clumps, g);
    }
    rb_cloud_start(cloud);
    return cloud;
}

static void test_one_sphere(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = balls(&f, false), *other = balls(&f, true);
    double off = 0;
    long touched = 0;
    for (int n = 0; n < 2000; n++) {
        run(cloud, 1), run(other, 1);
        touched += cloud->contacts + cloud->wall_contacts;
        for (int id = 0; id < 4; id++) {
            int i = index_of(cloud, id), j = index_of(other, id);
            off = fmax(off, v3_distance(vector(cloud->r[i]), vector(other->r[j])) / 0.005);
            off = fmax(off, v3_distance(vector(cloud->v[i]), vector(other->v[j])));
            off = fmax(off, 0.005 * v3_distance(vector(cloud->w[i]), vector(other->w[j])));
        }
    }
    print_message("one sphere: %.2e\n", off);
    ENSURE(touched > 2000);
    ENSURE_NEAR(off, 0, 1e-12); // roundings of 1e-16, which impacts have made larger
    fixture_close(&f);
}

// ---- impacts of a dumbbell with a wall

static const double DUMBBELL[8] = {-0.006, 0, 0, 0.004, 0.006, 0, 0, 0.004};

static RbCloud *dumbbell(Fixture *f, Stuff s, double step, double tilt, double speed, double mass,
                         Mat3 inertia, double height) {
    RbCloud *cloud = cloud_of(&f->arena, s, step, 1);
    add_ground(cloud, &f->arena);
    double bar[12] = {0, 0, 0, 0.0045};
    memcpy(bar + 4, DUMBBELL, sizeof DUMBBELL);
    const RbClump *c = form_of(f, 3, bar, mass, inertia);
    Quat q = q_rotation(v3(0, 1, 0), tilt);
    RbGrainClump one = clump_at(cloud, c, s, v3(0, 0, 0.006 * sin(tilt) + 0.004 + height), q);
    one.v = v3(0.3, 0, -speed);
    rb_cloud_add_clump(cloud, one);
    rb_cloud_start(cloud);
    return cloud;
}

// One end hits, without friction: J = (1 + e) v / (1/M + x²/I), x the distance along the wall from the centre.
static void test_one_end_hits(void **state) {
    (void)state;
    double mass = 0.002, I = 6e-8, tilt = 0.5, speed = 0.5, errors[2];
    const double es[] = {0.9, 0.5, 0.2};
    for (int k = 0; k < 3; k++) {
        for (int fine = 0; fine < 2; fine++) {
            Fixture f;
            fixture_open(&f);
            Stuff s = GLASS;
            s.pair = (RbGrainPair){.restitution = es[k]};
            s.modulus = fine ? 5e10 : 5e8; // the stiffer, the less it turns while it touches
            double step = 2e-7 * pow(s.modulus / 5e8, -0.4);
            RbCloud *cloud =
                dumbbell(&f, s, step, tilt, speed, mass, m3_diagonal(v3(1e-8, I, I)), 1e-7);
            long touched = 0;
            do {
                run(cloud, 1);
                touched += cloud->wall_contacts;
                ENSURE(cloud->steps < 20000 && cloud->wall_contacts <= 1);
            } while (touched == 0 || cloud->wall_contacts > 0);
            const RbGrainBody *b = &cloud->bodies.data[0];
            double x = 0.006 * cos(tilt), J = (1 + es[k]) * speed / (1 / mass + x * x / I);
            // The lower end is at +x: the push there turns it about -y.
            errors[fine] = fmax(fabs(b->v.z - (-speed + J / mass)) / speed,
                                fabs(b->w.y + x * J / I) * 0.006 / speed);
            ENSURE_NEAR(b->v.x, 0.3, 1e-12);
            ENSURE(touched > 50);
            fixture_close(&f);
        }
        print_message("e = %g: %.2e, stiffer %.2e\n", es[k], errors[0], errors[1]);
        ENSURE(errors[1] < 5e-3 && errors[1] < 0.4 * errors[0]);
    }
}

// A plate of so many spheres in x and y, 8 mm apart.
static const RbClump *plate_of(Fixture *f, int nx, int ny, double mass, double inertia) {
    double spheres[4 * 9];
    for (int k = 0; k < nx * ny; k++) {
        spheres[4 * k] = 0.008 * (k % nx - 0.5 * (nx - 1));
        spheres[4 * k + 1] = 0.008 * (k / nx - 0.5 * (ny - 1));
        spheres[4 * k + 2] = 0, spheres[4 * k + 3] = 0.004;
    }
    return form_of(f, nx * ny, spheres, mass, m3_diagonal(v3(inertia, inertia, inertia)));
}

// Flat on several spheres they share the mass: it returns with e as typed, whatever it would be that each moves alone. With the mass
// (4) of each alone the bar with I = M L²/12 would return 0.62 for 0.5. On a wall, and on another of its kind.
static void test_flat_on_several(void **state) {
    (void)state;
    const double es[] = {0.9, 0.5, 0.2}, mass = 0.002, speed = 0.5;
    const struct {
        int nx, ny;
        double part; // of M 0.016², the moment of inertia
    } forms[] = {{2, 1, 1.0 / 48}, {2, 1, 1.0 / 4}, {2, 2, 1.0 / 10}, {3, 3, 1.0 / 6}};
    for (int k = 0; k < 3 * 4 * 2; k++) {
        Fixture f;
        fixture_open(&f);
        Stuff s = GLASS;
        double e = es[k % 3], inertia = forms[k / 3 % 4].part * mass * 0.016 * 0.016;
        bool wall = k < 12;
        s.pair = (RbGrainPair){.restitution = e};
        RbCloud *cloud = cloud_of(&f.arena, s, 5e-7, 1);
        const RbClump *c = plate_of(&f, forms[k / 3 % 4].nx, forms[k / 3 % 4].ny, mass, inertia);
        if (wall) add_ground(cloud, &f.arena);
        for (int n = 0; n < (wall ? 1 : 2); n++) {
            RbGrainClump one = clump_at(cloud, c, s, v3(0, 0, 0.00401 + 0.00802 * n), Q_IDENTITY);
            one.v = v3(0, 0, wall || n == 1 ? -speed : speed);
            rb_cloud_add_clump(cloud, one);
        }
        rb_cloud_start(cloud);
        run(cloud, 20000);
        const RbGrainBody *b = &cloud->bodies.data[0];
        ENSURE_NEAR(fabs(b->v.z) / speed, e, 1e-4);
        ENSURE((b->v.z > 0) == wall);
        ENSURE_NEAR(v3_norm(b->w), 0, 1e-6);
        fixture_close(&f);
    }
}

// ---- statics, rolling

// Two spheres of different sizes on a plane: each carries what the lever of the centre of mass leaves to it.
static void test_rests(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Stuff s = GLASS;
    s.pair = (RbGrainPair){.restitution =
                               0.1}; // friction at points of different heights has a lever too
    RbCloud *cloud = cloud_of(&f.arena, s, 5e-6, 1);
    cloud->options.gravity = v3(0, 0, -9.81);
    add_ground(cloud, &f.arena);
    const double spheres[8] = {0, 0, 0, 0.005, 0.006, 0, 0, 0.003};
    const RbClump *c = form(&f, 2, spheres);
    rb_cloud_add_clump(cloud, clump_at(cloud, c, s, v3(0, 0, 0.0055), Q_IDENTITY));
    rb_cloud_start(cloud);
    run(cloud, 60000);
    const RbGrainBody *b = &cloud->bodies.data[0];
    double weight = b->mass * 9.81;
    ENSURE(rb_cloud_ledger(cloud).kinetic < 1e-18);
    ENSURE(cloud->wall_contacts == 2);
    ENSURE_NEAR(cloud->wall_loads[0].f.z / weight, -1, 1e-6);
    int one = cloud->members[b->first], two = cloud->members[b->first + 1];
    double x1 = cloud->r[one].x - b->r.x, x2 = cloud->r[two].x - b->r.x;
    ENSURE_NEAR(cloud->f[one].z / weight, x2 / (x2 - x1), 1e-5);
    ENSURE_NEAR(cloud->f[two].z / weight, -x1 / (x2 - x1), 1e-5);
    fixture_close(&f);
}

// A dumbbell that rolls down: a = g sin φ / (1 + I / M R²), with an inertia that no sphere has.
static void test_rolls(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Stuff s = GLASS;
    s.pair = (RbGrainPair){.restitution = 0.5, .sliding = 0.5};
    double phi = 0.2, mass = 0.002, I = 1.1e-8, R = 0.004, g = 9.81;
    RbCloud *cloud = cloud_of(&f.arena, s, 5e-6, 1);
    cloud->options.gravity = v3(g * sin(phi), 0, -g * cos(phi));
    add_ground(cloud, &f.arena);
    const double spheres[12] = {0, 0, 0, 0.0035, 0, -0.006, 0, R, 0, 0.006, 0, R};
    const RbClump *c = form_of(&f, 3, spheres, mass, m3_diagonal(v3(6e-8, I, 6.5e-8)));
    // As deep as it will be: Hertz, half of the weight on each end.
    RbGrainLaw law = law_of_stuff(s);
    double depth = pow(0.5 * mass * g * cos(phi) / (law.normal * sqrt(R)), 2.0 / 3);
    rb_cloud_add_clump(cloud, clump_at(cloud, c, s, v3(0, 0, R - depth), Q_IDENTITY));
    rb_cloud_start(cloud);
    run(cloud, 40000);
    const RbGrainBody *b = &cloud->bodies.data[0];
    double arm = R - 0.5 * depth, a = g * sin(phi) / (1 + I / (mass * arm * arm));
    ENSURE_NEAR(b->v.x / (a * cloud->time), 1, 2e-4);
    ENSURE_NEAR(b->w.y * arm / b->v.x, 1, 1e-4);
    ENSURE_NEAR(b->v.y, 0, 1e-12);
    fixture_close(&f);
}

// ---- conservation

static RbCloud *flying(Fixture *f, double step, double e, double sliding) {
    Stuff s = GLASS;
    s.pair = (RbGrainPair){.restitution = e, .sliding = sliding};
    RbCloud *cloud = cloud_of(&f->arena, s, step, 1);
    const RbClump *pebble = form(f, 3, PEBBLE);
    RbRng rng = rb_rng(5);
    for (int k = 0; k < 40; k++) {
        Vec3 r = v3_scale(0.022, v3(k % 4, k / 4 % 4, k / 16));
        if (k % 5 == 4) { // a sphere among them
            RbGrain g = grain(s, 0.005, r, v3_scale(-20, v3_sub(r, v3(0.03, 0.03, 0.02))));
            rb_cloud_add(cloud, g);
            continue;
        }
        RbGrainClump c = clump_at(cloud, pebble, s, r, rb_rng_orientation(&rng));
        c.v = v3_scale(-20, v3_sub(r, v3(0.03, 0.03, 0.02))); // all towards the middle
        c.w = v3_scale(30, rb_rng_direction(&rng));
        rb_cloud_add_clump(cloud, c);
    }
    rb_cloud_start(cloud);
    return cloud;
}

static void test_momentum(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = flying(&f, 1e-5, 0.6, 0.4);
    keeps_momentum(cloud, 6000);
    ENSURE(rb_cloud_ledger(cloud).rubbed > 0.05 * rb_cloud_ledger(cloud).kinetic);
    fixture_close(&f);
}

// The account closes better with a smaller step; elastic and smooth, the energy stays.
static double energy_error(double step, double e, double sliding) {
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = flying(&f, step, e, sliding);
    double start = rb_cloud_ledger(cloud).kinetic + rb_cloud_ledger(cloud).turning;
    double error = 0; // the largest on the way
    for (int k = 0; k < 300; k++) {
        run(cloud, lround(0.03 / step) / 300);
        error = fmax(error, fabs(rb_cloud_ledger(cloud).balance) / start);
    }
    RbGrainLedger l = rb_cloud_ledger(cloud);
    ENSURE(e == 1 ? l.damped < 1e-15 : l.damped > 0.1 * start);
    fixture_close(&f);
    return error;
}

static void test_energy(void **state) {
    (void)state;
    double smooth = energy_error(1e-5, 1, 0), finer = energy_error(2.5e-6, 1, 0);
    double rough = energy_error(1e-5, 0.6, 0.4), less = energy_error(2.5e-6, 0.6, 0.4);
    print_message("balance: %.2e -> %.2e, with friction %.2e -> %.2e\n", smooth, finer, rough,
                  less);
    ENSURE(smooth < 1e-3 && finer < smooth / 8);
    ENSURE(rough < 1e-2 && less < rough / 2.5);
}

// ---- a medium: a ball of the same volume

static void test_medium(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = cloud_of(&f.arena, GLASS, 1e-4, 1);
    cloud->options.gravity = v3(0, 0, -9.81);
    cloud->options.medium = (RbGrainMedium){.density = 900, .viscosity = 10};
    const RbClump *pebble = form(&f, 3, PEBBLE);
    rb_cloud_add_clump(cloud, clump_at(cloud, pebble, GLASS, V3_ZERO, Q_IDENTITY));
    rb_cloud_start(cloud);
    run(cloud, 3000);
    // Stokes, with Schiller and Naumann's correction of a few percent by iteration.
    double R = cbrt(pebble->volume * 3 / (4 * M_PI)), v = 0;
    for (int k = 0; k < 50; k++) {
        double re = 2 * R * 900 * v / 10;
        v = (2500 - 900) * 9.81 * pebble->volume /
            (6 * M_PI * 10 * R * (1 + 0.15 * pow(re, 0.687)));
    }
    ENSURE_NEAR(cloud->bodies.data[0].v.z / -v, 1, 1e-9);
    ENSURE_NEAR(rb_cloud_ledger(cloud).balance / rb_cloud_ledger(cloud).dragged, 0, 1e-3);
    fixture_close(&f);
}

// ---- what is refused

static void refuse(Fixture *f, RbClumpSpec spec, const char *text) {
    RbClump clump;
    spec.name = "stones";
    f->diag = rb_diag(&f->arena);
    ENSURE(rb_clump(&spec, &f->arena, f->scratch, &f->diag, &clump) == RB_ERROR_MODEL);
    ENSURE(f->diag.messages.count == 1);
    assert_string_equal(f->diag.messages.data[0].text, text);
}

static void test_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double apart[] = {0, 0, 0, 1, 1.5, 0, 0, 1, 5, 0, 0, 1};
    const double negative[] = {0, 0, 0, 1, 1, 0, 0, -0.5}, nowhere[] = {NAN, 0, 0, 1};
    refuse(
        &f, (RbClumpSpec){.count = 0},
        "the clump of 'stones' consists of 0 spheres; it must have at least one and at most 1000");
    refuse(&f, (RbClumpSpec){.count = 3, .spheres = apart},
           "the spheres of the clump of 'stones' do not hang together: sphere 3 does not touch "
           "those that are joined to sphere 1; move it nearer, or enlarge it");
    refuse(&f, (RbClumpSpec){.count = 2, .spheres = negative},
           "sphere 2 of the clump of 'stones' has the radius -0.5 m; it must be positive");
    const double huge[] = {0, 0, 0, 1e308};
    refuse(&f, (RbClumpSpec){.count = 1, .spheres = huge},
           "the volume or inertia of the clump of 'stones' is beyond all numbers: are its spheres in "
           "m?");
    refuse(&f, (RbClumpSpec){.count = 1, .spheres = nowhere},
           "sphere 1 of the clump of 'stones' is at (nan, 0, 0) m; these must be numbers");
    refuse(
        &f,
        (RbClumpSpec){.count = 2, .spheres = apart, .mass = 1, .inertia = m3_diagonal(v3(1, 1, 3))},
        "no body has the inertia tensor of the clump of 'stones': its principal moments are 1, 1 "
        "and 3 kg m2; all must be positive, and none larger than the other two together");
    refuse(&f, (RbClumpSpec){.count = 2, .spheres = apart, .mass = -1, .inertia = M3_IDENTITY},
           "the clump of 'stones' has the mass -1 kg at (0, 0, 0) m; the mass must be positive and "
           "all finite");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_top),     cmocka_unit_test(test_one_sphere),
        cmocka_unit_test(test_one_end_hits), cmocka_unit_test(test_flat_on_several),
        cmocka_unit_test(test_rests),        cmocka_unit_test(test_rolls),
        cmocka_unit_test(test_momentum),     cmocka_unit_test(test_energy),
        cmocka_unit_test(test_medium),       cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

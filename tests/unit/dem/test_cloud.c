// SPDX-License-Identifier: MIT
// Two grains, and clouds of them, against what is known without our program.
#include "grains.h"

// ---- two grains against an integration of the same law by another method

typedef struct Pair {
    double x, z;           // [m] grain 1 relative to grain 2
    double vx, vz, w1, w2; // [m/s], [rad/s] about y
    double spring;         // [m]
} Pair;

// Rates of a pair of equal grains in the plane, written as scalars: normal along the line of centres,
// tangent t = y x n. force: on grain 1.
static Pair rates(const Pair *p, Stuff s, double radius) {
    double E = s.modulus / (2 * (1 - s.poisson * s.poisson));
    double G = s.modulus / (4 * (1 + s.poisson) * (2 - s.poisson));
    double m = mass_of(s, radius), inertia = 0.4 * m * radius * radius;
    double b = -log(s.pair.restitution) / hypot(log(s.pair.restitution), M_PI);
    double d = hypot(p->x, p->z), nx = p->x / d, nz = p->z / d, tx = nz, tz = -nx;
    double depth = 2 * radius - d, arm = radius - depth / 2;
    double vn = p->vx * nx + p->vz * nz;
    if (depth < 0 && vn > 0) return (Pair){p->vx, p->vz, 0, 0, 0, 0, 0};
    depth = fmax(depth, 0); // at the start it may be a rounding less
    double a = sqrt(radius / 2 * depth), kn = 4.0 / 3 * E * a, kt = 8 * G * a;
    double vt = p->vx * tx + p->vz * tz;
    // Point of grain 1 that touches is at -arm n: w x (-arm n) = -arm w (y x n) = -arm w t.
    double slip = vt - arm * (p->w1 + p->w2);
    double normal = kn * depth - sqrt(5) * b * sqrt(m / 2 * kn) * vn;
    double brake = 2 * sqrt(5.0 / 6) * b * sqrt(m / 2 * kt);
    double friction = -kt * p->spring - brake * slip;
    double limit = s.pair.sliding * fmax(0, normal);
    friction = fmax(-limit, fmin(limit, friction));
    double fx = normal * nx + friction * tx, fz = normal * nz + friction * tz;
    double turn = -arm * friction / inertia;
    return (Pair){p->vx, p->vz, 2 * fx / m, 2 * fz / m, turn, turn, slip};
}

static Pair axpy(const Pair *p, double h, const Pair *k) {
    return (Pair){p->x + h * k->x,   p->z + h * k->z,   p->vx + h * k->vx,        p->vz + h * k->vz,
                  p->w1 + h * k->w1, p->w2 + h * k->w2, p->spring + h * k->spring};
}

// The spring is cut to the limit of friction after every (tiny) step.
static void limit_spring(Pair *p, Stuff s, double radius) {
    double E = s.modulus / (2 * (1 - s.poisson * s.poisson));
    double G = s.modulus / (4 * (1 + s.poisson) * (2 - s.poisson));
    double d = hypot(p->x, p->z), depth = 2 * radius - d, m = mass_of(s, radius);
    if (depth <= 0) {
        p->spring = 0;
        return;
    }
    double b = -log(s.pair.restitution) / hypot(log(s.pair.restitution), M_PI);
    double a = sqrt(radius / 2 * depth), kn = 4.0 / 3 * E * a, kt = 8 * G * a;
    double vn = (p->vx * p->x + p->vz * p->z) / d;
    double limit = s.pair.sliding * fmax(0, kn * depth - sqrt(5) * b * sqrt(m / 2 * kn) * vn) / kt;
    if (fabs(p->spring) > limit) p->spring = copysign(limit, p->spring);
}

static Pair exact_impact(Pair p, Stuff s, double radius, double h, double until) {
    for (long n = lround(until / h); n > 0; n--) {
        Pair k1 = rates(&p, s, radius), at = axpy(&p, h / 2, &k1);
        Pair k2 = rates(&at, s, radius);
        at = axpy(&p, h / 2, &k2);
        Pair k3 = rates(&at, s, radius);
        at = axpy(&p, h, &k3);
        Pair k4 = rates(&at, s, radius);
        p = axpy(&p, h / 6, &k1), p = axpy(&p, h / 3, &k2);
        p = axpy(&p, h / 3, &k3), p = axpy(&p, h / 6, &k4);
        limit_spring(&p, s, radius);
    }
    return p;
}

// The same by the cloud, which starts some time before they touch.
static Pair cloud_impact(Fixture *f, Pair p, Stuff s, double radius, double h, double before) {
    RbCloud *cloud = cloud_of(&f->arena, s, h, 1);
    Vec3 v = v3(p.vx / 2, 0, p.vz / 2), way = v3_scale(before, v);
    RbGrain a = grain(s, radius, v3_sub(v3(p.x, 0, p.z), way), v);
    RbGrain b = grain(s, radius, way, v3_neg(v));
    a.w = v3(0, p.w1, 0), b.w = v3(0, p.w2, 0);
    rb_cloud_add(cloud, a);
    rb_cloud_add(cloud, b);
    rb_cloud_start(cloud);
    run(cloud, lround(2.4e-3 / h));
    int i = index_of(cloud, 0), j = index_of(cloud, 1);
    v = v3_sub(vector(cloud->v[i]), vector(cloud->v[j]));
    return (Pair){0, 0, v.x, v.z, cloud->w[i].y, cloud->w[j].y, 0};
}

static const double RADIUS = 0.005;

// They just touch.
static Pair approach(double normal, double tangential) {
    return (Pair){.x = 0.3 * 2 * RADIUS,
                  .z = sqrt(1 - 0.09) * 2 * RADIUS,
                  .vx = -0.3 * normal + sqrt(1 - 0.09) * tangential,
                  .vz = -sqrt(1 - 0.09) * normal - 0.3 * tangential};
}

// Errors over impacts that begin in different phases of a step.
static double impact_error(Pair start, Stuff s, const Pair *want, double h) {
    double error = 0;
    for (int phase = 0; phase < 4; phase++) {
        Fixture f;
        fixture_open(&f);
        Pair got = cloud_impact(&f, start, s, RADIUS, h, 20e-6 + 0.27 * phase * h);
        double spin = RADIUS * fmax(fabs(got.w1 - want->w1), fabs(got.w2 - want->w2));
        error = fmax(error, fmax(hypot(got.vx - want->vx, got.vz - want->vz), spin));
        fixture_close(&f);
    }
    return error;
}

static void test_oblique_impact(void **state) {
    (void)state;
    const double speeds[][2] = {{0.5, 0.2}, {0.5, 1.0}, {1.0, 0.05}};
    const RbGrainPair pairs[] = {{.restitution = 1, .sliding = 0.3},
                                 {.restitution = 1, .sliding = 100}};
    for (int k = 0; k < 2; k++) {
        for (int n = 0; n < 3; n++) {
            Stuff s = GLASS;
            s.pair = pairs[k];
            Pair start = approach(speeds[n][0], speeds[n][1]);
            Pair want = exact_impact(start, s, RADIUS, 4e-8, 2.4e-3);
            double coarse = impact_error(start, s, &want, 2e-6);
            double fine = impact_error(start, s, &want, 5e-7);
            ENSURE(coarse < 5e-5);     // of 1 m/s, with 700 steps in a contact
            ENSURE(fine < coarse / 8); // order 1.5 at least; 2 where nothing sticks at the end
        }
    }
}

// Damping begins with the fourth root of the depth, so the first step of a contact costs an order.
static void test_damped_impact(void **state) {
    (void)state;
    const double speeds[][2] = {{0.5, 0.2}, {0.5, 1.0}, {1.0, 0.05}};
    for (int n = 0; n < 3; n++) {
        Pair start = approach(speeds[n][0], speeds[n][1]);
        Pair want = exact_impact(start, GLASS, RADIUS, 1e-8, 2.4e-3);
        double coarse = impact_error(start, GLASS, &want, 2e-6);
        double fine = impact_error(start, GLASS, &want, 2.5e-7);
        ENSURE(coarse < 1e-3);
        ENSURE(fine < coarse / 5); // a step that is eight times smaller
    }
}

// Two spheres at 0.5 m/s normal and 0.2 m/s tangential, as LIGGGHTS 3.8.0 computed them (`hertz`,
// `tangential history`): half the relative velocity afterwards, and the spin. Its damper across is not limited by friction and rubs while the
// normal force pulls, so it turns them by 0.7 % more.
static void test_as_liggghts(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Pair start = {.x = -2 * RADIUS, .vx = 0.5, .vz = 0.2};
    Pair got = cloud_impact(&f, start, GLASS, RADIUS, 1e-7, 20e-6);
    ENSURE_NEAR(got.vx / 2, -0.123528, 2e-5);
    ENSURE_NEAR(got.vz / 2, 0.074640, 3e-4);
    ENSURE_NEAR(fabs(got.w1), 14.185, 0.12);
    fixture_close(&f);
}

// ---- restitution

static double bounce(Fixture *f, Stuff s, double speed, double steps_per_contact) {
    RbGrainLaw law = law_of_stuff(s);
    double m = mass_of(s, RADIUS), time = rb_grain_contact_time(&law, m, RADIUS, speed);
    RbCloud *cloud = cloud_of(&f->arena, s, time / steps_per_contact, 1);
    add_ground(cloud, &f->arena);
    rb_cloud_add(cloud, grain(s, RADIUS, v3(0, 0, RADIUS + 0.3 * speed * time), v3(0, 0, -speed)));
    rb_cloud_start(cloud);
    run(cloud, lround(5 * steps_per_contact));
    return cloud->v[0].z / speed;
}

static void test_restitution(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double typed[] = {0.1, 0.3, 0.5, 0.9, 1};
    for (int k = 0; k < 5; k++) {
        for (double speed = 0.01; speed < 2; speed *= 10) {
            Stuff s = GLASS;
            s.pair.restitution = typed[k];
            ENSURE_NEAR(bounce(&f, s, speed, 500), typed[k], 4e-4);
        }
    }
    fixture_close(&f);
}

// Duration of an elastic impact: Hertz's closed form, by the time at which the force is zero again.
static void test_contact_time(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Stuff s = GLASS;
    s.pair.restitution = 1;
    RbGrainLaw law = law_of_stuff(s);
    double m = mass_of(s, RADIUS), E = s.modulus / (2 * (1 - s.poisson * s.poisson));
    // 2.943 (5 m / (4 √R 4/3 E))^2/5 v^-1/5
    double want =
        2.9432751843247 * pow(1.25 * m / (4.0 / 3 * E * sqrt(RADIUS)), 0.4) * pow(0.4, -0.2);
    ENSURE_NEAR(rb_grain_contact_time(&law, m, RADIUS, 0.4), want, 1e-9 * want);
    RbCloud *cloud = cloud_of(&f.arena, s, want / 2000, 1);
    add_ground(cloud, &f.arena);
    rb_cloud_add(cloud, grain(s, RADIUS, v3(0, 0, RADIUS * (1 + 1e-12)), v3(0, 0, -0.4)));
    rb_cloud_start(cloud);
    int touching = 0;
    for (int k = 0; k < 4000; k++) {
        rb_cloud_step(cloud, NULL);
        touching += cloud->wall_contacts > 0;
    }
    ENSURE_NEAR(touching / 2000.0, 1, 1e-3);
    fixture_close(&f);
}

// ---- a chain of spheres that just touch

enum { CHAIN = 120 };

typedef struct Chain {
    double x[CHAIN], v[CHAIN]; // [m] displacements, [m/s]
} Chain;

static Chain chain_rates(const Chain *c, double stiffness, double m) {
    Chain out = {0};
    for (int k = 0; k < CHAIN; k++) {
        double left = k > 0 ? fmax(c->x[k - 1] - c->x[k], 0) : 0;
        double right = k + 1 < CHAIN ? fmax(c->x[k] - c->x[k + 1], 0) : 0;
        out.x[k] = c->v[k];
        out.v[k] = stiffness * (left * sqrt(left) - right * sqrt(right)) / m;
    }
    return out;
}

static Chain chain_axpy(const Chain *a, double h, const Chain *b) {
    Chain out;
    for (int k = 0; k < CHAIN; k++)
        out.x[k] = a->x[k] + h * b->x[k], out.v[k] = a->v[k] + h * b->v[k];
    return out;
}

// When sphere 60 and sphere 100 are fastest, and the velocities around the latter then.
typedef struct Wave {
    double time[2], fastest[2], around[3];
} Wave;

static void watch_wave(Wave *w, double time, double v60, const double around[3]) {
    const double v[2] = {v60, around[1]};
    for (int k = 0; k < 2; k++) {
        if (v[k] <= w->fastest[k]) continue;
        w->fastest[k] = v[k];
        w->time[k] = time;
        for (int n = 0; k == 1 && n < 3; n++) w->around[n] = around[n];
    }
}

static Wave wave_by_runge_kutta(Stuff s, double speed, double h, double until) {
    double E = s.modulus / (2 * (1 - s.poisson * s.poisson)), m = mass_of(s, RADIUS);
    double stiffness = 4.0 / 3 * E * sqrt(RADIUS / 2);
    Chain c = {0};
    Wave wave = {0};
    c.v[0] = speed;
    for (int n = 1; n * h <= until; n++) {
        Chain k1 = chain_rates(&c, stiffness, m), at = chain_axpy(&c, h / 2, &k1);
        Chain k2 = chain_rates(&at, stiffness, m);
        at = chain_axpy(&c, h / 2, &k2);
        Chain k3 = chain_rates(&at, stiffness, m);
        at = chain_axpy(&c, h, &k3);
        Chain k4 = chain_rates(&at, stiffness, m);
        c = chain_axpy(&c, h / 6, &k1), c = chain_axpy(&c, h / 3, &k2);
        c = chain_axpy(&c, h / 3, &k3), c = chain_axpy(&c, h / 6, &k4);
        watch_wave(&wave, n * h, c.v[60], c.v + 99);
    }
    return wave;
}

static Wave wave_by_cloud(Fixture *f, Stuff s, double speed, double h, double until) {
    RbCloud *cloud = cloud_of(&f->arena, s, h, 1);
    for (int k = 0; k < CHAIN; k++)
        rb_cloud_add(cloud,
                     grain(s, RADIUS, v3(2 * RADIUS * k, 0, 0), v3(k == 0 ? speed : 0, 0, 0)));
    rb_cloud_start(cloud);
    Wave wave = {0};
    while (cloud->time < until) {
        rb_cloud_step(cloud, NULL);
        double around[3];
        for (int k = 0; k < 3; k++) around[k] = cloud->v[index_of(cloud, 99 + k)].x;
        watch_wave(&wave, cloud->time, cloud->v[index_of(cloud, 60)].x, around);
    }
    return wave;
}

// A solitary wave in a chain of spheres that just touch, against an integration of the chain by another
// method, and against the long-wave theory of Nesterenko (1983): with the largest velocity v_m of a
// sphere the wave has the speed
//     V = (16/25)^(1/5) c^(4/5) v_m^(1/5),   c² = 2 E / (ρ π (1 - ν²))
// A chain is not a continuum, so this holds to some per cent.
static void test_solitary_wave(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Stuff s = GLASS;
    s.pair.restitution = 1;
    Wave got = wave_by_cloud(&f, s, 0.1, 4e-6, 0.12),
         want = wave_by_runge_kutta(s, 0.1, 8e-6, 0.12);
    double V = 40 * 2 * RADIUS / (got.time[1] - got.time[0]);
    double exact = 40 * 2 * RADIUS / (want.time[1] - want.time[0]);
    double c = sqrt(2 * s.modulus / (s.density * M_PI * (1 - s.poisson * s.poisson)));
    double theory = pow(16.0 / 25, 0.2) * pow(c, 0.8) * pow(got.fastest[1], 0.2);
    ENSURE_NEAR(V, exact, 1e-3 * exact); // the times are known to a step
    ENSURE_NEAR(V, theory, 0.02 * theory);
    ENSURE_NEAR(got.fastest[1], want.fastest[1], 1e-4 * want.fastest[1]);
    ENSURE_NEAR(got.fastest[0], got.fastest[1], 1e-3 * got.fastest[1]); // it keeps its form
    for (int k = 0; k < 3; k++) ENSURE_NEAR(got.around[k], want.around[k], 5e-3 * got.fastest[1]);
    fixture_close(&f);
}

// ---- many grains

static const Stuff SAND = {5e6, 0.3, 2500, {0.6, 0.4, 0.05, 0.02}};

// A dense ball of grains that flies apart: nothing acts from outside.
static void test_momentum(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = cloud_of(&f.arena, SAND, 5e-6, 1);
    RbRng rng = rb_rng(3);
    for (int k = 0; k < 1200; k++) {
        Vec3 cell = v3(k % 12, k / 12 % 10, k / 120);
        Vec3 r = v3_scale(2 * RADIUS, cell), out = v3_sub(v3(0.055, 0.045, 0.045), r);
        RbGrain g = grain(SAND, RADIUS * rb_rng_range(&rng, 0.7, 1), r,
                          v3_add(v3_scale(20, out), v3_scale(0.3, rb_rng_direction(&rng))));
        g.w = v3_scale(30, rb_rng_direction(&rng));
        rb_cloud_add(cloud, g);
    }
    rb_cloud_start(cloud);
    Wrench before = rb_cloud_momentum(cloud);
    double scale_f = 0, scale_t = 0, most = 0;
    for (int i = 0; i < cloud->count; i++) {
        double p = cloud->v[i].w * v3_norm(vector(cloud->v[i]));
        scale_f += p;
        scale_t += p * 0.1;
    }
    for (int k = 0; k < 3000; k++) {
        rb_cloud_step(cloud, NULL);
        most = fmax(most, (double)cloud->contacts);
    }
    Wrench after = rb_cloud_momentum(cloud);
    ENSURE(most > 1500 && cloud->rebuilds > 5);
    ENSURE_NEAR(v3_distance(after.f, before.f), 0, 1e-13 * scale_f);
    ENSURE_NEAR(v3_distance(after.t, before.t), 0, 1e-13 * scale_t);
    fixture_close(&f);
}

static double ledger_error(double step, RbGrainPair pair) {
    Fixture f;
    fixture_open(&f);
    Stuff s = SAND;
    s.pair = pair;
    RbCloud *cloud = cloud_of(&f.arena, s, step, 1);
    cloud->options.gravity = v3(0, 0, -9.81);
    add_box(cloud, &f.arena, 0.06);
    add_heap(cloud, s, 150, RADIUS, 0.06, 5);
    rb_cloud_start(cloud);
    double start = rb_cloud_ledger(cloud).kinetic + rb_cloud_ledger(cloud).height, worst = 0;
    long contacts = 0;
    while (cloud->time < 0.1) {
        run(cloud, 10);
        worst = fmax(worst, fabs(rb_cloud_ledger(cloud).balance));
        contacts += cloud->contacts;
    }
    ENSURE((double)contacts * step > 0.1); // of 0.1 s: many at any time
    fixture_close(&f);
    return worst / start;
}

static void test_energy(void **state) {
    (void)state;
    const RbGrainPair pairs[] = {
        {1, 0, 0, 0}, {1, 0.4, 0, 0}, {1, 0.4, 0.05, 0.02}, {0.6, 0.4, 0.05, 0.02}};
    for (int k = 0; k < 4; k++) {
        double coarse = ledger_error(2e-5, pairs[k]), fine = ledger_error(5e-6, pairs[k]);
        ENSURE(coarse < 1e-3); // of the energy at the start, with 60 steps in a contact
        ENSURE(fine < coarse / 8);
    }
}

// ---- contacts told one by one

static void add_touch(void *user, const RbCloud *cloud, const RbGrainTouch *touch) {
    (void)cloud;
    Vec3 *on = user;
    on[touch->grain] = v3_add(on[touch->grain], touch->force);
    if (touch->other >= 0) on[touch->other] = v3_sub(on[touch->other], touch->force);
}

// A grain that slides is braked by μ times its weight: so it is told, and so it stays when the forces are computed once more.
static void test_told_sliding(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = cloud_of(&f.arena, GLASS, 1e-5, 1);
    cloud->options.gravity = v3(0, 0, -9.81);
    add_ground(cloud, &f.arena);
    rb_cloud_add(cloud, grain(GLASS, RADIUS, v3(0, 0, RADIUS), v3(0.5, 0, 0)));
    rb_cloud_start(cloud);
    run(cloud, 3000);
    double weight = mass_of(GLASS, RADIUS) * 9.81;
    for (int k = 0; k < 200; k++) {
        Vec3 on = V3_ZERO;
        run(cloud, 1);
        rb_cloud_contacts(cloud, add_touch, &on);
        ENSURE_NEAR(on.x / weight, -GLASS.pair.sliding, 1e-3);
    }
    rb_cloud_start(cloud);
    ENSURE_NEAR(cloud->f[0].x / weight, -GLASS.pair.sliding, 1e-3);
    fixture_close(&f);
}

// In a heap that falls the contacts told make up what acts on each grain.
static void test_told_heap(void **state) {
    (void)state;
    enum { N = 300 };
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = cloud_of(&f.arena, SAND, 1e-5, 1);
    cloud->options.gravity = v3(0, 0, -9.81);
    add_box(cloud, &f.arena, 0.06);
    add_heap(cloud, SAND, N, RADIUS, 0.06, 5);
    rb_cloud_start(cloud);
    for (int look = 0; look < 5; look++) {
        Vec3 on[N] = {0};
        double wrong = 0, all = 0;
        run(cloud, 4000);
        rb_cloud_contacts(cloud, add_touch, on);
        for (int i = 0; i < N; i++) {
            wrong += v3_norm2(v3_sub(on[i], vector(cloud->f[i])));
            all += v3_norm2(vector(cloud->f[i]));
        }
        ENSURE(sqrt(wrong / all) < 1e-3);
    }
    fixture_close(&f);
}

// A sphere that rests on the ground and spins about the vertical is braked by μ_t R m g: ω falls by 5/2 μ_t g / R per second, and stays 0.
static void test_twisting(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Stuff s = GLASS;
    double R = 0.005, g = 9.81, mu_t = 0.02, w = 20;
    s.pair.twisting = mu_t;
    RbCloud *cloud = cloud_of(&f.arena, s, 1e-5, 1);
    cloud->options.gravity = v3(0, 0, -g);
    add_ground(cloud, &f.arena);
    RbGrainLaw law = law_of_stuff(s);
    double depth = pow(mass_of(s, R) * g / (law.normal * sqrt(R)), 2.0 / 3);
    rb_cloud_add(cloud, grain(s, R, v3(0, 0, R - depth), V3_ZERO));
    cloud->w[0].z = w;
    rb_cloud_start(cloud);
    double braking = 2.5 * mu_t * g / R, stop = w / braking;
    while (cloud->time < 0.4 * stop) rb_cloud_step(cloud, NULL); // the spring is wound up
    double since = cloud->time, before = cloud->w[0].z;
    while (cloud->time < 0.6 * stop) rb_cloud_step(cloud, NULL);
    ENSURE_NEAR((before - cloud->w[0].z) / (cloud->time - since), braking, 2e-3 * braking);
    while (cloud->time < 4 * stop) rb_cloud_step(cloud, NULL); // the spring swings, and is damped
    ENSURE_NEAR(cloud->w[0].z, 0, 1e-2);
    double spin = 0.2 * mass_of(s, R) * R * R * w * w; // its energy
    ENSURE_NEAR(rb_cloud_ledger(cloud).resisted / spin, 1, 1e-2);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twisting),      cmocka_unit_test(test_oblique_impact),
        cmocka_unit_test(test_damped_impact), cmocka_unit_test(test_as_liggghts),
        cmocka_unit_test(test_restitution),   cmocka_unit_test(test_contact_time),
        cmocka_unit_test(test_solitary_wave), cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_energy),        cmocka_unit_test(test_told_sliding),
        cmocka_unit_test(test_told_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

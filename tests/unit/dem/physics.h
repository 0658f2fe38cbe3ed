// SPDX-License-Identifier: MIT
// physics.h: what is known of granular matter from outside, as experiments with a cloud: packings, silos, orifices,
// heaps. test_grain_physics.c makes them small, test_grain_physics_large.c large.
#pragma once

#include <string.h>

#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "grains.h"

static const double D = 0.01; // [m] diameter of grains, all the same
static const double GRAVITY = 9.81;

// Soft, strongly damped; friction as given.
static inline Stuff beads(double modulus, double friction) {
    return (Stuff){modulus, 0.3, 2500, {.restitution = 0.3, .sliding = friction}};
}

// A fortieth of a contact at the speed of a fall by three diameters.
static inline double fitting_step(Stuff s) {
    RbGrainLaw law = law_of_stuff(s);
    double speed = sqrt(2 * GRAVITY * 3 * D);
    return rb_grain_contact_time(&law, mass_of(s, D / 2) / 2, D / 4, speed) / 40;
}

static inline RbCloud *cloud_under_gravity(Fixture *f, Stuff s, double step) {
    RbGrainLaw law = law_of_stuff(s);
    RbCloudOptions options = {
        .materials = 1, .laws = &law, .step = step, .gravity = {0, 0, -GRAVITY}};
    return rb_cloud(&f->arena, &options);
}

// n grains, loosely, in [0, a] x [0, a] from height `from` up, falling.
static inline void pour(RbCloud *cloud, Stuff s, int n, double a, double from, uint64_t seed) {
    RbRng rng = rb_rng(seed);
    int side = (int)(a / (1.02 * D));
    double cell = a / side, loose = 0.5 * (cell - D);
    for (int k = 0; k < n; k++) {
        Vec3 r = v3((k % side + 0.5) * cell + rb_rng_range(&rng, -loose, loose),
                    (k / side % side + 0.5) * cell + rb_rng_range(&rng, -loose, loose),
                    from + (k / (side * side) + 0.5) * 1.02 * D);
        Vec3 v = v3_axpy(v3(0, 0, -0.3), 0.2, rb_rng_direction(&rng));
        rb_cloud_add(cloud, grain(s, D / 2, r, v));
    }
}

static inline void run_for(RbCloud *cloud, double time) {
    run(cloud, lround(time / cloud->options.step));
}

// [J] of motion, per grain, over what lifts one by its diameter.
static inline double restlessness(const RbCloud *cloud) {
    RbGrainLedger l = rb_cloud_ledger(cloud);
    return l.kinetic / cloud->count / (cloud->v[0].w * GRAVITY * D);
}

static inline double top_of(const RbCloud *cloud) {
    double top = 0;
    for (int i = 0; i < cloud->count; i++) top = fmax(top, cloud->r[i].z);
    return top;
}

static inline void settle(RbCloud *cloud, double most) {
    double start = cloud->time;
    do run_for(cloud, 0.02);
    while (restlessness(cloud) > 1e-4 && cloud->time - start < most);
    ENSURE(restlessness(cloud) < 1e-3);
}

// ---- packing

// Part of the space between two corners that grains fill: each grain is sampled by points on a spiral of shells.
static inline double filled_part(const RbCloud *cloud, Vec3 low, Vec3 high) {
    enum { POINTS = 400 };
    double volume = 0;
    for (int i = 0; i < cloud->count; i++) {
        RbQuad r = cloud->r[i];
        int in = 0;
        for (int k = 0; k < POINTS; k++) {
            double z = 1 - (2 * k + 1.0) / POINTS, phi = 2.399963229728653 * k;
            double u = fmod(0.5 + 0.7548776662466927 * k, 1), rho = r.w * cbrt(u),
                   s = sqrt(1 - z * z);
            Vec3 p = v3_axpy(vector(r), rho, v3(s * cos(phi), s * sin(phi), z));
            in += p.x > low.x && p.x < high.x && p.y > low.y && p.y < high.y && p.z > low.z &&
                  p.z < high.z;
        }
        volume += 4.0 / 3 * M_PI * r.w * r.w * r.w * in / POINTS;
    }
    Vec3 size = v3_sub(high, low);
    return volume / (size.x * size.y * size.z);
}

// Settled spheres of one size in a box of `wide` diameters, away from its walls.
static inline double packing_fraction(Fixture *f, int n, int wide, double friction) {
    Stuff s = beads(5e6, friction);
    RbCloud *cloud = cloud_under_gravity(f, s, fitting_step(s));
    double a = wide * D, away = 2.5 * D;
    add_box(cloud, &f->arena, a);
    pour(cloud, s, n, a, 0, 3);
    rb_cloud_start(cloud);
    settle(cloud, 2);
    Vec3 low = v3(away, away, away), high = v3(a - away, a - away, top_of(cloud) - away);
    return filled_part(cloud, low, high);
}

// ---- a silo (Janssen)

// Slices of a silo of width a with square section, from the top down.
enum { SLICES = 9 };

typedef struct Silo {
    double width, height;    // [m] of the filling
    double density;          // [kg/m3] of the filling
    double pressure[SLICES]; // [Pa] on the walls
    double upright
        [SLICES]; // [Pa] vertical stress in the middle of each: what is above it less what the walls carry there
    double bottom, walls; // parts of the weight that the bottom and the walls carry
    double used;          // friction of the walls over its limit
} Silo;

typedef struct SiloLook {
    double top, slice;                 // [m]
    double push[SLICES], pull[SLICES]; // [N] of the walls on the grains: inward, upward
} SiloLook;

static inline void look_at_silo(void *user, const RbCloud *cloud, const RbGrainTouch *touch) {
    (void)cloud;
    SiloLook *l = user;
    int k = (int)((l->top - touch->point.z) / l->slice);
    if (touch->wall < 1 || k < 0 || k >= SLICES) return; // 0: the bottom
    l->push[k] += v3_dot(touch->force, touch->n);
    l->pull[k] += touch->force.z;
}

// [N] Weight of the grains above a height.
static inline double weight_above(const RbCloud *cloud, double z) {
    double sum = 0;
    for (int i = 0; i < cloud->count; i++) {
        if (cloud->r[i].z > z) sum += cloud->v[i].w * GRAVITY;
    }
    return sum;
}

// Adds to the sums of many looks.
static inline void measure_silo(RbCloud *cloud, Silo *silo, int looks) {
    double bottom = cloud->walls.data[0].X.r.z, top = top_of(cloud), above = 0, push = 0;
    double section = silo->width * silo->width, weight = weight_above(cloud, bottom - 1);
    SiloLook l = {.top = top, .slice = (top - bottom) / SLICES};
    rb_cloud_contacts(cloud, look_at_silo, &l);
    for (int k = 0; k < SLICES; k++) {
        double weighs = weight_above(cloud, top - (k + 0.5) * l.slice);
        silo->pressure[k] += l.push[k] / (4 * silo->width * l.slice) / looks;
        silo->upright[k] += (weighs - above - 0.5 * l.pull[k]) / section / looks;
        above += l.pull[k], push += l.push[k];
    }
    silo->height += (top - bottom) / looks;
    silo->bottom += -cloud->wall_loads[0].f.z / weight / looks;
    silo->walls += above / weight / looks;
    silo->used += above / push / looks;
}

// How much of the friction at the walls is used, now.
static inline double used_friction(const RbCloud *cloud, double friction) {
    double push = 0, pull = 0;
    for (int k = 1; k < cloud->walls.count; k++) { // 0: the bottom
        Vec3 on = cloud->wall_loads[k].f;
        push += v3_dot(on, m3_column(cloud->walls.data[k].X.R, 2)), pull += on.z;
    }
    return pull / push / friction;
}

// It is filled, then the bottom sinks, so slowly that nothing but weights counts, until friction at the walls is used up, without which
// Janssen says nothing (after filling a fifth of it is used): two to three diameters. Measured over the next one.
static inline Silo fill_silo(Fixture *f, Stuff s, int wide, int high, double speed) {
    enum { LOOKS = 60 };
    s.pair.rolling = 0.2; // otherwise they roll down the walls
    RbCloud *cloud = cloud_under_gravity(f, s, fitting_step(s));
    Silo silo = {.width = wide * D};
    add_box(cloud, &f->arena, silo.width);
    pour(cloud, s, (int)(wide * wide * high * 1.1), silo.width, 0, 8);
    rb_cloud_start(cloud);
    settle(cloud, 3);
    cloud->walls.data[0].V.v = v3(0, 0, -speed);
    do run_for(cloud, 0.25 * D / speed);
    while (used_friction(cloud, s.pair.sliding) < 0.99 && -cloud->walls.data[0].X.r.z < 6 * D);
    for (int k = 0; k < LOOKS; k++) {
        run_for(cloud, D / speed / LOOKS);
        measure_silo(cloud, &silo, LOOKS);
    }
    silo.used /= s.pair.sliding;
    double weight = cloud->count * mass_of(s, D / 2);
    silo.density = weight / (silo.width * silo.width * silo.height);
    return silo;
}

static inline double depth_of(const Silo *silo, int k) {
    return (k + 0.5) * silo->height / SLICES;
}

// Where the bottom, which holds the grains from spreading, is not near: there K is half of what it is above.
static inline bool is_far_from_bottom(const Silo *silo, int k) {
    return silo->height - depth_of(silo, k) > 1.5 * silo->width;
}

// Janssen (1895): p = p∞ (1 - exp(-z/λ)) with p∞ = ρ g a / (4 μ), whatever λ is; λ = a / (4 μ K), where K is the ratio of
// horizontal to vertical pressure. How far the measured pressures are from that, over p∞: root of the mean square.
static inline double misfit(const Silo *silo, double most, double lambda) {
    double sum = 0;
    int count = 0;
    for (int k = 0; k < SLICES; k++) {
        if (!is_far_from_bottom(silo, k)) continue;
        double d = silo->pressure[k] / most - (1 - exp(-depth_of(silo, k) / lambda));
        sum += d * d, count++;
    }
    return sqrt(sum / count);
}

static inline double fitted_length(const Silo *silo, double most) {
    double best = silo->width;
    for (double lambda = 0.3 * silo->width; lambda < 6 * silo->width; lambda *= 1.01) {
        if (misfit(silo, most, lambda) < misfit(silo, most, best)) best = lambda;
    }
    return best;
}

// What K may be: where the filling slides along the walls, the ratio of pressures is between those of Mohr's circle for a material that is about
// to yield sideways (active, sign -1) and upwards (passive, +1). Of spheres with friction φ is 30 degrees at most.
static inline double yield_ratio(double phi, double friction, double sign) {
    double wall = atan(friction), turn = asin(fmin(sin(wall) / sin(phi), 1));
    double s = sign * sin(phi) * cos(turn + sign * wall);
    return (1 + s) / (1 - s);
}

// K in two ways: horizontal over vertical pressure where both are known, height by height, below one width; and by the length over which
// the pressure saturates. They agree if K is the same at all heights, which is what Janssen assumes.
static inline void check_janssen(const Silo *silo, double friction, double tol) {
    double most = silo->density * GRAVITY * silo->width / (4 * friction);
    double low = 0, sides = 0, upright = 0;
    int saturated = 0;
    for (int k = 0; k < SLICES; k++) {
        if (!is_far_from_bottom(silo, k)) continue;
        if (depth_of(silo, k) > 1.5 * silo->width) low += silo->pressure[k], saturated++;
        if (depth_of(silo, k) > silo->width)
            sides += silo->pressure[k], upright += silo->upright[k];
    }
    double K = sides / upright, lambda = silo->width / (4 * friction * K);
    double by_length = silo->width / (4 * friction * fitted_length(silo, most));
    print_message("silo: walls and bottom %.3f, friction used %.3f, p/p_inf %.3f, K %.3f, %.3f by "
                  "the length, bottom %.3f, misfit %.3f\n",
                  silo->walls + silo->bottom, silo->used, low / saturated / most, K, by_length,
                  silo->bottom, misfit(silo, most, lambda));
    ENSURE_NEAR(silo->walls + silo->bottom, 1, 0.03); // nothing is accelerated
    ENSURE(silo->used > 0.95 && silo->used < 1 + 1e-6);
    ENSURE_NEAR(low / saturated / most, 1, tol);
    const double phi = M_PI / 6;
    ENSURE(K > yield_ratio(phi, friction, -1) && K < yield_ratio(phi, friction, 1));
    ENSURE_NEAR(by_length / K, 1, 0.15);
    ENSURE(misfit(silo, most, lambda) < tol); // with K from the pressures: nothing is fitted
    // Hydrostatics would have the whole weight on the bottom.
    ENSURE(silo->bottom < 0.4);
}

// ---- an orifice (Beverloo)

static inline bool has_left(void *user, Vec3 centre) {
    (void)user;
    return centre.z < -4 * D;
}

// [kg/s] through a round hole of diameter `hole` in the flat bottom of a box.
static inline double hole_flow(Fixture *f, int n, int wide, double hole) {
    Stuff s = beads(1e6, 0.5);
    RbCloud *cloud = cloud_under_gravity(f, s, fitting_step(s));
    double a = wide * D;
    RbMesh plate = rb_mesh_box(v3(a + 8 * D, a + 8 * D, D), &f->arena), bottom;
    plate = rb_mesh_map(&plate, M3_IDENTITY, v3(-4 * D, -4 * D, -D), &f->arena);
    RbMesh drill = rb_mesh_cone(hole / 2, hole / 2, 3 * D, 32, &f->arena);
    drill = rb_mesh_map(&drill, M3_IDENTITY, v3(a / 2, a / 2, -2 * D), &f->arena);
    ENSURE(rb_csg(RB_CSG_DIFFERENCE, &plate, "plate", &drill, "drill", RB_NOWHERE, &f->arena,
                  f->scratch, &f->diag, &bottom) == RB_OK);
    RbGrainMesh mesh;
    ENSURE(rb_grain_mesh(&bottom, "bottom", RB_NOWHERE, &f->arena, f->scratch, &f->diag, &mesh) ==
           RB_OK);
    add_box(cloud, &f->arena, a);
    cloud->walls.data[0].X.r.z = -20 * D; // its ground; the plate is the bottom
    rb_cloud_add_wall(cloud, (RbGrainWall){.mesh = &mesh, .X = POSE_IDENTITY});
    pour(cloud, s, n, a, 0, 4);
    rb_cloud_start(cloud);
    int out = 0, before = 0;
    double from = 0, m = mass_of(s, D / 2);
    while (out < n / 3) {
        run_for(cloud, 0.005);
        out += rb_cloud_remove(cloud, has_left, NULL);
        if (before == 0 && out > n / 12) before = out, from = cloud->time;
        ENSURE(cloud->time < 8);
    }
    return (out - before) * m / (cloud->time - from);
}

// W = C ρ √g (D - 1.4 d)^5/2, with C = 0.58: Beverloo, Leniger, van de Velde (1961). Checks the constant of each hole and answers the
// exponent, fitted to all.
static inline double beverloo_exponent(int n, int wide, const double *holes, int count) {
    double bulk = 0.58 * 2500, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 0; k < count; k++) {
        Fixture f;
        fixture_open(&f);
        double flow = hole_flow(&f, n, wide, holes[k] * D), free = (holes[k] - 1.4) * D;
        fixture_close(&f);
        ENSURE_NEAR(flow / (bulk * sqrt(GRAVITY) * pow(free, 2.5)), 0.58, 0.08);
        double x = log(free), y = log(flow);
        sx += x / count, sy += y / count, sxx += x * x / count, sxy += x * y / count;
    }
    return (sxy - sx * sy) / (sxx - sx * sx);
}

// ---- a heap

static inline bool has_fallen(void *user, Vec3 centre) {
    (void)user;
    return centre.z < -2 * D;
}

// Tangent of the slope of a heap on a round plate whose radius is `wide` diameters: what does not stay
// falls off. A cone with this mean height and mean radius has it: (H/4) / (R/2).
static inline double heap_slope(Fixture *f, int wide, double friction, double rolling) {
    Stuff s = beads(3e6, friction);
    s.pair.rolling = rolling;
    RbCloud *cloud = cloud_under_gravity(f, s, fitting_step(s));
    RbShape shape = rb_shape_cylinder(3, 2 * wide * D, 4 * D);
    shape.smoothing = 0;
    RbGrainWall plate = {.X = {v3(wide * D, wide * D, -2 * D), M3_IDENTITY}};
    plate.parts = rb_shape_cores(&shape, &f->arena, &plate.part_count);
    rb_cloud_add_wall(cloud, plate);
    int n = 2 * wide * wide * wide;
    pour(cloud, s, n, 2 * wide * D, 0, 6);
    rb_cloud_start(cloud);
    do {
        run_for(cloud, 0.05);
        rb_cloud_remove(cloud, has_fallen, NULL);
    } while (restlessness(cloud) > 1e-4 && cloud->time < 4);
    double height = 0, radius = 0;
    for (int i = 0; i < cloud->count; i++) {
        height += (cloud->r[i].z - D / 2) / cloud->count;
        radius += hypot(cloud->r[i].x - wide * D, cloud->r[i].y - wide * D) / cloud->count;
    }
    return 2 * height / radius;
}

// SPDX-License-Identifier: MIT
// Rays and swept motions: closed forms, and fine sampling of the motion as an oracle.
#include "testing.h"

#include "collide/distance.h"
#include "collide/ray.h"
#include "collide/sweep.h"
#include "geom/shape.h"
#include "math/rng.h"

static RbCore core_of(RbShape shape) {
    return rb_shape_core(&shape);
}

static RbCore sharp_box(Vec3 lengths) {
    RbShape shape = rb_shape_box(lengths);
    shape.smoothing = 0;
    return rb_shape_core(&shape);
}

static Pose at(double x, double y, double z) {
    return (Pose){v3(x, y, z), M3_IDENTITY};
}

static RbMotion moving(Vec3 v, Vec3 w) {
    return (RbMotion){v, w};
}

static void a_motion_is_what_its_velocities_say(void **state) {
    (void)state;
    Pose X = pose(v3(1, 2, 3), q_rotation(v3(0, 0, 1), 0.3));
    Pose Y = rb_motion_pose(X, moving(v3(1, 0, -1), v3(0, 0, 2)), 0.5);
    ENSURE_NEAR(v3_distance(Y.r, v3(1.5, 2, 2.5)), 0, 1e-15);
    ENSURE_NEAR(Y.R.x.x, cos(1.3), 1e-15);
    ENSURE_NEAR(Y.R.x.y, -sin(1.3), 1e-15);
}

// Ball of diameter d at height z above a plane, falling with v: contact at (z - d/2) / v.
static void a_ball_falls_on_a_plane(void **state) {
    (void)state;
    RbCore plane = core_of(rb_shape_halfspace()), ball = core_of(rb_shape_sphere(0.2));
    RbSweepBody a = {&plane, at(0, 0, 0), {V3_ZERO, V3_ZERO}};
    RbSweepBody b = {&ball, at(3, 4, 1.1), moving(v3(5, 0, -2), v3(7, 8, 9))};
    RbSweep s = rb_sweep(&a, &b, 10, 1e-12);
    ENSURE(s.status == RB_SWEEP_HIT && s.steps <= 3);
    ENSURE_NEAR(s.time, 0.5, 1e-12);
    ENSURE(s.time <= 0.5);
    ENSURE_NEAR(v3_distance(s.normal, v3(0, 0, 1)), 0, 1e-15);
    ENSURE_NEAR(v3_distance(s.point, v3(5.5, 4, 0)), 0, 1e-11);
    ENSURE(rb_sweep(&b, &a, 0.499, 1e-12).status == RB_SWEEP_MISS);
    a.motion.w = v3(0, 1, 0);
    ENSURE(rb_sweep(&a, &b, 1, 1e-12).status == RB_SWEEP_INVALID);
}

// A capsule of radius c turns about the z axis, its middle line along x at the start; a ball of
// radius r sits at (x, y) beside it. They touch when the distance of the ball's centre from the
// turned line is r + c: rho sin(phi0 - w t) = r + c.
static void a_turning_bar_hits_a_ball(void **state) {
    (void)state;
    RbCore bar = core_of(rb_shape_capsule(1, 0.1, 4)), ball = core_of(rb_shape_sphere(0.3));
    double x = 1.2, y = 0.9, w = 3.0, gap = 0.15 + 0.05;
    double want = (atan2(y, x) - asin(gap / hypot(x, y))) / w;
    RbSweepBody a = {&bar, at(0, 0, 0), moving(V3_ZERO, v3(0, 0, w))};
    RbSweepBody b = {&ball, at(x, y, 0),
                     moving(V3_ZERO, v3(100, 0, 0))}; // its own spin does not matter
    RbSweep s = rb_sweep(&a, &b, 10, 1e-12);
    ENSURE(s.status == RB_SWEEP_HIT && s.time <= want);
    ENSURE_NEAR(s.time, want, 1e-12);
    ENSURE(s.steps < 12);
}

// A sharp box that falls and turns about y: its lowest point is at z(t) - (a |sin(phi)| + c
// |cos(phi)|) with half lengths a, c.
static void a_tumbling_box_reaches_the_ground(void **state) {
    (void)state;
    RbCore plane = core_of(rb_shape_halfspace()), box = sharp_box(v3(0.4, 0.3, 0.2));
    double phi = 0.25 * M_PI, w = 5, v = 3;
    RbSweepBody a = {&plane, at(0, 0, 0), {V3_ZERO, V3_ZERO}};
    RbSweepBody b = {&box, pose(v3(0.5, 0, 1), q_rotation(v3(0, 1, 0), phi)),
                     moving(v3(0, 0, -v), v3(0, w, 0))};
    double low = 0,
           high = 1; // the first sign change, by fine sampling and bisection of the formula
    for (int i = 0; i < 100000; i++) {
        double t = 1e-5 * i, angle = phi + w * t;
        if (1 - v * t > 0.2 * fabs(sin(angle)) + 0.1 * fabs(cos(angle))) continue;
        low = t - 1e-5, high = t;
        break;
    }
    for (int i = 0; i < 60; i++) {
        double t = 0.5 * (low + high), angle = phi + w * t;
        *(1 - v * t > 0.2 * fabs(sin(angle)) + 0.1 * fabs(cos(angle)) ? &low : &high) = t;
    }
    for (int swap = 0; swap < 2; swap++) {
        RbSweep s = swap ? rb_sweep(&b, &a, 1, 1e-12) : rb_sweep(&a, &b, 1, 1e-12);
        ENSURE(s.status == RB_SWEEP_HIT && s.time <= high);
        ENSURE_NEAR(s.time, high, 1e-11);
        ENSURE_NEAR(s.point.z, 0, 1e-12);
        ENSURE_NEAR(s.normal.z, swap ? -1 : 1, 1e-15);
    }
}

// A paper-thin plate and a bullet that passes it within a microsecond.
static void nothing_tunnels(void **state) {
    (void)state;
    RbCore plate = sharp_box(v3(1, 1, 1e-6)), bullet = core_of(rb_shape_sphere(0.005));
    RbSweepBody a = {&plate, at(0, 0, 0), moving(V3_ZERO, v3(0, 0, 50))};
    RbSweepBody b = {&bullet, at(0.1, 0.2, 100), moving(v3(0, 0, -1e4), v3(0, 0, 0))};
    RbSweep s = rb_sweep(&a, &b, 1, 1e-12);
    ENSURE(s.status == RB_SWEEP_HIT);
    ENSURE_NEAR(s.time, (100 - 0.0025 - 0.5e-6) / 1e4, 1e-14);
    b.X.r.x = 0.8; // beside the plate, which reaches out to 0.707 at most
    b.X.r.y = 0;
    ENSURE(rb_sweep(&a, &b, 1, 1e-12).status == RB_SWEEP_MISS);
}

static RbCore random_core(RbRng *rng, bool bounded) {
    if (!bounded && rb_rng_int(rng, 8) == 0) return core_of(rb_shape_halfspace());
    double a = rb_rng_range(rng, 0.2, 2), b = rb_rng_range(rng, 0.2, 2),
           c = rb_rng_range(rng, 0.2, 2);
    switch (rb_rng_int(rng, 7)) {
        case 0: return core_of(rb_shape_sphere(a));
        case 1: return core_of(rb_shape_ellipsoid(v3(a, b, c)));
        case 2: return core_of(rb_shape_box(v3(a, b, c)));
        case 3: return core_of(rb_shape_cylinder(1 + rb_rng_int(rng, 3), a, b));
        case 4:
            return core_of(
                rb_shape_cone(1 + rb_rng_int(rng, 3), a, b, rb_rng_int(rng, 2) ? 0 : 0.3 * a));
        case 5: return core_of(rb_shape_capsule(1 + rb_rng_int(rng, 3), a, b));
        default: return core_of(rb_shape_beam(1 + rb_rng_int(rng, 3), a, b, c));
    }
}

static double distance_at(const RbSweepBody *a, const RbSweepBody *b, double t) {
    RbGap gap;
    Pose A = rb_motion_pose(a->X, a->motion, t), B = rb_motion_pose(b->X, b->motion, t);
    rb_distance(a->core, b->core, pose_relative(A, B), NULL, &gap);
    return gap.distance;
}

// The first sample with contact, refined by bisection; INFINITY if there is none.
static double sampled_contact(const RbSweepBody *a, const RbSweepBody *b, double duration) {
    enum { SAMPLES = 500 };
    double before = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        double t = duration * i / SAMPLES;
        if (distance_at(a, b, t) > 0) {
            before = t;
            continue;
        }
        double after = t;
        for (int k = 0; k < 60 && after > before; k++) {
            double middle = 0.5 * (before + after);
            *(distance_at(a, b, middle) > 0 ? &before : &after) = middle;
        }
        return after;
    }
    return INFINITY;
}

static RbSweepBody random_body(RbRng *rng, const RbCore *core, Vec3 centre, Vec3 towards) {
    Vec3 r = v3_axpy(centre, 2.5, rb_rng_direction(rng));
    Vec3 v = v3_axpy(v3_sub(towards, r), 2.0, rb_rng_direction(rng));
    Vec3 w = v3_scale(rb_rng_range(rng, 0, 6), rb_rng_direction(rng));
    if (rb_rng_int(rng, 4) == 0 || core->kind == RB_CORE_HALFSPACE) w = V3_ZERO;
    return (RbSweepBody){core, pose(r, rb_rng_orientation(rng)), moving(v, w)};
}

static void sweeps_agree_with_fine_sampling(void **state) {
    (void)state;
    RbRng rng = rb_rng(11);
    int hits = 0, most_steps = 0;
    for (int i = 0; i < 300; i++) {
        RbCore p = random_core(&rng, false), q = random_core(&rng, true);
        Vec3 far = v3(1e3, -2e3, 500);
        RbSweepBody a = random_body(&rng, &p, far, far), b = random_body(&rng, &q, far, far);
        double tolerance = 1e-10, duration = 1.5;
        RbSweep s = rb_sweep(&a, &b, duration, tolerance);
        double sampled = sampled_contact(&a, &b, duration);
        ENSURE(s.status == RB_SWEEP_HIT || s.status == RB_SWEEP_MISS);
        // Never later than a contact that sampling sees; and at the time it names they do touch.
        if (s.status == RB_SWEEP_MISS) ENSURE(sampled == INFINITY);
        if (sampled < INFINITY) ENSURE(s.time <= sampled + 1e-12);
        if (s.status == RB_SWEEP_HIT && s.time > 0) {
            ENSURE_NEAR(distance_at(&a, &b, s.time), 0.5 * tolerance, tolerance);
            hits++;
        }
        if (s.steps > most_steps) most_steps = s.steps;
        // The box around the motion holds every sampled box.
        RbAabb whole = rb_aabb_grow(rb_sweep_aabb(&a, duration), 1e-9);
        for (int k = 0; k <= 20; k++) {
            Pose X = rb_motion_pose(a.X, a.motion, duration * k / 20);
            ENSURE(rb_aabb_contains(whole, rb_aabb_of_core(&p, X)));
        }
    }

    ENSURE(hits > 80 && hits < 250);
    print_message("hits %d of 300, at most %d distance queries\n", hits, most_steps);
}

// Points of the shape at random, rays at them from outside: the hit is on the surface, in front of
// the point, and the part of the ray before it is outside.
static void rays_end_on_the_surface(void **state) {
    (void)state;
    RbRng rng = rb_rng(12);
    for (int i = 0; i < 300; i++) {
        RbCore core = random_core(&rng, true),
               tip = {.kind = RB_CORE_POINT, .frame = POSE_IDENTITY};
        Pose X = pose(v3_scale(10, rb_rng_direction(&rng)), rb_rng_orientation(&rng));
        Vec3 inside = pose_point(X, v3_axpy(core.frame.r, 0.01, rb_rng_direction(&rng)));
        Vec3 origin = v3_axpy(inside, rb_rng_range(&rng, 4, 50), rb_rng_direction(&rng));
        RbRay ray = {origin, v3_unit(v3_sub(inside, origin)), INFINITY};
        RbRayHit hit = rb_ray_cast(&core, X, ray);
        ENSURE(hit.distance > 0 && hit.distance < v3_distance(origin, inside));
        RbGap gap;
        Vec3 point = v3_axpy(origin, hit.distance, ray.direction);
        rb_distance(&core, &tip, pose_relative(X, (Pose){point, M3_IDENTITY}), NULL, &gap);
        ENSURE_NEAR(gap.distance, 0, 1e-10);
        ENSURE(v3_dot(m3_mul_vec(X.R, gap.normal), hit.normal) > 1 - 1e-6);
        ENSURE(v3_dot(ray.direction, hit.normal) <= 0);
        for (int k = 1; k < 20; k++) { // convex, so in front of it everything is outside
            Vec3 before = v3_axpy(origin, hit.distance * (1 - 0.05 * k), ray.direction);
            rb_distance(&core, &tip, pose_relative(X, (Pose){before, M3_IDENTITY}), NULL, &gap);
            ENSURE(gap.distance > 0);
        }
        ray.length = 0.999 * hit.distance;
        ENSURE(rb_ray_cast(&core, X, ray).distance == INFINITY);
        ray.direction = v3_neg(ray.direction);
        ray.length = INFINITY;
        ENSURE(rb_ray_cast(&core, X, ray).distance == INFINITY);
        RbRayHit within = rb_ray_cast(&core, X, (RbRay){inside, v3(1, 0, 0), 5});
        ENSURE(within.distance == 0 && within.normal.x == -1);
    }
}

static void ensure_hit(RbCore core, Vec3 origin, Vec3 direction, double distance, Vec3 normal) {
    RbRayHit hit = rb_ray_cast(&core, POSE_IDENTITY, (RbRay){origin, v3_unit(direction), INFINITY});
    ENSURE_NEAR(hit.distance, distance, 1e-10);
    ENSURE_NEAR(v3_distance(hit.normal, normal), 0, 1e-6);
}

static void rays_meet_shapes_where_geometry_says(void **state) {
    (void)state;
    ensure_hit(core_of(rb_shape_sphere(2)), v3(-5, 0.6, 0), v3(1, 0, 0), 5 - 0.8, v3(-0.8, 0.6, 0));
    ensure_hit(sharp_box(v3(2, 4, 6)), v3(10, 1, 1), v3(-1, 0, 0), 9, v3(1, 0, 0));
    ensure_hit(sharp_box(v3(2, 2, 2)), v3(5, 0.5, 0), v3(-1, 0, 0), 4, v3(1, 0, 0));
    ensure_hit(core_of(rb_shape_halfspace()), v3(0, 0, 3), v3(4, 0, -3), 5, v3(0, 0, 1));
    ensure_hit(core_of(rb_shape_ellipsoid(v3(2, 4, 6))), v3(0, 10, 0), v3(0, -1, 0), 8,
               v3(0, 1, 0));
    RbCore capsule = core_of(rb_shape_capsule(3, 2, 4));
    ensure_hit(capsule, v3(5, 0, 1), v3(-1, 0, 0), 4, v3(1, 0, 0));         // side
    ensure_hit(capsule, v3(0, 0, 10), v3(0, 0, -1), 7, v3(0, 0, 1));        // end
    ensure_hit(capsule, v3(5, 0, 2.6), v3(-1, 0, 0), 4.2, v3(0.8, 0, 0.6)); // round end
    // Cylinder of radius 1, sharp: from above at a slant through the top face.
    RbShape cylinder = rb_shape_cylinder(3, 2, 2);
    cylinder.smoothing = 0;
    ensure_hit(core_of(cylinder), v3(-3, 0, 4), v3(1, 0, -1), 3 * sqrt(2), v3(0, 0, 1));
    ensure_hit(core_of(cylinder), v3(-4, 0.6, 0), v3(1, 0, 0), 3.2, v3(-0.8, 0.6, 0));
    // The rounded edge of a box: 45 degrees towards the middle of the edge, smoothing radius 0.1.
    RbShape rounded = rb_shape_box(v3(2, 2, 2));
    rounded.smoothing = 0.1;
    double s = sqrt(0.5);
    ensure_hit(core_of(rounded), v3(5, 5, 0), v3(-1, -1, 0), (5 - 0.9) / s - 0.1, v3(s, s, 0));
    RbCore sphere = core_of(rb_shape_sphere(2)); // grazing: just inside, just outside
    ENSURE(rb_ray_cast(&sphere, POSE_IDENTITY, (RbRay){v3(-5, 1 + 1e-9, 0), v3(1, 0, 0), INFINITY})
               .distance == INFINITY);
    ensure_hit(sphere, v3(-5, 1 - 1e-9, 0), v3(1, 0, 0), 5 - sqrt(2e-9 - 1e-18),
               v3(-4.47e-5, 1, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_is_what_its_velocities_say),
        cmocka_unit_test(a_ball_falls_on_a_plane),
        cmocka_unit_test(a_turning_bar_hits_a_ball),
        cmocka_unit_test(a_tumbling_box_reaches_the_ground),
        cmocka_unit_test(nothing_tunnels),
        cmocka_unit_test(sweeps_agree_with_fine_sampling),
        cmocka_unit_test(rays_end_on_the_surface),
        cmocka_unit_test(rays_meet_shapes_where_geometry_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "collide/ray.h"

#include <stddef.h>

#include "collide/distance.h"
#include "collide/sweep.h"

static RbRayHit miss(void) {
    return (RbRayHit){INFINITY, V3_ZERO};
}

// All below in the frame C of the core.

static RbRayHit ray_sphere(Vec3 centre, double radius, RbRay ray) {
    // |o + t d - c|^2 = r^2. From the point of the line nearest to c, so that a far origin does not
    // cost digits.
    Vec3 to = v3_sub(centre, ray.origin);
    double along = v3_dot(to, ray.direction);
    Vec3 aside = v3_axpy(to, -along, ray.direction);
    double half2 = radius * radius - v3_norm2(aside);
    if (!(half2 >= 0)) return miss();
    double t = along - sqrt(half2);
    if (!(t >= 0 && t <= ray.length)) return miss();
    Vec3 n = v3_unit(v3_sub(v3_axpy(ray.origin, t, ray.direction), centre));
    return (RbRayHit){t, n};
}

static RbRayHit ray_halfspace(RbRay ray) {
    if (!(ray.direction.z < 0)) return miss();
    double t = -ray.origin.z / ray.direction.z;
    return t <= ray.length ? (RbRayHit){t, v3(0, 0, 1)} : miss();
}

// Scaled by 1/h the ellipsoid is the unit sphere; the normal scales by 1/h once more.
static RbRayHit ray_ellipsoid(Vec3 h, RbRay ray) {
    Vec3 direction = v3_div(ray.direction, h);
    double stretch = v3_norm(direction);
    RbRay scaled = {v3_div(ray.origin, h), v3_scale(1 / stretch, direction), ray.length * stretch};
    RbRayHit hit = ray_sphere(V3_ZERO, 1, scaled);
    if (!(hit.distance < INFINITY)) return hit;
    return (RbRayHit){hit.distance / stretch, v3_unit(v3_div(hit.normal, h))};
}

// The side of the capsule if the ray meets it between the two ends, otherwise the nearer one of the
// two end spheres.
static RbRayHit ray_capsule(double half, double radius, RbRay ray) {
    RbRay flat = {{ray.origin.x, ray.origin.y, 0}, {ray.direction.x, ray.direction.y, 0}, INFINITY};
    double across = v3_norm(flat.direction);
    if (across > 0) {
        flat.direction = v3_scale(1 / across, flat.direction);
        RbRayHit side = ray_sphere(V3_ZERO, radius, flat);
        double t = side.distance / across, z = ray.origin.z + t * ray.direction.z;
        if (t <= ray.length && fabs(z) <= half) return (RbRayHit){t, side.normal};
    }
    RbRayHit low = ray_sphere(v3(0, 0, -half), radius, ray);
    RbRayHit high = ray_sphere(v3(0, 0, half), radius, ray);
    return low.distance < high.distance ? low : high;
}

// The tip of the ray as a moving point. Only the part of the ray within one size of the shape's
// middle counts; starting there rather than at a far origin saves digits.
static RbRayHit ray_advance(const RbCore *core, RbRay ray) {
    double middle = -v3_dot(ray.origin, ray.direction);
    double start = fmax(0, middle - core->size), end = fmin(ray.length, middle + core->size);
    if (!(start <= end)) return miss();
    Vec3 origin = v3_axpy(ray.origin, start, ray.direction);
    RbCore tip = {.kind = RB_CORE_POINT, .frame = POSE_IDENTITY};
    RbCore shape = *core;
    shape.frame = POSE_IDENTITY; // the ray is in frame C already
    RbSweepBody a = {&tip, {origin, M3_IDENTITY}, {ray.direction, V3_ZERO}};
    RbSweepBody b = {&shape, POSE_IDENTITY, {V3_ZERO, V3_ZERO}};
    RbSweep sweep = rb_sweep(&a, &b, end - start, rb_sweep_tolerance(&tip, &shape));
    if (sweep.status != RB_SWEEP_HIT) return miss();
    return (RbRayHit){start + sweep.time, v3_neg(sweep.normal)};
}

static bool starts_inside(const RbCore *core, Pose X, Vec3 origin) {
    RbCore tip = {.kind = RB_CORE_POINT, .frame = POSE_IDENTITY};
    RbGap gap;
    rb_distance(core, &tip, (Pose){m3_tmul_vec(X.R, v3_sub(origin, X.r)), M3_IDENTITY}, NULL, &gap);
    return gap.distance <= 0;
}

RbRayHit rb_ray_cast(const RbCore *core, Pose X, RbRay ray) {
    if (starts_inside(core, X, ray.origin)) return (RbRayHit){0, v3_neg(ray.direction)};
    Pose C = pose_mul(X, core->frame);
    RbRay local = {pose_unpoint(C, ray.origin), m3_tmul_vec(C.R, ray.direction), ray.length};
    RbRayHit hit;
    if (core->kind == RB_CORE_POINT) {
        hit = ray_sphere(V3_ZERO, core->radius, local);
    } else if (core->kind == RB_CORE_HALFSPACE) {
        hit = ray_halfspace(local);
    } else if (core->kind == RB_CORE_ELLIPSOID && core->radius == 0) {
        hit = ray_ellipsoid(core->h, local);
    } else if (core->kind == RB_CORE_SEGMENT) {
        hit = ray_capsule(core->h.z, core->radius, local);
    } else {
        hit = ray_advance(core, local);
    }
    hit.normal = m3_mul_vec(C.R, hit.normal);
    return hit;
}

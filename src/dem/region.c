// SPDX-License-Identifier: MIT
#include "dem/region.h"

#include <math.h>
#include <string.h>

// ORDER of the values
enum {
    BOX_COUNT,
    BOX_MASS,
    BOX_VELOCITY,
    BOX_FILLED = BOX_VELOCITY + 3,
    BOX_STRESS,
    BOX_SIZE = BOX_STRESS + 6
};
enum { PLANE_COUNT, PLANE_MASS, PLANE_FLOW, PLANE_BEYOND, PLANE_BEYOND_MASS, PLANE_SIZE };
enum { SINK_COUNT, SINK_MASS, SINK_SIZE };
enum {
    PART_FORCE,
    PART_CONTACTS = PART_FORCE + 3,
    PART_RUBBED,
    PART_WORK,
    PART_POWER,
    PART_IMPULSE, // at the last look
    PART_SIZE = PART_IMPULSE + 3
};

static const RbRegionMeasure of_box[] = {
    {"count", "1", "grains whose centres are in the box", 1, BOX_COUNT},
    {"mass", "kg", "of these", 1, BOX_MASS},
    {"v", "m/s", "mean velocity of their mass", 3, BOX_VELOCITY},
    {"filled", "1", "their volume over that of the box", 1, BOX_FILLED},
    {"stress", "Pa", "xx, yy, zz, xy, xz, yz; pressure is positive", 6, BOX_STRESS},
    {0},
};
static const RbRegionMeasure of_plane[] = {
    {"count", "1", "grains that have passed, less those that came back", 1, PLANE_COUNT},
    {"mass", "kg", "of these", 1, PLANE_MASS},
    {"massFlow", "kg/s", "of mass, averaged", 1, PLANE_FLOW},
    {0},
};
static const RbRegionMeasure of_sink[] = {
    {"count", "1", "grains that have left", 1, SINK_COUNT},
    {"mass", "kg", "of these", 1, SINK_MASS},
    {0},
};

static const RbRegionMeasure of_part[] = {
    {"force", "N", "of all grains on it, mean since the last look", 3, PART_FORCE},
    {"contacts", "1", "of grains with it", 1, PART_CONTACTS},
    {"rubbed", "J", "taken by friction at it so far", 1, PART_RUBBED},
    {"work", "J", "of its belt on the grains so far", 1, PART_WORK},
    {"power", "W", "of its belt, mean since the last look", 1, PART_POWER},
    {0},
};

// ORDER RbRegionKind
static const struct {
    const RbRegionMeasure *measures;
    int size;
} kinds[] = {
    {of_box, BOX_SIZE}, {of_plane, PLANE_SIZE}, {of_sink, SINK_SIZE}, {of_part, PART_SIZE}};

const RbRegionMeasure *rb_region_measures(RbRegionKind kind) {
    return kinds[kind].measures;
}

int rb_region_size(RbRegionKind kind) {
    return kinds[kind].size;
}

RbStatus rb_region_check(const RbRegion *g, RbDiag *diag) {
    if (g->kind == RB_REGION_PLANE) {
        if (!v3_finite(g->r) || !v3_finite(g->n) || !(v3_norm2(g->n) > 0))
            return rb_fail(diag, RB_ERROR_MODEL, g->at,
                           "the plane '%s' needs a point and a normal that is not zero", g->name);
        if (!(g->average > 0) || isinf(g->average))
            return rb_fail(diag, RB_ERROR_MODEL, g->at,
                           "'%s' averages the flow over %g s; this must be positive", g->name,
                           g->average);
        return RB_OK;
    }
    if (g->kind == RB_REGION_PART) {
        if (v3_finite(g->surface) && isfinite(g->start) && g->ramp >= 0 && isfinite(g->ramp))
            return RB_OK;
        return rb_fail(
            diag, RB_ERROR_MODEL, g->at,
            "the surface of '%s' runs with (%g, %g, %g) m/s from %g s on, which takes %g "
            "s; these must be finite, and the last one not negative",
            g->name, g->surface.x, g->surface.y, g->surface.z, g->start, g->ramp);
    }
    Vec3 size = v3_sub(g->high, g->low);
    if (!(size.x > 0 && size.y > 0 && size.z > 0))
        return rb_fail(diag, RB_ERROR_MODEL, g->at,
                       "the box of '%s' measures %g x %g x %g m; all three must be positive",
                       g->name, size.x, size.y, size.z);
    if (g->kind == RB_REGION_BOX && !v3_finite(size))
        return rb_fail(
            diag, RB_ERROR_MODEL, g->at,
            "the box of '%s' has no end; part of it that is filled, and stress, need one", g->name);
    return RB_OK;
}

RbStatus rb_region_check_borders(const RbRegion *g, const RbBorders *b, RbDiag *diag) {
    double low[3], high[3], from[3], to[3], n[3];
    v3_store(low, g->low), v3_store(high, g->high), v3_store(n, g->n);
    v3_store(from, b->low), v3_store(to, b->high);
    for (int d = 0; d < 3; d++) {
        if (!b->periodic[d]) continue;
        if (g->kind == RB_REGION_BOX && !rb_borders_hold(b, d, low[d], high[d]))
            return rb_fail(diag, RB_ERROR_MODEL, g->at,
                           "the box of '%s' reaches from %g to %g m along %c, beyond the periodic "
                           "borders at %g and %g m: make it smaller",
                           g->name, low[d], high[d], 'x' + d, from[d], to[d]);
        if (g->kind == RB_REGION_PLANE && n[d] != 0 && n[d] * n[d] != v3_norm2(g->n))
            return rb_fail(diag, RB_ERROR_MODEL, g->at,
                           "the plane '%s' is oblique to the periodic borders along %c: it must be "
                           "parallel or perpendicular to them",
                           g->name, 'x' + d);
    }
    return RB_OK;
}

static bool is_in(const RbRegion *g, Vec3 p) {
    return p.x >= g->low.x && p.x < g->high.x && p.y >= g->low.y && p.y < g->high.y &&
           p.z >= g->low.z && p.z < g->high.z;
}

// ---- a box

typedef struct Box {
    const RbRegion *region;
    double *values;
    double volume; // [m3]
} Box;

// ORDER xx, yy, zz, xy, xz, yz. The product a b, made symmetric.
static void add_product(double *stress, double by, Vec3 a, Vec3 b) {
    stress[0] += by * a.x * b.x, stress[1] += by * a.y * b.y, stress[2] += by * a.z * b.z;
    stress[3] += 0.5 * by * (a.x * b.y + a.y * b.x);
    stress[4] += 0.5 * by * (a.x * b.z + a.z * b.x);
    stress[5] += 0.5 * by * (a.y * b.z + a.z * b.y);
}

// Force times branch of the contacts in the box over its volume (Love, Weber). The branch of a wall ends where
// it is touched; that of a clump goes to its centre of mass.
static void add_touch(void *user, const RbCloud *cloud, const RbGrainTouch *touch) {
    Box *box = user;
    Vec3 point = rb_borders_wrap(&cloud->options.borders, touch->point, NULL);
    if (!is_in(box->region, point)) return;
    add_product(box->values + BOX_STRESS, 1 / box->volume, touch->force,
                rb_cloud_branch(cloud, touch));
}

static void look_at_box(const RbRegion *g, RbCloud *cloud, double *values) {
    Vec3 size = v3_sub(g->high, g->low), momentum = V3_ZERO;
    Box box = {g, values, size.x * size.y * size.z};
    double volume = 0;
    memset(values, 0, BOX_SIZE * sizeof *values);
    RbParticle p;
    for (int i = 0; i < rb_cloud_entries(cloud); i++) {
        if (!rb_cloud_particle(cloud, i, &p) || !is_in(g, p.r)) continue;
        values[BOX_COUNT]++;
        values[BOX_MASS] += p.mass;
        momentum = v3_axpy(momentum, p.mass, p.v);
        volume += p.volume;
    }
    Vec3 mean = values[BOX_MASS] > 0 ? v3_scale(1 / values[BOX_MASS], momentum) : V3_ZERO;
    v3_store(values + BOX_VELOCITY, mean);
    values[BOX_FILLED] = volume / box.volume;
    // What motion about the mean carries across.
    for (int i = 0; i < rb_cloud_entries(cloud); i++) {
        if (!rb_cloud_particle(cloud, i, &p) || !is_in(g, p.r)) continue;
        Vec3 u = v3_sub(p.v, mean);
        add_product(values + BOX_STRESS, p.mass / box.volume, u, u);
    }
    rb_cloud_contacts(cloud, add_touch, &box);
    for (int k = 0; cloud->foreign && k < 6; k++) values[BOX_STRESS + k] = NAN;
}

// ---- a plane

typedef struct Beyond {
    double count, mass;
} Beyond;

// The direction of the normal, if it is periodic; -1: there is no border that way.
static int periodic_along(const RbRegion *g, const RbBorders *b) {
    double n[3];
    v3_store(n, g->n);
    for (int d = 0; d < 3; d++) {
        if (b->periodic[d] && n[d] != 0) return d;
    }
    return -1;
}

// Along a period the plane is there once per cell: a grain is beyond as many of them as it has passed, those that it left behind
// at borders included.
static Beyond beyond_images(const RbRegion *g, const RbCloud *cloud, int d) {
    const RbBorders *borders = &cloud->options.borders;
    double n[3], r[3], size[3];
    v3_store(n, g->n), v3_store(r, g->r), v3_store(size, v3_sub(borders->high, borders->low));
    Beyond b = {cloud->crossed[d], cloud->crossed_mass[d]};
    RbParticle p;
    for (int i = 0; i < rb_cloud_entries(cloud); i++) {
        if (!rb_cloud_particle(cloud, i, &p)) continue;
        const double at[3] = {p.outside.x, p.outside.y, p.outside.z};
        double passed = floor((at[d] - r[d]) / size[d]);
        b.count += passed;
        b.mass += passed * p.mass;
    }
    return n[d] > 0 ? b : (Beyond){-b.count, -b.mass};
}

static Beyond beyond(const RbRegion *g, const RbCloud *cloud) {
    Beyond b = {0};
    int along = periodic_along(g, &cloud->options.borders);
    if (along >= 0) return beyond_images(g, cloud, along);
    RbParticle p;
    for (int i = 0; i < rb_cloud_entries(cloud); i++) {
        if (!rb_cloud_particle(cloud, i, &p) || !(v3_dot(g->n, v3_sub(p.r, g->r)) > 0)) continue;
        b.count++;
        b.mass += p.mass;
    }
    return b;
}

// Those beyond it now and not at the last mark have passed. The flow follows with the delay `average`.
static void look_at_plane(const RbRegion *g, const RbCloud *cloud, double elapsed, double *values) {
    Beyond b = beyond(g, cloud);
    double passed = b.mass - values[PLANE_BEYOND_MASS];
    values[PLANE_COUNT] += b.count - values[PLANE_BEYOND];
    values[PLANE_MASS] += passed;
    if (elapsed > 0)
        values[PLANE_FLOW] -=
            expm1(-elapsed / g->average) * (passed / elapsed - values[PLANE_FLOW]);
}

// ---- a part

static void look_at_part(const RbRegion *g, const RbCloud *cloud, double elapsed, double *values) {
    const RbWallSums *sums = &cloud->wall_sums[g->wall];
    Vec3 before = v3_load(values + PART_IMPULSE);
    if (elapsed > 0) {
        v3_store(values + PART_FORCE, v3_scale(1 / elapsed, v3_sub(sums->impulse, before)));
        values[PART_POWER] = (sums->belt - values[PART_WORK]) / elapsed;
    }
    values[PART_CONTACTS] = cloud->wall_powers[g->wall].contacts;
    values[PART_RUBBED] = sums->slid;
    values[PART_WORK] = sums->belt;
    v3_store(values + PART_IMPULSE, sums->impulse);
    if (cloud->foreign) {
        v3_store(values + PART_FORCE, v3(NAN, NAN, NAN));
        values[PART_RUBBED] = NAN;
    }
}

void rb_region_look(const RbRegion *g, RbCloud *cloud, double elapsed, double *values) {
    if (g->kind == RB_REGION_PART) look_at_part(g, cloud, elapsed, values);
    if (g->kind == RB_REGION_BOX) look_at_box(g, cloud, values);
    if (g->kind == RB_REGION_PLANE) look_at_plane(g, cloud, elapsed, values);
}

void rb_region_mark(const RbRegion *g, const RbCloud *cloud, double *values) {
    if (g->kind != RB_REGION_PLANE) return;
    Beyond b = beyond(g, cloud);
    values[PLANE_BEYOND] = b.count;
    values[PLANE_BEYOND_MASS] = b.mass;
}

// ---- a sink

static bool leaves(void *user, Vec3 centre) {
    return is_in(user, centre);
}

int rb_region_drain(const RbRegion *g, RbCloud *cloud, double *values) {
    if (g->kind != RB_REGION_SINK || cloud->time < g->start) return 0;
    int count = 0;
    RbParticle p;
    for (int i = 0; i < rb_cloud_entries(cloud); i++) {
        if (!rb_cloud_particle(cloud, i, &p) || !is_in(g, p.r)) continue;
        count++;
        values[SINK_MASS] += p.mass;
    }
    values[SINK_COUNT] += count;
    return count > 0 ? rb_cloud_remove(cloud, leaves, (void *)(uintptr_t)g) : 0;
}

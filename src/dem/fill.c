// SPDX-License-Identifier: MIT
#include "dem/fill.h"

#include <math.h>

#include "base/hash.h"

// --------------------------------------------------------------------------------------------------
// checks

static RbStatus check_radius(const RbFill *f, RbDiag *diag) {
    if (!(f->radius > 0) || isinf(f->radius))
        return rb_fail(diag, RB_ERROR_MODEL, f->at,
                       "the radius of the grains '%s' is %g m; it must be positive", f->name,
                       f->radius);
    if (!(f->radius_spread >= 0 && f->radius_spread < 1))
        return rb_fail(
            diag, RB_ERROR_MODEL, f->at,
            "the spread of the radii of '%s' is %g; it must be at least 0 and less than 1", f->name,
            f->radius_spread);
    if (!(f->density > 0) || isinf(f->density))
        return rb_fail(diag, RB_ERROR_MODEL, f->at,
                       "the density of the grains '%s' is %g kg/m3; it must be positive", f->name,
                       f->density);
    return RB_OK;
}

static RbStatus check_box(const RbFill *f, RbDiag *diag) {
    Vec3 size = v3_sub(f->high, f->low);
    double most = f->radius * (1 + f->radius_spread);
    if (!v3_finite(f->low) || !v3_finite(f->high) ||
        !(fmin(size.x, fmin(size.y, size.z)) >= 2 * most * (1 - 1e-12)))
        return rb_fail(
            diag, RB_ERROR_MODEL, f->at,
            "the box of the grains '%s' measures %g x %g x %g m; their diameter of up to "
            "%g m does not fit in",
            f->name, size.x, size.y, size.z, 2 * most);
    return RB_OK;
}

static RbStatus check_list(const RbFill *f, RbDiag *diag) {
    for (int i = 0; i < f->count; i++) {
        const double *p = f->places + 4 * i;
        if (!v3_finite(v3_load(p)))
            return rb_fail(diag, RB_ERROR_MODEL, f->at,
                           "grain %d of '%s' is at (%g, %g, %g) m; these must be numbers", i + 1,
                           f->name, p[0], p[1], p[2]);
        if (!(p[3] > 0) || isinf(p[3]))
            return rb_fail(diag, RB_ERROR_MODEL, f->at,
                           "grain %d of '%s' has the radius %g m; it must be positive", i + 1,
                           f->name, p[3]);
    }
    return RB_OK;
}

RbStatus rb_fill_check(const RbFill *f, RbDiag *diag) {
    const int most = 1 << 28;
    if (f->count < 0 || f->count > most)
        return rb_fail(diag, RB_ERROR_MODEL, f->at,
                       "the number of grains of '%s' is %d; it must be between 0 and %d", f->name,
                       f->count, most);
    if (!v3_finite(f->velocity))
        return rb_fail(diag, RB_ERROR_MODEL, f->at,
                       "the velocity of the grains '%s' is (%g, %g, %g) m/s; it must be finite",
                       f->name, f->velocity.x, f->velocity.y, f->velocity.z);
    if (f->kind == RB_FILL_LIST) return check_list(f, diag);
    RB_TRY(check_radius(f, diag));
    RB_TRY(check_box(f, diag));
    if (f->kind == RB_FILL_RAIN && (!(f->rate > 0) || isinf(f->rate) || !isfinite(f->start)))
        return rb_fail(
            diag, RB_ERROR_MODEL, f->at,
            "'%s' rains %g grains per second from %g s on; the rate must be positive and "
            "both finite",
            f->name, f->rate, f->start);
    return RB_OK;
}

static bool is_between(double low, double high, double from, double to) {
    double slack = 1e-9 * (to - from);
    return low >= from - slack && high <= to + slack;
}

// What is not in the cell of periodic borders would come in elsewhere.
RbStatus rb_fill_check_borders(const RbFill *f, const RbBorders *b, RbDiag *diag) {
    double low[3], high[3], from[3], to[3];
    v3_store(from, b->low), v3_store(to, b->high);
    for (int i = 0; i < (f->kind == RB_FILL_LIST ? f->count : 1); i++) {
        Vec3 at = f->kind == RB_FILL_LIST ? v3_load(f->places + 4 * i) : f->low;
        v3_store(low, at), v3_store(high, f->kind == RB_FILL_LIST ? at : f->high);
        for (int d = 0; d < 3; d++) {
            if (!b->periodic[d] || is_between(low[d], high[d], from[d], to[d])) continue;
            if (f->kind == RB_FILL_LIST)
                return rb_fail(diag, RB_ERROR_MODEL, f->at,
                               "grain %d of '%s' is at %g m along %c, beyond the periodic borders "
                               "at %g and %g m",
                               i + 1, f->name, low[d], 'x' + d, from[d], to[d]);
            return rb_fail(
                diag, RB_ERROR_MODEL, f->at,
                "the box of the grains '%s' reaches from %g to %g m along %c, beyond the "
                "periodic borders at %g and %g m",
                f->name, low[d], high[d], 'x' + d, from[d], to[d]);
        }
    }
    return RB_OK;
}

// -------------------------------------------------------------------------------------------------
// grains

static RbGrain make_grain(const RbFill *f, Vec3 r, double radius) {
    return (RbGrain){.r = r,
                     .v = f->velocity,
                     .radius = radius,
                     .mass = f->density * 4.0 / 3.0 * M_PI * radius * radius * radius,
                     .material = f->material};
}

static double draw_radius(const RbFill *f, RbRng *rng) {
    return f->radius * rb_rng_range(rng, 1 - f->radius_spread, 1 + f->radius_spread);
}

// A box as long as a periodic cell has no end that way: grains may lie across the border.
static double draw_along(double low, double high, double radius, double period, RbRng *rng) {
    double margin = high - low >= period * (1 - 1e-9) ? 0 : radius;
    return rb_rng_range(rng, low + margin, high - margin);
}

static Vec3 draw_place(const RbFill *f, const RbBorders *b, double radius, RbRng *rng) {
    Vec3 size = v3_sub(b->high, b->low);
    double x = draw_along(f->low.x, f->high.x, radius, b->periodic[0] ? size.x : INFINITY, rng);
    double y = draw_along(f->low.y, f->high.y, radius, b->periodic[1] ? size.y : INFINITY, rng);
    double z = draw_along(f->low.z, f->high.z, radius, b->periodic[2] ? size.z : INFINITY, rng);
    return v3(x, y, z);
}

static bool is_in_wall(const RbCloud *cloud, Vec3 r, double radius) {
    for (int k = 0; k < cloud->walls.count; k++) {
        if (rb_grain_wall_overlaps(&cloud->walls.data[k], r, radius)) return true;
    }
    return false;
}

// Grains by cells that are as large as the largest of them: a hash table of lists.
typedef struct Crowd {
    double size; // [m]
    int *head, *next;
    int table, room;
} Crowd;

static uint64_t crowd_slot(const Crowd *c, Vec3 r, int dx, int dy, int dz) {
    int64_t x = (int64_t)floor(r.x / c->size) + dx, y = (int64_t)floor(r.y / c->size) + dy;
    int64_t z = (int64_t)floor(r.z / c->size) + dz;
    uint64_t key = (uint64_t)x * 73856093U ^ (uint64_t)y * 19349663U ^ (uint64_t)z * 83492791U;
    return rb_hash_mix(key) & (uint64_t)(c->table - 1);
}

static void crowd_enter(Crowd *c, Vec3 r, int grain) {
    uint64_t slot = crowd_slot(c, r, 0, 0, 0);
    c->next[grain] = c->head[slot];
    c->head[slot] = grain + 1;
}

static Crowd crowd_of(const RbCloud *cloud, const RbFill *f, RbArena *scratch) {
    Crowd c = {.size = 2 * f->radius * (1 + f->radius_spread), .room = cloud->count + f->count};
    for (int i = 0; i < cloud->count; i++) c.size = fmax(c.size, 2 * cloud->r[i].w);
    for (int i = 0; f->kind == RB_FILL_LIST && i < f->count; i++)
        c.size = fmax(c.size, 2 * f->places[4 * i + 3]);
    for (c.table = 16; c.table < 2 * c.room;) c.table *= 2;
    c.head = rb_new_array(scratch, int, c.table);
    c.next = rb_new_array(scratch, int, c.room + 1);
    for (int i = 0; i < cloud->count; i++)
        crowd_enter(&c, v3(cloud->r[i].x, cloud->r[i].y, cloud->r[i].z), i);
    return c;
}

static bool overlaps(const RbCloud *cloud, int i, Vec3 r, double radius) {
    double sum = radius + cloud->r[i].w;
    Vec3 apart = v3_sub(r, v3(cloud->r[i].x, cloud->r[i].y, cloud->r[i].z));
    return v3_norm2(rb_borders_nearest(&cloud->options.borders, apart)) < sum * sum;
}

static int meets_near(const Crowd *c, const RbCloud *cloud, Vec3 r, double radius) {
    for (int k = 0; k < 27; k++) {
        uint64_t slot = crowd_slot(c, r, k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
        for (int i = c->head[slot]; i > 0; i = c->next[i - 1]) {
            if (overlaps(cloud, i - 1, r, radius)) return i - 1;
        }
    }
    return -1;
}

// Is it so near to the border which leads to the neighbour of a cell that it may touch what is there?
static bool sees_image(const RbBorders *b, int image, Vec3 r, double near) {
    const int step[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
    double at[3], low[3], high[3];
    v3_store(at, r), v3_store(low, b->low), v3_store(high, b->high);
    for (int d = 0; d < 3; d++) {
        if (step[d] != 0 && !b->periodic[d]) return false;
        if (step[d] < 0 && at[d] - low[d] > near) return false;
        if (step[d] > 0 && high[d] - at[d] > near) return false;
    }
    return true;
}

// A grain of the cloud that a new one would overlap with; -1: none.
static int crowd_meets(const Crowd *c, const RbCloud *cloud, Vec3 r, double radius) {
    int found = meets_near(c, cloud, r, radius);
    for (int image = 0; found < 0 && image < RB_IMAGES; image++) {
        if (image != RB_NO_IMAGE && sees_image(&cloud->options.borders, image, r, c->size))
            found = meets_near(c, cloud, v3_sub(r, cloud->images[image]), radius);
    }
    return found;
}

static RbStatus check_place(const RbFill *f, const RbCloud *cloud, const Crowd *c, int number,
                            Vec3 r, double radius, RbDiag *diag) {
    // Those that just touch, as in a dense grid, do so by roundings.
    double tried = radius * (1 - 1e-9);
    int other = crowd_meets(c, cloud, r, tried);
    if (other >= 0)
        return rb_fail(diag, RB_ERROR_MODEL, f->at,
                       "grain %d of '%s' at (%g, %g, %g) m overlaps grain %d: place them apart, or "
                       "use a random filling, which leaves no overlap",
                       number + 1, f->name, r.x, r.y, r.z, cloud->id[other] + 1);
    if (is_in_wall(cloud, r, tried))
        return rb_fail(diag, RB_ERROR_MODEL, f->at,
                       "grain %d of '%s' at (%g, %g, %g) m is in a wall: place it apart",
                       number + 1, f->name, r.x, r.y, r.z);
    return RB_OK;
}

static RbStatus pour_grid(const RbFill *f, RbCloud *cloud, Crowd *c, RbDiag *diag) {
    double most = f->radius * (1 + f->radius_spread), d = 2 * most;
    Vec3 size = v3_sub(f->high, f->low);
    double slack = 1e-9; // of a diameter
    double nx = floor(size.x / d + slack), ny = floor(size.y / d + slack);
    double nz = floor(size.z / d + slack);
    RbRng rng = rb_rng(f->seed);
    if (nx * ny * nz < f->count)
        return rb_fail(
            diag, RB_ERROR_MODEL, f->at,
            "the box of '%s' has room for a grid of %.0f x %.0f x %.0f = %.0f grains of up "
            "to %g m; %d are wanted",
            f->name, nx, ny, nz, nx * ny * nz, d, f->count);
    for (int k = 0; k < f->count; k++) {
        int x = k % (int)nx, y = k / (int)nx % (int)ny, z = k / ((int)nx * (int)ny);
        Vec3 r = v3_add(f->low, v3_scale(d, v3(x + 0.5, y + 0.5, z + 0.5)));
        double radius = draw_radius(f, &rng);
        RB_TRY(check_place(f, cloud, c, k, r, radius, diag));
        crowd_enter(c, r, cloud->count);
        rb_cloud_add(cloud, make_grain(f, r, radius));
    }
    return RB_OK;
}

enum { TRIALS = 2000 };

static RbStatus pour_random(const RbFill *f, RbCloud *cloud, Crowd *c, RbDiag *diag) {
    RbRng rng = rb_rng(f->seed);
    for (int k = 0; k < f->count; k++) {
        double radius = draw_radius(f, &rng);
        Vec3 r = V3_ZERO;
        int trial = 0;
        for (; trial < TRIALS; trial++) {
            r = draw_place(f, &cloud->options.borders, radius, &rng);
            if (crowd_meets(c, cloud, r, radius) < 0 && !is_in_wall(cloud, r, radius)) break;
        }
        if (trial == TRIALS)
            return rb_fail(diag, RB_ERROR_MODEL, f->at,
                           "only %d of the %d grains of '%s' found room without overlap: random "
                           "places fill about a third of a box; enlarge it, or use a grid",
                           k, f->count, f->name);
        crowd_enter(c, r, cloud->count);
        rb_cloud_add(cloud, make_grain(f, r, radius));
    }
    return RB_OK;
}

static RbStatus pour_list(const RbFill *f, RbCloud *cloud, Crowd *c, RbDiag *diag) {
    for (int k = 0; k < f->count; k++) {
        Vec3 r = v3_load(f->places + 4 * k);
        double radius = f->places[4 * k + 3];
        RB_TRY(check_place(f, cloud, c, k, r, radius, diag));
        crowd_enter(c, r, cloud->count);
        RbGrain g = make_grain(f, r, radius);
        if (f->motions) g.v = f->motions[2 * k], g.w = f->motions[2 * k + 1];
        rb_cloud_add(cloud, g);
    }
    return RB_OK;
}

RbStatus rb_fill_pour(const RbFill *f, RbCloud *cloud, RbArena scratch, RbDiag *diag) {
    Crowd crowd = crowd_of(cloud, f, &scratch);
    rb_cloud_reserve(cloud, cloud->count + f->count);
    switch (f->kind) {
        case RB_FILL_GRID: return pour_grid(f, cloud, &crowd, diag);
        case RB_FILL_RANDOM: return pour_random(f, cloud, &crowd, diag);
        case RB_FILL_LIST: return pour_list(f, cloud, &crowd, diag);
        case RB_FILL_RAIN: return RB_OK;
    }
    return RB_OK;
}

// ---------------------------------------------------------------------------------------------------
// rain

RbRain rb_rain(const RbFill *fill) {
    return (RbRain){.rng = rb_rng(fill->seed)};
}

static bool is_free(const RbCloud *cloud, Vec3 r, double radius) {
    for (int i = 0; i < cloud->count; i++) {
        if (overlaps(cloud, i, r, radius)) return false;
    }
    return !is_in_wall(cloud, r, radius);
}

int rb_rain_fall(const RbFill *f, RbRain *rain, RbCloud *cloud, double time) {
    enum { LOOKS = 20 };
    int before = cloud->count;
    while (rain->fallen < f->count && f->start + rain->fallen / f->rate <= time) {
        double radius = draw_radius(f, &rain->rng);
        bool fell = false;
        for (int trial = 0; trial < LOOKS && !fell; trial++) {
            Vec3 r = draw_place(f, &cloud->options.borders, radius, &rain->rng);
            fell = is_free(cloud, r, radius);
            if (fell) rb_cloud_add(cloud, make_grain(f, r, radius));
        }
        rain->fallen++;
        rain->refused += !fell;
    }
    return cloud->count - before;
}

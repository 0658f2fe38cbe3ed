// SPDX-License-Identifier: MIT
#include "dem/fill.h"

#include <math.h>

#include "base/hash.h"
#include "collide/distance.h"
#include "dem/cloud_faces.h"
#include "dem/face_mesh.h"

// --------------------------------------------------------------------------------------------------
// checks

static RbStatus check_radius(const RbFill *f, RbDiag *diag) {
    if (!f->clump && (!(f->radius > 0) || isinf(f->radius)))
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

// [m] From the centre to the farthest point; of spheres: the mean radius.
static double half_width(const RbFill *f) {
    return f->clump ? f->clump->reach : f->radius;
}

static RbStatus check_box(const RbFill *f, RbDiag *diag) {
    Vec3 size = v3_sub(f->high, f->low);
    double most = half_width(f) * (1 + f->radius_spread);
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
        if (f->clump && (!(p[3] > 0) || isinf(p[3])))
            return rb_fail(diag, RB_ERROR_MODEL, f->at,
                           "grain %d of '%s' is %g times as large as its clump; this must be "
                           "positive",
                           i + 1, f->name, p[3]);
        if (!(p[3] > 0) || isinf(p[3]))
            return rb_fail(diag, RB_ERROR_MODEL, f->at,
                           "grain %d of '%s' has the radius %g m; it must be positive", i + 1,
                           f->name, p[3]);
        if (f->turns && !(fabs(q_norm2(f->turns[i]) - 1) < 1e-3))
            return rb_fail(diag, RB_ERROR_MODEL, f->at,
                           "grain %d of '%s' has a quaternion of length %g; it must be 1", i + 1,
                           f->name, sqrt(q_norm2(f->turns[i])));
    }
    return RB_OK;
}

// Polyhedra of one form have one size.
static RbStatus check_sizes(const RbFill *f, RbDiag *diag) {
    bool same = f->kind == RB_FILL_LIST || f->radius_spread == 0;
    for (int i = 0; f->kind == RB_FILL_LIST && i < f->count; i++) same &= f->places[4 * i + 3] == 1;
    if (same) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, f->at,
                   "the polyhedra '%s' have sizes of their own; all must be as large as typed (use "
                   "a filling for each size)",
                   f->name);
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
    if (f->clump && f->clump->core) RB_TRY(check_sizes(f, diag));
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

// What is not in the cell of periodic borders would come in elsewhere.
RbStatus rb_fill_check_borders(const RbFill *f, const RbBorders *b, RbDiag *diag) {
    double low[3], high[3], from[3], to[3];
    v3_store(from, b->low), v3_store(to, b->high);
    for (int i = 0; i < (f->kind == RB_FILL_LIST ? f->count : 1); i++) {
        Vec3 at = f->kind == RB_FILL_LIST ? v3_load(f->places + 4 * i) : f->low;
        v3_store(low, at), v3_store(high, f->kind == RB_FILL_LIST ? at : f->high);
        for (int d = 0; d < 3; d++) {
            if (!b->periodic[d] || rb_borders_hold(b, d, low[d], high[d])) continue;
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

// A grain that is to be added.
typedef struct Drop {
    Vec3 r;
    double size; // [m] radius of a sphere; times as large as its form, of a clump
    Quat q;      // of a clump, in the frame as typed
    Vec3 v, w;   // [m/s], [rad/s]
} Drop;

int rb_fill_spheres(const RbFill *f) {
    return f->clump ? f->clump->count : 1;
}

static uint64_t hash_form(uint64_t hash, const RbClump *c) {
    const double numbers[] = {c->volume,    c->mass,      c->reach,
                              c->moments.x, c->moments.y, c->moments.z};
    hash = rb_hash_bytes(hash, c->places, (size_t)c->count * sizeof *c->places);
    hash = rb_hash_bytes(hash, c->radii, (size_t)c->count * sizeof *c->radii);
    return rb_hash_bytes(hash, numbers, sizeof numbers);
}

uint64_t rb_fill_hash(const RbFill *f) {
    const double numbers[] = {f->kind,    f->count,  f->radius,     f->radius_spread, f->aligned,
                              f->density, f->low.x,  f->low.y,      f->low.z,         f->high.x,
                              f->high.y,  f->high.z, f->velocity.x, f->velocity.y,    f->velocity.z,
                              f->rate,    f->start};
    size_t n = (size_t)f->count;
    uint64_t hash = rb_hash_bytes(RB_HASH_START, numbers, sizeof numbers);
    hash = rb_hash_bytes(hash, &f->seed, sizeof f->seed);
    if (f->places) hash = rb_hash_bytes(hash, f->places, 4 * n * sizeof *f->places);
    if (f->motions) hash = rb_hash_bytes(hash, f->motions, 2 * n * sizeof *f->motions);
    if (f->turns) hash = rb_hash_bytes(hash, f->turns, n * sizeof *f->turns);
    return f->clump ? hash_form(hash, f->clump) : hash;
}

double rb_fill_lightest(const RbFill *f, double density, double *radius) {
    double least = 1 - f->radius_spread, R = f->radius * least;
    for (int i = 0; f->kind == RB_FILL_LIST && i < f->count; i++)
        least = i == 0 ? f->places[3] : fmin(least, f->places[4 * i + 3]), R = least;
    if (f->clump) return rb_clump_lightest(f->clump, density, least, radius);
    *radius = R;
    return density * 4.0 / 3.0 * M_PI * R * R * R;
}

// Centre of one of its spheres.
static Vec3 sphere_of(const RbFill *f, const Drop *d, int k, double *radius) {
    *radius = f->clump ? d->size * f->clump->radii[k] : d->size;
    if (!f->clump) return d->r;
    Vec3 place = q_rotate(f->clump->axes, f->clump->places[k]);
    return v3_axpy(d->r, d->size, q_rotate(d->q, place));
}

static void add_drop(const RbFill *f, RbCloud *cloud, const Drop *d) {
    if (f->clump) {
        RbGrainClump c = {.form = rb_cloud_add_form(cloud, f->clump),
                          .r = d->r,
                          .v = d->v,
                          .w = d->w,
                          .q = d->q,
                          .size = d->size,
                          .density = f->density,
                          .material = f->material};
        rb_cloud_add_clump(cloud, c);
        return;
    }
    double R = d->size;
    rb_cloud_add(cloud, (RbGrain){.r = d->r,
                                  .v = d->v,
                                  .w = d->w,
                                  .radius = R,
                                  .mass = f->density * 4.0 / 3.0 * M_PI * R * R * R,
                                  .material = f->material});
}

// Size and orientation; not yet where.
static Drop draw_drop(const RbFill *f, RbRng *rng) {
    double whole = f->clump ? 1 : f->radius;
    Drop d = {.size = whole * rb_rng_range(rng, 1 - f->radius_spread, 1 + f->radius_spread),
              .q = Q_IDENTITY,
              .v = f->velocity};
    if (f->clump && !f->aligned) d.q = rb_rng_orientation(rng);
    return d;
}

// A box as long as a periodic cell has no end that way: grains may lie across the border. below, above: [m] how far it reaches.
static double draw_along(double low, double high, double below, double above, double period,
                         RbRng *rng) {
    bool endless = high - low >= period * (1 - 1e-9);
    return endless ? rb_rng_range(rng, low, high) : rb_rng_range(rng, low - below, high - above);
}

// Anywhere in the box.
static Vec3 draw_place(const RbFill *f, const RbBorders *b, const Drop *d, RbRng *rng) {
    Vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
    for (int k = 0; k < rb_fill_spheres(f); k++) {
        double R;
        Vec3 at = v3_sub(sphere_of(f, d, k, &R), d->r), by = v3(R, R, R);
        low = v3_min(low, v3_sub(at, by)), high = v3_max(high, v3_add(at, by));
    }
    Vec3 size = v3_sub(b->high, b->low);
    double x =
        draw_along(f->low.x, f->high.x, low.x, high.x, b->periodic[0] ? size.x : INFINITY, rng);
    double y =
        draw_along(f->low.y, f->high.y, low.y, high.y, b->periodic[1] ? size.y : INFINITY, rng);
    double z =
        draw_along(f->low.z, f->high.z, low.z, high.z, b->periodic[2] ? size.z : INFINITY, rng);
    return v3(x, y, z);
}

// A sphere of it, in the cell; or the polyhedron that it is.
typedef struct Piece {
    Vec3 r;
    double radius; // [m] of the sphere, or of the one around it
    double slack;  // [m] what two that just touch may overlap by, because of roundings
    RbCore core;
    Mat3 R;     // of the axes of the form
    Pose frame; // of the core in these
    bool face;
} Piece;

static Piece piece_of(const RbFill *f, const RbCloud *cloud, const Drop *d, int k, double slack) {
    Piece p = {.frame = POSE_IDENTITY, .R = M3_IDENTITY};
    p.r = rb_borders_wrap(&cloud->options.borders, sphere_of(f, d, k, &p.radius), NULL);
    p.slack = slack * p.radius;
    p.core = (RbCore){
        .kind = RB_CORE_POINT, .radius = p.radius, .size = 2 * p.radius, .frame = POSE_IDENTITY};
    if (!f->clump || !f->clump->core) return p;
    p.face = true;
    p.core = *f->clump->core;
    p.R = q_matrix(q_mul(d->q, f->clump->axes));
    p.frame = f->clump->frame;
    return p;
}

static Pose piece_pose(const Piece *p, Vec3 r) {
    return pose_mul((Pose){r, p->R}, p->frame);
}

// Polyhedra touch the convex parts of walls, or their surfaces.
static bool face_is_in(const RbGrainWall *wall, const Piece *p) {
    bool found = false;
    if (wall->mesh)
        return rb_face_in_mesh(wall->mesh, &p->core, pose_relative(wall->X, piece_pose(p, p->r)),
                               pose_unpoint(wall->X, p->r), p->radius, p->slack);
    for (int k = 0; k < wall->part_count && !found; k++) {
        RbGap gap;
        rb_distance(&wall->parts[k], &p->core, pose_relative(wall->X, piece_pose(p, p->r)), NULL,
                    &gap);
        found = gap.distance < -p->slack;
    }
    return found;
}

// Of walls that are not settled nobody knows yet: random places avoid them, others are looked at later.
typedef enum WhichWalls { ALL_WALLS, SETTLED_WALLS } WhichWalls;

static bool is_in_wall(const RbCloud *cloud, const Piece *p, WhichWalls which) {
    for (int k = 0; k < cloud->walls.count; k++) {
        const RbGrainWall *wall = &cloud->walls.data[k];
        if (wall->absent || (which == SETTLED_WALLS && wall->unsettled)) continue;
        if (p->face ? face_is_in(wall, p)
                    : rb_grain_wall_overlaps(wall, p->r, p->radius - p->slack))
            return true;
    }
    return false;
}

static bool drop_is_in_wall(const RbFill *f, const RbCloud *cloud, const Drop *d, double slack,
                            WhichWalls which) {
    for (int k = 0; k < rb_fill_spheres(f); k++) {
        Piece p = piece_of(f, cloud, d, k, slack);
        if (is_in_wall(cloud, &p, which)) return true;
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

// [m] The largest radius of a sphere.
static double largest_radius(const RbFill *f) {
    double size = f->clump ? 1 + f->radius_spread : f->radius * (1 + f->radius_spread), most = 0;
    for (int i = 0; f->kind == RB_FILL_LIST && i < f->count; i++)
        size = fmax(i == 0 ? 0 : size, f->places[4 * i + 3]);
    if (!f->clump) return size;
    for (int k = 0; k < f->clump->count; k++) most = fmax(most, size * f->clump->radii[k]);
    return most;
}

static Crowd crowd_of(const RbCloud *cloud, const RbFill *f, RbArena *scratch) {
    Crowd c = {.size = 2 * largest_radius(f), .room = cloud->count + f->count * rb_fill_spheres(f)};
    for (int i = 0; i < cloud->count; i++) c.size = fmax(c.size, 2 * cloud->r[i].w);
    for (c.table = 16; c.table < 2 * c.room;) c.table *= 2;
    c.head = rb_new_array(scratch, int, c.table);
    c.next = rb_new_array(scratch, int, c.room + 1);
    for (int i = 0; i < cloud->count; i++) crowd_enter(&c, rb_cloud_place_of(cloud, i), i);
    return c;
}

// By the spheres; then, if one of the two is a polyhedron, exactly.
static bool overlaps(const RbCloud *cloud, int i, const Piece *p) {
    double sum = p->radius - p->slack + cloud->r[i].w;
    Vec3 at = v3(cloud->r[i].x, cloud->r[i].y, cloud->r[i].z);
    Vec3 apart = rb_borders_nearest(&cloud->options.borders, v3_sub(p->r, at));
    if (!(v3_norm2(apart) < sum * sum)) return false;
    if (!cloud->has_faces || !(p->face || rb_cloud_is_face(cloud, i))) return true;
    Pose X = piece_pose(p, v3_add(at, apart));
    return rb_cloud_face_distance(cloud, i, &p->core, X) < -p->slack;
}

static int meets_near(const Crowd *c, const RbCloud *cloud, const Piece *p) {
    for (int k = 0; k < 27; k++) {
        uint64_t slot = crowd_slot(c, p->r, k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
        for (int i = c->head[slot]; i > 0; i = c->next[i - 1]) {
            if (overlaps(cloud, i - 1, p)) return i - 1;
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
static int crowd_meets(const Crowd *c, const RbCloud *cloud, const Piece *p) {
    int found = meets_near(c, cloud, p);
    for (int image = 0; found < 0 && image < RB_IMAGES; image++) {
        if (image == RB_NO_IMAGE || !sees_image(&cloud->options.borders, image, p->r, c->size))
            continue;
        Piece seen = *p;
        seen.r = v3_sub(p->r, cloud->images[image]);
        found = meets_near(c, cloud, &seen);
    }
    return found;
}

static int drop_meets(const RbFill *f, const Crowd *c, const RbCloud *cloud, const Drop *d,
                      double slack) {
    int met = -1;
    for (int k = 0; k < rb_fill_spheres(f) && met < 0; k++) {
        Piece p = piece_of(f, cloud, d, k, slack);
        met = crowd_meets(c, cloud, &p);
    }
    return met;
}

static void drop_enter(const RbFill *f, Crowd *c, RbCloud *cloud, const Drop *d) {
    for (int k = 0; k < rb_fill_spheres(f); k++) {
        crowd_enter(c, piece_of(f, cloud, d, k, 0).r, cloud->count + k);
    }
    add_drop(f, cloud, d);
}

static RbStatus check_place(const RbFill *f, const RbCloud *cloud, const Crowd *c, int number,
                            const Drop *d, RbDiag *diag) {
    // Those that just touch, as in a dense grid, do so by roundings; a settled packing that is used again has the overlaps of its contacts.
    const double tried = f->kind == RB_FILL_LIST ? 0.1 : 1e-9;
    int other = drop_meets(f, c, cloud, d, tried), clump = other >= 0 ? cloud->body[other] : -1;
    if (other >= 0)
        return rb_fail(diag, RB_ERROR_MODEL, f->at,
                       "grain %d of '%s' at (%g, %g, %g) m overlaps %s %d%s: place them apart, or "
                       "use a random filling, which leaves no overlap",
                       number + 1, f->name, d->r.x, d->r.y, d->r.z,
                       clump >= 0 ? "the grain that begins with sphere" : "grain",
                       (clump >= 0 ? cloud->bodies.data[clump].id : cloud->id[other]) + 1,
                       f->kind == RB_FILL_LIST ? " by more than a contact does" : "");
    if (drop_is_in_wall(f, cloud, d, tried, SETTLED_WALLS))
        return rb_fail(diag, RB_ERROR_MODEL, f->at,
                       "grain %d of '%s' at (%g, %g, %g) m is in a wall: place it apart",
                       number + 1, f->name, d->r.x, d->r.y, d->r.z);
    return RB_OK;
}

static RbStatus pour_grid(const RbFill *f, RbCloud *cloud, Crowd *c, RbDiag *diag) {
    double most = half_width(f) * (1 + f->radius_spread), d = 2 * most;
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
    int row = (int)fmin(nx, f->count), rows = (int)fmin(ny, f->count); // more are not needed
    for (int k = 0; k < f->count; k++) {
        int x = k % row, y = k / row % rows, z = k / row / rows;
        Drop drop = draw_drop(f, &rng);
        drop.r = v3_add(f->low, v3_scale(d, v3(x + 0.5, y + 0.5, z + 0.5)));
        RB_TRY(check_place(f, cloud, c, k, &drop, diag));
        drop_enter(f, c, cloud, &drop);
    }
    return RB_OK;
}

enum { TRIALS = 2000 };

static RbStatus pour_random(const RbFill *f, RbCloud *cloud, Crowd *c, RbDiag *diag) {
    RbRng rng = rb_rng(f->seed);
    for (int k = 0; k < f->count; k++) {
        Drop d = draw_drop(f, &rng);
        int trial = 0;
        for (; trial < TRIALS; trial++) {
            d.r = draw_place(f, &cloud->options.borders, &d, &rng);
            if (drop_meets(f, c, cloud, &d, 0) < 0 && !drop_is_in_wall(f, cloud, &d, 0, ALL_WALLS))
                break;
        }
        if (trial == TRIALS)
            return rb_fail(diag, RB_ERROR_MODEL, f->at,
                           "only %d of the %d grains of '%s' found room without overlap: random "
                           "places fill about a third of a box; enlarge it, or use a grid",
                           k, f->count, f->name);
        drop_enter(f, c, cloud, &d);
    }
    return RB_OK;
}

static RbStatus pour_list(const RbFill *f, RbCloud *cloud, Crowd *c, RbDiag *diag) {
    RbRng rng = rb_rng(f->seed);
    for (int k = 0; k < f->count; k++) {
        Drop d = draw_drop(f, &rng);
        d.r = v3_load(f->places + 4 * k);
        d.size = f->places[4 * k + 3];
        if (f->motions) d.v = f->motions[2 * k], d.w = f->motions[2 * k + 1];
        if (f->turns) d.q = q_unit(f->turns[k]);
        RB_TRY(check_place(f, cloud, c, k, &d, diag));
        drop_enter(f, c, cloud, &d);
    }
    return RB_OK;
}

RbStatus rb_fill_pour(const RbFill *f, RbCloud *cloud, RbArena scratch, RbDiag *diag) {
    if (f->clump) rb_cloud_add_form(cloud, f->clump);
    Crowd crowd = crowd_of(cloud, f, &scratch);
    rb_cloud_reserve(cloud, cloud->count + f->count * rb_fill_spheres(f));
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

static bool is_free(const RbFill *f, const RbCloud *cloud, const Drop *d) {
    for (int k = 0; k < rb_fill_spheres(f); k++) {
        Piece p = piece_of(f, cloud, d, k, 0);
        for (int i = 0; i < cloud->count; i++) {
            if (overlaps(cloud, i, &p)) return false;
        }
    }
    return !drop_is_in_wall(f, cloud, d, 0, ALL_WALLS);
}

bool rb_rain_is_due(const RbFill *f, const RbRain *rain, double time) {
    return rain->fallen < f->count && f->start + rain->fallen / f->rate <= time;
}

int rb_rain_fall(const RbFill *f, RbRain *rain, RbCloud *cloud, double time) {
    enum { LOOKS = 20 };
    int before = rb_cloud_particles(cloud);
    while (rb_rain_is_due(f, rain, time)) {
        Drop d = draw_drop(f, &rain->rng);
        bool fell = false;
        for (int trial = 0; trial < LOOKS && !fell; trial++) {
            d.r = draw_place(f, &cloud->options.borders, &d, &rain->rng);
            fell = is_free(f, cloud, &d);
            if (fell) add_drop(f, cloud, &d);
        }
        rain->fallen++;
        rain->refused += !fell;
    }
    return rb_cloud_particles(cloud) - before;
}

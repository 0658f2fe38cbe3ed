// SPDX-License-Identifier: MIT
#include "dem/clump.h"

#include <math.h>

#include "geom/mass.h"
#include "geom/sphere_union.h"
#include "geom/tessellate.h"

// ----------------------------------------------------------------------------------------------------
// checks

static RbStatus check_spheres(const RbClumpSpec *s, RbDiag *diag) {
    if (s->count < 1 || s->count > RB_CLUMP_MOST)
        return rb_fail(diag, RB_ERROR_MODEL, s->at,
                       "the clump of '%s' consists of %d spheres; it must have at least one and at "
                       "most %d",
                       s->name, s->count, RB_CLUMP_MOST);
    for (int i = 0; i < s->count; i++) {
        const double *p = s->spheres + 4 * i;
        if (!v3_finite(v3_load(p)))
            return rb_fail(diag, RB_ERROR_MODEL, s->at,
                           "sphere %d of the clump of '%s' is at (%g, %g, %g) m; these must be "
                           "numbers",
                           i + 1, s->name, p[0], p[1], p[2]);
        if (!(p[3] > 0) || isinf(p[3]))
            return rb_fail(diag, RB_ERROR_MODEL, s->at,
                           "sphere %d of the clump of '%s' has the radius %g m; it must be "
                           "positive",
                           i + 1, s->name, p[3]);
    }
    return RB_OK;
}

static bool touch(const double *a, const double *b) {
    const double rounding = 1e-9; // of the radii
    return v3_distance(v3_load(a), v3_load(b)) <= (a[3] + b[3]) * (1 + rounding);
}

// Volume and inertia, products of three and five lengths, must be numbers.
static RbStatus check_size(const RbClumpSpec *s, double volume, Mat3 I, RbDiag *diag) {
    if (volume > 0 && isfinite(volume) && isfinite(m3_trace(I)) && m3_trace(I) > 0) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, s->at,
                   "the volume or inertia of the clump of '%s' is beyond all numbers: are its "
                   "spheres in m?",
                   s->name);
}

// All that can be reached from the first one.
static RbStatus check_joined(const RbClumpSpec *s, RbArena scratch, RbDiag *diag) {
    int *reached = rb_new_array(&scratch, int, s->count), count = 1;
    bool *in = rb_new_array(&scratch, bool, s->count);
    in[0] = true;
    for (int k = 0; k < count; k++) {
        for (int j = 0; j < s->count; j++) {
            if (in[j] || !touch(s->spheres + 4 * reached[k], s->spheres + 4 * j)) continue;
            in[j] = true;
            reached[count++] = j;
        }
    }
    for (int j = 0; j < s->count; j++) {
        if (!in[j])
            return rb_fail(diag, RB_ERROR_MODEL, s->at,
                           "the spheres of the clump of '%s' do not hang together: sphere %d does "
                           "not touch those that are joined to sphere 1; move it nearer, or "
                           "enlarge it",
                           s->name, j + 1);
    }
    return RB_OK;
}

static RbStatus check_mass(const RbClumpSpec *s, Vec3 moments, RbDiag *diag) {
    const double rounding = 1e-9;
    if (!(s->mass > 0) || isinf(s->mass) || !v3_finite(s->centre))
        return rb_fail(diag, RB_ERROR_MODEL, s->at,
                       "the clump of '%s' has the mass %g kg at (%g, %g, %g) m; the mass must be "
                       "positive and all finite",
                       s->name, s->mass, s->centre.x, s->centre.y, s->centre.z);
    if (!v3_finite(moments) || !(moments.x > 0) ||
        moments.z > (moments.x + moments.y) * (1 + rounding))
        return rb_fail(diag, RB_ERROR_MODEL, s->at,
                       "no body has the inertia tensor of the clump of '%s': its principal moments "
                       "are %g, %g and %g kg m2; all must be positive, and none larger than the "
                       "other two together",
                       s->name, moments.x, moments.y, moments.z);
    return RB_OK;
}

// --------------------------------------------------------------------------------------------------
// the form

// Spheres in the frame of centre and axes.
static void place_spheres(const RbClumpSpec *s, Pose X, RbArena *keep, RbClump *out) {
    Vec3 *places = rb_new_array(keep, Vec3, s->count);
    double *radii = rb_new_array(keep, double, s->count);
    out->reach = 0;
    for (int i = 0; i < s->count; i++) {
        places[i] = pose_unpoint(X, v3_load(s->spheres + 4 * i));
        radii[i] = s->spheres[4 * i + 3];
        out->reach = fmax(out->reach, v3_norm(places[i]) + radii[i]);
    }
    out->count = s->count;
    out->places = places;
    out->radii = radii;
}

static RbMoments moments_of(const RbClumpSpec *s, RbArena scratch) {
    Vec3 *places = rb_new_array(&scratch, Vec3, s->count);
    double *radii = rb_new_array(&scratch, double, s->count);
    for (int i = 0; i < s->count; i++)
        places[i] = v3_load(s->spheres + 4 * i), radii[i] = s->spheres[4 * i + 3];
    return rb_moments_of_spheres(places, radii, s->count, scratch);
}

RbStatus rb_clump(const RbClumpSpec *spec, RbArena *keep, RbArena scratch, RbDiag *diag,
                  RbClump *out) {
    RB_TRY(check_spheres(spec, diag));
    RB_TRY(check_joined(spec, scratch, diag));
    RbMoments moments = moments_of(spec, scratch);
    RbMassProperties m = rb_mass_of_moments(moments);
    bool typed = spec->mass != 0;
    RB_TRY(check_size(spec, moments.volume, m.I_CM, diag));
    if (typed) m.r_CM = spec->centre, m.I_CM = spec->inertia;
    Mat3 axes;
    Vec3 values;
    m3_eigen(m.I_CM, &values, &axes);
    if (typed) RB_TRY(check_mass(spec, values, diag));
    *out = (RbClump){.volume = moments.volume,
                     .mass = spec->mass,
                     .moments = values,
                     .axes = q_from_matrix(axes)};
    place_spheres(spec, (Pose){m.r_CM, axes}, keep, out);
    return RB_OK;
}

// ---------------------------------------------------------------------------------------------------
// polyhedra

typedef struct Extent {
    double reach, inner, face; // [m] of the farthest and the nearest point from the centre; [m2]
} Extent;

static Extent box_extent(const RbCore *core, Vec3 centre) {
    Vec3 h = core->h;
    Extent e = {.inner = fmin(h.x, fmin(h.y, h.z)),
                .face = 4 * fmax(h.x * h.y, fmax(h.y * h.z, h.z * h.x))};
    for (int k = 0; k < 8; k++) {
        Vec3 corner = v3(k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z);
        e.reach = fmax(e.reach, v3_distance(pose_point(core->frame, corner), centre));
    }
    return e;
}

static double face_area(const RbPolytope *p, int face) {
    const int *v = p->face_vertices + p->face_start[face];
    Vec3 sum = V3_ZERO;
    for (int k = 2; k < p->face_start[face + 1] - p->face_start[face]; k++)
        sum = v3_add(sum, v3_cross(v3_sub(p->vertices[v[k - 1]], p->vertices[v[0]]),
                                   v3_sub(p->vertices[v[k]], p->vertices[v[0]])));
    return 0.5 * v3_norm(sum);
}

static Extent hull_extent(const RbCore *core, Vec3 centre) {
    const RbPolytope *p = core->polytope;
    Vec3 c = pose_unpoint(core->frame, centre);
    Extent e = {.inner = INFINITY};
    for (int k = 0; k < p->vertex_count; k++)
        e.reach = fmax(e.reach, v3_distance(pose_point(core->frame, p->vertices[k]), centre));
    for (int k = 0; k < p->face_count; k++) {
        e.face = fmax(e.face, face_area(p, k));
        e.inner = fmin(e.inner, p->face_offsets[k] - v3_dot(p->face_normals[k], c));
    }
    return e;
}

static RbStatus shape_of(const RbPolyhedronSpec *spec, RbArena *keep, RbArena scratch, RbDiag *diag,
                         RbShape *shape) {
    if (!(spec->rounding > 0) || isinf(spec->rounding))
        return rb_fail(diag, RB_ERROR_MODEL, spec->at,
                       "the edges of the polyhedra '%s' are rounded with %g m; this must be "
                       "positive",
                       spec->name, spec->rounding);
    if (v3_norm2(spec->lengths) > 0 && spec->count > 0)
        return rb_fail(diag, RB_ERROR_MODEL, spec->at,
                       "the polyhedra '%s' are boxes and hulls of points at once; leave one out",
                       spec->name);
    if (spec->count == 0) {
        *shape = rb_shape_box(spec->lengths);
        shape->smoothing = spec->rounding;
        return rb_shape_check(shape, spec->name, spec->at, diag);
    }
    Vec3 *points = rb_new_array(keep, Vec3, spec->count);
    for (int k = 0; k < spec->count; k++) points[k] = v3_load(spec->points + 3 * k);
    return rb_shape_hull(points, spec->count, spec->rounding, spec->name, spec->at, keep, scratch,
                         diag, shape);
}

RbStatus rb_polyhedron(const RbPolyhedronSpec *spec, RbArena *keep, RbArena scratch, RbDiag *diag,
                       RbClump *out) {
    RbShape *shape = rb_new(keep, RbShape);
    RB_TRY(shape_of(spec, keep, scratch, diag, shape));
    int count;
    const RbCore *core = rb_shape_cores(shape, keep, &count);
    RbMoments moments = rb_moments_of_shape(shape);
    RbMassProperties m = rb_mass_of_moments(moments);
    Vec3 values, *place = rb_new_array(keep, Vec3, 1);
    Mat3 axes;
    m3_eigen(m.I_CM, &values, &axes);
    Extent extent =
        core->kind == RB_CORE_BOX ? box_extent(core, m.r_CM) : hull_extent(core, m.r_CM);
    double *radius = rb_new_array(keep, double, 1);
    *radius = extent.reach + core->radius;
    *out = (RbClump){.count = 1,
                     .places = place,
                     .radii = radius,
                     .reach = *radius,
                     .volume = moments.volume,
                     .moments = values,
                     .axes = q_from_matrix(axes),
                     .core = core,
                     .frame = pose_inverse((Pose){m.r_CM, axes}),
                     .face = extent.face,
                     .inner = extent.inner + core->radius,
                     .surface = rb_tessellate(shape, 8, keep)};
    return RB_OK;
}

double rb_clump_mass(const RbClump *c, double density, double size) {
    return (c->mass > 0 ? c->mass : density * c->volume) * size * size * size;
}

Vec3 rb_clump_moments(const RbClump *c, double density, double size) {
    double size2 = size * size;
    return v3_scale((c->mass > 0 ? 1 : density) * size2 * size2 * size, c->moments);
}

// The largest (d x n) J⁻¹ (d x n) over unit vectors n [1/kg].
static double most_yielding(Vec3 d, Vec3 moments) {
    Mat3 cross = m3_skew(d), axes;
    Mat3 inverse = m3_diagonal(v3(1 / moments.x, 1 / moments.y, 1 / moments.z));
    Vec3 values;
    m3_eigen(m3_mul(m3_transpose(cross), m3_mul(inverse, cross)), &values, &axes);
    return fmax(values.z, 0);
}

double rb_clump_lightest(const RbClump *c, double density, double size, double *radius) {
    double mass = rb_clump_mass(c, density, size), least = INFINITY, found = mass;
    Vec3 moments = rb_clump_moments(c, density, size);
    for (int i = 0; i < c->count; i++) {
        double m = mass / (1 + mass * most_yielding(v3_scale(size, c->places[i]), moments));
        double R = size * c->radii[i], time = m * m / R; // its fifth root is that of a contact
        if (time < least) least = time, found = m, *radius = R;
    }
    return found;
}

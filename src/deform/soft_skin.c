// SPDX-License-Identifier: MIT
// The surface of an object is made in a frame of its own: along the axes of its grid, or the principal axes of its molecules, with these sorted by place. Places are
// rounded to a billionth of the spacing, so that whoever looks for the nearest or the least among equals finds the same one wherever the body stands.
#include "base/sort.h"
#include "deform/soft_data.h"
#include "geom/mesh_make.h"

static const double FLATTENED = 0.1; // [radius] by which surfaces are off whose edges touch
static const double LONGEST = 1.3;   // [spacing] and how long their edges are
static const double EQUAL = 1e-6;    // relative: no difference is seen
static const double ON_GRID = 1e-3;  // [spacing] of the distance of neighbours

// A molecule as its object sees it.
typedef struct Own {
    Vec3 at; // [m]
    int molecule;
} Own;

typedef struct OwnFrame {
    Vec3 axis[3];
    double unit; // [m] a power of two, to which places are rounded
    Own *own;    // sorted
} OwnFrame;

// ---- axes

// Two neighbours along the axes of a grid that are upright on each other: those of a body-centred one are the edges of its cubes.
static bool find_grid_axes(const RbNetwork *n, const RbNetworkObject *o, Vec3 axis[3]) {
    enum { LOOKED_AT = 64 }; // molecules: all of a grid have neighbours
    const RbMolecule *m = n->scene->molecules.data + o->first;
    bool centred = o->placement == RB_SOFT_BODY_CENTRED;
    double side = o->spacing * (centred ? 2 / sqrt(3) : 1);
    int found = 0;
    if (!centred && o->placement != RB_SOFT_CUBIC) return false;
    for (int i = 0; i < o->count && i < LOOKED_AT; i++) {
        for (int k = 0; k < o->count; k++) {
            Vec3 d = v3_scale(1 / side, v3_sub(m[k].r, m[i].r));
            if (!(fabs(v3_norm(d) - 1) < ON_GRID)) continue;
            if (found > 0 && fabs(v3_dot(d, axis[0])) > ON_GRID) continue;
            axis[found] =
                found == 0 ? v3_unit(d) : v3_unit(v3_axpy(d, -v3_dot(d, axis[0]), axis[0]));
            if (found++ == 1) return true;
        }
    }
    axis[1] = found == 1 ? v3_perpendicular(axis[0]) : V3_ZERO; // a chain
    return found == 1;
}

// False: they are not defined.
static bool find_principal_axes(const RbNetwork *n, const RbNetworkObject *o, Vec3 axis[3]) {
    const RbMolecule *m = n->scene->molecules.data + o->first;
    Vec3 c = V3_ZERO, values;
    Mat3 moments = M3_ZERO, axes;
    for (int i = 0; i < o->count; i++) c = v3_axpy(c, 1.0 / o->count, m[i].r);
    for (int i = 0; i < o->count; i++) {
        Vec3 d = v3_sub(m[i].r, c);
        moments = m3_add(moments, m3_outer(d, d));
    }
    m3_eigen(moments, &values, &axes);
    double least = EQUAL * values.z;
    if (!(values.y - values.x > least && values.z - values.y > least)) return false;
    axis[0] = v3(axes.x.z, axes.y.z, axes.z.z);
    axis[1] = v3(axes.x.y, axes.y.y, axes.z.y);
    return true;
}

// Sums of (x - mean)² and (x - mean)³ along an axis.
static void moments_along(const RbNetwork *n, const RbNetworkObject *o, Vec3 axis, double *second,
                          double *third) {
    const RbMolecule *m = n->scene->molecules.data + o->first;
    double mean = 0;
    *second = *third = 0;
    for (int i = 0; i < o->count; i++) mean += v3_dot(axis, v3_sub(m[i].r, m[0].r)) / o->count;
    for (int i = 0; i < o->count; i++) {
        double d = v3_dot(axis, v3_sub(m[i].r, m[0].r)) - mean;
        *second += d * d;
        *third += d * d * d;
    }
}

// The longest first, each towards where the body is drawn out; the last one makes a right hand. Where a body is symmetric, all answers are the same to it.
static void order_axes(const RbNetwork *n, const RbNetworkObject *o, Vec3 axis[3]) {
    double second[3], third[3];
    for (int k = 0; k < 3; k++) {
        moments_along(n, o, axis[k], &second[k], &third[k]);
        if (third[k] < -EQUAL * second[k] * sqrt(second[k])) axis[k] = v3_neg(axis[k]);
    }
    for (int i = 1; i < 3; i++)
        for (int k = i; k > 0 && second[k] > (1 + EQUAL) * second[k - 1]; k--) {
            Vec3 swap = axis[k];
            double s = second[k];
            axis[k] = axis[k - 1], second[k] = second[k - 1];
            axis[k - 1] = swap, second[k - 1] = s;
        }
    axis[2] = v3_cross(axis[0], axis[1]);
}

// Whichever neighbours were found: each axis of the world has the one that is nearest to it.
static void choose_axes(Vec3 axis[3]) {
    Vec3 found[3] = {axis[0], axis[1], v3_cross(axis[0], axis[1])};
    for (int k = 0; k < 2; k++) {
        int best = 0;
        for (int i = 1; i < 3; i++)
            if (fabs(v3_get(found[i], k)) > fabs(v3_get(found[best], k)) + EQUAL) best = i;
        axis[k] = v3_get(found[best], k) < 0 ? v3_neg(found[best]) : found[best];
        found[best] = V3_ZERO;
    }
    axis[2] = v3_cross(axis[0], axis[1]);
}

static void find_axes(const RbNetwork *n, const RbNetworkObject *o, Vec3 axis[3]) {
    if (!find_grid_axes(n, o, axis) && !find_principal_axes(n, o, axis))
        axis[0] = v3(1, 0, 0), axis[1] = v3(0, 1, 0);
    choose_axes(axis);
    order_axes(n, o, axis);
}

// ---- the body in its frame

static double rounded(double x, double unit) {
    return unit * rint(x / unit);
}

static Vec3 *rounded_places(const RbMesh *mesh, double unit, RbArena *arena) {
    Vec3 *at = rb_new_array(arena, Vec3, mesh->vertex_count);
    for (int i = 0; i < mesh->vertex_count; i++) {
        Vec3 p = mesh->vertices[i];
        at[i] = v3(rounded(p.x, unit), rounded(p.y, unit), rounded(p.z, unit));
    }
    return at;
}

static int compare_own(const void *a, const void *b) {
    const Own *p = a, *q = b;
    for (int k = 0; k < 3; k++) {
        double x = v3_get(p->at, k), y = v3_get(q->at, k);
        if (x != y) return x < y ? -1 : 1;
    }
    return 0;
}

static OwnFrame find_frame(const RbNetwork *n, int object, RbArena *arena) {
    const double digits = 30, odd = 1.2345; // no usual spacing is near a power of two times this
    const RbNetworkObject *o = &n->objects[object];
    const RbMolecule *m = n->scene->molecules.data + o->first;
    double size = o->count > 1 ? o->spacing : m->radius;
    OwnFrame f = {.unit = exp2(floor(log2(odd * size)) - digits),
                  .own = rb_new_array(arena, Own, o->count)};
    find_axes(n, o, f.axis);
    for (int i = 0; i < o->count; i++) f.own[i].molecule = o->first + i;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY;
        for (int i = 0; i < o->count; i++) low = fmin(low, v3_dot(f.axis[k], m[i].r));
        for (int i = 0; i < o->count; i++)
            f.own[i].at = v3_set(f.own[i].at, k, rounded(v3_dot(f.axis[k], m[i].r) - low, f.unit));
    }
    rb_sort_items(f.own, o->count, sizeof *f.own, compare_own);
    return f;
}

// What hangs on the molecules of the frame hangs on those of the object.
static void bring_back(const OwnFrame *f, const RbNetwork *n, const RbNetworkObject *o,
                       RbSoftSkin *skin, RbArena *keep, RbArena scratch) {
    Vec3 *r = rb_new_array(&scratch, Vec3, o->first + o->count),
         *at = rb_new_array(keep, Vec3, skin->mesh.vertex_count);
    for (int i = o->first; i < o->first + o->count; i++) r[i] = n->scene->molecules.data[i].r;
    for (int i = 0; i < skin->mesh.vertex_count; i++) {
        RbSkinVertex *v = &skin->vertices[i];
        for (int k = 0; k < v->count; k++)
            v->molecule[k] = f->own[v->molecule[k] - o->first].molecule;
        for (int k = 0; k < 3 && v->plane[0] >= 0; k++)
            v->plane[k] = f->own[v->plane[k] - o->first].molecule;
        Vec3 offset = v->offset;
        v->offset = V3_ZERO;
        for (int k = 0; k < 3; k++) v->offset = v3_axpy(v->offset, v3_get(offset, k), f->axis[k]);
        at[i] = rb_skin_place(v, r);
    }
    skin->mesh.vertices = at;
}

// Surfaces are made of the bodies as they were given, whatever has become of them.
RbStatus rb_soft_make_skin(const Soft *soft, int object, RbArena *keep, RbArena scratch,
                           RbDiag *diag, RbSoftSkin *out) {
    const RbNetwork *n = &soft->network;
    const RbNetworkObject *o = &n->objects[object];
    RbMesh mesh;
    OwnFrame f = find_frame(n, object, &scratch);
    Vec3 *r = rb_new_array(&scratch, Vec3, o->first + o->count);
    for (int i = 0; i < o->count; i++) r[o->first + i] = f.own[i].at;
    double cell = soft->scene.resolution > 0 ? soft->scene.resolution : rb_surface_cell(n, object);
    RB_TRY(rb_surface_make(n, object, r, cell, keep, scratch, diag, &mesh));
    if (mesh.triangle_count == 0)
        return rb_fail(diag, RB_ERROR_MODEL, soft->scene.objects.data[object].at,
                       "the surface of '%s' has no triangles: a resolution of %g m is coarser "
                       "than the object; %g m would do",
                       o->name, cell, rb_soft_field(n, object).radius);
    mesh.vertices = rounded_places(&mesh, f.unit, &scratch);
    if (soft->scene.detection == RB_SOFT_EDGES)
        mesh = rb_mesh_thin(&mesh, FLATTENED * rb_soft_field(n, object).radius,
                            LONGEST * o->spacing, keep, scratch);
    *out = rb_skin_attach(n, object, mesh, r, keep);
    bring_back(&f, n, o, out, keep, scratch);
    return RB_OK;
}

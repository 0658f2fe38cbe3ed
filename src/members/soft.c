// SPDX-License-Identifier: MIT
// Soft bodies of a Modelica model (library/Rattleback/Parts.mo, SoftBody) as bodies of the scene: their shapes are filled, the faces at
// their frames are held.
#include <math.h>

#include "component/segment.h"
#include "deform/stuffing.h"
#include "geom/tessellate.h"
#include "members/members.h"

static RbSoftMaterial material_of(const RbReading *r) {
    const RbMember *member = rb_member(r->m, r->member);
    RbSoftMaterial m = rb_soft_material_default();
    Vec3 colour = rb_read_vector(r, "color");
    m.name = member->path;
    m.at = member->at;
    m.youngs_modulus = rb_read_number(r, "E", 1e5);
    m.poisson = rb_read_number(r, "nu", 0.25);
    m.density = rb_read_number(r, "rho", 1000);
    m.damping = rb_read_number(r, "zeta", 0.1);
    m.medium_density = rb_read_number(r, "rho_medium", 0);
    m.breaking_strain = rb_read_number(r, "breakingStrain", 0);
    m.model = (RbSoftModel)(rb_read_number(r, "law", 1) - 1); // ORDER RbSoftModel
    m.order = (int)rb_read_number(r, "order", 1);
    m.transparency = rb_read_number(r, "transparency", 0);
    v3_store(m.colour, v3_scale(1.0 / 255, colour));
    return m;
}

// A list of rows of numbers.
typedef struct Rows {
    const double *data;
    int count;
} Rows;

static Rows rows_of(const RbReading *r, const char *name, int columns) {
    const double *data = rb_member_numbers(r->m, r->segment, r->member, name);
    return (Rows){data, data ? rb_member_size(r->m, r->member, name) / columns : 0};
}

// Materials of some of its points, beside its own.
static Rows more_materials(const RbReading *r) {
    return rows_of(r, "materialRows", 11);
}

static RbSoftMaterial more_material(const RbReading *r, int i) {
    const RbMember *member = rb_member(r->m, r->member);
    const double *row = more_materials(r).data + 11 * i; // ORDER Parts.SoftBody.materialRows
    RbSoftMaterial m = rb_soft_material_default();
    m.name = member->path;
    m.at = member->at;
    m.youngs_modulus = row[0];
    m.poisson = row[1];
    m.density = row[2];
    m.damping = row[3];
    m.medium_density = row[4];
    m.breaking_strain = row[5];
    m.model = (RbSoftModel)(row[6] - 1); // ORDER RbSoftModel
    m.order = (int)row[7];
    v3_store(m.colour, v3_scale(1.0 / 255, v3_load(row + 8)));
    return m;
}

// The object that a frame is connected to; -1: nothing.
static int object_at(const RbReading *r, int frame) {
    int set = rb_member(r->m, r->member)->sets[frame];
    return set >= 0 ? r->m->object_of[set] : -1;
}

// Molecules of the last body at one of its ends along an axis: 1, 2 x low, high; 3, 4 y; 5, 6 z.
static RbStatus hold_face(const RbReading *r, RbScene *s, int face, int object, double grid) {
    const RbSoftScene *soft = s->soft.bodies;
    const RbSoftObject *o = &soft->objects.data[soft->objects.count - 1];
    int axis = (face - 1) / 2;
    double sign = (face - 1) % 2 ? 1 : -1, most = -INFINITY;
    if (face < 1 || face > 6)
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, rb_member(r->m, r->member)->at,
                       "'%s' is connected, but does not say which of its faces is held", o->name);
    for (int i = o->first; i < o->first + o->count; i++)
        most = fmax(most, sign * v3_get(soft->molecules.data[i].r, axis));
    for (int i = o->first; i < o->first + o->count; i++) {
        RbSceneHold hold = {i, object};
        if (sign * v3_get(soft->molecules.data[i].r, axis) > most - 0.25 * grid)
            rb_array_push(&s->soft.holds, s->arena, hold);
    }
    return RB_OK;
}

static void place(const RbReading *r, RbSoftScene *soft) {
    const RbSoftObject *o = &soft->objects.data[soft->objects.count - 1];
    Pose X = rb_member_place(rb_read_vector(r, "r_start"), rb_read_vector(r, "angles_start"));
    Vec3 v = rb_read_vector(r, "v_start"), w = rb_read_vector(r, "w_start");
    for (int i = o->first; i < o->first + o->count; i++) {
        RbMolecule *m = &soft->molecules.data[i];
        m->r = pose_point(X, m->r);
        m->v = v3_add(v, v3_cross(w, v3_sub(m->r, X.r)));
    }
}

// ---- molecules that are given one by one

// In a list of numbers of points, which is short.
static RbStatus check_points(const RbReading *r, const char *name, Rows rows, int columns,
                             int points) {
    const RbMember *member = rb_member(r->m, r->member);
    for (int i = 0; i < rows.count; i++) {
        double k = rows.data[columns * i];
        if (k >= 1 && k <= points && k == floor(k)) continue;
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                       "%s of '%s' names the point %g; there are points 1 to %d", name,
                       member->path, k, points);
    }
    return RB_OK;
}

static bool is_among(Rows numbers, int k) {
    for (int i = 0; i < numbers.count; i++)
        if ((int)numbers.data[i] == k) return true;
    return false;
}

// Each point has one of the materials; a body without points has its own.
static RbStatus check_materials(const RbReading *r, Rows chosen, int points) {
    const RbMember *member = rb_member(r->m, r->member);
    int count = more_materials(r).count;
    if (chosen.count > 0 && chosen.count != points)
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                       "pointMaterials of '%s' has %d numbers, but there %s %d point%s: it has one "
                       "for each of points, or none",
                       member->path, chosen.count, points == 1 ? "is" : "are", points,
                       points == 1 ? "" : "s");
    for (int i = 0; i < chosen.count; i++)
        if (!(chosen.data[i] >= 0 && chosen.data[i] <= count))
            return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                           "pointMaterials[%d] of '%s' is %g; there are 0, its own material, and "
                           "%d in materials",
                           i + 1, member->path, chosen.data[i], count);
    for (int k = 1; k <= count; k++)
        if (!is_among(chosen, k)) {
            rb_warn(
                r->segment->diag, member->at,
                "no point of '%s' is of materials[%d]: say by points and pointMaterials which are",
                member->path, k);
            break;
        }
    return RB_OK;
}

static RbStatus add_points(const RbReading *r, RbSoftScene *soft, const RbStuffing *o) {
    const RbMember *member = rb_member(r->m, r->member);
    Rows points = rows_of(r, "points", 3), fixed = rows_of(r, "fixedPoints", 1),
         forces = rows_of(r, "pointForces", 5), chosen = rows_of(r, "pointMaterials", 1);
    RB_TRY(check_points(r, "fixedPoints", fixed, 1, points.count));
    RB_TRY(check_points(r, "pointForces", forces, 5, points.count));
    int object = rb_soft_scene_add_object(soft, member->path, member->at);
    soft->objects.data[object].placement = o->placement;
    for (int i = 0; i < points.count; i++) {
        RbMolecule m = {.r = v3_load(points.data + 3 * i),
                        .radius = o->radius,
                        .friction = o->friction,
                        .material = o->material + (chosen.count > 0 ? (int)chosen.data[i] : 0),
                        .fixed = is_among(fixed, i + 1),
                        .at = member->at};
        rb_soft_scene_add_molecule(soft, &m);
        for (int k = 0; k < forces.count; k++) {
            const double *f = forces.data + 5 * k;
            if ((int)f[0] == i + 1)
                rb_soft_scene_add_force(soft, &(RbSoftForce){f[1], v3_load(f + 2)});
        }
    }
    return RB_OK;
}

// Those that are fixed are held by the object that the body stands in.
static void hold_points(RbScene *s, int object) {
    const RbSoftScene *soft = s->soft.bodies;
    const RbSoftObject *o = &soft->objects.data[soft->objects.count - 1];
    for (int i = o->first; i < o->first + o->count; i++) {
        RbSceneHold hold = {i, object};
        if (soft->molecules.data[i].fixed) rb_array_push(&s->soft.holds, s->arena, hold);
    }
}

// ---- a body

// Only what has an inside can be filled: not a half-space, and not what is only seen.
static RbStatus check_inside(const RbReading *r) {
    const RbMember *member = rb_member(r->m, r->member);
    int kind = (int)rb_read_number(r, "shape.kind", 0) - 1; // ORDER RbShapeKind
    if ((kind >= 0 && kind <= RB_SHAPE_BEAM) || kind == RB_SHAPE_MESH) return RB_OK;
    return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                   "the shape of the soft body '%s' is %s%s, which cannot be filled; give it a "
                   "Sphere, Ellipsoid, Box, Cylinder, Cone, Capsule, Beam or Mesh of "
                   "Rattleback.Shapes, or points",
                   member->path, kind < 0 ? "" : "a ",
                   kind < 0 ? "None" : rb_shape_kind_name((RbShapeKind)kind));
}

static RbStatus fill_shape(const RbReading *r, RbScene *s, const RbStuffing *o) {
    enum { CIRCLE = 96 }; // segments of round shapes
    const RbMember *member = rb_member(r->m, r->member);
    RbDiag *diag = r->segment->diag;
    RbShape shape;
    RbSoftFillReport report;
    RB_TRY(check_inside(r));
    RB_TRY(rb_member_shape(r->m, r->segment, r->member, &shape));
    RB_TRY(rb_shape_check(&shape, member->path, member->at, diag));
    RbMesh mesh = shape.kind == RB_SHAPE_MESH && shape.surface
                      ? *shape.surface
                      : rb_tessellate(&shape, CIRCLE, s->arena);
    return rb_stuff(s->soft.bodies, member->path, member->at, &mesh, o, r->segment->scratch, diag,
                    &report);
}

static RbStatus check_order(const RbReading *r, const char *of, double order) {
    const RbMember *member = rb_member(r->m, r->member);
    if (order == 1 || order == 2) return RB_OK;
    return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                   "order of '%s%s' is %g; elements are of order 1 or 2", member->path, of, order);
}

static RbStatus check_values(const RbReading *r, double radius) {
    const RbMember *member = rb_member(r->m, r->member);
    if (!(radius >= 0))
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                       "moleculeRadius of '%s' is %g m; it must be positive, or 0 for 0.75 of "
                       "gridSize",
                       member->path, radius);
    return check_order(r, "", rb_read_number(r, "order", 1));
}

// Its own material and, right behind it, the others. Answers the number of its own.
static RbStatus add_materials(const RbReading *r, RbSoftScene *soft, int *own) {
    RbSoftMaterial material = material_of(r);
    Rows more = more_materials(r);
    *own = rb_soft_scene_add_material(soft, &material);
    for (int i = 0; i < more.count; i++) {
        const char *which = rb_arena_printf(soft->arena, ".materials[%d]", i + 1);
        material = more_material(r, i);
        material.name = rb_arena_printf(soft->arena, "%s%s", material.name, which);
        RB_TRY(check_order(r, which, more.data[11 * i + 7]));
        rb_soft_scene_add_material(soft, &material);
    }
    return RB_OK;
}

static RbStatus add_body(const RbReading *r, RbScene *s) {
    const RbMember *member = rb_member(r->m, r->member);
    RbSoftScene *soft = s->soft.bodies;
    double grid = rb_read_number(r, "gridSize", 0), radius = rb_read_number(r, "moleculeRadius", 0);
    if (!(grid > 0))
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                       "gridSize of '%s' is %g m; it must be positive", member->path, grid);
    RB_TRY(check_values(r, radius));
    RbStuffing o = {.spacing = grid,
                    .radius = radius > 0 ? radius : 0.75 * grid,
                    .friction = rb_read_number(r, "mu", 0),
                    .placement = (RbSoftPlacement)(rb_read_number(r, "placement", 1) - 1)};
    bool points = rows_of(r, "points", 3).count > 0,
         chosen = points && rows_of(r, "fixedPoints", 1).count > 0;
    RB_TRY(add_materials(r, soft, &o.material));
    RB_TRY(check_materials(r, rows_of(r, "pointMaterials", 1), rows_of(r, "points", 3).count));
    RB_TRY(points ? add_points(r, soft, &o) : fill_shape(r, s, &o));
    soft->objects.data[soft->objects.count - 1].self_contact =
        rb_read_number(r, "selfContact", 0) != 0;
    int a = object_at(r, 0), b = object_at(r, 1), base = a >= 0 ? a : 0;
    rb_array_push(&s->soft.frames, s->arena, base);
    if (a >= 0 && chosen) hold_points(s, a);
    if (a >= 0 && !chosen) RB_TRY(hold_face(r, s, (int)rb_read_number(r, "face_a", 0), a, grid));
    if (b >= 0) RB_TRY(hold_face(r, s, (int)rb_read_number(r, "face_b", 0), b, grid));
    place(r, soft);
    return RB_OK;
}

// What bodies say of all.
static RbStatus read_world(const RbReading *r, RbSoftScene *soft) {
    const RbMember *member = rb_member(r->m, r->member);
    int neighbours = (int)rb_read_number(r, "neighbours", 18);
    if (neighbours != 18 && neighbours != 26)
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                       "neighbours of '%s' is %d; a molecule on a grid has 18 or 26", member->path,
                       neighbours);
    if (neighbours == 26) soft->neighbours = 26;
    if (rb_read_number(r, "surfaceContact", 0) != 0) soft->detection = RB_SOFT_SURFACES;
    if (rb_read_number(r, "edgeContact", 0) != 0) soft->detection = RB_SOFT_EDGES;
    double resolution = rb_read_number(r, "surfaceResolution", 0),
           stiffness = rb_read_number(r, "contactStiffness", 1);
    if (!(resolution >= 0) || !(stiffness > 0) || isinf(resolution + stiffness))
        return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                       "surfaceResolution of '%s' is %g m, contactStiffness %g; they must be "
                       "positive (a resolution of 0 follows from the size)",
                       member->path, resolution, stiffness);
    if (resolution > 0) soft->resolution = resolution;
    if (stiffness != 1) soft->stiffness = stiffness;
    if (rb_read_number(r, "sphereMasses", 0) != 0) soft->mass = RB_SOFT_MASS_SPHERES;
    return RB_OK;
}

RbStatus rb_members_soft(const Members *m, const RbSegment *segment, RbScene *s) {
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if (member->role != ROLE_SOFT) continue;
        RbReading r = {m, segment, i};
        if (!s->soft.bodies) s->soft.bodies = rb_soft_scene_new("soft bodies", s->arena);
        RB_TRY(read_world(&r, s->soft.bodies));
        RB_TRY(add_body(&r, s));
    }
    return s->soft.bodies ? rb_soft_scene_check(s->soft.bodies, segment->diag) : RB_OK;
}

static void take(double now, double *old, double *own) {
    if (now != *old) *own = now;
    *old = now;
}

static void take_material(RbSoftMaterial now, RbSoftMaterial *old, RbSoftMaterial *own) {
    take(now.youngs_modulus, &old->youngs_modulus, &own->youngs_modulus);
    take(now.density, &old->density, &own->density);
    take(now.damping, &old->damping, &own->damping);
    take(now.medium_density, &old->medium_density, &own->medium_density);
}

void rb_members_soft_values(const Members *m, const RbSegment *segment, RbSoftScene *soft,
                            const SoftMemberValues *known) {
    RbSoftMaterial *own = soft->materials.data, *old = known->materials;
    int k = 0;
    for (int i = 0; i < m->gathered->count; i++) {
        if (rb_member(m, i)->role != ROLE_SOFT) continue;
        RbReading r = {m, segment, i};
        const RbSoftObject *o = &soft->objects.data[k];
        take_material(material_of(&r), old++, own++); // ORDER add_materials
        for (int n = 0; n < more_materials(&r).count; n++)
            take_material(more_material(&r, n), old++, own++);
        double friction = soft->molecules.data[o->first].friction;
        take(rb_read_number(&r, "mu", 0), &known->friction[k], &friction);
        for (int j = 0; j < o->count; j++) soft->molecules.data[o->first + j].friction = friction;
        k++;
    }
}

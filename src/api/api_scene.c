// SPDX-License-Identifier: MIT
#include "api/api_scene.h"

#include <math.h>
#include <string.h>

#include "io/mesh_file.h"
#include "scenes.h"

// ----------------------------------------------------------------------------------------------------
// the scene

static const double STANDARD_GRAVITY = 9.81; // [m/s2]

RbStatus rb_scene_open_check(RbSceneBuilder *b, const char *function) {
    if (!b) return RB_ERROR_USAGE;
    if (!b->finished) return RB_OK;
    return rb_bad_argument(b->context, function, "builder",
                           "is finished: the scene is part of a model and cannot be changed");
}

RbStatus rb_builder_create(RbContext *context, const char *name, RbSceneBuilder **builder) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, builder);
    *builder = NULL;
    RB_NEED(context, name);
    RB_CALL(context);
    RbSceneBuilder *b = rb_new(&context->arena, RbSceneBuilder);
    *b = (RbSceneBuilder){.context = context,
                          .scene = rb_scene_new(&context->arena),
                          .name = rb_arena_text(&context->arena, name),
                          .up = Q_IDENTITY};
    b->scene->gravity = (RbGravity){.kind = RB_GRAVITY_UNIFORM, .g = v3(0, 0, -STANDARD_GRAVITY)};
    RB_TRY(rb_scene_read_materials(b->scene, NULL, &context->diag));
    *builder = b;
    return RB_OK;
}

RbStatus rb_builder_read_materials(RbSceneBuilder *b, const char *file) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, file);
    RB_CALL(b->context);
    return rb_scene_read_materials(b->scene, file, &b->context->diag);
}

static bool is_finite(const double *v, int count) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(v[i])) return false;
    }
    return true;
}

RbStatus rb_builder_gravity(RbSceneBuilder *b, const double g[3]) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, g);
    if (!is_finite(g, 3)) return rb_bad_argument(b->context, __func__, "g", "is not finite");
    Vec3 v = v3_load(g);
    b->scene->gravity =
        (RbGravity){.kind = v3_norm(v) > 0 ? RB_GRAVITY_UNIFORM : RB_GRAVITY_NONE, .g = v};
    return RB_OK;
}

RbStatus rb_builder_steady_start(RbSceneBuilder *b, bool steady) {
    RB_NEED_SCENE(b);
    b->scene->steady_start = steady;
    return RB_OK;
}

RbStatus rb_builder_up(RbSceneBuilder *b, const double up[3]) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, up);
    if (!is_finite(up, 3) || !(v3_norm(v3_load(up)) > 0))
        return rb_bad_argument(b->context, __func__, "up", "is no direction");
    Vec3 n = v3_unit(v3_load(up));
    b->up = q_from_z(n);
    b->scene->gravity =
        (RbGravity){.kind = RB_GRAVITY_UNIFORM, .g = v3_scale(-STANDARD_GRAVITY, n)};
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// objects

RbSolid rb_solid_default(const char *name, RbSolidKind kind, const char *material) {
    return (RbSolid){.name = name,
                     .kind = kind,
                     .lengths = {1, 1, 1},
                     .axis = 3,
                     .diameter = 1,
                     .length = 1,
                     .width = 0.2,
                     .thickness = 0.1,
                     .smoothing = RB_DEFAULT_SMOOTHING,
                     .mesh_scale = 1,
                     .material = material};
}

static RbShape cylinder_of(const RbSolid *s) {
    RbShape shape = rb_shape_cylinder(s->axis, s->diameter, s->length);
    shape.inner_diameter = s->inner_diameter;
    return shape;
}

// ORDER RbSolidKind
static RbShape shape_of(const RbSolid *s) {
    switch (s->kind) {
        case RB_SOLID_SPHERE: return rb_shape_sphere(s->diameter);
        case RB_SOLID_ELLIPSOID: return rb_shape_ellipsoid(v3_load(s->lengths));
        case RB_SOLID_BOX: return rb_shape_box(v3_load(s->lengths));
        case RB_SOLID_CYLINDER: return cylinder_of(s);
        case RB_SOLID_CONE: return rb_shape_cone(s->axis, s->diameter, s->length, s->top_diameter);
        case RB_SOLID_CAPSULE: return rb_shape_capsule(s->axis, s->diameter, s->length);
        case RB_SOLID_BEAM: return rb_shape_beam(s->axis, s->length, s->width, s->thickness);
        case RB_SOLID_HALFSPACE:
        case RB_SOLID_HULL:
        case RB_SOLID_PARTS:
        case RB_SOLID_MESH: break; // made where it can fail
    }
    return rb_shape_halfspace();
}

static Pose pose_of(const double *position, const double *rotation) {
    Quat q = rotation ? q_load(rotation) : Q_IDENTITY;
    return pose(position ? v3_load(position) : V3_ZERO, q_norm2(q) == 0 ? Q_IDENTITY : q_unit(q));
}

RbStatus rb_scene_check_object(const RbSceneBuilder *b, int object) {
    if (object >= 0 && object < b->scene->objects.count) return RB_OK;
    return rb_fail(&b->context->diag, RB_ERROR_USAGE, RB_NOWHERE, "scene '%s' has no object %d",
                   b->name, object);
}

static RbStatus hull_of(const RbSceneBuilder *b, const RbSolid *solid, RbShape *shape) {
    RbScene *s = b->scene;
    RbContext *c = b->context;
    Vec3 *points = rb_new_array(s->arena, Vec3, solid->point_count);
    for (int i = 0; i < solid->point_count; i++) points[i] = v3_load(solid->points + 3 * i);
    return rb_shape_hull(points, solid->point_count, solid->radius, solid->name, RB_NOWHERE,
                         s->arena, c->scratch, &c->diag, shape);
}

static RbStatus parts_of(const RbSceneBuilder *b, const RbSolid *solid, RbShape *shape) {
    RbScene *s = b->scene;
    RbContext *c = b->context;
    RbMesh *parts = rb_new_array(s->arena, RbMesh, solid->part_count);
    const double *next = solid->points;
    for (int i = 0; i < solid->part_count; i++) {
        Vec3 *points = rb_new_array(s->arena, Vec3, solid->part_counts[i]);
        for (int k = 0; k < solid->part_counts[i]; k++, next += 3) points[k] = v3_load(next);
        parts[i] = (RbMesh){.vertices = points, .vertex_count = solid->part_counts[i]};
    }
    return rb_shape_mesh(parts, solid->part_count, NULL, solid->name, RB_NOWHERE, s->arena,
                         c->scratch, &c->diag, shape);
}

static RbStatus mesh_of(const RbSceneBuilder *b, const RbSolid *solid, RbShape *shape) {
    RbContext *c = b->context;
    RbMeshFileOptions options = rb_mesh_file_options();
    options.scale = v3(solid->mesh_scale, solid->mesh_scale, solid->mesh_scale);
    options.convex_parts = solid->mesh_parts;
    return rb_shape_from_file(solid->mesh_file, options, solid->name, RB_NOWHERE, b->scene->arena,
                              c->scratch, &c->diag, shape);
}

static RbStatus make_shape(const RbSceneBuilder *b, const RbSolid *solid, RbShape *shape) {
    if (solid->kind == RB_SOLID_HULL) return hull_of(b, solid, shape);
    if (solid->kind == RB_SOLID_PARTS) return parts_of(b, solid, shape);
    if (solid->kind == RB_SOLID_MESH) return mesh_of(b, solid, shape);
    return RB_OK;
}

// What only the start of a run would find otherwise.
static RbStatus check_materials(const RbSceneBuilder *b, const RbSceneObject *o) {
    const RbMaterials *m = &b->scene->materials;
    const RbSolidMaterial *solid;
    RbDiag *diag = &b->context->diag;
    if (o->solid) RB_TRY(rb_materials_solid(m, o->solid, o->object.name, RB_NOWHERE, diag, &solid));
    if (!o->contact) return RB_OK;
    return rb_materials_check_contact(m, o->contact, o->object.name, RB_NOWHERE, diag);
}

// A solid has a shape that is made here; NULL: the object has all it needs.
static RbStatus add_object(RbSceneBuilder *b, RbSceneObject o, const RbSolid *solid, int *number) {
    if (number) *number = 0;
    RB_CALL(b->context);
    RbScene *s = b->scene;
    RbDiag *diag = &b->context->diag;
    if (!o.object.name || !o.object.name[0]) {
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "object %d of scene '%s' has no name",
                       s->objects.count, b->name);
    }
    if (o.object.parent != -1) RB_TRY(rb_scene_check_object(b, o.object.parent));
    if (rb_scene_find(s, o.object.name) >= 0) {
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE, "there are two objects named '%s'",
                       o.object.name);
    }
    double edges = o.shape.smoothing;
    if (solid) RB_TRY(make_shape(b, solid, &o.shape));
    if (solid) o.shape.smoothing = edges;
    if (o.object.moves_freely && !o.object.has_mass && o.shape.part_count > 1 && !o.shape.surface)
        rb_shape_tell_overlap(&o.shape, o.object.name, RB_NOWHERE, s->arena, b->context->scratch,
                              diag);
    RB_TRY(check_materials(b, &o));
    if (o.has_shape) RB_TRY(rb_shape_check(&o.shape, o.object.name, RB_NOWHERE, diag));
    if (o.object.has_mass) RB_TRY(rb_object_check(&o.object, diag));
    if (o.solid) o.solid = rb_arena_text(s->arena, o.solid);
    if (o.contact) o.contact = rb_arena_text(s->arena, o.contact);
    int added = rb_scene_add(s, o);
    if (number) *number = added;
    return RB_OK;
}

// Points of hulls and parts.
static RbStatus check_points(const RbSolid *s, RbContext *c, const char *function) {
    if (s->kind == RB_SOLID_MESH && !s->mesh_file)
        return rb_bad_argument(c, function, "solid->mesh_file", "is NULL");
    if (s->kind == RB_SOLID_MESH && !(s->mesh_scale > 0))
        return rb_bad_argument(c, function, "solid->mesh_scale", "is not positive");
    if (s->kind != RB_SOLID_HULL && s->kind != RB_SOLID_PARTS) return RB_OK;
    if (!s->points) return rb_bad_argument(c, function, "solid->points", "is NULL");
    if (s->kind == RB_SOLID_HULL && s->point_count <= 0)
        return rb_bad_argument(c, function, "solid->point_count", "is not positive");
    if (s->kind == RB_SOLID_HULL) return RB_OK;
    if (!s->part_counts) return rb_bad_argument(c, function, "solid->part_counts", "is NULL");
    if (s->part_count <= 0)
        return rb_bad_argument(c, function, "solid->part_count", "is not positive");
    for (int i = 0; i < s->part_count; i++) {
        if (s->part_counts[i] <= 0)
            return rb_bad_argument(c, function, "solid->part_counts", "holds a number below 1");
    }
    return RB_OK;
}

static RbStatus check_solid(const RbSolid *s, RbContext *c, const char *function) {
    if (s->kind < RB_SOLID_SPHERE || s->kind > RB_SOLID_MESH)
        return rb_bad_argument(c, function, "solid->kind", "is none of the values of RbSolidKind");
    if (!s->material) return rb_bad_argument(c, function, "solid->material", "is NULL");
    if (!(s->mass >= 0) || !isfinite(s->mass))
        return rb_bad_argument(c, function, "solid->mass", "is negative or no number");
    if (s->has_inertia && !(s->mass > 0))
        return rb_bad_argument(c, function, "solid->mass",
                               "must be positive where inertia is given");
    if (!is_finite(s->position, 3) || !is_finite(s->rotation, 4))
        return rb_bad_argument(c, function, "solid->position, solid->rotation", "is not finite");
    if (!is_finite(s->velocity, 3) || !is_finite(s->angular_velocity, 3))
        return rb_bad_argument(c, function, "solid->velocity, solid->angular_velocity",
                               "is not finite");
    return check_points(s, c, function);
}

static RbMassProperties mass_of(double mass, const double *centre, const double *i) {
    RbMassProperties m = {.mass = mass, .r_CM = centre ? v3_load(centre) : V3_ZERO};
    m.I_CM = m3_from_columns(v3(i[0], i[3], i[4]), v3(i[3], i[1], i[5]), v3(i[4], i[5], i[2]));
    return m;
}

RbStatus rb_builder_add_solid(RbSceneBuilder *b, const RbSolid *solid, int *object) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, solid);
    RB_TRY(check_solid(solid, b->context, __func__));
    RbSceneObject o = rb_solid(solid->name, shape_of(solid), solid->material);
    o.shape.smoothing = solid->smoothing;
    o.contact = solid->contact_material;
    o.mass = solid->mass;
    o.object.parent = solid->held_by_joint ? -1 : solid->parent;
    o.object.pose = pose_of(solid->position, solid->rotation);
    if (solid->kind == RB_SOLID_HALFSPACE && q_norm2(q_load(solid->rotation)) == 0)
        o.object.pose = pose(o.object.pose.r, b->up);
    o.object.moves_freely = solid->free;
    o.object.collidable = !solid->no_contact;
    memcpy(o.paint.colour, solid->colour, sizeof o.paint.colour);
    o.object.velocity = v3_load(solid->velocity);
    o.object.angular_velocity = v3_load(solid->angular_velocity);
    o.object.has_mass = solid->has_inertia;
    if (solid->has_inertia) o.object.mass = mass_of(solid->mass, solid->centre, solid->inertia);
    return add_object(b, o, solid, object);
}

RbStatus rb_builder_add_mass(RbSceneBuilder *b, const char *name, int parent,
                             const double position[3], double mass, const double centre[3],
                             const double inertia[6], int *object) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, name);
    RB_NEED(b->context, inertia);
    RbSceneObject o = rb_body(name, mass_of(mass, centre, inertia));
    o.object.parent = parent;
    o.object.pose = pose_of(position, NULL);
    return add_object(b, o, NULL, object);
}

RbStatus rb_builder_add_frame(RbSceneBuilder *b, const char *name, int parent,
                              const double position[3], const double rotation[4], int *object) {
    RB_NEED_SCENE(b);
    RB_NEED(b->context, name);
    RbSceneObject o = rb_frame_object(name, parent, pose_of(position, rotation));
    return add_object(b, o, NULL, object);
}

// ---------------------------------------------------------------------------------------------------
// results and the model

RbStatus rb_builder_record_contact(RbSceneBuilder *b, int a, int object_b) {
    RB_NEED_SCENE(b);
    RB_CALL(b->context);
    RbScene *s = b->scene;
    RB_TRY(rb_scene_check_object(b, a));
    RB_TRY(rb_scene_check_object(b, object_b));
    rb_array_push(&s->contact_results, s->arena, ((RbScenePair){a, object_b}));
    return RB_OK;
}

RbStatus rb_builder_finish(RbSceneBuilder *b, RbModel **model) {
    if (b && !model) return rb_bad_argument(b->context, __func__, "model", "is NULL");
    if (model) *model = NULL;
    RB_NEED_SCENE(b);
    RB_CALL(b->context);
    RbContext *c = b->context;
    const RbSceneCase *example = b->example;
    RbModel *m = rb_model_new(b->name, example ? example->description : "", &c->arena);
    m->context = c;
    m->stop_time = example ? example->stop_time : 0;
    m->tolerance = example ? example->tolerance : 0;
    m->least_steps = rb_scene_least_steps(b->scene);
    RB_TRY(rb_model_add_with(m, &rb_multibody, "", b->scene, &c->diag, NULL));
    *model = m;
    b->finished = true;
    return RB_OK;
}

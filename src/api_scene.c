// SPDX-License-Identifier: MIT
#include "api_scene.h"

// ----------------------------------------------------------------------------------------------------
// the scene

static RbStatus create(void *argument) {
    RbSceneCall *call = argument;
    RbContext *c = call->context;
    RbSceneBuilder *b = rb_new(&c->arena, RbSceneBuilder);
    *b = (RbSceneBuilder){c, rb_scene_new(&c->arena), rb_arena_text(&c->arena, call->text)};
    RB_TRY(rb_scene_read_materials(b->scene, NULL, &c->diag));
    call->builder = b;
    return RB_OK;
}

RbStatus rb_builder_create(RbContext *c, const char *name, RbSceneBuilder **builder) {
    RbSceneCall call = {.context = c, .text = name};
    RbStatus status = rb_scene_call(&call, create);
    *builder = call.builder;
    return status;
}

static RbStatus read_materials(void *argument) {
    RbSceneCall *call = argument;
    return rb_scene_read_materials(call->builder->scene, call->text, &call->context->diag);
}

RbStatus rb_builder_read_materials(RbSceneBuilder *b, const char *file) {
    return rb_scene_call(&(RbSceneCall){.context = b->context, .builder = b, .text = file},
                         read_materials);
}

void rb_builder_gravity(RbSceneBuilder *b, const double g[3]) {
    Vec3 v = v3_load(g);
    b->scene->gravity =
        (RbGravity){.kind = v3_norm(v) > 0 ? RB_GRAVITY_UNIFORM : RB_GRAVITY_NONE, .g = v};
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
        case RB_SOLID_HULL: break; // made where it can fail
    }
    return rb_shape_halfspace();
}

static Pose pose_of(const double *position, const double *rotation) {
    Quat q = rotation ? q_load(rotation) : Q_IDENTITY;
    return pose(position ? v3_load(position) : V3_ZERO, q_norm2(q) == 0 ? Q_IDENTITY : q_unit(q));
}

RbStatus rb_scene_call_check(const RbSceneCall *call, int object) {
    if (object >= 0 && object < call->builder->scene->objects.count) return RB_OK;
    return rb_fail(&call->context->diag, RB_ERROR_USAGE, RB_NOWHERE, "scene '%s' has no object %d",
                   call->builder->name, object);
}

static RbStatus hull_of(const RbSceneCall *call, const RbSolid *solid, RbShape *shape) {
    RbScene *s = call->builder->scene;
    RbContext *c = call->context;
    Vec3 *points = rb_new_array(s->arena, Vec3, solid->point_count);
    for (int i = 0; i < solid->point_count; i++) points[i] = v3_load(solid->points + 3 * i);
    return rb_shape_hull(points, solid->point_count, solid->radius, solid->name, RB_NOWHERE,
                         s->arena, c->scratch, &c->diag, shape);
}

static RbStatus add_object(void *argument) {
    RbSceneCall *call = argument;
    RbScene *s = call->builder->scene;
    RbSceneObject *o = &call->object;
    if (!o->object.name || !o->object.name[0]) {
        return rb_fail(&call->context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "object %d of scene '%s' has no name", s->objects.count,
                       call->builder->name);
    }
    if (o->object.parent != -1) RB_TRY(rb_scene_call_check(call, o->object.parent));
    if (rb_scene_find(s, o->object.name) >= 0) {
        return rb_fail(&call->context->diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "there are two objects named '%s'", o->object.name);
    }
    const RbSolid *solid = call->spec;
    if (solid && solid->kind == RB_SOLID_HULL) RB_TRY(hull_of(call, solid, &o->shape));
    if (o->has_shape)
        RB_TRY(rb_shape_check(&o->shape, o->object.name, RB_NOWHERE, &call->context->diag));
    if (o->solid) o->solid = rb_arena_text(s->arena, o->solid);
    if (o->contact) o->contact = rb_arena_text(s->arena, o->contact);
    call->number = rb_scene_add(s, *o);
    return RB_OK;
}

static RbStatus run_add(RbSceneCall *call, int *object) {
    RbStatus status = rb_scene_call(call, add_object);
    if (object) *object = call->number;
    return status;
}

RbStatus rb_builder_add_solid(RbSceneBuilder *b, const RbSolid *solid, int *object) {
    RbSceneObject o = rb_solid(solid->name, shape_of(solid), solid->material);
    o.shape.smoothing = solid->smoothing;
    o.contact = solid->contact_material;
    o.mass = solid->mass;
    o.object.parent = solid->held_by_joint ? -1 : solid->parent;
    o.object.pose = pose_of(solid->position, solid->rotation);
    o.object.moves_freely = solid->free;
    o.object.collidable = !solid->no_contact;
    o.object.velocity = v3_load(solid->velocity);
    o.object.angular_velocity = v3_load(solid->angular_velocity);
    RbSceneCall call = {.context = b->context, .builder = b, .object = o, .spec = solid};
    return run_add(&call, object);
}

RbStatus rb_builder_add_mass(RbSceneBuilder *b, const char *name, int parent,
                             const double position[3], double mass, const double centre[3],
                             const double inertia[6], int *object) {
    const double *i = inertia;
    RbMassProperties m = {.mass = mass, .r_CM = centre ? v3_load(centre) : V3_ZERO};
    m.I_CM = m3_from_columns(v3(i[0], i[3], i[4]), v3(i[3], i[1], i[5]), v3(i[4], i[5], i[2]));
    RbSceneObject o = rb_body(name, m);
    o.object.parent = parent;
    o.object.pose = pose_of(position, NULL);
    return run_add(&(RbSceneCall){.context = b->context, .builder = b, .object = o}, object);
}

RbStatus rb_builder_add_frame(RbSceneBuilder *b, const char *name, int parent,
                              const double position[3], const double rotation[4], int *object) {
    RbSceneObject o = rb_frame_object(name, parent, pose_of(position, rotation));
    return run_add(&(RbSceneCall){.context = b->context, .builder = b, .object = o}, object);
}

// ---------------------------------------------------------------------------------------------------
// results and the model

static RbStatus record_contact(void *argument) {
    RbSceneCall *call = argument;
    RbScene *s = call->builder->scene;
    RB_TRY(rb_scene_call_check(call, call->a));
    RB_TRY(rb_scene_call_check(call, call->b));
    rb_array_push(&s->contact_results, s->arena, ((RbScenePair){call->a, call->b}));
    return RB_OK;
}

RbStatus rb_builder_record_contact(RbSceneBuilder *b, int a, int object_b) {
    RbSceneCall call = {.context = b->context, .builder = b, .a = a, .b = object_b};
    return rb_scene_call(&call, record_contact);
}

static RbStatus finish(void *argument) {
    RbSceneCall *call = argument;
    RbContext *c = call->context;
    RbModel *m = rb_model_new(call->builder->name, "", &c->arena);
    m->context = c;
    m->least_steps = rb_scene_least_steps(call->builder->scene);
    RB_TRY(rb_model_add_with(m, &rb_multibody, "", call->builder->scene, &c->diag, NULL));
    call->model = m;
    return RB_OK;
}

RbStatus rb_builder_finish(RbSceneBuilder *b, RbModel **model) {
    RbSceneCall call = {.context = b->context, .builder = b};
    RbStatus status = rb_scene_call(&call, finish);
    *model = call.model;
    return status;
}

// SPDX-License-Identifier: MIT
#include <string.h>

#include "api_context.h"
#include "multibody/multibody.h"

struct RbSceneBuilder {
    RbContext *context;
    RbScene *scene;
    const char *name;
};

typedef struct SceneCall {
    RbContext *context;
    RbSceneBuilder *builder;
    const char *text;
    const RbSolid *solid;
    RbSceneObject object;
    RbObjectJoint joint;
    RbSceneSpring spring;
    RbScenePair pair;
    int number;
    RbModel *model;
} SceneCall;

static RbStatus run(SceneCall *call, RbStatus (*body)(void *)) {
    return rb_protect(&call->context->heap, body, call);
}

// ----------------------------------------------------------------------------------------------------
// the scene

static RbStatus create(void *argument) {
    SceneCall *call = argument;
    RbContext *c = call->context;
    RbSceneBuilder *b = rb_new(&c->arena, RbSceneBuilder);
    *b = (RbSceneBuilder){c, rb_scene_new(&c->arena), rb_arena_text(&c->arena, call->text)};
    RB_TRY(rb_scene_read_materials(b->scene, NULL, &c->diag));
    call->builder = b;
    return RB_OK;
}

RbStatus rb_builder_create(RbContext *c, const char *name, RbSceneBuilder **builder) {
    SceneCall call = {.context = c, .text = name};
    RbStatus status = run(&call, create);
    *builder = call.builder;
    return status;
}

static RbStatus read_materials(void *argument) {
    SceneCall *call = argument;
    return rb_scene_read_materials(call->builder->scene, call->text, &call->context->diag);
}

RbStatus rb_builder_read_materials(RbSceneBuilder *b, const char *file) {
    return run(&(SceneCall){.context = b->context, .builder = b, .text = file}, read_materials);
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

// ORDER RbSolidKind
static RbShape shape_of(const RbSolid *s) {
    switch (s->kind) {
        case RB_SOLID_SPHERE: return rb_shape_sphere(s->diameter);
        case RB_SOLID_ELLIPSOID: return rb_shape_ellipsoid(v3_load(s->lengths));
        case RB_SOLID_BOX: return rb_shape_box(v3_load(s->lengths));
        case RB_SOLID_CYLINDER: return rb_shape_cylinder(s->axis, s->diameter, s->length);
        case RB_SOLID_CONE: return rb_shape_cone(s->axis, s->diameter, s->length, s->top_diameter);
        case RB_SOLID_CAPSULE: return rb_shape_capsule(s->axis, s->diameter, s->length);
        case RB_SOLID_BEAM: return rb_shape_beam(s->axis, s->length, s->width, s->thickness);
        case RB_SOLID_HALFSPACE: break;
    }
    return rb_shape_halfspace();
}

static Pose pose_of(const double *position, const double *rotation) {
    Quat q = rotation ? q_load(rotation) : Q_IDENTITY;
    return pose(position ? v3_load(position) : V3_ZERO, q_norm2(q) > 0 ? q_unit(q) : Q_IDENTITY);
}

static RbStatus check_object(const SceneCall *call, int object) {
    if (object >= 0 && object < call->builder->scene->objects.count) return RB_OK;
    return rb_fail(&call->context->diag, RB_ERROR_USAGE, RB_NOWHERE, "scene '%s' has no object %d",
                   call->builder->name, object);
}

static RbStatus add_object(void *argument) {
    SceneCall *call = argument;
    RbScene *s = call->builder->scene;
    RbSceneObject *o = &call->object;
    if (o->object.parent != -1) RB_TRY(check_object(call, o->object.parent));
    if (rb_scene_find(s, o->object.name) >= 0) {
        return rb_fail(&call->context->diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "there are two objects named '%s'", o->object.name);
    }
    if (o->has_shape)
        RB_TRY(rb_shape_check(&o->shape, o->object.name, RB_NOWHERE, &call->context->diag));
    if (o->solid) o->solid = rb_arena_text(s->arena, o->solid);
    if (o->contact) o->contact = rb_arena_text(s->arena, o->contact);
    call->number = rb_scene_add(s, *o);
    return RB_OK;
}

static RbStatus run_add(SceneCall *call, int *object) {
    RbStatus status = run(call, add_object);
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
    return run_add(&(SceneCall){.context = b->context, .builder = b, .object = o}, object);
}

RbStatus rb_builder_add_frame(RbSceneBuilder *b, const char *name, int parent,
                              const double position[3], const double rotation[4], int *object) {
    RbSceneObject o = rb_frame_object(name, parent, pose_of(position, rotation));
    return run_add(&(SceneCall){.context = b->context, .builder = b, .object = o}, object);
}

// -------------------------------------------------------------------------------------------
// joints and forces

static RbStatus add_joint(void *argument) {
    SceneCall *call = argument;
    RB_TRY(check_object(call, call->joint.a));
    RB_TRY(check_object(call, call->joint.b));
    call->number = rb_scene_add_joint(call->builder->scene, call->joint);
    return RB_OK;
}

RbStatus rb_builder_add_joint(RbSceneBuilder *b, const char *name, RbHinge kind, int a,
                              int object_b, const double axis[3], double start, double speed,
                              bool can_collide, int *joint) {
    static const RbJointKind kinds[] = {RB_JOINT_REVOLUTE, RB_JOINT_PRISMATIC, RB_JOINT_CYLINDRICAL,
                                        RB_JOINT_SPHERICAL};
    SceneCall call = {.context = b->context, .builder = b};
    call.joint = rb_scene_joint(name, kinds[kind], a, object_b, axis ? v3_load(axis) : v3(0, 0, 1));
    call.joint.can_collide = can_collide;
    if (kind != RB_HINGE_SPHERICAL) {
        call.joint.q[0] = start;
        call.joint.v[0] = speed;
    }
    RbStatus status = run(&call, add_joint);
    if (joint) *joint = call.number;
    return status;
}

static RbStatus add_spring(void *argument) {
    SceneCall *call = argument;
    RbScene *s = call->builder->scene;
    RB_TRY(check_object(call, call->spring.a));
    RB_TRY(check_object(call, call->spring.b));
    rb_array_push(&s->springs, s->arena, call->spring);
    return RB_OK;
}

RbStatus rb_builder_add_spring(RbSceneBuilder *b, int a, int object_b, double length,
                               double stiffness, double damping) {
    SceneCall call = {.context = b->context, .builder = b, .spring = {.a = a, .b = object_b}};
    call.spring.element = (RbSpring){
        .nominal_length = length, .spring = rb_linear(stiffness), .damper = rb_linear(damping)};
    return run(&call, add_spring);
}

static RbStatus record_contact(void *argument) {
    SceneCall *call = argument;
    RbScene *s = call->builder->scene;
    RB_TRY(check_object(call, call->pair.a));
    RB_TRY(check_object(call, call->pair.b));
    rb_array_push(&s->contact_results, s->arena, call->pair);
    return RB_OK;
}

RbStatus rb_builder_record_contact(RbSceneBuilder *b, int a, int object_b) {
    return run(&(SceneCall){.context = b->context, .builder = b, .pair = {a, object_b}},
               record_contact);
}

static RbStatus finish(void *argument) {
    SceneCall *call = argument;
    RbContext *c = call->context;
    RbModel *m = rb_model_new(call->builder->name, "", &c->arena);
    m->context = c;
    RB_TRY(rb_model_add_with(m, &rb_multibody, "", call->builder->scene, &c->diag, NULL));
    call->model = m;
    return RB_OK;
}

RbStatus rb_builder_finish(RbSceneBuilder *b, RbModel **model) {
    SceneCall call = {.context = b->context, .builder = b};
    RbStatus status = run(&call, finish);
    *model = call.model;
    return status;
}

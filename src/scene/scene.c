// SPDX-License-Identifier: MIT
#include "scene/scene.h"

#include <string.h>

RbSceneObject rb_solid(const char *name, RbShape shape, const char *material) {
    RbSceneObject o = {
        .object = rb_object(name, 0), .has_shape = true, .shape = shape, .solid = material};
    o.object.feature = RB_FEATURE_SOLID;
    o.object.collidable = true;
    return o;
}

RbSceneObject rb_body(const char *name, RbMassProperties mass) {
    RbSceneObject o = {.object = rb_object(name, 0)};
    o.object.feature = RB_FEATURE_SOLID;
    o.object.has_mass = true;
    o.object.mass = mass;
    return o;
}

RbSceneObject rb_frame_object(const char *name, int parent, Pose pose) {
    RbSceneObject o = {.object = rb_object(name, parent)};
    o.object.pose = pose;
    return o;
}

RbScene *rb_scene_new(RbArena *arena) {
    RbScene *s = rb_new(arena, RbScene);
    *s = (RbScene){.arena = arena,
                   .contact = true,
                   .contact_options = rb_contact_options(),
                   .gravity = rb_gravity_uniform(9.81, v3(0, -1, 0)),
                   .damping = RB_DAMPING_TYPED};
    RbSceneObject world = {.object = rb_object("world", -1)};
    world.object.feature = RB_FEATURE_SCENE;
    rb_array_push(&s->objects, arena, world);
    return s;
}

RbStatus rb_scene_read_materials(RbScene *s, const char *file, RbDiag *diag) {
    if (file) return rb_materials_read(&s->materials, file, s->arena, diag);
    return rb_materials_parse(&s->materials, "materials.json", rb_builtin_materials,
                              strlen(rb_builtin_materials), s->arena, diag);
}

// Edges of hulls that may touch are rounded, as those of boxes are; none is sharp.
static void round_edges(const RbScene *s, RbSceneObject *o) {
    if (!o->has_shape || !o->object.collidable || o->by_surface) return;
    rb_shape_blunt(&o->shape);
    if (o->shape.part_count == 0) return;
    RbArena *scratch = rb_arena_child(s->arena);
    RbStatus status = rb_shape_round(&o->shape, s->arena, *scratch);
    rb_arena_free(scratch);
    if (status == RB_ERROR_MEMORY) rb_heap_fail(s->arena->heap);
}

int rb_scene_add(RbScene *s, RbSceneObject object) {
    object.object.name = rb_arena_text(s->arena, object.object.name);
    round_edges(s, &object);
    rb_array_push(&s->objects, s->arena, object);
    return s->objects.count - 1;
}

bool rb_scene_is_of_array(const RbScene *s, int object) {
    if (object < 1) return false;
    RbPos at = s->objects.data[object].object.at, before = s->objects.data[object - 1].object.at;
    return at.line > 0 && at.line == before.line && at.column == before.column &&
           at.file == before.file;
}

int rb_scene_add_joint(RbScene *s, RbObjectJoint joint) {
    joint.name = rb_arena_text(s->arena, joint.name);
    rb_array_push(&s->joints, s->arena, joint);
    return s->joints.count - 1;
}

RbObjectJoint rb_scene_joint(const char *name, RbJointKind kind, int a, int b, Vec3 n) {
    return (RbObjectJoint){
        .name = name, .kind = kind, .a = a, .b = b, .n = n, .pose = POSE_IDENTITY};
}

int rb_scene_find_joint(const RbScene *s, const char *name) {
    int found = -1;
    for (int i = 0; i < s->joints.count; i++) {
        if (strcmp(s->joints.data[i].name, name) != 0) continue;
        if (s->joints.data[i].hold.kind == RB_HOLD_WHEEL) return i;
        if (found < 0) found = i;
    }
    return found;
}

void rb_scene_add_action(RbScene *s, RbSceneAction action) {
    rb_array_push(&s->actions, s->arena, action);
    for (int i = s->actions.count - 1; i > 0 && s->actions.data[i - 1].time > action.time; i--) {
        s->actions.data[i] = s->actions.data[i - 1];
        s->actions.data[i - 1] = action;
    }
}

void rb_scene_add_step(RbScene *s, int program, RbSceneStep step) {
    if (program == s->programs.count) rb_array_push(&s->programs, s->arena, (RbSceneProgram){0});
    rb_array_push(&s->programs.data[program].steps, s->arena, step);
}

void rb_scene_published_laws(RbScene *s) {
    for (int i = 0; i < s->materials.pairs.count; i++) {
        RbPairLaw *law = &s->materials.pairs.data[i].law;
        if (law->friction == RB_FRICTION_AUTO) law->friction = RB_FRICTION_SLIDING;
        law->twist = 0;
    }
    s->faces = RB_FACES_POINT;
}

int rb_scene_find(const RbScene *s, const char *name) {
    for (int i = 0; i < s->objects.count; i++) {
        if (strcmp(s->objects.data[i].object.name, name) == 0) return i;
    }
    return -1;
}

bool rb_scene_has_time(const RbScene *s) {
    for (int i = 0; i < s->joint_forces.count; i++) {
        if (s->joint_forces.data[i].element.law) return true;
    }
    for (int i = 0; i < s->regions.count; i++) {
        const RbRegion *r = &s->regions.data[i].region;
        if (r->kind == RB_REGION_PART && v3_norm2(r->surface) > 0 && (r->start > 0 || r->ramp > 0))
            return true;
    }
    return s->world_forces.count > 0;
}

int rb_scene_least_steps(const RbScene *s) {
    const int enough = 1000;
    return rb_scene_has_time(s) ? enough : 0;
}

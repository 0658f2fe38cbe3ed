// SPDX-License-Identifier: MIT
// include/rattleback/collide.h: the world and its colliders. Checks what users hand in;
// src/collide/world.h does the work.
#include "api/api_collide_data.h"

#include <stdarg.h>
#include <stdio.h>

// Calls and errors.

RbStatus rb_collide_fail(RbCollideWorld *w, RbStatus status, const char *format, ...) {
    int used = snprintf(w->error, ERROR_LENGTH, "%s: ", w->call);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(w->error + used, (size_t)(ERROR_LENGTH - used), format, arguments);
    va_end(arguments);
    return status;
}

const char *rb_collide_error(const RbCollideWorld *w) {
    return w ? w->error : "the world is NULL";
}

// Arguments.

RbStatus rb_collide_need(RbCollideWorld *w, const void *pointer, const char *name) {
    if (pointer) return RB_OK;
    return rb_collide_fail(w, RB_ERROR_USAGE, "%s is NULL", name);
}

RbStatus rb_collide_vector(RbCollideWorld *w, const double *p, const char *name, Vec3 *out) {
    RB_TRY(rb_collide_need(w, p, name));
    *out = v3_load(p);
    if (v3_max_abs(*out) <= RB_COLLIDE_FARTHEST && v3_finite(*out)) return RB_OK;
    return rb_collide_fail(w, RB_ERROR_USAGE, "%s is (%g, %g, %g); it must be finite", name, p[0],
                           p[1], p[2]);
}

RbStatus rb_collide_pose(RbCollideWorld *w, const double *position, const double *rotation,
                         Pose *out) {
    Vec3 r;
    RB_TRY(rb_collide_vector(w, position, "position", &r));
    Quat q = rotation ? q_load(rotation) : Q_IDENTITY;
    double norm2 = q_norm2(q);
    if (!(norm2 > 1e-200 && norm2 < 1e200)) {
        return rb_collide_fail(w, RB_ERROR_USAGE,
                               "rotation is (%g, %g, %g, %g); it must be finite and not zero", q.w,
                               q.x, q.y, q.z);
    }
    *out = pose(r, q_unit(q));
    return RB_OK;
}

RbStatus rb_collide_find_shape(RbCollideWorld *w, RbCollideShape id, ShapeSlot **out) {
    ShapeSlot *slot = id.index < (uint32_t)w->shapes.count ? &w->shapes.data[id.index] : NULL;
    *out = slot;
    if (slot && slot->used && slot->generation == id.generation) return RB_OK;
    return rb_collide_fail(w, RB_ERROR_USAGE,
                           "there is no shape %u.%u; was it removed, or made in another world?",
                           id.index, id.generation);
}

RbStatus rb_collide_find(RbCollideWorld *w, RbCollider id, ColliderSlot **out) {
    ColliderSlot *slot =
        id.index < (uint32_t)w->colliders.count ? &w->colliders.data[id.index] : NULL;
    *out = slot;
    if (slot && slot->used && slot->generation == id.generation) return RB_OK;
    return rb_collide_fail(w, RB_ERROR_USAGE,
                           "there is no collider %u.%u; was it removed, or made in another world?",
                           id.index, id.generation);
}

RbCollider rb_collide_id(const RbCollideWorld *w, int body) {
    return (RbCollider){(uint32_t)body, w->colliders.data[body].generation};
}

// The world.

RbCollideOptions rb_collide_options_default(void) {
    return (RbCollideOptions){.margin_factor = rb_broadphase_options().margin_factor};
}

static RbStatus create(RbCollideWorld *w, const RbCollideOptions *o) {
    RB_COLLIDE_CALL_OF(w, "rb_collide_create");
    w->arena = rb_arena(&w->heap);
    w->scratch = rb_arena(&w->heap);
    RbBroadphaseOptions options = {
        .method = (RbBroadphaseMethod)o->method, // ORDER RbCollideMethod
        .margin_factor = o->margin_factor,
        .margin_least = o->margin_least,
        .capacity = o->capacity,
    };
    w->world = rb_world(&w->arena, options);
    return RB_OK;
}

static bool are_usable(const RbCollideOptions *o) {
    return o->margin_factor >= 0 && o->margin_factor <= 1 && o->margin_least >= 0 &&
           o->margin_least <= RB_COLLIDE_FARTHEST && o->capacity >= 0 &&
           o->capacity <= INT32_MAX / 4 && o->method >= RB_COLLIDE_AUTO &&
           o->method <= RB_COLLIDE_MORTON;
}

RbStatus rb_collide_create(const RbCollideOptions *options, RbCollideWorld **world) {
    RbCollideOptions defaults = rb_collide_options_default();
    if (!options) options = &defaults;
    if (!world || !are_usable(options)) return RB_ERROR_USAGE;
    *world = NULL;
    RbHeap heap = rb_heap(options->allocator);
    RbCollideWorld *w = heap.allocator.resize(heap.allocator.user, NULL, 0, sizeof *w);
    if (!w) return RB_ERROR_MEMORY;
    *w = (RbCollideWorld){.heap = heap, .free_shape = -1};
    RbStatus status = create(w, options);
    if (status == RB_OK)
        *world = w;
    else
        rb_collide_free(w);
    return status;
}

void rb_collide_free(RbCollideWorld *w) {
    if (!w) return;
    for (int i = 0; i < w->shapes.count; i++) rb_arena_free(&w->shapes.data[i].parts);
    rb_arena_free(&w->scratch);
    rb_arena_free(&w->arena);
    RbAllocator allocator = w->heap.allocator;
    allocator.resize(allocator.user, w, sizeof *w, 0);
}

// Colliders.

RbStatus rb_collide_add(RbCollideWorld *w, RbCollideShape shape, const double position[3],
                        const double rotation[4], RbCollider *out) {
    RB_COLLIDE_CALL(w);
    ShapeSlot *form;
    Pose X;
    RB_TRY(rb_collide_need(w, out, "collider"));
    RB_TRY(rb_collide_find_shape(w, shape, &form));
    RB_TRY(rb_collide_pose(w, position, rotation, &X));
    rb_array_reserve(&w->colliders, &w->arena, w->colliders.count + 1);
    int body = rb_world_add(w->world, form->cores, form->core_count, X);
    if (body == w->colliders.count) w->colliders.data[w->colliders.count++] = (ColliderSlot){0};
    ColliderSlot *slot = &w->colliders.data[body];
    slot->used = true;
    slot->generation++;
    slot->shape = (int)shape.index;
    form->user_count++;
    *out = rb_collide_id(w, body);
    return RB_OK;
}

RbStatus rb_collide_remove(RbCollideWorld *w, RbCollider collider) {
    RB_COLLIDE_CALL(w);
    ColliderSlot *slot;
    RB_TRY(rb_collide_find(w, collider, &slot));
    rb_world_remove(w->world, (int)collider.index);
    w->shapes.data[slot->shape].user_count--;
    slot->used = false;
    return RB_OK;
}

RbStatus rb_collide_place(RbCollideWorld *w, RbCollider collider, const double position[3],
                          const double rotation[4]) {
    RB_COLLIDE_CALL(w);
    ColliderSlot *slot;
    Pose X;
    RB_TRY(rb_collide_find(w, collider, &slot));
    RB_TRY(rb_collide_pose(w, position, rotation, &X));
    rb_world_place(w->world, (int)collider.index, X);
    return RB_OK;
}

RbStatus rb_collide_set_velocity(RbCollideWorld *w, RbCollider collider, const double velocity[3],
                                 const double spin[3]) {
    RB_COLLIDE_CALL(w);
    ColliderSlot *slot;
    RbMotion motion = {V3_ZERO, V3_ZERO};
    RB_TRY(rb_collide_find(w, collider, &slot));
    if (velocity) RB_TRY(rb_collide_vector(w, velocity, "velocity", &motion.v));
    if (spin) RB_TRY(rb_collide_vector(w, spin, "spin", &motion.w));
    const RbCore *core = &w->shapes.data[slot->shape].cores[0];
    if (core->kind == RB_CORE_HALFSPACE && v3_max_abs(motion.w) > 0) {
        return rb_collide_fail(w, RB_ERROR_USAGE,
                               "a half-space must not turn; its spin is (%g, %g, %g)", motion.w.x,
                               motion.w.y, motion.w.z);
    }
    rb_world_set_motion(w->world, (int)collider.index, motion);
    return RB_OK;
}

RbStatus rb_collide_set_active(RbCollideWorld *w, RbCollider collider, int active) {
    RB_COLLIDE_CALL(w);
    ColliderSlot *slot;
    RB_TRY(rb_collide_find(w, collider, &slot));
    rb_world_set_active(w->world, (int)collider.index, active != 0);
    return RB_OK;
}

RbStatus rb_collide_set_pair(RbCollideWorld *w, RbCollider a, RbCollider b, int active) {
    RB_COLLIDE_CALL(w);
    ColliderSlot *slot;
    RB_TRY(rb_collide_find(w, a, &slot));
    RB_TRY(rb_collide_find(w, b, &slot));
    if (a.index == b.index) {
        return rb_collide_fail(w, RB_ERROR_USAGE, "a and b are the same collider %u.%u", a.index,
                               a.generation);
    }
    rb_world_set_pair(w->world, (int)a.index, (int)b.index, active != 0);
    return RB_OK;
}

RbStatus rb_collide_set_filter(RbCollideWorld *w, RbCollider collider, uint32_t category,
                               uint32_t collides) {
    RB_COLLIDE_CALL(w);
    ColliderSlot *slot;
    RB_TRY(rb_collide_find(w, collider, &slot));
    rb_world_set_filter(w->world, (int)collider.index, category, collides);
    return RB_OK;
}

RbStatus rb_collide_bounds(RbCollideWorld *w, RbCollider collider, double low[3], double high[3]) {
    RB_COLLIDE_CALL(w);
    ColliderSlot *slot;
    RB_TRY(rb_collide_find(w, collider, &slot));
    RB_TRY(rb_collide_need(w, low, "low"));
    RB_TRY(rb_collide_need(w, high, "high"));
    RbAabb box = rb_world_box(w->world, (int)collider.index);
    v3_store(low, box.low);
    v3_store(high, box.high);
    return RB_OK;
}

int rb_collide_count(const RbCollideWorld *w) {
    return w ? rb_world_count(w->world) : 0;
}

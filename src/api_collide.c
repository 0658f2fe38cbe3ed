// SPDX-License-Identifier: MIT
// include/rattleback/collide.h: the world and its colliders. Checks what users hand in;
// src/collide/world.h does the work.
#include "api_collide_data.h"

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

RbStatus rb_collide_enter(RbCollideWorld *w, const char *call, RbStatus (*body)(void *),
                          void *arguments) {
    if (!w) return RB_ERROR_USAGE;
    w->call = call;
    RbStatus status = rb_protect(&w->heap, body, arguments);
    if (status == RB_ERROR_MEMORY) rb_collide_fail(w, status, "no memory left");
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

typedef struct CreateCall {
    RbCollideWorld *w;
    const RbCollideOptions *options;
} CreateCall;

static RbStatus create(void *arguments) {
    CreateCall *c = arguments;
    c->w->arena = rb_arena(&c->w->heap);
    c->w->scratch = rb_arena(&c->w->heap);
    RbBroadphaseOptions options = {
        .method = (RbBroadphaseMethod)c->options->method, // ORDER RbCollideMethod
        .margin_factor = c->options->margin_factor,
        .margin_least = c->options->margin_least,
        .capacity = c->options->capacity,
    };
    c->w->world = rb_world(&c->w->arena, options);
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
    CreateCall call = {w, options};
    RbStatus status = rb_collide_enter(w, "rb_collide_create", create, &call);
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

typedef struct ColliderCall {
    RbCollideWorld *w;
    RbCollider a, b;
    RbCollideShape shape;
    const double *position, *rotation;
    const double *velocity, *spin;
    int active;
    uint32_t category, collides;
    double *low, *high;
    RbCollider *out;
} ColliderCall;

static RbStatus add_collider(void *arguments) {
    ColliderCall *c = arguments;
    RbCollideWorld *w = c->w;
    ShapeSlot *shape;
    Pose X;
    RB_TRY(rb_collide_need(w, c->out, "collider"));
    RB_TRY(rb_collide_find_shape(w, c->shape, &shape));
    RB_TRY(rb_collide_pose(w, c->position, c->rotation, &X));
    rb_array_reserve(&w->colliders, &w->arena, w->colliders.count + 1);
    int body = rb_world_add(w->world, shape->cores, shape->core_count, X);
    if (body == w->colliders.count) w->colliders.data[w->colliders.count++] = (ColliderSlot){0};
    ColliderSlot *slot = &w->colliders.data[body];
    slot->used = true;
    slot->generation++;
    slot->shape = (int)c->shape.index;
    shape->user_count++;
    *c->out = rb_collide_id(w, body);
    return RB_OK;
}

RbStatus rb_collide_add(RbCollideWorld *w, RbCollideShape shape, const double position[3],
                        const double rotation[4], RbCollider *out) {
    ColliderCall c = {
        .w = w, .shape = shape, .position = position, .rotation = rotation, .out = out};
    return rb_collide_enter(w, __func__, add_collider, &c);
}

static RbStatus remove_collider(void *arguments) {
    ColliderCall *c = arguments;
    ColliderSlot *slot;
    RB_TRY(rb_collide_find(c->w, c->a, &slot));
    rb_world_remove(c->w->world, (int)c->a.index);
    c->w->shapes.data[slot->shape].user_count--;
    slot->used = false;
    return RB_OK;
}

RbStatus rb_collide_remove(RbCollideWorld *w, RbCollider collider) {
    ColliderCall c = {.w = w, .a = collider};
    return rb_collide_enter(w, __func__, remove_collider, &c);
}

static RbStatus place(void *arguments) {
    ColliderCall *c = arguments;
    ColliderSlot *slot;
    Pose X;
    RB_TRY(rb_collide_find(c->w, c->a, &slot));
    RB_TRY(rb_collide_pose(c->w, c->position, c->rotation, &X));
    rb_world_place(c->w->world, (int)c->a.index, X);
    return RB_OK;
}

RbStatus rb_collide_place(RbCollideWorld *w, RbCollider collider, const double position[3],
                          const double rotation[4]) {
    ColliderCall c = {.w = w, .a = collider, .position = position, .rotation = rotation};
    return rb_collide_enter(w, __func__, place, &c);
}

static RbStatus set_velocity(void *arguments) {
    ColliderCall *c = arguments;
    ColliderSlot *slot;
    RbMotion motion = {V3_ZERO, V3_ZERO};
    RB_TRY(rb_collide_find(c->w, c->a, &slot));
    if (c->velocity) RB_TRY(rb_collide_vector(c->w, c->velocity, "velocity", &motion.v));
    if (c->spin) RB_TRY(rb_collide_vector(c->w, c->spin, "spin", &motion.w));
    const RbCore *core = &c->w->shapes.data[slot->shape].cores[0];
    if (core->kind == RB_CORE_HALFSPACE && v3_max_abs(motion.w) > 0) {
        return rb_collide_fail(c->w, RB_ERROR_USAGE,
                               "a half-space must not turn; its spin is (%g, %g, %g)", motion.w.x,
                               motion.w.y, motion.w.z);
    }
    rb_world_set_motion(c->w->world, (int)c->a.index, motion);
    return RB_OK;
}

RbStatus rb_collide_set_velocity(RbCollideWorld *w, RbCollider collider, const double velocity[3],
                                 const double spin[3]) {
    ColliderCall c = {.w = w, .a = collider, .velocity = velocity, .spin = spin};
    return rb_collide_enter(w, __func__, set_velocity, &c);
}

static RbStatus set_active(void *arguments) {
    ColliderCall *c = arguments;
    ColliderSlot *slot;
    RB_TRY(rb_collide_find(c->w, c->a, &slot));
    rb_world_set_active(c->w->world, (int)c->a.index, c->active != 0);
    return RB_OK;
}

RbStatus rb_collide_set_active(RbCollideWorld *w, RbCollider collider, int active) {
    ColliderCall c = {.w = w, .a = collider, .active = active};
    return rb_collide_enter(w, __func__, set_active, &c);
}

static RbStatus set_pair(void *arguments) {
    ColliderCall *c = arguments;
    ColliderSlot *slot;
    RB_TRY(rb_collide_find(c->w, c->a, &slot));
    RB_TRY(rb_collide_find(c->w, c->b, &slot));
    if (c->a.index == c->b.index) {
        return rb_collide_fail(c->w, RB_ERROR_USAGE, "a and b are the same collider %u.%u",
                               c->a.index, c->a.generation);
    }
    rb_world_set_pair(c->w->world, (int)c->a.index, (int)c->b.index, c->active != 0);
    return RB_OK;
}

RbStatus rb_collide_set_pair(RbCollideWorld *w, RbCollider a, RbCollider b, int active) {
    ColliderCall c = {.w = w, .a = a, .b = b, .active = active};
    return rb_collide_enter(w, __func__, set_pair, &c);
}

static RbStatus set_filter(void *arguments) {
    ColliderCall *c = arguments;
    ColliderSlot *slot;
    RB_TRY(rb_collide_find(c->w, c->a, &slot));
    rb_world_set_filter(c->w->world, (int)c->a.index, c->category, c->collides);
    return RB_OK;
}

RbStatus rb_collide_set_filter(RbCollideWorld *w, RbCollider collider, uint32_t category,
                               uint32_t collides) {
    ColliderCall c = {.w = w, .a = collider, .category = category, .collides = collides};
    return rb_collide_enter(w, __func__, set_filter, &c);
}

static RbStatus bounds(void *arguments) {
    ColliderCall *c = arguments;
    ColliderSlot *slot;
    RB_TRY(rb_collide_find(c->w, c->a, &slot));
    RB_TRY(rb_collide_need(c->w, c->low, "low"));
    RB_TRY(rb_collide_need(c->w, c->high, "high"));
    RbAabb box = rb_world_box(c->w->world, (int)c->a.index);
    v3_store(c->low, box.low);
    v3_store(c->high, box.high);
    return RB_OK;
}

RbStatus rb_collide_bounds(RbCollideWorld *w, RbCollider collider, double low[3], double high[3]) {
    ColliderCall c = {.w = w, .a = collider, .low = low, .high = high};
    return rb_collide_enter(w, __func__, bounds, &c);
}

int rb_collide_count(const RbCollideWorld *w) {
    return w ? rb_world_count(w->world) : 0;
}

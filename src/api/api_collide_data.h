// SPDX-License-Identifier: MIT
// api_collide_data.h: what stands behind the handles of include/rattleback/collide.h, for
// api_collide.c (world, colliders), api_collide_shape.c and api_collide_query.c (questions) only.
#pragma once

#include "base/diag.h"
#include "collide/world.h"
#include "rattleback/collide.h"

typedef struct ShapeSlot {
    uint32_t generation;
    bool used;
    int next_free;
    int user_count;      // colliders
    const RbCore *cores; // one of the two below
    int core_count;
    RbCore *single; // made once for each slot
    RbArena parts;  // hulls live in memory of their own
} ShapeSlot;

// The index is the id of the body in the world.
typedef struct ColliderSlot {
    uint32_t generation;
    bool used;
    int shape;
} ColliderSlot;

#define RB_COLLIDE_FARTHEST 1e100 // [m] beyond it squares could leave the range of double

enum { ERROR_LENGTH = 512 };

struct RbCollideWorld {
    RbHeap heap;
    RbArena arena;
    RbArena scratch; // of one call
    RbWorld *world;
    RB_ARRAY(ShapeSlot) shapes;
    int free_shape; // -1: none
    RB_ARRAY(ColliderSlot) colliders;
    RB_ARRAY(RbCollideContact) contacts;
    RB_ARRAY(RbCollider) ids;
    const char *call; // the function being called
    char error[ERROR_LENGTH];
};

// From here to the end of the function: a call of the user, where running out of memory is caught.
#define RB_COLLIDE_CALL(w) RB_COLLIDE_CALL_OF(w, __func__)
#define RB_COLLIDE_CALL_OF(w, name)                                                                \
    if (!(w)) return RB_ERROR_USAGE;                                                               \
    (w)->call = name;                                                                              \
    RB_PROTECT(&(w)->heap, rb_collide_fail(w, RB_ERROR_MEMORY, "no memory left"))

// Keep "function: message" and answer status.
RbStatus rb_collide_fail(RbCollideWorld *w, RbStatus status, const char *format, ...)
    RB_PRINTF(3, 4);

// Checks of arguments; the message names them.
RbStatus rb_collide_need(RbCollideWorld *w, const void *pointer, const char *name);
RbStatus rb_collide_vector(RbCollideWorld *w, const double *p, const char *name, Vec3 *out);
RbStatus rb_collide_pose(RbCollideWorld *w, const double *position, const double *rotation,
                         Pose *out);
RbStatus rb_collide_find_shape(RbCollideWorld *w, RbCollideShape id, ShapeSlot **out);
RbStatus rb_collide_find(RbCollideWorld *w, RbCollider id, ColliderSlot **out);

// The public id of a body.
RbCollider rb_collide_id(const RbCollideWorld *w, int body);

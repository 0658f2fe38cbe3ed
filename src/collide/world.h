// SPDX-License-Identifier: MIT
// world.h: many placed shapes and the questions about all of them: contacts, smallest distance,
// rays, boxes, swept motion. Broad phase (broadphase.h) first, then the narrow phase of the pairs
// that are left (distance.h, ray.h, sweep.h).
//
// A body is one or several cores (convex parts) that move together; its parts never touch each
// other. Ids are small numbers that are used again after a body was removed. The caller checks what
// users hand in (src/api/api_collide.c does); here wrong ids are mistakes of ours. Contacts and lists
// are sorted, so that nothing depends on history, and stay valid until the next call.
#pragma once

#include "collide/broadphase.h"
#include "collide/distance.h"
#include "collide/ray.h"
#include "collide/sweep.h"

typedef struct RbWorld RbWorld;

typedef struct RbWorldContact {
    int a, b;           // bodies, a < b
    int part_a, part_b; // their cores
    RbGap gap;          // in the world frame, from a to b
} RbWorldContact;

typedef struct RbWorldContacts {
    const RbWorldContact *data; // sorted by a, b, part_a, part_b
    int count;
} RbWorldContacts;

typedef struct RbWorldHit {
    int body, part; // -1: none
    RbRayHit ray;
} RbWorldHit;

typedef struct RbWorldSweep {
    int a, b, part_a, part_b; // -1: no contact during the motion
    RbSweep sweep;
} RbWorldSweep;

typedef struct RbWorldIds {
    const int *data; // increasing
    int count;
} RbWorldIds;

RbWorld *rb_world(RbArena *arena, RbBroadphaseOptions options);

// The cores must live as long as the body. All bodies are active at first, at rest, and form pairs
// with all others.
int rb_world_add(RbWorld *w, const RbCore *cores, int core_count, Pose X);
void rb_world_remove(RbWorld *w, int body);

void rb_world_place(RbWorld *w, int body, Pose X);
void rb_world_set_motion(RbWorld *w, int body, RbMotion motion); // a half-space must not turn
void rb_world_set_active(RbWorld *w, int body, bool active);
void rb_world_set_filter(RbWorld *w, int body, uint32_t category, uint32_t collides);
void rb_world_set_pair(RbWorld *w, int a, int b, bool enabled);

int rb_world_count(const RbWorld *w);
RbAabb rb_world_box(const RbWorld *w, int body); // tight, rounded outwards

// Pairs of parts with a signed distance of at most margin [m].
RbWorldContacts rb_world_contacts(RbWorld *w, double margin);

// The pair with the smallest signed distance of all; false: there is no pair that could touch.
bool rb_world_least(RbWorld *w, RbWorldContact *out);

// The smallest distance [m] of the loose boxes of all pairs that are not in contact by their boxes:
// a lower bound for the distance of everything in them. INFINITY: there are none.
double rb_world_clearance(RbWorld *w);

// The closest parts of two bodies, whatever is switched off; false: two half-spaces.
bool rb_world_distance(const RbWorld *w, int a, int b, RbWorldContact *out);

// The first body that a ray meets.
RbWorldHit rb_world_ray(RbWorld *w, RbRay ray, uint32_t categories);

// The bodies that the box (not empty, finite) touches.
RbWorldIds rb_world_overlap(RbWorld *w, RbAabb box, uint32_t categories);

// The first contact of all pairs if every body moves on as set by rb_world_set_motion, or of one
// pair.
RbWorldSweep rb_world_sweep(RbWorld *w, double duration);
RbWorldSweep rb_world_sweep_pair(const RbWorld *w, int a, int b, double duration);

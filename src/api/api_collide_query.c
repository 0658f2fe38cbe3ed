// SPDX-License-Identifier: MIT
// include/rattleback/collide.h: the questions.
#include "api/api_collide_data.h"

#include <string.h>

// Pairs and contacts.

static RbCollideContact public_contact(RbCollider a, RbCollider b, const RbWorldContact *c) {
    RbCollideContact out = {
        .a = a,
        .b = b,
        .part_a = c->part_a,
        .part_b = c->part_b,
        .distance = c->gap.distance,
        .error = c->gap.error,
    };
    v3_store(out.normal, c->gap.normal);
    v3_store(out.point_a, c->gap.point_a);
    v3_store(out.point_b, c->gap.point_b);
    return out;
}

// The same contact seen from the other side.
static RbWorldContact mirrored(RbWorldContact c) {
    RbWorldContact m = {.a = c.b, .b = c.a, .part_a = c.part_b, .part_b = c.part_a, .gap = c.gap};
    m.gap.normal = v3_neg(c.gap.normal);
    m.gap.point_a = c.gap.point_b;
    m.gap.point_b = c.gap.point_a;
    return m;
}

static RbStatus unmeasurable(RbCollideWorld *w) {
    return rb_collide_fail(w, RB_ERROR_USAGE, "two half-spaces have no distance");
}

static RbStatus check_two(RbCollideWorld *w, RbCollider a, RbCollider b) {
    ColliderSlot *slot;
    RB_TRY(rb_collide_find(w, a, &slot));
    RB_TRY(rb_collide_find(w, b, &slot));
    if (a.index != b.index) return RB_OK;
    return rb_collide_fail(w, RB_ERROR_USAGE, "a and b are the same collider %u.%u", a.index,
                           a.generation);
}

RbStatus rb_collide_distance(RbCollideWorld *w, RbCollider a, RbCollider b,
                             RbCollideContact *contact) {
    RB_COLLIDE_CALL(w);
    RB_TRY(rb_collide_need(w, contact, "contact"));
    RB_TRY(check_two(w, a, b));
    RbWorldContact found;
    if (!rb_world_distance(w->world, (int)a.index, (int)b.index, &found)) return unmeasurable(w);
    if (found.a != (int)a.index) found = mirrored(found);
    *contact = public_contact(a, b, &found);
    return RB_OK;
}

_Static_assert(sizeof(RbPairMemory) <= sizeof((RbCollideMemory *)0)->kept, "room for the memory");

// The nearest points of two shapes with their poses. memory: of the call before, or NULL.
static RbStatus shapes(RbCollideWorld *w, const ShapeSlot *a, Pose A, const ShapeSlot *b, Pose B,
                       RbCollideMemory *memory, RbCollideContact *contact) {
    RbWorldContact best = {.gap.distance = INFINITY};
    RbPairMemory kept, of_best = {0};
    if (memory) memcpy(&of_best, memory->kept, sizeof of_best);
    kept = of_best;
    for (int i = 0; i < a->core_count; i++) {
        for (int k = 0; k < b->core_count; k++) {
            bool known = memory && memory->part_a == i && memory->part_b == k;
            RbPairMemory own = known ? kept : (RbPairMemory){0};
            RbGap gap;
            rb_distance(&a->cores[i], &b->cores[k], pose_relative(A, B), memory ? &own : NULL,
                        &gap);
            if (!(gap.distance < best.gap.distance)) continue; // false for NaN
            best = (RbWorldContact){.part_a = i, .part_b = k, .gap = rb_gap_in_world(gap, A)};
            of_best = own;
        }
    }
    if (!(best.gap.distance < INFINITY)) return unmeasurable(w);
    if (memory) {
        *memory = (RbCollideMemory){.part_a = best.part_a, .part_b = best.part_b};
        memcpy(memory->kept, &of_best, sizeof of_best);
    }
    *contact = public_contact((RbCollider){0}, (RbCollider){0}, &best);
    return RB_OK;
}

// What the two functions that follow have in common; both are in the middle of their call.
static RbStatus find_and_measure(RbCollideWorld *w, RbCollideShape a, const double *position_a,
                                 const double *rotation_a, RbCollideShape b,
                                 const double *position_b, const double *rotation_b,
                                 RbCollideMemory *memory, RbCollideContact *contact) {
    ShapeSlot *slot_a, *slot_b;
    Pose A, B;
    RB_TRY(rb_collide_need(w, contact, "contact"));
    RB_TRY(rb_collide_find_shape(w, a, &slot_a));
    RB_TRY(rb_collide_find_shape(w, b, &slot_b));
    RB_TRY(rb_collide_pose(w, position_a, rotation_a, &A));
    RB_TRY(rb_collide_pose(w, position_b, rotation_b, &B));
    return shapes(w, slot_a, A, slot_b, B, memory, contact);
}

RbStatus rb_collide_shapes(RbCollideWorld *w, RbCollideShape a, const double position_a[3],
                           const double rotation_a[4], RbCollideShape b, const double position_b[3],
                           const double rotation_b[4], RbCollideContact *contact) {
    RB_COLLIDE_CALL(w);
    return find_and_measure(w, a, position_a, rotation_a, b, position_b, rotation_b, NULL, contact);
}

RbStatus rb_collide_shapes_warm(RbCollideWorld *w, RbCollideShape a, const double position_a[3],
                                const double rotation_a[4], RbCollideShape b,
                                const double position_b[3], const double rotation_b[4],
                                RbCollideMemory *memory, RbCollideContact *contact) {
    RB_COLLIDE_CALL(w);
    RB_TRY(rb_collide_need(w, memory, "memory"));
    return find_and_measure(w, a, position_a, rotation_a, b, position_b, rotation_b, memory,
                            contact);
}

RbStatus rb_collide_contacts(RbCollideWorld *w, double margin, const RbCollideContact **out,
                             int *count) {
    RB_COLLIDE_CALL(w);
    RB_TRY(rb_collide_need(w, out, "contacts"));
    RB_TRY(rb_collide_need(w, count, "count"));
    if (!(margin >= 0)) {
        return rb_collide_fail(w, RB_ERROR_USAGE, "margin is %g m; it must be zero or positive",
                               margin);
    }
    RbWorldContacts found = rb_world_contacts(w->world, margin);
    rb_array_reserve(&w->contacts, &w->arena, found.count);
    for (int i = 0; i < found.count; i++) {
        const RbWorldContact *f = &found.data[i];
        w->contacts.data[i] = public_contact(rb_collide_id(w, f->a), rb_collide_id(w, f->b), f);
    }
    *out = w->contacts.data;
    *count = found.count;
    return RB_OK;
}

RbStatus rb_collide_minimum(RbCollideWorld *w, RbCollideContact *contact) {
    RB_COLLIDE_CALL(w);
    RB_TRY(rb_collide_need(w, contact, "contact"));
    RbWorldContact least = {0};
    if (rb_world_least(w->world, &least)) {
        *contact = public_contact(rb_collide_id(w, least.a), rb_collide_id(w, least.b), &least);
    } else {
        *contact = (RbCollideContact){.distance = INFINITY};
    }
    return RB_OK;
}

RbStatus rb_collide_clearance(RbCollideWorld *w, double *distance) {
    RB_COLLIDE_CALL(w);
    RB_TRY(rb_collide_need(w, distance, "distance"));
    *distance = rb_world_clearance(w->world);
    return RB_OK;
}

// Rays and boxes.

RbStatus rb_collide_ray(RbCollideWorld *w, const double origin[3], const double direction[3],
                        double length, uint32_t categories, RbCollideHit *hit) {
    RB_COLLIDE_CALL(w);
    RbRay r = {.length = length};
    RB_TRY(rb_collide_need(w, hit, "hit"));
    RB_TRY(rb_collide_vector(w, origin, "origin", &r.origin));
    RB_TRY(rb_collide_vector(w, direction, "direction", &r.direction));
    r.direction = v3_unit(r.direction);
    if (v3_norm2(r.direction) == 0) {
        return rb_collide_fail(w, RB_ERROR_USAGE, "direction is zero");
    }
    if (!(length >= 0)) {
        return rb_collide_fail(w, RB_ERROR_USAGE, "length is %g m; it must be zero or positive",
                               length);
    }
    RbWorldHit found = rb_world_ray(w->world, r, categories);
    *hit = (RbCollideHit){.part = found.part, .distance = INFINITY};
    if (found.body < 0) return RB_OK;
    hit->collider = rb_collide_id(w, found.body);
    hit->distance = found.ray.distance;
    v3_store(hit->point, v3_axpy(r.origin, found.ray.distance, r.direction));
    v3_store(hit->normal, found.ray.normal);
    return RB_OK;
}

RbStatus rb_collide_overlap(RbCollideWorld *w, const double low[3], const double high[3],
                            uint32_t categories, const RbCollider **colliders, int *count) {
    RB_COLLIDE_CALL(w);
    RbAabb box;
    RB_TRY(rb_collide_need(w, colliders, "colliders"));
    RB_TRY(rb_collide_need(w, count, "count"));
    RB_TRY(rb_collide_vector(w, low, "low", &box.low));
    RB_TRY(rb_collide_vector(w, high, "high", &box.high));
    if (!rb_aabb_valid(box)) {
        return rb_collide_fail(w, RB_ERROR_USAGE,
                               "the box is empty: low (%g, %g, %g) is above high (%g, %g, %g)",
                               box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z);
    }
    RbWorldIds found = rb_world_overlap(w->world, box, categories);
    rb_array_reserve(&w->ids, &w->arena, found.count);
    for (int i = 0; i < found.count; i++) w->ids.data[i] = rb_collide_id(w, found.data[i]);
    *colliders = w->ids.data;
    *count = found.count;
    return RB_OK;
}

// Swept motion.

static RbStatus check_sweep(RbCollideWorld *w, double duration, const RbCollideSweep *sweep) {
    RB_TRY(rb_collide_need(w, sweep, "sweep"));
    if (duration >= 0 && duration < INFINITY) return RB_OK;
    return rb_collide_fail(w, RB_ERROR_USAGE,
                           "duration is %g s; it must be zero or positive, and finite", duration);
}

static void public_sweep(const RbCollideWorld *w, const RbWorldSweep *s, RbCollideSweep *out) {
    *out = (RbCollideSweep){.time = s->sweep.time};
    if (s->a < 0) return;
    out->hit = 1;
    out->a = rb_collide_id(w, s->a);
    out->b = rb_collide_id(w, s->b);
    out->part_a = s->part_a;
    out->part_b = s->part_b;
    out->distance = s->sweep.distance;
    v3_store(out->normal, s->sweep.normal);
    v3_store(out->point, s->sweep.point);
}

RbStatus rb_collide_sweep(RbCollideWorld *w, double duration, RbCollideSweep *sweep) {
    RB_COLLIDE_CALL(w);
    RB_TRY(check_sweep(w, duration, sweep));
    RbWorldSweep s = rb_world_sweep(w->world, duration);
    public_sweep(w, &s, sweep);
    return RB_OK;
}

RbStatus rb_collide_sweep_pair(RbCollideWorld *w, RbCollider a, RbCollider b, double duration,
                               RbCollideSweep *sweep) {
    RB_COLLIDE_CALL(w);
    RB_TRY(check_sweep(w, duration, sweep));
    RB_TRY(check_two(w, a, b));
    RbWorldSweep s = rb_world_sweep_pair(w->world, (int)a.index, (int)b.index, duration);
    if (s.a == (int)b.index) { // seen from the one that was named first
        s = (RbWorldSweep){s.b, s.a, s.part_b, s.part_a, s.sweep};
        s.sweep.normal = v3_neg(s.sweep.normal);
    }
    public_sweep(w, &s, sweep);
    return RB_OK;
}

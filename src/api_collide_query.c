// SPDX-License-Identifier: MIT
// include/rattleback/collide.h: the questions.
#include "api_collide_data.h"

#include <string.h>

typedef struct QueryCall {
    RbCollideWorld *w;
    RbCollider a, b;
    RbCollideShape shape_a, shape_b;
    const double *position_a, *rotation_a, *position_b, *rotation_b;
    double margin;
    const double *origin, *direction;
    const double *low, *high;
    double length;
    uint32_t categories;
    double duration;
    RbCollideMemory *memory; // or NULL
    double *distance;
    RbCollideContact *contact;
    const RbCollideContact **contacts;
    const RbCollider **colliders;
    int *count;
    RbCollideHit *hit;
    RbCollideSweep *sweep;
} QueryCall;

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

static RbStatus check_two(QueryCall *c) {
    ColliderSlot *slot;
    RB_TRY(rb_collide_find(c->w, c->a, &slot));
    RB_TRY(rb_collide_find(c->w, c->b, &slot));
    if (c->a.index != c->b.index) return RB_OK;
    return rb_collide_fail(c->w, RB_ERROR_USAGE, "a and b are the same collider %u.%u", c->a.index,
                           c->a.generation);
}

static RbStatus distance(void *arguments) {
    QueryCall *c = arguments;
    RB_TRY(rb_collide_need(c->w, c->contact, "contact"));
    RB_TRY(check_two(c));
    RbWorldContact contact;
    int a = (int)c->a.index, b = (int)c->b.index;
    if (!rb_world_distance(c->w->world, a, b, &contact)) return unmeasurable(c->w);
    if (contact.a != a) contact = mirrored(contact);
    *c->contact = public_contact(c->a, c->b, &contact);
    return RB_OK;
}

RbStatus rb_collide_distance(RbCollideWorld *w, RbCollider a, RbCollider b,
                             RbCollideContact *contact) {
    QueryCall c = {.w = w, .a = a, .b = b, .contact = contact};
    return rb_collide_enter(w, __func__, distance, &c);
}

static RbStatus shapes(void *arguments) {
    QueryCall *c = arguments;
    ShapeSlot *a, *b;
    Pose A, B;
    RB_TRY(rb_collide_need(c->w, c->contact, "contact"));
    RB_TRY(rb_collide_find_shape(c->w, c->shape_a, &a));
    RB_TRY(rb_collide_find_shape(c->w, c->shape_b, &b));
    RB_TRY(rb_collide_pose(c->w, c->position_a, c->rotation_a, &A));
    RB_TRY(rb_collide_pose(c->w, c->position_b, c->rotation_b, &B));
    RbWorldContact best = {.gap.distance = INFINITY};
    RbPairMemory kept, of_best = {0};
    if (c->memory) memcpy(&of_best, c->memory->kept, sizeof of_best);
    kept = of_best;
    for (int i = 0; i < a->core_count; i++) {
        for (int k = 0; k < b->core_count; k++) {
            bool known = c->memory && c->memory->part_a == i && c->memory->part_b == k;
            RbPairMemory memory = known ? kept : (RbPairMemory){0};
            RbGap gap;
            rb_distance(&a->cores[i], &b->cores[k], pose_relative(A, B), c->memory ? &memory : NULL,
                        &gap);
            if (!(gap.distance < best.gap.distance)) continue; // false for NaN
            best = (RbWorldContact){.part_a = i, .part_b = k, .gap = rb_gap_in_world(gap, A)};
            of_best = memory;
        }
    }
    if (!(best.gap.distance < INFINITY)) return unmeasurable(c->w);
    if (c->memory) {
        *c->memory = (RbCollideMemory){.part_a = best.part_a, .part_b = best.part_b};
        memcpy(c->memory->kept, &of_best, sizeof of_best);
    }
    *c->contact = public_contact((RbCollider){0}, (RbCollider){0}, &best);
    return RB_OK;
}

RbStatus rb_collide_shapes(RbCollideWorld *w, RbCollideShape a, const double position_a[3],
                           const double rotation_a[4], RbCollideShape b, const double position_b[3],
                           const double rotation_b[4], RbCollideContact *contact) {
    QueryCall c = {.w = w, .contact = contact, .shape_a = a, .shape_b = b};
    c.position_a = position_a;
    c.rotation_a = rotation_a;
    c.position_b = position_b;
    c.rotation_b = rotation_b;
    return rb_collide_enter(w, __func__, shapes, &c);
}

_Static_assert(sizeof(RbPairMemory) <= sizeof((RbCollideMemory *)0)->kept, "room for the memory");

static RbStatus shapes_warm(void *arguments) {
    QueryCall *c = arguments;
    RB_TRY(rb_collide_need(c->w, c->memory, "memory"));
    return shapes(c);
}

RbStatus rb_collide_shapes_warm(RbCollideWorld *w, RbCollideShape a, const double position_a[3],
                                const double rotation_a[4], RbCollideShape b,
                                const double position_b[3], const double rotation_b[4],
                                RbCollideMemory *memory, RbCollideContact *contact) {
    QueryCall c = {.w = w, .contact = contact, .shape_a = a, .shape_b = b, .memory = memory};
    c.position_a = position_a;
    c.rotation_a = rotation_a;
    c.position_b = position_b;
    c.rotation_b = rotation_b;
    return rb_collide_enter(w, __func__, shapes_warm, &c);
}

static RbStatus contacts(void *arguments) {
    QueryCall *c = arguments;
    RbCollideWorld *w = c->w;
    RB_TRY(rb_collide_need(w, c->contacts, "contacts"));
    RB_TRY(rb_collide_need(w, c->count, "count"));
    if (!(c->margin >= 0)) {
        return rb_collide_fail(w, RB_ERROR_USAGE, "margin is %g m; it must be zero or positive",
                               c->margin);
    }
    RbWorldContacts found = rb_world_contacts(w->world, c->margin);
    rb_array_reserve(&w->contacts, &w->arena, found.count);
    for (int i = 0; i < found.count; i++) {
        const RbWorldContact *f = &found.data[i];
        w->contacts.data[i] = public_contact(rb_collide_id(w, f->a), rb_collide_id(w, f->b), f);
    }
    *c->contacts = w->contacts.data;
    *c->count = found.count;
    return RB_OK;
}

RbStatus rb_collide_contacts(RbCollideWorld *w, double margin, const RbCollideContact **out,
                             int *count) {
    QueryCall c = {.w = w, .margin = margin, .contacts = out, .count = count};
    return rb_collide_enter(w, __func__, contacts, &c);
}

static RbStatus minimum(void *arguments) {
    QueryCall *c = arguments;
    RB_TRY(rb_collide_need(c->w, c->contact, "contact"));
    RbWorldContact least = {0};
    if (rb_world_least(c->w->world, &least)) {
        *c->contact =
            public_contact(rb_collide_id(c->w, least.a), rb_collide_id(c->w, least.b), &least);
    } else {
        *c->contact = (RbCollideContact){.distance = INFINITY};
    }
    return RB_OK;
}

RbStatus rb_collide_minimum(RbCollideWorld *w, RbCollideContact *contact) {
    QueryCall c = {.w = w, .contact = contact};
    return rb_collide_enter(w, __func__, minimum, &c);
}

static RbStatus clearance(void *arguments) {
    QueryCall *c = arguments;
    RB_TRY(rb_collide_need(c->w, c->distance, "distance"));
    *c->distance = rb_world_clearance(c->w->world);
    return RB_OK;
}

RbStatus rb_collide_clearance(RbCollideWorld *w, double *distance) {
    QueryCall c = {.w = w, .distance = distance};
    return rb_collide_enter(w, __func__, clearance, &c);
}

// Rays and boxes.

static RbStatus ray(void *arguments) {
    QueryCall *c = arguments;
    RbRay r = {.length = c->length};
    RB_TRY(rb_collide_need(c->w, c->hit, "hit"));
    RB_TRY(rb_collide_vector(c->w, c->origin, "origin", &r.origin));
    RB_TRY(rb_collide_vector(c->w, c->direction, "direction", &r.direction));
    r.direction = v3_unit(r.direction);
    if (v3_norm2(r.direction) == 0) {
        return rb_collide_fail(c->w, RB_ERROR_USAGE, "direction is zero");
    }
    if (!(c->length >= 0)) {
        return rb_collide_fail(c->w, RB_ERROR_USAGE, "length is %g m; it must be zero or positive",
                               c->length);
    }
    RbWorldHit found = rb_world_ray(c->w->world, r, c->categories);
    *c->hit = (RbCollideHit){.part = found.part, .distance = INFINITY};
    if (found.body < 0) return RB_OK;
    c->hit->collider = rb_collide_id(c->w, found.body);
    c->hit->distance = found.ray.distance;
    v3_store(c->hit->point, v3_axpy(r.origin, found.ray.distance, r.direction));
    v3_store(c->hit->normal, found.ray.normal);
    return RB_OK;
}

RbStatus rb_collide_ray(RbCollideWorld *w, const double origin[3], const double direction[3],
                        double length, uint32_t categories, RbCollideHit *hit) {
    QueryCall c = {.w = w, .origin = origin, .direction = direction, .length = length, .hit = hit};
    c.categories = categories;
    return rb_collide_enter(w, __func__, ray, &c);
}

static RbStatus overlap(void *arguments) {
    QueryCall *c = arguments;
    RbCollideWorld *w = c->w;
    RbAabb box;
    RB_TRY(rb_collide_need(w, c->colliders, "colliders"));
    RB_TRY(rb_collide_need(w, c->count, "count"));
    RB_TRY(rb_collide_vector(w, c->low, "low", &box.low));
    RB_TRY(rb_collide_vector(w, c->high, "high", &box.high));
    if (!rb_aabb_valid(box)) {
        return rb_collide_fail(w, RB_ERROR_USAGE,
                               "the box is empty: low (%g, %g, %g) is above high (%g, %g, %g)",
                               box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z);
    }
    RbWorldIds found = rb_world_overlap(w->world, box, c->categories);
    rb_array_reserve(&w->ids, &w->arena, found.count);
    for (int i = 0; i < found.count; i++) w->ids.data[i] = rb_collide_id(w, found.data[i]);
    *c->colliders = w->ids.data;
    *c->count = found.count;
    return RB_OK;
}

RbStatus rb_collide_overlap(RbCollideWorld *w, const double low[3], const double high[3],
                            uint32_t categories, const RbCollider **colliders, int *count) {
    QueryCall c = {.w = w, .low = low, .high = high, .categories = categories};
    c.colliders = colliders;
    c.count = count;
    return rb_collide_enter(w, __func__, overlap, &c);
}

// Swept motion.

static RbStatus check_sweep(QueryCall *c) {
    RB_TRY(rb_collide_need(c->w, c->sweep, "sweep"));
    if (c->duration >= 0 && c->duration < INFINITY) return RB_OK;
    return rb_collide_fail(c->w, RB_ERROR_USAGE,
                           "duration is %g s; it must be zero or positive, and finite",
                           c->duration);
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

static RbStatus sweep_all(void *arguments) {
    QueryCall *c = arguments;
    RB_TRY(check_sweep(c));
    RbWorldSweep s = rb_world_sweep(c->w->world, c->duration);
    public_sweep(c->w, &s, c->sweep);
    return RB_OK;
}

RbStatus rb_collide_sweep(RbCollideWorld *w, double duration, RbCollideSweep *sweep) {
    QueryCall c = {.w = w, .duration = duration, .sweep = sweep};
    return rb_collide_enter(w, __func__, sweep_all, &c);
}

static RbStatus sweep_two(void *arguments) {
    QueryCall *c = arguments;
    RB_TRY(check_sweep(c));
    RB_TRY(check_two(c));
    int a = (int)c->a.index, b = (int)c->b.index;
    RbWorldSweep s = rb_world_sweep_pair(c->w->world, a, b, c->duration);
    if (s.a == b) { // seen from the one that was named first
        s = (RbWorldSweep){s.b, s.a, s.part_b, s.part_a, s.sweep};
        s.sweep.normal = v3_neg(s.sweep.normal);
    }
    public_sweep(c->w, &s, c->sweep);
    return RB_OK;
}

RbStatus rb_collide_sweep_pair(RbCollideWorld *w, RbCollider a, RbCollider b, double duration,
                               RbCollideSweep *sweep) {
    QueryCall c = {.w = w, .a = a, .b = b, .duration = duration, .sweep = sweep};
    return rb_collide_enter(w, __func__, sweep_two, &c);
}

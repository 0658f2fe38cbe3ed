// SPDX-License-Identifier: MIT
// Objects of the broad phase: their loose boxes, filters, and who hears of their changes.
#include "collide/broadphase_data.h"

#include <limits.h>
#include <string.h>

#include "base/assert.h"

enum {
    FIRST_CAPACITY = 16,
    BUILD_FRACTION = 4, // if more than 1/4 of the leaves changed the tree is built anew
    SHRINK_MARGINS = 4, // a loose box that is more than 4 margins too large is replaced
};

RbBroadphaseOptions rb_broadphase_options(void) {
    return (RbBroadphaseOptions){.margin_factor = 0.005};
}

static void grow(RbBroadphase *bp, int capacity) {
    RbArena *arena = bp->arena;
    Object *objects = rb_new_array(arena, Object, capacity);
    RbAabb *loose = rb_new_array(arena, RbAabb, capacity);
    int *free_ids = rb_new_array(arena, int, capacity);
    int *items = rb_new_array(arena, int, capacity);
    int *counters = rb_new_array(arena, int, capacity + 1);
    int *ids[LISTENER_COUNT];
    for (int k = 0; k < LISTENER_COUNT; k++) ids[k] = rb_new_array(arena, int, capacity);
    // A tree that was never asked for gets its room at the first use: growing it from the start on
    // would cost as much as building it.
    if (bp->tree.capacity > 0) rb_box_tree_reserve(&bp->tree, capacity);

    // From here on nothing can fail.
    if (bp->high > 0) {
        memcpy(objects, bp->objects, (size_t)bp->high * sizeof *objects);
        memcpy(loose, bp->loose, (size_t)bp->high * sizeof *loose);
    }
    if (bp->free_count > 0) {
        memcpy(free_ids, bp->free_ids, (size_t)bp->free_count * sizeof *free_ids);
    }
    for (int k = 0; k < LISTENER_COUNT; k++) {
        Changes *c = &bp->changes[k];
        if (c->count > 0) memcpy(ids[k], c->ids, (size_t)c->count * sizeof *ids[k]);
        c->ids = ids[k];
    }
    bp->objects = objects;
    bp->loose = loose;
    bp->free_ids = free_ids;
    bp->items = items;
    bp->counters = counters;
    bp->capacity = capacity;
}

RbBroadphase *rb_broadphase(RbArena *arena, RbBroadphaseOptions options) {
    RB_ASSERT(options.margin_factor >= 0 && options.margin_least >= 0);
    RbBroadphase *bp = rb_new(arena, RbBroadphase);
    *bp = (RbBroadphase){
        .arena = arena,
        .options = options,
        .tree = rb_box_tree(arena),
        .morton = {.arena = arena},
        .gap = {INFINITY, -1, -1},
    };
    grow(bp, options.capacity > FIRST_CAPACITY ? options.capacity : FIRST_CAPACITY);
    return bp;
}

// Changes.

static void mark(RbBroadphase *bp, int id) {
    Object *o = &bp->objects[id];
    for (int k = 0; k < LISTENER_COUNT; k++) {
        if (o->flags & (1u << k)) continue;
        o->flags |= 1u << k;
        bp->changes[k].ids[bp->changes[k].count++] = id;
    }
}

void rb_broadphase_heard(RbBroadphase *bp, Listener listener) {
    Changes *c = &bp->changes[listener];
    for (int i = 0; i < c->count; i++) bp->objects[c->ids[i]].flags &= ~(1u << listener);
    c->count = 0;
}

int rb_broadphase_list_active(RbBroadphase *bp) {
    int count = 0;
    for (int id = 0; id < bp->high; id++) {
        if (is_active(bp, id)) bp->items[count++] = id;
    }
    return count;
}

static void update_leaf(RbBroadphase *bp, int id) {
    bool inside = rb_box_tree_has(&bp->tree, id);
    if (is_active(bp, id) && inside) rb_box_tree_move(&bp->tree, id, bp->loose[id]);
    if (is_active(bp, id) && !inside) rb_box_tree_insert(&bp->tree, id, bp->loose[id]);
    if (!is_active(bp, id) && inside) rb_box_tree_remove(&bp->tree, id);
}

bool rb_broadphase_use_tree(RbBroadphase *bp) {
    RbBroadphaseMethod method = bp->options.method;
    if (method == RB_BROADPHASE_BRUTE) return false;
    if (method == RB_BROADPHASE_AUTO && bp->active_count <= BRUTE_COUNT) return false;
    rb_box_tree_reserve(&bp->tree, bp->capacity);
    Changes *c = &bp->changes[FOR_TREE];
    if (c->count > bp->active_count / BUILD_FRACTION) {
        int count = rb_broadphase_list_active(bp);
        rb_box_tree_build(&bp->tree, bp->items, count, bp->loose);
    } else {
        for (int i = 0; i < c->count; i++) update_leaf(bp, c->ids[i]);
    }
    rb_broadphase_heard(bp, FOR_TREE);
    return true;
}

// Objects.

// The rule for the margin: the same amount on all sides, in proportion to the longest edge that is
// not infinite.
static double margin_of(const RbBroadphase *bp, const RbAabb *tight) {
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        double edge = v3_get(tight->high, k) - v3_get(tight->low, k);
        if (edge > longest && edge < INFINITY) longest = edge;
    }
    return rb_aabb_more(bp->options.margin_factor * longest, bp->options.margin_least);
}

void rb_broadphase_reserve(RbBroadphase *bp, int more) {
    if (more > INT_MAX / 2 - bp->used_count) rb_heap_fail(bp->arena->heap);
    int wanted = bp->used_count + more, doubled = 2 * bp->capacity;
    if (wanted > bp->capacity) grow(bp, wanted > doubled ? wanted : doubled);
}

int rb_broadphase_capacity(const RbBroadphase *bp) {
    return bp->capacity;
}

int rb_broadphase_add(RbBroadphase *bp, RbAabb tight, RbPairFilter filter) {
    RB_ASSERT(rb_aabb_valid(tight));
    rb_broadphase_reserve(bp, 1);
    int id = bp->free_count > 0 ? bp->free_ids[--bp->free_count] : bp->high++;
    Object *o = &bp->objects[id];
    o->filter = filter;
    o->disabled_count = 0;
    o->flags |= USED | ACTIVE; // it may still be marked as changed from its former life
    bp->loose[id] = rb_aabb_grow(tight, margin_of(bp, &tight));
    bp->used_count++;
    bp->active_count++;
    mark(bp, id);
    return id;
}

static uint64_t pair_key(int a, int b) {
    uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
    return (uint64_t)low << 32 | high;
}

static bool is_disabled(const RbMap *map, int a, int b) {
    const uint64_t *value = rb_map_find(map, pair_key(a, b));
    return value && *value;
}

static void forget_disabled_pairs(RbBroadphase *bp, int id) {
    for (int i = 0; i < bp->disabled_pairs.entries.count; i++) {
        RbMapEntry *e = &bp->disabled_pairs.entries.data[i];
        int a = (int)(e->key >> 32), b = (int)(e->key & UINT32_MAX);
        if (e->value && (a == id || b == id)) {
            e->value = 0;
            bp->objects[a].disabled_count--;
            bp->objects[b].disabled_count--;
        }
    }
}

void rb_broadphase_remove(RbBroadphase *bp, int id) {
    Object *o = &bp->objects[id];
    RB_ASSERT(id >= 0 && id < bp->high && (o->flags & USED));
    if (o->disabled_count > 0) forget_disabled_pairs(bp, id);
    if (is_active(bp, id)) bp->active_count--;
    bp->used_count--;
    o->flags &= ~(unsigned)(USED | ACTIVE);
    mark(bp, id);
    bp->free_ids[bp->free_count++] = id;
}

bool rb_broadphase_move(RbBroadphase *bp, int id, RbAabb tight) {
    RB_ASSERT(id >= 0 && id < bp->high && rb_aabb_valid(tight));
    const RbAabb *loose = &bp->loose[id];
    double margin = margin_of(bp, &tight);
    if (rb_aabb_contains(*loose, tight)) {
        RbAabb largest = rb_aabb_grow(tight, SHRINK_MARGINS * margin);
        if (rb_aabb_contains(largest, *loose)) return false;
    }
    bp->loose[id] = rb_aabb_grow(tight, margin);
    mark(bp, id);
    return true;
}

void rb_broadphase_set_active(RbBroadphase *bp, int id, bool active) {
    Object *o = &bp->objects[id];
    RB_ASSERT(id >= 0 && id < bp->high && (o->flags & USED));
    if (active == is_active(bp, id)) return;
    o->flags ^= ACTIVE;
    bp->active_count += active ? 1 : -1;
    mark(bp, id);
}

void rb_broadphase_set_filter(RbBroadphase *bp, int id, RbPairFilter filter) {
    RB_ASSERT(id >= 0 && id < bp->high && (bp->objects[id].flags & USED));
    bp->objects[id].filter = filter;
    mark(bp, id);
}

void rb_broadphase_set_pair(RbBroadphase *bp, int a, int b, bool enabled) {
    RB_ASSERT(a != b && (bp->objects[a].flags & USED) && (bp->objects[b].flags & USED));
    if (enabled == !is_disabled(&bp->disabled_pairs, a, b)) return;
    rb_map_set(&bp->disabled_pairs, bp->arena, pair_key(a, b), !enabled);
    bp->objects[a].disabled_count += enabled ? -1 : 1;
    bp->objects[b].disabled_count += enabled ? -1 : 1;
    mark(bp, a);
}

void rb_broadphase_set_groups(RbBroadphase *bp, int group_a, int group_b, bool enabled) {
    RB_ASSERT(group_a != 0 && group_b != 0 && group_a != group_b);
    if (enabled == !is_disabled(&bp->disabled_groups, group_a, group_b)) return;
    rb_map_set(&bp->disabled_groups, bp->arena, pair_key(group_a, group_b), !enabled);
    bp->disabled_group_count += enabled ? -1 : 1;
    for (int id = 0; id < bp->high; id++) {
        if (is_active(bp, id) && bp->objects[id].filter.group == group_a) mark(bp, id);
    }
}

void rb_broadphase_forget_group(RbBroadphase *bp, int group) {
    int before = bp->disabled_group_count;
    if (before == 0) return;
    for (int i = 0; i < bp->disabled_groups.entries.count; i++) {
        RbMapEntry *e = &bp->disabled_groups.entries.data[i];
        if (!e->value || (e->key >> 32 != (uint32_t)group && (uint32_t)e->key != (uint32_t)group))
            continue;
        e->value = 0;
        bp->disabled_group_count--;
    }
    if (bp->disabled_group_count == before) return;
    for (int id = 0; id < bp->high; id++) {
        if (is_active(bp, id) && bp->objects[id].filter.group == group) mark(bp, id);
    }
}

bool rb_broadphase_is_active(const RbBroadphase *bp, int id) {
    return is_active(bp, id);
}
RbAabb rb_broadphase_loose(const RbBroadphase *bp, int id) {
    return bp->loose[id];
}

bool rb_broadphase_may_pair(const RbBroadphase *bp, int a, int b) {
    const Object *p = &bp->objects[a], *q = &bp->objects[b];
    if (a == b || !(p->flags & q->flags & ACTIVE)) return false;
    if (!(p->filter.category & q->filter.collides)) return false;
    if (!(q->filter.category & p->filter.collides)) return false;
    int group = p->filter.group, other = q->filter.group;
    if (group != 0 && group == other) return false;
    if (bp->disabled_group_count > 0 && group != 0 && other != 0 &&
        is_disabled(&bp->disabled_groups, group, other)) {
        return false;
    }
    return p->disabled_count == 0 || q->disabled_count == 0 ||
           !is_disabled(&bp->disabled_pairs, a, b);
}

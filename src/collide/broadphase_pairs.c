// SPDX-License-Identifier: MIT
// The list of overlapping pairs and the smallest distance of the others, kept up to date.
#include "collide/broadphase_data.h"

#include <limits.h>

enum { UPDATE_FRACTION = 8 }; // up to 1/8 of the objects changed: only look for their pairs

// Pairs: what was found is sorted by two counting sorts, first by b, then by a.

static void add_found(RbBroadphase *bp, int a, int b) {
    if (!rb_broadphase_may_pair(bp, a, b)) return;
    if (bp->found.count == INT_MAX) rb_heap_fail(bp->arena->heap);
    rb_array_push(&bp->found, bp->arena, a < b ? (RbPair){a, b} : (RbPair){b, a});
}

static bool visit_pair(void *user, int a, int b) {
    add_found(user, a, b);
    return true;
}

static void counting_sort(RbBroadphase *bp, const RbPair *from, RbPair *to, int count, bool by_a) {
    int *start = bp->counters;
    for (int i = 0; i <= bp->high; i++) start[i] = 0;
    for (int i = 0; i < count; i++) start[(by_a ? from[i].a : from[i].b) + 1]++;
    for (int i = 0; i < bp->high; i++) start[i + 1] += start[i];
    for (int i = 0; i < count; i++) to[start[by_a ? from[i].a : from[i].b]++] = from[i];
}

static void sort_found(RbBroadphase *bp) {
    rb_array_reserve(&bp->work, bp->arena, bp->found.capacity);
    counting_sort(bp, bp->found.data, bp->work.data, bp->found.count, false);
    counting_sort(bp, bp->work.data, bp->found.data, bp->found.count, true);
}

static void find_by_brute_force(RbBroadphase *bp) {
    int count = rb_broadphase_list_active(bp);
    for (int i = 0; i < count; i++) {
        for (int k = i + 1; k < count; k++) {
            int a = bp->items[i], b = bp->items[k];
            if (rb_aabb_overlap(bp->loose[a], bp->loose[b])) add_found(bp, a, b);
        }
    }
}

// From scratch the tree is as fast as the sort, and later searches for distances and for the pairs
// of a few changed objects need it anyway. Once it is there, and so much has moved that it would
// have to be built anew, the sort is faster.
static RbBroadphaseMethod choose_method(RbBroadphase *bp) {
    if (bp->options.method != RB_BROADPHASE_AUTO) return bp->options.method;
    if (bp->active_count <= BRUTE_COUNT) return RB_BROADPHASE_BRUTE;
    if (bp->tree.count == 0) return RB_BROADPHASE_TREE;
    int count = rb_broadphase_list_active(bp);
    return rb_morton_suits(bp->items, count, bp->loose) ? RB_BROADPHASE_MORTON : RB_BROADPHASE_TREE;
}

static void find_all_pairs(RbBroadphase *bp) {
    bp->found.count = 0;
    switch (choose_method(bp)) {
        case RB_BROADPHASE_AUTO:
        case RB_BROADPHASE_BRUTE: find_by_brute_force(bp); break;
        case RB_BROADPHASE_TREE:
            rb_broadphase_use_tree(bp);
            rb_box_tree_pairs(&bp->tree, visit_pair, bp);
            break;
        case RB_BROADPHASE_MORTON: {
            int count = rb_broadphase_list_active(bp);
            rb_morton_pairs(&bp->morton, bp->items, count, bp->loose, visit_pair, bp);
            break;
        }
    }
    sort_found(bp);
    PairArray old = bp->pairs;
    bp->pairs = bp->found;
    bp->found = old;
}

typedef struct Around {
    RbBroadphase *bp;
    int id;
} Around;

// Of two changed objects the one with the smaller number reports the pair.
static bool visit_around(void *user, int other) {
    const Around *around = user;
    RbBroadphase *bp = around->bp;
    if (other < around->id && is_changed(bp, other, FOR_PAIRS)) return true;
    add_found(bp, around->id, other);
    return true;
}

static bool comes_before(RbPair p, RbPair q) {
    return p.a < q.a || (p.a == q.a && p.b < q.b);
}

// Old pairs without changed objects and the found ones, merged in order.
static void merge_found(RbBroadphase *bp) {
    rb_array_reserve(&bp->work, bp->arena, bp->pairs.count + bp->found.count);
    const RbPair *fresh = bp->found.data;
    RbPair *to = bp->work.data;
    int count = 0, next = 0; // written; the next fresh one
    for (int i = 0; i < bp->pairs.count; i++) {
        RbPair p = bp->pairs.data[i];
        if (is_changed(bp, p.a, FOR_PAIRS) || is_changed(bp, p.b, FOR_PAIRS)) continue;
        while (next < bp->found.count && comes_before(fresh[next], p)) to[count++] = fresh[next++];
        to[count++] = p;
    }
    while (next < bp->found.count) to[count++] = fresh[next++];
    PairArray old = bp->pairs;
    bp->pairs = bp->work;
    bp->pairs.count = count;
    bp->work = old;
}

static void update_pairs(RbBroadphase *bp) {
    const Changes *c = &bp->changes[FOR_PAIRS];
    bp->found.count = 0;
    for (int i = 0; i < c->count; i++) {
        Around around = {bp, c->ids[i]};
        if (!is_active(bp, around.id)) continue;
        rb_broadphase_overlap(bp, bp->loose[around.id], UINT32_MAX, visit_around, &around);
    }
    sort_found(bp);
    merge_found(bp);
}

RbPairs rb_broadphase_pairs(RbBroadphase *bp) {
    int changed = bp->changes[FOR_PAIRS].count;
    if (changed > 0 || bp->pairs_stale) {
        bool few = changed <= bp->active_count / UPDATE_FRACTION;
        bool update = few && !bp->pairs_stale && bp->options.method != RB_BROADPHASE_MORTON;
        bp->pairs_stale = true; // in case memory runs out
        bp->pairs_version++;
        update ? update_pairs(bp) : find_all_pairs(bp);
        bp->pairs_stale = false;
        rb_broadphase_heard(bp, FOR_PAIRS);
    }
    return (RbPairs){bp->pairs.data, bp->pairs.count};
}

uint64_t rb_broadphase_pairs_version(const RbBroadphase *bp) {
    return bp->pairs_version;
}

// The gap.

typedef struct GapSearch {
    const RbBroadphase *bp;
    RbBoxGap best;
    int id; // search around it
} GapSearch;

static double visit_gap_pair(void *user, int a, int b, double distance) {
    GapSearch *s = user;
    bool apart = !rb_aabb_overlap(s->bp->loose[a], s->bp->loose[b]);
    if (apart && distance < s->best.distance && rb_broadphase_may_pair(s->bp, a, b)) {
        s->best = a < b ? (RbBoxGap){distance, a, b} : (RbBoxGap){distance, b, a};
    }
    return s->best.distance;
}

static double visit_gap_around(void *user, int other, double distance) {
    return visit_gap_pair(user, ((GapSearch *)user)->id, other, distance);
}

// The last pair as it is now: the first bound. Answers whether it is still a bound for all pairs
// without changed objects, as it is if it came no farther apart.
static bool start_from_last(GapSearch *s) {
    RbBoxGap last = s->bp->gap;
    s->best = (RbBoxGap){INFINITY, -1, -1};
    if (last.a < 0) return true; // there was no pair
    if (!rb_broadphase_may_pair(s->bp, last.a, last.b)) return false;
    visit_gap_pair(s, last.a, last.b, rb_aabb_distance(s->bp->loose[last.a], s->bp->loose[last.b]));
    return s->best.distance <= last.distance;
}

RbBoxGap rb_broadphase_gap(RbBroadphase *bp) {
    const Changes *c = &bp->changes[FOR_GAP];
    if (c->count == 0) return bp->gap;
    GapSearch s = {.bp = bp};
    bool bound_holds = start_from_last(&s);
    if (bound_holds && c->count <= bp->active_count / UPDATE_FRACTION) {
        for (int i = 0; i < c->count; i++) {
            s.id = c->ids[i];
            if (!is_active(bp, s.id)) continue;
            rb_broadphase_near(bp, bp->loose[s.id], s.best.distance, UINT32_MAX, visit_gap_around,
                               &s);
        }
    } else {
        rb_broadphase_near_pairs(bp, s.best.distance, visit_gap_pair, &s);
    }
    bp->gap = s.best;
    rb_broadphase_heard(bp, FOR_GAP);
    return bp->gap;
}

// SPDX-License-Identifier: MIT
// Queries: by the tree, or by going through all objects when they are few.
#include "collide/broadphase_data.h"

#include "base/sort.h"

// Visitors of the tree that look at the category first.

typedef struct Query {
    const RbBroadphase *bp;
    uint32_t categories;
    double bound;
    RbVisitItem *visit_item;
    RbVisitNear *visit_near;
    RbVisitNearPair *visit_pair;
    void *user;
} Query;

static bool is_wanted(const Query *q, int id) {
    return q->bp->objects[id].filter.category & q->categories;
}

static bool filter_item(void *user, int id) {
    const Query *q = user;
    return !is_wanted(q, id) || q->visit_item(q->user, id);
}

static double filter_near(void *user, int id, double distance) {
    Query *q = user;
    if (is_wanted(q, id)) q->bound = q->visit_near(q->user, id, distance);
    return q->bound;
}

static double filter_pair(void *user, int a, int b, double distance) {
    Query *q = user;
    if (rb_broadphase_may_pair(q->bp, a, b)) {
        q->bound = q->visit_pair(q->user, a < b ? a : b, a < b ? b : a, distance);
    }
    return q->bound;
}

void rb_broadphase_overlap(RbBroadphase *bp, RbAabb box, uint32_t categories, RbVisitItem *visit,
                           void *user) {
    Query q = {.bp = bp, .categories = categories, .visit_item = visit, .user = user};
    if (rb_broadphase_use_tree(bp)) {
        rb_box_tree_overlap(&bp->tree, &box, filter_item, &q);
        return;
    }
    for (int id = 0; id < bp->high; id++) {
        if (!is_active(bp, id) || !rb_aabb_overlap(bp->loose[id], box)) continue;
        if (!filter_item(&q, id)) return;
    }
}

void rb_broadphase_ray(RbBroadphase *bp, Vec3 origin, Vec3 direction, double limit,
                       uint32_t categories, RbVisitNear *visit, void *user) {
    Query q = {
        .bp = bp, .categories = categories, .bound = limit, .visit_near = visit, .user = user};
    if (rb_broadphase_use_tree(bp)) {
        rb_box_tree_ray(&bp->tree, origin, direction, limit, filter_near, &q);
        return;
    }
    for (int id = 0; id < bp->high; id++) {
        if (!is_active(bp, id)) continue;
        double t = rb_aabb_ray(&bp->loose[id], origin, direction, q.bound);
        if (t < INFINITY) filter_near(&q, id, t);
    }
}

static bool is_near(double distance, double bound) {
    return distance < bound || distance == 0;
}

void rb_broadphase_near(RbBroadphase *bp, RbAabb box, double bound, uint32_t categories,
                        RbVisitNear *visit, void *user) {
    Query q = {
        .bp = bp, .categories = categories, .bound = bound, .visit_near = visit, .user = user};
    if (rb_broadphase_use_tree(bp)) {
        rb_box_tree_near(&bp->tree, &box, bound, filter_near, &q);
        return;
    }
    for (int id = 0; id < bp->high; id++) {
        if (!is_active(bp, id)) continue;
        double distance = rb_aabb_distance(bp->loose[id], box);
        if (is_near(distance, q.bound)) filter_near(&q, id, distance);
    }
}

void rb_broadphase_near_pairs(RbBroadphase *bp, double bound, RbVisitNearPair *visit, void *user) {
    Query q = {.bp = bp, .bound = bound, .visit_pair = visit, .user = user};
    if (rb_broadphase_use_tree(bp)) {
        rb_box_tree_near_pairs(&bp->tree, bound, filter_pair, &q);
        return;
    }
    for (int a = 0; a < bp->high; a++) {
        for (int b = a + 1; b < bp->high; b++) {
            double distance = rb_aabb_distance(bp->loose[a], bp->loose[b]);
            if (is_near(distance, q.bound)) filter_pair(&q, a, b, distance);
        }
    }
}

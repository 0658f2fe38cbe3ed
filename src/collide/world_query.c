// SPDX-License-Identifier: MIT
// Rays, boxes and swept motion in the world.
#include "collide/world_data.h"

#include "base/sort.h"

// Rays.

typedef struct RayQuery {
    const RbWorld *w;
    RbRay ray; // its length shrinks to the best hit
    RbWorldHit hit;
} RayQuery;

static double visit_ray(void *user, int proxy, double distance) {
    (void)distance;
    RayQuery *q = user;
    const Proxy *p = &q->w->proxies.data[proxy];
    RbRayHit hit = rb_ray_cast(proxy_core(q->w, p), q->w->bodies.data[p->body].X, q->ray);
    if (!(hit.distance <= q->ray.length) || hit.distance == INFINITY) return q->ray.length;
    bool first = q->hit.body < 0 || hit.distance < q->hit.ray.distance || p->body < q->hit.body ||
                 (p->body == q->hit.body && p->part < q->hit.part);
    if (first) {
        q->hit = (RbWorldHit){p->body, p->part, hit};
        q->ray.length = hit.distance;
    }
    return q->ray.length;
}

RbWorldHit rb_world_ray(RbWorld *w, RbRay ray, uint32_t categories) {
    RayQuery q = {w, ray, {-1, -1, {INFINITY, V3_ZERO}}};
    rb_broadphase_ray(w->bp, ray.origin, ray.direction, ray.length, categories, visit_ray, &q);
    return q.hit;
}

// Boxes.

typedef struct BoxQuery {
    RbWorld *w;
    RbAabb box;
    RbCore core;
    Pose X;
} BoxQuery;

static bool visit_box(void *user, int proxy) {
    BoxQuery *q = user;
    const Proxy *p = &q->w->proxies.data[proxy];
    if (!rb_aabb_overlap(p->tight, q->box)) return true;
    RbGap gap;
    Pose X = pose_relative(q->w->bodies.data[p->body].X, q->X);
    rb_distance(proxy_core(q->w, p), &q->core, X, NULL, &gap);
    if (gap.distance <= 0) rb_array_push(&q->w->ids, q->w->arena, p->body);
    return true;
}

static int compare_ids(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

RbWorldIds rb_world_overlap(RbWorld *w, RbAabb box, uint32_t categories) {
    Vec3 edges = rb_aabb_edges(box);
    BoxQuery q = {
        .w = w,
        .box = box,
        .core = {.kind = RB_CORE_BOX,
                 .h = v3_scale(0.5, edges),
                 .size = v3_norm(edges),
                 .frame = POSE_IDENTITY},
        .X = {rb_aabb_centre(box), M3_IDENTITY},
    };
    w->ids.count = 0;
    rb_broadphase_overlap(w->bp, box, categories, visit_box, &q);
    rb_sort_items(w->ids.data, w->ids.count, sizeof *w->ids.data, compare_ids);
    int count = 0; // a body whose parts are hit several times counts once
    for (int i = 0; i < w->ids.count; i++) {
        if (i == 0 || w->ids.data[i] != w->ids.data[i - 1]) w->ids.data[count++] = w->ids.data[i];
    }
    return (RbWorldIds){w->ids.data, count};
}

// Swept motion.

static RbSweepBody sweep_body(const RbWorld *w, const Proxy *p) {
    const Body *b = &w->bodies.data[p->body];
    return (RbSweepBody){&b->cores[p->part], b->X, b->motion};
}

static RbWorldSweep no_contact(double duration) {
    return (RbWorldSweep){-1, -1, -1, -1, {.status = RB_SWEEP_MISS, .time = duration}};
}

// Sweep two proxies for as long as `best` lasts, and keep the earlier contact. Of contacts at the
// same time the one that was there first stays.
static void sweep_proxies(const RbWorld *w, int p, int q, RbWorldSweep *best) {
    const Proxy *P = &w->proxies.data[p], *Q = &w->proxies.data[q];
    if (P->body > Q->body) {
        const Proxy *swap = P;
        P = Q;
        Q = swap;
    }
    RbSweepBody a = sweep_body(w, P), b = sweep_body(w, Q);
    double tolerance = rb_sweep_tolerance(a.core, b.core);
    RbSweep s = rb_sweep(&a, &b, best->sweep.time, tolerance);
    if (s.status != RB_SWEEP_HIT && s.status != RB_SWEEP_UNDECIDED) return;
    if (best->a >= 0 && !(s.time < best->sweep.time)) return;
    *best = (RbWorldSweep){P->body, Q->body, P->part, Q->part, s};
}

RbWorldSweep rb_world_sweep_pair(const RbWorld *w, int a, int b, double duration) {
    RbWorldSweep best = no_contact(duration);
    for (int p = w->bodies.data[a].first; p >= 0; p = w->proxies.data[p].next) {
        for (int q = w->bodies.data[b].first; q >= 0; q = w->proxies.data[q].next) {
            sweep_proxies(w, p, q, &best);
        }
    }
    return best;
}

static bool visit_swept(void *user, int p, int q) {
    RbWorld *w = user;
    if (!rb_broadphase_may_pair(w->bp, p, q)) return true;
    RbPair pair = p < q ? (RbPair){p, q} : (RbPair){q, p};
    rb_array_push(&w->swept_pairs, w->arena, pair);
    return true;
}

static int compare_pairs(const void *a, const void *b) {
    const RbPair *p = a, *q = b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

// The pairs whose boxes around the whole motion overlap.
static void find_swept_pairs(RbWorld *w, double duration) {
    int capacity = rb_broadphase_capacity(w->bp);
    rb_box_tree_reserve(&w->swept, capacity);
    rb_array_reserve(&w->swept_boxes, w->arena, capacity);
    rb_array_reserve(&w->swept_items, w->arena, capacity);
    w->swept_items.count = w->swept_pairs.count = 0;
    for (int body = 0; body < w->bodies.count; body++) {
        for (int p = w->bodies.data[body].first; p >= 0; p = w->proxies.data[p].next) {
            if (!rb_broadphase_is_active(w->bp, p)) continue;
            RbSweepBody b = sweep_body(w, &w->proxies.data[p]);
            RbAabb moved = rb_sweep_aabb(&b, duration);
            w->swept_boxes.data[p] = rb_aabb_grow(moved, rb_sweep_tolerance(b.core, b.core));
            w->swept_items.data[w->swept_items.count++] = p;
        }
    }
    rb_box_tree_build(&w->swept, w->swept_items.data, w->swept_items.count, w->swept_boxes.data);
    rb_box_tree_pairs(&w->swept, visit_swept, w);
    rb_sort_items(w->swept_pairs.data, w->swept_pairs.count, sizeof(RbPair), compare_pairs);
}

RbWorldSweep rb_world_sweep(RbWorld *w, double duration) {
    RbWorldSweep best = no_contact(duration);
    find_swept_pairs(w, duration);
    for (int i = 0; i < w->swept_pairs.count; i++) {
        sweep_proxies(w, w->swept_pairs.data[i].a, w->swept_pairs.data[i].b, &best);
    }
    return best;
}

// SPDX-License-Identifier: MIT
// Bodies of the world and their contacts.
#include "collide/world_data.h"

#include "base/assert.h"
#include "base/sort.h"
#include "geom/support.h"

// Bodies.

RbWorld *rb_world(RbArena *arena, RbBroadphaseOptions options) {
    RbWorld *w = rb_new(arena, RbWorld);
    w->arena = arena;
    w->bp = rb_broadphase(arena, options);
    w->swept = rb_box_tree(arena);
    w->free_body = -1;
    w->least = (RbPair){-1, -1};
    return w;
}

// The box is exact up to rounding of its coordinates; this much further out it is certain.
static const double ROUNDING = 0x1p-50; // times the largest coordinate

// A direction counts as a proof of distance if it is beyond rounding.
static const double APART_SURE = 1e-12; // times the sizes

static RbAabb tight_box(const RbCore *core, Pose X) {
    RbAabb box = rb_aabb_of_core(core, X);
    double largest =
        isfinite(core->size) ? v3_max_abs(X.r) + v3_max_abs(core->frame.r) + core->size : 0;
    return rb_aabb_grow(box, ROUNDING * largest);
}

static int new_body(RbWorld *w) {
    int body = w->free_body;
    if (body >= 0)
        w->free_body = w->bodies.data[body].next_free;
    else
        body = w->bodies.count++;
    return body;
}

int rb_world_add(RbWorld *w, const RbCore *cores, int core_count, Pose X) {
    RB_ASSERT(core_count > 0);
    rb_array_reserve(&w->bodies, w->arena, w->bodies.count + 1);
    rb_broadphase_reserve(w->bp, core_count);
    rb_array_reserve(&w->proxies, w->arena, rb_broadphase_capacity(w->bp));
    rb_array_reserve(&w->fresh, w->arena, rb_broadphase_capacity(w->bp));

    // From here on nothing can fail.
    int body = new_body(w);
    w->bodies.data[body] = (Body){.cores = cores, .core_count = core_count, .first = -1, .X = X};
    w->body_count++;
    RbPairFilter filter = rb_pair_filter();
    filter.group = body + 1;
    for (int part = core_count - 1; part >= 0; part--) {
        RbAabb tight = tight_box(&cores[part], X);
        int p = rb_broadphase_add(w->bp, tight, filter);
        bool listed = p < w->proxies.count && w->proxies.data[p].fresh; // from a former life
        w->proxies.data[p] = (Proxy){body, part, w->bodies.data[body].first, true, tight};
        w->bodies.data[body].first = p;
        if (p >= w->proxies.count) w->proxies.count = p + 1;
        if (!listed) w->fresh.data[w->fresh.count++] = p;
    }
    return body;
}

void rb_world_remove(RbWorld *w, int body) {
    Body *b = &w->bodies.data[body];
    RB_ASSERT(b->first >= 0);
    for (int p = b->first; p >= 0; p = w->proxies.data[p].next) {
        rb_broadphase_remove(w->bp, p);
        if (w->least.a == p || w->least.b == p) w->least = (RbPair){-1, -1};
    }
    rb_broadphase_forget_group(w->bp, body + 1);
    b->first = -1;
    b->next_free = w->free_body;
    w->free_body = body;
    w->body_count--;
}

void rb_world_place(RbWorld *w, int body, Pose X) {
    Body *b = &w->bodies.data[body];
    b->X = X;
    for (int i = b->first; i >= 0; i = w->proxies.data[i].next) {
        Proxy *p = &w->proxies.data[i];
        p->tight = tight_box(&b->cores[p->part], X);
        rb_broadphase_move(w->bp, i, p->tight);
    }
}

void rb_world_set_motion(RbWorld *w, int body, RbMotion motion) {
    w->bodies.data[body].motion = motion;
}

void rb_world_set_active(RbWorld *w, int body, bool active) {
    for (int p = w->bodies.data[body].first; p >= 0; p = w->proxies.data[p].next) {
        rb_broadphase_set_active(w->bp, p, active);
    }
}

void rb_world_set_filter(RbWorld *w, int body, uint32_t category, uint32_t collides) {
    for (int p = w->bodies.data[body].first; p >= 0; p = w->proxies.data[p].next) {
        rb_broadphase_set_filter(w->bp, p, (RbPairFilter){category, collides, body + 1});
    }
}

void rb_world_set_pair(RbWorld *w, int a, int b, bool enabled) {
    const Body *p = &w->bodies.data[a], *q = &w->bodies.data[b];
    if (p->core_count == 1 && q->core_count == 1) {
        rb_broadphase_set_pair(w->bp, p->first, q->first, enabled);
    } else {
        rb_broadphase_set_groups(w->bp, a + 1, b + 1, enabled);
    }
}

int rb_world_count(const RbWorld *w) {
    return w->body_count;
}

RbAabb rb_world_box(const RbWorld *w, int body) {
    RbAabb box = RB_AABB_EMPTY;
    for (int p = w->bodies.data[body].first; p >= 0; p = w->proxies.data[p].next) {
        box = rb_aabb_union(box, w->proxies.data[p].tight);
    }
    return box;
}

// The narrow phase of one pair.

static bool both_unbounded(const RbCore *a, const RbCore *b) {
    return a->kind == RB_CORE_HALFSPACE && b->kind == RB_CORE_HALFSPACE;
}

// False: two half-spaces, or numbers beyond the range of double.
static bool measure(const RbWorld *w, int p, int q, RbPairMemory *memory, RbWorldContact *out) {
    if (w->proxies.data[p].body > w->proxies.data[q].body) {
        int swap = p;
        p = q;
        q = swap;
    }
    const Proxy *P = &w->proxies.data[p], *Q = &w->proxies.data[q];
    const RbCore *a = proxy_core(w, P), *b = proxy_core(w, Q);
    if (both_unbounded(a, b)) return false;
    Pose A = w->bodies.data[P->body].X, B = w->bodies.data[Q->body].X;
    *out = (RbWorldContact){.a = P->body, .b = Q->body, .part_a = P->part, .part_b = Q->part};
    rb_distance(a, b, pose_relative(A, B), memory, &out->gap);
    out->gap = rb_gap_in_world(out->gap, A);
    return out->gap.status != RB_GAP_INVALID;
}

static int compare_contacts(const void *a, const void *b) {
    const RbWorldContact *p = a, *q = b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    if (p->b != q->b) return p->b < q->b ? -1 : 1;
    if (p->part_a != q->part_a) return p->part_a < q->part_a ? -1 : 1;
    return (p->part_b > q->part_b) - (p->part_b < q->part_b);
}

static bool is_nearer(const RbWorldContact *p, const RbWorldContact *q) {
    if (p->gap.distance != q->gap.distance) return p->gap.distance < q->gap.distance;
    return compare_contacts(p, q) < 0;
}

bool rb_world_distance(const RbWorld *w, int a, int b, RbWorldContact *out) {
    bool found = false;
    for (int p = w->bodies.data[a].first; p >= 0; p = w->proxies.data[p].next) {
        for (int q = w->bodies.data[b].first; q >= 0; q = w->proxies.data[q].next) {
            RbWorldContact contact;
            if (!measure(w, p, q, NULL, &contact)) continue;
            if (!found || is_nearer(&contact, out)) *out = contact;
            found = true;
        }
    }
    return found;
}

// All contacts.

static int compare_pairs(RbPair p, RbPair q) {
    if (p.a != q.a) return p.a < q.a ? -1 : 1;
    return (p.b > q.b) - (p.b < q.b);
}

// Follow the broad phase: pairs that stay keep their memory. Both lists are sorted.
static void update_known(RbWorld *w) {
    RbPairs pairs = rb_broadphase_pairs(w->bp);
    uint64_t version = rb_broadphase_pairs_version(w->bp);
    if (version == w->known_version) return;
    rb_array_reserve(&w->known_work, w->arena, pairs.count);
    const KnownPair *old = w->known.data;
    int next = 0; // of the old ones
    for (int i = 0; i < pairs.count; i++) {
        RbPair pair = pairs.data[i];
        while (next < w->known.count && compare_pairs(old[next].proxies, pair) < 0) next++;
        bool fresh = w->proxies.data[pair.a].fresh || w->proxies.data[pair.b].fresh;
        bool stays = next < w->known.count && compare_pairs(old[next].proxies, pair) == 0 && !fresh;
        w->known_work.data[i] = stays ? old[next] : (KnownPair){.proxies = pair};
    }
    KnownPairs last = w->known;
    w->known = w->known_work;
    w->known.count = pairs.count;
    w->known_work = last;
    w->known_version = version;
    for (int i = 0; i < w->fresh.count; i++) w->proxies.data[w->fresh.data[i]].fresh = false;
    w->fresh.count = 0;
}

// How far the body reaches along the unit vector n, from the point `origin`.
static double extent(const RbWorld *w, const Proxy *p, Vec3 n, Vec3 origin) {
    Pose X = w->bodies.data[p->body].X;
    Vec3 farthest = rb_support(proxy_core(w, p), m3_tmul_vec(X.R, n));
    return v3_dot(n, v3_sub(pose_point(X, farthest), origin));
}

// Does the direction that kept the pair apart last time still keep it more than margin apart? Any
// such direction is a proof, and two support mappings cost a tenth of a distance.
static bool is_still_apart(const RbWorld *w, const KnownPair *k, double margin) {
    if (v3_norm2(k->apart) == 0) return false;
    const Proxy *a = &w->proxies.data[k->proxies.a], *b = &w->proxies.data[k->proxies.b];
    Vec3 n = a->body < b->body ? k->apart : v3_neg(k->apart);
    Vec3 origin = w->bodies.data[a->body].X.r;
    double gap = -extent(w, b, v3_neg(n), origin) - extent(w, a, n, origin);
    double size = proxy_core(w, a)->size + proxy_core(w, b)->size;
    return gap > margin + APART_SURE * size; // false for half-spaces, whose size is infinite
}

static bool are_boxes_near(const RbWorld *w, int p, int q, double margin) {
    return rb_aabb_distance(w->proxies.data[p].tight, w->proxies.data[q].tight) <= margin;
}

static void add_known(RbWorld *w, KnownPair *k, double margin) {
    RbWorldContact contact;
    if (!are_boxes_near(w, k->proxies.a, k->proxies.b, margin)) return;
    if (is_still_apart(w, k, margin)) return;
    k->apart = V3_ZERO;
    if (!measure(w, k->proxies.a, k->proxies.b, &k->memory, &contact)) return;
    if (contact.gap.distance <= margin)
        rb_array_push(&w->contacts, w->arena, contact);
    else
        k->apart = contact.gap.normal;
}

typedef struct Wider {
    RbWorld *w;
    double margin;
} Wider;

// Pairs whose loose boxes do not overlap are not in the list of the broad phase.
static double visit_wider(void *user, int p, int q, double distance) {
    const Wider *wider = user;
    RbAabb P = rb_broadphase_loose(wider->w->bp, p), Q = rb_broadphase_loose(wider->w->bp, q);
    RbWorldContact contact;
    bool unknown = distance > 0 || !rb_aabb_overlap(P, Q);
    if (unknown && are_boxes_near(wider->w, p, q, wider->margin) &&
        measure(wider->w, p, q, NULL, &contact) && contact.gap.distance <= wider->margin) {
        rb_array_push(&wider->w->contacts, wider->w->arena, contact);
    }
    return nextafter(wider->margin, INFINITY);
}

RbWorldContacts rb_world_contacts(RbWorld *w, double margin) {
    update_known(w);
    w->contacts.count = 0;
    for (int i = 0; i < w->known.count; i++) add_known(w, &w->known.data[i], margin);
    if (margin > 0) {
        Wider wider = {w, margin};
        rb_broadphase_near_pairs(w->bp, nextafter(margin, INFINITY), visit_wider, &wider);
    }
    rb_sort_items(w->contacts.data, w->contacts.count, sizeof *w->contacts.data, compare_contacts);
    return (RbWorldContacts){w->contacts.data, w->contacts.count};
}

double rb_world_clearance(RbWorld *w) {
    return rb_broadphase_gap(w->bp).distance;
}

// The smallest distance.

// The signed distance of two boxes, a lower bound for what is inside them.
static double box_gap(RbAabb a, RbAabb b) {
    double apart = rb_aabb_distance(a, b);
    if (apart > 0) return apart;
    Vec3 gap = rb_aabb_max(v3_sub(a.low, b.high), v3_sub(b.low, a.high));
    return rb_aabb_more(gap.x, rb_aabb_more(gap.y, gap.z));
}

typedef struct Least {
    const RbWorld *w;
    RbWorldContact best;
    RbPair proxies;
    bool found;
} Least;

static double visit_least(void *user, int p, int q, double distance) {
    (void)distance;
    Least *least = user;
    double best = least->found ? least->best.gap.distance : INFINITY;
    const Proxy *proxies = least->w->proxies.data;
    RbWorldContact contact;
    if (box_gap(proxies[p].tight, proxies[q].tight) > best) return best;
    if (!measure(least->w, p, q, NULL, &contact)) return best;
    if (!least->found || is_nearer(&contact, &least->best)) {
        least->best = contact;
        least->proxies = (RbPair){p, q};
        least->found = true;
    }
    return nextafter(least->best.gap.distance, INFINITY);
}

bool rb_world_least(RbWorld *w, RbWorldContact *out) {
    Least least = {.w = w, .proxies = {-1, -1}};
    double bound = INFINITY;
    if (w->least.a >= 0 && rb_broadphase_may_pair(w->bp, w->least.a, w->least.b)) {
        bound = visit_least(&least, w->least.a, w->least.b, 0);
    }
    rb_broadphase_near_pairs(w->bp, bound, visit_least, &least);
    w->least = least.proxies;
    if (least.found) *out = least.best;
    return least.found;
}

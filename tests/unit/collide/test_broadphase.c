// SPDX-License-Identifier: MIT
// The broad phase against going through all pairs, for all its methods, over random scenes and
// histories.
#include "testing.h"

#include <string.h>

#include "collide/broadphase.h"
#include "math/rng.h"

enum { MAX_OBJECTS = 140, METHOD_COUNT = 4 };

static const RbBroadphaseMethod METHODS[METHOD_COUNT] = {RB_BROADPHASE_AUTO, RB_BROADPHASE_BRUTE,
                                                         RB_BROADPHASE_TREE, RB_BROADPHASE_MORTON};

typedef enum Kind {
    UNIFORM,
    CLUSTERED,
    MANY_SIZES,
    EQUAL,
    POINTS,
    ON_A_LINE,
    LATTICE,
    HUGE_AND_TINY,
    INFINITE,
    FAR_AWAY,
    KIND_COUNT,
} Kind;

static RbAabb around(Vec3 centre, Vec3 half) {
    return (RbAabb){v3_sub(centre, half), v3_add(centre, half)};
}

static Vec3 random_point(RbRng *rng, double size) {
    double x = rb_rng_range(rng, -size, size), y = rb_rng_range(rng, -size, size);
    return v3(x, y, rb_rng_range(rng, -size, size));
}

static RbAabb infinite_box(RbRng *rng) {
    RbAabb box = around(random_point(rng, 5), v3(0.5, 0.5, 0.5));
    for (int k = 0; k < 3; k++) {
        if (rb_rng_int(rng, 2)) box.low = v3_set(box.low, k, -INFINITY);
        if (rb_rng_int(rng, 2)) box.high = v3_set(box.high, k, INFINITY);
    }
    return box;
}

static RbAabb random_box(RbRng *rng, Kind kind) {
    double size = 0.5;
    Vec3 half =
        v3(rb_rng_range(rng, 0, size), rb_rng_range(rng, 0, size), rb_rng_range(rng, 0, size));
    double scale = pow(10, rb_rng_range(rng, -3, 1));
    switch (kind) {
        case UNIFORM: return around(random_point(rng, 4), half);
        case CLUSTERED: {
            Vec3 cluster = v3_scale(100.0 * rb_rng_int(rng, 4), v3(1, 0.3, -2));
            return around(v3_add(cluster, random_point(rng, 1)), half);
        }
        case MANY_SIZES: return around(random_point(rng, 4), v3_scale(scale, half));
        case EQUAL: return around(v3(rb_rng_int(rng, 2), 1, 2), v3(0.5, 0.5, 0.5));
        case POINTS: return around(v3(rb_rng_int(rng, 5), rb_rng_int(rng, 5), 0), V3_ZERO);
        case ON_A_LINE: return around(v3(pow(2, rb_rng_range(rng, -60, 60)), 0, 0), V3_ZERO);
        case LATTICE: // many boxes that exactly touch: powers of two are exact
            return around(v3(rb_rng_int(rng, 8), rb_rng_int(rng, 8), rb_rng_int(rng, 4)),
                          v3(0.5, 0.5, 0.5));
        case HUGE_AND_TINY:
            return around(random_point(rng, 3), v3_scale(rb_rng_int(rng, 2) ? 1e5 : 1e-5, half));
        case INFINITE:
            return rb_rng_int(rng, 8) ? around(random_point(rng, 4), half) : infinite_box(rng);
        case FAR_AWAY:
            return around(v3_scale(rb_rng_int(rng, 20) ? 1 : 1e12, random_point(rng, 4)), half);
        case KIND_COUNT: break;
    }
    return (RbAabb){0};
}

// What the test knows of the scene.
typedef struct Scene {
    bool used[MAX_OBJECTS], active[MAX_OBJECTS], disabled[MAX_OBJECTS][MAX_OBJECTS];
    RbAabb tight[MAX_OBJECTS];
    RbPairFilter filter[MAX_OBJECTS];
    bool groups_off; // groups 1 and 2
    int count;       // used
    RbBroadphase *bp[METHOD_COUNT];
} Scene;

static bool may_pair(const Scene *s, int a, int b) {
    const RbPairFilter *p = &s->filter[a], *q = &s->filter[b];
    bool same_group = p->group != 0 && p->group == q->group;
    bool groups_off =
        s->groups_off && ((p->group == 1 && q->group == 2) || (p->group == 2 && q->group == 1));
    return s->active[a] && s->active[b] && (p->category & q->collides) != 0 &&
           (q->category & p->collides) != 0 && !same_group && !groups_off && !s->disabled[a][b];
}

static bool touch(RbAabb a, RbAabb b) {
    for (int k = 0; k < 3; k++) {
        if (v3_get(a.low, k) > v3_get(b.high, k) || v3_get(b.low, k) > v3_get(a.high, k))
            return false;
    }
    return true;
}

// Distance by clamping: for each axis the gap if there is one.
static double box_distance(RbAabb a, RbAabb b) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double gap =
            fmax(v3_get(a.low, k) - v3_get(b.high, k), v3_get(b.low, k) - v3_get(a.high, k));
        if (gap > 0) sum += gap * gap;
    }
    return sqrt(sum);
}

static void check_loose(const Scene *s, int id, RbAabb loose) {
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        double edge = v3_get(s->tight[id].high, k) - v3_get(s->tight[id].low, k);
        if (isfinite(edge)) longest = fmax(longest, edge);
    }
    for (int k = 0; k < 3; k++) {
        ENSURE(v3_get(loose.low, k) <= v3_get(s->tight[id].low, k));
        ENSURE(v3_get(loose.high, k) >= v3_get(s->tight[id].high, k));
        double low = v3_get(s->tight[id].low, k) - v3_get(loose.low, k);
        if (isfinite(low))
            ENSURE(low <= 4.1 * 0.005 * longest + 1e-12 * fabs(v3_get(loose.low, k)));
    }
}

static void check_pairs(Scene *s, int m) {
    RbPairs pairs = rb_broadphase_pairs(s->bp[m]);
    int n = 0;
    double gap = INFINITY;
    for (int a = 0; a < MAX_OBJECTS; a++) {
        if (s->used[a]) check_loose(s, a, rb_broadphase_loose(s->bp[m], a));
        for (int b = a + 1; b < MAX_OBJECTS; b++) {
            if (!s->used[a] || !s->used[b] || !may_pair(s, a, b)) continue;
            RbAabb la = rb_broadphase_loose(s->bp[m], a), lb = rb_broadphase_loose(s->bp[m], b);
            if (touch(la, lb)) {
                ENSURE(n < pairs.count && pairs.data[n].a == a && pairs.data[n].b == b);
                n++;
            } else {
                gap = fmin(gap, box_distance(la, lb));
            }
        }
    }
    assert_int_equal(n, pairs.count);
    RbBoxGap found = rb_broadphase_gap(s->bp[m]);
    ENSURE(found.distance == gap);
    if (gap < INFINITY) {
        ENSURE(found.a < found.b && may_pair(s, found.a, found.b));
        ENSURE(box_distance(rb_broadphase_loose(s->bp[m], found.a),
                            rb_broadphase_loose(s->bp[m], found.b)) == gap);
    } else {
        ENSURE(found.a == -1 && found.b == -1);
    }
}

// What the visitors see, in arrays: ids in increasing order; the nearest, the smaller id of equals.
typedef struct IdList {
    int ids[400], count;
} IdList;

static bool add_id(void *user, int id) {
    IdList *list = user;
    ENSURE(list->count < 400);
    list->ids[list->count++] = id;
    return true;
}

static int compare_ids(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static IdList overlap_list(RbBroadphase *bp, RbAabb box, uint32_t categories) {
    IdList list = {.count = 0};
    rb_broadphase_overlap(bp, box, categories, add_id, &list);
    qsort(list.ids, (size_t)list.count, sizeof(int), compare_ids);
    return list;
}

typedef struct BoxHit {
    int id;
    double distance;
} BoxHit;

static double keep_nearest(void *user, int id, double distance) {
    BoxHit *hit = user;
    bool nearer = distance < hit->distance || (distance == hit->distance && id < hit->id);
    if (hit->id < 0 || nearer) *hit = (BoxHit){id, distance};
    return nextafter(hit->distance, INFINITY); // just above, so that equals are visited
}

static BoxHit ray_first(RbBroadphase *bp, Vec3 origin, Vec3 direction, double limit,
                        uint32_t categories) {
    BoxHit hit = {-1, INFINITY};
    rb_broadphase_ray(bp, origin, direction, limit, categories, keep_nearest, &hit);
    return hit;
}

static BoxHit nearest(RbBroadphase *bp, RbAabb box, uint32_t categories) {
    BoxHit hit = {-1, INFINITY};
    rb_broadphase_near(bp, box, INFINITY, categories, keep_nearest, &hit);
    return hit;
}

static void check_overlap(Scene *s, int m, RbAabb box, uint32_t categories) {
    IdList list = overlap_list(s->bp[m], box, categories);
    int n = 0, count = list.count;
    const int *ids = list.ids;
    for (int id = 0; id < MAX_OBJECTS; id++) {
        if (!s->active[id] || !(s->filter[id].category & categories)) continue;
        if (!touch(rb_broadphase_loose(s->bp[m], id), box)) continue;
        ENSURE(n < count && ids[n] == id);
        n++;
    }
    assert_int_equal(n, count);
}

// t where the ray enters: the last of the three entries, if it is before the first exit.
static double enter(RbAabb b, Vec3 o, Vec3 d, double limit) {
    double in = 0, out = limit;
    for (int k = 0; k < 3; k++) {
        double lo = v3_get(b.low, k), hi = v3_get(b.high, k), at = v3_get(o, k), to = v3_get(d, k);
        if (to == 0) {
            if (at < lo || at > hi) return INFINITY;
        } else {
            in = fmax(in, (to > 0 ? lo - at : hi - at) / to);
            out = fmin(out, (to > 0 ? hi - at : lo - at) / to);
        }
    }
    return in <= out ? in : INFINITY;
}

static void check_queries(Scene *s, int m, RbRng rng, Kind kind) {
    for (int q = 0; q < 5; q++) {
        uint32_t categories = q == 0 ? 2 : UINT32_MAX;
        RbAabb box = random_box(&rng, kind);
        check_overlap(s, m, box, categories);
        Vec3 origin = random_point(&rng, 5), direction = rb_rng_direction(&rng);
        if (q == 1) direction = v3(0, 1, 0);
        if (q == 2) origin = v3(0, -20, 0), direction = v3(0.1, 1, 0);
        double limit = q == 3 ? 3 : INFINITY;
        BoxHit ray = ray_first(s->bp[m], origin, direction, limit, categories);
        BoxHit near = nearest(s->bp[m], box, categories);
        BoxHit want_ray = {-1, INFINITY}, want_near = {-1, INFINITY};
        for (int id = 0; id < MAX_OBJECTS; id++) {
            if (!s->active[id] || !(s->filter[id].category & categories)) continue;
            RbAabb loose = rb_broadphase_loose(s->bp[m], id);
            double t = enter(loose, origin, direction, limit), d = box_distance(loose, box);
            if (t < want_ray.distance) want_ray = (BoxHit){id, t};
            if (d < want_near.distance) want_near = (BoxHit){id, d};
        }
        ENSURE(ray.id == want_ray.id && ray.distance == want_ray.distance);
        ENSURE(near.id == want_near.id && near.distance == want_near.distance);
    }
}

static void add_object(Scene *s, RbRng *rng, Kind kind) {
    RbPairFilter filter = rb_pair_filter();
    if (rb_rng_int(rng, 4) == 0) filter.category = 1u << rb_rng_int(rng, 3);
    if (rb_rng_int(rng, 4) == 0) filter.collides = (uint32_t)rb_rng_int(rng, 8);
    if (rb_rng_int(rng, 3) == 0) filter.group = rb_rng_int(rng, 4);
    RbAabb box = random_box(rng, kind);
    int id = -1;
    for (int m = 0; m < METHOD_COUNT; m++) {
        int got = rb_broadphase_add(s->bp[m], box, filter);
        ENSURE(id < 0 || id == got);
        id = got;
    }
    ENSURE(!s->used[id]);
    s->used[id] = s->active[id] = true;
    s->tight[id] = box;
    s->filter[id] = filter;
    s->count++;
}

static int random_used(const Scene *s, RbRng *rng) {
    for (int id = rb_rng_int(rng, MAX_OBJECTS);; id = (id + 1) % MAX_OBJECTS) {
        if (s->used[id]) return id;
    }
}

static void remove_object(Scene *s, int id) {
    for (int m = 0; m < METHOD_COUNT; m++) rb_broadphase_remove(s->bp[m], id);
    s->used[id] = s->active[id] = false;
    for (int k = 0; k < MAX_OBJECTS; k++) s->disabled[id][k] = s->disabled[k][id] = false;
    s->count--;
}

static void move_object(Scene *s, RbRng *rng, Kind kind, int id) {
    RbAabb box = random_box(rng, kind);
    if (rb_rng_int(rng, 3)) { // a little, so that it may stay in its loose box
        Vec3 step = v3_scale(0.003, random_point(rng, 1));
        box = (RbAabb){v3_add(s->tight[id].low, step), v3_add(s->tight[id].high, step)};
    }
    bool left = false;
    for (int m = 0; m < METHOD_COUNT; m++) {
        bool now = rb_broadphase_move(s->bp[m], id, box);
        ENSURE(m == 0 || now == left);
        left = now;
    }
    s->tight[id] = box;
}

static void change_rules(Scene *s, RbRng *rng) {
    int a = random_used(s, rng), b = random_used(s, rng);
    switch (rb_rng_int(rng, 4)) {
        case 0:
            s->active[a] = !s->active[a];
            for (int m = 0; m < METHOD_COUNT; m++) {
                rb_broadphase_set_active(s->bp[m], a, s->active[a]);
            }
            break;
        case 1:
            if (a == b) break;
            s->disabled[a][b] = s->disabled[b][a] = !s->disabled[a][b];
            for (int m = 0; m < METHOD_COUNT; m++) {
                rb_broadphase_set_pair(s->bp[m], b, a, !s->disabled[a][b]);
            }
            break;
        case 2:
            s->filter[a].collides = (uint32_t)rb_rng_int(rng, 8);
            for (int m = 0; m < METHOD_COUNT; m++) {
                rb_broadphase_set_filter(s->bp[m], a, s->filter[a]);
            }
            break;
        case 3:
            s->groups_off = !s->groups_off;
            for (int m = 0; m < METHOD_COUNT; m++) {
                rb_broadphase_set_groups(s->bp[m], 2, 1, !s->groups_off);
            }
            break;
    }
}

static void play(Kind kind, int objects, uint64_t seed) {
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(seed);
    Scene *s = rb_new(&f.arena, Scene);
    for (int m = 0; m < METHOD_COUNT; m++) {
        RbBroadphaseOptions options = rb_broadphase_options();
        options.method = METHODS[m];
        s->bp[m] = rb_broadphase(&f.arena, options);
    }
    for (int i = 0; i < objects; i++) add_object(s, &rng, kind);
    for (int round = 0; round < 9; round++) {
        for (int m = 0; m < METHOD_COUNT; m++) {
            check_pairs(s, m);
            check_queries(s, m, rb_rng(seed + (uint64_t)round), kind);
        }
        int moves = round % 3 ? 4 : objects; // few or many at once
        for (int i = 0; i < moves; i++) move_object(s, &rng, kind, random_used(s, &rng));
        for (int i = 0; i < 3; i++) change_rules(s, &rng);
        for (int i = 0; i < 3 && s->count > 2; i++) remove_object(s, random_used(s, &rng));
        for (int i = 0; i < 3 && s->count < MAX_OBJECTS; i++) add_object(s, &rng, kind);
    }
    fixture_close(&f);
}

static void all_methods_agree_with_all_pairs(void **state) {
    (void)state;
    for (Kind kind = 0; kind < KIND_COUNT; kind++) {
        play(kind, 6, 1000u + kind);
        play(kind, 60, 2000u + kind);
        play(kind, 120, 3000u + kind);
    }
}

static void an_empty_broad_phase_answers(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    for (int m = 0; m < METHOD_COUNT; m++) {
        RbBroadphaseOptions options = rb_broadphase_options();
        options.method = METHODS[m];
        RbBroadphase *bp = rb_broadphase(&f.arena, options);
        for (int round = 0; round < 2; round++) {
            assert_int_equal(rb_broadphase_pairs(bp).count, 0);
            ENSURE(rb_broadphase_gap(bp).distance == INFINITY);
            ENSURE(nearest(bp, (RbAabb){0}, UINT32_MAX).id == -1);
            ENSURE(ray_first(bp, V3_ZERO, v3(1, 0, 0), 1, UINT32_MAX).id == -1);
            assert_int_equal(overlap_list(bp, (RbAabb){0}, UINT32_MAX).count, 0);
            rb_broadphase_remove(bp, rb_broadphase_add(bp, (RbAabb){0}, rb_pair_filter()));
        }
    }
    fixture_close(&f);
}

// Thesis, section 5.2: touching boxes already go to the narrow phase, 0.5 % of the longest edge
// earlier on each side.
static void the_margin_is_half_a_percent_of_the_longest_edge(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBroadphase *bp = rb_broadphase(&f.arena, rb_broadphase_options());
    int a = rb_broadphase_add(bp, (RbAabb){{0, 0, 0}, {1, 2, 4}}, rb_pair_filter());
    RbAabb loose = rb_broadphase_loose(bp, a);
    ENSURE(loose.low.x == -0.02 && loose.high.x == 1.02 && loose.high.z == 4.02);
    int b = rb_broadphase_add(bp, (RbAabb){{0, 0, 4.05}, {1, 2, 8.05}}, rb_pair_filter());
    assert_int_equal(rb_broadphase_pairs(bp).count, 0);
    ENSURE_NEAR(rb_broadphase_gap(bp).distance, 0.01, 1e-15);
    ENSURE(!rb_broadphase_move(bp, b, (RbAabb){{0, 0, 4.031}, {1, 2, 8.031}}));
    ENSURE(rb_broadphase_move(bp, b, (RbAabb){{0, 0, 4.029}, {1, 2, 8.029}}));
    assert_int_equal(rb_broadphase_pairs(bp).count, 1);
    ENSURE(rb_broadphase_gap(bp).distance == INFINITY);
    // A box that became much smaller gets a smaller loose one.
    ENSURE(rb_broadphase_move(bp, b, (RbAabb){{0, 0, 5}, {1, 2, 7}}));
    assert_int_equal(rb_broadphase_pairs(bp).count, 0);
    fixture_close(&f);
}

static RbAabb ball(Vec3 centre, double radius) {
    return around(centre, v3(radius, radius, radius));
}

static void moving_and_asking_does_not_allocate(void **state) {
    (void)state;
    for (int m = 0; m < METHOD_COUNT; m++) {
        Fixture f;
        fixture_open(&f);
        RbRng rng = rb_rng(7);
        RbBroadphaseOptions options = rb_broadphase_options();
        options.method = METHODS[m];
        RbBroadphase *bp = rb_broadphase(&f.arena, options);
        Vec3 r[200], v[200];
        for (int i = 0; i < 200; i++) {
            r[i] = random_point(&rng, 2);
            v[i] = random_point(&rng, 1);
            rb_broadphase_add(bp, ball(r[i], 0.3), rb_pair_filter());
        }
        size_t calls = 0;
        for (int step = 0; step < 400; step++) {
            if (step == 100) calls = f.heap.calls;
            for (int i = 0; i < 200; i++) { // back and forth, so that the number of pairs recurs
                Vec3 at = v3_axpy(r[i], 0.2 * sin(0.1 * step), v[i]);
                rb_broadphase_move(bp, i, ball(at, 0.3));
            }
            ENSURE(rb_broadphase_pairs(bp).count > 0);
            ENSURE(rb_broadphase_gap(bp).distance > 0);
            overlap_list(bp, ball(r[0], 1), UINT32_MAX);
        }
        assert_int_equal(f.heap.calls, calls);
        fixture_close(&f);
    }
}

typedef struct Rescue {
    RbHeap *heap;
    RbArena arena;
    RbBroadphase *bp;
    int added;
} Rescue;

static RbStatus add_and_ask(void *argument) {
    Rescue *r = argument;
    if (!r->arena.chunk) r->arena = rb_arena(r->heap);
    if (!r->bp) r->bp = rb_broadphase(&r->arena, rb_broadphase_options());
    while (r->added < 120) {
        double x = r->added % 12, y = r->added / 12; // NOLINT(bugprone-integer-division)
        rb_broadphase_add(r->bp, ball(v3(x, y, 0), 0.51), rb_pair_filter());
        r->added++;
    }
    rb_broadphase_set_pair(r->bp, 0, 1, false);
    rb_broadphase_pairs(r->bp);
    overlap_list(r->bp, ball(V3_ZERO, 3), UINT32_MAX);
    return RB_OK;
}

// Fail each allocation in turn, then go on with the same broad phase: 12 x 10 balls that touch
// their neighbours have 11 x 10 + 12 x 9 straight and 2 x 11 x 9 diagonal pairs of boxes; one is
// switched off.
static void a_failed_allocation_can_be_tried_again(void **state) {
    (void)state;
    bool complete = false;
    for (long n = 0; !complete; n++) {
        FailingAllocator failing = {n};
        RbHeap heap = rb_heap(&(RbAllocator){failing_resize, &failing});
        Rescue r = {.heap = &heap};
        complete = rb_protect(&heap, add_and_ask, &r) == RB_OK;
        failing.countdown = 1000;
        ENSURE(rb_protect(&heap, add_and_ask, &r) == RB_OK);
        assert_int_equal(rb_broadphase_pairs(r.bp).count, 110 + 108 + 198 - 1);
        rb_arena_free(&r.arena);
        ENSURE(heap.bytes == 0);
    }
}

static double count_visits(void *user, int id, double distance) {
    (void)id;
    ((int *)user)[0]++;
    return distance;
}

static double count_pair_visits(void *user, int a, int b, double distance) {
    (void)a;
    return count_visits(user, b, distance);
}

// 4096 separate balls on a jittered grid: searches look at a few of them only.
static void searches_visit_few(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(3);
    RbBroadphase *bp = rb_broadphase(&f.arena, rb_broadphase_options());
    for (int i = 0; i < 4096; i++) {
        Vec3 r = v3(i % 16, i / 16 % 16, i / 256);
        rb_broadphase_add(bp, ball(v3_add(r, random_point(&rng, 0.1)), 0.3), rb_pair_filter());
    }
    int visits = 0;
    rb_broadphase_near(bp, ball(v3(7.5, 7.5, 7.5), 0), INFINITY, UINT32_MAX, count_visits, &visits);
    ENSURE(visits > 0 && visits < 20);
    visits = 0;
    rb_broadphase_ray(bp, v3(-5, 7.5, 7.5), v3(1, 0.01, 0.02), INFINITY, UINT32_MAX, count_visits,
                      &visits);
    ENSURE(visits < 20);
    visits = 0;
    RbBoxGap gap = rb_broadphase_gap(bp);
    rb_broadphase_near_pairs(bp, nextafter(gap.distance, 1), count_pair_visits, &visits);
    assert_int_equal(visits, 1);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_methods_agree_with_all_pairs),
        cmocka_unit_test(an_empty_broad_phase_answers),
        cmocka_unit_test(the_margin_is_half_a_percent_of_the_longest_edge),
        cmocka_unit_test(moving_and_asking_does_not_allocate),
        cmocka_unit_test(a_failed_allocation_can_be_tried_again),
        cmocka_unit_test(searches_visit_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Broad phase: 10^3 .. 10^5 balls in a settled pile (dense packing, slightly out of order, numbered
// at random), CPU time per ball and update. `steady`: all balls move inside their loose boxes. `1
// %`, `10 %`, `all`: so many leave theirs. `scratch`: add all balls, then the first list of pairs.
// `gap`: the smallest distance of all pairs that do not overlap, after nothing moved (kept), after
// 1 % did, and for the first time.
#include <stdio.h>
#include <time.h>

#include "collide/broadphase.h"
#include "math/rng.h"

static const double RADIUS = 0.01; // [m]

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static RbAabb ball(Vec3 r) {
    return (RbAabb){v3(r.x - RADIUS, r.y - RADIUS, r.z - RADIUS),
                    v3(r.x + RADIUS, r.y + RADIUS, r.z + RADIUS)};
}

static Vec3 jitter(RbRng *rng, double size) {
    double x = rb_rng_range(rng, -size, size), y = rb_rng_range(rng, -size, size);
    return v3(x, y, rb_rng_range(rng, -size, size));
}

// Layers of the face-centred cubic packing, 3 % looser than touching, disturbed by 3 %.
static void make_pile(Vec3 *r, int count, RbRng *rng) {
    int side = (int)ceil(cbrt(count));
    double d = 2.06 * RADIUS;
    for (int i = 0; i < count; i++) {
        int x = i % side, y = i / side % side, z = i / side / side;
        Vec3 at =
            v3(x + 0.5 * ((y + z) % 2), y * sqrt(0.75) + z % 2 * sqrt(1.0 / 12), z * sqrt(2.0 / 3));
        r[i] = v3_add(v3_scale(d, at), jitter(rng, 0.06 * RADIUS));
    }
    for (int i = count - 1; i > 0; i--) {
        int k = rb_rng_int(rng, i + 1);
        Vec3 swap = r[i];
        r[i] = r[k];
        r[k] = swap;
    }
}

typedef struct Pile {
    RbArena arena;
    RbBroadphase *bp;
    Vec3 *r;
    int count;
    RbRng rng;
} Pile;

static double build(Pile *p, RbBroadphaseMethod method) {
    RbBroadphaseOptions options = rb_broadphase_options();
    options.method = method;
    double start = now();
    p->bp = rb_broadphase(&p->arena, options);
    for (int i = 0; i < p->count; i++) rb_broadphase_add(p->bp, ball(p->r[i]), rb_pair_filter());
    rb_broadphase_pairs(p->bp);
    return (now() - start) / p->count;
}

// One in `every` balls (0: none) leaves its loose box, all others stay in theirs.
static void move(Pile *p, int every) {
    for (int i = 0; i < p->count; i++) {
        bool far = every > 0 && rb_rng_int(&p->rng, every) == 0;
        Vec3 at = p->r[i];
        if (far) p->r[i] = at = v3_axpy(at, 0.03 * RADIUS, rb_rng_direction(&p->rng));
        rb_broadphase_move(p->bp, i, ball(at));
    }
}

static double time_updates(Pile *p, int every) {
    int rounds = every == 0 ? 2000000 / p->count : 500000 / p->count;
    double sum = 0;
    for (int k = 0; k < rounds; k++) {
        double start = now();
        move(p, every);
        rb_broadphase_pairs(p->bp);
        sum += now() - start;
    }
    return sum / rounds / p->count;
}

static double time_gap(Pile *p, int every) {
    int rounds = 10;
    double sum = 0;
    for (int k = 0; k < rounds; k++) {
        move(p, every);
        rb_broadphase_pairs(p->bp);
        double start = now();
        rb_broadphase_gap(p->bp);
        sum += now() - start;
    }
    return sum / rounds / p->count;
}

static void run(RbBroadphaseMethod method, const char *name, int count) {
    RbHeap heap = rb_heap(NULL);
    Pile p = {.arena = rb_arena(&heap), .count = count, .rng = rb_rng(42)};
    p.r = rb_new_array(&p.arena, Vec3, count);
    make_pile(p.r, count, &p.rng);
    double scratch = build(&p, method);
    double gap_first = time_gap(&p, 0);
    double steady = time_updates(&p, 0), one = time_updates(&p, 100), ten = time_updates(&p, 10),
           all = time_updates(&p, 1);
    double gap_steady = time_gap(&p, 0), gap_one = time_gap(&p, 100);
    int pairs = rb_broadphase_pairs(p.bp).count;
    printf("%-7s %7d %9.2f %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %6.0f\n", name, count,
           (double)pairs / count, 1e6 * scratch, 1e6 * steady, 1e6 * one, 1e6 * ten, 1e6 * all,
           1e6 * gap_steady, 1e6 * gap_one, 1e7 * gap_first, (double)heap.peak / count);
    rb_arena_free(&p.arena);
}

int main(void) {
    printf("CPU time in us per ball; memory in bytes per ball\n");
    printf("%-7s %7s %9s %8s %8s %8s %8s %8s %8s %8s %8s %6s\n", "method", "balls", "pairs",
           "scratch", "steady", "1 %", "10 %", "all", "gap", "gap 1 %", "gap new", "bytes");
    for (int count = 1000; count <= 100000; count *= 10) {
        run(RB_BROADPHASE_AUTO, "auto", count);
        run(RB_BROADPHASE_TREE, "tree", count);
        run(RB_BROADPHASE_MORTON, "morton", count);
    }
    return 0;
}

// SPDX-License-Identifier: MIT
// Time of one distance query per pair of shapes: cold, warm (the body moved by 1e-5 of its size
// since the last query) and deep. Shapes of about 0.5 m, smoothing radius 1 mm, random poses; CPU
// time, best of five rounds. Peers from Debian are timed in the same run if they were found
// (bench/peers); they are given the same poses and the shapes with their smoothing.
//     bench_narrow_phase [poses]
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/diag.h"
#include "collide/distance.h"
#include "collide/mpr.h"
#include "geom/hull.h"
#include "math/rng.h"
#ifdef RB_HAVE_PEERS
#include "../peers/peers.h"
#endif

enum { ROUNDS = 5 };

typedef struct Pair {
    const char *name;
    RbCore a, b;
    double depth; // [m] how deep "shallow" goes
} Pair;

typedef struct Poses {
    int count;
    Pose *at, *moved;
} Poses;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// --- shapes
// -------------------------------------------------------------------------------------------------------------

static const double smoothing = 1e-3; // [m]

static RbCore core(RbCoreKind kind, double x, double y, double z, double radius, double size) {
    return (RbCore){
        .kind = kind, .h = {x, y, z}, .radius = radius, .size = size, .frame = POSE_IDENTITY};
}

static RbCore box(void) {
    return core(RB_CORE_BOX, 0.25 - smoothing, 0.2 - smoothing, 0.15 - smoothing, smoothing, 0.5);
}
static RbCore cylinder(void) {
    return core(RB_CORE_CYLINDER, 0.2 - smoothing, 0.2 - smoothing, 0.25 - smoothing, smoothing,
                0.5);
}
static RbCore ellipsoid(void) {
    return core(RB_CORE_ELLIPSOID, 0.25, 0.2, 0.15, 0, 0.5);
}
static RbCore sphere(void) {
    return core(RB_CORE_POINT, 0, 0, 0, 0.25, 0.5);
}
static RbCore capsule(void) {
    return core(RB_CORE_SEGMENT, 0, 0, 0.15, 0.1, 0.5);
}
static RbCore cone(void) {
    return core(RB_CORE_FRUSTUM, 0.2, 0, 0.25, smoothing, 0.5);
}
static RbCore beam(void) {
    return core(RB_CORE_BEAM, 0.15, 0.1, 0.1, smoothing, 0.5);
}
static RbCore floor_(void) {
    return core(RB_CORE_HALFSPACE, 0, 0, 0, 0, INFINITY);
}

typedef struct HullRequest {
    RbHeap heap;
    RbArena keep, scratch;
    int count;
    RbCore out;
} HullRequest;

static RbStatus build_hull(void *argument) {
    HullRequest *r = argument;
    r->keep = rb_arena(&r->heap);
    r->scratch = rb_arena(&r->heap);
    RbDiag diag = rb_diag(&r->keep);
    RbRng rng = rb_rng(3);
    Vec3 points[64];
    for (int i = 0; i < r->count; i++) points[i] = v3_scale(0.25, rb_rng_direction(&rng));
    RB_TRY(rb_hull(points, r->count, "hull", (RbPos){0}, &r->keep, r->scratch, &diag, &r->out));
    r->out.radius = smoothing;
    return RB_OK;
}

// --- poses
// --------------------------------------------------------------------------------------------------------------

// Random orientation; along a random direction at the wanted distance.
static Pose pose_at(const RbCore *a, const RbCore *b, double wanted, RbRng *rng) {
    Vec3 direction = rb_rng_direction(rng);
    Pose X = pose(V3_ZERO, rb_rng_orientation(rng));
    double low = -1, high = 2;
    RbGap gap;
    for (int i = 0; i < 50; i++) {
        double t = 0.5 * (low + high);
        X.r = v3_scale(t, a->kind == RB_CORE_HALFSPACE ? v3(0, 0, 1) : direction);
        rb_distance(a, b, X, NULL, &gap);
        if (gap.distance < wanted)
            low = t;
        else
            high = t;
    }
    return X;
}

static Poses make_poses(const Pair *p, int count, double depth, bool separated) {
    RbRng rng = rb_rng(1);
    Poses q = {count, malloc((size_t)count * sizeof(Pose)), malloc((size_t)count * sizeof(Pose))};
    for (int i = 0; i < count; i++) {
        double wanted = separated && i % 2 ? 0.05 * rb_rng_unit(&rng) : -depth * rb_rng_unit(&rng);
        q.at[i] = q.moved[i] = pose_at(&p->a, &p->b, wanted, &rng);
        q.moved[i].r = v3_axpy(q.at[i].r, 5e-6, rb_rng_direction(&rng));
    }
    return q;
}

// --- timing
// -------------------------------------------------------------------------------------------------------------

static volatile double sink;

typedef double (*Run)(const Pair *p, const Poses *q, RbPairMemory *memory, int round);

static double run_cold(const Pair *p, const Poses *q, RbPairMemory *memory, int round) {
    (void)memory, (void)round;
    double sum = 0;
    RbGap gap;
    for (int i = 0; i < q->count; i++) {
        rb_distance(&p->a, &p->b, q->at[i], NULL, &gap);
        sum += gap.distance;
    }
    return sum;
}

static double run_warm(const Pair *p, const Poses *q, RbPairMemory *memory, int round) {
    double sum = 0;
    RbGap gap;
    for (int i = 0; i < q->count; i++) {
        rb_distance(&p->a, &p->b, round % 2 ? q->at[i] : q->moved[i], &memory[i], &gap);
        sum += gap.distance;
    }
    return sum;
}

static double run_region(const Pair *p, const Poses *q, RbPairMemory *memory, int round) {
    double sum = 0;
    RbGap gap;
    RbContactRegion region;
    double reach = rb_region_reach(&p->a, &p->b);
    for (int i = 0; i < q->count; i++) {
        rb_distance(&p->a, &p->b, round % 2 ? q->at[i] : q->moved[i], &memory[i], &gap);
        rb_contact_region(&p->a, &p->b, q->at[i], &gap, reach, &region);
        sum += region.point.x;
    }
    return sum;
}

static double run_mpr(const Pair *p, const Poses *q, RbPairMemory *memory, int round) {
    (void)memory, (void)round;
    double sum = 0;
    RbGap gap;
    for (int i = 0; i < q->count; i++) {
        rb_distance_by(RB_DISTANCE_MPR, &p->a, &p->b, q->at[i], NULL, &gap);
        sum += gap.distance;
    }
    return sum;
}

// [us] per query
static double measure(Run run, const Pair *p, const Poses *q) {
    RbPairMemory *memory = calloc((size_t)q->count, sizeof(RbPairMemory));
    double best = INFINITY;
    run(p, q, memory, 0);
    for (int round = 1; round <= ROUNDS; round++) {
        double start = seconds();
        sink = run(p, q, memory, round);
        best = fmin(best, (seconds() - start) / q->count * 1e6);
    }
    free(memory);
    return best;
}

// --- peers
// --------------------------------------------------------------------------------------------------------------

#ifdef RB_HAVE_PEERS

enum { TRIANGLES_MAX = 128 };

typedef struct PeerHull {
    double points[64][3];
    int triangles[3 * TRIANGLES_MAX];
} PeerHull;

// Peers know no smoothing: they get the shape with sharp edges.
static PeerShape peer_shape(const RbCore *c, PeerHull *hull) {
    double r = c->radius;
    Vec3 h = c->h;
    switch (c->kind) {
        case RB_CORE_POINT: return (PeerShape){.kind = PEER_SPHERE, .size = {r}};
        case RB_CORE_SEGMENT: return (PeerShape){.kind = PEER_CAPSULE, .size = {r, h.z}};
        case RB_CORE_BOX: return (PeerShape){.kind = PEER_BOX, .size = {h.x + r, h.y + r, h.z + r}};
        case RB_CORE_CYLINDER:
            return (PeerShape){.kind = PEER_CYLINDER, .size = {h.x + r, h.z + r}};
        case RB_CORE_ELLIPSOID: return (PeerShape){.kind = PEER_ELLIPSOID, .size = {h.x, h.y, h.z}};
        case RB_CORE_POLYTOPE: break;
        default: return (PeerShape){.kind = PEER_NONE};
    }
    const RbPolytope *t = c->polytope;
    PeerShape s = {.kind = PEER_HULL,
                   .points = (const double(*)[3])hull->points,
                   .point_count = t->vertex_count,
                   .triangles = hull->triangles};
    for (int i = 0; i < t->vertex_count; i++)
        v3_store(hull->points[i], pose_point(c->frame, t->vertices[i]));
    for (int f = 0; f < t->face_count; f++) {
        for (int k = t->face_start[f] + 1;
             k + 1 < t->face_start[f + 1] && s.triangle_count < TRIANGLES_MAX; k++) {
            int *v = &hull->triangles[3 * s.triangle_count++];
            v[0] = t->face_vertices[t->face_start[f]], v[1] = t->face_vertices[k],
            v[2] = t->face_vertices[k + 1];
        }
    }
    return s;
}

static void time_peers(const Pair *p, const Poses *q) {
    PeerHull hulls[2];
    RbCore sharp_a = p->a,
           sharp_b = p->b; // what the peers see, for the expected distance: hulls are not grown
    if (sharp_a.kind == RB_CORE_POLYTOPE) sharp_a.radius = 0;
    if (sharp_b.kind == RB_CORE_POLYTOPE) sharp_b.radius = 0;
    PeerShape a = peer_shape(&p->a, &hulls[0]), b = peer_shape(&p->b, &hulls[1]);
    RbCore *sharp[2] = {&sharp_a, &sharp_b};
    for (int i = 0; i < 2; i++) {
        RbCore *c = sharp[i];
        if (c->kind != RB_CORE_BOX && c->kind != RB_CORE_CYLINDER) continue;
        c->h = v3_add(c->h, v3(c->radius, c->radius, c->radius));
        c->radius = 0;
    }
    PeerPose *poses = malloc((size_t)q->count * sizeof *poses);
    double *expected = malloc((size_t)q->count * sizeof *expected);
    for (int i = 0; i < q->count; i++) {
        RbGap gap;
        rb_distance(&sharp_a, &sharp_b, q->at[i], NULL, &gap);
        expected[i] = gap.distance;
        v3_store(poses[i].r, q->at[i].r);
        v3_store(poses[i].R[0], q->at[i].R.x), v3_store(poses[i].R[1], q->at[i].R.y),
            v3_store(poses[i].R[2], q->at[i].R.z);
    }
    for (Peer peer = 0; peer < PEER_COUNT; peer++) {
        PeerResult r = peer_time(peer, &a, &b, poses, expected, q->count);
        if (r.microseconds < 0)
            printf(" %9s %7s", "-", "");
        else
            printf(" %9.3f %7.0e", r.microseconds, r.error);
    }
    free(poses), free(expected);
}

#endif

static void report(Pair *p, int count) {
    Poses shallow = make_poses(p, count, p->depth, true), deep = make_poses(p, count, 0.05, false);
    printf("%-20s %8.3f %8.3f %8.3f %8.3f", p->name, measure(run_cold, p, &shallow),
           measure(run_warm, p, &shallow), measure(run_cold, p, &deep),
           measure(run_region, p, &shallow));
    if (p->a.kind == RB_CORE_HALFSPACE)
        printf(" %8s", "-");
    else
        printf(" %8.3f", measure(run_mpr, p, &shallow));
#ifdef RB_HAVE_PEERS
    printf(" |");
    time_peers(p, &shallow);
    printf(" |");
    time_peers(p, &deep);
#endif
    printf("\n");
    free(shallow.at), free(shallow.moved), free(deep.at), free(deep.moved);
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 1000;
    HullRequest r32 = {.heap = rb_heap(NULL), .count = 32},
                r64 = {.heap = rb_heap(NULL), .count = 64};
    if (rb_protect(&r32.heap, build_hull, &r32) != RB_OK ||
        rb_protect(&r64.heap, build_hull, &r64) != RB_OK)
        return 1;
    double two = 2 * smoothing;
    Pair pairs[] = {
        {"sphere-sphere", sphere(), sphere(), two},
        {"sphere-capsule", capsule(), sphere(), two},
        {"sphere-box", box(), sphere(), two},
        {"sphere-cylinder", cylinder(), sphere(), two},
        {"sphere-cone", cone(), sphere(), two},
        {"sphere-ellipsoid", ellipsoid(), sphere(), two},
        {"capsule-capsule", capsule(), capsule(), two},
        {"half-space-box", floor_(), box(), two},
        {"capsule-box", box(), capsule(), two},
        {"box-box", box(), box(), two},
        {"cylinder-box", cylinder(), box(), two},
        {"cylinder-cylinder", cylinder(), cylinder(), two},
        {"cone-box", cone(), box(), two},
        {"beam-box", beam(), box(), two},
        {"ellipsoid-ellipsoid", ellipsoid(), ellipsoid(), two},
        {"ellipsoid-box", ellipsoid(), box(), two},
        {"hull32-hull32", r32.out, r32.out, two},
        {"hull64-hull64", r64.out, r64.out, two},
        {"hull64-cylinder", r64.out, cylinder(), two},
    };
    printf("microseconds per query; shallow: within the smoothing radii or up to 5 cm apart; deep: "
           "up to 5 cm\n");
    printf("%-20s %8s %8s %8s %8s %8s", "", "cold", "warm", "deep", "region", "mpr");
#ifdef RB_HAVE_PEERS
    for (int k = 0; k < 2; k++) {
        printf(" | %8s %7s %9s %7s %9s %7s", k ? "deep FCL" : "FCL", "error", "Bullet", "error",
               "libccd", "error");
    }
#endif
    printf("\n");
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) report(&pairs[i], count);
    rb_arena_free(&r32.scratch), rb_arena_free(&r32.keep), rb_arena_free(&r64.scratch),
        rb_arena_free(&r64.keep);
    return 0;
}

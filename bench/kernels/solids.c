// SPDX-License-Identifier: MIT
// Solids: the Geneva wheel of 18 differences; volume of the overlap and distance of two bumpy balls that
// touch in about 40 triangles, whatever their number. CPU time, best of five rounds.
#include <stdio.h>
#include <time.h>

#include "base/diag.h"
#include "collide/mesh_distance.h"
#include "collide/mesh_overlap.h"
#include "geom/csg.h"
#include "geom/mesh_make.h"

#define PI 3.141592653589793

enum { ROUNDS = 5 };

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Bench {
    RbHeap heap;
    RbArena arena, scratch;
    RbDiag diag;
} Bench;

// Seed 002, sections 2.4 and 8.2.1, with `segments` per circle.
static RbMesh geneva(Bench *b, int n, int segments) {
    double distance = 1 / cos(PI / n), crank = sqrt(distance * distance - 1), height = 0.2;
    double length = 1 + crank - distance, width = 0.11, stop = crank - 0.15;
    Mat3 upright = rb_clean_rotation(v3(PI / 2, 0, 0));
    RbMesh mesh = rb_mesh_cone(1, 1, height, segments, &b->arena), tool[3];
    mesh = rb_mesh_map(&mesh, upright, V3_ZERO, &b->arena);
    for (int i = 1; i <= n; i++) {
        RbMesh box = rb_mesh_box(v3(length, height, width), &b->arena),
               end = rb_mesh_cone(width / 2, width / 2, height, segments, &b->arena),
               arc = rb_mesh_cone(stop, stop, height, segments, &b->arena);
        tool[0] = rb_mesh_map(&box, M3_IDENTITY, v3(1 - length, -height, -width / 2), &b->arena);
        tool[1] = rb_mesh_map(&end, upright, v3(1 - length, 0, 0), &b->arena);
        tool[2] = rb_mesh_map(&arc, upright, v3(distance, 0, 0), &b->arena);
        for (int k = 0; k < 3; k++) {
            Mat3 turn = rb_clean_rotation(v3(0, 2 * PI / n * (k < 2 ? 0.5 + i : i), 0));
            RbMesh placed = rb_mesh_map(&tool[k], turn, V3_ZERO, &b->arena);
            if (rb_csg(RB_CSG_DIFFERENCE, &mesh, "wheel", &placed, "tool", RB_NOWHERE, &b->arena,
                       b->scratch, &b->diag, &mesh) != RB_OK) {
                printf("  failed: %s\n", b->diag.messages.data[0].text);
            }
        }
    }
    return rb_mesh_simplify(&mesh, 1e-12, &b->arena, b->scratch);
}

static void bench_geneva(Bench *b) {
    double first = seconds();
    geneva(b, 6, 48);
    printf("Geneva wheel, 6 slots, 48 segments: %.2f ms for the first one, with memory from the "
           "system\n",
           1e3 * (seconds() - first));
    for (int segments = 24; segments <= 96; segments *= 2) {
        double best = INFINITY;
        int count = 0;
        for (int r = 0; r < ROUNDS; r++) {
            double start = seconds();
            count = geneva(b, 6, segments).triangle_count;
            best = fmin(best, seconds() - start);
        }
        printf("Geneva wheel, 6 slots, %d segments: %.2f ms, %d triangles\n", segments, 1e3 * best,
               count);
    }
}

static RbSkin bumpy_ball(Bench *b, int segments) {
    RbMesh m = rb_mesh_sphere(1, segments, &b->arena);
    Vec3 *x = rb_new_array(&b->arena, Vec3, m.vertex_count);
    for (int i = 0; i < m.vertex_count; i++) {
        Vec3 p = m.vertices[i];
        x[i] = v3_scale(1 + 0.02 * sin(7 * p.x) * cos(5 * p.y + 3 * p.z), p);
    }
    m.vertices = x;
    RbSkin skin;
    RbMesh *kept = rb_new(&b->arena, RbMesh);
    *kept = m;
    if (rb_skin(kept, "ball", RB_NOWHERE, &b->arena, b->scratch, &b->diag, &skin) != RB_OK)
        printf("bad\n");
    return skin;
}

static void bench_balls(Bench *b, int segments) {
    enum { POSES = 200 };
    RbSkin ball = bumpy_ball(b, segments);
    RbMeshOverlap o;
    rb_mesh_overlap_open(&o, &ball, &ball, &b->arena);
    double h = 2 * PI / segments, touched = 0, tests = 0, gap_tests = 0;
    Pose poses[POSES];
    for (int i = 0; i < POSES; i++) { // slides and rolls by 1e-6 of its radius per evaluation
        double phi = 0.3 + 1e-6 * i;
        Quat q = {1, 0.3 + 1e-6 * i, 0.2, 0.1};
        poses[i] = pose(v3(2.1 * cos(phi), 2.1 * sin(phi), 0.1), q_unit(q));
        RbMeshGap g = rb_mesh_distance(&ball, &ball, poses[i], INFINITY, NULL);
        Vec3 n = v3_unit(v3_sub(g.point_b, g.point_a));
        poses[i].r = v3_axpy(poses[i].r, -g.distance - 2.2 * h * h, n);
    }
    double overlap = INFINITY, cold = INFINITY, warm = INFINITY;
    for (int r = 0; r < ROUNDS; r++) {
        double start = seconds();
        touched = tests = 0;
        for (int i = 0; i < POSES; i++) {
            rb_mesh_overlap(&o, poses[i]);
            touched += o.polygons.count;
            tests += (double)o.cut.tests;
        }
        overlap = fmin(overlap, seconds() - start);
        for (int w = 0; w < 2; w++) {
            RbMeshMemory memory = {0};
            gap_tests = 0;
            start = seconds();
            for (int i = 0; i < POSES; i++) {
                Pose X = poses[i];
                X.r = v3_axpy(X.r, 3 * h * h / 2.1, X.r);
                gap_tests +=
                    (double)rb_mesh_distance(&ball, &ball, X, INFINITY, w ? &memory : NULL).tests;
            }
            double *to = w ? &warm : &cold;
            *to = fmin(*to, seconds() - start);
        }
    }
    printf("%7d triangles: overlap %.1f us (%.0f polygons, %.0f pairs tested), distance cold %.1f "
           "us, warm "
           "%.1f us (%.0f pairs)\n",
           ball.mesh.triangle_count, 1e6 * overlap / POSES, touched / POSES, tests / POSES,
           1e6 * cold / POSES, 1e6 * warm / POSES, gap_tests / POSES);
}

int main(void) {
    Bench b = {.heap = rb_heap(NULL)};
    b.arena = rb_arena(&b.heap);
    b.scratch = rb_arena(&b.heap);
    b.diag = rb_diag(&b.arena);
    bench_geneva(&b);
    bench_balls(&b, 32);
    bench_balls(&b, 100);
    bench_balls(&b, 316);
    rb_arena_free(&b.scratch);
    rb_arena_free(&b.arena);
    return 0;
}

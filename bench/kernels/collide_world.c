// SPDX-License-Identifier: MIT
// A world of rounded boxes and balls, as a user of rattleback/collide.h has it: CPU time of its
// questions.
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "math/rng.h"
#include "rattleback/collide.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Scene {
    RbCollideWorld *world;
    RbRng rng;
    int count, side;
    RbCollider *ids;
    double (*position)[3], (*rotation)[4];
} Scene;

// Bodies of about 1 m on a disturbed grid of 1 m: many touch, turned at random.
static void fill(Scene *s) {
    RbCollideShape shapes[2];
    rb_collide_box(s->world, (double[]){0.72, 0.66, 0.6}, 0.01, &shapes[0]);
    rb_collide_sphere(s->world, 0.88, &shapes[1]);
    s->side = (int)ceil(cbrt(s->count));
    for (int i = 0; i < s->count; i++) {
        int cell[3] = {i % s->side, i / s->side % s->side, i / s->side / s->side};
        for (int k = 0; k < 3; k++) s->position[i][k] = cell[k] + rb_rng_range(&s->rng, -0.1, 0.1);
        q_store(s->rotation[i], rb_rng_orientation(&s->rng));
        rb_collide_add(s->world, shapes[i % 2], s->position[i], s->rotation[i], &s->ids[i]);
        double v[3], w[3];
        v3_store(v, rb_rng_direction(&s->rng));
        v3_store(w, rb_rng_direction(&s->rng));
        rb_collide_set_velocity(s->world, s->ids[i], v, w);
    }
}

static void time_contacts(Scene *s) {
    const RbCollideContact *contacts;
    int count = 0, rounds = 200000 / s->count;
    double start = now();
    rb_collide_contacts(s->world, 0, &contacts, &count);
    double first = now() - start, sum = 0;
    for (int k = 0; k < rounds; k++) {
        for (int i = 0; i < s->count; i++) { // all move a little
            s->position[i][0] += k % 2 ? 1e-5 : -1e-5;
            rb_collide_place(s->world, s->ids[i], s->position[i], s->rotation[i]);
        }
        start = now();
        rb_collide_contacts(s->world, 0, &contacts, &count);
        sum += now() - start;
    }
    printf("%7d %9d %12.2f %12.2f", s->count, count, 1e6 * first / s->count,
           1e6 * sum / rounds / s->count);
}

static void time_rays(Scene *s) {
    int rays = 20000;
    double start = now();
    for (int i = 0; i < rays; i++) {
        double o[3], d[3];
        for (int k = 0; k < 3; k++) o[k] = rb_rng_range(&s->rng, 0, s->side);
        v3_store(d, rb_rng_direction(&s->rng));
        o[2] = s->side + 1;
        d[2] = -fabs(d[2]);
        RbCollideHit hit;
        rb_collide_ray(s->world, o, d, INFINITY, ~0u, &hit);
    }
    printf(" %12.2f", 1e6 * (now() - start) / rays);
}

static void time_sweeps(Scene *s) {
    RbCollideSweep sweep;
    int pairs = 20000;
    double start = now();
    for (int i = 0; i < pairs; i++) {
        RbCollider a = s->ids[rb_rng_int(&s->rng, s->count)],
                   b = s->ids[rb_rng_int(&s->rng, s->count)];
        if (a.index == b.index) continue;
        rb_collide_sweep_pair(s->world, a, b, 10, &sweep);
    }
    printf(" %12.2f", 1e6 * (now() - start) / pairs);
}

static void time_minimum(Scene *s) {
    RbCollideContact least;
    rb_collide_minimum(s->world, &least);
    double start = now();
    rb_collide_minimum(s->world, &least);
    printf(" %12.2f\n", 1e6 * (now() - start) / s->count);
}

int main(void) {
    printf("CPU time in us: contacts and minimum per body, rays and sweeps each\n");
    printf("%7s %9s %12s %12s %12s %12s %12s\n", "bodies", "contacts", "first", "again", "ray",
           "sweep", "minimum");
    static RbCollider ids[10000];
    static double position[10000][3], rotation[10000][4];
    for (int count = 100; count <= 10000; count *= 10) {
        Scene s = {.rng = rb_rng(9),
                   .count = count,
                   .ids = ids,
                   .position = position,
                   .rotation = rotation};
        if (rb_collide_create(NULL, &s.world) != RB_OK) return 1;
        fill(&s);
        time_contacts(&s);
        time_rays(&s);
        time_sweeps(&s);
        time_minimum(&s);
        rb_collide_free(s.world);
    }
    return 0;
}

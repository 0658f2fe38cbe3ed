// SPDX-License-Identifier: MIT
// The break of 16 billiard balls here and in Simbody (Hunt-Crossley contact, error control).
//   bench_simbody [seconds [accuracy]]
// Claim: at least 20 times faster. Same balls, table, gravity, stiffness, damping and friction.
// What Simbody has not is left out on both sides: rolling resistance. Its cushions are half spaces
// through the edge that a rolling ball touches, square to the line from there to the centre, so
// that balls bounce as off the boxes; the damping of its contacts does not depend on the impact, so
// that of the cushions (restitution 0.98) is the one for 1 m/s.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"
#include "sim/sim.h"
#ifdef RB_HAVE_SIMBODY
#include "../peers/simbody.h"
#else
enum { PEER_MAX_BALLS = 16 };
#endif

typedef struct Ours {
    double stop_time, tolerance;
    RbSummary summary;
    Vec3 r[PEER_MAX_BALLS];
} Ours;

typedef struct Call {
    RbHeap *heap;
    Ours *run;
    RbSim *sim;
    RbArena *arena;
    RbDiag *diag;
} Call;

static void no_rolling_resistance(RbScene *s) {
    for (int i = 0; i < s->materials.pairs.count; i++) s->materials.pairs.data[i].law.mu_r = 0;
}

static RbStatus go(void *argument) {
    Call *c = argument;
    *c->arena = rb_arena(c->heap);
    *c->diag = rb_diag(c->arena);
    RbModel *model;
    RbScene *scene;
    RB_TRY(rb_scene_case_model(rb_scene_case("billiards"), c->arena, c->diag, &model, &scene));
    no_rolling_resistance(scene);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = c->run->stop_time;
    options.tolerance = c->run->tolerance;
    options.solver = "islands";
    options.output_interval = 0;
    *c->sim = (RbSim){.model = model, .options = options, .heap = c->heap, .diag = c->diag};
    RB_TRY(rb_sim_run(c->sim));
    c->run->summary = c->sim->summary;
    for (int i = 0; i < PEER_MAX_BALLS; i++) // seven coordinates each
        c->run->r[i] = v3_load(rb_sim_stage(c->sim)->now.x + 7 * i);
    return RB_OK;
}

static void run(Ours *r) {
    RbHeap heap = rb_heap(NULL);
    RbArena arena = {0};
    RbDiag diag = {0};
    RbSim sim = {0};
    if (rb_protect(&heap, go, &(Call){&heap, r, &sim, &arena, &diag}) != RB_OK) {
        printf("failed: %s\n", diag.messages.count ? diag.messages.data[0].text : "no memory");
        exit(1);
    }
    rb_sim_free(&sim);
    rb_arena_free(&arena);
}

// Median CPU time of three.
static double measure(Ours *r) {
    double t[3];
    for (int k = 0; k < 3; k++) {
        run(r);
        t[k] = r->summary.cpu_time;
    }
    return fmax(fmin(t[0], t[1]), fmin(fmax(t[0], t[1]), t[2]));
}

static double farthest(const Vec3 *a, const Vec3 *b) {
    double far = 0;
    for (int i = 0; i < PEER_MAX_BALLS; i++) far = fmax(far, v3_distance(a[i], b[i]));
    return far;
}

#ifdef RB_HAVE_SIMBODY
static double modulus(const RbMaterials *m, const char *a, const char *b) {
    RbElastic e[2];
    for (int i = 0; i < m->solids.count; i++) {
        if (strcmp(m->solids.data[i].name, a) == 0) e[0] = m->solids.data[i].elastic;
        if (strcmp(m->solids.data[i].name, b) == 0) e[1] = m->solids.data[i].elastic;
    }
    return rb_contact_modulus(e[0], e[1]);
}

typedef struct Description {
    RbHeap *heap;
    RbArena *arena;
    RbDiag *diag;
    PeerBilliards *peer;
} Description;

// The same numbers, taken from our scene.
static RbStatus describe(void *argument) {
    Description *c = argument;
    *c->arena = rb_arena(c->heap);
    *c->diag = rb_diag(c->arena);
    RbModel *model;
    RbScene *scene;
    RB_TRY(rb_scene_case_model(rb_scene_case("billiards"), c->arena, c->diag, &model, &scene));
    PeerBilliards *p = c->peer;
    *p = (PeerBilliards){.radius = 0.03, .density = 1768, .friction = 0.8, .v_small = 0.01};
    p->gravity = 9.81;
    for (int i = 0; i < scene->objects.count; i++) {
        const RbObject *o = &scene->objects.data[i].object;
        if (!o->moves_freely) continue;
        v3_store(p->r[p->balls], o->pose.r);
        v3_store(p->v[p->balls++], o->velocity);
    }
    // The lower edge of a cushion is 0.042 m high, 0.4 radii above the centres.
    const double low = 0.4, in = sqrt(1 - low * low), x = 1.0825 - 0.0375, y = 0.5225 - 0.0375;
    const Vec3 edges[] = {{x, 0, 0.042}, {-x, 0, 0.042}, {0, y, 0.042}, {0, -y, 0.042}};
    for (int i = 0; i < 4; i++) {
        v3_store(p->plane_r[i], edges[i]);
        double sign = i % 2 ? 1 : -1;
        v3_store(p->plane_n[i], i < 2 ? v3(sign * in, 0, -low) : v3(0, sign * in, -low));
    }
    p->planes = 4;
    const RbMaterials *m = &scene->materials;
    p->ball_ball = (PeerContact){modulus(m, "BilliardBall", "BilliardBall"), 0};
    p->ball_table = (PeerContact){modulus(m, "BilliardBall", "BilliardTable"), 2000};
    p->ball_plane =
        (PeerContact){modulus(m, "BilliardBall", "BilliardCushion"), rb_restitution_damping(0.98)};
    return RB_OK;
}

static void compare(const Ours *ours, double cpu, const Ours *exact) {
    static PeerBilliards p;
    RbHeap heap = rb_heap(NULL);
    RbArena arena = {0};
    RbDiag diag = {0};
    if (rb_protect(&heap, describe, &(Description){&heap, &arena, &diag, &p}) != RB_OK) return;
    rb_arena_free(&arena);
    p.stop_time = ours->stop_time;
    p.accuracy = ours->tolerance;
    double best = INFINITY;
    for (int k = 0; k < PEER_INTEGRATORS; k++) {
        PeerRun r = peer_billiards(&p, (PeerIntegrator)k);
        Vec3 at[PEER_MAX_BALLS];
        for (int i = 0; i < PEER_MAX_BALLS; i++) at[i] = v3_load(r.r[i]);
        printf("Simbody, %-20s %9.3f CPU s %8ld steps, %8.1e m from ours, ratio %.0f\n",
               peer_integrator_name((PeerIntegrator)k), r.cpu, r.steps, farthest(at, exact->r),
               r.cpu / cpu);
        fflush(stdout);
        if (r.cpu > 0) best = fmin(best, r.cpu);
    }
    printf("Rattleback is %.0f times faster than the fastest of them.\n", best / cpu);
}
#endif

int main(int argc, char **argv) {
    double stop_time = argc > 1 ? atof(argv[1]) : 5, tolerance = argc > 2 ? atof(argv[2]) : 1e-7;
    static Ours exact, ours;
    exact = (Ours){.stop_time = stop_time, .tolerance = 1e-11};
    ours = (Ours){.stop_time = stop_time, .tolerance = tolerance};
    run(&exact);
    double cpu = measure(&ours);
    printf("16 balls, %g s, accuracy %g\n", stop_time, tolerance);
    printf("%-29s %9.3f CPU s %8ld steps, %8.1e m from a run at 1e-11\n", "Rattleback", cpu,
           ours.summary.steps, farthest(ours.r, exact.r));
#ifdef RB_HAVE_SIMBODY
    compare(&ours, cpu, &exact);
#else
    puts("Simbody is not installed (Debian: libsimbody-dev); nothing to compare with.");
#endif
    return 0;
}

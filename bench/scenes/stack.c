// SPDX-License-Identifier: MIT
// Ten steel cubes of 10 cm let go 1 mm apart, for 60 s: here, in Bullet and in MuJoCo, each with several settings.
//   bench_stack [seconds]
// Beside the time of each: how far a box has moved in the second half (drift), how far from the line on which
// they were let go (lean), and by how much two of them overlap (sunk). Where lean is beyond half a side the stack has
// fallen, and the other figures say nothing.
// Steel bounces with 0.7 here. Bullet is also run without bouncing, which stacks there are usually spared; MuJoCo has no
// such coefficient.
// Claim: at most 4 s at 1e-5, drift below 1e-9 m.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../peers/stack.h"
#include "rattleback/rattleback.h"

static PeerStack stack = {.boxes = 10,
                          .side = 0.1,
                          .gap = 1e-3,
                          .mass = 8,
                          .friction = 0.5,
                          .gravity = 9.81,
                          .stop_time = 60};

static void print(const char *name, const char *settings, const PeerStackRun *r) {
    if (r->cpu < 0) {
        printf("%-11s %-46s failed\n", name, settings);
        return;
    }
    double drift = 0, lean = 0, sunk = 0, below = 0;
    for (int i = 0; i < stack.boxes; i++) {
        const double *now = r->r[i], *then = r->at[i];
        double d[3] = {now[0] - then[0], now[1] - then[1], now[2] - then[2]};
        drift = fmax(drift, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        lean = fmax(lean, hypot(now[0], now[1]));
        double apart = now[2] - (i ? below : -0.5 * stack.side);
        sunk = fmax(sunk, stack.side - apart);
        below = now[2];
    }
    printf("%-11s %-46s %8.2f %9ld %10.1e %10.1e %10.1e\n", name, settings, r->cpu, r->steps, drift,
           lean, sunk);
    fflush(stdout);
}

static RbStatus look(RbRun *run, double (*r)[3]) {
    for (int i = 0; i < stack.boxes; i++) {
        char name[20];
        snprintf(name, sizeof name, "box%d", i + 1);
        RbObjectMotion motion;
        RbStatus status = rb_run_motion(run, rb_run_object(run, name), &motion);
        if (status != RB_OK) return status;
        for (int k = 0; k < 3; k++) r[i][k] = motion.position[k];
    }
    return RB_OK;
}

static RbStatus run_ours(RbContext *c, RbSimOptions options, RbModel *model, PeerStackRun *out) {
    RbRun *run;
    RbStatus status = rb_run_open(c, model, &options, &run);
    double start = peer_seconds();
    if (status == RB_OK) status = rb_run_step(run, RB_UNTIL_TIME, stack.look_time, NULL);
    if (status == RB_OK) status = look(run, out->at);
    if (status == RB_OK) status = rb_run_step(run, RB_UNTIL_TIME, stack.stop_time, NULL);
    if (status == RB_OK) status = look(run, out->r);
    out->cpu = status == RB_OK ? peer_seconds() - start : -1;
    RbSummary summary = {0};
    RbStatus closed = rb_run_close(run, &summary);
    out->steps = summary.steps;
    return status != RB_OK ? status : closed;
}

static RbStatus add_cube(RbSceneBuilder *b, const char *name, double side, double z, bool free) {
    RbSolid cube = rb_solid_default(name, RB_SOLID_BOX, "Steel");
    cube.lengths[0] = cube.lengths[1] = cube.lengths[2] = side;
    cube.position[2] = z;
    cube.free = free;
    return rb_builder_add_solid(b, &cube, NULL);
}

static RbStatus build(RbContext *c, RbModel **model) {
    RbSceneBuilder *b;
    RbStatus status = rb_builder_create(c, "stack", &b);
    if (status == RB_OK) status = add_cube(b, "floor", 1, -0.5, false);
    for (int i = 0; status == RB_OK && i < stack.boxes; i++) {
        char name[20];
        snprintf(name, sizeof name, "box%d", i + 1);
        status = add_cube(b, name, stack.side, (i + 0.5) * stack.side + (i + 1) * stack.gap, true);
    }
    return status == RB_OK ? rb_builder_finish(b, model) : status;
}

static void ours(double tolerance, const char *solver) {
    RbContext *c = rb_context_create(NULL);
    RbModel *model;
    PeerStackRun out = {.cpu = -1};
    if (build(c, &model) == RB_OK) {
        RbSimOptions options = rb_model_options(model);
        options.stop_time = stack.stop_time;
        options.tolerance = tolerance;
        options.solver = solver;
        options.output_interval = 0;
        run_ours(c, options, model, &out);
    }
    char settings[60];
    snprintf(settings, sizeof settings, "%s, tolerance %g", solver, tolerance);
    print("Rattleback", settings, &out);
    rb_context_free(c);
}

static void bullet(void) {
#ifdef RB_HAVE_BULLET
    static const PeerBulletSettings all[] = {
        {1.0 / 240, 10, 0.7, false}, {1.0 / 1000, 50, 0.7, false}, {1.0 / 60, 10, 0, false},
        {1.0 / 240, 10, 0, false},   {1.0 / 240, 50, 0, false},    {1.0 / 1000, 50, 0, false},
        {1.0 / 240, 50, 0, true}};
    for (int i = 0; i < (int)(sizeof all / sizeof all[0]); i++) {
        char settings[80];
        snprintf(settings, sizeof settings, "step 1/%.0f s, %d iterations, e = %g%s",
                 1 / all[i].step, all[i].iterations, all[i].restitution,
                 all[i].sleeps ? ", sleeps" : "");
        PeerStackRun out = peer_stack_bullet(&stack, &all[i]);
        print("Bullet", settings, &out);
    }
#else
    puts("Bullet is not installed (Debian: libbullet-dev).");
#endif
}

static void mujoco(void) {
#ifdef RB_HAVE_MUJOCO
    static const PeerMujocoSettings all[] = {
        {2e-3, 0.02, 0}, {2e-3, 4e-3, 0}, {2e-3, 4e-3, 10}, {2e-4, 4e-4, 0}};
    for (int i = 0; i < (int)(sizeof all / sizeof all[0]); i++) {
        char settings[60];
        snprintf(settings, sizeof settings, "step %g s, contacts %g s%s", all[i].step,
                 all[i].constant, all[i].noslip ? ", noslip" : "");
        PeerStackRun out = peer_stack_mujoco(&stack, &all[i]);
        print("MuJoCo", settings, &out);
    }
#else
    puts("MuJoCo is not installed (Debian: libmujoco-dev).");
#endif
}

int main(int argc, char **argv) {
    if (argc > 1) stack.stop_time = atof(argv[1]);
    stack.look_time = 0.5 * stack.stop_time;
    printf("%d cubes, %g s\n%-11s %-46s %8s %9s %10s %10s %10s\n", stack.boxes, stack.stop_time, "",
           "", "CPU [s]", "steps", "drift [m]", "lean [m]", "sunk [m]");
    ours(1e-5, "islands");
    ours(1e-8, "islands");
    bullet();
    mujoco();
    return 0;
}

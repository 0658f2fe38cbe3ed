// SPDX-License-Identifier: MIT
// What who watches a run gets of its grains: their number and steps, and files of where they are.
#include <math.h>

#include "component/segment.h"
#include "dem/cloud_vtk.h"
#include "multibody/grains.h"

long rb_grains_refused(const struct Grains *g) {
    long sum = 0;
    for (int k = 0; k < g->fillings; k++) sum += g->rains[k].refused;
    return sum;
}

void rb_grains_count(struct Grains *g, long steps) {
    RbParticleCount *told = g->run->counted;
    if (!told) return;
    long refused = rb_grains_refused(g);
    told->refused += refused - g->counted_refused;
    g->counted_refused = refused;
    int particles = rb_cloud_particles(g->cloud);
    told->particles += particles - g->counted;
    told->steps += particles * steps;
    g->counted = particles;
}

double rb_grains_frame_time(const RbInstance *run) {
    return run->output_interval > 0 ? run->output_interval : (run->run_stop - run->run_start) / 500;
}

long rb_grains_frame_now(const struct Grains *g) {
    double apart = rb_grains_frame_time(g->run), since = g->cloud->time - g->run->run_start;
    return apart > 0 ? (long)floor(since / apart + 1e-9) : 0;
}

void rb_grains_write_frame(struct Grains *g, RbEvent *event) {
    const RbInstance *run = g->run;
    long frame = rb_grains_frame_now(g);
    if (!run->particle_files) return;
    if (frame <= g->frame || g->cloud->lost) return;
    g->frame = frame;
    RbArena *scratch = rb_arena_child(g->arena);
    RbStatus status =
        rb_cloud_write_vtk(g->cloud, run->particle_files, (int)frame, *scratch, g->diag);
    rb_arena_free(scratch);
    if (status != RB_OK) rb_event_abort(event, status);
}

// SPDX-License-Identifier: MIT
// The cloud of a scene computed by another program (dem/remote.h). Our cloud stands for its: time, sums, and loads of walls are those of
// the last exchange; its grains are where they were when somebody had to know: a row of the result, a sensor, a sink, rain, a part
// that comes, a checkpoint.
#include <math.h>
#include <string.h>

#include "component/segment.h"
#include "multibody/grains.h"
#include "multibody/matter.h"

bool rb_grains_have_engine(const RbSegment *seg) {
    const char *name = seg->instance->engine.name;
    return name && strcmp(name, "own") != 0;
}

RbStatus rb_grains_check_engine(const struct Grains *g, RbDiag *diag) {
    const RbParticleEngine *engine = &g->run->engine;
    if (strcmp(engine->name, "liggghts") != 0)
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "there is no engine for particles named '%s': there are own and liggghts",
                       engine->name);
    if (engine->ranks < 1 || engine->ranks > 1 << 16)
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "an engine for particles cannot run with %d processes", engine->ranks);
    if (g->cloud->forms.count > 0)
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE,
                       "another engine cannot compute this model: particles are polyhedra or "
                       "clumps of spheres; use spheres, or the own engine");
    return RB_OK;
}

// When it is first needed: the parts are where equations put them, and a run that is resumed has its grains.
static RbStatus start(struct Grains *g) {
    const char *folder = g->run->engine.folder;
    RbRemoteJob job = {.folder = folder ? folder : "liggghts",
                       .ranks = g->run->engine.ranks,
                       .largest = g->largest_radius};
    g->seen = true;
    g->seen_at = g->cloud->time;
    return rb_remote_start(&job, g->cloud, g->arena, g->diag, &g->engine);
}

static RbStatus look(struct Grains *g, bool contacts) {
    if (g->seen) return RB_OK;
    RB_TRY(rb_remote_look(g->engine, g->cloud, contacts, g->diag));
    g->seen = contacts;
    g->seen_at = g->cloud->time;
    return RB_OK;
}

static bool rain_is_due(const Mechanism *m, const struct Grains *g) {
    for (int k = 0; k < m->scene->grains.count; k++) {
        const RbFill *f = &m->scene->grains.data[k].fill;
        if (f->kind == RB_FILL_RAIN && rb_rain_is_due(f, &g->rains[k], g->until)) return true;
    }
    return false;
}

bool rb_grains_are_watched(const Mechanism *m) {
    for (int k = 0; k < m->scene->regions.count; k++) {
        if (m->scene->regions.data[k].region.kind != RB_REGION_PART) return true;
    }
    return false;
}

static bool parts_change(const struct Grains *g) {
    for (int k = 0; k < g->cloud->walls.count; k++) {
        if (g->cloud->walls.data[k].absent != g->absent[k]) return true;
    }
    return false;
}

bool rb_grains_engine_meet(const Mechanism *m, RbEvent *event) {
    struct Grains *g = m->grains;
    RbStatus status = g->engine ? RB_OK : start(g);
    if (status == RB_OK && (rb_grains_are_watched(m) || rain_is_due(m, g) || parts_change(g)))
        status = look(g, true);
    if (status != RB_OK) rb_event_abort(event, status);
    return status == RB_OK;
}

// Is there a row of the result between these times?
static bool has_row(const struct Grains *g, double from, double until) {
    double apart = rb_grains_frame_time(g->run), start = g->run->run_start;
    if (until >= g->run->run_stop) return true;
    return apart > 0 &&
           floor((until - start) / apart + 1e-9) > floor((from - start) / apart + 1e-9);
}

void rb_grains_engine_steps(struct Grains *g, double due, RbEvent *event) {
    RbCarried carried = rb_grains_carried(g);
    int64_t steps = g->substeps;
    RbStatus status = g->seen ? rb_remote_tell(g->engine, g->cloud, g->diag) : RB_OK;
    if (status == RB_OK)
        status = rb_remote_advance(g->engine, g->cloud, &carried, g->absent, &steps, due, g->diag);
    g->seen = false;
    if (status == RB_OK && has_row(g, g->from, g->cloud->time))
        status = look(g, g->run->particle_files != NULL);
    if (status != RB_OK) rb_event_abort(event, status);
    g->substeps = steps > 0 ? (long)steps : 1;
}

RbStatus rb_grains_engine_look(struct Grains *g) {
    return g->engine ? look(g, true) : RB_OK;
}

void rb_grains_engine_note(const struct Grains *g, double f[FIGURES]) {
    const RbRemoteState *s = rb_remote_state(g->engine);
    const RbGrainPowers *p = &s->powers;
    f[FIGURE_COUNT] = (double)s->count;
    f[FIGURE_MASS] = s->mass;
    f[FIGURE_COORDINATION] =
        s->count > 0 ? (2 * (double)s->contacts + (double)s->wall_contacts) / (double)s->count : 0;
    f[FIGURE_KINETIC] = s->kinetic;
    f[FIGURE_TURNING] = s->turning;
    f[FIGURE_HEIGHT] = s->height;
    f[FIGURE_STORED] = p->normal + p->tangential + p->turning;
    f[FIGURE_DAMPED] = s->damped;
    f[FIGURE_RUBBED] = s->slid - p->tangential;
    f[FIGURE_RESISTED] = s->resisted - p->turning;
    f[FIGURE_DRAGGED] = s->dragged;
    f[FIGURE_DRIVEN] = s->driven;
    f[FIGURE_BALANCE] = s->kinetic + s->turning + s->height + p->normal + s->damped + s->slid +
                        s->resisted + s->dragged - s->driven - s->added - s->energy_start;
}

// SPDX-License-Identifier: MIT
// The cloud of a scene computed by another program (dem/liggghts.h): it is started when the run begins, and an
// interval between two exchanges is one of its frames.
#include <math.h>
#include <string.h>

#include "component/segment.h"
#include "geom/tessellate.h"
#include "multibody/grains.h"
#include "multibody/matter.h"

static RbStatus refuse(RbSegment *seg, const char *reason) {
    return rb_fail(seg->diag, RB_ERROR_MODEL, RB_NOWHERE,
                   "another engine cannot compute this model: %s", reason);
}

static RbStatus check(const Mechanism *m, RbSegment *seg, const RbParticleEngine *engine) {
    const struct Grains *g = m->grains;
    if (strcmp(engine->name, "liggghts") != 0)
        return rb_fail(seg->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "there is no engine for particles named '%s': there are own and liggghts",
                       engine->name);
    if (engine->ranks < 1 || engine->ranks > 1 << 16)
        return rb_fail(seg->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "an engine for particles cannot run with %d processes", engine->ranks);
    for (int k = 0; k < m->scene->grains.count; k++) {
        if (m->scene->grains.data[k].fill.kind == RB_FILL_RAIN)
            return refuse(seg, "grains rain while it runs");
    }
    for (int k = 0; k < m->scene->regions.count; k++) {
        if (m->scene->regions.data[k].region.kind == RB_REGION_SINK)
            return refuse(seg, "grains leave through a sink while it runs");
    }
    return g->body_count > 0 ? refuse(seg, "a part that grains touch can move; fix all of them")
                             : RB_OK;
}

// A piece of the plane z = 0 of the frame below the grains, four times as wide as they are spread.
static RbMesh half_space(const RbCloud *cloud, Pose X, RbArena *arena) {
    Vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
    for (int i = 0; i < cloud->count; i++) {
        Vec3 p = pose_unpoint(X, v3(cloud->r[i].x, cloud->r[i].y, cloud->r[i].z));
        low = v3_min(low, p), high = v3_max(high, p);
    }
    double half = 2 * v3_norm(v3_sub(high, low)) + 10 * cloud->r[0].w;
    double x = 0.5 * (low.x + high.x), y = 0.5 * (low.y + high.y);
    RbMeshBuilder b = rb_mesh_builder(arena);
    for (int k = 0; k < 4; k++) {
        double dx = k == 1 || k == 2 ? half : -half, dy = k >= 2 ? half : -half;
        rb_mesh_add_vertex(&b, v3(x + dx, y + dy, 0));
    }
    rb_mesh_add_triangle(&b, 0, 1, 2);
    rb_mesh_add_triangle(&b, 0, 2, 3);
    return rb_mesh_finish(&b);
}

static RbMesh *wall_meshes(const Mechanism *m, RbArena *arena) {
    enum { CIRCLE = 64 };
    const struct Grains *g = m->grains;
    RbMesh *meshes = rb_new_array(arena, RbMesh, g->cloud->walls.count);
    for (int k = 0; k < g->cloud->walls.count; k++) {
        const RbShape *shape = &m->scene->objects.data[g->objects[k]].shape;
        const RbGrainWall *wall = &g->cloud->walls.data[k];
        if (wall->mesh)
            meshes[k] = wall->mesh->mesh;
        else if (shape->kind == RB_SHAPE_HALFSPACE)
            meshes[k] = half_space(g->cloud, wall->X, arena);
        else
            meshes[k] = rb_tessellate(shape, CIRCLE, arena);
    }
    return meshes;
}

static long steps_between(const RbInstance *run, double step, long *frames) {
    double time = run->run_stop - run->run_start;
    long steps = lround(rb_grains_frame_time(run) / step);
    steps = steps < 1 ? 1 : steps;
    *frames = (long)ceil(time / ((double)steps * step) - 1e-9);
    return steps;
}

bool rb_grains_have_engine(const RbSegment *seg) {
    const char *name = seg->instance->engine.name;
    return name && strcmp(name, "own") != 0;
}

RbStatus rb_grains_start_engine(Mechanism *m, RbSegment *seg) {
    struct Grains *g = m->grains;
    const RbParticleEngine *engine = &seg->instance->engine;
    if (!rb_grains_have_engine(seg)) return RB_OK;
    RB_TRY(check(m, seg, engine));
    RbArena *scratch = rb_arena_child(g->arena);
    RbLiggghtsJob job = {.folder = engine->folder ? engine->folder : "liggghts",
                         .ranks = engine->ranks,
                         .solid = g->elastics,
                         .walls = wall_meshes(m, scratch)};
    job.frame_steps = steps_between(seg->instance, g->cloud->options.step, &job.frames);
    RbStatus status = rb_liggghts_write(g->cloud, &job, *scratch, seg->diag);
    if (status == RB_OK && !engine->input_only)
        status = rb_liggghts_start(&job, g->arena, seg->diag, &g->engine);
    g->engine_ends = engine->input_only;
    g->engine_steps = job.frame_steps;
    g->engine_frames = job.frames;
    rb_arena_free(scratch);
    return status;
}

bool rb_mechanism_grains_end(const Mechanism *m) {
    return m->grains && m->grains->engine_ends;
}

// The next frame. Behind the last one is the end of the run, and nothing is looked at any more.
void rb_grains_engine_advance(struct Grains *g, RbEvent *event) {
    for (int k = 0; k < g->cloud->walls.count; k++) {
        if (g->cloud->walls.data[k].absent != g->absent[k])
            rb_event_fail(event, "another engine computes the grains, and cannot be told that a part "
                                 "which they touch comes or goes: leave the action out");
    }
    if (++g->engine_frame > g->engine_frames) {
        g->cloud->time += (double)g->engine_steps * g->cloud->options.step;
        return;
    }
    RbArena *scratch = rb_arena_child(g->arena);
    RbStatus status = rb_liggghts_frame(g->engine, g->cloud, g->engine_frame, *scratch, g->diag);
    rb_arena_free(scratch);
    if (status != RB_OK) rb_event_abort(event, status);
}

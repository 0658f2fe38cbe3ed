// SPDX-License-Identifier: MIT
// Sensors and sinks of grains (dem/region.h) in a scene: looked at where grains and bodies exchange forces, and held
// in between.
#include <string.h>

#include "component/saver.h"
#include "component/segment.h"
#include "multibody/grains.h"
#include "multibody/matter.h"

// A part is the wall that its object is; its belt runs from now on.
static RbStatus find_wall(const RbScene *s, const RbSceneRegion *r, struct Grains *g, RbDiag *diag,
                          RbRegion *own) {
    for (int k = 0; k < g->cloud->walls.count; k++) {
        RbGrainWall *wall = &g->cloud->walls.data[k];
        if (g->objects[k] != r->object) continue;
        own->wall = k;
        if (v3_norm2(own->surface) == 0) return RB_OK;
        if (v3_norm2(wall->belt) > 0)
            return rb_fail(diag, RB_ERROR_MODEL, own->at,
                           "'%s' is a second belt of the part '%s': there can be one", own->name,
                           r->part);
        wall->belt = own->surface;
        wall->belt_start = own->start, wall->belt_ramp = own->ramp;
        return RB_OK;
    }
    RbNear near = {.wanted = r->part};
    for (int k = 0; k < g->cloud->walls.count; k++)
        rb_text_try_near(&near, s->objects.data[g->objects[k]].object.name);
    return rb_fail(diag, RB_ERROR_MODEL, own->at,
                   "'%s' is about the part '%s', which is none that grains can touch: it must be a "
                   "collidable solid of the model%s",
                   own->name, r->part, rb_text_near_question(&near, "", diag->arena));
}

RbStatus rb_regions_begin(const Mechanism *m, RbSegment *seg) {
    struct Grains *g = m->grains;
    int count = m->scene->regions.count, size = 0;
    g->region_at = rb_new_array(g->arena, int, count + 1);
    g->region_list = rb_new_array(g->arena, RbRegion, count);
    for (int k = 0; k < count; k++) {
        const RbSceneRegion *r = &m->scene->regions.data[k];
        g->region_list[k] = r->region;
        RB_TRY(rb_region_check(&r->region, seg->diag));
        if (r->region.kind == RB_REGION_PART)
            RB_TRY(find_wall(m->scene, r, g, seg->diag, &g->region_list[k]));
        g->region_at[k] = size;
        size += rb_region_size(m->scene->regions.data[k].region.kind);
    }
    g->region_at[count] = size;
    g->region_values = rb_new_array(g->arena, double, size + 1);
    g->looked = g->cloud->time;
    return RB_OK;
}

bool rb_regions_look(const Mechanism *m) {
    struct Grains *g = m->grains;
    int count = m->scene->regions.count;
    double elapsed = g->cloud->time - g->looked;
    bool taken = false;
    for (int k = 0; k < count; k++) {
        const RbSceneRegion *r = &m->scene->regions.data[k];
        rb_region_look(&g->region_list[k], g->cloud, elapsed, g->region_values + g->region_at[k]);
        taken |= r->taken != 0;
    }
    for (int k = 0; k < count; k++)
        rb_region_drain(&m->scene->regions.data[k].region, g->cloud,
                        g->region_values + g->region_at[k]);
    g->looked = g->cloud->time;
    return taken;
}

void rb_regions_mark(const Mechanism *m) {
    const struct Grains *g = m->grains;
    for (int k = 0; k < m->scene->regions.count; k++)
        rb_region_mark(&m->scene->regions.data[k].region, g->cloud,
                       g->region_values + g->region_at[k]);
}

// ---- results

static const char *measure_name(RbArena *arena, const RbRegion *r, const RbRegionMeasure *what,
                                int k) {
    return what->size == 1 ? rb_arena_printf(arena, "%s.%s", r->name, what->name)
                           : rb_arena_printf(arena, "%s.%s[%d]", r->name, what->name, k + 1);
}

void rb_regions_declare_results(const Mechanism *m, RbSegment *seg) {
    for (int k = 0; k < m->scene->regions.count; k++) {
        const RbSceneRegion *r = &m->scene->regions.data[k];
        const RbRegionMeasure *what = rb_region_measures(r->region.kind);
        for (int n = 0; what[n].name; n++) {
            for (int i = 0; !(r->taken & 1u << n) && i < what[n].size; i++)
                rb_segment_result(seg,
                                  &(RbResultSpec){measure_name(seg->arena, &r->region, &what[n], i),
                                                  what[n].unit, what[n].text});
        }
    }
}

// Of the measures that equations have (wanted), or of the others, which are results.
static double *write_measures(const Mechanism *m, bool wanted, double *out) {
    const struct Grains *g = m->grains;
    for (int k = 0; k < m->scene->regions.count; k++) {
        const RbSceneRegion *r = &m->scene->regions.data[k];
        const RbRegionMeasure *what = rb_region_measures(r->region.kind);
        for (int n = 0; what[n].name; n++) {
            if (((r->taken & 1u << n) != 0) != wanted) continue;
            const double *values = g->region_values + g->region_at[k] + what[n].at;
            memcpy(out, values, (size_t)what[n].size * sizeof *out);
            out += what[n].size;
        }
    }
    return out;
}

double *rb_regions_record(const Mechanism *m, double *out) {
    return write_measures(m, false, out);
}

double *rb_mechanism_region_values(const Mechanism *m, double *out) {
    return m->grains ? write_measures(m, true, out) : out;
}

// ---- checkpoints

void rb_regions_save(const Mechanism *m, RbSaver *saver) {
    const struct Grains *g = m->grains;
    rb_save_doubles(saver, &g->looked, 1);
    rb_save_doubles(saver, g->region_values, g->region_at[m->scene->regions.count]);
}

bool rb_regions_load(struct Grains *g, int regions, RbLoader *loader) {
    return rb_load_doubles(loader, &g->looked, 1) &&
           rb_load_doubles(loader, g->region_values, g->region_at[regions]);
}

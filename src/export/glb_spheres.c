// SPDX-License-Identifier: MIT
// Clouds of spheres in glTF: a node each, which share a mesh. The format animates nodes; the instances of EXT_mesh_gpu_instancing cannot be
// animated, and not every program knows them.
#include <math.h>
#include <string.h>

#include "export/glb.h"
#include "export/glb_parts.h"
#include "geom/mesh_make.h"

static int object_named(const RbDrawn *d, const char *name) {
    for (int i = 0; i < d->object_count; i++)
        if (d->objects[i].form == RB_FORM_SPHERES && strcmp(d->objects[i].name, name) == 0)
            return i;
    return -1;
}

static RbGlbSpheres *spheres_named(RbGlb *g, const char *name) {
    for (int i = 0; i < g->spheres.count; i++)
        if (strcmp(g->spheres.data[i].name, name) == 0) return &g->spheres.data[i];
    return NULL;
}

// How many there are of an object at most: numbers are those of the pictures, which grow.
static void find_objects(RbGlb *g) {
    const RbFilm *film = g->parts.film;
    for (int s = 0; s < film->segment_count; s++) {
        const RbFilmSegment *f = &film->segments[s];
        for (int i = 0; f->row_count > 0 && i < f->drawn.object_count; i++) {
            RbMoment end = {.segment = s, .row = f->row_count - 1};
            RbFilmSpheres now = rb_film_all_spheres(film, end, i, g->arena);
            if (now.count == 0) continue;
            RbGlbSpheres *known = spheres_named(g, f->drawn.objects[i].name);
            RbGlbSpheres fresh = {.drawn = &f->drawn, .object = i, .name = f->drawn.objects[i].name};
            if (!known) {
                rb_array_push(&g->spheres, g->arena, fresh);
                known = &g->spheres.data[g->spheres.count - 1];
            }
            if (now.count > known->count) known->count = now.count;
        }
    }
}

static void place_key(RbGlb *g, RbGlbSpheres *s, int key) {
    RbMoment m = g->parts.frames.data[s->keys[key]];
    int object = object_named(&g->parts.film->segments[m.segment].drawn, s->name);
    float *places = s->places + 3 * (size_t)key * (size_t)s->count;
    float *diameters = s->diameters + (size_t)key * (size_t)s->count;
    if (object < 0) return;
    RbArena *scratch = rb_arena_child(g->arena);
    RbFilmSpheres now = rb_film_all_spheres(g->parts.film, m, object, scratch);
    Pose X = rb_film_pose(g->parts.film, m, object);
    for (int i = 0; i < now.count && i < s->count; i++) {
        Vec3 at = pose_point(X, now.centres[i]);
        places[3 * i] = (float)at.x, places[3 * i + 1] = (float)at.y, places[3 * i + 2] = (float)at.z;
        diameters[i] = (float)now.diameters[i];
    }
    rb_arena_free(scratch);
}

// Where it was last while one is not there, or will be first.
static void fill_gaps(RbGlbSpheres *s, int i) {
    int from = -1;
    for (int k = 0; k < s->key_count; k++) {
        float *at = s->places + 3 * ((size_t)k * (size_t)s->count + (size_t)i);
        bool there = s->diameters[(size_t)k * (size_t)s->count + (size_t)i] > 0;
        if (!there && from >= 0)
            memcpy(at, s->places + 3 * ((size_t)from * (size_t)s->count + (size_t)i), 12);
        if (!there) continue;
        for (int b = 0; from < 0 && b < k; b++)
            memcpy(s->places + 3 * ((size_t)b * (size_t)s->count + (size_t)i), at, 12);
        from = k;
    }
}

static int frame_at(const RbGlb *g, double time) {
    int f = g->parts.frames.count - 1;
    while (!isnan(time) && f > 0 && (double)g->parts.times[f] > time * (1 + 1e-7)) f--;
    return f;
}

static void find_nodes(RbGlb *g, RbGlbSpheres *s) {
    s->numbers = rb_new_array(g->arena, int, s->count + 1);
    for (int i = 0; i < s->count; i++) {
        bool seen = false;
        for (int k = 0; k < s->key_count && !seen; k++)
            seen = s->diameters[(size_t)k * (size_t)s->count + (size_t)i] > 0;
        if (seen) s->numbers[s->node_count++] = i;
    }
}

static RbStatus refuse(RbGlb *g, int count, RbPos at, RbDiag *diag) {
    static const char *const instead =
        "`convert` to .pvd writes them for ParaView, `view` and `render` show them";
    g->spheres.count = 0;
    if (g->parts.parts.count == 0)
        return rb_fail(diag, RB_ERROR_USAGE, at,
                       "there is nothing but spheres, %d of them: more than the %d that this format "
                       "can be given; %s",
                       count, RB_GLB_STANDING, instead);
    rb_warn(diag, at, "%d spheres are not in the file, which can have %d at most; %s", count,
            RB_GLB_STANDING, instead);
    return RB_OK;
}

RbStatus rb_glb_find_spheres(RbGlb *g, double time, RbPos at, RbDiag *diag) {
    find_objects(g);
    int count = 0, stands = frame_at(g, time);
    for (int i = 0; i < g->spheres.count; i++) count += g->spheres.data[i].count;
    if (count > RB_GLB_STANDING) return refuse(g, count, at, diag);
    if (count > RB_GLB_MOVING)
        rb_warn(diag, at,
                "%d spheres stand where they are at t = %.6g s: more than %d do not move in this "
                "format; --time chooses another moment, `view` and `render` show the motion",
                count, (double)g->parts.times[stands], RB_GLB_MOVING);
    for (int i = 0; i < g->spheres.count; i++) {
        RbGlbSpheres *s = &g->spheres.data[i];
        s->keys = rb_glb_choose_frames(g, count > RB_GLB_MOVING ? 1 : RB_GLB_KEYS, &s->key_count);
        if (count > RB_GLB_MOVING) s->keys[0] = stands;
        size_t all = (size_t)s->count * (size_t)s->key_count;
        s->places = rb_new_array(g->arena, float, 3 * all);
        s->diameters = rb_new_array(g->arena, float, all);
        for (int k = 0; k < s->key_count; k++) place_key(g, s, k);
        for (int k = 0; k < s->count; k++) fill_gaps(s, k);
        find_nodes(g, s);
    }
    return RB_OK;
}

int rb_glb_sphere_nodes(const RbGlb *g) {
    int sum = 0;
    for (int i = 0; i < g->spheres.count; i++) sum += g->spheres.data[i].node_count;
    return sum;
}

// ---- nodes

static int key_times(RbGlb *g, const RbGlbSpheres *s) {
    float *times = rb_new_array(g->arena, float, s->key_count);
    for (int k = 0; k < s->key_count; k++) times[k] = g->parts.times[s->keys[k]];
    return s->key_count > 1 ? rb_glb_accessor(g, times, s->key_count, 1, false, 0, true) : -1;
}

// [3] per key, of one sphere; true: they are not all the same.
static bool places_of(const RbGlbSpheres *s, int i, float *out) {
    for (int k = 0; k < s->key_count; k++)
        memcpy(out + 3 * k, s->places + 3 * ((size_t)k * (size_t)s->count + (size_t)i), 12);
    return memcmp(out, out + 3, 12 * (size_t)(s->key_count - 1)) != 0;
}

static bool sizes_of(const RbGlbSpheres *s, int i, float *out) {
    for (int k = 0; k < 3 * s->key_count; k++)
        out[k] = s->diameters[(size_t)(k / 3) * (size_t)s->count + (size_t)i];
    return memcmp(out, out + 3, 12 * (size_t)(s->key_count - 1)) != 0;
}

static void add_node(RbGlb *g, const RbGlbSpheres *s, int i, int node, int times, float *work) {
    float *places = work, *sizes = work + 3 * s->key_count;
    bool moves = places_of(s, i, places), changes = sizes_of(s, i, sizes);
    rb_glb_separate(&g->nodes);
    rb_text_add(&g->nodes, "{\"name\":\"");
    rb_text_add_json(&g->nodes, s->name);
    rb_text_printf(&g->nodes, " %d\",\"mesh\":%d", i + 1, g->mesh_count - 1);
    rb_glb_numbers(&g->nodes, "translation", places, 3);
    rb_glb_numbers(&g->nodes, "scale", sizes, 3);
    rb_text_add(&g->nodes, "}");
    if (moves) {
        int values = rb_glb_accessor(g, places, s->key_count, 3, false, 0, false);
        rb_glb_channel(g, node, "translation", times, values, false);
    }
    if (changes) {
        int values = rb_glb_accessor(g, sizes, s->key_count, 3, false, 0, false);
        rb_glb_channel(g, node, "scale", times, values, true);
    }
}

void rb_glb_add_spheres(RbGlb *g, int first) {
    enum { CIRCLE = 12 };
    for (int i = 0; i < g->spheres.count; i++) {
        const RbGlbSpheres *s = &g->spheres.data[i];
        if (s->node_count == 0) continue;
        RbMesh ball = rb_mesh_sphere(0.5, CIRCLE, g->arena);
        double colour[4];
        rb_film_colour(s->drawn, s->object, colour);
        rb_glb_mesh(g, &ball, true, colour);
        int times = key_times(g, s);
        float *work = rb_new_array(g->arena, float, 6 * (size_t)s->key_count);
        for (int k = 0; k < s->node_count; k++)
            add_node(g, s, s->numbers[k], first++, times, work);
    }
}

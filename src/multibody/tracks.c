// SPDX-License-Identifier: MIT
// What journals keep of grains: which quantities, to which resolution, how often; and the grains in the pictures.
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "component/segment.h"
#include "dem/cloud_faces.h"
#include "io/drawing.h"
#include "multibody/grains.h"
#include "multibody/matter.h"

// ORDER RbTrack
static const struct {
    const char *name, *unit;
    int width;
} quantities[RB_TRACK_COUNT] = {{"place", "m", 3},
                                {"velocity", "m/s", 3},
                                {"rotation", "1", 4},
                                {"spin", "rad/s", 3},
                                {"force", "N", 3}};

// ---- which

static RbStatus refuse(RbDiag *diag, const char *typed, const char *why) {
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "'%s' does not say what is recorded of particles: %s; type none, or a list of "
                   "place, velocity, rotation, spin and force, each with a resolution if it is to "
                   "be rounded, as in place:1e-5,velocity:1e-3",
                   typed, why);
}

// A quantity, and behind a colon its resolution.
static RbStatus take_quantity(const char *all, const char *word, size_t length, RbArena *scratch,
                              RbDiag *diag, GrainTracks *t) {
    const char *colon = memchr(word, ':', length);
    size_t name = colon ? (size_t)(colon - word) : length;
    int what = 0;
    for (; what < RB_TRACK_COUNT; what++) {
        if (strlen(quantities[what].name) == name && memcmp(quantities[what].name, word, name) == 0)
            break;
    }
    if (what == RB_TRACK_COUNT)
        return refuse(diag, all,
                      rb_arena_printf(scratch, "there is no '%.*s'", (int)name, word));
    if (t->wanted[what])
        return refuse(diag, all, rb_arena_printf(scratch, "'%.*s' is in it twice", (int)name, word));
    t->wanted[what] = true;
    t->step[what] = 0;
    if (!colon) return RB_OK;
    const char *number = rb_arena_printf(scratch, "%.*s", (int)(length - name - 1), colon + 1);
    double step;
    if (!rb_number_parse(number, number + strlen(number), &step) || !(step > 0) || isinf(step))
        return refuse(diag, all,
                      rb_arena_printf(scratch, "the resolution '%s' of the %s is no positive number "
                                               "[%s]",
                                      number, quantities[what].name, quantities[what].unit));
    t->step[what] = step;
    return RB_OK;
}

static RbStatus read_list(const char *typed, RbArena *scratch, RbDiag *diag, GrainTracks *t) {
    for (const char *at = typed;; at++) {
        size_t length = strcspn(at, ",");
        RB_TRY(take_quantity(typed, at, length, scratch, diag, t));
        at += length;
        if (*at == 0) break;
    }
    return t->wanted[RB_TRACK_PLACE] ? RB_OK : refuse(diag, typed, "the place must be in it");
}

RbStatus rb_grains_choose_tracks(const RbScene *s, const RbInstance *run, RbArena *scratch,
                                 RbDiag *diag, GrainTracks *t) {
    const RbSceneGrainOptions *o = &s->grain_options;
    const char *typed = run->particle_results ? run->particle_results : o->results;
    *t = (GrainTracks){.apart = run->particle_interval > 0 ? run->particle_interval
                                                           : o->results_interval};
    if (!(t->apart >= 0) || isinf(t->apart))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the interval of particles in the result is %g s; it must be positive, or 0 "
                       "for every row",
                       t->apart);
    t->wanted[RB_TRACK_PLACE] = true;
    if (!typed || !*typed) return RB_OK;
    t->wanted[RB_TRACK_PLACE] = false;
    return strcmp(typed, "none") == 0 ? RB_OK : read_list(typed, scratch, diag, t);
}

// ---- the drawing

void rb_mechanism_draw_grains(const Mechanism *m, RbDrawing *d) {
    struct Grains *g = m->grains;
    if (!g || !g->tracks.wanted[RB_TRACK_PLACE]) return;
    RbDrawObject o = rb_draw_object("grains", RB_FORM_SPHERES);
    o.size[0] = g->capacity;
    o.size[1] = 2 * g->lightest_radius;
    memcpy(o.colour, m->scene->grain_options.colour, sizeof o.colour);
    g->drawn = rb_drawing_add(d, &o);
    size_t numbers = 1; // diameters
    for (int k = 0; k < RB_TRACK_COUNT; k++)
        if (g->tracks.wanted[k]) numbers += (size_t)quantities[k].width;
    rb_drawing_room(d, RB_TRACK_COUNT + 1,
                    (size_t)g->capacity * numbers * sizeof(float) + RB_TRACK_COUNT * RB_DRAW_TRACK);
    rb_grains_draw_faces(m, d);
}

// ---- pictures

// Is this row one of those that have new ones? The first at or after every multiple of the interval.
static bool is_due(const struct Grains *g, double time, double since) {
    double apart = g->tracks.apart, start = g->run->run_start;
    if (!(apart > 0) || since == -INFINITY) return true;
    return floor((time - start) / apart + 1e-9) > floor((since - start) / apart + 1e-9);
}

static Quat rotation_of(const RbCloud *c, int i) {
    if (c->body[i] < 0) return Q_IDENTITY;
    const RbGrainBody *b = &c->bodies.data[c->body[i]];
    Quat q = q_mul(b->q, q_conj(c->forms.data[b->form]->axes));
    return q.w < 0 ? (Quat){-q.w, -q.x, -q.y, -q.z} : q;
}

// Where the grains are inside the interval: back from its end along their velocities; what flies freely, along its parabola.
static Vec3 place_of(const RbCloud *c, int i, double back) {
    Vec3 at = v3_axpy(v3(c->r[i].x, c->r[i].y, c->r[i].z), -back,
                      v3(c->v[i].x, c->v[i].y, c->v[i].z));
    bool flies = c->body[i] == RB_GRAIN_FREE && c->f[i].x == 0 && c->f[i].y == 0 && c->f[i].z == 0;
    if (flies) at = v3_axpy(at, 0.5 * back * back, c->options.gravity);
    return rb_borders_wrap(&c->options.borders, at, NULL);
}

static void store(const RbCloud *c, int i, RbTrack what, double back, double *to) {
    Quat q;
    switch (what) {
        case RB_TRACK_PLACE: v3_store(to, place_of(c, i, back)); return;
        case RB_TRACK_VELOCITY: v3_store(to, v3(c->v[i].x, c->v[i].y, c->v[i].z)); return;
        case RB_TRACK_SPIN: v3_store(to, v3(c->w[i].x, c->w[i].y, c->w[i].z)); return;
        case RB_TRACK_FORCE: v3_store(to, v3(c->f[i].x, c->f[i].y, c->f[i].z)); return;
        case RB_TRACK_ROTATION:
            q = rotation_of(c, i);
            to[0] = q.w, to[1] = q.x, to[2] = q.y, to[3] = q.z;
            return;
        case RB_TRACK_COUNT: return;
    }
}

static void show_track(const struct Grains *g, RbTrack what, double back, int count,
                       RbPicture *picture) {
    const RbCloud *cloud = g->cloud;
    int width = quantities[what].width;
    memset(g->points, 0, (size_t)count * (size_t)width * sizeof *g->points);
    for (int i = 0; i < cloud->count; i++) {
        if (cloud->body[i] != RB_GRAIN_PUPPET)
            store(cloud, i, what, back, g->points + (size_t)width * (size_t)cloud->id[i]);
    }
    double step = g->tracks.step[what];
    if (what == RB_TRACK_PLACE && step == 0)
        rb_picture_points(picture, g->drawn, g->points, count);
    else
        rb_picture_track(picture, g->drawn, what, step, g->points, width, count);
}

void rb_mechanism_show_grains(const Mechanism *m, const RbEval *e, RbPicture *picture) {
    const struct Grains *g = m->grains;
    if (!g || !g->tracks.wanted[RB_TRACK_PLACE]) return;
    if (!is_due(g, e->time, picture->since)) {
        rb_picture_hold(picture, g->drawn);
        if (g->drawn_faces >= 0) rb_picture_hold(picture, g->drawn_faces);
        return;
    }
    const RbCloud *cloud = g->cloud;
    double back = rb_grains_time(g) - e->time;
    int count = cloud->next_id < g->capacity ? cloud->next_id : g->capacity;
    for (int k = 0; k < RB_TRACK_COUNT; k++)
        if (g->tracks.wanted[k]) show_track(g, (RbTrack)k, back, count, picture);
    memset(g->points, 0, (size_t)count * sizeof *g->points);
    for (int i = 0; i < cloud->count; i++)
        if (cloud->body[i] != RB_GRAIN_PUPPET)
            g->points[cloud->id[i]] = (rb_cloud_is_face(cloud, i) ? -2 : 2) * cloud->r[i].w;
    rb_picture_diameters(picture, g->drawn, g->points, count);
    rb_grains_show_faces(m, back, picture);
}

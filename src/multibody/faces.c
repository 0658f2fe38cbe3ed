// SPDX-License-Identifier: MIT
// Polyhedra of the cloud in the pictures: one mesh of all of them, whose vertices move. Those that have not come yet, or have left, are a
// point.
#include <string.h>

#include "multibody/grains.h"

static const RbClump *form_of(const RbScene *s, int filling) {
    const RbClump *form = s->grains.data[filling].fill.clump;
    return form && form->core ? form : NULL;
}

void rb_grains_draw_faces(const Mechanism *m, RbDrawing *d) {
    struct Grains *g = m->grains;
    const RbScene *s = m->scene;
    int corners = 0, triangles = 0;
    g->drawn_faces = -1;
    for (int k = 0; k < s->grains.count; k++) {
        const RbClump *form = form_of(s, k);
        if (!form) continue;
        corners += form->surface.vertex_count * s->grains.data[k].fill.count;
        triangles += form->surface.triangle_count * s->grains.data[k].fill.count;
    }
    g->corners = corners;
    if (corners == 0) return;
    double *places = rb_new_array(g->arena, double, 3 * (size_t)corners);
    int *list = rb_new_array(g->arena, int, 3 * (size_t)triangles), first = 0, *to = list;
    for (int k = 0; k < s->grains.count; k++) {
        const RbClump *form = form_of(s, k);
        for (int n = 0; form && n < s->grains.data[k].fill.count; n++) {
            for (int t = 0; t < 3 * form->surface.triangle_count; t++)
                *to++ = first + form->surface.triangles[t / 3].v[t % 3];
            first += form->surface.vertex_count;
        }
    }
    RbDrawObject o = rb_draw_object("polyhedra", RB_FORM_MESH);
    o.mesh = rb_drawing_mesh(d, places, corners, list, triangles);
    g->drawn_faces = rb_drawing_add(d, &o);
    g->corner_places = places;
    rb_drawing_room(d, 1, (size_t)corners * 3 * sizeof(float) + RB_DRAW_TRACK);
}

static Pose pose_before(const RbCloud *cloud, const RbGrainBody *b, double back) {
    double speed = v3_norm(b->w);
    Vec3 r = rb_borders_wrap(&cloud->options.borders, v3_axpy(b->r, -back, b->v), NULL);
    Mat3 R = b->R;
    if (speed > 0) R = m3_mul(m3_rotation(v3_scale(1 / speed, b->w), -speed * back), R);
    return (Pose){r, R};
}

// All of one form; returns where the corners of the next one begin.
static double *place_form(const RbCloud *cloud, const RbClump *form, int most, double back,
                          double *to) {
    double *end = to + 3 * (size_t)form->surface.vertex_count * (size_t)most;
    for (int k = 0; k < cloud->bodies.count && to < end; k++) {
        const RbGrainBody *b = &cloud->bodies.data[k];
        if (cloud->forms.data[b->form] != form) continue;
        Pose X = pose_mul(pose_before(cloud, b, back), form->frame);
        for (int v = 0; v < form->surface.vertex_count; v++, to += 3)
            v3_store(to, pose_point(X, form->surface.vertices[v]));
    }
    return end;
}

void rb_grains_show_faces(const Mechanism *m, double back, RbPicture *picture) {
    const struct Grains *g = m->grains;
    double *to = g->corner_places;
    if (g->drawn_faces < 0) return;
    memset(to, 0, 3 * (size_t)g->corners * sizeof *to);
    for (int k = 0; k < m->scene->grains.count; k++) {
        const RbClump *form = form_of(m->scene, k);
        if (form) to = place_form(g->cloud, form, m->scene->grains.data[k].fill.count, back, to);
    }
    double step = g->tracks.step[RB_TRACK_PLACE];
    if (step > 0)
        rb_picture_track(picture, g->drawn_faces, RB_TRACK_PLACE, step, g->corner_places, 3,
                         g->corners);
    else
        rb_picture_points(picture, g->drawn_faces, g->corner_places, g->corners);
}

// SPDX-License-Identifier: MIT
// Clouds of spheres, as grains are, for files that know triangles alone.
#include <math.h>

#include "export/film.h"
#include "geom/mesh_make.h"

// A surface that the spheres carry is written instead of them.
static bool carries_surface(const RbFilm *film, RbMoment m, int object) {
    const RbDrawn *d = &film->segments[m.segment].drawn;
    RbChunkView c;
    for (int i = 0; i < d->object_count; i++)
        if (d->objects[i].parent == object && rb_film_chunk(film, m, RB_CHUNK_CARRIED, i, &c))
            return true;
    return false;
}

// [m] 0: sphere i is not there.
static double diameter_of(const RbChunkView *diameters, const RbDrawObject *o, int i) {
    if (!diameters->data) return o->size[1];
    if ((uint32_t)i >= diameters->count) return 0;
    return (double)rb_get_f32(diameters->data + (size_t)i * diameters->item);
}

RbFilmSpheres rb_film_all_spheres(const RbFilm *film, RbMoment m, int object, RbArena *arena) {
    const RbDrawObject *o = &film->segments[m.segment].drawn.objects[object];
    RbFilmSpheres s = {0};
    RbChunkView diameters = {0};
    if (o->form != RB_FORM_SPHERES || !rb_film_sees(film, m, object)) return s;
    if (carries_surface(film, m, object)) return s;
    s.centres = rb_film_points(film, m, object, arena, &s.count);
    if (!rb_film_chunk(film, m, RB_CHUNK_DIAMETERS, object, &diameters)) diameters.data = NULL;
    s.diameters = rb_new_array(arena, double, s.count);
    for (int i = 0; i < s.count; i++) s.diameters[i] = fmax(0, diameter_of(&diameters, o, i));
    return s;
}

RbFilmSpheres rb_film_spheres(const RbFilm *film, RbMoment m, int object, RbArena *arena) {
    RbFilmSpheres s = rb_film_all_spheres(film, m, object, arena);
    int count = s.count;
    s.count = 0;
    for (int i = 0; i < count; i++) {
        if (!(s.diameters[i] > 0)) continue;
        s.centres[s.count] = s.centres[i];
        s.diameters[s.count++] = s.diameters[i];
    }
    return s;
}

RbMesh rb_film_spheres_mesh(const RbFilmSpheres *s, RbArena *arena) {
    enum { CIRCLE = 12 };
    RbMesh ball = rb_mesh_sphere(0.5, CIRCLE, arena);
    int vertices = ball.vertex_count, triangles = ball.triangle_count;
    Vec3 *at = rb_new_array(arena, Vec3, (size_t)s->count * (size_t)vertices);
    RbTriangle *corners = rb_new_array(arena, RbTriangle, (size_t)s->count * (size_t)triangles);
    for (int i = 0; i < s->count; i++) {
        for (int k = 0; k < vertices; k++)
            at[i * vertices + k] = v3_axpy(s->centres[i], s->diameters[i], ball.vertices[k]);
        for (int k = 0; k < triangles; k++)
            for (int n = 0; n < 3; n++)
                corners[i * triangles + k].v[n] = i * vertices + ball.triangles[k].v[n];
    }
    return (RbMesh){at, s->count * vertices, corners, s->count * triangles};
}

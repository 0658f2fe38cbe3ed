// SPDX-License-Identifier: MIT
#include "export/export.h"

#include <math.h>

#include "export/film_parts.h"
#include "export/glb.h"
#include "export/particles_vtk.h"
#include "export/still.h"
#include "export/three_json.h"
#include "io/place.h"

bool rb_export_can_write(const char *path) {
    return rb_text_ends_with(path, ".glb") || rb_text_ends_with(path, ".json") ||
           rb_text_ends_with(path, ".pvd") || rb_still_can_write(path);
}

// The most at the end of a segment, of the object with most of them.
static int count_spheres(const RbFilm *film, RbArena *arena, const char **name) {
    int most = 0;
    for (int s = 0; s < film->segment_count; s++) {
        const RbFilmSegment *g = &film->segments[s];
        if (g->drawing.size == 0 || g->row_count == 0) continue;
        RbMoment end = {.segment = s, .row = g->row_count - 1};
        for (int i = 0; i < g->drawn.object_count; i++) {
            int count = rb_film_spheres(film, end, i, arena).count;
            if (count > most) most = count, *name = g->drawn.objects[i].name;
        }
    }
    return most;
}

// Scenes of three.js have no clouds of spheres here.
static RbStatus tell_spheres(const RbFilm *film, RbPos at, RbArena *arena, RbDiag *diag) {
    static const char *const instead =
        ".glb has them, .obj, .ply and .stl have them at one time, `convert` to .pvd writes them for "
        "ParaView, `view` and `render` show them";
    const char *name = "";
    int count = count_spheres(film, arena, &name);
    if (count == 0) return RB_OK;
    if (rb_film_parts(film, arena).parts.count == 0)
        return rb_fail(diag, RB_ERROR_USAGE, at,
                       "there is nothing but spheres, %d of '%s', which this format has not: %s",
                       count, name, instead);
    rb_warn(diag, at, "%d spheres of '%s' are not in the file: %s", count, name, instead);
    return RB_OK;
}

RbStatus rb_export_write(const char *path, const RbResult *result, double time, RbArena *arena,
                         RbDiag *diag) {
    RbFilm film;
    if (!rb_export_can_write(path))
        return rb_fail(diag, RB_ERROR_USAGE, rb_place(diag, path),
                       "what is seen goes to files that end in .glb, .json, .obj, .ply or .stl, particles to .pvd");
    if (rb_text_ends_with(path, ".pvd"))
        return rb_particles_vtk_write(path, result, time, arena, diag);
    RB_TRY(rb_film_read(result, arena, diag, &film));
    if (!film.shows)
        return rb_fail(
            diag, RB_ERROR_USAGE, rb_place(diag, result->file),
            "the result has no three-dimensional data: only a journal (.rbj) of a model with "
            "bodies has");
    if (rb_text_ends_with(path, ".glb")) return rb_glb_write(path, &film, time, arena, diag);
    if (rb_text_ends_with(path, ".json")) {
        RB_TRY(tell_spheres(&film, rb_place(diag, path), arena, diag));
        return rb_three_json_write(path, &film, arena, diag);
    }
    double last = film.times[film.row_count - 1];
    return rb_still_write(path, &film, isnan(time) ? last : time, arena, diag);
}

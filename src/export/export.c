// SPDX-License-Identifier: MIT
#include "export/export.h"

#include <math.h>

#include "export/glb.h"
#include "export/still.h"
#include "export/three_json.h"
#include "io/place.h"

bool rb_export_can_write(const char *path) {
    return rb_text_ends_with(path, ".glb") || rb_text_ends_with(path, ".json") ||
           rb_still_can_write(path);
}

RbStatus rb_export_write(const char *path, const RbResult *result, double time, RbArena *arena,
                         RbDiag *diag) {
    RbFilm film;
    if (!rb_export_can_write(path))
        return rb_fail(diag, RB_ERROR_USAGE, rb_place(diag, path),
                       "what is seen goes to files that end in .glb, .json, .obj, .ply or .stl");
    RB_TRY(rb_film_read(result, arena, diag, &film));
    if (!film.shows)
        return rb_fail(
            diag, RB_ERROR_USAGE, rb_place(diag, result->file),
            "the result has no three-dimensional data: only a journal (.rbj) of a model with "
            "bodies has");
    if (rb_text_ends_with(path, ".glb")) return rb_glb_write(path, &film, arena, diag);
    if (rb_text_ends_with(path, ".json")) return rb_three_json_write(path, &film, arena, diag);
    double last = film.times[film.row_count - 1];
    return rb_still_write(path, &film, isnan(time) ? last : time, arena, diag);
}

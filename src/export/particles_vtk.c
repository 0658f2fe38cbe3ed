// SPDX-License-Identifier: MIT
#include "export/particles_vtk.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "io/place.h"
#include "io/tracks.h"
#include "io/vtk.h"

// ORDER RbTrack; names as in the files of a run (dem/cloud_vtk.c)
static const char *const names[RB_TRACK_COUNT] = {"place", "velocity", "quaternion", "spin",
                                                  "force"};

// Numbers of those that are there.
static int *find_present(const RbTrackView *diameters, RbArena *scratch, int *count) {
    int *ids = rb_new_array(scratch, int, diameters->count + 1);
    *count = 0;
    for (int i = 0; i < diameters->count; i++)
        if (rb_track_value(diameters, i, 0) != 0) ids[(*count)++] = i;
    return ids;
}

// What is not known of one is NaN.
static float *values_of(const RbTrackView *t, const int *ids, int count, RbArena *scratch) {
    float *out = rb_new_array(scratch, float, (size_t)count *(size_t)t->width + 1);
    for (int i = 0; i < count * t->width; i++) {
        int id = ids[i / t->width];
        out[i] = id < t->count ? (float)rb_track_value(t, id, i % t->width) : NAN;
    }
    return out;
}

static RbStatus write_frame(const RbTrackReader *r, const RbTrackView *diameters, const char *path,
                            RbArena scratch, RbDiag *diag) {
    RbTrackView place, t;
    int n, *ids = find_present(diameters, &scratch, &n);
    if (!rb_tracks_find(r, RB_TRACK_PLACE, &place)) n = 0;
    float *radii = values_of(diameters, ids, n, &scratch);
    int *order = rb_new_array(&scratch, int, n + 1);
    for (int i = 0; i < n; i++) radii[i] = fabsf(radii[i]) / 2, order[i] = i;
    RbVtk f = rb_vtk(&scratch, n, n > 0, 0);
    rb_text_add(&f.head, "<PointData Scalars=\"radius\">\n");
    rb_vtk_floats(&f, "radius", 1, radii, n);
    rb_vtk_ints(&f, "id", ids, n);
    for (int k = RB_TRACK_PLACE + 1; k < RB_TRACK_COUNT; k++) {
        if (rb_tracks_find(r, (RbTrack)k, &t))
            rb_vtk_floats(&f, names[k], t.width, values_of(&t, ids, n, &scratch), n);
    }
    rb_text_add(&f.head, "</PointData>\n<Points>\n");
    rb_vtk_floats(&f, "place", 3, n > 0 ? values_of(&place, ids, n, &scratch) : radii, n);
    rb_text_add(&f.head, "</Points>\n<Verts>\n");
    rb_vtk_ints(&f, "connectivity", order, n);
    rb_vtk_ints(&f, "offsets", &n, n > 0);
    rb_text_add(&f.head, "</Verts>\n");
    return rb_vtk_write(&f, path, diag);
}

// Where the files go: the folder, and the name without ending.
typedef struct Target {
    const char *folder, *name;
    int frames;
    double last; // [s]
} Target;

static Target target_of(const char *path, RbArena *arena) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t ending = strlen(".pvd");
    return (Target){.folder =
                        slash ? rb_arena_printf(arena, "%.*s", (int)(slash - path), path) : ".",
                    .name = rb_arena_printf(arena, "%.*s", (int)(strlen(name) - ending), name),
                    .last = -INFINITY};
}

// Rows of one time are both sides of an event: the first is written.
static RbStatus add_row(Target *to, const RbTrackReader *r, double time, RbArena *arena,
                        RbDiag *diag) {
    RbTrackView diameters;
    if (!rb_tracks_diameters(r, &diameters) || time <= to->last) return RB_OK;
    RbArena *scratch = rb_arena_child(arena);
    const char *file = rb_arena_printf(scratch, "%s/%s", to->folder,
                                       rb_vtk_frame_name(to->name, to->frames, scratch));
    RbStatus status = write_frame(r, &diameters, file, *scratch, diag);
    if (status == RB_OK)
        status = rb_vtk_list_frame(to->folder, to->name, to->frames, time, *scratch, diag);
    rb_arena_free(scratch);
    to->frames++;
    to->last = time;
    return status;
}

// The last row up to a time; there must be one, and the result must reach so far. [s]
static RbStatus check_time(const RbResult *result, double *time, RbDiag *diag) {
    RbResultCursor cursor = rb_result_cursor(result);
    double first = NAN, last = NAN, found = NAN;
    for (;;) {
        RbResultRun run;
        RB_TRY(rb_result_next(&cursor, diag, &run));
        if (run.count == 0) break;
        for (size_t i = 0; i < run.count; i++) {
            last = run.rows[i * (size_t)run.width];
            if (isnan(first)) first = last;
            if (last <= *time) found = last;
        }
    }
    if (!(*time >= first && *time <= last))
        return rb_fail(diag, RB_ERROR_USAGE, rb_place(diag, result->file),
                       "the time %g s is outside of the result, which goes from %g s to %g s",
                       *time, first, last);
    *time = found;
    return RB_OK;
}

RbStatus rb_particles_vtk_write(const char *path, const RbResult *result, double time,
                                RbArena *arena, RbDiag *diag) {
    bool all = isnan(time);
    if (!all) RB_TRY(check_time(result, &time, diag));
    RbTrackReader reader = rb_track_reader(result, arena);
    RbResultCursor cursor = rb_result_cursor(result);
    Target to = target_of(path, arena);
    for (int last = -1;;) {
        RbResultRun run;
        RB_TRY(rb_result_next(&cursor, diag, &run));
        if (run.count == 0) break;
        for (size_t i = 0; run.pictures && i < run.count; i++) {
            double now = run.rows[i * (size_t)run.width];
            RB_TRY(
                rb_tracks_next(&reader, run.segment, run.segment != last, run.pictures[i], diag));
            last = run.segment;
            if (all || now == time) RB_TRY(add_row(&to, &reader, now, arena, diag));
        }
    }
    if (to.frames > 0) return RB_OK;
    return rb_fail(
        diag, RB_ERROR_USAGE, rb_place(diag, result->file),
        "the result has no particles: only a journal (.rbj) of a run with particles has, "
        "unless it was told `--particle-results none`");
}

// SPDX-License-Identifier: MIT
// Particles of results (include/rattleback/result.h).
#include <math.h>
#include <rattleback/result.h>

#include "api/api_result.h"

// Pictures are unpacked one after another: from the present row on, or from the first of the segment.
static RbStatus go_to(RbResults *r, size_t row) {
    RB_CALL(r->context);
    const RbResult *result = r->result;
    RbDiag *diag = &r->context->diag;
    int s = 0;
    while (s + 1 < result->segments.count && result->segments.data[s + 1].first_row <= row) s++;
    const RbResultSegment *segment = &result->segments.data[s];
    size_t at = row - segment->first_row, from = 0;
    if (r->reading && r->particles.segment == s && r->row <= row)
        from = r->row - segment->first_row + 1;
    if (!r->reading) r->particles = rb_track_reader(result, &r->context->arena);
    r->reading = false;
    r->particles.object = segment->pictures ? r->particles.object : -1;
    for (size_t i = from; segment->pictures && i <= at; i++)
        RB_TRY(rb_tracks_next(&r->particles, s, i == 0, segment->pictures[i], diag));
    r->reading = segment->pictures != NULL;
    r->row = row;
    return RB_OK;
}

static RbStatus at_row(RbResults *r, size_t row, const char *function) {
    if (row >= r->result->row_count)
        return rb_bad_argument(r->context, function, "row", "is none of the rows of the result");
    if (r->reading && r->row == row) return RB_OK;
    return go_to(r, row);
}

static int count_of(const RbResults *r) {
    RbTrackView diameters;
    return r->reading && rb_tracks_diameters(&r->particles, &diameters) ? diameters.count : 0;
}

RbStatus rb_results_particles(RbResults *r, size_t row, int *count) {
    if (!r) return RB_ERROR_USAGE;
    RB_NEED(r->context, count);
    *count = 0;
    RB_TRY(at_row(r, row, __func__));
    *count = count_of(r);
    return RB_OK;
}

RbStatus rb_results_particle_values(RbResults *r, size_t row, RbTrack what, double *values) {
    RbTrackView diameters, track;
    if (!r) return RB_ERROR_USAGE;
    RB_NEED(r->context, values);
    if (what < RB_TRACK_PLACE || what >= RB_TRACK_COUNT)
        return rb_bad_argument(r->context, __func__, "what", "is none of the values of RbTrack");
    RB_TRY(at_row(r, row, __func__));
    int count = count_of(r), width = what == RB_TRACK_ROTATION ? 4 : 3;
    if (count == 0) return RB_OK;
    rb_tracks_diameters(&r->particles, &diameters);
    bool known = rb_tracks_find(&r->particles, what, &track) && track.width == width;
    for (int i = 0; i < count * width; i++) {
        int id = i / width;
        bool there = known && id < track.count && rb_track_value(&diameters, id, 0) != 0;
        values[i] = there ? rb_track_value(&track, id, i % width) : NAN;
    }
    return RB_OK;
}

RbStatus rb_results_particle_radii(RbResults *r, size_t row, double *radii) {
    RbTrackView diameters;
    if (!r) return RB_ERROR_USAGE;
    RB_NEED(r->context, radii);
    RB_TRY(at_row(r, row, __func__));
    int count = count_of(r);
    if (count > 0) rb_tracks_diameters(&r->particles, &diameters);
    for (int i = 0; i < count; i++) {
        double d = rb_track_value(&diameters, i, 0);
        radii[i] = d != 0 ? fabs(d) / 2 : NAN;
    }
    return RB_OK;
}

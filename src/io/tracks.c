// SPDX-License-Identifier: MIT
#include "io/tracks.h"

#include "base/text.h"
#include "io/place.h"

RbTrackReader rb_track_reader(const RbResult *result, RbArena *arena) {
    return (RbTrackReader){.result = result, .arena = arena, .segment = -1, .object = -1};
}

static int find_particles(const RbDrawn *d) {
    for (int i = 0; i < d->object_count; i++) {
        const RbDrawObject *o = &d->objects[i];
        bool named = strcmp(o->name, "grains") == 0 || rb_text_ends_with(o->name, ".grains");
        if (o->form == RB_FORM_SPHERES && named) return i;
    }
    return -1;
}

RbStatus rb_tracks_next(RbTrackReader *r, int segment, bool first, RbBlob coded, RbDiag *diag) {
    const RbResult *result = r->result;
    const char *wrong = NULL;
    if (segment != r->segment) {
        wrong = rb_drawn_read(result->segments.data[segment].drawing, result->meshes.count,
                              r->arena, &r->drawn);
        r->object = wrong ? -1 : find_particles(&r->drawn);
    }
    if (first) rb_codec_begin(&r->codec, r->drawn.room, r->arena);
    r->segment = segment;
    if (!wrong) wrong = rb_decode_picture(&r->codec, coded, &r->picture);
    return wrong ? rb_fail(diag, RB_ERROR_IO, rb_place(diag, result->file), "%s", wrong) : RB_OK;
}

static bool find_chunk(const RbTrackReader *r, unsigned kind, int width, RbTrackView *out) {
    RbChunkView c;
    for (size_t offset = 0; r->object >= 0 && rb_picture_next(r->picture, &offset, &c);) {
        if (c.object != (uint32_t)r->object || c.kind != kind) continue;
        if (c.item != 4 * (size_t)width || c.count > INT32_MAX) continue;
        *out = (RbTrackView){.width = width, .count = (int)c.count, .data = c.data};
        return true;
    }
    return false;
}

bool rb_tracks_find(const RbTrackReader *r, RbTrack what, RbTrackView *out) {
    RbChunkView c;
    for (size_t offset = 0; r->object >= 0 && rb_picture_next(r->picture, &offset, &c);) {
        if (c.object == (uint32_t)r->object && rb_track_view(&c, out) && out->what == (unsigned)what)
            return true;
    }
    return what == RB_TRACK_PLACE && find_chunk(r, RB_CHUNK_POINTS, 3, out);
}

bool rb_tracks_diameters(const RbTrackReader *r, RbTrackView *out) {
    return find_chunk(r, RB_CHUNK_DIAMETERS, 1, out);
}

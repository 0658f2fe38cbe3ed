// SPDX-License-Identifier: MIT
#include "export/film.h"

#include <math.h>

#include "geom/tessellate.h"
#include "io/codec.h"
#include "io/place.h"

// ---- reading

// Files in which everything stands are limited.
static const size_t most_bytes = (size_t)1 << 30;

static RbStatus too_large(const RbResult *r, RbDiag *diag) {
    return rb_fail(
        diag, RB_ERROR_USAGE, rb_place(diag, r->file),
        "there is more to see than one file can hold (1 GiB); record fewer points with a longer "
        "--output-interval");
}

static RbStatus open_segment(const RbResult *r, int index, RbArena *arena, RbDiag *diag,
                             RbFilmSegment *s) {
    const RbResultSegment *segment = &r->segments.data[index];
    *s = (RbFilmSegment){.drawing = segment->drawing,
                         .first_row = segment->first_row,
                         .row_count = segment->row_count};
    if (s->drawing.size == 0) return RB_OK;
    const char *wrong = rb_drawn_read(s->drawing, r->meshes.count, arena, &s->drawn);
    if (wrong)
        return rb_fail(diag, RB_ERROR_IO, rb_place(diag, r->file), "its drawing is not valid: %s",
                       wrong);
    if (7 * sizeof(float) * (size_t)s->drawn.moving_count * s->row_count > most_bytes)
        return too_large(r, diag);
    s->poses = rb_new_array(arena, float, 7 * (size_t)s->drawn.moving_count * s->row_count);
    s->moving = rb_new_array(arena, int, s->drawn.object_count);
    for (int i = 0, k = 0; i < s->drawn.object_count; i++)
        s->moving[i] = s->drawn.objects[i].moves ? k++ : -1;
    s->offsets = rb_new_array(arena, int, s->row_count + 1);
    s->chunks = rb_text(arena);
    return RB_OK;
}

// Poses go to their places; what else there is stays together.
static void add_picture(RbFilmSegment *s, RbBlob picture, size_t row) {
    size_t offset = 0, before = 0, n = (size_t)s->drawn.moving_count, k = 0;
    RbChunkView c;
    for (; rb_picture_next(picture, &offset, &c); before = offset) {
        RbTrackView track;
        if (rb_track_view(&c, &track) && track.what != RB_TRACK_PLACE) continue; // nobody sees it
        if (c.kind != RB_CHUNK_POSES) {
            rb_text_add_bytes(&s->chunks, (const char *)picture.bytes + before, offset - before);
            continue;
        }
        for (uint32_t i = 0; i < c.count && k < n; i++, k++) {
            for (size_t m = 0; m < 7; m++)
                s->poses[(m * n + k) * s->row_count + row] =
                    rb_get_f32(c.data + i * c.item + 4 * m);
        }
    }
    s->offsets[row + 1] = s->chunks.count;
}

RbStatus rb_film_read(const RbResult *r, RbArena *arena, RbDiag *diag, RbFilm *film) {
    *film = (RbFilm){.result = r, .row_count = r->row_count, .segment_count = r->segments.count};
    film->times = rb_new_array(arena, double, r->row_count);
    film->segments = rb_new_array(arena, RbFilmSegment, r->segments.count);
    for (int i = 0; i < r->segments.count; i++) {
        RB_TRY(open_segment(r, i, arena, diag, &film->segments[i]));
        film->shows |= film->segments[i].drawing.size > 0 && film->segments[i].row_count > 0;
    }
    RbResultCursor cursor = rb_result_cursor(r);
    RbCodec codec = {0};
    int last = -1;
    for (size_t row = 0;;) {
        RbResultRun run;
        RB_TRY(rb_result_next(&cursor, diag, &run));
        if (run.count == 0) return RB_OK;
        RbFilmSegment *s = &film->segments[run.segment];
        if (run.segment != last) rb_codec_begin(&codec, s->drawn.room, arena);
        last = run.segment;
        for (size_t i = 0; i < run.count; i++, row++) {
            RbBlob picture;
            film->times[row] = run.rows[i * (size_t)run.width];
            if (!run.pictures) continue;
            const char *wrong = rb_decode_picture(&codec, run.pictures[i], &picture);
            if (wrong) return rb_fail(diag, RB_ERROR_IO, rb_place(diag, r->file), "%s", wrong);
            if ((size_t)s->chunks.count + picture.size > most_bytes) return too_large(r, diag);
            add_picture(s, picture, row - s->first_row);
        }
    }
}

// ---- moments

RbMoment rb_film_at(const RbFilm *film, double time) {
    size_t low = 0, high = film->row_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (film->times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    int s = 0;
    while (s + 1 < film->segment_count && film->segments[s + 1].first_row <= low) s++;
    RbMoment m = {.segment = s, .row = low - film->segments[s].first_row};
    if (m.row + 1 < film->segments[s].row_count) {
        double t0 = film->times[low], t1 = film->times[low + 1];
        if (t1 > t0) m.fraction = fmin(1, fmax(0, (time - t0) / (t1 - t0)));
    }
    return m;
}

static Pose moving_pose(const RbFilmSegment *s, RbMoment m, size_t k) {
    size_t n = (size_t)s->drawn.moving_count, next = m.fraction > 0 ? m.row + 1 : m.row;
    double a[7], b[7], dot = 0;
    for (size_t c = 0; c < 7; c++) {
        a[c] = (double)s->poses[(c * n + k) * s->row_count + m.row];
        b[c] = (double)s->poses[(c * n + k) * s->row_count + next];
        if (c >= 3) dot += a[c] * b[c];
    }
    for (size_t c = 0; c < 7; c++) a[c] += m.fraction * ((c >= 3 && dot < 0 ? -b[c] : b[c]) - a[c]);
    return pose(v3(a[0], a[1], a[2]), q_unit((Quat){a[3], a[4], a[5], a[6]}));
}

Pose rb_film_pose(const RbFilm *film, RbMoment m, int object) {
    const RbFilmSegment *s = &film->segments[m.segment];
    const RbDrawObject *o = &s->drawn.objects[object];
    if (o->moves) return moving_pose(s, m, (size_t)s->moving[object]);
    const double *q = o->rotation;
    Pose own = pose(v3(o->position[0], o->position[1], o->position[2]),
                    q_unit((Quat){q[0], q[1], q[2], q[3]}));
    return o->parent < 0 ? own : pose_mul(rb_film_pose(film, m, o->parent), own);
}

bool rb_film_sees(const RbFilm *film, RbMoment m, int object) {
    RbChunkView c;
    if (!rb_film_chunk(film, m, RB_CHUNK_HIDDEN, object, &c)) return true;
    return rb_film_chunk(film, m, RB_CHUNK_CARRIED, object, &c); // what viewers show on request
}

// ---- what objects look like

static RbMesh stored_mesh(const RbFilm *film, int number, RbArena *arena) {
    RbDrawnMesh stored;
    if (rb_drawn_mesh(film->result->meshes.data[number], &stored)) return (RbMesh){0};
    Vec3 *vertices = rb_new_array(arena, Vec3, stored.vertex_count);
    RbTriangle *triangles = rb_new_array(arena, RbTriangle, stored.triangle_count);
    for (int i = 0; i < stored.vertex_count; i++) {
        const unsigned char *p = stored.vertices + 12 * (size_t)i;
        vertices[i] =
            v3((double)rb_get_f32(p), (double)rb_get_f32(p + 4), (double)rb_get_f32(p + 8));
    }
    for (int i = 0; i < stored.triangle_count; i++) {
        for (int k = 0; k < 3; k++)
            triangles[i].v[k] = (int)rb_get_u32(stored.triangles + 12 * (size_t)i + 4 * (size_t)k);
    }
    return (RbMesh){vertices, stored.vertex_count, triangles, stored.triangle_count};
}

RbMesh rb_film_mesh(const RbFilm *film, const RbDrawObject *o, RbArena *arena) {
    enum { CIRCLE = 32 };
    const double *d = o->size;
    RbShape shape;
    switch (o->form) {
        case RB_FORM_SPHERE: shape = rb_shape_sphere(d[0]); break;
        case RB_FORM_ELLIPSOID: shape = rb_shape_ellipsoid(v3(d[0], d[1], d[2])); break;
        case RB_FORM_BOX: shape = rb_shape_box(v3(d[0], d[1], d[2])); break;
        case RB_FORM_CYLINDER:
            shape = rb_shape_cylinder(o->axis, d[0], d[1]);
            shape.inner_diameter = d[2];
            break;
        case RB_FORM_CONE: shape = rb_shape_cone(o->axis, d[0], d[1], d[2]); break;
        case RB_FORM_CAPSULE: shape = rb_shape_capsule(o->axis, d[0], d[1]); break;
        case RB_FORM_BEAM: shape = rb_shape_beam(o->axis, d[0], d[1], d[2]); break;
        case RB_FORM_MESH: return stored_mesh(film, o->mesh, arena);
        default: return (RbMesh){0};
    }
    for (int i = 0; i < 3; i++) {
        if (!(d[i] >= 0)) return (RbMesh){0};
    }
    return d[0] > 0 ? rb_tessellate(&shape, CIRCLE, arena) : (RbMesh){0};
}

// ORDER PALETTE in viewer/src/forms.js
void rb_film_colour(const RbDrawn *drawn, int object, double rgba[4]) {
    static const unsigned palette[] = {0x4477aa, 0xee6677, 0x228833, 0xccbb44,
                                       0x66ccee, 0xaa3377, 0xbb7733, 0x7788cc};
    enum { FIXED = 0x9aa4ae, COUNT = sizeof palette / sizeof *palette };
    const RbDrawObject *o = &drawn->objects[object];
    if (o->colour[3] > 0 && !o->only_opacity) {
        for (int i = 0; i < 4; i++) rgba[i] = o->colour[i] / 255.0;
        return;
    }
    bool moves = o->moves;
    for (int i = o->parent; i >= 0; i = drawn->objects[i].parent) moves |= drawn->objects[i].moves;
    unsigned colour = moves ? palette[object % COUNT] : FIXED;
    for (int i = 0; i < 3; i++) rgba[i] = (colour >> (16 - 8 * i) & 255) / 255.0;
    rgba[3] = o->only_opacity ? o->colour[3] / 255.0 : 1;
}

Vec3 rb_film_up(const RbFilm *film) {
    for (int i = 0; i < film->segment_count; i++) {
        const RbDrawn *d = &film->segments[i].drawn;
        for (int k = 0; k < d->object_count; k++) {
            const double *g = d->objects[k].size;
            Vec3 down = v3(g[0], g[1], g[2]);
            if (d->objects[k].form == RB_FORM_GRAVITY && v3_norm(down) > 0)
                return v3_scale(-1 / v3_norm(down), down);
        }
    }
    return v3(0, 0, 1);
}

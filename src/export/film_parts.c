// SPDX-License-Identifier: MIT
#include "export/film_parts.h"

#include <string.h>

static bool has_surface(const RbDrawObject *o) {
    return o->form >= RB_FORM_SPHERE && o->form <= RB_FORM_MESH && o->form != RB_FORM_HALFSPACE;
}

static bool looks_the_same(const RbDrawObject *a, const RbDrawObject *b) {
    return strcmp(a->name, b->name) == 0 && a->form == b->form && a->axis == b->axis &&
           a->mesh == b->mesh && memcmp(a->size, b->size, sizeof a->size) == 0 &&
           memcmp(a->colour, b->colour, sizeof a->colour) == 0 &&
           a->only_opacity == b->only_opacity;
}

static bool hangs_on_moving(const RbDrawn *d, int object) {
    for (int i = object; i >= 0; i = d->objects[i].parent) {
        if (d->objects[i].moves) return true;
    }
    return false;
}

// The part that an object belongs to; a new one if none looks like it.
static RbFilmPart *part_of(RbFilmParts *p, const RbFilmSegment *s, int segment, int object,
                           RbArena *arena) {
    const RbDrawObject *o = &s->drawn.objects[object];
    int count = p->parts.count;
    // Drawings change little: the same number is most often the same part.
    for (int k = 0; k < count; k++) {
        RbFilmPart *part = &p->parts.data[(object + k) % count];
        if (part->in_segment[segment] < 0 && looks_the_same(part->object, o)) return part;
        if (segment == 0) break; // all are new
    }
    RbFilmPart part = {.object = o, .drawn = &s->drawn, .number = object, .always = true};
    part.in_segment = rb_new_array(arena, int, p->film->segment_count);
    for (int i = 0; i < p->film->segment_count; i++) part.in_segment[i] = -1;
    rb_array_push(&p->parts, arena, part);
    return &p->parts.data[p->parts.count - 1];
}

static void collect_frames(RbFilmParts *p, RbArena *arena) {
    const RbFilm *film = p->film;
    p->times = rb_new_array(arena, float, film->row_count);
    for (int s = 0; s < film->segment_count; s++) {
        for (size_t i = 0; i < film->segments[s].row_count; i++) {
            float t = (float)film->times[film->segments[s].first_row + i];
            if (p->frames.count > 0 && !(t > p->times[p->frames.count - 1])) p->frames.count--;
            p->times[p->frames.count] = t;
            rb_array_push(&p->frames, arena, (RbMoment){.segment = s, .row = i});
        }
    }
}

RbFilmParts rb_film_parts(const RbFilm *film, RbArena *arena) {
    RbFilmParts p = {.film = film};
    for (int s = 0; s < film->segment_count; s++) {
        const RbFilmSegment *segment = &film->segments[s];
        for (int i = 0; segment->drawing.size > 0 && i < segment->drawn.object_count; i++) {
            if (!has_surface(&segment->drawn.objects[i])) continue;
            RbFilmPart *part = part_of(&p, segment, s, i, arena);
            part->in_segment[s] = i;
            part->moves |= hangs_on_moving(&segment->drawn, i);
        }
    }
    collect_frames(&p, arena);
    for (int k = 0; k < p.parts.count; k++) {
        RbFilmPart *part = &p.parts.data[k];
        Pose X;
        for (int f = 0; f < p.frames.count && part->always; f++)
            part->always = rb_film_part_pose(&p, part, f, &X);
    }
    return p;
}

bool rb_film_part_pose(const RbFilmParts *p, const RbFilmPart *part, int frame, Pose *out) {
    RbMoment m = p->frames.data[frame];
    int object = part->in_segment[m.segment];
    if (object >= 0) {
        *out = rb_film_pose(p->film, m, object);
        return rb_film_sees(p->film, m, object);
    }
    for (int s = m.segment - 1; s >= 0; s--) {
        size_t rows = p->film->segments[s].row_count;
        if (part->in_segment[s] < 0 || rows == 0) continue;
        RbMoment last = {.segment = s, .row = rows - 1};
        *out = rb_film_pose(p->film, last, part->in_segment[s]);
        return false;
    }
    for (int s = m.segment + 1; s < p->film->segment_count; s++) {
        if (part->in_segment[s] < 0 || p->film->segments[s].row_count == 0) continue;
        *out = rb_film_pose(p->film, (RbMoment){.segment = s}, part->in_segment[s]);
        return false;
    }
    *out = POSE_IDENTITY;
    return false;
}

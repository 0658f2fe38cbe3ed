// SPDX-License-Identifier: MIT
// Bodies whose points move: where the vertices of their meshes are.
#include "export/film.h"

static RbBlob picture_at(const RbFilmSegment *s, size_t row) {
    int start = s->offsets[row];
    return (RbBlob){(unsigned char *)s->chunks.data + start, (size_t)(s->offsets[row + 1] - start)};
}

static bool find_in(RbBlob picture, RbChunkKind kind, int object, RbChunkView *c) {
    size_t offset = 0;
    while (rb_picture_next(picture, &offset, c))
        if (c->kind == (unsigned)kind && c->object == (uint32_t)object) return true;
    return false;
}

bool rb_film_chunk(const RbFilm *film, RbMoment m, RbChunkKind kind, int object, RbChunkView *c) {
    const RbFilmSegment *s = &film->segments[m.segment];
    return find_in(picture_at(s, m.row), kind, object, c) ||
           find_in(s->drawn.base, kind, object, c);
}

static Vec3 take_vec3(const unsigned char *p) {
    return v3((double)rb_get_f32(p), (double)rb_get_f32(p + 4), (double)rb_get_f32(p + 8));
}

static double u16_at(const unsigned char *p) {
    return p[0] | p[1] << 8;
}

// A film keeps tracks of places alone.
static bool find_places(const RbFilm *film, RbMoment m, int object, RbTrackView *track) {
    RbChunkView c;
    return rb_film_chunk(film, m, RB_CHUNK_TRACK, object, &c) && rb_track_view(&c, track) &&
           track->width == 3;
}

Vec3 *rb_film_points(const RbFilm *film, RbMoment m, int object, RbArena *arena, int *count) {
    RbChunkView c;
    RbTrackView t;
    *count = 0;
    if (find_places(film, m, object, &t)) {
        Vec3 *points = rb_new_array(arena, Vec3, t.count);
        *count = t.count;
        for (int i = 0; i < t.count; i++)
            points[i] = v3(rb_track_value(&t, i, 0), rb_track_value(&t, i, 1), rb_track_value(&t, i, 2));
        return points;
    }
    if (rb_film_chunk(film, m, RB_CHUNK_CLOSE_POINTS, object, &c)) {
        Vec3 low = take_vec3(c.data), step = take_vec3(c.data + 12);
        *count = (int)c.count - RB_CLOSE_HEAD;
        Vec3 *points = rb_new_array(arena, Vec3, *count);
        for (int i = 0; i < *count; i++) {
            const unsigned char *p = c.data + (size_t)(RB_CLOSE_HEAD + i) * c.item;
            points[i] = v3(low.x + step.x * u16_at(p), low.y + step.y * u16_at(p + 2),
                           low.z + step.z * u16_at(p + 4));
        }
        return points;
    }
    if (!rb_film_chunk(film, m, RB_CHUNK_POINTS, object, &c)) return NULL;
    *count = (int)c.count;
    Vec3 *points = rb_new_array(arena, Vec3, *count);
    for (int i = 0; i < *count; i++) points[i] = take_vec3(c.data + (size_t)i * c.item);
    return points;
}

bool rb_film_deforms(const RbFilm *film, RbMoment m, int object) {
    const RbFilmSegment *s = &film->segments[m.segment];
    RbChunkView c;
    bool carried = find_in(s->drawn.base, RB_CHUNK_CARRIED, object, &c);
    int points = carried ? s->drawn.objects[object].parent : object;
    RbBlob picture = picture_at(s, m.row);
    return find_in(picture, RB_CHUNK_CLOSE_POINTS, points, &c) ||
           find_in(picture, RB_CHUNK_TRACK, points, &c) ||
           find_in(picture, RB_CHUNK_POINTS, points, &c);
}

// Sum of weight times point. Numbers of points are below that of the parent's spheres, of which a picture may have fewer.
static Vec3 carry(const unsigned char *p, const Vec3 *points, int count) {
    Vec3 sum = V3_ZERO;
    for (size_t k = 0; k < RB_DRAW_CARRIERS; k++) {
        uint32_t point = rb_get_u32(p + 4 * k);
        double weight = (double)rb_get_f32(p + 4 * (RB_DRAW_CARRIERS + k));
        if (point < (uint32_t)count) sum = v3_axpy(sum, weight, points[point]);
    }
    return sum;
}

static Vec3 raise(const unsigned char *p, const Vec3 *points, int count) {
    Vec3 corner[3], offset = take_vec3(p + 20);
    for (size_t k = 0; k < 3; k++) {
        uint32_t point = rb_get_u32(p + 4 + 4 * k);
        if (point >= (uint32_t)count) return offset;
        corner[k] = points[point];
    }
    Vec3 n = v3_cross(v3_sub(corner[1], corner[0]), v3_sub(corner[2], corner[0]));
    return v3_axpy(offset, (double)rb_get_f32(p + 16), v3_unit_or(n, v3(0, 1, 0)));
}

Vec3 *rb_film_vertices(const RbFilm *film, RbMoment m, int object, int vertex_count,
                       RbArena *arena) {
    RbChunkView c;
    int count;
    if (!rb_film_chunk(film, m, RB_CHUNK_CARRIED, object, &c)) {
        Vec3 *own = rb_film_points(film, m, object, arena, &count);
        return count == vertex_count ? own : NULL;
    }
    if ((int)c.count != vertex_count) return NULL;
    int parent = film->segments[m.segment].drawn.objects[object].parent;
    const Vec3 *points = rb_film_points(film, m, parent, arena, &count);
    Vec3 *vertices = rb_new_array(arena, Vec3, vertex_count);
    for (int i = 0; i < vertex_count; i++)
        vertices[i] = carry(c.data + (size_t)i * c.item, points, count);
    if (!rb_film_chunk(film, m, RB_CHUNK_RAISED, object, &c)) return vertices;
    for (uint32_t i = 0; i < c.count; i++) {
        const unsigned char *p = c.data + i * c.item;
        uint32_t vertex = rb_get_u32(p);
        if (vertex < (uint32_t)vertex_count)
            vertices[vertex] = v3_add(vertices[vertex], raise(p, points, count));
    }
    return vertices;
}

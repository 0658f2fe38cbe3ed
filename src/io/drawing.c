// SPDX-License-Identifier: MIT
// Writing drawings and pictures.
#include "io/drawing.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/text.h"

// ---- the drawing

RbDrawing rb_drawing(RbArena *arena) {
    return (RbDrawing){.arena = arena};
}

RbDrawObject rb_draw_object(const char *name, RbForm form) {
    return (RbDrawObject){
        .name = name, .parent = RB_DRAW_WORLD, .partner = RB_DRAW_WORLD, .form = form, .axis = 3};
}

void rb_drawing_begin(RbDrawing *d) {
    d->first = d->objects.count;
    d->moving = d->chunks = 0;
    d->bytes = 0;
}

// Poses are one chunk, and so are contacts.
void rb_drawing_end(RbDrawing *d) {
    if (d->moving > 0) d->room += RB_CHUNK_HEAD + (size_t)d->moving * RB_POSE_BYTES;
    d->room += (size_t)d->chunks * RB_CHUNK_HEAD + d->bytes;
}

int rb_drawing_add(RbDrawing *d, const RbDrawObject *object) {
    RbDrawObject o = *object;
    int number = d->objects.count - d->first;
    RB_ASSERT(o.parent < number && o.partner < number); // they were added before
    o.name = rb_arena_text(d->arena, o.name ? o.name : "");
    o.text = o.text ? rb_arena_text(d->arena, o.text) : "";
    o.material = o.material ? rb_arena_text(d->arena, o.material) : "";
    if (o.parent >= 0) o.parent += d->first;
    if (o.partner >= 0) o.partner += d->first;
    if (o.moves) d->moving++;
    rb_array_push(&d->objects, d->arena, o);
    return number;
}

void rb_drawing_room(RbDrawing *d, int chunks, size_t bytes) {
    d->chunks += chunks;
    d->bytes += bytes;
}

RbPicture *rb_drawing_base(RbDrawing *d, int chunks, size_t bytes) {
    if (!d->base) d->base = rb_new(d->arena, RbPicture);
    RbPicture *b = d->base;
    size_t room = b->size + (size_t)chunks * RB_CHUNK_HEAD + bytes;
    if (room > b->capacity) {
        RbPicture larger = rb_picture(2 * room, d->arena);
        if (b->size > 0) memcpy(larger.bytes, b->bytes, b->size);
        larger.size = b->size;
        *b = larger;
    }
    rb_picture_begin(b, d->first);
    return b;
}

static void put_f32(unsigned char *to, double value) {
    float small = (float)value;
    uint32_t bits;
    memcpy(&bits, &small, sizeof bits);
    rb_put_u32(to, bits);
}

int rb_drawing_mesh(RbDrawing *d, const double *vertices, int vertex_count, const int *triangles,
                    int triangle_count) {
    size_t size = 8 + 12 * ((size_t)vertex_count + (size_t)triangle_count);
    unsigned char *bytes = rb_arena_push(d->arena, size, 1), *p = bytes + 8;
    rb_put_u32(bytes, (uint32_t)vertex_count);
    rb_put_u32(bytes + 4, (uint32_t)triangle_count);
    for (int i = 0; i < 3 * vertex_count; i++, p += 4) put_f32(p, vertices[i]);
    for (int i = 0; i < 3 * triangle_count; i++, p += 4) rb_put_u32(p, (uint32_t)triangles[i]);
    uint64_t key = rb_hash_bytes(RB_HASH_START, bytes, size);
    const uint64_t *known = rb_map_find(&d->mesh_of, key);
    if (known) return (int)*known;
    rb_map_set(&d->mesh_of, d->arena, key, (uint64_t)d->meshes.count);
    rb_array_push(&d->meshes, d->arena, (RbBlob){bytes, size});
    return d->meshes.count - 1;
}

// ---- its bytes

static void add_u32(RbText *t, uint32_t value) {
    unsigned char bytes[4];
    rb_put_u32(bytes, value);
    rb_text_add_bytes(t, (char *)bytes, sizeof bytes);
}

static void add_f32(RbText *t, const double *values, int count) {
    for (int i = 0; i < count; i++) {
        unsigned char bytes[4];
        put_f32(bytes, values[i]);
        rb_text_add_bytes(t, (char *)bytes, sizeof bytes);
    }
}

static void add_text(RbText *t, const char *text) {
    size_t length = strlen(text);
    add_u32(t, (uint32_t)length);
    rb_text_add_bytes(t, text, length);
}

// ORDER take_object in drawing_read.c, docs/formats.md, viewer/src/stream.js
static void add_object(RbText *t, const RbDrawObject *o, const uint32_t *mesh_numbers) {
    const double none[4] = {1, 0, 0, 0}, *q = o->rotation;
    bool turned = q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0;
    unsigned char head[8] = {(unsigned char)o->form, (unsigned char)o->axis,
                             (unsigned char)(o->moves | o->collides << 1 | o->only_opacity << 2),
                             0};
    memcpy(head + 4, o->colour, 4);
    rb_text_add_bytes(t, (char *)head, sizeof head);
    add_u32(t, (uint32_t)o->parent);
    add_u32(t, o->form == RB_FORM_MESH ? mesh_numbers[o->mesh] : 0);
    add_f32(t, o->size, RB_DRAW_SIZES);
    add_f32(t, o->position, 3);
    add_f32(t, turned ? q : none, 4);
    add_f32(t, &o->mass, 1);
    add_f32(t, o->centre, 3);
    add_text(t, o->name);
    add_text(t, o->text);
    add_text(t, o->material);
    add_u32(t, (uint32_t)o->partner);
}

RbBlob rb_drawing_encode(const RbDrawing *d, const uint32_t *mesh_numbers, RbArena *arena) {
    RbText t = rb_text(arena);
    add_u32(&t, (uint32_t)d->room);
    add_u32(&t, (uint32_t)d->objects.count);
    for (int i = 0; i < d->objects.count; i++) {
        int start = t.count;
        add_u32(&t, 0); // its size comes here
        add_object(&t, &d->objects.data[i], mesh_numbers);
        rb_put_u32((unsigned char *)t.data + start, (uint32_t)(t.count - start - 4));
    }
    add_u32(&t, d->base ? (uint32_t)d->base->size : 0);
    if (d->base) rb_text_add_bytes(&t, (const char *)d->base->bytes, d->base->size);
    return (RbBlob){(unsigned char *)t.data, (size_t)t.count};
}

// ---- pictures

RbPicture rb_picture(size_t capacity, RbArena *arena) {
    return (RbPicture){.bytes = rb_arena_push(arena, capacity + 1, 1),
                       .capacity = capacity,
                       .since = -INFINITY};
}

void rb_picture_clear(RbPicture *p) {
    p->size = 0;
    p->open = 0;
}

void rb_picture_begin(RbPicture *p, int first) {
    p->first = first;
    p->open = 0;
}

// Start a chunk with room for so many items; NULL: it does not fit.
static unsigned char *start_chunk(RbPicture *p, RbChunkKind kind, int object, int count,
                                  size_t item) {
    size_t size = RB_CHUNK_HEAD + item * (size_t)count;
    if (size > p->capacity - p->size) return NULL;
    unsigned char *head = p->bytes + p->size;
    rb_put_u32(head, (uint32_t)kind | (uint32_t)item << 16);
    rb_put_u32(head + 4, (uint32_t)(p->first + object));
    rb_put_u32(head + 8, (uint32_t)count);
    p->size += size;
    p->open = 0;
    return head + RB_CHUNK_HEAD;
}

// One more item of a chunk that was begun just before, or of a new one.
static unsigned char *add_item(RbPicture *p, RbChunkKind kind, size_t item) {
    unsigned char *head = p->open > 0 ? p->bytes + p->open - RB_CHUNK_HEAD : NULL;
    if (!head || rb_get_u32(head) != ((uint32_t)kind | (uint32_t)item << 16)) {
        if (!start_chunk(p, kind, 0, 0, item)) return NULL;
        p->open = p->size;
        head = p->bytes + p->open - RB_CHUNK_HEAD;
    }
    if (item > p->capacity - p->size) return NULL;
    rb_put_u32(head + 8, rb_get_u32(head + 8) + 1);
    p->size += item;
    return p->bytes + p->size - item;
}

static unsigned char *put_f32s(unsigned char *to, const double *values, int count) {
    for (int i = 0; i < count; i++, to += 4) put_f32(to, values[i]);
    return to;
}

void rb_picture_pose(RbPicture *p, const double r[3], const double q[4]) {
    unsigned char *to = add_item(p, RB_CHUNK_POSES, RB_POSE_BYTES);
    if (to) put_f32s(put_f32s(to, r, 3), q, 4);
}

void rb_picture_contact(RbPicture *p, const RbDrawContact *c) {
    unsigned char *to = add_item(p, RB_CHUNK_CONTACTS, RB_CONTACT_BYTES);
    if (!to) return;
    rb_put_u32(to, (uint32_t)(p->first + c->a));
    rb_put_u32(to + 4, (uint32_t)(p->first + c->b));
    to = put_f32s(to + 8, c->point, 3);
    to = put_f32s(to, c->normal, 3);
    to = put_f32s(to, c->force, 3);
    to = put_f32s(to, c->torque, 3);
    put_f32s(to, &c->depth, 1);
}

static void put_chunk(RbPicture *p, RbChunkKind kind, int object, const double *values, int count,
                      int width) {
    unsigned char *to = start_chunk(p, kind, object, count, 4 * (size_t)width);
    if (to) put_f32s(to, values, count * width);
}

void rb_picture_points(RbPicture *p, int object, const double *points, int count) {
    put_chunk(p, RB_CHUNK_POINTS, object, points, count, 3);
}

void rb_picture_values(RbPicture *p, int object, const double *values, int count) {
    put_chunk(p, RB_CHUNK_VALUES, object, values, count, 1);
}

void rb_picture_diameters(RbPicture *p, int object, const double *d, int count) {
    put_chunk(p, RB_CHUNK_DIAMETERS, object, d, count, 1);
}

// A resolution so fine that there are more steps than 31 bits hold is far beyond single precision.
static bool has_whole_steps(const double *values, int count, double step) {
    const double most = 2147483000;
    for (int i = 0; i < count; i++)
        if (fabs(values[i]) > most * step) return false;
    return true;
}

void rb_picture_track(RbPicture *p, int object, RbTrack what, double step, const double *values,
                      int width, int count) {
    unsigned char *to =
        start_chunk(p, RB_CHUNK_TRACK, object, RB_TRACK_HEAD + width * count, sizeof(uint32_t));
    if (!to) return;
    if (!has_whole_steps(values, width * count, step)) step = 0;
    rb_put_u32(to, (uint32_t)what | (uint32_t)width << 16);
    rb_put_u32(to + 4, 0);
    rb_put_f64(to + 8, step);
    to += RB_DRAW_TRACK;
    if (!(step > 0)) put_f32s(to, values, width * count);
    for (int i = 0; step > 0 && i < width * count; i++, to += 4) {
        double steps = isnan(values[i]) ? 0 : values[i] / step;
        rb_put_u32(to, (uint32_t)(int32_t)lround(steps));
    }
}

void rb_picture_hold(RbPicture *p, int object) {
    start_chunk(p, RB_CHUNK_HELD, object, 0, 0);
}

void rb_picture_colours(RbPicture *p, int object, const unsigned char *rgba, int count) {
    unsigned char *to = start_chunk(p, RB_CHUNK_COLOURS, object, count, 4);
    if (to) memcpy(to, rgba, 4 * (size_t)count);
}

void rb_picture_size(RbPicture *p, int object, const double *size) {
    put_chunk(p, RB_CHUNK_SIZES, object, size, 1, RB_DRAW_SIZES);
}

void rb_picture_lines(RbPicture *p, int object, const double *ends, int count) {
    put_chunk(p, RB_CHUNK_LINES, object, ends, count, 6);
}

void rb_picture_polygon(RbPicture *p, int object, const double *corners, int count) {
    put_chunk(p, RB_CHUNK_POLYGON, object, corners, count, 4);
}

void rb_picture_hide(RbPicture *p, int object) {
    start_chunk(p, RB_CHUNK_HIDDEN, object, 0, 0);
}

// ---- bodies that deform

static void put_u16(unsigned char *to, unsigned value) {
    to[0] = (unsigned char)value;
    to[1] = (unsigned char)(value >> 8);
}

// The box of points along an axis: its corner and the length of a step, as they are read again.
static void find_box(const double *points, int count, int axis, float *low, float *step) {
    double least = points[axis], most = points[axis];
    for (int i = 1; i < count; i++) {
        least = fmin(least, points[3 * i + axis]);
        most = fmax(most, points[3 * i + axis]);
    }
    *low = (float)least;
    *step = (float)((most - (double)*low) / 65535);
}

void rb_picture_close_points(RbPicture *p, int object, const double *points, int count) {
    unsigned char *to =
        count > 0 ? start_chunk(p, RB_CHUNK_CLOSE_POINTS, object, RB_CLOSE_HEAD + count, 6) : NULL;
    if (!to) return;
    for (int axis = 0; axis < 3; axis++) {
        float low, step;
        find_box(points, count, axis, &low, &step);
        put_f32(to + 4 * axis, (double)low);
        put_f32(to + 12 + 4 * axis, (double)step);
        for (int i = 0; i < count; i++) {
            double steps = step > 0 ? (points[3 * i + axis] - (double)low) / (double)step : 0;
            put_u16(to + 6 * (RB_CLOSE_HEAD + i) + 2 * axis,
                    (unsigned)(fmin(65535, fmax(0, steps)) + 0.5));
        }
    }
}

void rb_picture_strains(RbPicture *p, int object, const double *strains, int count) {
    unsigned char *to = start_chunk(p, RB_CHUNK_STRAINS, object, count, 2);
    for (int i = 0; to && i < count; i++, to += 2)
        put_u16(to, (unsigned)lround(fmin(32767, fmax(-32767, 1e4 * strains[i]))) & 0xffff);
}

void rb_picture_shade(RbPicture *p, int object, double scale) {
    put_chunk(p, RB_CHUNK_SHADE, object, &scale, 1, 1);
}

static unsigned char *put_u32s(unsigned char *to, const int *values, int count) {
    for (int i = 0; i < count; i++, to += 4) rb_put_u32(to, (uint32_t)values[i]);
    return to;
}

static bool is_raised(const RbDrawCarried *v) {
    return v->plane[0] >= 0 || v->offset[0] != 0 || v->offset[1] != 0 || v->offset[2] != 0;
}

void rb_picture_carried(RbPicture *p, int object, const RbDrawCarried *vertices, int count) {
    unsigned char *to = start_chunk(p, RB_CHUNK_CARRIED, object, count, RB_DRAW_CARRIED);
    int raised = 0;
    if (!to) return;
    for (int i = 0; i < count; i++) {
        to = put_u32s(to, vertices[i].point, RB_DRAW_CARRIERS);
        to = put_f32s(to, vertices[i].weight, RB_DRAW_CARRIERS);
        raised += is_raised(&vertices[i]);
    }
    to = raised > 0 ? start_chunk(p, RB_CHUNK_RAISED, object, raised, RB_DRAW_RAISED) : NULL;
    for (int i = 0; to && i < count; i++) {
        if (!is_raised(&vertices[i])) continue;
        to = put_u32s(put_u32s(to, &i, 1), vertices[i].plane, 3);
        to = put_f32s(put_f32s(to, &vertices[i].height, 1), vertices[i].offset, 3);
    }
}

static void put_numbers(RbPicture *p, RbChunkKind kind, int object, const int *numbers, int count,
                        int width) {
    unsigned char *to = start_chunk(p, kind, object, count, 4 * (size_t)width);
    if (to) put_u32s(to, numbers, count * width);
}

void rb_picture_connections(RbPicture *p, int object, const int *pairs, int count) {
    put_numbers(p, RB_CHUNK_CONNECTIONS, object, pairs, count, 2);
}

void rb_picture_gone(RbPicture *p, int object, const int *connections, int count) {
    put_numbers(p, RB_CHUNK_GONE, object, connections, count, 1);
}

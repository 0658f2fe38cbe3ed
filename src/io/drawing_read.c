// SPDX-License-Identifier: MIT
// Reading drawings and pictures; the bytes may be anything.
#include "io/drawing.h"

#include <math.h>

#include "io/codec.h"
#include "io/take.h"

// ---- pictures

bool rb_picture_next(RbBlob picture, size_t *offset, RbChunkView *chunk) {
    size_t left = picture.size - *offset;
    if (left < RB_CHUNK_HEAD) return false;
    const unsigned char *head = picture.bytes + *offset;
    uint32_t first = rb_get_u32(head);
    *chunk = (RbChunkView){.kind = first & 0xffff,
                           .item = first >> 16,
                           .object = rb_get_u32(head + 4),
                           .count = rb_get_u32(head + 8),
                           .data = head + RB_CHUNK_HEAD};
    uint64_t size = RB_CHUNK_HEAD + (uint64_t)chunk->item * chunk->count;
    if (size > left) return false;
    *offset += (size_t)size;
    return true;
}

// Bytes of an item of this version. ORDER RbChunkKind
static size_t item_bytes(unsigned kind) {
    const size_t bytes[RB_CHUNK_END] = {
        0, RB_POSE_BYTES,   RB_CONTACT_BYTES, 12, 4, 4, 4, 4 * RB_DRAW_SIZES, 24, 16, 0, 6, 2,
        4, RB_DRAW_CARRIED, RB_DRAW_RAISED,   8,  4, 4, 0, 1};
    return kind < RB_CHUNK_END ? bytes[kind] : 0;
}

static const char *check_contacts(const RbChunkView *c, const RbDrawn *drawn) {
    for (uint32_t i = 0; i < c->count; i++) {
        const unsigned char *p = c->data + i * c->item;
        bool known = rb_get_u32(p) < (uint32_t)drawn->object_count &&
                     rb_get_u32(p + 4) < (uint32_t)drawn->object_count;
        if (!known) return "a contact names an object that does not exist";
    }
    return NULL;
}

// Points that others name are those of the parent: spheres, which have a largest number.
static const char *check_points(const RbChunkView *c, const RbDrawn *drawn, size_t first,
                                int numbers) {
    int parent = drawn->objects[c->object].parent;
    if (parent < 0 || drawn->objects[parent].form != RB_FORM_SPHERES)
        return "an object hangs on points that do not exist";
    for (uint32_t i = 0; i < c->count; i++) {
        for (int k = 0; k < numbers; k++) {
            uint32_t point = rb_get_u32(c->data + i * c->item + first + 4 * (size_t)k);
            if (point != UINT32_MAX && !(point < drawn->objects[parent].size[0]))
                return "an object hangs on a point that does not exist";
        }
    }
    return NULL;
}

bool rb_track_view(const RbChunkView *c, RbTrackView *t) {
    if (c->kind != RB_CHUNK_TRACK || c->item != 4 || c->count < RB_TRACK_HEAD) return false;
    uint32_t first = rb_get_u32(c->data), words = c->count - RB_TRACK_HEAD, width = first >> 16;
    *t = (RbTrackView){.what = first & 0xffff,
                       .width = (int)width,
                       .step = rb_get_f64(c->data + 8),
                       .data = c->data + RB_DRAW_TRACK};
    if (width < 1 || width > 4 || words % width != 0 || words / width > INT32_MAX) return false;
    t->count = (int)(words / width);
    return t->step >= 0 && isfinite(t->step);
}

double rb_track_value(const RbTrackView *t, int point, int k) {
    const unsigned char *p = t->data + 4 * ((size_t)point * (size_t)t->width + (size_t)k);
    return t->step > 0 ? t->step * (double)(int32_t)rb_get_u32(p) : (double)rb_get_f32(p);
}

static const char *check_chunk(const RbChunkView *c, const RbDrawn *drawn) {
    RbTrackView track;
    switch (c->kind) {
        case RB_CHUNK_CONTACTS: return check_contacts(c, drawn);
        case RB_CHUNK_CARRIED: return check_points(c, drawn, 0, RB_DRAW_CARRIERS);
        case RB_CHUNK_RAISED: return check_points(c, drawn, 4, 3);
        case RB_CHUNK_CONNECTIONS: return check_points(c, drawn, 0, 2);
        case RB_CHUNK_CLOSE_POINTS: return c->count < RB_CLOSE_HEAD ? "points have no box" : NULL;
        case RB_CHUNK_TRACK: return rb_track_view(c, &track) ? NULL : "a track has no head";
        case RB_CHUNK_CODED: return rb_codec_check(c);
        default: return NULL;
    }
}

static const char *check_chunks(RbBlob picture, const RbDrawn *drawn) {
    size_t offset = 0;
    uint32_t poses = 0;
    RbChunkView c;
    while (rb_picture_next(picture, &offset, &c)) {
        if (c.kind == 0 || c.kind >= RB_CHUNK_END) continue; // of a later version
        if (c.object >= (uint32_t)drawn->object_count) return "a picture shows no such object";
        if (c.item < item_bytes(c.kind)) return "an item of a picture is too short";
        if (c.kind == RB_CHUNK_POSES) {
            if (c.count > (uint32_t)drawn->moving_count - poses)
                return "a picture has more poses than objects that move";
            poses += c.count;
        }
        const char *wrong = check_chunk(&c, drawn);
        if (wrong) return wrong;
    }
    return offset < picture.size ? "a picture is cut" : NULL;
}

const char *rb_picture_check(RbBlob picture, const RbDrawn *drawn) {
    if (picture.size > drawn->room) return "a picture is larger than announced";
    return check_chunks(picture, drawn);
}

// ---- drawings

static void take_f32(RbTake *in, double *values, int count) {
    for (int i = 0; i < count; i++) {
        const unsigned char *p = rb_take(in, 4);
        values[i] = p ? (double)rb_get_f32(p) : 0;
    }
}

static bool all_finite(const double *values, int count) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) return false;
    }
    return true;
}

// ORDER add_object in drawing.c. What a later version adds at the end is left alone.
static const char *take_object(RbTake in, int index, int mesh_count, RbArena *arena,
                               RbDrawObject *o) {
    const unsigned char *head = rb_take(&in, 8);
    if (!head) return "an object is too short";
    *o = (RbDrawObject){.form = (RbForm)head[0], .axis = head[1]};
    o->moves = (head[2] & 1) != 0;
    o->collides = (head[2] & 2) != 0;
    o->only_opacity = (head[2] & 4) != 0;
    memcpy(o->colour, head + 4, 4);
    o->parent = (int)rb_take_u32(&in);
    o->mesh = (int)rb_take_u32(&in);
    take_f32(&in, o->size, RB_DRAW_SIZES);
    take_f32(&in, o->position, 3);
    take_f32(&in, o->rotation, 4);
    take_f32(&in, &o->mass, 1);
    take_f32(&in, o->centre, 3);
    o->name = rb_take_text(&in, arena);
    o->text = rb_take_text(&in, arena);
    bool older = in.left == 0; // written before materials and partners were
    o->material = older ? "" : rb_take_text(&in, arena);
    o->partner = older ? RB_DRAW_WORLD : (int)rb_take_u32(&in);
    if (in.too_short) return "an object is too short";
    if (o->parent < RB_DRAW_WORLD || o->parent >= index) return "an object has no such parent";
    if (o->partner < RB_DRAW_WORLD || o->partner >= index) return "an object has no such partner";
    if (o->form >= RB_FORM_COUNT) o->form = RB_FORM_NONE; // of a later version
    if (o->form == RB_FORM_MESH && (o->mesh < 0 || o->mesh >= mesh_count))
        return "an object has no such mesh";
    if (o->axis < 1 || o->axis > 3) return "an object has no such axis";
    if (!all_finite(o->size, RB_DRAW_SIZES) || !all_finite(o->position, 3) ||
        !all_finite(o->rotation, 4))
        return "a number of an object is not finite";
    return NULL;
}

const char *rb_drawn_read(RbBlob bytes, int mesh_count, RbArena *arena, RbDrawn *out) {
    enum { SMALLEST_OBJECT = 4 };
    RbTake in = {bytes.bytes, bytes.size, false};
    *out = (RbDrawn){.room = rb_take_u32(&in)};
    uint32_t count = rb_take_u32(&in);
    if (count > in.left / SMALLEST_OBJECT) return "it announces more objects than fit into it";
    out->objects = rb_new_array(arena, RbDrawObject, count);
    out->object_count = (int)count;
    for (int i = 0; i < out->object_count; i++) {
        uint32_t size = rb_take_u32(&in);
        const unsigned char *p = rb_take(&in, size);
        if (!p) return "an object is too short";
        const char *wrong =
            take_object((RbTake){p, size, false}, i, mesh_count, arena, &out->objects[i]);
        if (wrong) return wrong;
        if (out->objects[i].moves) out->moving_count++;
    }
    if (in.left > 0) { // version 5
        out->base.size = rb_take_u32(&in);
        out->base.bytes = rb_take(&in, out->base.size);
        if (!out->base.bytes) return "what holds in all pictures is cut";
    }
    if (in.left > 0) return "it is longer than what it announces";
    return check_chunks(out->base, out);
}

const char *rb_drawn_mesh(RbBlob bytes, RbDrawnMesh *out) {
    RbTake in = {bytes.bytes, bytes.size, false};
    uint32_t vertices = rb_take_u32(&in), triangles = rb_take_u32(&in);
    *out = (RbDrawnMesh){.vertex_count = (int)vertices, .triangle_count = (int)triangles};
    out->vertices = rb_take(&in, 12 * (size_t)vertices);
    out->triangles = rb_take(&in, 12 * (size_t)triangles);
    if (in.too_short || in.left > 0) return "a mesh is not as long as it announces";
    for (size_t i = 0; i < 3 * (size_t)triangles; i++) {
        if (rb_get_u32(out->triangles + 4 * i) >= vertices) return "a triangle has no such corner";
    }
    return NULL;
}

// SPDX-License-Identifier: MIT
#include "export/touches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "io/drawing.h"
#include "math/vec3.h"

typedef struct Reader {
    RbTouches *touches;
    RbArena *arena;
    RbDrawn drawn; // of the present segment
    RbMap place;   // its objects a and b -> number of their pair
    Vec3 *sums;    // [N] per pair, of the present row
    int sum_count;
} Reader;

// Of the body that an object is part of.
static const char *body_name(const RbDrawn *d, int object) {
    const RbDrawObject *o = &d->objects[object];
    while (o->parent >= 0 && !o->moves) o = &d->objects[o->parent];
    return o->name;
}

static int find_pair(Reader *r, const char *a, const char *b) {
    for (int i = 0; i < r->touches->pairs.count; i++) {
        const RbTouchedPair *t = &r->touches->pairs.data[i];
        if (strcmp(t->a, a) == 0 && strcmp(t->b, b) == 0) return i;
    }
    RbTouchedPair fresh = {.a = rb_arena_text(r->arena, a), .b = rb_arena_text(r->arena, b)};
    rb_array_push(&r->touches->pairs, r->arena, fresh);
    return r->touches->pairs.count - 1;
}

static int pair_of(Reader *r, uint32_t a, uint32_t b) {
    uint64_t key = (uint64_t)a << 32 | b, *known = rb_map_find(&r->place, key);
    if (known) return (int)*known;
    int pair = find_pair(r, body_name(&r->drawn, (int)a), body_name(&r->drawn, (int)b));
    rb_map_set(&r->place, r->arena, key, (uint64_t)pair);
    return pair;
}

static void make_room(Reader *r, int pair) {
    if (pair < r->sum_count) return;
    int count = 2 * pair + 16;
    Vec3 *sums = rb_new_array(r->arena, Vec3, count);
    for (int i = 0; i < r->sum_count; i++) sums[i] = r->sums[i];
    for (int i = r->sum_count; i < count; i++) sums[i] = V3_ZERO;
    r->sums = sums;
    r->sum_count = count;
}

// A pair may touch in several points: what counts is what one body does to the other.
static void add_contact(Reader *r, const unsigned char *item, double time) {
    int pair = pair_of(r, rb_get_u32(item), rb_get_u32(item + 4));
    make_room(r, pair);
    Vec3 force = v3(rb_get_f32(item + 32), rb_get_f32(item + 36), rb_get_f32(item + 40));
    r->sums[pair] = v3_add(r->sums[pair], force);
    RbTouchedPair *t = &r->touches->pairs.data[pair];
    if (t->rows == 0) t->first = time;
    if (t->rows == 0 || t->last != time) t->rows++;
    t->last = time;
}

static void note_largest(Reader *r, double time) {
    for (int i = 0; i < r->touches->pairs.count; i++) {
        RbTouchedPair *t = &r->touches->pairs.data[i];
        double size = v3_norm(r->sums[i]);
        if (size > t->force) t->force = size, t->at = time;
    }
}

static void add_row(Reader *r, RbBlob picture, double time) {
    size_t offset = 0;
    RbChunkView c;
    int contacts = 0;
    for (int i = 0; i < r->touches->pairs.count && i < r->sum_count; i++) r->sums[i] = V3_ZERO;
    if (rb_picture_check(picture, &r->drawn)) return;
    while (rb_picture_next(picture, &offset, &c)) {
        if (c.kind != RB_CHUNK_CONTACTS || c.item < RB_CONTACT_BYTES) continue;
        for (uint32_t i = 0; i < c.count; i++) add_contact(r, c.data + i * c.item, time);
        contacts += (int)c.count;
    }
    note_largest(r, time);
    if (contacts > r->touches->most) r->touches->most = contacts;
}

static int by_force(const void *a, const void *b) {
    const RbTouchedPair *p = a, *q = b;
    if (p->force != q->force) return p->force > q->force ? -1 : 1;
    int names = strcmp(p->a, q->a);
    return names ? names : strcmp(p->b, q->b);
}

RbTouches rb_touches(const RbResult *result, RbArena *arena) {
    RbTouches touches = {0};
    Reader r = {.touches = &touches, .arena = arena};
    for (int k = 0; k < result->segments.count; k++) {
        const RbResultSegment *g = &result->segments.data[k];
        r.place = (RbMap){0};
        if (g->drawing.size == 0 || !g->pictures || !g->rows ||
            rb_drawn_read(g->drawing, result->meshes.count, arena, &r.drawn))
            continue;
        for (size_t i = 0; i < g->row_count; i++)
            add_row(&r, g->pictures[i], g->rows[i * (size_t)g->width]);
    }
    if (touches.pairs.count > 0)
        qsort(touches.pairs.data, (size_t)touches.pairs.count, sizeof *touches.pairs.data,
              by_force);
    return touches;
}

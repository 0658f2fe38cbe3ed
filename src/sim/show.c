// SPDX-License-Identifier: MIT
#include "sim/show.h"

#include "base/hash.h"

RbDrawing rb_system_draw(const RbSystem *s, int *first_objects, RbArena *arena) {
    RbDrawing drawing = rb_drawing(arena);
    for (int i = 0; i < s->part_count; i++) {
        const RbInstance *c = s->parts[i].instance;
        first_objects[i] = drawing.objects.count;
        if (!c->type->draw) continue;
        rb_drawing_begin(&drawing);
        c->type->draw(c->self, &drawing);
        rb_drawing_end(&drawing);
        for (int k = first_objects[i]; k < drawing.objects.count; k++) {
            RbDrawObject *o = &drawing.objects.data[k];
            o->name = rb_instance_join(c, o->name, arena);
        }
    }
    return drawing;
}

RbShow rb_show(RbHeap *heap, RbArena *arena) {
    return (RbShow){.meshes_arena = arena, .own = rb_arena(heap), .build = -1};
}

void rb_show_free(RbShow *show) {
    rb_arena_free(&show->own);
}

// Numbers are given in the order of appearance, as in a journal.
static uint32_t mesh_number(RbShow *w, RbBlob mesh) {
    uint64_t key = rb_hash_bytes(RB_HASH_START, mesh.bytes, mesh.size);
    const uint64_t *known = rb_map_find(&w->mesh_of, key);
    if (known) return (uint32_t)*known;
    const char *copy = rb_arena_bytes(w->meshes_arena, (const char *)mesh.bytes, mesh.size);
    rb_map_set(&w->mesh_of, w->meshes_arena, key, (uint64_t)w->meshes.count);
    rb_array_push(&w->meshes, w->meshes_arena, ((RbBlob){(const unsigned char *)copy, mesh.size}));
    return (uint32_t)(w->meshes.count - 1);
}

static void draw(RbShow *w, const RbSystem *s) {
    w->build = -1; // memory may run out in between
    w->drawing = (RbBlob){0};
    rb_arena_reset(&w->own);
    w->first_objects = rb_new_array(&w->own, int, s->part_count + 1);
    RbDrawing drawing = rb_system_draw(s, w->first_objects, &w->own);
    if (drawing.objects.count == 0) return;
    uint32_t *numbers = rb_new_array(&w->own, uint32_t, drawing.meshes.count + 1);
    for (int i = 0; i < drawing.meshes.count; i++)
        numbers[i] = mesh_number(w, drawing.meshes.data[i]);
    w->drawing = rb_drawing_encode(&drawing, numbers, &w->own);
    w->picture = rb_picture(drawing.room, &w->own);
}

RbStatus rb_show_drawing(RbShow *w, const RbLook *l, RbBlob *bytes) {
    if (w->build != l->sim->builds) draw(w, rb_sim_stage(l->sim)->system);
    w->build = l->sim->builds;
    *bytes = w->drawing;
    return RB_OK;
}

RbStatus rb_show_picture(RbShow *w, RbLook *l, RbBlob *bytes) {
    RbEvaluator *e;
    RbBlob drawing;
    *bytes = (RbBlob){0};
    RB_TRY(rb_show_drawing(w, l, &drawing));
    if (drawing.size == 0) return RB_OK;
    RB_TRY(rb_look_evaluate(l, &e));
    rb_evaluate_picture(e, w->first_objects, &w->picture);
    *bytes = (RbBlob){w->picture.bytes, w->picture.size};
    return RB_OK;
}

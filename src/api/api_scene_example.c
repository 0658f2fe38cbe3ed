// SPDX-License-Identifier: MIT
// Scenes that are built in, and questions about a scene (include/rattleback/scene.h).
#include <string.h>

#include "api/api_scene.h"
#include "classes/shipped.h"
#include "contact/describe.h"
#include "scene/scene_describe.h"
#include "rattleback/modelica.h"
#include "scenes.h"

bool rb_scene_example(int index, const char **name, const char **description) {
    if (index < 0) return false;
    for (int i = 0; i <= index; i++) {
        if (!rb_scene_cases[i].name) return false;
    }
    if (name) *name = rb_scene_cases[index].name;
    if (description) *description = rb_scene_cases[index].description;
    return true;
}

bool rb_modelica_scene(const char *scene, RbModelica *source) {
    const RbSceneCase *c = scene ? rb_scene_case(scene) : NULL;
    if (!c || !c->file || !source) return false;
    for (const RbShippedFile *f = rb_shipped_scenes; f->path; f++) {
        if (strcmp(f->path, c->file) != 0) continue;
        source->file = f->path;
        source->text = f->text;
        source->class_name = c->class;
        return true;
    }
    return false;
}

static RbStatus fail_unknown(RbContext *c, const char *name) {
    RbNear near = {.wanted = name};
    for (const RbSceneCase *k = rb_scene_cases; k->name; k++) rb_text_try_near(&near, k->name);
    return rb_fail(&c->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "there is no scene '%s'; rb_scene_example lists them%s", name,
                   rb_text_near_question(&near, "", &c->arena));
}

RbStatus rb_builder_open(RbContext *c, const char *name, RbSceneBuilder **builder) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, builder);
    *builder = NULL;
    RB_NEED(c, name);
    RB_CALL(c);
    const RbSceneCase *example = rb_scene_case(name);
    if (!example) return fail_unknown(c, name);
    RbSceneBuilder *b = rb_new(&c->arena, RbSceneBuilder);
    *b = (RbSceneBuilder){.context = c,
                          .scene = rb_scene_new(&c->arena),
                          .name = example->name,
                          .up = Q_IDENTITY,
                          .example = example};
    RB_TRY(rb_scene_read_materials(b->scene, NULL, &c->diag));
    rb_scene_case_build(example, b->scene);
    *builder = b;
    return RB_OK;
}

// -------------------------------------------------------------------------------------------------
// questions

RbStatus rb_builder_describe(const RbSceneBuilder *b, const char **text) {
    if (!b) return RB_ERROR_USAGE;
    RB_NEED(b->context, text);
    *text = NULL;
    RB_CALL(b->context);
    RbText out = rb_text(&b->context->arena);
    rb_scene_describe(b->scene, b->context->scratch, &out);
    *text = rb_text_done(&out);
    return RB_OK;
}

const char *rb_builder_object(const RbSceneBuilder *b, int object) {
    bool there = b && object >= 0 && object < b->scene->objects.count;
    return there ? b->scene->objects.data[object].object.name : NULL;
}

int rb_builder_find(const RbSceneBuilder *b, const char *name) {
    return b && name ? rb_scene_find(b->scene, name) : RB_NONE;
}

const char *rb_builder_material(const RbSceneBuilder *b, int index) {
    bool there = b && index >= 0 && index < b->scene->materials.solids.count;
    return there ? b->scene->materials.solids.data[index].name : NULL;
}

int rb_builder_pair_count(const RbSceneBuilder *b) {
    return b ? b->scene->materials.pairs.count : 0;
}

RbStatus rb_builder_describe_materials(const RbSceneBuilder *b, const char **text) {
    if (!b) return RB_ERROR_USAGE;
    RB_NEED(b->context, text);
    *text = NULL;
    RB_CALL(b->context);
    RbText out = rb_text(&b->context->arena);
    rb_materials_list(&b->scene->materials, &out);
    *text = out.data;
    return RB_OK;
}

RbStatus rb_builder_describe_pair(const RbSceneBuilder *b, const char *ball, const char *plate,
                                  const char **text) {
    if (!b) return RB_ERROR_USAGE;
    RB_NEED(b->context, ball);
    RB_NEED(b->context, plate);
    RB_NEED(b->context, text);
    *text = NULL;
    RB_CALL(b->context);
    RbContext *c = b->context;
    RbText out = rb_text(&c->arena);
    RB_TRY(rb_materials_describe(&b->scene->materials, ball, plate, &c->diag, &out));
    *text = rb_text_done(&out);
    return RB_OK;
}

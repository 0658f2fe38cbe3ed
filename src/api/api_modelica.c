// SPDX-License-Identifier: MIT
// Models written in Modelica (include/rattleback/modelica.h).
#include <string.h>

#include "api/api_context.h"
#include "classes/declared.h"
#include "classes/walk.h"
#include "model/modelica.h"
#include "model/overview.h"
#include "syntax/lex.h"

RbModelica rb_modelica_default(void) {
    return (RbModelica){0};
}

static RbModelicaOpener opener_of(RbContext *c, const RbModelica *source) {
    return (RbModelicaOpener){.source = source,
                              .registry = &c->registry,
                              .log = &c->log,
                              .arena = &c->arena,
                              .scratch = &c->scratch,
                              .diag = &c->diag};
}

// What all functions that are given a source have in common.
static RbStatus check_source(RbContext *c, const char *function, const RbModelica *s) {
    if (!s) return rb_bad_argument(c, function, "source", "is NULL");
    if (s->optimize < RB_OPTIMIZE_NEVER || s->optimize > RB_OPTIMIZE_ALWAYS)
        return rb_bad_argument(c, function, "source->optimize", "is none of RbOptimize");
    if (s->residual_systems < RB_RESIDUAL_AUTO || s->residual_systems > RB_RESIDUAL_NEVER)
        return rb_bad_argument(c, function, "source->residual_systems",
                               "is none of RbResidualSystems");
    if (!(s->translation_memory >= 0 && s->translation_memory <= 1e9))
        return rb_bad_argument(c, function, "source->translation_memory",
                               "is not a number from 0 to 1e9");
    if (!(s->translation_seconds >= 0))
        return rb_bad_argument(c, function, "source->translation_seconds",
                               "is not a number from 0 on");
    return RB_OK;
}

RbStatus rb_modelica_translate(RbContext *context, const RbModelica *source, RbModel **model) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, model);
    *model = NULL;
    RB_TRY(check_source(context, __func__, source));
    RB_CALL(context);
    RbModelicaOpener opener = opener_of(context, source);
    RbModel *m;
    RB_TRY(rb_modelica_model(&opener, &m));
    m->context = context;
    m->inputs = opener.inputs;
    *model = m;
    return RB_OK;
}

RbStatus rb_modelica_open(RbContext *context, const char *file, const char *class_name,
                          RbModel **model) {
    RbModelica source = rb_modelica_default();
    source.file = file;
    source.class_name = class_name;
    return rb_modelica_translate(context, &source, model);
}

// -------------------------------------------------------------------------------------------------
// without a model

RbStatus rb_modelica_check(RbContext *context, const RbModelica *source, RbModelInfo *info) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, info);
    *info = (RbModelInfo){0};
    RB_TRY(check_source(context, __func__, source));
    RB_CALL(context);
    RbModelicaOpener opener = opener_of(context, source);
    RB_TRY(rb_modelica_run_translation(&opener));
    *info = rb_translation_overview(&opener.translation);
    return RB_OK;
}

RbStatus rb_modelica_dump(RbContext *context, const RbModelica *source, const char *stage,
                          const char **text) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, text);
    *text = NULL;
    RB_NEED(context, stage);
    RB_TRY(check_source(context, __func__, source));
    RB_CALL(context);
    RbText out = rb_text(&context->arena);
    if (!rb_translate_has_stage(stage))
        return rb_fail(&context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "there is no stage '%s'; there are: ast, inst, flat, sorted, c", stage);
    RbModelicaOpener opener = opener_of(context, source);
    opener.stage = stage;
    opener.dump = &out;
    RB_TRY(rb_modelica_run_translation(&opener));
    *text = rb_text_done(&out);
    return RB_OK;
}

// -------------------------------------------------------------------------------------------------
// packages

typedef struct ClassList {
    RbArena *arena;
    RbLibrary *library;
    RB_ARRAY(RbModelicaClass) classes;
} ClassList;

// Is the class around it a package? A function in a model serves that model alone.
static bool is_in_package(const ClassList *list, const char *full_name) {
    const char *dot = strrchr(full_name, '.');
    if (!dot) return true;
    const char *outer = rb_arena_printf(list->arena, "%.*s", (int)(dot - full_name), full_name);
    RbAstClass *class = rb_library_class(list->library, outer);
    return class && class->restriction == RB_KIND_PACKAGE;
}

static bool is_shown(const ClassList *list, const char *full_name, const RbAstClass *c) {
    RbRestriction r = c->restriction;
    if (c->partial) return false;
    if (r == RB_KIND_FUNCTION) return is_in_package(list, full_name);
    if (r == RB_KIND_TYPE) return c->literal_count > 0;
    return r == RB_KIND_MODEL || r == RB_KIND_BLOCK || r == RB_KIND_CONNECTOR ||
           r == RB_KIND_RECORD;
}

static void add_class(void *user, const char *full_name, RbName name, RbAstClass *class) {
    ClassList *list = user;
    (void)name;
    if (!class || !is_shown(list, full_name, class)) return;
    RbModelicaClass c = {rb_arena_text(list->arena, full_name),
                         rb_ast_strings(&class->text, list->arena)};
    rb_array_push(&list->classes, list->arena, c);
}

RbStatus rb_modelica_package(RbContext *context, const RbModelica *source,
                             RbModelicaPackage *package) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, package);
    *package = (RbModelicaPackage){0};
    RB_TRY(check_source(context, __func__, source));
    RB_CALL(context);
    RbModelicaOpener opener = opener_of(context, source);
    ClassList list = {.arena = &context->arena};
    const char *name;
    RB_TRY(rb_modelica_library(&opener, &list.library, &name));
    RbLibrary *library = list.library;
    RbAstClass *class = rb_library_class(library, name);
    bool is_package = class && class->restriction == RB_KIND_PACKAGE;
    if (is_package) rb_classes_walk(library, class, name, true, add_class, &list);
    *package = (RbModelicaPackage){.name = name,
                                   .is_package = is_package,
                                   .classes = list.classes.data,
                                   .count = list.classes.count};
    return RB_OK;
}

RbStatus rb_modelica_declared(RbContext *context, const RbModelica *source,
                              RbModelicaDeclared *declared) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, declared);
    *declared = (RbModelicaDeclared){0};
    RB_TRY(check_source(context, __func__, source));
    RB_CALL(context);
    RbModelicaOpener opener = opener_of(context, source);
    RbLibrary *library;
    const char *name;
    RB_TRY(rb_modelica_library(&opener, &library, &name));
    return rb_class_declared(library, name, declared);
}

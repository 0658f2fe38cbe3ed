// SPDX-License-Identifier: MIT
#include "model/modelica.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "expr/print.h"
#include "fmi/modelica_class.h"
#include "fmi/system_structure.h"
#include "model/translated.h"
#include "translate/equation_half.h"

static RbStatus add_libraries(const RbModelicaOpener *o, RbLibrary *library) {
    const char *const *folders = o->source->libraries;
    for (int i = 0; folders && folders[i]; i++) {
        struct stat info;
        if (stat(folders[i], &info) != 0 || !S_ISDIR(info.st_mode))
            return rb_fail(o->diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "library '%s': there is no such folder", folders[i]);
        rb_library_add_path(library, folders[i]);
    }
    const char *list = getenv("MODELICAPATH");
    if (list) rb_library_add_path_list(library, list);
    return RB_OK;
}

// The classes that an FMU is.
static RbStatus add_fmu(const RbModelicaOpener *o, RbLibrary *library, const char **last) {
    RbFmi *fmi;
    RB_TRY(rb_fmi_open(o->source->file, o->arena, o->diag, &fmi));
    const char *text = rb_fmi_source(fmi, o->arena);
    return rb_library_add_text(library, fmi->path, text, strlen(text), last);
}

// A system of FMUs.
static RbStatus add_system(const RbModelicaOpener *o, RbLibrary *library, const char **last) {
    const char *text;
    RB_TRY(rb_system_structure_text(o->source->file, o->arena, o->diag, &text));
    return rb_library_add_text(library, rb_arena_text(o->arena, o->source->file), text, strlen(text), last);
}

static RbStatus add_source(const RbModelicaOpener *o, RbLibrary *library, const char **last) {
    const RbModelica *s = o->source;
    if (s->text) { // messages quote it when the caller has freed or edited it
        const char *file = rb_arena_text(o->arena, s->file ? s->file : "text");
        return rb_library_add_text(library, file, rb_arena_text(o->arena, s->text),
                                   strlen(s->text), last);
    }
    if (s->file && rb_text_ends_with(s->file, ".fmu")) return add_fmu(o, library, last);
    bool is_system = s->file && (rb_text_ends_with(s->file, ".ssd") || rb_text_ends_with(s->file, ".ssp"));
    if (is_system) return add_system(o, library, last);
    if (s->file) return rb_library_add_file(library, s->file, last);
    if (s->class_name) return RB_OK;
    return rb_fail(o->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "neither a Modelica file nor the name of a class is given");
}

static RbTranslateOptions options_of(const RbModelicaOpener *o) {
    const RbModelica *s = o->source;
    RbTranslateOptions t = {.registry = o->registry,
                            .strict_units = s->strict_units,
                            .stage = o->stage,
                            .dump = o->dump};
    t.no_external = s->no_external;
    t.multibody_engine = s->multibody_engine;
    t.max_bytes = s->translation_memory * 1e9;
    t.max_seconds = s->translation_seconds;
    t.code.log = o->log;
    t.code.background = s->optimize == RB_OPTIMIZE_AUTO;
    if (s->optimize == RB_OPTIMIZE_ALWAYS) t.code.backend = RB_BACKEND_OPTIMIZED;
    if (s->residual_systems == RB_RESIDUAL_ALWAYS) t.residual_min = 2;
    if (s->residual_systems == RB_RESIDUAL_NEVER) t.residual_min = INT_MAX;
    return t;
}

RbStatus rb_modelica_library(const RbModelicaOpener *o, RbLibrary **library,
                             const char **class_name) {
    RbNames *names = rb_new(o->arena, RbNames);
    *names = rb_names(o->arena);
    *library = rb_library(names, o->arena, o->scratch, o->diag);
    const char *last = NULL;
    RB_TRY(add_libraries(o, *library));
    RB_TRY(add_source(o, *library, &last));
    *class_name = o->source->class_name ? o->source->class_name : last;
    if (*class_name) return RB_OK;
    return rb_fail(o->diag, RB_ERROR_MODEL, rb_in_file(o->source->file),
                   "there is no class in this text; it needs a model");
}

RbStatus rb_modelica_run_translation(RbModelicaOpener *o) {
    RB_TRY(rb_modelica_library(o, &o->library, &o->class_name));
    RbTranslateOptions options = options_of(o);
    return rb_translate(o->library, o->class_name, &options, o->arena, *o->scratch, o->diag, &o->translation);
}

// Of the equations and functions: a checkpoint of others does not fit.
static uint64_t hash_of(const RbTranslation *t, RbArena scratch) {
    uint64_t hash = rb_sorted_hash(t->dae, scratch);
    for (int i = 0; i < t->flat->component_functions.count; i++)
        hash = rb_hash_mix(hash ^ rb_sorted_hash(t->functions[i].program->dae, scratch));
    RbText text = rb_text(&scratch);
    rb_functions_print(t->dae->model, &text);
    for (int i = 0; i < t->dae->model->functions.count; i++) {
        const char *c_text = t->dae->model->functions.data[i]->external.include;
        if (c_text) rb_text_add(&text, c_text);
    }
    return text.count > 0 ? rb_hash_bytes(hash, text.data, (size_t)text.count) : hash;
}

RbStatus rb_modelica_model(RbModelicaOpener *o, RbModel **model) {
    RB_TRY(rb_modelica_run_translation(o));
    RbTranslation *t = rb_new(o->arena, RbTranslation);
    RbModel *m;
    *t = o->translation;
    RB_TRY(rb_model_translated(t, o->arena, o->diag, &m));
    m->translation = t;
    m->equations_hash = hash_of(t, *o->scratch);
    if (o->source->input_file) {
        RB_TRY(rb_input_file(t->program, o->source->input_file, o->arena, *o->scratch, o->diag,
                             &o->inputs));
        rb_equations_inputs(rb_model_equations(m)->self, o->inputs);
        m->equations_hash = rb_input_file_hash(o->inputs, m->equations_hash);
    }
    *model = m;
    return RB_OK;
}

// SPDX-License-Identifier: MIT
#include "translate/translate.h"

#include <string.h>

#include "expr/print.h"

static const char *const stages[] = {"ast", "inst", "flat", "sorted", "c"};

bool rb_translate_has_stage(const char *stage) {
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        if (strcmp(stages[i], stage) == 0) return true;
    }
    return false;
}

static bool stop_after(const RbTranslateOptions *o, const char *stage) {
    return o->stage && strcmp(o->stage, stage) == 0;
}

// Parts of the engine that stand for those of the standard library; see RbClasses.replaced.
static const char *const engine_parts[] = {"Modelica.Mechanics.MultiBody", "Rattleback.MultiBody",
                                           "Rattleback", NULL};

static RbStatus translate(RbLibrary *library, const char *class_name, const RbTranslateOptions *o,
                          const char *const *replaced, bool *any_replaced, RbArena *keep,
                          RbArena scratch, RbDiag *diag, RbTranslation *out) {
    RbComponentSearch search = {.registry = o->registry, .no_external = o->no_external, .arena = keep, .diag = diag};
    RbFlattenOptions flatten = {.strict_units = o->strict_units,
                                .contribute = rb_contribute,
                                .find_roles = rb_find_roles,
                                .contributed = rb_contributed,
                                .contribute_user = &search,
                                .replaced = replaced,
                                .any_replaced = any_replaced};
    if (stop_after(o, "inst")) flatten.instances = o->dump;
    if (stop_after(o, "ast")) {
        RbAstClass *class = rb_library_class(library, class_name);
        if (!class)
            return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE, "there is no class '%s'", class_name);
        rb_ast_print_class(class, 0, o->dump);
        return RB_OK;
    }
    RB_TRY(rb_flatten(library, class_name, flatten, &out->flat));
    out->flat->no_external = o->no_external;
    out->components = search.found;
    RB_TRY(rb_function_programs(out->flat, &o->code, keep, scratch, diag, &out->functions));
    if (stop_after(o, "inst")) return RB_OK;
    if (stop_after(o, "flat")) {
        rb_flat_print(out->flat, o->dump);
        return RB_OK;
    }
    RbDaeOptions sort = {.residual_min = o->residual_min, .no_row_solutions = o->no_row_solutions};
    RB_TRY(rb_dae_sort(out->flat, &sort, keep, scratch, diag, &out->dae));
    if (out->flat->imbalance)
        return rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE, "%s", out->flat->imbalance);
    if (stop_after(o, "sorted")) {
        rb_sorted_print(out->dae, o->dump);
        return RB_OK;
    }
    RB_TRY(rb_program(out->dae, &o->code, keep, scratch, diag, &out->program));
    if (stop_after(o, "c")) rb_text_add(o->dump, out->program->source.text.data);
    return RB_OK;
}

typedef struct Call {
    RbLibrary *library;
    const char *class_name;
    const RbTranslateOptions *options;
    RbArena *keep, scratch;
    RbDiag *diag;
    RbTranslation *out;
} Call;

// By the engine; false: it does not know something, which is told, and the model is taken as equations.
static bool translate_by_engine(const Call *c) {
    int messages = c->diag->messages.count, errors = c->diag->error_count;
    bool any = false;
    RbStatus status = translate(c->library, c->class_name, c->options, engine_parts, &any, c->keep,
                                c->scratch, c->diag, c->out);
    if (status == RB_OK) return true;
    if (!any) return false; // the same will be said once more
    const RbMessage *first = NULL;
    for (int i = c->diag->messages.count - 1; i >= messages; i--) {
        if (c->diag->messages.data[i].severity == RB_ERROR) first = &c->diag->messages.data[i];
    }
    RbPos at = first ? first->at : RB_NOWHERE;
    const char *why = first ? first->text : "";
    c->diag->messages.count = messages;
    c->diag->error_count = errors;
    *c->out = (RbTranslation){0};
    rb_note(c->diag, at,
            "Modelica.Mechanics.MultiBody stays equations here, since the engine does not know all "
            "that the model uses: %s",
            why);
    return false;
}

static RbStatus translate_call(void *argument) {
    Call *c = argument;
    if (c->options->multibody_engine && translate_by_engine(c)) return RB_OK;
    return translate(c->library, c->class_name, c->options, NULL, NULL, c->keep, c->scratch,
                     c->diag, c->out);
}

// A few lines of text may describe more than any machine can hold: two components of a class with
// two components of a class, and so on. So translation has a budget.
RbStatus rb_translate(RbLibrary *library, const char *class_name, const RbTranslateOptions *o,
                      RbArena *keep, RbArena scratch, RbDiag *diag, RbTranslation *out) {
    *out = (RbTranslation){0};
    RbHeap *heap = keep->heap;
    double bytes = o->max_bytes > 0 ? o->max_bytes : RB_TRANSLATE_BYTES;
    double seconds = o->max_seconds > 0 ? o->max_seconds : RB_TRANSLATE_SECONDS;
    Call call = {library, class_name, o, keep, scratch, diag, out};
    rb_diag_busy(diag, "class", class_name, RB_NOWHERE);
    rb_heap_limit(heap, (size_t)bytes, seconds);
    RbStatus status = rb_protect(heap, translate_call, &call);
    bool spent = heap->budget.spent;
    heap->budget = (RbBudget){0};
    if (status != RB_ERROR_MEMORY) return status;
    if (!spent) rb_heap_fail(heap);
    *out = (RbTranslation){0};
    return rb_fail(diag, RB_ERROR_MODEL, diag->busy_at,
                   "the translation of '%s' needs more than %.3g GB or %.3g s, which is the limit; "
                   "it was busy with the %s '%s'",
                   class_name, bytes * 1e-9, seconds, diag->busy_kind,
                   diag->busy_name ? diag->busy_name : "");
}

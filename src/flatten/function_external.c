// SPDX-License-Identifier: MIT
// External functions: calls of C (specification, 12.9).
#include "flatten/function.h"
#include "classes/resource.h"

const RbClassPart *rb_external_part(const RbClassPart *part) {
    if (part->def->external) return part;
    for (int i = 0; i < part->bases.count; i++) {
        const RbClassPart *found = rb_external_part(part->bases.data[i]);
        if (found) return found;
    }
    return NULL;
}

static const char *text_of(RbFrontEnd *fe, const RbAstExpr *e) {
    return e && e->kind == RB_AST_STRING ? rb_string_value(e->text.start, e->text.length, fe->arena)
                                         : NULL;
}

// A folder of an annotation, or the one below Resources that libraries use by custom.
static const char *folder_annotation(RbFrontEnd *fe, const RbClassPart *part,
                                     const RbAstMod *annotation, const char *name,
                                     const char *custom) {
    const char *text = text_of(fe, rb_annotation(annotation, name));
    if (text) return rb_resource_path(fe->library, text);
    return rb_arena_printf(fe->arena, "%s/Resources/%s",
                           rb_resource_folder(fe->library, part->owner->full_name), custom);
}

static void lower_library_annotations(RbFrontEnd *fe, const RbClassPart *part,
                                      const RbAstMod *annotation, RbExternal *out) {
    // at the clause, or by mistake at the function
    if (!rb_annotation(annotation, "Library") && !rb_annotation(annotation, "Include"))
        annotation = part->def->annotation;
    const RbAstExpr *library = rb_annotation(annotation, "Library");
    bool list = library && library->kind == RB_AST_ARRAY;
    for (int i = 0; library && i < (list ? library->kid_count : 1); i++) {
        const char *text = text_of(fe, list ? library->kids[i] : library);
        if (text && *text) rb_array_push(&out->libraries, fe->arena, text);
    }
    out->include = text_of(fe, rb_annotation(annotation, "Include"));
    out->library_directory = folder_annotation(fe, part, annotation, "LibraryDirectory", "Library");
    out->include_directory = folder_annotation(fe, part, annotation, "IncludeDirectory", "Include");
    out->source_directory = folder_annotation(fe, part, annotation, "SourceDirectory", "Source");
}

static void push_fields(RbFunctionBuilder *b, const RbVal *v, RbText *layout) {
    static const char letters[] = {'d', 'i', 'i', 's', 'i', 'o'}; // ORDER RbType
    if (v->kind == RB_VAL_EXPR) {
        rb_array_push(&b->f->external.args, b->fe->arena, v->e);
        rb_text_printf(layout, "%c", v->rank > 0 ? '?' : letters[v->type]);
        return;
    }
    rb_text_add(layout, "{");
    for (int i = 0; i < v->field_count; i++) push_fields(b, &v->fields[i], layout);
    rb_text_add(layout, "}");
}

static void push_external(RbFunctionBuilder *b, const RbVal *v) {
    RbText layout = rb_text(b->fe->arena);
    if (v->kind == RB_VAL_RECORD)
        push_fields(b, v, &layout);
    else if (v->kind == RB_VAL_EXPR)
        rb_array_push(&b->f->external.args, b->fe->arena, v->e);
    else
        return;
    rb_array_push(&b->f->external.layouts, b->fe->arena,
                  (const char *)(layout.data ? layout.data : ""));
}

// Without a call in the text: all inputs in order, arrays followed by their sizes; a single output
// is the result.
static void default_external(RbFunctionBuilder *b, RbClass *class) {
    RbFrontEnd *fe = b->fe;
    int outputs = 0;
    for (int i = 0; i < class->components.count; i++)
        outputs += class->components.data[i]->clause->causality == RB_AST_OUTPUT;
    for (int i = 0; i < class->components.count; i++) {
        const RbElem *e = class->components.data[i];
        const RbVal *v = &b->frame->locals[i];
        if (e->clause->causality == RB_AST_OUTPUT && outputs == 1 && v->kind == RB_VAL_EXPR &&
            v->rank == 0) {
            b->f->external.result = v->e;
            continue;
        }
        if (e->clause->causality == RB_AST_ACAUSAL) continue;
        push_external(b, v);
        for (int k = 0; v->kind == RB_VAL_EXPR && k < v->rank; k++) {
            rb_array_push(&b->f->external.args, fe->arena,
                          rb_builtin2(fe->x, RB_FN_SIZE, v->e, rb_integer(fe->x, k + 1)));
            rb_array_push(&b->f->external.layouts, fe->arena, (const char *)"");
        }
    }
}

bool rb_lower_external(RbFunctionBuilder *b, RbClass *class, const RbClassPart *part) {
    RbFrontEnd *fe = b->fe;
    const RbAstExternal *x = part->def->external;
    RbPlace ctx = {.scope = (RbClassPart *)(uintptr_t)part, .frame = b->frame};
    b->f->kind = RB_FUNCTION_EXTERNAL;
    RbExternal *out = &b->f->external;
    out->language = x->language.length > 0
                        ? rb_string_value(x->language.start, x->language.length, fe->arena)
                        : "C";
    out->name = x->function ? x->function : part->def->name;
    lower_library_annotations(fe, part, x->annotation, out);
    if (!x->function) {
        default_external(b, class);
        return true;
    }
    if (x->result) {
        RbVal v = rb_lower_expr(fe, &ctx, x->result);
        if (v.kind == RB_VAL_RECORD && v.field_count > 0) v = v.fields[0];
        if (v.kind != RB_VAL_EXPR) return false;
        out->result = v.e;
    }
    for (int i = 0; i < x->argument_count; i++) {
        RbVal v = rb_lower_expr(fe, &ctx, x->arguments[i]);
        if (v.kind == RB_VAL_ERROR) return false;
        push_external(b, &v);
    }
    return true;
}

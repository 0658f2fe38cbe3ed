// SPDX-License-Identifier: MIT
// Functions: their components as locals, their algorithm as statements, external functions as calls
// of C.
#include <string.h>

#include "modelica/frontend.h"
#include "modelica/resource.h"

// --- locals --------------------------------------------------------------------------------------

static RbPlace frame_context(RbFrontEnd *fe, RbFunctionFrame *frame, RbClassPart *scope) {
    RbPlace ctx = {.scope = scope, .frame = frame};
    if (scope->owner != frame->class) ctx.inst = rb_inst_static(fe, scope->owner);
    return ctx;
}

static const RbModifier *first_value(RbMods mods) {
    for (int i = 0; i < mods.count; i++) {
        const RbModifier *m = &mods.list[i];
        if (m->mod && m->mod->value && !m->no_value && m->mod->value->kind != RB_AST_BREAK)
            return m;
    }
    return NULL;
}

static const RbModifier *value_of(RbFrontEnd *fe, RbElem *e, RbMods *mods) {
    *mods = rb_elem_mods(fe->classes, e);
    return first_value(*mods);
}

// The default of a component that has no local (an argument that was left out, a constant).
RbVal rb_frame_local(RbFrontEnd *fe, RbFunctionFrame *frame, RbElem *e) {
    if (e->number == 0) return rb_val_error();
    int at = e->number - 1;
    if (frame->known[at]) return frame->locals[at];
    RbMods mods;
    const RbModifier *m = value_of(fe, e, &mods);
    if (!m) {
        // A record without a binding may get its fields from their defaults.
        RbClass *class = rb_elem_class(fe->classes, e);
        if (class && rb_class_ready(fe->classes, class) && rb_class_is_record(class) &&
            e->component->dimension_count == 0) {
            rb_class_list(fe->classes, class);
            RbInst *inst = rb_inst_static(fe, class);
            RbVal v = rb_val_of_inst(fe, inst);
            return v;
        }
        return rb_val_error();
    }
    frame->known[at] = true;
    frame->locals[at] = rb_val_error(); // a default that needs itself
    RbPlace ctx = frame_context(fe, frame, m->scope);
    RbVal v = rb_val_single(rb_lower_expr(fe, &ctx, m->mod->value));
    frame->locals[at] = v;
    return v;
}

typedef struct Builder {
    RbFrontEnd *fe;
    RbFunctionFrame *frame;
    RbFunction *f;
} Builder;

// Dimensions of a component, as expressions over the inputs; false if something is wrong.
static bool local_dims(Builder *b, RbElem *e, RbClass *class, RbVal *v, const RbExpr **exprs) {
    RbFrontEnd *fe = b->fe;
    for (int pass = 0; pass < 2 + class->dimensions.count; pass++) {
        const RbDimensions *type = pass >= 2 ? &class->dimensions.data[pass - 2] : NULL;
        int count = pass == 0   ? e->component->dimension_count
                    : pass == 1 ? e->clause->dimension_count
                                : type->count;
        RbAstExpr **list = pass == 0   ? e->component->dimensions
                           : pass == 1 ? e->clause->dimensions
                                       : type->list;
        RbPlace ctx = frame_context(fe, b->frame, pass < 2 ? e->scope : type->scope);
        for (int i = 0; i < count; i++) {
            if (v->rank == RB_RANK_MAX) {
                rb_fail(fe->diag, RB_ERROR_MODEL, list[i]->at, "'%s' has more than %d dimensions",
                        e->name, RB_RANK_MAX);
                return false;
            }
            exprs[v->rank] = NULL;
            v->dims[v->rank] = -1;
            if (list[i]->kind != RB_AST_COLON) {
                RbVal n = rb_lower_expr(fe, &ctx, list[i]);
                if (n.kind == RB_VAL_CLASS && n.class->enumeration) {
                    n = (RbVal){.kind = RB_VAL_EXPR,
                                .type = RB_INTEGER,
                                .e = rb_integer(fe->x, n.class->enumeration->literal_count)};
                }
                if (n.kind != RB_VAL_EXPR || n.type != RB_INTEGER) {
                    if (n.kind != RB_VAL_ERROR) {
                        rb_fail(fe->diag, RB_ERROR_MODEL, list[i]->at,
                                "the size of '%s' must be Integer, but this is %s", e->name,
                                rb_val_type_name(fe, &n));
                    }
                    return false;
                }
                exprs[v->rank] = n.e;
                if (n.e->op == RB_OP_INTEGER) v->dims[v->rank] = (int)n.e->integer;
            }
            v->rank++;
        }
    }
    return true;
}

// Add a variable per field. Outer dimensions of an array of records come first.
static RbVal add_local(Builder *b, RbClass *class, const char *name, RbVal shape,
                       const RbExpr *const *dims) {
    RbFrontEnd *fe = b->fe;
    if (!rb_class_ready(fe->classes, class)) return rb_val_error();
    if (class->is_type || class->is_external_object) {
        RbFunctionVar var = {.name = rb_intern(fe->names, name),
                             .type = class->is_external_object ? RB_EXTERNAL : class->type,
                             .rank = shape.rank};
        for (int i = 0; i < shape.rank; i++) var.dims[i] = dims[i];
        if (var.type == RB_ENUM) var.enumeration = rb_flat_enumeration(fe, class);
        rb_array_push(&b->f->vars, fe->arena, var);
        shape.kind = RB_VAL_EXPR;
        shape.type = var.type;
        shape.class = class;
        shape.e = rb_local(fe->x, b->f->vars.count - 1, var.type, var.rank);
        return shape;
    }
    if (!rb_class_is_record(class)) return rb_val_error();
    rb_class_list(fe->classes, class);
    RbVal v = shape;
    v.kind = RB_VAL_RECORD;
    v.class = class;
    v.field_count = class->components.count;
    v.fields = rb_new_array(fe->arena, RbVal, v.field_count + 1);
    for (int i = 0; i < v.field_count; i++) {
        RbElem *e = class->components.data[i];
        RbClass *type = rb_elem_class(fe->classes, e);
        if (!type || !rb_class_ready(fe->classes, type)) return rb_val_error();
        RbVal field = {.rank = shape.rank};
        memcpy(field.dims, shape.dims, sizeof field.dims);
        const RbExpr *all[RB_RANK_MAX];
        for (int k = 0; k < shape.rank; k++) all[k] = dims[k];
        RbFunctionFrame record = {.class = class,
                                  .locals = v.fields,
                                  .known = rb_new_array(fe->arena, bool, v.field_count + 1),
                                  .function = b->f};
        for (int k = 0; k < i; k++) record.known[k] = true;
        Builder inner = {fe, &record, b->f};
        if (!local_dims(&inner, e, type, &field, all)) return rb_val_error();
        v.fields[i] =
            add_local(b, type, rb_arena_printf(fe->arena, "%s.%s", name, e->name), field, all);
        if (v.fields[i].kind == RB_VAL_ERROR) return rb_val_error();
    }
    return v;
}

static bool declare(Builder *b, RbElem *e) {
    RbFrontEnd *fe = b->fe;
    RbClass *class = rb_elem_class(fe->classes, e);
    if (!class || !rb_class_ready(fe->classes, class)) return false;
    RbVal shape = {0};
    const RbExpr *dims[RB_RANK_MAX];
    if (rb_class_is_function(class)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->component->at,
                "'%s' is a function as an argument, which is not supported", e->name);
        return false;
    }
    if (!local_dims(b, e, class, &shape, dims)) return false;
    RbVal v = add_local(b, class, e->name, shape, dims);
    if (v.kind == RB_VAL_ERROR) {
        if (!class->is_type && !rb_class_is_record(class)) {
            rb_fail(fe->diag, RB_ERROR_MODEL, e->component->at,
                    "'%s' in a function is a %s; only types and records are possible", e->name,
                    rb_restriction_name(class->restriction));
        }
        return false;
    }
    b->frame->locals[e->number - 1] = v;
    b->frame->known[e->number - 1] = true;
    return true;
}

static void bind_local(Builder *b, const RbVal *local, const RbVal *value) {
    if (local->kind == RB_VAL_RECORD) {
        for (int i = 0; i < local->field_count; i++)
            bind_local(b, &local->fields[i], &value->fields[i]);
        return;
    }
    b->f->vars.data[local->e->index].binding = value->e;
}

// Record r(a = 1, b = 2): values of single fields.
static bool lower_field_defaults(Builder *b, const RbVal *local, RbMods mods) {
    RbFrontEnd *fe = b->fe;
    for (int i = 0; local->kind == RB_VAL_RECORD && i < local->field_count; i++) {
        const RbElem *e = local->class->components.data[i];
        RbMods of_field = rb_mods_of(fe->arena, mods, e->name);
        const RbModifier *m = first_value(of_field);
        if (!m) {
            if (!lower_field_defaults(b, &local->fields[i], of_field)) return false;
            continue;
        }
        RbPlace ctx = frame_context(fe, b->frame, m->scope);
        RbVal v = rb_lower_expr(fe, &ctx, m->mod->value);
        v = rb_val_convert(fe, v, &local->fields[i], m->mod->value->at,
                           rb_arena_printf(fe->arena, "the value of '%s'", e->name));
        if (v.kind == RB_VAL_ERROR) return false;
        bind_local(b, &local->fields[i], &v);
    }
    return true;
}

// Start value of an output or protected variable.
static bool lower_default(Builder *b, RbElem *e) {
    RbFrontEnd *fe = b->fe;
    RbMods mods;
    const RbModifier *m = value_of(fe, e, &mods);
    if (!m) return lower_field_defaults(b, &b->frame->locals[e->number - 1], mods);
    RbVal *local = &b->frame->locals[e->number - 1];
    RbPlace ctx = frame_context(fe, b->frame, m->scope);
    RbVal v = rb_lower_expr(fe, &ctx, m->mod->value);
    v = rb_val_convert(fe, v, local, m->mod->value->at,
                       rb_arena_printf(fe->arena, "the value of '%s'", e->name));
    if (v.kind == RB_VAL_ERROR) return false;
    // A size that the declaration leaves open is that of the value.
    if (local->kind == RB_VAL_EXPR) {
        RbFunctionVar *var = &b->f->vars.data[local->e->index];
        for (int i = 0; i < var->rank; i++) {
            if (!var->dims[i]) {
                var->dims[i] = v.dims[i] >= 0
                                   ? rb_integer(fe->x, v.dims[i])
                                   : rb_builtin2(fe->x, RB_FN_SIZE, v.e, rb_integer(fe->x, i + 1));
            }
        }
    }
    bind_local(b, local, &v);
    return true;
}

// --- external functions --------------------------------------------------------------------------

static const RbClassPart *external_part(const RbClassPart *part) {
    if (part->def->external) return part;
    for (int i = 0; i < part->bases.count; i++) {
        const RbClassPart *found = external_part(part->bases.data[i]);
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

static void push_fields(Builder *b, const RbVal *v, RbText *layout) {
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

static void push_external(Builder *b, const RbVal *v) {
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
static void default_external(Builder *b, RbClass *class) {
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

static bool lower_external(Builder *b, RbClass *class, const RbClassPart *part) {
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

// --- annotations ---------------------------------------------------------------------------------

// Is this the input, or a field of it? The fields of a record are inputs of their own: R.T, R.w.
static bool is_input(const char *input, const char *name) {
    size_t length = strlen(input);
    return strncmp(input, name, length) == 0 && (name[length] == 0 || name[length] == '.');
}

static bool mentions(const RbAstMod *mod, const char *what, RbName name) {
    for (int i = 0; mod && i < mod->count; i++) {
        const RbAstArgument *a = &mod->arguments[i];
        const RbAstExpr *v = a->mod ? a->mod->value : NULL;
        if (a->name.count == 1 && strcmp(a->name.parts[0], what) == 0 && v &&
            v->kind == RB_AST_REF && is_input(v->parts[0].name, name))
            return true;
    }
    return false;
}

// annotation(derivative(order = 1, noDerivative = x) = f_der)
static void lower_derivatives(RbFrontEnd *fe, RbClass *class, RbFunction *f) {
    const RbAstMod *annotation = class->root->def->annotation;
    for (int i = 0; annotation && i < annotation->count; i++) {
        const RbAstArgument *a = &annotation->arguments[i];
        if (a->element || a->name.count != 1 || strcmp(a->name.parts[0], "derivative") != 0)
            continue;
        if (!a->mod || !a->mod->value || a->mod->value->kind != RB_AST_REF) continue;
        const RbAstExpr *ref = a->mod->value;
        RbAstName name = {.at = ref->at, .global = ref->global, .count = ref->kid_count};
        name.parts = rb_new_array(fe->arena, RbName, name.count);
        for (int k = 0; k < name.count; k++) name.parts[k] = ref->parts[k].name;
        RbClass *of = rb_lookup_class(fe->classes, class->root, &name, "derivative function");
        if (!of || !rb_class_ready(fe->classes, of)) continue;
        RbFunctionDerivative d = {.order = 1};
        const RbAstExpr *order = rb_annotation(a->mod, "order");
        if (order && order->kind == RB_AST_INTEGER && order->text.length == 1)
            d.order = order->text.start[0] - '0';
        unsigned char *inputs = rb_new_array(fe->arena, unsigned char, f->input_count + 1);
        for (int k = 0; k < f->input_count; k++) {
            if (mentions(a->mod, "noDerivative", f->vars.data[k].name))
                inputs[k] = RB_INPUT_IGNORED;
            if (mentions(a->mod, "zeroDerivative", f->vars.data[k].name)) inputs[k] = RB_INPUT_ZERO;
        }
        d.inputs = inputs;
        d.function = rb_lower_function(fe, of, ref->at);
        if (d.function >= 0) rb_array_push(&f->derivatives, fe->arena, d);
    }
}

static void lower_annotations(RbFrontEnd *fe, RbClass *class, RbFunction *f) {
    const RbAstExpr *inlined = rb_class_annotation(fe->classes, class, "Inline");
    const RbAstExpr *late = rb_class_annotation(fe->classes, class, "LateInline");
    f->is_inline = (inlined && inlined->kind == RB_AST_TRUE) || (late && late->kind == RB_AST_TRUE);
    const RbAstExpr *after = rb_class_annotation(fe->classes, class, "InlineAfterIndexReduction");
    f->inline_after_index = after && after->kind == RB_AST_TRUE;
    const RbAstExpr *smooth = rb_class_annotation(fe->classes, class, "smoothOrder");
    if (smooth && smooth->kind == RB_AST_INTEGER && smooth->text.length <= 3)
        f->smooth_order = smooth->text.start[0] - '0';
    f->is_impure = class->root->def->impure;
    lower_derivatives(fe, class, f);
}

// --- the function --------------------------------------------------------------------------------

static bool declare_all(Builder *b, RbClass *class) {
    RbFunction *f = b->f;
    for (int pass = 0; pass < 3; pass++) { // inputs, outputs, the rest
        for (int i = 0; i < class->components.count; i++) {
            RbElem *e = class->components.data[i];
            int kind = e->clause->causality == RB_AST_INPUT    ? 0
                       : e->clause->causality == RB_AST_OUTPUT ? 1
                                                               : 2;
            if (kind != pass) continue;
            if (kind == 2 && (e->clause->variability == RB_AST_CONSTANT))
                continue; // its value is put in place
            if (!declare(b, e)) return false;
        }
        if (pass == 0) f->input_count = f->vars.count;
        if (pass == 1) f->output_count = f->vars.count - f->input_count;
    }
    for (int i = 0; i < class->components.count; i++) {
        RbElem *e = class->components.data[i];
        bool constant =
            e->clause->variability == RB_AST_CONSTANT && e->clause->causality == RB_AST_ACAUSAL;
        if (e->clause->causality != RB_AST_INPUT && !constant && !lower_default(b, e)) return false;
    }
    return true;
}

static bool lower_body(Builder *b, RbClass *class, RbPos at) {
    RbFrontEnd *fe = b->fe;
    const RbClassPart *external = external_part(class->root);
    if (external) return lower_external(b, class, external);
    bool any = false;
    for (int i = 0; i < class->sections.count; i++) {
        const RbSectionRef *s = &class->sections.data[i];
        if (s->section->kind != RB_AST_ALGORITHM) {
            rb_fail(fe->diag, RB_ERROR_MODEL, s->section->at,
                    "the function '%s' can only have an algorithm, no equations", class->full_name);
            return false;
        }
        RbPlace ctx = {.scope = s->part,
                       .frame = b->frame,
                       .in_algorithm = true,
                       .statements = &b->f->statements};
        rb_lower_statements(fe, &ctx, s->section->list, s->section->count);
        any = true;
    }
    if (!any && b->f->output_count > 0) {
        // All outputs may be given by their declarations.
        for (int i = 0; i < b->f->output_count; i++)
            any = any || b->f->vars.data[b->f->input_count + i].binding;
        if (!any) {
            rb_fail(fe->diag, RB_ERROR_MODEL, at,
                    "the function '%s' has neither an algorithm nor an external clause%s",
                    class->full_name, class->is_partial ? "; it is partial" : "");
            return false;
        }
    }
    return true;
}

int rb_lower_function(RbFrontEnd *fe, RbClass *class, RbPos at) {
    if (class->function < 0) return -1; // was reported
    if (class->function > 0) return class->function - 1;
    RbFunction *f = rb_new(fe->arena, RbFunction);
    f->name = rb_intern(fe->names, class->full_name);
    f->at = class->root->def->at;
    rb_array_push(&fe->flat->functions, fe->arena, f);
    int index = fe->flat->functions.count - 1;
    class->function = index + 1;
    rb_class_list(fe->classes, class);
    int count = class->components.count;
    RbFunctionFrame frame = {.class = class,
                             .function = f,
                             .locals = rb_new_array(fe->arena, RbVal, count + 1),
                             .known = rb_new_array(fe->arena, bool, count + 1)};
    Builder b = {fe, &frame, f};
    int errors = fe->diag->error_count;
    RbFunction *outer = fe->function;
    fe->function = f;
    bool good = declare_all(&b, class) && lower_body(&b, class, at);
    fe->function = outer;
    if (!good || fe->diag->error_count > errors) {
        class->function = -1;
        return -1;
    }
    lower_annotations(fe, class, f);
    class->function_complete = true;
    return index;
}

// --- results of a call ---------------------------------------------------------------------------

static RbVal take_result(RbFrontEnd *fe, const RbFunction *f, const RbVal *shape,
                         const RbExpr *call, int *next) {
    RbVal v = *shape;
    if (v.kind == RB_VAL_RECORD) {
        v.fields = rb_new_array(fe->arena, RbVal, v.field_count + 1);
        for (int i = 0; i < v.field_count; i++)
            v.fields[i] = take_result(fe, f, &shape->fields[i], call, next);
        return v;
    }
    const RbFunctionVar *var = &f->vars.data[f->input_count + *next];
    v.e = rb_result(fe->x, call, *next, var->type, var->rank);
    (*next)++;
    return v;
}

// Type and size of an output where the arguments are known.
static RbVal result_shape(RbFrontEnd *fe, RbFunctionFrame *frame, RbElem *e) {
    RbFunction none = {0};
    RbClass *class = rb_elem_class(fe->classes, e);
    if (!class) return rb_val_error();
    Builder b = {fe, frame, &none};
    RbVal shape = {0};
    const RbExpr *dims[RB_RANK_MAX];
    int errors = fe->diag->error_count;
    bool outer = fe->keep_sizes;
    fe->keep_sizes = true; // only the present size is wanted here
    bool good = local_dims(&b, e, class, &shape, dims);
    fe->keep_sizes = outer;
    if (!good || fe->diag->error_count > errors) return rb_val_error();
    for (int i = 0; i < shape.rank; i++) {
        RbVal n = {.kind = RB_VAL_EXPR, .type = RB_INTEGER, .e = dims[i]};
        int64_t size;
        if (shape.dims[i] < 0 && dims[i] &&
            rb_val_evaluate_size(fe, &n, &size, e->component->at, NULL))
            shape.dims[i] = (int)size;
    }
    return add_local(&b, class, e->name, shape, dims);
}

RbVal rb_function_results(RbFrontEnd *fe, RbClass *class, RbVal *args, const RbExpr *call) {
    const RbFunction *f = fe->flat->functions.data[call->index];
    int count = class->components.count, outputs = 0, next = 0;
    RbFunctionFrame frame = {
        .class = class, .locals = args, .known = rb_new_array(fe->arena, bool, count + 1)};
    for (int i = 0; i < count; i++) {
        frame.known[i] = class->components.data[i]->clause->causality == RB_AST_INPUT;
        outputs += class->components.data[i]->clause->causality == RB_AST_OUTPUT;
    }
    RbVal *results = rb_new_array(fe->arena, RbVal, outputs + 1);
    int at = 0;
    for (int i = 0; i < count; i++) {
        RbElem *e = class->components.data[i];
        if (e->clause->causality != RB_AST_OUTPUT) continue;
        RbVal shape = result_shape(fe, &frame, e);
        if (shape.kind == RB_VAL_ERROR) return shape;
        results[at++] = take_result(fe, f, &shape, call, &next);
    }
    if (outputs == 1) return results[0];
    return (RbVal){.kind = RB_VAL_TUPLE, .fields = results, .field_count = outputs, .e = call};
}

// SPDX-License-Identifier: MIT
// Functions: their algorithm as statements, their annotations, the results of a call.
#include <string.h>

#include "flatten/function.h"

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
    const RbAstExpr *none = rb_class_vendor(fe->classes, class)->none;
    f->is_none = none && none->kind == RB_AST_TRUE;
    f->is_impure = class->root->def->impure;
    lower_derivatives(fe, class, f);
}

// --- the function --------------------------------------------------------------------------------

static bool declare_all(RbFunctionBuilder *b, RbClass *class) {
    RbFunction *f = b->f;
    bool partial = class->root->def->specifier == RB_AST_DERIVATIVE;
    for (int pass = 0; pass < 3; pass++) { // inputs, outputs, the rest
        for (int i = 0; i < class->components.count && (pass < 2 || !partial); i++) {
            RbElem *e = class->components.data[i];
            int kind = e->clause->causality == RB_AST_INPUT    ? 0
                       : e->clause->causality == RB_AST_OUTPUT ? 1
                                                               : 2;
            if (kind != pass) continue;
            if (kind == 2 && (e->clause->variability == RB_AST_CONSTANT))
                continue; // its value is put in place
            if (!rb_declare_local(b, e)) return false;
        }
        if (pass == 0) f->input_count = f->vars.count;
        if (pass == 1) f->output_count = f->vars.count - f->input_count;
    }
    for (int i = 0; i < class->components.count && !partial; i++) {
        RbElem *e = class->components.data[i];
        bool constant =
            e->clause->variability == RB_AST_CONSTANT && e->clause->causality == RB_AST_ACAUSAL;
        if (e->clause->causality != RB_AST_INPUT && !constant && !rb_lower_default(b, e))
            return false;
    }
    return true;
}

static bool lower_body(RbFunctionBuilder *b, RbClass *class, RbPos at) {
    RbFrontEnd *fe = b->fe;
    const RbClassPart *external = rb_external_part(class->root);
    if (external) return rb_lower_external(b, class, external);
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

static bool build(RbFrontEnd *fe, RbClass *class, const RbVal *functions, RbFunction *f, RbPos at) {
    int count = class->components.count;
    RbFunctionFrame frame = {.class = class,
                             .function = f,
                             .locals = rb_new_array(fe->arena, RbVal, count + 1),
                             .known = rb_new_array(fe->arena, bool, count + 1)};
    RbFunctionBuilder b = {fe, &frame, f, functions};
    int errors = fe->diag->error_count;
    RbFunction *outer = fe->function;
    fe->function = f;
    bool partial = class->root->def->specifier == RB_AST_DERIVATIVE;
    bool good = declare_all(&b, class) && (partial ? rb_lower_partial_derivative(&b, class, at) : lower_body(&b, class, at));
    fe->function = outer;
    if (!good && fe->diag->error_count == errors)
        rb_fail(fe->diag, RB_ERROR_MODEL, f->at,
                "the function '%s' cannot be used: the size or value of a component of it depends "
                "on one that has none",
                class->full_name);
    if (good) rb_function_sort(f, fe->x, fe->arena, *fe->scratch);
    return good && fe->diag->error_count == errors;
}

static RbFunction *new_function(RbFrontEnd *fe, const RbClass *class, const char *name) {
    RbFunction *f = rb_new(fe->arena, RbFunction);
    f->name = rb_intern(fe->names, name);
    f->at = class->root->def->at;
    rb_array_push(&fe->flat->functions, fe->arena, f);
    return f;
}

int rb_lower_function(RbFrontEnd *fe, RbClass *class, RbPos at) {
    if (class->function < 0) return -1; // was reported
    if (class->function > 0) return class->function - 1;
    rb_class_list(fe->classes, class);
    RbFunction *f = new_function(fe, class, class->full_name);
    int index = fe->flat->functions.count - 1;
    class->function = index + 1;
    if (!build(fe, class, NULL, f, at)) {
        class->function = -1;
        return -1;
    }
    if (class->root->def->specifier != RB_AST_DERIVATIVE) lower_annotations(fe, class, f);
    class->function_complete = true;
    return index;
}

// --- functions of functions ----------------------------------------------------------------------

static void add_type(const RbVal *v, RbText *key) {
    rb_text_printf(key, "%d.%d.%d.%p", (int)v->kind, (int)v->type, v->rank, (void *)v->class);
}

// What tells one case of a function from another: which functions it is called with, and of which
// type the values are that these are bound to.
static RbName key_of(RbFrontEnd *fe, const RbClass *class, const RbVal *functions, RbText *name) {
    RbText key = rb_text(fe->arena);
    rb_text_printf(&key, "%p", (const void *)class);
    for (int i = 0; i < class->components.count; i++) {
        const RbVal *v = &functions[i];
        if (v->kind != RB_VAL_FUNCTION) continue;
        rb_text_printf(name, "%s%s", name->count > 0 ? ", " : "", v->class->full_name);
        rb_text_printf(&key, " %d=%p", i, (void *)v->class);
        for (int k = 0; k < v->field_count; k++) {
            rb_text_add(&key, ",");
            if (v->fields[k].kind != RB_VAL_ERROR) add_type(&v->fields[k], &key);
        }
    }
    return name->count > 0 ? rb_intern(fe->names, key.data) : NULL;
}

int rb_lower_function_case(RbFrontEnd *fe, RbClass *class, const RbVal *functions, RbPos at) {
    RbText name = rb_text(fe->arena);
    RbName key = key_of(fe, class, functions, &name);
    if (!key) return rb_lower_function(fe, class, at);
    uint64_t *known = rb_map_find(&fe->function_cases, rb_map_key(key));
    if (known) return (int)*known - 1; // 0: was reported
    RbFunction *f =
        new_function(fe, class, rb_arena_printf(fe->arena, "%s(%s)", class->full_name, name.data));
    int index = fe->flat->functions.count - 1;
    rb_map_set(&fe->function_cases, fe->arena, rb_map_key(key), (uint64_t)index + 1);
    if (build(fe, class, functions, f, at)) return index;
    rb_map_set(&fe->function_cases, fe->arena, rb_map_key(key), 0);
    return -1;
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
    RbFunctionFrame present = *frame;
    present.keeps.sizes = true; // only the present size is wanted here
    RbFunctionBuilder b = {fe, &present, &none, NULL};
    RbVal shape = {0};
    const RbExpr *dims[RB_RANK_MAX];
    int errors = fe->diag->error_count;
    bool good = rb_local_dims(&b, e, class, &shape, dims);
    if (!good || fe->diag->error_count > errors) return rb_val_error();
    for (int i = 0; i < shape.rank; i++) {
        RbVal n = {.kind = RB_VAL_EXPR, .type = RB_INTEGER, .e = dims[i]};
        int64_t size;
        if (shape.dims[i] < 0 && dims[i] &&
            rb_val_evaluate_size(fe, &n, &size, e->component->at, NULL))
            shape.dims[i] = (int)size;
    }
    return rb_add_local(&b, class, e->name, shape, dims);
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

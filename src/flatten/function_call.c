// SPDX-License-Identifier: MIT
// Calls of functions with arguments in place: defaults, conversion, arrays element by element
// (specification, 12.4).
#include <string.h>

#include "expr/inline.h"
#include "flatten/call.h"

// --- one call ------------------------------------------------------------------------------------

typedef RB_ARRAY(const RbExpr *) Exprs;

// Records by their fields, functions by what they are bound to.
static void push_arg(RbFrontEnd *fe, const RbVal *v, Exprs *list) {
    if (v->kind == RB_VAL_EXPR) rb_array_push(list, fe->arena, v->e);
    for (int i = 0; i < v->field_count; i++) push_arg(fe, &v->fields[i], list);
}

static bool is_operator(const RbClass *class) {
    const RbClassPart *outer = class->root->enclosing;
    return class->restriction == RB_KIND_OPERATOR_FUNCTION ||
           (outer && outer->owner->restriction == RB_KIND_OPERATOR);
}

// What is written out can be solved, differentiated and seen to be linear as if it stood there: a
// complex product is four products. A derivative that is given is better than one that is found.
static bool wants_inline(const RbClass *class, const RbFunction *f) {
    return class->function_complete && (f->is_inline || is_operator(class)) &&
           f->derivatives.count == 0 && !f->inline_after_index;
}

static void put_results(RbFrontEnd *fe, RbVal *v, const RbExpr *const *results) {
    if (v->kind == RB_VAL_EXPR) {
        v->e = results[v->e->op == RB_OP_RESULT ? v->e->index : 0];
        return;
    }
    for (int i = 0; i < v->field_count; i++) put_results(fe, &v->fields[i], results);
}

// In a function a call is carried out as often as it is written; in equations, once.
static bool repeats_calls(RbFrontEnd *fe, const RbFunction *f, const RbExpr *const *results,
                          RbArena scratch) {
    if (!fe->function) return false;
    RbExprOrder order = rb_expr_order(fe->x, results, f->output_count, &scratch);
    for (int i = 0; i < order.count; i++) {
        if (order.nodes[i]->op == RB_OP_CALL) return true;
    }
    return false;
}

static void write_out(RbFrontEnd *fe, const RbFunction *f, const Exprs *args, RbVal *out) {
    RbArena scratch = *fe->scratch;
    const RbExpr **results = rb_new_array(&scratch, const RbExpr *, f->output_count + 1);
    if (rb_inline_function(fe->x, f, args->data, results, scratch) &&
        !repeats_calls(fe, f, results, scratch))
        put_results(fe, out, results);
}

static void set_variability(RbVal *v, RbAstVariability variability) {
    v->variability = variability;
    for (int i = 0; i < v->field_count; i++) set_variability(&v->fields[i], variability);
}

// Constant arguments: the value itself, if the function can be interpreted.
static void fold(RbFrontEnd *fe, RbVal *v) {
    if (v->kind == RB_VAL_RECORD) {
        for (int i = 0; i < v->field_count; i++) fold(fe, &v->fields[i]);
        return;
    }
    if (v->kind != RB_VAL_EXPR || v->type == RB_EXTERNAL || rb_is_constant(v->e)) return;
    const RbExpr *known = rb_val_constant(fe, v);
    if (known) v->e = known;
}

static RbVal call_once(RbFrontEnd *fe, const RbCall *call, RbFunctionFrame *frame,
                       const RbVal *args) {
    RbClass *class = call->class;
    Exprs list = {0};
    RbAstVariability variability = RB_AST_CONSTANT;
    for (int i = 0; i < call->count; i++) {
        frame->locals[call->inputs[i]->number - 1] = args[i];
        push_arg(fe, &args[i], &list);
        variability = rb_weaker(variability, args[i].variability);
    }
    int index = rb_lower_function_case(fe, class, frame->locals, call->at);
    if (index < 0) return rb_val_error();
    const RbFunction *f = fe->flat->functions.data[index];
    RbType type = f->output_count > 0 ? f->vars.data[f->input_count].type : RB_REAL;
    int rank = f->output_count > 0 ? f->vars.data[f->input_count].rank : 0;
    const RbExpr *e = rb_call_function(fe->x, index, type, rank, list.data, list.count);
    RbVal out = rb_function_results(fe, class, frame->locals, e);
    if (wants_inline(class, f)) {
        write_out(fe, f, &list, &out);
        if (!is_operator(class)) fe->units_lost++; // as inside of any function
    }
    if (f->is_impure) variability = RB_AST_DISCRETE;
    set_variability(&out, variability);
    if (variability == RB_AST_CONSTANT) fold(fe, &out);
    return out;
}

// --- element by element --------------------------------------------------------------------------

// A function of scalars applied to arrays is applied to their elements.
typedef struct Elements {
    RbFrontEnd *fe;
    const RbCall *call;
    RbFunctionFrame *frame;
    const RbVal *args;
    const int *extra; // dimensions over which an argument is taken apart
} Elements;

static RbVal call_elements(const Elements *e);

// The first argument that is taken apart; NULL if others differ from it in size (reported).
static const RbVal *common_size(const Elements *e) {
    const RbVal *first = NULL;
    bool same = true;
    for (int i = 0; i < e->call->count; i++) {
        if (e->extra[i] == 0) continue;
        if (!first) first = &e->args[i];
        same = same && e->args[i].dims[0] == first->dims[0];
    }
    if (same && (first->dims[0] >= 0 || e->fe->function)) return first;
    rb_fail(e->fe->diag, RB_ERROR_MODEL, e->call->at,
            "'%s' is applied to arrays of different or unknown size", e->call->class->full_name);
    return NULL;
}

// The call for one index of the first of the extra dimensions.
static RbVal call_element(void *user, const RbVal *index) {
    const Elements *e = user;
    RbFrontEnd *fe = e->fe;
    RbVal *args = rb_new_array(fe->arena, RbVal, e->call->count + 1);
    int *rest = rb_new_array(fe->arena, int, e->call->count + 1);
    bool again = false;
    for (int i = 0; i < e->call->count; i++) {
        args[i] = e->args[i];
        if (e->extra[i] > 0) args[i] = rb_val_subscript(fe, &e->args[i], index, 1, e->call->at);
        rest[i] = e->extra[i] > 0 ? e->extra[i] - 1 : 0;
        again = again || rest[i] > 0;
    }
    Elements inner = {fe, e->call, e->frame, args, rest};
    return rb_val_single(again ? call_elements(&inner) : call_once(fe, e->call, e->frame, args));
}

static RbVal call_elements(const Elements *e) {
    RbFrontEnd *fe = e->fe;
    const RbVal *array = common_size(e);
    if (!array) return rb_val_error();
    if (array->dims[0] < 0) return rb_open_elements(fe, array, call_element, (void *)(uintptr_t)e);
    RbVal *results = rb_new_array(fe->arena, RbVal, array->dims[0] + 1);
    for (int n = 0; n < array->dims[0]; n++) {
        RbVal index = rb_val_scalar(rb_integer(fe->x, n + 1), RB_AST_CONSTANT);
        results[n] = call_element((void *)(uintptr_t)e, &index);
        if (results[n].kind == RB_VAL_ERROR) return results[n];
    }
    return rb_val_array(fe, results, array->dims[0], e->call->at);
}

// --- arguments to inputs -------------------------------------------------------------------------

static bool take_default(RbFrontEnd *fe, RbCall *call, RbFunctionFrame *frame, int i) {
    RbElem *e = call->inputs[i];
    int errors = fe->diag->error_count;
    call->args[i] = rb_frame_local(fe, frame, e);
    if (call->args[i].kind != RB_VAL_ERROR) {
        frame->known[e->number - 1] = true;
        return true;
    }
    if (fe->diag->error_count == errors) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                "the input '%s' of '%s' is not given and has no default", e->name,
                call->class->full_name);
    }
    return false;
}

static bool check_function(RbFrontEnd *fe, const RbCall *call, const RbElem *e, RbVal *arg,
                           RbClass *type) {
    if (!rb_val_to_function(fe, arg)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                "the input '%s' of '%s' must be a function like '%s', but this is %s", e->name,
                call->class->full_name, type->full_name, rb_val_type_name(fe, arg));
        return false;
    }
    if (!rb_function_fits(fe, arg, type)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                "the input '%s' of '%s' must be a function like '%s', but '%s' has fewer inputs "
                "left or fewer outputs",
                e->name, call->class->full_name, type->full_name, arg->class->full_name);
        return false;
    }
    const RbElem *missing = rb_function_missing(fe, arg, type);
    if (!missing) return true;
    rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
            "the input '%s' of '%s' is a function like '%s', so '%s' must be given: function "
            "%s(%s = ...)",
            e->name, call->class->full_name, type->full_name, missing->name, arg->class->name,
            missing->name);
    return false;
}

// Converts an argument to the type of its input; *extra becomes the number of dimensions over which
// the function is applied to elements.
static bool convert_argument(RbFrontEnd *fe, RbCall *call, RbFunctionFrame *frame, int i,
                             int *extra) {
    RbElem *e = call->inputs[i];
    RbVal *arg = &call->args[i], wanted = rb_input_shape(fe, frame, e);
    if (wanted.kind == RB_VAL_ERROR) return false;
    if (wanted.kind == RB_VAL_CLASS) {
        if (!check_function(fe, call, e, arg, wanted.class)) return false;
        frame->locals[e->number - 1] = *arg;
        return true;
    }
    *extra = arg->rank > wanted.rank ? arg->rank - wanted.rank : 0;
    if (*extra > 0) {
        memmove(wanted.dims + *extra, wanted.dims, (size_t)wanted.rank * sizeof(int));
        for (int k = 0; k < *extra; k++) wanted.dims[k] = -1;
        wanted.rank += *extra;
    }
    *arg = rb_val_convert(
        fe, *arg, &wanted, call->at,
        rb_arena_printf(fe->arena, "the input '%s' of '%s'", e->name, call->class->full_name));
    if (arg->kind == RB_VAL_ERROR) return false;
    frame->locals[e->number - 1] = *arg;
    return true;
}

RbVal rb_lower_function_call(RbFrontEnd *fe, RbCall *call) {
    int count = call->class->components.count;
    int *extra = rb_new_array(fe->arena, int, call->count + 1);
    RbFunctionFrame frame = {.class = call->class,
                             .locals = rb_new_array(fe->arena, RbVal, count + 1),
                             .known = rb_new_array(fe->arena, bool, count + 1),
                             .around = call->around,
                             .at = call->at,
                             .keeps = call->keeps};
    for (int i = 0; i < call->count; i++) {
        if (!call->given[i]) continue;
        frame.locals[call->inputs[i]->number - 1] = call->args[i];
        frame.known[call->inputs[i]->number - 1] = true;
    }
    bool vectorised = false;
    for (int i = 0; i < call->count; i++) {
        if (!call->given[i] && !take_default(fe, call, &frame, i)) return rb_val_error();
        if (!convert_argument(fe, call, &frame, i, &extra[i])) return rb_val_error();
        vectorised = vectorised || extra[i] > 0;
    }
    Elements elements = {fe, call, &frame, call->args, extra};
    return vectorised ? call_elements(&elements) : call_once(fe, call, &frame, call->args);
}

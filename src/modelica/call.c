// SPDX-License-Identifier: MIT
// Calls of functions, record constructors and conversions (Modelica specification, 12.4 and 12.6).
#include <string.h>

#include "modelica/frontend.h"
#include "modelica/resource.h"

enum { CALL_LIMIT = 60 }; // calls in default values of calls in ...

// --- what is called ------------------------------------------------------------------------------

static RbAstName as_name(const RbAstExpr *ref, RbFrontEnd *fe) {
    RbAstName n = {.at = ref->at, .global = ref->global, .count = ref->kid_count};
    n.parts = rb_new_array(fe->arena, RbName, n.count);
    for (int i = 0; i < n.count; i++) n.parts[i] = ref->parts[i].name;
    return n;
}

// A function that is found over a component: world.gravityAcceleration(r).
static RbClass *function_of_component(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *ref) {
    RbAstExpr prefix = *ref;
    prefix.kid_count--;
    RbVal v = rb_lower_component(fe, ctx, &prefix);
    if (v.kind == RB_VAL_ERROR) return NULL;
    RbName name = ref->parts[ref->kid_count - 1].name;
    RbElem *e =
        v.kind == RB_VAL_INST && v.inst ? rb_class_elem(fe->classes, v.inst->class, name) : NULL;
    if (!e || e->component) {
        rb_fail(fe->diag, RB_ERROR_MODEL, ref->at, "'%s' is not a function", rb_expr_text(fe, ref));
        return NULL;
    }
    return rb_elem_class(fe->classes, e);
}

static RbClass *callee_class(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *ref) {
    RbElem *first = ref->global ? NULL : rb_lookup(fe->classes, ctx->scope, ref->parts[0].name);
    if (first && first->component) {
        if (ref->kid_count > 1) return function_of_component(fe, ctx, ref);
        rb_fail(fe->diag, RB_ERROR_MODEL, ref->at, "'%s' is a component, not a function",
                ref->parts[0].name);
        return NULL;
    }
    RbAstName name = as_name(ref, fe);
    return rb_lookup_class(fe->classes, ctx->scope, &name, "function");
}

// external "builtin" y = sin(u): the name of the function of the language, or NULL.
static RbName builtin_name(const RbClassPart *part) {
    const RbAstExternal *x = part->def->external;
    if (x && x->language.length == 9 && memcmp(x->language.start, "\"builtin\"", 9) == 0) {
        return x->function ? x->function : part->def->name;
    }
    for (int i = 0; i < part->bases.count; i++) {
        RbName name = builtin_name(part->bases.data[i]);
        if (name) return name;
    }
    return NULL;
}

// --- arguments -----------------------------------------------------------------------------------

typedef struct Inputs {
    RbClass *class;
    RbElem **list; // components that are arguments
    int count;
} Inputs;

static Inputs find_inputs(RbFrontEnd *fe, RbClass *class) {
    rb_class_list(fe->classes, class);
    Inputs in = {.class = class,
                 .list = rb_new_array(fe->arena, RbElem *, class->components.count + 1)};
    for (int i = 0; i < class->components.count; i++) {
        RbElem *e = class->components.data[i];
        bool is_input = rb_class_is_function(class)
                            ? e->clause->causality == RB_AST_INPUT && !e->clause->is_protected
                            : !e->clause->is_protected && !e->clause->final &&
                                  e->clause->variability != RB_AST_CONSTANT;
        if (is_input) in.list[in.count++] = e;
    }
    return in;
}

static int find_argument(const Inputs *in, RbName name) {
    for (int i = 0; i < in->count; i++) {
        if (in->list[i]->name == name) return i;
    }
    return -1;
}

// Arguments as they are written, by number of the input; those not given have kind ERROR and
// given[i] false.
static bool lower_arguments(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call,
                            const Inputs *in, RbVal *args, bool *given) {
    for (int i = 1; i < call->kid_count; i++) {
        const RbAstExpr *a = call->kids[i];
        int at = i - 1;
        if (a->kind == RB_AST_NAMED) {
            at = find_argument(in, a->name);
            if (at < 0) {
                rb_fail(fe->diag, RB_ERROR_MODEL, a->at, "'%s' has no input '%s'%s",
                        in->class->full_name, a->name,
                        rb_near_element(fe->classes, in->class, a->name));
                return false;
            }
            a = a->kids[0];
        } else if (at >= in->count) {
            rb_fail(fe->diag, RB_ERROR_MODEL, a->at,
                    "'%s' has %d input%s, but %d arguments are given", in->class->full_name,
                    in->count, in->count == 1 ? "" : "s", call->kid_count - 1);
            return false;
        }
        if (given[at]) {
            rb_fail(fe->diag, RB_ERROR_MODEL, a->at, "the input '%s' is given twice",
                    in->list[at]->name);
            return false;
        }
        args[at] = rb_val_single(rb_lower_expr(fe, ctx, a));
        if (args[at].kind == RB_VAL_ERROR) return false;
        given[at] = true;
    }
    return true;
}

// --- record constructors -------------------------------------------------------------------------

static RbVal construct_record(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call,
                              RbClass *class) {
    Inputs in = find_inputs(fe, class);
    RbVal *args = rb_new_array(fe->work, RbVal, in.count + 1);
    bool *given = rb_new_array(fe->arena, bool, in.count + 1);
    if (!lower_arguments(fe, ctx, call, &in, args, given)) return rb_val_error();
    int count = class->components.count;
    RbFunctionFrame frame = {.class = class,
                             .locals = rb_new_array(fe->work, RbVal, count + 1),
                             .known = rb_new_array(fe->arena, bool, count + 1)};
    for (int i = 0; i < in.count; i++) {
        int at = in.list[i]->number - 1;
        if (!given[i]) continue;
        frame.locals[at] = args[i];
        frame.known[at] = true;
    }
    RbVal out = {.kind = RB_VAL_RECORD,
                 .class = class,
                 .variability = RB_AST_CONSTANT,
                 .field_count = count};
    out.fields = rb_new_array(fe->work, RbVal, count + 1);
    for (int i = 0; i < count; i++) {
        RbElem *e = class->components.data[i];
        bool is_given = frame.known[i];
        RbVal v = rb_frame_local(fe, &frame, e);
        if (v.kind == RB_VAL_ERROR) {
            if (!is_given && fe->diag->error_count == 0) {
                rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                        "the field '%s' of '%s' is not given and has no default", e->name,
                        class->full_name);
            }
            return v;
        }
        RbClass *type = rb_elem_class(fe->classes, e);
        if (type && rb_class_ready(fe->classes, type) && type->is_type) {
            RbVal wanted = {.kind = RB_VAL_EXPR, .type = type->type, .class = type, .rank = v.rank};
            memcpy(wanted.dims, v.dims, sizeof v.dims);
            v = rb_val_convert(fe, v, &wanted, call->at,
                               rb_arena_printf(fe->arena, "the field '%s'", e->name));
        }
        frame.locals[i] = out.fields[i] = v;
        frame.known[i] = true;
        out.variability = rb_weaker(out.variability, v.variability);
    }
    return out;
}

// --- functions -----------------------------------------------------------------------------------

static void push_arg(RbFrontEnd *fe, const RbVal *v, RbArena *arena, const RbExpr ***list,
                     int *count, int *capacity) {
    if (v->kind == RB_VAL_RECORD) {
        for (int i = 0; i < v->field_count; i++)
            push_arg(fe, &v->fields[i], arena, list, count, capacity);
        return;
    }
    if (*count == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 16;
        const RbExpr **more = rb_new_array(arena, const RbExpr *, *capacity);
        if (*count > 0) memcpy(more, *list, (size_t)*count * sizeof *more);
        *list = more;
    }
    (*list)[(*count)++] = v->e;
}

static RbVal call_once(RbFrontEnd *fe, const Inputs *in, RbFunctionFrame *frame, RbVal *args,
                       RbPos at) {
    int index = rb_lower_function(fe, in->class, at);
    if (index < 0) return rb_val_error();
    const RbExpr **list = NULL;
    int count = 0, capacity = 0;
    RbAstVariability variability = RB_AST_CONSTANT;
    for (int i = 0; i < in->count; i++) {
        frame->locals[in->list[i]->number - 1] = args[i];
        push_arg(fe, &args[i], fe->arena, &list, &count, &capacity);
        variability = rb_weaker(variability, args[i].variability);
    }
    const RbFunction *f = fe->flat->functions.data[index];
    RbType type = f->output_count > 0 ? f->vars.data[f->input_count].type : RB_REAL;
    int rank = f->output_count > 0 ? f->vars.data[f->input_count].rank : 0;
    const RbExpr *call = rb_call_function(fe->x, index, type, rank, list, count);
    RbVal out = rb_function_results(fe, in->class, frame->locals, call);
    if (f->is_impure) variability = RB_AST_DISCRETE;
    out.variability = variability;
    for (int i = 0; i < out.field_count; i++) out.fields[i].variability = variability;
    // Constant arguments: the value itself, if the function can be interpreted.
    if (variability == RB_AST_CONSTANT && out.kind == RB_VAL_EXPR && out.type != RB_EXTERNAL) {
        const RbExpr *known = rb_val_constant(fe, &out);
        if (known) out.e = known;
    }
    return out;
}

// A function of scalars applied to arrays is applied to their elements.
static RbVal call_elements(RbFrontEnd *fe, const Inputs *in, RbFunctionFrame *frame, RbVal *args,
                           const int *extra, RbPos at) {
    int size = -1;
    for (int i = 0; i < in->count; i++) {
        if (extra[i] == 0) continue;
        if (args[i].dims[0] < 0 || (size >= 0 && args[i].dims[0] != size)) {
            rb_fail(fe->diag, RB_ERROR_MODEL, at,
                    "'%s' is applied to arrays of different or unknown size", in->class->full_name);
            return rb_val_error();
        }
        size = args[i].dims[0];
    }
    RbVal *results = rb_new_array(fe->work, RbVal, size + 1);
    RbVal *element = rb_new_array(fe->work, RbVal, in->count + 1);
    int *rest = rb_new_array(fe->arena, int, in->count + 1);
    bool again = false;
    for (int i = 0; i < in->count; i++) {
        rest[i] = extra[i] > 0 ? extra[i] - 1 : 0;
        again = again || rest[i] > 0;
    }
    for (int n = 1; n <= size; n++) {
        for (int i = 0; i < in->count; i++)
            element[i] = extra[i] > 0 ? rb_val_element(fe, &args[i], &n, 1) : args[i];
        results[n - 1] = rb_val_single(again ? call_elements(fe, in, frame, element, rest, at)
                                             : call_once(fe, in, frame, element, at));
        if (results[n - 1].kind == RB_VAL_ERROR) return results[n - 1];
    }
    return rb_val_array(fe, results, size, at);
}

static RbVal input_shape(RbFrontEnd *fe, RbFunctionFrame *frame, RbElem *e) {
    RbFunctionFrame shape = *frame;
    shape.function = NULL;
    RbClass *class = rb_elem_class(fe->classes, e);
    RbVal v = {.kind = RB_VAL_EXPR, .class = class};
    if (!class || !rb_class_ready(fe->classes, class)) return rb_val_error();
    v.type = class->is_external_object ? RB_EXTERNAL : class->type;
    if (!class->is_type && !class->is_external_object) {
        v.kind = rb_class_is_record(class) ? RB_VAL_RECORD : RB_VAL_CLASS;
        rb_class_list(fe->classes, class);
        v.field_count = v.kind == RB_VAL_RECORD ? class->components.count : 0;
    }
    for (int pass = 0; pass < 2; pass++) {
        int count = pass == 0 ? e->component->dimension_count : e->clause->dimension_count;
        RbAstExpr **list = pass == 0 ? e->component->dimensions : e->clause->dimensions;
        for (int i = 0; i < count && v.rank < RB_RANK_MAX; i++) {
            int64_t size = -1;
            if (list[i]->kind != RB_AST_COLON && e->scope->owner == frame->class) {
                RbPlace ctx = {.scope = e->scope, .frame = &shape};
                int errors = fe->diag->error_count;
                bool outer = fe->keep_sizes;
                fe->keep_sizes = true; // only the present size is wanted here
                RbVal n = rb_lower_expr(fe, &ctx, list[i]);
                fe->keep_sizes = outer;
                if (fe->diag->error_count > errors ||
                    !rb_val_evaluate_size(fe, &n, &size, list[i]->at, NULL))
                    size = -1;
            }
            v.dims[v.rank++] = (int)size;
        }
    }
    for (int i = 0; i < class->dimensions.count; i++) {
        for (int k = 0; k < class->dimensions.data[i].count && v.rank < RB_RANK_MAX; k++) {
            RbPlace ctx = {.scope = class->dimensions.data[i].scope,
                           .inst = rb_inst_static(fe, class->dimensions.data[i].scope->owner)};
            int64_t size = -1;
            const RbAstExpr *d = class->dimensions.data[i].list[k];
            RbVal n = d->kind == RB_AST_COLON ? rb_val_error() : rb_lower_expr(fe, &ctx, d);
            if (!rb_val_evaluate_integer(fe, &n, &size, d->at, NULL)) size = -1;
            v.dims[v.rank++] = (int)size;
        }
    }
    return v;
}

static RbVal call_function(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call,
                           RbClass *class) {
    Inputs in = find_inputs(fe, class);
    RbVal *args = rb_new_array(fe->work, RbVal, in.count + 1);
    bool *given = rb_new_array(fe->arena, bool, in.count + 1);
    int *extra = rb_new_array(fe->arena, int, in.count + 1);
    if (!lower_arguments(fe, ctx, call, &in, args, given)) return rb_val_error();
    int count = class->components.count;
    RbFunctionFrame frame = {.class = class,
                             .locals = rb_new_array(fe->work, RbVal, count + 1),
                             .known = rb_new_array(fe->arena, bool, count + 1)};
    bool vectorised = false;
    for (int i = 0; i < in.count; i++) {
        if (!given[i]) continue;
        frame.locals[in.list[i]->number - 1] = args[i];
        frame.known[in.list[i]->number - 1] = true;
    }
    for (int i = 0; i < in.count; i++) {
        RbElem *e = in.list[i];
        if (!given[i]) {
            int errors = fe->diag->error_count;
            args[i] = rb_frame_local(fe, &frame, e);
            if (args[i].kind == RB_VAL_ERROR) {
                if (fe->diag->error_count == errors) {
                    rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                            "the input '%s' of '%s' is not given and has no default", e->name,
                            class->full_name);
                }
                return rb_val_error();
            }
            frame.known[e->number - 1] = true;
        }
        RbVal wanted = input_shape(fe, &frame, e);
        if (wanted.kind == RB_VAL_ERROR) return wanted;
        if (wanted.kind == RB_VAL_CLASS) {
            rb_fail(
                fe->diag, RB_ERROR_MODEL, call->at,
                "the input '%s' of '%s' is a function; functions as arguments are not supported",
                e->name, class->full_name);
            return rb_val_error();
        }
        extra[i] = args[i].rank > wanted.rank ? args[i].rank - wanted.rank : 0;
        if (extra[i] > 0) {
            vectorised = true;
            memmove(wanted.dims + extra[i], wanted.dims, (size_t)wanted.rank * sizeof(int));
            for (int k = 0; k < extra[i]; k++) wanted.dims[k] = -1;
            wanted.rank += extra[i];
        }
        args[i] = rb_val_convert(
            fe, args[i], &wanted, call->at,
            rb_arena_printf(fe->arena, "the input '%s' of '%s'", e->name, class->full_name));
        if (args[i].kind == RB_VAL_ERROR) return args[i];
        frame.locals[e->number - 1] = args[i];
    }
    return vectorised ? call_elements(fe, &in, &frame, args, extra, call->at)
                      : call_once(fe, &in, &frame, args, call->at);
}

// An external object is made by the function 'constructor' of its class.
static RbVal construct_object(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call,
                              RbClass *class) {
    RbElem *e = rb_class_elem(fe->classes, class, rb_intern(fe->names, "constructor"));
    RbClass *constructor = e && !e->component ? rb_elem_class(fe->classes, e) : NULL;
    if (!constructor || !rb_class_ready(fe->classes, constructor)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                "the external object '%s' has no function 'constructor'", class->full_name);
        return rb_val_error();
    }
    RbVal v = call_function(fe, ctx, call, constructor);
    if (v.kind == RB_VAL_EXPR) v.class = class;
    RbElem *end = rb_class_elem(fe->classes, class, rb_intern(fe->names, "destructor"));
    RbClass *destructor = end && !end->component ? rb_elem_class(fe->classes, end) : NULL;
    if (v.kind == RB_VAL_EXPR && v.e->op == RB_OP_CALL && destructor &&
        rb_class_ready(fe->classes, destructor)) {
        RbFunction *f = fe->flat->functions.data[v.e->index];
        f->external.destructor = rb_lower_function(fe, destructor, call->at) + 1;
    }
    return v;
}

// The path of a file of a library is known at translation: Modelica.Utilities.Files.loadResource.
static bool is_load_resource(const RbClass *class) {
    return strcmp(class->full_name, "Modelica.Utilities.Files.loadResource") == 0 ||
           strcmp(class->full_name, "ModelicaServices.ExternalReferences.loadResource") == 0;
}

static bool load_resource(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call, RbVal *out) {
    if (call->kid_count != 2) return false;
    const RbAstExpr *arg = call->kids[1];
    RbVal v = rb_lower_expr(fe, ctx, arg->kind == RB_AST_NAMED ? arg->kids[0] : arg);
    RbExprValue value;
    if (v.kind != RB_VAL_EXPR || v.type != RB_STRING || v.rank > 0 ||
        !rb_val_evaluate(fe, &v, &value, arg->at, NULL))
        return false;
    *out = v;
    out->e = rb_string(fe->x, rb_resource_path(fe->library, value.text[0]));
    return true;
}

static RbVal to_enumeration(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call,
                            RbClass *class) {
    RbVal v = call->kid_count == 2 ? rb_lower_expr(fe, ctx, call->kids[1]) : rb_val_error();
    if (v.kind != RB_VAL_EXPR || v.type != RB_INTEGER) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at, "'%s(...)' needs one Integer argument",
                class->full_name);
        return rb_val_error();
    }
    v.e = rb_builtin1(fe->x, RB_FN_TO_ENUM, v.e);
    v.type = RB_ENUM;
    v.class = class;
    return v;
}

static RbVal unknown_function(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *ref) {
    RbName name = ref->parts[0].name;
    const char *near = rb_near_name(fe->classes, ctx->scope, name);
    static const char *const ours[] = {
        "sqrt", "sin",  "cos", "tan", "abs",    "exp",     "log",    "der",      "pre",
        "sum",  "size", "max", "min", "sample", "noEvent", "smooth", "homotopy", "transpose"};
    for (size_t i = 0; !*near && i < sizeof ours / sizeof ours[0]; i++) {
        if (rb_text_edit_distance(ours[i], name, 1) == 1)
            near = rb_arena_printf(fe->arena, "; did you mean '%s'?", ours[i]);
    }
    rb_fail(fe->diag, RB_ERROR_MODEL, ref->at, "the function '%s' is unknown%s", name, near);
    return rb_val_error();
}

static RbVal lower_call(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    const RbAstExpr *ref = e->kids[0];
    RbVal out;
    if (ref->kind != RB_AST_REF) return rb_val_error();
    if (ref->kid_count == 1) {
        RbElem *elem = ref->global
                           ? rb_class_elem(fe->classes, fe->classes->top, ref->parts[0].name)
                           : rb_lookup(fe->classes, ctx->scope, ref->parts[0].name);
        if (!elem || elem->owner == fe->classes->top) {
            if (rb_lower_builtin(fe, ctx, e, ref->parts[0].name, &out)) return out;
            if (!elem) return unknown_function(fe, ctx, ref);
        }
    }
    if (strcmp(ref->parts[0].name, "Connections") == 0 &&
        !rb_lookup(fe->classes, ctx->scope, ref->parts[0].name)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
                "overconstrained connections (Connections.%s) are not supported",
                ref->kid_count > 1 ? ref->parts[1].name : "");
        return rb_val_error();
    }
    RbClass *class = callee_class(fe, ctx, ref);
    if (!class || !rb_class_ready(fe->classes, class)) return rb_val_error();
    if (class->enumeration) return to_enumeration(fe, ctx, e, class);
    if (class->is_external_object) return construct_object(fe, ctx, e, class);
    if (rb_class_is_record(class)) return construct_record(fe, ctx, e, class);
    if (!rb_class_is_function(class)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "'%s' is a %s, not a function", class->full_name,
                rb_restriction_name(class->restriction));
        return rb_val_error();
    }
    RbName builtin = builtin_name(class->root);
    if (builtin && rb_lower_builtin(fe, ctx, e, builtin, &out)) return out;
    if (is_load_resource(class) && load_resource(fe, ctx, e, &out)) return out;
    return call_function(fe, ctx, e, class);
}

RbVal rb_lower_call(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    if (fe->depth >= CALL_LIMIT + 100) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "calls are nested too deeply");
        return rb_val_error();
    }
    fe->depth++;
    RbVal v = lower_call(fe, ctx, e);
    fe->depth--;
    return v;
}

// SPDX-License-Identifier: MIT
// Calls: what a name before parentheses means (Modelica specification, 12.4 and 12.6).
#include <string.h>

#include "flatten/call.h"
#include "classes/resource.h"

enum { CALL_LIMIT = 60 }; // calls in default values of calls in ...

// --- what is called ------------------------------------------------------------------------------

static RbAstName as_name(const RbAstExpr *ref, RbFrontEnd *fe) {
    RbAstName n = {.at = ref->at, .global = ref->global, .count = ref->kid_count};
    n.parts = rb_new_array(fe->arena, RbName, n.count);
    for (int i = 0; i < n.count; i++) n.parts[i] = ref->parts[i].name;
    return n;
}

// A function that is found over a component: world.gravityAcceleration(r).
static RbClass *function_of_component(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *ref,
                                      RbInst **around) {
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
    if (rb_elem_is_protected(e) || v.inst->kind == RB_INST_ARRAY) {
        rb_fail(fe->diag, RB_ERROR_MODEL, ref->at,
                v.inst->kind == RB_INST_ARRAY
                    ? "'%s' cannot be called: '%s' is an array of components"
                    : "'%s' is protected in '%s' and cannot be used from outside",
                rb_expr_text(fe, ref), v.inst->path);
        return NULL;
    }
    *around = v.inst;
    return rb_elem_class(fe->classes, e);
}

// The inner function that an outer one stands for.
static RbClass *inner_function(RbFrontEnd *fe, const RbElem *outer, RbName name, RbPos at, RbInst **around) {
    for (RbInst *p = *around ? (*around)->parent : NULL; p; p = p->parent) {
        RbElem *e = p->kind == RB_INST_COMPONENT ? rb_class_elem(fe->classes, p->class, name) : NULL;
        if (!e || e->component || !e->clause || !e->clause->inner) continue;
        *around = p;
        return rb_elem_class(fe->classes, e);
    }
    rb_fail(fe->diag, RB_ERROR_MODEL, at,
            "the function '%s' is outer (line %d), but no component around it has an 'inner function %s'; add one to the model",
            name, outer->clause->at.line, name);
    return NULL;
}

static RbClass *callee_class(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *ref,
                             RbInst **around) {
    RbElem *first = ref->global ? NULL : rb_lookup(fe->classes, ctx->scope, ref->parts[0].name);
    if (first && first->component) {
        if (ref->kid_count > 1) return function_of_component(fe, ctx, ref, around);
        rb_fail(fe->diag, RB_ERROR_MODEL, ref->at, "'%s' is a component, not a function",
                ref->parts[0].name);
        return NULL;
    }
    if (first && first->clause && first->clause->outer && !first->clause->inner && ref->kid_count == 1 && ctx->inst)
        return inner_function(fe, first, ref->parts[0].name, ref->at, around);
    RbAstName name = as_name(ref, fe);
    return rb_lookup_class(fe->classes, ctx->scope, &name, "function");
}

// A name that means an input, which is a function, of the function around.
static bool find_function_input(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *ref,
                                RbVal *v) {
    if (ref->global || ref->kid_count != 1 || !ctx->frame) return false;
    RbElem *e = rb_lookup(fe->classes, ctx->scope, ref->parts[0].name);
    if (!e || !e->component) return false;
    RbFunctionFrame *f = ctx->frame;
    while (f && f->class != e->owner) f = f->outer;
    if (!f || e->number == 0 || !f->known[e->number - 1]) return false;
    *v = f->locals[e->number - 1];
    return v->kind == RB_VAL_FUNCTION;
}

RbVal rb_lower_callee(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *ref) {
    RbVal v;
    RbInst *around = ctx->inst; // a function that is an argument has no defaults of its component
    if (find_function_input(fe, ctx, ref, &v)) return v;
    RbClass *class = callee_class(fe, ctx, ref, &around);
    if (!class || !rb_class_ready(fe->classes, class)) return rb_val_error();
    return (RbVal){.kind = RB_VAL_CLASS, .class = class, .variability = RB_AST_CONSTANT};
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

// --- kinds of calls ------------------------------------------------------------------------------

static RbVal call_function(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, RbClass *class,
                           RbInst *around) {
    RbActuals actuals;
    RbCall call;
    if (!rb_lower_actuals(fe, ctx, e, &actuals) ||
        !rb_place_actuals(fe, class, &actuals, &call, true))
        return rb_val_error();
    call.around = around;
    return rb_lower_function_call(fe, &call);
}

// A call of an input that is a function.
static RbVal call_value(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e,
                        const RbVal *function) {
    RbActuals actuals;
    RbCall call;
    if (!rb_lower_actuals(fe, ctx, e, &actuals) || !rb_place_open(fe, function, &actuals, &call))
        return rb_val_error();
    return rb_lower_function_call(fe, &call);
}

static RbVal construct_record(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e,
                              RbClass *class) {
    RbActuals actuals;
    if (!rb_lower_actuals(fe, ctx, e, &actuals)) return rb_val_error();
    return rb_overload_constructor(fe, class, &actuals);
}

// The arguments become names that only this call sees.
RbVal rb_call_values(RbFrontEnd *fe, RbClass *function, const RbVal *args, int count, RbPos at) {
    RbAstExpr *call = rb_new(fe->arena, RbAstExpr);
    *call = (RbAstExpr){.kind = RB_AST_CALL, .at = at, .kid_count = count + 1};
    call->kids = rb_new_array(fe->arena, RbAstExpr *, count + 1);
    RbLoopVar *names = rb_new_array(fe->arena, RbLoopVar, count + 1);
    for (int i = 0; i < count; i++) {
        names[i] = (RbLoopVar){.name = rb_arena_printf(fe->arena, "$%d", i + 1),
                               .value = args[i],
                               .outer = i > 0 ? &names[i - 1] : NULL};
        RbAstExpr *ref = rb_new(fe->arena, RbAstExpr);
        *ref = (RbAstExpr){.kind = RB_AST_REF, .at = at, .kid_count = 1};
        ref->parts = rb_new(fe->arena, RbAstPart);
        ref->parts[0] = (RbAstPart){.name = names[i].name};
        call->kids[i + 1] = ref;
    }
    RbPlace ctx = {
        .inst = fe->root, .scope = function->root, .loops = count > 0 ? &names[count - 1] : NULL};
    return call_function(fe, &ctx, call, function, NULL);
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
    RbVal v = call_function(fe, ctx, call, constructor, ctx->inst);
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
    const char *near = rb_near_name(fe->classes, ctx->scope, name, false);
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
    if (find_function_input(fe, ctx, ref, &out)) return call_value(fe, ctx, e, &out);
    RbElem *elem = ref->global ? rb_class_elem(fe->classes, fe->classes->top, ref->parts[0].name)
                               : rb_lookup(fe->classes, ctx->scope, ref->parts[0].name);
    if (ref->kid_count == 1) {
        if (!elem || elem->owner == fe->classes->top) {
            if (rb_lower_builtin(fe, ctx, e, ref->parts[0].name, &out)) return out;
            if (!elem) return unknown_function(fe, ctx, ref);
        }
    }
    if (ref->kid_count == 2 && !elem && strcmp(ref->parts[0].name, "Connections") == 0)
        return rb_lower_connections(fe, ctx, e, ref->parts[1].name);
    RbInst *around = ctx->inst;
    RbClass *class = callee_class(fe, ctx, ref, &around);
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
    return call_function(fe, ctx, e, class, around);
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

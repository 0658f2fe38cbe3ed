// SPDX-License-Identifier: MIT
// diff.c: forward symbolic differentiation over the nodes of an expression, arguments first. A zero
// derivative is NULL on the way, so no products with zero are ever built.
#include "expr/diff.h"

#include "expr/builtins.h"
#include "expr/inline.h"
#include "expr/simplify.h"

typedef struct Work {
    RbExprs *x;
    RbDiff *d;
    const RbExpr **args;  // of the node at hand
    const RbExpr **dargs; // their derivatives, NULL = 0
    RbArena *scratch;
    bool along_time; // a total time derivative, not a partial one
} Work;

// --- small helpers in which NULL means zero ------------------------------------------------------

static const RbExpr *plus(RbExprs *x, const RbExpr *a, const RbExpr *b) {
    return !a ? b : !b ? a : rb_add(x, a, b);
}

static const RbExpr *minus(RbExprs *x, const RbExpr *a, const RbExpr *b) {
    return !b ? a : !a ? rb_neg(x, b) : rb_sub(x, a, b);
}

static const RbExpr *times(RbExprs *x, const RbExpr *a, const RbExpr *b) {
    return a && b ? rb_mul(x, a, b) : NULL;
}

// A zero shaped like e. An array whose elements are written one by one gives one of zeros, so that
// nothing is left that could only be computed as a whole.
static const RbExpr *zero_like(RbExprs *x, const RbExpr *e) {
    if (e->rank == 0) return rb_real(x, 0.0);
    if (e->op == RB_OP_ARRAY && e->arg_count > 0) {
        const RbExpr **zeros = rb_new_array(x->arena, const RbExpr *, e->arg_count);
        for (int i = 0; i < e->arg_count; i++) zeros[i] = zero_like(x, e->args[i]);
        return rb_array(x, zeros, e->arg_count);
    }
    const RbExpr *args[] = {rb_real(x, 0.0), e};
    return rb_apply(x, RB_OP_EMUL, args, 2);
}

static const RbExpr *or_zero(RbExprs *x, const RbExpr *d, const RbExpr *like) {
    return d ? d : zero_like(x, like);
}

static const RbExpr *number(RbExprs *x, double value) {
    return rb_real(x, value);
}

// --- operators -----------------------------------------------------------------------------------

// (a / b)' = a' / b - (a / b) b' / b
static const RbExpr *diff_div(Work *w, const RbExpr *e) {
    RbExprs *x = w->x;
    const RbExpr *first = w->dargs[0] ? rb_div(x, w->dargs[0], w->args[1]) : NULL;
    if (!w->dargs[1]) return first;
    return minus(x, first, rb_div(x, rb_mul(x, e, w->dargs[1]), w->args[1]));
}

// (a^b)' = b a^(b-1) a' + a^b log(a) b'
static const RbExpr *diff_pow(Work *w, const RbExpr *e) {
    RbExprs *x = w->x;
    const RbExpr *a = w->args[0], *b = w->args[1], *result = NULL;
    if (w->dargs[0]) {
        const RbExpr *lower = rb_pow(x, a, rb_sub(x, b, rb_integer(x, 1)));
        result = rb_mul(x, rb_mul(x, b, lower), w->dargs[0]);
    }
    if (w->dargs[1]) {
        result =
            plus(x, result, rb_mul(x, rb_mul(x, e, rb_builtin1(x, RB_FN_LOG, a)), w->dargs[1]));
    }
    return result;
}

static const RbExpr *fail(Work *w, const RbExpr *e) {
    if (!w->d->failed) w->d->failed = e;
    return NULL;
}

static const RbExpr *fail_if_varying(Work *w, const RbExpr *e, int first) {
    for (int i = first; i < e->arg_count; i++) {
        if (w->dargs[i]) return fail(w, e);
    }
    return NULL;
}

// Sums and arrays are linear in their body; iterators do not vary.
static const RbExpr *diff_reduce(Work *w, const RbExpr *e) {
    if (e->index != RB_REDUCE_SUM && e->index != RB_REDUCE_ARRAY) return fail_if_varying(w, e, 0);
    fail_if_varying(w, e, 1);
    if (!w->dargs[0]) return NULL;
    const RbExpr **args = rb_new_array(w->scratch, const RbExpr *, e->arg_count);
    for (int i = 0; i < e->arg_count; i++) args[i] = i == 0 ? w->dargs[0] : w->args[i];
    return rb_rebuild(w->x, e, args);
}

static const RbExpr *diff_emul(Work *w) {
    RbExprs *x = w->x;
    const RbExpr *left[] = {w->dargs[0], w->args[1]}, *right[] = {w->args[0], w->dargs[1]};
    return plus(x, left[0] ? rb_apply(x, RB_OP_EMUL, left, 2) : NULL,
                right[1] ? rb_apply(x, RB_OP_EMUL, right, 2) : NULL);
}

static const RbExpr *diff_if(Work *w) {
    if (!w->dargs[1] && !w->dargs[2]) return NULL;
    return rb_if(w->x, w->args[0], or_zero(w->x, w->dargs[1], w->args[1]),
                 or_zero(w->x, w->dargs[2], w->args[2]));
}

// --- builtin functions ---------------------------------------------------------------------------

// atan2(a, b)' = (b a' - a b') / (a^2 + b^2)
static const RbExpr *diff_atan2(Work *w) {
    RbExprs *x = w->x;
    const RbExpr *a = w->args[0], *b = w->args[1];
    const RbExpr *top = minus(x, times(x, b, w->dargs[0]), times(x, a, w->dargs[1]));
    return rb_div(x, top, rb_add(x, rb_mul(x, a, a), rb_mul(x, b, b)));
}

static const RbExpr *diff_min_max(Work *w, RbBuiltin f) {
    RbExprs *x = w->x;
    const RbExpr *second =
        rb_relate(x, f == RB_FN_MIN ? RB_OP_LT : RB_OP_GT, w->args[1], w->args[0]);
    return rb_if(x, rb_quiet(x, second), or_zero(x, w->dargs[1], w->args[1]),
                 or_zero(x, w->dargs[0], w->args[0]));
}

// semiLinear(u, k1, k2) = if u >= 0 then k1 u else k2 u
static const RbExpr *diff_homotopy(Work *w) {
    const RbExpr *zero = rb_real(w->x, 0.0);
    if (!w->dargs[0] && !w->dargs[1]) return NULL;
    return rb_builtin2(w->x, RB_FN_HOMOTOPY, w->dargs[0] ? w->dargs[0] : zero,
                       w->dargs[1] ? w->dargs[1] : zero);
}

static const RbExpr *diff_semi_linear(Work *w) {
    RbExprs *x = w->x;
    const RbExpr *u = w->args[0], *du = w->dargs[0];
    const RbExpr *up = plus(x, times(x, w->args[1], du), times(x, w->dargs[1], u));
    const RbExpr *down = plus(x, times(x, w->args[2], du), times(x, w->dargs[2], u));
    const RbExpr *positive = rb_quiet(x, rb_relate(x, RB_OP_GE, u, number(x, 0.0)));
    return rb_if(x, positive, or_zero(x, up, u), or_zero(x, down, u));
}

// Functions that are linear in all their arguments: the same function of the derivatives.
static const RbExpr *diff_linear(Work *w, const RbExpr *e) {
    const RbExpr **args = rb_new_array(w->scratch, const RbExpr *, e->arg_count);
    for (int i = 0; i < e->arg_count; i++) {
        bool counts = w->args[i]->type == RB_REAL; // sizes and dimensions stay
        args[i] = counts ? or_zero(w->x, w->dargs[i], w->args[i]) : w->args[i];
    }
    return rb_builtin(w->x, (RbBuiltin)e->index, args, e->arg_count);
}

static const RbExpr *diff_product(Work *w, RbBuiltin f) { // bilinear: cross, outerProduct
    RbExprs *x = w->x;
    return plus(x, w->dargs[0] ? rb_builtin2(x, f, w->dargs[0], w->args[1]) : NULL,
                w->dargs[1] ? rb_builtin2(x, f, w->args[0], w->dargs[1]) : NULL);
}

static const RbExpr *diff_smooth(Work *w) {
    RbExprs *x = w->x;
    double order;
    if (rb_constant_value(w->args[0], &order) && order >= 1) {
        return rb_builtin2(x, RB_FN_SMOOTH, rb_integer(x, (int64_t)order - 1), w->dargs[1]);
    }
    return rb_quiet(x, w->dargs[1]);
}

// e(t - T)' = e'(t - T) (1 - T'). It does not depend on anything at present but T.
static const RbExpr *diff_delay(Work *w, const RbExpr *e) {
    if (!w->along_time) return w->dargs[1] ? fail(w, e) : NULL;
    const RbExpr *slope = w->d->delay ? w->d->delay(w->d->user, e) : fail(w, e);
    if (!slope || !w->dargs[1]) return slope;
    return rb_mul(w->x, slope, rb_sub(w->x, rb_real(w->x, 1.0), w->dargs[1]));
}

static const RbExpr *diff_own(Work *w, const RbExpr *e) {
    RbBuiltin f = (RbBuiltin)e->index;
    switch (f) {
        case RB_FN_ATAN2: return diff_atan2(w);
        case RB_FN_MIN:
        case RB_FN_MAX: return e->arg_count == 2 ? diff_min_max(w, f) : fail(w, e);
        case RB_FN_MOD:
        case RB_FN_REM: return w->dargs[1] ? fail(w, e) : w->dargs[0]; // a - b * (a whole number)
        case RB_FN_NO_EVENT: return rb_quiet(w->x, w->dargs[0]);
        case RB_FN_SMOOTH: return diff_smooth(w);
        case RB_FN_SEMI_LINEAR: return diff_semi_linear(w);
        case RB_FN_HOMOTOPY: return diff_homotopy(w);
        default: return fail(w, e);
    }
}

static const RbExpr *diff_builtin(Work *w, const RbExpr *e) {
    RbBuiltin f = (RbBuiltin)e->index;
    bool any = false;
    if (f == RB_FN_DELAY) return diff_delay(w, e);
    for (int i = 0; i < e->arg_count; i++) any |= w->dargs[i] != NULL;
    if (!any) return NULL;
    const RbBuiltinInfo *info = &rb_builtins[f];
    switch (info->slope_rule) {
        case RB_SLOPE_FACTOR: return rb_mul(w->x, info->slope(w->x, w->args[0], e), w->dargs[0]);
        case RB_SLOPE_ZERO: return NULL;
        case RB_SLOPE_LINEAR: return diff_linear(w, e);
        case RB_SLOPE_BILINEAR: return diff_product(w, f);
        case RB_SLOPE_OWN: return diff_own(w, e);
        case RB_SLOPE_NONE: break;
    }
    return fail(w, e);
}

// --- calls ---------------------------------------------------------------------------------------

// Time and tokens come first among the arguments of a component's function; they are not
// differentiated, the function named as its time derivative knows about them. Without a seed for
// time it is a partial derivative, which a component does not tell.
static const RbExpr *diff_component(Work *w, const RbExpr *call, const RbExpr *const *args,
                                    const RbExpr *const *dargs, int result, const RbExpr *e) {
    const RbComponentCall *c = &w->d->model->functions.data[call->index]->component;
    if (c->time_derivative < 0 || !dargs[0]) return fail(w, e);
    const RbComponentCall *d = &w->d->model->functions.data[c->time_derivative]->component;
    const RbExpr **all = rb_new_array(w->scratch, const RbExpr *, 2 * call->arg_count + 2);
    int count = 0, lead = c->after ? 2 : 1;
    all[count++] = args[0];
    if (d->after) all[count++] = d->after;
    for (int i = lead; i < call->arg_count; i++) all[count++] = args[i];
    for (int i = lead; i < call->arg_count; i++) all[count++] = or_zero(w->x, dargs[i], args[i]);
    const RbExpr *derivative = rb_call_function(w->x, c->time_derivative, RB_REAL, 0, all, count);
    return rb_result(w->x, derivative, result, RB_REAL, e->rank);
}

// Does a derivative that the author named hold here? It may leave out an input because its own is
// zero (zeroDerivative), or because the function knows it otherwise (noDerivative): the latter is a
// word on the derivative along time alone. Of order 2 and more it continues a chain along time.
static bool fits(const Work *w, const RbFunctionDerivative *d, const RbExpr *const *dargs,
                 int count) {
    if (d->order > 1) return w->along_time;
    for (int i = 0; i < count; i++) {
        bool ignored =
            d->inputs[i] == RB_INPUT_ZERO || (d->inputs[i] == RB_INPUT_IGNORED && !w->along_time);
        if (ignored && dargs[i]) return false;
    }
    return true;
}

// An input is differentiated by its type, not by that of the argument: that of {1, 0, 0} is
// Integer.
static bool is_differentiated(const RbFunction *f, const RbFunctionDerivative *d, int i) {
    return f->vars.data[i].type == RB_REAL && (!d || d->inputs[i] == RB_INPUT_DIFFERENTIATED);
}

static int count_differentiated(const RbFunction *f, const RbFunctionDerivative *d, int count) {
    int n = 0;
    for (int i = 0; i < count; i++) n += is_differentiated(f, d, i);
    return n;
}

// A derivative that its author wants written out is written out at once: v' = resolve(R, ...) names the function whose own derivative the
// author named too, and that holds for the next derivative along time.
static const RbExpr *written_out(Work *w, int function, const RbExpr *const *args, int result) {
    const RbFunction *f = w->d->model->functions.data[function];
    if (!w->along_time || !f->is_inline || f->inline_after_index || f->derivatives.count > 0)
        return NULL;
    const RbExpr **results = rb_new_array(w->scratch, const RbExpr *, f->output_count + 1);
    return rb_inline_function(w->x, f, args, results, *w->scratch) ? results[result] : NULL;
}

// f(u)' = df(u, u'). The derivative of order n has the inputs of f and their derivatives up to n:
// those of f are the ones up to n - 1, and the derivatives of the last of these are new.
static const RbExpr *call_derivative(Work *w, const RbExpr *call, int function,
                                     const RbFunctionDerivative *d, const RbExpr *const *args,
                                     const RbExpr *const *dargs, int result, int rank) {
    const RbFunction *f = w->d->model->functions.data[call->index];
    const RbExpr **all = rb_new_array(w->scratch, const RbExpr *, 2 * call->arg_count);
    int count = 0, skipped = 0;
    if (d && d->order > 1) {
        int differentiated = count_differentiated(f, d, call->arg_count);
        skipped = differentiated - differentiated / d->order;
    }
    for (int i = 0; i < call->arg_count; i++) all[count++] = args[i];
    for (int i = 0; i < call->arg_count; i++) {
        if (!is_differentiated(f, d, i)) continue;
        if (skipped-- > 0) continue;
        all[count++] = or_zero(w->x, dargs[i], args[i]);
    }
    const RbExpr *written = written_out(w, function, all, result);
    if (written) return written;
    return rb_result(w->x, rb_call_function(w->x, function, RB_REAL, call->rank, all, count),
                     result, RB_REAL, rank);
}

// An input that the author's derivative does without (noDerivative) may vary all the same: then the
// derivative is not zero, even if all other inputs are constant.
static bool varies_ignored(Work *w, const RbFunction *f, const RbExpr *const *args, int count) {
    if (!w->along_time) return false;
    for (int k = 0; k < f->derivatives.count; k++) {
        for (int i = 0; i < count; i++) {
            if (f->derivatives.data[k].inputs[i] != RB_INPUT_IGNORED) continue;
            RbArena scratch = *w->scratch;
            if (rb_expr_vars(w->x, args[i], &scratch).count > 0) return true;
        }
    }
    return false;
}

// A call has a derivative if the function names one that fits, or if one can be made.
static const RbExpr *diff_call(Work *w, const RbExpr *call, const RbExpr *const *args,
                               const RbExpr *const *dargs, int result, const RbExpr *e) {
    bool any = false;
    for (int i = 0; i < call->arg_count; i++) any |= dargs[i] != NULL;
    if (!w->d->model) return any ? fail(w, e) : NULL;
    const RbFunction *f = w->d->model->functions.data[call->index];
    if (!any && !varies_ignored(w, f, args, call->arg_count)) return NULL;
    if (f->kind == RB_FUNCTION_COMPONENT) return diff_component(w, call, args, dargs, result, e);
    const RbFunctionDerivative *named = NULL;
    for (int k = 0; !named && k < f->derivatives.count; k++) {
        if (fits(w, &f->derivatives.data[k], dargs, call->arg_count))
            named = &f->derivatives.data[k];
    }
    int function =
        named ? named->function : rb_derive_function(w->d->model, call->index, w->scratch);
    if (function < 0) return fail(w, e);
    return call_derivative(w, call, function, named, args, dargs, result, e->rank);
}

// --- nodes ---------------------------------------------------------------------------------------

static const RbExpr *diff_array(Work *w, const RbExpr *e) {
    const RbExpr **elements = rb_new_array(w->scratch, const RbExpr *, e->arg_count);
    bool any = false;
    for (int i = 0; i < e->arg_count; i++) {
        any |= w->dargs[i] != NULL;
        elements[i] = or_zero(w->x, w->dargs[i], w->args[i]);
    }
    return any ? rb_array(w->x, elements, e->arg_count) : NULL;
}

static const RbExpr *diff_node(Work *w, const RbExpr *e) {
    RbExprs *x = w->x;
    switch ((RbOp)e->op) {
        case RB_OP_VAR:
        case RB_OP_LOCAL:
        case RB_OP_TIME:
        case RB_OP_DER: return w->d->seed(w->d->user, e);
        case RB_OP_NEG: return w->dargs[0] ? rb_neg(x, w->dargs[0]) : NULL;
        case RB_OP_ADD: return plus(x, w->dargs[0], w->dargs[1]);
        case RB_OP_SUB: return minus(x, w->dargs[0], w->dargs[1]);
        case RB_OP_MUL:
            return plus(x, times(x, w->dargs[0], w->args[1]), times(x, w->args[0], w->dargs[1]));
        case RB_OP_DIV: return diff_div(w, e);
        case RB_OP_POW: return e->rank == 0 ? diff_pow(w, e) : fail(w, e);
        case RB_OP_EMUL: return diff_emul(w);
        case RB_OP_IF: return diff_if(w);
        case RB_OP_BUILTIN: return diff_builtin(w, e);
        case RB_OP_CALL: return diff_call(w, e, w->args, w->dargs, 0, e);
        case RB_OP_ARRAY: return diff_array(w, e);
        case RB_OP_SUBSCRIPT:
            return w->dargs[0] ? rb_subscript(x, w->dargs[0], w->args + 1, e->arg_count - 1) : NULL;
        case RB_OP_REDUCE: return diff_reduce(w, e);
        case RB_OP_EDIV:
        case RB_OP_EPOW:
        case RB_OP_RANGE: return fail_if_varying(w, e, 0);
        default: return NULL; // constants, relations, logic, pre
    }
}

// The positions of all arguments in the order, one node after the other: later walks overwrite the
// marks in the pool.
typedef struct Places {
    int *places;
    int *first; // per node
} Places;

static Places argument_places(RbExprs *x, const RbExprOrder *order, RbArena *scratch) {
    int total = 0, n = 0;
    for (int i = 0; i < order->count; i++) total += order->nodes[i]->arg_count;
    Places p = {rb_new_array(scratch, int, total + 1),
                rb_new_array(scratch, int, order->count + 1)};
    for (int i = 0; i < order->count; i++) {
        const RbExpr *e = order->nodes[i];
        p.first[i] = n;
        for (int k = 0; k < e->arg_count; k++) p.places[n++] = rb_expr_position(x, e->args[k]);
    }
    return p;
}

static bool is_ignored(const Work *w, const RbExpr *call, int k) {
    if (!w->along_time || !w->d->model || call->op != RB_OP_CALL) return false;
    const RbFunction *f = w->d->model->functions.data[call->index];
    bool ignored = false;
    for (int i = 0; i < f->derivatives.count; i++) {
        const RbFunctionDerivative *d = &f->derivatives.data[i];
        if (d->made) continue;
        if (d->inputs[k] != RB_INPUT_IGNORED) return false;
        ignored = true;
    }
    return ignored;
}

// Nodes whose derivatives are asked for. What only ignored inputs of calls contain has none: its
// derivatives may not exist, and making variables for them would change the structure of the model.
static bool *needed_nodes(const Work *w, const RbExprOrder *order, const Places *p) {
    bool *needed = rb_new_array(w->scratch, bool, order->count);
    needed[order->count - 1] = true;
    for (int i = order->count - 1; i >= 0; i--) {
        const RbExpr *e = order->nodes[i];
        for (int k = 0; needed[i] && k < e->arg_count; k++) {
            if (!is_ignored(w, e, k)) needed[p->places[p->first[i] + k]] = true;
        }
    }
    return needed;
}

// NULL: zero, or it failed.
static const RbExpr *diff_all(Work *w, const RbExpr *e) {
    RbArena *scratch = w->scratch;
    RbExprOrder order = rb_expr_order(w->x, &e, 1, scratch);
    Places p = argument_places(w->x, &order, scratch);
    const RbExpr **done = rb_new_array(scratch, const RbExpr *, order.count);
    RB_ARRAY(const RbExpr *) dargs = {0};
    bool *needed = needed_nodes(w, &order, &p);
    for (int i = 0; i < order.count; i++) {
        if (!needed[i]) continue;
        // a result of a call needs the arguments of the call, not of itself
        int from = order.nodes[i]->op == RB_OP_RESULT ? p.places[p.first[i]] : i;
        const RbExpr *node = order.nodes[i], *source = order.nodes[from];
        dargs.count = 0;
        for (int k = 0; k < source->arg_count; k++)
            rb_array_push(&dargs, scratch, done[p.places[p.first[from] + k]]);
        w->args = (const RbExpr **)source->args;
        w->dargs = dargs.data;
        bool result = node->op == RB_OP_RESULT;
        done[i] = result ? diff_call(w, source, w->args, w->dargs, node->index, node)
                         : diff_node(w, node);
    }
    return done[order.count - 1];
}

const RbExpr *rb_diff(RbExprs *x, const RbExpr *e, RbDiff *d, RbArena scratch) {
    d->failed = NULL;
    Work w = {.x = x, .d = d, .scratch = &scratch};
    w.along_time = d->seed(d->user, rb_time(x)) != NULL;
    const RbExpr *result = e->arg_count == 0 ? diff_node(&w, e) : diff_all(&w, e);
    if (d->failed) return NULL;
    return result ? result : zero_like(x, e);
}

typedef struct OneVar {
    RbExprs *x;
    int var;
} OneVar;

static const RbExpr *seed_one(void *user, const RbExpr *leaf) {
    const OneVar *one = user;
    return leaf->op == RB_OP_VAR && leaf->index == one->var ? rb_real(one->x, 1.0) : NULL;
}

const RbExpr *rb_diff_var(RbExprs *x, const RbExpr *e, int var, RbFlatModel *model,
                          RbArena scratch) {
    if (model && model->vars.data[var].rank > 0) return NULL; // a Jacobian, not an expression
    OneVar one = {x, var};
    RbDiff d = {.model = model, .seed = seed_one, .user = &one};
    return rb_diff(x, e, &d, scratch);
}

// SPDX-License-Identifier: MIT
// function_expr.c: expressions within functions, as C.
#include "base/assert.h"

#include "code/function_array.h"
#include "expr/builtins.h"

#define out(...) rb_text_printf(w->out, __VA_ARGS__)

static bool knows(RbFunctionWriter *w, const RbExpr *e) {
    return w->stamps[e->id] == w->stamp;
}

bool rb_function_has_temp(const RbFunctionWriter *w, const RbExpr *e) {
    return w->stamps[e->id] == w->stamp && w->temp[e->id] > 0;
}

static int trait(RbFunctionWriter *w, const RbExpr *e) {
    return knows(w, e) ? w->traits[e->id] : 0;
}

void rb_function_name(RbFunctionWriter *w, const RbExpr *e, int number) {
    w->temp[e->id] = number;
    rb_array_push(&w->trail, w->scratch, e->id);
}

int rb_function_temp(RbFunctionWriter *w, const RbExpr *e) {
    rb_function_name(w, e, ++w->temps);
    return w->temps;
}

void rb_function_forget(RbFunctionWriter *w, int mark) {
    while (w->trail.count > mark) {
        int id = w->trail.data[--w->trail.count];
        w->temp[id] = w->view[id] = 0;
    }
}

int rb_function_look(RbFunctionWriter *w, const RbExpr *const *roots, int count) {
    RbArena scratch = *w->scratch;
    RbExprOrder order = rb_expr_order(w->model->exprs, roots, count, &scratch);
    int all = 0;
    w->stamp++;
    w->trail.count = 0;
    w->lazy = 0;
    w->unsure = false;
    for (int i = 0; i < order.count; i++) {
        int id = order.nodes[i]->id;
        w->stamps[id] = w->stamp;
        w->uses[id] = w->temp[id] = w->view[id] = w->traits[id] = 0;
    }
    for (int i = 0; i < order.count; i++) {
        for (int k = 0; k < order.nodes[i]->arg_count; k++) w->uses[order.nodes[i]->args[k]->id]++;
    }
    for (int i = 0; i < order.count; i++) {
        const RbExpr *e = order.nodes[i];
        rb_function_shape_node(w, e);
        int own = e->op == RB_OP_SUBSCRIPT ? RB_MAY_FAIL : 0;
        for (int k = 0; k < e->arg_count; k++) own |= w->traits[e->args[k]->id];
        if (e->op == RB_OP_CALL || e->op == RB_OP_REDUCE || e->op == RB_OP_RANGE ||
            (e->rank > 0 && e->op != RB_OP_LOCAL && e->op != RB_OP_ALL))
            own |= RB_IN_STEPS | RB_MAY_FAIL;
        if ((own & RB_MAY_FAIL) && w->uses[e->id] > 1) own |= RB_IN_STEPS;
        w->traits[e->id] = (unsigned char)own;
        all |= own;
    }
    return all;
}

// --- writing -------------------------------------------------------------------------------------

void rb_function_variable(RbFunctionWriter *w, int var) {
    out("l%d", var);
}

const char *rb_function_array_name(RbFunctionWriter *w, int var) {
    const RbFunction *f = w->f;
    const char *list = var < f->input_count ? "v" : "rv";
    if (var >= f->input_count + f->output_count) return rb_arena_printf(w->scratch, "l%d", var);
    return rb_arena_printf(w->scratch, "%s[%d]", list, rb_function_slot(f, var));
}

static bool is_leaf(RbFunctionWriter *w, const RbExpr *e) {
    return e->arg_count == 0 || rb_function_has_temp(w, e);
}

// x^2, x^3 and their inverses in place, in the order of rb_integer_power; others by a loop that
// has the same order.
static bool write_power(RbFunctionWriter *w, const RbExpr *e) {
    int64_t n;
    bool small = rb_is_expandable(e, &n) && n >= -3 && n <= 3 && is_leaf(w, e->args[0]);
    if (!small) return false;
    if (n < 0) out("(1.0 / ");
    int64_t count = n < 0 ? -n : n;
    for (int k = 0; k < count; k++) {
        if (k > 0) out(" * ");
        if (k + 1 < count || count == 1) out("(");
        rb_function_write(w, e->args[0]);
    }
    for (int k = 0; k < (count == 1 ? 1 : count - 1); k++) out(")");
    if (n < 0) out(")");
    return true;
}

static bool passes_through(const RbExpr *e) {
    return e->op == RB_OP_BUILTIN && rb_builtins[e->index].passes > 0;
}

static const RbExpr *passed(const RbExpr *e) {
    return e->args[rb_builtins[e->index].passes - 1];
}

// Is it the size of a variable in a dimension that it has?
static bool is_plain_size(const RbExpr *e) {
    double d;
    return e->op == RB_OP_BUILTIN && e->index == RB_FN_SIZE && e->args[0]->op == RB_OP_LOCAL &&
           rb_constant_value(e->args[1], &d) && d >= 1 && d <= e->args[0]->rank;
}

static bool is_element(const RbExpr *e) {
    return e->op == RB_OP_SUBSCRIPT && e->rank == 0;
}

// An operation on arrays with a single number as result, which lives in an A.
static bool is_boxed(const RbExpr *e) {
    if (e->rank > 0 || e->op == RB_OP_CALL || e->op == RB_OP_RESULT || e->op == RB_OP_REDUCE ||
        is_element(e) || is_plain_size(e) || passes_through(e))
        return false;
    for (int i = 0; i < e->arg_count; i++) {
        if (e->args[i]->rank > 0) return true;
    }
    return false;
}

static void write_call_result(RbFunctionWriter *w, const RbExpr *e) {
    const RbExpr *call = e->op == RB_OP_RESULT ? e->args[0] : e;
    const RbFunction *g = w->model->functions.data[call->index];
    int var = g->input_count + (e->op == RB_OP_RESULT ? e->index : 0);
    RB_ASSERT(w->temp[call->id] > 0);
    out("%s%d[%d]", g->vars.data[var].rank > 0 ? "q" : "r", w->temp[call->id],
        rb_function_slot(g, var));
}

static void write_size(RbFunctionWriter *w, const RbExpr *e) {
    double d = 1;
    rb_constant_value(e->args[1], &d);
    out("((double)%s)", rb_function_dim(w, e->args[0], (int)d - 1));
}

// An element of an array variable, or of an array that has places.
static void write_element(RbFunctionWriter *w, const RbExpr *e) {
    const char *at[RB_RANK_MAX];
    for (int d = 0; d < e->arg_count - 1; d++)
        at[d] = rb_function_index(w, e->args[0], d, e->args[d + 1]);
    rb_text_add(w->out, rb_function_element(w, e->args[0], at));
}

static bool write_own(void *user, const RbExpr *e) {
    RbFunctionWriter *w = user;
    if (e->op == RB_OP_CALL || e->op == RB_OP_RESULT) {
        write_call_result(w, e);
    } else if (rb_function_has_temp(w, e)) {
        bool boxed = is_boxed(e) && !(w->traits[e->id] & RB_PLAIN);
        out(boxed ? "a%d.d[0]" : "t%d", w->temp[e->id]);
    } else if (is_element(e)) {
        write_element(w, e);
    } else if (e->op == RB_OP_LOCAL) {
        rb_function_variable(w, e->index);
    } else if (is_plain_size(e)) {
        write_size(w, e);
    } else {
        return (e->op == RB_OP_POW || e->op == RB_OP_EPOW) && write_power(w, e);
    }
    return true;
}

static bool has_name(void *user, const RbExpr *e) {
    return rb_function_has_temp(user, e) || e->rank > 0;
}

static RbCWriter c_writer(RbFunctionWriter *w) {
    return (RbCWriter){w->out, w->constants, write_own, has_name, w};
}

void rb_function_write(RbFunctionWriter *w, const RbExpr *e) {
    RbCWriter c = c_writer(w);
    rb_c_write(&c, e);
}

void rb_function_write_condition(RbFunctionWriter *w, const RbExpr *e) {
    RbCWriter c = c_writer(w);
    rb_c_write_condition(&c, e);
}

const char *rb_function_text(RbFunctionWriter *w, const RbExpr *e) {
    RbText text = rb_text(w->scratch), *before = w->out;
    w->out = &text;
    rb_function_write(w, e);
    w->out = before;
    return text.data;
}

// --- statements before an expression -------------------------------------------------------------

static void prepare_arguments(RbFunctionWriter *w, const RbExpr *e) {
    for (int i = 0; i < e->arg_count; i++) rb_function_prepare(w, e->args[i]);
}

int rb_function_arguments(RbFunctionWriter *w, const RbExpr *e, int first) {
    for (int i = first; i < e->arg_count; i++) rb_function_prepare(w, e->args[i]);
    int x = ++w->temps;
    out("    A x%d[%d]; double y%d[%d];\n", x, e->arg_count + 1, x, e->arg_count + 1);
    for (int i = first; i < e->arg_count; i++) {
        const RbExpr *a = e->args[i];
        int k = i - first;
        if (a->op == RB_OP_ALL) {
            out("    x%d[%d].d = 0;\n", x, k);
        } else if (a->rank > 0) {
            const char *box = rb_function_box(w, a);
            out("    x%d[%d] = %s;\n", x, k, box);
        } else {
            out("    y%d[%d] = %s; rb_box(&x%d[%d], &y%d[%d]);\n", x, k, rb_function_text(w, a), x,
                k, x, k);
        }
    }
    rb_function_check(w);
    return x;
}

static void prepare_applied(RbFunctionWriter *w, const RbExpr *e) {
    int x = rb_function_arguments(w, e, 0), a = rb_function_temp(w, e);
    rb_array_push(&w->constants->source->nodes, w->constants->arena, e);
    out("    A a%d; if (f->apply(f, %d, x%d, &a%d)) goto fail;\n", a,
        w->constants->source->nodes.count - 1, x, a);
}

static void call_arguments(RbFunctionWriter *w, const RbExpr *e, int t) {
    const RbFunction *g = w->model->functions.data[e->index];
    for (int i = 0; i < e->arg_count; i++) {
        const RbExpr *a = e->args[i];
        const char *value = a->type == RB_STRING ? "0.0"
                            : a->rank > 0        ? rb_function_box(w, a)
                                                 : rb_function_text(w, a);
        out("    %s%d[%d] = %s;\n", a->rank > 0 ? "v" : "s", t, rb_function_slot(g, i), value);
    }
    rb_function_check(w);
}

static void prepare_call(RbFunctionWriter *w, const RbExpr *e) {
    const RbFunctionShape n = rb_function_shape(w->model->functions.data[e->index]);
    for (int i = 0; i < e->arg_count; i++) {
        if (e->args[i]->type != RB_STRING) rb_function_prepare(w, e->args[i]);
    }
    int t = ++w->temps; // the name is known only after the arguments: one may be the same call
    out("    double s%d[%d], r%d[%d]; A v%d[%d], q%d[%d];\n", t, n.scalars_in + 1, t,
        n.scalars_out + 1, t, n.arrays_in + 1, t, n.arrays_out + 1);
    call_arguments(w, e, t);
    rb_function_name(w, e, t);
    if (w->code->compiled[e->index])
        out("    if (fn_%d(f, ", e->index);
    else
        out("    if (f->invoke(f, %d, ", e->index);
    out("s%d, v%d, r%d, q%d)) goto fail;\n", t, t, t, t);
}

// A branch of a choice into t<number>, a<number> or, if it is small, d<number>.
static void assign_branch(RbFunctionWriter *w, const RbExpr *e, const RbExpr *branch, int t) {
    rb_function_prepare(w, branch);
    if (e->rank == 0) {
        out("    t%d = %s;\n", t, rb_function_text(w, branch));
    } else if (rb_is_small_value(w, e)) {
        rb_function_place_array(w, branch);
        const char *data = rb_function_data(w, branch);
        for (int k = 0; k < rb_static_count(w, e); k++)
            out("    d%d[%d] = %s[%d];\n", t, k, data, k);
    } else {
        const char *box = rb_function_box(w, branch);
        out("    A g%d; g%d = %s; if (rb_like(f, &a%d, &g%d, &g%d)) goto fail;\n", t, t, box, t, t,
            t);
        out("    { int k; for (k = 0; k < a%d.c; k++) a%d.d[k] = g%d.d[k]; }\n", t, t, t);
    }
    rb_function_check(w);
}

// Both branches in blocks of their own, so that only the one that is chosen is evaluated.
static void prepare_choice(RbFunctionWriter *w, const RbExpr *e) {
    rb_function_prepare(w, e->args[0]);
    int t = ++w->temps, small = rb_is_small_value(w, e);
    if (e->rank == 0)
        out("    double t%d;\n", t);
    else if (small)
        out("    double d%d[%d];\n", t, rb_static_count(w, e) + 1);
    else
        out("    A a%d;\n", t);
    out("    if (");
    rb_function_write_condition(w, e->args[0]);
    out(") {\n");
    for (int k = 1; k <= 2; k++) {
        int mark = w->trail.count, lazy = w->lazy;
        w->lazy = 0;
        assign_branch(w, e, e->args[k], t);
        out(k == 1 ? "    } else {\n" : "    }\n");
        rb_function_forget(w, mark);
        w->lazy = lazy;
    }
    rb_function_name(w, e, t);
    if (e->rank > 0 && small) w->traits[e->id] |= RB_PLAIN;
}

// a and b: b only if a holds; a or b: b only if a does not.
static void prepare_logic(RbFunctionWriter *w, const RbExpr *e) {
    rb_function_prepare(w, e->args[0]);
    int t = ++w->temps, mark = w->trail.count, lazy = w->lazy;
    out("    double t%d = ", t);
    rb_function_write_condition(w, e->args[0]);
    out(";\n    if (%st%d != 0.0%s) {\n", e->op == RB_OP_AND ? "" : "!(", t,
        e->op == RB_OP_AND ? "" : ")");
    w->lazy = 0;
    rb_function_prepare(w, e->args[1]);
    out("    t%d = ", t);
    rb_function_write_condition(w, e->args[1]);
    out(";\n    }\n");
    rb_function_forget(w, mark);
    w->lazy = lazy;
    rb_function_name(w, e, t);
}

// --- arrays --------------------------------------------------------------------------------------

// {a, b, c} of scalars
static void prepare_vector(RbFunctionWriter *w, const RbExpr *e) {
    prepare_arguments(w, e);
    int a = ++w->temps;
    out("    A a%d; if (rb_new(f, &a%d, 1, %d, 0, 0, 0)) goto fail;\n", a, a, e->arg_count);
    for (int i = 0; i < e->arg_count; i++) {
        out("    a%d.d[%d] = ", a, i);
        rb_function_write(w, e->args[i]);
        out(";\n");
    }
    rb_function_name(w, e, a);
}

static bool all_scalar(const RbExpr *e) {
    for (int i = 0; i < e->arg_count; i++) {
        if (e->args[i]->rank > 0) return false;
    }
    return true;
}

static void prepare_range(RbFunctionWriter *w, const RbExpr *e) {
    prepare_arguments(w, e);
    int a = ++w->temps;
    out("    A a%d; if (rb_range(f, &a%d", a, a);
    for (int i = 0; i < 3; i++) {
        out(", ");
        rb_function_write(w, e->args[i]);
    }
    out(")) goto fail;\n");
    rb_function_name(w, e, a);
}

static void prepare_array(RbFunctionWriter *w, const RbExpr *e) {
    if (rb_function_prepare_array(w, e)) return;
    if (e->op == RB_OP_ARRAY && all_scalar(e))
        prepare_vector(w, e);
    else if (e->op == RB_OP_RANGE)
        prepare_range(w, e);
    else
        prepare_applied(w, e);
}

// --- nodes ---------------------------------------------------------------------------------------

// An array that gets its size with its value may have none yet.
static void check_value(RbFunctionWriter *w, const RbExpr *e) {
    const RbFunctionVar *v = &w->f->vars.data[e->index];
    if (v->rank == 0 || e->index < w->f->input_count || v->binding) return;
    bool sized = true;
    for (int d = 0; d < v->rank; d++) sized &= v->dims[d] != NULL;
    if (!sized) out("    if (!%s.d) goto fail;\n", rb_function_array_name(w, e->index));
}

static void prepare_lazily(RbFunctionWriter *w, const RbExpr *e) {
    rb_function_prepare(w, e->args[0]);
    w->lazy++;
    for (int k = 1; k < e->arg_count; k++) rb_function_prepare(w, e->args[k]);
    w->lazy--;
}

static bool is_lazy(const RbExpr *e) {
    return e->op == RB_OP_IF || (e->rank == 0 && (e->op == RB_OP_AND || e->op == RB_OP_OR));
}

// A power is written with its base repeated.
static void prepare_base(RbFunctionWriter *w, const RbExpr *e) {
    int64_t n;
    const RbExpr *base = e->args[0];
    if (e->rank > 0 || !rb_is_expandable(e, &n) || n < -3 || n > 3 || n == 1 || n == -1) return;
    if (is_leaf(w, base) || (w->lazy > 0 && (trait(w, base) & RB_MAY_FAIL))) return;
    if (base->op == RB_OP_CALL || base->op == RB_OP_RESULT || is_boxed(base)) return;
    out("    double t%d = ", w->temps + 1);
    rb_function_write(w, base);
    out(";\n");
    rb_function_temp(w, base);
}

// Subscripts are written more than once. One that may not be evaluated must not be computed before.
static void prepare_subscripts(RbFunctionWriter *w, const RbExpr *e) {
    rb_function_prepare(w, e->args[0]);
    if (e->args[0]->rank > 0) rb_function_place_array(w, e->args[0]);
    for (int k = 1; k < e->arg_count; k++) {
        if (w->lazy > 0 && (trait(w, e->args[k]) & RB_MAY_FAIL))
            rb_function_prepare(w, e->args[k]);
        else
            rb_function_prepare_leaf(w, e->args[k]);
    }
}

static void prepare_scalar(RbFunctionWriter *w, const RbExpr *e) {
    if (is_lazy(e))
        prepare_lazily(w, e);
    else if (is_element(e))
        prepare_subscripts(w, e);
    else
        prepare_arguments(w, e);
    prepare_base(w, e);
    if (w->uses[e->id] <= 1) return;
    if (w->lazy > 0 && (trait(w, e) & RB_MAY_FAIL)) return;
    out("    double t%d = ", w->temps + 1);
    rb_function_write(w, e);
    out(";\n");
    rb_function_temp(w, e);
}

void rb_function_prepare_leaf(RbFunctionWriter *w, const RbExpr *e) {
    rb_function_prepare(w, e);
    if (e->arg_count == 0 || e->op == RB_OP_RESULT || rb_function_has_temp(w, e)) return;
    const char *value = rb_function_text(w, e);
    out("    double t%d = %s;\n", rb_function_temp(w, e), value);
    if (is_boxed(e)) w->traits[e->id] |= RB_PLAIN;
}

void rb_function_prepare(RbFunctionWriter *w, const RbExpr *e) {
    if (e->op == RB_OP_LOCAL) check_value(w, e);
    if (e->arg_count == 0 && e->op != RB_OP_CALL && e->op != RB_OP_ARRAY) return;
    if (rb_function_has_temp(w, e)) return;
    bool steps = is_lazy(e) && ((trait(w, e->args[1]) & RB_IN_STEPS) ||
                                (e->arg_count > 2 && (trait(w, e->args[2]) & RB_IN_STEPS)));
    if (e->op == RB_OP_CALL)
        prepare_call(w, e);
    else if (e->op == RB_OP_RESULT)
        rb_function_prepare(w, e->args[0]);
    else if (e->op == RB_OP_IF && (steps || e->rank > 0))
        prepare_choice(w, e);
    else if (steps)
        prepare_logic(w, e);
    else if (passes_through(e) && e->rank > 0)
        rb_function_prepare(w, passed(e));
    else if (e->op == RB_OP_REDUCE)
        rb_function_prepare_reduction(w, e);
    else if (is_boxed(e) && rb_function_prepare_fold(w, e))
        return;
    else if (is_boxed(e))
        prepare_applied(w, e);
    else if (e->rank > 0)
        prepare_array(w, e);
    else
        prepare_scalar(w, e);
}

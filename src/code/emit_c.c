// SPDX-License-Identifier: MIT
// emit_c.c: a node that is used once is written where it is used; one that is used more often gets
// a local variable. Each function holds a limited number of steps, since compilers are slow on
// giant functions. The C is a small subset that tcc, gcc and clang all translate to the same
// operations: no library but libm, no integer arithmetic on values, Booleans are 0 and 1 in
// doubles.
#include "code/emit_c.h"

#include <math.h>

#include "base/assert.h"
#include "code/emit_function.h"
#include "code/frame.h"
#include "expr/fold.h"

enum { STEPS_PER_FUNCTION = 100 };

enum { USES_TIME = 1 << RB_AREA_COUNT };

typedef struct Emit {
    const RbLowered *l;
    RbArena *arena;   // the text
    RbArena *scratch; // tables and lists
    RbArena *pass;    // passed by value only
    RbText *out;
    RbText body; // of the function at hand
    RbConstants constants;
    RbFunctionCode functions;
    int *uses; // by node id, valid where stamp agrees
    int *temp; // by node id: number of the local variable, 0 = none
    int *stamps;
    int stamp;
    int temps;     // local variables of this function
    unsigned used; // areas that this function reads or writes, and USES_TIME
    // Algebraic variables (by their place) that only one function of the derivatives uses need no
    // memory: see plan_locals.
    int *variables; // place in w -> variable
    int *home; // function that alone computes and uses it, plus one; -1: several, or others read it
    const RbExpr **inlined; // written in place of its only use, in the present function
    unsigned char *local;   // a local variable of the present function
    RB_ARRAY(int) trail;    // ids with a local variable, so that a scope can forget them
    RbCSource *source;
    RbMap workspace_of; // array expression -> place among source->arrays
} Emit;

static const char *const prelude =
    "extern double sin(double), cos(double), tan(double), asin(double), acos(double), "
    "atan(double), atan2(double, double),\n"
    "    sinh(double), cosh(double), tanh(double), exp(double), log(double), log10(double), "
    "sqrt(double), floor(double),\n"
    "    ceil(double), trunc(double), pow(double, double);\n"
    "static double rb_abs(double a) { return a < 0.0 ? -a : a; }\n"
    "static double rb_sign(double a) { return (double)((a > 0.0) - (a < 0.0)); }\n"
    "static double rb_min(double a, double b) { return b < a ? b : a; }\n"
    "static double rb_max(double a, double b) { return b > a ? b : a; }\n"
    "static double rb_div(double a, double b) { return trunc(a / b); }\n"
    "static double rb_mod(double a, double b) { return a - floor(a / b) * b; }\n"
    "static double rb_rem(double a, double b) { return a - trunc(a / b) * b; }\n"
    "static int rb_take1(double *to, double from) { *to = from; return 0; }\n"
    "static int rb_take(double *to, int count, const A *from) {\n"
    "    int i;\n"
    "    if (!from->d || from->c != count) return 1;\n"
    "    for (i = 0; i < count; i++) to[i] = from->d[i];\n"
    "    return 0;\n"
    "}\n"
    "static double rb_semi(double a, double up, double down) { return a >= 0.0 ? up * a : down * "
    "a; }\n"
    "static double rb_power(double a, double b) {\n"
    "    double result = 1.0, square = a;\n"
    "    int n, negative, first = 1;\n"
    "    if (!(b == floor(b) && rb_abs(b) <= 64.0)) return pow(a, b);\n"
    "    n = (int)b; negative = n < 0; if (negative) n = -n;\n"
    "    for (; n > 0; n >>= 1) {\n"
    "        if (n & 1) { result = first ? square : result * square; first = 0; }\n"
    "        if (n > 1) square = square * square;\n"
    "    }\n"
    "    return negative ? 1.0 / result : result;\n"
    "}\n";

// Only for models with whole arrays. Sums begin with zero and go on in order, as in the
// interpreter.
static const char *const array_prelude =
    "static double rb_sum(const double *a, int n) {\n"
    "    double s = 0.0;\n"
    "    int i;\n"
    "    for (i = 0; i < n; i++) s = s + a[i];\n"
    "    return s;\n"
    "}\n"
    "static double rb_dot(F *f, const double *a, const double *b, int n) {\n"
    "    double s;\n"
    "    f->product(&s, a, b, 1, n, 1);\n"
    "    return s;\n"
    "}\n"
    "static void rb_transpose(double *c, const double *a, int rows, int columns) {\n"
    "    int i, j;\n"
    "    for (i = 0; i < rows; i++)\n"
    "        for (j = 0; j < columns; j++) c[j * rows + i] = a[i * columns + j];\n"
    "}\n"
    "static void rb_diagonal(double *c, const double *a, int n) {\n"
    "    int i;\n"
    "    for (i = 0; i < n * n; i++) c[i] = 0.0;\n"
    "    for (i = 0; i < n; i++) c[i * n + i] = a ? a[i] : 1.0;\n"
    "}\n";

static const char *const names[RB_SECTION_COUNT] = {
    "parameters", "starts", "samples",    "initial", "derivatives",
    "outputs",    "events", "indicators", "actions", "sets"};
const char *rb_section_name(RbSectionId section) {
    return names[section];
}

static const char *const letters[RB_AREA_COUNT] = {"p", "x", "dx", "u", "d", "q", "w", "o"};

// --- scopes --------------------------------------------------------------------------------------

static void know(Emit *e, const RbExpr *n) {
    if (e->stamps[n->id] == e->stamp) return;
    e->stamps[n->id] = e->stamp;
    e->uses[n->id] = e->temp[n->id] = 0;
}

static bool has_temp(Emit *e, const RbExpr *n) {
    return e->stamps[n->id] == e->stamp && e->temp[n->id] > 0;
}

static void open_function(Emit *e) {
    e->stamp++;
    e->temps = 0;
    e->used = 0;
    e->trail.count = 0;
}

// How often each node is used by the roots of one function.
static void count_uses(Emit *e, const RbExpr *const *roots, int count) {
    RbArena scratch = *e->pass;
    RbExprOrder order = rb_expr_order(e->l->dae->exprs, roots, count, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        know(e, n);
        for (int k = 0; k < n->arg_count; k++) {
            know(e, n->args[k]);
            e->uses[n->args[k]->id]++;
        }
    }
    for (int i = 0; i < count; i++) {
        know(e, roots[i]);
        e->uses[roots[i]->id]++;
    }
}

// --- writing -------------------------------------------------------------------------------------

static void write(Emit *e, const RbExpr *n);
static void write_pointer(Emit *e, const RbExpr *n);
static void write_size(Emit *e, const RbExpr *n);

static void write_constant(Emit *e, double value) {
    rb_write_constant(&e->constants, value, e->out);
}

static bool is_condition(const RbExpr *n) {
    return n->op >= RB_OP_LT && n->op <= RB_OP_OR;
}

// As a C condition.
static void write_condition(Emit *e, const RbExpr *n) {
    if (is_condition(n) && !has_temp(e, n)) {
        write(e, n);
    } else {
        rb_text_add(e->out, "(");
        write(e, n);
        rb_text_add(e->out, " != 0.0)");
    }
}

static void write_infix(Emit *e, const RbExpr *n, const char *op) {
    rb_text_add(e->out, "(");
    write(e, n->args[0]);
    rb_text_add(e->out, op);
    write(e, n->args[1]);
    rb_text_add(e->out, ")");
}

// (-a) + b and b + (-a) are b - a, also in floating-point arithmetic.
static void write_sum(Emit *e, const RbExpr *n) {
    int k = n->args[0]->op == RB_OP_NEG && !has_temp(e, n->args[0])   ? 0
            : n->args[1]->op == RB_OP_NEG && !has_temp(e, n->args[1]) ? 1
                                                                      : -1;
    if (k < 0) {
        write_infix(e, n, " + ");
        return;
    }
    rb_text_add(e->out, "(");
    write(e, n->args[1 - k]);
    rb_text_add(e->out, " - ");
    write(e, n->args[k]->args[0]);
    rb_text_add(e->out, ")");
}

static void write_logic(Emit *e, const RbExpr *n, const char *op) {
    rb_text_add(e->out, "(");
    write_condition(e, n->args[0]);
    rb_text_add(e->out, op);
    write_condition(e, n->args[1]);
    rb_text_add(e->out, ")");
}

static void write_function(Emit *e, const char *name, const RbExpr *n) {
    rb_text_printf(e->out, "%s(", name);
    for (int i = 0; i < n->arg_count; i++) {
        if (i > 0) rb_text_add(e->out, ", ");
        write(e, n->args[i]);
    }
    rb_text_add(e->out, ")");
}

// Only during initialisation is it less than the actual expression.
static void write_homotopy(Emit *e, const RbExpr *n) {
    rb_text_add(e->out, "(f->homotopy == 1.0 ? ");
    write(e, n->args[0]);
    rb_text_add(e->out, " : f->homotopy * (");
    write(e, n->args[0]);
    rb_text_add(e->out, ") + (1.0 - f->homotopy) * (");
    write(e, n->args[1]);
    rb_text_add(e->out, "))");
}

static void write_builtin(Emit *e, const RbExpr *n) {
    switch ((RbBuiltin)n->index) {
        case RB_FN_TO_REAL:
        case RB_FN_TO_INTEGER:
        case RB_FN_TO_ENUM:
        case RB_FN_NO_EVENT: write(e, n->args[0]); break;
        case RB_FN_HOMOTOPY: write_homotopy(e, n); break;
        case RB_FN_SMOOTH: write(e, n->args[1]); break;
        case RB_FN_DELAY:
            rb_text_printf(e->out, "f->delay(f, %d, ", (int)n->args[0]->real);
            write(e, n->args[1]);
            rb_text_add(e->out, ")");
            break;
        case RB_FN_FILL: write(e, n->args[0]); break; // of any element
        case RB_FN_SIZE: write_size(e, n); break;
        default: write_function(e, rb_builtin_in_c((RbBuiltin)n->index), n);
    }
}

static void write_place(Emit *e, RbCodePlace place) {
    RB_ASSERT(place.area >= 0 && place.array == 0);
    e->used |= 1U << place.area;
    rb_text_printf(e->out, "%s[%d]", letters[place.area], place.index);
}

static RbCodePlace algebraic_place(const Emit *e, const RbExpr *n) {
    const RbDaeVar *var = n->op == RB_OP_VAR ? &e->l->dae->vars.data[n->index] : NULL;
    bool algebraic = var && var->kind == RB_DAE_ALGEBRAIC && !var->whole;
    return algebraic ? rb_place(e->l, n->index) : (RbCodePlace){.area = RB_AREA_NONE};
}

static void write_variable(Emit *e, int v) {
    const RbDaeVar *var = &e->l->dae->vars.data[v];
    if (var->whole) { // element k: there is a loop around it
        rb_text_add(e->out, "(");
        write_pointer(e, rb_flat_ref(e->l->dae->model, v));
        rb_text_add(e->out, ")[k]");
        return;
    }
    if (var->kind == RB_DAE_ALGEBRAIC && e->inlined[var->slot]) {
        write(e, e->inlined[var->slot]);
        return;
    }
    if (var->kind == RB_DAE_ALGEBRAIC && e->local[var->slot]) {
        rb_text_printf(e->out, "v%d", var->slot);
        return;
    }
    if (var->kind == RB_DAE_ALIAS) { // only in start values and the like
        rb_text_add(e->out, var->sign < 0 ? "(-" : "(");
        write_variable(e, var->alias);
        rb_text_add(e->out, ")");
    } else if (var->kind == RB_DAE_UNUSED) {
        rb_text_add(e->out, "0.0");
    } else {
        write_place(e, rb_place(e->l, v));
    }
}

// --- arrays: a whole array or a result in the workspace ------------------------------------------

// Where the table of sizes tells about an array that has a place: 4 * entry.
static int array_entry(const Emit *e, const RbExpr *n) {
    if (n->op == RB_OP_VAR) return e->l->dae->vars.data[n->index].slot;
    return e->l->dae->arrays.count + e->temp[n->id] - 1;
}

static bool has_place(Emit *e, const RbExpr *n) {
    return n->op == RB_OP_VAR || has_temp(e, n);
}

static void write_pointer(Emit *e, const RbExpr *n) {
    RbArea area = n->op == RB_OP_VAR ? rb_place(e->l, n->index).area : RB_AREA_NONE;
    if (area >= 0) e->used |= 1U << area;
    rb_text_printf(e->out, "%s + n[%d]", area >= 0 ? letters[area] : "v", 4 * array_entry(e, n));
}

// size(a, k)
static void write_size(Emit *e, const RbExpr *n) {
    double k = 1;
    rb_constant_value(n->args[1], &k);
    rb_text_printf(e->out, "(double)n[%d]", 4 * array_entry(e, n->args[0]) + 1 + (int)k);
}

// A scalar that is a product or sum over arrays.
static void write_over_array(Emit *e, const RbExpr *n) {
    bool product = n->op == RB_OP_MUL;
    rb_text_add(e->out, product ? "rb_dot(f, " : "rb_sum(");
    write_pointer(e, n->args[0]);
    if (product) {
        rb_text_add(e->out, ", ");
        write_pointer(e, n->args[1]);
    }
    rb_text_printf(e->out, ", n[%d])", 4 * array_entry(e, n->args[0]) + 1);
}

static bool is_over_array(const RbExpr *n) {
    return n->rank == 0 && n->arg_count > 0 && n->args[0]->rank > 0 &&
           (n->op == RB_OP_MUL || (n->op == RB_OP_BUILTIN && n->index == RB_FN_SUM));
}

static void write_ternary(Emit *e, const RbExpr *n) {
    rb_text_add(e->out, "(");
    write_condition(e, n->args[0]);
    rb_text_add(e->out, " ? ");
    write(e, n->args[1]);
    rb_text_add(e->out, " : ");
    write(e, n->args[2]);
    rb_text_add(e->out, ")");
}

static void write(Emit *e, const RbExpr *n) {
    if (has_temp(e, n)) {
        if (n->rank > 0)
            rb_text_printf(e->out, "(v + n[%d])[k]", 4 * array_entry(e, n));
        else
            rb_text_printf(e->out, "t%d", e->temp[n->id]);
        return;
    }
    if (is_over_array(n)) {
        write_over_array(e, n);
        return;
    }
    switch ((RbOp)n->op) {
        case RB_OP_REAL: write_constant(e, n->real); break;
        case RB_OP_INTEGER:
        case RB_OP_BOOLEAN: write_constant(e, (double)n->integer); break;
        case RB_OP_STRING: rb_text_add(e->out, "0.0"); break;
        case RB_OP_TIME:
            e->used |= USES_TIME;
            rb_text_add(e->out, "t");
            break;
        case RB_OP_VAR: write_variable(e, n->index); break;
        case RB_OP_PRE:
            write_place(e, (RbCodePlace){.area = RB_AREA_Q,
                                         .index = e->l->dae->vars.data[n->args[0]->index].slot});
            break;
        case RB_OP_NEG:
            rb_text_add(e->out, "(-");
            write(e, n->args[0]);
            rb_text_add(e->out, ")");
            break;
        case RB_OP_ADD: write_sum(e, n); break;
        case RB_OP_SUB: write_infix(e, n, " - "); break;
        case RB_OP_MUL:
        case RB_OP_EMUL: write_infix(e, n, " * "); break;
        case RB_OP_DIV:
        case RB_OP_EDIV: write_infix(e, n, " / "); break;
        case RB_OP_POW:
        case RB_OP_EPOW: write_function(e, "rb_power", n); break;
        case RB_OP_LT: write_infix(e, n, " < "); break;
        case RB_OP_LE: write_infix(e, n, " <= "); break;
        case RB_OP_GT: write_infix(e, n, " > "); break;
        case RB_OP_GE: write_infix(e, n, " >= "); break;
        case RB_OP_EQ: write_infix(e, n, " == "); break;
        case RB_OP_NE: write_infix(e, n, " != "); break;
        case RB_OP_NOT:
            rb_text_add(e->out, "(!");
            write_condition(e, n->args[0]);
            rb_text_add(e->out, ")");
            break;
        case RB_OP_AND: write_logic(e, n, " && "); break;
        case RB_OP_OR: write_logic(e, n, " || "); break;
        case RB_OP_IF: write_ternary(e, n); break;
        case RB_OP_BUILTIN: write_builtin(e, n); break;
        default: RB_ASSERT(false && "prepared before it is written"); rb_text_add(e->out, "0.0");
    }
}

// --- statements before an expression -------------------------------------------------------------

static void prepare(Emit *e, const RbExpr *n);

static int new_temp(Emit *e, const RbExpr *n) {
    know(e, n);
    e->temp[n->id] = ++e->temps;
    rb_array_push(&e->trail, e->scratch, n->id);
    return e->temps;
}

static void forget(Emit *e, int mark) {
    while (e->trail.count > mark) e->temp[e->trail.data[--e->trail.count]] = 0;
}

// The name goes into the table only after the text, or the text would refer to itself.
static void assign_temp(Emit *e, const RbExpr *n) {
    rb_text_printf(e->out, "    double t%d = ", e->temps + 1);
    write(e, n);
    rb_text_add(e->out, ";\n");
    new_temp(e, n);
}

// a^n by squaring, in the order of rb_integer_power.
static void prepare_power(Emit *e, const RbExpr *n, int64_t exponent) {
    int64_t rest = exponent < 0 ? -exponent : exponent;
    int number = ++e->temps; // a name of its own for the chain of squares
    rb_text_printf(e->out, "    double s%d_0 = ", number);
    write(e, n->args[0]);
    rb_text_add(e->out, ";\n");
    RbText product = rb_text(e->scratch);
    for (int k = 0; rest > 0; rest >>= 1, k++) {
        if (rest & 1) {
            bool first = product.count == 0;
            RbText next = rb_text(e->scratch);
            rb_text_printf(&next, first ? "s%d_%d" : "(%3$s * s%1$d_%2$d)", number, k,
                           first ? "" : product.data);
            product = next;
        }
        if (rest > 1)
            rb_text_printf(e->out, "    double s%d_%d = s%d_%d * s%d_%d;\n", number, k + 1, number,
                           k, number, k);
    }
    rb_text_printf(e->out, exponent < 0 ? "    double t%d = 1.0 / %s;\n" : "    double t%d = %s;\n",
                   e->temps + 1, product.data);
    new_temp(e, n);
}

// Arguments and results of a compiled function that has arrays among them: scalars in s and rs,
// arrays in g and q (emit_function.h).
static void sort_arguments(Emit *e, const RbFunction *f, const RbExpr *n, int t) {
    RbFunctionShape shape = rb_function_shape(f);
    rb_text_printf(e->out, "    double s%d[%d], m%d[%d]; A g%d[%d], q%d[%d];\n", t,
                   shape.scalars_in + 1, t, shape.scalars_out + 1, t, shape.arrays_in + 1, t,
                   shape.arrays_out + 1);
    for (int i = 0, at = 0; i < n->arg_count; i++) {
        int slot = rb_function_slot(f, i), dims[RB_RANK_MAX] = {0}, count = 1;
        if (f->vars.data[i].rank == 0) {
            rb_text_printf(e->out, "    s%d[%d] = a%d[%d];\n", t, slot, t, at++);
            continue;
        }
        rb_argument_dims(n->args[i], dims);
        rb_text_printf(e->out, "    g%d[%d].d = a%d + %d; g%d[%d].r = %d;", t, slot, t, at, t, slot,
                       n->args[i]->rank);
        for (int d = 0; d < n->args[i]->rank; d++) {
            rb_text_printf(e->out, " g%d[%d].n[%d] = %d;", t, slot, d, dims[d]);
            count *= dims[d];
        }
        rb_text_printf(e->out, " g%d[%d].c = %d;\n", t, slot, count);
        at += count;
    }
}

static void sort_results(Emit *e, const RbFunction *f, const RbCallSite *site, int number, int t) {
    rb_text_printf(e->out, "    if (fn_%d(f, s%d, g%d, m%d, q%d)", site->call->index, t, t, t, t);
    for (int k = 0; k < f->output_count; k++) {
        int var = f->input_count + k, slot = rb_function_slot(f, var);
        int end = k + 1 < f->output_count ? site->out_start[k + 1] : site->out_count;
        if (f->vars.data[var].rank > 0) {
            rb_text_printf(e->out, " || rb_take(r%d + %d, %d, &q%d[%d])", t, site->out_start[k],
                           end - site->out_start[k], t, slot);
        } else {
            rb_text_printf(e->out, " || rb_take1(r%d + %d, m%d[%d])", t, site->out_start[k], t,
                           slot);
        }
    }
    rb_text_printf(e->out, ") f->call(f, %d, a%d, r%d);\n    f->stack = m%d_0;\n", number, t, t, t);
}

// If the compiled function fails, the interpreter tries, and says why it fails too.
static void call_compiled(Emit *e, const RbExpr *n, int site_number, int t) {
    const RbCallSite *site = &e->l->sites.data[site_number];
    const RbFunction *f = e->l->dae->model->functions.data[n->index];
    RbFunctionShape shape = rb_function_shape(f);
    if (shape.arrays_in + shape.arrays_out == 0) {
        rb_text_printf(e->out, "    if (fn_%d(f, a%d, 0, r%d, 0)) f->call(f, %d, a%d, r%d);\n",
                       n->index, t, t, site_number, t, t);
        return;
    }
    rb_text_printf(e->out, "    double *m%d_0 = f->stack;\n", t);
    sort_arguments(e, f, n, t);
    sort_results(e, f, site, site_number, t);
}

static void prepare_call(Emit *e, const RbExpr *n) {
    int site_number = (int)*rb_map_find(&e->l->site_of, (uint64_t)n->id);
    const RbCallSite *site = &e->l->sites.data[site_number];
    RbExprList list = {0};
    for (int i = 0; i < n->arg_count; i++) rb_flatten_argument(n->args[i], e->scratch, &list);
    for (int i = 0; i < list.count; i++) prepare(e, list.data[i]);
    int t = new_temp(e, n);
    rb_text_printf(e->out, "    double a%d[%d], r%d[%d];\n", t, site->in_count + 1, t,
                   site->out_count + 1);
    for (int i = 0; i < list.count; i++) {
        rb_text_printf(e->out, "    a%d[%d] = ", t, i);
        write(e, list.data[i]);
        rb_text_add(e->out, ";\n");
    }
    if (e->functions.compiled[n->index])
        call_compiled(e, n, site_number, t);
    else
        rb_text_printf(e->out, "    f->call(f, %d, a%d, r%d);\n", site_number, t, t);
    if (n->rank == 0) rb_text_printf(e->out, "    double t%d = r%d[0];\n", t, t);
}

// Element of a result: its place follows from constant subscripts.
static void prepare_result(Emit *e, const RbExpr *n) {
    const RbExpr *array = n->op == RB_OP_SUBSCRIPT ? n->args[0] : n;
    const RbExpr *call = array->op == RB_OP_RESULT ? array->args[0] : array;
    int result = array->op == RB_OP_RESULT ? array->index : 0;
    prepare(e, call);
    const RbCallSite *site = &e->l->sites.data[*rb_map_find(&e->l->site_of, (uint64_t)call->id)];
    int index = 0;
    for (int k = 1; n->op == RB_OP_SUBSCRIPT && k < n->arg_count; k++) {
        double s = 1;
        rb_constant_value(n->args[k], &s);
        index = index * site->out_dims[result][k - 1] + (int)s - 1;
    }
    int from = e->temp[call->id];
    int t = new_temp(e, n);
    rb_text_printf(e->out, "    double t%d = r%d[%d];\n", t, from, site->out_start[result] + index);
}

// An element of a list of expressions, with an index that is known only at run time.
static void prepare_element(Emit *e, const RbExpr *n) {
    RbExprList list = {0};
    int dims[RB_RANK_MAX] = {0}, rank = n->arg_count - 1;
    const RbExpr *array = n->args[0];
    for (int d = 0; d < rank && array->op == RB_OP_ARRAY && array->arg_count > 0; d++) {
        dims[d] = array->arg_count;
        array = array->args[0];
    }
    rb_flatten_argument(n->args[0], e->scratch, &list);
    for (int i = 0; i < list.count; i++) prepare(e, list.data[i]);
    for (int k = 1; k < n->arg_count; k++) prepare(e, n->args[k]);
    int t = new_temp(e, n);
    rb_text_printf(e->out, "    double a%d[%d];\n", t, list.count + 1);
    for (int i = 0; i < list.count; i++) {
        rb_text_printf(e->out, "    a%d[%d] = ", t, i);
        write(e, list.data[i]);
        rb_text_add(e->out, ";\n");
    }
    rb_text_printf(e->out, "    double t%d = f->element(f, a%d, %d, 0.0", t, t, list.count);
    for (int k = 1, below = list.count; k < n->arg_count; k++) {
        below = dims[k - 1] > 0 ? below / dims[k - 1] : 0;
        rb_text_printf(e->out, " + %d.0 * (", below);
        write(e, n->args[k]);
        rb_text_add(e->out, k + 1 < n->arg_count ? " - 1.0)" : ")");
    }
    rb_text_add(e->out, ");\n");
}

static bool has_call(Emit *e, const RbExpr *n) {
    if (e->l->sites.count == 0) return false;
    RbArena scratch = *e->pass;
    RbExprOrder order = rb_expr_order(e->l->dae->exprs, &n, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        if (order.nodes[i]->op == RB_OP_CALL) return true;
    }
    return false;
}

// Functions are called only in the branch that is taken. (Plain arithmetic does no harm in the
// other one.)
static void prepare_branches(Emit *e, const RbExpr *n) {
    prepare(e, n->args[0]);
    int t = ++e->temps;
    rb_text_printf(e->out, "    double t%d;\n    if (", t);
    write_condition(e, n->args[0]);
    rb_text_add(e->out, ") {\n");
    for (int k = 1; k <= 2; k++) {
        int mark = e->trail.count;
        prepare(e, n->args[k]);
        rb_text_printf(e->out, "    t%d = ", t);
        write(e, n->args[k]);
        rb_text_add(e->out, k == 1 ? ";\n    } else {\n" : ";\n    }\n");
        forget(e, mark);
    }
    e->temp[n->id] = t;
    rb_array_push(&e->trail, e->scratch, n->id);
}

// --- array statements ----------------------------------------------------------------------------

// Not element by element: needs its arguments in memory and has its own loops.
static bool is_block_operation(const RbExpr *n) {
    if (n->rank == 0) return false;
    if (n->op == RB_OP_MUL) return n->args[0]->rank > 0 && n->args[1]->rank > 0;
    if (n->op == RB_OP_ARRAY) return true;
    return n->op == RB_OP_BUILTIN && (n->index == RB_FN_TRANSPOSE || n->index == RB_FN_IDENTITY ||
                                      n->index == RB_FN_DIAGONAL);
}

static void to_workspace(Emit *e, const RbExpr *n);

static void need_place(Emit *e, const RbExpr *n) {
    prepare(e, n);
    if (!has_place(e, n)) to_workspace(e, n);
}

// What stands in a loop but does not change in it is computed before.
static void prepare_loop(Emit *e, const RbExpr *n) {
    for (int i = 0; i < n->arg_count; i++) {
        const RbExpr *a = n->args[i];
        if (n->op == RB_OP_BUILTIN && n->index == RB_FN_FILL && i > 0) break; // sizes
        prepare(e, a);
        RbCodePlace place = algebraic_place(e, a);
        bool inlined = place.area >= 0 && e->inlined[place.index];
        if (a->rank == 0 && (a->arg_count > 0 || inlined) && !has_temp(e, a)) assign_temp(e, a);
    }
}

static void write_arguments(Emit *e, const RbExpr *n) {
    const RbExpr *a = n->args[0], *b = n->arg_count > 1 ? n->args[1] : NULL;
    int ea = 4 * array_entry(e, a), eb = b ? 4 * array_entry(e, b) : 0;
    write_pointer(e, a);
    if (n->op == RB_OP_MUL) {
        rb_text_add(e->out, ", ");
        write_pointer(e, b);
        rb_text_printf(e->out, a->rank == 2 ? ", n[%d], n[%d]" : ", 1, n[%d]", ea + 2, ea + 3);
        rb_text_printf(e->out, b->rank == 2 ? ", n[%d]);\n" : ", 1);\n", eb + 3);
    } else {
        rb_text_printf(e->out, n->index == RB_FN_TRANSPOSE ? ", n[%d], n[%d]);\n" : ", n[%d]);\n",
                       ea + 2, ea + 3);
    }
}

static void fill_elements(Emit *e, const RbExpr *n, const char *to) {
    RbExprList list = {0};
    rb_flatten_argument(n, e->scratch, &list);
    for (int i = 0; i < list.count; i++) {
        rb_text_printf(e->out, "    (%s)[%d] = ", to, i);
        write(e, list.data[i]);
        rb_text_add(e->out, ";\n");
    }
}

// Statements that fill the array at `to` with n, whose arguments are prepared.
static void fill_array(Emit *e, const RbExpr *n, const char *to, int entry) {
    if (n->op == RB_OP_ARRAY) {
        fill_elements(e, n, to);
    } else if (is_block_operation(n) && !has_temp(e, n)) {
        bool identity = n->op == RB_OP_BUILTIN && n->index == RB_FN_IDENTITY;
        const char *name = n->op == RB_OP_MUL            ? "f->product"
                           : n->index == RB_FN_TRANSPOSE ? "rb_transpose"
                                                         : "rb_diagonal";
        rb_text_printf(e->out, "    %s(%s, ", name, to);
        if (identity)
            rb_text_printf(e->out, "0, n[%d]);\n", 4 * entry + 2);
        else
            write_arguments(e, n);
    } else {
        rb_text_printf(e->out, "    for (int k = 0; k < n[%d]; k++) (%s)[k] = ", 4 * entry + 1, to);
        write(e, n);
        rb_text_add(e->out, ";\n");
    }
}

static void to_workspace(Emit *e, const RbExpr *n) {
    uint64_t *known = rb_map_find(&e->workspace_of, (uint64_t)n->id);
    int place = known ? (int)*known : e->source->arrays.count;
    if (!known) {
        rb_map_set(&e->workspace_of, e->scratch, (uint64_t)n->id, (uint64_t)place);
        rb_array_push(&e->source->arrays, e->arena, n);
    }
    int entry = e->l->dae->arrays.count + place;
    fill_array(e, n, rb_arena_printf(e->scratch, "v + n[%d]", 4 * entry), entry);
    know(e, n);
    e->temp[n->id] = place + 1;
    rb_array_push(&e->trail, e->scratch, n->id);
}

static void prepare_block_operation(Emit *e, const RbExpr *n) {
    if (n->op == RB_OP_ARRAY) {
        RbExprList list = {0};
        rb_flatten_argument(n, e->scratch, &list);
        for (int i = 0; i < list.count; i++) prepare(e, list.data[i]);
        return;
    }
    for (int i = 0; i < n->arg_count && n->args[i]->rank > 0; i++) need_place(e, n->args[i]);
}

// The statements that an array expression needs; afterwards it can be written as an element in a
// loop. `target`: it is assigned as a whole, so it needs no workspace itself.
static void prepare_array(Emit *e, const RbExpr *n, bool target) {
    if (n->op == RB_OP_VAR || has_temp(e, n)) return;
    know(e, n);
    if (is_block_operation(n)) {
        prepare_block_operation(e, n);
        if (!target || e->uses[n->id] > 1) to_workspace(e, n);
        return;
    }
    prepare_loop(e, n);
    if (e->uses[n->id] > 1 && n->index != RB_FN_FILL) to_workspace(e, n);
}

// Write the statements that n needs before it can be written as an expression.
static void prepare(Emit *e, const RbExpr *n) {
    RbCodePlace place = algebraic_place(e, n);
    if (place.area >= 0 && e->inlined[place.index]) prepare(e, e->inlined[place.index]);
    if (n->arg_count == 0 || n->op == RB_OP_PRE || has_temp(e, n)) return;
    if (n->rank > 0 && n->op != RB_OP_CALL && n->op != RB_OP_RESULT) {
        prepare_array(e, n, false);
        return;
    }
    know(e, n);
    if (is_over_array(n)) {
        for (int i = 0; i < n->arg_count; i++) need_place(e, n->args[i]);
        assign_temp(e, n);
        return;
    }
    if (n->op == RB_OP_BUILTIN && n->index == RB_FN_SIZE) return;
    if (n->op == RB_OP_CALL) {
        prepare_call(e, n);
        return;
    }
    if (n->op == RB_OP_RESULT) {
        prepare_result(e, n);
        return;
    }
    if (n->op == RB_OP_SUBSCRIPT) {
        if (n->args[0]->op == RB_OP_ARRAY)
            prepare_element(e, n);
        else
            prepare_result(e, n);
        return;
    }
    if (n->op == RB_OP_IF && (has_call(e, n->args[1]) || has_call(e, n->args[2]))) {
        prepare_branches(e, n);
        return;
    }
    for (int i = 0; i < n->arg_count; i++) prepare(e, n->args[i]);
    int64_t exponent;
    if (rb_is_expandable(n, &exponent))
        prepare_power(e, n, exponent);
    else if (e->uses[n->id] > 1)
        assign_temp(e, n);
}

// --- functions -----------------------------------------------------------------------------------

// The function that was written to e->out, with what it uses declared before it.
static void close_function(Emit *e, RbText *text, const char *head) {
    RbText *body = e->out;
    rb_text_add(text, head);
    rb_text_add(text, " {\n   ");
    if (e->used & USES_TIME) rb_text_add(text, " double t = f->t;");
    for (int a = 0; a < RB_AREA_COUNT; a++) {
        if (e->used & 1U << a) rb_text_printf(text, " USE(%s)", letters[a]);
    }
    if (e->l->dae->any_whole) rb_text_add(text, " double *v = f->v; const int *n = f->n;");
    rb_text_add(text, "\n");
    rb_text_add_bytes(text, body->data, (size_t)body->count);
    rb_text_add(text, "}\n\n");
    body->count = 0;
    e->out = text;
}

// Text of a function goes to a place of its own until it is known what it uses.
static RbText *begin_function(Emit *e) {
    RbText *text = e->out;
    open_function(e);
    e->body.count = 0;
    rb_text_add(&e->body, "");
    e->out = &e->body;
    return text;
}

static void emit_array(Emit *e, RbCodePlace place, const RbExpr *value) {
    prepare_array(e, value, true);
    int entry = place.array - 1;
    e->used |= 1U << place.area;
    fill_array(e, value, rb_arena_printf(e->scratch, "%s + n[%d]", letters[place.area], 4 * entry),
               entry);
}

static void emit_assignment(Emit *e, RbCodePlace place, const RbExpr *value) {
    if (place.array > 0) {
        emit_array(e, place, value);
        return;
    }
    prepare(e, value);
    rb_text_add(e->out, "    ");
    write_place(e, place);
    rb_text_add(e->out, " = ");
    write(e, value);
    rb_text_add(e->out, ";\n");
}

static void count_steps(Emit *e, const RbStep *steps, int count, const RbExpr *const *more,
                        int more_count) {
    RB_ARRAY(const RbExpr *) roots = {0};
    for (int i = 0; i < count; i++) {
        if (steps[i].value) rb_array_push(&roots, e->scratch, steps[i].value);
    }
    for (int i = 0; i < more_count; i++) rb_array_push(&roots, e->scratch, more[i]);
    count_uses(e, roots.data, roots.count);
}

static void emit_matrix(Emit *e, const RbBlock *b) {
    rb_text_add(e->out, "    if (!a) return;\n");
    if (!b->sparse && b->matrix_count < b->size * b->size)
        rb_text_printf(e->out, "    for (int k = 0; k < %d; k++) a[k] = 0;\n", b->size * b->size);
    for (int k = 0; k < b->matrix_count; k++) {
        prepare(e, b->matrix[k].value);
        rb_text_printf(e->out, "    a[%d] = ", rb_matrix_place(b, k));
        write(e, b->matrix[k].value);
        rb_text_add(e->out, ";\n");
    }
}

static void emit_system(Emit *e, int number) {
    const RbCodeSystem *s = &e->l->systems.data[number];
    int n = s->block->size;
    RbText *text = begin_function(e);
    RB_ARRAY(const RbExpr *) roots = {0};
    for (int i = 0; i < n; i++) rb_array_push(&roots, e->scratch, s->block->residuals[i]);
    for (int k = 0; k < s->block->matrix_count; k++)
        rb_array_push(&roots, e->scratch, s->block->matrix[k].value);
    count_steps(e, s->inner.data, s->inner.count, roots.data, roots.count);
    for (int i = 0; i < n; i++) {
        rb_text_add(e->out, "    ");
        write_place(e, s->unknowns[i]);
        rb_text_printf(e->out, " = y[%d];\n", i);
    }
    for (int i = 0; i < s->inner.count; i++)
        emit_assignment(e, s->inner.data[i].place, s->inner.data[i].value);
    for (int i = 0; i < n; i++) {
        prepare(e, s->block->residuals[i]);
        rb_text_printf(e->out, "    r[%d] = ", i);
        write(e, s->block->residuals[i]);
        rb_text_add(e->out, ";\n");
    }
    emit_matrix(e, s->block);
    close_function(
        e, text,
        rb_arena_printf(e->scratch,
                        "static void system_%d(F *f, const double *y, double *r, double *a)",
                        number));
}

// A variable that other functions, systems or event indicators read lives in w.
static void read_elsewhere(Emit *e, const RbExpr *value, int function) {
    RbArena scratch = *e->pass;
    RbExprOrder order = rb_expr_order(e->l->dae->exprs, &value, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        RbCodePlace place = algebraic_place(e, order.nodes[i]);
        if (place.area >= 0 && e->home[place.index] != function) e->home[place.index] = -1;
    }
}

static void plan_locals(Emit *e) {
    const RbSteps *steps = &e->l->sections[RB_SECTION_DERIVATIVES],
                  *indicators = &e->l->sections[RB_SECTION_INDICATORS];
    for (int i = 0; i < steps->count; i++) {
        const RbStep *s = &steps->data[i];
        if (s->system < 0 && s->place.area == RB_AREA_W && s->place.array == 0)
            e->home[s->place.index] = i / STEPS_PER_FUNCTION + 1;
    }
    for (int i = 0; i < steps->count; i++) {
        if (steps->data[i].value)
            read_elsewhere(e, steps->data[i].value, i / STEPS_PER_FUNCTION + 1);
    }
    for (int i = 0; i < indicators->count; i++) read_elsewhere(e, indicators->data[i].value, -1);
    for (int k = 0; k < e->l->systems.count; k++) {
        const RbCodeSystem *s = &e->l->systems.data[k];
        int n = s->block->size;
        for (int i = 0; i < s->inner.count; i++) read_elsewhere(e, s->inner.data[i].value, -1);
        for (int i = 0; i < n; i++) read_elsewhere(e, s->block->residuals[i], -1);
        for (int i = 0; i < s->block->matrix_count; i++)
            read_elsewhere(e, s->block->matrix[i].value, -1);
    }
    const RbFlatModel *model = e->l->dae->model;
    for (int i = 0; i < model->functions.count; i++) { // called for what it does, not for its token
        const RbFunction *f = model->functions.data[i];
        if (f->kind != RB_FUNCTION_COMPONENT) continue;
        read_elsewhere(e, rb_flat_ref(e->l->dae->model, f->component.token), -1);
    }
}

// In place where it is used once, a local variable where it is used more often. Answers whether
// nothing is to be written now.
static bool keep_out_of_memory(Emit *e, const RbStep *s, int function) {
    if (s->system >= 0 || s->place.area != RB_AREA_W || s->place.array > 0 ||
        e->home[s->place.index] != function)
        return false;
    const RbExpr *variable = rb_flat_ref(e->l->dae->model, e->variables[s->place.index]);
    know(e, variable);
    if (e->uses[variable->id] <= 1) {
        e->inlined[s->place.index] = s->value;
        return true;
    }
    prepare(e, s->value);
    rb_text_printf(e->out, "    double v%d = ", s->place.index);
    write(e, s->value);
    rb_text_add(e->out, ";\n");
    e->local[s->place.index] = 1;
    return true;
}

static void emit_part(Emit *e, const char *name, int part, const RbStep *steps, int count,
                      bool locals_allowed) {
    RbText *text = begin_function(e);
    count_steps(e, steps, count, NULL, 0);
    for (int i = 0; i < count; i++) {
        if (steps[i].system >= 0) {
            rb_text_printf(e->out, "    if (f->solve(f, %d, system_%d)) return %d;\n",
                           steps[i].system, steps[i].system, steps[i].system + 1);
        } else if (!locals_allowed || !keep_out_of_memory(e, &steps[i], part + 1)) {
            emit_assignment(e, steps[i].place, steps[i].value);
        }
    }
    for (int i = 0; i < count; i++) {
        if (steps[i].system >= 0 || steps[i].place.area != RB_AREA_W || steps[i].place.array > 0)
            continue;
        e->inlined[steps[i].place.index] = NULL;
        e->local[steps[i].place.index] = 0;
    }
    rb_text_add(e->out, "    return 0;\n");
    close_function(e, text, rb_arena_printf(e->scratch, "static int %s_%d(F *f)", name, part));
}

static void emit_section(Emit *e, RbSectionId id) {
    const RbSteps *steps = &e->l->sections[id], none = {0};
    if (id == RB_SECTION_PARAMETERS && e->l->dae->any_whole) steps = &none; // interpreted anyway
    int parts = (steps->count + STEPS_PER_FUNCTION - 1) / STEPS_PER_FUNCTION;
    for (int k = 0; k < parts; k++) {
        int first = k * STEPS_PER_FUNCTION, left = steps->count - first;
        emit_part(e, names[id], k, steps->data + first,
                  left < STEPS_PER_FUNCTION ? left : STEPS_PER_FUNCTION,
                  id == RB_SECTION_DERIVATIVES);
    }
    rb_text_printf(e->out, "int rb_%s(F *f) {\n    int failed = 0;\n", names[id]);
    for (int k = 0; k < parts; k++)
        rb_text_printf(e->out, "    if ((failed = %s_%d(f))) return failed;\n", names[id], k);
    rb_text_add(e->out, "    return failed;\n}\n\n");
}

// libtcc keeps nothing in registers: for it the areas have fixed addresses, so that an operand is
// part of an instruction instead of three instructions of its own.
static void add_areas(const RbLowered *l, RbText *text) {
    if (l->dae->any_whole) { // sizes may change: the areas are those of the frame
        rb_text_add(text, "#define USE(area) double *area = f->area;\n");
        return;
    }
    rb_text_add(text, "#ifdef RB_OWN_AREAS\n#define USE(area)\n");
    for (int a = 0; a < RB_AREA_COUNT; a++)
        rb_text_printf(text, "double %s[%d];\n", letters[a], rb_area_size(l, (RbArea)a) + 1);
    rb_text_add(text, "#else\n#define USE(area) double *area = f->area;\n#endif\n");
}

const char *rb_area_name(RbArea area) {
    return letters[area];
}

void rb_emit_c(const RbLowered *l, RbArena *arena, RbArena scratch, RbCSource *source) {
    int nodes = l->dae->exprs->count + 1;
    *source = (RbCSource){.text = rb_text(arena)};
    Emit e = {.l = l, .source = source, .arena = arena, .scratch = &scratch};
    e.constants = (RbConstants){.source = source, .arena = arena, .scratch = &scratch};
    e.uses = rb_new_array(&scratch, int, nodes);
    e.temp = rb_new_array(&scratch, int, nodes);
    e.stamps = rb_new_array(&scratch, int, nodes);
    e.home = rb_new_array(&scratch, int, l->w_count + 1);
    e.inlined = rb_new_array(&scratch, const RbExpr *, l->w_count + 1);
    e.local = rb_new_array(&scratch, unsigned char, l->w_count + 1);
    e.variables = rb_new_array(&scratch, int, l->w_count + 1);
    for (int v = 0; v < l->dae->vars.count; v++) {
        if (l->dae->vars.data[v].kind == RB_DAE_ALGEBRAIC && !l->dae->vars.data[v].whole)
            e.variables[l->dae->vars.data[v].slot] = v;
    }
    RbText body = rb_text(rb_arena_child(arena)); // grows beside the text it will be appended to
    e.out = &body;
    e.body = rb_text(rb_arena_child(arena));
    e.pass = rb_arena_child(arena);
    plan_locals(&e);
    e.functions = rb_plan_functions(l, &scratch);
    rb_emit_functions(l, &e.functions, &e.constants, &scratch, &body);
    for (int k = 0; k < l->systems.count; k++) emit_system(&e, k);
    for (int id = 0; id < RB_SECTION_COUNT; id++) emit_section(&e, (RbSectionId)id);
    rb_text_add(&source->text, RB_FRAME_TEXT);
    rb_text_add(&source->text, prelude);
    if (l->dae->any_whole) rb_text_add(&source->text, array_prelude);
    add_areas(l, &source->text);
    rb_text_printf(&source->text, "double rb_constants[%d];\n\n", source->constants.count + 1);
    rb_text_add_bytes(&source->text, body.data, (size_t)body.count);
    rb_arena_free(body.arena);
    rb_arena_free(e.body.arena);
    rb_arena_free(e.pass);
}

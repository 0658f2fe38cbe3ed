// SPDX-License-Identifier: MIT
#include "code/function_array.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "expr/builtins.h"

#define out(...)  rb_text_printf(w->out, __VA_ARGS__)
#define text(...) rb_arena_printf(w->scratch, __VA_ARGS__)

static bool is_builtin(const RbExpr *e, RbBuiltin f) {
    return e->op == RB_OP_BUILTIN && e->index == (int)f;
}

// --- places as C ints ----------------------------------------------------------------------------

static bool is_digits(const char *c, int *value) {
    char *end;
    long n = strtol(c, &end, 10);
    *value = (int)n;
    return *c && !*end && n <= INT_MAX;
}

static const char *sum_of(RbFunctionWriter *w, const char *a, const char *b) {
    int x, y;
    bool known_a = is_digits(a, &x), known_b = is_digits(b, &y);
    if (known_a && known_b) return text("%ld", (long)x + y);
    if (known_a && x == 0) return b;
    if (known_b && y == 0) return a;
    return text("(%s + %s)", a, b);
}

static const char *product_of(RbFunctionWriter *w, const char *a, const char *b) {
    int x, y;
    bool known_a = is_digits(a, &x), known_b = is_digits(b, &y);
    if (known_a && known_b) return text("%ld", (long)x * y);
    if ((known_a && x == 0) || (known_b && y == 0)) return "0";
    if (known_a && x == 1) return b;
    if (known_b && y == 1) return a;
    return text("%s * %s", a, b);
}

// Row by row.
static const char *linear_place(RbFunctionWriter *w, const RbExpr *e, const char *const *at) {
    const char *place = "0";
    for (int d = 0; d < e->rank; d++)
        place = sum_of(w, product_of(w, place, rb_function_dim(w, e, d)), at[d]);
    return place;
}

// The places of element k of a small value.
static void constant_places(RbFunctionWriter *w, const RbExpr *e, int k, const char **at) {
    for (int d = e->rank - 1; d >= 0; d--) {
        int n = 1;
        is_digits(rb_function_dim(w, e, d), &n);
        at[d] = text("%d", n > 0 ? k % n : 0);
        k = n > 0 ? k / n : 0;
    }
}

// Loops over all elements: i<number>_<dimension>. Closed by as many braces.
static void open_loops(RbFunctionWriter *w, const RbExpr *e, int number, const char **at) {
    for (int d = 0; d < e->rank; d++) {
        at[d] = text("i%d_%d", number, d);
        out("    { int %s; for (%s = 0; %s < %s; %s++) {\n", at[d], at[d], at[d],
            rb_function_dim(w, e, d), at[d]);
    }
}

static void close_loops(RbFunctionWriter *w, const RbExpr *e) {
    for (int d = 0; d < e->rank; d++) out("    }}\n");
}

void rb_function_same_shape(RbFunctionWriter *w, const RbExpr *a, const RbExpr *b) {
    if (a->rank != b->rank) out("    goto fail;\n");
    for (int d = 0; d < a->rank && d < b->rank; d++) {
        const char *m = rb_function_dim(w, a, d), *n = rb_function_dim(w, b, d);
        int x, y;
        if (strcmp(m, n) == 0) continue;
        if (is_digits(m, &x) && is_digits(n, &y))
            out("    goto fail;\n");
        else
            out("    if (%s != %s) goto fail;\n", m, n);
    }
}

// --- elements ------------------------------------------------------------------------------------

// A subscript that is a number, and inside whatever happens.
static const char *constant_place(RbFunctionWriter *w, const RbExpr *base, int d, const RbExpr *s) {
    double number;
    int n;
    if (!rb_constant_value(s, &number) || !is_digits(rb_function_dim(w, base, d), &n)) return NULL;
    return number >= 1 && number <= n ? text("%d", (int)number - 1) : NULL;
}

static const char *slice_element(RbFunctionWriter *w, const RbExpr *e, const char *const *at) {
    const char *inner[RB_RANK_MAX];
    for (int d = 0, n = 0; d < e->args[0]->rank; d++) {
        const RbExpr *s = d + 1 < e->arg_count ? e->args[d + 1] : NULL;
        if (!s || s->op == RB_OP_ALL)
            inner[d] = at[n++];
        else if (s->rank == 0 && constant_place(w, e->args[0], d, s))
            inner[d] = constant_place(w, e->args[0], d, s);
        else if (s->rank == 0)
            inner[d] = text("j%d_%d", w->view[e->id], d);
        else if (s->op == RB_OP_RANGE)
            inner[d] = sum_of(w, text("j%d_%d", w->view[e->id], d), at[n++]);
        else
            inner[d] = text("((int)%s - 1)", rb_function_element(w, s, &at[n++]));
    }
    return rb_function_element(w, e->args[0], inner);
}

static const char *operand(RbFunctionWriter *w, const RbExpr *e, const char *const *at) {
    return e->rank > 0 ? rb_function_element(w, e, at) : rb_function_text(w, e);
}

// The elements of a product of two arrays, each a sum from the left as the interpreter has it.
static const char *product_element(RbFunctionWriter *w, const RbExpr *e, const char *const *at) {
    const RbExpr *a = e->args[0], *b = e->args[1];
    int inner = 0;
    is_digits(rb_function_dim(w, a, a->rank - 1), &inner);
    RbText sum = rb_text(w->scratch);
    for (int k = 0; k <= inner; k++) rb_text_add(&sum, "(");
    rb_text_add(&sum, "0.0)");
    for (int k = 0; k < inner; k++) {
        const char *place = text("%d", k);
        const char *left[2] = {a->rank == 2 ? at[0] : place, place};
        const char *right[2] = {place, b->rank == 2 ? at[e->rank - 1] : place};
        rb_text_printf(&sum, " + %s * %s)", rb_function_element(w, a, left),
                       rb_function_element(w, b, right));
    }
    return sum.data;
}

static const char *cross_element(RbFunctionWriter *w, const RbExpr *e, const char *const *at) {
    static const char *const number[] = {"0", "1", "2"};
    int i = 0;
    is_digits(at[0], &i);
    const char *j = number[(i + 1) % 3], *k = number[(i + 2) % 3];
    const RbExpr *a = e->args[0], *b = e->args[1];
    return text("(%s * %s - %s * %s)", rb_function_element(w, a, &j), rb_function_element(w, b, &k),
                rb_function_element(w, a, &k), rb_function_element(w, b, &j));
}

static const char *builtin_element(RbFunctionWriter *w, const RbExpr *e, const char *const *at) {
    switch ((RbBuiltin)e->index) {
        case RB_FN_FILL: return rb_function_text(w, e->args[0]);
        case RB_FN_IDENTITY: return text("(%s == %s ? 1.0 : 0.0)", at[0], at[1]);
        case RB_FN_CROSS: return cross_element(w, e, at);
        case RB_FN_OUTER:
            return text("(%s * %s)", rb_function_element(w, e->args[0], at),
                        rb_function_element(w, e->args[1], at + 1));
        case RB_FN_TRANSPOSE: {
            const char *turned[2] = {at[1], at[0]};
            return rb_function_element(w, e->args[0], turned);
        }
        default:
            return text("%s(%s)", rb_builtins[e->index].in_c,
                        rb_function_element(w, e->args[0], at));
    }
}

const char *rb_function_element(RbFunctionWriter *w, const RbExpr *e, const char *const *at) {
    e = rb_passed_through(e);
    const char *data = rb_function_data(w, e);
    int row = 0;
    if (data && rb_is_constant_array(e) && rb_static_count(w, e) >= 0) {
        const RbExpr *part = e; // a number is shorter than its place
        for (int d = 0; d < e->rank && part && is_digits(at[d], &row); d++)
            part = row < part->arg_count ? part->args[row] : NULL;
        if (part && part->rank == 0) return rb_function_text(w, part);
    }
    if (data) return text("%s[%s]", data, linear_place(w, e, at));
    switch ((RbOp)e->op) {
        case RB_OP_SUBSCRIPT: return slice_element(w, e, at);
        case RB_OP_BUILTIN: return builtin_element(w, e, at);
        case RB_OP_NEG: return text("(-%s)", rb_function_element(w, e->args[0], at));
        case RB_OP_ARRAY: is_digits(at[0], &row); return operand(w, e->args[row], at + 1);
        case RB_OP_MUL:
            if (e->args[0]->rank > 0 && e->args[1]->rank > 0) return product_element(w, e, at);
            break;
        default: break;
    }
    return text("(%s%s%s)", operand(w, e->args[0], at), rb_infix_in_c((RbOp)e->op),
                operand(w, e->args[1], at));
}

// --- values with places of their own -------------------------------------------------------------

static void place_small(RbFunctionWriter *w, const RbExpr *e) {
    const char *at[RB_RANK_MAX];
    int count = rb_static_count(w, e), d = ++w->temps;
    out("    double d%d[%d];\n", d, count > 0 ? count : 1);
    for (int k = 0; k < count; k++) {
        constant_places(w, e, k, at);
        out("    d%d[%d] = %s;\n", d, k, rb_function_element(w, e, at));
    }
    rb_function_name(w, e, d);
    w->traits[e->id] |= RB_PLAIN;
}

static void make_room(RbFunctionWriter *w, const RbExpr *e, int number) {
    out("    A a%d; if (rb_room(f, &a%d, %d", number, number, e->rank);
    for (int d = 0; d < 4; d++) out(", %s", d < e->rank ? rb_function_dim(w, e, d) : "0");
    out(")) goto fail;\n");
}

static void place_large(RbFunctionWriter *w, const RbExpr *e) {
    const char *at[RB_RANK_MAX];
    int a = ++w->temps;
    make_room(w, e, a);
    open_loops(w, e, a, at);
    out("    a%d.d[%s] = %s;\n", a, linear_place(w, e, at), rb_function_element(w, e, at));
    close_loops(w, e);
    rb_function_name(w, e, a);
    w->traits[e->id] &= (unsigned char)~RB_PLAIN;
}

void rb_function_place_array(RbFunctionWriter *w, const RbExpr *e) {
    e = rb_passed_through(e);
    if (rb_function_data(w, e)) return;
    if (rb_is_small_value(w, e))
        place_small(w, e);
    else
        place_large(w, e);
}

const char *rb_function_box(RbFunctionWriter *w, const RbExpr *e) {
    e = rb_passed_through(e);
    rb_function_place_array(w, e);
    if (e->op == RB_OP_LOCAL && rb_variable_kind(w->f, e->index) != RB_SMALL_ARRAY)
        return rb_function_array_name(w, e->index);
    const char *data = rb_function_data(w, e);
    if (data[0] == 'q' || data[0] == 'a') return text("%.*s", (int)strlen(data) - 2, data);
    int b = ++w->temps, count = rb_static_count(w, e);
    out("    A b%d; rb_wrap(&b%d, (double *)%s, %d, %d", b, b, data, e->rank, count);
    for (int d = 0; d < 4; d++) out(", %s", d < e->rank ? rb_function_dim(w, e, d) : "0");
    out(");\n");
    return text("b%d", b);
}

// --- statements before ---------------------------------------------------------------------------

static void prepare_range_subscript(RbFunctionWriter *w, const RbExpr *base, int d,
                                    const RbExpr *range, int number) {
    for (int k = 0; k < 3; k++) rb_function_prepare(w, range->args[k]);
    const char *first = rb_function_text(w, range->args[0]);
    out("    int j%d_%d = (int)%s - 1, c%d_%d = rb_steps(%s, 1.0, %s);\n", number, d, first, number,
        d, first, rb_function_text(w, range->args[2]));
    out("    if (c%d_%d < 0 || (c%d_%d > 0 && !(j%d_%d >= 0 && j%d_%d <= %s - c%d_%d))) goto "
        "fail;\n",
        number, d, number, d, number, d, number, d, rb_function_dim(w, base, d), number, d);
}

static void prepare_vector_subscript(RbFunctionWriter *w, const RbExpr *base, int d,
                                     const RbExpr *s) {
    int number = ++w->temps;
    const char *at = text("i%d", number);
    rb_function_prepare(w, s);
    rb_function_place_array(w, s);
    const char *element = rb_function_element(w, s, &at);
    out("    { int %s; for (%s = 0; %s < %s; %s++)\n    if (!(%s >= 1.0 && %s <= %s)) goto fail; "
        "}\n",
        at, at, at, rb_function_dim(w, s, 0), at, element, element, rb_function_dim(w, base, d));
}

static bool is_plain_range(const RbExpr *s) {
    return s->op == RB_OP_RANGE && s->type == RB_INTEGER && rb_is_number(s->args[1], 1);
}

static bool prepare_slice(RbFunctionWriter *w, const RbExpr *e) {
    const RbExpr *base = e->args[0];
    for (int k = 1; k < e->arg_count; k++) {
        if (e->args[k]->op == RB_OP_RANGE && !is_plain_range(e->args[k])) return false;
    }
    rb_function_prepare(w, base);
    rb_function_place_array(w, base);
    int number = ++w->temps;
    for (int k = 1; k < e->arg_count; k++) {
        const RbExpr *s = e->args[k];
        if (s->op == RB_OP_ALL) continue;
        if (s->op == RB_OP_RANGE) {
            prepare_range_subscript(w, base, k - 1, s, number);
        } else if (s->rank > 0) {
            prepare_vector_subscript(w, base, k - 1, s);
        } else if (!constant_place(w, base, k - 1, s)) {
            const char *place = rb_function_place(w, base, k - 1, s);
            out("    int j%d_%d = %s;\n", number, k - 1, place);
        }
    }
    rb_function_check(w);
    w->view[e->id] = number;
    rb_array_push(&w->trail, w->scratch, e->id);
    return true;
}

static void prepare_operands(RbFunctionWriter *w, const RbExpr *e) {
    for (int k = 0; k < e->arg_count; k++) {
        if (e->args[k]->rank > 0)
            rb_function_prepare(w, e->args[k]);
        else
            rb_function_prepare_leaf(w, e->args[k]);
    }
}

static void prepare_elementwise(RbFunctionWriter *w, const RbExpr *e) {
    prepare_operands(w, e);
    if (e->arg_count == 2 && e->args[0]->rank > 0 && e->args[1]->rank > 0)
        rb_function_same_shape(w, e->args[0], e->args[1]);
}

// Elements that are read more than once have places.
static bool is_cheap(RbFunctionWriter *w, const RbExpr *e) {
    e = rb_passed_through(e);
    return rb_function_data(w, e) || e->op == RB_OP_SUBSCRIPT || is_builtin(e, RB_FN_FILL) ||
           ((is_builtin(e, RB_FN_TRANSPOSE) || e->op == RB_OP_NEG) && is_cheap(w, e->args[0]));
}

static void prepare_factors(RbFunctionWriter *w, const RbExpr *e) {
    for (int k = 0; k < 2; k++) {
        rb_function_prepare(w, e->args[k]);
        if (!is_cheap(w, e->args[k])) rb_function_place_array(w, e->args[k]);
    }
}

// Sizes that fill and identity get.
static void prepare_sizes(RbFunctionWriter *w, const RbExpr *e, int first) {
    int number = ++w->temps;
    for (int k = first; k < e->arg_count && rb_static_count(w, e) < 0; k++) {
        rb_function_prepare(w, e->args[k]);
        const char *n = rb_function_text(w, e->args[k]);
        out("    int c%d_%d = (int)%s; if (!(%s >= 0.0 && %s < 100000000.0)) goto fail;\n", number,
            k - first, n, n, n);
    }
    w->view[e->id] = number;
    rb_array_push(&w->trail, w->scratch, e->id);
}

static bool prepare_builtin(RbFunctionWriter *w, const RbExpr *e) {
    switch ((RbBuiltin)e->index) {
        case RB_FN_FILL:
            if (e->args[0]->type == RB_STRING || e->args[0]->rank > 0) return false;
            rb_function_prepare_leaf(w, e->args[0]);
            prepare_sizes(w, e, 1);
            return true;
        case RB_FN_IDENTITY: prepare_sizes(w, e, 0); return true;
        case RB_FN_TRANSPOSE:
            if (e->args[0]->rank != 2) return false;
            rb_function_prepare(w, e->args[0]);
            return true;
        case RB_FN_OUTER:
            if (e->args[0]->rank != 1 || e->args[1]->rank != 1) return false;
            prepare_factors(w, e);
            return true;
        case RB_FN_CROSS:
            if (rb_static_count(w, e->args[0]) != 3 || rb_static_count(w, e->args[1]) != 3)
                return false;
            prepare_factors(w, e);
            rb_function_place_array(w, e);
            return true;
        default:
            if (!rb_is_builtin(e, RB_TRAIT_MATHS) || e->arg_count != 1) return false;
            rb_function_prepare(w, e->args[0]);
            return true;
    }
}

// Rows, columns and the sum over what they share, as loops.
static void product_loops(RbFunctionWriter *w, const RbExpr *e) {
    const RbExpr *a = e->args[0], *b = e->args[1];
    int n = ++w->temps;
    make_room(w, e, n);
    const char *at[RB_RANK_MAX], *k = text("k%d", n);
    open_loops(w, e, n, at);
    const char *left[2] = {a->rank == 2 ? at[0] : k, k};
    const char *right[2] = {k, b->rank == 2 ? at[e->rank - 1] : k};
    out("    double o%d = 0.0; int %s; for (%s = 0; %s < %s; %s++)\n", n, k, k, k,
        rb_function_dim(w, a, a->rank - 1), k);
    out("    o%d = o%d + %s * %s;\n", n, n, rb_function_element(w, a, left),
        rb_function_element(w, b, right));
    out("    a%d.d[%s] = o%d;\n", n, linear_place(w, e, at), n);
    close_loops(w, e);
    rb_function_name(w, e, n);
    w->traits[e->id] &= (unsigned char)~RB_PLAIN;
}

static void check_inner(RbFunctionWriter *w, const RbExpr *a, const RbExpr *b) {
    const char *m = rb_function_dim(w, a, a->rank - 1), *n = rb_function_dim(w, b, 0);
    if (strcmp(m, n) != 0) out("    if (%s != %s) goto fail;\n", m, n);
}

static bool prepare_product(RbFunctionWriter *w, const RbExpr *e) {
    const RbExpr *a = e->args[0], *b = e->args[1];
    int inner;
    if (a->rank > 2 || b->rank > 2) return false;
    prepare_factors(w, e);
    check_inner(w, a, b);
    bool known = is_digits(rb_function_dim(w, a, a->rank - 1), &inner) && inner <= 8;
    if (known && rb_is_small_value(w, e))
        place_small(w, e);
    else
        product_loops(w, e);
    return true;
}

static bool is_operator(const RbExpr *e) {
    return rb_is_elementwise(e) && e->op != RB_OP_EPOW;
}

// {a, b, c} whose elements are known to be few are written one by one.
static bool prepare_constructor(RbFunctionWriter *w, const RbExpr *e) {
    if (rb_is_constant_array(e)) return true;
    if (!rb_is_small_value(w, e) || e->arg_count == 0) return false;
    for (int k = 0; k < e->arg_count; k++) rb_function_prepare(w, e->args[k]);
    for (int k = 1; e->rank > 1 && k < e->arg_count; k++)
        rb_function_same_shape(w, e->args[0], e->args[k]);
    place_small(w, e);
    return true;
}

static bool prepare_parts(RbFunctionWriter *w, const RbExpr *e) {
    if (e->op == RB_OP_SUBSCRIPT) return prepare_slice(w, e);
    if (e->op == RB_OP_BUILTIN) return prepare_builtin(w, e);
    if (e->op == RB_OP_ARRAY) return prepare_constructor(w, e);
    if (e->op == RB_OP_MUL && e->args[0]->rank > 0 && e->args[1]->rank > 0)
        return prepare_product(w, e);
    if (!is_operator(e)) return false;
    prepare_elementwise(w, e);
    return true;
}

bool rb_function_prepare_array(RbFunctionWriter *w, const RbExpr *e) {
    if (w->view[e->id] > 0) return true;
    if (!prepare_parts(w, e)) return false;
    if (w->uses[e->id] > 1 && !is_cheap(w, e)) rb_function_place_array(w, e);
    return true;
}

// --- a number from arrays ------------------------------------------------------------------------

static RbReduction fold_of(const RbExpr *e) {
    if (e->op == RB_OP_MUL && e->args[0]->rank == 1 && e->args[1]->rank == 1) return RB_REDUCE_SUM;
    if (e->op != RB_OP_BUILTIN || e->arg_count != 1 || e->args[0]->rank == 0)
        return RB_REDUCE_ARRAY; // none
    switch ((RbBuiltin)e->index) {
        case RB_FN_SUM: return RB_REDUCE_SUM;
        case RB_FN_PRODUCT: return RB_REDUCE_PRODUCT;
        case RB_FN_MIN: return RB_REDUCE_MIN;
        case RB_FN_MAX: return RB_REDUCE_MAX;
        default: return RB_REDUCE_ARRAY;
    }
}

static const char *folded(RbFunctionWriter *w, const RbExpr *e, const char *const *at) {
    const char *a = rb_function_element(w, e->args[0], at);
    if (e->op != RB_OP_MUL) return a;
    return text("%s * %s", a, rb_function_element(w, e->args[1], at));
}

// The next element into t<number>.
static void fold_in(RbFunctionWriter *w, const RbExpr *e, RbReduction kind, int t,
                    const char *const *at) {
    const char *next = folded(w, e, at);
    if (kind == RB_REDUCE_MIN || kind == RB_REDUCE_MAX)
        out("    { double o%d = %s; if (o%d %s t%d) t%d = o%d; }\n", t, next, t,
            kind == RB_REDUCE_MIN ? "<" : ">", t, t, t);
    else
        out("    t%d = t%d %s %s;\n", t, t, kind == RB_REDUCE_SUM ? "+" : "*", next);
}

bool rb_function_prepare_fold(RbFunctionWriter *w, const RbExpr *e) {
    static const char *const starts[] = {"", "0.0", "1.0", "(1.0 / 0.0)", "(-1.0 / 0.0)"};
    RbReduction kind = fold_of(e);
    const char *at[RB_RANK_MAX];
    if (kind == RB_REDUCE_ARRAY) return false;
    for (int k = 0; k < e->arg_count; k++) rb_function_prepare(w, e->args[k]);
    const RbExpr *a = e->args[0];
    if (e->op == RB_OP_MUL) check_inner(w, a, e->args[1]);
    int t = ++w->temps;
    out("    double t%d = %s;\n", t, starts[kind]);
    if (rb_is_small_value(w, a)) {
        for (int k = 0; k < rb_static_count(w, a); k++) {
            constant_places(w, a, k, at);
            fold_in(w, e, kind, t, at);
        }
    } else {
        open_loops(w, a, t, at);
        fold_in(w, e, kind, t, at);
        close_loops(w, a);
    }
    rb_function_name(w, e, t);
    w->traits[e->id] |= RB_PLAIN;
    return true;
}

// --- assignment ----------------------------------------------------------------------------------

// Would writing element by element change what is still to be read? `same`: an element is read for
// itself only.
static bool reads(RbFunctionWriter *w, const RbExpr *e, const RbExpr *target, bool same) {
    e = rb_passed_through(e);
    int var = target->op == RB_OP_SUBSCRIPT ? target->args[0]->index : target->index;
    if (e == target) return !same;
    if (e->op == RB_OP_LOCAL) return e->index == var;
    if (rb_function_has_temp(w, e)) return false;
    bool stays = e->rank > 0 && is_operator(e);
    for (int k = 0; k < e->arg_count; k++) {
        if (e->args[k]->rank > 0 && reads(w, e->args[k], target, same && stays)) return true;
        // subscripts are read before, but those that are vectors
    }
    return false;
}

static void fill_small(RbFunctionWriter *w, const RbExpr *target, const RbExpr *value) {
    const char *at[RB_RANK_MAX];
    int count = rb_static_count(w, value), n = ++w->temps;
    bool before = reads(w, value, target, false); // all are read before one is written
    for (int k = 0; k < count && before; k++) {
        constant_places(w, value, k, at);
        out("    double e%d_%d = %s;\n", n, k, rb_function_element(w, value, at));
    }
    for (int k = 0; k < count; k++) {
        constant_places(w, value, k, at);
        out("    %s = %s;\n", rb_function_element(w, target, at),
            before ? text("e%d_%d", n, k) : rb_function_element(w, value, at));
    }
}

void rb_function_fill(RbFunctionWriter *w, const RbExpr *target, const RbExpr *value) {
    const char *at[RB_RANK_MAX];
    rb_function_same_shape(w, target, value);
    if (target->rank != value->rank) return;
    if (rb_is_small_value(w, value)) {
        fill_small(w, target, value);
        return;
    }
    if (reads(w, value, target, true)) rb_function_place_array(w, value);
    open_loops(w, target, ++w->temps, at);
    out("    %s = %s;\n", rb_function_element(w, target, at), rb_function_element(w, value, at));
    close_loops(w, target);
}

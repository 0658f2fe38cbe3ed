// SPDX-License-Identifier: MIT
// emit_function.c: statements and functions as C.
#include "code/emit_function.h"

#include "code/function_array.h"

#define out(...) rb_text_printf(w->out, __VA_ARGS__)

// As in eval_function.c.
enum { WHILE_MAX = 20000000, CALLS_MAX = 200 };

// Numbers. What needs more is interpreted.
enum { STACK_SIZE = 1 << 16 };

static const char *const array_prelude =
    "static double rb_none[1];\n"
    "static void rb_box(A *a, double *number) { a->d = number; a->r = 0; a->c = 1; }\n"
    "static int rb_new(F *f, A *a, int rank, double n0, double n1, double n2, double n3) {\n"
    "    double n[4], count = 1.0; int k;\n"
    "    n[0] = n0; n[1] = n1; n[2] = n2; n[3] = n3;\n"
    "    for (k = 0; k < 4; k++) {\n"
    "        if (!(n[k] >= 0.0 && n[k] < 100000000.0)) return 1;\n"
    "        a->n[k] = k < rank ? (int)n[k] : 0;\n"
    "        if (k < rank) count = count * a->n[k];\n"
    "    }\n"
    "    if (!(count + 1.0 <= (double)(f->stack_end - f->stack))) return 1;\n"
    "    a->r = rank; a->c = a->room = (int)count; a->d = f->stack; f->stack += a->c + 1;\n"
    "    for (k = 0; k <= a->c; k++) a->d[k] = 0.0;\n"
    "    return 0;\n}\n"
    "static int rb_room(F *f, A *a, int rank, int n0, int n1, int n2, int n3) {\n"
    "    double count = n0;\n"
    "    a->n[0] = n0; a->n[1] = n1; a->n[2] = n2; a->n[3] = n3;\n"
    "    if (rank > 1) count = count * n1;\n"
    "    if (rank > 2) count = count * n2;\n"
    "    if (rank > 3) count = count * n3;\n"
    "    if (!(count + 1.0 <= (double)(f->stack_end - f->stack))) return 1;\n"
    "    a->r = rank; a->c = a->room = (int)count; a->d = f->stack; f->stack += a->c + 1;\n"
    "    return 0;\n}\n"
    "static void rb_wrap(A *a, double *d, int rank, int count, int n0, int n1, int n2, int n3) {\n"
    "    a->d = d; a->r = rank; a->c = a->room = count;\n"
    "    a->n[0] = n0; a->n[1] = n1; a->n[2] = n2; a->n[3] = n3;\n}\n"
    "static int rb_hand(F *f, A *a, const double *d, int rank, int n0, int n1, int n2, int n3) {\n"
    "    int k;\n"
    "    if (rb_room(f, a, rank, n0, n1, n2, n3)) return 1;\n"
    "    for (k = 0; k < a->c; k++) a->d[k] = d[k];\n"
    "    return 0;\n}\n"
    "static int rb_copy(double *d, const A *a, int rank, int n0, int n1, int n2, int n3) {\n"
    "    int k;\n"
    "    if (!a->d || a->r != rank || a->n[0] != n0 || (rank > 1 && a->n[1] != n1) ||\n"
    "        (rank > 2 && a->n[2] != n2) || (rank > 3 && a->n[3] != n3)) return 1;\n"
    "    for (k = 0; k < a->c; k++) d[k] = a->d[k];\n"
    "    return 0;\n}\n"
    "static int rb_like(F *f, A *to, const A *a, const A *b) {\n"
    "    int k;\n"
    "    if (a->r != b->r || a->c + 1 > f->stack_end - f->stack) return 1;\n"
    "    for (k = 0; k < a->r; k++) if (a->n[k] != b->n[k]) return 1;\n"
    "    *to = *a; to->room = to->c; to->d = f->stack; f->stack += to->c + 1;\n"
    "    return 0;\n}\n"
    "static int rb_store(F *f, A *to, const A *from, double **mark) {\n"
    "    double *d = to->d; int k, room = to->room;\n"
    "    if (!d || room < from->c) {\n"
    "        if (from->c + 1 > f->stack_end - f->stack) return 1;\n"
    "        d = f->stack; room = from->c; f->stack += room + 1; *mark = f->stack;\n"
    "    }\n"
    "    for (k = 0; k < from->c; k++) d[k] = from->d[k];\n"
    "    *to = *from; to->d = d; to->room = room;\n"
    "    return 0;\n}\n"
    "static int rb_rows(F *f, A *a, int loops, const int *g, const A *row) {\n"
    "    double n[8]; int k;\n"
    "    if (loops + row->r > 4) return 1;\n"
    "    for (k = 0; k < 8; k++) n[k] = 0.0;\n"
    "    for (k = 0; k < loops; k++) n[k] = g[k];\n"
    "    for (k = 0; k < row->r; k++) n[loops + k] = row->n[k];\n"
    "    return rb_new(f, a, loops + row->r, n[0], n[1], n[2], n[3]);\n}\n"
    "static int rb_row(A *a, int *count, const A *row) {\n"
    "    int k;\n"
    "    if (*count + row->c > a->c) return 1;\n"
    "    for (k = 0; k < row->c; k++) a->d[*count + k] = row->d[k];\n"
    "    *count += row->c;\n"
    "    return 0;\n}\n";

// The number of elements of a range, as rb_eval_range counts them; -1: impossible.
static void emit_range_helpers(RbConstants *constants, RbText *text) {
    rb_text_add(text, "static int rb_steps(double a, double h, double b) {\n"
                      "    double n = floor((b - a) / h * ");
    rb_write_constant(constants, 1 + 1e-15, text);
    rb_text_add(text, " + ");
    rb_write_constant(constants, 1e-12, text);
    rb_text_add(text, ");\n"
                      "    if (h == 0.0 || !(n < 100000000.0)) return -1;\n"
                      "    return n < 0.0 ? 0 : (int)n + 1;\n}\n"
                      "static int rb_range(F *f, A *v, double a, double h, double b) {\n"
                      "    int i, n = rb_steps(a, h, b);\n"
                      "    if (n < 0 || rb_new(f, v, 1, n, 0.0, 0.0, 0.0)) return 1;\n"
                      "    for (i = 0; i < n; i++) v->d[i] = a + i * h;\n"
                      "    return 0;\n}\n");
}

// --- statements ----------------------------------------------------------------------------------

static void emit_statements(RbFunctionWriter *w, const RbStatements *list);

// Memory of arrays is given back at the end of a statement.
static void open_steps(RbFunctionWriter *w, int traits) {
    out("    {\n");
    if (traits & RB_IN_STEPS) out("    double *m = f->stack;\n");
}

static void close_steps(RbFunctionWriter *w, int traits) {
    if (traits & RB_IN_STEPS) out("    f->stack = m;\n");
    out("    }\n");
}

static bool has_slice(const RbExpr *target) {
    for (int k = 1; k < target->arg_count; k++) {
        if (target->args[k]->rank > 0 || target->args[k]->op == RB_OP_ALL) return true;
    }
    return target->arg_count - 1 < target->args[0]->rank;
}

// Elements := value, whose text (a scalar or an A) is given; the interpreter's own operation.
static void store_slice(RbFunctionWriter *w, const RbExpr *target, bool scalar, const char *value) {
    int x = rb_function_arguments(w, target, 1);
    int node = w->constants->source->nodes.count;
    const char *array = rb_function_box(w, target->args[0]);
    rb_array_push(&w->constants->source->nodes, w->constants->arena, target);
    if (scalar) out("    A k%d; double j%d = %s; rb_box(&k%d, &j%d);\n", x, x, value, x, x);
    if (!scalar) out("    A k%d; k%d = %s;\n", x, x, value);
    rb_function_check(w);
    out("    if (!%s.d || f->store(f, %d, (A *)&%s, x%d, &k%d)) goto fail;\n", array, node, array,
        x, x);
}

static void store_element(RbFunctionWriter *w, const RbExpr *target, const char *value) {
    const char *at[RB_RANK_MAX];
    int j = ++w->temps;
    for (int k = 1; k < target->arg_count; k++)
        at[k - 1] = rb_function_place(w, target->args[0], k - 1, target->args[k]);
    const char *data = rb_function_data(w, target->args[0]);
    if (rb_variable_kind(w->f, target->args[0]->index) == RB_FREE_ARRAY)
        out("    if (!%s) goto fail;\n", data);
    for (int k = 0; k < target->arg_count - 1; k++) {
        out("    int i%d_%d = %s;\n", j, k, at[k]);
        at[k] = rb_arena_printf(w->scratch, "i%d_%d", j, k);
    }
    out("    double j%d = %s;\n", j, value);
    rb_function_check(w);
    out("    %s = j%d;\n", rb_function_element(w, target->args[0], at), j);
}

// The sizes of a variable, after a comma each.
static const char *sizes_text(RbFunctionWriter *w, int var) {
    int rank = w->f->vars.data[var].rank;
    RbText text = rb_text(w->scratch);
    for (int d = 0; d < 4; d++)
        rb_text_printf(&text, ", %s", d < rank ? rb_variable_dim(w, var, d) : "0");
    return text.data;
}

// Variable := the array in an A.
static void store_array(RbFunctionWriter *w, int var, const char *value) {
    if (rb_variable_kind(w->f, var) == RB_FREE_ARRAY)
        out("    if (rb_store(f, &%s, &%s, &m)) goto fail;\n", rb_function_array_name(w, var),
            value);
    else
        out("    if (rb_copy(p%d, &%s, %d%s)) goto fail;\n", var, value, w->f->vars.data[var].rank,
            sizes_text(w, var));
}

static void store_scalar(RbFunctionWriter *w, int var, const char *value) {
    out("    ");
    rb_function_variable(w, var);
    out(" = %s;\n", value);
}

// A result of a call, a scalar or an A.
static void store(RbFunctionWriter *w, const RbExpr *target, bool scalar, const char *value) {
    if (target->op != RB_OP_SUBSCRIPT && scalar)
        store_scalar(w, target->index, value);
    else if (target->op != RB_OP_SUBSCRIPT)
        store_array(w, target->index, value);
    else if (has_slice(target))
        store_slice(w, target, scalar, value);
    else
        store_element(w, target, value);
}

// Can elements of the target be written one by one?
static bool fills(RbFunctionWriter *w, const RbExpr *target) {
    if (target->op == RB_OP_LOCAL) return rb_variable_kind(w->f, target->index) != RB_FREE_ARRAY;
    if (!has_slice(target)) return false;
    for (int k = 1; k < target->arg_count; k++) {
        const RbExpr *s = target->args[k];
        if (s->rank > 0 &&
            (s->op != RB_OP_RANGE || s->type != RB_INTEGER || !rb_is_number(s->args[1], 1)))
            return false; // an element may be written twice, or read as a subscript
    }
    return true;
}

static void assign_array(RbFunctionWriter *w, const RbExpr *target, const RbExpr *value) {
    if (!fills(w, target)) {
        store(w, target, false, rb_function_box(w, value));
        return;
    }
    if (target->op == RB_OP_SUBSCRIPT) {
        w->temp[target->id] = 0; // the place, not a copy of what is there
        rb_function_prepare(w, target);
    }
    rb_function_fill(w, target, value);
}

static void emit_assignment(RbFunctionWriter *w, const RbExpr *target, const RbExpr *value) {
    const RbExpr *roots[2] = {value, target};
    int traits = rb_function_look(w, roots, 2);
    if (value->rank > 0 || target->rank > 0) traits |= RB_IN_STEPS;
    open_steps(w, traits);
    rb_function_prepare(w, value);
    if (value->rank > 0)
        assign_array(w, target, value);
    else
        store(w, target, true, rb_function_text(w, value));
    rb_function_check(w);
    close_steps(w, traits);
}

// Results are in C variables; each target is looked at on its own, since its subscripts may use
// targets before it.
static void emit_call(RbFunctionWriter *w, const RbStatement *s) {
    const RbExpr *call = s->value;
    int traits = rb_function_look(w, &call, 1) | RB_IN_STEPS;
    open_steps(w, traits);
    rb_function_prepare(w, call);
    rb_function_check(w);
    int number = w->temp[call->id];
    const RbFunction *g = call->op == RB_OP_CALL ? w->model->functions.data[call->index] : NULL;
    for (int k = 0; g && k < s->targets.count && k < g->output_count; k++) {
        const RbExpr *target = s->targets.data[k];
        if (!target) continue;
        int var = g->input_count + k, rank = g->vars.data[var].rank;
        const char *value = rb_arena_printf(w->scratch, "%s%d[%d]", rank > 0 ? "q" : "r", number,
                                            rb_function_slot(g, var));
        rb_function_look(w, &target, 1);
        out("    {\n");
        store(w, target, rank == 0, value);
        out("    }\n");
    }
    close_steps(w, traits);
}

// c<number> := condition
static int emit_condition(RbFunctionWriter *w, const RbExpr *condition) {
    int c = ++w->temps, traits = rb_function_look(w, &condition, 1);
    out("    int c%d;\n", c);
    open_steps(w, traits);
    rb_function_prepare(w, condition);
    out("    c%d = ", c);
    rb_function_write_condition(w, condition);
    out(";\n");
    rb_function_check(w);
    close_steps(w, traits);
    return c;
}

static void emit_if(RbFunctionWriter *w, const RbStatement *s, int branch) {
    if (branch == s->branches.count) return;
    const RbStatementBranch *b = &s->branches.data[branch];
    if (!b->condition) {
        emit_statements(w, &b->statements);
        return;
    }
    out("    {\n");
    out("    if (c%d) {\n", emit_condition(w, b->condition));
    emit_statements(w, &b->statements);
    out("    } else {\n");
    emit_if(w, s, branch + 1);
    out("    }\n    }\n");
}

static void emit_for(RbFunctionWriter *w, const RbStatement *s) {
    if (s->branches.count == 0) return;
    rb_function_look(w, &s->value, 1);
    out("    {\n");
    rb_function_open_loop(w, s->target->index, s->value);
    emit_statements(w, &s->branches.data[0].statements);
    rb_function_close_loop(w);
    out("    }\n");
}

static void emit_while(RbFunctionWriter *w, const RbStatement *s) {
    int n = ++w->temps;
    out("    { int n%d = 0;\n    for (;;) {\n", n);
    out("    if (!c%d) break;\n", emit_condition(w, s->branches.data[0].condition));
    emit_statements(w, &s->branches.data[0].statements);
    out("    if (++n%d > %d) goto fail;\n    }\n    }\n", n, WHILE_MAX);
}

static void emit_statement(RbFunctionWriter *w, const RbStatement *s) {
    switch (s->kind) {
        case RB_ST_ASSIGN: emit_assignment(w, s->target, s->value); break;
        case RB_ST_CALL: emit_call(w, s); break;
        case RB_ST_IF: emit_if(w, s, 0); break;
        case RB_ST_FOR: emit_for(w, s); break;
        case RB_ST_WHILE: emit_while(w, s); break;
        case RB_ST_BREAK: out("    break;\n"); break;
        case RB_ST_RETURN: out("    goto done;\n"); break;
        case RB_ST_ASSERT:
            if (s->is_warning) break;
            out("    {\n");
            out("    if (!c%d) goto fail;\n    }\n", emit_condition(w, s->target));
            break;
        default: break; // function_plan.c lets no others through
    }
}

static void emit_statements(RbFunctionWriter *w, const RbStatements *list) {
    for (int i = 0; i < list->count; i++) emit_statement(w, list->data[i]);
}

// --- functions -----------------------------------------------------------------------------------

static void declare_array(RbFunctionWriter *w, int var) {
    int rank = w->f->vars.data[var].rank, count = 1;
    const char *name = rb_function_array_name(w, var);
    bool local = var >= w->f->input_count + w->f->output_count;
    switch (rb_variable_kind(w->f, var)) {
        case RB_SMALL_ARRAY:
            for (int d = 0; d < rank; d++) count *= rb_static_dim(w->f, var, d);
            out("    double p%d[%d] = {0.0};\n", var, count > 0 ? count : 1);
            break;
        case RB_FIXED_ARRAY:
            out("    double *p%d = rb_none; int", var);
            for (int d = 0; d < rank; d++) out("%s p%d_%d = 0", d > 0 ? "," : "", var, d);
            out(";\n");
            if (local) out("    A l%d;\n", var);
            break;
        default:
            if (local) out("    A l%d;\n", var);
            out("    %s.d = 0; %s.room = 0;\n", name, name);
    }
}

static void declare(RbFunctionWriter *w, int var) {
    if (w->f->vars.data[var].rank == 0)
        out("    double l%d = 0.0;\n", var);
    else
        declare_array(w, var);
}

// The place and the sizes of a fixed array, from its A.
static void take_place(RbFunctionWriter *w, int var) {
    const char *name = rb_function_array_name(w, var);
    out("    p%d = %s.d;", var, name);
    for (int d = 0; d < w->f->vars.data[var].rank; d++) out(" p%d_%d = %s.n[%d];", var, d, name, d);
    out("\n");
}

// Of an input: sizes that the code takes for granted. What else is declared is not looked at.
static void start_input(RbFunctionWriter *w, int var) {
    const RbFunctionVar *v = &w->f->vars.data[var];
    if (v->rank == 0) {
        out("    double l%d = s[%d];\n", var, rb_function_slot(w->f, var));
        return;
    }
    const char *name = rb_function_array_name(w, var);
    out("    double *p%d; int", var);
    for (int d = 0; d < v->rank; d++) out("%s p%d_%d", d > 0 ? "," : "", var, d);
    out(";\n");
    take_place(w, var);
    for (int d = 0; d < v->rank; d++) {
        int n = rb_static_dim(w->f, var, d);
        if (n >= 0) out("    if (%s.n[%d] != %d) goto fail;\n", name, d, n);
    }
}

static void start_value(RbFunctionWriter *w, int var, const RbExpr *value) {
    int traits = rb_function_look(w, &value, 1) | (value->rank > 0 ? RB_IN_STEPS : 0);
    open_steps(w, traits);
    rb_function_prepare(w, value);
    if (value->rank > 0)
        store_array(w, var, rb_function_box(w, value));
    else
        store_scalar(w, var, rb_function_text(w, value));
    rb_function_check(w);
    close_steps(w, traits);
}

// Sizes that are open are 0 until there is a value.
static void start_size(RbFunctionWriter *w, int var) {
    const RbFunctionVar *v = &w->f->vars.data[var];
    const RbExpr *given[RB_RANK_MAX];
    int count = 0;
    for (int d = 0; d < v->rank; d++)
        if (v->dims[d]) given[count++] = v->dims[d];
    rb_function_look(w, given, count);
    out("    {\n");
    for (int d = 0; d < count; d++) rb_function_prepare(w, given[d]);
    out("    if (rb_new(f, &%s, %d", rb_function_array_name(w, var), v->rank);
    for (int d = 0; d < 4; d++)
        out(", %s", d < v->rank && v->dims[d] ? rb_function_text(w, v->dims[d]) : "0.0");
    out(")) goto fail;\n");
    rb_function_check(w);
    if (rb_variable_kind(w->f, var) == RB_FIXED_ARRAY) take_place(w, var);
    out("    }\n");
}

// Values and sizes that the declaration gives.
static void start(RbFunctionWriter *w, int var) {
    const RbFunctionVar *v = &w->f->vars.data[var];
    RbFunctionVariable kind = rb_variable_kind(w->f, var);
    if (kind == RB_FIXED_ARRAY || (kind == RB_FREE_ARRAY && !v->binding)) start_size(w, var);
    if (v->binding) start_value(w, var, v->binding);
}

// Results that live in variables of C. Those in an A are there already.
static void hand_over(RbFunctionWriter *w) {
    const RbFunction *f = w->f;
    for (int var = f->input_count; var < f->input_count + f->output_count; var++) {
        RbFunctionVariable kind = rb_variable_kind(f, var);
        if (kind == RB_SCALAR_VARIABLE)
            out("    rs[%d] = l%d;\n", rb_function_slot(f, var), var);
        else if (kind == RB_SMALL_ARRAY)
            out("    if (rb_hand(f, &%s, p%d, %d%s)) goto fail;\n", rb_function_array_name(w, var),
                var, f->vars.data[var].rank, sizes_text(w, var));
    }
}

static void write_head(int number, RbText *text) {
    rb_text_printf(text, "static int fn_%d(F *f, const double *s, const A *v, double *rs, A *rv)",
                   number);
}

static void emit_function(RbFunctionWriter *w, int number) {
    w->f = w->model->functions.data[number];
    bool array_results = rb_function_shape(w->f).arrays_out > 0;
    out("// %s\n", w->f->name);
    write_head(number, w->out);
    out(" {\n    double *m = f->stack; int status = 1, bad = 0;\n");
    out("    if (++f->depth > %d) goto fail;\n", CALLS_MAX);
    for (int k = 0; k < w->f->input_count; k++) start_input(w, k);
    for (int k = w->f->input_count; k < w->f->vars.count; k++) declare(w, k);
    for (int k = w->f->input_count; k < w->f->vars.count; k++)
        start(w, rb_function_declared(w->f, k));
    emit_statements(w, &w->f->statements);
    out("done:\n");
    hand_over(w);
    out("    status = 0;\nfail:\n    (void)bad;\n    f->depth--;\n");
    if (array_results)
        out("    (void)m;\n"); // results are above the mark; the caller gives them back
    else
        out("    f->stack = m;\n");
    out("    return status;\n}\n\n");
}

void rb_emit_functions(const RbLowered *l, const RbFunctionCode *code, RbConstants *constants,
                       RbArena *scratch, RbText *text) {
    const RbFlatModel *model = l->dae->model;
    int nodes = model->exprs->count + 1, count = 0;
    for (int i = 0; i < model->functions.count; i++) count += code->compiled[i];
    if (count == 0) return;
    RbFunctionWriter w = {.model = model,
                          .code = code,
                          .constants = constants,
                          .scratch = scratch,
                          .out = text,
                          .uses = rb_new_array(scratch, int, nodes),
                          .temp = rb_new_array(scratch, int, nodes),
                          .view = rb_new_array(scratch, int, nodes),
                          .shapes = rb_new_array(scratch, int, (size_t)nodes *RB_RANK_MAX),
                          .traits = rb_new_array(scratch, unsigned char, nodes),
                          .stamps = rb_new_array(scratch, int, nodes)};
    rb_text_add(text, array_prelude);
    emit_range_helpers(constants, text);
    for (int i = 0; i < model->functions.count; i++) {
        if (!code->compiled[i]) continue;
        write_head(i, text);
        rb_text_add(text, ";\n");
        const RbFunction *f = model->functions.data[i];
        for (int k = 0; k < f->vars.count; k++) {
            if (f->vars.data[k].rank > 0) constants->source->stack_size = STACK_SIZE;
        }
    }
    for (int i = 0; i < model->functions.count; i++) {
        if (code->compiled[i]) emit_function(&w, i);
    }
    if (constants->source->nodes.count > 0) constants->source->stack_size = STACK_SIZE;
}

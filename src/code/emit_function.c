// SPDX-License-Identifier: MIT
// emit_function.c: statements and functions as C.
#include "code/emit_function.h"

#include "code/function_writer.h"

#define out(...) rb_text_printf(w->out, __VA_ARGS__)

// As in eval_function.c.
enum { WHILE_MAX = 20000000, CALLS_MAX = 200 };

// Numbers. What needs more is interpreted.
enum { STACK_SIZE = 1 << 16 };

static const char *const array_prelude =
    "static int rb_bad(F *f) { f->bad = 1; return 0; }\n"
    "static int rb_index1(F *f, const A *a, double i) {\n"
    "    return i >= 1.0 && i <= a->n[0] ? (int)i - 1 : rb_bad(f);\n}\n"
    "static int rb_index2(F *f, const A *a, double i, double j) {\n"
    "    if (!(i >= 1.0 && i <= a->n[0] && j >= 1.0 && j <= a->n[1])) return rb_bad(f);\n"
    "    return ((int)i - 1) * a->n[1] + (int)j - 1;\n}\n"
    "static int rb_index3(F *f, const A *a, double i, double j, double k) {\n"
    "    if (!(k >= 1.0 && k <= a->n[2])) return rb_bad(f);\n"
    "    return rb_index2(f, a, i, j) * a->n[2] + (int)k - 1;\n}\n"
    "static int rb_index4(F *f, const A *a, double i, double j, double k, double l) {\n"
    "    if (!(l >= 1.0 && l <= a->n[3])) return rb_bad(f);\n"
    "    return rb_index3(f, a, i, j, k) * a->n[3] + (int)l - 1;\n}\n"
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

static void check(RbFunctionWriter *w, int traits) {
    if (traits & RB_MAY_FAIL) out("    if (f->bad) goto fail;\n");
}

static bool has_slice(const RbExpr *target) {
    for (int k = 1; k < target->arg_count; k++) {
        if (target->args[k]->rank > 0) return true;
    }
    return target->arg_count - 1 < target->args[0]->rank;
}

// Elements := value, whose text (a scalar or an A) is given.
static void store_slice(RbFunctionWriter *w, const RbExpr *target, bool scalar, const char *value) {
    int x = rb_function_arguments(w, target, 1);
    int node = w->constants->source->nodes.count;
    rb_array_push(&w->constants->source->nodes, w->constants->arena, target);
    if (scalar) out("    A k%d; double j%d = %s; rb_box(&k%d, &j%d);\n", x, x, value, x, x);
    out("    if (!");
    rb_function_variable(w, target->args[0]->index);
    out(".d || f->store(f, %d, &", node);
    rb_function_variable(w, target->args[0]->index);
    if (scalar)
        out(", x%d, &k%d)) goto fail;\n", x, x);
    else
        out(", x%d, &%s)) goto fail;\n", x, value);
}

static void store_element(RbFunctionWriter *w, const RbExpr *target, const char *value) {
    for (int k = 1; k < target->arg_count; k++) rb_function_prepare(w, target->args[k]);
    int i = ++w->temps;
    out("    if (!");
    rb_function_variable(w, target->args[0]->index);
    out(".d) goto fail;\n    int i%d = ", i);
    rb_function_index(w, target);
    out("; double j%d = %s;\n    if (f->bad) goto fail;\n    ", i, value);
    rb_function_variable(w, target->args[0]->index);
    out(".d[i%d] = j%d;\n", i, i);
}

static void store_variable(RbFunctionWriter *w, int var, const char *value) {
    if (w->f->vars.data[var].rank > 0) {
        out("    if (rb_store(f, &");
        rb_function_variable(w, var);
        out(", &%s, &m)) goto fail;\n", value);
    } else {
        out("    ");
        rb_function_variable(w, var);
        out(" = %s;\n", value);
    }
}

static void store(RbFunctionWriter *w, const RbExpr *target, bool scalar, const char *value) {
    if (target->op != RB_OP_SUBSCRIPT)
        store_variable(w, target->index, value);
    else if (has_slice(target))
        store_slice(w, target, scalar, value);
    else
        store_element(w, target, value);
}

// The text that rb_function_write would add.
static const char *text_of(RbFunctionWriter *w, const RbExpr *e) {
    RbText text = rb_text(w->scratch), *before = w->out;
    w->out = &text;
    rb_function_write(w, e);
    w->out = before;
    return text.data;
}

static void emit_assignment(RbFunctionWriter *w, const RbExpr *target, const RbExpr *value) {
    const RbExpr *roots[2 + RB_RANK_MAX] = {value};
    int count = 1;
    for (int k = 1; target->op == RB_OP_SUBSCRIPT && k < target->arg_count; k++)
        roots[count++] = target->args[k];
    int traits = rb_function_look(w, roots, count);
    if (value->rank > 0 || target->rank > 0) traits |= RB_IN_STEPS;
    open_steps(w, traits);
    rb_function_prepare(w, value);
    store(w, target, value->rank == 0, text_of(w, value));
    check(w, traits);
    close_steps(w, traits);
}

// Results are in C variables; each target is looked at on its own, since its subscripts may use
// targets before it.
static void emit_call(RbFunctionWriter *w, const RbStatement *s) {
    const RbExpr *call = s->value;
    int traits = rb_function_look(w, &call, 1) | RB_IN_STEPS;
    open_steps(w, traits);
    rb_function_prepare(w, call);
    check(w, RB_MAY_FAIL);
    int number = w->temp[call->id];
    const RbFunction *g = call->op == RB_OP_CALL ? w->model->functions.data[call->index] : NULL;
    for (int k = 0; g && k < s->targets.count && k < g->output_count; k++) {
        const RbExpr *target = s->targets.data[k];
        if (!target) continue;
        int var = g->input_count + k, rank = g->vars.data[var].rank;
        const char *value = rb_arena_printf(w->scratch, "%s%d[%d]", rank > 0 ? "q" : "r", number,
                                            rb_function_slot(g, var));
        rb_function_look(w, target->op == RB_OP_SUBSCRIPT ? target->args + 1 : &target,
                         target->op == RB_OP_SUBSCRIPT ? target->arg_count - 1 : 1);
        store(w, target, rank == 0, value);
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
    check(w, traits);
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
    out("    }\n    }\n");
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

static void declare(RbFunctionWriter *w, int var) {
    const RbFunctionVar *v = &w->f->vars.data[var];
    bool output = var < w->f->input_count + w->f->output_count;
    if (v->rank == 0) {
        out(output ? "    " : "    double ");
        rb_function_variable(w, var);
        out(" = 0.0;\n");
        return;
    }
    if (!output) out("    A l%d;\n", var);
    out("    ");
    rb_function_variable(w, var);
    out(".d = 0; ");
    rb_function_variable(w, var);
    out(".room = 0;\n");
}

// Values and sizes that the declaration gives.
static void start(RbFunctionWriter *w, int var) {
    const RbFunctionVar *v = &w->f->vars.data[var];
    if (v->binding) {
        int traits = rb_function_look(w, &v->binding, 1) | (v->rank > 0 ? RB_IN_STEPS : 0);
        open_steps(w, traits);
        rb_function_prepare(w, v->binding);
        store_variable(w, var, text_of(w, v->binding));
        check(w, traits);
        close_steps(w, traits);
        return;
    }
    for (int d = 0; d < v->rank; d++) {
        if (!v->dims[d]) return; // gets its size with its value
    }
    if (v->rank == 0) return;
    rb_function_look(w, v->dims, v->rank);
    out("    {\n");
    for (int d = 0; d < v->rank; d++) rb_function_prepare(w, v->dims[d]);
    out("    if (rb_new(f, &");
    rb_function_variable(w, var);
    out(", %d", v->rank);
    for (int d = 0; d < 4; d++) {
        out(", ");
        if (d < v->rank)
            rb_function_write(w, v->dims[d]);
        else
            out("0.0");
    }
    out(") || f->bad) goto fail;\n    }\n");
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
    out(" {\n    double *m = f->stack; int status = 1;\n");
    out("    if (++f->depth > %d) goto fail;\n", CALLS_MAX);
    for (int k = w->f->input_count; k < w->f->vars.count; k++) declare(w, k);
    for (int k = w->f->input_count; k < w->f->vars.count; k++)
        start(w, rb_function_declared(w->f, k));
    emit_statements(w, &w->f->statements);
    out("done:\n    status = 0;\nfail:\n    f->depth--;\n");
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

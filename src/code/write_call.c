// SPDX-License-Identifier: MIT
#include "code/writer.h"
#include "expr/fold.h"

// Arguments and results of a compiled function that has arrays among them: scalars in s and rs,
// arrays in g and q (emit_function.h).
static void sort_arguments(RbWriter *w, const RbFunction *f, const RbExpr *n, int t) {
    RbFunctionShape shape = rb_function_shape(f);
    rb_text_printf(w->out, "    double s%d[%d], m%d[%d]; A g%d[%d], q%d[%d];\n", t,
                   shape.scalars_in + 1, t, shape.scalars_out + 1, t, shape.arrays_in + 1, t,
                   shape.arrays_out + 1);
    for (int i = 0, at = 0; i < n->arg_count; i++) {
        int slot = rb_function_slot(f, i), dims[RB_RANK_MAX] = {0}, count = 1;
        if (f->vars.data[i].rank == 0) {
            rb_text_printf(w->out, "    s%d[%d] = a%d[%d];\n", t, slot, t, at++);
            continue;
        }
        rb_argument_dims(n->args[i], dims);
        rb_text_printf(w->out, "    g%d[%d].d = a%d + %d; g%d[%d].r = %d;", t, slot, t, at, t, slot,
                       n->args[i]->rank);
        for (int d = 0; d < n->args[i]->rank; d++) {
            rb_text_printf(w->out, " g%d[%d].n[%d] = %d;", t, slot, d, dims[d]);
            count *= dims[d];
        }
        rb_text_printf(w->out, " g%d[%d].c = %d;\n", t, slot, count);
        at += count;
    }
}

static void sort_results(RbWriter *w, const RbFunction *f, const RbCallSite *site, int number,
                         int t) {
    rb_text_printf(w->out, "    if (fn_%d(f, s%d, g%d, m%d, q%d)", site->call->index, t, t, t, t);
    for (int k = 0; k < f->output_count; k++) {
        int var = f->input_count + k, slot = rb_function_slot(f, var);
        int end = k + 1 < f->output_count ? site->out_start[k + 1] : site->out_count;
        if (f->vars.data[var].rank > 0) {
            rb_text_printf(w->out, " || rb_take(r%d + %d, %d, &q%d[%d])", t, site->out_start[k],
                           end - site->out_start[k], t, slot);
        } else {
            rb_text_printf(w->out, " || rb_take1(r%d + %d, m%d[%d])", t, site->out_start[k], t,
                           slot);
        }
    }
    rb_text_printf(w->out, ") f->call(f, %d, a%d, r%d);\n    f->stack = m%d_0;\n", number, t, t, t);
}

// If the compiled function fails, the interpreter tries, and says why it fails too.
static void call_compiled(RbWriter *w, const RbExpr *n, int site_number, int t) {
    const RbCallSite *site = &w->l->sites.data[site_number];
    const RbFunction *f = w->l->dae->model->functions.data[n->index];
    RbFunctionShape shape = rb_function_shape(f);
    if (shape.arrays_in + shape.arrays_out == 0) {
        rb_text_printf(w->out, "    if (fn_%d(f, a%d, 0, r%d, 0)) f->call(f, %d, a%d, r%d);\n",
                       n->index, t, t, site_number, t, t);
        return;
    }
    rb_text_printf(w->out, "    double *m%d_0 = f->stack;\n", t);
    sort_arguments(w, f, n, t);
    sort_results(w, f, site, site_number, t);
}

void rb_prepare_call(RbWriter *w, const RbExpr *n) {
    int site_number = (int)*rb_map_find(&w->l->site_of, (uint64_t)n->id);
    const RbCallSite *site = &w->l->sites.data[site_number];
    RbExprList list = {0};
    for (int i = 0; i < n->arg_count; i++) rb_flatten_argument(n->args[i], w->scratch, &list);
    for (int i = 0; i < list.count; i++) {
        if (list.data[i]->type != RB_STRING) rb_prepare(w, list.data[i]);
    }
    int t = rb_new_temp(w, n);
    rb_text_printf(w->out, "    double a%d[%d], r%d[%d];\n", t, site->in_count + 1, t,
                   site->out_count + 1);
    for (int i = 0; i < list.count; i++) {
        rb_text_printf(w->out, "    a%d[%d] = ", t, i);
        if (list.data[i]->type == RB_STRING)
            rb_text_add(w->out, "0.0"); // the interpreter evaluates texts
        else
            rb_write(w, list.data[i]);
        rb_text_add(w->out, ";\n");
    }
    if (w->functions.compiled[n->index])
        call_compiled(w, n, site_number, t);
    else
        rb_text_printf(w->out, "    f->call(f, %d, a%d, r%d);\n", site_number, t, t);
    if (n->rank == 0) rb_text_printf(w->out, "    double t%d = r%d[0];\n", t, t);
}

// --- calls with whole arrays ---------------------------------------------------------------------

static void whole_arguments(RbWriter *w, const RbFunction *f, const RbExpr *n, int t) {
    for (int i = 0; i < n->arg_count; i++) {
        const RbExpr *a = n->args[i];
        int slot = rb_function_slot(f, i), entry = a->rank > 0 ? 4 * rb_array_entry(w, a) : 0;
        if (a->rank == 0) {
            rb_text_printf(w->out, "    s%d[%d] = ", t, slot);
            rb_write(w, a);
            rb_text_add(w->out, ";\n");
            continue;
        }
        rb_text_printf(w->out, "    g%d[%d].d = ", t, slot);
        rb_write_pointer(w, a);
        rb_text_printf(w->out, "; g%d[%d].r = %d; g%d[%d].c = n[%d];", t, slot, a->rank, t, slot,
                       entry + 1);
        for (int d = 0; d < a->rank; d++)
            rb_text_printf(w->out, " g%d[%d].n[%d] = n[%d];", t, slot, d, entry + 2 + d);
        rb_text_add(w->out, "\n");
    }
}

// Where the arrays go that are results: z and y, pointers and numbers of elements.
static void whole_results(RbWriter *w, const RbFunction *f, const RbCallSite *site, int t) {
    for (int k = 0; k < f->output_count; k++) {
        const RbExpr *r = site->results[k];
        bool array = r && r->rank > 0;
        int entry = array ? 4 * (w->l->dae->arrays.count + rb_new_place(w, r)) : 0;
        if (array)
            rb_text_printf(w->out, "    z%d[%d] = v + n[%d]; y%d[%d] = n[%d];\n", t, k, entry, t, k,
                           entry + 1);
        else
            rb_text_printf(w->out, "    z%d[%d] = 0; y%d[%d] = 0;\n", t, k, t, k);
    }
}

static void whole_call(RbWriter *w, const RbFunction *f, const RbCallSite *site, int number,
                       int t) {
    rb_text_add(w->out, "    ");
    if (w->functions.compiled[site->call->index]) {
        rb_text_printf(w->out, "if (fn_%d(f, s%d, g%d, m%d, q%d)", site->call->index, t, t, t, t);
        for (int k = 0; k < f->output_count; k++) {
            if (site->results[k] && site->results[k]->rank > 0)
                rb_text_printf(w->out, " || rb_take(z%d[%d], y%d[%d], &q%d[%d])", t, k, t, k, t,
                               rb_function_slot(f, f->input_count + k));
        }
        rb_text_add(w->out, ") ");
    }
    rb_text_printf(w->out,
                   "f->call_whole(f, %d, s%d, g%d, m%d, z%d, y%d);\n    f->stack = m%d_0;\n",
                   number, t, t, t, t, t, t);
}

void rb_prepare_whole_call(RbWriter *w, const RbExpr *n) {
    if (rb_has_temp(w, n)) return;
    int number = (int)*rb_map_find(&w->l->site_of, (uint64_t)n->id), t;
    const RbCallSite *site = &w->l->sites.data[number];
    const RbFunction *f = w->l->dae->model->functions.data[n->index];
    RbFunctionShape shape = rb_function_shape(f);
    for (int i = 0; i < n->arg_count; i++) {
        if (n->args[i]->rank > 0)
            rb_need_place(w, n->args[i]);
        else
            rb_prepare(w, n->args[i]);
    }
    t = ++w->temps;
    rb_text_printf(w->out,
                   "    double *m%d_0 = f->stack, s%d[%d], m%d[%d], *z%d[%d]; A g%d[%d], q%d[%d]; "
                   "int y%d[%d];\n",
                   t, t, shape.scalars_in + 1, t, shape.scalars_out + 1, t, f->output_count + 1, t,
                   shape.arrays_in + 1, t, shape.arrays_out + 1, t, f->output_count + 1);
    whole_arguments(w, f, n, t);
    whole_results(w, f, site, t);
    whole_call(w, f, site, number, t);
    for (int k = 0; k < f->output_count; k++) {
        const RbExpr *r = site->results[k];
        if (!r) continue;
        if (r->rank > 0) {
            rb_set_place(w, r, rb_new_place(w, r));
        } else {
            int local = rb_new_temp(w, r);
            rb_text_printf(w->out, "    double t%d = m%d[%d];\n", local, t,
                           rb_function_slot(f, f->input_count + k));
        }
    }
}

// --- elements ------------------------------------------------------------------------------------

// Element of a result: its place follows from constant subscripts.
void rb_prepare_result(RbWriter *w, const RbExpr *n) {
    const RbExpr *array = n->op == RB_OP_SUBSCRIPT ? n->args[0] : n;
    const RbExpr *call = array->op == RB_OP_RESULT ? array->args[0] : array;
    int result = array->op == RB_OP_RESULT ? array->index : 0;
    rb_prepare(w, call);
    const RbCallSite *site = &w->l->sites.data[*rb_map_find(&w->l->site_of, (uint64_t)call->id)];
    int index = 0;
    for (int k = 1; n->op == RB_OP_SUBSCRIPT && k < n->arg_count; k++) {
        double s = 1;
        rb_constant_value(n->args[k], &s);
        index = index * site->out_dims[result][k - 1] + (int)s - 1;
    }
    int from = w->temp[call->id];
    int t = rb_new_temp(w, n);
    rb_text_printf(w->out, "    double t%d = r%d[%d];\n", t, from, site->out_start[result] + index);
}

// An element of a list of expressions, with an index that is known only at run time.
void rb_prepare_element(RbWriter *w, const RbExpr *n) {
    RbExprList list = {0};
    int dims[RB_RANK_MAX] = {0}, rank = n->arg_count - 1;
    const RbExpr *array = n->args[0];
    for (int d = 0; d < rank && array->op == RB_OP_ARRAY && array->arg_count > 0; d++) {
        dims[d] = array->arg_count;
        array = array->args[0];
    }
    rb_flatten_argument(n->args[0], w->scratch, &list);
    for (int i = 0; i < list.count; i++) rb_prepare(w, list.data[i]);
    for (int k = 1; k < n->arg_count; k++) rb_prepare(w, n->args[k]);
    int t = rb_new_temp(w, n);
    rb_text_printf(w->out, "    double a%d[%d];\n", t, list.count + 1);
    for (int i = 0; i < list.count; i++) {
        rb_text_printf(w->out, "    a%d[%d] = ", t, i);
        if (list.data[i]->type == RB_STRING)
            rb_text_add(w->out, "0.0"); // the interpreter evaluates texts
        else
            rb_write(w, list.data[i]);
        rb_text_add(w->out, ";\n");
    }
    rb_text_printf(w->out, "    double t%d = f->element(f, a%d, %d, 0.0", t, t, list.count);
    for (int k = 1, below = list.count; k < n->arg_count; k++) {
        below = dims[k - 1] > 0 ? below / dims[k - 1] : 0;
        rb_text_printf(w->out, " + %d.0 * (", below);
        rb_write(w, n->args[k]);
        rb_text_add(w->out, k + 1 < n->arg_count ? " - 1.0)" : ")");
    }
    rb_text_add(w->out, ");\n");
}

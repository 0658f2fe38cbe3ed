// SPDX-License-Identifier: MIT
// emit_system.c: a system as
//
//     static void system_3(F *f, const double *y, double *r, double *a)
//
// which takes the unknowns from y, computes the inner variables, the residuals and, unless a is
// NULL, the matrix. As long as no loops are found in it, it is one function, so that what residuals
// and matrix have in common is computed once; otherwise it calls its parts.
#include "code/writer.h"

static const char *const arguments = "(F *f, const double *y, double *r, double *a)";

// Between residuals and matrix.
static void begin_matrix(RbWriter *w, const RbBlock *b) {
    rb_text_add(w->out, "    if (!a) return;\n");
    if (!b->sparse && b->matrix_count < b->size * b->size)
        rb_text_printf(w->out, "    for (int k = 0; k < %d; k++) a[k] = 0;\n", b->size * b->size);
}

static void assign(RbWriter *w, const RbSteps *steps) {
    for (int i = 0; i < steps->count; i++)
        rb_emit_assignment(w, steps->data[i].place, steps->data[i].value);
}

static void emit_whole(RbWriter *w, const RbCodeSystem *s, const char *head) {
    RbText *text = rb_begin_function(w);
    RbExprList matrix = {0};
    for (int i = 0; i < s->matrix.count; i++)
        rb_array_push(&matrix, w->scratch, s->matrix.data[i].value);
    rb_count_steps(w, s->values.data, s->values.count, matrix.data, matrix.count);
    assign(w, &s->values);
    begin_matrix(w, s->block);
    assign(w, &s->matrix);
    rb_close_function(w, text, head);
}

static void emit_parts(RbWriter *w, const RbSteps *steps, const RbCodeParts *parts, int number,
                       const char *name) {
    for (int k = 0; k < parts->count; k++) {
        const RbCodePart *part = &parts->data[k];
        const RbStep *first = steps->data + part->first;
        const char *head =
            rb_arena_printf(w->scratch, "static int system_%d_%s_%d%s", number, name, k, arguments);
        if (part->run)
            rb_emit_loop(w, part->run, first, NULL, head);
        else
            rb_emit_steps(w, first, part->count, NULL, head);
    }
}

static void call_parts(RbWriter *w, const RbCodeParts *parts, int number, const char *name) {
    for (int k = 0; k < parts->count; k++)
        rb_text_printf(w->out, "    system_%d_%s_%d(f, y, r, a);\n", number, name, k);
}

void rb_emit_system(RbWriter *w, int number, const RbSystemRuns *runs) {
    const RbCodeSystem *s = &w->l->systems.data[number];
    const char *head = rb_arena_printf(w->scratch, "static void system_%d%s", number, arguments);
    if (runs->values.count + runs->matrix.count == 0) {
        emit_whole(w, s, head);
        return;
    }
    RbCodeParts values = rb_parts(&s->values, &runs->values, w->scratch),
            matrix = rb_parts(&s->matrix, &runs->matrix, w->scratch);
    emit_parts(w, &s->values, &values, number, "values");
    emit_parts(w, &s->matrix, &matrix, number, "matrix");
    RbText *text = rb_begin_function(w);
    call_parts(w, &values, number, "values");
    begin_matrix(w, s->block);
    call_parts(w, &matrix, number, "matrix");
    rb_close_function(w, text, head);
}

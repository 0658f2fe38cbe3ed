// SPDX-License-Identifier: MIT
#include "code/writer.h"

// The function that was written to w->out, with what it uses declared before it.
void rb_close_function(RbWriter *w, RbText *text, const char *head) {
    RbText *body = w->out;
    rb_text_add(text, head);
    rb_text_add(text, " {\n   ");
    if (w->used & RB_USES_TIME) rb_text_add(text, " double t = f->t;");
    for (int a = 0; a < RB_AREA_COUNT; a++) {
        if (w->used & 1U << a)
            rb_text_printf(text, w->run ? " ONLY(%s)" : " USE(%s)", rb_area_name((RbArea)a));
    }
    if (w->l->dae->any_whole) rb_text_add(text, " double *v = f->v; const int *n = f->n;");
    rb_text_add(text, "\n");
    rb_text_add_bytes(text, body->data, (size_t)body->count);
    rb_text_add(text, "}\n\n");
    body->count = 0;
    w->out = text;
}

// Text of a function goes to a place of its own until it is known what it uses.
RbText *rb_begin_function(RbWriter *w) {
    RbText *text = w->out;
    rb_open_scope(w);
    w->body.count = 0;
    rb_text_add(&w->body, "");
    w->out = &w->body;
    return text;
}

void rb_emit_assignment(RbWriter *w, RbCodePlace place, const RbExpr *value) {
    if (place.array > 0) {
        rb_emit_array(w, place, value);
        return;
    }
    rb_prepare(w, value);
    rb_text_add(w->out, "    ");
    rb_write_place(w, place);
    rb_text_add(w->out, " = ");
    rb_write(w, value);
    rb_text_add(w->out, ";\n");
}

void rb_count_steps(RbWriter *w, const RbStep *steps, int count, const RbExpr *const *more,
                    int more_count) {
    RB_ARRAY(const RbExpr *) roots = {0};
    for (int i = 0; i < count; i++) {
        if (steps[i].value) rb_array_push(&roots, w->scratch, steps[i].value);
    }
    for (int i = 0; i < more_count; i++) rb_array_push(&roots, w->scratch, more[i]);
    rb_count_uses(w, roots.data, roots.count);
}

// In place where it is used once, a local variable where it is used more often. Answers whether
// nothing is to be written now.
bool rb_keep_local(RbWriter *w, const RbStep *s, int readers) {
    if (s->system >= 0 || s->place.area != RB_AREA_W || s->place.array > 0 ||
        (readers & RB_READ_BY_OTHERS))
        return false;
    const RbExpr *variable = rb_flat_ref(w->l->dae->model, w->variables[s->place.index]);
    rb_know(w, variable);
    if (readers == 0 && w->uses[variable->id] <= 1) {
        w->inlined[s->place.index] = s->value;
        return true;
    }
    rb_prepare(w, s->value);
    rb_text_printf(w->out, "    double v%d = ", s->place.index);
    rb_write(w, s->value);
    rb_text_add(w->out, ";\n");
    w->local[s->place.index] = RB_LOCAL_PLAIN;
    return true;
}

void rb_forget_locals(RbWriter *w, const RbStep *steps, int count) {
    for (int i = 0; i < count; i++) {
        if (steps[i].system >= 0 || steps[i].place.area != RB_AREA_W || steps[i].place.array > 0)
            continue;
        w->inlined[steps[i].place.index] = NULL;
        w->local[steps[i].place.index] = RB_LOCAL_NONE;
    }
}

void rb_emit_steps(RbWriter *w, const RbStep *steps, int count, const unsigned char *readers,
                   const char *head) {
    RbText *text = rb_begin_function(w);
    rb_count_steps(w, steps, count, NULL, 0);
    for (int i = 0; i < count; i++) {
        if (steps[i].system >= 0) {
            rb_text_printf(w->out, "    if (f->solve(f, %d, system_%d)) return %d;\n",
                           steps[i].system, steps[i].system, steps[i].system + 1);
        } else if (!readers || !rb_keep_local(w, &steps[i], readers[i])) {
            rb_emit_assignment(w, steps[i].place, steps[i].value);
        }
    }
    rb_forget_locals(w, steps, count);
    rb_text_add(w->out, "    return 0;\n");
    rb_close_function(w, text, head);
}

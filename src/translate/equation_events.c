// SPDX-License-Identifier: MIT
#include "translate/equation_events.h"

#include <string.h>

#include "expr/print.h"

static const char *place(RbPos at, RbArena *arena) {
    if (!at.file) return "";
    const char *slash = strrchr(at.file, '/');
    return rb_arena_printf(arena, " (%s:%d)", slash ? slash + 1 : at.file, at.line);
}

// floor(u) is watched by two relations with a variable of our own, k: u < k and u >= k + 1. Answers
// that variable, or -1 for other relations.
static int step_variable(const RbSortedDae *d, const RbRelation *r) {
    const RbExpr *k = r->right;
    for (int i = 0; k->op != RB_OP_VAR && i < k->arg_count; i++)
        if (k->args[i]->op == RB_OP_VAR) k = k->args[i];
    bool ours = k->op == RB_OP_VAR && strncmp(d->model->vars.data[k->index].name, "$step", 5) == 0;
    return ours ? k->index : -1;
}

static void print_step(const RbSortedDae *d, int var, RbText *out) {
    for (int i = 0; i < d->eqs.count; i++) {
        if (d->eqs.data[i].assigns != var) continue;
        rb_expr_print(d->eqs.data[i].right, d->model, NULL, out);
        return;
    }
}

// As the user has written it.
static const char *words_of(const RbSortedDae *d, const RbRelation *r, RbArena *arena) {
    static const char *const operators[] = {"<", "<=", ">", ">="}; // ORDER RB_OP_LT ...
    RbText out = rb_text(arena);
    int step = step_variable(d, r);
    if (step >= 0) {
        print_step(d, step, &out);
    } else {
        rb_expr_print(r->left, d->model, NULL, &out);
        rb_text_printf(&out, " %s ", operators[r->op - RB_OP_LT]);
        rb_expr_print(r->right, d->model, NULL, &out);
    }
    return out.data;
}

const char *rb_indicator_name(const RbSortedDae *d, int i, RbArena *arena) {
    if (i >= d->relations.count) return rb_arena_printf(arena, "branch %d", i + 1);
    const RbRelation *r = &d->relations.data[i];
    return rb_arena_printf(arena, "%s%s", words_of(d, r, arena), place(r->at, arena));
}

RbEquationEvents rb_equation_events(const RbProgram *program, RbArena *arena) {
    const RbSortedDae *d = program->dae;
    if (!rb_log_on(program->options.log, RB_LOG_EVENTS)) return (RbEquationEvents){0};
    int count = d->relations.count;
    RbEquationEvents e = {.count = count,
                          .slot = rb_new_array(arena, int, count + 1),
                          .words = rb_new_array(arena, const char *, count + 1),
                          .held = rb_new_array(arena, double, count + 1),
                          .samples = rb_new_array(arena, long, program->sample_count + 1)};
    for (int i = 0; i < count; i++) {
        const RbRelation *r = &d->relations.data[i];
        int step = step_variable(d, r);
        bool second = step >= 0 && (r->op == RB_OP_GT || r->op == RB_OP_GE);
        e.slot[i] = second ? -1 : d->vars.data[step >= 0 ? step : r->var].slot;
        e.words[i] = words_of(d, r, arena);
    }
    return e;
}

void rb_equation_events_before(RbEquationEvents *e, const RbProgramInstance *in) {
    for (int i = 0; i < e->count; i++)
        if (e->slot[i] >= 0) e->held[i] = in->frame.d[e->slot[i]];
    for (int k = 0; e->samples && k < in->program->sample_count; k++)
        e->samples[k] = in->sample_number[k];
}

static const char *value_words(const RbSortedDae *d, const RbRelation *r, double value,
                               RbArena *arena) {
    if (step_variable(d, r) >= 0) return rb_arena_printf(arena, "%.10g", value);
    return value != 0 ? "true" : "false";
}

void rb_equation_events_after(const RbEquationEvents *e, const RbProgramInstance *in,
                              const RbEvent *event) {
    const RbSortedDae *d = in->program->dae;
    RbArena scratch = *in->call_arena;
    if (!e->samples) return;
    for (int k = 0; k < in->program->sample_count; k++) {
        if (in->sample_number[k] == e->samples[k]) continue;
        double over = in->sample_resolution[k];
        rb_event_log(event, "sample(%.10g, %.10g) is due%s",
                     in->sample_start[k] + in->sample_first[k] / over,
                     in->sample_interval[k] / over, place(d->samples.data[k].at, &scratch));
    }
    for (int i = 0; i < e->count; i++) {
        const RbRelation *r = &d->relations.data[i];
        if (e->slot[i] < 0 || in->frame.d[e->slot[i]] == e->held[i]) continue;
        rb_event_log(event, "%s becomes %s%s", e->words[i],
                     value_words(d, r, in->frame.d[e->slot[i]], &scratch), place(r->at, &scratch));
    }
    for (int i = 0; i < in->program->state_count && in->any_reinit; i++) {
        const RbAction *a = in->reinits[i];
        if (a)
            rb_event_log(event, "reinit sets '%s' to %.10g%s", d->model->vars.data[a->state].name,
                         in->frame.x[i], place(a->at, &scratch));
    }
}

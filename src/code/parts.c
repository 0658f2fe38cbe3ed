// SPDX-License-Identifier: MIT
#include "code/parts.h"

enum { STEPS_PER_PART = 100 };

static void add_steps(RbCodeParts *parts, int first, int end, RbArena *arena) {
    for (; first < end; first += STEPS_PER_PART) {
        int count = end - first < STEPS_PER_PART ? end - first : STEPS_PER_PART;
        rb_array_push(parts, arena, (RbCodePart){first, count, NULL});
    }
}

RbCodeParts rb_parts(const RbSteps *steps, const RbRuns *runs, RbArena *arena) {
    RbCodeParts parts = {0};
    int at = 0;
    for (int i = 0; i < runs->count; i++) {
        const RbRolledRun *run = &runs->data[i];
        add_steps(&parts, at, run->first, arena);
        rb_array_push(&parts, arena, (RbCodePart){run->first, run->period * run->count, run});
        at = run->first + run->period * run->count;
    }
    add_steps(&parts, at, steps->count, arena);
    return parts;
}

// --- readers -------------------------------------------------------------------------------------

typedef struct Readers {
    const RbLowered *l;
    const RbCodeParts *parts;
    RbArena *scratch;
    unsigned char *seen; // by step
    int *part_of;        // by step
    int *step_of;        // by place in w: the step that computes it, plus one
} Readers;

static RbCodePlace algebraic_place(const RbLowered *l, const RbExpr *n) {
    const RbDaeVar *var = n->op == RB_OP_VAR ? &l->dae->vars.data[n->index] : NULL;
    bool algebraic = var && var->kind == RB_DAE_ALGEBRAIC && !var->whole;
    return algebraic ? rb_place(l, n->index) : (RbCodePlace){.area = RB_AREA_NONE};
}

static bool is_algebraic_step(const RbStep *s) {
    return s->system < 0 && s->place.area == RB_AREA_W && s->place.array == 0;
}

// A value that is computed in `part`, or elsewhere (-1), reads what other parts have computed.
static void read_value(Readers *r, const RbExpr *value, int part) {
    RbArena scratch = *r->scratch;
    RbExprOrder order = rb_expr_order(r->l->dae->exprs, &value, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        RbCodePlace place = algebraic_place(r->l, order.nodes[i]);
        int step = place.area >= 0 ? r->step_of[place.index] - 1 : -1;
        if (step < 0 || r->part_of[step] == part) continue;
        const RbCodePart *from = &r->parts->data[r->part_of[step]];
        if (!from->run) {
            r->seen[step] |= RB_READ_BY_OTHERS;
            continue;
        }
        int cell = (step - from->first) / from->run->period,
            own = from->first + (step - from->first) % from->run->period;
        r->seen[own] |= cell == from->run->count - 1 ? RB_READ_LAST : RB_READ_BY_OTHERS;
    }
}

static void range(const RbRolledRun *run, RbCodePlace place, int *low, int *high) {
    int length = rb_run_stride(run, place) * (run->count - 1);
    *low = place.index + (length < 0 ? length : 0);
    *high = place.index + (length > 0 ? length : 0);
}

// What step `reader` of a cell reads at one place is to step `writer`, which writes another.
static int reader_of(const RbRolledRun *run, RbCodePlace read, int reader, RbCodePlace written,
                     int writer) {
    int age, low, high, written_low, written_high;
    range(run, read, &low, &high);
    range(run, written, &written_low, &written_high);
    if (high < written_low || written_high < low) return 0;
    if (!rb_run_age(run, read, written, &age))
        return rb_run_stride(run, read) == rb_run_stride(run, written) ? 0 : RB_READ_BY_OTHERS;
    if (age == 0 && reader > writer) return 0;
    return age == 1 ? RB_READ_BY_NEXT : RB_READ_BY_OTHERS;
}

static void read_in_loop(Readers *r, const RbRolledRun *run, const RbSteps *steps) {
    for (int i = 0; i < run->period; i++) {
        RbArena scratch = *r->scratch;
        const RbExpr *value = steps->data[run->first + i].value;
        RbExprOrder order = rb_expr_order(r->l->dae->exprs, &value, 1, &scratch);
        for (int k = 0; k < order.count; k++) {
            RbCodePlace place = algebraic_place(r->l, order.nodes[k]);
            if (place.area < 0) continue;
            for (int j = 0; j < run->period; j++) {
                const RbStep *s = &steps->data[run->first + j];
                if (!is_algebraic_step(s)) continue;
                r->seen[run->first + j] |= (unsigned char)reader_of(run, place, i, s->place, j);
            }
        }
    }
}

static void read_system(Readers *r, const RbCodeSystem *s) {
    int n = s->block->size;
    for (int i = 0; i < s->inner.count; i++) read_value(r, s->inner.data[i].value, -1);
    for (int i = 0; i < n; i++) read_value(r, s->block->residuals[i], -1);
    for (int i = 0; i < s->block->matrix_count; i++) read_value(r, s->block->matrix[i].value, -1);
}

static void read_all(Readers *r) {
    const RbSteps *steps = &r->l->sections[RB_SECTION_DERIVATIVES],
                  *indicators = &r->l->sections[RB_SECTION_INDICATORS];
    for (int i = 0; i < steps->count; i++) {
        if (steps->data[i].value) read_value(r, steps->data[i].value, r->part_of[i]);
    }
    for (int i = 0; i < r->parts->count; i++) {
        if (r->parts->data[i].run) read_in_loop(r, r->parts->data[i].run, steps);
    }
    for (int i = 0; i < indicators->count; i++) read_value(r, indicators->data[i].value, -1);
    for (int k = 0; k < r->l->systems.count; k++) read_system(r, &r->l->systems.data[k]);
    const RbFlatModel *model = r->l->dae->model;
    for (int i = 0; i < model->functions.count; i++) { // called for what it does, not for its token
        const RbFunction *f = model->functions.data[i];
        if (f->kind == RB_FUNCTION_COMPONENT)
            read_value(r, rb_flat_ref(r->l->dae->model, f->component.token), -1);
    }
}

unsigned char *rb_part_readers(const RbLowered *l, const RbCodeParts *parts, RbArena *arena,
                               RbArena scratch) {
    const RbSteps *steps = &l->sections[RB_SECTION_DERIVATIVES];
    Readers r = {.l = l, .parts = parts, .scratch = &scratch};
    r.seen = rb_new_array(arena, unsigned char, steps->count + 1);
    r.part_of = rb_new_array(&scratch, int, steps->count + 1);
    r.step_of = rb_new_array(&scratch, int, l->w_count + 1);
    for (int p = 0; p < parts->count; p++) {
        for (int i = 0; i < parts->data[p].count; i++) r.part_of[parts->data[p].first + i] = p;
    }
    for (int i = 0; i < steps->count; i++) {
        if (is_algebraic_step(&steps->data[i])) r.step_of[steps->data[i].place.index] = i + 1;
    }
    read_all(&r);
    return r.seen;
}

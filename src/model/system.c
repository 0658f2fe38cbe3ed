// SPDX-License-Identifier: MIT
#include "model/system.h"

#include <string.h>

#include "model/evaluator.h"

// -------------------------------------------------------------------------------------------------
// building

static RbOldValues old_values_of(const RbSystem *old, const RbValues *values, int i) {
    const RbSystemPart *p = &old->parts[i];
    return (RbOldValues){.x = values->x + p->x,
                         .q = values->q + p->q,
                         .discrete = values->d + p->d,
                         .x_count = p->segment->states.count,
                         .q_count = p->segment->quadratures.count,
                         .discrete_count = p->segment->discretes.count};
}

// The part's vectors follow those of the parts before it.
static void place_part(RbSystem *s, RbSystemPart *p) {
    const RbSegment *segment = p->segment;
    p->x = s->x_count;
    p->q = s->q_count;
    p->z = s->z_count;
    p->d = s->d_count;
    p->result = s->result_count;
    p->group = s->group_count;
    p->workspace = s->workspace_size;
    s->x_count += segment->states.count;
    s->q_count += segment->quadratures.count;
    s->z_count += segment->indicators.count;
    s->d_count += segment->discretes.count;
    s->result_count += segment->results.count;
    s->group_count += segment->group_count;
    size_t align = alignof(max_align_t);
    s->workspace_size += (segment->workspace + align - 1) / align * align;
    for (int i = 0; i < p->instance->declared.functions.count; i++) {
        const RbFunctionSpec *f = &p->instance->declared.functions.data[i];
        int wanted = f->input_count + f->output_count;
        if (wanted > s->buffer_count) s->buffer_count = wanted;
    }
}

static void collect_scales(RbSystem *s, RbArena *arena) {
    s->nominal = rb_new_array(arena, double, s->x_count);
    s->absolute = rb_new_array(arena, bool, s->x_count);
    s->range = rb_new_array(arena, double, s->x_count);
    s->implicit = rb_new_array(arena, bool, s->x_count);
    s->direction = rb_new_array(arena, int, s->z_count);
    s->q_loose = rb_new_array(arena, bool, s->q_count);
    for (int i = 0; i < s->part_count; i++) {
        const RbSystemPart *p = &s->parts[i];
        for (int k = 0; k < p->segment->states.count; k++) {
            s->nominal[p->x + k] = p->segment->states.data[k].nominal;
            s->absolute[p->x + k] = p->segment->states.data[k].absolute;
            s->range[p->x + k] = p->segment->states.data[k].jacobian_range;
            s->implicit[p->x + k] = p->segment->states.data[k].implicit;
            s->implicit_count += p->segment->states.data[k].implicit;
        }
        for (int k = 0; k < p->segment->indicators.count; k++) {
            s->direction[p->z + k] = p->segment->indicators.data[k].direction;
        }
        for (int k = 0; k < p->segment->quadratures.count; k++)
            s->q_loose[p->q + k] = p->segment->quadratures.data[k].loose;
    }
}

// The equation half computes consistent start values when its segment begins, and calls the
// components for that. So it comes after them, and finds them at their own start values: an
// evaluator of the parts before it.
static RbEval *eval_of_driver(const RbSystem *s, int driver, double time, RbArena *arena) {
    RbSystem *before = rb_new(arena, RbSystem);
    *before = *s;
    before->part_count = driver;
    RbValues *values = rb_new(arena, RbValues);
    *values = rb_system_values(before, arena);
    rb_system_start_values(before, values);
    RbEvaluator *e = rb_evaluator_new(before, values->d, NULL, arena);
    rb_evaluator_at(e, time, values->x);
    RbHost *host = rb_new(arena, RbHost);
    *host = (RbHost){e, driver};
    RbEval *eval = rb_new(arena, RbEval);
    *eval = (RbEval){.time = time, .host = host};
    return eval;
}

static RbStatus start_part(RbSystem *s, int i, double time, const RbOldValues *before,
                           RbArena *arena, RbArena scratch, RbDiag *diag) {
    RbSystemPart *p = &s->parts[i];
    p->instance = &s->model->instances.data[i];
    bool driver = i == s->model->driver && i > 0;
    RbEval *eval = driver ? eval_of_driver(s, i, time, arena) : NULL;
    RbStatus status =
        rb_segment_start(p->instance, time, before, eval, arena, scratch, diag, &p->segment);
    if (status != RB_OK && driver) rb_evaluator_explain(eval->host->evaluator, time, status, diag);
    return status;
}

// Which states are places; and whether all components that have states say so.
static void collect_rates(RbSystem *s, RbArena *arena) {
    bool all = s->x_count > 0;
    double step = INFINITY;
    s->rate = rb_new_array(arena, int, s->x_count);
    for (int i = 0; i < s->x_count; i++) s->rate[i] = -1;
    for (int i = 0; i < s->part_count; i++) {
        const RbSystemPart *p = &s->parts[i];
        for (int k = 0; k < p->segment->mechanical.count; k++) {
            const RbMechanical *m = &p->segment->mechanical.data[k];
            for (int j = 0; j < m->count; j++)
                s->rate[p->x + m->position + j] = p->x + m->velocity + j;
            step = fmin(step, m->step);
        }
        if (p->segment->states.count > 0 && p->segment->mechanical.count == 0) all = false;
    }
    s->explicit_step = all ? step : 0;
}

RbStatus rb_system_build(RbModel *model, double time, const RbSystem *old,
                         const RbValues *old_values, RbArena *arena, RbArena scratch, RbDiag *diag,
                         RbSystem **out) {
    RbSystem *s = rb_new(arena, RbSystem);
    *s = (RbSystem){.model = model, .part_count = model->instances.count};
    s->parts = rb_new_array(arena, RbSystemPart, s->part_count);
    for (int i = 0; i < s->part_count; i++) {
        RbOldValues before;
        if (old) before = old_values_of(old, old_values, i);
        RB_TRY(start_part(s, i, time, old ? &before : NULL, arena, scratch, diag));
        place_part(s, &s->parts[i]);
    }
    collect_scales(s, arena);
    for (int i = 0; i < s->part_count; i++) {
        double step = s->parts[i].segment->max_step;
        if (step > 0 && (s->max_step == 0 || step < s->max_step)) s->max_step = step;
    }
    collect_rates(s, arena);
    *out = s;
    return RB_OK;
}

RbValues rb_system_values(const RbSystem *s, RbArena *arena) {
    return (RbValues){.x = rb_new_array(arena, double, s->x_count),
                      .q = rb_new_array(arena, double, s->q_count),
                      .d = rb_new_array(arena, double, s->d_count),
                      .next_time = rb_new_array(arena, double, s->part_count)};
}

void rb_system_start_values(const RbSystem *s, RbValues *values) {
    for (int i = 0; i < s->part_count; i++) {
        const RbSystemPart *p = &s->parts[i];
        const RbSegment *g = p->segment;
        for (int k = 0; k < g->states.count; k++) values->x[p->x + k] = g->states.data[k].start;
        for (int k = 0; k < g->quadratures.count; k++)
            values->q[p->q + k] = g->quadratures.data[k].start;
        for (int k = 0; k < g->discretes.count; k++)
            values->d[p->d + k] = g->discretes.data[k].start;
        values->next_time[i] = g->next_time;
    }
}

// ----------------------------------------------------------------------------------------------------
// names

const RbSystemPart *rb_system_part_of_state(const RbSystem *s, int i) {
    const RbSystemPart *p = s->parts;
    while (i >= p->x + p->segment->states.count) p++;
    return p;
}

const char *rb_system_own_state_name(const RbSystem *s, int i) {
    const RbSystemPart *p = rb_system_part_of_state(s, i);
    return p->segment->states.data[i - p->x].name;
}

const RbSystemPart *rb_system_part_of_discrete(const RbSystem *s, int i) {
    const RbSystemPart *p = s->parts;
    while (i >= p->d + p->segment->discretes.count) p++;
    return p;
}

const RbSystemPart *rb_system_part_of_indicator(const RbSystem *s, int i) {
    const RbSystemPart *p = s->parts;
    while (i >= p->z + p->segment->indicators.count) p++;
    return p;
}

const char *rb_system_state_name(const RbSystem *s, int state, RbArena *arena) {
    const RbSystemPart *p = rb_system_part_of_state(s, state);
    return rb_instance_join(p->instance, p->segment->states.data[state - p->x].name, arena);
}

const char *rb_system_discrete_name(const RbSystem *s, int index, RbArena *arena) {
    const RbSystemPart *p = rb_system_part_of_discrete(s, index);
    return rb_instance_join(p->instance, p->segment->discretes.data[index - p->d].name, arena);
}

const char *rb_system_indicator_name(const RbSystem *s, int index, RbArena *arena) {
    const RbSystemPart *p = rb_system_part_of_indicator(s, index);
    return rb_instance_join(p->instance, p->segment->indicators.data[index - p->z].name, arena);
}

// ------------------------------------------------------------------------------------------------
// couplings

static void add_full_block(RbCouplings *c, const RbSystemPart *p) {
    int n = p->segment->states.count;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) rb_couplings_derivative_state(c, i, j);
    }
}

// What the equation half tells are its own derivatives and states, with the functions of the others between them. What it does
// between outputs and inputs of the others is not known here, so it is taken to couple everything it can reach: derivatives that
// depend on an input, or that are its own, with its own states and with all states that influence an output. A component that does
// not tell its couplings is open in both directions; one that puts states on constraints couples all of them.
static void add_driver_couplings(const RbSystem *s, const RbCouplings *all, RbEntries *entries,
                                 RbArena *arena) {
    bool *reads = rb_new_array(arena, bool, s->x_count),
         *writes = rb_new_array(arena, bool, s->x_count);
    for (int i = 0; i < s->part_count; i++) {
        const RbSystemPart *p = &s->parts[i];
        bool open = i == s->model->driver || !p->instance->type->couplings;
        for (int k = 0; open && k < p->segment->states.count; k++)
            reads[p->x + k] = writes[p->x + k] = true;
        for (int k = 0; k < all[i].derivative_input.count; k++) {
            reads[p->x + all[i].derivative_input.data[k].row] = true;
        }
        for (int k = 0; k < all[i].output_state.count; k++) {
            writes[p->x + all[i].output_state.data[k].col] = true;
        }
    }
    const RbSystemPart *driver = &s->parts[s->model->driver];
    int first = driver->x, end = first + driver->segment->states.count;
    bool projects = false;
    for (int i = 0; i < s->part_count; i++) projects |= s->parts[i].segment->projects;
    for (int j = 0; j < s->x_count; j++) {
        bool own = j >= first && j < end && driver->instance->type->couplings && !projects;
        for (int i = 0; writes[j] && i < s->x_count; i++) {
            if (own && i >= first && i < end) continue;
            if (reads[i]) rb_array_push(entries, arena, (RbEntry){i, j});
        }
    }
}

// Where values for given derivatives belong.
static void place_slopes(const RbSystem *s, const RbCouplings *all, RbComposed *c, RbArena *keep) {
    int count = 0;
    for (int i = 0; i < s->part_count; i++) count += all[i].given.count;
    c->slope_place = rb_new_array(keep, int, count + 1);
    c->slope_start = rb_new_array(keep, int, s->part_count + 1);
    c->slopes = rb_new_array(keep, double, count + 1);
    c->has_slopes = true;
    for (int i = 0, n = 0; i < s->part_count; i++) {
        const RbSystemPart *p = &s->parts[i];
        if (all[i].given.count > 0 && !p->instance->type->slopes) c->has_slopes = false;
        if (all[i].unknown_slopes) c->has_slopes = false;
        for (int k = 0; k < all[i].given.count; k++) {
            RbEntry e = all[i].given.data[k];
            c->slope_place[n++] = rb_pattern_find(&c->pattern, p->x + e.row, p->x + e.col);
        }
        c->slope_start[i + 1] = n;
    }
}

// The couplings that a component has, at the discrete values d.
static void ask_component(const RbSystem *s, int part, const double *d, bool residual,
                          RbCouplings *c, RbArena *arena) {
    const RbSystemPart *p = &s->parts[part];
    const RbComponentType *type = p->instance->type;
    *c = (RbCouplings){.arena = arena, .discrete = d + p->d, .residual = residual};
    if (type->couplings)
        type->couplings(p->instance->self, c);
    else
        add_full_block(c, p);
}

static void add_entries(const RbEntries *own, int offset, RbEntries *all, RbArena *arena) {
    for (int k = 0; k < own->count; k++) {
        RbEntry e = own->data[k];
        rb_array_push(all, arena, (RbEntry){offset + e.row, offset + e.col});
    }
}

RbComposed rb_system_couplings(const RbSystem *s, const double *d, bool residual, RbArena *keep,
                               RbArena scratch) {
    RbComposed composed = {.has_jacobian = !rb_model_is_driven(s->model) && !residual};
    RbCouplings *all = rb_new_array(&scratch, RbCouplings, s->part_count);
    RbEntries entries = {0};
    composed.part_start = rb_new_array(keep, int, s->part_count + 1);
    for (int i = 0; i < s->part_count; i++) {
        const RbSystemPart *p = &s->parts[i];
        ask_component(s, i, d, residual, &all[i], &scratch);
        if (p->segment->states.count > 0 && !p->instance->type->jacobian)
            composed.has_jacobian = false;
        add_entries(&all[i].derivative_state, p->x, &entries, &scratch);
        composed.part_start[i + 1] = entries.count;
    }
    composed.value_count = composed.value_capacity = entries.count;
    if (s->model->input_function) { // what it makes of the states may go anywhere
        composed.has_jacobian = false;
        for (int i = 0; i < s->x_count; i++) {
            for (int j = 0; j < s->x_count; j++)
                rb_array_push(&entries, &scratch, ((RbEntry){i, j}));
        }
    }
    if (rb_model_is_driven(s->model)) add_driver_couplings(s, all, &entries, &scratch);
    if (residual)
        composed.state_pattern = rb_pattern(s->x_count, entries.data, entries.count, keep, scratch);
    for (int i = 0; i < s->part_count; i++)
        add_entries(&all[i].given, s->parts[i].x, &entries, &scratch);
    composed.pattern = rb_pattern(s->x_count, entries.data, entries.count, keep, scratch);
    composed.place = rb_new_array(keep, int, composed.value_count);
    for (int k = 0; k < composed.value_count; k++) {
        composed.place[k] =
            rb_pattern_find(&composed.pattern, entries.data[k].row, entries.data[k].col);
    }
    if (residual) place_slopes(s, all, &composed, keep);
    return composed;
}

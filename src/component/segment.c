// SPDX-License-Identifier: MIT
#include "component/segment.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const char *keep(RbSegment *s, const char *text) {
    return text && text[0] ? rb_arena_text(s->arena, text) : "";
}

static int keep_group(RbSegment *s, int group) {
    if (group < 0) group = 0;
    if (group >= s->group_count) s->group_count = group + 1;
    return group;
}

int rb_segment_state(RbSegment *s, const RbStateSpec *spec) {
    RbStateSpec state = *spec;
    state.name = keep(s, spec->name);
    state.unit = keep(s, spec->unit);
    state.description = keep(s, spec->description);
    state.nominal = spec->nominal > 0 ? spec->nominal : 1.0;
    state.group = keep_group(s, spec->group);
    rb_array_push(&s->states, s->arena, state);
    return s->states.count - 1;
}

int rb_segment_quadrature(RbSegment *s, const RbQuadratureSpec *spec) {
    RbQuadratureSpec q = *spec;
    q.name = keep(s, spec->name);
    q.unit = keep(s, spec->unit);
    q.description = keep(s, spec->description);
    rb_array_push(&s->quadratures, s->arena, q);
    return s->quadratures.count - 1;
}

int rb_segment_indicator(RbSegment *s, const RbIndicatorSpec *spec) {
    RbIndicatorSpec z = *spec;
    z.name = keep(s, spec->name);
    z.group = keep_group(s, spec->group);
    rb_array_push(&s->indicators, s->arena, z);
    return s->indicators.count - 1;
}

int rb_segment_discrete(RbSegment *s, const RbDiscreteSpec *spec) {
    RbDiscreteSpec d = *spec;
    d.name = keep(s, spec->name);
    d.unit = keep(s, spec->unit);
    d.description = keep(s, spec->description);
    rb_array_push(&s->discretes, s->arena, d);
    return s->discretes.count - 1;
}

void rb_segment_whole(RbSegment *s, int first, int count, int stride, double most) {
    RbWholeNumbers w = {first, count, stride, most};
    rb_array_push(&s->whole, s->arena, w);
}

int rb_segment_find_broken(const RbSegment *s, const double *discrete) {
    for (int i = 0; i < s->whole.count; i++) {
        const RbWholeNumbers *w = &s->whole.data[i];
        for (int k = 0; k < w->count; k++) {
            double value = discrete[w->first + k * w->stride];
            if (!(value >= 0 && value <= w->most && value == floor(value)))
                return w->first + k * w->stride;
        }
    }
    return -1;
}

void rb_segment_discretes(RbSegment *s, const char *name, int count, int *first) {
    *first = s->discretes.count;
    RbDiscreteSpec d = {.name = keep(s, name), .unit = "", .description = "", .hidden = true};
    rb_array_reserve(&s->discretes, s->arena, *first + count);
    for (int i = 0; i < count; i++) rb_array_push(&s->discretes, s->arena, d);
}

int rb_segment_result(RbSegment *s, const RbResultSpec *spec) {
    RbResultSpec r = *spec;
    r.name = keep(s, spec->name);
    r.unit = keep(s, spec->unit);
    r.description = keep(s, spec->description);
    rb_array_push(&s->results, s->arena, r);
    return s->results.count - 1;
}

void rb_segment_constant(RbSegment *s, const RbResultSpec *spec, double value) {
    RbResultSpec c = *spec;
    c.name = keep(s, spec->name);
    c.unit = keep(s, spec->unit);
    c.description = keep(s, spec->description);
    rb_array_push(&s->constants, s->arena, c);
    rb_array_push(&s->constant_values, s->arena, value);
}

double rb_segment_parameter(const RbSegment *s, int parameter) {
    return s->instance->declared.parameters.data[parameter].value;
}

double rb_segment_time(const RbSegment *s) {
    return s->time;
}
bool rb_segment_is_first(const RbSegment *s) {
    return s->first;
}

const double *rb_segment_old_states(const RbSegment *s, int *count) {
    *count = s->old.x_count;
    return s->old.x;
}

const double *rb_segment_old_quadratures(const RbSegment *s, int *count) {
    *count = s->old.q_count;
    return s->old.q;
}

const double *rb_segment_old_discrete(const RbSegment *s, int *count) {
    *count = s->old.discrete_count;
    return s->old.discrete;
}

void rb_segment_time_event(RbSegment *s, double time) {
    s->next_time = time;
}
void rb_segment_quiet(RbSegment *s, int discrete) {
    s->quiet = discrete + 1;
}
void rb_segment_max_step(RbSegment *s, double step) {
    s->max_step = step;
}
void rb_segment_mechanical(RbSegment *s, int position, int velocity, int count, double step) {
    rb_array_push(&s->mechanical, s->arena, ((RbMechanical){position, velocity, count, step}));
}
void rb_segment_nonstiff(RbSegment *s) {
    s->nonstiff = true;
}
void rb_segment_vibrates(RbSegment *s) {
    s->vibrates = true;
}
void rb_segment_start_of(RbSegment *s, int variable, double value) {
    rb_array_push(&s->starts, s->arena, ((RbVariableStart){variable, value}));
}
void rb_segment_projects(RbSegment *s) {
    s->projects = true;
}
void rb_segment_rests(RbSegment *s) {
    s->rests = true;
}
void rb_segment_needs_solver(RbSegment *s, const char *reason) {
    if (!s->needs_solver) s->needs_solver = keep(s, reason);
}
void rb_segment_autonomous(RbSegment *s) {
    s->autonomous = true;
}
void rb_segment_workspace(RbSegment *s, size_t bytes) {
    s->workspace = bytes;
}

void *rb_segment_memory(RbSegment *s, size_t bytes) {
    return rb_arena_push(s->arena, bytes, alignof(max_align_t));
}

RbStatus rb_segment_fail(RbSegment *s, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return rb_fail(s->diag, RB_ERROR_INIT, RB_NOWHERE,
                   "component '%s' cannot start at t = %g s: %s", rb_instance_title(s->instance),
                   s->time, text);
}

static RbStatus check_declared(const RbSegment *s, RbDiag *diag) {
    const RbComponentType *type = s->instance->type;
    if ((s->indicators.count > 0 && !type->indicators) || (s->results.count > 0 && !type->record)) {
        return rb_fail(
            diag, RB_ERROR_MODEL, RB_NOWHERE,
            "component '%s' of type '%s' declares event indicators or results but has no function "
            "that computes them",
            rb_instance_title(s->instance), type->name);
    }
    for (int i = 0; i < s->states.count; i++) {
        if (isfinite(s->states.data[i].start)) continue;
        return rb_fail(diag, RB_ERROR_INIT, RB_NOWHERE, "start value of '%s' is %g at t = %g s",
                       rb_instance_join(s->instance, s->states.data[i].name, diag->arena),
                       s->states.data[i].start, s->time);
    }
    return RB_OK;
}

RbStatus rb_segment_start(RbInstance *instance, double time, const RbOldValues *old,
                          const RbEval *eval, RbArena *arena, RbArena scratch, RbDiag *diag,
                          RbSegment **out) {
    RbSegment *s = rb_new(arena, RbSegment);
    *s = (RbSegment){.arena = arena,
                     .scratch = scratch,
                     .diag = diag,
                     .instance = instance,
                     .time = time,
                     .first = !old,
                     .next_time = INFINITY,
                     .group_count = 1,
                     .eval = eval};
    if (old) s->old = *old;
    *out = s;
    int errors = diag->error_count;
    RbStatus status = instance->type->start_segment(instance->self, s);
    if (status == RB_OK) return check_declared(s, diag);
    if (diag->error_count == errors)
        rb_fail(diag, status, RB_NOWHERE, "component '%s' of type '%s' cannot start at t = %g s",
                rb_instance_title(instance), instance->type->name, time);
    if (status == RB_ERROR_MEMORY) rb_heap_fail(arena->heap); // as where our own runs out
    return status;
}

RbStatus rb_segment_renew(RbInstance *instance, double time, RbArena *arena, RbArena scratch,
                          RbDiag *diag) {
    RbSegment s = {
        .arena = arena, .scratch = scratch, .diag = diag, .instance = instance, .time = time};
    return instance->type->renew ? instance->type->renew(instance->self, &s) : RB_OK;
}

const double *rb_segment_values(const RbSegment *segment, int member, int value) {
    return segment->instance->members[member].numbers[value];
}

const char *rb_segment_text(const RbSegment *segment, int member, int value) {
    return segment->instance->members[member].texts[value];
}

const RbFunctionValue *rb_segment_function(const RbSegment *segment, int member, int value) {
    return segment->instance->members[member].functions[value];
}

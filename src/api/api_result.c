// SPDX-License-Identifier: MIT
// Results that are read (include/rattleback/result.h).
#include "api/api_result.h"

#include <math.h>
#include <string.h>

#include "io/result_file.h"

RbStatus rb_results_open(RbContext *c, const char *file, RbResults **results) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, results);
    *results = NULL;
    RB_NEED(c, file);
    RB_CALL(c);
    RbResults *r = rb_new(&c->arena, RbResults);
    r->context = c;
    RB_TRY(rb_result_read(file, RB_JOURNAL_LOAD, &c->arena, c->scratch, &c->diag, &r->result));
    *results = r;
    return RB_OK;
}

RbResultsInfo rb_results_info(const RbResults *r) {
    if (!r) return (RbResultsInfo){0};
    const RbResult *result = r->result;
    return (RbResultsInfo){.model = result->experiment.model,
                           .rows = result->row_count,
                           .variables = result->variables.count,
                           .segments = result->segments.count,
                           .ending = result->ending_unknown ? RB_ENDING_UNKNOWN
                                     : result->complete     ? RB_ENDING_COMPLETE
                                                            : RB_ENDING_INCOMPLETE,
                           .reason = result->reason};
}

bool rb_results_figure(const RbResults *r, int index, const char **name, double *value) {
    if (!r || index < 0 || index >= r->result->figures.count) return false;
    if (name) *name = r->result->figures.data[index].name;
    if (value) *value = r->result->figures.data[index].value;
    return true;
}

static double figure(const RbResult *r, const char *name) {
    for (int i = 0; i < r->figures.count; i++) {
        if (strcmp(r->figures.data[i].name, name) == 0) return r->figures.data[i].value;
    }
    return NAN;
}

bool rb_results_segment(const RbResults *r, int index, RbSegmentInfo *segment) {
    if (!r || !segment || index < 0 || index >= r->result->segments.count) return false;
    const RbResultNote *note = &r->result->segments.data[index].note;
    RbResultNote end = {.steps = figure(r->result, "steps"),
                        .events =
                            figure(r->result, "state_events") + figure(r->result, "time_events")};
    if (!note->cause) return false;
    if (index + 1 < r->result->segments.count) end = r->result->segments.data[index + 1].note;
    *segment = (RbSegmentInfo){note->time, note->cause, note->states, end.steps - note->steps,
                               end.events - note->events};
    return true;
}

RbStatus rb_results_variable(const RbResults *r, int variable, RbSeries *series) {
    if (!r) return RB_ERROR_USAGE;
    RB_NEED(r->context, series);
    if (variable < 0 || variable >= r->result->variables.count)
        return rb_bad_argument(r->context, __func__, "variable", "is no number of a variable");
    const RbResultVariable *v = &r->result->variables.data[variable];
    *series = (RbSeries){.name = v->name,
                         .unit = v->unit,
                         .description = v->description,
                         .kind = v->parameter  ? RB_SERIES_PARAMETER
                                 : v->discrete ? RB_SERIES_DISCRETE
                                               : RB_SERIES_CONTINUOUS};
    return RB_OK;
}

size_t rb_results_rows(const RbResults *r) {
    return r ? r->result->row_count : 0;
}
int rb_results_count(const RbResults *r) {
    return r ? r->result->variables.count : 0;
}
bool rb_results_complete(const RbResults *r) {
    return r && r->result->complete;
}
int rb_results_find(const RbResults *r, const char *name) {
    return r && name ? rb_result_find(r->result, name) : -1;
}

const char *rb_results_name(const RbResults *r, int variable) {
    bool there = r && variable >= 0 && variable < r->result->variables.count;
    return there ? r->result->variables.data[variable].name : NULL;
}

const char *rb_results_unit(const RbResults *r, int variable) {
    bool there = r && variable >= 0 && variable < r->result->variables.count;
    return there ? r->result->variables.data[variable].unit : NULL;
}

// Copy a column (the time: variable -1) segment by segment; nothing is allocated.
static void copy_column(const RbResult *result, int variable, double *out) {
    for (int k = 0; k < result->segments.count; k++) {
        const RbResultSegment *s = &result->segments.data[k];
        RbResultSlot slot = {.column = 0};
        if (variable >= 0) slot = rb_result_slot(result, k, variable);
        for (size_t i = 0; i < s->row_count; i++) {
            const double *row = s->rows + i * (size_t)s->width;
            *out++ = variable < 0 ? row[0] : rb_result_value(slot, row);
        }
    }
}

RbStatus rb_results_times(const RbResults *r, double *times) {
    if (!r) return RB_ERROR_USAGE;
    RB_NEED(r->context, times);
    copy_column(r->result, -1, times);
    return RB_OK;
}

RbStatus rb_results_values(const RbResults *r, int variable, double *values) {
    if (!r) return RB_ERROR_USAGE;
    RB_NEED(r->context, values);
    if (variable < 0 || variable >= r->result->variables.count)
        return rb_bad_argument(r->context, __func__, "variable", "is no number of a variable");
    copy_column(r->result, variable, values);
    return RB_OK;
}

RbStatus rb_results_write(const RbResults *r, const char *file) {
    if (!r) return RB_ERROR_USAGE;
    RB_NEED(r->context, file);
    RB_CALL(r->context);
    RbContext *c = r->context;
    return rb_result_write(file, r->result, &c->arena, c->scratch, &c->diag);
}

// SPDX-License-Identifier: MIT
#include "export/plot_compare.h"

#include <math.h>

// The value of a curve at a time: linear between rows; at a jump the side that is asked for.
static double value_at(const double *times, const double *values, size_t rows, double t,
                       bool right) {
    if (rows == 0 || !(t >= times[0]) || t > times[rows - 1]) return NAN;
    size_t low = 0, high = rows; // low: last row before t, or (right side) at t
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (times[middle] < t || (right && times[middle] <= t)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (times[low] == t || low + 1 == rows) return values[low];
    double f = (t - times[low]) / (times[low + 1] - times[low]);
    return values[low] + f * (values[low + 1] - values[low]);
}

RbResult *rb_plot_compare(const RbResult *a, const RbResult *b, const char *title,
                          const int *variables, int count, RbArena *arena) {
    RbArena *work = rb_arena_child(arena);
    RbResult *out = rb_result_new(arena);
    out->experiment = a->experiment;
    out->file = a->file;
    RbResultEntry *entries = rb_new_array(work, RbResultEntry, 3 * count);
    const double **mine = rb_new_array(work, const double *, count);
    const double **other = rb_new_array(work, const double *, count);
    for (int i = 0; i < count; i++) {
        const RbResultVariable *v = &a->variables.data[variables[i]];
        int there = rb_result_find(b, v->name);
        mine[i] = rb_result_series(a, variables[i], work);
        other[i] = there >= 0 ? rb_result_series(b, there, work) : NULL;
        entries[3 * i] = (RbResultEntry){.name = v->name, .unit = v->unit, .discrete = v->discrete};
        entries[3 * i + 1] =
            (RbResultEntry){.name = rb_arena_printf(work, "%s (%s)", v->name, title),
                            .unit = v->unit,
                            .discrete = v->discrete};
        entries[3 * i + 2] = (RbResultEntry){
            .name = rb_arena_printf(work, "difference of %s", v->name),
            .unit = rb_arena_printf(work, "%s difference", v->unit[0] ? v->unit : "1")};
    }
    rb_result_begin_segment(out, entries, 3 * count);
    const double *times = rb_result_times(a, work), *theirs = rb_result_times(b, work);
    double *row = rb_new_array(work, double, 3 * count);
    for (size_t k = 0; k < a->row_count; k++) {
        bool right = k + 1 == a->row_count || times[k + 1] > times[k];
        for (int i = 0; i < count; i++) {
            double second =
                other[i] ? value_at(theirs, other[i], b->row_count, times[k], right) : NAN;
            row[3 * i] = mine[i][k];
            row[3 * i + 1] = second;
            row[3 * i + 2] = second - mine[i][k];
        }
        rb_result_add_row(out, times[k], row);
    }
    rb_result_finish(out, *work);
    rb_arena_free(work);
    return out;
}

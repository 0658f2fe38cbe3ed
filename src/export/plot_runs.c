// SPDX-License-Identifier: MIT
#include "export/plot_runs.h"

#include <string.h>

#include "base/text.h"

// Of the file without folder and ending; of the whole path where that is not enough to tell them apart.
static const char *title_of(const char *const *files, int count, int run, RbArena *arena) {
    const char *slash = strrchr(files[run], '/'), *name = slash ? slash + 1 : files[run];
    for (int i = 0; i < count; i++) {
        const char *other = strrchr(files[i], '/');
        if (i != run && strcmp(other ? other + 1 : files[i], name) == 0) return files[run];
    }
    const char *dot = strrchr(name, '.');
    return dot && dot > name ? rb_arena_bytes(arena, name, (size_t)(dot - name)) : name;
}

static void add_rows(RbResult *out, const RbResult *run, const int *columns, int count,
                     RbArena *work) {
    const double *times = rb_result_times(run, work),
                 **values = rb_new_array(work, const double *, count);
    double *row = rb_new_array(work, double, count);
    for (int i = 0; i < count; i++) values[i] = rb_result_series(run, columns[i], work);
    for (size_t k = 0; k < run->row_count; k++) {
        for (int i = 0; i < count; i++) row[i] = values[i][k];
        rb_result_add_row(out, times[k], row);
    }
}

RbStatus rb_plot_runs(const RbResult *const *runs, const char *const *files, int count,
                      const int *variables, int variable_count, RbArena *arena, RbDiag *diag,
                      RbResult **result) {
    RbArena *work = rb_arena_child(arena);
    RbResult *out = *result = rb_result_new(arena);
    out->experiment = runs[0]->experiment;
    out->file = runs[0]->file;
    const char **titles = rb_new_array(work, const char *, count);
    for (int r = 0; r < count; r++) titles[r] = title_of(files, count, r, work);
    RbResultEntry *entries = rb_new_array(work, RbResultEntry, variable_count);
    int *columns = rb_new_array(work, int, variable_count);
    for (int i = 0; i < variable_count; i++) // fixes the order of the variables
        for (int r = 0; r < count; r++) {
            const RbResultVariable *v = &runs[0]->variables.data[variables[i]];
            rb_result_add_variable(out, rb_arena_printf(arena, "%s (%s)", v->name, titles[r]),
                                   rb_arena_text(arena, v->unit), "", v->discrete);
        }
    for (int r = 0; r < count; r++) {
        for (int i = 0; i < variable_count; i++) {
            const RbResultVariable *v = &runs[0]->variables.data[variables[i]];
            columns[i] = rb_result_find(runs[r], v->name);
            if (columns[i] < 0)
                return rb_fail(diag, RB_ERROR_USAGE, rb_in_file(runs[r]->file),
                               "there is no variable '%s'", v->name);
            entries[i] =
                (RbResultEntry){.name = rb_arena_printf(work, "%s (%s)", v->name, titles[r]),
                                .unit = v->unit,
                                .discrete = v->discrete};
        }
        rb_result_begin_segment(out, entries, variable_count);
        add_rows(out, runs[r], columns, variable_count, work);
    }
    rb_result_finish(out, *work);
    rb_arena_free(work);
    return RB_OK;
}

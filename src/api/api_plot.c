// SPDX-License-Identifier: MIT
// Curves (include/rattleback/plot.h).
#include <math.h>
#include <string.h>

#include "api/api_context.h"
#include "export/phase_svg.h"
#include "export/plot_compare.h"
#include "export/plot_runs.h"
#include "export/plot_svg.h"
#include "export/plot_text.h"
#include "export/svg_file.h"
#include "io/filter.h"
#include "io/result_file.h"

enum { MOST = 100 }; // curves that an expression may choose

typedef RB_ARRAY(int) Chosen;

typedef struct Plotting {
    RbContext *context;
    const char *from;
    const RbPlot *plot;
    bool letters;
    RbArena keep, scratch;
    RbResult *result;
    Chosen chosen;
    int runs; // in the result, one after another
} Plotting;

RbPlot rb_plot_default(void) {
    return (RbPlot){.start_time = NAN, .stop_time = NAN};
}

static RbStatus nothing_found(Plotting *p, const char *name) {
    RbNear near = {.wanted = name};
    const RbResult *r = p->result;
    for (int i = 0; i < r->variables.count; i++) rb_text_try_near(&near, r->variables.data[i].name);
    return rb_fail(&p->context->diag, RB_ERROR_USAGE, rb_in_file(r->file),
                   "there is no variable '%s'%s", name, rb_text_near_question(&near, "", &p->keep));
}

// The variable of this name, or all that change and whose whole name matches the expression.
static RbStatus find_variables(Plotting *p, const char *name) {
    const RbResult *r = p->result;
    RbDiag *diag = &p->context->diag;
    int index = rb_result_find(r, name), before = p->chosen.count;
    if (index >= 0) {
        rb_array_push(&p->chosen, &p->keep, index);
        return RB_OK;
    }
    RbFilter *filter;
    if (!strpbrk(name, "*+?|^$\\")) return nothing_found(p, name);
    RB_TRY(rb_filter_compile(name, &p->keep, diag, &filter));
    for (int i = 0; i < r->variables.count; i++) {
        const RbResultVariable *v = &r->variables.data[i];
        if (!v->parameter && rb_filter_matches(filter, v->name))
            rb_array_push(&p->chosen, &p->keep, i);
    }
    int found = p->chosen.count - before;
    if (found == 0) return nothing_found(p, name);
    if (found > MOST)
        return rb_fail(diag, RB_ERROR_USAGE, rb_in_file(r->file),
                       "'%s' matches %d variables; at most %d can be drawn", name, found, MOST);
    return RB_OK;
}

// In place of the result and the chosen variables: those of two results, and their differences.
static RbStatus compare_with(Plotting *p, const char *path) {
    RbResult *other;
    RB_TRY(rb_result_read(path, RB_JOURNAL_LOAD, &p->keep, p->scratch, &p->context->diag, &other));
    p->result = rb_plot_compare(p->result, other, path, p->chosen.data, p->chosen.count, &p->keep);
    p->chosen.count = 0;
    for (int i = 0; i < p->result->variables.count; i++) rb_array_push(&p->chosen, &p->keep, i);
    return RB_OK;
}

// In place of the result: all results, one after another, with the chosen variables of each.
static RbStatus join_runs(Plotting *p) {
    int count = p->plot->other_count + 1;
    const RbResult **runs = rb_new_array(&p->keep, const RbResult *, count);
    const char **files = rb_new_array(&p->keep, const char *, count);
    runs[0] = p->result, files[0] = p->from;
    for (int i = 1; i < count; i++) {
        RbResult *other;
        files[i] = p->plot->others[i - 1];
        RB_TRY(rb_result_read(files[i], RB_JOURNAL_LOAD, &p->keep, p->scratch, &p->context->diag,
                              &other));
        runs[i] = other;
    }
    RB_TRY(rb_plot_runs(runs, files, count, p->chosen.data, p->chosen.count, &p->keep,
                        &p->context->diag, &p->result));
    p->chosen.count = 0;
    for (int i = 0; i < p->result->variables.count; i++) rb_array_push(&p->chosen, &p->keep, i);
    p->runs = count;
    return RB_OK;
}

static RbStatus draw(Plotting *p, RbText *svg) {
    const RbPlot *plot = p->plot;
    RbDiag *diag = &p->context->diag;
    if (plot->phase)
        return rb_phase_svg(p->result, p->chosen.data, p->chosen.count, p->runs, plot->title,
                            p->scratch, diag, svg);
    RbPlotOptions options = rb_plot_options();
    options.title = plot->title;
    options.start_time = plot->start_time;
    options.end_time = plot->stop_time;
    options.runs = p->runs;
    options.segments = p->runs == 1;
    options.events = plot->events;
    return rb_plot_svg(p->result, p->chosen.data, p->chosen.count, options, p->scratch, diag, svg);
}

static RbStatus read_and_choose(Plotting *p) {
    const RbPlot *plot = p->plot;
    bool whole = plot->phase || p->letters || plot->compare_with || plot->other_count > 0;
    p->keep = rb_arena(&p->context->heap);
    p->scratch = rb_arena(&p->context->heap);
    RB_TRY(rb_result_read(p->from, whole ? RB_JOURNAL_LOAD : RB_JOURNAL_STREAM, &p->keep,
                          p->scratch, &p->context->diag, &p->result));
    for (int i = 0; i < plot->variable_count; i++) RB_TRY(find_variables(p, plot->variables[i]));
    p->runs = 1;
    if (plot->compare_with) return compare_with(p, plot->compare_with);
    return plot->other_count > 0 ? join_runs(p) : RB_OK;
}

static RbStatus write_plot(Plotting *p, const char *file) {
    RB_CALL(p->context);
    RbDiag *diag = &p->context->diag;
    if (!rb_svg_can_write(file))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "a plot is written as .svg, .png or .pdf, not as '%s'", file);
    if (p->plot->other_count > 0 && p->plot->compare_with)
        return rb_fail(
            diag, RB_ERROR_USAGE, RB_NOWHERE,
            "differences are drawn of two results; leave out the others, or the comparison");
    RB_TRY(read_and_choose(p));
    RbText svg = rb_text(&p->keep);
    RB_TRY(draw(p, &svg));
    return rb_svg_write(file, svg.data, p->plot->dark, &p->keep, diag);
}

static RbStatus print_plot(Plotting *p, const char **text) {
    enum { WIDTH = 64, HEIGHT = 8 }; // letters
    RB_CALL(p->context);
    RB_TRY(read_and_choose(p));
    RbText out = rb_text(&p->context->arena);
    rb_plot_text(p->result, p->chosen.data, p->chosen.count, WIDTH, HEIGHT, p->scratch, &out);
    *text = rb_text_done(&out);
    return RB_OK;
}

static RbStatus check_plot(RbContext *c, const char *function, const RbPlot *plot) {
    if (plot->variable_count < 1 || !plot->variables)
        return rb_bad_argument(c, function, "plot->variables", "names nothing to draw");
    for (int i = 0; i < plot->variable_count; i++) {
        if (!plot->variables[i])
            return rb_bad_argument(c, function, "plot->variables", "has a name that is NULL");
    }
    if (plot->other_count < 0 || (plot->other_count > 0 && !plot->others))
        return rb_bad_argument(c, function, "plot->others", "names no results");
    for (int i = 0; i < plot->other_count; i++) {
        if (!plot->others[i])
            return rb_bad_argument(c, function, "plot->others", "has a name that is NULL");
    }
    return RB_OK;
}

static RbStatus end_plot(Plotting *p, RbStatus status) {
    rb_arena_free(&p->scratch);
    rb_arena_free(&p->keep);
    return status;
}

RbStatus rb_plot_write(RbContext *context, const char *result_file, const RbPlot *plot,
                       const char *file) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, result_file);
    RB_NEED(context, plot);
    RB_NEED(context, file);
    RB_TRY(check_plot(context, __func__, plot));
    Plotting p = {.context = context, .from = result_file, .plot = plot};
    return end_plot(&p, write_plot(&p, file));
}

RbStatus rb_plot_letters(RbContext *context, const char *result_file, const RbPlot *plot,
                         const char **text) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, result_file);
    RB_NEED(context, plot);
    RB_NEED(context, text);
    *text = NULL;
    RB_TRY(check_plot(context, __func__, plot));
    Plotting p = {.context = context, .from = result_file, .plot = plot, .letters = true};
    return end_plot(&p, print_plot(&p, text));
}

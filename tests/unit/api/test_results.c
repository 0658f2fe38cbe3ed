// SPDX-License-Identifier: MIT
// Results through the public interface: a run with its result in a file, what a result tells of
// itself, another format, comparison, curves.
#include "testing.h"

#include <string.h>
#include <unistd.h>

#include "rattleback/rattleback.h"

typedef struct Api {
    RbContext *context;
    RbModel *model;
    char mat[64], journal[64], other[64];
} Api;

static Api api_open(const char *example) {
    Api s = {.context = rb_context_create(NULL)};
    int id = (int)getpid();
    snprintf(s.mat, sizeof s.mat, "/tmp/rb_api_results_%d.mat", id);
    snprintf(s.journal, sizeof s.journal, "/tmp/rb_api_results_%d.mat.rbj", id);
    snprintf(s.other, sizeof s.other, "/tmp/rb_api_results_%d.csv", id);
    ENSURE(rb_example_open(s.context, example, &s.model) == RB_OK);
    return s;
}

static void api_close(Api *s) {
    rb_context_free(s->context);
    unlink(s->mat);
    unlink(s->journal);
    unlink(s->other);
}

static const char *last_message(const Api *s) {
    int count = rb_context_message_count(s->context);
    return count > 0 ? rb_context_message(s->context, count - 1) : "";
}

static RbSummary run_to_file(Api *s, bool keep_journal) {
    RbSimOptions options = rb_model_options(s->model);
    RbResultFile result = {.file = s->mat, .keep_journal = keep_journal};
    RbSummary summary;
    ENSURE(rb_simulate_to_file(s->context, s->model, &options, &result, &summary) == RB_OK);
    ENSURE(result.recorded && result.written && access(s->mat, F_OK) == 0);
    return summary;
}

static void a_run_writes_its_result(void **state) {
    (void)state;
    Api s = api_open("bouncing-ball");
    RbSummary first = run_to_file(&s, false);
    ENSURE(first.complete && !first.changed_sizes);
    ENSURE(access(s.journal, F_OK) != 0); // nobody needs it any more
    RbSummary second = run_to_file(&s, true);
    ENSURE(access(s.journal, F_OK) == 0);
    ENSURE(first.state_hash == second.state_hash && first.rows == second.rows);
    RbResults *results;
    ENSURE(rb_results_open(s.context, s.journal, &results) == RB_OK);
    RbResultsInfo info = rb_results_info(results);
    ENSURE(strcmp(info.model, "bouncing-ball") == 0 && info.ending == RB_ENDING_COMPLETE);
    ENSURE((long)info.rows == second.rows && info.segments == second.segments);
    const char *name;
    double value, steps = -1;
    for (int i = 0; rb_results_figure(results, i, &name, &value); i++)
        if (strcmp(name, "steps") == 0) steps = value;
    ENSURE(steps == (double)second.steps);
    RbSeries series;
    ENSURE(rb_results_variable(results, rb_results_find(results, "ball.h"), &series) == RB_OK);
    ENSURE(strcmp(series.name, "ball.h") == 0 && strcmp(series.unit, "m") == 0);
    ENSURE(series.kind == RB_SERIES_CONTINUOUS);
    ENSURE(rb_results_variable(results, rb_results_find(results, "ball.e"), &series) == RB_OK);
    ENSURE(series.kind == RB_SERIES_PARAMETER);
    ENSURE(rb_results_variable(results, -1, &series) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "rb_results_variable: argument 'variable'"));
    ENSURE(rb_results_variable(results, 0, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_results_info(NULL).rows == 0 && !rb_results_figure(NULL, 0, NULL, NULL));
    api_close(&s);
}

// A run that is interrupted at once: what was computed is written, and the journal stays.
static void a_run_that_ends_early_writes_what_it_has(void **state) {
    (void)state;
    Api s = api_open("pendulum");
    const volatile int now = 1;
    RbSimOptions options = rb_model_options(s.model);
    options.interrupt = &now;
    RbResultFile result = {.file = s.mat};
    RbSummary summary;
    ENSURE(rb_simulate_to_file(s.context, s.model, &options, &result, &summary) == RB_INTERRUPTED);
    ENSURE(result.recorded && result.written && !summary.complete);
    ENSURE(access(s.journal, F_OK) == 0);
    RbResults *results;
    ENSURE(rb_results_open(s.context, s.journal, &results) == RB_OK);
    ENSURE(rb_results_info(results).ending == RB_ENDING_INCOMPLETE);
    ENSURE(strcmp(rb_results_info(results).reason, "interrupted") == 0);
    api_close(&s);
}

static void what_cannot_be_written_is_refused_before_the_run(void **state) {
    (void)state;
    Api s = api_open("pendulum");
    RbSimOptions options = rb_model_options(s.model);
    RbResultFile result = {.file = "/tmp/x.xyz"};
    ENSURE(rb_simulate_to_file(s.context, s.model, &options, &result, NULL) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "must be .mat, .csv or .rbj") && !result.recorded);
    result.file = "/tmp";
    ENSURE(rb_simulate_to_file(s.context, s.model, &options, &result, NULL) == RB_ERROR_IO);
    result.file = NULL;
    ENSURE(rb_simulate_to_file(s.context, s.model, &options, &result, NULL) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "'result->file' is NULL"));
    ENSURE(rb_simulate_to_file(s.context, s.model, &options, NULL, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_simulate_to_file(s.context, NULL, &options, &result, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_results_can_write("a.mat") && !rb_results_can_write("a.xyz"));
    ENSURE(!rb_results_can_write(NULL));
    api_close(&s);
}

static void some_variables_are_converted(void **state) {
    (void)state;
    Api s = api_open("bouncing-ball");
    run_to_file(&s, false);
    ENSURE(rb_convert_selected(s.context, s.mat, s.other, "ball\\.h") == RB_OK);
    RbResults *results;
    ENSURE(rb_results_open(s.context, s.other, &results) == RB_OK);
    ENSURE(rb_results_count(results) == 1 && rb_results_find(results, "ball.h") == 0);
    ENSURE(rb_results_info(results).ending == RB_ENDING_UNKNOWN);
    ENSURE(rb_convert_selected(s.context, s.mat, s.other, "(") == RB_ERROR_USAGE);
    ENSURE(rb_convert_selected(s.context, NULL, s.other, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_convert_selected(NULL, s.mat, s.other, NULL) == RB_ERROR_USAGE);
    api_close(&s);
}

// The height of a ball with another restitution leaves the tube; that with the same does not.
static void results_are_compared(void **state) {
    (void)state;
    Api s = api_open("bouncing-ball");
    RbResults *a, *b;
    const RbComparison *c;
    const char *text;
    run_to_file(&s, false);
    ENSURE(rb_results_open(s.context, s.mat, &a) == RB_OK);
    ENSURE(rb_model_set(s.model, "ball.e", 0.6) == RB_OK);
    run_to_file(&s, false);
    ENSURE(rb_results_open(s.context, s.mat, &b) == RB_OK);
    RbCompareOptions options = rb_compare_options_default();
    ENSURE(rb_results_compare(a, a, &options, &c) == RB_OK && c->inside && c->bad_count == 0);
    ENSURE(rb_results_compare(b, a, &options, &c) == RB_OK && !c->inside);
    bool found = false;
    for (int i = 0; i < c->signal_count; i++) {
        if (strcmp(c->signals[i].name, "ball.h") != 0) continue;
        found = true;
        ENSURE(c->signals[i].verdict == RB_VERDICT_OUTSIDE && c->signals[i].excess > 0);
        ENSURE(c->signals[i].time > sqrt(2 / 9.81) - 0.01); // before the first impact they agree
    }
    ENSURE(found);
    ENSURE(rb_comparison_text(s.context, c, false, &text) == RB_OK && strstr(text, "ball.h"));
    options.variable_filter = "ball\\.m";
    ENSURE(rb_results_compare(b, a, &options, &c) != RB_OK || c->inside);
    options.variable_filter = "(";
    ENSURE(rb_results_compare(b, a, &options, &c) == RB_ERROR_USAGE && !c);
    options = rb_compare_options_default();
    options.value_tol = -1;
    ENSURE(rb_results_compare(b, a, &options, &c) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "rb_results_compare: argument 'options->value_tol'"));
    ENSURE(rb_results_compare(b, NULL, &options, &c) == RB_ERROR_USAGE);
    ENSURE(rb_results_compare(NULL, a, &options, &c) == RB_ERROR_USAGE);
    ENSURE(rb_comparison_text(s.context, NULL, true, &text) == RB_ERROR_USAGE);
    api_close(&s);
}

static void curves_are_drawn(void **state) {
    (void)state;
    Api s = api_open("bouncing-ball");
    char svg[64], head[6] = "";
    snprintf(svg, sizeof svg, "/tmp/rb_api_results_%d.svg", (int)getpid());
    run_to_file(&s, false);
    const char *const names[] = {"ball.h", "ball\\.[v]+"}, *text;
    RbPlot plot = rb_plot_default();
    plot.variables = names;
    plot.variable_count = 2;
    ENSURE(rb_plot_write(s.context, s.mat, &plot, svg) == RB_OK);
    FILE *file = fopen(svg, "r");
    ENSURE(file && fread(head, 1, 5, file) == 5 && strstr(head, "<"));
    fclose(file);
    ENSURE(rb_plot_letters(s.context, s.mat, &plot, &text) == RB_OK);
    ENSURE(strstr(text, "ball.h") && strstr(text, "ball.v"));
    plot.phase = true;
    ENSURE(rb_plot_write(s.context, s.mat, &plot, svg) == RB_OK);
    plot.phase = false;
    plot.compare_with = s.mat;
    ENSURE(rb_plot_letters(s.context, s.mat, &plot, &text) == RB_OK);
    ENSURE(strstr(text, "difference of ball.h"));
    unlink(svg);
    const char *const wrong[] = {"ball.hh"};
    plot.variables = wrong;
    plot.variable_count = 1;
    ENSURE(rb_plot_letters(s.context, s.mat, &plot, &text) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "there is no variable 'ball.hh'; did you mean 'ball.h'?"));
    plot.variable_count = 0;
    ENSURE(rb_plot_write(s.context, s.mat, &plot, svg) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "rb_plot_write: argument 'plot->variables'"));
    ENSURE(rb_plot_write(s.context, s.mat, NULL, svg) == RB_ERROR_USAGE);
    ENSURE(rb_plot_write(NULL, s.mat, &plot, svg) == RB_ERROR_USAGE);
    api_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_writes_its_result),
        cmocka_unit_test(a_run_that_ends_early_writes_what_it_has),
        cmocka_unit_test(what_cannot_be_written_is_refused_before_the_run),
        cmocka_unit_test(some_variables_are_converted),
        cmocka_unit_test(results_are_compared),
        cmocka_unit_test(curves_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

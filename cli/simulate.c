// SPDX-License-Identifier: MIT
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "io/journal.h"
#include "io/result_file.h"
#include "open_model.h"
#include "progress.h"
#include "sim/sim.h"
#include "translate/input_file.h"

// The only global state of the program: what signal handlers may touch.
static volatile int interrupted, checkpoint_wanted;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

static void on_checkpoint(int signal_number) {
    (void)signal_number;
    checkpoint_wanted = 1;
}

// A second Ctrl-C ends the program at once. A file that grows beyond a limit is a failed write with
// a message.
static void catch_signals(void) {
    struct sigaction once = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    struct sigaction always = {.sa_handler = on_checkpoint, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &once, NULL);
    sigaction(SIGTERM, &once, NULL);
    sigaction(SIGUSR1, &always, NULL);
    signal(SIGXFSZ, SIG_IGN);
}

// ------------------------------------------------------------------------------------------------------
// options

static RbStatus check_output(Cli *cli, const char *path) {
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) {
        return rb_fail(&cli->diag, RB_ERROR_IO, rb_in_file(path),
                       "cannot write: it is a directory");
    }
    if (exists && S_ISFIFO(info.st_mode) && rb_text_ends_with(path, ".rbj")) {
        return rb_fail(&cli->diag, RB_ERROR_IO, rb_in_file(path),
                       "a journal cannot be written to a pipe; a pipe takes .csv or .mat");
    }
    return rb_result_can_write(path)
               ? RB_OK
               : rb_fail(&cli->diag, RB_ERROR_USAGE, rb_in_file(path),
                         "the ending of a result file must be .mat, .csv or .rbj");
}

static RbStatus read_options(Cli *cli, const RbModel *model, RbSimOptions *o) {
    *o = rb_model_options(model);
    double iterations = o->max_event_iterations, interval = -1;
    RB_TRY(cli_number(cli, "start-time", &o->start_time));
    RB_TRY(cli_number(cli, "stop-time", &o->stop_time));
    RB_TRY(cli_number(cli, "tolerance", &o->tolerance));
    RB_TRY(cli_number(cli, "output-interval", &interval));
    RB_TRY(cli_number(cli, "max-step", &o->max_step));
    RB_TRY(cli_number(cli, "initial-step", &o->initial_step));
    RB_TRY(cli_number(cli, "checkpoint-interval", &o->checkpoint_interval));
    RB_TRY(cli_number(cli, "max-event-iterations", &iterations));
    if (!(model->output_interval > 0)) // the model does not say
        o->output_interval = (o->stop_time - o->start_time) / 500;
    if (cli_has(cli, "output-interval")) o->output_interval = interval;
    if (!(iterations >= 1 && iterations <= 1e6) || iterations != rint(iterations)) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'--max-event-iterations' is a whole number from 1 to 1000000, not '%s'",
                       cli_option(cli, "max-event-iterations"));
    }
    o->max_event_iterations = (int)iterations;
    if (cli_has(cli, "solver")) o->solver = cli_option(cli, "solver");
    o->variable_filter = cli_option(cli, "variable-filter");
    o->resume_file = cli_option(cli, "resume");
    o->interrupt = &interrupted;
    o->checkpoint_request = &checkpoint_wanted;
    return RB_OK;
}

static RbStatus choose_progress(Cli *cli, ProgressPrinter *printer) {
    const char *how = cli_option(cli, "progress");
    bool bar = isatty(2) && !cli_has(cli, "log"); // lines of the log would tear it
    if (!how || strcmp(how, "auto") == 0)
        printer->style = bar ? PROGRESS_BAR : PROGRESS_NONE;
    else if (strcmp(how, "json") == 0)
        printer->style = PROGRESS_JSON;
    else if (strcmp(how, "none") != 0) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'--progress' is auto, json or none, not '%s'", how);
    }
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// summary

static void print_text_summary(const RbSummary *s, const RbSimOptions *o, const char *result) {
    double length = s->time - o->start_time;
    fprintf(stderr,
            "%s at t = %.10g s: %ld steps, %ld evaluations, %ld state events, %ld time events, %d "
            "segment%s\n",
            s->complete ? "done" : "ended", s->time, s->steps, s->evaluations, s->state_events,
            s->time_events, s->segments, s->segments == 1 ? "" : "s");
    fprintf(stderr, "%d states, %s", s->states, s->solver ? s->solver : "no solver");
    if (s->residual_states > 0) fprintf(stderr, " (%d in residual form)", s->residual_states);
    fprintf(stderr,
            ", %ld Jacobians, %ld error test failures, %ld checkpoints, state hash %016llx\n",
            s->jacobians, s->error_test_failures, s->checkpoints, s->state_hash);
    fprintf(stderr,
            "%.3g s of CPU time (%.3g s elapsed), real-time factor %.3g, %.1f MB, %zu kB in solver "
            "libraries\n",
            s->cpu_time, s->wall_time, s->wall_time > 0 ? length / s->wall_time : 0.0,
            (double)s->peak_bytes * 1e-6, s->library_bytes / 1024);
    if (result) fprintf(stderr, "result: %s (%ld rows)\n", result, s->rows);
}

// One line of JSON; result and sizes may be NULL.
static void print_json_summary(Cli *cli, const RbSummary *s, const char *result, const char *sizes,
                               FILE *to) {
    RbText t = rb_text(&cli->arena);
    rb_text_printf(&t, "{\"summary\":{\"complete\":%s,\"time\":", s->complete ? "true" : "false");
    rb_text_add_double(&t, s->time);
    rb_text_printf(&t,
                   ",\"steps\":%ld,\"evaluations\":%ld,\"jacobians\":%ld,"
                   "\"error_test_failures\":%ld,\"state_events\":%ld,\"time_events\":%ld,"
                   "\"segments\":%d,\"states\":%d,\"residual_states\":%d,\"checkpoints\":%ld,",
                   s->steps, s->evaluations, s->jacobians, s->error_test_failures, s->state_events,
                   s->time_events, s->segments, s->states, s->residual_states, s->checkpoints);
    rb_text_printf(&t,
                   "\"state_hash\":\"%016llx\",\"cpu_time\":%.6g,\"wall_time\":%.6g,"
                   "\"peak_bytes\":%zu,\"rows\":%ld",
                   s->state_hash, s->cpu_time, s->wall_time, s->peak_bytes, s->rows);
    const struct {
        const char *name, *text;
    } texts[] = {{"solver", s->solver}, {"result", result}, {"changed_sizes", sizes}};
    for (int i = 0; i < 3; i++) {
        if (!texts[i].text) continue;
        rb_text_printf(&t, ",\"%s\":\"", texts[i].name);
        rb_text_add_json(&t, texts[i].text);
        rb_text_add(&t, "\"");
    }
    fprintf(to, "%s}}\n", t.data);
}

typedef enum SummaryStyle { SUMMARY_TEXT, SUMMARY_JSON, SUMMARY_NONE } SummaryStyle;

// Where nothing is said, the summary is written like the messages.
static RbStatus choose_summary(Cli *cli, SummaryStyle *style) {
    const char *how = cli_option(cli, "summary");
    *style = cli_has(cli, "quiet") ? SUMMARY_NONE : cli->json ? SUMMARY_JSON : SUMMARY_TEXT;
    if (!how) return RB_OK;
    static const char *const styles[] = {"text", "json", "none"}; // ORDER SummaryStyle
    for (int i = 0; i < 3; i++) {
        if (strcmp(how, styles[i]) != 0) continue;
        *style = (SummaryStyle)i;
        return RB_OK;
    }
    return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "'--summary' is text, json or none, not '%s'", how);
}

// A summary that was asked for as JSON is data and goes to the standard output, unless the result
// goes there.
static void print_summary(Cli *cli, SummaryStyle style, const RbSummary *s, const RbSimOptions *o,
                          const RbModel *model, const char *result) {
    const char *sizes = rb_model_changed_sizes(model, &cli->arena);
    const char *output = cli_option(cli, "output-file");
    bool data = cli_has(cli, "summary") && !(output && rb_file_is_standard(output));
    if (style == SUMMARY_JSON) print_json_summary(cli, s, result, sizes, data ? stdout : stderr);
    if (style != SUMMARY_TEXT) return;
    print_text_summary(s, o, result);
    if (sizes) fprintf(stderr, "translated once; sizes changed after that: %s\n", sizes);
}

// The result is written from the journal, which then goes unless something still needs it.
static RbStatus write_result(Cli *cli, const char *journal, const char *output, bool keep) {
    if (strcmp(journal, output) == 0) return RB_OK;
    RbResult *result;
    RB_TRY(rb_journal_read(journal, RB_JOURNAL_STREAM, &cli->arena, cli->scratch, &cli->diag,
                           &result));
    RbStatus status = rb_result_write(output, result, &cli->arena, cli->scratch, &cli->diag);
    if (status == RB_OK && !keep) remove(journal);
    if (status != RB_OK) {
        rb_note(&cli->diag, rb_in_file(journal),
                "nothing is lost: `rattleback convert` makes the result from this journal");
    }
    return status;
}

static RbStatus prepare(Cli *cli, RbModel **model, RbSimOptions *options, ProgressPrinter *printer,
                        const char **output) {
    RB_TRY(open_model(cli, model));
    RB_TRY(read_options(cli, *model, options));
    RB_TRY(choose_progress(cli, printer));
    if (cli->inputs)
        rb_input_file_check(cli->inputs, options->start_time, options->stop_time, &cli->diag);
    *output = cli_option(cli, "output-file");
    if (!*output) *output = rb_arena_printf(&cli->arena, "%s_res.mat", (*model)->name);
    RB_TRY(check_output(cli, *output));
    const char *named = rb_file_is_standard(*output)
                            ? rb_arena_printf(&cli->arena, "%s_res.csv", (*model)->name)
                            : *output;
    options->journal_file = cli_with_ending(cli, named, ".rbj");
    options->checkpoint_file = cli_with_ending(cli, named, ".rbc");
    RB_TRY(rb_file_lock(options->journal_file, &cli->arena, &cli->diag));
    if (printer->style != PROGRESS_NONE) {
        options->progress = progress_print;
        options->progress_user = printer;
    }
    return RB_OK;
}

RbStatus run_simulate(Cli *cli) {
    RbModel *model;
    RbSimOptions options;
    ProgressPrinter printer = {0};
    SummaryStyle style;
    const char *output;
    RB_TRY(choose_summary(cli, &style));
    RB_TRY(prepare(cli, &model, &options, &printer, &output));
    catch_signals();
    RbSim *sim = rb_new(&cli->arena, RbSim);
    *sim = (RbSim){.model = model,
                   .options = options,
                   .heap = &cli->heap,
                   .diag = &cli->diag,
                   .log = &cli->log,
                   .journal_is_ours = true};
    RbStatus status = rb_sim_run(sim);
    bool recorded = sim->recorder.journal != NULL;
    RbSummary summary = sim->summary;
    rb_sim_free(sim);
    progress_end(&printer);
    if (checkpoint_wanted) {
        rb_warn(&cli->diag, RB_NOWHERE,
                "a checkpoint was asked for, but the solver did not restart before the end; "
                "'--checkpoint-interval' makes it restart");
    }
    cli_print_messages(cli);
    if (!recorded) return status;
    bool keep = status != RB_OK || cli_has(cli, "keep-journal") || options.checkpoint_interval > 0;
    RbStatus written = write_result(cli, options.journal_file, output, keep);
    print_summary(cli, style, &summary, &options, model, written == RB_OK ? output : NULL);
    return status != RB_OK ? status : written;
}

// SPDX-License-Identifier: MIT
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine_job.h"
#include "interrupt.h"
#include "open_model.h"
#include "progress.h"
#include "sensitivity.h"
#include "simulate.h"

// What signal handlers may touch, beside cli_interrupted.
static volatile int checkpoint_wanted;

static void on_checkpoint(int signal_number) {
    (void)signal_number;
    checkpoint_wanted = 1;
}

static void catch_signals(void) {
    struct sigaction always = {.sa_handler = on_checkpoint, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &always, NULL);
    cli_catch_interrupts();
}

// ------------------------------------------------------------------------------------------------------
// options

RbStatus simulate_options_read(Cli *cli, const RbModel *model, RbSimOptions *o) {
    *o = rb_model_options(model);
    double iterations = o->max_event_iterations, interval = -1, threads = 1, ranks = 1;
    TRY(cli_number(cli, "start-time", &o->start_time));
    TRY(cli_number(cli, "stop-time", &o->stop_time));
    TRY(cli_number(cli, "tolerance", &o->tolerance));
    TRY(cli_number(cli, "output-interval", &interval));
    TRY(cli_number(cli, "max-step", &o->max_step));
    TRY(cli_number(cli, "initial-step", &o->initial_step));
    TRY(cli_number(cli, "checkpoint-interval", &o->checkpoint_interval));
    TRY(cli_number(cli, "max-event-iterations", &iterations));
    TRY(cli_number(cli, "threads", &threads));
    if (!(rb_model_info(model).output_interval > 0)) // the model does not say
        o->output_interval = (o->stop_time - o->start_time) / 500;
    if (cli_has(cli, "output-interval")) o->output_interval = interval;
    if (!(iterations >= 1 && iterations <= 1e6) || iterations != rint(iterations)) {
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'--max-event-iterations' is a whole number from 1 to 1000000, not '%s'",
                        cli_option(cli, "max-event-iterations"));
    }
    o->max_event_iterations = (int)iterations;
    if (!(threads >= 1 && threads <= 256) || threads != rint(threads)) {
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'--threads' is a whole number from 1 to 256, not '%s'",
                        cli_option(cli, "threads"));
    }
    o->threads = (int)threads;
    TRY(cli_number(cli, "ranks", &ranks));
    if (!(ranks >= 1 && ranks <= 65536) || ranks != rint(ranks)) {
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'--ranks' is a whole number from 1 to 65536, not '%s'",
                        cli_option(cli, "ranks"));
    }
    o->engine = (RbParticleEngine){.name = cli_option(cli, "engine"),
                                   .folder = cli_option(cli, "engine-folder"),
                                   .ranks = (int)ranks};
    o->particle_files = cli_option(cli, "particle-files");
    o->particle_results = cli_option(cli, "particle-results");
    TRY(cli_number(cli, "particle-interval", &o->particle_interval));
    if (cli_has(cli, "events")) o->event_rows = cli_option(cli, "events");
    if (cli_has(cli, "solver")) o->solver = cli_option(cli, "solver");
    o->variable_filter = cli_option(cli, "variable-filter");
    o->resume_file = cli_option(cli, "resume");
    o->interrupt = &cli_interrupted;
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
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--progress' is auto, json or none, not '%s'",
                        how);
    }
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// summary

static void print_text_summary(const RbSummary *s, const RbSimOptions *o) {
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
    if (s->particle_steps > 0)
        fprintf(stderr,
                "%ld particles as a cloud, without control of the error: %.4g steps of all\n",
                s->particles, (double)s->particle_steps);
    if (s->particles_refused > 0)
        fprintf(stderr, "%ld particles of rain found no room and did not come\n",
                s->particles_refused);
    fprintf(stderr,
            "%.3g s of CPU time (%.3g s elapsed), real-time factor %.3g, %.1f MB, %zu kB in solver "
            "libraries\n",
            s->cpu_time, s->wall_time, s->wall_time > 0 ? length / s->wall_time : 0.0,
            (double)s->peak_bytes * 1e-6, s->library_bytes / 1024);
}

// Where to find what came of it, and how to see what the format cannot hold.
static void print_files(Cli *cli, const RbResultFile *result, long rows) {
    if (result->written) fprintf(stderr, "result: %s (%ld rows)\n", result->file, rows);
    if (result->written && result->unseen && !result->keep_journal && !result->report)
        fprintf(stderr,
                "this model can be seen: `--report %s` makes a page, `--output-file %s` keeps the "
                "motion\n",
                cli_with_ending(cli, result->file, ".html"),
                cli_with_ending(cli, result->file, ".rbj"));
    if (result->written && result->report) fprintf(stderr, "report: %s\n", result->report);
}

// One line of JSON; result may be NULL.
static void print_json_summary(Cli *cli, const RbSummary *s, const char *result, FILE *to) {
    Text t = text_new(cli);
    text_printf(&t, "{\"summary\":{\"complete\":%s,\"time\":", s->complete ? "true" : "false");
    text_add(&t, cli_shortest(cli, s->time));
    text_printf(&t,
                ",\"steps\":%ld,\"evaluations\":%ld,\"jacobians\":%ld,"
                "\"error_test_failures\":%ld,\"state_events\":%ld,\"time_events\":%ld,"
                "\"segments\":%d,\"states\":%d,\"residual_states\":%d,\"checkpoints\":%ld,",
                s->steps, s->evaluations, s->jacobians, s->error_test_failures, s->state_events,
                s->time_events, s->segments, s->states, s->residual_states, s->checkpoints);
    text_printf(&t,
                "\"state_hash\":\"%016llx\",\"cpu_time\":%.6g,\"wall_time\":%.6g,"
                "\"peak_bytes\":%zu,\"rows\":%ld,\"particles\":%ld,\"particle_steps\":%ld,"
                "\"particles_refused\":%ld",
                s->state_hash, s->cpu_time, s->wall_time, s->peak_bytes, s->rows, s->particles,
                s->particle_steps, s->particles_refused);
    const struct {
        const char *name, *text;
    } texts[] = {{"solver", s->solver}, {"result", result}, {"changed_sizes", s->changed_sizes}};
    for (int i = 0; i < 3; i++) {
        if (!texts[i].text) continue;
        text_printf(&t, ",\"%s\":", texts[i].name);
        text_add_json(&t, texts[i].text);
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
    return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--summary' is text, json or none, not '%s'", how);
}

// A summary that was asked for as JSON is data and goes to the standard output, unless the result
// goes there.
static void print_summary(Cli *cli, SummaryStyle style, const RbSummary *s, const RbSimOptions *o,
                          const RbResultFile *result) {
    const char *output = cli_option(cli, "output-file");
    bool data = cli_has(cli, "summary") && !(output && cli_is_standard(output));
    if (style == SUMMARY_JSON)
        print_json_summary(cli, s, result->written ? result->file : NULL, data ? stdout : stderr);
    if (style != SUMMARY_TEXT) return;
    print_text_summary(s, o);
    print_files(cli, result, s->rows);
    if (s->changed_sizes)
        fprintf(stderr, "translated once; sizes changed after that: %s\n", s->changed_sizes);
}

static RbStatus prepare(Cli *cli, RbModel **model, RbSimOptions *options, ProgressPrinter *printer,
                        RbResultFile *result) {
    TRY(open_model(cli, model));
    TRY(simulate_options_read(cli, *model, options));
    TRY(choose_progress(cli, printer));
    result->file = cli_option(cli, "output-file");
    result->keep_journal = cli_has(cli, "keep-journal");
    result->report = cli_option(cli, "report");
    bool has_text = ends_with(cli->arguments[0], ".mo");
    if (result->report && has_text) result->model_file = cli->arguments[0];
    if (!result->file)
        result->file = cli_printf(cli, "%s_res.mat",
                                  names_scene(cli->arguments[0]) ? cli->arguments[0]
                                                                 : rb_model_info(*model).name);
    if (printer->style != PROGRESS_NONE) {
        options->progress = progress_print;
        options->progress_user = printer;
    }
    return RB_OK;
}

RbStatus run_simulate(Cli *cli) {
    RbModel *model;
    RbSimOptions options;
    RbSummary summary;
    RbResultFile result = {0};
    ProgressPrinter printer = {0};
    SummaryStyle style;
    if (engine_job_wanted(cli)) return engine_job(cli);
    TRY(choose_summary(cli, &style));
    TRY(prepare(cli, &model, &options, &printer, &result));
    catch_signals();
    cli_compute(&result.recorded);
    RbStatus status = rb_simulate_to_file(cli->context, model, &options, &result, &summary);
    cli_compute(NULL);
    progress_end(&printer);
    if (checkpoint_wanted) {
        rb_context_tell(cli->context,
                        &(RbMessage){.severity = RB_WARNING,
                                     .text = "a checkpoint was asked for, but the solver did not "
                                             "restart before the end; '--checkpoint-interval' "
                                             "makes it restart"});
    }
    if (result.written) cli_print_messages(cli); // otherwise why it was not is the last thing said
    if (result.recorded) print_summary(cli, style, &summary, &options, &result);
    if (status != RB_OK || !cli_has(cli, "sensitivity")) return status;
    return sensitivity_run(cli, model, &options);
}

// SPDX-License-Identifier: MIT
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "open_model.h"
#include "progress.h"
#include "simulate.h"
#include "sweep_engine.h"
#include "sweep_report.h"

typedef struct Sweep {
    Cli *cli;
    RbModel *model;
    RbSimOptions options;
    Design design;
    Kept kept;
    SweepLog log;
    Pool pool;
    const char *table;
    const char *results; // folder for the results of all runs; NULL: none
    int next, done_before;
    SweepEngine engine;
    int part, parts; // of a task of the engine; part -1: this is none
    bool bar;
    double since, shown;
} Sweep;

static volatile int interrupted;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ------------------------------------------------------------------------------------------------------
// runs

static RbStatus set_values(Sweep *s, int run) {
    for (int j = 0; j < s->design.count; j++)
        TRY(rb_model_set_text(s->model, s->design.varied[j].name,
                              design_value(s->cli, &s->design, run, j)));
    return RB_OK;
}

static const char *result_name(Sweep *s, int run) {
    if (s->results) return cli_printf(s->cli, "%s/%d.rbj", s->results, run + 1);
    return cli_printf(s->cli, "%s.run%d.rbj", s->table, run + 1);
}

static RbStatus compute(void *user, int run, double *values) {
    Sweep *s = user;
    RbSimOptions o = s->options;
    TRY(set_values(s, run));
    if (s->results || s->kept.needs_rows) o.journal_file = result_name(s, run);
    return keep_run(s->cli, s->model, &o, &s->kept, values);
}

static int next_run(void *user) {
    Sweep *s = user;
    while (s->next < s->design.runs &&
           (s->log.status[s->next] >= 0 || (s->part >= 0 && s->next % s->parts != s->part)))
        s->next++;
    return s->next < s->design.runs ? s->next++ : -1;
}

// A wrong name would fail in every run: the first row tells.
static RbStatus take_row(void *user, const RunRow *row) {
    Sweep *s = user;
    if (s->log.finished == 0 && row->status == RB_ERROR_USAGE)
        return cli_fail(s->cli, RB_ERROR_USAGE, NULL, "%s", row->reason);
    if (!s->results && s->kept.needs_rows) remove(result_name(s, row->run));
    return sweep_log_add(s->cli, &s->log, row);
}

static void show_progress(void *user) {
    enum { BAR = 24 };
    Sweep *s = user;
    double t = now(), part = (double)s->log.finished / s->design.runs;
    int made = s->log.finished - s->done_before, left = s->design.runs - s->log.finished;
    if (!s->bar || t - s->shown < 0.1) return;
    s->shown = t;
    fputs("\r[", stderr);
    for (int i = 0; i < BAR; i++) fputc(i < (int)(BAR * part) ? '#' : '.', stderr);
    fprintf(stderr, "] %3.0f %%  %d of %d runs", 100 * part, s->log.finished, s->design.runs);
    if (made > 0) fprintf(stderr, ", %.0f s left", (t - s->since) * left / made);
    if (s->log.failed > 0) fprintf(stderr, ", %d failed", s->log.failed);
    fputs("  ", stderr);
}

// ------------------------------------------------------------------------------------------------------
// options

// Wrong names and values are reported before anything runs. What was set is set anew in every run.
static RbStatus prepare(Sweep *s) {
    Cli *cli = s->cli;
    TRY(design_read(cli, &s->design));
    TRY(open_model(cli, &s->model));
    TRY(simulate_options_read(cli, s->model, &s->options));
    s->options.interrupt = NULL, s->options.checkpoint_request = NULL;
    s->options.resume_file = NULL; // here `--resume` means the sweep,
    s->options.engine = rb_sim_options_default().engine; // and `--engine` too
    TRY(sweep_engine_read(cli, s->design.runs, &s->engine, &s->part, &s->parts));
    TRY(keep_read(cli, s->model, &s->kept));
    s->pool = (Pool){.value_count = s->kept.count, .interrupt = &interrupted, .user = s};
    s->pool.compute = compute, s->pool.next = next_run, s->pool.take = take_row;
    s->pool.idle = show_progress;
    TRY(pool_read(cli, &s->pool));
    s->table = cli_option(cli, "output-file");
    if (!s->table) s->table = cli_printf(cli, "%s_sweep.csv", rb_model_info(s->model).name);
    if (!ends_with(s->table, ".csv") && !ends_with(s->table, ".mat"))
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "the table is a .csv or .mat file, not '%s'",
                        s->table);
    if (cli_has(cli, "report") && !ends_with(s->table, ".csv"))
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "a report needs the table as .csv");
    TRY(set_values(s, 0));
    s->results = cli_option(cli, "results");
    if (s->results) mkdir(s->results, 0777);
    s->log = (SweepLog){.path = cli_printf(cli, "%s.runs", s->table), .runs = s->design.runs};
    if (s->part >= 0) s->log.path = sweep_part_path(cli, s->table, s->part);
    s->log.columns = s->kept.count;
    s->log.name = sweep_log_name(cli, &s->design, s->kept.count);
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// one run of a sweep, with all of its result

static RbStatus run_one(Sweep *s, double number) {
    Cli *cli = s->cli;
    if (!(number >= 1 && number <= s->design.runs) || number != rint(number))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'--only' is the number of a run, 1 to %d, not '%s'", s->design.runs,
                        cli_option(cli, "only"));
    TRY(set_values(s, (int)number - 1));
    RbResultFile result = {
        .file = cli_printf(cli, "%s_run%d.rbj", rb_model_info(s->model).name, (int)number)};
    TRY(rb_simulate_to_file(cli->context, s->model, &s->options, &result, NULL));
    fprintf(stderr, "result: %s (`rattleback view %s` shows it)\n", result.file, result.file);
    return RB_OK;
}

static void print_end(const Sweep *s) {
    double elapsed = now() - s->since;
    if (cli_has(s->cli, "quiet")) return;
    fprintf(stderr, "%d runs, %d failed: %.3g s of CPU time in %.3g s with %d process%s\n",
            s->log.finished, s->log.failed, s->pool.cpu_time, elapsed, s->pool.jobs,
            s->pool.jobs == 1 ? "" : "es");
    for (int run = 0, shown = 0; run < s->log.runs && shown < 3; run++) {
        if (!s->log.reasons[run]) continue;
        fprintf(stderr, "run %d: %s\n", run + 1, s->log.reasons[run]);
        shown++;
    }
    if (s->log.finished == s->design.runs) fprintf(stderr, "table: %s\n", s->table);
}

static RbStatus write_report(Sweep *s) {
    const char *file = cli_option(s->cli, "report");
    SweepReport report = {.title = rb_model_info(s->model).name, .table = s->table};
    report.results = s->results, report.design = &s->design, report.kept = &s->kept;
    return file ? sweep_report_write(s->cli, &report, file) : RB_OK;
}

// Rows that tasks of an engine have left.
static void merge_parts(Sweep *s) {
    for (int k = 0; sweep_log_merge(s->cli, &s->log, sweep_part_path(s->cli, s->table, k)) || k < s->engine.tasks;)
        k++;
}

static void remove_parts(Sweep *s) {
    for (int k = 0; remove(sweep_part_path(s->cli, s->table, k)) == 0 || k < s->engine.tasks;) k++;
}

// The tasks of the engine make the runs; what they left out, and what fails to come back, stays for '--resume'.
static RbStatus run_engine(Sweep *s) {
    TRY(sweep_engine_run(s->cli, &s->engine, s->table));
    if (s->engine.script_only) return RB_OK;
    merge_parts(s);
    if (s->log.finished == s->design.runs) return RB_OK;
    return cli_fail(s->cli, RB_ERROR_IO, NULL,
                    "%d of %d runs have not come back from %s (%s.task-*.txt holds what the tasks said); "
                    "'--resume' continues, without '--engine' on this machine",
                    s->design.runs - s->log.finished, s->design.runs, s->engine.name, s->table);
}

static RbStatus make_runs(Sweep *s) {
    struct sigaction once = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &once, NULL);
    sigaction(SIGTERM, &once, NULL);
    signal(SIGXFSZ, SIG_IGN);
    RbStatus status = pool_run(s->cli, &s->pool);
    if (s->bar) fputs("\r\033[K", stderr);
    return status;
}

RbStatus run_sweep(Cli *cli) {
    Sweep s = {.cli = cli};
    double only = 0;
    TRY(prepare(&s));
    TRY(cli_number(cli, "only", &only));
    if (cli_has(cli, "only")) return run_one(&s, only);
    TRY(sweep_log_open(cli, &s.log, cli_has(cli, "resume")));
    if (s.part < 0 && cli_has(cli, "resume")) merge_parts(&s);
    s.done_before = s.log.finished;
    s.bar = isatty(2) && !cli_has(cli, "quiet");
    s.since = now();
    RbStatus status = s.engine.name ? run_engine(&s) : make_runs(&s);
    if (s.log.finished == 0 && (status != RB_OK || s.engine.name)) remove(s.log.path);
    if (s.part >= 0 || (s.engine.name && s.engine.script_only)) return status;
    if (status == RB_OK) status = sweep_log_close(cli, &s.log, s.table, &s.design, &s.kept);
    if (status == RB_OK) remove_parts(&s);
    if (status == RB_OK) status = write_report(&s);
    if (s.log.finished > 0) print_end(&s);
    if (status != RB_INTERRUPTED) return status;
    return cli_fail(cli, RB_INTERRUPTED, NULL,
                    "interrupted after %d of %d runs; '--resume' continues", s.log.finished,
                    s.design.runs);
}

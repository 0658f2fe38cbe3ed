// SPDX-License-Identifier: MIT
#include "sweep_keep.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------------
// --keep

void keep_add(Cli *cli, Kept *k, const char *text, Formula *formula) {
    if (k->count == k->room) {
        size_t room = 2 * (size_t)k->room + 8, used = (size_t)k->count;
        const char **texts = cli_room(cli, room * sizeof *texts);
        Formula **formulas = cli_room(cli, room * sizeof *formulas);
        if (used) memcpy(texts, k->texts, used * sizeof *texts);
        if (used) memcpy(formulas, k->formulas, used * sizeof(Formula *));
        k->texts = texts, k->formulas = formulas, k->room = (int)room;
    }
    k->texts[k->count] = text;
    k->formulas[k->count++] = formula;
    k->needs_rows |= formula_needs_rows(formula);
}

static RbStatus keep_text(Cli *cli, Kept *kept, const char *text) {
    Formula *formula;
    TRY(formula_read(cli, "--keep", text, &kept->signals, &formula));
    keep_add(cli, kept, text, formula);
    return RB_OK;
}

static RbStatus keep_states(Cli *cli, const RbModel *model, Kept *kept) {
    const RbModelVariable *variables;
    int n;
    TRY(rb_model_variables(model, &variables, &n));
    for (int i = 0; i < n; i++)
        if (variables[i].kind == RB_MODEL_STATE && !strchr(variables[i].name, '['))
            TRY(keep_text(cli, kept, variables[i].name));
    if (kept->count > 0) return RB_OK;
    return cli_fail(
        cli, RB_ERROR_USAGE, NULL,
        "say what to keep of each run: '--keep NAME' for a final value, '--keep max(NAME)', ...; "
        "the table of one run, `rattleback simulate`, holds the names");
}

RbStatus keep_read(Cli *cli, const RbModel *model, Kept *kept) {
    *kept = (Kept){0};
    for (int i = 0; i < cli->given_count; i++) {
        const char *text = cli_given(cli, i, "keep");
        if (text) TRY(keep_text(cli, kept, text));
    }
    return kept->count > 0 ? RB_OK : keep_states(cli, model, kept);
}

// ------------------------------------------------------------------------------------------------------
// runs

static void evaluate(Cli *cli, const Kept *kept, const RunData *data, double *values) {
    for (int i = 0; i < kept->count; i++)
        values[i] = formula_value(cli, kept->formulas[i], data);
}

static RbStatus fail_name(Cli *cli, const char *name) {
    return cli_fail(cli, RB_ERROR_USAGE, NULL, "the result has no variable '%s' to keep", name);
}

static RbStatus run_to_end(Cli *cli, RbRun *run, double stop, const Signals *s, double *final) {
    TRY(rb_run_step(run, RB_UNTIL_TIME, stop, NULL));
    for (int i = 0; i < s->count; i++) {
        int variable = rb_run_find(run, s->names[i]);
        if (variable < 0) return fail_name(cli, s->names[i]);
        TRY(rb_run_get(run, &variable, 1, &final[i]));
    }
    return RB_OK;
}

static RbStatus run_held(Cli *cli, RbModel *model, const RbSimOptions *o, const Kept *kept,
                         double *values) {
    RbRun *run;
    RbSummary summary;
    double *final = cli_room(cli, (size_t)(kept->signals.count + 1) * sizeof *final);
    TRY(rb_run_open(cli->context, model, o, &run));
    RbStatus status = run_to_end(cli, run, o->stop_time, &kept->signals, final),
             closed = rb_run_close(run, &summary);
    if (status != RB_OK) return status;
    evaluate(cli, kept, &(RunData){.final = final, .summary = &summary}, values);
    return closed;
}

static RbStatus measure_rows(Cli *cli, const char *journal, const RbSummary *summary,
                             const Kept *kept, double *values) {
    RbResults *results;
    const Signals *s = &kept->signals;
    TRY(rb_results_open(cli->context, journal, &results));
    size_t rows = rb_results_rows(results);
    double *t = cli_room(cli, (rows + 1) * sizeof *t);
    double **x = cli_room(cli, (size_t)(s->count + 1) * sizeof *x);
    TRY(rb_results_times(results, t));
    for (int i = 0; i < s->count; i++) {
        int variable = rb_results_find(results, s->names[i]);
        if (variable < 0) return fail_name(cli, s->names[i]);
        x[i] = cli_room(cli, (rows + 1) * sizeof *x[i]);
        TRY(rb_results_values(results, variable, x[i]));
    }
    evaluate(cli, kept, &(RunData){.t = t, .x = x, .rows = rows, .summary = summary}, values);
    return RB_OK;
}

RbStatus keep_run(Cli *cli, RbModel *model, const RbSimOptions *o, const Kept *kept,
                  double *values) {
    RbSummary summary;
    if (!kept->needs_rows) return run_held(cli, model, o, kept, values);
    TRY(rb_simulate(cli->context, model, o, &summary));
    return measure_rows(cli, o->journal_file, &summary, kept, values);
}

// SPDX-License-Identifier: MIT
#include "sweep_keep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------------
// --keep

static const struct {
    const char *name;
    Measure measure;
} functions[] = {
    {"final", MEASURE_FINAL}, {"min", MEASURE_MIN},           {"max", MEASURE_MAX},
    {"mean", MEASURE_MEAN},   {"time_min", MEASURE_TIME_MIN}, {"time_max", MEASURE_TIME_MAX},
    {"at", MEASURE_AT},       {"when", MEASURE_WHEN}};

static const struct {
    const char *name;
    Measure measure;
} words[] = {{"events", MEASURE_EVENTS}, {"steps", MEASURE_STEPS}, {"end", MEASURE_END}};

static RbStatus fail_keep(Cli *cli, const char *text, const char *why) {
    return cli_fail(
        cli, RB_ERROR_USAGE, NULL,
        "'--keep %s': %s; write NAME, final(NAME), min, max, mean, time_min, time_max, "
        "at(NAME, TIME), when(NAME < NUMBER), when(NAME > NUMBER), events, steps or end",
        text, why);
}

static const char *trimmed(Cli *cli, const char *from, const char *to) {
    while (from < to && *from == ' ') from++;
    while (to > from && to[-1] == ' ') to--;
    return cli_copy(cli, from, (size_t)(to - from));
}

// The last comma, or the relation, before the closing bracket.
static const char *find_last(const char *from, const char *to, const char *letters) {
    for (const char *at = to; at > from; at--)
        if (strchr(letters, at[-1])) return at - 1;
    return NULL;
}

static RbStatus read_operands(Cli *cli, Kept *k, const char *from, const char *to) {
    if (k->measure != MEASURE_AT && k->measure != MEASURE_WHEN) {
        k->signal = trimmed(cli, from, to);
        return RB_OK;
    }
    const char *mark = find_last(from, to, k->measure == MEASURE_AT ? "," : "<>");
    if (!mark) return fail_keep(cli, k->text, "the second operand is missing");
    char *end;
    const char *number = trimmed(cli, mark + 1, to);
    k->number = strtod(number, &end);
    if (end == number || *end || !isfinite(k->number))
        return fail_keep(cli, k->text, "the second operand is not a number");
    k->below = *mark == '<';
    k->signal = trimmed(cli, from, mark);
    return RB_OK;
}

// A name may contain brackets of its own, as der(x) does: only what begins with one of our words is a function.
static RbStatus read_kept(Cli *cli, const char *text, Kept *k) {
    size_t length = strlen(text);
    *k = (Kept){.text = text, .signal = text};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(text, words[i].name) != 0) continue;
        *k = (Kept){.text = text, .measure = words[i].measure};
        return RB_OK;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        size_t n = strlen(functions[i].name);
        if (strncmp(text, functions[i].name, n) != 0 || text[n] != '(') continue;
        if (text[length - 1] != ')') return fail_keep(cli, text, "a ')' is missing");
        k->measure = functions[i].measure;
        return read_operands(cli, k, text + n + 1, text + length - 1);
    }
    return RB_OK;
}

static RbStatus keep_states(Cli *cli, const RbModel *model, Kept **kept, int *count) {
    const RbModelVariable *variables;
    int n;
    TRY(rb_model_variables(model, &variables, &n));
    *kept = cli_room(cli, (size_t)(n + 1) * sizeof **kept);
    for (int i = 0; i < n; i++)
        if (variables[i].kind == RB_MODEL_STATE && !strchr(variables[i].name, '['))
            TRY(read_kept(cli, variables[i].name, &(*kept)[(*count)++]));
    if (*count > 0) return RB_OK;
    return cli_fail(
        cli, RB_ERROR_USAGE, NULL,
        "say what to keep of each run: '--keep NAME' for a final value, '--keep max(NAME)', ...; "
        "the table of one run, `rattleback simulate`, holds the names");
}

RbStatus keep_read(Cli *cli, const RbModel *model, Kept **kept, int *count) {
    *count = 0;
    *kept = cli_room(cli, (size_t)(cli->given_count + 1) * sizeof **kept);
    for (int i = 0; i < cli->given_count; i++) {
        const char *text = cli_given(cli, i, "keep");
        if (text) TRY(read_kept(cli, text, &(*kept)[(*count)++]));
    }
    return *count > 0 ? RB_OK : keep_states(cli, model, kept, count);
}

// ------------------------------------------------------------------------------------------------------
// a run without rows

bool keep_needs_rows(const Kept *kept, int count) {
    for (int i = 0; i < count; i++)
        if (kept[i].measure != MEASURE_FINAL && kept[i].measure < MEASURE_EVENTS) return true;
    return false;
}

static double of_summary(const RbSummary *s, Measure measure) {
    if (measure == MEASURE_EVENTS) return (double)(s->state_events + s->time_events);
    return measure == MEASURE_STEPS ? (double)s->steps : s->time;
}

static RbStatus fail_name(Cli *cli, const char *name) {
    return cli_fail(cli, RB_ERROR_USAGE, NULL, "the result has no variable '%s' to keep", name);
}

static RbStatus run_to_end(Cli *cli, RbRun *run, double stop, const Kept *kept, int count,
                           double *values) {
    TRY(rb_run_step(run, RB_UNTIL_TIME, stop, NULL));
    for (int i = 0; i < count; i++) {
        if (!kept[i].signal) continue;
        int variable = rb_run_find(run, kept[i].signal);
        if (variable < 0) return fail_name(cli, kept[i].signal);
        TRY(rb_run_get(run, &variable, 1, &values[i]));
    }
    return RB_OK;
}

static RbStatus run_held(Cli *cli, RbModel *model, const RbSimOptions *o, const Kept *kept,
                         int count, double *values) {
    RbRun *run;
    RbSummary summary;
    TRY(rb_run_open(cli->context, model, o, &run));
    RbStatus status = run_to_end(cli, run, o->stop_time, kept, count, values),
             closed = rb_run_close(run, &summary);
    for (int i = 0; i < count; i++)
        if (!kept[i].signal) values[i] = of_summary(&summary, kept[i].measure);
    return status != RB_OK ? status : closed;
}

// ------------------------------------------------------------------------------------------------------
// a run with rows

typedef struct Series {
    const double *t, *x;
    size_t rows;
} Series;

// Linear between rows; at an event, where a time stands twice, the value after it.
static double value_at(Series s, double time) {
    size_t i = s.rows - 1;
    if (s.rows == 0 || time < s.t[0] || time > s.t[i]) return NAN;
    while (i > 0 && s.t[i] > time) i--;
    if (i + 1 == s.rows || s.t[i] == time) return s.x[i];
    return s.x[i] + (s.x[i + 1] - s.x[i]) * (time - s.t[i]) / (s.t[i + 1] - s.t[i]);
}

static double first_time(Series s, double bound, bool below) {
    double sign = below ? -1 : 1;
    for (size_t i = 0; i < s.rows; i++) {
        double now = sign * (s.x[i] - bound);
        if (!(now > 0)) continue;
        if (i == 0 || s.t[i] == s.t[i - 1] || isnan(s.x[i - 1])) return s.t[i];
        double before = sign * (s.x[i - 1] - bound);
        return s.t[i - 1] + (s.t[i] - s.t[i - 1]) * before / (before - now);
    }
    return NAN;
}

// Over the time in which it exists, by trapezia.
static double mean(Series s) {
    double area = 0, length = 0;
    for (size_t i = 1; i < s.rows; i++) {
        double part = 0.5 * (s.x[i] + s.x[i - 1]) * (s.t[i] - s.t[i - 1]);
        if (isnan(part)) continue;
        area += part;
        length += s.t[i] - s.t[i - 1];
    }
    return length > 0 ? area / length : s.rows > 0 ? s.x[0] : NAN;
}

static size_t extreme(Series s, double sign) {
    size_t best = 0;
    for (size_t i = 1; i < s.rows; i++)
        if (sign * s.x[i] > sign * s.x[best] || (isnan(s.x[best]) && !isnan(s.x[i]))) best = i;
    return best;
}

static double measured(Series s, const Kept *k) {
    if (s.rows == 0) return NAN;
    switch (k->measure) {
        case MEASURE_MIN: return s.x[extreme(s, -1)];
        case MEASURE_MAX: return s.x[extreme(s, 1)];
        case MEASURE_TIME_MIN: return s.t[extreme(s, -1)];
        case MEASURE_TIME_MAX: return s.t[extreme(s, 1)];
        case MEASURE_MEAN: return mean(s);
        case MEASURE_AT: return value_at(s, k->number);
        case MEASURE_WHEN: return first_time(s, k->number, k->below);
        default: return s.x[s.rows - 1];
    }
}

static RbStatus measure_rows(Cli *cli, const char *journal, const RbSummary *summary,
                             const Kept *kept, int count, double *values) {
    RbResults *results;
    TRY(rb_results_open(cli->context, journal, &results));
    size_t rows = rb_results_rows(results);
    double *t = cli_room(cli, (rows + 1) * sizeof *t), *x = cli_room(cli, (rows + 1) * sizeof *x);
    TRY(rb_results_times(results, t));
    for (int i = 0; i < count; i++) {
        if (!kept[i].signal) {
            values[i] = of_summary(summary, kept[i].measure);
            continue;
        }
        int variable = rb_results_find(results, kept[i].signal);
        if (variable < 0) return fail_name(cli, kept[i].signal);
        TRY(rb_results_values(results, variable, x));
        values[i] = measured((Series){t, x, rows}, &kept[i]);
    }
    return RB_OK;
}

RbStatus keep_run(Cli *cli, RbModel *model, const RbSimOptions *o, const Kept *kept, int count,
                  double *values) {
    RbSummary summary;
    if (!keep_needs_rows(kept, count)) return run_held(cli, model, o, kept, count, values);
    TRY(rb_simulate(cli->context, model, o, &summary));
    return measure_rows(cli, o->journal_file, &summary, kept, count, values);
}

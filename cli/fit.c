// SPDX-License-Identifier: MIT
// fit: parameters for which signals of the model are next to measured ones, by the method of Levenberg and Marquardt
// over difference quotients (docs/theory/fit.md). The runs of a step are made by the pool of a sweep.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "open_model.h"
#include "simulate.h"
#include "sweep_pool.h"

enum { MOST_PARAMETERS = 50, LADDER = 4, MOST_STEPS = 60 };

typedef struct Fitted {
    const char *name;
    double low, value, high;
} Fitted;

// Measured signals of one experiment: values[signal][row], in the order of Fit.signals; NaN: not measured there.
typedef struct Experiment {
    const char *file, *settings; // NAME=VALUE,... of this experiment; NULL: none
    size_t rows;
    int first, count; // its residuals
    double *times, **values;
} Experiment;

typedef struct Fit {
    Cli *cli;
    RbModel *model;
    RbSimOptions options;
    Fitted *fitted;
    int k; // parameters
    Experiment *experiments;
    int experiment_count;
    const char **signals;
    int signal_count;
    int m; // residuals
    int *signal_of;
    double *noise; // of each signal: residuals are divided by it
    // trials of the present batch, and what came of them
    double *trials, *residuals;
    int trial_count, next;
    bool *good;
    const char *reason;
    Pool pool;
    long runs;
} Fit;

// ------------------------------------------------------------------------------------------------------
// options

static RbStatus read_fitted(Cli *cli, const char *text, Fitted *f) {
    const char *equals = strchr(text, '=');
    int used = 0;
    bool good = equals && equals > text &&
                sscanf(equals + 1, "%lf:%lf:%lf%n", &f->low, &f->value, &f->high, &used) == 3 &&
                !equals[1 + used] && isfinite(f->low) && isfinite(f->high) && f->low < f->high &&
                f->value >= f->low && f->value <= f->high;
    if (!good)
        return cli_fail(
            cli, RB_ERROR_USAGE, NULL,
            "'--fit %s' is not of the form NAME=LOW:START:HIGH with LOW <= START <= HIGH", text);
    f->name = cli_copy(cli, text, (size_t)(equals - text));
    return RB_OK;
}

static RbStatus read_parameters(Fit *f) {
    Cli *cli = f->cli;
    f->fitted = cli_room(cli, (size_t)(cli->given_count + 1) * sizeof *f->fitted);
    for (int i = 0; i < cli->given_count; i++) {
        const char *text = cli_given(cli, i, "fit");
        if (text) TRY(read_fitted(cli, text, &f->fitted[f->k++]));
    }
    if (f->k == 0)
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "name what is unknown: '--fit NAME=LOW:START:HIGH'");
    if (f->k > MOST_PARAMETERS)
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "at most %d parameters are fitted at once",
                        MOST_PARAMETERS);
    for (int i = 0; i < f->k; i++) // wrong names are reported at once
        TRY(rb_model_set_text(f->model, f->fitted[i].name, cli_shortest(cli, f->fitted[i].value)));
    return RB_OK;
}

static void add_signal(Fit *f, const char *name) {
    for (int i = 0; i < f->signal_count; i++)
        if (strcmp(f->signals[i], name) == 0) return;
    f->signals[f->signal_count++] = name;
}

static RbStatus read_experiment(Fit *f, Experiment *e, RbResults **results) {
    TRY(rb_results_open(f->cli->context, e->file, results));
    e->rows = rb_results_rows(*results);
    if (e->rows == 0) return cli_fail(f->cli, RB_ERROR_IO, e->file, "no measured rows");
    e->times = cli_room(f->cli, e->rows * sizeof *e->times);
    TRY(rb_results_times(*results, e->times));
    for (int i = 0; i < rb_results_count(*results); i++)
        add_signal(f, rb_results_name(*results, i));
    return RB_OK;
}

static RbStatus read_values(Fit *f, Experiment *e, const RbResults *results) {
    e->values = cli_room(f->cli, (size_t)f->signal_count * sizeof *e->values);
    for (int s = 0; s < f->signal_count; s++) {
        e->values[s] = cli_room(f->cli, e->rows * sizeof(double));
        for (size_t r = 0; r < e->rows; r++) e->values[s][r] = NAN;
        int column = rb_results_find(results, f->signals[s]);
        if (column >= 0) TRY(rb_results_values(results, column, e->values[s]));
    }
    return RB_OK;
}

static RbStatus read_data(Fit *f) {
    enum { MOST_SIGNALS = 1000 };
    Cli *cli = f->cli;
    RbResults **results = cli_room(cli, (size_t)(cli->given_count + 1) * sizeof *results);
    f->experiments = cli_room(cli, (size_t)(cli->given_count + 1) * sizeof *f->experiments);
    f->signals = cli_room(cli, MOST_SIGNALS * sizeof *f->signals);
    for (int i = 0; i < cli->given_count; i++) {
        const char *text = cli_given(cli, i, "data");
        if (!text) continue;
        const char *colon = strchr(text, ':');
        Experiment *e = &f->experiments[f->experiment_count];
        e->file = colon ? cli_copy(cli, text, (size_t)(colon - text)) : text;
        e->settings = colon ? colon + 1 : NULL;
        TRY(read_experiment(f, e, &results[f->experiment_count++]));
    }
    if (f->experiment_count == 0)
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "give what was measured: '--data FILE.csv', with the time in its first "
                        "column and columns "
                        "called like variables of the model");
    for (int i = 0; i < f->experiment_count; i++)
        TRY(read_values(f, &f->experiments[i], results[i]));
    return RB_OK;
}

// Residuals, one for each value that was measured.
static void count_residuals(Fit *f) {
    for (int pass = 0; pass < 2; pass++) {
        f->m = 0;
        for (int i = 0; i < f->experiment_count; i++) {
            Experiment *e = &f->experiments[i];
            e->first = f->m;
            for (size_t r = 0; r < e->rows; r++)
                for (int s = 0; s < f->signal_count; s++) {
                    if (isnan(e->values[s][r])) continue;
                    if (pass == 1) f->signal_of[f->m] = s;
                    f->m++;
                }
            e->count = f->m - e->first;
        }
        if (pass == 0) f->signal_of = cli_room(f->cli, (size_t)(f->m + 1) * sizeof *f->signal_of);
    }
}

// To begin with, each signal is measured by its own standard deviation.
static void guess_noise(Fit *f) {
    f->noise = cli_room(f->cli, (size_t)f->signal_count * sizeof *f->noise);
    for (int s = 0; s < f->signal_count; s++) {
        double n = 0, sum = 0, squares = 0;
        for (int i = 0; i < f->experiment_count; i++)
            for (size_t r = 0; r < f->experiments[i].rows; r++) {
                double v = f->experiments[i].values[s][r];
                if (!isnan(v)) n++, sum += v, squares += v * v;
            }
        double variance = n > 0 ? squares / n - (sum / n) * (sum / n) : 0;
        f->noise[s] = variance > 0 ? sqrt(variance) : 1;
    }
}

// ------------------------------------------------------------------------------------------------------
// runs

static RbStatus apply_settings(Fit *f, const char *text) {
    while (text && *text) {
        size_t length = strcspn(text, ",");
        const char *item = cli_copy(f->cli, text, length), *equals = strchr(item, '=');
        if (!equals)
            return cli_fail(f->cli, RB_ERROR_USAGE, NULL,
                            "'%s' after '--data FILE:' is not of the form NAME=VALUE", item);
        TRY(rb_model_set_text(f->model, cli_copy(f->cli, item, (size_t)(equals - item)),
                              equals + 1));
        text += length + (text[length] == ',');
    }
    return RB_OK;
}

// Differences to what was measured, at its times.
static RbStatus compare_run(Fit *f, const Experiment *e, RbRun *run, double *residuals) {
    double *out = residuals;
    for (size_t r = 0; r < e->rows; r++) {
        TRY(rb_run_step(run, RB_UNTIL_TIME, e->times[r], NULL));
        for (int s = 0; s < f->signal_count; s++) {
            double value;
            if (isnan(e->values[s][r])) continue;
            TRY(rb_run_get_named(run, f->signals[s], &value));
            *out++ = value - e->values[s][r];
        }
    }
    return RB_OK;
}

static RbStatus run_experiment(Fit *f, const Experiment *e, double *residuals) {
    RbRun *run;
    RbSimOptions o = f->options;
    TRY(apply_settings(f, e->settings));
    o.stop_time = fmax(e->times[e->rows - 1], o.start_time);
    TRY(rb_run_open(f->cli->context, f->model, &o, &run));
    RbStatus status = compare_run(f, e, run, residuals), closed = rb_run_close(run, NULL);
    return status != RB_OK ? status : closed;
}

// Run number (trial, experiment): a process of its own, since settings of one experiment must not reach another.
static RbStatus compute(void *user, int run, double *residuals) {
    Fit *f = user;
    int trial = run / f->experiment_count;
    for (int i = 0; i < f->k; i++)
        TRY(rb_model_set_text(f->model, f->fitted[i].name,
                              cli_shortest(f->cli, f->trials[trial * f->k + i])));
    return run_experiment(f, &f->experiments[run % f->experiment_count], residuals);
}

static int next_run(void *user) {
    Fit *f = user;
    return f->next < f->trial_count * f->experiment_count ? f->next++ : -1;
}

static RbStatus take_run(void *user, const RunRow *row) {
    Fit *f = user;
    int trial = row->run / f->experiment_count;
    const Experiment *e = &f->experiments[row->run % f->experiment_count];
    f->runs++;
    if (row->status == RB_ERROR_USAGE)
        return cli_fail(f->cli, RB_ERROR_USAGE, NULL, "%s", row->reason);
    if (row->status != 0) f->good[trial] = false, f->reason = cli_printf(f->cli, "%s", row->reason);
    memcpy(f->residuals + (size_t)trial * (size_t)f->m + e->first, row->values,
           (size_t)e->count * sizeof(double));
    return RB_OK;
}

static void no_progress(void *user) {
    (void)user;
}

static RbStatus run_trials(Fit *f, int count) {
    f->trial_count = count, f->next = 0;
    for (int t = 0; t < count; t++) f->good[t] = true;
    return pool_run(f->cli, &f->pool);
}

// Sum of the squares of residuals, each in units of the noise of its signal; infinite for a run that failed.
static double cost_of(const Fit *f, int trial) {
    const double *r = f->residuals + (size_t)trial * (size_t)f->m;
    double sum = 0;
    if (!f->good[trial]) return INFINITY;
    for (int i = 0; i < f->m; i++) sum += pow(r[i] / f->noise[f->signal_of[i]], 2);
    return isfinite(sum) ? sum : INFINITY;
}

// ------------------------------------------------------------------------------------------------------
// Levenberg and Marquardt

typedef struct Normal {
    double *p;      // parameters
    double *r, *J;  // residuals and their derivatives (by columns), in units of noise
    double *H, *g;  // J'J and J'r
    double *L, *dp; // room for Cholesky's factor and a step
    double cost, lambda;
} Normal;

static double step_width(const Fitted *f, double p) {
    return 1e-4 * fmax(fabs(p), 0.01 * (f->high - f->low));
}

// Trials 2i and 2i + 1 move parameter i up and down, inside its bounds; the last one is the point itself.
static RbStatus differentiate(Fit *f, Normal *n) {
    for (int t = 0; t <= 2 * f->k; t++) {
        double *trial = f->trials + (size_t)t * (size_t)f->k;
        memcpy(trial, n->p, (size_t)f->k * sizeof *trial);
        if (t == 2 * f->k) continue;
        const Fitted *q = &f->fitted[t / 2];
        double h = step_width(q, n->p[t / 2]);
        trial[t / 2] = fmin(q->high, fmax(q->low, n->p[t / 2] + (t % 2 ? -h : h)));
    }
    TRY(run_trials(f, 2 * f->k + 1));
    for (int t = 0; t <= 2 * f->k; t++)
        if (!f->good[t])
            return cli_fail(f->cli, RB_ERROR_SOLVER, NULL, "a run of the fit failed: %s",
                            f->reason);
    size_t m = (size_t)f->m;
    const double *own = f->residuals + 2 * (size_t)f->k * m;
    for (size_t i = 0; i < m; i++) n->r[i] = own[i] / f->noise[f->signal_of[i]];
    for (int j = 0; j < f->k; j++) {
        const double *up = f->residuals + 2 * (size_t)j * m, *down = up + m;
        double width = f->trials[2 * j * f->k + j] - f->trials[(2 * j + 1) * f->k + j];
        for (size_t i = 0; i < m; i++)
            n->J[(size_t)j * m + i] = (up[i] - down[i]) / width / f->noise[f->signal_of[i]];
    }
    n->cost = cost_of(f, 2 * f->k);
    return RB_OK;
}

static double dot(const double *a, const double *b, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static void make_normal(const Fit *f, Normal *n) {
    for (int i = 0; i < f->k; i++) {
        n->g[i] = dot(n->J + (size_t)i * (size_t)f->m, n->r, f->m);
        for (int j = 0; j < f->k; j++)
            n->H[i * f->k + j] =
                dot(n->J + (size_t)i * (size_t)f->m, n->J + (size_t)j * (size_t)f->m, f->m);
    }
}

// (H + lambda diag H) x = b by Cholesky; false: not positive definite.
static bool solve(const double *H, double lambda, int k, double *L, const double *b, double *x) {
    for (int i = 0; i < k; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = H[i * k + j] * (i == j ? 1 + lambda : 1);
            for (int q = 0; q < j; q++) sum -= L[i * k + q] * L[j * k + q];
            if (i == j && !(sum > 1e-14 * H[i * k + i])) return false;
            L[i * k + j] = i == j ? sqrt(sum) : sum / L[j * k + j];
        }
        double sum = b[i];
        for (int q = 0; q < i; q++) sum -= L[i * k + q] * x[q];
        x[i] = sum / L[i * k + i];
    }
    for (int i = k - 1; i >= 0; i--) {
        for (int q = i + 1; q < k; q++) x[i] -= L[q * k + i] * x[q];
        x[i] /= L[i * k + i];
    }
    return true;
}

// Steps for a ladder of lambdas at once: the pool has room for them.
static RbStatus try_steps(Fit *f, Normal *n, int *best) {
    double least = n->cost;
    for (int t = 0; t < LADDER; t++) {
        double *trial = f->trials + (size_t)t * (size_t)f->k, lambda = n->lambda * pow(10, t - 1);
        if (!solve(n->H, lambda, f->k, n->L, n->g, n->dp))
            memset(n->dp, 0, (size_t)f->k * sizeof *n->dp);
        for (int i = 0; i < f->k; i++)
            trial[i] = fmin(f->fitted[i].high, fmax(f->fitted[i].low, n->p[i] - n->dp[i]));
    }
    TRY(run_trials(f, LADDER));
    *best = -1;
    for (int t = 0; t < LADDER; t++)
        if (cost_of(f, t) < least) least = cost_of(f, t), *best = t;
    return RB_OK;
}

static void show_step(const Fit *f, int step, const Normal *n) {
    if (!isatty(2) || cli_has(f->cli, "quiet")) return;
    fprintf(stderr, "\r\033[Kstep %d, %ld runs: rms of residuals %.6g of the noise", step, f->runs,
            sqrt(n->cost / f->m));
}

// Until no step makes the sum of squares smaller, or by less than 1e-9 of it twice.
static RbStatus descend(Fit *f, Normal *n) {
    int idle = 0;
    n->lambda = 1e-2;
    for (int step = 1;; step++) {
        int best;
        double before;
        TRY(differentiate(f, n));
        make_normal(f, n);
        before = n->cost;
        show_step(f, step, n);
        if (before <= 1e-24 * f->m || idle >= 2 || step == MOST_STEPS) return RB_OK;
        TRY(try_steps(f, n, &best));
        if (best < 0) {
            if (n->lambda > 1e6) return RB_OK;
            n->lambda *= 1e3;
            idle++;
            continue;
        }
        double after = cost_of(f, best);
        memcpy(n->p, f->trials + (size_t)best * (size_t)f->k, (size_t)f->k * sizeof *n->p);
        n->lambda = fmax(1e-12, n->lambda * pow(10, best - 2));
        idle = before - after < 1e-9 * before ? idle + 1 : 0;
    }
}

// Noise of each signal from what is left over.
static void estimate_noise(Fit *f, const Normal *n) {
    for (int s = 0; s < f->signal_count; s++) {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < f->m; i++)
            if (f->signal_of[i] == s) sum += pow(n->r[i] * f->noise[s], 2), count++;
        double share = (double)f->k * count / f->m; // of the parameters
        if (count > share && sum > 0) f->noise[s] = sqrt(sum / (count - share));
    }
}

// ------------------------------------------------------------------------------------------------------
// what came of it

// Column j of the inverse of H; H = J'J in units of noise, so that it is the covariance.
static bool covariance(const Fit *f, Normal *n, double *C) {
    double *e = cli_room(f->cli, (size_t)f->k * sizeof *e);
    for (int j = 0; j < f->k; j++) {
        memset(e, 0, (size_t)f->k * sizeof *e);
        e[j] = 1;
        if (!solve(n->H, 0, f->k, n->L, e, C + (size_t)j * (size_t)f->k)) return false;
    }
    return true;
}

static void print_result(const Fit *f, const Normal *n, const double *C) {
    for (int i = 0; i < f->k; i++) {
        const Fitted *q = &f->fitted[i];
        printf("%s = %.10g", q->name, n->p[i]);
        if (C) printf(" +- %.3g", 1.96 * sqrt(C[i * f->k + i]));
        if (n->p[i] <= q->low || n->p[i] >= q->high) printf("  (at its bound)");
        putchar('\n');
    }
    for (int i = 0; C && i < f->k; i++)
        for (int j = 0; j < i; j++)
            printf("correlation %s, %s: %.3f\n", f->fitted[j].name, f->fitted[i].name,
                   C[i * f->k + j] / sqrt(C[i * f->k + i] * C[j * f->k + j]));
    for (int s = 0; s < f->signal_count; s++)
        printf("noise of %s: %.4g\n", f->signals[s], f->noise[s]);
    if (!C)
        printf("the data do not tell all of these parameters apart: no confidence can be stated\n");
    else
        printf("+-: 95 %% confidence; %d values, %ld runs\n", f->m, f->runs);
}

// Model and measured values over time, as a result that can be plotted; experiments one after another.
static RbStatus write_table(Fit *f, const Normal *n, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) return cli_fail(f->cli, RB_ERROR_IO, path, "cannot write");
    const Experiment *e = &f->experiments[0];
    size_t at = 0;
    fputs("time", file);
    for (int s = 0; s < f->signal_count; s++)
        fprintf(file, ",\"%s\",\"%s measured\",\"%s residual\"", f->signals[s], f->signals[s],
                f->signals[s]);
    fputc('\n', file);
    for (size_t r = 0; r < e->rows; r++) {
        fprintf(file, "%.17g", e->times[r]);
        for (int s = 0; s < f->signal_count; s++) {
            double measured = e->values[s][r];
            if (isnan(measured)) {
                fputs(",,,", file);
                continue;
            }
            double residual = n->r[at++] * f->noise[s];
            fprintf(file, ",%.17g,%.17g,%.17g", measured + residual, measured, residual);
        }
        fputc('\n', file);
    }
    bool good = !ferror(file);
    if (fclose(file) != 0) good = false;
    return good ? RB_OK : cli_fail(f->cli, RB_ERROR_IO, path, "cannot write");
}

static int most_residuals(const Fit *f) {
    int most = 0;
    for (int i = 0; i < f->experiment_count; i++)
        most = f->experiments[i].count > most ? f->experiments[i].count : most;
    return most;
}

static RbStatus prepare(Fit *f) {
    Cli *cli = f->cli;
    TRY(open_model(cli, &f->model));
    TRY(simulate_options_read(cli, f->model, &f->options));
    if (!cli_has(cli, "tolerance")) f->options.tolerance = fmin(f->options.tolerance, 1e-8);
    f->options.interrupt = NULL, f->options.checkpoint_request = NULL;
    TRY(read_parameters(f));
    TRY(read_data(f));
    count_residuals(f);
    guess_noise(f);
    if (f->m <= f->k)
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "%d measured values are too few for %d parameters", f->m, f->k);
    size_t most = (size_t)(2 * f->k + 1 > LADDER ? 2 * f->k + 1 : LADDER);
    f->trials = cli_room(cli, most * (size_t)f->k * sizeof(double));
    f->residuals = cli_room(cli, most * (size_t)f->m * sizeof(double));
    f->good = cli_room(cli, most * sizeof *f->good);
    f->pool = (Pool){.value_count = most_residuals(f), .interrupt = &cli_interrupted};
    f->pool.compute = compute, f->pool.next = next_run, f->pool.take = take_run;
    f->pool.idle = no_progress, f->pool.user = f;
    return pool_read(cli, &f->pool);
}

static Normal new_normal(const Fit *f) {
    size_t k = (size_t)f->k, m = (size_t)f->m;
    Normal n = {0};
    n.p = cli_room(f->cli, k * sizeof(double)), n.g = cli_room(f->cli, k * sizeof(double));
    n.dp = cli_room(f->cli, k * sizeof(double)), n.r = cli_room(f->cli, m * sizeof(double));
    n.J = cli_room(f->cli, k * m * sizeof(double)), n.H = cli_room(f->cli, k * k * sizeof(double));
    n.L = cli_room(f->cli, k * k * sizeof(double));
    for (int i = 0; i < f->k; i++) n.p[i] = f->fitted[i].value;
    return n;
}

RbStatus run_fit(Cli *cli) {
    Fit f = {.cli = cli};
    TRY(prepare(&f));
    cli_catch_interrupts();
    Normal n = new_normal(&f);
    RbStatus status = descend(&f, &n);
    if (status == RB_OK) { // once more, each signal weighed by its noise
        estimate_noise(&f, &n);
        status = descend(&f, &n);
    }
    if (isatty(2) && !cli_has(cli, "quiet")) fputs("\r\033[K", stderr);
    if (status == RB_INTERRUPTED)
        return cli_fail(cli, RB_INTERRUPTED, NULL, "interrupted after %ld runs", f.runs);
    TRY(status);
    estimate_noise(&f, &n);
    TRY(differentiate(&f, &n)); // in units of the last noise
    make_normal(&f, &n);
    double *C = cli_room(cli, (size_t)(f.k * f.k) * sizeof *C);
    print_result(&f, &n, covariance(&f, &n, C) ? C : NULL);
    const char *table = cli_option(cli, "output-file");
    return table ? write_table(&f, &n, table) : RB_OK;
}

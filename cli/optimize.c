// SPDX-License-Identifier: MIT
// optimize: parameters for which a number that follows from a run is least, by NLopt (search.h). Searches are threads that
// wait for runs; the main thread makes the runs, by the pool of a sweep, whenever all of them wait. So what a search sees
// depends on nothing but its start, and a search that is resumed takes the same way through the runs of its log.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "open_model.h"
#include "search.h"
#include "simulate.h"
#include "sweep_log.h"

enum { MOST_UNKNOWNS = 100, MOST_STARTS = 1000 };

typedef struct Unknown {
    const char *name;
    double low, start, high;
} Unknown;

typedef enum SearchState { THINKS, WAITS, ENDED } SearchState;

typedef struct Optimize Optimize;

// One search and what it waits for. Its runs have the numbers number*most, number*most + 1, ...
typedef struct OneSearch {
    Optimize *of;
    int number;
    pthread_t thread;
    double *x; // in the unit cube
    SearchEnd end;
    SearchState state;
    const double *points;
    double *values;
    int count, handed_out, taken; // of these points
    int runs;                     // before them
} OneSearch;

struct Optimize {
    Cli *cli;
    RbModel *model;
    RbSimOptions options;
    Unknown *unknowns;
    int n;
    Kept kept; // the objective, then the constraints (left - right), then --keep
    int constraints;
    bool *equality;
    double sign; // -1: the objective is made greatest
    const SearchMethod *method;
    SearchProblem problem;
    OneSearch *searches;
    int search_count, most;
    Design design; // its cells are the points that were asked for
    SweepLog log;
    Pool pool;
    const char *table;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stop;
    double shown_best;
};

// ------------------------------------------------------------------------------------------------------
// threads of searches

static bool evaluate(void *user, const double *points, int count, double *values) {
    OneSearch *s = user;
    Optimize *o = s->of;
    pthread_mutex_lock(&o->lock);
    s->points = points, s->values = values;
    s->count = count, s->handed_out = s->taken = 0;
    s->state = WAITS;
    pthread_cond_broadcast(&o->changed);
    while (s->state == WAITS && !o->stop) pthread_cond_wait(&o->changed, &o->lock);
    bool go_on = !o->stop;
    s->runs += count;
    pthread_mutex_unlock(&o->lock);
    return go_on;
}

static void *search_thread(void *user) {
    OneSearch *s = user;
    SearchProblem problem = s->of->problem;
    problem.seed += (unsigned long)s->number;
    problem.user = s;
    SearchEnd end = search_run(&problem, s->x);
    pthread_mutex_lock(&s->of->lock);
    s->end = end;
    s->state = ENDED;
    pthread_cond_broadcast(&s->of->changed);
    pthread_mutex_unlock(&s->of->lock);
    return NULL;
}

// ------------------------------------------------------------------------------------------------------
// runs

static OneSearch *search_of(const Optimize *o, int run) {
    return &o->searches[run / o->most];
}

static double value_of(const Unknown *u, double point) {
    return point <= 0 ? u->low : point >= 1 ? u->high : u->low + point * (u->high - u->low);
}

static RbStatus set_values(Optimize *o, int run) {
    for (int j = 0; j < o->n; j++)
        TRY(rb_model_set_text(o->model, o->unknowns[j].name,
                              design_value(o->cli, &o->design, run, j)));
    return RB_OK;
}

static const char *journal_name(Optimize *o, int run) {
    return cli_printf(o->cli, "%s.run%d.rbj", o->table, run + 1);
}

static RbStatus compute(void *user, int run, double *values) {
    Optimize *o = user;
    RbSimOptions options = o->options;
    TRY(set_values(o, run));
    if (o->kept.needs_rows) options.journal_file = journal_name(o, run);
    return keep_run(o->cli, o->model, &options, &o->kept, values);
}

// Values of a finished run go to its search; after the last one it thinks again. The lock is held.
static void give_values(Optimize *o, int run) {
    OneSearch *s = search_of(o, run);
    int columns = 1 + o->constraints, point = run % o->most - s->runs;
    double *out = s->values + point * columns;
    const double *values = o->log.values + (long)run * o->log.columns;
    for (int c = 0; c < columns; c++)
        out[c] = o->log.status[run] == 0 ? values[c] * (c == 0 ? o->sign : 1) : NAN;
    if (++s->taken < s->count) return;
    s->state = THINKS;
    pthread_cond_broadcast(&o->changed);
}

static void note_point(Optimize *o, int run, const double *point) {
    for (int j = 0; j < o->n; j++)
        o->design.cells[(size_t)run * (size_t)o->n + (size_t)j] =
            cli_shortest(o->cli, value_of(&o->unknowns[j], point[j]));
}

static bool any_thinks(const Optimize *o) {
    for (int i = 0; i < o->search_count; i++)
        if (o->searches[i].state == THINKS) return true;
    return false;
}

// The next point that a search waits for, unless the log has its values. -1: none at present.
static int next_point(Optimize *o) {
    for (int i = 0; i < o->search_count; i++) {
        OneSearch *s = &o->searches[i];
        if (s->state != WAITS || s->handed_out == s->count) continue;
        int run = i * o->most + s->runs + s->handed_out;
        note_point(o, run, s->points + s->handed_out++ * o->n);
        return run;
    }
    return -1;
}

static int next_run(void *user) {
    Optimize *o = user;
    int run;
    pthread_mutex_lock(&o->lock);
    for (;;) {
        while (any_thinks(o)) pthread_cond_wait(&o->changed, &o->lock);
        run = next_point(o);
        if (run < 0 || o->log.status[run] < 0) break;
        give_values(o, run);
    }
    pthread_mutex_unlock(&o->lock);
    return run;
}

static RbStatus take_row(void *user, const RunRow *row) {
    Optimize *o = user;
    if (o->log.finished == 0 && row->status == RB_ERROR_USAGE)
        return cli_fail(o->cli, RB_ERROR_USAGE, NULL, "%s", row->reason);
    if (o->kept.needs_rows) remove(journal_name(o, row->run));
    TRY(sweep_log_add(o->cli, &o->log, row));
    pthread_mutex_lock(&o->lock);
    give_values(o, row->run);
    pthread_mutex_unlock(&o->lock);
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// the best run

static bool holds(const Optimize *o, const double *values) {
    for (int c = 0; c < o->constraints; c++) {
        double over = o->equality[c] ? fabs(values[1 + c]) : values[1 + c];
        if (!(over <= 1e-6)) return false;
    }
    return true;
}

static int best_run(const Optimize *o) {
    int best = -1;
    double least = INFINITY;
    for (int run = 0; run < o->log.runs; run++) {
        const double *values = o->log.values + (long)run * o->log.columns;
        if (o->log.status[run] != 0 || !holds(o, values) || !(o->sign * values[0] < least)) continue;
        least = o->sign * values[0];
        best = run;
    }
    return best;
}

static void show_progress(void *user) {
    Optimize *o = user;
    if (!isatty(2) || cli_has(o->cli, "quiet")) return;
    int best = best_run(o);
    fprintf(stderr, "\r\033[K%d runs", o->log.finished);
    if (best >= 0) fprintf(stderr, ", best %.8g", o->log.values[(long)best * o->log.columns]);
    if (o->log.failed > 0) fprintf(stderr, ", %d failed", o->log.failed);
}

static const char *end_text(SearchEnd end) {
    switch (end) {
        case SEARCH_PRECISION: return "the point does not move any more";
        case SEARCH_RUNS: return "'--most-runs' is used up";
        case SEARCH_TARGET: return "the target is reached";
        case SEARCH_STUCK: return "noise of the runs stops the method; a smaller '--tolerance' helps";
        case SEARCH_STOPPED: return "interrupted";
        case SEARCH_FAILED: break;
    }
    return "the method failed";
}

static void print_ends(const Optimize *o) {
    for (int end = 0; end <= SEARCH_FAILED; end++) {
        int count = 0;
        for (int i = 0; i < o->search_count; i++) count += (int)o->searches[i].end == end;
        if (count == 0) continue;
        if (o->search_count > 1) printf("%d of %d searches: ", count, o->search_count);
        printf("%s\n", end_text((SearchEnd)end));
    }
}

static RbStatus print_best(Optimize *o) {
    int best = best_run(o);
    if (best < 0) {
        const char *reason = NULL;
        for (int run = 0; run < o->log.runs && !reason; run++) reason = o->log.reasons[run];
        return cli_fail(o->cli, RB_ERROR_SOLVER, NULL, "no run of %d holds all constraints%s%s",
                        o->log.finished, reason ? "; one failed: " : "", reason ? reason : "");
    }
    const double *values = o->log.values + (long)best * o->log.columns;
    for (int j = 0; j < o->n; j++) {
        const Unknown *u = &o->unknowns[j];
        const char *text = design_value(o->cli, &o->design, best, j);
        double value = strtod(text, NULL);
        printf("%s = %.10g%s\n", u->name, value,
               value <= u->low || value >= u->high ? "  (at its bound)" : "");
    }
    for (int c = 0; c < o->kept.count; c++)
        printf("%s: %.10g\n", o->kept.texts[c], values[c]);
    printf("run %d; %d runs, %d failed\n", best + 1, o->log.finished, o->log.failed);
    print_ends(o);
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// options

static RbStatus read_unknown(Cli *cli, const char *text, Unknown *u) {
    const char *equals = strchr(text, '=');
    int used = 0;
    bool good = equals && equals > text &&
                sscanf(equals + 1, "%lf:%lf:%lf%n", &u->low, &u->start, &u->high, &used) == 3 &&
                !equals[1 + used] && isfinite(u->low) && isfinite(u->high) && u->low < u->high &&
                u->start >= u->low && u->start <= u->high;
    if (!good)
        return cli_fail(
            cli, RB_ERROR_USAGE, NULL,
            "'--vary %s' is not of the form NAME=LOW:START:HIGH with LOW <= START <= HIGH", text);
    u->name = cli_copy(cli, text, (size_t)(equals - text));
    return RB_OK;
}

static RbStatus read_unknowns(Optimize *o) {
    Cli *cli = o->cli;
    o->unknowns = cli_room(cli, (size_t)(cli->given_count + 1) * sizeof *o->unknowns);
    for (int i = 0; i < cli->given_count; i++) {
        const char *text = cli_given(cli, i, "vary");
        if (text) TRY(read_unknown(cli, text, &o->unknowns[o->n++]));
    }
    if (o->n == 0)
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "name what may vary: '--vary NAME=LOW:START:HIGH'");
    if (o->n > MOST_UNKNOWNS)
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "at most %d parameters vary at once",
                        MOST_UNKNOWNS);
    for (int i = 0; i < o->n; i++) // wrong names are reported at once
        TRY(rb_model_set_text(o->model, o->unknowns[i].name,
                              cli_shortest(cli, o->unknowns[i].start)));
    return RB_OK;
}

static RbStatus read_objective(Optimize *o) {
    const char *least = cli_option(o->cli, "minimize"), *most = cli_option(o->cli, "maximize");
    const char *text = least ? least : most;
    Formula *formula;
    if (!text || (least && most))
        return cli_fail(o->cli, RB_ERROR_USAGE, NULL,
                        "say what is to be least or greatest: either '--minimize FORMULA' or "
                        "'--maximize FORMULA'");
    o->sign = least ? 1 : -1;
    TRY(formula_read(o->cli, least ? "--minimize" : "--maximize", text, &o->kept.signals,
                     &formula));
    keep_add(o->cli, &o->kept, text, formula);
    return RB_OK;
}

static RbStatus read_constraints(Optimize *o) {
    Cli *cli = o->cli;
    o->equality = cli_room(cli, (size_t)(cli->given_count + 1) * sizeof *o->equality);
    for (int i = 0; i < cli->given_count; i++) {
        const char *text = cli_given(cli, i, "subject-to");
        Formula *excess;
        if (!text) continue;
        TRY(formula_read_excess(cli, "--subject-to", text, &o->kept.signals, &excess,
                                &o->equality[o->constraints]));
        keep_add(cli, &o->kept, text, excess);
        o->constraints++;
    }
    for (int i = 0; i < cli->given_count; i++) {
        const char *text = cli_given(cli, i, "keep");
        Formula *formula;
        if (!text) continue;
        TRY(formula_read(cli, "--keep", text, &o->kept.signals, &formula));
        keep_add(cli, &o->kept, text, formula);
    }
    return RB_OK;
}

static RbStatus find_method(Optimize *o, const char *name, const SearchMethod **method) {
    enum { MOST = 32 };
    const char *names[MOST];
    int count = 0;
    for (const SearchMethod *m; count < MOST && (m = search_method(count)); count++) {
        names[count] = m->name;
        if (strcmp(m->name, name) == 0) {
            *method = m;
            return RB_OK;
        }
    }
    if (count == 0)
        return cli_fail(o->cli, RB_ERROR_USAGE, NULL,
                        "this program was built without NLopt; install the Debian package "
                        "libnlopt-dev and build it again");
    Text all = text_new(o->cli);
    for (int i = 0; i < count; i++) text_printf(&all, "%s%s", i > 0 ? ", " : "", names[i]);
    return cli_fail(o->cli, RB_ERROR_USAGE, NULL, "there is no method '%s'; there are: %s%s", name,
                    all.data, cli_question(o->cli, name, "", names, count));
}

static RbStatus check_method(Optimize *o) {
    const SearchMethod *m = o->method;
    bool equalities = false, inequalities = false;
    for (int i = 0; i < o->constraints; i++) {
        equalities |= o->equality[i];
        inequalities |= !o->equality[i];
    }
    if ((equalities && !m->equalities) || (inequalities && !m->inequalities))
        return cli_fail(o->cli, RB_ERROR_USAGE, NULL,
                        "method '%s' does not take %s constraints; cobyla and slsqp (local) and isres "
                        "(global) do",
                        m->name, equalities && m->inequalities ? "equality" : "such");
    if (m->several && o->n < 2)
        return cli_fail(o->cli, RB_ERROR_USAGE, NULL, "method '%s' needs two parameters at least",
                        m->name);
    return RB_OK;
}

static RbStatus read_method(Optimize *o) {
    const char *local = o->constraints > 0 || o->n < 2 ? "cobyla" : "bobyqa";
    const char *name = cli_option(o->cli, "method");
    TRY(find_method(o, name ? name : local, &o->method));
    TRY(check_method(o));
    o->problem.method = o->method;
    return o->method->global ? find_method(o, local, &o->problem.refinement) : RB_OK;
}

static RbStatus read_whole(Cli *cli, const char *option, double least, double most, int *value) {
    double number = *value;
    TRY(cli_number(cli, option, &number));
    if (!(number >= least && number <= most) || number != rint(number))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'--%s' is a whole number from %.0f to %.0f, not '%s'", option, least, most,
                        cli_option(cli, option));
    *value = (int)number;
    return RB_OK;
}

static RbStatus read_limits(Optimize *o) {
    int most = (o->method->global ? 1000 : 200) * (o->n + 1), seed = 1;
    SearchProblem *p = &o->problem;
    o->search_count = 1;
    TRY(read_whole(o->cli, "starts", 1, MOST_STARTS, &o->search_count));
    TRY(read_whole(o->cli, "most-runs", 1, 1e6, &most));
    TRY(read_whole(o->cli, "seed", 0, 1e9, &seed));
    p->precision = 1e-6, p->target = -INFINITY;
    TRY(cli_positive(o->cli, "precision", &p->precision));
    if (cli_has(o->cli, "target")) {
        TRY(cli_number(o->cli, "target", &p->target));
        p->target *= o->sign;
    }
    for (o->most = 10; o->most < most;) o->most *= 10;
    if ((double)o->most * o->search_count > 1e8)
        return cli_fail(o->cli, RB_ERROR_USAGE, NULL, "'--starts' times '--most-runs' is too much");
    p->unknowns = o->n, p->constraints = o->constraints, p->equality = o->equality;
    p->most_points = most, p->seed = (unsigned long)seed, p->evaluate = evaluate;
    o->design.seed = (unsigned long long)seed;
    return RB_OK;
}

// The first search starts where the user says, further ones at points that fill the cube.
static void make_searches(Optimize *o) {
    Design d = {.kind = o->n <= 10 ? DESIGN_SOBOL : DESIGN_RANDOM, .seed = o->design.seed};
    o->searches = cli_room(o->cli, (size_t)o->search_count * sizeof *o->searches);
    for (int i = 0; i < o->search_count; i++) {
        OneSearch *s = &o->searches[i];
        s->of = o, s->number = i;
        s->x = cli_room(o->cli, (size_t)o->n * sizeof *s->x);
        for (int j = 0; j < o->n; j++) {
            const Unknown *u = &o->unknowns[j];
            s->x[j] = i == 0 ? (u->start - u->low) / (u->high - u->low) : design_point(&d, i - 1, j);
        }
    }
}

static void make_design(Optimize *o) {
    Design *d = &o->design;
    d->count = o->n, d->runs = o->most * o->search_count;
    d->varied = cli_room(o->cli, (size_t)o->n * sizeof *d->varied);
    for (int j = 0; j < o->n; j++) d->varied[j].name = o->unknowns[j].name;
    o->log.runs = d->runs, o->log.columns = o->kept.count;
    o->log.name = sweep_log_name(o->cli, d, o->kept.count);
    d->cells = cli_room(o->cli, (size_t)d->runs * (size_t)o->n * sizeof *d->cells);
}

static RbStatus prepare(Optimize *o) {
    Cli *cli = o->cli;
    TRY(open_model(cli, &o->model));
    TRY(simulate_options_read(cli, o->model, &o->options));
    if (!cli_has(cli, "tolerance")) o->options.tolerance = fmin(o->options.tolerance, 1e-8);
    o->options.interrupt = NULL, o->options.checkpoint_request = NULL;
    o->options.resume_file = NULL;
    TRY(read_unknowns(o));
    TRY(read_objective(o));
    TRY(read_constraints(o));
    TRY(read_method(o));
    TRY(read_limits(o));
    make_searches(o);
    o->table = cli_option(cli, "output-file");
    if (!o->table) o->table = cli_printf(cli, "%s_optimize.csv", rb_model_info(o->model).name);
    if (!ends_with(o->table, ".csv") && !ends_with(o->table, ".mat"))
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "the table is a .csv or .mat file, not '%s'",
                        o->table);
    o->log.path = cli_printf(cli, "%s.runs", o->table);
    make_design(o);
    o->pool = (Pool){.value_count = o->kept.count, .interrupt = &cli_interrupted, .user = o};
    o->pool.compute = compute, o->pool.next = next_run, o->pool.take = take_row;
    o->pool.idle = show_progress;
    return pool_read(cli, &o->pool);
}

// ------------------------------------------------------------------------------------------------------

static RbStatus start_searches(Optimize *o, int *started) {
    for (*started = 0; *started < o->search_count; (*started)++) {
        OneSearch *s = &o->searches[*started];
        if (pthread_create(&s->thread, NULL, search_thread, s) == 0) continue;
        s->state = ENDED;
        return cli_fail(o->cli, RB_ERROR_MEMORY, NULL, "cannot start a thread for search %d",
                        *started + 1);
    }
    return RB_OK;
}

static RbStatus run_searches(Optimize *o) {
    int started;
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->changed, NULL);
    RbStatus status = start_searches(o, &started);
    if (status == RB_OK) status = pool_run(o->cli, &o->pool);
    pthread_mutex_lock(&o->lock);
    o->stop = true;
    pthread_cond_broadcast(&o->changed);
    pthread_mutex_unlock(&o->lock);
    for (int i = 0; i < started; i++) pthread_join(o->searches[i].thread, NULL);
    pthread_cond_destroy(&o->changed);
    pthread_mutex_destroy(&o->lock);
    return status;
}

RbStatus run_optimize(Cli *cli) {
    Optimize o = {.cli = cli};
    TRY(prepare(&o));
    TRY(sweep_log_open(cli, &o.log, cli_has(cli, "resume")));
    cli_catch_interrupts();
    RbStatus status = run_searches(&o);
    if (isatty(2) && !cli_has(cli, "quiet")) fputs("\r\033[K", stderr);
    if (status != RB_OK && o.log.finished == 0) remove(o.log.path);
    if (status == RB_INTERRUPTED)
        return cli_fail(cli, RB_INTERRUPTED, NULL,
                        "interrupted after %d runs; '--resume' continues", o.log.finished);
    TRY(status);
    TRY(sweep_log_close(cli, &o.log, o.table, &o.design, &o.kept));
    return print_best(&o);
}

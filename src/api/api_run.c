// SPDX-License-Identifier: MIT
// Opening, stepping and closing a run (include/rattleback/run.h).
#include "api/api_run.h"

#include <math.h>
#include <string.h>

#include "translate/equation_half.h"

// -------------------------------------------------------------------------------------------------
// what the calls share

RbStatus rb_run_refuse(RbRun *r) {
    return rb_bad_argument(r->context, "rb_run", "run",
                           "has run out of memory and can only be closed");
}

void rb_run_enter(RbRunGuard *g, RbRun *r) {
    g->run = r;
    g->busy = r->busy;
    r->busy = true;
    rb_guard_enter(&g->heap, rb_call_heap(r->context));
}

void rb_run_leave(RbRunGuard *g) {
    RbRun *r = g->run;
    rb_guard_leave(&g->heap);
    r->busy = g->busy;
    if (!g->heap.failed) return;
    r->broken = true;
    r->status = RB_ERROR_MEMORY;
}

RbStatus rb_run_look(RbRun *r) {
    RB_TRY(rb_sim_settle(&r->sim));
    if (!r->stale) return RB_OK;
    RB_TRY(rb_look_refresh(&r->look));
    r->stale = false;
    return RB_OK;
}

// A failure of the run itself, not of the call.
static RbStatus note_failure(RbRun *r, RbStatus status) {
    if (status == RB_OK) return RB_OK;
    rb_sim_explain(&r->sim, status);
    r->status = status;
    return status;
}

// -------------------------------------------------------------------------------------------------
// what a run sets is gone when it is closed

static void keep_settings(RbRun *r) {
    RbModel *m = r->sim.model;
    r->settings = rb_packer(&r->arena);
    for (int i = 0; i < m->instances.count; i++)
        rb_instance_save_settings(&m->instances.data[i], &r->settings);
    const RbInstance *equations = rb_model_equations(m);
    if (equations) rb_equations_save_settings(equations->self, &r->settings);
}

static void give_settings_back(RbRun *r) {
    RbModel *m = r->sim.model;
    RbUnpacker in = rb_unpacker(r->settings.bytes.data, (size_t)r->settings.bytes.count);
    for (int i = 0; i < m->instances.count; i++)
        rb_instance_load_settings(&m->instances.data[i], &in);
    RbInstance *equations = rb_model_equations(m);
    if (equations) rb_equations_load_settings(equations->self, &in);
    rb_model_input_function(m, NULL, NULL);
}

// -------------------------------------------------------------------------------------------------
// opening

static RbStatus make_run(RbContext *c, const RbSim *sim, RbArena *arena, RbRun **run) {
    RB_CALL(c);
    *arena = rb_arena(&c->heap);
    RbRun *r = rb_new(arena, RbRun);
    *r = (RbRun){.context = c, .next = c->runs, .stale = true, .sim = *sim};
    *run = r;
    return RB_OK;
}

static RbStatus open_run(RbRun *r) {
    RB_RUN_CALL(r);
    r->look = rb_look(&r->sim, &r->arena);
    r->show = rb_show(&r->context->heap, &r->arena);
    keep_settings(r);
    r->opened = true;
    return note_failure(r, rb_sim_open(&r->sim));
}

// *run: NULL unless it must be closed, whatever the status.
static RbStatus start_run(RbContext *c, RbModel *model, const RbSimOptions *options, bool unseen,
                          bool journal_is_ours, RbRun **run) {
    RbSim sim = {.model = model,
                 .options = *options,
                 .heap = &c->heap,
                 .diag = &c->diag,
                 .log = &c->log,
                 .unseen = unseen,
                 .journal_is_ours = journal_is_ours};
    RbArena arena = {0};
    RbRun *r = NULL;
    RbStatus status = make_run(c, &sim, &arena, &r);
    if (status != RB_OK) {
        rb_arena_free(&arena);
        return status;
    }
    r->arena = arena;
    c->runs = r;
    model->running = true;
    *run = r;
    return open_run(r);
}

RbStatus rb_run_check_open(RbContext *c, RbModel *model, const RbSimOptions *options,
                           const char *function) {
    if (!c) return RB_ERROR_USAGE;
    if (!model) return rb_bad_argument(c, function, "model", "is NULL");
    if (!options) return rb_bad_argument(c, function, "options", "is NULL");
    if (options->threads < 0)
        return rb_bad_argument(c, function, "options->threads", "is negative");
    if (model->context != c)
        return rb_bad_argument(c, function, "model", "belongs to another context");
    if (model->running)
        return rb_bad_argument(c, function, "model", "has a run that is open; close it first");
    return RB_OK;
}

RbStatus rb_run_open(RbContext *context, RbModel *model, const RbSimOptions *options, RbRun **run) {
    RB_NEED(context, run);
    *run = NULL;
    RB_TRY(rb_run_check_open(context, model, options, __func__));
    RbRun *r = NULL;
    RbStatus status = start_run(context, model, options, false, false, &r);
    if (status == RB_OK) *run = r;
    if (status != RB_OK) rb_run_close(r, NULL);
    return status;
}

// -------------------------------------------------------------------------------------------------
// closing

static RbStatus close_run(RbRun *r) {
    RB_CALL(r->context);
    if (!r->opened) return r->status;
    if (r->status == RB_OK) note_failure(r, rb_sim_settle(&r->sim));
    // What may fail for want of memory comes before the journal says that it is complete.
    const char *sizes = rb_model_changed_sizes(r->sim.model, &r->context->arena);
    RbStatus status = rb_sim_close(&r->sim, r->status);
    r->sim.summary.changed_sizes = sizes;
    return status;
}

static void unlink_run(RbRun *r) {
    RbRun **place = &r->context->runs;
    while (*place != r) place = &(*place)->next;
    *place = r->next;
}

RbStatus rb_run_close(RbRun *r, RbSummary *summary) {
    if (!r) return RB_OK;
    if (r->busy)
        return rb_bad_argument(r->context, __func__, "run",
                               "is in the middle of a call: close it when that has returned");
    RbStatus status = close_run(r);
    if (summary) *summary = r->sim.summary;
    while (r->saved) rb_saved_free(r->saved);
    if (r->opened) give_settings_back(r);
    r->sim.model->running = false;
    unlink_run(r);
    rb_sim_free(&r->sim);
    rb_arena_free(&r->shown);
    rb_show_free(&r->show);
    RbArena arena = r->arena;
    rb_arena_free(&arena);
    return status;
}

bool rb_close_runs(RbContext *c) {
    for (const RbRun *r = c->runs; r; r = r->next)
        if (r->busy) return false;
    while (c->runs) rb_run_close(c->runs, NULL);
    return true;
}

// -------------------------------------------------------------------------------------------------
// stepping

static RbStatus step(RbRun *r, RbUntil until, double time, RbStopped *stopped) {
    RB_RUN_CALL(r);
    RbSim *sim = &r->sim;
    long builds = sim->builds;
    RbStatus status = rb_sim_settle(sim);
    r->stale = true;
    sim->event = false;
    while (status == RB_OK && !rb_sim_finished(sim) && sim->time < time) {
        status = rb_sim_advance(sim, time);
        if (until == RB_UNTIL_STEP) break;
        if (until == RB_UNTIL_EVENT && sim->event) break;
    }
    *stopped = (RbStopped){.time = sim->time,
                           .event = sim->event,
                           .new_states = sim->builds != builds,
                           .finished = rb_sim_finished(sim)};
    return note_failure(r, status);
}

static RbStatus go_on(RbRun *r, RbUntil until, double time, RbStopped *stopped) {
    *stopped = (RbStopped){.time = r->sim.time};
    if (r->status == RB_INTERRUPTED) {
        r->status = RB_OK;
        r->sim.explained = false;
    }
    return step(r, until, time, stopped);
}

RbStatus rb_run_step(RbRun *run, RbUntil until, double time, RbStopped *stopped) {
    if (!run) return RB_ERROR_USAGE;
    RbContext *c = run->context;
    if (until < RB_UNTIL_TIME || until > RB_UNTIL_EVENT)
        return rb_bad_argument(c, __func__, "until", "is none of the values of RbUntil");
    if (isnan(time)) return rb_bad_argument(c, __func__, "time", "is not a number");
    if (rb_sim_by_caller(&run->sim))
        return rb_bad_argument(c, __func__, "run",
                               "is integrated by its caller, with rb_run_move and rb_run_accept");
    if (run->status != RB_OK && run->status != RB_INTERRUPTED)
        return rb_bad_argument(c, __func__, "run",
                               "has failed; restore what was saved before, or close it");
    RbStopped ignored;
    return go_on(run, until, time, stopped ? stopped : &ignored);
}

double rb_run_time(const RbRun *run) {
    return run ? run->sim.time : NAN;
}

bool rb_run_finished(const RbRun *run) {
    return run && rb_sim_finished(&run->sim);
}

RbStatus rb_run_summary(const RbRun *run, RbSummary *summary) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, summary);
    RbRun *r = (RbRun *)(uintptr_t)run;
    rb_sim_fill_summary(&r->sim, run->status);
    *summary = run->sim.summary;
    return RB_OK;
}

// -------------------------------------------------------------------------------------------------
// a whole run

RbStatus rb_simulate_whole(RbContext *context, RbModel *model, const RbSimOptions *options,
                           bool journal_is_ours, bool *recorded, RbSummary *summary) {
    RbRun *r = NULL;
    if (options->solver && strcmp(options->solver, "caller") == 0)
        return rb_bad_argument(
            context, "rb_simulate", "options->solver",
            "is 'caller', which is for programs that integrate a run themselves");
    RbStopped stopped;
    RbStatus status = start_run(context, model, options, true, journal_is_ours, &r);
    if (status == RB_OK) go_on(r, RB_UNTIL_TIME, INFINITY, &stopped);
    if (!r) return status;
    *recorded = r->sim.recorder.journal != NULL;
    return rb_run_close(r, summary);
}

RbStatus rb_simulate(RbContext *context, RbModel *model, const RbSimOptions *options,
                     RbSummary *summary) {
    bool recorded;
    RB_TRY(rb_run_check_open(context, model, options, __func__));
    return rb_simulate_whole(context, model, options, false, &recorded, summary);
}

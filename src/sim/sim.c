// SPDX-License-Identifier: MIT
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "component/saver.h"
#include "sim/options.h"
#include "translate/equation_half.h"
#include "translate/input_file.h"

static RbStatus take_options(RbSim *sim);
static RbStatus open_journal(RbSim *sim);
static RbStatus compile_filter(RbSim *sim);
static RbStatus start(RbSim *sim);
static RbStatus end(RbSim *sim);
static RbStatus begin_segment(RbSim *sim, bool first);
static RbStatus record_outputs(RbSim *sim, double until, bool row_follows);
static RbStatus record_now(RbSim *sim);
static bool gets_row(const RbSim *sim, const RbIslandEvent *found);
static void tell_full_rows(RbSim *sim);
static bool output_is_now(const RbSim *sim);
static void tell_doubts(RbSim *sim);
static void look_at_end(RbSim *sim);
static bool inspect_step(RbSim *sim, RbStop *stop);
static RbStatus fetch(RbSim *sim, RbStopWhy why, const RbIslandEvent *found);
static RbStatus fetch_inside(RbSim *sim);
static RbStatus handle_event(RbSim *sim, const RbEventCause *cause);
static RbStatus react(RbSim *sim, const RbEventCause *cause, RbRestart restart);
static RbStatus settle_islands(RbSim *sim);
static RbStatus checkpoint_if_asked(RbSim *sim);
static RbStatus checkpoint_if_due(RbSim *sim, bool due);
static void tell_progress(RbSim *sim);
static void tell_event(RbSim *sim, bool state_event, bool time_event);
bool rb_sim_finished(const RbSim *sim) {
    return sim->terminated || sim->time >= sim->options.stop_time;
}

static double wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ----------------------------------------------------------------------------------------------
// the whole run

RbStatus rb_sim_run(RbSim *sim) {
    RbStatus status = rb_sim_open(sim);
    while (status == RB_OK && !rb_sim_finished(sim)) status = rb_sim_advance(sim, INFINITY);
    return rb_sim_close(sim, status);
}

// Two runs that write to one file would destroy each other's result.
static RbStatus lock_journal(RbSim *sim) {
    const char *file = sim->options.journal_file;
    if (!file || sim->journal_is_ours) return RB_OK;
    return rb_file_lock(file, &sim->keep, sim->diag);
}

static RbStatus begin(RbSim *sim) {
    RB_TRY(lock_journal(sim));
    RB_TRY(compile_filter(sim));
    if (sim->model->inputs)
        rb_input_file_check(sim->model->inputs, sim->options.start_time, sim->options.stop_time,
                            sim->diag);
    if (sim->model->prepare)
        RB_TRY(sim->model->prepare(sim->model, sim->options.start_time, sim->diag));
    sim->fingerprint = rb_checkpoint_fingerprint(sim, &sim->keep);
    return sim->options.resume_file ? rb_checkpoint_resume(sim) : start(sim);
}

RbStatus rb_sim_open(RbSim *sim) {
    sim->wall_start = sim->wall_progress = wall_clock();
    sim->cpu_start = (double)clock() / CLOCKS_PER_SEC;
    sim->errors_before = sim->diag->error_count;
    sim->keep = rb_arena(sim->heap);
    sim->scratch = rb_arena(sim->heap);
    sim->trial = rb_arena(sim->heap);
    RB_TRY(take_options(sim));
    sim->time = sim->options.start_time;
    sim->checked = true;
    return begin(sim);
}

void rb_sim_free(RbSim *sim) {
    rb_arena_free(&sim->stages[0].arena);
    rb_arena_free(&sim->stages[1].arena);
    rb_arena_free(&sim->journal_arena);
    rb_arena_free(&sim->trial);
    rb_arena_free(&sim->scratch);
    rb_arena_free(&sim->keep);
}

// -----------------------------------------------------------------------------------------------------
// start

static RbStatus take_options(RbSim *sim) {
    RbModel *m = sim->model;
    RB_TRY(rb_sim_options_check(&sim->options, m->least_steps, sim->diag));
    for (int i = 0; i < m->instances.count; i++) {
        m->instances.data[i].run_start = sim->options.start_time;
        m->instances.data[i].run_stop = sim->options.stop_time;
        m->instances.data[i].threads = sim->options.threads;
        m->instances.data[i].output_interval = sim->options.output_interval;
        m->instances.data[i].by_caller = rb_sim_by_caller(sim);
        m->instances.data[i].engine = sim->options.engine;
        m->instances.data[i].particle_files = sim->options.particle_files;
        m->instances.data[i].particle_results = sim->options.particle_results;
        m->instances.data[i].particle_interval = sim->options.particle_interval;
        m->instances.data[i].counted = &sim->counted;
    }
    return RB_OK;
}

static RbStatus compile_filter(RbSim *sim) {
    const char *regex = sim->options.variable_filter;
    return regex ? rb_filter_compile(regex, &sim->keep, sim->diag, &sim->recorder.filter) : RB_OK;
}

// Only when the run has found its start: a model that cannot be initialised leaves the result of an
// earlier run alone.
static RbStatus open_journal(RbSim *sim) {
    const RbSimOptions *o = &sim->options;
    RbRecorder *r = &sim->recorder;
    if (!o->journal_file) return RB_OK;
    RbResultExperiment experiment = {sim->model->name, o->start_time, o->stop_time, o->tolerance};
    RbJournal *journal;
    sim->journal_arena = rb_arena(sim->heap);
    RB_TRY(rb_journal_create(o->journal_file, &experiment, rb_journal_options(),
                             &sim->journal_arena, sim->diag, &journal));
    r->journal = journal;
    return RB_OK;
}

static RbStatus start(RbSim *sim) {
    sim->next_checkpoint = sim->options.start_time + sim->options.checkpoint_interval;
    return begin_segment(sim, true);
}

// A component may find out only now that it has other states (a contact that sticks from the
// start): then build once more.
static RbStatus build_and_settle(RbSim *sim, bool first, RbRestart *restart) {
    for (int i = 0; i < sim->options.max_event_iterations; i++) {
        *restart = RB_NO_RESTART;
        RB_TRY(rb_stage_build(sim, sim->time, first && i == 0));
        RB_TRY(rb_event_iterate(sim, &(RbEventCause){.initial = true}, restart));
        if (*restart != RB_FULL_RESTART) return RB_OK;
    }
    return rb_fail(sim->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "the number of states at t = %.10g s does not settle in %d trials", sim->time,
                   sim->options.max_event_iterations);
}

static void log_start(RbSim *sim) {
    if (!rb_log_on(sim->log, RB_LOG_INIT)) return;
    const RbRunningSegment *stage = rb_sim_stage(sim);
    int count = stage->system->x_count;
    rb_log(sim->log, RB_LOG_INIT, "t = %.12g s: %d state%s", sim->time, count,
           count == 1 ? "" : "s");
    for (int i = 0; i < count; i++) {
        RbArena scratch = sim->scratch;
        rb_log(sim->log, RB_LOG_INIT, "t = %.12g s: %s = %.15g", sim->time,
               rb_system_state_name(stage->system, i, &scratch), stage->now.x[i]);
    }
}

// For the result: why it begins, and what the run has cost so far. Only numbers that a resumed run has
// in common with one left alone.
static RbStatus note_segment(RbSim *sim, bool first) {
    const RbSummary *s = &sim->summary;
    if (!sim->recorder.journal) return RB_OK;
    RbResultNote note = {.cause = first ? "start" : sim->cause,
                         .time = sim->time,
                         .states = rb_sim_stage(sim)->system->x_count,
                         .steps = (double)sim->finished.steps,
                         .events = (double)(s->state_events + s->time_events)};
    return rb_journal_note(sim->recorder.journal, &note, sim->diag);
}

// A segment begins: build the system, let the components settle, record where they stand, start the
// solver.
static RbStatus begin_segment(RbSim *sim, bool first) {
    RbRestart restart;
    RB_TRY(build_and_settle(sim, first, &restart));
    if (first && restart != RB_TERMINATE) RB_TRY(rb_sim_find_rest(sim));
    RbRunningSegment *stage = rb_sim_stage(sim);
    if (rb_evaluate(stage->evaluator, RB_WANT_DERIVATIVES, sim->time, stage->now.x, NULL, NULL) !=
        0) {
        return rb_evaluator_explain(stage->evaluator, sim->time, RB_ERROR_INIT, sim->diag);
    }
    if (first) log_start(sim);
    if (first) RB_TRY(open_journal(sim));
    RB_TRY(rb_recorder_begin_segment(&sim->recorder, stage->system, &stage->arena, sim->scratch,
                                     sim->diag, false));
    RB_TRY(note_segment(sim, first));
    RB_TRY(record_now(sim));
    if (restart == RB_TERMINATE) sim->terminated = true;
    return rb_stage_start_solver(sim);
}

// ---------------------------------------------------------------------------------------------------
// one step

// Time events that come so close that the run would never end: sample(0, 1e-300).
static RbStatus check_rhythm(RbSim *sim) {
    enum { LOOK_EVERY = 1000 };
    const double most = 1e10; // events in a run
    if (++sim->rhythm_count < LOOK_EVERY) return RB_OK;
    double rest = sim->options.stop_time - sim->time, passed = sim->time - sim->rhythm_start;
    sim->rhythm_count = 0;
    sim->rhythm_start = sim->time;
    if (rest * LOOK_EVERY <= most * passed) return RB_OK;
    return rb_fail(
        sim->diag, RB_ERROR_SOLVER, RB_NOWHERE,
        "t = %.10g s: the last %d time events took %.3g s, so that the rest of the run "
        "would have more than %.0e of them: look for an interval of sample() that is too "
        "small",
        sim->time, LOOK_EVERY, passed, most);
}

// A time event that misses the stop time by rounding only (sample(0, 0.1) until 0.3 s) is at it.
static void snap_to_stop(RbSim *sim) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    double stop = sim->options.stop_time;
    double slack = 1e-12 * fmax(fabs(stop), stop - sim->options.start_time); // [s]
    for (int i = 0; i < stage->system->part_count; i++) {
        double *next = &stage->now.next_time[i];
        if (*next > stop && *next <= stop + slack) *next = stop;
    }
}

// If the solver gave up by itself, components may know what is hard.
static RbStatus step_failed(RbSim *sim, RbStatus status, bool gave_up) {
    const RbRunningSegment *stage = rb_sim_stage(sim);
    status = rb_evaluator_explain(stage->evaluator, sim->time, status, sim->diag);
    if (gave_up)
        rb_evaluator_tell_suspects(stage->evaluator, sim->time, rb_stage_worst_state(stage),
                                   sim->diag);
    return status;
}

// Which times the next step cannot pass.
static RbStepEnd horizon(RbSim *sim) {
    const RbSimOptions *o = &sim->options;
    snap_to_stop(sim);
    return (RbStepEnd){.time_event = rb_stage_next_time_event(rb_sim_stage(sim)),
                       .checkpoint = o->checkpoint_interval > 0 ? sim->next_checkpoint : INFINITY};
}

static double latest(const RbSim *sim, const RbStepEnd *end) {
    return fmin(sim->options.stop_time, fmin(end->time_event, end->checkpoint));
}

// One step, to the target at most; what its end is, and the output points in it.
static RbStatus take_step(RbSim *sim, double target, RbStepEnd *end) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    const RbSimOptions *o = &sim->options;
    size_t calls = sim->heap->calls;
    RbStop stop = {.why = RB_STOP_END, .t = target};
    if (target > sim->time) {
        int told = sim->diag->messages.count;
        RbStatus status = rb_stage_step(sim, target, &stop);
        if (status != RB_OK) return step_failed(sim, status, sim->diag->messages.count > told);
    }
    bool crossed = rb_event_mark(stage, stop.why == RB_STOP_ROOT ? stop.roots : NULL);
    end->hidden = inspect_step(sim, &stop);
    if (stage->evaluator->step_failed)
        return rb_evaluator_explain(stage->evaluator, sim->time, RB_ERROR_SOLVER, sim->diag);
    sim->time = stop.t;
    end->found = stage->islands ? rb_islands_event(stage->islands) : NULL;
    // of islands: it may have no indicator
    end->at_state_event = crossed || (stop.why == RB_STOP_ROOT && stage->islands);
    end->at_time_event = stop.t >= end->time_event;
    end->quiet = end->at_time_event && !end->at_state_event && !end->hidden &&
                 stop.t < o->stop_time && stop.t < end->checkpoint &&
                 rb_stage_is_quiet(stage, stop.t);
    bool row_follows = (end->at_state_event && gets_row(sim, end->found)) || end->hidden ||
                       (stop.t >= latest(sim, end) && !end->quiet);
    RB_TRY(record_outputs(sim, stop.t, row_follows));
    if (sim->recorder.journal) RB_TRY(rb_journal_tick(sim->recorder.journal, sim->diag));
    bool inside = end->hidden && !rb_sim_by_caller(sim);
    RB_TRY(inside ? fetch_inside(sim) : fetch(sim, stop.why, end->found));
    sim->summary.allocations += (long)(sim->heap->calls - calls);
    end->at_state_event = end->at_state_event || end->hidden;
    return RB_OK;
}

static RbStatus meet_event(RbSim *sim, const RbStepEnd *end) {
    RbEventCause cause = {.time_event = end->at_time_event,
                          .found = end->at_time_event ? NULL : end->found,
                          .quiet = end->quiet};
    sim->summary.state_events += end->at_state_event;
    sim->summary.time_events += end->at_time_event;
    if (end->at_time_event) RB_TRY(check_rhythm(sim));
    sim->event = true;
    if (!end->quiet) tell_event(sim, end->at_state_event, end->at_time_event);
    return handle_event(sim, &cause);
}

// Integrate one step; at its end there may be an event, a checkpoint, or the end of the run.
static RbStatus advance(RbSim *sim, double limit) {
    RbStepEnd end = horizon(sim);
    RB_TRY(take_step(sim, fmin(latest(sim, &end), limit), &end));
    RB_TRY(rb_chatter_step(sim));
    double time = sim->time;
    if (end.at_state_event || end.at_time_event)
        RB_TRY(meet_event(sim, &end));
    else if (time >= sim->options.stop_time)
        RB_TRY(record_now(sim));
    return checkpoint_if_due(sim, time >= end.checkpoint);
}

RbStatus rb_sim_advance(RbSim *sim, double limit) {
    sim->event = false;
    if (sim->options.interrupt && *sim->options.interrupt) return RB_INTERRUPTED;
    RB_TRY(advance(sim, limit));
    tell_progress(sim);
    return RB_OK;
}

// Did something happen inside the step that its end does not show? Then the step ends there.
static bool inspect_step(RbSim *sim, RbStop *stop) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    double t0, t1;
    int indicator = 0, sign = 0;
    if (!stage->solver) return false; // islands have looked already
    rb_solver_interval(stage->solver, &t0, &t1);
    if (!(t1 > t0)) return false;
    double t = rb_stage_inspect(sim, t0, stop->t, &indicator, &sign);
    if (!(t <= stop->t)) return false;
    if (rb_sim_by_caller(sim)) t = stop->t; // who does not come back for it
    if (t < stop->t)
        rb_event_mark(stage, NULL); // what the end of the step showed has not happened yet
    if (indicator != RB_NONE) stage->fired[indicator] = (signed char)sign;
    stop->t = t;
    return true;
}

// States and quadratures where the solver stands. Nobody looks at them between steps of islands,
// and only at those concerned when islands meet, unless a row is written.
static RbStatus fetch(RbSim *sim, RbStopWhy why, const RbIslandEvent *found) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    if (stage->islands && why == RB_STOP_STEP) return RB_OK;
    bool row = sim->recorder.journal && gets_row(sim, found);
    if (!found || row || sim->time >= rb_stage_next_time_event(stage)) return rb_stage_fetch(sim);
    return rb_islands_fetch_event(stage->islands, stage->now.x);
}

// States and quadratures at sim->time, inside the last step.
static RbStatus fetch_inside(RbSim *sim) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    RB_TRY(rb_solver_interpolate(stage->solver, sim->time, stage->now.x));
    return rb_stage_quadrature(stage, sim->time, stage->now.q);
}

// What an event of a few islands has left where it was is brought up to date.
static RbStatus settle_islands(RbSim *sim) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    if (!stage->islands) return RB_OK;
    if (rb_islands_event(stage->islands)) rb_islands_fetch_others(stage->islands, stage->now.x);
    return rb_stage_quadrature(stage, sim->time, stage->now.q);
}

// Record, react, record again, and start anew what must be started anew.
static RbStatus handle_event(RbSim *sim, const RbEventCause *cause) {
    if (!cause->quiet && gets_row(sim, cause->found)) RB_TRY(record_now(sim));
    return react(sim, cause, RB_NO_RESTART);
}

static const char *why_changed(RbSim *sim, const RbEventCause *cause) {
    const char *said = rb_sim_stage(sim)->evaluator->because;
    return said[0] ? said : cause->set ? "values were set" : "other states";
}

static RbStatus react(RbSim *sim, const RbEventCause *cause, RbRestart restart) {
    RB_TRY(rb_event_iterate(sim, cause, &restart));
    bool row = !cause->quiet || restart > RB_RESTART;
    if (row && gets_row(sim, cause->found)) RB_TRY(record_now(sim));
    tell_full_rows(sim);
    const RbSolver *solver = rb_sim_stage(sim)->solver;
    bool ahead = solver && rb_solver_time(solver) > sim->time; // the event was inside its last step
    if (restart == RB_NO_RESTART && ahead) restart = RB_RESTART;
    if (restart > RB_RESTART) RB_TRY(settle_islands(sim));
    switch (restart) {
        case RB_NO_RESTART: return RB_OK;
        case RB_RESTART:
            RB_TRY(cause->found ? rb_stage_restart_found(sim)
                                : rb_stage_restart_solver(sim, cause->set));
            break;
        case RB_FULL_RESTART:
            snprintf(sim->cause, sizeof sim->cause, "%s", why_changed(sim, cause));
            RB_TRY(begin_segment(sim, false));
            break;
        case RB_TERMINATE: sim->terminated = true; return RB_OK;
    }
    return checkpoint_if_asked(sim);
}

// ---------------------------------------------------------------------------------------------------
// values from outside

RbStatus rb_sim_fetch(RbSim *sim) {
    return rb_sim_stage(sim)->islands ? rb_stage_fetch(sim) : RB_OK;
}

RbStatus rb_sim_begin_change(RbSim *sim) {
    if (sim->change != RB_NO_RESTART) return RB_OK;
    RB_TRY(rb_sim_fetch(sim));
    RB_TRY(record_now(sim));
    sim->change = RB_RESTART;
    return RB_OK;
}

// Parameters that follow from those that were set, of equations and components.
static RbStatus change_parameters(RbSim *sim) {
    RbInstance *equations = rb_model_equations(sim->model);
    sim->parameters_changed = false;
    RB_TRY(rb_equations_change_parameters(equations->self, sim->time, sim->diag));
    return sim->model->prepare ? sim->model->prepare(sim->model, sim->time, sim->diag) : RB_OK;
}

// Messages of the components are reasons, and their warnings were given when the run began.
static RbStatus renew_components(RbSim *sim, RbDiag *said) {
    const RbSystem *s = rb_sim_stage(sim)->system;
    for (int i = 0; i < s->part_count; i++) {
        RbArena arena = rb_arena(sim->heap);
        RbStatus status =
            rb_segment_renew(s->parts[i].instance, sim->time, &arena, sim->scratch, said);
        rb_arena_free(&arena);
        if (status != RB_OK) return status;
    }
    return RB_OK;
}

RbStatus rb_sim_try_parameters(RbSim *sim, const char **why) {
    *why = "";
    if (!sim->parameters_changed) return RB_OK;
    RB_TRY(change_parameters(sim));
    RbDiag said = rb_diag(sim->diag->arena);
    RbStatus status = renew_components(sim, &said);
    for (int i = 0; status != RB_OK && i < said.messages.count; i++) {
        if (said.messages.data[i].severity != RB_ERROR) continue;
        *why = said.messages.data[i].text;
        break;
    }
    return status;
}

RbStatus rb_sim_settle(RbSim *sim) {
    RbRestart change = sim->change;
    if (change == RB_NO_RESTART) return RB_OK;
    sim->change = RB_NO_RESTART;
    const char *why;
    RbStatus tried = rb_sim_try_parameters(sim, &why);
    if (tried != RB_OK && why[0])
        return rb_fail(sim->diag, tried, RB_NOWHERE, "parameters cannot be changed: %s", why);
    RB_TRY(tried);
    sim->keep_states = change == RB_FULL_RESTART;
    rb_event_mark(rb_sim_stage(sim), NULL);
    RbStatus status = react(sim, &(RbEventCause){.set = true}, change);
    sim->keep_states = false;
    return status;
}

RbStatus rb_sim_restart(RbSim *sim) {
    RB_TRY(rb_sim_settle(sim));
    RB_TRY(rb_sim_fetch(sim));
    if (output_is_now(sim)) RB_TRY(record_now(sim)); // the restarted solver could not look back
    return rb_stage_restart_solver(sim, true);
}

// ---------------------------------------------------------------------------------------------------
// a caller integrates

bool rb_sim_by_caller(const RbSim *sim) {
    return strcmp(sim->options.solver, "caller") == 0;
}

RbStatus rb_sim_move(RbSim *sim, double time, const double *x) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    sim->time = time;
    if (x) memcpy(stage->now.x, x, (size_t)stage->system->x_count * sizeof *x);
    return RB_OK;
}

RbStatus rb_sim_accept(RbSim *sim, bool *event) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    double start = rb_solver_time(stage->solver), end = sim->time;
    *event = false;
    if (!(end > start)) return RB_OK;
    RbStepEnd next = horizon(sim);
    rb_solver_put(stage->solver, end, stage->now.x);
    sim->time = start;
    RB_TRY(take_step(sim, end, &next));
    sim->end = next;
    *event = next.at_state_event || next.at_time_event;
    return !*event && end >= sim->options.stop_time ? record_now(sim) : RB_OK;
}

// Also where nothing was found: an indicator may be zero, and not have changed its sign.
RbStatus rb_sim_meet(RbSim *sim, bool *restart) {
    RbStepEnd end = sim->end;
    long before = sim->summary.restarts + sim->builds;
    sim->end = (RbStepEnd){0};
    sim->event = false;
    if (end.at_state_event || end.at_time_event) {
        RB_TRY(meet_event(sim, &end));
    } else if (sim->change == RB_NO_RESTART) {
        rb_event_mark(rb_sim_stage(sim), NULL);
        RB_TRY(react(sim, &(RbEventCause){.set = true}, RB_NO_RESTART));
    }
    RB_TRY(rb_sim_settle(sim));
    *restart = sim->summary.restarts + sim->builds != before;
    return RB_OK;
}

// The longest step that some component allows ends in an event, which the caller cannot pass.
double rb_sim_next_event(RbSim *sim) {
    const RbRunningSegment *stage = rb_sim_stage(sim);
    double most = stage->system->max_step;
    snap_to_stop(sim);
    double next = rb_stage_next_time_event(stage);
    return most > 0 ? fmin(next, rb_solver_time(stage->solver) + most) : next;
}

// A signal asked for a checkpoint: the solver has just started anew anyway.
static RbStatus checkpoint_if_asked(RbSim *sim) {
    volatile int *request = sim->options.checkpoint_request;
    if (!request || !*request || !sim->options.checkpoint_file) return RB_OK;
    *request = 0;
    RbRunningSegment *stage = rb_sim_stage(sim);
    if (stage->islands) {
        RB_TRY(rb_stage_fetch(sim));
        RB_TRY(rb_stage_restart_solver(sim, true)); // those that went on as well
    }
    return rb_checkpoint_write(sim);
}

// Multiples of the checkpoint interval force a restart in every run that has the option, so that a
// resumed run and one left alone take the same steps.
static RbStatus checkpoint_if_due(RbSim *sim, bool due) {
    const RbSimOptions *o = &sim->options;
    if (!due || rb_sim_finished(sim)) return RB_OK;
    double k = round((sim->next_checkpoint - o->start_time) / o->checkpoint_interval);
    sim->next_checkpoint = o->start_time + (k + 1) * o->checkpoint_interval;
    RB_TRY(rb_sim_restart(sim));
    return o->checkpoint_file ? rb_checkpoint_write(sim) : RB_OK;
}

// The last event: what comes to its end, or changes then, is recorded.
static RbStatus end(RbSim *sim) {
    RbRestart restart = RB_NO_RESTART;
    bool any = false;
    const RbSystem *s = rb_sim_stage(sim)->system;
    for (int i = 0; i < s->part_count; i++) any |= s->parts[i].instance->type->has_end;
    if (!any) return RB_OK;
    rb_event_mark(rb_sim_stage(sim), NULL);
    RB_TRY(rb_event_iterate(sim, &(RbEventCause){.terminal = true}, &restart));
    return restart == RB_NO_RESTART ? RB_OK : record_now(sim);
}

// ----------------------------------------------------------------------------------------------------
// recording

static double output_time(const RbSim *sim) {
    return sim->options.start_time +
           (double)sim->recorder.next_output * sim->options.output_interval;
}

// Rows of events are bounded, whatever happens how often.
static bool event_rows_are_full(const RbSim *sim) {
    double most = sim->most_event_bytes > 0 ? sim->most_event_bytes : 256e6;
    double rows = (double)(sim->recorder.rows - sim->recorder.next_output);
    return rows * (sim->recorder.kept_count + 1) * sizeof(double) > most;
}

static void tell_full_rows(RbSim *sim) {
    if (sim->rows_cut || sim->options.output_interval == 0 ||
        strcmp(sim->options.event_rows, "all") == 0 || !event_rows_are_full(sim))
        return;
    sim->rows_cut = true;
    rb_warn(sim->diag, RB_NOWHERE,
            "t = %.6g s: %ld rows of events are in the result; from here on it has output points "
            "alone (--events all: every event; --variable-filter: fewer variables)",
            sim->time, sim->recorder.rows - sim->recorder.next_output);
}

// Does an event get rows of its own? One of two balls among hundreds would record all of them, so
// that recording grew with the square of their number: wide tables are written at output points, and
// at events that concern everybody. What crowds do for themselves makes nothing jump.
static bool gets_row(const RbSim *sim, const RbIslandEvent *found) {
    enum { WIDE = 4096 }; // columns
    const char *rows = sim->options.event_rows;
    bool all = strcmp(rows, "all") == 0;
    if (sim->options.output_interval == 0) return true;
    if (!all && event_rows_are_full(sim)) return false;
    if (!found) return true;
    if (strcmp(rows, "summary") == 0) return false;
    if (found->watch.quiet && !all) return false;
    return sim->recorder.width <= WIDE;
}

// An output point that differs by rounding only would be one point drawn twice.
static bool output_is_now(const RbSim *sim) {
    double interval = sim->options.output_interval;
    return interval > 0 && fabs(output_time(sim) - sim->time) <= 1e-9 * interval;
}

// Results were evaluated just now: warn of the first that cannot be trusted.
static void tell_doubts(RbSim *sim) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    if (sim->doubted) return;
    RbAccuracy accuracy = {.tolerance = sim->options.tolerance,
                           .balanced = stage->integrates && !sim->states_given,
                           .ends = sim->time >= sim->options.stop_time};
    sim->doubted = rb_evaluator_tell_doubts(stage->evaluator, &accuracy, sim->diag);
}

// Nothing is recorded: look at the end at least.
static void look_at_end(RbSim *sim) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    RbArena scratch = sim->scratch;
    if (sim->recorder.journal) return;
    double *results = rb_new_array(&scratch, double, stage->system->result_count);
    if (rb_evaluate_results(stage->evaluator, sim->time, stage->now.x, stage->now.q, results) == 0)
        tell_doubts(sim);
}

// Output points up to `until`. If a row is recorded there (an event, a checkpoint, the end), a
// point that differs by rounding only is left to it.
static RbStatus record_outputs(RbSim *sim, double until, bool row_follows) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    RbRecorder *r = &sim->recorder;
    double interval = sim->options.output_interval;
    if (!r->journal || interval <= 0) return RB_OK;
    double last = row_follows ? until - 1e-9 * interval : until;
    for (; output_time(sim) <= last; r->next_output++) {
        double t = output_time(sim);
        if (sim->options.interrupt && *sim->options.interrupt) return RB_INTERRUPTED;
        RB_TRY(rb_stage_interpolate(stage, t, r->x));
        RB_TRY(rb_stage_quadrature(stage, t, r->q));
        RbStatus status =
            rb_recorder_add(r, stage->evaluator, t, r->x, r->q, stage->now.d, sim->diag);
        if (status == RB_OK) tell_doubts(sim);
        if (status == RB_OK) continue;
        sim->time = t; // the run ends here, and says so
        return status;
    }
    return RB_OK;
}

// The values of now, whatever the grid says; an output point at this very time is thereby done.
static RbStatus record_now(RbSim *sim) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    RbRecorder *r = &sim->recorder;
    if (output_is_now(sim)) r->next_output++;
    if (!r->journal) return RB_OK;
    RB_TRY(rb_recorder_add(r, stage->evaluator, sim->time, stage->now.x, stage->now.q, stage->now.d,
                           sim->diag));
    tell_doubts(sim);
    return RB_OK;
}

// -------------------------------------------------------------------------------------------------------
// end

static uint64_t solver_hash(const RbSim *sim) {
    const RbRunningSegment *stage = &sim->stages[sim->stage];
    uint64_t hash = rb_hash_bytes(RB_HASH_START, &sim->time, sizeof sim->time);
    if (!stage->system || !stage->now.d) return hash; // memory ended between the two
    hash = rb_hash_bytes(hash, stage->now.x, (size_t)stage->system->x_count * sizeof(double));
    return rb_hash_bytes(hash, stage->now.d, (size_t)stage->system->d_count * sizeof(double));
}

// Of what the components would write into a checkpoint, too.
static uint64_t state_hash(const RbSim *sim) {
    const RbSystem *system = sim->stages[sim->stage].system;
    RbPacker all = rb_hashing_packer(solver_hash(sim));
    for (int i = 0; system && i < system->part_count; i++) {
        const RbInstance *c = system->parts[i].instance;
        if (c->type->save) c->type->save(c->self, &(RbSaver){&all});
    }
    return all.hash;
}

void rb_sim_fill_summary(RbSim *sim, RbStatus status) {
    RbSummary *s = &sim->summary;
    const RbRunningSegment *stage = &sim->stages[sim->stage];
    // Between events islands keep their states to themselves.
    if (stage->system && (status == RB_OK || status == RB_INTERRUPTED)) rb_sim_fetch(sim);
    RbSolverStats now = rb_stage_stats(stage);
    s->time = sim->time;
    s->complete = status == RB_OK && rb_sim_finished(sim);
    s->steps = sim->finished.steps + now.steps;
    s->jacobians = sim->finished.jacobians + now.jacobians;
    s->error_test_failures = sim->finished.error_test_failures + now.error_test_failures;
    s->nonlinear_failures = sim->finished.nonlinear_failures + now.nonlinear_failures;
    s->evaluations = sim->evaluations + (stage->evaluator ? stage->evaluator->evaluations : 0);
    s->states = stage->system ? stage->system->x_count : 0;
    s->rows = sim->recorder.rows;
    s->library_bytes = now.library_bytes;
    s->peak_bytes = sim->heap->peak;
    s->solver_hash = solver_hash(sim);
    s->particles = sim->counted.particles, s->particle_steps = sim->counted.steps;
    s->particles_refused = sim->counted.refused;
    s->state_hash = state_hash(sim);
    s->wall_time = wall_clock() - sim->wall_start;
    s->cpu_time = (double)clock() / CLOCKS_PER_SEC - sim->cpu_start;
}

// Only numbers that a resumed run has in common with one left alone.
static RbStatus end_journal(RbSim *sim, RbStatus status) {
    const RbSummary *s = &sim->summary;
    RbResultFigure figures[] = {
        {"steps", (double)s->steps},
        {"state_events", (double)s->state_events},
        {"time_events", (double)s->time_events},
        {"segments", s->segments},
    };
    RbJournalEnding ending = {.complete = status == RB_OK,
                              .reason = rb_status_name(status),
                              .figures = figures,
                              .figure_count = sizeof figures / sizeof *figures};
    if (status == RB_OK) ending.reason = NULL;
    return rb_journal_end(sim->recorder.journal, &ending, sim->diag);
}

void rb_sim_explain(RbSim *sim, RbStatus status) {
    if (status == RB_OK || status == RB_ERROR_MEMORY || sim->explained) return;
    sim->explained = true;
    if (status == RB_INTERRUPTED) {
        rb_fail(sim->diag, status, RB_NOWHERE,
                "interrupted at t = %g s; the result up to there is kept", sim->time);
    }
    const RbEvaluator *e = rb_sim_stage(sim)->evaluator;
    if (sim->diag->error_count == sim->errors_before && e)
        rb_evaluator_explain(e, sim->time, status, sim->diag);
    if (sim->diag->error_count == sim->errors_before) {
        rb_fail(sim->diag, status, RB_NOWHERE,
                "the run failed at t = %.10g s, and no component says why", sim->time);
    }
}

RbStatus rb_sim_close(RbSim *sim, RbStatus status) {
    if (!sim->checked) return status;
    if (status == RB_OK && rb_sim_finished(sim)) status = end(sim);
    if (status == RB_OK && rb_sim_finished(sim)) look_at_end(sim);
    rb_sim_fill_summary(sim, status);
    rb_sim_explain(sim, status);
    if (!sim->recorder.journal) return status;
    RbStatus closing = end_journal(sim, status);
    if (closing != RB_OK) sim->summary.complete = false;
    return status != RB_OK ? status : closing;
}

static void tell_progress(RbSim *sim) {
    const RbSimOptions *o = &sim->options;
    if (!o->progress) return;
    double now = wall_clock();
    if (now - sim->wall_progress < 0.1 && !rb_sim_finished(sim)) return;
    sim->wall_progress = now;
    long steps = sim->finished.steps + rb_stage_stats(rb_sim_stage(sim)).steps;
    RbProgress p = {.time = sim->time,
                    .start_time = o->start_time,
                    .stop_time = o->stop_time,
                    .steps = steps,
                    .events = sim->summary.state_events + sim->summary.time_events,
                    .segments = sim->summary.segments,
                    .elapsed = now - sim->wall_start,
                    .particles = sim->counted.particles,
                    .particle_steps = sim->counted.steps,
                    .molecules = sim->counted.molecules};
    o->progress(o->progress_user, &p);
}

static void tell_event(RbSim *sim, bool state_event, bool time_event) {
    const RbSimOptions *o = &sim->options;
    if (!o->event) return;
    RbRunningSegment *stage = rb_sim_stage(sim);
    RbArena scratch = sim->scratch;
    int fired = rb_event_first(stage);
    const char *name =
        fired == RB_NONE ? "" : rb_system_indicator_name(stage->system, fired, &scratch);
    RbEventNews news = {
        .time = sim->time, .state_event = state_event, .time_event = time_event, .indicator = name};
    o->event(o->event_user, &news);
}

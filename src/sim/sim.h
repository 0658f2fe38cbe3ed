// SPDX-License-Identifier: MIT
// sim.h: one run of a model: initialise, integrate, record, locate events, restart, build the next
// segment.
//
// Read sim.c first: rb_sim_run is the whole program in a page. The other files are its rooms:
//   stage.c       the segment that is running: system, solver, values
//   event.c       what happens at an event
//   record.c      rows of the journal
//   checkpoint.c  stopping and going on later
#pragma once

#include "base/diag.h"
#include "base/file.h"
#include "base/log.h"
#include "base/pack.h"
#include "model/evaluator.h"
#include "model/system.h"
#include "rattleback/sim.h"
#include "sim/island.h"
#include "sim/record.h"
#include "solver/solver.h"

// The segment that is running. Everything in it lives in its arena.
typedef struct RbRunningSegment {
    RbArena arena;
    double start; // [s]
    RbSystem *system;
    RbEvaluator *evaluator;
    RbEvaluator
        *look;        // for those who look from outside (look.h): leaves no trace; NULL: nobody has
    RbSolver *solver; // integrates the whole, or NULL:
    RbIslands *islands; // integrate the parts
    RbComposed composed;
    RbArena *composed_arena; // holds it
    RbOde ode;
    RbValues now;       // at sim->time; q is refreshed from the solver before it is used
    bool integrates;    // quadratures: somebody may read them; otherwise they are NaN
    RbValues before;    // copy for comparison during event iteration
    signed char *fired; // per indicator
    bool *restart_groups;
    double first_step; // [s] after this event; INFINITY: any
} RbRunningSegment;

// An indicator that fires again and again, or a function that a component watches in islands.
typedef struct RbRepetition {
    bool watched;
    int64_t what;
    int count;
    double first, last; // [s]
} RbRepetition;

// What the end of a step is.
typedef struct RbStepEnd {
    double time_event, checkpoint; // [s] that were due at the latest
    bool at_state_event, at_time_event;
    bool hidden;                // something that the indicators do not show
    bool quiet;                 // a time event without rows
    const RbIslandEvent *found; // of islands, by one component
} RbStepEnd;

typedef struct RbSim {
    RbModel *model;
    RbSimOptions options;
    RbHeap *heap;
    RbDiag *diag;
    const RbLog *log;
    bool unseen; // nobody looks at values between steps: what is not recorded is not needed
    double most_event_bytes; // of rows of events, unless all are wanted; 0: 256 MB
    bool journal_is_ours;    // the caller has locked the journal, and keeps it longer than the run
    RbArena keep;            // until the end of the run
    RbArena scratch, trial;  // until the end of a call
    RbArena journal_arena;

    double time; // [s]
    int stage;   // which of the two is running
    RbRunningSegment stages[2];
    RbRecorder recorder;
    RbSummary summary;
    RbSolverStats finished; // counters of the solvers of ended segments
    long evaluations;       // likewise
    bool terminated;
    long builds;             // of segments, also trials
    bool checked;            // the options were good: there is something to close
    bool event;              // at the end of the last step
    RbStepEnd end;           // of the step that a caller has made, before its event is dealt with
    char cause[384];         // why the running segment has begun
    RbRestart change;        // values were changed from outside, and nobody has reacted yet
    bool parameters_changed; // those of equations, which are computed anew when it is settled
    bool keep_states;        // the next segment has the states of this one
    const char *fingerprint; // of model and options, as they were when the run began
    int errors_before;       // messages that others left
    bool explained;          // why the run has failed
    bool doubted;            // a component does not trust its results, and this was reported
    bool states_given; // by equations or from outside, in mid-run: their energy is in no balance

    double next_checkpoint; // [s]
    double chatter_start;   // [s] start of the present burst of events
    int chatter_count;
    RbRepetition repetition;
    double stall_start; // [s] start of the present burst of steps
    int stall_count;
    bool rows_cut;       // events have no rows any more, and this was reported
    double rhythm_start; // [s] time events since then are counted
    int rhythm_count;
    double wall_start, cpu_start, wall_progress;
    RbParticleCount counted;
} RbSim;

static inline RbRunningSegment *rb_sim_stage(RbSim *sim) {
    return &sim->stages[sim->stage];
}

// Run to the stop time: open, advance until finished, close. model, options, heap, diag and log are
// set by the caller, the rest is zero. sim->summary is also filled after an error.
RbStatus rb_sim_run(RbSim *sim);

// The same by hand. One step of the solver, at most to `limit`, and what follows from it;
// sim->event then tells whether that was an event. rb_sim_close is given the status of the run.
RbStatus rb_sim_open(RbSim *sim);
RbStatus rb_sim_advance(RbSim *sim, double limit);
bool rb_sim_finished(const RbSim *sim);
RbStatus rb_sim_close(RbSim *sim, RbStatus status);

// A message for a failure that nobody has explained.
void rb_sim_explain(RbSim *sim, RbStatus status);
void rb_sim_fill_summary(RbSim *sim, RbStatus status);

// Between steps: bring stage->now up to date; then values there may be changed from outside, which
// is an event: begin (the row before it is recorded), change, and settle. A change of parameters
// sets sim->change to RB_FULL_RESTART.
RbStatus rb_sim_fetch(RbSim *sim);
RbStatus rb_sim_begin_change(RbSim *sim);

// Parameters of equations were changed: those that follow from them, and whether all components can go on with them.
// *why: what a component says against it.
RbStatus rb_sim_try_parameters(RbSim *sim, const char **why);
RbStatus rb_sim_set_tolerance(RbSim *sim, double tolerance); // such a change, from then on
RbStatus rb_sim_settle(RbSim *sim);

// Settle, and start the solver anew: what a checkpoint needs.
RbStatus rb_sim_restart(RbSim *sim);

// A caller integrates (solver "caller"): the run stands at any point of the present step, then at its end; *event: one is due
// there. Then that, and what was set, is dealt with.
bool rb_sim_by_caller(const RbSim *sim);
RbStatus rb_sim_move(RbSim *sim, double time, const double *x);
RbStatus rb_sim_accept(RbSim *sim, bool *event);
RbStatus rb_sim_meet(RbSim *sim, bool *restart); // *restart: values or equations have jumped
double rb_sim_next_event(RbSim *sim);            // [s] known in advance; INFINITY: none

// Does the run get on? After each event (found: of islands, or NULL) and each step (chatter.c).
RbStatus rb_chatter_event(RbSim *sim, const RbIslandEvent *found);
RbStatus rb_chatter_step(RbSim *sim);

// Give back all memory, also after rb_sim_run was abandoned because there was none.
void rb_sim_free(RbSim *sim);

// ---- stage.c

// End the running segment, if there is one, without a trace of it.
void rb_stage_end(RbSim *sim);

// Build the segment that begins at time; the running one, if any, ends.
RbStatus rb_stage_build(RbSim *sim, double time, bool first);

// Create the solver for the values in stage->now.
RbStatus rb_stage_start_solver(RbSim *sim);

// Start the solver anew from stage->now, with another pattern if the couplings have changed.
// Islands: those that stage->restart_groups tells, or all, as if the run began here.
RbStatus rb_stage_restart_solver(RbSim *sim, bool all);

// Islands, after an event that concerns one or two of them alone: only these are in stage->now.
RbStatus rb_stage_restart_found(RbSim *sim);

// One step of the solver or of the islands.
RbStatus rb_stage_step(RbSim *sim, double target, RbStop *stop);

// States and quadratures at a time inside the last step.
RbStatus rb_stage_interpolate(RbRunningSegment *stage, double t, double *x);
RbStatus rb_stage_quadrature(RbRunningSegment *stage, double t, double *q);

// Counters of the running solver or islands; zeros if there are none.
RbSolverStats rb_stage_stats(const RbRunningSegment *stage);

// After a step that failed: the state whose error was largest; RB_NONE: nobody knows.
int rb_stage_worst_state(const RbRunningSegment *stage);

// Let the components look along the step that was accepted: first time of an event that the
// indicators did not show, INFINITY if there is none; and the indicator that stands for it, with
// its sign.
double rb_stage_inspect(RbSim *sim, double t0, double t1, int *indicator, int *sign);

// Earliest time event wanted by a component.
double rb_stage_next_time_event(const RbRunningSegment *stage);
// Are all time events that are due quiet?
bool rb_stage_is_quiet(const RbRunningSegment *stage, double time);

// Copy states and quadratures of the solver, where it stands, to stage->now.
RbStatus rb_stage_fetch(RbSim *sim);

// ---- event.c

typedef struct RbEventCause {
    bool initial;
    bool terminal;
    bool set;                   // values were set from outside
    bool time_event;            // sim->time is the time that some component asked for
    const RbIslandEvent *found; // of islands, by one component; NULL: all must be asked
    bool quiet;                 // a time event without rows (rb_segment_quiet)
    RbRest *rest;               // a step towards a start at rest, `held` of the whole system
} RbEventCause;

// Note which indicators the solver saw change (NULL: none) in a direction that matters. False if
// there are none.
bool rb_event_mark(RbRunningSegment *stage, const int *roots);

// The first of these, or RB_NONE.
int rb_event_first(const RbRunningSegment *stage);

// Let the components react until nothing changes any more, or the one that has found the event.
// What must restart is in *restart.
RbStatus rb_event_iterate(RbSim *sim, const RbEventCause *cause, RbRestart *restart);

// ---- rest.c

// After the first segment was built and has settled: move the states to where everything rests, if a component wants that. The
// segment may be built anew.
RbStatus rb_sim_find_rest(RbSim *sim);

// ---- checkpoint.c

// One line per option or parameter that decides what a run computes.
const char *rb_checkpoint_fingerprint(const RbSim *sim, RbArena *arena);

// The state of the run, which stands at a restart: to a file, or as bytes.
RbStatus rb_checkpoint_write(RbSim *sim);
RbStatus rb_checkpoint_pack(RbSim *sim, RbPacker *out);

// Restore the components, the values and the journal; leaves the run standing where
// rb_checkpoint_write was called.
RbStatus rb_checkpoint_resume(RbSim *sim);
// The same for a file in memory. *begun: whether anything of the run was changed before a failure.
RbStatus rb_checkpoint_resume_bytes(RbSim *sim, const RbBytes *bytes, bool *begun);

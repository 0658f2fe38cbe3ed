// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "sim/sim.h"

// ---------------------------------------------------------------------- what the solver sees of
// the system

static int derivative(void *user, double t, const double *x, double *dx) {
    RbRunningSegment *stage = user;
    return rb_evaluate(stage->evaluator, RB_WANT_DERIVATIVES, t, x, dx, NULL);
}

static int roots(void *user, double t, const double *x, double *z) {
    RbRunningSegment *stage = user;
    return rb_evaluate_indicators(stage->evaluator, t, x, NULL, z);
}

static int residual(void *user, double t, const double *x, const double *dx, double *r) {
    RbRunningSegment *stage = user;
    return rb_evaluate_residual(stage->evaluator, t, x, dx, r);
}

static int residual_slopes(void *user, double t, const double *x, const double *dx,
                           double *values) {
    RbRunningSegment *stage = user;
    return rb_evaluate_slopes(stage->evaluator, &stage->composed, t, x, dx, values);
}

static int residual_roots(void *user, double t, const double *x, const double *dx, double *z) {
    RbRunningSegment *stage = user;
    return rb_evaluate_indicators(stage->evaluator, t, x, dx, z);
}

static int quadrature(void *user, double t, const double *x, double *dq) {
    RbRunningSegment *stage = user;
    return rb_evaluate(stage->evaluator, RB_WANT_QUADRATURES, t, x, NULL, dq);
}

static int jacobian(void *user, double t, const double *x, const double *dx, double *values) {
    (void)dx;
    RbRunningSegment *stage = user;
    return rb_evaluate_jacobian(stage->evaluator, &stage->composed, t, x, values);
}

static int both(void *user, double t, const double *x, double *dx, double *dq) {
    RbRunningSegment *stage = user;
    return rb_evaluate(stage->evaluator, RB_WANT_DERIVATIVES, t, x, dx, dq);
}

static const char *state_name(void *user, int index) {
    const RbRunningSegment *stage = user;
    return rb_system_own_state_name(stage->system, index);
}

static bool explains(void *user) {
    const RbRunningSegment *stage = user;
    return rb_evaluator_knows_why(stage->evaluator);
}

// ------------------------------------------------------------------------------------------------
// segments

static void keep_solver_counters(RbSim *sim, const RbRunningSegment *stage) {
    RbSolverStats s = rb_stage_stats(stage);
    sim->finished.steps += s.steps;
    sim->finished.jacobians += s.jacobians;
    sim->finished.error_test_failures += s.error_test_failures;
    sim->finished.nonlinear_failures += s.nonlinear_failures;
}

// The solver's counters go with its segment: add them up.
static void keep_counters(RbSim *sim, const RbRunningSegment *stage) {
    if (!stage->evaluator) return;
    keep_solver_counters(sim, stage);
    sim->evaluations += stage->evaluator->evaluations;
}

void rb_stage_end(RbSim *sim) {
    for (int i = 0; i < 2; i++) {
        RbRunningSegment *stage = &sim->stages[i];
        if (stage->arena.chunk) rb_arena_reset(&stage->arena); // closes its solver
        *stage = (RbRunningSegment){.arena = stage->arena};
    }
}

// Parameters have changed, and nothing else: every component goes on from the values it had.
static void keep_values(const RbRunningSegment *old, RbRunningSegment *stage, double time) {
    const RbSystem *a = old->system, *b = stage->system;
    for (int i = 0; i < b->part_count; i++) {
        const RbSystemPart *p = &a->parts[i], *q = &b->parts[i];
        const RbSegment *was = p->segment, *is = q->segment;
        size_t x = (size_t)is->states.count, n = (size_t)is->quadratures.count,
               d = (size_t)is->discretes.count;
        if (was->states.count != is->states.count || was->discretes.count != is->discretes.count ||
            was->quadratures.count != is->quadratures.count)
            continue; // it has other states by now, and knows their values
        if (is->carries) continue;
        memcpy(stage->now.x + q->x, old->now.x + p->x, x * sizeof(double));
        memcpy(stage->now.q + q->q, old->now.q + p->q, n * sizeof(double));
        memcpy(stage->now.d + q->d, old->now.d + p->d, d * sizeof(double));
        if (stage->now.next_time[i] < time) stage->now.next_time[i] = old->now.next_time[i];
    }
}

// A caller that integrates must be able to: the states are those of the start.
static RbStatus check_caller(RbSim *sim, const RbSystem *old, const RbSystem *s) {
    if (!rb_sim_by_caller(sim)) return RB_OK;
    for (int i = 0; i < s->part_count; i++) {
        const char *why = s->parts[i].segment->needs_solver;
        if (why)
            return rb_fail(sim->diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "only a solver of this library can integrate the model: %s", why);
    }
    if (!old || (old->x_count == s->x_count && old->z_count == s->z_count)) return RB_OK;
    return rb_fail(sim->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "t = %.10g s: the model has %d states and %d event indicators from here on, and "
                   "had %d and %d; the caller, who integrates it, cannot follow",
                   sim->time, s->x_count, s->z_count, old->x_count, old->z_count);
}

RbStatus rb_stage_build(RbSim *sim, double time, bool first) {
    RbRunningSegment *old = first ? NULL : rb_sim_stage(sim);
    int next = first ? 0 : 1 - sim->stage;
    RbRunningSegment *stage = &sim->stages[next];
    RbArena arena = stage->arena;
    if (arena.chunk)
        rb_arena_reset(&arena);
    else
        arena = rb_arena(sim->heap);
    *stage = (RbRunningSegment){.arena = arena, .start = time};

    RB_TRY(rb_system_build(sim->model, time, old ? old->system : NULL, old ? &old->now : NULL,
                           &stage->arena, sim->scratch, sim->diag, &stage->system));
    RbSystem *s = stage->system;
    RB_TRY(check_caller(sim, old ? old->system : NULL, s));
    stage->now = rb_system_values(s, &stage->arena);
    stage->before = rb_system_values(s, &stage->arena);
    stage->fired = rb_new_array(&stage->arena, signed char, s->z_count);
    stage->restart_groups = rb_new_array(&stage->arena, bool, s->group_count);
    stage->first_step = INFINITY;
    rb_system_start_values(s, &stage->now);
    if (old && sim->keep_states) keep_values(old, stage, time);
    stage->evaluator = rb_evaluator_new(s, stage->now.d, sim->log, &stage->arena);
    stage->evaluator->interrupt = sim->options.interrupt;
    if (old) {
        keep_counters(sim, old);
        rb_arena_reset(&old->arena); // closes its solver
        *old = (RbRunningSegment){.arena = old->arena};
    }
    sim->stage = next;
    sim->builds++;
    sim->summary.segments++;
    rb_log(sim->log, RB_LOG_STRUCTURE, "t = %.12g s: segment %d: %d states, %d event indicators",
           time, sim->summary.segments, s->x_count, s->z_count);
    return RB_OK;
}

// Lengths that matter (absolute states, weighed by how deep a contact sinks in) must be resolved,
// or a body that rests is thrown up and falls again without end.
static double tolerance_in_use(const RbSim *sim, const RbSystem *s) {
    const double coarsest = 1e-4;
    double asked = sim->options.tolerance;
    if (!(asked > coarsest)) return asked;
    for (int i = 0; i < s->x_count; i++) {
        if (!s->absolute[i]) continue;
        if (sim->summary.segments <= 1) {
            rb_warn(sim->diag, RB_NOWHERE,
                    "the tolerance %g does not resolve how deep contacts sink in; %g is used",
                    asked, coarsest);
        }
        return coarsest;
    }
    return asked;
}

// err_i <= tolerance (|x_i| + 0.1 nominal_i), as Modia scales them; for positions err_i <=
// tolerance nominal_i, but nobody can ask for more digits than a double has: a bound below its
// rounding would make the steps shrink for nothing. One system is asked for more exact places: with
// all of it BDF loses the energy of the rattleback (docs/theory/contact-set.md).
static const double PLACES_OF_ONE_SYSTEM = 0.2;

static void set_tolerances(const RbSim *sim, const RbSystem *s, RbArena *arena, double places,
                           RbSolverOptions *options) {
    const double tolerance = tolerance_in_use(sim, s);
    const double rounding = 1e-14; // of |x_i|: some 50 times the spacing of doubles
    double *relative = rb_new_array(arena, double, s->x_count),
           *absolute = rb_new_array(arena, double, s->x_count);
    for (int i = 0; i < s->x_count; i++) {
        relative[i] = s->absolute[i] ? rounding : tolerance;
        absolute[i] = (s->absolute[i] ? places : 0.1) * tolerance * s->nominal[i];
    }
    options->tolerance = tolerance;
    options->relative = relative;
    options->absolute = absolute;
}

static RbStatus start_whole(RbSim *sim, const char *solver);

// In memory of its own: contacts that come and go change it often. Answers that of the last one, which the solver still
// looks at.
static RbArena *compose(RbSim *sim, RbRunningSegment *stage) {
    bool residuals = stage->ode.residual != NULL;
    RbArena *last = stage->composed_arena, *own = rb_arena_child(&stage->arena);
    stage->composed_arena = own;
    stage->composed =
        rb_system_couplings(stage->system, stage->now.d, residuals, own, sim->scratch);
    stage->evaluator->jacobian = rb_new_array(own, double, stage->composed.value_count);
    stage->ode.jacobian = stage->composed.has_jacobian ? jacobian : NULL;
    stage->ode.pattern = &stage->composed.pattern;
    stage->ode.state_pattern = residuals ? &stage->composed.state_pattern : NULL;
    stage->ode.residual_slopes = stage->composed.has_slopes ? residual_slopes : NULL;
    return last;
}

// A heap of bodies that all touch is one large sparse system: made for one solver.
static RbStatus leave_islands_if_too_large(RbSim *sim) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    int states = rb_islands_overflow(stage->islands);
    if (states == 0) return RB_OK;
    rb_log(sim->log, RB_LOG_SOLVER,
           "t = %.12g s: %d states influence each other, too many for an island: cvode goes on "
           "with the whole system",
           sim->time, states);
    sim->summary.solver = "cvode";
    keep_solver_counters(sim, stage);
    stage->islands = NULL;
    stage->evaluator->steps = NULL;
    rb_evaluator_reset(stage->evaluator);
    return start_whole(sim, "cvode");
}

static RbStatus start_islands(RbSim *sim) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    RbSolverOptions tolerances = {0};
    stage->integrates = true; // each island adds its share
    set_tolerances(sim, stage->system, &stage->arena, 1, &tolerances);
    RbIslandOptions options = {.tolerance = tolerances.tolerance,
                               .relative = tolerances.relative,
                               .absolute = tolerances.absolute,
                               .max_step = sim->options.max_step,
                               .initial_step = sim->options.initial_step,
                               .log = sim->log};
    stage->islands =
        rb_islands_create(stage->system, stage->evaluator, &options, &stage->arena, sim->diag);
    rb_islands_set_quadrature(stage->islands, stage->now.q);
    rb_evaluator_reset(stage->evaluator);
    RB_TRY(rb_islands_restart(stage->islands, sim->time, stage->now.x, NULL));
    return leave_islands_if_too_large(sim);
}

// States that can be integrated alone are a block of their own in the error test.
static int *blocks_of(const RbSystem *s, RbArena *arena) {
    int *block = rb_new_array(arena, int, s->x_count);
    for (int i = 0; i < s->part_count; i++) {
        const RbSystemPart *p = &s->parts[i];
        for (int k = 0; k < p->segment->states.count; k++)
            block[p->x + k] = p->group + p->segment->states.data[k].group;
    }
    return block;
}

// Islands pay where some component has groups that can be apart: then a contact of two bodies does
// not stop the others. One body in lively stiff contact is done faster by BDF. Equations connect
// everything. Large linear systems for derivatives need not be solved with IDA. Where all states are
// places and speeds, and their components say that explicit steps pay, leapfrog is the best; where some are not, dp5.
static const char *choose_solver(const RbSystem *s) {
    if (s->implicit_count > 0) return "ida";
    if (s->explicit_step > 0) return "leapfrog";
    for (int i = 0; i < s->part_count; i++)
        if (s->parts[i].segment->nonstiff) return "dp5";
    if (rb_model_is_driven(s->model)) return rb_islands_beside_equations(s) ? "islands" : "cvode";
    for (int i = 0; i < s->part_count; i++) {
        const RbSegment *segment = s->parts[i].segment;
        if (s->parts[i].instance->type->islands && segment->group_count > 1) return "islands";
    }
    return "cvode";
}

RbStatus rb_stage_start_solver(RbSim *sim) {
    const char *solver = sim->options.solver;
    bool first = !sim->summary.solver, chosen = strcmp(solver, "auto") == 0;
    if (chosen) solver = choose_solver(rb_sim_stage(sim)->system);
    // a component that limits the step must see whole steps, and so must a function of all states
    bool whole = rb_sim_stage(sim)->system->max_step > 0 || sim->model->input_function;
    if (whole && strcmp(solver, "islands") == 0) {
        solver = "cvode";
        if (first && !chosen)
            rb_warn(sim->diag, RB_NOWHERE,
                    "solver islands gives each body its own steps, but this model needs all at "
                    "one time (meshes in contact, inputs as functions, delays): cvode is used");
    }
    if (first && chosen)
        rb_log(sim->log, RB_LOG_SOLVER, "solver: %s, chosen automatically", solver);
    sim->summary.solver = solver;
    // What began with the segment: the solver chooses, as one does that goes on from a checkpoint.
    rb_sim_stage(sim)->first_step = INFINITY;
    return strcmp(solver, "islands") == 0 ? start_islands(sim) : start_whole(sim, solver);
}

static void use_residuals(RbSim *sim, RbRunningSegment *stage) {
    int count = stage->system->implicit_count;
    stage->ode.residual = residual;
    stage->ode.residual_roots = residual_roots;
    sim->summary.residual_states = count;
    rb_log(
        sim->log, RB_LOG_SOLVER,
        "t = %.12g s: linear systems of %d unknowns, which are derivatives of states, are handed "
        "to ida in residual form",
        sim->time, count);
}

// Each step costs evaluations for its quadratures: not if nobody can tell.
static void choose_quadratures(const RbSim *sim, RbRunningSegment *stage) {
    stage->integrates = !sim->unseen || sim->recorder.shows_quadratures;
    for (int i = 0; !stage->integrates && i < stage->system->q_count; i++) stage->now.q[i] = NAN;
}

static bool vibrates(const RbSystem *s) {
    for (int i = 0; i < s->part_count; i++)
        if (s->parts[i].segment->vibrates) return true;
    return false;
}

static RbStatus start_whole(RbSim *sim, const char *solver) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    const RbSystem *s = stage->system;
    RbSolverOptions options = rb_solver_options();
    choose_quadratures(sim, stage);
    rb_solver_find_method(solver, &options.method, &options.table); // checked before the run
    stage->ode = (RbOde){.n = s->x_count,
                         .root_count = s->z_count,
                         .quad_count = stage->integrates ? s->q_count : 0,
                         .quad_loose = s->q_loose,
                         .user = stage,
                         .derivative = derivative,
                         .roots = roots,
                         .quadrature = quadrature,
                         .rate = s->rate,
                         .both = both,
                         .state_name = state_name,
                         .explains = explains};
    sim->summary.residual_states = 0;
    if (options.method == RB_IDA && s->implicit_count > 0) use_residuals(sim, stage);
    if (rb_solver_needs_matrix(options.method)) compose(sim, stage);
    set_tolerances(sim, s, &stage->arena, PLACES_OF_ONE_SYSTEM, &options);
    options.block = blocks_of(s, &stage->arena);
    options.range = s->range;
    if (rb_solver_needs_matrix(options.method) && vibrates(s)) options.max_order = 3;
    options.span = sim->options.stop_time - sim->options.start_time;
    options.max_step = sim->options.max_step;
    if (s->max_step > 0 && (options.max_step == 0 || s->max_step < options.max_step))
        options.max_step = s->max_step;
    if (options.method == RB_LEAPFROG && s->explicit_step > 0 &&
        (options.max_step == 0 || s->explicit_step < options.max_step))
        options.max_step = s->explicit_step;
    options.initial_step = sim->options.initial_step;
    options.log = sim->log;
    RB_TRY(rb_solver_create(&stage->ode, &options, sim->time, stage->now.x, &stage->arena,
                            sim->diag, &stage->solver));
    rb_solver_set_quadrature(stage->solver, stage->now.q);
    return RB_OK;
}

static bool same_pattern(const RbPattern *a, const RbPattern *b) {
    size_t columns = ((size_t)a->n + 1) * sizeof(int), rows = (size_t)a->count * sizeof(int);
    return a->n == b->n && a->count == b->count &&
           memcmp(a->col_start, b->col_start, columns) == 0 &&
           memcmp(a->row_index, b->row_index, rows) == 0;
}

static bool same_places(const RbComposed *a, const RbComposed *b) {
    return a->value_count == b->value_count &&
           memcmp(a->place, b->place, (size_t)a->value_count * sizeof(int)) == 0;
}

// The same pattern made of other blocks: two contacts have changed their slots.
static void renumber(RbRunningSegment *stage, const RbComposed *composed) {
    RbComposed *own = &stage->composed;
    if (composed->value_count > own->value_capacity) {
        own->value_capacity = 2 * composed->value_count;
        own->place = rb_new_array(&stage->arena, int, own->value_capacity);
        stage->evaluator->jacobian = rb_new_array(&stage->arena, double, own->value_capacity);
    }
    own->value_count = composed->value_count;
    memcpy(own->place, composed->place, (size_t)own->value_count * sizeof(int));
    size_t parts = (size_t)stage->system->part_count + 1;
    memcpy(own->part_start, composed->part_start, parts * sizeof(int));
}

// What the last event asked for counts for one restart.
static double take_first_step(RbRunningSegment *stage) {
    double step = stage->first_step;
    stage->first_step = INFINITY;
    return step;
}

// Couplings may change with the discrete state (contacts come and go). They are composed in the
// scratch arena first, so that the usual restart, where nothing has changed, leaves nothing behind
// in the segment.
static RbStatus renew_pattern(RbSim *sim, RbRunningSegment *stage) {
    RbArena trial = sim->trial;
    RbComposed composed = rb_system_couplings(stage->system, stage->now.d,
                                              stage->ode.residual != NULL, &trial, sim->scratch);
    if (!same_pattern(&composed.pattern, &stage->composed.pattern)) {
        RbArena *last = compose(sim, stage);
        RbStatus status = rb_solver_set_pattern(stage->solver, &stage->composed.pattern);
        rb_arena_free(last);
        return status;
    }
    if (!same_places(&composed, &stage->composed)) renumber(stage, &composed);
    return RB_OK;
}

RbStatus rb_stage_restart_solver(RbSim *sim, bool all) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    if (stage->islands) {
        sim->summary.restarts++;
        if (all) rb_evaluator_reset(stage->evaluator);
        rb_islands_first_step(stage->islands, take_first_step(stage));
        RB_TRY(rb_islands_restart(stage->islands, sim->time, stage->now.x,
                                  all ? NULL : stage->restart_groups));
        return leave_islands_if_too_large(sim);
    }
    if (stage->ode.pattern) RB_TRY(renew_pattern(sim, stage)); // otherwise there is no matrix
    sim->summary.restarts++;
    rb_evaluator_reset(stage->evaluator);
    rb_solver_first_step(stage->solver, take_first_step(stage));
    // those up to here were found with the discrete values before the event
    rb_solver_set_quadrature(stage->solver, stage->now.q);
    return rb_solver_restart(stage->solver, sim->time, stage->now.x);
}

RbStatus rb_stage_restart_found(RbSim *sim) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    sim->summary.restarts++;
    rb_islands_first_step(stage->islands, take_first_step(stage));
    RB_TRY(rb_islands_restart_event(stage->islands, stage->now.x, stage->restart_groups));
    if (rb_islands_overflow(stage->islands) == 0) return RB_OK;
    rb_islands_fetch_others(stage->islands, stage->now.x);
    RB_TRY(rb_islands_quadrature(stage->islands, sim->time, stage->now.q));
    return leave_islands_if_too_large(sim);
}

double rb_stage_inspect(RbSim *sim, double t0, double t1, int *indicator, int *sign) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    stage->evaluator->solver = stage->solver;
    return rb_evaluator_inspect(stage->evaluator, t0, t1, indicator, sign);
}

double rb_stage_next_time_event(const RbRunningSegment *stage) {
    double next = INFINITY;
    for (int i = 0; i < stage->system->part_count; i++) next = fmin(next, stage->now.next_time[i]);
    return next;
}

bool rb_stage_is_quiet(const RbRunningSegment *stage, double time) {
    for (int i = 0; i < stage->system->part_count; i++) {
        const RbSystemPart *p = &stage->system->parts[i];
        int quiet = p->segment->quiet;
        if (stage->now.next_time[i] > time) continue;
        if (quiet == 0 || stage->now.d[p->d + quiet - 1] == 0) return false;
    }
    return true;
}

RbStatus rb_stage_fetch(RbSim *sim) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    if (stage->solver) {
        memcpy(stage->now.x, rb_solver_state(stage->solver),
               (size_t)stage->system->x_count * sizeof(double));
    } else {
        rb_islands_interpolate(stage->islands, sim->time, stage->now.x);
    }
    return rb_stage_quadrature(stage, sim->time, stage->now.q);
}

// -------------------------------------------------------------------------------- one solver, or
// many islands

RbStatus rb_stage_step(RbSim *sim, double target, RbStop *stop) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    return stage->solver ? rb_solver_step(stage->solver, target, stop)
                         : rb_islands_step(stage->islands, target, stop);
}

int rb_stage_worst_state(const RbRunningSegment *stage) {
    return stage->solver ? rb_solver_worst_state(stage->solver)
                         : rb_islands_worst_state(stage->islands);
}

RbStatus rb_stage_interpolate(RbRunningSegment *stage, double t, double *x) {
    if (stage->solver) return rb_solver_interpolate(stage->solver, t, x);
    rb_islands_interpolate(stage->islands, t, x);
    return RB_OK;
}

RbStatus rb_stage_quadrature(RbRunningSegment *stage, double t, double *q) {
    if (stage->system->q_count == 0 || !stage->integrates) return RB_OK;
    return stage->solver ? rb_solver_quadrature(stage->solver, t, q)
                         : rb_islands_quadrature(stage->islands, t, q);
}

RbSolverStats rb_stage_stats(const RbRunningSegment *stage) {
    if (stage->solver) return rb_solver_stats(stage->solver);
    return stage->islands ? rb_islands_stats(stage->islands) : (RbSolverStats){0};
}

// SPDX-License-Identifier: MIT
// Model exchange: the master integrates, and the run is one that its caller moves (rattleback/run.h).
// Times, states and inputs of the master are kept until something is read.
#include <math.h>
#include <string.h>

#include "instance.h"
#include "rattleback/linear.h"

// The variables of all inputs, which the run numbers.
static void number_inputs(Fmu *f) {
    f->inputs = rb_run_sizes(f->run).inputs;
    for (int i = 0; i < f->inputs; i++) {
        int number = rb_run_input(f->run, i);
        for (size_t k = 0; k < f->variable_count; k++) {
            FmuVariable *v = &f->variables[k];
            if (v->type != FMU_INDICATOR && v->number == number) v->input = i;
        }
        rb_run_get(f->run, &number, 1, &f->u[i]);
    }
}

FmuStatus fmu_open_exchange(Fmu *f) {
    RbRunSizes sizes = rb_run_sizes(f->run);
    if (sizes.states != f->states || sizes.indicators != f->indicators ||
        (size_t)sizes.inputs > f->variable_count)
        return fmu_fail(
            f,
            "with these parameters the model has %d states and %d event indicators, and "
            "had %d and %d when it was exported",
            sizes.states, sizes.indicators, f->states, f->indicators);
    number_inputs(f);
    f->moved = false;
    f->time = rb_run_time(f->run);
    return fmu_check(f, rb_run_states(f->run, f->x));
}

FmuStatus fmu_place(Fmu *f) {
    if (!f->moved) return FMU_OK;
    f->moved = false;
    return fmu_check(f, rb_run_move(f->run, f->time, f->x, f->u));
}

static bool allows_exchange(Fmu *f, const char *function, int modes) {
    if (!f || !fmu_allows(f, function, modes)) return false;
    if (f->exchange) return true;
    fmu_fail(f, "%s: this instance is for co-simulation", function);
    return false;
}

// A run that has failed can be read.
static FmuStatus check_run(Fmu *f, RbStatus status) {
    if (fmu_check(f, status) == FMU_OK) return FMU_OK;
    f->mode = FMU_FAILED;
    return FMU_ERROR;
}

// -------------------------------------------------------------------------------------------------
// modes

FmuStatus fmu_enter_events(Fmu *f) {
    bool event;
    if (!allows_exchange(f, "enter the event mode", FMU_CONTINUOUS)) return FMU_ERROR;
    if (fmu_place(f) != FMU_OK) return FMU_ERROR;
    if (check_run(f, rb_run_accept(f->run, &event)) != FMU_OK) return FMU_ERROR;
    f->step_start = f->last_time = f->time;
    f->mode = FMU_AT_EVENT;
    f->event_due = true;
    return FMU_OK;
}

FmuStatus fmu_meet_events(Fmu *f, FmuEvents *events) {
    RbMet met = {.finished = f->ended};
    *events = (FmuEvents){0};
    if (!allows_exchange(f, "update the discrete states", FMU_AT_EVENT)) return FMU_ERROR;
    if (f->event_due && check_run(f, rb_run_meet_event(f->run, &met)) != FMU_OK) return FMU_ERROR;
    f->event_due = false;
    f->ended = events->ended = met.finished;
    double next = rb_run_next_event(f->run);
    events->has_next = isfinite(next);
    events->next = events->has_next ? next : 0;
    // Masters start their method anew only if this is true, which a jump of the equations needs as well.
    events->states_changed = met.restart;
    return check_run(f, rb_run_states(f->run, f->x));
}

FmuStatus fmu_enter_continuous(Fmu *f) {
    FmuEvents events;
    if (!allows_exchange(f, "enter the continuous-time mode", FMU_AT_EVENT)) return FMU_ERROR;
    if (f->event_due && fmu_meet_events(f, &events) != FMU_OK) return FMU_ERROR;
    f->mode = FMU_CONTINUOUS;
    return FMU_OK;
}

FmuStatus fmu_completed_step(Fmu *f, bool *event) {
    *event = false;
    if (!allows_exchange(f, "complete a step", FMU_CONTINUOUS)) return FMU_ERROR;
    if (fmu_place(f) != FMU_OK) return FMU_ERROR;
    f->step_start = f->last_time; // dense output of the master looks back into the step
    f->last_time = f->time;
    return check_run(f, rb_run_accept(f->run, event));
}

// -------------------------------------------------------------------------------------------------
// moving

FmuStatus fmu_set_time(Fmu *f, double time) {
    if (!allows_exchange(f, "set the time", FMU_CONTINUOUS | FMU_AT_EVENT)) return FMU_ERROR;
    if (f->mode == FMU_AT_EVENT && time != f->time)
        return fmu_fail(f, "the time stands still in the event mode");
    if (!isfinite(time) || time < f->step_start)
        return fmu_fail(f, "the time cannot be set to %.17g s: the last step ended at %.17g s",
                        time, f->last_time);
    f->time = time;
    f->moved = f->mode == FMU_CONTINUOUS;
    return FMU_OK;
}

static bool check_array(Fmu *f, const char *what, const void *values, size_t count, int own) {
    if (count == (size_t)own && (values || own == 0)) return true;
    fmu_fail(f, "there are %d %s, and the array has %zu", own, what, values ? count : 0);
    return false;
}

FmuStatus fmu_set_states(Fmu *f, const double *x, size_t count) {
    if (!allows_exchange(f, "set the states", FMU_CONTINUOUS)) return FMU_ERROR;
    if (!check_array(f, "states", x, count, f->states)) return FMU_ERROR;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i])) return fmu_fail(f, "state %zu cannot be set to %g", i + 1, x[i]);
    }
    if (count > 0) memcpy(f->x, x, sizeof *x * count);
    f->moved = true;
    return FMU_OK;
}

// -------------------------------------------------------------------------------------------------
// looking

enum { LOOKING = FMU_INITIALIZING | FMU_AT_EVENT | FMU_CONTINUOUS | FMU_TERMINATED | FMU_FAILED };

// The run stands where the master is.
static bool looks(Fmu *f, const char *function) {
    if (!allows_exchange(f, function, LOOKING)) return false;
    if (!f->run && f->mode != FMU_INITIALIZING) {
        fmu_fail(f, "%s: there is no run whose values could be read", function);
        return false;
    }
    return fmu_start(f) == FMU_OK && fmu_place(f) == FMU_OK;
}

FmuStatus fmu_get_states(Fmu *f, double *x, size_t count) {
    if (!looks(f, "get the states")) return FMU_ERROR;
    if (!check_array(f, "states", x, count, f->states)) return FMU_ERROR;
    return fmu_check(f, rb_run_states(f->run, x));
}

FmuStatus fmu_get_nominals(Fmu *f, double *x, size_t count) {
    if (!looks(f, "get the nominal values")) return FMU_ERROR;
    if (!check_array(f, "states", x, count, f->states)) return FMU_ERROR;
    return fmu_check(f, rb_run_nominals(f->run, x));
}

// Where the model cannot be evaluated a smaller step may help.
static FmuStatus check_evaluation(Fmu *f, RbStatus status) {
    FmuStatus good = fmu_check(f, status);
    return good != FMU_OK && f->mode == FMU_CONTINUOUS ? FMU_DISCARD : good;
}

FmuStatus fmu_get_derivatives(Fmu *f, double *dx, size_t count) {
    if (!looks(f, "get the derivatives")) return FMU_ERROR;
    if (!check_array(f, "states", dx, count, f->states)) return FMU_ERROR;
    return count == 0 ? FMU_OK : check_evaluation(f, rb_run_derivatives(f->run, NULL, dx));
}

FmuStatus fmu_get_indicators(Fmu *f, double *z, size_t count) {
    if (!looks(f, "get the event indicators")) return FMU_ERROR;
    if (!check_array(f, "event indicators", z, count, f->indicators)) return FMU_ERROR;
    return count == 0 ? FMU_OK : check_evaluation(f, rb_run_indicators(f->run, NULL, z));
}

// -------------------------------------------------------------------------------------------------
// directional derivatives

static FmuStatus number_of(Fmu *f, uint32_t reference, bool known, int *number) {
    const FmuVariable *v = reference < f->variable_count ? &f->variables[reference] : NULL;
    if (!v || v->type != FMU_REAL || v->number < 0)
        return fmu_fail(f, "the value reference %u has no derivative", (unsigned)reference);
    RbRunVariable info;
    if (fmu_check(f, rb_run_variable(f->run, v->number, &info)) != FMU_OK) return FMU_ERROR;
    if (known && info.kind != RB_RUN_STATE && info.kind != RB_RUN_INPUT)
        return fmu_fail(f,
                        "nothing can be differentiated by '%s', which is neither a state nor an "
                        "input",
                        v->name);
    *number = v->number;
    return FMU_OK;
}

FmuStatus fmu_get_direction(Fmu *f, const FmuDirection *d) {
    size_t total = d->unknown_count + d->known_count;
    if (!looks(f, "get a directional derivative")) return FMU_ERROR;
    if (total > f->variable_count || (d->unknown_count > 0 && (!d->unknowns || !d->values)) ||
        (d->known_count > 0 && (!d->knowns || !d->seed)))
        return fmu_fail(f, "an array of the directional derivative is NULL, or too long");
    int *knowns = f->numbers + d->unknown_count;
    for (size_t i = 0; i < d->unknown_count; i++) {
        if (number_of(f, d->unknowns[i], false, &f->numbers[i]) != FMU_OK) return FMU_ERROR;
    }
    for (size_t i = 0; i < d->known_count; i++) {
        if (number_of(f, d->knowns[i], true, &knowns[i]) != FMU_OK) return FMU_ERROR;
    }
    RbRunDirection direction = {.unknowns = f->numbers,
                                .unknown_count = (int)d->unknown_count,
                                .knowns = knowns,
                                .known_count = (int)d->known_count,
                                .seed = d->seed,
                                .derivatives = d->values};
    return check_evaluation(f, rb_run_direction(f->run, &direction));
}

// SPDX-License-Identifier: MIT
#include "translate/equation_steps.h"

#include <math.h>

#include "component/segment.h"
#include "program/delay.h"
#include "program/program_instance.h"
#include "program/limits.h"
#include "program/undefined.h"

RbStatus rb_equations_outputs_failed(const RbEquationHalf *q, double time) {
    if (!q->in->frame.failed) return rb_program_explain(q->in, RB_ERROR_SOLVER, q->diag);
    RbStatus code = q->in->failure_is_assertion ? RB_ERROR_ASSERTION : RB_ERROR_MODEL;
    return rb_fail(q->diag, code, q->in->failure_at, "time %.10g s: %s", time,
                   q->in->failure ? q->in->failure : "a function cannot be evaluated");
}

RbStatus rb_equations_undefined(const RbEquationHalf *q, int var, double time) {
    const RbFlatVar *v = &rb_equations_dae(q)->model->vars.data[var];
    if (rb_explain_undefined(q->in, RB_SECTION_OUTPUTS))
        return rb_fail(q->diag, RB_ERROR_SOLVER, q->in->failure_at, "time %.10g s: %s", time,
                       q->in->failure);
    return rb_fail(q->diag, RB_ERROR_SOLVER, v->at,
                   "time %.10g s: '%s' is not a number, or infinite", time, v->name);
}

void rb_equations_remember(RbEquationHalf *q, const RbStepView *step) {
    if (rb_equations_dae(q)->delays.count == 0) return;
    rb_delay_open(q->in, step->t0, step->t1);
    for (int node = 0; node < RB_DELAY_NODES; node++) {
        double time = rb_delay_time(q->in, node);
        rb_step_states(step, time, q->x);
        rb_program_outputs(q->in, time, q->x);
        rb_delay_note(q->in, node);
    }
}

// With the states in q->x.
static bool holds(const RbEquationHalf *q, double time) {
    return rb_program_holds(q->in, time, q->x) &&
           (q->in->missing || rb_undefined_variable(q->in) < 0);
}

// Where something that cannot be computed, or an assertion that does not hold, begins: as exact as
// an event.
static double first_failure(RbEquationHalf *q, const RbStepView *step) {
    double good = step->t0, bad = step->t1;
    double width = 1e-13 * fmax(fabs(bad), bad - good); // [s]
    rb_step_states(step, good, q->x);
    if (!holds(q, good)) return bad;
    while (bad - good > width) {
        double middle = good + 0.5 * (bad - good);
        rb_step_states(step, middle, q->x);
        if (holds(q, middle))
            good = middle;
        else
            bad = middle;
    }
    return bad;
}

// Report what does not hold at a time of the step.
static RbStatus failure_at(RbEquationHalf *q, const RbStepView *step, double time) {
    rb_step_states(step, time, q->x);
    if (rb_program_outputs(q->in, time, q->x) != RB_OK) return rb_equations_outputs_failed(q, time);
    int undefined = q->in->missing ? -1 : rb_undefined_variable(q->in);
    if (undefined >= 0) return rb_equations_undefined(q, undefined, time);
    return rb_program_check(q->in, time, q->x, q->diag);
}

// Where an iteration begins to fail depends on where it starts: so the error may be met a little later
// than it was found.
double rb_equations_check_step(RbEquationHalf *q, const RbStepView *step) {
    rb_step_states(step, step->t1, q->x);
    if (!q->watches_steps && !rb_limits_vary(q->in)) return step->t1;
    if (holds(q, step->t1)) {
        rb_limits_check(q->in, q->diag);
        return step->t1;
    }
    double first = first_failure(q, step), time = first;
    for (double later = 1e-13 * fmax(fabs(first), step->t1 - step->t0);; later *= 8) {
        q->status = failure_at(q, step, time);
        if (q->status != RB_OK || time >= step->t1) return time;
        time = fmin(first + later, step->t1);
    }
}

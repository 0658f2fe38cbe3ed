// SPDX-License-Identifier: MIT
#include "sim/linearize.h"

#include <math.h>
#include <string.h>

#include "solver/eigen.h"

// Cube root of the rounding of doubles: central quotients are then off by some 1e-10 of what is differentiated.
static const double relative = 6e-6;

static double output_value(const RbLook *l, const RbEvaluator *e, const double *x, int variable) {
    const RbLookVariable *v = &l->variables.data[variable];
    if (!v->there) return NAN;
    switch (v->place) {
        case RB_AT_STATE: return x[v->index];
        case RB_AT_DERIVATIVE: return e->dx[v->index];
        case RB_AT_RESULT: return l->results[v->index];
        default: return 0; // does not follow from states and inputs
    }
}

// What is differentiated, at the present inputs: derivatives and outputs.
static RbStatus values_at(RbLook *l, const RbLinearization *m, const double *x, double *dx,
                          double *y) {
    RbEvaluator *e;
    int n = rb_sim_stage(l->sim)->system->x_count;
    RB_TRY(rb_look_evaluate_at(l, x, &e));
    memcpy(dx, e->dx, (size_t)n * sizeof *dx);
    for (int i = 0; i < m->output_count; i++) y[i] = output_value(l, e, x, m->outputs[i]);
    return RB_OK;
}

typedef struct Quotient {
    double *dx[2], *y[2]; // above and below
    double width;
} Quotient;

static Quotient new_quotient(RbArena *arena, int states, int outputs) {
    Quotient q = {0};
    for (int i = 0; i < 2; i++) {
        q.dx[i] = rb_new_array(arena, double, states + 1);
        q.y[i] = rb_new_array(arena, double, outputs + 1);
    }
    return q;
}

static void divide(const double *above, const double *below, double width, int count, double *out) {
    for (int i = 0; i < count; i++) out[i] = (above[i] - below[i]) / width;
}

static RbStatus by_states(RbLook *l, const RbLinearization *m, RbArena *arena) {
    const RbRunningSegment *stage = rb_sim_stage(l->sim);
    int n = stage->system->x_count;
    double *x = rb_new_array(arena, double, n + 1);
    Quotient q = new_quotient(arena, n, m->output_count);
    memcpy(x, stage->now.x, (size_t)n * sizeof *x);
    for (int j = 0; j < n; j++) {
        double own = x[j], h = relative * fmax(fabs(own), stage->system->nominal[j]);
        volatile double above = own + h, below = own - h;
        x[j] = above;
        RB_TRY(values_at(l, m, x, q.dx[0], q.y[0]));
        x[j] = below;
        RB_TRY(values_at(l, m, x, q.dx[1], q.y[1]));
        x[j] = own;
        divide(q.y[0], q.y[1], above - below, m->output_count, m->C + (long)j * m->output_count);
    }
    return RB_OK;
}

static RbStatus input_quotient(RbLook *l, const RbLinearization *m, int input, double own,
                               Quotient *q) {
    const RbRunningSegment *stage = rb_sim_stage(l->sim);
    double h = relative * fmax(fabs(own), 1);
    volatile double above = own + h, below = own - h;
    q->width = above - below;
    RB_TRY(rb_look_put_input(l, input, above));
    RB_TRY(values_at(l, m, stage->now.x, q->dx[0], q->y[0]));
    RB_TRY(rb_look_put_input(l, input, below));
    return values_at(l, m, stage->now.x, q->dx[1], q->y[1]);
}

static RbStatus by_inputs(RbLook *l, const RbLinearization *m, RbArena *arena) {
    int n = rb_sim_stage(l->sim)->system->x_count;
    Quotient q = new_quotient(arena, n, m->output_count);
    for (int j = 0; j < m->input_count; j++) {
        int input = l->variables.data[m->inputs[j]].index;
        double own;
        RB_TRY(rb_look_get(l, m->inputs[j], &own));
        RbStatus status = input_quotient(l, m, input, own, &q);
        RB_TRY(rb_look_put_input(l, input, own));
        RB_TRY(status);
        divide(q.dx[0], q.dx[1], q.width, n, m->B + (long)j * n);
        divide(q.y[0], q.y[1], q.width, m->output_count, m->D + (long)j * m->output_count);
    }
    l->evaluated = false;
    return RB_OK;
}

static RbStatus check_variables(const RbLook *l, const RbLinearization *m) {
    for (int i = 0; i < m->input_count; i++) {
        const RbLookVariable *v = &l->variables.data[m->inputs[i]];
        if (v->place != RB_AT_INPUT)
            return rb_fail(l->sim->diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "'%s' is no input of the model: an input is declared as `input Real %s` "
                           "at the top",
                           v->name, v->name);
    }
    for (int i = 0; i < m->output_count; i++) {
        const RbLookVariable *v = &l->variables.data[m->outputs[i]];
        if (v->place == RB_AT_QUADRATURE)
            return rb_fail(l->sim->diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "'%s' is an integral along the run, not a function of the states; it "
                           "cannot be an output of a linear system",
                           v->name);
    }
    return RB_OK;
}

RbStatus rb_look_linearize(RbLook *l, const RbLinearization *m) {
    RbArena arena = l->sim->trial;
    RB_TRY(check_variables(l, m));
    RB_TRY(rb_look_jacobian(l, m->A));
    if (m->output_count > 0) RB_TRY(by_states(l, m, &arena));
    return m->input_count > 0 ? by_inputs(l, m, &arena) : RB_OK;
}

// -------------------------------------------------------------------------------------------------
// along a direction

// States and inputs on a line through the present point.
typedef struct Line {
    double *x, *x0, *dx;        // states: on it, at the point, their direction
    double *u0, *du;            // by known variable: input, and its direction
    const RbRunDirection *d;
    double length; // of the direction relative to the sizes
} Line;

static RbStatus open_line(RbLook *l, const RbRunDirection *d, RbArena *arena, Line *out) {
    const RbRunningSegment *stage = rb_sim_stage(l->sim);
    int n = stage->system->x_count;
    Line line = {.x = rb_new_array(arena, double, n + 1),
                 .x0 = rb_new_array(arena, double, n + 1),
                 .dx = rb_new_array(arena, double, n + 1),
                 .u0 = rb_new_array(arena, double, d->known_count + 1),
                 .du = rb_new_array(arena, double, d->known_count + 1),
                 .d = d};
    memcpy(line.x0, stage->now.x, (size_t)n * sizeof *line.x0);
    for (int k = 0; k < d->known_count; k++) {
        const RbLookVariable *v = &l->variables.data[d->knowns[k]];
        bool state = v->there && v->place == RB_AT_STATE;
        if (!state && !(v->there && v->place == RB_AT_INPUT))
            return rb_fail(l->sim->diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "nothing can be differentiated by '%s', which is neither a state nor an "
                           "input",
                           v->name);
        RB_TRY(rb_look_get(l, d->knowns[k], &line.u0[k]));
        *(state ? &line.dx[v->index] : &line.du[k]) += d->seed[k];
        double size = fmax(fabs(line.u0[k]), state ? stage->system->nominal[v->index] : 1);
        line.length = fmax(line.length, fabs(d->seed[k]) / size);
    }
    *out = line;
    return RB_OK;
}

static RbStatus put_inputs(RbLook *l, const Line *line, double along) {
    for (int k = 0; k < line->d->known_count; k++) {
        const RbLookVariable *v = &l->variables.data[line->d->knowns[k]];
        if (line->du[k] != 0)
            RB_TRY(rb_look_put_input(l, v->index, line->u0[k] + along * line->du[k]));
    }
    return RB_OK;
}

static RbStatus values_on(RbLook *l, const Line *line, double along, double *values) {
    RbEvaluator *e;
    int n = rb_sim_stage(l->sim)->system->x_count;
    for (int i = 0; i < n; i++) line->x[i] = line->x0[i] + along * line->dx[i];
    RB_TRY(put_inputs(l, line, along));
    RB_TRY(rb_look_evaluate_at(l, line->x, &e));
    for (int k = 0; k < line->d->unknown_count; k++) {
        int unknown = line->d->unknowns[k];
        const RbLookVariable *v = &l->variables.data[unknown];
        bool input = v->there && v->place == RB_AT_INPUT;
        values[k] = input ? rb_look_input(l, v->index) : output_value(l, e, line->x, unknown);
    }
    return RB_OK;
}

// Central quotients.
static RbStatus differentiate(RbLook *l, const Line *line, RbArena *arena) {
    int count = line->d->unknown_count;
    double h = line->length > 0 ? relative / line->length : 1;
    double *above = rb_new_array(arena, double, count + 1),
           *below = rb_new_array(arena, double, count + 1);
    RbStatus status = values_on(l, line, h, above);
    if (status == RB_OK) status = values_on(l, line, -h, below);
    RB_TRY(put_inputs(l, line, 0));
    l->evaluated = false;
    RB_TRY(status);
    divide(above, below, 2 * h, count, line->d->derivatives);
    return RB_OK;
}

// Where the components have their Jacobian, and no input moves: their values instead.
static RbStatus use_jacobian(RbLook *l, const Line *line, RbArena *arena) {
    size_t n = (size_t)rb_sim_stage(l->sim)->system->x_count;
    bool known;
    for (int k = 0; k < line->d->known_count; k++)
        if (line->du[k] != 0) return RB_OK;
    RB_TRY(rb_look_has_jacobian(l, &known));
    if (!known) return RB_OK;
    double *A = rb_new_array(arena, double, n * n + 1);
    RB_TRY(rb_look_jacobian(l, A));
    for (int k = 0; k < line->d->unknown_count; k++) {
        const RbLookVariable *v = &l->variables.data[line->d->unknowns[k]];
        if (!v->there || v->place != RB_AT_DERIVATIVE) continue;
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += A[j * n + (size_t)v->index] * line->dx[j];
        line->d->derivatives[k] = sum;
    }
    return RB_OK;
}

RbStatus rb_look_direction(RbLook *l, const RbRunDirection *d) {
    RbArena arena = l->sim->trial;
    Line line = {.d = d};
    RB_TRY(check_variables(
        l, &(RbLinearization){.outputs = d->unknowns, .output_count = d->unknown_count}));
    RB_TRY(open_line(l, d, &arena, &line));
    RB_TRY(differentiate(l, &line, &arena));
    return use_jacobian(l, &line, &arena);
}

// -------------------------------------------------------------------------------------------------
// points of rest

double rb_look_largest(RbLook *l, const double *change, int *state) {
    const RbRunningSegment *stage = rb_sim_stage(l->sim);
    double most = 0;
    *state = -1;
    for (int i = 0; i < stage->system->x_count; i++) {
        double size = fabs(change[i]) / fmax(fabs(stage->now.x[i]), stage->system->nominal[i]);
        if (!(size <= most)) most = size, *state = i;
    }
    return most;
}

RbStatus rb_look_step_to_rest(RbLook *l, double dt, const double *derivatives, double *dx,
                              RbArena scratch, bool *solved) {
    size_t n = (size_t)rb_sim_stage(l->sim)->system->x_count;
    double *matrix = rb_new_array(&scratch, double, n *n + 1);
    RB_TRY(rb_look_jacobian(l, matrix));
    for (size_t k = 0; k < n * n; k++) matrix[k] = -matrix[k];
    for (size_t i = 0; i < n; i++) matrix[i * n + i] += 1 / dt;
    memcpy(dx, derivatives, n * sizeof *dx);
    *solved = rb_dense_solve((int)n, matrix, dx, &scratch);
    return RB_OK;
}

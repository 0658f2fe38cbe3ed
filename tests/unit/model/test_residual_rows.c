// SPDX-License-Identifier: MIT
// Rows of a component that an implicit solver takes as residuals
// (docs/decisions/component-contract.md): two joints with the mass matrix [2 1; 1 2] and springs of
// stiffness 3; a lock turns the second row into a2 = 0 at an event.
//
// M a + 3 x = 0 has the modes (1, 1) with omega^2 = 3 / 3 and (1, -1) with omega^2 = 3 / 1. Locked:
// 2 a1 + 3 x1 = 0, while the second joint keeps its place.
#include "../sim/run.h"

enum { X1, X2, V1, V2, STATES };

typedef struct Pair {
    bool knows_slopes;
    long solved, residuals, slopes;
} Pair;

static Pair pair_template;
static Pair *pair;

static RbStatus build(void *self, RbBuild *b) {
    *(Pair *)self = pair_template;
    pair = self;
    rb_build_function(b,
                      &(RbFunctionSpec){.name = "pair", .after = RB_NONE, .derivative = RB_NONE});
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *s) {
    (void)self;
    rb_segment_state(s, &(RbStateSpec){"x1", 1});
    rb_segment_state(s, &(RbStateSpec){"x2", 0});
    rb_segment_state(s, &(RbStateSpec){"v1", 0, .implicit = true});
    rb_segment_state(s, &(RbStateSpec){"v2", 0, .implicit = true});
    rb_segment_discrete(s, &(RbDiscreteSpec){"locked", 0});
    rb_segment_time_event(s, 2);
    return RB_OK;
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *in,
                             double *out) {
    (void)function, (void)in, (void)out;
    Pair *p = self;
    const double *x = e->x, *a = e->given;
    bool locked = e->discrete[0] != 0;
    e->dx[X1] = x[V1];
    e->dx[X2] = x[V2];
    if (a) {
        p->residuals++;
        e->dx[V1] = 2 * a[V1] + a[V2] + 3 * x[X1];
        e->dx[V2] = locked ? a[V2] : a[V1] + 2 * a[V2] + 3 * x[X2];
        return RB_EVAL_OK;
    }
    p->solved++;
    e->dx[V1] = locked ? -1.5 * x[X1] : -2 * x[X1] + x[X2];
    e->dx[V2] = locked ? 0 : x[X1] - 2 * x[X2];
    return RB_EVAL_OK;
}

static void couplings(void *self, RbCouplings *c) {
    (void)self;
    bool residual = rb_couplings_residual(c);
    rb_couplings_derivative_state(c, X1, V1);
    rb_couplings_derivative_state(c, X2, V2);
    for (int k = 0; k < 2; k++) {
        rb_couplings_derivative_state(c, V1 + k, X1 + k);
        if (!residual) rb_couplings_derivative_state(c, V1 + k, X2 - k);
        if (residual) rb_couplings_given(c, V1 + k, V1);
        if (residual) rb_couplings_given(c, V1 + k, V2);
    }
}

static RbEvalStatus slopes(void *self, const RbEval *e, double *values) {
    bool locked = e->discrete[0] != 0;
    const double free_rows[] = {2, 1, 1, 2}, locked_rows[] = {2, 1, 0, 1};
    ((Pair *)self)->slopes++;
    memcpy(values, locked ? locked_rows : free_rows, sizeof free_rows);
    return RB_EVAL_OK;
}

static RbRestart at_event(void *self, RbEvent *event) {
    (void)self;
    if (!event->time_event) return RB_NO_RESTART;
    event->discrete[0] = 1;
    event->x[V2] = 0;
    event->next_time = INFINITY;
    return RB_RESTART;
}

static const RbComponentType with_slopes = {
    .version = RB_COMPONENT_VERSION,
    .name = "Pair",
    .description = "",
    .memory = sizeof(Pair),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .couplings = couplings,
    .slopes = slopes,
    .at_event = at_event,
};

typedef struct Call {
    Run *run;
    const RbComponentType *type;
} Call;

static RbStatus open_pair(void *argument) {
    const Call *c = argument;
    c->run->model = rb_model_new("pair", "", &c->run->f.arena);
    return rb_model_add(c->run->model, c->type, "pair", &c->run->f.diag, NULL);
}

static void run_pair(const char *solver, const RbComponentType *type) {
    Run r;
    run_open(&r, "pendulum"); // for the files and options; its model is replaced
    pair_template = (Pair){0};
    ENSURE(rb_protect(&r.f.heap, open_pair, &(Call){&r, type}) == RB_OK);
    r.options.tolerance = 1e-9;
    r.options.stop_time = 5;
    r.options.solver = solver;
    ENSURE(run_go(&r) == RB_OK);
    run_read(&r);
    const double *t = rb_result_times(r.result, &r.f.arena);
    const double *x1 = run_series(&r, "pair.x1"), *x2 = run_series(&r, "pair.x2");
    double w1 = 1, w2 = sqrt(3), w3 = sqrt(1.5);
    double c1 = cos(2 * w1), c2 = cos(2 * w2), s1 = w1 * sin(2 * w1), s2 = w2 * sin(2 * w2);
    for (size_t i = 0; i < r.result->row_count; i++) {
        double late = t[i] - 2;
        double free1 = 0.5 * (cos(w1 * t[i]) + cos(w2 * t[i])),
               free2 = 0.5 * (cos(w1 * t[i]) - cos(w2 * t[i]));
        double locked1 = 0.5 * (c1 + c2) * cos(w3 * late) - 0.5 * (s1 + s2) / w3 * sin(w3 * late);
        ENSURE_NEAR(x1[i], late <= 0 ? free1 : locked1, 1e-6);
        ENSURE_NEAR(x2[i], late <= 0 ? free2 : 0.5 * (c1 - c2), 1e-6);
    }
    bool residual = strcmp(solver, "cvode") != 0;
    ENSURE(r.summary.residual_states == (residual ? 2 : 0));
    ENSURE((pair->residuals > 0) == residual);
    if (residual && type->slopes) ENSURE(pair->slopes > 0 && pair->slopes <= 20);
    run_close(&r);
}

static void rows_may_be_residuals(void **state) {
    (void)state;
    RbComponentType without = with_slopes;
    without.slopes = NULL;
    run_pair("cvode", &with_slopes);
    run_pair("ida", &with_slopes);
    run_pair("ida", &without);
    run_pair("auto", &with_slopes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_may_be_residuals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

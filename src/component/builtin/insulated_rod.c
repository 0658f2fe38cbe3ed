// SPDX-License-Identifier: MIT
// Heat conduction along a rod with insulated surface, n elements of equal length (seed
// thesis, 10.1.5).
//
//     m c der(T_i) = Q_(i-1) - Q_i,   Q_i = G (T_i - T_(i+1)),   G = lambda A/dx,   m = rho A dx
//
// Q_0 and -Q_n are the heat flows into the ends, unknown to the rod: the equations at the ports,
// port.Q_flow = 2 G (port.T - T_end), are the acausal part and are solved with whatever is
// connected. The number of elements may change at an event: the temperatures of the new elements
// are averages of a piecewise linear profile through the old ones, so the heat is conserved.
#include <math.h>
#include <stdio.h>

#include "component/builtin/builtin_types.h"

typedef struct Rod {
    int p_L, p_A, p_rho, p_c, p_lambda, p_T0, p_n, p_refine_time, p_refine_n;
    int v_first, v_last, v_G_end, v_Qa, v_Qb; // variables
    int n;                                    // elements of the running segment
    int next_n;                               // of the one that an event asked for, or 0
    bool restored;                            // n comes from a checkpoint
    double G, C;                              // [W/K] between elements, [J/K] of one
    double refine_time;                       // [s]
    int refine_n;
} Rod;

enum { F_ENDS, F_HEAT }; // functions
enum { MAX_ELEMENTS = 1000000 };

static RbStatus build(void *self, RbBuild *build) {
    Rod *r = self;
    double tiny = 1e-300;
    r->p_L = rb_build_parameter(
        build, &(RbParameterSpec){"L", 1.0, "m", "length", .min = tiny, .max = INFINITY});
    r->p_A = rb_build_parameter(build, &(RbParameterSpec){"A", 0.0004, "m2", "cross section",
                                                          .min = tiny, .max = INFINITY});
    r->p_rho = rb_build_parameter(
        build, &(RbParameterSpec){"rho", 7500, "kg/m3", "density", .min = tiny, .max = INFINITY});
    r->p_c =
        rb_build_parameter(build, &(RbParameterSpec){"c", 450, "J/(kg.K)", "specific heat capacity",
                                                     .min = tiny, .max = INFINITY});
    r->p_lambda = rb_build_parameter(build, &(RbParameterSpec){"lambda", 74, "W/(m.K)",
                                                               "thermal conductivity", .min = tiny,
                                                               .max = INFINITY});
    r->p_T0 = rb_build_parameter(build,
                                 &(RbParameterSpec){"T0", 273.15, "K", "temperature at the start"});
    r->p_n =
        rb_build_parameter(build, &(RbParameterSpec){"n", 8, "1", "number of elements", .min = 1,
                                                     .max = MAX_ELEMENTS, .integer = true});
    r->p_refine_time = rb_build_parameter(
        build, &(RbParameterSpec){"refine_time", 0, "s",
                                  "time at which the number of elements changes; 0: never"});
    r->p_refine_n = rb_build_parameter(
        build, &(RbParameterSpec){"refine_n", 40, "1", "number of elements after that", .min = 1,
                                  .max = MAX_ELEMENTS, .integer = true});

    int port_a_T = rb_build_variable(
        build, &(RbVariableSpec){"port_a.T", RB_VARIABLE_ACAUSAL, 293.15, "K", ""});
    r->v_Qa = rb_build_variable(build, &(RbVariableSpec){"port_a.Q_flow", RB_VARIABLE_INPUT, 0, "W",
                                                         "heat flow into the left end"});
    int port_b_T = rb_build_variable(
        build, &(RbVariableSpec){"port_b.T", RB_VARIABLE_ACAUSAL, 293.15, "K", ""});
    r->v_Qb = rb_build_variable(build, &(RbVariableSpec){"port_b.Q_flow", RB_VARIABLE_INPUT, 0, "W",
                                                         "heat flow into the right end"});
    (void)port_a_T, (void)port_b_T;
    r->v_first = rb_build_variable(build, &(RbVariableSpec){"T_first", RB_VARIABLE_OUTPUT, 0, "K",
                                                            "temperature of the first element"});
    r->v_last = rb_build_variable(build, &(RbVariableSpec){"T_last", RB_VARIABLE_OUTPUT, 0, "K",
                                                           "temperature of the last element"});
    r->v_G_end =
        rb_build_variable(build, &(RbVariableSpec){"G_end", RB_VARIABLE_OUTPUT, 0, "W/K",
                                                   "from a port to the centre of its element"});
    rb_build_equation(build, "port_a.Q_flow = G_end*(port_a.T - T_first)");
    rb_build_equation(build, "port_b.Q_flow = G_end*(port_b.T - T_last)");

    rb_build_function(build,
                      &(RbFunctionSpec){.name = "ends",
                                        .level = RB_LEVEL_POSITION,
                                        .output_count = 3,
                                        .outputs = (int[]){r->v_first, r->v_last, r->v_G_end},
                                        .after = RB_NONE,
                                        .derivative = RB_NONE});
    rb_build_function(build, &(RbFunctionSpec){.name = "heat",
                                               .level = RB_LEVEL_ACCELERATION,
                                               .input_count = 2,
                                               .inputs = (int[]){r->v_Qa, r->v_Qb},
                                               .after = F_ENDS,
                                               .derivative = RB_NONE,
                                               .state_derivatives = true});
    return RB_OK;
}

// --------------------------------------------------------------------------------------------------
// segments

// Slope of the profile in element i, per element length: the central difference, limited so that no
// new extremum appears.
static double slope(const double *T, int n, int i) {
    if (i == 0 || i == n - 1) return 0;
    double left = T[i] - T[i - 1], right = T[i + 1] - T[i];
    if (left * right <= 0) return 0;
    double central = 0.5 * (left + right);
    return copysign(fmin(fabs(central), 2 * fmin(fabs(left), fabs(right))), central);
}

// Average of the old profile over the k-th of m new elements. Lengths are counted in units of 1/(n
// m) of the rod, so that the borders of old (multiples of m) and new elements (multiples of n) are
// whole numbers and overlaps are exact.
static double average(const double *T, int n, int m, int k) {
    long long from = (long long)k * n, to = from + n;
    double sum = 0;
    for (long long i = from / m; i * m < to; i++) {
        long long low = i * m > from ? i * m : from, high = (i + 1) * m < to ? (i + 1) * m : to;
        double middle = (0.5 * (double)(low + high) - ((double)i + 0.5) * m) /
                        m; // from the centre of the old one
        sum += (double)(high - low) * (T[i] + slope(T, n, (int)i) * middle);
    }
    return sum / n;
}

static RbStatus start_segment(void *self, RbSegment *s) {
    Rod *r = self;
    int old_n;
    const double *old = rb_segment_old_states(s, &old_n);
    if (rb_segment_is_first(s) && !r->restored) r->n = (int)rb_segment_parameter(s, r->p_n);
    if (r->next_n > 0) r->n = r->next_n;
    r->next_n = 0;
    r->restored = false;
    double A = rb_segment_parameter(s, r->p_A), dx = rb_segment_parameter(s, r->p_L) / r->n;
    r->G = rb_segment_parameter(s, r->p_lambda) * A / dx;
    r->C = rb_segment_parameter(s, r->p_rho) * A * dx * rb_segment_parameter(s, r->p_c);
    r->refine_time = rb_segment_parameter(s, r->p_refine_time);
    r->refine_n = (int)rb_segment_parameter(s, r->p_refine_n);
    double T0 = rb_segment_parameter(s, r->p_T0);
    for (int i = 0; i < r->n; i++) {
        char name[32];
        snprintf(name, sizeof name, "T[%d]", i + 1);
        double start = old ? average(old, old_n, r->n, i) : T0;
        rb_segment_state(s, &(RbStateSpec){name, start, .nominal = 300, .unit = "K",
                                           .description = "temperature"});
    }
    int q_count;
    const double *q = rb_segment_old_quadratures(s, &q_count);
    rb_segment_quadrature(
        s, &(RbQuadratureSpec){"Q_in", q ? q[0] : 0, "J", "heat that came in through the ends"});
    rb_segment_result(s, &(RbResultSpec){"heat", "J", "heat content above 0 K"});
    if (r->refine_time > rb_segment_time(s)) {
        rb_segment_time_event(s, r->refine_time);
        rb_segment_needs_solver(s, "the rod is divided anew at refine_time");
    }
    return RB_OK;
}

static RbRestart at_event(void *self, RbEvent *event) {
    Rod *r = self;
    if (!event->time_event) return RB_NO_RESTART;
    event->next_time = INFINITY;
    r->next_n = r->refine_n;
    return RB_FULL_RESTART;
}

// ------------------------------------------------------------------------------------------------
// evaluation

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *inputs,
                             double *outputs) {
    const Rod *r = self;
    const double *T = e->x;
    int n = r->n;
    if (function == F_ENDS) {
        outputs[0] = T[0];
        outputs[1] = T[n - 1];
        outputs[2] = 2 * r->G;
        return RB_EVAL_OK;
    }
    double in = inputs[0];
    for (int i = 0; i < n; i++) {
        double out = i < n - 1 ? r->G * (T[i] - T[i + 1]) : -inputs[1];
        e->dx[i] = (in - out) / r->C;
        in = out;
    }
    e->dq[0] = inputs[0] + inputs[1];
    return RB_EVAL_OK;
}

static void couplings(void *self, RbCouplings *c) {
    const Rod *r = self;
    for (int i = 0; i < r->n; i++) {
        if (i > 0) rb_couplings_derivative_state(c, i, i - 1);
        rb_couplings_derivative_state(c, i, i);
        if (i < r->n - 1) rb_couplings_derivative_state(c, i, i + 1);
    }
    rb_couplings_derivative_input(c, 0, r->v_Qa);
    rb_couplings_derivative_input(c, r->n - 1, r->v_Qb);
    rb_couplings_output_state(c, r->v_first, 0);
    rb_couplings_output_state(c, r->v_last, r->n - 1);
}

static RbEvalStatus jacobian(void *self, const RbEval *e, double *values) {
    (void)e;
    const Rod *r = self;
    double g = r->G / r->C;
    for (int i = 0; i < r->n; i++) {
        int neighbours = (i > 0) + (i < r->n - 1);
        if (i > 0) *values++ = g;
        *values++ = -g * neighbours;
        if (i < r->n - 1) *values++ = g;
    }
    return RB_EVAL_OK;
}

static void record(void *self, const RbEval *e, double *results) {
    const Rod *r = self;
    double sum = 0;
    for (int i = 0; i < r->n; i++) sum += e->x[i];
    results[0] = sum * r->C;
}

// -----------------------------------------------------------------------------------------------
// checkpoints

static void save(void *self, RbSaver *saver) {
    rb_save_int(saver, ((const Rod *)self)->n);
}

static bool restore(void *self, RbLoader *loader) {
    int64_t n;
    if (!rb_load_int(loader, &n) || n < 1 || n > MAX_ELEMENTS) return false;
    Rod *r = self;
    r->n = (int)n;
    r->restored = true;
    return true;
}

const RbComponentType rb_insulated_rod = {
    .version = RB_COMPONENT_VERSION,
    .name = "InsulatedRod",
    .description = "heat conduction along a rod; the number of elements may change while it runs",
    .memory = sizeof(Rod),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .couplings = couplings,
    .jacobian = jacobian,
    .at_event = at_event,
    .record = record,
    .save = save,
    .restore = restore,
};

// SPDX-License-Identifier: MIT
// The equation half of "a rod with one end at a given temperature and the other one insulated",
// written by hand: what the translator makes of the acausal equations of the rod and the two
// boundary conditions
//
//     port_a.T = T,  port_b.Q_flow = 0,  port_a.Q_flow = G_end (port_a.T - T_first)
//
// It drives the model: it calls the functions of the rod, which must be component number 1, in
// sorted order.
#include "component/builtin/builtin_types.h"

typedef struct Boundary {
    int p_T;
    double T;
} Boundary;

enum { ROD = 1, ENDS = 0, HEAT = 1 };

static RbStatus build(void *self, RbBuild *build) {
    Boundary *b = self;
    b->p_T = rb_build_parameter(
        build, &(RbParameterSpec){"T", 493.15, "K", "temperature of the left end"});
    rb_build_function(build, &(RbFunctionSpec){.name = "drive",
                                               .level = RB_LEVEL_ACCELERATION,
                                               .after = RB_NONE,
                                               .derivative = RB_NONE});
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *s) {
    Boundary *b = self;
    b->T = rb_segment_parameter(s, b->p_T);
    rb_segment_workspace(s, sizeof(double));
    rb_segment_result(s, &(RbResultSpec){"Q_flow", "W", "heat flow into the rod"});
    return RB_OK;
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *inputs,
                             double *outputs) {
    (void)function, (void)inputs, (void)outputs;
    const Boundary *b = self;
    double end[3];
    RbEvalStatus status = rb_call(e, ROD, ENDS, NULL, end);
    if (status != RB_EVAL_OK) return status;
    double flows[2] = {end[2] * (b->T - end[0]), 0};
    *(double *)e->workspace = flows[0];
    return rb_call(e, ROD, HEAT, flows, NULL);
}

static void couplings(void *self, RbCouplings *c) {
    (void)self, (void)c;
}

static void record(void *self, const RbEval *e, double *results) {
    (void)self;
    results[0] = *(double *)e->workspace;
}

const RbComponentType rb_fixed_temperature = {
    .version = RB_COMPONENT_VERSION,
    .name = "FixedTemperature",
    .description = "drives one InsulatedRod: left end at a given temperature, right end insulated",
    .memory = sizeof(Boundary),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .couplings = couplings,
    .record = record,
};

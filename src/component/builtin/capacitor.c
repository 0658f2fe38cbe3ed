// SPDX-License-Identifier: MIT
// A capacitor whose voltage is a state of the component (seed thesis, 10.1.4):
//
//     C der(v) = i
//
// The equations see two functions: one hands out the voltage, the other takes the current and gives
// the derivative. So the voltage is always known and the current must follow from the rest of the
// circuit: two such capacitors in parallel, or one at a voltage source, cannot be solved, and index
// reduction cannot help since the state is not the equations' own.
#include <math.h>

#include "component/builtin/builtin_types.h"

typedef struct Capacitor {
    int p_C, p_v0;
    int v_v, v_i; // variables
    double C;     // [F]
} Capacitor;

enum { F_VOLTAGE, F_CURRENT }; // functions

static RbStatus build(void *self, RbBuild *build) {
    Capacitor *c = self;
    c->p_C = rb_build_parameter(
        build, &(RbParameterSpec){"C", 1e-6, "F", "capacitance", .min = 1e-300, .max = INFINITY});
    c->p_v0 = rb_build_parameter(build, &(RbParameterSpec){"v0", 0.0, "V", "voltage at the start"});
    c->v_v = rb_build_variable(
        build, &(RbVariableSpec){"v", RB_VARIABLE_OUTPUT, 0, "V", "voltage from p to n"});
    c->v_i = rb_build_variable(
        build, &(RbVariableSpec){"i", RB_VARIABLE_ACAUSAL, 0, "A", "current from p to n"});
    rb_build_equation(build, "v = p.v - n.v");
    rb_build_equation(build, "i = p.i");
    rb_build_equation(build, "0 = p.i + n.i");
    rb_build_function(build, &(RbFunctionSpec){.name = "voltage",
                                               .level = RB_LEVEL_POSITION,
                                               .output_count = 1,
                                               .outputs = (int[]){c->v_v},
                                               .after = RB_NONE,
                                               .derivative = RB_NONE});
    rb_build_function(build, &(RbFunctionSpec){.name = "current",
                                               .level = RB_LEVEL_ACCELERATION,
                                               .input_count = 1,
                                               .inputs = (int[]){c->v_i},
                                               .after = F_VOLTAGE,
                                               .derivative = RB_NONE,
                                               .state_derivatives = true});
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *s) {
    Capacitor *c = self;
    int count;
    const double *old = rb_segment_old_states(s, &count);
    c->C = rb_segment_parameter(s, c->p_C);
    double v = old ? old[0] : rb_segment_parameter(s, c->p_v0);
    rb_segment_state(s, &(RbStateSpec){"v", v, .unit = "V", .description = "voltage from p to n"});
    return RB_OK;
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *inputs,
                             double *outputs) {
    if (function == F_VOLTAGE)
        outputs[0] = e->x[0];
    else
        e->dx[0] = inputs[0] / ((const Capacitor *)self)->C;
    return RB_EVAL_OK;
}

static void couplings(void *self, RbCouplings *c) {
    const Capacitor *k = self;
    rb_couplings_derivative_input(c, 0, k->v_i);
    rb_couplings_output_state(c, k->v_v, 0);
}

const RbComponentType rb_capacitor = {
    .version = RB_COMPONENT_VERSION,
    .name = "Capacitor",
    .description = "a capacitor whose voltage is a state of the component",
    .memory = sizeof(Capacitor),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .couplings = couplings,
};

// SPDX-License-Identifier: MIT
// A capacitor that a clock connects in turn to a source (through R) and to a load (through R_load),
// and a comparator that watches its voltage. The switch makes time events, the comparator state
// events.
//
//     C der(v) = (V - v)/R           for the first half of each period
//     C der(v) = -v/R_load           for the second half
#include <math.h>

#include "component/builtin/builtin_types.h"

typedef struct Capacitor {
    int p_C, p_R, p_R_load, p_V, p_period, p_v0, p_threshold;
    double C, R, R_load, V, period, threshold;
    double start; // [s] of the clock
} Capacitor;

enum { CHARGING, TICKS, ABOVE };

static RbStatus build(void *self, RbBuild *build) {
    Capacitor *c = self;
    double tiny = 1e-300;
    c->p_C = rb_build_parameter(
        build, &(RbParameterSpec){"C", 1e-6, "F", "capacitance", .min = tiny, .max = INFINITY});
    c->p_R =
        rb_build_parameter(build, &(RbParameterSpec){"R", 1e3, "Ohm", "resistance of the source",
                                                     .min = tiny, .max = INFINITY});
    c->p_R_load =
        rb_build_parameter(build, &(RbParameterSpec){"R_load", 2e3, "Ohm", "resistance of the load",
                                                     .min = tiny, .max = INFINITY});
    c->p_V = rb_build_parameter(build, &(RbParameterSpec){"V", 5.0, "V", "voltage of the source"});
    c->p_period =
        rb_build_parameter(build, &(RbParameterSpec){"period", 4e-3, "s", "period of the clock",
                                                     .min = tiny, .max = INFINITY});
    c->p_v0 = rb_build_parameter(build, &(RbParameterSpec){"v0", 0.0, "V", "voltage at the start"});
    c->p_threshold =
        rb_build_parameter(build, &(RbParameterSpec){"threshold", 3.0, "V", "of the comparator"});
    rb_build_function(build, &(RbFunctionSpec){.name = "current",
                                               .level = RB_LEVEL_ACCELERATION,
                                               .after = RB_NONE,
                                               .derivative = RB_NONE,
                                               .state_derivatives = true});
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *s) {
    Capacitor *c = self;
    c->C = rb_segment_parameter(s, c->p_C);
    c->R = rb_segment_parameter(s, c->p_R);
    c->R_load = rb_segment_parameter(s, c->p_R_load);
    c->V = rb_segment_parameter(s, c->p_V);
    c->period = rb_segment_parameter(s, c->p_period);
    c->threshold = rb_segment_parameter(s, c->p_threshold);
    c->start = rb_segment_time(s);
    double v0 = rb_segment_parameter(s, c->p_v0);
    rb_segment_state(
        s, &(RbStateSpec){"v", v0, .unit = "V", .description = "voltage of the capacitor"});
    rb_segment_discrete(s,
                        &(RbDiscreteSpec){"charging", 1, "1", "1 while the source is connected"});
    rb_segment_discrete(s, &(RbDiscreteSpec){"ticks", 0, "1", "times the switch has moved"});
    rb_segment_discrete(
        s, &(RbDiscreteSpec){"above", v0 > c->threshold, "1", "what the comparator says"});
    rb_segment_indicator(s, &(RbIndicatorSpec){"v - threshold"});
    rb_segment_result(s, &(RbResultSpec){"i", "A", "current into the capacitor"});
    rb_segment_time_event(s, c->start + 0.5 * c->period);
    return RB_OK;
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *inputs,
                             double *outputs) {
    (void)function, (void)inputs, (void)outputs;
    const Capacitor *c = self;
    double i = e->discrete[CHARGING] != 0 ? (c->V - e->x[0]) / c->R : -e->x[0] / c->R_load;
    e->dx[0] = i / c->C;
    return RB_EVAL_OK;
}

static RbEvalStatus indicators(void *self, const RbEval *e, double *z) {
    z[0] = e->x[0] - ((const Capacitor *)self)->threshold;
    return RB_EVAL_OK;
}

static RbRestart at_event(void *self, RbEvent *event) {
    const Capacitor *c = self;
    if (event->pass == 0 && event->fired[0] != 0) {
        event->discrete[ABOVE] = event->fired[0] > 0;
        rb_event_log(event, "voltage %s the threshold",
                     event->fired[0] > 0 ? "rises above" : "falls below");
    }
    if (!event->time_event) return RB_NO_RESTART;
    event->discrete[CHARGING] = 1 - event->discrete[CHARGING];
    event->discrete[TICKS] += 1;
    // From the number of ticks, so that rounding does not add up over many periods.
    event->next_time = c->start + 0.5 * c->period * (event->discrete[TICKS] + 1);
    rb_event_log(event, "switch to %s", event->discrete[CHARGING] != 0 ? "source" : "load");
    return RB_RESTART;
}

static void record(void *self, const RbEval *e, double *results) {
    results[0] = ((const Capacitor *)self)->C * e->dx[0];
}

const RbComponentType rb_switched_capacitor = {
    .version = RB_COMPONENT_VERSION,
    .name = "SwitchedCapacitor",
    .description =
        "a capacitor between a source and a load, switched by a clock and watched by a comparator",
    .memory = sizeof(Capacitor),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .indicators = indicators,
    .at_event = at_event,
    .record = record,
};

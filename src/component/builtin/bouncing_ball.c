// SPDX-License-Identifier: MIT
// A ball that falls on the ground: an impulse at each impact, and rest instead of ever smaller
// bounces.
//
//     der(h) = v,  der(v) = -g          while it flies
//     v := -e v                         when h falls through zero
//
// The bounces accumulate at t1 + 2 e/(1 - e) v1/g, with impact time and speed t1, v1 of the first
// one. The ball comes to rest at the first impact that it would leave slower than v_rest; the rest
// of the series would take 2 v_rest/(g (1 - e)).
#include <math.h>

#include "component/builtin/builtin_types.h"

typedef struct Ball {
    int p_h0, p_v0, p_e, p_g, p_v_rest; // numbers of the parameters
    double e, g, v_rest;
} Ball;

enum { H, V };             // states
enum { RESTING, BOUNCES }; // discrete values

static RbStatus build(void *self, RbBuild *build) {
    Ball *b = self;
    b->p_h0 = rb_build_parameter(build, &(RbParameterSpec){"h0", 1.0, "m", "height at the start"});
    b->p_v0 = rb_build_parameter(build,
                                 &(RbParameterSpec){"v0", 0.0, "m/s", "upward speed at the start"});
    b->p_e = rb_build_parameter(
        build, &(RbParameterSpec){"e", 0.7, "1", "coefficient of restitution", .min = 0, .max = 1});
    b->p_g = rb_build_parameter(build, &(RbParameterSpec){"g", 9.81, "m/s2", "gravity acceleration",
                                                          .min = 0, .max = INFINITY});
    b->p_v_rest =
        rb_build_parameter(build, &(RbParameterSpec){"v_rest", 1e-6, "m/s",
                                                     "the ball rests once it would bounce slower",
                                                     .min = 0, .max = INFINITY});
    rb_build_function(build, &(RbFunctionSpec){.name = "motion",
                                               .level = RB_LEVEL_ACCELERATION,
                                               .after = RB_NONE,
                                               .derivative = RB_NONE,
                                               .state_derivatives = true});
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *s) {
    Ball *b = self;
    b->e = rb_segment_parameter(s, b->p_e);
    b->g = rb_segment_parameter(s, b->p_g);
    b->v_rest = rb_segment_parameter(s, b->p_v_rest);
    double h0 = rb_segment_parameter(s, b->p_h0), v0 = rb_segment_parameter(s, b->p_v0);
    if (!(h0 >= 0)) return rb_segment_fail(s, "the height h0 = %g m is below the ground", h0);
    rb_segment_state(s, &(RbStateSpec){"h", h0, .unit = "m", .description = "height"});
    rb_segment_state(s, &(RbStateSpec){"v", v0, .unit = "m/s", .description = "upward speed"});
    rb_segment_discrete(s,
                        &(RbDiscreteSpec){"resting", 0, "1", "1 once the ball lies on the ground"});
    rb_segment_discrete(s, &(RbDiscreteSpec){"bounces", 0, "1", "impacts so far"});
    rb_segment_indicator(s, &(RbIndicatorSpec){"h", .direction = -1});
    rb_segment_result(s,
                      &(RbResultSpec){"energy", "J/kg", "kinetic and potential energy per mass"});
    return RB_OK;
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *inputs,
                             double *outputs) {
    (void)function, (void)inputs, (void)outputs;
    const Ball *b = self;
    bool flies = e->discrete[RESTING] == 0;
    e->dx[H] = flies ? e->x[V] : 0.0;
    e->dx[V] = flies ? -b->g : 0.0;
    return RB_EVAL_OK;
}

static RbEvalStatus indicators(void *self, const RbEval *e, double *z) {
    (void)self;
    z[0] = e->discrete[RESTING] == 0 ? e->x[H] : 1.0;
    return RB_EVAL_OK;
}

static void come_to_rest(RbEvent *event) {
    event->x[H] = 0;
    event->x[V] = 0;
    event->discrete[RESTING] = 1;
    rb_event_log(event, "comes to rest after %g bounces", event->discrete[BOUNCES]);
}

static RbRestart at_event(void *self, RbEvent *event) {
    const Ball *b = self;
    if (event->initial && event->x[H] == 0 && event->x[V] <= b->v_rest &&
        event->discrete[RESTING] == 0) {
        come_to_rest(event);
        return RB_RESTART;
    }
    if (event->pass > 0 || event->fired[0] >= 0) return RB_NO_RESTART;
    double v = -b->e * event->x[V];
    event->discrete[BOUNCES] += 1;
    rb_event_log(event, "impact at %g m/s, leaves at %g m/s", event->x[V], v);
    event->x[H] = 0; // exactly, so that the error of locating the event does not add up
    event->x[V] = v;
    if (v <= b->v_rest) come_to_rest(event);
    return RB_RESTART;
}

static void record(void *self, const RbEval *e, double *results) {
    const Ball *b = self;
    results[0] = 0.5 * e->x[V] * e->x[V] + b->g * e->x[H];
}

const RbComponentType rb_bouncing_ball = {
    .version = RB_COMPONENT_VERSION,
    .name = "BouncingBall",
    .description = "a ball that bounces on the ground by impulses and comes to rest",
    .memory = sizeof(Ball),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .indicators = indicators,
    .at_event = at_event,
    .record = record,
};

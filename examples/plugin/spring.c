// SPDX-License-Identifier: MIT
// A component of your own, as a plugin: a mass on a spring.
//
//     cc -shared -fPIC -I include -o spring.so examples/plugin/spring.c
//     rattleback info --plugin ./spring.so
#include "rattleback/component.h"

typedef struct Spring {
    int p_m, p_c, p_s0; // numbers of the parameters
    double m, c;        // their values
} Spring;

enum { S, V }; // states: position and speed

static RbStatus build(void *self, RbBuild *build) {
    Spring *spring = self;
    spring->p_m = rb_build_parameter(
        build, &(RbParameterSpec){"m", 1.0, "kg", "mass", .min = 1e-9, .max = 1e9});
    spring->p_c = rb_build_parameter(
        build, &(RbParameterSpec){"c", 100.0, "N/m", "stiffness", .min = 0, .max = 1e12});
    spring->p_s0 =
        rb_build_parameter(build, &(RbParameterSpec){"s0", 0.1, "m", "elongation at the start"});
    rb_build_function(build, &(RbFunctionSpec){.name = "motion",
                                               .level = RB_LEVEL_ACCELERATION,
                                               .after = RB_NONE,
                                               .derivative = RB_NONE,
                                               .state_derivatives = true});
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *segment) {
    Spring *spring = self;
    spring->m = rb_segment_parameter(segment, spring->p_m);
    spring->c = rb_segment_parameter(segment, spring->p_c);
    double s0 = rb_segment_parameter(segment, spring->p_s0);
    rb_segment_state(segment, &(RbStateSpec){"s", s0, .unit = "m", .description = "elongation"});
    rb_segment_state(segment, &(RbStateSpec){"v", 0.0, .unit = "m/s", .description = "speed"});
    return RB_OK;
}

static RbEvalStatus evaluate(void *self, const RbEval *eval, int function, const double *inputs,
                             double *outputs) {
    (void)function, (void)inputs, (void)outputs;
    const Spring *spring = self;
    eval->dx[S] = eval->x[V];
    eval->dx[V] = -spring->c / spring->m * eval->x[S];
    return RB_EVAL_OK;
}

static const RbComponentType spring_type = {
    .version = RB_COMPONENT_VERSION,
    .name = "Spring",
    .description = "a mass on a spring",
    .memory = sizeof(Spring),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
};

RB_API const RbComponentType *rb_plugin_component(int index);

const RbComponentType *rb_plugin_component(int index) {
    return index == 0 ? &spring_type : NULL;
}

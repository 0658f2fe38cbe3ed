// SPDX-License-Identifier: MIT
// A point mass on a massless rod: m l² der(w) = -m g l sin(phi) - d w. The dissipated energy is a
// quadrature, so that the sum of all energies is a check on the integration.
#include <math.h>

#include "component/builtin/builtin_types.h"

typedef struct Pendulum {
    int p_m, p_l, p_g, p_d, p_phi0, p_w0;
    double m, l, g, d;
} Pendulum;

enum { PHI, W };

static RbStatus build(void *self, RbBuild *build) {
    Pendulum *p = self;
    p->p_m = rb_build_parameter(
        build, &(RbParameterSpec){"m", 1.0, "kg", "mass", .min = 1e-300, .max = INFINITY});
    p->p_l = rb_build_parameter(
        build, &(RbParameterSpec){"l", 1.0, "m", "length", .min = 1e-300, .max = INFINITY});
    p->p_g =
        rb_build_parameter(build, &(RbParameterSpec){"g", 9.81, "m/s2", "gravity acceleration"});
    p->p_d =
        rb_build_parameter(build, &(RbParameterSpec){"d", 0.0, "N.m.s/rad", "damping of the hinge",
                                                     .min = 0, .max = INFINITY});
    p->p_phi0 = rb_build_parameter(
        build, &(RbParameterSpec){"phi0", 1.0, "rad", "angle from the vertical at the start"});
    p->p_w0 = rb_build_parameter(
        build, &(RbParameterSpec){"w0", 0.0, "rad/s", "angular velocity at the start"});
    rb_build_function(build, &(RbFunctionSpec){.name = "motion",
                                               .level = RB_LEVEL_ACCELERATION,
                                               .after = RB_NONE,
                                               .derivative = RB_NONE,
                                               .state_derivatives = true});
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *s) {
    Pendulum *p = self;
    p->m = rb_segment_parameter(s, p->p_m);
    p->l = rb_segment_parameter(s, p->p_l);
    p->g = rb_segment_parameter(s, p->p_g);
    p->d = rb_segment_parameter(s, p->p_d);
    rb_segment_state(s, &(RbStateSpec){"phi", rb_segment_parameter(s, p->p_phi0), .unit = "rad",
                                       .description = "angle from the vertical"});
    rb_segment_state(s, &(RbStateSpec){"w", rb_segment_parameter(s, p->p_w0), .unit = "rad/s",
                                       .description = "angular velocity"});
    rb_segment_quadrature(
        s, &(RbQuadratureSpec){"dissipated", 0.0, "J", "energy taken by the damping"});
    rb_segment_result(s, &(RbResultSpec){"x", "m", "horizontal position of the mass"});
    rb_segment_result(s, &(RbResultSpec){"y", "m", "vertical position of the mass"});
    rb_segment_result(
        s, &(RbResultSpec){"energy", "J", "kinetic, potential and dissipated energy: constant",
                           .integral = true});
    return RB_OK;
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *inputs,
                             double *outputs) {
    (void)function, (void)inputs, (void)outputs;
    const Pendulum *p = self;
    e->dx[PHI] = e->x[W];
    e->dx[W] = -p->g / p->l * sin(e->x[PHI]) - p->d / (p->m * p->l * p->l) * e->x[W];
    e->dq[0] = p->d * e->x[W] * e->x[W];
    return RB_EVAL_OK;
}

static void couplings(void *self, RbCouplings *c) {
    (void)self;
    rb_couplings_derivative_state(c, PHI, W);
    rb_couplings_derivative_state(c, W, PHI);
    rb_couplings_derivative_state(c, W, W);
}

static RbEvalStatus jacobian(void *self, const RbEval *e, double *values) {
    const Pendulum *p = self;
    values[0] = 1;
    values[1] = -p->g / p->l * cos(e->x[PHI]);
    values[2] = -p->d / (p->m * p->l * p->l);
    return RB_EVAL_OK;
}

static void record(void *self, const RbEval *e, double *results) {
    const Pendulum *p = self;
    double v = p->l * e->x[W];
    results[0] = p->l * sin(e->x[PHI]);
    results[1] = -p->l * cos(e->x[PHI]);
    results[2] = 0.5 * p->m * v * v + p->m * p->g * results[1] + e->q[0];
}

const RbComponentType rb_pendulum = {
    .version = RB_COMPONENT_VERSION,
    .name = "Pendulum",
    .description = "a point mass on a rod, with damping",
    .memory = sizeof(Pendulum),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .couplings = couplings,
    .jacobian = jacobian,
    .record = record,
};

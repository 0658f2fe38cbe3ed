// SPDX-License-Identifier: MIT
// arm.h: a component for tests of the contract: a pendulum on a cart or a fixed base, whose joint
// belongs to the equations.
#pragma once

#include <math.h>

#include "rattleback/component.h"

// ------------------------------------------------------------------------------- the component: a
// cart with a pendulum

// A cart of mass M slides along x (its own variant states s, v); a pendulum of mass m, length l
// hangs on it. The joint coordinate phi, w belongs to the equations (invariant). M = INFINITY: a
// fixed base.
//
//     (M + m) a + m l cos(phi) z = m l sin(phi) w² + F
//     m l cos(phi) a + m l² z    = tau - m g l sin(phi)
//
// Eliminating a gives the row that the equations see: tau = Ms z + hs, affine in (z, tau): Ms z +
// hs - tau = 0.
typedef struct Arm {
    int v_phi, v_w, v_z, v_tau, v_lock;
    double M, m, l, g;
    bool floating;
    double lock_time, unlock_time; // [s] 0: never
    double locked_phi;
    struct ArmLooks *looks; // NULL: nobody looks into steps
} Arm;

// What inspect saw in the middle of each step.
typedef struct ArmLooks {
    int count, wanting, elsewhere; // of them: with a wish, with another angle than speed times t
    double speed;                  // [rad/s]
} ArmLooks;

enum { F_POSITION, F_ROW, F_BASE }; // functions
enum { MODE };                      // discrete: 0 free, 1 locked

typedef struct ArmMemory { // workspace
    double s, c, w, z;
    double Ms, hs; // Schur complement of the base
    unsigned want;
} ArmMemory;

static Arm arm_template; // what the next arm_build takes over; only these tests

static RbStatus arm_build(void *self, RbBuild *b) {
    Arm *a = self;
    *a = arm_template;
    a->v_phi = rb_build_variable(b, &(RbVariableSpec){"phi", RB_VARIABLE_STATE, 0, "rad", ""});
    a->v_w = rb_build_variable(b, &(RbVariableSpec){"w", RB_VARIABLE_STATE, 0, "rad/s", ""});
    a->v_z = rb_build_variable(b, &(RbVariableSpec){"z", RB_VARIABLE_ACAUSAL, 0, "rad/s2", ""});
    a->v_tau = rb_build_variable(b, &(RbVariableSpec){"tau", RB_VARIABLE_ACAUSAL, 0, "N.m", ""});
    rb_build_function(b, &(RbFunctionSpec){.name = "position",
                                           .level = RB_LEVEL_VELOCITY,
                                           .input_count = 2,
                                           .inputs = (int[]){a->v_phi, a->v_w},
                                           .after = RB_NONE,
                                           .derivative = RB_NONE});
    rb_build_function(b, &(RbFunctionSpec){.name = "row",
                                           .level = RB_LEVEL_ACCELERATION,
                                           .input_count = 4,
                                           .inputs = (int[]){a->v_phi, a->v_w, a->v_z, a->v_tau},
                                           .output_count = 1,
                                           .affine_count = 2,
                                           .after = F_POSITION,
                                           .derivative = RB_NONE});
    rb_build_function(b, &(RbFunctionSpec){.name = "base",
                                           .level = RB_LEVEL_ACCELERATION,
                                           .input_count = 3,
                                           .inputs = (int[]){a->v_phi, a->v_w, a->v_z},
                                           .after = F_ROW,
                                           .derivative = RB_NONE,
                                           .state_derivatives = true});
    return RB_OK;
}

static RbStatus arm_start(void *self, RbSegment *s) {
    Arm *a = self;
    if (a->floating) {
        rb_segment_state(s, &(RbStateSpec){"s", 0, .unit = "m"});
        rb_segment_state(s, &(RbStateSpec){"v", 0, .unit = "m/s"});
    }
    rb_segment_discrete(s, &(RbDiscreteSpec){"mode", 0, "1", "0 free, 1 locked"});
    rb_segment_workspace(s, sizeof(ArmMemory));
    if (a->lock_time > 0) rb_segment_time_event(s, a->lock_time);
    return RB_OK;
}

static void arm_matrix(const Arm *a, ArmMemory *k) {
    double total = a->M + a->m, couple = a->m * a->l * k->c,
           push = a->m * a->l * k->s * k->w * k->w;
    k->Ms = a->m * a->l * a->l;
    k->hs = a->m * a->g * a->l * k->s;
    if (!a->floating) return;
    k->Ms -= couple * couple / total;
    k->hs += couple * push / total;
}

static RbEvalStatus arm_affine(void *self, const RbEval *e, int function, const double *inputs,
                               double *A, double *b) {
    (void)self, (void)function, (void)inputs;
    const ArmMemory *k = e->workspace;
    bool locked = e->discrete[MODE] != 0;
    A[0] = locked ? 1 : k->Ms; // of z
    A[1] = locked ? 0 : -1;    // of tau
    b[0] = locked ? 0 : k->hs;
    return RB_EVAL_OK;
}

static RbEvalStatus arm_evaluate(void *self, const RbEval *e, int function, const double *in,
                                 double *out) {
    const Arm *a = self;
    ArmMemory *k = e->workspace;
    if (function == F_POSITION) {
        *k = (ArmMemory){.s = sin(in[0]), .c = cos(in[0]), .w = in[1], .want = e->want};
        arm_matrix(a, k);
    } else if (function == F_ROW) {
        double A[2], b;
        arm_affine(self, e, F_ROW, NULL, A, &b);
        out[0] = A[0] * in[2] + A[1] * in[3] + b;
    } else if (a->floating) {
        e->dx[0] = e->x[1];
        e->dx[1] = (a->m * a->l * k->s * k->w * k->w - a->m * a->l * k->c * in[2]) / (a->M + a->m);
    }
    return RB_EVAL_OK;
}

// Locking takes the joint speed away; unlocking lets it go. The number of states stays.
static RbRestart arm_event(void *self, RbEvent *event) {
    const Arm *a = self;
    if (!event->time_event) return RB_NO_RESTART;
    event->discrete[MODE] = 1 - event->discrete[MODE];
    event->next_time = event->discrete[MODE] != 0 ? a->unlock_time : INFINITY;
    if (event->discrete[MODE] != 0 && !rb_event_reinit(event, a->v_w, 0.0))
        rb_event_fail(event, "the speed of the joint is no state");
    return RB_RESTART;
}

static double arm_inspect(void *self, const RbStepView *step, int *indicator, int *sign) {
    const Arm *a = self;
    (void)indicator, (void)sign;
    if (!a->looks) return INFINITY;
    double x[2], t = 0.5 * (step->t0 + step->t1);
    rb_step_evaluate(step, t, x);
    const ArmMemory *k = step->workspace;
    a->looks->count++;
    a->looks->wanting += k->want != 0;
    a->looks->elsewhere += fabs(k->s - sin(a->looks->speed * t)) > 1e-12;
    return INFINITY;
}

static void arm_couplings(void *self, RbCouplings *c) {
    const Arm *a = self;
    if (!a->floating) return;
    rb_couplings_derivative_state(c, 0, 1);
    rb_couplings_derivative_input(c, 1, a->v_z);
}

static const RbComponentType arm_type = {
    .version = RB_COMPONENT_VERSION,
    .name = "Arm",
    .description = "",
    .memory = sizeof(Arm),
    .build = arm_build,
    .start_segment = arm_start,
    .evaluate = arm_evaluate,
    .affine = arm_affine,
    .couplings = arm_couplings,
    .inspect = arm_inspect,
    .at_event = arm_event,
};

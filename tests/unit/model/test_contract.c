// SPDX-License-Identifier: MIT
// The four cases that decide whether the contract of a component is right
// (docs/decisions/component-contract.md), written out with small components and hand-written
// equation halves:
//   1. a joint driven by a motor inertia over a gear      affine residual row, linear system with
//   the equations
//   2. a joint whose motion is prescribed                 the same row, solved for the torque
//   instead
//   3. a free-floating base with a driven joint           Schur complement; base acceleration after
//   the joint's
//   4. a joint that locks and breaks loose in mid-run     the row changes its mode, not the states
#include "../sim/run.h"
#include "arm.h"

enum { ARM = 1 };

// --------------------------------------------------------------------------------------------
// equation halves

// Case 1, 3, 4: motor inertia J over a gear of ratio i, motor torque tau_m: tau = i tau_m - i² J z
// together with the row of the arm. States phi, w. Linear system in (z, tau): [A0 A1; i²J 1] (z,
// tau) = (-b, i tau_m).
typedef struct Drive {
    double J, ratio, tau_m, phi0;
    double w_prescribed; // case 2: phi = w_prescribed t, solved for tau
    bool prescribed;
} Drive;

static Drive drive_template;

static RbStatus drive_build(void *self, RbBuild *b) {
    *(Drive *)self = drive_template;
    rb_build_function(b,
                      &(RbFunctionSpec){.name = "drive", .after = RB_NONE, .derivative = RB_NONE});
    return RB_OK;
}

static RbStatus drive_start(void *self, RbSegment *s) {
    const Drive *d = self;
    if (!d->prescribed) {
        rb_segment_state(s, &(RbStateSpec){"phi", d->phi0, .unit = "rad"});
        rb_segment_state(s, &(RbStateSpec){"w", 0, .unit = "rad/s"});
    }
    rb_segment_workspace(s, 2 * sizeof(double));
    rb_segment_result(s, &(RbResultSpec){"z", "rad/s2", ""});
    rb_segment_result(s, &(RbResultSpec){"tau", "N.m", ""});
    return RB_OK;
}

static RbEvalStatus drive_evaluate(void *self, const RbEval *e, int function, const double *in,
                                   double *out) {
    (void)function, (void)in, (void)out;
    const Drive *d = self;
    double *z_tau = e->workspace, A[2], b;
    // Index reduction went through the prescribed motion: position and velocity are known functions
    // of time.
    double joint[2] = {d->prescribed ? d->w_prescribed * e->time : e->x[0],
                       d->prescribed ? d->w_prescribed : e->x[1]};
    RbEvalStatus status = rb_call(e, ARM, F_POSITION, joint, NULL);
    if (status == RB_EVAL_OK) status = rb_call_affine(e, ARM, F_ROW, NULL, A, &b);
    if (status != RB_EVAL_OK) return status;
    if (d->prescribed) {
        z_tau[0] = 0;
        z_tau[1] = -(b + A[0] * z_tau[0]) / A[1];
    } else {
        double J = d->ratio * d->ratio * d->J, t = d->ratio * d->tau_m, det = A[0] - A[1] * J;
        z_tau[0] = (-b - A[1] * t) / det;
        z_tau[1] = t - J * z_tau[0];
        e->dx[0] = e->x[1];
        e->dx[1] = z_tau[0];
    }
    return rb_call(e, ARM, F_BASE, (double[]){joint[0], joint[1], z_tau[0]}, NULL);
}

static void drive_record(void *self, const RbEval *e, double *results) {
    (void)self;
    memcpy(results, e->workspace, 2 * sizeof(double));
}

static const RbComponentType drive_type = {
    .version = RB_COMPONENT_VERSION,
    .name = "Drive",
    .description = "",
    .memory = sizeof(Drive),
    .build = drive_build,
    .start_segment = drive_start,
    .evaluate = drive_evaluate,
    .record = drive_record,
};

static RbStatus open_drive(void *argument) {
    Run *r = argument;
    r->model = rb_model_new("drive", "", &r->f.arena);
    RB_TRY(rb_model_add(r->model, &drive_type, "drive", &r->f.diag, &r->model->driver));
    RB_TRY(rb_model_add(r->model, &arm_type, "arm", &r->f.diag, NULL));
    const Arm *a = r->model->instances.data[ARM].self;
    rb_array_push(&r->model->bindings, &r->f.arena, (RbBinding){ARM, a->v_phi, 0});
    rb_array_push(&r->model->bindings, &r->f.arena, (RbBinding){ARM, a->v_w, 1});
    return RB_OK;
}

static void open_case(Run *r, Arm arm, Drive drive) {
    run_open(r, "pendulum"); // for the files and options; its model is replaced
    arm_template = arm;
    drive_template = drive;
    ENSURE(rb_protect(&r->f.heap, open_drive, r) == RB_OK);
    r->options.tolerance = 1e-10;
    r->options.stop_time = 2;
    r->options.output_interval = 0.004;
}

// ---------------------------------------------------------------------------------------------------
// the cases

// With a motor of inertia J over ratio i the arm swings as one with the inertia m l² + i² J: its
// energy is conserved.
static void motor_inertia_over_a_gear(void **state) {
    (void)state;
    Run r;
    Drive drive = {.J = 1e-3, .ratio = 30, .phi0 = 1.2};
    open_case(&r, (Arm){.m = 2, .l = 0.5, .g = 9.81}, drive);
    ENSURE(run_go(&r) == RB_OK);
    double phi = run_now(&r)->x[0], w = run_now(&r)->x[1];
    double inertia = 2 * 0.25 + 900 * 1e-3;
    ENSURE(fabs(w) > 0.1);
    ENSURE_NEAR(0.5 * inertia * w * w - 2 * 9.81 * 0.5 * cos(phi), -2 * 9.81 * 0.5 * cos(1.2),
                1e-7);
    // Instant acceleration at the start: z = -m g l sin(phi)/(m l² + i² J).
    run_read(&r);
    ENSURE_NEAR(run_series(&r, "drive.z")[0], -2 * 9.81 * 0.5 * sin(1.2) / inertia, 1e-12);
    run_close(&r);
}

// Turning at constant speed needs tau = m g l sin(w t); the model then has no states at all.
static void prescribed_motion(void **state) {
    (void)state;
    Run r;
    open_case(&r, (Arm){.m = 2, .l = 0.5, .g = 9.81},
              (Drive){.prescribed = true, .w_prescribed = 3});
    ENSURE(run_go(&r) == RB_OK);
    assert_int_equal(r.summary.states, 0);
    run_read(&r);
    double *t = rb_result_times(r.result, &r.f.arena), *tau = run_series(&r, "drive.tau");
    ENSURE(r.result->row_count > 400);
    for (size_t i = 0; i < r.result->row_count; i++)
        ENSURE_NEAR(tau[i], 9.81 * sin(3 * t[i]), 1e-12);
    run_close(&r);
}

// Free cart with a driven pendulum: momentum along x and total energy (with the motor's) are
// conserved.
static void floating_base_with_driven_joint(void **state) {
    (void)state;
    Run r;
    double M = 3, m = 2, l = 0.5, g = 9.81, J = 1e-3, i = 20, phi0 = 1.2;
    open_case(&r, (Arm){.M = M, .m = m, .l = l, .g = g, .floating = true},
              (Drive){.J = J, .ratio = i, .phi0 = phi0});
    ENSURE(run_go(&r) == RB_OK);
    assert_int_equal(r.summary.states, 4);
    const double *x = run_now(&r)->x;
    double phi = x[0], w = x[1], v = x[3];
    ENSURE(fabs(v) > 0.01);
    ENSURE_NEAR((M + m) * v + m * l * cos(phi) * w, 0, 1e-8);
    double energy = 0.5 * (M + m) * v * v + m * l * cos(phi) * v * w +
                    0.5 * (m * l * l + i * i * J) * w * w - m * g * l * cos(phi);
    ENSURE_NEAR(energy, -m * g * l * cos(phi0), 1e-7);
    run_close(&r);
}

// Locked at 0.3 s, loose again at 0.9 s: stands still in between, swings like from rest afterwards;
// the states stay the same.
static void locking_and_breaking_loose(void **state) {
    (void)state;
    Run r;
    open_case(&r, (Arm){.m = 2, .l = 0.5, .g = 9.81, .lock_time = 0.3, .unlock_time = 0.9},
              (Drive){.J = 1e-3, .ratio = 30, .phi0 = 1.2});
    ENSURE(run_go(&r) == RB_OK);
    assert_int_equal(r.summary.segments, 1);
    assert_int_equal(r.summary.time_events, 2);
    run_read(&r);
    double *t = rb_result_times(r.result, &r.f.arena), *phi = run_series(&r, "drive.phi"),
           *w = run_series(&r, "drive.w");
    double locked = NAN;
    for (size_t i = 1; i < r.result->row_count; i++) {
        if (t[i] == 0.3 && t[i - 1] == 0.3) {
            ENSURE(fabs(w[i - 1]) > 0.5); // before and after the jump of the speed
            ENSURE(w[i] == 0);
            locked = phi[i];
        }
        if (t[i] > 0.3 && t[i] < 0.9) {
            ENSURE(phi[i] == locked);
            ENSURE(w[i] == 0);
        }
    }
    size_t end = r.result->row_count - 1;
    double inertia = 2 * 0.25 + 900 * 1e-3;
    ENSURE(fabs(w[end]) > 0.1);
    ENSURE_NEAR(0.5 * inertia * w[end] * w[end] - 9.81 * cos(phi[end]), -9.81 * cos(locked), 1e-7);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motor_inertia_over_a_gear),
        cmocka_unit_test(prescribed_motion),
        cmocka_unit_test(floating_base_with_driven_joint),
        cmocka_unit_test(locking_and_breaking_loose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

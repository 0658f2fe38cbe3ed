// SPDX-License-Identifier: MIT
// Modelica classes that components in C implement (docs/decisions/two-halves.md): the same results
// as with equations, numbers of states that change without translation and in mid-run, joints whose
// equations come from the component.
#include "../sim/run.h"
#include "arm.h"
#include "model/translated.h"

static const RbComponentType oscillator_type;

typedef struct Halves {
    Run r;
    RbRegistry registry;
    RbTranslation translation;
    const char *class_name;
    RbBackend backend;
} Halves;

static RbStatus translate(void *argument) {
    Halves *h = argument;
    Fixture *f = &h->r.f;
    RbNames *names = rb_new(&f->arena, RbNames);
    *names = rb_names(&f->arena);
    RbLibrary *library = rb_library(names, &f->arena, &f->scratch, &f->diag);
    const char *last;
    RB_TRY(rb_library_add_file(library, RB_SOURCE_DIR "/examples/modelica/HeatedRod.mo", &last));
    RB_TRY(rb_library_add_file(library, RB_SOURCE_DIR "/examples/modelica/Capacitors.mo", &last));
    RB_TRY(rb_library_add_file(library, RB_SOURCE_DIR "/tests/models/Halves.mo", &last));
    h->registry = rb_registry(&f->arena);
    RB_TRY(rb_registry_add(&h->registry, &arm_type, "test", &f->diag));
    RB_TRY(rb_registry_add(&h->registry, &oscillator_type, "test", &f->diag));
    RbTranslateOptions options = {.registry = &h->registry, .code.backend = h->backend};
    return rb_translate(library, h->class_name, &options, &f->arena, f->scratch, &f->diag,
                        &h->translation);
}

static RbStatus make_model(void *argument) {
    Halves *h = argument;
    return rb_model_translated(&h->translation, &h->r.f.arena, &h->r.f.diag, &h->r.model);
}

static void fresh_model(Halves *h) {
    ENSURE(rb_protect(&h->r.f.heap, make_model, h) == RB_OK);
}

static void print_messages(const RbDiag *diag) {
    for (int i = 0; i < diag->messages.count; i++) print_error("%s\n", diag->messages.data[i].text);
}

static void open_with(Halves *h, const char *class_name, RbBackend backend) {
    *h = (Halves){.class_name = class_name, .backend = backend};
    run_open(&h->r, "pendulum"); // for the files and options; its model is replaced
    RbStatus status = rb_protect(&h->r.f.heap, translate, h);
    if (status != RB_OK) print_messages(&h->r.f.diag);
    ENSURE(status == RB_OK);
    fresh_model(h);
    h->r.options.start_time = 0;
    h->r.options.stop_time = 1;
    h->r.options.tolerance = 1e-10;
    h->r.options.output_interval = 0.01;
}

static void open_class(Halves *h, const char *class_name) {
    open_with(h, class_name, RB_BACKEND_TCC);
}

static void go(Halves *h) {
    RbStatus status = run_go(&h->r);
    if (status != RB_OK) print_messages(&h->r.f.diag);
    ENSURE(status == RB_OK);
    run_read(&h->r);
}

static double last_of(Halves *h, const char *name) {
    return run_series(&h->r, name)[h->r.result->row_count - 1];
}

// The translation fails, and its messages contain these words.
static void refuse(const char *class_name, const char *const *words) {
    Halves h = {.class_name = class_name};
    run_open(&h.r, "pendulum");
    ENSURE(rb_protect(&h.r.f.heap, translate, &h) != RB_OK);
    for (; *words; words++) {
        bool found = false;
        for (int i = 0; i < h.r.f.diag.messages.count; i++) {
            if (strstr(h.r.f.diag.messages.data[i].text, *words)) found = true;
        }
        if (!found) print_messages(&h.r.f.diag), print_error("does not say: %s\n", *words);
        ENSURE(found);
    }
    run_close(&h.r);
}

// --------------------------------------------------------------------------------------------------------
// rods

static void rod_is_the_same_in_both_forms(void **state) {
    (void)state;
    Halves h;
    open_class(&h, "HeatedRod.Both");
    h.r.options.stop_time = 5000;
    h.r.options.output_interval = 50;
    go(&h);
    for (int i = 1; i <= 5; i++) {
        char a[32], b[32];
        snprintf(a, sizeof a, "rod.T[%d]", i);
        snprintf(b, sizeof b, "component.T[%d]", i);
        double *equations = run_series(&h.r, a), *component = run_series(&h.r, b);
        for (size_t k = 0; k < h.r.result->row_count; k++)
            ENSURE_NEAR(component[k], equations[k], 1e-8);
    }
    run_close(&h.r);
}

// One translation, two models: 5 elements, then 8, which are those of the equations with n = 8. A
// parameter of the class around it reaches the component as well.
static void number_of_elements_changes_without_translation(void **state) {
    (void)state;
    Halves component, equations;
    open_class(&component, "Halves.ComponentRods");
    open_class(&equations, "Halves.Rods");
    component.r.options.stop_time = equations.r.options.stop_time = 2000;
    go(&component);
    assert_int_equal(component.r.summary.states, 5);
    fresh_model(&component);
    run_set(&component.r, "rod.n", 8);
    run_set(&component.r, "area", 0.0008);
    run_set(&equations.r, "rod.A", 0.0008);
    go(&component);
    go(&equations);
    assert_int_equal(component.r.summary.states, 8);
    ENSURE_NEAR(last_of(&component, "rod.A"), 0.0008, 0);
    for (int i = 1; i <= 8; i++) {
        char name[32];
        snprintf(name, sizeof name, "rod.T[%d]", i);
        ENSURE_NEAR(last_of(&component, name), last_of(&equations, name), 1e-7);
    }
    ENSURE_NEAR(last_of(&component, "hot.port.Q_flow"), last_of(&equations, "hot.port.Q_flow"),
                1e-7);
    run_close(&component.r);
    run_close(&equations.r);
}

// The rod gets other states at t = 3000 s; E is a state of the equations and runs on. What the
// surroundings gave is what the rod holds more, before and after. The event of the equations is
// found in the second segment.
static void refinement_in_mid_run(void **state) {
    (void)state;
    Halves h;
    open_class(&h, "Halves.HeatAccount");
    h.r.options.stop_time = 20000;
    h.r.options.output_interval = 100;
    go(&h);
    assert_int_equal(h.r.summary.segments, 2);
    assert_int_equal(h.r.summary.states, 9);
    double *heat = run_series(&h.r, "rod.heat"), *E = run_series(&h.r, "E"),
           *warm = run_series(&h.r, "warm");
    double *last = run_series(&h.r, "rod.T_last");
    double start = 7500 * 0.0004 * 450 * 273.15; // rho A L c T0
    ENSURE_NEAR(heat[0], start, 1e-9 * start);
    for (size_t i = 0; i < h.r.result->row_count; i++) ENSURE_NEAR(heat[i] - start, E[i], 1e-4);
    for (size_t i = 0; i < h.r.result->row_count; i++) {
        if (fabs(last[i] - 300) > 1e-6) assert_int_equal(warm[i] > 0, last[i] > 300);
    }
    ENSURE(warm[0] == 0 && warm[h.r.result->row_count - 1] == 1);
    run_close(&h.r);
}

// The same by the interpreter of expressions.
static void interpreter_calls_components_too(void **state) {
    (void)state;
    Halves compiled, interpreted;
    open_class(&compiled, "Halves.HeatAccount");
    open_with(&interpreted, "Halves.HeatAccount", RB_BACKEND_INTERPRET);
    compiled.r.options.stop_time = interpreted.r.options.stop_time = 5000;
    compiled.r.options.output_interval = interpreted.r.options.output_interval = 100;
    go(&compiled);
    go(&interpreted);
    assert_int_equal(compiled.r.summary.steps, interpreted.r.summary.steps);
    ENSURE_NEAR(last_of(&interpreted, "E"), last_of(&compiled, "E"), 1e-6);
    run_close(&compiled.r);
    run_close(&interpreted.r);
}

static void prepare_resume(Halves *h) {
    open_class(h, "Halves.HeatAccount");
    run_set(&h->r, "rod.lambda", 80);
    h->r.options.tolerance = 1e-7;
    h->r.options.stop_time = 9000;
    h->r.options.output_interval = 90;
    h->r.options.checkpoint_interval = 2000;
}

// The last checkpoint lies in the second segment: components and equations go on from it, bit for
// bit.
static void resumed_run_is_the_same(void **state) {
    (void)state;
    Halves whole, again;
    prepare_resume(&whole);
    ENSURE(run_go(&whole.r) == RB_OK);
    ENSURE(whole.r.summary.checkpoints >= 3);
    prepare_resume(&again);
    RbBytes journal;
    ENSURE(rb_file_read(whole.r.journal, 0, &whole.r.f.arena, &whole.r.f.diag, &journal) == RB_OK);
    ENSURE(rb_file_write(again.r.journal, journal.data, journal.size, &again.r.f.diag) == RB_OK);
    again.r.options.resume_file = whole.r.checkpoint;
    RbStatus status = run_go(&again.r);
    if (status != RB_OK) print_messages(&again.r.f.diag);
    ENSURE(status == RB_OK);
    assert_int_equal(again.r.summary.state_hash, whole.r.summary.state_hash);
    assert_int_equal(again.r.summary.steps, whole.r.summary.steps);
    run_close(&again.r);
    run_close(&whole.r);
}

static void parameter_of_the_class_is_checked(void **state) {
    (void)state;
    Halves h;
    open_class(&h, "Halves.ComponentRods");
    ENSURE(rb_model_override(h.r.model, "rod.port_a.Q_flow", 1, &h.r.f.diag) ==
           RB_ERROR_USAGE); // equations compute it
    run_set(&h.r, "rod.n", 0);
    ENSURE(run_go(&h.r) == RB_ERROR_USAGE);
    ENSURE(strstr(h.r.f.diag.messages.data[h.r.f.diag.messages.count - 1].text, "'rod.n'"));
    run_close(&h.r);
}

// --------------------------------------------------------------------------------------------------
// capacitors

static void capacitor_charges(void **state) {
    (void)state;
    Halves h;
    open_class(&h, "Halves.Charge");
    go(&h);
    double *t = rb_result_times(h.r.result, &h.r.f.arena), *v = run_series(&h.r, "c.v");
    for (size_t i = 0; i < h.r.result->row_count; i++)
        ENSURE_NEAR(v[i], 10 * -expm1(-t[i] / 0.1), 1e-8);
    run_close(&h.r);
}

static void filter_is_the_same_in_both_forms(void **state) {
    (void)state;
    Halves equations, component;
    open_class(&equations, "Capacitors.Filter");
    open_class(&component, "Capacitors.ComponentFilter");
    go(&equations);
    go(&component);
    assert_int_equal(component.r.summary.states, 2);
    const char *const names[] = {"c1.v", "c2.v", "c1.i", "source.p.i"};
    for (size_t n = 0; n < 4; n++) {
        double *a = run_series(&equations.r, names[n]), *b = run_series(&component.r, names[n]);
        for (size_t i = 0; i < equations.r.result->row_count; i++) ENSURE_NEAR(b[i], a[i], 1e-8);
    }
    run_close(&equations.r);
    run_close(&component.r);
}

static void two_owners_of_one_voltage_are_refused(void **state) {
    (void)state;
    refuse("Capacitors.ComponentParallel",
           (const char *[]){"the components 'c1', 'c2' in C own the same quantity as a state",
                            "'c1.v', 'c2.v'", NULL});
    refuse("Halves.MixedParallel",
           (const char *[]){"the time derivative of c1.voltage(time) is needed", NULL});
    refuse("Capacitors.AtSource",
           (const char *[]){"the component 'c' in C computes 'c.v' from states of its own", NULL});
}

static void wrong_classes_are_refused(void **state) {
    (void)state;
    refuse("Halves.Unknown",
           (const char *[]){"there is no component 'Capacitar'; did you mean 'Capacitor'?", NULL});
    refuse("Halves.Missing", (const char *[]){"'p", NULL});
    refuse("Halves.Arm", (const char *[]){"it cannot be simulated alone", NULL});
}

// ------------------------------------------------------------------------------------------------------
// joints

// The motor turns with the arm, which swings as one with the inertia m l² + i² J: its energy is
// conserved. The row of the joint comes from the component, in a linear system with the equation of
// the motor.
static void motor_over_a_gear(void **state) {
    (void)state;
    Halves h;
    arm_template = (Arm){.m = 2, .l = 0.5, .g = 9.81};
    open_class(&h, "Halves.MotorOverGear");
    h.r.options.stop_time = 2;
    go(&h);
    assert_int_equal(h.r.summary.states, 2);
    assert_int_equal(h.translation.dae->stats.largest_torn,
                     1); // of a linear system, not of Newton's method
    double inertia = 2 * 0.25 + 900 * 1e-3, phi = last_of(&h, "arm.phi"), w = last_of(&h, "arm.w");
    ENSURE(fabs(w) > 0.1);
    ENSURE_NEAR(0.5 * inertia * w * w - 2 * 9.81 * 0.5 * cos(phi), -2 * 9.81 * 0.5 * cos(1.2),
                1e-7);
    ENSURE_NEAR(run_series(&h.r, "arm.z")[0], -2 * 9.81 * 0.5 * sin(1.2) / inertia, 1e-12);
    ENSURE_NEAR(last_of(&h, "w_m"), 30 * w, 1e-12);
    run_close(&h.r);
}

// Initial equations reach through the functions of the component: m g l sin(phi) = i tau_m. The
// token is not guessed; otherwise the row would be computed at the angle of an earlier iteration.
static void initial_equations_ask_for_rest(void **state) {
    (void)state;
    Halves h;
    arm_template = (Arm){.m = 2, .l = 0.5, .g = 9.81};
    open_class(&h, "Halves.HeldByMotor");
    go(&h);
    double *phi = run_series(&h.r, "arm.phi");
    for (size_t i = 0; i < h.r.result->row_count; i++)
        ENSURE_NEAR(phi[i], asin(30 * 0.2 / 9.81), 1e-7);
    run_close(&h.r);
    open_class(&h, "Halves.TorqueForRest");
    go(&h);
    ENSURE_NEAR(last_of(&h, "tau_m"), 9.81 * sin(1.2) / 30, 1e-9);
    ENSURE_NEAR(last_of(&h, "arm.phi"), 1.2, 1e-8);
    run_close(&h.r);
}

// A speed that is no state cannot be set: the component is told, and here it ends the run.
static void reinit_of_no_state_is_answered(void **state) {
    (void)state;
    Halves h;
    arm_template = (Arm){.m = 2, .l = 0.5, .g = 9.81, .lock_time = 0.3, .unlock_time = 0.8};
    open_class(&h, "Halves.MotorIsTheState");
    ENSURE(run_go(&h.r) == RB_ERROR_ASSERTION);
    ENSURE(strstr(h.r.f.diag.messages.data[0].text, "the speed of the joint is no state"));
    run_close(&h.r);
}

// Turning at constant speed needs tau = m g l sin(w t); there are no states.
static void prescribed_motion(void **state) {
    (void)state;
    Halves h;
    arm_template = (Arm){.m = 2, .l = 0.5, .g = 9.81};
    open_class(&h, "Halves.Prescribed");
    go(&h);
    assert_int_equal(h.r.summary.states, 0);
    double *t = rb_result_times(h.r.result, &h.r.f.arena), *tau = run_series(&h.r, "arm.tau");
    for (size_t i = 0; i < h.r.result->row_count; i++)
        ENSURE_NEAR(tau[i], 9.81 * sin(3 * t[i]), 1e-12);
    run_close(&h.r);
}

// A component that looks into a step is handed the inputs of that time, by an evaluation that wants nothing else: forces need not be computed for it.
static void inputs_inside_a_step(void **state) {
    (void)state;
    Halves h;
    ArmLooks looks = {.speed = 3};
    arm_template = (Arm){.M = 5, .m = 2, .l = 0.5, .g = 9.81, .floating = true, .looks = &looks};
    open_class(&h, "Halves.Prescribed");
    go(&h);
    ENSURE(looks.count > 10 && looks.count == (int)h.r.summary.steps);
    assert_int_equal(looks.wanting, 0);
    assert_int_equal(looks.elsewhere, 0);
    run_close(&h.r);
}

// Free cart with a driven pendulum: the acceleration of the cart follows after that of the joint.
// Momentum and energy are kept.
static void floating_base(void **state) {
    (void)state;
    Halves h;
    double M = 3, m = 2, l = 0.5, g = 9.81, J = 1e-3, i = 20;
    arm_template = (Arm){.M = M, .m = m, .l = l, .g = g, .floating = true};
    open_class(&h, "Halves.MotorOverGear");
    run_set(&h.r, "ratio", i);
    h.r.options.stop_time = 2;
    go(&h);
    assert_int_equal(h.r.summary.states, 4);
    double phi = last_of(&h, "arm.phi"), w = last_of(&h, "arm.w"), v = last_of(&h, "arm.v");
    ENSURE(fabs(v) > 0.01);
    ENSURE_NEAR((M + m) * v + m * l * cos(phi) * w, 0, 1e-8);
    double energy = 0.5 * (M + m) * v * v + m * l * cos(phi) * v * w +
                    0.5 * (m * l * l + i * i * J) * w * w - m * g * l * cos(phi);
    ENSURE_NEAR(energy, -m * g * l * cos(1.2), 1e-7);
    run_close(&h.r);
}

// The component locks its joint from 0.3 s to 0.8 s: it takes the speed away from a state of the
// equations, and its row says z = 0.
static void joint_locks_and_breaks_loose(void **state) {
    (void)state;
    Halves h;
    arm_template = (Arm){.m = 2, .l = 0.5, .g = 9.81, .lock_time = 0.3, .unlock_time = 0.8};
    open_class(&h, "Halves.MotorOverGear");
    go(&h);
    double *t = rb_result_times(h.r.result, &h.r.f.arena), *w = run_series(&h.r, "arm.w"),
           *phi = run_series(&h.r, "arm.phi");
    double locked = NAN;
    for (size_t i = 0; i < h.r.result->row_count; i++) {
        if (t[i] < 0.305 || t[i] > 0.795) continue;
        if (isnan(locked)) locked = phi[i];
        ENSURE_NEAR(w[i], 0, 1e-12);
        ENSURE_NEAR(phi[i], locked, 1e-12);
    }
    ENSURE(!isnan(locked) && locked < 1.2);
    double inertia = 2 * 0.25 + 900 * 1e-3, end = last_of(&h, "arm.phi"),
           speed = last_of(&h, "arm.w");
    ENSURE(fabs(speed) > 0.01); // it starts anew from rest at the locked angle
    ENSURE_NEAR(0.5 * inertia * speed * speed - 9.81 * cos(end), -9.81 * cos(locked), 1e-7);
    run_close(&h.r);
}

// ---------------------------------------------------------------------------------------------
// time derivatives

// s'' = -omega² s, s(0) = 1: position, velocity and acceleration are functions of their own, each
// the derivative of the one before and called after it.
static const double omega = 3; // [rad/s]
enum { F_S, F_V, F_A, F_STATES };

static RbStatus oscillator_build(void *self, RbBuild *b) {
    (void)self;
    static const char *const names[] = {"s", "v", "a"}, *const units[] = {"m", "m/s", "m/s2"};
    static const char *const functions[] = {"position", "velocity", "acceleration"};
    for (int i = 0; i < 3; i++) {
        int v =
            rb_build_variable(b, &(RbVariableSpec){names[i], RB_VARIABLE_OUTPUT, 0, units[i], ""});
        rb_build_function(b, &(RbFunctionSpec){.name = functions[i],
                                               .level = (RbLevel)i,
                                               .output_count = 1,
                                               .outputs = &v,
                                               .after = i - 1,
                                               .derivative = i < 2 ? i + 1 : RB_NONE});
    }
    rb_build_function(b, &(RbFunctionSpec){.name = "states",
                                           .level = RB_LEVEL_ACCELERATION,
                                           .after = F_A,
                                           .derivative = RB_NONE,
                                           .state_derivatives = true});
    return RB_OK;
}

static RbStatus oscillator_start(void *self, RbSegment *s) {
    (void)self;
    rb_segment_state(s, &(RbStateSpec){"s", 1, .unit = "m"});
    rb_segment_state(s, &(RbStateSpec){"v", 0, .unit = "m/s"});
    rb_segment_workspace(s, 3 * sizeof(double));
    return RB_OK;
}

// Each level finds in the workspace what the one before left there: a wrong order would show.
static RbEvalStatus oscillator_evaluate(void *self, const RbEval *e, int function, const double *in,
                                        double *out) {
    (void)self, (void)in;
    double *memory = e->workspace;
    if (function == F_S) {
        memory[0] = e->x[0];
        memory[1] = memory[2] = NAN;
    } else if (function == F_V) {
        memory[1] = e->x[1] + 0 * memory[0];
    } else if (function == F_A) {
        memory[2] = -omega * omega * memory[0] + 0 * memory[1];
    } else {
        e->dx[0] = memory[1];
        e->dx[1] = memory[2];
        return RB_EVAL_OK;
    }
    out[0] = memory[function];
    return RB_EVAL_OK;
}

static const RbComponentType oscillator_type = {
    .version = RB_COMPONENT_VERSION,
    .name = "Oscillator",
    .description = "",
    .memory = 1,
    .build = oscillator_build,
    .start_segment = oscillator_start,
    .evaluate = oscillator_evaluate,
};

// Index reduction goes through the component: F = m s'' = -m omega² cos(omega t).
static void derivatives_of_a_component(void **state) {
    (void)state;
    Halves h;
    open_class(&h, "Halves.Carried");
    go(&h);
    assert_int_equal(h.r.summary.states, 2);
    double *t = rb_result_times(h.r.result, &h.r.f.arena), *F = run_series(&h.r, "F"),
           *v = run_series(&h.r, "v");
    for (size_t i = 0; i < h.r.result->row_count; i++) {
        ENSURE_NEAR(F[i], -2 * omega * omega * cos(omega * t[i]), 1e-7);
        ENSURE_NEAR(v[i], -omega * sin(omega * t[i]), 1e-7);
    }
    run_close(&h.r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rod_is_the_same_in_both_forms),
        cmocka_unit_test(number_of_elements_changes_without_translation),
        cmocka_unit_test(refinement_in_mid_run),
        cmocka_unit_test(interpreter_calls_components_too),
        cmocka_unit_test(resumed_run_is_the_same),
        cmocka_unit_test(parameter_of_the_class_is_checked),
        cmocka_unit_test(capacitor_charges),
        cmocka_unit_test(filter_is_the_same_in_both_forms),
        cmocka_unit_test(two_owners_of_one_voltage_are_refused),
        cmocka_unit_test(wrong_classes_are_refused),
        cmocka_unit_test(motor_over_a_gear),
        cmocka_unit_test(initial_equations_ask_for_rest),
        cmocka_unit_test(reinit_of_no_state_is_answered),
        cmocka_unit_test(prescribed_motion),
        cmocka_unit_test(inputs_inside_a_step),
        cmocka_unit_test(floating_base),
        cmocka_unit_test(joint_locks_and_breaks_loose),
        cmocka_unit_test(derivatives_of_a_component),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// label: full
// Examples as FMUs for model exchange, integrated by a master of the tests: their states at the end against a held run
// with a solver of the library, within ten times the tolerance.
#define FOLDER RB_BINARY_DIR "/tests/fmu_exchange_examples"
#include "fmu/exchange_master.h"

typedef struct Example {
    const char *file, *class_name, *identifier;
    double stop; // [s]
} Example;

// Equations, contact, drives, friction.
static const Example examples[] = {
    {"MotorDrive.mo", "MotorDrive", "MotorDrive", 0.5},
    {"Rectifier.mo", "Rectifier", "Rectifier", 0.05},
    {"Scenes.mo", "Scenes.Celt", "Scenes_Celt", 1},
    {"Scenes.mo", "Scenes.BouncingSphere", "Scenes_BouncingSphere", 1},
    {"Billiards.mo", "Billiards", "Billiards", 0.8},
    {"NewtonsCradle.mo", "NewtonsCradle", "NewtonsCradle", 1},
};

static const double TOLERANCE = 1e-8;

static void compare(const Master *m, RbRun *run) {
    double x[STEPPER_MOST];
    assert_int_equal(rb_run_sizes(run).states, m->s.n);
    assert_int_equal(rb_run_states(run, x), RB_OK);
    int worst = 0;
    double error[STEPPER_MOST] = {0};
    for (int i = 0; i < m->s.n; i++) {
        error[i] = fabs(m->s.x[i] - x[i]) / fmax(fabs(x[i]), m->nominal[i]);
        if (error[i] > error[worst]) worst = i;
    }
    RbRunVariable v;
    assert_int_equal(rb_run_variable(run, rb_run_state(run, worst), &v), RB_OK);
    print_message("  largest error: %s, %.1e\n", v.name, error[worst]);
    ENSURE_NEAR(error[worst], 0, 10 * TOLERANCE);
}

static void run_example(const Example *e, int version) {
    RbContext *context = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    RbModel *model;
    RbRun *run;
    char file[1000];
    snprintf(file, sizeof file, RB_SOURCE_DIR "/examples/modelica/%s", e->file);
    source.file = file;
    source.class_name = e->class_name;
    assert_int_equal(rb_modelica_translate(context, &source, &model), RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.tolerance = 1e-2 * TOLERANCE;
    options.stop_time = e->stop;
    assert_int_equal(rb_run_open(context, model, &options, &run), RB_OK);
    assert_int_equal(rb_run_step(run, RB_UNTIL_TIME, e->stop, NULL), RB_OK);
    Loaded l = load_as(version, RB_FMU_MODEL_EXCHANGE, &source, e->identifier);
    Master m;
    open_master(&m, &l, 1e-2 * TOLERANCE);
    begin(&m, e->stop);
    integrate(&m, e->stop);
    print_message("%s, FMI %d: %ld steps, %ld events\n", e->class_name, version, m.steps, m.events);
    compare(&m, run);
    close_master(&m);
    unload(&l);
    rb_context_free(context);
}

static void examples_agree_with_a_solver_of_ours(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        for (int version = 2; version <= 3; version++) run_example(&examples[i], version);
    }
}

static int make_folder(void **state) {
    (void)state;
    return system("mkdir -p " FOLDER);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples_agree_with_a_solver_of_ours)};
    return cmocka_run_group_tests(tests, make_folder, NULL);
}

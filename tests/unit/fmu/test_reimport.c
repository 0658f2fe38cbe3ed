// SPDX-License-Identifier: MIT
// label: normal
// A model that was exported as an FMU and is imported again agrees with the model, bit for bit at the communication points.
#include "testing.h"

#include <math.h>
#include <stdlib.h>

#include "rattleback/rattleback.h"

#define FOLDER RB_BINARY_DIR "/tests/fmu"

static const char ball[] = "model Ball\n"
                           "  parameter Real e(min = 0, max = 1) = 0.8;\n"
                           "  input Real u;\n"
                           "  output Real y = h;\n"
                           "  output Integer bounces(start = 0, fixed = true);\n"
                           "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                           "equation\n"
                           "  der(h) = v;\n"
                           "  der(v) = -9.81 + u;\n"
                           "  when h <= 0 then\n"
                           "    reinit(v, -e*pre(v));\n"
                           "    bounces = pre(bounces) + 1;\n"
                           "  end when;\n"
                           "  annotation(experiment(StopTime = 2, Tolerance = 1e-8));\n"
                           "end Ball;\n";

static void must(RbContext *c, RbStatus status) {
    for (int i = 0; status != RB_OK && i < rb_context_message_count(c); i++)
        print_error("%s\n", rb_context_message(c, i));
    assert_int_equal(status, RB_OK);
}

#define STEP (1.0 / 256) // [s] sums of it are exact

static RbRun *open_run(RbContext *c, const RbModelica *source) {
    RbModel *model;
    RbRun *run;
    must(c, rb_modelica_translate(c, source, &model));
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 2;
    options.tolerance = 1e-8;
    options.output_interval = 0;
    must(c, rb_model_set(model, "e", 0.7));
    if (source->file) must(c, rb_model_set(model, "communicationStep", STEP));
    must(c, rb_run_open(c, model, &options, &run));
    return run;
}

static double value_of(RbContext *c, RbRun *run, const char *name) {
    double value = NAN;
    must(c, rb_run_get_named(run, name, &value));
    return value;
}

static void comes_back_as_it_went(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        RbContext *c = rb_context_create(NULL);
        RbModelica source = rb_modelica_default(), imported = source;
        RbFmuOptions options = rb_fmu_options_default();
        options.version = version;
        options.binary_folder = RB_BINARY_DIR "/fmu/binary";
        source.text = ball;
        assert_int_equal(system("mkdir -p '" FOLDER "'"), 0);
        must(c, rb_fmu_export(c, &source, &options, FOLDER "/again.fmu"));
        imported.file = FOLDER "/again.fmu";
        RbRun *first = open_run(c, &source), *again = open_run(c, &imported);
        for (int k = 1; k <= 512; k++) {
            must(c, rb_run_step(first, RB_UNTIL_TIME, k * STEP, NULL));
            must(c, rb_run_step(again, RB_UNTIL_TIME, k * STEP, NULL));
            ENSURE(value_of(c, again, "y") == value_of(c, first, "y"));
            ENSURE(value_of(c, again, "v") == value_of(c, first, "v"));
            ENSURE(value_of(c, again, "bounces") == value_of(c, first, "bounces"));
        }
        must(c, rb_run_close(again, NULL));
        must(c, rb_run_close(first, NULL));
        rb_context_free(c);
    }
}

// The importer looks back into its last step for each of the thousand rows, which the FMU allows.
static void integrated_from_outside(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        RbContext *c = rb_context_create(NULL);
        RbModelica source = rb_modelica_default(), imported = source;
        RbFmuOptions options = rb_fmu_options_default();
        RbModel *model;
        RbRun *run;
        options.version = version;
        options.type = RB_FMU_MODEL_EXCHANGE;
        options.binary_folder = RB_BINARY_DIR "/fmu/binary";
        source.text =
            "model Decay output Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;";
        assert_int_equal(system("mkdir -p '" FOLDER "'"), 0);
        must(c, rb_fmu_export(c, &source, &options, FOLDER "/decay.fmu"));
        imported.file = FOLDER "/decay.fmu";
        must(c, rb_modelica_translate(c, &imported, &model));
        RbSimOptions run_options = rb_model_options(model);
        run_options.stop_time = 1;
        run_options.tolerance = 1e-8;
        run_options.output_interval = 1e-3;
        run_options.journal_file = FOLDER "/decay.rbj";
        must(c, rb_run_open(c, model, &run_options, &run));
        must(c, rb_run_step(run, RB_UNTIL_TIME, 1, NULL));
        ENSURE_NEAR(value_of(c, run, "x"), exp(-1), 1e-6);
        must(c, rb_run_close(run, NULL));
        rb_context_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(comes_back_as_it_went),
                                       cmocka_unit_test(integrated_from_outside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

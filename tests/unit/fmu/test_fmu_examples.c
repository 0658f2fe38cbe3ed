// SPDX-License-Identifier: MIT
// label: full
// Examples as FMUs: all their Real variables at the communication points against a held run with the
// same steps, bit for bit; with a state that is taken half way into another instance.
#include "fmu/master.h"

typedef struct Example {
    const char *file, *class_name, *identifier;
    double step; // [s] ten of them
} Example;

// Equations, contact, drives, friction, changing structure, grains and soft bodies.
static const Example examples[] = {
    {"MotorDrive.mo", "MotorDrive", "MotorDrive", 0.05},
    {"Rectifier.mo", "Rectifier", "Rectifier", 0.005},
    {"Billiards.mo", "Billiards", "Billiards", 0.1},
    {"Scenes.mo", "Scenes.Celt", "Scenes_Celt", 0.1},
    {"Scenes.mo", "Scenes.BouncingSphere", "Scenes_BouncingSphere", 0.1},
    {"GrippingRobot.mo", "GrippingRobot.S4", "GrippingRobot_S4", 0.4},
    {"TwoStageRocket.mo", "TwoStageRocket", "TwoStageRocket", 1},
    {"Granular.mo", "Granular.Hopper", "Granular_Hopper", 0.002},
    {"SoftGripper.mo", "SoftGripper", "SoftGripper", 0.02},
    {"NewtonsCradle.mo", "NewtonsCradle", "NewtonsCradle", 0.1},
};

typedef struct Beside {
    Loaded l;
    RbContext *context;
    RbRun *run;
    int *numbers; // of the run
    uint32_t *references;
    double *own, *held;
    size_t count, reference_count;
} Beside;

// Element k of an array, row by row: "x[2,1]", "der(x[2,1])".
static void name_element(const char *array, const int *dims, int rank, int k, char out[1100]) {
    bool rate = strncmp(array, "der(", 4) == 0;
    int at[8], length = (int)strlen(array) - rate, end;
    for (int d = rank; d-- > 0; k /= dims[d]) at[d] = k % dims[d] + 1;
    end = snprintf(out, 1100, "%.*s", length, array);
    for (int d = 0; d < rank; d++)
        end += snprintf(out + end, 1100 - (size_t)end, "%s%d", d == 0 ? "[" : ",", at[d]);
    snprintf(out + end, 1100 - (size_t)end, "%s%s", rank > 0 ? "]" : "", rate ? ")" : "");
}

// A variable of the description, if the run has it: its elements.
static void list_variable(Beside *b, const char *at) {
    char name[1000], element[1100];
    unsigned vr;
    int dims[8], rank = 0, product = 1;
    assert_int_equal(sscanf(strchr(at, '"'), "\"%999[^\"]\" valueReference=\"%u", name, &vr), 2);
    const char *part = strchr(at, '>') + 1;
    static const char dimension[] = "<Dimension start=\"";
    for (; strncmp(part, dimension, sizeof dimension - 1) == 0; part = strchr(part, '>') + 1) {
        dims[rank] = atoi(part + sizeof dimension - 1);
        product *= dims[rank++];
    }
    name_element(name, dims, rank, 0, element);
    if (rb_run_find(b->run, element) < 0) return; // time, indicators
    b->references[b->reference_count++] = vr;
    for (int k = 0; k < product; k++) {
        name_element(name, dims, rank, k, element);
        b->numbers[b->count++] = rb_run_find(b->run, element);
        assert_true(b->numbers[b->count - 1] >= 0);
    }
}

// The Real variables of the description that the run has.
static void list_variables(Beside *b) {
    const char *mark = b->l.version == 2 ? "<ScalarVariable name=\"" : "<Float64 name=\"";
    size_t most = (size_t)rb_run_count(b->run) + 1;
    b->numbers = calloc(most, sizeof *b->numbers);
    b->references = calloc(most, sizeof *b->references);
    b->own = calloc(most, sizeof *b->own);
    b->held = calloc(most, sizeof *b->held);
    for (const char *at = strstr(b->l.xml, mark); at; at = strstr(at + 1, mark)) {
        const char *type = b->l.version == 2 ? strstr(at, "><") : "><Real";
        if (strncmp(type, "><Real", 6) == 0) list_variable(b, at);
    }
    assert_true(b->count > 3);
}

static Beside open_both(const Example *e, int version, double stop) {
    Beside b = {.context = rb_context_create(NULL)};
    char file[1000];
    snprintf(file, sizeof file, RB_SOURCE_DIR "/examples/modelica/%s", e->file);
    RbModelica source = rb_modelica_default();
    RbModel *model;
    source.file = file;
    source.class_name = e->class_name;
    assert_int_equal(rb_modelica_translate(b.context, &source, &model), RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.tolerance = 1e-8;
    options.stop_time = stop;
    options.output_interval = 0;
    assert_int_equal(rb_run_open(b.context, model, &options, &b.run), RB_OK);
    b.l = load(version, &source, e->identifier);
    list_variables(&b);
    return b;
}

static void compare(Beside *b, void *c) {
    const Loaded *l = &b->l;
    int status =
        l->version == 2
            ? CALL(l, "fmi2GetReal", Get2 *, c, b->references, b->count, b->own)
            : CALL(l, "fmi3GetFloat64", Get3 *, c, b->references, b->reference_count, b->own,
                   b->count);
    assert_int_equal(status, 0);
    assert_int_equal(rb_run_get(b->run, b->numbers, (int)b->count, b->held), RB_OK);
    for (size_t i = 0; i < b->count; i++) {
        if (b->own[i] == b->held[i] || (isnan(b->own[i]) && isnan(b->held[i]))) continue;
        RbRunVariable v;
        assert_int_equal(rb_run_variable(b->run, b->numbers[i], &v), RB_OK);
        fail_msg("%s: %.17g, held run: %.17g", v.name, b->own[i], b->held[i]);
    }
}

static void run_example(const Example *e, int version) {
    double t = 0;
    Beside b = open_both(e, version, 10 * e->step);
    const Loaded *l = &b.l;
    void *c = open_one(l), *other = open_one(l), *state = NULL;
    RbSaved *saved = NULL;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(enter(l, i ? other : c, 10 * e->step), 0);
        if (simple(l, "ExitInitializationMode", i ? other : c) != 0) fail_msg("%s", last_error);
    }
    compare(&b, c);
    for (int k = 0; k < 9; k++, t += e->step) {
        if (k == 5) { // the rest is made by the other one
            assert_int_equal(CALL(l, version == 2 ? "fmi2GetFMUstate" : "fmi3GetFMUState",
                                  GetState *, c, &state),
                             0);
            assert_int_equal(CALL(l, version == 2 ? "fmi2SetFMUstate" : "fmi3SetFMUState",
                                  SetState *, other, state),
                             0);
            assert_int_equal(rb_run_save(b.run, &saved), RB_OK);
            assert_int_equal(rb_run_restore(b.run, saved), RB_OK);
        }
        if (step(l, k < 5 ? c : other, t, e->step) != 0) fail_msg("%s", last_error);
        assert_int_equal(rb_run_step(b.run, RB_UNTIL_TIME, t + e->step, NULL), RB_OK);
        compare(&b, k < 5 ? c : other);
    }
    CALL(l, version == 2 ? "fmi2FreeFMUstate" : "fmi3FreeFMUState", GetState *, c, &state);
    release(l, c);
    release(l, other);
    rb_context_free(b.context);
    unload(&b.l);
    free(b.numbers);
    free(b.references);
    free(b.own);
    free(b.held);
}

static void examples_are_held_runs(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        for (int version = 2; version <= 3; version++) {
            print_message("%s, FMI %d\n", examples[i].class_name, version);
            run_example(&examples[i], version);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples_are_held_runs)};
    if (system("mkdir -p " FOLDER) != 0) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

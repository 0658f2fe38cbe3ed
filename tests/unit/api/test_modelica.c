// SPDX-License-Identifier: MIT
// The public interface for Modelica models: a class of a file or of a library, run again and again
// with other values; and what is said of wrong input.
#include "testing.h"

#include <string.h>
#include <unistd.h>

#include "rattleback/rattleback.h"

typedef struct Api {
    RbContext *context;
    RbModel *model;
    char file[64];
} Api;

static void api_open(Api *s) {
    *s = (Api){.context = rb_context_create(NULL)};
    ENSURE(s->context != NULL);
    snprintf(s->file, sizeof s->file, "/tmp/rb_api_modelica_%d.rbj", (int)getpid());
}

static void api_close(Api *s) {
    rb_context_free(s->context);
    unlink(s->file);
}

static const char *last_message(const Api *s) {
    int count = rb_context_message_count(s->context);
    return count > 0 ? rb_context_message(s->context, count - 1) : "";
}

// Value of a variable at the end of a run.
static double at_the_end(Api *s, const char *name, double stop_time) {
    RbSimOptions options = rb_model_options(s->model);
    options.stop_time = stop_time;
    options.tolerance = 1e-9;
    options.journal_file = s->file;
    ENSURE(rb_simulate(s->context, s->model, &options, NULL) == RB_OK);
    RbResults *results;
    ENSURE(rb_results_open(s->context, s->file, &results) == RB_OK);
    double values[2000];
    size_t rows = rb_results_rows(results);
    ENSURE(rows > 0 && rows <= 2000);
    ENSURE(rb_results_values(results, rb_results_find(results, name), values) == RB_OK);
    return values[rows - 1];
}

// A capacitor charged over a resistor from 10 V: v = 10 (1 - exp(-t/(R C))), R C = 0.2 s.
static void a_class_of_the_library_is_run_with_other_values(void **state) {
    (void)state;
    Api s;
    api_open(&s);
    ENSURE(rb_modelica_open(s.context, NULL, "Rattleback.Examples.Filter", &s.model) == RB_OK);
    ENSURE_NEAR(at_the_end(&s, "C.v", 0.5), 10 * (1 - exp(-2.5)), 1e-6);
    ENSURE(rb_model_set(s.model, "R.R", 4) == RB_OK);
    double tau = 4 * 0.1;
    ENSURE_NEAR(at_the_end(&s, "C.v", 0.5), 10 * (1 - exp(-0.5 / tau)), 1e-6);
    api_close(&s);
}

static void a_file_is_opened(void **state) {
    (void)state;
    Api s;
    api_open(&s);
    const char *file = RB_SOURCE_DIR "/examples/modelica/Pendulum.mo";
    ENSURE(rb_modelica_open(s.context, file, NULL, &s.model) == RB_OK);
    api_close(&s);
}

static void wrong_input_is_explained(void **state) {
    (void)state;
    Api s;
    api_open(&s);
    ENSURE(rb_modelica_open(s.context, NULL, NULL, &s.model) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "neither a Modelica file nor the name of a class is given"));
    ENSURE(rb_modelica_open(s.context, "/nowhere/x.mo", NULL, &s.model) == RB_ERROR_IO);
    ENSURE(strstr(last_message(&s), "/nowhere/x.mo"));
    ENSURE(rb_modelica_open(s.context, NULL, "Rattleback.Examples.Filte", &s.model) ==
           RB_ERROR_MODEL);
    ENSURE(strstr(last_message(&s), "did you mean 'Filter'?"));
    ENSURE(rb_modelica_open(s.context, NULL, "Rattleback.Examples.Filter", &s.model) == RB_OK);
    ENSURE(rb_model_set(s.model, "R.Q", 1) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "R.Q"));
    api_close(&s);
}

// However many calls have failed, the next one says why.
static void every_failed_call_is_explained(void **state) {
    (void)state;
    Api s;
    api_open(&s);
    ENSURE(rb_modelica_open(s.context, NULL, "Rattleback.Examples.Filter", &s.model) == RB_OK);
    for (int i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof name, "R.Q%d", i);
        ENSURE(rb_model_set(s.model, name, 1) == RB_ERROR_USAGE);
        ENSURE(strstr(last_message(&s), name));
    }
    ENSURE_NEAR(at_the_end(&s, "C.v", 0.5), 10 * (1 - exp(-2.5)), 1e-6);
    api_close(&s);
}

static void packages_and_stages_are_shown(void **state) {
    (void)state;
    Api s;
    api_open(&s);
    RbModelica source = rb_modelica_default();
    RbModelicaPackage package;
    const char *dump;
    source.class_name = "Rattleback";
    ENSURE(rb_modelica_package(s.context, &source, &package) == RB_OK && package.is_package);
    bool found = false;
    int functions = 0, enumerations = 0;
    for (int i = 0; i < package.count; i++) {
        const char *name = package.classes[i].name;
        found |=
            strcmp(name, "Rattleback.Examples.Filter") == 0 && package.classes[i].description[0];
        functions += strcmp(name, "Rattleback.Shapes.Box") == 0;
        enumerations += strcmp(name, "Rattleback.Types.Friction") == 0;
        ENSURE(strcmp(name, "Rattleback.Units.Length") != 0);            // an alias
        ENSURE(strcmp(name, "Rattleback.Examples.Ripples.ripple") != 0); // serves that model alone
    }
    ENSURE(found && functions == 1 && enumerations == 1);
    source.class_name = "Rattleback.Examples.Filter";
    ENSURE(rb_modelica_package(s.context, &source, &package) == RB_OK);
    ENSURE(!package.is_package && package.count == 0);
    ENSURE(rb_modelica_dump(s.context, &source, "flat", &dump) == RB_OK && strstr(dump, "R.R"));
    ENSURE(rb_modelica_dump(s.context, &source, "c", &dump) == RB_OK && strstr(dump, "double"));
    ENSURE(rb_modelica_dump(s.context, &source, "late", &dump) == RB_ERROR_USAGE && !dump);
    ENSURE(strstr(last_message(&s), "there is no stage 'late'; there are: ast, inst, flat"));
    ENSURE(rb_modelica_dump(s.context, NULL, "flat", &dump) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "rb_modelica_dump: argument 'source' is NULL"));
    RbModelInfo info;
    ENSURE(rb_modelica_check(s.context, &source, &info) == RB_OK && info.states == 1);
    ENSURE(strcmp(info.name, "Rattleback.Examples.Filter") == 0 && info.equations > 5);
    ENSURE(rb_modelica_check(s.context, &source, NULL) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "rb_modelica_check: argument 'info' is NULL"));
    ENSURE(rb_modelica_check(s.context, NULL, &info) == RB_ERROR_USAGE && !info.name);
    ENSURE(rb_modelica_dump(NULL, &source, "flat", &dump) == RB_ERROR_USAGE);
    ENSURE(rb_modelica_package(s.context, &source, NULL) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "rb_modelica_package: argument 'package' is NULL"));
    api_close(&s);
}

// Types, limits and choices of what can be set.
static void parameters_have_types_and_limits(void **state) {
    (void)state;
    Api s;
    api_open(&s);
    RbModelica source = rb_modelica_default();
    const RbModelVariable *v;
    RbModel *model;
    int count;
    source.text = "model M type Way = enumeration(up, down); parameter Real k(min = 0.5, max = 4) = 2; "
                  "parameter Boolean on = true; parameter Way way = Way.down; parameter Integer n(min = "
                  "1) = 3; Real x(start = 0, fixed = true); equation der(x) = if on and way == Way.up "
                  "then k*n else 0; end M;";
    source.class_name = "M";
    ENSURE(rb_modelica_translate(s.context, &source, &model) == RB_OK);
    ENSURE(rb_model_variables(model, &v, &count) == RB_OK && count == 5);
    ENSURE(v[0].type == RB_MODEL_REAL && v[0].min == 0.5 && v[0].max == 4 && !v[0].choices);
    ENSURE(v[1].type == RB_MODEL_BOOLEAN && isnan(v[1].min));
    ENSURE(v[2].type == RB_MODEL_ENUMERATION && v[2].choice_count == 2);
    ENSURE(strcmp(v[2].choices[1], "down") == 0 && strcmp(v[2].value, "down") == 0);
    ENSURE(v[3].type == RB_MODEL_INTEGER && v[3].min == 1 && isnan(v[3].max));
    api_close(&s);
}

static const RbModelicaElement *element(const RbModelicaDeclared *declared, const char *name) {
    for (int i = 0; i < declared->count; i++)
        if (strcmp(declared->elements[i].name, name) == 0) return &declared->elements[i];
    return NULL;
}

static void what_classes_declare(void **state) {
    (void)state;
    Api s;
    api_open(&s);
    RbModelica source = rb_modelica_default();
    RbModelicaDeclared declared;
    source.file = "Heated.mo";
    source.text = "model Heated \"R with T\" extends Rattleback.Electrical.Basic.Resistor(R = 3);"
                  " parameter Integer n[2] = {1, 2}; end Heated;";
    ENSURE(rb_modelica_declared(s.context, &source, &declared) == RB_OK && declared.is_part);
    assert_string_equal(declared.name, "Heated");
    assert_string_equal(declared.kind, "model");
    assert_string_equal(declared.description, "R with T");
    const RbModelicaElement *e = element(&declared, "R");
    ENSURE(e && e->kind == RB_ELEMENT_PARAMETER);
    assert_string_equal(e->type, "Units.Resistance");
    assert_string_equal(e->value, "3");
    assert_string_equal(e->unit, "Ohm");
    e = element(&declared, "n[2]");
    ENSURE(e && strcmp(e->value, "{1, 2}") == 0 && !e->unit[0] && !e->description[0]);
    e = element(&declared, "heatPort");
    ENSURE(e && e->kind == RB_ELEMENT_CONNECTOR && strcmp(e->condition, "useHeatPort") == 0);
    source.text = "model Alone parameter Real k = 1; Real x = k; end Alone;";
    ENSURE(rb_modelica_declared(s.context, &source, &declared) == RB_OK && !declared.is_part);
    ENSURE(declared.count == 2 && declared.elements[1].kind == RB_ELEMENT_VARIABLE);
    source.text = "model Runs Rattleback.Electrical.Interfaces.Pin p;"
                  " annotation(experiment(StopTime = 1)); end Runs;";
    ENSURE(rb_modelica_declared(s.context, &source, &declared) == RB_OK && !declared.is_part);
    source.class_name = "Nobody";
    ENSURE(rb_modelica_declared(s.context, &source, &declared) == RB_ERROR_MODEL &&
           !declared.count);
    ENSURE(strstr(last_message(&s), "class 'Nobody' is unknown"));
    ENSURE(rb_modelica_declared(s.context, &source, NULL) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "rb_modelica_declared: argument 'declared' is NULL"));
    ENSURE(rb_modelica_declared(NULL, &source, &declared) == RB_ERROR_USAGE);
    api_close(&s);
}

// Nothing to translate is an error, and messages show the text that was given to that call.
static void texts(void **state) {
    (void)state;
    Api s;
    api_open(&s);
    static const char *const none[] = {"", "  \n", "// model M end M;\n", ";"};
    RbModelica source = rb_modelica_default();
    for (int i = 0; i < 4; i++) {
        source.text = none[i];
        ENSURE(rb_modelica_translate(s.context, &source, &s.model) == RB_ERROR_MODEL && !s.model);
    }
    char text[100] = "model M Real first = a; end M;";
    source.text = text;
    ENSURE(rb_modelica_translate(s.context, &source, &s.model) == RB_ERROR_MODEL);
    int first = rb_context_message_count(s.context) - 1;
    strcpy(text, "model M Real second = b; end M;");
    ENSURE(rb_modelica_translate(s.context, &source, &s.model) == RB_ERROR_MODEL);
    strcpy(text, "gone");
    ENSURE(strstr(last_message(&s), "Real second = b;"));
    ENSURE(strstr(rb_context_message(s.context, first), "Real first = a;"));
    api_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packages_and_stages_are_shown),
        cmocka_unit_test(parameters_have_types_and_limits),
        cmocka_unit_test(what_classes_declare),
        cmocka_unit_test(a_class_of_the_library_is_run_with_other_values),
        cmocka_unit_test(a_file_is_opened),
        cmocka_unit_test(wrong_input_is_explained),
        cmocka_unit_test(every_failed_call_is_explained),
        cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

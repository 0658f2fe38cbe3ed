// SPDX-License-Identifier: MIT
// What a model consists of, asked through the public interface: numbers, components, variables, the
// system, and values that are set as text.
#include "testing.h"

#include <string.h>

#include "rattleback/rattleback.h"

typedef struct Api {
    RbContext *context;
    RbModel *model;
} Api;

static Api open_text(const char *text) {
    Api s = {.context = rb_context_create(NULL)};
    RbModelica source = rb_modelica_default();
    source.text = text;
    ENSURE(rb_modelica_translate(s.context, &source, &s.model) == RB_OK);
    return s;
}

static const char *last_message(const Api *s) {
    int count = rb_context_message_count(s->context);
    return count > 0 ? rb_context_message(s->context, count - 1) : "";
}

static const char text[] =
    "model Small \"A small model\"\n"
    "  type Gear = enumeration(low, high);\n"
    "  parameter Real p(unit = \"m\") = 2 \"a length\";\n"
    "  parameter Real q = 2*p;\n"
    "  parameter Integer n = 3;\n"
    "  parameter Boolean extra = false;\n"
    "  Real w = 1 if extra;\n"
    "  parameter Gear gear = Gear.high;\n"
    "  parameter Boolean on = false;\n"
    "  parameter Real A[2, 2] = [1, 0; 0, 1];\n"
    "  final parameter Real fixed_one = 1;\n"
    "  input Real u(start = 4);\n"
    "  Real x(start = p, fixed = true), y[n](each start = 0, each fixed = true);\n"
    "equation\n"
    "  der(x) = u - x + (if on then 1 else 0) + Integer(gear) + A[1, 1];\n"
    "  der(y) = fill(q, n);\n"
    "  annotation(experiment(StopTime = 5, Tolerance = 1e-5));\n"
    "end Small;\n";

static const RbModelVariable *find(const RbModelVariable *v, int count, const char *name) {
    for (int i = 0; i < count; i++) {
        if (strcmp(v[i].name, name) == 0) return &v[i];
    }
    return NULL;
}

static void a_text_model_tells_what_it_is(void **state) {
    (void)state;
    Api s = open_text(text);
    RbModelInfo info = rb_model_info(s.model);
    ENSURE(strcmp(info.name, "Small") == 0 && strcmp(info.description, "A small model") == 0);
    ENSURE(info.stop_time == 5 && info.tolerance == 1e-5 && info.output_interval == 0);
    ENSURE(info.equations == info.variables && info.equations == 2); // x and the array y
    ENSURE(info.equations_left == 2 && info.states == 4 && info.indicators == 0);
    const RbModelComponent *components;
    int count;
    ENSURE(rb_model_components(s.model, &components, &count) == RB_OK && count == 0);
    const RbModelVariable *v;
    ENSURE(rb_model_variables(s.model, &v, &count) == RB_OK && count == 10);
    const RbModelVariable *p = find(v, count, "p");
    ENSURE(p && p->kind == RB_MODEL_PARAMETER && strncmp(p->value, "2", 1) == 0 &&
           p->component == -1);
    ENSURE(strcmp(p->unit, "m") == 0 && strcmp(p->description, "a length") == 0 && !p->structural);
    ENSURE(strstr(find(v, count, "q")->value, "p") && strstr(find(v, count, "q")->value, "2"));
    ENSURE(find(v, count, "extra")->structural &&
           strcmp(find(v, count, "gear")->value, "high") == 0);
    ENSURE(find(v, count, "A[2, 2]") && !find(v, count, "fixed_one"));
    ENSURE(find(v, count, "u")->kind == RB_MODEL_INPUT);
    ENSURE(strncmp(find(v, count, "u")->value, "4", 1) == 0);
    ENSURE(find(v, count, "x")->kind == RB_MODEL_STATE && find(v, count, "y[3]"));
    rb_context_free(s.context);
}

static double x_at_rest(Api *s) { // der(x) = 0
    RbSimOptions options = rb_model_options(s->model);
    RbRun *run;
    double x;
    options.stop_time = 60;
    ENSURE(rb_run_open(s->context, s->model, &options, &run) == RB_OK);
    ENSURE(rb_run_step(run, RB_UNTIL_TIME, 60, NULL) == RB_OK);
    ENSURE(rb_run_get_named(run, "x", &x) == RB_OK);
    ENSURE(rb_run_close(run, NULL) == RB_OK);
    return x;
}

static void values_are_set_as_text(void **state) {
    (void)state;
    Api s = open_text(text);
    ENSURE_NEAR(x_at_rest(&s), 4 + 0 + 2 + 1, 1e-3);
    ENSURE(rb_model_set_text(s.model, "on", "true") == RB_OK);
    ENSURE(rb_model_set_text(s.model, "gear", "low") == RB_OK);
    ENSURE(rb_model_set_text(s.model, "A", "[5, 0; 0, 1]") == RB_OK);
    ENSURE(rb_model_set_text(s.model, "u", "1e1") == RB_OK);
    ENSURE_NEAR(x_at_rest(&s), 10 + 1 + 1 + 5, 1e-3);
    ENSURE(rb_model_set_text(s.model, "p", "two") == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "'p=two': 'two' is not a number"));
    ENSURE(rb_model_set_text(s.model, "A", "[1, 2; 3]") == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "'A=[1, 2; 3]'"));
    ENSURE(rb_model_set_text(s.model, "zzz", "1") == RB_ERROR_USAGE);
    ENSURE(rb_model_set_text(s.model, NULL, "1") == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "rb_model_set_text: argument 'path' is NULL"));
    ENSURE(rb_model_set_text(s.model, "p", NULL) == RB_ERROR_USAGE);
    ENSURE(rb_model_set_text(NULL, "p", "1") == RB_ERROR_USAGE);
    rb_context_free(s.context);
}

static void a_model_of_components_tells_what_it_is(void **state) {
    (void)state;
    Api s = {.context = rb_context_create(NULL)};
    ENSURE(rb_example_open(s.context, "bouncing-ball", &s.model) == RB_OK);
    const RbModelComponent *components;
    const RbModelVariable *v;
    int count;
    ENSURE(rb_model_components(s.model, &components, &count) == RB_OK && count == 1);
    ENSURE(strcmp(components[0].name, "ball") == 0);
    ENSURE(strcmp(components[0].type, "BouncingBall") == 0 && components[0].description[0]);
    ENSURE(rb_model_variables(s.model, &v, &count) == RB_OK && count > 0);
    ENSURE(find(v, count, "e") && strcmp(find(v, count, "e")->value, "0.7") == 0);
    ENSURE(find(v, count, "e")->component == 0 && find(v, count, "e")->kind == RB_MODEL_PARAMETER);
    const char *system;
    ENSURE(rb_model_system(s.model, &system) == RB_OK);
    ENSURE(strstr(system, "component ball (BouncingBall)\n  state 0: h = 1 m"));
    ENSURE(strstr(system, "pattern of d(der(x))/dx: 4 of 4 entries\n  **\n  **\n"));
    rb_context_free(s.context);
}

static void wrong_questions_are_refused(void **state) {
    (void)state;
    Api s = {.context = rb_context_create(NULL)};
    const RbModelComponent *components;
    const RbModelVariable *variables;
    const char *system;
    int count;
    ENSURE(rb_example_open(s.context, "pendulum", &s.model) == RB_OK);
    ENSURE(rb_model_info(NULL).name == NULL);
    ENSURE(rb_model_components(NULL, &components, &count) == RB_ERROR_USAGE);
    ENSURE(rb_model_components(s.model, NULL, &count) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "rb_model_components: argument 'components' is NULL"));
    ENSURE(rb_model_variables(s.model, &variables, NULL) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&s), "rb_model_variables: argument 'count' is NULL"));
    ENSURE(rb_model_system(s.model, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_model_system(NULL, &system) == RB_ERROR_USAGE);
    RbSimOptions options = rb_model_options(s.model);
    RbRun *run;
    ENSURE(rb_run_open(s.context, s.model, &options, &run) == RB_OK);
    ENSURE(rb_model_system(s.model, &system) == RB_ERROR_USAGE); // it would build another segment
    ENSURE(strstr(last_message(&s), "has a run that is open"));
    rb_context_free(s.context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_model_tells_what_it_is),
        cmocka_unit_test(values_are_set_as_text),
        cmocka_unit_test(a_model_of_components_tells_what_it_is),
        cmocka_unit_test(wrong_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

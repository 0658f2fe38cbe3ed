// SPDX-License-Identifier: MIT
// What a component declares in build, and the parameters a user may set.
#include "testing.h"

#include <string.h>

#include "component/instance.h"

typedef struct Part {
    double secret;
    int bad; // which mistake build makes
} Part;

static RbStatus build(void *self, RbBuild *b) {
    Part *p = self;
    const int *mistake = rb_build_data(b);
    p->bad = mistake ? *mistake : 0;
    if (p->bad == 1) return RB_ERROR_MODEL;
    char name[] = "m"; // the specification may live on the stack: it is copied
    rb_build_parameter(b, &(RbParameterSpec){name, 2, "kg", "mass", .min = 0, .max = 10});
    name[0] = '?';
    rb_build_parameter(b, &(RbParameterSpec){"n", 3, "", "elements", .integer = true});
    int u = rb_build_variable(b, &(RbVariableSpec){"u", RB_VARIABLE_INPUT, 1.5, "N", "force"});
    int y = rb_build_variable(b, &(RbVariableSpec){"y", RB_VARIABLE_OUTPUT});
    if (p->bad == 2) y = 99;
    rb_build_equation(b, "y = u");
    int order = p->bad == 3 ? 0 : RB_NONE; // a function cannot come after itself
    rb_build_function(b, &(RbFunctionSpec){"f", RB_LEVEL_POSITION, 1, &u, 1, &y,
                                           .affine_count = p->bad == 4 ? 2 : 1, .after = order,
                                           .derivative = p->bad == 5 ? 1 : RB_NONE});
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *s) {
    return (void)self, (void)s, RB_OK;
}
static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *in,
                             double *out) {
    return (void)self, (void)e, (void)function, (void)in, (void)out, RB_EVAL_OK;
}
static bool set(void *self, const char *name, double value) {
    if (strcmp(name, "secret") != 0) return false;
    ((Part *)self)->secret = value;
    return true;
}

static const RbComponentType part_type = {RB_COMPONENT_VERSION, "Part",
                                          "for tests",          sizeof(Part),
                                          .build = build,       .start_segment = start_segment,
                                          .evaluate = evaluate, .set = set};

static void declarations_are_kept(void **state) {
    (void)state;
    Fixture f;
    RbInstance c;
    fixture_open(&f);
    ENSURE(rb_instance_create(&part_type, "part", NULL, &f.arena, &f.diag, &c) == RB_OK);
    const RbBuild *b = &c.declared;
    assert_int_equal(b->parameters.count, 2);
    assert_string_equal(b->parameters.data[0].spec.name, "m");
    assert_string_equal(b->parameters.data[0].spec.unit, "kg");
    assert_int_equal(b->variables.count, 2);
    assert_string_equal(b->variables.data[1].spec.unit, ""); // never NULL
    assert_string_equal(b->equations.data[0], "y = u");
    assert_int_equal(b->functions.data[0].outputs[0], 1);
    fixture_close(&f);
}

static void wrong_numbers_of_a_plugin_are_refused(void **state) {
    (void)state;
    for (int bad = 1; bad <= 5; bad++) {
        Fixture f;
        RbInstance c;
        fixture_open(&f);
        ENSURE(rb_instance_create(&part_type, "part", &bad, &f.arena, &f.diag, &c) ==
               RB_ERROR_MODEL);
        assert_string_equal(
            fixture_message(&f, 0),
            bad == 1
                ? "rattleback: error: component 'part' of type 'Part' could not be built [model]\n"
                : "rattleback: error: component 'part' of type 'Part' declares function 'f' with "
                  "inputs, outputs or an order that do not exist [model]\n");
        fixture_close(&f);
    }
}

static void parameters_are_set_within_their_limits(void **state) {
    (void)state;
    Fixture f;
    RbInstance c;
    fixture_open(&f);
    ENSURE(rb_instance_create(&part_type, "part", NULL, &f.arena, &f.diag, &c) == RB_OK);
    ENSURE(rb_instance_override(&c, "m", 10, &f.diag) == RB_OK &&
           c.declared.parameters.data[0].value == 10);
    ENSURE(rb_instance_override(&c, "u", -4, &f.diag) == RB_OK &&
           c.declared.variables.data[0].value == -4);
    ENSURE(rb_instance_override(&c, "secret", 5, &f.diag) == RB_OK &&
           ((Part *)c.self)->secret == 5);
    ENSURE(rb_instance_override(&c, "secret", 6, &f.diag) == RB_OK);
    ENSURE(c.settings.count == 1 && c.settings.data[0].value == 6); // a checkpoint knows it
    ENSURE(rb_instance_override(&c, "m", 11, &f.diag) == RB_ERROR_USAGE);
    ENSURE(rb_instance_override(&c, "m", NAN, &f.diag) == RB_ERROR_USAGE);
    ENSURE(rb_instance_override(&c, "n", 1e300, &f.diag) == RB_OK); // whole, if large
    ENSURE(rb_instance_override(&c, "n", 0.5, &f.diag) == RB_ERROR_USAGE);
    ENSURE(rb_instance_override(&c, "y", 1, &f.diag) == RB_ERROR_USAGE); // not an input
    assert_string_equal(
        fixture_message(&f, 0),
        "rattleback: error: 'part.m' is 11 kg; it must be between 0 and 10 [usage]\n");
    assert_string_equal(fixture_message(&f, 2),
                        "rattleback: error: 'part.n' is 0.5; it must be a whole number [usage]\n");
    assert_string_equal(fixture_message(&f, 3),
                        "rattleback: error: component 'part' has no parameter or input 'y'; it "
                        "has: m, n, u [usage]\n");
    fixture_close(&f);
}

// The equations of a model and its bodies have no name of their own.
static void nameless_components_are_called_by_their_type(void **state) {
    (void)state;
    Fixture f;
    RbInstance c;
    fixture_open(&f);
    ENSURE(rb_instance_create(&part_type, "", NULL, &f.arena, &f.diag, &c) == RB_OK);
    assert_string_equal(rb_instance_title(&c), "Part");
    assert_string_equal(rb_instance_join(&c, "x", &f.arena), "x");
    ENSURE(rb_instance_override(&c, "m", 11, &f.diag) == RB_ERROR_USAGE);
    assert_string_equal(fixture_message(&f, 0),
                        "rattleback: error: 'm' is 11 kg; it must be between 0 and 10 [usage]\n");
    ENSURE(rb_instance_override(&c, "k", 1, &f.diag) == RB_ERROR_USAGE);
    assert_string_equal(fixture_message(&f, 1),
                        "rattleback: error: the model has no parameter 'k' [usage]\n");
    fixture_close(&f);
}

static void the_nearest_name_is_offered(void **state) {
    (void)state;
    Fixture f;
    RbInstance c;
    fixture_open(&f);
    ENSURE(rb_instance_create(&part_type, "part", NULL, &f.arena, &f.diag, &c) == RB_OK);
    c.declared.parameters.data[0].spec.name = "restitution";
    ENSURE(rb_instance_override(&c, "restitutoin", 1, &f.diag) == RB_ERROR_USAGE);
    assert_string_equal(fixture_message(&f, 0),
                        "rattleback: error: component 'part' has no parameter or input "
                        "'restitutoin'; did you mean 'restitution'? [usage]\n");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declarations_are_kept),
        cmocka_unit_test(wrong_numbers_of_a_plugin_are_refused),
        cmocka_unit_test(parameters_are_set_within_their_limits),
        cmocka_unit_test(nameless_components_are_called_by_their_type),
        cmocka_unit_test(the_nearest_name_is_offered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

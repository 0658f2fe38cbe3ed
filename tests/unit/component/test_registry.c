// SPDX-License-Identifier: MIT
// Component types by name: those built in, those added, those refused.
#include "testing.h"

#include <string.h>

#include "component/builtin/builtin_types.h"
#include "component/registry.h"

static RbStatus build(void *self, RbBuild *b) {
    return (void)self, (void)b, RB_OK;
}
static RbStatus start_segment(void *self, RbSegment *s) {
    return (void)self, (void)s, RB_OK;
}
static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *in,
                             double *out) {
    return (void)self, (void)e, (void)function, (void)in, (void)out, RB_EVAL_OK;
}

static RbComponentType good_type(const char *name) {
    return (RbComponentType){RB_COMPONENT_VERSION, name, .build = build,
                             .start_segment = start_segment, .evaluate = evaluate};
}

static void refuse(Fixture *f, RbRegistry *r, const RbComponentType *type, const char *message) {
    int count = r->types.count;
    ENSURE(rb_registry_add(r, type, "part.so", &f->diag) == RB_ERROR_USAGE);
    assert_string_equal(fixture_message(f, f->diag.messages.count - 1), message);
    assert_int_equal(r->types.count, count);
}

static void types_are_found_by_name(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRegistry r = rb_registry(&f.arena);
    ENSURE(rb_registry_find(&r, "BouncingBall", &f.diag) == &rb_bouncing_ball);
    RbComponentType mine = good_type("Mine");
    ENSURE(rb_registry_add(&r, &mine, "part.so", &f.diag) == RB_OK);
    ENSURE(rb_registry_find(&r, "Mine", &f.diag) == &mine);
    ENSURE(rb_registry_find(&r, "BouncingBal", &f.diag) == NULL);
    assert_string_equal(fixture_message(&f, 0),
                        "rattleback: error: there is no component 'BouncingBal'; did you mean "
                        "'BouncingBall'? [model]\n");
    ENSURE(rb_registry_find(&r, "Elephant", &f.diag) == NULL);
    assert_string_equal(fixture_message(&f, 1),
                        "rattleback: error: there is no component 'Elephant' [model]\n");
    fixture_close(&f);
}

static void bad_types_are_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRegistry r = rb_registry(&f.arena);
    RbComponentType type = good_type("Old");
    type.version = 1;
    char want[256];
    snprintf(want, sizeof want,
             "part.so: error: a component was built for version 1 of the component contract; this "
             "program has version "
             "%d. Build the plugin again with its headers [usage]\n",
             RB_COMPONENT_VERSION);
    refuse(&f, &r, &type, want);
    type = good_type("Half");
    type.evaluate = NULL;
    refuse(&f, &r, &type,
           "part.so: error: component 'Half' lacks a name or one of the functions build, "
           "start_segment, evaluate "
           "[usage]\n");
    type = good_type(NULL);
    refuse(&f, &r, &type,
           "part.so: error: component '' lacks a name or one of the functions build, "
           "start_segment, evaluate [usage]\n");
    type = good_type("BouncingBall");
    refuse(&f, &r, &type,
           "part.so: error: there is already a component named 'BouncingBall' [usage]\n");
    fixture_close(&f);
}

// Loading a good plugin, one that does not load, one of another version: tests/cli.
static void what_is_not_a_shared_object_is_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRegistry r = rb_registry(&f.arena);
    ENSURE(rb_registry_load_plugin(&r, RB_SOURCE_DIR "/README.md", &f.diag) == RB_ERROR_USAGE);
    ENSURE(strstr(fixture_message(&f, 0), "README.md: error: cannot load the plugin: "));
    ENSURE(rb_registry_load_plugin(&r, "libm.so.6", &f.diag) ==
           RB_ERROR_USAGE); // a name is a file here, not a library
    ENSURE(strstr(fixture_message(&f, 1), "libm.so.6: error: cannot load the plugin: ./libm.so.6"));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_found_by_name),
        cmocka_unit_test(bad_types_are_refused),
        cmocka_unit_test(what_is_not_a_shared_object_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

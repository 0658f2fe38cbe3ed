// SPDX-License-Identifier: MIT
// include/rattleback/editor.h: what names mean at places that are counted by hand; wrong arguments.
#include "testing.h"

#include <string.h>

#include "rattleback/rattleback.h"

static const char text[] = "package P\n"
                           "  model Wheel \"rolls\"\n"
                           "    parameter Real r(unit = \"m\") = 0.3 \"radius\";\n"
                           "    Real phi;\n"
                           "  equation\n"
                           "    phi = time/r;\n"
                           "  end Wheel;\n"
                           "  model Cart\n"
                           "    Wheel wheel[2](r = 0.2);\n"
                           "    Real x = wheel[1].phi;\n"
                           "  end Cart;\n"
                           "end P;\n";

static RbEditorSymbol symbol_at(RbContext *c, int line, int column) {
    RbModelica source = rb_modelica_default();
    RbEditorSymbol m;
    source.text = text;
    ENSURE(rb_editor_name(c, &source, (RbEditorPlace){.line = line, .column = column}, &m) ==
           RB_OK);
    return m;
}

static void names_at_places(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbEditorSymbol m = symbol_at(c, 6, 16); // r, behind it
    ENSURE(m.name && strcmp(m.full_name, "P.Wheel.r") == 0 && strcmp(m.kind, "parameter") == 0);
    ENSURE(strcmp(m.unit, "m") == 0 && strcmp(m.value, "0.3") == 0 && m.at.line == 3);
    m = symbol_at(c, 9, 6); // Wheel
    ENSURE(m.name && strcmp(m.kind, "model") == 0 && strcmp(m.description, "rolls") == 0);
    m = symbol_at(c, 9, 20); // r in the modification
    ENSURE(m.name && strcmp(m.full_name, "P.Wheel.r") == 0 && m.at.line == 3 && m.at.column == 20);
    m = symbol_at(c, 10, 24); // phi, over an element
    ENSURE(m.name && strcmp(m.full_name, "P.Wheel.phi") == 0);
    ENSURE(!symbol_at(c, 5, 4).name && !symbol_at(c, 99, 99).name);
    rb_context_free(c);
}

static bool has(const RbEditorSymbol *list, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0) return true;
    return false;
}

// The text has grown since it could be parsed: "wheel[1]." at the end of line 10.
static void names_that_can_stand(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    const RbEditorSymbol *list;
    int count;
    source.text = text;
    RbEditorPlace place = {"package P\n  model Cart\n    Real y = wheel[1].\n", 3, 23};
    ENSURE(rb_editor_completions(c, &source, place, &list, &count) == RB_OK);
    ENSURE(count == 2 && has(list, count, "r") && has(list, count, "phi"));
    place = (RbEditorPlace){.line = 10, .column = 14};
    ENSURE(rb_editor_completions(c, &source, place, &list, &count) == RB_OK);
    ENSURE(has(list, count, "wheel") && has(list, count, "Wheel") && has(list, count, "P"));
    rb_context_free(c);
}

static void outline(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    const RbEditorSymbol *list;
    int count;
    source.text = text;
    ENSURE(rb_editor_outline(c, &source, &list, &count) == RB_OK && count == 7);
    ENSURE(strcmp(list[1].name, "Wheel") == 0 && list[1].level == 1 && list[1].at.line == 2 &&
           list[1].end_line == 7);
    ENSURE(strcmp(list[3].name, "phi") == 0 && list[3].level == 2 && list[0].end_line == 12);
    rb_context_free(c);
}

static void wrong_arguments(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    const RbEditorSymbol *list;
    int count;
    RbEditorSymbol m;
    ENSURE(rb_editor_name(NULL, &source, (RbEditorPlace){0}, &m) == RB_ERROR_USAGE);
    ENSURE(rb_editor_name(c, &source, (RbEditorPlace){0}, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_editor_name(c, &source, (RbEditorPlace){0}, &m) == RB_ERROR_USAGE); // no text
    ENSURE(rb_editor_outline(c, NULL, &list, &count) == RB_ERROR_USAGE);
    source.text = "model";
    ENSURE(rb_editor_outline(c, &source, &list, &count) == RB_ERROR_MODEL && count == 0);
    ENSURE(rb_editor_completions(c, &source, (RbEditorPlace){.line = -3, .column = -3}, &list,
                                 &count) == RB_ERROR_MODEL);
    rb_context_free(c);
}

static void references(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    RbEditorPlace r = {.line = 6, .column = 16};
    const RbPos *list;
    int count;
    source.text = text;
    ENSURE(rb_editor_references(c, &source, r, NULL, &list, &count) == RB_OK && count == 3);
    ENSURE(list[0].line == 3 && list[0].column == 20 && list[1].line == 6 && list[2].line == 9);
    ENSURE(rb_editor_references(c, &source, r, "radius", &list, &count) == RB_OK && count == 3);
    ENSURE(rb_editor_references(c, &source, r, "phi", &list, &count) == RB_ERROR_USAGE);
    ENSURE(rb_editor_references(c, &source, r, "a b", &list, &count) == RB_ERROR_USAGE);
    ENSURE(rb_editor_references(c, &source, r, "", &list, &count) == RB_ERROR_USAGE);
    r.line = 99;
    ENSURE(rb_editor_references(c, &source, r, NULL, &list, &count) == RB_OK && count == 0);
    ENSURE(rb_editor_references(c, &source, r, NULL, NULL, &count) == RB_ERROR_USAGE);
    rb_context_free(c);
}

static void formatting(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    const char *out;
    ENSURE(rb_editor_format(c, NULL, "model A  Real x ;end A ;", &out) == RB_OK);
    ENSURE(strcmp(out, "model A Real x; end A;\n") == 0);
    ENSURE(rb_editor_format(c, NULL, text, &out) == RB_OK && strcmp(out, text) == 0);
    ENSURE(rb_editor_format(c, NULL, "", &out) == RB_OK && strcmp(out, "") == 0);
    ENSURE(rb_editor_format(c, NULL, "model", &out) == RB_ERROR_MODEL && strcmp(out, "") == 0);
    ENSURE(rb_editor_format(c, NULL, NULL, &out) == RB_ERROR_USAGE);
    rb_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_at_places),
        cmocka_unit_test(names_that_can_stand),
        cmocka_unit_test(outline),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(references),
        cmocka_unit_test(formatting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

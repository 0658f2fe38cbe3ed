// SPDX-License-Identifier: MIT
#include "fmi/parameter_set.h"

#include <string.h>

#include "base/text.h"
#include "io/xml.h"

// ----------------------------------------------------------------------------------------------------
// lines

static const char *trimmed(RbArena *arena, const char *from, const char *to) {
    while (from < to && (*from == ' ' || *from == '\t' || *from == '\r')) from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '\r')) to--;
    return rb_arena_printf(arena, "%.*s", (int)(to - from), from);
}

// Empty lines and those that begin with # are comments.
static RbStatus read_lines(const char *file, const char *text, RbArena *arena, RbDiag *diag,
                           RbParameterSet *out) {
    for (int line = 1; *text; line++) {
        const char *end = text + strcspn(text, "\n"), *equals = memchr(text, '=', (size_t)(end - text));
        const char *whole = trimmed(arena, text, end);
        RbPos at = {.file = file, .line = line, .column = 1};
        text = *end ? end + 1 : end;
        if (!whole[0] || whole[0] == '#') continue;
        if (!equals || equals == whole)
            return rb_fail(diag, RB_ERROR_IO, at, "'%.60s' is not of the form NAME=VALUE", whole);
        const char *mark = strchr(whole, '=');
        RbParameterValue s = {.name = trimmed(arena, whole, mark), .at = at};
        s.value = trimmed(arena, mark + 1, whole + strlen(whole));
        rb_array_push(out, arena, s);
    }
    return RB_OK;
}

// ----------------------------------------------------------------------------------------------------
// SSP

// A unit is what the model means if it is no multiple of its base units, which the set must say.
static RbStatus check_unit(RbXml *set, RbXml *value, const char *name, RbDiag *diag) {
    const char *unit = rb_xml_attribute(value, "unit");
    RbXml *units = rb_xml_child_called(set, "Units");
    bool known = !unit || !unit[0] || strcmp(unit, "1") == 0;
    for (RbXml *u = unit && units ? rb_xml_child(units, NULL) : NULL; u; u = u->next) {
        const char *called = rb_xml_attribute(u, "name");
        RbXml *base = rb_xml_child_called(u, "BaseUnit");
        double factor = 1, offset = 0;
        if (!called || strcmp(called, unit) != 0) continue;
        known = true;
        if (!base) continue;
        RB_TRY(rb_xml_number(base, "factor", &factor, diag));
        RB_TRY(rb_xml_number(base, "offset", &offset, diag));
        if (factor != 1 || offset != 0)
            return rb_fail(diag, RB_ERROR_IO, value->at,
                           "'%s' is given in %s, %g times its base units%s; give it in the unit of the "
                           "model",
                           name, unit, factor, offset != 0 ? " with an offset" : "");
    }
    if (known) return RB_OK;
    return rb_fail(diag, RB_ERROR_IO, value->at,
                   "'%s' is given in '%s', which the set does not define under 'Units': define it, or "
                   "leave the unit out if it is that of the model",
                   name, unit);
}

static RbStatus read_parameter(RbXml *set, RbXml *p, RbArena *arena, RbDiag *diag, RbParameterSet *out) {
    static const char *const types[] = {"Real", "Integer", "Boolean", "String", "Enumeration", "Float64",
                                        "Float32", "Int8", "Int16", "Int32", "Int64", "UInt8",
                                        "UInt16", "UInt32", "UInt64"};
    const char *name, *text;
    RB_TRY(rb_xml_needed(p, "name", &name, diag));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        RbXml *value = rb_xml_child_called(p, types[i]);
        if (!value) continue;
        RB_TRY(rb_xml_needed(value, "value", &text, diag));
        RB_TRY(check_unit(set, value, name, diag));
        bool is_boolean = strcmp(types[i], "Boolean") == 0; // of XML: 0 and 1, too
        if (is_boolean && strcmp(text, "1") == 0) text = "true";
        if (is_boolean && strcmp(text, "0") == 0) text = "false";
        rb_array_push(out, arena, ((RbParameterValue){.name = name, .value = text, .at = p->at}));
        return RB_OK;
    }
    return rb_fail(diag, RB_ERROR_IO, p->at,
                   "parameter '%s' has no value that a model takes; there are Real, Integer, Boolean, "
                   "String and Enumeration",
                   name);
}

RbStatus rb_parameter_set_take(RbXml *set, RbArena *arena, RbDiag *diag, RbParameterSet *out) {
    RbXml *parameters = rb_xml_is(set, "ParameterSet") ? rb_xml_child_called(set, "Parameters") : NULL;
    if (!parameters)
        return rb_fail(diag, RB_ERROR_IO, set->at,
                       "this is no parameter set of SSP: '<ssv:ParameterSet>' with '<ssv:Parameters>' "
                       "is missing");
    for (RbXml *p = rb_xml_child(parameters, NULL); p; p = p->next)
        if (rb_xml_is(p, "Parameter")) RB_TRY(read_parameter(set, p, arena, diag, out));
    return RB_OK;
}

RbStatus rb_parameter_set_parse(const char *file, RbBytes bytes, RbArena *arena, RbDiag *diag,
                           RbParameterSet *out) {
    *out = (RbParameterSet){0};
    RbXml *set;
    if (rb_text_ends_with(file, ".ssv")) {
        RB_TRY(rb_xml_read(file, bytes, arena, diag, &set));
        return rb_parameter_set_take(set, arena, diag, out);
    }
    return read_lines(file, (const char *)bytes.data, arena, diag, out);
}

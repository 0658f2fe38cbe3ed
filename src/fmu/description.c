// SPDX-License-Identifier: MIT
#include "fmu/description.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/log.h"
#include "flatten/unit.h"
#include "rattleback/context.h"

// ORDER RbFmuCausality, RbFmuVariability
static const char *const causalities[] = {"local", "parameter", "calculatedParameter",
                                          "input", "output",    "independent"};
static const char *const variabilities[] = {"constant", "fixed", "tunable", "discrete",
                                            "continuous"};

typedef RB_ARRAY(const char *) Units;

typedef struct Writer {
    const RbFmuDescription *d;
    RbText *out;
    RbArena *scratch;
    Units units; // that some variable has
} Writer;

// By the master.
static bool integrated(const RbFmuDescription *d) {
    return d->type != RB_FMU_CO_SIMULATION;
}

// -------------------------------------------------------------------------------------------------
// attributes

static void add_escaped(RbText *out, const char *text) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        switch (c) {
            case '&': rb_text_add(out, "&amp;"); break;
            case '<': rb_text_add(out, "&lt;"); break;
            case '>': rb_text_add(out, "&gt;"); break;
            case '"': rb_text_add(out, "&quot;"); break;
            case '\n': rb_text_add(out, "&#10;"); break;
            default:
                if (c < ' ' || c == 127) c = ' ';
                rb_text_add_bytes(out, (const char *)&c, 1);
        }
    }
}

static void attribute(Writer *w, const char *name, const char *value) {
    if (!value || !value[0]) return;
    rb_text_printf(w->out, " %s=\"", name);
    add_escaped(w->out, value);
    rb_text_add(w->out, "\"");
}

static void number(Writer *w, const char *name, double value) {
    if (!isfinite(value)) return;
    rb_text_printf(w->out, " %s=\"", name);
    rb_text_add_double(w->out, value);
    rb_text_add(w->out, "\"");
}

static void whole(Writer *w, const char *name, double value) {
    if (isfinite(value)) rb_text_printf(w->out, " %s=\"%.0f\"", name, value);
}

// -------------------------------------------------------------------------------------------------
// units

static bool is_listed(const Units *units, const char *unit) {
    for (int i = 0; i < units->count; i++) {
        if (strcmp(units->data[i], unit) == 0) return true;
    }
    return false;
}

static void list_units(Writer *w) {
    for (int i = 0; i < w->d->variables->count; i++) {
        const char *unit = w->d->variables->data[i].unit;
        if (unit[0] && !is_listed(&w->units, unit)) rb_array_push(&w->units, w->scratch, unit);
    }
}

// To a display unit: shown = factor * value + offset.
static bool to_display(const char *unit, const char *display, double *factor, double *offset) {
    RbUnit a, b;
    *factor = 1;
    *offset = 0;
    if (!display[0] || strcmp(unit, display) == 0) return false;
    if (strcmp(unit, "K") == 0 && strcmp(display, "degC") == 0) {
        *offset = -273.15;
        return true;
    }
    if (!rb_unit_parse(unit, &a) || !rb_unit_parse(display, &b)) return false;
    *factor = a.factor / b.factor;
    return memcmp(a.exponent, b.exponent, sizeof a.exponent) == 0;
}

static void display_units(Writer *w, const char *unit) {
    Units shown = {0};
    for (int i = 0; i < w->d->variables->count; i++) {
        const RbFmuVariable *v = &w->d->variables->data[i];
        double factor, offset;
        if (strcmp(v->unit, unit) != 0 || is_listed(&shown, v->display_unit)) continue;
        if (!to_display(unit, v->display_unit, &factor, &offset)) continue;
        rb_array_push(&shown, w->scratch, v->display_unit);
        rb_text_add(w->out, "      <DisplayUnit");
        attribute(w, "name", v->display_unit);
        number(w, "factor", factor);
        if (offset != 0) number(w, "offset", offset);
        rb_text_add(w->out, "/>\n");
    }
}

// Exponents of SI units. A power that is no whole number has no place here.
static void base_unit(Writer *w, const char *unit) {
    static const char *const names[RB_UNIT_DIMENSIONS] = {"m", "kg",  "s",  "A",
                                                          "K", "mol", "cd", "K"};
    RbUnit u;
    if (!rb_unit_parse(unit, &u)) return;
    bool celsius = u.exponent[7] != 0;
    for (int i = 0; i < RB_UNIT_DIMENSIONS; i++) {
        if (u.exponent[i] % RB_UNIT_DENOMINATOR != 0) return;
    }
    rb_text_add(w->out, "      <BaseUnit");
    for (int i = 0; i < RB_UNIT_DIMENSIONS; i++) {
        if (u.exponent[i] != 0 && (i != 4 || !celsius))
            rb_text_printf(w->out, " %s=\"%d\"", names[i], u.exponent[i] / RB_UNIT_DENOMINATOR);
    }
    if (strncmp(unit, "rad", 3) == 0) rb_text_add(w->out, " rad=\"1\"");
    if (u.factor != 1) number(w, "factor", u.factor);
    if (strcmp(unit, "degC") == 0) number(w, "offset", 273.15);
    rb_text_add(w->out, "/>\n");
}

static void write_units(Writer *w) {
    list_units(w);
    if (w->units.count == 0) return;
    rb_text_add(w->out, "  <UnitDefinitions>\n");
    for (int i = 0; i < w->units.count; i++) {
        rb_text_add(w->out, "    <Unit");
        attribute(w, "name", w->units.data[i]);
        rb_text_add(w->out, ">\n");
        base_unit(w, w->units.data[i]);
        display_units(w, w->units.data[i]);
        rb_text_add(w->out, "    </Unit>\n");
    }
    rb_text_add(w->out, "  </UnitDefinitions>\n");
}

// -------------------------------------------------------------------------------------------------
// enumerations, log, experiment

static bool is_used(const Writer *w, int enumeration) {
    for (int i = 0; i < w->d->variables->count; i++) {
        const RbFmuVariable *v = &w->d->variables->data[i];
        if (v->type == RB_ENUM && v->enumeration == enumeration) return true;
    }
    return false;
}

static void write_enumeration(Writer *w, const RbEnumeration *e) {
    bool two = w->d->version == 2;
    rb_text_add(w->out, two ? "    <SimpleType" : "    <EnumerationType");
    attribute(w, "name", e->name);
    rb_text_add(w->out, two ? "><Enumeration>\n" : ">\n");
    for (int i = 0; i < e->count; i++) {
        rb_text_add(w->out, "      <Item");
        attribute(w, "name", e->literals[i]);
        whole(w, "value", i + 1);
        rb_text_add(w->out, "/>\n");
    }
    rb_text_add(w->out, two ? "    </Enumeration></SimpleType>\n" : "    </EnumerationType>\n");
}

static void write_types(Writer *w) {
    bool some = false;
    for (int i = 0; i < w->d->flat->enumerations.count; i++) some |= is_used(w, i);
    if (!some) return;
    rb_text_add(w->out, "  <TypeDefinitions>\n");
    for (int i = 0; i < w->d->flat->enumerations.count; i++) {
        if (is_used(w, i)) write_enumeration(w, &w->d->flat->enumerations.data[i]);
    }
    rb_text_add(w->out, "  </TypeDefinitions>\n");
}

static void write_log(Writer *w) {
    rb_text_add(w->out, "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n"
                        "    <Category name=\"logStatusWarning\"/>\n");
    for (int i = 0; rb_log_topic(i); i++)
        rb_text_printf(w->out, "    <Category name=\"%s\"/>\n", rb_log_topic(i));
    rb_text_add(w->out, "  </LogCategories>\n  <DefaultExperiment");
    number(w, "startTime", w->d->start_time);
    number(w, "stopTime", w->d->stop_time);
    number(w, "tolerance", w->d->tolerance);
    if (w->d->interval > 0) number(w, "stepSize", w->d->interval);
    rb_text_add(w->out, "/>\n");
}

// -------------------------------------------------------------------------------------------------
// variables

static const char *type_name(const Writer *w, RbType type) {
    bool two = w->d->version == 2;
    switch (type) {
        case RB_INTEGER: return two ? "Integer" : "Int32";
        case RB_BOOLEAN: return "Boolean";
        case RB_STRING: return "String";
        case RB_ENUM: return "Enumeration";
        default: return two ? "Real" : "Float64";
    }
}

static void start_value(Writer *w, const RbFmuVariable *v) {
    switch (v->type) {
        case RB_BOOLEAN: rb_text_add(w->out, v->start != 0 ? "true" : "false"); break;
        case RB_INTEGER:
        case RB_ENUM: rb_text_printf(w->out, "%.0f", v->start); break;
        case RB_STRING: add_escaped(w->out, v->text); break;
        default: rb_text_add_double(w->out, v->start);
    }
}

// Of all elements, if it is an array. A String of FMI 3 has an element for it.
static void start(Writer *w, const RbFmuVariable *v) {
    if (!v->has_start || (v->type == RB_STRING && w->d->version == 3)) return;
    rb_text_add(w->out, " start=\"");
    for (int i = 0; i < v->count; i++) {
        if (i > 0) rb_text_add(w->out, " ");
        start_value(w, v + i);
    }
    rb_text_add(w->out, "\"");
}

// An index from 1, or a value reference.
static int place_of(const Writer *w, int variable) {
    return variable + (w->d->version == 2);
}

static void typed_attributes(Writer *w, const RbFmuVariable *v) {
    double factor, offset;
    if (v->type == RB_ENUM)
        attribute(w, "declaredType", w->d->flat->enumerations.data[v->enumeration].name);
    if (v->type == RB_REAL) {
        attribute(w, "quantity", v->quantity);
        attribute(w, "unit", v->unit);
        if (to_display(v->unit, v->display_unit, &factor, &offset))
            attribute(w, "displayUnit", v->display_unit);
        number(w, "min", v->min);
        number(w, "max", v->max);
        if (v->nominal > 0) number(w, "nominal", v->nominal);
        if (v->derivative_of >= 0)
            rb_text_printf(w->out, " derivative=\"%d\"", place_of(w, v->derivative_of));
        if (v->is_state) attribute(w, "reinit", "true"); // events may set any of them
    } else if (v->type == RB_INTEGER) {
        whole(w, "min", v->min);
        whole(w, "max", v->max);
    }
    start(w, v);
}

// Only where it is not the default: a start value that can be set, of a variable.
static void common_attributes(Writer *w, const RbFmuVariable *v, int reference) {
    attribute(w, "name", v->array ? v->array : v->name);
    rb_text_printf(w->out, " valueReference=\"%d\"", reference);
    attribute(w, "description", v->description);
    attribute(w, "causality", causalities[v->causality]);
    attribute(w, "variability", variabilities[v->variability]);
    bool variable = v->causality == RB_FMU_LOCAL || v->causality == RB_FMU_OUTPUT;
    if (variable && v->has_start) attribute(w, "initial", "exact");
}

static void write_variable(Writer *w, const RbFmuVariable *v, int reference) {
    const char *type = type_name(w, v->type);
    rb_text_printf(w->out, "    <%s", w->d->version == 2 ? "ScalarVariable" : type);
    common_attributes(w, v, reference);
    if (w->d->version == 2) rb_text_printf(w->out, "><%s", type);
    typed_attributes(w, v);
    if (w->d->version == 3 && v->type == RB_STRING) {
        rb_text_add(w->out, "><Start value=\"");
        add_escaped(w->out, v->text);
        rb_text_add(w->out, "\"/></String>\n");
        return;
    }
    if (v->array) {
        rb_text_add(w->out, ">");
        for (int i = 0; i < v->rank; i++)
            rb_text_printf(w->out, "<Dimension start=\"%d\"/>", v->dims[i]);
        rb_text_printf(w->out, "</%s>\n", type);
        return;
    }
    rb_text_add(w->out, w->d->version == 2 ? "/></ScalarVariable>\n" : "/>\n");
}

// The variable of the FMU that this one is an element of.
static int head_of(const Writer *w, int variable) {
    while (w->d->variables->data[variable].count == 0) variable--;
    return variable;
}

// Of all elements together.
static void write_dependencies(Writer *w, int variable) {
    const RbFmuDependencies *d = w->d->dependencies;
    RbArena scratch = *w->scratch;
    bool *has = rb_new_array(&scratch, bool, w->d->variables->count + 1), some = false;
    int count = d->known ? w->d->variables->data[variable].count : 0;
    for (int k = 0; k < count; k++) {
        const RbIndices *on = &d->of[variable + k];
        if (!on->data) return;
        for (int i = 0; i < on->count; i++) has[head_of(w, on->data[i])] = true;
    }
    if (count == 0) return;
    rb_text_add(w->out, " dependencies=\"");
    for (int i = 0; i < w->d->variables->count; i++) {
        if (!has[i]) continue;
        rb_text_printf(w->out, "%s%d", some ? " " : "", place_of(w, i));
        some = true;
    }
    rb_text_add(w->out, "\"");
}

static void write_unknown(Writer *w, const char *element, int variable, bool running) {
    bool two = w->d->version == 2;
    if (w->d->variables->data[variable].count == 0) return;
    rb_text_printf(w->out, "%s<%s %s=\"%d\"", two ? "      " : "    ", two ? "Unknown" : element,
                   two ? "index" : "valueReference", place_of(w, variable));
    if (running) write_dependencies(w, variable);
    rb_text_add(w->out, "/>\n");
}

static bool is_output(const RbFmuVariable *v) {
    return v->causality == RB_FMU_OUTPUT;
}

static bool is_initial_unknown(const RbFmuVariable *v) {
    bool counts = is_output(v) || v->causality == RB_FMU_CALCULATED_PARAMETER || v->is_state ||
                  v->derivative_of >= 0;
    return counts && !v->has_start;
}

// In the order of the states.
static void write_derivatives(Writer *w) {
    const RbFmuStates *s = w->d->states;
    bool two = w->d->version == 2;
    if (!integrated(w->d) || s->count == 0) return;
    if (two) rb_text_add(w->out, "    <Derivatives>\n");
    for (int i = 0; i < s->count; i++)
        write_unknown(w, "ContinuousStateDerivative", s->derivative[i], true);
    if (two) rb_text_add(w->out, "    </Derivatives>\n");
}

static void write_indicators(Writer *w) {
    const RbFmuStates *s = w->d->states;
    for (int i = 0; s->first_indicator >= 0 && i < s->indicator_count; i++)
        write_unknown(w, "EventIndicator", s->first_indicator + i, false);
}

static void write_unknowns(Writer *w, const char *list, const char *element,
                           bool (*belongs)(const RbFmuVariable *v)) {
    bool some = false;
    for (int i = 0; i < w->d->variables->count; i++) some |= belongs(&w->d->variables->data[i]);
    if (!some) return;
    if (w->d->version == 2) rb_text_printf(w->out, "    <%s>\n", list);
    for (int i = 0; i < w->d->variables->count; i++) {
        if (belongs(&w->d->variables->data[i])) write_unknown(w, element, i, belongs == is_output);
    }
    if (w->d->version == 2) rb_text_printf(w->out, "    </%s>\n", list);
}

// Letters, digits and _, between dots, with subscripts; also as der(...).
static bool is_structured(const char *name) {
    size_t length = strlen(name);
    bool derivative = strncmp(name, "der(", 4) == 0 && name[length - 1] == ')', first = true;
    const char *c = derivative ? name + 4 : name,
               *end = derivative ? name + length - 1 : name + length;
    for (; c < end; c++) {
        if (*c == '[') {
            while (c < end && *c != ']') c++;
            if (first || c == end) return false;
            continue;
        }
        bool letter = isalpha((unsigned char)*c) || *c == '_';
        if (!letter && (first || (!isdigit((unsigned char)*c) && *c != '.'))) return false;
        first = *c == '.';
    }
    return !first;
}

// -------------------------------------------------------------------------------------------------
// the whole

// By version, 2 and 3.
static const char *const exchange[] = {
    " canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" "
    "canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"true\"",
    " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" "
    "providesDirectionalDerivatives=\"true\" needsCompletedIntegratorStep=\"true\""};
static const char *const co_simulation[] = {
    " canHandleVariableCommunicationStepSize=\"true\" canNotUseMemoryManagementFunctions=\"true\" "
    "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"",
    " canHandleVariableCommunicationStepSize=\"true\" canGetAndSetFMUState=\"true\" "
    "canSerializeFMUState=\"true\" hasEventMode=\"true\" mightReturnEarlyFromDoStep=\"true\""};

static void write_type(Writer *w, const char *element, const char *const abilities[2]) {
    rb_text_printf(w->out, "  <%s", element);
    attribute(w, "modelIdentifier", w->d->identifier);
    rb_text_add(w->out, abilities[w->d->version - 2]);
    rb_text_add(w->out, "/>\n");
}

static void write_head(Writer *w) {
    const RbFmuDescription *d = w->d;
    bool two = d->version == 2, structured = true;
    for (int i = 0; i < d->variables->count; i++)
        structured &= is_structured(d->variables->data[i].name);
    rb_text_printf(
        w->out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%s\"",
        two ? "2.0" : "3.0");
    attribute(w, "modelName", d->name);
    attribute(w, two ? "guid" : "instantiationToken", d->token);
    attribute(w, "description", d->description);
    attribute(w, "generationTool", "Rattleback " RB_VERSION_STRING);
    attribute(w, "variableNamingConvention", structured ? "structured" : "flat");
    if (two && integrated(d))
        rb_text_printf(w->out, " numberOfEventIndicators=\"%d\"", d->states->indicator_count);
    rb_text_add(w->out, ">\n");
    if (integrated(d)) write_type(w, "ModelExchange", exchange);
    if (d->type != RB_FMU_MODEL_EXCHANGE) write_type(w, "CoSimulation", co_simulation);
}

void rb_fmu_describe(const RbFmuDescription *d, RbArena scratch, RbText *out) {
    Writer w = {.d = d, .out = out, .scratch = &scratch};
    write_head(&w);
    write_units(&w);
    write_types(&w);
    write_log(&w);
    rb_text_add(out, "  <ModelVariables>\n");
    for (int i = 0; i < d->variables->count; i++) {
        if (d->variables->data[i].count > 0) write_variable(&w, &d->variables->data[i], i);
    }
    rb_text_add(out, "  </ModelVariables>\n  <ModelStructure>\n");
    write_unknowns(&w, "Outputs", "Output", is_output);
    write_derivatives(&w);
    write_unknowns(&w, "InitialUnknowns", "InitialUnknown", is_initial_unknown);
    write_indicators(&w);
    rb_text_add(out, "  </ModelStructure>\n</fmiModelDescription>\n");
}

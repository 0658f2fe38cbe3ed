// SPDX-License-Identifier: MIT
#include "fmi/modelica_class.h"

#include <math.h>
#include <string.h>

#include "flatten/unit.h"
#include "fmi/component.h"
#include "fmi/files.h"

// ---- pieces of text

static void add_string(RbText *out, const char *text) {
    rb_text_add(out, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') rb_text_add(out, "\\");
        rb_text_add_bytes(out, c, 1);
    }
    rb_text_add(out, "\"");
}

static void end_declaration(RbText *out, const char *description) {
    if (description[0]) {
        rb_text_add(out, " ");
        add_string(out, description);
    }
    rb_text_add(out, ";\n");
}

static void add_value(const RbFmi *f, const RbFmiVariable *v, double value, RbText *out) {
    if (v->type == RB_FMI_BOOLEAN) {
        rb_text_add(out, value != 0 ? "true" : "false");
    } else if (v->type == RB_FMI_ENUMERATION) {
        const RbFmiEnumeration *e = &f->enumerations.data[v->enumeration];
        int item = (int)rb_fmi_to_modelica(f, v, value) - 1;
        rb_text_printf(out, "%s.%s", e->modelica,
                       e->count > 0 ? rb_fmi_identifier(e->items[item], "", out->arena) : "?");
    } else if (rb_fmi_is_real(v)) {
        rb_text_add_double(out, value);
    } else {
        rb_text_printf(out, "%.0f", value);
    }
}

// {{1, 2}, {3, 4}}
static void add_values(const RbFmi *f, const RbFmiVariable *v, RbText *out) {
    if (v->rank == 0) {
        add_value(f, v, v->start[0], out);
        return;
    }
    if (v->size == 0) {
        rb_text_printf(out, v->rank == 1 ? "fill(0, %d)" : "fill(0, %d, %d)", v->dims[0],
                       v->dims[1]);
        return;
    }
    int columns = v->rank == 2 ? v->dims[1] : v->size;
    rb_text_add(out, v->rank == 2 ? "{" : "");
    for (int k = 0; k < v->size; k++) {
        rb_text_add(out, k == 0 ? "{" : k % columns == 0 ? "}, {" : ", ");
        add_value(f, v, v->start[k], out);
    }
    rb_text_add(out, v->rank == 2 ? "}}" : "}");
}

static const char *type_of(const RbFmi *f, const RbFmiVariable *v) {
    if (rb_fmi_is_real(v)) return "Real";
    if (v->type == RB_FMI_BOOLEAN) return "Boolean";
    return v->type == RB_FMI_ENUMERATION ? f->enumerations.data[v->enumeration].modelica
                                         : "Integer";
}

static void add_sizes(const RbFmiVariable *v, RbText *out) {
    if (v->rank == 1) rb_text_printf(out, "[%d]", v->dims[0]);
    if (v->rank == 2) rb_text_printf(out, "[%d, %d]", v->dims[0], v->dims[1]);
}

typedef struct Attributes {
    RbText *out;
    const char *each;
    int count;
} Attributes;

static void attribute(Attributes *a, const char *each, const char *name) {
    rb_text_printf(a->out, "%s%s%s = ", a->count++ > 0 ? ", " : "(", each, name);
}

static void add_attributes(const RbFmi *f, const RbFmiVariable *v, bool with_start, RbText *out) {
    const char *each = v->rank > 0 ? "each " : "";
    Attributes a = {.out = out};
    RbUnit unit;
    if (rb_fmi_is_real(v) && v->unit[0] && rb_unit_parse(v->unit, &unit)) {
        attribute(&a, each, "unit");
        add_string(out, v->unit);
    }
    bool limits = v->type < RB_FMI_BOOLEAN && rb_fmi_is_parameter(v);
    if (limits && isfinite(v->min)) {
        attribute(&a, each, "min");
        add_value(f, v, v->min, out);
    }
    if (limits && isfinite(v->max)) {
        attribute(&a, each, "max");
        add_value(f, v, v->max, out);
    }
    if (with_start && v->start && v->size > 0) {
        attribute(&a, "", "start");
        add_values(f, v, out);
    }
    if (a.count > 0) rb_text_add(out, ")");
}

// ---- declarations

static void write_enumeration(const RbFmiEnumeration *e, RbText *out) {
    rb_text_printf(out, "  type %s = enumeration(", e->modelica);
    for (int i = 0; i < e->count; i++) {
        rb_text_printf(out, "%s%s", i > 0 ? ", " : "",
                       rb_fmi_identifier(e->items[i], "", out->arena));
        if (!e->descriptions[i][0]) continue;
        rb_text_add(out, " ");
        add_string(out, e->descriptions[i]);
    }
    rb_text_add(out, ");\n");
    rb_text_printf(out, "  connector %s = input %s;\n",
                   rb_fmi_identifier(e->name, "Input", out->arena), e->modelica);
    rb_text_printf(out, "  connector %s = output %s;\n",
                   rb_fmi_identifier(e->name, "Output", out->arena), e->modelica);
}

static void write_parameter(const RbFmi *f, const RbFmiVariable *v, RbText *out) {
    rb_text_printf(out, "  parameter %s %s", type_of(f, v), v->modelica);
    add_sizes(v, out);
    add_attributes(f, v, false, out);
    rb_text_add(out, " = ");
    add_values(f, v, out);
    end_declaration(out, v->description);
}

static void write_text(const RbFmiVariable *v, RbText *out) {
    rb_text_printf(out, "  parameter String %s = ", v->modelica);
    add_string(out, v->text);
    end_declaration(out, v->description);
}

static void write_start(const RbFmi *f, const RbFmiVariable *v, RbText *out) {
    rb_text_printf(out, "  parameter Real %s", rb_fmi_identifier(v->name, "_start", out->arena));
    add_sizes(v, out);
    add_attributes(f, v, false, out);
    rb_text_add(out, " = ");
    add_values(f, v, out);
    end_declaration(out, rb_arena_join(out->arena, "Start value of ", v->name, ""));
}

static void write_connector(const RbFmi *f, const RbFmiVariable *v, RbText *out) {
    const char *direction = v->causality == RB_FMI_INPUT ? "Input" : "Output";
    if (v->type == RB_FMI_ENUMERATION)
        rb_text_printf(
            out, "  %s %s",
            rb_fmi_identifier(f->enumerations.data[v->enumeration].name, direction, out->arena),
            v->modelica);
    else
        rb_text_printf(out, "  Rattleback.Blocks.Interfaces.%s%s %s", type_of(f, v), direction,
                       v->modelica);
    add_sizes(v, out);
    add_attributes(f, v, v->causality == RB_FMI_INPUT, out);
    end_declaration(out, v->description);
}

static void write_experiment(const RbFmi *f, RbText *out) {
    const struct {
        const char *name;
        double value;
    } entries[] = {
        {"StartTime", f->start_time}, {"StopTime", f->stop_time}, {"Tolerance", f->tolerance}};
    const char *before = ",\n    experiment(";
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (!isfinite(entries[i].value) || (i == 2 && !(entries[i].value > 0))) continue;
        rb_text_printf(out, "%s%s = ", before, entries[i].name);
        rb_text_add_double(out, entries[i].value);
        before = ", ";
    }
    if (before[1] == ' ') rb_text_add(out, ")");
}

// The identifier is a name of C, which the standard asks for and nobody may have checked.
static const char *class_name(const RbFmi *f, RbArena *arena) {
    const char *name = f->exchange.identifier ? f->exchange.identifier : f->cosimulation.identifier;
    char *out = rb_arena_join(arena, name[0] >= '0' && name[0] <= '9' ? "Model_" : "",
                              name[0] ? name : "Model", "");
    for (char *c = out; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", *c))
            *c = '_';
    return rb_fmi_identifier(out, "", arena);
}

void rb_fmi_write_class(const RbFmi *f, const RbFmiClass *class, RbText *out) {
    const char *name = class->name ? class->name : class_name(f, out->arena);
    rb_text_printf(out, "model %s ", name);
    add_string(out, f->description[0] ? f->description : f->name);
    rb_text_add(out, "\n");
    for (int i = 0; i < f->enumerations.count; i++)
        write_enumeration(&f->enumerations.data[i], out);
    for (int i = 0; i < f->variables.count; i++)
        if (rb_fmi_is_parameter(&f->variables.data[i]))
            write_parameter(f, &f->variables.data[i], out);
    for (int i = 0; i < f->variables.count; i++)
        if (rb_fmi_is_text(&f->variables.data[i])) write_text(&f->variables.data[i], out);
    for (int i = 0; i < f->variables.count; i++)
        if (rb_fmi_has_start_parameter(&f->variables.data[i]))
            write_start(f, &f->variables.data[i], out);
    if (class->cosimulation) {
        rb_text_printf(out, "  parameter Real %s(unit = \"s\", min = 1e-12) = ", RB_FMI_STEP);
        rb_text_add_double(out, rb_fmi_step(f));
        rb_text_add(out, " \"Between two communication points\";\n");
    }
    for (int i = 0; i < f->variables.count; i++) {
        const RbFmiVariable *v = &f->variables.data[i];
        if (rb_fmi_is_input(v) || rb_fmi_is_output(v)) write_connector(f, v, out);
    }
    rb_text_printf(out, "  annotation(\n    __Rattleback(component = \"%s\", file = ",
                   class->cosimulation ? RB_FMI_COSIMULATION : RB_FMI_EXCHANGE);
    add_string(out, class->file);
    rb_text_add(out, ")");
    write_experiment(f, out);
    rb_text_printf(out, ");\nend %s;\n", name);
}

const char *rb_fmi_source(const RbFmi *f, RbArena *arena) {
    RbText out = rb_text(arena);
    RbFmiClass class = {.file = f->file};
    if (f->cosimulation.identifier) {
        class.cosimulation = true;
        if (f->exchange.identifier)
            class.name = rb_arena_join(arena, class_name(f, arena), "_cs", "");
        rb_fmi_write_class(f, &class, &out);
    }
    class = (RbFmiClass){.file = f->file};
    if (f->exchange.identifier) rb_fmi_write_class(f, &class, &out);
    return out.data;
}

// ---- for people

static void describe_kind(const char *name, const RbFmiKind *k, RbText *out) {
    if (!k->identifier) return;
    rb_text_printf(out, "%s:", name);
    const struct {
        bool is;
        const char *what;
    } lines[] = {
        {k->can_state, "state can be got and set"},  {k->can_serialize, "and saved"},
        {k->directional, "directional derivatives"}, {k->completed_step, "needs the end of every step"},
        {k->any_step, "steps of any length"},        {k->event_mode, "event mode"},
        {k->once, "one instance in a process"}};
    const char *before = " ";
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!lines[i].is) continue;
        rb_text_printf(out, "%s%s", before, lines[i].what);
        before = ", ";
    }
    rb_text_add(out, before[0] == ' ' ? " nothing besides\n" : "\n");
}

static const char *const causalities[] = {"local", "parameter", "calculated", "structural",
                                          "input", "output",    "time"}; // ORDER RbFmiCausality
static const char *const variabilities[] = {"constant", "fixed", "tunable", "discrete",
                                            "continuous"}; // ORDER RbFmiVariability
static const char *const type_names[RB_FMI_TYPES] = {
    "Float64", "Float32", "Int8",    "UInt8",       "Int16",  "UInt16", "Int32", "UInt32",
    "Int64",   "UInt64",  "Boolean", "Enumeration", "String", "Binary", "Clock"}; // ORDER RbFmiType

static void describe_variable(const RbFmi *f, const RbFmiVariable *v, RbText *out) {
    RbText name = rb_text(out->arena), start = rb_text(out->arena);
    rb_text_add(&name, v->name);
    add_sizes(v, &name);
    rb_text_add(&start, "");
    if (v->start && v->type < RB_FMI_NUMBERS) add_values(f, v, &start);
    if (v->text) rb_text_add(&start, v->text);
    const char *type = v->type == RB_FMI_ENUMERATION ? f->enumerations.data[v->enumeration].name
                       : f->version == 2 && rb_fmi_is_real(v)       ? "Real"
                       : f->version == 2 && v->type == RB_FMI_INT32 ? "Integer"
                                                                    : type_names[v->type];
    rb_text_printf(out, "  %-24s %-10s %-10s %-11s %-14s %-8s %s\n", name.data,
                   causalities[v->causality], variabilities[v->variability], type, start.data,
                   v->unit, v->description);
}

void rb_fmi_describe(const RbFmi *f, RbText *out) {
    rb_text_printf(out, "%s: FMU of FMI %d.0%s%s\n", f->name, f->version,
                   f->description[0] ? ", " : "", f->description);
    if (f->tool[0])
        rb_text_printf(out, "made by %s%s%s\n", f->tool, f->date[0] ? ", " : "", f->date);
    describe_kind("model exchange", &f->exchange, out);
    describe_kind("co-simulation", &f->cosimulation, out);
    if (f->cosimulation.identifier)
        rb_text_printf(out, "communication step: %g s\n", rb_fmi_step(f));
    rb_text_printf(out, "binaries for: %s\n", rb_fmi_platforms(f, out->arena));
    if (isfinite(f->stop_time))
        rb_text_printf(out, "experiment: from %g s to %g s\n",
                       isnan(f->start_time) ? 0 : f->start_time, f->stop_time);
    if (f->exchange.identifier) rb_text_printf(out, "states: %d\n", f->derivatives.count);
    rb_text_printf(out, "\n  %-24s %-10s %-10s %-11s %-14s %-8s %s\n", "variable", "causality",
                   "changes", "type", "start", "unit", "");
    for (int i = 0; i < f->variables.count; i++) describe_variable(f, &f->variables.data[i], out);
}

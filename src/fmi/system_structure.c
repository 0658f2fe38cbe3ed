// SPDX-License-Identifier: MIT
#include "fmi/system_structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flatten/unit.h"
#include "fmi/modelica_class.h"
#include "fmi/parameter_set.h"
#include "io/unpack.h"

typedef struct Setting {
    const char *name, *value;
    RbPos at;
    bool used;
} Setting;

typedef RB_ARRAY(Setting) Settings;

// An element of a system: an FMU, or a system inside. The system itself, for its own connectors, has neither.
typedef struct Element {
    const char *name, *modelica; // in the file; in Modelica
    const char *class;
    RbXml *from;
    RbFmi *fmi; // NULL: a system
    Settings settings;
} Element;

// One end of a connection.
typedef struct End {
    const char *text;              // in Modelica
    const char *unit;              // "": not said
    bool takes, is_parameter;      // does the signal arrive here?
    const Element *element;        // NULL: the system itself
    const RbFmiVariable *variable; // NULL: of a system
} End;

typedef struct Connection {
    End from, to;
    double factor, offset;
} Connection;

typedef struct System {
    struct Structure *file;
    RbXml *from;
    Settings settings;
    RB_ARRAY(Element) elements;
    RB_ARRAY(Connection) connections;
} System;

typedef struct Structure {
    const char *path, *folder; // folder: of the files that it names, ends with '/'
    RbArena *arena;
    RbDiag *diag;
    RbText *out;
} Structure;

enum { DEEPEST = 20 };

#define REFUSE(s, element, ...) rb_fail((s)->diag, RB_ERROR_MODEL, (element)->at, __VA_ARGS__)

static bool is(const char *text, const char *word) {
    return text && strcmp(text, word) == 0;
}

static const char *path_of(const Structure *s, const char *source) {
    if (strncmp(source, "file://", 7) == 0) source += 7;
    return source[0] == '/' ? source : rb_arena_join(s->arena, s->folder, source, "");
}

static RbXml *next_called(RbXml *e, const char *name) {
    for (e = e ? e->next : NULL; e && !rb_xml_is(e, name); e = e->next) {
    }
    return e;
}

// ----------------------------------------------------------------------------------------------------
// parameters

static RbStatus read_xml(Structure *s, RbXml *at, const char *source, RbXml **out) {
    RbBytes bytes;
    const char *path = path_of(s, source);
    (void)at;
    RB_TRY(rb_file_read(path, 0, s->arena, s->diag, &bytes));
    return rb_xml_read(path, bytes, s->arena, s->diag, out);
}

// What a parameter of the set is called in the system; NULL: nothing of it is meant.
static RbStatus mapped(Structure *s, RbXml *mapping, const char *name, const char **out) {
    *out = mapping ? NULL : name;
    for (RbXml *e = rb_xml_child_called(mapping, "MappingEntry"); e;
         e = next_called(e, "MappingEntry")) {
        if (!is(rb_xml_attribute(e, "source"), name)) continue;
        if (rb_xml_child(e, NULL))
            return REFUSE(s, e,
                          "values that are transformed by a mapping are not read: give '%s' as the "
                          "model takes it",
                          name);
        RB_TRY(rb_xml_needed(e, "target", out, s->diag));
    }
    return RB_OK;
}

static RbStatus read_binding(Structure *s, RbXml *e, Settings *out) {
    const char *source = rb_xml_attribute(e, "source"), *prefix = rb_xml_attribute(e, "prefix"),
               *name;
    RbXml *values = rb_xml_child_called(e, "ParameterValues"),
          *set = rb_xml_child_called(values, "ParameterSet");
    RbXml *maps = rb_xml_child_called(e, "ParameterMapping"),
          *mapping = rb_xml_child_called(maps, "ParameterMapping");
    const char *map_source = maps ? rb_xml_attribute(maps, "source") : NULL;
    RbParameterSet list = {0};
    if (source && !set) RB_TRY(read_xml(s, e, source, &set));
    if (map_source && !mapping) RB_TRY(read_xml(s, maps, map_source, &mapping));
    if (!set) return REFUSE(s, e, "this binding has neither a source nor a ParameterSet");
    RB_TRY(rb_parameter_set_take(set, s->arena, s->diag, &list));
    for (int i = 0; i < list.count; i++) {
        RB_TRY(mapped(s, mapping, list.data[i].name, &name));
        if (!name) continue;
        Setting setting = {rb_arena_join(s->arena, prefix ? prefix : "", name, ""),
                           list.data[i].value, list.data[i].at, false};
        rb_array_push(out, s->arena, setting);
    }
    return RB_OK;
}

static RbStatus read_bindings(Structure *s, RbXml *of, Settings *out) {
    RbXml *all = rb_xml_child_called(of, "ParameterBindings");
    for (RbXml *e = rb_xml_child_called(all, "ParameterBinding"); e;
         e = next_called(e, "ParameterBinding"))
        RB_TRY(read_binding(s, e, out));
    return RB_OK;
}

// Those of an element, without its name: "motor.R" of the system is R of the motor. Values of the system come last, since they count.
static void hand_down(Structure *s, Settings *from, const char *name, Settings *to) {
    size_t length = strlen(name);
    for (int i = 0; i < from->count; i++) {
        Setting *x = &from->data[i];
        if (strncmp(x->name, name, length) != 0 || x->name[length] != '.') continue;
        x->used = true;
        rb_array_push(to, s->arena, ((Setting){x->name + length + 1, x->value, x->at, false}));
    }
}

// The last one of a name; NULL: none.
static const Setting *setting_of(Settings *settings, const char *name) {
    const Setting *found = NULL;
    for (int i = 0; i < settings->count; i++) {
        if (strcmp(settings->data[i].name, name) != 0) continue;
        settings->data[i].used = true;
        found = &settings->data[i];
    }
    return found;
}

static void warn_of_unused(Structure *s, const Settings *settings, const char *where) {
    for (int i = 0; i < settings->count; i++)
        if (!settings->data[i].used)
            rb_warn(s->diag, settings->data[i].at, "'%s' sets nothing of '%s'",
                    settings->data[i].name, where);
}

// ----------------------------------------------------------------------------------------------------
// values as Modelica writes them

static void add_string(RbText *out, const char *text) {
    rb_text_add(out, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') rb_text_add(out, "\\");
        rb_text_add_bytes(out, c, 1);
    }
    rb_text_add(out, "\"");
}

static RbStatus add_literal(Structure *s, const Element *e, const RbFmiVariable *v,
                            const Setting *x) {
    const RbFmiEnumeration *types =
        &e->fmi->enumerations.data[v->type == RB_FMI_ENUMERATION ? v->enumeration : 0];
    int item = 0;
    while (item < types->count && strcmp(types->items[item], x->value) != 0) item++;
    if (item == types->count)
        return rb_fail(s->diag, RB_ERROR_MODEL, x->at, "'%.60s' is no literal of '%s'", x->value,
                       types->name);
    rb_text_printf(s->out, "%s.%s.%s", e->class, types->modelica,
                   rb_fmi_identifier(types->items[item], "", s->arena));
    return RB_OK;
}

static RbStatus add_value(Structure *s, const Element *e, const RbFmiVariable *v,
                          const Setting *x) {
    char *end;
    double value = strtod(x->value, &end);
    if (v->type == RB_FMI_STRING) return add_string(s->out, x->value), RB_OK;
    if (v->type == RB_FMI_ENUMERATION) return add_literal(s, e, v, x);
    bool logical = v->type == RB_FMI_BOOLEAN, known = is(x->value, "true") || is(x->value, "false");
    if (v->rank > 0 || (logical ? !known : *end || end == x->value || !isfinite(value)))
        return rb_fail(s->diag, RB_ERROR_MODEL, x->at, "'%.60s' is no value for '%s' of '%s'",
                       x->value, v->name, e->name);
    if (logical)
        rb_text_add(s->out, x->value);
    else if (rb_fmi_is_real(v))
        rb_text_add_double(s->out, value);
    else
        rb_text_printf(s->out, "%.0f", value);
    return RB_OK;
}

// ----------------------------------------------------------------------------------------------------
// connections

static const RbFmiVariable *find_variable(const RbFmi *f, const char *name, size_t length) {
    for (int i = 0; i < f->variables.count; i++)
        if (strlen(f->variables.data[i].name) == length &&
            strncmp(f->variables.data[i].name, name, length) == 0)
            return &f->variables.data[i];
    return NULL;
}

static RbStatus end_of_fmu(Structure *s, RbXml *at, const Element *e, const char *name, End *out) {
    size_t length = strlen(name), array = strcspn(name, "[");
    const RbFmiVariable *v = find_variable(e->fmi, name, length);
    const char *rest = "";
    if (!v && name[array]) v = find_variable(e->fmi, name, array), rest = name + array;
    RbNear near = {.wanted = name};
    for (int i = 0; !v && i < e->fmi->variables.count; i++)
        rb_text_try_near(&near, e->fmi->variables.data[i].name);
    if (!v)
        return REFUSE(s, at, "the FMU of '%s' has no variable '%.60s'%s", e->name, name,
                      rb_text_near_question(&near, "", s->arena));
    out->variable = v;
    out->unit = v->unit;
    out->takes = rb_fmi_is_input(v) || rb_fmi_is_parameter(v);
    out->is_parameter = rb_fmi_is_parameter(v);
    if (!out->takes && !rb_fmi_is_output(v))
        return REFUSE(s, at,
                      "'%s' of '%s' is no input, output or parameter, and cannot be connected",
                      name, e->name);
    out->text = rb_arena_printf(s->arena, "%s.%s%s", e->modelica, v->modelica, rest);
    return RB_OK;
}

static RbXml *connector_of(RbXml *system, const char *name) {
    RbXml *all = rb_xml_child_called(system, "Connectors");
    for (RbXml *e = rb_xml_child_called(all, "Connector"); e; e = next_called(e, "Connector"))
        if (is(rb_xml_attribute(e, "name"), name)) return e;
    return NULL;
}

static const char *unit_of(RbXml *connector) {
    RbXml *type = rb_xml_child(connector, NULL);
    const char *unit = type ? rb_xml_attribute(type, "unit") : NULL;
    return unit ? unit : "";
}

// Seen from outside if it is an element, from inside if it is the system itself.
static RbStatus end_of_system(Structure *s, RbXml *at, RbXml *system, const Element *e,
                              const char *name, End *out) {
    RbXml *c = connector_of(e ? e->from : system, name);
    if (!c)
        return REFUSE(s, at, "there is no connector '%.60s' of '%s'", name,
                      e ? e->name : "the system");
    const char *kind = rb_xml_attribute(c, "kind"), *own = rb_fmi_identifier(name, "", s->arena);
    out->unit = unit_of(c);
    out->is_parameter = is(kind, "parameter");
    out->takes = e ? !is(kind, "output") : is(kind, "output");
    out->text = e ? rb_arena_printf(s->arena, "%s.%s", e->modelica, own) : own;
    return RB_OK;
}

static RbStatus read_end(System *y, RbXml *at, const char *element_attribute,
                         const char *connector_attribute, End *out) {
    Structure *s = y->file;
    const char *element = rb_xml_attribute(at, element_attribute), *name;
    RB_TRY(rb_xml_needed(at, connector_attribute, &name, s->diag));
    if (!element || !*element) return end_of_system(s, at, y->from, NULL, name, out);
    for (int i = 0; i < y->elements.count; i++) {
        const Element *e = &y->elements.data[i];
        if (strcmp(e->name, element) != 0) continue;
        out->element = e;
        return e->fmi ? end_of_fmu(s, at, e, name, out)
                      : end_of_system(s, at, y->from, e, name, out);
    }
    return REFUSE(s, at, "there is no element '%.60s'", element);
}

// Signals in another unit of the same dimension are converted.
static void convert(Connection *c) {
    RbUnit a, b;
    if (!rb_unit_parse(c->from.unit, &a) || !rb_unit_parse(c->to.unit, &b)) return;
    if (!c->from.unit[0] || !c->to.unit[0] ||
        memcmp(a.exponent, b.exponent, sizeof a.exponent) != 0)
        return;
    c->factor = a.factor / b.factor;
}

static RbStatus read_connection(System *y, RbXml *e) {
    Structure *s = y->file;
    Connection c = {.factor = 1};
    RB_TRY(read_end(y, e, "startElement", "startConnector", &c.from));
    RB_TRY(read_end(y, e, "endElement", "endConnector", &c.to));
    if (c.from.takes && !c.to.takes) {
        End end = c.from;
        c.from = c.to;
        c.to = end;
    }
    if (!c.to.takes || c.from.takes)
        return REFUSE(s, e, "'%s' and '%s' %s", c.from.text, c.to.text,
                      c.to.takes ? "both take a signal" : "both give a signal");
    RbXml *linear = rb_xml_child_called(e, "LinearTransformation");
    if (!is(rb_xml_attribute(e, "suppressUnitConversion"), "true")) convert(&c);
    if (linear) {
        c.factor = 1;
        RB_TRY(rb_xml_number(linear, "factor", &c.factor, s->diag));
        RB_TRY(rb_xml_number(linear, "offset", &c.offset, s->diag));
    } else if (rb_xml_child(e, NULL) && !rb_xml_child_called(e, "ConnectionGeometry")) {
        return REFUSE(s, rb_xml_child(e, NULL),
                      "of transformations only LinearTransformation is read");
    }
    rb_array_push(&y->connections, s->arena, c);
    return RB_OK;
}

static void add_source(Structure *s, const Connection *c) {
    bool same = c->factor == 1 && c->offset == 0;
    if (!same) {
        rb_text_add_double(s->out, c->factor);
        rb_text_add(s->out, "*");
    }
    rb_text_add(s->out, c->from.text);
    if (c->offset != 0) rb_text_add(s->out, " + (");
    if (c->offset != 0) rb_text_add_double(s->out, c->offset);
    if (c->offset != 0) rb_text_add(s->out, ")");
}

static void write_connections(System *y) {
    Structure *s = y->file;
    for (int i = 0; i < y->connections.count; i++) {
        const Connection *c = &y->connections.data[i];
        if (c->to.is_parameter) continue;
        if (c->factor == 1 && c->offset == 0) {
            rb_text_printf(s->out, "  connect(%s, %s);\n", c->from.text, c->to.text);
            continue;
        }
        rb_text_printf(s->out, "  %s = ", c->to.text);
        add_source(s, c);
        rb_text_add(s->out, ";\n");
    }
}

// ----------------------------------------------------------------------------------------------------
// elements

static const Connection *connected(const System *y, const Element *e, const RbFmiVariable *v) {
    for (int i = 0; i < y->connections.count; i++) {
        const End *to = &y->connections.data[i].to;
        if (to->element == e && to->variable == v) return &y->connections.data[i];
    }
    return NULL;
}

static void begin_modifier(Structure *s, int *count, const char *name) {
    rb_text_printf(s->out, "%s%s = ", (*count)++ == 0 ? "(" : ", ", name);
}

// An input that nothing is connected to keeps its start value.
static RbStatus modify(System *y, Element *e, const RbFmiVariable *v, int *count) {
    Structure *s = y->file;
    const Setting *x = setting_of(&e->settings, v->name);
    const Connection *c = connected(y, e, v);
    bool input = rb_fmi_is_input(v), start = rb_fmi_has_start_parameter(v);
    if (c && c->to.is_parameter) {
        begin_modifier(s, count, v->modelica);
        return add_source(s, c), RB_OK;
    }
    if (c || (!x && !input)) return RB_OK;
    if (!x && v->rank > 0)
        return rb_fail(s->diag, RB_ERROR_MODEL, v->at,
                       "nothing is connected to the array '%s' of '%s'", v->name, e->name);
    if (!input && !start && !rb_fmi_is_parameter(v) && !rb_fmi_is_text(v))
        return rb_fail(s->diag, RB_ERROR_MODEL, x->at,
                       "'%s' of '%s' cannot be set: it is no parameter, start value or input",
                       v->name, e->name);
    begin_modifier(s, count, start ? rb_fmi_identifier(v->name, "_start", s->arena) : v->modelica);
    if (x) return add_value(s, e, v, x);
    double value = v->start ? v->start[0] : 0;
    if (v->type == RB_FMI_ENUMERATION)
        return rb_text_printf(s->out, "%s.%s(%.0f)", e->class,
                              e->fmi->enumerations.data[v->enumeration].modelica,
                              rb_fmi_to_modelica(e->fmi, v, value)),
               RB_OK;
    if (v->type == RB_FMI_BOOLEAN) return rb_text_add(s->out, value != 0 ? "true" : "false"), RB_OK;
    return rb_text_add_double(s->out, value), RB_OK;
}

static RbStatus declare_fmu(System *y, Element *e) {
    Structure *s = y->file;
    const char *how = rb_xml_attribute(e->from, "implementation");
    RbFmiClass class = {.name = e->class, .file = e->fmi->path};
    class.cosimulation = is(how, "CoSimulation") || !e->fmi->exchange.identifier;
    const RbFmiKind *kind = class.cosimulation ? &e->fmi->cosimulation : &e->fmi->exchange;
    int count = 0;
    if (!kind->identifier || (is(how, "ModelExchange") && class.cosimulation))
        return REFUSE(s, e->from, "the FMU of '%s' is not for %s", e->name, how);
    rb_fmi_write_class(e->fmi, &class, s->out);
    rb_text_printf(s->out, "  %s %s", e->class, e->modelica);
    for (int i = 0; i < e->fmi->variables.count; i++)
        RB_TRY(modify(y, e, &e->fmi->variables.data[i], &count));
    rb_text_add(s->out, count > 0 ? ");\n" : ";\n");
    warn_of_unused(s, &e->settings, e->name);
    return RB_OK;
}

static RbStatus read_element(System *y, RbXml *from) {
    Structure *s = y->file;
    Element e = {.from = from};
    const char *source;
    RB_TRY(rb_xml_needed(from, "name", &e.name, s->diag));
    e.modelica = rb_fmi_identifier(e.name, "", s->arena);
    e.class = rb_fmi_identifier(e.name, "_class", s->arena);
    RB_TRY(read_bindings(s, from, &e.settings));
    hand_down(s, &y->settings, e.name, &e.settings);
    if (rb_xml_is(from, "Component")) {
        RB_TRY(rb_xml_needed(from, "source", &source, s->diag));
        if (!rb_text_ends_with(source, ".fmu"))
            return REFUSE(s, from, "'%s' is '%.80s', and only FMUs are read", e.name, source);
        RB_TRY(rb_fmi_open(path_of(s, source), s->arena, s->diag, &e.fmi));
    }
    rb_array_push(&y->elements, s->arena, e);
    return RB_OK;
}

static RbStatus read_parts(System *y) {
    RbXml *elements = rb_xml_child_called(y->from, "Elements"),
          *connections = rb_xml_child_called(y->from, "Connections");
    for (RbXml *e = elements ? rb_xml_child(elements, NULL) : NULL; e; e = e->next) {
        if (rb_xml_is(e, "Component") || rb_xml_is(e, "System"))
            RB_TRY(read_element(y, e));
        else if (!rb_xml_is(e, "Annotations"))
            return REFUSE(y->file, e, "<%s> is not read; systems consist of components and systems",
                          e->name);
    }
    for (RbXml *e = rb_xml_child_called(connections, "Connection"); e;
         e = next_called(e, "Connection"))
        RB_TRY(read_connection(y, e));
    return RB_OK;
}

// ----------------------------------------------------------------------------------------------------
// systems

static const char *const types[][2] = {
    {"Real", "Real"},      {"Float64", "Real"},   {"Float32", "Real"},   {"Integer", "Integer"},
    {"Int32", "Integer"},  {"Int64", "Integer"},  {"Int16", "Integer"},  {"Int8", "Integer"},
    {"UInt32", "Integer"}, {"UInt64", "Integer"}, {"UInt16", "Integer"}, {"UInt8", "Integer"},
    {"Boolean", "Boolean"}};

static RbStatus declare_connector(System *y, RbXml *c) {
    Structure *s = y->file;
    const char *name, *kind, *type = NULL;
    RB_TRY(rb_xml_needed(c, "name", &name, s->diag));
    RB_TRY(rb_xml_needed(c, "kind", &kind, s->diag));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (rb_xml_child_called(c, types[i][0])) type = types[i][1];
    const Setting *x = setting_of(&y->settings, name);
    if (!type)
        return REFUSE(s, c, "the connector '%s' of a system must be Real, Integer or Boolean",
                      name);
    const char *modelica = rb_fmi_identifier(name, "", s->arena);
    if (is(kind, "parameter"))
        rb_text_printf(s->out, "  parameter %s %s = %s;\n", type, modelica,
                       x                     ? x->value
                       : is(type, "Boolean") ? "false"
                                             : "0");
    else if (is(kind, "input") || is(kind, "output"))
        rb_text_printf(s->out, "  Rattleback.Blocks.Interfaces.%s%s %s", type,
                       is(kind, "input") ? "Input" : "Output", modelica);
    else
        return REFUSE(
            s, c, "'%s' is of kind '%.40s'; connectors of systems are input, output or parameter",
            name, kind);
    if (x && is(kind, "input")) rb_text_printf(s->out, "(start = %s)", x->value);
    if (!is(kind, "parameter")) rb_text_add(s->out, ";\n");
    return RB_OK;
}

static RbStatus write_system(System *y, const char *class, RbXml *experiment, int depth);

static RbStatus declare_system(System *y, Element *e, int depth) {
    Structure *s = y->file;
    System inner = {.file = s, .from = e->from, .settings = e->settings};
    int count = 0;
    RB_TRY(write_system(&inner, e->class, NULL, depth + 1));
    rb_text_printf(s->out, "  %s %s", e->class, e->modelica);
    for (int i = 0; i < y->connections.count; i++) {
        const Connection *c = &y->connections.data[i];
        if (c->to.element != e || !c->to.is_parameter) continue;
        begin_modifier(s, &count, strrchr(c->to.text, '.') + 1);
        add_source(s, c);
    }
    rb_text_add(s->out, count > 0 ? ");\n" : ";\n");
    return RB_OK;
}

static RbStatus write_experiment(Structure *s, RbXml *e) {
    static const char *const names[][2] = {{"startTime", "StartTime"}, {"stopTime", "StopTime"}};
    const char *before = "  annotation(experiment(";
    for (int i = 0; e && i < 2; i++) {
        double value = NAN;
        RB_TRY(rb_xml_number(e, names[i][0], &value, s->diag));
        if (!isfinite(value)) continue;
        rb_text_printf(s->out, "%s%s = ", before, names[i][1]);
        rb_text_add_double(s->out, value);
        before = ", ";
    }
    if (before[0] == ',') rb_text_add(s->out, "));\n");
    return RB_OK;
}

static RbStatus write_system(System *y, const char *class, RbXml *experiment, int depth) {
    Structure *s = y->file;
    const char *name = rb_xml_attribute(y->from, "name");
    RbXml *connectors = rb_xml_child_called(y->from, "Connectors");
    if (depth > DEEPEST) return REFUSE(s, y->from, "systems are nested more than %d deep", DEEPEST);
    RB_TRY(read_parts(y));
    rb_text_printf(s->out, "model %s ", class);
    add_string(s->out, rb_arena_join(s->arena, "The system ", name ? name : "", ""));
    rb_text_add(s->out, "\n");
    for (RbXml *c = rb_xml_child_called(connectors, "Connector"); c;
         c = next_called(c, "Connector"))
        RB_TRY(declare_connector(y, c));
    for (int i = 0; i < y->elements.count; i++) {
        Element *e = &y->elements.data[i];
        RB_TRY(e->fmi ? declare_fmu(y, e) : declare_system(y, e, depth));
    }
    warn_of_unused(s, &y->settings, name ? name : "the system");
    rb_text_add(s->out, "equation\n");
    write_connections(y);
    RB_TRY(write_experiment(s, experiment));
    rb_text_printf(s->out, "end %s;\n", class);
    return RB_OK;
}

static const char *class_of(const Structure *s, RbXml *system) {
    const char *name = rb_xml_attribute(system, "name");
    char *out = rb_arena_text(s->arena, name && *name ? name : "System");
    for (char *c = out; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", *c))
            *c = '_';
    return out[0] >= '0' && out[0] <= '9' ? rb_arena_join(s->arena, "System_", out, "") : out;
}

static RbStatus write_file(Structure *s, const char *path, RbBytes bytes) {
    RbXml *root;
    RB_TRY(rb_xml_read(path, bytes, s->arena, s->diag, &root));
    System y = {.file = s, .from = rb_xml_child_called(root, "System")};
    if (!rb_xml_is(root, "SystemStructureDescription") || !y.from)
        return REFUSE(s, root,
                      "this is no system structure of SSP: '<ssd:SystemStructureDescription>' with "
                      "'<ssd:System>' is missing");
    RB_TRY(read_bindings(s, y.from, &y.settings));
    return write_system(&y, class_of(s, y.from), rb_xml_child_called(root, "DefaultExperiment"), 0);
}

static RbStatus unpack(Structure *s, const char *path, RbBytes bytes) {
    RbUnzip zip;
    RbUnpacked *to;
    RB_TRY(rb_unzip(path, (RbBlob){bytes.data, bytes.size}, s->arena, s->diag, &zip));
    if (!rb_unzip_find(&zip, "SystemStructure.ssd"))
        return rb_fail(s->diag, RB_ERROR_MODEL, rb_in_file(path),
                       "there is no SystemStructure.ssd in this archive");
    RB_TRY(rb_unpacked(&zip, "system", s->arena, s->diag, &to));
    RbArena *scratch = rb_arena_child(s->arena);
    for (int i = 0; i < zip.count; i++)
        RB_TRY(rb_unpack(to, &zip, &zip.files[i], scratch, s->diag));
    rb_arena_free(scratch);
    s->folder = to->folder;
    const char *file = rb_arena_join(s->arena, to->folder, "SystemStructure.ssd", "");
    RB_TRY(rb_file_read(file, 0, s->arena, s->diag, &bytes));
    return write_file(s, file, bytes);
}

RbStatus rb_system_structure_parse(const char *path, RbBytes bytes, RbArena *arena, RbDiag *diag,
                                   const char **text) {
    RbText out = rb_text(arena);
    char *whole = realpath(path, NULL);
    const char *known = rb_arena_text(arena, whole ? whole : path), *slash = strrchr(known, '/');
    Structure s = {.path = path, .arena = arena, .diag = diag, .out = &out};
    free(whole);
    s.folder = slash ? rb_arena_bytes(arena, known, (size_t)(slash + 1 - known)) : "";
    RB_TRY(rb_text_ends_with(path, ".ssp") ? unpack(&s, path, bytes) : write_file(&s, path, bytes));
    *text = out.data;
    return RB_OK;
}

RbStatus rb_system_structure_text(const char *path, RbArena *arena, RbDiag *diag,
                                  const char **text) {
    RbBytes bytes;
    RB_TRY(rb_file_read(path, 0, arena, diag, &bytes));
    return rb_system_structure_parse(path, bytes, arena, diag, text);
}

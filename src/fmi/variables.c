// SPDX-License-Identifier: MIT
// Variables, enumerations and model structure of modelDescription.xml.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/number.h"
#include "fmi/fmi.h"
#include "syntax/lex.h"

enum { MOST_ELEMENTS = 1 << 20 };

// ORDER RbFmiType; the names of FMI 2 and FMI 3
static const char *const types[RB_FMI_TYPES][2] = {
    {"Real", "Float64"},  {"", "Float32"}, {"", "Int8"},           {"", "UInt8"},
    {"", "Int16"},        {"", "UInt16"},  {"Integer", "Int32"},   {"", "UInt32"},
    {"", "Int64"},        {"", "UInt64"},  {"Boolean", "Boolean"}, {"Enumeration", "Enumeration"},
    {"String", "String"}, {"", "Binary"},  {"", "Clock"}};

// ORDER RbFmiCausality
static const char *const causalities[] = {
    "local", "parameter", "calculatedParameter", "structuralParameter",
    "input", "output",    "independent"};
// ORDER RbFmiVariability
static const char *const variabilities[] = {"constant", "fixed", "tunable", "discrete",
                                            "continuous"};

typedef struct Reader {
    RbFmi *f;
    RbXml *definitions;
    RbNames names;
    RbMap by_reference, by_name; // variable; enumeration by its interned name
    RbDiag *diag;
    long elements;
} Reader;

static const char *text_of(RbXml *e, const char *name) {
    const char *value = rb_xml_attribute(e, name);
    return value ? value : "";
}

static int find(const char *const *list, int count, const char *text) {
    for (int i = 0; i < count; i++)
        if (strcmp(list[i], text) == 0) return i;
    return RB_NONE;
}

static int type_of(const char *element, int version) {
    for (int i = 0; i < RB_FMI_TYPES; i++)
        if (element[0] && strcmp(types[i][version - 2], element) == 0) return i;
    return RB_NONE;
}

static RbStatus whole(RbXml *e, const char *name, double least, double most, double *out,
                      RbDiag *diag) {
    const char *text;
    RB_TRY(rb_xml_needed(e, name, &text, diag));
    RB_TRY(rb_xml_number(e, name, out, diag));
    if (*out >= least && *out <= most && *out == rint(*out)) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, e->at,
                   "%s of <%s> is '%.40s'; it must be a whole number from %.0f to %.0f", name,
                   e->name, text, least, most);
}

// --- types ---------------------------------------------------------------------------------------

static RbStatus read_enumeration(Reader *r, RbXml *items, const char *name) {
    RbArena *arena = r->f->arena;
    RbFmiEnumeration e = {.name = name, .modelica = rb_fmi_identifier(name, "", arena)};
    for (RbXml *i = rb_xml_child(items, "Item"); i; i = rb_xml_next(i)) e.count++;
    e.items = rb_new_array(arena, const char *, e.count + 1);
    e.descriptions = rb_new_array(arena, const char *, e.count + 1);
    e.values = rb_new_array(arena, double, e.count + 1);
    int k = 0;
    for (RbXml *i = rb_xml_child(items, "Item"); i; i = rb_xml_next(i), k++) {
        RB_TRY(rb_xml_needed(i, "name", &e.items[k], r->diag));
        RB_TRY(whole(i, "value", -9e15, 9e15, &e.values[k], r->diag));
        e.descriptions[k] = text_of(i, "description");
    }
    rb_map_set(&r->by_name, arena, rb_map_key(rb_intern(&r->names, name)),
               (uint64_t)r->f->enumerations.count);
    rb_array_push(&r->f->enumerations, arena, e);
    return RB_OK;
}

static RbStatus read_types(Reader *r) {
    for (RbXml *e = rb_xml_child(r->definitions, NULL); e; e = e->next) {
        RbXml *items = strcmp(e->name, "EnumerationType") == 0 ? e : rb_xml_child(e, "Enumeration");
        if (items) RB_TRY(read_enumeration(r, items, text_of(e, "name")));
    }
    return RB_OK;
}

// An attribute of the variable, or of the type that it names.
static RbXml *declared_type(const Reader *r, const char *name) {
    for (RbXml *e = rb_xml_child(r->definitions, NULL); name[0] && e; e = e->next) {
        if (strcmp(text_of(e, "name"), name) != 0) continue;
        return strcmp(e->name, "SimpleType") == 0 ? rb_xml_child(e, NULL) : e;
    }
    return NULL;
}

static RbXml *holder(RbXml *e, RbXml *type, const char *attribute) {
    return rb_xml_attribute(e, attribute) ? e : type;
}

// --- one variable --------------------------------------------------------------------------------

// Where a number may be infinite: "INF", "-INF".
static bool parse_value(const char *text, size_t length, RbFmiType type, double *out) {
    if (type == RB_FMI_BOOLEAN) {
        bool is_true =
            (length == 4 && strncmp(text, "true", 4) == 0) || (length == 1 && *text == '1');
        *out = is_true;
        return is_true || (length == 5 && strncmp(text, "false", 5) == 0) ||
               (length == 1 && *text == '0');
    }
    return rb_number_parse(text, text + length, out);
}

// FMI 2: an attribute; FMI 3: elements <Start value="..."/>, of which a scalar has one.
static void read_text(RbXml *e, RbFmiVariable *v) {
    RbXml *start = rb_xml_child(e, "Start");
    v->text = start ? rb_xml_attribute(start, "value") : rb_xml_attribute(e, "start");
}

static RbStatus read_start(Reader *r, RbXml *e, RbFmiVariable *v) {
    if (v->type == RB_FMI_STRING) read_text(e, v);
    const char *text = rb_xml_attribute(e, "start"), *at = text;
    if (!text || v->type >= RB_FMI_NUMBERS) return RB_OK;
    v->start = rb_new_array(r->f->arena, double, v->size + 1);
    int count = 0;
    for (at += strspn(at, " \t\r\n"); *at; at += strspn(at, " \t\r\n"), count++) {
        size_t length = strcspn(at, " \t\r\n");
        if (count >= v->size || !parse_value(at, length, v->type, &v->start[count]))
            return rb_fail(r->diag, RB_ERROR_MODEL, e->at,
                           "the start value '%.60s' of '%.60s' is not %s", text, v->name,
                           v->size == 1 ? "a value of its type" : "a list of so many values");
        at += length;
    }
    if (count == 1) // for all elements
        for (int i = 1; i < v->size; i++) v->start[i] = v->start[0];
    if (count == 1 || count == v->size) return RB_OK;
    return rb_fail(r->diag, RB_ERROR_MODEL, e->at, "'%.60s' has %d start values for %d elements",
                   v->name, count, v->size);
}

static RbStatus read_dimension(Reader *r, RbXml *e, RbFmiVariable *v) {
    double size = 0;
    if (rb_xml_attribute(e, "start")) {
        RB_TRY(whole(e, "start", 0, MOST_ELEMENTS, &size, r->diag));
    } else {
        double reference;
        RB_TRY(whole(e, "valueReference", 0, UINT32_MAX, &reference, r->diag));
        const uint64_t *found = rb_map_find(&r->by_reference, (uint64_t)reference + 1);
        const RbFmiVariable *of = found ? &r->f->variables.data[*found] : NULL;
        if (!of || of->causality != RB_FMI_STRUCTURAL || !of->start)
            return rb_fail(r->diag, RB_ERROR_MODEL, e->at,
                           "the size of '%.60s' is the variable with reference %.0f, which is no "
                           "structural parameter before it",
                           v->name, reference);
        size = of->start[0];
    }
    if (v->rank == RB_FMI_RANK)
        return rb_fail(r->diag, RB_ERROR_MODEL, e->at,
                       "'%.60s' has more than %d dimensions, which is not supported", v->name,
                       RB_FMI_RANK);
    if (!(size >= 0) || size * v->size > MOST_ELEMENTS)
        return rb_fail(r->diag, RB_ERROR_MODEL, e->at, "'%.60s' has more than %d elements", v->name,
                       MOST_ELEMENTS);
    v->dims[v->rank++] = (int)size;
    v->size *= (int)size;
    return RB_OK;
}

static void read_limits(RbXml *e, RbXml *type, RbFmiVariable *v) {
    v->min = v->max = NAN;
    if (v->type >= RB_FMI_BOOLEAN) return;
    const char *low = rb_xml_attribute(holder(e, type, "min"), "min"),
               *high = rb_xml_attribute(holder(e, type, "max"), "max");
    double value;
    if (low && rb_number_parse(low, low + strlen(low), &value)) v->min = value;
    if (high && rb_number_parse(high, high + strlen(high), &value)) v->max = value;
}

static bool is_keyword(const char *name) {
#define X(token, text) text,
    static const char *const words[] = {RB_KEYWORDS(X)};
#undef X
    return find(words, sizeof words / sizeof *words, name) >= 0;
}

const char *rb_fmi_identifier(const char *name, const char *behind, RbArena *arena) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    name = rb_arena_join(arena, name, behind, "");
    bool plain =
        name[0] && strspn(name, letters) == strlen(name) && !(name[0] >= '0' && name[0] <= '9');
    if (plain && !is_keyword(name) && strcmp(name, "time") != 0) return name;
    RbText text = rb_text(arena);
    rb_text_add(&text, "'");
    for (const char *c = name; *c; c++) {
        if (*c == '\'' || *c == '\\') rb_text_add(&text, "\\");
        rb_text_add_bytes(&text, (unsigned char)*c < ' ' ? " " : c, 1);
    }
    rb_text_add(&text, "'");
    return text.data;
}

static RbStatus read_words(RbXml *outer, RbFmiVariable *v, RbDiag *diag) {
    const char *causality = rb_xml_attribute(outer, "causality"),
               *variability = rb_xml_attribute(outer, "variability");
    int c = causality ? find(causalities, sizeof causalities / sizeof *causalities, causality)
                      : RB_FMI_LOCAL;
    bool parameter = c == RB_FMI_PARAMETER || c == RB_FMI_CALCULATED || c == RB_FMI_STRUCTURAL;
    int w = parameter                   ? RB_FMI_FIXED
            : v->type <= RB_FMI_FLOAT32 ? RB_FMI_CONTINUOUS
                                        : RB_FMI_DISCRETE;
    if (variability)
        w = find(variabilities, sizeof variabilities / sizeof *variabilities, variability);
    if (c < 0 || w < 0)
        return rb_fail(diag, RB_ERROR_MODEL, outer->at,
                       "'%.60s' has the %s '%.40s', which FMI does not have", v->name,
                       c < 0 ? "causality" : "variability", c < 0 ? causality : variability);
    v->causality = (RbFmiCausality)c;
    v->variability = (RbFmiVariability)w;
    v->exact = strcmp(text_of(outer, "initial"), "exact") == 0;
    return RB_OK;
}

// FMI 2: <ScalarVariable ...><Real .../></ScalarVariable>; FMI 3: <Float64 .../>
static RbStatus read_variable(Reader *r, RbXml *outer) {
    RbFmi *f = r->f;
    RbXml *e = f->version == 2 ? rb_xml_child(outer, NULL) : outer;
    while (e && f->version == 2 && type_of(e->name, 2) < 0) e = e->next;
    double reference;
    RbFmiVariable v = {
        .size = 1, .derivative_of = RB_NONE, .enumeration = RB_NONE, .at = outer->at};
    RB_TRY(rb_xml_needed(outer, "name", &v.name, r->diag));
    int type = e ? type_of(e->name, f->version) : RB_NONE;
    if (type < 0)
        return rb_fail(r->diag, RB_ERROR_MODEL, outer->at, "the type of '%.60s' is none of FMI %d",
                       v.name, f->version);
    v.type = (RbFmiType)type;
    RB_TRY(whole(outer, "valueReference", 0, UINT32_MAX, &reference, r->diag));
    v.reference = (uint32_t)reference;
    RB_TRY(read_words(outer, &v, r->diag));
    v.description = text_of(outer, "description");
    const char *declared = text_of(e, "declaredType");
    RbXml *named = declared_type(r, declared);
    v.unit = text_of(holder(e, named, "unit"), "unit");
    if (v.type == RB_FMI_ENUMERATION) {
        const uint64_t *found =
            rb_map_find(&r->by_name, rb_map_key(rb_intern(&r->names, declared)));
        if (!found)
            return rb_fail(r->diag, RB_ERROR_MODEL, e->at,
                           "the declaredType '%.60s' of '%.60s' is no enumeration of the FMU",
                           declared, v.name);
        v.enumeration = (int)*found;
    }
    read_limits(e, named, &v);
    for (RbXml *d = rb_xml_child(outer, "Dimension"); d; d = rb_xml_next(d))
        RB_TRY(read_dimension(r, d, &v));
    r->elements += v.size;
    if (r->elements > MOST_ELEMENTS)
        return rb_fail(r->diag, RB_ERROR_MODEL, outer->at, "the FMU has more than %d variables",
                       MOST_ELEMENTS);
    RB_TRY(read_start(r, e, &v));
    if (rb_xml_attribute(e, "derivative")) {
        double of; // an index from 1 in FMI 2, a reference in FMI 3
        RB_TRY(whole(e, "derivative", 0, UINT32_MAX, &of, r->diag));
        v.derivative_of = of < INT32_MAX ? (int)of : RB_NONE;
    }
    v.modelica = rb_fmi_identifier(v.name, "", f->arena);
    if (!rb_map_find(&r->by_reference, (uint64_t)v.reference + 1) || f->version == 3)
        rb_map_set(&r->by_reference, f->arena, (uint64_t)v.reference + 1,
                   (uint64_t)f->variables.count);
    rb_array_push(&f->variables, f->arena, v);
    return RB_OK;
}

static int by_reference(const Reader *r, double reference) {
    const uint64_t *found = rb_map_find(&r->by_reference, (uint64_t)reference + 1);
    return found ? (int)*found : RB_NONE;
}

static RbStatus link_derivatives(Reader *r) {
    RbFmi *f = r->f;
    for (int i = 0; i < f->variables.count; i++) {
        RbFmiVariable *v = &f->variables.data[i];
        if (v->derivative_of == RB_NONE) continue;
        int of = f->version == 2 ? v->derivative_of - 1 : by_reference(r, v->derivative_of);
        if (of < 0 || of >= f->variables.count || f->variables.data[of].size != v->size)
            return rb_fail(r->diag, RB_ERROR_MODEL, v->at,
                           "'%.60s' is the derivative of a variable that does not exist, or is of "
                           "another size",
                           v->name);
        v->derivative_of = of;
    }
    return RB_OK;
}

static RbStatus check_names(Reader *r) {
    RbFmi *f = r->f;
    RbMap names = {0};
    for (int i = 0; i < f->variables.count; i++) {
        const RbFmiVariable *v = &f->variables.data[i];
        uint64_t key = rb_map_key(rb_intern(&r->names, v->name));
        if (rb_map_find(&names, key))
            return rb_fail(r->diag, RB_ERROR_MODEL, v->at, "there are two variables named '%.60s'",
                           v->name);
        rb_map_set(&names, f->arena, key, 1);
    }
    return RB_OK;
}

RbStatus rb_fmi_read_variables(RbFmi *f, RbXml *root, RbDiag *diag) {
    Reader r = {.f = f,
                .definitions = rb_xml_child(root, "TypeDefinitions"),
                .names = rb_names(f->arena),
                .diag = diag};
    RB_TRY(read_types(&r));
    RbXml *all = rb_xml_child(root, "ModelVariables");
    for (RbXml *e = rb_xml_child(all, NULL); e; e = e->next) RB_TRY(read_variable(&r, e));
    RB_TRY(check_names(&r));
    return link_derivatives(&r);
}

// --- structure -----------------------------------------------------------------------------------

typedef struct Structure {
    RbFmi *f;
    RbMap by_reference;
    RbDiag *diag;
} Structure;

// The variable of an index (FMI 2) or a reference (FMI 3).
static int variable_of(const Structure *s, double number) {
    const RbFmi *f = s->f;
    if (f->version == 2)
        return number >= 1 && number <= f->variables.count ? (int)number - 1 : RB_NONE;
    const uint64_t *found = rb_map_find(&s->by_reference, (uint64_t)number + 1);
    return found ? (int)*found : RB_NONE;
}

static RbStatus read_dependencies(const Structure *s, RbXml *e, RbFmiUnknown *u) {
    const char *text = rb_xml_attribute(e, "dependencies"), *at = text;
    u->all = !text;
    if (!text) return RB_OK;
    u->on = rb_new_array(s->f->arena, int, strlen(text) / 2 + 1);
    for (at += strspn(at, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
        size_t length = strcspn(at, " \t\r\n");
        double number;
        bool good =
            rb_number_parse(at, at + length, &number) && number >= 0 && number <= UINT32_MAX;
        int v = good ? variable_of(s, number) : RB_NONE;
        if (v < 0)
            return rb_fail(s->diag, RB_ERROR_MODEL, e->at,
                           "the dependency '%.*s' of <%s> is no variable of the FMU",
                           length > 40 ? 40 : (int)length, at, e->name);
        u->on[u->count++] = v;
        at += length;
    }
    return RB_OK;
}

static RbStatus read_unknowns(const Structure *s, RbXml *first, RbFmiUnknowns *out) {
    for (RbXml *e = first; e; e = rb_xml_next(e)) {
        double number;
        RbFmiUnknown u = {0};
        RB_TRY(whole(e, s->f->version == 2 ? "index" : "valueReference", 0, UINT32_MAX, &number,
                     s->diag));
        u.variable = variable_of(s, number);
        if (u.variable < 0)
            return rb_fail(s->diag, RB_ERROR_MODEL, e->at,
                           "the variable %.0f of <%s> does not exist", number, e->name);
        RB_TRY(read_dependencies(s, e, &u));
        rb_array_push(out, s->f->arena, u);
    }
    return RB_OK;
}

RbStatus rb_fmi_read_structure(RbFmi *f, RbXml *root, RbDiag *diag) {
    Structure s = {.f = f, .diag = diag};
    for (int i = 0; i < f->variables.count; i++)
        rb_map_set(&s.by_reference, f->arena, (uint64_t)f->variables.data[i].reference + 1,
                   (uint64_t)i);
    RbXml *e = rb_xml_child(root, "ModelStructure");
    RbXml *outputs = rb_xml_child(e, "Output"),
          *derivatives = rb_xml_child(e, "ContinuousStateDerivative");
    if (f->version == 2) {
        outputs = rb_xml_child(rb_xml_child(e, "Outputs"), "Unknown");
        derivatives = rb_xml_child(rb_xml_child(e, "Derivatives"), "Unknown");
    }
    RB_TRY(read_unknowns(&s, outputs, &f->outputs));
    RB_TRY(read_unknowns(&s, derivatives, &f->derivatives));
    for (int i = 0; i < f->derivatives.count; i++) {
        RbFmiVariable *d = &f->variables.data[f->derivatives.data[i].variable];
        if (d->derivative_of == RB_NONE)
            return rb_fail(diag, RB_ERROR_MODEL, d->at,
                           "the structure of the model calls '%.60s' the derivative of a state, "
                           "but the variable does not say of which",
                           d->name);
        f->variables.data[d->derivative_of].is_state = true;
    }
    return RB_OK;
}

// --- what they are in Modelica -------------------------------------------------------------------

bool rb_fmi_is_input(const RbFmiVariable *v) {
    return v->causality == RB_FMI_INPUT && v->type < RB_FMI_NUMBERS;
}

bool rb_fmi_is_output(const RbFmiVariable *v) {
    return v->causality == RB_FMI_OUTPUT && v->type < RB_FMI_NUMBERS;
}

bool rb_fmi_is_parameter(const RbFmiVariable *v) {
    return v->causality == RB_FMI_PARAMETER && v->variability != RB_FMI_CONSTANT &&
           v->type < RB_FMI_NUMBERS && v->start;
}

bool rb_fmi_is_text(const RbFmiVariable *v) {
    return v->causality == RB_FMI_PARAMETER && v->variability != RB_FMI_CONSTANT &&
           v->type == RB_FMI_STRING && v->rank == 0 && v->text;
}

bool rb_fmi_has_start_parameter(const RbFmiVariable *v) {
    bool moves = v->is_state || (rb_fmi_is_real(v) && v->variability == RB_FMI_CONTINUOUS);
    return moves && v->exact && v->start &&
           (v->causality == RB_FMI_LOCAL || v->causality == RB_FMI_OUTPUT);
}

const char *rb_fmi_element(const RbFmiVariable *v, const char *name, int element, RbArena *arena) {
    if (v->rank == 0) return name;
    if (v->rank == 1) return rb_arena_printf(arena, "%s[%d]", name, element + 1);
    return rb_arena_printf(arena, "%s[%d,%d]", name, element / v->dims[1] + 1,
                           element % v->dims[1] + 1);
}

double rb_fmi_to_modelica(const RbFmi *f, const RbFmiVariable *v, double value) {
    if (v->enumeration == RB_NONE) return value;
    const RbFmiEnumeration *e = &f->enumerations.data[v->enumeration];
    for (int i = 0; i < e->count; i++)
        if (e->values[i] == value) return i + 1;
    return 1;
}

double rb_fmi_from_modelica(const RbFmi *f, const RbFmiVariable *v, double value) {
    if (v->enumeration == RB_NONE) return value;
    const RbFmiEnumeration *e = &f->enumerations.data[v->enumeration];
    int i = (int)value - 1;
    return i >= 0 && i < e->count ? e->values[i] : value;
}

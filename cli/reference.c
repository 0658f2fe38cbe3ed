// SPDX-License-Identifier: MIT
// Facts of the reference as JSON: what the program knows of its own commands, and what the library that
// is built in declares. docs/site makes pages of them.
#include "cli.h"

typedef struct Field {
    const char *name, *value;
} Field;

// "name": "value", ... between braces that stay open.
static void add_fields(Text *out, const Field *fields, int count) {
    text_add(out, "{");
    for (int i = 0; i < count; i++) {
        text_printf(out, "%s\"%s\": ", i > 0 ? ", " : "", fields[i].name);
        text_add_json(out, fields[i].value ? fields[i].value : "");
    }
}

static void add_command(const Command *c, Text *out) {
    const Field fields[] = {
        {"name", c->name}, {"arguments", c->arguments}, {"summary", c->summary}, {"text", c->text}};
    add_fields(out, fields, 4);
    text_add(out, ", \"options\": [");
    for (const Option *o = c->options; o->name; o++) {
        const Field option[] = {{"name", o->name}, {"argument", o->argument}, {"help", o->help}};
        text_add(out, o > c->options ? ", " : "");
        add_fields(out, option, 3);
        text_add(out, "}");
    }
    text_add(out, "], \"examples\": [");
    cli_print_examples(c->name, out);
    text_add(out, "]}");
}

static RbStatus add_class(Cli *cli, const char *name, Text *out) {
    static const char *const kinds[] = {"parameter", "constant", "input",   "output",
                                        "connector", "outer",    "literal", "variable"};
    // ORDER RbModelicaElementKind
    RbModelica source = rb_modelica_default();
    RbModelicaDeclared d;
    source.class_name = name;
    TRY(rb_modelica_declared(cli->context, &source, &d));
    const Field fields[] = {{"name", d.name}, {"kind", d.kind}, {"description", d.description}};
    add_fields(out, fields, 3);
    text_add(out, ", \"elements\": [");
    for (int i = 0; i < d.count; i++) {
        const RbModelicaElement *e = &d.elements[i];
        const Field element[] = {{"kind", kinds[e->kind]},   {"type", e->type},
                                 {"name", e->name},          {"value", e->value},
                                 {"unit", e->unit},          {"description", e->description},
                                 {"condition", e->condition}};
        text_add(out, i > 0 ? ", " : "");
        add_fields(out, element, 7);
        text_add(out, "}");
    }
    text_add(out, "]}");
    return RB_OK;
}

RbStatus cli_print_reference(Cli *cli, Text *out) {
    RbModelica source = rb_modelica_default();
    RbModelicaPackage package;
    source.class_name = "Rattleback";
    TRY(rb_modelica_package(cli->context, &source, &package));
    text_add(out, "{\"commands\": [");
    for (const Command *c = commands; c->name; c++) {
        text_add(out, c > commands ? ",\n" : "\n");
        add_command(c, out);
    }
    text_add(out, "],\n\"classes\": [");
    for (int i = 0; i < package.count; i++) {
        text_add(out, i > 0 ? ",\n" : "\n");
        TRY(add_class(cli, package.classes[i].name, out));
    }
    text_add(out, "],\n");
    cli_print_surroundings(out);
    text_add(out, "}\n");
    return RB_OK;
}

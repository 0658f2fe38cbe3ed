// SPDX-License-Identifier: MIT
// What there is in Modelica: the classes of the library that is compiled in or of a package of the
// user; of a class that is used in models what it declares; of a model its experiment, the parameters
// and inputs that can be set, the states with their start values, and which contacts its bodies get.
#include <stdio.h>
#include <string.h>

#include "open_model.h"

// -------------------------------------------------------------------------------------------------
// packages

// All names, a paragraph for each package.
static void print_names(const RbModelicaPackage *package) {
    enum { INDENT = 40, WIDTH = 100 };
    const char *before = NULL;
    size_t before_length = 0;
    int column = 0;
    for (int i = 0; i < package->count; i++) {
        const char *full = package->classes[i].name, *dot = strrchr(full, '.');
        const char *name = dot ? dot + 1 : full;
        size_t length = dot ? (size_t)(dot - full) : 0;
        bool same = before && length == before_length && strncmp(before, full, length) == 0;
        if (same)
            column += printf(",");
        else
            column = printf("%s  %-*.*s", before ? "\n" : "", INDENT - 2, (int)length, full);
        if (column + (int)strlen(name) > WIDTH) column = printf("\n%*s", INDENT, "") - 1;
        column += printf(" %s", name);
        before = full;
        before_length = length;
    }
}

RbStatus print_library(Cli *cli) {
    static const char built_in[] = "Rattleback";
    RbModelica source = rb_modelica_default();
    RbModelicaPackage package;
    source.class_name = built_in;
    TRY(rb_modelica_package(cli->context, &source, &package));
    printf("\nModelica classes (rattleback info %s describes them):\n", built_in);
    print_names(&package);
    printf("\n");
    return RB_OK;
}

static void print_package(const RbModelicaPackage *package) {
    printf("%s is a package:\n", package->name);
    for (int i = 0; i < package->count; i++)
        printf("  %-48s %s\n", package->classes[i].name, package->classes[i].description);
}

// -------------------------------------------------------------------------------------------------
// classes that are used in models

static void print_elements(const RbModelicaDeclared *declared, RbModelicaElementKind kind,
                           const char *title) {
    bool any = false;
    for (int i = 0; i < declared->count; i++) {
        const RbModelicaElement *e = &declared->elements[i];
        if (e->kind != kind) continue;
        if (!any) printf("\n%s:\n", title);
        any = true;
        printf("  %-24s %-24s %s %-14s %-8s %s%s%s%s\n", e->type, e->name, e->value[0] ? "=" : " ",
               e->value, e->unit, e->description, e->condition[0] ? " (if " : "", e->condition,
               e->condition[0] ? ")" : "");
    }
}

static void print_declared(const RbModelicaDeclared *o) {
    printf("%s %s%s%s\n", o->kind, o->name, o->description[0] ? ": " : "", o->description);
    print_elements(o, RB_ELEMENT_PARAMETER, "Parameters");
    print_elements(o, RB_ELEMENT_INPUT, "Inputs");
    print_elements(o, RB_ELEMENT_OUTPUT, "Outputs");
    print_elements(o, RB_ELEMENT_CONNECTOR, "Connectors");
    print_elements(o, RB_ELEMENT_OUTER, "Needed around it");
    print_elements(o, RB_ELEMENT_LITERAL, "Literals");
    print_elements(o, RB_ELEMENT_VARIABLE, "Variables and components");
    print_elements(o, RB_ELEMENT_CONSTANT, "Constants");
}

// -------------------------------------------------------------------------------------------------
// models

static void print_list(const RbModelVariable *variables, int count, RbModelKind kind,
                       const char *title) {
    bool any = false;
    for (int i = 0; i < count; i++) {
        const RbModelVariable *v = &variables[i];
        if (v->kind != kind) continue;
        if (!any) printf("\n%s:\n", title);
        any = true;
        printf("  %-24s = %-12s %-8s %s%s\n", v->name, v->value, v->unit, v->description,
               v->structural ? " (decides the structure: change the text)" : "");
    }
}

// The solids of a model are known when it has started.
static RbStatus print_contacts(Cli *cli, RbModel *model) {
    RbSimOptions options = rb_model_options(model);
    const char *text;
    RbRun *run;
    TRY(rb_run_open(cli->context, model, &options, &run));
    RbStatus status = rb_run_contact_kinds(run, &text);
    if (status == RB_OK && text[0]) printf("\n%s", text);
    RbStatus closed = rb_run_close(run, NULL);
    return status != RB_OK ? status : closed;
}

RbStatus print_modelica(Cli *cli) {
    RbModelica source;
    RbModelicaPackage package;
    RbModelicaDeclared declared;
    RbModel *model;
    const RbModelVariable *variables;
    int count;
    TRY(modelica_source(cli, &source));
    TRY(rb_modelica_package(cli->context, &source, &package));
    if (package.is_package) {
        print_package(&package);
        return RB_OK;
    }
    TRY(rb_modelica_declared(cli->context, &source, &declared));
    RbStatus status =
        declared.is_part ? RB_OK : rb_modelica_translate(cli->context, &source, &model);
    if (declared.is_part || status != RB_OK) { // what does not run is shown nevertheless
        print_declared(&declared);
        return status;
    }
    TRY(rb_model_variables(model, &variables, &count));
    RbModelInfo m = rb_model_info(model);
    printf("%s%s%s\n", m.name, m.description[0] ? ": " : "", m.description);
    if (m.stop_time != 0) {
        printf("stop time %g s", m.stop_time);
        if (m.tolerance > 0) printf(", tolerance %g", m.tolerance);
        printf("\n");
    }
    print_list(variables, count, RB_MODEL_PARAMETER, "Parameters (simulate --override NAME=VALUE)");
    print_list(variables, count, RB_MODEL_INPUT, "Inputs (simulate --input-file FILE)");
    print_list(variables, count, RB_MODEL_STATE, "States and where they start");
    return m.bodies ? print_contacts(cli, model) : RB_OK;
}

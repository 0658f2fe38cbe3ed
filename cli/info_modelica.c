// SPDX-License-Identifier: MIT
// What a Modelica model can be asked and told: its experiment, the parameters and inputs that can
// be set, and the states with their start values.
#include <stdio.h>

#include "expr/print.h"
#include "open_model.h"

// "2*p", or a literal of an enumeration.
static const char *text_of(Cli *cli, const RbFlatModel *model, const RbFlatVar *v,
                           const RbExpr *e) {
    if (e && v->type == RB_ENUM && e->op == RB_OP_INTEGER)
        return model->enumerations.data[v->enumeration].literals[e->integer - 1];
    RbText text = rb_text(&cli->arena);
    if (e) rb_expr_print(e, model, NULL, &text);
    return text.count > 0 ? text.data : "";
}

static void print_variable(Cli *cli, const RbFlatModel *model, const RbFlatVar *v,
                           const RbExpr *value) {
    RbText size = rb_text(&cli->arena);
    for (int k = 0; k < v->rank; k++)
        rb_text_printf(&size, "%s%d", k == 0 ? "[" : ", ", v->dims[k]);
    if (v->rank > 0) rb_text_add(&size, "]");
    const char *name = rb_arena_printf(&cli->arena, "%s%s", v->name, size.data ? size.data : "");
    printf("  %-24s = %-12s %-8s %s%s\n", name, text_of(cli, model, v, value),
           v->attributes.unit ? v->attributes.unit : "", v->description ? v->description : "",
           v->is_structural ? " (decides the structure: change the text)" : "");
}

typedef bool Wanted(const RbTranslation *t, int v);

static bool is_parameter(const RbTranslation *t, int v) {
    const RbFlatVar *var = &t->flat->vars.data[v];
    return var->variability == RB_PARAMETER && !var->is_final && !var->is_protected;
}

static bool is_input(const RbTranslation *t, int v) {
    return t->flat->vars.data[v].causality == RB_INPUT;
}

static bool is_state(const RbTranslation *t, int v) {
    return t->dae->vars.data[v].kind == RB_DAE_STATE;
}

static void print_list(Cli *cli, const RbTranslation *t, const char *title, Wanted *wanted,
                       bool show_start) {
    int count = 0;
    for (int v = 0; v < t->flat->vars.count; v++) {
        if (!wanted(t, v)) continue;
        const RbFlatVar *var = &t->flat->vars.data[v];
        if (count++ == 0) printf("\n%s:\n", title);
        print_variable(cli, t->flat, var, show_start ? var->attributes.start : var->binding);
    }
}

RbStatus print_modelica(Cli *cli) {
    RbModelica source;
    bool done = false;
    RB_TRY(print_package(cli, &done));
    if (done) return RB_OK;
    RB_TRY(modelica_source(cli, &source));
    RbModelicaOpener opener = modelica_opener(cli, &source);
    RB_TRY(rb_modelica_run_translation(&opener));
    RbTranslation t = opener.translation;
    const RbFlatModel *m = t.flat;
    printf("%s%s%s\n", m->name, m->description && m->description[0] ? ": " : "",
           m->description ? m->description : "");
    if (m->experiment.given) {
        printf("stop time %g s", m->experiment.stop_time);
        if (m->experiment.tolerance > 0) printf(", tolerance %g", m->experiment.tolerance);
        printf("\n");
    }
    print_list(cli, &t, "Parameters (simulate --override NAME=VALUE)", is_parameter, false);
    print_list(cli, &t, "Inputs (simulate --input-file FILE)", is_input, true);
    print_list(cli, &t, "States and where they start", is_state, true);
    return RB_OK;
}

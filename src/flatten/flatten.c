// SPDX-License-Identifier: MIT
#include "flatten/flatten.h"

#include <string.h>

#include "flatten/frontend.h"
#include "flatten/inst.h"
#include "flatten/unit.h"
#include "classes/uses.h"
#include "classes/walk.h"

static void intern_names(RbFrontEnd *fe) {
    fe->n_time = rb_intern(fe->names, "time");
    fe->n_start = rb_intern(fe->names, "start");
    fe->n_fixed = rb_intern(fe->names, "fixed");
    fe->n_unit = rb_intern(fe->names, "unit");
    fe->n_display_unit = rb_intern(fe->names, "displayUnit");
    fe->n_quantity = rb_intern(fe->names, "quantity");
    fe->n_min = rb_intern(fe->names, "min");
    fe->n_max = rb_intern(fe->names, "max");
    fe->n_nominal = rb_intern(fe->names, "nominal");
    fe->n_state_select = rb_intern(fe->names, "stateSelect");
}

static RbStatus check_model(RbFrontEnd *fe, RbClass *class) {
    RbPos at = class->root->def->at;
    if (!rb_class_ready(fe->classes, class)) return RB_ERROR_MODEL;
    bool runs = class->restriction == RB_KIND_MODEL || class->restriction == RB_KIND_BLOCK ||
                class->restriction == RB_KIND_CLASS;
    if (!runs) {
        return rb_fail(fe->diag, RB_ERROR_MODEL, at,
                       "'%s' is a %s; only a model or block can be simulated%s", class->full_name,
                       rb_restriction_name(class->restriction),
                       class->restriction == RB_KIND_PACKAGE
                           ? rb_models_within(fe->library, class->root->def, class->full_name)
                           : "");
    }
    if (class->is_partial) {
        return rb_fail(fe->diag, RB_ERROR_MODEL, at,
                       "'%s' is partial: it is meant to be extended, not simulated",
                       class->full_name);
    }
    return RB_OK;
}

// --- experiment ----------------------------------------------------------------------------------

static void experiment_value(RbFrontEnd *fe, RbClass *class, const RbAstMod *group,
                             const char *name, double *value) {
    const RbAstExpr *e = rb_annotation(group, name);
    if (!e) return;
    RbPlace ctx = {.inst = fe->root, .scope = class->root};
    RbVal v = rb_lower_expr(fe, &ctx, e);
    RbExprValue number;
    if (v.kind == RB_VAL_EXPR && v.rank == 0 && rb_val_evaluate(fe, &v, &number, e->at, name))
        *value = number.data[0];
}

static void read_experiment(RbFrontEnd *fe, RbClass *class) {
    const RbAstMod *group = rb_annotation_group(class->root->def->annotation, "experiment");
    if (!group) return;
    RbExperiment *x = &fe->flat->experiment;
    x->given = true;
    experiment_value(fe, class, group, "StartTime", &x->start_time);
    x->stop_time = x->start_time + 1;
    experiment_value(fe, class, group, "StopTime", &x->stop_time);
    experiment_value(fe, class, group, "Interval", &x->interval);
    experiment_value(fe, class, group, "Tolerance", &x->tolerance);
}

// --- printing ------------------------------------------------------------------------------------

static void print_inst(RbFrontEnd *fe, const RbInst *i, int indent, RbText *out) {
    static const char *const variability[] = {"", "discrete ", "parameter ", "constant "};
    for (int k = 0; k < indent; k++) rb_text_add(out, "  ");
    rb_text_add(out, variability[i->variability]);
    rb_text_printf(out, "%s %s", i->class ? i->class->full_name : "?", i->path);
    for (int k = 0; k < i->rank; k++)
        rb_text_printf(out, "%s%d%s", k == 0 ? "[" : ",", i->dims[k], k + 1 == i->rank ? "]" : "");
    rb_text_add(out, i->kind == RB_INST_ABSENT   ? " (absent)\n"
                     : i->kind == RB_INST_BROKEN ? " (broken)\n"
                                                 : "\n");
    for (int k = 0; i->kind == RB_INST_ARRAY && k < i->count; k++)
        print_inst(fe, i->items[k], indent + 1, out);
    for (int k = 0; i->kind == RB_INST_COMPONENT && k < i->class->components.count; k++) {
        if (i->children[k]) print_inst(fe, i->children[k], indent + 1, out);
    }
}

// Skips a quoted name but for its last part: 'a.b[2].x' is x of some instance.
static const char *last_part(const char *text) {
    const char *last = text, *c = text;
    for (; *c && *c != '\''; c++)
        if (*c == '.') last = c + 1;
    return *c ? last : text;
}

// Do two texts say the same of two instances?
static bool say_the_same(const char *a, const char *b) {
    bool quoted = false;
    for (; *a && *a == *b; a++, b++) {
        if (quoted && *a == '[') { // an element of an array
            a += strcspn(a, "]'") - 1;
            b += strcspn(b, "]'") - 1;
        }
        if (*a != '\'') continue;
        quoted = !quoted;
        if (!quoted) continue;
        a = last_part(a + 1) - 1;
        b = last_part(b + 1) - 1;
    }
    return *a == *b;
}

// A wrong line in a class would be reported for every instance of it: once is enough.
static void forget_repeated(RbDiag *diag, int first) {
    int kept = first;
    for (int i = first; i < diag->messages.count; i++) {
        const RbMessage *m = &diag->messages.data[i];
        bool again = false;
        for (int k = first; k < kept && !again; k++) {
            const RbMessage *old = &diag->messages.data[k];
            again = m->at.file && old->at.file == m->at.file && old->at.line == m->at.line &&
                    m->at.line > 0 && old->at.column == m->at.column &&
                    old->severity == m->severity && say_the_same(old->text, m->text);
        }
        if (!again) diag->messages.data[kept++] = *m;
    }
    diag->messages.count = kept;
}

// --- the model -----------------------------------------------------------------------------------

// The variables were collected in fe->work; now that their number is known they move to the arena
// of the model, without what a growing array leaves behind.
static void settle_variables(RbFrontEnd *fe) {
    int count = fe->flat->vars.count;
    RbFlatVar *vars = rb_new_array(fe->arena, RbFlatVar, count);
    for (int i = 0; i < count; i++) vars[i] = fe->flat->vars.data[i];
    fe->flat->vars.data = vars;
    fe->flat->vars.capacity = count;
}

static void check_flat(RbFrontEnd *fe, RbFlattenOptions options) {
    rb_check_left_limits(fe);
    if (!options.skip_balance) rb_check_balance(fe);
    if (!options.ignore_units)
        rb_check_units(fe->flat, &fe->without_units, options.strict_units, *fe->scratch, fe->diag);
}

// Instances, connections and equations. `errors` and `messages` is what there was before.
static RbStatus flatten_class(RbFrontEnd *fe, RbClass *class, RbFlattenOptions options, int errors,
                              int messages) {
    fe->root = rb_inst_root(fe, class);
    rb_inst_all(fe, fe->root);
    rb_connect_collect(fe);
    rb_gather_find(fe);
    if (options.instances) {
        print_inst(fe, fe->root, 0, options.instances);
        rb_gather_print(fe, options.instances);
    }
    rb_inst_bindings(fe, fe->root);
    rb_member_attributes(fe);
    rb_lower_equations(fe, fe->root);
    rb_gather_contribute(fe);
    rb_visuals_find(fe);
    rb_connect_equations(fe);
    read_experiment(fe, class);
    rb_check_uses(fe->library);
    if (fe->diag->error_count == errors) rb_machines_resolve(fe);
    if (fe->diag->error_count == errors) rb_clocks_resolve(fe);
    if (fe->diag->error_count == errors) check_flat(fe, options);
    forget_repeated(fe->diag, messages);
    return fe->diag->error_count > errors ? RB_ERROR_MODEL : RB_OK;
}

RbStatus rb_flatten(RbLibrary *library, const char *class_name, RbFlattenOptions options,
                    RbFlatModel **out) {
    *out = NULL;
    RbFrontEnd front = {.library = library,
                        .names = library->names,
                        .arena = library->keep,
                        .work = rb_arena_child(library->keep),
                        .temp = rb_arena_child(library->keep),
                        .scratch = library->scratch,
                        .diag = library->diag,
                        .contribute = options.contribute,
                        .find_roles = options.find_roles,
                        .contributed = options.contributed,
                        .contribute_user = options.contribute_user};
    RbFrontEnd *fe = &front;
    int errors = fe->diag->error_count, messages = fe->diag->messages.count;
    intern_names(fe);
    fe->classes = rb_classes(library);
    fe->classes->replaced = options.replaced;
    fe->flat = rb_flat_model(fe->arena, class_name);
    fe->x = fe->flat->exprs;
    fe->origin = "";
    RbClass *class = rb_class_named(fe->classes, class_name);
    RbStatus status = class ? check_model(fe, class) : RB_ERROR_MODEL;
    if (class) fe->classes->own_file = class->root->def->at.file;
    if (class) fe->flat->description = rb_description(fe, &class->root->def->text);
    if (status == RB_OK) status = flatten_class(fe, class, options, errors, messages);
    if (status == RB_OK) settle_variables(fe);
    if (options.any_replaced) *options.any_replaced = fe->classes->any_replaced;
    rb_arena_free(fe->work);
    rb_arena_free(fe->temp);
    if (status == RB_OK) *out = fe->flat;
    return status;
}

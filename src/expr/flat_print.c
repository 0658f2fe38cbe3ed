// SPDX-License-Identifier: MIT
// flat_print.c: a flat model as text: what dump --stage=flat shows.
#include "expr/print.h"

typedef struct Dump {
    const RbFlatModel *model;
    const RbFunction *function;
    RbText *out;
} Dump;

static void line(const Dump *d, int indent, const char *text) {
    rb_text_printf(d->out, "%*s%s", 2 * indent, "", text);
}

static void expr(const Dump *d, const RbExpr *e) {
    rb_expr_print(e, d->model, d->function, d->out);
}

static void end(const Dump *d, RbPos at) {
    rb_text_add(d->out, ";");
    if (at.file) rb_text_printf(d->out, " // %s:%d:%d", at.file, at.line, at.column);
    rb_text_add(d->out, "\n");
}

// --- variables -----------------------------------------------------------------------------------

static const char *type_name(const RbFlatModel *model, RbType type, int enumeration) {
    static const char *const names[] = {"Real",   "Integer",     "Boolean",
                                        "String", "enumeration", "ExternalObject", "Clock"};
    if (type == RB_ENUM && enumeration < model->enumerations.count) {
        return model->enumerations.data[enumeration].name;
    }
    return names[type]; // ORDER RbType
}

static void attribute(const Dump *d, const char *name, const RbExpr *e, const char **separator) {
    if (!e) return;
    rb_text_printf(d->out, "%s%s = ", *separator, name);
    expr(d, e);
    *separator = ", ";
}

static void text_attribute(const Dump *d, const char *name, const char *text,
                           const char **separator) {
    if (!text) return;
    rb_text_printf(d->out, "%s%s = \"%s\"", *separator, name, text);
    *separator = ", ";
}

static void attributes(const Dump *d, const RbAttributes *a) {
    static const char *const select[] = {"never", "avoid", "default", "prefer", "always"};
    const char *separator = "(";
    attribute(d, "start", a->start, &separator);
    attribute(d, "fixed", a->fixed, &separator);
    attribute(d, "nominal", a->nominal, &separator);
    attribute(d, "min", a->min, &separator);
    attribute(d, "max", a->max, &separator);
    text_attribute(d, "quantity", a->quantity, &separator);
    text_attribute(d, "unit", a->unit, &separator);
    text_attribute(d, "displayUnit", a->display_unit, &separator);
    if (a->state_select != RB_STATE_DEFAULT) {
        rb_text_printf(d->out, "%sstateSelect = StateSelect.%s", separator,
                       select[a->state_select + 2]);
        separator = ", ";
    }
    if (separator[0] == ',') rb_text_add(d->out, ")");
}

static void variable(const Dump *d, const RbFlatVar *v) {
    static const char *const variability[] = {"constant ", "parameter ", "discrete ", ""};
    static const char *const causality[] = {"", "input ", "output "};
    line(d, 1, v->is_final ? "final " : "");
    rb_text_printf(d->out, "%s%s%s %s", causality[v->causality], variability[v->variability],
                   type_name(d->model, v->type, v->enumeration), v->name);
    for (int i = 0; i < v->rank; i++)
        rb_text_printf(d->out, "%c%d", i == 0 ? '[' : ',', v->dims[i]);
    if (v->rank > 0) rb_text_add(d->out, "]");
    attributes(d, &v->attributes);
    if (v->binding) {
        rb_text_add(d->out, " = ");
        expr(d, v->binding);
    }
    if (v->description && v->description[0]) {
        rb_text_add(d->out, " \"");
        rb_text_add_json(d->out, v->description);
        rb_text_add(d->out, "\"");
    }
    end(d, v->at);
}

// --- statements ----------------------------------------------------------------------------------

static void statements(const Dump *d, const RbStatements *list, int indent);

static void statement_branches(const Dump *d, const RbStatement *s, const char *word, int indent) {
    for (int i = 0; i < s->branches.count; i++) {
        const RbStatementBranch *b = &s->branches.data[i];
        line(d, indent, !b->condition ? "else" : i == 0 ? "" : "else");
        if (b->condition) {
            rb_text_printf(d->out, "%s ", word);
            expr(d, b->condition);
            rb_text_add(d->out, word[0] == 'w' && word[2] == 'i' ? " loop" : " then");
        }
        rb_text_add(d->out, "\n");
        statements(d, &b->statements, indent + 1);
    }
    line(d, indent, "end ");
    rb_text_add(d->out, word);
    end(d, s->at);
}

static void call_statement(const Dump *d, const RbStatement *s, int indent) {
    line(d, indent, s->targets.count > 0 ? "(" : "");
    for (int i = 0; i < s->targets.count; i++) {
        if (i > 0) rb_text_add(d->out, ", ");
        expr(d, s->targets.data[i]);
    }
    if (s->targets.count > 0) rb_text_add(d->out, ") := ");
    expr(d, s->value);
    end(d, s->at);
}

static void for_statement(const Dump *d, const RbStatement *s, int indent) {
    line(d, indent, "for ");
    expr(d, s->target);
    rb_text_add(d->out, " in ");
    expr(d, s->value);
    rb_text_add(d->out, " loop\n");
    if (s->branches.count > 0) statements(d, &s->branches.data[0].statements, indent + 1);
    line(d, indent, "end for");
    end(d, s->at);
}

static void two(const Dump *d, const char *word, const RbExpr *a, const RbExpr *b, RbPos at,
                int indent) {
    line(d, indent, word);
    rb_text_add(d->out, "(");
    expr(d, a);
    if (a && b) rb_text_add(d->out, ", ");
    expr(d, b);
    rb_text_add(d->out, ")");
    end(d, at);
}

static void pair(const Dump *d, const RbExpr *a, const char *middle, const RbExpr *b, RbPos at,
                 int indent) {
    line(d, indent, "");
    expr(d, a);
    rb_text_add(d->out, middle);
    expr(d, b);
    end(d, at);
}

static void word(const Dump *d, const char *text, RbPos at, int indent) {
    line(d, indent, text);
    end(d, at);
}

static void statement(const Dump *d, const RbStatement *s, int indent) {
    switch (s->kind) {
        case RB_ST_ASSIGN: pair(d, s->target, " := ", s->value, s->at, indent); break;
        case RB_ST_CALL: call_statement(d, s, indent); break;
        case RB_ST_IF: statement_branches(d, s, "if", indent); break;
        case RB_ST_WHEN: statement_branches(d, s, "when", indent); break;
        case RB_ST_FOR: for_statement(d, s, indent); break;
        case RB_ST_WHILE: statement_branches(d, s, "while", indent); break;
        case RB_ST_BREAK: word(d, "break", s->at, indent); break;
        case RB_ST_RETURN: word(d, "return", s->at, indent); break;
        case RB_ST_ASSERT: two(d, "assert", s->target, s->value, s->at, indent); break;
        case RB_ST_TERMINATE: two(d, "terminate", s->value, NULL, s->at, indent); break;
        case RB_ST_REINIT: two(d, "reinit", s->target, s->value, s->at, indent); break;
    }
}

static void statements(const Dump *d, const RbStatements *list, int indent) {
    for (int i = 0; i < list->count; i++) statement(d, list->data[i], indent);
}

// --- equations -----------------------------------------------------------------------------------

static void equation(const Dump *d, const RbEquation *eq, int indent);

static void equation_branches(const Dump *d, const RbEquation *eq, const char *name, int indent) {
    for (int i = 0; i < eq->branches.count; i++) {
        const RbBranch *b = &eq->branches.data[i];
        line(d, indent, i > 0 ? "else" : "");
        if (b->condition) {
            rb_text_printf(d->out, "%s ", name);
            expr(d, b->condition);
            rb_text_add(d->out, " then");
        }
        rb_text_add(d->out, "\n");
        for (int k = 0; k < b->equations.count; k++) equation(d, b->equations.data[k], indent + 1);
    }
    line(d, indent, "end ");
    rb_text_add(d->out, name);
    end(d, eq->at);
}

static void equation(const Dump *d, const RbEquation *eq, int indent) {
    switch (eq->kind) {
        case RB_EQ_EQUAL: pair(d, eq->left, " = ", eq->right, eq->at, indent); break;
        case RB_EQ_IF: equation_branches(d, eq, "if", indent); break;
        case RB_EQ_WHEN: equation_branches(d, eq, "when", indent); break;
        case RB_EQ_ASSERT: two(d, "assert", eq->left, eq->right, eq->at, indent); break;
        case RB_EQ_TERMINATE: two(d, "terminate", eq->right, NULL, eq->at, indent); break;
        case RB_EQ_REINIT: two(d, "reinit", eq->left, eq->right, eq->at, indent); break;
        case RB_EQ_CALL: pair(d, eq->right, "", NULL, eq->at, indent); break;
        case RB_EQ_ALGORITHM:
            line(d, indent, "algorithm\n");
            statements(d, &eq->statements, indent + 1);
            break;
    }
}

// --- functions and the whole ---------------------------------------------------------------------

static void function(const RbFlatModel *model, const RbFunction *f, RbText *out) {
    Dump d = {model, f, out};
    rb_text_printf(out, "function %s\n", f->name);
    for (int i = 0; i < f->vars.count; i++) {
        const RbFunctionVar *v = &f->vars.data[i];
        line(&d, 1,
             i < f->input_count                     ? "input "
             : i < f->input_count + f->output_count ? "output "
                                                    : "");
        rb_text_printf(out, "%s %s", type_name(model, v->type, v->enumeration), v->name);
        for (int k = 0; k < v->rank; k++) {
            rb_text_add(out, k == 0 ? "[" : ",");
            if (v->dims[k])
                expr(&d, v->dims[k]);
            else
                rb_text_add(out, ":");
        }
        if (v->rank > 0) rb_text_add(out, "]");
        if (v->binding) {
            rb_text_add(out, " = ");
            expr(&d, v->binding);
        }
        rb_text_add(out, ";\n");
    }
    if (f->kind == RB_FUNCTION_EXTERNAL) {
        rb_text_printf(out, "  external \"%s\" %s;\n", f->external.language, f->external.name);
    } else if (f->kind == RB_FUNCTION_COMPONENT) {
        rb_text_printf(out, "  component %d function %d;\n", f->component.component,
                       f->component.function);
    } else {
        rb_text_add(out, "algorithm\n");
        statements(&d, &f->statements, 1);
    }
    rb_text_printf(out, "end %s;\n\n", f->name);
}

static void section(const Dump *d, const char *title, const RbEquations *list) {
    if (list->count == 0) return;
    rb_text_add(d->out, title);
    for (int i = 0; i < list->count; i++) equation(d, list->data[i], 1);
}

void rb_functions_print(const RbFlatModel *model, RbText *out) {
    for (int i = 0; i < model->functions.count; i++) function(model, model->functions.data[i], out);
}

void rb_flat_print(const RbFlatModel *model, RbText *out) {
    Dump d = {model, NULL, out};
    rb_functions_print(model, out);
    rb_text_printf(out, "model %s\n", model->name);
    for (int i = 0; i < model->vars.count; i++) variable(&d, &model->vars.data[i]);
    section(&d, "initial equation\n", &model->initial_equations);
    section(&d, "equation\n", &model->equations);
    rb_text_printf(out, "end %s;\n", model->name);
}

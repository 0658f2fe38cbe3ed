// SPDX-License-Identifier: MIT
// tiny_model.h: flat models for tests, from a few lines of text. Line n of the text is line n of
// the positions.
//
//     param k = 2
//     real x start 1 fixed          (also: prefer, always, avoid, never)
//     bool b; int n; disc d; input u
//     eq der(x) = -k*x
//     init x = 1
//     when x < 0.5                  (also: elsewhen)
//       set b = true
//       reinit x = 2
//     end
//     assert x < 3
#pragma once

#include <ctype.h>
#include <string.h>

#include "expr/builtins.h"
#include "expr/flat_model.h"
#include "testing.h"

typedef struct Tiny {
    RbFlatModel *model;
    const char *at;
    int line;
    RbEquation *when;
} Tiny;

static const RbExpr *tiny_expr(Tiny *t);

static inline void tiny_spaces(Tiny *t) {
    while (*t->at == ' ') t->at++;
}

static inline bool tiny_take(Tiny *t, const char *word) {
    tiny_spaces(t);
    size_t n = strlen(word);
    if (strncmp(t->at, word, n) != 0) return false;
    if (isalpha((unsigned char)word[0]) && (isalnum((unsigned char)t->at[n]) || t->at[n] == '_'))
        return false;
    t->at += n;
    return true;
}

static inline const char *tiny_name(Tiny *t) {
    tiny_spaces(t);
    const char *start = t->at;
    while (isalnum((unsigned char)*t->at) || strchr("_.[]", *t->at)) {
        if (!*t->at) break;
        t->at++;
    }
    return rb_arena_bytes(t->model->arena, start, (size_t)(t->at - start));
}

static inline int tiny_find(Tiny *t, const char *name) {
    for (int i = 0; i < t->model->vars.count; i++) {
        if (strcmp(t->model->vars.data[i].name, name) == 0) return i;
    }
    return -1;
}

static inline const RbExpr *tiny_call(Tiny *t, const char *name) {
    RbExprs *x = t->model->exprs;
    const RbExpr *args[8];
    int count = 0;
    while (!tiny_take(t, ")")) {
        args[count++] = tiny_expr(t);
        tiny_take(t, ",");
    }
    if (strcmp(name, "der") == 0) return rb_der(x, args[0]);
    if (strcmp(name, "pre") == 0) return rb_pre(x, args[0]);
    int f = rb_builtin_find(name);
    if (f < 0) print_error("unknown function %s\n", name);
    ENSURE(f >= 0);
    return rb_builtin(x, (RbBuiltin)f, args, count);
}

static inline const RbExpr *tiny_atom(Tiny *t) {
    RbExprs *x = t->model->exprs;
    tiny_spaces(t);
    if (tiny_take(t, "(")) {
        const RbExpr *e = tiny_expr(t);
        tiny_take(t, ")");
        return e;
    }
    if (isdigit((unsigned char)*t->at)) {
        char *end;
        double value = strtod(t->at, &end);
        t->at = end;
        return rb_real(x, value);
    }
    if (tiny_take(t, "true")) return rb_boolean(x, true);
    if (tiny_take(t, "false")) return rb_boolean(x, false);
    if (tiny_take(t, "time")) return rb_time(x);
    const char *name = tiny_name(t);
    if (tiny_take(t, "(")) return tiny_call(t, name);
    int v = tiny_find(t, name);
    if (v < 0) print_error("line %d: unknown name '%s'\n", t->line, name);
    ENSURE(v >= 0);
    return rb_flat_ref(t->model, v);
}

static inline const RbExpr *tiny_power(Tiny *t) {
    const RbExpr *e = tiny_atom(t);
    if (!tiny_take(t, "^")) return e;
    double n;
    const RbExpr *power = tiny_atom(t);
    if (rb_constant_value(power, &n)) power = rb_integer(t->model->exprs, (int64_t)n);
    return rb_pow(t->model->exprs, e, power);
}

static inline const RbExpr *tiny_term(Tiny *t) {
    const RbExpr *e = tiny_power(t);
    for (;;) {
        if (tiny_take(t, "*"))
            e = rb_mul(t->model->exprs, e, tiny_power(t));
        else if (tiny_take(t, "/"))
            e = rb_div(t->model->exprs, e, tiny_power(t));
        else
            return e;
    }
}

static inline const RbExpr *tiny_sum(Tiny *t) {
    RbExprs *x = t->model->exprs;
    const RbExpr *e = tiny_take(t, "-") ? rb_neg(x, tiny_term(t)) : tiny_term(t);
    for (;;) {
        if (tiny_take(t, "+"))
            e = rb_add(x, e, tiny_term(t));
        else if (tiny_take(t, "-"))
            e = rb_sub(x, e, tiny_term(t));
        else
            return e;
    }
}

static inline const RbExpr *tiny_relation(Tiny *t) {
    static const struct {
        const char *text;
        RbOp op;
    } ops[] = {{"<=", RB_OP_LE}, {">=", RB_OP_GE}, {"<>", RB_OP_NE},
               {"<", RB_OP_LT},  {">", RB_OP_GT},  {"==", RB_OP_EQ}};
    if (tiny_take(t, "not")) return rb_not(t->model->exprs, tiny_relation(t));
    const RbExpr *e = tiny_sum(t);
    for (int i = 0; i < 6; i++) {
        if (tiny_take(t, ops[i].text)) return rb_relate(t->model->exprs, ops[i].op, e, tiny_sum(t));
    }
    return e;
}

static inline const RbExpr *tiny_expr(Tiny *t) {
    RbExprs *x = t->model->exprs;
    if (tiny_take(t, "if")) {
        const RbExpr *c = tiny_expr(t);
        ENSURE(tiny_take(t, "then"));
        const RbExpr *yes = tiny_expr(t);
        ENSURE(tiny_take(t, "else"));
        return rb_if(x, c, yes, tiny_expr(t));
    }
    const RbExpr *e = tiny_relation(t);
    for (;;) {
        if (tiny_take(t, "and"))
            e = rb_and(x, e, tiny_relation(t));
        else if (tiny_take(t, "or"))
            e = rb_or(x, e, tiny_relation(t));
        else
            return e;
    }
}

static inline void tiny_variable(Tiny *t, RbVariability variability, RbType type,
                                 RbCausality causality) {
    RbFlatVar v = {.variability = variability, .type = type, .causality = causality};
    v.at = (RbPos){"Tiny.mo", t->line, 1};
    v.name = tiny_name(t);
    for (;;) {
        if (tiny_take(t, "start"))
            v.attributes.start = tiny_sum(t);
        else if (tiny_take(t, "="))
            v.binding = tiny_expr(t);
        else if (tiny_take(t, "fixed"))
            v.attributes.fixed = rb_boolean(t->model->exprs, true);
        else if (tiny_take(t, "unfixed"))
            v.attributes.fixed = rb_boolean(t->model->exprs, false);
        else if (tiny_take(t, "prefer"))
            v.attributes.state_select = RB_STATE_PREFER;
        else if (tiny_take(t, "always"))
            v.attributes.state_select = RB_STATE_ALWAYS;
        else if (tiny_take(t, "avoid"))
            v.attributes.state_select = RB_STATE_AVOID;
        else if (tiny_take(t, "never"))
            v.attributes.state_select = RB_STATE_NEVER;
        else
            break;
    }
    rb_flat_add(t->model, &v);
}

static inline void tiny_equation(Tiny *t, RbEquations *list, RbEquationKind kind) {
    RbEquation *eq = rb_equation(list, t->model->arena, kind, (RbPos){"Tiny.mo", t->line, 1});
    eq->left = tiny_sum(t);
    ENSURE(tiny_take(t, "="));
    eq->right = tiny_expr(t);
}

static inline void tiny_branch(Tiny *t) {
    rb_array_push(&t->when->branches, t->model->arena, (RbBranch){.condition = tiny_expr(t)});
}

static inline void tiny_line(Tiny *t) {
    RbFlatModel *m = t->model;
    RbPos at = {"Tiny.mo", t->line, 1};
    if (tiny_take(t, "param"))
        tiny_variable(t, RB_PARAMETER, RB_REAL, RB_LOCAL);
    else if (tiny_take(t, "real"))
        tiny_variable(t, RB_CONTINUOUS, RB_REAL, RB_LOCAL);
    else if (tiny_take(t, "bool"))
        tiny_variable(t, RB_DISCRETE, RB_BOOLEAN, RB_LOCAL);
    else if (tiny_take(t, "int"))
        tiny_variable(t, RB_DISCRETE, RB_INTEGER, RB_LOCAL);
    else if (tiny_take(t, "disc"))
        tiny_variable(t, RB_DISCRETE, RB_REAL, RB_LOCAL);
    else if (tiny_take(t, "input"))
        tiny_variable(t, RB_CONTINUOUS, RB_REAL, RB_INPUT);
    else if (tiny_take(t, "eq"))
        tiny_equation(t, &m->equations, RB_EQ_EQUAL);
    else if (tiny_take(t, "init"))
        tiny_equation(t, &m->initial_equations, RB_EQ_EQUAL);
    else if (tiny_take(t, "when")) {
        t->when = rb_equation(&m->equations, m->arena, RB_EQ_WHEN, at);
        tiny_branch(t);
    } else if (tiny_take(t, "elsewhen"))
        tiny_branch(t);
    else if (tiny_take(t, "set"))
        tiny_equation(t, &t->when->branches.data[t->when->branches.count - 1].equations,
                      RB_EQ_EQUAL);
    else if (tiny_take(t, "reinit"))
        tiny_equation(t, &t->when->branches.data[t->when->branches.count - 1].equations,
                      RB_EQ_REINIT);
    else if (tiny_take(t, "assert")) {
        RbEquation *eq = rb_equation(&m->equations, m->arena, RB_EQ_ASSERT, at);
        eq->left = tiny_expr(t);
        eq->right = rb_string(m->exprs, "assertion failed");
    } else
        tiny_take(t, "end");
    tiny_spaces(t);
    if (*t->at && *t->at != '\n') print_error("line %d: cannot read '%.20s'\n", t->line, t->at);
    ENSURE(!*t->at || *t->at == '\n');
}

static inline RbFlatModel *tiny_model(RbArena *arena, const char *text) {
    Tiny t = {.model = rb_flat_model(arena, "Tiny"), .at = text};
    while (*t.at) {
        t.line++;
        tiny_line(&t);
        if (*t.at == '\n') t.at++;
    }
    return t.model;
}

// SPDX-License-Identifier: MIT
// print.c: expressions as text, with as few parentheses as the usual precedence allows.
#include "expr/print.h"

#include "expr/builtins.h"

#include <limits.h>
#include <string.h>

// Deeper nesting is cut with dots: nobody reads it, and the stack stays small. So are texts that are
// longer than a megabyte: what exists once in memory may stand in an expression a million times.
enum { DEPTH_MAX = 400, LONGEST = 1000000 };

typedef struct Printer {
    const RbFlatModel *model;
    const RbFunction *function;
    RbText *out;
    int most; // bytes of out
} Printer;

// How tightly an operator binds; an argument that binds less gets parentheses.
typedef struct Operator {
    const char *text;
    int level;
} Operator;

enum {
    LEVEL_IF,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARE,
    LEVEL_ADD,
    LEVEL_MUL,
    LEVEL_POW,
    LEVEL_ATOM
};

static Operator operator_of(RbOp op) {
    switch (op) {
        case RB_OP_NEG: return (Operator){"-", LEVEL_ADD};
        case RB_OP_ADD: return (Operator){" + ", LEVEL_ADD};
        case RB_OP_SUB: return (Operator){" - ", LEVEL_ADD};
        case RB_OP_MUL: return (Operator){"*", LEVEL_MUL};
        case RB_OP_DIV: return (Operator){"/", LEVEL_MUL};
        case RB_OP_EMUL: return (Operator){".*", LEVEL_MUL};
        case RB_OP_EDIV: return (Operator){"./", LEVEL_MUL};
        case RB_OP_POW: return (Operator){"^", LEVEL_POW};
        case RB_OP_EPOW: return (Operator){".^", LEVEL_POW};
        case RB_OP_LT: return (Operator){" < ", LEVEL_COMPARE};
        case RB_OP_LE: return (Operator){" <= ", LEVEL_COMPARE};
        case RB_OP_GT: return (Operator){" > ", LEVEL_COMPARE};
        case RB_OP_GE: return (Operator){" >= ", LEVEL_COMPARE};
        case RB_OP_EQ: return (Operator){" == ", LEVEL_COMPARE};
        case RB_OP_NE: return (Operator){" <> ", LEVEL_COMPARE};
        case RB_OP_NOT: return (Operator){"not ", LEVEL_NOT};
        case RB_OP_AND: return (Operator){" and ", LEVEL_AND};
        case RB_OP_OR: return (Operator){" or ", LEVEL_OR};
        case RB_OP_IF: return (Operator){"if ", LEVEL_IF};
        default: return (Operator){NULL, LEVEL_ATOM};
    }
}

static void print(const Printer *p, const RbExpr *e, int level, int depth);

static void print_list(const Printer *p, const RbExpr *e, int first, const char *open,
                       const char *close, int depth) {
    rb_text_add(p->out, open);
    for (int i = first; i < e->arg_count; i++) {
        if (i > first) rb_text_add(p->out, ", ");
        print(p, e->args[i], LEVEL_IF, depth);
    }
    rb_text_add(p->out, close);
}

static void print_real(double value, RbText *out) {
    int start = out->count;
    rb_text_add_double(out, value);
    if (!strpbrk(out->data + start, ".eni"))
        rb_text_add(out, ".0"); // so that a Real does not look like an Integer
}

static void print_name(const Printer *p, const RbExpr *e) {
    bool local = e->op == RB_OP_LOCAL;
    if (!local && p->model && e->index < p->model->vars.count) {
        rb_text_add(p->out, p->model->vars.data[e->index].name);
    } else if (local && p->function && e->index < p->function->vars.count) {
        rb_text_add(p->out, p->function->vars.data[e->index].name);
    } else {
        rb_text_printf(p->out, "%c%d", local ? 'l' : 'v', e->index);
    }
}

static void print_function_name(const Printer *p, const RbExpr *call) {
    if (p->model && call->index < p->model->functions.count) {
        rb_text_add(p->out, p->model->functions.data[call->index]->name);
    } else {
        rb_text_printf(p->out, "f%d", call->index);
    }
}

static void print_leaf(const Printer *p, const RbExpr *e) {
    switch ((RbOp)e->op) {
        case RB_OP_REAL: print_real(e->real, p->out); break;
        case RB_OP_INTEGER: rb_text_printf(p->out, "%lld", (long long)e->integer); break;
        case RB_OP_BOOLEAN: rb_text_add(p->out, e->integer ? "true" : "false"); break;
        case RB_OP_STRING:
            rb_text_add(p->out, "\"");
            rb_text_add_json(p->out, e->text);
            rb_text_add(p->out, "\"");
            break;
        case RB_OP_TIME: rb_text_add(p->out, "time"); break;
        case RB_OP_ALL: rb_text_add(p->out, ":"); break;
        default: print_name(p, e);
    }
}

static void print_reduction(const Printer *p, const RbExpr *e, int depth) {
    static const char *const names[] = {"{", "sum(", "product(", "min(",
                                        "max("}; // ORDER RbReduction
    rb_text_add(p->out, names[e->index]);
    print(p, e->args[0], LEVEL_IF, depth);
    for (int i = 1; i + 1 < e->arg_count; i += 2) {
        rb_text_add(p->out, i == 1 ? " for " : ", ");
        print(p, e->args[i], LEVEL_IF, depth);
        rb_text_add(p->out, " in ");
        print(p, e->args[i + 1], LEVEL_IF, depth);
    }
    rb_text_add(p->out, e->index == RB_REDUCE_ARRAY ? "}" : ")");
}

static void print_range(const Printer *p, const RbExpr *e, int depth) {
    print(p, e->args[0], LEVEL_ADD, depth);
    if (!rb_is_number(e->args[1], 1)) {
        rb_text_add(p->out, ":");
        print(p, e->args[1], LEVEL_ADD, depth);
    }
    rb_text_add(p->out, ":");
    print(p, e->args[2], LEVEL_ADD, depth);
}

static void print_call(const Printer *p, const RbExpr *e, int depth) {
    switch ((RbOp)e->op) {
        case RB_OP_DER: print_list(p, e, 0, "der(", ")", depth); break;
        case RB_OP_PRE: print_list(p, e, 0, "pre(", ")", depth); break;
        case RB_OP_BUILTIN:
            rb_text_add(p->out, rb_builtin_name((RbBuiltin)e->index));
            print_list(p, e, 0, "(", ")", depth);
            break;
        case RB_OP_CALL:
            print_function_name(p, e);
            print_list(p, e, 0, "(", ")", depth);
            break;
        case RB_OP_RESULT:
            print(p, e->args[0], LEVEL_ATOM, depth);
            rb_text_printf(p->out, ".%d", e->index + 1);
            break;
        case RB_OP_ARRAY: print_list(p, e, 0, "{", "}", depth); break;
        case RB_OP_SUBSCRIPT:
            print(p, e->args[0], LEVEL_ATOM, depth);
            print_list(p, e, 1, "[", "]", depth);
            break;
        case RB_OP_RANGE: print_range(p, e, depth); break;
        default: print_reduction(p, e, depth);
    }
}

static void print_if(const Printer *p, const RbExpr *e, int depth) {
    rb_text_add(p->out, "if ");
    print(p, e->args[0], LEVEL_OR, depth);
    rb_text_add(p->out, " then ");
    print(p, e->args[1], LEVEL_OR, depth);
    rb_text_add(p->out, " else ");
    print(p, e->args[2], LEVEL_IF, depth);
}

static void print_operator(const Printer *p, const RbExpr *e, Operator o, int depth) {
    if (e->op == RB_OP_IF) {
        print_if(p, e, depth);
    } else if (e->arg_count == 1) {
        rb_text_add(p->out, o.text);
        print(p, e->args[0], e->op == RB_OP_NEG ? LEVEL_MUL : o.level, depth);
    } else {
        // a - (b + c) needs the parentheses, (a + b) - c does not; relations and powers do not
        // chain
        bool chains = o.level == LEVEL_ADD || o.level == LEVEL_MUL || o.level <= LEVEL_AND;
        print(p, e->args[0], chains ? o.level : o.level + 1, depth);
        rb_text_add(p->out, o.text);
        print(p, e->args[1], o.level <= LEVEL_AND ? o.level : o.level + 1, depth);
    }
}

static void print(const Printer *p, const RbExpr *e, int level, int depth) {
    if (depth > DEPTH_MAX || p->out->count > p->most) {
        rb_text_add(p->out, "...");
        return;
    }
    Operator o = operator_of((RbOp)e->op);
    double value;
    bool negative = rb_constant_value(e, &value) && value < 0;
    bool parentheses = o.text ? o.level < level : negative && level > LEVEL_ADD;
    if (e->op == RB_OP_RANGE && level > LEVEL_IF) parentheses = true; // (1:n)*2
    if (parentheses) rb_text_add(p->out, "(");
    if (o.text) {
        print_operator(p, e, o, depth + 1);
    } else if (e->op < RB_OP_DER) {
        print_leaf(p, e);
    } else {
        print_call(p, e, depth + 1);
    }
    if (parentheses) rb_text_add(p->out, ")");
}

void rb_expr_print(const RbExpr *e, const RbFlatModel *model, const RbFunction *function,
                   RbText *out) {
    int most = out->count < INT_MAX - LONGEST ? out->count + LONGEST : INT_MAX;
    Printer p = {model, function, out, most};
    if (e) print(&p, e, LEVEL_IF, 0);
}

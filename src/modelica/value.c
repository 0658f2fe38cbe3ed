// SPDX-License-Identifier: MIT
// Values of expressions while they are lowered: types, sizes, conversions, operators on whole
// arrays.
#include <string.h>

#include "modelica/frontend.h"

RbVal rb_val_error(void) {
    return (RbVal){.kind = RB_VAL_ERROR};
}

RbVal rb_val_expr(RbFrontEnd *fe, const RbExpr *e, int rank, const int *dims,
                  RbAstVariability variability) {
    (void)fe;
    RbVal v = {.kind = RB_VAL_EXPR,
               .type = (RbType)e->type,
               .rank = rank,
               .e = e,
               .variability = variability};
    for (int i = 0; i < rank; i++) v.dims[i] = dims[i];
    return v;
}

static const char *base_type_name(const RbVal *v) {
    static const char *const names[] = {"Real",   "Integer",        "Boolean",
                                        "String", "an enumeration", "an external object"};
    if ((v->kind == RB_VAL_RECORD || v->type == RB_ENUM || v->type == RB_EXTERNAL) && v->class) {
        return v->class->full_name;
    }
    return names[v->type];
}

const char *rb_val_type_name(RbFrontEnd *fe, const RbVal *v) {
    switch (v->kind) {
        case RB_VAL_ERROR: return "an error";
        case RB_VAL_CLASS: return rb_arena_printf(fe->arena, "the class '%s'", v->class->full_name);
        case RB_VAL_INST:
            return rb_arena_printf(fe->arena, "a component of the %s '%s'",
                                   rb_restriction_name(v->inst->class->restriction),
                                   v->inst->class->full_name);
        case RB_VAL_TUPLE: return "a list of results";
        case RB_VAL_ABSENT: return "an absent component";
        default: break;
    }
    if (v->rank == 0) return base_type_name(v);
    RbText text = rb_text(fe->arena);
    rb_text_add(&text, base_type_name(v));
    for (int i = 0; i < v->rank; i++) {
        rb_text_add(&text, i == 0 ? "[" : ",");
        if (v->dims[i] < 0)
            rb_text_add(&text, ":");
        else
            rb_text_printf(&text, "%d", v->dims[i]);
    }
    rb_text_add(&text, "]");
    return text.data;
}

static RbAstVariability weaker(RbAstVariability a, RbAstVariability b) {
    return a < b ? a : b;
}

static bool same_dims(const RbVal *a, const RbVal *b) {
    if (a->rank != b->rank) return false;
    for (int i = 0; i < a->rank; i++) {
        if (a->dims[i] >= 0 && b->dims[i] >= 0 && a->dims[i] != b->dims[i]) return false;
    }
    return true;
}

static bool is_numeric(const RbVal *v) {
    return v->kind == RB_VAL_EXPR && (v->type == RB_REAL || v->type == RB_INTEGER);
}

// --- elements and arrays -------------------------------------------------------------------------

static RbVal *map_fields(RbFrontEnd *fe, const RbVal *v) {
    RbVal *fields = rb_new_array(fe->arena, RbVal, v->field_count + 1);
    if (v->field_count > 0) memcpy(fields, v->fields, (size_t)v->field_count * sizeof(RbVal));
    return fields;
}

RbVal rb_val_element(RbFrontEnd *fe, const RbVal *v, const int *subs, int count) {
    RbVal out = *v;
    out.rank = v->rank - count;
    for (int i = 0; i < out.rank; i++) out.dims[i] = v->dims[i + count];
    if (v->kind == RB_VAL_RECORD) {
        out.fields = map_fields(fe, v);
        for (int i = 0; i < v->field_count; i++)
            out.fields[i] = rb_val_element(fe, &v->fields[i], subs, count);
        return out;
    }
    const RbExpr *list[RB_RANK_MAX];
    for (int i = 0; i < count; i++) list[i] = rb_integer(fe->x, subs[i]);
    out.e = rb_subscript(fe->x, v->e, list, count);
    return out;
}

RbVal rb_val_subscript(RbFrontEnd *fe, const RbVal *v, const RbVal *subs, int count, RbPos at) {
    if (v->kind == RB_VAL_ERROR) return *v;
    if (count > v->rank) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "%d subscripts for %s", count,
                rb_val_type_name(fe, v));
        return rb_val_error();
    }
    RbVal out = *v;
    out.rank = 0;
    const RbExpr *list[RB_RANK_MAX];
    for (int i = 0; i < v->rank; i++) {
        const RbVal *s = i < count ? &subs[i] : NULL;
        if (!s || s->e->op == RB_OP_ALL) {
            list[i] = rb_all(fe->x);
            out.dims[out.rank++] = v->dims[i];
            continue;
        }
        list[i] = s->e;
        if (s->rank > 0) out.dims[out.rank++] = s->dims[0];
        out.variability = weaker(out.variability, s->variability);
        if (s->e->op == RB_OP_INTEGER && v->dims[i] >= 0 && s->type != RB_ENUM &&
            s->type != RB_BOOLEAN && (s->e->integer < 1 || s->e->integer > v->dims[i])) {
            rb_fail(fe->diag, RB_ERROR_MODEL, at, "subscript %lld is outside 1 to %d",
                    (long long)s->e->integer, v->dims[i]);
            return rb_val_error();
        }
        if (s->type == RB_BOOLEAN)
            list[i] =
                rb_add(fe->x, rb_builtin1(fe->x, RB_FN_TO_INTEGER, s->e), rb_integer(fe->x, 1));
        if (s->type == RB_ENUM) list[i] = rb_builtin1(fe->x, RB_FN_TO_INTEGER, s->e);
    }
    if (v->kind == RB_VAL_RECORD) {
        out.fields = map_fields(fe, v);
        for (int i = 0; i < v->field_count; i++)
            out.fields[i] = rb_val_subscript(fe, &v->fields[i], subs, count, at);
        return out;
    }
    int used = v->rank;
    while (used > 0 && list[used - 1]->op == RB_OP_ALL) used--;
    out.e = rb_subscript(fe->x, v->e, list, used);
    return out;
}

// {a, b, c}: all of one type and size.
RbVal rb_val_array(RbFrontEnd *fe, const RbVal *elements, int count, RbPos at) {
    if (count == 0) {
        RbVal v = {.kind = RB_VAL_EXPR,
                   .rank = 1,
                   .variability = RB_AST_CONSTANT,
                   .e = rb_array(fe->x, NULL, 0)};
        return v;
    }
    RbVal out = elements[0];
    bool any_real = false;
    for (int i = 0; i < count; i++) {
        const RbVal *v = &elements[i];
        if (v->kind == RB_VAL_ERROR) return rb_val_error();
        bool alike = v->kind == out.kind && (v->kind == RB_VAL_EXPR || v->kind == RB_VAL_RECORD) &&
                     (v->type == out.type || (is_numeric(v) && is_numeric(&out)));
        if (!alike || !same_dims(v, &out)) {
            rb_fail(fe->diag, RB_ERROR_MODEL, at, "the elements of this array differ: %s and %s",
                    rb_val_type_name(fe, &elements[0]), rb_val_type_name(fe, v));
            return rb_val_error();
        }
        any_real = any_real || v->type == RB_REAL;
        out.variability = weaker(out.variability, v->variability);
    }
    if (out.rank == RB_RANK_MAX) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "this array has more than %d dimensions",
                RB_RANK_MAX);
        return rb_val_error();
    }
    memmove(out.dims + 1, out.dims, (size_t)out.rank * sizeof(int));
    out.dims[0] = count;
    out.rank++;
    if (out.kind == RB_VAL_RECORD) {
        RbVal *column = rb_new_array(fe->arena, RbVal, count);
        out.fields = map_fields(fe, &out);
        for (int k = 0; k < out.field_count; k++) {
            for (int i = 0; i < count; i++) column[i] = elements[i].fields[k];
            out.fields[k] = rb_val_array(fe, column, count, at);
        }
        return out;
    }
    if (any_real && out.type == RB_INTEGER) out.type = RB_REAL;
    RbArena scratch = *fe->scratch;
    const RbExpr **list = rb_new_array(&scratch, const RbExpr *, count);
    for (int i = 0; i < count; i++) {
        list[i] = elements[i].e;
        if (any_real && list[i]->type == RB_INTEGER && rb_is_constant(list[i])) {
            list[i] = rb_real(fe->x, (double)list[i]->integer);
        }
    }
    out.e = rb_array(fe->x, list, count);
    return out;
}

// --- conversion ----------------------------------------------------------------------------------

static bool same_class(const RbClass *a, const RbClass *b) {
    if (!a || !b || a == b) return true;
    if (a->enumeration || b->enumeration) return a->enumeration == b->enumeration;
    return true; // records are compared by their fields, external objects by their functions
}

static RbVal convert_record(RbFrontEnd *fe, RbVal v, const RbVal *wanted, RbPos at,
                            const char *what) {
    RbVal out = v;
    out.class = wanted->class;
    out.field_count = wanted->field_count;
    out.fields = rb_new_array(fe->arena, RbVal, wanted->field_count + 1);
    for (int i = 0; i < wanted->field_count; i++) {
        RbName name = wanted->class->components.data[i]->name;
        const RbVal *field = NULL;
        for (int k = 0; k < v.field_count; k++) {
            if (v.class->components.data[k]->name == name) field = &v.fields[k];
        }
        if (!field) {
            rb_fail(fe->diag, RB_ERROR_MODEL, at,
                    "%s must be a record '%s', but '%s' has no field '%s'", what,
                    wanted->class->full_name, v.class->full_name, name);
            return rb_val_error();
        }
        out.fields[i] =
            wanted->fields ? rb_val_convert(fe, *field, &wanted->fields[i], at, what) : *field;
    }
    return out;
}

bool rb_val_fits(const RbVal *v, const RbVal *wanted) {
    return v->kind == RB_VAL_EXPR && wanted->kind == RB_VAL_EXPR && same_dims(v, wanted) &&
           (v->type == wanted->type || (wanted->type == RB_REAL && v->type == RB_INTEGER)) &&
           v->type != RB_ENUM;
}

RbVal rb_val_convert(RbFrontEnd *fe, RbVal v, const RbVal *wanted, RbPos at, const char *what) {
    if (v.kind == RB_VAL_ERROR) return v;
    if (v.kind == RB_VAL_TUPLE) v = v.fields[0];
    bool empty = v.kind == RB_VAL_EXPR && v.rank == 1 && v.dims[0] == 0 && wanted->rank >= 1 &&
                 v.e->op == RB_OP_ARRAY;
    if (empty)
        return (RbVal){.kind = wanted->kind,
                       .type = wanted->type,
                       .class = wanted->class,
                       .rank = v.rank,
                       .e = v.e,
                       .variability = v.variability};
    bool type = v.kind == wanted->kind &&
                (v.kind == RB_VAL_RECORD ||
                 (v.kind == RB_VAL_EXPR &&
                  (v.type == wanted->type || (wanted->type == RB_REAL && v.type == RB_INTEGER)) &&
                  (v.type != RB_ENUM || same_class(v.class, wanted->class))));
    if (v.kind == RB_VAL_ABSENT) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "%s uses '%s', which does not exist because its condition is false", what,
                v.inst ? v.inst->path : "a component");
        return rb_val_error();
    }
    if (!type || v.rank != wanted->rank) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s must be %s, but this is %s", what,
                rb_val_type_name(fe, wanted), rb_val_type_name(fe, &v));
        return rb_val_error();
    }
    if (!same_dims(&v, wanted)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s must have the size of %s, but this is %s", what,
                rb_val_type_name(fe, wanted), rb_val_type_name(fe, &v));
        return rb_val_error();
    }
    if (v.kind == RB_VAL_RECORD) return convert_record(fe, v, wanted, at, what);
    if (wanted->type == RB_REAL && v.type == RB_INTEGER) {
        v.type = RB_REAL;
        if (v.e->op == RB_OP_INTEGER)
            v.e = rb_real(fe->x, (double)v.e->integer);
        else if (v.rank == 0)
            v.e = rb_builtin1(fe->x, RB_FN_TO_REAL, v.e);
    }
    return v;
}

// --- operators -----------------------------------------------------------------------------------

static RbVal operand_error(RbFrontEnd *fe, RbTokenKind op, const RbVal *a, const RbVal *b,
                           RbPos at) {
    if (a->kind == RB_VAL_ERROR || b->kind == RB_VAL_ERROR) return rb_val_error();
    rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s cannot be applied to %s and %s",
            rb_token_kind_name(op), rb_val_type_name(fe, a), rb_val_type_name(fe, b));
    return rb_val_error();
}

static RbVal shaped(RbVal like, const RbExpr *e, RbType type, RbAstVariability variability) {
    like.kind = RB_VAL_EXPR;
    like.e = e;
    like.type = type;
    like.class = NULL;
    like.variability = variability;
    return like;
}

// A scalar repeated to the size of an array.
static const RbExpr *repeat(RbFrontEnd *fe, const RbVal *scalar, const RbVal *array) {
    const RbExpr *args[1 + RB_RANK_MAX] = {scalar->e};
    // Outside of functions sums repeat scalars themselves, whatever the size will be.
    RbArena scratch = *fe->scratch;
    if (rb_expr_vars(fe->x, array->e, &scratch).count > 0) return scalar->e;
    for (int i = 0; i < array->rank; i++) {
        args[1 + i] = array->dims[i] >= 0
                          ? rb_integer(fe->x, array->dims[i])
                          : rb_builtin2(fe->x, RB_FN_SIZE, array->e, rb_integer(fe->x, i + 1));
    }
    return rb_builtin(fe->x, RB_FN_FILL, args, 1 + array->rank);
}

static RbVal add_like(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at) {
    RbAstVariability var = weaker(a.variability, b.variability);
    bool minus = op == RB_TOKEN_MINUS || op == RB_TOKEN_DOT_MINUS;
    if (a.type == RB_STRING && b.type == RB_STRING && !minus && a.rank == 0 && b.rank == 0) {
        return shaped(a, rb_builtin2(fe->x, RB_FN_CONCAT, a.e, b.e), RB_STRING, var);
    }
    if (!is_numeric(&a) || !is_numeric(&b)) return operand_error(fe, op, &a, &b, at);
    if (op == RB_TOKEN_DOT_PLUS || op == RB_TOKEN_DOT_MINUS) {
        if (a.rank == 0 && b.rank > 0)
            a = shaped(b, repeat(fe, &a, &b), a.type, a.variability);
        else if (b.rank == 0 && a.rank > 0)
            b = shaped(a, repeat(fe, &b, &a), b.type, b.variability);
    }
    if (!same_dims(&a, &b)) return operand_error(fe, op, &a, &b, at);
    RbType type = a.type == RB_INTEGER && b.type == RB_INTEGER ? RB_INTEGER : RB_REAL;
    for (int i = 0; i < a.rank; i++) {
        if (a.dims[i] < 0) a.dims[i] = b.dims[i];
    }
    return shaped(a, minus ? rb_sub(fe->x, a.e, b.e) : rb_add(fe->x, a.e, b.e), type, var);
}

// Product of linear algebra: inner sizes must agree.
static RbVal multiply(RbFrontEnd *fe, RbVal a, RbVal b, RbPos at) {
    if (!is_numeric(&a) || !is_numeric(&b)) return operand_error(fe, RB_TOKEN_TIMES, &a, &b, at);
    RbAstVariability var = weaker(a.variability, b.variability);
    RbType type = a.type == RB_INTEGER && b.type == RB_INTEGER ? RB_INTEGER : RB_REAL;
    RbVal out = a.rank == 0 ? b : a;
    if (a.rank > 0 && b.rank > 0) {
        int inner_a = a.dims[a.rank - 1], inner_b = b.dims[0];
        if (a.rank > 2 || b.rank > 2 || (inner_a >= 0 && inner_b >= 0 && inner_a != inner_b)) {
            return operand_error(fe, RB_TOKEN_TIMES, &a, &b, at);
        }
        out.rank = 0;
        if (a.rank == 2) out.dims[out.rank++] = a.dims[0];
        if (b.rank == 2) out.dims[out.rank++] = b.dims[1];
    }
    return shaped(out, rb_mul(fe->x, a.e, b.e), type, var);
}

static RbVal divide_or_power(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at) {
    bool power = op == RB_TOKEN_POWER;
    bool fits = b.rank == 0 && (!power || a.rank == 0 || (a.rank == 2 && b.type == RB_INTEGER));
    if (!is_numeric(&a) || !is_numeric(&b) || !fits) return operand_error(fe, op, &a, &b, at);
    const RbExpr *e = power ? rb_pow(fe->x, a.e, b.e) : rb_div(fe->x, a.e, b.e);
    return shaped(a, e, RB_REAL, weaker(a.variability, b.variability));
}

static RbVal elementwise(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at) {
    if (!is_numeric(&a) || !is_numeric(&b) || (a.rank > 0 && b.rank > 0 && !same_dims(&a, &b))) {
        return operand_error(fe, op, &a, &b, at);
    }
    RbOp plain = op == RB_TOKEN_DOT_TIMES    ? RB_OP_MUL
                 : op == RB_TOKEN_DOT_DIVIDE ? RB_OP_DIV
                                             : RB_OP_POW;
    RbOp each = op == RB_TOKEN_DOT_TIMES    ? RB_OP_EMUL
                : op == RB_TOKEN_DOT_DIVIDE ? RB_OP_EDIV
                                            : RB_OP_EPOW;
    const RbExpr *args[] = {a.e, b.e};
    bool scalars = a.rank == 0 && b.rank == 0;
    bool integers = a.type == RB_INTEGER && b.type == RB_INTEGER && op == RB_TOKEN_DOT_TIMES;
    return shaped(a.rank > 0 ? a : b, rb_apply(fe->x, scalars ? plain : each, args, 2),
                  integers ? RB_INTEGER : RB_REAL, weaker(a.variability, b.variability));
}

static RbVal compare(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at) {
    bool types = a.kind == RB_VAL_EXPR && b.kind == RB_VAL_EXPR &&
                 ((is_numeric(&a) && is_numeric(&b)) ||
                  (a.type == b.type && a.type != RB_EXTERNAL &&
                   (a.type != RB_ENUM || same_class(a.class, b.class))));
    if (!types || a.rank > 0 || b.rank > 0) return operand_error(fe, op, &a, &b, at);
    RbOp ops[] = {RB_OP_LT, RB_OP_LE, RB_OP_GT, RB_OP_GE, RB_OP_EQ, RB_OP_NE};
    RbAstVariability var = weaker(a.variability, b.variability);
    if (var == RB_AST_CONTINUOUS) var = RB_AST_DISCRETE; // outside noEvent
    return shaped(a, rb_relate(fe->x, ops[op - RB_TOKEN_LESS], a.e, b.e), RB_BOOLEAN, var);
}

static RbVal logic(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at) {
    if (a.kind != RB_VAL_EXPR || b.kind != RB_VAL_EXPR || a.type != RB_BOOLEAN ||
        b.type != RB_BOOLEAN || !same_dims(&a, &b)) {
        return operand_error(fe, op, &a, &b, at);
    }
    const RbExpr *e = op == RB_TOKEN_AND ? rb_and(fe->x, a.e, b.e) : rb_or(fe->x, a.e, b.e);
    return shaped(a, e, RB_BOOLEAN, weaker(a.variability, b.variability));
}

RbVal rb_val_binary(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at) {
    if (a.kind == RB_VAL_TUPLE) a = a.fields[0];
    if (b.kind == RB_VAL_TUPLE) b = b.fields[0];
    if (a.kind == RB_VAL_ERROR || b.kind == RB_VAL_ERROR) return rb_val_error();
    switch (op) {
        case RB_TOKEN_PLUS:
        case RB_TOKEN_MINUS:
        case RB_TOKEN_DOT_PLUS:
        case RB_TOKEN_DOT_MINUS: return add_like(fe, op, a, b, at);
        case RB_TOKEN_TIMES: return multiply(fe, a, b, at);
        case RB_TOKEN_DIVIDE:
        case RB_TOKEN_POWER: return divide_or_power(fe, op, a, b, at);
        case RB_TOKEN_DOT_TIMES:
        case RB_TOKEN_DOT_DIVIDE:
        case RB_TOKEN_DOT_POWER: return elementwise(fe, op, a, b, at);
        case RB_TOKEN_AND:
        case RB_TOKEN_OR: return logic(fe, op, a, b, at);
        default: return compare(fe, op, a, b, at);
    }
}

// --- evaluation ----------------------------------------------------------------------------------

// size(A, k) of a variable needs no value of it.
static bool lookup_size(RbFrontEnd *fe, const RbExpr *e, RbExprValue *value) {
    RbFlatVar *v = &fe->flat->vars.data[e->args[0]->index];
    double k;
    if (!rb_constant_value(e->args[1], &k) || !(k >= 1 && k <= v->rank)) return false;
    *value = rb_value_number(fe->arena, RB_INTEGER, v->dims[(int)k - 1]);
    if (!fe->evaluates_size && !v->size_use) v->size_use = "its size decides the structure";
    return true;
}

static bool lookup_parameter(void *user, RbEnv *env, const RbExpr *leaf, RbExprValue *value) {
    (void)env;
    RbFrontEnd *fe = user;
    if (leaf->op == RB_OP_BUILTIN && leaf->index == RB_FN_SIZE) return lookup_size(fe, leaf, value);
    if (leaf->op != RB_OP_VAR) return false;
    if (!rb_inst_value(fe, fe->by_var.data[leaf->index], value)) return false;
    if (!fe->evaluates_size) fe->flat->vars.data[leaf->index].is_structural = true;
    return true;
}

// The parameter without a value that keeps an expression from having one, for the message.
static const char *missing_value(RbFrontEnd *fe, const RbExpr *e) {
    RbIndices vars = rb_expr_vars(fe->x, e, fe->arena);
    for (int i = 0; i < vars.count; i++) {
        RbInst *inst = fe->by_var.data[vars.data[i]];
        RbExprValue value;
        if (inst->variability < RB_AST_PARAMETER) {
            return rb_arena_printf(fe->arena, "'%s' is a variable, not a parameter", inst->path);
        }
        if (!rb_inst_value(fe, inst, &value)) {
            return rb_arena_printf(fe->arena, "the parameter '%s' has no value", inst->path);
        }
    }
    return NULL;
}

// A property of water may take a million steps and gigabytes; such a call is cheaper in the run,
// where it is compiled.
const RbExpr *rb_val_constant(RbFrontEnd *fe, const RbVal *v) {
    enum { STEPS_MAX = 20000 };
    if (v->kind != RB_VAL_EXPR) return NULL;
    RbArena *temporary = rb_arena_child(fe->arena);
    RbEnv env = {.model = fe->flat,
                 .arena = temporary,
                 .lookup = lookup_parameter,
                 .user = fe,
                 .steps_max = STEPS_MAX};
    RbExprValue value;
    bool known = rb_eval(&env, v->e, &value);
    RbArena *scratch = rb_arena_child(temporary);
    const RbExpr *e = known ? rb_value_expr(fe->x, &value, *scratch) : NULL;
    rb_arena_free(temporary);
    return e;
}

// What a function needs on the way is given back; only the value stays.
static bool evaluate(RbFrontEnd *fe, const RbExpr *e, RbExprValue *value, const char **error) {
    bool plain = e->arg_count == 0;
    RbArena *temporary = plain ? fe->arena : rb_arena_child(fe->arena);
    RbEnv env = {.model = fe->flat, .arena = temporary, .lookup = lookup_parameter, .user = fe};
    bool known = rb_eval(&env, e, value);
    if (env.error) *error = rb_arena_text(fe->arena, env.error);
    if (plain) return known;
    if (known) {
        RbExprValue kept = rb_value_array(fe->arena, value->type, value->rank, value->dims);
        for (int i = 0; i < kept.count; i++) {
            if (kept.text)
                kept.text[i] = rb_arena_text(fe->arena, value->text[i]);
            else
                kept.data[i] = value->data[i];
        }
        *value = kept;
    }
    rb_arena_free(temporary);
    return known;
}

bool rb_val_evaluate(RbFrontEnd *fe, const RbVal *v, RbExprValue *value, RbPos at,
                     const char *what) {
    if (v->kind == RB_VAL_ERROR) return false;
    int errors = fe->diag->error_count;
    const char *error = NULL;
    if (v->kind == RB_VAL_EXPR && evaluate(fe, v->e, value, &error)) return true;
    if (!what || fe->diag->error_count > errors) return false;
    const char *why = error ? error : v->kind == RB_VAL_EXPR ? missing_value(fe, v->e) : NULL;
    rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s must be known before the simulation starts%s%s", what,
            why ? ": " : "", why ? why : "");
    return false;
}

bool rb_val_evaluate_integer(RbFrontEnd *fe, const RbVal *v, int64_t *value, RbPos at,
                             const char *what) {
    if (v->kind == RB_VAL_EXPR && v->rank == 0 && v->e->op == RB_OP_INTEGER) {
        *value = v->e->integer;
        return true;
    }
    if (v->kind == RB_VAL_ERROR) return false;
    if (v->kind != RB_VAL_EXPR || v->rank > 0 ||
        (v->type != RB_INTEGER && v->type != RB_ENUM && v->type != RB_BOOLEAN)) {
        if (what) {
            rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s must be Integer, but this is %s", what,
                    rb_val_type_name(fe, v));
        }
        return false;
    }
    RbExprValue number;
    if (!rb_val_evaluate(fe, v, &number, at, what)) return false;
    *value = (int64_t)number.data[0];
    return true;
}

bool rb_val_evaluate_size(RbFrontEnd *fe, const RbVal *v, int64_t *value, RbPos at,
                          const char *what) {
    bool before = fe->evaluates_size;
    fe->evaluates_size = true;
    bool known = rb_val_evaluate_integer(fe, v, value, at, what);
    fe->evaluates_size = before;
    return known;
}

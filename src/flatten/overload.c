// SPDX-License-Identifier: MIT
// Operator records: which of their functions an operator or a constructor means (specification,
// chapter 14). What operators do to whole arrays of records is in overload_array.c.
#include <string.h>

#include "flatten/overload.h"

bool rb_val_is_overloaded(RbFrontEnd *fe, const RbVal *v) {
    return v->kind == RB_VAL_RECORD && rb_class_operator_record(fe->classes, v->class);
}

static RbClass *record_of(RbFrontEnd *fe, const RbVal *v) {
    return v->kind == RB_VAL_RECORD ? rb_class_operator_record(fe->classes, v->class) : NULL;
}

// --- candidates ----------------------------------------------------------------------------------

typedef RB_ARRAY(RbClass *) Functions;

static void push_function(RbFrontEnd *fe, RbClass *class, Functions *list) {
    if (!class || !rb_class_ready(fe->classes, class) || !rb_class_is_function(class)) return;
    for (int i = 0; i < list->count; i++) {
        if (list->data[i] == class) return;
    }
    rb_array_push(list, fe->arena, class);
}

// The functions of an operator: operator function '+' is one, operator '-' has several in it.
static void add_functions(RbFrontEnd *fe, RbClass *record, const char *symbol, Functions *list) {
    RbElem *e = record ? rb_class_elem(fe->classes, record, rb_intern(fe->names, symbol)) : NULL;
    RbClass *class = e && !e->component ? rb_elem_class(fe->classes, e) : NULL;
    if (!class || !rb_class_ready(fe->classes, class)) return;
    push_function(fe, class, list);
    const RbAstClass *def = class->root->def;
    for (int i = 0; class->restriction == RB_KIND_OPERATOR && i < def->element_count; i++) {
        if (def->elements[i]->kind != RB_AST_CLASS) continue;
        RbElem *f = rb_class_elem(fe->classes, class, def->elements[i]->class->name);
        if (f && !f->component) push_function(fe, rb_elem_class(fe->classes, f), list);
    }
}

// --- matching (14.2) -----------------------------------------------------------------------------

static int declared_rank(const RbElem *e, const RbClass *type) {
    int rank = e->component->dimension_count + e->clause->dimension_count;
    for (int i = 0; i < type->dimensions.count; i++) rank += type->dimensions.data[i].count;
    return rank;
}

static bool record_fits(RbFrontEnd *fe, RbClass *given, RbClass *wanted) {
    RbClass *a = rb_class_operator_record(fe->classes, given),
            *b = rb_class_operator_record(fe->classes, wanted);
    return a && b ? a->root->def == b->root->def : !a && !b;
}

// Is the value of the type of an input, without applying the function to elements?
static bool fits(RbFrontEnd *fe, const RbVal *v, RbElem *input) {
    RbClass *type = rb_elem_class(fe->classes, input);
    if (!type || !rb_class_ready(fe->classes, type) || v->rank != declared_rank(input, type))
        return false;
    if (v->kind == RB_VAL_RECORD)
        return rb_class_is_record(type) && record_fits(fe, v->class, type);
    if (v->kind != RB_VAL_EXPR || !type->is_type) return false;
    if (v->type == RB_ENUM && type->type == RB_ENUM)
        return !v->class || v->class->enumeration == type->enumeration;
    return v->type == type->type || (v->type == RB_INTEGER && type->type == RB_REAL);
}

static bool matches(RbFrontEnd *fe, RbClass *function, const RbActuals *actuals) {
    RbCall call;
    if (!rb_place_actuals(fe, function, actuals, &call, false)) return false;
    for (int i = 0; i < call.count; i++) {
        bool good = call.given[i] ? fits(fe, &call.args[i], call.inputs[i])
                                  : rb_has_default(fe, call.inputs[i]);
        if (!good) return false;
    }
    return true;
}

static RbVal call_function(RbFrontEnd *fe, RbClass *function, const RbActuals *actuals) {
    RbCall call;
    if (!rb_place_actuals(fe, function, actuals, &call, true)) return rb_val_error();
    return rb_lower_function_call(fe, &call);
}

// --- messages ------------------------------------------------------------------------------------

// "Complex.'*'.multiply(Complex, Complex)"
static void add_signature(RbFrontEnd *fe, RbClass *function, RbText *out) {
    rb_class_list(fe->classes, function);
    rb_text_printf(out, "%s(", function->full_name);
    int count = 0;
    for (int i = 0; i < function->components.count; i++) {
        RbElem *e = function->components.data[i];
        RbClass *type = rb_elem_class(fe->classes, e);
        if (e->clause->causality != RB_AST_INPUT || !type) continue;
        rb_text_printf(out, "%s%s", count++ > 0 ? ", " : "", type->full_name);
        int rank = declared_rank(e, type);
        for (int k = 0; k < rank; k++) rb_text_add(out, k == 0 ? "[:" : ", :");
        if (rank > 0) rb_text_add(out, "]");
        if (rb_has_default(fe, e)) rb_text_add(out, " = ...");
    }
    rb_text_add(out, ")");
}

static const char *signatures(RbFrontEnd *fe, const Functions *list) {
    RbText text = rb_text(fe->arena);
    for (int i = 0; i < list->count; i++) {
        if (i > 0) rb_text_add(&text, ", ");
        add_signature(fe, list->data[i], &text);
    }
    return text.data;
}

// "Complex and String", "Real, Real and Integer"
static const char *type_list(RbFrontEnd *fe, const RbActuals *actuals) {
    RbText text = rb_text(fe->arena);
    for (int i = 0; i < actuals->count; i++) {
        if (i > 0) rb_text_add(&text, i + 1 == actuals->count ? " and " : ", ");
        rb_text_add(&text, rb_val_type_name(fe, &actuals->list[i].value));
    }
    return actuals->count > 0 ? text.data : "no arguments";
}

static RbVal fail_match(RbFrontEnd *fe, const char *what, const RbActuals *actuals,
                        const Functions *candidates) {
    if (candidates->count == 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, actuals->at,
                "%s cannot be applied to %s: no such operator is defined", what,
                type_list(fe, actuals));
    } else {
        rb_fail(fe->diag, RB_ERROR_MODEL, actuals->at, "%s cannot be applied to %s; there %s %s",
                what, type_list(fe, actuals), candidates->count == 1 ? "is" : "are",
                signatures(fe, candidates));
    }
    return rb_val_error();
}

static RbVal fail_ambiguous(RbFrontEnd *fe, const char *what, const RbActuals *actuals,
                            const Functions *matching) {
    rb_fail(fe->diag, RB_ERROR_MODEL, actuals->at,
            "%s of %s may mean %s; convert an operand so that one is left", what,
            type_list(fe, actuals), signatures(fe, matching));
    return rb_val_error();
}

// --- calls of an operator by name (14.3, 14.4) ---------------------------------------------------

static Functions matching(RbFrontEnd *fe, const Functions *candidates, const RbActuals *actuals) {
    Functions out = {0};
    for (int i = 0; i < candidates->count; i++) {
        if (matches(fe, candidates->data[i], actuals))
            rb_array_push(&out, fe->arena, candidates->data[i]);
    }
    return out;
}

RbVal rb_overload_call(RbFrontEnd *fe, RbClass *record, const char *symbol,
                       const RbActuals *actuals) {
    Functions candidates = {0};
    add_functions(fe, rb_class_operator_record(fe->classes, record), symbol, &candidates);
    Functions good = matching(fe, &candidates, actuals);
    if (good.count == 1) return call_function(fe, good.data[0], actuals);
    return good.count == 0 ? fail_match(fe, symbol, actuals, &candidates)
                           : fail_ambiguous(fe, symbol, actuals, &good);
}

RbVal rb_overload_constructor(RbFrontEnd *fe, RbClass *class, const RbActuals *actuals) {
    Functions candidates = {0};
    add_functions(fe, rb_class_operator_record(fe->classes, class), "'constructor'", &candidates);
    Functions good = matching(fe, &candidates, actuals);
    if (good.count == 1) return call_function(fe, good.data[0], actuals);
    const char *what = rb_arena_printf(fe->arena, "'%s(...)'", class->full_name);
    if (good.count > 1) return fail_ambiguous(fe, what, actuals, &good);
    // Field by field. A wrong call is better explained by the constructors that were written.
    RbCall call;
    bool placed = rb_place_actuals(fe, class, actuals, &call, candidates.count == 0);
    for (int i = 0; placed && candidates.count > 0 && i < call.count; i++)
        placed = call.given[i] ? fits(fe, &call.args[i], call.inputs[i])
                               : rb_has_default(fe, call.inputs[i]);
    if (placed) return rb_construct_record(fe, &call);
    return candidates.count > 0 ? fail_match(fe, what, actuals, &candidates) : rb_val_error();
}

// --- binary operators (14.5) ---------------------------------------------------------------------

// An operand converted by a constructor of the record that the function wants.
typedef struct Conversion {
    RbClass *function, *constructor;
    int operand; // which one is converted
} Conversion;
typedef RB_ARRAY(Conversion) Conversions;

static RbActuals positional(RbFrontEnd *fe, const RbVal *values, int count, RbPos at) {
    RbActual *list = rb_new_array(fe->arena, RbActual, count + 1);
    for (int i = 0; i < count; i++) list[i] = (RbActual){.value = values[i], .at = at};
    return (RbActuals){.list = list, .count = count, .at = at};
}

// f(a, C(b)) for all constructors C(b) that give what the second input of f is; or f(C(a), b).
static void add_conversions(RbFrontEnd *fe, RbClass *f, const RbVal operands[2], int k, RbPos at,
                            Conversions *list) {
    RbCall call;
    RbActuals both = positional(fe, operands, 2, at), one = positional(fe, &operands[k], 1, at);
    if (!rb_place_actuals(fe, f, &both, &call, false)) return;
    if (!fits(fe, &operands[1 - k], call.inputs[1 - k])) return;
    for (int i = 2; i < call.count; i++) {
        if (!rb_has_default(fe, call.inputs[i])) return;
    }
    RbClass *type = rb_elem_class(fe->classes, call.inputs[k]);
    RbClass *wanted = type ? rb_class_operator_record(fe->classes, type) : NULL;
    if (!wanted || declared_rank(call.inputs[k], type) > 0 || wanted == record_of(fe, &operands[k]))
        return;
    Functions constructors = {0};
    add_functions(fe, wanted, "'constructor'", &constructors);
    for (int i = 0; i < constructors.count; i++) {
        if (matches(fe, constructors.data[i], &one))
            rb_array_push(list, fe->arena, (Conversion){f, constructors.data[i], k});
    }
}

static RbVal call_converted(RbFrontEnd *fe, const Conversion *c, RbVal operands[2], RbPos at) {
    RbActuals one = positional(fe, &operands[c->operand], 1, at);
    operands[c->operand] = call_function(fe, c->constructor, &one);
    if (operands[c->operand].kind == RB_VAL_ERROR) return rb_val_error();
    RbActuals both = positional(fe, operands, 2, at);
    return call_function(fe, c->function, &both);
}

static RbVal fail_conversions(RbFrontEnd *fe, const char *what, const RbActuals *actuals,
                              const Conversions *list) {
    Functions constructors = {0};
    for (int i = 0; i < list->count; i++)
        push_function(fe, list->data[i].constructor, &constructors);
    rb_fail(fe->diag, RB_ERROR_MODEL, actuals->at,
            "%s of %s may convert an operand by %s; write one of them", what,
            type_list(fe, actuals), signatures(fe, &constructors));
    return rb_val_error();
}

// The operator for elements: .* of scalars is *.
static RbTokenKind plain_operator(RbTokenKind op) {
    switch (op) {
        case RB_TOKEN_DOT_PLUS: return RB_TOKEN_PLUS;
        case RB_TOKEN_DOT_MINUS: return RB_TOKEN_MINUS;
        case RB_TOKEN_DOT_TIMES: return RB_TOKEN_TIMES;
        case RB_TOKEN_DOT_DIVIDE: return RB_TOKEN_DIVIDE;
        case RB_TOKEN_DOT_POWER: return RB_TOKEN_POWER;
        default: return op;
    }
}

RbVal rb_overload_binary(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at) {
    bool dotted = plain_operator(op) != op, arrays = a.rank > 0 || b.rank > 0;
    if (dotted && arrays) return rb_overload_elements(fe, plain_operator(op), &a, &b, at);
    op = plain_operator(op);
    const char *symbol = rb_token_kind_name(op);
    RbVal operands[2] = {a, b};
    RbActuals both = positional(fe, operands, 2, at);
    Functions of[2] = {0}, all = {0};
    for (int k = 0; k < 2; k++) {
        add_functions(fe, record_of(fe, &operands[k]), symbol, &of[k]);
        for (int i = 0; i < of[k].count; i++) push_function(fe, of[k].data[i], &all);
    }
    Functions good = matching(fe, &all, &both);
    if (good.count == 1) return call_function(fe, good.data[0], &both);
    if (good.count > 1) return fail_ambiguous(fe, symbol, &both, &good);
    Conversions conversions = {0};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < of[k].count; i++)
            add_conversions(fe, of[k].data[i], operands, 1 - k, at, &conversions);
    }
    if (conversions.count == 1) return call_converted(fe, &conversions.data[0], operands, at);
    if (conversions.count > 1) return fail_conversions(fe, symbol, &both, &conversions);
    if (arrays) {
        RbVal v;
        if (rb_overload_arrays(fe, op, &a, &b, at, &v)) return v;
    }
    return fail_match(fe, symbol, &both, &all);
}

// --- unary operators (14.6) ----------------------------------------------------------------------

RbVal rb_overload_unary(RbFrontEnd *fe, RbTokenKind op, RbVal v, RbPos at) {
    op = plain_operator(op);
    if (v.rank > 0) return rb_overload_each(fe, op, &v, at);
    RbActuals one = positional(fe, &v, 1, at);
    return rb_overload_call(fe, v.class, rb_token_kind_name(op), &one);
}

RbVal rb_overload_zero(RbFrontEnd *fe, RbClass *record, RbPos at) {
    RbActuals none = {.at = at};
    Functions zeros = {0};
    add_functions(fe, rb_class_operator_record(fe->classes, record), "'0'", &zeros);
    if (zeros.count == 1) return call_function(fe, zeros.data[0], &none);
    rb_fail(fe->diag, RB_ERROR_MODEL, at,
            "the sum of no elements is the operator '0' of '%s', which is not defined",
            record->full_name);
    return rb_val_error();
}

// SPDX-License-Identifier: MIT
// Names, descriptions and expressions: one function per rule of the grammar, with the rule above
// it.
#include "syntax/parser.h"

// --- nodes ---------------------------------------------------------------------------------------

RbAstExpr *rb_parser_node(RbParser *p, RbAstExprKind kind, RbPos where) {
    RbAstExpr *e = rb_new(p->arena, RbAstExpr);
    e->kind = kind;
    e->at = where;
    e->levels = 1;
    return e;
}

static void note_levels(RbParser *p, RbAstExpr *e, const RbAstExpr *kid) {
    if (!kid || kid->levels < e->levels) return;
    e->levels = (short)(kid->levels + 1);
    if (e->levels > RB_PARSE_LEVEL_LIMIT) {
        rb_parser_fail(p, e->at,
                       rb_arena_printf(p->arena,
                                       "this expression is nested more than %d levels deep",
                                       RB_PARSE_LEVEL_LIMIT));
        e->levels = 1;
        e->kind = RB_AST_ERROR;
        e->kid_count = e->iterator_count = 0;
        p->unclosed = true;
        while (!at(p, RB_TOKEN_END_OF_FILE)) advance(p);
    }
}

static RbAstExpr *with_kids(RbParser *p, RbAstExpr *e, RbAstExprs kids) {
    e->kids = kids.data;
    e->kid_count = kids.count;
    for (int i = 0; i < kids.count; i++) note_levels(p, e, kids.data[i]);
    return e;
}

static RbAstExpr *binary(RbParser *p, RbTokenKind op, RbPos where, RbAstExpr *a, RbAstExpr *b) {
    RbAstExpr *e = rb_parser_node(p, b ? RB_AST_BINARY : RB_AST_UNARY, where);
    e->op = op;
    e->kid_count = b ? 2 : 1;
    e->kids = rb_new_array(p->arena, RbAstExpr *, e->kid_count);
    e->kids[0] = a;
    if (b) e->kids[1] = b;
    note_levels(p, e, a);
    note_levels(p, e, b);
    return e;
}

RbAstText rb_parser_token_text(const RbToken *t) {
    return (RbAstText){t->text, t->length};
}

// --- names and descriptions ----------------------------------------------------------------------

// name = IDENT { "." IDENT }            type-specifier = ["."] name
RbAstName rb_rule_name(RbParser *p, bool may_be_global, const char *what) {
    RbAstName n = {.at = place(p)};
    n.global = may_be_global && accept(p, RB_TOKEN_DOT);
    RB_ARRAY(RbName) parts = {0};
    rb_array_push(&parts, p->arena, rb_parser_ident(p, what));
    while (at(p, RB_TOKEN_DOT) && peek(p) == RB_TOKEN_IDENT) {
        advance(p);
        rb_array_push(&parts, p->arena, rb_parser_ident(p, what));
    }
    n.parts = parts.data;
    n.count = parts.count;
    return n;
}

// description-string = [ STRING { "+" STRING } ]
RbAstStrings rb_rule_description_string(RbParser *p) {
    RB_ARRAY(RbAstText) parts = {0};
    if (at(p, RB_TOKEN_STRING)) {
        do {
            rb_array_push(&parts, p->arena, rb_parser_token_text(p->token));
            rb_parser_expect(p, RB_TOKEN_STRING);
        } while (accept(p, RB_TOKEN_PLUS));
    }
    return (RbAstStrings){parts.data, parts.count};
}

// description = description-string [ annotation-clause ]
RbAstComment rb_rule_description(RbParser *p) {
    RbAstComment c = {.text = rb_rule_description_string(p)};
    if (at(p, RB_TOKEN_ANNOTATION)) c.annotation = rb_rule_annotation_clause(p);
    return c;
}

// annotation-clause = "annotation" class-modification
RbAstMod *rb_rule_annotation_clause(RbParser *p) {
    rb_parser_expect(p, RB_TOKEN_ANNOTATION);
    p->annotations++;
    RbAstMod *m = rb_rule_class_modification(p);
    p->annotations--;
    return m;
}

// --- expressions ---------------------------------------------------------------------------------

// subscript = ":" | expression
static RbAstExpr *subscript(RbParser *p) {
    if (at(p, RB_TOKEN_COLON)) {
        RbAstExpr *e = rb_parser_node(p, RB_AST_COLON, place(p));
        advance(p);
        return e;
    }
    return rb_rule_expression(p);
}

// array-subscripts = "[" subscript { "," subscript } "]"
int rb_rule_array_subscripts(RbParser *p, RbAstExpr ***out) {
    RbAstExprs list = {0};
    rb_parser_expect(p, RB_TOKEN_LBRACKET);
    do rb_array_push(&list, p->arena, subscript(p));
    while (accept(p, RB_TOKEN_COMMA));
    rb_parser_expect(p, RB_TOKEN_RBRACKET);
    *out = list.data;
    return list.count;
}

// component-reference = [ "." ] IDENT [ array-subscripts ] { "." IDENT [ array-subscripts ] }
RbAstExpr *rb_rule_component_reference(RbParser *p) {
    RbAstExpr *e = rb_parser_node(p, RB_AST_REF, place(p));
    e->global = accept(p, RB_TOKEN_DOT);
    RB_ARRAY(RbAstPart) parts = {0};
    do {
        RbAstPart part = {.name = rb_parser_ident(p, "a name")};
        if (at(p, RB_TOKEN_LBRACKET))
            part.subscript_count = rb_rule_array_subscripts(p, &part.subscripts);
        for (int i = 0; i < part.subscript_count; i++) note_levels(p, e, part.subscripts[i]);
        rb_array_push(&parts, p->arena, part);
    } while (accept(p, RB_TOKEN_DOT));
    if (e->kind == RB_AST_ERROR) return e;
    e->parts = parts.data;
    e->kid_count = parts.count;
    return e;
}

// A keyword that is called like a function: der, initial, pure.
static RbAstExpr *keyword_reference(RbParser *p) {
    RbAstExpr *e = rb_parser_node(p, RB_AST_REF, place(p));
    e->parts = rb_new(p->arena, RbAstPart);
    e->parts[0].name = rb_intern_bytes(p->names, p->token->text, (size_t)p->token->length);
    e->kid_count = 1;
    advance(p);
    return e;
}

// for-indices = for-index { "," for-index }            for-index = IDENT [ "in" expression ]
int rb_rule_for_indices(RbParser *p, RbAstIterator **out) {
    RB_ARRAY(RbAstIterator) list = {0};
    do {
        RbAstIterator i = {.at = place(p)};
        i.name = rb_parser_ident(p, "the name of an iterator");
        if (accept(p, RB_TOKEN_IN)) i.range = rb_rule_expression(p);
        rb_array_push(&list, p->arena, i);
    } while (accept(p, RB_TOKEN_COMMA));
    *out = list.data;
    return list.count;
}

static void iterators(RbParser *p, RbAstExpr *e) {
    e->iterator_count = rb_rule_for_indices(p, &e->iterators);
    for (int i = 0; i < e->iterator_count; i++) note_levels(p, e, e->iterators[i].range);
}

// function-partial-application = "function" type-specifier "(" [ named-arguments ] ")"
// named-argument = IDENT "=" function-argument
static RbAstExpr *function_argument(RbParser *p);

static RbAstExpr *named_argument(RbParser *p) {
    RbAstExpr *e = rb_parser_node(p, RB_AST_NAMED, place(p));
    RbName argument = rb_parser_ident(p, "the name of an argument");
    rb_parser_expect(p, RB_TOKEN_EQUALS);
    RbAstExprs kids = {0};
    rb_array_push(&kids, p->arena, function_argument(p));
    with_kids(p, e, kids);
    e->name = argument;
    return e;
}

static RbAstExpr *function_partial_application(RbParser *p) {
    RbAstExpr *e = rb_parser_node(p, RB_AST_FUNCTION, place(p));
    rb_parser_expect(p, RB_TOKEN_FUNCTION);
    RbAstExprs kids = {0};
    rb_array_push(&kids, p->arena, rb_rule_component_reference(p));
    rb_parser_expect(p, RB_TOKEN_LPAREN);
    if (!at(p, RB_TOKEN_RPAREN)) {
        do rb_array_push(&kids, p->arena, named_argument(p));
        while (accept(p, RB_TOKEN_COMMA));
    }
    rb_parser_expect(p, RB_TOKEN_RPAREN);
    return with_kids(p, e, kids);
}

// function-argument = function-partial-application | expression
static RbAstExpr *function_argument(RbParser *p) {
    return at(p, RB_TOKEN_FUNCTION) ? function_partial_application(p) : rb_rule_expression(p);
}

// function-call-args = "(" [ function-arguments ] ")"
// function-arguments = expression [ "," function-arguments-non-first | "for" for-indices ]
//                    | function-partial-application [ "," ... ] | named-arguments
RbAstExpr *rb_rule_function_call(RbParser *p, RbAstExpr *callee) {
    RbAstExpr *e = rb_parser_node(p, RB_AST_CALL, callee->at);
    RbAstExprs kids = {0};
    rb_array_push(&kids, p->arena, callee);
    rb_parser_expect(p, RB_TOKEN_LPAREN);
    bool named = false;
    while (!at(p, RB_TOKEN_RPAREN) && !p->panic) {
        if (at(p, RB_TOKEN_IDENT) && peek(p) == RB_TOKEN_EQUALS) {
            named = true;
            rb_array_push(&kids, p->arena, named_argument(p));
        } else {
            if (named)
                rb_parser_fail(p, place(p),
                               "an argument without a name cannot follow named arguments");
            rb_array_push(&kids, p->arena, function_argument(p));
        }
        if (kids.count == 2 && accept(p, RB_TOKEN_FOR)) {
            iterators(p, e);
            break;
        }
        if (!accept(p, RB_TOKEN_COMMA)) break;
        if (at(p, RB_TOKEN_RPAREN)) rb_parser_fail_expected(p, "an argument after ','");
    }
    rb_parser_expect(p, RB_TOKEN_RPAREN);
    return with_kids(p, e, kids);
}

// output-expression-list = [ expression ] { "," [ expression ] }
RbAstExpr *rb_rule_output_expression_list(RbParser *p) {
    RbAstExpr *e = rb_parser_node(p, RB_AST_TUPLE, place(p));
    RbAstExprs kids = {0};
    rb_parser_expect(p, RB_TOKEN_LPAREN);
    do {
        bool empty = at(p, RB_TOKEN_COMMA) || at(p, RB_TOKEN_RPAREN);
        rb_array_push(&kids, p->arena, empty ? NULL : rb_rule_expression(p));
    } while (accept(p, RB_TOKEN_COMMA));
    rb_parser_expect(p, RB_TOKEN_RPAREN);
    return with_kids(p, e, kids);
}

// rule { between rule }
static RbAstExprs several(RbParser *p, RbAstExpr *(*rule)(RbParser *), RbTokenKind between) {
    RbAstExprs kids = {0};
    do rb_array_push(&kids, p->arena, rule(p));
    while (accept(p, between));
    return kids;
}

// expression-list = expression { "," expression }
RbAstExpr *rb_rule_expression_list(RbParser *p) {
    RbAstExpr *e = rb_parser_node(p, RB_AST_LIST, place(p));
    return with_kids(p, e, several(p, rb_rule_expression, RB_TOKEN_COMMA));
}

// "[" expression-list { ";" expression-list } "]"
static RbAstExpr *matrix(RbParser *p) {
    RbAstExpr *e = rb_parser_node(p, RB_AST_MATRIX, place(p));
    rb_parser_expect(p, RB_TOKEN_LBRACKET);
    RbAstExprs kids = several(p, rb_rule_expression_list, RB_TOKEN_SEMICOLON);
    rb_parser_expect(p, RB_TOKEN_RBRACKET);
    return with_kids(p, e, kids);
}

// "{" array-arguments "}"            array-arguments = expression [ "," ... | "for" for-indices ]
static RbAstExpr *array_constructor(RbParser *p) {
    RbAstExpr *e = rb_parser_node(p, RB_AST_ARRAY, place(p));
    rb_parser_expect(p, RB_TOKEN_LBRACE);
    RbAstExprs kids = several(p, rb_rule_expression, RB_TOKEN_COMMA);
    if (kids.count == 1 && accept(p, RB_TOKEN_FOR)) iterators(p, e);
    rb_parser_expect(p, RB_TOKEN_RBRACE);
    return with_kids(p, e, kids);
}

static RbAstExpr *literal(RbParser *p, RbAstExprKind kind) {
    RbAstExpr *e = rb_parser_node(p, kind, place(p));
    e->text = rb_parser_token_text(p->token);
    advance(p);
    return e;
}

// primary = UNSIGNED-NUMBER | STRING | "false" | "true"
//         | ( component-reference | "der" | "initial" | "pure" ) function-call-args
//         | component-reference | "(" output-expression-list ")"
//         | "[" expression-list { ";" expression-list } "]" | "{" array-arguments "}" | "end"
static RbAstExpr *primary(RbParser *p) {
    switch (p->token->kind) {
        case RB_TOKEN_INTEGER: return literal(p, RB_AST_INTEGER);
        case RB_TOKEN_REAL: return literal(p, RB_AST_REAL);
        case RB_TOKEN_STRING: return literal(p, RB_AST_STRING);
        case RB_TOKEN_TRUE: return literal(p, RB_AST_TRUE);
        case RB_TOKEN_FALSE: return literal(p, RB_AST_FALSE);
        case RB_TOKEN_END: return literal(p, RB_AST_END);
        case RB_TOKEN_LPAREN: return rb_rule_output_expression_list(p);
        case RB_TOKEN_LBRACKET: return matrix(p);
        case RB_TOKEN_LBRACE: return array_constructor(p);
        case RB_TOKEN_DER:
        case RB_TOKEN_INITIAL:
        case RB_TOKEN_PURE: return rb_rule_function_call(p, keyword_reference(p));
        case RB_TOKEN_IDENT:
        case RB_TOKEN_DOT: {
            RbAstExpr *reference = rb_rule_component_reference(p);
            return at(p, RB_TOKEN_LPAREN) ? rb_rule_function_call(p, reference) : reference;
        }
        default: break;
    }
    RbAstExpr *e = rb_parser_node(p, RB_AST_ERROR, place(p));
    rb_parser_fail_expected(p, "an expression");
    return e;
}

// factor = primary [ ( "^" | ".^" ) primary ]
static RbAstExpr *factor(RbParser *p) {
    RbAstExpr *base = primary(p);
    if (!at(p, RB_TOKEN_POWER) && !at(p, RB_TOKEN_DOT_POWER)) return base;
    const RbToken *op = p->token;
    RbPos where = place(p);
    advance(p);
    if (at(p, RB_TOKEN_MINUS) || at(p, RB_TOKEN_PLUS)) {
        rb_parser_fail(p, place(p), "an exponent with a sign needs parentheses: x^(-2)");
    }
    return binary(p, op->kind, where, base, primary(p));
}

// term = factor { mul-operator factor }            mul-operator = "*" | "/" | ".*" | "./"
static RbAstExpr *term(RbParser *p) {
    RbAstExpr *e = factor(p);
    while (at(p, RB_TOKEN_TIMES) || at(p, RB_TOKEN_DIVIDE) || at(p, RB_TOKEN_DOT_TIMES) ||
           at(p, RB_TOKEN_DOT_DIVIDE)) {
        RbTokenKind op = p->token->kind;
        RbPos where = place(p);
        advance(p);
        e = binary(p, op, where, e, factor(p));
    }
    return e;
}

static bool at_add_operator(const RbParser *p) {
    return at(p, RB_TOKEN_PLUS) || at(p, RB_TOKEN_MINUS) || at(p, RB_TOKEN_DOT_PLUS) ||
           at(p, RB_TOKEN_DOT_MINUS);
}

// arithmetic-expression = [ add-operator ] term { add-operator term }
static RbAstExpr *arithmetic_expression(RbParser *p) {
    RbAstExpr *e;
    RbPos where = place(p);
    if (at_add_operator(p)) {
        RbTokenKind op = p->token->kind;
        advance(p);
        e = binary(p, op, where, term(p), NULL);
    } else {
        e = term(p);
    }
    while (at_add_operator(p)) {
        RbTokenKind op = p->token->kind;
        where = place(p);
        advance(p);
        e = binary(p, op, where, e, term(p));
    }
    return e;
}

static bool at_relational_operator(const RbParser *p) {
    return p->token->kind >= RB_TOKEN_LESS && p->token->kind <= RB_TOKEN_NOT_EQUAL;
}

// relation = arithmetic-expression [ relational-operator arithmetic-expression ]
static RbAstExpr *relation(RbParser *p) {
    RbAstExpr *e = arithmetic_expression(p);
    if (!at_relational_operator(p)) return e;
    RbTokenKind op = p->token->kind;
    RbPos where = place(p);
    advance(p);
    e = binary(p, op, where, e, arithmetic_expression(p));
    if (at_relational_operator(p)) {
        rb_parser_fail(p, place(p), "relations cannot be chained; write 'a < b and b < c'");
    }
    return e;
}

// logical-factor = [ "not" ] relation
static RbAstExpr *logical_factor(RbParser *p) {
    RbPos where = place(p);
    if (!accept(p, RB_TOKEN_NOT)) return relation(p);
    return binary(p, RB_TOKEN_NOT, where, relation(p), NULL);
}

// logical-term = logical-factor { "and" logical-factor }
static RbAstExpr *logical_term(RbParser *p) {
    RbAstExpr *e = logical_factor(p);
    while (at(p, RB_TOKEN_AND)) {
        RbPos where = place(p);
        advance(p);
        e = binary(p, RB_TOKEN_AND, where, e, logical_factor(p));
    }
    return e;
}

// logical-expression = logical-term { "or" logical-term }
static RbAstExpr *logical_expression(RbParser *p) {
    RbAstExpr *e = logical_term(p);
    while (at(p, RB_TOKEN_OR)) {
        RbPos where = place(p);
        advance(p);
        e = binary(p, RB_TOKEN_OR, where, e, logical_term(p));
    }
    return e;
}

// simple-expression = logical-expression [ ":" logical-expression [ ":" logical-expression ] ]
RbAstExpr *rb_rule_simple_expression(RbParser *p) {
    RbAstExpr *first = logical_expression(p);
    if (!at(p, RB_TOKEN_COLON)) return first;
    RbAstExpr *e = rb_parser_node(p, RB_AST_RANGE, first->at);
    RbAstExprs kids = {0};
    rb_array_push(&kids, p->arena, first);
    while (kids.count < 3 && accept(p, RB_TOKEN_COLON)) {
        rb_array_push(&kids, p->arena, logical_expression(p));
    }
    return with_kids(p, e, kids);
}

// "if" expression "then" expression { "elseif" expression "then" expression } "else" expression
static RbAstExpr *if_expression(RbParser *p) {
    RbAstExpr *e = rb_parser_node(p, RB_AST_IF, place(p));
    RbAstExprs kids = {0};
    advance(p);
    do {
        rb_array_push(&kids, p->arena, rb_rule_expression(p));
        rb_parser_expect(p, RB_TOKEN_THEN);
        rb_array_push(&kids, p->arena, rb_rule_expression(p));
    } while (accept(p, RB_TOKEN_ELSEIF));
    if (!at(p, RB_TOKEN_ELSE)) rb_parser_fail_expected(p, "'else', which an if-expression needs");
    accept(p, RB_TOKEN_ELSE);
    rb_array_push(&kids, p->arena, rb_rule_expression(p));
    return with_kids(p, e, kids);
}

// expression = simple-expression | if-expression
RbAstExpr *rb_rule_expression(RbParser *p) {
    RbAstExpr *e = NULL;
    if (rb_parser_enter(p))
        e = at(p, RB_TOKEN_IF) ? if_expression(p) : rb_rule_simple_expression(p);
    rb_parser_leave(p);
    return e ? e : rb_parser_node(p, RB_AST_ERROR, place(p));
}

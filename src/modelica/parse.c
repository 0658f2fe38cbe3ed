// SPDX-License-Identifier: MIT
// One function per rule of the grammar, with the rule above it.
#include "modelica/parse.h"

#include <string.h>

typedef struct Parser {
    const RbToken *token; // the current one
    const char *file;
    RbNames *names;
    RbArena *arena;
    RbDiag *diag;
    int nesting;
    bool panic; // an error was reported and no semicolon found since: stay quiet
    bool failed;
    bool unclosed; // the lexer found no end of a string or comment, or nesting was too deep
} Parser;

// Lists grow here and are then kept; Type needs a typedef name.
#define LIST(Type) RB_ARRAY(Type)

static RbAstExpr *expression(Parser *p);
static RbAstEquation *equation(Parser *p, bool algorithm);
static RbAstClass *class_definition(Parser *p);
static RbAstMod *modification(Parser *p);
static RbAstMod *class_modification(Parser *p);
static RbAstElement *element_replaceable(Parser *p, bool redeclare);
static RbAstMod *annotation_clause(Parser *p);

// --- tokens --------------------------------------------------------------------------------------

static RbPos place(const Parser *p) {
    return (RbPos){p->file, p->token->line, p->token->column};
}
static bool at(const Parser *p, RbTokenKind kind) {
    return p->token->kind == kind;
}
static RbTokenKind peek(const Parser *p) {
    return at(p, RB_TOKEN_END_OF_FILE) ? RB_TOKEN_END_OF_FILE : p->token[1].kind;
}

static void advance(Parser *p) {
    if (!at(p, RB_TOKEN_END_OF_FILE)) p->token++;
}

static bool accept(Parser *p, RbTokenKind kind) {
    if (!at(p, kind)) return false;
    advance(p);
    return true;
}

// What stands at the current place, for a message.
static const char *found(Parser *p) {
    const RbToken *t = p->token;
    if (t->kind == RB_TOKEN_END_OF_FILE) return "the end of the file";
    if (t->length > 40 || memchr(t->text, '\n', (size_t)t->length))
        return rb_token_kind_name(t->kind);
    return rb_arena_printf(p->arena, "'%.*s'", t->length, t->text);
}

// Report once; the lexer has already complained about an error token.
static void fail(Parser *p, RbPos where, const char *message) {
    bool known = at(p, RB_TOKEN_ERROR) || (at(p, RB_TOKEN_END_OF_FILE) && p->unclosed);
    if (!p->panic && !known) rb_fail(p->diag, RB_ERROR_MODEL, where, "%s", message);
    p->panic = p->failed = true;
}

static void fail_expected(Parser *p, const char *what) {
    if (p->panic) return;
    fail(p, place(p), rb_arena_printf(p->arena, "expected %s, but found %s", what, found(p)));
}

// Directly behind the token before the current one: where something is missing.
static RbPos behind_previous(const Parser *p) {
    const RbToken *t = p->token - 1;
    return (RbPos){p->file, t->line, t->column + t->length};
}

static void expect(Parser *p, RbTokenKind kind) {
    if (accept(p, kind) || p->panic) return;
    if (kind == RB_TOKEN_EQUALS && at(p, RB_TOKEN_ASSIGN)) {
        fail(p, place(p), "an equation is written with '='; ':=' is for algorithms");
        return;
    }
    fail_expected(p, rb_token_kind_name(kind));
}

static void expect_semicolon(Parser *p, const char *after) {
    if (accept(p, RB_TOKEN_SEMICOLON) || p->panic) return;
    // The caret belongs behind the end of what is not closed, unless that is a string over several
    // lines.
    const RbToken *before = p->token - 1;
    bool long_string = before->kind == RB_TOKEN_STRING &&
                       memchr(before->text, '\n', (size_t)before->length) != NULL;
    fail(p, long_string ? place(p) : behind_previous(p),
         rb_arena_printf(p->arena, "expected ';' after %s, but found %s", after, found(p)));
}

static RbName ident(Parser *p, const char *what) {
    RbName name = p->token->name;
    if (accept(p, RB_TOKEN_IDENT)) return name;
    if (!p->panic) {
        bool keyword = p->token->kind >= RB_TOKEN_ALGORITHM && p->token->kind <= RB_TOKEN_WITHIN;
        fail(p, place(p),
             rb_arena_printf(p->arena, "expected %s, but found %s%s", what, found(p),
                             keyword ? ", which is a keyword" : ""));
    }
    return rb_intern(p->names, "?");
}

// Words at which a skip ends although no semicolon was found.
static bool ends_skip(const Parser *p) {
    switch (p->token->kind) {
        case RB_TOKEN_END_OF_FILE:
        case RB_TOKEN_EQUATION:
        case RB_TOKEN_ALGORITHM:
        case RB_TOKEN_PUBLIC:
        case RB_TOKEN_PROTECTED: return true;
        case RB_TOKEN_END: // of a class, not of an array
            return peek(p) == RB_TOKEN_IDENT || peek(p) == RB_TOKEN_IF || peek(p) == RB_TOKEN_FOR ||
                   peek(p) == RB_TOKEN_WHEN || peek(p) == RB_TOKEN_WHILE;
        default: return false;
    }
}

// After an error: go on behind the next semicolon. A missing semicolon costs only the place where
// it is missing.
static void recover(Parser *p, const RbToken *start) {
    if (!p->panic) return;
    p->panic = false;
    if (p->token == start && !at(p, RB_TOKEN_END_OF_FILE)) advance(p); // always make progress
    if (p->token > start && p->token[-1].kind == RB_TOKEN_SEMICOLON) return;
    if (p->token->line > p->token[-1].line && p->token > start + 1 &&
        (at(p, RB_TOKEN_IDENT) || ends_skip(p)) && peek(p) != RB_TOKEN_RPAREN) {
        return; // the next line begins something new
    }
    while (!ends_skip(p) && !at(p, RB_TOKEN_SEMICOLON)) advance(p);
    accept(p, RB_TOKEN_SEMICOLON);
}

static bool enter(Parser *p) {
    if (++p->nesting <= RB_PARSE_NESTING_LIMIT) return true;
    fail(p, place(p),
         rb_arena_printf(p->arena, "nested more than %d levels deep", RB_PARSE_NESTING_LIMIT));
    p->unclosed = true;
    while (!at(p, RB_TOKEN_END_OF_FILE)) advance(p);
    return false;
}

static void leave(Parser *p) {
    p->nesting--;
}

// --- nodes ---------------------------------------------------------------------------------------

typedef LIST(RbAstExpr *) Exprs;

static RbAstExpr *node(Parser *p, RbAstExprKind kind, RbPos where) {
    RbAstExpr *e = rb_new(p->arena, RbAstExpr);
    e->kind = kind;
    e->at = where;
    e->levels = 1;
    return e;
}

static void note_levels(Parser *p, RbAstExpr *e, const RbAstExpr *kid) {
    if (!kid || kid->levels < e->levels) return;
    e->levels = (short)(kid->levels + 1);
    if (e->levels > RB_PARSE_LEVEL_LIMIT) {
        fail(p, e->at,
             rb_arena_printf(p->arena, "this expression is nested more than %d levels deep",
                             RB_PARSE_LEVEL_LIMIT));
        e->levels = 1;
        e->kind = RB_AST_ERROR;
        e->kid_count = e->iterator_count = 0;
        p->unclosed = true;
        while (!at(p, RB_TOKEN_END_OF_FILE)) advance(p);
    }
}

static RbAstExpr *with_kids(Parser *p, RbAstExpr *e, Exprs kids) {
    e->kids = kids.data;
    e->kid_count = kids.count;
    for (int i = 0; i < kids.count; i++) note_levels(p, e, kids.data[i]);
    return e;
}

static RbAstExpr *binary(Parser *p, RbTokenKind op, RbPos where, RbAstExpr *a, RbAstExpr *b) {
    RbAstExpr *e = node(p, b ? RB_AST_BINARY : RB_AST_UNARY, where);
    e->op = op;
    e->kid_count = b ? 2 : 1;
    e->kids = rb_new_array(p->arena, RbAstExpr *, e->kid_count);
    e->kids[0] = a;
    if (b) e->kids[1] = b;
    note_levels(p, e, a);
    note_levels(p, e, b);
    return e;
}

static RbAstText token_text(const RbToken *t) {
    return (RbAstText){t->text, t->length};
}

// --- names and descriptions ----------------------------------------------------------------------

// name = IDENT { "." IDENT }            type-specifier = ["."] name
static RbAstName name(Parser *p, bool may_be_global, const char *what) {
    RbAstName n = {.at = place(p)};
    n.global = may_be_global && accept(p, RB_TOKEN_DOT);
    LIST(RbName) parts = {0};
    rb_array_push(&parts, p->arena, ident(p, what));
    while (at(p, RB_TOKEN_DOT) && peek(p) == RB_TOKEN_IDENT) {
        advance(p);
        rb_array_push(&parts, p->arena, ident(p, what));
    }
    n.parts = parts.data;
    n.count = parts.count;
    return n;
}

// description-string = [ STRING { "+" STRING } ]
static RbAstStrings description_string(Parser *p) {
    LIST(RbAstText) parts = {0};
    if (at(p, RB_TOKEN_STRING)) {
        do {
            rb_array_push(&parts, p->arena, token_text(p->token));
            expect(p, RB_TOKEN_STRING);
        } while (accept(p, RB_TOKEN_PLUS));
    }
    return (RbAstStrings){parts.data, parts.count};
}

// description = description-string [ annotation-clause ]
static RbAstComment description(Parser *p) {
    RbAstComment c = {.text = description_string(p)};
    if (at(p, RB_TOKEN_ANNOTATION)) c.annotation = annotation_clause(p);
    return c;
}

// annotation-clause = "annotation" class-modification
static RbAstMod *annotation_clause(Parser *p) {
    expect(p, RB_TOKEN_ANNOTATION);
    return class_modification(p);
}

// --- expressions ---------------------------------------------------------------------------------

// subscript = ":" | expression
static RbAstExpr *subscript(Parser *p) {
    if (at(p, RB_TOKEN_COLON)) {
        RbAstExpr *e = node(p, RB_AST_COLON, place(p));
        advance(p);
        return e;
    }
    return expression(p);
}

// array-subscripts = "[" subscript { "," subscript } "]"
static int array_subscripts(Parser *p, RbAstExpr ***out) {
    Exprs list = {0};
    expect(p, RB_TOKEN_LBRACKET);
    do rb_array_push(&list, p->arena, subscript(p));
    while (accept(p, RB_TOKEN_COMMA));
    expect(p, RB_TOKEN_RBRACKET);
    *out = list.data;
    return list.count;
}

// component-reference = [ "." ] IDENT [ array-subscripts ] { "." IDENT [ array-subscripts ] }
static RbAstExpr *component_reference(Parser *p) {
    RbAstExpr *e = node(p, RB_AST_REF, place(p));
    e->global = accept(p, RB_TOKEN_DOT);
    LIST(RbAstPart) parts = {0};
    do {
        RbAstPart part = {.name = ident(p, "a name")};
        if (at(p, RB_TOKEN_LBRACKET)) part.subscript_count = array_subscripts(p, &part.subscripts);
        for (int i = 0; i < part.subscript_count; i++) note_levels(p, e, part.subscripts[i]);
        rb_array_push(&parts, p->arena, part);
    } while (accept(p, RB_TOKEN_DOT));
    if (e->kind == RB_AST_ERROR) return e;
    e->parts = parts.data;
    e->kid_count = parts.count;
    return e;
}

// A keyword that is called like a function: der, initial, pure.
static RbAstExpr *keyword_reference(Parser *p) {
    RbAstExpr *e = node(p, RB_AST_REF, place(p));
    e->parts = rb_new(p->arena, RbAstPart);
    e->parts[0].name = rb_intern_bytes(p->names, p->token->text, (size_t)p->token->length);
    e->kid_count = 1;
    advance(p);
    return e;
}

// for-indices = for-index { "," for-index }            for-index = IDENT [ "in" expression ]
static int for_indices(Parser *p, RbAstIterator **out) {
    LIST(RbAstIterator) list = {0};
    do {
        RbAstIterator i = {.at = place(p)};
        i.name = ident(p, "the name of an iterator");
        if (accept(p, RB_TOKEN_IN)) i.range = expression(p);
        rb_array_push(&list, p->arena, i);
    } while (accept(p, RB_TOKEN_COMMA));
    *out = list.data;
    return list.count;
}

static void iterators(Parser *p, RbAstExpr *e) {
    e->iterator_count = for_indices(p, &e->iterators);
    for (int i = 0; i < e->iterator_count; i++) note_levels(p, e, e->iterators[i].range);
}

// function-partial-application = "function" type-specifier "(" [ named-arguments ] ")"
// named-argument = IDENT "=" function-argument
static RbAstExpr *function_argument(Parser *p);

static RbAstExpr *named_argument(Parser *p) {
    RbAstExpr *e = node(p, RB_AST_NAMED, place(p));
    RbName argument = ident(p, "the name of an argument");
    expect(p, RB_TOKEN_EQUALS);
    Exprs kids = {0};
    rb_array_push(&kids, p->arena, function_argument(p));
    with_kids(p, e, kids);
    e->name = argument;
    return e;
}

static RbAstExpr *function_partial_application(Parser *p) {
    RbAstExpr *e = node(p, RB_AST_FUNCTION, place(p));
    expect(p, RB_TOKEN_FUNCTION);
    Exprs kids = {0};
    rb_array_push(&kids, p->arena, component_reference(p));
    expect(p, RB_TOKEN_LPAREN);
    if (!at(p, RB_TOKEN_RPAREN)) {
        do rb_array_push(&kids, p->arena, named_argument(p));
        while (accept(p, RB_TOKEN_COMMA));
    }
    expect(p, RB_TOKEN_RPAREN);
    return with_kids(p, e, kids);
}

// function-argument = function-partial-application | expression
static RbAstExpr *function_argument(Parser *p) {
    return at(p, RB_TOKEN_FUNCTION) ? function_partial_application(p) : expression(p);
}

// function-call-args = "(" [ function-arguments ] ")"
// function-arguments = expression [ "," function-arguments-non-first | "for" for-indices ]
//                    | function-partial-application [ "," ... ] | named-arguments
static RbAstExpr *function_call(Parser *p, RbAstExpr *callee) {
    RbAstExpr *e = node(p, RB_AST_CALL, callee->at);
    Exprs kids = {0};
    rb_array_push(&kids, p->arena, callee);
    expect(p, RB_TOKEN_LPAREN);
    bool named = false;
    while (!at(p, RB_TOKEN_RPAREN) && !p->panic) {
        if (at(p, RB_TOKEN_IDENT) && peek(p) == RB_TOKEN_EQUALS) {
            named = true;
            rb_array_push(&kids, p->arena, named_argument(p));
        } else {
            if (named)
                fail(p, place(p), "an argument without a name cannot follow named arguments");
            rb_array_push(&kids, p->arena, function_argument(p));
        }
        if (kids.count == 2 && accept(p, RB_TOKEN_FOR)) {
            iterators(p, e);
            break;
        }
        if (!accept(p, RB_TOKEN_COMMA)) break;
        if (at(p, RB_TOKEN_RPAREN)) fail_expected(p, "an argument after ','");
    }
    expect(p, RB_TOKEN_RPAREN);
    return with_kids(p, e, kids);
}

// output-expression-list = [ expression ] { "," [ expression ] }
static RbAstExpr *output_expression_list(Parser *p) {
    RbAstExpr *e = node(p, RB_AST_TUPLE, place(p));
    Exprs kids = {0};
    expect(p, RB_TOKEN_LPAREN);
    do {
        bool empty = at(p, RB_TOKEN_COMMA) || at(p, RB_TOKEN_RPAREN);
        rb_array_push(&kids, p->arena, empty ? NULL : expression(p));
    } while (accept(p, RB_TOKEN_COMMA));
    expect(p, RB_TOKEN_RPAREN);
    return with_kids(p, e, kids);
}

// expression-list = expression { "," expression }
static RbAstExpr *expression_list(Parser *p) {
    RbAstExpr *e = node(p, RB_AST_LIST, place(p));
    Exprs kids = {0};
    do rb_array_push(&kids, p->arena, expression(p));
    while (accept(p, RB_TOKEN_COMMA));
    return with_kids(p, e, kids);
}

// "[" expression-list { ";" expression-list } "]"
static RbAstExpr *matrix(Parser *p) {
    RbAstExpr *e = node(p, RB_AST_MATRIX, place(p));
    Exprs kids = {0};
    expect(p, RB_TOKEN_LBRACKET);
    do rb_array_push(&kids, p->arena, expression_list(p));
    while (accept(p, RB_TOKEN_SEMICOLON));
    expect(p, RB_TOKEN_RBRACKET);
    return with_kids(p, e, kids);
}

// "{" array-arguments "}"            array-arguments = expression [ "," ... | "for" for-indices ]
static RbAstExpr *array_constructor(Parser *p) {
    RbAstExpr *e = node(p, RB_AST_ARRAY, place(p));
    Exprs kids = {0};
    expect(p, RB_TOKEN_LBRACE);
    do rb_array_push(&kids, p->arena, expression(p));
    while (accept(p, RB_TOKEN_COMMA));
    if (kids.count == 1 && accept(p, RB_TOKEN_FOR)) iterators(p, e);
    expect(p, RB_TOKEN_RBRACE);
    return with_kids(p, e, kids);
}

static RbAstExpr *literal(Parser *p, RbAstExprKind kind) {
    RbAstExpr *e = node(p, kind, place(p));
    e->text = token_text(p->token);
    advance(p);
    return e;
}

// primary = UNSIGNED-NUMBER | STRING | "false" | "true"
//         | ( component-reference | "der" | "initial" | "pure" ) function-call-args
//         | component-reference | "(" output-expression-list ")"
//         | "[" expression-list { ";" expression-list } "]" | "{" array-arguments "}" | "end"
static RbAstExpr *primary(Parser *p) {
    switch (p->token->kind) {
        case RB_TOKEN_INTEGER: return literal(p, RB_AST_INTEGER);
        case RB_TOKEN_REAL: return literal(p, RB_AST_REAL);
        case RB_TOKEN_STRING: return literal(p, RB_AST_STRING);
        case RB_TOKEN_TRUE: return literal(p, RB_AST_TRUE);
        case RB_TOKEN_FALSE: return literal(p, RB_AST_FALSE);
        case RB_TOKEN_END: return literal(p, RB_AST_END);
        case RB_TOKEN_LPAREN: return output_expression_list(p);
        case RB_TOKEN_LBRACKET: return matrix(p);
        case RB_TOKEN_LBRACE: return array_constructor(p);
        case RB_TOKEN_DER:
        case RB_TOKEN_INITIAL:
        case RB_TOKEN_PURE: return function_call(p, keyword_reference(p));
        case RB_TOKEN_IDENT:
        case RB_TOKEN_DOT: {
            RbAstExpr *reference = component_reference(p);
            return at(p, RB_TOKEN_LPAREN) ? function_call(p, reference) : reference;
        }
        default: break;
    }
    RbAstExpr *e = node(p, RB_AST_ERROR, place(p));
    fail_expected(p, "an expression");
    return e;
}

// factor = primary [ ( "^" | ".^" ) primary ]
static RbAstExpr *factor(Parser *p) {
    RbAstExpr *base = primary(p);
    if (!at(p, RB_TOKEN_POWER) && !at(p, RB_TOKEN_DOT_POWER)) return base;
    const RbToken *op = p->token;
    RbPos where = place(p);
    advance(p);
    if (at(p, RB_TOKEN_MINUS) || at(p, RB_TOKEN_PLUS)) {
        fail(p, place(p), "an exponent with a sign needs parentheses: x^(-2)");
    }
    return binary(p, op->kind, where, base, primary(p));
}

// term = factor { mul-operator factor }            mul-operator = "*" | "/" | ".*" | "./"
static RbAstExpr *term(Parser *p) {
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

static bool at_add_operator(const Parser *p) {
    return at(p, RB_TOKEN_PLUS) || at(p, RB_TOKEN_MINUS) || at(p, RB_TOKEN_DOT_PLUS) ||
           at(p, RB_TOKEN_DOT_MINUS);
}

// arithmetic-expression = [ add-operator ] term { add-operator term }
static RbAstExpr *arithmetic_expression(Parser *p) {
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

static bool at_relational_operator(const Parser *p) {
    return p->token->kind >= RB_TOKEN_LESS && p->token->kind <= RB_TOKEN_NOT_EQUAL;
}

// relation = arithmetic-expression [ relational-operator arithmetic-expression ]
static RbAstExpr *relation(Parser *p) {
    RbAstExpr *e = arithmetic_expression(p);
    if (!at_relational_operator(p)) return e;
    RbTokenKind op = p->token->kind;
    RbPos where = place(p);
    advance(p);
    e = binary(p, op, where, e, arithmetic_expression(p));
    if (at_relational_operator(p)) {
        fail(p, place(p), "relations cannot be chained; write 'a < b and b < c'");
    }
    return e;
}

// logical-factor = [ "not" ] relation
static RbAstExpr *logical_factor(Parser *p) {
    RbPos where = place(p);
    if (!accept(p, RB_TOKEN_NOT)) return relation(p);
    return binary(p, RB_TOKEN_NOT, where, relation(p), NULL);
}

// logical-term = logical-factor { "and" logical-factor }
static RbAstExpr *logical_term(Parser *p) {
    RbAstExpr *e = logical_factor(p);
    while (at(p, RB_TOKEN_AND)) {
        RbPos where = place(p);
        advance(p);
        e = binary(p, RB_TOKEN_AND, where, e, logical_factor(p));
    }
    return e;
}

// logical-expression = logical-term { "or" logical-term }
static RbAstExpr *logical_expression(Parser *p) {
    RbAstExpr *e = logical_term(p);
    while (at(p, RB_TOKEN_OR)) {
        RbPos where = place(p);
        advance(p);
        e = binary(p, RB_TOKEN_OR, where, e, logical_term(p));
    }
    return e;
}

// simple-expression = logical-expression [ ":" logical-expression [ ":" logical-expression ] ]
static RbAstExpr *simple_expression(Parser *p) {
    RbAstExpr *first = logical_expression(p);
    if (!at(p, RB_TOKEN_COLON)) return first;
    RbAstExpr *e = node(p, RB_AST_RANGE, first->at);
    Exprs kids = {0};
    rb_array_push(&kids, p->arena, first);
    while (kids.count < 3 && accept(p, RB_TOKEN_COLON)) {
        rb_array_push(&kids, p->arena, logical_expression(p));
    }
    return with_kids(p, e, kids);
}

// "if" expression "then" expression { "elseif" expression "then" expression } "else" expression
static RbAstExpr *if_expression(Parser *p) {
    RbAstExpr *e = node(p, RB_AST_IF, place(p));
    Exprs kids = {0};
    advance(p);
    do {
        rb_array_push(&kids, p->arena, expression(p));
        expect(p, RB_TOKEN_THEN);
        rb_array_push(&kids, p->arena, expression(p));
    } while (accept(p, RB_TOKEN_ELSEIF));
    if (!at(p, RB_TOKEN_ELSE)) fail_expected(p, "'else', which an if-expression needs");
    accept(p, RB_TOKEN_ELSE);
    rb_array_push(&kids, p->arena, expression(p));
    return with_kids(p, e, kids);
}

// expression = simple-expression | if-expression
static RbAstExpr *expression(Parser *p) {
    RbAstExpr *e = NULL;
    if (enter(p)) e = at(p, RB_TOKEN_IF) ? if_expression(p) : simple_expression(p);
    leave(p);
    return e ? e : node(p, RB_AST_ERROR, place(p));
}

// --- modifications -------------------------------------------------------------------------------

// modification-expression = expression | "break"
static RbAstExpr *modification_expression(Parser *p) {
    if (!at(p, RB_TOKEN_BREAK)) return expression(p);
    RbAstExpr *e = node(p, RB_AST_BREAK, place(p));
    advance(p);
    return e;
}

// modification = class-modification [ "=" modification-expression ]
//              | "=" modification-expression | ":=" modification-expression
static RbAstMod *modification(Parser *p) {
    RbAstMod *m;
    if (at(p, RB_TOKEN_LPAREN)) {
        m = class_modification(p);
        if (accept(p, RB_TOKEN_EQUALS)) m->value = modification_expression(p);
        return m;
    }
    m = rb_new(p->arena, RbAstMod);
    m->at = place(p);
    m->assign = at(p, RB_TOKEN_ASSIGN);
    advance(p);
    m->value = modification_expression(p);
    return m;
}

static bool at_modification(const Parser *p) {
    return at(p, RB_TOKEN_LPAREN) || at(p, RB_TOKEN_EQUALS) || at(p, RB_TOKEN_ASSIGN);
}

// connect-equation = "connect" "(" component-reference "," component-reference ")"
static RbAstEquation *connect_equation(Parser *p) {
    RbAstEquation *e = rb_new(p->arena, RbAstEquation);
    e->kind = RB_AST_EQ_CONNECT;
    e->at = place(p);
    expect(p, RB_TOKEN_CONNECT);
    expect(p, RB_TOKEN_LPAREN);
    e->left = component_reference(p);
    expect(p, RB_TOKEN_COMMA);
    e->right = component_reference(p);
    expect(p, RB_TOKEN_RPAREN);
    return e;
}

// inheritance-modification = "break" ( connect-equation | IDENT )
static void inheritance_modification(Parser *p, RbAstArgument *a) {
    advance(p);
    a->is_break = true;
    if (at(p, RB_TOKEN_CONNECT))
        a->broken_connect = connect_equation(p);
    else
        a->name = name(p, false, "the name of a component");
}

// argument = element-modification-or-replaceable | element-redeclaration
// element-modification-or-replaceable = [ "each" ] [ "final" ] ( element-modification |
// element-replaceable ) element-modification = name [ modification ] description-string
// element-redeclaration = "redeclare" [ "each" ] [ "final" ] ( short-class-definition |
// component-clause1
//                         | element-replaceable )
static RbAstArgument argument(Parser *p) {
    RbAstArgument a = {.at = place(p)};
    if (at(p, RB_TOKEN_BREAK)) {
        inheritance_modification(p, &a);
        return a;
    }
    bool redeclare = accept(p, RB_TOKEN_REDECLARE);
    a.each = accept(p, RB_TOKEN_EACH);
    a.final = accept(p, RB_TOKEN_FINAL);
    if (redeclare || at(p, RB_TOKEN_REPLACEABLE)) {
        a.element = element_replaceable(p, redeclare);
        a.element->at = a.at;
        return a;
    }
    a.name = name(p, false, "the name of what is modified");
    if (at_modification(p)) a.mod = modification(p);
    a.text = description_string(p);
    return a;
}

// class-modification = "(" [ argument-list ] ")"            argument-list = argument { "," argument
// }
static RbAstMod *class_modification(Parser *p) {
    RbAstMod *m = rb_new(p->arena, RbAstMod);
    m->at = place(p);
    m->parentheses = true;
    LIST(RbAstArgument) list = {0};
    expect(p, RB_TOKEN_LPAREN);
    if (enter(p) && !at(p, RB_TOKEN_RPAREN) && !p->panic) {
        do rb_array_push(&list, p->arena, argument(p));
        while (accept(p, RB_TOKEN_COMMA) && !p->panic);
    }
    leave(p);
    expect(p, RB_TOKEN_RPAREN);
    m->arguments = list.data;
    m->count = list.count;
    return m;
}

// --- components ----------------------------------------------------------------------------------

// type-prefix = [ "flow" | "stream" ] [ "discrete" | "parameter" | "constant" ] [ "input" |
// "output" ]
static void type_prefix(Parser *p, RbAstElement *e) {
    if (accept(p, RB_TOKEN_FLOW))
        e->flow = RB_AST_FLOW;
    else if (accept(p, RB_TOKEN_STREAM))
        e->flow = RB_AST_STREAM;
    if (accept(p, RB_TOKEN_DISCRETE))
        e->variability = RB_AST_DISCRETE;
    else if (accept(p, RB_TOKEN_PARAMETER))
        e->variability = RB_AST_PARAMETER;
    else if (accept(p, RB_TOKEN_CONSTANT))
        e->variability = RB_AST_CONSTANT;
    if (accept(p, RB_TOKEN_INPUT))
        e->causality = RB_AST_INPUT;
    else if (accept(p, RB_TOKEN_OUTPUT))
        e->causality = RB_AST_OUTPUT;
}

// declaration = IDENT [ array-subscripts ] [ modification ]
static RbAstComponent declaration(Parser *p) {
    RbAstComponent c = {.at = place(p)};
    c.name = ident(p, "the name of a component");
    if (at(p, RB_TOKEN_LBRACKET)) c.dimension_count = array_subscripts(p, &c.dimensions);
    if (at_modification(p)) c.mod = modification(p);
    return c;
}

// component-declaration = declaration [ condition-attribute ] description
// condition-attribute = "if" expression
static RbAstComponent component_declaration(Parser *p) {
    RbAstComponent c = declaration(p);
    if (accept(p, RB_TOKEN_IF)) c.condition = expression(p);
    c.comment = description(p);
    return c;
}

// component-clause = type-prefix type-specifier [ array-subscripts ] component-list
// component-list = component-declaration { "," component-declaration }
// component-clause1 = type-prefix type-specifier declaration description
static void component_clause(Parser *p, RbAstElement *e, bool single) {
    e->kind = RB_AST_COMPONENTS;
    type_prefix(p, e);
    e->type = name(p, true, "a type, a component or an equation");
    if (!single && at(p, RB_TOKEN_LBRACKET)) {
        e->dimension_count = array_subscripts(p, &e->dimensions);
    }
    LIST(RbAstComponent) list = {0};
    if (single) {
        RbAstComponent c = declaration(p);
        c.comment = description(p);
        rb_array_push(&list, p->arena, c);
    } else {
        do rb_array_push(&list, p->arena, component_declaration(p));
        while (accept(p, RB_TOKEN_COMMA));
    }
    e->components = list.data;
    e->component_count = list.count;
}

// --- classes -------------------------------------------------------------------------------------

static bool at_class_prefix(const Parser *p) {
    switch (p->token->kind) {
        case RB_TOKEN_PARTIAL:
        case RB_TOKEN_CLASS:
        case RB_TOKEN_MODEL:
        case RB_TOKEN_RECORD:
        case RB_TOKEN_BLOCK:
        case RB_TOKEN_EXPANDABLE:
        case RB_TOKEN_CONNECTOR:
        case RB_TOKEN_TYPE:
        case RB_TOKEN_PACKAGE:
        case RB_TOKEN_PURE:
        case RB_TOKEN_IMPURE:
        case RB_TOKEN_OPERATOR:
        case RB_TOKEN_FUNCTION:
        case RB_TOKEN_ENCAPSULATED: return true;
        default: return false;
    }
}

// class-prefixes = [ "partial" ] ( "class" | "model" | [ "operator" ] "record" | "block"
//                | [ "expandable" ] "connector" | "type" | "package"
//                | [ "pure" | "impure" ] [ "operator" ] "function" | "operator" )
static void class_prefixes(Parser *p, RbAstClass *c) {
    c->partial = accept(p, RB_TOKEN_PARTIAL);
    c->pure = accept(p, RB_TOKEN_PURE);
    c->impure = !c->pure && accept(p, RB_TOKEN_IMPURE);
    bool is_operator = accept(p, RB_TOKEN_OPERATOR);
    bool expandable = !is_operator && accept(p, RB_TOKEN_EXPANDABLE);
    RbTokenKind kind = p->token->kind;
    if (is_operator && kind != RB_TOKEN_RECORD && kind != RB_TOKEN_FUNCTION) {
        c->restriction = RB_KIND_OPERATOR;
        return;
    }
    switch (kind) {
        case RB_TOKEN_CLASS: c->restriction = RB_KIND_CLASS; break;
        case RB_TOKEN_MODEL: c->restriction = RB_KIND_MODEL; break;
        case RB_TOKEN_RECORD:
            c->restriction = is_operator ? RB_KIND_OPERATOR_RECORD : RB_KIND_RECORD;
            break;
        case RB_TOKEN_BLOCK: c->restriction = RB_KIND_BLOCK; break;
        case RB_TOKEN_CONNECTOR:
            c->restriction = expandable ? RB_KIND_EXPANDABLE_CONNECTOR : RB_KIND_CONNECTOR;
            break;
        case RB_TOKEN_TYPE: c->restriction = RB_KIND_TYPE; break;
        case RB_TOKEN_PACKAGE: c->restriction = RB_KIND_PACKAGE; break;
        case RB_TOKEN_FUNCTION:
            c->restriction = is_operator ? RB_KIND_OPERATOR_FUNCTION : RB_KIND_FUNCTION;
            break;
        default: fail_expected(p, "a kind of class (model, package, function, ...)"); return;
    }
    advance(p);
}

// import-clause = "import" ( IDENT "=" name | name [ ".*" | "." ( "*" | "{" import-list "}" ) ] )
// description import-list = IDENT { "," IDENT }
static RbAstElement *import_clause(Parser *p) {
    RbAstElement *e = rb_new(p->arena, RbAstElement);
    e->kind = RB_AST_IMPORT;
    e->at = place(p);
    expect(p, RB_TOKEN_IMPORT);
    if (at(p, RB_TOKEN_IDENT) && peek(p) == RB_TOKEN_EQUALS) {
        e->import = RB_IMPORT_RENAMED;
        e->alias = ident(p, "a name");
        advance(p);
    }
    e->type = name(p, false, "the name of a class or package");
    if (e->import == RB_IMPORT_QUALIFIED) {
        if (accept(p, RB_TOKEN_DOT_TIMES)) {
            e->import = RB_IMPORT_ALL;
        } else if (accept(p, RB_TOKEN_DOT)) {
            if (accept(p, RB_TOKEN_TIMES)) {
                e->import = RB_IMPORT_ALL;
            } else {
                e->import = RB_IMPORT_LIST;
                LIST(RbName) list = {0};
                expect(p, RB_TOKEN_LBRACE);
                do rb_array_push(&list, p->arena, ident(p, "a name"));
                while (accept(p, RB_TOKEN_COMMA));
                expect(p, RB_TOKEN_RBRACE);
                e->imports = list.data;
                e->import_count = list.count;
            }
        }
    }
    e->comment = description(p);
    return e;
}

// extends-clause = "extends" type-specifier [ class-or-inheritance-modification ] [
// annotation-clause ]
static RbAstElement *extends_clause(Parser *p) {
    RbAstElement *e = rb_new(p->arena, RbAstElement);
    e->kind = RB_AST_EXTENDS;
    e->at = place(p);
    expect(p, RB_TOKEN_EXTENDS);
    e->type = name(p, true, "the name of a base class");
    if (at(p, RB_TOKEN_LPAREN)) e->mod = class_modification(p);
    if (at(p, RB_TOKEN_ANNOTATION)) e->comment.annotation = annotation_clause(p);
    return e;
}

// constraining-clause = "constrainedby" type-specifier [ class-modification ]
static void constraining_clause(Parser *p, RbAstElement *e) {
    if (!accept(p, RB_TOKEN_CONSTRAINEDBY)) return;
    e->constrained = true;
    e->constraint = name(p, true, "the name of a class");
    if (at(p, RB_TOKEN_LPAREN)) e->constraint_mod = class_modification(p);
}

// element-replaceable = "replaceable" ( short-class-definition | component-clause1 ) [
// constraining-clause ]
static RbAstElement *element_replaceable(Parser *p, bool redeclare) {
    RbAstElement *e = rb_new(p->arena, RbAstElement);
    e->at = place(p);
    e->redeclare = redeclare;
    e->replaceable = accept(p, RB_TOKEN_REPLACEABLE);
    if (at_class_prefix(p)) {
        e->kind = RB_AST_CLASS;
        e->class = class_definition(p);
    } else {
        component_clause(p, e, true);
    }
    if (e->replaceable) {
        constraining_clause(p, e);
        if (e->constrained) e->comment = description(p);
    }
    return e;
}

// element = import-clause | extends-clause
//         | [ "redeclare" ] [ "final" ] [ "inner" ] [ "outer" ]
//           ( class-definition | component-clause
//           | "replaceable" ( class-definition | component-clause ) [ constraining-clause
//           description ] )
static RbAstElement *element(Parser *p) {
    if (at(p, RB_TOKEN_IMPORT)) return import_clause(p);
    if (at(p, RB_TOKEN_EXTENDS)) return extends_clause(p);
    RbAstElement *e = rb_new(p->arena, RbAstElement);
    e->at = place(p);
    e->redeclare = accept(p, RB_TOKEN_REDECLARE);
    e->final = accept(p, RB_TOKEN_FINAL);
    e->inner = accept(p, RB_TOKEN_INNER);
    e->outer = accept(p, RB_TOKEN_OUTER);
    e->replaceable = accept(p, RB_TOKEN_REPLACEABLE);
    if (at_class_prefix(p)) {
        e->kind = RB_AST_CLASS;
        e->class = class_definition(p);
    } else {
        component_clause(p, e, false);
    }
    if (e->replaceable) {
        constraining_clause(p, e);
        if (e->constrained) e->comment = description(p);
    }
    return e;
}

static bool at_section_end(const Parser *p) {
    switch (p->token->kind) {
        case RB_TOKEN_END_OF_FILE:
        case RB_TOKEN_PUBLIC:
        case RB_TOKEN_PROTECTED:
        case RB_TOKEN_EQUATION:
        case RB_TOKEN_ALGORITHM:
        case RB_TOKEN_EXTERNAL:
        case RB_TOKEN_ANNOTATION:
        case RB_TOKEN_END: return true;
        case RB_TOKEN_INITIAL: return peek(p) == RB_TOKEN_EQUATION || peek(p) == RB_TOKEN_ALGORITHM;
        default: return false;
    }
}

typedef LIST(RbAstElement *) Elements;

// element-list = { element ";" }
static void element_list(Parser *p, Elements *list, bool is_protected) {
    while (!at_section_end(p)) {
        const RbToken *start = p->token;
        RbAstElement *e = element(p);
        e->is_protected = is_protected;
        rb_array_push(list, p->arena, e);
        expect_semicolon(p, e->kind == RB_AST_COMPONENTS ? "the declaration"
                            : e->kind == RB_AST_CLASS    ? "the class"
                            : e->kind == RB_AST_IMPORT   ? "the import clause"
                                                         : "the extends clause");
        recover(p, start);
    }
}

typedef LIST(RbAstEquation *) Equations;

// { equation ";" } or { statement ";" } until a word that ends the list
static void equation_list(Parser *p, Equations *list, bool algorithm) {
    while (!at_section_end(p) && !at(p, RB_TOKEN_ELSE) && !at(p, RB_TOKEN_ELSEIF) &&
           !at(p, RB_TOKEN_ELSEWHEN)) {
        const RbToken *start = p->token;
        rb_array_push(list, p->arena, equation(p, algorithm));
        expect_semicolon(p, algorithm ? "the statement" : "the equation");
        recover(p, start);
    }
}

// equation-section = [ "initial" ] "equation" { equation ";" }
// algorithm-section = [ "initial" ] "algorithm" { statement ";" }
static RbAstSection equation_section(Parser *p) {
    RbAstSection s = {.at = place(p)};
    bool initial = accept(p, RB_TOKEN_INITIAL);
    bool algorithm = at(p, RB_TOKEN_ALGORITHM);
    advance(p);
    s.kind = algorithm ? (initial ? RB_AST_INITIAL_ALGORITHM : RB_AST_ALGORITHM)
                       : (initial ? RB_AST_INITIAL_EQUATIONS : RB_AST_EQUATIONS);
    Equations list = {0};
    equation_list(p, &list, algorithm);
    while (at(p, RB_TOKEN_ELSE) || at(p, RB_TOKEN_ELSEIF) || at(p, RB_TOKEN_ELSEWHEN)) {
        const RbToken *start = p->token;
        fail(p, place(p),
             rb_arena_printf(p->arena, "%s without 'if' or 'when' before it", found(p)));
        recover(p, start);
        equation_list(p, &list, algorithm);
    }
    s.list = list.data;
    s.count = list.count;
    return s;
}

// "external" [ language-specification ] [ external-function-call ] [ annotation-clause ] ";"
// external-function-call = [ component-reference "=" ] IDENT "(" [ expression-list ] ")"
static RbAstExternal *external_clause(Parser *p) {
    RbAstExternal *x = rb_new(p->arena, RbAstExternal);
    x->at = place(p);
    expect(p, RB_TOKEN_EXTERNAL);
    if (at(p, RB_TOKEN_STRING)) {
        x->language = token_text(p->token);
        advance(p);
    }
    if (at(p, RB_TOKEN_IDENT) || at(p, RB_TOKEN_DOT)) {
        if (peek(p) != RB_TOKEN_LPAREN) {
            x->result = component_reference(p);
            expect(p, RB_TOKEN_EQUALS);
        }
        x->function = ident(p, "the name of the external function");
        expect(p, RB_TOKEN_LPAREN);
        if (!at(p, RB_TOKEN_RPAREN)) {
            RbAstExpr *list = expression_list(p);
            x->arguments = list->kids;
            x->argument_count = list->kid_count;
        }
        expect(p, RB_TOKEN_RPAREN);
    }
    if (at(p, RB_TOKEN_ANNOTATION)) x->annotation = annotation_clause(p);
    expect_semicolon(p, "the external clause");
    return x;
}

static RbAstSection section(Parser *p, Elements *elements) {
    RbAstSection s = {.at = place(p), .kind = RB_AST_ELEMENTS, .first = elements->count};
    if (accept(p, RB_TOKEN_PUBLIC))
        s.kind = RB_AST_PUBLIC;
    else if (accept(p, RB_TOKEN_PROTECTED))
        s.kind = RB_AST_PROTECTED;
    element_list(p, elements, s.kind == RB_AST_PROTECTED);
    s.count = elements->count - s.first;
    return s;
}

static bool at_equations(const Parser *p) {
    return at(p, RB_TOKEN_EQUATION) || at(p, RB_TOKEN_ALGORITHM) || at(p, RB_TOKEN_INITIAL);
}

// composition = element-list { "public" element-list | "protected" element-list | equation-section
//             | algorithm-section } [ external ... ";" ] [ annotation-clause ";" ]
static void composition(Parser *p, RbAstClass *c) {
    Elements elements = {0};
    LIST(RbAstSection) sections = {0};
    rb_array_push(&sections, p->arena, section(p, &elements));
    while (!at(p, RB_TOKEN_END) && !at(p, RB_TOKEN_END_OF_FILE)) {
        const RbToken *start = p->token;
        if (at_equations(p)) {
            rb_array_push(&sections, p->arena, equation_section(p));
        } else if (at(p, RB_TOKEN_EXTERNAL)) {
            c->external = external_clause(p);
        } else if (at(p, RB_TOKEN_ANNOTATION)) {
            RbAstMod *annotation = annotation_clause(p);
            expect_semicolon(p, "the annotation");
            if (c->annotation && !p->panic) {
                rb_fail(p->diag, RB_ERROR_MODEL, annotation->at,
                        "class '%s' has a second annotation", c->name);
                p->failed = true;
            }
            c->annotation = annotation;
        } else if (at(p, RB_TOKEN_PUBLIC) || at(p, RB_TOKEN_PROTECTED) || !at_section_end(p)) {
            rb_array_push(&sections, p->arena, section(p, &elements));
        } else {
            fail_expected(p, "a declaration, an equation or 'end'");
        }
        recover(p, start);
    }
    c->elements = elements.data;
    c->element_count = elements.count;
    c->sections = sections.data;
    c->section_count = sections.count;
}

static void end_of_class(Parser *p, RbAstClass *c) {
    RbPos where = place(p);
    if (!accept(p, RB_TOKEN_END)) {
        if (!p->panic) {
            fail(p, where,
                 rb_arena_printf(
                     p->arena, "expected 'end %s;' for the %s that begins in line %d, but found %s",
                     c->name, rb_restriction_name(c->restriction), c->at.line, found(p)));
        }
        return;
    }
    where = place(p);
    RbName end = at(p, RB_TOKEN_IDENT) ? p->token->name : NULL;
    if (end == c->name) {
        advance(p);
        return;
    }
    fail(p, where,
         rb_arena_printf(
             p->arena, "expected 'end %s;' for the %s that begins in line %d, but found 'end %.*s'",
             c->name, rb_restriction_name(c->restriction), c->at.line, p->token->length,
             p->token->text));
    advance(p);
}

// enum-list = enumeration-literal { "," enumeration-literal }            enumeration-literal =
// IDENT description
static void enumeration(Parser *p, RbAstClass *c) {
    c->specifier = RB_AST_ENUMERATION;
    advance(p);
    expect(p, RB_TOKEN_LPAREN);
    LIST(RbAstLiteral) list = {0};
    if (accept(p, RB_TOKEN_COLON)) {
        c->open = true;
    } else if (!at(p, RB_TOKEN_RPAREN)) {
        do {
            RbAstLiteral l = {.at = place(p)};
            l.name = ident(p, "the name of an enumeration literal");
            l.comment = description(p);
            rb_array_push(&list, p->arena, l);
        } while (accept(p, RB_TOKEN_COMMA) && !p->panic);
    }
    expect(p, RB_TOKEN_RPAREN);
    c->literals = list.data;
    c->literal_count = list.count;
}

// der-class-specifier = IDENT "=" "der" "(" type-specifier "," IDENT { "," IDENT } ")" description
static void derivative_class(Parser *p, RbAstClass *c) {
    c->specifier = RB_AST_DERIVATIVE;
    advance(p);
    expect(p, RB_TOKEN_LPAREN);
    c->type = name(p, true, "the name of a function");
    LIST(RbName) list = {0};
    expect(p, RB_TOKEN_COMMA);
    do rb_array_push(&list, p->arena, ident(p, "the name of an input"));
    while (accept(p, RB_TOKEN_COMMA));
    expect(p, RB_TOKEN_RPAREN);
    c->variables = list.data;
    c->variable_count = list.count;
}

// short-class-specifier = IDENT "=" base-prefix type-specifier [ array-subscripts ] [
// class-modification ]
//                         description | IDENT "=" "enumeration" "(" ( [ enum-list ] | ":" ) ")"
//                         description
// base-prefix = [ "input" | "output" ]
static void short_class(Parser *p, RbAstClass *c) {
    advance(p); // =
    if (at(p, RB_TOKEN_ENUMERATION)) {
        enumeration(p, c);
    } else if (at(p, RB_TOKEN_DER)) {
        derivative_class(p, c);
    } else {
        c->specifier = RB_AST_SHORT;
        if (accept(p, RB_TOKEN_INPUT))
            c->causality = RB_AST_INPUT;
        else if (accept(p, RB_TOKEN_OUTPUT))
            c->causality = RB_AST_OUTPUT;
        c->type = name(p, true, "the name of a class");
        if (at(p, RB_TOKEN_LBRACKET)) c->dimension_count = array_subscripts(p, &c->dimensions);
        if (at(p, RB_TOKEN_LPAREN)) c->mod = class_modification(p);
    }
    RbAstComment comment = description(p);
    c->text = comment.text;
    c->annotation = comment.annotation;
}

// class-definition = [ "encapsulated" ] class-prefixes class-specifier
// long-class-specifier = IDENT description-string composition "end" IDENT
//                      | "extends" IDENT [ class-modification ] description-string composition
//                      "end" IDENT
static RbAstClass *class_definition(Parser *p) {
    RbAstClass *c = rb_new(p->arena, RbAstClass);
    c->at = place(p);
    if (!enter(p)) {
        c->name = rb_intern(p->names, "?");
        leave(p);
        return c;
    }
    c->encapsulated = accept(p, RB_TOKEN_ENCAPSULATED);
    class_prefixes(p, c);
    bool extends = accept(p, RB_TOKEN_EXTENDS);
    RbPos where = place(p);
    c->name = ident(p, "the name of the class");
    c->at = where;
    if (extends) {
        c->specifier = RB_AST_LONG_EXTENDS;
        if (at(p, RB_TOKEN_LPAREN)) c->extends_mod = class_modification(p);
    }
    if (!extends && at(p, RB_TOKEN_EQUALS)) {
        short_class(p, c);
    } else if (!p->panic) {
        c->text = description_string(p);
        composition(p, c);
        end_of_class(p, c);
    }
    leave(p);
    return c;
}

// --- equations and statements --------------------------------------------------------------------

static RbAstBlock block(Parser *p, RbAstExpr *condition, RbPos where, bool algorithm) {
    RbAstBlock b = {.at = where, .condition = condition};
    Equations list = {0};
    equation_list(p, &list, algorithm);
    b.list = list.data;
    b.count = list.count;
    return b;
}

static void end_of(Parser *p, RbTokenKind kind, const RbAstEquation *e) {
    if (at(p, RB_TOKEN_END) && peek(p) == kind) {
        advance(p);
        advance(p);
        return;
    }
    if (p->panic) return;
    bool other_end =
        at(p, RB_TOKEN_END) && peek(p) != RB_TOKEN_IDENT && peek(p) != RB_TOKEN_END_OF_FILE;
    const char *word = rb_token_kind_name(kind) + 1; // without the first quote
    fail(p, place(p),
         rb_arena_printf(
             p->arena, "expected 'end %s for the '%s in line %d, but found %s%s", word, word,
             e->at.line, at(p, RB_TOKEN_END) ? "'end " : "",
             at(p, RB_TOKEN_END) && peek(p) != RB_TOKEN_END_OF_FILE
                 ? rb_arena_printf(p->arena, "%.*s'", p->token[1].length, p->token[1].text)
                 : found(p)));
    if (other_end) { // the end of something else was meant to be this one
        advance(p);
        advance(p);
        p->panic = false;
    }
}

// if-equation = "if" expression "then" { equation ";" } { "elseif" expression "then" { equation ";"
// } }
//               [ "else" { equation ";" } ] "end" "if"
// when-equation = "when" expression "then" { equation ";" } { "elsewhen" expression "then" {
// equation ";" } }
//                 "end" "when"
static void conditional(Parser *p, RbAstEquation *e, bool algorithm) {
    bool is_if = at(p, RB_TOKEN_IF);
    RbTokenKind word = p->token->kind, again = is_if ? RB_TOKEN_ELSEIF : RB_TOKEN_ELSEWHEN;
    e->kind = is_if ? RB_AST_EQ_IF : RB_AST_EQ_WHEN;
    LIST(RbAstBlock) blocks = {0};
    do {
        RbPos where = place(p);
        advance(p); // if, elseif, when, elsewhen
        const RbToken *start = p->token;
        RbAstExpr *condition = expression(p);
        expect(p, RB_TOKEN_THEN);
        recover(p, start);
        rb_array_push(&blocks, p->arena, block(p, condition, where, algorithm));
    } while (at(p, again));
    if (is_if && at(p, RB_TOKEN_ELSE)) {
        RbPos where = place(p);
        advance(p);
        rb_array_push(&blocks, p->arena, block(p, NULL, where, algorithm));
    }
    end_of(p, word, e);
    e->blocks = blocks.data;
    e->block_count = blocks.count;
}

// for-equation = "for" for-indices "loop" { equation ";" } "end" "for"
// while-statement = "while" expression "loop" { statement ";" } "end" "while"
static void loop(Parser *p, RbAstEquation *e, bool algorithm) {
    bool is_for = at(p, RB_TOKEN_FOR);
    RbTokenKind word = p->token->kind;
    e->kind = is_for ? RB_AST_EQ_FOR : RB_AST_EQ_WHILE;
    advance(p);
    RbAstExpr *condition = NULL;
    const RbToken *start = p->token;
    if (is_for)
        e->iterator_count = for_indices(p, &e->iterators);
    else
        condition = expression(p);
    expect(p, RB_TOKEN_LOOP);
    recover(p, start);
    e->blocks = rb_new(p->arena, RbAstBlock);
    e->blocks[0] = block(p, condition, e->at, algorithm);
    e->block_count = 1;
    end_of(p, word, e);
}

// simple-expression "=" expression | component-reference function-call-args
static void simple_equation(Parser *p, RbAstEquation *e) {
    e->left = simple_expression(p);
    if (e->left->kind == RB_AST_CALL && !at(p, RB_TOKEN_EQUALS) && !at(p, RB_TOKEN_EQUAL) &&
        !at(p, RB_TOKEN_ASSIGN)) {
        e->kind = RB_AST_EQ_CALL;
        return;
    }
    e->kind = RB_AST_EQ_EQUAL;
    if (e->left->kind == RB_AST_BINARY && e->left->op == RB_TOKEN_EQUAL &&
        at(p, RB_TOKEN_SEMICOLON)) {
        fail(p, e->left->at, "an equation is written with '=', not '=='");
    }
    expect(p, RB_TOKEN_EQUALS);
    e->right = expression(p);
}

// component-reference ( ":=" expression | function-call-args )
// "(" output-expression-list ")" ":=" component-reference function-call-args
static void simple_statement(Parser *p, RbAstEquation *e) {
    if (at(p, RB_TOKEN_LPAREN)) {
        e->left = output_expression_list(p);
    } else if (at(p, RB_TOKEN_IDENT) || at(p, RB_TOKEN_DOT)) {
        e->left = component_reference(p);
        if (at(p, RB_TOKEN_LPAREN)) {
            e->kind = RB_AST_EQ_CALL;
            e->left = function_call(p, e->left);
            return;
        }
    } else {
        fail_expected(p, "a statement");
        return;
    }
    e->kind = RB_AST_EQ_EQUAL;
    if (at(p, RB_TOKEN_EQUALS)) {
        fail(p, place(p), "an assignment is written with ':='; '=' is for equations");
    }
    expect(p, RB_TOKEN_ASSIGN);
    e->right = expression(p);
}

// equation = ( simple-expression "=" expression | if-equation | for-equation | connect-equation |
// when-equation
//            | component-reference function-call-args ) description
// statement = ( component-reference ( ":=" expression | function-call-args ) | ... | "break" |
// "return"
//             | if-statement | for-statement | while-statement | when-statement ) description
static RbAstEquation *equation(Parser *p, bool algorithm) {
    RbAstEquation *e = rb_new(p->arena, RbAstEquation);
    e->at = place(p);
    if (!enter(p)) {
        leave(p);
        return e;
    }
    if (at(p, RB_TOKEN_IF) || at(p, RB_TOKEN_WHEN)) {
        conditional(p, e, algorithm);
    } else if (at(p, RB_TOKEN_FOR) || (algorithm && at(p, RB_TOKEN_WHILE))) {
        loop(p, e, algorithm);
    } else if (algorithm && at(p, RB_TOKEN_BREAK)) {
        e->kind = RB_AST_EQ_BREAK;
        advance(p);
    } else if (algorithm && at(p, RB_TOKEN_RETURN)) {
        e->kind = RB_AST_EQ_RETURN;
        advance(p);
    } else if (!algorithm && at(p, RB_TOKEN_CONNECT)) {
        e = connect_equation(p);
    } else if (algorithm) {
        simple_statement(p, e);
    } else {
        simple_equation(p, e);
    }
    e->comment = description(p);
    leave(p);
    return e;
}

// At the top level only another class can follow: at the beginning of a line.
static void recover_class(Parser *p, const RbToken *start) {
    if (!p->panic) return;
    p->panic = false;
    if (p->token == start) advance(p);
    while (!at(p, RB_TOKEN_END_OF_FILE) && !(at_class_prefix(p) && p->token->column == 1))
        advance(p);
}

// --- files ---------------------------------------------------------------------------------------

// stored-definition = [ "within" [ name ] ";" ] { [ "final" ] class-definition ";" }
static RbAstFile *stored_definition(Parser *p) {
    RbAstFile *f = rb_new(p->arena, RbAstFile);
    f->file = p->file;
    if (at(p, RB_TOKEN_WITHIN)) {
        f->has_within = true;
        f->within_at = place(p);
        advance(p);
        if (!at(p, RB_TOKEN_SEMICOLON) && !at_class_prefix(p))
            f->within = name(p, false, "the name of a package");
        expect_semicolon(p, "the within clause");
        p->panic = false;
    }
    LIST(RbAstClass *) classes = {0};
    while (!at(p, RB_TOKEN_END_OF_FILE)) {
        const RbToken *start = p->token;
        bool final = accept(p, RB_TOKEN_FINAL);
        if (at_class_prefix(p)) {
            RbAstClass *c = class_definition(p);
            c->final = final;
            rb_array_push(&classes, p->arena, c);
            expect_semicolon(p, "the class");
        } else {
            fail_expected(p, "a class (model, package, function, ...)");
        }
        recover_class(p, start);
    }
    f->classes = classes.data;
    f->class_count = classes.count;
    return f;
}

RbStatus rb_parse(const RbTokens *tokens, RbNames *names, RbArena *keep, RbDiag *diag,
                  RbAstFile **out) {
    int errors = diag->error_count;
    Parser p = {.token = tokens->list.data,
                .file = tokens->file,
                .names = names,
                .arena = keep,
                .diag = diag,
                .unclosed = tokens->unclosed};
    *out = stored_definition(&p);
    return p.failed || diag->error_count > errors ? RB_ERROR_MODEL : RB_OK;
}

static RbStatus parse_source(const RbModelicaSource *source, RbNames *names, RbArena *keep,
                             RbArena scratch, RbDiag *diag, RbAstFile **out) {
    int errors = diag->error_count;
    RbTokens tokens = rb_lex(source, names, &scratch, diag);
    RB_TRY(rb_parse(&tokens, names, keep, diag, out));
    return diag->error_count > errors ? RB_ERROR_MODEL : RB_OK;
}

RbStatus rb_parse_text(const char *file, const char *text, size_t length, RbNames *names,
                       RbArena *keep, RbArena scratch, RbDiag *diag, RbAstFile **out) {
    RbModelicaSource source;
    RB_TRY(rb_source_from_text(file, text, length, diag, &source));
    return parse_source(&source, names, keep, scratch, diag, out);
}

RbStatus rb_parse_file(const char *path, RbNames *names, RbArena *keep, RbArena scratch,
                       RbDiag *diag, RbAstFile **out) {
    RbModelicaSource source;
    RB_TRY(rb_source_read(path, keep, diag, &source));
    return parse_source(&source, names, keep, scratch, diag, out);
}

RbStatus rb_parse_expression(const char *file, const char *text, RbNames *names, RbArena *keep,
                             RbArena scratch, RbDiag *diag, RbAstExpr **out) {
    RbModelicaSource source;
    RB_TRY(rb_source_from_text(file, text, strlen(text), diag, &source));
    RbTokens tokens = rb_lex(&source, names, &scratch, diag);
    int errors = diag->error_count;
    Parser p = {
        .token = tokens.list.data, .file = file, .names = names, .arena = keep, .diag = diag};
    *out = expression(&p);
    if (!at(&p, RB_TOKEN_END_OF_FILE)) fail_expected(&p, "the end of the expression");
    return p.failed || diag->error_count > errors ? RB_ERROR_MODEL : RB_OK;
}

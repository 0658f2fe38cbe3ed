// SPDX-License-Identifier: MIT
// Equations and statements: one function per rule of the grammar, with the rule above it.
#include "syntax/parser.h"

static RbAstBlock block(RbParser *p, RbAstExpr *condition, RbPos where, bool algorithm) {
    RbAstBlock b = {.at = where, .condition = condition};
    RbEquationList list = {0};
    rb_parser_equation_list(p, &list, algorithm);
    b.list = list.data;
    b.count = list.count;
    return b;
}

static void end_of(RbParser *p, RbTokenKind kind, const RbAstEquation *e) {
    if (at(p, RB_TOKEN_END) && peek(p) == kind) {
        advance(p);
        advance(p);
        return;
    }
    if (p->panic) return;
    bool other_end =
        at(p, RB_TOKEN_END) && peek(p) != RB_TOKEN_IDENT && peek(p) != RB_TOKEN_END_OF_FILE;
    const char *word = rb_token_kind_name(kind) + 1; // without the first quote
    rb_parser_fail(p, place(p),
                   rb_arena_printf(p->arena,
                                   "expected 'end %s for the '%s in line %d, but found %s%s", word,
                                   word, e->at.line, at(p, RB_TOKEN_END) ? "'end " : "",
                                   at(p, RB_TOKEN_END) && peek(p) != RB_TOKEN_END_OF_FILE
                                       ? rb_arena_printf(p->arena, "%.*s'", p->token[1].length,
                                                         p->token[1].text)
                                       : rb_parser_found(p)));
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
static void conditional(RbParser *p, RbAstEquation *e, bool algorithm) {
    bool is_if = at(p, RB_TOKEN_IF);
    RbTokenKind word = p->token->kind, again = is_if ? RB_TOKEN_ELSEIF : RB_TOKEN_ELSEWHEN;
    e->kind = is_if ? RB_AST_EQ_IF : RB_AST_EQ_WHEN;
    RB_ARRAY(RbAstBlock) blocks = {0};
    do {
        RbPos where = place(p);
        advance(p); // if, elseif, when, elsewhen
        const RbToken *start = p->token;
        RbAstExpr *condition = rb_rule_expression(p);
        rb_parser_expect(p, RB_TOKEN_THEN);
        rb_parser_recover(p, start);
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
static void loop(RbParser *p, RbAstEquation *e, bool algorithm) {
    bool is_for = at(p, RB_TOKEN_FOR);
    RbTokenKind word = p->token->kind;
    e->kind = is_for ? RB_AST_EQ_FOR : RB_AST_EQ_WHILE;
    advance(p);
    RbAstExpr *condition = NULL;
    const RbToken *start = p->token;
    if (is_for)
        e->iterator_count = rb_rule_for_indices(p, &e->iterators);
    else
        condition = rb_rule_expression(p);
    rb_parser_expect(p, RB_TOKEN_LOOP);
    rb_parser_recover(p, start);
    e->blocks = rb_new(p->arena, RbAstBlock);
    p->loops++;
    e->blocks[0] = block(p, condition, e->at, algorithm);
    p->loops--;
    e->block_count = 1;
    end_of(p, word, e);
}

// simple-expression "=" expression | component-reference function-call-args
static void simple_equation(RbParser *p, RbAstEquation *e) {
    e->left = rb_rule_simple_expression(p);
    if (e->left->kind == RB_AST_CALL && !at(p, RB_TOKEN_EQUALS) && !at(p, RB_TOKEN_EQUAL) &&
        !at(p, RB_TOKEN_ASSIGN)) {
        e->kind = RB_AST_EQ_CALL;
        return;
    }
    e->kind = RB_AST_EQ_EQUAL;
    if (e->left->kind == RB_AST_BINARY && e->left->op == RB_TOKEN_EQUAL &&
        at(p, RB_TOKEN_SEMICOLON)) {
        rb_parser_fail(p, e->left->at, "an equation is written with '=', not '=='");
    }
    rb_parser_expect(p, RB_TOKEN_EQUALS);
    e->right = rb_rule_expression(p);
}

// component-reference ( ":=" expression | function-call-args )
// "(" output-expression-list ")" ":=" component-reference function-call-args
static void simple_statement(RbParser *p, RbAstEquation *e) {
    if (at(p, RB_TOKEN_LPAREN)) {
        e->left = rb_rule_output_expression_list(p);
    } else if (at(p, RB_TOKEN_IDENT) || at(p, RB_TOKEN_DOT)) {
        e->left = rb_rule_component_reference(p);
        if (at(p, RB_TOKEN_LPAREN)) {
            e->kind = RB_AST_EQ_CALL;
            e->left = rb_rule_function_call(p, e->left);
            return;
        }
    } else {
        rb_parser_fail_expected(p, "a statement");
        return;
    }
    e->kind = RB_AST_EQ_EQUAL;
    if (at(p, RB_TOKEN_EQUALS)) {
        rb_parser_fail(p, place(p), "an assignment is written with ':='; '=' is for equations");
    }
    rb_parser_expect(p, RB_TOKEN_ASSIGN);
    e->right = rb_rule_expression(p);
}

// equation = ( simple-expression "=" expression | if-equation | for-equation | connect-equation |
// when-equation
//            | component-reference function-call-args ) description
// statement = ( component-reference ( ":=" expression | function-call-args ) | ... | "break" |
// "return"
//             | if-statement | for-statement | while-statement | when-statement ) description
RbAstEquation *rb_rule_equation(RbParser *p, bool algorithm) {
    RbAstEquation *e = rb_new(p->arena, RbAstEquation);
    e->at = place(p);
    if (!rb_parser_enter(p)) {
        rb_parser_leave(p);
        return e;
    }
    if (at(p, RB_TOKEN_IF) || at(p, RB_TOKEN_WHEN)) {
        conditional(p, e, algorithm);
    } else if (at(p, RB_TOKEN_FOR) || (algorithm && at(p, RB_TOKEN_WHILE))) {
        loop(p, e, algorithm);
    } else if (algorithm && at(p, RB_TOKEN_BREAK)) {
        e->kind = RB_AST_EQ_BREAK;
        if (p->loops == 0) rb_parser_fail(p, e->at, "'break' can only stand in a loop");
        advance(p);
    } else if (algorithm && at(p, RB_TOKEN_RETURN)) {
        e->kind = RB_AST_EQ_RETURN;
        advance(p);
    } else if (!algorithm && at(p, RB_TOKEN_CONNECT)) {
        e = rb_rule_connect_equation(p);
    } else if (algorithm) {
        simple_statement(p, e);
    } else {
        simple_equation(p, e);
    }
    e->comment = rb_rule_description(p);
    rb_parser_leave(p);
    return e;
}

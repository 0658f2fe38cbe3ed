// SPDX-License-Identifier: MIT
// parser.h: what the rules of the grammar share. Only parser.c and parse*.c include it.
//
// A rule is a function rb_rule_NAME that reads what the grammar calls NAME (specification, appendix
// A.2) and moves the parser behind it; rules that only one file needs are static there.
#pragma once

#include "syntax/parse.h"

typedef struct RbParser {
    const RbToken *token; // the current one
    const RbToken *first; // of the file
    const char *file;
    RbNames *names;
    RbArena *arena;
    RbDiag *diag;
    int nesting;
    int loops;       // around the statement at hand
    int annotations; // around the modification at hand
    bool panic;      // an error was reported and no semicolon found since: stay quiet
    bool failed;
    bool unclosed; // the lexer found no end of a string or comment, or nesting was too deep
} RbParser;

typedef RB_ARRAY(RbAstExpr *) RbAstExprs;
typedef RB_ARRAY(RbAstEquation *) RbEquationList;

// --- tokens: short names, the words every rule is written in -------------------------------------

static inline RbPos place(const RbParser *p) {
    return (RbPos){p->file, p->token->line, p->token->column};
}

static inline bool at(const RbParser *p, RbTokenKind kind) {
    return p->token->kind == kind;
}

static inline RbTokenKind peek(const RbParser *p) {
    return at(p, RB_TOKEN_END_OF_FILE) ? RB_TOKEN_END_OF_FILE : p->token[1].kind;
}

static inline void advance(RbParser *p) {
    if (!at(p, RB_TOKEN_END_OF_FILE)) p->token++;
}

static inline bool accept(RbParser *p, RbTokenKind kind) {
    if (!at(p, kind)) return false;
    advance(p);
    return true;
}

// --- tokens and errors: parser.c -----------------------------------------------------------------

// What stands at the current place, for a message.
const char *rb_parser_found(RbParser *p);
// Report once until recovered; the lexer has already complained about an error token.
void rb_parser_fail(RbParser *p, RbPos where, const char *message);
void rb_parser_fail_expected(RbParser *p, const char *what);
void rb_parser_expect(RbParser *p, RbTokenKind kind);
void rb_parser_expect_semicolon(RbParser *p, const char *after);
// One identifier; `what` names it in the message.
RbName rb_parser_ident(RbParser *p, const char *what);
// After an error: go on behind the next semicolon.
void rb_parser_recover(RbParser *p, const RbToken *start);
// One level deeper, false (and an error) beyond the limit; each enter has its leave.
bool rb_parser_enter(RbParser *p);
void rb_parser_leave(RbParser *p);

// --- names and expressions: parse_expression.c ---------------------------------------------------

RbAstExpr *rb_parser_node(RbParser *p, RbAstExprKind kind, RbPos where);
RbAstText rb_parser_token_text(const RbToken *t);
RbAstName rb_rule_name(RbParser *p, bool may_be_global, const char *what);
RbAstStrings rb_rule_description_string(RbParser *p);
RbAstComment rb_rule_description(RbParser *p);
RbAstMod *rb_rule_annotation_clause(RbParser *p);
int rb_rule_array_subscripts(RbParser *p, RbAstExpr ***out);
RbAstExpr *rb_rule_component_reference(RbParser *p);
int rb_rule_for_indices(RbParser *p, RbAstIterator **out);
RbAstExpr *rb_rule_function_call(RbParser *p, RbAstExpr *callee);
RbAstExpr *rb_rule_output_expression_list(RbParser *p);
RbAstExpr *rb_rule_expression_list(RbParser *p);
RbAstExpr *rb_rule_simple_expression(RbParser *p);
RbAstExpr *rb_rule_expression(RbParser *p);

// --- modifications and components: parse_component.c ---------------------------------------------

RbAstEquation *rb_rule_connect_equation(RbParser *p);
RbAstMod *rb_rule_class_modification(RbParser *p);
void rb_rule_component_clause(RbParser *p, RbAstElement *e, bool single);

// --- classes: parse_class.c ----------------------------------------------------------------------

bool rb_parser_at_class_prefix(const RbParser *p);
RbAstElement *rb_rule_element_replaceable(RbParser *p, bool redeclare);
void rb_parser_equation_list(RbParser *p, RbEquationList *list, bool algorithm);
RbAstClass *rb_rule_class_definition(RbParser *p);

// --- equations and statements: parse_equation.c --------------------------------------------------

RbAstEquation *rb_rule_equation(RbParser *p, bool algorithm);

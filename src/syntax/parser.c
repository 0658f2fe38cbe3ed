// SPDX-License-Identifier: MIT
// Tokens, messages and recovery: what every rule of the grammar uses.
#include "syntax/parser.h"

#include <string.h>

// What stands at the current place, for a message.
const char *rb_parser_found(RbParser *p) {
    const RbToken *t = p->token;
    if (t->kind == RB_TOKEN_END_OF_FILE) return "the end of the file";
    if (t->length > 40 || memchr(t->text, '\n', (size_t)t->length))
        return rb_token_kind_name(t->kind);
    return rb_arena_printf(p->arena, "'%.*s'", t->length, t->text);
}

static bool is_keyword(const RbToken *t) {
    return t->kind >= RB_TOKEN_ALGORITHM && t->kind <= RB_TOKEN_WITHIN;
}

// A word before another one, in the clause at hand, may be meant as a keyword: "parametr Real k".
static const char *keyword_question(RbParser *p) {
    enum { FAR = 6 }; // tokens
    const RbToken *t = p->token;
    for (int i = 0; i < FAR && t > p->first && t[-1].kind != RB_TOKEN_SEMICOLON; i++) t--;
    for (; t <= p->token && t->kind != RB_TOKEN_END_OF_FILE; t++) {
        bool next = t[1].kind == RB_TOKEN_IDENT || is_keyword(&t[1]);
        const char *near = next && t->kind == RB_TOKEN_IDENT ? rb_near_keyword(t->name) : NULL;
        if (near)
            return rb_arena_printf(p->arena, "; did you mean '%s' instead of '%s'?", near, t->name);
    }
    return "";
}

// Report once; the lexer has already complained about an error token.
void rb_parser_fail(RbParser *p, RbPos where, const char *message) {
    bool known = at(p, RB_TOKEN_ERROR) || (at(p, RB_TOKEN_END_OF_FILE) && p->unclosed);
    if (!p->panic && !known)
        rb_fail(p->diag, RB_ERROR_MODEL, where, "%s%s", message, keyword_question(p));
    p->panic = p->failed = true;
}

void rb_parser_fail_expected(RbParser *p, const char *what) {
    if (p->panic) return;
    rb_parser_fail(
        p, place(p),
        rb_arena_printf(p->arena, "expected %s, but found %s", what, rb_parser_found(p)));
}

// Directly behind the token before the current one: where something is missing.
static RbPos behind_previous(const RbParser *p) {
    const RbToken *t = p->token - 1;
    return (RbPos){p->file, t->line, t->column + t->length};
}

void rb_parser_expect(RbParser *p, RbTokenKind kind) {
    if (accept(p, kind) || p->panic) return;
    if (kind == RB_TOKEN_EQUALS && at(p, RB_TOKEN_ASSIGN)) {
        rb_parser_fail(p, place(p), "an equation is written with '='; ':=' is for algorithms");
        return;
    }
    rb_parser_fail_expected(p, rb_token_kind_name(kind));
}

void rb_parser_expect_semicolon(RbParser *p, const char *after) {
    if (accept(p, RB_TOKEN_SEMICOLON) || p->panic) return;
    // The caret belongs behind the end of what is not closed, unless that is a string over several
    // lines.
    const RbToken *before = p->token - 1;
    bool long_string = before->kind == RB_TOKEN_STRING &&
                       memchr(before->text, '\n', (size_t)before->length) != NULL;
    rb_parser_fail(p, long_string ? place(p) : behind_previous(p),
                   rb_arena_printf(p->arena, "expected ';' after %s, but found %s", after,
                                   rb_parser_found(p)));
}

RbName rb_parser_ident(RbParser *p, const char *what) {
    RbName name = p->token->name;
    if (accept(p, RB_TOKEN_IDENT)) return name;
    if (!p->panic) {
        bool keyword = is_keyword(p->token);
        rb_parser_fail(p, place(p),
                       rb_arena_printf(p->arena, "expected %s, but found %s%s", what,
                                       rb_parser_found(p), keyword ? ", which is a keyword" : ""));
    }
    return rb_intern(p->names, "?");
}

// Words at which a skip ends although no semicolon was found.
static bool ends_skip(const RbParser *p) {
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
void rb_parser_recover(RbParser *p, const RbToken *start) {
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

bool rb_parser_enter(RbParser *p) {
    if (++p->nesting <= RB_PARSE_NESTING_LIMIT) return true;
    rb_parser_fail(
        p, place(p),
        rb_arena_printf(p->arena, "nested more than %d levels deep", RB_PARSE_NESTING_LIMIT));
    p->unclosed = true;
    while (!at(p, RB_TOKEN_END_OF_FILE)) advance(p);
    return false;
}

void rb_parser_leave(RbParser *p) {
    p->nesting--;
}

// SPDX-License-Identifier: MIT
// lex.h: Modelica text to tokens (Modelica specification 3.6, chapter 2 and appendix A.1).
//
// The whole file becomes one array that ends with RB_TOKEN_END_OF_FILE. Every token remembers its
// bytes in the source, so that nothing is copied and print(parse(text)) can be compared token by
// token.
#pragma once

#include "syntax/source.h"

// name, text
#define RB_KEYWORDS(X)                                                                             \
    X(ALGORITHM, "algorithm")                                                                      \
    X(AND, "and")                                                                                  \
    X(ANNOTATION, "annotation")                                                                    \
    X(BLOCK, "block")                                                                              \
    X(BREAK, "break")                                                                              \
    X(CLASS, "class")                                                                              \
    X(CONNECT, "connect")                                                                          \
    X(CONNECTOR, "connector")                                                                      \
    X(CONSTANT, "constant")                                                                        \
    X(CONSTRAINEDBY, "constrainedby")                                                              \
    X(DER, "der")                                                                                  \
    X(DISCRETE, "discrete")                                                                        \
    X(EACH, "each")                                                                                \
    X(ELSE, "else")                                                                                \
    X(ELSEIF, "elseif")                                                                            \
    X(ELSEWHEN, "elsewhen")                                                                        \
    X(ENCAPSULATED, "encapsulated")                                                                \
    X(END, "end")                                                                                  \
    X(ENUMERATION, "enumeration")                                                                  \
    X(EQUATION, "equation")                                                                        \
    X(EXPANDABLE, "expandable")                                                                    \
    X(EXTENDS, "extends")                                                                          \
    X(EXTERNAL, "external")                                                                        \
    X(FALSE, "false")                                                                              \
    X(FINAL, "final")                                                                              \
    X(FLOW, "flow")                                                                                \
    X(FOR, "for")                                                                                  \
    X(FUNCTION, "function")                                                                        \
    X(IF, "if")                                                                                    \
    X(IMPORT, "import")                                                                            \
    X(IMPURE, "impure")                                                                            \
    X(IN, "in")                                                                                    \
    X(INITIAL, "initial")                                                                          \
    X(INNER, "inner")                                                                              \
    X(INPUT, "input")                                                                              \
    X(LOOP, "loop")                                                                                \
    X(MODEL, "model")                                                                              \
    X(NOT, "not")                                                                                  \
    X(OPERATOR, "operator")                                                                        \
    X(OR, "or")                                                                                    \
    X(OUTER, "outer")                                                                              \
    X(OUTPUT, "output")                                                                            \
    X(PACKAGE, "package")                                                                          \
    X(PARAMETER, "parameter")                                                                      \
    X(PARTIAL, "partial")                                                                          \
    X(PROTECTED, "protected")                                                                      \
    X(PUBLIC, "public")                                                                            \
    X(PURE, "pure")                                                                                \
    X(RECORD, "record")                                                                            \
    X(REDECLARE, "redeclare")                                                                      \
    X(REPLACEABLE, "replaceable")                                                                  \
    X(RETURN, "return")                                                                            \
    X(STREAM, "stream")                                                                            \
    X(THEN, "then")                                                                                \
    X(TRUE, "true")                                                                                \
    X(TYPE, "type")                                                                                \
    X(WHEN, "when")                                                                                \
    X(WHILE, "while")                                                                              \
    X(WITHIN, "within")

#define RB_SYMBOLS(X)                                                                              \
    X(LPAREN, "(")                                                                                 \
    X(RPAREN, ")")                                                                                 \
    X(LBRACKET, "[")                                                                               \
    X(RBRACKET, "]")                                                                               \
    X(LBRACE, "{")                                                                                 \
    X(RBRACE, "}")                                                                                 \
    X(COMMA, ",")                                                                                  \
    X(SEMICOLON, ";")                                                                              \
    X(COLON, ":")                                                                                  \
    X(ASSIGN, ":=")                                                                                \
    X(EQUALS, "=")                                                                                 \
    X(DOT, ".")                                                                                    \
    X(PLUS, "+")                                                                                   \
    X(MINUS, "-")                                                                                  \
    X(TIMES, "*")                                                                                  \
    X(DIVIDE, "/")                                                                                 \
    X(POWER, "^")                                                                                  \
    X(DOT_PLUS, ".+")                                                                              \
    X(DOT_MINUS, ".-")                                                                             \
    X(DOT_TIMES, ".*")                                                                             \
    X(DOT_DIVIDE, "./")                                                                            \
    X(DOT_POWER, ".^")                                                                             \
    X(LESS, "<")                                                                                   \
    X(LESS_EQUAL, "<=")                                                                            \
    X(GREATER, ">")                                                                                \
    X(GREATER_EQUAL, ">=")                                                                         \
    X(EQUAL, "==")                                                                                 \
    X(NOT_EQUAL, "<>")

typedef enum RbTokenKind {
    RB_TOKEN_END_OF_FILE,
    RB_TOKEN_ERROR, // was reported by the lexer
    RB_TOKEN_IDENT, // also quoted ones: the quotes are part of the name
    RB_TOKEN_INTEGER,
    RB_TOKEN_REAL,
    RB_TOKEN_STRING, // bytes include the quotes; escapes are still in it
#define X(name, text) RB_TOKEN_##name,
    RB_KEYWORDS(X) RB_SYMBOLS(X)
#undef X
        RB_TOKEN_KIND_COUNT,
} RbTokenKind;

typedef struct RbToken {
    RbTokenKind kind;
    int line, column; // of the first byte
    int length;       // [bytes]
    const char *text; // in the source
    RbName name;      // identifiers only
} RbToken;

typedef struct RbTokens {
    const char *file;
    RB_ARRAY(RbToken) list;
    bool unclosed; // a string or comment reaches to the end of the file
} RbTokens;

// Errors (a character that does not exist in Modelica, an open string or comment) are reported and
// stand in the list as RB_TOKEN_ERROR. Names are interned; the tokens point into source->text.
RbTokens rb_lex(const RbModelicaSource *source, RbNames *names, RbArena *arena, RbDiag *diag);

// The keyword that may have been meant: "parametr"; NULL: none.
const char *rb_near_keyword(const char *word);

// How a kind of token is called in a message: "'equation'", "a name", "the end of the file".
const char *rb_token_kind_name(RbTokenKind kind);

// The value of a STRING token or of a string in the syntax tree: without quotes, escapes replaced.
const char *rb_string_value(const char *text, int length, RbArena *arena);

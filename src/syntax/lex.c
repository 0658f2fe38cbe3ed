// SPDX-License-Identifier: MIT
#include "syntax/lex.h"

#include <string.h>

typedef struct Lexer {
    const RbModelicaSource *source;
    RbNames *names;
    RbDiag *diag;
    const char *at, *end;
    const char *line_start;
    int line;
    bool unclosed;
} Lexer;

static RbPos place(const Lexer *x, const char *at) {
    return (RbPos){x->source->file, x->line, (int)(at - x->line_start) + 1};
}

static void new_line(Lexer *x) { // after the newline was passed
    x->line++;
    x->line_start = x->at;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Pass white space and comments; false if a comment is not closed.
static bool skip_space(Lexer *x) {
    while (x->at < x->end) {
        char c = *x->at;
        if (c == '\n') {
            x->at++;
            new_line(x);
        } else if (c == ' ' || c == '\t' || c == '\r') {
            x->at++;
        } else if (c == '/' && x->at[1] == '/') {
            while (x->at < x->end && *x->at != '\n') x->at++;
        } else if (c == '/' && x->at[1] == '*') {
            RbPos start = place(x, x->at);
            for (x->at += 2; x->at < x->end && !(x->at[0] == '*' && x->at[1] == '/'); x->at++) {
                if (*x->at == '\n') {
                    x->line++;
                    x->line_start = x->at + 1;
                }
            }
            if (x->at >= x->end) {
                rb_fail(x->diag, RB_ERROR_MODEL, start,
                        "this comment is never closed; '*/' is missing");
                x->unclosed = true;
                return false;
            }
            x->at += 2;
        } else {
            break;
        }
    }
    return true;
}

static bool is_escape(char c) {
    return c && strchr("'\"?\\abfnrtv", c) != NULL;
}

// STRING = """ { S-CHAR | S-ESCAPE } """        Q-IDENT = "'" { Q-CHAR | S-ESCAPE } "'"
static RbTokenKind quoted(Lexer *x, char quote) {
    RbPos start = place(x, x->at);
    bool good = true;
    for (x->at++; x->at < x->end && *x->at != quote; x->at++) {
        if (*x->at == '\\' && x->at + 1 < x->end) {
            if (!is_escape(x->at[1])) {
                rb_fail(x->diag, RB_ERROR_MODEL, place(x, x->at),
                        "'\\%c' is not an escape sequence; a backslash is written '\\\\'",
                        x->at[1]);
                good = false;
            }
            x->at++;
        }
        if (*x->at == '\n') {
            if (quote == '\'') break;
            x->line++;
            x->line_start = x->at + 1;
        }
    }
    if (x->at >= x->end || *x->at != quote) {
        rb_fail(x->diag, RB_ERROR_MODEL, start, "this %s is never closed; %s is missing",
                quote == '"' ? "string" : "quoted name", quote == '"' ? "'\"'" : "a single quote");
        if (x->at >= x->end) x->unclosed = true;
        return RB_TOKEN_ERROR;
    }
    x->at++;
    return !good ? RB_TOKEN_ERROR : quote == '"' ? RB_TOKEN_STRING : RB_TOKEN_IDENT;
}

// UNSIGNED-INTEGER or UNSIGNED-REAL; "1:n" and "x.1" need care only in that a dot must be followed
// by a digit when nothing stands before it. "1.*x" is read as 1. * x, as the longest match demands.
static RbTokenKind number(Lexer *x) {
    RbTokenKind kind = RB_TOKEN_INTEGER;
    while (is_digit(*x->at)) x->at++;
    if (*x->at == '.') {
        kind = RB_TOKEN_REAL;
        x->at++;
        while (is_digit(*x->at)) x->at++;
    }
    if (*x->at == 'e' || *x->at == 'E') {
        const char *exponent = x->at + 1;
        if (*exponent == '+' || *exponent == '-') exponent++;
        if (is_digit(*exponent)) {
            kind = RB_TOKEN_REAL;
            x->at = exponent;
            while (is_digit(*x->at)) x->at++;
        }
    }
    return kind;
}

static const struct {
    const char *text;
    RbTokenKind kind;
} keywords[] = {
#define X(name, text) {text, RB_TOKEN_##name},
    RB_KEYWORDS(X)
#undef X
};

// The list is sorted, so that a keyword is found by bisection.
static RbTokenKind keyword(const char *text, int length) {
    int low = 0, high = (int)(sizeof keywords / sizeof keywords[0]);
    while (low < high) {
        int middle = (low + high) / 2;
        int order = strncmp(text, keywords[middle].text, (size_t)length);
        if (order == 0) order = keywords[middle].text[length] ? -1 : 0;
        if (order == 0) return keywords[middle].kind;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return RB_TOKEN_IDENT;
}

const char *rb_near_keyword(const char *word) {
    RbNear near = {.wanted = word};
    if (strlen(word) < 4) return NULL; // too short to tell
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        rb_text_try_near(&near, keywords[i].text);
    return near.name && near.distance <= 2 ? near.name : NULL;
}

static RbTokenKind word(Lexer *x) {
    const char *start = x->at;
    while (is_letter(*x->at) || is_digit(*x->at)) x->at++;
    return keyword(start, (int)(x->at - start));
}

static RbTokenKind symbol(Lexer *x) {
    char c = *x->at++, next = *x->at;
#define PAIR(second, kind)                                                                         \
    if (next == second) {                                                                          \
        x->at++;                                                                                   \
        return kind;                                                                               \
    }
    switch (c) {
        case '(': return RB_TOKEN_LPAREN;
        case ')': return RB_TOKEN_RPAREN;
        case '[': return RB_TOKEN_LBRACKET;
        case ']': return RB_TOKEN_RBRACKET;
        case '{': return RB_TOKEN_LBRACE;
        case '}': return RB_TOKEN_RBRACE;
        case ',': return RB_TOKEN_COMMA;
        case ';': return RB_TOKEN_SEMICOLON;
        case ':': PAIR('=', RB_TOKEN_ASSIGN) return RB_TOKEN_COLON;
        case '=': PAIR('=', RB_TOKEN_EQUAL) return RB_TOKEN_EQUALS;
        case '+': return RB_TOKEN_PLUS;
        case '-': return RB_TOKEN_MINUS;
        case '*': return RB_TOKEN_TIMES;
        case '/': return RB_TOKEN_DIVIDE;
        case '^': return RB_TOKEN_POWER;
        case '<':
            PAIR('=', RB_TOKEN_LESS_EQUAL)
            PAIR('>', RB_TOKEN_NOT_EQUAL)
            return RB_TOKEN_LESS;
        case '>': PAIR('=', RB_TOKEN_GREATER_EQUAL) return RB_TOKEN_GREATER;
        case '.':
            PAIR('+', RB_TOKEN_DOT_PLUS)
            PAIR('-', RB_TOKEN_DOT_MINUS)
            PAIR('*', RB_TOKEN_DOT_TIMES)
            PAIR('/', RB_TOKEN_DOT_DIVIDE)
            PAIR('^', RB_TOKEN_DOT_POWER)
            return RB_TOKEN_DOT;
    }
#undef PAIR
    x->at--;
    return RB_TOKEN_ERROR;
}

static RbTokenKind unknown_character(Lexer *x) {
    int length = rb_utf8_length((const unsigned char *)x->at, (size_t)(x->end - x->at));
    const char *advice = *x->at == '!'   ? "; 'not' negates and '<>' means different"
                         : *x->at == '&' ? "; use 'and'"
                         : *x->at == '|' ? "; use 'or'"
                         : length > 1    ? "; names may only use letters a to z, digits and '_'"
                                         : "";
    if (length == 1 && (*x->at < 0x20 || *x->at == 0x7f)) {
        rb_fail(x->diag, RB_ERROR_MODEL, place(x, x->at),
                "the control character 0x%02X cannot be used here", (unsigned)*x->at);
    } else {
        rb_fail(x->diag, RB_ERROR_MODEL, place(x, x->at),
                "the character '%.*s' cannot be used here%s", length, x->at, advice);
    }
    char first = *x->at;
    x->at += length > 0 ? length : 1;
    if ((first == '&' || first == '|') && *x->at == first) x->at++; // && and || are one mistake
    if (first == '!' && *x->at == '=') x->at++;
    while (length > 1 && (is_letter(*x->at) || is_digit(*x->at) || (unsigned char)*x->at >= 0x80)) {
        x->at++; // the rest of the name
    }
    return RB_TOKEN_ERROR;
}

static RbToken next_token(Lexer *x) {
    RbToken t = {.kind = RB_TOKEN_END_OF_FILE};
    bool closed = skip_space(x);
    RbPos at = place(x, x->at);
    t.line = at.line;
    t.column = at.column;
    t.text = x->at;
    if (!closed || x->at >= x->end) return t;
    char c = *x->at;
    if (is_letter(c))
        t.kind = word(x);
    else if (is_digit(c) || (c == '.' && is_digit(x->at[1])))
        t.kind = number(x);
    else if (c == '"' || c == '\'')
        t.kind = quoted(x, c);
    else
        t.kind = symbol(x);
    if (t.kind == RB_TOKEN_ERROR && x->at == t.text) unknown_character(x);
    t.length = (int)(x->at - t.text);
    if (t.kind == RB_TOKEN_IDENT) t.name = rb_intern_bytes(x->names, t.text, (size_t)t.length);
    return t;
}

RbTokens rb_lex(const RbModelicaSource *source, RbNames *names, RbArena *arena, RbDiag *diag) {
    Lexer x = {.source = source,
               .names = names,
               .diag = diag,
               .at = source->text,
               .end = source->text + source->length,
               .line_start = source->text,
               .line = 1};
    RbTokens tokens = {.file = source->file};
    rb_array_reserve(&tokens.list, arena, (int)(source->length / 8) + 16);
    for (;;) {
        RbToken t = next_token(&x);
        rb_array_push(&tokens.list, arena, t);
        tokens.unclosed = x.unclosed;
        if (t.kind == RB_TOKEN_END_OF_FILE) return tokens;
    }
}

const char *rb_token_kind_name(RbTokenKind kind) {
    switch (kind) {
        case RB_TOKEN_END_OF_FILE: return "the end of the file";
        case RB_TOKEN_ERROR: return "something unreadable";
        case RB_TOKEN_IDENT: return "a name";
        case RB_TOKEN_INTEGER: return "an integer";
        case RB_TOKEN_REAL: return "a number";
        case RB_TOKEN_STRING: return "a string";
#define X(name, text)                                                                              \
    case RB_TOKEN_##name: return "'" text "'";
            RB_KEYWORDS(X)
            RB_SYMBOLS(X)
#undef X
        case RB_TOKEN_KIND_COUNT: break;
    }
    return "?";
}

static char escape_value(char c) {
    switch (c) {
        case 'a': return '\a';
        case 'b': return '\b';
        case 'f': return '\f';
        case 'n': return '\n';
        case 'r': return '\r';
        case 't': return '\t';
        case 'v': return '\v';
        default: return c;
    }
}

const char *rb_string_value(const char *text, int length, RbArena *arena) {
    char *value = rb_arena_push(arena, (size_t)length + 1, 1);
    int count = 0;
    for (int i = 1; i < length - 1; i++) {
        value[count++] = text[i] == '\\' && i + 1 < length - 1 ? escape_value(text[++i]) : text[i];
    }
    return value;
}

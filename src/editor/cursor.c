// SPDX-License-Identifier: MIT
#include "editor/cursor.h"

static bool is_class_word(RbTokenKind kind) {
    switch (kind) {
        case RB_TOKEN_CLASS:
        case RB_TOKEN_MODEL:
        case RB_TOKEN_RECORD:
        case RB_TOKEN_BLOCK:
        case RB_TOKEN_CONNECTOR:
        case RB_TOKEN_TYPE:
        case RB_TOKEN_PACKAGE:
        case RB_TOKEN_FUNCTION:
        case RB_TOKEN_OPERATOR: return true;
        default: return false;
    }
}

static RbTokenKind kind_at(const RbTokens *t, int i) {
    return i >= 0 && i < t->list.count ? t->list.data[i].kind : RB_TOKEN_END_OF_FILE;
}

int rb_class_name(const RbTokens *t, int i) {
    if (!is_class_word(kind_at(t, i)) || kind_at(t, i - 1) == RB_TOKEN_END) return -1;
    int name = i + 1 + (kind_at(t, i + 1) == RB_TOKEN_EXTENDS);
    if (kind_at(t, name) != RB_TOKEN_IDENT) return -1;
    RbTokenKind next = kind_at(t, name + 1);
    bool is_text = next != RB_TOKEN_EQUALS && (next != RB_TOKEN_LPAREN || name > i + 1);
    return is_text ? name : -1;
}

static void push(RbCursorName *n, RbName part) {
    if (n->count < RB_CURSOR_NAMES) n->parts[n->count++] = part;
}

static int find_within(const RbTokens *t, RbCursorName *out) {
    int i = 0;
    if (kind_at(t, 0) != RB_TOKEN_WITHIN) return 0;
    for (i = 1; kind_at(t, i) == RB_TOKEN_IDENT; i += 2) {
        push(out, t->list.data[i].name);
        if (kind_at(t, i + 1) != RB_TOKEN_DOT) break;
    }
    return i;
}

static bool is_before(const RbToken *t, int line, int column) {
    return t->line < line || (t->line == line && t->column < column);
}

// The classes that are open before token `end`.
static void find_classes(const RbTokens *t, int end, RbCursorName *out) {
    for (int i = find_within(t, out); i < end; i++) {
        int name = rb_class_name(t, i);
        if (name >= 0 && name < end) push(out, t->list.data[i = name].name);
        bool closes = kind_at(t, i) == RB_TOKEN_END && kind_at(t, i + 1) == RB_TOKEN_IDENT &&
                      i + 1 < end && out->count > 0 &&
                      t->list.data[i + 1].name == out->parts[out->count - 1];
        if (closes) out->count--;
    }
}

// Over a pair of brackets that ends at token i, backwards.
static int before_brackets(const RbTokens *t, int i) {
    for (int depth = 0; i >= 0; i--) {
        depth += (kind_at(t, i) == RB_TOKEN_RBRACKET) - (kind_at(t, i) == RB_TOKEN_LBRACKET);
        if (depth == 0) return i - 1;
    }
    return i;
}

// The dotted name whose last part is token i.
static RbCursorName name_before(const RbTokens *t, int i) {
    RbCursorName back = {0}, out = {0};
    while (kind_at(t, i) == RB_TOKEN_IDENT) {
        push(&back, t->list.data[i].name);
        if (kind_at(t, i - 1) != RB_TOKEN_DOT) break;
        i -= 2;
        if (kind_at(t, i) == RB_TOKEN_RBRACKET) i = before_brackets(t, i);
    }
    while (back.count > 0) push(&out, back.parts[--back.count]);
    return out;
}

// The next parenthesis to the left of token i that is open there; -1: there is none in this statement.
static int open_before(const RbTokens *t, int i) {
    for (int depth = 0; i >= 0; i--) {
        RbTokenKind kind = kind_at(t, i);
        if (kind == RB_TOKEN_SEMICOLON) return -1;
        if (kind == RB_TOKEN_RPAREN) depth++;
        if (kind == RB_TOKEN_LPAREN && depth-- == 0) return i;
    }
    return -1;
}

static void find_around(const RbTokens *t, int i, RbCursor *out) {
    RbCursorName back[8];
    int count = 0;
    for (int p = open_before(t, i); p > 0 && count < 8; p = open_before(t, p - 1)) {
        int last = kind_at(t, p - 1) == RB_TOKEN_RBRACKET ? before_brackets(t, p - 1) : p - 1;
        if (kind_at(t, last) == RB_TOKEN_IDENT) back[count++] = name_before(t, last);
    }
    while (count > 0) out->around[out->around_count++] = back[--count];
}

RbCursor rb_cursor(const RbTokens *t, int line, int column) {
    RbCursor out = {0};
    int last = -1; // the token that begins before the place
    while (last + 1 < t->list.count && t->list.data[last + 1].kind != RB_TOKEN_END_OF_FILE &&
           is_before(&t->list.data[last + 1], line, column))
        last++;
    int here = last;
    const RbToken *next = last + 1 < t->list.count ? &t->list.data[last + 1] : NULL;
    bool at_start = next && next->line == line && next->column == column &&
                    next->kind == RB_TOKEN_IDENT && kind_at(t, last) != RB_TOKEN_IDENT;
    if (at_start) here = last + 1;
    find_classes(t, here, &out.within);
    const RbToken *token = here >= 0 ? &t->list.data[here] : NULL;
    bool touches = token && token->kind == RB_TOKEN_IDENT && token->line == line &&
                   token->column + token->length >= column;
    out.after_dot = kind_at(t, touches ? here - 1 : here) == RB_TOKEN_DOT;
    if (touches) {
        out.name = name_before(t, here);
    } else {
        if (out.after_dot) {
            int i = here - 1;
            if (kind_at(t, i) == RB_TOKEN_RBRACKET) i = before_brackets(t, i);
            out.name = name_before(t, i);
        }
        push(&out.name, NULL);
    }
    find_around(t, touches ? here - 1 : here, &out);
    return out;
}

int rb_class_end(const RbTokens *t, int i) {
    RbName name = t->list.data[i].name;
    int depth = 0;
    for (; i < t->list.count; i++) {
        int inner = rb_class_name(t, i);
        if (inner >= 0 && t->list.data[inner].name == name) depth++;
        bool closes = kind_at(t, i) == RB_TOKEN_END && kind_at(t, i + 1) == RB_TOKEN_IDENT &&
                      t->list.data[i + 1].name == name;
        if (closes && depth-- == 0) return i;
    }
    return -1;
}

// SPDX-License-Identifier: MIT
#include "editor/format.h"

#include <string.h>

#include "editor/cursor.h"

enum { DEPTH = 256, WIDTH = 2 };

typedef struct Layout {
    const RbTokens *tokens;
    RbText *out;
    int level;            // classes and statements that are open
    bool at_start;        // the next token begins an element, equation or statement
    bool in_statements;   // in a section of equations or an algorithm
    bool sections[DEPTH]; // of the classes around: in_statements
    int classes;
    int header;                 // the name of a class whose text is about to begin; 0: none
    int waiting;                // for 'then' or 'loop' of a statement: levels that it opens, plus 1
    int choices;                // 'if' in expressions whose 'then' is still to come
    int brackets[DEPTH], depth; // the lines (of the result) where open brackets stand
    int line;
    bool fresh; // nothing is on the line yet
} Layout;

static RbTokenKind kind_at(const Layout *l, int i) {
    return i >= 0 && i < l->tokens->list.count ? l->tokens->list.data[i].kind
                                               : RB_TOKEN_END_OF_FILE;
}

static bool is_open(RbTokenKind k) {
    return k == RB_TOKEN_LPAREN || k == RB_TOKEN_LBRACKET || k == RB_TOKEN_LBRACE;
}

static bool is_close(RbTokenKind k) {
    return k == RB_TOKEN_RPAREN || k == RB_TOKEN_RBRACKET || k == RB_TOKEN_RBRACE;
}

static bool is_section(const Layout *l, int i) {
    switch (kind_at(l, i)) {
        case RB_TOKEN_PUBLIC:
        case RB_TOKEN_PROTECTED:
        case RB_TOKEN_EQUATION:
        case RB_TOKEN_ALGORITHM: return true;
        case RB_TOKEN_INITIAL:
            return kind_at(l, i + 1) == RB_TOKEN_EQUATION ||
                   kind_at(l, i + 1) == RB_TOKEN_ALGORITHM;
        default: return false;
    }
}

static bool is_statement(RbTokenKind k) {
    return k == RB_TOKEN_IF || k == RB_TOKEN_FOR || k == RB_TOKEN_WHILE || k == RB_TOKEN_WHEN;
}

// --- classes -------------------------------------------------------------------------------------

static void open_class(Layout *l, int name) {
    if (l->classes < DEPTH) l->sections[l->classes] = l->in_statements;
    l->classes++;
    l->level++;
    l->in_statements = false;
    l->header = name;
}

static void close(Layout *l, bool class) {
    if (l->level > 0) l->level--;
    if (!class || l->classes == 0) return;
    l->classes--;
    if (l->classes < DEPTH) l->in_statements = l->sections[l->classes];
}

// --- lines ---------------------------------------------------------------------------------------

// Lines with brackets that are still open, of the first `depth` of them.
static int bracket_lines(const Layout *l, int depth) {
    int lines = 0;
    for (int i = 0; i < depth && i < DEPTH; i++)
        lines += i == 0 || l->brackets[i] != l->brackets[i - 1];
    return lines;
}

// Of the line that begins with token i, or with a comment before it.
static int indent_of(const Layout *l, int i, bool comment) {
    RbTokenKind k = kind_at(l, i);
    if (l->depth > 0 && is_close(k) && !comment) return l->level + bracket_lines(l, l->depth - 1);
    if (l->depth > 0) return l->level + bracket_lines(l, l->depth);
    if (!l->at_start) return l->level + 1;
    bool back = k == RB_TOKEN_END || k == RB_TOKEN_ELSE || k == RB_TOKEN_ELSEIF ||
                k == RB_TOKEN_ELSEWHEN || k == RB_TOKEN_EXTERNAL || is_section(l, i);
    return back && !comment && l->level > 0 ? l->level - 1 : l->level;
}

static void new_lines(Layout *l, int count) {
    for (int k = 0; k < count && k < 2 && l->out->count > 0; k++) {
        rb_text_add(l->out, "\n");
        l->line++;
        l->fresh = true;
    }
}

static void spaces(Layout *l, int count) {
    for (int k = 0; k < count; k++) rb_text_add(l->out, " ");
}

static void indent(Layout *l, int i, bool comment) {
    if (l->fresh) spaces(l, WIDTH * indent_of(l, i, comment));
    l->fresh = false;
}

static void add_bytes(Layout *l, const char *start, int length) {
    rb_text_add_bytes(l->out, start, (size_t)length);
    for (int k = 0; k < length; k++) l->line += start[k] == '\n';
}

// --- what stands between two tokens --------------------------------------------------------------

static int comment_length(const char *p) {
    if (p[1] != '/') {
        const char *end = strstr(p + 2, "*/");
        return end ? (int)(end + 2 - p) : (int)strlen(p);
    }
    int length = (int)strcspn(p, "\r\n");
    while (length > 0 && strchr(" \t", p[length - 1])) length--;
    return length;
}

typedef struct Gap {
    bool space, comment; // white space, a comment stood there
} Gap;

// Comments and line breaks up to `end`, before token i. A comment keeps its distance on a line.
static Gap between(Layout *l, const char *p, const char *end, int i) {
    Gap gap = {0};
    int lines = 0, blanks = 0;
    while (p < end) {
        if (*p != '/') {
            lines += *p == '\n';
            blanks = *p == '\n' ? 0 : blanks + (*p == ' ' || *p == '\t');
            gap.space |= strchr(" \t\r\n", *p) != NULL;
            p++;
            continue;
        }
        new_lines(l, lines);
        if (!l->fresh && l->out->count > 0) spaces(l, blanks > 0 ? blanks : 1);
        indent(l, i, true);
        int length = comment_length(p);
        add_bytes(l, p, length);
        p += length;
        lines = blanks = 0;
        gap.comment = true;
    }
    if (kind_at(l, i) != RB_TOKEN_END_OF_FILE) new_lines(l, lines);
    return gap;
}

// Does a space stand between tokens i - 1 and i of a line?
static bool wants_space(const Layout *l, int i, Gap gap) {
    RbTokenKind a = kind_at(l, i - 1), b = kind_at(l, i);
    if (gap.comment) return true;
    if (b == RB_TOKEN_SEMICOLON || b == RB_TOKEN_COMMA || is_close(b) || is_open(a)) return false;
    bool assigns = a == RB_TOKEN_ASSIGN || b == RB_TOKEN_ASSIGN ||
                   ((a == RB_TOKEN_EQUALS || b == RB_TOKEN_EQUALS) && l->depth == 0);
    return gap.space || a == RB_TOKEN_SEMICOLON || assigns ||
           (a == RB_TOKEN_COMMA && l->depth <= 1);
}

// --- what a token changes ------------------------------------------------------------------------

// The text of a class begins after its name, its modification and its description.
static void leave_header(Layout *l, int i) {
    RbTokenKind k = kind_at(l, i);
    if (!l->header || i <= l->header || l->depth > 0) return;
    if (k == RB_TOKEN_STRING || k == RB_TOKEN_PLUS || k == RB_TOKEN_LPAREN) return;
    l->header = 0;
    l->at_start = true;
}

static void begin(Layout *l, int i) {
    RbTokenKind k = kind_at(l, i);
    l->at_start = is_section(l, i) || k == RB_TOKEN_ELSE;
    if (is_section(l, i) && k != RB_TOKEN_INITIAL)
        l->in_statements = k == RB_TOKEN_EQUATION || k == RB_TOKEN_ALGORITHM;
    bool same_level = k == RB_TOKEN_ELSEIF || k == RB_TOKEN_ELSEWHEN;
    l->waiting = l->in_statements && is_statement(k) ? 2 : same_level ? 1 : 0;
    if (k == RB_TOKEN_END) close(l, !is_statement(kind_at(l, i + 1)));
}

// Inside an element, equation or statement.
static void go_on(Layout *l, int i) {
    RbTokenKind k = kind_at(l, i);
    bool then_of_expression = k == RB_TOKEN_THEN && l->choices > 0;
    if ((k == RB_TOKEN_IF && kind_at(l, i - 1) != RB_TOKEN_END) || k == RB_TOKEN_ELSEIF)
        l->choices++;
    if (then_of_expression) l->choices--;
    if (l->waiting == 0 || then_of_expression || (k != RB_TOKEN_THEN && k != RB_TOKEN_LOOP)) return;
    l->level += l->waiting - 1;
    l->waiting = 0;
    l->at_start = true;
}

static void change_brackets(Layout *l, RbTokenKind k) {
    if (is_open(k)) {
        if (l->depth < DEPTH) l->brackets[l->depth] = l->line;
        l->depth++;
    } else if (is_close(k) && l->depth > 0) {
        l->depth--;
    }
}

static void change(Layout *l, int i) {
    RbTokenKind k = kind_at(l, i);
    bool inside = l->depth > 0;
    change_brackets(l, k);
    if (inside || l->depth > 0) {
        l->at_start = false;
        return;
    }
    if (k == RB_TOKEN_SEMICOLON) {
        l->at_start = true;
        l->waiting = 0;
        l->choices = 0;
        return;
    }
    int name = rb_class_name(l->tokens, i);
    if (l->at_start)
        begin(l, i);
    else
        go_on(l, i);
    if (name > 0) open_class(l, name);
}

void rb_format(const RbTokens *tokens, const char *text, RbText *out) {
    Layout l = {.tokens = tokens, .out = out, .at_start = true, .fresh = true};
    const char *p = text;
    for (int i = 0; i < tokens->list.count; i++) {
        const RbToken *t = &tokens->list.data[i];
        if (t->kind == RB_TOKEN_END_OF_FILE) break;
        leave_header(&l, i);
        Gap gap = between(&l, p, t->text, i);
        if (!l.fresh && i > 0 && wants_space(&l, i, gap)) rb_text_add(out, " ");
        if (!l.fresh && i == 0 && gap.comment) rb_text_add(out, " ");
        indent(&l, i, false);
        add_bytes(&l, t->text, t->length);
        p = t->text + t->length;
        change(&l, i);
    }
    between(&l, p, p + strlen(p), tokens->list.count);
    if (out->count > 0) rb_text_add(out, "\n");
}

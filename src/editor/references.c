// SPDX-License-Identifier: MIT
#include "editor/references.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"

enum { FILE_SIZE_MAX = 64 << 20, FOLDER_DEPTH = 32 };

typedef struct Search {
    const RbReferenceSearch *ask;
    RbName name;
    RbEditorSymbol meant;
    RbReferences *out;
    bool declared; // the declaration is among the places
} Search;

static RbTokenKind kind_at(const RbTokens *t, int i) {
    return i >= 0 && i < t->list.count ? t->list.data[i].kind : RB_TOKEN_END_OF_FILE;
}

static bool is_named(const RbTokens *t, int i, RbName name) {
    return kind_at(t, i) == RB_TOKEN_IDENT && t->list.data[i].name == name;
}

static RbPos place_of(const RbTokens *t, int i) {
    return (RbPos){t->file, t->list.data[i].line, t->list.data[i].column};
}

// --- iterators -----------------------------------------------------------------------------------

typedef struct Scope {
    int first, last; // tokens
} Scope;

static int bracket(RbTokenKind k) {
    bool open = k == RB_TOKEN_LPAREN || k == RB_TOKEN_LBRACE || k == RB_TOKEN_LBRACKET;
    bool close = k == RB_TOKEN_RPAREN || k == RB_TOKEN_RBRACE || k == RB_TOKEN_RBRACKET;
    return open - close;
}

// The end of the loop whose 'for' is token i.
static int loop_end(const RbTokens *t, int i) {
    int loops = 0, depth = 0;
    for (; i < t->list.count; i++) {
        depth += bracket(kind_at(t, i));
        if (depth != 0 || kind_at(t, i) != RB_TOKEN_FOR) continue;
        loops += kind_at(t, i - 1) == RB_TOKEN_END ? -1 : 1;
        if (loops == 0) return i;
    }
    return t->list.count - 1;
}

// Where the iterator of token i is known: its loop, or the brackets around it.
static Scope iterator_scope(const RbTokens *t, int i) {
    while (i > 0 && kind_at(t, i) != RB_TOKEN_FOR) i--;
    for (int b = i - 1, depth = 0; b >= 0 && kind_at(t, b) != RB_TOKEN_SEMICOLON; b--) {
        depth += bracket(kind_at(t, b));
        if (depth <= 0) continue;
        int end = b;
        for (depth = 0; end < t->list.count; end++) {
            depth += bracket(kind_at(t, end));
            if (depth == 0) break;
        }
        return (Scope){b, end};
    }
    return (Scope){i, loop_end(t, i)};
}

// The smallest loop around token i with an iterator of its name; false: there is none.
static bool find_iterator(const RbTokens *t, int i, Scope *out) {
    RbName name = t->list.data[i].name;
    bool found = false;
    if (kind_at(t, i - 1) == RB_TOKEN_DOT) return false;
    for (int k = 0; k < t->list.count; k++) {
        if (!is_named(t, k, name) || kind_at(t, k + 1) != RB_TOKEN_IN) continue;
        Scope s = iterator_scope(t, k);
        if (i < s.first || i > s.last || (found && s.last - s.first > out->last - out->first))
            continue;
        *out = s;
        found = true;
    }
    return found;
}

static bool same_scope(const RbTokens *t, int i, Scope scope) {
    Scope own;
    return find_iterator(t, i, &own) && own.first == scope.first && own.last == scope.last;
}

static void add_iterator(Search *s, const RbTokens *t, Scope scope) {
    for (int i = scope.first; i <= scope.last; i++) {
        if (is_named(t, i, s->name) && same_scope(t, i, scope))
            rb_array_push(s->out, s->ask->arena, place_of(t, i));
    }
    s->declared = true;
}

// --- names that are looked up --------------------------------------------------------------------

static bool is_same(const RbPos *a, const RbPos *b) {
    return a->line == b->line && a->column == b->column && a->file && b->file &&
           strcmp(a->file, b->file) == 0;
}

static bool means(const Search *s, RbCursor cursor, const RbPos *at) {
    RbEditorSymbol here = {0};
    return rb_name_at(s->ask->classes, &cursor, &here) && is_same(&here.at, at);
}

// The new name must mean nothing where the old one stands. In a modification, such as left(r = 0.2),
// only what is modified counts: names around it are others.
static RbStatus check_free(Search *s, RbCursor cursor, RbPos at) {
    RbEditorSymbol other = {0};
    const RbReferenceSearch *ask = s->ask;
    RbCursor outside = cursor;
    outside.around_count = 0;
    bool modifies = !means(s, outside, &s->meant.at);
    cursor.name.parts[cursor.name.count - 1] = rb_intern(ask->classes->names, ask->new_name);
    if (!rb_name_at(ask->classes, &cursor, &other)) return RB_OK;
    outside.name = cursor.name;
    if (modifies && means(s, outside, &other.at)) return RB_OK;
    return rb_fail(ask->diag, RB_ERROR_USAGE, at,
                   "'%s' is already the name of a %s here; choose another name", ask->new_name,
                   other.kind);
}

static RbStatus search_tokens(Search *s, const RbTokens *t) {
    for (int i = 0; i < t->list.count; i++) {
        Scope scope;
        if (!is_named(t, i, s->name) || find_iterator(t, i, &scope)) continue;
        RbPos at = place_of(t, i);
        RbCursor cursor = rb_cursor(t, at.line, at.column + 1);
        if (!means(s, cursor, &s->meant.at)) continue;
        if (s->ask->new_name) RB_TRY(check_free(s, cursor, at));
        s->declared |= is_same(&at, &s->meant.at);
        rb_array_push(s->out, s->ask->arena, at);
    }
    return RB_OK;
}

// --- files ---------------------------------------------------------------------------------------

static RbStatus lex(const Search *s, const char *file, const char *text, RbTokens *tokens) {
    RbModelicaSource source;
    RB_TRY(rb_source_from_text(file, text, strlen(text), s->ask->diag, &source));
    *tokens = rb_lex(&source, s->ask->classes->names, s->ask->arena, s->ask->diag);
    return RB_OK;
}

static RbStatus search_file(Search *s, const char *path) {
    RbModelicaSource source;
    if (strcmp(path, s->ask->file) == 0) return RB_OK;
    RB_TRY(rb_source_read(path, s->ask->arena, s->ask->diag, &source));
    if (!strstr(source.text, s->name)) return RB_OK;
    RbTokens tokens = rb_lex(&source, s->ask->classes->names, s->ask->arena, s->ask->diag);
    return search_tokens(s, &tokens);
}

static bool is_modelica(const char *name) {
    size_t n = strlen(name);
    return n > 3 && strcmp(name + n - 3, ".mo") == 0;
}

static RbStatus search_folder(Search *s, const char *path, int depth, RbArena scratch) {
    RbFileNames names = rb_folder_names(path, s->ask->arena, scratch);
    for (int i = 0; i < names.count && depth <= FOLDER_DEPTH; i++) {
        const char *inner = rb_arena_printf(s->ask->arena, "%s/%s", path, names.data[i]);
        if (names.data[i][0] == '.') continue;
        if (rb_is_folder(inner))
            RB_TRY(search_folder(s, inner, depth + 1, scratch));
        else if (is_modelica(inner))
            RB_TRY(search_file(s, inner));
    }
    return RB_OK;
}

// The outermost folder around a file that is a package; NULL: there is none.
static const char *package_folder(const Search *s) {
    char *path = rb_arena_text(s->ask->arena, s->ask->file), *slash;
    const char *found = NULL;
    while ((slash = strrchr(path, '/')) && slash > path) {
        *slash = 0;
        const char *package = rb_arena_printf(s->ask->arena, "%s/package.mo", path);
        if (access(package, R_OK) != 0) break;
        found = rb_arena_text(s->ask->arena, path);
    }
    return found;
}

// --- the search ----------------------------------------------------------------------------------

static RbStatus check_new_name(const Search *s) {
    RbTokens tokens;
    const char *name = s->ask->new_name;
    if (!name) return RB_OK;
    RB_TRY(lex(s, "new name", name, &tokens));
    bool is_name = kind_at(&tokens, 0) == RB_TOKEN_IDENT &&
                   kind_at(&tokens, 1) == RB_TOKEN_END_OF_FILE &&
                   tokens.list.data[0].length == (int)strlen(name);
    return is_name ? RB_OK
                   : rb_fail(s->ask->diag, RB_ERROR_USAGE, RB_NOWHERE, "'%s' is no name", name);
}

static int token_at(const RbTokens *t, RbEditorPlace place) {
    for (int i = 0; i < t->list.count; i++) {
        const RbToken *k = &t->list.data[i];
        if (k->kind == RB_TOKEN_IDENT && k->line == place.line && k->column <= place.column &&
            place.column <= k->column + k->length)
            return i;
    }
    return -1;
}

static RbStatus search_all(Search *s, const RbTokens *t) {
    RB_TRY(search_tokens(s, t));
    const char *folder = s->ask->in_package ? package_folder(s) : NULL;
    if (folder) RB_TRY(search_folder(s, folder, 0, *s->ask->scratch));
    if (s->declared || !s->ask->new_name) return RB_OK;
    return rb_fail(
        s->ask->diag, RB_ERROR_USAGE, s->meant.at,
        "'%s' is declared here, which is not a part of the text or its package; rename it "
        "there",
        s->name);
}

RbStatus rb_references(const RbReferenceSearch *ask, RbReferences *out) {
    Search s = {.ask = ask, .out = out};
    RbTokens tokens;
    Scope scope;
    RB_TRY(check_new_name(&s));
    RB_TRY(lex(&s, ask->file, ask->text, &tokens));
    int i = token_at(&tokens, ask->place);
    if (i < 0) return RB_OK;
    s.name = tokens.list.data[i].name;
    if (find_iterator(&tokens, i, &scope)) {
        add_iterator(&s, &tokens, scope);
        return RB_OK;
    }
    RbPos at = place_of(&tokens, i);
    RbCursor cursor = rb_cursor(&tokens, at.line, at.column + 1);
    if (!rb_name_at(ask->classes, &cursor, &s.meant) || s.meant.at.line == 0) return RB_OK;
    return search_all(&s, &tokens);
}

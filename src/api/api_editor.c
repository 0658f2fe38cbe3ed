// SPDX-License-Identifier: MIT
// What editors ask (include/rattleback/editor.h).
#include "rattleback/editor.h"

#include <string.h>

#include "api/api_context.h"
#include "editor/format.h"
#include "editor/names.h"
#include "editor/references.h"
#include "model/modelica.h"
#include "syntax/parse.h"

static RbStatus lex(RbContext *c, const RbModelica *asked, const char *text, RbNames *names,
                    RbTokens *tokens) {
    RbModelicaSource source;
    RB_TRY(rb_source_from_text(asked->file ? asked->file : "text", text, strlen(text), &c->diag,
                               &source));
    *tokens = rb_lex(&source, names, &c->arena, &c->diag);
    return RB_OK;
}

// What stands at the place, in the classes that it can see.
static RbStatus find_cursor(RbContext *c, const RbModelica *source, RbEditorPlace place,
                            RbClasses **classes, RbCursor *cursor) {
    RbModelicaOpener opener = {.source = source,
                               .registry = &c->registry,
                               .log = &c->log,
                               .arena = &c->arena,
                               .scratch = &c->scratch,
                               .diag = &c->diag};
    RbLibrary *library;
    const char *name;
    RB_TRY(rb_modelica_library(&opener, &library, &name));
    RbTokens *tokens = rb_new(&c->arena, RbTokens);
    RB_TRY(lex(c, source, place.text ? place.text : source->text, library->names, tokens));
    *cursor = rb_cursor(tokens, place.line, place.column);
    *classes = rb_classes(library);
    return RB_OK;
}

static RbStatus check(RbContext *c, const char *function, const RbModelica *source,
                      const char *text) {
    if (!source) return rb_bad_argument(c, function, "source", "is NULL");
    if (!source->text && !text) return rb_bad_argument(c, function, "source->text", "is NULL");
    return RB_OK;
}

RbStatus rb_editor_outline(RbContext *c, const RbModelica *source, const RbEditorSymbol **list,
                           int *count) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, list);
    RB_NEED(c, count);
    *list = NULL;
    *count = 0;
    RB_TRY(check(c, __func__, source, NULL));
    RB_CALL(c);
    const char *text = source->text;
    RbNames names = rb_names(&c->arena);
    RbTokens tokens;
    RbAstFile *file;
    RB_TRY(rb_parse_text(source->file ? source->file : "text", text, strlen(text), &names,
                         &c->arena, c->scratch, &c->diag, &file));
    RB_TRY(lex(c, source, text, &names, &tokens)); // without errors now
    RbEditorSymbols found = rb_names_of(file, &tokens, &c->arena);
    *list = found.data;
    *count = found.count;
    return RB_OK;
}

RbStatus rb_editor_name(RbContext *c, const RbModelica *source, RbEditorPlace place,
                        RbEditorSymbol *named) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, named);
    *named = (RbEditorSymbol){0};
    RB_TRY(check(c, __func__, source, place.text));
    RB_CALL(c);
    RbClasses *classes;
    RbCursor cursor;
    RB_TRY(find_cursor(c, source, place, &classes, &cursor));
    rb_name_at(classes, &cursor, named);
    return RB_OK;
}

RbStatus rb_editor_completions(RbContext *c, const RbModelica *source, RbEditorPlace place,
                               const RbEditorSymbol **list, int *count) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, list);
    RB_NEED(c, count);
    *list = NULL;
    *count = 0;
    RB_TRY(check(c, __func__, source, place.text));
    RB_CALL(c);
    RbClasses *classes;
    RbCursor cursor;
    RB_TRY(find_cursor(c, source, place, &classes, &cursor));
    RbEditorSymbols found = rb_names_at(classes, &cursor);
    *list = found.data;
    *count = found.count;
    return RB_OK;
}

RbStatus rb_editor_references(RbContext *c, const RbModelica *source, RbEditorPlace place,
                              const char *new_name, const RbPos **list, int *count) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, list);
    RB_NEED(c, count);
    *list = NULL;
    *count = 0;
    RB_TRY(check(c, __func__, source, place.text));
    RB_CALL(c);
    RbClasses *classes;
    RbCursor cursor;
    RB_TRY(find_cursor(c, source, place, &classes, &cursor));
    RbReferenceSearch search = {.classes = classes,
                                .file = source->file ? source->file : "text",
                                .text = place.text ? place.text : source->text,
                                .place = place,
                                .new_name = new_name,
                                .in_package = !source->text,
                                .arena = &c->arena,
                                .scratch = &c->scratch,
                                .diag = &c->diag};
    RbReferences found = {0};
    RB_TRY(rb_references(&search, &found));
    *list = found.data;
    *count = found.count;
    return RB_OK;
}

RbStatus rb_editor_format(RbContext *c, const char *name, const char *text, const char **formatted) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, text);
    RB_NEED(c, formatted);
    *formatted = "";
    RB_CALL(c);
    RbNames names = rb_names(&c->arena);
    RbModelicaSource source;
    RbAstFile *file;
    const char *shown = rb_arena_text(&c->arena, name ? name : "text");
    text = rb_arena_text(&c->arena, text); // messages quote it
    RB_TRY(rb_source_from_text(shown, text, strlen(text), &c->diag, &source));
    RB_TRY(rb_parse_text(shown, text, strlen(text), &names, &c->arena, c->scratch, &c->diag, &file));
    RbTokens tokens = rb_lex(&source, &names, &c->arena, &c->diag);
    RbText out = rb_text(&c->arena);
    rb_format(&tokens, source.text, &out);
    if (out.count > 0) *formatted = out.data;
    return RB_OK;
}

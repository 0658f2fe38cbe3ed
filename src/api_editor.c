// SPDX-License-Identifier: MIT
// What editors ask (include/rattleback/editor.h).
#include "rattleback/editor.h"

#include <string.h>

#include "api_context.h"
#include "editor/names.h"
#include "model/modelica.h"
#include "syntax/parse.h"

typedef struct EditorCall {
    RbContext *context;
    const RbModelica *source;
    RbEditorPlace place;
    bool complete;
    RbEditorSymbol named;
    RbEditorSymbols list;
} EditorCall;

static RbStatus lex(EditorCall *call, const char *text, RbNames *names, RbTokens *tokens) {
    RbContext *c = call->context;
    RbModelicaSource source;
    RB_TRY(rb_source_from_text(call->source->file ? call->source->file : "text", text, strlen(text),
                               &c->diag, &source));
    *tokens = rb_lex(&source, names, &c->arena, &c->diag);
    return RB_OK;
}

static RbStatus outline(void *argument) {
    EditorCall *call = argument;
    RbContext *c = call->context;
    const char *text = call->source->text;
    RbNames names = rb_names(&c->arena);
    RbTokens tokens;
    RbAstFile *file;
    RB_TRY(rb_parse_text(call->source->file ? call->source->file : "text", text, strlen(text),
                         &names, &c->arena, c->scratch, &c->diag, &file));
    RB_TRY(lex(call, text, &names, &tokens)); // without errors now
    call->list = rb_names_of(file, &tokens, &c->arena);
    return RB_OK;
}

static RbStatus look(void *argument) {
    EditorCall *call = argument;
    RbContext *c = call->context;
    RbModelicaOpener opener = {.source = call->source,
                               .registry = &c->registry,
                               .log = &c->log,
                               .arena = &c->arena,
                               .scratch = &c->scratch,
                               .diag = &c->diag};
    RbLibrary *library;
    const char *name;
    RB_TRY(rb_modelica_library(&opener, &library, &name));
    const char *text = call->place.text ? call->place.text : call->source->text;
    RbTokens tokens;
    RB_TRY(lex(call, text, library->names, &tokens));
    RbCursor cursor = rb_cursor(&tokens, call->place.line, call->place.column);
    RbClasses *classes = rb_classes(library);
    if (call->complete)
        call->list = rb_names_at(classes, &cursor);
    else
        rb_name_at(classes, &cursor, &call->named);
    return RB_OK;
}

static RbStatus ask(EditorCall *call, const char *function, RbStatus (*job)(void *)) {
    if (!call->source) return rb_bad_argument(call->context, function, "source", "is NULL");
    if (!call->source->text && !call->place.text)
        return rb_bad_argument(call->context, function, "source->text", "is NULL");
    return rb_context_call(call->context, job, call);
}

RbStatus rb_editor_outline(RbContext *context, const RbModelica *source,
                           const RbEditorSymbol **list, int *count) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, list);
    RB_NEED(context, count);
    EditorCall call = {.context = context, .source = source};
    RbStatus status = ask(&call, __func__, outline);
    *list = call.list.data;
    *count = call.list.count;
    return status;
}

RbStatus rb_editor_name(RbContext *context, const RbModelica *source, RbEditorPlace place,
                        RbEditorSymbol *named) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, named);
    EditorCall call = {.context = context, .source = source, .place = place};
    RbStatus status = ask(&call, __func__, look);
    *named = call.named;
    return status;
}

RbStatus rb_editor_completions(RbContext *context, const RbModelica *source, RbEditorPlace place,
                               const RbEditorSymbol **list, int *count) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, list);
    RB_NEED(context, count);
    EditorCall call = {.context = context, .source = source, .place = place, .complete = true};
    RbStatus status = ask(&call, __func__, look);
    *list = call.list.data;
    *count = call.list.count;
    return status;
}

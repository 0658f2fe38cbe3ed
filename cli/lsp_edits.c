// SPDX-License-Identifier: MIT
// Requests that look for a name in whole files, or change them.
#include <stdio.h>
#include <string.h>

#include "lsp.h"

// --- references and renaming ---------------------------------------------------------------------

static RbStatus find_references(Question *q, const char *new_name, const RbPos **list, int *count) {
    return rb_editor_references(q->context, &q->source, q->place, new_name, list, count);
}

// The range of a name of `length` bytes; in other files columns are bytes, which are units there.
static cJSON *name_range(const Server *s, const Document *d, RbPos where, int length) {
    bool here = where.file && strcmp(where.file, d->path) == 0;
    int start = here ? lsp_character(s, d->text, where.line, where.column) : where.column - 1;
    int end = here ? lsp_character(s, d->text, where.line, where.column + length) : start + length;
    return lsp_range(lsp_position(where.line, start), lsp_position(where.line, end));
}

// Bytes of the name around a place.
static int name_length(const Question *q) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const char *line = lsp_line(q->place.text, q->place.line);
    int at = q->place.column - 1;
    while (at > 0 && strchr(letters, line[at - 1])) at--;
    return (int)strspn(line + at, letters);
}

cJSON *lsp_references(Server *s, const cJSON *params) {
    Question q;
    const RbPos *list = NULL;
    int count = 0;
    cJSON *out = cJSON_CreateArray();
    if (!lsp_ask(s, params, &q)) return out;
    find_references(&q, NULL, &list, &count);
    int length = count > 0 ? name_length(&q) : 0;
    for (int i = 0; i < count; i++) {
        cJSON *x = cJSON_CreateObject();
        lsp_add_uri(x, list[i].file);
        cJSON_AddItemToObject(x, "range", name_range(s, q.document, list[i], length));
        cJSON_AddItemToArray(out, x);
    }
    rb_context_free(q.context);
    return out;
}

cJSON *lsp_highlights(Server *s, const cJSON *params) {
    Question q;
    const RbPos *list = NULL;
    int count = 0;
    cJSON *out = cJSON_CreateArray();
    if (!lsp_ask(s, params, &q)) return out;
    find_references(&q, NULL, &list, &count);
    int length = count > 0 ? name_length(&q) : 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(list[i].file, q.document->path) != 0) continue;
        cJSON *x = cJSON_CreateObject();
        cJSON_AddItemToObject(x, "range", name_range(s, q.document, list[i], length));
        cJSON_AddItemToArray(out, x);
    }
    rb_context_free(q.context);
    return out;
}

// The edits of one file, which is made if it is not there yet.
static cJSON *edits_of(cJSON *changes, const char *path) {
    cJSON *named = cJSON_CreateObject();
    lsp_add_uri(named, path);
    const char *uri = lsp_text(named, "uri");
    cJSON *edits = cJSON_GetObjectItemCaseSensitive(changes, uri);
    if (!edits) edits = cJSON_AddArrayToObject(changes, uri);
    cJSON_Delete(named);
    return edits;
}

static void complain(Server *s, RbContext *c) {
    RbMessage m = {.text = "the name cannot be changed"};
    int count = rb_context_message_count(c);
    if (count > 0) rb_context_message_data(c, count - 1, &m);
    snprintf(s->refusal, sizeof s->refusal, "%s", m.text);
}

cJSON *lsp_rename(Server *s, const cJSON *params) {
    Question q;
    const RbPos *list = NULL;
    int count = 0;
    const char *name = lsp_text(params, "newName");
    if (!lsp_ask(s, params, &q)) return NULL;
    cJSON *result = NULL;
    if (find_references(&q, name, &list, &count) != RB_OK) {
        complain(s, q.context);
    } else if (count > 0) {
        int length = name_length(&q);
        result = cJSON_CreateObject();
        cJSON *changes = cJSON_AddObjectToObject(result, "changes");
        for (int i = 0; i < count; i++) {
            cJSON *x = cJSON_CreateObject();
            cJSON_AddItemToObject(x, "range", name_range(s, q.document, list[i], length));
            cJSON_AddStringToObject(x, "newText", name);
            cJSON_AddItemToArray(edits_of(changes, list[i].file), x);
        }
    }
    rb_context_free(q.context);
    return result;
}

// --- formatting ----------------------------------------------------------------------------------

cJSON *lsp_formatting(Server *s, const cJSON *params) {
    Document *d = lsp_document(s, lsp_text(lsp_at(params, "textDocument"), "uri"));
    RbContext *c = d ? rb_context_create(NULL) : NULL;
    const char *formatted;
    cJSON *edits = cJSON_CreateArray();
    if (!c) return edits;
    bool done = rb_editor_format(c, d->path, d->text, &formatted) == RB_OK;
    if (done && strcmp(formatted, d->text) != 0) {
        int lines = 1;
        for (const char *p = d->text; *p; p++) lines += *p == '\n';
        cJSON *x = cJSON_CreateObject();
        cJSON_AddItemToObject(x, "range",
                              lsp_range(lsp_position(1, 0), lsp_position(lines + 1, 0)));
        cJSON_AddStringToObject(x, "newText", formatted);
        cJSON_AddItemToArray(edits, x);
    }
    rb_context_free(c);
    return edits;
}

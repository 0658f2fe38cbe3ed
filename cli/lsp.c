// SPDX-License-Identifier: MIT
// rattleback lsp: the language server protocol (3.17) over stdin and stdout, for editors: messages of the
// translation, outline, what a name means, where it is declared, how it can go on.
//
// Every request has a context of its own, so that nothing grows while the editor is open.
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lsp.h"

enum { LENGTH_MAX = 64 << 20 };

// --- messages ------------------------------------------------------------------------------------

static void send_json(cJSON *message) {
    cJSON_AddStringToObject(message, "jsonrpc", "2.0");
    char *text = cJSON_PrintUnformatted(message);
    if (text) printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    fflush(stdout);
    cJSON_free(text);
    cJSON_Delete(message);
}

static void reply(const cJSON *id, cJSON *result) {
    cJSON *m = cJSON_CreateObject();
    cJSON_AddItemToObject(m, "id", cJSON_Duplicate(id, true));
    cJSON_AddItemToObject(m, "result", result ? result : cJSON_CreateNull());
    send_json(m);
}

static void refuse(const cJSON *id, int code, const char *text) {
    cJSON *m = cJSON_CreateObject(), *error = cJSON_CreateObject();
    cJSON_AddItemToObject(m, "id", id ? cJSON_Duplicate(id, true) : cJSON_CreateNull());
    cJSON_AddNumberToObject(error, "code", code);
    cJSON_AddStringToObject(error, "message", text);
    cJSON_AddItemToObject(m, "error", error);
    send_json(m);
}

// The bytes of the next message; NULL: the input has ended, or is no such message.
static char *read_message(void) {
    char line[256];
    long length = -1;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "Content-Length: %ld", &length) == 1) continue;
        if (strcmp(line, "\r\n") != 0 && strcmp(line, "\n") != 0) continue;
        if (length < 0 || length > LENGTH_MAX) return NULL;
        char *text = malloc((size_t)length + 1);
        if (!text || fread(text, 1, (size_t)length, stdin) != (size_t)length) {
            free(text);
            return NULL;
        }
        text[length] = 0;
        return text;
    }
    return NULL;
}

const cJSON *lsp_at(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

const char *lsp_text(const cJSON *object, const char *name) {
    const char *text = cJSON_GetStringValue(lsp_at(object, name));
    return text ? text : "";
}

// --- documents -----------------------------------------------------------------------------------

static int hex(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// file:///home/a%20b/Ball.mo -> /home/a b/Ball.mo
static char *path_of(const char *uri) {
    if (strncmp(uri, "file://", 7) == 0) uri += 7;
    char *path = malloc(strlen(uri) + 1), *p = path;
    for (; path && *uri; uri++) {
        bool coded = *uri == '%' && hex(uri[1]) >= 0 && hex(uri[2]) >= 0;
        *p++ = coded ? (char)(16 * hex(uri[1]) + hex(uri[2])) : *uri;
        if (coded) uri += 2;
    }
    if (path) *p = 0;
    return path;
}

void lsp_add_uri(cJSON *object, const char *path) {
    char *uri = malloc(3 * strlen(path) + 8), *p = uri;
    if (!uri) return;
    p += sprintf(p, "file://");
    for (; *path; path++) {
        bool plain = strchr("/-_.~", *path) || (*path >= '0' && *path <= '9') ||
                     (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z');
        p += plain ? sprintf(p, "%c", *path) : sprintf(p, "%%%02X", (unsigned char)*path);
    }
    cJSON_AddStringToObject(object, "uri", uri);
    free(uri);
}

Document *lsp_document(Server *s, const char *uri) {
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->documents[i].uri, uri) == 0) return &s->documents[i];
    return NULL;
}

static void forget(Server *s, Document *d) {
    free(d->uri), free(d->path), free(d->text), free(d->good);
    *d = s->documents[--s->count];
}

static Document *new_document(Server *s, const char *uri) {
    if (s->count == DOCUMENTS) forget(s, &s->documents[0]);
    Document *d = &s->documents[s->count++];
    *d = (Document){.uri = strdup(uri), .path = path_of(uri)};
    return d;
}

static bool is_in_package(const Document *d) {
    const char *p = d->text + strspn(d->text, " \t\r\n");
    return strncmp(p, "within", 6) == 0 && p[6 + strspn(p + 6, " \t\r\n")] != ';';
}

// What stands for the document: its text, or the file where it is part of a package in a folder.
static RbModelica source_of(const Server *s, const Document *d, const char *text,
                            const char *libraries[2]) {
    RbModelica source = rb_modelica_default();
    libraries[0] = s->library;
    libraries[1] = NULL;
    source.file = d->path;
    source.libraries = s->library ? libraries : NULL;
    if (!is_in_package(d)) source.text = text;
    source.no_external = true;
    source.translation_seconds = 20;
    return source;
}

// --- places --------------------------------------------------------------------------------------

const char *lsp_line(const char *text, int line) {
    for (; line > 1 && *text; line--) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

static int utf8_bytes(unsigned char first) {
    return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

// From a character of the protocol, counted from 0, to a byte counted from 1, and back.
static int column_of(const Server *s, const char *text, int line, int character) {
    const char *start = lsp_line(text, line), *p = start;
    if (s->utf8) return character + 1;
    for (int units = 0; units < character && *p && *p != '\n';) {
        int bytes = utf8_bytes((unsigned char)*p);
        units += bytes == 4 ? 2 : 1;
        for (int i = 0; i < bytes && *p; i++) p++;
    }
    return (int)(p - start) + 1;
}

int lsp_character(const Server *s, const char *text, int line, int column) {
    const char *p = lsp_line(text, line), *end = p + column - 1;
    if (s->utf8) return column - 1;
    int units = 0;
    while (p < end && *p && *p != '\n') {
        int bytes = utf8_bytes((unsigned char)*p);
        units += bytes == 4 ? 2 : 1;
        for (int i = 0; i < bytes && *p; i++) p++;
    }
    return units;
}

cJSON *lsp_position(int line, int character) {
    cJSON *p = cJSON_CreateObject();
    cJSON_AddNumberToObject(p, "line", line > 0 ? line - 1 : 0);
    cJSON_AddNumberToObject(p, "character", character);
    return p;
}

cJSON *lsp_range(cJSON *start, cJSON *end) {
    cJSON *r = cJSON_CreateObject();
    cJSON_AddItemToObject(r, "start", start);
    cJSON_AddItemToObject(r, "end", end);
    return r;
}

// The word at a place of a text.
static cJSON *word_range(const Server *s, const char *text, RbPos where) {
    int column = where.column > 0 ? where.column : 1;
    const char *p = lsp_line(text, where.line) + column - 1;
    size_t length = strcspn(p, " \t\r\n;,()[]{}=+-*/^<>:.\"");
    int end = column + (length > 0 ? (int)length : 1);
    return lsp_range(lsp_position(where.line, lsp_character(s, text, where.line, column)),
                     lsp_position(where.line, lsp_character(s, text, where.line, end)));
}

// --- diagnostics ---------------------------------------------------------------------------------

static bool is_here(const Document *d, const RbMessage *m) {
    return m->at.file && strcmp(m->at.file, d->path) == 0;
}

static void add_diagnostic(const Server *s, const Document *d, const RbMessage *m, cJSON *list) {
    static const int severities[] = {3, 2, 1}; // note, warning, error
    RbPos where = is_here(d, m) && m->at.line > 0 ? m->at : (RbPos){NULL, 1, 1};
    cJSON *x = cJSON_CreateObject();
    cJSON_AddItemToObject(x, "range", word_range(s, d->text, where));
    cJSON_AddNumberToObject(x, "severity", severities[m->severity]);
    cJSON_AddStringToObject(x, "source", "rattleback");
    cJSON_AddStringToObject(x, "message", m->text);
    cJSON_AddItemToArray(list, x);
}

static void publish(const Document *d, cJSON *list) {
    cJSON *m = cJSON_CreateObject(), *params = cJSON_CreateObject();
    cJSON_AddStringToObject(params, "uri", d->uri);
    cJSON_AddItemToObject(params, "diagnostics", list);
    cJSON_AddStringToObject(m, "method", "textDocument/publishDiagnostics");
    cJSON_AddItemToObject(m, "params", params);
    send_json(m);
}

// Messages that are no fault of what is being written: a package is no model, a part of a model needs others.
static bool is_about_text(const RbMessage *m) {
    return !strstr(m->text, "only a model or block can be simulated") &&
           !strstr(m->text, "it is meant to be extended");
}

static void diagnose(Server *s, Document *d) {
    const char *libraries[2];
    RbContext *c = rb_context_create(NULL);
    RbModelica source = source_of(s, d, d->text, libraries);
    const RbEditorSymbol *symbols;
    int count;
    RbModelInfo info;
    cJSON *list = cJSON_CreateArray();
    RbModelica outline = source;
    outline.text = d->text;
    if (c && rb_editor_outline(c, &outline, &symbols, &count) == RB_OK) {
        free(d->good);
        d->good = strdup(d->text);
        if (count > 0) rb_modelica_check(c, &source, &info);
    }
    for (int i = 0; c && i < rb_context_message_count(c); i++) {
        RbMessage m;
        if (rb_context_message_data(c, i, &m) == RB_OK && is_about_text(&m))
            add_diagnostic(s, d, &m, list);
    }
    publish(d, list);
    rb_context_free(c);
}

// --- requests ------------------------------------------------------------------------------------

// The document and place that a request names; false: there is none.
bool lsp_ask(Server *s, const cJSON *params, Question *q) {
    q->document = lsp_document(s, lsp_text(lsp_at(params, "textDocument"), "uri"));
    q->context = q->document ? rb_context_create(NULL) : NULL;
    if (!q->context) return false;
    const cJSON *p = lsp_at(params, "position");
    Document *d = q->document;
    q->source = source_of(s, d, d->good ? d->good : d->text, q->libraries);
    q->place = (RbEditorPlace){.text = d->text};
    q->place.line = (int)cJSON_GetNumberValue(lsp_at(p, "line")) + 1;
    q->place.column =
        column_of(s, d->text, q->place.line, (int)cJSON_GetNumberValue(lsp_at(p, "character")));
    return true;
}

static cJSON *markdown(const RbEditorSymbol *m) {
    cJSON *content = cJSON_CreateObject();
    size_t size = strlen(m->type) + strlen(m->full_name) + strlen(m->value) + strlen(m->unit) +
                  strlen(m->description) + strlen(m->documentation) + 256;
    char *text = malloc(size);
    if (!text) return content;
    bool has_value = *m->value, has_unit = *m->unit;
    snprintf(text, size, "```modelica\n%s %s%s%s%s%s%s%s%s\n```\n%s\n\n%s", m->kind, m->type,
             *m->type ? " " : "", m->full_name, has_value ? " = " : "", m->value,
             has_unit ? "  // [" : "", m->unit, has_unit ? "]" : "", m->description,
             m->documentation);
    cJSON_AddStringToObject(content, "kind", "markdown");
    cJSON_AddStringToObject(content, "value", text);
    free(text);
    return content;
}

static cJSON *hover(Server *s, const cJSON *params) {
    Question q;
    RbEditorSymbol m = {0};
    cJSON *result = NULL;
    if (!lsp_ask(s, params, &q)) return NULL;
    rb_editor_name(q.context, &q.source, q.place, &m);
    if (m.name) cJSON_AddItemToObject(result = cJSON_CreateObject(), "contents", markdown(&m));
    rb_context_free(q.context);
    return result;
}

static cJSON *definition(Server *s, const cJSON *params) {
    Question q;
    RbEditorSymbol m = {0};
    cJSON *result = NULL;
    if (!lsp_ask(s, params, &q)) return NULL;
    rb_editor_name(q.context, &q.source, q.place, &m);
    const char *file = m.name && m.at.line > 0 ? m.at.file : NULL;
    bool here = file && strcmp(file, q.document->path) == 0;
    if (file && (here || file[0] == '/')) { // what is compiled in has no file
        result = cJSON_CreateObject();
        lsp_add_uri(result, file);
        int start =
            here ? lsp_character(s, q.document->text, m.at.line, m.at.column) : m.at.column - 1;
        int end = start + (int)strlen(m.name);
        cJSON_AddItemToObject(
            result, "range",
            lsp_range(lsp_position(m.at.line, start), lsp_position(m.at.line, end)));
    }
    rb_context_free(q.context);
    return result;
}

// CompletionItemKind: class 7, property 10, constant 21, function 3, module 9, field 5
static int completion_kind(const RbEditorSymbol *m) {
    return strcmp(m->kind, "function") == 0    ? 3
           : strcmp(m->kind, "package") == 0   ? 9
           : strcmp(m->kind, "constant") == 0  ? 21
           : strcmp(m->kind, "parameter") == 0 ? 10
           : strcmp(m->kind, "attribute") == 0 ? 10
           : *m->type                          ? 5
                                               : 7;
}

static cJSON *completion(Server *s, const cJSON *params) {
    Question q;
    const RbEditorSymbol *list = NULL;
    int count = 0;
    cJSON *items = cJSON_CreateArray();
    if (!lsp_ask(s, params, &q)) return items;
    rb_editor_completions(q.context, &q.source, q.place, &list, &count);
    for (int i = 0; i < count; i++) {
        cJSON *x = cJSON_CreateObject();
        cJSON_AddStringToObject(x, "label", list[i].name);
        cJSON_AddNumberToObject(x, "kind", completion_kind(&list[i]));
        cJSON_AddStringToObject(x, "detail", *list[i].type ? list[i].type : list[i].kind);
        if (*list[i].description) cJSON_AddStringToObject(x, "documentation", list[i].description);
        cJSON_AddItemToArray(items, x);
    }
    rb_context_free(q.context);
    return items;
}

// SymbolKind: package 4, class 5, function 12, field 8, property 7, constant 14
static int symbol_kind(const RbEditorSymbol *m) {
    return strcmp(m->kind, "package") == 0     ? 4
           : strcmp(m->kind, "function") == 0  ? 12
           : strcmp(m->kind, "constant") == 0  ? 14
           : strcmp(m->kind, "parameter") == 0 ? 7
           : *m->type                          ? 8
                                               : 5;
}

// The entries from *next on that lie below `level`, as a tree.
static cJSON *symbol_tree(const Server *s, const char *text, const RbEditorSymbol *list, int count,
                          int *next, int level) {
    cJSON *out = cJSON_CreateArray();
    while (*next < count && list[*next].level >= level) {
        const RbEditorSymbol *m = &list[(*next)++];
        cJSON *x = cJSON_CreateObject();
        cJSON_AddStringToObject(x, "name", m->name);
        cJSON_AddStringToObject(x, "detail", *m->type ? m->type : m->kind);
        cJSON_AddNumberToObject(x, "kind", symbol_kind(m));
        cJSON_AddItemToObject(x, "selectionRange", word_range(s, text, m->at));
        int end = m->end_line > m->at.line ? m->end_line + 1 : m->at.line + 1;
        cJSON_AddItemToObject(x, "range",
                              lsp_range(lsp_position(m->at.line, 0), lsp_position(end, 0)));
        cJSON_AddItemToObject(x, "children", symbol_tree(s, text, list, count, next, m->level + 1));
        cJSON_AddItemToArray(out, x);
    }
    return out;
}

static cJSON *symbols(Server *s, const cJSON *params) {
    Question q;
    const RbEditorSymbol *list = NULL;
    int count = 0, next = 0;
    if (!lsp_ask(s, params, &q)) return cJSON_CreateArray();
    const char *text = q.document->good ? q.document->good : q.document->text;
    q.source.text = text;
    rb_editor_outline(q.context, &q.source, &list, &count);
    cJSON *out = symbol_tree(s, text, list, count, &next, 0);
    rb_context_free(q.context);
    return out;
}

static bool offers_utf8(const cJSON *params) {
    const cJSON *list =
                    lsp_at(lsp_at(lsp_at(params, "capabilities"), "general"), "positionEncodings"),
                *x;
    cJSON_ArrayForEach(x, list) {
        if (cJSON_IsString(x) && strcmp(x->valuestring, "utf-8") == 0) return true;
    }
    return false;
}

static cJSON *initialize(Server *s, const cJSON *params) {
    cJSON *result = cJSON_CreateObject(), *can = cJSON_CreateObject(), *info = cJSON_CreateObject();
    cJSON *completes = cJSON_CreateObject();
    s->utf8 = offers_utf8(params);
    cJSON_AddStringToObject(can, "positionEncoding", s->utf8 ? "utf-8" : "utf-16");
    cJSON_AddNumberToObject(can, "textDocumentSync", 1); // whole texts
    cJSON_AddTrueToObject(can, "hoverProvider");
    cJSON_AddTrueToObject(can, "definitionProvider");
    cJSON_AddTrueToObject(can, "documentSymbolProvider");
    cJSON_AddTrueToObject(can, "referencesProvider");
    cJSON_AddTrueToObject(can, "documentHighlightProvider");
    cJSON_AddTrueToObject(can, "renameProvider");
    cJSON_AddTrueToObject(can, "documentFormattingProvider");
    cJSON *triggers = cJSON_AddArrayToObject(completes, "triggerCharacters");
    cJSON_AddItemToArray(triggers, cJSON_CreateString("."));
    cJSON_AddItemToArray(triggers, cJSON_CreateString("("));
    cJSON_AddItemToObject(can, "completionProvider", completes);
    cJSON_AddStringToObject(info, "name", "rattleback");
    cJSON_AddStringToObject(info, "version", rb_version());
    cJSON_AddItemToObject(result, "capabilities", can);
    cJSON_AddItemToObject(result, "serverInfo", info);
    return result;
}

// --- the server ----------------------------------------------------------------------------------

static void set_text(Server *s, const char *uri, const char *text) {
    Document *d = lsp_document(s, uri);
    if (!d) d = new_document(s, uri);
    free(d->text);
    d->text = strdup(text);
    if (d->uri && d->path && d->text) diagnose(s, d);
}

static void notified(Server *s, const char *method, const cJSON *params) {
    const cJSON *document = lsp_at(params, "textDocument");
    const char *uri = lsp_text(document, "uri");
    if (strcmp(method, "textDocument/didOpen") == 0) {
        set_text(s, uri, lsp_text(document, "text"));
    } else if (strcmp(method, "textDocument/didChange") == 0) {
        const cJSON *changes = lsp_at(params, "contentChanges");
        int last = cJSON_GetArraySize(changes) - 1;
        if (last >= 0) set_text(s, uri, lsp_text(cJSON_GetArrayItem(changes, last), "text"));
    } else if (strcmp(method, "textDocument/didSave") == 0) {
        Document *d = lsp_document(s, uri);
        if (d) diagnose(s, d);
    } else if (strcmp(method, "textDocument/didClose") == 0) {
        Document *d = lsp_document(s, uri);
        if (d) publish(d, cJSON_CreateArray()), forget(s, d);
    } else if (strcmp(method, "exit") == 0) {
        s->done = true;
    }
}

static const struct {
    const char *method;
    cJSON *(*answer)(Server *s, const cJSON *params);
} requests[] = {
    {"initialize", initialize},
    {"textDocument/hover", hover},
    {"textDocument/definition", definition},
    {"textDocument/completion", completion},
    {"textDocument/documentSymbol", symbols},
    {"textDocument/references", lsp_references},
    {"textDocument/documentHighlight", lsp_highlights},
    {"textDocument/rename", lsp_rename},
    {"textDocument/formatting", lsp_formatting},
};

static void handle(Server *s, const cJSON *message) {
    const cJSON *id = lsp_at(message, "id"), *params = lsp_at(message, "params");
    const char *method = lsp_text(message, "method");
    if (!id) {
        notified(s, method, params);
        return;
    }
    if (strcmp(method, "shutdown") == 0) {
        s->shut_down = true;
        reply(id, NULL);
        return;
    }
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        if (strcmp(method, requests[i].method) != 0) continue;
        s->refusal[0] = 0;
        cJSON *result = requests[i].answer(s, params);
        if (s->refusal[0])
            refuse(id, -32803, s->refusal); // RequestFailed
        else
            reply(id, result);
        return;
    }
    refuse(id, -32601, "this server does not know the method");
}

RbStatus run_lsp(Cli *cli) {
    Server s = {.library = cli_option(cli, "library")};
    while (!s.done) {
        char *text = read_message();
        if (!text) break;
        cJSON *message = cJSON_Parse(text);
        if (cJSON_IsObject(message))
            handle(&s, message);
        else
            refuse(NULL, -32700, "this is no JSON object");
        cJSON_Delete(message);
        free(text);
    }
    while (s.count > 0) forget(&s, &s.documents[0]);
    if (s.done && s.shut_down) return RB_OK;
    return cli_fail(cli, RB_ERROR_USAGE, NULL, "the client has left without 'shutdown' and 'exit'");
}

// SPDX-License-Identifier: MIT
// lsp.h: what the files of `rattleback lsp` share: documents, places, and what a request asks.
#pragma once

#include <cJSON.h>

#include "cli.h"

enum { DOCUMENTS = 64 };

typedef struct Document {
    char *uri, *path, *text;
    char *good; // the last text that could be parsed; NULL: none yet
} Document;

typedef struct Server {
    const char *library;
    Document documents[DOCUMENTS];
    int count;
    bool utf8; // columns count bytes, not UTF-16 units
    bool shut_down, done;
    char refusal[512]; // why the request at hand was not done; empty: it was
} Server;

typedef struct Question {
    Document *document;
    RbContext *context;
    RbModelica source;
    RbEditorPlace place;
    const char *libraries[2];
} Question;

// A member of an object; its text, or "".
const cJSON *lsp_at(const cJSON *object, const char *name);
const char *lsp_text(const cJSON *object, const char *name);

Document *lsp_document(Server *s, const char *uri);
void lsp_add_uri(cJSON *object, const char *path);

// The document and place that a request names; false: there is none. The caller frees the context.
bool lsp_ask(Server *s, const cJSON *params, Question *q);

// The start of a line, counted from 1; a column in bytes, from 1, as a character of the protocol.
const char *lsp_line(const char *text, int line);
int lsp_character(const Server *s, const char *text, int line, int column);
cJSON *lsp_position(int line, int character);
cJSON *lsp_range(cJSON *start, cJSON *end);

// lsp_edits.c
cJSON *lsp_references(Server *s, const cJSON *params);
cJSON *lsp_highlights(Server *s, const cJSON *params);
cJSON *lsp_rename(Server *s, const cJSON *params);
cJSON *lsp_formatting(Server *s, const cJSON *params);

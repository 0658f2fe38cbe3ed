// SPDX-License-Identifier: MIT
#include "io/xml.h"

#include <expat.h>
#include <math.h>
#include <string.h>

#include "base/number.h"

enum { DEEPEST = 100, MOST = 500000 };

typedef struct Reader {
    XML_Parser parser;
    const char *file;
    RbArena *arena;
    RbDiag *diag;
    RbXml *root, *open;
    RbText texts[DEEPEST]; // of the elements that are open
    int depth, count;
    RbStatus status;
} Reader;

static RbPos here(const Reader *r) {
    return (RbPos){.file = r->file,
                   .line = (int)XML_GetCurrentLineNumber(r->parser),
                   .column = (int)XML_GetCurrentColumnNumber(r->parser) + 1};
}

// The first error ends the reading.
#define FAIL(r, ...)                                                                               \
    do {                                                                                           \
        if ((r)->status == RB_OK)                                                                  \
            (r)->status = rb_fail((r)->diag, RB_ERROR_MODEL, here(r), __VA_ARGS__);                \
        XML_StopParser((r)->parser, XML_FALSE);                                                    \
    } while (0)

// ---- from text to elements

static const char *copy(Reader *r, const char *text) {
    return rb_arena_bytes(r->arena, text, strlen(text));
}

static void add_attributes(Reader *r, RbXml *e, const char **given) {
    RbXmlAttribute **end = &e->attributes;
    for (; given[0]; given += 2) {
        *end = rb_new(r->arena, RbXmlAttribute);
        **end = (RbXmlAttribute){.name = copy(r, given[0]), .value = copy(r, given[1])};
        end = &(*end)->next;
        r->count++;
    }
}

static void append(RbXml *parent, RbXml *e) {
    if (parent->last) parent->last->next = e;
    if (!parent->first) parent->first = e;
    parent->last = e;
}

static void XMLCALL start_element(void *user, const char *name, const char **given) {
    Reader *r = user;
    if (r->status != RB_OK) return;
    if (r->depth >= DEEPEST) {
        FAIL(r, "<%.60s> is the %dth element inside of each other; at most %d are read", name,
             r->depth + 1, DEEPEST);
        return;
    }
    RbXml *e = rb_new(r->arena, RbXml);
    *e = (RbXml){.name = copy(r, name), .text = "", .at = here(r), .parent = r->open};
    add_attributes(r, e, given);
    if (r->open) append(r->open, e);
    if (!r->root) r->root = e;
    r->open = e;
    r->texts[r->depth++] = rb_text(r->arena);
    if (++r->count > MOST) FAIL(r, "the file has more than %d elements and attributes", MOST);
}

static void XMLCALL end_element(void *user, const char *name) {
    (void)name;
    Reader *r = user;
    if (r->status != RB_OK || r->depth == 0) return;
    RbText *text = &r->texts[--r->depth];
    if (text->count > 0) r->open->text = text->data;
    r->open = r->open->parent;
}

static void XMLCALL characters(void *user, const char *text, int length) {
    Reader *r = user;
    if (r->status == RB_OK && r->depth > 0)
        rb_text_add_bytes(&r->texts[r->depth - 1], text, (size_t)length);
}

// Files that declare entities want to fill the memory, or to be given what is in others.
static void XMLCALL entity(void *user, const char *name, int parameter, const char *value,
                           int length, const char *base, const char *system, const char *public,
                           const char *notation) {
    (void)parameter, (void)value, (void)length, (void)base, (void)system, (void)public;
    (void)notation;
    FAIL((Reader *)user, "the entity '%.60s' is declared; write what it means where it stands",
         name);
}

static void XMLCALL skipped(void *user, const char *name, int parameter) {
    (void)parameter;
    FAIL((Reader *)user, "the entity '%.60s' is not known; write what it means where it stands",
         name);
}

static void free_parser(void *parser) {
    XML_ParserFree(parser);
}

RbStatus rb_xml_read(const char *file, RbBytes bytes, RbArena *arena, RbDiag *diag, RbXml **out) {
    Reader r = {.file = file, .arena = arena, .diag = diag};
    rb_diag_add_source(diag, file, (const char *)bytes.data, bytes.size);
    if (bytes.size > 1 << 30)
        return rb_fail(diag, RB_ERROR_MODEL, rb_in_file(file), "the file is larger than 1 GiB");
    r.parser = XML_ParserCreate(NULL);
    if (!r.parser) rb_heap_fail(arena->heap);
    rb_arena_defer(arena, free_parser, r.parser);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, start_element, end_element);
    XML_SetCharacterDataHandler(r.parser, characters);
    XML_SetEntityDeclHandler(r.parser, entity);
    XML_SetSkippedEntityHandler(r.parser, skipped);
    enum XML_Status parsed = XML_Parse(r.parser, (const char *)bytes.data, (int)bytes.size, 1);
    enum XML_Error error = XML_GetErrorCode(r.parser);
    if (r.status != RB_OK) return r.status;
    if (error == XML_ERROR_NO_MEMORY) rb_heap_fail(arena->heap);
    if (parsed == XML_STATUS_ERROR)
        return rb_fail(diag, RB_ERROR_MODEL, here(&r), "this is not XML: %s",
                       XML_ErrorString(error));
    *out = r.root;
    return RB_OK;
}

// ---- looking at elements

static RbXml *first_named(RbXml *e, const char *name) {
    while (e && name && strcmp(e->name, name) != 0) e = e->next;
    return e;
}

RbXml *rb_xml_child(const RbXml *element, const char *name) {
    return element ? first_named(element->first, name) : NULL;
}

RbXml *rb_xml_next(const RbXml *element) {
    return first_named(element->next, element->name);
}

bool rb_xml_is(const RbXml *e, const char *name) {
    const char *colon = strrchr(e->name, ':');
    return strcmp(colon ? colon + 1 : e->name, name) == 0;
}

RbXml *rb_xml_child_called(const RbXml *e, const char *name) {
    RbXml *c = e ? e->first : NULL;
    while (c && !rb_xml_is(c, name)) c = c->next;
    return c;
}

const char *rb_xml_attribute(RbXml *element, const char *name) {
    for (RbXmlAttribute *a = element ? element->attributes : NULL; a; a = a->next) {
        if (strcmp(a->name, name) != 0) continue;
        a->used = true;
        return a->value;
    }
    return NULL;
}

void rb_xml_mapped(RbXml *element) {
    if (element && element->verdict == RB_IGNORED) element->verdict = RB_MAPPED;
}

void rb_xml_approximated(RbXml *element, const char *how) {
    if (!element) return;
    element->verdict = RB_APPROXIMATED;
    element->how = how;
}

void rb_xml_ignored(RbXml *element, const char *why) {
    element->verdict = RB_IGNORED;
    element->how = why;
}

// ---- numbers

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \t\r\n");
}

RbStatus rb_xml_numbers(RbXml *element, const char *name, int least, int most, double *numbers,
                        int *count, RbDiag *diag) {
    const char *text = name ? rb_xml_attribute(element, name) : element->text, *shown;
    shown = name ? name : "the text";
    *count = 0;
    if (!text) return RB_OK;
    for (const char *at = skip_blanks(text); *at; at = skip_blanks(at)) {
        size_t length = strcspn(at, " \t\r\n");
        double value;
        if (!rb_number_parse(at, at + length, &value) || !isfinite(value))
            return rb_fail(diag, RB_ERROR_MODEL, element->at,
                           "'%.*s' in %s of <%s> is not a number", length > 40 ? 40 : (int)length,
                           at, shown, element->name);
        if (*count < most) numbers[*count] = value;
        if (++*count > most) break;
        at += length;
    }
    if (*count < least || *count > most)
        return rb_fail(diag, RB_ERROR_MODEL, element->at,
                       least == most ? "%s of <%s> is '%.60s'; it needs %d number%s"
                                     : "%s of <%s> is '%.60s'; it needs at least %d number%s",
                       shown, element->name, text, least, least == 1 ? "" : "s");
    return RB_OK;
}

RbStatus rb_xml_number(RbXml *element, const char *name, double *out, RbDiag *diag) {
    int count;
    return rb_xml_numbers(element, name, 1, 1, out, &count, diag);
}

RbStatus rb_xml_vector(RbXml *element, const char *name, double out[3], RbDiag *diag) {
    int count;
    return rb_xml_numbers(element, name, 3, 3, out, &count, diag);
}

RbStatus rb_xml_needed(RbXml *element, const char *name, const char **out, RbDiag *diag) {
    *out = rb_xml_attribute(element, name);
    if (*out && **out) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, element->at, "<%s> needs the attribute '%s'",
                   element->name, name);
}

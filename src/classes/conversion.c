// SPDX-License-Identifier: MIT
// Scripts of conversions: which there are, and what they say.
#include "classes/conversion.h"

#include <string.h>

#include "classes/class.h"
#include "classes/resource.h"
#include "syntax/lex.h"
#include "syntax/parse.h"
#include "base/file.h"

// --- texts in the syntax tree --------------------------------------------------------------------

static const char *text_of(RbLibrary *l, const RbAstExpr *e) {
    return e && e->kind == RB_AST_STRING ? rb_string_value(e->text.start, e->text.length, l->keep)
                                         : NULL;
}

// "a" or {"a", "b"}; fill("", 0) is none.
static RbConversionTexts texts_of(RbLibrary *l, const RbAstExpr *e) {
    RbConversionTexts list = {0};
    const char *one = text_of(l, e);
    if (one) rb_array_push(&list, l->keep, one);
    for (int i = 0; e && e->kind == RB_AST_ARRAY && i < e->kid_count; i++) {
        const char *text = text_of(l, e->kids[i]);
        if (text) rb_array_push(&list, l->keep, text);
    }
    return list;
}

static bool holds(const RbConversionTexts *list, const char *text) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->data[i], text) == 0) return true;
    return false;
}

static uint64_t key_of(RbLibrary *l, const char *text) {
    return rb_map_key(rb_intern(l->names, text));
}

// --- statements of a script ----------------------------------------------------------------------

typedef struct Script {
    RbLibrary *l;
    RbConversion *c;
} Script;

static void set_text(const Script *s, RbMap *map, const char *from, const char *to) {
    rb_map_set(map, s->l->keep, key_of(s->l, from), rb_map_key(rb_intern(s->l->names, to)));
    size_t length = strcspn(from, ". ");
    rb_map_set(&s->c->roots, s->l->keep, rb_map_key(rb_intern_bytes(s->l->names, from, length)), 1);
}

static void each_pair(const Script *s, RbMap *map, const char *prefix,
                      const RbConversionTexts *from, const RbConversionTexts *to) {
    for (int i = 0; i < from->count && to->count > 0; i++) {
        const char *old =
            *prefix ? rb_arena_printf(s->l->keep, "%s %s", prefix, from->data[i]) : from->data[i];
        set_text(s, map, old, to->data[i < to->count ? i : to->count - 1]);
    }
}

static void add_link(const Script *s, const char *class, int set) {
    RbConversion *c = s->c;
    uint64_t key = key_of(s->l, class), *last = rb_map_find(&c->modifiers, key);
    rb_array_push(&c->links, s->l->keep,
                  (RbConversionLink){.set = set, .next = last ? (int)*last : 0});
    rb_map_set(&c->modifiers, s->l->keep, key, (uint64_t)c->links.count);
}

static void read_call(const Script *s, const RbAstExpr *call) {
    const RbAstExpr *ref = call->kids[0];
    if (ref->kind != RB_AST_REF || ref->kid_count != 1) return;
    const char *name = ref->parts[0].name;
    RbConversionTexts args[3] = {{0}};
    for (int i = 0; i < 3 && i + 1 < call->kid_count; i++)
        args[i] = texts_of(s->l, call->kids[i + 1]);
    if (strcmp(name, "convertClass") == 0) each_pair(s, &s->c->classes, "", &args[0], &args[1]);
    if (strcmp(name, "convertMessage") == 0) each_pair(s, &s->c->messages, "", &args[0], &args[1]);
    bool modifiers = strcmp(name, "convertModifiers") == 0,
         element = strcmp(name, "convertElement") == 0;
    if (modifiers) rb_array_push(&s->c->sets, s->l->keep, (RbConvertedModifiers){args[1], args[2]});
    for (int i = 0; i < args[0].count && (modifiers || element); i++) {
        if (element) each_pair(s, &s->c->elements, args[0].data[i], &args[1], &args[2]);
        if (modifiers) add_link(s, args[0].data[i], s->c->sets.count - 1);
    }
}

// A script is a list of calls, which is what a function consists of.
static bool read_script(const Script *s, const char *path) {
    RbLibrary *l = s->l;
    RbBytes text;
    if (rb_file_read(path, 0, l->keep, l->diag, &text) != RB_OK) return false;
    const char *whole = rb_arena_printf(l->keep, "function script algorithm %.*s\nend script;\n",
                                        (int)text.size, (const char *)text.data);
    RbAstFile *ast;
    if (rb_parse_text(path, whole, strlen(whole), l->names, l->keep, *l->scratch, l->diag, &ast) !=
        RB_OK)
        return false;
    for (int k = 0; k < ast->classes[0]->section_count; k++) {
        const RbAstSection *section = &ast->classes[0]->sections[k];
        for (int i = 0; section->kind == RB_AST_ALGORITHM && i < section->count; i++)
            if (section->list[i]->kind == RB_AST_EQ_CALL) read_call(s, section->list[i]->left);
    }
    return true;
}

// --- which script --------------------------------------------------------------------------------

// The script that converts from a version; NULL: none. Without a version: that of the last `from`.
static const char *script_for(RbLibrary *l, const RbAstClass *used, const char *version) {
    const RbAstMod *conversion = rb_annotation_group(used->annotation, "conversion");
    const char *script = NULL;
    for (int i = 0; conversion && i < conversion->count; i++) {
        const RbAstArgument *a = &conversion->arguments[i];
        if (a->name.count != 1 || strcmp(a->name.parts[0], "from") != 0 || !a->mod) continue;
        RbConversionTexts versions = texts_of(l, rb_annotation(a->mod, "version"));
        if (!version || holds(&versions, version))
            script = text_of(l, rb_annotation(a->mod, "script"));
    }
    return script;
}

// 3.2.3+build.4 is a 3.2.3.
static const char *plain_version(RbLibrary *l, const char *version) {
    return version ? rb_arena_bytes(l->keep, version, strcspn(version, "+")) : NULL;
}

bool rb_converts(RbLibrary *l, const RbAstClass *used, const char *version) {
    return script_for(l, used, plain_version(l, version)) != NULL;
}

static RbAstClass *used_class(RbLibrary *l, RbName name) {
    const RbAstEntry *e = rb_library_find(l, l->root, name);
    return e && e->element->kind == RB_AST_CLASS ? e->element->class : NULL;
}

RbConversion *rb_conversion_for(RbLibrary *l, const RbAstClass *package) {
    const RbAstMod *uses = rb_annotation_group(package->annotation, "uses");
    Script s = {.l = l};
    for (int i = 0; uses && i < uses->count; i++) {
        const RbAstArgument *use = &uses->arguments[i];
        const char *version = plain_version(l, text_of(l, rb_annotation(use->mod, "version")));
        if (!version || use->name.count != 1 || use->name.parts[0] == package->name) continue;
        uint64_t name = rb_map_key(use->name.parts[0]);
        if (!rb_map_find(&l->wanted, name))
            rb_map_set(&l->wanted, l->keep, name, rb_map_key(version));
        const RbAstClass *used = used_class(l, use->name.parts[0]);
        const char *present = used ? text_of(l, rb_annotation(used->annotation, "version")) : NULL;
        const char *script =
            present && strcmp(present, version) != 0 ? script_for(l, used, version) : NULL;
        if (!script) continue;
        if (!s.c) s.c = rb_new(l->keep, RbConversion);
        read_script(&s, rb_resource_path(l, script));
    }
    return s.c;
}

// --- names ---------------------------------------------------------------------------------------

const char *rb_converted_name(RbLibrary *l, const RbConversion *c, const char *name) {
    for (size_t length = strlen(name); length > 0; length--) {
        if (name[length] != '.' && name[length] != 0) continue;
        const uint64_t *new =
            rb_map_find(&c->classes, rb_map_key(rb_intern_bytes(l->names, name, length)));
        if (new)
            return rb_arena_printf(l->keep, "%s%s", (const char *)(uintptr_t) * new, name + length);
    }
    return NULL;
}

RbName rb_converted_element(RbLibrary *l, const RbConversion *c, const char *class,
                            RbName element) {
    const char *text = rb_arena_printf(l->scratch, "%s %s", class, element);
    const uint64_t *new = rb_map_find(&c->elements, key_of(l, text));
    return new ? (RbName)(uintptr_t) * new : NULL;
}

const char *rb_conversion_hint(RbLibrary *l, RbAstClass *used, const char *name) {
    const char *script = script_for(l, used, NULL);
    Script s = {.l = l, .c = script ? rb_new(l->keep, RbConversion) : NULL};
    if (!script || !read_script(&s, rb_resource_path(l, script))) return "";
    const char *new = rb_converted_name(l, s.c, name);
    if (!new) return "";
    return rb_arena_printf(l->keep,
                           "; it was of an older version of '%s', and is '%s' now. A package with "
                           "annotation(uses(%s(version = \"...\"))) is converted as it is read",
                           used->name, new, used->name);
}

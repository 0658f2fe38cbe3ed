// SPDX-License-Identifier: MIT
#include "classes/uses.h"

#include <string.h>

#include "classes/class.h"
#include "classes/conversion.h"
#include "syntax/lex.h"

static const char *text_of(RbLibrary *l, const RbAstExpr *e) {
    return e && e->kind == RB_AST_STRING ? rb_string_value(e->text.start, e->text.length, l->keep)
                                         : NULL;
}

static bool holds(RbLibrary *l, const RbAstExpr *e, const char *version) {
    const char *text = text_of(l, e);
    if (text) return strcmp(text, version) == 0;
    for (int i = 0; e && e->kind == RB_AST_ARRAY && i < e->kid_count; i++) {
        if (holds(l, e->kids[i], version)) return true;
    }
    return false;
}

// conversion(noneFromVersion = "4.0.0", ...), which may stand there several times
static bool needs_no_conversion(RbLibrary *l, const RbAstClass *used, const char *version) {
    const RbAstMod *conversion = rb_annotation_group(used->annotation, "conversion");
    for (int i = 0; conversion && i < conversion->count; i++) {
        const RbAstArgument *a = &conversion->arguments[i];
        if (a->name.count == 1 && strcmp(a->name.parts[0], "noneFromVersion") == 0 && a->mod &&
            holds(l, a->mod->value, version))
            return true;
    }
    return false;
}

// A class at top level that was read; NULL: none.
static const RbAstClass *read_class(RbLibrary *l, RbName name) {
    const RbAstIndex *index = rb_library_index(l, l->root);
    const uint64_t *at = rb_map_find(&index->names, rb_map_key(name));
    const RbAstEntry *e = at ? &index->entries.data[*at] : NULL;
    return e && e->element && e->element->kind == RB_AST_CLASS ? e->element->class : NULL;
}

static void check_use(RbLibrary *l, const RbAstClass *user, const RbAstArgument *use) {
    const char *wanted = text_of(l, rb_annotation(use->mod, "version"));
    const RbAstClass *used = use->name.count == 1 ? read_class(l, use->name.parts[0]) : NULL;
    const char *version = used ? text_of(l, rb_annotation(used->annotation, "version")) : NULL;
    if (!wanted || !version || strcmp(wanted, version) == 0) return;
    if (needs_no_conversion(l, used, wanted) || rb_converts(l, used, wanted)) return;
    rb_warn(l->diag, use->at,
            "'%s' is made for version %s of the library '%s', but version %s was found (%s); "
            "'--library' and MODELICAPATH decide which one is taken",
            user->name, wanted, used->name, version, used->at.file);
}

void rb_check_uses(RbLibrary *l) {
    const RbAstIndex *index = rb_library_index(l, l->root);
    for (int i = 0; i < index->entries.count; i++) {
        const RbAstEntry *e = &index->entries.data[i];
        if (!e->element || e->element->kind != RB_AST_CLASS) continue;
        const RbAstMod *uses = rb_annotation_group(e->element->class->annotation, "uses");
        for (int k = 0; uses && k < uses->count; k++)
            check_use(l, e->element->class, &uses->arguments[k]);
    }
}

// SPDX-License-Identifier: MIT
#include "editor/names.h"

#include <stdlib.h>
#include <string.h>

static const char *done(const RbText *text) {
    return text->count > 0 ? text->data : "";
}

static const char *written(RbArena *arena, const RbAstExpr *e) {
    RbText text = rb_text(arena);
    if (e) rb_ast_print_expr(e, &text);
    return done(&text);
}

static const char *string_value(RbArena *arena, const RbAstExpr *e) {
    if (!e || e->kind != RB_AST_STRING) return "";
    return rb_string_value(e->text.start, e->text.length, arena);
}

// --- what is known of an element -----------------------------------------------------------------

static const char *component_kind(const RbAstElement *e) {
    if (e->variability == RB_AST_CONSTANT) return "constant";
    if (e->variability == RB_AST_PARAMETER) return "parameter";
    if (e->causality == RB_AST_INPUT) return "input";
    if (e->causality == RB_AST_OUTPUT) return "output";
    if (e->flow == RB_AST_FLOW) return "flow";
    return e->variability == RB_AST_DISCRETE ? "discrete" : "component";
}

static RbEditorSymbol named_component(RbArena *arena, const RbAstElement *clause,
                                      const RbAstComponent *component) {
    RbText type = rb_text(arena);
    rb_ast_print_name(&clause->type, &type);
    return (RbEditorSymbol){.name = component->name,
                            .full_name = component->name,
                            .kind = component_kind(clause),
                            .type = done(&type),
                            .value = written(arena, component->mod ? component->mod->value : NULL),
                            .unit = "",
                            .description = rb_ast_strings(&component->comment.text, arena),
                            .documentation = "",
                            .at = component->at};
}

static RbEditorSymbol named_class(RbArena *arena, const RbAstClass *def) {
    const RbAstMod *documentation = rb_annotation_group(def->annotation, "Documentation");
    return (RbEditorSymbol){.name = def->name,
                            .full_name = def->name,
                            .kind = rb_restriction_name(def->restriction),
                            .type = "",
                            .value = "",
                            .unit = "",
                            .description = rb_ast_strings(&def->text, arena),
                            .documentation =
                                string_value(arena, rb_annotation(documentation, "info")),
                            .at = def->at};
}

// The unit at the declaration, or of the type.
static const char *unit_of(RbClasses *c, RbElem *e, const RbClass *class) {
    RbMods types = {class->type_mods.data, class->type_mods.count};
    RbMods all = rb_mods_join(c->arena, rb_elem_mods(c, e), types);
    RbMods units = rb_mods_of(c->arena, all, rb_intern(c->names, "unit"));
    for (int i = 0; i < units.count; i++)
        if (units.list[i].mod && units.list[i].mod->value)
            return string_value(c->arena, units.list[i].mod->value);
    return "";
}

static RbEditorSymbol describe(RbClasses *c, RbElem *e) {
    RbClass *class = rb_elem_class(c, e);
    if (!e->component) {
        RbEditorSymbol n = named_class(c->arena, class ? class->root->def : e->clause->class);
        if (class) n.full_name = class->full_name;
        return n;
    }
    RbEditorSymbol n = named_component(c->arena, e->clause, e->component);
    n.full_name = rb_arena_printf(c->arena, "%s.%s", e->owner->full_name, e->name);
    if (class && rb_class_ready(c, class)) n.unit = unit_of(c, e, class);
    return n;
}

// --- from names to elements ----------------------------------------------------------------------

// The innermost class around the cursor; NULL: it is not known.
static RbClass *class_around(RbClasses *c, const RbCursor *cursor) {
    RbClass *class = c->top;
    for (int i = 0; class && i < cursor->within.count; i++) {
        RbElem *e = rb_class_elem(c, class, cursor->within.parts[i]);
        class = e && !e->component ? rb_elem_class(c, e) : NULL;
    }
    return class && rb_class_ready(c, class) ? class : NULL;
}

// The element that the first parts of a name mean, seen from a class or, from its second part on, in one.
static RbElem *walk(RbClasses *c, RbElem *e, const RbCursorName *name, int from, int to) {
    for (int i = from; e && i < to; i++) {
        RbClass *class = rb_elem_class(c, e);
        e = class && rb_class_ready(c, class) ? rb_class_elem(c, class, name->parts[i]) : NULL;
    }
    return e;
}

static RbElem *resolve(RbClasses *c, RbClass *scope, const RbCursorName *name, int count) {
    if (count == 0 || !name->parts[0]) return NULL;
    return walk(c, rb_lookup(c, scope->root, name->parts[0]), name, 1, count);
}

// The class whose elements are modified, or whose inputs are given, around the cursor.
static RbClass *modified_class(RbClasses *c, RbClass *scope, const RbCursor *cursor) {
    RbElem *e = NULL;
    for (int i = 0; i < cursor->around_count; i++) {
        const RbCursorName *name = &cursor->around[i];
        RbElem *inside = e ? walk(c, e, name, 0, name->count) : NULL;
        e = inside ? inside : resolve(c, scope, name, name->count);
    }
    RbClass *class = e ? rb_elem_class(c, e) : NULL;
    return class && rb_class_ready(c, class) ? class : NULL;
}

bool rb_name_at(RbClasses *c, const RbCursor *cursor, RbEditorSymbol *out) {
    RbClass *scope = class_around(c, cursor);
    const RbCursorName *name = &cursor->name;
    if (!scope || name->count == 0 || !name->parts[name->count - 1]) return false;
    RbClass *modified = modified_class(c, scope, cursor);
    RbElem *e = modified && name->count == 1 ? rb_class_elem(c, modified, name->parts[0]) : NULL;
    if (!e) e = resolve(c, scope, name, name->count);
    if (!e) return false;
    *out = describe(c, e);
    return true;
}

// --- what can stand there ------------------------------------------------------------------------

typedef struct Listing {
    RbClasses *c;
    RbEditorSymbols list;
    RbMap known;
    bool inside; // protected elements, too
} Listing;

static void add_elem(Listing *l, RbClass *class, RbName name) {
    if (rb_map_find(&l->known, rb_map_key(name))) return;
    RbElem *e = rb_class_elem(l->c, class, name);
    if (!e || (!l->inside && rb_elem_is_protected(e))) return;
    rb_map_set(&l->known, l->c->arena, rb_map_key(name), 1);
    RbEditorSymbol n = e->component ? named_component(l->c->arena, e->clause, e->component)
                                    : named_class(l->c->arena, e->clause->class);
    rb_array_push(&l->list, l->c->arena, n);
}

static void add_part(Listing *l, RbClassPart *part) {
    RbAstIndex *index = rb_library_index(l->c->library, part->def);
    for (int i = 0; i < index->names.entries.count; i++)
        add_elem(l, part->owner, (RbName)(uintptr_t)index->names.entries.data[i].key);
    for (int i = 0; i < part->bases.count; i++) add_part(l, part->bases.data[i]);
}

static void add_attributes(Listing *l, const RbClass *class) {
    static const char *const names[] = {"start", "fixed",   "unit",     "displayUnit", "min",
                                        "max",   "nominal", "quantity", "stateSelect"};
    for (int i = 0; class->is_type && i < 9; i++) {
        RbEditorSymbol n = {names[i], names[i], "attribute", "", "", "", "", "", {0}, 0, 0};
        rb_array_push(&l->list, l->c->arena, n);
    }
}

static void add_visible(Listing *l, RbClass *scope) {
    l->inside = true;
    for (RbClassPart *p = scope->root; p; p = p->enclosing) {
        rb_class_ready(l->c, p->owner);
        add_part(l, p->owner->root);
    }
    add_part(l, l->c->top->root);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const RbEditorSymbol *)a)->name, ((const RbEditorSymbol *)b)->name);
}

RbEditorSymbols rb_names_at(RbClasses *c, const RbCursor *cursor) {
    Listing l = {.c = c};
    RbClass *scope = class_around(c, cursor);
    if (!scope) return l.list;
    RbClass *modified = modified_class(c, scope, cursor);
    if (cursor->after_dot) {
        RbElem *e = resolve(c, scope, &cursor->name, cursor->name.count - 1);
        RbClass *class = e ? rb_elem_class(c, e) : NULL;
        if (class && rb_class_ready(c, class)) add_part(&l, class->root);
    } else {
        if (modified) add_attributes(&l, modified);
        if (modified) add_part(&l, modified->root);
        add_visible(&l, scope);
    }
    if (l.list.count > 0) qsort(l.list.data, (size_t)l.list.count, sizeof *l.list.data, by_name);
    return l.list;
}

// --- outline -------------------------------------------------------------------------------------

static int token_at(const RbTokens *t, RbPos at) {
    int low = 0, high = t->list.count;
    while (low < high) {
        int mid = (low + high) / 2;
        const RbToken *k = &t->list.data[mid];
        bool before = k->line < at.line || (k->line == at.line && k->column < at.column);
        if (before)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void outline_class(const RbAstClass *def, const RbTokens *t, int level, RbArena *arena,
                          RbEditorSymbols *out) {
    RbEditorSymbol n = named_class(arena, def);
    int name = token_at(t, def->at), end = -1;
    if (def->specifier == RB_AST_LONG || def->specifier == RB_AST_LONG_EXTENDS)
        end = name < t->list.count ? rb_class_end(t, name) : -1;
    n.level = level;
    n.end_line = end >= 0 ? t->list.data[end].line : def->at.line;
    rb_array_push(out, arena, n);
    for (int i = 0; i < def->element_count; i++) {
        const RbAstElement *e = def->elements[i];
        if (e->kind == RB_AST_CLASS) outline_class(e->class, t, level + 1, arena, out);
        for (int k = 0; e->kind == RB_AST_COMPONENTS && k < e->component_count; k++) {
            RbEditorSymbol v = named_component(arena, e, &e->components[k]);
            v.level = level + 1;
            v.end_line = v.at.line;
            rb_array_push(out, arena, v);
        }
    }
}

RbEditorSymbols rb_names_of(const RbAstFile *file, const RbTokens *tokens, RbArena *arena) {
    RbEditorSymbols out = {0};
    for (int i = 0; i < file->class_count; i++)
        outline_class(file->classes[i], tokens, 0, arena, &out);
    return out;
}

// SPDX-License-Identifier: MIT
// Classes that stand for others of the same name in another package: a mechanism of the standard
// library made of parts of the engine (docs/decisions/multibody-engine.md).
#include <string.h>

#include "classes/class_parts.h"

// What follows a package in a full name; NULL: the name is not below it.
static const char *below(const char *full_name, const char *package) {
    size_t length = strlen(package);
    return strncmp(full_name, package, length) == 0 && full_name[length] == '.'
               ? full_name + length + 1
               : NULL;
}

static RbClass *class_of_path(RbClasses *c, const char *path) {
    RbClass *class = c->top;
    while (class && *path) {
        size_t length = strcspn(path, ".");
        RbElem *e = rb_class_elem(c, class, rb_intern_bytes(c->names, path, length));
        class = e && !e->component ? rb_elem_class(c, e) : NULL;
        path += length + (path[length] == '.');
    }
    return class;
}

RbClass *rb_class_replacement(RbClasses *c, const RbElem *e) {
    if (!c->replaced || e->clause->class->restriction == RB_KIND_PACKAGE || !e->owner->full_name)
        return NULL;
    const char *full = rb_arena_printf(c->arena, "%s.%s", e->owner->full_name, e->name);
    const char *rest = below(full, c->replaced[0]);
    if (!rest) return NULL;
    for (int i = 1; c->replaced[i]; i++) {
        const char *path = rb_arena_printf(c->arena, "%s.%s", c->replaced[i], rest);
        if (!rb_library_class(c->library, path)) continue;
        c->any_replaced = true;
        return class_of_path(c, path);
    }
    return NULL;
}

// One line of the list: "Joints.Revolute: animation cylinderColor z_0_fixed=false". A value after the
// name is the only one that the modification may give.
static bool line_has(RbAstText line, const char *class_name, const RbAstArgument *a) {
    size_t length = strlen(class_name);
    const char *p = line.start + 1, *end = line.start + line.length - 1; // between quotes
    if ((size_t)(end - p) < length + 1 || memcmp(p, class_name, length) != 0 || p[length] != ':')
        return false;
    const char *name = a->name.parts[0];
    size_t name_length = strlen(name);
    bool is_false = a->mod && a->mod->value && a->mod->value->kind == RB_AST_FALSE;
    for (p += length + 1; p < end;) {
        while (p < end && *p == ' ') p++;
        const char *word = p;
        while (p < end && *p != ' ') p++;
        size_t word_length = (size_t)(p - word);
        if (word_length < name_length || memcmp(word, name, name_length) != 0) continue;
        if (word_length == name_length) return true;
        if (word_length == name_length + 6 && memcmp(word + name_length, "=false", 6) == 0)
            return is_false;
    }
    return false;
}

static bool list_has(const RbClasses *c, const char *class_name, const RbAstArgument *a) {
    const RbAstClass *package = rb_library_class(c->library, c->replaced[1]);
    const RbAstExpr *list =
        package ? rb_annotation(rb_annotation_group(package->annotation, "__Rattleback"), "unused")
                : NULL;
    for (int i = 0; list && list->kind == RB_AST_ARRAY && i < list->kid_count; i++) {
        const RbAstExpr *line = list->kids[i];
        if (line->kind == RB_AST_STRING && line_has(line->text, class_name, a)) return true;
    }
    return false;
}

// The class or one that it extends stands for another, of which the list says that this is unused.
static bool part_leaves_out(const RbClasses *c, const RbClassPart *part, const RbAstArgument *a) {
    const char *around = part->enclosing ? part->enclosing->owner->full_name : NULL;
    for (int i = 1; around && c->replaced[i]; i++) {
        const char *full = rb_arena_printf(c->arena, "%s.%s", around, part->def->name);
        const char *rest = below(full, c->replaced[i]);
        if (rest && list_has(c, rest, a)) return true;
    }
    for (int i = 0; i < part->bases.count; i++) {
        if (part_leaves_out(c, part->bases.data[i], a)) return true;
    }
    return false;
}

bool rb_class_lacks(const RbClasses *c, const RbClass *class, const RbAstArgument *modified) {
    return c->replaced && part_leaves_out(c, class->root, modified);
}

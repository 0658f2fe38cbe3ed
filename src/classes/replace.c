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

static bool part_replaces(const RbClasses *c, const RbClassPart *part) {
    const char *around = part->enclosing ? part->enclosing->owner->full_name : NULL;
    for (int i = 1; around && c->replaced[i]; i++) {
        if (strcmp(around, c->replaced[i]) == 0 || below(around, c->replaced[i])) return true;
    }
    for (int i = 0; i < part->bases.count; i++) {
        if (part_replaces(c, part->bases.data[i])) return true;
    }
    return false;
}

// How things look, and which variables are states.
static bool means_nothing(RbName name) {
    static const char *const parts[] = {"nimat",
                                        "olor",
                                        "pecular",
                                        "iameter",
                                        "Length",
                                        "Width",
                                        "hape",
                                        "extra",
                                        "tateS",
                                        "useQuaternions",
                                        "Windings",
                                        "Fraction",
                                        "Ratio_",
                                        "angles_fixed",
                                        "w_0_fixed",
                                        "enforceStates",
                                        "sequence_angleStates",
                                        "Direction",
                                        "width",
                                        "height",
                                        "length",
                                        "label",
                                        "showMass",
                                        "checkTotalPower",
                                        "fixedRotationAtFrame",
                                        "w_rel_a_fixed",
                                        "Dot"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strstr(name, parts[i])) return true;
    }
    return false;
}

// A start value that need not hold.
static bool is_free(const RbAstArgument *a) {
    const char *name = a->name.parts[0];
    size_t length = strlen(name);
    bool fixed = length > 6 && strcmp(name + length - 6, "_fixed") == 0;
    return fixed && a->mod && a->mod->value && a->mod->value->kind == RB_AST_FALSE;
}

bool rb_class_lacks(const RbClasses *c, const RbClass *class, const RbAstArgument *modified) {
    return c->replaced && (means_nothing(modified->name.parts[0]) || is_free(modified)) &&
           part_replaces(c, class->root);
}

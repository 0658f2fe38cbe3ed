// SPDX-License-Identifier: MIT
// What a name means where it stands (specification, chapter 5.3).
#include <string.h>

#include "classes/class_parts.h"
#include "classes/conversion.h"

static bool imports(const RbAstElement *e, RbName name) {
    switch (e->import) {
        case RB_IMPORT_QUALIFIED: return e->type.parts[e->type.count - 1] == name;
        case RB_IMPORT_RENAMED: return e->alias == name;
        case RB_IMPORT_LIST:
            for (int k = 0; k < e->import_count; k++) {
                if (e->imports[k] == name) return true;
            }
            return false;
        case RB_IMPORT_ALL: return false;
    }
    return false;
}

// The standard library is the user's; the command says where to get it.
static const char *library_hint(RbName package) {
    static const char *const packages[] = {"Modelica", "ModelicaServices", "ModelicaTest",
                                           "Complex"};
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
        if (strcmp(package, packages[i]) != 0) continue;
        return "; it belongs to the Modelica Standard Library, which is not part of Rattleback: "
               "get it "
               "from https://github.com/modelica/ModelicaStandardLibrary/releases and name the "
               "folder "
               "that holds it with '--library FOLDER' or in the environment variable MODELICAPATH";
    }
    return "";
}

// What is imported stands in a package and is public.
static void check_imported(RbClasses *c, const RbAstElement *e, const RbClass *package,
                           const RbElem *found) {
    if (package != c->top && package->restriction != RB_KIND_PACKAGE && !e->is_checked)
        rb_fail(c->diag, RB_ERROR_MODEL, e->at,
                "'%s' is a %s; only what is in a package can be imported", package->full_name,
                rb_restriction_name(package->restriction));
    else if (found && rb_elem_is_protected(found))
        rb_fail(c->diag, RB_ERROR_MODEL, e->at, "'%s' is protected in '%s' and cannot be imported",
                found->name, package->full_name);
}

// What a class that lacks part k of a name has instead, or what an older version of its library had.
static const char *missing_hint(RbClasses *c, RbClass *class, const RbAstName *name, int k) {
    RbText old = rb_text(c->arena);
    rb_text_add(&old, class->full_name);
    for (int i = k; i < name->count; i++) rb_text_printf(&old, ".%s", name->parts[i]);
    RbName first = rb_intern_bytes(c->names, old.data, strcspn(old.data, "."));
    const RbAstEntry *e = rb_library_find(c->library, c->library->root, first);
    const char *hint = e && e->element->kind == RB_AST_CLASS ? rb_conversion_hint(c->library, e->element->class, old.data) : "";
    return *hint ? hint : rb_near_class(c, class, name->parts[0], name->parts[name->count - 1]);
}

// import P.x; import y = P.x; import P.{x, z};
static RbElem *find_named_import(RbClasses *c, const RbAstElement *e, RbName name) {
    if (!imports(e, name)) return NULL;
    RbAstName path = e->type;
    if (e->import != RB_IMPORT_LIST) path.count--;
    RbName last = e->import == RB_IMPORT_LIST ? name : e->type.parts[e->type.count - 1];
    RbClass *package =
        path.count > 0 ? rb_lookup_class(c, c->top->root, &path, "imported package") : c->top;
    RbElem *found = package ? rb_class_elem(c, package, last) : NULL;
    if (package && !found && !package->broken) {
        rb_fail(c->diag, RB_ERROR_MODEL, path.at, "the import of '%s': %s%s%s has no '%s'%s", last,
                path.count > 0 ? "'" : "", path.count > 0 ? package->full_name : "the top level",
                path.count > 0 ? "'" : "", last,
                path.count > 0 ? missing_hint(c, package, &e->type, path.count)
                               : library_hint(last));
    }
    if (found) check_imported(c, e, package, found);
    return found;
}

// import P.*;
static RbElem *find_package_import(RbClasses *c, const RbClassPart *part, const RbAstElement *e,
                                   RbName name) {
    if (e->import != RB_IMPORT_ALL) return NULL;
    RbClass *package = rb_lookup_class(c, c->top->root, &e->type, "imported package");
    if (package) check_imported(c, e, package, NULL);
    RbElem *found = package && package != part->owner ? rb_class_elem(c, package, name) : NULL;
    return found && !rb_elem_is_protected(found) ? found : NULL;
}

// import clauses of the class text; these are not inherited.
static RbElem *find_import(RbClasses *c, RbClassPart *part, RbName name) {
    RbAstIndex *index = rb_library_index(c->library, part->def);
    RbElem *found = NULL;
    for (int i = 0; !found && i < index->imports.count; i++)
        found = find_named_import(c, index->imports.data[i], name);
    if (found) return found;
    for (int i = 0; i < index->imports.count; i++) {
        const RbAstElement *e = index->imports.data[i];
        RbElem *other = find_package_import(c, part, e, name);
        if (found && other && found->clause != other->clause)
            rb_fail(c->diag, RB_ERROR_MODEL, e->at,
                    "'%s' is in '%s' and in '%s', both of which are imported here with '.*'; "
                    "import the one that is meant by its name",
                    name, found->owner->full_name, other->owner->full_name);
        if (!found) found = other;
    }
    return found;
}

static void check_import(RbClasses *c, RbAstElement *e) {
    if (e->is_checked) return;
    switch (e->import) {
        case RB_IMPORT_QUALIFIED: find_named_import(c, e, e->type.parts[e->type.count - 1]); break;
        case RB_IMPORT_RENAMED: find_named_import(c, e, e->alias); break;
        case RB_IMPORT_LIST:
            for (int k = 0; k < e->import_count; k++) find_named_import(c, e, e->imports[k]);
            break;
        case RB_IMPORT_ALL: rb_lookup_class(c, c->top->root, &e->type, "imported package"); break;
    }
    e->is_checked = true;
}

void rb_check_imports(RbClasses *c, const RbClassPart *part) {
    for (; part && part != c->top->root; part = part->enclosing) {
        const char *file = part->def->at.file;
        if (!file || !c->own_file || strcmp(file, c->own_file) != 0) continue;
        RbAstIndex *index = rb_library_index(c->library, part->def);
        for (int i = 0; i < index->imports.count; i++) check_import(c, index->imports.data[i]);
    }
}

static RbElem *find_in_scope(RbClasses *c, RbClassPart *part, RbName name, bool inherited) {
    if (rb_library_find(c->library, part->def, name)) {
        return inherited ? rb_class_elem(c, part->owner, name) : rb_part_elem(c, part, name);
    }
    if (inherited) {
        rb_class_ready(c, part->owner);
        for (int i = 0; i < part->bases.count; i++) {
            if (rb_part_has(c, part->bases.data[i], name))
                return rb_class_elem(c, part->owner, name);
        }
    }
    return find_import(c, part, name);
}

static RbElem *lookup_outwards(RbClasses *c, RbClassPart *scope, RbName name, bool inherited) {
    for (RbClassPart *p = scope; p && p != c->top->root; p = p->enclosing) {
        RbElem *e = find_in_scope(c, p, name, inherited);
        if (e) return e;
        inherited = true;
        if (p->def->encapsulated) {
            // Only what is predefined can be seen from inside.
            RbElem *top = rb_class_known_elem(c->top, name);
            bool known = top && (top->clause->at.file == NULL ||
                                 strcmp(top->clause->class->at.file, "predefined") == 0);
            return known ? top : NULL;
        }
    }
    return rb_class_elem(c, c->top, name);
}

RbElem *rb_lookup(RbClasses *c, RbClassPart *scope, RbName name) {
    uint64_t *known = rb_map_find(&scope->cache, rb_map_key(name));
    if (known) return (RbElem *)(uintptr_t)*known;
    RbElem *e = lookup_outwards(c, scope, name, true);
    if (scope->owner->state == RB_CLASS_READY) {
        rb_map_set(&scope->cache, c->arena, rb_map_key(name), (uint64_t)(uintptr_t)e);
    }
    return e;
}

// What the texts that were read define, besides what is always there, as far as it is few.
static const char *top_classes(RbClasses *c) {
    enum { FEW = 8 };
    static const char *const always[] = {"StateSelect", "AssertionLevel", "Rattleback"};
    RbText list = rb_text(c->arena);
    RbAstIndex *index = rb_library_index(c->library, c->library->root);
    int count = 0;
    for (int i = 0; i < index->names.entries.count && count <= FEW; i++) {
        const char *name = (RbName)(uintptr_t)index->names.entries.data[i].key;
        bool own = true;
        for (int k = 0; k < 3; k++) own = own && strcmp(name, always[k]) != 0;
        if (!own) continue;
        rb_text_printf(&list, "%s%s", count == 0 ? "; there is " : ", ",
                       count < FEW ? name : "and others");
        count++;
    }
    return count > 0 ? list.data : "";
}

// The first part of a name was not found.
static void fail_unknown(RbClasses *c, RbClassPart *scope, const RbAstName *name, const char *text,
                         const char *purpose) {
    const char *hint = library_hint(name->parts[0]);
    if (!*hint) hint = rb_near_name(c, scope, name->parts[0], name->count == 1);
    if (!*hint && name->at.line == 0) hint = top_classes(c); // the command has asked for it
    if (name->count > 1)
        hint = rb_arena_printf(c->arena, ": there is no '%s' here%s", name->parts[0], hint);
    rb_fail(c->diag, RB_ERROR_MODEL, name->at, "%s '%s' is unknown%s", purpose, text, hint);
}

// From the element that the first part means, on to the class that the last part means.
static RbClass *walk_name(RbClasses *c, RbElem *e, const RbAstName *name, const char *text,
                          const char *purpose) {
    for (int i = 0;; i++) {
        if (e->component) {
            rb_fail(c->diag, RB_ERROR_MODEL, name->at,
                    "'%s' is a component, but a class is needed here", text);
            return NULL;
        }
        RbClass *class = rb_elem_class(c, e);
        if (!class || i + 1 == name->count) return class;
        RbElem *next = rb_class_elem(c, class, name->parts[i + 1]);
        if (!next) {
            if (class->broken) return NULL; // reported
            rb_fail(c->diag, RB_ERROR_MODEL, name->at, "%s '%s' is unknown: '%s' has no '%s'%s",
                    purpose, text, class->full_name, name->parts[i + 1],
                    missing_hint(c, class, name, i + 1));
            return NULL;
        }
        if (rb_elem_is_protected(next)) {
            rb_fail(c->diag, RB_ERROR_MODEL, name->at,
                    "'%s' is protected in '%s' and cannot be used from outside", next->name,
                    class->full_name);
            return NULL;
        }
        e = next;
    }
}

static RbClass *find_class(RbClasses *c, RbElem *first, RbClassPart *scope, const RbAstName *name,
                           const char *purpose) {
    RbText text = rb_text(c->arena);
    rb_ast_print_name(name, &text);
    if (name->global) first = rb_class_elem(c, c->top, name->parts[0]);
    if (first) return walk_name(c, first, name, text.data, purpose);
    fail_unknown(c, scope, name, text.data, purpose);
    return NULL;
}

RbClass *rb_lookup_class(RbClasses *c, RbClassPart *scope, const RbAstName *name,
                         const char *purpose) {
    RbElem *first = name->global ? NULL : rb_lookup(c, scope, name->parts[0]);
    return find_class(c, first, scope, name, purpose);
}

RbClass *rb_class_of_text(RbClasses *c, RbClassPart *scope, const char *text, RbPos at,
                          const char *purpose) {
    RB_ARRAY(RbName) parts = {0};
    for (const char *p = text + (text[0] == '.'); *p;) {
        size_t length = strcspn(p, ".");
        rb_array_push(&parts, c->arena, rb_intern_bytes(c->names, p, length));
        p += length + (p[length] == '.');
    }
    if (parts.count == 0) {
        rb_fail(c->diag, RB_ERROR_MODEL, at, "%s '%s' has no name", purpose, text);
        return NULL;
    }
    RbAstName name = {
        .at = at, .global = text[0] == '.', .count = parts.count, .parts = parts.data};
    return rb_lookup_class(c, scope, &name, purpose);
}

RbClass *rb_class_named(RbClasses *c, const char *full_name) {
    if (*full_name) return rb_class_of_text(c, c->top->root, full_name, RB_NOWHERE, "class");
    rb_fail(c->diag, RB_ERROR_USAGE, RB_NOWHERE, "there is no class to translate");
    return NULL;
}

RbClass *rb_lookup_base_class(RbClasses *c, RbClassPart *scope, const RbAstName *name) {
    RbElem *first = name->global ? NULL : lookup_outwards(c, scope, name->parts[0], false);
    return find_class(c, first, scope, name, "base class");
}

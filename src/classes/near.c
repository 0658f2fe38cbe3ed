// SPDX-License-Identifier: MIT
// Names near a wrong one: "did you mean".
#include <string.h>
#include <strings.h>

#include "classes/class.h"
#include "classes/walk.h"

typedef struct Nearest {
    RbName wanted, name;
    int distance;
    const char *full_name; // of a class at any depth
} Nearest;

static void try_name(Nearest *n, RbName candidate) {
    bool same_letters = strcasecmp(n->wanted, candidate) == 0;
    int distance = same_letters ? 0 : rb_text_edit_distance(n->wanted, candidate, n->distance);
    if (distance >= n->distance || candidate == n->wanted) return;
    n->distance = distance;
    n->name = candidate;
}

static void try_elements(RbClasses *c, Nearest *n, RbClassPart *part) {
    RbAstIndex *index = rb_library_index(c->library, part->def);
    for (int i = 0; i < index->names.entries.count; i++) {
        try_name(n, (RbName)(uintptr_t)index->names.entries.data[i].key);
    }
    for (int i = 0; i < part->bases.count; i++) try_elements(c, n, part->bases.data[i]);
}

// import P.*; a package that there is not was reported before.
static void try_package(RbClasses *c, Nearest *n, const RbAstName *name) {
    RbClass *package = rb_lookup_class(c, c->top->root, name, "imported package");
    if (package && rb_class_ready(c, package)) try_elements(c, n, package->root);
}

// Imports are not inherited, nor seen from outside.
static void try_scope(RbClasses *c, Nearest *n, RbClassPart *part) {
    try_elements(c, n, part);
    RbAstIndex *index = rb_library_index(c->library, part->def);
    for (int i = 0; i < index->imports.count; i++) {
        const RbAstElement *e = index->imports.data[i];
        if (e->import == RB_IMPORT_RENAMED) try_name(n, e->alias);
        if (e->import == RB_IMPORT_QUALIFIED) try_name(n, e->type.parts[e->type.count - 1]);
        if (e->import == RB_IMPORT_ALL) try_package(c, n, &e->type);
    }
}

static Nearest nearest_to(RbName name) {
    int length = (int)strlen(name);
    return (Nearest){.wanted = name, .distance = length <= 2 ? 1 : length <= 5 ? 2 : 3};
}

static const char *suggestion(RbClasses *c, const Nearest *n) {
    return n->name ? rb_arena_printf(c->arena, "; did you mean '%s'?", n->name) : "";
}

static void try_class(void *user, const char *full_name, RbName name, RbAstClass *class) {
    Nearest *n = user;
    (void)class;
    int distance = rb_text_edit_distance(n->wanted, name, n->distance);
    if (distance >= n->distance) return;
    n->distance = distance;
    n->full_name = full_name;
}

// A class of such a name in a package, at any depth; of just this name in all that were read, and in
// the library that is compiled in, if `package` is NULL.
static const char *elsewhere(RbClasses *c, RbName package, RbName name) {
    RbLibrary *l = c->library;
    Nearest n = nearest_to(name);
    if (!package) n.distance = 1;
    const RbAstEntry *e = package ? rb_library_find(l, l->root, package) : NULL;
    if (e && e->element->kind == RB_AST_CLASS)
        rb_classes_walk(l, e->element->class, package, false, try_class, &n);
    if (!package) rb_library_find(l, l->root, rb_intern(c->names, "Rattleback"));
    if (!package) rb_classes_walk(l, l->root, "", false, try_class, &n);
    return n.full_name ? rb_arena_printf(c->arena, "; did you mean '%s'?", n.full_name) : "";
}

const char *rb_near_class(RbClasses *c, RbClass *in, RbName package, RbName name) {
    const char *near = rb_near_element(c, in, name);
    if (!*near) near = elsewhere(c, package, name);
    return near;
}

const char *rb_near_name(RbClasses *c, RbClassPart *scope, RbName name, bool is_class) {
    Nearest n = nearest_to(name);
    for (RbClassPart *p = scope; p; p = p->enclosing) try_scope(c, &n, p);
    try_scope(c, &n, c->top->root);
    for (int i = 0; i < c->top->elems.entries.count; i++) {
        try_name(&n, (RbName)(uintptr_t)c->top->elems.entries.data[i].key);
    }
    try_name(&n, rb_intern(c->names, "Rattleback")); // these are read when they are named
    try_name(&n, rb_intern(c->names, "Modelica"));
    const char *other = is_class && n.distance > 0 ? elsewhere(c, NULL, name) : "";
    return *other ? other : suggestion(c, &n);
}

const char *rb_near_element(RbClasses *c, RbClass *class, RbName name) {
    Nearest n = nearest_to(name);
    rb_class_ready(c, class);
    try_elements(c, &n, class->root);
    return suggestion(c, &n);
}

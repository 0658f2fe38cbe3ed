// SPDX-License-Identifier: MIT
#include "classes/walk.h"

#include "classes/class.h"

enum { DEPTH_MAX = 30, LISTED_MAX = 12 };

typedef struct Walk {
    RbLibrary *library;
    bool read;
    RbClassVisitor *visit;
    void *user;
} Walk;

static void walk(const Walk *w, RbAstClass *class, const char *outer, int depth) {
    RbAstIndex *index = rb_library_index(w->library, class);
    for (int i = 0; i < index->names.entries.count; i++) {
        RbName name = (RbName)(uintptr_t)index->names.entries.data[i].key;
        const RbAstEntry *e = &index->entries.data[index->names.entries.data[i].value];
        if (e->is_broken) continue;
        if (!e->element && (w->read || e->text)) e = rb_library_find(w->library, class, name);
        if (!e || (e->element && e->element->kind != RB_AST_CLASS)) continue;
        RbAstClass *inner = e->element ? e->element->class : NULL;
        const char *full =
            *outer ? rb_arena_printf(w->library->keep, "%s.%s", outer, name) : name;
        w->visit(w->user, full, name, inner);
        if (inner && depth < DEPTH_MAX) walk(w, inner, full, depth + 1);
    }
}

void rb_classes_walk(RbLibrary *library, RbAstClass *class, const char *name, bool read,
                     RbClassVisitor *visit, void *user) {
    Walk w = {library, read, visit, user};
    walk(&w, class, name, 0);
}

bool rb_class_runs(const RbAstClass *class) {
    RbRestriction r = class->restriction;
    return !class->partial && (r == RB_KIND_MODEL || r == RB_KIND_BLOCK || r == RB_KIND_CLASS);
}

typedef struct List {
    RbText text;
    int count;
    bool experiments; // only those that say how long to run
} List;

static void list_model(void *user, const char *full_name, RbName name, RbAstClass *class) {
    List *list = user;
    (void)name;
    if (list->experiments && class && !rb_annotation_group(class->annotation, "experiment")) return;
    if (!class || !rb_class_runs(class) || list->count++ >= LISTED_MAX) return;
    rb_text_printf(&list->text, "%s%s", list->count > 1 ? ", " : "", full_name);
}

const char *rb_models_within(RbLibrary *library, RbAstClass *class, const char *full_name) {
    List list = {.text = rb_text(library->keep), .experiments = true};
    rb_classes_walk(library, class, full_name, true, list_model, &list);
    list.experiments = false;
    if (list.count == 0) rb_classes_walk(library, class, full_name, true, list_model, &list);
    if (list.count == 0) return "; there is none in it";
    const char *more = list.count > LISTED_MAX ? ", ..." : "";
    return rb_arena_printf(library->keep, "; in it there %s %s%s: name one of them after the file",
                           list.count == 1 ? "is" : "are", list.text.data, more);
}

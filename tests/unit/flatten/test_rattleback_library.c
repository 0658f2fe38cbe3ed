// SPDX-License-Identifier: MIT
// library/Rattleback: every example is complete and respects units, and every class is used by an
// example.
#include "testing.h"

#include <string.h>

#include "flatten/flatten.h"
#include "translate/components.h"

typedef struct Library {
    Fixture f;
    RbNames names;
    RbLibrary *library;
    RbText instances; // of all examples
} Library;

static void open_library(Library *l) {
    fixture_open(&l->f);
    l->names = rb_names(&l->f.arena);
    l->library = rb_library(&l->names, &l->f.arena, &l->f.scratch, &l->f.diag);
    rb_library_add_path(l->library, RB_SOURCE_DIR "/library");
    l->instances = rb_text(&l->f.arena);
}

static void flatten_examples(Library *l) {
    RbAstClass *examples = rb_library_class(l->library, "Rattleback.Examples");
    ENSURE(examples);
    for (int i = 0; i < examples->element_count; i++) {
        const char *name = rb_arena_printf(&l->f.arena, "Rattleback.Examples.%s",
                                           examples->elements[i]->class->name);
        RbFlatModel *flat;
        RbComponentSearch search = {.arena = &l->f.arena, .diag = &l->f.diag};
        RbFlattenOptions options = {.strict_units = true,
                                    .instances = &l->instances,
                                    .contribute = rb_contribute,
                                    .find_roles = rb_find_roles,
                                    .contributed = rb_contributed,
                                    .contribute_user = &search};
        RbStatus status = rb_flatten(l->library, name, options, &flat);
        if (status != RB_OK || l->f.diag.messages.count > 0)
            print_error("%s\n%s", name, fixture_message(&l->f, 0));
        ENSURE(status == RB_OK && l->f.diag.messages.count == 0);
        ENSURE(flat->experiment.given && flat->equations.count + search.found.count > 0);
    }
}

static int count_unused(Library *l, RbAstClass *class, const char *path) {
    int unused = 0;
    RbAstIndex *index = rb_library_index(l->library, class);
    for (int i = 0; i < index->names.entries.count; i++) {
        const RbAstEntry *e =
            rb_library_find(l->library, class, (RbName)(uintptr_t)index->names.entries.data[i].key);
        ENSURE(e);
        if (e->element->kind != RB_AST_CLASS) continue;
        RbAstClass *c = e->element->class;
        const char *full = rb_arena_printf(&l->f.arena, "%s.%s", path, c->name);
        if (c->restriction == RB_KIND_PACKAGE) {
            if (strcmp(full, "Rattleback.Examples") != 0) unused += count_unused(l, c, full);
            continue;
        }
        bool runs = c->restriction == RB_KIND_MODEL || c->restriction == RB_KIND_BLOCK;
        if (!runs || c->partial || c->specifier != RB_AST_LONG) continue;
        // A short class (model Inertia = Components.Inertia) stands for the one it names.
        const char *end = rb_arena_printf(&l->f.arena, ".%s ", c->name);
        if (strstr(l->instances.data, end)) continue;
        print_error("%s is not used by any example\n", full);
        unused++;
    }
    return unused;
}

static void every_class_has_an_example(void **state) {
    (void)state;
    Library l;
    open_library(&l);
    flatten_examples(&l);
    ENSURE(count_unused(&l, rb_library_class(l.library, "Rattleback"), "Rattleback") == 0);
    fixture_close(&l.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_class_has_an_example)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

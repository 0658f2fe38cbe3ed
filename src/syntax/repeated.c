// SPDX-License-Identifier: MIT
#include "syntax/repeated.h"

#include "base/text.h"

typedef struct Leaves {
    RbParser *p;
    RbMap seen; // path -> number of its place plus one
    RB_ARRAY(RbPos) places;
} Leaves;

static void add_leaf(Leaves *l, const char *path, RbPos at) {
    RbParser *p = l->p;
    RbName name = rb_intern(p->names, path);
    const uint64_t *before = rb_map_find(&l->seen, rb_map_key(name));
    if (before) {
        RbPos first = l->places.data[*before - 1];
        rb_fail(p->diag, RB_ERROR_MODEL, at,
                "'%s' is given twice in one modification: the first time in line %d, column %d; "
                "remove one of them",
                path, first.line, first.column);
        p->failed = true;
        return;
    }
    rb_array_push(&l->places, p->arena, at);
    rb_map_set(&l->seen, p->arena, rb_map_key(name), (uint64_t)l->places.count);
}

// All that an argument gives, with the names that lead to it.
static void add_argument(Leaves *l, const char *outer, const RbAstArgument *a) {
    RbArena *arena = l->p->arena;
    const char *dot = *outer ? "." : "";
    if (a->element) {
        RbName name = rb_ast_argument_name(a);
        if (name) add_leaf(l, rb_arena_printf(arena, "redeclare %s%s%s", outer, dot, name), a->at);
        return;
    }
    RbText path = rb_text(arena);
    rb_text_add(&path, outer);
    for (int i = 0; i < a->name.count; i++)
        rb_text_printf(&path, "%s%s", i > 0 ? "." : dot, a->name.parts[i]);
    if (a->mod && a->mod->value) add_leaf(l, path.data, a->at);
    for (int i = 0; a->mod && i < a->mod->count; i++)
        add_argument(l, path.data, &a->mod->arguments[i]);
}

// Is there another argument about the same name? Most lists have none.
static bool has_namesake(const RbAstMod *m, int k) {
    RbName name = rb_ast_argument_name(&m->arguments[k]);
    if (!name || m->arguments[k].is_break) return false;
    if (m->by_name)
        return *rb_map_find(m->by_name, rb_map_key(name)) != (uint64_t)k + 1 ||
               m->arguments[k].next_same > 0;
    for (int i = 0; i < m->count; i++) {
        if (i != k && rb_ast_argument_name(&m->arguments[i]) == name) return true;
    }
    return false;
}

void rb_refuse_repeated(RbParser *p, const RbAstMod *m) {
    Leaves l = {.p = p};
    for (int k = 0; k < m->count; k++) {
        if (has_namesake(m, k)) add_argument(&l, "", &m->arguments[k]);
    }
}

// SPDX-License-Identifier: MIT
// ast_index.c: long lists of arguments are found by name, not by looking at all.
#include "syntax/ast.h"

enum { SHORT_LIST = 16 };

// From the last to the first, so that a chain goes forward.
void rb_ast_index_arguments(RbArena *arena, RbAstMod *m) {
    if (m->count <= SHORT_LIST) return;
    m->by_name = rb_new(arena, RbMap);
    for (int k = m->count - 1; k >= 0; k--) {
        RbName name = rb_ast_argument_name(&m->arguments[k]);
        if (!name) continue;
        uint64_t *later = rb_map_find(m->by_name, rb_map_key(name));
        m->arguments[k].next_same = later ? (int)*later : 0;
        rb_map_set(m->by_name, arena, rb_map_key(name), (uint64_t)k + 1);
    }
}

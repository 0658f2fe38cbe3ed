// SPDX-License-Identifier: MIT
// Any bytes as a Modelica file: parse, print, and flatten every class at top level. Must neither
// crash, hang nor take much memory.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "flatten/flatten.h"
#include "syntax/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY_LIMIT = 512 << 20 }; // [bytes]

static void *limited_resize(void *user, void *memory, size_t old_size, size_t new_size) {
    size_t *held = user;
    if (new_size > old_size && *held + new_size - old_size > MEMORY_LIMIT) return NULL;
    *held = *held + new_size - old_size;
    if (new_size > 0) return realloc(memory, new_size);
    free(memory);
    return NULL;
}

typedef struct Input {
    const uint8_t *data;
    size_t size;
    RbHeap heap;
    RbArena keep, scratch;
} Input;

static RbStatus run(void *argument) {
    Input *in = argument;
    in->keep = rb_arena(&in->heap);
    in->scratch = rb_arena(&in->heap);
    RbDiag diag = rb_diag(&in->keep);
    RbNames names = rb_names(&in->keep);
    RbLibrary *library = rb_library(&names, &in->keep, &in->scratch, &diag);
    char *text = rb_arena_bytes(&in->keep, (const char *)in->data, in->size);
    RbAstFile *ast;
    const char *last = NULL;
    if (rb_parse_text("fuzz.mo", text, in->size, &names, &in->keep, in->scratch, &diag, &ast) !=
        RB_OK)
        return RB_OK;
    RbText printed = rb_text(&in->keep);
    rb_ast_print(ast, &printed);
    if (rb_library_add_text(library, "fuzz.mo", text, in->size, &last) != RB_OK) return RB_OK;
    for (int i = 0; i < ast->class_count; i++) {
        RbFlatModel *flat;
        rb_flatten(library, ast->classes[i]->name, (RbFlattenOptions){0}, &flat);
    }
    return RB_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t held = 0;
    Input in = {.data = data, .size = size, .heap = rb_heap(&(RbAllocator){limited_resize, &held})};
    RbStatus status = rb_protect(&in.heap, run, &in);
    rb_arena_free(&in.scratch);
    rb_arena_free(&in.keep);
    if (status == RB_ERROR_MEMORY) abort(); // an explosion: small inputs need little
    return 0;
}

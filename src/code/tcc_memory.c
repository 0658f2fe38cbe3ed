// SPDX-License-Identifier: MIT
#include "code/tcc_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Measured: 18 times the text for generated code, and 200 kB for tables of the compiler.
enum { PER_BYTE = 100, AT_LEAST = 64 << 20, ALIGN = 16 };

// Stands before every block.
typedef struct Head {
    size_t size;
    RbTccMemory *memory; // NULL: from the C library
} Head;

_Static_assert(sizeof(Head) == ALIGN, "blocks stay aligned");

// libtcc hands no context to malloc.
static _Thread_local RbTccMemory *current;

#pragma GCC visibility push(hidden) // as in compile.c
void *rb_tcc_malloc(size_t size);
void *rb_tcc_realloc(void *block, size_t size);
void rb_tcc_free(void *block);
void *rb_tcc_calloc(size_t count, size_t size);
#pragma GCC visibility pop

bool rb_tcc_reserve(RbTccMemory *memory, size_t text_length) {
    size_t size = AT_LEAST + PER_BYTE * text_length;
    void *start = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *memory = (RbTccMemory){0};
    if (start == MAP_FAILED) return false;
    *memory = (RbTccMemory){start, size, 0};
    return true;
}

void rb_tcc_release(RbTccMemory *memory) {
    if (memory->start) munmap(memory->start, memory->size);
    *memory = (RbTccMemory){0};
}

void rb_tcc_use(RbTccMemory *memory) {
    current = memory;
}

static size_t rounded(size_t size) {
    return (size + ALIGN - 1) / ALIGN * ALIGN;
}

void *rb_tcc_malloc(size_t size) {
    RbTccMemory *m = current;
    if (size > SIZE_MAX / 2) return NULL;
    size_t whole = sizeof(Head) + rounded(size);
    if (m && whole > m->size - m->used) m = NULL; // more than was expected
    Head *head = m ? (Head *)(void *)(m->start + m->used) : malloc(whole);
    if (!head) return NULL;
    if (m) m->used += whole;
    *head = (Head){rounded(size), m};
    return head + 1;
}

// The block that was given out last can change where it is.
static bool is_last(const Head *head) {
    const RbTccMemory *m = head->memory;
    return m && (const unsigned char *)(head + 1) + head->size == m->start + m->used;
}

void *rb_tcc_realloc(void *block, size_t size) {
    if (!block) return rb_tcc_malloc(size);
    Head *head = (Head *)block - 1;
    if (size <= head->size) return block;
    if (is_last(head) && rounded(size) - head->size <= head->memory->size - head->memory->used) {
        head->memory->used += rounded(size) - head->size;
        head->size = rounded(size);
        return block;
    }
    void *larger = rb_tcc_malloc(size);
    if (!larger) return NULL;
    memcpy(larger, block, head->size);
    rb_tcc_free(block);
    return larger;
}

void rb_tcc_free(void *block) {
    if (!block) return;
    Head *head = (Head *)block - 1;
    if (!head->memory)
        free(head);
    else if (is_last(head))
        head->memory->used -= sizeof(Head) + head->size;
}

void *rb_tcc_calloc(size_t count, size_t size) {
    if (size > 0 && count > SIZE_MAX / size) return NULL;
    void *block = rb_tcc_malloc(count * size);
    return block ? memset(block, 0, count * size) : NULL;
}

// SPDX-License-Identifier: MIT
// tcc_memory.h: memory for libtcc, which does not survive an allocation that fails. It is reserved
// as a whole before the compiler starts: then there is not enough memory, or there is.
//
// libtcc's calls of malloc, realloc and free lead here (cmake/dependencies.cmake renames them).
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct RbTccMemory {
    unsigned char *start;
    size_t size, used;
} RbTccMemory;

// Room for compiling a text of this length: address space, of which only what is used costs
// anything. False: there is not enough.
bool rb_tcc_reserve(RbTccMemory *memory, size_t text_length);
void rb_tcc_release(RbTccMemory *memory);

// From now on libtcc, called by this thread, takes its memory from there; NULL: from the C library.
void rb_tcc_use(RbTccMemory *memory);

// SPDX-License-Identifier: MIT
// squeeze.h: numbers packed small for the page: differences, planes of bytes, gzip, base64.
// The page unpacks them in viewer/src/data.js.
#pragma once

#include "base/diag.h"
#include "base/text.h"
#include "io/bytes.h"

// Series of floats, one after another, each of `length` numbers: the differences of their bit patterns (as whole
// numbers, which wrap), first all lowest bytes, then all second ones, and so on. Lossless.
void rb_squeeze_floats(RbText *out, const float *values, size_t series, size_t length,
                       RbArena scratch);

// Doubles as eight planes of bytes.
void rb_squeeze_doubles(RbText *out, const double *values, size_t count, RbArena scratch);

// A gzip file of these bytes, in *arena.
RbStatus rb_gzip(RbBlob bytes, RbArena *arena, RbDiag *diag, RbBlob *out);

// Append as base64, without line ends; and back: up to the first other character.
void rb_text_add_base64(RbText *out, RbBlob bytes);
RbBlob rb_base64_bytes(const char *text, RbArena *arena);

// Write a file as a whole.
RbStatus rb_blob_write(const char *path, RbBlob bytes, RbArena *arena, RbDiag *diag);

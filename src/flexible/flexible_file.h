// SPDX-License-Identifier: MIT
// flexible_file.h: reduced parts as files, to be read by the program that wrote them: a hash in the name, a checksum at the end.
#pragma once

#include "flexible/flexible_body.h"

// Of all that a reduction depends on: nodes, elements, frames, material and options but damping.
uint64_t rb_flexible_hash(const RbTetMesh *mesh, const RbPartFrame *frames, int count,
                          const RbFlexibleOptions *options);

// A file that is missing, cut off or of another version: false.
bool rb_flexible_load(const char *file, RbArena *keep, RbArena scratch, RbFlexibleBody *out);
RbStatus rb_flexible_save(const char *file, const RbFlexibleBody *body, RbArena scratch,
                          RbDiag *diag);

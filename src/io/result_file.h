// SPDX-License-Identifier: MIT
// result_file.h: results from and to files of any of our formats: journal (.rbj), MAT level 4
// (.mat), CSV (.csv).
#pragma once

#include "io/csv.h"
#include "io/journal.h"
#include "io/mat4.h"

// Read a result; what the file begins with decides about its format, and its extension where that
// leaves a doubt. With RB_JOURNAL_STREAM the rows of a journal stay in the file (MAT and CSV are
// always loaded).
RbStatus rb_result_read(const char *path, RbJournalRows rows, RbArena *arena, RbArena scratch,
                        RbDiag *diag, RbResult **out);

// Write a result; the extension decides about the format.
RbStatus rb_result_write(const char *path, const RbResult *result, RbArena *arena, RbArena scratch,
                         RbDiag *diag);

// Does the extension name one of our formats? (To refuse a bad output file before a long run.)
bool rb_result_can_write(const char *path);

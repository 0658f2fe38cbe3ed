// SPDX-License-Identifier: MIT
// csv_meta.h: units and descriptions of a CSV file, in a file beside it: Ball.csv-metadata.json, in
// the vocabulary of the W3C for tabular data. The table itself stays what every reader expects.
#pragma once

#include "io/result.h"

// For the columns of a file that was written: variables of the result, by number. Where none has a
// unit or a description there is no such file, and an older one is removed.
RbStatus rb_csv_meta_write(const char *csv, const RbResult *result, const int *columns, int count,
                           RbArena scratch, RbDiag *diag);

// Adds what is known to a result that was read. A file that does not fit is left alone with a
// warning; without one nothing happens.
void rb_csv_meta_read(const char *csv, RbResult *result, RbArena *arena, RbArena scratch,
                      RbDiag *diag);

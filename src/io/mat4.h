// SPDX-License-Identifier: MIT
// mat4.h: results as MAT files of level 4 in the layout of Dymola and OpenModelica, which most
// tools of that world read: matrices Aclass, name, description, dataInfo, data_1 (parameters) and
// data_2 (trajectories). NaN is a missing value; units stand in brackets at the end of the
// description. All conventions are in docs/formats.md.
#pragma once

#include "io/result.h"

// Rows may come from memory or from a journal; the writer keeps none of them. Warns if the file is
// larger than 2 GB.
RbStatus rb_mat4_write(const char *path, const RbResult *result, RbArena scratch, RbDiag *diag);

// Reads the whole file (up to 16 GiB) into scratch memory first. Accepts binTrans and binNormal,
// single and double precision, names padded with zeros or blanks.
RbStatus rb_mat4_read(const char *path, RbArena *arena, RbArena scratch, RbDiag *diag,
                      RbResult **out);

// The same for bytes in memory; name stands for the file in messages and must live as long as the
// diagnostics.
RbStatus rb_mat4_read_bytes(const char *name, const void *bytes, size_t size, RbArena *arena,
                            RbArena scratch, RbDiag *diag, RbResult **out);

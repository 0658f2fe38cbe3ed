// SPDX-License-Identifier: MIT
// export.h: what is seen of a result as a file for other programs; the ending decides: .glb, .json (three.js), .obj, .ply, .stl;
// .pvd: particles alone, for ParaView.
#pragma once

#include "io/result.h"

bool rb_export_can_write(const char *path);

// time [s]: of a configuration (.obj, .ply, .stl); NaN: the last one. Of particles (.pvd): that of one frame; NaN: all.
RbStatus rb_export_write(const char *path, const RbResult *result, double time, RbArena *arena,
                         RbDiag *diag);

// SPDX-License-Identifier: MIT
// still.h: the configuration at one time as triangles in the world: .obj (an object each), .ply (with colours), .stl.
#pragma once

#include "export/film.h"

bool rb_still_can_write(const char *path); // does the ending name one of these?

RbStatus rb_still_write(const char *path, const RbFilm *film, double time, RbArena *arena,
                        RbDiag *diag);

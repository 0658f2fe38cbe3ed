// SPDX-License-Identifier: MIT
// glb.h: the film as a binary glTF 2.0 file (.glb), metres, y up, with an animation of all that moves. A part that exists in
// some segments only is scaled to nothing in the others. Of rows at the same time (the sides of an event) the last is
// taken, as times of glTF must grow.
#pragma once

#include "export/film.h"

// Clouds of spheres, as grains are, move if there are so many at most; up to the second number they stand where they are at `time` [s] (NaN: at
// the end), which is told; more are not in the file.
enum { RB_GLB_MOVING = 2000, RB_GLB_STANDING = 10000 };

RbStatus rb_glb_write(const char *path, const RbFilm *film, double time, RbArena *arena,
                      RbDiag *diag);

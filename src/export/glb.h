// SPDX-License-Identifier: MIT
// glb.h: the film as a binary glTF 2.0 file (.glb), metres, y up, with an animation of all that moves. A part that exists in
// some segments only is scaled to nothing in the others. Of rows at the same time (the sides of an event) the last is
// taken, as times of glTF must grow.
#pragma once

#include "export/film.h"

RbStatus rb_glb_write(const char *path, const RbFilm *film, RbArena *arena, RbDiag *diag);

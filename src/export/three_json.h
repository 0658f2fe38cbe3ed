// SPDX-License-Identifier: MIT
// three_json.h: the film as a scene of three.js ("JSON Object Scene format 4"), which its editor and its ObjectLoader read:
// the format in which Modia3D hands over animations.
#pragma once

#include "export/film.h"

RbStatus rb_three_json_write(const char *path, const RbFilm *film, RbArena *arena, RbDiag *diag);

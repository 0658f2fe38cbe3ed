// SPDX-License-Identifier: MIT
// recipe.h: a solid as a text that says how it is made, which functions of Rattleback.Solids write and which is
// followed when a run starts (docs/decisions/solids-in-modelica.md).
//
//     0.1 0.1 0.01 box  0.02 0.02 0.01 64 cone  0.05 0.05 0 move  difference
//
// Numbers and words, divided by blanks; a word takes the numbers, polygons and solids that stand before it and
// leaves one in their place, as on a pocket calculator. Units are SI.
#pragma once

#include "base/diag.h"
#include "geom/triangulate.h"

// Follow the recipe; one solid must be left. `name` and `at` are those of the part it is for, `folder` is where
// its files are looked for first (NULL: nowhere). Whatever has no extent, is open or crosses itself is refused.
RbStatus rb_recipe_solid(const char *recipe, const char *folder, const char *name, RbPos at,
                         RbArena *keep, RbArena scratch, RbDiag *diag, RbMesh *out);

// The same for a recipe that leaves one solid or more, in their order.
RbStatus rb_recipe_solids(const char *recipe, const char *folder, const char *name, RbPos at,
                          RbArena *keep, RbArena scratch, RbDiag *diag, RbMesh **out, int *count);

// A recipe that leaves one polygon.
RbStatus rb_recipe_polygon(const char *recipe, const char *folder, const char *name, RbPos at,
                           RbArena *keep, RbArena scratch, RbDiag *diag, RbPolygon *out);

// Does the recipe end in a solid, or in a polygon? Nothing is built.
bool rb_recipe_is_solid(const char *recipe);

// Where the files of a recipe are looked for: beside the text that declares the part; NULL: nowhere.
const char *rb_recipe_folder(RbPos at, RbArena *arena);

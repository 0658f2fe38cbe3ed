// SPDX-License-Identifier: MIT
// describe.h: what the constants of a pair of materials mean, in words and figures: for `rattleback
// info`.
#pragma once

#include "contact/material.h"

// Adds a few lines to `out`: constants, and what happens when a ball of the first material meets a
// flat piece of the second one.
RbStatus rb_materials_describe(const RbMaterials *materials, const char *ball, const char *plate,
                               RbDiag *diag, RbText *out);

// A table of all solids and pairs, with what was published and where.
void rb_materials_list(const RbMaterials *materials, RbText *out);

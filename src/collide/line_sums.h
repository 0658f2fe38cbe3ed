// SPDX-License-Identifier: MIT
// line_sums.h: moments of the overlap along one straight line of a sheet (docs/theory/contact-patch.md, section 7): exactly where it is linear, else at so many
// places as what it bends about asks for.
#pragma once

#include "collide/round_sums.h"
#include "collide/wet_line.h"

// Adds a line that counts as weight across lines. Returns its form (wet_line.h); 0 over a plane.
int rb_add_line(const RbDepthField *field, const RbLine *line, double weight, RbRoundSums *sums);

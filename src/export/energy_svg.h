// SPDX-License-Identifier: MIT
// energy_svg.h: the energy balance of a run of bodies as stacked areas: kinetic, potential (above its least value), elastic,
// and what was lost. The height of the stack is what was there at the start and came in; it stays level if the balance holds.
#pragma once

#include "base/text.h"
#include "io/result.h"

// Appends the picture; nothing and false if the result has no energy account. Rows must be in memory.
bool rb_energy_svg(const RbResult *result, RbArena scratch, RbText *out);

// Largest |residual| of the balance over the run, and the largest height of the stack [J]; NaN if there is none.
void rb_energy_residual(const RbResult *result, RbArena scratch, double *residual, double *height);

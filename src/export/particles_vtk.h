// SPDX-License-Identifier: MIT
// particles_vtk.h: what a result has kept of particles, as VTK files: x.pvd lists x_000000.vtp ... beside it.
#pragma once

#include "io/result.h"

// time [s]: the last row up to then alone; NaN: all of them.
RbStatus rb_particles_vtk_write(const char *path, const RbResult *result, double time,
                                RbArena *arena, RbDiag *diag);

// SPDX-License-Identifier: MIT
// krylov.h: the lowest modes of a part whose boundary is held, by a block Krylov space of K^-1 M that is kept orthonormal in the mass.
#pragma once

#include "flexible/statics.h"

// lambda[i] = ω² ascending, shapes: size x count, orthonormal in the mass. Returns how many there are, at most `count`; -1: the
// iteration has failed.
int rb_krylov_modes(const RbStatics *s, int count, double *lambda, double *shapes, RbArena scratch);

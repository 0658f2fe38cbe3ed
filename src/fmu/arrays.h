// SPDX-License-Identifier: MIT
// arrays.h: arrays whose elements all follow each other become one variable of FMI 3.0: its value reference is that of
// the first element, its values are those of all of them, row by row.
#pragma once

#include "fmu/variables.h"

void rb_fmu_find_arrays(RbFmuVariables *variables, const RbFmuStates *states, RbArena *arena);

// SPDX-License-Identifier: MIT
// limits.h: variables that leave the range of their min and max while a model runs. That is no error,
// as in the language, but nothing to be silent about: each is said once.
//
// A value is beyond a limit if it is so by more than a millionth of the limit or of its nominal value,
// which keeps errors of integration from being told. Of variables that are equal, the narrowest limit
// counts.
#pragma once

#include "program/program.h"

// A run begins: min and max follow from parameters, which have their values.
void rb_limits_open(RbProgramInstance *in);

// Do variables have limits that change during the run?
bool rb_limits_vary(const RbProgramInstance *in);

// At a point of the run, where all variables have their values: warn of those that were not named yet.
void rb_limits_check(RbProgramInstance *in, RbDiag *diag);

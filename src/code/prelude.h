// SPDX-License-Identifier: MIT
// prelude.h: C text at the top of every generated unit: libm, and the functions of Modelica that
// libm does not have.
#pragma once

extern const char *const rb_prelude;

// Only for models with whole arrays. Sums begin with zero and go on in order, as in the
// interpreter.
extern const char *const rb_array_prelude;

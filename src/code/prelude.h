// SPDX-License-Identifier: MIT
// prelude.h: C text at the top of every generated unit: libm, and the functions of Modelica that
// libm does not have.
#pragma once

extern const char *const rb_prelude;

// Only for models with whole arrays. Sums begin with zero and go on in order, as in the
// interpreter.
extern const char *const rb_array_prelude;

// Loops over equal cells: libtcc does several cells per turn, since it sets up pointers anew in
// each one; the system's compiler needs no such help (write_loop.c).
extern const char *const rb_loop_prelude;

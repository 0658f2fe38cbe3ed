// SPDX-License-Identifier: MIT
// prelude.h: C text at the top of every generated unit: libm, and the functions of Modelica that
// libm does not have.
#pragma once

extern const char *const rb_prelude;

// Only for models with whole arrays. Sums begin with zero and go on in order, as in the
// interpreter.
extern const char *const rb_array_prelude;

// Loops over equal cells (write_loop.c). libtcc does several cells per turn: it needs three
// instructions for a number behind a pointer, but one for a number in an array of the function, so
// what a turn reads is first copied into such arrays ("windows"). The system's compiler does one
// cell per turn, with pointers.
extern const char *const rb_loop_prelude;

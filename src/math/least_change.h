// SPDX-License-Identifier: MIT
// least_change.h: one step of Newton's method where the matrix of derivatives is singular, so that the
// equations leave something open: of all changes that satisfy the equations that are independent, the
// smallest one (docs/theory/dae.md, section 7).
#pragma once

#include <stdbool.h>

// The shortest x, each element measured by its size (> 0), with which all independent rows of a x = b hold
// (n x n, by columns); a row is independent if what the others leave of it is more than `tolerance` of it.
// Uses up a and b; `taken` (n) is workspace. `free` (n): which elements the rows do not determine. Answers
// the rank. The rows that depend on others may contradict them: they are not looked at.
int rb_least_change(int n, double *a, double *b, const double *sizes, double tolerance, double *x,
                    bool *taken, bool *free);

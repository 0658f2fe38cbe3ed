// SPDX-License-Identifier: MIT
// tape.h: a scalar function of time as a list of operations on numbers, each done once however often its value is used, those that do
// not depend on time once for all times. For functions that are evaluated at many times in a row; the values are those of the
// interpreter, bit by bit.
#pragma once

#include "program/program.h"

typedef struct RbTape RbTape;

// Of time and parameters. NULL: something in it is not known here (calls, arrays, texts).
RbTape *rb_tape(const RbSortedDae *dae, const RbExpr *e, RbArena *arena, RbArena scratch);

// Parameters have the values of the instance from now on.
void rb_tape_set(RbTape *tape, RbProgramInstance *in);

double rb_tape_at(RbTape *tape, double time);

// Bounds of the value and of its derivative over an interval of time.
typedef struct RbRange {
    double low, high, slope_low, slope_high;
} RbRange;

// Are bounds known for all operations on the tape?
bool rb_tape_is_bounded(const RbTape *tape);
RbRange rb_tape_range(RbTape *tape, double from, double to);

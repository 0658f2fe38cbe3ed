// SPDX-License-Identifier: MIT
// array_text.h: a vector or matrix of numbers as a user writes it in Modelica: {1, 2},
// {{1, 2}, {3, 4}} or [1, 2; 3, 4].
#pragma once

#include "base/array.h"

typedef struct RbArrayText {
    int rank, dims[2];
    double *values; // row by row
} RbArrayText;

// NULL: all is well. Otherwise what is wrong, as a sentence.
const char *rb_array_parse(const char *text, RbArena *arena, RbArrayText *array);

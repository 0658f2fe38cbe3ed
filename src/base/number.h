// SPDX-License-Identifier: MIT
// number.h: doubles as decimal text and back, exactly and fast, with a point whatever the locale
// says.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { RB_NUMBER_SIZE = 32 }; // bytes that the longest number needs, with its final 0

// The shortest decimal number that reads back as the same double; nan, inf, -inf as such. Answers
// its length.
int rb_number_print(double value, char text[RB_NUMBER_SIZE]);

// The number that the bytes from text to end are, all of them: decimal with optional exponent, or
// nan, inf, infinity with any letters large or small and an optional sign. False if they are
// something else.
bool rb_number_parse(const char *text, const char *end, double *value);

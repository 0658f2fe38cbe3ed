// SPDX-License-Identifier: MIT
// format.h: a Modelica text with uniform indentation and spaces. Tokens and comments stay as they are,
// and so do line breaks, but for more than one empty line; only white space changes. Formatting twice is
// formatting once.
//
// Two spaces per class, loop, condition and section; what goes on from the line before is two spaces
// further, and two more for each line with brackets that are still open.
#pragma once

#include "syntax/lex.h"

// `tokens` are those of `text`, all of which are right.
void rb_format(const RbTokens *tokens, const char *text, RbText *out);

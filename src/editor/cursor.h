// SPDX-License-Identifier: MIT
// cursor.h: what stands at a place in a Modelica text, which need not be complete: the classes around,
// the dotted name, and what is being modified or called. It looks at tokens alone.
#pragma once

#include "syntax/lex.h"

enum { RB_CURSOR_NAMES = 32 };

typedef struct RbCursorName {
    RbName parts[RB_CURSOR_NAMES];
    int count;
} RbCursorName;

typedef struct RbCursor {
    RbCursorName within; // the package of the file, then the classes around, outermost first
    RbCursorName name;   // up to the token at the place; its last part may be empty
    bool after_dot;      // a dot stands before the last part
    // Modifications and calls around, outermost first: Motor m(rotor(J = ...)) has m, rotor.
    RbCursorName around[8];
    int around_count;
} RbCursor;

RbCursor rb_cursor(const RbTokens *tokens, int line, int column);

// The number of the name of a class whose text begins with token i; -1: none does. Short definitions
// and partial applications `function f(...)` have no text.
int rb_class_name(const RbTokens *tokens, int i);

// The number of the token that ends the class whose name is token i; -1: there is none.
int rb_class_end(const RbTokens *tokens, int i);

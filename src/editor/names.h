// SPDX-License-Identifier: MIT
// names.h: what names mean where they stand in a Modelica text, for people who write it
// (include/rattleback/editor.h).
#pragma once

#include "classes/class.h"
#include "editor/cursor.h"
#include "rattleback/editor.h"

typedef RB_ARRAY(RbEditorSymbol) RbEditorSymbols;

// The element that a cursor names; false: nothing that is known.
bool rb_name_at(RbClasses *c, const RbCursor *cursor, RbEditorSymbol *out);

// All names that can stand there.
RbEditorSymbols rb_names_at(RbClasses *c, const RbCursor *cursor);

// The classes and components of a text that was parsed.
RbEditorSymbols rb_names_of(const RbAstFile *file, const RbTokens *tokens, RbArena *arena);

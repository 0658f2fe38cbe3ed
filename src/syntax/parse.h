// SPDX-License-Identifier: MIT
// parse.h: tokens to syntax tree: the whole grammar of Modelica 3.6 (specification, appendix A.2).
//
// Errors are reported in the user's words; after one, the parser goes on behind the next semicolon,
// so that one run finds several. The tree is complete even then; what could not be read is missing
// in it.
#pragma once

#include "syntax/ast.h"

// Deeper nesting (parentheses, classes in classes, terms in one sum) is an error, so that no input
// can exhaust the stack.
enum { RB_PARSE_NESTING_LIMIT = 200, RB_PARSE_LEVEL_LIMIT = 1000 };

RbStatus rb_parse(const RbTokens *tokens, RbNames *names, RbArena *keep, RbDiag *diag,
                  RbAstFile **out);

// Source, tokens and tree in one call.
RbStatus rb_parse_text(const char *file, const char *text, size_t length, RbNames *names,
                       RbArena *keep, RbArena scratch, RbDiag *diag, RbAstFile **out);
RbStatus rb_parse_file(const char *path, RbNames *names, RbArena *keep, RbArena scratch,
                       RbDiag *diag, RbAstFile **out);

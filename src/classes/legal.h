// SPDX-License-Identifier: MIT
// legal.h: what a class of its kind may hold and extend (Modelica specification, 4.6 to 4.9, 7.1).
#pragma once

#include "classes/class_parts.h"

// --- legal.c -------------------------------------------------------------------------------------

// Report elements and sections that the kind of the class forbids, and reserved names; each once.
void rb_check_contents(RbClasses *c, RbAstClass *def);

// May the class of this part extend `base`? Reports what it may not.
void rb_check_base(RbClasses *c, const RbClassPart *part, const RbClass *base, RbPos at);

// --- redeclare.c ---------------------------------------------------------------------------------

// May `new` stand for `old`? Reports why not.
void rb_check_redeclaration(RbClasses *c, const RbElem *old, const RbElem *new, RbPos at);
// Does the class of an element fit the classes that constrain it? Reports what is missing.
void rb_check_constraint(RbClasses *c, RbElem *e);

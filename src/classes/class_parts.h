// SPDX-License-Identifier: MIT
// class_parts.h: what the files about classes share: modifier.c, class.c, inherit.c, element.c and
// lookup.c. Others include class.h.
#pragma once

#include "classes/class.h"

// --- modifier.c ----------------------------------------------------------------------------------

RbMods rb_mods_with(RbArena *arena, RbMods strong, RbModifier weak);
// The strongest redeclaration of a name in a list, with the scope it was written in.
const RbAstArgument *rb_mods_redeclaration(RbMods mods, RbName name, RbClassPart **scope);

// --- class.c -------------------------------------------------------------------------------------

RbClass *rb_class_new(RbClasses *c, RbAstClass *def, RbClassPart *enclosing, RbElem *element,
                      RbMods mods);

// --- element.c -----------------------------------------------------------------------------------

// The element if it was made before, or NULL.
RbElem *rb_class_known_elem(const RbClass *class, RbName name);
// The element that the text of this part declares, or NULL.
RbElem *rb_part_elem(RbClasses *c, RbClassPart *part, RbName name);
// Is the name an element of this part or of one it extends?
bool rb_part_has(RbClasses *c, RbClassPart *part, RbName name);

// --- lookup.c ------------------------------------------------------------------------------------

// The class after `extends`: its name may not be inherited itself.
RbClass *rb_lookup_base_class(RbClasses *c, RbClassPart *scope, const RbAstName *name);

// SPDX-License-Identifier: MIT
// conversion.h: libraries that were written for an older version of another one (Modelica specification, 18.8.2). A package
// with annotation(uses(Lib(version = "old"))) is converted as it is read, by the script that the annotation `conversion` of
// the version of Lib that was found names for "old". The files stay as they are.
#pragma once

#include "classes/library.h"

typedef RB_ARRAY(const char *) RbConversionTexts;

// convertModifiers(classes, old, new): texts "name" or "name=value".
typedef struct RbConvertedModifiers {
    RbConversionTexts old, new;
} RbConvertedModifiers;

// A list of the sets about one class.
typedef struct RbConversionLink {
    int set, next; // next: number of the link before it plus one
} RbConversionLink;

// What the scripts of all libraries that a package uses say. Names are full and old ones.
typedef struct RbConversion {
    RbMap classes;   // class -> its new name
    RbMap elements;  // "class element" -> its new name
    RbMap modifiers; // class -> its last link plus one
    RbMap messages;  // class -> why it cannot be converted
    RbMap roots;     // first parts of old names
    RB_ARRAY(RbConversionLink) links;
    RB_ARRAY(RbConvertedModifiers) sets;
} RbConversion;

// For a package at top level; NULL: nothing is to be converted.
RbConversion *rb_conversion_for(RbLibrary *l, const RbAstClass *package);
// The new name of an old one, or of a part of one; NULL: it is as it was.
const char *rb_converted_name(RbLibrary *l, const RbConversion *c, const char *name);
// The new name of an element of a class; NULL: it is as it was.
RbName rb_converted_element(RbLibrary *l, const RbConversion *c, const char *class, RbName element);
// Does a library that was read have a conversion from this version?
bool rb_converts(RbLibrary *l, const RbAstClass *used, const char *version);
// "; since version 4.0.0 it is 'Modelica.Units.SI'; ..." for a name that an old version of a library has; "": none.
const char *rb_conversion_hint(RbLibrary *l, RbAstClass *used, const char *name);

// --- convert.c -----------------------------------------------------------------------------------

// Convert a class that was read: one at top level by its annotation, one in a folder as the package around it.
void rb_convert_class(RbLibrary *l, RbAstClass *class, const RbAstClass *around);

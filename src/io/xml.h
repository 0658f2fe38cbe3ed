// SPDX-License-Identifier: MIT
// xml.h: an XML file as a tree of elements that remember what was made of them, so that a report can name every tag and attribute (robot/tags.h).
//
//     RB_TRY(rb_xml_read("arm.urdf", bytes, arena, diag, &root));
//     for (RbXml *link = rb_xml_child(root, "link"); link; link = rb_xml_next(link)) ...
#pragma once

#include "base/file.h"

// ORDER RbXmlVerdict: names in tags.c
typedef enum RbXmlVerdict { RB_IGNORED, RB_MAPPED, RB_APPROXIMATED } RbXmlVerdict;

typedef struct RbXmlAttribute {
    const char *name, *value;
    bool used;
    struct RbXmlAttribute *next;
} RbXmlAttribute;

typedef struct RbXml {
    const char *name;
    const char *text; // between the tags, without what its children have; never NULL
    RbPos at;
    RbXmlAttribute *attributes;
    struct RbXml *parent, *first, *last, *next;
    RbXmlVerdict verdict;
    const char *how; // in words; NULL: nothing to say
} RbXml;

// The root of a file. Refused: declared entities, elements nested deeper than 100, more than 500 000 elements or attributes.
RbStatus rb_xml_read(const char *file, RbBytes bytes, RbArena *arena, RbDiag *diag, RbXml **out);

// The first child of a name (NULL: of any), and the next one of the same name.
RbXml *rb_xml_child(const RbXml *element, const char *name);
RbXml *rb_xml_next(const RbXml *element);

// By its name without the prefix that the file has chosen for a namespace: ssd:Component is Component.
bool rb_xml_is(const RbXml *element, const char *name);
RbXml *rb_xml_child_called(const RbXml *element, const char *name); // NULL: there is none, or element is NULL

// The value of an attribute, which counts as used from then on; NULL: there is none.
const char *rb_xml_attribute(RbXml *element, const char *name);

// The element means something in the model. Approximated stays approximated.
void rb_xml_mapped(RbXml *element);
void rb_xml_approximated(RbXml *element, const char *how);
void rb_xml_ignored(RbXml *element, const char *why);

// Numbers between blanks in an attribute, or in the text of the element if name is NULL: from least to most of them, all finite. *count is 0, and numbers stay as they are, if
// there is no such attribute.
RbStatus rb_xml_numbers(RbXml *element, const char *name, int least, int most, double *numbers,
                        int *count, RbDiag *diag);

// One number, or three; `out` stays as it is without the attribute.
RbStatus rb_xml_number(RbXml *element, const char *name, double *out, RbDiag *diag);
RbStatus rb_xml_vector(RbXml *element, const char *name, double out[3], RbDiag *diag);

// The attribute that the element must have.
RbStatus rb_xml_needed(RbXml *element, const char *name, const char **out, RbDiag *diag);

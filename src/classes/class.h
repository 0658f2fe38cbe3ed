// SPDX-License-Identifier: MIT
// class.h: what a class means where it stands: which elements it has after inheritance and
// redeclaration, and what a name means inside it (Modelica specification, chapters 5 and 7).
//
// An RbClass is a class definition seen from one place. It has one RbClassPart per class of its
// inheritance tree: the scope in which the text of that class is to be understood. Elements are
// made when a name asks for them, so that a large library costs only what is used. Classes are
// shared by all their instances; a component whose modification redeclares something gets a class
// of its own (rb_class_specialised).
#pragma once

#include "expr/flat_model.h"
#include "classes/library.h"

typedef struct RbClass RbClass;
typedef struct RbClassPart RbClassPart;
typedef struct RbElem RbElem;
typedef struct RbInst RbInst;

// A modification together with the scope in which it was written. Expressions in it belong to the
// nearest instance around whose class owns that scope.
typedef struct RbModifier {
    const RbAstMod *mod; // arguments and value; NULL: neither
    RbClassPart *scope;
    RbPos at;
    bool final;
    bool no_value;   // of a constraining clause: only the arguments count
    bool is_own;     // written at the declaration itself
    bool is_covered; // a stronger modification gives a value to the whole of a record around
    int sub_count; // elements of component arrays that were entered: the value is to be subscripted
                   // with these
    int last_subs; // how many of them belong to the innermost array: `each` takes them away
    const int *subs; // from 1
} RbModifier;

// From the strongest (outermost) to the weakest.
typedef struct RbMods {
    const RbModifier *list;
    int count;
} RbMods;

// One class of the inheritance tree of its owner.
struct RbClassPart {
    RbClass *owner;
    RbAstClass *def;
    RbClassPart *enclosing;            // lexically; NULL: top level
    RbClassPart *derived;              // the part that extends this one; NULL: the root part
    RbElem *element;                   // the class element that def came from; NULL at top level
    RbMods mods;                       // that apply to the elements of this part
    bool is_protected;                 // inherited in a protected section
    const RbAstMod *clause_annotation; // of the extends clause that names it; NULL: none
    RB_ARRAY(RbClassPart *) bases;
    RB_ARRAY(const RbAstArgument *) broken; // break x, break connect(a, b)
    RbMap cache;                            // name -> RbElem *, for lookup from here outwards
};

// A component or a class in a class.
struct RbElem {
    RbName name;
    RbClass *owner;
    RbClassPart *part; // where it is declared in the inheritance tree of owner
    RbClassPart
        *scope; // where its type is to be looked up; differs from part for a redeclared element
    const RbAstElement *clause;
    const RbAstComponent *component; // NULL: a class
    RbElem *replaces;                // the element that was redeclared
    RbClass *class;                  // class: itself; component: its type, once resolved
    bool resolving, broken;
    int number;              // of a component among those of owner, from 1
    const char *description; // decoded once
    RbMods mods;             // rb_elem_mods, once asked for
    bool has_mods;
};

typedef struct RbSectionRef {
    const RbAstSection *section;
    RbClassPart *part;
} RbSectionRef;

typedef struct RbDimensions { // of a type: Real[3]
    RbAstExpr **list;
    int count;
    RbClassPart *scope;
} RbDimensions;

// Entries of annotation(__Rattleback(...)), each from the class itself or the nearest base that has
// it; NULL: none.
typedef struct RbVendor {
    bool known;
    const RbAstExpr *component, *file, *role, *anchor, *opaque, *visual, *kind, *none;
} RbVendor;

struct RbClass {
    RbName name;
    const char *full_name;
    RbClassPart *root;
    RbRestriction restriction;
    enum { RB_CLASS_NEW, RB_CLASS_BUSY, RB_CLASS_READY } state;
    bool broken; // something was reported about it
    bool is_partial;
    bool is_type; // Real, Integer, Boolean, String, an enumeration, or derived from one
    bool is_external_object;
    bool is_record; // also a connector that is a record: connector C = output Complex
    RbType type;
    const RbAstClass *enumeration;  // its literals
    int enumeration_index;          // in the flat model plus one
    RB_ARRAY(RbModifier) type_mods; // attributes: unit, start, ...
    RB_ARRAY(RbDimensions) dimensions;
    RbAstCausality causality;
    RbMap elems; // name -> RbElem *
    RB_ARRAY(RbElem *) components;
    RB_ARRAY(RbSectionRef) sections;
    bool listed;
    RbInst *instance;       // of a package: for its constants
    int function;           // in the flat model plus one; -1: broken
    bool function_complete; // all of it is lowered
    RbClass *similar;       // the class that was specialised
    RbVendor vendor;        // once asked for
};

// What lookup and elaboration need.
typedef struct RbClasses {
    RbLibrary *library;
    RbNames *names;
    RbArena *arena;
    RbDiag *diag;
    RbClass *top;
    RbClass *real, *integer, *boolean, *string, *clock, *external_object;
    int depth;            // of elaboration
    const char *own_file; // that of the model: all imports in it are checked, not only those used
    // Classes below the first package are replaced by those of the same name below the next one that
    // has it: "Modelica.Mechanics.MultiBody", "Rattleback.MultiBody", "Rattleback"; NULL: none are.
    const char *const *replaced;
    bool any_replaced; // it has happened
} RbClasses;

RbClasses *rb_classes(RbLibrary *library);

// What a simple name means from a scope outwards: own and inherited elements, imports, then the
// enclosing scopes. NULL without a message if there is nothing.
RbElem *rb_lookup(RbClasses *c, RbClassPart *scope, RbName name);

// A class by its dotted name. Reports what is missing, with a near name; NULL then.
RbClass *rb_lookup_class(RbClasses *c, RbClassPart *scope, const RbAstName *name,
                         const char *purpose);

// A class by its full name. Reports what is missing; NULL then.
RbClass *rb_class_named(RbClasses *c, const char *full_name);

// A class by a dotted name that is a text in a model, at `at`.
RbClass *rb_class_of_text(RbClasses *c, RbClassPart *scope, const char *text, RbPos at,
                          const char *purpose);

// Report imports of a class, and of those around it, of what does not exist; each once.
void rb_check_imports(RbClasses *c, const RbClassPart *part);

// The element of a class by name (own or inherited), or NULL.
RbElem *rb_class_elem(RbClasses *c, RbClass *class, RbName name);

// The class that an element is (class element), or the type of a component. NULL if that was
// reported as wrong.
RbClass *rb_elem_class(RbClasses *c, RbElem *elem);

// Can it be seen from inside of its class alone?
bool rb_elem_is_protected(const RbElem *elem);

// Has a class all public elements of another one, of the same types? *missing: an element that does not fit, or NULL.
bool rb_class_fits(RbClasses *c, RbClass *class, RbClass *base, RbName *missing);

// The class that stands for the one which an element is, or NULL: it stands for itself. May such a class,
// or one that extends it, lack an element that is modified? What is only drawn, or chooses states, has no
// meaning for it: `unused` in the annotation of the package says what, class by class.
RbClass *rb_class_replacement(RbClasses *c, const RbElem *elem);
bool rb_class_lacks(const RbClasses *c, const RbClass *class, const RbAstArgument *modified);

// All components, base classes first; and the equation sections. Elaborates the class.
void rb_class_list(RbClasses *c, RbClass *class);

// Inheritance of the class is worked out. False if that failed (reported).
bool rb_class_ready(RbClasses *c, RbClass *class);

// The operator record that a class is, or is derived from (Voltage = Complex(...)); NULL: none.
RbClass *rb_class_operator_record(RbClasses *c, RbClass *class);

// The class with further, stronger modifications that redeclare elements.
RbClass *rb_class_specialised(RbClasses *c, RbClass *class, RbMods mods);
bool rb_mods_redeclare(RbMods mods);

// The modifications of one element out of those of its class or instance.
RbMods rb_mods_of(RbArena *arena, RbMods mods, RbName name);
RbMods rb_mods_join(RbArena *arena, RbMods strong, RbMods weak);

// All modifications of a component by the class it is in, including its own; strongest first.
RbMods rb_elem_mods(RbClasses *c, RbElem *elem);

// "; did you mean 'x'?" with the nearest name that is visible; "" if nothing is near. A class of the
// same name in another package is meant before one of a similar name here.
const char *rb_near_name(RbClasses *c, RbClassPart *scope, RbName name, bool is_class);
// The same for a class that `in` does not have: similar names in it, or else this name anywhere in
// the package at top level.
const char *rb_near_class(RbClasses *c, RbClass *in, RbName package, RbName name);
const char *rb_near_element(RbClasses *c, RbClass *class, RbName name);

// Value of a simple annotation such as Evaluate = true in a list of modifications, or NULL.
const RbAstExpr *rb_annotation(const RbAstMod *annotation, const char *name);
const RbAstMod *rb_annotation_group(const RbAstMod *annotation, const char *name);
bool rb_annotation_is_true(const RbAstMod *annotation, const char *name);

// The annotation of a class, or of its base classes if it has none of that name.
const RbAstExpr *rb_class_annotation(RbClasses *c, RbClass *class, const char *name);
const RbVendor *rb_class_vendor(RbClasses *c, RbClass *class);

static inline bool rb_class_is_connector(const RbClass *c) {
    return c->restriction == RB_KIND_CONNECTOR || c->restriction == RB_KIND_EXPANDABLE_CONNECTOR;
}
static inline bool rb_class_is_record(const RbClass *c) {
    return c->is_record || c->restriction == RB_KIND_RECORD ||
           c->restriction == RB_KIND_OPERATOR_RECORD;
}
static inline bool rb_class_is_function(const RbClass *c) {
    return c->restriction == RB_KIND_FUNCTION || c->restriction == RB_KIND_OPERATOR_FUNCTION;
}

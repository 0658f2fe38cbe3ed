// SPDX-License-Identifier: MIT
// ast.h: the syntax tree of Modelica 3.6, exactly as written: rb_ast_print gives back the same
// tokens.
//
// Names are interned; strings and numbers point into the source text. Nothing here is resolved or
// checked.
#pragma once

#include "base/map.h"
#include "syntax/lex.h"

typedef struct RbAstExpr RbAstExpr;
typedef struct RbAstEquation RbAstEquation;
typedef struct RbAstMod RbAstMod;
typedef struct RbAstElement RbAstElement;
typedef struct RbAstClass RbAstClass;

// A piece of the source: string or number literal.
typedef struct RbAstText {
    const char *start;
    int length;
} RbAstText;

// { STRING "+" STRING ... }
typedef struct RbAstStrings {
    RbAstText *parts;
    int count;
} RbAstStrings;

// description: strings and annotation, either may be absent.
typedef struct RbAstComment {
    RbAstStrings text;
    RbAstMod *annotation;
} RbAstComment;

// ["."] IDENT { "." IDENT }
typedef struct RbAstName {
    RbPos at;
    bool global; // begins with a dot
    int count;
    RbName *parts;
} RbAstName;

// --- expressions ---------------------------------------------------------------------------------

typedef enum RbAstExprKind {
    RB_AST_ERROR, // was reported
    RB_AST_INTEGER,
    RB_AST_REAL,
    RB_AST_STRING,
    RB_AST_TRUE,
    RB_AST_FALSE,
    RB_AST_REF,      // component reference: parts
    RB_AST_CALL,     // kids[0] is the REF that is called, then arguments; iterators for reductions
    RB_AST_NAMED,    // name = kids[0], in a call
    RB_AST_TUPLE,    // ( a, , b ): kids may be NULL; with one kid it is a pair of parentheses
    RB_AST_MATRIX,   // [ row; row ]: kids are LISTs
    RB_AST_LIST,     // a, b, c
    RB_AST_ARRAY,    // { a, b } or { a for i in r }
    RB_AST_END,      // end, in a subscript
    RB_AST_COLON,    // : as a subscript
    RB_AST_RANGE,    // a:b or a:step:b
    RB_AST_UNARY,    // op kids[0]
    RB_AST_BINARY,   // kids[0] op kids[1]
    RB_AST_IF,       // condition, value, condition, value, ..., otherwise
    RB_AST_FUNCTION, // function f(a = 1): partial application, kids[0] is the REF
    RB_AST_BREAK,    // break, as the value of a modification
} RbAstExprKind;

typedef struct RbAstPart {
    RbName name;
    int subscript_count;
    RbAstExpr **subscripts;
} RbAstPart;

typedef struct RbAstIterator {
    RbName name;
    RbAstExpr *range; // NULL: implied by the use as a subscript
    RbPos at;
} RbAstIterator;

struct RbAstExpr {
    RbAstExprKind kind;
    RbTokenKind op; // UNARY, BINARY
    bool global;    // REF begins with a dot
    short levels;   // of the tree below; bounded, so that recursion over the tree is safe
    int kid_count;  // REF: number of parts
    int iterator_count;
    RbPos at;
    union {
        RbAstExpr **kids;
        RbAstPart *parts; // REF
        RbAstText text;   // INTEGER, REAL, STRING
    };
    union {
        RbAstIterator *iterators; // CALL, ARRAY
        RbName name;              // NAMED
    };
};

// --- equations and statements --------------------------------------------------------------------

typedef enum RbAstEquationKind {
    RB_AST_EQ_ERROR,
    RB_AST_EQ_EQUAL,   // left = right (or := in an algorithm)
    RB_AST_EQ_CALL,    // left is a CALL: assert(...), reinit(...), f(x)
    RB_AST_EQ_CONNECT, // connect(left, right)
    RB_AST_EQ_IF,      // blocks with condition; the last one without is else
    RB_AST_EQ_WHEN,    // blocks with condition
    RB_AST_EQ_FOR,     // iterators, one block
    RB_AST_EQ_WHILE,   // one block with condition
    RB_AST_EQ_BREAK,
    RB_AST_EQ_RETURN,
} RbAstEquationKind;

typedef struct RbAstBlock {
    RbPos at;
    RbAstExpr *condition; // NULL: else, for
    int count;
    RbAstEquation **list;
} RbAstBlock;

struct RbAstEquation {
    RbAstEquationKind kind;
    RbPos at;
    RbAstExpr *left, *right;
    int block_count;
    RbAstBlock *blocks;
    int iterator_count;
    RbAstIterator *iterators;
    RbAstComment comment;
};

// --- modifications -------------------------------------------------------------------------------

typedef struct RbAstArgument {
    RbPos at;
    bool each, final;
    RbAstName name; // of a modification; count 0: redeclaration or inheritance modification
    RbAstMod *mod;  // may be NULL
    RbAstStrings text;
    RbAstElement *element; // redeclare or replaceable: short class or one component
    bool is_break;         // inheritance modification: break name, or break connect(...)
    RbAstEquation *broken_connect;
    int next_same; // number of the next argument about the same name plus one; see by_name
} RbAstArgument;

struct RbAstMod {
    RbPos at;
    bool parentheses; // ( ... ) was written, maybe empty
    bool assign;      // := instead of =
    int count;
    RbAstArgument *arguments;
    RbAstExpr *value; // may be NULL
    // Long lists: name -> number of the first argument about it plus one; the next ones follow by
    // their next_same. NULL: look at all.
    RbMap *by_name;
};

// --- classes -------------------------------------------------------------------------------------

// ORDER restriction names in ast_print.c
typedef enum RbRestriction {
    RB_KIND_CLASS,
    RB_KIND_MODEL,
    RB_KIND_RECORD,
    RB_KIND_OPERATOR_RECORD,
    RB_KIND_BLOCK,
    RB_KIND_CONNECTOR,
    RB_KIND_EXPANDABLE_CONNECTOR,
    RB_KIND_TYPE,
    RB_KIND_PACKAGE,
    RB_KIND_FUNCTION,
    RB_KIND_OPERATOR_FUNCTION,
    RB_KIND_OPERATOR,
} RbRestriction;

typedef enum RbAstElementKind {
    RB_AST_ELEMENT_ERROR,
    RB_AST_IMPORT,
    RB_AST_EXTENDS,
    RB_AST_CLASS,
    RB_AST_COMPONENTS,
} RbAstElementKind;

typedef enum RbAstVariability {
    RB_AST_CONTINUOUS,
    RB_AST_DISCRETE,
    RB_AST_PARAMETER,
    RB_AST_CONSTANT,
} RbAstVariability;

typedef enum RbAstCausality { RB_AST_ACAUSAL, RB_AST_INPUT, RB_AST_OUTPUT } RbAstCausality;
typedef enum RbAstFlow { RB_AST_NO_FLOW, RB_AST_FLOW, RB_AST_STREAM } RbAstFlow;

typedef struct RbAstComponent {
    RbPos at;
    RbName name;
    int dimension_count;
    RbAstExpr **dimensions;
    RbAstMod *mod;        // may be NULL
    RbAstExpr *condition; // may be NULL
    RbAstComment comment;
} RbAstComponent;

typedef enum RbAstImportKind {
    RB_IMPORT_QUALIFIED, // import A.B;
    RB_IMPORT_RENAMED,   // import X = A.B;
    RB_IMPORT_ALL,       // import A.*;
    RB_IMPORT_LIST,      // import A.{X, Y};
} RbAstImportKind;

struct RbAstElement {
    RbAstElementKind kind;
    RbPos at;
    bool redeclare, final, inner, outer, replaceable, is_protected;
    // import
    RbAstImportKind import;
    RbName alias;
    int import_count; // of names in { }
    RbName *imports;
    bool is_checked; // whether what it imports exists
    // import: the package; extends and components: the type
    RbAstName type;
    // extends
    RbAstMod *mod; // may be NULL
    // class
    RbAstClass *class;
    // components
    RbAstFlow flow;
    RbAstVariability variability;
    RbAstCausality causality;
    int dimension_count; // after the type: Real[3] x
    RbAstExpr **dimensions;
    int component_count;
    RbAstComponent *components;
    // constrainedby
    bool constrained;
    RbAstName constraint;
    RbAstMod *constraint_mod;
    RbAstComment comment; // of import, extends (annotation) and constraint
};

typedef enum RbAstSectionKind {
    RB_AST_ELEMENTS, // the first ones
    RB_AST_PUBLIC,
    RB_AST_PROTECTED,
    RB_AST_EQUATIONS,
    RB_AST_INITIAL_EQUATIONS,
    RB_AST_ALGORITHM,
    RB_AST_INITIAL_ALGORITHM,
} RbAstSectionKind;

typedef struct RbAstSection {
    RbAstSectionKind kind;
    RbPos at;
    int first, count;     // elements: range in class->elements
    RbAstEquation **list; // equations and statements
} RbAstSection;

typedef enum RbAstSpecifier {
    RB_AST_LONG,         // model A ... end A
    RB_AST_LONG_EXTENDS, // model extends A(...) ... end A
    RB_AST_SHORT,        // type A = B[3](...)
    RB_AST_ENUMERATION,  // type A = enumeration(x, y) or (:)
    RB_AST_DERIVATIVE,   // function A = der(f, x)
} RbAstSpecifier;

typedef struct RbAstLiteral {
    RbPos at;
    RbName name;
    RbAstComment comment;
} RbAstLiteral;

typedef struct RbAstExternal {
    RbPos at;
    RbAstText language; // length 0: not given
    RbAstExpr *result;  // may be NULL
    RbName function;    // NULL: same name as the Modelica function
    int argument_count;
    RbAstExpr **arguments;
    RbAstMod *annotation;
} RbAstExternal;

struct RbAstClass {
    RbPos at;
    RbName name;
    RbAstSpecifier specifier;
    RbRestriction restriction;
    bool encapsulated, partial, pure, impure, final;
    RbAstStrings text;
    // long
    RbAstMod *extends_mod; // of "extends A(...)"
    int element_count;
    RbAstElement **elements; // in order; sections refer to them
    int section_count;
    RbAstSection *sections;
    RbAstExternal *external;
    RbAstMod *annotation;
    // short and derivative
    RbAstCausality causality;
    RbAstName type;
    int dimension_count;
    RbAstExpr **dimensions;
    RbAstMod *mod;
    int literal_count; // enumeration
    RbAstLiteral *literals;
    bool open;          // enumeration(:)
    int variable_count; // derivative: the variables
    RbName *variables;
    // Filled by the library.
    const char *folder;       // of a package that is stored as a folder; NULL otherwise
    struct RbAstIndex *index; // name of an element -> where it is declared
    bool is_checked;         // its contents (classes/legal.h)
    const struct RbConverted *converted; // from an older version of a library (classes/convert.c); NULL: as it was read
    bool conversion_done;     // of a class at top level: it was looked whether it is to be converted
};

typedef struct RbAstFile {
    const char *file;
    bool has_within;
    RbAstName within; // count 0: top level
    RbPos within_at;
    int class_count;
    RbAstClass **classes;
} RbAstFile;

// Print as Modelica text. What was parsed from the text prints the same again.
void rb_ast_print(const RbAstFile *file, RbText *out);
void rb_ast_print_class(const RbAstClass *class, int indent, RbText *out);
void rb_ast_print_expr(const RbAstExpr *expr, RbText *out);
void rb_ast_print_name(const RbAstName *name, RbText *out);

// A description without its quotes; "": there is none.
const char *rb_ast_strings(const RbAstStrings *strings, RbArena *arena);

// What an argument of a modification is about: the first part of its name, or the element that it
// redeclares; NULL for `break`.
static inline RbName rb_ast_argument_name(const RbAstArgument *a) {
    if (a->is_break) return NULL;
    if (!a->element) return a->name.count > 0 ? a->name.parts[0] : NULL;
    if (a->element->kind == RB_AST_CLASS) return a->element->class->name;
    return a->element->component_count > 0 ? a->element->components[0].name : NULL;
}

// Make by_name and next_same, if the list is long.
void rb_ast_index_arguments(RbArena *arena, RbAstMod *mod);

// "model", "record", ...
const char *rb_restriction_name(RbRestriction restriction);

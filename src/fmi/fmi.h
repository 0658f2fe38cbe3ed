// SPDX-License-Identifier: MIT
// fmi.h: an FMU of FMI 2.0 or 3.0 that others have made: what its modelDescription.xml says, and the files in its archive.
#pragma once

#include "base/array.h"
#include "io/unzip.h"
#include "io/xml.h"
#include "rattleback/component.h"

// ORDER types in variables.c, calls in binary2.c and binary3.c
typedef enum RbFmiType {
    RB_FMI_FLOAT64, // Real of FMI 2
    RB_FMI_FLOAT32,
    RB_FMI_INT8,
    RB_FMI_UINT8,
    RB_FMI_INT16,
    RB_FMI_UINT16,
    RB_FMI_INT32, // Integer of FMI 2
    RB_FMI_UINT32,
    RB_FMI_INT64,
    RB_FMI_UINT64,
    RB_FMI_BOOLEAN,
    RB_FMI_ENUMERATION, // Int32 in FMI 2, Int64 in FMI 3
    RB_FMI_NUMBERS,     // those above are seen; of these below only the names are
    RB_FMI_STRING = RB_FMI_NUMBERS,
    RB_FMI_BINARY,
    RB_FMI_CLOCK,
    RB_FMI_TYPES,
} RbFmiType;

typedef enum RbFmiCausality {
    RB_FMI_LOCAL,
    RB_FMI_PARAMETER,
    RB_FMI_CALCULATED,
    RB_FMI_STRUCTURAL,
    RB_FMI_INPUT,
    RB_FMI_OUTPUT,
    RB_FMI_TIME,
} RbFmiCausality; // ORDER causalities in variables.c

typedef enum RbFmiVariability {
    RB_FMI_CONSTANT,
    RB_FMI_FIXED,
    RB_FMI_TUNABLE,
    RB_FMI_DISCRETE,
    RB_FMI_CONTINUOUS,
} RbFmiVariability; // ORDER variabilities in variables.c

// A type that variables name: what it says holds for those that say nothing themselves.
typedef struct RbFmiEnumeration {
    const char *name, *modelica;
    int count;
    const char **items, **descriptions;
    double *values; // of the literals, in their order
} RbFmiEnumeration;

enum { RB_FMI_RANK = 2 }; // of arrays that are read

typedef struct RbFmiVariable {
    const char *name, *unit, *description; // never NULL
    RbFmiType type;
    RbFmiCausality causality;
    RbFmiVariability variability;
    bool exact; // its start value is where it starts, and can be set
    uint32_t reference;
    int rank, dims[RB_FMI_RANK], size; // scalar: 0, 1
    double *start;                     // size of them; NULL: none is given
    const char *text;                  // start value of a String; NULL: none is given
    double min, max;                   // NAN: not given
    int enumeration;                   // index; type RB_FMI_ENUMERATION
    int derivative_of;                 // index of a variable, or RB_NONE
    bool is_state;
    RbPos at;
    const char *modelica; // its name in Modelica: 'body.m'
} RbFmiVariable;

// A row of the model structure.
typedef struct RbFmiUnknown {
    int variable;
    bool all;       // it depends on everything, or says nothing
    int count, *on; // variables
} RbFmiUnknown;

typedef RB_ARRAY(RbFmiUnknown) RbFmiUnknowns;

// One of its two kinds, model exchange or co-simulation.
typedef struct RbFmiKind {
    const char *identifier;        // NULL: the FMU is not of this kind
    bool can_state, can_serialize; // get and set the state; bytes of it
    bool completed_step;           // wants to be told of steps
    bool event_mode;               // FMI 3, co-simulation
    bool directional;              // has derivatives in a direction
    bool any_step;                 // communication steps of any length
    bool once;                     // one instance in a process
} RbFmiKind;

typedef struct RbFmi {
    const char *path, *file; // as it was opened; without folders
    RbUnzip zip;
    uint64_t hash; // of the archive
    int version;   // 2 or 3
    const char *name, *description, *token, *tool, *author, *date;
    RbFmiKind exchange, cosimulation;
    double start_time, stop_time, tolerance, step; // NAN: not given
    RB_ARRAY(RbFmiEnumeration) enumerations;
    RB_ARRAY(RbFmiVariable) variables;
    RbFmiUnknowns outputs, derivatives;
    const char **log_categories; // of errors, up to a NULL
    int log_category_count;
    int indicator_count;      // FMI 2; FMI 3 says it when it runs
    struct RbFmiFiles *files; // unpacked; NULL: not yet
    int instances;            // that there are
    RbArena *arena;
    RbComponentType types[2]; // component.h
} RbFmi;

// Everything lives in the arena, which the files that are unpacked later go with.
RbStatus rb_fmi_open(const char *path, RbArena *arena, RbDiag *diag, RbFmi **out);
RbStatus rb_fmi_read(const char *path, RbBytes bytes, RbArena *arena, RbDiag *diag,
                     RbFmi **out); // which would stand in that file

// variables.c: of modelDescription.xml.
RbStatus rb_fmi_read_variables(RbFmi *fmi, RbXml *root, RbDiag *diag);
RbStatus rb_fmi_read_structure(RbFmi *fmi, RbXml *root, RbDiag *diag);

// A name in Modelica: as it is where that is an identifier, in quotes otherwise, with something behind it.
const char *rb_fmi_identifier(const char *name, const char *behind, RbArena *arena);

// An element of an array by its subscripts, behind the name.
const char *rb_fmi_element(const RbFmiVariable *variable, const char *name, int element,
                           RbArena *arena);

// What a variable is in a Modelica class.
bool rb_fmi_is_input(const RbFmiVariable *variable);
bool rb_fmi_is_output(const RbFmiVariable *variable);
bool rb_fmi_is_parameter(const RbFmiVariable *variable);
bool rb_fmi_is_text(const RbFmiVariable *variable); // a String parameter
bool rb_fmi_has_start_parameter(
    const RbFmiVariable
        *variable); // v_start: where a state starts, or what says so in co-simulation
static inline bool rb_fmi_is_real(const RbFmiVariable *v) {
    return v->type <= RB_FMI_FLOAT32;
}

// The number that Modelica has for a value: enumerations count from 1.
double rb_fmi_to_modelica(const RbFmi *fmi, const RbFmiVariable *variable, double value);
double rb_fmi_from_modelica(const RbFmi *fmi, const RbFmiVariable *variable, double value);

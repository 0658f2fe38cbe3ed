// SPDX-License-Identifier: MIT
// variables.h: the variables of a model as FMI describes them. Their numbers are the value
// references, which the card (archive.h) and modelDescription.xml (description.h) share.
#pragma once

#include "model/model.h"
#include "rattleback/run.h"
#include "translate/translate.h"

typedef enum RbFmuCausality {
    RB_FMU_LOCAL,
    RB_FMU_PARAMETER,
    RB_FMU_CALCULATED_PARAMETER,
    RB_FMU_INPUT,
    RB_FMU_OUTPUT,
    RB_FMU_INDEPENDENT, // time
} RbFmuCausality;       // ORDER causalities in description.c

typedef enum RbFmuVariability {
    RB_FMU_CONSTANT,
    RB_FMU_FIXED,
    RB_FMU_TUNABLE,
    RB_FMU_DISCRETE,
    RB_FMU_CONTINUOUS,
} RbFmuVariability; // ORDER variabilities in description.c

typedef struct RbFmuVariable {
    const char *name, *description, *unit, *display_unit, *quantity; // "": not given
    RbType type;
    int enumeration; // index into the model's; type RB_ENUM
    bool is_time;
    RbFmuCausality causality;
    RbFmuVariability variability;
    int count; // of elements from this one on that are one array of FMI 3; 0: it is inside of one
    const char *array; // its name; NULL: it is a scalar
    int rank, dims[RB_RANK_MAX];
    bool is_indicator, is_journal; // the latter: name of the file for the result of a run
    int derivative_of; // variable whose derivative it is, where a master integrates; -1: none
    bool is_state;     // likewise
    bool has_start;    // and it can be set before a run, unless it is a constant
    double start;
    const char *text;         // of a String
    double min, max, nominal; // NAN: not given
} RbFmuVariable;

typedef RB_ARRAY(RbFmuVariable) RbFmuVariables;

// What a master integrates: variables by state of the run.
typedef struct RbFmuStates {
    int count, indicator_count;
    int *state, *derivative;
    int first_indicator; // variables of FMI 3; -1: there are none
} RbFmuStates;

// Of a run that stands at its start; exchange: its caller integrates. indicators: they are variables.
typedef struct RbFmuWanted {
    bool exchange, indicators;
} RbFmuWanted;
RbStatus rb_fmu_variables(RbRun *run, const RbTranslation *translation, RbArena *arena,
                          RbArena scratch, RbFmuWanted wanted, RbDiag *diag, RbFmuVariables *out,
                          RbFmuStates *states);

// SPDX-License-Identifier: MIT
// translate.h: from Modelica text to a program: flatten, sort, solve, compile. The one place that
// knows both the language and what runs it.
#pragma once

#include "program/program.h"
#include "flatten/flatten.h"
#include "translate/components.h"
#include "translate/function_value.h"

// The largest models of the standard library need a tenth of it.
#define RB_TRANSLATE_BYTES   4e9
#define RB_TRANSLATE_SECONDS 600

typedef struct RbTranslateOptions {
    bool strict_units;     // a unit that does not fit is an error
    int residual_min;      // see RbDaeOptions
    bool no_row_solutions; // likewise
    RbProgramOptions code; // backend, and optimised code for long runs
    bool no_external;      // external functions in C may not be compiled or loaded
    bool
        multibody_engine; // Modelica.Mechanics.MultiBody is run by the engine where it knows all of it
    const RbRegistry *registry; // components in C that classes may name; NULL: none
    // What it may cost: memory and CPU time; 0: RB_TRANSLATE_BYTES and RB_TRANSLATE_SECONDS.
    double max_bytes, max_seconds;
    // Stop after a stage and print it to *dump: "ast", "inst", "flat", "sorted", "c". NULL: go all
    // the way.
    const char *stage;
    RbText *dump;
} RbTranslateOptions;

typedef struct RbTranslation {
    RbFlatModel *flat;
    RbSortedDae *dae;
    RbTranslatedComponents components; // in the order of their numbers in calls
    RbProgram *program;                // NULL if it ended at an earlier stage
    RbFunctionProgram *functions;      // per function that a component wants
} RbTranslation;

// Translate a class of the library. Everything lives in *keep, which is not library->keep's
// scratch.
RbStatus rb_translate(RbLibrary *library, const char *class_name, const RbTranslateOptions *options,
                      RbArena *keep, RbArena scratch, RbDiag *diag, RbTranslation *out);

// Is this the name of a stage?
bool rb_translate_has_stage(const char *stage);

// SPDX-License-Identifier: MIT
// modelica.h: models written in Modelica: where the text comes from, where its libraries are, how
// it is translated.
//
//     RbModelica source = rb_modelica_default();
//     source.text = "model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;";
//     rb_modelica_translate(context, &source, &model);
#pragma once

#include "rattleback/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

// Machine code for the equations. It is there at once, made in memory; the system's compiler makes
// faster code with the same bits, which is kept in the user's cache.
typedef enum RbOptimize {
    RB_OPTIMIZE_NEVER,
    RB_OPTIMIZE_AUTO,   // during a run that lasts longer than a second, by a process beside it
    RB_OPTIMIZE_ALWAYS, // before the run
} RbOptimize;

// Linear systems whose unknowns are derivatives of states can go to the solver ida as residuals
// instead of being solved at every evaluation.
typedef enum RbResidualSystems {
    RB_RESIDUAL_AUTO, // those of 50 unknowns or more
    RB_RESIDUAL_ALWAYS,
    RB_RESIDUAL_NEVER,
} RbResidualSystems;

typedef struct RbModelica {
    const char *file; // Modelica file or package folder; NULL: the class is in a library
    const char *text; // Modelica text instead of the contents of a file, which `file` only names
    const char *class_name;       // NULL: the last class of the file or text
    const char *const *libraries; // folders with packages, searched before MODELICAPATH, up to a
                                  // NULL; NULL: none
    const char *input_file; // signals for the inputs: .csv or .mat; NULL: inputs are set (sim.h)
    RbOptimize optimize;
    RbResidualSystems residual_systems;
    bool no_external;  // refuse external "C", which may do anything; for models of unknown origin
    bool strict_units; // a unit that does not fit is an error instead of a warning
    // What the translation may cost before it is given up: memory [GB] and CPU time [s]; 0: 4 GB,
    // 600 s.
    double translation_memory, translation_seconds;
} RbModelica;

// No file, no text, never optimised.
RB_API RbModelica rb_modelica_default(void);

RB_API RbStatus rb_modelica_translate(RbContext *context, const RbModelica *source,
                                      RbModel **model);

// Translate a class of a Modelica file (NULL: the last one in it). Without a file (NULL) it is a
// class of a library, with its full name.
RB_API RbStatus rb_modelica_open(RbContext *context, const char *file, const char *class_name,
                                 RbModel **model);

#ifdef __cplusplus
}
#endif

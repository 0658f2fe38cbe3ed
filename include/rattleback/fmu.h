// SPDX-License-Identifier: MIT
// fmu.h: a Modelica model as an FMU, which other tools run (docs/guide/exchange.md).
//
//     RbFmuOptions options = rb_fmu_options_default();
//     options.version = 3;
//     rb_fmu_export(context, &source, &options, "Ball.fmu");
#pragma once

#include "rattleback/modelica.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RbFmuType {
    RB_FMU_CO_SIMULATION,  // with a solver inside: any model
    RB_FMU_MODEL_EXCHANGE, // the master integrates: models whose states stay the same
    RB_FMU_BOTH,
} RbFmuType;

typedef struct RbFmuOptions {
    int version;                 // of FMI: 2 (default) or 3
    RbFmuType type;              // default: co-simulation
    const char *const *settings; // NAME=VALUE, as of rb_model_set_text, up to a NULL; NULL: none
    const char *solver;          // NULL: as the model says
    // Folder with the binary of all FMUs, rattleback-fmu.so, and what travels beside it; NULL: where
    // this library is built or installed.
    const char *binary_folder;
} RbFmuOptions;

RB_API RbFmuOptions rb_fmu_options_default(void);

// Write the model. One that a master cannot integrate is refused for model exchange, with the reason.
// External "C" functions are refused: an FMU is run by others.
RB_API RbStatus rb_fmu_export(RbContext *context, const RbModelica *source,
                              const RbFmuOptions *options, const char *file);

#ifdef __cplusplus
}
#endif

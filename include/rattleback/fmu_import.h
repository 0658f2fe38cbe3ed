// SPDX-License-Identifier: MIT
// fmu_import.h: FMUs of other tools (FMI 2.0 and 3.0, model exchange and co-simulation) as Modelica classes (docs/guide/exchange.md).
//
//     RbFmuImportOptions options = rb_fmu_import_options_default();
//     rb_fmu_import(context, "Motor.fmu", &options, "Motor.mo");
//
// A file that ends in .fmu also stands for its classes wherever a Modelica file is named (modelica.h). So does a system of FMUs in SSP,
// .ssd or .ssp.
#pragma once

#include "rattleback/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbFmuImportOptions {
    const char *class_name; // NULL: that of the FMU
    bool co_simulation;     // of an FMU of both kinds; default: model exchange
} RbFmuImportOptions;

RB_API RbFmuImportOptions rb_fmu_import_options_default(void);

// Write the class that the FMU is; the class names the FMU, which must stay where it is beside it. Of a SystemStructure.ssd (options do
// not matter) the model of the system, with a class for each of its FMUs.
RB_API RbStatus rb_fmu_import(RbContext *context, const char *fmu,
                              const RbFmuImportOptions *options, const char *file);

// What is in an FMU, for people: kinds, platforms, variables. Lives as long as the context.
RB_API RbStatus rb_fmu_describe_file(RbContext *context, const char *fmu, const char **text);

#ifdef __cplusplus
}
#endif

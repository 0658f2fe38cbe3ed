// SPDX-License-Identifier: MIT
// description.h: modelDescription.xml of FMI 2.0 and 3.0.
#pragma once

#include "fmu/dependencies.h"
#include "rattleback/fmu.h"

typedef struct RbFmuDescription {
    int version; // 2 or 3
    RbFmuType type;
    const char *name, *description, *token;
    const char *identifier; // a name of C: of the binary
    double start_time, stop_time, tolerance, interval;
    const RbFlatModel *flat; // its enumerations
    const RbFmuVariables *variables;
    const RbFmuStates *states;
    const RbFmuDependencies *dependencies;
} RbFmuDescription;

void rb_fmu_describe(const RbFmuDescription *description, RbArena scratch, RbText *out);

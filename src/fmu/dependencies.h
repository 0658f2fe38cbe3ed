// SPDX-License-Identifier: MIT
// dependencies.h: what derivatives and outputs depend on, for the model structure of an FMU: time, states and inputs that
// the equations name, directly or by other variables.
#pragma once

#include "fmu/variables.h"

typedef struct RbFmuDependencies {
    bool known;    // otherwise everything may depend on everything
    RbIndices *of; // by variable, of derivatives and continuous outputs: variables; data NULL: not known
} RbFmuDependencies;

RbFmuDependencies rb_fmu_dependencies(const RbTranslation *translation,
                                      const RbFmuVariables *variables, RbArena *arena,
                                      RbArena scratch);

// SPDX-License-Identifier: MIT
// modelica_class.h: the class in Modelica that an FMU is: inputs and outputs as connectors, parameters, start values of states as parameters.
#pragma once

#include "fmi/fmi.h"

typedef struct RbFmiClass {
    const char *name; // NULL: that of the model of the FMU
    const char *file; // of the FMU, as the class names it
    bool cosimulation;
} RbFmiClass;

void rb_fmi_write_class(const RbFmi *fmi, const RbFmiClass *class, RbText *out);

// One class for each kind of the FMU, as if it were a Modelica file: Ball, and Ball_cs for co-simulation if it has both.
const char *rb_fmi_source(const RbFmi *fmi, RbArena *arena);

// What there is in it, for people.
void rb_fmi_describe(const RbFmi *fmi, RbText *out);

// SPDX-License-Identifier: MIT
// component.h: an FMU as a component of a model. The class in Modelica has its inputs, outputs and parameters (modelica_class.h); what else the
// FMU has are results.
#pragma once

#include "fmi/fmi.h"

// Model exchange: its states are states of the model, its event indicators are located, and its time and step events are events.
// Co-simulation: it makes steps of a fixed length by itself; outputs are held between them.
// NULL and a message if the FMU is not of that kind. The data of the component is the FMU.
const RbComponentType *rb_fmi_component(RbFmi *fmi, bool exchange, RbPos at, RbDiag *diag);

extern const RbComponentType rb_fmi_exchange, rb_fmi_cosimulation;

// Names in annotation(__Rattleback(component = ..., file = "X.fmu")).
#define RB_FMI_EXCHANGE     "ModelExchange"
#define RB_FMI_COSIMULATION "CoSimulation"

// Parameter of a class for co-simulation: [s] length of a step.
#define RB_FMI_STEP "communicationStep"
double rb_fmi_step(const RbFmi *fmi); // what it is unless somebody says otherwise

// SPDX-License-Identifier: MIT
// parameter_set.h: values of parameters from a file: lines NAME=VALUE, or a parameter set of SSP (.ssv), the standard for what goes
// with FMUs.
#pragma once

#include "base/array.h"
#include "base/file.h"
#include "io/xml.h"
#include "rattleback/model.h"

typedef RB_ARRAY(RbParameterValue) RbParameterSet;

// Both live in *arena. Values of SSP must be in the unit of the model: other units, and values that are no parameters of a model
// (Binary), are refused by name.
RbStatus rb_parameter_set_parse(const char *file, RbBytes bytes, RbArena *arena, RbDiag *diag,
                           RbParameterSet *settings);

// The same from the element ParameterSet; added to those that are there.
RbStatus rb_parameter_set_take(RbXml *set, RbArena *arena, RbDiag *diag, RbParameterSet *settings);

// SPDX-License-Identifier: MIT
// overview.h: what a model consists of, before it runs: for those who ask what can be set, and for
// `rattleback info` and `rattleback dump`.
#pragma once

#include "model/model.h"
#include "translate/translate.h"

typedef RB_ARRAY(RbModelVariable) RbModelVariables;

RbModelInfo rb_model_overview(const RbModel *model);
RbModelInfo rb_translation_overview(const RbTranslation *translation); // that went all the way

// Parameters, inputs and states, in this order if they are of Modelica text, otherwise by component.
RbModelVariables rb_model_list_variables(const RbModel *model, RbArena *arena);

// The system of the first segment: states, indicators, pattern.
RbStatus rb_model_describe_system(RbModel *model, RbArena *arena, RbArena scratch, RbDiag *diag,
                                  RbText *out);

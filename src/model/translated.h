// SPDX-License-Identifier: MIT
// translated.h: a translated Modelica class as a model: the components in C that implement its
// classes, and the sorted equations as the driver that calls them (docs/decisions/two-halves.md).
#pragma once

#include "model/model.h"
#include "translate/translate.h"

// The translation must live as long as the model; several models may be made of it.
RbStatus rb_model_translated(const RbTranslation *translation, RbArena *arena, RbDiag *diag,
                             RbModel **out);

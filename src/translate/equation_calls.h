// SPDX-License-Identifier: MIT
// equation_calls.h: how the equations call functions of components (bodies, grains) and of others.
#pragma once

#include "translate/equation_half_data.h"

// The instance reaches them; memory for what they answered.
void rb_equations_bind_calls(RbEquationHalf *q);

// An evaluation begins: components are reached by `eval`, and nothing is known of them.
void rb_equations_open_calls(RbEquationHalf *q, const RbEval *eval);

bool rb_equations_have_components(const RbFlatModel *model);

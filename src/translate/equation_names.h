// SPDX-License-Identifier: MIT
// equation_names.h: under which names, units and nominal values the states and variables of the equations are
// known to a run.
#pragma once

#include "translate/equation_half_data.h"

void rb_equations_declare_states(const RbEquationHalf *q, RbSegment *g);
// What is recorded; notes the variables in q->outputs.
void rb_equations_declare_results(RbEquationHalf *q, RbSegment *g);

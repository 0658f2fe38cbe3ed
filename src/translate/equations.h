// SPDX-License-Identifier: MIT
// equations.h: sorted and solved equations as a component: the invariant half of a model. Its data (rb_build_data) is an RbProgram.
#pragma once

#include "code/program.h"
#include "rattleback/component.h"

extern const RbComponentType rb_equations;

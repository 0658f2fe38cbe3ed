// SPDX-License-Identifier: MIT
// builtin_types.h: the component types that are part of the library.
#pragma once

#include "rattleback/component.h"

extern const RbComponentType rb_bouncing_ball;
extern const RbComponentType rb_insulated_rod;
extern const RbComponentType rb_fixed_temperature; // equation half for one rod
extern const RbComponentType rb_capacitor;
extern const RbComponentType rb_switched_capacitor;
extern const RbComponentType rb_pendulum;

// Ends with NULL.
extern const RbComponentType *const rb_builtin_components[];

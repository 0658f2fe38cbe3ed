// SPDX-License-Identifier: MIT
#include "component/builtin/builtin_types.h"

const RbComponentType *const rb_builtin_components[] = {
    &rb_bouncing_ball,
    &rb_insulated_rod,
    &rb_fixed_temperature,
    &rb_capacitor,
    &rb_switched_capacitor,
    &rb_pendulum,
    NULL,
};

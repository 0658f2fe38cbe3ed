// SPDX-License-Identifier: MIT
#include <math.h>

#include "multibody/mechanism.h"

double rb_mechanism_inspect(const Mechanism *m, const RbStep *step, int *indicator, int *sign) {
    (void)m, (void)step, (void)indicator, (void)sign;
    return INFINITY;
}

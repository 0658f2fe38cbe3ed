// SPDX-License-Identifier: MIT
#include "dae/work.h"

RbStatus rb_algorithm(RbWork *w, const RbEquation *eq, RbEquations *out) {
    (void)out;
    return rb_fail(w->diag, RB_ERROR_MODEL, eq->at, "algorithm sections are not supported yet");
}

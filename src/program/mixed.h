// SPDX-License-Identifier: MIT
// mixed.h: systems of continuous and Boolean unknowns that plain iteration does not settle:
// friction that sticks or slides, where each relation depends on a torque that depends on the
// relation.
#pragma once

#include "program/program.h"

typedef enum RbSettled {
    RB_SETTLED_NOT,   // no combination is confirmed, or there are too many
    RB_SETTLED,       // evaluating the section leaves all discrete variables as they are
    RB_SETTLED_NEARLY // the same but for relations of numbers that are equal but for rounding
} RbSettled;

// The relations among the discrete variables that `toggled` marks (by slot) get all combinations of
// values, the nearest to their left limits first, and everything that follows from them, until one
// is confirmed. Without one the discrete variables are as before.
//
// Two numbers that are equal but for rounding may contradict every combination: the current of a
// diode that opens is -1e-14 A where it conducts, its voltage 0 V where it does not. Then the
// combination holds that contradicts itself least, the continuous variables belong to it, and the
// indicators of such relations are shifted by more than the contradiction
// (RbProgramInstance.slack).
RbSettled rb_settle_mixed(RbProgramInstance *in, RbSectionId section, const unsigned char *toggled);

// The usual shift for all relations.
void rb_reset_slack(RbProgramInstance *in);

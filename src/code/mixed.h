// SPDX-License-Identifier: MIT
// mixed.h: systems of continuous and Boolean unknowns that plain iteration does not settle:
// friction that sticks or slides, where each relation depends on a torque that depends on the
// relation.
#pragma once

#include "code/program.h"

// The relations among the discrete variables that `toggled` marks (by slot) get all combinations of
// values, the nearest to their left limits first, and everything that follows from them, until
// evaluating the section leaves all of them as they are. False: no combination does, or there are
// too many; the discrete variables are as before.
bool rb_settle_mixed(RbProgramInstance *in, RbSectionId section, const unsigned char *toggled);

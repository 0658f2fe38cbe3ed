// SPDX-License-Identifier: MIT
// options.h: the one place where the options of a run are checked, whoever gives them: the command, a
// program, a live page, the experiment annotation of a model.
#pragma once

#include "base/diag.h"
#include "rattleback/sim.h"

// Fills in what was left open. least_steps: of the model (model.h).
RbStatus rb_sim_options_check(RbSimOptions *options, int least_steps, RbDiag *diag);

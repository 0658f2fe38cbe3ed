// SPDX-License-Identifier: MIT
// simulate.h: options of a run, which several commands take.
#pragma once

#include "cli.h"

// From the options of the command; the interrupt flags are those of simulate.c.
RbStatus simulate_options_read(Cli *cli, const RbModel *model, RbSimOptions *options);

// SPDX-License-Identifier: MIT
// sensitivity.h: derivatives of all signals of a run by parameters and start values, from runs next to it
// (docs/decisions/sensitivities.md).
#pragma once

#include "cli.h"

// After a run: --sensitivity NAME,... and --sensitivity-file.
RbStatus sensitivity_run(Cli *cli, RbModel *model, const RbSimOptions *options);

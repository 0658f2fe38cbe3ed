// SPDX-License-Identifier: MIT
#include "cli.h"
RbStatus run_plot(Cli *cli) { (void)cli; return RB_OK; }

// SPDX-License-Identifier: MIT
#include "cli.h"
RbStatus run_compare(Cli *cli) { (void)cli; return RB_OK; }
RbStatus run_plot(Cli *cli) { (void)cli; return RB_OK; }

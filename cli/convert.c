// SPDX-License-Identifier: MIT
#include <math.h>

#include "cli.h"

RbStatus run_convert(Cli *cli) {
    const char *from = cli->arguments[0], *to = cli->arguments[1];
    double time = NAN;
    TRY(cli_number(cli, "time", &time));
    if (rb_can_export(to)) return rb_export(cli->context, from, to, time);
    return rb_convert_selected(cli->context, from, to, cli_option(cli, "variable-filter"));
}

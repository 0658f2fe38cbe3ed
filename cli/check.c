// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "open_model.h"

RbStatus run_check(Cli *cli) {
    RbTranslateOptions options = {.strict_units = cli_has(cli, "strict")};
    RbTranslation t;
    RB_TRY(translate_arguments(cli, &options, &t));
    const RbDaeStats *s = &t.dae->stats;
    printf("%s: %d equations and %d variables, %d after removing aliases; %d states, %d event "
           "indicators\n",
           t.flat->name, s->equations_in, s->unknowns_in, s->equations, t.program->state_count,
           t.program->indicator_count);
    return RB_OK;
}

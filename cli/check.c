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
    const RbResidualForm *form = &t.program->residual_form;
    if (form->count > 0)
        printf("%d linear system%s for %d derivatives (the largest: %d): ida takes %s in residual "
               "form\n",
               form->system_count, form->system_count == 1 ? "" : "s", form->count, form->largest,
               form->system_count == 1 ? "it" : "them");
    return RB_OK;
}

// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "open_model.h"

static const char *counted(Cli *cli, int n, const char *thing) {
    return rb_arena_printf(&cli->arena, "%d %s%s", n, thing, n == 1 ? "" : "s");
}

RbStatus run_check(Cli *cli) {
    RbTranslateOptions options = {.strict_units = cli_has(cli, "strict")};
    RbTranslation t;
    RB_TRY(translate_arguments(cli, &options, &t));
    const RbDaeStats *s = &t.dae->stats;
    printf("%s: %s and %s, %d after removing aliases; %s, %s\n", t.flat->name,
           counted(cli, s->equations_in, "equation"), counted(cli, s->unknowns_in, "variable"),
           s->equations, counted(cli, t.program->state_count, "state"),
           counted(cli, t.program->indicator_count, "event indicator"));
    const RbResidualForm *form = &t.program->residual_form;
    if (form->count > 0)
        printf("%d linear system%s for %d derivatives (the largest: %d): ida takes %s in residual "
               "form\n",
               form->system_count, form->system_count == 1 ? "" : "s", form->count, form->largest,
               form->system_count == 1 ? "it" : "them");
    return RB_OK;
}

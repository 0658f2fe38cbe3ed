// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "open_model.h"

static const char *counted(Cli *cli, int n, const char *thing) {
    return rb_arena_printf(&cli->arena, "%d %s%s", n, thing, n == 1 ? "" : "s");
}

RbStatus run_check(Cli *cli) {
    RbModelica source;
    RB_TRY(modelica_source(cli, &source));
    source.strict_units = cli_has(cli, "strict");
    RbModelicaOpener opener = modelica_opener(cli, &source);
    RB_TRY(rb_modelica_run_translation(&opener));
    RbTranslation t = opener.translation;
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

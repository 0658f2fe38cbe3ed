// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "open_model.h"

static const char *counted(Cli *cli, int n, const char *thing) {
    return cli_printf(cli, "%d %s%s", n, thing, n == 1 ? "" : "s");
}

static RbStatus check_soft_scene(Cli *cli) {
    RbModel *model;
    TRY(open_model(cli, &model));
    printf("%s: a scene of soft bodies that can be run; `rattleback info %s` says what it consists "
           "of\n",
           rb_model_info(model).name, cli->arguments[0]);
    return RB_OK;
}

RbStatus run_check(Cli *cli) {
    RbModelica source;
    RbModelInfo m;
    if (names_soft_scene(cli)) return check_soft_scene(cli);
    TRY(modelica_source(cli, &source));
    source.strict_units = cli_has(cli, "strict");
    TRY(rb_modelica_check(cli->context, &source, &m));
    printf("%s: %s and %s, %d after removing aliases; %s, %s\n", m.name,
           counted(cli, m.equations, "equation"), counted(cli, m.variables, "variable"),
           m.equations_left, counted(cli, m.states, "state"),
           counted(cli, m.indicators, "event indicator"));
    bool one = m.residual_systems == 1;
    if (m.residual_unknowns > 0)
        printf("%d linear system%s for %d derivatives (the largest: %d): ida takes %s in residual "
               "form\n",
               m.residual_systems, one ? "" : "s", m.residual_unknowns, m.residual_largest,
               one ? "it" : "them");
    return RB_OK;
}

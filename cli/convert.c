// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "cli.h"

static bool has_ending(const char *name, const char *ending) {
    size_t n = strlen(name), m = strlen(ending);
    return n > m && strcmp(name + n - m, ending) == 0;
}

// Scenes of soft bodies, from XML to Modelica and back.
static RbStatus soft_to_modelica(Cli *cli, const char *from, const char *to) {
    RbSoft *soft;
    TRY(rb_soft_read(cli->context, from, &soft));
    return rb_soft_write_modelica(soft, to);
}

static RbStatus modelica_to_soft(Cli *cli, const char *from, const char *to) {
    RbModel *model;
    RbRun *run;
    RbSoft *soft;
    TRY(rb_modelica_open(cli->context, from, NULL, &model));
    RbSimOptions options = rb_model_options(model);
    TRY(rb_run_open(cli->context, model, &options, &run));
    TRY(rb_soft_of_run(run, &soft));
    return rb_soft_write(soft, to);
}

// Options that the format has no use for would be left out in silence.
static RbStatus check_options(Cli *cli, bool scene, const char *to) {
    bool seen = !scene && rb_can_export(to), moving = has_ending(to, ".json");
    if (cli_option(cli, "time") && (!seen || moving))
        return cli_fail(cli, RB_ERROR_USAGE, to,
                        "'--time' is for .obj, .ply, .stl, .glb and .pvd; this file has all times");
    if (cli_option(cli, "variable-filter") && (seen || scene))
        return cli_fail(cli, RB_ERROR_USAGE, to,
                        "'--variable-filter' is for .rbj, .csv and .mat; this file has no variables");
    return RB_OK;
}

RbStatus run_convert(Cli *cli) {
    const char *from = cli->arguments[0], *to = cli->arguments[1];
    double time = NAN;
    bool to_text = has_ending(from, ".xml") && has_ending(to, ".mo"),
         to_xml = has_ending(from, ".mo") && has_ending(to, ".xml");
    TRY(check_options(cli, to_text || to_xml, to));
    if (to_text) return soft_to_modelica(cli, from, to);
    if (to_xml) return modelica_to_soft(cli, from, to);
    TRY(cli_number(cli, "time", &time));
    if (rb_can_export(to)) return rb_export(cli->context, from, to, time);
    return rb_convert_selected(cli->context, from, to, cli_option(cli, "variable-filter"));
}

// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "interrupt.h"
#include "open_model.h"

static RbStatus choose_output(Cli *cli, RbSimOptions *o) {
    o->journal_file = cli_option(cli, "output-file");
    if (!o->journal_file) return RB_OK;
    if (!ends_with(o->journal_file, ".rbj")) {
        return cli_fail(cli, RB_ERROR_USAGE, o->journal_file,
                        "a live run writes a journal: its name must end in .rbj (`rattleback "
                        "convert` makes other formats of it)");
    }
    return RB_OK;
}

static RbStatus read_options(Cli *cli, RbLiveOptions *o) {
    double port = 0;
    TRY(cli_number(cli, "stop-time", &o->sim.stop_time));
    TRY(cli_number(cli, "tolerance", &o->sim.tolerance));
    TRY(cli_number(cli, "output-interval", &o->sim.output_interval));
    TRY(cli_number(cli, "speed", &o->speed));
    TRY(cli_number(cli, "port", &port));
    if (!(port >= 0 && port <= 65535) || port != rint(port))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'--port' is a whole number from 0 to 65535, not '%s'",
                        cli_option(cli, "port"));
    if (!(o->speed >= 0 && o->speed <= 1e6))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'--speed' is a number from 0 (as fast as possible) to 1e6, not '%s'",
                        cli_option(cli, "speed"));
    o->port = (int)port;
    if (cli_has(cli, "solver")) o->sim.solver = cli_option(cli, "solver");
    o->sim.variable_filter = cli_option(cli, "variable-filter");
    o->sim.interrupt = &cli_interrupted;
    return choose_output(cli, &o->sim);
}

static void show_address(void *user, const char *address) {
    Cli *cli = user;
    fprintf(stderr, "%s\nCtrl-C ends the run\n", address);
    if (!cli_has(cli, "no-open")) cli_open(address);
}

RbStatus run_live(Cli *cli) {
    RbModel *model;
    TRY(open_model(cli, &model));
    RbLiveOptions options = rb_live_options_default(model);
    RbModelica source;
    if (names_soft_scene(cli)) {
        options.soft_file = cli->arguments[0];
    } else if (names_modelica(cli)) {
        TRY(modelica_source(cli, &source));
        options.source = &source;
    }
    TRY(read_options(cli, &options));
    options.ready = show_address;
    options.user = cli;
    cli_catch_interrupts();
    return rb_live(cli->context, model, &options, NULL);
}

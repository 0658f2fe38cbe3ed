// SPDX-License-Identifier: MIT
#include "live/live.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "api_context.h"
#include "base/file.h"
#include "open_model.h"

// What a signal handler may touch.
static volatile int interrupted;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

// A second Ctrl-C ends the program at once.
static void catch_signals(void) {
    struct sigaction once = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &once, NULL);
    sigaction(SIGTERM, &once, NULL);
}

static RbStatus choose_output(Cli *cli, RbSimOptions *o) {
    o->journal_file = cli_option(cli, "output-file");
    if (!o->journal_file) return RB_OK;
    if (!rb_text_ends_with(o->journal_file, ".rbj")) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, rb_in_file(o->journal_file),
                       "a live run writes a journal: its name must end in .rbj (`rattleback "
                       "convert` makes other formats of it)");
    }
    return RB_OK;
}

static RbStatus read_options(Cli *cli, RbLiveOptions *o) {
    double port = 0;
    RB_TRY(cli_number(cli, "stop-time", &o->sim.stop_time));
    RB_TRY(cli_positive(cli, "tolerance", &o->sim.tolerance));
    RB_TRY(cli_positive(cli, "output-interval", &o->sim.output_interval));
    RB_TRY(cli_number(cli, "speed", &o->speed));
    RB_TRY(cli_number(cli, "port", &port));
    if (!(port >= 0 && port <= 65535) || port != rint(port))
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'--port' is a whole number from 0 to 65535, not '%s'",
                       cli_option(cli, "port"));
    if (!(o->speed >= 0 && o->speed <= 1e6))
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'--speed' is a number from 0 (as fast as possible) to 1e6, not '%s'",
                       cli_option(cli, "speed"));
    o->port = (int)port;
    if (cli_has(cli, "solver")) o->sim.solver = cli_option(cli, "solver");
    o->sim.variable_filter = cli_option(cli, "variable-filter");
    o->sim.interrupt = &interrupted;
    return choose_output(cli, &o->sim);
}

static void show_address(void *user, const char *address) {
    Cli *cli = user;
    fprintf(stderr, "%s\nCtrl-C ends the run\n", address);
    if (!cli_has(cli, "no-open")) cli_open(address);
}

// What the run has said, as the other messages are written.
static void print_run_messages(Cli *cli, const RbContext *context) {
    RbText out = rb_text(&cli->arena);
    for (int i = 0; i < context->diag.messages.count; i++) {
        const RbMessage *m = &context->diag.messages.data[i];
        if (cli->json)
            rb_diag_print_json(m, &out);
        else
            rb_diag_print(&context->diag, m, &out);
    }
    if (out.count > 0) fputs(out.data, stderr);
}

static RbStatus run_in(Cli *cli, RbContext *context) {
    RbModel *model;
    RbSummary summary;
    RB_TRY(open_model(cli, &model));
    model->context = context;
    RbLiveOptions options = rb_live_options(model);
    RB_TRY(read_options(cli, &options));
    options.ready = show_address;
    options.user = cli;
    catch_signals();
    RbStatus status = rb_live(context, model, &options, &cli->arena, &cli->diag, &summary);
    print_run_messages(cli, context);
    return status;
}

RbStatus run_live(Cli *cli) {
    RbContext *context = rb_context_create(NULL);
    if (!context) return RB_ERROR_MEMORY;
    context->log = cli->log;
    RbStatus status = run_in(cli, context);
    rb_context_free(context);
    return status;
}

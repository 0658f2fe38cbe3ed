// SPDX-License-Identifier: MIT
// cli.h: the command `rattleback`: a table of commands with their options, and what they share.
//
// The table (commands.c) is the one home of names and help texts: --help, the man pages and the
// completion are printed from it.
#pragma once

#include "base/diag.h"
#include "base/log.h"
#include "component/registry.h"

typedef struct Option {
    const char *name;     // without the dashes
    const char *argument; // NULL: takes none
    const char *help;
} Option;

typedef struct Cli Cli;

typedef struct Command {
    const char *name;
    const char *arguments; // as in the usage line
    const char *summary;   // one line
    const char *text;      // paragraphs for --help and the man page
    const Option *options; // ends with an entry without a name
    int min_arguments, max_arguments;
    RbStatus (*run)(Cli *cli);
} Command;

extern const Command commands[]; // ends with an entry without a name

typedef struct Given {
    int option;
    const char *value;
} Given;

// One call of the program.
struct Cli {
    RbHeap heap;
    RbArena arena;
    RbArena scratch;
    RbDiag diag;
    RbRegistry registry;
    RbLog log;
    int argc;
    char **argv;
    const Command *command;
    RB_ARRAY(const char *) arguments;
    RB_ARRAY(Given) given;
    struct RbInputFile *inputs; // of --input-file, or NULL
    bool json;                  // messages as JSON
    int printed;                // messages already printed
};

// Value of an option (the last one given), or NULL.
const char *cli_option(const Cli *cli, const char *name);
bool cli_has(const Cli *cli, const char *name);

// A number; anything else is an error that names the option.
RbStatus cli_number(Cli *cli, const char *name, double *value);

// The same for what must be positive.
RbStatus cli_positive(Cli *cli, const char *name, double *value);

// The path with another ending (".svg") in place of its own, if it has one.
const char *cli_with_ending(Cli *cli, const char *path, const char *ending);

// Show a file or an address, if there is a display; nobody waits for it.
void cli_open(const char *path);

// Print messages that have come since the last call, to stderr.
void cli_print_messages(Cli *cli);

// commands.c and manual.c: help in three forms.
void cli_print_help(const Command *command, RbText *out); // NULL: of the program
void cli_print_man(const Command *command, RbText *out);
void cli_print_completion(RbText *out);

RbStatus run_simulate(Cli *cli);
RbStatus run_check(Cli *cli);
RbStatus run_compare(Cli *cli);
RbStatus run_convert(Cli *cli);
RbStatus run_plot(Cli *cli);
RbStatus run_view(Cli *cli);
RbStatus run_live(Cli *cli);
RbStatus run_render(Cli *cli);
RbStatus run_report(Cli *cli);
RbStatus run_info(Cli *cli);
RbStatus run_dump(Cli *cli);
RbStatus run_solid(Cli *cli);
RbStatus run_selftest(Cli *cli);

// SPDX-License-Identifier: MIT
// cli.h: the command `rattleback`: a table of commands with their options, and what they share.
//
// The table (commands.c) is the one home of names and help texts: --help, the man pages and the
// completion are printed from it.
#pragma once

#include "rattleback/rattleback.h"
#include "cli_text.h"

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

// One call of the program. The arrays have room for all words of the command line.
struct Cli {
    RbContext *context;
    Block *blocks; // memory until the end
    int argc;
    char **argv;
    const Command *command;
    const char **arguments;
    int argument_count;
    Given *given;
    int given_count;
    bool json;   // messages as JSON
    int printed; // messages already printed
};

// Leave the function if a call did not succeed; nothing else is hidden here.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        RbStatus try_status = (call);                                                              \
        if (try_status != RB_OK) return try_status;                                                \
    } while (0)

// Add an error, about a file or (NULL) none, to the messages and answer its status.
RbStatus cli_fail(Cli *cli, RbStatus status, const char *file, const char *format, ...)
    RB_PRINTF(4, 5);

// "; did you mean '<before>name'?" with the nearest of the names, or "" if none is near.
const char *cli_question(Cli *cli, const char *wanted, const char *before, const char *const *names,
                         int count);

// A whole command line, as if it was typed: its messages are printed at its end.
RbStatus cli_call(int argc, char **argv);

// Does the path mean the standard input or output ("-")?
bool cli_is_standard(const char *path);

// Value of an option (the last one given), or NULL.
const char *cli_option(const Cli *cli, const char *name);
const char *cli_given(const Cli *cli, int index,
                      const char *name); // NULL: option number i is another
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
void cli_print_help(const Command *command, Text *out); // NULL: of the program
void cli_print_man(const Command *command, Text *out);
void cli_print_completion(Text *out);

// Lines for a shell that show a command, and exit codes and variables of the environment, as JSON.
void cli_print_examples(const char *command, Text *out);
void cli_print_surroundings(Text *out);

// Commands with their options, and classes of the library that is built in, as JSON for the manual.
RbStatus cli_print_reference(Cli *cli, Text *out);

RbStatus run_simulate(Cli *cli);
RbStatus run_sweep(Cli *cli);
RbStatus run_linearize(Cli *cli);
RbStatus run_fit(Cli *cli);
RbStatus run_optimize(Cli *cli);
RbStatus run_check(Cli *cli);
RbStatus run_compare(Cli *cli);
RbStatus run_convert(Cli *cli);
RbStatus run_state(Cli *cli);
RbStatus run_export_fmu(Cli *cli);
RbStatus run_import(Cli *cli);
RbStatus run_plot(Cli *cli);
RbStatus run_view(Cli *cli);
RbStatus run_live(Cli *cli);
RbStatus run_render(Cli *cli);
RbStatus run_report(Cli *cli);
RbStatus run_info(Cli *cli);
RbStatus run_dump(Cli *cli);
RbStatus run_solid(Cli *cli);
RbStatus run_flexible(Cli *cli);
RbStatus run_format(Cli *cli);
RbStatus run_script(Cli *cli);
RbStatus run_lsp(Cli *cli);
RbStatus run_selftest(Cli *cli);

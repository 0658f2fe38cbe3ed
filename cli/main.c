// SPDX-License-Identifier: MIT
// The command line: find the command, read its options, run it, print what was said. stdout is for
// data, stderr for messages.
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { NONE = -1 };

// -------------------------------------------------------------------------------------------------
// what the commands share

RbStatus cli_fail(Cli *cli, RbStatus status, const char *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = cli_vprintf(cli, format, arguments);
    va_end(arguments);
    return rb_context_tell(cli->context, &(RbMessage){RB_ERROR, status, {.file = file}, text});
}

const char *cli_question(Cli *cli, const char *wanted, const char *before, const char *const *names,
                         int count) {
    const char *near = rb_nearest_name(wanted, names, count);
    return near ? cli_printf(cli, "; did you mean '%s%s'?", before, near) : "";
}

bool cli_is_standard(const char *path) {
    return strcmp(path, "-") == 0;
}

// ------------------------------------------------------------------------------------------------------
// options

static int find_option(const Command *command, const char *name, size_t length) {
    for (int i = 0; command->options[i].name; i++) {
        if (strlen(command->options[i].name) == length &&
            strncmp(command->options[i].name, name, length) == 0) {
            return i;
        }
    }
    return NONE;
}

// What other programs call an option of ours.
static const char *other_name(const Command *command, const char *wanted) {
    static const struct {
        const char *other, *ours;
    } names[] = {{"o", "output-file"},
                 {"result", "output-file"},
                 {"r", "output-file"},
                 {"s", "solver"},
                 {"method", "solver"},
                 {"t", "stop-time"},
                 {"p", "override"},
                 {"set", "override"},
                 {"j", "threads"},
                 {"jobs", "threads"},
                 {"n", "threads"},
                 {"I", "library"},
                 {"number-of-intervals", "output-interval"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(wanted, names[i].other) == 0 &&
            find_option(command, names[i].ours, strlen(names[i].ours)) != NONE)
            return names[i].ours;
    }
    return NULL;
}

// An option is called by a part of its name, by the name it has elsewhere, or misspelled.
static const char *option_question(Cli *cli, const char *wanted) {
    enum { MOST = 64 };
    const char *names[MOST], *like = "", *other = other_name(cli->command, wanted);
    int count = 0;
    if (other) return cli_printf(cli, "; did you mean '--%s'?", other);
    for (const Option *o = cli->command->options; o->name && count < MOST; o++) {
        bool begins = strlen(wanted) > 1 && strncmp(o->name, wanted, strlen(wanted)) == 0;
        if (begins || (strlen(wanted) > 3 && strstr(o->name, wanted)))
            like = cli_printf(cli, "%s%s'--%s'", like, *like ? " or " : "", o->name);
        names[count++] = o->name;
    }
    return *like ? cli_printf(cli, "; did you mean %s?", like)
                 : cli_question(cli, wanted, "--", names, count);
}

static RbStatus fail_unknown_option(Cli *cli, const char *name, size_t length) {
    const char *wanted = cli_copy(cli, name, length);
    return cli_fail(cli, RB_ERROR_USAGE, NULL,
                    "unknown option '--%s'; `rattleback %s --help` lists all%s", wanted,
                    cli->command->name, option_question(cli, wanted));
}

// An argument in brackets may be left out: [=HOW] is given as --name=value only, [A,B] also as a word that has a comma.
static bool takes_no_word(const Option *o, const char *next) {
    if (!o->argument || o->argument[0] != '[') return false;
    return o->argument[1] == '=' || !next || next[0] == '-' || !strchr(next, ',');
}

// --name, --name=value or --name value
static RbStatus read_option(Cli *cli, int *at) {
    const char *text = cli->argv[*at] + 2;
    size_t length = strcspn(text, "=");
    int option = find_option(cli->command, text, length);
    if (option == NONE) return fail_unknown_option(cli, text, length);
    const Option *o = &cli->command->options[option];
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    if (!o->argument && value) {
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "option '--%s' takes no value", o->name);
    }
    const char *next = *at + 1 < cli->argc ? cli->argv[*at + 1] : NULL;
    if (o->argument && !value && !takes_no_word(o, next)) {
        if (*at + 1 >= cli->argc) {
            return cli_fail(cli, RB_ERROR_USAGE, NULL, "option '--%s' needs a value: %s", o->name,
                            o->argument);
        }
        value = cli->argv[++*at];
    }
    cli->given[cli->given_count++] = (Given){option, value};
    return RB_OK;
}

static RbStatus read_arguments(Cli *cli) {
    bool only_arguments = false;
    for (int i = 2; i < cli->argc; i++) {
        const char *text = cli->argv[i];
        if (!only_arguments && strcmp(text, "--") == 0)
            only_arguments = true;
        else if (!only_arguments && strncmp(text, "--", 2) == 0)
            TRY(read_option(cli, &i));
        else if (!only_arguments && strcmp(text, "-h") == 0)
            cli->given[cli->given_count++] = (Given){find_option(cli->command, "help", 4), NULL};
        else if (!only_arguments && text[0] == '-' && text[1]) {
            return cli_fail(cli, RB_ERROR_USAGE, NULL,
                            "unknown option '%s'; options are written in full, with two dashes%s",
                            text, option_question(cli, text + 1));
        } else
            cli->arguments[cli->argument_count++] = text;
    }
    return RB_OK;
}

const char *cli_given(const Cli *cli, int index, const char *name) {
    const Given *g = &cli->given[index];
    if (strcmp(cli->command->options[g->option].name, name) != 0) return NULL;
    return g->value ? g->value : "";
}

const char *cli_option(const Cli *cli, const char *name) {
    const char *value = NULL;
    for (int i = cli->given_count - 1; i >= 0 && !value; i--) value = cli_given(cli, i, name);
    return value;
}

bool cli_has(const Cli *cli, const char *name) {
    return cli_option(cli, name) != NULL;
}

// All of it is a decimal number, or inf or nan; main has chosen the C locale.
static bool parse_number(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end > text && *end == 0 && !strpbrk(text, " \t\n\v\f\rxX(");
}

RbStatus cli_number(Cli *cli, const char *name, double *value) {
    const char *text = cli_option(cli, name);
    if (!text) return RB_OK;
    double number;
    if (!parse_number(text, &number)) {
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "option '--%s' needs a number, not '%s'", name,
                        text);
    }
    *value = number;
    return RB_OK;
}

RbStatus cli_positive(Cli *cli, const char *name, double *value) {
    TRY(cli_number(cli, name, value));
    if (!cli_option(cli, name) || (*value > 0 && *value <= 1e9)) return RB_OK;
    return cli_fail(cli, RB_ERROR_USAGE, NULL,
                    "option '--%s' needs a positive number up to 1e9, not '%s'", name,
                    cli_option(cli, name));
}

const char *cli_with_ending(Cli *cli, const char *path, const char *ending) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t length = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    return cli_printf(cli, "%.*s%s", (int)length, path, ending);
}

// -----------------------------------------------------------------------------------------------------
// messages

void cli_print_messages(Cli *cli) {
    for (; cli->printed < rb_context_message_count(cli->context); cli->printed++) {
        const char *text = cli->json ? rb_context_message_json(cli->context, cli->printed)
                                     : rb_context_message(cli->context, cli->printed);
        if (text) fputs(text, stderr);
    }
}

static void print_log_line(void *user, const char *topic, const char *line) {
    const Cli *cli = user;
    if (!cli->json) {
        fprintf(stderr, "[%s] %s\n", topic, line);
        return;
    }
    fprintf(stderr, "{\"log\":\"%s\",\"text\":\"", topic);
    for (const char *c = line; *c; c++) { // without memory: a step of the solver may be running
        if (*c == '"' || *c == '\\') fputc('\\', stderr);
        fputc((unsigned char)*c < ' ' ? ' ' : *c, stderr);
    }
    fputs("\"}\n", stderr);
}

static RbStatus set_up_log(Cli *cli) {
    const char *topics = cli_option(cli, "log");
    while (topics && *topics) {
        size_t length = strcspn(topics, ",");
        TRY(rb_context_log(cli->context, cli_copy(cli, topics, length), print_log_line, cli));
        topics += length + (topics[length] == ',');
    }
    return RB_OK;
}

static RbStatus set_up(Cli *cli) {
    const char *format = cli_option(cli, "message-format");
    cli->json = format && strcmp(format, "json") == 0;
    if (format && !cli->json && strcmp(format, "text") != 0) {
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "the message format is 'text' or 'json', not '%s'", format);
    }
    TRY(set_up_log(cli));
    for (int i = 0; i < cli->given_count; i++) {
        const char *plugin = cli_given(cli, i, "plugin");
        if (plugin) TRY(rb_context_load_plugin(cli->context, plugin));
    }
    return RB_OK;
}

// ----------------------------------------------------------------------------------------------------------
// main

static RbStatus print(const Text *text) {
    fputs(text->data, stdout);
    return RB_OK;
}

// What was printed must have arrived: a full disk behind `> file` is an error like any other.
static RbStatus finish_output(Cli *cli, RbStatus status) {
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed || status != RB_OK) return status;
    return cli_fail(cli, RB_ERROR_IO, NULL, "cannot write to the standard output: %s",
                    strerror(errno));
}

static RbStatus write_file(Cli *cli, const char *path, const Text *text) {
    FILE *file = fopen(path, "w");
    bool good = file && fwrite(text->data, 1, (size_t)text->count, file) == (size_t)text->count;
    if (file && fclose(file) != 0) good = false;
    if (good) return RB_OK;
    return cli_fail(cli, RB_ERROR_IO, path, "cannot write: %s", strerror(errno));
}

static RbStatus write_man_pages(Cli *cli, const char *folder) {
    for (int i = -1; i < 0 || commands[i].name; i++) {
        Text page = text_new(cli);
        const char *dash = i < 0 ? "" : "-", *name = i < 0 ? "" : commands[i].name;
        cli_print_man(i < 0 ? NULL : &commands[i], &page);
        const char *path = cli_printf(cli, "%s/rattleback%s%s.1", folder, dash, name);
        TRY(write_file(cli, path, &page));
    }
    return RB_OK;
}

static const Command *find_command(const char *name) {
    for (const Command *c = commands; c->name; c++) {
        if (strcmp(name, c->name) == 0) return c;
    }
    return NULL;
}

static RbStatus fail_unknown_command(Cli *cli, const char *word) {
    enum { MOST = 32 };
    const char *names[MOST], *meant = word; // the whole of a name that was begun
    int count = 0;
    for (const Command *c = commands; c->name && count < MOST; c++) {
        names[count++] = c->name;
        if (strlen(word) > 1 && strncmp(c->name, word, strlen(word)) == 0) meant = c->name;
    }
    return cli_fail(cli, RB_ERROR_USAGE, NULL,
                    "there is no command '%s'; try `rattleback --help`%s", word,
                    cli_question(cli, meant, "", names, count));
}

// Options that stand before any command.
static RbStatus run_without_command(Cli *cli) {
    const char *word = cli->argc > 1 ? cli->argv[1] : "";
    Text out = text_new(cli);
    bool help = strcmp(word, "help") == 0;
    if (help && cli->argc > 2) { // help COMMAND
        const Command *about = find_command(cli->argv[2]);
        if (!about) return fail_unknown_command(cli, cli->argv[2]);
        cli_print_help(about, &out);
        return print(&out);
    }
    if (help || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        cli_print_help(NULL, &out);
        return print(&out);
    }
    if (strcmp(word, "--version") == 0) {
        text_printf(&out, "rattleback %s (build %s)\n", RB_VERSION_STRING, rb_build_name());
        return print(&out);
    }
    if (strcmp(word, "--write-man-pages") == 0 && cli->argc > 2)
        return write_man_pages(cli, cli->argv[2]);
    if (strcmp(word, "--write-completion") == 0 && cli->argc > 2) {
        cli_print_completion(&out);
        return write_file(cli, cli->argv[2], &out);
    }
    if (strcmp(word, "--write-reference") == 0 && cli->argc > 2) {
        TRY(cli_print_reference(cli, &out));
        return cli_is_standard(cli->argv[2]) ? print(&out) : write_file(cli, cli->argv[2], &out);
    }
    if (!word[0])
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "no command given; try `rattleback --help`");
    return fail_unknown_command(cli, word);
}

static RbStatus run_command(Cli *cli) {
    TRY(read_arguments(cli));
    if (cli_has(cli, "help")) {
        Text out = text_new(cli);
        cli_print_help(cli->command, &out);
        return print(&out);
    }
    TRY(set_up(cli));
    int count = cli->argument_count;
    if (count < cli->command->min_arguments || count > cli->command->max_arguments) {
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "%s arguments; usage: rattleback %s %s",
                        count < cli->command->min_arguments ? "too few" : "too many",
                        cli->command->name, cli->command->arguments);
    }
    return cli->command->run(cli);
}

static RbStatus run(Cli *cli) {
    cli->arguments = cli_room(cli, (size_t)cli->argc * sizeof *cli->arguments);
    cli->given = cli_room(cli, (size_t)cli->argc * sizeof *cli->given);
    if (cli->argc > 1) cli->command = find_command(cli->argv[1]);
    RbStatus status = cli->command ? run_command(cli) : run_without_command(cli);
    status = finish_output(cli, status);
    cli_print_messages(cli);
    return status;
}

RbStatus cli_call(int argc, char **argv) {
    Cli cli = {.argc = argc, .argv = argv, .context = rb_context_create(NULL)};
    if (!cli.context) cli_out_of_memory(&cli);
    RbStatus status = run(&cli);
    if (status == RB_ERROR_MEMORY) cli_out_of_memory(&cli);
    rb_context_free(cli.context);
    cli_free(&cli);
    return status;
}

int main(int argc, char **argv) {
    setlocale(LC_ALL, "C");
    signal(SIGXFSZ, SIG_IGN); // a file beyond the limit is a failed write with a message
    return (int)cli_call(argc, argv);
}

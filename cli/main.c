// SPDX-License-Identifier: MIT
// The command line: find the command, read its options, run it, print what was said. stdout is for
// data, stderr for messages.
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/build_id.h"
#include "base/file.h"
#include "base/number.h"
#include "cli.h"

// ------------------------------------------------------------------------------------------------------
// options

static int find_option(const Command *command, const char *name, size_t length) {
    for (int i = 0; command->options[i].name; i++) {
        if (strlen(command->options[i].name) == length &&
            strncmp(command->options[i].name, name, length) == 0) {
            return i;
        }
    }
    return RB_NONE;
}

static RbStatus fail_unknown_option(Cli *cli, const char *name, size_t length) {
    const char *wanted = rb_arena_bytes(&cli->arena, name, length);
    RbNear near = {.wanted = wanted};
    for (const Option *o = cli->command->options; o->name; o++) rb_text_try_near(&near, o->name);
    return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "unknown option '--%s'; `rattleback %s --help` lists all%s", wanted,
                   cli->command->name, rb_text_near_question(&near, "--", &cli->arena));
}

// An argument in brackets may be left out; it is given as --name=value only.
static bool takes_no_word(const Option *o) {
    return o->argument && o->argument[0] == '[';
}

// --name, --name=value or --name value
static RbStatus read_option(Cli *cli, int *at) {
    const char *text = cli->argv[*at] + 2;
    size_t length = strcspn(text, "=");
    int option = find_option(cli->command, text, length);
    if (option == RB_NONE) return fail_unknown_option(cli, text, length);
    const Option *o = &cli->command->options[option];
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    if (!o->argument && value) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE, "option '--%s' takes no value",
                       o->name);
    }
    if (o->argument && !value && !takes_no_word(o)) {
        if (*at + 1 >= cli->argc) {
            return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "option '--%s' needs a value: %s", o->name, o->argument);
        }
        value = cli->argv[++*at];
    }
    rb_array_push(&cli->given, &cli->arena, (Given){option, value});
    return RB_OK;
}

static RbStatus read_arguments(Cli *cli) {
    bool only_arguments = false;
    for (int i = 2; i < cli->argc; i++) {
        const char *text = cli->argv[i];
        if (!only_arguments && strcmp(text, "--") == 0)
            only_arguments = true;
        else if (!only_arguments && strncmp(text, "--", 2) == 0)
            RB_TRY(read_option(cli, &i));
        else if (!only_arguments && strcmp(text, "-h") == 0)
            rb_array_push(&cli->given, &cli->arena,
                          (Given){find_option(cli->command, "help", 4), NULL});
        else if (!only_arguments && text[0] == '-' && text[1]) {
            return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "unknown option '%s'; options are written in full, with two dashes",
                           text);
        } else
            rb_array_push(&cli->arguments, &cli->arena, text);
    }
    return RB_OK;
}

const char *cli_option(const Cli *cli, const char *name) {
    for (int i = cli->given.count - 1; i >= 0; i--) {
        if (strcmp(cli->command->options[cli->given.data[i].option].name, name) == 0) {
            return cli->given.data[i].value ? cli->given.data[i].value : "";
        }
    }
    return NULL;
}

bool cli_has(const Cli *cli, const char *name) {
    return cli_option(cli, name) != NULL;
}

RbStatus cli_number(Cli *cli, const char *name, double *value) {
    const char *text = cli_option(cli, name);
    if (!text) return RB_OK;
    double number;
    if (!rb_number_parse(text, text + strlen(text), &number)) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "option '--%s' needs a number, not '%s'", name, text);
    }
    *value = number;
    return RB_OK;
}

RbStatus cli_positive(Cli *cli, const char *name, double *value) {
    RB_TRY(cli_number(cli, name, value));
    if (!cli_option(cli, name) || (*value > 0 && *value <= 1e9)) return RB_OK;
    return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "option '--%s' needs a positive number up to 1e9, not '%s'", name,
                   cli_option(cli, name));
}

const char *cli_with_ending(Cli *cli, const char *path, const char *ending) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t length = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    return rb_arena_printf(&cli->arena, "%.*s%s", (int)length, path, ending);
}

// -----------------------------------------------------------------------------------------------------
// messages

void cli_print_messages(Cli *cli) {
    for (; cli->printed < cli->diag.messages.count; cli->printed++) {
        RbArena scratch = cli->scratch;
        RbText out = rb_text(&scratch);
        const RbMessage *m = &cli->diag.messages.data[cli->printed];
        if (cli->json)
            rb_diag_print_json(m, &out);
        else
            rb_diag_print(&cli->diag, m, &out);
        fputs(out.data, stderr);
    }
}

static void print_log_line(void *user, RbTopic topic, const char *line) {
    const Cli *cli = user;
    if (!cli->json) {
        fprintf(stderr, "[%s] %s\n", rb_log_topic_name(topic), line);
        return;
    }
    fprintf(stderr, "{\"log\":\"%s\",\"text\":\"", rb_log_topic_name(topic));
    for (const char *c = line; *c; c++) { // without memory: a step of the solver may be running
        if (*c == '"' || *c == '\\') fputc('\\', stderr);
        fputc((unsigned char)*c < ' ' ? ' ' : *c, stderr);
    }
    fputs("\"}\n", stderr);
}

static RbStatus set_up_log(Cli *cli) {
    const char *topics = cli_option(cli, "log");
    cli->log.sink = print_log_line;
    cli->log.user = cli;
    while (topics && *topics) {
        size_t length = strcspn(topics, ",");
        const char *name = rb_arena_bytes(&cli->arena, topics, length);
        int topic = rb_log_find_topic(name);
        if (topic < 0) {
            RbNear near = {.wanted = name};
            for (int i = 0; i < RB_LOG_TOPIC_COUNT; i++)
                rb_text_try_near(&near, rb_log_topic_name((RbTopic)i));
            return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "there is no log topic '%s'; `rattleback %s --help` lists them%s", name,
                           cli->command->name, rb_text_near_question(&near, "", &cli->arena));
        }
        cli->log.topics |= 1u << topic;
        topics += length + (topics[length] == ',');
    }
    return RB_OK;
}

static RbStatus set_up(Cli *cli) {
    const char *format = cli_option(cli, "message-format");
    cli->json = format && strcmp(format, "json") == 0;
    if (format && !cli->json && strcmp(format, "text") != 0) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the message format is 'text' or 'json', not '%s'", format);
    }
    RB_TRY(set_up_log(cli));
    for (int i = 0; i < cli->given.count; i++) {
        const Given *g = &cli->given.data[i];
        if (strcmp(cli->command->options[g->option].name, "plugin") != 0) continue;
        RB_TRY(rb_registry_load_plugin(&cli->registry, g->value, &cli->diag));
    }
    return RB_OK;
}

// ----------------------------------------------------------------------------------------------------------
// main

static RbStatus print(const RbText *text) {
    fputs(text->data, stdout);
    return RB_OK;
}

// What was printed must have arrived: a full disk behind `> file` is an error like any other.
static RbStatus finish_output(Cli *cli, RbStatus status) {
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed || status != RB_OK) return status;
    return rb_fail(&cli->diag, RB_ERROR_IO, RB_NOWHERE, "cannot write to the standard output: %s",
                   strerror(errno));
}

static RbStatus write_man_pages(Cli *cli, const char *folder) {
    for (int i = -1; i < 0 || commands[i].name; i++) {
        RbText page = rb_text(&cli->arena);
        const char *dash = i < 0 ? "" : "-", *name = i < 0 ? "" : commands[i].name;
        cli_print_man(i < 0 ? NULL : &commands[i], &page);
        const char *path = rb_arena_printf(&cli->arena, "%s/rattleback%s%s.1", folder, dash, name);
        RB_TRY(rb_file_write(path, page.data, (size_t)page.count, &cli->diag));
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
    RbNear near = {.wanted = word};
    for (const Command *c = commands; c->name; c++) rb_text_try_near(&near, c->name);
    return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "there is no command '%s'; try `rattleback --help`%s", word,
                   rb_text_near_question(&near, "", &cli->arena));
}

// Options that stand before any command.
static RbStatus run_without_command(Cli *cli) {
    const char *word = cli->argc > 1 ? cli->argv[1] : "";
    RbText out = rb_text(&cli->arena);
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
        rb_text_printf(&out, "rattleback %s (build %s)\n", RB_VERSION_STRING, rb_build_id);
        return print(&out);
    }
    if (strcmp(word, "--write-man-pages") == 0 && cli->argc > 2)
        return write_man_pages(cli, cli->argv[2]);
    if (strcmp(word, "--write-completion") == 0 && cli->argc > 2) {
        cli_print_completion(&out);
        return rb_file_write(cli->argv[2], out.data, (size_t)out.count, &cli->diag);
    }
    if (!word[0])
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "no command given; try `rattleback --help`");
    return fail_unknown_command(cli, word);
}

static RbStatus run_command(Cli *cli) {
    RB_TRY(read_arguments(cli));
    if (cli_has(cli, "help")) {
        RbText out = rb_text(&cli->arena);
        cli_print_help(cli->command, &out);
        return print(&out);
    }
    RB_TRY(set_up(cli));
    int count = cli->arguments.count;
    if (count < cli->command->min_arguments || count > cli->command->max_arguments) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "%s arguments; usage: rattleback %s %s",
                       count < cli->command->min_arguments ? "too few" : "too many",
                       cli->command->name, cli->command->arguments);
    }
    return cli->command->run(cli);
}

static RbStatus run(void *argument) {
    Cli *cli = argument;
    cli->arena = rb_arena(&cli->heap);
    cli->scratch = rb_arena(&cli->heap);
    cli->diag = rb_diag(&cli->arena);
    cli->registry = rb_registry(&cli->arena);
    if (cli->argc > 1) cli->command = find_command(cli->argv[1]);
    RbStatus status = cli->command ? run_command(cli) : run_without_command(cli);
    status = finish_output(cli, status);
    cli_print_messages(cli);
    return status;
}

static const char *memory_message(const Cli *cli) {
    return cli->json ? "{\"severity\":\"error\",\"code\":\"memory\",\"text\":\"there is not "
                       "enough memory\"}\n"
                     : "rattleback: error: there is not enough memory [memory]\n";
}

int main(int argc, char **argv) {
    setlocale(LC_ALL, "C");
    Cli cli = {.heap = rb_heap(NULL), .argc = argc, .argv = argv};
    RbStatus status = rb_protect(&cli.heap, run, &cli);
    if (status == RB_ERROR_MEMORY) fputs(memory_message(&cli), stderr);
    rb_arena_free(&cli.scratch);
    rb_arena_free(&cli.arena);
    return (int)status;
}

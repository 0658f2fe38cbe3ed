// SPDX-License-Identifier: MIT
#include "job.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

const char *job_program(Cli *cli, const char *beside) {
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    char *slash = strrchr(program, '/');
    if (beside && slash) *slash = 0;
    return beside ? cli_printf(cli, "%s/%s", program, beside) : cli_printf(cli, "%s", program);
}

// In single quotes, as a shell reads it.
void job_add_quoted(Text *t, const char *word) {
    text_add(t, " '");
    for (; *word; word++)
        if (*word == '\'')
            text_add(t, "'\\''");
        else
            text_add_bytes(t, word, 1);
    text_add(t, "'");
}

void job_add_given(Cli *cli, Text *t, const char *const *left_out, int count) {
    for (int i = 0; i < cli->argument_count; i++) job_add_quoted(t, cli->arguments[i]);
    for (int i = 0; i < cli->given_count; i++) {
        const Option *o = &cli->command->options[cli->given[i].option];
        const char *value = cli->given[i].value;
        bool skip = false;
        for (int k = 0; k < count; k++) skip |= strcmp(o->name, left_out[k]) == 0;
        if (skip) continue;
        // A value behind '=' is taken as it stands, whatever it begins with.
        job_add_quoted(t, value ? cli_printf(cli, "--%s=%s", o->name, value)
                                : cli_printf(cli, "--%s", o->name));
    }
}

RbStatus job_write(Cli *cli, const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    bool good = file && fputs(text, file) >= 0;
    if (file && fclose(file) != 0) good = false;
    if (!good) return cli_fail(cli, RB_ERROR_IO, path, "cannot write: %s", strerror(errno));
    chmod(path, 0755);
    return RB_OK;
}

RbStatus job_run(Cli *cli, const char *const *words, const char *missing, int *code) {
    pid_t process;
    int how = 0;
    int failure =
        posix_spawnp(&process, words[0], NULL, NULL, (char *const *)(size_t)words, environ);
    if (failure != 0)
        return cli_fail(cli, RB_ERROR_IO, NULL, "cannot start %s: %s; on Debian it comes with %s",
                        words[0], strerror(failure), missing);
    while (waitpid(process, &how, 0) < 0 && errno == EINTR) continue;
    *code = WIFEXITED(how) ? WEXITSTATUS(how) : -WTERMSIG(how);
    return RB_OK;
}

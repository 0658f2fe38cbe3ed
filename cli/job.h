// SPDX-License-Identifier: MIT
// job.h: jobs for engines that exist: a script that holds the command as it was typed, and the program that runs it.
#pragma once

#include "cli.h"
#include "cli_text.h"

// The path of this program, or of another one beside it.
const char *job_program(Cli *cli, const char *beside);

// The arguments and options that were given, but those left out, quoted as a shell reads them.
void job_add_quoted(Text *text, const char *word);
void job_add_given(Cli *cli, Text *text, const char *const *left_out, int count);

// A file that may be run.
RbStatus job_write(Cli *cli, const char *path, const char *text);

// Run a program until its end. *code: exit code, or a signal below zero. missing: which package has it, and what else helps.
RbStatus job_run(Cli *cli, const char *const *words, const char *missing, int *code);

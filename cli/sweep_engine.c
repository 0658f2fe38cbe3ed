// SPDX-License-Identifier: MIT
#include "sweep_engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "job.h"

enum { MOST_TASKS = 10000, DEFAULT_TASKS = 100 };

// ------------------------------------------------------------------------------------------------------
// options

static RbStatus read_part(Cli *cli, int *part, int *parts) {
    const char *text = cli_option(cli, "part");
    int used = 0;
    *part = -1, *parts = 1;
    if (!text) return RB_OK;
    if (sscanf(text, "%d/%d%n", part, parts, &used) == 2 && !text[used] && *part >= 0 &&
        *part < *parts && *parts <= MOST_TASKS)
        return RB_OK;
    return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--part' is K/N with K from 0 to N - 1, not '%s'",
                    text);
}

RbStatus sweep_engine_read(Cli *cli, int runs, SweepEngine *e, int *part, int *parts) {
    double tasks = runs < DEFAULT_TASKS ? runs : DEFAULT_TASKS;
    *e = (SweepEngine){.name = cli_option(cli, "engine")};
    TRY(read_part(cli, part, parts));
    if (e->name && strcmp(e->name, "own") == 0) e->name = NULL;
    if (e->name && strcmp(e->name, "slurm") != 0 && strcmp(e->name, "mpi") != 0)
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--engine' is own, slurm or mpi, not '%s'",
                        e->name);
    TRY(cli_number(cli, "tasks", &tasks));
    if (!(tasks >= 1 && tasks <= MOST_TASKS) || tasks != rint(tasks))
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--tasks' is a whole number from 1 to %d, not '%s'",
                        MOST_TASKS, cli_option(cli, "tasks"));
    e->tasks = (int)tasks;
    e->script_only = cli_has(cli, "engine-input");
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// the job

// The command as it was typed, without what concerns the machine it was typed on.
static void add_command(Cli *cli, Text *t) {
    static const char *const left_out[] = {"engine", "engine-input", "tasks", "jobs", "resume", "report"};
    text_add(t, "exec");
    job_add_quoted(t, job_program(cli, NULL));
    text_add(t, " sweep");
    job_add_given(cli, t, left_out, sizeof left_out / sizeof *left_out);
}

static RbStatus write_script(Cli *cli, const SweepEngine *e, const char *table, const char *path) {
    Text t = text_new(cli);
    text_printf(&t,
                "#!/bin/sh\n#SBATCH --job-name=rattleback\n#SBATCH --array=0-%d\n"
                "#SBATCH --output=%s.task-%%a.txt\n"
                "# A task of Slurm or a process of MPI; add what your cluster wants (time, memory, partition).\n"
                "task=${SLURM_ARRAY_TASK_ID:-${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$SLURM_PROCID}}}\n",
                e->tasks - 1, table);
    add_command(cli, &t);
    text_printf(&t, " --jobs=\"${SLURM_CPUS_PER_TASK:-1}\" --part=\"$task/%d\" --resume --quiet\n", e->tasks);
    return job_write(cli, path, t.data);
}

static RbStatus run_program(Cli *cli, const char *const *words, const char *package) {
    int code;
    TRY(job_run(cli, words, cli_printf(cli, "%s. `--engine-input` writes the job alone", package), &code));
    if (code == 0) return RB_OK;
    return cli_fail(cli, RB_ERROR_IO, NULL,
                    "%s ended with %s %d; '--resume' collects what is there and goes on", words[0],
                    code < 0 ? "signal" : "exit code", code < 0 ? -code : code);
}

RbStatus sweep_engine_run(Cli *cli, const SweepEngine *e, const char *table) {
    const char *path = cli_printf(cli, "%s.job.sh", table), *count = cli_printf(cli, "%d", e->tasks);
    TRY(write_script(cli, e, table, path));
    const char *const slurm[] = {"sbatch", "--wait", path, NULL};
    const char *const mpi[] = {"mpirun", "--oversubscribe", "-n", count, "sh", path, NULL};
    bool is_slurm = strcmp(e->name, "slurm") == 0;
    if (!e->script_only)
        return run_program(cli, is_slurm ? slurm : mpi, is_slurm ? "slurm-client" : "openmpi-bin");
    fprintf(stderr, "job: %s (submit it with `%s %s`; then the same command with --resume and without "
                    "--engine makes the table)\n",
            path, is_slurm ? "sbatch" : cli_printf(cli, "mpirun -n %d sh", e->tasks), path);
    return RB_OK;
}

const char *sweep_part_path(Cli *cli, const char *table, int part) {
    return cli_printf(cli, "%s.part-%d.runs", table, part);
}

// SPDX-License-Identifier: MIT
#include "engine_job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "job.h"

static RbStatus write_script(Cli *cli, const char *folder, const char *path) {
    // The program that the job starts chooses the engine; where messages go, and how many processes, is said to Slurm.
    static const char *const left_out[] = {"engine",        "engine-folder", "engine-input",
                                           "engine-submit", "ranks",         "progress"};
    const char *ranks = cli_option(cli, "ranks");
    Text t = text_new(cli);
    text_printf(&t,
                "#!/bin/sh\n#SBATCH --job-name=rattleback\n#SBATCH --ntasks=%s\n"
                "#SBATCH --output=%s/job.txt\n"
                "# Add what your cluster wants: modules, time, memory, partition, nodes.\n"
                "exec mpirun --mca mpi_yield_when_idle 1 -np \"${SLURM_NTASKS:-%s}\"",
                ranks ? ranks : "1", folder, ranks ? ranks : "1");
    job_add_quoted(&t, job_program(cli, "rattleback-mpi"));
    text_add(&t, " simulate");
    job_add_given(cli, &t, left_out, sizeof left_out / sizeof *left_out);
    text_add(&t, "\n");
    return job_write(cli, path, t.data);
}

// The last line of a file that says something, for messages.
static const char *last_line(Cli *cli, const char *path) {
    char line[400];
    const char *last = "";
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (strstr(line, "error") || !strstr(last, "error"))
            last = line[0] ? cli_printf(cli, "%s", line) : last;
    }
    if (file) fclose(file);
    return last;
}

bool engine_job_wanted(const Cli *cli) {
    return cli_has(cli, "engine-submit") || cli_has(cli, "engine-input");
}

RbStatus engine_job(Cli *cli) {
    const char *folder = cli_option(cli, "engine-folder"), *engine = cli_option(cli, "engine");
    if (!engine || strcmp(engine, "liggghts") != 0)
        return cli_fail(
            cli, RB_ERROR_USAGE, NULL,
            "'--engine-submit' and '--engine-input' are about an engine: add --engine liggghts");
    if (!folder) folder = "liggghts";
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cli_fail(cli, RB_ERROR_IO, folder, "cannot make the folder: %s", strerror(errno));
    const char *path = cli_printf(cli, "%s/job.sh", folder),
               *log = cli_printf(cli, "%s/job.txt", folder);
    TRY(write_script(cli, folder, path));
    if (!cli_has(cli, "engine-submit")) {
        fprintf(stderr, "job: %s (submit it with `sbatch %s`)\n", path, path);
        return RB_OK;
    }
    int code = 0;
    const char *const words[] = {"sbatch", "--wait", path, NULL};
    TRY(job_run(cli, words, "slurm-client; `--engine-input` writes the job alone", &code));
    if (code == 0) return RB_OK;
    return cli_fail(cli, RB_ERROR_IO, log,
                    "the job ended with %s %d: %s; with --checkpoint-interval, --resume goes on",
                    code < 0 ? "signal" : "exit code", code < 0 ? -code : code,
                    last_line(cli, log));
}

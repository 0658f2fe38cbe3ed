// SPDX-License-Identifier: MIT
// engine_job.h: a simulation whose particles are computed by rattleback-mpi, as a job of Slurm.
#pragma once

#include "cli.h"
#include "cli_text.h"

bool engine_job_wanted(const Cli *cli);

// Write FOLDER/job.sh; with --engine-submit, submit it and wait for its end.
RbStatus engine_job(Cli *cli);

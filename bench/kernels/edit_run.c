// SPDX-License-Identifier: MIT
// edit_run.c: the loop of an engineer: change a parameter of the electrical filter, run the command
// anew, see the result. All is done each time: start of the program, reading of the library,
// translation, compilation, simulation, result file.
//
//     bench_edit_run [command [repetitions]]          from the top folder of the sources
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double wall(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// CPU time of all children that have ended [s].
static double cpu(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static int run(const char *command, int k) {
    char value[32];
    snprintf(value, sizeof value, "R.R=%d", 10 + k);
    char *arguments[] = {(char *)command,
                         (char *)"simulate",
                         (char *)"tests/models/Thesis.mo",
                         (char *)"Thesis.Filter",
                         (char *)"--library",
                         (char *)"library",
                         (char *)"--quiet",
                         (char *)"--output-file",
                         (char *)"/tmp/rattleback_edit_run.csv",
                         (char *)"--override",
                         value,
                         NULL};
    pid_t child;
    int status = 1;
    if (posix_spawnp(&child, command, NULL, NULL, arguments, environ) != 0) return 1;
    if (waitpid(child, &status, 0) < 0) return 1;
    return status;
}

int main(int argc, char **argv) {
    const char *command = argc > 1 ? argv[1] : "build/release/rattleback";
    int count = argc > 2 ? atoi(argv[2]) : 30;
    double best = 1e9, used = cpu();
    for (int k = 0; k < count; k++) {
        double start = wall();
        if (run(command, k) != 0) {
            fprintf(stderr, "%s did not succeed\n", command);
            return 1;
        }
        double time = wall() - start;
        if (time < best) best = time;
    }
    printf("filter, parameter changed and run again: best %.1f ms, CPU time %.1f ms in the mean of "
           "%d\n",
           1e3 * best, 1e3 * (cpu() - used) / count, count);
    return 0;
}

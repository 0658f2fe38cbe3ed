// SPDX-License-Identifier: MIT
#include "sweep_pool.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REASON = 512 };

// A child sends one record: status, values, reason.
typedef struct Child {
    int pid, pipe, run; // pid 0: none
    double since;
    char *bytes;
    size_t size;
    bool too_long;
} Child;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static size_t record_size(const Pool *pool) {
    return sizeof(double) * (size_t)(pool->value_count + 1) + REASON;
}

// ------------------------------------------------------------------------------------------------------
// options

RbStatus pool_read(Cli *cli, Pool *pool) {
    double jobs = (double)sysconf(_SC_NPROCESSORS_ONLN), gigabytes = 0;
    TRY(cli_number(cli, "jobs", &jobs));
    if (!(jobs >= 1 && jobs <= 1024) || jobs != rint(jobs))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'--jobs' is a whole number from 1 to 1024, not '%s'",
                        cli_option(cli, "jobs"));
    TRY(cli_positive(cli, "run-time", &pool->seconds));
    TRY(cli_positive(cli, "run-memory", &gigabytes));
    pool->jobs = (int)jobs, pool->memory = gigabytes * 1e9;
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// in the child

// The first error since, with its place.
static void find_reason(Cli *cli, int from, char *reason) {
    RbMessage m;
    for (int i = from; i < rb_context_message_count(cli->context); i++) {
        if (rb_context_message_data(cli->context, i, &m) != RB_OK || m.severity != RB_ERROR)
            continue;
        if (m.at.file && m.at.line > 0)
            snprintf(reason, REASON, "%s:%d:%d: %s", m.at.file, m.at.line, m.at.column, m.text);
        else
            snprintf(reason, REASON, "%s", m.text);
        return;
    }
}

static void limit_memory(double extra) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld", &pages) != 1) pages = 0;
    if (file) fclose(file);
    rlim_t most = (rlim_t)((double)pages * (double)sysconf(_SC_PAGESIZE) + extra);
    setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
}

// A whole record, or none: the parent takes a short one for a crash.
static void send_record(int pipe, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t n = write(pipe, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        bytes += n;
        size -= (size_t)n;
    }
}

// Ctrl-C reaches the parent too, which ends its children; they end with a parent that is killed.
static _Noreturn void be_child(Cli *cli, const Pool *pool, int run, int pipe, int parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0); // it has ended before
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    if (pool->memory > 0) limit_memory(pool->memory);
    char *record = cli_room(cli, record_size(pool));
    double *values = (double *)(void *)record;
    for (int i = 1; i <= pool->value_count; i++) values[i] = NAN;
    int before = rb_context_message_count(cli->context);
    values[0] = pool->compute(pool->user, run, values + 1);
    char *reason = record + record_size(pool) - REASON;
    if (values[0] != 0) find_reason(cli, before, reason);
    if (values[0] == RB_ERROR_MEMORY && !reason[0])
        snprintf(reason, REASON,
                 "needs more memory than there is, or than '--run-memory' allows");
    if (values[0] != 0 && !reason[0])
        snprintf(reason, REASON, "%s", rb_status_name((RbStatus)values[0]));
    send_record(pipe, record, record_size(pool));
    _exit(0);
}

// ------------------------------------------------------------------------------------------------------
// in the parent

static RbStatus start_child(Cli *cli, const Pool *pool, Child *child, int run) {
    int ends[2];
    fflush(stdout);
    fflush(stderr);
    if (pipe(ends) != 0)
        return cli_fail(cli, RB_ERROR_IO, NULL, "cannot make a pipe: %s", strerror(errno));
    int parent = getpid(), pid = fork();
    if (pid < 0) {
        close(ends[0]);
        close(ends[1]);
        return cli_fail(cli, RB_ERROR_IO, NULL, "cannot start a process: %s", strerror(errno));
    }
    if (pid == 0) {
        close(ends[0]);
        be_child(cli, pool, run, ends[1], parent);
    }
    close(ends[1]);
    child->pid = pid, child->pipe = ends[0], child->run = run, child->size = 0;
    child->since = now(), child->too_long = false;
    return RB_OK;
}

static double seconds(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static int reap(Pool *pool, Child *child) {
    int how = 0;
    struct rusage usage;
    close(child->pipe);
    while (wait4(child->pid, &how, 0, &usage) < 0 && errno == EINTR) continue;
    pool->cpu_time += seconds(usage.ru_utime) + seconds(usage.ru_stime);
    child->pid = 0;
    return how;
}

static RbStatus finish_child(Pool *pool, Child *child) {
    char reason[REASON];
    int how = reap(pool, child);
    double *values = (double *)(void *)child->bytes;
    RunRow row = {.run = child->run, .values = values + 1, .reason = reason};
    if (child->size == record_size(pool)) {
        row.status = (int)values[0];
        row.reason = child->bytes + record_size(pool) - REASON;
        return pool->take(pool->user, &row);
    }
    for (int i = 1; i <= pool->value_count; i++) values[i] = NAN;
    row.status = child->too_long ? RUN_TOO_LONG : RUN_CRASHED;
    if (child->too_long)
        snprintf(reason, sizeof reason, "stopped after %g s, the limit of '--run-time'",
                 pool->seconds);
    else if (WIFSIGNALED(how))
        snprintf(reason, sizeof reason, "crashed: %s", strsignal(WTERMSIG(how)));
    else
        snprintf(reason, sizeof reason, "ended with exit code %d", WEXITSTATUS(how));
    return pool->take(pool->user, &row);
}

// True: the child has closed its end.
static bool read_child(const Pool *pool, Child *child) {
    ssize_t n = read(child->pipe, child->bytes + child->size, record_size(pool) - child->size);
    if (n > 0) child->size += (size_t)n;
    return n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN) ||
           child->size == record_size(pool);
}

static void stop_late(const Pool *pool, Child *child) {
    if (pool->seconds > 0 && !child->too_long && now() - child->since > pool->seconds) {
        child->too_long = true;
        kill(child->pid, SIGKILL);
    }
}

// Wait until a child says something, or for a tenth of a second.
static RbStatus look_at_children(Pool *pool, Child *children, struct pollfd *polled) {
    for (int i = 0; i < pool->jobs; i++)
        polled[i] = (struct pollfd){children[i].pid ? children[i].pipe : -1, POLLIN, 0};
    poll(polled, (nfds_t)pool->jobs, 100);
    for (int i = 0; i < pool->jobs; i++) {
        if (!children[i].pid) continue;
        stop_late(pool, &children[i]);
        if (polled[i].revents && read_child(pool, &children[i]))
            TRY(finish_child(pool, &children[i]));
    }
    pool->idle(pool->user);
    return RB_OK;
}

static RbStatus work(Cli *cli, Pool *pool, Child *children) {
    struct pollfd *polled = cli_room(cli, (size_t)pool->jobs * sizeof *polled);
    for (int busy = 1; busy > 0;) {
        if (*pool->interrupt) return RB_INTERRUPTED;
        busy = 0;
        for (int i = 0; i < pool->jobs; i++) {
            int run = children[i].pid ? -1 : pool->next(pool->user);
            if (run >= 0) TRY(start_child(cli, pool, &children[i], run));
            busy += children[i].pid != 0;
        }
        if (busy > 0) TRY(look_at_children(pool, children, polled));
    }
    return RB_OK;
}

RbStatus pool_run(Cli *cli, Pool *pool) {
    Child *children = cli_room(cli, (size_t)pool->jobs * sizeof *children);
    for (int i = 0; i < pool->jobs; i++) children[i].bytes = cli_room(cli, record_size(pool));
    RbStatus status = work(cli, pool, children);
    for (int i = 0; i < pool->jobs; i++) {
        if (!children[i].pid) continue;
        kill(children[i].pid, SIGKILL);
        reap(pool, &children[i]);
    }
    return status;
}

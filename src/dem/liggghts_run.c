// SPDX-License-Identifier: MIT
// LIGGGHTS as a process beside ours, whose frames are read as they appear. A frame is whole when it ends with
// the line of its last grain: a line that is cut off has no newline.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "dem/cloud_parts.h"
#include "dem/liggghts.h"

extern char **environ;

struct RbLiggghtsRun {
    const char *folder;
    long frame_steps;
    pid_t process; // 0: it has ended
    int code;      // as waitpid tells
    RbArena *arena;
    double *turns; // per identity and direction: how often it had passed a periodic border
};

static void end_run(void *what) {
    RbLiggghtsRun *run = what;
    if (run->process == 0) return;
    kill(-run->process, SIGTERM);
    while (waitpid(run->process, &run->code, 0) < 0 && errno == EINTR) {
    }
    run->process = 0;
}

static void forget_frames(const RbLiggghtsJob *job, RbArena scratch) {
    for (long k = 0; k <= job->frames; k++)
        unlink(rb_arena_printf(&scratch, "%s/frame.%ld.txt", job->folder, k * job->frame_steps));
}

RbStatus rb_liggghts_start(const RbLiggghtsJob *job, RbArena *arena, RbDiag *diag,
                           RbLiggghtsRun **out) {
    RbLiggghtsRun *run = rb_new(arena, RbLiggghtsRun);
    run->folder = rb_arena_text(arena, job->folder);
    run->frame_steps = job->frame_steps;
    run->arena = arena;
    RbArena *scratch = rb_arena_child(arena);
    forget_frames(job, *scratch);
    const char *change = "cd \"$0\" && exec \"$@\"",
               *ranks = rb_arena_printf(arena, "%d", job->ranks);
    const char *alone[] = {"sh", "-c", change, job->folder, "liggghts", "-in", "in.liggghts", NULL};
    const char *many[] = {"sh",  "-c",  change,     job->folder, "mpirun",      "--oversubscribe",
                          "-np", ranks, "liggghts", "-in",       "in.liggghts", NULL};
    const char *output = rb_arena_printf(arena, "%s/output.txt", job->folder);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t group; // what is started with it ends with it
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawnattr_init(&group);
    posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    char *const *arguments = (char *const *)(job->ranks > 1 ? many : alone);
    int code = posix_spawn(&run->process, "/bin/sh", &actions, &group, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&group);
    rb_arena_free(scratch);
    if (code != 0) {
        run->process = 0;
        return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "cannot start LIGGGHTS: %s", strerror(code));
    }
    rb_arena_defer(arena, end_run, run);
    *out = run;
    return RB_OK;
}

// ---------------------------------------------------------------------------------------------------
// why it ended

static bool has_ended(RbLiggghtsRun *run) {
    if (run->process == 0) return true;
    pid_t got = waitpid(run->process, &run->code, WNOHANG);
    if (got == run->process) run->process = 0;
    return run->process == 0;
}

static bool tells_why(const char *line) {
    const char *const signs[] = {"ERROR", "not found", "exited on signal", "run as root"};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        if (strstr(line, signs[k])) return true;
    }
    return false;
}

// The first line in its output that tells of an error, or the last one of all.
static const char *last_words(const RbLiggghtsRun *run, RbArena *arena) {
    RbBytes bytes;
    RbDiag quiet = rb_diag(arena);
    const char *path = rb_arena_printf(arena, "%s/output.txt", run->folder);
    if (rb_file_read(path, 0, arena, &quiet, &bytes) != RB_OK || bytes.size == 0) return "";
    const char *found = NULL, *last = "";
    for (const char *at = (const char *)bytes.data; *at;) {
        size_t length = strcspn(at, "\n");
        const char *line = rb_arena_printf(arena, "%.*s", (int)(length < 300 ? length : 300), at);
        if (tells_why(line)) found = found ? found : line;
        if (strpbrk(line, "abcdefghijklmnopqrstuvwxyz"))
            last = line; // mpirun draws lines of dashes
        at += length + (at[length] != 0);
    }
    return found ? found : last;
}

// Before its first frame nothing was recorded, and there is no result.
static RbStatus tell_end(const RbLiggghtsRun *run, long frame, double time, RbArena *arena,
                         RbDiag *diag) {
    const char *rest = frame > 1 ? "what there is until then is kept"
                                 : "that was its first frame, so there is no result";
    struct statvfs disk;
    if (WIFEXITED(run->code) && WEXITSTATUS(run->code) == 127)
        return rb_fail(
            diag, RB_ERROR_USAGE, RB_NOWHERE,
            "LIGGGHTS cannot be started: %s; install the package liggghts (and openmpi-bin "
            "for several ranks)",
            last_words(run, arena));
    if (statvfs(run->folder, &disk) == 0 && disk.f_bavail * disk.f_frsize < 65536)
        return rb_fail(
            diag, RB_ERROR_IO, RB_NOWHERE,
            "LIGGGHTS ended before t = %.6g s: the disk that '%s' is on is full; %s",
            time, run->folder, rest);
    const char *how = WIFSIGNALED(run->code) ? "was killed" : "ended";
    const char *why = last_words(run, arena);
    return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE,
                   "LIGGGHTS %s before t = %.6g s (its messages are in '%s/output.txt': %s%s); %s",
                   how, time, run->folder, why,
                   strstr(why, "run as root") ? " Set OMPI_ALLOW_RUN_AS_ROOT=1 and "
                                                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1, or be another user"
                                              : "",
                   rest);
}

// ----------------------------------------------------------------------------------------------------
// frames

// After the header: the number of grains, or -1 if the text is not whole.
static long header_of(const char **text) {
    const char *atoms = strstr(*text, "ITEM: NUMBER OF ATOMS\n"),
               *list = strstr(*text, "ITEM: ATOMS");
    if (!atoms || !list || !strchr(list, '\n')) return -1;
    *text = strchr(list, '\n') + 1;
    return strtol(atoms + strlen("ITEM: NUMBER OF ATOMS\n"), NULL, 10);
}

enum { COLUMNS = 12 };

static bool read_line(const char **at, long *id, double values[COLUMNS]) {
    const char *end = strchr(*at, '\n');
    char *next;
    if (!end) return false;
    *id = strtol(*at, &next, 10);
    for (int k = 0; k < COLUMNS; k++) values[k] = strtod(next, &next);
    if (next > end) return false;
    *at = end + 1;
    return true;
}

// Are there lines of all grains?
static bool is_whole(const RbCloud *cloud, const char *lines, const int *index) {
    double v[COLUMNS];
    long id;
    for (int k = 0; k < cloud->count; k++) {
        if (!read_line(&lines, &id, v) || id < 1 || id > cloud->next_id || index[id - 1] < 0)
            return false;
    }
    return true;
}

// A grain is told where it is in the cell, and how often it has passed a border in all: it is put as many cells outside as it has passed
// borders since the last frame, and counted when it is put back.
static Vec3 unwrapped(const RbCloud *cloud, const double v[COLUMNS], double turns[3]) {
    const RbBorders *b = &cloud->options.borders;
    double at[3], size[3];
    v3_store(size, v3_sub(b->high, b->low));
    for (int d = 0; d < 3; d++) {
        at[d] = v[d] + (b->periodic[d] ? (v[9 + d] - turns[d]) * size[d] : 0);
        turns[d] = v[9 + d];
    }
    return v3_load(at);
}

// index: of the grains by identity.
static bool take_frame(const RbLiggghtsRun *run, RbCloud *cloud, const char *text,
                       const int *index) {
    long count = header_of(&text), id;
    if (count != cloud->count || !is_whole(cloud, text, index)) return false;
    double v[COLUMNS];
    for (long k = 0; k < count && read_line(&text, &id, v); k++) {
        RbQuad *r = &cloud->r[index[id - 1]], *u = &cloud->v[index[id - 1]];
        RbQuad *w = &cloud->w[index[id - 1]];
        Vec3 at = unwrapped(cloud, v, run->turns + 3 * (id - 1));
        r->x = at.x, r->y = at.y, r->z = at.z;
        u->x = v[3], u->y = v[4], u->z = v[5];
        w->x = v[6], w->y = v[7], w->z = v[8];
    }
    return true;
}

static bool try_frame(const RbLiggghtsRun *run, RbCloud *cloud, long k, RbArena scratch) {
    const char *path =
        rb_arena_printf(&scratch, "%s/frame.%ld.txt", run->folder, k * run->frame_steps);
    RbBytes bytes;
    RbDiag quiet = rb_diag(&scratch);
    if (access(path, R_OK) != 0 || rb_file_read(path, 0, &scratch, &quiet, &bytes) != RB_OK)
        return false;
    int *index = rb_new_array(&scratch, int, cloud->next_id);
    for (int i = 0; i < cloud->next_id; i++) index[i] = -1;
    for (int i = 0; i < cloud->count; i++) index[cloud->id[i]] = i;
    return take_frame(run, cloud, (const char *)bytes.data, index);
}

RbStatus rb_liggghts_frame(RbLiggghtsRun *run, RbCloud *cloud, long k, RbArena scratch,
                           RbDiag *diag) {
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    if (!run->turns) run->turns = rb_new_array(run->arena, double, 3 * cloud->next_id);
    for (;;) {
        bool ended = has_ended(run); // before the last look
        if (try_frame(run, cloud, k, scratch)) break;
        double time = cloud->origin + (double)(k * run->frame_steps) * cloud->options.step;
        if (ended) return tell_end(run, k, time, &scratch, diag);
        nanosleep(&pause, NULL);
    }
    cloud->steps = k * run->frame_steps;
    cloud->time = cloud->origin + (double)cloud->steps * cloud->options.step;
    cloud->foreign = true;
    rb_cloud_place(cloud);
    return RB_OK;
}

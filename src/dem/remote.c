// SPDX-License-Identifier: MIT
// A cloud whose steps are made by rattleback-mpi: the program is a process beside ours, or the one that has started ours; messages
// go through a local socket.
#include "dem/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sort_keys.h"
#include "dem/cloud_parts.h"

extern char **environ;

struct RbRemote {
    RbArena *arena;
    const char *folder;
    pid_t process; // 0: it has ended, or somebody else has started it
    int code;      // as waitpid tells
    int fd;        // -1: not connected
    bool guest;    // it has started us
    bool ended;    // which was said
    RbRemoteState state;
    RbArena *scratch; // of a message
    double *turns;    // per identity and direction: how many cells it has gone
    int turns_room;
    int told;   // grains that it has been told of: identities below
    int *known; // identities that it has, in order
    int known_count, known_room;
};

const RbRemoteState *rb_remote_state(const RbRemote *remote) {
    return &remote->state;
}

// ---------------------------------------------------------------------------------------------------
// why it ended

static bool has_ended(RbRemote *r) {
    if (r->process == 0) return true;
    if (waitpid(r->process, &r->code, WNOHANG) == r->process) r->process = 0;
    return r->process == 0;
}

static bool tells_why(const char *line) {
    const char *const signs[] = {"ERROR", "not found", "cannot start", "exited on signal",
                                 "run as root"};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        if (strstr(line, signs[k])) return true;
    }
    return false;
}

// The first line of its output that reports an error; otherwise the last one.
static const char *last_words(const RbRemote *r, RbArena *arena) {
    RbBytes bytes;
    RbDiag quiet = rb_diag(arena);
    const char *path = rb_arena_printf(arena, "%s/output.txt", r->folder);
    if (rb_file_read(path, 0, arena, &quiet, &bytes) != RB_OK || bytes.size == 0) return "";
    const char *found = NULL, *last = "";
    for (const char *at = (const char *)bytes.data; *at;) {
        size_t length = strcspn(at, "\n");
        const char *line = rb_arena_printf(arena, "%.*s", (int)(length < 300 ? length : 300), at);
        if (tells_why(line)) found = found ? found : line;
        if (strpbrk(line, "abcdefghijklmnopqrstuvwxyz")) last = line; // mpirun draws lines
        at += length + (at[length] != 0);
    }
    return found ? found : last;
}

static void wait_for_end(RbRemote *r) {
    for (int k = 0; k < 200 && !has_ended(r); k++) poll(NULL, 0, 10);
}

static RbStatus tell_end(RbRemote *r, double time, RbDiag *diag) {
    if (r->ended) return RB_ERROR_IO;
    r->ended = true;
    RbArena *arena = rb_arena_child(r->arena);
    if (r->guest)
        return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE,
                       "rattleback-mpi ended after t = %.6g s: see its messages; what there is "
                       "until then is kept",
                       time);
    wait_for_end(r);
    const char *why = last_words(r, arena);
    struct statvfs disk;
    if (WIFEXITED(r->code) && WEXITSTATUS(r->code) == 127)
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the engine for particles cannot be started: %s; install openmpi-bin and "
                       "liggghts, and rattleback-mpi beside rattleback (it is built where "
                       "libliggghts-dev and libopenmpi-dev are)",
                       why);
    if (statvfs(r->folder, &disk) == 0 && disk.f_bavail * disk.f_frsize < 65536)
        return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE,
                       "rattleback-mpi ended after t = %.6g s: the disk that '%s' is on is full; "
                       "what there is until then is kept",
                       time, r->folder);
    bool killed = WIFSIGNALED(r->code) || strstr(why, "exited on signal");
    const char *root = strstr(why, "run as root")
                           ? " Set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1, "
                             "or be another user"
                           : "";
    return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE,
                   "rattleback-mpi %s after t = %.6g s (its messages are in '%s/output.txt': "
                   "%s%s); what there is until then is kept",
                   killed ? "was killed" : "ended", time, r->folder, why, root);
}

// ---------------------------------------------------------------------------------------------------
// messages

static bool send_all(const RbRemote *r, const void *from, size_t size) {
    for (size_t at = 0; at < size;) {
        ssize_t n = send(r->fd, (const char *)from + at, size - at, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) at += (size_t)n;
    }
    return true;
}

static bool read_all(const RbRemote *r, void *to, size_t size) {
    for (size_t at = 0; at < size;) {
        ssize_t n = read(r->fd, (char *)to + at, size - at);
        if (n == 0 || (n < 0 && errno != EINTR)) return false;
        if (n > 0) at += (size_t)n;
    }
    return true;
}

static bool post(const RbRemote *r, RbRemoteKind kind, const void *body, size_t size) {
    RbRemoteHead head = {kind, size};
    return r->fd >= 0 && send_all(r, &head, sizeof head) && send_all(r, body, size);
}

// The head of the answer; a failure is a message.
static RbStatus await(RbRemote *r, RbRemoteKind kind, double time, RbRemoteHead *head,
                      RbDiag *diag) {
    if (r->fd < 0 || !read_all(r, head, sizeof *head)) return tell_end(r, time, diag);
    if (head->kind == kind) return RB_OK;
    RbArena *arena = rb_arena_child(r->arena);
    char *text = rb_new_array(arena, char, head->size + 1);
    if (head->kind != RB_REMOTE_FAILED || !read_all(r, text, head->size))
        return tell_end(r, time, diag);
    return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "rattleback-mpi cannot go on: %s", text);
}

static RbStatus ask(RbRemote *r, RbRemoteKind kind, const RbPacker *body, double time,
                    RbRemoteHead *head, RbDiag *diag) {
    if (!post(r, kind, body->bytes.data, (size_t)body->bytes.count)) return tell_end(r, time, diag);
    return await(r, kind, time, head, diag);
}

// ---------------------------------------------------------------------------------------------------
// start and end

static void end_remote(void *what) {
    RbRemote *r = what;
    if (r->fd >= 0) post(r, RB_REMOTE_END, NULL, 0);
    if (r->fd >= 0) close(r->fd);
    r->fd = -1;
    if (r->process == 0) return;
    wait_for_end(r);
    if (has_ended(r)) return;
    kill(-r->process, SIGTERM);
    while (waitpid(r->process, &r->code, 0) < 0 && errno == EINTR) {
    }
    r->process = 0;
}

// A socket with an abstract name, of which there is no file.
static int listen_at(const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name), most = sizeof address.sun_path - 2;
    length = length < most ? length : most;
    memcpy(address.sun_path + 1, name, length);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, 1) == 0)
        return fd;
    if (fd >= 0) close(fd);
    return -1;
}

static bool is_own_user(int fd) {
    struct ucred who;
    socklen_t size = sizeof who;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == getuid();
}

// Until it has come, or has ended.
static void accept_from(RbRemote *r, int listening) {
    struct pollfd wait = {.fd = listening, .events = POLLIN};
    while (r->fd < 0) {
        int ready = poll(&wait, 1, 100);
        if (ready > 0) r->fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
        if (r->fd >= 0 && !is_own_user(r->fd)) close(r->fd), r->fd = -1;
        if (ready <= 0 && !r->guest && has_ended(r)) return;
    }
}

static const char *program_of(const RbRemoteJob *job, RbArena *arena) {
    char path[4096];
    if (job->program) return job->program;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    char *slash = strrchr(path, '/');
    if (slash) *slash = 0;
    const char *beside = rb_arena_printf(arena, "%s/rattleback-mpi", path);
    return access(beside, X_OK) == 0 ? beside : "rattleback-mpi";
}

static RbStatus spawn(RbRemote *r, const RbRemoteJob *job, const char *name, RbArena *arena,
                      RbDiag *diag) {
    const char *program = program_of(job, arena), *ranks = rb_arena_printf(arena, "%d", job->ranks);
    const char *run = "exec \"$@\"";
    const char *alone[] = {"sh", "-c", run, "sh", program, "--serve", name, NULL};
    // Who waits for others lets them work.
    const char *many[] = {"sh",      "-c",
                          run,       "sh",
                          "mpirun",  "--oversubscribe",
                          "--mca",   "mpi_yield_when_idle",
                          "1",       "-np",
                          ranks,     program,
                          "--serve", name,
                          NULL};
    const char *output = rb_arena_printf(arena, "%s/output.txt", r->folder);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t group; // what is started with it ends with it
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawnattr_init(&group);
    posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    char *const *arguments = (char *const *)(job->ranks > 1 ? many : alone);
    int code = posix_spawn(&r->process, "/bin/sh", &actions, &group, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&group);
    if (code == 0) return RB_OK;
    r->process = 0;
    return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "cannot start rattleback-mpi: %s",
                   strerror(code));
}

static RbStatus meet(RbRemote *r, const RbRemoteJob *job, RbDiag *diag) {
    const char *host = getenv("RATTLEBACK_ENGINE");
    const char *name =
        host ? host : rb_arena_printf(r->arena, "rattleback-%d-%p", (int)getpid(), (void *)r);
    r->guest = host != NULL;
    if (!host && mkdir(r->folder, 0777) != 0 && errno != EEXIST)
        return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "cannot make the folder '%s': %s", r->folder,
                       strerror(errno));
    int listening = listen_at(name);
    if (listening < 0)
        return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "cannot make a socket for rattleback-mpi: %s",
                       strerror(errno));
    RbStatus status = host ? RB_OK : spawn(r, job, name, r->arena, diag);
    if (status == RB_OK) accept_from(r, listening);
    close(listening);
    return status;
}

static void note_known(RbRemote *r, const RbCloud *cloud) {
    if (cloud->count > r->known_room) {
        r->known_room = cloud->count + cloud->count / 4 + 64;
        r->known = rb_new_array(r->arena, int, r->known_room);
    }
    r->known_count = cloud->count;
    for (int i = 0; i < cloud->count; i++) r->known[i] = cloud->id[i];
    r->told = cloud->next_id;
}

static void pack_grain(const RbCloud *cloud, int i, RbPacker *p) {
    RbQuad r = cloud->r[i], v = cloud->v[i], w = cloud->w[i], f = cloud->f[i], t = cloud->t[i];
    RbRemoteGrain g = {.id = cloud->id[i],
                       .material = (int)w.w,
                       .radius = r.w,
                       .mass = v.w,
                       .r = rb_cloud_place_of(cloud, i),
                       .v = v3(v.x, v.y, v.z),
                       .w = v3(w.x, w.y, w.z),
                       .f = v3(f.x, f.y, f.z),
                       .t = v3(t.x, t.y, t.z)};
    rb_pack_bytes(p, &g, sizeof g);
}

static int by_grains(const void *a, const void *b) {
    const RbRemoteContact *p = a, *q = b;
    if (p->id != q->id) return p->id < q->id ? -1 : 1;
    return p->with < q->with ? -1 : p->with > q->with;
}

// What the grains of a cloud remember, in order.
static RbRemoteContact *contacts_of(RbCloud *cloud, RbArena *arena, int64_t *count) {
    rb_cloud_collect_memories(cloud);
    RbRemoteContact *all = rb_new_array(arena, RbRemoteContact, cloud->memories.count + 1);
    *count = 0;
    for (int i = 0; i < cloud->count; i++) {
        for (int k = 0; k < cloud->memory_count[i]; k++) {
            const RbGrainMemory *m = &cloud->memories.data[cloud->memory_start[i] + k];
            bool turned = m->with >= 0 && m->with < cloud->id[i];
            double sign = turned ? -1 : 1;
            all[(*count)++] =
                (RbRemoteContact){turned ? m->with : cloud->id[i], turned ? cloud->id[i] : m->with,
                                  m->touches, v3_scale(sign, m->slide), v3_scale(sign, m->turn)};
        }
    }
    qsort(all, (size_t)*count, sizeof *all, by_grains);
    return all;
}

// In pieces, so that nobody holds them twice.
static RbStatus send_all_grains(RbRemote *r, RbCloud *cloud, RbDiag *diag) {
    enum { PIECE = 1 << 15 };
    for (int first = 0; first == 0 || first < cloud->count; first += PIECE) {
        RbArena *scratch = rb_arena_child(r->arena);
        RbPacker p = rb_packer(scratch);
        RbRemoteHead head;
        int end = cloud->count - first > PIECE ? first + PIECE : cloud->count;
        int64_t contacts = 0;
        const RbRemoteContact *remembered = NULL;
        if (end == cloud->count) remembered = contacts_of(cloud, scratch, &contacts);
        RbRemoteChange change = {0, end - first, contacts, cloud->steps == 0 ? 1 : 2,
                                 end < cloud->count};
        rb_pack_bytes(&p, &change, sizeof change);
        for (int i = first; i < end; i++) pack_grain(cloud, i, &p);
        rb_pack_bytes(&p, remembered, (size_t)contacts * sizeof *remembered);
        RbStatus status = ask(r, RB_REMOTE_CHANGE, &p, cloud->time, &head, diag);
        rb_arena_free(scratch);
        if (status != RB_OK) return status;
    }
    note_known(r, cloud);
    return RB_OK;
}

RbStatus rb_remote_start(const RbRemoteJob *job, RbCloud *cloud, RbArena *arena, RbDiag *diag,
                         RbRemote **out) {
    RbRemote *r = rb_new(arena, RbRemote);
    *r = (RbRemote){.arena = arena, .folder = rb_arena_text(arena, job->folder), .fd = -1};
    rb_arena_defer(arena, end_remote, r);
    RB_TRY(meet(r, job, diag));
    RbPacker p = rb_packer(arena);
    RbRemoteHead head;
    rb_remote_pack_setup(cloud, job->largest, &p);
    RB_TRY(ask(r, RB_REMOTE_SETUP, &p, cloud->time, &head, diag));
    RB_TRY(send_all_grains(r, cloud, diag));
    *out = r;
    return RB_OK;
}

// ----------------------------------------------------------------------------------------------------
// an interval

static void take_state(RbCloud *c, const RbRemoteState *s) {
    c->time = s->time, c->origin = s->origin;
    c->steps = s->steps, c->origin_steps = s->origin_steps, c->halved = (int)s->halved;
    c->step = c->ahead = ldexp(c->options.step, -c->halved);
    c->powers = s->powers;
    c->damped = s->damped, c->slid = s->slid, c->resisted = s->resisted;
    c->dragged = s->dragged, c->driven = s->driven, c->added = s->added;
    c->energy_start = s->energy_start;
    c->fastest = s->fastest, c->stiffest = s->stiffest;
    c->coarsest = s->coarsest, c->smallest = s->smallest;
    c->contacts = s->contacts, c->wall_contacts = s->wall_contacts;
    c->lost = s->lost, c->too_fast = s->too_fast;
}

// ORDER WALL_SUMS in mpi/part.c
static void take_wall(RbCloud *c, int k, const double *v) {
    c->wall_loads[k] = (Wrench){.f = v3_load(v), .t = v3_load(v + 3)};
    c->wall_powers[k] = (RbWallPowers){v[6], v[7], (int)v[8]};
    c->wall_sums[k] = (RbWallSums){v3_load(v + 9), v[12], v[13]};
}

static void pack_order(const RbCloud *cloud, const RbCarried *carried, const bool *absent,
                       int64_t most, double due, RbPacker *p) {
    int walls = cloud->walls.count;
    RbRemoteOrder order = {most, due, carried->from, carried->count, walls};
    rb_pack_bytes(p, &order, sizeof order);
    rb_pack_bytes(p, carried->bodies, (size_t)carried->count * sizeof *carried->bodies);
    rb_pack_bytes(p, carried->of_wall, (size_t)walls * sizeof *carried->of_wall);
    rb_pack_bytes(p, carried->X_BW, (size_t)walls * sizeof *carried->X_BW);
    for (int k = 0; k < walls; k++) rb_pack_u64(p, absent[k]);
}

RbStatus rb_remote_advance(RbRemote *r, RbCloud *cloud, RbCarried *carried, const bool *absent,
                           int64_t *steps, double due, RbDiag *diag) {
    enum { WALL_SUMS = 14 };
    RbArena *scratch = rb_arena_child(r->arena);
    RbPacker p = rb_packer(scratch);
    RbRemoteHead head;
    double walls[WALL_SUMS];
    pack_order(cloud, carried, absent, *steps, due, &p);
    RB_TRY(ask(r, RB_REMOTE_ADVANCE, &p, cloud->time, &head, diag));
    bool whole = read_all(r, &r->state, sizeof r->state) &&
                 read_all(r, carried->bodies, (size_t)carried->count * sizeof *carried->bodies);
    for (int k = 0; whole && k < cloud->walls.count; k++) {
        whole = read_all(r, walls, sizeof walls);
        if (whole) take_wall(cloud, k, walls);
    }
    rb_arena_free(scratch);
    if (!whole) return tell_end(r, cloud->time, diag);
    take_state(cloud, &r->state);
    rb_carried_place_walls(carried, cloud);
    *steps = r->state.made;
    return RB_OK;
}

// ---------------------------------------------------------------------------------------------------
// grains

// A grain may be somewhat outside of the cell, and has passed borders so often: it is put into the cell, and the borders are counted that
// it has passed since it was looked at last.
static Vec3 wrapped(RbRemote *r, RbCloud *cloud, const RbRemoteGrain *g) {
    const RbBorders *b = &cloud->options.borders;
    double times[3];
    if (!rb_borders_any(b)) return g->r;
    double *turns = r->turns + 3 * g->id;
    Vec3 in = rb_borders_wrap(b, g->r, times);
    for (int d = 0; d < 3; d++) {
        double now = b->periodic[d] ? g->turns[d] + times[d] : 0;
        cloud->crossed[d] += now - turns[d];
        cloud->crossed_mass[d] += (now - turns[d]) * g->mass;
        turns[d] = now;
    }
    return in;
}

static void turns_room(RbRemote *r, const RbCloud *cloud) {
    if (cloud->next_id <= r->turns_room || !rb_borders_any(&cloud->options.borders)) return;
    int room = cloud->next_id + cloud->next_id / 2 + 64;
    double *turns = rb_new_array(r->arena, double, 3 * room);
    if (r->turns_room > 0) memcpy(turns, r->turns, 3 * (size_t)r->turns_room * sizeof *turns);
    r->turns = turns, r->turns_room = room;
}

static void put_grain(RbRemote *r, RbCloud *cloud, int i, const RbRemoteGrain *g) {
    Vec3 at = wrapped(r, cloud, g);
    cloud->r[i] = (RbQuad){at.x, at.y, at.z, g->radius};
    cloud->v[i] = (RbQuad){g->v.x, g->v.y, g->v.z, g->mass};
    cloud->w[i] = (RbQuad){g->w.x, g->w.y, g->w.z, g->material};
    cloud->f[i] = (RbQuad){g->f.x, g->f.y, g->f.z, 0};
    cloud->t[i] = (RbQuad){g->t.x, g->t.y, g->t.z, 0};
}

static bool read_grains(RbRemote *r, RbCloud *cloud, uint64_t count, const int *index) {
    enum { AT_ONCE = 256 };
    RbRemoteGrain some[AT_ONCE];
    for (uint64_t done = 0; done < count;) {
        size_t n = count - done < AT_ONCE ? (size_t)(count - done) : AT_ONCE;
        if (!read_all(r, some, n * sizeof *some)) return false;
        for (size_t k = 0; k < n; k++) {
            int id = some[k].id;
            if (id < 0 || id >= cloud->next_id || index[id] < 0) return false;
            put_grain(r, cloud, index[id], &some[k]);
        }
        done += n;
    }
    return true;
}

// Into the memories of the grains with the lower identities.
static bool read_contacts(RbRemote *r, RbCloud *cloud, uint64_t count, const int *index,
                          RbArena *arena) {
    RbRemoteContact *all = rb_new_array(arena, RbRemoteContact, count + 1);
    if (!read_all(r, all, count * sizeof *all)) return false;
    qsort(all, count, sizeof *all, by_grains);
    cloud->memories.count = 0;
    for (uint64_t k = 0; k < count;) {
        int id = all[k].id;
        if (id < 0 || id >= cloud->next_id || index[id] < 0) return false;
        int i = index[id], first = cloud->memories.count;
        for (; k < count && all[k].id == id; k++)
            rb_array_push(
                &cloud->memories, cloud->arena,
                (RbGrainMemory){all[k].with, (RbGrip)all[k].touches, all[k].slide, all[k].turn});
        cloud->memory_start[i] = first, cloud->memory_count[i] = cloud->memories.count - first;
    }
    return true;
}

static void look_again(RbCloud *cloud) {
    RbGrainPowers powers = cloud->powers;
    double stiffest = cloud->stiffest, coarsest = cloud->coarsest;
    long contacts = cloud->contacts, wall_contacts = cloud->wall_contacts;
    rb_cloud_make_list(cloud);
    rb_cloud_forces(cloud, true, NULL);
    cloud->powers = powers;
    cloud->stiffest = stiffest, cloud->coarsest = coarsest;
    cloud->contacts = contacts, cloud->wall_contacts = wall_contacts;
}

RbStatus rb_remote_look(RbRemote *r, RbCloud *cloud, bool contacts, RbDiag *diag) {
    RbArena *scratch = rb_arena_child(r->arena);
    RbRemoteHead head;
    uint64_t counts[2];
    unsigned char wanted = contacts;
    turns_room(r, cloud);
    int *index = rb_new_array(scratch, int, cloud->next_id + 1);
    for (int i = 0; i < cloud->next_id; i++) index[i] = -1;
    for (int i = 0; i < cloud->count; i++) index[cloud->id[i]] = i;
    cloud->list_valid = false;
    memset(cloud->memory_count, 0, (size_t)cloud->count * sizeof *cloud->memory_count);
    if (!post(r, RB_REMOTE_GRAINS, &wanted, 1)) return tell_end(r, cloud->time, diag);
    RB_TRY(await(r, RB_REMOTE_GRAINS, cloud->time, &head, diag));
    bool whole = read_all(r, counts, sizeof counts) && counts[0] == (uint64_t)cloud->count &&
                 read_grains(r, cloud, counts[0], index) &&
                 read_contacts(r, cloud, counts[1], index, scratch);
    rb_arena_free(scratch);
    if (!whole) return tell_end(r, cloud->time, diag);
    if (contacts) look_again(cloud);
    return RB_OK;
}

static int by_number(const void *a, const void *b) {
    int p = *(const int *)a, q = *(const int *)b;
    return p < q ? -1 : p > q;
}

RbStatus rb_remote_tell(RbRemote *r, RbCloud *cloud, RbDiag *diag) {
    RbArena *scratch = rb_arena_child(r->arena);
    RbPacker p = rb_packer(scratch), grains = rb_packer(scratch);
    RbRemoteChange change = {0};
    RbRemoteHead head;
    bool *there = rb_new_array(scratch, bool, cloud->next_id + 1);
    int *gone = rb_new_array(scratch, int, r->known_count + 2);
    for (int i = 0; i < cloud->count; i++) {
        there[cloud->id[i]] = true;
        if (cloud->id[i] < r->told) continue;
        pack_grain(cloud, i, &grains);
        change.added++;
    }
    for (int k = 0; k < r->known_count; k++) {
        if (!there[r->known[k]]) gone[change.removed++] = r->known[k];
    }
    RbStatus status = RB_OK;
    if (change.removed + change.added > 0) {
        qsort(gone, (size_t)change.removed, sizeof *gone, by_number);
        size_t room = (size_t)(change.removed + change.removed % 2);
        rb_pack_bytes(&p, &change, sizeof change);
        rb_pack_bytes(&p, gone, room * sizeof *gone);
        rb_pack_bytes(&p, grains.bytes.data, (size_t)grains.bytes.count);
        status = ask(r, RB_REMOTE_CHANGE, &p, cloud->time, &head, diag);
        note_known(r, cloud);
    }
    rb_arena_free(scratch);
    return status;
}

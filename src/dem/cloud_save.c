// SPDX-License-Identifier: MIT
// A cloud in a checkpoint. The list is not written: it follows from the places of the grains and walls
// when it was made, and contacts are written by the identities of the two.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "dem/cloud_parts.h"

typedef struct Sums {
    double origin, radius_sum, skin, fastest;
    RbGrainPowers powers;
    double damped, slid, resisted, dragged, driven, added, energy_start, stiffest, deepest, looked;
    double crossed[3], crossed_mass[3];
} Sums;

static Sums sums_of(const RbCloud *c) {
    Sums sums = {c->origin, c->radius_sum,   c->options.skin, c->fastest, c->powers,
                 c->damped, c->slid,         c->resisted,     c->dragged, c->driven,
                 c->added,  c->energy_start, c->stiffest,     c->deepest, c->looked};
    memcpy(sums.crossed, c->crossed, sizeof sums.crossed);
    memcpy(sums.crossed_mass, c->crossed_mass, sizeof sums.crossed_mass);
    return sums;
}

static void save_quads(RbSaver *saver, const RbQuad *quads, int count) {
    if (count > 0) rb_save_doubles(saver, &quads->x, 4 * count);
}

static void save_memories(const RbCloud *cloud, RbSaver *saver) {
    for (int i = 0; i < cloud->count; i++) {
        rb_save_int(saver, cloud->memory_count[i]);
        for (int k = 0; k < cloud->memory_count[i]; k++) {
            const RbGrainMemory *m = &cloud->memories.data[cloud->memory_start[i] + k];
            double values[6];
            v3_store(values, m->slide);
            v3_store(values + 3, m->turn);
            rb_save_int(saver, m->with);
            rb_save_int(saver, m->touches);
            rb_save_doubles(saver, values, 6);
        }
    }
}

// Poses, velocity; load and what goes on there; sums; whether it is absent.
enum {
    POSE_SIZE = 12,
    WALL_MOTION = 2 * POSE_SIZE,
    WALL_NOW = WALL_MOTION + 6,
    WALL_ABSENT = WALL_NOW + 14,
    WALL_SIZE
};

static void store_pose(double *to, Pose X) {
    v3_store(to, X.r);
    for (int k = 0; k < 9; k++) to[3 + k] = m3_get(X.R, k / 3, k % 3);
}

static Pose load_pose(const double *p) {
    Vec3 columns[3];
    for (int k = 0; k < 3; k++) columns[k] = v3(p[3 + k], p[6 + k], p[9 + k]);
    return (Pose){v3_load(p), m3_from_columns(columns[0], columns[1], columns[2])};
}

static void store_sums(const RbCloud *cloud, int k, double *to) {
    const RbWallSums *sums = &cloud->wall_sums[k];
    const RbWallPowers *now = &cloud->wall_powers[k];
    v3_store(to, cloud->wall_loads[k].f), v3_store(to + 3, cloud->wall_loads[k].t);
    to[6] = now->belt, to[7] = now->slid;
    v3_store(to + 8, sums->impulse);
    to[11] = sums->belt, to[12] = sums->slid;
    to[13] = now->contacts;
}

static void load_sums(RbCloud *cloud, int k, const double *from) {
    cloud->wall_loads[k] = (Wrench){.f = v3_load(from), .t = v3_load(from + 3)};
    cloud->wall_powers[k] = (RbWallPowers){from[6], from[7], (int)from[13]};
    cloud->wall_sums[k] = (RbWallSums){v3_load(from + 8), from[11], from[12]};
}

static void save_walls(const RbCloud *cloud, RbSaver *saver) {
    for (int k = 0; k < cloud->walls.count; k++) {
        const RbGrainWall *wall = &cloud->walls.data[k];
        double values[WALL_SIZE];
        store_pose(values, wall->X);
        store_pose(values + POSE_SIZE, wall->listed);
        v3_store(values + WALL_MOTION, wall->V.w);
        v3_store(values + WALL_MOTION + 3, wall->V.v);
        store_sums(cloud, k, values + WALL_NOW);
        values[WALL_ABSENT] = wall->absent;
        rb_save_doubles(saver, values, WALL_SIZE);
    }
}

// What the others of a clump follow from.
enum { BODY_SIZE = 3 * 5 + 4 + 5 };

static void save_bodies(const RbCloud *cloud, RbSaver *saver) {
    rb_save_int(saver, cloud->bodies.count);
    for (int k = 0; k < cloud->bodies.count; k++) {
        const RbGrainBody *b = &cloud->bodies.data[k];
        const Vec3 vectors[5] = {b->r, b->v, b->l, b->f, b->t};
        double values[BODY_SIZE];
        for (int n = 0; n < 5; n++) v3_store(values + 3 * n, vectors[n]);
        q_store(values + 15, b->q);
        v3_store(values + 19, b->moments);
        values[22] = b->mass, values[23] = b->size;
        rb_save_int(saver, b->form);
        rb_save_int(saver, b->id);
        rb_save_doubles(saver, values, BODY_SIZE);
    }
    rb_save_int(saver, cloud->puppet_count);
    for (int i = 0; rb_cloud_has_others(cloud) && i < cloud->count; i++) {
        rb_save_int(saver, cloud->body[i]);
        rb_save_int(saver, cloud->member[i]);
    }
}

void rb_cloud_save(RbCloud *cloud, RbSaver *saver) {
    rb_cloud_reserve_work(cloud);
    Sums sums = sums_of(cloud);
    rb_cloud_collect_memories(cloud);
    rb_save_int(saver, cloud->count);
    rb_save_int(saver, cloud->walls.count);
    rb_save_int(saver, cloud->next_id);
    rb_save_int(saver, cloud->steps);
    rb_save_int(saver, cloud->origin_steps);
    rb_save_int(saver, cloud->halved);
    rb_save_int(saver, cloud->rebuilds);
    rb_save_int(saver, cloud->list_valid);
    rb_save_int(saver, cloud->contacts);
    rb_save_int(saver, cloud->wall_contacts);
    rb_save_doubles(saver, (const double *)&sums, sizeof sums / sizeof(double));
    const RbQuad *quads[] = {cloud->r, cloud->v, cloud->w, cloud->f, cloud->t, cloud->listed};
    for (size_t k = 0; k < sizeof quads / sizeof *quads; k++)
        save_quads(saver, quads[k], cloud->count);
    for (int i = 0; i < cloud->count; i++) rb_save_int(saver, cloud->id[i]);
    save_bodies(cloud, saver);
    save_memories(cloud, saver);
    save_walls(cloud, saver);
}

static bool load_body(RbCloud *cloud, RbLoader *loader) {
    int64_t form, id;
    double v[BODY_SIZE];
    if (!rb_load_int(loader, &form) || !rb_load_int(loader, &id) ||
        !rb_load_doubles(loader, v, BODY_SIZE) || form < 0 || form >= cloud->forms.count)
        return false;
    RbGrainBody b = {.r = v3_load(v),
                     .v = v3_load(v + 3),
                     .l = v3_load(v + 6),
                     .f = v3_load(v + 9),
                     .t = v3_load(v + 12),
                     .q = q_load(v + 15),
                     .moments = v3_load(v + 19),
                     .mass = v[22],
                     .size = v[23],
                     .form = (int)form,
                     .id = (int)id};
    rb_grain_body_turn(&b);
    rb_array_push(&cloud->bodies, cloud->arena, b);
    cloud->member_count += cloud->forms.data[form]->count;
    return cloud->member_count <= cloud->count;
}

// Every member of every clump must be there once.
static bool load_members(RbCloud *cloud, RbLoader *loader) {
    int members = 0, puppets = 0;
    for (int i = 0; i < cloud->count; i++) {
        int64_t body, member;
        if (!rb_load_int(loader, &body) || !rb_load_int(loader, &member)) return false;
        if (body < RB_GRAIN_PUPPET || body >= cloud->bodies.count) return false;
        cloud->body[i] = (int)body, cloud->member[i] = (int)member;
        puppets += body == RB_GRAIN_PUPPET;
        if (body < 0) continue;
        const RbGrainBody *b = &cloud->bodies.data[body];
        members++;
        if (member < 0 || member >= cloud->forms.data[b->form]->count ||
            cloud->id[i] != b->id + member)
            return false;
    }
    return members == cloud->member_count && puppets == cloud->puppet_count;
}

static bool load_bodies(RbCloud *cloud, RbLoader *loader) {
    int64_t count;
    cloud->bodies.count = cloud->member_count = 0;
    if (!rb_load_int(loader, &count) || count < 0 || count > cloud->count) return false;
    for (int64_t k = 0; k < count; k++) {
        if (!load_body(cloud, loader)) return false;
    }
    int64_t puppets;
    if (!rb_load_int(loader, &puppets) || puppets < 0 || puppets > cloud->count) return false;
    cloud->puppet_count = (int)puppets;
    for (int i = 0; i < cloud->count; i++) cloud->body[i] = RB_GRAIN_FREE;
    return !rb_cloud_has_others(cloud) || load_members(cloud, loader);
}

static bool load_memories(RbCloud *cloud, RbLoader *loader) {
    cloud->memories.count = 0;
    for (int i = 0; i < cloud->count; i++) {
        int64_t count, with, touches;
        if (!rb_load_int(loader, &count) || count < 0 || count > INT_MAX / 2) return false;
        cloud->memory_start[i] = cloud->memories.count;
        cloud->memory_count[i] = (int)count;
        for (int64_t k = 0; k < count; k++) {
            double v[6];
            if (!rb_load_int(loader, &with) || !rb_load_int(loader, &touches) ||
                !rb_load_doubles(loader, v, 6))
                return false;
            rb_array_push(&cloud->memories, cloud->arena,
                          (RbGrainMemory){(int)with, (RbGrip)touches, v3_load(v), v3_load(v + 3)});
        }
    }
    return true;
}

static bool load_walls(RbCloud *cloud, RbLoader *loader) {
    for (int k = 0; k < cloud->walls.count; k++) {
        RbGrainWall *wall = &cloud->walls.data[k];
        double v[WALL_SIZE];
        if (!rb_load_doubles(loader, v, WALL_SIZE)) return false;
        wall->X = load_pose(v);
        wall->listed = load_pose(v + POSE_SIZE);
        wall->V.w = v3_load(v + WALL_MOTION);
        wall->V.v = v3_load(v + WALL_MOTION + 3);
        load_sums(cloud, k, v + WALL_NOW);
        wall->absent = v[WALL_ABSENT] != 0;
    }
    return true;
}

static void set_sums(RbCloud *c, const Sums *s) {
    c->origin = s->origin, c->radius_sum = s->radius_sum, c->options.skin = s->skin;
    c->fastest = s->fastest;
    c->powers = s->powers;
    c->damped = s->damped, c->slid = s->slid, c->resisted = s->resisted, c->driven = s->driven;
    c->dragged = s->dragged, c->added = s->added, c->energy_start = s->energy_start;
    c->stiffest = s->stiffest, c->deepest = s->deepest, c->looked = s->looked;
    memcpy(c->crossed, s->crossed, sizeof c->crossed);
    memcpy(c->crossed_mass, s->crossed_mass, sizeof c->crossed_mass);
}

static bool load_grains(RbCloud *cloud, RbLoader *loader, int count) {
    rb_cloud_reserve(cloud, count);
    rb_cloud_reserve_work(cloud);
    cloud->count = count;
    RbQuad *quads[] = {cloud->r, cloud->v, cloud->w, cloud->f, cloud->t, cloud->listed};
    for (size_t k = 0; k < sizeof quads / sizeof *quads; k++) {
        if (count > 0 && !rb_load_doubles(loader, &quads[k]->x, 4 * count)) return false;
    }
    for (int i = 0; i < count; i++) {
        int64_t id;
        if (!rb_load_int(loader, &id)) return false;
        cloud->id[i] = (int)id;
    }
    return true;
}

static void swap_places(RbCloud *cloud) {
    RbQuad *r = cloud->r;
    cloud->r = cloud->listed;
    cloud->listed = r;
    for (int k = 0; k < cloud->walls.count; k++) {
        RbGrainWall *wall = &cloud->walls.data[k];
        Pose X = wall->X;
        wall->X = wall->listed;
        wall->listed = X;
    }
}

// Make the list for the places that it was made for. The grains are in its order, so nothing is moved;
// the places of now come back afterwards.
static void list_again(RbCloud *cloud) {
    size_t bytes = (size_t)cloud->count * sizeof *cloud->r;
    long rebuilds = cloud->rebuilds;
    swap_places(cloud);
    memcpy(cloud->f1, cloud->listed, bytes); // making a list writes listed
    Pose *X = rb_new_array(cloud->arena, Pose, cloud->walls.count);
    for (int k = 0; k < cloud->walls.count; k++) X[k] = cloud->walls.data[k].listed;
    rb_cloud_make_list(cloud);
    memcpy(cloud->r, cloud->f1, bytes);
    for (int k = 0; k < cloud->walls.count; k++) cloud->walls.data[k].X = X[k];
    cloud->rebuilds = rebuilds;
}

bool rb_cloud_load(RbCloud *cloud, RbLoader *loader) {
    int64_t count, walls, next_id, steps, since, halved, rebuilds, listed, contacts, wall_contacts;
    Sums sums;
    if (!rb_load_int(loader, &count) || !rb_load_int(loader, &walls) ||
        !rb_load_int(loader, &next_id) || !rb_load_int(loader, &steps) ||
        !rb_load_int(loader, &since) || !rb_load_int(loader, &halved) ||
        !rb_load_int(loader, &rebuilds) || !rb_load_int(loader, &listed) ||
        !rb_load_int(loader, &contacts) || !rb_load_int(loader, &wall_contacts))
        return false;
    if (count < 0 || count > INT_MAX / 2 || walls != cloud->walls.count) return false;
    if (halved < 0 || halved > RB_CLOUD_HALVINGS) return false;
    if (!rb_load_doubles(loader, (double *)&sums, sizeof sums / sizeof(double))) return false;
    cloud->list_valid = false;
    if (!load_grains(cloud, loader, (int)count) || !load_bodies(cloud, loader) ||
        !load_memories(cloud, loader) || !load_walls(cloud, loader))
        return false;
    set_sums(cloud, &sums);
    cloud->next_id = (int)next_id;
    cloud->steps = steps;
    cloud->rebuilds = rebuilds;
    cloud->contacts = contacts, cloud->wall_contacts = wall_contacts;
    cloud->origin_steps = since;
    cloud->halved = (int)halved;
    cloud->step = cloud->ahead = ldexp(cloud->options.step, -cloud->halved);
    cloud->time = cloud->origin + (double)(steps - since) * cloud->step;
    if (listed) list_again(cloud);
    rb_cloud_run_belts(cloud);
    return true;
}

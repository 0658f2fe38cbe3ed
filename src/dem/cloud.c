// SPDX-License-Identifier: MIT
#include "dem/cloud.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "dem/cloud_parts.h"

RbCloud *rb_cloud(RbArena *arena, const RbCloudOptions *options) {
    RbCloud *cloud = rb_new(arena, RbCloud);
    int n = options->materials;
    RbGrainLaw *laws = rb_new_array(arena, RbGrainLaw, n * n);
    memcpy(laws, options->laws, (size_t)(n * n) * sizeof *laws);
    cloud->arena = arena;
    cloud->options = *options;
    cloud->options.laws = laws;
    cloud->step = cloud->ahead = options->step;
    for (int i = 0; i < n * n; i++) {
        cloud->turning |= laws[i].rolling > 0 || laws[i].twisting > 0;
        cloud->sticky |= laws[i].adhesion > 0;
    }
    for (int k = 0; k < RB_IMAGES; k++) cloud->images[k] = rb_borders_image(&options->borders, k);
    if (options->threads > 1) cloud->team = rb_team(arena, options->threads);
    return cloud;
}

// ----------------------------------------------------------------------------------------------------
// grains

// A quadruple is half a line of the cache, and should not lie in two.
enum { LINE = 64 };

static void *moved(RbArena *arena, const void *old, size_t size, int count, int capacity) {
    char *bytes = rb_arena_push_array(arena, size, (size_t)capacity + LINE / size, sizeof(double));
    void *to = bytes + (LINE - (uintptr_t)bytes % LINE) % LINE;
    if (count > 0) memcpy(to, old, size * (size_t)count);
    return to;
}

void rb_cloud_reserve(RbCloud *cloud, int count) {
    if (count <= cloud->capacity) return;
    int n = cloud->count, capacity = count;
    RbQuad **quads[] = {&cloud->r, &cloud->v, &cloud->w, &cloud->f, &cloud->t};
    int **ints[] = {&cloud->id,   &cloud->memory_start, &cloud->memory_count,
                    &cloud->body, &cloud->member,       &cloud->members};
    for (size_t k = 0; k < sizeof quads / sizeof *quads; k++)
        *quads[k] = moved(cloud->arena, *quads[k], sizeof(RbQuad), n, capacity);
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++)
        *ints[k] = moved(cloud->arena, *ints[k], sizeof(int), n, capacity);
    cloud->capacity = capacity;
}

// Made when they are first needed: a cloud whose steps are made by others has none.
void rb_cloud_reserve_work(RbCloud *cloud) {
    if (cloud->work_capacity >= cloud->capacity) return;
    RbQuad **quads[] = {&cloud->f1, &cloud->t1, &cloud->listed, &cloud->spare};
    for (size_t k = 0; k < sizeof quads / sizeof *quads; k++)
        *quads[k] = moved(cloud->arena, NULL, sizeof(RbQuad), 0, cloud->capacity);
    cloud->work_capacity = cloud->capacity;
}

static int add_grain(RbCloud *cloud, RbGrain g, int body, int member) {
    if (cloud->count == cloud->capacity) rb_cloud_reserve(cloud, 2 * cloud->capacity + 64);
    rb_cloud_remember(cloud);
    int i = cloud->count++;
    cloud->body[i] = body, cloud->member[i] = member;
    cloud->r[i] = (RbQuad){g.r.x, g.r.y, g.r.z, g.radius};
    cloud->v[i] = (RbQuad){g.v.x, g.v.y, g.v.z, g.mass};
    cloud->w[i] = (RbQuad){g.w.x, g.w.y, g.w.z, g.material};
    cloud->f[i] = cloud->t[i] = (RbQuad){0};
    cloud->memory_start[i] = cloud->memory_count[i] = 0;
    if (body != RB_GRAIN_PUPPET) cloud->radius_sum += g.radius;
    return cloud->id[i] = body == RB_GRAIN_PUPPET ? RB_PUPPET_IDS + member : cloud->next_id++;
}

void rb_cloud_add_puppet(RbCloud *cloud, RbGrain g, int number) {
    add_grain(cloud, g, RB_GRAIN_PUPPET, number);
    cloud->puppet_count++;
}

void rb_cloud_move_puppet(RbCloud *cloud, int i, Vec3 r, Vec3 v, Vec3 w) {
    RbQuad *at = &cloud->r[i], *speed = &cloud->v[i], *spin = &cloud->w[i], from = cloud->listed[i];
    at->x = r.x, at->y = r.y, at->z = r.z;
    speed->x = v.x, speed->y = v.y, speed->z = v.z;
    spin->x = w.x, spin->y = w.y, spin->z = w.z;
    double moved2 = v3_norm2(v3_sub(r, v3(from.x, from.y, from.z)));
    if (!(moved2 <= cloud->puppets_moved2)) cloud->puppets_moved2 = moved2;
}

int rb_cloud_add(RbCloud *cloud, RbGrain g) {
    int id = add_grain(cloud, g, RB_GRAIN_FREE, 0);
    cloud->added += rb_cloud_energy_of(cloud, cloud->count - 1);
    cloud->fastest = fmax(cloud->fastest, v3_norm(g.v));
    return id;
}

int rb_cloud_add_form(RbCloud *cloud, const RbClump *form) {
    for (int k = 0; k < cloud->forms.count; k++) {
        if (cloud->forms.data[k] == form) return k;
    }
    rb_array_push(&cloud->forms, cloud->arena, form);
    cloud->has_faces |= form->core != NULL;
    return cloud->forms.count - 1;
}

int rb_cloud_add_clump(RbCloud *cloud, RbGrainClump c) {
    const RbClump *form = cloud->forms.data[c.form];
    RbGrainBody b = {.r = c.r,
                     .v = c.v,
                     .q = q_unit(q_mul(c.q, form->axes)),
                     .mass = rb_clump_mass(form, c.density, c.size),
                     .moments = rb_clump_moments(form, c.density, c.size),
                     .size = c.size,
                     .form = c.form,
                     .id = cloud->next_id};
    Mat3 R = q_matrix(b.q);
    b.l = m3_mul_vec(m3_rotate_tensor(R, m3_diagonal(b.moments)), c.w);
    rb_grain_body_turn(&b);
    rb_array_push(&cloud->bodies, cloud->arena, b);
    for (int k = 0; k < form->count; k++) {
        Vec3 d = v3_scale(c.size, m3_mul_vec(R, form->places[k]));
        RbGrain g = {
            v3_add(c.r, d), v3_add(c.v, v3_cross(c.w, d)), c.w, c.size * form->radii[k], b.mass,
            c.material};
        add_grain(cloud, g, cloud->bodies.count - 1, k);
    }
    cloud->member_count += form->count;
    cloud->added += rb_cloud_body_energy(cloud, cloud->bodies.count - 1);
    cloud->fastest =
        fmax(cloud->fastest, sqrt(rb_cloud_body_speed2(cloud, cloud->bodies.count - 1)));
    return b.id;
}

// ----------------------------------------------------------------------------------------------------
// particles

int rb_cloud_entries(const RbCloud *cloud) {
    return cloud->count + cloud->bodies.count;
}

int rb_cloud_particles(const RbCloud *cloud) {
    return cloud->count - cloud->puppet_count - cloud->member_count + cloud->bodies.count;
}

bool rb_cloud_particle(const RbCloud *cloud, int k, RbParticle *out) {
    if (k >= cloud->count) {
        const RbGrainBody *b = &cloud->bodies.data[k - cloud->count];
        double volume = cloud->forms.data[b->form]->volume * b->size * b->size * b->size;
        Vec3 r = rb_borders_wrap(&cloud->options.borders, b->r, NULL);
        *out = (RbParticle){r, b->v, b->r, b->mass, volume, b->id};
        return true;
    }
    if (cloud->body[k] != RB_GRAIN_FREE) return false;
    RbQuad r = cloud->r[k], v = cloud->v[k];
    double volume = 4.0 / 3.0 * M_PI * r.w * r.w * r.w;
    *out = (RbParticle){rb_cloud_place_of(cloud, k),
                        v3(v.x, v.y, v.z),
                        v3(r.x, r.y, r.z),
                        v.w,
                        volume,
                        cloud->id[k]};
    return true;
}

// What their contacts had stored goes with them.
static void forget_stored(RbCloud *cloud, RbGrainPowers before) {
    rb_cloud_evaluate(cloud);
    double slid = before.tangential - cloud->powers.tangential;
    double turned = before.turning - cloud->powers.turning;
    cloud->slid -= slid;
    cloud->resisted -= turned;
    cloud->added -= before.normal - cloud->powers.normal + slid + turned;
}

// Numbers of clumps after those have gone that leave; -1: gone.
static int *renumber_bodies(RbCloud *cloud, RbGrainLeaves *leaves, void *user) {
    int *number = cloud->members, kept = 0; // which is made again with the list
    for (int k = 0; k < cloud->bodies.count; k++) {
        const RbGrainBody *b = &cloud->bodies.data[k];
        bool goes = leaves(user, rb_borders_wrap(&cloud->options.borders, b->r, NULL));
        if (goes) cloud->added -= rb_cloud_body_energy(cloud, k);
        if (goes) cloud->member_count -= cloud->forms.data[b->form]->count;
        number[k] = goes ? -1 : kept;
        if (!goes) cloud->bodies.data[kept++] = *b;
    }
    cloud->bodies.count = kept;
    return number;
}

static void move_grain(RbCloud *cloud, int from, int to) {
    RbQuad *quads[] = {cloud->r, cloud->v, cloud->w, cloud->f, cloud->t};
    int *ints[] = {cloud->id, cloud->memory_start, cloud->memory_count, cloud->member};
    for (size_t k = 0; k < sizeof quads / sizeof *quads; k++) quads[k][to] = quads[k][from];
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) ints[k][to] = ints[k][from];
}

int rb_cloud_remove(RbCloud *cloud, RbGrainLeaves *leaves, void *user) {
    RbGrainPowers powers = cloud->powers;
    rb_cloud_remember(cloud);
    int kept = 0, before = cloud->count, particles = rb_cloud_particles(cloud);
    const int *number = renumber_bodies(cloud, leaves, user);
    for (int i = 0; i < before; i++) {
        int was = cloud->body[i], body = was >= 0 ? number[was] : was;
        bool goes =
            was >= 0 ? body < 0 : was == RB_GRAIN_FREE && leaves(user, rb_cloud_place_of(cloud, i));
        if (goes && was == RB_GRAIN_FREE) cloud->added -= rb_cloud_energy_of(cloud, i);
        if (goes) continue;
        move_grain(cloud, i, kept);
        cloud->body[kept++] = body;
    }
    cloud->count = kept;
    if (kept < before) forget_stored(cloud, powers);
    return particles - rb_cloud_particles(cloud);
}

int rb_cloud_add_wall(RbCloud *cloud, RbGrainWall wall) {
    wall.listed = wall.X;
    wall.reach = rb_grain_wall_reach(&wall);
    rb_array_push(&cloud->walls, cloud->arena, wall);
    cloud->wall_loads = rb_new_array(cloud->arena, Wrench, cloud->walls.count);
    cloud->wall_powers = rb_new_array(cloud->arena, RbWallPowers, cloud->walls.count);
    RbWallSums *sums = rb_new_array(cloud->arena, RbWallSums, cloud->walls.count);
    if (cloud->wall_sums)
        memcpy(sums, cloud->wall_sums, (size_t)(cloud->walls.count - 1) * sizeof *sums);
    cloud->wall_sums = sums;
    for (int c = 0; c < cloud->chunk_capacity; c++) cloud->chunks[c].loads = NULL;
    rb_cloud_remember(cloud);
    return cloud->walls.count - 1;
}

void rb_cloud_change_walls(RbCloud *cloud, const bool *absent) {
    RbGrainPowers powers = cloud->powers;
    bool changes = false;
    for (int k = 0; k < cloud->walls.count; k++)
        changes |= cloud->walls.data[k].absent != absent[k];
    if (!changes) return;
    rb_cloud_remember(cloud);
    for (int k = 0; k < cloud->walls.count; k++) cloud->walls.data[k].absent = absent[k];
    forget_stored(cloud, powers);
}

RbWallOverlap rb_cloud_wall_overlap(const RbCloud *cloud, int number) {
    const double tried = 1e-6; // of a radius: what just touches does not overlap
    RbGrainWall wall = cloud->walls.data[number];
    RbWallOverlap found = {0};
    wall.absent = false;
    for (int i = 0; i < cloud->count; i++) {
        double radius = rb_cloud_inner_radius(cloud, i);
        Vec3 at = rb_cloud_place_of(cloud, i);
        if (cloud->body[i] == RB_GRAIN_PUPPET) continue;
        if (!rb_grain_wall_overlaps(&wall, at, (1 - tried) * radius)) continue;
        bool deep = rb_grain_wall_overlaps(&wall, at, 0.5 * radius);
        if (found.count == 0 || (deep && !found.deep)) found.grain = cloud->id[i];
        found.count++;
        found.deep |= deep;
    }
    return found;
}

int rb_cloud_fastest(const RbCloud *cloud) {
    double most2 = -1;
    int found = -1;
    for (int i = 0; i < cloud->count; i++) {
        RbQuad v = cloud->v[i];
        double v2 = v.x * v.x + v.y * v.y + v.z * v.z;
        if (v2 > most2) most2 = v2, found = i;
    }
    return found;
}

// -----------------------------------------------------------------------------------------------
// sums

static double kinetic(const RbCloud *cloud, int i) {
    RbQuad v = cloud->v[i];
    return 0.5 * v.w * (v.x * v.x + v.y * v.y + v.z * v.z);
}

static double spinning(const RbCloud *cloud, int i) {
    RbQuad w = cloud->w[i];
    double radius = cloud->r[i].w, inertia = 0.4 * cloud->v[i].w * radius * radius;
    return 0.5 * inertia * (w.x * w.x + w.y * w.y + w.z * w.z);
}

static double height(const RbCloud *cloud, int i) {
    Vec3 g = cloud->options.gravity;
    RbQuad r = cloud->r[i];
    return -cloud->v[i].w * (g.x * r.x + g.y * r.y + g.z * r.z);
}

double rb_cloud_inner_radius(const RbCloud *cloud, int i) {
    if (cloud->body[i] < 0) return cloud->r[i].w;
    const RbGrainBody *b = &cloud->bodies.data[cloud->body[i]];
    const RbClump *form = cloud->forms.data[b->form];
    return form->core ? b->size * form->inner : cloud->r[i].w;
}

Vec3 rb_cloud_place_of(const RbCloud *cloud, int i) {
    Vec3 r = v3(cloud->r[i].x, cloud->r[i].y, cloud->r[i].z);
    return rb_borders_wrap(&cloud->options.borders, r, NULL);
}

double rb_cloud_energy_of(const RbCloud *cloud, int i) {
    return kinetic(cloud, i) + spinning(cloud, i) + height(cloud, i);
}

RbGrainLedger rb_cloud_ledger(const RbCloud *cloud) {
    RbGrainLedger l = {.damped = cloud->damped,
                       .dragged = cloud->dragged,
                       .driven = cloud->driven,
                       .added = cloud->added};
    const RbGrainPowers *p = &cloud->powers;
    for (int i = 0; i < cloud->count; i++) {
        if (cloud->body[i] != RB_GRAIN_FREE) continue;
        l.kinetic += kinetic(cloud, i);
        l.turning += spinning(cloud, i);
        l.height += height(cloud, i);
    }
    for (int k = 0; k < cloud->bodies.count; k++) {
        const RbGrainBody *b = &cloud->bodies.data[k];
        l.kinetic += rb_grain_body_kinetic(b);
        l.turning += rb_grain_body_turning(b);
        l.height -= b->mass * v3_dot(cloud->options.gravity, b->r);
    }
    l.stored = p->normal + p->tangential + p->turning;
    // What the springs took and have not stored.
    l.rubbed = cloud->slid - p->tangential;
    l.resisted = cloud->resisted - p->turning;
    l.balance = l.kinetic + l.turning + l.height + l.stored + l.damped + l.rubbed + l.resisted +
                l.dragged - l.driven - l.added - cloud->energy_start;
    return l;
}

Wrench rb_cloud_momentum(const RbCloud *cloud) {
    Wrench sum = WRENCH_ZERO;
    for (int i = 0; i < cloud->count; i++) {
        RbQuad r = cloud->r[i], v = cloud->v[i], w = cloud->w[i];
        if (cloud->body[i] != RB_GRAIN_FREE) continue;
        Vec3 p = v3_scale(v.w, v3(v.x, v.y, v.z));
        Vec3 spin = v3_scale(0.4 * v.w * r.w * r.w, v3(w.x, w.y, w.z));
        sum.f = v3_add(sum.f, p);
        sum.t = v3_add(sum.t, v3_add(spin, v3_cross(v3(r.x, r.y, r.z), p)));
    }
    for (int k = 0; k < cloud->bodies.count; k++) {
        const RbGrainBody *b = &cloud->bodies.data[k];
        Vec3 p = v3_scale(b->mass, b->v);
        sum.f = v3_add(sum.f, p);
        sum.t = v3_add(sum.t, v3_add(b->l, v3_cross(b->r, p)));
    }
    return sum;
}

uint64_t rb_cloud_hash(const RbCloud *cloud) {
    uint64_t hash = RB_HASH_START;
    size_t n = (size_t)cloud->count;
    hash = rb_hash_bytes(hash, cloud->id, n * sizeof *cloud->id);
    const RbQuad *quads[] = {cloud->r, cloud->v, cloud->w, cloud->f, cloud->t};
    for (size_t k = 0; k < sizeof quads / sizeof *quads; k++)
        hash = rb_hash_bytes(hash, quads[k], n * sizeof **quads);
    for (int k = 0; k < cloud->bodies.count; k++) {
        const RbGrainBody *b = &cloud->bodies.data[k];
        hash = rb_hash_bytes(hash, b, offsetof(RbGrainBody, f1)); // places, motion, loads
        hash = rb_hash_bytes(hash, &b->id, sizeof b->id);
    }
    return hash;
}

// Nine quadruples, four numbers and two keys per grain; seven pairs, of which one is of two chunks.
size_t rb_cloud_memory(double count, bool turning) {
    double pair = 2 * sizeof(int) + sizeof(RbGrip) + sizeof(Vec3) * (turning ? 2 : 1);
    double grain = 9 * sizeof(RbQuad) + 5 * sizeof(int) + 2 * 24 + 7 * 1.25 * pair +
                   sizeof(RbReaction) + 2 * sizeof(int) + 2 * sizeof(RbGrainMemory);
    return (size_t)(count * grain);
}

// SPDX-License-Identifier: MIT
// Velocity Verlet, with h the step:
//
//     r <- r + h v + h²/2 a,   v <- v + h a        a = a(old); v is predicted
//     a <- a(r, v)
//     v <- v + h/2 (a - a(old))
//
// Where forces depend on positions alone this is the usual method. The predicted velocity is right to
// second order, so damping and friction cost no order; LAMMPS and LIGGGHTS use the velocity in the middle
// of the step there, which is of first order.
#include <math.h>
#include <string.h>

#include "dem/cloud_parts.h"
#include "dem/four.h"

// 1/m and 1/J of a sphere, times a time.
typedef double Two __attribute__((vector_size(16)));

RB_FOUR_INLINE void per_inertia(double time, const RbFour *r, const RbFour *v, Two *out) {
    double mass = (*v)[3], radius = (*r)[3];
    *out = (Two){time, 2.5 * time} / (Two){mass, mass * radius * radius};
}

// How far grains have moved since the list was made, exactly.
static double farthest2(const RbCloud *cloud, const RbGrainChunk *chunk) {
    double moved2 = 0;
    for (int i = chunk->first; i < chunk->end; i++) {
        if (cloud->body[i] != RB_GRAIN_FREE) continue;
        RbQuad r = cloud->r[i], from = cloud->listed[i];
        double dx = r.x - from.x, dy = r.y - from.y, dz = r.z - from.z;
        double d2 = dx * dx + dy * dy + dz * dz;
        moved2 = d2 > moved2 ? d2 : moved2;
    }
    return moved2;
}

// After a step by `way2` at most, along each axis. How far grains have moved altogether need be known exactly only where the sum of such ways
// may be half a skin: places for which the list was made are seldom read.
static void add_way(const RbCloud *cloud, RbGrainChunk *chunk, const RbFour *way2) {
    const double roundings = 1e-9;
    double way = sqrt((*way2)[0] + (*way2)[1] + (*way2)[2]);
    chunk->moved += (1 + roundings) * way;
    chunk->moved2 = 0;
    if (chunk->moved < 0.5 * cloud->options.skin) return;
    chunk->moved2 = farthest2(cloud, chunk);
    chunk->moved = (1 + roundings) * sqrt(chunk->moved2);
}

RB_WIDE static void predict(void *user, int number) {
    RbCloud *cloud = user;
    RbGrainChunk *chunk = &cloud->chunks[number];
    double h = cloud->step, half = 0.5 * h;
    Vec3 g = cloud->options.gravity;
    RbFour fall = {h * g.x, h * g.y, h * g.z, 0}, way2 = {0, 0, 0, 0};
    RbFourBits known = {-1, -1, -1, -1};
    bool others = rb_cloud_has_others(cloud);
    for (int i = chunk->first; i < chunk->end; i++) {
        if (others && cloud->body[i] != RB_GRAIN_FREE) continue;
        RbFour r, v, w, f, t;
        Two per;
        rb_four_load(&r, &cloud->r[i]), rb_four_load(&v, &cloud->v[i]);
        rb_four_load(&w, &cloud->w[i]), rb_four_load(&f, &cloud->f[i]);
        rb_four_load(&t, &cloud->t[i]);
        per_inertia(h, &r, &v, &per);
        RbFour by = per[0] * f + fall, spin = per[1] * t, way = h * v + half * by;
        rb_four_three(&by), rb_four_three(&spin), rb_four_three(&way);
        RbFour to = r + way, moved = to - r, moved2 = moved * moved;
        v += by, w += spin;
        rb_four_store(&cloud->r[i], &to), rb_four_store(&cloud->v[i], &v);
        rb_four_store(&cloud->w[i], &w);
        rb_four_raise(&way2, &moved2);
        known &= moved2 < INFINITY;
    }
    chunk->lost = !(known[0] & known[1] & known[2]);
    add_way(cloud, chunk, &way2);
}

static double speed2(const RbQuad *v) {
    return v->x * v->x + v->y * v->y + v->z * v->z;
}

RB_WIDE static void correct(void *user, int number) {
    RbCloud *cloud = user;
    RbGrainChunk *chunk = &cloud->chunks[number];
    double half = 0.5 * cloud->step, fastest2 = 0;
    bool others = rb_cloud_has_others(cloud);
    for (int i = chunk->first; i < chunk->end; i++) {
        if (others && cloud->body[i] == RB_GRAIN_PUPPET)
            fastest2 = fmax(fastest2, speed2(&cloud->v[i]));
        if (others && cloud->body[i] != RB_GRAIN_FREE) continue;
        RbFour r, v, w, f, f0, t, t0;
        Two per;
        rb_four_load(&r, &cloud->r[i]), rb_four_load(&v, &cloud->v[i]);
        rb_four_load(&w, &cloud->w[i]);
        rb_four_load(&f, &cloud->f1[i]), rb_four_load(&f0, &cloud->f[i]);
        rb_four_load(&t, &cloud->t1[i]), rb_four_load(&t0, &cloud->t[i]);
        per_inertia(half, &r, &v, &per);
        RbFour by = per[0] * (f - f0), spin = per[1] * (t - t0);
        rb_four_three(&by), rb_four_three(&spin);
        v += by, w += spin;
        rb_four_store(&cloud->v[i], &v), rb_four_store(&cloud->w[i], &w);
        RbFour v2 = v * v;
        double speed = v2[0] + v2[1] + v2[2];
        fastest2 = speed > fastest2 ? speed : fastest2;
    }
    chunk->fastest2 = fastest2;
}

static void swap(RbQuad **a, RbQuad **b) {
    RbQuad *keep = *a;
    *a = *b;
    *b = keep;
}

// Is the list still good? Two grains that were a skin apart may each have moved by half of it.
static bool list_holds(RbCloud *cloud) {
    double half_skin = 0.5 * cloud->options.skin, moved2 = cloud->puppets_moved2;
    cloud->lost |= !(moved2 < INFINITY);
    for (int c = 0; c < cloud->chunk_count; c++) {
        moved2 = fmax(moved2, cloud->chunks[c].moved2);
        cloud->lost |= cloud->chunks[c].lost;
    }
    for (int c = 0; cloud->bodies.count > 0 && c < cloud->body_chunk_count; c++) {
        moved2 = fmax(moved2, cloud->body_chunks[c].moved2);
        cloud->lost |= cloud->body_chunks[c].lost;
    }
    if (!(moved2 < half_skin * half_skin)) return false;
    for (int k = 0; k < cloud->walls.count; k++) {
        if (!(rb_grain_wall_moved(&cloud->walls.data[k]) < half_skin)) return false;
    }
    return true;
}

void rb_cloud_account(RbCloud *cloud) {
    if (!cloud->options.ledger) return;
    const RbGrainPowers *a = &cloud->powers_before, *b = &cloud->powers;
    double half = 0.5 * cloud->step;
    cloud->damped += half * (a->damping + b->damping) + b->parted;
    cloud->slid += half * (a->sliding + b->sliding);
    cloud->resisted += half * (a->resistance + b->resistance);
    cloud->driven += half * (a->driven + b->driven);
    cloud->dragged += half * (a->medium + b->medium);
}

// Half of a step of what goes on at the walls: as it is before the step, and after it.
void rb_cloud_sum_walls(RbCloud *cloud) {
    double half = 0.5 * cloud->step;
    for (int k = 0; k < cloud->walls.count; k++) {
        RbWallSums *sum = &cloud->wall_sums[k];
        sum->impulse = v3_axpy(sum->impulse, half, cloud->wall_loads[k].f);
        sum->belt += half * cloud->wall_powers[k].belt;
        sum->slid += half * cloud->wall_powers[k].slid;
    }
}

static void advance_walls(RbCloud *cloud) {
    for (int k = 0; k < cloud->walls.count; k++)
        rb_grain_wall_advance(&cloud->walls.data[k], cloud->step);
}

// --------------------------------------------------------------------------------------------------
// how long a step is

static void find_fastest(RbCloud *cloud) {
    double fastest2 = 0;
    for (int c = 0; c < cloud->chunk_count; c++)
        fastest2 = fmax(fastest2, cloud->chunks[c].fastest2);
    for (int c = 0; cloud->bodies.count > 0 && c < cloud->body_chunk_count; c++)
        fastest2 = fmax(fastest2, cloud->body_chunks[c].fastest2);
    cloud->fastest = sqrt(fastest2);
}

// In one step nobody moves by more than a tenth of the smallest radius, so that two who meet are seen before they are a fifth deep; and
// contacts have as many steps as is wanted: those of now, at the frequency of the stiffest, and those that the fastest may have.
double rb_cloud_longest_step(const RbCloud *cloud) {
    const double way = 0.1, contact = 4.03; // radii; 1/(ω h)
    const RbCloudOptions *o = &cloud->options;
    double fastest = cloud->fastest;
    for (int k = 0; k < cloud->walls.count; k++)
        fastest = fmax(fastest, rb_grain_wall_speed(&cloud->walls.data[k]));
    double longest = fastest > 0 ? way * cloud->smallest / fastest : INFINITY;
    if (o->resolution > 0 && cloud->stiffest > 0)
        longest = fmin(longest, contact / (cloud->stiffest * o->resolution));
    if (o->resolution > 0 && o->contact_time > 0 && fastest > 0)
        longest = fmin(longest, o->contact_time * pow(fastest, -0.2) / o->resolution);
    return longest;
}

// It is halved at once, and doubled again after a while if there is room.
int rb_cloud_halvings(const RbCloud *cloud, double longest) {
    const long patience = 100;
    int halved = cloud->halved;
    while (halved < RB_CLOUD_HALVINGS && !(ldexp(cloud->options.step, -halved) <= longest))
        halved++;
    bool waited = cloud->steps - cloud->origin_steps >= patience;
    if (halved > 0 && halved == cloud->halved && waited && 3 * cloud->step < longest) halved--;
    return halved;
}

void rb_cloud_halve(RbCloud *cloud, int halved) {
    cloud->origin = cloud->time, cloud->origin_steps = cloud->steps;
    cloud->halved = halved;
    cloud->step = ldexp(cloud->options.step, -halved);
}

void rb_cloud_count_step(RbCloud *cloud) {
    cloud->steps++;
    cloud->time = cloud->origin + (double)(cloud->steps - cloud->origin_steps) * cloud->step;
}

static void choose_step(RbCloud *cloud) {
    double longest = rb_cloud_longest_step(cloud);
    int halved = rb_cloud_halvings(cloud, longest);
    if (halved != cloud->halved) {
        rb_cloud_halve(cloud, halved);
        rb_cloud_shift_springs(cloud);
    }
    cloud->too_fast = !(cloud->step <= longest);
}

void rb_cloud_step(RbCloud *cloud, const RbGrainCarrier *carrier) {
    if (!cloud->list_valid) rb_cloud_make_list(cloud);
    choose_step(cloud);
    rb_team_run(cloud->team, cloud->chunk_count, predict, cloud);
    rb_cloud_predict_bodies(cloud);
    rb_cloud_count_step(cloud);
    cloud->puppets_moved2 = 0;
    if (carrier)
        carrier->move(carrier->user, cloud);
    else
        advance_walls(cloud);
    if (!list_holds(cloud)) rb_cloud_make_list(cloud);
    rb_cloud_sum_walls(cloud);
    rb_cloud_forces(cloud, false, correct);
    rb_cloud_sum_walls(cloud);
    cloud->coarsest = fmax(cloud->coarsest, cloud->stiffest * cloud->step);
    rb_cloud_correct_bodies(cloud);
    find_fastest(cloud);
    rb_cloud_keep_body_loads(cloud);
    swap(&cloud->f, &cloud->f1);
    swap(&cloud->t, &cloud->t1);
    rb_cloud_account(cloud);
    rb_cloud_find_deep(cloud);
    if (carrier) carrier->loaded(carrier->user, cloud);
}

void rb_cloud_evaluate(RbCloud *cloud) {
    rb_cloud_make_list(cloud);
    rb_cloud_forces(cloud, true, NULL);
    rb_cloud_keep_body_loads(cloud);
    swap(&cloud->f, &cloud->f1);
    swap(&cloud->t, &cloud->t1);
}

void rb_cloud_start(RbCloud *cloud) {
    rb_cloud_evaluate(cloud);
    cloud->damped = cloud->slid = cloud->resisted = cloud->driven = cloud->added = 0;
    cloud->dragged = 0;
    cloud->energy_start = 0;
    cloud->energy_start = rb_cloud_ledger(cloud).balance;
}

void rb_cloud_place(RbCloud *cloud) {
    cloud->list_valid = false;
    memset(cloud->memory_count, 0, (size_t)cloud->count * sizeof *cloud->memory_count);
    rb_cloud_evaluate(cloud);
}

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

static void predict(void *user, int number) {
    RbCloud *cloud = user;
    RbGrainChunk *chunk = &cloud->chunks[number];
    double h = cloud->step, half = 0.5 * h, moved2 = 0;
    Vec3 g = cloud->options.gravity;
    bool lost = false, others = rb_cloud_has_others(cloud);
    for (int i = chunk->first; i < chunk->end; i++) {
        if (others && cloud->body[i] != RB_GRAIN_FREE) continue;
        RbQuad *r = &cloud->r[i], *v = &cloud->v[i], *w = &cloud->w[i];
        RbQuad f = cloud->f[i], t = cloud->t[i], from = cloud->listed[i];
        double per_mass = h / v->w, per_inertia = 2.5 * h / (v->w * r->w * r->w);
        double x = per_mass * f.x + h * g.x, y = per_mass * f.y + h * g.y;
        double z = per_mass * f.z + h * g.z;
        r->x += h * v->x + half * x;
        r->y += h * v->y + half * y;
        r->z += h * v->z + half * z;
        v->x += x, v->y += y, v->z += z;
        w->x += per_inertia * t.x, w->y += per_inertia * t.y, w->z += per_inertia * t.z;
        double dx = r->x - from.x, dy = r->y - from.y, dz = r->z - from.z;
        double d2 = dx * dx + dy * dy + dz * dz;
        moved2 = d2 > moved2 ? d2 : moved2;
        lost |= !(d2 < INFINITY);
    }
    chunk->moved2 = moved2;
    chunk->lost = lost;
}

static double speed2(const RbQuad *v) {
    return v->x * v->x + v->y * v->y + v->z * v->z;
}

static void correct(void *user, int number) {
    RbCloud *cloud = user;
    RbGrainChunk *chunk = &cloud->chunks[number];
    double half = 0.5 * cloud->step, fastest2 = 0;
    bool others = rb_cloud_has_others(cloud);
    for (int i = chunk->first; i < chunk->end; i++) {
        RbQuad *v = &cloud->v[i], *w = &cloud->w[i];
        if (others && cloud->body[i] == RB_GRAIN_PUPPET) fastest2 = fmax(fastest2, speed2(v));
        if (others && cloud->body[i] != RB_GRAIN_FREE) continue;
        RbQuad f = cloud->f1[i], f0 = cloud->f[i], t = cloud->t1[i], t0 = cloud->t[i];
        double radius = cloud->r[i].w;
        double per_mass = half / v->w, per_inertia = 2.5 * half / (v->w * radius * radius);
        v->x += per_mass * (f.x - f0.x);
        v->y += per_mass * (f.y - f0.y);
        v->z += per_mass * (f.z - f0.z);
        w->x += per_inertia * (t.x - t0.x);
        w->y += per_inertia * (t.y - t0.y);
        w->z += per_inertia * (t.z - t0.z);
        double v2 = speed2(v);
        fastest2 = v2 > fastest2 ? v2 : fastest2;
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

static void account(RbCloud *cloud) {
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
static void sum_walls(RbCloud *cloud) {
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
static double longest_step(const RbCloud *cloud) {
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

static void change_step(RbCloud *cloud, int halved) {
    if (halved == cloud->halved) return;
    cloud->origin = cloud->time, cloud->origin_steps = cloud->steps;
    cloud->halved = halved;
    cloud->step = ldexp(cloud->options.step, -halved);
    rb_cloud_shift_springs(cloud);
}

// It is halved at once, and doubled again after a while if there is room.
static void choose_step(RbCloud *cloud) {
    const long patience = 100;
    double longest = longest_step(cloud);
    int halved = cloud->halved;
    while (halved < RB_CLOUD_HALVINGS && !(ldexp(cloud->options.step, -halved) <= longest))
        halved++;
    bool waited = cloud->steps - cloud->origin_steps >= patience;
    if (halved > 0 && halved == cloud->halved && waited && 3 * cloud->step < longest) halved--;
    change_step(cloud, halved);
    cloud->too_fast = !(cloud->step <= longest);
}

void rb_cloud_step(RbCloud *cloud, const RbGrainCarrier *carrier) {
    if (!cloud->list_valid) rb_cloud_make_list(cloud);
    choose_step(cloud);
    rb_team_run(cloud->team, cloud->chunk_count, predict, cloud);
    rb_cloud_predict_bodies(cloud);
    cloud->steps++;
    cloud->time = cloud->origin + (double)(cloud->steps - cloud->origin_steps) * cloud->step;
    cloud->puppets_moved2 = 0;
    if (carrier)
        carrier->move(carrier->user, cloud);
    else
        advance_walls(cloud);
    if (!list_holds(cloud)) rb_cloud_make_list(cloud);
    sum_walls(cloud);
    rb_cloud_forces(cloud, false);
    sum_walls(cloud);
    cloud->coarsest = fmax(cloud->coarsest, cloud->stiffest * cloud->step);
    rb_team_run(cloud->team, cloud->chunk_count, correct, cloud);
    rb_cloud_correct_bodies(cloud);
    find_fastest(cloud);
    rb_cloud_keep_body_loads(cloud);
    swap(&cloud->f, &cloud->f1);
    swap(&cloud->t, &cloud->t1);
    account(cloud);
    rb_cloud_find_deep(cloud);
    if (carrier) carrier->loaded(carrier->user, cloud);
}

void rb_cloud_evaluate(RbCloud *cloud) {
    rb_cloud_make_list(cloud);
    rb_cloud_forces(cloud, true);
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

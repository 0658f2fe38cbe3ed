// SPDX-License-Identifier: MIT
// Forces of all contacts. Of the pairs listed, those that touch are collected into blocks, for which the
// law is computed at once. Each chunk adds up what acts on its own grains; what acts on a grain of another
// chunk is left in a place of its own, and that chunk collects it afterwards, in the order of the list.
#include <math.h>
#include <string.h>

#include "dem/cloud_faces.h"
#include "dem/cloud_parts.h"
#include "dem/four.h"

typedef struct Forces {
    RbCloud *cloud;
    bool start;
    RbTeamWork *after;
} Forces;

static inline void add(RbQuad *q, double x, double y, double z) {
    q->x += x, q->y += y, q->z += z;
}

static inline Vec3 force_on(const RbGrainBlock *b, int m) {
    return v3(b->fx[m], b->fy[m], b->fz[m]);
}

// Torque with a lever arm; sign of rolling resistance.
static inline Vec3 torque_on(const RbGrainBlock *b, int m, double arm, bool turning, double sign) {
    Vec3 t = v3(-arm * b->cx[m], -arm * b->cy[m], -arm * b->cz[m]);
    return turning ? v3_axpy(t, sign, v3(b->tx[m], b->ty[m], b->tz[m])) : t;
}

static void note(const RbCloud *cloud, RbGrainChunk *chunk, const RbGrainBlock *b) {
    rb_grain_block_extremes(b, &chunk->stiffest2, &chunk->deepest);
    if (!cloud->options.ledger) return;
    RbGrainPowers *p = &chunk->powers;
    for (int m = 0; m < b->count; m++) {
        p->normal += b->stored[0][m];
        p->tangential += b->stored[1][m];
        p->damping += b->power[0][m];
        p->sliding += b->power[1][m];
        if (cloud->reach > 0) p->parted += b->lost[m];
        if (!cloud->turning) continue;
        p->turning += b->stored[2][m];
        p->resistance += b->power[2][m];
    }
}

static void finish(RbCloud *cloud, RbGrainChunk *chunk, RbGrainList *list, RbGrainBlock *b) {
    rb_cloud_gather(cloud, list, b);
    rb_grain_block_law(b, rb_cloud_terms(cloud, cloud->options.ledger));
    rb_cloud_scatter(cloud, list, list == &chunk->outside ? chunk->slots : NULL, b);
    note(cloud, chunk, b);
    chunk->contacts += b->count;
    b->count = 0;
}

// What will be wanted is asked for early: places of grains AHEAD of the list (which has so many more entries than it says), velocities
// as soon as a pair is looked at.
enum { AHEAD = RB_GRAIN_AHEAD };

static void forget(const RbCloud *cloud, RbGrainList *list, const int *slots, int k) {
    list->touches[k] = 0;
    list->slide[k] = V3_ZERO;
    if (list->turn) list->turn[k] = V3_ZERO;
    if (slots) cloud->reactions[slots[k]].f.w = 0;
}

// Into the block go those that touch: from the pair k on, until it is full or the list ends. Returns the next pair. (No branches that nobody can foresee.)
static int find_one_by_one(const RbCloud *cloud, RbGrainList *list, const int *slots, int k,
                           RbGrainBlock *b) {
    const RbQuad *r = cloud->r;
    for (; k < list->count && b->count < RB_GRAIN_BLOCK; k++) {
        int i = list->own[k], j = list->other[k];
        RbQuad q = r[j];
        if (list->image) {
            Vec3 by = cloud->images[list->image[k]];
            q.x += by.x, q.y += by.y, q.z += by.z;
        }
        double x = r[i].x - q.x, y = r[i].y - q.y, z = r[i].z - q.z;
        double sum = r[i].w + q.w + (double)(list->touches[k] & RB_GRIPS) * cloud->reach;
        bool touches = x * x + y * y + z * z < sum * sum;
        b->i[b->count] = i, b->j[b->count] = j, b->pair[b->count] = k;
        b->count += touches;
        if ((list->touches[k] & RB_GRIPS) & !touches) forget(cloud, list, slots, k);
    }
    return k;
}

// Four at a time, of those that are where they are seen, and do not reach farther than their surfaces.
RB_WIDE static int find_by_fours(const RbCloud *cloud, RbGrainList *list, const int *slots, int k,
                                 RbGrainBlock *b) {
    const RbQuad *r = cloud->r, *v = cloud->v, *w = cloud->w;
    const RbFour less = {1, 1, 1, -1};
    int m = b->count;
    for (; k + 4 <= list->count && m < RB_GRAIN_BLOCK; k += 4) {
        const int *own = list->own + k, *other = list->other + k;
        const RbGrip *touched = list->touches + k;
        RbFour d2[4];
        __builtin_prefetch(&list->slide[k + 8]);
        __builtin_prefetch(&list->slide[k + 10]);
        for (int l = 0; l < 4; l++) { // squares of x, y, z and of the sum of radii
            RbFour a, q;
            rb_four_load(&a, &r[own[l]]), rb_four_load(&q, &r[other[l]]);
            a = less * a - q;
            d2[l] = a * a;
            __builtin_prefetch(&r[other[l + AHEAD]]);
            __builtin_prefetch(&v[other[l]]);
            __builtin_prefetch(&w[other[l]]);
        }
        rb_four_transpose(d2);
        RbFourBits near = d2[0] + d2[1] + d2[2] < d2[3];
        int left = 0;
        for (int l = 0; l < 4; l++) {
            int touches = (int)near[l]; // or -1
            b->i[m] = own[l], b->j[m] = other[l], b->pair[m] = k + l;
            m -= touches;
            left |= touched[l] & ~touches;
        }
        for (int l = 0; (left & RB_GRIPS) && l < 4; l++) {
            if ((touched[l] & RB_GRIPS) && !near[l]) forget(cloud, list, slots, k + l);
        }
    }
    b->count = m;
    return k;
}

// Four that are found may be more than there is room for.
static void finish_full(RbCloud *cloud, RbGrainChunk *chunk, RbGrainList *list, RbGrainBlock *b) {
    int more = b->count - RB_GRAIN_BLOCK;
    if (more > 0) b->count = RB_GRAIN_BLOCK;
    finish(cloud, chunk, list, b);
    for (; b->count < more; b->count++) {
        int from = RB_GRAIN_BLOCK + b->count;
        b->i[b->count] = b->i[from], b->j[b->count] = b->j[from];
        b->pair[b->count] = b->pair[from];
    }
}

static void touch_list(RbCloud *cloud, RbGrainChunk *chunk, RbGrainList *list, RbGrainBlock *b) {
    const int *slots = list == &chunk->outside ? chunk->slots : NULL;
    bool plain = !list->image && !(cloud->reach > 0);
    for (int k = 0; k < list->count || b->count > 0;) {
        if (plain) k = find_by_fours(cloud, list, slots, k, b);
        if (!plain || k + 4 > list->count) k = find_one_by_one(cloud, list, slots, k, b);
        if (b->count > 0) finish_full(cloud, chunk, list, b);
    }
}

// --------------------------------------------------------------------------------------------------
// walls

bool rb_cloud_gather_wall(const RbCloud *cloud, RbWallPair *p, RbGrainBlock *b) {
    int m = b->count, i = p->grain;
    const RbGrainWall *wall = &cloud->walls.data[p->wall];
    RbQuad r = cloud->r[i];
    Vec3 n, centre = v3(r.x, r.y, r.z);
    double most = p->touches ? r.w + cloud->reach : r.w;
    double distance = rb_grain_wall_distance(wall, p->face, centre, most, &p->hint, &n);
    if (!(distance < most)) return false;
    RbQuad v = cloud->v[i], w = cloud->w[i];
    double depth = r.w - distance, arm = r.w - 0.5 * depth;
    // The velocity of the wall where they touch is put to that of the centre.
    Vec3 point = v3_axpy(centre, -arm, n);
    Vec3 of_wall = v3_add(wall->V.v, v3_cross(wall->V.w, v3_sub(point, wall->X.r)));
    of_wall = v3_add(of_wall, rb_grain_wall_surface(wall, n));
    b->nx[m] = n.x, b->ny[m] = n.y, b->nz[m] = n.z;
    // A body that yields does so to all contacts of a clump at once.
    double at_once, mass = rb_cloud_contact_mass(cloud, i, n, &at_once);
    b->depth[m] = depth, b->radius[m] = r.w;
    b->mass[m] = mass / (1 + wall->per_mass * at_once * mass);
    b->la[m] = arm, b->lb[m] = 0;
    b->sx[m] = arm * w.x, b->sy[m] = arm * w.y, b->sz[m] = arm * w.z;
    b->ux[m] = v.x - of_wall.x, b->uy[m] = v.y - of_wall.y, b->uz[m] = v.z - of_wall.z;
    b->px[m] = w.x - wall->V.w.x, b->py[m] = w.y - wall->V.w.y, b->pz[m] = w.z - wall->V.w.z;
    rb_grain_block_take_grip(b, m, p->touches);
    b->hx[m] = p->slide.x, b->hy[m] = p->slide.y, b->hz[m] = p->slide.z;
    b->gx[m] = p->turn.x, b->gy[m] = p->turn.y, b->gz[m] = p->turn.z;
    rb_cloud_wall_law(cloud, w.w, wall->material, b, m);
    b->i[m] = i;
    b->count++;
    return true;
}

// Force and torque on the grain; the opposite on the wall, at the point where they touch.
static void scatter_wall(RbCloud *cloud, RbGrainChunk *chunk, RbWallPair *p, const RbGrainBlock *b,
                         int m) {
    const RbGrainWall *wall = &cloud->walls.data[p->wall];
    RbWallPowers *powers = &chunk->wall_powers[p->wall];
    int i = p->grain;
    Vec3 force = force_on(b, m), torque = torque_on(b, m, b->la[m], cloud->turning, 1);
    p->touches =
        !(cloud->reach > 0) || b->lasts[m] > 0 ? rb_grain_block_grip(b, m, cloud->turning) : 0;
    p->slide = v3(b->hx[m], b->hy[m], b->hz[m]);
    if (cloud->turning) p->turn = v3(b->gx[m], b->gy[m], b->gz[m]);
    add(&cloud->f1[i], force.x, force.y, force.z);
    add(&cloud->t1[i], torque.x, torque.y, torque.z);
    Vec3 centre = v3(cloud->r[i].x, cloud->r[i].y, cloud->r[i].z);
    Vec3 n = v3(b->nx[m], b->ny[m], b->nz[m]), point = v3_axpy(centre, -b->la[m], n);
    Vec3 turned = cloud->turning ? v3(b->tx[m], b->ty[m], b->tz[m]) : V3_ZERO;
    Wrench *load = &chunk->loads[p->wall];
    Vec3 arm = v3_sub(point, wall->X.r);
    Vec3 back = v3_neg(v3_add(v3_cross(arm, force), turned));
    load->f = v3_sub(load->f, force);
    load->t = v3_add(load->t, back);
    powers->contacts++;
    if (!cloud->options.ledger) return;
    double belt = v3_dot(force, rb_grain_wall_surface(wall, n));
    powers->belt += belt;
    powers->slid += b->power[1][m];
    chunk->powers.driven += v3_dot(force, v3_add(wall->V.v, v3_cross(wall->V.w, arm))) +
                            v3_dot(turned, wall->V.w) + belt;
}

static void finish_walls(RbCloud *cloud, RbGrainChunk *chunk, RbGrainBlock *b) {
    rb_grain_block_law(b, rb_cloud_terms(cloud, cloud->options.ledger));
    for (int m = 0; m < b->count; m++)
        scatter_wall(cloud, chunk, &chunk->walls.data[b->pair[m]], b, m);
    note(cloud, chunk, b);
    chunk->wall_contacts += b->count;
    b->count = 0;
}

static void touch_walls(RbCloud *cloud, RbGrainChunk *chunk, RbGrainBlock *b) {
    memset(chunk->loads, 0, (size_t)cloud->walls.count * sizeof *chunk->loads);
    memset(chunk->wall_powers, 0, (size_t)cloud->walls.count * sizeof *chunk->wall_powers);
    for (int k = 0; k < chunk->walls.count; k++) {
        RbWallPair *p = &chunk->walls.data[k];
        b->pair[b->count] = k;
        if (rb_cloud_gather_wall(cloud, p, b)) {
            if (b->count == RB_GRAIN_BLOCK) finish_walls(cloud, chunk, b);
        } else if (p->touches) {
            p->touches = 0;
            p->slide = p->turn = V3_ZERO;
        }
    }
    if (b->count > 0) finish_walls(cloud, chunk, b);
}

// ---------------------------------------------------------------------------------------------------
// the medium

// [N s/m] Force per speed of a sphere, by Schiller and Naumann (1933): Stokes' for small Reynolds numbers, then more, and from
// Re = 1000 on with the coefficient 0.44.
static double drag_per_speed(const RbGrainMedium *medium, double radius, double speed) {
    double stokes = 6 * M_PI * medium->viscosity * radius;
    double newton = 0.5 * 0.44 * M_PI * medium->density * radius * radius * speed;
    if (!(medium->viscosity > 0)) return newton;
    double re = 2 * radius * medium->density * speed / medium->viscosity;
    return fmax(stokes * (1 + 0.15 * pow(re, 0.687)), newton);
}

Wrench rb_grain_immersed(const RbCloud *cloud, double R, Vec3 v, Vec3 w, double *power) {
    const RbGrainMedium *medium = &cloud->options.medium;
    double R3 = R * R * R, t = 8 * M_PI * medium->viscosity * R3;
    Vec3 slip = v3_sub(v, medium->velocity);
    double c = drag_per_speed(medium, R, v3_norm(slip));
    Vec3 lift = v3_scale(-4.0 / 3.0 * M_PI * R3 * medium->density, cloud->options.gravity);
    Vec3 force = v3_axpy(lift, -c, slip);
    *power -= v3_dot(force, v) - t * v3_norm2(w);
    return (Wrench){v3_scale(-t, w), force};
}

// Where forces of a chunk begin, instead of zero.
static void immerse(RbCloud *cloud, RbGrainChunk *chunk) {
    for (int i = chunk->first; i < chunk->end; i++) {
        RbQuad v = cloud->v[i], w = cloud->w[i];
        if (cloud->body[i] != RB_GRAIN_FREE) continue;
        Wrench a = rb_grain_immersed(cloud, cloud->r[i].w, v3(v.x, v.y, v.z), v3(w.x, w.y, w.z),
                                     &chunk->powers.medium);
        cloud->f1[i] = (RbQuad){a.f.x, a.f.y, a.f.z, 0};
        cloud->t1[i] = (RbQuad){a.t.x, a.t.y, a.t.z, 0};
    }
}

// ---------------------------------------------------------------------------------------------------
// chunks

static void chunk_forces(void *user, int number) {
    const Forces *forces = user;
    RbCloud *cloud = forces->cloud;
    RbGrainChunk *chunk = &cloud->chunks[number];
    size_t bytes = (size_t)(chunk->end - chunk->first) * sizeof(RbQuad);
    memset(cloud->f1 + chunk->first, 0, bytes);
    memset(cloud->t1 + chunk->first, 0, bytes);
    chunk->powers = (RbGrainPowers){0};
    chunk->stiffest2 = chunk->deepest = 0;
    chunk->contacts = chunk->wall_contacts = 0;
    if (cloud->options.medium.density > 0 || cloud->options.medium.viscosity > 0)
        immerse(cloud, chunk);
    RbGrainBlock block;
    rb_cloud_empty_block(cloud, forces->start, &block);
    touch_list(cloud, chunk, &chunk->inside, &block);
    touch_list(cloud, chunk, &chunk->outside, &block);
    touch_walls(cloud, chunk, &block);
    if (cloud->has_faces) rb_cloud_press_faces(cloud, chunk, forces->start);
}

static void collect_reactions(void *user, int number) {
    const Forces *forces = user;
    RbCloud *cloud = forces->cloud;
    const RbGrainChunk *chunk = &cloud->chunks[number];
    for (int k = 0; k < chunk->left_count; k++) {
        const RbReaction *reaction = &chunk->left[k];
        int i = chunk->receivers[k];
        if (!(reaction->f.w > 0)) continue;
        add(&cloud->f1[i], reaction->f.x, reaction->f.y, reaction->f.z);
        add(&cloud->t1[i], reaction->t.x, reaction->t.y, reaction->t.z);
    }
    if (forces->after) forces->after(cloud, number);
}

// [W] What puppets do to the grains.
static double puppet_power(const RbCloud *cloud) {
    double power = 0;
    for (int i = 0; cloud->puppet_count > 0 && i < cloud->count; i++) {
        if (cloud->body[i] != RB_GRAIN_PUPPET) continue;
        RbQuad f = cloud->f1[i], t = cloud->t1[i], v = cloud->v[i], w = cloud->w[i];
        power -= f.x * v.x + f.y * v.y + f.z * v.z + t.x * w.x + t.y * w.y + t.z * w.z;
    }
    return power;
}

static void sum_chunks(RbCloud *cloud) {
    RbGrainPowers sum = {0};
    double stiffest2 = 0;
    cloud->contacts = cloud->wall_contacts = 0;
    cloud->deepest = 0;
    for (int k = 0; k < cloud->walls.count; k++) {
        cloud->wall_loads[k] = WRENCH_ZERO;
        cloud->wall_powers[k] = (RbWallPowers){0};
    }
    for (int c = 0; c < cloud->chunk_count; c++) {
        const RbGrainChunk *chunk = &cloud->chunks[c];
        const RbGrainPowers *p = &chunk->powers;
        sum.normal += p->normal, sum.tangential += p->tangential, sum.turning += p->turning;
        sum.damping += p->damping, sum.sliding += p->sliding, sum.resistance += p->resistance;
        sum.driven += p->driven;
        sum.parted += p->parted;
        sum.medium += p->medium;
        stiffest2 = fmax(stiffest2, chunk->stiffest2);
        cloud->deepest = fmax(cloud->deepest, chunk->deepest);
        cloud->contacts += chunk->contacts;
        cloud->wall_contacts += chunk->wall_contacts;
        for (int k = 0; k < cloud->walls.count; k++) {
            Wrench *load = &cloud->wall_loads[k];
            load->f = v3_add(load->f, chunk->loads[k].f);
            load->t = v3_add(load->t, chunk->loads[k].t);
            RbWallPowers *power = &cloud->wall_powers[k];
            power->belt += chunk->wall_powers[k].belt;
            power->slid += chunk->wall_powers[k].slid;
            power->contacts += chunk->wall_powers[k].contacts;
        }
    }
    for (int c = 0; cloud->bodies.count > 0 && c < cloud->body_chunk_count; c++)
        sum.medium += cloud->body_chunks[c].medium;
    sum.driven += puppet_power(cloud);
    cloud->powers_before = cloud->powers;
    cloud->powers = sum;
    cloud->stiffest = sqrt(stiffest2);
}

void rb_cloud_run_belts(RbCloud *cloud) {
    for (int k = 0; k < cloud->walls.count; k++)
        rb_grain_wall_run_belt(&cloud->walls.data[k], cloud->time);
}

void rb_cloud_shift_springs(RbCloud *cloud) {
    Forces forces = {cloud, true, NULL};
    rb_team_run(cloud->team, cloud->chunk_count, chunk_forces, &forces);
    cloud->ahead = cloud->step;
}

void rb_cloud_forces(RbCloud *cloud, bool start, RbTeamWork *after) {
    Forces forces = {cloud, start, cloud->has_faces ? NULL : after};
    rb_cloud_run_belts(cloud);
    rb_team_run(cloud->team, cloud->chunk_count, chunk_forces, &forces);
    rb_team_run(cloud->team, cloud->chunk_count, collect_reactions, &forces);
    if (cloud->has_faces) rb_cloud_collect_faces(cloud);
    if (cloud->has_faces && after) rb_team_run(cloud->team, cloud->chunk_count, after, cloud);
    rb_cloud_load_bodies(cloud);
    sum_chunks(cloud);
    cloud->ahead = cloud->step;
}

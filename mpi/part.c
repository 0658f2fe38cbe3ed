// SPDX-License-Identifier: MIT
#include "part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dem/cloud_parts.h"
#include "dem/remote.h"

struct Part {
    RbHeap heap;
    RbArena arena;
    RbCloud *cloud; // of own grains, which see the walls alone; identities are the caller's numbers
    double reach;   // [m]
    RbRemoteExtent extent;
    int *at; // per own grain of the caller: its place in the cloud
    int at_room;
    RbGrainPowers pairs; // of contacts of grains
    RbGrainPowers kept;
    double kept_stiffest;
    double pair_contacts, pair_stiffest2, pair_deepest;
    RbCarried carried;
    RbCarriedBody *bodies;
    int *of_wall;
    Pose *in_body;
    int body_room, wall_room;
    RbRemoteOrder order;
    int64_t made;
    double longest;    // [s] the next step of all processes
    Wrench *own_loads; // per wall, while those of all are in the cloud
    bool ahead, too_fast, lost;
    unsigned char *answer;
    size_t answer_room;
};

static void set_skin(Part *p);

static void forget_sums(RbCloud *c) {
    c->damped = c->slid = c->resisted = c->dragged = c->driven = 0;
    memset(c->wall_sums, 0, (size_t)c->walls.count * sizeof *c->wall_sums);
}

// False: no such bytes, or no memory.
static bool open_cloud(Part *p, const void *setup, size_t size, bool first) {
    RB_PROTECT(&p->heap, false);
    p->cloud = rb_remote_unpack_setup(setup, size, &p->arena, &p->extent);
    if (!p->cloud) return false;
    if (!first) forget_sums(p->cloud);
    p->own_loads = rb_new_array(&p->arena, Wrench, p->cloud->walls.count + 1);
    p->longest = INFINITY;
    set_skin(p);
    return true;
}

Part *part_open(const void *setup, size_t size, bool first) {
    Part *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->heap = rb_heap(NULL);
    p->arena = rb_arena(&p->heap);
    if (open_cloud(p, setup, size, first)) return p;
    part_close(p);
    return NULL;
}

void part_close(Part *p) {
    rb_arena_free(&p->arena);
    free(p->at), free(p->bodies), free(p->of_wall), free(p->in_body), free(p->answer);
    free(p);
}

int part_materials(const Part *p) {
    return p->cloud->options.materials;
}
double part_step(const Part *p) {
    return p->cloud->step;
}
double part_skin(const Part *p) {
    return p->cloud->options.skin;
}
double part_reach(const Part *p) {
    return p->reach;
}

double part_largest(const Part *p) {
    return p->extent.largest;
}
double part_mean(const Part *p) {
    return p->extent.mean;
}

void part_extent(const Part *p, double low[3], double high[3]) {
    v3_store(low, p->extent.low), v3_store(high, p->extent.high);
}

// How far lists look: so far as those reach that stick, by the rule of our own cloud.
static void set_skin(Part *p) {
    RbCloudOptions *o = &p->cloud->options, sticky = *o;
    double largest = p->extent.largest, mean = p->extent.mean;
    sticky.skin = 1e-300;
    p->reach = 0.5 * rb_cloud_widest_skin(&sticky, largest);
    if (p->reach < 1e-200) p->reach = 0;
    if (!(o->skin > 0)) o->skin = 0.2 * (mean > 0 ? mean : largest);
    o->skin = fmax(o->skin, 2 * p->reach);
}

void part_borders(const Part *p, bool periodic[3], double low[3], double high[3]) {
    const RbBorders *b = &p->cloud->options.borders;
    v3_store(low, b->low), v3_store(high, b->high);
    for (int d = 0; d < 3; d++) periodic[d] = b->periodic[d];
}

void part_gravity(const Part *p, double g[3]) {
    v3_store(g, p->cloud->options.gravity);
}

// ---------------------------------------------------------------------------------------------------
// contacts with walls

void part_collect(Part *p) {
    RB_PROTECT(&p->heap, abort());
    rb_cloud_collect_memories(p->cloud);
    for (int k = 0; k < p->cloud->count; k++) p->at[p->cloud->id[k]] = k;
}

int part_memories(const Part *p, int atom, PartContact *out, int most) {
    const RbCloud *c = p->cloud;
    int k = p->at[atom], count = 0;
    for (int n = 0; n < c->memory_count[k] && count < most; n++) {
        const RbGrainMemory *m = &c->memories.data[c->memory_start[k] + n];
        out[count] = (PartContact){.with = m->with, .touches = m->touches};
        v3_store(out[count].spring, m->slide);
        v3_store(out[count++].spring + 3, m->turn);
    }
    return count;
}

static void copy_grain(RbCloud *c, const PartAtoms *a, int k, int i) {
    const double *x = a->x + 3 * i, *v = a->v + 3 * i, *w = a->w + 3 * i;
    c->r[k] = (RbQuad){x[0], x[1], x[2], a->radius[i]};
    c->v[k] = (RbQuad){v[0], v[1], v[2], a->mass[i]};
    c->w[k] = (RbQuad){w[0], w[1], w[2], a->type[i] - 1};
}

// Lists look as far as the largest grain of all reaches, not that of this process.
static void list_walls(Part *p) {
    rb_cloud_make_list(p->cloud);
    p->cloud->reach = p->reach;
}

static void *room(void *old, int count, int *have, size_t size) {
    if (count <= *have) return old;
    *have = count + count / 4 + 16;
    void *bytes = realloc(old, size * (size_t)*have);
    if (!bytes) abort();
    return bytes;
}

static void refill(Part *p, const PartAtoms *a, const int *counts, const PartContact *contacts) {
    RbCloud *c = p->cloud;
    rb_cloud_reserve(c, a->own + a->own / 8 + 16);
    p->at = room(p->at, a->own, &p->at_room, sizeof *p->at);
    c->list_valid = false;
    c->count = a->own;
    c->memories.count = 0;
    for (int i = 0; i < a->own; i++) {
        copy_grain(c, a, i, i);
        c->f[i] = c->t[i] = (RbQuad){0};
        c->id[i] = i, c->body[i] = RB_GRAIN_FREE, c->member[i] = 0;
        c->memory_start[i] = c->memories.count, c->memory_count[i] = counts[i];
        for (int n = 0; n < counts[i]; n++, contacts++)
            rb_array_push(&c->memories, c->arena,
                          (RbGrainMemory){contacts->with, (RbGrip)contacts->touches,
                                          v3_load(contacts->spring),
                                          v3_load(contacts->spring + 3)});
    }
    list_walls(p);
    for (int k = 0; k < c->count; k++) p->at[c->id[k]] = k;
}

void part_refill(Part *p, const PartAtoms *a, const int *counts, const PartContact *contacts) {
    RB_PROTECT(&p->heap, abort());
    refill(p, a, counts, contacts);
}

// --------------------------------------------------------------------------------------------------
// forces

static void add_pair(const Part *p, const PartAtoms *a, int i, int j, const double *memory,
                     RbGrainBlock *b) {
    int m = b->count++;
    const double *x = a->x + 3 * i, *y = a->x + 3 * j, *v = a->v + 3 * i, *u = a->v + 3 * j;
    const double *w = a->w + 3 * i, *z = a->w + 3 * j;
    double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]}, R = a->radius[i], S = a->radius[j];
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), inverse = 1 / length;
    double depth = R + S - length, la = R - 0.5 * depth, lb = S - 0.5 * depth;
    b->i[m] = i, b->j[m] = j;
    b->nx[m] = d[0] * inverse, b->ny[m] = d[1] * inverse, b->nz[m] = d[2] * inverse;
    b->depth[m] = depth, b->radius[m] = R * S / (R + S);
    b->mass[m] = a->mass[i] * a->mass[j] / (a->mass[i] + a->mass[j]);
    b->la[m] = la, b->lb[m] = lb;
    b->sx[m] = la * w[0] + lb * z[0], b->sy[m] = la * w[1] + lb * z[1],
    b->sz[m] = la * w[2] + lb * z[2];
    b->ux[m] = v[0] - u[0], b->uy[m] = v[1] - u[1], b->uz[m] = v[2] - u[2];
    b->px[m] = w[0] - z[0], b->py[m] = w[1] - z[1], b->pz[m] = w[2] - z[2];
    rb_grain_block_take_grip(b, m, (RbGrip)memory[6]);
    b->hx[m] = memory[0], b->hy[m] = memory[1], b->hz[m] = memory[2];
    b->gx[m] = memory[3], b->gy[m] = memory[4], b->gz[m] = memory[5];
    rb_cloud_wall_law(p->cloud, a->type[i] - 1, a->type[j] - 1, b, m);
}

static void note(Part *p, const RbGrainBlock *b, int m, double share) {
    RbGrainPowers *powers = &p->pairs;
    bool turning = p->cloud->turning;
    powers->normal += share * b->stored[0][m];
    powers->tangential += share * b->stored[1][m];
    powers->damping += share * b->power[0][m];
    powers->sliding += share * b->power[1][m];
    if (turning) powers->turning += share * b->stored[2][m];
    if (turning) powers->resistance += share * b->power[2][m];
    if (p->reach > 0) powers->parted += share * b->lost[m];
    p->pair_contacts += share;
}

static void act(const PartAtoms *a, const RbGrainBlock *b, int m, int i, double arm, double sign,
                bool turning) {
    double *f = a->f + 3 * i, *t = a->t + 3 * i;
    f[0] += sign * b->fx[m], f[1] += sign * b->fy[m], f[2] += sign * b->fz[m];
    t[0] -= arm * b->cx[m], t[1] -= arm * b->cy[m], t[2] -= arm * b->cz[m];
    if (turning) t[0] += sign * b->tx[m], t[1] += sign * b->ty[m], t[2] += sign * b->tz[m];
}

// A block of contacts; memories and flags say where each came from.
static void finish(Part *p, PartAtoms *a, RbGrainBlock *b, double **memory, int **touches) {
    const RbCloud *c = p->cloud;
    bool turning = c->turning;
    rb_grain_block_law(b, (RbGrainTerms){turning, c->options.ledger, p->reach > 0});
    rb_grain_block_extremes(b, &p->pair_stiffest2, &p->pair_deepest);
    for (int m = 0; m < b->count; m++) {
        int i = b->i[m], j = b->j[m];
        bool lasts = !(p->reach > 0) || b->lasts[m] > 0;
        *touches[m] = lasts;
        double *h = memory[m];
        h[0] = b->hx[m], h[1] = b->hy[m], h[2] = b->hz[m];
        if (turning) h[3] = b->gx[m], h[4] = b->gy[m], h[5] = b->gz[m];
        h[6] = lasts ? rb_grain_block_grip(b, m, turning) : 0;
        act(a, b, m, i, b->la[m], 1, turning);
        if (j < a->own) act(a, b, m, j, b->lb[m], -1, turning);
        note(p, b, m, j < a->own ? 1 : 0.5);
    }
    b->count = 0;
}

void part_pairs(Part *p, PartAtoms *a, const PartPairs *pairs, bool start) {
    RbGrainBlock b;
    double *memory[RB_GRAIN_BLOCK];
    int *touches[RB_GRAIN_BLOCK];
    p->pairs = (RbGrainPowers){0};
    p->pair_contacts = p->pair_stiffest2 = p->pair_deepest = 0;
    rb_cloud_empty_block(p->cloud, start, &b);
    for (int n = 0; n < pairs->count; n++) {
        int i = pairs->own[n];
        const double *x = a->x + 3 * i;
        for (int k = 0; k < pairs->neighbours[i]; k++) {
            int j = pairs->neighbour[i][k];
            const double *y = a->x + 3 * j;
            double *h = pairs->memory[i] + PART_MEMORY * k;
            double dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2];
            double sum = a->radius[i] + a->radius[j] + (pairs->touches[i][k] ? p->reach : 0);
            if (dx * dx + dy * dy + dz * dz < sum * sum) {
                memory[b.count] = h, touches[b.count] = &pairs->touches[i][k];
                add_pair(p, a, i, j, h, &b);
                if (b.count == RB_GRAIN_BLOCK) finish(p, a, &b, memory, touches);
            } else if (pairs->touches[i][k]) {
                pairs->touches[i][k] = 0;
                memset(h, 0, PART_MEMORY * sizeof *h);
            }
        }
    }
    if (b.count > 0) finish(p, a, &b, memory, touches);
}

static bool walls_moved(const RbCloud *c) {
    for (int k = 0; k < c->walls.count; k++) {
        if (!(rb_grain_wall_moved(&c->walls.data[k]) < 0.5 * c->options.skin)) return true;
    }
    return false;
}

void part_walls(Part *p, PartAtoms *a, bool start) {
    RB_PROTECT(&p->heap, abort());
    RbCloud *c = p->cloud;
    for (int k = 0; k < c->count; k++) copy_grain(c, a, k, c->id[k]);
    if (walls_moved(c)) list_walls(p);
    if (!start) rb_cloud_sum_walls(c);
    rb_cloud_forces(c, start, NULL);
    if (!start) rb_cloud_sum_walls(c);
    RbGrainPowers *w = &c->powers;
    const RbGrainPowers *q = &p->pairs;
    w->normal += q->normal, w->tangential += q->tangential, w->turning += q->turning;
    w->damping += q->damping, w->sliding += q->sliding, w->resistance += q->resistance;
    w->parted += q->parted;
    c->stiffest = sqrt(fmax(c->stiffest * c->stiffest, p->pair_stiffest2));
    c->deepest = fmax(c->deepest, p->pair_deepest);
    for (int k = 0; k < c->count; k++) {
        double *f = a->f + 3 * c->id[k], *t = a->t + 3 * c->id[k];
        f[0] += c->f1[k].x, f[1] += c->f1[k].y, f[2] += c->f1[k].z;
        t[0] += c->t1[k].x, t[1] += c->t1[k].y, t[2] += c->t1[k].z;
    }
}

// --------------------------------------------------------------------------------------------------
// steps (src/dem/cloud_step.c has the formulas)

int part_halvings(const Part *p) {
    return rb_cloud_halvings(p->cloud, p->longest);
}

int part_halved(const Part *p) {
    return p->cloud->halved;
}

bool part_halve(Part *p, int halved) {
    p->kept = p->cloud->powers, p->kept_stiffest = p->cloud->stiffest;
    if (halved != p->cloud->halved) rb_cloud_halve(p->cloud, halved);
    return p->cloud->step <= p->longest;
}

void part_shifted(Part *p) {
    p->cloud->powers = p->kept, p->cloud->stiffest = p->kept_stiffest;
}

void part_predict(Part *p, PartAtoms *a) {
    double h = p->cloud->step, g[3];
    v3_store(g, p->cloud->options.gravity);
    for (int i = 0; i < a->own; i++) {
        double *x = a->x + 3 * i, *v = a->v + 3 * i, *w = a->w + 3 * i, *old = a->old + 6 * i;
        double per_mass = h / a->mass[i];
        double per_inertia = 2.5 * h / (a->mass[i] * a->radius[i] * a->radius[i]);
        for (int d = 0; d < 3; d++) {
            old[d] = a->f[3 * i + d], old[3 + d] = a->t[3 * i + d];
            double by = per_mass * old[d] + h * g[d];
            x[d] += h * v[d] + 0.5 * h * by;
            v[d] += by;
            w[d] += per_inertia * old[3 + d];
        }
    }
}

void part_move(Part *p) {
    rb_cloud_count_step(p->cloud);
    rb_carried_move(&p->carried, p->cloud);
}

void part_correct(Part *p, PartAtoms *a) {
    double half = 0.5 * p->cloud->step, fastest2 = 0;
    for (int i = 0; i < a->own; i++) {
        double *v = a->v + 3 * i, *w = a->w + 3 * i, speed2 = 0;
        const double *old = a->old + 6 * i;
        double per_mass = half / a->mass[i];
        double per_inertia = 2.5 * half / (a->mass[i] * a->radius[i] * a->radius[i]);
        for (int d = 0; d < 3; d++) {
            v[d] += per_mass * (a->f[3 * i + d] - old[d]);
            w[d] += per_inertia * (a->t[3 * i + d] - old[3 + d]);
            speed2 += v[d] * v[d];
        }
        if (!(speed2 <= fastest2)) fastest2 = speed2; // NaN stays
    }
    RbCloud *c = p->cloud;
    c->fastest = sqrt(fastest2);
    c->lost |= !(fastest2 < INFINITY);
    c->coarsest = fmax(c->coarsest, c->stiffest * c->step);
    rb_cloud_account(c);
}

int part_share_size(const Part *p) {
    int walls = 0;
    for (int k = 0; k < p->order.walls; k++) walls += p->of_wall[k] >= 0;
    return 1 + 6 * walls;
}

void part_get_share(const Part *p, double *share) {
    *share++ = rb_cloud_longest_step(p->cloud);
    for (int k = 0; k < p->order.walls; k++) {
        if (p->of_wall[k] < 0) continue;
        v3_store(share, p->cloud->wall_loads[k].f), v3_store(share + 3, p->cloud->wall_loads[k].t);
        share += 6;
    }
}

// The loads of all move the bodies; those of this process stay for its sums.
void part_loaded(Part *p, const double *shares, int count) {
    RbCloud *c = p->cloud;
    int size = part_share_size(p), at = 1;
    p->longest = INFINITY;
    for (int n = 0; n < count; n++) p->longest = fmin(p->longest, shares[n * size]);
    if (p->carried.count == 0) return;
    memcpy(p->own_loads, c->wall_loads, (size_t)c->walls.count * sizeof *c->wall_loads);
    for (int k = 0; k < c->walls.count; k++) {
        if (p->of_wall[k] < 0) continue;
        c->wall_loads[k] = WRENCH_ZERO;
        for (int n = 0; n < count; n++) {
            const double *load = shares + n * size + at;
            c->wall_loads[k].f = v3_add(c->wall_loads[k].f, v3_load(load));
            c->wall_loads[k].t = v3_add(c->wall_loads[k].t, v3_load(load + 3));
        }
        at += 6;
    }
    rb_carried_load(&p->carried, c);
    memcpy(c->wall_loads, p->own_loads, (size_t)c->walls.count * sizeof *c->wall_loads);
}

// ---------------------------------------------------------------------------------------------------
// an interval

bool part_begin(Part *p, const void *message, size_t size) {
    RB_PROTECT(&p->heap, false);
    RbUnpacker u = rb_unpacker(message, size);
    RbRemoteOrder *o = &p->order;
    RbCloud *c = p->cloud;
    if (!rb_unpack_bytes(&u, o, sizeof *o) || o->walls != c->walls.count) return false;
    int bodies = (int)o->bodies, walls = (int)o->walls, wall_room = p->wall_room;
    p->bodies = room(p->bodies, bodies, &p->body_room, sizeof *p->bodies);
    p->of_wall = room(p->of_wall, walls, &wall_room, sizeof *p->of_wall);
    p->in_body = room(p->in_body, walls, &p->wall_room, sizeof *p->in_body);
    rb_unpack_bytes(&u, p->bodies, (size_t)bodies * sizeof *p->bodies);
    rb_unpack_bytes(&u, p->of_wall, (size_t)walls * sizeof *p->of_wall);
    rb_unpack_bytes(&u, p->in_body, (size_t)walls * sizeof *p->in_body);
    bool forget = false;
    for (int k = 0; k < walls; k++) {
        uint64_t absent = rb_unpack_u64(&u);
        forget |= (absent != 0) != c->walls.data[k].absent;
        if (forget) rb_cloud_remember(c);
        c->walls.data[k].absent = absent != 0;
        if (p->of_wall[k] >= 0) continue;
        c->walls.data[k].X = p->in_body[k];
        c->walls.data[k].V = MOTION_ZERO;
    }
    p->carried = (RbCarried){p->bodies, bodies, p->of_wall, p->in_body, o->from};
    rb_carried_place_walls(&p->carried, c);
    if (forget) list_walls(p);
    c->coarsest = 0;
    p->ahead = o->due > c->time;
    return u.ok;
}

bool part_is_due(const Part *p) {
    const RbCloud *c = p->cloud;
    return p->ahead && c->time + c->step > p->order.due + 1e-6 * c->step;
}

int64_t part_most(const Part *p) {
    return p->order.most;
}

void part_made(Part *p, int64_t steps, bool too_fast, bool lost) {
    p->made = steps, p->too_fast = too_fast, p->lost = lost;
}

// ORDER RbRemoteState: what is summed
enum { WALL_SUMS = 6 + 3 + 5 };

int part_sum_size(const Part *p) {
    return PART_SUMS + WALL_SUMS * p->cloud->walls.count;
}

static void wall_sums(const RbCloud *c, double *to) {
    for (int k = 0; k < c->walls.count; k++, to += WALL_SUMS) {
        const RbWallPowers *now = &c->wall_powers[k];
        const RbWallSums *sums = &c->wall_sums[k];
        v3_store(to, c->wall_loads[k].f), v3_store(to + 3, c->wall_loads[k].t);
        to[6] = now->belt, to[7] = now->slid, to[8] = now->contacts;
        v3_store(to + 9, sums->impulse);
        to[12] = sums->belt, to[13] = sums->slid;
    }
}

void part_sums(Part *p, const PartAtoms *a, const double *height, double *s,
               double most[PART_MOST]) {
    RbCloud *c = p->cloud;
    const RbGrainPowers *w = &c->powers;
    double kinetic = 0, turning = 0, up = 0, in_cell = 0, mass = 0, smallest = INFINITY;
    Vec3 g = c->options.gravity;
    for (int i = 0; i < a->own; i++) {
        const double *v = a->v + 3 * i, *o = a->w + 3 * i;
        double m = a->mass[i], R = a->radius[i];
        kinetic += 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        turning += 0.2 * m * R * R * (o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
        up += m * height[i], mass += m;
        in_cell -= m * v3_dot(g, v3_load(a->x + 3 * i));
        smallest = fmin(smallest, R);
    }
    const double all[] = {a->own,
                          p->pair_contacts,
                          (double)c->wall_contacts,
                          mass,
                          kinetic,
                          turning,
                          up,
                          w->normal,
                          w->tangential,
                          w->turning,
                          w->damping,
                          w->sliding,
                          w->resistance,
                          w->driven,
                          w->medium,
                          w->parted,
                          c->damped,
                          c->slid,
                          c->resisted,
                          c->dragged,
                          c->driven,
                          in_cell};
    memset(s, 0, (size_t)part_sum_size(p) * sizeof *s);
    memcpy(s, all, sizeof all);
    wall_sums(c, s + PART_SUMS);
    most[0] = c->fastest, most[1] = c->stiffest, most[2] = c->coarsest, most[3] = -smallest;
    most[4] = c->deepest, most[5] = c->lost;
}

static void put(unsigned char **to, const void *bytes, size_t size) {
    if (size > 0) memcpy(*to, bytes, size);
    *to += size;
}

size_t part_answer(Part *p, const double *s, const double most[PART_MOST],
                   const unsigned char **bytes) {
    const RbCloud *c = p->cloud;
    RbRemoteState state = {.time = c->time,
                           .origin = c->origin,
                           .steps = c->steps,
                           .origin_steps = c->origin_steps,
                           .halved = c->halved,
                           .made = p->made,
                           .count = (int64_t)s[0],
                           .contacts = llround(s[1]),
                           .wall_contacts = (int64_t)s[2],
                           .lost = p->lost || most[5] > 0,
                           .too_fast = p->too_fast,
                           .mass = s[3],
                           .kinetic = s[4],
                           .turning = s[5],
                           .height = s[21],
                           .powers = {s[7], s[8], s[9], s[10], s[11], s[12], s[13], s[14], s[15]},
                           .damped = s[16],
                           .slid = s[17],
                           .resisted = s[18],
                           .dragged = s[19],
                           .driven = s[20],
                           .added = c->added + s[21] - s[6], // what borders do
                           .energy_start = c->energy_start,
                           .fastest = most[0],
                           .stiffest = most[1],
                           .coarsest = most[2],
                           .smallest = -most[3],
                           .deepest = most[4]};
    size_t bodies = (size_t)p->order.bodies * sizeof *p->bodies;
    size_t walls = WALL_SUMS * (size_t)c->walls.count * sizeof *s;
    size_t size = sizeof state + bodies + walls;
    if (size > p->answer_room) {
        p->answer = realloc(p->answer, size);
        p->answer_room = size;
    }
    if (!p->answer) abort();
    unsigned char *to = p->answer;
    put(&to, &state, sizeof state), put(&to, p->bodies, bodies), put(&to, s + PART_SUMS, walls);
    *bytes = p->answer;
    return size;
}

// What their contacts had stored goes with them, as where our own cloud removes some (src/dem/cloud.c).
void part_changed(Part *p, const double *before, const double *after, bool start, bool first) {
    RbCloud *c = p->cloud;
    double motion = 0, slid = before[8] - after[8], turned = before[9] - after[9];
    for (int k = 4; k <= 6; k++) motion += after[k] - before[k];
    if (start) {
        double energy = after[16] + after[17] + after[18] + after[19] - after[20];
        for (int k = 4; k <= 7; k++) energy += after[k];
        c->energy_start = energy - c->added;
        return;
    }
    c->added += motion - (before[7] - after[7]) - slid - turned;
    if (first) c->slid -= slid, c->resisted -= turned; // of all, kept by one
}

_Static_assert(sizeof(RbRemoteGrain) == 160 && sizeof(RbRemoteContact) == 64,
               "as liggghts.h has them");

// SPDX-License-Identifier: MIT
// Two meshes that stick have a bristle of two triples of states: the slide and the twist of contact/volume_law.h, in the frame of the first. Most pairs of many
// meshes never touch. So a group of bodies has seats for the bristles of a few pairs: a pair takes one when its contact starts and keeps it after that has
// ended, while the bristle fades, until another pair needs it. If no seat is free the next segment has more of them.
#include <math.h>

#include "component/saver.h"
#include "component/segment.h"
#include "multibody/touching_solids.h"

// Groups with no more pairs than this have a seat for each. With 8 a falling house of cards took 1.24 times the time, with one for each of its 120 pairs 1.9 times.
enum { FEW = 4 };

static bool may_stick(const Mechanism *m, int pair) {
    return rb_solids_stick(&m->forces.solids[pair]) && !m->forces.solids[pair].idle;
}

// That of the first of its bodies that moves: with the other it is coupled while the contact lasts.
static int group_of(const Mechanism *m, int pair) {
    const RbSolidsForce *f = &m->forces.solids[pair];
    return m->groups.of[f->a.body > 0 ? f->a.body : f->b.body];
}

// The first of its two bristles.
static const Bristle *bristle_of(const Mechanism *m, int seat) {
    return &m->sticking.bristles[rb_mechanism_seat_bristle(m, seat)];
}

// -------------------------------------------------------------------------------------------------
// segments

// Discrete values of a pair in the last segment; NULL: there was none.
static const double *old_values(const Mechanism *m, const RbSegment *g, int pair) {
    int count, at = m->forces.touching + SOLIDS_VALUES * pair;
    const double *old = rb_segment_old_discrete(g, &count);
    return old && !m->first && at + SOLIDS_VALUES <= count ? old + at : NULL;
}

static bool touched(const Mechanism *m, const RbSegment *g, int pair) {
    const double *old = old_values(m, g, pair);
    return old && old[SOLIDS_TOUCH] > 0;
}

// Twice as many as touch: a pile that grows has few segments.
static int seats_for(int pairs, int touching) {
    int count = 2 * touching > FEW ? 2 * touching : FEW;
    return count < pairs ? count : pairs;
}

// In the order of the pairs, as long as their group has seats left to make.
void rb_mechanism_make_seats(Mechanism *m, RbSegment *g) {
    RbArena scratch = g->scratch;
    int *pairs = rb_new_array(&scratch, int, m->groups.count),
        *touching = rb_new_array(&scratch, int, m->groups.count),
        *made = rb_new_array(&scratch, int, m->groups.count), total = 0;
    m->sticking.seats = m->sticking.restored_seats;
    m->sticking.seat_count = m->sticking.restored_seat_count;
    m->sticking.restored_seats = NULL;
    if (m->sticking.seats) return;
    for (int i = 0; i < m->scene->solids.count; i++) {
        if (!may_stick(m, i)) continue;
        pairs[group_of(m, i)]++;
        touching[group_of(m, i)] += touched(m, g, i);
    }
    for (int k = 0; k < m->groups.count; k++) total += seats_for(pairs[k], touching[k]);
    m->sticking.seats = rb_new_array(g->arena, Seat, total);
    m->sticking.seat_count = 0;
    for (int i = 0; i < m->scene->solids.count; i++) {
        int group = may_stick(m, i) ? group_of(m, i) : 0;
        int count = seats_for(pairs[group], touching[group]);
        if (!may_stick(m, i) || made[group] == count) continue;
        made[group]++;
        m->sticking.seats[m->sticking.seat_count++] =
            (Seat){group, count == pairs[group] ? i : RB_NONE};
    }
}

bool rb_mechanism_may_lack_seats(const Mechanism *m) {
    int pairs = 0;
    for (int i = 0; i < m->scene->solids.count; i++) pairs += may_stick(m, i);
    return pairs > m->sticking.seat_count;
}

// The next seat in the list of its group from *at on; RB_NONE: there is none.
static int next_seat(const Mechanism *m, int group, int *at) {
    while (*at < m->sticking.start[group + 1]) {
        int k = m->sticking.list[(*at)++] - m->sticking.first_seat;
        if (k >= 0 && k % 2 == 0) return k / 2;
    }
    return RB_NONE;
}

// Pairs that touch are seated first, then those that had a seat, as long as there are any.
void rb_mechanism_seat_pairs(Mechanism *m, RbSegment *g) {
    RbArena scratch = g->scratch;
    int *at = rb_new_array(&scratch, int, m->groups.count);
    m->sticking.start_seats = rb_new_array(g->arena, int, m->scene->solids.count);
    for (int k = 0; k < m->groups.count; k++) at[k] = m->sticking.start[k];
    for (int i = 0; i < m->scene->solids.count; i++) m->sticking.start_seats[i] = RB_NONE;
    for (int k = 0; k < m->sticking.seat_count; k++)
        if (m->sticking.seats[k].owner != RB_NONE)
            m->sticking.start_seats[m->sticking.seats[k].owner] = k;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < m->scene->solids.count; i++) {
            const double *old = old_values(m, g, i);
            bool due = old && (round == 0 ? old[SOLIDS_TOUCH] > 0 : old[SOLIDS_SEAT] > 0);
            if (due && may_stick(m, i) && m->sticking.start_seats[i] == RB_NONE)
                m->sticking.start_seats[i] = next_seat(m, group_of(m, i), &at[group_of(m, i)]);
        }
    }
}

int rb_mechanism_old_seat(const Mechanism *m, const RbSegment *g, int pair) {
    const double *old = old_values(m, g, pair);
    return old ? (int)old[SOLIDS_SEAT] - 1 : RB_NONE;
}

// [m] Of any pair that may sit there.
static double least_length(const Mechanism *m, const Seat *s) {
    double least = INFINITY;
    for (int i = m->forces.start[s->group]; i < m->forces.start[s->group + 1]; i++) {
        int pair = m->forces.list[i].index;
        if (m->forces.list[i].kind == FORCE_SOLIDS && may_stick(m, pair))
            least = fmin(least, m->forces.solids[pair].volume.bristle_length);
    }
    return least;
}

// What nobody owns is no result: it means now this pair, now that.
RbStateSpec rb_mechanism_seat_state(const Mechanism *m, int seat, int part, RbArena *arena) {
    const Seat *s = &m->sticking.seats[seat];
    if (s->owner == RB_NONE) {
        const char *body = m->structure.tree.bodies.data[m->groups.first_body[s->group]].name;
        return (RbStateSpec){
            .name = rb_arena_printf(arena, "contact(%s,%d)", body, -1 - 2 * seat - part),
            .nominal = least_length(m, s),
            .hidden = true};
    }
    const RbSceneSolids *p = &m->scene->solids.data[s->owner];
    const char *a = m->scene->objects.data[p->a].object.name,
               *b = m->scene->objects.data[p->b].object.name;
    int code = -1 - 2 * s->owner - part;
    return (RbStateSpec){.name = rb_arena_printf(arena, "contact(%s,%s,%d)", a, b, code),
                         .nominal = p->element.volume.bristle_length};
}

// -------------------------------------------------------------------------------------------------
// evaluation

// A twist is stored as what it does at the size of the meshes, in metres as all bristles are.
void rb_mechanism_load_seat(const Mechanism *m, const double *discrete, int pair, const double *own,
                            MechanismWork *w) {
    RbSolidsMemory *memory = &w->solids.memory[pair];
    int seat = rb_mechanism_seat(m, discrete, pair);
    memory->slide = memory->twist = V3_ZERO;
    if (seat == RB_NONE) return;
    const Bristle *b = bristle_of(m, seat);
    memory->slide = v3_load(own + b[0].at);
    memory->twist = v3_scale(1 / rb_solids_size(&m->forces.solids[pair]), v3_load(own + b[1].at));
}

void rb_mechanism_seat_rate(const Mechanism *m, const double *discrete, int pair,
                            const MechanismWork *w, double *dx) {
    int seat = rb_mechanism_seat(m, discrete, pair);
    if (seat == RB_NONE) return;
    const Bristle *b = bristle_of(m, seat);
    const RbSolidsResult *r = &w->solids.results[pair];
    v3_store(dx + b[0].at, r->slide_rate);
    v3_store(dx + b[1].at, v3_scale(rb_solids_size(&m->forces.solids[pair]), r->twist_rate));
}

// -------------------------------------------------------------------------------------------------
// events

static double *states_of(const Mechanism *m, const RbEvent *event, int seat) {
    const RbTree *tree = &m->structure.tree;
    return event->x + (m->driven.own ? m->driven.own_count : tree->nq + tree->nv) +
           bristle_of(m, seat)->at;
}

static int who_sits(const Mechanism *m, const double *discrete, int seat) {
    int group = m->sticking.seats[seat].group;
    for (int i = m->forces.start[group]; i < m->forces.start[group + 1]; i++) {
        const GroupForce *f = &m->forces.list[i];
        if (f->kind == FORCE_SOLIDS && rb_mechanism_seat(m, discrete, f->index) == seat)
            return f->index;
    }
    return RB_NONE;
}

// How much is forgotten if another pair sits down: less than nothing if nobody sits there; INFINITY: it is in use.
static double cost_of(const Mechanism *m, const RbEvent *event, int seat) {
    int pair = who_sits(m, event->discrete, seat);
    const double *x = states_of(m, event, seat);
    if (pair == RB_NONE) return -1;
    if (rb_mechanism_solids_touch(m, event->discrete, pair)) return INFINITY;
    return v3_norm2(v3_load(x)) + v3_norm2(v3_load(x + 3));
}

bool rb_mechanism_sit_down(const Mechanism *m, RbEvent *event, int pair) {
    double *discrete = event->discrete, least = INFINITY;
    int best = RB_NONE, group = group_of(m, pair), at = m->sticking.start[group];
    if (!may_stick(m, pair) || rb_mechanism_seat(m, discrete, pair) != RB_NONE) return true;
    for (int seat; (seat = next_seat(m, group, &at)) != RB_NONE;) {
        double cost = cost_of(m, event, seat);
        if (cost < least) least = cost, best = seat;
    }
    if (best == RB_NONE) return false;
    int other = who_sits(m, discrete, best);
    if (other != RB_NONE) discrete[m->forces.touching + SOLIDS_VALUES * other + SOLIDS_SEAT] = 0;
    discrete[m->forces.touching + SOLIDS_VALUES * pair + SOLIDS_SEAT] = 1 + best;
    double *x = states_of(m, event, best);
    for (int k = 0; k < 6; k++) x[k] = 0;
    return true;
}

// -------------------------------------------------------------------------------------------------
// checkpoints: who sits where is among the discrete values

void rb_mechanism_save_seats(const Mechanism *m, RbSaver *saver) {
    rb_save_int(saver, m->sticking.seat_count);
    for (int k = 0; k < m->sticking.seat_count; k++) {
        rb_save_int(saver, m->sticking.seats[k].group);
        rb_save_int(saver, m->sticking.seats[k].owner);
    }
}

bool rb_mechanism_restore_seats(Mechanism *m, RbLoader *loader) {
    int64_t count, group, owner;
    if (!rb_load_int(loader, &count) || count < 0 || count > (1 << 20)) return false;
    m->sticking.restored_seats = rb_new_array(m->arena, Seat, (int)count + 1); // none is not NULL
    m->sticking.restored_seat_count = (int)count;
    for (int k = 0; k < m->sticking.restored_seat_count; k++) {
        if (!rb_load_int(loader, &group) || !rb_load_int(loader, &owner)) return false;
        m->sticking.restored_seats[k] = (Seat){(int)group, (int)owner};
    }
    return true;
}

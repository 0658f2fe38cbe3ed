// SPDX-License-Identifier: MIT
// adopt.c: from the code that was there at once to optimised code, in the middle of a run, if both
// give the same bits. A comparison leaves no trace: iterations start from the values of the last
// evaluation, so even these are put back, or results would depend on when it happened.
#include <string.h>

#include "program/program_instance.h"
#include "program/systems.h"

// What evaluations change.
typedef struct Values {
    double time;
    double *x, *dx, *w;
} Values;

static Values room(const RbProgramInstance *in, RbArena *arena) {
    return (Values){.x = rb_new_array(arena, double, in->counts[RB_AREA_X] + 1),
                    .dx = rb_new_array(arena, double, in->counts[RB_AREA_X] + 1),
                    .w = rb_new_array(arena, double, in->counts[RB_AREA_W] + 1)};
}

static size_t x_bytes(const RbProgramInstance *in) {
    return (size_t)in->counts[RB_AREA_X] * sizeof(double);
}
static size_t w_bytes(const RbProgramInstance *in) {
    return (size_t)in->counts[RB_AREA_W] * sizeof(double);
}

static void save(const RbProgramInstance *in, Values *v) {
    v->time = in->frame.t;
    memcpy(v->x, in->frame.x, x_bytes(in));
    memcpy(v->dx, in->frame.dx, x_bytes(in));
    memcpy(v->w, in->frame.w, w_bytes(in));
}

static void restore(RbProgramInstance *in, const Values *v) {
    in->frame.t = v->time;
    memcpy(in->frame.x, v->x, x_bytes(in));
    memcpy(in->frame.dx, v->dx, x_bytes(in));
    memcpy(in->frame.w, v->w, w_bytes(in));
}

static bool same(const RbProgramInstance *in, const Values *a, const Values *b) {
    return memcmp(a->x, b->x, x_bytes(in)) == 0 && memcmp(a->dx, b->dx, x_bytes(in)) == 0 &&
           memcmp(a->w, b->w, w_bytes(in)) == 0;
}

// What one of the two does not compute keeps a value that nobody would compute.
static void disturb(double *values, int count) {
    for (int i = 0; i < count; i++) values[i] += 1e-7 * (values[i] + 1);
}

// What the iteration of a system remembers beside the values of its unknowns.
typedef struct Memory {
    RbSystemWork work; // with the numbers it had
    double *y, *slopes, *kept;
} Memory;

static double *copy_of(const double *values, int count, RbArena *arena) {
    double *copy = rb_new_array(arena, double, count + 1);
    if (values) memcpy(copy, values, (size_t)count * sizeof *copy);
    return copy;
}

static Memory *remember(const RbProgramInstance *in, RbArena *arena) {
    int count = in->program->lowered->systems.count;
    Memory *all = rb_new_array(arena, Memory, count + 1);
    for (int k = 0; k < count; k++) {
        const RbSystemWork *s = &in->systems[k];
        int square = s->anchor_size * s->anchor_size;
        all[k] = (Memory){*s, copy_of(s->y, s->size, arena), copy_of(s->slopes, square, arena),
                          copy_of(s->kept, square, arena)};
    }
    return all;
}

static void recall(RbProgramInstance *in, const Memory *all) {
    for (int k = 0; k < in->program->lowered->systems.count; k++) {
        RbSystemWork *s = &in->systems[k];
        size_t square = (size_t)(s->anchor_size * s->anchor_size) * sizeof(double);
        *s = all[k].work;
        memcpy(s->y, all[k].y, (size_t)s->size * sizeof(double));
        if (square > 0) memcpy(s->slopes, all[k].slopes, square);
        if (square > 0) memcpy(s->kept, all[k].kept, square);
    }
}

static bool agree(RbProgramInstance *in, const RbCompiled *other, RbSectionId section,
                  const Memory *memory) {
    RbArena *arena = in->call_arena;
    Values before = room(in, arena), mine = room(in, arena), theirs = room(in, arena);
    disturb(in->frame.dx, in->counts[RB_AREA_X]);
    disturb(in->frame.w, in->counts[RB_AREA_W]);
    save(in, &before);
    int own = in->compiled.sections[section](&in->frame);
    save(in, &mine);
    restore(in, &before);
    recall(in, memory);
    int new = other->sections[section](&in->frame);
    save(in, &theirs);
    return own == new &&same(in, &mine, &theirs);
}

bool rb_program_agrees(RbProgramInstance *in, const RbCompiled *other, double time,
                       const double *x) {
    if (!in->compiled.sections[0]) return false;
    RbArena mark = *in->call_arena; // interpreted functions use what is behind our values
    Values before = room(in, in->call_arena);
    int failed = in->frame.failed, failed_system = in->failed_system;
    const char *failure = in->failure;
    bool is_assertion = in->failure_is_assertion;
    save(in, &before);
    in->frame.t = time;
    memcpy(in->frame.x, x, x_bytes(in));
    const Memory *memory = remember(in, in->call_arena);
    bool good = agree(in, other, RB_SECTION_OUTPUTS, memory);
    recall(in, memory);
    good = good && agree(in, other, RB_SECTION_DERIVATIVES, memory);
    recall(in, memory);
    restore(in, &before);
    *in->call_arena = mark;
    in->frame.failed = failed;
    in->failed_system = failed_system;
    in->failure = failure;
    in->failure_is_assertion = is_assertion;
    return good;
}

// SPDX-License-Identifier: MIT
// adopt.c: from the code that was there at once to optimised code, in the middle of a run, if both
// give the same bits. A comparison leaves no trace: iterations start from the values of the last
// evaluation, so even these are put back, or results would depend on when it happened.
#include <string.h>

#include "code/instance.h"

// What evaluations change.
typedef struct Values {
    double time;
    double *x, *dx, *w;
} Values;

static Values room(const RbProgram *p, RbArena *arena) {
    return (Values){.x = rb_new_array(arena, double, p->state_count + 1),
                    .dx = rb_new_array(arena, double, p->state_count + 1),
                    .w = rb_new_array(arena, double, p->lowered->w_count + 1)};
}

static size_t x_bytes(const RbProgram *p) {
    return (size_t)p->state_count * sizeof(double);
}
static size_t w_bytes(const RbProgram *p) {
    return (size_t)p->lowered->w_count * sizeof(double);
}

static void save(const RbProgramInstance *in, Values *v) {
    v->time = in->frame.t;
    memcpy(v->x, in->frame.x, x_bytes(in->program));
    memcpy(v->dx, in->frame.dx, x_bytes(in->program));
    memcpy(v->w, in->frame.w, w_bytes(in->program));
}

static void restore(RbProgramInstance *in, const Values *v) {
    in->frame.t = v->time;
    memcpy(in->frame.x, v->x, x_bytes(in->program));
    memcpy(in->frame.dx, v->dx, x_bytes(in->program));
    memcpy(in->frame.w, v->w, w_bytes(in->program));
}

static bool same(const RbProgram *p, const Values *a, const Values *b) {
    return memcmp(a->x, b->x, x_bytes(p)) == 0 && memcmp(a->dx, b->dx, x_bytes(p)) == 0 &&
           memcmp(a->w, b->w, w_bytes(p)) == 0;
}

// What one of the two does not compute keeps a value that nobody would compute.
static void disturb(double *values, int count) {
    for (int i = 0; i < count; i++) values[i] += 1e-7 * (values[i] + 1);
}

static bool agree(RbProgramInstance *in, const RbCompiled *other, RbSectionId section) {
    const RbProgram *p = in->program;
    RbArena *arena = in->call_arena;
    Values before = room(p, arena), mine = room(p, arena), theirs = room(p, arena);
    disturb(in->frame.dx, p->state_count);
    disturb(in->frame.w, p->lowered->w_count);
    save(in, &before);
    int own = in->compiled.sections[section](&in->frame);
    save(in, &mine);
    restore(in, &before);
    int new = other->sections[section](&in->frame);
    save(in, &theirs);
    return own == new &&same(p, &mine, &theirs);
}

bool rb_program_agrees(RbProgramInstance *in, const RbCompiled *other, double time,
                       const double *x) {
    if (!in->compiled.sections[0]) return false;
    RbArena mark = *in->call_arena; // interpreted functions use what is behind our values
    Values before = room(in->program, in->call_arena);
    int failed = in->frame.failed, failed_system = in->failed_system;
    const char *failure = in->failure;
    save(in, &before);
    in->frame.t = time;
    memcpy(in->frame.x, x, x_bytes(in->program));
    bool good = agree(in, other, RB_SECTION_OUTPUTS) && agree(in, other, RB_SECTION_DERIVATIVES);
    restore(in, &before);
    *in->call_arena = mark;
    in->frame.failed = failed;
    in->failed_system = failed_system;
    in->failure = failure;
    return good;
}

bool rb_program_adopt(RbProgramInstance *in, const RbCompiled *other, double time,
                      const double *x) {
    if (!rb_program_agrees(in, other, time, x)) return false;
    in->compiled = *other; // works on the memory that the instance has
    return true;
}

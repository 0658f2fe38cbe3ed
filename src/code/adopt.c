// SPDX-License-Identifier: MIT
// adopt.c: from the code that was there at once to optimised code, in the middle of a run, if both
// give the same bits.
#include <math.h>
#include <string.h>

#include "code/instance.h"

// All continuous values of an instance.
typedef struct Values {
    double *dx, *w;
} Values;

static size_t dx_bytes(const RbProgram *p) {
    return (size_t)p->state_count * sizeof(double);
}
static size_t w_bytes(const RbProgram *p) {
    return (size_t)p->lowered->w_count * sizeof(double);
}

static Values room(const RbProgram *p, RbArena *arena) {
    return (Values){rb_new_array(arena, double, p->state_count + 1),
                    rb_new_array(arena, double, p->lowered->w_count + 1)};
}

static void save(const RbProgramInstance *in, Values *v) {
    memcpy(v->dx, in->frame.dx, dx_bytes(in->program));
    memcpy(v->w, in->frame.w, w_bytes(in->program));
}

static void restore(RbProgramInstance *in, const Values *v) {
    memcpy(in->frame.dx, v->dx, dx_bytes(in->program));
    memcpy(in->frame.w, v->w, w_bytes(in->program));
}

static bool same(const RbProgram *p, const Values *a, const Values *b) {
    return memcmp(a->dx, b->dx, dx_bytes(p)) == 0 && memcmp(a->w, b->w, w_bytes(p)) == 0;
}

// Both from the same values: iterations start from what was computed last.
static bool agree(RbProgramInstance *in, const RbCompiled *other, RbSectionId section,
                  RbArena *arena) {
    const RbProgram *p = in->program;
    Values before = room(p, arena), mine = room(p, arena), theirs = room(p, arena);
    for (int i = 0; i < p->state_count; i++) in->frame.dx[i] = NAN; // what is not computed is seen
    save(in, &before);
    int own = in->compiled.sections[section](&in->frame);
    save(in, &mine);
    restore(in, &before);
    int new = other->sections[section](&in->frame);
    save(in, &theirs);
    restore(in, &before);
    return own == new &&same(p, &mine, &theirs);
}

bool rb_program_adopt(RbProgramInstance *in, const RbCompiled *other, double time,
                      const double *x) {
    RbArena scratch = *in->call_arena;
    if (!in->compiled.sections[0]) return false;
    if (rb_program_outputs(in, time, x) != RB_OK) return false;
    if (!agree(in, other, RB_SECTION_OUTPUTS, &scratch) ||
        !agree(in, other, RB_SECTION_DERIVATIVES, &scratch))
        return false;
    in->compiled = *other; // works on the memory that the instance has
    return true;
}

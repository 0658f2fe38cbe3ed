// SPDX-License-Identifier: MIT
#include "translate/bounces.h"

#include <math.h>

#include "program/program_instance.h"

// After the last event of a row, in intervals.
static const double look_inside = 0.25, look_after = 3;
enum { ROW_MIN = 4 };
static const double shrunk = 0.05; // a row that ends: relative to its first interval

RbBounces rb_bounces(int states, RbArena *arena) {
    return (RbBounces){.of = rb_new_array(arena, RbBounce, states + 1), .count = states};
}

void rb_bounces_note(RbBounces *b, double time, int state, double slope, const RbAction *reinit) {
    RbBounce *row = &b->of[state];
    double interval = time - row->last;
    if (b->any && !(interval > 0)) return; // another iteration of the same event
    bool shorter = interval < row->interval;
    row->last = time;
    row->interval = interval;
    row->count = shorter ? row->count + 1 : 0;
    if (!shorter) row->first = interval;
    row->is_ending = row->count >= ROW_MIN && interval < shrunk * row->first;
    if (!row->is_ending) row->slope = slope;
    row->reinit = reinit;
    b->any = true;
}

static double look(const RbBounce *row, double time) {
    double inside = row->last + look_inside * row->interval;
    double after = row->last + look_after * row->interval;
    if (row->count < ROW_MIN) return INFINITY;
    if (inside > time) return inside;
    return row->is_ending && after > time ? after : INFINITY;
}

double rb_bounces_look(const RbBounces *b, double time) {
    double next = INFINITY;
    for (int i = 0; b->any && i < b->count; i++) next = fmin(next, look(&b->of[i], time));
    return next;
}

// The condition of the when-clause holds and the state moves on as ever: it will not be set again.
static bool is_lost(const RbBounce *row, double slope, RbProgramInstance *in) {
    if (fabs(slope - row->slope) > 1e-3 * fabs(row->slope)) return false; // it rests
    return row->reinit && row->reinit->holds && rb_interpret_number(in, row->reinit->holds) != 0;
}

RbStatus rb_bounces_check(RbBounces *b, double time, RbProgramInstance *in, RbDiag *diag) {
    for (int i = 0; b->any && i < b->count; i++) {
        RbBounce *row = &b->of[i];
        if (!row->is_ending || time < row->last + 0.99 * look_after * row->interval) continue;
        row->is_ending = false;
        row->count = 0;
        if (!is_lost(row, in->frame.dx[i], in)) continue;
        return rb_fail(diag, RB_ERROR_MODEL, row->reinit->at,
                       "reinit happened ever faster, the last times %.3g s apart, until the events "
                       "accumulated at about t = %.6g s, and the model does not say what comes "
                       "then. A state of rest would: stop when the speed after a bounce is small",
                       row->interval, row->last);
    }
    return RB_OK;
}

void rb_bounces_save(const RbBounces *b, RbPacker *packer) {
    rb_pack_u64(packer, b->any ? (uint64_t)b->count : 0);
    for (int i = 0; b->any && i < b->count; i++) {
        const RbBounce *row = &b->of[i];
        rb_pack_doubles(packer,
                        (double[]){row->last, row->interval, row->first, row->count, row->is_ending,
                                   row->slope},
                        6);
    }
}

void rb_bounces_forget(RbBounces *b) {
    for (int i = 0; i < b->count; i++) b->of[i] = (RbBounce){0};
    b->any = false;
}

void rb_bounces_restore(RbBounces *b, RbUnpacker *unpacker) {
    uint64_t count = rb_unpack_u64(unpacker);
    rb_bounces_forget(b);
    b->any = count > 0;
    for (uint64_t i = 0; i < count && unpacker->ok; i++) {
        double v[6];
        rb_unpack_doubles(unpacker, v, 6);
        if (i >= (uint64_t)b->count) continue;
        b->of[i] = (RbBounce){.last = v[0],
                              .interval = v[1],
                              .first = v[2],
                              .count = (int)v[3],
                              .is_ending = v[4] != 0,
                              .slope = v[5]};
    }
}

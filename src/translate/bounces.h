// SPDX-License-Identifier: MIT
// bounces.h: states that reinit sets ever faster, as a ball does before it rests. Intervals that
// shrink like a geometric series have an end. A model that says what comes then, a state of rest,
// changes how the state moves on; otherwise a last bounce too small to be seen is passed over, and
// the ball falls through the floor: that is told.
#pragma once

#include "base/diag.h"
#include "base/pack.h"
#include "program/program.h"

typedef struct RbBounce {
    double last;     // [s] time of the last event
    double interval; // [s] before it
    double first;    // [s] the interval that the row of ever shorter ones began with
    int count;       // of that row
    bool is_ending;  // the intervals are so short that the row must end soon
    double slope;    // derivative of the state behind the events of the row
    const RbAction *reinit;
} RbBounce;

typedef struct RbBounces {
    RbBounce *of; // by state
    int count;
    bool any;
} RbBounces;

RbBounces rb_bounces(int states, RbArena *arena);

// A state was set at this time, and moves on with this slope.
void rb_bounces_note(RbBounces *b, double time, int state, double slope, const RbAction *reinit);

// When to look next: a flight that is shorter than the solver's step would not be seen, so it stops
// within it; and where a bounce is overdue.
double rb_bounces_look(const RbBounces *b, double time);

// At an event, with the values behind it: is a row over that nothing has followed?
RbStatus rb_bounces_check(RbBounces *b, double time, RbProgramInstance *in, RbDiag *diag);

void rb_bounces_save(const RbBounces *b, RbPacker *packer);
// As before the run.
void rb_bounces_forget(RbBounces *bounces);
void rb_bounces_restore(RbBounces *b, RbUnpacker *unpacker);

// SPDX-License-Identifier: MIT
// delay.h: what the operator delay() remembers: the past of some expressions, one polynomial per
// step of the solver (docs/theory/dae.md, section 11).
#pragma once

#include "base/pack.h"
#include "program/program.h"

// Points at which a step is remembered: its ends and five between. The polynomial is then more
// accurate than any step of the solver.
enum { RB_DELAY_NODES = 7 };

struct RbDelays *rb_delays(const RbSortedDae *dae, RbArena *arena);

// The run begins: there is no past but the present values, which hold for all times before.
void rb_delay_start(RbProgramInstance *in);

// The first event at the start is over: the values before the start are those after it. Answers
// whether they are others than before; then the equations must be settled once more.
bool rb_delay_restart(RbProgramInstance *in);

// A step from t0 to t1 was accepted. Then, for each node, evaluate all variables at rb_delay_time
// and note them. Steps that begin inside an earlier one replace its end.
void rb_delay_open(RbProgramInstance *in, double t0, double t1);
double rb_delay_time(const RbProgramInstance *in, int node); // [s]
void rb_delay_note(RbProgramInstance *in, int node);

// RbCodeFrame.delay: the k-th expression at (time - delay).
double rb_delay_value(RbCodeFrame *f, int k, double delay);

// The first time after the present one at which a jump in the past arrives, or infinity.
double rb_delay_next_event(RbProgramInstance *in);

// The shortest delay at present [s]: the solver may not step further; infinity: there is none.
// `run` is how long the run is [s].
double rb_delay_shortest(RbProgramInstance *in, double run);

// An event happens now: jumps that arrive are taken from their right side.
void rb_delay_arrive(RbProgramInstance *in);

// The event is over: what has jumped will arrive later.
void rb_delay_settle(RbProgramInstance *in);

void rb_delay_save(const RbProgramInstance *in, RbPacker *packer);
bool rb_delay_restore(RbProgramInstance *in, RbUnpacker *unpacker);

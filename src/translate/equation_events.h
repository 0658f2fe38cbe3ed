// SPDX-License-Identifier: MIT
// equation_events.h: what happened at an event of equations, in the words of the model, for the log:
// conditions that changed, samples that were due, states that were set. Each line ends with its
// place: `h < 0 becomes true (Ball.mo:7)`.
#pragma once

#include "program/program.h"
#include "rattleback/component.h"

// A relation as it stands in the model, with its place: `ball.h < 0 (Ball.mo:7)`. Behind the
// relations come the branches of nonlinear systems.
const char *rb_indicator_name(const RbSortedDae *dae, int indicator, RbArena *arena);

typedef struct RbEquationEvents {
    int count;          // of relations; 0 if nobody listens
    int *slot;          // by relation: discrete variable that is watched, or -1
    const char **words; // what it stands for
    double *held;       // its value before the event
    long *samples;      // by sample: number of the next one, before the event
} RbEquationEvents;

RbEquationEvents rb_equation_events(const RbProgram *program, RbArena *arena);

// Before an event; and after it: what is different is written to the log.
void rb_equation_events_before(RbEquationEvents *e, const RbProgramInstance *in);
void rb_equation_events_after(const RbEquationEvents *e, const RbProgramInstance *in,
                              const RbEvent *event);

// SPDX-License-Identifier: MIT
// clock.h: the synchronous part of the language (Modelica specification, chapter 16); for clock_*.c.
//
// Every operator between clocks gets a variable for its result, which changes at ticks and is held between them. The
// equations of a clocked partition stay as they are: what they read is held, so they are ordinary equations.
//
//   sample(u)            when tick then r = pre(u)                                   the left limit
//   previous(x)          when tick then p = if first then pre(p) else pre(x)         p starts at the start value of x
//   hold(x)              when tick of x then h = x
//   subSample(x) ...     when tick then r = hold(x)
//
// clock_call.c notes the operators while expressions are lowered, clock_graph.c finds the partitions and their clocks,
// clock_ticks.c writes the ticks and the held variables, clock_equations.c prepares the equations.
#pragma once

#include "flatten/frontend.h"

// ORDER names in clock_call.c
typedef enum RbClockOpKind {
    RB_CLOCK_SAMPLE,
    RB_CLOCK_HOLD,
    RB_CLOCK_PREVIOUS,
    RB_CLOCK_SUB,
    RB_CLOCK_SUPER,
    RB_CLOCK_SHIFT,
    RB_CLOCK_BACK,
    RB_CLOCK_NONE,     // noClock
    RB_CLOCK_INTERVAL, // argument may be -1
    RB_CLOCK_FIRST,    // firstTick; argument may be -1
    RB_CLOCK_SOLVER,   // Clock(c, solverMethod)
    RB_CLOCK_ELAPSED, // time since `clock` (a variable), which was `argument` ticks ago
    RB_CLOCK_OPS,
} RbClockOpKind;

typedef struct RbClockOp {
    RbClockOpKind kind;
    int argument, result;      // variables, or clocks
    int clock;                 // SAMPLE: that is given; -1: none. ELAPSED: see there
    int64_t count, resolution; // SUB, SUPER: factor, 0 if it is to be found; SHIFT, BACK
    const char *method;        // SOLVER
    RbPos at;
} RbClockOp;

typedef enum RbClockKind {
    RB_CLOCK_INFERRED,
    RB_CLOCK_RATIONAL, // every counter / resolution
    RB_CLOCK_REAL,     // every `value`, a parameter
    RB_CLOCK_VARYING, // the next tick is `value` / resolution later, which may change at every tick
    RB_CLOCK_EVENT,   // when `value` becomes true
} RbClockKind;

typedef struct RbClockDef {
    RbClockKind kind;
    int var;
    int64_t counter, resolution;
    const RbExpr *value;
    const RbExpr *start; // EVENT: the interval before the first tick
    RbPos at;
} RbClockDef;

typedef struct RbRatio {
    int64_t n, d; // d > 0, without common factors
} RbRatio;

// What ticks together: variables and clocks. Its ticks are at shift + k * factor, in intervals of the base clock.
typedef struct RbClockNode {
    bool clocked, unclocked;
    RbPos clocked_at, unclocked_at;
    int base; // definition plus one; 0: not known
    RbRatio factor, shift;
    const char *method; // NULL: none
    int name;           // a variable of the user plus one
    // clock_ticks.c
    RbEquation *when;          // what happens at a tick; NULL: nothing so far
    int ticks;                 // variable: how many there were
    int first, time, interval; // variables plus one
} RbClockNode;

typedef struct RbClocking {
    RB_ARRAY(RbClockOp) ops;
    RB_ARRAY(RbClockDef) defs;
    RbMap held[RB_CLOCK_OPS]; // HOLD, PREVIOUS: argument -> result
    int *parent;              // by variable
    int count;                // of them
    RbClockNode *nodes;       // by variable, of use for roots
    unsigned char *used;      // by variable: an equation names it
    RB_ARRAY(int) defaults;   // variables that tick every second if no clock is given
} RbClocking;

// A variable of our own; answers its index. attributes and binding may be set afterwards.
int rb_clock_var(RbFrontEnd *fe, const char *name, const RbVal *like, RbVariability variability,
                 RbPos at);
int rb_clock_scalar(RbFrontEnd *fe, const char *name, RbType type, RbPos at);
// A variable like v, which is held between ticks or an unknown of a partition.
int rb_clock_like(RbFrontEnd *fe, const char *name, int v, RbVariability variability, RbPos at);

// --- clock_call.c ---

// previous(v), hold(v), firstTick(v) and the time since another variable, as if they were called.
const RbExpr *rb_clock_previous(RbFrontEnd *fe, int v, RbPos at);
const RbExpr *rb_clock_hold(RbFrontEnd *fe, int v, RbPos at);
const RbExpr *rb_clock_first_of(RbFrontEnd *fe, int v, RbPos at);
void rb_clock_elapsed(RbFrontEnd *fe, int result, int ticks, int since, RbPos at);
// v ticks every second if no clock is given for it.
void rb_clock_default(RbFrontEnd *fe, int v);

// --- clock_graph.c ---

RbRatio rb_ratio(int64_t n, int64_t d);
RbRatio rb_ratio_mul(RbRatio a, RbRatio b);
RbRatio rb_ratio_add(RbRatio a, RbRatio b);
RbClockNode *rb_clock_node(RbClocking *c, int v);
// Partitions and their clocks. False: something is wrong and was reported.
bool rb_clock_graph(RbFrontEnd *fe, RbClocking *c);
// Call f with every expression of an equation, and what is below it.
typedef void RbClockVisit(void *user, const RbExpr **e);
void rb_clock_visit(RbEquation *eq, RbClockVisit *f, void *user);
bool rb_is_clock(const RbExpr *e);

// --- clock_ticks.c ---

// The when-equation of a node.
RbEquations *rb_clock_when(RbFrontEnd *fe, RbClocking *c, RbClockNode *n);
// Number of its ticks; how long since the last one [s]; is this the first; its time. All are held.
const RbExpr *rb_clock_ticks(RbFrontEnd *fe, RbClocking *c, RbClockNode *n);
const RbExpr *rb_clock_interval(RbFrontEnd *fe, RbClocking *c, RbClockNode *n);
const RbExpr *rb_clock_first(RbFrontEnd *fe, RbClocking *c, RbClockNode *n);
const RbExpr *rb_clock_time(RbFrontEnd *fe, RbClocking *c, RbClockNode *n);
// hold(v) and previous(v).
const RbExpr *rb_clock_held(RbFrontEnd *fe, RbClocking *c, RbClockNode *n, RbClockOpKind kind,
                            int v);
// All noted operators.
void rb_clock_operators(RbFrontEnd *fe, RbClocking *c);

// --- clock_equations.c ---

void rb_clock_equations(RbFrontEnd *fe, RbClocking *c);
// Statements of a when-clause of a clock stand for themselves.
void rb_clock_unpack(RbFrontEnd *fe, RbStatements *list);
// The variables that statements assign, as keys.
void rb_clock_assigned(RbFrontEnd *fe, const RbStatements *list, RbMap *vars);

// SPDX-License-Identifier: MIT
// machine.h: state machines (Modelica specification, chapter 17); for machine_*.c and clock_*.c.
//
// A state is a block that `transition` or `initialState` names; states that transitions connect are a machine. A machine
// becomes clocked equations for the number of its active state (machine_ticks.c). The equations of a state hold while it
// is active, otherwise its variables keep their values (machine_hold.c):
//
//   x = e               x = if active then e else previous(x)
//   previous(x)         if reset then start value of x else previous(x)
//   outer output v      a variable of the state; v = if active of one state then its v elseif ... else previous(v)
//
// machine_call.c notes the operators while equations are lowered, machine_graph.c finds the machines, all before the
// clocks are resolved: what comes out are equations with previous(...), as a user could have written them.
#pragma once

#include "flatten/clock.h"

typedef struct RbState {
    RbInst *inst;
    int machine;               // -1: none so far
    int parent;                // union-find of states that transitions connect
    int number;                // in its machine, from 1
    bool is_initial, is_named; // by initialState; by initialState or transition
    bool is_final;             // no transition leaves it
    int active;                // variable: at this tick
    int reset, waits;          // variables: its variables begin anew; ... when it is active next
    int entered, ticks;        // variables plus one: at this tick; since then. 0: nobody asks
    int since;                 // variable: time of the tick at which it was entered
    RbPos at;
} RbState;

typedef struct RbTransition {
    int from, to; // states
    const RbExpr *condition;
    bool immediate, reset, synchronize;
    int64_t priority;
    RbInst *around; // the block whose equation it is
    RbPos at;
} RbTransition;

typedef struct RbMachine {
    RbInst *around;
    int parent;                // state that contains it; -1: none
    RB_ARRAY(int) states;      // those with number 1, 2 ...
    RB_ARRAY(int) transitions; // the one with the highest priority last
    int initial;               // number of the state; 0: none
    int selected, fired,
        next; // variables: state before and transition of this tick (0: none), state after it
    int delayed, state,
        reset; // variables: transition of the next tick, state, are its variables reset
} RbMachine;

typedef enum RbAskedKind { RB_ASKED_ACTIVE, RB_ASKED_TICKS, RB_ASKED_TIME } RbAskedKind;

// activeState(...), ticksInState() or timeInState()
typedef struct RbAsked {
    RbAskedKind kind;
    int result;     // variable
    RbInst *where;  // ACTIVE: of this state; others: of the state around this instance ...
    int from;       // ... or the one that the transition leaves; -1: not in a transition
    bool immediate; // in an immediate transition
    RbPos at;
} RbAsked;

// A signal that several states give: of variables that are outer, or of outputs that are connected.
typedef struct RbMergeSource {
    RbInst *inst; // the variable of a state
    const RbExpr *value;
} RbMergeSource;

typedef struct RbMerge {
    int target; // variable
    RB_ARRAY(RbMergeSource) sources;
    RbPos at;
} RbMerge;

typedef struct RbMachines {
    RB_ARRAY(RbState) states;
    RB_ARRAY(RbTransition) transitions;
    RB_ARRAY(RbMachine) machines;
    RB_ARRAY(RbAsked) asked;
    RB_ARRAY(RbMerge) merges;
    RbMap by_inst;  // state of an instance
    RbMap previous; // result of previous(v) in the text -> v
    int from; // the condition of a transition from this state plus one is being lowered; 0: none
    bool immediate;
} RbMachines;

// An equation of a state, and the variables (or elements, or derivatives) that it gives.
typedef struct RbStateEquation {
    RbEquation *eq;
    const RbExpr *clock; // of the when-clause around it; NULL: none
    RbInst *where;       // in whose text it stands
    RB_ARRAY(const RbExpr *) given;
} RbStateEquation;

typedef RB_ARRAY(RbStateEquation) RbStateEquations;

// --- machine_call.c ------------------------------------------------------------------------------

// transition(...) or initialState(...) as an equation; false if it is neither.
bool rb_lower_machine(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call);
// The state that an instance is; made if there is none.
int rb_state_of(RbFrontEnd *fe, RbInst *inst, RbPos at);

// --- machine_graph.c -----------------------------------------------------------------------------

// The innermost state that is the instance or contains it; -1: none.
int rb_state_around(RbFrontEnd *fe, const RbInst *inst);
bool rb_machine_graph(RbFrontEnd *fe);
// Does no immediate transition read what follows from it? Once the signals of states are known.
bool rb_machine_check(RbFrontEnd *fe);
// Can two states be active at the same tick?
bool rb_states_meet(RbFrontEnd *fe, int a, int b);

// --- machine_ticks.c -----------------------------------------------------------------------------

void rb_machine_ticks(RbFrontEnd *fe);

// --- machine_match.c -----------------------------------------------------------------------------

void rb_machine_match(RbFrontEnd *fe, int state, RbStateEquation *list, int count);

// --- machine_hold.c ------------------------------------------------------------------------------

// The start value of a variable, as an expression of its size.
const RbExpr *rb_machine_start(RbFrontEnd *fe, int v);
// What previous(...) in e mean in the text of an instance.
const RbExpr *rb_machine_previous(RbFrontEnd *fe, const RbExpr *e, const RbInst *where);
void rb_machine_hold(RbFrontEnd *fe);
// The value of a variable whose next one and the one before are given: as its state has it.
const RbExpr *rb_machine_value(RbFrontEnd *fe, int v, const RbExpr *next, const RbExpr *before);

// --- machine_merge.c -----------------------------------------------------------------------------

// The variable behind outer variables, which has the start value.
int rb_machine_root(RbFrontEnd *fe, int v);
// Are all of these outputs those of states? Then they are one signal, whose variable is *target.
bool rb_machine_signal(RbFrontEnd *fe, const RbMergeSource *sources, int count, RbPos at,
                       int *target);
// Find the signals that several states give; false: some may be given twice at a tick (reported).
bool rb_machine_sources(RbFrontEnd *fe);
// ... and their equations.
void rb_machine_merge(RbFrontEnd *fe);
// Is the variable given by sources?
bool rb_machine_is_merged(RbFrontEnd *fe, int v);

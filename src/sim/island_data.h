// SPDX-License-Identifier: MIT
// island_data.h: what the files of the island scheduler share. Private to src/sim/island*.c.
#pragma once

#include "sim/island.h"
#include "sim/island_queue.h"
#include "solver/small.h"

// The smallest thing that can be alone: a group of a component that knows its links, all of another
// component, or everything, if equations connect the components.
typedef struct Unit {
    int part;  // RB_NONE: all parts
    int group; // in the part; RB_NONE: all of them
    int count;
    int *states; // in the system
    int first;   // where they begin in its island
    struct Island *island;
} Unit;

typedef struct Island {
    struct RbIslands *owner;
    struct Island *next_free;
    int size_class;
    int part;
    int unit_count, *units;   // in increasing order
    int group_count, *groups; // in the part; NULL: all of it
    int *group_memory;
    int n, *states; // in the system
    RbSmall *small;
    double q_from; // [s] quadratures are known until here
    bool found;    // there is an event inside its step
    bool by_root;  // of an indicator, at the end of the step; otherwise:
    RbWatch watch;
    double *relative, *absolute; // tolerances
    bool crowd;                  // of any size, with explicit steps
    int *unit_ends;              // of its units in its states
    bool moves;                  // a crowd that moves by itself
} Island;

struct RbIslands {
    const RbSystem *system;
    RbEvaluator *evaluator;
    RbIslandOptions options;
    RbArena *arena;
    RbDiag *diag;
    RbGroupSteps steps;
    double time; // [s] of the last stop

    Unit *units;
    int unit_count;
    bool is_apart;             // there are equations, in unit 0, and units that they do not reach
    RbGroupList *of_equations; // per part: groups in unit 0; NULL: there are no equations
    int *unit_of_group;        // per group of the system
    bool *restart;             // per unit: starts anew; all false between calls
    bool *shorter;             // per unit: its step has been shortened; all false between calls

    // While islands are formed anew: the units that are looked at, in increasing order, and for
    // each unit its root (union-find) and, for roots, how many units and states there are.
    int *touched, touched_count;
    bool *is_touched; // per unit; all false between calls
    int *link, *size, *states;
    int *groups;  // of the touched units, for rb_links_groups
    bool escaped; // a touched unit is linked with one that is not

    // Islands are known by their smallest unit.
    RbQueue ends;          // all of them, by the end of their steps
    RbQueue events;        // those that have found one, by its time
    RbQueue stale;         // those whose events are void and who must look again
    Island **free_islands; // per size class
    int class_count;
    int largest;       // states that one island may have, unless it is a crowd
    double first_step; // [s] of islands that start now, at most; INFINITY: any
    double hint;       // [s] size of the first steps of crowds that start; 0: chosen
    int overflow;      // see rb_islands_overflow

    double *x, *dx, *dq, *q; // of the system; x is work space
    double *q_work;
    double *z, *z_last;   // indicators; z_last at the start of the step of their islands
    signed char *crossed; // indicators that changed sign at the end of the step of their island
    int *roots;
    RbIslandEvent event; // at the last stop; part == RB_NONE: not of one component
    Island *concerned[2];
    int concerned_count;
    const double *last_x; // where derivatives of an island were evaluated last; NULL: other things
    long last_evaluation; // were done with the workspace since
    int worst;              // state with the largest error in a step that failed, or RB_NONE
    RbSolverStats finished; // of islands that are no more
    long retakes;
};

// ---- island.c
static inline double island_start(const Island *i) {
    double t0, t1;
    rb_small_interval(i->small, &t0, &t1);
    return t0;
}
static inline double island_end(const Island *i) {
    return rb_small_time(i->small);
}

// States of a unit at t, or at the end of its step that is nearest to t.
void rb_unit_states(const Unit *unit, double t, double *x);

// The same by a step that ends there, if the island moves by itself.
void rb_unit_look(struct RbIslands *s, const Unit *unit, double t, double *x);

// States of the island at a time inside its step, to s->x.
void rb_island_place(Island *island, double t);

// Its right-hand side, for the small integrator.
int rb_island_derivative(void *island, double t, const double *x, double *dx);
int rb_island_advance(void *island, double t0, const double *x0, double limit, bool exactly,
                      bool look, double *t1, double *x1, double *integrals);
int rb_island_jacobian(void *island, double t, const double *x, const double *dx, double *values);

// One evaluation with what is in s->x, for the states of the island.
int rb_island_evaluate(Island *island, unsigned want, double t);

static inline Island *island_of(const struct RbIslands *s, int unit) {
    return s->units[unit].island;
}

// The end of its step, or its event, is another one: let the queues know.
void rb_island_moved(Island *island);

// The quadratures to which it adds: how many, from *first on.
int rb_island_quadrature_range(const Island *island, int *first);

// The share of the island in them, up to a time inside its step.
RbStatus rb_island_quadratures(Island *island, double until);

// ---- island_links.c

// Unit states begin as one unit for each group or part.
void rb_islands_make_units(struct RbIslands *s, RbArena *arena);

void rb_island_add_stats(RbSolverStats *sum, const RbSmall *small);

// ---- island_event.c

// The island has made a step: is there an event in it, from t0 on?
RbStatus rb_island_check(Island *island, double t0);

// The island starts: note where its indicators are, and let the component know where it is.
RbStatus rb_island_check_start(Island *island);

// The event of the island happens now, at the time returned, to which all that it concerns have
// come. Fills s->roots, s->event and s->concerned.
double rb_island_happen(Island *island);

// The steps of the units marked have changed: what others have found with them after a time is
// void. They look again from t on.
void rb_islands_void_events(struct RbIslands *s, const bool *marked, double after);
RbStatus rb_islands_look_again(struct RbIslands *s, double t);

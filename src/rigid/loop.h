// SPDX-License-Identifier: MIT
// loop.h: kinematic loops. The joints of a mechanism form a tree and some that are left over: each
// of these, a cut, closes a loop and is kept as equations between its two ends
// (docs/theory/loops.md).
//
//     g(q) = 0,   dg/dt = G v = 0,   d2g/dt2 + 2 a dg/dt + a^2 g = 0
//
// The last line determines the constraint forces; its two extra terms draw back what the integrator
// leaves of the other two, at the rate a of the motion itself, so that no step size is imposed.
//
// Branches that loops hold together stand one after another in the tree and form one span.
#pragma once

#include "rigid/dynamics.h"
#include "rigid/object.h"

enum { RB_CUT_MAX_ROWS = 6 };

// Equations that hold only where the start is closed: for a place, or for a velocity that need not be zero.
typedef enum RbStartWish { RB_WISH_NONE, RB_WISH_PLACE, RB_WISH_SPEED } RbStartWish;

// A joint or a hold as equations: axes and coordinates as in joint.h, with F fixed to a and B to b.
typedef struct RbLoopCut {
    int joint; // of the objects; for results
    const char *name;
    RbPos at;
    RbJointKind kind;
    RbHold hold;
    RbFrame a, b;
    RbFrame c;        // the third of a hold that has one; otherwise the world
    Vec3 n, n2;       // unit vectors in F (universal, wheel: n2 in B)
    bool can_collide; // what it connects may touch
    double size;      // [m] of the loop; makes lengths comparable with angles
    RbStartWish wish;
    Vec3 wished; // [m/s] the velocity, in F
} RbLoopCut;

// One equation, with what it exerts at unit force: world components, about the origins of the two
// bodies.
typedef struct RbCutRow {
    Wrench on_a, on_b, on_c;
    double g;   // [m] or [1]; 0 if only the rate is held (rolling), which says nothing of positions
    double dg;  // its rate
    double ddg; // its second derivative for the accelerations in kin
    bool rolls; // only the rate is held
} RbCutRow;

// How many equations a cut stands for: of a joint six less its speeds.
int rb_cut_row_count(const RbLoopCut *cut);

// The row of a rod that holds its length.
enum { RB_ROD_LENGTH_ROW = 0 };

// Needs positions; velocities (accelerations) in kin for what dg (ddg) is worth.
void rb_cut_rows(const RbLoopCut *cut, const RbKin *kin, RbCutRow rows[RB_CUT_MAX_ROWS]);

// What an equation asks of the speeds of a branch: dg/dt = G v. Entries of other branches stay as
// they are.
void rb_cut_row_speeds(const RbLoopCut *cut, const RbCutRow *row, const RbTree *tree,
                       const RbKin *kin, RbSpan span, double *G);

// How far the two ends are apart: [m], and [rad] between axes that must coincide.
void rb_cut_gap(const RbLoopCut *cut, const RbKin *kin, double *length, double *angle);

// What tells how many turns a cut joint has made: coordinates of the tree now and at the start, and the angle of the cut at the start; and
// for loops that are not planar its angle to within half a turn.
typedef struct RbCutTurns {
    const double *now, *start;
    double cut_start;
    double about;
} RbCutTurns;

// Coordinate and speed of a revolute or prismatic cut, as results: phi, or s. In a planar loop phi counts turns as the coordinates of
// the other joints do; in any other one it is next to turns->about.
void rb_cut_motion(const RbLoopCut *cut, const RbTree *tree, const RbKin *kin,
                   const RbCutTurns *turns, double *q, double *v);

// [rad/s] Speed of a revolute cut.
double rb_cut_turning(const RbLoopCut *cut, const RbKin *kin);

// The cuts of a mechanism, by branch, and which of their equations are kept: those that repeat
// others are not.
typedef struct RbLoops {
    RbLoopCut *cuts;
    int count;
    int *kept;       // rows: 6 * cut + number; in order
    int *kept_start; // per cut, and one more
    int kept_count;
} RbLoops;

// Set the sizes of all cuts from where the bodies are. [m]
void rb_loops_measure(RbLoops *loops, const RbTree *tree, const RbKin *kin);

// Cuts of a span of branches: [first, end).
typedef struct RbCutRange {
    int first, end;
} RbCutRange;

// The joints that matter for the equations of a cut. Few, so matrices of loops are made of what two cuts have in common.
typedef struct RbCutPath {
    RbBodyList list;
    const int *speeds; // of the joints of these bodies, ascending
    int speed_count;
} RbCutPath;

// Which ones. What moves the ends against each other is between them and the body that both hang on: further inwards
// the wrenches of an equation cancel. The joints in between yield to them, and what they pass on does not cancel:
// forces at the ends accelerate all joints up to the world, or up to free motion, which passes on nothing.
typedef enum RbPathKind {
    RB_PATH_MOVES, // joints with an entry in G
    RB_PATH_YIELDS // joints that rb_dyn_reduce passes
} RbPathKind;

typedef struct RbPathEntry {
    int row, at;
} RbPathEntry;

// A number per kept row and speed of its cut's path: row k from start[k] on.
typedef struct RbPathRows {
    const RbCutPath *paths; // per cut
    const int *cut;         // per kept row
    const int *start;       // likewise, and one more
    // The other way round: per speed of the tree, and one more, where its entries begin.
    const int *by_speed;
    const RbPathEntry *entries;
} RbPathRows;

RbPathRows rb_path_rows(const RbLoops *loops, const RbTree *tree, RbPathKind kind, RbArena *arena);

// K = X YT, which is symmetric, of the rows of a span: `count` from `first` on. Takes what two rows have in common.
void rb_path_rows_product(const RbPathRows *rows, RbCutRange speeds, int first, int count,
                          const double *x, const double *y, double *K);

typedef struct RbLoopWork {
    RbPathRows reach; // what yields
    double *u, *w;    // of reach: K_ij = u_i . w_j (rb_dyn_reduce)
    double *K;        // G M^-1 GT of each branch, factored
    int *pivot;
    double *lambda;   // per kept row
    RbCutRow *rows;   // likewise, of the last call
    double *mu;       // likewise, room
    Wrench *exerted;  // per body
    double *response; // nv
} RbLoopWork;

RbLoopWork rb_loop_work(const RbLoops *loops, const RbTree *tree, RbArena *arena);

// The factors of K at the positions in kin. False: the loop is in a position where
// its equations repeat each other, which they do not elsewhere.
bool rb_loops_open_in(const RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                      const RbKin *kin, RbDyn *dyn, RbLoopWork *work);

// After rb_dyn_solve_in without the loops: correct dv and the accelerations in kin, add the
// constraint forces to `forces` (as other wrenches). rate [1/s]: a above. False: as above.
bool rb_loops_solve_in(const RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                       RbKin *kin, double rate, RbDyn *dyn, RbLoopWork *work, Wrench *forces,
                       double *dv);

// The same at the positions of the last rb_loops_open_in or rb_loops_solve_in, after rb_dyn_solve_in with other forces.
void rb_loops_solve_again_in(const RbLoops *loops, RbCutRange range, const RbTree *tree,
                             RbSpan span, RbKin *kin, double rate, RbDyn *dyn, RbLoopWork *work,
                             Wrench *forces, double *dv);

// Take out of accelerations per unit of something what the loops do not allow. Follows
// rb_loops_solve_in at the same positions.
void rb_loops_project_in(const RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                         const RbKin *kin, RbDyn *dyn, RbLoopWork *work, double *dv);

// The rate of the motion: how fast the joints of a branch turn, or slide by the size of the loop.
double rb_loops_rate(const RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                     const double *v);

// Speeds of a branch: [first, end).
RbCutRange rb_loops_speeds(const RbTree *tree, RbSpan span);

// Room to put states on the loops.
typedef struct RbLoopNear {
    RbKin kin;
    RbPathRows reach;
    double *G;         // of reach
    double *WG;        // likewise, weighed
    double *per_speed; // nv, room
    double *K;         // G W GT, factored
    int *pivot;
    double *g, *dg; // per kept row
    double *weight; // per speed: the square of how far one unit of a step is
    double *step;   // per speed
    double *dq;
} RbLoopNear;

RbLoopNear rb_loop_near(const RbLoops *loops, const RbTree *tree, RbArena *arena);

// Take away what an integrator leaves of the loops: q and v of a branch move to the nearest that satisfy all equations to rounding
// (section 7 of docs/theory/loops.md). False: nothing has moved, since they do already, or are too far off for a guess (1e-2 of the
// size of the loop), or the position is singular.
bool rb_loops_approach_in(const RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                          RbLoopNear *near, double *q, double *v);

// What one wants to keep when the start is corrected.
typedef struct RbLoopStart {
    double *q, *v;       // in and out
    const bool *q_fixed; // per speed of the tree (the coordinates behind it): stays as it is
    const bool *v_fixed; // per speed
    bool measure;        // lengths of rods that are measured are what they come out as
} RbLoopStart;

// What was found at the start of a branch.
typedef struct RbLoopReport {
    int rows, rank;    // equations, and how many of them say something
    int freedom;       // speeds that the loops leave
    bool singular;     // the start is a position where the rank is lower than around it
    int first_dropped; // cut that has rows which repeat others; -1: none
    long passes;       // of one row over another, to find ranks: what it has cost
} RbLoopReport;

// Close all loops of a branch: move what is not fixed as little as possible, and choose the
// equations to keep. Errors: it cannot be closed, with the gap; start values contradict each other.
RbStatus rb_loops_close(RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                        RbLoopStart start, RbArena scratch, RbDiag *diag, RbLoopReport *report);

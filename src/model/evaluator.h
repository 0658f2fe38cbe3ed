// SPDX-License-Identifier: MIT
// evaluator.h: evaluates a system. One evaluator per caller: it owns the workspaces of the
// components. Nothing here allocates after rb_evaluator_new.
#pragma once

#include "io/drawing.h"
#include "model/system.h"
#include "solver/solver.h"

typedef struct RbEvaluator RbEvaluator;

// What a component gets to see of its surroundings.
struct RbHost {
    RbEvaluator *evaluator;
    int part;
};

// What a component may ask about the steps of other groups; groups and states count in the whole
// system.
typedef struct RbGroupSteps {
    void *user;
    double (*end)(void *user, int group);
    void (*states)(void *user, int group, double time, double *x,
                   int offset);                      // state i goes to x[i - offset]
    void (*all)(void *user, double time, double *x); // states of the whole system
} RbGroupSteps;

struct RbEvaluator {
    const RbSystem *system;
    const double *d;                  // discrete block of the whole system
    double *x_at_event;               // set during event iteration: where rb_event_reinit writes
    bool start_moved;                 // by rb_event_start, in the present pass
    RbSolver *solver;                 // set while a step is inspected; NULL: of islands
    double *x_inside;                 // states inside the step
    const struct RbGroupSteps *steps; // islands: where each group is
    bool *group_mask;                 // all false between evaluations
    const RbLog *log;
    unsigned char *workspace;
    RbHost *hosts;
    RbEval *evals;
    double *buffer;   // inputs and outputs of one function
    double *u;        // inputs of components, if a function gives them; NULL: there are none
    double *dx, *dq;  // of the last evaluation
    double *x_on;     // states on the constraints, of the last evaluation
    double *pull;     // how they draw the solver's own: part of dx
    double *given;    // derivatives that are proposed, without this
    bool pulled;      // they differ
    double *jacobian; // values of the components, before they are put into the pattern
    bool hears;       // what equations hand to components that rest (RbSegment.rests) is added to:
    uint64_t heard;
    long evaluations;

    // What failed last; kept, because a solver tries other points before it gives up.
    int bad_state; // whose derivative is not finite, or RB_NONE
    double bad_value;
    double bad_time;               // [s]
    int failed_part;               // that called rb_eval_fail, or RB_NONE
    RbPos failed_at;               // where it said that this is declared; file NULL: nowhere
    RbPos blamed;                  // by rb_eval_blame; file NULL: nowhere
    RbStatus blame;                // RB_OK: none of its own
    bool step_failed;              // by rb_step_fail
    const volatile int *interrupt; // of the run; NULL: it has none
    char message[640];             // what it said
    int asserting_part;            // that called rb_event_fail, or RB_NONE
    char assertion[512];
    RbPos assertion_at;
    RbStatus abort_status; // of rb_event_abort and rb_eval_abort
    char because[384];     // why the segment ends, as far as somebody has said
};

RbEvaluator *rb_evaluator_new(const RbSystem *system, const double *d, const RbLog *log,
                              RbArena *arena);

// Let the components forget their history. Done at every restart: a run that is resumed there has
// no history either.
void rb_evaluator_reset(RbEvaluator *e);

// Derivatives go to dx and dq (NULL: evaluator's own). Answers 0, > 0 (try a smaller step) or < 0
// (give up).
int rb_evaluate(RbEvaluator *e, unsigned want, double t, const double *x, double *dx, double *dq);

// r = F(t, x, given): the residuals of the states that were declared implicit, given - f for
// others.
int rb_evaluate_residual(RbEvaluator *e, double t, const double *x, const double *given, double *r);

// The same for some groups of one part alone (NULL: all of it): `groups` counts in the part. Only
// their derivatives are computed, and checked by the caller; dq is their share.
int rb_evaluate_groups(RbEvaluator *e, int part, const int *groups, int group_count, unsigned want,
                       double t, const double *x, double *dx, double *dq);

// The same for the equations and the groups that they reach: `groups` per part.
typedef struct RbGroupList {
    int *list; // NULL: all of the part
    int count;
} RbGroupList;

int rb_evaluate_equations(RbEvaluator *e, const RbGroupList *groups, unsigned want, double t,
                          const double *x, double *dx, double *dq);

// Some groups of one part move by themselves (RbIslandTable.advance) from (t, x) on; out: their states in x,
// their quadratures in dq. Answers as the others.
int rb_evaluate_advance(RbEvaluator *e, int part, const RbGroupList *groups, double t, double *x,
                        double *dq, RbAdvance *advance);

// Event indicators of one part after rb_evaluate_groups or rb_evaluate_equations at the same point; z counts in the part.
int rb_evaluate_part_indicators(RbEvaluator *e, int part, double *z);

// Put states on the constraints among them, as every evaluation does for itself.
void rb_evaluator_project(RbEvaluator *e, double t, double *x);

// Only set the point (t, x) at which a driver may call the functions of the components.
void rb_evaluator_at(RbEvaluator *e, double t, const double *x);

// Event indicators at (t, x), with the evaluation that they need; `given` as in RbEval, or NULL.
int rb_evaluate_indicators(RbEvaluator *e, double t, const double *x, const double *given,
                           double *z);

// df/dx in the order of the pattern; only if composed->has_jacobian.
int rb_evaluate_jacobian(RbEvaluator *e, const RbComposed *composed, double t, const double *x,
                         double *values);

// dF/dx' of rb_evaluate_residual in the order of the pattern; only if composed->has_slopes. values
// are zero on entry.
int rb_evaluate_slopes(RbEvaluator *e, const RbComposed *composed, double t, const double *x,
                       const double *given, double *values);

// df/dx for some groups of one part: the square matrix of their states by columns, group after
// group, zero on entry. Only if rb_part_has_group_jacobian. `evaluated`: the last evaluation was
// that of the derivatives of these groups at this very point, and nobody has used the workspace
// since.
bool rb_part_has_group_jacobian(const RbEvaluator *e, int part);
int rb_evaluate_group_jacobian(RbEvaluator *e, int part, const int *groups, int group_count,
                               bool evaluated, double t, const double *x, double *values);

// Results of the components at (t, x, q), after an evaluation that leaves dx and dq in the
// evaluator.
int rb_evaluate_results(RbEvaluator *e, double t, const double *x, const double *q,
                        double *results);

// What is seen at the point of rb_evaluate_results, right after it; first: number of the first
// object of each part.
void rb_evaluate_picture(RbEvaluator *e, const int *first, RbPicture *picture);

// What components find in the step from t0 to t1, of e->solver or of islands: the first time, and the indicator and the sign with which it is told, or RB_NONE.
// INFINITY: nothing.
double rb_evaluator_inspect(RbEvaluator *e, double t0, double t1, int *indicator, int *sign);

// Has a component said why it failed? Of equations that is half of the story: the solver tells the rest.
bool rb_evaluator_knows_why(const RbEvaluator *e);

// A solver has given up at this time: let components tell what is likely to make it so hard, as notes, unless a derivative that is not finite is the reason. state: of the system,
// whose error was largest, or RB_NONE.
void rb_evaluator_tell_suspects(const RbEvaluator *e, double time, int state, RbDiag *diag);

// After rb_evaluate_results: warn of the first result that a component does not trust. True: there is one.
bool rb_evaluator_tell_doubts(const RbEvaluator *e, const RbAccuracy *accuracy, RbDiag *diag);

// Say what failed at the given time or beyond: names component, time and state. Answers the status
// given.
RbStatus rb_evaluator_explain(const RbEvaluator *e, double time, RbStatus status, RbDiag *diag);

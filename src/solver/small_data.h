// SPDX-License-Identifier: MIT
// small_data.h: what the methods behind small.h share. Private to src/solver.
#pragma once

#include "solver/difference.h"
#include "solver/small.h"

enum { RB_SMALL_STAGES = 7 };

struct RbSmall {
    int capacity;
    bool matrices; // there is room for them
    const int *part_ends;
    int part_count;
    RbSmallOde ode;
    double tolerance, max_step; // max_step [s]; INFINITY: none
    RbSmallKind method;         // as the options say
    RbSmallKind kind;           // of the next step
    RbSmallKind last_kind;      // of the last one
    RbSmallStats stats;
    bool refused; // the last evaluation was not possible

    double t0, t1;             // [s] the last step
    double t1_accepted;        // [s] its end before it was retaken
    double h;                  // [s] proposed for the next step; 0: to be chosen
    double error_old;          // error of the last step, as a fraction of what is allowed
    double h_old;              // [s] its size
    double stiffness;          // h |lambda| seen by the last explicit step
    bool f1_known;             // f1 = f(t1, x1)
    bool slope_known;          // jacobian and df/dt are those of (t0, x0)
    int stiff_hits, soft_hits; // explicit steps in a row that were limited by stability, or not
    int patience;              // stiff hits before a switch
    int since_switch;          // steps
    int soft_checks;           // stiff steps in a row that an explicit one could have done

    // Vectors of n, all in one block.
    double *x0, *x1, *f0, *f1; // both ends of the last step
    double *relative, *absolute, *scale;
    double *error;                             // estimate for the last attempt
    double *y;                                 // argument of a stage
    double *k[RB_SMALL_STAGES];                // slopes (explicit) or increments (stiff)
    double g[RB_SMALL_STAGES][RB_SMALL_RATES]; // rates of the stages; the last are those of the end
    double t_back[2],
        g_back[2][RB_SMALL_RATES]; // starts of the two steps before, and the rates there
    int back_count;                // of them that are known
    bool factors_known;            // factors belong to the last attempt
    double *c2, *c3, *c4;          // dense output
    double *ft;                    // df/dt
    double *jacobian, *factors;    // n x n by columns
    int *pivot;
    int *first, *end; // of what is not zero in each column of a matrix
    RbDifference difference;
    double *block;
    size_t block_size; // doubles
    // Of systems that move by themselves: the last look inside the step, its states in y, and integrals from t0
    // on up to the end, the last look and the one before.
    double t_look, t_look_before;
    double sums[RB_SMALL_RATES], look[RB_SMALL_RATES], look_before[RB_SMALL_RATES];
};

// f(t, x) with counting; NaN and infinity count as > 0.
int rb_small_evaluate(RbSmall *s, double t, const double *x, double *dx);

// The same, and keep the rates as those of the stage.
int rb_small_evaluate_stage(RbSmall *s, double t, const double *x, double *dx, int stage);

// One step of size h from (t0, x0) with f0 known: fills x1, error and what the dense output needs.
// Answers as the callbacks.
int rb_dopri_attempt(RbSmall *s, double h);
int rb_rodas_attempt(RbSmall *s, double h);

// Rates in the middle of the last stiff step, to s->g[1]. Answers as the callbacks.
int rb_rodas_middle(RbSmall *s);

// Integrals of the rates over a part of the last step, which was explicit.
void rb_dopri_integrate(const RbSmall *s, double from, double until, double *sum);
double rb_dopri_rate_error(const RbSmall *s);

static inline bool rb_small_is_loose(const RbSmall *s, int rate) {
    return s->ode.loose && s->ode.loose[rate];
}

// Coefficients of the dense output after an attempt.
void rb_dopri_finish(RbSmall *s, double h);
void rb_rodas_finish(RbSmall *s);

// Size of the largest eigenvalue of df/dx at (t, x), from above. [1/s] INFINITY if it cannot be
// computed.
double rb_small_spectral_radius(RbSmall *s);

// df/dx at (t, x), where f(t, x) = dx, to s->jacobian.
int rb_small_jacobian(RbSmall *s, double t, const double *x, const double *dx);

// ---- own_steps.c: systems that move by themselves
RbStatus rb_own_step(RbSmall *s, double t_limit, RbDiag *diag);
RbStatus rb_own_retake(RbSmall *s, double t_end, RbDiag *diag);
int rb_own_integrate(RbSmall *s, double from, double until, double *sum);
RbStatus rb_small_failed(const RbSmall *s, int answer, double h, RbDiag *diag);

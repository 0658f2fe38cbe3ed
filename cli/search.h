// SPDX-License-Identifier: MIT
// search.h: the least value of a function under bounds and constraints, by NLopt. It knows functions only; what they cost
// is the matter of `evaluate`, which takes many points at once.
#pragma once

#include <stdbool.h>

// A method takes gradients, which are made from difference quotients, or values alone.
typedef struct SearchMethod {
    const char *name;
    int algorithm; // of NLopt
    bool global, gradient, inequalities, equalities;
    bool several; // needs two unknowns at least
} SearchMethod;

const SearchMethod *search_method(int i); // NULL after the last one

// Values of points of the unit cube: values[p * (1 + constraints)] is the objective at point p, then come the
// constraints c <= 0 or c = 0. False: give up.
typedef bool SearchEvaluate(void *user, const double *points, int count, double *values);

typedef enum SearchEnd {
    SEARCH_PRECISION, // the point does not move any more
    SEARCH_RUNS,      // most_points were used up
    SEARCH_TARGET,    // a value below the target was found
    SEARCH_STUCK,     // rounding or noise stops the method
    SEARCH_STOPPED,   // by evaluate
    SEARCH_FAILED,
} SearchEnd;

typedef struct SearchProblem {
    const SearchMethod *method, *refinement; // refinement: a local method after a global one; or NULL
    int unknowns, constraints;
    const bool *equality; // of each constraint
    double precision;     // of the unit cube
    double target;        // -INFINITY: none
    int most_points;
    unsigned long seed;
    SearchEvaluate *evaluate;
    void *user;
} SearchProblem;

// From x to the best point that was found, among those that hold the constraints.
SearchEnd search_run(const SearchProblem *problem, double *x);

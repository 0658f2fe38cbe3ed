// SPDX-License-Identifier: MIT
// sweep_design.h: which values the parameters of a sweep take in which run.
//
//     --vary e=0.5:0.1:0.9            0.5, 0.6, ..., 0.9
//     --vary material=Steel,DryWood   a list, of any values that --override takes
//     --vary m=uniform(1, 2)          also normal(mean, deviation), loguniform(low, high)
//
// Ranges and lists alone make a grid: every combination, the last parameter fastest. Otherwise `runs` points of the
// unit cube (random, Latin hypercube or Sobol) become values by the inverse of each distribution; a list is then
// cut into equal shares. A value depends on seed, run and parameter alone, except in a Latin hypercube.
#pragma once

#include "cli.h"

typedef enum DesignKind { DESIGN_GRID, DESIGN_RANDOM, DESIGN_LHS, DESIGN_SOBOL } DesignKind;

typedef enum Spread { SPREAD_LIST, SPREAD_UNIFORM, SPREAD_LOGUNIFORM, SPREAD_NORMAL } Spread;

typedef struct Variation {
    const char *name;
    Spread spread;
    const char **values; // of a list
    int count;
    double a, b; // low and high, or mean and standard deviation
} Variation;

typedef struct Design {
    DesignKind kind;
    Variation *varied;
    int count; // parameters
    int runs;
    unsigned long long seed;
    const char **cells; // of a table file, or NULL: runs x count
    int **order;        // of a Latin hypercube: which share run i takes of parameter j
} Design;

// From the options --vary, --table, --design, --runs and --seed.
RbStatus design_read(Cli *cli, Design *design);

// Value of parameter j in run i (from 0), as --override takes it. Room of the command, until its end.
const char *design_value(Cli *cli, const Design *design, int run, int j);

// Point of the unit cube that a run takes along parameter j: between 0 and 1.
double design_point(const Design *design, int run, int j);

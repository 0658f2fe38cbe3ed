// SPDX-License-Identifier: MIT
// fill.h: where grains come from: a grid, a random packing without overlap, rain at a rate, a list. Same
// seed, same grains.
#pragma once

#include "base/diag.h"
#include "dem/cloud.h"
#include "math/rng.h"

typedef enum RbFillKind {
    RB_FILL_GRID,   // row by row, from the lower corner of the box
    RB_FILL_RANDOM, // anywhere in the box where nothing is
    RB_FILL_RAIN,   // likewise, one after another while the run lasts
    RB_FILL_LIST,   // given places
} RbFillKind;

typedef struct RbFill {
    const char *name;
    RbPos at;
    RbFillKind kind;
    int count;                    // how many, at most for rain
    double radius, radius_spread; // [m] uniform in radius (1 -+ spread); of clumps, sizes are 1 -+ spread
    const RbClump *clump;         // form of the grains; NULL: spheres
    bool aligned;                 // clumps stand as they were typed; otherwise they are turned at random
    double density;               // [kg/m3]
    int material;                 // index of the laws
    Vec3 low, high;               // [m] box that the grains are in altogether
    Vec3 velocity;                // [m/s] of all
    uint64_t seed;
    double rate;          // [1/s] rain
    double start;         // [s] rain: when the first one falls
    const double *places; // list: x, y, z, radius of each; of clumps, centre of mass and size
    const Vec3 *motions;  // list: velocity and spin of each; NULL: `velocity` of all
    const Quat *turns;    // list of clumps: from the frame as typed to the world; NULL: as `aligned` says
} RbFill;

// Spheres that a grain consists of.
int rb_fill_spheres(const RbFill *fill);

// [kg], [m] The mass and radius of the sphere that takes part in the shortest contacts.
double rb_fill_lightest(const RbFill *fill, double density, double *radius);

// Of all that decides which grains come, the numbers of a list among it: the same for the same filling only.
uint64_t rb_fill_hash(const RbFill *fill);

// Are its numbers possible? The message names what is wrong.
RbStatus rb_fill_check(const RbFill *fill, RbDiag *diag);

// Are they in the cell of periodic borders?
RbStatus rb_fill_check_borders(const RbFill *fill, const RbBorders *borders, RbDiag *diag);

// Put all grains of a grid, a packing or a list into the cloud, whose walls are in their places.
RbStatus rb_fill_pour(const RbFill *fill, RbCloud *cloud, RbArena scratch, RbDiag *diag);

// How much has rained so far.
typedef struct RbRain {
    RbRng rng;
    int fallen;  // grains of the source that came, or found no room
    int refused; // of these found no room
} RbRain;

RbRain rb_rain(const RbFill *fill);

// Is some of it due?
bool rb_rain_is_due(const RbFill *fill, const RbRain *rain, double time);
// What is due until a time falls, if there is room. Returns how many fell.
int rb_rain_fall(const RbFill *fill, RbRain *rain, RbCloud *cloud, double time);

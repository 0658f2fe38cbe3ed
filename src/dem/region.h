// SPDX-License-Identifier: MIT
// region.h: parts of space in which grains are looked at, or which they leave through.
//
// A region is looked at between two steps of the cloud, now and then; what it measures is kept in numbers that the
// caller owns (and saves), rb_region_size of them.
//
//     rb_region_look(&region, cloud, elapsed, values);   // what is there, what has passed since the last look
//     rb_region_drain(&region, cloud, values);           // what is in a sink leaves
//     ... grains may be added
//     rb_region_mark(&region, cloud, values);            // from here on passing counts
#pragma once

#include "base/diag.h"
#include "dem/cloud.h"

typedef enum RbRegionKind {
    RB_REGION_BOX,   // what is in a box
    RB_REGION_PLANE, // what has passed a plane
    RB_REGION_SINK,  // what has come into a box leaves
    RB_REGION_PART,  // what goes on at a wall, whose surface may be a belt
} RbRegionKind;

typedef struct RbRegion {
    const char *name;
    RbPos at;
    RbRegionKind kind;
    Vec3 low, high; // [m] box, sink; infinite: no border there
    Vec3 r, n;      // plane: a point, and which way counts as positive (its length does not matter)
    double start;   // [s] sink: from then on
    double average; // [s] plane: over which the flow is averaged
    int wall;       // part: its number in the cloud
    Vec3 surface;   // [m/s] part: of its belt, in its frame, from `start` on; zero: none
    double ramp;    // [s] part: that the belt takes to get there
} RbRegion;

// A number that a region measures, or several.
typedef struct RbRegionMeasure {
    const char *name, *unit, *text;
    int size, at; // in the values
} RbRegionMeasure;

// Ends with a name that is NULL. Values behind those of the last measure are for the region itself.
const RbRegionMeasure *rb_region_measures(RbRegionKind kind);
int rb_region_size(RbRegionKind kind);

RbStatus rb_region_check(const RbRegion *region, RbDiag *diag);
// Does it fit into a periodic cell?
RbStatus rb_region_check_borders(const RbRegion *region, const RbBorders *borders, RbDiag *diag);

// elapsed: [s] since the last look.
void rb_region_look(const RbRegion *region, RbCloud *cloud, double elapsed, double *values);
// Returns how many have left.
int rb_region_drain(const RbRegion *region, RbCloud *cloud, double *values);
void rb_region_mark(const RbRegion *region, const RbCloud *cloud, double *values);

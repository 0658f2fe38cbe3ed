// SPDX-License-Identifier: MIT
// flexible.h: elastic parts: a finite-element mesh, reduced to a few modes.
#pragma once

#include "rattleback/base.h"
#include "rattleback/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbFlexibleReading {
    double scale;          // metres per unit of the file
    double youngs_modulus; // [Pa]
    double poisson;
    double density; // [kg/m3]
    int modes;      // with all frames held; 6 for each frame but one come on top
    bool
        averaged; // frames move as their nodes do in the mean; otherwise they hold their nodes rigidly
} RbFlexibleReading;

// Metres, steel, 10 modes.
RB_API RbFlexibleReading rb_flexible_reading_default(void);

typedef struct RbFlexibleFindings {
    int nodes, elements, order;
    int set_count;
    const char *const *sets; // names of its node sets
    const int *set_nodes;
    double mass, centre[3];    // [kg], [m] in the frame of the file
    double inertia[9];         // [kg m2] about the centre of mass
    int modes;                 // of the reduced part, without 6 rigid ones
    const double *frequencies; // [Hz]
    double memory;             // [bytes] of the factors
    double worst_shape;        // of its elements: 1 is regular, 0 flat
    int bad_elements;          // of a shape below 0.1
} RbFlexibleFindings;

// Reads a mesh (.msh, .inp) and reduces it, with node sets as interface frames. Findings live as long as the context.
RB_API RbStatus rb_flexible_inspect(RbContext *context, const char *file,
                                    const RbFlexibleReading *reading, const char *const *frames,
                                    int frame_count, RbFlexibleFindings *findings);

#ifdef __cplusplus
}
#endif

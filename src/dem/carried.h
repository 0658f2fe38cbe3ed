// SPDX-License-Identifier: MIT
// carried.h: rigid bodies with walls between two exchanges with the solver: they move among the grains, under the loads of the
// grains and under their other forces as these went on so far, linear in time (docs/theory/granular.md, section 6).
//
// Whoever makes the steps of the grains calls rb_carried_move when the time has advanced, and rb_carried_load when
// the loads of the walls are known: our own cloud, or each process of an engine, which all find the same.
#pragma once

#include "dem/cloud.h"

typedef struct RbCarriedBody {
    int body; // of the tree
    Pose X;   // [m]
    Motion V; // [rad/s], [m/s]
    Motion A; // [rad/s2], [m/s2] at the last step
    Motion
        mobility[6]; // acceleration per unit of torque x, y, z, force x, y, z; zero: others move it
    Motion smooth, rise; // acceleration without grains where the interval begins, and its rate
    Motion started;      // V where the interval began, as the solver had it
    Motion mean_before;  // of smooth over the last interval
    double middle;       // [s] of that interval
    int known;           // intervals that smooth was found from: 0, 1, 2
    Wrench load;         // at the last step
    Wrench sum, moment;  // integrals of the load over the interval: [N s], [N s2]
} RbCarriedBody;

typedef struct RbCarried {
    RbCarriedBody *bodies;
    int count;
    const int *of_wall; // per wall: its body; -1: it stands still
    const Pose *X_BW;   // [m] per wall: where it is in the frame of its body
    double from;        // [s] where the interval begins
} RbCarried;

// Acceleration that a load makes.
Motion rb_carried_yield(const RbCarriedBody *body, Wrench load);

static inline Motion motion_axpy(Motion a, double s, Motion b) {
    return (Motion){v3_axpy(a.w, s, b.w), v3_axpy(a.v, s, b.v)};
}

static inline Wrench wrench_axpy(Wrench a, double s, Wrench b) {
    return (Wrench){v3_axpy(a.t, s, b.t), v3_axpy(a.f, s, b.f)};
}

// Walls to where their bodies are.
void rb_carried_place_walls(const RbCarried *carried, RbCloud *cloud);
// One step of the cloud, and with it the walls.
void rb_carried_move(RbCarried *carried, RbCloud *cloud);
// The loads of the walls (cloud->wall_loads) are those of the present.
void rb_carried_load(RbCarried *carried, const RbCloud *cloud);
// The load of all walls of a body about its origin.
Wrench rb_carried_load_on(const RbCarried *carried, const RbCloud *cloud, int body);

// SPDX-License-Identifier: MIT
// grain_wall.h: what grains lean against: shapes that belong to rigid bodies, or stand still.
#pragma once

#include "geom/core.h"
#include "math/spatial.h"

typedef struct RbGrainWall {
    const RbCore *parts; // convex, in the frame of the wall
    int part_count;      // at most RB_WALL_FACES_MOST
    int material;
    double per_mass; // [1/kg] acceleration of the wall by a force, in the mean; 0: it does not yield
    Pose X;       // [m] of the wall in the world
    Motion V;     // [rad/s], [m/s] of its origin
    Pose listed;  // X when the list was made
    double reach; // [m] distance of a point from its origin that a grain may then touch, at most
} RbGrainWall;

enum { RB_WALL_FACES_MOST = 1 << 20, RB_WALLS_MOST = 1 << 10 };

// Name of a part of a wall beside the identities of grains: negative.
static inline int rb_grain_wall_code(int wall, int face) {
    return -1 - (wall * RB_WALL_FACES_MOST + face);
}

// Signed distance of a point of the world from a part, and the normal there.
double rb_grain_wall_distance(const RbGrainWall *wall, int part, Vec3 p_W, Vec3 *n_W);

// [m] How far points of the wall have moved since the list was made, at most.
double rb_grain_wall_moved(const RbGrainWall *wall);

// Go on with its velocity.
void rb_grain_wall_advance(RbGrainWall *wall, double time);

// SPDX-License-Identifier: MIT
// grain_wall.h: what grains lean against: shapes that belong to rigid bodies, or stand still.
#pragma once

#include "dem/grain_mesh.h"
#include "geom/core.h"
#include "math/spatial.h"

typedef struct RbGrainWall {
    const RbCore *parts;     // convex, in the frame of the wall
    int part_count;          // at most RB_WALL_FACES_MOST
    const RbGrainMesh *mesh; // instead of parts: a surface of triangles, in the frame of the wall
    int material;
    bool absent; // nobody touches it
    bool unsettled; // equations put it where it is when the run begins: not yet known to fillings
    double
        per_mass;   // [1/kg] acceleration of the wall by a force, in the mean; 0: it does not yield
    Pose X;         // [m] of the wall in the world
    Motion V;       // [rad/s], [m/s] of its origin
    // A belt: the wall stays, its surface runs along itself. [m/s] in the frame of the wall, of which the part along the surface
    // counts; from a time [s] on, which it takes `ramp` [s] to reach
    Vec3 belt;
    double belt_start, belt_ramp;
    Vec3 belt_W;    // [m/s] now, in the world
    double reach;   // [m] of its farthest point from its origin
    Pose listed;    // X when the list was made
    Vec3 low, high; // [m] box of the world that has all points which a grain may then touch
} RbGrainWall;

enum { RB_WALL_FACES_MOST = 1 << 20, RB_WALLS_MOST = 1 << 10 };

// Name of a part of a wall beside the identities of grains: negative.
static inline int rb_grain_wall_code(int wall, int face) {
    return -1 - (wall * RB_WALL_FACES_MOST + face);
}

// Signed distance of a point of the world from a part, and the normal there; INFINITY from a feature of a
// mesh that a ball of the radius `reach` [m] does not touch. *hint: see grain_mesh.h.
double rb_grain_wall_distance(const RbGrainWall *wall, int part, Vec3 p_W, double reach, int *hint,
                              Vec3 *n_W);

// Parts, or features of a mesh, that a point may touch which is within `reach` [m] of them: at least once each.
void rb_grain_wall_near(const RbGrainWall *wall, Vec3 p_W, double reach, RbGrainNear *near,
                        void *user);

// Does a ball overlap the wall?
bool rb_grain_wall_overlaps(const RbGrainWall *wall, Vec3 p_W, double radius);

// [m] How far points of the wall have moved since the list was made, at most.
double rb_grain_wall_moved(const RbGrainWall *wall);

// [m] How far a wall reaches from its origin; and [m/s] the largest speed of a point of it which a grain may touch.
double rb_grain_wall_reach(const RbGrainWall *wall);
double rb_grain_wall_speed(const RbGrainWall *wall);

// The belt at a time, where the wall is; and the velocity of its surface where the normal is n.
void rb_grain_wall_run_belt(RbGrainWall *wall, double time);
static inline Vec3 rb_grain_wall_surface(const RbGrainWall *wall, Vec3 n_W) {
    return v3_axpy(wall->belt_W, -v3_dot(wall->belt_W, n_W), n_W);
}

// Go on with its velocity.
void rb_grain_wall_advance(RbGrainWall *wall, double time);

// SPDX-License-Identifier: MIT
// wet_line.h: how deep a point lies in another body, and which parts of a straight line lie in it. For
// patches of round bodies (patch_round.h).
#pragma once

#include "collide/near_hull.h"

enum { RB_WET_MAX = 48 };

typedef struct RbDepthField {
    const RbCore *core;
    double radius; // [m] of both spheres
    Vec3 away;     // unit vector from it to the round body
    double depth;  // [m] by which both overlap along that
    bool deep;     // the cores themselves overlap: lines may run inside the field's core
    bool planar;   // over all of the round body it is the half-space n . p <= offset
    Vec3 n;
    double offset;
    const RbNearHull
        *near; // of a polyhedron, if its core is not reached: what may be closest; or NULL
} RbDepthField;

// Overlap at p, and the direction in which it falls. Frame of the field's core.
double rb_depth_at(const RbDepthField *field, Vec3 p, Vec3 *m);

// Over which piece of the other body p is: faces, edges and corners, ends, rims and side; inside it, under which: the overlap has
// the same form there.
int rb_depth_piece(const RbDepthField *field, Vec3 p);

// A polyhedron is a half-space for what stays over one of its faces, or overlaps over it alone; so is a round body with its ends: sets `planar`, if that is so.
// n: to the round body.
void rb_depth_find_plane(RbDepthField *field, const RbCore *round, Pose X, Vec3 n);

// About what the overlap bends: an axis along z through (x, 0), for sides of round bodies; otherwise an edge, a rim or a corner.
typedef struct RbBend {
    bool is_axis;
    double x; // [m]
} RbBend;

// For the piece of the other body that p is over.
RbBend rb_depth_bend(const RbDepthField *field, Vec3 p);

// How far from it the line is at s; infinitely inside of flat faces. rate: of half the square along the line.
double rb_bend_distance(const RbDepthField *field, RbBend bend, const RbLine *line, double s,
                        double *rate);

typedef struct RbWet {
    double most; // [m] largest overlap along the line; where it is negative, about that
    // If the field is near: where that is, and the direction in which it falls there.
    double most_at;
    Vec3 most_m;
    int form; // what bounds it: lines whose parts are bounded alike have the same, if both are rough or both are not
    bool rough; // parts end where the form of the overlap changes next, not where it vanishes
    bool from_inside, to_inside; // it begins and ends between the ends of the line
    int count;
    double from[RB_WET_MAX], to[RB_WET_MAX];
    // Between these places the overlap is linear, and falls in one direction: its values there, which are but rounding at a border.
    bool linear[RB_WET_MAX];
    double w_from[RB_WET_MAX], w_to[RB_WET_MAX];
    Vec3 m[RB_WET_MAX];
    bool known[RB_WET_MAX]; // what is not linear: the overlap is radius - |away + s rate|
    Vec3 away[RB_WET_MAX], rate[RB_WET_MAX];
} RbWet;

// rough: how deep and of which form is all that is asked.
void rb_wet_part(const RbDepthField *field, const RbLine *line, bool rough, RbWet *out);

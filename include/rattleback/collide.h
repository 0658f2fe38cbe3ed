// SPDX-License-Identifier: MIT
// collide.h: distances and contacts of rigid shapes, for programs that want nothing else of
// Rattleback.
//
//     RbCollideWorld *world;
//     rb_collide_create(NULL, &world);
//     RbCollideShape ball;
//     rb_collide_sphere(world, 0.2, &ball);
//     RbCollider a, b;
//     rb_collide_add(world, ball, (double[]){0, 0, 0}, NULL, &a);
//     rb_collide_add(world, ball, (double[]){0.19, 0, 0}, NULL, &b);
//     const RbCollideContact *contacts;
//     int count;
//     if (rb_collide_contacts(world, 0, &contacts, &count) != RB_OK) puts(rb_collide_error(world));
//     rb_collide_free(world);
//
// examples/c/collide.c is a complete program, docs/guide/collide.md explains each call.
//
// Units are SI: metre, second, radian. A position is 3 doubles; a rotation is a quaternion of 4
// doubles w, x, y, z that maps components of the body to components of the world (any length but
// zero; NULL: no rotation).
//
// Every call that can fail answers RB_OK or an error code; rb_collide_error then says what was
// wrong. A call that failed changed nothing. When memory runs out the answer is RB_ERROR_MEMORY,
// and the world can be used on.
//
// Threads: a world belongs to one thread at a time. Different worlds share nothing, so each thread
// may have its own. Same calls, same results, bit for bit.
#pragma once

#include "rattleback/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbCollideWorld RbCollideWorld;

// Ids. All zero is no shape and no collider. An id that was removed is never valid again.
typedef struct RbCollideShape {
    uint32_t index, generation;
} RbCollideShape;

typedef struct RbCollider {
    uint32_t index, generation;
} RbCollider;

// --- World --------------------------------------------------------------------------------------

typedef enum RbCollideMethod {
    RB_COLLIDE_AUTO,   // chosen by number, sizes and motion
    RB_COLLIDE_BRUTE,  // every pair: for a few
    RB_COLLIDE_TREE,   // dynamic tree of boxes
    RB_COLLIDE_MORTON, // sort along a space-filling curve: for many of similar size that all move
} RbCollideMethod;

typedef struct RbCollideOptions {
    RbCollideMethod method; // of the broad phase; all give the same results
    double margin_factor;   // boxes are grown by this part of their longest edge, so that small
                            // motions cost nothing
    double margin_least;    // [m] but at least by this
    int capacity;           // colliders to make room for at once
    const RbAllocator *allocator; // NULL: that of the C library
} RbCollideOptions;

// The defaults: automatic method, margin 0.5 %.
RB_API RbCollideOptions rb_collide_options_default(void);

// A new, empty world. options may be NULL. Nothing but the status tells what went wrong here.
RB_API RbStatus rb_collide_create(const RbCollideOptions *options, RbCollideWorld **world);

// The end of the world, its shapes and colliders. NULL is allowed.
RB_API void rb_collide_free(RbCollideWorld *world);

// What was wrong with the last call that failed; "" if none did. Valid until the next call that
// fails.
RB_API const char *rb_collide_error(const RbCollideWorld *world);

// --- Shapes -------------------------------------------------------------------------------------
// A shape has its own frame, which stands in its middle unless told otherwise. One shape may serve
// many colliders.
//
// axis: 1, 2, 3 puts the axis of the shape along x, y, z.
//
// smoothing [m]: the radius that sharp edges are rounded with, inwards, so that the outer
// dimensions stay. Contact forces want normals that change continuously. At most a tenth of the
// smallest length is used. 0: sharp.

#define RB_COLLIDE_SMOOTHING 0.001 // [m] a good value for things one can hold

RB_API RbStatus rb_collide_sphere(RbCollideWorld *world, double diameter, RbCollideShape *shape);
RB_API RbStatus rb_collide_ellipsoid(RbCollideWorld *world, const double lengths[3],
                                     RbCollideShape *shape);
RB_API RbStatus rb_collide_box(RbCollideWorld *world, const double lengths[3], double smoothing,
                               RbCollideShape *shape);
RB_API RbStatus rb_collide_cylinder(RbCollideWorld *world, int axis, double diameter, double length,
                                    double smoothing, RbCollideShape *shape);

// The frame stands at the centre of the base circle; the top, or the apex if top_diameter is 0, at
// +length on the axis.
RB_API RbStatus rb_collide_cone(RbCollideWorld *world, int axis, double diameter, double length,
                                double top_diameter, double smoothing, RbCollideShape *shape);

// length: of the cylindrical part; the whole capsule is longer by one diameter.
RB_API RbStatus rb_collide_capsule(RbCollideWorld *world, int axis, double diameter, double length,
                                   RbCollideShape *shape);

// A bar with round ends. length along the axis, between the centres of the ends; width across, along the next of x, y, z, x, y, also
// the diameter of the ends; thickness along the one after.
RB_API RbStatus rb_collide_beam(RbCollideWorld *world, int axis, double length, double width,
                                double thickness, double smoothing, RbCollideShape *shape);

// All points with z <= 0: the ground.
RB_API RbStatus rb_collide_halfspace(RbCollideWorld *world, RbCollideShape *shape);

// The convex hull of points (x, y, z of each), grown by radius >= 0 on all sides.
RB_API RbStatus rb_collide_hull(RbCollideWorld *world, const double *points, int count,
                                double radius, RbCollideShape *shape);

// Several convex hulls that form one rigid shape, which need not be convex. counts[i] points belong
// to part i; the points of all parts follow each other.
RB_API RbStatus rb_collide_parts(RbCollideWorld *world, const double *points, const int *counts,
                                 int part_count, RbCollideShape *shape);

// From a file (.stl, .obj, .ply, .dxf), `scale` metres per unit: the convex hull of all its points, or,
// with `parts`, a convex part for each object or group of an OBJ file. From a folder: a convex part for
// each file in it (rb_workpiece_read_folder).
RB_API RbStatus rb_collide_file(RbCollideWorld *world, const char *file, double scale, int parts,
                                RbCollideShape *shape);

// Only if no collider uses it any more.
RB_API RbStatus rb_collide_remove_shape(RbCollideWorld *world, RbCollideShape shape);

// --- Colliders: shapes placed in the world
// --------------------------------------------------------

RB_API RbStatus rb_collide_add(RbCollideWorld *world, RbCollideShape shape,
                               const double position[3], const double rotation[4],
                               RbCollider *collider);
RB_API RbStatus rb_collide_remove(RbCollideWorld *world, RbCollider collider);
RB_API RbStatus rb_collide_place(RbCollideWorld *world, RbCollider collider,
                                 const double position[3], const double rotation[4]);

// How it moves, for swept motion: velocity of the frame's origin [m/s] and angular velocity
// [rad/s], in world components. NULL: zero. A half-space must not turn.
RB_API RbStatus rb_collide_set_velocity(RbCollideWorld *world, RbCollider collider,
                                        const double velocity[3], const double spin[3]);

// Two colliders form a pair if both are active, the pair is active, and the category of each is
// among what the other one collides with. At first everything is active and collides with
// everything. The rules are independent: switching a collider off and on again leaves its pairs as
// they were.
RB_API RbStatus rb_collide_set_active(RbCollideWorld *world, RbCollider collider, int active);
RB_API RbStatus rb_collide_set_pair(RbCollideWorld *world, RbCollider a, RbCollider b, int active);
RB_API RbStatus rb_collide_set_filter(RbCollideWorld *world, RbCollider collider, uint32_t category,
                                      uint32_t collides);

// The box around it, along the axes of the world.
RB_API RbStatus rb_collide_bounds(RbCollideWorld *world, RbCollider collider, double low[3],
                                  double high[3]);

// Number of colliders.
RB_API int rb_collide_count(const RbCollideWorld *world);

// --- Questions
// ------------------------------------------------------------------------------------

typedef struct RbCollideContact {
    RbCollider a, b;    // of a world query, in the order of their indices
    int part_a, part_b; // which convex parts; 0 unless the shape came from rb_collide_parts
    double distance;  // [m] between the surfaces; negative: penetration depth, the shortest way out
    double normal[3]; // unit vector from a to b
    double point_a[3]; // [m] closest points on both surfaces; penetrating: deepest points
    double point_b[3];
    double error; // [m] the distance is exact up to this (0 or rounding, except deep inside curved
                  // shapes)
} RbCollideContact;

// The closest parts of two colliders, whether they are active or not.
RB_API RbStatus rb_collide_distance(RbCollideWorld *world, RbCollider a, RbCollider b,
                                    RbCollideContact *contact);

// The same for two shapes placed anywhere; a and b of the result are zero.
RB_API RbStatus rb_collide_shapes(RbCollideWorld *world, RbCollideShape a,
                                  const double position_a[3], const double rotation_a[4],
                                  RbCollideShape b, const double position_b[3],
                                  const double rotation_b[4], RbCollideContact *contact);

// The same again and again for a pair of shapes that moves a little between the calls: what the last
// search has found says where the next one looks first. All zero at first; one for each pair. The
// distance differs by no more than rounding.
typedef struct RbCollideMemory {
    int part_a, part_b;
    double kept[12];
} RbCollideMemory;
RB_API RbStatus rb_collide_shapes_warm(RbCollideWorld *world, RbCollideShape a,
                                       const double position_a[3], const double rotation_a[4],
                                       RbCollideShape b, const double position_b[3],
                                       const double rotation_b[4], RbCollideMemory *memory,
                                       RbCollideContact *contact);

// All pairs whose distance is at most margin >= 0 [m], one contact for each pair of convex parts,
// sorted by index of a, then b, then parts. The array belongs to the world and is valid until its
// next call.
RB_API RbStatus rb_collide_contacts(RbCollideWorld *world, double margin,
                                    const RbCollideContact **contacts, int *count);

// The smallest distance of all pairs. No pair: the distance is infinite, a and b are zero.
RB_API RbStatus rb_collide_minimum(RbCollideWorld *world, RbCollideContact *contact);

// How far apart, at least, are all pairs whose boxes do not overlap: the smallest distance [m] of their
// boxes, which are a little larger than the shapes. Infinite if there is no such pair. Remembered: it
// costs little while few colliders leave their boxes.
RB_API RbStatus rb_collide_clearance(RbCollideWorld *world, double *distance);

typedef struct RbCollideHit {
    RbCollider collider; // zero: the ray meets nothing
    int part;
    double distance;  // [m] from the origin; infinite: nothing; 0: the ray starts inside
    double point[3];  // [m]
    double normal[3]; // outward normal of the surface; against the ray if it starts inside
} RbCollideHit;

// The first active collider with a category in `categories` (bits) that the ray meets. direction
// may have any length but zero; length [m] may be infinite.
RB_API RbStatus rb_collide_ray(RbCollideWorld *world, const double origin[3],
                               const double direction[3], double length, uint32_t categories,
                               RbCollideHit *hit);

// All active colliders with a category in `categories` that touch the box, by index. The array is
// valid until the next call.
RB_API RbStatus rb_collide_overlap(RbCollideWorld *world, const double low[3], const double high[3],
                                   uint32_t categories, const RbCollider **colliders, int *count);

typedef struct RbCollideSweep {
    int hit; // 0: no contact during the motion
    RbCollider a, b;
    int part_a, part_b;
    double time;     // [s] of the first contact, never late; no hit: the duration
    double distance; // [m] at that time: at most 1e-11 of the size; negative if they penetrate from
                     // the beginning; more if they graze each other so long that it could not be
                     // decided whether they touch: they do not before this time
    double normal[3]; // from a to b, at that time
    double point[3];  // [m] at that time
} RbCollideSweep;

// The first contact if all colliders move on with their velocities for `duration` seconds, however
// thin and fast they are: of all active pairs, or of two given colliders. Nothing is moved.
RB_API RbStatus rb_collide_sweep(RbCollideWorld *world, double duration, RbCollideSweep *sweep);
RB_API RbStatus rb_collide_sweep_pair(RbCollideWorld *world, RbCollider a, RbCollider b,
                                      double duration, RbCollideSweep *sweep);

#ifdef __cplusplus
}
#endif

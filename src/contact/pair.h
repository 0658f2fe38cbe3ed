// SPDX-License-Identifier: MIT
// pair.h: geometry of one pair of elements that touch: distance, where the force acts, and how the
// tangent plane turns. World components.
#pragma once

#include "contact/set.h"

// X_a, X_b: poses of the bodies that the elements a and b belong to. Places that are no numbers have
// no distance (NaN), whatever the geometry makes of them.
RbGap rb_pair_gap(const RbContactSetup *setup, int a, int b, const Pose *X_a, const Pose *X_b,
                  RbPairMemory *memory);

// The patch of two surfaces that may be flat, in the frame of element a, whose pose is X_WA; false:
// one of them is round everywhere. share: how much of the usual reach.
bool rb_pair_patch(const RbContactSetup *setup, int a, int b, Pose X_a, Pose X_b,
                   const RbGap *gap_W, double share, Pose *X_WA, RbContactRegion *region);

// Where the force acts: halfway between the closest points, or the centre of the patch where both
// are flat.
Vec3 rb_pair_force_point(const RbContactSetup *setup, int a, int b, Pose X_a, Pose X_b,
                         const RbGap *gap_W);

// Is the force halfway between the closest points, whatever the pose?
bool rb_pair_is_smooth(const RbContactSetup *setup, int a, int b);

// Does it press over a patch? Shapes and law decide.
bool rb_pair_has_patch(const RbContactSetup *setup, int a, int b);

// May any two of them, by their shapes and by the laws of their materials?
bool rb_pairs_have_patches(const RbContactSetup *setup);

// The law of friction of the pair: what was chosen; RB_FRICTION_AUTO: as the shapes ask for.
RbFrictionLaw rb_pair_friction(const RbContactSetup *setup, int a, int b);

// How fast the tangent plane turns. [rad/s] About the normal with the mean of both bodies;
// otherwise as the common normal of two spheres that roll on each other does, (r1 w1 + r2 w2)/(r1 +
// r2), where a flat one counts as infinitely large. `part` is the share of body b in it.
double rb_pair_plane_part(const RbContactSetup *setup, int a, int b);
Vec3 rb_pair_plane_spin(const RbContactSetup *setup, int a, int b, Vec3 w_a, Vec3 w_b, Vec3 n);

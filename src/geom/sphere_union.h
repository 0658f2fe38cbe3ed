// SPDX-License-Identifier: MIT
// sphere_union.h: volume, centroid and second moments of spheres that may overlap; what is in several of them counts once
// (docs/theory/granular.md, section 9).
//
// The body is cut into slices z = const. In each the boundary of a union of discs consists of arcs, along which
// the moments of the slice are integrated (Green); along z the integral is refined until two estimates agree to
// RB_SPHERE_UNION_ERROR of the whole.
#pragma once

#include "geom/moments.h"

#define RB_SPHERE_UNION_ERROR 1e-11

// centres [m], radii [m] > 0. count >= 1.
RbMoments rb_moments_of_spheres(const Vec3 *centres, const double *radii, int count,
                                RbArena scratch);

// SPDX-License-Identifier: MIT
// mass.h: mass, centre of mass and inertia tensor of rigid bodies, from shapes. (Bodies are added
// and moved as RigidInertia, math/spatial.h; given ones are checked in rigid/object.c.)
//
//     RbMassProperties wheel;
//     RB_TRY(rb_mass_from_density(&shape, 7850, "wheel", at, diag, &wheel));
#pragma once

#include "geom/moments.h"

typedef struct RbMassProperties {
    double mass; // [kg]
    Vec3 r_CM;   // [m] centre of mass
    Mat3 I_CM;   // [kg.m²] about the centre of mass, along the axes of the frame; off-diagonal
                 // -integral of x y dm
} RbMassProperties;

// Of the original shape, without smoothing. Density [kg/m³] or mass [kg] must be positive and
// finite.
RbStatus rb_mass_from_density(const RbShape *shape, double density, const char *name, RbPos at,
                              RbDiag *diag, RbMassProperties *out);
RbStatus rb_mass_from_mass(const RbShape *shape, double mass, const char *name, RbPos at,
                           RbDiag *diag, RbMassProperties *out);

// Density one.
RbMassProperties rb_mass_of_moments(RbMoments m);

// All masses and moments times a factor: another density.
RbMassProperties rb_mass_scale(RbMassProperties m, double factor);

// SPDX-License-Identifier: MIT
// mass.h: mass, centre of mass and inertia tensor of rigid bodies: from shapes, moved, turned,
// added, checked.
//
//     RbMassProperties wheel, axle;
//     RB_TRY(rb_mass_from_density(&shape, 7850, "wheel", at, diag, &wheel));
//     RbMassProperties both = rb_mass_add(rb_mass_move(wheel, X_body_wheel), axle);
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

// A body given in frame B, in frame A.
RbMassProperties rb_mass_move(RbMassProperties m, Pose X_AB);

// Two bodies rigidly joined, given in the same frame. One without mass changes nothing.
RbMassProperties rb_mass_add(RbMassProperties a, RbMassProperties b);

// The inertia tensor about another point of the frame (Steiner).
Mat3 rb_mass_inertia_about(RbMassProperties m, Vec3 point);

// Could a real body have these properties? All finite, mass positive, tensor symmetric and positive
// definite, no principal moment larger than the sum of the other two. Names the property, its value
// and the rule.
RbStatus rb_mass_check(RbMassProperties m, const char *name, RbPos at, RbDiag *diag);

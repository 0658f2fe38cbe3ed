// SPDX-License-Identifier: MIT
// beam.h: a straight beam of constant section as a modal body, in closed form (docs/theory/modes.md, section 4).
//
// The axis of the beam is x of its mean frame, from -length/2 to length/2. Displacements are Legendre polynomials of x, which are orthogonal
// to rigid motion: those of degree 2 and more for bending (Euler, Bernoulli), of degree 1 and more along the axis and for torsion. So statics
// with loads at the ends is exact from two modes per plane on.
#pragma once

#include "base/arena.h"
#include "flexible/modal.h"

typedef struct RbBeam {
    double length;         // [m]
    double area;           // [m2]
    double I_y, I_z;       // [m4] second moments: sum z^2 and sum y^2; bending along z and along y
    double torsion;        // [m4] torsion constant
    double density;        // [kg/m3]
    double youngs_modulus; // [Pa]
    double shear_modulus;  // [Pa]
    double zeta;           // damping ratio of all modes
    int bending;           // modes along y, and as many along z
    int axial, twisting;   // modes
    bool stiffening;       // second-order displacement: the ends approach where the beam bends
} RbBeam;

enum { RB_BEAM_MAX_MODES = 12 }; // of one kind

// A rectangle of this width along y and height along z.
void rb_beam_rectangle(double width, double height, RbBeam *beam);

// Frames at these places along the beam, from 0 to 1. All modes of a kind stand together: y, z, axial, twisting.
RbModalBody *rb_beam_modes(const RbBeam *beam, const double *places, int place_count,
                           RbArena *arena);

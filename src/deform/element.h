// SPDX-License-Identifier: MIT
// element.h: finite elements of soft bodies (docs/theory/soft.md, section 8): tetrahedra with four nodes, or with ten (corners,
// then the middles of edges 12, 23, 31, 14, 24, 34), whose energy is a function of the gradient F of the deformation:
//
//     corotated     W = μ |F - R|² + λ/2 tr²(RᵀF - 1),   F = R S
//     Neo-Hookean   W = m/2 (I - 3) + l/2 (J - a)² - m/2 ln((I + 1)/4) + c,   I = |F|², J = det F
//                   m = 4/3 μ, l = λ + 5/6 μ, a = 1 + 3 m/(4 l)
//
// Both are Hooke's law at small strains, do not care about rotations, and push a cell that was turned inside out back (R is the
// nearest rotation, never a reflection). A viscous stress τ F (2 μ E' + λ tr(E') 1), E = (FᵀF - 1)/2, takes energy from every motion
// but a rigid one.
#pragma once

#include "math/mat3.h"
#include "rattleback/soft.h"

enum { RB_ELEMENT_NODES = 10, RB_ELEMENT_POINTS = 4 };

typedef struct RbHooke {
    RbSoftModel model; // corotated or Neo-Hookean
    double lame;       // [Pa] λ
    double shear;      // [Pa] μ
    double delay;      // [s] τ
} RbHooke;

RbHooke rb_hooke(RbSoftModel model, double youngs_modulus, double poisson);

// First Piola-Kirchhoff stress without viscosity, and the energy density. [Pa], [J/m3]
Mat3 rb_hooke_stress(const RbHooke *law, Mat3 F, double *energy);
// Its derivative in the direction dF.
Mat3 rb_hooke_slope(const RbHooke *law, Mat3 F, Mat3 dF);
Mat3 rb_hooke_viscous(const RbHooke *law, Mat3 F, Mat3 rate);

// A point of integration.
typedef struct RbElementPoint {
    double volume;                // [m3] at rest
    Vec3 slope[RB_ELEMENT_NODES]; // [1/m] of the shape functions
} RbElementPoint;

typedef struct RbSoftElement {
    int node[RB_ELEMENT_NODES];
    int nodes;  // 4 or 10
    int points; // 1 or 4
    RbHooke law;
    const RbElementPoint *point;
    double volume; // [m3] at rest
} RbSoftElement;

// Points of an element by the places of its nodes at rest; false: it is flat or turned inside out somewhere.
bool rb_element_points(const Vec3 *rest, int nodes, RbElementPoint *out);

// Adds the forces to f; returns the power lost. [N], [W]
double rb_element_forces(const RbSoftElement *element, const Vec3 *r, const Vec3 *v, Vec3 *f);

// [J]; and the largest of von Mises' stresses [Pa] and of the relative changes of length at its points.
typedef struct RbElementLook {
    double energy, stress, strain;
} RbElementLook;
RbElementLook rb_element_look(const RbSoftElement *element, const Vec3 *r);

// Derivative of the force on node i by place and velocity of node j (that of the viscous stress by places is left out).
void rb_element_slopes(const RbSoftElement *element, const Vec3 *r, int i, int j, Mat3 *by_r,
                       Mat3 *by_v);

// Adds (K + s C) x to y, at rest.
void rb_element_apply(const RbSoftElement *element, double s, const Vec3 *x, Vec3 *y);

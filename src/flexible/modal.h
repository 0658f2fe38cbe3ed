// SPDX-License-Identifier: MIT
// modal.h: an elastic part reduced to n modes (docs/theory/flexible.md). What the dynamics needs of a finite-element part.
//
// Everything is given in the mean-axis (Tisserand) frame, whose origin is the centre of mass. A point at X moves to
//
//     r = X + phi q + 1/2 qᵀ H q,       sum m phi_a = 0,   sum m X x phi_a = 0,   sum m phi_a·phi_b = δ_ab,
//
// and the strain energy is 1/2 sum omega_a² q_a². Sums with m are those of the consistent mass matrix: sum m u vᵀ stands for
// sum_ij m_ij u_i v_jᵀ over nodes. H bends points back onto arcs, so that a spinning beam stiffens; it obeys the same
// conditions as phi.
#pragma once

#include "math/mat3.h"

typedef struct RbModalFrame {
    const char *name;
    Vec3 x;              // [m] place in the mean frame, undeformed
    Mat3 R;              // maps components of the frame to the mean frame, undeformed
    const double *phi;   // 3 x n by rows: displacement per mode
    const double *theta; // 3 x n by rows: rotation per mode [rad]
    const double *H; // 3 x n x n, symmetric in the last two: second-order displacement; NULL is 0
} RbModalFrame;

typedef struct RbModalBody {
    int n;               // modes
    double mass;         // [kg]
    Mat3 P00;            // [kg m2] sum m X Xᵀ
    const double *omega; // n [rad/s], ascending
    const double *zeta;  // n, damping ratios
    const double *P0;    // n x 3 x 3: P_0a = sum m X phi_aᵀ
    const double *P;     // n x n x 3 x 3: P_ab = sum m phi_a phi_bᵀ
    const double *w;     // n x n x 3 x 3: w_ab = sum m X H_abᵀ; NULL is 0
    int frame_count;
    const RbModalFrame *frames;
} RbModalBody;

// SPDX-License-Identifier: MIT
// cloud_law.h: the law of grain_law.h for a block of contacts at once, component by component, so that
// compilers make vector instructions of it. (The bits do not depend on that: there is no sum over lanes,
// and products are not fused.)
//
// A pair remembers its spring ξ, moved on by half a step: η = ξ + h/2 ξ'. At the next evaluation, a step
// later, ξ = η + h/2 ξ': the trapezoidal rule, without keeping ξ' as well. In between the tangent plane
// turns, and η is turned with it.
#pragma once

#include "dem/cloud.h"

enum { RB_GRAIN_BLOCK = 32 };

typedef double RbLane[RB_GRAIN_BLOCK];

// Vectors are those of the first grain relative to the second (or to a wall); the normal n points to the
// first, forces act on it.
typedef struct RbGrainBlock {
    int count;
    bool one_law;     // pairs of grains have only one: its constants are in all lanes
    double step;      // [s] h
    double fresh;     // [s] longest time that a contact may exist which was not there before
    double half_step; // [s] h/2; -h/2 if no time has passed since the last evaluation
    // Of contacts, and up to three more that are for the next block
    int i[RB_GRAIN_BLOCK + 3], j[RB_GRAIN_BLOCK + 3], pair[RB_GRAIN_BLOCK + 3];
    // In:
    _Alignas(64) RbLane nx, ny, nz, depth, radius, mass; // R*, m*
    RbLane la, lb;                                       // [m] lever arms
    RbLane sx, sy, sz;                                   // [m/s] la w_a + lb w_b
    RbLane ux, uy, uz;                                   // [m/s] velocity of the centres
    RbLane px, py, pz;            // [rad/s] angular velocity; for turning alone
    RbLane was;                   // 1: touched at the last evaluation
    RbLane hx, hy, hz;            // in and out: η
    RbLane gx, gy, gz;            // in and out: the same for turning
    RbLane slides, rolls, twists; // in and out: 1 where a limit of friction was reached
    // Constants of the law
    RbLane normal, tangential, normal_damping, tangential_damping, sliding;
    RbLane rolling_damping, rolling, twisting, adhesion;
    // Of contacts that stick, from rb_grain_block_adhere: is it still one; radius; force of springs and adhesion; what is added
    // to the normal force where friction is concerned; energy that goes when it ends
    RbLane lasts, contact, elastic, held, lost;
    // Out:
    RbLane fx, fy, fz;          // [N]
    RbLane cx, cy, cz;          // [N] n x friction: torques are -la, -lb times this
    RbLane tx, ty, tz;          // [N m] of rolling and twisting: opposite on the second
    RbLane stiffness;           // [1/s2] (d force / d depth) / m*
    RbLane stored[3], power[3]; // [J], [W] ORDER RbGrainPowers
} RbGrainBlock;

// Functions that are compiled for wider vectors too, which are used where the machine has them. (The sanitizers run before the
// choice could be made.)
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) &&                 \
    !defined(__clang__)
#define RB_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define RB_WIDE
#endif

// Which terms of the law are wanted; what is not is not written.
typedef struct RbGrainTerms {
    bool turning, ledger;
    bool adhesion;
} RbGrainTerms;
void rb_grain_block_law(RbGrainBlock *b, RbGrainTerms terms);

// cloud_adhesion.c: contacts of materials that stick. And how far apart two of them may be drawn [m], with E* and R*.
void rb_grain_block_adhere(RbGrainBlock *b);
double rb_grain_adhesive_reach(double modulus, double w, double R);

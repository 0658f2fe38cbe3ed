// SPDX-License-Identifier: MIT
// grain_law.h: what two materials of grains do to each other where they touch: Hertz's normal force
// with the damping of a typed restitution, Mindlin's tangential spring with its history, sliding,
// rolling and twisting friction (docs/theory/granular.md).
//
// With R* and m* reduced radius and mass, depth δ and a = √(R* δ), the radius of the contact:
//
//     normal      4/3 E* a δ - √5 β √(m* 4/3 E* a) δ'      β = -ln e / √(ln² e + π²)
//     tangential  8 G* a ξ + 2 √(5/6) β √(m* 8 G* a) ξ'    sticks while 8 G* a |ξ| <= μ |normal|
//     rolling     8 G* a R*² ψ                             up to μ_r R* |normal|
//     twisting    4 G* a³ ψ_n                              up to μ_t R* |normal|
//
// This damping makes the restitution e independent of the speed (the contact ends at δ = 0). Materials that stick: cloud_adhesion.c.
#pragma once

#include "contact/law.h"
#include "contact/restitution.h"

// As typed, for a pair of materials.
typedef struct RbGrainPair {
    double restitution; // e: 0 .. 1
    double sliding;     // μ
    double rolling;     // μ_r
    double twisting;    // μ_t
    double adhesion;    // w [J/m2]: energy that parting them takes per area; 0: they do not stick
} RbGrainPair;

// Constants of the formulas above.
typedef struct RbGrainLaw {
    double normal;             // 4/3 E* [Pa]
    double tangential;         // 8 G* [Pa]
    double normal_damping;     // √5 β
    double tangential_damping; // 2 √(5/6) β
    double rolling_damping;    // 2 β
    double sliding, rolling, twisting;
    double adhesion;           // w [J/m2]
    RbDissipation dissipation; // of faces: that of bodies (contact/press.h)
} RbGrainLaw;

RbGrainLaw rb_grain_law(const RbGrainPair *pair, RbElastic a, RbElastic b);

// [s] How long two grains touch that meet with a speed, if nothing is dissipated (Hertz).
double rb_grain_contact_time(const RbGrainLaw *law, double reduced_mass, double reduced_radius,
                             double speed);

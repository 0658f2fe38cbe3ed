// SPDX-License-Identifier: MIT
#include "dem/grain_law.h"

#include <math.h>

// 1 / G* = 2 (2 - ν1) (1 + ν1) / E1 + 2 (2 - ν2) (1 + ν2) / E2   [Pa]
static double shear_modulus(RbElastic a, RbElastic b) {
    double sum = (2 - a.poissons_ratio) * (1 + a.poissons_ratio) / a.youngs_modulus +
                 (2 - b.poissons_ratio) * (1 + b.poissons_ratio) / b.youngs_modulus;
    return 1 / (2 * sum);
}

RbGrainLaw rb_grain_law(const RbGrainPair *pair, RbElastic a, RbElastic b) {
    double log_e = log(pair->restitution); // e = 0: β = 1, the limit
    double beta = pair->restitution > 0 ? -log_e / sqrt(log_e * log_e + M_PI * M_PI) : 1;
    return (RbGrainLaw){
        .normal = 4.0 / 3.0 * rb_contact_modulus(a, b),
        .tangential = 8 * shear_modulus(a, b),
        .normal_damping = sqrt(5.0) * beta,
        .tangential_damping = 2 * sqrt(5.0 / 6.0) * beta,
        .rolling_damping = 2 * beta,
        .sliding = pair->sliding,
        .rolling = pair->rolling,
        .twisting = pair->twisting,
        .adhesion = pair->adhesion,
        .dissipation = rb_restitution_dissipation(pair->restitution, rb_pair_law_default().v_small),
    };
}

// The deepest point is where all energy is stored: ½ m* v² = 2/5 K δ^5/2, K = 4/3 E* √R*. The time is
// 2 δ / v times ∫ dx / √(1 - x^5/2) from 0 to 1.
double rb_grain_contact_time(const RbGrainLaw *law, double reduced_mass, double reduced_radius,
                             double speed) {
    const double integral = 1.4716375921623521; // √π Γ(2/5) / (5/2 Γ(9/10))
    double K = law->normal * sqrt(reduced_radius);
    double depth = pow(1.25 * reduced_mass * speed * speed / K, 0.4);
    return 2 * integral * depth / speed;
}

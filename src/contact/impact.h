// SPDX-License-Identifier: MIT
// impact.h: what the constants of a contact imply: how long an impact takes, how deep and how hard
// it gets, how fast a held body creeps.
#pragma once

#include "contact/law.h"

typedef struct RbImpact {
    double contact_time; // [s]
    double peak_depth;   // [m]
    double peak_force;   // [N]
    double restitution;  // delivered
} RbImpact;

// Two bodies with the effective mass m1 m2/(m1 + m2) [kg] meet head-on at the speed v [m/s],
// without other forces. Integrated with error control, relative tolerance about 1e-8; works for
// every law.
RbImpact rb_contact_impact(const RbContactLaw *law, double effective_mass, double v);

// The same for perfectly elastic K δⁿ, in closed form.
RbImpact rb_contact_impact_elastic(double stiffness, double exponent, double effective_mass,
                                   double v);

// [m/s] speed at which a body creeps under a tangential load of half the friction limit. 0: it
// sticks, or there is no friction.
double rb_contact_creep_speed(const RbPairLaw *pair);

// SPDX-License-Identifier: MIT
// restitution.h: the damping d of F = K δⁿ (1 + d δ') that makes an impact return with the typed
// coefficient of restitution (docs/theory/contact-law.md, sections 2 and 3).
#pragma once

#include "rattleback/contact.h"

// a = d v > 0 that solves a (1 + e) = ln((1 + a) / (1 - a e)), for 0 < e <= 1 (e = 1: 0). The loss
// does not depend on K, n, mass.
double rb_restitution_damping(double e);

// The inverse: what an impact with a = d v >= 0 returns with.
double rb_restitution_delivered(double a);

// Damping coefficient [s/m] at the start of a contact with approach speed v >= 0 [m/s].
//     v_small  [m/s] below about this speed impacts lose their bounce, so that bodies come to rest
//     d_max    [s/m] limit for slow contacts: d <= d_max max(1, 4 v / v_small)
// For v >= 5 v_small what was typed is delivered to 1e-3, for all 0 <= e <= 1.
double rb_contact_damping(RbDampingRule rule, double e, double v, double v_small, double d_max);

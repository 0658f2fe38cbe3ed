// SPDX-License-Identifier: MIT
// restitution.h: damping that makes an impact return with the typed coefficient of restitution
// (docs/theory/contact-law.md, sections 2 and 3).
//
// A contact stores U(δ) and presses with N = dU/dδ. With the effective mass m of its two bodies,
//     v = sqrt(δ'² + 2 U/m)
// is the speed of the blow that it is in just now: constant through an undamped impact. With c = δ'/v
// the force
//     N (1 + a c + stop(b, c)), never negative
// returns with e(a, b), whatever the speed, the mass and the shape of U are. Nothing is remembered
// of how the contact began. b is needed for e < 0.248 only: it takes on the way out what nearly critical damping does not,
// where a force only gets smaller, so that first touch has no spike.
#pragma once

typedef struct RbDissipation {
    double a, b;
    double rise;    // by how much a is larger in a blow without speed, so that bodies come to rest
                    // instead of bouncing ever lower; 0 for e = 1
    double v_small; // [m/s] from this speed on a is as typed
    double dry, width; // see rb_restitution_settling; otherwise 0
} RbDissipation;

// For 0 <= e <= 1. e = 1: all zero. Below 0.005 it is that of 0.005: less would let bodies part ever more slowly.
RbDissipation rb_restitution_dissipation(double e, double v_small);

// With less of a, and a part that is steep where a contact under a load is, dry × rb_dry_part(c): what is pressed together by bodies up to load_ratio times as
// heavy as its own effective mass comes to rest, too (docs/theory/contact-law.md, section 2a). Blows return with e as before. Ratio 1: nothing of that.
RbDissipation rb_restitution_settling(double e, double v_small, double load_ratio);

// The inverse: what a fast impact returns with.
double rb_dissipation_returned(const RbDissipation *d);

// What b adds to the factor.
double rb_stop_part(double b, double c);

// A step from -1 to 1 at c = 0.
double rb_dry_part(const RbDissipation *d, double c);

// a and b of a blow with the speed v [m/s].
void rb_dissipation_at(const RbDissipation *d, double v, double *a, double *b);

// Factor of N for depth_rate δ' [m/s] and blow v [m/s]; slopes by both [s/m], NULL: not wanted.
double rb_dissipation_factor(const RbDissipation *d, double depth_rate, double v, double slopes[2]);

// Flores et al. 2011 with the regularisations of the thesis (eqs 7.11 to 7.13): d of
// N = K δⁿ (1 + d δ') [s/m] for a contact that starts with the approach speed v [m/s].
double rb_restitution_flores(double e, double v, double v_small, double d_max);

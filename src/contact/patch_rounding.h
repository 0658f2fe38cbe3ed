// SPDX-License-Identifier: MIT
// patch_rounding.h: takes what rounding has made out of how a contact over a patch changes with the place of b (docs/theory/contact-jacobian.md, section 7).
//
// A shift across the normal, or a spin about it, moves a face within its plane, and little changes. But of a step of picometres rounding makes one that leads
// out of the plane by some millionths of it, and with the stiffness of the contact that is much: a body that slides seems to be lifted, and the stiff steps of an island take it for their error.
#pragma once

#include "contact/patch_variation.h"

// The elastic wrench on b about the point of force, and how it changes in the directions of the variation.
typedef struct RbElasticVariation {
    Wrench now, by[RB_PATCH_DIRECTIONS];
    double lever;    // [m] that makes turns comparable with shifts
    double rounding; // of a step: what may be wrong of it
} RbElasticVariation;

// Of both; only by_place of the variation changes.
void rb_patch_remove_rounding(RbPatchVariation *variation, RbElasticVariation *elastic);

// a + k b
static inline Wrench rb_wrench_axpy(Wrench a, double k, Wrench b) {
    return (Wrench){v3_axpy(a.t, k, b.t), v3_axpy(a.f, k, b.f)};
}

static inline RbContactResponse rb_response_axpy(RbContactResponse a, double k,
                                                 const RbContactResponse *b) {
    return (RbContactResponse){rb_wrench_axpy(a.on_a, k, b->on_a),
                               rb_wrench_axpy(a.on_b, k, b->on_b),
                               {v3_axpy(a.bristle_rate.slide_W, k, b->bristle_rate.slide_W),
                                a.bristle_rate.twist + k * b->bristle_rate.twist}};
}

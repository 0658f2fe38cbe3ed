// SPDX-License-Identifier: MIT
// variation.h: how the force of one contact changes when one of its two bodies is displaced or gets
// another velocity (docs/theory/contact-jacobian.md). Jacobians are assembled from it pair by pair.
//
//     RbContactVariation v;
//     rb_contact_variation(setup, state, bodies, &v); // after rb_contacts_evaluate
//     RbContactResponse r = rb_contact_vary(&v, RB_SIDE_B, shift, MOTION_ZERO);
#pragma once

#include "contact/patch_variation.h"
#include "contact/slopes.h"

typedef enum RbSide { RB_SIDE_A, RB_SIDE_B } RbSide;

// Frozen at one point: everything that does not depend on the direction of the change.
typedef struct RbContactVariation {
    const RbContactState *state;
    const RbMoving *a, *b; // the two bodies
    // Normal and point of force, seen from body a, against a turn of b relative to a and a shift of
    // the point of b that is at the point of force.
    Mat3 normal_turn, normal_shift; // [1], [1/m]
    Mat3 point_turn, point_shift;   // [m], [1]
    Vec3 f_W;                       // [N] on b
    Vec3 plane_W;                   // [rad/s] spin of the tangent plane
    double part;                    // of it, body b's
    bool by_slopes;                 // the law has closed derivatives
    RbContactSlopes slopes;
    RbPatchVariation patch; // instead of all of these, of a contact over a patch
} RbContactVariation;

void rb_contact_variation(const RbContactSetup *setup, const RbContactState *state,
                          const RbMoving *bodies, RbContactVariation *out);

// One body turns by place.w [rad], its origin moves by place.v [m], and its velocity changes by
// `velocity`.
RbContactResponse rb_contact_vary(const RbContactVariation *v, RbSide side, Motion place,
                                  Motion velocity);

// The bristle changes, by a unit of one of its numbers. [m]
RbContactResponse rb_contact_vary_bristle(const RbContactVariation *v, RbBristle bristle);

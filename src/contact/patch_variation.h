// SPDX-License-Identifier: MIT
// patch_variation.h: how a contact over a patch changes with the poses and velocities of its bodies, by central differences of the whole
// (docs/theory/contact-jacobian.md, section 7). Patches are looked at for the six directions in which b may be displaced against a alone; what a
// displacement of a does follows, since nobody can tell whether everything turns and moves together.
#pragma once

#include "contact/set.h"

// Change of the wrenches on both bodies (about the origin of each) and of the bristle's rate, per
// unit of the change that causes them.
typedef struct RbContactResponse {
    Wrench on_a, on_b;
    RbBristle bristle_rate; // [m/s]
} RbContactResponse;

enum { RB_PATCH_DIRECTIONS = 6, RB_BRISTLE_STATES = 4 };

typedef struct RbPatchVariation {
    const RbContactState *state;
    const RbMoving *a, *b;
    Vec3 axes[3];      // unit vectors: two across the normal, and along it
    Wrench on_a, on_b; // at the present
    // b is shifted along an axis, or turned about it at the point of force; its velocity changes likewise.
    RbContactResponse by_place[RB_PATCH_DIRECTIONS], by_velocity[RB_PATCH_DIRECTIONS];
    RbContactResponse by_bristle[RB_BRISTLE_STATES]; // slide_W, twist
} RbPatchVariation;

void rb_patch_variation(const RbContactSetup *setup, const RbContactState *state, const RbMoving *a,
                        const RbMoving *b, RbPatchVariation *out);

// As rb_contact_vary and rb_contact_vary_bristle.
RbContactResponse rb_patch_vary(const RbPatchVariation *v, bool on_b, Motion place,
                                Motion velocity);
RbContactResponse rb_patch_vary_bristle(const RbPatchVariation *v, RbBristle bristle);

// SPDX-License-Identifier: MIT
// press.h: how two bodies press on each other over a patch (docs/theory/contact-patch.md): a
// potential of the moments of their overlap,
//     U = C W^(3/2)/V,
// that is Hertz's law for a rounded corner and the rigid punch for a face, so that a contact without
// damping and friction conserves energy from corner to edge to face.
#pragma once

#include "collide/patch.h"
#include "contact/law.h"

typedef struct RbPressing {
    Vec3 point;           // [m] centre of the patch
    double normal;        // [N] on B along n, with damping; never negative
    Vec3 side;            // [N] on B, elastic: across n, from borders that overhang, and what pulls along n
    Vec3 couple;          // [N m] on B about the point, across n
    Wrench elastic;       // on B about the origin of the patch, without damping
    double energy;        // [J] U
    double damping_power; // [W] dissipated, never negative
    double closing;       // [m/s] mean speed at which the surfaces approach each other
    double twist_radius;  // [m] mean distance of the pressure from the centre
} RbPressing;

// gap and patch in world axes. spot: radius of rounded corners [m]. motion: of B relative to A, at the
// origin of the patch; surface: what of it moves the surfaces (unrolled.h).
RbPressing rb_press(const RbContactLaw *law, const RbPatch *patch, const RbGap *gap, double spot,
                    Motion motion, Motion surface);

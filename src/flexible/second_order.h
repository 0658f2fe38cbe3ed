// SPDX-License-Identifier: MIT
// second_order.h: how points of a part move with the squares of modes (docs/theory/flexible.md): the load ℓ, borne by the inertia of the
// part, has the stress σ; then ℓ·u₂ = -1/2 qᵀ (Φᵀ K_G(σ) Φ) q.
#pragma once

#include "flexible/statics.h"

// H[ℓ] (n x n each) for loads on the unknowns, size x cases; they are overwritten. shapes: n x nodes x 3.
void rb_second_order(const RbStatics *s, double *loads, int cases, const double *shapes, int n,
                     double *H, RbArena scratch);

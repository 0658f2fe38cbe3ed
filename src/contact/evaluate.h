// SPDX-License-Identifier: MIT
// evaluate.h: one contact, from where its two bodies are and how they move to its force.
#pragma once

#include "contact/set.h"

// Elements, law and memory are in the state; the rest is filled in. ma, mb: the two bodies.
void rb_contact_evaluate(const RbContactSetup *setup, const RbMoving *ma, const RbMoving *mb,
                         const RbBristle *bristle, RbContactState *state);

// Motion of b relative to a at a point.
RbContactMotion rb_contact_motion_at(const RbContactSetup *setup, const RbMoving *ma,
                                     const RbMoving *mb, const RbGap *gap, Vec3 point_W);

// SPDX-License-Identifier: MIT
// unrolled.h: the part of a relative motion that changes how two surfaces overlap. A body of revolution that turns about its own
// axis moves its points, but not its surface: a cylinder that rolls is not pressed in front and released behind, so that what
// damps the approach of the surfaces must not brake it (docs/theory/contact-patch.md).
#pragma once

#include "contact/set.h"

// motion: of body b relative to body a, at the point `about`, as is the result. World components.
Motion rb_unrolled(const RbElement *a, const RbElement *b, const Pose *X_a, const Pose *X_b,
                   Vec3 about, Motion motion);

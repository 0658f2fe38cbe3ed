// SPDX-License-Identifier: MIT
#include "math/vec3.h"

Vec3 v3_unit_extreme(Vec3 a, Vec3 fallback) {
    double size = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z))); // NaN counts as missing
    if (!(size > 0) || !isfinite(size)) return fallback;
    Vec3 s = v3_scale(1.0 / size, a);
    if (!v3_finite(s)) s = v3_div(a, v3(size, size, size)); // 1/size overflowed
    return v3_scale(1.0 / v3_norm(s), s);
}

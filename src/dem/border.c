// SPDX-License-Identifier: MIT
#include "dem/border.h"

#include <math.h>

Vec3 rb_borders_image(const RbBorders *b, int image) {
    Vec3 size = v3_sub(b->high, b->low);
    return v3(b->periodic[0] ? (image % 3 - 1) * size.x : 0,
              b->periodic[1] ? (image / 3 % 3 - 1) * size.y : 0,
              b->periodic[2] ? (image / 9 - 1) * size.z : 0);
}

// Into [low, high): what is there already stays as it is, to the last bit.
static double wrap_along(double x, double low, double high, double *times) {
    double size = high - low, cells = floor((x - low) / size);
    *times = 0;
    if ((x >= low && x < high) || !isfinite(x)) return x;
    x -= cells * size;
    if (x >= high) x -= size, cells++;
    *times = cells;
    return x < low ? low : x;
}

Vec3 rb_borders_wrap(const RbBorders *b, Vec3 r, double times[3]) {
    double unused[3], *away = times ? times : unused;
    away[0] = away[1] = away[2] = 0;
    if (b->periodic[0]) r.x = wrap_along(r.x, b->low.x, b->high.x, &away[0]);
    if (b->periodic[1]) r.y = wrap_along(r.y, b->low.y, b->high.y, &away[1]);
    if (b->periodic[2]) r.z = wrap_along(r.z, b->low.z, b->high.z, &away[2]);
    return r;
}

static double nearest_along(double d, double size) {
    return d - size * nearbyint(d / size);
}

Vec3 rb_borders_nearest(const RbBorders *b, Vec3 d) {
    Vec3 size = v3_sub(b->high, b->low);
    if (b->periodic[0]) d.x = nearest_along(d.x, size.x);
    if (b->periodic[1]) d.y = nearest_along(d.y, size.y);
    if (b->periodic[2]) d.z = nearest_along(d.z, size.z);
    return d;
}

bool rb_borders_hold(const RbBorders *b, int d, double low, double high) {
    double from[3], to[3];
    v3_store(from, b->low), v3_store(to, b->high);
    double slack = 1e-9 * (to[d] - from[d]);
    return low >= from[d] - slack && high <= to[d] + slack;
}

RbStatus rb_borders_check(const RbBorders *b, double radius, double skin, RbDiag *diag) {
    double least = 2 * (2 * radius + skin), size[3];
    v3_store(size, v3_sub(b->high, b->low));
    for (int d = 0; d < 3; d++) {
        if (!b->periodic[d]) continue;
        if (!(size[d] > 0) || isinf(size[d]))
            return rb_fail(diag, RB_ERROR_MODEL, b->at,
                           "the periodic cell '%s' measures %g m along %c; it must be positive",
                           b->name, size[d], 'x' + d);
        if (size[d] < least)
            return rb_fail(
                diag, RB_ERROR_MODEL, b->at,
                "the periodic cell '%s' measures %g m along %c; grains of %g m in diameter need "
                "%g m at least, so that no two of them touch through both sides: make it larger",
                b->name, size[d], 'x' + d, 2 * radius, least);
    }
    return RB_OK;
}

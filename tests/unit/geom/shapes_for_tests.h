// SPDX-License-Identifier: MIT
// A list of primitive shapes with all axes and special cases, for tests that must hold for each of
// them.
#pragma once

#include "geom/shape.h"

enum { TEST_SHAPE_COUNT = 20 };

static inline void test_shapes(RbShape shapes[TEST_SHAPE_COUNT]) {
    int n = 0;
    shapes[n++] = rb_shape_sphere(0.7);
    shapes[n++] = rb_shape_ellipsoid(v3(0.5, 1.5, 0.9));
    shapes[n++] = rb_shape_box(v3(0.3, 0.8, 1.7));
    for (int axis = 1; axis <= 3; axis++) {
        shapes[n++] = rb_shape_cylinder(axis, 0.6, 1.1);
        shapes[n++] = rb_shape_cone(axis, 0.9, 1.2, 0);
        shapes[n++] = rb_shape_cone(axis, 0.9, 0.4, 0.5);
        shapes[n++] = rb_shape_capsule(axis, 0.4, 0.9);
        shapes[n++] = rb_shape_beam(axis, 1.3, 0.5, 0.2);
    }
    shapes[n++] = rb_shape_cone(2, 0.9, 1.2, 0.0005); // top smaller than the smoothing radius
    shapes[n++] = rb_shape_cone(3, 0.4, 0.8, 0.4);    // a cylinder
}

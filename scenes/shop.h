// SPDX-License-Identifier: MIT
// shop.h: where the solids of scenes are made, and bodies of them. The first operation that fails leaves
// an empty solid, and the start of the run says so.
#pragma once

#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "scenes.h"

typedef struct RbShop {
    RbScene *scene;
    RbArena *arena;
    RbArena *scratch;
    RbDiag diag;
} RbShop;

RbShop rb_shop_open(RbScene *scene);
void rb_shop_close(RbShop *shop);

RbMesh rb_shop_move(RbShop *shop, RbMesh mesh, Vec3 r);
RbMesh rb_shop_turn(RbShop *shop, RbMesh mesh, Vec3 axis_angles); // rb_clean_rotation
RbMesh rb_shop_combine(RbShop *shop, RbCsg operation, RbMesh a, RbMesh b);

// A contour drawn out from z = 0 to `height`.
RbMesh rb_shop_extrude(RbShop *shop, RbContour *contour, double height);

// A body with the mass of its mesh, in the frame of the mesh; the answer is the object.
int rb_shop_body(RbShop *shop, const char *name, const RbMesh *mesh, double density);

// A revolute joint; the answer is the joint.
int rb_shop_axle(RbShop *shop, const char *name, int base, int body, Vec3 axis, double angle,
                 double speed);

// SPDX-License-Identifier: MIT
// skins.h: meshes of tests as solids that touch.
#pragma once

#include "testing.h"

#include "collide/mesh_overlap.h"

static inline RbSkin skin_of(Fixture *f, RbMesh mesh) {
    RbSkin skin;
    RbMesh *kept = rb_new(&f->arena, RbMesh);
    *kept = mesh;
    ENSURE(rb_skin(kept, "solid", RB_NOWHERE, &f->arena, f->scratch, &f->diag, &skin) == RB_OK);
    return skin;
}

static inline const RbLayer *layer_of(Fixture *f, const RbSkin *skin) {
    RbLayer *layer = rb_new(&f->arena, RbLayer);
    ENSURE(rb_layer(skin, "solid", RB_NOWHERE, &f->arena, f->scratch, &f->diag, layer) == RB_OK);
    return layer;
}

static inline RbMeshOverlap bedded_pair(Fixture *f, const RbSkin *a, const RbSkin *b) {
    RbMeshOverlap o;
    rb_mesh_overlap_open(&o, a, b, &f->arena);
    rb_mesh_overlap_layers(&o, layer_of(f, a), layer_of(f, b));
    return o;
}

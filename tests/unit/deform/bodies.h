// SPDX-License-Identifier: MIT
// bodies.h: blocks of molecules on a cubic grid, for the tests of soft bodies.
#pragma once

#include "testing.h"

#include <string.h>

#include "deform/network.h"

typedef struct Block {
    int n[3];
    double a;      // [m]
    double radius; // [m]
    Vec3 low;      // [m] of its first molecule
    int material;
    bool fixed;
} Block;

static inline void add_block(RbSoftScene *s, const char *name, Block b) {
    rb_soft_scene_add_object(s, name, RB_NOWHERE);
    for (int i = 0; i < b.n[0]; i++)
        for (int j = 0; j < b.n[1]; j++)
            for (int k = 0; k < b.n[2]; k++) {
                RbMolecule m = {.r = v3_axpy(b.low, b.a, v3(i, j, k)),
                                .radius = b.radius,
                                .material = b.material,
                                .friction = 0.3,
                                .fixed = b.fixed};
                rb_soft_scene_add_molecule(s, &m);
            }
}

// Young's modulus 1e5 Pa, density 1000 kg/m3, no gravity, a block of this many molecules 1 cm apart.
static inline RbSoftScene *block_scene(Fixture *f, int x, int y, int z) {
    RbSoftScene *s = rb_soft_scene_new("block", &f->arena);
    RbSoftMaterial m = rb_soft_material_default();
    s->gravity = V3_ZERO;
    rb_soft_scene_add_material(s, &m);
    add_block(s, "block", (Block){.n = {x, y, z}, .a = 0.01, .radius = 0.005});
    return s;
}

static inline RbNetwork network_of(Fixture *f, const RbSoftScene *s) {
    RbNetwork n;
    RbStatus status = rb_network_build(s, &f->arena, f->scratch, &f->diag, &n);
    for (int i = 0; i < f->diag.messages.count; i++) print_error("%s", fixture_message(f, i));
    ENSURE(status == RB_OK);
    return n;
}

static inline Vec3 *places(Fixture *f, const RbSoftScene *s) {
    Vec3 *r = rb_new_array(&f->arena, Vec3, s->molecules.count);
    for (int i = 0; i < s->molecules.count; i++) r[i] = s->molecules.data[i].r;
    return r;
}

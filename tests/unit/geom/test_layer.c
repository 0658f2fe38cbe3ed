// SPDX-License-Identifier: MIT
// Layers under surfaces: how thick they are where that is known, and what has no room for one.
#include "testing.h"

#include <string.h>

#include "geom/csg.h"
#include "geom/layer.h"
#include "geom/mesh_make.h"

static RbMesh box_at(Fixture *f, Vec3 low, Vec3 size) {
    RbMesh box = rb_mesh_box(size, &f->arena);
    return rb_mesh_map(&box, M3_IDENTITY, low, &f->arena);
}

static RbMesh joined(Fixture *f, RbMesh a, RbMesh b) {
    RbMesh out;
    ENSURE(rb_csg(RB_CSG_UNION, &a, "a", &b, "b", RB_NOWHERE, &f->arena, f->scratch, &f->diag,
                  &out) == RB_OK);
    return out;
}

static RbStatus layer_of(Fixture *f, RbMesh mesh, RbLayer *layer) {
    RbSkin *skin = rb_new(&f->arena, RbSkin);
    ENSURE(rb_skin(&mesh, "solid", RB_NOWHERE, &f->arena, f->scratch, &f->diag, skin) == RB_OK);
    return rb_layer(skin, "solid", RB_NOWHERE, &f->arena, f->scratch, &f->diag, layer);
}

static double thickness_of(Fixture *f, RbMesh mesh) {
    RbLayer layer;
    ENSURE(layer_of(f, mesh, &layer) == RB_OK);
    return layer.thickness;
}

// A cube has the thickest that is allowed; a plate what its sides leave each other, up to the tenth that is kept free.
static void as_thick_as_fits(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    ENSURE(thickness_of(&f, box_at(&f, V3_ZERO, v3(1, 1, 1))) == 0.125);
    for (double t = 0.2; t > 1e-5; t *= 0.3) {
        double h = thickness_of(&f, box_at(&f, V3_ZERO, v3(2, 1, t)));
        ENSURE(h > 0.4 * t && h < 0.53 * t);
    }
    fixture_close(&f);
}

// Triangles that constructive geometry leaves in a plane make it no thinner, and a little wider leg a little thicker.
static void needles_do_not_count(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh left = box_at(&f, V3_ZERO, v3(0.5, 1, 1)),
           right = box_at(&f, v3(0.5, 0, 0), v3(0.5, 1, 1));
    ENSURE(thickness_of(&f, joined(&f, left, right)) == 0.125);
    double before = 0;
    for (int i = 0; i <= 4; i++) {
        double w = 0.06 + 0.01 * i;
        RbMesh table = box_at(&f, v3(-0.5, -0.4, 0.5), v3(1, 0.8, 0.1));
        for (int k = 0; k < 4; k++) {
            Vec3 foot = v3(k & 1 ? -0.5 : 0.5 - w, k & 2 ? -0.4 : 0.4 - w, 0);
            table = joined(&f, table, box_at(&f, foot, v3(w, w, 0.55)));
        }
        double h = thickness_of(&f, table) / w;
        ENSURE(h > 0.4 && h < 0.53);
        if (i > 0) ENSURE_NEAR(h, before, 5e-3);
        before = h;
    }
    fixture_close(&f);
}

static void without_thickness_it_is_told(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbLayer layer;
    ENSURE(layer_of(&f, box_at(&f, v3(3, 0, 0), v3(1, 1, 1e-8)), &layer) == RB_ERROR_MODEL);
    const char *message = fixture_message(&f, 0);
    ENSURE(strstr(message, "no layer fits under the surface of 'solid' at (3, "));
    ENSURE(strstr(message, "weld or simplify the mesh, or choose another form of contact"));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_thick_as_fits),
        cmocka_unit_test(needles_do_not_count),
        cmocka_unit_test(without_thickness_it_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Pyramids and frusta, flat and steep, upright and leaning, whose base lies within the top face of a box, above and below
// it: no lid of no thickness stays over a dent, and what stands on the face is one with the box. Volume, area, number of
// parts and Euler's characteristic have closed forms.
#include "csg_cases.h"
#include "geom/mesh_make.h"

typedef struct Frustum {
    int sides;
    double base[8][2]; // [m] corners at z = 1, counter-clockwise from above
    Vec3 apex;         // [m] of a pyramid; of a frustum where the origin of the base goes
    double scale;      // of the other end, 0: a pyramid
} Frustum;

// Facing out with the apex above the base, else the other way around.
static void add_face(RbMeshBuilder *b, bool up, int i, int j, int k) {
    rb_mesh_add_triangle(b, i, up ? j : k, up ? k : j);
}

static RbMesh mesh_of(const Frustum *f, RbArena *arena) {
    RbMeshBuilder b = rb_mesh_builder(arena);
    int n = f->sides;
    bool up = f->apex.z > 1, pointed = f->scale == 0;
    for (int i = 0; i < n; i++) rb_mesh_add_vertex(&b, v3(f->base[i][0], f->base[i][1], 1));
    for (int i = 0; i < (pointed ? 1 : n); i++)
        rb_mesh_add_vertex(&b, v3(f->apex.x + f->scale * f->base[i][0],
                                  f->apex.y + f->scale * f->base[i][1], f->apex.z));
    for (int i = 1; i + 1 < n; i++) add_face(&b, up, 0, i + 1, i);
    for (int i = 0; i < n; i++) {
        int j = (i + 1) % n;
        add_face(&b, up, i, j, pointed ? n : n + j);
        if (!pointed) add_face(&b, up, i, n + j, n + i);
    }
    for (int i = 1; !pointed && i + 1 < n; i++) add_face(&b, up, n, n + i, n + i + 1);
    return rb_mesh_finish(&b);
}

static double base_area(const Frustum *f) {
    double twice = 0;
    for (int i = 0; i < f->sides; i++) {
        const double *p = f->base[i], *q = f->base[(i + 1) % f->sides];
        twice += p[0] * q[1] - p[1] * q[0];
    }
    return 0.5 * twice;
}

// Every third one with a square base, now and then that of the whole box; heights from a hundredth, any slope above.
static Frustum random_frustum(RbRng *rng) {
    Frustum f = {.sides = 3 + rb_rng_int(rng, 6)};
    double r = rb_rng_range(rng, 0.2, 1.7), lean = rb_rng_int(rng, 3) ? 0 : 0.25;
    if (rb_rng_int(rng, 3) == 0) {
        f.sides = 4;
        r = 0.5 * (1 + rb_rng_int(rng, 4));
    }
    for (int i = 0; i < f.sides; i++) {
        double phi = 2 * M_PI * (i + 0.8 * rb_rng_unit(rng)) / f.sides;
        bool square = f.sides == 4, right = i == 1 || i == 2, back = i > 1;
        f.base[i][0] = square ? (right ? r : -r) : r * cos(phi);
        f.base[i][1] = square ? (back ? r : -r) : r * sin(phi);
    }
    bool up = rb_rng_int(rng, 2);
    double height = pow(10, rb_rng_range(rng, -2, up ? 1.5 : -0.1));
    f.scale = rb_rng_int(rng, 2) ? 0 : rb_rng_range(rng, 0.05, 0.6);
    f.apex = v3(lean * rb_rng_range(rng, -1, 1), lean * rb_rng_range(rng, -1, 1),
                up ? 1 + height : 1 - height);
    return f;
}

// What must come out; nothing if the volume is zero.
typedef struct Want {
    double volume, area;
} Want;

static void check(Fixture *f, RbCsg operation, const RbMesh *a, const RbMesh *b, Want want) {
    RbMesh out;
    RbMeshReport r = {0};
    ENSURE(rb_csg(operation, a, "a", b, "b", RB_NOWHERE, &f->arena, f->scratch, &f->diag, &out) ==
           RB_OK);
    if (out.triangle_count > 0) r = rb_mesh_check(&out, f->scratch);
    ENSURE_NEAR(r.volume, want.volume, 1e-11);
    ENSURE_NEAR(r.area, want.area, 1e-10);
    ENSURE(r.encloses_body == (want.volume > 0));
    ENSURE(r.components == (want.volume > 0));
    ENSURE(r.vertex_count - r.edge_count + r.triangle_count == (want.volume > 0 ? 2 : 0));
}

static void bases_within_a_face(void **state) {
    (void)state;
    for (int i = 0; i < 600; i++) {
        Fixture f;
        fixture_open(&f);
        RbRng rng = rb_rng((uint64_t)i * 7919 + 3);
        Frustum frustum = random_frustum(&rng);
        RbMesh b = mesh_of(&frustum, &f.arena), box = rb_mesh_box(v3(4, 4, 1), &f.arena);
        box = rb_mesh_map(&box, M3_IDENTITY, v3(-2, -2, 0), &f.arena);
        if (i % 2) { // faces coincide up to rounding only
            Pose all = pose(rb_rng_direction(&rng), rb_rng_orientation(&rng));
            box = csg_case_moved(box, all, &f.arena);
            b = csg_case_moved(b, all, &f.arena);
        }
        RbMeshReport r = rb_mesh_check(&b, f.scratch);
        double seen = r.area - 2 * base_area(&frustum), v = r.volume; // sides less the base
        bool up = frustum.apex.z > 1;
        Want whole = {16, 48}, other = {v, r.area}, none = {0, 0};
        check(&f, RB_CSG_UNION, &box, &b, up ? (Want){16 + v, 48 + seen} : whole);
        check(&f, RB_CSG_DIFFERENCE, &box, &b, up ? whole : (Want){16 - v, 48 + seen});
        check(&f, RB_CSG_INTERSECTION, &box, &b, up ? none : other);
        check(&f, RB_CSG_DIFFERENCE, &b, &box, up ? other : none);
        fixture_close(&f);
    }
}

// A dent half a metre deep with a base of 2 m, as a model may have it.
static void dent_in_a_plate(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Frustum dent = {4, {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {0, 0, 0.5}, 0};
    RbMesh b = mesh_of(&dent, &f.arena), box = rb_mesh_box(v3(4, 4, 1), &f.arena);
    box = rb_mesh_map(&box, M3_IDENTITY, v3(-2, -2, 0), &f.arena);
    check(&f, RB_CSG_DIFFERENCE, &box, &b, (Want){16 - 2 / 3.0, 48 - 4 + 4 * sqrt(1.25)});
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(dent_in_a_plate),
                                       cmocka_unit_test(bases_within_a_face)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

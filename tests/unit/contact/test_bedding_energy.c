// SPDX-License-Identifier: MIT
// label: fast
// What a bedding stores: against closed forms of cubes in a floor, and as that whose gradient the elastic force is, for solids
// with edges, corners, holes and several regions.
#include "../collide/skins.h"

#include "contact/volume_law.h"
#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "math/rng.h"

#define PI 3.141592653589793

static RbSkin block_of(Fixture *f, Vec3 size, Vec3 low) {
    RbMesh m = rb_mesh_box(size, &f->arena);
    return skin_of(f, rb_mesh_map(&m, M3_IDENTITY, low, &f->arena));
}

static RbVolumeLaw elastic_law(void) {
    RbVolumeLaw law = rb_volume_law();
    law.mu_static = law.mu_kinetic = 0;
    law.length = 0.3;
    return law;
}

// [m⁴] Of the depth below the faces of a cube of side 1 over its lowest part, d high: at the height z a square of side 1 - 2 z is z deep, around
// it depth falls to zero at the rim. From the thickness h of the layer on it stays.
static double below_faces(double d, double h) {
    double z = fmin(d, h), wedges = z * z / 2 - 2.0 / 3 * z * z * z + z * z * z * z / 3;
    return wedges + (d - z) * (z - 2 * z * z + 4.0 / 3 * z * z * z);
}

// K/2 (S d²/2 of the floor + what lies below the faces of the cube), however the floor and the cube are turned together.
static void cube_in_a_floor(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin floor = block_of(&f, v3(4, 4, 4), v3(-2, -2, -4)),
           cube = block_of(&f, v3(1, 1, 1), v3(-0.5, -0.5, -0.5));
    RbVolumeLaw law = elastic_law();
    RbMeshOverlap on = bedded_pair(&f, &floor, &cube), under = bedded_pair(&f, &cube, &floor);
    double h = on.layers[1]->thickness, K = law.modulus / law.length;
    ENSURE_NEAR(h, 0.125, 1e-3);
    ENSURE(on.layers[0]->thickness > 0.3);
    static const double depths[] = {1e-8, 1e-6, 1e-4, 1e-2, 0.1, 0.12, 0.14, 0.2, 0.3};
    for (int i = 0; i < 9; i++) {
        double d = depths[i], want = K / 2 * (d * d / 2 + below_faces(d, h));
        Pose X = {v3(0.1, 0.2, 0.5 - d), m3_rotation(v3(0, 0, 1), 0.4 * i)};
        ENSURE(rb_mesh_overlap(&on, X) && rb_mesh_overlap(&under, pose_inverse(X)));
        ENSURE(rb_volume_has_potential(&law));
        double bound = (1e-9 + 1e-15 / d) * want; // places are rounded
        ENSURE_NEAR(rb_volume_energy(&law, &on), want, bound);
        ENSURE_NEAR(rb_volume_energy(&law, &under), want, bound);
    }
    ENSURE(rb_mesh_overlap(&on, (Pose){v3(0, 0, 0.6), M3_IDENTITY}));
    ENSURE(rb_volume_energy(&law, &on) == 0);
    fixture_close(&f);
}

// ---- its gradient ----

// [W] Of the elastic forces when B moves with v, w.
static double power_of(const RbVolumeLaw *law, RbMeshOverlap *o, Pose X, Vec3 v, Vec3 w) {
    double sum = 0;
    ENSURE(rb_mesh_overlap(o, X));
    RbVolumeState s = rb_volume_state(law, o, &(RbVolumeMotion){.v = v, .w = w});
    for (int i = 0; i < o->regions.count; i++) sum += rb_volume_force(&s, i).elastic;
    return sum;
}

static double energy_at(const RbVolumeLaw *law, RbMeshOverlap *o, Pose X, Vec3 v, Vec3 w,
                        double t) {
    double turn = v3_norm(w) * t;
    Mat3 R = m3_rotation(v3_unit(w), turn);
    // of the point at the origin of A: x' = v + w x x
    Vec3 c = v3_scale(1 / v3_norm2(w), v3_cross(w, v)); // on the axis of the screw
    Vec3 along = v3_scale(v3_dot(v, w) / v3_norm2(w) * t, w);
    Pose Y = {v3_add(v3_add(c, along), m3_mul_vec(R, v3_sub(X.r, c))), m3_mul(R, X.R)};
    ENSURE(rb_mesh_overlap(o, Y));
    return rb_volume_energy(law, o);
}

// Of the change of the energy along a way and the power of the forces, over the sum of these at 1 m/s.
static double largest_gap(const RbVolumeLaw *law, RbMeshOverlap *o, Pose X, RbRng *rng) {
    Vec3 v = rb_rng_direction(rng), w = rb_rng_direction(rng);
    double t = 1e-6, before = energy_at(law, o, X, v, w, -t), after = energy_at(law, o, X, v, w, t);
    double power = power_of(law, o, X, v, w), force = 0;
    for (int i = 0; i < o->regions.count; i++)
        force += fabs(rb_volume_pressure(law, o, i)) * v3_norm(o->regions.data[i].area_a);
    return fabs((after - before) / (2 * t) + power) / force;
}

static void ensure_gradient(Fixture *f, const RbSkin *a, const RbSkin *b, double near, double far) {
    RbVolumeLaw law = elastic_law();
    RbMeshOverlap o = bedded_pair(f, a, b);
    RbRng rng = rb_rng(7);
    int seen = 0;
    double worst = 0;
    for (int i = 0; i < 60; i++) {
        Pose X = pose(v3_scale(rb_rng_range(&rng, near, far), rb_rng_direction(&rng)),
                      rb_rng_orientation(&rng));
        ENSURE(rb_mesh_overlap(&o, X));
        if (!(o.volume > 1e-4)) continue;
        worst = fmax(worst, largest_gap(&law, &o, X, &rng));
        seen++;
    }
    print_message("%d poses, %.2g off\n", seen, worst);
    ENSURE(seen > 20);
    ENSURE(worst < 1e-7);
}

static void force_is_its_gradient(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin cube = block_of(&f, v3(1, 1, 1), v3(-0.5, -0.5, -0.5)),
           plate = block_of(&f, v3(2, 2, 0.4), v3(-1, -1, -0.2)),
           torus = skin_of(&f, rb_mesh_torus(1, 0.4, 16, &f.arena)),
           ball = skin_of(&f, rb_mesh_sphere(0.5, 16, &f.arena));
    RbMesh block = rb_mesh_box(v3(1, 0.5, 0.4), &f.arena),
           gap = rb_mesh_box(v3(0.5, 1, 0.4), &f.arena);
    RbMesh hole = rb_mesh_map(&gap, M3_IDENTITY, v3(0.2, -0.1, -0.2), &f.arena), bridge;
    ENSURE(rb_csg(RB_CSG_DIFFERENCE, &block, "block", &hole, "hole", RB_NOWHERE, &f.arena,
                  f.scratch, &f.diag, &bridge) == RB_OK);
    RbSkin feet = skin_of(&f, bridge);
    ensure_gradient(&f, &cube, &cube, 0.8, 1.3);
    ensure_gradient(&f, &plate, &cube, 0.4, 0.9);
    ensure_gradient(&f, &torus, &ball, 0.6, 1.7);
    ensure_gradient(&f, &plate, &feet, 0.1, 0.8);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cube_in_a_floor),
                                       cmocka_unit_test(force_is_its_gradient)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// A ball or an ellipsoid presses on a mesh: Hertz's force on a face, the gradient of its energy in every pose, the energy
// against a sum over cells, and no trace of how a face is divided into triangles.
#include "../collide/skins.h"

#include "collide/round_overlap.h"
#include "collide/round_press.h"
#include "contact/volume_law.h"
#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "math/rng.h"

static RbMesh box(Fixture *f, Vec3 size, Vec3 at) {
    RbMesh m = rb_mesh_box(size, &f->arena);
    return rb_mesh_map(&m, M3_IDENTITY, at, &f->arena);
}

static RbMeshOverlap opened(Fixture *f, const RbSkin *skin, Vec3 semi) {
    RbMeshOverlap o;
    RbFlatFaces flat = rb_flat_faces(skin, &f->arena, f->scratch);
    rb_round_overlap_open(&o, skin, semi, &f->arena);
    rb_round_press_open(&o, &flat);
    return o;
}

static RbVolumeLaw law_without_losses(void) {
    RbVolumeLaw law = rb_volume_law();
    law.restitution = 1;
    law.mu_static = law.mu_kinetic = 0;
    rb_volume_law_prepare(&law);
    return law;
}

// Force and torque about the origin of the mesh.
static RbVolumeForce force_at(RbMeshOverlap *o, const RbVolumeLaw *law, RbVolumeMotion motion,
                              Pose X) {
    rb_mesh_overlap(o, X);
    RbVolumeForce sum = {0};
    RbVolumeState s = rb_volume_state(law, o, &motion);
    for (int i = 0; i < o->regions.count; i++) {
        RbVolumeForce f = rb_volume_force(&s, i);
        sum.force = v3_add(sum.force, f.force);
        sum.torque = v3_add(sum.torque, f.torque);
    }
    return sum;
}

static double energy_at(RbMeshOverlap *o, const RbVolumeLaw *law, Pose X) {
    rb_mesh_overlap(o, X);
    return rb_volume_energy(law, o);
}

// 4/3 E* √R δ^1.5 for a ball, up to δ/R; at the tip of an ellipsoid R is the geometric mean of its two radii of curvature there.
static void hertz(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin floor = skin_of(&f, box(&f, v3(4, 4, 1), v3(-2.1, -2.2, -1)));
    RbVolumeLaw law = law_without_losses();
    const Vec3 axes[] = {{0.3, 0.3, 0.3}, {0.2, 0.3, 0.45}, {0.45, 0.3, 0.2}};
    for (int i = 0; i < 9; i++) {
        Vec3 a = axes[i / 3];
        RbMeshOverlap o = opened(&f, &floor, a);
        double R = a.x * a.y / a.z, deep = a.z * pow(10, -2 - 2 * (i % 3));
        RbVolumeForce got =
            force_at(&o, &law, (RbVolumeMotion){0}, (Pose){v3(0.1, 0.1, a.z - deep), M3_IDENTITY});
        double wanted = 4.0 / 3 * law.modulus * sqrt(R) * pow(deep, 1.5);
        ENSURE_NEAR(got.force.z / wanted, 1, 2 * deep / fmin(a.z, a.x * a.x / a.z) + 1e-9);
        ENSURE(fabs(got.force.x) + fabs(got.force.y) < 1e-9 * wanted);
        ENSURE(v3_norm(v3_sub(got.torque, v3_cross(v3(0.1, 0.1, 0), got.force))) < 1e-9 * wanted);
    }
    fixture_close(&f);
}

// Differences of the energy, at faces, edges, corners and inner edges, up to a tenth of the shortest semi-axis deep.
static void force_is_a_gradient(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh block = box(&f, v3(2, 1, 1), V3_ZERO), slot = box(&f, v3(0.4, 2, 1), v3(0.8, -0.5, 0.7)),
           part;
    ENSURE(rb_csg(RB_CSG_DIFFERENCE, &block, "a", &slot, "b", RB_NOWHERE, &f.arena, f.scratch,
                  &f.diag, &part) == RB_OK);
    RbSkin solids[2] = {skin_of(&f, part), skin_of(&f, rb_mesh_torus(1, 0.4, 16, &f.arena))};
    const Vec3 axes[2] = {{0.3, 0.3, 0.3}, {0.2, 0.3, 0.45}};
    RbVolumeLaw law = law_without_losses();
    RbRng rng = rb_rng(11);
    RbMeshOverlap overlaps[4];
    for (int k = 0; k < 4; k++) overlaps[k] = opened(&f, &solids[k / 2], axes[k % 2]);
    double worst = 0;
    for (int met = 0; met < 400;) {
        RbMeshOverlap *o = &overlaps[rb_rng_int(&rng, 4)];
        Pose X = pose(v3(rb_rng_range(&rng, -1.5, 2.5), rb_rng_range(&rng, -1.5, 1.5),
                         rb_rng_range(&rng, -0.6, 1.5)),
                      rb_rng_orientation(&rng));
        rb_mesh_overlap(o, X);
        if (!(o->area > 0) || !(o->volume > 1e-7) || o->volume > 0.01 * o->area) continue;
        met++;
        double h = 1e-3 * o->volume / o->area;
        RbVolumeForce got = force_at(o, &law, (RbVolumeMotion){0}, X);
        Vec3 torque = v3_sub(got.torque, v3_cross(X.r, got.force)), dx = rb_rng_direction(&rng);
        double size = v3_norm(got.force) + v3_norm(torque) / 0.3;
        double slope = (energy_at(o, &law, (Pose){v3_axpy(X.r, h, dx), X.R}) -
                        energy_at(o, &law, (Pose){v3_axpy(X.r, -h, dx), X.R})) /
                       (2 * h);
        worst = fmax(worst, fabs(slope + v3_dot(got.force, dx)) / size);
        slope = (energy_at(o, &law, (Pose){X.r, m3_mul(m3_rotation(dx, h), X.R)}) -
                 energy_at(o, &law, (Pose){X.r, m3_mul(m3_rotation(dx, -h), X.R)})) /
                (2 * h);
        worst = fmax(worst, fabs(slope + v3_dot(torque, dx)) / size);
    }
    print_message("gradient: off by %.2g\n", worst);
    ENSURE(worst < 1e-5);
    fixture_close(&f);
}

// At a corner of a box: (8/15) E* √(10/π ∫ d³/r dV), cell by cell; d = a D there, r from the centre over the radius.
static void energy_is_the_integral(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin corner = skin_of(&f, box(&f, v3(1, 1, 1), v3(-1, -1, -1)));
    const double R = 0.3, cells = 100, reach = 0.12, h = reach / cells, pi = 3.141592653589793;
    Vec3 c = v3(0.12, 0.15, 0.16);
    RbMeshOverlap o = opened(&f, &corner, v3(R, R, R));
    RbVolumeLaw law = law_without_losses();
    double sum = 0;
    for (int i = 0; i < cells * cells * cells; i++) {
        Vec3 x = v3(-h * (i % 100 + 0.5), -h * (i / 100 % 100 + 0.5), -h * (i / 10000 + 0.5));
        double r = v3_distance(x, c) / R, d = 0.5 * R * (1 - r * r);
        if (r < 1) sum += d * d * d / r * h * h * h;
    }
    double wanted = 8.0 / 15 * law.modulus * sqrt(10 / pi * sum);
    ENSURE_NEAR(energy_at(&o, &law, (Pose){c, M3_IDENTITY}) / wanted, 1, 1e-3);
    fixture_close(&f);
}

// Damping, slip and spin included.
static void division_does_not_matter(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh coarse = box(&f, v3(1, 1, 1), V3_ZERO), fine;
    ENSURE(rb_mesh_refine(&coarse, 0.15, 100000, &f.arena, f.scratch, &fine));
    RbSkin skins[2] = {skin_of(&f, coarse), skin_of(&f, fine)};
    ENSURE(fine.triangle_count > 10 * coarse.triangle_count);
    RbVolumeLaw law = rb_volume_law();
    rb_volume_law_prepare(&law);
    RbRng rng = rb_rng(3);
    RbMeshOverlap o[2];
    for (int k = 0; k < 2; k++) o[k] = opened(&f, &skins[k], v3(0.2, 0.3, 0.45));
    for (int met = 0; met < 100;) {
        Pose X = pose(v3(rb_rng_range(&rng, -0.4, 1.4), rb_rng_range(&rng, -0.4, 1.4),
                         rb_rng_range(&rng, 0.9, 1.4)),
                      rb_rng_orientation(&rng));
        RbVolumeMotion motion = {.v = v3_scale(0.3, rb_rng_direction(&rng)),
                                 .w = v3_scale(0.3, rb_rng_direction(&rng)),
                                 .mass = 1};
        rb_mesh_overlap(&o[0], X);
        if (!(o[0].volume > 1e-6) || o[0].volume > 0.01 * o[0].area) continue;
        met++;
        RbVolumeForce a = force_at(&o[0], &law, motion, X), b = force_at(&o[1], &law, motion, X);
        ENSURE(v3_distance(a.force, b.force) < 1e-6 * v3_norm(a.force));
        ENSURE(v3_distance(a.torque, b.torque) < 1e-6 * v3_norm(a.force));
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hertz),
        cmocka_unit_test(force_is_a_gradient),
        cmocka_unit_test(energy_is_the_integral),
        cmocka_unit_test(division_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

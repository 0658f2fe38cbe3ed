// SPDX-License-Identifier: MIT
// Forces by volume and by layers against closed forms; work around closed paths; friction of patches.
#include "../collide/skins.h"

#include "contact/polygonal.h"
#include "contact/volume_law.h"
#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "math/rng.h"

#define PI 3.141592653589793

// Floor from z = -1 to 0 around the origin.
static RbSkin floor_of(Fixture *f) {
    RbMesh m = rb_mesh_box(v3(4, 4, 1), &f->arena);
    return skin_of(f, rb_mesh_map(&m, M3_IDENTITY, v3(-2, -2, -1), &f->arena));
}

// Of a region at the velocity v, w of B.
static RbVolumeForce force_of(const RbVolumeLaw *law, const RbMeshOverlap *o, int region, Vec3 v,
                              Vec3 w) {
    RbVolumeState s = rb_volume_state(law, o, &(RbVolumeMotion){.v = v, .w = w});
    return rb_volume_force(&s, region);
}

// Its largest value is the static coefficient, its value far out the kinetic one.
static void friction_curve(void **state) {
    (void)state;
    RbVolumeLaw law = rb_volume_law();
    law.sticks = false;
    double top = 0;
    for (int i = 0; i <= 5000; i++) top = fmax(top, rb_volume_friction(&law, 1e-6 * i));
    ENSURE_NEAR(top, law.mu_static, 0.01 * law.mu_static);
    ENSURE_NEAR(rb_volume_friction(&law, 1), law.mu_kinetic, 1e-5);
    ENSURE(rb_volume_friction(&law, 0) == 0);
    law.sticks = true;
    ENSURE(rb_volume_friction(&law, 0) == law.mu_static);
    ENSURE_NEAR(rb_volume_friction(&law, 1), law.mu_kinetic, 1e-5);
}

// A ball on a floor: Hertz, by the form of Nassauer exactly in the limit, by the area form 6 % above.
static void balls_are_hertzian(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin floor = floor_of(&f), ball = skin_of(&f, rb_mesh_sphere(1, 360, &f.arena));
    RbMeshOverlap o;
    rb_mesh_overlap_open(&o, &floor, &ball, &f.arena);
    double depth = 0.02, hertz = 4.0 / 3 * 1e8 * pow(depth, 1.5);
    ENSURE(rb_mesh_overlap(&o, (Pose){v3(0, 0, 1 - depth), rb_clean_rotation(v3(PI / 2, 0, 0))}));
    RbVolumeLaw law = rb_volume_law();
    law.form = RB_VOLUME_DEPTH;
    RbVolumeForce deep = force_of(&law, &o, 0, V3_ZERO, V3_ZERO);
    ENSURE_NEAR(deep.force.z / hertz, 1, 0.01);
    law.form = RB_VOLUME_AREA;
    RbVolumeForce area = force_of(&law, &o, 0, V3_ZERO, V3_ZERO);
    ENSURE_NEAR(area.force.z / hertz, 1.061, 0.015); // 3/(2 sqrt 2)
    ENSURE_NEAR(hypot(area.force.x, area.force.y), 0, 1e-9 * area.force.z);
    fixture_close(&f);
}

// A disc that spins on its face: torque 2/3 mu N R; that slides: mu N.
static void disc_spins_and_slides(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin floor = floor_of(&f), disc = skin_of(&f, rb_mesh_cone(0.5, 0.5, 0.2, 128, &f.arena));
    RbMeshOverlap o;
    rb_mesh_overlap_open(&o, &disc, &floor, &f.arena); // the disc's face is the patch
    ENSURE(rb_mesh_overlap(&o, (Pose){v3(0, 0, 1e-4), M3_IDENTITY}));
    ENSURE(o.regions.count == 1);
    RbVolumeLaw law = rb_volume_law();
    law.form = RB_VOLUME_AREA;
    law.slip_speed = 1e-5;
    RbVolumeForce spun = force_of(&law, &o, 0, V3_ZERO, v3(0, 0, 10));
    ENSURE_NEAR(spun.torque.z / (law.mu_kinetic * spun.normal_force * 0.5), -2.0 / 3, 0.002);
    ENSURE_NEAR(spun.friction, -spun.torque.z * 10, 1e-9 * spun.friction);
    RbVolumeForce slid = force_of(&law, &o, 0, v3(1, 0, 0), V3_ZERO);
    ENSURE_NEAR(slid.force.x, -law.mu_kinetic * slid.normal_force, 1e-4 * slid.normal_force);
    fixture_close(&f);
}

// Work along a closed path in six coordinates over the largest energy or work on the way.
static double loop_work(const RbVolumeLaw *law, RbMeshOverlap *o) {
    enum { STEPS = 4000 };
    double work = 0, most = 0;
    for (int i = 0; i < STEPS; i++) {
        double s = 2 * PI * (i + 0.5) / STEPS, ds = 2 * PI / STEPS;
        Vec3 r = v3(0.1 * sin(s), 0.05 * cos(s), 0.47 - 0.03 * cos(s + 1));
        Vec3 dr = v3(0.1 * cos(s), -0.05 * sin(s), 0.03 * sin(s + 1));
        double tilt = 0.1 * sin(2 * s), dtilt = 0.2 * cos(2 * s);
        Pose X = {r, m3_rotation(v3(1, 0, 0), 0.3 + tilt)};
        ENSURE(rb_mesh_overlap(o, X));
        Vec3 w = v3(dtilt, 0, 0), v = v3_sub(dr, v3_cross(w, r)); // of the point at the origin of A
        for (int k = 0; k < o->regions.count; k++) {
            RbVolumeForce f = force_of(law, o, k, V3_ZERO, V3_ZERO);
            work += ds * (v3_dot(f.force, v) + v3_dot(f.torque, w));
        }
        most = fmax(most, fabs(work));
    }
    return fabs(work) / most;
}

// All regions together.
static RbVolumeForce total_of(const RbVolumeLaw *law, const RbMeshOverlap *o, Vec3 v, Vec3 w) {
    RbVolumeForce sum = {0};
    for (int i = 0; i < o->regions.count; i++) {
        RbVolumeForce f = force_of(law, o, i, v, w);
        sum.force = v3_add(sum.force, f.force);
        sum.torque = v3_add(sum.torque, f.torque);
    }
    return sum;
}

// A cube sunk into a floor by d: its face presses with K d S/2, the floor's under it with K/2 times the depth below the
// cube's face, which falls to zero at the rim over d: K/2 of the frustum S' = (a - 2 d)², (d/3)(S + S' + root(S S')). A disc that
// spins: 2/3 mu N R.
static void bedding_presses_as_deep(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh box = rb_mesh_box(v3(1, 1, 1), &f.arena);
    RbSkin floor = floor_of(&f),
           cube = skin_of(&f, rb_mesh_map(&box, M3_IDENTITY, v3(-0.5, -0.5, -0.5), &f.arena)),
           disc = skin_of(&f, rb_mesh_cone(0.5, 0.5, 0.5, 128, &f.arena));
    RbVolumeLaw law = rb_volume_law();
    law.form = RB_VOLUME_BEDDING;
    law.length = 0.3;
    law.slip_speed = 1e-5;
    double K = law.modulus / law.length;
    RbMeshOverlap o = bedded_pair(&f, &floor, &cube);
    for (double d = 1e-6; d < 0.1; d *= 10) {
        ENSURE(rb_mesh_overlap(&o, (Pose){v3(0.1, 0.2, 0.5 - d), M3_IDENTITY}));
        double inner = (1 - 2 * d) * (1 - 2 * d), under = d / 3 * (1 + inner + sqrt(inner));
        RbVolumeForce got = total_of(&law, &o, V3_ZERO, V3_ZERO);
        double force = K / 2 * (d + under);
        ENSURE_NEAR(got.force.z, force, 1e-9 * force);
        ENSURE_NEAR(got.torque.x, 0.2 * force, 1e-9 * force);
        ENSURE_NEAR(hypot(got.force.x, got.force.y), 0, 1e-9 * force);
    }
    // It slides with mu N, also with its edges in the floor.
    ENSURE(rb_mesh_overlap(&o, (Pose){v3(0.1, 0.2, 0.5 - 1e-5), M3_IDENTITY}));
    RbVolumeForce slid = total_of(&law, &o, v3(0.5, 0, 0), V3_ZERO);
    ENSURE_NEAR(slid.force.x / slid.force.z, -law.mu_kinetic, 1e-5);
    RbMeshOverlap on = bedded_pair(&f, &disc, &floor);
    ENSURE(rb_mesh_overlap(&on, (Pose){v3(0, 0, 1e-4), M3_IDENTITY}));
    RbVolumeForce spun = total_of(&law, &on, V3_ZERO, v3(0, 0, 10));
    ENSURE_NEAR(spun.torque.z / (law.mu_kinetic * v3_norm(spun.force) * 0.5), -2.0 / 3, 0.02);
    fixture_close(&f);
}

// Two feet in one plane, on two triangles of a floor: told apart, each carries what one alone would carry, at its middle, and both what
// they carry together.
static void feet_carry_their_part(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh block = rb_mesh_box(v3(1, 0.5, 0.4), &f.arena),
           gap = rb_mesh_box(v3(0.5, 1, 0.4), &f.arena);
    RbMesh hole = rb_mesh_map(&gap, M3_IDENTITY, v3(0.2, -0.1, -0.2), &f.arena), bridge;
    ENSURE(rb_csg(RB_CSG_DIFFERENCE, &block, "block", &hole, "hole", RB_NOWHERE, &f.arena,
                  f.scratch, &f.diag, &bridge) == RB_OK);
    RbSkin floor = floor_of(&f), skin = skin_of(&f, bridge);
    RbMeshOverlap o = bedded_pair(&f, &floor, &skin);
    RbVolumeLaw law = rb_volume_law();
    law.length = 0.3;
    const double d = 1e-3, width = 0.5, left = 0.2, right = 0.3;
    Pose X = {v3(0.1, 0.2, -d), M3_IDENTITY};
    ENSURE(rb_mesh_overlap(&o, X));
    RbVolumeForce whole = total_of(&law, &o, V3_ZERO, V3_ZERO);
    ENSURE(rb_mesh_overlap_apart(&o, X) && o.regions.count == 2);
    RbVolumeForce sum = total_of(&law, &o, V3_ZERO, V3_ZERO);
    ENSURE_NEAR(sum.force.z, whole.force.z, 1e-12 * whole.force.z);
    ENSURE_NEAR(sum.torque.y, whole.torque.y, 1e-12 * whole.force.z);
    for (int i = 0; i < 2; i++) {
        RbVolumeForce got = force_of(&law, &o, i, V3_ZERO, V3_ZERO);
        double length = got.point.x < 0.5 ? left : right, area = width * length;
        double under = d * (area - (width + length) * d + 4.0 / 3 * d * d);
        double force = law.modulus / law.length / 2 * (d * area + under);
        double x = 0.1 + (length == left ? left / 2 : 1 - right / 2);
        ENSURE_NEAR(got.force.z, force, 1e-9 * force);
        ENSURE_NEAR(got.torque.y, -x * force, 1e-9 * force);
        ENSURE_NEAR(got.torque.x, (0.2 + width / 2) * force, 1e-9 * force);
    }
    fixture_close(&f);
}

// On an edge, on a corner: the floor alone says which way is up. Nothing approaches there while it slides, so that damping takes nothing, and friction is mu times
// what presses.
static void edges_slide_over_faces(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh box = rb_mesh_box(v3(1, 1, 1), &f.arena);
    RbSkin floor = floor_of(&f),
           cube = skin_of(&f, rb_mesh_map(&box, M3_IDENTITY, v3(-0.5, -0.5, -0.5), &f.arena));
    RbMeshOverlap o = bedded_pair(&f, &floor, &cube);
    RbVolumeLaw law = rb_volume_law();
    law.length = 0.3;
    law.slip_speed = 1e-5;
    law.sticks = false;
    rb_volume_law_prepare(&law);
    Mat3 turn[3] = {m3_rotation(v3(1, 0, 0), PI / 4), m3_rotation(v3(1, 0, 0), 0.3)};
    turn[2] = m3_mul(turn[1], m3_rotation(v3(0, 1, 0), 0.5));
    for (int i = 0; i < 3; i++) {
        double low = 0;
        for (int k = 0; k < 8; k++) {
            Vec3 x = v3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5);
            low = fmin(low, m3_mul_vec(turn[i], x).z);
        }
        ENSURE(rb_mesh_overlap(&o, (Pose){v3(0.1, 0.2, -low - 1e-3), turn[i]}));
        for (int k = 0; k < 2; k++) {
            double mu = law.mu_static = law.mu_kinetic = k ? 0.25 : 0;
            RbVolumeMotion motion = {.v = v3(0.3, 0.4, 0), .mass = 1};
            RbVolumeState s = rb_volume_state(&law, &o, &motion);
            RbVolumeForce got = rb_volume_force(&s, 0);
            ENSURE(o.regions.count == 1 && s.linear > 0);
            ENSURE_NEAR(got.force.x, -0.6 * mu * got.force.z, 1e-3 * got.force.z);
            ENSURE_NEAR(got.force.y, -0.8 * mu * got.force.z, 1e-3 * got.force.z);
            ENSURE_NEAR(got.damping, 0, 1e-3 * got.force.z * 0.5);
        }
    }
    fixture_close(&f);
}

static void potential_does_no_work_around(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh box = rb_mesh_box(v3(1, 1, 1), &f.arena);
    RbSkin floor = floor_of(&f),
           cube = skin_of(&f, rb_mesh_map(&box, M3_IDENTITY, v3(-0.5, -0.5, -0.5), &f.arena));
    RbMeshOverlap o;
    rb_mesh_overlap_open(&o, &floor, &cube, &f.arena);
    RbVolumeLaw law = rb_volume_law();
    law.mu_static = law.mu_kinetic = 0;
    law.length = 1;
    law.form = RB_VOLUME_POTENTIAL;
    ENSURE(loop_work(&law, &o) < 1e-5);
    RbMeshOverlap bedded = bedded_pair(&f, &floor, &cube);
    law.form = RB_VOLUME_BEDDING;
    ENSURE(loop_work(&law, &bedded) < 1e-5);
    law.form = RB_VOLUME_AREA; // has none, and the test can tell
    ENSURE(loop_work(&law, &o) > 1e-3);
    fixture_close(&f);
}

// All regions, on B in the frame of A, with damping and friction; B moves with v, w against A.
static RbVolumeForce moving(const RbVolumeLaw *law, const RbMeshOverlap *o, Vec3 v, Vec3 w) {
    RbVolumeForce sum = {0};
    RbVolumeState s = rb_volume_state(law, o, &(RbVolumeMotion){.v = v, .w = w, .mass = 1});
    for (int k = 0; k < o->regions.count; k++) {
        RbVolumeForce f = rb_volume_force(&s, k);
        sum.force = v3_add(sum.force, f.force);
        sum.torque = v3_add(sum.torque, f.torque);
        sum.normal_force += v3_norm(f.force);
    }
    return sum;
}

// Action and reaction: with the roles of the solids changed the force is the opposite, whatever they do.
static void roles_may_change(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin a = skin_of(&f, rb_mesh_torus(1, 0.4, 24, &f.arena)),
           b = skin_of(&f, rb_mesh_sphere(0.5, 24, &f.arena));
    RbMeshOverlap ab, ba;
    rb_mesh_overlap_open(&ab, &a, &b, &f.arena);
    rb_mesh_overlap_open(&ba, &b, &a, &f.arena);
    RbVolumeLaw law = rb_volume_law();
    law.sticks = false;
    law.length = 0.3;
    rb_volume_law_prepare(&law);
    RbRng rng = rb_rng(3);
    for (int i = 0; i < 60; i++) {
        law.form = (RbVolumeForm)(i % 3); // area, depth, potential
        Pose X = pose(v3_scale(rb_rng_range(&rng, 0.2, 1.6), rb_rng_direction(&rng)),
                      rb_rng_orientation(&rng));
        Vec3 v = i < 30 ? V3_ZERO : rb_rng_direction(&rng),
             w = i < 30 ? V3_ZERO : rb_rng_direction(&rng);
        ENSURE(rb_mesh_overlap(&ab, X) && rb_mesh_overlap(&ba, pose_inverse(X)));
        ENSURE(ab.regions.count == ba.regions.count);
        // A against B, in the frame of B, at its origin.
        Vec3 v_b = v3_neg(m3_tmul_vec(X.R, v3_add(v, v3_cross(w, X.r)))),
             w_b = v3_neg(m3_tmul_vec(X.R, w));
        RbVolumeForce on_b = moving(&law, &ab, v, w), on_a = moving(&law, &ba, v_b, w_b);
        Vec3 back = m3_mul_vec(X.R, on_a.force),
             turn = v3_add(m3_mul_vec(X.R, on_a.torque), v3_cross(X.r, back));
        ENSURE(v3_norm(v3_add(on_b.force, back)) <= 1e-9 * on_b.normal_force + 1e-9);
        ENSURE(v3_norm(v3_add(on_b.torque, turn)) <= 2e-9 * on_b.normal_force + 1e-9);
    }
    fixture_close(&f);
}

static RbPolygonal polygonal(void) {
    return (RbPolygonal){.task = RB_POLYGONAL_BOTH,
                         .a = {1e7, 0.3, 0.01},
                         .b = {1e7, 0.3, 0.01},
                         .friction = 0.4,
                         .slip_speed = 1e-3,
                         .max_penetration = 0.01};
}

// A cube pressed flat: K A u with the two layers in series; friction; damping that never pulls; where and along what they press, whatever rubs.
static void layers_carry(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh box = rb_mesh_box(v3(1, 1, 1), &f.arena), fine;
    ENSURE(rb_mesh_refine(&box, 0.1, 100000, &f.arena, f.scratch, &fine));
    RbSkin floor = floor_of(&f), cube = skin_of(&f, fine);
    RbMeshOverlap work;
    rb_mesh_overlap_open(&work, &floor, &cube, &f.arena);
    RbPolygonal p = polygonal();
    double layer = 0.7 / (1.3 * 0.4) * 1e7 / 0.01, u = 1e-4;
    ENSURE_NEAR(rb_polygonal_stiffness(&p), layer / 2, 1e-6 * layer);
    Pose X = {v3(-0.5, -0.5, -u), M3_IDENTITY};
    p.task = RB_POLYGONAL_BASE_B;
    RbPolygonalForce g = rb_polygonal_force(&p, &work, X, V3_ZERO, V3_ZERO);
    ENSURE_NEAR(g.force.z, layer / 2 * u, 1e-9 * layer * u);
    ENSURE_NEAR(g.area, 1, 1e-12);
    ENSURE_NEAR(g.energy, 0.25 * layer * u * u, 1e-9 * layer * u * u);
    ENSURE_NEAR(g.torque.x, 0, 1e-9 * g.force.z);
    g = rb_polygonal_force(&p, &work, X, v3(1, 0, 0), V3_ZERO);
    ENSURE_NEAR(g.force.x, -0.4 * g.normal_force, 1e-9 * g.normal_force);
    ENSURE_NEAR(g.power_lost, 0.4 * g.normal_force, 1e-9 * g.normal_force);
    ENSURE(v3_norm(v3_sub(g.point, v3(0, 0, -u / 2))) < 1e-9 &&
           v3_norm(v3_sub(g.n, v3(0, 0, 1))) < 1e-9);
    p.compression = p.expansion = 1e9;
    g = rb_polygonal_force(&p, &work, X, v3(0, 0, 1), V3_ZERO);
    ENSURE(g.normal_force == 0);
    g = rb_polygonal_force(&p, &work, X, v3(0, 0, -1e-3), V3_ZERO);
    ENSURE_NEAR(g.normal_force, layer / 2 * u + 1e6, 1e-3);
    p.mode = RB_POLYGONAL_FULL;
    g = rb_polygonal_force(&p, &work, X, v3(0, 0, 1), V3_ZERO);
    ENSURE(g.normal_force < 0);
    ENSURE(rb_polygonal_force(&p, &work, (Pose){v3(0, 0, 1e-6), M3_IDENTITY}, V3_ZERO, V3_ZERO)
               .triangles == 0);
    fixture_close(&f);
}

// K A u of a small brick anywhere on a floor of twelve triangles, in the middle of its face, whichever surface is the base: triangles
// that are large are pressed where the surfaces cut them. With its own face as base a tilt meets K I.
static void layers_need_no_fine_triangles(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double a = 0.1, b = 0.08, u = 1e-5, tilt = 1e-5;
    RbSkin floor = floor_of(&f), brick = skin_of(&f, rb_mesh_box(v3(a, b, 0.06), &f.arena));
    RbMeshOverlap work;
    rb_mesh_overlap_open(&work, &floor, &brick, &f.arena);
    RbPolygonal p = polygonal();
    double K = rb_polygonal_stiffness(&p), force[3] = {0}, place[3] = {0};
    for (int i = 0; i < 60; i++) {
        int task = i % 3;
        Mat3 R = m3_rotation(v3(0, 0, 1), 0.11 * i), T = m3_rotation(v3(1, 0, 0), tilt);
        Vec3 at = v3(-0.3 + 0.0137 * i, 0.4 - 0.0119 * i, -u), middle = v3(0.5 * a, 0.5 * b, 0);
        Vec3 c = v3_add(at, m3_mul_vec(R, middle));
        p.task = (RbPolygonalTask)task;
        RbPolygonalForce g = rb_polygonal_force(&p, &work, (Pose){at, R}, V3_ZERO, V3_ZERO);
        Vec3 torque = v3_sub(g.torque, v3_cross(c, g.force));
        force[task] = fmax(force[task], fabs(g.force.z / (K * a * b * u) - 1));
        place[task] = fmax(place[task], v3_norm(torque) / g.force.z);
        if (p.task != RB_POLYGONAL_BASE_B) continue;
        T = m3_mul(R, T);
        Pose X = {v3_sub(c, m3_mul_vec(T, middle)), T};
        g = rb_polygonal_force(&p, &work, X, V3_ZERO, V3_ZERO);
        torque = v3_sub(g.torque, v3_cross(c, g.force));
        double want = -K * a * b * b * b / 12 * tilt;
        ENSURE_NEAR(v3_dot(torque, m3_mul_vec(R, v3(1, 0, 0))), want, -1e-6 * want);
    }
    for (int k = 0; k < 3; k++)
        print_message("base %d: force off by %.2g, place by %.2g m\n", k, force[k], place[k]);
    for (int k = 0; k < 3; k++) ENSURE(force[k] < 1e-9 && place[k] < 1e-9 * a);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_curve),
        cmocka_unit_test(balls_are_hertzian),
        cmocka_unit_test(disc_spins_and_slides),
        cmocka_unit_test(potential_does_no_work_around),
        cmocka_unit_test(bedding_presses_as_deep),
        cmocka_unit_test(feet_carry_their_part),
        cmocka_unit_test(edges_slide_over_faces),
        cmocka_unit_test(roles_may_change),
        cmocka_unit_test(layers_carry),
        cmocka_unit_test(layers_need_no_fine_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

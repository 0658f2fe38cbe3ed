// SPDX-License-Identifier: MIT
// label: normal
// Balls and ellipsoids that are round touch meshes: rest, impacts, rolling, and energy in a bowl.
#include "stand.h"

#include "geom/contour.h"
#include "geom/csg.h"
#include "geom/mesh_make.h"

static RbMesh block(Stand *s, Vec3 size) { // its upper face is z = 0
    RbMesh m = rb_mesh_box(size, &s->f.arena);
    return rb_mesh_map(&m, M3_IDENTITY, v3(-0.5 * size.x, -0.5 * size.y, -size.z), &s->f.arena);
}

static RbVolumeLaw potential(void) {
    RbVolumeLaw law = rb_volume_law();
    law.form = RB_VOLUME_POTENTIAL;
    law.modulus = 1e7;
    law.length = 0.02;
    return law;
}

// A ball of 1 kg (with the inertia of a homogeneous one) and its mesh on the ground.
static void add_round(Stand *s, const RbMesh *ground, RbVolumeLaw law, Vec3 semi, Vec3 r, Vec3 v) {
    double m = 1, xx = semi.x * semi.x, yy = semi.y * semi.y, zz = semi.z * semi.z;
    RbMassProperties mass = {.mass = m,
                             .I_CM = m3_diagonal(v3_scale(m / 5, v3(yy + zz, zz + xx, xx + yy)))};
    int a = rb_scene_add(s->scene, rb_frame_object("ground", 0, POSE_IDENTITY));
    RbSceneObject ball = rb_body("ball", mass);
    ball.object.moves_freely = true;
    ball.object.pose.r = r;
    ball.object.velocity = v;
    int b = rb_scene_add(s->scene, ball);
    RbSolidsForce contact = {.law = RB_SOLIDS_VOLUME, .volume = law};
    ENSURE(rb_scene_add_round(s->scene, a, ground, b, semi, contact, &s->f.diag) == RB_OK);
}

// It sinks in until E* V S/L³ carries its weight.
static void rests(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    RbMesh ground = block(&s, v3(1, 1, 0.2));
    RbVolumeLaw law = potential();
    const double R = 0.05;
    add_round(&s, &ground, law, v3(R, R, R), v3(0.01, 0.02, R), V3_ZERO);
    stand_run(&s, 3, 1e-8);
    double deep = R - stand_state(&s, "ball.r[3]");
    double V = M_PI * deep * deep * (3 * R - deep) / 3, S = M_PI * deep * (2 * R - deep);
    double N = law.modulus * V * S / (law.length * law.length * law.length);
    ENSURE_NEAR(N, 9.81, 1e-4);
    ENSURE_NEAR(stand_state(&s, "ball.r[1]"), 0.01, 1e-9);
    ENSURE(s.summary.allocations == 0);
    stand_close(&s);
}

static void returns(double e, Vec3 semi, const char *solver) {
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
    RbMesh ground = block(&s, v3(1, 1, 0.2));
    RbVolumeLaw law = potential();
    law.restitution = e;
    add_round(&s, &ground, law, semi, v3(0.01, 0.02, semi.z + 0.001), v3(0, 0, -1));
    s.options.solver = solver;
    stand_run(&s, 0.1, 1e-8);
    ENSURE_NEAR(stand_state(&s, "ball.v[3]"), e, 1e-3 * e);
    ENSURE_NEAR(stand_quadrature(&s, "energy.contact_false_work"), 0, 1e-12);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, e < 1 ? 1e-4 : 1e-6);
    stand_close(&s);
}

static void returns_as_typed(void **state) {
    (void)state;
    returns(1, v3(0.05, 0.05, 0.05), "cvode");
    returns(0.5, v3(0.05, 0.05, 0.05), "islands");
    returns(0.5, v3(0.07, 0.06, 0.05), "cvode");
}

// [m] Where E* V S/L³ is a load.
static double depth_under(const RbVolumeLaw *law, double R, double load) {
    double low = 0, high = R;
    for (int i = 0; i < 200; i++) {
        double deep = 0.5 * (low + high), V = M_PI * deep * deep * (3 * R - deep) / 3;
        double N = law->modulus * V * M_PI * deep * (2 * R - deep) / pow(law->length, 3);
        *(N < load ? &low : &high) = deep;
    }
    return low;
}

// 5/7 g sin(angle), across the sides of the triangles it rolls over. (Gravity is tilted.) With losses in the patch
// it is slower: what presses in front gives less back behind. The rolling radius is less than R by a part of the
// depth: a stiffer ground comes closer to the closed form.
static void rolls(void **state) {
    (void)state;
    const double angle = 0.1, R = 0.05, g = 9.81, t = 1, free = 5 / 7.0 * g * sin(angle);
    double before = 0;
    for (int i = 0; i < 3; i++) {
        bool lossy = i == 2;
        Stand s;
        stand_open(&s);
        s.scene->gravity = rb_gravity_uniform(g, v3(sin(angle), 0, -cos(angle)));
        RbMesh ground = block(&s, v3(4, 1, 0.2));
        RbVolumeLaw law = potential();
        law.restitution = lossy ? 0.5 : 1;
        law.modulus = i == 1 ? 1e9 : 1e7;
        double deep = depth_under(&law, R, g * cos(angle));
        add_round(&s, &ground, law, v3(R, R, R), v3(0, 0.1, R - deep), V3_ZERO);
        stand_run(&s, t, 1e-7);
        double way = stand_state(&s, "ball.r[1]"), arm = stand_state(&s, "ball.r[3]");
        if (lossy) {
            double patch = sqrt(2 * R * deep); // no arm of the force can be longer
            ENSURE(way < 0.5 * free * t * t);
            ENSURE(way > 0.5 * (free - 5 / 7.0 * g * patch / R) * t * t);
        } else {
            double error = 1 - way / (0.5 * free * t * t);
            ENSURE(error > 0 && error < 4 * deep / R);
            if (i == 1) ENSURE_NEAR(error / before, pow(1e-2, 1 / 3.0), 0.05);
            before = error;
            double turned = R * stand_state(&s, "ball.w[2]"), v = stand_state(&s, "ball.v[1]");
            ENSURE(v > 0.99 * arm / R * turned && v < 1.01 * turned);
        }
        stand_close(&s);
    }
}

// An ellipsoid tumbles in a concave bowl without friction or losses: its energy stays.
static void keeps_energy(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    RbMesh pot = rb_mesh_cone(0.3, 0.3, 0.3, 24, &s.f.arena), bore, ball, bowl;
    ball = rb_mesh_sphere(0.25, 24, &s.f.arena);
    bore = rb_mesh_map(&ball, M3_IDENTITY, v3(0, 0, 0.3), &s.f.arena);
    ENSURE(rb_csg(RB_CSG_DIFFERENCE, &pot, "pot", &bore, "bore", RB_NOWHERE, &s.f.arena,
                  s.f.scratch, &s.f.diag, &bowl) == RB_OK);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    RbVolumeLaw law = potential();
    law.restitution = 1;
    law.mu_static = law.mu_kinetic = 0;
    add_round(&s, &bowl, law, v3(0.04, 0.05, 0.06), v3(0.08, 0.03, 0.2), v3(0.3, 0.2, 0));
    for (int i = 0; i < 2; i++) {
        double tolerance = i ? 1e-8 : 1e-6;
        stand_run(&s, 1, tolerance);
        Vec3 v = stand_vector(&s, "ball", "v");
        ENSURE(v3_norm(v) < 3);
        ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e3 * tolerance);
        ENSURE_NEAR(stand_quadrature(&s, "energy.contact_false_work"), 0, 1e-12);
    }
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rests),
        cmocka_unit_test(returns_as_typed),
        cmocka_unit_test(rolls),
        cmocka_unit_test(keeps_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

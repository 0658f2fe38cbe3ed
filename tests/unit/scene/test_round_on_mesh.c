// SPDX-License-Identifier: MIT
// label: normal
// Balls and ellipsoids that are round touch meshes: rest, impacts on faces, edges and corners, rolling, and energy in a bowl.
#include "stand.h"

#include "geom/contour.h"
#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "math/rng.h"

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
    ENSURE_NEAR(stand_result(&s, "energy.contact_false_work"), 0, 1e-12);
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

// A torque mu R N slows a ball that rolls by 5/7 mu g, and what it takes is booked: the force that holds the contact point costs nothing.
static void rolling_is_resisted(void **state) {
    (void)state;
    const double R = 0.05, g = 9.81, mu = 0.02, t = 0.5, v0 = 1;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(g, v3(0, 0, -1));
    RbMesh ground = block(&s, v3(4, 1, 0.2));
    RbVolumeLaw law = rb_volume_law();
    law.modulus = 1e11;
    law.rolling = mu * R;
    law.w_small = 0.01;
    add_round(&s, &ground, law, v3(R, R, R), v3(0, 0.1, R), v3(v0, 0, 0));
    s.scene->objects.data[2].object.angular_velocity = v3(0, v0 / R, 0);
    stand_run(&s, t, 1e-8);
    double v = stand_state(&s, "ball.v[1]"), want = v0 - 5 / 7.0 * mu * g * t;
    ENSURE_NEAR(v, want, 1e-4 * v0);
    double lost = stand_quadrature(&s, "energy.rolling");
    ENSURE_NEAR(lost, 0.7 * (v0 * v0 - want * want), 2e-4);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-6);
    stand_close(&s);
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
        ENSURE_NEAR(stand_result(&s, "energy.contact_false_work"), 0, 1e-12);
    }
    stand_close(&s);
}

// ---- the law that pairs of materials get ----

// A ball meets a face, an edge and a corner of a fixed cube with its corner at the origin, at the place that is nearest to its
// centre, from 1 mm away. In the limit of stiff bodies its velocity is reflected there: v - (1 + e) (v·n) n.
static void reflects(Vec3 towards, Vec3 v, double e, const char *solver, double bound) {
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
    RbMesh cube = rb_mesh_box(v3(0.5, 0.5, 0.5), &s.f.arena);
    cube = rb_mesh_map(&cube, M3_IDENTITY, v3(-0.5, -0.5, -0.5), &s.f.arena);
    RbVolumeLaw law = rb_volume_law();
    law.modulus = 1e11;
    law.restitution = e;
    law.mu_static = law.mu_kinetic = 0;
    const double R = 0.05;
    // Nearest to the corner, the edge or the face: coordinates of `towards` that are 0 lie 0.2 within.
    Vec3 n = v3_unit(towards), within = v3(n.x == 0, n.y == 0, n.z == 0);
    Vec3 r = v3_axpy(v3_scale(R, n), -0.2, within);
    double t = 1e-3 / -v3_dot(v, n);
    add_round(&s, &cube, law, v3(R, R, R), v3_axpy(r, -t, v), v);
    s.options.solver = solver;
    stand_run(&s, 0.02, 1e-8);
    Vec3 got = stand_vector(&s, "ball", "v");
    Vec3 wanted = v3_axpy(v, -(1 + e) * v3_dot(v, n), n);
    ENSURE(v3_distance(got, wanted) < bound * v3_norm(v));
    if (e == 1) ENSURE_NEAR(v3_norm2(got), v3_norm2(v), 2e-5 * v3_norm2(v));
    ENSURE_NEAR(stand_result(&s, "energy.contact_false_work"), 0, 1e-12);
    stand_close(&s);
}

static void reflects_everywhere(void **state) {
    (void)state;
    const double typed[] = {1, 0.8, 0.5, 0.2};
    for (int i = 0; i < 4; i++) {
        const char *solver = i % 2 ? "islands" : "cvode";
        reflects(v3(0, 0, 1), v3(0, 0, -1), typed[i], solver, 1e-3 * typed[i]);
        reflects(v3(0, 0, 1), v3(0.3, 0.2, -1), typed[i], solver, 1e-3 * typed[i]);
        reflects(v3(1, 0, 1), v3(-1, 0, -1), typed[i], solver, 1e-2 * typed[i]);
        reflects(v3(1, 0, 2), v3(-0.5, 0.1, -1), typed[i], solver, 1e-2);
        reflects(v3(1, 1, 1), v3(-1, -1, -1), typed[i], solver, 1e-2 * typed[i]);
        reflects(v3(0.8, 1, 1.1), v3(-0.5, -0.6, -0.7), typed[i], solver, 2e-2);
    }
}

// Losses of impacts are none of rolling: 5/7 g sin(angle) with any restitution.
static void rolls_freely(void **state) {
    (void)state;
    const double angle = 0.2, g = 9.81, R = 0.1, t = 1, free = 5 / 7.0 * g * sin(angle);
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(g, v3(sin(angle), 0, -cos(angle)));
    RbMesh ground = block(&s, v3(4, 1, 0.2));
    RbVolumeLaw law = rb_volume_law();
    law.modulus = 5e8;
    law.mu_static = law.mu_kinetic = 0.5;
    add_round(&s, &ground, law, v3(R, R, R), v3(0, 0.1, R), V3_ZERO);
    stand_run(&s, t, 1e-7);
    ENSURE_NEAR(stand_state(&s, "ball.v[1]"), free * t, 1e-3 * free * t);
    ENSURE_NEAR(R * stand_state(&s, "ball.w[2]"), free * t, 1e-3 * free * t);
    stand_close(&s);
}

// Ellipsoids and balls thrown at a block with a hole, anyhow: they leave with the energy that they came with, typed masses, speeds
// and inertia alone looked at. Runs ended with rounding taken for depth.
static void keeps_energy_anyhow(void **state) {
    (void)state;
    RbRng rng = rb_rng(4);
    double worst = 0;
    for (int i = 0; i < 40; i++) {
        Stand s;
        stand_open(&s);
        s.scene->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
        RbMesh plate = rb_mesh_box(v3(0.2, 0.15, 0.1), &s.f.arena), part;
        RbMesh hole = rb_mesh_box(v3(0.1, 0.1, 0.2), &s.f.arena);
        hole = rb_mesh_map(&hole, M3_IDENTITY, v3(0.05, 0.025, -0.05), &s.f.arena);
        ENSURE(rb_csg(RB_CSG_DIFFERENCE, &plate, "plate", &hole, "hole", RB_NOWHERE, &s.f.arena,
                      s.f.scratch, &s.f.diag, &part) == RB_OK);
        part = rb_mesh_map(&part, pose(V3_ZERO, rb_rng_orientation(&rng)).R, V3_ZERO, &s.f.arena);
        RbVolumeLaw law = rb_volume_law();
        law.modulus = 5e8;
        law.restitution = 1;
        law.mu_static = law.mu_kinetic = 0;
        Vec3 semi = i % 2 ? v3(0.08, 0.08, 0.08) : v3(0.1, 0.075, 0.05);
        Vec3 from = rb_rng_direction(&rng), aim = v3_scale(0.05, rb_rng_direction(&rng));
        add_round(&s, &part, law, semi, v3_axpy(aim, 0.5, from), v3_neg(from));
        s.options.solver = i % 3 ? "islands" : "cvode";
        stand_run(&s, 1, 1e-7);
        Vec3 v = stand_vector(&s, "ball", "v"), w = stand_vector(&s, "ball", "w");
        if (i % 2) worst = fmax(worst, fabs(v3_norm2(v) + 0.4 * 0.0064 * v3_norm2(w) - 1));
        worst = fmax(worst, fabs(stand_result(&s, "energy.residual")) / 0.5);
        stand_close(&s);
    }
    print_message("energy off by %.2g\n", worst);
    ENSURE(worst < 2e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rests),        cmocka_unit_test(returns_as_typed),
        cmocka_unit_test(rolls),        cmocka_unit_test(rolling_is_resisted),
        cmocka_unit_test(keeps_energy), cmocka_unit_test(reflects_everywhere),
        cmocka_unit_test(rolls_freely), cmocka_unit_test(keeps_energy_anyhow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

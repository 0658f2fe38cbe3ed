// SPDX-License-Identifier: MIT
// A body of revolution on a mesh is a polygon of many sides, but one that does not turn with it: rolling and spinning move its points, not its surface.
#include "stand.h"

#include "geom/mesh_make.h"
#include "geom/tessellate.h"
#include "math/rng.h"

static RbMesh block(Stand *s, Vec3 size) { // its upper face is z = 0
    RbMesh m = rb_mesh_box(size, &s->f.arena);
    return rb_mesh_map(&m, M3_IDENTITY, v3(-0.5 * size.x, -0.5 * size.y, -size.z), &s->f.arena);
}

// A homogeneous cylinder of 1 kg.
static RbSceneObject cylinder_body(const RbShape *shape) {
    double R = 0.5 * shape->diameter, along = 0.5 * R * R;
    double across = 0.25 * R * R + shape->length * shape->length / 12,
           I[3] = {across, across, across};
    I[shape->axis - 1] = along;
    RbSceneObject body =
        rb_body("body", (RbMassProperties){.mass = 1, .I_CM = m3_diagonal(v3_load(I))});
    body.object.moves_freely = true;
    return body;
}

static void add(Stand *s, const RbShape *shape, RbSceneObject body, RbVolumeLaw law) {
    RbMesh ground = block(s, v3(4, 4, 0.2)), mesh = rb_tessellate(shape, 192, &s->f.arena);
    int a = rb_scene_add(s->scene, rb_frame_object("ground", 0, POSE_IDENTITY));
    int b = rb_scene_add(s->scene, body);
    RbSolidsForce contact = {
        .law = RB_SOLIDS_VOLUME, .volume = law, .axis = v3_axis(shape->axis - 1)};
    ENSURE(rb_scene_add_solids(s->scene, a, &ground, b, &mesh, contact, &s->f.diag) == RB_OK);
}

static RbVolumeLaw law_of(double modulus, double e, double mu) {
    RbVolumeLaw law = rb_volume_law();
    law.modulus = modulus, law.restitution = e;
    law.mu_static = law.mu_kinetic = mu;
    return law;
}

// Down a slope from rest: friction gives m (g sin t - v) and turns the cylinder with the arm z, so that v (1 + I/(m z v/w)) = g sin t. Whatever the
// losses of the material are, and also on slopes on which a polygon would stand on a side (pi/192).
static void rolls(void **state) {
    (void)state;
    const double g = 9.81, R = 0.05, t = 0.4;
    const struct {
        double slope, e, modulus;
        const char *solver;
    } cases[] = {{0.2, 0.3, 5e6, "cvode"},
                 {0.2, 0, 5e6, "islands"},
                 {0.2, 1, 5e6, "cvode"},
                 {0.005, 0.5, 1e11, "cvode"}};
    for (int i = 0; i < REPEATS(4, 2); i++) {
        Stand s;
        stand_open(&s);
        double slope = cases[i].slope;
        s.scene->gravity = rb_gravity_uniform(g, v3(sin(slope), 0, -cos(slope)));
        RbVolumeLaw law = rb_volume_law();
        law.restitution = cases[i].e;
        law.modulus = cases[i].modulus;
        RbShape shape = rb_shape_cylinder(2, 2 * R, 0.1);
        RbSceneObject body = cylinder_body(&shape);
        body.object.pose.r = v3(0, 0, R);
        add(&s, &shape, body, law);
        s.options.solver = cases[i].solver;
        stand_run(&s, t, 1e-7);
        double v = stand_state(&s, "body.v[1]"), w = stand_state(&s, "body.w[2]"),
               z = stand_state(&s, "body.r[3]");
        ENSURE(z < R && v > 0.98 * w * R && v < w * R);
        ENSURE_NEAR(v * (1 + 0.5 * R * R * w / (z * v)) / (g * sin(slope) * t), 1, 2e-3);
        stand_close(&s);
    }
}

// A uniform pressure mu p over a disc has the torque 2/3 mu N R: its spin falls by 4/3 mu g/R.
static void spins(void **state) {
    (void)state;
    const double g = 9.81, R = 0.05, mu = 0.3, t = 0.05, w = 60;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(g, v3(0, 0, -1));
    RbVolumeLaw law = law_of(1e11, 0.3, mu);
    RbShape shape = rb_shape_cylinder(3, 2 * R, 0.02);
    RbSceneObject body = cylinder_body(&shape);
    body.object.pose.r = v3(0, 0, 0.01);
    body.object.angular_velocity = v3(0, 0, w);
    add(&s, &shape, body, law);
    s.options.solver = "cvode";
    stand_run(&s, t, 1e-6);
    ENSURE_NEAR((w - stand_state(&s, "body.w[3]")) / (4 / 3.0 * mu * g / R * t), 1, 2e-3);
    ENSURE_NEAR(stand_state(&s, "body.r[1]"), 0, 1e-9);
    stand_close(&s);
}

// Lying on a smooth floor and turning about the vertical, through all directions of its axis, nothing changes.
static void turns(void **state) {
    (void)state;
    const double R = 0.05, g = 9.81, w = 20;
    const char *const solvers[2] = {"cvode", "islands"};
    for (int i = 0; i < 2; i++) {
        Stand s;
        stand_open(&s);
        s.scene->gravity = rb_gravity_uniform(g, v3(0, 0, -1));
        RbVolumeLaw law = law_of(1e8, 0.25, 0);
        RbShape shape = rb_shape_cylinder(1, 2 * R, 0.3);
        RbSceneObject body = cylinder_body(&shape);
        body.object.pose.r = v3(0, 0, R);
        body.object.angular_velocity = v3(0, 0, w);
        add(&s, &shape, body, law);
        s.options.solver = solvers[i];
        stand_run(&s, 0.05, 1e-6);
        double rest = stand_state(&s, "body.r[3]");
        stand_run(&s, 0.4, 1e-6);
        ENSURE_NEAR(stand_state(&s, "body.r[3]"), rest, 1e-3 * (R - rest));
        ENSURE_NEAR(stand_state(&s, "body.w[3]"), w, 1e-5 * w);
        ENSURE(s.summary.state_events >= 6); // a new reference for every 60 degrees
        stand_close(&s);
    }
}

// ---- the mesh as a function of the place

static Mat3 random_rotation(RbRng *rng) {
    return m3_rotation(rb_rng_direction(rng), rb_rng_range(rng, 0, 3));
}

static Vec3 random_vector(RbRng *rng, double size) {
    return v3_scale(rb_rng_range(rng, 0, size), rb_rng_direction(rng));
}

static double distance(Mat3 a, Mat3 b) {
    Mat3 d = m3_sub(a, b);
    return sqrt(v3_norm2(d.x) + v3_norm2(d.y) + v3_norm2(d.z));
}

static RbSolidsPlace moved(RbSolidsPlace p, double t) { // with its motion, at the origin of a
    Vec3 w = p.motion.w;
    p.X.r = v3_axpy(p.X.r, t, v3_add(p.motion.v, v3_cross(w, p.X.r)));
    p.X.R = m3_mul(m3_rotation(v3_unit(w), t * v3_norm(w)), p.X.R);
    return p;
}

static void stays_when_it_spins(void **state) {
    (void)state;
    RbRng rng = rb_rng(7);
    for (int i = 0; i < 1000; i++) {
        RbSolidsForce e = {.axis = v3_axis(i % 3)};
        RbSolidsPlace p = {.X = {random_vector(&rng, 1), random_rotation(&rng)},
                           .reference = q_from_matrix(random_rotation(&rng)),
                           .motion = {.v = random_vector(&rng, 1), .w = random_vector(&rng, 5)}},
                      q = p;
        if (rb_solids_turned(&e, &p)) continue;
        Pose mesh = rb_solids_mesh(&e, &p, NULL);
        Vec3 axis = m3_mul_vec(p.X.R, e.axis);
        ENSURE_NEAR(v3_norm(v3_sub(m3_mul_vec(mesh.R, e.axis), axis)), 0, 1e-14);
        q.X.R = m3_mul(m3_rotation(axis, rb_rng_range(&rng, -3, 3)), q.X.R);
        ENSURE_NEAR(distance(rb_solids_mesh(&e, &q, NULL).R, mesh.R), 0, 1e-14);
        // its motion is the difference of two places of it
        const double h = 1e-5;
        RbSolidsPlace later = moved(p, h), before = moved(p, -h);
        Motion motion = rb_solids_surface_motion(&e, &p);
        Pose l = rb_solids_mesh(&e, &later, NULL), b = rb_solids_mesh(&e, &before, NULL);
        Mat3 rate = m3_scale(0.5 / h, m3_sub(l.R, b.R));
        ENSURE_NEAR(distance(rate, m3_mul(m3_skew(motion.w), mesh.R)), 0, 1e-7);
        Vec3 v = v3_scale(0.5 / h, v3_sub(l.r, b.r));
        ENSURE_NEAR(v3_norm(v3_sub(v, v3_add(motion.v, v3_cross(motion.w, mesh.r)))), 0, 1e-7);
        // a new reference leaves it where it is
        p.reference = q_from_matrix(mesh.R);
        ENSURE_NEAR(distance(rb_solids_mesh(&e, &p, NULL).R, mesh.R), 0, 1e-14);
    }
}

// The elastic force works as fast as the energy falls, also where the polygon would be turned about its axis by the pressure on its sides.
static void has_a_potential(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape shape = rb_shape_cylinder(2, 0.1, 0.1);
    RbMesh box = rb_mesh_box(v3(1, 1, 0.2), &f.arena), round = rb_tessellate(&shape, 12, &f.arena);
    RbSkin a, b;
    RbArena *scratch = rb_arena_child(&f.arena);
    ENSURE(rb_skin(&box, "a", RB_NOWHERE, &f.arena, *scratch, &f.diag, &a) == RB_OK);
    ENSURE(rb_skin(&round, "b", RB_NOWHERE, &f.arena, *scratch, &f.diag, &b) == RB_OK);
    RbSolidsForce e = {.skin_a = &a, .skin_b = &b, .axis = v3_axis(1), .law = RB_SOLIDS_VOLUME};
    e.volume = rb_volume_law();
    e.volume.form = RB_VOLUME_POTENTIAL;
    e.volume.length = 0.1;
    e.volume.restitution = 1;
    e.volume.mu_static = e.volume.mu_kinetic = 0;
    rb_volume_law_prepare(&e.volume);
    RbMeshOverlap work;
    rb_solids_open(&e, &work, &f.arena);
    RbRng rng = rb_rng(3);
    int touched = 0;
    for (int i = 0; i < 200; i++) {
        RbSolidsPlace p = {.X = {v3(0.4, 0.5, 0.24), random_rotation(&rng)},
                           .reference = q_from_matrix(random_rotation(&rng)),
                           .motion = {.v = random_vector(&rng, 1), .w = random_vector(&rng, 5)}};
        const double h = 1e-7;
        RbSolidsPlace later = moved(p, h), before = moved(p, -h);
        RbContactPowers powers = {0};
        RbSolidsResult r = rb_solids_evaluate(&e, &work, &p, &powers);
        if (rb_solids_turned(&e, &p) || !(rb_volume_energy(&e.volume, &work) > 0)) continue;
        rb_solids_evaluate(&e, &work, &later, &powers);
        double after = rb_volume_energy(&e.volume, &work);
        rb_solids_evaluate(&e, &work, &before, &powers);
        double fallen = rb_volume_energy(&e.volume, &work) - after;
        touched++;
        double power = v3_dot(r.force, p.motion.v) + v3_dot(r.torque, p.motion.w);
        double scale = v3_norm(r.force) * (v3_norm(p.motion.v) + v3_norm(p.motion.w));
        ENSURE_NEAR(fallen / (2 * h), power, 1e-5 * scale);
    }
    ENSURE(touched > 20);
    rb_arena_free(scratch);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolls),           cmocka_unit_test(spins),
        cmocka_unit_test(turns),           cmocka_unit_test(stays_when_it_spins),
        cmocka_unit_test(has_a_potential),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

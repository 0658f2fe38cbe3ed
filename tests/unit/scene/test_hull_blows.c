// SPDX-License-Identifier: MIT
// label: normal
// Convex hulls that hit each other with edges and corners, which scenes round: energy stays, an impulse is along the normal, and where parts of one body meet
// nothing kicks what slides over them.
#include "elastic.h"

static RbShape hull_of(Fixture *f, const Vec3 *points, int count) {
    RbShape shape;
    ENSURE(rb_shape_hull(points, count, 0, "hull", RB_NOWHERE, &f->arena, f->scratch, &f->diag,
                         &shape) == RB_OK);
    return shape;
}

// Corners anywhere in a cube of 0.2 m, but no thin ones.
static RbShape random_hull(Fixture *f, RbRng *rng, int count) {
    for (;;) {
        Vec3 p[8];
        for (int i = 0; i < count; i++)
            p[i] = v3(rb_rng_range(rng, -0.1, 0.1), rb_rng_range(rng, -0.1, 0.1),
                      rb_rng_range(rng, -0.1, 0.1));
        RbShape shape = hull_of(f, p, count);
        if (rb_moments_of_shape(&shape).volume > 2e-4) return shape;
    }
}

// Soft ones sink in deeper than edges are rounded. (Sharp tetrahedra won or lost up to 4 % of their energy.)
static void energy_stays(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(1);
    double worst = 0;
    int seen = 0, beyond = 0;
    for (int i = 0; i < 60; i++) {
        long evaluations;
        Vec3 aside = v3(rb_rng_range(&rng, -0.05, 0.05), rb_rng_range(&rng, -0.05, 0.05), 0.35);
        ElasticFall fall = {
            .below = random_hull(&f, &rng, i % 3 ? 4 : 8),
            .below_at = {V3_ZERO, m3_rotation(rb_rng_direction(&rng), rb_rng_range(&rng, 0, 3))},
            .above = random_hull(&f, &rng, i % 3 ? 4 : 8),
            .above_at = {aside, m3_rotation(rb_rng_direction(&rng), rb_rng_range(&rng, 0, 3))},
            .speed = 0.5,
            .stop = 0.4,
            .tolerance = 1e-6,
            .modulus = (double[]){2e8, 2e9, 2e11}[i % 3]};
        ElasticResult out = elastic_fall(&fall, &evaluations);
        if (out.off > 1)
            print_message("pair %d: %.2f of the bound, of %.2g unbooked %.2g\n", i, out.off,
                          out.part, out.unbooked);
        worst = fmax(worst, out.part), seen += out.free_rows > 0, beyond += out.off > 1;
    }
    print_message("%d blows of hulls, energy off by at most %.2g of itself, %d beyond the bound\n",
                  seen, worst, beyond);
    ENSURE(seen > 40 && beyond == 0 && worst < 1e-4);
    fixture_close(&f);
}

static RbShape cube_of(Fixture *f, double a) {
    Vec3 p[8];
    for (int i = 0; i < 8; i++)
        p[i] = v3(i & 1 ? a / 2 : -a / 2, i & 2 ? a / 2 : -a / 2, i & 4 ? a / 2 : -a / 2);
    return hull_of(f, p, 8);
}

// A cube falls with an edge across that of a fixed cube. Returns the speed of its edge after the blow.
static double blow_of_edges(bool box, double e) {
    Stand s;
    stand_open(&s);
    const double a = 0.1, lean = 0.5, diagonal = sqrt(0.5) * a;
    RbPairLaw *law = stand_law(&s, "Steel", "Steel");
    law->restitution = e, law->mu_k = law->mu_r = 0;
    s.scene->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
    RbShape cube = box ? rb_shape_box(v3(a, a, a)) : cube_of(&s.f, a);
    RbSceneObject fixed = rb_solid("fixed", cube, "Steel");
    fixed.object.pose.R = m3_rotation(v3(1, 0, 0), atan(1));
    rb_scene_add(s.scene, fixed);
    RbSceneObject o = rb_solid("body", cube, "Steel");
    o.object.moves_freely = true;
    o.object.pose = (Pose){v3(0, 0, diagonal + a / 2 * (cos(lean) + sin(lean)) + 1e-3),
                           m3_rotation(v3(0, 1, 0), lean)};
    o.object.velocity = v3(0, 0, -1);
    rb_scene_add(s.scene, o);
    stand_run(&s, 0.005, 1e-8);
    double vx = stand_state(&s, "body.v[1]"), vy = stand_state(&s, "body.v[2]"),
           vz = stand_state(&s, "body.v[3]"), wy = stand_state(&s, "body.w[2]");
    ENSURE(s.contact_count == 2 && s.summary.steps < 1000);
    ENSURE_NEAR(vx, 0, 1e-7);
    ENSURE_NEAR(vy, 0, 1e-7);
    // m (vz + 1) = J, I wy = -x J: x is where the impulse acts, on the round edge
    double x = -a * a / 6 * wy / (vz + 1), edge = a / 2 * (cos(lean) - sin(lean));
    ENSURE_NEAR(x, edge, 1e-3);
    stand_close(&s);
    return vz - x * wy;
}

// The impulse is vertical, and the edge leaves nearly as fast as was typed: what edges of boxes are off is told in contact-patch.md, section 3. (Sharp edges took
// more than 30,000 steps.)
static void crossed_edges(void **state) {
    (void)state;
    static const double typed[] = {0.3, 0.7};
    for (int i = 0; i < 2; i++) {
        double hull = blow_of_edges(false, typed[i]), box = blow_of_edges(true, typed[i]);
        print_message("typed %g: hull %.6f, box %.6f\n", typed[i], hull, box);
        ENSURE_NEAR(hull, typed[i], 3e-3);
        ENSURE_NEAR(hull, box, 1e-6);
    }
}

// A plate of four bricks, and the same in one piece.
static RbShape plate_of(Fixture *f, int bricks) {
    RbMesh meshes[4];
    for (int i = 0; i < bricks; i++) {
        Vec3 *p = rb_new_array(&f->arena, Vec3, 8);
        double low = -0.2 + 0.4 * i / bricks, high = -0.2 + 0.4 * (i + 1) / bricks;
        for (int k = 0; k < 8; k++)
            p[k] = v3(k & 1 ? low : high, k & 2 ? -0.1 : 0.1, k & 4 ? -0.05 : 0);
        meshes[i] = (RbMesh){.vertices = p, .vertex_count = 8};
    }
    RbShape shape;
    ENSURE(rb_shape_mesh(meshes, bricks, NULL, "plate", RB_NOWHERE, &f->arena, f->scratch, &f->diag,
                         &shape) == RB_OK);
    return shape;
}

// How far a body that slides over the plate without friction leaves its height at the end, after it has come to rest vertically.
static double slide(int bricks, RbShape shape) {
    Stand s;
    int rows;
    stand_open(&s);
    RbPairLaw *law = stand_law(&s, "Steel", "Steel");
    law->restitution = 0.3, law->mu_k = law->mu_r = 0;
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    rb_scene_add(s.scene, rb_solid("plate", plate_of(&s.f, bricks), "Steel"));
    RbSceneObject o = rb_solid("body", shape, "Steel");
    o.object.moves_freely = true;
    o.object.pose.r = v3(-0.165, 0, 0.025 - 1e-8);
    o.object.velocity = v3(1, 0, 0);
    rb_scene_add(s.scene, o);
    stand_record(&s, 2e-4);
    stand_run(&s, 0.32, 1e-8);
    const double *time = stand_series(&s, "time", &rows),
                 *z = stand_series(&s, "body.r_abs[3]", &rows);
    double most = 0;
    for (int i = 0; i < rows; i++)
        if (time[i] > 0.03) most = fmax(most, fabs(z[i] - z[rows - 1]));
    stand_close(&s);
    return most;
}

// From the first brick to the last one. A ball of 0.5 kg lies 3.5e-7 m deep by Hertz's law, and less while it is on two bricks. Over a groove of two edges rounded by
// 1 mm it would fall by 2e-5 m.
static void seams_do_not_kick(void **state) {
    (void)state;
    double ball = slide(4, rb_shape_sphere(0.05)),
           box = slide(4, rb_shape_box(v3(0.05, 0.05, 0.05)));
    print_message(
        "over seams a ball moves by %.2g m, a box by %.2g m; in one piece by %.2g m and %.2g m\n",
        ball, box, slide(1, rb_shape_sphere(0.05)), slide(1, rb_shape_box(v3(0.05, 0.05, 0.05))));
    ENSURE(ball < 3.5e-7 && box < 3.5e-7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_stays),
        cmocka_unit_test(crossed_edges),
        cmocka_unit_test(seams_do_not_kick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

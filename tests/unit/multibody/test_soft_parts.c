// SPDX-License-Identifier: MIT
// label: normal
// Soft bodies among rigid ones: they lie on them and carry them, push them, hang on them.
#include "soft_run.h"

#include "geom/tessellate.h"

// On a fixed box: both kinds of contact, springs and elements.
static void at_rest_contacts_carry_the_weight(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        SoftRun s;
        open_rest(&s, k == 1 ? RB_SOFT_SURFACES : RB_SOFT_SPHERES,
                  k < 2 ? RB_SOFT_SPRINGS : RB_SOFT_NEO_HOOKEAN);
        open_model(&s);
        s.r.options.stop_time = k == 1 ? 2.5 : 1.5;
        go(&s);
        double weight = 9.81 * 1000 * 8 * 8e-6;
        print_message("%s: weight %.9f N carried as %.9f N, %ld steps\n",
                      k == 1 ? "surfaces" : "spheres", weight, last(&s, "block.contact_force[2]"),
                      s.r.summary.steps);
        assert_string_equal(s.r.summary.solver, "dp5");
        ENSURE_NEAR(last(&s, "block.contact_force[2]"), weight, 1e-6 * weight);
        run_close(&s.r);
    }
}

// A box as the triangles of its surface: the block lies where it lies on the box itself, and slides as there. Edges between triangles of one face are not felt.
static int add_mesh_box(SoftRun *s, const char *name, Vec3 size, Vec3 r) {
    RbShape box = rb_shape_box(size), shape;
    RbMesh *mesh = rb_new(&s->r.f.arena, RbMesh);
    *mesh = rb_tessellate(&box, 8, &s->r.f.arena);
    ENSURE(rb_shape_mesh(mesh, 1, mesh, name, RB_NOWHERE, &s->r.f.arena, s->r.f.scratch,
                         &s->r.f.diag, &shape) == RB_OK);
    RbSceneObject o = rb_solid(name, shape, "Steel");
    o.object.pose.r = r;
    return rb_scene_add(s->scene, o);
}

static void rest_on(bool mesh, RbSoftDetection detection, double angle, double *height,
                    double *gain, double *force) {
    SoftRun s;
    begin(&s, v3(9.81 * sin(angle), -9.81 * cos(angle), 0));
    s.soft->detection = detection;
    add_material(&s, 5e4, 1, RB_SOFT_SPRINGS);
    if (mesh)
        add_mesh_box(&s, "ground", v3(2, 0.02, 0.2), v3(0, -0.01, 0));
    else
        add_box(&s, "ground", v3(2, 0.02, 0.2), v3(0, -0.01, 0), 0);
    add_soft(&s, "block", (Block){.n = {3, 2, 3}, .a = 0.02, .radius = 0.014, .low = {0, 0.018, 0}},
             0);
    open_model(&s);
    s.r.options.stop_time = 1;
    s.r.options.output_interval = 0.1;
    go(&s);
    *height = last(&s, "block.r[2]");
    *gain = last(&s, "block.v[1]") - run_series(&s.r, "block.v[1]")[8];
    *force = last(&s, "block.contact_force[2]");
    run_close(&s.r);
}

static void walls_of_triangles_are_like_solid_ones(void **state) {
    (void)state;
    double height[2], gain[2], force[2], weight = 9.81 * 1000 * 4 * 8e-6;
    for (int mesh = 0; mesh < 2; mesh++)
        rest_on(mesh, RB_SOFT_SPHERES, 0, &height[mesh], &gain[mesh], &force[mesh]);
    print_message("on a box %.9f m, %.9f N, on its triangles %.9f m, %.9f N\n", height[0], force[0],
                  height[1], force[1]);
    ENSURE_NEAR(height[1], height[0], 1e-8);
    ENSURE_NEAR(force[1], weight, 1e-6 * weight);
    double a = 25 * M_PI / 180, g = 9.81 * (sin(a) - 0.3 * cos(a));
    rest_on(true, RB_SOFT_SPHERES, a, &height[0], &gain[0], &force[0]);
    ENSURE_NEAR(gain[0] / (0.2 * g), 1, 0.01);
    rest_on(true, RB_SOFT_SURFACES, 0, &height[1], &gain[1], &force[1]);
    print_message("surface on triangles: %.9f m, %.9f N\n", height[1], force[1]);
    ENSURE_NEAR(force[1], weight, 1e-6 * weight);
}

// A rigid box on top of it: the sum of both weights is carried below, the box lies there.
static void a_soft_block_carries_a_box(void **state) {
    (void)state;
    SoftRun s;
    open_rest(&s, RB_SOFT_SPHERES, RB_SOFT_SPRINGS);
    add_box(&s, "load", v3(0.08, 0.02, 0.08), v3(0.02, 0.09, 0.02), 0.05);
    open_model(&s);
    s.r.options.stop_time = 2;
    go(&s);
    double weight = 9.81 * 1000 * 8 * 8e-6;
    ENSURE_NEAR(last(&s, "block.contact_force[2]"), weight,
                1e-6 * weight); // above and below together
    ENSURE(fabs(last(&s, "load.v[2]")) < 1e-6 && fabs(last(&s, "load.v[1]")) < 1e-6);
    ENSURE(last(&s, "load.r[2]") > 0.06 && last(&s, "load.r[2]") < 0.09);
    run_close(&s.r);
}

// A slope that carries a block by friction 0.3: at 10 degrees it stays where it is, at 25 it slides with g (sin - m cos).
static double slide_down(double degrees, RbSoftDetection detection, double *gain) {
    SoftRun s;
    double a = degrees * M_PI / 180;
    begin(&s, v3(9.81 * sin(a), -9.81 * cos(a), 0));
    s.soft->detection = detection;
    add_material(&s, 5e4, 1, RB_SOFT_SPRINGS);
    add_box(&s, "slope", v3(4, 0.02, 0.2), v3(0, -0.01, 0), 0);
    add_soft(&s, "block",
             (Block){.n = {3, 2, 3}, .a = 0.02, .radius = 0.014, .low = {0, 0.0137, 0}}, 0);
    open_model(&s);
    s.r.options.stop_time = 1.2;
    s.r.options.output_interval = 0.1;
    go(&s);
    const double *x = run_series(&s.r, "block.r[1]");
    double way = x[s.r.result->row_count - 1] - x[9]; // from 0.9 s on
    *gain = last(&s, "block.v[1]") - run_series(&s.r, "block.v[1]")[9];
    run_close(&s.r);
    return way;
}

static void friction_holds_and_slides(void **state) {
    (void)state;
    for (int detection = 0; detection < 2; detection++) {
        double gain, way = slide_down(10, (RbSoftDetection)detection, &gain);
        print_message("at 10 degrees: %.1e m in 0.3 s\n", way);
        ENSURE(fabs(way) < 1e-6);
        double a = 25 * M_PI / 180, g = 9.81 * (sin(a) - 0.3 * cos(a));
        slide_down(25, (RbSoftDetection)detection, &gain);
        print_message("at 25 degrees: %.5f m/s2, expected %.5f m/s2\n", gain / 0.3, g);
        ENSURE_NEAR(gain / (0.3 * g), 1, 0.01);
    }
}

typedef struct Ledger {
    double momentum, energy;
    long steps;
} Ledger;

// A soft block flies into a rigid box that is free: momentum goes over, and the account of energy is closed.
static Ledger collide(double tolerance, const char *solver, int detection) {
    SoftRun s;
    begin(&s, V3_ZERO);
    s.soft->detection = (RbSoftDetection)detection;
    add_material(&s, 5e4, 0.1, RB_SOFT_SPRINGS);
    add_box(&s, "box", v3(0.06, 0.1, 0.08), v3(0.1, 0.02, 0), 0.1);
    add_soft(&s, "block", (Block){.n = {3, 3, 3}, .a = 0.02, .radius = 0.014}, 0);
    for (int i = 0; i < s.soft->molecules.count; i++) s.soft->molecules.data[i].v = v3(1, 0.1, 0);
    open_model(&s);
    s.r.options.tolerance = tolerance;
    s.r.options.solver = solver;
    s.r.options.stop_time = 0.2;
    go(&s);
    double soft = 1000 * 8 * 8e-6, rigid = 0.1;
    double before = soft * 1, after = soft * last(&s, "block.v[1]") + rigid * last(&s, "box.v[1]");
    ENSURE(last(&s, "box.v[1]") > 0.1 && fabs(last(&s, "box.w[3]")) > 0.01);
    const double *residual = run_series(&s.r, "energy.residual");
    double most = 0;
    for (size_t i = 0; i < s.r.result->row_count; i++) most = fmax(most, fabs(residual[i]));
    Ledger l = {fabs(after / before - 1), most / (0.5 * soft), s.r.summary.steps};
    run_close(&s.r);
    return l;
}

static void momentum_goes_over(void **state) {
    (void)state;
    for (int detection = 0; detection < 2; detection++) {
        Ledger coarse = collide(1e-4, "auto", detection), fine = collide(1e-7, "auto", detection);
        print_message("momentum %.1e, energy %.1e at 1e-4; %.1e, %.1e at 1e-7\n", coarse.momentum,
                      coarse.energy, fine.momentum, fine.energy);
        ENSURE(coarse.momentum < 1e-12 && fine.momentum < 1e-12);
        ENSURE(coarse.energy < 1e-3 && fine.energy < 0.1 * coarse.energy);
    }
    for (int detection = 0; detection < 2; detection++) {
        Ledger coarse = collide(1e-5, "cvode", detection), fine = collide(1e-7, "cvode", detection);
        print_message("cvode: momentum %.1e, %.1e, energy %.1e, %.1e, %ld steps\n", coarse.momentum,
                      fine.momentum, coarse.energy, fine.energy, fine.steps);
        ENSURE(coarse.momentum < 1e-12 && fine.momentum < 1e-12);
        ENSURE(coarse.energy < 1e-3 && fine.energy < 0.1 * coarse.energy);
    }
}

// ---- angular momentum

// About the origin: of the molecules, and of a rigid cube, whose inertia is the same about every axis.
static Vec3 angular_momentum(SoftRun *s, const double *x, double mass, double side) {
    RbSegment *g = rb_sim_stage(&s->r.sim)->system->parts[0].segment;
    RbNetwork n = network_of(&s->r.f, s->soft);
    const double *soft = x + g->states.count - 9 * n.free_count; // behind all others
    Vec3 r, v, w, sum = V3_ZERO;
    for (int i = 0; i < n.free_count; i++)
        sum = v3_add(sum, v3_scale(n.mass[i], v3_cross(v3_load(soft + 3 * i),
                                                       v3_load(soft + 3 * (n.free_count + i)))));
    char name[32];
    double *const into[] = {&r.x, &v.x, &w.x};
    for (int k = 0; k < 9; k++) {
        snprintf(name, sizeof name, "cube.%c[%d]", "rvw"[k / 3], k % 3 + 1);
        into[k / 3][k % 3] = last(s, name);
    }
    return v3_add(sum, v3_add(v3_scale(mass, v3_cross(r, v)), v3_scale(mass * side * side / 6, w)));
}

// A soft block that turns grazes a rigid cube that is free, with friction. The solvers here keep what is linear in the states to rounding, and products of them to
// their tolerance.
static double turn_against(double tolerance, const char *solver, int detection) {
    const double mass = 0.1, side = 0.06;
    SoftRun s;
    begin(&s, V3_ZERO);
    s.soft->detection = (RbSoftDetection)detection;
    add_material(&s, 5e4, 0.1, RB_SOFT_SPRINGS);
    add_box(&s, "cube", v3(side, side, side), v3(0.1, 0.045, 0.03), mass);
    add_soft(&s, "block", (Block){.n = {3, 3, 3}, .a = 0.02, .radius = 0.014}, 0);
    Vec3 before = V3_ZERO;
    for (int i = 0; i < s.soft->molecules.count; i++) {
        RbMolecule *p = &s.soft->molecules.data[i];
        p->v = v3_add(v3(1, 0, 0.2), v3_cross(v3(2, 0, 9), v3_sub(p->r, v3(0.02, 0.02, 0.02))));
    }
    open_model(&s);
    s.r.options.tolerance = tolerance;
    s.r.options.solver = solver;
    s.r.options.stop_time = 0.2;
    go(&s);
    RbNetwork n = network_of(&s.r.f, s.soft);
    for (int i = 0; i < n.free_count; i++) {
        const RbMolecule *p = &s.soft->molecules.data[i];
        before = v3_add(before, v3_scale(n.mass[i], v3_cross(p->r, p->v)));
    }
    Vec3 after = angular_momentum(&s, run_now(&s.r)->x, mass, side);
    ENSURE(fabs(last(&s, "cube.w[1]")) > 0.1 && fabs(last(&s, "cube.w[3]")) > 1);
    double off = v3_distance(before, after) / v3_norm(before);
    run_close(&s.r);
    return off;
}

static void angular_momentum_goes_over(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        const char *solver = k < 2 ? "dp5" : "cvode";
        double coarse = turn_against(1e-5, solver, k % 2), fine = turn_against(1e-7, solver, k % 2);
        print_message("%s, %s: angular momentum off by %.1e at 1e-5, %.1e at 1e-7\n", solver,
                      k % 2 ? "surfaces" : "spheres", coarse, fine);
        ENSURE(coarse < 1e-5 && fine < 0.1 * coarse);
    }
}

static void overlap_at_the_start_is_refused(void **state) {
    (void)state;
    SoftRun s;
    begin(&s, DOWN);
    add_material(&s, 5e4, 1, RB_SOFT_SPRINGS);
    add_box(&s, "ground", v3(0.2, 0.02, 0.2), v3(0, -0.01, 0), 0);
    add_soft(&s, "block", (Block){.n = {3, 3, 3}, .a = 0.02, .radius = 0.014, .low = {0, 0, 0}}, 0);
    open_model(&s);
    ENSURE(run_go(&s.r) == RB_ERROR_MODEL);
    ENSURE(strstr(fixture_message(&s.r.f, 0),
                  "'block' and 'ground' overlap at the start, at (0, 0, 0) m"));
    run_close(&s.r);
}

// A strap that is too weak for the box on it is torn, at events; the box falls from then on, and the account stays closed.
static void a_strap_is_torn(void **state) {
    (void)state;
    for (int cvode = 0; cvode < 2; cvode++) {
        const double a = 0.01, tolerance = cvode ? 1e-7 : 1e-6;
        SoftRun s;
        begin(&s, DOWN);
        add_material(&s, 2e4, 0.5, RB_SOFT_SPRINGS);
        s.soft->materials.data[0].breaking_strain = 0.1;
        int box = add_box(&s, "box", v3(0.04, 0.04, 0.04), v3(a, -0.02, a), 0.2);
        add_soft(&s, "strap", (Block){.n = {3, 5, 3}, .a = a, .radius = 0.4 * a}, 0);
        for (int i = 0; i < s.soft->molecules.count; i++) {
            double y = s.soft->molecules.data[i].r.y;
            RbSceneHold hold = {i, y < 1e-9 ? box : 0};
            if (y < 1e-9 || y > 4 * a - 1e-9)
                rb_array_push(&s.scene->soft.holds, s.scene->arena, hold);
        }
        open_model(&s);
        s.r.options.solver = cvode ? "cvode" : "auto";
        s.r.options.tolerance = tolerance;
        s.r.options.stop_time = 0.4;
        go(&s);
        const double *torn = run_series(&s.r, "torn"), *v = run_series(&s.r, "box.v[2]");
        int rows = (int)s.r.result->row_count;
        print_message("%g connections with %.2e J, account %.1e J\n", torn[rows - 1],
                      last(&s, "energy.torn"),
                      largest(run_series(&s.r, "energy.residual"), 0, rows));
        ENSURE(torn[0] == 0 && torn[rows - 1] >= 9 && last(&s, "energy.torn") > 1e-4);
        ENSURE_NEAR(v[rows - 1] - v[rows - 11], -9.81 * 0.1, 0.05); // little strap is left on it
        ENSURE(largest(run_series(&s.r, "energy.residual"), 0, rows) < 1e-6);
        run_close(&s.r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest_contacts_carry_the_weight),
        cmocka_unit_test(walls_of_triangles_are_like_solid_ones),
        cmocka_unit_test(a_soft_block_carries_a_box),
        cmocka_unit_test(friction_holds_and_slides),
        cmocka_unit_test(momentum_goes_over),
        cmocka_unit_test(angular_momentum_goes_over),
        cmocka_unit_test(overlap_at_the_start_is_refused),
        cmocka_unit_test(a_strap_is_torn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

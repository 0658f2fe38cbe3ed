// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (test_element, test_edges, test_placement and test_network watch the same code)
// Scenes of soft bodies that run: conservation, the two ways to integrate, rest, and changes of materials.
#include "bodies.h"

#include "soft_run.h"
#include "deform/soft.h"

static RbSoftScene *scene; // of the run that is open

static void open_scene(Run *r, RbSoftScene *s) {
    scene = s;
    ENSURE(rb_model_of_soft_scene(s, &r->f.arena, &r->f.diag, &r->model) == RB_OK);
    r->options = rb_model_options(r->model);
    r->options.journal_file = r->journal;
    r->options.output_interval = 0.01;
}

static RbSoftScene *begin(Run *r) {
    run_open(r, "pendulum"); // the files and the fixture; its model is replaced
    return rb_soft_scene_new("test", &r->f.arena);
}

// A material without losses.
static RbSoftMaterial elastic(double youngs_modulus) {
    RbSoftMaterial m = rb_soft_material_default();
    m.youngs_modulus = youngs_modulus;
    m.damping = 0;
    return m;
}

// ---- conservation

// Two blocks that turn and fly into each other, without friction and without losses.
static void open_collision(Run *r, double tolerance, const char *solver, bool surfaces,
                           RbSoftModel model) {
    RbSoftScene *s = begin(r);
    RbSoftMaterial m = elastic(5e4);
    m.model = model;
    s->gravity = V3_ZERO;
    rb_soft_scene_add_material(s, &m);
    add_block(s, "left", (Block){.n = {3, 3, 3}, .a = 0.02, .radius = 0.012});
    add_block(s, "right",
              (Block){.n = {3, 4, 3}, .a = 0.02, .radius = 0.012, .low = {0.09, 0.013, 0.004}});
    for (int i = 0; i < s->molecules.count; i++) {
        RbMolecule *p = &s->molecules.data[i];
        p->friction = 0;
        p->v = p->object == 0 ? v3_add(v3(1, 0, 0), v3_cross(v3(0, 0, 8), p->r)) : v3(-0.8, 0, 0);
    }
    s->detection = surfaces ? RB_SOFT_SURFACES : RB_SOFT_SPHERES;
    open_scene(r, s);
    r->options.tolerance = tolerance;
    r->options.solver = solver;
    r->options.stop_time = 0.2;
}

typedef struct Momentum {
    Vec3 linear, angular;
} Momentum;

static Momentum momentum_of(const RbNetwork *n, const double *x) {
    Momentum p = {0};
    for (int i = 0; i < n->free_count; i++) {
        Vec3 mv = v3_scale(n->mass[i], v3_load(x + 3 * (n->free_count + i)));
        p.linear = v3_add(p.linear, mv);
        p.angular = v3_add(p.angular, v3_cross(v3_load(x + 3 * i), mv));
    }
    return p;
}

typedef struct Kept {
    double linear, angular, energy; // relative errors at the end
} Kept;

static Kept collide_as(double tolerance, const char *solver, bool surfaces, RbSoftModel model) {
    Run r;
    open_collision(&r, tolerance, solver, surfaces, model);
    soft_go(&r);
    const double *account = run_series(&r, "account"), *contacts = run_series(&r, "contacts");
    double touched = 0;
    for (size_t i = 0; i < r.result->row_count; i++) touched = fmax(touched, contacts[i]);
    ENSURE(touched > 3 && contacts[0] == 0);
    RbSegment *g = rb_sim_stage(&r.sim)->system->parts[0].segment;
    RbNetwork n = network_of(&r.f, scene);
    double *start = rb_new_array(&r.f.arena, double, g->states.count);
    for (int i = 0; i < g->states.count; i++) start[i] = g->states.data[i].start;
    Momentum before = momentum_of(&n, start), after = momentum_of(&n, run_now(&r)->x);
    Kept kept = {v3_distance(before.linear, after.linear) / 0.03,
                 v3_distance(before.angular, after.angular) / v3_norm(before.angular),
                 fabs(account[r.result->row_count - 1] / account[0] - 1)};
    run_close(&r);
    return kept;
}

static Kept collide(double tolerance, const char *solver, bool surfaces) {
    return collide_as(tolerance, solver, surfaces, RB_SOFT_SPRINGS);
}

static void momentum_and_energy_are_kept(void **state) {
    (void)state;
    Kept coarse = collide(1e-4, "leapfrog", false), fine = collide(1e-7, "leapfrog", false),
         implicit = collide(1e-6, "cvode", false), finer = collide(1e-8, "cvode", false);
    print_message("leapfrog 1e-4: momentum %.1e, angular %.1e, energy %.1e\n", coarse.linear,
                  coarse.angular, coarse.energy);
    print_message("cvode 1e-8: momentum %.1e, angular %.1e, energy %.1e\n", finer.linear,
                  finer.angular, finer.energy);
    ENSURE(coarse.linear < 1e-13 && coarse.angular < 1e-12); // to rounding
    ENSURE(fine.linear < 1e-12 && fine.angular < 1e-11);
    ENSURE(coarse.energy < 1e-2 && fine.energy < 0.1 * coarse.energy);
    ENSURE(implicit.linear < 1e-9 && implicit.angular < 1e-4);
    ENSURE(finer.angular < 0.1 * implicit.angular && finer.energy < 0.1 * implicit.energy);
}

// The same with surfaces that touch: their force is a gradient, too.
static void surfaces_keep_momentum_and_energy(void **state) {
    (void)state;
    Kept coarse = collide(1e-4, "leapfrog", true), fine = collide(1e-7, "leapfrog", true);
    print_message("surfaces, 1e-4: momentum %.1e, angular %.1e, energy %.1e\n", coarse.linear,
                  coarse.angular, coarse.energy);
    print_message("surfaces, 1e-7: momentum %.1e, angular %.1e, energy %.1e\n", fine.linear,
                  fine.angular, fine.energy);
    ENSURE(coarse.linear < 1e-12 && coarse.angular < 1e-11);
    ENSURE(coarse.energy < 1e-2 && fine.energy < 0.1 * coarse.energy);
}

// Bodies of elements, by both laws and both ways to integrate.
static void elements_keep_momentum_and_energy(void **state) {
    (void)state;
    for (int model = RB_SOFT_COROTATED; model <= RB_SOFT_NEO_HOOKEAN; model++) {
        Kept coarse = collide_as(1e-4, "leapfrog", false, (RbSoftModel)model),
             fine = collide_as(1e-7, "leapfrog", false, (RbSoftModel)model),
             implicit = collide_as(1e-6, "cvode", false, (RbSoftModel)model),
             finer = collide_as(1e-8, "cvode", false, (RbSoftModel)model);
        print_message("elements, 1e-7: momentum %.1e, angular %.1e, energy %.1e; cvode 1e-8: %.1e, "
                      "%.1e, %.1e\n",
                      fine.linear, fine.angular, fine.energy, finer.linear, finer.angular,
                      finer.energy);
        ENSURE(coarse.linear < 1e-13 && coarse.angular < 1e-12);
        ENSURE(fine.linear < 1e-12 && fine.angular < 1e-11);
        ENSURE(fine.energy < 0.1 * coarse.energy);
        ENSURE(finer.angular < 0.1 * implicit.angular && finer.energy < 0.1 * implicit.energy);
    }
}

// ---- one molecule: closed forms

static void open_ball(Run *r, double medium, Vec3 gravity) {
    RbSoftScene *s = begin(r);
    RbSoftMaterial m = elastic(1e5);
    m.medium_density = medium;
    s->gravity = gravity;
    s->mass = RB_SOFT_MASS_SPHERES;
    rb_soft_scene_add_material(s, &m);
    rb_soft_scene_add_object(s, "ball", RB_NOWHERE);
    rb_soft_scene_add_molecule(s, &(RbMolecule){.r = {0, 1, 0}, .v = {2, 0, 0}, .radius = 0.01});
    open_scene(r, s);
}

static void a_ball_flies_along_a_parabola(void **state) {
    (void)state;
    Run r;
    open_ball(&r, 0, v3(0, -10, 0));
    r.options.stop_time = 0.5;
    soft_go(&r);
    ENSURE_NEAR(last(&r, "ball.r[1]"), 1, 1e-12);
    ENSURE_NEAR(last(&r, "ball.r[2]"), 1 - 5 * 0.25, 1e-12);
    ENSURE_NEAR(last(&r, "ball.low[2]"), -0.25 - 0.01, 1e-12);
    ENSURE(strcmp(r.summary.solver, "leapfrog") == 0);
    ENSURE(r.summary.allocations == 0); // nothing is allocated while it runs
    run_close(&r);
}

// It falls with the speed at which drag carries the weight: m g = 0.47/2 rho pi r² v².
static void drag_ends_the_acceleration(void **state) {
    (void)state;
    Run r;
    open_ball(&r, 1000, v3(0, -10, 0));
    r.options.stop_time = 3;
    r.options.tolerance = 1e-8;
    soft_go(&r);
    double mass = 1000 * 4.0 / 3 * M_PI * 1e-6,
           v = sqrt(mass * 10 / (0.5 * 0.47 * 1000 * M_PI * 1e-4));
    ENSURE_NEAR(last(&r, "ball.v[2]"), -v, 1e-7);
    ENSURE_NEAR(last(&r, "account"), run_series(&r, "account")[0], 1e-6);
    run_close(&r);
}

// A force that rises from 0 to 2 N and falls again, within 0.2 s each: impulse 0.4 N s.
static void given_forces_act(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        Run r;
        RbSoftScene *s = begin(&r);
        RbSoftMaterial m = elastic(1e5);
        s->gravity = V3_ZERO;
        s->mass = RB_SOFT_MASS_SPHERES;
        rb_soft_scene_add_material(s, &m);
        rb_soft_scene_add_object(s, "ball", RB_NOWHERE);
        rb_soft_scene_add_molecule(s, &(RbMolecule){.radius = 0.05});
        const double times[] = {0.1, 0.3, 0.5}, forces[] = {0, 2, 0};
        for (int k = 0; k < 3; k++)
            rb_soft_scene_add_force(s, &(RbSoftForce){times[k], {0, 0, forces[k]}});
        open_scene(&r, s);
        r.options.stop_time = 1;
        r.options.tolerance = 1e-7;
        r.options.solver = i == 0 ? "leapfrog" : "cvode";
        soft_go(&r);
        double mass = 1000 * 4.0 / 3 * M_PI * 1.25e-4;
        ENSURE_NEAR(last(&r, "ball.v[3]"), 0.4 / mass, 1e-5);
        ENSURE_NEAR(last(&r, "work_forces"), 0.5 * 0.16 / mass, 1e-4);
        ENSURE(r.summary.time_events == 3);
        run_close(&r);
    }
}

// ---- contact

// A damped block on a fixed layer: comes to rest, and the contacts carry its weight.
static void open_rest_of(Run *r, double youngs_modulus, double damping, RbSoftModel model) {
    RbSoftScene *s = begin(r);
    RbSoftMaterial m = elastic(youngs_modulus);
    m.model = model;
    m.damping = damping;
    rb_soft_scene_add_material(s, &m);
    add_block(s, "ground", (Block){.n = {7, 1, 7}, .a = 0.02, .radius = 0.014, .fixed = true});
    add_block(s, "block",
              (Block){.n = {3, 3, 3}, .a = 0.02, .radius = 0.014, .low = {0.03, 0.04, 0.03}});
    open_scene(r, s);
}

static void open_rest(Run *r, double youngs_modulus, double damping) {
    open_rest_of(r, youngs_modulus, damping, RB_SOFT_SPRINGS);
}

static void at_rest_contacts_carry_the_weight(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        Run r;
        open_rest(&r, 5e4, 1);
        r.options.stop_time = 4;
        r.options.solver = i == 0 ? "leapfrog" : "cvode";
        r.options.tolerance = i == 0 ? 1e-4 : 1e-7;
        soft_go(&r);
        double weight = 9.81 * 1000 * 8 * 8e-6; // of eight cells
        ENSURE_NEAR(last(&r, "block.contact_force[2]"), weight, 1e-6 * weight);
        ENSURE_NEAR(last(&r, "ground.contact_force[2]"), -weight, 1e-6 * weight);
        run_close(&r);
    }
}

static void at_rest_surfaces_carry_the_weight(void **state) {
    (void)state;
    Run r;
    open_rest(&r, 5e4, 1);
    run_set(&r, "detection", 1);
    r.options.stop_time = 4;
    soft_go(&r);
    double weight = 9.81 * 1000 * 8 * 8e-6;
    ENSURE_NEAR(last(&r, "block.contact_force[2]"), weight, 1e-6 * weight);
    ENSURE(last(&r, "block.low[2]") > 0.002 && last(&r, "block.low[2]") < 0.016); // it lies on top
    run_close(&r);
}

// Friction 0.3 between surfaces holds at 10 degrees: it settles and does not creep. At 30 degrees it does not hold.
static double slide_down(double degrees) {
    Run r;
    double angle = degrees * M_PI / 180;
    open_rest(&r, 5e4, 1);
    scene->gravity = v3(9.81 * sin(angle), -9.81 * cos(angle), 0);
    run_set(&r, "detection", 1);
    r.options.stop_time = 4;
    soft_go(&r);
    const double *x = run_series(&r, "block.r[1]");
    double way = x[r.result->row_count - 1] - x[r.result->row_count - 51]; // in half a second
    run_close(&r);
    return way;
}

static void friction_holds(void **state) {
    (void)state;
    double held = slide_down(10), slides = slide_down(30);
    print_message("on a slope of 10 degrees %.1e m in 0.5 s, of 30 degrees %.1e m\n", held, slides);
    ENSURE(fabs(held) < 1e-6 && slides > 0.01);
}

// Soft and heavy, thrown at a layer: it bounces, and nothing comes through.
static void throw_at_a_layer(int detection, double speed) {
    Run r;
    open_rest(&r, 5e3, 0.1);
    for (int i = 0; i < scene->molecules.count; i++) {
        RbMolecule *m = &scene->molecules.data[i];
        if (!m->fixed) m->v = v3(0, -speed, 0), m->r.y += 0.05;
    }
    run_set(&r, "material.density", 3000);
    run_set(&r, "detection", detection);
    r.options.stop_time = fmin(0.5, 1 / speed);
    soft_go(&r);
    const double *low = run_series(&r, "block.low[2]");
    for (size_t i = 0; i < r.result->row_count; i++)
        ENSURE(low[i] > -0.014);               // its centres stay above
    if (speed == 4) ENSURE(r.summary.error_test_failures > 0); // the step was made for it
    run_close(&r);
}

static void nothing_falls_through(void **state) {
    (void)state;
    const double speeds[] = {1, 4, 8, 20}; // [m/s]
    for (int i = 0; i < 4; i++)
        for (int detection = 0; detection < 3; detection++) throw_at_a_layer(detection, speeds[i]);
}

// The two ways to integrate find the same motion.
static void explicit_and_implicit_agree(void **state) {
    (void)state;
    double height[3];
    const char *solvers[] = {"leapfrog", "cvode", "leapfrog"};
    const double tolerances[] = {1e-6, 1e-7, 1e-9};
    for (int i = 0; i < 3; i++) {
        Run r;
        open_rest(&r, 2e4, 0.2);
        r.options.stop_time = 0.3;
        r.options.solver = solvers[i];
        r.options.tolerance = tolerances[i];
        soft_go(&r);
        height[i] = last(&r, "block.r[2]");
        run_close(&r);
    }
    ENSURE_NEAR(height[0], height[2], 2e-6);
    ENSURE_NEAR(height[1], height[2], 2e-6);
}

// The same with elements.
static void explicit_and_implicit_agree_on_elements(void **state) {
    (void)state;
    for (int model = RB_SOFT_COROTATED; model <= RB_SOFT_NEO_HOOKEAN; model++) {
        double height[2];
        for (int i = 0; i < 2; i++) {
            Run r;
            open_rest_of(&r, 2e4, 0.2, (RbSoftModel)model);
            r.options.stop_time = 0.3;
            r.options.solver = i == 0 ? "leapfrog" : "cvode";
            r.options.tolerance = i == 0 ? 1e-9 : 1e-7;
            soft_go(&r);
            height[i] = last(&r, "block.r[2]");
            run_close(&r);
        }
        ENSURE_NEAR(height[1], height[0], 2e-6);
    }
}

// What auto chooses: explicit for rubber, implicit for steel.
static void stiff_matter_is_integrated_implicitly(void **state) {
    (void)state;
    const double moduli[] = {1e6, 2e11};
    const char *solvers[] = {"leapfrog", "cvode"};
    for (int i = 0; i < 2; i++) {
        Run r;
        open_rest(&r, moduli[i], 0.1);
        r.options.stop_time = 1e-4;
        r.options.output_interval = 1e-4;
        soft_go(&r);
        assert_string_equal(r.summary.solver, solvers[i]);
        run_close(&r);
    }
}

static void same_input_same_bits(void **state) {
    (void)state;
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        Run r;
        open_rest(&r, 5e4, 0.1);
        r.options.stop_time = 0.2;
        soft_go(&r);
        hash[i] = r.summary.state_hash;
        run_close(&r);
    }
    ENSURE(hash[0] == hash[1]);
}

// ---- tearing

// A bar is drawn apart by a force that grows slowly: its one connection bears E a² times the
// breaking strain, 1e5 Pa 1e-4 m² 0.2 = 2 N, which is reached after 2 s.
static void open_tear(Run *r, const char *solver) {
    RbSoftScene *s = begin(r);
    RbSoftMaterial m = elastic(1e5);
    m.damping = 0.7;
    m.breaking_strain = 0.2;
    s->gravity = V3_ZERO;
    rb_soft_scene_add_material(s, &m);
    rb_soft_scene_add_object(s, "bar", RB_NOWHERE);
    rb_soft_scene_add_molecule(s, &(RbMolecule){.radius = 0.005, .fixed = true});
    rb_soft_scene_add_molecule(s, &(RbMolecule){.r = {0.01, 0, 0}, .radius = 0.005});
    rb_soft_scene_add_force(s, &(RbSoftForce){0, {0, 0, 0}});
    rb_soft_scene_add_force(s, &(RbSoftForce){4, {4, 0, 0}});
    open_scene(r, s);
    r->options.solver = solver;
    r->options.stop_time = 2.1;
    r->options.tolerance = 1e-7;
}

static void a_connection_is_torn(void **state) {
    (void)state;
    const char *solvers[] = {"leapfrog", "cvode"};
    for (int i = 0; i < 2; i++) {
        Run r;
        open_tear(&r, solvers[i]);
        soft_go(&r);
        const double *torn = run_series(&r, "torn"), *time = rb_result_times(r.result, &r.f.arena);
        size_t k = 0;
        while (k < r.result->row_count && torn[k] == 0) k++;
        ENSURE(k < r.result->row_count);
        ENSURE_NEAR(time[k], 2, 1e-3); // it follows the force with a delay of c/k
        ENSURE_NEAR(last(&r, "lost_torn"), 0.5 * 2 * 0.2 * 0.01, 1e-6);
        double free = 2.1 - time[k], mass = 1000 * 0.5e-6;
        double f = time[k]; // [N] from then on the force accelerates it alone
        ENSURE_NEAR(last(&r, "bar.high[1]"),
                    0.012 + 0.005 + (0.5 * f * free * free + free * free * free / 6) / mass, 0.05);
        ENSURE_NEAR(last(&r, "account"), 0, 1e-4 * last(&r, "work_forces"));
        run_close(&r);
    }
}

// ---- what is refused

static void overlap_at_the_start_is_refused(void **state) {
    (void)state;
    Run r;
    open_rest(&r, 5e4, 0.1);
    for (int i = 49; i < scene->molecules.count; i++) scene->molecules.data[i].r.y -= 0.025;
    ENSURE(run_go(&r) == RB_ERROR_MODEL);
    ENSURE(strstr(fixture_message(&r.f, 0),
                  "the objects 'ground' and 'block' overlap by 0.00738 m at the start") != NULL);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_and_energy_are_kept),
        cmocka_unit_test(surfaces_keep_momentum_and_energy),
        cmocka_unit_test(elements_keep_momentum_and_energy),
        cmocka_unit_test(at_rest_surfaces_carry_the_weight),
        cmocka_unit_test(a_ball_flies_along_a_parabola),
        cmocka_unit_test(drag_ends_the_acceleration),
        cmocka_unit_test(given_forces_act),
        cmocka_unit_test(at_rest_contacts_carry_the_weight),
        cmocka_unit_test(friction_holds),
        cmocka_unit_test(nothing_falls_through),
        cmocka_unit_test(explicit_and_implicit_agree),
        cmocka_unit_test(explicit_and_implicit_agree_on_elements),
        cmocka_unit_test(stiff_matter_is_integrated_implicitly),
        cmocka_unit_test(same_input_same_bits),
        cmocka_unit_test(a_connection_is_torn),
        cmocka_unit_test(overlap_at_the_start_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

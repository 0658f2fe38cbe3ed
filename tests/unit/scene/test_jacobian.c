// SPDX-License-Identifier: MIT
// The Jacobian that the multibody component supplies, against central differences of its
// derivatives: pairs of shapes in contact, laws of friction, force elements, chains; as one system
// and per group.
#include "stand.h"

#include "collide/distance.h"
#include "flexible/beam.h"
#include "geom/mesh_make.h"
#include "math/rng.h"

enum { MAX_N = 160 };

static Vec3 random_vec(RbRng *rng, double size) {
    return v3_scale(size * rb_rng_range(rng, 0.5, 1), rb_rng_direction(rng));
}

// -------------------------------------------------------------------------------------------------
// comparison

static void evaluate(Stand *s, const double *x, double *dx) {
    RbRunningSegment *stage = rb_sim_stage(&s->sim);
    ENSURE(rb_evaluate(stage->evaluator, RB_WANT_DERIVATIVES, s->sim.time, x, dx, NULL) == 0);
}

// Central differences, extrapolated once: the error falls with h^4.
static void differentiate(Stand *s, int column, double h, double *out) {
    int n = rb_sim_stage(&s->sim)->system->x_count;
    double x[MAX_N], f[4][MAX_N];
    memcpy(x, rb_sim_stage(&s->sim)->now.x, (size_t)n * sizeof *x);
    double before = x[column], moved[4];
    for (int k = 0; k < 4; k++) {
        x[column] = before + (k < 2 ? h : 0.5 * h) * (k % 2 ? -1 : 1);
        moved[k] = x[column];
        evaluate(s, x, f[k]);
    }
    for (int i = 0; i < n; i++) {
        double wide = (f[0][i] - f[1][i]) / (moved[0] - moved[1]);
        double narrow = (f[2][i] - f[3][i]) / (moved[2] - moved[3]);
        out[i] = (4 * narrow - wide) / 3;
    }
}

static bool is_coordinate(Stand *s, int state) {
    const char *name = rb_sim_stage(&s->sim)->system->parts[0].segment->states.data[state].name;
    const char *last = strrchr(name, '.');
    return last[1] != 'v' && last[1] != 'w';
}

// The Jacobian of the running segment as a full matrix by columns.
static void jacobian_of(Stand *s, double *J) {
    RbRunningSegment *stage = rb_sim_stage(&s->sim);
    int n = stage->system->x_count;
    const RbPattern *p = &stage->composed.pattern;
    double *values = rb_new_array(&s->f.scratch, double, p->count);
    ENSURE(stage->composed.has_jacobian);
    ENSURE(rb_evaluate_jacobian(stage->evaluator, &stage->composed, s->sim.time, stage->now.x,
                                values) == 0);
    memset(J, 0, (size_t)(n * n) * sizeof *J);
    for (int j = 0; j < n; j++) {
        for (int k = p->col_start[j]; k < p->col_start[j + 1]; k++)
            J[j * n + p->row_index[k]] = values[k];
    }
}

static double J_whole[MAX_N * MAX_N], J_groups[MAX_N * MAX_N];

// h: for coordinates [m] or [1]; speeds are moved by 1e-5 m/s. Errors count against the largest
// derivative by a coordinate, or by a speed: how a ball's force depends on its orientation (not at
// all) cannot be seen by differences more exactly than that.
static void compare(Stand *s, double h, double tolerance) {
    static double want[MAX_N * MAX_N];
    const RbStateSpec *states = rb_sim_stage(&s->sim)->system->parts[0].segment->states.data;
    int n = rb_sim_stage(&s->sim)->system->x_count;
    double scale[2] = {1, 1};
    ENSURE(n <= MAX_N);
    jacobian_of(s, J_whole);
    for (int j = 0; j < n; j++) {
        bool coordinate = is_coordinate(s, j);
        differentiate(s, j, coordinate ? h : 1e-5, want + j * n);
        for (int i = 0; i < n; i++)
            scale[coordinate] = fmax(scale[coordinate], fabs(want[j * n + i]));
    }
    for (int k = 0; k < n * n; k++) {
        double bound = tolerance * scale[is_coordinate(s, k / n)];
        if (!(fabs(J_whole[k] - want[k]) <= bound))
            print_error("d der(%s) / d %s\n", states[k % n].name, states[k / n].name);
        ENSURE_NEAR(J_whole[k], want[k], bound);
    }
}

// The matrix of all groups holds the same numbers in another order.
static void compare_groups(Stand *s) {
    RbRunningSegment *stage = rb_sim_stage(&s->sim);
    const RbSegment *g = stage->system->parts[0].segment;
    int n = stage->system->x_count, groups[MAX_N], order[MAX_N], at = 0;
    for (int k = 0; k < g->group_count; k++) {
        groups[k] = g->group_count - 1 - k; // backwards
        for (int i = 0; i < n; i++) {
            if (g->states.data[i].group == groups[k]) order[at++] = i;
        }
    }
    ENSURE(at == n);
    jacobian_of(s, J_whole);
    memset(J_groups, 0, sizeof J_groups);
    ENSURE(rb_part_has_group_jacobian(stage->evaluator, 0));
    ENSURE(rb_evaluate_group_jacobian(stage->evaluator, 0, groups, g->group_count, false,
                                      s->sim.time, stage->now.x, J_groups) == 0);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double whole = J_whole[order[j] * n + order[i]];
            // Distances that start from the last result differ by rounding.
            ENSURE_NEAR(J_groups[j * n + i], whole, 1e-9 * fmax(1, fabs(whole)));
        }
    }
}

// -------------------------------------------------------------------------------------------------
// two bodies that touch

typedef struct Pair {
    RbShape a, b;
    double tolerance;
    bool exact; // closed form
} Pair;

typedef enum Held { HELD_NONE, HELD_A, HELD_B } Held;

// Both at random, b so far inside a, approaching and turning; or one of them fixed to the world.
static void place_pair(Stand *s, RbRng *rng, const Pair *pair, double depth, Held held,
                       const char *material) {
    Pose X_A = pose(random_vec(rng, 0.3), rb_rng_orientation(rng)), X_B;
    X_B = pose(v3_add(X_A.r, random_vec(rng, 2)), rb_rng_orientation(rng));
    RbShape a = pair->a, b = pair->b;
    ENSURE(rb_shape_check(&a, "a", RB_NOWHERE, &s->f.diag) == RB_OK);
    ENSURE(rb_shape_check(&b, "b", RB_NOWHERE, &s->f.diag) == RB_OK);
    RbCore core_a = rb_shape_core(&a), core_b = rb_shape_core(&b);
    RbGap gap;
    rb_distance(&core_a, &core_b, pose_relative(X_A, X_B), NULL, &gap);
    gap = rb_gap_in_world(gap, X_A);
    X_B.r = v3_axpy(X_B.r, -(gap.distance + depth), gap.normal);

    RbSceneObject first = rb_solid("a", a, material), second = rb_solid("b", b, material);
    first.object.pose = X_A;
    first.object.moves_freely = held != HELD_A;
    first.object.velocity = random_vec(rng, 0.01);
    first.object.angular_velocity = random_vec(rng, 0.1);
    second.object.pose = X_B;
    second.object.moves_freely = held != HELD_B;
    second.object.velocity = v3_axpy(random_vec(rng, 0.03), -0.1, gap.normal);
    if (held == HELD_B) first.object.velocity = v3_axpy(first.object.velocity, 0.1, gap.normal);
    second.object.angular_velocity = random_vec(rng, 0.1);
    rb_scene_add(s->scene, first);
    rb_scene_add(s->scene, second);
    s->scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
}

static void check_pair(const Pair *pair, const char *material, RbFrictionLaw friction, Held held,
                       uint64_t seed) {
    const double depth = 1e-5;
    RbRng rng = rb_rng(seed);
    Stand s;
    stand_open(&s);
    place_pair(&s, &rng, pair, depth, held, material);
    stand_law(&s, material, material)->friction = friction;
    stand_law(&s, material, material)->mu_s = 0.6;
    s.options.solver = "cvode";
    stand_run(&s, 1e-9, 1e-6);
    ENSURE(stand_starts(&s) >= 1);
    compare(&s, 1e-7, pair->tolerance);
    if (pair->exact) compare_groups(&s);
    stand_close(&s);
}

static void shapes_in_contact(void **state) {
    (void)state;
    RbShape sphere = rb_shape_sphere(0.2), ellipsoid = rb_shape_ellipsoid(v3(0.1, 0.2, 0.3));
    RbShape box = rb_shape_box(v3(0.2, 0.3, 0.4)), capsule = rb_shape_capsule(2, 0.1, 0.4);
    RbShape cylinder = rb_shape_cylinder(1, 0.2, 0.3);
    const Pair pairs[] = {
        {sphere, sphere, 1e-7, true},
        {sphere, ellipsoid, 1e-7, true},
        {ellipsoid, sphere, 1e-7, true},
        {ellipsoid, ellipsoid, 1e-7, true},
        {rb_shape_halfspace(), sphere, 1e-7, true},
        {rb_shape_halfspace(), ellipsoid, 1e-7, true},
        {capsule, sphere, 1e-6, false},
        {cylinder, ellipsoid, 1e-5, false},
        {capsule, capsule, 1e-5, false},
        {box, ellipsoid, 1e-5, false},
        {ellipsoid, box, 1e-5, false},
    };
    for (int k = 0; k < (int)(sizeof pairs / sizeof *pairs); k++) {
        for (int trial = 0; trial < 6; trial++) {
            Held held = pairs[k].a.kind == RB_SHAPE_HALFSPACE ? HELD_A : (Held)(trial % 3);
            check_pair(&pairs[k], "Steel", RB_FRICTION_SLIDING, held, (uint64_t)(10 * k + trial));
        }
    }
}

static void laws_of_friction(void **state) {
    (void)state;
    Pair pair = {rb_shape_sphere(0.2), rb_shape_ellipsoid(v3(0.1, 0.2, 0.3)), 1e-6, true};
    for (int law = RB_FRICTION_STATIC; law <= RB_FRICTION_BRISTLE; law++) {
        for (int trial = 0; trial < 3; trial++)
            check_pair(&pair, "Steel", (RbFrictionLaw)law, (Held)trial, (uint64_t)(100 + trial));
    }
}

// -------------------------------------------------------------------------------------------------
// scenes

static double square(double x, void *user) {
    (void)user;
    return 100 * x * fabs(x);
}

static Vec3 push(double t, void *user) {
    (void)user;
    return v3(1 + t, 2, -3);
}

static int add_body(Stand *s, RbRng *rng, const char *name, Vec3 r) {
    RbSceneObject o = rb_solid(name, rb_shape_box(v3(0.1, 0.2, 0.3)), "Steel");
    o.object.pose = pose(r, rb_rng_orientation(rng));
    o.object.moves_freely = true;
    o.object.velocity = random_vec(rng, 1);
    o.object.angular_velocity = random_vec(rng, 1);
    return rb_scene_add(s->scene, o);
}

static void force_elements(void **state) {
    (void)state;
    RbRng rng = rb_rng(5);
    Stand s;
    stand_open(&s);
    int a = add_body(&s, &rng, "a", v3(0, 0, 0)), b = add_body(&s, &rng, "b", v3(2, 0, 0)),
        c = add_body(&s, &rng, "c", v3(0, 2, 0));
    RbScene *scene = s.scene;
    RbSceneSpring spring = {a, b, {.spring = {.value = square}, .damper = rb_linear(20)}};
    rb_array_push(&scene->springs, scene->arena, spring);
    RbSceneBushing bushing = {b, c, {.large_angles = true}};
    for (int i = 0; i < 3; i++) {
        bushing.element.spring[i] = rb_linear(100 * (i + 1));
        bushing.element.damper[i] = rb_linear(10);
        bushing.element.angular_spring[i] = rb_linear(5);
        bushing.element.angular_damper[i] = rb_linear(2);
    }
    rb_array_push(&scene->bushings, scene->arena, bushing);
    RbSceneWorldForce force = {a, c, {.force = push, .torque = push}};
    rb_array_push(&scene->world_forces, scene->arena, force);
    s.options.solver = "cvode";
    stand_run(&s, 1e-3, 1e-6);
    compare(&s, 1e-4, 1e-7);
    compare_groups(&s);
    stand_close(&s);
}

// A flexible beam on a hinge, whose tip a spring ties to a free body. (Of a damper the Jacobian leaves out how the directions of
// the modes change with the modes.)
static void flexible_with_spring(void **state) {
    (void)state;
    const double places[] = {0, 1};
    RbRng rng = rb_rng(5);
    Stand s;
    stand_open(&s);
    RbBeam beam = {.length = 1,
                   .density = 2000,
                   .youngs_modulus = 1e8,
                   .shear_modulus = 4e7,
                   .bending = 3,
                   .axial = 1,
                   .twisting = 1,
                   .stiffening = true};
    rb_beam_rectangle(0.03, 0.02, &beam);
    RbSceneObject mean = {.object = rb_object("beam", -1)};
    mean.object.modal = rb_beam_modes(&beam, places, 2, &s.f.arena);
    int body = rb_scene_add(s.scene, mean), ends[2];
    for (int k = 0; k < 2; k++) {
        ends[k] = rb_scene_add(s.scene, rb_frame_object(k ? "right" : "left", -1, POSE_IDENTITY));
        RbObjectJoint j = rb_scene_joint("end", RB_JOINT_FIXED, body, ends[k], V3_ZERO);
        j.pose = (Pose){mean.object.modal->frames[k].x, M3_IDENTITY};
        j.modal_frame = k + 1;
        rb_scene_add_joint(s.scene, j);
    }
    rb_scene_add_joint(s.scene,
                       rb_scene_joint("hinge", RB_JOINT_REVOLUTE, 0, ends[0], v3(0, 0, 1)));
    int other = add_body(&s, &rng, "other", v3(1, 0.5, 0.2));
    RbSceneSpring spring = {ends[1], other, {.spring = rb_linear(50)}};
    rb_array_push(&s.scene->springs, s.scene->arena, spring);
    s.options.solver = "cvode";
    stand_run(&s, 1e-3, 1e-6);
    compare(&s, 1e-4, 1e-5);
    compare_groups(&s);
    stand_close(&s);
}

// A four-bar linkage as a loop, its coupler tied by a spring to a ball that swings beside it.
static void linkage_with_spring(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    Vec3 z = v3(0, 0, 1);
    const double length[] = {0.1, 0.4, 0.3}, angle[] = {0.3, 0.8, 1.8};
    int rod[3], tip[3];
    for (int i = 0; i < 3; i++) {
        const char *names[] = {"crank", "coupler", "rocker"}, *tips[] = {"t1", "t2", "t3"};
        RbSceneObject o =
            rb_body(names[i], (RbMassProperties){.mass = 1 + i,
                                                 .r_CM = v3(0.5 * length[i], 0.02, 0),
                                                 .I_CM = m3_diagonal(v3(1e-3, 2e-3, 2e-3))});
        o.object.parent = -1;
        rod[i] = rb_scene_add(s.scene, o);
        tip[i] = rb_scene_add(
            s.scene, rb_frame_object(tips[i], rod[i], (Pose){v3(length[i], 0, 0), M3_IDENTITY}));
    }
    int bearing =
        rb_scene_add(s.scene, rb_frame_object("bearing", 0, (Pose){v3(0.35, 0, 0), M3_IDENTITY}));
    RbObjectJoint joints[] = {rb_scene_joint("j1", RB_JOINT_REVOLUTE, 0, rod[0], z),
                              rb_scene_joint("j2", RB_JOINT_REVOLUTE, tip[0], rod[1], z),
                              rb_scene_joint("j4", RB_JOINT_REVOLUTE, bearing, rod[2], z),
                              rb_scene_joint("j3", RB_JOINT_REVOLUTE, tip[1], tip[2], z)};
    for (int i = 0; i < 3; i++) joints[i].q[0] = angle[i];
    joints[0].v[0] = 3;
    joints[0].v_held[0] = true;
    for (int i = 0; i < 4; i++) rb_scene_add_joint(s.scene, joints[i]);
    RbSceneObject bob =
        rb_body("bob", (RbMassProperties){.mass = 0.5, .I_CM = m3_diagonal(v3(1e-3, 1e-3, 1e-3))});
    bob.object.moves_freely = true;
    bob.object.pose.r = v3(0.2, 0.5, 0.1);
    int ball = rb_scene_add(s.scene, bob);
    RbSceneSpring spring = {
        .a = rod[1],
        .b = ball,
        .element = {.spring = {.k = 40}, .damper = {.k = 2}, .nominal_length = 0.1}};
    rb_array_push(&s.scene->springs, &s.f.arena, spring);
    s.options.solver = "cvode";
    stand_run(&s, 0.05, 1e-8);
    compare(&s, 1e-4, 1e-6);
    compare_groups(&s);
    stand_close(&s);
}

// All scenes of the table, where they are at some time: contacts with chains, several at one body.
static void whole_scenes(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double time, step, tolerance;
    } cases[] = {
        {"newtons-cradle", 0.2, 1e-7, 1e-6}, {"newtons-cradle", 0.33, 1e-7, 1e-6},
        {"pendulum-chain", 0.6, 1e-7, 1e-6}, {"pendulum-chain", 0.3, 1e-6, 1e-6},
        {"rattleback", 0.1, 1e-9, 1e-5},     {"billiards-4", 0.6, 1e-9, 1e-5},
    };
    for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++) {
        Stand s;
        stand_open_case(&s, cases[k].name);
        s.options.solver = "cvode";
        stand_run(&s, cases[k].time, 1e-6);
        print_message("%s: %d contacts so far\n", cases[k].name, stand_starts(&s));
        compare(&s, cases[k].step, cases[k].tolerance);
        compare_groups(&s);
        stand_close(&s);
    }
}

// Two cubes as meshes, the second a little inside the first, sliding, spinning and with a bent bristle.
static void meshes_in_contact(void **state) {
    (void)state;
    for (int trial = 0; trial < 9; trial++) {
        RbRng rng = rb_rng((uint64_t)(300 + trial));
        Stand s;
        stand_open(&s);
        RbMesh box = rb_mesh_box(v3(0.2, 0.2, 0.2), &s.f.arena),
               cube = rb_mesh_map(&box, M3_IDENTITY, v3(-0.1, -0.1, -0.1), &s.f.arena);
        RbMassProperties mass = {.mass = 8, .I_CM = m3_diagonal(v3(0.05, 0.06, 0.07))};
        int objects[2];
        for (int k = 0; k < 2; k++) {
            RbSceneObject body = rb_body(k ? "b" : "a", mass);
            body.object.moves_freely = k > 0 || trial % 2;
            body.object.pose.r = k ? v3(0.03, -0.02, 0.199) : V3_ZERO;
            if (k) body.object.pose.R = m3_rotation(v3(1, 2, 0.5), 0.02 * (trial % 6));
            body.object.velocity = random_vec(&rng, 0.02);
            body.object.angular_velocity = random_vec(&rng, 0.1);
            objects[k] = rb_scene_add(s.scene, body);
        }
        RbSolidsForce law = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
        law.volume.modulus = 1e7;
        law.volume.form = trial < 3   ? RB_VOLUME_AREA
                          : trial < 6 ? RB_VOLUME_POTENTIAL
                                      : RB_VOLUME_BEDDING;
        law.volume.length = trial < 6 ? 1 : 0;
        law.volume.sticks = trial % 6 != 2;
        law.volume.slip_speed = 0.01;
        ENSURE(rb_scene_add_solids(s.scene, objects[0], &cube, objects[1], &cube, law, &s.f.diag) ==
               RB_OK);
        s.options.solver = "cvode";
        stand_run(&s, 2e-4, 1e-6);
        compare(&s, 1e-7, 2e-4);
        compare_groups(&s);
        stand_close(&s);
    }
}

// Is the derivative of some state of one body an entry by a state of the other?
static bool are_coupled(Stand *s, char one, char two) {
    const RbRunningSegment *stage = rb_sim_stage(&s->sim);
    const RbStateSpec *states = stage->system->parts[0].segment->states.data;
    const RbPattern *p = &stage->composed.pattern;
    bool found = false;
    for (int j = 0; j < p->n; j++) {
        for (int k = p->col_start[j]; k < p->col_start[j + 1]; k++)
            found |= states[j].name[0] == one && states[p->row_index[k]].name[0] == two;
    }
    return found;
}

// Three cubes, y in x, and z 10 µm beside x, which it hits after 0.1 ms. Only what touches is coupled.
static void meshes_apart(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    RbMesh box = rb_mesh_box(v3(0.2, 0.2, 0.2), &s.f.arena),
           cube = rb_mesh_map(&box, M3_IDENTITY, v3(-0.1, -0.1, -0.1), &s.f.arena);
    RbMassProperties mass = {.mass = 8, .I_CM = m3_diagonal(v3(0.05, 0.06, 0.07))};
    const Vec3 places[] = {V3_ZERO, v3(0.03, -0.02, 0.199), v3(0.20001, 0.01, -0.05)};
    int objects[3];
    for (int k = 0; k < 3; k++) {
        RbSceneObject body = rb_body((const char *[]){"x", "y", "z"}[k], mass);
        body.object.moves_freely = true;
        body.object.pose.r = places[k];
        body.object.velocity = k == 2 ? v3(-0.1, 0.02, 0.01) : V3_ZERO;
        objects[k] = rb_scene_add(s.scene, body);
    }
    RbSolidsForce law = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    law.volume.modulus = 1e7;
    law.volume.slip_speed = 0.01;
    for (int k = 2; k >= 0; k--) // z and x first: what comes after it has its place
        ENSURE(rb_scene_add_solids(s.scene, objects[k], &cube, objects[(k + 1) % 3], &cube, law,
                                   &s.f.diag) == RB_OK);
    s.options.solver = "cvode";
    stand_run(&s, 5e-5, 1e-6);
    ENSURE(are_coupled(&s, 'x', 'y') && are_coupled(&s, 'y', 'x'));
    ENSURE(!are_coupled(&s, 'x', 'z') && !are_coupled(&s, 'z', 'x'));
    ENSURE(!are_coupled(&s, 'y', 'z') && !are_coupled(&s, 'z', 'y'));
    compare(&s, 1e-7, 2e-4);
    compare_groups(&s);
    stand_run(&s, 3e-4, 1e-6);
    ENSURE(are_coupled(&s, 'x', 'z') && are_coupled(&s, 'z', 'x') && !are_coupled(&s, 'y', 'z'));
    compare(&s, 1e-7, 2e-4);
    compare_groups(&s);
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_in_contact),   cmocka_unit_test(laws_of_friction),
        cmocka_unit_test(force_elements),      cmocka_unit_test(flexible_with_spring),
        cmocka_unit_test(linkage_with_spring), cmocka_unit_test(whole_scenes),
        cmocka_unit_test(meshes_in_contact),   cmocka_unit_test(meshes_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

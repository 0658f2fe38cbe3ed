// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full
// Grains and soft bodies: weights at rest, momenta in free space, a blow in closed form, the same bits for any number of threads and after a checkpoint.
#include "../deform/bodies.h"

#include "deform/soft_data.h"
#include "multibody/grains.h"
#include "multibody/matter.h"
#include "resume.h"

static const double A = 0.01, R = 0.0075; // [m] of molecules

static void open_soft(Stand *s, double youngs_modulus, double damping) {
    stand_open(s);
    RbSoftMaterial m = rb_soft_material_default();
    m.youngs_modulus = youngs_modulus, m.damping = damping;
    s->scene->soft.bodies = rb_soft_scene_new("soft", s->scene->arena);
    rb_soft_scene_add_material(s->scene->soft.bodies, &m);
    s->scene->contact_options.scene.reduction = 1e-4; // of steel: 2e7 Pa
    s->options.tolerance = 1e-6;
}

static void add_soft(Stand *s, const char *name, int x, int y, int z, Vec3 low, double friction) {
    RbSoftScene *soft = s->scene->soft.bodies;
    int first = soft->molecules.count;
    add_block(soft, name, (Block){.n = {x, y, z}, .a = A, .radius = R, .low = low});
    rb_array_push(&s->scene->soft.frames, s->scene->arena, 0);
    for (int i = first; i < soft->molecules.count; i++) soft->molecules.data[i].friction = friction;
}

// Of steel; x, y, z, radius of each, and its velocity and spin.
static void add_grains(Stand *s, int count, const double *places, const Vec3 *motions) {
    RbSceneGrains g = {.fill = {.name = "grains",
                                .kind = RB_FILL_LIST,
                                .count = count,
                                .places = places,
                                .motions = motions},
                       .solid = "Steel"};
    rb_array_push(&s->scene->grains, s->scene->arena, g);
}

static const Mechanism *mechanism_of(Stand *s) {
    return rb_sim_stage(&s->sim)->system->parts[0].instance->self;
}

static double last(Stand *s, const char *name) {
    int count;
    const double *values = stand_series(s, name, &count);
    return values[count - 1];
}

static void go(Stand *s) {
    RbStatus status = stand_go(s);
    for (int i = 0; i < s->f.diag.messages.count && status != RB_OK; i++)
        print_error("%s\n", fixture_message(&s->f, i));
    ENSURE(status == RB_OK);
}

// ---- at rest

static const double HEAP[] = {-0.006, 0.045, -0.006, 0.005, 0.006,  0.045, -0.006, 0.006,
                              0.006,  0.045, 0.006,  0.005, -0.006, 0.045, 0.006,  0.004};

static void build_heap(Stand *s, const void *argument) {
    (void)argument;
    open_soft(s, 5e4, 1);
    s->scene->gravity = (RbGravity){.kind = RB_GRAVITY_UNIFORM, .g = {0, -9.81, 0}};
    RbSceneObject floor = rb_solid("floor", rb_shape_box(v3(0.3, 0.02, 0.3)), "Steel");
    floor.object.pose.r = v3(0, -0.01, 0);
    rb_scene_add(s->scene, floor);
    add_soft(s, "gel", 5, 3, 5, v3(-0.02, R + 0.001, -0.02), 0.5);
    add_grains(s, 4, HEAP, NULL);
    s->options.stop_time = 0.09;
}

static void weights_are_carried(void **state) {
    (void)state;
    Stand s;
    build_heap(&s, NULL);
    s.options.stop_time = 0.7;
    stand_record(&s, 0.05);
    go(&s);
    double carried = -last(&s, "gel.grain_force[2]") / (last(&s, "grains.mass") * 9.81),
           floor = last(&s, "gel.contact_force[2]") / (last(&s, "gel.mass") * 9.81);
    print_message(
        "carried of the weight of the grains %.6f, contacts of the gel over its weight %.6f\n",
        carried, floor);
    ENSURE_NEAR(carried, 1, 1e-3);
    ENSURE_NEAR(floor, 1, 1e-3);
    stand_close(&s);
}

// Beads on two molecules of one body that are fixed and of different materials: each as deep as Hertz's law says, m g = 4/3 E* sqrt(R*) d^(3/2).
static void each_molecule_has_its_material(void **state) {
    (void)state;
    const double r = 0.004, places[] = {0, R + r, 0, r, A, R + r, 0, r}, moduli[] = {1e4, 8e4},
                 steel = 1e-4 * 2e11; // as open_soft reduces it
    Stand s;
    open_soft(&s, moduli[0], 0.7);
    s.scene->gravity = (RbGravity){.kind = RB_GRAVITY_UNIFORM, .g = {0, -9.81, 0}};
    RbSoftScene *soft = s.scene->soft.bodies;
    RbSoftMaterial stiff = soft->materials.data[0];
    stiff.name = "stiff", stiff.youngs_modulus = moduli[1];
    add_soft(&s, "plate", 2, 1, 1, V3_ZERO, 0);
    soft->molecules.data[0].fixed = soft->molecules.data[1].fixed = true;
    soft->molecules.data[1].material = rb_soft_scene_add_material(soft, &stiff);
    add_grains(&s, 2, places, NULL);
    s.options.stop_time = 0.5;
    stand_record(&s, 0.05);
    go(&s);
    const RbCloud *cloud = mechanism_of(&s)->grains->cloud;
    double weight = 0.5 * last(&s, "grains.mass") * 9.81, round = sqrt(R * r / (R + r));
    for (int i = 0, seen = 0; i < cloud->count || seen < 2; i++) {
        ENSURE(i < cloud->count);
        if (cloud->body[i] == RB_GRAIN_PUPPET) continue;
        int k = cloud->r[i].x > 0.5 * A;
        double yield = (1 - 0.25 * 0.25) / moduli[k] + (1 - 0.3 * 0.3) / steel,
               wanted = pow(weight * yield / (4.0 / 3 * round), 2.0 / 3),
               depth = R + r - cloud->r[i].y;
        print_message("E = %g Pa: %.9g m deep, Hertz %.9g m\n", moduli[k], depth, wanted);
        ENSURE_NEAR(depth / wanted, 1, 1e-7);
        seen++;
    }
    stand_close(&s);
}

// ---- in free space

typedef struct Total {
    Vec3 linear, angular;
    double moving; // [kg m/s] sum of magnitudes
} Total;

static Total total_of(Stand *s) {
    const Mechanism *m = mechanism_of(s);
    const Soft *soft = rb_mechanism_soft(m);
    const RbNetwork *n = &soft->network;
    const double *x = rb_sim_stage(&s->sim)->now.x;
    Wrench grains = rb_cloud_momentum(m->grains->cloud);
    Total t = {grains.f, grains.t, v3_norm(grains.f)};
    for (int i = 0; i < n->free_count; i++) {
        Vec3 p = v3_scale(n->mass[n->molecule_of[i]], v3_load(x + 3 * (n->free_count + i)));
        t.linear = v3_add(t.linear, p);
        t.angular = v3_add(t.angular, v3_cross(v3_load(x + 3 * i), p));
        t.moving += v3_norm(p);
    }
    return t;
}

static const double THROWN[] = {-0.03, 0.012, 0.013, 0.006, -0.05, 0.004,
                                0.006, 0.005, 0.01,  0.06,  0.002, 0.004};
static const Vec3 MOTIONS[] = {{1, 0, 0}, {0, 0, 30},     {1.5, 0.1, 0},
                               {0, 0, 0}, {0.1, -2, 0.2}, {20, 0, 0}};

// The argument: how far apart grains and solver may have a molecule [m].
static void build_thrown(Stand *s, const void *argument) {
    open_soft(s, 1e5, 0.3);
    s->scene->gravity.kind = RB_GRAVITY_NONE;
    add_soft(s, "gel", 3, 3, 3, V3_ZERO, 0.4);
    add_grains(s, 3, THROWN, MOTIONS);
    if (argument) s->scene->grain_options.coupling = *(const double *)argument;
    s->options.stop_time = 0.08;
}

typedef struct Kept {
    double linear, angular, works; // of what moves; and of the work of one side
} Kept;

static Total start_of_thrown(void) {
    Total start = {0};
    for (int i = 0; i < 3; i++) {
        double mass = 8000 * 4.0 / 3 * M_PI * pow(THROWN[4 * i + 3], 3); // steel of the palette
        Vec3 p = v3_scale(mass, MOTIONS[2 * i]);
        start.linear = v3_add(start.linear, p);
        start.angular = v3_add(start.angular, v3_cross(v3_load(THROWN + 4 * i), p));
        start.angular =
            v3_axpy(start.angular, 0.4 * mass * pow(THROWN[4 * i + 3], 2), MOTIONS[2 * i + 1]);
    }
    return start;
}

static Kept throw_grains(double coupling) {
    Stand s;
    build_thrown(&s, &coupling);
    stand_record(&s, 0.001);
    go(&s);
    Total start = start_of_thrown(), end = total_of(&s);
    ENSURE(last(&s, "gel.v[1]") > 0.05);
    Kept kept = {v3_distance(end.linear, start.linear) / end.moving,
                 v3_distance(end.angular, start.angular) / (end.moving * 3 * A),
                 fabs(1 + last(&s, "energy.input") / last(&s, "grains.driven"))};
    print_message(
        "exchange to %g m: momentum %.1e, angular %.1e of what moves, works %.1e, %ld events\n",
        coupling, kept.linear, kept.angular, kept.works, s.summary.time_events);
    stand_close(&s);
    return kept;
}

static void momenta_are_kept(void **state) {
    (void)state;
    Kept coarse = throw_grains(1e-7), fine = throw_grains(3e-9);
    ENSURE(coarse.linear < 1e-13 && fine.linear < 1e-13);
    ENSURE(coarse.angular < 1e-7 && fine.angular < 1e-7); // the tolerance of the solver is 1e-6
    ENSURE(coarse.works < 5e-3 && fine.works < 0.5 * coarse.works);
}

// One heavy grain through the middle of a light body: m v = m v' + M V, and both go on the same way.
static void a_blow_in_closed_form(void **state) {
    (void)state;
    const double place[4] = {-0.04, 0.005, 0.005, 0.01};
    const Vec3 motion[2] = {{1, 0, 0}, {0, 0, 0}};
    Stand s;
    open_soft(&s, 1e5, 1);
    s.scene->gravity.kind = RB_GRAVITY_NONE;
    add_soft(&s, "gel", 2, 2, 2, V3_ZERO, 0);
    add_grains(&s, 1, place, motion);
    s.options.stop_time = 0.1;
    stand_record(&s, 0.001);
    go(&s);
    double mass = last(&s, "grains.mass"), speed = sqrt(2 * last(&s, "grains.kinetic") / mass),
           gel = last(&s, "gel.mass") * last(&s, "gel.v[1]");
    print_message("grain %.4f kg m/s, gel %.4f, together %.12f of the start\n", mass * speed, gel,
                  (mass * speed + gel) / mass);
    ENSURE_NEAR((mass * speed + gel) / mass, 1, 1e-9);
    ENSURE(last(&s, "gel.v[1]") > speed); // it was thrown off
    stand_close(&s);
}

// A cube, flat on: the works of both sides, and the account of the grains.
static void polyhedra_touch_too(void **state) {
    (void)state;
    const double place[4] = {0.01, 0.045, 0.01, 1};
    const Vec3 motion[2] = {{0, -1, 0}, {0, 0, 0}};
    Stand s;
    open_soft(&s, 1e5, 1);
    s.scene->gravity.kind = RB_GRAVITY_NONE;
    add_soft(&s, "gel", 3, 3, 3, V3_ZERO, 0.3);
    RbPolyhedronSpec cube = {.name = "die", .lengths = {0.012, 0.012, 0.012}, .rounding = 1e-3};
    RbClump *form = rb_new(s.scene->arena, RbClump);
    ENSURE(rb_polyhedron(&cube, s.scene->arena, s.f.scratch, &s.f.diag, form) == RB_OK);
    add_grains(&s, 1, place, motion);
    s.scene->grains.data[0].fill.clump = form;
    s.scene->grains.data[0].fill.aligned = true;
    s.options.stop_time = 0.03;
    stand_record(&s, 0.001);
    go(&s);
    double driven = last(&s, "grains.driven"), works = fabs(1 + last(&s, "energy.input") / driven),
           balance = fabs(last(&s, "grains.balance") / driven);
    print_message("a cube: works %.1e, balance %.1e of them\n", works, balance);
    ENSURE(driven < 0 && works < 1e-2 && balance < 1e-2);
    stand_close(&s);
}

// ---- the same bits

static void threads_do_not_matter(void **state) {
    (void)state;
    uint64_t hash[2], cloud[2];
    for (int k = 0; k < 2; k++) {
        Stand s;
        build_thrown(&s, NULL);
        s.options.threads = k ? 3 : 1;
        go(&s);
        hash[k] = s.summary.state_hash;
        cloud[k] = rb_cloud_hash(mechanism_of(&s)->grains->cloud);
        stand_close(&s);
    }
    ENSURE(hash[0] == hash[1] && cloud[0] == cloud[1]);
}

static void resumed_runs_are_the_same(void **state) {
    (void)state;
    ENSURE(resume_is_identical(build_thrown, NULL, 0.02) >= 3);
    ENSURE(resume_is_identical(build_heap, NULL, 0.04) >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_carried),
        cmocka_unit_test(momenta_are_kept),
        cmocka_unit_test(a_blow_in_closed_form),
        cmocka_unit_test(polyhedra_touch_too),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(resumed_runs_are_the_same),
        cmocka_unit_test(each_molecule_has_its_material),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Grains that become fast while they move: the step follows, nobody gets across anything, what they exchange is that of two spheres.
#include "resumed.h"

#include "geom/tessellate.h"

static const double R = 0.005;

// So stiff that 100 m/s press two grains together by a quarter of a radius.
static const Stuff HARD = {5e9, 0.3, 2500, {.restitution = 1, .sliding = 0}};
static const double SLOW_STEP =
    2e-5; // at 100 m/s a contact lasts 34 µs, and a step leads across 2 mm

static RbCloud *fast_cloud(RbArena *arena, Stuff s, double step, int threads) {
    RbGrainLaw law = law_of_stuff(s);
    RbCloudOptions options = {.materials = 1,
                              .laws = &law,
                              .step = step,
                              .resolution = 40,
                              .contact_time =
                                  rb_grain_contact_time(&law, 0.5 * mass_of(s, R), 0.5 * R, 1),
                              .threads = threads,
                              .ledger = true};
    return rb_cloud(arena, &options);
}

static void set_velocity(RbCloud *cloud, int id, Vec3 v) {
    RbQuad *q = &cloud->v[index_of(cloud, id)];
    q->x = v.x, q->y = v.y, q->z = v.z;
}

static Vec3 place_of(const RbCloud *cloud, int id) {
    return vector(cloud->r[index_of(cloud, id)]);
}

static Vec3 velocity_of(const RbCloud *cloud, int id) {
    return vector(cloud->v[index_of(cloud, id)]);
}

static void run_until(RbCloud *cloud, double time) {
    while (cloud->time < time) rb_cloud_step(cloud, NULL);
}

// ---- walls

typedef enum Kind { GROUND, PLATE, SURFACE, KINDS } Kind;

static RbMesh box_surface(Vec3 half, RbArena *arena) {
    RbShape box = rb_shape_box(v3_scale(2, half));
    return rb_tessellate(&box, 8, arena);
}

// All end at z = 0; the plates are 1 mm thick, a fifth of a radius.
static void add_wall_of(RbCloud *cloud, Kind kind, Fixture *f) {
    const Vec3 half = {0.2, 0.2, 0.0005};
    Pose X = {v3(0, 0, -half.z), M3_IDENTITY};
    RbShape box = rb_shape_box(v3_scale(2, half));
    int count;
    if (kind == GROUND) add_ground(cloud, &f->arena);
    if (kind == PLATE) {
        const RbCore *parts = rb_shape_cores(&box, &f->arena, &count);
        rb_cloud_add_wall(cloud, (RbGrainWall){.parts = parts, .part_count = count, .X = X});
    }
    if (kind == SURFACE) {
        RbMesh surface = box_surface(half, &f->arena);
        RbGrainMesh *mesh = rb_new(&f->arena, RbGrainMesh);
        ENSURE(rb_grain_mesh(&surface, "plate", RB_NOWHERE, &f->arena, f->scratch, &f->diag,
                             mesh) == RB_OK);
        rb_cloud_add_wall(cloud, (RbGrainWall){.mesh = mesh, .X = X});
    }
}

// They rest while the cloud makes its first steps, and are shot then: v_z returns, the rest stays.
static void test_walls(void **state) {
    (void)state;
    RbRng rng = rb_rng(7);
    for (int k = 0; k < 60; k++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = fast_cloud(&f.arena, HARD, SLOW_STEP, 1);
        add_wall_of(cloud, (Kind)(k % KINDS), &f);
        double height = rb_rng_range(&rng, 0.01, 0.05), speed = rb_rng_range(&rng, 5, 100);
        Vec3 v = v3(rb_rng_range(&rng, -30, 30), rb_rng_range(&rng, -30, 30), -speed);
        rb_cloud_add(cloud, grain(HARD, R, v3(0, 0, height), V3_ZERO));
        rb_cloud_start(cloud);
        run(cloud, 3);
        set_velocity(cloud, 0, v);
        run_until(cloud, cloud->time + 2 * height / speed);
        Vec3 after = velocity_of(cloud, 0);
        ENSURE(place_of(cloud, 0).z > R);
        ENSURE_NEAR(after.z / speed, 1, 2e-3);
        ENSURE_NEAR(after.x, v.x, 1e-12 * speed);
        ENSURE_NEAR(after.y, v.y, 1e-12 * speed);
        ENSURE(cloud->lodged.part == 0 && !cloud->too_fast);
        fixture_close(&f);
    }
}

// ---- grains

// A shot at a grain of another size that rests, off its centre: smooth and elastic spheres exchange momentum along the line of
// their centres when they touch, 2 m1 m2 / (m1 + m2) times the speed along it. (It turns by a little while they touch.)
static void test_grains(void **state) {
    (void)state;
    RbRng rng = rb_rng(8);
    for (int k = 0; k < 40; k++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = fast_cloud(&f.arena, HARD, SLOW_STEP, 1);
        double R2 = R * rb_rng_range(&rng, 0.5, 2), speed = rb_rng_range(&rng, 5, 100);
        double away = 0.05, beside = (R + R2) * rb_rng_range(&rng, 0, 0.3);
        double m1 = mass_of(HARD, R), m2 = mass_of(HARD, R2);
        rb_cloud_add(cloud, grain(HARD, R, v3(-away, beside, 0), V3_ZERO));
        rb_cloud_add(cloud, grain(HARD, R2, V3_ZERO, V3_ZERO));
        rb_cloud_start(cloud);
        run(cloud, 3);
        set_velocity(cloud, 0, v3(speed, 0, 0));
        run_until(cloud, cloud->time + 2 * away / speed);
        double sine = beside / (R + R2), cosine = sqrt(1 - sine * sine);
        double impulse = 2 * m1 * m2 / (m1 + m2) * speed * cosine;
        Vec3 got = v3_scale(m2, velocity_of(cloud, 1));
        ENSURE_NEAR(v3_norm(got) / impulse, 1, 0.02);
        ENSURE_NEAR(got.x / impulse, cosine, 0.06);
        ENSURE_NEAR(-got.y / impulse, sine, 0.06);
        Vec3 sum = v3_axpy(got, m1, velocity_of(cloud, 0));
        ENSURE_NEAR(v3_norm(v3_sub(sum, v3(m1 * speed, 0, 0))), 0, 1e-13 * m1 * speed);
        double energy = 0.5 * m1 * v3_norm2(velocity_of(cloud, 0)) + 0.5 * v3_norm2(got) / m2;
        ENSURE_NEAR(energy / (0.5 * m1 * speed * speed), 1, 2e-3);
        fixture_close(&f);
    }
}

// ---- the step

// Verlet's steps are exact under gravity, whatever their lengths are; the step is as short as it must be, and no shorter than half of that.
static void test_fall(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = cloud_of(&f.arena, HARD, SLOW_STEP, 1);
    cloud->options.gravity = v3(0, 0, -9.81);
    rb_cloud_add(cloud, grain(HARD, R, V3_ZERO, v3(1, 0, 0)));
    rb_cloud_start(cloud);
    double longest = 0;
    while (cloud->time < 10) {
        rb_cloud_step(cloud, NULL);
        double t = cloud->time, v = hypot(1, 9.81 * t), allowed = 0.1 * R / v;
        ENSURE(cloud->step <= allowed * (1 + 1e-3));
        ENSURE(cloud->step == SLOW_STEP || cloud->step > 0.499 * allowed);
        longest = fmax(longest, cloud->step);
    }
    ENSURE(longest == SLOW_STEP && cloud->halved == 2);
    double t = cloud->time;
    ENSURE_NEAR(place_of(cloud, 0).z, -0.5 * 9.81 * t * t, 1e-10 * t * t);
    ENSURE_NEAR(place_of(cloud, 0).x, t, 1e-10 * t);
    fixture_close(&f);
}

// It goes back when the fast one has come to rest, and the account of energy goes on.
static void test_back(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Stuff lossy = HARD;
    lossy.pair = (RbGrainPair){.restitution = 0.2, .sliding = 0.3};
    RbCloud *cloud = fast_cloud(&f.arena, lossy, 0.05 * SLOW_STEP, 1);
    add_ground(cloud, &f.arena);
    cloud->options.gravity = v3(0, 0, -1000); // it is soon back
    rb_cloud_add(cloud, grain(lossy, R, v3(0, 0, 0.1), v3(3, 0, -80)));
    rb_cloud_start(cloud);
    int most = 0;
    double before = rb_cloud_ledger(cloud).kinetic;
    while (cloud->time < 0.1) {
        rb_cloud_step(cloud, NULL);
        most = cloud->halved > most ? cloud->halved : most;
    }
    ENSURE(most > 0 && cloud->halved == 0);
    ENSURE_NEAR(rb_cloud_ledger(cloud).balance / before, 0, 2e-3);
    fixture_close(&f);
}

// ---- springs

// Two rough grains meet; in mid-contact another one, far away, becomes fast. Their spring is half a step ahead of them, so a step that
// changes must move it. Returns where the spin of the first ends.
static double spin_after(RbArena *arena, double step, double disturbed) {
    Stuff rough = GLASS;
    rough.pair = (RbGrainPair){.restitution = 1, .sliding = 0.9};
    RbCloud *cloud = cloud_of(arena, rough, step, 1);
    rb_cloud_add(cloud, grain(rough, R, v3(0, 0, 0), v3(0.5, 0.2, 0)));
    rb_cloud_add(cloud, grain(rough, R, v3(2.02 * R, 0, 0), V3_ZERO));
    rb_cloud_add(cloud, grain(rough, R, v3(0, 50, 0), V3_ZERO));
    rb_cloud_start(cloud);
    while (cloud->time < 5e-3) {
        rb_cloud_step(cloud, NULL);
        if (disturbed > 0 && cloud->time >= disturbed) {
            set_velocity(cloud, 2, v3(0, 0.15 * R / step, 0));
            disturbed = 0;
        }
    }
    ENSURE(cloud->contacts == 0);
    return cloud->w[index_of(cloud, 0)].z;
}

static void test_springs(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    double exact = spin_after(&f.arena, 2e-7, 0), even = spin_after(&f.arena, 4e-5, 0);
    for (int k = 1; k <= 5; k++) {
        double changed = spin_after(&f.arena, 4e-5, 2e-4 + 2.4e-4 * k);
        ENSURE(fabs(changed - exact) < 1.5 * fabs(even - exact) + 1e-6);
    }
    fixture_close(&f);
}

// ---- bits

static RbCloud *shot_heap(RbArena *arena, int threads) {
    Stuff s = HARD;
    s.pair = (RbGrainPair){.restitution = 0.5, .sliding = 0.3};
    RbCloud *cloud = fast_cloud(arena, s, SLOW_STEP, threads);
    cloud->options.gravity = v3(0, 0, -9.81);
    add_box(cloud, arena, 0.2);
    add_heap(cloud, s, 2500, R, 0.2, 3);
    rb_cloud_start(cloud);
    run(cloud, 20);
    for (int k = 0; k < 3; k++) set_velocity(cloud, 400 * k, v3(40, 10.0 * k, -60));
    return cloud;
}

static void test_threads(void **state) {
    (void)state;
    const int threads[] = {1, 2, 3, 8};
    uint64_t hash = 0;
    for (int k = 0; k < 4; k++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = shot_heap(&f.arena, threads[k]);
        run(cloud, 120);
        ENSURE(cloud->halved > 0);
        if (k == 0) hash = rb_cloud_hash(cloud);
        ENSURE(rb_cloud_hash(cloud) == hash);
        fixture_close(&f);
    }
}

static void test_resume(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = shot_heap(&f.arena, 1), *other = shot_heap(&f.arena, 2);
        run(cloud, 30 + 17 * k);
        ENSURE(cloud->halved > 0);
        goes_on_as(cloud, other, &f.arena, 60);
        ENSURE(cloud->time == other->time && cloud->step == other->step);
        fixture_close(&f);
    }
}

// A long drum that turns about its axis is as fast as its shell, not as its ends are far away; one that runs along it, too.
static void test_speed_of_wall(void **state) {
    (void)state;
    RbGrainWall drum = {.X = POSE_IDENTITY,
                        .V = {v3(0, 0, 2), v3(0, 0, 0.5)},
                        .reach = 60,
                        .low = v3(-0.3, -0.4, -50),
                        .high = v3(0.3, 0.4, 50)};
    ENSURE_NEAR(rb_grain_wall_speed(&drum), sqrt(2 * 2 * 0.25 + 0.25), 1e-15);
    drum.reach = 0.1; // what is small is not everywhere in the box
    ENSURE_NEAR(rb_grain_wall_speed(&drum), 0.5 + 2 * 0.1, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walls),   cmocka_unit_test(test_grains),
        cmocka_unit_test(test_fall),    cmocka_unit_test(test_back),
        cmocka_unit_test(test_springs), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_resume),  cmocka_unit_test(test_speed_of_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

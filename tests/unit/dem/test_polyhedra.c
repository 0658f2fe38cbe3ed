// SPDX-License-Identifier: MIT
// Convex polyhedra as particles: a cube on a plane and on a slope, restitution, conservation, pairs seen from both sides, same bits.
#include "clumps.h"

#include <string.h>

#include "dem/fill.h"
#include "rattleback/rattleback.h"
#include "resumed.h"

static const double SIDE = 0.01;

static const RbClump *cube(Fixture *f) {
    return polyhedron(f, (RbPolyhedronSpec){.lengths = {SIDE, SIDE, SIDE}, .rounding = 0.001});
}

// An octahedron with different axes, whose frame is not its centre of mass.
static const RbClump *crystal(Fixture *f) {
    static const double points[18] = {0.011, 0,      0, -0.003, 0, 0,      0.002, 0.006, 0,
                                      0,     -0.006, 0, 0,      0, 0.0055, 0.001, 0,     -0.005};
    return polyhedron(f, (RbPolyhedronSpec){.count = 6, .points = points, .rounding = 0.0002});
}

static Stuff stuff_of(double e, double sliding) {
    Stuff s = GLASS;
    s.pair = (RbGrainPair){.restitution = e, .sliding = sliding};
    return s;
}

// E* of two equal solids.
static double modulus_of(Stuff s) {
    return s.modulus / (2 * (1 - s.poisson * s.poisson));
}

// [m] How deep a cube sinks in under a load: U = C √A δ², C = 0.5528 E*, A the flat part of its face.
static double sunk(const RbClump *c, Stuff s, double load) {
    return load / (2 * 0.5527906391541368 * modulus_of(s) * sqrt(c->face));
}

// ---- form

static void test_form(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const RbClump *c =
        polyhedron(&f, (RbPolyhedronSpec){.lengths = {0.01, 0.02, 0.03}, .rounding = 0.001});
    ENSURE_NEAR(c->volume, 6e-6, 1e-18);
    Vec3 I = rb_clump_moments(c, 1000, 1); // m/12 (b² + c²), m = 6 g
    ENSURE_NEAR(I.x, 0.006 / 12 * 5e-4, 1e-15);
    ENSURE_NEAR(I.y, 0.006 / 12 * 1e-3, 1e-15);
    ENSURE_NEAR(I.z, 0.006 / 12 * 1.3e-3, 1e-15);
    double r = sqrt(1.4e-3) / 2; // of the corners, which are a little rounded
    ENSURE(c->reach <= r && c->reach > 0.95 * r);
    RbClump unused;
    const double flat[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    const RbPolyhedronSpec bad[] = {
        {.name = "p", .lengths = {0.01, 0.01, 0.01}},
        {.name = "p", .lengths = {1, 1, 1}, .count = 4, .points = flat, .rounding = 1e-3},
        {.name = "p", .lengths = {1, -1, 1}, .rounding = 1e-3},
        {.name = "p", .count = 4, .points = flat, .rounding = 1e-3},
    };
    const char *const words[] = {
        "the edges of the polyhedra 'p' are rounded with 0 m; this must be positive",
        "the polyhedra 'p' are boxes and hulls of points at once; leave one out", "'p'", "'p'"};
    for (int k = 0; k < 4; k++) {
        f.diag = rb_diag(&f.arena);
        ENSURE(rb_polyhedron(&bad[k], &f.arena, f.scratch, &f.diag, &unused) != RB_OK);
        ENSURE(f.diag.messages.count > 0 && strstr(f.diag.messages.data[0].text, words[k]));
    }
    fixture_close(&f);
}

// ---- one cube on a plane

static RbCloud *on_slope(Fixture *f, Stuff s, double phi, double turn) {
    RbCloud *cloud = cloud_of(&f->arena, s, 2e-5, 1);
    cloud->options.gravity = v3(9.81 * sin(phi), 0, -9.81 * cos(phi));
    add_ground(cloud, &f->arena);
    const RbClump *c = cube(f);
    double weight = s.density * c->volume * 9.81 * cos(phi);
    Quat q = q_rotation(v3(0, 0, 1), turn);
    rb_cloud_add_clump(cloud, clump_at(cloud, c, s, v3(0, 0, SIDE / 2 - sunk(c, s, weight)), q));
    rb_cloud_start(cloud);
    return cloud;
}

static void test_rests(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Stuff s = stuff_of(0.3, 0.5);
    RbCloud *cloud = on_slope(&f, s, 0, 0.3);
    const RbGrainBody *b = &cloud->bodies.data[0];
    double weight = b->mass * 9.81, height = b->r.z;
    // The closed form of the depth is that of the forces at the start.
    ENSURE_NEAR(b->f.z / weight, 1, 1e-6);
    b = &cloud->bodies.data[0];
    run(cloud, 5000);
    ENSURE_NEAR(cloud->wall_loads[0].f.z / weight, -1, 1e-6);
    ENSURE_NEAR(b->r.z, height, 1e-6 * SIDE);
    ENSURE(rb_cloud_ledger(cloud).kinetic + rb_cloud_ledger(cloud).turning < 1e-16);
    fixture_close(&f);
}

// Below the angle of friction it stays where it is; above it slides with g (sin φ - μ cos φ).
static void test_slope(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    double phi = 0.4; // tan φ = 0.42 of 0.5
    RbCloud *cloud = on_slope(&f, stuff_of(0.3, 0.5), phi, 0.3);
    run(cloud, 10000);
    Vec3 at = cloud->bodies.data[0].r;
    run(cloud, 10000);
    print_message("creeps %.2e m in 0.2 s\n", v3_distance(cloud->bodies.data[0].r, at));
    ENSURE_NEAR(v3_distance(cloud->bodies.data[0].r, at), 0, 1e-12);
    ENSURE(at.x < 1e-4);
    phi = 0.6;
    cloud = on_slope(&f, stuff_of(0.3, 0.5), phi, 0);
    run(cloud, 5000);
    double v0 = cloud->bodies.data[0].v.x, t0 = cloud->time;
    run(cloud, 15000);
    double a = (cloud->bodies.data[0].v.x - v0) / (cloud->time - t0);
    ENSURE_NEAR(a / (9.81 * (sin(phi) - 0.5 * cos(phi))), 1, 1e-4);
    Vec3 w = cloud->bodies.data[0].w;
    ENSURE(v3_norm(w) < 1e-3);
    fixture_close(&f);
}

// Flat, it returns as typed.
static void test_restitution(void **state) {
    (void)state;
    const double typed[] = {1, 0.8, 0.5, 0.2};
    for (int k = 0; k < 4; k++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = cloud_of(&f.arena, stuff_of(typed[k], 0), 1e-6, 1);
        add_ground(cloud, &f.arena);
        RbGrainClump c = clump_at(cloud, cube(&f), GLASS, v3(0, 0, SIDE / 2 + 1e-6), Q_IDENTITY);
        c.v = v3(0, 0, -0.5);
        rb_cloud_add_clump(cloud, c);
        rb_cloud_start(cloud);
        run(cloud, 4000);
        ENSURE(cloud->wall_contacts == 0);
        ENSURE_NEAR(cloud->bodies.data[0].v.z / 0.5, typed[k], 2e-3);
        fixture_close(&f);
    }
}

// ---- a crowd of cubes, crystals, pebbles and spheres

static RbCloud *crowd(Fixture *f, Stuff s, double step, int threads, int side, bool swapped) {
    RbCloud *cloud = cloud_of(&f->arena, s, step, threads);
    const RbClump *forms[3] = {cube(f), crystal(f), form(f, 3, PEBBLE)};
    int n = side * side * side;
    for (int m = 0; m < n; m++) {
        int k = swapped ? n - 1 - m : m;
        RbRng rng = rb_rng((uint64_t)k);
        double apart = 0.0172, middle = 0.5 * apart * (side - 1);
        Vec3 r = v3_scale(apart, v3(k % side, k / side % side, k / side / side));
        Vec3 v = v3_scale(-40, v3_sub(r, v3(middle, middle, middle)));
        if (k % 4 == 3) {
            rb_cloud_add(cloud, grain(s, 0.005, r, v));
            continue;
        }
        RbGrainClump c = clump_at(cloud, forms[k % 4], s, r, rb_rng_orientation(&rng));
        c.v = v, c.w = v3_scale(30, rb_rng_direction(&rng));
        rb_cloud_add_clump(cloud, c);
    }
    return cloud;
}

static void test_momentum(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = crowd(&f, stuff_of(0.6, 0.4), 1e-5, 1, 3, false);
    rb_cloud_start(cloud);
    keeps_momentum(cloud, 3000);
    RbGrainLedger account = rb_cloud_ledger(cloud);
    ENSURE(account.damped > account.kinetic && account.rubbed > 0.02 * account.kinetic);
    fixture_close(&f);
}

static double energy_error(double step, double e, double sliding) {
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = crowd(&f, stuff_of(e, sliding), step, 1, 3, false);
    rb_cloud_start(cloud);
    double start = rb_cloud_ledger(cloud).kinetic, most = 0;
    for (int k = 0; k < 300; k++) {
        run(cloud, lround(0.03 / step) / 300);
        most = fmax(most, fabs(rb_cloud_ledger(cloud).balance) / start);
    }
    RbGrainLedger l = rb_cloud_ledger(cloud);
    if (e == 1) ENSURE_NEAR((l.kinetic + l.turning + l.stored) / start, 1, most + 0.3);
    fixture_close(&f);
    return most;
}

static void test_energy(void **state) {
    (void)state;
    double smooth = energy_error(4e-5, 1, 0), finer = energy_error(2.5e-6, 1, 0);
    double rough = energy_error(2e-5, 0.6, 0.4), less = energy_error(5e-6, 0.6, 0.4);
    print_message("balance: %.2e -> %.2e, with friction %.2e -> %.2e\n", smooth, finer, rough,
                  less);
    ENSURE(smooth < 2e-3 && finer < smooth / 8); // a sixteenth of the step
    ENSURE(rough < 5e-3 && less < rough / 2);
}

// ---- a pair from both sides

static void test_pairs(void **state) {
    (void)state;
    double most = 0;
    int touching = 0;
    const int pairs = REPEATS(400, 100);
    for (int seed = 0; seed < pairs; seed++) {
        Fixture f;
        fixture_open(&f);
        RbRng rng = rb_rng((uint64_t)seed);
        const RbClump *forms[2] = {cube(&f), crystal(&f)};
        Quat turns[2] = {rb_rng_orientation(&rng), rb_rng_orientation(&rng)};
        Vec3 apart = v3_scale(rb_rng_range(&rng, 0.009, 0.0125), rb_rng_direction(&rng));
        int kinds[2] = {rb_rng_int(&rng, 2), rb_rng_int(&rng, 2)};
        Wrench found[2][2];
        for (int way = 0; way < 2; way++) {
            RbCloud *cloud = cloud_of(&f.arena, stuff_of(0.5, 0.3), 1e-5, 1);
            for (int n = 0; n < 2; n++) {
                int k = way ? 1 - n : n;
                RbGrainClump c =
                    clump_at(cloud, forms[kinds[k]], GLASS, k ? apart : V3_ZERO, turns[k]);
                c.v = v3_scale(k ? -0.1 : 0.1, apart), c.w = v3(0, k, 1);
                rb_cloud_add_clump(cloud, c);
            }
            rb_cloud_start(cloud);
            touching += way == 0 && cloud->contacts > 0;
            for (int n = 0; n < 2; n++) {
                const RbGrainBody *b = &cloud->bodies.data[way ? 1 - n : n];
                found[way][n] = (Wrench){b->t, b->f};
            }
        }
        for (int n = 0; n < 2; n++) {
            double size = v3_norm(found[0][n].f);
            if (!(size > 0)) continue;
            most = fmax(most, v3_distance(found[0][n].f, found[1][n].f) / size);
            most = fmax(most, v3_distance(found[0][n].t, found[1][n].t) / (size * SIDE));
        }
        fixture_close(&f);
    }
    print_message("%d of %d pairs touch; two ways differ by %.2e\n", touching, pairs, most);
    ENSURE(touching > pairs / 4);
    ENSURE_NEAR(most, 0,
                1e-8); // distances to 1e-13 of the size, over depths of 1e-5 of it and more
}

// ---- the same cubes as bodies, by islands

enum { BODIES = 8 };

typedef struct Start {
    Vec3 r, v, w;
    Quat q;
} Start;

static void make_starts(Start *starts) {
    RbRng rng = rb_rng(21);
    for (int k = 0; k < BODIES; k++) {
        Vec3 cell = v3(k % 2, k / 2 % 2, k / 4);
        starts[k] = (Start){.r = v3_add(v3_scale(0.0165, cell), v3(0, 0, 0.0095)),
                            .v = v3_scale(0.4, v3_sub(v3(0.5, 0.5, 0.2), cell)),
                            .w = v3_scale(10, rb_rng_direction(&rng)),
                            .q = rb_rng_orientation(&rng)};
    }
}

static void ok_at(RbContext *context, RbStatus status, int line) {
    if (status == RB_OK) return;
    for (int i = 0; i < rb_context_message_count(context); i++)
        print_error("line %d: %s", line, rb_context_message(context, i));
    _fail(__FILE__, line);
}
#define OK(call) ok_at(context, call, __LINE__)

static void by_islands(Stuff s, const Start *starts, double time, Vec3 *places) {
    RbContext *context = rb_context_create(NULL);
    RbSceneBuilder *scene;
    RbModel *model;
    RbRun *run;
    RbPairLaw law = rb_pair_law_default();
    law.restitution = 1, law.mu_k = law.mu_r = 0;
    OK(rb_builder_create(context, "cubes", &scene));
    OK(rb_builder_add_material(scene, "Glass", s.density, s.modulus, s.poisson));
    OK(rb_builder_set_pair(scene, "Glass", "Glass", &law));
    OK(rb_builder_gravity(scene, (double[]){0, 0, -9.81}));
    RbSolid ground = rb_solid_default("ground", RB_SOLID_HALFSPACE, "Glass");
    OK(rb_builder_add_solid(scene, &ground, NULL));
    for (int k = 0; k < BODIES; k++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", k);
        RbSolid box = rb_solid_default(name, RB_SOLID_BOX, "Glass");
        box.free = true;
        for (int d = 0; d < 3; d++) box.lengths[d] = SIDE;
        v3_store(box.position, starts[k].r), v3_store(box.velocity, starts[k].v);
        v3_store(box.angular_velocity, starts[k].w), q_store(box.rotation, starts[k].q);
        OK(rb_builder_add_solid(scene, &box, NULL));
    }
    OK(rb_builder_finish(scene, &model));
    RbSimOptions options = rb_model_options(model);
    options.stop_time = time, options.tolerance = 1e-9;
    OK(rb_run_open(context, model, &options, &run));
    OK(rb_run_step(run, RB_UNTIL_TIME, time, NULL));
    for (int k = 0; k < 3 * BODIES; k++) {
        char name[24];
        double value;
        snprintf(name, sizeof name, "b%d.r[%d]", k / 3, k % 3 + 1);
        OK(rb_run_get_named(run, name, &value));
        places[k / 3] = v3_set(places[k / 3], k % 3, value);
    }
    OK(rb_run_close(run, NULL));
    rb_context_free(context);
}

static double cloud_error(Stuff s, const Start *starts, const Vec3 *want, double time, long steps) {
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = cloud_of(&f.arena, s, time / (double)steps, 1);
    cloud->options.gravity = v3(0, 0, -9.81);
    add_ground(cloud, &f.arena);
    const RbClump *c = cube(&f);
    for (int k = 0; k < BODIES; k++) {
        RbGrainClump one = clump_at(cloud, c, s, starts[k].r, starts[k].q);
        one.v = starts[k].v, one.w = starts[k].w;
        rb_cloud_add_clump(cloud, one);
    }
    rb_cloud_start(cloud);
    double most = 0;
    long touched = 0;
    for (long k = 0; k < steps; k++) {
        run(cloud, 1);
        touched += cloud->contacts + cloud->wall_contacts;
    }
    ENSURE((double)touched > 0.1 * (double)steps);
    for (int k = 0; k < BODIES; k++)
        most = fmax(most, v3_distance(cloud->bodies.data[k].r, want[k]));
    fixture_close(&f);
    return most;
}

static void test_islands(void **state) {
    (void)state;
    Stuff s = stuff_of(1, 0);
    Start starts[BODIES];
    Vec3 want[BODIES] = {{0}};
    double time = 0.03;
    make_starts(starts);
    by_islands(s, starts, time, want);
    double coarse = cloud_error(s, starts, want, time, 1000);
    double fine = cloud_error(s, starts, want, time, 16000);
    print_message("islands: %.2e -> %.2e m\n", coarse, fine);
    ENSURE(coarse < 1e-5 && fine < coarse / 5); // a sixteenth of the step
}

// ---- fillings

static void test_bricks(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const RbClump *brick =
        polyhedron(&f, (RbPolyhedronSpec){.lengths = {0.02, 0.01, 0.01}, .rounding = 0.001});
    RbFill wall = {
        .name = "bricks", .kind = RB_FILL_LIST, .clump = brick, .aligned = true, .density = 2500};
    double places[4 * 8];
    for (int k = 0; k < 8; k++) { // face on face, in four layers on the ground
        double layer = k / 2, *p = places + 4 * k;
        p[0] = 0.02 * (k % 2) + 0.01 * (k / 2 % 2), p[1] = 0, p[2] = 0.005 + 0.01 * layer, p[3] = 1;
    }
    wall.count = 8, wall.places = places;
    RbCloud *cloud = cloud_of(&f.arena, GLASS, 1e-5, 1);
    add_ground(cloud, &f.arena);
    ENSURE(rb_fill_check(&wall, &f.diag) == RB_OK);
    ENSURE(rb_fill_pour(&wall, cloud, f.scratch, &f.diag) == RB_OK);
    ENSURE(cloud->bodies.count == 8);
    for (int k = 0; k < 2; k++) { // deeper than contacts are, in the next one or in the ground
        RbCloud *other = cloud_of(&f.arena, GLASS, 1e-5, 1);
        add_ground(other, &f.arena);
        places[4 * 1] = k == 0 ? 0.015 : 0.02, places[2] = k == 0 ? 0.005 : 0.002;
        ENSURE(rb_fill_pour(&wall, other, f.scratch, &f.diag) == RB_ERROR_MODEL);
    }
    ENSURE(strstr(f.diag.messages.data[0].text, "grain 2 of 'bricks'") &&
           strstr(f.diag.messages.data[0].text, "overlaps"));
    ENSURE(strstr(f.diag.messages.data[1].text, "grain 1 of 'bricks'") &&
           strstr(f.diag.messages.data[1].text, "is in a wall"));
    fixture_close(&f);
}

// At random: nearer than the spheres around them, and apart.
static void test_random(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbFill fill = {.name = "dice",
                   .kind = RB_FILL_RANDOM,
                   .count = 100,
                   .clump = cube(&f),
                   .density = 2500,
                   .high = {0.1, 0.1, 0.05}};
    RbCloud *cloud = cloud_of(&f.arena, GLASS, 1e-5, 1);
    ENSURE(rb_fill_pour(&fill, cloud, f.scratch, &f.diag) == RB_OK);
    rb_cloud_start(cloud);
    ENSURE(cloud->contacts == 0);
    int near = 0;
    for (int i = 0; i < cloud->count; i++) {
        for (int j = 0; j < i; j++)
            near += v3_distance(vector(cloud->r[i]), vector(cloud->r[j])) <
                    cloud->r[i].w + cloud->r[j].w;
    }
    ENSURE(near > 10);
    fixture_close(&f);
}

// ---- bits

static RbCloud *heap(Fixture *f, int threads, int side) {
    RbCloud *cloud = crowd(f, stuff_of(0.5, 0.4), 2e-5, threads, side, false);
    add_ground(cloud, &f->arena);
    cloud->walls.data[0].X.r.z = -0.009;
    cloud->walls.data[0].V.v.z = 4;
    cloud->options.gravity = v3(0, 0, -9.81);
    return cloud;
}

static void test_bits(void **state) {
    (void)state;
    const int threads[] = {1, 2, 3, 8};
    uint64_t first = 0;
    for (int k = 0; k < 4; k += REPEATS(1, 2)) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = heap(&f, threads[k], 9); // 1,275 spheres: two chunks
        rb_cloud_start(cloud);
        run(cloud, 350);
        ENSURE(cloud->chunk_count == 2 && cloud->body_chunk_count == 3);
        ENSURE(cloud->contacts > 50 && cloud->wall_contacts > 5);
        if (k == 0) first = rb_cloud_hash(cloud);
        ENSURE(rb_cloud_hash(cloud) == first);
        fixture_close(&f);
    }
}

static void test_resume(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = heap(&f, 1, 4), *other = heap(&f, 2, 2);
    rb_cloud_start(cloud);
    for (int at = 0; at < 3; at++) {
        run(cloud, 200);
        goes_on_as(cloud, other, &f.arena, 77);
        ENSURE(cloud->contacts + cloud->wall_contacts > 0);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_form),     cmocka_unit_test(test_rests),
        cmocka_unit_test(test_slope),    cmocka_unit_test(test_restitution),
        cmocka_unit_test(test_momentum), cmocka_unit_test(test_energy),
        cmocka_unit_test(test_islands),  cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_bricks),   cmocka_unit_test(test_random),
        cmocka_unit_test(test_bits),     cmocka_unit_test(test_resume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

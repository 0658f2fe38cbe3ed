// SPDX-License-Identifier: MIT
// Clumps in clouds: same bits for every number of threads and for a run that is resumed; fillings, sinks and sensors, for which
// a clump is one particle.
#include "clumps.h"

#include "dem/fill.h"
#include "dem/region.h"
#include "resumed.h"

static const Stuff SAND = {5e6, 0.3, 2500, {0.6, 0.4, 0.05, 0.02}};

static RbCloud *heap_of(Fixture *f, int count, int threads) {
    RbCloud *cloud = cloud_of(&f->arena, SAND, 2e-5, threads);
    cloud->options.gravity = v3(0, 0, -9.81);
    add_box(cloud, &f->arena, 0.14);
    add_pebbles(cloud, form(f, 3, PEBBLE), SAND, count, 0.14, 7);
    RbRng rng = rb_rng(1); // spheres above them
    for (int k = 0; k < count / 4; k++) {
        Vec3 r = v3(0.01 + 0.012 * (k % 10), 0.01 + 0.012 * (k / 10 % 10), 0.5 + 0.012 * (k / 100));
        r = v3_axpy(r, 0.0005, rb_rng_direction(&rng));
        rb_cloud_add(cloud, grain(SAND, 0.005, r, v3(0, 0, -6)));
    }
    return cloud;
}

static void test_threads(void **state) {
    (void)state;
    uint64_t first = 0;
    const int threads[] = {1, 2, 3, 8};
    for (int k = 0; k < 4; k++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = heap_of(&f, 700, threads[k]);
        rb_cloud_start(cloud);
        run(cloud, 350);
        ENSURE(rb_team_size(cloud->team) == threads[k]);
        ENSURE(cloud->chunk_count == 3 && cloud->body_chunk_count == 3);
        ENSURE(cloud->contacts > 100 && cloud->rebuilds > 5);
        if (k == 0) first = rb_cloud_hash(cloud);
        ENSURE(rb_cloud_hash(cloud) == first);
        fixture_close(&f);
    }
}

static void test_resume(void **state) {
    (void)state;
    for (int at = 400; at < 490; at += 33) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = heap_of(&f, 300, 1);
        rb_cloud_start(cloud);
        run(cloud, at);
        RbCloud *other = heap_of(&f, 5, 2);
        Taken taken = goes_on_as(cloud, other, &f.arena, 120);
        ENSURE(cloud->contacts > 20);
        // Cut off, or into a cloud without the form.
        for (size_t n = 0; n < taken.count; n += 1 + taken.count / 20) {
            ENSURE(!loads(other, (Taken){taken.bytes, n}));
        }
        RbCloud *bare = cloud_of(&f.arena, SAND, 2e-5, 1);
        add_box(bare, &f.arena, 0.14);
        ENSURE(!loads(bare, taken));
        fixture_close(&f);
    }
}

// Nothing is allocated while they move about.
static void test_no_allocation(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = heap_of(&f, 120, 1);
    rb_cloud_start(cloud);
    run(cloud, 4000);
    size_t calls = f.heap.calls;
    long rebuilds = cloud->rebuilds;
    run(cloud, 1000);
    ENSURE(f.heap.calls == calls && cloud->rebuilds > rebuilds);
    fixture_close(&f);
}

// ---- fillings

static RbFill filling(RbFillKind kind, const RbClump *clump, int count) {
    return (RbFill){.name = "stones",
                    .kind = kind,
                    .count = count,
                    .clump = clump,
                    .radius_spread = 0.2,
                    .density = SAND.density,
                    .high = {0.14, 0.14, 0.3},
                    .seed = 3,
                    .rate = 1e4};
}

// Deepest overlap of spheres of two particles, or of a sphere and the border of the box [m].
static double deepest_overlap(const RbCloud *cloud, const RbFill *f) {
    double most = -INFINITY;
    for (int i = 0; i < cloud->count; i++) {
        Vec3 r = vector(cloud->r[i]), above = v3_sub(r, f->low), below = v3_sub(f->high, r);
        double R = cloud->r[i].w;
        most = fmax(most, R - fmin(above.x, fmin(above.y, above.z)));
        most = fmax(most, R - fmin(below.x, fmin(below.y, below.z)));
        for (int j = 0; j < i; j++) {
            if (cloud->body[i] == cloud->body[j]) continue;
            most = fmax(most, R + cloud->r[j].w - v3_distance(r, vector(cloud->r[j])));
        }
    }
    return most;
}

static void test_fillings(void **state) {
    (void)state;
    const RbFillKind kinds[] = {RB_FILL_GRID, RB_FILL_RANDOM, RB_FILL_RAIN, RB_FILL_LIST};
    for (int k = 0; k < 4; k++) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = cloud_of(&f.arena, SAND, 2e-5, 1);
        const RbClump *pebble = form(&f, 3, PEBBLE);
        RbFill fill = filling(kinds[k], pebble, 300);
        double places[8] = {0.03, 0.03, 0.03, 0.5, 0.08, 0.08, 0.08, 2};
        Quat turns[2] = {{0.6, 0, 0.8, 0}, Q_IDENTITY};
        if (k == 3) fill.count = 2, fill.places = places, fill.turns = turns;
        ENSURE(rb_fill_check(&fill, &f.diag) == RB_OK);
        ENSURE(rb_fill_pour(&fill, cloud, f.scratch, &f.diag) == RB_OK);
        RbRain rain = rb_rain(&fill);
        if (k == 2) ENSURE(rb_rain_fall(&fill, &rain, cloud, 1) == 300);
        ENSURE(rb_cloud_particles(cloud) == fill.count && cloud->count == 3 * fill.count);
        ENSURE(deepest_overlap(cloud, &fill) < 1e-12);
        Vec3 mean = V3_ZERO; // of the directions of an axis: any
        double sizes = 0, mass = 0;
        for (int n = 0; n < fill.count; n++) {
            const RbGrainBody *b = &cloud->bodies.data[n];
            mean = v3_axpy(mean, 1.0 / fill.count, m3_column(b->R, 0));
            sizes += b->size * b->size * b->size, mass += b->mass;
        }
        ENSURE_NEAR(mass, sizes * SAND.density * pebble->volume, 1e-12 * mass);
        if (k < 3) ENSURE(v3_norm(mean) < 0.15); // 1/√300 = 0.06 is usual
        if (k == 3) { // second sphere less the first, as typed and turned
            Vec3 d = v3_sub(vector(cloud->r[1]), vector(cloud->r[0]));
            Vec3 want = q_rotate(turns[0], v3_scale(0.5, v3(0.005, 0.001, 0.001)));
            ENSURE_NEAR(v3_distance(d, want), 0, 1e-15);
        }
        fixture_close(&f);
    }
}

static void test_bad_fillings(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = cloud_of(&f.arena, SAND, 2e-5, 1);
    RbFill fill = filling(RB_FILL_LIST, form(&f, 3, PEBBLE), 2);
    double places[8] = {0.03, 0.03, 0.03, 1, 0.033, 0.03, 0.03, 1};
    Quat turns[2] = {{2, 0, 0, 0}, Q_IDENTITY};
    fill.places = places, fill.aligned = true;
    ENSURE(rb_fill_pour(&fill, cloud, f.scratch, &f.diag) == RB_ERROR_MODEL);
    fill.turns = turns;
    ENSURE(rb_fill_check(&fill, &f.diag) == RB_ERROR_MODEL);
    places[3] = -1;
    ENSURE(rb_fill_check(&fill, &f.diag) == RB_ERROR_MODEL);
    const double bar[8] = {-0.004, 0, 0, 0.006, 0.004, 0, 0, 0.006};
    fill.kind = RB_FILL_GRID, fill.high = v3(0.01, 0.1, 0.1), fill.clump = form(&f, 2, bar);
    ENSURE(rb_fill_check(&fill, &f.diag) == RB_ERROR_MODEL);
    const char *const texts[] = {
        "grain 2 of 'stones' at (0.033, 0.03, 0.03) m overlaps the grain that begins with sphere "
        "1 by more than a contact does: place them "
        "apart, or use a random filling, which leaves no overlap",
        "grain 1 of 'stones' has a quaternion of length 2; it must be 1",
        "grain 1 of 'stones' is -1 times as large as its clump; this must be positive",
        ("the box of the grains 'stones' measures 0.01 x 0.1 x 0.1 m; their diameter of up to "
         "0.024 m does not fit in"),
    };
    for (int k = 0; k < 4; k++) assert_string_equal(f.diag.messages.data[k].text, texts[k]);
    fixture_close(&f);
}

// ---- sensors and sinks

static void test_regions(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = heap_of(&f, 200, 1);
    rb_cloud_start(cloud);
    run(cloud, 1500);
    double below = 0, mass = 0, volume = 0;
    for (int k = 0; k < cloud->bodies.count; k++) {
        const RbGrainBody *b = &cloud->bodies.data[k];
        if (!(b->r.z < 0.03)) continue;
        below++, mass += b->mass;
        volume += b->mass / SAND.density;
    }
    for (int i = 0; i < cloud->count; i++) {
        if (cloud->body[i] >= 0 || !(cloud->r[i].z < 0.03)) continue;
        below++, mass += cloud->v[i].w, volume += cloud->v[i].w / SAND.density;
    }
    ENSURE(below > 10 && below < 240);
    double values[16] = {0};
    RbRegion box = {.name = "b", .kind = RB_REGION_BOX, .low = {-1, -1, -1}, .high = {1, 1, 0.03}};
    rb_region_look(&box, cloud, 0, values);
    ENSURE(values[0] == below);
    ENSURE_NEAR(values[1], mass, 1e-12 * mass);
    ENSURE_NEAR(values[5], volume / (4 * 1.03), 1e-12);
    RbRegion sink = box;
    sink.kind = RB_REGION_SINK;
    double taken[2] = {0}, balance = rb_cloud_ledger(cloud).balance;
    long bodies = cloud->bodies.count;
    ENSURE(rb_region_drain(&sink, cloud, taken) == (int)below);
    ENSURE(taken[0] == below && cloud->bodies.count < bodies);
    ENSURE(rb_cloud_particles(cloud) == 250 - (int)below);
    ENSURE_NEAR(rb_cloud_ledger(cloud).balance, balance, 1e-12);
    run(cloud, 500); // and goes on
    ENSURE(!cloud->lost && fabs(rb_cloud_ledger(cloud).balance - balance) < 1e-5);
    for (int i = 0; i < cloud->count; i++) {
        if (cloud->body[i] < 0) continue;
        const RbGrainBody *b = &cloud->bodies.data[cloud->body[i]];
        ENSURE(cloud->id[i] == b->id + cloud->member[i]);
        ENSURE(v3_distance(b->r, vector(cloud->r[i])) < 0.01);
    }
    fixture_close(&f);
}

// ---- a periodic cell

static const double SIDE = 0.1;

static RbCloud *gas(Fixture *f, Vec3 shift, Vec3 drift) {
    RbCloud *cloud = cloud_of(&f->arena, SAND, 1e-5, 1);
    cloud->options.borders =
        (RbBorders){.name = "cell", .periodic = {true, true, true}, .high = {SIDE, SIDE, SIDE}};
    for (int k = 0; k < RB_IMAGES; k++)
        cloud->images[k] = rb_borders_image(&cloud->options.borders, k);
    const RbClump *pebble = form(f, 3, PEBBLE);
    RbRng rng = rb_rng(9);
    for (int k = 0; k < 64; k++) {
        Vec3 r = v3_scale(0.25 * SIDE, v3(k % 4 + 0.5, k / 4 % 4 + 0.5, k / 16 + 0.5));
        r = rb_borders_wrap(&cloud->options.borders, v3_add(r, shift), NULL);
        RbGrainClump c = clump_at(cloud, pebble, SAND, r, rb_rng_orientation(&rng));
        Vec3 own = v3_scale(2, rb_rng_direction(&rng)), spin = v3_scale(50, rb_rng_direction(&rng));
        bool drifts = v3_norm2(drift) > 0;
        c.v = drifts ? drift : own, c.w = drifts ? V3_ZERO : spin;
        rb_cloud_add_clump(cloud, c);
    }
    rb_cloud_start(cloud);
    return cloud;
}

// Nothing depends on where the border is.
static void test_periodic(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = gas(&f, V3_ZERO, V3_ZERO), *other = gas(&f, v3(0.011, 0.052, 0.097), V3_ZERO);
    double off = 0;
    long touched = 0;
    for (int k = 0; k < 1000; k++) {
        run(cloud, 1), run(other, 1);
        touched += cloud->contacts;
    }
    for (int k = 0; k < 64; k++) {
        const RbGrainBody *a = &cloud->bodies.data[k], *b = &other->bodies.data[k];
        off = fmax(off, fmax(v3_distance(a->v, b->v), 0.01 * v3_distance(a->w, b->w)));
    }
    print_message("touched %ld, lists %ld, off %.2e\n", touched, cloud->rebuilds, off);
    ENSURE(touched > 1000 && cloud->rebuilds < 100);
    ENSURE_NEAR(off, 0, 1e-9); // other roundings
    double values[16] = {0};
    RbRegion box = {.kind = RB_REGION_BOX, .high = {SIDE, SIDE, SIDE}};
    rb_region_look(&box, cloud, 0, values);
    ENSURE(values[0] == 64);
    fixture_close(&f);
}

// Each passes a plane once per period.
static void test_passes(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = gas(&f, V3_ZERO, v3(1, 0, 0));
    RbRegion plane = {.kind = RB_REGION_PLANE, .r = {0.03, 0, 0}, .n = {1, 0, 0}, .average = 1};
    double values[8] = {0}, want = 0;
    rb_region_mark(&plane, cloud, values);
    run(cloud, 25000);
    rb_region_look(&plane, cloud, 0.25, values);
    for (int k = 0; k < 64; k++) {
        double x = 0.25 * SIDE * (k % 4 + 0.5);
        want += floor((x + 0.25 - 0.03) / SIDE) - floor((x - 0.03) / SIDE);
    }
    ENSURE(values[0] == want);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),       cmocka_unit_test(test_resume),
        cmocka_unit_test(test_no_allocation), cmocka_unit_test(test_fillings),
        cmocka_unit_test(test_bad_fillings),  cmocka_unit_test(test_regions),
        cmocka_unit_test(test_periodic),      cmocka_unit_test(test_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

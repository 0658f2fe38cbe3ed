// SPDX-License-Identifier: MIT
// Same input, same bits: for every number of threads, and for a run that is resumed.
#include "resumed.h"

static const Stuff SAND = {5e6, 0.3, 2500, {0.6, 0.4, 0.05, 0.02}};
static const Stuff CLAY = {5e6, 0.3, 2500, {0.6, 0.4, 0.05, 0.02, .adhesion = 2}};
static const double RADIUS = 0.005;

static RbCloud *heap_of_stuff(RbArena *arena, Stuff stuff, int count, int threads) {
    RbCloud *cloud = cloud_of(arena, stuff, 2e-5, threads);
    cloud->options.gravity = v3(0, 0, -9.81);
    add_box(cloud, arena, 0.14);
    // A lid that turns and sinks: walls that move.
    RbShape shape = rb_shape_box(v3(0.1, 0.1, 0.02));
    int parts;
    const RbCore *cores = rb_shape_cores(&shape, arena, &parts);
    rb_cloud_add_wall(cloud, (RbGrainWall){.parts = cores,
                                           .part_count = parts,
                                           .X = {v3(0.07, 0.07, 0.1), M3_IDENTITY},
                                           .V = {v3(0, 0, 3), v3(0, 0, -0.1)}});
    add_heap(cloud, stuff, count, RADIUS, 0.14, 7);
    return cloud;
}

static RbCloud *heap_of(RbArena *arena, int count, int threads) {
    return heap_of_stuff(arena, SAND, count, threads);
}

static void test_threads(void **state) {
    (void)state;
    uint64_t first = 0;
    const int threads[] = {1, 2, 3, 8};
    for (int n = 0; n < 8; n++) {
        int k = n % 4;
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = heap_of_stuff(&f.arena, n < 4 ? SAND : CLAY, 2200, threads[k]);
        rb_cloud_start(cloud);
        run(cloud, 350);
        ENSURE(rb_team_size(cloud->team) == threads[k]);
        ENSURE(cloud->chunk_count == 3 && cloud->contacts > 500 && cloud->rebuilds > 5);
        uint64_t hash = rb_cloud_hash(cloud);
        if (k == 0) first = hash;
        ENSURE(hash == first);
        fixture_close(&f);
    }
}

// Resumed at steps that are just before, at, and after the making of a list.
static void test_resume(void **state) {
    (void)state;
    for (int at = 300; at < 400; at += 33) {
        Fixture f;
        fixture_open(&f);
        Stuff stuff = at % 2 ? CLAY : SAND;
        RbCloud *cloud = heap_of_stuff(&f.arena, stuff, 1100, 1);
        rb_cloud_start(cloud);
        run(cloud, at);
        goes_on_as(cloud, heap_of_stuff(&f.arena, stuff, 3, 2), &f.arena, 120);
        fixture_close(&f);
    }
}

// A checkpoint that was cut off, or is of another scene.
static void test_bad_checkpoint(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = heap_of(&f.arena, 100, 1);
    rb_cloud_start(cloud);
    run(cloud, 100);
    Taken taken = take_checkpoint(cloud, &f.arena);
    for (size_t count = 0; count < taken.count; count += 1 + taken.count / 50) {
        ENSURE(!loads(heap_of(&f.arena, 3, 1), (Taken){taken.bytes, count}));
    }
    ENSURE(!loads(cloud_of(&f.arena, SAND, 2e-5, 1), taken)); // no walls
    fixture_close(&f);
}

// Grains that come and go do not disturb the others, nor the account.
static bool is_far(void *user, Vec3 centre) {
    return centre.z > *(double *)user;
}

static void test_come_and_go(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *with = heap_of(&f.arena, 500, 1), *without = heap_of(&f.arena, 500, 1);
    rb_cloud_start(with);
    rb_cloud_start(without);
    run(with, 300);
    run(without, 300);
    for (int k = 0; k < 50; k++)
        rb_cloud_add(with, grain(SAND, RADIUS, v3(0.07, 0.07, 0.5 + 0.011 * k), V3_ZERO));
    run(with, 200);
    run(without, 200);
    double far = 0.45;
    double balance = rb_cloud_ledger(with).balance;
    ENSURE(rb_cloud_remove(with, is_far, &far) == 50);
    ENSURE_NEAR(rb_cloud_ledger(with).balance, balance, 1e-12);
    ENSURE(with->count == 500 && with->next_id == 550);
    double largest = 0;
    for (int id = 0; id < 500; id++) {
        int i = index_of(with, id), j = index_of(without, id);
        largest = fmax(largest, v3_distance(vector(with->r[i]), vector(without->r[j])));
    }
    ENSURE_NEAR(largest, 0, 1e-9); // another order of sums
    fixture_close(&f);
}

// Nothing is allocated while grains move about and lists are made for as many pairs as before.
static void test_no_allocation(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = heap_of(&f.arena, 400, 1);
    rb_cloud_start(cloud);
    run(cloud, 1500);
    size_t calls = f.heap.calls;
    long rebuilds = cloud->rebuilds;
    run(cloud, 1000);
    ENSURE(f.heap.calls == calls && cloud->rebuilds > rebuilds);
    fixture_close(&f);
}

static RbGrain ball(Vec3 r, Vec3 v) {
    return (RbGrain){.r = r, .v = v, .radius = RADIUS, .mass = 1e-3};
}

// A list is made when somebody has moved by half a skin, RADIUS/10, and not before: one that flies does so every 26th step, one that goes to and fro never.
static void test_when_listed(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double speed = 0.97, step = 2e-5;
    RbCloud *flies = cloud_of(&f.arena, SAND, step, 1);
    for (int k = 0; k < 1200; k++) // two chunks
        rb_cloud_add(flies, ball(v3(3 * RADIUS * (k % 100), 3 * RADIUS * (k / 100), 0), V3_ZERO));
    rb_cloud_add(flies, ball(v3(0, 0, 3 * RADIUS), v3(speed, 0, 0)));
    rb_cloud_start(flies);
    run(flies, 1000);
    ENSURE(flies->rebuilds == 1 + (long)(1000 / ceil(0.1 * RADIUS / (speed * step))));
    const double width = 2 * RADIUS + 0.08 * RADIUS; // 0.06 RADIUS from the middle, with the depth
    RbCloud *swings = cloud_of(&f.arena, SAND, step, 1);
    swings->options.gravity = V3_ZERO;
    add_box(swings, &f.arena, width);
    rb_cloud_add(swings, ball(v3(width / 2, width / 2, width / 2), v3(0.1, 0, 0)));
    rb_cloud_start(swings);
    run(swings, 2000);
    ENSURE(swings->rebuilds == 1 && rb_cloud_ledger(swings).kinetic > 0);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_bad_checkpoint), cmocka_unit_test(test_come_and_go),
        cmocka_unit_test(test_no_allocation),  cmocka_unit_test(test_when_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

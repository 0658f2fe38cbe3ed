// SPDX-License-Identifier: MIT
// Periodic borders: nothing may depend on where the border is, so a scene that is shifted across it goes on as it did in the middle.
#include <string.h>

#include "dem/fill.h"
#include "dem/region.h"
#include "resumed.h"

static const Stuff SAND = {5e6, 0.3, 2500, {0.6, 0.4, 0.05, 0.02}};
static const double R = 0.005;

static RbBorders cell_of(bool x, bool y, bool z, Vec3 low, Vec3 high) {
    return (RbBorders){.name = "cell", .periodic = {x, y, z}, .low = low, .high = high};
}

static RbCloud *cloud_in(RbArena *arena, Stuff s, double step, int threads, RbBorders borders) {
    RbGrainLaw law = law_of_stuff(s);
    RbCloudOptions options = {.materials = 1,
                              .laws = &law,
                              .step = step,
                              .threads = threads,
                              .ledger = true,
                              .borders = borders};
    return rb_cloud(arena, &options);
}

// [m/s] of each grain, by identity.
static Vec3 velocity_of(const RbCloud *cloud, int id) {
    return vector(cloud->v[index_of(cloud, id)]);
}

// ---- a ring of touching spheres

enum { RING = 40 };

// A blow to one sphere sends waves both ways round the ring.
static void run_ring(Fixture *f, int axis, int from, Vec3 *v) {
    Stuff s = GLASS;
    s.pair.restitution = 1;
    double length = RING * 2 * R;
    Vec3 along = v3_axis(axis), high = v3_axpy(v3(1, 1, 1), length - 1, along);
    RbBorders ring = cell_of(axis == 0, axis == 1, axis == 2, V3_ZERO, high);
    RbCloud *cloud = cloud_in(&f->arena, s, 4e-6, 1, ring);
    for (int k = 0; k < RING; k++) {
        Vec3 at = v3_axpy(v3(0.5, 0.5, 0.5), (2 * k + 1) * R - 0.5, along);
        rb_cloud_add(cloud, grain(s, R, at, k == from ? v3_scale(0.3, along) : V3_ZERO));
    }
    rb_cloud_start(cloud);
    run(cloud, 3000);
    for (int k = 0; k < RING; k++) v[k] = velocity_of(cloud, (k + from) % RING);
    Wrench p = rb_cloud_momentum(cloud);
    double m = mass_of(s, R);
    ENSURE_NEAR(v3_dot(p.f, along), 0.3 * m, 1e-14 * m);
    fixture_close(f);
}

static void test_ring(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        Vec3 middle[RING], border[RING];
        Fixture f;
        fixture_open(&f);
        run_ring(&f, axis, RING / 2, middle);
        double most = 0;
        for (int at = -1; at <= 1; at++) {
            fixture_open(&f);
            run_ring(&f, axis, (at + RING) % RING, border);
            for (int k = 0; k < RING; k++) {
                ENSURE_NEAR(v3_distance(border[k], middle[k]), 0, 1e-12);
                most = fmax(most, v3_norm(middle[k]));
            }
        }
        ENSURE(most > 0.02); // it goes on
    }
}

// ---- a gas, of grains of one size or of many

typedef struct Gas {
    Stuff stuff;
    double smallest; // radius over the largest
    double side;     // [m] of the cell
    int grid;        // so many in a row
    bool periodic[3];
    Vec3 shift;
    double step;
    int threads;
} Gas;

// Without borders in a direction the grains fly apart there.
static RbCloud *gas_of(RbArena *arena, const Gas *g) {
    RbBorders b = {.name = "cell", .high = v3(g->side, g->side, g->side)};
    memcpy(b.periodic, g->periodic, sizeof b.periodic);
    RbCloud *cloud = cloud_in(arena, g->stuff, g->step, g->threads, b);
    RbRng rng = rb_rng(11);
    double pitch = g->side / g->grid, most = 0.49 * pitch;
    for (int k = 0; k < g->grid * g->grid * g->grid; k++) {
        Vec3 cell = v3(k % g->grid + 0.5, k / g->grid % g->grid + 0.5, k / g->grid / g->grid + 0.5);
        double radius = most * (k % 7 == 0 ? 1 : rb_rng_range(&rng, g->smallest, 1));
        Vec3 r = v3_add(v3_scale(pitch, cell), g->shift);
        RbGrain one = grain(g->stuff, radius, rb_borders_wrap(&b, r, NULL),
                            v3_scale(0.5, rb_rng_direction(&rng)));
        one.w = v3_scale(20, rb_rng_direction(&rng));
        rb_cloud_add(cloud, one);
    }
    rb_cloud_start(cloud);
    return cloud;
}

static long across(const RbCloud *cloud) {
    long count = 0;
    for (int c = 0; c < cloud->chunk_count; c++) {
        const RbGrainList *list = &cloud->chunks[c].outside;
        for (int k = 0; k < list->count; k++)
            count += list->touches[k] && list->image[k] != RB_NO_IMAGE;
    }
    return count;
}

static void compare_shifted(Gas gas, long steps, double tol) {
    Fixture f, g;
    fixture_open(&f), fixture_open(&g);
    RbCloud *one = gas_of(&f.arena, &gas);
    gas.shift = v3_scale(gas.side, v3(gas.periodic[0] ? 0.37 : 0, gas.periodic[1] ? 0.71 : 0,
                                      gas.periodic[2] ? 0.53 : 0));
    RbCloud *two = gas_of(&g.arena, &gas);
    long through = 0, contacts = 0;
    for (int k = 0; k < 10; k++) {
        run(one, steps / 10), run(two, steps / 10);
        through += across(one) + across(two);
        contacts += one->contacts;
    }
    ENSURE(through > 5 && contacts > 10 && one->rebuilds > 2);

    for (int k = 0; k < one->count; k++)
        ENSURE_NEAR(v3_distance(velocity_of(one, k), velocity_of(two, k)), 0, tol);
    fixture_close(&f), fixture_close(&g);
}

static void test_shift(void **state) {
    (void)state;
    Gas gas = {.stuff = SAND, .smallest = 0.9, .side = 0.06, .grid = 6, .step = 1e-5};
    for (int which = 1; which < 8; which++) {
        for (int d = 0; d < 3; d++) gas.periodic[d] = which >> d & 1;
        compare_shifted(gas, 1000, 1e-9);
    }
    // Of many sizes; and in a cell that is little larger than it must be.
    Gas many = {.stuff = SAND, .smallest = 0.1, .side = 0.06, .grid = 6, .step = 2e-6};
    many.periodic[0] = many.periodic[1] = many.periodic[2] = true;
    compare_shifted(many, 5000, 1e-9);
    Gas tight = {.stuff = SAND, .smallest = 0.3, .side = 0.03, .grid = 3, .step = 1e-5};
    tight.periodic[0] = tight.periodic[1] = tight.periodic[2] = true;
    compare_shifted(tight, 2000, 1e-9);
}

// Eight copies of a cell in one of twice the size do what one does.
static void test_copies(void **state) {
    (void)state;
    Gas gas = {.stuff = SAND, .smallest = 0.5, .side = 0.03, .grid = 3, .step = 1e-5};
    gas.periodic[0] = gas.periodic[1] = gas.periodic[2] = true;
    Fixture f;
    fixture_open(&f);
    RbCloud *one = gas_of(&f.arena, &gas);
    RbBorders twice = cell_of(true, true, true, V3_ZERO, v3(0.06, 0.06, 0.06));
    RbCloud *all = cloud_in(&f.arena, SAND, gas.step, 1, twice);
    for (int copy = 0; copy < 8; copy++) {
        for (int id = 0; id < one->count; id++) {
            int i = index_of(one, id);
            Vec3 by = v3(copy & 1 ? 0.03 : 0, copy & 2 ? 0.03 : 0, copy & 4 ? 0.03 : 0);
            RbGrain g = {.r = v3_add(vector(one->r[i]), by),
                         .v = vector(one->v[i]),
                         .w = vector(one->w[i]),
                         .radius = one->r[i].w,
                         .mass = one->v[i].w};
            rb_cloud_add(all, g);
        }
    }
    rb_cloud_start(all);
    run(one, 1500), run(all, 1500);
    for (int id = 0; id < all->count; id++)
        ENSURE_NEAR(v3_distance(velocity_of(all, id), velocity_of(one, id % one->count)), 0, 1e-9);
    ENSURE_NEAR(rb_cloud_ledger(all).damped, 8 * rb_cloud_ledger(one).damped,
                1e-9 * rb_cloud_ledger(all).damped);
    fixture_close(&f);
}

static void test_momentum(void **state) {
    (void)state;
    Gas gas = {.stuff = SAND, .smallest = 0.7, .side = 0.12, .grid = 11, .step = 1e-5};
    gas.periodic[0] = gas.periodic[1] = gas.periodic[2] = true;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = gas_of(&f.arena, &gas);
    Vec3 before = rb_cloud_momentum(cloud).f;
    double scale = 0, through = 0;
    for (int i = 0; i < cloud->count; i++) scale += cloud->v[i].w * v3_norm(vector(cloud->v[i]));
    for (int k = 0; k < 30; k++) run(cloud, 100), through += (double)across(cloud);
    ENSURE(through > 200);
    ENSURE_NEAR(v3_distance(rb_cloud_momentum(cloud).f, before), 0, 1e-13 * scale);
    fixture_close(&f);
}

// Without friction and losses a gas keeps its energy; what is missing falls with the square of the step.
static double lost_energy(double step) {
    Gas gas = {.stuff = {5e6, 0.3, 2500, {.restitution = 1}},
               .smallest = 0.8,
               .side = 0.06,
               .grid = 6,
               .step = step};
    gas.periodic[0] = gas.periodic[1] = gas.periodic[2] = true;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = gas_of(&f.arena, &gas);
    RbGrainLedger start = rb_cloud_ledger(cloud);
    double worst = 0;
    for (int k = 0; k < 100; k++) {
        run(cloud, lround(0.03 / step) / 100);
        RbGrainLedger l = rb_cloud_ledger(cloud);
        worst = fmax(worst, fabs(l.kinetic + l.stored - start.kinetic));
    }
    fixture_close(&f);
    return worst / start.kinetic;
}

static void test_energy(void **state) {
    (void)state;
    double coarse = lost_energy(2e-5), fine = lost_energy(5e-6);
    ENSURE(coarse < 2e-3);
    ENSURE(fine < coarse / 8);
}

// ---- falling for ever

static void test_fall(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBorders b = cell_of(false, false, true, V3_ZERO, v3(0, 0, 0.1));
    RbCloud *cloud = cloud_in(&f.arena, GLASS, 1e-4, 1, b);
    cloud->options.gravity = v3(0, 0, -9.81);
    rb_cloud_add(cloud, grain(GLASS, R, v3(0, 0, 0.03), V3_ZERO));
    rb_cloud_start(cloud);
    RbRegion up = {
        .name = "up", .kind = RB_REGION_PLANE, .r = {0, 0, 0.07}, .n = {0, 0, 2}, .average = 1};
    RbRegion down = up;
    down.n.z = -1;
    double values[2][8] = {{0}}, last = 0;
    rb_region_mark(&up, cloud, values[0]), rb_region_mark(&down, cloud, values[1]);
    for (int k = 0; k < 100; k++) {
        while (cloud->time < 0.01 * (k + 1) - 1e-9) run(cloud, 1); // steps become shorter
        rb_region_look(&up, cloud, 0.01, values[0]), rb_region_look(&down, cloud, 0.01, values[1]);
        rb_region_mark(&up, cloud, values[0]), rb_region_mark(&down, cloud, values[1]);
        double fallen = 0.5 * 9.81 * cloud->time * cloud->time;
        double passed =
            floor((fallen - 0.03 + 0.07 - 0.1) / 0.1) + 1; // planes below, a period apart
        last = passed > 0 ? passed : 0;
        ENSURE_NEAR(values[1][0], last, 1e-12);
        ENSURE_NEAR(values[0][0], -last, 1e-12);
        Vec3 r = rb_cloud_place_of(cloud, 0);
        ENSURE(r.z >= 0 && r.z < 0.1);
    }
    RbGrainLedger l = rb_cloud_ledger(cloud);
    ENSURE(last > 40);
    ENSURE_NEAR(l.kinetic, 0.5 * mass_of(GLASS, R) * 9.81 * 9.81, 1e-9);
    ENSURE_NEAR(l.balance, 0, 1e-12); // what came in at the top is in "added"
    fixture_close(&f);
}

// ---- bits

static const Gas CROWD = {.stuff = {5e6, 0.3, 2500, {0.6, 0.4, 0.05, 0.02}},
                          .smallest = 0.7,
                          .side = 0.14,
                          .grid = 13,
                          .periodic = {true, true, true},
                          .step = 1e-5};

static void test_threads(void **state) {
    (void)state;
    const int threads[] = {1, 2, 3, 8};
    uint64_t first = 0;
    for (int k = 0; k < 4; k++) {
        Fixture f;
        fixture_open(&f);
        Gas gas = CROWD;
        gas.threads = threads[k];
        RbCloud *cloud = gas_of(&f.arena, &gas);
        run(cloud, 300);
        ENSURE(cloud->chunk_count == 3 && across(cloud) > 20);
        if (k == 0) first = rb_cloud_hash(cloud);
        ENSURE(rb_cloud_hash(cloud) == first);
        fixture_close(&f);
    }
}

static void test_resume(void **state) {
    (void)state;
    for (int at = 200; at < 300; at += 33) {
        Fixture f;
        fixture_open(&f);
        RbCloud *cloud = gas_of(&f.arena, &CROWD);
        run(cloud, at);
        Gas other = CROWD;
        other.grid = 2, other.threads = 2;
        RbCloud *again = gas_of(&f.arena, &other);
        goes_on_as(cloud, again, &f.arena, 150);
        ENSURE(memcmp(again->crossed_mass, cloud->crossed_mass, sizeof again->crossed_mass) == 0);
        fixture_close(&f);
    }
}

// ---- fillings and sensors

// A random filling as long as the cell lies across its borders, and nobody overlaps an image of another.
static void test_filling(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBorders b = cell_of(true, true, false, v3(-0.02, 0, 0), v3(0.02, 0.04, 0));
    RbCloud *cloud = cloud_in(&f.arena, SAND, 1e-5, 1, b);
    RbFill fill = {.name = "sand",
                   .kind = RB_FILL_RANDOM,
                   .count = 100,
                   .radius = R,
                   .radius_spread = 0.3,
                   .density = 2500,
                   .low = b.low,
                   .high = v3(0.02, 0.04, 0.15)};
    ENSURE(rb_fill_check(&fill, &f.diag) == RB_OK);
    ENSURE(rb_fill_check_borders(&fill, &b, &f.diag) == RB_OK);
    ENSURE(rb_fill_pour(&fill, cloud, f.scratch, &f.diag) == RB_OK);
    int lies_across = 0;
    for (int i = 0; i < cloud->count; i++) {
        RbQuad p = cloud->r[i];
        lies_across += p.x - p.w < -0.02 || p.y - p.w < 0;
        for (int j = 0; j < i; j++) {
            Vec3 apart = rb_borders_nearest(&b, v3_sub(vector(p), vector(cloud->r[j])));
            ENSURE(v3_norm(apart) >= p.w + cloud->r[j].w);
        }
    }
    ENSURE(lies_across > 10);
    fixture_close(&f);
}

// The kinetic and contact stress of a whole cell is the same wherever the border is.
static void test_stress(void **state) {
    (void)state;
    double values[2][16] = {{0}};
    for (int k = 0; k < 2; k++) {
        Fixture f;
        fixture_open(&f);
        Gas gas = CROWD;
        gas.grid = 6, gas.side = 0.06;
        if (k == 1) gas.shift = v3(0.022, 0.031, 0.047);
        RbCloud *cloud = gas_of(&f.arena, &gas);
        run(cloud, 400);
        RbRegion box = {.name = "box", .kind = RB_REGION_BOX, .high = {0.06, 0.06, 0.06}};
        rb_region_look(&box, cloud, 0, values[k]);
        ENSURE(across(cloud) > 2);
        ENSURE(values[k][0] == cloud->count);
        fixture_close(&f);
    }
    for (int k = 0; k < 12; k++)
        ENSURE_NEAR(values[0][k], values[1][k], 1e-8 * fabs(values[0][6]) + 1e-12);
}

static int told = 0;
static void ensure_error(Fixture *f, const char *text) {
    ENSURE(told < f->diag.messages.count);
    assert_string_equal(f->diag.messages.data[told++].text, text);
}

static void test_wrong(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbBorders b = cell_of(true, false, true, V3_ZERO, v3(0.02, 0, 1));
    ENSURE(rb_borders_check(&b, R, 0.001, &f.diag) == RB_ERROR_MODEL);
    ensure_error(&f,
                 "the periodic cell 'cell' measures 0.02 m along x; grains of 0.01 m in diameter "
                 "need 0.022 m at least, so that no two of them touch through both sides: make "
                 "it larger");
    b.high.z = -1, b.high.x = 1;
    ENSURE(rb_borders_check(&b, R, 0.001, &f.diag) == RB_ERROR_MODEL);
    ensure_error(&f, "the periodic cell 'cell' measures -1 m along z; it must be positive");
    b.high.z = 1;
    ENSURE(rb_borders_check(&b, R, 0.001, &f.diag) == RB_OK);
    RbRegion box = {.name = "box", .kind = RB_REGION_BOX, .low = {0, 0, -0.1}, .high = {1, 1, 0.5}};
    ENSURE(rb_region_check_borders(&box, &b, &f.diag) == RB_ERROR_MODEL);
    ensure_error(&f, "the box of 'box' reaches from -0.1 to 0.5 m along z, beyond the periodic "
                     "borders at 0 and 1 m: make it smaller");
    RbRegion plane = {.name = "gate", .kind = RB_REGION_PLANE, .n = {1, 1, 0}, .average = 1};
    ENSURE(rb_region_check_borders(&plane, &b, &f.diag) == RB_ERROR_MODEL);
    ensure_error(&f, "the plane 'gate' is oblique to the periodic borders along x: it must be "
                     "parallel or perpendicular to them");
    RbFill fill = {.name = "sand", .kind = RB_FILL_GRID, .low = {0, 0, 0.5}, .high = {1, 1, 1.5}};
    ENSURE(rb_fill_check_borders(&fill, &b, &f.diag) == RB_ERROR_MODEL);
    ensure_error(&f, "the box of the grains 'sand' reaches from 0.5 to 1.5 m along z, beyond the "
                     "periodic borders at 0 and 1 m");
    const double places[] = {0.5, 9, 0.5, R, -0.1, 0, 0, R};
    RbFill list = {.name = "two", .kind = RB_FILL_LIST, .count = 2, .places = places};
    ENSURE(rb_fill_check_borders(&list, &b, &f.diag) == RB_ERROR_MODEL);
    ensure_error(&f,
                 "grain 2 of 'two' is at -0.1 m along x, beyond the periodic borders at 0 and 1 m");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring),    cmocka_unit_test(test_shift),
        cmocka_unit_test(test_copies),  cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_energy),  cmocka_unit_test(test_fall),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_resume),
        cmocka_unit_test(test_filling), cmocka_unit_test(test_stress),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// The dynamic tree of boxes and the Morton sort by themselves: structure, quality, the same order
// every time.
#include "testing.h"

#include "base/hash.h"
#include "collide/morton.h"
#include "collide/box_tree.h"
#include "math/rng.h"

static RbAabb cube(Vec3 centre, double half) {
    Vec3 h = v3(half, half, half);
    return (RbAabb){v3_sub(centre, h), v3_add(centre, h)};
}

static Vec3 random_point(RbRng *rng) {
    double x = rb_rng_unit(rng), y = rb_rng_unit(rng);
    return v3(x, y, rb_rng_unit(rng));
}

static bool hash_item(void *user, int item) {
    uint64_t *hash = user;
    *hash = rb_hash_bytes(*hash, &item, sizeof item);
    return true;
}

static bool hash_pair(void *user, int a, int b) {
    return hash_item(user, a) && hash_item(user, b);
}

// Insert, move, remove; answers a hash over the order of all visits.
static uint64_t churn(uint64_t seed) {
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(seed);
    RbBoxTree tree = rb_box_tree(&f.arena);
    rb_box_tree_reserve(&tree, 100);
    rb_box_tree_reserve(&tree, 500);
    uint64_t hash = RB_HASH_START;
    for (int step = 0; step < 4000; step++) {
        int item = rb_rng_int(&rng, 500);
        RbAabb box = cube(random_point(&rng), 0.05);
        if (!rb_box_tree_has(&tree, item)) {
            rb_box_tree_insert(&tree, item, box);
        } else if (rb_rng_int(&rng, 2)) {
            rb_box_tree_move(&tree, item, box);
        } else {
            rb_box_tree_remove(&tree, item);
        }
        if (step % 100 == 0) {
            ENSURE(rb_box_tree_valid(&tree));
            rb_box_tree_overlap(&tree, &box, hash_item, &hash);
            rb_box_tree_pairs(&tree, hash_pair, &hash);
        }
    }
    while (tree.count > 0) {
        for (int i = 0; i < 500; i++) {
            if (rb_box_tree_has(&tree, i)) rb_box_tree_remove(&tree, i);
        }
    }
    ENSURE(rb_box_tree_valid(&tree) && tree.root == -1);
    fixture_close(&f);
    return hash;
}

static void the_tree_stays_valid_and_repeats_itself(void **state) {
    (void)state;
    ENSURE(churn(1) == churn(1));
    ENSURE(churn(1) != churn(2));
}

// Orders that would make a chain of a careless tree.
static void bad_orders_do_not_make_it_high(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        Fixture f;
        fixture_open(&f);
        RbBoxTree tree = rb_box_tree(&f.arena);
        rb_box_tree_reserve(&tree, 2000);
        for (int i = 0; i < 2000; i++) {
            Vec3 at = kind == 0   ? v3(i, 0, 0)
                      : kind == 1 ? V3_ZERO
                      : kind == 2 ? v3(pow(2, i % 1000 - 500), 0, 0)
                                  : v3(i, i, i);
            rb_box_tree_insert(&tree, i, cube(at, kind == 3 ? INFINITY : 0));
            ENSURE(tree.nodes[tree.root].height <= RB_BOX_TREE_MAX_HEIGHT);
        }
        ENSURE(rb_box_tree_valid(&tree));
        if (kind < 2) ENSURE(tree.nodes[tree.root].height < 24); // log2 2000 = 11
        fixture_close(&f);
    }
}

// A tree that grew one by one, and lived on while its boxes moved, may cost a little more than one
// built at once.
static void a_grown_tree_is_nearly_as_good_as_a_built_one(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(5);
    enum { COUNT = 3000 };
    RbAabb *boxes = rb_new_array(&f.arena, RbAabb, COUNT);
    int *items = rb_new_array(&f.arena, int, COUNT);
    RbBoxTree grown = rb_box_tree(&f.arena), built = rb_box_tree(&f.arena);
    rb_box_tree_reserve(&grown, COUNT);
    rb_box_tree_reserve(&built, COUNT);
    for (int i = 0; i < COUNT; i++) {
        items[i] = i;
        boxes[i] = cube(random_point(&rng), 0.01);
        rb_box_tree_insert(&grown, i, boxes[i]);
    }
    rb_box_tree_build(&built, items, COUNT, boxes);
    ENSURE(rb_box_tree_valid(&built));
    ENSURE(rb_box_tree_cost(&grown) < 1.3 * rb_box_tree_cost(&built));
    for (int step = 0; step < 5 * COUNT; step++) {
        int i = rb_rng_int(&rng, COUNT);
        boxes[i] = cube(random_point(&rng), 0.01);
        rb_box_tree_move(&grown, i, boxes[i]);
    }
    rb_box_tree_build(&built, items, COUNT, boxes);
    ENSURE(rb_box_tree_valid(&grown));
    ENSURE(rb_box_tree_cost(&grown) < 1.3 * rb_box_tree_cost(&built));
    fixture_close(&f);
}

static void morton_codes_interlace_the_coordinates(void **state) {
    (void)state;
    for (int bit = 0; bit < 19; bit++) {
        ENSURE(rb_morton_code(1u << bit, 0, 0) == UINT64_C(1) << (3 * bit));
        ENSURE(rb_morton_code(0, 1u << bit, 0) == UINT64_C(1) << (3 * bit + 1));
        ENSURE(rb_morton_code(0, 0, 1u << bit) == UINT64_C(1) << (3 * bit + 2));
    }
    // x = 10010, y = 11100, z = 01001 in binary: groups zyx from the top 011 110 010 001 100
    ENSURE(rb_morton_code(0x12, 0x1c, 0x09) == 036214);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_stays_valid_and_repeats_itself),
        cmocka_unit_test(bad_orders_do_not_make_it_high),
        cmocka_unit_test(a_grown_tree_is_nearly_as_good_as_a_built_one),
        cmocka_unit_test(morton_codes_interlace_the_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Patterns and colourings.
#include "testing.h"

#include "math/rng.h"
#include "solver/pattern.h"

static void entries_are_sorted_merged_and_have_a_diagonal(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const RbEntry entries[] = {{2, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}, {0, 1}};
    RbPattern p = rb_pattern(3, entries, 6, &f.arena, f.scratch);
    const int starts[] = {0, 2, 4, 6}, rows[] = {0, 2, 0, 1, 0, 2}, diagonal[] = {0, 3, 5};
    assert_int_equal(p.count, 6);
    for (int j = 0; j <= 3; j++) assert_int_equal(p.col_start[j], starts[j]);
    for (int k = 0; k < 6; k++) assert_int_equal(p.row_index[k], rows[k]);
    for (int j = 0; j < 3; j++) assert_int_equal(p.diagonal[j], diagonal[j]);
    assert_int_equal(rb_pattern_find(&p, 2, 0), 1);
    assert_int_equal(rb_pattern_find(&p, 1, 0), -1);
    fixture_close(&f);
}

static void empty_patterns_work(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbPattern none = rb_pattern(0, NULL, 0, &f.arena, f.scratch);
    assert_int_equal(none.count, 0);
    RbPattern diagonal = rb_pattern(4, NULL, 0, &f.arena, f.scratch);
    assert_int_equal(diagonal.count, 4);
    RbColouring c = {0};
    rb_colouring_update(&c, &diagonal, &f.arena);
    assert_int_equal(c.count, 1);
    fixture_close(&f);
}

// No two columns of a group share a row, and every column is in exactly one group.
static void check_colouring(const RbPattern *p, const RbColouring *c, RbArena scratch) {
    int *seen = rb_new_array(&scratch, int, p->n), *owner = rb_new_array(&scratch, int, p->n);
    for (int i = 0; i < p->n; i++) owner[i] = -1;
    for (int g = 0; g < c->count; g++) {
        for (int m = c->group_start[g]; m < c->group_start[g + 1]; m++) {
            int j = c->column[m];
            seen[j]++;
            for (int k = p->col_start[j]; k < p->col_start[j + 1]; k++) {
                ENSURE(owner[p->row_index[k]] != g);
                owner[p->row_index[k]] = g;
            }
        }
    }
    for (int j = 0; j < p->n; j++) assert_int_equal(seen[j], 1);
}

static void random_patterns_are_coloured_rightly(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(7);
    RbColouring c = {0};
    for (int round = 0; round < 20; round++) {
        enum { N = 60 };
        RbEntry entries[400];
        int count = 20 * round;
        for (int k = 0; k < count; k++) {
            entries[k] = (RbEntry){rb_rng_int(&rng, N), rb_rng_int(&rng, N)};
        }
        RbPattern p = rb_pattern(N, entries, count, &f.arena, f.scratch);
        rb_colouring_update(&c, &p, &f.arena); // the same struct again and again
        check_colouring(&p, &c, f.scratch);
        for (int k = 0; k < count; k++)
            ENSURE(rb_pattern_find(&p, entries[k].row, entries[k].col) >= 0);
    }
    fixture_close(&f);
}

static void a_band_needs_its_width_in_colours(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    enum { N = 100, HALF = 2 };
    RbEntry entries[N * (2 * HALF + 1)];
    int count = 0;
    for (int i = 0; i < N; i++) {
        for (int j = i - HALF; j <= i + HALF; j++) {
            if (j >= 0 && j < N) entries[count++] = (RbEntry){i, j};
        }
    }
    RbPattern p = rb_pattern(N, entries, count, &f.arena, f.scratch);
    RbColouring c = {0};
    rb_colouring_update(&c, &p, &f.arena);
    assert_int_equal(c.count, 2 * HALF + 1);
    check_colouring(&p, &c, f.scratch);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_sorted_merged_and_have_a_diagonal),
        cmocka_unit_test(empty_patterns_work),
        cmocka_unit_test(random_patterns_are_coloured_rightly),
        cmocka_unit_test(a_band_needs_its_width_in_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

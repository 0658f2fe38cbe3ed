// SPDX-License-Identifier: MIT
// The table of results: segments, missing variables, aliases, parameters, selection.
#include "samples.h"

static void one_table_over_segments(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = sample_result(&f);
    assert_int_equal(r->variables.count, SAMPLE_VARIABLES);
    assert_int_equal(r->segments.count, 2);
    assert_int_equal(r->row_count, SAMPLE_ROWS);
    for (int v = 0; v < SAMPLE_VARIABLES; v++) {
        ENSURE(rb_result_find(r, sample_names[v]) == v); // in the order in which they first appear
    }
    ENSURE(rb_result_find(r, "body1") == -1 && rb_result_find(r, "time") == -1);
    ensure_sample(&f, r);
    fixture_close(&f);
}

static void parameters_and_aliases_hold_for_the_whole_run(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = sample_result(&f);
    const RbResultVariable *v = r->variables.data;
    ENSURE(v[3].parameter && v[3].value == 0.1);
    ENSURE(!v[6].parameter); // rod.n changes between the segments
    ENSURE(v[0].alias_of == -1);
    ENSURE(v[2].alias_of == 0 && !v[2].negated);
    ENSURE(v[4].alias_of == 0 && v[4].negated);
    ENSURE(v[5].discrete && v[5].alias_of == -1 && v[7].alias_of == -1);
    fixture_close(&f);
}

static void an_alias_in_one_segment_only_is_none(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = rb_result_new(&f.arena);
    RbResultEntry joined[] = {{.name = "a"},
                              {.name = "b", .storage = RB_STORE_ALIAS, .negated = true}};
    RbResultEntry apart[] = {{.name = "a"}, {.name = "b"}};
    rb_result_begin_segment(r, joined, 2);
    rb_result_add_row(r, 0, (double[]){1});
    rb_result_begin_segment(r, apart, 2);
    rb_result_add_row(r, 1, (double[]){2, 3});
    rb_result_finish(r, f.scratch);
    ENSURE(r->variables.data[1].alias_of == -1);
    double *b = rb_result_series(r, 1, &f.arena);
    ENSURE(b[0] == -1 && b[1] == 3);
    fixture_close(&f);
}

static void a_parameter_of_one_segment_only_is_missing_elsewhere(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = rb_result_new(&f.arena);
    RbResultEntry with[] = {{.name = "p", .storage = RB_STORE_CONSTANT, .value = 4}};
    rb_result_begin_segment(r, with, 1);
    rb_result_add_row(r, 0, NULL);
    rb_result_begin_segment(r, NULL, 0);
    rb_result_add_row(r, 1, NULL);
    rb_result_finish(r, f.scratch);
    ENSURE(!r->variables.data[0].parameter);
    double *p = rb_result_series(r, 0, &f.arena);
    ENSURE(p[0] == 4 && isnan(p[1]));
    fixture_close(&f);
}

static void a_selection_keeps_the_rows(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = sample_result(&f);
    bool keep[SAMPLE_VARIABLES] = {[2] = true, [4] = true, [7] = true};
    RbResult *part = rb_result_select(r, keep, &f.arena, f.scratch);
    assert_int_equal(part->variables.count, 3);
    ensure_sample(&f, part);
    ENSURE(part->variables.data[0].alias_of == -1); // what it was an alias of is gone
    ENSURE(part->variables.data[1].alias_of == 0 && part->variables.data[1].negated);
    ENSURE(part->segments.data[0].rows == r->segments.data[0].rows);
    fixture_close(&f);
}

static void many_rows_grow(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = rb_result_new(&f.arena);
    RbResultEntry entry[] = {{.name = "x"}};
    rb_result_begin_segment(r, entry, 1);
    for (int i = 0; i < 5000; i++) rb_result_add_row(r, i, (double[]){2.0 * i});
    rb_result_finish(r, f.scratch);
    double *x = rb_result_series(r, 0, &f.arena);
    for (int i = 0; i < 5000; i++) ENSURE(x[i] == 2.0 * i);
    RbResultCursor cursor = rb_result_cursor(r);
    RbResultRun run;
    ENSURE(rb_result_next(&cursor, &f.diag, &run) == RB_OK && run.count == 5000 && run.width == 2);
    ENSURE(rb_result_next(&cursor, &f.diag, &run) == RB_OK && run.count == 0);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_table_over_segments),
        cmocka_unit_test(parameters_and_aliases_hold_for_the_whole_run),
        cmocka_unit_test(an_alias_in_one_segment_only_is_none),
        cmocka_unit_test(a_parameter_of_one_segment_only_is_missing_elsewhere),
        cmocka_unit_test(a_selection_keeps_the_rows),
        cmocka_unit_test(many_rows_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

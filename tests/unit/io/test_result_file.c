// SPDX-License-Identifier: MIT
// Any format to any format; the filter; how a format is found.
#include "samples.h"

#include "io/filter.h"
#include "io/result_file.h"

static RbResult *read_file(Fixture *f, const char *path, RbJournalRows rows) {
    RbResult *r;
    ENSURE(rb_result_read(path, rows, &f->arena, f->scratch, &f->diag, &r) == RB_OK);
    return r;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    ENSURE(file && fputs(text, file) >= 0);
    fclose(file);
}

// Journal -> (streamed) MAT -> journal -> CSV -> MAT -> CSV, and the table is still the same. The
// parameter does not go into a CSV file.
static void from_format_to_format(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    static const char *const chain[] = {"chain1.rbj", "chain2.mat", "chain3.rbj",
                                        "chain4.csv", "chain5.mat", "chain6.csv"};
    const char *path = sample_path(&f, chain[0]);
    ENSURE(rb_result_write(path, sample_result(&f), &f.arena, f.scratch, &f.diag) == RB_OK);
    for (int i = 1; i < 6; i++) {
        RbResult *r = read_file(&f, path, RB_JOURNAL_STREAM);
        const char *next = sample_path(&f, chain[i]);
        ENSURE(rb_result_write(next, r, &f.arena, f.scratch, &f.diag) == RB_OK);
        RbResult *copy = read_file(&f, next, RB_JOURNAL_LOAD);
        assert_int_equal(copy->row_count, SAMPLE_ROWS);
        assert_int_equal(copy->variables.count, SAMPLE_VARIABLES - (i >= 3));
        ensure_sample(&f, copy);
        remove(path);
        path = next;
    }
    remove(path);
    assert_int_equal(f.diag.messages.count, 0);
    fixture_close(&f);
}

static void a_journal_copies_exactly(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *first = sample_path(&f, "copy1.rbj"), *second = sample_path(&f, "copy2.rbj");
    ENSURE(sample_journal(first, rb_journal_options(), &f.arena, &f.diag) == RB_OK);
    RbResult *r = read_file(&f, first, RB_JOURNAL_STREAM);
    ENSURE(rb_result_write(second, r, &f.arena, f.scratch, &f.diag) == RB_OK);
    RbResult *copy = read_file(&f, second, RB_JOURNAL_LOAD);
    assert_int_equal(copy->segments.count, 2);
    assert_int_equal(copy->variables.count, SAMPLE_VARIABLES);
    ENSURE(copy->complete && copy->figures.count == 2 && copy->figures.data[1].value == 1);
    ENSURE(copy->variables.data[4].alias_of == 0 && copy->variables.data[4].negated);
    assert_string_equal(copy->variables.data[0].description, "position, \"x\"");
    ensure_sample(&f, copy);
    remove(first);
    remove(second);
    fixture_close(&f);
}

// The rows come from the file that is replaced.
static void a_journal_can_be_copied_onto_itself(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "itself.rbj");
    ENSURE(sample_journal(path, rb_journal_options(), &f.arena, &f.diag) == RB_OK);
    RbResult *r = read_file(&f, path, RB_JOURNAL_STREAM);
    ENSURE(rb_result_write(path, r, &f.arena, f.scratch, &f.diag) == RB_OK);
    RbResult *copy = read_file(&f, path, RB_JOURNAL_LOAD);
    assert_int_equal(copy->row_count, SAMPLE_ROWS);
    ensure_sample(&f, copy);
    remove(path);
    fixture_close(&f);
}

static void content_decides_before_the_name(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *mat = sample_path(&f, "content.mat"), *odd = sample_path(&f, "content.csv");
    ENSURE(rb_result_write(mat, sample_result(&f), &f.arena, f.scratch, &f.diag) == RB_OK);
    ENSURE(rename(mat, odd) == 0);
    ENSURE(read_file(&f, odd, RB_JOURNAL_LOAD)->row_count == SAMPLE_ROWS);
    write_text(mat, "time,x\n1,2\n");
    ENSURE(read_file(&f, mat, RB_JOURNAL_LOAD)->row_count == 1);
    remove(mat);
    remove(odd);
    fixture_close(&f);
}

static void what_is_no_result(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "no-result.txt");
    RbResult *r;
    write_text(path, "hello");
    ENSURE(rb_result_read(path, RB_JOURNAL_LOAD, &f.arena, f.scratch, &f.diag, &r) == RB_ERROR_IO &&
           !r);
    assert_string_equal(
        f.diag.messages.data[0].text,
        "this is no result: neither a journal (.rbj) nor a MAT (.mat) nor a CSV file (.csv)");
    write_text(path, "MATLAB 5.0 MAT-file, Platform: GLNXA64");
    ENSURE(rb_result_read(path, RB_JOURNAL_LOAD, &f.arena, f.scratch, &f.diag, &r) == RB_ERROR_IO);
    assert_string_equal(f.diag.messages.data[1].text,
                        "this is a MAT file of level 5; results are MAT files of level 4");
    remove(path);
    ENSURE(rb_result_read("/nonexistent/a.mat", RB_JOURNAL_LOAD, &f.arena, f.scratch, &f.diag,
                          &r) == RB_ERROR_IO);
    assert_string_equal(fixture_message(&f, 2),
                        "/nonexistent/a.mat: error: cannot open: No such file or directory [io]\n");
    ENSURE(rb_result_read("/", RB_JOURNAL_LOAD, &f.arena, f.scratch, &f.diag, &r) == RB_ERROR_IO);
    assert_string_equal(fixture_message(&f, 3), "/: error: cannot read: Is a directory [io]\n");
    ENSURE(rb_result_write("a.xls", sample_result(&f), &f.arena, f.scratch, &f.diag) ==
           RB_ERROR_USAGE);
    assert_string_equal(
        fixture_message(&f, 4),
        "a.xls: error: the name of a result must end in .rbj (journal), .mat or .csv [usage]\n");
    ENSURE(rb_result_can_write("x/a.MAT") && !rb_result_can_write("x.csv/a") &&
           !rb_result_can_write("a"));
    fixture_close(&f);
}

static bool matches(Fixture *f, const char *expression, const char *name) {
    RbFilter *filter;
    ENSURE(rb_filter_compile(expression, &f->arena, &f->diag, &filter) == RB_OK);
    return rb_filter_matches(filter, name);
}

static void a_filter_matches_whole_names(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    ENSURE(matches(&f, NULL, "anything") && matches(&f, "", "x") && matches(&f, ".*", "x"));
    ENSURE(matches(&f, "body", "body") && !matches(&f, "body", "body1") &&
           !matches(&f, "ody", "body"));
    ENSURE(matches(&f, "body\\.r\\[[12]\\]", "body.r[2]") &&
           !matches(&f, "body\\.r\\[[12]\\]", "body.r[3]"));
    ENSURE(matches(&f, "a|ab", "ab") && matches(&f, "ab|a", "a") && !matches(&f, "a|b", "ab"));
    ENSURE(matches(&f, "(a|ab)(c|bcd)", "abcd"));
    fixture_close(&f);
}

static void a_bad_filter_is_explained(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbFilter *filter;
    ENSURE(rb_filter_compile("body[1", &f.arena, &f.diag, &filter) == RB_ERROR_USAGE);
    ENSURE(rb_filter_compile("a)(b", &f.arena, &f.diag, &filter) == RB_ERROR_USAGE);
    assert_string_equal(
        fixture_message(&f, 0),
        "rattleback: error: the variable filter 'body[1' is not a regular expression: Unmatched [, "
        "[^, [:, [., or [= [usage]\n");
    assert_string_equal(
        fixture_message(&f, 1),
        "rattleback: error: the variable filter 'a)(b' is not a regular expression: Unmatched ( or "
        "\\( [usage]\n");
    fixture_close(&f);
}

static void a_filter_selects(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = sample_result(&f);
    RbFilter *filter;
    ENSURE(rb_filter_compile("flange\\..*|m", &f.arena, &f.diag, &filter) == RB_OK);
    RbResult *part = rb_filter_select(filter, r, &f.arena, f.scratch, &f.diag);
    assert_int_equal(part->variables.count, 3);
    ensure_sample(&f, part);
    ENSURE(rb_filter_compile("flange", &f.arena, &f.diag, &filter) == RB_OK);
    part = rb_filter_select(filter, r, &f.arena, f.scratch, &f.diag);
    assert_int_equal(part->variables.count, 0);
    assert_string_equal(fixture_message(&f, 0), "rattleback: warning: the variable filter 'flange' "
                                                "matches none of the 8 variables; it must "
                                                "match whole names, such as 'body1.r[1]'\n");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_format_to_format),
        cmocka_unit_test(a_journal_copies_exactly),
        cmocka_unit_test(a_journal_can_be_copied_onto_itself),
        cmocka_unit_test(content_decides_before_the_name),
        cmocka_unit_test(what_is_no_result),
        cmocka_unit_test(a_filter_matches_whole_names),
        cmocka_unit_test(a_bad_filter_is_explained),
        cmocka_unit_test(a_filter_selects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

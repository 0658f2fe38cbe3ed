// SPDX-License-Identifier: MIT
// CSV: the exact text, the way back, and every complaint with line and column.
#include "samples.h"

#include <unistd.h>

#include "io/csv.h"

static RbStatus read_text(Fixture *f, const char *text, RbResult **r) {
    return rb_csv_read_bytes("a.csv", text, strlen(text), &f->arena, f->scratch, &f->diag, r);
}

static const char *file_text(Fixture *f, const char *path) {
    RbBytes bytes;
    ENSURE(rb_file_read(path, 0, &f->arena, &f->diag, &bytes) == RB_OK);
    return (const char *)bytes.data;
}

static void writes_exactly_this(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "exact.csv");
    ENSURE(rb_csv_write(path, sample_result(&f), (RbCsvOptions){0}, f.scratch, &f.diag) == RB_OK);
    assert_string_equal(
        file_text(&f, path),
        "\"time\",\"body1.r[1]\",\"body2.r[1]\",\"flange.s\",\"flange.minus\",\"contact, "
        "\"\"ball\"\".open\",\"rod.n\",\"\xce\xb1\xe2\x82\x82.w\"\n"
        "0,1,-0,1,-1,1,5,\n"
        "0.1,0.3333333333333333,2.781342323134e-309,0.3333333333333333,"
        "-0.3333333333333333,1,5,\n"
        "0.3,-1e-300,1.7976931348623157e+308,-1e-300,1e-300,1,5,\n"
        "0.3,5e-324,-inf,5e-324,-5e-324,0,5,\n"
        "0.3,0.25,,0.25,-0.25,,40,7\n"
        "0.3,0.25,,0.25,-0.25,,40,\n"
        "0.7,2.5e+17,,2.5e+17,-2.5e+17,,40,-7.25\n");
    remove(rb_arena_printf(&f.arena, "%s-metadata.json", path));
    remove(path);
    fixture_close(&f);
}

static void what_goes_out_comes_back(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "back.csv");
    ENSURE(rb_csv_write(path, sample_result(&f), (RbCsvOptions){.parameters = true}, f.scratch,
                        &f.diag) == RB_OK);
    RbResult *r;
    ENSURE(rb_csv_read(path, &f.arena, f.scratch, &f.diag, &r) == RB_OK);
    assert_int_equal(r->variables.count, SAMPLE_VARIABLES);
    assert_int_equal(r->row_count, SAMPLE_ROWS);
    ENSURE(r->experiment.start_time == 0 && r->experiment.stop_time == 0.7 && r->complete);
    ensure_sample(&f, r);
    remove(rb_arena_printf(&f.arena, "%s-metadata.json", path));
    remove(path);
    fixture_close(&f);
}

// Units, descriptions and the model's name come back from the file beside the table; one that does
// not fit is left alone.
static void units_come_back(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "units.csv");
    const char *meta = rb_arena_printf(&f.arena, "%s-metadata.json", path);
    RbResult *from = sample_result(&f), *r;
    ENSURE(rb_csv_write(path, from, (RbCsvOptions){.parameters = true}, f.scratch, &f.diag) ==
           RB_OK);
    ENSURE(rb_csv_read(path, &f.arena, f.scratch, &f.diag, &r) == RB_OK);
    int told = 0;
    for (int i = 0; i < from->variables.count; i++) {
        const RbResultVariable *want = &from->variables.data[i], *got = &r->variables.data[i];
        assert_string_equal(got->name, want->name);
        assert_string_equal(got->unit, want->unit);
        assert_string_equal(got->description, want->description);
        told += want->unit[0] != 0;
    }
    ENSURE(told > 0);
    assert_string_equal(r->experiment.model, from->experiment.model);
    // those of another table
    FILE *file = fopen(meta, "w");
    ENSURE(file && fputs("{\"tableSchema\":{\"columns\":[{},{\"titles\":\"other\"}]}}", file) >= 0);
    fclose(file);
    ENSURE(rb_csv_read(path, &f.arena, f.scratch, &f.diag, &r) == RB_OK);
    ENSURE(f.diag.messages.count == 1 && f.diag.messages.data[0].severity == RB_WARNING);
    for (int i = 0; i < r->variables.count; i++) ENSURE(!r->variables.data[i].unit[0]);
    remove(meta);
    ENSURE(rb_csv_read(path, &f.arena, f.scratch, &f.diag, &r) == RB_OK);
    ENSURE(f.diag.messages.count == 1);
    remove(rb_arena_printf(&f.arena, "%s-metadata.json", path));
    remove(path);
    fixture_close(&f);
}

static void reads_what_others_write(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r;
    ENSURE(read_text(&f, "\xef\xbb\xbftime;a;b\r\n0; 1 ;\"2\"\r\n\r\n1;NaN;\r\n", &r) == RB_OK);
    assert_int_equal(r->row_count, 2);
    double *a = rb_result_series(r, rb_result_find(r, "a"), &f.arena);
    double *b = rb_result_series(r, rb_result_find(r, "b"), &f.arena);
    ENSURE(a[0] == 1 && isnan(a[1]) && b[0] == 2 && isnan(b[1]));
    ENSURE(read_text(&f, "time\n1\n2", &r) == RB_OK && r->row_count == 2 &&
           r->variables.count == 0);
    ENSURE(read_text(&f, "time,x", &r) == RB_OK && r->row_count == 0 && r->variables.count == 1);
    ENSURE(read_text(&f, "time\tx\n1\t2\n", &r) == RB_OK && r->row_count == 1);
    assert_int_equal(f.diag.messages.count, 0);
    fixture_close(&f);
}

static void names_place_and_reason(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "a.csv:1:1: error: the file is empty [io]\n"},
        {"Time [s],x\n",
         "a.csv:1:1: error: the first column is 'Time [s]'; it must be 'time' [io]\n"},
        {"time,a,b,a\n", "a.csv:1:10: error: there are two columns 'a' [io]\n"},
        {"time,a,time\n", "a.csv:1:8: error: there are two columns 'time' [io]\n"},
        {"time,,b\n", "a.csv:1:6: error: a name is empty [io]\n"},
        {"\"time\",\"a\n1,2\n", "a.csv:1:8: error: the closing quote is missing [io]\n"},
        {"\"time\",\"a\"b\n", "a.csv:1:11: error: expected a comma after a name [io]\n"},
        {"time,a\n0,1\n1\n",
         "a.csv:3:2: error: the line has fewer than 2 fields, as many as there are names [io]\n"},
        {"time,a\n0,1,2\n",
         "a.csv:2:4: error: the line has more than 2 fields, as many as there are names [io]\n"},
        {"time,a\n0,1\n1,abc\n", "a.csv:3:3: error: 'abc' is not a number [io]\n"},
        {"time,a\n0,1\n1,0x10\n", "a.csv:3:3: error: '0x10' is not a number [io]\n"},
        {"time,a\n,1\n", "a.csv:2:1: error: the time is not a finite number [io]\n"},
        {"time,a\ninf,1\n", "a.csv:2:1: error: the time is not a finite number [io]\n"},
        {"time,a\n1,1\n0.5,1\n", "a.csv:3:1: error: the time goes back from 1 to 0.5 [io]\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture f;
        fixture_open(&f);
        RbResult *r;
        ENSURE(read_text(&f, cases[i].text, &r) == RB_ERROR_IO && !r);
        assert_string_equal(fixture_message(&f, 0), cases[i].message);
        fixture_close(&f);
    }
}

// A file cut anywhere is either refused or a table with fewer rows; the last number may have lost
// digits.
static void cut_anywhere(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "cut.csv");
    ENSURE(rb_csv_write(path, sample_result(&f), (RbCsvOptions){0}, f.scratch, &f.diag) == RB_OK);
    const char *text = file_text(&f, path);
    int refused = 0;
    for (size_t size = 0; size < strlen(text); size++) {
        RbArena arena = rb_arena(&f.heap);
        RbDiag diag = rb_diag(&arena);
        RbResult *r;
        char *copy = malloc(size + 1); // so that a sanitizer sees a step too far
        memcpy(copy, text, size);
        RbStatus status = rb_csv_read_bytes("a.csv", copy, size, &arena, f.scratch, &diag, &r);
        ENSURE(status == RB_OK || (status == RB_ERROR_IO && diag.error_count == 1));
        ENSURE(status != RB_OK || r->row_count <= SAMPLE_ROWS);
        refused += status != RB_OK;
        free(copy);
        rb_arena_free(&arena);
    }
    ENSURE(refused > 100);
    remove(rb_arena_printf(&f.arena, "%s-metadata.json", path));
    remove(path);
    fixture_close(&f);
}

static void cannot_write(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = sample_result(&f);
    ENSURE(rb_csv_write("/nonexistent/a.csv", r, (RbCsvOptions){0}, f.scratch, &f.diag) ==
           RB_ERROR_IO);
    scribble(f.scratch);
    assert_string_equal(
        fixture_message(&f, 0),
        "/nonexistent/a.csv: error: cannot write: No such file or directory [io]\n");
    if (access("/dev/full", W_OK) == 0) {
        ENSURE(rb_csv_write("/dev/full", r, (RbCsvOptions){0}, f.scratch, &f.diag) == RB_ERROR_IO);
        assert_string_equal(fixture_message(&f, 1),
                            "/dev/full: error: cannot write: No space left on device [io]\n");
    }
    fixture_close(&f);
}

static RbStatus read_and_write(Fixture *f, void *path) {
    RbResult *r;
    RB_TRY(rb_csv_read(path, &f->arena, f->scratch, &f->diag, &r));
    return rb_csv_write(path, r, (RbCsvOptions){0}, f->scratch, &f->diag);
}

static void running_out_of_memory_is_survived(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "memory.csv");
    FILE *file = fopen(path, "w");
    fprintf(file, "\"time\"");
    for (int i = 0; i < 300; i++) fprintf(file, ",\"variable%d\"", i);
    for (int row = 0; row < 5; row++) {
        fprintf(file, "\n%d", row);
        for (int i = 0; i < 300; i++) fprintf(file, ",%d", i);
    }
    fclose(file);
    fixture_survives(read_and_write, (void *)path, 7);
    remove(rb_arena_printf(&f.arena, "%s-metadata.json", path));
    remove(path);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_exactly_this),
        cmocka_unit_test(what_goes_out_comes_back),
        cmocka_unit_test(units_come_back),
        cmocka_unit_test(reads_what_others_write),
        cmocka_unit_test(names_place_and_reason),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(cannot_write),
        cmocka_unit_test(running_out_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

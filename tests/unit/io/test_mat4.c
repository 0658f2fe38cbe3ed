// SPDX-License-Identifier: MIT
// MAT level 4: the way out and back; an independent reader (libmatio) sees the same; files of other
// programs; complaints.
#include "samples.h"

#ifdef RB_HAVE_MATIO
#include <matio.h>
#endif

#include "io/bytes.h"
#include "io/mat4.h"

static void what_goes_out_comes_back(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "back.mat");
    ENSURE(rb_mat4_write(path, sample_result(&f), f.scratch, &f.diag) == RB_OK);
    RbResult *r;
    ENSURE(rb_mat4_read(path, &f.arena, f.scratch, &f.diag, &r) == RB_OK);
    assert_int_equal(f.diag.messages.count, 0);
    assert_int_equal(r->variables.count, SAMPLE_VARIABLES);
    assert_int_equal(r->row_count, SAMPLE_ROWS);
    ENSURE(r->experiment.start_time == 0 && r->experiment.stop_time == 0.7);
    ensure_sample(&f, r);
    const RbResultVariable *v = r->variables.data;
    ENSURE(v[3].parameter && v[3].value == 0.1);
    ENSURE(v[2].alias_of == 0 && !v[2].negated && v[4].alias_of == 0 && v[4].negated);
    assert_string_equal(v[0].unit, "m");
    assert_string_equal(v[0].description, "position, \"x\"");
    assert_string_equal(v[1].unit, "m");
    assert_string_equal(v[1].description, "");
    assert_string_equal(v[6].unit, "");
    assert_string_equal(v[7].unit, "rad/s");
    assert_string_equal(v[7].description, "new: \xce\xb1");
    remove(path);
    fixture_close(&f);
}

#ifdef RB_HAVE_MATIO
static matvar_t *get(mat_t *file, const char *name, size_t rows, size_t columns) {
    matvar_t *m = Mat_VarRead(file, name);
    ENSURE(m && m->rank == 2);
    assert_int_equal(m->dims[0], rows);
    assert_int_equal(m->dims[1], columns);
    return m;
}

// The trajectory of a name as a reader finds it that knows only the published layout.
static void check_trajectory(Fixture *f, mat_t *file, const char *want_name, int index,
                             const double *want) {
    matvar_t *name = get(file, "name", 20, SAMPLE_VARIABLES + 1);
    char text[32] = {0};
    memcpy(text, (char *)name->data + 20 * (index + 1), 20);
    assert_string_equal(text, want_name);
    matvar_t *info = get(file, "dataInfo", 4, SAMPLE_VARIABLES + 1);
    const double *numbers =
        (const double *)info->data + 4 * (index + 1); // libmatio converts the integers
    int four[2] = {(int)numbers[0], (int)numbers[1]};
    matvar_t *data = Mat_VarRead(file, four[0] == 1 ? "data_1" : "data_2");
    ENSURE(data && four[1] != 0 && (size_t)abs(four[1]) <= data->dims[0]);
    for (size_t i = 0; i < SAMPLE_ROWS; i++) {
        size_t column = four[0] == 1 ? 0 : i;
        double value = ((double *)data->data)[column * data->dims[0] + (size_t)abs(four[1]) - 1];
        ENSURE(same_bits(four[1] < 0 ? -value : value, want[i]));
    }
    Mat_VarFree(name);
    Mat_VarFree(info);
    Mat_VarFree(data);
    (void)f;
}
#endif

static void libmatio_sees_the_same(void **state) {
    (void)state;
#ifdef RB_HAVE_MATIO
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "matio.mat");
    ENSURE(rb_mat4_write(path, sample_result(&f), f.scratch, &f.diag) == RB_OK);
    mat_t *file = Mat_Open(path, MAT_ACC_RDONLY);
    ENSURE(file && Mat_GetVersion(file) == MAT_FT_MAT4);
    size_t count = 0;
    char *const *names = Mat_GetDir(file, &count);
    static const char *const order[] = {"Aclass", "name",   "description", "dataInfo",
                                        "data_1", "data_2", "model"};
    assert_int_equal(count, 7);
    for (int i = 0; i < 7; i++) assert_string_equal(names[i], order[i]);
    matvar_t *aclass = get(file, "Aclass", 4, 11);
    ENSURE(aclass->class_type == MAT_C_CHAR);
    assert_memory_equal(aclass->data, "A1 bt. ir1 na  Tj  re  ac  nt  so   r   y   ", 44);
    Mat_VarFree(aclass);
    matvar_t *description = get(file, "description", 19, SAMPLE_VARIABLES + 1);
    assert_memory_equal(description->data, "Simulation time [s]", 19);
    assert_memory_equal((char *)description->data + 19, "position, \"x\" [m]\0", 18);
    assert_memory_equal((char *)description->data + 38, "[m]\0\0", 5);
    Mat_VarFree(description);
    matvar_t *parameters = get(file, "data_1", 2, 2);
    const double *p = parameters->data;
    ENSURE(p[0] == 0 && p[1] == 0.1 && p[2] == 0.7 && p[3] == 0.1); // times and m, twice
    Mat_VarFree(parameters);
    matvar_t *data =
        get(file, "data_2", 6, SAMPLE_ROWS); // time, two bodies, contact, rod.n, the new one
    for (size_t i = 0; i < SAMPLE_ROWS; i++)
        ENSURE(((double *)data->data)[6 * i] == sample_times[i]);
    Mat_VarFree(data);
    for (int v = 0; v < SAMPLE_VARIABLES; v++)
        check_trajectory(&f, file, sample_names[v], v, sample_table[v]);
    Mat_Close(file);
    remove(path);
    fixture_close(&f);
#else
    print_message("libmatio is not installed: skipped\n");
    skip();
#endif
}

// ---- files as other programs write them, byte by byte

typedef struct Forge {
    unsigned char bytes[2048];
    size_t size;
} Forge;

static void forge_header(Forge *to, const char *name, uint32_t type, uint32_t rows,
                         uint32_t columns) {
    unsigned char *p = to->bytes + to->size;
    rb_put_u32(p, type);
    rb_put_u32(p + 4, rows);
    rb_put_u32(p + 8, columns);
    rb_put_u32(p + 12, 0);
    rb_put_u32(p + 16, (uint32_t)strlen(name) + 1);
    memcpy(p + 20, name, strlen(name) + 1);
    to->size += 20 + strlen(name) + 1;
}

static void forge_bytes(Forge *to, const void *bytes, size_t size) {
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

// A file in normal layout, single precision, names padded with blanks: x = -2nd column, y = 2nd, p
// = 7.
static Forge forge_normal(void) {
    Forge to = {.size = 0};
    forge_header(&to, "Aclass", 51, 4, 11);
    forge_bytes(&to, "A1 bt. ir1 na  Nj  oe  rc  mt  ao  lr   y   ", 44);
    forge_header(&to, "name", 51, 4, 4); // rows Time, x, y1, p; stored column by column
    forge_bytes(&to, "Txypi 1 m   e   ", 16);
    forge_header(&to, "description", 51, 4, 12);
    const char *rows[4] = {"Time in [s] ", "x [rad|deg] ", "y           ", "p [m:#(t=1)]"};
    for (int column = 0; column < 12; column++) {
        for (int row = 0; row < 4; row++) forge_bytes(&to, rows[row] + column, 1);
    }
    double info[16] = {0, 2, 2, 1, 1, -2, 2, 2, 0, 0, 0, 0, -1, -1, -1, 0};
    forge_header(&to, "dataInfo", 0, 4, 4);
    forge_bytes(&to, info, sizeof info);
    float parameters[4] = {0, 2, 7, 7}, data[6] = {0, 1, 2, 0.5F, 0.25F, 0.125F};
    forge_header(&to, "data_1", 10, 2, 2);
    forge_bytes(&to, parameters, sizeof parameters);
    forge_header(&to, "data_2", 10, 3, 2);
    forge_bytes(&to, data, sizeof data);
    return to;
}

static void reads_the_normal_layout(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Forge to = forge_normal();
    RbResult *r;
    ENSURE(rb_mat4_read_bytes("n.mat", to.bytes, to.size, &f.arena, f.scratch, &f.diag, &r) ==
           RB_OK);
    assert_int_equal(r->row_count, 3);
    assert_int_equal(r->variables.count, 3);
    double *times = rb_result_times(r, &f.arena);
    double *x = rb_result_series(r, rb_result_find(r, "x"), &f.arena);
    double *y = rb_result_series(r, rb_result_find(r, "y1"), &f.arena);
    for (int i = 0; i < 3; i++) ENSURE(times[i] == i && x[i] == -ldexp(1, -1 - i) && y[i] == -x[i]);
    ENSURE(r->variables.data[2].parameter && r->variables.data[2].value == 7);
    assert_string_equal(r->variables.data[0].unit, "rad");
    assert_string_equal(r->variables.data[0].description, "x");
    assert_string_equal(r->variables.data[1].unit, "");
    assert_string_equal(r->variables.data[2].unit, "m");
    ENSURE(r->experiment.stop_time == 2);
    fixture_close(&f);
}

// ---- complaints

static void expect_error(Fixture *f, const void *bytes, size_t size, const char *text) {
    RbResult *r;
    int before = f->diag.messages.count;
    ENSURE(rb_mat4_read_bytes("a.mat", bytes, size, &f->arena, f->scratch, &f->diag, &r) ==
               RB_ERROR_IO &&
           !r);
    assert_string_equal(fixture_message(f, before),
                        rb_arena_printf(&f->arena, "a.mat: error: %s [io]\n", text));
}

static void says_what_is_wrong(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Forge good = forge_normal(), to = good;
    expect_error(&f, "", 0, "the file is empty");
    expect_error(&f, to.bytes, 10, "the file ends at byte 10, inside the header of a matrix");
    expect_error(&f, to.bytes, 23, "the file ends at byte 23, inside the name of a matrix");
    expect_error(&f, to.bytes, 70,
                 "the file ends at byte 70, inside the matrix 'Aclass' of 4 by 11 numbers that "
                 "begins at byte 0");
    expect_error(&f, to.bytes, 71,
                 "the matrix 'name' is missing: this is not a simulation result, or it is cut");
    const char *wrong =
        "what is at byte 0 is not a real, full, little-endian matrix of a MAT file of level 4";
    expect_error(&f, "this is a text and not a MAT file", 33, wrong);
    rb_put_u32(to.bytes + 12, 1); // imaginary part
    expect_error(&f, to.bytes, to.size, wrong);
    to = good;
    to.bytes[27] = 'B';
    expect_error(&f, to.bytes, to.size,
                 "the matrix 'Aclass' does not say 'Atrajectory': this is not a simulation result");
    to = good;
    to.bytes[27 + 3] = 'c';
    expect_error(&f, to.bytes, to.size,
                 "the matrix 'Aclass' says neither 'binTrans' nor 'binNormal'");
    to = good;
    size_t names = 71 + 25; // offset of the letters of 'name'
    to.bytes[names] = 't';
    to.bytes[names + 4] = 'a';
    expect_error(&f, to.bytes, to.size, "the first variable is 'tame'; it must be 'time'");
    to = good;
    to.bytes[names + 2] = 'x';
    to.bytes[names + 6] = ' ';
    expect_error(&f, to.bytes, to.size, "there are two variables 'x'");
    to = good;
    to.bytes[names + 1] = ' ';
    expect_error(&f, to.bytes, to.size, "variable 2 has no name");
    to = good;
    size_t info = names + 16 + 32 + 48 + 29; // offset of the numbers of 'dataInfo'
    rb_put_f64(to.bytes + info + 8 * 5, 9);
    expect_error(
        &f, to.bytes, to.size,
        "column 2 of the matrix 'dataInfo' refers to row 9 of table 2, which does not exist");
    rb_put_f64(to.bytes + info + 8 * 5, NAN);
    expect_error(
        &f, to.bytes, to.size,
        "column 2 of the matrix 'dataInfo' refers to row nan of table 2, which does not exist");
    to = good;
    rb_put_u32(to.bytes + to.size - 6 * 4, 0x40a00000); // 5 as a float
    expect_error(&f, to.bytes, to.size, "the time goes from 5 to 1 at point 2");
    to = good;
    rb_put_u32(to.bytes + 71 + 4, 2); // 2 by 8 letters: two names
    rb_put_u32(to.bytes + 71 + 8, 8);
    expect_error(&f, to.bytes, to.size,
                 "the matrices 'name', 'description' and 'dataInfo' do not fit together");
    fixture_close(&f);
}

static void cut_and_damaged_anywhere(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Forge good = forge_normal();
    for (size_t size = 0; size < good.size; size++) {
        RbArena arena = rb_arena(&f.heap);
        RbDiag diag = rb_diag(&arena);
        RbResult *r;
        unsigned char *copy = malloc(size + 1);
        memcpy(copy, good.bytes, size);
        ENSURE(rb_mat4_read_bytes("a.mat", copy, size, &arena, f.scratch, &diag, &r) ==
               RB_ERROR_IO);
        assert_int_equal(diag.error_count, 1);
        free(copy);
        rb_arena_free(&arena);
    }
    for (size_t i = 0; i < 8 * good.size;
         i++) { // any bit: an error or another value, nothing worse
        RbArena arena = rb_arena(&f.heap);
        RbDiag diag = rb_diag(&arena);
        RbResult *r;
        Forge bad = good;
        bad.bytes[i / 8] ^= (unsigned char)(1 << i % 8);
        RbStatus status =
            rb_mat4_read_bytes("a.mat", bad.bytes, bad.size, &arena, f.scratch, &diag, &r);
        ENSURE(status == RB_OK || (status == RB_ERROR_IO && diag.error_count == 1));
        rb_arena_free(&arena);
    }
    fixture_close(&f);
}

// 3e5 rows of 1000 numbers, all of them the same few in memory: the warning comes before anything
// is written.
static void warns_of_large_files(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbResult *r = sample_result(&f);
    r->row_count = 60000000; // 6 columns of 8 bytes
    const char *path = "/nonexistent/large.mat";
    ENSURE(rb_mat4_write(path, r, f.scratch, &f.diag) == RB_ERROR_IO);
    assert_string_equal(
        fixture_message(&f, 0),
        "/nonexistent/large.mat: warning: the file will have 2.9 GB; many programs cannot read MAT "
        "files of more than 2 GB: write fewer variables or a longer output interval\n");
    r->row_count = (size_t)3 << 30;
    ENSURE(rb_mat4_write(path, r, f.scratch, &f.diag) == RB_ERROR_IO);
    assert_string_equal(
        fixture_message(&f, 2),
        "/nonexistent/large.mat: error: 3221225472 rows are too many for a MAT file of level 4; at "
        "most 2147483647 fit [io]\n");
    fixture_close(&f);
}

static RbStatus read_and_write(Fixture *f, void *path) {
    RbResult *r;
    RB_TRY(rb_mat4_read(path, &f->arena, f->scratch, &f->diag, &r));
    return rb_mat4_write(path, r, f->scratch, &f->diag);
}

static void running_out_of_memory_is_survived(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *path = sample_path(&f, "memory.mat");
    RbResult *wide = rb_result_new(&f.arena);
    RbResultEntry entries[300] = {0};
    double values[300] = {0};
    for (int i = 0; i < 300; i++) entries[i].name = rb_arena_printf(&f.arena, "variable%d", i);
    rb_result_begin_segment(wide, entries, 300);
    for (int i = 0; i < 5; i++) rb_result_add_row(wide, i, values);
    rb_result_finish(wide, f.scratch);
    ENSURE(rb_mat4_write(path, wide, f.scratch, &f.diag) == RB_OK);
    fixture_survives(read_and_write, (void *)path, 7);
    remove(path);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_out_comes_back),
        cmocka_unit_test(libmatio_sees_the_same),
        cmocka_unit_test(reads_the_normal_layout),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(cut_and_damaged_anywhere),
        cmocka_unit_test(warns_of_large_files),
        cmocka_unit_test(running_out_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

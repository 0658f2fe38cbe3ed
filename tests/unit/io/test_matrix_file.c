// SPDX-License-Identifier: MIT
// Matrices from files: the three formats, byte by byte as their definitions say, and what is wrong
// with bad ones.
#include <string.h>

#include "io/matrix_file.h"
#include "testing.h"

static RbStatus read(Fixture *f, const char *path, const void *bytes, size_t size, const char *name,
                     RbMatrixFileOptions o, RbMatrixFile *m) {
    return rb_matrix_file_bytes(path, bytes, size, name, o, &f->arena, &f->diag, m);
}

static RbStatus read_text(Fixture *f, const char *path, const char *text, const char *name,
                          RbMatrixFile *m) {
    return read(f, path, text, strlen(text), name, (RbMatrixFileOptions){0}, m);
}

static void text(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMatrixFile m;
    const char *good = "#1\n# comment\ndouble tab1(2,2)   # comment line\n  0   0\n  1,\t+2.e1\n"
                       "float tab2(1,3) 1; 2; -3 # end\n";
    ENSURE(read_text(&f, "t.txt", good, "tab1", &m) == RB_OK);
    ENSURE(m.rows == 2 && m.columns == 2 && m.data[2] == 1 && m.data[3] == 20);
    ENSURE(read_text(&f, "t.txt", good, "tab2", &m) == RB_OK);
    ENSURE(m.rows == 1 && m.columns == 3 && m.data[2] == -3);
    ENSURE(read_text(&f, "t.txt", good, "tab3", &m) != RB_OK);
    ENSURE(strstr(fixture_message(&f, 0), "it holds 'tab1', 'tab2'"));
    ENSURE(read_text(&f, "t.txt", "#1\ndouble a(2,2)\n1 2\n3 x\n", "a", &m) != RB_OK);
    ENSURE(strstr(fixture_message(&f, 1), "t.txt:4"));
    ENSURE(strstr(fixture_message(&f, 1), "row 2, column 2 of table 'a'"));
    ENSURE(read_text(&f, "t.txt", "#1\ndouble a 1 2\n", "a", &m) != RB_OK);
    ENSURE(read_text(&f, "t.txt", "double a(1,1) 1", "a", &m) != RB_OK);
    ENSURE(read_text(&f, "t.txt", "#1\ndouble a(99999,99999) 1", "a", &m) != RB_OK);
    fixture_close(&f);
}

static void csv(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMatrixFile m;
    const char *good = "time; x\n0; 1\r\n2;3\n\n4; 5";
    RbMatrixFileOptions o = {';', 1};
    ENSURE(read(&f, "t.csv", good, strlen(good), "Values", o, &m) == RB_OK);
    ENSURE(m.rows == 3 && m.columns == 2);
    for (int i = 0; i < 6; i++) ENSURE(m.data[i] == i);
    ENSURE(read_text(&f, "t.csv", "1,2\n3\n", "", &m) != RB_OK);
    ENSURE(strstr(fixture_message(&f, 0), "1 numbers, where the lines before have 2"));
    ENSURE(read_text(&f, "t.csv", "a,b\n1,2\n", "", &m) != RB_OK);
    ENSURE(read_text(&f, "t.csv", "", "", &m) != RB_OK);
    fixture_close(&f);
}

// Header: type (0 double), rows, columns, imaginary, length of the name; columns one after another.
static size_t put_matrix(unsigned char *to, const char *name, unsigned rows, unsigned columns,
                         const double *data) {
    uint32_t header[5] = {0, rows, columns, 0, (uint32_t)strlen(name) + 1};
    memcpy(to, header, sizeof header);
    memcpy(to + 20, name, strlen(name) + 1);
    memcpy(to + 21 + strlen(name), data, rows * columns * 8);
    return 21 + strlen(name) + rows * columns * 8;
}

static void mat(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMatrixFile m;
    unsigned char bytes[256];
    const double one[] = {9}, data[] = {1, 2, 3, 4, 5, 6}; // columns (1 2), (3 4), (5 6)
    size_t size = put_matrix(bytes, "first", 1, 1, one);
    size += put_matrix(bytes + size, "tab", 2, 3, data);
    ENSURE(read(&f, "t.mat", bytes, size, "tab", (RbMatrixFileOptions){0}, &m) == RB_OK);
    const double rows[] = {1, 3, 5, 2, 4, 6};
    ENSURE(m.rows == 2 && m.columns == 3 && memcmp(m.data, rows, sizeof rows) == 0);
    for (size_t cut = 1; cut < size; cut++) // no cut file is taken for a whole one
        ENSURE(read(&f, "t.mat", bytes, cut, "tab", (RbMatrixFileOptions){0}, &m) != RB_OK);
    const char *level5 = "MATLAB 5.0 MAT-file, Platform: GLNXA64, and so on";
    ENSURE(read_text(&f, "t.mat", level5, "tab", &m) != RB_OK);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text),
        cmocka_unit_test(csv),
        cmocka_unit_test(mat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Table blocks in models (tests/models/Tables.mo): integrals in closed form, events at jumps,
// derivatives through index reduction, files, checkpoints.
#include "translate/run_model.h"

static const char *const folder = RB_BINARY_DIR;

static void open_case(Run *r, const char *name) {
    char class[64];
    snprintf(class, sizeof class, "TableCases.%s", name);
    model_open(r, "Tables.mo", class);
}

// 0 until 1 s, then the trapezoids of 1, 4, 9, 16: 2.5 + 6.5 + 12.5.
static void course(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Course");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "x"), 21.5, 1e-7);
    const double *y = run_series(&r, "course.y[1]"), *t = rb_result_times(r.result, &r.f.arena);
    int jumps = 0;
    for (size_t i = 0; i + 1 < r.result->row_count; i++) {
        if (t[i] < 1) ENSURE(y[i] == 0);
        jumps += t[i] == 1 && t[i + 1] == 1 && y[i] == 0 && y[i + 1] == 1;
    }
    ENSURE(jumps == 1);
    run_close(&r);
}

// Offset 2 for 186 s, and six teeth of 30 s with the mean 1/2, in seconds 6 ... 186.
static void saw_tooth(void **state) {
    (void)state;
    Run r;
    open_case(&r, "SawTooth");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "x"), 2 * 186 + 6 * 15, 1e-5);
    run_close(&r);
}

static void stairs(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Stairs");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "x[1]"), 0.5 * 1 + 1 * 2 + 0.5 * 4, 1e-12);
    ENSURE_NEAR(model_last(&r, "x[2]"), -0.5 + 0 + 1.5, 1e-12);
    run_close(&r);
}

// On an even grid the smooth table is u^2 exactly, so v = 2 p p' = 2 p.
static void derivative(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Square");
    model_go(&r);
    const double *p = run_series(&r, "p"), *v = run_series(&r, "v"), *y = run_series(&r, "y");
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(y[i], p[i] * p[i], 1e-12);
        ENSURE_NEAR(v[i], 2 * p[i], 1e-11);
    }
    run_close(&r);
}

static void plane(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Plane");
    model_go(&r);
    const double *z = run_series(&r, "z");
    ENSURE_NEAR(z[0], 1, 1e-15);
    ENSURE_NEAR(model_last(&r, "z"), 3, 1e-14); // the example in the documentation of the block
    ENSURE_NEAR(model_last(&r, "two.y[1]"), 0.5, 1e-15);
    ENSURE_NEAR(model_last(&r, "two.y[2]"), 20, 1e-13);
    run_close(&r);
}

static void outside(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Outside");
    ENSURE(run_go(&r) != RB_OK);
    bool said = false;
    for (int i = 0; i < r.f.diag.messages.count; i++)
        said |= strstr(fixture_message(&r.f, i), "which reaches from 0 to 1") != NULL;
    ENSURE(said);
    run_close(&r);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    ENSURE(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void open_file_case(Run *r, const char *table) {
    char source[256], model[256], text[600];
    snprintf(source, sizeof source, "%s/table_case.txt", folder);
    snprintf(model, sizeof model, "%s/table_case.mo", folder);
    snprintf(text, sizeof text,
             "model M\n  Rattleback.Blocks.Tables.CombiTable1Ds f(tableOnFile = true, tableName = "
             "\"second\", fileName = \"%s\", columns = {3});\nequation\n  f.u = time;\nend M;\n",
             source);
    write_file(source, table);
    write_file(model, text);
    ENSURE(model_open_file(r, model, "M", RB_BACKEND_TCC));
}

static void from_file(void **state) {
    (void)state;
    Run r;
    open_file_case(&r, "#1\n# a comment\ndouble first(1,1) 7\n"
                       "double second(3,3) # three rows\n 0 1 2; 0.5 1 3\n 2 1, 6\n");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "f.y[1]"), 4, 1e-14);
    run_close(&r);
    open_file_case(&r, "#1\ndouble first(1,1) 7\n");
    ENSURE(run_go(&r) != RB_OK);
    ENSURE(strstr(fixture_message(&r.f, 0), "there is no table 'second' in the file; it holds "
                                            "'first'"));
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(course),     cmocka_unit_test(saw_tooth), cmocka_unit_test(stairs),
        cmocka_unit_test(derivative), cmocka_unit_test(plane),     cmocka_unit_test(outside),
        cmocka_unit_test(from_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

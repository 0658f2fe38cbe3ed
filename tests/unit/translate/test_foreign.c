// SPDX-License-Identifier: MIT
// label: normal
// External functions and objects in C (tests/models/Foreign): what C returns for known arguments,
// errors that name function and place, objects that are made once and always closed.
#include "translate/run_model.h"

static void open_case(Run *r, const char *name) {
    char class[64];
    snprintf(class, sizeof class, "Foreign.%s", name);
    model_open(r, "Foreign", class);
}

static bool said(Run *r, const char *text) {
    for (int i = 0; i < r->f.diag.messages.count; i++) {
        if (strstr(fixture_message(&r->f, i), text)) return true;
    }
    model_messages(r);
    return false;
}

static void arrays(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Arrays");
    model_go(&r);
    for (int i = 1; i <= 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "y[%d]", i);
        ENSURE_NEAR(model_last(&r, name), 2 * i, 1e-15);
    }
    ENSURE_NEAR(model_last(&r, "s"), 12, 1e-14);
    ENSURE_NEAR(model_last(&r, "n"), 3, 0);
    ENSURE_NEAR(model_last(&r, "t"), 3, 1e-15);
    ENSURE_NEAR(model_last(&r, "p[1]"), 4, 0);
    ENSURE_NEAR(model_last(&r, "p[2]"), -1, 0);
    ENSURE_NEAR(model_last(&r, "p[3]"), 6, 0);
    ENSURE(run_series(&r, "p[3]")[0] == -1);
    run_close(&r);
}

static void records(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Records");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "y"), 3 + 4 + 100 + 1000, 1e-12);
    ENSURE_NEAR(model_last(&r, "s.i"), -2, 0);
    ENSURE_NEAR(model_last(&r, "s.x"), 2, 1e-15);
    ENSURE_NEAR(model_last(&r, "h"), 5, 1e-15);
    run_close(&r);
}

static void texts(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Texts");
    model_go(&r);
    ENSURE(said(&r, "note: Foreign.hail: world was hailed"));
    run_close(&r);
}

// x' = 1 + x until x > 1/2; the solver tries smaller steps, then the run ends with the message.
static void error_in_c(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Strict");
    ENSURE(run_go(&r) != RB_OK);
    ENSURE(said(&r, "is more than one half"));
    run_close(&r);
}

static void read_tally(char *text, size_t size) {
    FILE *file = fopen("tally.txt", "r");
    ENSURE(file);
    text[fread(text, 1, size - 1, file)] = 0;
    fclose(file);
}

// Samples at 0.1, 0.3, 0.5, 0.7, 0.9 s; each counts once, however often the event is iterated.
static void objects(void **state) {
    (void)state;
    Run r;
    char text[200];
    unlink("tally.txt");
    open_case(&r, "Counting");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "n"), 15, 0);
    read_tally(text, sizeof text);
    assert_string_equal(text, "open 1 10\n");
    run_close(&r);
    read_tally(text, sizeof text);
    assert_string_equal(text, "open 1 10\nclose 1 15\n");
}

static void objects_after_failure(void **state) {
    (void)state;
    Run r;
    char text[200];
    unlink("tally.txt");
    open_case(&r, "FailsLater");
    ENSURE(run_go(&r) != RB_OK);
    ENSURE(said(&r, "is more than one half") && said(&r, "package.mo:"));
    run_close(&r);
    read_tally(text, sizeof text);
    ENSURE(strstr(text, "close 1"));
}

static void messages(void **state) {
    (void)state;
    Run r;
    open_case(&r, "Nowhere");
    ENSURE(run_go(&r) != RB_OK);
    ENSURE(said(&r, "'Foreign.Nowhere.f' needs the C function 'nowhere_at_all'"));
    ENSURE(said(&r, "libnolib.so") && said(&r, "Foreign/Resources/Library"));
    run_close(&r);
    open_case(&r, "Wrong");
    ENSURE(run_go(&r) != RB_OK);
    ENSURE(said(&r, "cannot be compiled: error: expected expression before"));
    run_close(&r);
    open_case(&r, "Fortran");
    ENSURE(run_go(&r) != RB_OK);
    ENSURE(said(&r, "language 'FORTRAN 77'; only \"C\" is supported"));
    run_close(&r);
}

int main(void) {
    setenv("XDG_CACHE_HOME", RB_BINARY_DIR "/test-cache", 1);
    ENSURE(chdir(RB_BINARY_DIR) == 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays),   cmocka_unit_test(records),
        cmocka_unit_test(texts),    cmocka_unit_test(error_in_c),
        cmocka_unit_test(objects),  cmocka_unit_test(objects_after_failure),
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

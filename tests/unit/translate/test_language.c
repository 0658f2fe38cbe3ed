// SPDX-License-Identifier: MIT
// Models that check themselves (tests/models/language): each asserts what must hold, with values
// that follow by hand from the rules of the language, and must come to its end without a message.
// Once compiled, once interpreted. That a violated assertion ends a run is shown in
// test_run_errors.c. label: normal
#include <dirent.h>

#include "translate/run_model.h"

static const char folder[] = RB_SOURCE_DIR "/tests/models/language";

static bool runs(const char *file, const char *class, RbBackend backend) {
    Run r;
    bool good = model_open_file(&r, file, class, backend) && run_go(&r) == RB_OK &&
                r.f.diag.messages.count == 0;
    if (!good) {
        print_error("%s, %s:\n", class,
                    backend == RB_BACKEND_INTERPRET ? "interpreted" : "compiled");
        model_messages(&r);
    }
    run_close(&r);
    return good;
}

// Models stand in a package, each begins a line: `  model Name`.
static int run_file(const char *file, const char *package, int *count) {
    Fixture f;
    RbBytes text;
    int bad = 0;
    fixture_open(&f);
    ENSURE(rb_file_read(file, 0, &f.arena, &f.diag, &text) == RB_OK);
    for (const char *p = (const char *)text.data; (p = strstr(p, "\n  model ")) != NULL; p++) {
        const char *name = p + strlen("\n  model ");
        const char *class =
            rb_arena_printf(&f.arena, "%s.%.*s", package, (int)strcspn(name, " \n"), name);
        bad += !runs(file, class, RB_BACKEND_TCC);
        bad += !runs(file, class, RB_BACKEND_INTERPRET);
        ++*count;
    }
    fixture_close(&f);
    return bad;
}

static void every_model_holds(void **state) {
    (void)state;
    int bad = 0, count = 0;
    DIR *d = opendir(folder);
    ENSURE(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        if (!rb_text_ends_with(e->d_name, ".mo")) continue;
        char path[600], package[200];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        snprintf(package, sizeof package, "%.*s", (int)strlen(e->d_name) - 3, e->d_name);
        bad += run_file(path, package, &count);
    }
    closedir(d);
    print_message("%d models\n", count);
    ENSURE(count > 0 && bad == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_model_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// StateSelect decides which variables become states (tests/models/Wishes.mo).
#include "translate/run_model.h"

static const RbSortedDae *sorted(Fixture *f, const char *class) {
    fixture_open(f);
    RbNames *names = rb_new(&f->arena, RbNames);
    *names = rb_names(&f->arena);
    RbLibrary *library = rb_library(names, &f->arena, &f->scratch, &f->diag);
    const char *last;
    ENSURE(rb_library_add_file(library, RB_SOURCE_DIR "/tests/models/Wishes.mo", &last) == RB_OK);
    RbTranslateOptions options = {.code.backend = RB_BACKEND_INTERPRET};
    RbTranslation t;
    ENSURE(rb_translate(library, class, &options, &f->arena, f->scratch, &f->diag, &t) == RB_OK);
    return t.program->dae;
}

static const char *state_name(const RbSortedDae *dae, int i) {
    return dae->model->vars.data[dae->states.data[i]].name;
}

// phi = 0.5 + 0.1 cos(2 t), whichever variables are integrated.
static void bearing(const char *class, const char *first, const char *second) {
    Fixture f;
    const RbSortedDae *dae = sorted(&f, class);
    ENSURE(dae->states.count == 2);
    ENSURE(strcmp(state_name(dae, 0), first) == 0);
    ENSURE(strcmp(state_name(dae, 1), second) == 0);
    fixture_close(&f);
    Run r;
    model_open(&r, "Wishes.mo", class);
    r.options.stop_time = 3;
    r.options.tolerance = 1e-8;
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "phi"), 0.5 + 0.1 * cos(6), 1e-6);
    ENSURE_NEAR(model_last(&r, "w_rel"), -0.2 * sin(6), 1e-6);
    run_close(&r);
}

static void wishes(void **state) {
    (void)state;
    bearing("Wishes.Bearing", "phi_rel", "w_rel");
    bearing("Wishes.Plain", "phi", "w");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wishes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

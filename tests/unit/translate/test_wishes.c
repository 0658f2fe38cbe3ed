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

static bool is_state(const RbSortedDae *dae, const char *name) {
    for (int i = 0; i < dae->states.count; i++) {
        if (strcmp(state_name(dae, i), name) == 0) return true;
    }
    return false;
}

// s_rel'' = -2 f = -4 s_rel, and the centre rests at 0.05.
static void preferred(void **state) {
    (void)state;
    Fixture f;
    const RbSortedDae *dae = sorted(&f, "Wishes.Chain");
    ENSURE(dae->states.count == 4);
    ENSURE(is_state(dae, "s_rel") && is_state(dae, "v_rel"));
    fixture_close(&f);
    Run r;
    model_open(&r, "Wishes.mo", "Wishes.Chain");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "s_rel"), 0.1 * cos(6), 1e-6);
    ENSURE_NEAR(model_last(&r, "v_rel"), -0.2 * sin(6), 1e-6);
    ENSURE_NEAR(model_last(&r, "s1"), 0.05 - 0.05 * cos(6), 1e-6);
    run_close(&r);
}

// Constant coefficients alone would make states of m and u, and then of m and U, which have no start values. The mass is 500 kg at the start.
static void preferred_in_products(void **state) {
    (void)state;
    Fixture f;
    const RbSortedDae *dae = sorted(&f, "Wishes.Tank");
    ENSURE(dae->states.count == 2 && is_state(dae, "level") && is_state(dae, "T"));
    fixture_close(&f);
    Run r;
    model_open(&r, "Wishes.mo", "Wishes.Tank");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "level"), 0.8 + 2 * 100 / (1000 * 0.5), 1e-6);
    double energy = 500 * 4000. * 27 + 100 * 2 * 2e5;
    ENSURE_NEAR(model_last(&r, "T"), 273 + energy / (4000. * (500 + 200)), 1e-5);
    run_close(&r);
}

static void in_vain(void **state) {
    (void)state;
    Fixture f;
    const RbSortedDae *dae = sorted(&f, "Wishes.Vain");
    ENSURE(dae->states.count == 1 && is_state(dae, "x"));
    for (int v = 0; v < dae->vars.count; v++) // nobody needs its derivative
        ENSURE(strcmp(dae->model->vars.data[v].name, "der(u)") != 0);
    fixture_close(&f);
    Run r;
    model_open(&r, "Wishes.mo", "Wishes.Vain");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "x"), 1, 1e-7);
    run_close(&r);
}

// Nothing decides which states are good at all times, so the user hears of it.
static void blind(void **state) {
    (void)state;
    Fixture f;
    sorted(&f, "Wishes.Blind");
    bool told = false;
    for (int i = 0; i < f.diag.messages.count; i++) {
        const RbMessage *m = &f.diag.messages.data[i];
        told |= m->severity == RB_WARNING &&
                strstr(m->text, "of 3 variables that constrain each other 'vx' is the state");
    }
    ENSURE(told);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wishes),
        cmocka_unit_test(preferred),
        cmocka_unit_test(preferred_in_products),
        cmocka_unit_test(in_vain),
        cmocka_unit_test(blind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

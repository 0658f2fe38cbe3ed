// SPDX-License-Identifier: MIT
// Connections that come and go at given times: what is glued hangs, what is cut falls.
#include "bodies.h"

#include "soft_run.h"
#include "deform/soft.h"

static RbSoftScene *begin(Run *r) {
    run_open(r, "pendulum"); // the files and the fixture; its model is replaced
    RbSoftScene *s = rb_soft_scene_new("test", &r->f.arena);
    RbSoftMaterial m = rb_soft_material_default();
    m.youngs_modulus = 5e4, m.damping = 0.5;
    rb_soft_scene_add_material(s, &m);
    return s;
}

static void go(Run *r, RbSoftScene *s, double stop_time) {
    ENSURE(rb_model_of_soft_scene(s, &r->f.arena, &r->f.diag, &r->model) == RB_OK);
    r->options = rb_model_options(r->model);
    r->options.journal_file = r->journal;
    r->options.output_interval = 0.01;
    r->options.stop_time = stop_time;
    r->options.tolerance = 1e-6;
    soft_go(r);
}

static double account_error(Run *r) {
    const double *account = run_series(r, "account");
    double most = 0;
    for (size_t i = 0; i < r->result->row_count; i++)
        most = fmax(most, fabs(account[i] - account[0]));
    return most;
}

// A block is thrown up against one whose top is fixed. It falls back, unless it is glued when it touches: then it hangs there.
static double throw_up(double glue, double *error) {
    const double a = 0.02, radius = 0.014;
    Run r;
    RbSoftScene *s = begin(&r);
    add_block(s, "upper", (Block){.n = {3, 3, 3}, .a = a, .radius = radius});
    for (int i = 0; i < s->molecules.count; i++)
        s->molecules.data[i].fixed = s->molecules.data[i].r.y > 1.5 * a;
    add_block(s, "lower",
              (Block){.n = {3, 3, 3}, .a = a, .radius = radius, .low = {0, -2 * a - 0.029, 0}});
    for (int i = 27; i < s->molecules.count; i++) s->molecules.data[i].v = v3(0, 0.3, 0);
    RbSoftChange c = {.kind = RB_SOFT_GLUE, .time = glue, .a = "lower", .b = "upper"};
    if (glue > 0) rb_soft_scene_add_change(s, &c);
    go(&r, s, 1);
    *error = account_error(&r);
    double height = last(&r, "lower.r[2]");
    if (glue > 0) ENSURE(fabs(last(&r, "lower.v[2]")) < 1e-3);
    run_close(&r);
    return height;
}

static void what_is_glued_hangs(void **state) {
    (void)state;
    double error, falls = throw_up(0, &error), hangs = throw_up(0.02, &error);
    print_message("not glued %.3f m, glued %.4f m; account %.1e J\n", falls, hangs, error);
    ENSURE(falls < -1 && hangs > -0.08 && hangs < -0.04);
    ENSURE(error < 1e-6); // of 3 mJ
}

// The lower part of a bar whose top is fixed: cut at once it falls as a stone does, whatever goes on in it.
static void what_is_cut_falls(void **state) {
    (void)state;
    const double a = 0.02, t = 0.2;
    Run r;
    RbSoftScene *s = begin(&r);
    add_block(s, "bar", (Block){.n = {3, 9, 3}, .a = a, .radius = 0.012});
    for (int i = 0; i < s->molecules.count; i++)
        s->molecules.data[i].fixed = s->molecules.data[i].r.y > 7.5 * a;
    RbSoftChange c = {
        .kind = RB_SOFT_CUT, .a = "bar", .point = {0, 3.5 * a, 0}, .normal = {0, 2, 0}};
    rb_soft_scene_add_change(s, &c);
    c.time = 0.1, c.point = v3(1.5 * a, 0, 0), c.normal = v3(1, 0, 0);
    rb_soft_scene_add_change(s, &c);
    go(&r, s, t);
    RbNetwork n = network_of(&r.f, s);
    double mass = 0, fall = 0, high = 0;
    for (int k = 0; k < n.free_count; k++) {
        int i = n.molecule_of[k];
        double y0 = s->molecules.data[i].r.y, y = run_now(&r)->x[3 * k + 1];
        if (y0 > 3.5 * a) high = fmax(high, fabs(y - y0));
        if (y0 > 3.5 * a) continue;
        mass += n.mass[i];
        fall += n.mass[i] * (y0 - y);
    }
    print_message("fallen %.9f m, the rest by %.4f m; account %.1e J\n", fall / mass, high,
                  account_error(&r));
    ENSURE_NEAR(fall / mass, 0.5 * 9.81 * t * t, 1e-9);
    ENSURE(high < 0.01);
    // across the bar: 9 upright connections and 24 diagonals; along it, between the second and the third of three: 24, 42 that were not yet cut, and 32. (In the
    // uppermost layer, all fixed, there are none.)
    assert_int_equal((int)last(&r, "torn"), 9 + 24 + 24 + 42 + 32);
    ENSURE(account_error(&r) < 1e-5);
    run_close(&r);
}

static void bad_changes_are_named(void **state) {
    (void)state;
    const struct {
        RbSoftChange change;
        const char *message;
    } cases[] = {
        {{.kind = RB_SOFT_GLUE, .a = "bar", .b = "bat"}, "there is no object 'bat'"},
        {{.kind = RB_SOFT_GLUE, .a = "bar", .b = "bar"}, "'bar' is glued to itself"},
        {{.kind = RB_SOFT_CUT, .a = "bar"}, "has no normal"},
        {{.kind = RB_SOFT_CUT, .a = "bar", .normal = {1, 0, 0}, .time = -1}, "is negative"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture f;
        fixture_open(&f);
        RbSoftScene *s = block_scene(&f, 2, 2, 2);
        s->objects.data[0].name = "bar";
        rb_soft_scene_add_change(s, &cases[i].change);
        ENSURE(rb_soft_scene_check(s, &f.diag) == RB_ERROR_MODEL);
        ENSURE(strstr(fixture_message(&f, 0), cases[i].message));
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_glued_hangs),
        cmocka_unit_test(what_is_cut_falls),
        cmocka_unit_test(bad_changes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

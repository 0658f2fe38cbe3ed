// SPDX-License-Identifier: MIT
// Contact laws, motors in joints and parts of pieces as a Modelica model gives them, against closed forms.
#include "translate/run_model.h"

static const double g = 9.81;

static void go(Run *r, const char *class) {
    char full[64];
    snprintf(full, sizeof full, "Touching.%s", class);
    model_open(r, "Touching.mo", full);
    model_go(r);
}

// Potential: E V/L3 over the area S, V = S u. Layer: E (1 - nu)/((1 + nu)(1 - 2 nu))/d per depth and area.
static void blocks_sink_in(void **state) {
    (void)state;
    const double S = 0.01, weight = 2 * g;
    const struct {
        const char *class;
        double reduction;
    } cases[] = {{"Resting", 1}, {"Reduced", 0.25}};
    for (int i = 0; i < 2; i++) {
        Run r;
        double k = cases[i].reduction, L = 0.1, nu = 0.25,
               layer = 1e6 * (1 - nu) / ((1 + nu) * (1 - 2 * nu)) / 0.01;
        go(&r, cases[i].class);
        ENSURE_NEAR(model_last(&r, "brick[1].r_0[3]"), -weight * L * L * L / (k * 1e7 * S * S),
                    1e-6);
        ENSURE_NEAR(model_last(&r, "brick[2].r_0[3]"), -weight / (k * layer * S), 1e-7);
        run_close(&r);
    }
}

// Its walls rub in the table's bedding, which is at most depth over size of the force.
static void a_block_on_a_bedding(void **state) {
    (void)state;
    Run r;
    go(&r, "Bedded");
    double depth = 2 * g * 0.1 / (1e7 * 0.01);
    ENSURE_NEAR(model_last(&r, "brick[1].r_0[3]"), -depth, 1e-3 * depth);
    run_close(&r);
}

// As far as a round one rolls, (2/3) g sin(slope) t²/2, but for what its 192 facets take.
static void a_roller_on_a_mesh(void **state) {
    (void)state;
    Run r;
    go(&r, "Rolling");
    ENSURE_NEAR(model_last(&r, "roller.r_0[1]"), g * sin(0.05) / 3, 0.02 * g * sin(0.05) / 3);
    run_close(&r);
}

// It is 1.4 nm deep, and goes 1.2 m: rounding of the force must not look like a stiffness along its way. Friction takes a way of 1e-5 m to rise, in 2.3 ms.
static void a_block_slides_in_long_steps(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Touching.mo", "Touching.Sliding");
    r.options.solver = "islands";
    model_go(&r);
    double a = g * (sin(0.4) - 0.3 * cos(0.4));
    double late = g * 0.3 * cos(0.4) * sqrt(2e-5 / (g * sin(0.4)));
    ENSURE_NEAR(model_last(&r, "block_.v_0[1]"), a + 0.5 * late, 0.5 * late);
    ENSURE(r.summary.steps < 1000); // 12,713 with differences as small as the depth
    run_close(&r);
}

// Fall through 0.1 m: impact after sqrt(0.2/g), return with e; the last one keeps falling.
static void parts_before_materials(void **state) {
    (void)state;
    Run r;
    go(&r, "Order");
    double fall = sqrt(2 * 0.1 / g), v = g * fall, end = 0.25, rest = end - fall;
    ENSURE_NEAR(model_last(&r, "ball[1].v_0[3]"), v - g * rest, 5e-3); // a contact lasts 0.3 ms
    ENSURE_NEAR(model_last(&r, "ball[2].v_0[3]"), 0.5 * v - g * rest, 5e-3);
    ENSURE_NEAR(model_last(&r, "ball[3].v_0[3]"), -g * end, 1e-8);
    ENSURE_NEAR(model_last(&r, "ball[3].r_0[3]"), 0.15 - 0.5 * g * end * end, 1e-8);
    run_close(&r);
}

static void laws_of_friction(void **state) {
    (void)state;
    Run r;
    go(&r, "Frictions");
    ENSURE_NEAR(model_last(&r, "guide[1].v_x"), 1.5 - 0.3 * g * 0.2, 1e-3);
    ENSURE(model_last(&r, "guide[2].v_x") < 1.5 - 0.4 * g * 0.2);
    ENSURE_NEAR(model_last(&r, "guide[3].v_x"), 1.5 - 0.1 * g * 0.2, 1e-3);
    run_close(&r);
}

// w = tau/d (1 - exp(-d t/J)). The constant torque puts in tau times the angle, the force 3 N times its way, the
// motor its own speed times the torque that turns the wheel: w_rest J w.
static void motors_in_joints(void **state) {
    (void)state;
    Run r;
    go(&r, "Motor");
    double end = exp(-2 / 0.5), phi = 3 * (1 - 0.25 * (1 - end)), s = 0.5 * 1.5;
    ENSURE_NEAR(model_last(&r, "hinge.w"), 3 * (1 - end), 1e-8);
    ENSURE_NEAR(model_last(&r, "hinge.phi"), phi, 1e-8);
    ENSURE_NEAR(model_last(&r, "guide.s"), s, 1e-8);
    ENSURE_NEAR(model_last(&r, "turned.phi"), phi, 1e-8);
    ENSURE_NEAR(model_last(&r, "energy.input"), 6 * phi + 3 * s + 3 * 0.5 * 3 * (1 - end), 1e-7);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-7);
    run_close(&r);
}

// Two bars about their common corner: 4 kg with its centre at {0.2, 0.05}, 3 kg at {0.05, 0.25}; energy is kept.
static void mass_of_pieces(void **state) {
    (void)state;
    Run r;
    go(&r, "Pieces");
    double x = 4 * 0.2 + 3 * 0.05, y = 4 * 0.05 + 3 * 0.25, phi = model_last(&r, "hinge.phi"),
           w = model_last(&r, "hinge.w");
    double J = 4 * ((0.4 * 0.4 + 0.1 * 0.1) / 12 + 0.2 * 0.2 + 0.05 * 0.05) +
               3 * ((0.1 * 0.1 + 0.3 * 0.3) / 12 + 0.05 * 0.05 + 0.25 * 0.25);
    ENSURE(w < -1);
    ENSURE_NEAR(0.5 * J * w * w, g * (y - (x * sin(phi) + y * cos(phi))), 1e-8);
    run_close(&r);
}

static void shapes_on_frames(void **state) {
    (void)state;
    Run r;
    go(&r, "Added");
    double fall = sqrt(2 * 0.1 / g), end = 0.25;
    ENSURE_NEAR(model_last(&r, "guide[1].v"), 0.5 * g * fall - g * (end - fall), 5e-3);
    ENSURE_NEAR(model_last(&r, "guide[2].v"), -g * end, 1e-8);
    run_close(&r);
}

// The model asserts the closed forms.
static void mass_as_numbers(void **state) {
    (void)state;
    Run r;
    go(&r, "Known");
    run_close(&r);
    model_open(&r, "Touching.mo", "Touching.NoSolid");
    ENSURE(run_go(&r) != RB_OK);
    bool told = false;
    for (int i = 0; i < r.f.diag.messages.count; i++)
        told = told || strstr(r.f.diag.messages.data[i].text, "lie in a plane");
    if (!told) model_messages(&r);
    ENSURE(told);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_on_a_bedding),   cmocka_unit_test(blocks_sink_in),
        cmocka_unit_test(parts_before_materials), cmocka_unit_test(laws_of_friction),
        cmocka_unit_test(motors_in_joints),       cmocka_unit_test(mass_of_pieces),
        cmocka_unit_test(shapes_on_frames),       cmocka_unit_test(mass_as_numbers),
        cmocka_unit_test(a_roller_on_a_mesh),     cmocka_unit_test(a_block_slides_in_long_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

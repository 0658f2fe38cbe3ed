// SPDX-License-Identifier: MIT
// label: normal
// The coil spring: stiffness under a small load, compressed nearly to its block length, and beyond its start.
#include "stand.h"

static Vec3 small_load(double t, void *user) {
    (void)t;
    (void)user;
    return v3(0, 0, -2);
}

// k = G d^4/(8 D^3 n) for the active coils; the first and last piece are held by the caps.
static double stiffness(void) {
    double G = 2e11 / 2.6,
           active = RB_COIL_COILS - 1.0 / 8; // joints, each for the wire of one piece
    return G * pow(RB_COIL_WIRE, 4) / (8 * pow(RB_COIL_DIAMETER, 3) * active);
}

static void stiffness_of_a_spring(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    rb_scene_coil_spring(s.scene);
    s.scene->world_forces.data[0].element.force = small_load;
    s.scene->breaks.count = 0;
    RbSceneJointForce damper = {.joint = 0};
    damper.element.damper = rb_linear(150); // about critical
    rb_array_push(&s.scene->joint_forces, s.scene->arena, damper);
    stand_run(&s, 0.3, 1e-6);
    ENSURE_NEAR(-2 / stand_state(&s, "guide.s") / stiffness(), 1, 0.05);
    stand_close(&s);
}

static void pushed(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    rb_scene_coil_spring(s.scene);
    stand_record(&s, 1e-3);
    stand_run(&s, 0.08, 1e-5);
    int count;
    const double *t = stand_series(&s, "time", &count), *x = stand_series(&s, "guide.s", &count);
    double free = RB_COIL_COILS * RB_COIL_PITCH, block = RB_COIL_COILS * RB_COIL_WIRE,
           at[2] = {0, 0};
    for (int i = 0; i < count; i++) {
        if (fabs(t[i] - 0.03) < 1e-6) at[0] = x[i];
        if (fabs(t[i] - 0.07) < 1e-6) at[1] = x[i];
    }
    print_message(
        "length %.4f m at 0.03 s (block %.4f, free %.4f), %.4f m at 0.07 s; %d contacts\n",
        free + at[0], block, free, free + at[1], s.contact_count);
    ENSURE(free + at[0] < block + 0.2 * (free - block)); // four fifths of its way
    ENSURE(at[1] > 0.1 * free);
    ENSURE(s.contact_count > 0); // coils have met
    // 200 N over the way of the first 0.01 s, about 2 J: what is missing is less than 1e-5 of it.
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 2e-5);
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffness_of_a_spring),
        cmocka_unit_test(pushed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

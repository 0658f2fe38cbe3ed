// SPDX-License-Identifier: MIT
// label: normal
// Bodies described in three frames with permuted axes: the same motion three times.
#include "stand.h"

// Displacements in the world agree, and so do velocities, which are states in the axes of each
// frame.
static void same_motion(const char *scene, const char *const names[3], double tolerance,
                        double within) {
    Stand s;
    stand_open_case(&s, scene);
    s.options.tolerance = tolerance;
    ENSURE(stand_go(&s) == RB_OK);
    Vec3 z = stand_vector(&s, names[2], "r"), vz = stand_vector(&s, names[2], "v");
    for (int k = 0; k < 2; k++) {
        Vec3 r = stand_vector(&s, names[k], "r"), v = stand_vector(&s, names[k], "v");
        // X: (x, y, z) of its frame are (z, x, y) of the third; Y: (y, z, x).
        Vec3 same_r = k == 0 ? v3(r.y, r.z, r.x) : v3(r.z, r.x, r.y),
             same_v = k == 0 ? v3(v.y, v.z, v.x) : v3(v.z, v.x, v.y);
        double dr = v3_norm(v3_sub(same_r, z)), dv = v3_norm(v3_sub(same_v, vz));
        print_message("%s %s: %g m, %g m/s\n", scene, names[k], dr, dv);
        ENSURE_NEAR(dr, 0, within);
        ENSURE_NEAR(dv, 0, 10 * within);
    }
    stand_close(&s);
}

static void capsules_move_alike(void **state) {
    (void)state;
    same_motion("capsules", (const char *const[]){"capsuleX", "capsuleY", "capsuleZ"}, 1e-9, 1e-6);
}

static void cones_move_alike(void **state) {
    (void)state;
    same_motion("cones", (const char *const[]){"coneX", "coneY", "coneZ"}, 1e-9, 1e-6);
}

static void frustums_move_alike(void **state) {
    (void)state;
    same_motion("frustums", (const char *const[]){"coneX", "coneY", "coneZ"}, 1e-9, 1e-6);
}

static void beams_move_alike(void **state) {
    (void)state;
    same_motion("beams", (const char *const[]){"beamX", "beamY", "beamZ"}, 1e-9, 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capsules_move_alike),
        cmocka_unit_test(cones_move_alike),
        cmocka_unit_test(frustums_move_alike),
        cmocka_unit_test(beams_move_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// label: normal
// Nothing passes through anything, at any tolerance and output interval.
#include "tunnel.h"

static void ball_bounces_off_a_thin_plate(void **state) {
    (void)state;
    RbRng rng = rb_rng(1);
    shoot_and_bounce(&rng, 100);
}

static void too_hard_impact_is_seen_and_reported(void **state) {
    (void)state;
    RbRng rng = rb_rng(2);
    shoot_too_hard(&rng, 100);
}

// Twelve balls in a closed box without gravity: long free flights, steps that span several impacts.
// All stay inside.
static void balls_stay_in_their_box(void **state) {
    (void)state;
    RbRng rng = rb_rng(5);
    static const double tolerances[] = {1e-3, 1e-5, 1e-8};
    for (int k = 0; k < 3; k++) {
        Stand s;
        stand_open(&s);
        s.scene->gravity = (RbGravity){.kind = RB_GRAVITY_NONE};
        for (int i = 0; i < 6; i++) {
            Vec3 out = v3((i % 3 == 0) * (i < 3 ? 1 : -1), (i % 3 == 1) * (i < 3 ? 1 : -1),
                          (i % 3 == 2) * (i < 3 ? 1 : -1));
            RbSceneObject wall =
                rb_solid(rb_arena_printf(&s.f.arena, "wall%d", i),
                         rb_shape_box(v3(i % 3 == 0 ? 0.01 : 1, i % 3 == 1 ? 0.01 : 1,
                                         i % 3 == 2 ? 0.01 : 1)),
                         "BilliardCushion");
            wall.object.pose.r = v3_scale(0.5, out);
            rb_scene_add(s.scene, wall);
        }
        for (int i = 0; i < 12; i++) {
            Vec3 r = v3(0.25 * (i % 3 - 1), 0.25 * (i / 3 % 2 ? 1 : -1), 0.25 * (i / 6 ? 1 : -1));
            rb_scene_add_free(s.scene, rb_arena_printf(&s.f.arena, "ball%d", i),
                              rb_shape_sphere(0.1), "BilliardBall", r,
                              v3_scale(3, rb_rng_direction(&rng)), V3_ZERO);
        }
        stand_run(&s, 1, tolerances[k]);
        ENSURE(stand_starts(&s) > 20);
        for (int i = 0; i < 12; i++) {
            Vec3 r = stand_vector(&s, rb_arena_printf(&s.f.arena, "ball%d", i), "r");
            ENSURE(fmax(fabs(r.x), fmax(fabs(r.y), fabs(r.z))) < 0.5);
        }
        stand_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_bounces_off_a_thin_plate),
        cmocka_unit_test(balls_stay_in_their_box),
        cmocka_unit_test(too_hard_impact_is_seen_and_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

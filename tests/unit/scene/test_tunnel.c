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

// From 10 km/s to where squares overflow: the run ends, with the contact seen or with a word that it could not be; both name the bodies.
static void no_speed_passes_in_silence(void **state) {
    (void)state;
    RbRng rng = rb_rng(3);
    int seen = 0;
    for (int i = 0; i < 60; i++) {
        double power = i < 40 ? rb_rng_range(&rng, 4, 20) : 5 * i - 180; // 20 to 115
        Shot shot = random_shot(&rng, pow(10, power), 1e-3);
        Stand s;
        shot.stop_time = 1;
        RbStatus status = shoot(&s, &shot);
        int last = s.f.diag.messages.count - 1;
        const char *message = last < 0 ? "no word" : fixture_message(&s.f, last);
        bool too_hard = strstr(message, "more than the elastic law can describe"),
             unseen = strstr(message, "whether they touch in a step cannot be told"),
             refused = strstr(message, "velocity of 'ball'") && power > 100;
        if (status == RB_OK || !(too_hard || unseen || refused))
            print_error("%g m/s, %s: %s\n", shot.speed, shot.solver, message);
        ENSURE(status == (refused ? RB_ERROR_MODEL : RB_ERROR_SOLVER));
        ENSURE(refused || ((too_hard || unseen) && strstr(message, "'plate'")));
        ENSURE(strstr(message, "'ball'"));
        seen += too_hard;
        stand_close(&s);
    }
    print_message("60 shots: %d seen\n", seen);
    ENSURE(seen > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_bounces_off_a_thin_plate),
        cmocka_unit_test(balls_stay_in_their_box),
        cmocka_unit_test(too_hard_impact_is_seen_and_reported),
        cmocka_unit_test(no_speed_passes_in_silence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

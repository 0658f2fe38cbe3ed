// SPDX-License-Identifier: MIT
// tunnel.h: small fast balls shot at thin plates, for test_tunnel.c (few) and test_tunnel_full.c
// (many).
#pragma once

#include "math/rng.h"
#include "stand.h"

typedef struct Shot {
    double speed, thickness; // [m/s], [m]
    double tolerance, interval;
    const char *solver;
    Vec3 from, v;     // ball at the start; the plate lies in z = 0
    Vec3 w;           // [rad/s] spin of the ball
    Pose plate;       // turned as a whole with the shot
    double stop_time; // [s] 0: long enough to go three times as far as the plate
} Shot;

// Any direction up to 60 degrees from the normal, any distance, tolerance, output interval and
// solver.
static inline Shot random_shot(RbRng *rng, double speed, double thickness) {
    Shot s = {
        .speed = speed, .thickness = thickness, .tolerance = pow(10, rb_rng_range(rng, -9, -3))};
    s.interval = rb_rng_unit(rng) < 0.5 ? 0 : pow(10, rb_rng_range(rng, -7, -3));
    s.solver = rb_rng_unit(rng) < 0.5 ? "islands" : "cvode";
    double tilt = rb_rng_range(rng, 0, M_PI / 3), turn = rb_rng_range(rng, 0, 2 * M_PI),
           away = pow(10, rb_rng_range(rng, -3.5, -1));
    Vec3 direction = v3(sin(tilt) * cos(turn), sin(tilt) * sin(turn), -cos(tilt));
    s.v = v3_scale(speed, direction);
    s.from = v3_scale(-(away + 1e-3) / cos(tilt), direction);
    s.from.z += 0.5 * thickness;
    s.w = v3(rb_rng_range(rng, -1e3, 1e3), rb_rng_range(rng, -1e3, 1e3),
             rb_rng_range(rng, -1e3, 1e3));
    Quat q = q_rotation(v3_unit(v3(rb_rng_range(rng, -1, 1), rb_rng_range(rng, -1, 1), 1)),
                        rb_rng_range(rng, 0, 2 * M_PI));
    s.plate = (Pose){
        .R = q_matrix(q),
        .r = v3(rb_rng_range(rng, -1, 1), rb_rng_range(rng, -1, 1), rb_rng_range(rng, -1, 1))};
    return s;
}

static inline RbStatus shoot(Stand *s, const Shot *shot) {
    stand_open(s);
    s->scene->gravity = (RbGravity){.kind = RB_GRAVITY_NONE};
    RbSceneObject plate = rb_solid("plate", rb_shape_box(v3(1, 1, shot->thickness)), "Steel");
    plate.object.pose = shot->plate;
    rb_scene_add(s->scene, plate);
    rb_scene_add_free(s->scene, "ball", rb_shape_sphere(1e-3), "Steel",
                      pose_point(shot->plate, shot->from), m3_mul_vec(shot->plate.R, shot->v),
                      shot->w);
    s->options.stop_time = shot->stop_time > 0 ? shot->stop_time : 3 * shot->from.z / -shot->v.z;
    s->options.tolerance = shot->tolerance;
    s->options.solver = shot->solver;
    if (shot->interval > 0) stand_record(s, fmax(shot->interval, s->options.stop_time / 1000));
    return stand_go(s);
}

// 100 m/s against 0.5 mm: the penetration stays below 0.05 mm, so the ball bounces, every time.
static inline void shoot_and_bounce(RbRng *rng, int trials) {
    for (int i = 0; i < trials; i++) {
        Shot shot = random_shot(rng, 100, 5e-4);
        Stand s;
        RbStatus status = shoot(&s, &shot);
        if (status != RB_OK)
            print_error("trial %d, %s, tolerance %g: %s\n", i, shot.solver, shot.tolerance,
                        fixture_message(&s.f, 0));
        ENSURE(status == RB_OK);
        Vec3 r = pose_unpoint(shot.plate, stand_vector(&s, "ball", "r"));
        Vec3 v = m3_tmul_vec(shot.plate.R, stand_vector(&s, "ball", "v"));
        bool good = s.contact_count == 2 && r.z > 0 && fabs(v.z / -shot.v.z - 0.7) < 1e-2;
        if (!good) {
            print_error("trial %d, %s, tolerance %g, from %g m: %d events, z = %g m, returns %g\n",
                        i, shot.solver, shot.tolerance, shot.from.z, s.contact_count, r.z,
                        v.z / -shot.v.z);
        }
        ENSURE(good);
        stand_close(&s);
    }
}

// 5,000 m/s against 0.1 mm: no elastic law describes that, but the contact is seen, and the run
// says so.
static inline void shoot_too_hard(RbRng *rng, int trials) {
    for (int i = 0; i < trials; i++) {
        Shot shot = random_shot(rng, 5000, 1e-4);
        Stand s;
        RbStatus status = shoot(&s, &shot);
        if (status == RB_OK || s.contact_count != 1) {
            print_error("trial %d, %s, tolerance %g, from %g m: %d events\n", i, shot.solver,
                        shot.tolerance, shot.from.z, s.contact_count);
        }
        ENSURE(status == RB_ERROR_SOLVER);
        assert_int_equal(s.contact_count, 1);
        const char *message = fixture_message(&s.f, s.f.diag.messages.count - 1);
        if (!strstr(message, "more than the elastic law can describe"))
            print_error("%s\n", message);
        ENSURE(strstr(message, "more than the elastic law can describe") != NULL);
        ENSURE(strstr(message, "'plate'") && strstr(message, "'ball'"));
        stand_close(&s);
    }
}

// SPDX-License-Identifier: MIT
// A billiard table with four cushions, a rack of balls in rows, and a cue ball.
#include <math.h>
#include <stdio.h>

#include "scenes.h"

static const double d = 0.06;   // [m] diameter of a ball
static const double gap = 1e-4; // [m] between balls of the rack
static const double Lx = 2.24, Ly = 1.12;

static void add_table(RbScene *s) {
    RbSceneObject table = rb_solid("table", rb_shape_box(v3(Lx, Ly, 0.05)), "BilliardTable");
    table.object.pose.r = v3(0, 0, -0.025);
    table.shape.smoothing = 0.001;
    rb_scene_add(s, table);
}

static void add_cushion(RbScene *s, const char *name, Vec3 lengths, Vec3 r) {
    RbSceneObject cushion = rb_solid(name, rb_shape_box(lengths), "BilliardCushion");
    cushion.object.pose.r = r;
    rb_scene_add(s, cushion);
}

// Rows of 1, 2, 3 ... balls, the first at a sixth of the length.
static void add_rack(RbScene *s, int balls) {
    double step = sqrt(3) / 2 * d;
    int count = 0;
    for (int row = 0; count < balls; row++) {
        for (int k = 0; k <= row && count < balls; k++) {
            char name[16];
            snprintf(name, sizeof name, "ball%d", ++count);
            double x = Lx / 6 + row * (step + gap), y = (0.5 * row - k) * (d + gap);
            rb_scene_add_free(s, name, rb_shape_sphere(d), "BilliardBall", v3(x, y, d / 2), V3_ZERO,
                              V3_ZERO);
        }
    }
}

void rb_scene_billiards(RbScene *s, int balls, Vec3 cue_r, Vec3 cue_v) {
    s->damping = RB_DAMPING_FLORES; // as in the thesis, section 7.4
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    add_table(s);
    add_cushion(s, "cushion_right", v3(0.075, Ly, 0.014), v3(1.0825, 0, 0.049));
    add_cushion(s, "cushion_left", v3(0.075, Ly, 0.014), v3(-1.0825, 0, 0.049));
    add_cushion(s, "cushion_back", v3(Lx, 0.075, 0.014), v3(0, 0.5225, 0.049));
    add_cushion(s, "cushion_front", v3(Lx, 0.075, 0.014), v3(0, -0.5225, 0.049));
    rb_scene_add_free(s, "cue", rb_shape_sphere(d), "BilliardBall", cue_r, cue_v, V3_ZERO);
    add_rack(s, balls);
}

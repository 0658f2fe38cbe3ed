// SPDX-License-Identifier: MIT
#include "dem/grain_wall.h"

#include <math.h>

#include "collide/point.h"

static double part_distance(const RbGrainWall *wall, int part, Vec3 p_W, Vec3 *n_W) {
    const RbCore *core = &wall->parts[part];
    Vec3 n_C = v3(0, 0, 1), p_C = pose_unpoint(core->frame, pose_unpoint(wall->X, p_W));
    bool flat = core->kind == RB_CORE_HALFSPACE;
    double distance = (flat ? p_C.z : rb_core_point(core, p_C, &n_C)) - core->radius;
    *n_W = m3_mul_vec(wall->X.R, m3_mul_vec(core->frame.R, n_C));
    return distance;
}

double rb_grain_wall_distance(const RbGrainWall *wall, int part, Vec3 p_W, int *hint, Vec3 *n_W) {
    if (!wall->mesh) return part_distance(wall, part, p_W, n_W);
    Vec3 n = V3_ZERO;
    double d = rb_grain_mesh_distance(wall->mesh, part, pose_unpoint(wall->X, p_W), hint, &n);
    *n_W = m3_mul_vec(wall->X.R, n);
    return d;
}

void rb_grain_wall_near(const RbGrainWall *wall, Vec3 p_W, double reach, RbGrainNear *near,
                        void *user) {
    Vec3 n_W;
    if (wall->mesh) rb_grain_mesh_near(wall->mesh, pose_unpoint(wall->X, p_W), reach, near, user);
    for (int part = 0; part < wall->part_count; part++) {
        if (part_distance(wall, part, p_W, &n_W) < reach) near(user, part);
    }
}

typedef struct Ball {
    const RbGrainWall *wall;
    Vec3 p_W;
    double radius;
    bool overlaps;
} Ball;

static void try_part(void *user, int part) {
    Ball *ball = user;
    Vec3 n_W;
    int hint = 0;
    if (rb_grain_wall_distance(ball->wall, part, ball->p_W, &hint, &n_W) < ball->radius)
        ball->overlaps = true;
}

bool rb_grain_wall_overlaps(const RbGrainWall *wall, Vec3 p_W, double radius) {
    Ball ball = {wall, p_W, radius, false};
    rb_grain_wall_near(wall, p_W, radius, try_part, &ball);
    return ball.overlaps ||
           (wall->mesh && rb_grain_mesh_encloses(wall->mesh, pose_unpoint(wall->X, p_W)));
}

// The angle between two orientations: trace of R = 1 + 2 cos φ loses it where it is small, so the
// antisymmetric part is taken, |sin φ|.
static double angle_between(Mat3 A, Mat3 B) {
    Mat3 D = m3_mul(m3_transpose(A), B);
    Vec3 s =
        v3(0.5 * (m3_get(D, 2, 1) - m3_get(D, 1, 2)), 0.5 * (m3_get(D, 0, 2) - m3_get(D, 2, 0)),
           0.5 * (m3_get(D, 1, 0) - m3_get(D, 0, 1)));
    return atan2(v3_norm(s), 0.5 * (m3_trace(D) - 1));
}

double rb_grain_wall_moved(const RbGrainWall *wall) {
    double angle = angle_between(wall->listed.R, wall->X.R);
    double turned = angle > 0 ? angle * wall->reach : 0;
    return v3_distance(wall->listed.r, wall->X.r) + turned;
}

void rb_grain_wall_advance(RbGrainWall *wall, double time) {
    double speed = v3_norm(wall->V.w);
    wall->X.r = v3_axpy(wall->X.r, time, wall->V.v);
    if (speed > 0)
        wall->X.R = m3_mul(m3_rotation(v3_scale(1 / speed, wall->V.w), speed * time), wall->X.R);
}

// SPDX-License-Identifier: MIT
#include "dem/grain_wall.h"

#include <math.h>
#include <string.h>

#include "collide/point.h"

static double part_distance(const RbGrainWall *wall, int part, Vec3 p_W, Vec3 *n_W) {
    const RbCore *core = &wall->parts[part];
    Vec3 n_C = v3(0, 0, 1), p_C = pose_unpoint(core->frame, pose_unpoint(wall->X, p_W));
    bool flat = core->kind == RB_CORE_HALFSPACE;
    double distance = (flat ? p_C.z : rb_core_point(core, p_C, &n_C)) - core->radius;
    *n_W = m3_mul_vec(wall->X.R, m3_mul_vec(core->frame.R, n_C));
    return distance;
}

double rb_grain_wall_distance(const RbGrainWall *wall, int part, Vec3 p_W, double reach, int *hint,
                              Vec3 *n_W) {
    if (!wall->mesh) return part_distance(wall, part, p_W, n_W);
    Vec3 n = V3_ZERO, p = pose_unpoint(wall->X, p_W);
    double d = rb_grain_mesh_distance(wall->mesh, part, p, reach, hint, &n);
    *n_W = m3_mul_vec(wall->X.R, n);
    return d;
}

void rb_grain_wall_near(const RbGrainWall *wall, Vec3 p_W, double reach, RbGrainNear *near,
                        void *user) {
    Vec3 n_W;
    if (wall->absent) return;
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
    if (rb_grain_wall_distance(ball->wall, part, ball->p_W, ball->radius, &hint, &n_W) <
        ball->radius)
        ball->overlaps = true;
}

bool rb_grain_wall_overlaps(const RbGrainWall *wall, Vec3 p_W, double radius) {
    Ball ball = {wall, p_W, radius, false};
    if (wall->absent) return false;
    rb_grain_wall_near(wall, p_W, radius, try_part, &ball);
    return ball.overlaps ||
           (wall->mesh && rb_grain_mesh_encloses(wall->mesh, pose_unpoint(wall->X, p_W)));
}

// How far a point of the wall has moved is the length of a linear function of where it was: a convex one, which is largest
// at a corner of the box.
double rb_grain_wall_moved(const RbGrainWall *wall) {
    double most2 = 0;
    if (memcmp(&wall->X, &wall->listed, sizeof wall->X) == 0) return 0;
    for (int k = 0; k < 8; k++) {
        Vec3 was = v3(k & 1 ? wall->high.x : wall->low.x, k & 2 ? wall->high.y : wall->low.y,
                      k & 4 ? wall->high.z : wall->low.z);
        Vec3 is = pose_point(wall->X, pose_unpoint(wall->listed, was));
        most2 = fmax(most2, v3_norm2(v3_sub(is, was)));
    }
    return sqrt(most2);
}

double rb_grain_wall_reach(const RbGrainWall *wall) {
    double most = 0;
    for (int k = 0; k < wall->part_count; k++) // the frame of a core is somewhere in it
        most = fmax(most, v3_norm(wall->parts[k].frame.r) + wall->parts[k].size);
    for (int k = 0; wall->mesh && k < wall->mesh->mesh.vertex_count; k++)
        most = fmax(most, v3_norm(wall->mesh->mesh.vertices[k]));
    return most;
}

// The speed is a convex function of the place, too; and no point is farther away than the reach.
double rb_grain_wall_speed(const RbGrainWall *wall) {
    double most2 = 0, spin = v3_norm(wall->V.w);
    if (!(spin > 0)) return v3_norm(wall->V.v);
    for (int k = 0; k < 8; k++) {
        Vec3 p = v3(k & 1 ? wall->high.x : wall->low.x, k & 2 ? wall->high.y : wall->low.y,
                    k & 4 ? wall->high.z : wall->low.z);
        Vec3 v = v3_add(wall->V.v, v3_cross(wall->V.w, v3_sub(p, wall->X.r)));
        most2 = fmax(most2, v3_norm2(v));
    }
    return fmin(sqrt(most2), v3_norm(wall->V.v) + spin * wall->reach);
}

void rb_grain_wall_run_belt(RbGrainWall *wall, double time) {
    double since = time - wall->belt_start;
    double part = since < 0 ? 0 : since < wall->belt_ramp ? since / wall->belt_ramp : 1;
    wall->belt_W = m3_mul_vec(wall->X.R, v3_scale(part, wall->belt));
}

void rb_grain_wall_advance(RbGrainWall *wall, double time) {
    double speed = v3_norm(wall->V.w);
    wall->X.r = v3_axpy(wall->X.r, time, wall->V.v);
    if (speed > 0)
        wall->X.R = m3_mul(m3_rotation(v3_scale(1 / speed, wall->V.w), speed * time), wall->X.R);
}

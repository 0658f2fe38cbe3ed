// SPDX-License-Identifier: MIT
#include "dem/carried.h"

Motion rb_carried_yield(const RbCarriedBody *b, Wrench load) {
    const double f[6] = {load.t.x, load.t.y, load.t.z, load.f.x, load.f.y, load.f.z};
    Motion A = MOTION_ZERO;
    for (int k = 0; k < 6; k++) A = motion_axpy(A, f[k], b->mobility[k]);
    return A;
}

void rb_carried_place_walls(const RbCarried *c, RbCloud *cloud) {
    for (int k = 0; k < cloud->walls.count; k++) {
        RbGrainWall *wall = &cloud->walls.data[k];
        if (c->of_wall[k] < 0) continue;
        const RbCarriedBody *b = &c->bodies[c->of_wall[k]];
        wall->X = pose_mul(b->X, c->X_BW[k]);
        wall->V = mo_shift(b->V, v3_sub(wall->X.r, b->X.r));
        wall->per_mass = (b->mobility[3].v.x + b->mobility[4].v.y + b->mobility[5].v.z) / 3;
    }
}

static Mat3 turned(Mat3 R, Vec3 angle) {
    double phi = v3_norm(angle);
    return phi > 0 ? m3_mul(m3_rotation(v3_scale(1 / phi, angle), phi), R) : R;
}

void rb_carried_move(RbCarried *c, RbCloud *cloud) {
    double h = cloud->step;
    for (int k = 0; k < c->count; k++) {
        RbCarriedBody *b = &c->bodies[k];
        b->X.r = v3_axpy(v3_axpy(b->X.r, h, b->V.v), 0.5 * h * h, b->A.v);
        b->X.R = turned(b->X.R, v3_axpy(v3_scale(h, b->V.w), 0.5 * h * h, b->A.w));
        b->V = motion_axpy(b->V, h, b->A);
    }
    rb_carried_place_walls(c, cloud);
}

Wrench rb_carried_load_on(const RbCarried *c, const RbCloud *cloud, int body) {
    Wrench sum = WRENCH_ZERO;
    for (int k = 0; k < cloud->walls.count; k++) {
        if (c->of_wall[k] != body) continue;
        Wrench load = cloud->wall_loads[k]; // about the origin of the wall
        Vec3 arm = v3_sub(cloud->walls.data[k].X.r, c->bodies[body].X.r);
        sum.f = v3_add(sum.f, load.f);
        sum.t = v3_add(sum.t, v3_add(load.t, v3_cross(arm, load.f)));
    }
    return sum;
}

void rb_carried_load(RbCarried *c, const RbCloud *cloud) {
    double h = cloud->step, passed = cloud->time - c->from;
    for (int k = 0; k < c->count; k++) {
        RbCarriedBody *b = &c->bodies[k];
        Wrench load = rb_carried_load_on(c, cloud, k);
        Motion A =
            motion_axpy(motion_axpy(b->smooth, passed, b->rise), 1, rb_carried_yield(b, load));
        b->V = motion_axpy(b->V, 0.5 * h, motion_axpy(A, -1, b->A));
        b->A = A;
        b->sum = wrench_axpy(wrench_axpy(b->sum, 0.5 * h, b->load), 0.5 * h, load);
        b->moment = wrench_axpy(wrench_axpy(b->moment, 0.5 * h * (passed - h), b->load),
                                0.5 * h * passed, load);
        b->load = load;
    }
}

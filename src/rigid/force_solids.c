// SPDX-License-Identifier: MIT
#include "rigid/force_solids.h"

// Sums on b in the frame of a; the torque about its origin.
typedef struct Total {
    Vec3 force, torque, point;
    double lost;
    RbSolidsResult out;
} Total;

static void by_volume(const RbSolidsForce *e, RbMeshOverlap *work, Pose X, Vec3 v, Vec3 w,
                      Total *t) {
    rb_mesh_overlap(work, X);
    double weight = 0;
    for (int i = 0; i < work->regions.count; i++) {
        RbVolumeForce f = rb_volume_force(&e->volume, work, i, v, w);
        t->force = v3_add(t->force, f.force);
        t->torque = v3_add(t->torque, f.torque);
        t->lost += f.power_lost;
        t->out.normal_force += f.normal_force;
        t->point = v3_axpy(t->point, work->regions.data[i].volume, f.point);
        weight += work->regions.data[i].volume;
    }
    if (weight > 0) t->point = v3_scale(1 / weight, t->point);
    t->out.volume = work->volume;
    t->out.area = work->area;
    t->out.regions = work->regions.count;
}

static void by_layers(const RbSolidsForce *e, Pose X, Vec3 v, Vec3 w, Total *t) {
    RbPolygonalForce f = rb_polygonal_force(&e->polygonal, e->skin_a, e->skin_b, X, v, w);
    t->force = f.force;
    t->torque = f.torque;
    t->lost = f.power_lost;
    t->out.normal_force = f.normal_force;
    t->out.area = f.area;
    t->out.regions = f.triangles;
    // a point of the line along which the force acts
    double f2 = v3_norm2(f.force);
    if (f2 > 0) t->point = v3_scale(1 / f2, v3_cross(f.force, f.torque));
}

RbRelativeMotion rb_solids_motion(const RbSolidsForce *e, const RbKin *kin) {
    Pose Xa = rb_frame_pose(kin, e->a), Xb = rb_frame_pose(kin, e->b);
    Motion Va = rb_frame_velocity(kin, e->a), Vb = rb_frame_velocity(kin, e->b);
    Vec3 v_W = v3_sub(v3_add(Vb.v, v3_cross(Vb.w, v3_sub(Xa.r, Xb.r))), Va.v);
    return (RbRelativeMotion){m3_tmul_vec(Xa.R, v_W), m3_tmul_vec(Xa.R, v3_sub(Vb.w, Va.w))};
}

RbSolidsResult rb_force_solids(const RbSolidsForce *e, RbMeshOverlap *work, const RbKin *kin,
                               Wrench *forces, RbLedger *ledger) {
    if (e->idle) return (RbSolidsResult){0};
    Pose Xa = rb_frame_pose(kin, e->a), Xb = rb_frame_pose(kin, e->b), X = pose_relative(Xa, Xb);
    RbRelativeMotion rel = rb_solids_motion(e, kin);
    Vec3 v = rel.v, w = rel.w;
    Total t = {0};
    if (e->law == RB_SOLIDS_VOLUME)
        by_volume(e, work, X, v, w, &t);
    else
        by_layers(e, X, v, w, &t);
    Vec3 torque = v3_sub(t.torque, v3_cross(t.point, t.force)); // about the point
    t.out.force_W = m3_mul_vec(Xa.R, t.force);
    t.out.torque_W = m3_mul_vec(Xa.R, torque);
    t.out.point_W = pose_point(Xa, t.point);
    rb_force_add(kin, forces, e->b.body, t.out.point_W, t.out.force_W, t.out.torque_W);
    rb_force_add(kin, forces, e->a.body, t.out.point_W, v3_neg(t.out.force_W),
                 v3_neg(t.out.torque_W));
    bool stores = e->law == RB_SOLIDS_VOLUME && e->volume.form == RB_VOLUME_POTENTIAL;
    if (stores) ledger->potential += rb_volume_energy(&e->volume, work);
    ledger->dissipated += stores ? t.lost : -(v3_dot(t.force, v) + v3_dot(t.torque, w));
    return t.out;
}

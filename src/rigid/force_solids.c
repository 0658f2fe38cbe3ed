// SPDX-License-Identifier: MIT
#include "rigid/force_solids.h"

#include "collide/round_overlap.h"
#include "collide/round_press.h"
#include "math/regular.h"

const char *rb_solids_law_name(const RbSolidsForce *e) {
    static const char *const forms[] = {"volume over the root of the area",
                                        "root of volume and depth", "potential of the volume",
                                        "depth at each place"}; // ORDER RbVolumeForm
    if (e->observes) return "seen, without forces";
    return e->law == RB_SOLIDS_POLYGONAL ? "polygonal, elastic layers" : forms[e->volume.form];
}

void rb_solids_open(const RbSolidsForce *e, RbMeshOverlap *work, RbArena *arena) {
    if (rb_solids_is_round(e))
        rb_round_overlap_open(work, e->skin_a, e->round, arena);
    else
        rb_mesh_overlap_open(work, e->skin_a, e->skin_b, arena);
    if (e->flat) rb_round_press_open(work, e->flat);
    if (rb_solids_are_bedded(e)) rb_mesh_overlap_layers(work, e->layers[0], e->layers[1]);
}

RbMeshGap rb_solids_distance(const RbSolidsForce *e, Pose X, double limit, RbMeshMemory *memory) {
    if (rb_solids_is_round(e)) return rb_round_distance(e->skin_a, e->round, X, limit);
    return rb_mesh_distance(e->skin_a, e->skin_b, X, limit, memory);
}

// As of points; places of the patch do not count, so it belongs to the pair.
static void resist_rolling(const RbVolumeLaw *l, Vec3 w, RbContactPowers *powers,
                           RbSolidsResult *out) {
    double spin = v3_norm(w);
    if (!(l->rolling > 0) || !(out->normal_force > 0)) return;
    double resistance = l->rolling * out->normal_force / rb_regular(spin, l->w_small);
    out->torque = v3_axpy(out->torque, -resistance, w);
    powers->rolling += resistance * spin * spin;
}

// Where they overlap. What is less than nothing by rounding has no place.
static void tell_overlap(const RbMeshOverlap *work, RbSolidsResult *out) {
    double sum = 0;
    for (int i = 0; i < work->regions.count; i++) {
        const RbOverlapRegion *r = &work->regions.data[i];
        if (!(r->volume > 0)) continue;
        out->point = v3_axpy(out->point, r->volume, r->centroid);
        sum += r->volume;
    }
    if (sum > 0) out->point = v3_scale(1 / sum, out->point);
    out->volume = work->volume;
    out->area = work->area;
    out->regions = work->regions.count;
}

static void by_eye(const RbSolidsForce *e, RbMeshOverlap *work, const RbSolidsPlace *p,
                   RbSolidsResult *out) {
    rb_mesh_overlap(work, rb_solids_mesh(e, p, NULL));
    tell_overlap(work, out);
}

static void by_volume(const RbSolidsForce *e, RbMeshOverlap *work, const RbSolidsPlace *p,
                      RbContactPowers *powers, RbSolidsResult *out) {
    double elastic = 0;
    RbVolumeMotion motion = p->motion;
    rb_mesh_overlap(work, rb_solids_mesh(e, p, &motion.axis));
    RbVolumeState s = rb_volume_state(&e->volume, work, &motion);
    for (int i = 0; i < work->regions.count; i++) {
        RbVolumeForce f = rb_volume_force(&s, i);
        out->force = v3_add(out->force, f.force);
        out->torque = v3_add(out->torque, f.torque);
        out->normal_force += f.normal_force;
        powers->damping += f.damping;
        powers->friction += f.friction;
        elastic += f.elastic;
    }
    *(rb_volume_has_potential(&e->volume) ? &powers->pressing : &powers->from_nothing) += elastic;
    resist_rolling(&e->volume, p->motion.w, powers, out);
    rb_volume_bristle(&s, &out->slide_rate, &out->twist_rate);
    tell_overlap(work, out);
}

static void by_layers(const RbSolidsForce *e, RbMeshOverlap *work, const RbSolidsPlace *p,
                      RbContactPowers *powers, RbSolidsResult *out) {
    Vec3 v = p->motion.v, w = p->motion.w;
    RbPolygonalForce f = rb_polygonal_force(&e->polygonal, work, p->X, v, w);
    out->force = f.force;
    out->torque = f.torque;
    out->normal_force = f.normal_force;
    out->area = f.area;
    out->regions = f.triangles;
    out->penetration = f.penetration;
    out->point = f.point;
    out->n = f.n;
    powers->damping += f.power_lost;
    powers->from_nothing += v3_dot(f.force, v) + v3_dot(f.torque, w) + f.power_lost;
}

RbSolidsPlace rb_solids_place(const RbSolidsForce *e, const RbSolidsMemory *memory,
                              const RbKin *kin) {
    Pose Xa = rb_frame_pose(kin, e->a), Xb = rb_frame_pose(kin, e->b);
    Motion Va = rb_frame_velocity(kin, e->a), Vb = rb_frame_velocity(kin, e->b);
    Vec3 v_W = v3_sub(v3_add(Vb.v, v3_cross(Vb.w, v3_sub(Xa.r, Xb.r))), Va.v);
    return (RbSolidsPlace){.X = pose_relative(Xa, Xb),
                           .reference = memory->reference,
                           .motion = {.v = m3_tmul_vec(Xa.R, v_W),
                                      .w = m3_tmul_vec(Xa.R, v3_sub(Vb.w, Va.w)),
                                      .slide = memory->slide,
                                      .twist = memory->twist,
                                      .mass = memory->mass}};
}

RbSolidsResult rb_solids_evaluate(const RbSolidsForce *e, RbMeshOverlap *work,
                                  const RbSolidsPlace *place, RbContactPowers *powers) {
    RbSolidsResult out = {0};
    if (e->observes)
        by_eye(e, work, place, &out);
    else if (e->law == RB_SOLIDS_VOLUME)
        by_volume(e, work, place, powers, &out);
    else
        by_layers(e, work, place, powers, &out);
    return out;
}

RbSolidsStore rb_solids_stored(const RbSolidsForce *e, const RbSolidsMemory *memory,
                               RbMeshOverlap *work, const RbKin *kin) {
    if (e->idle || e->observes) return (RbSolidsStore){0};
    RbSolidsPlace p = rb_solids_place(e, memory, kin);
    if (e->law == RB_SOLIDS_POLYGONAL)
        return (RbSolidsStore){
            .nearly = rb_polygonal_force(&e->polygonal, work, p.X, V3_ZERO, V3_ZERO).energy};
    rb_mesh_overlap(work, rb_solids_mesh(e, &p, NULL));
    double energy = rb_volume_energy(&e->volume, work);
    return rb_volume_has_potential(&e->volume) ? (RbSolidsStore){.exactly = energy}
                                               : (RbSolidsStore){.nearly = energy};
}

RbSolidsResult rb_force_solids(const RbSolidsForce *e, const RbSolidsMemory *memory,
                               RbMeshOverlap *work, const RbKin *kin, Wrench *forces,
                               RbContactPowers *powers) {
    if (e->idle) return (RbSolidsResult){0};
    RbSolidsPlace place = rb_solids_place(e, memory, kin);
    RbContactPowers own = {0};
    RbSolidsResult r = rb_solids_evaluate(e, work, &place, &own);
    r.lost = own.damping + own.friction + own.rolling;
    powers->pressing += own.pressing, powers->from_nothing += own.from_nothing;
    powers->damping += own.damping, powers->friction += own.friction;
    powers->rolling += own.rolling;
    Pose Xa = rb_frame_pose(kin, e->a);
    Vec3 force = m3_mul_vec(Xa.R, r.force), torque = m3_mul_vec(Xa.R, r.torque);
    rb_force_add(kin, forces, e->b.body, Xa.r, force, torque);
    rb_force_add(kin, forces, e->a.body, Xa.r, v3_neg(force), v3_neg(torque));
    return r;
}

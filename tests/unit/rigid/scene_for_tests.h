// SPDX-License-Identifier: MIT
// scene.h: a few objects, joints and force elements, put together and integrated: for tests that
// need a whole simulation but no run loop. Besides the motion it integrates dissipated and supplied
// energy, and checks the balance at the end.
#pragma once

#include "trees.h"

#include "rigid/force_bushing.h"
#include "rigid/force_gravity.h"
#include "rigid/force_joint.h"
#include "rigid/force_spring.h"
#include "rigid/force_world.h"
#include "rigid/superobject.h"

enum { MAX_OBJECTS = 20 };

typedef struct Scene {
    Fixture f;
    RbObject objects[MAX_OBJECTS];
    RbObjectJoint joints[MAX_OBJECTS];
    int object_count, joint_count;
    RbGravity gravity;
    RbSpring springs[2];
    RbBushing bushings[2];
    RbWorldForce world_forces[2];
    RbJointForce joint_forces[2];
    int spring_count, bushing_count, world_force_count, joint_force_count;
    RbStructure s;
    RbKin kin;
    RbDyn dyn;
    Wrench forces[MAX_OBJECTS];
    double tau[MAX_V];
    RbLedger ledger;
    double x[MAX_STATE]; // q, v, dissipated, supplied energy
} Scene;

static inline void scene_open(Scene *s) {
    memset(s, 0, sizeof *s);
    fixture_open(&s->f);
    s->objects[s->object_count++] = rb_object("world", -1);
    s->gravity = rb_gravity_uniform(9.81, v3(0, -1, 0));
}

static inline int scene_object(Scene *s, const char *name, int parent, Vec3 r) {
    s->objects[s->object_count] = rb_object(name, parent);
    s->objects[s->object_count].pose.r = r;
    return s->object_count++;
}

static inline RbObjectJoint *scene_joint(Scene *s, RbJointKind kind, int a, int b, Vec3 n) {
    s->joints[s->joint_count] = (RbObjectJoint){
        .name = "joint", .kind = kind, .a = a, .b = b, .n = n, .pose = POSE_IDENTITY};
    return &s->joints[s->joint_count++];
}

static inline void scene_mass(Scene *s, int object, double mass, Vec3 moments) {
    s->objects[object].has_mass = true;
    s->objects[object].mass = (RbMassProperties){.mass = mass, .I_CM = m3_diagonal(moments)};
}

static inline void scene_shape(Scene *s, int object, RbShape shape, double density) {
    s->objects[object].has_mass = true;
    ENSURE(rb_mass_from_density(&shape, density, "shape", RB_NOWHERE, &s->f.diag,
                                &s->objects[object].mass) == RB_OK);
}

// Force elements refer to frames, so they are added after this.
static inline void scene_build(Scene *s) {
    RbArrangement r =
        rb_arrangement(s->objects, s->object_count, s->joints, s->joint_count, &s->f.arena);
    RbStatus status = rb_structure_build(&r, &s->f.arena, s->f.scratch, &s->f.diag, &s->s);
    ENSURE(status == RB_OK);
    ENSURE(rb_dyn_check(&s->s.tree, s->s.q, false, s->f.scratch, &s->f.diag) == RB_OK);
    s->kin = rb_kin(&s->s.tree, &s->f.arena);
    s->dyn = rb_dyn(&s->s.tree, &s->f.arena);
    memcpy(s->x, s->s.q, sizeof(double) * (size_t)s->s.tree.nq);
    memcpy(s->x + s->s.tree.nq, s->s.v, sizeof(double) * (size_t)s->s.tree.nv);
}

static inline void scene_forces(Scene *s, double t, const double *q, const double *v) {
    memset(s->forces, 0, sizeof s->forces);
    memset(s->tau, 0, sizeof s->tau);
    s->ledger = (RbLedger){0};
    rb_force_gravity(&s->gravity, &s->s.tree, &s->kin, s->forces, &s->ledger);
    for (int i = 0; i < s->spring_count; i++)
        rb_force_spring(&s->springs[i], &s->kin, s->forces, &s->ledger);
    for (int i = 0; i < s->bushing_count; i++)
        rb_force_bushing(&s->bushings[i], &s->kin, s->forces, &s->ledger);
    for (int i = 0; i < s->world_force_count; i++)
        rb_force_world(&s->world_forces[i], t, &s->kin, s->forces, &s->ledger);
    for (int i = 0; i < s->joint_force_count; i++)
        rb_force_joint(&s->joint_forces[i], q, v, s->tau, &s->ledger);
}

static inline void scene_rates(void *model, double t, const double *x, double *dx) {
    Scene *s = model;
    const RbTree *tree = &s->s.tree;
    const double *v = x + tree->nq;
    rb_kin_positions(tree, x, &s->kin);
    rb_dyn_factor(tree, &s->kin, NULL, &s->dyn);
    rb_kin_velocities(tree, v, &s->kin);
    scene_forces(s, t, x, v);
    rb_tree_rates(tree, x, v, dx);
    rb_dyn_solve(tree, &s->kin, NULL, s->tau, s->forces, &s->dyn, dx + tree->nq);
    dx[tree->nq + tree->nv] = s->ledger.dissipated;
    dx[tree->nq + tree->nv + 1] = s->ledger.input;
}

static inline double scene_energy(Scene *s, double t) {
    double dx[MAX_STATE];
    scene_rates(s, t, s->x, dx);
    return rb_kinetic_energy(&s->s.tree, &s->kin) + s->ledger.potential;
}

// Advance; energy must balance to `tol` of the energy turned over [J].
static inline void scene_run(Scene *s, double t0, double t1, int steps, double tol) {
    int n = s->s.tree.nq + s->s.tree.nv;
    double before = scene_energy(s, t0), lost = s->x[n], supplied = s->x[n + 1];
    integrate(scene_rates, s, n + 2, t0, t1, steps, s->x);
    double after = scene_energy(s, t1);
    ENSURE_NEAR(after - before, (s->x[n + 1] - supplied) - (s->x[n] - lost), tol);
}

static inline double *scene_q(Scene *s) {
    return s->x;
}
static inline double *scene_v(Scene *s) {
    return s->x + s->s.tree.nq;
}

// SPDX-License-Identifier: MIT
// Forward dynamics per second: positions, velocities, gravity and articulated bodies, for arms and
// a chain of revolute joints; in the same run MuJoCo's mj_forward with contacts off on the same
// model, if it is installed. The accelerations of both are compared, so the figures belong to the
// same mathematics.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "rigid/dynamics.h"

#ifdef RB_HAVE_MUJOCO
#include <mujoco/mujoco.h>
#endif

enum { REPEATS = 5, MAX_LINKS = 64 };

static const double mass = 1.5;                    // [kg]
static const Vec3 centre = {0.02, 0.01, 0.15};     // [m]
static const Vec3 moments = {0.012, 0.011, 0.004}; // [kg m2] about the centre
static const Vec3 offset = {0, 0, 0.3};            // [m] from joint to joint

static Vec3 axis(int link) {
    return v3_axis(link % 3);
}
static double angle(int link) {
    return 0.3 + 0.2 * link;
}
static double speed(int link) {
    return 0.5 - 0.1 * (link % 7);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Machine {
    RbTree tree;
    RbKin kin;
    RbDyn dyn;
    double q[MAX_LINKS], v[MAX_LINKS], dv[MAX_LINKS];
    Wrench forces[MAX_LINKS + 1];
} Machine;

static void build(Machine *m, int links, RbArena *arena) {
    m->tree = rb_tree(arena);
    Sym3 I = {moments.x, moments.y, moments.z, 0, 0, 0};
    for (int i = 0; i < links; i++) {
        RbJoint joint = {
            .name = "joint", .kind = RB_JOINT_REVOLUTE, .F = {offset, M3_IDENTITY}, .n = axis(i)};
        rb_tree_add(&m->tree, arena, "link", i, joint, ri_from_com(mass, centre, I));
        m->q[i] = angle(i);
        m->v[i] = speed(i);
    }
    m->kin = rb_kin(&m->tree, arena);
    m->dyn = rb_dyn(&m->tree, arena);
}

static void forward(Machine *m) {
    rb_kin_positions(&m->tree, m->q, &m->kin);
    rb_dyn_factor(&m->tree, &m->kin, NULL, &m->dyn);
    rb_kin_velocities(&m->tree, m->v, &m->kin);
    for (int i = 1; i < m->tree.bodies.count; i++) {
        RigidInertia I = m->kin.bodies[i].I;
        Vec3 g = v3(0, 0, -9.81);
        m->forces[i] = (Wrench){v3_cross(I.h, g), v3_scale(I.m, g)};
    }
    rb_dyn_solve(&m->tree, &m->kin, NULL, NULL, m->forces, &m->dyn, m->dv);
}

// Best of a few rounds of `count` evaluations [1/s].
static double rattleback_rate(Machine *m, int count) {
    double best = 1e30;
    for (int r = 0; r < REPEATS; r++) {
        double start = seconds();
        for (int k = 0; k < count; k++) {
            m->q[0] = angle(0) + 1e-9 * k;
            forward(m);
        }
        double took = seconds() - start;
        if (took < best) best = took;
    }
    m->q[0] = angle(0);
    forward(m);
    return count / best;
}

#ifdef RB_HAVE_MUJOCO
static mjModel *mujoco_model(int links) {
    const char *path = "forward_dynamics_model.xml";
    FILE *out = fopen(path, "w");
    if (!out) return NULL;
    fprintf(out, "<mujoco><compiler angle='radian'/><option gravity='0 0 -9.81'><flag "
                 "contact='disable'/></option><worldbody>");
    for (int i = 0; i < links; i++) {
        Vec3 n = axis(i);
        fprintf(out, "<body pos='%g %g %g'><joint type='hinge' axis='%g %g %g'/>", offset.x,
                offset.y, offset.z, n.x, n.y, n.z);
        fprintf(out, "<inertial mass='%g' pos='%g %g %g' diaginertia='%g %g %g'/>", mass, centre.x,
                centre.y, centre.z, moments.x, moments.y, moments.z);
    }
    for (int i = 0; i < links; i++) fprintf(out, "</body>");
    fprintf(out, "</worldbody></mujoco>");
    fclose(out);
    char error[500] = "";
    mjModel *model = mj_loadXML(path, NULL, error, sizeof error);
    if (!model) fprintf(stderr, "MuJoCo: %s\n", error);
    remove(path);
    return model;
}

static double mujoco_rate(const mjModel *model, mjData *data, int links, int count) {
    for (int i = 0; i < links; i++) {
        data->qpos[i] = angle(i);
        data->qvel[i] = speed(i);
    }
    double best = 1e30;
    for (int r = 0; r < REPEATS; r++) {
        double start = seconds();
        for (int k = 0; k < count; k++) {
            data->qpos[0] = angle(0) + 1e-9 * k;
            mj_forward(model, data);
        }
        double took = seconds() - start;
        if (took < best) best = took;
    }
    data->qpos[0] = angle(0);
    mj_forward(model, data);
    return count / best;
}
#endif

static void compare(int links, int count, RbArena *arena) {
    Machine *m = rb_new(arena, Machine);
    build(m, links, arena);
    double ours = rattleback_rate(m, count);
    printf("%2d joints: Rattleback %9.0f /s", links, ours);
#ifdef RB_HAVE_MUJOCO
    mjModel *model = mujoco_model(links);
    if (model) {
        mjData *data = mj_makeData(model);
        double theirs = mujoco_rate(model, data, links, count), worst = 0, size = 0;
        for (int i = 0; i < links; i++) {
            worst = fmax(worst, fabs(m->dv[i] - data->qacc[i]));
            size = fmax(size, fabs(data->qacc[i]));
        }
        printf("   MuJoCo %9.0f /s   ratio %.2f   accelerations agree to %.0e", theirs,
               ours / theirs, worst / size);
        mj_deleteData(data);
        mj_deleteModel(model);
    }
#endif
    printf("\n");
}

// Bodies that move freely, as in granular scenes: time per body.
static void free_bodies(int count, int rounds, RbArena *arena) {
    RbTree tree = rb_tree(arena);
    RbJoint joint = {.name = "free", .kind = RB_JOINT_FREE, .F = POSE_IDENTITY};
    Sym3 I = {moments.x, moments.y, moments.z, 0, 0, 0};
    for (int i = 0; i < count; i++)
        rb_tree_add(&tree, arena, "body", 0, joint, ri_from_com(mass, centre, I));
    RbKin kin = rb_kin(&tree, arena);
    RbDyn dyn = rb_dyn(&tree, arena);
    double *q = rb_new_array(arena, double, tree.nq), *v = rb_new_array(arena, double, tree.nv);
    double *dv = rb_new_array(arena, double, tree.nv), best = 1e30;
    for (int i = 0; i < tree.bodies.count; i++)
        rb_joint_home(rb_tree_joint(&tree, i)->kind, q + rb_tree_joint(&tree, i)->q);
    for (int k = 0; k < tree.nv; k++) v[k] = 0.1 * (k % 7);
    for (int r = 0; r < rounds; r++) {
        double start = seconds();
        rb_kin_positions(&tree, q, &kin);
        rb_dyn_factor(&tree, &kin, NULL, &dyn);
        rb_kin_velocities(&tree, v, &kin);
        rb_dyn_solve(&tree, &kin, NULL, NULL, NULL, &dyn, dv);
        best = fmin(best, seconds() - start);
    }
    printf("%d free bodies: %.0f ns per body\n", count, 1e9 * best / count);
}

static RbStatus run(void *argument) {
    RbArena *arena = argument;
    free_bodies(16, 2000, arena);
    free_bodies(1000, 200, arena);
    compare(6, 20000, arena);
    compare(7, 20000, arena);
    compare(30, 5000, arena);
    return RB_OK;
}

static RbStatus open_arena(void *argument) {
    RbArena *arena = argument;
    *arena = rb_arena(arena->heap);
    return RB_OK;
}

int main(void) {
    RbHeap heap = rb_heap(NULL);
    RbArena arena = {.heap = &heap};
    RbStatus status = rb_protect(&heap, open_arena, &arena);
    if (status == RB_OK) status = rb_protect(&heap, run, &arena);
    rb_arena_free(&arena);
    return (int)status;
}

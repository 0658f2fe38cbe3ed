// SPDX-License-Identifier: MIT
// The built-in scenes as Modelica models of examples/modelica: the same number of events and the same
// end, in most of them bit by bit.
#include "scenes.h"
#include "translate/run_model.h"

typedef struct Pair {
    const char *file, *class; // class: NULL for that of the file
    const char *scene;
    const char *variable, *other; // in the model and in the scene; "%d" stands for 1, 2, 3
    double tolerance;             // [m] or [rad]; 0: every bit of all states
} Pair;

// Where the order of operations differs (frames, the tensor of inertia) rounding errors grow with
// every impact, the tolerance of 1e-8 with them. (The celt turns back because a small motion grows: 1e-5 rad here,
// 2e-9 rad at a tolerance of 1e-11.)
static const Pair pairs[] = {
    {"Scenes.mo", "Scenes.TwoBalls", "two-balls", "ball2.r_0[%d]", "ball2.r_abs[%d]", 0},
    {"Scenes.mo", "Scenes.BouncingSphere", "bouncing-sphere", "sphere.r_0[%d]", "sphere.r_abs[%d]",
     0},
    {"Scenes.mo", "Scenes.GuidedSphere", "guided-sphere", "guide.s", "guide.s", 0},
    {"Scenes.mo", "Scenes.BouncingEllipsoid", "bouncing-ellipsoid", "ellipsoid.r_0[%d]",
     "ellipsoid.r_abs[%d]", 0},
    {"Scenes.mo", "Scenes.EllipsoidOnSphere", "ellipsoid-on-sphere", "ellipsoid.r_0[%d]",
     "ellipsoid.r_abs[%d]", 0},
    {"Scenes.mo", "Scenes.Celt", "rattleback", "celt.angles_0[%d]", "rattleback.angles[%d]", 5e-5},
    {"Scenes.mo", "Scenes.Capsules", "capsules", "body[1].r_0[%d]", "capsuleX.r_abs[%d]", 1e-5},
    {"Scenes.mo", "Scenes.Cones", "cones", "body[2].r_0[%d]", "coneY.r_abs[%d]", 1e-5},
    {"Scenes.mo", "Scenes.Frustums", "frustums", "body[3].r_0[%d]", "coneZ.r_abs[%d]", 1e-5},
    {"Scenes.mo", "Scenes.Beams", "beams", "body[1].r_0[%d]", "beamX.r_abs[%d]", 1e-5},
    {"Scenes.mo", "Scenes.Cylinders", "cylinders", "pipe[2].r_0[%d]", "cylinderY.r_abs[%d]", 0},
    {"Scenes.mo", "Scenes.PendulumChain", "pendulum-chain", "hinge[10].phi", "hinge10.phi", 0},
    {"Scenes.mo", "Scenes.Incline", "incline", "ball.r_0[%d]", "ball.r_abs[%d]", 0},
    {"Billiards.mo", "BilliardsFour", "billiards-4", "ball[3].r_0[%d]", "ball3.r_abs[%d]", 0},
    {"Billiards.mo", "Billiards", "billiards", "ball[15].r_0[%d]", "ball15.r_abs[%d]", 0},
    {"Billiards.mo", "SymmetricBreak", "symmetric-break", "ball[15].r_0[%d]", "ball15.r_abs[%d]",
     0},
    {"Scenes.mo", "Scenes.Cradle", "newtons-cradle", "rev[5].phi", "rev5.phi", 0},
    {"Scenes.mo", "Scenes.RestingBox", "resting-box", "box.r_0[%d]", "box.r_abs[%d]", 1e-6},
    {"Scenes.mo", "Scenes.FlatDrop", "flat-drop", "box.r_0[%d]", "box.r_abs[%d]", 0},
    {"Pool.mo", NULL, "pool", "ball[6].r_0[%d]", "ball6.r_abs[%d]", 0},
};

typedef struct SceneCall {
    Run *run;
    const RbSceneCase *scene;
} SceneCall;

static RbStatus open_scene(void *argument) {
    SceneCall *call = argument;
    RbScene *scene;
    Fixture *f = &call->run->f;
    return rb_scene_case_model(call->scene, &f->arena, &f->diag, &call->run->model, &scene);
}

static void compare_ends(Run *a, Run *b, const Pair *p) {
    for (int k = 1; k <= 3; k++) {
        char name[64], other[64];
        snprintf(name, sizeof name, p->variable, k);
        snprintf(other, sizeof other, p->other, k);
        ENSURE_NEAR(model_last(a, name), model_last(b, other), p->tolerance);
    }
}

static void compare(const Pair *p) {
    Run a, b;
    char path[256];
    snprintf(path, sizeof path, RB_SOURCE_DIR "/examples/modelica/%s", p->file);
    ENSURE(model_open_file(&a, path, p->class, RB_BACKEND_TCC));
    run_open(&b, "pendulum");
    SceneCall call = {&b, rb_scene_case(p->scene)};
    ENSURE(rb_protect(&b.f.heap, open_scene, &call) == RB_OK);
    ENSURE_NEAR(a.options.stop_time, call.scene->stop_time, 0);
    b.options = a.options;
    b.options.journal_file = b.journal;
    b.options.checkpoint_file = b.checkpoint;
    model_go(&a);
    model_go(&b);
    assert_int_equal(a.summary.state_events, b.summary.state_events);
    ENSURE(p->tolerance > 0 || a.summary.state_hash == b.summary.state_hash);
    compare_ends(&a, &b, p);
    run_close(&b);
    run_close(&a);
}

static void models_are_the_scenes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        print_message("%s\n", pairs[i].scene);
        compare(&pairs[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_are_the_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

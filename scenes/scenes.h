// SPDX-License-Identifier: MIT
// scenes.h: mechanical systems built in C, shared by tests, benchmarks and the command (numbers:
// Appendix B of the thesis).
#pragma once

#include "model/model.h"
#include "multibody/multibody.h"

typedef struct RbSceneCase {
    const char *name;
    const char *description;
    void (*build)(RbScene *scene);
    double stop_time; // [s]
    double tolerance;
    bool default_laws; // otherwise those of the thesis
    const char *file,
        *class; // of examples/modelica: the command runs this model instead; NULL: it has none
} RbSceneCase;

// Ends with an entry without a name.
extern const RbSceneCase rb_scene_cases[];

// NULL if there is none.
const RbSceneCase *rb_scene_case(const char *name);

// The scene with its laws. Materials have been read.
void rb_scene_case_build(const RbSceneCase *scene_case, RbScene *scene);

// A model with the scene as its only component, with the built-in materials. The scene may be
// changed before it runs.
RbStatus rb_scene_case_model(const RbSceneCase *scene_case, RbArena *arena, RbDiag *diag,
                             RbModel **model, RbScene **scene);

// A model of any scene.
RbStatus rb_scene_model(RbScene *scene, const char *name, const char *description, RbDiag *diag,
                        RbModel **model);

// Add a free body: shape, material, position; the answer is its index.
int rb_scene_add_free(RbScene *scene, const char *name, RbShape shape, const char *material, Vec3 r,
                      Vec3 v, Vec3 w);

// scenes.c, billiards.c
void rb_scene_two_balls(RbScene *s);
void rb_scene_billiards(RbScene *s, int balls, Vec3 cue_r, Vec3 cue_v);

// frames.c
void rb_scene_capsules(RbScene *s);
void rb_scene_cones(RbScene *s);
void rb_scene_frustums(RbScene *s);
void rb_scene_beams(RbScene *s);

// pendulums.c
void rb_scene_newtons_cradle(RbScene *s);
void rb_scene_pendulum_chain(RbScene *s);

// parts.c
void rb_scene_cup_hull(RbScene *s);
void rb_scene_cup_parts(RbScene *s);
void rb_scene_pipe(RbScene *s);

// solids.c
void rb_scene_geneva(RbScene *s, int slots);
void rb_scene_geneva_3(RbScene *s);
void rb_scene_geneva_6(RbScene *s);

// escapement.c
void rb_scene_escapement(RbScene *s);

// coil.c: numbers of the spring
enum { RB_COIL_COILS = 6 };
#define RB_COIL_DIAMETER 0.03          // [m] mean
#define RB_COIL_WIRE     0.003         // [m] diameter
#define RB_COIL_PITCH    0.008         // [m]
#define RB_COIL_CAP      0.93          // [kg]
void rb_scene_coil_spring(RbScene *s); // 0.08 s at 1e-5; in no table: seconds for each run

// toys.c: with the default laws
void rb_scene_tippe_top(RbScene *s);
void rb_scene_dominoes(RbScene *s);            // in no table: it takes minutes at 1e-9
void rb_scene_cards(RbScene *s, double angle); // [rad] from the upright

enum { RB_CARD_HOUSE_MAX = 64 };

typedef struct RbCardHouse {
    int stories;     // of five cards each, at most 12
    double angle;    // [rad] of leaning cards, from the upright
    double friction; // of all cards and the floor
} RbCardHouse;

void rb_scene_card_house(RbScene *s, RbCardHouse sizes); // in no table: seconds for each run
void rb_scene_rails(RbScene *s);

// tables.c
void rb_scene_cylinders(RbScene *s);
void rb_scene_pool(RbScene *s);
void rb_scene_incline(RbScene *s);

// faces.c
void rb_scene_stack(RbScene *s);
void rb_scene_box_on_incline(RbScene *s, double angle, Vec3 velocity); // [rad], of the incline
void rb_scene_resting_box(RbScene *s);
void rb_scene_flat_drop(RbScene *s);

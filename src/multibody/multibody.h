// SPDX-License-Identifier: MIT
// multibody.h: a scene as a component: bodies on joints, force elements and contacts, with its
// energy account.
//
//     rb_model_add_with(model, &rb_multibody, "", scene, diag, NULL);
//
// States are the coordinates of all joints, then their speeds. Bodies that hang on the world by one
// chain of joints are one group of states. Two event indicators watch all contacts; a step is
// inspected so that nothing passes through anything unseen.
#pragma once

#include "scene/scene.h"
#include "rattleback/component.h"

extern const RbComponentType rb_multibody;

// ---- pull.c

// A spring and a damper between a point of an object and a place in the world.
typedef struct RbPull {
    int object; // 0: nothing is pulled
    Vec3 point; // [m] in the frame of the object
    Vec3 target;
    double stiffness, damping; // [N/m], [N.s/m]
} RbPull;

// From now on; whoever calls it starts the solver anew. False: there is no such object.
bool rb_multibody_pull(void *self, const RbPull *pull);

// The number of an object, by its name in the component; -1: there is none.
int rb_multibody_find(const void *self, const char *name);

// The name of an object in the component; NULL: there is none.
const char *rb_multibody_object_name(const void *self, int object);

// ---- look.c: after an evaluation of the results in this workspace, at these discrete
// values

// How an object moves in the world; false: there is no such object.
bool rb_multibody_motion(const void *self, const void *workspace, int object, RbFrameMotion *out);

// The soft bodies of a scene that has nothing else, as they were at the start; refused with what else there is. After the start of a segment.
struct RbSoftScene;
RbStatus rb_multibody_soft_scene(const void *self, RbArena *arena, RbDiag *diag,
                                 struct RbSoftScene **out);

// contact_kinds.c: which contact the pairs get, in words, after the start of a segment.
void rb_multibody_contact_kinds(const void *self, RbArena scratch, RbText *out);

// Momentum of all bodies, angular momentum about the origin of the world.
Wrench rb_multibody_momentum(const void *self, const void *workspace);

// A contact of two objects.
typedef struct RbContactLook {
    int a, b; // objects
    const RbContactState *state;
} RbContactLook;

// The contacts that exist, in the arena; answers how many.
int rb_multibody_contacts(const void *self, const void *workspace, const double *discrete,
                          RbArena *arena, RbContactLook **out);

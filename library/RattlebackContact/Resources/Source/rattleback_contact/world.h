// SPDX-License-Identifier: MIT
// world.h: what the files of this folder share.
#pragma once

#define RATTLEBACK_CONTACT_API __attribute__((visibility("default")))
#include "rattleback_contact.h"

#include <stdbool.h>

#include "rattleback/rattleback.h"

enum { NAME = 256, FILE_NAME = 1024, KEPT = 8 };

typedef struct Place {
    double r[3], R[9]; // R by rows, from the axes of the frame to those of the world
} Place;

typedef struct Body {
    RattlebackContactBody is; // its texts are the following
    char name[NAME], file[FILE_NAME], material[NAME];
    bool there;
    int root;    // index of the body that moves it; itself
    Place shape; // in its frame
    Place
        built; // where the scene was built with it: root that is fixed: in the world; part: in its root
    int object;
    int state[13]; // free root: numbers of r, Q, v, w among the states
} Body;

// Who touches whom after a number of events. The first one stays; of the others the last ones do.
typedef struct Kept {
    int events; // -1: free
    RbSaved *saved;
    bool *above; // by indicator: positive since then
} Kept;

struct RattlebackContact {
    int body_count, law_count, state_count, indicator_count;
    Body *bodies;
    double (*laws)[RATTLEBACK_LAW_SIZE];
    RbContext *context; // NULL: the scene has to be built
    RbRun *run;
    int *owner; // by object: index of the body
    int object_count;
    double *x, *new_x, *z;
    bool placed; // the run stands at x
    Kept kept[KEPT];
    const Kept *now; // of the run; NULL: none
    char message[1024];
};

// A message; that of what the library has said last.
const char *contact_fail(RattlebackContact *c, const char *format, ...) RB_PRINTF(2, 3);
const char *contact_fail_status(RattlebackContact *c, RbStatus status);

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const char *error_ = (call);                                                               \
        if (error_) return error_;                                                                 \
    } while (0)

#define TRY_STATUS(c, call)                                                                        \
    do {                                                                                           \
        RbStatus status_ = (call);                                                                 \
        if (status_ != RB_OK) return contact_fail_status(c, status_);                              \
    } while (0)

// place.c
Place contact_compose(const Place *a, const Place *b);
Place contact_inverse(const Place *a);
void contact_turn(const double angles[3], double R[9]); // about x, y and z, one after the other
void contact_quaternion(const double R[9], double q[4]);
Place contact_place_of(const RattlebackContact *c, int body,
                       const RattlebackContactPoses *poses); // of its shape, in the world
Place contact_place_built(const RattlebackContact *c, int body,
                          const RattlebackContactPoses *poses); // as Body.built
double contact_difference(const Place *a, const Place *b);
void contact_cross(const double a[3], const double b[3], double out[3]);

// scene.c: bodies and laws become a scene, in a context of its own.
const char *contact_fill_scene(RattlebackContact *c, RbSceneBuilder *scene,
                               const RattlebackContactPoses *poses);
const char *contact_find_root(RattlebackContact *c, int body);

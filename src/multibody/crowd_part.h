// SPDX-License-Identifier: MIT
// crowd_part.h: which groups may be in crowds, and the bodies that are in one (crowd.c, kicks.c, links.c).
#pragma once

#include <stdbool.h>

#include "math/mat3.h"

typedef struct CrowdPart {
    double skin;          // [m] pairs nearer than this are in slots
    bool *possible;       // per group: it can be in a crowd
    bool *kicks;          // per group: in one that moves by kicks (kicks.c)
    double tolerance;     // of crowds
    int calm;             // discrete values per group: it hardly moves
    const double *linked; // discrete values for which links were asked last
} CrowdPart;

// A body in a crowd: where it was when the near pairs were listed.
typedef struct CrowdBody {
    long stamp;   // of the list; 0: the body is in no crowd
    Vec3 listed;  // [m] its place then
    Mat3 turned;  // likewise, unless it is a ball
    double speed; // [m/s] at the end of its last step
    bool barred;  // it is linked with what cannot be in a crowd
} CrowdBody;

typedef struct CrowdWork {
    CrowdBody *bodies;      // per body
    long stamp;             // the last one given
    struct KickWork *kicks; // NULL: none
} CrowdWork;

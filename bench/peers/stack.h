// SPDX-License-Identifier: MIT
// stack.h: boxes on each other in Bullet and in MuJoCo, for the benchmark only. Each is linked if Debian's
// library was found.
#ifndef RB_PEER_STACK_H
#define RB_PEER_STACK_H

#include <stdbool.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PEER_MAX_BOXES = 16 };

// Cubes let go one above the other over a fixed plate whose top is z = 0.
typedef struct PeerStack {
    int boxes;
    double side, gap;            // [m]; gap: between two, at the start
    double mass;                 // [kg] of each
    double friction;             // of each pair
    double gravity;              // [m/s2] along -z
    double look_time, stop_time; // [s] positions are taken at both
} PeerStack;

typedef struct PeerBulletSettings {
    double step; // [s]
    int iterations;
    double restitution;
    bool sleeps; // bodies at rest are no longer computed
} PeerBulletSettings;

typedef struct PeerMujocoSettings {
    double step;     // [s]
    double constant; // [s] time constant of its contacts: small is stiff; at least two steps
    int noslip;      // iterations of its solver against creep: 0 none, its default
} PeerMujocoSettings;

typedef struct PeerStackRun {
    double cpu; // [s] of the steps alone; negative: failed
    long steps;
    double r[PEER_MAX_BOXES][3];  // [m] at stop_time
    double at[PEER_MAX_BOXES][3]; // [m] at look_time
} PeerStackRun;

PeerStackRun peer_stack_bullet(const PeerStack *s, const PeerBulletSettings *settings);
PeerStackRun peer_stack_mujoco(const PeerStack *s, const PeerMujocoSettings *settings);

static inline double peer_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#ifdef __cplusplus
}
#endif
#endif

// SPDX-License-Identifier: MIT
// crowd_kicks.h: balls of a crowd between their kicks, and the contacts that kick them. Private to
// multibody_kick*.c; the method is in docs/theory/crowds.md.
#pragma once

#include "contact/kick.h"
#include "multibody/mechanism.h"

// A step of a crowd is divided into ticks. Each contact has its own steps, of a whole number of them.
enum { KICK_TICKS = 4096, KICK_NEVER = -1 };

// Number 0 is the world, which no kick moves. A ball is where it was at its own tick; until the next
// one it flies.
typedef struct KickBall {
    Vec3 r, v, w;
    Vec3 from,
        way;   // [m] r is their sum: thousands of small ways have the rounding of small numbers
    Vec3 turn; // [rad] since the start of the step
    int tick;
    double by_mass, by_inertia;
    // What the kicks so far have given beyond, or not yet up to, the time t is t x now - due, if forces
    // stay as they are: sums of forces and torques, and of these times the end of what was given.
    Wrench now, due;
    Vec3 planned;  // [m/s] velocity for which its contacts were planned
    double margin; // [m/s] they are planned anew if it changes by more
    int body;
} KickBall;

typedef struct KickLink {
    int one, two; // balls; the normal points from one to two
    int a, b;     // elements
    double radius_1, radius_2;
    const RbContactLaw *law;
    double deepest; // [m]
    bool touches;
    int last;                       // tick of its last kick, or look
    int next;                       // tick of the next one; KICK_NEVER: not in this step
    int before, behind;             // links of the same tick
    double rate;                    // [m/s] at the last kick
    double given;                   // [s] what its kicks have given ends here
    Vec3 force, torque_1, torque_2; // of its last kick, on ball two and about both centres
} KickLink;

struct KickWork {
    KickBall *balls;
    int *ball_of; // per body
    int ball_count;
    KickLink *links;
    int link_count;
    int *start, *of_ball; // links of each ball
    RbContactLaw *laws;
    int law_count;
    int *ticks; // first link of each; -1: none
    // For which these are:
    double version;
    int *groups, group_count;
    // Of the step:
    double tick; // [s]
    double tolerance;
    Vec3 gravity;
    double gravity_change; // [m/s] over the step
    double lost[Q_COUNT];
    int kicks;
    RbTooDeep deep;
};

// The balls of the groups and what is between them, if that is not known already.
void rb_kicks_gather(const Mechanism *m, const RbEval *e, struct KickWork *k);

// SPDX-License-Identifier: MIT
// crowd_kicks.h: bodies of a crowd between their kicks, and the contacts that kick them. Private to
// kick*.c; the method is in docs/theory/crowds.md.
#pragma once

#include "contact/kick.h"
#include "contact/kick_patch.h"
#include "multibody/mechanism.h"

// A step of a crowd is divided into ticks. Each contact has its own steps, of a whole number of them.
enum { KICK_TICKS = 4096, KICK_NEVER = -1 };

// How a body that is not a ball turns: its angular momentum is constant between kicks.
typedef struct KickTurning {
    Vec3 centre;  // [m] of mass, in the body
    Mat3 by_body; // [1/(kg m2)] inverse inertia about it, body axes
    bool even;    // which is a number
    double reach; // [m] no point of the surface is further from the centre
    Quat q;
    Mat3 R, by_world;
    Vec3 L; // [kg m2/s]
} KickTurning;

// Number 0 is the world, which no kick moves. A body is where it was at its own tick; until the next
// one it flies.
typedef struct KickBody {
    Vec3 r, v, w; // of its centre of mass
    Vec3 from,
        way;   // [m] r is their sum: thousands of small ways have the rounding of small numbers
    Vec3 turn; // [rad] of a ball since the start of the step
    int tick;
    double by_mass, by_inertia;
    KickTurning *turning; // NULL: a ball, or the world
    // What the kicks so far have given beyond, or not yet up to, the time t is t x now - due, if forces
    // stay as they are: sums of forces and torques, and of these times the end of what was given.
    Wrench now, due;
    Vec3 planned, planned_w; // [m/s], [rad/s] velocity for which its contacts were planned
    double margin;           // [m/s] they are planned anew if it changes by more
    int body;
} KickBody;

// What a contact remembers.
typedef struct KickHistory {
    RbBristle bristle;
    double mass;  // [kg] that its blow feels, from its beginning on
    bool touches; // it has begun
} KickHistory;

// A contact of bodies that are not both round.
typedef struct KickShapes {
    RbContactState state; // with its law, and what the distance remembers
    RbContactLaw law;
    bool patch, sticks;
    int slot, bristle_at; // where the bristle is among the states of the component; RB_NONE: it is not
    KickHistory now, before; // at the start of the step
    RbPatchLoad load;                  // of the last look at a patch
    Vec3 axis;                         // of the last look; zero: there was none
} KickShapes;

typedef struct KickLink {
    int one, two; // bodies; the normal points from one to two
    int a, b;     // elements
    double radius_1, radius_2;
    const RbContactLaw *law;
    KickShapes *shapes; // NULL: two balls, or a ball and what is fixed
    double deepest;     // [m]
    bool touches;
    int last;                       // tick of its last kick, or look
    int next;                       // tick of the next one; KICK_NEVER: not in this step
    int before, behind;             // links of the same tick
    double rate;                    // [m/s] at the last kick
    double given;                   // [s] what its kicks have given ends here
    Vec3 force, torque_1, torque_2; // of its last kick, on body two and about both centres
    double losing[3];               // [W] likewise: by damping, friction and rolling
} KickLink;

// That of a slot at both ends of a step of its crowd.
typedef struct KickMemory {
    double code;       // of the contact in the slot
    double start, end; // [s]
    KickHistory at_start, at_end;
} KickMemory;

struct KickWork {
    KickBody *bodies;
    int *number_of; // per body
    int body_count;
    KickTurning *turnings;
    int turning_count;
    KickLink *links;
    int link_count;
    KickShapes *shapes;
    int shapes_count;
    int *start, *of_body; // links of each body
    RbContactLaw *laws;
    int law_count;
    int *ticks; // first link of each; -1: none
    KickMemory *memory; // per slot
    RbContactPatch over; // of the present look
    // For which these are:
    double version;
    int *groups, group_count;
    // Of the step:
    double tick; // [s]
    double tolerance;
    double v_small; // [m/s]
    Vec3 gravity;
    double gravity_change; // [m/s] over the step
    double lost[Q_COUNT];
    int kicks;
    RbTooDeep deep;
};

// The bodies of the groups and what is between them, if that is not known already.
void rb_kicks_gather(const Mechanism *m, const RbEval *e, struct KickWork *k);

// ---- kick_bodies.c
void rb_kick_load_body(const Mechanism *m, const double *x, KickBody *b);
void rb_kick_store_body(const Mechanism *m, double *x, const KickBody *b);
void rb_kick_fly(const struct KickWork *k, KickBody *b, int tick);
void rb_kick_give(KickBody *b, double duration, Vec3 force, Vec3 torque);
Pose rb_kick_pose(const KickBody *b);
RbKickSide rb_kick_side(const KickBody *b);

// [m/s] How fast turning moves its surface at most.
double rb_kick_sweep(const KickBody *b);

// What the body's velocity at time t would be without what this link has given in advance and with
// what the others have not given yet, less what it is.
void rb_kick_owed(const KickBody *b, const KickLink *l, double t, Vec3 force, Vec3 torque, Vec3 *v,
                  Vec3 *w);

// What the contact does to the sums of its bodies.
void rb_kick_note(struct KickWork *k, const KickLink *l, double sign);

// ---- kick_sight.c: one contact, where its bodies are now

typedef struct KickSight {
    Vec3 n;
    double distance;
    Vec3 velocity; // [m/s] of two relative to one, at the point of contact
    double rate;   // [m/s] of the depth
    Vec3 point;    // [m] of contact, if they are not both round
    bool bound;    // they are apart by the distance along n, or more
} KickSight;

KickSight rb_kick_see(const Mechanism *m, struct KickWork *k, const KickLink *l,
                      const MechanismWork *w, int tick);

// The same for a pair that need not touch: a bound may do.
KickSight rb_kick_glance(const Mechanism *m, struct KickWork *k, const KickLink *l,
                         const MechanismWork *w, int tick);

// It touches: how hard do its bodies press?
void rb_kick_weigh(const Mechanism *m, struct KickWork *k, const KickLink *l, KickSight *s);

// [1/s] The frequency of the blow that it is in, and the speed of that.
double rb_kick_link_frequency(const KickLink *l, double depth, double rate, double *speed);

// ---- kick_contact.c: the kick itself, at time t, of what the contact owes until then
void rb_kick_link(const Mechanism *m, struct KickWork *k, KickLink *l, const KickSight *s,
                  double depth, double t, double until);

// SPDX-License-Identifier: MIT
// remote.h: a cloud whose steps are made by another program (docs/decisions/liggghts.md), and what the two send each other. All
// messages have a head and a body of plain structures: both programs are built together and run on one machine.
//
//     setup     options, laws and walls; once
//     change    grains that go, grains and contacts that come
//     advance   so many steps, with the bodies that are carried along; the answer has them, the loads of walls, sums
//     grains    the answer has all grains, and their contacts if they are wanted
//
// Whoever makes the steps has a cloud of its own, made from the setup (mpi/part.h).
#pragma once

#include "base/diag.h"
#include "base/pack.h"
#include "dem/carried.h"

enum { RB_REMOTE_VERSION = 1 };

typedef enum RbRemoteKind {
    RB_REMOTE_SETUP = 1,
    RB_REMOTE_CHANGE,
    RB_REMOTE_ADVANCE,
    RB_REMOTE_GRAINS,
    RB_REMOTE_END,
    RB_REMOTE_FAILED, // the answer to any of them: a text that says why
} RbRemoteKind;

typedef struct RbRemoteHead {
    uint64_t kind, size; // bytes that follow
} RbRemoteHead;

typedef struct RbRemoteGrain {
    int32_t id, material;
    double radius, mass;
    Vec3 r, v, w, f, t;
    int32_t turns[3], unused; // how often it has passed a periodic border
} RbRemoteGrain;

// Between a grain and another with a larger identity, or a wall (rb_grain_wall_code).
typedef struct RbRemoteContact {
    int32_t id, with;
    uint64_t touches;
    Vec3 slide, turn;
} RbRemoteContact;

typedef struct RbRemoteChange {
    int64_t removed, added, contacts; // how many follow: identities, grains, contacts
    int64_t start; // 1: energies are counted from here on; 2: a run is resumed, they are known
    int64_t more;  // 1: others follow before anything else
} RbRemoteChange;

typedef struct RbRemoteOrder {
    int64_t most; // steps
    double due;   // [s] of something that is to find the grains there
    double from;  // [s]
    int64_t bodies, walls;
} RbRemoteOrder;

// Sums over all grains, at the end of an interval.
typedef struct RbRemoteState {
    double time, origin; // [s]
    int64_t steps, origin_steps, halved, made;
    int64_t count, contacts, wall_contacts, lost, too_fast;
    double mass, kinetic, turning, height;
    RbGrainPowers powers;
    double damped, slid, resisted, dragged, driven, added, energy_start;
    double fastest, stiffest, coarsest, smallest, deepest;
} RbRemoteState;

// Of all grains at the start.
typedef struct RbRemoteExtent {
    double largest,
        mean; // [m] radius that there may ever be, mean of those that there are; 0: there are none
    Vec3 low, high; // [m] of their centres
} RbRemoteExtent;

// ---- setup

// The places of its grains are sent as well. largest: [m] no grain will ever have a larger radius
void rb_remote_pack_setup(const RbCloud *cloud, double largest, RbPacker *packer);
// A cloud without grains, with the same options, laws and walls; NULL: these are not such bytes. What is in it stays in the arena.
RbCloud *rb_remote_unpack_setup(const void *bytes, size_t size, RbArena *arena,
                                RbRemoteExtent *extent);

// ---- this side

typedef struct RbRemote RbRemote;

typedef struct RbRemoteJob {
    const char *folder;  // for the messages of the program; made if it does not exist
    const char *program; // NULL: rattleback-mpi, beside this program or where programs are found
    int ranks;           // processes
    double largest;      // [m] no grain will ever have a larger radius
} RbRemoteJob;

// Start the program, or connect with the one that has started this one, and send it the cloud with its grains. It ends with the arena
// at the latest.
RbStatus rb_remote_start(const RbRemoteJob *job, RbCloud *cloud, RbArena *arena, RbDiag *diag,
                         RbRemote **out);

// Make steps. The time of the cloud and its sums, loads and contact counts of walls are then those of the end, its grains are not.
RbStatus rb_remote_advance(RbRemote *remote, RbCloud *cloud, RbCarried *carried, const bool *absent,
                           int64_t *steps, double due, RbDiag *diag);
const RbRemoteState *rb_remote_state(const RbRemote *remote);

// The grains of the cloud to where they are; with contacts it goes on as one that has made the steps itself.
RbStatus rb_remote_look(RbRemote *remote, RbCloud *cloud, bool contacts, RbDiag *diag);

// Grains were added to the cloud or removed after it was looked at with contacts.
RbStatus rb_remote_tell(RbRemote *remote, RbCloud *cloud, RbDiag *diag);

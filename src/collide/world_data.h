// SPDX-License-Identifier: MIT
// world_data.h: the inside of the world, for world.c (bodies, contacts) and world_query.c only.
#pragma once

#include "base/array.h"
#include "collide/world.h"

typedef struct Body {
    const RbCore *cores;
    int core_count;
    int first; // proxy of core 0; -1: this id is free
    int next_free;
    Pose X;
    RbMotion motion;
} Body;

// What the broad phase knows of one core; its id there is the index of the proxy.
typedef struct Proxy {
    int body;
    int part;
    int next;   // proxy of the next core of the body, -1: none
    bool fresh; // nothing is remembered of its pairs yet
    RbAabb tight;
} Proxy;

typedef struct KnownPair {
    RbPair proxies;
    RbPairMemory memory;
    Vec3 apart; // unit vector from a to b in the world that kept them apart last time; zero: none
} KnownPair;

typedef RB_ARRAY(KnownPair) KnownPairs;

struct RbWorld {
    RbArena *arena;
    RbBroadphase *bp;
    RB_ARRAY(Body) bodies;
    int free_body; // -1: none
    int body_count;
    RB_ARRAY(Proxy) proxies;
    RB_ARRAY(int) fresh;

    KnownPairs known; // the pairs of the broad phase, with what the narrow phase remembers of each
    KnownPairs known_work;
    uint64_t known_version;
    RB_ARRAY(RbWorldContact) contacts;
    RbPair least; // proxies of the last smallest distance; a < 0: none

    RB_ARRAY(int) ids;
    RbBoxTree swept;
    RB_ARRAY(RbAabb) swept_boxes;
    RB_ARRAY(int) swept_items;
    RB_ARRAY(RbPair) swept_pairs;
};

static inline const RbCore *proxy_core(const RbWorld *w, const Proxy *p) {
    return &w->bodies.data[p->body].cores[p->part];
}

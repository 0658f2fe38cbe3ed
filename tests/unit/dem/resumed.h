// SPDX-License-Identifier: MIT
// resumed.h: a cloud that goes on from a checkpoint is the one that was left alone, in every bit.
#pragma once

#include <string.h>

#include "base/pack.h"
#include "component/saver.h"
#include "grains.h"

typedef struct Taken {
    const char *bytes;
    size_t count;
} Taken;

static inline Taken take_checkpoint(RbCloud *cloud, RbArena *arena) {
    RbPacker packer = rb_packer(arena);
    RbSaver saver = {&packer};
    rb_cloud_save(cloud, &saver);
    return (Taken){packer.bytes.data, (size_t)packer.bytes.count};
}

static inline bool loads(RbCloud *cloud, Taken taken) {
    RbLoader loader = {.unpacker = rb_unpacker(taken.bytes, taken.count)};
    return rb_cloud_load(cloud, &loader);
}

// `other` forgets its own grains, takes over from `cloud`, and both run on. Returns the checkpoint.
static inline Taken goes_on_as(RbCloud *cloud, RbCloud *other, RbArena *arena, long steps) {
    Taken taken = take_checkpoint(cloud, arena);
    ENSURE(loads(other, taken));
    Taken again = take_checkpoint(other, arena);
    ENSURE(again.count == taken.count && memcmp(again.bytes, taken.bytes, taken.count) == 0);
    ENSURE(other->contacts == cloud->contacts && other->wall_contacts == cloud->wall_contacts);
    for (int k = 0; k < cloud->walls.count; k++)
        ENSURE(other->wall_powers[k].contacts == cloud->wall_powers[k].contacts);
    run(cloud, steps);
    run(other, steps);
    ENSURE(other->rebuilds == cloud->rebuilds);
    ENSURE(rb_cloud_hash(other) == rb_cloud_hash(cloud));
    RbGrainLedger a = rb_cloud_ledger(cloud), b = rb_cloud_ledger(other);
    ENSURE(memcmp(&a, &b, sizeof a) == 0);
    return taken;
}

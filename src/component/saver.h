// SPDX-License-Identifier: MIT
// saver.h: the part of a checkpoint that one component writes and reads.
#pragma once

#include "base/pack.h"
#include "rattleback/component.h"

struct RbSaver {
    RbPacker *packer;
};

struct RbLoader {
    RbUnpacker unpacker;
};

// SPDX-License-Identifier: MIT
// saver.h: the part of a checkpoint that one component writes and reads.
#pragma once

#include "base/diag.h"
#include "base/pack.h"
#include "rattleback/component.h"

struct RbSaver {
    RbPacker *packer;
};

struct RbLoader {
    RbUnpacker unpacker;
    RbDiag *diag; // for a reason why it does not fit
    RbPos at;     // the file of the checkpoint
};

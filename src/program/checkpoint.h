// SPDX-License-Identifier: MIT
// checkpoint.h: everything an instance remembers, as bytes and back.
#pragma once

#include "base/pack.h"
#include "program/program.h"

void rb_program_save(const RbProgramInstance *in, RbPacker *packer);

// False if the bytes are not those of an instance of the same program.
bool rb_program_restore(RbProgramInstance *in, RbUnpacker *unpacker);

// SPDX-License-Identifier: MIT
// archive.h: an FMU as an archive: the description, the binary, the card that the binary reads
// (fmu/instance.c), and the files of the model.
#pragma once

#include "fmu/dependencies.h"
#include "model/modelica.h"
#include "rattleback/fmu.h"

typedef struct RbFmuPack {
    const RbModelicaOpener *opener; // after the translation
    const RbModel *model;
    const RbFmuVariables *variables;
    const RbFmuStates *states;
    RbFmuDependencies dependencies;
    const RbFmuOptions *options;
    RbSimOptions sim; // that the model suggests
} RbFmuPack;

RbStatus rb_fmu_pack(const RbFmuPack *pack, const char *file, RbArena *arena, RbArena scratch,
                     RbDiag *diag);

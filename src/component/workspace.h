// SPDX-License-Identifier: MIT
// workspace.h: where the memory of a workspace comes from while it is opened.
#pragma once

#include "base/arena.h"
#include "rattleback/component.h"

struct RbWorkspaceMemory {
    RbArena *arena;
};

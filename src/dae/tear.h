// SPDX-License-Identifier: MIT
// tear.h: a system of equations becomes a block: few iteration variables, the rest computed from
// them.
#pragma once

#include "dae/work.h"

// eqs (indices into `all`) determine vars, both `count` long. The block is appended to *blocks.
RbStatus rb_system_block(RbWork *w, const RbDaeEq *all, const int *eqs, const int *vars, int count,
                         RbBlocks *blocks);

// SPDX-License-Identifier: MIT
// blocks.h: from matched equations to blocks in order of evaluation (block lower triangular form).
#pragma once

#include "dae/incidence.h"
#include "dae/work.h"

// Sort the rows of `in`, which are matched to its columns, and append blocks. eqs are the equations
// that in.row_eqs refers to.
RbStatus rb_build_blocks(RbWork *w, const RbIncidence *in, const RbMatching *m, const RbDaeEq *eqs,
                         RbBlocks *blocks);

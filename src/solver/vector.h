// SPDX-License-Identifier: MIT
// vector.h: the vectors that SUNDIALS gets from us: serial ones with loops of our own, which the
// compiler can vectorise, and with a norm that does not let a large system hide what happens in a
// part of it. Inside of the solver; not for other folders.
//
// The states fall into blocks. The norm of an error e with weights w is that of the worst block,
//     max over blocks b of sqrt(1/n_b sum over i in b of (w_i e_i)²),
// so that ten balls that lie still do not make the collision of two others ten times less exact.
// One block is the root mean square of all, as usual.
#pragma once

#include <nvector/nvector_serial.h>

#include "base/arena.h"

// Room for the vectors that SUNDIALS makes for itself. It does not survive a vector that cannot be
// made, so there is room for all of them before it is called. Lives in the arena.
typedef struct RbVectorPool RbVectorPool;
RbVectorPool *rb_vector_pool(long length, int count, RbArena *arena);

// How many there are: 25 for fehlberg8, 24 for adams, 20 for ida, 16 for cvode; for nonlinear systems 8.
enum { RB_POOL_INTEGRATOR = 26, RB_POOL_NONLINEAR = 10 };

typedef struct RbErrorBlocks {
    const int *of; // per state; NULL: all are one block
    int count;
    double *share;      // per block: 1 / number of its states
    double *sum;        // per block: work
    RbVectorPool *pool; // where clones come from; NULL: from the C library
} RbErrorBlocks;

// A vector on data that somebody else owns; NULL if there is no memory. Vectors cloned from it have
// the same blocks, which must outlive them. Freed by N_VDestroy.
N_Vector rb_vector(long length, double *data, RbErrorBlocks *blocks, SUNContext context);

// The same with the operations of SUNDIALS; of the blocks only the pool matters.
N_Vector rb_vector_serial(long length, double *data, RbErrorBlocks *blocks, SUNContext context);

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

typedef struct RbErrorBlocks {
    const int *of; // per state; NULL: all are one block
    int count;
    double *share; // per block: 1 / number of its states
    double *sum;   // per block: work
} RbErrorBlocks;

// A vector on data that somebody else owns; NULL if there is no memory. Vectors cloned from it have
// the same blocks, which must outlive them. Freed by N_VDestroy.
N_Vector rb_vector(long length, double *data, RbErrorBlocks *blocks, SUNContext context);

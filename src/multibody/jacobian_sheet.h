// SPDX-License-Identifier: MIT
// jacobian_sheet.h: where the derivatives of a mechanism are written. Private to jacobian.c and
// jacobian_links.c.
#pragma once

#include "multibody/mechanism.h"

// The derivatives of some states by some states, somewhere in the values.
typedef struct Block {
    double *values;
    long base; // of row 0, column 0; rows of coordinates may be missing
    int row_step, column_step;
} Block;

static inline void rb_block_add(const Block *b, int row, int column, double value) {
    b->values[b->base + (long)row * b->row_step + (long)column * b->column_step] += value;
}

typedef struct Sheet {
    const Mechanism *m;
    MechanismWork *w;
    const RbEval *e;
    double *values;
    int n;     // dense: number of states, by columns; 0: block after block, as couplings adds them
    long next; // where the blocks of the next link begin
} Sheet;

static inline const GroupStates *rb_sheet_states(const Sheet *s, int group) {
    return &s->m->groups.states[group];
}

static inline Block rb_sheet_diagonal(const Sheet *s, int group) {
    const GroupStates *g = rb_sheet_states(s, group);
    if (s->n > 0) {
        int first = s->w->slopes.first_state[group];
        return (Block){s->values, (long)first * s->n + first, 1, s->n};
    }
    return (Block){s->values, g->block - (long)g->nq * g->count, g->count, 1};
}

// Place of a coordinate, or of a speed, among the states of its group.
static inline int rb_local_q(const GroupStates *g, int q) {
    return q - g->q;
}
static inline int rb_local_v(const GroupStates *g, int v) {
    return g->nq + v - g->v;
}

// Force elements and contacts, after the branches.
void rb_sheet_add_links(Sheet *s);

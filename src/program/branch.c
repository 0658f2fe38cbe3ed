// SPDX-License-Identifier: MIT
#include "program/branch.h"

#include <string.h>

#include "program/systems.h"

static bool is_iterated(const RbProgramInstance *in, int k) {
    const RbCodeSystem *s = &in->program->lowered->systems.data[k];
    return s->block->kind == RB_BLOCK_NONLINEAR && !s->initial;
}

int *rb_branch_systems(const RbLowered *l, RbArena *arena, int *count) {
    int *systems = rb_new_array(arena, int, l->systems.count + 1);
    *count = 0;
    for (int k = 0; k < l->systems.count; k++) {
        const RbCodeSystem *s = &l->systems.data[k];
        bool counts = s->block->kind == RB_BLOCK_NONLINEAR && s->block->needed && !s->initial;
        if (counts) systems[(*count)++] = k;
    }
    return systems;
}

static size_t slope_bytes(const RbSystemWork *s) {
    return (size_t)(s->anchor_size * s->anchor_size) * sizeof(double);
}

static void anchor(RbProgramInstance *in, int which) {
    in->anchor_time[which] = in->frame.t;
    for (int k = 0; k < in->program->lowered->systems.count; k++) {
        RbSystemWork *s = &in->systems[k];
        if (!is_iterated(in, k) || s->left_branch) continue;
        rb_system_present(in, k, s->anchor[which]);
        memcpy(s->anchor_slopes[which], s->slopes, slope_bytes(s));
    }
}

static void shift_anchors(RbProgramInstance *in) {
    in->anchor_time[0] = in->anchor_time[1];
    for (int k = 0; k < in->program->lowered->systems.count; k++) {
        RbSystemWork *s = &in->systems[k];
        if (s->anchor_size == 0) continue; // linear: it has one solution
        memcpy(s->anchor[0], s->anchor[1], (size_t)s->anchor_size * sizeof(double));
        memcpy(s->anchor_slopes[0], s->anchor_slopes[1], slope_bytes(s));
    }
}

void rb_program_keep_branch(RbProgramInstance *in) {
    double t = in->frame.t;
    if (!in->anchored || t < in->anchor_time[0]) return;
    if (t > in->anchor_time[1]) shift_anchors(in);
    bool inside = t < in->anchor_time[1];
    anchor(in, 1);
    if (inside) anchor(in, 0); // the end of the step may have been reached by a jump too far
}

void rb_program_restart_branch(RbProgramInstance *in) {
    in->anchored = true;
    for (int k = 0; k < in->program->lowered->systems.count; k++)
        in->systems[k].left_branch = in->systems[k].jumped = false;
    for (int which = 0; which < 2; which++) anchor(in, which);
}

// SPDX-License-Identifier: MIT
#include "translate/hard_systems.h"

#include <string.h>

#include "program/systems.h"
#include "solver/nonlinear.h"

typedef struct HardSystem {
    RbProgramInstance *in;
    RbSystemFunction *evaluate; // of the present call
    RbNonlinear *solver;
    double *residual;
} HardSystem;

typedef struct HardSystems {
    HardSystem *systems;
    RbArena *words; // messages, of which nobody reads more than the program's own
    RbDiag diag;
} HardSystems;

static int residual(void *user, const double *u, double *r) {
    HardSystem *s = user;
    s->evaluate(&s->in->frame, u, r, NULL);
    return 0;
}

static int jacobian(void *user, const double *u, const double *r, double *values) {
    (void)r;
    HardSystem *s = user;
    s->evaluate(&s->in->frame, u, s->residual, values); // both by columns
    return 0;
}

static bool solve(void *user, int system, RbSystemFunction *evaluate, double *y) {
    HardSystems *all = user;
    HardSystem *s = &all->systems[system];
    RbArena mark = *all->words;
    s->evaluate = evaluate;
    bool solved = s->solver && rb_nonlinear_solve(s->solver, y) == RB_OK;
    *all->words = mark;
    all->diag = rb_diag(all->words);
    return solved;
}

static void open_system(HardSystems *all, HardSystem *s, RbProgramInstance *in, const RbBlock *b,
                        RbArena *arena) {
    if (b->kind != RB_BLOCK_NONLINEAR) return;
    *s = (HardSystem){.in = in};
    s->residual = rb_new_array(arena, double, b->size);
    RbNonlinearEquations equations = {
        .n = b->size, .user = s, .residual = residual, .jacobian = b->matrix ? jacobian : NULL};
    RbNonlinearOptions options = rb_nonlinear_options();
    if (rb_nonlinear_create(&equations, &options, arena, &all->diag, &s->solver) != RB_OK)
        s->solver = NULL;
}

void rb_hard_systems(RbProgramInstance *in, RbArena *arena) {
    const RbLowered *l = in->program->lowered;
    HardSystems *all = rb_new(arena, HardSystems);
    all->words = rb_arena_child(arena);
    all->diag = rb_diag(all->words);
    all->systems = rb_new_array(arena, HardSystem, l->systems.count + 1);
    for (int k = 0; k < l->systems.count; k++)
        open_system(all, &all->systems[k], in, l->systems.data[k].block, arena);
    in->solve_hard = solve;
    in->hard_user = all;
}

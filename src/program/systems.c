// SPDX-License-Identifier: MIT
#include "program/systems.h"

#include <math.h>
#include <string.h>

#include "program/program_instance.h"
#include "program/newton.h"
#include "program/residual.h"
#include "program/small_residual.h"
#include "math/rank.h"

static RbSystemWork system_work(const RbBlock *b, RbArena *arena) {
    size_t n = (size_t)b->size;
    RbSystemWork s = {.size = b->size,
                      .y = rb_new_array(arena, double, n),
                      .r = rb_new_array(arena, double, n),
                      .a = rb_new_array(arena, double, b->sparse ? (size_t)b->matrix_count : n *n),
                      .dy = rb_new_array(arena, double, n),
                      .trial = rb_new_array(arena, double, n),
                      .before = rb_new_array(arena, double, n),
                      .scale = rb_new_array(arena, double, n),
                      .pivots = rb_new_array(arena, int, n),
                      .free = rb_new_array(arena, bool, n)};
    if (b->kind == RB_BLOCK_LINEAR) s.factors = rb_factors(b, arena);
    if (b->kind != RB_BLOCK_NONLINEAR) return s;
    s.taken = rb_new_array(arena, bool, n);
    s.anchor_size = b->size;
    s.last = rb_new_array(arena, double, n);
    s.end = rb_new_array(arena, double, n);
    s.terms = rb_new_array(arena, double, n);
    s.slopes = rb_new_array(arena, double, n *n);
    s.kept = rb_new_array(arena, double, n *n);
    for (int which = 0; which < 2; which++) {
        s.anchor[which] = rb_new_array(arena, double, n);
        s.anchor_slopes[which] = rb_new_array(arena, double, n *n);
    }
    return s;
}

RbSystemWork *rb_system_works(const RbLowered *l, RbArena *arena) {
    RbSystemWork *works = rb_new_array(arena, RbSystemWork, l->systems.count + 1);
    for (int k = 0; k < l->systems.count; k++)
        works[k] = system_work(l->systems.data[k].block, arena);
    return works;
}

// --- systems -------------------------------------------------------------------------------------

int rb_system_failed(RbProgramInstance *in, int system, const char *why) {
    in->failed_system = system;
    in->failure = why;
    return 1;
}

void rb_system_present(const RbProgramInstance *in, int k, double *y) {
    const RbCodeSystem *system = &in->program->lowered->systems.data[k];
    for (int i = 0; i < system->block->size; i++) {
        y[i] = rb_area(in, system->unknowns[i].area)[system->unknowns[i].index];
    }
}

// The matrix in s->a, full.
static double *full_matrix(const RbSystemWork *s, const RbBlock *b, RbArena *arena) {
    size_t n = (size_t)s->size;
    double *full = rb_new_array(arena, double, n *n);
    if (!b->sparse) memcpy(full, s->a, n * n * sizeof *full);
    for (int k = 0; b->sparse && k < b->matrix_count; k++)
        full[(size_t)b->matrix[k].row + n * (size_t)b->matrix[k].column] = s->a[k];
    return full;
}

static const char *const not_solved = "the equations do not hold at what elimination has found";

static const char *const contradiction = "the equations contradict each other";

// Equations that repeat each other (0 = 0 h at zero flow, two grounds) leave something free: it
// keeps its value.
static int solve_singular(RbProgramInstance *in, int k, RbSystemFunction *evaluate) {
    RbSystemWork *s = &in->systems[k];
    const RbBlock *b = in->program->lowered->systems.data[k].block;
    int n = s->size;
    RbArena scratch = *in->call_arena;
    memcpy(s->y, s->before, (size_t)n * sizeof *s->y);
    evaluate(&in->frame, s->y, s->r, s->a);
    for (int i = 0; i < n; i++) s->r[i] = -s->r[i];
    // Next to a solution b is rounding, and its contradictions are, too: whether the equations hold is seen below.
    bool consistent = rb_solve_consistent(n, full_matrix(s, b, &scratch), s->r, s->dy, s->trial,
                                          s->pivots, s->free);
    for (int i = 0; i < n; i++) s->y[i] += s->dy[i];
    evaluate(&in->frame, s->y, s->r, NULL);
    memset(s->trial, 0, (size_t)n * sizeof *s->trial);
    if (!rb_linear_residual_small(in, k))
        return rb_system_failed(in, k, consistent ? not_solved : contradiction);
    s->undecided = true;
    return 0;
}

// What is left of the equations is solved for once more: elimination leaves errors of the size of the largest numbers in it, such as the
// potentials at both ends of a closed switch, whose difference is its current.
static bool refine(RbProgramInstance *in, int k, RbSystemFunction *evaluate) {
    enum { REFINEMENTS_MAX = 2 };
    RbSystemWork *s = &in->systems[k];
    size_t size = (size_t)s->size * sizeof *s->y;
    for (int times = 0; times < REFINEMENTS_MAX; times++) {
        memcpy(s->dy, s->r, size);
        rb_factors_solve(s->factors, s->dy);
        for (int i = 0; i < s->size; i++) s->y[i] -= s->dy[i];
        evaluate(&in->frame, s->y, s->r, NULL);
        memset(s->trial, 0, size);
        if (rb_linear_residual_small(in, k)) return true;
    }
    return false;
}

// r(y) = a y + r(0) is solved for y; the inner variables follow when it is evaluated at the
// solution.
static int solve_linear(RbProgramInstance *in, int k, RbSystemFunction *evaluate) {
    RbSystemWork *s = &in->systems[k];
    const RbBlock *b = in->program->lowered->systems.data[k].block;
    int n = s->size;
    bool ready = b->constant_matrix && rb_factors_ready(s->factors);
    s->undecided = false;
    rb_system_present(in, k, s->before);
    memset(s->y, 0, (size_t)n * sizeof *s->y);
    evaluate(&in->frame, s->y, s->r, ready ? NULL : s->a);
    if (!ready && !rb_factors_take(s->factors, s->a)) return solve_singular(in, k, evaluate);
    memcpy(s->trial, s->r, (size_t)n * sizeof *s->r);
    for (int i = 0; i < n; i++) s->y[i] = -s->r[i];
    rb_factors_solve(s->factors, s->y);
    evaluate(&in->frame, s->y, s->r, NULL);
    for (int i = 0; i < n; i++) {
        if (!isfinite(s->y[i]))
            return rb_system_failed(in, k, "the solution of the linear system is not finite");
    }
    if (rb_linear_residual_small(in, k) || refine(in, k, evaluate)) return 0;
    return rb_system_failed(in, k, not_solved);
}

void rb_program_forget_factors(RbProgramInstance *in, int system) {
    if (in->systems[system].factors) rb_factors_forget(in->systems[system].factors);
}

int rb_solve_system(RbCodeFrame *f, int system, RbSystemFunction *evaluate) {
    RbProgramInstance *in = (RbProgramInstance *)f;
    const RbCodeSystem *s = &in->program->lowered->systems.data[system];
    if (in->given && rb_system_is_residual(s)) return rb_take_residual(in, system, evaluate);
    return s->block->kind == RB_BLOCK_LINEAR ? solve_linear(in, system, evaluate)
                                             : rb_solve_newton(in, system, evaluate);
}

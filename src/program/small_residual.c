// SPDX-License-Identifier: MIT
#include "program/small_residual.h"

#include <math.h>
#include <string.h>

#include "program/program_instance.h"

static const double of_terms = 1e-6;
static const double of_unknowns = 1e-8;
static const double of_largest = 1e-12; // unknown, each measured by its nominal value

// --- the terms of a residual ----------------------------------------------------------------------

// Sum of the sizes of what is added up in e, in the branches that count.
static double sum_of_terms(RbProgramInstance *in, const RbExpr *e) {
    switch ((RbOp)e->op) {
        case RB_OP_NEG: return sum_of_terms(in, e->args[0]);
        case RB_OP_ADD:
        case RB_OP_SUB: return sum_of_terms(in, e->args[0]) + sum_of_terms(in, e->args[1]);
        case RB_OP_IF:
            return sum_of_terms(in, e->args[rb_interpret_number(in, e->args[0]) != 0 ? 1 : 2]);
        default: return fabs(rb_interpret_number(in, e));
    }
}

// The variables have their values at the solution. An interpreter is slow, but seldom asked.
static bool small_beside_terms(RbProgramInstance *in, int k, int row) {
    const RbBlock *b = in->program->lowered->systems.data[k].block;
    int failed = in->frame.failed;
    const char *failure = in->failure;
    double terms = sum_of_terms(in, b->residuals[row]);
    in->frame.failed = failed;
    in->failure = failure;
    return fabs(in->systems[k].r[row]) <= of_terms * terms;
}

// --- linear systems ---------------------------------------------------------------------------------

// sums[i] = sum over j of |a_ij| sizes[j]
static void row_sums(const RbBlock *b, const double *a, const double *sizes, double *sums) {
    for (int i = 0; i < b->size; i++) sums[i] = 0;
    for (int k = 0; k < b->matrix_count; k++)
        sums[b->matrix[k].row] += fabs(a[rb_matrix_place(b, k)]) * sizes[b->matrix[k].column];
}

// The residuals that are not small beside the terms of their equations go to s->trial, where r(0) is; the others become zero there. False:
// there are none.
static bool find_large(RbProgramInstance *in, int k) {
    RbSystemWork *s = &in->systems[k];
    bool summed = false, any = false;
    for (int i = 0; i < s->size; i++) {
        double r = fabs(s->r[i]), rest = fabs(s->trial[i]);
        s->trial[i] = 0;
        if (r <= of_terms * rest) continue;
        for (int j = 0; j < s->size && !summed; j++) s->dy[j] = fabs(s->y[j]);
        if (!summed) row_sums(in->program->lowered->systems.data[k].block, s->a, s->dy, s->before);
        summed = true;
        if (r <= of_terms * (rest + s->before[i])) continue;
        s->trial[i] = s->r[i];
        any = true;
    }
    return any;
}

// The same by the terms as they were written, in which more can be seen than in products of slopes and unknowns.
static bool find_large_in_text(RbProgramInstance *in, int k) {
    RbSystemWork *s = &in->systems[k];
    bool any = false;
    for (int i = 0; i < s->size; i++) {
        if (s->trial[i] != 0 && small_beside_terms(in, k, i)) s->trial[i] = 0;
        any |= s->trial[i] != 0;
    }
    return any;
}

// Where terms cancel before they get to a residual, it is rounding of what is not seen there; but then
// it does not matter for the unknowns: the residuals in s->trial change them little. A force of zero that follows from large ones is as exact
// as these. A singular matrix has no correction: there each unknown counts with its size.
static bool changes_little(RbProgramInstance *in, int k) {
    RbSystemWork *s = &in->systems[k];
    bool ready = rb_factors_ready(s->factors);
    double largest = 0;
    for (int i = 0; i < s->size; i++) largest = fmax(largest, fabs(s->y[i]) / s->scale[i]);
    double *bound = ready ? s->before : s->dy;
    for (int i = 0; i < s->size; i++)
        bound[i] = fmax(of_unknowns * fmax(fabs(s->y[i]), s->scale[i]),
                        of_largest * largest * s->scale[i]);
    const double *change = s->trial;
    if (ready) {
        memcpy(s->dy, s->trial, (size_t)s->size * sizeof *s->dy);
        rb_factors_solve(s->factors, s->dy);
        change = s->dy;
    } else {
        row_sums(in->program->lowered->systems.data[k].block, s->a, s->dy, s->before);
    }
    for (int i = 0; i < s->size; i++) {
        if (!(fabs(change[i]) <= s->before[i])) return false;
    }
    return true;
}

bool rb_linear_residual_small(RbProgramInstance *in, int k) {
    return !find_large(in, k) || changes_little(in, k) || !find_large_in_text(in, k) ||
           changes_little(in, k);
}

// --- nonlinear systems ------------------------------------------------------------------------------

static bool rounding_of_slopes(const RbSystemWork *s) {
    for (int i = 0; i < s->size; i++) {
        double sum = 0;
        for (int j = 0; j < s->size; j++) sum += fabs(s->slopes[i + s->size * j] * s->y[j]);
        if (!(fabs(s->r[i]) <= 0.1 * of_unknowns * sum)) return false;
    }
    return true;
}

// What small changes of each unknown do to the residuals, added up in `sums`. Where they have no value
// beside the solution, nothing can be said against it.
static void probe(RbProgramInstance *in, RbSystemWork *s, RbSystemFunction *evaluate,
                  double *sums) {
    for (int i = 0; i < s->size; i++) sums[i] = 0;
    for (int j = 0; j < s->size; j++) {
        double y = s->y[j], step = of_unknowns * fmax(fabs(y), s->scale[j]);
        double *there[2] = {s->dy, s->trial};
        for (int side = 0; side < 2; side++) {
            s->y[j] = side == 0 ? y - step : y + step;
            evaluate(&in->frame, s->y, there[side], NULL);
        }
        s->y[j] = y;
        for (int i = 0; i < s->size; i++) {
            double left = fabs(there[0][i] - s->r[i]), right = fabs(there[1][i] - s->r[i]);
            sums[i] += isnan(left) && isnan(right) ? INFINITY : fmax(left, right);
        }
    }
    evaluate(&in->frame, s->y, s->trial, NULL);
}

bool rb_newton_residual_small(RbProgramInstance *in, int k, RbSystemFunction *evaluate,
                              bool symbolic) {
    RbSystemWork *s = &in->systems[k];
    bool all = true, probed = false;
    for (int i = 0; i < s->size; i++) all &= s->r[i] == 0;
    if (all || (symbolic && rounding_of_slopes(s))) return true;
    for (int i = 0; i < s->size; i++) {
        if (s->r[i] == 0 || small_beside_terms(in, k, i)) continue;
        if (!probed) probe(in, s, evaluate, s->terms);
        probed = true;
        if (!(fabs(s->r[i]) <= s->terms[i])) return false;
    }
    return true;
}

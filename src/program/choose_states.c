// SPDX-License-Identifier: MIT
// choose_states.c: states that are chosen at run time (docs/theory/dae.md, section 5). The
// constraint matrix J (m x n) of a set tells how well m of the n candidates follow from the others:
// by the product of the pivots of Gaussian elimination restricted to their columns. The best
// columns become dependent, the rest states. The choice is changed only if it is worse than the
// best by a factor.
#include <math.h>
#include <string.h>

#include "program/program_instance.h"

static const double worse_by = 0.4; // change below this share of the best product

// Elimination with complete pivoting over the columns that are allowed; marks the columns that got
// a pivot. Answers the product.
static double eliminate(int m, int n, double *a, const unsigned char *allowed,
                        unsigned char *chosen) {
    double product = 1;
    memset(chosen, 0, (size_t)n);
    for (int k = 0; k < m; k++) {
        int row = -1, column = -1;
        double best = 0;
        for (int i = k; i < m; i++) {
            for (int j = 0; j < n; j++) {
                if (chosen[j] || !allowed[j] || !(fabs(a[i * n + j]) > best)) continue;
                best = fabs(a[i * n + j]);
                row = i;
                column = j;
            }
        }
        if (row < 0) return 0;
        for (int j = 0; j < n; j++) {
            double swap = a[k * n + j];
            a[k * n + j] = a[row * n + j];
            a[row * n + j] = swap;
        }
        for (int i = k + 1; i < m; i++) {
            double factor = a[i * n + column] / a[k * n + column];
            for (int j = 0; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
        }
        chosen[column] = 1;
        product *= best;
    }
    return product;
}

static double *selection(RbProgramInstance *in, const RbStateSet *s, int k, int j) {
    int v = s->selection[k * s->candidate_count + j];
    return &in->frame.d[in->program->dae->vars.data[v].slot];
}

// Columns that are dependent at present: those that no row of the selection picks.
static void present_choice(RbProgramInstance *in, const RbStateSet *s, unsigned char *dependent) {
    for (int j = 0; j < s->candidate_count; j++) {
        dependent[j] = 1;
        for (int k = 0; k < s->state_count; k++) {
            if (*selection(in, s, k, j) != 0) dependent[j] = 0;
        }
    }
}

static bool better_choice(RbProgramInstance *in, const RbStateSet *s, const double *matrix,
                          bool always, unsigned char *dependent) {
    int m = s->constraint_count, n = s->candidate_count;
    double *a = rb_new_array(in->call_arena, double, m *n + 1);
    unsigned char *all = rb_new_array(in->call_arena, unsigned char, n + 1),
                  *now = rb_new_array(in->call_arena, unsigned char, n + 1);
    unsigned char *used = rb_new_array(in->call_arena, unsigned char, n + 1);
    memset(all, 1, (size_t)n);
    memcpy(a, matrix, (size_t)(m * n) * sizeof *a);
    double best = eliminate(m, n, a, all, dependent);
    if (always) return best > 0;
    present_choice(in, s, now);
    memcpy(a, matrix, (size_t)(m * n) * sizeof *a);
    double present = eliminate(m, n, a, now, used);
    return best > 0 && present < worse_by * best;
}

static void set_choice(RbProgramInstance *in, const RbStateSet *s, const unsigned char *dependent) {
    int row = 0;
    for (int k = 0; k < s->state_count; k++) {
        for (int j = 0; j < s->candidate_count; j++) *selection(in, s, k, j) = 0;
    }
    for (int j = 0; j < s->candidate_count; j++) {
        if (!dependent[j]) *selection(in, s, row++, j) = 1;
    }
    for (int k = 0; k < s->state_count; k++) { // left limits follow: this is no event of the model
        for (int j = 0; j < s->candidate_count; j++) {
            int slot = in->program->dae->vars.data[s->selection[k * s->candidate_count + j]].slot;
            in->frame.q[slot] = in->frame.d[slot];
        }
    }
}

// states = A * candidates at this level.
static void set_states(RbProgramInstance *in, const RbStateSet *s) {
    const RbSortedDae *d = in->program->dae;
    for (int k = 0; k < s->state_count; k++) {
        double value = 0;
        for (int j = 0; j < s->candidate_count; j++) {
            value += *selection(in, s, k, j) * rb_program_value(in, s->candidates[j]);
        }
        in->frame.x[d->vars.data[s->states[k]].slot] = value;
    }
}

static int *changed_sets(RbProgramInstance *in, bool always, bool apply, int *count) {
    const RbSortedDae *d = in->program->dae;
    int *changed = rb_new_array(in->call_arena, int, d->sets.count + 1), at = 0;
    *count = 0;
    for (int i = 0; i < d->sets.count; i++) {
        const RbStateSet *s = &d->sets.data[i];
        if (s->level > 0) continue;
        unsigned char *dependent =
            rb_new_array(in->call_arena, unsigned char, s->candidate_count + 1);
        bool better = better_choice(in, s, in->frame.o + at, always, dependent);
        at += s->constraint_count * s->candidate_count;
        if (!better) continue;
        changed[(*count)++] = i;
        if (apply) set_choice(in, s, dependent);
    }
    return changed;
}

static int find_changes(RbProgramInstance *in, bool always, bool apply) {
    const RbSortedDae *d = in->program->dae;
    RbArena mark = *in->call_arena;
    int count = 0;
    if (d->sets.count > 0 && rb_program_run(in, RB_SECTION_SETS) == RB_OK) {
        const int *changed = changed_sets(in, always, apply, &count);
        for (int i = 0; apply && i < d->sets.count; i++) {
            int master = d->sets.data[i].level == 0 ? i : d->sets.data[i].master;
            for (int k = 0; k < count; k++) {
                if (changed[k] == master) set_states(in, &d->sets.data[i]);
            }
        }
    }
    *in->call_arena = mark;
    return count;
}

bool rb_choose_states(RbProgramInstance *in, bool always) {
    return find_changes(in, always, true) > 0;
}

bool rb_program_wants_other_states(RbProgramInstance *in, double time, const double *x) {
    if (in->program->dae->sets.count == 0) return false;
    if (rb_program_outputs(in, time, x) != RB_OK) return true;
    return find_changes(in, false, false) > 0;
}

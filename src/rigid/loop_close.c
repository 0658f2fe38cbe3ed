// SPDX-License-Identifier: MIT
// The start of a branch with loops: closing them, and finding which of their equations repeat
// others (docs/theory/loops.md, sections 3 and 4).
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "math/lu.h"
#include "math/rng.h"
#include "rigid/loop.h"

// All equations of a branch at one position, lengths divided by the size of the loop.
typedef struct Closing {
    RbLoops *loops;
    RbCutRange range;
    const RbTree *tree;
    RbSpan span;
    int v, nv; // speeds of the branch
    int rows;
    bool rates; // also those rows of which only the rate is held
    RbKin kin;
    double *J;      // rows x nv; columns of what is held are zero
    double *g, *dg; // per row
    int *name;      // per row: 6 * cut + number
    // J = R Q for the rows that say something new, in the order of their pivots.
    int *taken, rank;
    double *Q;      // rank x nv
    double *R;      // rank x rows, lower triangle
    double weakest; // smallest pivot against the largest
    double *left;   // rows x nv: what each row of J says beyond those that are taken
    double *shares; // rows x rows: how much of each row of Q was taken out of it
    double *size;   // per row: norm of what is left; 0: taken
    long passes;    // of a row over another, so far
    double *step, *speeds, *y, *dq, *from; // work
} Closing;

static const double rank_tol = 1e-7;    // of a row against the largest
static const double closed_tol = 1e-13; // of lengths against the size of the loop, of angles

static Closing closing_open(RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                            RbArena *arena) {
    const RbJoint *last = rb_tree_joint(tree, span.end - 1);
    Closing c = {.loops = loops, .range = range, .tree = tree, .span = span};
    c.v = rb_tree_joint(tree, span.first)->v;
    c.nv = last->v + rb_joint_nv(last) - c.v;
    for (int i = range.first; i < range.end; i++) c.rows += rb_cut_row_count(&loops->cuts[i]);
    c.kin = rb_kin(tree, arena);
    c.J = rb_new_array(arena, double, c.rows *c.nv);
    c.g = rb_new_array(arena, double, c.rows);
    c.dg = rb_new_array(arena, double, c.rows);
    c.name = rb_new_array(arena, int, c.rows);
    c.taken = rb_new_array(arena, int, c.rows);
    c.Q = rb_new_array(arena, double, c.rows *c.nv);
    c.R = rb_new_array(arena, double, c.rows *c.rows);
    c.left = rb_new_array(arena, double, c.rows *c.nv);
    c.shares = rb_new_array(arena, double, c.rows *c.rows);
    c.size = rb_new_array(arena, double, c.rows);
    c.step = rb_new_array(arena, double, tree->nv);
    c.speeds = rb_new_array(arena, double, tree->nv);
    c.y = rb_new_array(arena, double, c.rows);
    c.dq = rb_new_array(arena, double, tree->nq);
    c.from = rb_new_array(arena, double, tree->nq);
    return c;
}

// A row that says nothing at present: it is about rates alone, or the length of its rod is not known yet.
static bool is_silent(const Closing *c, const RbLoopCut *cut, const RbCutRow *row, int k) {
    bool open = cut->hold.measured && cut->hold.length == 0 && k == RB_ROD_LENGTH_ROW;
    bool other = cut->wish == (c->rates ? RB_WISH_PLACE : RB_WISH_SPEED);
    return open || other || (row->rolls && !c->rates);
}

// What the rate of a row should be: rows of a wish are its axes that are locked.
static double wished_rate(const RbLoopCut *cut, int row) {
    for (int k = 0; k < 3 && cut->wish == RB_WISH_SPEED; k++) {
        if (cut->hold.locked[k] && row-- == 0) return v3_get(cut->wished, k);
    }
    return 0;
}

// Equations and their matrix at q. held (per speed, or NULL): coordinates that stay.
static void look(Closing *c, const double *q, const double *v, const bool *held) {
    rb_kin_positions_in(c->tree, c->span, q, &c->kin);
    rb_kin_velocities_in(c->tree, c->span, v, &c->kin);
    int r = 0;
    for (int i = c->range.first; i < c->range.end; i++) {
        const RbLoopCut *cut = &c->loops->cuts[i];
        RbCutRow rows[RB_CUT_MAX_ROWS];
        rb_cut_rows(cut, &c->kin, rows);
        for (int k = 0; k < rb_cut_row_count(cut); k++, r++) {
            double scale = v3_norm2(rows[k].on_b.f) > 0 ? 1 / cut->size : 1;
            if (is_silent(c, cut, &rows[k], k)) scale = 0;
            double *J = c->J + r * c->nv;
            c->g[r] = scale * rows[k].g;
            c->dg[r] = scale * (rows[k].dg - wished_rate(cut, k));
            c->name[r] = RB_CUT_MAX_ROWS * i + k;
            rb_cut_row_speeds(cut, &rows[k], c->tree, &c->kin, c->span, c->speeds);
            for (int j = 0; j < c->nv; j++)
                J[j] = held && held[c->v + j] ? 0 : scale * c->speeds[c->v + j];
        }
    }
}

static double norm(const double *a, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * a[i];
    return sqrt(sum);
}

// row -= (Q_k . row) Q_k; answers the factor.
static double take_out(Closing *c, int k, double *row) {
    c->passes++;
    const double *Q = c->Q + k * c->nv;
    double s = 0;
    for (int j = 0; j < c->nv; j++) s += Q[j] * row[j];
    for (int j = 0; s != 0 && j < c->nv; j++) row[j] -= s * Q[j];
    return s;
}

// The row that says most of what is not said yet; -1: none does. Of equals the first, whatever rounding says.
static int next_row(const Closing *c, double least) {
    int best = -1;
    for (int r = 0; r < c->rows; r++) {
        if (c->size[r] > least * (1 + 1e-9)) best = r, least = c->size[r];
    }
    return best;
}

// What is left of a row becomes the next of Q; the rows before are taken out of it once more for the sake of rounding.
static void take_row(Closing *c, int row) {
    int k = c->rank;
    double *Q = c->Q + k * c->nv, *R = c->R + k * c->rows;
    memcpy(Q, c->left + row * c->nv, (size_t)c->nv * sizeof *Q);
    memcpy(R, c->shares + row * c->rows, (size_t)k * sizeof *R);
    for (int i = 0; i < k; i++) R[i] += take_out(c, i, Q);
    R[k] = norm(Q, c->nv);
    for (int j = 0; j < c->nv; j++) Q[j] /= R[k];
    c->size[row] = 0;
    c->taken[c->rank++] = row;
}

// Gram and Schmidt with pivots. Every row is kept as what it says beyond those that were taken, so that a row taken costs one pass
// over the others: O(rows^2 speeds) in all.
static void factor(Closing *c) {
    double most = 0;
    c->rank = 0;
    c->weakest = 1;
    memcpy(c->left, c->J, (size_t)(c->rows * c->nv) * sizeof *c->left);
    for (int r = 0; r < c->rows; r++) most = fmax(most, c->size[r] = norm(c->J + r * c->nv, c->nv));
    while (c->rank < c->nv) {
        int best = next_row(c, rank_tol * most), k = c->rank;
        if (best < 0) return;
        take_row(c, best);
        c->weakest = fmin(c->weakest, c->R[k * c->rows + k] / most);
        for (int r = 0; r < c->rows; r++) {
            double *row = c->left + r * c->nv;
            if (c->size[r] == 0) continue; // taken, or silent
            double share = c->shares[r * c->rows + k] = take_out(c, k, row);
            if (share != 0) c->size[r] = norm(row, c->nv);
        }
    }
}

// The smallest step with J step = -residual, for the rows that were taken.
static void smallest_step(Closing *c, const double *residual) {
    double *y = c->y;
    memset(c->step, 0, (size_t)c->tree->nv * sizeof *c->step);
    for (int k = 0; k < c->rank; k++) {
        y[k] = -residual[c->taken[k]];
        for (int i = 0; i < k; i++) y[k] -= c->R[k * c->rows + i] * y[i];
        y[k] /= c->R[k * c->rows + k];
        for (int j = 0; j < c->nv; j++) c->step[c->v + j] += y[k] * c->Q[k * c->nv + j];
    }
}

static void move(Closing *c, const double *speeds, double *q) {
    rb_tree_advance_in(c->tree, c->span, speeds, c->dq, q);
}

static double largest(const double *a, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

// Newton's method with bounded steps. Answers whether all equations hold.
static bool settle(Closing *c, double *q, const double *v, const bool *held) {
    const double longest = 0.5; // [rad] or sizes of the loop
    double last = INFINITY;
    for (int i = 0; i < 100; i++) {
        look(c, q, v, held);
        double now = largest(c->g, c->rows);
        if (now < closed_tol || (now < 1e-10 && !(now < 0.5 * last))) return true;
        last = now;
        factor(c);
        smallest_step(c, c->g);
        double length = largest(c->step + c->v, c->nv);
        if (length < 1e-15) return now < 1e-10; // as near as rounding lets it
        for (int j = 0; length > longest && j < c->nv; j++) c->step[c->v + j] *= longest / length;
        move(c, c->step, q);
    }
    return false;
}

// -JT (J JT + mu)^-1 g: between Newton's step and the steepest descent.
static bool damped_step(Closing *c, double mu, RbArena scratch) {
    int n = c->rows, *pivot = rb_new_array(&scratch, int, n);
    double *A = rb_new_array(&scratch, double, n *n), *y = rb_new_array(&scratch, double, n);
    for (int i = 0; i < n; i++) {
        y[i] = -c->g[i];
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < c->nv; k++)
                A[i + n * j] += c->J[i * c->nv + k] * c->J[j * c->nv + k];
        }
        A[i + n * i] += mu;
    }
    memset(c->step, 0, (size_t)c->tree->nv * sizeof *c->step);
    if (!rb_lu_factor(n, A, pivot, 0)) return false;
    rb_lu_solve(n, A, pivot, y);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < c->nv; k++) c->step[c->v + k] += y[i] * c->J[i * c->nv + k];
    }
    return true;
}

// As near as it gets (Levenberg and Marquardt), for the message that says what is missing.
static void approach(Closing *c, double *q, const double *v, const bool *held, RbArena scratch) {
    size_t size = (size_t)c->tree->nq * sizeof *q;
    double mu = 1e-3;
    look(c, q, v, held);
    double now = norm(c->g, c->rows);
    for (int i = 0; i < 500 && mu < 1e12; i++) {
        if (!damped_step(c, mu, scratch)) return;
        memcpy(c->from, q, size);
        move(c, c->step, q);
        look(c, q, v, held);
        double next = norm(c->g, c->rows);
        if (next < now) {
            now = next;
            mu = fmax(0.3 * mu, 1e-12);
            continue;
        }
        memcpy(q, c->from, size);
        look(c, q, v, held);
        mu *= 4;
    }
}

// A random move of what is not held.
static void shake(Closing *c, double by, const bool *held, RbRng *rng, double *q) {
    memset(c->step, 0, (size_t)c->tree->nv * sizeof *c->step);
    for (int j = c->v; j < c->v + c->nv; j++) {
        double s = rb_rng_range(rng, -by, by);
        if (!held || !held[j]) c->step[j] = s;
    }
    move(c, c->step, q);
}

// From where the user put it, then from places around: a position in which the matrix has less rank
// leads nowhere. On failure q is as near as it gets from the user's place.
static bool close_positions(Closing *c, RbLoopStart start, RbRng *rng, RbArena scratch) {
    size_t size = (size_t)c->tree->nq * sizeof *c->from;
    memcpy(c->from, start.q, size);
    for (int attempt = 0; attempt < 20; attempt++) {
        memcpy(start.q, c->from, size);
        if (attempt > 0) shake(c, 0.1 * attempt, start.q_fixed, rng, start.q);
        if (settle(c, start.q, start.v, start.q_fixed)) return true;
    }
    memcpy(start.q, c->from, size);
    approach(c, start.q, start.v, start.q_fixed, scratch);
    return false;
}

// ---- messages

static bool is_on_way(const RbTree *tree, int from, int body) {
    for (; from > 0; from = tree->bodies.data[from].parent) {
        if (from == body) return true;
    }
    return body == 0;
}

// Names of the joints once round the loop of a cut.
static const char *joints_of(const Closing *c, const RbLoopCut *cut, RbArena *arena) {
    RbText names = rb_text(arena);
    const int ends[] = {cut->a.body, cut->b.body};
    for (int side = 0; side < 2; side++) {
        for (int i = ends[side]; !is_on_way(c->tree, ends[1 - side], i);
             i = c->tree->bodies.data[i].parent) {
            const RbJoint *joint = rb_tree_joint(c->tree, i);
            if (rb_joint_v_count(joint->kind) > 0 && joint->name != cut->name)
                rb_text_printf(&names, "'%s', ", joint->name);
        }
    }
    rb_text_printf(&names, "'%s'", cut->name);
    return names.data;
}

static RbStatus cannot_close(Closing *c, RbLoopStart start, RbArena scratch, RbDiag *diag) {
    look(c, start.q, start.v, NULL);
    const RbLoopCut *worst = NULL;
    double most = -1, length = 0, angle = 0;
    for (int i = c->range.first; i < c->range.end; i++) {
        double l, a;
        rb_cut_gap(&c->loops->cuts[i], &c->kin, &l, &a);
        if (l / c->loops->cuts[i].size + a <= most) continue;
        most = l / c->loops->cuts[i].size + a;
        worst = &c->loops->cuts[i];
        length = l, angle = a;
    }
    return rb_fail(diag, RB_ERROR_MODEL, worst->at,
                   "the loop through the joints %s cannot be closed: a gap of %.3g m and %.3g rad "
                   "remains at '%s'; check lengths, axes and start values that are fixed",
                   joints_of(c, worst, &scratch), length, angle, worst->name);
}

static RbStatus speeds_contradict(Closing *c, RbArena scratch, RbDiag *diag) {
    int worst = 0;
    for (int r = 1; r < c->rows; r++) {
        if (fabs(c->dg[r]) > fabs(c->dg[worst])) worst = r;
    }
    const RbLoopCut *cut = &c->loops->cuts[c->name[worst] / RB_CUT_MAX_ROWS];
    return rb_fail(
        diag, RB_ERROR_MODEL, cut->at,
        "the speeds that are fixed at the start contradict each other in the loop through "
        "the joints %s: fix fewer of them",
        joints_of(c, cut, &scratch));
}

// ---- which equations are kept

static void keep_rows(Closing *c) {
    RbLoops *l = c->loops;
    int first = l->kept_start[c->range.first], at = first;
    for (int i = c->range.first; i < c->range.end; i++) {
        l->kept_start[i] = at;
        for (int k = 0; k < RB_CUT_MAX_ROWS; k++) {
            for (int t = 0; t < c->rank; t++) {
                int name = c->name[c->taken[t]];
                if (name == RB_CUT_MAX_ROWS * i + k) l->kept[at++] = name;
            }
        }
    }
    for (int i = c->range.end; i <= l->count; i++) l->kept_start[i] = at;
    l->kept_count = at;
}

// The rank is that of positions around the start, since a single one may be special; the rows are
// those of the position where they are told apart best.
static void choose_rows(Closing *c, const double *q, const double *v, RbRng *rng,
                        RbLoopReport *report) {
    enum { PLACES = 5 };
    double best = 0;
    int rank_at_start = 0;
    report->rows = c->rows;
    for (int i = 0; i < PLACES; i++) {
        memcpy(c->from, q, (size_t)c->tree->nq * sizeof *c->from);
        if (i > 0) shake(c, 0.2, NULL, rng, c->from);
        c->rates = false;
        if (!settle(c, c->from, v, NULL)) continue;
        c->rates = true;
        look(c, c->from, v, NULL);
        factor(c);
        if (i == 0) rank_at_start = c->rank;
        if (c->rank < report->rank || (c->rank == report->rank && !(c->weakest > best))) continue;
        report->rank = c->rank;
        best = c->weakest;
        keep_rows(c);
    }
    report->singular = rank_at_start < report->rank;
    report->freedom = c->nv - report->rank;
    report->first_dropped = -1;
    for (int i = c->range.end - 1; i >= c->range.first; i--) {
        int kept = c->loops->kept_start[i + 1] - c->loops->kept_start[i];
        if (kept < rb_cut_row_count(&c->loops->cuts[i])) report->first_dropped = i;
    }
}

// Speeds: the smallest change of those that are not fixed.
static bool close_speeds(Closing *c, RbLoopStart start) {
    c->rates = true;
    for (int pass = 0; pass < 3; pass++) {
        look(c, start.q, start.v, start.v_fixed);
        factor(c);
        smallest_step(c, c->dg);
        for (int j = c->v; j < c->v + c->nv; j++) start.v[j] += c->step[j];
    }
    look(c, start.q, start.v, NULL);
    return largest(c->dg, c->rows) <= 1e-9 * (1 + largest(start.v + c->v, c->nv));
}

// ---- rods whose length is measured

static void forget_lengths(RbLoops *loops, RbCutRange range) {
    for (int i = range.first; i < range.end; i++) {
        if (loops->cuts[i].hold.measured) loops->cuts[i].hold.length = 0;
    }
}

// With everything else closed: how long they are.
static RbStatus measure_lengths(Closing *c, RbLoopStart start, RbDiag *diag) {
    rb_kin_positions_in(c->tree, c->span, start.q, &c->kin);
    for (int i = c->range.first; i < c->range.end; i++) {
        RbLoopCut *cut = &c->loops->cuts[i];
        if (!cut->hold.measured || cut->hold.length > 0) continue;
        Vec3 d = v3_sub(rb_frame_pose(&c->kin, cut->b).r, rb_frame_pose(&c->kin, cut->a).r);
        cut->hold.length = v3_norm(d);
        if (cut->hold.length > 1e-9 * cut->size) continue;
        return rb_fail(diag, RB_ERROR_MODEL, cut->at,
                       "the rod of '%s' has no length at the start: its ends are at the same place",
                       cut->name);
    }
    return RB_OK;
}

RbStatus rb_loops_close(RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                        RbLoopStart start, RbArena scratch, RbDiag *diag, RbLoopReport *report) {
    *report = (RbLoopReport){.first_dropped = -1};
    Closing c = closing_open(loops, range, tree, span, &scratch);
    RbRng rng = rb_rng(1);
    if (c.rows == 0) return RB_OK;
    if (start.measure) forget_lengths(loops, range);
    if (!close_positions(&c, start, &rng, scratch)) return cannot_close(&c, start, scratch, diag);
    if (start.measure) RB_TRY(measure_lengths(&c, start, diag));
    choose_rows(&c, start.q, start.v, &rng, report);
    bool good = close_speeds(&c, start);
    report->passes = c.passes;
    return good ? RB_OK : speeds_contradict(&c, scratch, diag);
}

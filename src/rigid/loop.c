// SPDX-License-Identifier: MIT
#include "rigid/loop.h"

#include <math.h>
#include <string.h>

#include "rigid/modes.h"

#include "math/lu.h"

static int turn_count(RbJointKind kind) {
    return kind == RB_JOINT_PRISMATIC  ? 3
           : kind == RB_JOINT_REVOLUTE ? 2
                                       : kind == RB_JOINT_UNIVERSAL;
}

int rb_cut_row_count(const RbLoopCut *cut) {
    const RbHold *h = &cut->hold;
    int locked = h->locked[0] + h->locked[1] + h->locked[2];
    switch (h->kind) {
        case RB_HOLD_LOCKS: return locked + turn_count(h->turns);
        case RB_HOLD_DISTANCE: return 1;
        case RB_HOLD_TIP:
        case RB_HOLD_BETWEEN: return 3;
        case RB_HOLD_WHEEL: return locked;
        case RB_HOLD_NONE: break;
    }
    return 6 - rb_joint_v_count(cut->kind);
}

// ---- the equations of one cut

// Where the ends are and how they move. World components; motions are those of the origins of the
// two frames.
typedef struct Ends {
    const RbKin *kin;
    const RbLoopCut *cut;
    Pose A, B;
    Motion VA, VB, AA, AB;
    Vec3 d; // from the origin of A to that of B
} Ends;

static Ends ends_of(const RbLoopCut *cut, const RbKin *kin) {
    Ends e = {.kin = kin,
              .cut = cut,
              .A = rb_frame_pose(kin, cut->a),
              .B = rb_frame_pose(kin, cut->b),
              .VA = rb_frame_velocity(kin, cut->a),
              .VB = rb_frame_velocity(kin, cut->b),
              .AA = rb_frame_acceleration(kin, cut->a),
              .AB = rb_frame_acceleration(kin, cut->b)};
    e.d = v3_sub(e.B.r, e.A.r);
    return e;
}

// g = u . d with u fixed in A: the point of A where the origin of B is does not move along u.
static RbCutRow slide_row(const Ends *e, Vec3 u_F) {
    Vec3 u = m3_mul_vec(e->A.R, u_F), w = e->VA.w;
    Vec3 dd = v3_sub(e->VB.v, e->VA.v);       // rate of d
    Vec3 rel = v3_sub(dd, v3_cross(w, e->d)); // the same seen from A
    Vec3 rel_rate =
        v3_sub(v3_sub(e->AB.v, e->AA.v), v3_add(v3_cross(e->AA.w, e->d), v3_cross(w, dd)));
    Vec3 from_a = v3_sub(e->B.r, e->kin->bodies[e->cut->a.body].X.r);
    Vec3 from_b = v3_sub(e->B.r, e->kin->bodies[e->cut->b.body].X.r);
    return (RbCutRow){.on_a = {v3_neg(v3_cross(from_a, u)), v3_neg(u)},
                      .on_b = {v3_cross(from_b, u), u},
                      .g = v3_dot(u, e->d),
                      .dg = v3_dot(u, rel),
                      .ddg = v3_dot(v3_cross(w, u), rel) + v3_dot(u, rel_rate)};
}

// g = a . b with a fixed in A and b in B: they stay perpendicular.
static RbCutRow turn_row(const Ends *e, Vec3 a_F, Vec3 b_B) {
    Vec3 a = m3_mul_vec(e->A.R, a_F), b = m3_mul_vec(e->B.R, b_B);
    Vec3 c = v3_cross(b, a), w = v3_sub(e->VB.w, e->VA.w);
    Vec3 c_rate = v3_add(v3_cross(v3_cross(e->VB.w, b), a), v3_cross(b, v3_cross(e->VA.w, a)));
    return (RbCutRow){.on_a = {v3_neg(c), V3_ZERO},
                      .on_b = {c, V3_ZERO},
                      .g = v3_dot(a, b),
                      .dg = v3_dot(c, w),
                      .ddg = v3_dot(c_rate, w) + v3_dot(c, v3_sub(e->AB.w, e->AA.w))};
}

static int same_place(const Ends *e, RbCutRow *rows) {
    for (int k = 0; k < 3; k++) rows[k] = slide_row(e, v3_axis(k));
    return 3;
}

static int same_axis(const Ends *e, Vec3 n, RbCutRow *rows) {
    Vec3 t = v3_perpendicular(n);
    rows[0] = turn_row(e, t, n);
    rows[1] = turn_row(e, v3_cross(n, t), n);
    return 2;
}

static int same_axes(const Ends *e, Vec3 n, RbCutRow *rows) {
    Vec3 t = v3_perpendicular(n);
    int count = same_axis(e, n, rows);
    rows[count] = turn_row(e, v3_cross(n, t), t);
    return count + 1;
}

static int on_line(const Ends *e, Vec3 n, RbCutRow *rows) {
    Vec3 t = v3_perpendicular(n);
    rows[0] = slide_row(e, t);
    rows[1] = slide_row(e, v3_cross(n, t));
    return 2;
}

// g = (d.d / L - L) / 2: the rod between the two origins keeps its length L.
static RbCutRow distance_row(const Ends *e, double length) {
    double L = length > 0 ? length : fmax(v3_norm(e->d), 1e-300);
    Vec3 u = v3_scale(1 / L, e->d), dd = v3_sub(e->VB.v, e->VA.v);
    Vec3 from_a = v3_sub(e->A.r, e->kin->bodies[e->cut->a.body].X.r);
    Vec3 from_b = v3_sub(e->B.r, e->kin->bodies[e->cut->b.body].X.r);
    return (RbCutRow){.on_a = {v3_neg(v3_cross(from_a, u)), v3_neg(u)},
                      .on_b = {v3_cross(from_b, u), u},
                      .g = 0.5 * (v3_dot(u, e->d) - L),
                      .dg = v3_dot(u, dd),
                      .ddg = v3_dot(dd, dd) / L + v3_dot(u, v3_sub(e->AB.v, e->AA.v))};
}

// A wheel on the plane z = 0 of a frame that does not move. p is k less its part along the axis,
// c leads from the centre to where the wheel touches the ground.
typedef struct Rolling {
    Vec3 k, axis;
    Vec3 c, c_rate;
    Vec3 ahead, ahead_rate; // direction in which it rolls
    Vec3 v, v_rate;         // of the point of the wheel that touches
} Rolling;

static Vec3 unit_rate(Vec3 p, Vec3 p_rate) {
    double s = v3_norm(p);
    return v3_scale(1 / s, v3_axpy(p_rate, -v3_dot(p, p_rate) / (s * s), p));
}

static Rolling rolling_of(const Ends *e) {
    double radius = e->cut->hold.length;
    Rolling w = {.k = m3_mul_vec(e->A.R, v3_axis(2)), .axis = m3_mul_vec(e->B.R, e->cut->n2)};
    Vec3 axis_rate = v3_cross(e->VB.w, w.axis), p = v3_axpy(w.k, -v3_dot(w.k, w.axis), w.axis);
    Vec3 p_rate = v3_neg(
        v3_add(v3_scale(v3_dot(w.k, axis_rate), w.axis), v3_scale(v3_dot(w.k, w.axis), axis_rate)));
    w.c = v3_scale(-radius, v3_unit(p));
    w.c_rate = v3_scale(-radius, unit_rate(p, p_rate));
    w.ahead = v3_unit(v3_cross(w.k, w.axis));
    w.ahead_rate = unit_rate(v3_cross(w.k, w.axis), v3_cross(w.k, axis_rate));
    w.v = v3_add(e->VB.v, v3_cross(e->VB.w, w.c));
    w.v_rate = v3_add(v3_add(e->AB.v, v3_cross(e->AB.w, w.c)), v3_cross(e->VB.w, w.c_rate));
    return w;
}

// The point that touches does not move along u, whose own rate is given. What a exerts is on the world.
static RbCutRow rolling_row(const Ends *e, const Rolling *w, Vec3 u, Vec3 u_rate) {
    Vec3 from_b = v3_sub(v3_add(e->B.r, w->c), e->kin->bodies[e->cut->b.body].X.r);
    return (RbCutRow){.on_b = {v3_cross(from_b, u), u},
                      .dg = v3_dot(u, w->v),
                      .ddg = v3_dot(u_rate, w->v) + v3_dot(u, w->v_rate),
                      .rolls = true};
}

// Ahead, aside, and off the ground: its height is held as well, h = k.d - radius |p|.
static void wheel_rows(const Ends *e, RbCutRow *rows) {
    const RbHold *hold = &e->cut->hold;
    Rolling w = rolling_of(e);
    Vec3 aside = v3_cross(w.ahead, w.k);
    int count = 0;
    if (hold->locked[0]) rows[count++] = rolling_row(e, &w, w.ahead, w.ahead_rate);
    if (hold->locked[1]) rows[count++] = rolling_row(e, &w, aside, v3_cross(w.ahead_rate, w.k));
    if (!hold->locked[2]) return;
    rows[count] = rolling_row(e, &w, w.k, V3_ZERO);
    rows[count].g = v3_dot(w.k, v3_add(e->d, w.c));
    rows[count].rolls = false;
}

// g = u.(r_b - (1 - h) r_a - h r_c), u fixed in the world.
static RbCutRow between_row(const Ends *e, Vec3 u) {
    const RbFrame *frames[] = {&e->cut->b, &e->cut->a, &e->cut->c};
    const double h = e->cut->hold.share, shares[] = {1, h - 1, -h};
    RbCutRow row = {0};
    Wrench *on[] = {&row.on_b, &row.on_a, &row.on_c};
    for (int k = 0; k < 3; k++) {
        Vec3 r = rb_frame_pose(e->kin, *frames[k]).r, f = v3_scale(shares[k], u);
        *on[k] = (Wrench){v3_cross(v3_sub(r, e->kin->bodies[frames[k]->body].X.r), f), f};
        row.g += v3_dot(f, r);
        row.dg += v3_dot(f, rb_frame_velocity(e->kin, *frames[k]).v);
        row.ddg += v3_dot(f, rb_frame_acceleration(e->kin, *frames[k]).v);
    }
    return row;
}

static int turn_rows(const Ends *e, RbJointKind kind, Vec3 n, Vec3 n2, RbCutRow *rows) {
    switch (kind) {
        case RB_JOINT_PRISMATIC: return same_axes(e, v3_axis(2), rows);
        case RB_JOINT_REVOLUTE: return same_axis(e, n, rows);
        case RB_JOINT_UNIVERSAL: rows[0] = turn_row(e, n, n2); return 1;
        default: return 0;
    }
}

static void hold_rows(const Ends *e, RbCutRow *rows) {
    const RbLoopCut *cut = e->cut;
    int count = 0;
    switch (cut->hold.kind) {
        case RB_HOLD_LOCKS:
            for (int k = 0; k < 3; k++) {
                if (cut->hold.locked[k]) rows[count++] = slide_row(e, v3_axis(k));
            }
            turn_rows(e, cut->hold.turns, cut->n, cut->n2, rows + count);
            return;
        case RB_HOLD_DISTANCE: rows[RB_ROD_LENGTH_ROW] = distance_row(e, cut->hold.length); return;
        case RB_HOLD_TIP:
            rows[RB_ROD_LENGTH_ROW] = slide_row(e, cut->n);
            rows[RB_ROD_LENGTH_ROW].g -= cut->hold.length;
            on_line(e, cut->n, rows + 1);
            return;
        case RB_HOLD_WHEEL: wheel_rows(e, rows); return;
        case RB_HOLD_BETWEEN:
            for (int k = 0; k < 3; k++) rows[k] = between_row(e, v3_axis(k));
            return;
        case RB_HOLD_NONE: return;
    }
}

void rb_cut_rows(const RbLoopCut *cut, const RbKin *kin, RbCutRow rows[RB_CUT_MAX_ROWS]) {
    Ends e = ends_of(cut, kin);
    int count = 0;
    if (cut->hold.kind != RB_HOLD_NONE) {
        hold_rows(&e, rows);
        return;
    }
    switch (cut->kind) {
        case RB_JOINT_FIXED:
            count = same_place(&e, rows);
            same_axes(&e, v3_axis(2), rows + count);
            return;
        case RB_JOINT_REVOLUTE:
            count = same_place(&e, rows);
            same_axis(&e, cut->n, rows + count);
            return;
        case RB_JOINT_PRISMATIC:
            count = on_line(&e, cut->n, rows);
            same_axes(&e, cut->n, rows + count);
            return;
        case RB_JOINT_CYLINDRICAL:
            count = on_line(&e, cut->n, rows);
            same_axis(&e, cut->n, rows + count);
            return;
        case RB_JOINT_PLANAR:
            rows[count++] = slide_row(&e, cut->n);
            same_axis(&e, cut->n, rows + count);
            return;
        case RB_JOINT_UNIVERSAL:
            count = same_place(&e, rows);
            rows[count] = turn_row(&e, cut->n, cut->n2);
            return;
        case RB_JOINT_SPHERICAL: same_place(&e, rows); return;
        case RB_JOINT_FREE:
        case RB_JOINT_KIND_COUNT: return;
    }
}

// The angle of a rotation, from its trace and its skew part.
static double angle_of(Mat3 R) {
    Vec3 skew = v3(m3_get(R, 2, 1) - m3_get(R, 1, 2), m3_get(R, 0, 2) - m3_get(R, 2, 0),
                   m3_get(R, 1, 0) - m3_get(R, 0, 1));
    return atan2(v3_norm(skew), m3_trace(R) - 1);
}

// What the equations of a hold leave: the largest of lengths and of angles.
static void hold_gap(const RbLoopCut *cut, const RbKin *kin, double *length, double *angle) {
    RbCutRow rows[RB_CUT_MAX_ROWS];
    Ends e = ends_of(cut, kin);
    hold_rows(&e, rows);
    *length = *angle = 0;
    for (int k = 0; k < rb_cut_row_count(cut); k++) {
        double *most = v3_norm2(rows[k].on_b.f) > 0 ? length : angle;
        *most = fmax(*most, fabs(rows[k].g));
    }
    if (cut->hold.kind == RB_HOLD_DISTANCE) *length = fabs(v3_norm(e.d) - cut->hold.length);
}

void rb_cut_gap(const RbLoopCut *cut, const RbKin *kin, double *length, double *angle) {
    if (cut->hold.kind != RB_HOLD_NONE) {
        hold_gap(cut, kin, length, angle);
        return;
    }
    Pose X = pose_relative(rb_frame_pose(kin, cut->a), rb_frame_pose(kin, cut->b));
    Vec3 along = v3_scale(v3_dot(cut->n, X.r), cut->n), n_B = m3_mul_vec(X.R, cut->n);
    double between = atan2(v3_norm(v3_cross(cut->n, n_B)), v3_dot(cut->n, n_B));
    *length = v3_norm(X.r);
    *angle = between;
    switch (cut->kind) {
        case RB_JOINT_FIXED: *angle = angle_of(X.R); return;
        case RB_JOINT_REVOLUTE: return;
        case RB_JOINT_PRISMATIC:
            *length = v3_norm(v3_sub(X.r, along));
            *angle = angle_of(X.R);
            return;
        case RB_JOINT_CYLINDRICAL: *length = v3_norm(v3_sub(X.r, along)); return;
        case RB_JOINT_PLANAR: *length = v3_norm(along); return;
        case RB_JOINT_UNIVERSAL:
            *angle = fabs(asin(fmax(-1, fmin(1, v3_dot(cut->n, m3_mul_vec(X.R, cut->n2))))));
            return;
        case RB_JOINT_SPHERICAL: *angle = 0; return;
        case RB_JOINT_FREE:
        case RB_JOINT_KIND_COUNT: *length = *angle = 0; return;
    }
}

// Angle about n that the joints of a chain up to another body turn by, all of whose axes are along n. False: one is not.
static bool chain_angle(const RbTree *tree, const RbKin *kin, const double *q, int body, int end,
                        Vec3 n, double *angle) {
    const double along = 1 - 1e-9; // cosine; a loop that is open by 1e-5 rad is still planar
    for (; body != end; body = tree->bodies.data[body].parent) {
        const RbJoint *j = rb_tree_joint(tree, body);
        if (j->kind == RB_JOINT_FIXED || j->kind == RB_JOINT_PRISMATIC) continue;
        double cosine = j->kind == RB_JOINT_REVOLUTE ? v3_dot(n, kin->S[j->v].w) : 0;
        if (!(fabs(cosine) > along)) return false;
        *angle += copysign(q[j->q], cosine * q[j->q]);
    }
    return true;
}

static int common_ancestor(const RbTree *tree, int a, int b) {
    while (a != b) *(a > b ? &a : &b) = tree->bodies.data[a > b ? a : b].parent;
    return a;
}

// In a planar loop the angle of the cut follows from those of the other joints, turn by turn; what is left is constant. Of its
// values, which differ by full turns, it is the one nearest to what the angles at the start say, or a little below. In other loops somebody
// has counted.
static double unwound(const RbLoopCut *cut, const RbTree *tree, const RbKin *kin,
                      const RbCutTurns *turns, Vec3 n, double phi) {
    const double below = 0.9 * M_PI; // not half a turn, where rounding would decide
    double of_a[2] = {0}, of_b[2] = {0};
    int meet = common_ancestor(tree, cut->a.body, cut->b.body);
    for (int k = 0; k < 2; k++) {
        const double *q = k ? turns->start : turns->now;
        if (!chain_angle(tree, kin, q, cut->a.body, meet, n, &of_a[k]) ||
            !chain_angle(tree, kin, q, cut->b.body, meet, n, &of_b[k]))
            return phi + 2 * M_PI * round((turns->about - phi) / (2 * M_PI));
    }
    double rest = phi - (of_b[0] - of_a[0]), wanted = turns->cut_start - (of_b[1] - of_a[1]);
    return phi - 2 * M_PI * floor((rest - wanted + below) / (2 * M_PI));
}

void rb_cut_motion(const RbLoopCut *cut, const RbTree *tree, const RbKin *kin,
                   const RbCutTurns *turns, double *q, double *v) {
    Ends e = ends_of(cut, kin);
    Vec3 n = m3_mul_vec(e.A.R, cut->n);
    if (cut->kind == RB_JOINT_PRISMATIC) {
        *q = v3_dot(n, e.d);
        *v = v3_dot(n, v3_sub(v3_sub(e.VB.v, e.VA.v), v3_cross(e.VA.w, e.d)));
        return;
    }
    Vec3 t_F = v3_perpendicular(cut->n), t = m3_mul_vec(e.A.R, t_F), b = m3_mul_vec(e.B.R, t_F);
    *q = unwound(cut, tree, kin, turns, n, atan2(v3_dot(b, v3_cross(n, t)), v3_dot(b, t)));
    *v = v3_dot(n, v3_sub(e.VB.w, e.VA.w));
}

double rb_cut_turning(const RbLoopCut *cut, const RbKin *kin) {
    Ends e = ends_of(cut, kin);
    return v3_dot(m3_mul_vec(e.A.R, cut->n), v3_sub(e.VB.w, e.VA.w));
}

// ---- constraint forces

RbLoopWork rb_loop_work(const RbLoops *loops, const RbTree *tree, RbArena *arena) {
    int k = loops->kept_count;
    RbPathRows reach = rb_path_rows(loops, tree, RB_PATH_YIELDS, arena);
    return (RbLoopWork){.reach = reach,
                        .u = rb_new_array(arena, double, reach.start[k]),
                        .w = rb_new_array(arena, double, reach.start[k]),
                        .K = rb_new_array(arena, double, k *k),
                        .pivot = rb_new_array(arena, int, k),
                        .lambda = rb_new_array(arena, double, k),
                        .rows = rb_new_array(arena, RbCutRow, k),
                        .mu = rb_new_array(arena, double, k),
                        .exerted = rb_new_array(arena, Wrench, tree->bodies.count),
                        .response = rb_new_array(arena, double, tree->nv)};
}

// tau += JT f of a wrench on a body: what the joints between it and the world feel.
static void add_joint_forces(const RbTree *tree, const RbKin *kin, int body, Wrench f,
                             double *tau) {
    for (; body > 0; body = tree->bodies.data[body].parent) {
        const RbJoint *joint = rb_tree_joint(tree, body);
        for (int k = 0; k < rb_joint_v_count(joint->kind); k++)
            tau[joint->v + k] += wr_power(f, kin->S[joint->v + k]);
        if (joint->modal) rb_modes_add_forces(tree, body, kin, f, tau);
        f = wr_shift(f, kin->bodies[body].d);
    }
}

RbCutRange rb_loops_speeds(const RbTree *tree, RbSpan span) {
    const RbJoint *last = rb_tree_joint(tree, span.end - 1);
    return (RbCutRange){rb_tree_joint(tree, span.first)->v, last->v + rb_joint_nv(last)};
}

void rb_cut_row_speeds(const RbLoopCut *cut, const RbCutRow *row, const RbTree *tree,
                       const RbKin *kin, RbSpan span, double *G) {
    RbCutRange speeds = rb_loops_speeds(tree, span);
    memset(G + speeds.first, 0, (size_t)(speeds.end - speeds.first) * sizeof *G);
    add_joint_forces(tree, kin, cut->a.body, row->on_a, G);
    add_joint_forces(tree, kin, cut->b.body, row->on_b, G);
    add_joint_forces(tree, kin, cut->c.body, row->on_c, G);
}

// The matrix of a branch whose rows start at `first`: all fit, one behind the other.
static double *matrix_of(const RbLoops *loops, RbLoopWork *work, int first) {
    return work->K + first * loops->kept_count;
}

// The kept equations, where the bodies are and as they move.
static void find_rows(const RbLoops *loops, RbCutRange range, const RbKin *kin, RbLoopWork *work) {
    RbCutRow rows[RB_CUT_MAX_ROWS];
    for (int c = range.first; c < range.end; c++) {
        rb_cut_rows(&loops->cuts[c], kin, rows);
        for (int k = loops->kept_start[c]; k < loops->kept_start[c + 1]; k++)
            work->rows[k] = rows[loops->kept[k] % RB_CUT_MAX_ROWS];
    }
}

bool rb_loops_open_in(const RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                      const RbKin *kin, RbDyn *dyn, RbLoopWork *work) {
    int first = loops->kept_start[range.first], end = loops->kept_start[range.end];
    find_rows(loops, range, kin, work);
    for (int k = first; k < end; k++) {
        const RbLoopCut *cut = &loops->cuts[work->reach.cut[k]];
        const RbCutRow *row = &work->rows[k];
        const RbPush pushes[] = {
            {cut->a.body, row->on_a}, {cut->b.body, row->on_b}, {cut->c.body, row->on_c}};
        int at = work->reach.start[k];
        rb_dyn_reduce(tree, work->reach.paths[work->reach.cut[k]].list, kin, NULL, pushes, 3, dyn,
                      work->u + at, work->w + at);
    }
    double *K = matrix_of(loops, work, first);
    rb_path_rows_product(&work->reach, rb_loops_speeds(tree, span), first, end - first, work->u,
                         work->w, K);
    return rb_lu_factor(end - first, K, work->pivot + first, RB_LU_NOISE);
}

// What the rows exert on the bodies of a branch with these factors.
static void exert(const RbLoops *loops, RbCutRange range, RbSpan span, const double *factors,
                  RbLoopWork *work) {
    Wrench *on = work->exerted;
    for (int i = span.first; i < span.end; i++) on[i] = WRENCH_ZERO;
    for (int k = loops->kept_start[range.first]; k < loops->kept_start[range.end]; k++) {
        const RbLoopCut *cut = &loops->cuts[work->reach.cut[k]];
        const RbCutRow *row = &work->rows[k];
        on[cut->a.body] = wr_axpy(on[cut->a.body], factors[k], row->on_a);
        on[cut->b.body] = wr_axpy(on[cut->b.body], factors[k], row->on_b);
        on[cut->c.body] = wr_axpy(on[cut->c.body], factors[k], row->on_c);
    }
}

// dv += M^-1 GT factors, which leaves in work->exerted what they exert.
static void respond(const RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                    const RbKin *kin, const double *factors, RbDyn *dyn, RbLoopWork *work,
                    double *dv) {
    RbCutRange speeds = rb_loops_speeds(tree, span);
    exert(loops, range, span, factors, work);
    rb_dyn_responses_in(tree, span, kin, NULL, work->exerted, dyn, work->response);
    for (int i = speeds.first; i < speeds.end; i++) dv[i] += work->response[i];
}

// With the rows, their matrix and its factors in work.
static void solve_rows(const RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                       RbKin *kin, double rate, RbDyn *dyn, RbLoopWork *work, Wrench *forces,
                       double *dv) {
    int first = loops->kept_start[range.first], end = loops->kept_start[range.end];
    for (int k = first; k < end; k++) {
        const RbCutRow *row = &work->rows[k];
        work->lambda[k] = -(row->ddg + rate * (2 * row->dg + rate * row->g));
    }
    rb_lu_solve(end - first, matrix_of(loops, work, first), work->pivot + first,
                work->lambda + first);
    respond(loops, range, tree, span, kin, work->lambda, dyn, work, dv);
    for (int i = span.first; i < span.end; i++) forces[i] = wr_add(forces[i], work->exerted[i]);
    rb_kin_accelerations_in(tree, span, dv, kin);
}

bool rb_loops_solve_in(const RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                       RbKin *kin, double rate, RbDyn *dyn, RbLoopWork *work, Wrench *forces,
                       double *dv) {
    if (loops->kept_start[range.end] == loops->kept_start[range.first]) return true;
    if (!rb_loops_open_in(loops, range, tree, span, kin, dyn, work)) return false;
    solve_rows(loops, range, tree, span, kin, rate, dyn, work, forces, dv);
    return true;
}

void rb_loops_solve_again_in(const RbLoops *loops, RbCutRange range, const RbTree *tree,
                             RbSpan span, RbKin *kin, double rate, RbDyn *dyn, RbLoopWork *work,
                             Wrench *forces, double *dv) {
    if (loops->kept_start[range.end] == loops->kept_start[range.first]) return;
    find_rows(loops, range, kin, work);
    solve_rows(loops, range, tree, span, kin, rate, dyn, work, forces, dv);
}

void rb_loops_project_in(const RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                         const RbKin *kin, RbDyn *dyn, RbLoopWork *work, double *dv) {
    int first = loops->kept_start[range.first], end = loops->kept_start[range.end];
    if (first == end) return;
    rb_dyn_spread_in(tree, span, kin, dv, dyn);
    for (int k = first; k < end; k++) {
        const RbLoopCut *cut = &loops->cuts[work->reach.cut[k]];
        const RbCutRow *row = &work->rows[k];
        work->mu[k] = -wr_power(row->on_a, dyn->bodies[cut->a.body].A) -
                      wr_power(row->on_b, dyn->bodies[cut->b.body].A) -
                      wr_power(row->on_c, dyn->bodies[cut->c.body].A);
    }
    rb_lu_solve(end - first, matrix_of(loops, work, first), work->pivot + first, work->mu + first);
    respond(loops, range, tree, span, kin, work->mu, dyn, work, dv);
}

double rb_loops_rate(const RbLoops *loops, RbCutRange range, const RbTree *tree, RbSpan span,
                     const double *v) {
    // Several times as fast as the motion: what is left then is a part of what one radian adds.
    const double faster = 4, at_rest = 1; // at_rest: [1/s]
    double size = loops->cuts[range.first].size, sum = 0;
    for (int i = span.first; i < span.end; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        for (int k = 0; k < rb_joint_nv(joint); k++) {
            bool length = rb_joint_is_length(joint, k);
            double w = v[joint->v + k] / (length ? size : 1);
            sum += w * w;
        }
    }
    return at_rest + faster * sqrt(sum);
}

void rb_loops_measure(RbLoops *loops, const RbTree *tree, const RbKin *kin) {
    const double least = 1e-3; // [m]
    for (int i = 0; i < loops->count; i++) {
        RbLoopCut *cut = &loops->cuts[i];
        Vec3 here = rb_frame_pose(kin, cut->b).r;
        cut->size = fmax(least, cut->hold.length);
        if (cut->hold.kind == RB_HOLD_BETWEEN)
            cut->size = fmax(
                cut->size, v3_distance(rb_frame_pose(kin, cut->a).r, rb_frame_pose(kin, cut->c).r));
        for (int side = 0; side < 2; side++) {
            for (int k = side ? cut->b.body : cut->a.body; k > 0; k = tree->bodies.data[k].parent)
                cut->size = fmax(cut->size, v3_distance(here, kin->bodies[k].X.r));
        }
    }
}

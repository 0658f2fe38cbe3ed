// SPDX-License-Identifier: MIT
// Kinematic loops of the mechanism: closed at the start, held while it runs, their forces as results
// (docs/theory/loops.md).
#include <math.h>
#include <string.h>

#include "component/segment.h"
#include "multibody/driven.h"

// ---- start of a segment

static int group_of_cut(const Mechanism *m, const RbLoopCut *cut) {
    return m->groups.of[cut->b.body > 0 ? cut->b.body : cut->a.body];
}

// Cuts stand by part, and so by group: where those of each group begin.
static void number_cuts(Mechanism *m, RbArena *arena) {
    const RbLoops *loops = &m->structure.loops;
    m->loops.cuts = rb_new_array(arena, RbCutRange, m->groups.count);
    for (int i = 0; i < loops->count; i++) {
        RbCutRange *range = &m->loops.cuts[group_of_cut(m, &loops->cuts[i])];
        if (range->end == 0) range->first = i;
        range->end = i + 1;
    }
}

static void report(const RbLoops *loops, RbCutRange range, const RbLoopReport *r, RbDiag *diag) {
    const RbLoopCut *cut = &loops->cuts[range.first];
    if (r->first_dropped >= 0 && r->rank < r->rows) {
        const RbLoopCut *dropped = &loops->cuts[r->first_dropped];
        rb_note(
            diag, dropped->at,
            "%d of the %d equations that close the loop at '%s' repeat others (it is planar, or "
            "held more often than it moves); the forces that they would carry are zero here",
            r->rows - r->rank, r->rows, dropped->name);
    }
    if (r->singular) {
        rb_warn(diag, cut->at,
                "the loop at '%s' starts in a singular position, where it could go on in several "
                "ways: start a little aside",
                cut->name);
    }
    for (int i = range.first; i < range.end; i++) {
        if (rb_cut_row_count(&loops->cuts[i]) == 0)
            rb_warn(diag, loops->cuts[i].at,
                    "the constraint '%s' locks nothing: what it connects moves as without it",
                    loops->cuts[i].name);
    }
    if (r->freedom == 0 && r->rows > 0)
        rb_warn(diag, cut->at, "the loop at '%s' leaves nothing that could move", cut->name);
}

// What the user has fixed of a body that moves freely.
static void find_fixed_place(const Mechanism *m, int body, bool *q_fixed, bool *v_fixed) {
    const RbJoint *joint = rb_tree_joint(&m->structure.tree, body);
    const RbObject *o = &m->scene->objects.data[m->structure.supers[body].root].object;
    if (joint->kind != RB_JOINT_FREE) return;
    for (int k = 0; k < 3; k++) {
        q_fixed[joint->v + k] = o->r_held[k];
        v_fixed[joint->v + k] = o->v_held[k];
        q_fixed[joint->v + 3 + k] = o->angles_held;
        v_fixed[joint->v + 3 + k] = o->w_held;
    }
}

// Nothing is once the run has begun: what a change of structure leaves of the coordinates is a guess that is
// off by the error of the integration, and of the speeds what the impact leaves.
void rb_mechanism_find_fixed(const Mechanism *m, bool *q_fixed, bool *v_fixed) {
    const RbTree *tree = &m->structure.tree;
    if (!m->first) return;
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        if (joint->object_joint < 0) {
            find_fixed_place(m, i, q_fixed, v_fixed);
            continue;
        }
        for (int k = 0; k < joint->modes; k++) // loops are closed by what is undeformed
            q_fixed[joint->v + k] = v_fixed[joint->v + k] = true;
        const RbObjectJoint *given = &m->scene->joints.data[joint->object_joint];
        for (int k = 0; k < rb_joint_v_count(joint->kind); k++) {
            q_fixed[joint->v + k] = given->q_held[k];
            v_fixed[joint->v + k] = given->v_held[k];
        }
    }
}

// Rods point to what they hold before loops are closed: then their angles have nothing to do with
// where other joints go.
static bool carries_rod(const Mechanism *m, const RbJoint *joint, const RbLoopCut *cut) {
    bool stick = cut->hold.kind == RB_HOLD_LOCKS && !cut->hold.locked[0] && cut->hold.locked[1] &&
                 cut->hold.locked[2];
    if (!stick && cut->hold.kind != RB_HOLD_TIP) return false;
    if (joint->object_joint < 0 || joint->reexpressed) return false;
    const RbObjectJoint *all = m->change.arrangement.joints;
    return (joint->kind == RB_JOINT_UNIVERSAL || joint->kind == RB_JOINT_SPHERICAL) &&
           all[joint->object_joint].b == all[cut->joint].a;
}

// Where the ball of a rod is from its joint, and how it moves: in the axes of the joint.
typedef struct Target {
    Vec3 d, rate;
    Vec3 turning; // of the joint itself
} Target;

static Target target_of(const Mechanism *m, const RbJoint *joint, const RbLoopCut *cut,
                        const RbKin *kin) {
    int parent = m->structure.tree.bodies.data[cut->a.body].parent;
    RbFrame from = {parent, joint->F};
    Pose F = rb_frame_pose(kin, from);
    Motion V = rb_frame_velocity(kin, from);
    Vec3 d = v3_sub(rb_frame_pose(kin, cut->b).r, F.r);
    Vec3 v = v3_sub(rb_frame_velocity(kin, cut->b).v, V.v);
    return (Target){m3_tmul_vec(F.R, d), m3_tmul_vec(F.R, v3_sub(v, v3_cross(V.w, d))),
                    m3_tmul_vec(F.R, V.w)};
}

// The shortest turn, without a spin about the rod in the world.
static void aim_ball(const RbJoint *joint, const RbLoopCut *cut, Target t, double *q, double *v) {
    double length = v3_norm(t.d);
    Vec3 u = v3_scale(1 / length, t.d);
    q_store(q + joint->q, q_mul(q_from_z(u), q_conj(q_from_z(cut->n))));
    Vec3 w = v3_scale(1 / length, v3_cross(u, t.rate));
    v3_store(v + joint->v, v3_axpy(w, -v3_dot(u, t.turning), u));
}

// Axis 2 is across axis 1 and the rod.
static bool aim_universal(const RbJoint *joint, const RbLoopCut *cut, Target t, double *q,
                          double *v) {
    const double parallel = 1e-5; // [rad]
    double length = v3_norm(t.d);
    Vec3 u = v3_scale(1 / length, t.d), across = v3_cross(joint->n, u), e2 = v3_unit(across);
    double sine = v3_norm(across);
    if (!(sine > parallel)) return false;
    Mat3 turned = m3_from_columns(u, e2, v3_cross(u, e2)),
         home = m3_from_columns(cut->n, joint->n2, v3_cross(cut->n, joint->n2));
    rb_joint_coordinates(joint, (Pose){V3_ZERO, m3_mul(turned, m3_transpose(home))}, q + joint->q);
    v[joint->v] = v3_dot(t.rate, e2) / (sine * length);
    v[joint->v + 1] = v3_dot(t.rate, v3_cross(e2, u)) / length;
    return true;
}

// A point on a line starts there, and moves with it.
static void place_between(Mechanism *m, const RbLoopCut *cut, const RbKin *kin) {
    const RbJoint *joint = rb_tree_joint(&m->structure.tree, cut->b.body);
    double h = cut->hold.share;
    if (joint->kind != RB_JOINT_FREE || joint->object_joint >= 0) return;
    v3_store(m->structure.q + joint->q, v3_add(v3_scale(1 - h, rb_frame_pose(kin, cut->a).r),
                                               v3_scale(h, rb_frame_pose(kin, cut->c).r)));
    v3_store(m->structure.v + joint->v, v3_add(v3_scale(1 - h, rb_frame_velocity(kin, cut->a).v),
                                               v3_scale(h, rb_frame_velocity(kin, cut->c).v)));
}

static RbStatus aim(Mechanism *m, const RbLoopCut *cut, const RbKin *kin, RbDiag *diag) {
    double *q = m->structure.q, *v = m->structure.v;
    if (cut->hold.kind == RB_HOLD_BETWEEN) place_between(m, cut, kin);
    if (cut->a.body == 0) return RB_OK;
    const RbJoint *joint = rb_tree_joint(&m->structure.tree, cut->a.body);
    if (!carries_rod(m, joint, cut)) return RB_OK;
    Target t = target_of(m, joint, cut, kin);
    if (!(v3_norm(t.d) > 0)) return RB_OK; // closing tells
    if (joint->kind == RB_JOINT_SPHERICAL) {
        aim_ball(joint, cut, t, q, v);
        return RB_OK;
    }
    if (aim_universal(joint, cut, t, q, v)) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, cut->at,
                   "axis 1 of the universal joint of '%s' is along its rod at the start, which "
                   "leaves open how the rod is turned: choose another n1_a, or SphericalSpherical",
                   cut->name);
}

static RbStatus aim_rods(Mechanism *m, const RbKin *kin, RbDiag *diag) {
    for (int i = 0; i < m->structure.loops.count; i++)
        RB_TRY(aim(m, &m->structure.loops.cuts[i], kin, diag));
    return RB_OK;
}

void rb_mechanism_keep_lengths(const Mechanism *m) {
    for (int i = 0; i < m->structure.loops.count; i++) {
        const RbLoopCut *cut = &m->structure.loops.cuts[i];
        if (cut->hold.measured)
            m->change.arrangement.joints[cut->joint].hold.length = cut->hold.length;
    }
}

RbStatus rb_mechanism_close_loops(Mechanism *m, RbSegment *g) {
    RbLoops *loops = &m->structure.loops;
    const RbTree *tree = &m->structure.tree;
    number_cuts(m, g->arena);
    RB_TRY(rb_mechanism_meet_starts(m, g));
    if (loops->count == 0) return RB_OK;
    RbArena scratch = g->scratch;
    bool *q_fixed = rb_new_array(&scratch, bool, tree->nv);
    bool *v_fixed = rb_new_array(&scratch, bool, tree->nv);
    RbKin kin = rb_kin(tree, &scratch);
    rb_mechanism_find_fixed(m, q_fixed, v_fixed);
    rb_kin_positions(tree, m->structure.q, &kin);
    rb_kin_velocities(tree, m->structure.v, &kin);
    rb_loops_measure(loops, tree, &kin);
    if (m->first) RB_TRY(aim_rods(m, &kin, g->diag));
    for (int i = 0; i < m->groups.count; i++) {
        RbCutRange range = m->loops.cuts[i];
        if (range.first == range.end) continue;
        RbLoopReport found;
        RbLoopStart start = {m->structure.q, m->structure.v, q_fixed, v_fixed,
                             .measure = m->first && !m->loops.knows_lengths};
        RB_TRY(rb_loops_close(loops, range, tree, rb_mechanism_span(m, i), start, scratch, g->diag,
                              &found));
        if (m->first) report(loops, range, &found, g->diag);
    }
    rb_mechanism_keep_lengths(m);
    return RB_OK;
}

// ---- parts without mass

// Joints one after the other without mass between them are common in loops: the loop moves what is between.
// Articulated bodies want a mass there. One of this share of the loop's changes nothing that can be seen, and its
// inverse can still be computed with.
static const double LENT = 1e-9;

bool rb_mechanism_is_cut(const Mechanism *m, int body) {
    const RbLoops *loops = &m->structure.loops;
    for (int i = 0; i < loops->count; i++) {
        const RbLoopCut *cut = &loops->cuts[i];
        int one = cut->b.body > 0 ? cut->b.body : cut->a.body;
        if (m->structure.part[one] == m->structure.part[body]) return true;
    }
    return false;
}

static void lend(Mechanism *m, int body) {
    RbTreeBody *bodies = m->structure.tree.bodies.data;
    double mass = 0, moment = 0;
    for (int i = 1; i < m->structure.tree.bodies.count; i++) {
        if (m->structure.part[i] != m->structure.part[body]) continue;
        mass += bodies[i].inertia.m;
        moment += s3_trace(bodies[i].inertia.I);
    }
    RigidInertia small = {.m = LENT * mass, .I = s3_diagonal(LENT * moment)};
    bodies[body].inertia = ri_add(bodies[body].inertia, small);
}

void rb_mechanism_lend_inertia(Mechanism *m, RbSegment *g) {
    const RbTree *tree = &m->structure.tree;
    RbArena scratch = g->scratch;
    bool *lent = rb_new_array(&scratch, bool, tree->bodies.count);
    for (;;) {
        int body = rb_dyn_find_massless(tree, m->structure.q, false, scratch);
        if (body == 0 || lent[body] || !rb_mechanism_is_cut(m, body))
            return; // done, or to be reported
        lend(m, body);
        lent[body] = true;
        const RbJoint *joint = rb_tree_joint(tree, body);
        if (m->first)
            rb_note(g->diag, joint->at,
                    "what joint '%s' moves has no mass or moment of inertia in one of its "
                    "directions; since a loop moves "
                    "it, it is given %g of those of the loop",
                    joint->name, LENT);
    }
}

// ---- evaluation

void rb_mechanism_open_loops(const Mechanism *m, MechanismWork *w, RbArena *arena) {
    const RbTree *tree = &m->structure.tree;
    const RbLoops *loops = &m->structure.loops;
    if (loops->count == 0 && tree->modals.count == 0) return;
    w->loops.now = rb_loop_work(loops, tree, arena);
    w->loops.before = rb_new_array(arena, Wrench, tree->bodies.count);
    w->loops.shifted = rb_loop_work(loops, tree, arena);
    w->loops.shifted_kin = rb_kin(tree, arena);
    w->loops.shifted_dyn = rb_dyn(tree, arena);
    w->loops.shifted_forces = rb_new_array(arena, Wrench, tree->bodies.count);
    w->loops.shifted_x = rb_new_array(arena, double, tree->nq + tree->nv);
    w->loops.shifted_dv[0] = rb_new_array(arena, double, tree->nv);
    w->loops.shifted_dv[1] = rb_new_array(arena, double, tree->nv);
}

// Its axis is upright, or a step has gone on from there: its centre would sink into the ground.
static bool lies_flat(const RbLoopCut *wheel, const RbKin *kin) {
    Pose A = rb_frame_pose(kin, wheel->a), B = rb_frame_pose(kin, wheel->b);
    Vec3 axis = m3_mul_vec(B.R, wheel->n2), up = m3_mul_vec(A.R, v3_axis(2));
    if (!(v3_norm(v3_cross(axis, up)) > 1e-9)) return true;
    return wheel->hold.locked[2] && !(v3_dot(up, v3_sub(B.r, A.r)) > 0);
}

// The wheel that has fallen over.
static const char *flat_wheel(const RbLoops *loops, RbCutRange range, const RbKin *kin) {
    for (int i = range.first; i < range.end; i++) {
        const RbLoopCut *cut = &loops->cuts[i];
        if (cut->hold.kind == RB_HOLD_WHEEL && lies_flat(cut, kin)) return cut->name;
    }
    return NULL;
}

static RbEvalStatus hold_group(const Mechanism *m, const RbEval *e, int group, MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    const RbLoops *loops = &m->structure.loops;
    RbCutRange range = m->loops.cuts[group];
    if (range.first == range.end) return RB_EVAL_OK;
    const char *flat = flat_wheel(loops, range, &w->kin);
    if (flat)
        return rb_eval_retry(e, "the wheel '%s' lies flat on the ground, where it cannot roll",
                             flat);
    RbSpan span = rb_mechanism_span(m, group);
    memcpy(w->loops.before + span.first, w->forces + span.first,
           (size_t)(span.end - span.first) * sizeof *w->forces);
    double rate = rb_loops_rate(loops, range, tree, span, e->x + tree->nq);
    if (rb_loops_solve_in(loops, range, tree, span, &w->kin, rate, &w->dyn, &w->loops.now,
                          w->forces, e->dx + tree->nq))
        return RB_EVAL_OK;
    return rb_eval_retry(
        e,
        "the loop at joint '%s' is in a singular position, where its joints do not "
        "determine each other's motion",
        loops->cuts[range.first].name);
}

void rb_mechanism_hold_again(const Mechanism *m, const RbEval *e, int group, MechanismWork *w) {
    const RbTree *tree = &m->structure.tree;
    const RbLoops *loops = &m->structure.loops;
    RbSpan span = rb_mechanism_span(m, group);
    double rate = rb_loops_rate(loops, m->loops.cuts[group], tree, span, e->x + tree->nq);
    rb_loops_solve_again_in(loops, m->loops.cuts[group], tree, span, &w->kin, rate, &w->dyn,
                            &w->loops.now, w->forces, e->dx + tree->nq);
}

RbEvalStatus rb_mechanism_hold_loops(const Mechanism *m, const RbEval *e, RbSpan span,
                                     MechanismWork *w) {
    if (m->structure.loops.count == 0) return RB_EVAL_OK;
    for (int g = m->groups.of[span.first]; g <= m->groups.of[span.end - 1]; g++) {
        RbEvalStatus status = hold_group(m, e, g, w);
        if (status != RB_EVAL_OK) return status;
    }
    return RB_EVAL_OK;
}

void rb_mechanism_project(const Mechanism *m, int group, MechanismWork *w, double *dv) {
    RbCutRange range = m->loops.cuts[group];
    if (range.first == range.end) return;
    rb_loops_project_in(&m->structure.loops, range, &m->structure.tree, rb_mechanism_span(m, group),
                        &w->kin, &w->dyn, &w->loops.now, dv);
}

void rb_mechanism_stop_loops(const Mechanism *m, RbKin *kin, RbDyn *dyn, RbArena scratch,
                             double *v) {
    const RbLoops *loops = &m->structure.loops;
    const RbTree *tree = &m->structure.tree;
    if (loops->count == 0) return;
    RbLoopWork work = rb_loop_work(loops, tree, &scratch);
    for (int i = 0; i < m->groups.count; i++) {
        if (!rb_mechanism_has_loop(m, i)) continue;
        RbSpan span = rb_mechanism_span(m, i);
        if (rb_loops_open_in(loops, m->loops.cuts[i], tree, span, kin, dyn, &work))
            rb_loops_project_in(loops, m->loops.cuts[i], tree, span, kin, dyn, &work, v);
    }
}

// ---- derivatives of a branch with loops, by differences

// Accelerations at shifted states, with the wrenches and joint forces of the last evaluation.
static void accelerate_shifted(const Mechanism *m, RbSpan span, RbCutRange range, double rate,
                               MechanismWork *w, double *dv) {
    const RbTree *tree = &m->structure.tree;
    const double *x = w->loops.shifted_x;
    RbLedger ignored = {0};
    for (int i = span.first; i < span.end; i++)
        w->loops.shifted_forces[i] = w->slopes.element_forces[i];
    rb_kin_positions_in(tree, span, x, &w->loops.shifted_kin);
    rb_kin_velocities_in(tree, span, x + tree->nq, &w->loops.shifted_kin);
    rb_force_gravity_in(&m->gravity, span, &w->loops.shifted_kin, w->loops.shifted_forces,
                        &ignored);
    rb_dyn_factor_in(tree, span, &w->loops.shifted_kin, NULL, &w->loops.shifted_dyn);
    rb_dyn_solve_in(tree, span, &w->loops.shifted_kin, NULL, w->tau, w->loops.shifted_forces,
                    &w->loops.shifted_dyn, dv);
    if (range.end > range.first)
        rb_loops_solve_in(&m->structure.loops, range, tree, span, &w->loops.shifted_kin, rate,
                          &w->loops.shifted_dyn, &w->loops.shifted, w->loops.shifted_forces, dv);
}

// What elements and contacts exert, without gravity and the loops.
static void find_held(const Mechanism *m, RbSpan span, bool looped, MechanismWork *w) {
    const Wrench *before = looped ? w->loops.before : w->forces;
    RbLedger ignored = {0};
    for (int i = span.first; i < span.end; i++) w->slopes.element_forces[i] = WRENCH_ZERO;
    rb_force_gravity_in(&m->gravity, span, &w->kin, w->slopes.element_forces, &ignored);
    for (int i = span.first; i < span.end; i++)
        w->slopes.element_forces[i] = wr_sub(before[i], w->slopes.element_forces[i]);
}

void rb_mechanism_vary_looped(const Mechanism *m, const RbEval *e, int group, MechanismWork *w,
                              int state, double *dv) {
    const RbTree *tree = &m->structure.tree;
    RbSpan span = rb_mechanism_span(m, group);
    RbCutRange range = m->loops.cuts[group];
    bool looped = range.end > range.first;
    double rate =
        looped ? rb_loops_rate(&m->structure.loops, range, tree, span, e->x + tree->nq) : 0;
    double step = 1e-6 * fmax(1, fabs(e->x[state]));
    find_held(m, span, looped, w);
    memcpy(w->loops.shifted_x, e->x, (size_t)(tree->nq + tree->nv) * sizeof *e->x);
    for (int k = 0; k < 2; k++) {
        w->loops.shifted_x[state] = e->x[state] + (k ? -step : step);
        accelerate_shifted(m, span, range, rate, w, w->loops.shifted_dv[k]);
    }
    const GroupStates *g = &m->groups.states[group];
    for (int i = g->v; i < g->v + g->nv; i++)
        dv[i] = (w->loops.shifted_dv[0][i] - w->loops.shifted_dv[1][i]) / (2 * step);
}

// ---- results

static const char *cut_name(const RbLoopCut *cut, RbArena *arena) {
    return cut->joint >= 0 ? cut->name : rb_arena_printf(arena, "%s.weld", cut->name);
}

static bool has_coordinate(const RbLoopCut *cut) {
    return cut->joint >= 0 && (cut->kind == RB_JOINT_REVOLUTE || cut->kind == RB_JOINT_PRISMATIC);
}

// Its angle counts turns.
static bool turns(const RbLoopCut *cut) {
    return has_coordinate(cut) && cut->kind == RB_JOINT_REVOLUTE;
}

// ORDER rb_mechanism_record_loops
void rb_mechanism_declare_loops(const Mechanism *m, RbSegment *g) {
    for (int i = 0; i < m->structure.loops.count; i++) {
        const RbLoopCut *cut = &m->structure.loops.cuts[i];
        const char *name = cut_name(cut, g->arena);
        for (int k = 0; has_coordinate(cut) && k < 2; k++) {
            RbLabel label = k ? rb_joint_v_label(cut->kind, 0) : rb_joint_q_label(cut->kind, 0);
            const char *full = rb_arena_printf(g->arena, "%s.%s", name, label.name);
            rb_segment_result(g, &(RbResultSpec){full, label.unit, "of the joint, which is cut",
                                                 .integral = k == 0 && turns(cut)});
        }
        for (int k = 0; k < 6; k++) {
            const char *full =
                rb_arena_printf(g->arena, "%s.%s[%d]", name, k < 3 ? "force" : "torque", k % 3 + 1);
            rb_segment_result(g, &(RbResultSpec){full, k < 3 ? "N" : "N.m",
                                                 "through the joint, on what it carries"});
        }
    }
}

// ---- turns of cut joints

static void move_cut(const Mechanism *m, const double *x, const MechanismWork *w, int i,
                     double about, double *q, double *v) {
    const RbLoopCut *cut = &m->structure.loops.cuts[i];
    RbCutTurns count = {x, m->structure.q, m->change.arrangement.joints[cut->joint].q[0], about};
    rb_cut_motion(cut, &m->structure.tree, &w->kin, &count, q, v);
}

// After a change of structure they are counted anew, from the angle that there is.
void rb_mechanism_declare_turns(Mechanism *m, RbSegment *g) {
    int count, discretes, starts = m->loops.turn_starts, from = m->loops.turns;
    const double *old = rb_segment_old_quadratures(g, &count);
    const double *old_discrete = rb_segment_old_discrete(g, &discretes);
    bool goes_on = old && old_discrete && !m->change.was_changed;
    for (int i = 0; i < m->structure.loops.count; i++) {
        double turned = goes_on && from + i < count ? old[from + i] : 0;
        double unknown = turns(&m->structure.loops.cuts[i]) ? NAN : 0;
        double start = goes_on && starts + i < discretes ? old_discrete[starts + i] : unknown;
        int turn = rb_segment_quadrature(g, &(RbQuadratureSpec){"turn", turned, "rad", "", true});
        int number = rb_segment_discrete(
            g, &(RbDiscreteSpec){"angle at the start", start, "rad", "", .hidden = true});
        if (i > 0) continue;
        m->loops.turns = turn;
        m->loops.turn_starts = number;
    }
}

void rb_mechanism_start_turns(const Mechanism *m, RbEvent *event) {
    MechanismWork *w = event->workspace;
    if (m->structure.loops.count == 0) return;
    const double *x = rb_driven_states(m, event->x, w);
    rb_mechanism_move(m, x, w);
    for (int i = 0; i < m->structure.loops.count; i++) {
        const RbLoopCut *cut = &m->structure.loops.cuts[i];
        double *start = &event->discrete[m->loops.turn_starts + i], speed;
        if (!turns(cut) || (!m->first && !isnan(*start))) continue;
        move_cut(m, x, w, i, m->change.arrangement.joints[cut->joint].q[0], start, &speed);
    }
}

void rb_mechanism_turn_rates(const Mechanism *m, const RbEval *e, const MechanismWork *w) {
    const RbLoops *loops = &m->structure.loops;
    for (int i = 0; i < loops->count; i++) {
        const RbLoopCut *cut = &loops->cuts[i];
        int group = m->groups.of[cut->a.body > 0 ? cut->a.body : cut->b.body];
        bool wanted = turns(cut) && (!e->groups || e->groups[group]);
        e->dq[m->loops.turns + i] = wanted ? rb_cut_turning(cut, &w->kin) : 0;
    }
}

double *rb_mechanism_record_loops(const Mechanism *m, const RbEval *e, double *out) {
    MechanismWork *w = e->workspace;
    const double *x = rb_driven_states(m, e->x, w);
    const RbLoops *loops = &m->structure.loops;
    for (int i = 0; i < loops->count; i++) {
        const RbLoopCut *cut = &loops->cuts[i];
        RbCutRow rows[RB_CUT_MAX_ROWS];
        Wrench f = WRENCH_ZERO;
        if (has_coordinate(cut)) {
            double about = e->discrete[m->loops.turn_starts + i] + e->q[m->loops.turns + i];
            move_cut(m, x, w, i, about, out, out + 1);
            out += 2;
        }
        rb_cut_rows(cut, &w->kin, rows);
        for (int k = loops->kept_start[i]; k < loops->kept_start[i + 1]; k++)
            f = wr_axpy(f, w->loops.now.lambda[k], rows[loops->kept[k] % RB_CUT_MAX_ROWS].on_b);
        Vec3 arm = v3_sub(w->kin.bodies[cut->b.body].X.r, rb_frame_pose(&w->kin, cut->b).r);
        f = wr_shift(f, arm);
        v3_store(out, f.f);
        v3_store(out + 3, f.t);
        out += 6;
    }
    return out;
}

// SPDX-License-Identifier: MIT
// What is fixed at the start of the place and velocity of a part that joints carry: equations for the coordinates of these, which
// hold at the start alone. They are closed like loops, together with the loops of the branch (docs/theory/loops.md, section 3).
#include <math.h>
#include <string.h>

#include "component/segment.h"
#include "multibody/mechanism.h"

static int moving_end(const Mechanism *m, const RbSceneStart *s) {
    int b = m->structure.frame[s->b].body;
    return b > 0 ? b : m->structure.frame[s->a].body;
}

static int group_of(const Mechanism *m, const RbSceneStart *s) {
    int body = moving_end(m, s);
    return body > 0 ? m->groups.of[body] : -1;
}

// Along the axes of a, from where it should be.
static RbLoopCut place_cut(const Mechanism *m, const RbSceneStart *s) {
    RbLoopCut cut = {.joint = -1,
                     .name = s->name,
                     .at = s->at,
                     .kind = RB_JOINT_FREE,
                     .hold = {.kind = RB_HOLD_LOCKS, .turns = RB_JOINT_SPHERICAL},
                     .a = m->structure.frame[s->a],
                     .b = m->structure.frame[s->b],
                     .n = v3_axis(2),
                     .wish = RB_WISH_PLACE};
    cut.a.X_BF = pose_mul(cut.a.X_BF, (Pose){s->r, M3_IDENTITY});
    memcpy(cut.hold.locked, s->r_held, sizeof s->r_held);
    return cut;
}

static RbLoopCut speed_cut(const Mechanism *m, const RbSceneStart *s) {
    RbLoopCut cut = place_cut(m, s);
    cut.wish = RB_WISH_SPEED;
    cut.wished = s->v;
    memcpy(cut.hold.locked, s->v_held, sizeof s->v_held);
    return cut;
}

// The loops of a group and what is fixed of its parts.
static RbLoops loops_and_starts(const Mechanism *m, int group, RbArena *arena) {
    const RbLoops *own = &m->structure.loops;
    RbCutRange range = m->loops.cuts[group];
    int most = range.end - range.first + 2 * m->scene->starts.count;
    RbLoops all = {.cuts = rb_new_array(arena, RbLoopCut, most + 1),
                   .kept = rb_new_array(arena, int, RB_CUT_MAX_ROWS *most + 1),
                   .kept_start = rb_new_array(arena, int, most + 1)};
    for (int i = range.first; i < range.end; i++) all.cuts[all.count++] = own->cuts[i];
    for (int i = 0; i < m->scene->starts.count; i++) {
        const RbSceneStart *s = &m->scene->starts.data[i];
        if (group_of(m, s) != group) continue;
        all.cuts[all.count++] = place_cut(m, s);
        all.cuts[all.count++] = speed_cut(m, s);
    }
    return all;
}

static RbStatus meet(Mechanism *m, int group, RbArena scratch, RbDiag *diag) {
    const RbTree *tree = &m->structure.tree;
    RbLoops all = loops_and_starts(m, group, &scratch);
    bool *q_fixed = rb_new_array(&scratch, bool, tree->nv + 1);
    bool *v_fixed = rb_new_array(&scratch, bool, tree->nv + 1);
    RbKin kin = rb_kin(tree, &scratch);
    rb_mechanism_find_fixed(m, q_fixed, v_fixed);
    rb_kin_positions(tree, m->structure.q, &kin);
    rb_loops_measure(&all, tree, &kin);
    RbLoopStart start = {m->structure.q, m->structure.v, q_fixed, v_fixed};
    RbLoopReport found;
    return rb_loops_close(&all, (RbCutRange){0, all.count}, tree, rb_mechanism_span(m, group),
                          start, scratch, diag, &found);
}

// Both ends belong to one branch, or one is fixed.
static RbStatus check(const Mechanism *m, const RbSceneStart *s, RbDiag *diag) {
    int a = m->structure.frame[s->a].body, b = m->structure.frame[s->b].body;
    if (m->scene->steady_start)
        return rb_fail(diag, RB_ERROR_MODEL, s->at,
                       "start values of '%s' are fixed, but joints carry it and a start at rest "
                       "moves these: fix the start values of the joints, or leave out steadyStart",
                       s->name);
    if ((a > 0 || b > 0) && (a == 0 || b == 0 || m->groups.of[a] == m->groups.of[b])) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, s->at,
                   "start values of '%s' are fixed, but its frames %s: fix the start values of the "
                   "joints that carry them",
                   s->name, a == b ? "do not move" : "belong to different mechanisms");
}

RbStatus rb_mechanism_meet_starts(Mechanism *m, RbSegment *g) {
    if (!m->first) return RB_OK;
    for (int i = 0; i < m->scene->starts.count; i++)
        RB_TRY(check(m, &m->scene->starts.data[i], g->diag));
    for (int k = 0; k < m->groups.count; k++) {
        bool any = false;
        for (int i = 0; i < m->scene->starts.count; i++)
            any |= group_of(m, &m->scene->starts.data[i]) == k;
        if (any) RB_TRY(meet(m, k, g->scratch, g->diag));
    }
    return RB_OK;
}

bool rb_mechanism_has_starts(const Mechanism *m, int group) {
    for (int i = 0; m->first && i < m->scene->starts.count; i++) {
        if (group_of(m, &m->scene->starts.data[i]) == group) return true;
    }
    return false;
}

// How far the place and velocity of b in a are from what is fixed of them.
static double miss(const RbSceneStart *s, Pose A, Pose B, Motion VA, Motion VB) {
    Vec3 d = v3_sub(B.r, A.r);
    Vec3 rate = v3_sub(v3_sub(VB.v, VA.v), v3_cross(VA.w, d));
    Vec3 r = v3_sub(m3_tmul_vec(A.R, d), s->r), v = v3_sub(m3_tmul_vec(A.R, rate), s->v);
    double most = 0;
    for (int k = 0; k < 3; k++) {
        if (s->r_held[k]) most = fmax(most, fabs(v3_get(r, k)));
        if (s->v_held[k]) most = fmax(most, fabs(v3_get(v, k)));
    }
    return most;
}

void rb_mechanism_check_starts(const Mechanism *m, RbEvent *event) {
    const double allowed = 1e-6; // [m], [m/s]
    const MechanismWork *w = event->workspace;
    for (int i = 0; i < m->scene->starts.count; i++) {
        const RbSceneStart *s = &m->scene->starts.data[i];
        RbFrame a = m->structure.frame[s->a], b = m->structure.frame[s->b];
        double off = miss(s, rb_frame_pose(&w->kin, a), rb_frame_pose(&w->kin, b),
                          rb_frame_velocity(&w->kin, a), rb_frame_velocity(&w->kin, b));
        if (off < allowed) continue;
        rb_event_fail_at(event, s->at,
                         "start values of '%s' are fixed, but the equations start the joints that "
                         "carry it elsewhere (it is off by %.3g): fix fewer start values",
                         s->name, off);
    }
}

// Half of the extent of a body that its inertia tells. [m]
static double gyration(const RigidInertia *i) {
    Sym3 I = i->I;
    return i->m > 0 ? sqrt(fmax(0, 0.5 * (I.xx + I.yy + I.zz) / i->m)) : 0;
}

// Beyond the speed of light there is nothing to compute, and steps would be too short to end.
void rb_mechanism_check_speeds(const Mechanism *m, RbEvent *event) {
    const double light = 299792458; // [m/s]
    const MechanismWork *w = event->workspace;
    const RbTree *tree = &m->structure.tree;
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbTreeBody *b = &tree->bodies.data[i];
        Motion V = w->kin.bodies[i].V;
        double spin = v3_norm(V.w), rim = spin * gyration(&b->inertia);
        if (!(rim > light)) continue;
        rb_event_fail_at(event, m->objects[m->structure.supers[i].root].at,
                         "'%s' starts at %.3g rad/s, which moves its surface at some "
                         "%.3g m/s: faster than light; look at the units of its start values",
                         b->name, spin, rim);
        return;
    }
}

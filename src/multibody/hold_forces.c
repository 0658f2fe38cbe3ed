// SPDX-License-Identifier: MIT
// Forces of what holds two frames without carrying one of them: rods and wheels (members/hold.c).
#include "multibody/sensing.h"

// The cut of a joint of the scene, and the forces of its rows; a row that repeats others has none.
static const RbLoopCut *cut_of(const Mechanism *m, const MechanismWork *w, int joint,
                               double lambda[RB_CUT_MAX_ROWS]) {
    const RbLoops *loops = &m->structure.loops;
    for (int k = 0; k < RB_CUT_MAX_ROWS; k++) lambda[k] = 0;
    for (int i = 0; i < loops->count; i++) {
        if (loops->cuts[i].joint != joint) continue;
        for (int k = loops->kept_start[i]; k < loops->kept_start[i + 1]; k++)
            lambda[loops->kept[k] % RB_CUT_MAX_ROWS] = w->loops.now.lambda[k];
        return &loops->cuts[i];
    }
    return NULL;
}

// A mass in the middle takes half of its force from frame_a.
double rb_rod_force(const Mechanism *m, const MechanismWork *w, int member) {
    double lambda[RB_CUT_MAX_ROWS], force[RB_CUT_MAX_ROWS];
    const RbLoopCut *cut = cut_of(m, w, m->members->joint_of[member], lambda);
    if (!cut) return 0;
    double pressed = lambda[RB_ROD_LENGTH_ROW];
    if (cut->hold.kind != RB_HOLD_DISTANCE || m->members->carried_by[member] < 0) return pressed;
    Vec3 d = v3_sub(rb_frame_pose(&w->kin, cut->b).r, rb_frame_pose(&w->kin, cut->a).r);
    cut_of(m, w, m->members->carried_by[member], force);
    return pressed + 0.5 * v3_dot(v3_load(force), v3_unit(d));
}

double rb_wheel_force(const Mechanism *m, const MechanismWork *w, int member, int which) {
    double lambda[RB_CUT_MAX_ROWS];
    const RbLoopCut *cut = cut_of(m, w, m->members->joint_of[member], lambda);
    if (!cut || !cut->hold.locked[which]) return 0;
    int row = 0; // ORDER wheel_rows in loop.c
    for (int k = 0; k < which; k++) row += cut->hold.locked[k];
    return lambda[row];
}

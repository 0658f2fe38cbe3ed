// SPDX-License-Identifier: MIT
// Results that cannot be trusted: a loop is open by far more than the tolerance of the run allows.
#include <math.h>
#include <stdio.h>

#include "multibody/mechanism.h"

// Of the size of the loop, and [rad]. Integrators leave about 10 tolerances; joints without mass about 1e-7.
static double open_limit(const RbAccuracy *accuracy) {
    return fmin(1e-2, fmax(1e-5, 1e3 * accuracy->tolerance));
}

typedef struct OpenLoop {
    const RbLoopCut *cut; // NULL: none is
    double length, angle; // [m], [rad]
    double share;         // the larger, in sizes of the loop
} OpenLoop;

static OpenLoop widest_loop(const Mechanism *m, const RbKin *kin) {
    const RbLoops *loops = &m->structure.loops;
    OpenLoop widest = {0};
    for (int i = 0; i < loops->count; i++) {
        OpenLoop it = {.cut = &loops->cuts[i]};
        rb_cut_gap(it.cut, kin, &it.length, &it.angle);
        it.share = fmax(it.length / it.cut->size, it.angle);
        if (it.share > widest.share) widest = it;
    }
    return widest;
}

bool rb_mechanism_doubt(const Mechanism *m, const RbEval *e, const RbAccuracy *accuracy, RbPos *at,
                        char *text, size_t size) {
    const MechanismWork *w = e->workspace;
    OpenLoop loop = widest_loop(m, &w->kin);
    if (!(loop.share > open_limit(accuracy))) return false;
    *at = loop.cut->at;
    snprintf(text, size,
             "t = %.6g s: the loop at '%.80s' is open by %.3g m and %.3g rad, which the tolerance "
             "of %.1g does not explain: do not trust the motion; try a smaller tolerance, or a "
             "start away from positions in which all bars are in line",
             e->time, loop.cut->name, loop.length, loop.angle, accuracy->tolerance);
    return true;
}

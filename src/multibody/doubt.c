// SPDX-License-Identifier: MIT
// Results that cannot be trusted: a loop is open, or energy is missing, by far more than the tolerance of the run allows.
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

static bool doubt_loops(const Mechanism *m, const RbEval *e, const RbAccuracy *accuracy, RbPos *at,
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

// Share of the largest energy that the mechanism has turned over so far. Contact leaves some thousand tolerances behind.
static double missing_limit(const RbAccuracy *accuracy) {
    return fmax(1e-2, 1e3 * accuracy->tolerance);
}

// Told at the end, when it is known what little or much the bodies have exchanged. Grains and soft bodies move without control of
// the error.
static bool doubt_energy(Mechanism *m, const RbEval *e, const RbAccuracy *accuracy, char *text,
                         size_t size) {
    if (!accuracy->balanced || m->soft || m->scene->grains.count > 0) return false;
    RbEnergyBalance b = rb_mechanism_balance(m, e);
    double turned = b.kinetic + b.elastic + fabs(b.lost) + fabs(b.supplied);
    m->account.most_turned = fmax(m->account.most_turned, turned);
    double limit = missing_limit(accuracy) * m->account.most_turned +
                   10 * accuracy->tolerance * fabs(b.potential);
    if (!accuracy->ends || !(fabs(b.residual) > limit)) return false;
    snprintf(text, size,
             "t = %.6g s: %.3g J are %s the energy balance, of at most %.3g J that the bodies "
             "have exchanged, which the tolerance of %.1g does not explain: do not trust the "
             "motion; try a smaller tolerance (energy.residual shows when it happened)",
             e->time, fabs(b.residual), b.residual < 0 ? "missing in" : "too much in",
             m->account.most_turned, accuracy->tolerance);
    return true;
}

bool rb_mechanism_doubt(Mechanism *m, const RbEval *e, const RbAccuracy *accuracy, RbPos *at,
                        char *text, size_t size) {
    return doubt_loops(m, e, accuracy, at, text, size) || doubt_energy(m, e, accuracy, text, size);
}

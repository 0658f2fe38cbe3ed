// SPDX-License-Identifier: MIT
// What equations prescribe may be no path: at an event the place of a joint or of a moved part jumps,
// and it would be behind others without having touched them; or its speed does, which takes an infinite
// force. (States that equations set anew by reinit are another matter: this is said, not prescribed.)
#include <math.h>
#include <string.h>

#include "component/segment.h"
#include "multibody/driven.h"
#include "multibody/restructure.h"

// [m], [rad], [m/s], [rad/s], and of their size: pieces of a path meet as well as events are found.
static const double MEETS = 1e-6;

static bool jumps(double before, double after) {
    return fabs(after - before) > MEETS * (1 + fabs(before));
}

static size_t motion_size(const Mechanism *m) {
    return (size_t)rb_members_signals_at(m->members) * sizeof(double);
}

static void note(const Mechanism *m, RbEvent *event) {
    MechanismWork *w = event->workspace;
    memcpy(w->driven.inputs_before, w->driven.inputs, motion_size(m));
    w->driven.energy_before = rb_mechanism_energy(m, event);
}

// ---- joints

// A full turn moves nothing.
static double way(bool turns, double before, double after) {
    return turns ? remainder(after - before, 2 * M_PI) : after - before;
}

static bool joint_place_jumps(const Mechanism *m, RbEvent *event, const DrivenCoordinate *c,
                              bool turns, double before, double after) {
    const RbMember *member = rb_member(m->members, c->member);
    double by = way(turns, before, after);
    if (!jumps(before, before + by)) return false;
    rb_event_fail_at(event, member->at,
                     "the equations prescribe where joint '%s' is, and it jumps by %.6g %s: let "
                     "it follow a path that can be differentiated twice, for instance behind a "
                     "filter (Blocks.Continuous.SecondOrder); a Position of the Modelica Standard "
                     "Library has one with exact = false",
                     member->path, by, turns ? "rad" : "m");
    return true;
}

static bool joint_speed_jumps(const Mechanism *m, RbEvent *event, DrivenCoordinate *c, bool turns,
                              double before, double after) {
    const RbMember *member = rb_member(m->members, c->member);
    if (!jumps(before, after)) return false;
    if (!c->jump_told)
        rb_warn(m->diag, member->at,
                "the equations prescribe how joint '%s' moves, and at t = %.9g s its speed jumps "
                "from %.6g to %.6g %s, which takes an infinite force: the energy counts as "
                "brought in (energy.jumps), joints behind it keep their speeds; a path that can "
                "be differentiated twice has no jumps",
                member->path, event->time, before, after, turns ? "rad/s" : "m/s");
    c->jump_told = true;
    return true;
}

static bool look_at_joints(const Mechanism *m, RbEvent *event) {
    const MechanismWork *w = event->workspace;
    int n = m->members->driven.count;
    bool any = false;
    for (int i = 0; i < n; i++) {
        DrivenCoordinate *c = &m->members->driven.data[i];
        if (c->body == 0) continue;
        bool turns = v3_norm2(w->kin.S[c->tree_v].w) > 0;
        if (joint_place_jumps(m, event, c, turns, w->driven.inputs_before[i], w->driven.inputs[i]))
            return false;
        any |= joint_speed_jumps(m, event, c, turns, w->driven.inputs_before[n + i],
                                 w->driven.inputs[n + i]);
    }
    return any;
}

// ---- moved parts

static double largest_jump(const double *before, const double *after, int count) {
    double most = 0;
    for (int k = 0; k < count; k++) {
        if (jumps(before[k], after[k])) most = fmax(most, fabs(after[k] - before[k]));
    }
    return most;
}

// ORDER inputs in members/moved.c
enum { MOVED_AXES_AT = 3, MOVED_SPEEDS_AT = 9, MOVED_SPINS_AT = 12 };

static void look_at_part(const Mechanism *m, RbEvent *event, MovedPart *p, const double *before,
                         const double *after) {
    const RbMember *member = rb_member(m->members, p->member);
    double by = largest_jump(before, after, MOVED_AXES_AT);
    double turn = largest_jump(before + MOVED_AXES_AT, after + MOVED_AXES_AT,
                               MOVED_SPEEDS_AT - MOVED_AXES_AT);
    double speed = largest_jump(before + MOVED_SPEEDS_AT, after + MOVED_SPEEDS_AT, 3);
    if (by > 0 || turn > 0) {
        rb_event_fail_at(event, member->at,
                         "the equations prescribe where '%s' is, and it jumps by %.6g %s: it would "
                         "be behind what is between without having touched it; let it follow a "
                         "path that can be differentiated twice",
                         member->path, by > 0 ? by : turn, by > 0 ? "m" : "rad");
    } else if (speed > 0 && !p->jump_told) {
        rb_warn(m->diag, member->at,
                "the equations prescribe how '%s' moves, and at t = %.9g s its speed jumps by "
                "%.6g m/s, which takes an infinite force; a path that can be differentiated twice "
                "has no jumps",
                member->path, event->time, speed);
        p->jump_told = true;
    }
}

static void look_at_parts(const Mechanism *m, RbEvent *event) {
    const MechanismWork *w = event->workspace;
    for (int i = 0; i < m->members->moved.count; i++) {
        int at = rb_members_moved_at(m->members) + MOVED_INPUTS * i;
        look_at_part(m, event, &m->members->moved.data[i], w->driven.inputs_before + at,
                     w->driven.inputs + at);
    }
}

// ---- the account

void rb_driven_declare_jumps(Mechanism *m, RbSegment *g) {
    if (!m->driven.own || m->members->driven.count == 0) return;
    int count;
    const double *old = m->first ? NULL : rb_segment_old_discrete(g, &count);
    double start = old && m->account.energy_jumps < count ? old[m->account.energy_jumps] : 0;
    m->account.energy_jumps = rb_segment_discrete(
        g, &(RbDiscreteSpec){"energy.jumps", start, "J",
                             "brought in where the speed that equations prescribe jumps"});
}

double rb_driven_jump_energy(const Mechanism *m, const double *discrete) {
    return m->driven.own && m->members->driven.count > 0 ? discrete[m->account.energy_jumps] : 0;
}

void rb_driven_look_for_jumps(Mechanism *m, RbEvent *event) {
    MechanismWork *w = event->workspace;
    if (!m->driven.own || event->initial || event->watch) return;
    if (event->pass > 0 && !event->states_jumped) {
        if (look_at_joints(m, event))
            event->discrete[m->account.energy_jumps] +=
                rb_mechanism_energy(m, event) - w->driven.energy_before;
        look_at_parts(m, event);
    }
    note(m, event);
}

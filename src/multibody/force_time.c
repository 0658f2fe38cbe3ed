// SPDX-License-Identifier: MIT
// Forces of time in a run: the breaks of breaks.h are time events. Which two the run is between is in
// the discrete block, so that an evaluation knows on which side of a jump it is made.
#include <math.h>

#include "component/segment.h"
#include "multibody/restructure.h"

// A segment that begins between two breaks need not look for them again.
void rb_mechanism_start_breaks(Mechanism *m, RbSegment *g) {
    int count;
    const double *old = rb_segment_old_discrete(g, &count);
    double time = rb_segment_time(g), since = time, until = -INFINITY;
    if (old && m->forces.has_time && m->forces.break_until < count) {
        since = old[m->forces.break_since];
        until = old[m->forces.break_until];
    }
    if (!old) // a run begins, or goes on
        rb_breaks_open(&m->forces.breaks, m->scene, g->instance->run_start, g->instance->run_stop,
                       m->scene->arena);
    if (!(until > time)) {
        since = time;
        until = rb_breaks_next(&m->forces.breaks, time);
    }
    m->forces.has_time = true;
    m->forces.break_since =
        rb_segment_discrete(g, &(RbDiscreteSpec){"break since", since, "s", "", true});
    m->forces.break_until =
        rb_segment_discrete(g, &(RbDiscreteSpec){"break until", until, "s", "", true});
    rb_segment_time_event(g, fmin(g->next_time, until)); // or the next action
}

double rb_mechanism_force_time(const Mechanism *m, const RbEval *e) {
    if (!m->forces.has_time) return e->time;
    return rb_breaks_inside(e->time, e->discrete[m->forces.break_since],
                            e->discrete[m->forces.break_until]);
}

static void restart_group(const Mechanism *m, RbEvent *event, int body) {
    if (body > 0) event->restart_groups[m->groups.of[body]] = true;
}

// What the forces of time act on starts anew, or all does.
bool rb_mechanism_pass_break(const Mechanism *m, RbEvent *event, bool all) {
    const RbScene *s = m->scene;
    if (!m->forces.has_time || event->time < event->discrete[m->forces.break_until]) return false;
    double until = rb_breaks_next(&m->forces.breaks, event->time);
    event->discrete[m->forces.break_since] = event->time;
    event->discrete[m->forces.break_until] = until;
    event->next_time = rb_mechanism_next_time(m, event->discrete);
    rb_event_log(event, "a force of time jumps");
    for (int i = 0; all && i < m->groups.count; i++) event->restart_groups[i] = true;
    for (int i = 0; i < s->world_forces.count; i++) {
        restart_group(m, event, m->forces.world_forces[i].apply.body);
        restart_group(m, event, m->forces.world_forces[i].axes.body);
    }
    for (int i = 0; i < s->joint_forces.count; i++) {
        if (m->forces.joint_forces[i].law) restart_group(m, event, m->forces.joint_bodies[i]);
    }
    return true;
}

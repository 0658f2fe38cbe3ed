// SPDX-License-Identifier: MIT
// Runs that do not get on: bursts of events, of one function or of many, and bursts of steps. Such a run ends, and the message
// names who it is about.
#include <math.h>
#include <string.h>

#include "sim/sim.h"

// A burst of this many events within a sliver of the run is chattering, not simulation. (Each of a
// thousand balls that reach the floor together is an event of islands.)
enum { CHATTER_LIMIT = 2000, EVENTS_PER_GROUP = 10 };
static const double CHATTER_SPAN = 1e-9; // of the length of the run
// So is one indicator that fires this often in a row, with less than this between two times: to
// come as far again would take 1e8 such events.
enum { REPEAT_LIMIT = 1000 };
static const double REPEAT_SPAN = 1e-8; // of the time simulated so far, and a second more at its
static const double HEAD_START = 1;     // beginning [s]; no more than the length of the run

// So are this many steps within such a sliver: the run would take 1e13 of them.
enum { STALL_LIMIT = 20000, STEPS_PER_GROUP = 100 };

// Of the states of a group: "ball" of "ball.r_0[1]".
static const char *name_group(const RbSim *sim, const RbIslandEvent *found, int group) {
    const RbSystem *s = rb_sim_stage((RbSim *)sim)->system;
    const RbSystemPart *p = &s->parts[found->part];
    for (int i = 0; group != RB_NONE && i < p->segment->states.count; i++) {
        if (p->segment->states.data[i].group != group) continue;
        const char *state = rb_system_state_name(s, p->x + i, sim->diag->arena);
        const char *dot = strrchr(state, '.');
        return dot ? rb_arena_printf(sim->diag->arena, "%.*s", (int)(dot - state), state) : state;
    }
    return NULL;
}

static const char *name_event(const RbSim *sim, const RbIslandEvent *found, int indicator) {
    if (indicator != RB_NONE)
        return rb_system_indicator_name(rb_sim_stage((RbSim *)sim)->system, indicator,
                                        sim->diag->arena);
    const char *a = found ? name_group(sim, found, found->watch.groups[0]) : NULL,
               *b = found ? name_group(sim, found, found->watch.groups[1]) : NULL;
    if (a && b) return rb_arena_join(sim->diag->arena, a, "' with '", b);
    return a ? a : "a time event";
}

static RbStatus fail_chatter(RbSim *sim, int events, double since, const char *who) {
    return rb_fail(sim->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "%d events since t = %.12g s without progress: '%s' chatters. A hysteresis, or "
                   "a state of rest "
                   "for ever smaller bounces, would end this",
                   events, since, who);
}

// Other groups have events of their own; a system that is one group has the limit as it stands.
static int limit_of_events(const RbSystem *s, int of_one_group) {
    return of_one_group + EVENTS_PER_GROUP * (s->group_count > 1 ? s->group_count - 1 : 0);
}

static RbStatus check_repetition(RbSim *sim, const RbIslandEvent *found, int indicator) {
    RbRepetition *r = &sim->repetition;
    bool watched = found && indicator == RB_NONE;
    int64_t what = watched ? found->watch.what : indicator;
    double so_far = sim->time - sim->options.start_time + HEAD_START;
    double span = REPEAT_SPAN * fmin(so_far, sim->options.stop_time - sim->options.start_time);
    bool again = (watched || indicator != RB_NONE) && r->watched == watched && r->what == what &&
                 sim->time - r->last <= span;
    if (!again) *r = (RbRepetition){.watched = watched, .what = what, .first = sim->time};
    r->last = sim->time;
    int limit = limit_of_events(rb_sim_stage(sim)->system, REPEAT_LIMIT);
    if (++r->count <= limit) return RB_OK;
    return fail_chatter(sim, limit, r->first, name_event(sim, found, indicator));
}

RbStatus rb_chatter_event(RbSim *sim, const RbIslandEvent *found) {
    double span = CHATTER_SPAN * (sim->options.stop_time - sim->options.start_time);
    int indicator = rb_event_first(rb_sim_stage(sim));
    RB_TRY(check_repetition(sim, found, indicator));
    if (sim->time - sim->chatter_start > span || sim->chatter_count == 0) {
        sim->chatter_start = sim->time;
        sim->chatter_count = 0;
    }
    int limit = limit_of_events(rb_sim_stage(sim)->system, CHATTER_LIMIT);
    if (++sim->chatter_count <= limit) return RB_OK;
    return fail_chatter(sim, limit, sim->chatter_start, name_event(sim, found, indicator));
}

RbStatus rb_chatter_step(RbSim *sim) {
    const RbRunningSegment *stage = rb_sim_stage(sim);
    double span = CHATTER_SPAN * (sim->options.stop_time - sim->options.start_time);
    if (!(sim->time - sim->stall_start <= span) || sim->stall_count == 0) {
        sim->stall_start = sim->time;
        sim->stall_count = 0;
    }
    int limit = STALL_LIMIT + STEPS_PER_GROUP * stage->system->group_count;
    if (++sim->stall_count <= limit) return RB_OK;
    int worst = rb_stage_worst_state(stage);
    RbStatus status = rb_fail(
        sim->diag, RB_ERROR_SOLVER, RB_NOWHERE,
        "%d steps since t = %.12g s for %.3g s: at this pace the run does not end%s%s%s. A "
        "smaller stiffness, a lower speed or a larger tolerance may help",
        limit, sim->stall_start, sim->time - sim->stall_start,
        worst != RB_NONE ? "; hardest is '" : "",
        worst != RB_NONE ? rb_system_state_name(stage->system, worst, sim->diag->arena) : "",
        worst != RB_NONE ? "'" : "");
    rb_evaluator_tell_suspects(stage->evaluator, sim->time, worst, sim->diag);
    return status;
}

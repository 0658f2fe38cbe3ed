// SPDX-License-Identifier: MIT
// An event: the components are asked one after another what they make of it, again and again until
// nobody changes anything.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"

bool rb_event_mark(RbRunningSegment *stage, const int *roots) {
    const RbSystem *s = stage->system;
    bool any = false;
    for (int i = 0; i < s->z_count; i++) {
        int sign = roots ? roots[i] : 0;
        bool wanted = s->direction[i] == 0 || s->direction[i] == sign;
        stage->fired[i] = (signed char)(wanted ? sign : 0);
        any = any || stage->fired[i] != 0;
    }
    return any;
}

static void log_fired(RbSim *sim) {
    if (!rb_log_on(sim->log, RB_LOG_ZEROCROSSINGS)) return;
    RbRunningSegment *stage = rb_sim_stage(sim);
    RbArena scratch = sim->scratch;
    for (int i = 0; i < stage->system->z_count; i++) {
        if (stage->fired[i] == 0) continue;
        rb_log(sim->log, RB_LOG_ZEROCROSSINGS, "t = %.12g s: %s %s through 0", sim->time,
               rb_system_indicator_name(stage->system, i, &scratch),
               stage->fired[i] > 0 ? "rises" : "falls");
    }
}

// A restart that names no group concerns all of the component's.
static void complete_groups(const RbSystemPart *p, bool *groups) {
    int count = p->segment->group_count;
    for (int i = 0; i < count; i++) {
        if (groups[i]) return;
    }
    for (int i = 0; i < count; i++) groups[i] = true;
}

static RbRestart ask(RbSim *sim, int part, const RbEventCause *cause, int pass, bool moved) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    const RbSystemPart *p = &stage->system->parts[part];
    const RbComponentType *type = p->instance->type;
    if (!type->at_event || (cause->terminal && !type->has_end)) return RB_NO_RESTART;
    RbEvent event = {.time = sim->time,
                     .initial = cause->initial,
                     .terminal = cause->terminal,
                     .moved = part == stage->system->model->driver && stage->evaluator->start_moved,
                     .time_event =
                         pass == 0 && cause->time_event && stage->now.next_time[part] <= sim->time,
                     .pass = pass,
                     .states_jumped = moved,
                     .fired = stage->fired + p->z,
                     .x = stage->now.x + p->x,
                     .discrete = stage->now.d + p->d,
                     .next_time = stage->now.next_time[part],
                     .restart_groups = stage->restart_groups + p->group,
                     .workspace = stage->evaluator->workspace + p->workspace,
                     .host = &stage->evaluator->hosts[part],
                     .first_step = INFINITY};
    RbRest rest;
    if (cause->rest) {
        rest = (RbRest){.held = cause->rest->held + p->x, .ended = cause->rest->ended};
        event.rest = &rest;
    }
    RbRestart restart = type->at_event(p->instance->self, &event);
    if (event.rest) cause->rest->too_far |= rest.too_far;
    stage->first_step = fmin(stage->first_step, event.first_step);
    if (restart == RB_RESTART) complete_groups(p, event.restart_groups);
    // A component that does not move its time event on would be asked for ever.
    bool stuck = event.time_event && event.next_time <= sim->time;
    stage->now.next_time[part] = stuck ? INFINITY : event.next_time;
    return restart;
}

static void copy_values(const RbSystem *s, RbValues *to, const RbValues *from) {
    memcpy(to->x, from->x, (size_t)s->x_count * sizeof(double));
    memcpy(to->d, from->d, (size_t)s->d_count * sizeof(double));
}

static int first_difference(const double *a, const double *b, int count) {
    for (int i = 0; i < count; i++) {
        if (memcmp(&a[i], &b[i], sizeof *a) != 0) return i;
    }
    return RB_NONE;
}

static RbStatus fail_unsettled(RbSim *sim, int passes) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    const RbSystem *s = stage->system;
    int d = first_difference(stage->now.d, stage->before.d, s->d_count);
    int x = first_difference(stage->now.x, stage->before.x, s->x_count);
    const char *name = d != RB_NONE ? rb_system_discrete_name(s, d, sim->diag->arena)
                                    : rb_system_state_name(s, x, sim->diag->arena);
    double from = d != RB_NONE ? stage->before.d[d] : stage->before.x[x];
    double to = d != RB_NONE ? stage->now.d[d] : stage->now.x[x];
    return rb_fail(sim->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "the event at t = %.10g s does not settle in %d iterations: '%s' still changes "
                   "(from %g to %g)",
                   sim->time, passes, name, from, to);
}

int rb_event_first(const RbRunningSegment *stage) {
    for (int i = 0; i < stage->system->z_count; i++) {
        if (stage->fired[i] != 0) return i;
    }
    return RB_NONE;
}

static RbStatus check_assertion(RbSim *sim) {
    const RbEvaluator *e = rb_sim_stage(sim)->evaluator;
    if (e->abort_status != RB_OK) return e->abort_status;
    if (e->asserting_part == RB_NONE) return RB_OK;
    return rb_fail(
        sim->diag, RB_ERROR_ASSERTION, e->assertion_at, "component '%s' at t = %.10g s: %s",
        rb_instance_title(e->system->parts[e->asserting_part].instance), sim->time, e->assertion);
}

// An event of islands that a component found: it has looked at it already, nobody else is
// concerned, and nothing here costs more the more bodies there are.
static RbStatus ask_finder(RbSim *sim, const RbIslandEvent *found, RbRestart *restart) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    const RbSystemPart *p = &stage->system->parts[found->part];
    bool *groups = stage->restart_groups + p->group;
    RbEvent event = {.time = sim->time,
                     .fired = stage->fired + p->z,
                     .x = stage->now.x + p->x,
                     .discrete = stage->now.d + p->d,
                     .next_time = stage->now.next_time[found->part],
                     .restart_groups = groups,
                     .watch = &found->watch,
                     .groups = found->groups,
                     .group_count = found->group_count,
                     .workspace = stage->evaluator->workspace + p->workspace,
                     .host = &stage->evaluator->hosts[found->part],
                     .first_step = INFINITY};
    const int *concerned = found->watch.groups;
    int count = concerned[1] == RB_NONE ? 1 : 2;
    for (int i = 0; i < count; i++) groups[concerned[i]] = false;
    *restart = p->instance->type->at_event(p->instance->self, &event);
    stage->first_step = event.first_step;
    stage->now.next_time[found->part] = event.next_time;
    bool named = false;
    for (int i = 0; i < count; i++) named = named || groups[concerned[i]];
    for (int i = 0; i < count && !named; i++) groups[concerned[i]] = true;
    return check_assertion(sim);
}

// The equations have changed something that they keep to themselves (a relation), and components may
// get other inputs by it.
static bool may_tell_others(const RbSystem *s, RbRestart restart) {
    return restart != RB_NO_RESTART && s->model->driver != RB_NONE && s->part_count > 1;
}

// A component that does not say why it wants other states.
static void give_reason(RbRunningSegment *stage, int part) {
    RbEvaluator *e = stage->evaluator;
    if (e->because[0]) return;
    snprintf(e->because, sizeof e->because, "'%s' has other states",
             rb_instance_title(stage->system->parts[part].instance));
}

RbStatus rb_event_iterate(RbSim *sim, const RbEventCause *cause, RbRestart *restart) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    const RbSystem *s = stage->system;
    bool moved = false;
    if (!cause->initial && !cause->set) RB_TRY(rb_chatter_event(sim, cause->found));
    log_fired(sim);
    stage->evaluator->x_at_event = stage->now.x;
    stage->evaluator->because[0] = '\0';
    stage->first_step = INFINITY;
    if (cause->found) return ask_finder(sim, cause->found, restart);
    memset(stage->restart_groups, 0, (size_t)s->group_count * sizeof(bool));
    // Components react to the states that made them fire, and go on from these.
    rb_evaluator_project(stage->evaluator, sim->time, stage->now.x);
    for (int pass = 0;; pass++) {
        copy_values(s, &stage->before, &stage->now);
        // Components may look at what an evaluation left in their workspace.
        if (rb_evaluate(stage->evaluator, RB_WANT_DERIVATIVES | RB_WANT_INDICATORS, sim->time,
                        stage->now.x, NULL, NULL) < 0) {
            RbStatus status = cause->initial ? RB_ERROR_INIT : RB_ERROR_SOLVER;
            return rb_evaluator_explain(stage->evaluator, sim->time, status, sim->diag);
        }
        stage->evaluator->start_moved = false;
        for (int i = 0; i < s->part_count; i++) {
            RbRestart answer = ask(sim, i, cause, pass, moved);
            RB_TRY(check_assertion(sim)); // others must not evaluate what has failed
            if (answer == RB_FULL_RESTART) give_reason(stage, i);
            if (answer > *restart) *restart = answer;
        }
        if (first_difference(stage->now.x, stage->before.x, s->x_count) != RB_NONE)
            moved = true;
        else if (first_difference(stage->now.d, stage->before.d, s->d_count) == RB_NONE &&
                 !stage->evaluator->start_moved && // to the component: what became of its wish
                 !(pass == 0 && may_tell_others(s, *restart)))
            break;
        if (pass + 1 >= sim->options.max_event_iterations) return fail_unsettled(sim, pass + 1);
        memset(stage->fired, 0, (size_t)s->z_count);
    }
    if (cause->set || (moved && !cause->initial)) sim->states_given = true;
    if (moved && *restart == RB_NO_RESTART) *restart = RB_RESTART; // whatever it said
    return RB_OK;
}

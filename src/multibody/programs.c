// SPDX-License-Identifier: MIT
// Programs: steps that are taken one after the other once a signal has risen: change the structure,
// wait, travel along a path. Where they stand is in the discrete block, so that a checkpoint knows it.
#include <limits.h>
#include <math.h>

#include "component/segment.h"
#include "multibody/restructure.h"
#include "rigid/trapezoid.h"

// Values of a program; it is idle where no step is due.
enum { PROGRAM_SIGNAL, PROGRAM_STEP, PROGRAM_POINT, PROGRAM_DUE, PROGRAM_VALUES };
// Values of a path; then for each axis where the present motion starts, and where it goes.
enum { PATH_SINCE, PATH_PHASE, PATH_VALUES };

int rb_mechanism_step_count(const RbScene *s) {
    int count = 0;
    for (int i = 0; i < s->programs.count; i++) count += s->programs.data[i].steps.count;
    return count;
}

static double *program_values(const Mechanism *m, double *discrete, int program) {
    return discrete + m->change.programs + PROGRAM_VALUES * program;
}

// -------------------------------------------------------------------------------------------------
// paths

static const double *path_from(const Mechanism *m, const double *discrete, int path) {
    return discrete + m->change.paths[path] + PATH_VALUES;
}

static RbTrapezoid motion_of(const Mechanism *m, const double *discrete, int path) {
    const RbScenePath *p = &m->scene->paths.data[path];
    const double *from = path_from(m, discrete, path);
    return rb_trapezoid(p->axes, from, from + p->axes, p->v_max, p->a_max);
}

// Of level 0, 1 or 2.
static void path_at(const Mechanism *m, const double *discrete, int path, double time, int level,
                    double *out) {
    const RbScenePath *p = &m->scene->paths.data[path];
    const double *values = discrete + m->change.paths[path], *from = values + PATH_VALUES;
    RbTrapezoid motion = motion_of(m, discrete, path);
    double s[3];
    rb_trapezoid_at(&motion, (RbTravelPhase)values[PATH_PHASE], time - values[PATH_SINCE], s);
    for (int i = 0; i < p->axes; i++) {
        double to = from[p->axes + i];
        out[i] = (level == 0 ? from[i] : 0) + (to - from[i]) * s[level];
        if (level == 0 && values[PATH_PHASE] == RB_TRAVEL_RESTS) out[i] = to; // to the last bit
    }
}

static void follow(const Mechanism *m, const RbEval *e, int path, RbLevel level, double *out) {
    path_at(m, e->discrete, path, e->time, (int)level, out);
}

static double phase_end(const Mechanism *m, const double *discrete, int path) {
    const double *values = discrete + m->change.paths[path];
    RbTrapezoid motion = motion_of(m, discrete, path);
    return values[PATH_SINCE] + rb_trapezoid_end(&motion, (RbTravelPhase)values[PATH_PHASE]);
}

// From where the path is to a point; answers how long it takes. [s]
static double start_motion(const Mechanism *m, RbEvent *event, int path, const double *to) {
    int axes = m->scene->paths.data[path].axes;
    double *values = event->discrete + m->change.paths[path], *from = values + PATH_VALUES;
    path_at(m, event->discrete, path, event->time, 0, from + axes);
    for (int i = 0; i < axes; i++) {
        from[i] = from[axes + i];
        from[axes + i] = to[i];
    }
    double duration = motion_of(m, event->discrete, path).duration;
    values[PATH_SINCE] = event->time;
    values[PATH_PHASE] = duration > 0 ? RB_TRAVEL_SPEEDS_UP : RB_TRAVEL_RESTS;
    return duration;
}

bool rb_mechanism_pass_phase(const Mechanism *m, RbEvent *event) {
    bool jumps = false;
    for (int i = 0; i < m->scene->paths.count; i++) {
        double *values = event->discrete + m->change.paths[i];
        jumps |= values[PATH_SINCE] == event->time;
        while (phase_end(m, event->discrete, i) <= event->time) {
            values[PATH_PHASE] += 1;
            jumps = true;
        }
    }
    if (jumps) event->next_time = rb_mechanism_next_time(m, event->discrete);
    return jumps;
}

// -------------------------------------------------------------------------------------------------
// the discrete block

static int hidden(RbSegment *g, const char *name, const double *old, int number, double first) {
    double value = old ? old[number] : first;
    return rb_segment_discrete(g, &(RbDiscreteSpec){name, value, "", "", .hidden = true});
}

static void declare_path(Mechanism *m, RbSegment *g, int path, const double *old) {
    const RbScenePath *p = &m->scene->paths.data[path];
    if (old) old += m->change.paths[path];
    m->change.paths[path] = hidden(g, "path moves since", old, PATH_SINCE, -INFINITY);
    rb_segment_whole(g, hidden(g, "phase of path", old, PATH_PHASE, RB_TRAVEL_RESTS), 1, 1,
                     RB_TRAVEL_RESTS);
    for (int i = 0; i < 2 * p->axes; i++)
        hidden(g, "path leads to", old, PATH_VALUES + i, p->start[i % p->axes]);
}

double rb_mechanism_declare_programs(Mechanism *m, RbSegment *g, const double *old) {
    const RbScene *s = m->scene;
    double soonest = INFINITY;
    const double *was = old ? old + m->change.programs : NULL;
    for (int i = 0; i < s->programs.count; i++) {
        double begin = s->programs.data[i].signal ? INFINITY : rb_segment_time(g);
        int first = hidden(g, "signal of program", was, PROGRAM_SIGNAL, 0);
        int step = hidden(g, "step of program", was, PROGRAM_STEP, 0);
        int point = hidden(g, "point of path", was, PROGRAM_POINT, 0);
        rb_segment_whole(g, step, 1, 1, s->programs.data[i].steps.count);
        rb_segment_whole(g, point, 1, 1,
                         INT_MAX); // fewer than the path has: checked where it is used
        hidden(g, "program goes on", was, PROGRAM_DUE, begin);
        soonest = fmin(soonest, was ? was[PROGRAM_DUE] : begin);
        if (was) was += PROGRAM_VALUES;
        if (i == 0) m->change.programs = first;
    }
    if (!old) m->change.paths = rb_new_array(s->arena, int, s->paths.count);
    for (int i = 0; i < s->paths.count; i++) {
        if (old) soonest = fmin(soonest, phase_end(m, old, i));
        declare_path(m, g, i, old);
    }
    return soonest;
}

double rb_mechanism_next_step(const Mechanism *m, const double *discrete) {
    double soonest = INFINITY;
    for (int i = 0; i < m->scene->programs.count; i++)
        soonest = fmin(soonest, discrete[m->change.programs + PROGRAM_VALUES * i + PROGRAM_DUE]);
    for (int i = 0; i < m->scene->paths.count; i++)
        soonest = fmin(soonest, phase_end(m, discrete, i));
    return soonest;
}

// -------------------------------------------------------------------------------------------------
// steps

void rb_mechanism_listen(const Mechanism *m, RbEvent *event) {
    const RbScene *s = m->scene;
    const MechanismWork *w = event->workspace;
    for (int i = 0; i < s->programs.count; i++) {
        const RbSceneProgram *program = &s->programs.data[i];
        if (!program->signal) continue;
        double *values = program_values(m, event->discrete, i);
        double now = w->sensing.signals[program->signal - 1], was = values[PROGRAM_SIGNAL];
        values[PROGRAM_SIGNAL] = now;
        if (!(now > was + 0.5)) continue;
        if (values[PROGRAM_DUE] < INFINITY)
            rb_event_fail_at(event, program->steps.data[0].at,
                             "this program is started again before it has ended: it goes on at "
                             "%.10g s",
                             values[PROGRAM_DUE]);
        values[PROGRAM_STEP] = values[PROGRAM_POINT] = 0;
        values[PROGRAM_DUE] = event->time;
    }
    if (s->programs.count > 0) event->next_time = rb_mechanism_next_time(m, event->discrete);
}

// One point of a path after the other; a point where the path is already takes no time. True: it
// travels until it is due.
static bool travel(const Mechanism *m, RbEvent *event, const RbSceneStep *step, double *values) {
    int axes = m->scene->paths.data[step->path].axes;
    while (values[PROGRAM_POINT] < step->point_count) {
        const double *to = step->points + axes * (int)values[PROGRAM_POINT];
        values[PROGRAM_POINT] += 1;
        double duration = start_motion(m, event, step->path, to);
        values[PROGRAM_DUE] = event->time + duration;
        if (duration > 0) return true;
    }
    values[PROGRAM_POINT] = 0;
    return false;
}

// Steps until one takes time, or the end.
static void run(const Mechanism *m, RbEvent *event, const RbSceneProgram *program, double *values,
                DueActions *due) {
    for (; values[PROGRAM_STEP] < program->steps.count; values[PROGRAM_STEP] += 1) {
        const RbSceneStep *step = &program->steps.data[(int)values[PROGRAM_STEP]];
        if (step->kind == RB_SCENE_ACT) due->list[due->count++] = &step->action;
        if (step->kind == RB_SCENE_TRAVEL && travel(m, event, step, values)) return;
        if (step->kind == RB_SCENE_WAIT && step->period > 0) {
            values[PROGRAM_DUE] = event->time + step->period;
            values[PROGRAM_STEP] += 1;
            return;
        }
    }
    values[PROGRAM_DUE] = INFINITY;
}

void rb_mechanism_run_programs(const Mechanism *m, RbEvent *event, DueActions *due) {
    for (int i = 0; i < m->scene->programs.count; i++) {
        double *values = program_values(m, event->discrete, i);
        if (values[PROGRAM_DUE] <= event->time)
            run(m, event, &m->scene->programs.data[i], values, due);
    }
}

RbEvalStatus rb_members_follow(const Mechanism *m, const RbEval *e, int function, double *outputs) {
    int number = (function - m->members->path_functions) / 3,
        level = (function - m->members->path_functions) % 3;
    const char *name = rb_member(m->members, m->members->paths.data[number])->path;
    for (int i = 0; i < m->scene->paths.count; i++) {
        if (m->scene->paths.data[i].name == name) follow(m, e, i, (RbLevel)level, outputs);
    }
    return RB_EVAL_OK;
}

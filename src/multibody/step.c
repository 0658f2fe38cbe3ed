// SPDX-License-Identifier: MIT
// No tunnelling: a step that the solver has accepted is looked at once more, pair by pair, along
// its dense output.
//
// contact/touch.h finds out whether and when a pair touched inside the step.
#include <math.h>
#include <string.h>

#include "contact/touch.h"
#include "multibody/driven.h"

static const double SPEED_MARGIN = 1.25; // for what lies between the samples
static const double SHORT = 1e-3;        // of the thickness: way of bodies in a short time

typedef struct Inspection {
    const Mechanism *mechanism;
    const RbStepView *step;
    MechanismWork *work;
    const double *slots;
    double fastest; // [m/s] of two bodies together
    double *speed;  // [m/s] per body: bound over the step
    double first;   // [s] earliest event so far
} Inspection;

// States of everything at a time inside the step. What equations move is where they put it then.
static const double *states_at(const Inspection *in, double t) {
    const Mechanism *m = in->mechanism;
    MechanismWork *w = in->work;
    if (m->driven.own)
        rb_step_evaluate(in->step, t, w->step.x);
    else
        rb_step_states(in->step, t, w->step.x);
    return rb_driven_states(m, w->step.x, w);
}

// Distance of a pair at a time inside the step.
static double distance_at(const Inspection *in, int a, int b, double t, RbPairMemory *memory) {
    MechanismWork *w = in->work;
    rb_mechanism_move(in->mechanism, states_at(in, t), w);
    return rb_contacts_pair_distance(in->mechanism->contact.setup, a, b, w->moving, memory);
}

double rb_mechanism_unseen(const RbContactSetup *s, int a, int b) {
    return SHORT * fmin(s->elements[a].thickness, s->elements[b].thickness);
}

// An interrupted run ends without a word about it.
void rb_mechanism_lost_sight(const RbStepView *step, RbPos at, const char *a, const char *b,
                             double speed) {
    if (rb_step_interrupted(step)) return;
    rb_step_fail_at(
        step, at,
        "'%s' and '%s' move at up to %.3g m/s against each other: whether they touch in a "
        "step cannot be told; make them slower or thicker, or steps shorter (--max-step)",
        a, b, speed);
}

typedef struct InspectedPair {
    const Inspection *inspection;
    int a, b;
    RbPairMemory memory;
} InspectedPair;

static double distance_in_step(void *user, double t) {
    InspectedPair *p = user;
    if (rb_step_interrupted(p->inspection->step)) return NAN;
    return distance_at(p->inspection, p->a, p->b, t, &p->memory);
}

static double visit(void *user, int a, int b, double box_distance) {
    Inspection *in = user;
    const Mechanism *m = in->mechanism;
    const RbContactSetup *s = m->contact.setup;
    double t0 = in->step->t0, t1 = fmin(in->step->t1, in->first);
    double speed = in->speed[s->elements[a].body] + in->speed[s->elements[b].body];
    double bound =
        in->fastest *
        (in->step->t1 - t0); // the boxes stand where the step ends, whatever was found before that
    if (box_distance > speed * (in->step->t1 - t0))
        return bound; // too far away at the end to touch
    if (!rb_contacts_watches(s, &in->work->contact.search, in->slots, a, b)) return bound;
    const MechanismWork *w = in->work;
    InspectedPair pair = {in, a, b, {.valid = 0}};
    double d1 = t1 == in->step->t1
                    ? rb_contacts_pair_distance(s, a, b, w->step.at_end, &pair.memory)
                    : distance_at(in, a, b, t1, &pair.memory);
    if (d1 > speed * (t1 - t0)) return bound; // too far away at the end to have touched
    double d0 = rb_contacts_pair_distance(s, a, b, w->step.at_start, &pair.memory);
    if (d0 < s->options.touch) return bound;
    // A pair that is just below the threshold at the end is the event that the indicator has shown.
    // One that is further in came first: the indicator looks at the nearest pair only, and has
    // shown another one's event.
    bool inside = d1 < s->options.touch;
    if (inside && t1 == in->step->t1 && d1 > s->options.touch - rb_mechanism_unseen(s, a, b))
        return bound;
    RbTouchSearch search = {.distance = distance_in_step,
                            .user = &pair,
                            .speed = speed,
                            .touch = s->options.touch,
                            .unseen = rb_mechanism_unseen(s, a, b)};
    double first = rb_touch_first(&search, t0, d0, t1, d1);
    if (isnan(first))
        rb_mechanism_lost_sight(in->step, rb_mechanism_declared(in->mechanism, a, b),
                                s->elements[a].side.object, s->elements[b].side.object, speed);
    in->first = fmin(in->first, first);
    return bound;
}

static void note_speeds(Inspection *in, const RbMoving *bodies) {
    const Mechanism *m = in->mechanism;
    for (int i = 1; i < m->structure.tree.bodies.count; i++) {
        Motion V = bodies[i].V;
        double reach = isfinite(m->contact.reach[i]) ? m->contact.reach[i] : 0;
        in->speed[i] = fmax(in->speed[i], SPEED_MARGIN * (v3_norm(V.v) + v3_norm(V.w) * reach));
    }
}

static void sample(Inspection *in, double t, RbMoving *keep) {
    MechanismWork *w = in->work;
    rb_mechanism_move(in->mechanism, states_at(in, t), w);
    note_speeds(in, w->moving);
    size_t n = (size_t)in->mechanism->structure.tree.bodies.count;
    if (keep) memcpy(keep, w->moving, n * sizeof *keep);
}

// Largest speed of any point of each body, from samples of the dense output: both ends and the
// middle. A step begins where the last one ended.
static void bound_speeds(Inspection *in) {
    MechanismWork *w = in->work;
    double t0 = in->step->t0, t1 = in->step->t1, largest = 0, second = 0;
    int n = in->mechanism->structure.tree.bodies.count;
    for (int i = 0; i < n; i++) in->speed[i] = 0;
    if (w->step.end_time == t0) {
        RbMoving *last = w->step.at_end;
        w->step.at_end = w->step.at_start;
        w->step.at_start = last;
        note_speeds(in, w->step.at_start);
    } else {
        sample(in, t0, w->step.at_start);
    }
    sample(in, 0.5 * (t0 + t1), NULL);
    sample(in, t1, w->step.at_end);
    w->step.end_time = t1;
    for (int i = 1; i < n; i++) {
        if (in->speed[i] > largest) {
            second = largest;
            largest = in->speed[i];
        } else
            second = fmax(second, in->speed[i]);
    }
    in->fastest = largest + second;
}

double rb_mechanism_inspect(const Mechanism *m, const RbStepView *step, int *indicator, int *sign) {
    if (!m->contact.setup) return INFINITY;
    MechanismWork *w = step->workspace;
    Inspection in = {.mechanism = m,
                     .step = step,
                     .work = w,
                     .slots = step->discrete + m->contact.slots,
                     .speed = w->step.speed,
                     .first = INFINITY};
    bound_speeds(&in);
    // The indicators of the end of the step have seen the nearest pair: too far away?
    double way = in.fastest * (step->t1 - step->t0);
    if (w->step.nearest_time == step->t1 && w->step.nearest > way) return INFINITY;
    rb_contacts_near_pairs(m->contact.setup, &w->contact.search, in.slots, w->step.at_end, way,
                           visit, &in);
    *indicator = 1; // contact start
    *sign = -1;
    return in.first;
}

// SPDX-License-Identifier: MIT
// Where in a step pairs of meshes start to touch or have parted: step.c and island.c do
// the same for shapes.
#include <math.h>

#include "contact/touch.h"
#include "multibody/step_look.h"
#include "multibody/driven.h"
#include "multibody/touching_solids.h"

static const double UNSEEN = 1e-4; // of the size: way in an interval that is not halved any more
static const double SPEED_MARGIN = 1.25; // for what lies between the samples

typedef struct SolidsStep {
    const StepLook *look;
    const RbSolidsForce *pair;
    double t0, t1; // [s]
    double speed;  // [m/s] bound for the change of the distance
} SolidsStep;

// Both bodies, by the steps of their islands or by that of the whole system.
static void place_at(const SolidsStep *s, double t) {
    const StepLook *l = s->look;
    if (l->step->groups) {
        rb_step_look_place(l, s->pair->a.body, t);
        rb_step_look_place(l, s->pair->b.body, t);
        return;
    }
    if (l->m->driven.own)
        rb_step_evaluate(l->step, t, l->w->step.x);
    else
        rb_step_states(l->step, t, l->w->step.x);
    rb_mechanism_move(l->m, rb_driven_states(l->m, l->w->step.x, l->w), l->w);
}

// For the search: one band from where it is zero contact starts.
static double distance_at(void *user, double t) {
    const SolidsStep *s = user;
    if (rb_step_interrupted(s->look->step)) return NAN;
    place_at(s, t);
    // What is farther away than both can move in the step is all the same.
    double band = rb_solids_band(s->pair), limit = s->speed * (s->t1 - s->t0) + band;
    return rb_mechanism_solids_gap(s->pair, s->look->w, 2 * limit) + 2 * band;
}

// Fastest point of a mesh now.
static double fastest(const RbKin *kin, RbFrame frame, const RbSkin *skin) {
    Motion V = rb_frame_velocity(kin, frame);
    const RbMeshNode *root = &skin->tree.nodes[0];
    return v3_norm(V.v) + v3_norm(V.w) * (v3_norm(root->centre) + root->radius);
}

static void bound_speed(SolidsStep *s) {
    const MechanismWork *w = s->look->w;
    for (int i = 0; i <= 2; i++) {
        place_at(s, i == 2 ? s->t1 : s->t0 + 0.5 * i * (s->t1 - s->t0));
        double speed = fastest(&w->kin, s->pair->a, s->pair->skin_a) +
                       fastest(&w->kin, s->pair->b, s->pair->skin_b);
        s->speed = fmax(s->speed, SPEED_MARGIN * speed);
    }
}

// What shares a volume has not: that is known sooner than a distance.
static bool has_parted(const SolidsStep *s, double t) {
    double band = rb_solids_band(s->pair);
    place_at(s, t);
    if (!rb_solids_is_round(s->pair) && rb_mechanism_solids_overlap(s->pair, s->look->w))
        return false;
    return rb_mechanism_solids_gap(s->pair, s->look->w, 4 * band) > band;
}

// For the search: one band where they are two bands apart.
static double nearness_at(void *user, double t) {
    const SolidsStep *s = user;
    place_at(s, t);
    double band = rb_solids_band(s->pair);
    return 3 * band - rb_mechanism_solids_gap(s->pair, s->look->w, rb_solids_size(s->pair));
}

// What has parted in the step did so where? A force that was cut off at zero before bends nothing any more, so a step may reach far
// beyond: what such a contact still gives back is integrated to where it ends. Islands meet that place themselves (rb_solids_watched), since a
// step with the kink of a force that ends in it would be the least exact of all.
static double parting(SolidsStep *s) {
    double band = rb_solids_band(s->pair);
    if (s->look->step->groups) return s->t1;
    RbTouchSearch search = {nearness_at, s, 0, band, 0};
    double near = nearness_at(s, s->t0), far = nearness_at(s, s->t1);
    return near > band && far < band ? rb_touch_locate(&search, s->t0, near, s->t1, far) : s->t1;
}

static double start(SolidsStep *s) {
    double t0 = s->t0, t1 = s->t1, band = rb_solids_band(s->pair);
    bound_speed(s);
    double d1 = distance_at(s, t1);
    if (d1 > s->speed * (t1 - t0) + 2 * band) return INFINITY;
    double d0 = distance_at(s, t0);
    if (d0 < band) return t0 < t1 && d1 < band ? t1 : INFINITY;
    RbTouchSearch search = {distance_at, s, s->speed, band, UNSEEN * rb_solids_size(s->pair)};
    double first = rb_touch_first(&search, t0, d0, t1, d1);
    if (!isnan(first)) return first;
    const Mechanism *m = s->look->m;
    const RbSceneSolids *names = &m->scene->solids.data[s->pair - m->forces.solids];
    const RbObject *a = &m->scene->objects.data[names->a].object,
                   *b = &m->scene->objects.data[names->b].object;
    rb_mechanism_lost_sight(s->look->step, rb_mechanism_solids_declared(m, names), a->name, b->name,
                            s->speed);
    return INFINITY;
}

// How a mesh stands matters where it is near.
static bool has_turned(const SolidsStep *s, bool touching) {
    const double near = 0.02 * rb_solids_size(s->pair);
    if (!(v3_norm2(s->pair->axis) > 0)) return false;
    place_at(s, s->t1);
    RbSolidsPlace p = rb_mechanism_solids_place(s->pair, s->look->w);
    if (!rb_solids_turned(s->pair, &p)) return false;
    return touching || rb_mechanism_solids_gap(s->pair, s->look->w, 2 * near) < near;
}

// INFINITY: none.
static double first_change(SolidsStep *s, PairEvent *kind) {
    const StepLook *l = s->look;
    int pair = (int)(s->pair - l->m->forces.solids);
    bool touching = rb_mechanism_solids_touch(l->m, l->step->discrete, pair);
    double first;
    rb_mechanism_load_solids(l->m, l->step->discrete, pair, l->w);
    if (touching)
        first = has_parted(s, s->t1) ? parting(s) : INFINITY;
    else
        first = start(s);
    *kind = touching ? SOLIDS_END : SOLIDS_START;
    if (first < INFINITY || !has_turned(s, touching)) return first;
    *kind = SOLIDS_TURN;
    return s->t1;
}

double rb_mechanism_inspect_solids(const Mechanism *m, const RbStepView *step) {
    StepLook l = {.m = m, .step = step, .w = step->workspace};
    double first = INFINITY;
    for (int i = 0; i < m->scene->solids.count; i++) {
        if (m->forces.solids[i].idle) continue;
        SolidsStep s = {&l, &m->forces.solids[i], step->t0, fmin(step->t1, first), 0};
        PairEvent kind;
        first = fmin(first, first_change(&s, &kind));
    }
    return first;
}

void rb_mechanism_solids_indicators(const Mechanism *m, const RbEval *e, double *z) {
    MechanismWork *w = e->workspace;
    double end = -INFINITY, start = INFINITY;
    for (int i = 0; i < m->scene->solids.count; i++) {
        const RbSolidsForce *f = &m->forces.solids[i];
        if (f->idle) continue;
        rb_mechanism_load_solids(m, e->discrete, i, w);
        double gap = rb_mechanism_solids_gap(f, w, rb_solids_size(f)), band = rb_solids_band(f);
        if (rb_mechanism_solids_touch(m, e->discrete, i))
            end = fmax(end, gap - band);
        else
            start = fmin(start, gap + band);
    }
    z[0] = isfinite(end) ? end : -1;
    z[1] = isfinite(start) ? start : 1;
}

// -------------------------------------------------------------------------------------------------
// islands

static bool steps(const StepLook *l, int body) {
    for (int k = 0; body > 0 && k < l->step->group_count; k++) {
        if (l->step->groups[k] == l->m->groups.of[body]) return true;
    }
    return false;
}

static double end_of(const StepLook *l, int body) {
    return body > 0 && !steps(l, body) ? rb_step_end(l->step, l->m->groups.of[body]) : INFINITY;
}

static void note(StepLook *l, int pair, PairEvent kind, double t) {
    const RbSolidsForce *f = &l->m->forces.solids[pair];
    const int bodies[2] = {f->a.body, f->b.body};
    int count = 0;
    l->first = t;
    *l->found = (RbWatch){.time = t,
                          .what = kind + (int64_t)EVENT_KINDS * pair,
                          .groups = {RB_NONE, RB_NONE},
                          .indicator = RB_NONE,
                          .sign = -1};
    for (int k = 0; k < 2; k++) {
        int group = bodies[k] > 0 ? l->m->groups.of[bodies[k]] : RB_NONE;
        if (group != RB_NONE && (count == 0 || l->found->groups[0] != group))
            l->found->groups[count++] = group;
    }
}

void rb_solids_watch(StepLook *l) {
    const Mechanism *m = l->m;
    for (int i = 0; i < m->scene->solids.count; i++) {
        const RbSolidsForce *f = &m->forces.solids[i];
        if (f->idle || (!steps(l, f->a.body) && !steps(l, f->b.body))) continue;
        double end = fmin(fmin(end_of(l, f->a.body), end_of(l, f->b.body)), l->step->t1);
        SolidsStep s = {l, f, l->step->t0, fmin(end, l->first), 0};
        if (!(s.t1 > s.t0)) continue;
        PairEvent kind;
        double t = first_change(&s, &kind);
        if (t < l->first) note(l, i, kind, t);
    }
}

double rb_solids_watched(const StepLook *l, const RbWatch *watch, double t) {
    int pair = (int)(watch->what / EVENT_KINDS);
    PairEvent kind = (PairEvent)(watch->what % EVENT_KINDS);
    if (kind == SOLIDS_TURN) return 0; // any time will do
    const RbSolidsForce *f = &l->m->forces.solids[pair];
    SolidsStep s = {l, f, l->step->t0, l->step->t1, 0};
    double band = rb_solids_band(f), far = rb_solids_size(f);
    rb_mechanism_load_solids(l->m, l->step->discrete, pair, l->w);
    place_at(&s, t);
    double gap = rb_mechanism_solids_gap(f, l->w, far);
    return (kind == SOLIDS_END ? band - gap : gap + band) / band;
}

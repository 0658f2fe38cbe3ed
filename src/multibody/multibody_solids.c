// SPDX-License-Identifier: MIT
// Pairs of meshes that touch: where contact starts is an event, found in the steps that the solver has
// made (multibody_step.c does the same for shapes). A discrete value per pair says whether it touches.
#include <math.h>

#include "contact/touch.h"
#include "multibody/mechanism.h"

static const double TOUCH = 1e-9;  // of the size: closer is a contact
static const double UNSEEN = 1e-4; // of the size: way in an interval that is not halved any more
static const double SPEED_MARGIN = 1.25; // for what lies between the samples

void rb_mechanism_declare_solids(Mechanism *m, RbSegment *g) {
    if (m->scene->solids.count == 0) return;
    rb_segment_max_step(g, 1e9); // whole steps: islands do not look for pairs of meshes
    int old_count, from = m->touching;
    const double *old = rb_segment_old_discrete(g, &old_count);
    for (int i = 0; i < m->scene->solids.count; i++) {
        double start = old && from + i < old_count ? old[from + i] : 0;
        int index = rb_segment_discrete(g, &(RbDiscreteSpec){"meshes touch", start, "", "", true});
        if (i == 0) m->touching = index;
    }
}

static double size_of(const RbSolidsForce *f) {
    return fmin(f->skin_a->size, f->skin_b->size);
}

// [m] Up to `limit`; 0 if they overlap. One inside the other counts as apart: it never touched.
static double distance_now(const RbSolidsForce *f, MechanismWork *w, double limit) {
    Pose X = pose_relative(rb_frame_pose(&w->kin, f->a), rb_frame_pose(&w->kin, f->b));
    return rb_mesh_distance(f->skin_a, f->skin_b, X, limit, &w->closest[f->number]).distance;
}

typedef struct SolidsStep {
    const Mechanism *m;
    const RbStepView *step;
    const RbSolidsForce *pair;
    double speed; // [m/s] bound for the change of the distance
} SolidsStep;

static void place_at(const SolidsStep *s, double t) {
    MechanismWork *w = s->step->workspace;
    rb_step_states(s->step, t, w->x);
    rb_mechanism_move(s->m, w->x, w);
}

static double distance_at(void *user, double t) {
    const SolidsStep *s = user;
    place_at(s, t);
    // What is farther away than both can move in the step is all the same.
    double limit = s->speed * (s->step->t1 - s->step->t0) + TOUCH * size_of(s->pair);
    return distance_now(s->pair, s->step->workspace, 2 * limit);
}

// Fastest point of a mesh now.
static double fastest(const RbKin *kin, RbFrame frame, const RbSkin *skin) {
    Motion V = rb_frame_velocity(kin, frame);
    const RbMeshNode *root = &skin->tree.nodes[0];
    return v3_norm(V.v) + v3_norm(V.w) * (v3_norm(root->centre) + root->radius);
}

static void bound_speed(SolidsStep *s) {
    const MechanismWork *w = s->step->workspace;
    for (int i = 0; i <= 2; i++) {
        place_at(s, s->step->t0 + 0.5 * i * (s->step->t1 - s->step->t0));
        double speed = fastest(&w->kin, s->pair->a, s->pair->skin_a) +
                       fastest(&w->kin, s->pair->b, s->pair->skin_b);
        s->speed = fmax(s->speed, SPEED_MARGIN * speed);
    }
}

static double first_change(SolidsStep *s, bool touching) {
    double t0 = s->step->t0, t1 = s->step->t1, size = size_of(s->pair);
    if (touching) {
        place_at(s, t1);
        bool parted =
            distance_now(s->pair, s->step->workspace, 4 * TOUCH * size) > 2 * TOUCH * size;
        return parted ? t1 : INFINITY;
    }
    bound_speed(s);
    double d1 = distance_at(s, t1);
    if (d1 > s->speed * (t1 - t0)) return INFINITY;
    double d0 = distance_at(s, t0);
    if (d0 < TOUCH * size) return t0 < t1 && d1 < TOUCH * size ? t1 : INFINITY;
    RbTouchSearch search = {distance_at, s, s->speed, TOUCH * size, UNSEEN * size};
    return rb_touch_first(&search, t0, d0, t1, d1);
}

double rb_mechanism_inspect_solids(const Mechanism *m, const RbStepView *step) {
    double first = INFINITY;
    for (int i = 0; i < m->scene->solids.count; i++) {
        RbStepView view = *step;
        view.t1 = fmin(step->t1, first);
        if (m->solids[i].idle) continue;
        SolidsStep s = {m, &view, &m->solids[i], 0};
        first = fmin(first, first_change(&s, step->discrete[m->touching + i] > 0));
    }
    return first;
}

bool rb_mechanism_solids_event(const Mechanism *m, RbEvent *event) {
    MechanismWork *w = event->workspace;
    bool changed = false;
    if (m->scene->solids.count > 0) rb_mechanism_move(m, event->x, w);
    for (int i = 0; i < m->scene->solids.count; i++) {
        const RbSolidsForce *f = &m->solids[i];
        double touch = TOUCH * size_of(f), *now = &event->discrete[m->touching + i];
        double d = distance_now(f, w, 4 * touch);
        bool touches = !f->idle && (*now > 0 ? d <= 2 * touch : d <= 1.5 * touch);
        if (touches == (*now > 0)) continue;
        *now = touches;
        changed = true;
        const RbSceneSolids *pair = &m->scene->solids.data[i];
        rb_event_log(event, "contact of the meshes '%s' and '%s' %s",
                     m->scene->objects.data[pair->a].object.name,
                     m->scene->objects.data[pair->b].object.name, touches ? "starts" : "ends");
    }
    return changed;
}

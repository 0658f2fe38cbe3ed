// SPDX-License-Identifier: MIT
// Pairs of meshes that touch: their forces, and where contact starts and ends. Discrete values of each pair
// say whether it touches and which mass its contact feels.
#include <math.h>

#include "component/segment.h"
#include "multibody/step_look.h"
#include "multibody/driven.h"
#include "multibody/touching_solids.h"

static const double BEGINNING =
    1e-5;                        // of the size: how deep a contact is imagined to find its mass
static const double DEEP = 0.05; // of the size: such an overlap at the start is an error

static double start_of(const Mechanism *m, const double *old, int i) {
    if (i % SOLIDS_VALUES == SOLIDS_SEAT) return 1 + m->sticking.start_seats[i / SOLIDS_VALUES];
    return old ? old[i] : 0;
}

void rb_mechanism_declare_solids(Mechanism *m, RbSegment *g) {
    int count = SOLIDS_VALUES * m->scene->solids.count, old_count, from = m->forces.touching;
    const double *old = rb_segment_old_discrete(g, &old_count);
    old = old && from + count <= old_count ? old + from : NULL;
    rb_segment_discretes(g, "contact of meshes", count, &m->forces.touching);
    for (int i = 0; i < count; i++)
        g->discretes.data[m->forces.touching + i].start = start_of(m, old, i);
    m->forces.solids_indicators = RB_NONE;
    if (count == 0 || !g->instance->by_caller) return;
    m->forces.solids_indicators =
        rb_segment_indicator(g, &(RbIndicatorSpec){"end of a contact of meshes", .direction = +1});
    rb_segment_indicator(g, &(RbIndicatorSpec){"start of a contact of meshes", .direction = -1});
}

// [m] How deep they may be in each other, in the mean: volume over area vector, which vanishes where what is thinner has been passed through.
static double deepest(const RbSolidsForce *f) {
    double most = DEEP * rb_solids_size(f);
    return f->law == RB_SOLIDS_POLYGONAL ? fmin(most, f->polygonal.max_penetration) : most;
}

// Volume and area of what hardly touches are rounding, and so is one over the other.
static bool is_deep(const RbSolidsForce *f, const RbMeshOverlap *o) {
    double size = rb_solids_size(f), rounding = 1e-12 * size * size * size;
    return o->through || (o->volume > rounding && o->volume > deepest(f) * o->area);
}

void rb_mechanism_load_solids(const Mechanism *m, const double *discrete, int pair,
                              MechanismWork *w) {
    const double *values = &discrete[m->forces.touching + SOLIDS_VALUES * pair];
    w->solids.memory[pair].mass = values[SOLIDS_MASS];
    w->solids.memory[pair].reference = q_load(values + SOLIDS_REFERENCE);
}

RbSolidsPlace rb_mechanism_solids_place(const RbSolidsForce *f, const MechanismWork *w) {
    return rb_solids_place(f, &w->solids.memory[f->number], &w->kin);
}

static Pose mesh_pose(const RbSolidsForce *f, const MechanismWork *w) {
    RbSolidsPlace p = rb_mechanism_solids_place(f, w);
    return rb_solids_mesh(f, &p, NULL);
}

// Layers do not know the volume, and nothing presses where they are too deep: it is asked for where that may be.
static bool is_too_deep(const RbSolidsForce *f, const RbSolidsResult *r, MechanismWork *w) {
    RbMeshOverlap *o = rb_mechanism_overlap(f, w);
    if (f->observes) return false;
    if (f->law == RB_SOLIDS_POLYGONAL) {
        if (r->regions > 0 && r->penetration < 0.5 * f->polygonal.max_penetration) return false;
        rb_mesh_overlap(o, mesh_pose(f, w));
    }
    return is_deep(f, o);
}

RbPos rb_mechanism_solids_declared(const Mechanism *m, const RbSceneSolids *pair) {
    bool moves = m->structure.frame[pair->b].body > 0;
    return m->scene->objects.data[moves ? pair->b : pair->a].object.at;
}

RbEvalStatus rb_mechanism_check_solids(const Mechanism *m, const RbEval *e,
                                       const MechanismWork *w) {
    if (w->solids.too_deep == RB_NONE) return RB_EVAL_OK;
    const RbSceneSolids *s = &m->scene->solids.data[w->solids.too_deep];
    const char *a = m->scene->objects.data[s->a].object.name,
               *b = m->scene->objects.data[s->b].object.name;
    RbPos at = rb_mechanism_solids_declared(m, s);
    if (w->solids.overlaps[w->solids.too_deep]->through)
        return rb_eval_retry_at(
            e, at,
            "'%s' comes out on the other side of '%s', which is too thin or too "
            "soft for the impact: give a stiffer material, a thicker part or a "
            "slower blow",
            b, a);
    return rb_eval_retry_at(e, at,
                            "the meshes '%s' and '%s' are deeper in each other than contact can "
                            "describe (%.3g m in the mean): they are too thin or too soft for the "
                            "impact: give a stiffer material, a thicker part or a slower blow",
                            a, b, deepest(&m->forces.solids[w->solids.too_deep]));
}

void rb_mechanism_push_solids(const Mechanism *m, const RbEval *e, int pair, MechanismWork *w) {
    const RbSolidsForce *f = &m->forces.solids[pair];
    RbSolidsMemory *memory = &w->solids.memory[pair];
    rb_mechanism_load_solids(m, e->discrete, pair, w);
    if (rb_mechanism_solids_touch(m, e->discrete, pair)) {
        w->solids.results[pair] =
            rb_force_solids(f, memory, rb_mechanism_overlap(f, w), &w->kin, w->forces, &w->powers);
        if (is_too_deep(f, &w->solids.results[pair], w)) w->solids.too_deep = pair;
        return;
    }
    RbVolumeState apart = {.motion = {.slide = memory->slide, .twist = memory->twist}};
    RbSolidsResult *r = &w->solids.results[pair];
    *r = (RbSolidsResult){0};
    rb_volume_bristle(&apart, &r->slide_rate, &r->twist_rate);
}

RbSolidsStore rb_mechanism_stored_in_solids(const Mechanism *m, const MechanismWork *w) {
    RbSolidsStore sum = {0};
    for (int i = 0; i < m->scene->solids.count; i++) {
        if (w->solids.results[i].regions == 0) continue;
        RbSolidsStore s = rb_solids_stored(&m->forces.solids[i], &w->solids.memory[i],
                                           w->solids.overlaps[i], &w->kin);
        sum.exactly += s.exactly;
        sum.nearly += s.nearly;
    }
    return sum;
}

// Of the surfaces of a, in its frame.
static Vec3 normal_of(const RbSolidsForce *f, const RbMeshOverlap *o, const RbSolidsResult *r) {
    if (f->law != RB_SOLIDS_VOLUME) return r->n;
    Vec3 n = V3_ZERO;
    for (int i = 0; i < o->regions.count; i++) n = v3_add(n, o->regions.data[i].area_a);
    return v3_unit_or(n, V3_ZERO);
}

RbContactState rb_mechanism_solids_contact(const Mechanism *m, const MechanismWork *w, int pair) {
    const RbSolidsForce *f = &m->forces.solids[pair];
    const RbSolidsResult *r = &w->solids.results[pair];
    RbSolidsPlace p = rb_mechanism_solids_place(f, w);
    Pose X = rb_frame_pose(&w->kin, f->a);
    Vec3 n = normal_of(f, w->solids.overlaps[pair], r);
    Vec3 v = v3_add(p.motion.v, v3_cross(p.motion.w, r->point));
    RbContactState c = {.point_W = pose_point(X, r->point), .lost = r->lost};
    c.f_W = m3_mul_vec(X.R, r->force);
    c.t_W = m3_mul_vec(X.R, v3_sub(r->torque, v3_cross(r->point, r->force)));
    c.motion.n_W = m3_mul_vec(X.R, n);
    c.motion.depth = r->penetration > 0 ? r->penetration : r->area > 0 ? r->volume / r->area : 0;
    c.motion.depth_rate = -v3_dot(v, n);
    c.motion.slip_W = m3_mul_vec(X.R, v3_axpy(v, -v3_dot(v, n), n));
    c.force.normal = r->normal_force;
    c.force.friction_W = v3_axpy(c.f_W, -v3_dot(c.f_W, c.motion.n_W), c.motion.n_W);
    return c;
}

static RbMeshGap closest(const RbSolidsForce *f, MechanismWork *w, double limit, Pose X) {
    return rb_solids_distance(f, X, limit, &w->solids.closest[f->number]);
}

bool rb_mechanism_solids_overlap(const RbSolidsForce *f, MechanismWork *w) {
    return rb_meshes_meet(rb_mechanism_overlap(f, w), mesh_pose(f, w));
}

double rb_mechanism_solids_gap(const RbSolidsForce *f, MechanismWork *w, double limit) {
    Pose X = mesh_pose(f, w);
    RbMeshGap gap = closest(f, w, limit, X);
    if (gap.distance > 0) return gap.distance;
    if (rb_solids_is_round(f)) return -gap.depth;
    RbMeshOverlap *o = rb_mechanism_overlap(f, w);
    rb_mesh_overlap(o, X);
    return o->area > 0 ? -2 * o->volume / o->area : 0;
}

// -------------------------------------------------------------------------------------------------
// the mass that a contact feels

// Where the contact will be: centre of the volume and direction, in the frame of a.
typedef struct Meeting {
    Vec3 point, n;
} Meeting;

static bool overlap_at(RbMeshOverlap *o, Pose X, Meeting *out) {
    rb_mesh_overlap(o, X);
    Vec3 point = V3_ZERO, area = V3_ZERO;
    for (int i = 0; i < o->regions.count; i++) {
        point = v3_axpy(point, o->regions.data[i].volume, o->regions.data[i].centroid);
        area = v3_add(area, o->regions.data[i].area_a);
    }
    if (!(o->volume > 0) || !(v3_norm(area) > 0)) return false;
    *out = (Meeting){v3_scale(1 / o->volume, point), v3_unit(area)};
    return true;
}

// b goes on as it moves now until it has sunk in a little; if that leads nowhere, towards the closest
// point.
static bool find_meeting(const RbSolidsForce *f, MechanismWork *w, Motion motion, Meeting *out) {
    RbMeshOverlap *o = rb_mechanism_overlap(f, w);
    double way = BEGINNING * rb_solids_size(f);
    const RbMeshNode *ball = &f->skin_b->tree.nodes[0];
    Pose now = mesh_pose(f, w);
    Vec3 v = motion.v, turn = motion.w, c = pose_point(now, ball->centre);
    double speed = v3_norm(v3_add(v, v3_cross(turn, c))) + v3_norm(turn) * ball->radius;
    if (speed > 0) {
        double t = way / speed, angle = t * v3_norm(turn);
        Pose X = {v3_axpy(now.r, t, v3_add(v, v3_cross(turn, now.r))), now.R};
        if (angle > 0) X.R = m3_mul(m3_rotation(v3_unit(turn), angle), X.R);
        if (overlap_at(o, X, out)) return true;
    }
    if (overlap_at(o, now, out)) return true;
    RbMeshGap gap = closest(f, w, way, now);
    if (!(gap.distance > 0) || !(gap.distance < way)) return false;
    Vec3 n = v3_unit(v3_sub(gap.point_a, gap.point_b));
    return overlap_at(o, (Pose){v3_axpy(now.r, way, n), now.R}, out);
}

static double mass_of_body(const Mechanism *m, int body) {
    return body > 0 ? m->structure.tree.bodies.data[body].inertia.m : INFINITY;
}

// Of a pair whose contact starts; *speed of approach. [m/s]
static double mass_of_contact(const Mechanism *m, const RbEvent *event, const RbSolidsForce *f,
                              double *speed) {
    MechanismWork *w = event->workspace;
    Meeting at;
    RbSolidsPlace p = rb_mechanism_solids_place(f, w);
    Motion motion = rb_solids_surface_motion(f, &p);
    *speed = 0;
    if (!find_meeting(f, w, motion, &at)) { // they lie on each other at rest
        double inverse = 1 / mass_of_body(m, f->a.body) + 1 / mass_of_body(m, f->b.body);
        return inverse > 0 ? 1 / inverse : 0;
    }
    *speed = -v3_dot(at.n, v3_add(motion.v, v3_cross(motion.w, at.point)));
    Pose Xa = rb_frame_pose(&w->kin, f->a);
    return rb_mechanism_effective_mass(m, event, f->a.body, f->b.body, pose_point(Xa, at.point),
                                       m3_mul_vec(Xa.R, at.n));
}

// -------------------------------------------------------------------------------------------------
// events

static const char *name_of(const Mechanism *m, int object) {
    return m->scene->objects.data[object].object.name;
}

static void check_start(const Mechanism *m, RbEvent *event, int i) {
    MechanismWork *w = event->workspace;
    const RbSolidsForce *f = &m->forces.solids[i];
    const RbSceneSolids *given = &m->scene->solids.data[i];
    Pose X = mesh_pose(f, w);
    if (f->observes || !rb_mechanism_may_overlap(f, X)) return;
    RbMeshOverlap *o = rb_mechanism_overlap(f, w);
    rb_mesh_overlap(o, X);
    RbPos at = rb_mechanism_solids_declared(m, given);
    if (is_deep(f, o))
        rb_event_fail_at(event, at,
                         "the meshes '%s' and '%s' share %.6g m3 at the start, which is more than "
                         "contact can describe: place them apart",
                         name_of(m, given->a), name_of(m, given->b), o->volume);
}

// [s] Until they are a little way in; the force may grow with a high power of it. Bodies at rest fall.
static double first_step(const RbSolidsForce *f, double speed) {
    double way = BEGINNING * rb_solids_size(f);
    return way / fmax(speed, sqrt(9.81 * way));
}

// The mesh of a body of revolution stays as it stands: nothing starts anew.
static void renew_reference(const Mechanism *m, RbEvent *event, int i) {
    MechanismWork *w = event->workspace;
    const RbSolidsForce *f = &m->forces.solids[i];
    if (f->idle) return;
    rb_mechanism_load_solids(m, event->discrete, i, w);
    RbSolidsPlace p = rb_mechanism_solids_place(f, w);
    bool first = v3_norm2(f->axis) > 0 && q_norm2(p.reference) == 0;
    if (!first && !rb_solids_turned(f, &p)) return;
    q_store(&event->discrete[m->forces.touching + SOLIDS_VALUES * i + SOLIDS_REFERENCE],
            q_from_matrix(rb_solids_mesh(f, &p, NULL).R));
    rb_mechanism_load_solids(m, event->discrete, i, w);
}

static RbRestart update(const Mechanism *m, RbEvent *event, int i) {
    MechanismWork *w = event->workspace;
    const RbSolidsForce *f = &m->forces.solids[i];
    const RbSceneSolids *given = &m->scene->solids.data[i];
    double band = rb_solids_band(f),
           *values = &event->discrete[m->forces.touching + SOLIDS_VALUES * i];
    bool touched = values[SOLIDS_TOUCH] > 0;
    renew_reference(m, event, i);
    double gap = f->idle ? INFINITY : rb_mechanism_solids_gap(f, w, 4 * band);
    if (event->initial && !f->idle) check_start(m, event, i);
    bool touches = gap <= (touched ? 0.5 : -0.5) * band;
    if (touches == touched) return RB_NO_RESTART;
    double speed = 0;
    values[SOLIDS_TOUCH] = touches;
    values[SOLIDS_MASS] = touches ? mass_of_contact(m, event, f, &speed) : 0;
    if (touches) event->first_step = fmin(event->first_step, first_step(f, speed));
    const int bodies[2] = {f->a.body, f->b.body};
    for (int k = 0; k < 2; k++)
        if (bodies[k] > 0) event->restart_groups[m->groups.of[bodies[k]]] = true;
    if (touches)
        rb_event_log(event, "contact of the meshes '%s' and '%s' starts at %.6g m/s (%s)",
                     name_of(m, given->a), name_of(m, given->b), speed, rb_solids_law_name(f));
    else
        rb_event_log(event, "contact of the meshes '%s' and '%s' ends", name_of(m, given->a),
                     name_of(m, given->b));
    if (!touches || rb_mechanism_sit_down(m, event, i)) return RB_RESTART;
    rb_event_because(event, "more contacts of meshes than before can stick");
    return RB_FULL_RESTART;
}

RbRestart rb_mechanism_solids_event(const Mechanism *m, RbEvent *event) {
    MechanismWork *w = event->workspace;
    if (m->scene->solids.count == 0) return RB_NO_RESTART;
    if (event->watch) {
        if (!rb_mechanism_watches_solids(event->watch)) return RB_NO_RESTART;
        for (int k = 0; k < 2; k++) {
            int group = event->watch->groups[k];
            if (group != RB_NONE) rb_mechanism_move_group(m, group, event->x, w);
        }
        RbRestart restart = update(m, event, (int)(event->watch->what / EVENT_KINDS));
        rb_mechanism_ready_overlaps(m, w);
        return restart;
    }
    RbRestart restart = RB_NO_RESTART;
    rb_mechanism_move(m, rb_driven_states(m, event->x, w), w);
    for (int i = 0; i < m->scene->solids.count; i++) {
        RbRestart one = update(m, event, i);
        if (one > restart) restart = one;
    }
    rb_mechanism_ready_overlaps(m, w);
    return restart;
}

// SPDX-License-Identifier: MIT
// Actions of a scene: which are due, whether they can be, and what they change in the arrangement.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "component/segment.h"
#include "multibody/driven.h"
#include "multibody/matter.h"
#include "multibody/restructure.h"

// -------------------------------------------------------------------------------------------------
// names

// ORDER RbSceneActionKind
static const char *const verbs[] = {
    "attach", "release", "lock",   "unlock", "replace", "remove", "add", "release and attach",
    "flip",   "break",   "change", "cut",    "glue"};

static RbStatus unknown_name(RbDiag *diag, const RbSceneAction *action, const char *what,
                             RbNear *near, RbArena scratch) {
    return rb_fail(diag, RB_ERROR_MODEL, action->at,
                   "an action names the %s '%s', which does not exist%s", what, near->wanted,
                   rb_text_near_question(near, "", &scratch));
}

static RbStatus check_object(const RbScene *s, const RbSceneAction *action, const char *name,
                             RbArena scratch, RbDiag *diag) {
    if (rb_scene_find(s, name) >= 0) return RB_OK;
    if (rb_scene_find_joint(s, name) >= 0) {
        return rb_fail(diag, RB_ERROR_MODEL, action->at,
                       "an action names '%s', which is a joint: it wants a part or a frame", name);
    }
    RbNear near = {.wanted = name};
    for (int i = 0; i < s->objects.count; i++)
        rb_text_try_near(&near, s->objects.data[i].object.name);
    return unknown_name(diag, action, "object", &near, scratch);
}

static RbStatus check_joint(const RbScene *s, const RbSceneAction *action, RbArena scratch,
                            RbDiag *diag) {
    int joint = rb_scene_find_joint(s, action->a);
    bool holds = joint >= 0 && s->joints.data[joint].hold.kind != RB_HOLD_NONE;
    if (holds && action->kind != RB_SCENE_BREAK)
        return rb_fail(diag, RB_ERROR_MODEL, action->at,
                       "cannot %s '%s': '%s' is a constraint and has no coordinates; it can only "
                       "break",
                       verbs[action->kind], action->a, action->a);
    if (joint >= 0) return RB_OK;
    if (rb_scene_find(s, action->a) >= 0) {
        return rb_fail(diag, RB_ERROR_MODEL, action->at,
                       "an action names '%s', which is a part: it wants a joint", action->a);
    }
    RbNear near = {.wanted = action->a};
    for (int i = 0; i < s->joints.count; i++) rb_text_try_near(&near, s->joints.data[i].name);
    return unknown_name(diag, action, "joint", &near, scratch);
}

// Which names an action cannot do without.
static bool is_complete(const RbSceneAction *x) {
    bool pair = x->kind == RB_SCENE_ATTACH || x->kind == RB_SCENE_MOVE || x->kind == RB_SCENE_GLUE;
    return x->a && (x->b || !pair) && (x->c || x->kind != RB_SCENE_FLIP);
}

static RbStatus check_names(const RbScene *s, const RbSceneAction *action, RbArena scratch,
                            RbDiag *diag) {
    if (!is_complete(action))
        return rb_fail(diag, RB_ERROR_MODEL, action->at, "a name of this action is empty");
    if (rb_scene_is_about_soft(action->kind))
        return rb_mechanism_check_change(s, action, scratch, diag);
    RbStatus status = rb_scene_is_about_joint(action->kind)
                          ? check_joint(s, action, scratch, diag)
                          : check_object(s, action, action->a, scratch, diag);
    if (status == RB_OK && action->b) status = check_object(s, action, action->b, scratch, diag);
    if (status == RB_OK && action->c) status = check_object(s, action, action->c, scratch, diag);
    return status;
}

// -------------------------------------------------------------------------------------------------
// what cannot be whatever happens before

static bool is_same(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

static bool may_join(const RbSceneAction *x, const char *a, const char *b) {
    if (x->kind != RB_SCENE_ATTACH && x->kind != RB_SCENE_MOVE && x->kind != RB_SCENE_FLIP)
        return false;
    return (is_same(x->a, a) && is_same(x->b, b)) || (is_same(x->a, b) && is_same(x->b, a));
}

// Does any action attach the two?
static bool are_joined(const RbScene *s, const char *a, const char *b) {
    for (int i = 0; i < s->actions.count; i++) {
        if (may_join(&s->actions.data[i], a, b)) return true;
    }
    for (int i = 0; i < s->programs.count; i++) {
        for (int k = 0; k < s->programs.data[i].steps.count; k++) {
            const RbSceneStep *step = &s->programs.data[i].steps.data[k];
            if (step->kind == RB_SCENE_ACT && may_join(&step->action, a, b)) return true;
        }
    }
    return false;
}

static RbStatus check_sense(const RbScene *s, const RbSceneAction *x, RbDiag *diag) {
    if (is_same(x->a, x->b) || is_same(x->b, x->c) || is_same(x->a, x->c))
        return rb_fail(diag, RB_ERROR_MODEL, x->at,
                       "this action is about '%s' twice: it wants two parts",
                       is_same(x->b, x->c) ? x->b : x->a);
    if (x->kind == RB_SCENE_RELEASE && x->b && !are_joined(s, x->a, x->b))
        return rb_fail(diag, RB_ERROR_MODEL, x->at,
                       "'%s' and '%s' are to be released from each other, but no action attaches "
                       "them; without 'b' whatever holds '%s' lets go",
                       x->a, x->b, x->a);
    return RB_OK;
}

static RbStatus check_action(const RbScene *s, const RbSceneAction *action, RbArena scratch,
                             RbDiag *diag) {
    RB_TRY(check_names(s, action, scratch, diag));
    return check_sense(s, action, diag);
}

static RbStatus check_time(const RbSceneAction *action, double start, RbDiag *diag) {
    if (action->time >= start) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, action->at,
                   "an action is due at t = %.9g s, before the start at t = %.9g s", action->time,
                   start);
}

RbStatus rb_mechanism_check_actions(const RbScene *s, double start, RbArena scratch, RbDiag *diag) {
    RbStatus worst = RB_OK;
    for (int i = 0; i < s->actions.count; i++) {
        RbStatus status = check_action(s, &s->actions.data[i], scratch, diag);
        if (status == RB_OK) status = check_time(&s->actions.data[i], start, diag);
        if (status != RB_OK) worst = status;
    }
    for (int i = 0; i < s->programs.count; i++) {
        for (int k = 0; k < s->programs.data[i].steps.count; k++) {
            const RbSceneStep *step = &s->programs.data[i].steps.data[k];
            RbStatus status =
                step->kind == RB_SCENE_ACT ? check_action(s, &step->action, scratch, diag) : RB_OK;
            if (status != RB_OK) worst = status;
        }
    }
    return worst;
}

// -------------------------------------------------------------------------------------------------
// what they do

// What the coordinates of joints were, as a guess for those that come back.
static void note_coordinates(Mechanism *m, const double *x) {
    const RbTree *tree = &m->structure.tree;
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        if (joint->object_joint < 0) continue;
        RbObjectJoint *own = &m->change.arrangement.joints[joint->object_joint];
        memcpy(own->q, x + joint->q, (size_t)rb_joint_q_count(joint->kind) * sizeof *own->q);
        memcpy(own->v, x + tree->nq + joint->v,
               (size_t)rb_joint_v_count(joint->kind) * sizeof *own->v);
        rb_joint_reverse_coordinates(joint, own->q, own->v);
    }
}

static const double RESTS = 1e-6; // [m/s], [rad/s] at most

static bool check_distance(const Mechanism *m, const RbSceneAction *action, int a, int b,
                           RbArena *text, const char **why) {
    double distance = v3_distance(m->change.places.X[a].r, m->change.places.X[b].r);
    Motion V = m->change.places.V[a], W = m->change.places.V[b];
    double speed = v3_norm(
        v3_sub(mo_shift(V, v3_sub(m->change.places.X[b].r, m->change.places.X[a].r)).v, W.v));
    double spin = v3_norm(v3_sub(V.w, W.w));
    if (action->max_distance > 0 && distance > action->max_distance) {
        *why = rb_arena_printf(text, "they are %.6g m apart, more than the %.6g m allowed",
                               distance, action->max_distance);
        return false;
    }
    if (action->require_rest && (speed > RESTS || spin > RESTS)) {
        *why = rb_arena_printf(text, "they move against each other at %.6g m/s and %.6g rad/s",
                               speed, spin);
        return false;
    }
    return true;
}

static bool check_rest(const Mechanism *m, const RbSceneAction *action, int joint, RbArena *text,
                       const char **why) {
    const RbObjectJoint *j = &m->change.arrangement.joints[joint];
    double speed = 0;
    for (int k = 0; k < rb_joint_v_count(j->kind); k++) speed = fmax(speed, fabs(j->v[k]));
    if (!action->require_rest || speed <= RESTS) return true;
    *why = rb_arena_printf(text, "it moves at %.6g (m/s or rad/s)", speed);
    return false;
}

static bool is_driven(const Mechanism *m, int joint) {
    return m->change.arrangement.joints[joint].owner == RB_OWNED_BY_EQUATIONS;
}

// A spring of the old joint means nothing in the new one: N.m/rad would become N/m.
static bool check_elements(const RbScene *s, int joint, RbArena *text, const char **why) {
    for (int i = 0; i < s->joint_forces.count; i++) {
        if (s->joint_forces.data[i].joint != joint) continue;
        *why = rb_arena_printf(
            text, "a spring, damper, force or stop acts in joint '%s': put it beside the joint",
            s->joints.data[joint].name);
        return false;
    }
    return true;
}

static bool carry_out(Mechanism *m, RbEvent *event, const RbSceneAction *action, RbArena *text,
                      const char **why) {
    RbArrangement *r = &m->change.arrangement;
    const RbScene *s = m->scene;
    int a = rb_scene_is_about_joint(action->kind) ? rb_scene_find_joint(s, action->a)
                                                  : rb_scene_find(s, action->a);
    int b = action->b ? rb_scene_find(s, action->b) : -1;
    int c = action->c ? rb_scene_find(s, action->c) : -1;
    switch (action->kind) {
        case RB_SCENE_ATTACH:
            return check_distance(m, action, a, b, text, why) &&
                   rb_arrange_attach(r, a, b, &m->change.places, text, why);
        case RB_SCENE_RELEASE: return rb_arrange_release(r, a, b, &m->change.places, text, why);
        case RB_SCENE_LOCK:
            return check_rest(m, action, a, text, why) &&
                   (is_driven(m, a) ? rb_driven_lock(m, event, a, action, why)
                                    : rb_arrange_lock(r, a, &m->change.places, text, why));
        case RB_SCENE_UNLOCK:
            return is_driven(m, a) ? rb_driven_unlock(m, event, a, why)
                                   : rb_arrange_unlock(r, a, text, why);
        case RB_SCENE_REPLACE:
            return check_elements(s, a, text, why) &&
                   rb_arrange_replace(r, a, action->joint, action->n, action->n2, &m->change.places,
                                      text, why);
        case RB_SCENE_BREAK: return rb_arrange_break(r, a, &m->change.places, text, why);
        case RB_SCENE_REMOVE: return rb_arrange_remove(r, a, &m->change.places, text, why);
        case RB_SCENE_MOVE:
            return check_distance(m, action, a, b, text, why) &&
                   rb_arrange_move(r, a, b, &m->change.places, text, why);
        case RB_SCENE_FLIP:
            return (b < 0 || check_distance(m, action, a, b, text, why)) &&
                   rb_arrange_flip(r, a, b, c, &m->change.places, text, why);
        case RB_SCENE_ADD:
            return rb_arrange_add(r, a, action->pose, action->velocity, &m->change.places, text,
                                  why);
        case RB_SCENE_CHANGE: rb_mechanism_change_soft(m, action); return true;
        case RB_SCENE_CUT:
        case RB_SCENE_GLUE: return rb_mechanism_reconnect_soft(m, event, action, text, why);
    }
    return false;
}

// "flip 'green', 'platform' and 'blue'"
static const char *name_action(const RbSceneAction *x, RbArena *text) {
    const char *verb = verbs[x->kind];
    if (x->b && x->c)
        return rb_arena_printf(text, "%s '%s', '%s' and '%s'", verb, x->a, x->b, x->c);
    if (!x->b && !x->c) return rb_arena_printf(text, "%s '%s'", verb, x->a);
    return rb_arena_printf(text, "%s '%s' and '%s'", verb, x->a, x->b ? x->b : x->c);
}

// Places and coordinates just before.
static void note_state(Mechanism *m, RbEvent *event) {
    MechanismWork *w = event->workspace;
    const double *x = rb_driven_states(m, event->x, w);
    rb_mechanism_find_places(&m->structure, x, x + m->structure.tree.nq, &w->kin,
                             &m->change.places);
    note_coordinates(m, x);
}

static bool perform(Mechanism *m, RbEvent *event, const RbSceneAction *action, RbArena *text) {
    const char *why = "", *name = name_action(action, text);
    if (carry_out(m, event, action, text, &why)) {
        rb_event_log(event, "%s", name);
        rb_event_because(event, "%s", name);
        return true;
    }
    rb_event_fail_at(event, action->at, "cannot %s: %s", name, why);
    return false;
}

// -------------------------------------------------------------------------------------------------
// when

void rb_mechanism_declare_actions(Mechanism *m, RbSegment *g, const double *old) {
    const RbScene *s = m->scene;
    double next = old ? old[m->change.next_action] : 0;
    m->change.next_action =
        rb_segment_discrete(g, &(RbDiscreteSpec){"next action", next, "", "", .hidden = true});
    rb_segment_whole(g, m->change.next_action, 1, 1, s->actions.count);
    double action = next < s->actions.count ? s->actions.data[(int)next].time : INFINITY;
    rb_segment_time_event(g, fmin(action, rb_mechanism_declare_programs(m, g, old)));
}

double rb_mechanism_action_time(const Mechanism *m, const double *discrete) {
    const RbScene *s = m->scene;
    if (!rb_scene_acts(s)) return INFINITY;
    int next = (int)discrete[m->change.next_action];
    double soonest = next < s->actions.count ? s->actions.data[next].time : INFINITY;
    return fmin(soonest, rb_mechanism_next_step(m, discrete));
}

double rb_mechanism_next_time(const Mechanism *m, const double *discrete) {
    double soonest = rb_mechanism_action_time(m, discrete);
    soonest = fmin(soonest, rb_mechanism_grains_time(m, discrete));
    return m->forces.has_time ? fmin(soonest, discrete[m->forces.break_until]) : soonest;
}

// Whose time has come; they are not due again.
static bool take_due(Mechanism *m, RbEvent *event, DueActions *due) {
    const RbScene *s = m->scene;
    double *next = &event->discrete[m->change.next_action];
    due->count = 0;
    for (; *next < s->actions.count && s->actions.data[(int)*next].time <= event->time; *next += 1)
        due->list[due->count++] = &s->actions.data[(int)*next];
    rb_mechanism_run_programs(m, event, due);
    event->next_time = rb_mechanism_next_time(m, event->discrete);
    return due->count > 0;
}

// -------------------------------------------------------------------------------------------------
// at one instant

static bool names(const RbSceneAction *x, const char *name) {
    return strcmp(x->a, name) == 0 || (x->b && strcmp(x->b, name) == 0) ||
           (x->c && strcmp(x->c, name) == 0);
}

// Two that undo each other, or say two things about one joint, part or chain. (That a part is released
// and attached elsewhere is no contradiction.)
static bool contradict(const RbSceneAction *x, const RbSceneAction *y) {
    bool same_pair = x->b && y->b && names(x, y->a) && names(x, y->b);
    bool coming = x->kind == RB_SCENE_REMOVE || x->kind == RB_SCENE_ADD;
    if (rb_scene_is_about_joint(x->kind) && rb_scene_is_about_joint(y->kind))
        return strcmp(x->a, y->a) == 0;
    if (rb_scene_is_about_joint(x->kind) || rb_scene_is_about_joint(y->kind)) return false;
    if (coming && names(y, x->a)) return true;
    switch (x->kind) {
        case RB_SCENE_ATTACH: return y->kind == RB_SCENE_RELEASE && same_pair;
        case RB_SCENE_MOVE: return y->kind == RB_SCENE_MOVE && strcmp(x->a, y->a) == 0;
        case RB_SCENE_FLIP: return y->kind == RB_SCENE_FLIP && names(y, x->a) && names(y, x->c);
        default: return false;
    }
}

static bool refuse_contradictions(RbEvent *event, const DueActions *due, RbArena *text) {
    for (int i = 0; i < due->count; i++) {
        for (int k = 0; k < i; k++) {
            const RbSceneAction *x = due->list[i], *y = due->list[k];
            if (!contradict(x, y) && !contradict(y, x)) continue;
            rb_event_fail_at(event, x->at,
                             "two actions at one instant contradict each other: %s, and %s",
                             name_action(y, text), name_action(x, text));
            return true;
        }
    }
    return false;
}

static bool is_done(const Mechanism *m, RbSceneActionKind kind, int a, int b) {
    const RbArrangement *r = &m->change.arrangement;
    switch (kind) {
        case RB_SCENE_ATTACH: return rb_arrangement_holds(r, a, b);
        case RB_SCENE_RELEASE: return b >= 0 && !rb_arrangement_holds(r, a, b);
        case RB_SCENE_LOCK: return r->locked[a].is;
        case RB_SCENE_UNLOCK: return !r->locked[a].is && !r->gone[a] && !is_driven(m, a);
        case RB_SCENE_BREAK: return r->broken[a];
        case RB_SCENE_REMOVE: return r->absent[a];
        default: return false;
    }
}

static bool is_timed(const RbScene *s, const RbSceneAction *x) {
    return s->actions.count > 0 && x >= s->actions.data && x < s->actions.data + s->actions.count;
}

// A signal that rises again asks for what is so already: that is no error, and nothing to do.
static void drop_done(const Mechanism *m, RbEvent *event, DueActions *due, RbArena *text) {
    const RbScene *s = m->scene;
    int count = 0;
    for (int i = 0; i < due->count; i++) {
        const RbSceneAction *x = due->list[i];
        int a = rb_scene_is_about_joint(x->kind) ? rb_scene_find_joint(s, x->a)
                                                 : rb_scene_find(s, x->a);
        bool done = !is_timed(s, x) && is_done(m, x->kind, a, x->b ? rb_scene_find(s, x->b) : -1);
        if (done)
            rb_event_log(event, "%s: it is so already", name_action(x, text));
        else
            due->list[count++] = x;
    }
    due->count = count;
}

bool rb_mechanism_act(Mechanism *m, RbEvent *event) {
    const RbScene *s = m->scene;
    MechanismWork *w = event->workspace;
    if (!rb_scene_acts(s)) return false;
    rb_mechanism_listen(m, event);
    if (!take_due(m, event, &w->due)) return false;
    RbArena text = rb_arena(s->arena->heap);
    bool failed = refuse_contradictions(event, &w->due, &text);
    if (!failed) drop_done(m, event, &w->due, &text);
    if (w->due.count == 0) {
        rb_arena_free(&text);
        return false;
    }
    m->account.energy_before = rb_mechanism_energy(m, event);
    m->account.removed_before = event->discrete[m->account.structure_energy[STRUCTURE_REMOVED]];
    RbStoredEnergy stored = rb_mechanism_stored(m, w);
    m->account.pressed_before = event->discrete[m->account.pressed_start] - stored.pressed;
    m->account.lent_before = event->discrete[m->account.lent_start] - stored.lent;
    m->contact.off = false;
    note_state(m, event);
    for (int i = 0; i < w->due.count && !failed; i++) {
        failed = !perform(m, event, w->due.list[i], &text);
        m->contact.off |= w->due.list[i]->no_contact;
    }
    if (!failed) rb_driven_part(m, event);
    rb_arena_free(&text);
    m->change.changed = true;
    return true;
}

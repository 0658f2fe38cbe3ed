// SPDX-License-Identifier: MIT
// Crowds: many balls that touch each other, or nearly do (docs/theory/islands.md, crowds).
//
// In a pile of a thousand balls some contact starts or ends every few microseconds. To locate each
// of these events would stop all balls for the sake of two. So the slots of a crowd hold all pairs
// that are nearer than a skin, whether they touch or not: forces begin at zero, the law remembers
// nothing of how a contact began, and what is left of the kink is seen by the error test. Pairs
// that are in no slot cannot touch before some ball has moved by a quarter of the skin; then the
// list is renewed, which is an event of the whole crowd but need not start it anew.
#include <math.h>
#include <string.h>

#include "contact/touch.h"
#include "multibody/step_look.h"
#include "multibody/crowd.h"

enum { LARGE = 16, SMALL = 8 }; // balls: more are a crowd; it stays one until there are no more
// Bodies that are not all balls: more are a crowd, unless they are at most so many and calm.
enum { MIXED = 8, CALM_MOST = 24 };
static const double CALM = 0.02, LIVELY = 0.1; // [m/s] of their surfaces: below and above it
static const double SKIN = 0.2; // of the smallest radius
// Parts of the skin: a list is renewed behind the first way of a ball and before the second. A ball
// that joins is listed later than the others: 3 RENEW_LATEST must be less than 1.
static const double RENEW_FROM = 0.16, RENEW_LATEST = 0.25;
static const double NEAR = 0.5;          // part of the skin: who comes nearer joins
static const double SPEED_MARGIN = 1.25; // for what lies between the ends of a step

// ---- who is a crowd

// Do all laws forget how a contact began that elements of this material can have?
static bool forgets(const RbContactSetup *s, int material) {
    const int n = s->material_count;
    for (int k = material * n; k < (material + 1) * n; k++) {
        if (s->pair_known[k] && !rb_pair_law_forgets(&s->pairs[k].law)) return false;
    }
    return true;
}

static bool is_ball_for_crowds(const Mechanism *m, int group) {
    if (!m->groups.balls[group].is) return false;
    int body = m->groups.first_body[group];
    for (int k = m->contact.element_start[body]; k < m->contact.element_start[body + 1]; k++) {
        if (!forgets(m->contact.setup,
                     m->contact.setup->elements[m->contact.element_list[k]].material))
            return false;
    }
    return true;
}

// [m] What the skin is a part of: the radius of a ball, half of the least thickness of any other body.
static double size_for_skin(const Mechanism *m, int group) {
    int body = m->groups.first_body[group];
    if (m->groups.balls[group].is) return m->contact.reach[body];
    double least = INFINITY;
    for (int k = m->contact.element_start[body]; k < m->contact.element_start[body + 1]; k++)
        least = fmin(least, 0.5 * m->contact.setup->elements[m->contact.element_list[k]].thickness);
    return least;
}

// Balls are followed by explicit steps where they cannot be by kicks, other bodies are not.
void rb_mechanism_measure_crowds(Mechanism *m, RbArena *arena) {
    double least = INFINITY;
    m->crowd.skin = 0;
    m->crowd.possible = rb_new_array(arena, bool, m->groups.count);
    m->crowd.kicks = rb_new_array(arena, bool, m->groups.count);
    if (!m->contact.setup) return;
    for (int g = 0; g < m->groups.count; g++) m->crowd.possible[g] = is_ball_for_crowds(m, g);
    rb_kicks_measure(m);
    for (int g = 0; g < m->groups.count; g++) {
        m->crowd.possible[g] = m->crowd.possible[g] || m->crowd.kicks[g];
        if (m->crowd.possible[g]) least = fmin(least, size_for_skin(m, g));
    }
    if (isfinite(least)) m->crowd.skin = SKIN * least;
}

void rb_mechanism_forget_crowds(const Mechanism *m, MechanismWork *w) {
    memset(w->crowd.bodies, 0, (size_t)m->structure.tree.bodies.count * sizeof *w->crowd.bodies);
}

bool rb_mechanism_may_crowd(const Mechanism *m, const int *groups, int count) {
    if (!(m->crowd.skin > 0)) return false;
    bool all_kick = true, all_balls = true;
    for (int k = 0; k < count; k++) {
        if (!m->crowd.possible[groups[k]]) return false;
        all_kick = all_kick && m->crowd.kicks[groups[k]];
        all_balls = all_balls && m->groups.balls[groups[k]].is;
    }
    return all_balls || (all_kick && rb_kicks_resolve(m->crowd.tolerance));
}

static bool all_balls(const Mechanism *m, const int *groups, int count) {
    for (int k = 0; k < count; k++) {
        if (!m->groups.balls[groups[k]].is) return false;
    }
    return true;
}

static bool all_calm(const Mechanism *m, const double *discrete, const int *groups, int count) {
    for (int k = 0; k < count; k++) {
        if (discrete[m->crowd.calm + groups[k]] == 0) return false;
    }
    return true;
}

// A few bodies that lie on each other are held by implicit steps, which grow as they come to rest. Kicks would stay short.
bool rb_mechanism_is_enough(const Mechanism *m, const double *discrete, const int *groups,
                            int count) {
    if (all_balls(m, groups, count)) return count > LARGE;
    return count > MIXED && (count > CALM_MOST || !all_calm(m, discrete, groups, count));
}

static double surface_speed(const Mechanism *m, int body, Motion V) {
    double speed = v3_norm(V.v);
    return m->groups.balls[m->groups.of[body]].is ? speed
                                                  : speed + v3_norm(V.w) * m->contact.reach[body];
}

static void note_calm(const Mechanism *m, RbEvent *event, int group, bool anew) {
    MechanismWork *w = event->workspace;
    if (!m->crowd.possible[group]) return;
    int body = m->groups.first_body[group];
    rb_mechanism_move_group(m, group, event->x, w);
    double *calm = &event->discrete[m->crowd.calm + group];
    double speed = surface_speed(m, body, w->moving[body].V);
    *calm = speed < (*calm != 0 && !anew ? LIVELY : CALM);
}

void rb_mechanism_note_calm(const Mechanism *m, RbEvent *event) {
    if (!(m->crowd.skin > 0)) return;
    for (int g = 0; !event->watch && g < m->groups.count; g++) note_calm(m, event, g, true);
    for (int k = 0; event->watch && k < event->group_count; k++)
        note_calm(m, event, event->groups[k], false);
    for (int k = 0; event->watch && k < 2; k++) {
        if (event->watch->groups[k] != RB_NONE)
            note_calm(m, event, event->watch->groups[k], false);
    }
}

bool rb_crowd_is(const Mechanism *m, const double *discrete, const MechanismWork *w,
                 const int *groups, int count) {
    if (rb_mechanism_is_enough(m, discrete, groups, count))
        return rb_mechanism_may_crowd(m, groups, count);
    if (count <= SMALL || !all_balls(m, groups, count)) return false;
    for (int k = 0; k < count; k++) {
        if (w->crowd.bodies[m->groups.first_body[groups[k]]].stamp == 0) return false;
    }
    return true;
}

// ---- along a step

// [m] way since the list was made, of those who are on it.
static double drift(const Mechanism *m, const MechanismWork *w, int body) {
    const CrowdBody *c = &w->crowd.bodies[body];
    if (c->stamp == 0) return 0;
    double way = v3_norm(v3_sub(w->moving[body].X.r, c->listed));
    if (m->groups.balls[m->groups.of[body]].is) return way;
    Mat3 turn = m3_mul(m3_transpose(c->turned), w->moving[body].X.R);
    return way + m->contact.reach[body] * sqrt(fmax(0, 3 - m3_trace(turn)));
}

static bool has_list(const StepLook *l) {
    const Mechanism *m = l->m;
    long stamp = l->w->crowd.bodies[m->groups.first_body[l->step->groups[0]]].stamp;
    for (int k = 1; k < l->step->group_count; k++) {
        if (l->w->crowd.bodies[m->groups.first_body[l->step->groups[k]]].stamp != stamp)
            return false;
    }
    return stamp != 0;
}

// The ball of the step around the end of it.
static void note_ball(const StepLook *l, int body) {
    const double step = l->step->t1 - l->step->t0;
    MechanismWork *w = l->w;
    CrowdBody *c = &w->crowd.bodies[body];
    rb_step_look_place(l, body, l->step->t1);
    double end = SPEED_MARGIN * surface_speed(l->m, body, w->moving[body].V);
    double speed = fmax(end, c->speed);
    c->speed = end;
    w->step.balls[body] =
        (StepBall){w->moving[body].X.r, l->m->contact.reach[body] + speed * step, speed};
    rb_note_step_box(l->m, w, body);
    w->step.wanted[body] = true;
}

// Can the body join a crowd? Not while it touches what cannot: then all of them would be no crowd any more.
static bool can_join(const StepLook *l, int body) {
    return l->m->crowd.possible[l->m->groups.of[body]] && !l->w->crowd.bodies[body].barred;
}

static void check_elements(StepLook *l, int a, int b, double end, double speed, bool both_join) {
    const RbContactSetup *s = l->m->contact.setup;
    double t0 = l->step->t0, t1 = fmin(end, l->first), near = NEAR * l->m->crowd.skin;
    if (!both_join) {
        rb_step_look_start(l, a, b, end, speed);
        return;
    }
    if (!(t1 > t0) || !rb_contacts_may_touch(s, a, b)) return;
    double d1 = rb_step_look_distance(l, a, b, t1, NULL), way = speed * (t1 - t0);
    if (d1 - near > way) return;
    double d0 = rb_step_look_distance(l, a, b, t0, NULL);
    if (!(d0 + d1 - way > 2 * s->options.touch)) rb_step_look_start(l, a, b, end, speed);
    if (d1 < near) rb_step_look_note(l, a, b, PAIR_NEARS, t1);
}

void rb_crowd_check_near(StepLook *l, int i, int j, double end, double speed) {
    const Mechanism *m = l->m;
    for (int p = m->contact.element_start[i]; p < m->contact.element_start[i + 1]; p++) {
        for (int q = m->contact.element_start[j]; q < m->contact.element_start[j + 1]; q++) {
            int a = m->contact.element_list[p], b = m->contact.element_list[q];
            check_elements(l, a < b ? a : b, a < b ? b : a, end, speed,
                           can_join(l, i) && can_join(l, j));
        }
    }
}

// Bodies on the other side (of the crowd, or outside of it) that are near to body i.
static void check_others(StepLook *l, int i) {
    const Mechanism *m = l->m;
    MechanismWork *w = l->w;
    if (!rb_box_tree_has(&w->step.near, i)) return;
    RbAabb box = rb_step_ball_box(&w->step.balls[i], NEAR * m->crowd.skin);
    w->step.found_count = 0;
    rb_box_tree_overlap(&w->step.near, &box, rb_keep_found, w);
    for (int k = 0; k < w->step.found_count; k++) {
        int j = w->step.found[k];
        if (j >= m->structure.tree.bodies.count || w->step.wanted[j] == w->step.wanted[i]) continue;
        int outside = w->step.wanted[i] ? j : i;
        double end = fmin(l->step->t1, rb_step_end(l->step, m->groups.of[outside]));
        rb_crowd_check_near(l, i, j, end, w->step.balls[i].speed + w->step.balls[j].speed);
    }
}

// The crowd against the rest of the world: whichever are fewer look for the others. space: a box
// around the crowd and what is near.
static void check_outside(StepLook *l, RbAabb space) {
    const Mechanism *m = l->m;
    int bodies = m->structure.tree.bodies.count;
    bool crowd_looks = 2 * l->step->group_count < bodies;
    for (int k = 0; crowd_looks && k < l->step->group_count; k++)
        check_others(l, m->groups.first_body[l->step->groups[k]]);
    for (int i = 1; !crowd_looks && i < bodies; i++) {
        if (l->w->step.wanted[i]) continue;
        RbAabb box = rb_step_ball_box(&l->w->step.balls[i], 0);
        if (rb_aabb_overlap(box, space)) check_others(l, i);
    }
}

bool rb_crowd_watch(StepLook *l) {
    const Mechanism *m = l->m;
    MechanismWork *w = l->w;
    const RbStepView *step = l->step;
    double far = 0, fastest = 0;
    RbAabb space = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
    for (int k = 0; k < step->group_count; k++) {
        int body = m->groups.first_body[step->groups[k]];
        note_ball(l, body);
        far = fmax(far, drift(m, w, body));
        fastest = fmax(fastest, surface_speed(m, body, w->moving[body].V));
        space = rb_aabb_union(space, rb_step_ball_box(&w->step.balls[body], NEAR * m->crowd.skin));
    }
    if (!has_list(l) || far > RENEW_FROM * m->crowd.skin) {
        l->first = step->t1;
        *l->found = (RbWatch){.time = step->t1,
                              .what = CROWD_RENEWS,
                              .groups = {step->groups[0], RB_NONE},
                              .indicator = 1,
                              .sign = -1,
                              .quiet = true};
    }
    if (step->t1 > step->t0) check_outside(l, space);
    bool few = step->group_count <= CALM_MOST && !all_balls(m, step->groups, step->group_count);
    if (few && fastest < CALM && step->t1 < l->first) {
        l->first = step->t1;
        *l->found = (RbWatch){.time = step->t1,
                              .what = CROWD_LEAVES,
                              .groups = {step->groups[0], RB_NONE},
                              .indicator = RB_NONE,
                              .quiet = true};
    }
    for (int k = 0; k < step->group_count; k++)
        w->step.wanted[m->groups.first_body[step->groups[k]]] = false;
    return l->first < INFINITY;
}

double rb_crowd_watched(const StepLook *l, double t) {
    const Mechanism *m = l->m;
    double far = 0;
    for (int k = 0; k < l->step->group_count; k++) {
        int body = m->groups.first_body[l->step->groups[k]];
        rb_step_look_place(l, body, t);
        far = fmax(far, drift(m, l->w, body) / m->crowd.skin);
    }
    if (!has_list(l)) return 0;
    if (far > RENEW_LATEST) return 4 * (1 - far / RENEW_LATEST);
    // A little too early must not count as met: nothing would be renewed, and the next step the same.
    return far > RENEW_FROM ? 0 : 2 - far / RENEW_FROM;
}

// ---- the list

typedef struct Renewal {
    const Mechanism *m;
    RbEvent *event;
    MechanismWork *w;
    double *slots;
    bool whole; // the list is made anew; otherwise some are added to it
    long stamp;
    int added, removed;
} Renewal;

// Who are all on one list are renewed because it is old; otherwise some have joined.
static void place_crowd(Renewal *r) {
    double far = 0;
    bool joined = false;
    for (int k = 0; k < r->event->group_count; k++) {
        int group = r->event->groups[k], body = r->m->groups.first_body[group];
        rb_mechanism_move_group(r->m, group, r->event->x, r->w);
        r->w->step.wanted[body] = true;
        long stamp = r->w->crowd.bodies[body].stamp;
        if (stamp != 0 && r->stamp != 0 && stamp != r->stamp) r->whole = true; // two crowds meet
        if (stamp != 0) r->stamp = stamp;
        joined = joined || stamp == 0;
        far = fmax(far, drift(r->m, r->w, body));
    }
    r->whole = r->whole || r->stamp == 0 || !joined || far > RENEW_FROM * r->m->crowd.skin;
    if (r->whole) r->stamp = ++r->w->crowd.stamp;
}

static double effective_mass(void *user, int a, int b, Vec3 point_W, Vec3 n_W) {
    const Renewal *r = user;
    const RbElement *e = r->m->contact.setup->elements;
    return rb_mechanism_effective_mass(r->m, r->event, e[a].body, e[b].body, point_W, n_W);
}

static void remove_far(Renewal *r, int body) {
    SlotIndex *x = &r->w->contact.slots;
    RbContactChange change;
    int a, b;
    int count = rb_slot_index_gather(x, (RbSpan){body, body + 1}, x->list);
    for (int k = 0; k < count; k++) {
        int slot = x->list[k];
        rb_slot_pair(r->m->contact.setup, r->slots, slot, &a, &b);
        if (!rb_contacts_update_pair(r->m->contact.setup, r->slots, r->w->moving, a, b, true, slot,
                                     r->m->crowd.skin, effective_mass, r, &change))
            continue;
        rb_slot_index_remove(r->m, x, slot, a, b);
        r->removed++;
    }
}

static void add_pair(Renewal *r, int p, int q) {
    const Mechanism *m = r->m;
    SlotIndex *x = &r->w->contact.slots;
    RbContactChange change;
    int a = m->contact.element_list[p], b = m->contact.element_list[q];
    if (a > b) b = m->contact.element_list[p], a = m->contact.element_list[q];
    if (rb_slot_index_find(m, x, r->slots, a, b) != RB_SLOT_NONE ||
        !rb_contacts_may_touch(m->contact.setup, a, b))
        return;
    int slot = rb_slot_index_free(m, x);
    if (!rb_contacts_update_pair(m->contact.setup, r->slots, r->w->moving, a, b, false, slot,
                                 m->crowd.skin, effective_mass, r, &change))
        return;
    if (slot == RB_SLOT_NONE) {
        rb_event_fail(r->event, "more than %d contacts at once", m->contact.setup->slot_count);
        return;
    }
    rb_slot_index_add(m, x, slot, a, b);
    r->added++;
}

static bool is_listed(const Renewal *r, int body) {
    return !r->whole && r->w->crowd.bodies[body].stamp == r->stamp;
}

// Pairs of body i with what is fixed and with others of the crowd, unless these look for it.
static void add_near(Renewal *r, int i) {
    const Mechanism *m = r->m;
    MechanismWork *w = r->w;
    int bodies = m->structure.tree.bodies.count;
    StepBall ball = {w->moving[i].X.r, m->contact.reach[i], 0};
    RbAabb box = rb_step_ball_box(&ball, m->crowd.skin);
    w->step.found_count = 0;
    rb_box_tree_overlap(&w->step.near, &box, rb_keep_found, w);
    for (int k = 0; k < w->step.found_count; k++) {
        int j = w->step.found[k];
        bool fixed = j >= bodies;
        if (!fixed && (!w->step.wanted[j] || (j <= i && !is_listed(r, j)) || j == i)) continue;
        int first = fixed ? j - bodies : m->contact.element_start[j];
        int end = fixed ? first + 1 : m->contact.element_start[j + 1];
        for (int p = m->contact.element_start[i]; p < m->contact.element_start[i + 1]; p++) {
            for (int q = first; q < end; q++) add_pair(r, p, q);
        }
    }
}

int rb_mechanism_renew_crowd(const Mechanism *m, RbEvent *event, bool *parted) {
    MechanismWork *w = event->workspace;
    Renewal r = {.m = m, .event = event, .w = w, .slots = event->discrete + m->contact.slots};
    rb_slot_index_update(m, event->discrete, &w->contact.slots);
    place_crowd(&r);
    for (int k = 0; r.whole && k < event->group_count; k++)
        remove_far(&r, m->groups.first_body[event->groups[k]]);
    for (int k = 0; k < event->group_count; k++) {
        int body = m->groups.first_body[event->groups[k]];
        if (!is_listed(&r, body)) add_near(&r, body);
    }
    for (int k = 0; k < event->group_count; k++) {
        int body = m->groups.first_body[event->groups[k]];
        CrowdBody *c = &w->crowd.bodies[body];
        w->step.wanted[body] = false;
        if (!is_listed(&r, body)) c->listed = w->moving[body].X.r, c->turned = w->moving[body].X.R;
        c->stamp = r.stamp;
    }
    if (r.added + r.removed > 0) {
        event->discrete[m->contact.slot_version] += 1;
        w->contact.slots.version = event->discrete[m->contact.slot_version];
    }
    *parted = r.removed > 0;
    return r.added + r.removed;
}

// SPDX-License-Identifier: MIT
// Which contacts kick which balls of a crowd.
#include <string.h>

#include "contact/pair.h"
#include "multibody/crowd_kicks.h"
#include "multibody/crowd.h"

static const double FINEST = 1e-7; // tolerance: below, a method of higher order takes less

// Do equations of a model drive parts, or do actions wait for what they do?
static bool is_driven(const Members *m) {
    return m->driven.count + m->moved.count + m->contacts.count + m->paths.count > 0;
}

// Can all contacts kick that elements of this material can have?
static bool all_kick(const RbContactSetup *s, int material) {
    const int n = s->material_count;
    for (int k = material * n; k < (material + 1) * n; k++) {
        if (s->pair_known[k] && !rb_law_kicks(&s->pairs[k])) return false;
    }
    return true;
}

static bool can_kick(const Mechanism *m, int group) {
    int body = m->branch[group];
    if (!m->crowds[group] || (m->reached && m->reached[group])) return false;
    for (int k = m->element_start[body]; k < m->element_start[body + 1]; k++) {
        if (!all_kick(m->contacts, m->contacts->elements[m->element_list[k]].material)) return false;
    }
    return true;
}

void rb_kicks_measure(Mechanism *m) {
    RbGravityKind gravity = m->scene->gravity.kind;
    if (!(m->skin > 0) || (m->members && is_driven(m->members)) || m->soft || m->grains ||
        m->scene->contact_results.count > 0 ||
        (gravity != RB_GRAVITY_NONE && gravity != RB_GRAVITY_UNIFORM))
        return;
    for (int g = 0; g < m->group_count; g++) m->kicks[g] = can_kick(m, g);
}

static bool any_kicks(const Mechanism *m) {
    for (int g = 0; g < m->group_count; g++) {
        if (m->kicks[g]) return true;
    }
    return false;
}

bool rb_crowd_advances(const Mechanism *m, const int *groups, int count, double tolerance) {
    if (!(tolerance >= FINEST)) return false;
    for (int k = 0; k < count; k++) {
        if (!m->kicks[groups[k]]) return false;
    }
    return true;
}

void rb_kicks_open(const Mechanism *m, MechanismWork *w, RbArena *arena) {
    if (!any_kicks(m)) return;
    int slots = m->contacts->slot_count, bodies = m->structure.tree.bodies.count;
    struct KickWork *k = w->kicks = rb_new(arena, struct KickWork);
    k->balls = rb_new_array(arena, KickBall, bodies);
    k->ball_of = rb_new_array(arena, int, bodies);
    k->links = rb_new_array(arena, KickLink, slots);
    k->start = rb_new_array(arena, int, bodies + 1);
    k->of_ball = rb_new_array(arena, int, 2 * slots);
    k->laws = rb_new_array(arena, RbContactLaw, slots);
    k->ticks = rb_new_array(arena, int, KICK_TICKS + 1);
    k->groups = rb_new_array(arena, int, m->group_count);
    k->version = -1;
}

static bool is_known(const Mechanism *m, const RbEval *e, const struct KickWork *k) {
    return k->version == e->discrete[m->slot_version] && k->group_count == e->group_count &&
           memcmp(k->groups, e->group_list, (size_t)k->group_count * sizeof *k->groups) == 0;
}

static void gather_balls(const Mechanism *m, const RbEval *e, struct KickWork *k) {
    k->group_count = e->group_count;
    k->ball_count = 1;
    k->balls[0] = (KickBall){0};
    for (int i = 0; i < e->group_count; i++) {
        int group = e->group_list[i], body = m->branch[group];
        k->groups[i] = group;
        k->ball_of[body] = k->ball_count;
        k->balls[k->ball_count++] = (KickBall){.body = body,
                                               .by_mass = 1 / m->balls[group].mass,
                                               .by_inertia = 1 / m->balls[group].inertia};
    }
}

// There are few different laws: pairs of materials, radii and masses.
static const RbContactLaw *law_of(const Mechanism *m, struct KickWork *k, int a, int b,
                                  double mass) {
    enum { RECENT = 8 };
    const RbContactSetup *s = m->contacts;
    const RbContactMaterial *material = rb_contact_material_of(s, a, b);
    double R = rb_contact_radius(s->elements[a].shape, s->elements[b].shape);
    RbContactLaw law = rb_contact_law(material, R, &s->options.scene, (RbBlow){.mass = mass});
    for (int i = k->law_count - 1; i >= 0 && i >= k->law_count - RECENT; i--) {
        const RbContactLaw *known = &k->laws[i];
        if (known->mass == mass && known->radius == R && known->stiffness == law.stiffness &&
            known->pair.mu_k == law.pair.mu_k && known->pair.mu_r == law.pair.mu_r &&
            known->pair.v_small == law.pair.v_small && known->pair.w_small == law.pair.w_small &&
            known->twist == law.twist && known->dissipation.a == law.dissipation.a)
            return known;
    }
    k->laws[k->law_count] = law;
    return &k->laws[k->law_count++];
}

static void add_link(const Mechanism *m, const double *slots, int slot, struct KickWork *k) {
    const RbContactSetup *s = m->contacts;
    int a, b;
    if (!rb_slot_pair(s, slots, slot, &a, &b)) return;
    const RbContactMaterial *material = rb_contact_material_of(s, a, b);
    if (!material || material->law.response != RB_RESPONSE_ELASTIC) return;
    const RbElement *p = &s->elements[a], *q = &s->elements[b];
    k->links[k->link_count++] =
        (KickLink){.one = p->body > 0 ? k->ball_of[p->body] : 0,
                   .two = q->body > 0 ? k->ball_of[q->body] : 0,
                   .a = a,
                   .b = b,
                   .radius_1 = p->body > 0 ? p->core->radius : 0,
                   .radius_2 = q->body > 0 ? q->core->radius : 0,
                   .law = law_of(m, k, a, b, slots[RB_SLOT_SIZE * slot + RB_SLOT_MASS]),
                   .deepest = rb_contacts_deepest(s, a, b)};
}

static void list_links(struct KickWork *k) {
    memset(k->start, 0, (size_t)(k->ball_count + 1) * sizeof *k->start);
    for (int i = 0; i < k->link_count; i++) {
        k->start[k->links[i].one]++;
        k->start[k->links[i].two]++;
    }
    for (int i = 1; i <= k->ball_count; i++) k->start[i] += k->start[i - 1];
    for (int i = k->link_count - 1; i >= 0; i--) {
        k->of_ball[--k->start[k->links[i].one]] = i;
        k->of_ball[--k->start[k->links[i].two]] = i;
    }
}

void rb_kicks_gather(const Mechanism *m, const RbEval *e, struct KickWork *k) {
    MechanismWork *w = e->workspace;
    if (is_known(m, e, k)) return;
    rb_slot_index_update(m, e->discrete, &w->slots);
    k->link_count = k->law_count = 0;
    gather_balls(m, e, k);
    for (int i = 0; i < e->group_count; i++) {
        RbSpan span = rb_mechanism_span(m, e->group_list[i]);
        int count = rb_slot_index_gather(&w->slots, span, w->slots.list);
        for (int j = 0; j < count; j++) add_link(m, e->discrete + m->slots, w->slots.list[j], k);
    }
    list_links(k);
    k->version = e->discrete[m->slot_version];
}

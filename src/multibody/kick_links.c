// SPDX-License-Identifier: MIT
// Which contacts kick which bodies of a crowd.
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

// Two shapes with edges press over a patch, or in a way that has no potential.
static bool has_patches(const Mechanism *m, int element) {
    const RbContactSetup *s = m->contact.setup;
    for (int other = 0; other < s->element_count; other++) {
        if (s->elements[other].body == s->elements[element].body) continue;
        const RbContactMaterial *law = rb_contact_material_of(s, element, other);
        if (!law || law->law.response != RB_RESPONSE_ELASTIC) continue;
        if (!rb_pair_is_smooth(s, element, other) && !rb_pair_has_patch(s, element, other))
            return false;
    }
    return true;
}

static bool can_kick(const Mechanism *m, int group) {
    int body = m->groups.first_body[group];
    if (!(m->crowd.possible[group] || m->groups.loose[group]) ||
        (m->groups.reached && m->groups.reached[group]))
        return false;
    for (int k = m->contact.element_start[body]; k < m->contact.element_start[body + 1]; k++) {
        int element = m->contact.element_list[k];
        if (!all_kick(m->contact.setup, m->contact.setup->elements[element].material)) return false;
        if (!m->groups.balls[group].is && !has_patches(m, element)) return false;
    }
    return true;
}

void rb_kicks_measure(Mechanism *m) {
    RbGravityKind gravity = m->scene->gravity.kind;
    if ((m->members && is_driven(m->members)) || m->soft || m->grains ||
        m->scene->contact_results.count > 0 || m->contact.belt_count > 0 ||
        (gravity != RB_GRAVITY_NONE && gravity != RB_GRAVITY_UNIFORM))
        return;
    for (int g = 0; g < m->groups.count; g++) m->crowd.kicks[g] = can_kick(m, g);
}

static bool any_kicks(const Mechanism *m) {
    for (int g = 0; g < m->groups.count; g++) {
        if (m->crowd.kicks[g]) return true;
    }
    return false;
}

bool rb_kicks_resolve(double tolerance) {
    return tolerance >= FINEST;
}

bool rb_crowd_advances(const Mechanism *m, const int *groups, int count, double tolerance) {
    if (!rb_kicks_resolve(tolerance)) return false;
    for (int k = 0; k < count; k++) {
        if (!m->crowd.kicks[groups[k]]) return false;
    }
    return true;
}

void rb_kicks_open(const Mechanism *m, MechanismWork *w, RbArena *arena) {
    if (!any_kicks(m)) return;
    int slots = m->contact.setup->slot_count, bodies = m->structure.tree.bodies.count, turning = 0;
    for (int g = 0; g < m->groups.count; g++)
        turning += m->crowd.kicks[g] && !m->groups.balls[g].is;
    struct KickWork *k = w->crowd.kicks = rb_new(arena, struct KickWork);
    k->bodies = rb_new_array(arena, KickBody, bodies);
    k->number_of = rb_new_array(arena, int, bodies);
    k->turnings = rb_new_array(arena, KickTurning, turning);
    k->links = rb_new_array(arena, KickLink, slots);
    k->shapes = rb_new_array(arena, KickShapes, turning > 0 ? slots : 0);
    k->memory = rb_new_array(arena, KickMemory, slots);
    k->start = rb_new_array(arena, int, bodies + 1);
    k->of_body = rb_new_array(arena, int, 2 * slots);
    k->laws = rb_new_array(arena, RbContactLaw, slots);
    k->ticks = rb_new_array(arena, int, KICK_TICKS + 1);
    k->groups = rb_new_array(arena, int, m->groups.count);
    k->version = -1;
}

static bool is_known(const Mechanism *m, const RbEval *e, const struct KickWork *k) {
    return k->version == e->discrete[m->contact.slot_version] && k->group_count == e->group_count &&
           memcmp(k->groups, e->group_list, (size_t)k->group_count * sizeof *k->groups) == 0;
}

// [m] No point of the surface is further from the centre of mass.
static double reach_of(const Mechanism *m, int body, Vec3 centre) {
    return m->contact.reach[body] + v3_norm(centre);
}

static void add_turning(const Mechanism *m, struct KickWork *k, KickBody *b) {
    const RigidInertia *a = &m->structure.tree.bodies.data[b->body].inertia;
    Sym3 I = ri_central(*a);
    KickTurning *t = b->turning = &k->turnings[k->turning_count++];
    double mean = s3_trace(I) / 3, rounding = 1e-14 * mean;
    *t = (KickTurning){.centre = ri_com(*a), .by_body = m3_inverse(s3_matrix(I))};
    t->even = fabs(I.xx - mean) <= rounding && fabs(I.yy - mean) <= rounding &&
              fabs(I.zz - mean) <= rounding &&
              fabs(I.xy) + fabs(I.xz) + fabs(I.yz) <= rounding;
    t->reach = reach_of(m, b->body, t->centre);
    b->by_mass = 1 / a->m;
}

static void gather_bodies(const Mechanism *m, const RbEval *e, struct KickWork *k) {
    k->group_count = e->group_count;
    k->body_count = 1;
    k->turning_count = 0;
    k->bodies[0] = (KickBody){0};
    for (int i = 0; i < e->group_count; i++) {
        int group = e->group_list[i], body = m->groups.first_body[group];
        k->groups[i] = group;
        k->number_of[body] = k->body_count;
        KickBody *b = &k->bodies[k->body_count++];
        *b = (KickBody){.body = body};
        if (m->groups.balls[group].is) {
            b->by_mass = 1 / m->groups.balls[group].mass;
            b->by_inertia = 1 / m->groups.balls[group].inertia;
        } else
            add_turning(m, k, b);
    }
}

// There are few different laws: pairs of materials, radii and masses.
static const RbContactLaw *law_of(struct KickWork *k, const RbContactLaw *law) {
    enum { RECENT = 8 };
    for (int i = k->law_count - 1; i >= 0 && i >= k->law_count - RECENT; i--) {
        const RbContactLaw *known = &k->laws[i];
        if (known->mass == law->mass && known->radius == law->radius &&
            known->stiffness == law->stiffness && known->pair.mu_k == law->pair.mu_k &&
            known->pair.mu_r == law->pair.mu_r && known->pair.v_small == law->pair.v_small &&
            known->pair.w_small == law->pair.w_small && known->twist == law->twist &&
            known->dissipation.a == law->dissipation.a)
            return known;
    }
    k->laws[k->law_count] = *law;
    return &k->laws[k->law_count++];
}

// Where the bristle of a slot is among the states of the component.
static int bristle_at(const Mechanism *m, const double *slots, int slot) {
    int i = m->sticking.of_slot[slot];
    if (i == RB_NONE || m->sticking.bristles[i].code != slots[RB_SLOT_SIZE * slot]) return RB_NONE;
    return m->structure.tree.nq + m->structure.tree.nv + m->sticking.bristles[i].at;
}

static void add_shapes(const Mechanism *m, const double *slots, int slot, KickLink *l,
                       const RbContactLaw *law, struct KickWork *k) {
    const RbContactSetup *s = m->contact.setup;
    KickShapes *x = l->shapes = &k->shapes[k->shapes_count++];
    *x = (KickShapes){.law = *law,
                      .patch = rb_pair_has_patch(s, l->a, l->b),
                      .sticks = rb_slot_sticks(s, slots, slot),
                      .slot = slot,
                      .bristle_at = bristle_at(m, slots, slot)};
    x->law.pair.friction = rb_pair_friction(s, l->a, l->b);
    x->state = (RbContactState){.a = l->a, .b = l->b, .law = x->law, .patch = x->patch};
    l->law = &x->law;
}

static bool is_round(const Mechanism *m, int body) {
    return body == 0 || m->groups.balls[m->groups.of[body]].is;
}

static void add_link(const Mechanism *m, const double *slots, int slot, struct KickWork *k) {
    const RbContactSetup *s = m->contact.setup;
    int a, b;
    if (!rb_slot_pair(s, slots, slot, &a, &b)) return;
    const RbContactMaterial *material = rb_contact_material_of(s, a, b);
    if (!material || material->law.response != RB_RESPONSE_ELASTIC) return;
    const RbElement *p = &s->elements[a], *q = &s->elements[b];
    double R = rb_contact_radius(p->shape, q->shape);
    RbBlow blow = {.mass = slots[RB_SLOT_SIZE * slot + RB_SLOT_MASS]};
    RbContactLaw law = rb_contact_law(material, R, &s->options.scene, blow);
    KickLink *l = &k->links[k->link_count++];
    *l = (KickLink){.one = p->body > 0 ? k->number_of[p->body] : 0,
                    .two = q->body > 0 ? k->number_of[q->body] : 0,
                    .a = a,
                    .b = b,
                    .radius_1 = p->body > 0 ? p->core->radius : 0,
                    .radius_2 = q->body > 0 ? q->core->radius : 0,
                    .deepest = rb_contacts_deepest(s, a, b)};
    k->v_small = law.pair.v_small;
    if (is_round(m, p->body) && is_round(m, q->body))
        l->law = law_of(k, &law);
    else
        add_shapes(m, slots, slot, l, &law, k);
}

static void list_links(struct KickWork *k) {
    memset(k->start, 0, (size_t)(k->body_count + 1) * sizeof *k->start);
    for (int i = 0; i < k->link_count; i++) {
        k->start[k->links[i].one]++;
        k->start[k->links[i].two]++;
    }
    for (int i = 1; i <= k->body_count; i++) k->start[i] += k->start[i - 1];
    for (int i = k->link_count - 1; i >= 0; i--) {
        k->of_body[--k->start[k->links[i].one]] = i;
        k->of_body[--k->start[k->links[i].two]] = i;
    }
}

void rb_kicks_gather(const Mechanism *m, const RbEval *e, struct KickWork *k) {
    MechanismWork *w = e->workspace;
    if (is_known(m, e, k)) return;
    rb_slot_index_update(m, e->discrete, &w->contact.slots);
    k->link_count = k->law_count = k->shapes_count = 0;
    gather_bodies(m, e, k);
    for (int i = 0; i < e->group_count; i++) {
        RbSpan span = rb_mechanism_span(m, e->group_list[i]);
        int count = rb_slot_index_gather(&w->contact.slots, span, w->contact.slots.list);
        for (int j = 0; j < count; j++)
            add_link(m, e->discrete + m->contact.slots, w->contact.slots.list[j], k);
    }
    list_links(k);
    k->version = e->discrete[m->contact.slot_version];
}

// ---- what contacts remember
//
// The bristle of a contact that sticks is a state if the segment has one for it. In a crowd contacts come and go without new states:
// their bristles, and the masses that their blows feel, are in the discrete values of their slots, which are set at events of the crowd,
// and for both ends of its present step in the workspace.

static bool find_history(const KickMemory *memory, double code, double time, KickHistory *out) {
    if (memory->code != code || (memory->end != time && memory->start != time)) return false;
    *out = memory->end == time ? memory->at_end : memory->at_start;
    return true;
}

static RbBristle load_bristle(const double *p, bool twists) {
    return (RbBristle){v3_load(p), twists ? p[3] : 0};
}

void rb_kicks_load_histories(const Mechanism *m, const RbEval *e, struct KickWork *k) {
    const double *slots = e->discrete + m->contact.slots;
    for (int i = 0; i < k->shapes_count; i++) {
        KickShapes *x = &k->shapes[i];
        const double *slot = slots + RB_SLOT_SIZE * x->slot;
        if (!find_history(&k->memory[x->slot], slot[RB_SLOT_CODE], e->time, &x->before))
            x->before = (KickHistory){load_bristle(slot + RB_SLOT_BRISTLE, true),
                                      slot[RB_SLOT_MASS], true};
        if (x->bristle_at != RB_NONE)
            x->before.bristle = load_bristle(e->x + x->bristle_at, x->patch);
    }
}

void rb_kicks_store_histories(const Mechanism *m, RbAdvance *a, struct KickWork *k) {
    const double *slots = a->eval->discrete + m->contact.slots;
    for (int i = 0; i < k->shapes_count; i++) {
        const KickShapes *x = &k->shapes[i];
        if (x->bristle_at != RB_NONE) {
            v3_store(a->x + x->bristle_at, x->now.bristle.slide_W);
            if (x->patch) a->x[x->bristle_at + 3] = x->now.bristle.twist;
        }
        if (!a->look)
            k->memory[x->slot] = (KickMemory){slots[RB_SLOT_SIZE * x->slot], a->eval->time, a->end,
                                              x->before, x->now};
    }
}

void rb_kicks_keep_histories(const Mechanism *m, RbEvent *event) {
    const MechanismWork *w = event->workspace;
    if (!m->contact.setup || !w->crowd.kicks) return;
    for (int i = 0; i < m->contact.setup->slot_count; i++) {
        double *slot = event->discrete + m->contact.slots + RB_SLOT_SIZE * i;
        const KickMemory *memory = &w->crowd.kicks->memory[i];
        if (slot[RB_SLOT_CODE] == 0 || memory->code != slot[RB_SLOT_CODE] ||
            memory->end != event->time)
            continue;
        slot[RB_SLOT_MASS] = memory->at_end.mass;
        v3_store(slot + RB_SLOT_BRISTLE, memory->at_end.bristle.slide_W);
        slot[RB_SLOT_BRISTLE + 3] = memory->at_end.bristle.twist;
    }
}
